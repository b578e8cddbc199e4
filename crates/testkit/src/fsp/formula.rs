//! Safe formulas, decided by progression: after every step what is left to be shown is written down
//! again, and a formula is violated where that becomes false.
//!
//! A formula mentions the moments after each step. Without priority only, and meant for systems that
//! never stop: on those a formula that cannot become true any more becomes false in time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::machine::Machine;
use super::parse::tokens;
use super::system::steps;

/// What is to be shown from a moment on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Formula {
    True,
    False,
    /// One of these actions was (or, false, was not) just done.
    Done(BTreeSet<String>, bool),
    /// The fluent of that number is true (or, false, is not).
    Fluent(usize, bool),
    And(BTreeSet<Formula>),
    Or(BTreeSet<Formula>),
    Next(Box<Formula>),
    Always(Box<Formula>),
    /// The first until the second, if ever.
    Weak(Box<Formula>, Box<Formula>),
}

use Formula::{Always, And, Done, False, Fluent, Next, Or, True, Weak};

/// True after the first actions, false after the second.
struct Switch {
    on: BTreeSet<String>,
    off: BTreeSet<String>,
    at_first: bool,
}

fn all(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let mut set = BTreeSet::new();
    for part in parts {
        match part {
            True => {}
            False => return False,
            And(more) => set.extend(more),
            other => drop(set.insert(other)),
        }
    }
    match set.len() {
        0 => True,
        1 => set.into_iter().next().unwrap_or(True),
        _ => And(set),
    }
}

fn any(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let mut set = BTreeSet::new();
    for part in parts {
        match part {
            False => {}
            True => return True,
            Or(more) => set.extend(more),
            other => drop(set.insert(other)),
        }
    }
    match set.len() {
        0 => False,
        1 => set.into_iter().next().unwrap_or(False),
        _ => Or(set),
    }
}

/// Alternatives, each a set of formulas to be shown together; none has another within it. There are
/// no negations in front of what is left, so two formulas that mean the same have the same ones.
fn alternatives(formula: &Formula) -> BTreeSet<BTreeSet<Formula>> {
    let all = match formula {
        False => BTreeSet::new(),
        True => BTreeSet::from([BTreeSet::new()]),
        Or(parts) => parts.iter().flat_map(alternatives).collect(),
        And(parts) => {
            let mut all = BTreeSet::from([BTreeSet::new()]);
            for part in parts {
                let more = alternatives(part);
                let with = |a: &BTreeSet<Formula>| -> Vec<BTreeSet<Formula>> {
                    more.iter().map(|b| a.union(b).cloned().collect()).collect()
                };
                all = all.iter().flat_map(with).collect();
            }
            all
        }
        other => BTreeSet::from([BTreeSet::from([other.clone()])]),
    };
    let least = |a: &&BTreeSet<Formula>| !all.iter().any(|b| b != *a && b.is_subset(a));
    all.iter().filter(least).cloned().collect()
}

/// One way to write what means the same, so that only finitely many are met.
fn normal(formula: &Formula) -> Formula {
    any(alternatives(formula).into_iter().map(all))
}

fn not(formula: Formula) -> Result<Formula, String> {
    Ok(match formula {
        True => False,
        False => True,
        Done(actions, is) => Done(actions, !is),
        Fluent(number, is) => Fluent(number, !is),
        And(parts) => any(parts.into_iter().map(not).collect::<Result<Vec<_>, _>>()?),
        Or(parts) => all(parts.into_iter().map(not).collect::<Result<Vec<_>, _>>()?),
        Next(inner) => Next(Box::new(not(*inner)?)),
        Always(_) | Weak(..) => return Err("not a safe formula".to_owned()),
    })
}

/// What is left to be shown after a step.
fn after(formula: &Formula, label: &str, fluents: &[bool]) -> Formula {
    match formula {
        True | False => formula.clone(),
        Done(actions, is) if actions.contains(label) == *is => True,
        Fluent(number, is) if fluents[*number] == *is => True,
        Done(..) | Fluent(..) => False,
        And(parts) => all(parts.iter().map(|p| after(p, label, fluents))),
        Or(parts) => any(parts.iter().map(|p| after(p, label, fluents))),
        Next(inner) => (**inner).clone(),
        Always(inner) => all([after(inner, label, fluents), formula.clone()]),
        Weak(first, second) => {
            let go_on = all([after(first, label, fluents), formula.clone()]);
            any([after(second, label, fluents), go_on])
        }
    }
}

struct Parser<'t> {
    tokens: &'t [String],
    at: usize,
    names: BTreeMap<String, usize>,
    switches: Vec<Switch>,
}

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        match self.eat(token) {
            true => Ok(()),
            false => Err(format!("expected {token}, found `{}`", self.peek())),
        }
    }

    fn word(&mut self) -> String {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned().unwrap_or_default()
    }

    fn actions(&mut self) -> Result<BTreeSet<String>, String> {
        if !self.eat("{") {
            return Ok(BTreeSet::from([self.action()?]));
        }
        let mut actions = BTreeSet::from([self.action()?]);
        while self.eat(",") {
            actions.insert(self.action()?);
        }
        self.expect("}")?;
        Ok(actions)
    }

    /// A plain name, without dots and indices.
    fn action(&mut self) -> Result<String, String> {
        let name = self.word();
        let plain = name.starts_with(|c: char| c.is_ascii_lowercase());
        match plain && ![".", "["].contains(&self.peek()) {
            true => Ok(name),
            false => Err(format!("`{name}` is no plain action")),
        }
    }

    fn fluent(&mut self) -> Result<(), String> {
        let name = self.word();
        self.expect("=")?;
        self.expect("<")?;
        let on = self.actions()?;
        self.expect(",")?;
        let off = self.actions()?;
        self.expect(">")?;
        let at_first = self.eat("initially") && self.word() != "0";
        self.names.insert(name, self.switches.len());
        self.switches.push(Switch { on, off, at_first });
        Ok(())
    }

    /// A formula with nothing behind it but the next definition.
    fn assertion(&mut self) -> Option<Formula> {
        self.expect("=").ok()?;
        let formula = self.implies().ok()?;
        let next = ["", "assert", "fluent", "progress"];
        next.contains(&self.peek()).then_some(formula)
    }

    fn implies(&mut self) -> Result<Formula, String> {
        let left = self.or()?;
        match self.eat("->") {
            true => Ok(any([not(left)?, self.implies()?])),
            false => Ok(left),
        }
    }

    fn or(&mut self) -> Result<Formula, String> {
        let mut parts = vec![self.and()?];
        while self.eat("||") {
            parts.push(self.and()?);
        }
        Ok(any(parts))
    }

    fn and(&mut self) -> Result<Formula, String> {
        let mut parts = vec![self.until()?];
        while self.eat("&&") {
            parts.push(self.until()?);
        }
        Ok(all(parts))
    }

    fn until(&mut self) -> Result<Formula, String> {
        let left = self.one()?;
        match self.eat("W") {
            true => Ok(Weak(Box::new(left), Box::new(self.one()?))),
            false => Ok(left),
        }
    }

    fn one(&mut self) -> Result<Formula, String> {
        match self.peek() {
            "!" => {
                self.at += 1;
                not(self.one()?)
            }
            "[" => {
                self.at += 1;
                self.expect("]")?;
                Ok(Always(Box::new(self.one()?)))
            }
            "X" => {
                self.at += 1;
                Ok(Next(Box::new(self.one()?)))
            }
            "(" => {
                self.at += 1;
                let inner = self.implies()?;
                self.expect(")")?;
                Ok(inner)
            }
            name if self.names.contains_key(name) => {
                let number = self.names[name];
                self.at += 1;
                Ok(Fluent(number, true))
            }
            name if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                Err(format!("no fluent `{name}`"))
            }
            _ => Ok(Done(self.actions()?, true)),
        }
    }
}

/// Decides every assertion of a text about machines that run together: whether it holds.
///
/// Formulas that are not safe, or that use what is not read here (indices, quantifiers), are left out.
pub(super) fn decide(text: &str, machines: &[Machine]) -> BTreeMap<String, bool> {
    let tokens = tokens(text);
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        names: BTreeMap::new(),
        switches: Vec::new(),
    };
    let mut verdicts = BTreeMap::new();
    while parser.at < tokens.len() {
        match parser.word().as_str() {
            // One that is not read is no name, so no formula with it is read either.
            "fluent" => drop(parser.fluent()),
            "assert" => {
                let name = parser.word();
                if let Some(formula) = parser.assertion() {
                    let holds = holds(machines, &parser.switches, formula);
                    verdicts.insert(name, holds);
                }
            }
            _ => {}
        }
    }
    verdicts
}

fn mentioned(formula: &Formula, labels: &mut BTreeSet<String>) {
    match formula {
        True | False | Fluent(..) => {}
        Done(actions, _) => labels.extend(actions.iter().cloned()),
        And(parts) | Or(parts) => parts.iter().for_each(|p| mentioned(p, labels)),
        Next(inner) | Always(inner) => mentioned(inner, labels),
        Weak(first, second) => {
            mentioned(first, labels);
            mentioned(second, labels);
        }
    }
}

fn used(formula: &Formula, numbers: &mut BTreeSet<usize>) {
    match formula {
        True | False | Done(..) => {}
        Fluent(number, _) => drop(numbers.insert(*number)),
        And(parts) | Or(parts) => parts.iter().for_each(|p| used(p, numbers)),
        Next(inner) | Always(inner) => used(inner, numbers),
        Weak(first, second) => {
            used(first, numbers);
            used(second, numbers);
        }
    }
}

/// Can what is to be shown ever become false? What only the formula names may happen at any time.
fn holds(machines: &[Machine], switches: &[Switch], formula: Formula) -> bool {
    let mut labels = BTreeSet::new();
    mentioned(&formula, &mut labels);
    let mut numbers = BTreeSet::new();
    used(&formula, &mut numbers);
    for switch in numbers.iter().map(|n| &switches[*n]) {
        labels.extend(switch.on.union(&switch.off).cloned());
    }
    labels.retain(|l| machines.iter().all(|m| !m.alphabet.contains(l)));
    let fluents: Vec<bool> = switches.iter().map(|s| s.at_first).collect();
    let start = (vec![0; machines.len()], fluents, formula);
    let mut seen = BTreeSet::from([start.clone()]);
    let mut queue = VecDeque::from([start]);
    while let Some((vector, fluents, formula)) = queue.pop_front() {
        let mut next_steps = steps(machines, &vector);
        next_steps.extend(labels.iter().map(|l| (l.clone(), vector.clone())));
        for (label, next) in next_steps {
            let switched = switches.iter().zip(&fluents);
            let now: Vec<bool> = switched
                .map(|(s, was)| s.on.contains(&label) || *was && !s.off.contains(&label))
                .collect();
            let left = normal(&after(&formula, &label, &now));
            if left == False {
                return false;
            }
            let state = (next, now, left);
            if seen.insert(state.clone()) {
                queue.push_back(state);
            }
        }
    }
    true
}
