//! What names represent: constants, formulas, variables.

use rustc_hash::FxHashMap;
use suppose_number::Rat;
use suppose_source::{Diagnostic, FileId, ParserLimits, Span};

use super::super::ast::{Constant, Expr, Ident, Model, Module, Type};
use super::super::lexer::{Names, Sym};
use super::super::parser;
use super::super::term::Term;
use super::super::value::Value;
use super::{Given, constant_value, expect_type, twice};

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A literal.
    Constant(Term),
    /// A constant whose value is being found.
    Open,
    Formula(usize),
    Variable(u32, Type),
}

/// The names of a model.
#[derive(Clone, Debug)]
pub(in super::super) struct Scope {
    pub(super) meanings: FxHashMap<Sym, (Meaning, Span)>,
    pub(super) formulas: Vec<(Ident, Expr)>,
    pub(super) limits: ParserLimits,
}

impl Scope {
    pub(in super::super) fn new(limits: &ParserLimits) -> Scope {
        Scope {
            meanings: FxHashMap::default(),
            formulas: Vec::new(),
            limits: *limits,
        }
    }

    /// A new name, or the complaint that there is one already.
    pub(super) fn add(
        &mut self,
        name: Ident,
        meaning: Meaning,
        names: &Names,
    ) -> Result<(), Diagnostic> {
        if let Some((_, first)) = self.meanings.get(&name.name) {
            return Err(twice(names.text(name.name), name.span, *first));
        }
        self.meanings.insert(name.name, (meaning, name.span));
        Ok(())
    }

    /// Formulas and constants; the names of modules must differ too.
    pub(super) fn declare(&mut self, model: &Model, names: &Names, errors: &mut Vec<Diagnostic>) {
        for formula in &model.formulas {
            let meaning = Meaning::Formula(self.formulas.len());
            self.formulas.push((formula.name, formula.value.clone()));
            errors.extend(self.add(formula.name, meaning, names).err());
        }
        for constant in &model.constants {
            errors.extend(self.add(constant.name, Meaning::Open, names).err());
        }
        let mut modules: FxHashMap<Sym, Span> = FxHashMap::default();
        for ident in model.modules.iter().map(Module::name) {
            if let Some(first) = modules.insert(ident.name, ident.span) {
                errors.push(twice(names.text(ident.name), ident.span, first));
            }
        }
    }

    /// The constants of a file of properties.
    pub(in super::super) fn add_constants(
        &mut self,
        constants: &[Constant],
        names: &Names,
        given: &Given,
        errors: &mut Vec<Diagnostic>,
    ) {
        for constant in constants {
            errors.extend(self.add(constant.name, Meaning::Open, names).err());
        }
        if errors.is_empty() {
            self.constants(constants, names, given, errors);
        }
    }

    /// Gives every constant its value. They may be used before they are declared, as in PRISM.
    pub(super) fn constants(
        &mut self,
        constants: &[Constant],
        names: &Names,
        given: &Given,
        errors: &mut Vec<Diagnostic>,
    ) {
        for (name, text) in given {
            let found = constants.iter().find(|c| names.text(c.name.name) == name);
            match found {
                None => {}
                Some(constant) if constant.value.is_some() => errors.push(
                    Diagnostic::error(
                        constant.name.span,
                        format!("the constant `{name}` has a value in the model already"),
                    )
                    .help(format!(
                        "declare it without one to set it from outside: const {} {name};",
                        constant.ty.name()
                    )),
                ),
                Some(constant) => match given_value(name, text, constant.ty, &self.limits) {
                    Ok(term) => self.set(constant.name, term),
                    Err(error) => errors.push(error),
                },
            }
        }
        for constant in constants {
            if constant.value.is_none() && self.is_open(constant.name.name) && errors.is_empty() {
                errors.push(missing(constant, names));
            }
        }
        let order = match self.order(constants, names) {
            Ok(order) => order,
            Err(error) => return errors.push(error),
        };
        if !errors.is_empty() {
            return;
        }
        for number in order {
            match self.constant(&constants[number], names) {
                Ok(Some(term)) => self.set(constants[number].name, term),
                Ok(None) => {}
                Err(error) => errors.push(error),
            }
        }
    }

    fn is_open(&self, name: Sym) -> bool {
        matches!(self.meanings.get(&name), Some((Meaning::Open, _)))
    }

    fn set(&mut self, name: Ident, value: Term) {
        self.meanings
            .insert(name.name, (Meaning::Constant(value), name.span));
    }

    /// Its value; none if it is set from outside.
    fn constant(&self, constant: &Constant, names: &Names) -> Result<Option<Term>, Diagnostic> {
        let Some(value) = &constant.value else {
            return Ok(None);
        };
        let term = self.resolve(value, &[], names)?;
        let term = expect_type(term, constant.ty, "the value of this constant")?;
        literal(&term, constant.ty).map(Some)
    }

    /// An order of the constants in which each comes after those it needs. Neither a constant nor a
    /// formula may need itself. Without recursion: chains of definitions can be long.
    fn order(&self, constants: &[Constant], names: &Names) -> Result<Vec<usize>, Diagnostic> {
        let formulas = self.formulas.len();
        let numbers: FxHashMap<Sym, usize> = constants
            .iter()
            .enumerate()
            .map(|(number, c)| (c.name.name, formulas + number))
            .collect();
        let uses = |node: usize| match node.checked_sub(formulas) {
            None => self.uses(Some(&self.formulas[node].1), &numbers),
            Some(constant) => self.uses(constants[constant].value.as_ref(), &numbers),
        };
        let mut order = Vec::new();
        // 0: not seen, 1: being examined, 2: fine.
        let mut seen = vec![0u8; formulas + constants.len()];
        for start in 0..seen.len() {
            if seen[start] != 0 {
                continue;
            }
            seen[start] = 1;
            let mut path = vec![(start, uses(start))];
            while let Some((node, rest)) = path.last_mut() {
                let Some(next) = rest.pop() else {
                    seen[*node] = 2;
                    order.extend(node.checked_sub(formulas));
                    path.pop();
                    continue;
                };
                match seen[next] {
                    0 => {
                        seen[next] = 1;
                        path.push((next, uses(next)));
                    }
                    1 => return Err(self.needs_itself(next, constants, names)),
                    _ => {}
                }
            }
        }
        Ok(order)
    }

    fn needs_itself(&self, node: usize, constants: &[Constant], names: &Names) -> Diagnostic {
        let (kind, ident) = match node.checked_sub(self.formulas.len()) {
            None => ("formula", self.formulas[node].0),
            Some(constant) => ("constant", constants[constant].name),
        };
        let name = names.text(ident.name);
        Diagnostic::error(
            ident.span,
            format!("the {kind} `{name}` is defined in terms of itself"),
        )
    }

    fn uses(&self, expr: Option<&Expr>, constants: &FxHashMap<Sym, usize>) -> Vec<usize> {
        let mut used = Vec::new();
        if let Some(expr) = expr {
            super::expr::names_in(expr, &mut |name| match self.meanings.get(&name) {
                Some((Meaning::Formula(other), _)) => used.push(*other),
                _ => used.extend(constants.get(&name)),
            });
        }
        used
    }
}

fn missing(constant: &Constant, names: &Names) -> Diagnostic {
    let name = names.text(constant.name.name);
    Diagnostic::error(
        constant.name.span,
        format!("the constant `{name}` has no value"),
    )
    .label(format!("declared as {} here", constant.ty.name()))
    .help(format!("give it one: --const {name}=..."))
}

/// Computes a constant down to a literal.
pub(super) fn literal(term: &Term, ty: Type) -> Result<Term, Diagnostic> {
    Ok(match (constant_value(term)?, ty) {
        (Value::Bool(b), _) => Term::truth(b, term.span),
        (Value::Int(n), Type::Real) => Term::real(Rat::from(n), term.span),
        (Value::Int(n), _) => Term::int(n, term.span),
        (Value::Real(r), _) => Term::real(r, term.span),
        (Value::Irrational(it), _) => {
            return Err(Diagnostic::error(
                term.span,
                format!("{it} is irrational, and constants are exact fractions"),
            ));
        }
    })
}

/// A value from the command line: any expression without names.
fn given_value(
    name: &str,
    text: &str,
    ty: Type,
    limits: &ParserLimits,
) -> Result<Term, Diagnostic> {
    let refused = |why: String| {
        Diagnostic::error_without_place(format!(
            "the value `{text}` of the constant `{name}`: {why}"
        ))
        .help(format!("it must be of type {}", ty.name()))
    };
    let mut names = Names::default();
    let expr = parser::parse_expression(text, FileId(u16::MAX), &mut names, limits)
        .map_err(|e| refused(e.message))?;
    let term = Scope::new(limits)
        .resolve(&expr, &[], &names)
        .map_err(|e| refused(e.message))?;
    let term = expect_type(term, ty, "it").map_err(|e| refused(e.message))?;
    literal(&term, ty).map_err(|e| refused(e.message))
}
