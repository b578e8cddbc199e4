//! The value of a term at a point.

use std::collections::BTreeMap;

use suppose_number::{Int, Rat};

use super::sexp::{Sexp, parse};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// Of sort Bool.
    Bool(bool),
    /// Of sort Int or Real.
    Number(Rat),
}

/// Division by 0, to which SMT-LIB gives any value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undefined;

/// A `define-fun`.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// What it represents.
    pub body: Sexp,
}

/// The definitions of a text.
///
/// # Panics
/// If something else stands there.
pub fn definitions(text: &str) -> BTreeMap<String, Definition> {
    let mut all = BTreeMap::new();
    for command in parse(text) {
        let [_, name, parameters, _, body] = command.list() else {
            panic!("a definition");
        };
        let names = parameters.list().iter();
        let names = names.map(|pair| pair.list()[0].word().expect("a name").to_owned());
        let definition = Definition {
            parameters: names.collect(),
            body: body.clone(),
        };
        all.insert(name.word().expect("a name").to_owned(), definition);
    }
    all
}

/// Values of variables, definitions, and what predicates are true of.
pub struct Point<'a> {
    /// The variables.
    pub values: BTreeMap<String, Term>,
    /// By `define-fun`.
    pub definitions: &'a BTreeMap<String, Definition>,
    /// Is a predicate true of these?
    pub predicate: &'a dyn Fn(&str, &[Term]) -> bool,
}

/// The value of a term. Quantifiers are left out: their variables have the values of the point, so a formula that is true
/// for all values is one that is true at all points.
///
/// # Panics
/// If it is no term that is known here.
pub fn eval(term: &Sexp, point: &mut Point<'_>) -> Result<Term, Undefined> {
    let parts = match term {
        Sexp::Word(word) => {
            if let Some(value) = constant(word).or_else(|| point.values.get(word).cloned()) {
                return Ok(value);
            }
            return called(word, Vec::new(), point);
        }
        Sexp::List(parts) => parts,
    };
    let Some(head) = parts[0].word() else {
        // ((_ divisible n) t)
        let divisor = parts[0].list()[2].word().and_then(constant);
        let (Some(Term::Number(divisor)), Term::Number(value)) = (divisor, eval(&parts[1], point)?)
        else {
            panic!("a number");
        };
        return Ok(Term::Bool((&value / &divisor).is_integer()));
    };
    match head {
        "forall" | "exists" => return eval(&parts[2], point),
        "let" => return eval_let(parts, point),
        _ => {}
    }
    let mut arguments = Vec::new();
    for part in &parts[1..] {
        arguments.push(eval(part, point)?);
    }
    match apply(head, &arguments)? {
        Some(value) => Ok(value),
        None => called(head, arguments, point),
    }
}

/// A definition put in, or a predicate.
fn called(name: &str, arguments: Vec<Term>, point: &Point<'_>) -> Result<Term, Undefined> {
    let Some(definition) = point.definitions.get(name) else {
        return Ok(Term::Bool((point.predicate)(name, &arguments)));
    };
    let values = definition.parameters.iter().cloned().zip(arguments);
    let mut inner = Point {
        values: values.collect(),
        definitions: point.definitions,
        predicate: point.predicate,
    };
    eval(&definition.body, &mut inner)
}

fn eval_let(parts: &[Sexp], point: &mut Point<'_>) -> Result<Term, Undefined> {
    // All at once: no definition sees another one.
    let mut bound = Vec::new();
    for pair in parts[1].list() {
        let name = pair.list()[0].word().expect("a name").to_owned();
        bound.push((name, eval(&pair.list()[1], point)?));
    }
    let before = point.values.clone();
    point.values.extend(bound);
    let value = eval(&parts[2], point);
    point.values = before;
    value
}

fn constant(word: &str) -> Option<Term> {
    match word {
        "true" => return Some(Term::Bool(true)),
        "false" => return Some(Term::Bool(false)),
        _ => {}
    }
    let (whole, part) = word.split_once('.').unwrap_or((word, ""));
    let digits: Int = format!("{whole}{part}").parse().ok()?;
    let scale: Int = format!("1{}", "0".repeat(part.len())).parse().ok()?;
    Some(Term::Number(Rat::new(digits, scale)))
}

/// An operator of the language; none if it is a predicate.
fn apply(head: &str, arguments: &[Term]) -> Result<Option<Term>, Undefined> {
    let number = |i: usize| match &arguments[i] {
        Term::Number(number) => number.clone(),
        Term::Bool(_) => panic!("a number in {head}"),
    };
    let truth = |i: usize| arguments[i] == Term::Bool(true);
    let count = arguments.len();
    let pairs = |test: &dyn Fn(&Rat, &Rat) -> bool| {
        Term::Bool((1..count).all(|i| test(&number(i - 1), &number(i))))
    };
    let folded = |by: &dyn Fn(&Rat, &Rat) -> Rat| {
        Term::Number((1..count).fold(number(0), |sum, i| by(&sum, &number(i))))
    };
    Ok(Some(match head {
        "not" => Term::Bool(!truth(0)),
        "and" => Term::Bool((0..count).all(truth)),
        "or" => Term::Bool((0..count).any(truth)),
        "xor" => Term::Bool((0..count).filter(|&i| truth(i)).count() % 2 == 1),
        "=>" => Term::Bool((0..count - 1).any(|i| !truth(i)) || truth(count - 1)),
        "ite" => arguments[if truth(0) { 1 } else { 2 }].clone(),
        "=" => Term::Bool((1..count).all(|i| arguments[i] == arguments[0])),
        "distinct" => {
            let same = |i: usize| (0..i).any(|j| arguments[i] == arguments[j]);
            Term::Bool(!(0..count).any(same))
        }
        "<" => pairs(&|a, b| a < b),
        "<=" => pairs(&|a, b| a <= b),
        ">" => pairs(&|a, b| a > b),
        ">=" => pairs(&|a, b| a >= b),
        "+" => folded(&|a, b| a + b),
        "-" if count == 1 => Term::Number(-&number(0)),
        "-" => folded(&|a, b| a - b),
        "*" => folded(&|a, b| a * b),
        "abs" => Term::Number(number(0).abs()),
        "to_real" => Term::Number(number(0)),
        "to_int" => Term::Number(Rat::from(number(0).floor())),
        "is_int" => Term::Bool(number(0).is_integer()),
        "/" | "div" | "mod" if number(1).is_zero() => return Err(Undefined),
        "/" => folded(&|a, b| a / b),
        "div" | "mod" => {
            // The remainder is what is left, and neither negative nor as large as the divisor.
            let (value, divisor) = (number(0), number(1));
            let ratio = &value / &divisor.abs();
            let quotient = Rat::from(ratio.floor());
            let rest = &value - &(&quotient * &divisor.abs());
            Term::Number(match head {
                "mod" => rest,
                _ if divisor.is_negative() => -&quotient,
                _ => quotient,
            })
        }
        _ => return Ok(None),
    }))
}
