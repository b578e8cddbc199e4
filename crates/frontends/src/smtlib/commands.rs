//! The commands of a script.

use suppose_model::chc::theory::Theory;
use suppose_model::chc::{Horn, Param, Place, Pred, Predicate, Sort as Plain};
use suppose_source::{Diagnostic, Span};

use super::clause::{self, Facts};
use super::datatypes::Declaring;
use super::elaborate::{Elaborator, Globals, Macro, Relation, malformed, sorted_names};
use super::operators::is_operator;
use super::sexp::{Id, Name, Sexps};
use super::sort::{self, Sort};
use super::structured::{leaves, named_sorts};
use super::written;
use super::{Parameter, Read};

/// After this many errors no more are looked for.
const MOST_ERRORS: usize = 20;

/// Reads a script from its expressions.
pub(super) fn run(sexps: &Sexps, top: &[Id], text: &str) -> Result<Read, Vec<Diagnostic>> {
    let mut script = Script {
        sexps,
        text,
        globals: Globals::default(),
        horn: Horn::default(),
        facts: Facts::default(),
        parameters: Vec::new(),
        warnings: Vec::new(),
        done: false,
    };
    let mut errors = Vec::new();
    for &command in top {
        if let Err(error) = script.command(command) {
            errors.push(error);
        }
        if script.done || errors.len() >= MOST_ERRORS {
            break;
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    script.about_the_whole()?;
    let theory = script.theory();
    Ok(Read {
        horn: script.horn,
        theory,
        parameters: script.parameters,
        warnings: script.warnings,
    })
}

struct Script<'a> {
    sexps: &'a Sexps,
    text: &'a str,
    globals: Globals,
    horn: Horn,
    facts: Facts,
    parameters: Vec<Vec<Parameter>>,
    warnings: Vec<Diagnostic>,
    done: bool,
}

const COMMANDS: &[&str] = &[
    "set-logic",
    "set-info",
    "set-option",
    "declare-fun",
    "declare-const",
    "declare-rel",
    "declare-var",
    "define-fun",
    "define-const",
    "define-sort",
    "declare-sort",
    "declare-datatype",
    "declare-datatypes",
    "assert",
    "rule",
    "query",
    "check-sat",
    "get-model",
    "exit",
];

type Fallible<T> = Result<T, Diagnostic>;

impl Script<'_> {
    fn declaring(&mut self) -> Declaring<'_> {
        Declaring {
            sexps: self.sexps,
            text: self.text,
            globals: &mut self.globals,
        }
    }

    /// What the names in the clauses mean; none if there are no names.
    fn theory(&mut self) -> Option<Theory> {
        let sorts = &self.globals.sorts;
        let mut theory = Theory {
            sorts: named_sorts(sorts, self.sexps),
            names: std::mem::take(&mut self.facts.names),
            facts: std::mem::take(&mut self.facts.of_clauses),
        };
        let plain = theory.names.is_empty() && theory.facts.iter().all(Vec::is_empty);
        if plain {
            return None;
        }
        theory.complete_names(&self.horn);
        Some(theory)
    }

    fn about_the_whole(&mut self) -> Result<(), Vec<Diagnostic>> {
        if self.horn.predicates.is_empty() && self.horn.clauses.is_empty() {
            return Err(vec![
                Diagnostic::error_without_place("there is no predicate and no clause")
                    .label("expected `declare-fun` and `assert`")
                    .help("for example (declare-fun inv (Int) Bool) (assert (forall ((x Int)) (=> (= x 0) (inv x))))"),
            ]);
        }
        if self.horn.clauses.iter().all(|clause| clause.head.is_some()) {
            let mut warning = Diagnostic::error_without_place("there is no query, so the system holds trivially")
                .help("a query is a clause with head `false`: (assert (forall ((x Int)) (=> (and (inv x) (< x 0)) false)))");
            warning.severity = suppose_source::Severity::Warning;
            self.warnings.push(warning);
        }
        Ok(())
    }

    fn command(&mut self, id: Id) -> Fallible<()> {
        let span = self.sexps.span(id);
        let parts = self.sexps.list(id);
        let Some(word) = parts.first().and_then(|&p| self.sexps.word(p)) else {
            return Err(Diagnostic::error(span, "this is not a command")
                .label("expected `(command ...)`")
                .help("for example (assert ...) or (declare-fun ...)"));
        };
        match word {
            "set-info" | "set-option" | "check-sat" | "get-model" | "get-proof" | "get-info"
            | "echo" | "get-option" | "get-unsat-core" => Ok(()),
            "set-logic" => self.set_logic(parts, span),
            "exit" => {
                self.done = true;
                Ok(())
            }
            "declare-fun" => self.declare_fun(parts, span),
            "declare-rel" => self.declare_rel(parts, span),
            "declare-const" => self.declare_const(parts, span),
            "declare-var" => self.declare_var(parts, span),
            "define-fun" | "define-const" => self.define(word == "define-fun", parts, span),
            "define-sort" => self.define_sort(parts, span),
            "assert" => self.assert(parts, span),
            "rule" => self.rule(parts, span),
            "query" => self.query(parts, span),
            "define-fun-rec" | "define-funs-rec" => Err(Diagnostic::error(
                span,
                "recursive definitions are not supported",
            )
            .label("expected `define-fun`")
            .help("declare a predicate for it and give its clauses")),
            "declare-datatypes" => self.declaring().several(parts, span),
            "declare-datatype" => self.declaring().one(parts, span),
            "declare-sort" => self.declaring().sort(parts, span),
            "push" | "pop" | "reset" | "reset-assertions" | "check-sat-assuming" => Err(
                Diagnostic::error(span, format!("`{word}` is not supported"))
                    .label("expected one system in a file")
                    .help("write each system into a file of its own"),
            ),
            _ => {
                let error = Diagnostic::error(span, format!("there is no command `{word}`"))
                    .label("expected a command of SMT-LIB or of Z3's rules");
                Err(error.did_you_mean(word, COMMANDS.iter().copied()))
            }
        }
    }

    fn set_logic(&mut self, parts: &[Id], span: Span) -> Fallible<()> {
        let &[_, logic] = parts else {
            return Err(malformed(span, "set-logic", "(set-logic HORN)"));
        };
        let word = self.sexps.word(logic).unwrap_or("");
        if word != "HORN" && word != "ALL" {
            self.warnings.push(
                Diagnostic::warning(
                    self.sexps.span(logic),
                    "the logic of Horn clauses is called HORN",
                )
                .label("read as HORN"),
            );
        }
        Ok(())
    }

    /// A name that can be declared.
    fn new_name(&self, id: Id, command: &str) -> Fallible<Name> {
        let span = self.sexps.span(id);
        let Some(name) = self.sexps.symbol(id) else {
            return Err(Diagnostic::error(span, format!("`{command}` needs a name"))
                .label("expected a name"));
        };
        let word = self.sexps.text(name);
        let reserved = [
            "let", "forall", "exists", "!", "_", "as", "match", "par", "true", "false",
        ];
        if is_operator(word) || reserved.contains(&word) {
            return Err(
                Diagnostic::error(span, format!("`{word}` has a meaning of its own"))
                    .label("expected another name"),
            );
        }
        let globals = &self.globals;
        let before = None
            .or_else(|| globals.predicates.get(&name).map(|r| r.span))
            .or_else(|| globals.macros.get(&name).map(|m| m.span))
            .or_else(|| globals.variables.get(&name).map(|v| v.1))
            .or_else(|| globals.members.get(&name).map(|_| span));
        match before {
            Some(before) => Err(
                Diagnostic::error(span, format!("`{word}` is declared twice"))
                    .label("expected another name")
                    .note(before, "declared here before"),
            ),
            None => Ok(name),
        }
    }

    fn sort(&self, id: Id) -> Fallible<Sort> {
        sort::read(self.sexps, &self.globals.sorts, id, self.text)
    }

    fn sorts(&self, id: Id, form: &str) -> Fallible<Vec<Sort>> {
        if !self.sexps.is_list(id) {
            return Err(malformed(self.sexps.span(id), "declaration", form));
        }
        self.sexps.list(id).iter().map(|&s| self.sort(s)).collect()
    }

    fn declare_fun(&mut self, parts: &[Id], span: Span) -> Fallible<()> {
        let form = "(declare-fun name (sort ...) Bool)";
        let &[_, name_id, sorts, result] = parts else {
            return Err(malformed(span, "declare-fun", form));
        };
        let name = self.new_name(name_id, "declare-fun")?;
        let written = self.sexps.list(sorts);
        let sorts = self.sorts(sorts, form)?;
        self.predicate_only(name, result)?;
        self.declare(name, sorts, written, self.sexps.span(name_id));
        Ok(())
    }

    fn predicate_only(&self, name: Name, result: Id) -> Fallible<()> {
        match self.sort(result)? {
            Sort::Bool => Ok(()),
            other => Err(Diagnostic::error(
                self.sexps.span(result),
                format!(
                    "`{}` is declared with sort {}, but unknown functions are not Horn",
                    self.sexps.text(name),
                    self.globals.sorts.shown(self.sexps, other)
                ),
            )
            .label("expected Bool: a predicate")
            .help("bind it by `forall` in each clause, or by `declare-var`, if it is a variable")),
        }
    }

    fn declare_const(&mut self, parts: &[Id], span: Span) -> Fallible<()> {
        let &[_, name_id, sort] = parts else {
            return Err(malformed(
                span,
                "declare-const",
                "(declare-const name Bool)",
            ));
        };
        let name = self.new_name(name_id, "declare-const")?;
        self.predicate_only(name, sort)?;
        self.declare(name, Vec::new(), &[], self.sexps.span(name_id));
        Ok(())
    }

    fn declare_rel(&mut self, parts: &[Id], span: Span) -> Fallible<()> {
        let form = "(declare-rel name (sort ...))";
        let (Some(&name_id), Some(&sorts)) = (parts.get(1), parts.get(2)) else {
            return Err(malformed(span, "declare-rel", form));
        };
        let name = self.new_name(name_id, "declare-rel")?;
        let written = self.sexps.list(sorts);
        let sorts = self.sorts(sorts, form)?;
        self.declare(name, sorts, written, self.sexps.span(name_id));
        Ok(())
    }

    fn declare_var(&mut self, parts: &[Id], span: Span) -> Fallible<()> {
        let &[_, name_id, sort] = parts else {
            return Err(malformed(span, "declare-var", "(declare-var name sort)"));
        };
        let name = self.new_name(name_id, "declare-var")?;
        let sort = self.sort(sort)?;
        self.globals
            .variables
            .insert(name, (sort, self.sexps.span(name_id)));
        Ok(())
    }

    /// How parameters were declared, and where their parts are found in a value.
    fn parameters(&self, written: &[Id], sorts: &[Sort]) -> Vec<Parameter> {
        let one = |(i, (&id, &sort)): (usize, (&Id, &Sort))| {
            let span = self.sexps.span(id);
            let own = self.text.get(span.start as usize..span.end as usize);
            Parameter {
                sort: own.unwrap_or_default().to_owned(),
                parts: written::parts(&self.globals.sorts, self.sexps, sort, &format!("x!{i}")),
            }
        };
        written.iter().zip(sorts).enumerate().map(one).collect()
    }

    fn declare(&mut self, name: Name, sorts: Vec<Sort>, written: &[Id], span: Span) {
        let parameters = self.parameters(written, &sorts);
        self.parameters.push(parameters);
        let word = self.sexps.text(name);
        let terms = &mut self.horn.terms;
        let mut params = Vec::new();
        for (i, &sort) in sorts.iter().enumerate() {
            let own = format!("{word}_{i}");
            match sort {
                Sort::Bits(width) => {
                    let bit = |b| terms.fresh(&format!("{own}[{b}]"), Plain::Bool);
                    params.push(Param::Bits((0..width).map(bit).collect()));
                }
                _ => {
                    let mut parts = Vec::new();
                    leaves(&self.globals.sorts, sort, &mut parts);
                    let one = parts.len() == 1;
                    for (part, leaf) in parts.into_iter().enumerate() {
                        let own = match one {
                            true => own.clone(),
                            false => format!("{own}.{part}"),
                        };
                        let var = terms.fresh(&own, leaf.sort);
                        if let Some(sort) = leaf.named {
                            self.facts.names.insert(var, sort);
                        }
                        params.push(Param::Plain(var));
                    }
                }
            }
        }
        let formals = params.iter().flat_map(|param| match param {
            Param::Plain(var) => std::slice::from_ref(var),
            Param::Bits(bits) => bits,
        });
        let pred = Pred(self.horn.predicates.len() as u32);
        self.horn.predicates.push(Predicate {
            name: word.to_owned(),
            formals: formals.copied().collect(),
            params: params.clone(),
            place: Some(Place {
                what: format!("the predicate `{word}`"),
                span,
            }),
        });
        self.globals
            .predicates
            .insert(name, Relation { pred, sorts, span });
    }

    fn define(&mut self, with_parameters: bool, parts: &[Id], span: Span) -> Fallible<()> {
        let (name_id, parameters, result, body) = match (with_parameters, parts) {
            (true, &[_, name, parameters, result, body]) => (name, Some(parameters), result, body),
            (false, &[_, name, result, body]) => (name, None, result, body),
            (true, _) => {
                return Err(malformed(
                    span,
                    "define-fun",
                    "(define-fun name ((name sort) ...) sort term)",
                ));
            }
            (false, _) => {
                return Err(malformed(
                    span,
                    "define-const",
                    "(define-const name sort term)",
                ));
            }
        };
        let name = self.new_name(name_id, "define-fun")?;
        let parameters = match parameters {
            Some(id) => sorted_names(self.sexps, &self.globals.sorts, id, self.text)?,
            None => Vec::new(),
        };
        let result = self.sort(result)?;
        let span = self.sexps.span(name_id);
        let definition = Macro {
            parameters,
            result,
            body,
            span,
        };
        self.globals.macros.insert(name, definition);
        Ok(())
    }

    fn define_sort(&mut self, parts: &[Id], span: Span) -> Fallible<()> {
        let &[_, name_id, parameters, sort] = parts else {
            return Err(malformed(span, "define-sort", "(define-sort name () sort)"));
        };
        if !self.sexps.list(parameters).is_empty() {
            return Err(Diagnostic::error(
                self.sexps.span(parameters),
                "sorts with parameters are not supported yet",
            )
            .label("expected `()`"));
        }
        let Some(name) = self.sexps.symbol(name_id) else {
            return Err(malformed(
                self.sexps.span(name_id),
                "define-sort",
                "(define-sort name () sort)",
            ));
        };
        let builtin = ["Bool", "Int", "Real"].contains(&self.sexps.text(name));
        if builtin || self.globals.sorts.named.contains_key(&name) {
            return Err(Diagnostic::error(
                self.sexps.span(name_id),
                format!("the sort `{}` is defined twice", self.sexps.text(name)),
            )
            .label("expected another name"));
        }
        let sort = self.sort(sort)?;
        self.globals.sorts.named.insert(name, sort);
        Ok(())
    }

    fn assert(&mut self, parts: &[Id], span: Span) -> Fallible<()> {
        let &[_, formula] = parts else {
            return Err(malformed(
                span,
                "assert",
                "(assert (forall ((name sort) ...) (=> body head)))",
            ));
        };
        let mut from = Elaborator::new(self.sexps, self.text, &self.globals);
        let truth = from.formula(formula)?;
        clause::add(&mut self.horn, &mut self.facts, from, truth, span)
    }

    fn rule(&mut self, parts: &[Id], span: Span) -> Fallible<()> {
        // A name may follow.
        let (Some(&formula), 2..=3) = (parts.get(1), parts.len()) else {
            return Err(malformed(span, "rule", "(rule (=> body head))"));
        };
        let mut from = Elaborator::new(self.sexps, self.text, &self.globals);
        let truth = from.formula(formula)?;
        clause::add(&mut self.horn, &mut self.facts, from, truth, span)
    }

    fn query(&mut self, parts: &[Id], span: Span) -> Fallible<()> {
        // Attributes may follow.
        let Some(&formula) = parts.get(1) else {
            return Err(malformed(span, "query", "(query name)"));
        };
        let mut from = Elaborator::new(self.sexps, self.text, &self.globals);
        let named = self
            .sexps
            .symbol(formula)
            .and_then(|name| from.any_instance(name, span));
        let truth = match named {
            Some(truth) => truth,
            None => from.formula(formula)?,
        };
        let never = from.scratch.formulas.not(&mut from.scratch.terms, truth);
        clause::add(&mut self.horn, &mut self.facts, from, never, span)
    }
}
