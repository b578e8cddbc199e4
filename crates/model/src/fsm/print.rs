//! Systems, expressions and formulas in SMV's own syntax.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use super::expr::{BinaryOp, Cast, ExprId, Node};
use super::formula::{Branch, Connective, Formula, FormulaId, Linear, LinearPair, Quantifier};
use super::sorts::{cast_name, operator_name};
use super::{Fairness, Question, System, VariableKind, When};

/// What is still to be written, the next last: expressions can be deeper than the machine's stack.
enum Task {
    Text(&'static str),
    Owned(String),
    Expr(ExprId, u8),
    Formula(FormulaId, u8),
}

/// How tightly operators bind; an operand that binds less tightly than asked for is put in brackets.
const IMPLIES: u8 = 1;
const IFF: u8 = 2;
const OR: u8 = 3;
const AND: u8 = 4;
const LINEAR: u8 = 5;
const COMPARE: u8 = 6;
const IN: u8 = 7;
const UNION: u8 = 8;
const SHIFT: u8 = 9;
const SUM: u8 = 10;
const PRODUCT: u8 = 11;
const CONCATENATE: u8 = 12;
const UNARY: u8 = 13;

fn level(op: BinaryOp) -> u8 {
    use BinaryOp as Op;
    match op {
        Op::Implies => IMPLIES,
        Op::Iff => IFF,
        Op::Xor | Op::Xnor => OR,
        Op::Equal | Op::Unequal | Op::Less | Op::AtMost | Op::Greater | Op::AtLeast => COMPARE,
        Op::In => IN,
        Op::ShiftLeft | Op::ShiftRight => SHIFT,
        Op::Add | Op::Subtract => SUM,
        Op::Multiply | Op::Divide | Op::Modulo => PRODUCT,
        Op::Concatenate => CONCATENATE,
        Op::Max | Op::Min => u8::MAX,
    }
}

/// Writes expressions, with the names that `DEFINE` gives them.
#[derive(Debug)]
pub struct Printer<'a> {
    system: &'a System,
    names: FxHashMap<ExprId, usize>,
}

impl System {
    /// What is asked, as SMV writes it, without the keyword.
    pub fn show_question(&self, question: &Question) -> String {
        let printer = self.printer();
        match question {
            Question::Ctl(f) | Question::Ltl(f) => printer.formula(*f),
            Question::Invariant(e) => printer.expr(*e),
            Question::ComputeMin(a, b) => {
                format!("MIN [{}, {}]", printer.formula(*a), printer.formula(*b))
            }
            Question::ComputeMax(a, b) => {
                format!("MAX [{}, {}]", printer.formula(*a), printer.formula(*b))
            }
        }
    }

    /// For writing many expressions.
    pub fn printer(&self) -> Printer<'_> {
        let mut names = FxHashMap::default();
        for (i, define) in self.defines.iter().enumerate() {
            // Constants and variables are their own best names.
            let node = self.exprs.node(define.expr);
            if !matches!(node, Node::Value(_) | Node::Current(_) | Node::Next(_)) {
                names.entry(define.expr).or_insert(i);
            }
        }
        Printer {
            system: self,
            names,
        }
    }

    /// The whole system as one SMV module that NuSMV reads.
    pub fn to_smv(&self) -> String {
        let printer = self.printer();
        let mut out = String::from("MODULE main\n");
        for v in &self.variables {
            let word = match v.kind {
                VariableKind::Input => "IVAR",
                VariableKind::Frozen => "FROZENVAR",
                VariableKind::State => "VAR",
            };
            let _ = writeln!(out, "{word} {} : {};", v.name, v.ty.show(&self.symbols));
        }
        for (i, define) in self.defines.iter().enumerate() {
            let body = printer.body(define.expr, i);
            let _ = writeln!(out, "DEFINE {} := {body};", define.name);
        }
        for a in &self.assignments {
            let name = &self.variable(a.var).name;
            let value = printer.expr(a.value);
            let _ = match a.when {
                When::Init => writeln!(out, "ASSIGN init({name}) := {value};"),
                When::Next => writeln!(out, "ASSIGN next({name}) := {value};"),
                When::Always => writeln!(out, "ASSIGN {name} := {value};"),
            };
        }
        for (word, list) in [
            ("INIT", &self.init),
            ("INVAR", &self.invariant),
            ("TRANS", &self.transition),
        ] {
            for c in list {
                let _ = writeln!(out, "{word} {};", printer.expr(c.expr));
            }
        }
        for fairness in &self.fairness {
            let _ = match fairness {
                Fairness::Justice(e) => writeln!(out, "JUSTICE {};", printer.expr(*e)),
                Fairness::Compassion(p, q) => writeln!(
                    out,
                    "COMPASSION ({}, {});",
                    printer.expr(*p),
                    printer.expr(*q)
                ),
            };
        }
        for property in &self.properties {
            let word = match property.question {
                Question::Ctl(_) => "CTLSPEC",
                Question::Ltl(_) => "LTLSPEC",
                Question::Invariant(_) => "INVARSPEC",
                Question::ComputeMin(..) | Question::ComputeMax(..) => "COMPUTE",
            };
            let name = match &property.name {
                Some(name) => format!(" NAME {name} :="),
                None => String::new(),
            };
            let body = self.show_question(&property.question);
            let _ = writeln!(out, "{word}{name} {body};");
        }
        out
    }
}

impl Printer<'_> {
    /// An expression.
    pub fn expr(&self, expr: ExprId) -> String {
        self.run(Task::Expr(expr, 0))
    }

    /// A formula.
    pub fn formula(&self, formula: FormulaId) -> String {
        self.run(Task::Formula(formula, 0))
    }

    /// The right side of a definition: not by its own name.
    fn body(&self, expr: ExprId, define: usize) -> String {
        if self.names.get(&expr) != Some(&define) {
            return self.expr(expr);
        }
        let mut tasks = Vec::new();
        let mut out = String::new();
        self.expand(expr, 0, &mut tasks);
        tasks.reverse();
        self.drain(tasks, &mut out);
        out
    }

    fn run(&self, task: Task) -> String {
        let mut out = String::new();
        self.drain(vec![task], &mut out);
        out
    }

    /// Writes tasks, the last first.
    fn drain(&self, mut tasks: Vec<Task>, out: &mut String) {
        let mut parts = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Text(text) => out.push_str(text),
                Task::Owned(text) => out.push_str(&text),
                Task::Expr(expr, asked) => match self.names.get(&expr) {
                    Some(&define) => out.push_str(&self.system.defines[define].name),
                    None => self.expand(expr, asked, &mut parts),
                },
                Task::Formula(formula, asked) => self.expand_formula(formula, asked, &mut parts),
            }
            tasks.extend(parts.drain(..).rev());
        }
    }

    fn expand(&self, expr: ExprId, asked: u8, out: &mut Vec<Task>) {
        let start = out.len();
        let mut binds = u8::MAX;
        match self.system.exprs.node(expr) {
            Node::Value(value) => {
                let text = self.system.symbols.show(value);
                if text.starts_with('-') {
                    binds = UNARY;
                }
                out.push(Task::Owned(text));
            }
            Node::Current(var) => out.push(Task::Owned(self.system.variable(*var).name.clone())),
            Node::Next(var) => {
                out.push(Task::Owned(format!(
                    "next({})",
                    self.system.variable(*var).name
                )));
            }
            Node::Not(a) => {
                binds = UNARY;
                out.extend([Task::Text("!"), Task::Expr(*a, UNARY)]);
            }
            Node::Negate(a) => {
                binds = UNARY;
                out.extend([Task::Text("-"), Task::Expr(*a, u8::MAX)]);
            }
            Node::And(all) => {
                binds = AND;
                list(out, all, " & ", COMPARE);
            }
            Node::Or(all) => {
                binds = OR;
                list(out, all, " | ", AND);
            }
            Node::Binary(op, a, b) => {
                binds = level(*op);
                binary(out, *op, *a, *b);
            }
            Node::Ite(..) => self.case(expr, out),
            Node::Set(all) => {
                out.push(Task::Text("{"));
                list(out, all, ", ", 0);
                out.push(Task::Text("}"));
                binds = UNION;
            }
            Node::Bits(a, high, low) => {
                out.push(Task::Expr(*a, u8::MAX));
                out.push(Task::Owned(format!("[{high}:{low}]")));
            }
            Node::Cast(cast, a) => {
                out.push(Task::Text(cast_name(*cast)));
                out.extend([Task::Text("("), Task::Expr(*a, 0)]);
                if let Cast::Extend(n) | Cast::Resize(n) = cast {
                    out.push(Task::Owned(format!(", {n}")));
                }
                out.push(Task::Text(")"));
            }
            Node::Count(all) => {
                out.push(Task::Text("count("));
                list(out, all, ", ", 0);
                out.push(Task::Text(")"));
            }
            Node::EvaluationError(_) => out.push(Task::Text("case FALSE : FALSE; esac")),
        }
        if binds < asked {
            out.insert(start, Task::Text("("));
            out.push(Task::Text(")"));
        }
    }

    /// A chain of branches as one `case`.
    fn case(&self, expr: ExprId, out: &mut Vec<Task>) {
        out.push(Task::Text("case "));
        let mut at = expr;
        while let Node::Ite(condition, then, otherwise) = self.system.exprs.node(at) {
            out.extend([Task::Expr(*condition, 0), Task::Text(" : ")]);
            out.extend([Task::Expr(*then, 0), Task::Text("; ")]);
            at = *otherwise;
            if self.names.contains_key(&at) {
                break;
            }
        }
        if !matches!(self.system.exprs.node(at), Node::EvaluationError(_)) {
            out.extend([Task::Text("TRUE : "), Task::Expr(at, 0), Task::Text("; ")]);
        }
        out.push(Task::Text("esac"));
    }

    fn expand_formula(&self, formula: FormulaId, asked: u8, out: &mut Vec<Task>) {
        let start = out.len();
        let mut binds = UNARY;
        match self.system.formulas.node(formula) {
            Formula::Atom(expr) => return out.push(Task::Expr(*expr, asked)),
            Formula::Not(a) => out.extend([Task::Text("!"), Task::Formula(*a, u8::MAX)]),
            Formula::And(all) => {
                binds = AND;
                formulas(out, all, " & ", COMPARE);
            }
            Formula::Or(all) => {
                binds = OR;
                formulas(out, all, " | ", AND);
            }
            Formula::Connective(op, a, b) => {
                let (level, word) = match op {
                    Connective::Implies => (IMPLIES, " -> "),
                    Connective::Iff => (IFF, " <-> "),
                    Connective::Xor => (OR, " xor "),
                };
                binds = level;
                let (left, right) = sides(level);
                out.extend([Task::Formula(*a, left), Task::Text(word)]);
                out.push(Task::Formula(*b, right));
            }
            Formula::Branch(quantifier, branch, bound, a) => {
                let bounded = if bound.is_some() { "B" } else { "" };
                let letter = match branch {
                    Branch::Next => "X",
                    Branch::Finally => "F",
                    Branch::Globally => "G",
                };
                let path = quantifier_letter(*quantifier);
                let range = bound.map_or(String::new(), |b| format!("{}..{} ", b.low, b.high));
                out.push(Task::Owned(format!("{path}{bounded}{letter} {range}")));
                out.push(Task::Formula(*a, UNARY));
            }
            Formula::BranchUntil(quantifier, bound, a, b) => {
                let until =
                    bound.map_or(" U ".to_owned(), |b| format!(" BU {}..{} ", b.low, b.high));
                out.push(Task::Text(quantifier_letter(*quantifier)));
                out.extend([Task::Text(" ["), Task::Formula(*a, 0), Task::Owned(until)]);
                out.extend([Task::Formula(*b, 0), Task::Text("]")]);
            }
            Formula::Linear(op, bound, a) => {
                let letter = match op {
                    Linear::Next => "X",
                    Linear::Finally => "F",
                    Linear::Globally => "G",
                    Linear::Yesterday => "Y",
                    Linear::WeakYesterday => "Z",
                    Linear::Once => "O",
                    Linear::Historically => "H",
                };
                let range = bound.map_or(String::new(), |b| format!("[{}, {}] ", b.low, b.high));
                out.push(Task::Owned(format!("{letter} {range}")));
                out.push(Task::Formula(*a, UNARY));
            }
            Formula::LinearPair(op, a, b) => {
                let word = match op {
                    LinearPair::Until => " U ",
                    LinearPair::Releases => " V ",
                    LinearPair::Since => " S ",
                    LinearPair::Triggered => " T ",
                };
                binds = LINEAR;
                let (left, right) = sides(LINEAR);
                out.extend([Task::Formula(*a, left), Task::Text(word)]);
                out.push(Task::Formula(*b, right));
            }
        }
        if binds < asked {
            out.insert(start, Task::Text("("));
            out.push(Task::Text(")"));
        }
    }
}

fn quantifier_letter(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::All => "A",
        Quantifier::Some => "E",
    }
}

fn list(out: &mut Vec<Task>, all: &[ExprId], between: &'static str, asked: u8) {
    for (i, part) in all.iter().enumerate() {
        if i > 0 {
            out.push(Task::Text(between));
        }
        out.push(Task::Expr(*part, asked));
    }
}

fn formulas(out: &mut Vec<Task>, all: &[FormulaId], between: &'static str, asked: u8) {
    for (i, part) in all.iter().enumerate() {
        if i > 0 {
            out.push(Task::Text(between));
        }
        out.push(Task::Formula(*part, asked));
    }
}

/// How tightly the operands must bind: `->` groups to the right, the others to the left.
fn sides(level: u8) -> (u8, u8) {
    match level {
        IMPLIES => (level + 1, level),
        _ => (level, level + 1),
    }
}

fn binary(out: &mut Vec<Task>, op: BinaryOp, a: ExprId, b: ExprId) {
    if matches!(op, BinaryOp::Max | BinaryOp::Min) {
        out.extend([Task::Text(operator_name(op)), Task::Text("(")]);
        out.extend([Task::Expr(a, 0), Task::Text(", "), Task::Expr(b, 0)]);
        return out.push(Task::Text(")"));
    }
    let level = level(op);
    let (left, right) = sides(level);
    out.extend([Task::Expr(a, left), Task::Text(" ")]);
    out.extend([Task::Text(operator_name(op)), Task::Text(" ")]);
    out.push(Task::Expr(b, right));
}
