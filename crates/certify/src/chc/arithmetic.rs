//! Adding up inequalities.

use std::collections::BTreeMap;

use suppose_model::chc::limits::{MOST_BITS, fraction_fits};
use suppose_model::chc::{Lin, Lit, Node, Sort, Terms, Var};
use suppose_number::{Int, Rat};

/// A sum of inequalities: `terms + constant` is at most 0, or below 0 if it is strict.
#[derive(Default)]
struct Sum {
    terms: BTreeMap<Var, Rat>,
    constant: Rat,
    strict: bool,
}

/// How an expression is compared to 0.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    AtMost,
    Below,
    Equal,
}

/// Are the negations of the literals, with these factors, contradictory?
pub(super) fn farkas(terms: &Terms, clause: &[Lit], factors: &[Rat]) -> Result<(), String> {
    let sum = add_up(terms, clause, factors)?;
    if let Some(var) = sum.terms.keys().next() {
        return Err(format!("variable {} does not cancel out", var.0));
    }
    let false_statement = if sum.strict {
        !sum.constant.is_negative()
    } else {
        sum.constant.is_positive()
    };
    match false_statement {
        true => Ok(()),
        false => Err("the inequalities do not contradict each other".to_owned()),
    }
}

/// Does the last literal follow from the negations of the others, by rounding their sum?
pub(super) fn cut(terms: &mut Terms, clause: &[Lit], factors: &[Rat]) -> Result<(), String> {
    let (conclusion, premises) = clause.split_last().ok_or("it has no conclusion")?;
    let sum = add_up(terms, premises, factors)?;
    let mut lin = Lin::default();
    for (var, factor) in sum.terms {
        if terms.sort(var) != Sort::Int || !factor.is_integer() {
            return Err(format!("variable {} cannot be rounded", var.0));
        }
        lin.terms.push((var, factor.num().clone()));
    }
    // The sum is at most -c, so at most that rounded down. A strict one is rounded all the same.
    lin.constant = sum.constant.ceil();
    let expected = terms.le(lin);
    match terms.literal(expected) == *conclusion {
        true => Ok(()),
        false => Err("its conclusion is not the rounded sum".to_owned()),
    }
}

fn add_up(terms: &Terms, clause: &[Lit], factors: &[Rat]) -> Result<Sum, String> {
    if clause.len() != factors.len() {
        return Err(format!("it has {} factors", factors.len()));
    }
    let mut sum = Sum::default();
    for (&lit, factor) in clause.iter().zip(factors) {
        let (relation, lin) = negation(terms, lit).ok_or("a literal is no inequality")?;
        if factor.is_negative() && relation != Relation::Equal {
            return Err("a factor is negative".to_owned());
        }
        sum.add(&lin, factor)?;
        sum.strict |= relation == Relation::Below && !factor.is_zero();
    }
    sum.terms.retain(|_, factor| !factor.is_zero());
    Ok(sum)
}

/// The negation of a literal as an expression related to 0.
fn negation(terms: &Terms, lit: Lit) -> Option<(Relation, Lin)> {
    match (terms.node(lit.atom), lit.positive) {
        (Node::Le(lin), true) if terms.is_integral(lin) => {
            Some((Relation::AtMost, lin.neg().plus(1)))
        }
        (Node::Le(lin), true) => Some((Relation::Below, lin.neg())),
        (Node::Le(lin), false) => Some((Relation::AtMost, lin.clone())),
        (Node::Lt(lin), true) => Some((Relation::AtMost, lin.neg())),
        (Node::Lt(lin), false) => Some((Relation::Below, lin.clone())),
        (Node::Eq(lin), false) => Some((Relation::Equal, lin.clone())),
        _ => None,
    }
}

impl Sum {
    fn add(&mut self, lin: &Lin, factor: &Rat) -> Result<(), String> {
        for (var, times) in &lin.terms {
            add_product(self.terms.entry(*var).or_default(), times, factor)?;
        }
        add_product(&mut self.constant, &lin.constant, factor)
    }
}

fn add_product(sum: &mut Rat, a: &Int, b: &Rat) -> Result<(), String> {
    sum.add_product(&Rat::from(a), b);
    match fraction_fits(sum) {
        true => Ok(()),
        false => Err(format!("its numbers have more than {MOST_BITS} bits")),
    }
}
