//! Formulas as propositions, and the clauses that say what they mean.

use rustc_hash::FxHashMap;
use suppose_model::chc::{Lin, Lit, Node, TermId, Terms};
use suppose_number::Int;

use super::propagate::{Clauses, Code};
use crate::cancellation::Cancellation;
use crate::rejection::Rejection;

/// Numbers for the formulas of one proof.
#[derive(Default)]
pub(super) struct Atoms {
    numbers: FxHashMap<TermId, u32>,
}

impl Atoms {
    fn code(&mut self, atom: TermId, positive: bool) -> Code {
        let next = self.numbers.len() as u32;
        Code::new(*self.numbers.entry(atom).or_insert(next), positive)
    }

    /// A literal; false counts as the negation of true.
    pub fn literal(&mut self, lit: Lit) -> Code {
        if lit.atom == Terms::FALSE {
            self.code(Terms::TRUE, !lit.positive)
        } else {
            self.code(lit.atom, lit.positive)
        }
    }

    /// Any formula as a literal.
    pub fn formula(&mut self, terms: &Terms, term: TermId) -> Code {
        self.literal(terms.literal(term))
    }

    fn len(&self) -> usize {
        self.numbers.len()
    }
}

/// The axioms of a proof about these formulas (see [`Proof`](suppose_model::chc::Proof)).
pub(super) fn axioms(
    terms: &mut Terms,
    atoms: &mut Atoms,
    formulas: &[TermId],
    watch: &mut Cancellation,
) -> Result<Clauses, Rejection> {
    let mut list = vec![vec![atoms.formula(terms, Terms::TRUE)]];
    for part in terms.postorder_of(formulas) {
        watch.tick()?;
        match terms.node(part).clone() {
            Node::Const(_) | Node::Var(_) | Node::Not(_) | Node::Le(_) | Node::Lt(_) => {}
            Node::And(parts) => {
                let whole = atoms.formula(terms, part);
                let parts = parts.iter().map(|&p| atoms.formula(terms, p)).collect();
                conjunction(&mut list, whole, parts);
            }
            Node::Or(parts) => {
                let whole = atoms.formula(terms, part);
                let parts = parts.iter().map(|&p| atoms.formula(terms, p).not());
                conjunction(&mut list, whole.not(), parts.collect());
            }
            Node::Iff(a, b) => {
                let whole = atoms.formula(terms, part);
                let (a, b) = (atoms.formula(terms, a), atoms.formula(terms, b));
                list.push(vec![whole.not(), a.not(), b]);
                list.push(vec![whole.not(), a, b.not()]);
                list.push(vec![whole, a, b]);
                list.push(vec![whole, a.not(), b.not()]);
            }
            Node::Eq(lin) => {
                let whole = atoms.formula(terms, part);
                let (low, high) = terms.halves(&lin);
                let halves = vec![atoms.formula(terms, low), atoms.formula(terms, high)];
                conjunction(&mut list, whole, halves);
            }
            Node::Divides(d, lin) => divisibility(terms, atoms, part, &d, &lin, &mut list),
        }
    }
    let mut clauses = Clauses::new(atoms.len());
    for clause in list {
        clauses.add(&clause, watch)?;
    }
    Ok(clauses)
}

/// The whole is true iff all parts are.
fn conjunction(list: &mut Vec<Vec<Code>>, whole: Code, parts: Vec<Code>) {
    for &part in &parts {
        list.push(vec![whole.not(), part]);
    }
    let mut last: Vec<Code> = parts.into_iter().map(Code::not).collect();
    last.push(whole);
    list.push(last);
}

/// With the quotient `q`: `0 <= t - d*q <= d - 1`, and the atom is true iff `t - d*q <= 0`.
fn divisibility(
    terms: &mut Terms,
    atoms: &mut Atoms,
    part: TermId,
    d: &Int,
    lin: &Lin,
    list: &mut Vec<Vec<Code>>,
) {
    let quotient = Lin::var(terms.quotient(part));
    let rest = lin.add_scaled(&quotient, &-d);
    let at_least = terms.le(rest.neg());
    let below = terms.le(rest.clone().plus(&Int::ONE - d));
    let at_most = terms.le(rest);
    let whole = atoms.formula(terms, part);
    let at_most = atoms.formula(terms, at_most);
    list.push(vec![atoms.formula(terms, at_least)]);
    list.push(vec![atoms.formula(terms, below)]);
    list.push(vec![whole.not(), at_most]);
    list.push(vec![whole, at_most.not()]);
}
