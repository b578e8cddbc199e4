//! Expressions to values, with sorts checked.
//!
//! A machine with two stacks, of tasks and of values: `let` chains of benchmarks are thousands deep, so nothing
//! here recurses on the text.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use suppose_model::chc::limits::MOST_BITS;
use suppose_model::chc::{Node, Pred, Sort as Plain, TermId, Var};
use suppose_number::{Int, Rat};
use suppose_source::{Diagnostic, Span};

use super::bits;
use super::formula::Truth;
use super::numeric::{Number, Ratio, Scratch};
use super::sexp::{Form, Id, Name, Sexps};
use super::sort::{self, Sort, Sorts, WIDEST};
use super::structured::{DataValue, Member, Members, Structures};

/// What is declared.
#[derive(Debug, Default)]
pub(super) struct Globals {
    pub(super) predicates: FxHashMap<Name, Relation>,
    pub(super) macros: FxHashMap<Name, Macro>,
    /// By `declare-var`: bound around every clause that uses them.
    pub(super) variables: FxHashMap<Name, (Sort, Span)>,
    pub(super) sorts: Sorts,
    /// Constructors and selectors.
    pub(super) members: Members,
}

/// A declared predicate.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub(super) pred: Pred,
    pub(super) sorts: Vec<Sort>,
    pub(super) span: Span,
}

/// A `define-fun`, put in where it is used.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub(super) parameters: Vec<(Name, Sort)>,
    pub(super) result: Sort,
    pub(super) body: Id,
    pub(super) span: Span,
}

/// What an expression represents.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Bool(Truth),
    /// A number, and whether it is of sort Real.
    Number(Number, bool),
    /// The bits, the lowest first.
    Bits(Rc<[TermId]>),
    /// The name of a value of that sort.
    Named(Number, Sort),
    /// Of a datatype, taken apart.
    Data(Rc<DataValue>),
}

impl Value {
    pub(super) fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Number(_, false) => Sort::Int,
            Value::Number(_, true) => Sort::Real,
            Value::Bits(bits) => Sort::Bits(bits.len() as u32),
            Value::Named(_, sort) => *sort,
            Value::Data(value) => Sort::Data(value.data),
        }
    }
}

/// An argument of a predicate, one for each formal parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Arg {
    Bool(TermId),
    Number(Ratio),
}

impl Arg {
    /// The sort of a variable that equals it.
    pub(super) fn sort(&self, terms: &suppose_model::chc::Terms) -> Plain {
        match self {
            Arg::Bool(_) => Plain::Bool,
            Arg::Number(ratio) if ratio.den.is_one() && terms.is_integral(&ratio.lin) => Plain::Int,
            Arg::Number(_) => Plain::Real,
        }
    }
}

/// A predicate with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Application {
    pub(super) pred: Pred,
    pub(super) args: Vec<Arg>,
}

pub(super) enum Head<'a> {
    Operator(&'a str),
    /// `(_ name numbers)`.
    Indexed(Id),
    Predicate(Name),
    Macro(Name),
    Member(Member),
    /// `(as const sort)`.
    Constant(Sort),
}

pub(super) enum Task<'a> {
    Eval(Id),
    Apply {
        whole: Id,
        head: Head<'a>,
        count: usize,
    },
    Let {
        names: Vec<Name>,
        body: Id,
    },
    Unbind(Vec<Name>),
    /// The value to match is on top of the stack.
    Match {
        whole: Id,
    },
    /// The results of all cases are on top, after the value.
    Matched {
        whole: Id,
        /// For each case its constructor; none for a variable.
        cases: Vec<Option<usize>>,
    },
    Bind(Vec<(Name, Value)>),
    Quantify {
        universal: bool,
        span: Span,
    },
    Leave {
        locals: FxHashMap<Name, Vec<Value>>,
        name: Name,
        call: Span,
    },
}

/// Refuses a term before anything is done with it.
pub(super) fn long_number(span: Span) -> Diagnostic {
    let what = format!("a number in this gets longer than {MOST_BITS} bits");
    Diagnostic::error(span, what).help("a product of many long numbers is too long to work with")
}

pub(super) struct Elaborator<'a> {
    pub(super) sexps: &'a Sexps,
    pub(super) text: &'a str,
    pub(super) globals: &'a Globals,
    pub(super) scratch: Scratch,
    pub(super) apps: Vec<Application>,
    pub(super) known_apps: FxHashMap<Application, u32>,
    pub(super) locals: FxHashMap<Name, Vec<Value>>,
    declared: FxHashMap<Name, Value>,
    pub(super) structures: Structures,
    pub(super) tasks: Vec<Task<'a>>,
    pub(super) values: Vec<Value>,
    pub(super) calls: Vec<Span>,
    steps: usize,
}

/// Parts of one clause, with definitions put in.
const MOST_STEPS: usize = 20_000_000;
/// Formulas of one clause.
pub(super) const MOST_TERMS: usize = 4_000_000;

type Fallible<T> = Result<T, Diagnostic>;

impl<'a> Elaborator<'a> {
    pub(super) fn new(sexps: &'a Sexps, text: &'a str, globals: &'a Globals) -> Self {
        Elaborator {
            sexps,
            text,
            globals,
            scratch: Scratch::default(),
            apps: Vec::new(),
            known_apps: FxHashMap::default(),
            locals: FxHashMap::default(),
            declared: FxHashMap::default(),
            structures: Structures::default(),
            tasks: Vec::new(),
            values: Vec::new(),
            calls: Vec::new(),
            steps: 0,
        }
    }

    /// The formula that an expression is.
    pub(super) fn formula(&mut self, id: Id) -> Fallible<Truth> {
        match self.evaluate(id)? {
            Value::Bool(truth) => Ok(truth),
            other => Err(Diagnostic::error(
                self.sexps.span(id),
                format!(
                    "this is a term of sort {}, not a formula",
                    self.shown(other.sort())
                ),
            )
            .label("expected Bool")),
        }
    }

    pub(super) fn evaluate(&mut self, id: Id) -> Fallible<Value> {
        self.tasks.push(Task::Eval(id));
        while let Some(task) = self.tasks.pop() {
            self.steps += 1;
            if self.steps > MOST_STEPS || self.scratch.terms.len() > MOST_TERMS {
                return Err(self.too_large(self.sexps.span(id)));
            }
            self.run(task).map_err(|error| self.with_calls(error))?;
        }
        self.values
            .pop()
            .ok_or_else(|| internal(self.sexps.span(id)))
    }

    pub(super) fn too_large(&self, span: Span) -> Diagnostic {
        Diagnostic::error(span, "the clause is too large when everything is put in")
            .help("use fewer definitions inside definitions, or smaller bit vectors")
    }

    /// An error inside a definition also says where the definition is used.
    fn with_calls(&self, error: Diagnostic) -> Diagnostic {
        match self.calls.first() {
            Some(&call) => error.note(call, "the definition is used here"),
            None => error,
        }
    }

    fn run(&mut self, task: Task<'a>) -> Fallible<()> {
        match task {
            Task::Eval(id) => self.eval(id),
            Task::Apply { whole, head, count } => {
                let args = self.values.split_off(self.values.len() - count);
                let value = match head {
                    Head::Operator(word) => self.operator(word, args, whole),
                    Head::Indexed(index) => self.indexed(index, args, whole),
                    Head::Predicate(name) => self.predicate(name, args, whole),
                    Head::Macro(name) => return self.enter(name, args, whole),
                    Head::Member(member) => self.member(member, args, whole),
                    Head::Constant(sort) => self.constant_array(sort, args, whole),
                };
                let span = self.sexps.span(whole);
                let value = value.map_err(|mut error| {
                    error.span.get_or_insert(span);
                    error
                })?;
                if self.scratch.too_large {
                    return Err(long_number(span));
                }
                self.values.push(value);
                Ok(())
            }
            Task::Let { names, body } => {
                let values = self.values.split_off(self.values.len() - names.len());
                for (name, value) in names.iter().zip(values) {
                    self.locals.entry(*name).or_default().push(value);
                }
                self.tasks.push(Task::Unbind(names));
                self.tasks.push(Task::Eval(body));
                Ok(())
            }
            Task::Unbind(names) => {
                for name in names {
                    if let Some(values) = self.locals.get_mut(&name) {
                        values.pop();
                    }
                }
                Ok(())
            }
            Task::Quantify { universal, span } => self.quantify(universal, span),
            Task::Match { whole } => self.match_cases(whole),
            Task::Matched { whole, cases } => self.matched(whole, &cases),
            Task::Bind(pairs) => {
                for (name, value) in pairs {
                    self.locals.entry(name).or_default().push(value);
                }
                Ok(())
            }
            Task::Leave { locals, name, call } => {
                self.locals = locals;
                self.calls.pop();
                self.leave(name, call)
            }
        }
    }

    fn eval(&mut self, id: Id) -> Fallible<()> {
        let span = self.sexps.span(id);
        let value = match self.sexps.form(id) {
            Form::Symbol(name) => return self.symbol(name, id),
            Form::List(..) => return self.list(id),
            Form::Numeral => {
                let number: Int = self.slice(span).parse().map_err(|_| internal(span))?;
                self.constant(&Rat::from(number), false)
            }
            Form::Decimal => self.decimal(span)?,
            Form::Hexadecimal | Form::Binary => self.bit_constant(id),
            Form::Text => {
                return Err(Diagnostic::error(span, "strings are not supported yet")
                    .label("expected a term of sort Bool, Int, Real or (_ BitVec n)"));
            }
            Form::Keyword => {
                return Err(Diagnostic::error(span, "an attribute cannot stand here")
                    .label("expected a term")
                    .help("attributes are written as `(! term :attribute value)`"));
            }
        };
        self.values.push(value);
        Ok(())
    }

    fn slice(&self, span: Span) -> &'a str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    pub(super) fn constant(&mut self, number: &Rat, real: bool) -> Value {
        Value::Number(self.scratch.leaf(Ratio::number(number)), real)
    }

    fn decimal(&mut self, span: Span) -> Fallible<Value> {
        let (whole, part) = self
            .slice(span)
            .split_once('.')
            .ok_or_else(|| internal(span))?;
        let digits = |text: &str| text.parse::<Int>().map_err(|_| internal(span));
        let num = digits(&format!("{whole}{part}"))?;
        let den = digits(&format!("1{}", "0".repeat(part.len())))?;
        Ok(self.constant(&Rat::new(num, den), true))
    }

    fn bit_constant(&mut self, id: Id) -> Value {
        let digits = self.slice(self.sexps.span(id)).get(2..).unwrap_or("");
        let each = if self.sexps.form(id) == Form::Binary {
            1
        } else {
            4
        };
        let bits = digits.chars().rev().flat_map(|c| {
            let digit = c.to_digit(16).unwrap_or(0);
            (0..each).map(move |i| digit >> i & 1 == 1)
        });
        Value::Bits(bits::of_bits(&self.scratch.terms, bits).into())
    }

    fn symbol(&mut self, name: Name, id: Id) -> Fallible<()> {
        let span = self.sexps.span(id);
        if let Some(value) = self.locals.get(&name).and_then(|v| v.last()) {
            let value = value.clone();
            self.values.push(value);
            return Ok(());
        }
        let word = self.sexps.text(name);
        if let "true" | "false" = word {
            let truth = Truth::Pure(self.scratch.terms.constant(word == "true"));
            self.values.push(Value::Bool(truth));
            return Ok(());
        }
        if let Some(&(sort, _)) = self.globals.variables.get(&name) {
            let value = match self.declared.get(&name) {
                Some(value) => value.clone(),
                None => {
                    let value = self.fresh(word, sort);
                    self.declared.insert(name, value.clone());
                    value
                }
            };
            self.values.push(value);
            return Ok(());
        }
        if self.globals.macros.contains_key(&name) {
            return self.enter(name, Vec::new(), id);
        }
        if self.globals.predicates.contains_key(&name) {
            let value = self.predicate(name, Vec::new(), id)?;
            self.values.push(value);
            return Ok(());
        }
        if let Some(&member) = self.globals.members.get(&name) {
            let value = self.member(member, Vec::new(), id)?;
            self.values.push(value);
            return Ok(());
        }
        Err(self.unknown(name, span, None))
    }

    /// A name that is not declared. `count`: of its arguments, if it has some.
    fn unknown(&self, name: Name, span: Span, count: Option<usize>) -> Diagnostic {
        let word = self.sexps.text(name);
        let shown = suppose_model::chc::symbol(word);
        if count.is_none() && super::operators::is_operator(word) {
            return Diagnostic::error(span, format!("`{word}` stands here without arguments"))
                .label("expected a term");
        }
        let all = self
            .globals
            .predicates
            .keys()
            .chain(self.globals.macros.keys());
        let mut candidates: Vec<&str> = all.map(|&n| self.sexps.text(n)).collect();
        if count.is_none() {
            candidates.extend(
                self.locals
                    .iter()
                    .filter(|(_, v)| !v.is_empty())
                    .map(|(&n, _)| self.sexps.text(n)),
            );
            candidates.extend(self.globals.variables.keys().map(|&n| self.sexps.text(n)));
        }
        candidates.sort_unstable();
        let error = match count {
            Some(_) => Diagnostic::error(
                span,
                format!("`{word}` is neither a declared predicate nor an operator"),
            )
            .label("expected a predicate or an operator"),
            None => Diagnostic::error(span, format!("`{word}` is not declared"))
                .label("expected a variable or a constant"),
        };
        // z3 reads `-4` as a number; in the standard it is a name.
        if let Some(digits) = word.strip_prefix('-')
            && digits.starts_with(|c: char| c.is_ascii_digit())
        {
            return error.help(format!("a negative number is written (- {digits})"));
        }
        let otherwise = match count {
            Some(count) => format!(
                "declare it: (declare-fun {shown} ({}) Bool)",
                vec!["Int"; count.min(8)].join(" ")
            ),
            None => format!("bind it: (forall (({shown} Int)) ...)"),
        };
        error.did_you_mean_or(word, candidates, otherwise)
    }

    /// A variable without any bounds, bit by bit if it is a bit vector.
    pub(super) fn fresh(&mut self, name: &str, sort: Sort) -> Value {
        let terms = &mut self.scratch.terms;
        match sort {
            Sort::Bool => {
                let var = terms.fresh(name, Plain::Bool);
                Value::Bool(Truth::Pure(terms.var(var)))
            }
            Sort::Int | Sort::Real => {
                let real = sort == Sort::Real;
                let var = terms.fresh(name, if real { Plain::Real } else { Plain::Int });
                Value::Number(self.scratch.variable(var), real)
            }
            Sort::Bits(width) => {
                let bits = (0..width).map(|i| {
                    let var = terms.fresh(&format!("{name}[{i}]"), Plain::Bool);
                    terms.var(var)
                });
                Value::Bits(bits.collect())
            }
            Sort::Array(_) | Sort::Data(_) | Sort::Free(_) => self.fresh_structured(name, sort),
        }
    }

    fn list(&mut self, id: Id) -> Fallible<()> {
        let parts = self.sexps.list(id);
        let span = self.sexps.span(id);
        let Some(&head) = parts.first() else {
            return Err(
                Diagnostic::error(span, "an empty list is not a term").label("expected a term")
            );
        };
        let args = &parts[1..];
        let head = match self.sexps.symbol(head) {
            None if self
                .sexps
                .list(head)
                .first()
                .and_then(|&h| self.sexps.word(h))
                == Some("_") =>
            {
                Head::Indexed(head)
            }
            None if self
                .sexps
                .list(head)
                .first()
                .and_then(|&h| self.sexps.word(h))
                == Some("as") =>
            {
                self.qualified(head)?
            }
            None => {
                return Err(
                    Diagnostic::error(self.sexps.span(head), "this is not a function")
                        .label("expected an operator or a predicate"),
                );
            }
            Some(name) => match self.sexps.text(name) {
                "let" => return self.let_(id),
                "forall" => return self.bind(id, true),
                "exists" => return self.bind(id, false),
                "!" => return self.annotated(id),
                "_" => return self.indexed_constant(id),
                "match" => return self.match_(id),
                "as" => return self.qualified_constant(id),
                word @ ("lambda" | "par" | "choice") => {
                    return Err(
                        Diagnostic::error(span, format!("`{word}` is not supported yet"))
                            .label("expected a term"),
                    );
                }
                word => self.head(name, word, self.sexps.span(head), args.len())?,
            },
        };
        self.tasks.push(Task::Apply {
            whole: id,
            head,
            count: args.len(),
        });
        self.tasks
            .extend(args.iter().rev().map(|&arg| Task::Eval(arg)));
        Ok(())
    }

    fn head(&self, name: Name, word: &'a str, span: Span, count: usize) -> Fallible<Head<'a>> {
        let bound = self.locals.get(&name).is_some_and(|v| !v.is_empty());
        if bound || self.globals.variables.contains_key(&name) {
            return Err(Diagnostic::error(
                span,
                format!("`{word}` is a variable and takes no arguments"),
            )
            .label("expected an operator or a predicate")
            .help(format!("write `{word}` without brackets")));
        }
        if self.globals.predicates.contains_key(&name) {
            Ok(Head::Predicate(name))
        } else if self.globals.macros.contains_key(&name) {
            Ok(Head::Macro(name))
        } else if let Some(&member) = self.globals.members.get(&name) {
            Ok(Head::Member(member))
        } else if super::operators::is_operator(word) {
            Ok(Head::Operator(word))
        } else if let Some(what) = super::operators::not_yet(word) {
            Err(
                Diagnostic::error(span, format!("`{word}`: {what} are not supported yet"))
                    .label("expected an operator on Bool, Int, Real or (_ BitVec n)"),
            )
        } else {
            Err(self.unknown(name, span, Some(count)))
        }
    }

    fn let_(&mut self, id: Id) -> Fallible<()> {
        let parts = self.sexps.list(id);
        let form = "(let ((name term) ...) term)";
        let &[_, bindings, body] = parts else {
            return Err(malformed(self.sexps.span(id), "let", form));
        };
        if !self.sexps.is_list(bindings) {
            return Err(malformed(self.sexps.span(bindings), "let", form));
        }
        let mut names = Vec::new();
        let mut terms = Vec::new();
        for &binding in self.sexps.list(bindings) {
            let &[name, term] = self.sexps.list(binding) else {
                return Err(malformed(self.sexps.span(binding), "let", form));
            };
            let Some(name) = self.sexps.symbol(name) else {
                return Err(malformed(self.sexps.span(name), "let", form));
            };
            if names.contains(&name) && names.len() < 1000 {
                let word = self.sexps.text(name);
                return Err(Diagnostic::error(
                    self.sexps.span(binding),
                    format!("`{word}` is bound twice in one `let`"),
                )
                .label("expected another name"));
            }
            names.push(name);
            terms.push(term);
        }
        self.tasks.push(Task::Let { names, body });
        self.tasks.extend(terms.into_iter().rev().map(Task::Eval));
        Ok(())
    }

    fn bind(&mut self, id: Id, universal: bool) -> Fallible<()> {
        let word = if universal { "forall" } else { "exists" };
        let &[_, bindings, body] = self.sexps.list(id) else {
            return Err(malformed(
                self.sexps.span(id),
                word,
                &format!("({word} ((name sort) ...) formula)"),
            ));
        };
        let variables = self.sorted_names(bindings)?;
        for &(name, sort) in &variables {
            let value = self.fresh(self.sexps.text(name), sort);
            self.locals.entry(name).or_default().push(value);
        }
        let span = self.sexps.span(id);
        self.tasks.push(Task::Quantify { universal, span });
        self.tasks.push(Task::Unbind(
            variables.into_iter().map(|(name, _)| name).collect(),
        ));
        self.tasks.push(Task::Eval(body));
        Ok(())
    }

    fn sorted_names(&self, bindings: Id) -> Fallible<Vec<(Name, Sort)>> {
        sorted_names(self.sexps, &self.globals.sorts, bindings, self.text)
    }

    fn quantify(&mut self, universal: bool, span: Span) -> Fallible<()> {
        match self.values.pop() {
            Some(Value::Bool(body)) => {
                let truth = self.scratch.formulas.bound(universal, body, span);
                self.values.push(Value::Bool(truth));
                Ok(())
            }
            Some(other) => Err(Diagnostic::error(
                span,
                format!("the quantified term has sort {}", self.shown(other.sort())),
            )
            .label("expected a formula inside")),
            None => Err(internal(span)),
        }
    }

    fn annotated(&mut self, id: Id) -> Fallible<()> {
        match self.sexps.list(id).get(1) {
            Some(&inner) => {
                self.tasks.push(Task::Eval(inner));
                Ok(())
            }
            None => Err(malformed(
                self.sexps.span(id),
                "!",
                "(! term :attribute value)",
            )),
        }
    }

    /// `(_ bv5 8)`.
    fn indexed_constant(&mut self, id: Id) -> Fallible<()> {
        let parts = self.sexps.list(id);
        let span = self.sexps.span(id);
        let value = parts
            .get(1)
            .and_then(|&p| self.sexps.word(p))
            .and_then(|word| word.strip_prefix("bv"))
            .and_then(|digits| digits.parse::<Int>().ok());
        let (Some(mut value), 3) = (value, parts.len()) else {
            return Err(Diagnostic::error(span, "this constant is unknown")
                .label("expected `(_ bvN n)`: the number N as a bit vector of width n"));
        };
        let width = sort::small_number(self.sexps, parts[2], self.text)
            .filter(|w| (1..=WIDEST).contains(w))
            .ok_or_else(|| {
                Diagnostic::error(self.sexps.span(parts[2]), "this is not a bit-vector width")
                    .label(format!("expected a number from 1 to {WIDEST}"))
            })?;
        if value.is_negative() || value.bits() > width as usize {
            return Err(
                Diagnostic::error(span, format!("the number does not fit {width} bits"))
                    .label(format!("expected a number below 2 to the {width}")),
            );
        }
        let two = Int::from(2);
        let mut constant = Vec::new();
        for _ in 0..width {
            let (half, bit) = value.div_floor(&two);
            constant.push(!bit.is_zero());
            value = half;
        }
        let constant = bits::of_bits(&self.scratch.terms, constant);
        self.values.push(Value::Bits(constant.into()));
        Ok(())
    }

    /// What defines the variables that occur in these formulas, or in such definitions: see
    /// [`Scratch::definitions`].
    pub(super) fn definitions(&self, roots: &[TermId], variables: &[Var]) -> Vec<TermId> {
        let terms = &self.scratch.terms;
        let mut seen = rustc_hash::FxHashSet::default();
        let mut found = Vec::new();
        let mut open = roots.to_vec();
        let mut defined = variables.to_vec();
        loop {
            while let Some(var) = defined.pop() {
                if let Some(&definition) = self.scratch.definitions.get(&var) {
                    found.push(definition);
                    open.push(definition);
                }
            }
            let Some(part) = open.pop() else {
                break;
            };
            if !seen.insert(part) {
                continue;
            }
            match terms.node(part) {
                Node::Const(_) => {}
                Node::Var(var) => defined.push(*var),
                Node::Not(inner) => open.push(*inner),
                Node::And(parts) | Node::Or(parts) => open.extend_from_slice(parts),
                Node::Iff(a, b) => open.extend([*a, *b]),
                Node::Le(lin) | Node::Lt(lin) | Node::Eq(lin) | Node::Divides(_, lin) => {
                    defined.extend(lin.terms.iter().map(|(v, _)| *v));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// `((name sort) ...)`.
pub(super) fn sorted_names(
    sexps: &Sexps,
    sorts: &Sorts,
    bindings: Id,
    text: &str,
) -> Fallible<Vec<(Name, Sort)>> {
    let bad = |id: Id| {
        Diagnostic::error(sexps.span(id), "this declares no variables")
            .label("expected `((name sort) ...)`")
            .help("for example ((x Int) (b Bool))")
    };
    if !sexps.is_list(bindings) {
        return Err(bad(bindings));
    }
    let mut variables: Vec<(Name, Sort)> = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    for &binding in sexps.list(bindings) {
        let &[name, sort] = sexps.list(binding) else {
            return Err(bad(binding));
        };
        let Some(symbol) = sexps.symbol(name) else {
            return Err(bad(name));
        };
        if !seen.insert(symbol) {
            return Err(Diagnostic::error(
                sexps.span(name),
                format!("`{}` is declared twice here", sexps.text(symbol)),
            )
            .label("expected another name"));
        }
        variables.push((symbol, sort::read(sexps, sorts, sort, text)?));
    }
    Ok(variables)
}

pub(super) fn malformed(span: Span, what: &str, form: &str) -> Diagnostic {
    Diagnostic::error(span, format!("this `{what}` is not complete"))
        .label(format!("expected `{form}`"))
}

/// What the machine's own rules exclude.
pub(super) fn internal(span: Span) -> Diagnostic {
    Diagnostic::error(span, "this cannot be read").label("expected a term")
}
