//! How large numbers may get: said here once, for readers, engines, writers and the checker.
//!
//! A text has numbers of up to [`MOST_DIGITS`] decimal digits. Clauses, definitions, derivations and proofs are made from
//! them by adding and multiplying, so their numbers are longer: up to [`MOST_BITS`] bits, which is what a product of
//! seven of the longest numbers takes. A reader refuses clauses with longer ones; an engine that comes to one ends
//! with a reason, and never with evidence that the checker would not take.

use suppose_number::{Int, Rat};

use super::evidence::{Definitions, Derivation, ProofStep};
use super::terms::{Node, TermId, Terms};
use super::value::Value;

/// Decimal digits of a number in a text.
pub const MOST_DIGITS: usize = 10_000;

/// Bits of a number in clauses and evidence, of each part of a fraction, and of a sum in a proof.
pub const MOST_BITS: usize = 1 << 18;

/// Decimal digits that such a number takes at most.
pub const MOST_BITS_DIGITS: usize = MOST_BITS / 1000 * 302;

/// Why there is no verdict when numbers get longer.
pub fn too_large() -> String {
    format!("numbers would get longer than {MOST_BITS} bits")
}

/// Is the integer within the limit?
pub fn fits(number: &Int) -> bool {
    number.bits() <= MOST_BITS
}

/// Are both parts of the fraction?
pub fn fraction_fits(number: &Rat) -> bool {
    fits(number.num()) && fits(number.den())
}

impl Terms {
    /// Are all numbers of a formula within the limit?
    pub fn numbers_fit(&self, term: TermId) -> bool {
        self.postorder(term)
            .into_iter()
            .all(|part| self.node_fits(part))
    }

    fn node_fits(&self, term: TermId) -> bool {
        match self.node(term) {
            Node::Le(lin) | Node::Lt(lin) | Node::Eq(lin) => lin.fits(),
            Node::Divides(divisor, lin) => fits(divisor) && lin.fits(),
            _ => true,
        }
    }
}

impl Definitions {
    /// Are all numbers of definitions and proofs within the limit?
    pub fn numbers_fit(&self) -> bool {
        let factors = self.proofs.iter().flat_map(|proof| &proof.steps);
        let factors = factors.flat_map(|step| match step {
            ProofStep::Propagation { .. } => &[][..],
            ProofStep::Farkas { factors, .. } | ProofStep::Cut { factors, .. } => factors,
        });
        (0..self.terms.len() as u32).all(|n| self.terms.node_fits(TermId(n))) && { factors }
            .all(fraction_fits)
    }
}

impl Derivation {
    /// Are all its values within the limit?
    pub fn numbers_fit(&self) -> bool {
        let values = self.steps.iter().flat_map(|step| step.values.iter());
        { values }.all(|(_, value)| match value {
            Value::Bool(_) => true,
            Value::Num(number) => fraction_fits(number),
        })
    }
}
