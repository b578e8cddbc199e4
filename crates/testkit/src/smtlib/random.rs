//! Random systems of clauses as text.

use std::fmt::Write;

use super::eval::Definition;
use super::sexp::{Sexp, parse};
use crate::Rng;

/// One asserted formula.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The formula.
    pub text: String,
    /// Its variables, each with its sort; no two have the same name.
    pub variables: Vec<(String, &'static str)>,
    /// The same as implications of one predicate or false by a conjunction, for tools that read nothing else.
    pub plain: Vec<String>,
}

/// A system as text.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// What is declared and defined.
    pub head: String,
    /// The definitions among that.
    pub definitions: std::collections::BTreeMap<String, Definition>,
    /// What is asserted.
    pub clauses: Vec<Clause>,
    /// Does it divide by 0 somewhere?
    pub divides_by_zero: bool,
}

impl System {
    /// The whole text.
    pub fn text(&self) -> String {
        let mut text = format!("(set-logic HORN)\n{}", self.head);
        for clause in &self.clauses {
            let _ = writeln!(text, "(assert {})", clause.text);
        }
        text + "(check-sat)\n"
    }

    /// The same in plain clauses.
    pub fn plain_text(&self) -> String {
        let mut text = String::from("(set-logic HORN)\n");
        let clauses = self.clauses.iter().flat_map(|clause| &clause.plain);
        let clauses: Vec<String> = clauses.map(|c| format!("(assert {c})")).collect();
        for part in parse(&self.head).iter().chain(&parse(&clauses.join("\n"))) {
            write(part, &mut text);
            text.push('\n');
        }
        text + "(check-sat)\n"
    }
}

/// A term as text, with `mod` for `divisible`, which is not everywhere.
fn write(term: &Sexp, text: &mut String) {
    match term {
        Sexp::Word(word) => text.push_str(word),
        Sexp::List(parts) => {
            let index = parts.first().map_or(&[][..], Sexp::list);
            if let [_, operator, divisor] = index
                && operator.word() == Some("divisible")
            {
                text.push_str("(= 0 (mod ");
                write(&parts[1], text);
                text.push(' ');
                write(divisor, text);
                text.push_str("))");
                return;
            }
            text.push('(');
            for (i, part) in parts.iter().enumerate() {
                if i > 0 {
                    text.push(' ');
                }
                write(part, text);
            }
            text.push(')');
        }
    }
}

const SORTS: [&str; 6] = ["Int", "Int", "Int", "Bool", "Bool", "Real"];

/// A system of one to three predicates and a few clauses, with every operator of the language but those on bit vectors.
pub fn random(rng: &mut Rng) -> System {
    let mut maker = Maker {
        rng,
        predicates: Vec::new(),
        functions: Vec::new(),
        system: System::default(),
        names: 0,
        scope: Vec::new(),
        clause: Vec::new(),
    };
    maker.declare();
    let facts = maker.rng.between(1, 2);
    for _ in 0..facts {
        maker.clause(0, true);
    }
    for _ in 0..maker.rng.between(1, 3) {
        let body = maker.rng.between(1, 2);
        maker.clause(body, true);
    }
    for _ in 0..maker.rng.between(1, 2) {
        let body = maker.rng.between(1, 2);
        maker.clause(body, false);
    }
    maker.system
}

struct Maker<'a> {
    rng: &'a mut Rng,
    predicates: Vec<(String, Vec<&'static str>)>,
    functions: Vec<(String, Vec<&'static str>, &'static str)>,
    system: System,
    names: usize,
    /// What may be used, with its sort.
    scope: Vec<(String, &'static str)>,
    /// The variables of the clause at hand.
    clause: Vec<(String, &'static str)>,
}

impl Maker<'_> {
    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn sort(&mut self) -> &'static str {
        SORTS[self.rng.below(SORTS.len())]
    }

    fn declare(&mut self) {
        for number in 0..self.rng.between(1, 3) {
            let sorts: Vec<&str> = (0..self.rng.between(0, 3)).map(|_| self.sort()).collect();
            let _ = writeln!(
                self.system.head,
                "(declare-fun p{number} ({}) Bool)",
                sorts.join(" ")
            );
            self.predicates.push((format!("p{number}"), sorts));
        }
        for number in 0..self.rng.below(3) {
            let sorts: Vec<&str> = (0..self.rng.between(1, 2)).map(|_| self.sort()).collect();
            let result = self.sort();
            let names: Vec<String> = (0..sorts.len()).map(|i| format!("a{i}")).collect();
            self.scope = names.iter().cloned().zip(sorts.iter().copied()).collect();
            let body = self.term(result, 2);
            let parameters: Vec<String> = self
                .scope
                .iter()
                .map(|(name, sort)| format!("({name} {sort})"))
                .collect();
            let _ = writeln!(
                self.system.head,
                "(define-fun f{number} ({}) {result} {body})",
                parameters.join(" ")
            );
            let definition = Definition {
                parameters: names,
                body: parse(&body).remove(0),
            };
            self.system
                .definitions
                .insert(format!("f{number}"), definition);
            self.functions.push((format!("f{number}"), sorts, result));
        }
        self.scope.clear();
    }

    fn bind(&mut self, count: usize) -> Vec<(String, &'static str)> {
        let new: Vec<(String, &'static str)> =
            (0..count).map(|_| (self.name("u"), self.sort())).collect();
        self.scope.extend(new.iter().cloned());
        self.clause.extend(new.iter().cloned());
        new
    }

    /// A clause with so many predicates in its body, and one as its head if `head`.
    fn clause(&mut self, body: usize, head: bool) {
        self.scope.clear();
        self.clause.clear();
        let outer_count = self.rng.between(1, 3);
        let outer = self.bind(outer_count);
        let (conclusion, cases) = match head {
            true => self.conclusion(),
            false => ("false".to_owned(), vec![(None, "false".to_owned())]),
        };
        // Variables that the conclusion does not have may be bound further in.
        let inner_count = self.rng.below(3);
        let inner = self.bind(inner_count);
        let mut applications: Vec<String> = (0..body).map(|_| self.application(1)).collect();
        let mut parts: Vec<String> = Vec::new();
        for _ in 0..self.rng.between(1, 3) {
            parts.push(self.term("Bool", 2));
        }
        let constraints = parts.clone();
        // The applications of each plain clause.
        let mut choices = vec![applications.clone()];
        if body > 1 && self.rng.percent(20) {
            choices = applications.iter().map(|a| vec![a.clone()]).collect();
            applications = vec![format!("(or {})", applications.join(" "))];
        }
        parts.extend(applications);
        self.mix(&mut parts);
        let text = self.shape(&parts, &conclusion, &outer, &inner);
        let variables = std::mem::take(&mut self.clause);
        let mut plain = Vec::new();
        for choice in &choices {
            for (condition, conclusion) in &cases {
                let all = choice.iter().chain(&constraints).chain(condition);
                let all: Vec<&str> = all.map(String::as_str).collect();
                let inside = format!("(=> (and true {}) {conclusion})", all.join(" "));
                plain.push(Self::quantified("forall", &variables, &inside));
            }
        }
        self.system.clauses.push(Clause {
            text,
            variables,
            plain,
        });
    }

    /// What follows; and in plain words which predicates follow, under which conditions.
    fn conclusion(&mut self) -> (String, Vec<(Option<String>, String)>) {
        let first = self.application(2);
        match self.rng.below(10) {
            0 => {
                let second = self.application(1);
                let text = format!("(and {first} {second})");
                (text, vec![(None, first), (None, second)])
            }
            n @ 1..=2 => {
                let condition = self.term("Bool", 1);
                let text = match n {
                    1 => format!("(=> {condition} {first})"),
                    _ => format!("(ite {condition} {first} true)"),
                };
                (text, vec![(Some(condition), first)])
            }
            _ => (first.clone(), vec![(None, first)]),
        }
    }

    fn mix(&mut self, parts: &mut [String]) {
        for i in (1..parts.len()).rev() {
            parts.swap(i, self.rng.below(i + 1));
        }
    }

    fn quantified(kind: &str, variables: &[(String, &'static str)], inside: &str) -> String {
        if variables.is_empty() {
            return inside.to_owned();
        }
        let bound: Vec<String> = variables
            .iter()
            .map(|(n, s)| format!("({n} {s})"))
            .collect();
        format!("({kind} ({}) {inside})", bound.join(" "))
    }

    /// The same clause, written in one of several ways.
    fn shape(
        &mut self,
        parts: &[String],
        conclusion: &str,
        outer: &[(String, &'static str)],
        inner: &[(String, &'static str)],
    ) -> String {
        let body = match parts {
            [one] => one.clone(),
            _ => format!("(and {})", parts.join(" ")),
        };
        let both = [outer, inner].concat();
        match self.rng.below(8) {
            0 => {
                let inside = Self::quantified("exists", inner, &body);
                Self::quantified("forall", outer, &format!("(=> {inside} {conclusion})"))
            }
            1 => {
                let inside =
                    Self::quantified("forall", inner, &format!("(=> {body} {conclusion})"));
                Self::quantified("forall", outer, &inside)
            }
            2 => {
                let all: Vec<String> = parts.iter().map(|p| format!("(not {p})")).collect();
                let inside = format!("(or {} {conclusion})", all.join(" "));
                Self::quantified("forall", &both, &inside)
            }
            3 => {
                let inside = format!("(and {body} (not {conclusion}))");
                format!("(not {})", Self::quantified("exists", &both, &inside))
            }
            4 => {
                let inside = format!("(=> {} {conclusion})", parts.join(" "));
                Self::quantified("forall", &both, &inside)
            }
            _ => Self::quantified("forall", &both, &format!("(=> {body} {conclusion})")),
        }
    }

    fn application(&mut self, depth: usize) -> String {
        let (name, sorts) = self.predicates[self.rng.below(self.predicates.len())].clone();
        if sorts.is_empty() {
            return name;
        }
        let arguments: Vec<String> = sorts
            .iter()
            .map(|sort| {
                let depth = if self.rng.percent(60) { 0 } else { depth };
                self.term(sort, depth)
            })
            .collect();
        format!("({name} {})", arguments.join(" "))
    }

    fn variable(&mut self, sort: &str) -> Option<String> {
        let fitting: Vec<String> = self
            .scope
            .iter()
            .filter(|(_, s)| *s == sort)
            .map(|(n, _)| n.clone())
            .collect();
        self.rng.pick(&fitting).cloned()
    }

    fn term(&mut self, sort: &'static str, depth: usize) -> String {
        if depth == 0 || self.rng.percent(25) {
            if let Some(variable) = self.variable(sort)
                && self.rng.percent(75)
            {
                return variable;
            }
            return self.literal(sort);
        }
        match self.rng.below(12) {
            0 => {
                let condition = self.term("Bool", depth - 1);
                let (a, b) = (self.term(sort, depth - 1), self.term(sort, depth - 1));
                return format!("(ite {condition} {a} {b})");
            }
            1 => return self.let_term(sort, depth),
            2 => {
                let fitting: Vec<_> = self
                    .functions
                    .iter()
                    .filter(|(_, _, result)| *result == sort)
                    .cloned()
                    .collect();
                if let Some((name, sorts, _)) = self.rng.pick(&fitting).cloned() {
                    let arguments: Vec<String> =
                        sorts.iter().map(|s| self.term(s, depth - 1)).collect();
                    return format!("({name} {})", arguments.join(" "));
                }
            }
            _ => {}
        }
        match sort {
            "Bool" => self.truth(depth - 1),
            "Int" => self.integer(depth - 1),
            _ => self.real(depth - 1),
        }
    }

    fn let_term(&mut self, sort: &'static str, depth: usize) -> String {
        let bound = self.sort();
        let value = self.term(bound, depth - 1);
        // Sometimes a name that is there already, which means another thing inside.
        let name = match self.rng.pick(&self.scope).cloned() {
            Some((name, _)) if self.rng.percent(30) => name,
            _ => self.name("l"),
        };
        let before = self.scope.clone();
        self.scope.retain(|(n, _)| *n != name);
        self.scope.push((name.clone(), bound));
        let body = self.term(sort, depth - 1);
        self.scope = before;
        format!("(let (({name} {value})) {body})")
    }

    fn literal(&mut self, sort: &str) -> String {
        match sort {
            "Bool" => ["true", "false"][self.rng.below(2)].to_owned(),
            "Int" => match self.rng.below(7) {
                n @ 0..=4 => n.to_string(),
                n => format!("(- {})", n - 4),
            },
            _ => ["0.0", "1.0", "0.5", "(- 1.5)", "2.25"][self.rng.below(5)].to_owned(),
        }
    }

    /// A divisor: hardly ever 0.
    fn divisor(&mut self) -> String {
        if self.rng.percent(1) {
            self.system.divides_by_zero = true;
            return "0".to_owned();
        }
        ["1", "2", "3", "5", "(- 1)", "(- 2)", "(- 3)"][self.rng.below(7)].to_owned()
    }

    fn integer(&mut self, depth: usize) -> String {
        let a = self.term("Int", depth);
        match self.rng.below(10) {
            0 => format!("(- {a})"),
            1 => format!("(- {a} {})", self.term("Int", depth)),
            2 => format!("(* {} {a})", self.literal("Int")),
            3 => format!("(* {a} {})", self.literal("Int")),
            4 => format!("(div {a} {})", self.divisor()),
            5 => format!("(mod {a} {})", self.divisor()),
            6 => format!("(abs {a})"),
            7 => format!("(to_int {})", self.term("Real", depth)),
            8 => format!("(+ {a} {} 1)", self.term("Int", depth)),
            _ => format!("(+ {a} {})", self.term("Int", depth)),
        }
    }

    fn real(&mut self, depth: usize) -> String {
        let a = self.term("Real", depth);
        match self.rng.below(7) {
            0 => format!("(- {a})"),
            1 => format!("(- {a} {})", self.term("Real", depth)),
            2 => format!("(* 0.5 {a})"),
            5 => format!("(+ {a} 1)"),
            3 => format!("(/ {a} 2.0)"),
            4 => format!("(to_real {})", self.term("Int", depth)),
            _ => format!("(+ {a} {})", self.term("Real", depth)),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        let kind = ["Int", "Int", "Int", "Real"][self.rng.below(4)];
        match self.rng.below(14) {
            0 => format!("(not {})", self.term("Bool", depth)),
            n @ 1..=4 => {
                let operator = ["and", "or", "xor", "=>"][n - 1];
                let count = self.rng.between(2, 3);
                let parts: Vec<String> = (0..count).map(|_| self.term("Bool", depth)).collect();
                format!("({operator} {})", parts.join(" "))
            }
            5 => {
                let (a, b) = (self.term("Bool", depth), self.term("Bool", depth));
                format!("(= {a} {b})")
            }
            6 => {
                let sort = self.sort();
                let count = self.rng.between(2, 3);
                let parts: Vec<String> = (0..count).map(|_| self.term(sort, depth)).collect();
                format!("(distinct {})", parts.join(" "))
            }
            7 => format!(
                "((_ divisible {}) {})",
                self.rng.between(1, 4),
                self.term("Int", depth)
            ),
            8 => format!("(is_int {})", self.term("Real", depth)),
            9 => format!(
                "(= (mod {} {}) {})",
                self.term("Int", depth),
                self.rng.between(2, 4),
                self.literal("Int")
            ),
            n => {
                let operator = ["=", "<", "<=", ">="][n - 10];
                let count = if self.rng.percent(15) { 3 } else { 2 };
                let parts: Vec<String> = (0..count).map(|_| self.term(kind, depth)).collect();
                format!("({operator} {})", parts.join(" "))
            }
        }
    }
}
