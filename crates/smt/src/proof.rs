//! Proofs, read off the log of a search.

use suppose_control::{Context, Stopped};
use suppose_model::chc::{Lin, Lit as TermLit, Node, Proof, ProofStep, TermId, Terms};
use suppose_number::{Int, Rat};

use crate::SatResult;
use crate::encode::Gate;
use crate::sat::{Kind, Lit, NodeId};
use crate::search::Search;

/// A proof that the formula has no model; `None` if it has one or the bounds were reached.
///
/// The proof has only the steps its end depends on. The clauses that say what formulas mean are given by the
/// format; what the search learnt follows from them by unit propagation.
pub fn prove(terms: &mut Terms, formula: TermId, cx: &Context) -> Result<Option<Proof>, Stopped> {
    let mut search = Search::default();
    search.assert(terms, formula);
    if search.check_patiently(terms, &[], cx)? != SatResult::Unsat {
        return Ok(None);
    }
    Ok(search.sat.empty.map(|empty| search.proof(empty)))
}

impl Search {
    pub(crate) fn term_lit(&self, lit: Lit) -> TermLit {
        TermLit {
            atom: self.encoder.terms_of[lit.var()],
            positive: lit.positive(),
        }
    }

    fn proof(&self, empty: NodeId) -> Proof {
        let mut steps = Vec::new();
        for node in self.sat.log.reachable(&[empty]) {
            let clause = self.sat.log.lits(node).map(|l| self.term_lit(l)).collect();
            let factors = self.factors(node);
            steps.push(match self.sat.log.kind(node) {
                Kind::Input => continue,
                Kind::Derived => ProofStep::Propagation { clause },
                Kind::Farkas | Kind::Unate => ProofStep::Farkas { clause, factors },
                Kind::Cut => ProofStep::Cut { clause, factors },
            });
        }
        // A formula that is false as it stands leaves no step.
        let ended = |step: &ProofStep| *step == ProofStep::Propagation { clause: Vec::new() };
        if !steps.last().is_some_and(ended) {
            steps.push(ProofStep::Propagation { clause: Vec::new() });
        }
        Proof { steps }
    }

    /// The factors of a lemma.
    pub(crate) fn factors(&self, node: NodeId) -> Vec<Rat> {
        if self.sat.log.kind(node) != Kind::Unate {
            return self.sat.log.factors(node).to_vec();
        }
        let unscale = |lit: Lit| match self.encoder.gates[lit.var()] {
            Gate::Atom(atom) => self.simplex.unscale(atom as usize),
            _ => Rat::ONE,
        };
        self.sat.log.lits(node).map(unscale).collect()
    }
}

/// A literal as `lin <= 0`, or `lin < 0` if the truth is true. `None` if it is no inequality.
pub(crate) fn inequality(terms: &Terms, lit: TermLit) -> Option<(Lin, bool)> {
    match (terms.node(lit.atom), lit.positive) {
        (Node::Le(lin), true) => Some((lin.clone(), false)),
        (Node::Lt(lin), true) => Some((lin.clone(), true)),
        (Node::Le(lin), false) if terms.is_integral(lin) => Some((lin.neg().plus(1), false)),
        (Node::Le(lin), false) => Some((lin.neg(), true)),
        (Node::Lt(lin), false) => Some((lin.neg(), false)),
        _ => None,
    }
}

/// The sum of inequalities times positive numbers, as a formula.
pub(crate) fn weighted_sum(terms: &mut Terms, parts: &[(TermLit, Rat)]) -> Option<TermId> {
    let common = parts
        .iter()
        .fold(Int::ONE, |lcm, (_, factor)| lcm.lcm(factor.den()));
    let mut sum = Lin::default();
    let mut strict = false;
    for (lit, factor) in parts {
        let (lin, below) = inequality(terms, *lit)?;
        let times = (factor * &Rat::from(&common)).floor();
        sum = sum.add_scaled(&lin, &times);
        strict |= below && times.is_positive();
    }
    Some(if !strict {
        terms.le(sum)
    } else if sum.is_constant() {
        terms.constant(sum.constant.is_negative())
    } else {
        terms.lt(sum)
    })
}
