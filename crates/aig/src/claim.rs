//! What a property says of all reachable states, or steps, if that is all it says.

use rustc_hash::FxHashMap;
use suppose_model::fsm::{Connective, ExprId, Formula, FormulaId, Question};

use crate::circuit::Lit;
use crate::frames::Frames;

/// What must hold everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// It holds in the frame.
    pub holds: Lit,
    /// It speaks of inputs or of the next state: only in steps it has a truth.
    pub of_steps: bool,
}

impl Frames<'_> {
    /// The claim of an invariant, of `AG p` or of `G p`, with `p` without time; none for other properties.
    pub fn claim(&mut self, question: &Question, frame: usize) -> Option<Claim> {
        let system = self.system();
        let (holds, atoms) = match question {
            Question::Invariant(expr) => (self.truth(*expr, frame), vec![*expr]),
            Question::Ctl(formula) | Question::Ltl(formula) => {
                let claim = system.formulas.always(*formula)?;
                (self.timeless(claim, frame)?, system.formulas.atoms(claim))
            }
            Question::ComputeMin(..) | Question::ComputeMax(..) => return None,
        };
        let of_steps = atoms.iter().any(|atom| self.speaks_of_steps(*atom));
        Some(Claim { holds, of_steps })
    }

    fn speaks_of_steps(&self, expr: ExprId) -> bool {
        let system = self.system();
        let support = system.exprs.support(expr);
        !support.next.is_empty() || support.current.iter().any(|v| system.is_input(*v))
    }

    fn timeless(&mut self, formula: FormulaId, frame: usize) -> Option<Lit> {
        let system = self.system();
        let mut known: FxHashMap<FormulaId, Lit> = FxHashMap::default();
        for it in system.formulas.within(formula) {
            let lit = match system.formulas.node(it) {
                Formula::Atom(expr) => self.truth(*expr, frame),
                Formula::Not(a) => !known[a],
                Formula::And(all) => self.circuit_mut().all(all.iter().map(|f| known[f])),
                Formula::Or(all) => self.circuit_mut().any(all.iter().map(|f| known[f])),
                Formula::Connective(op, a, b) => {
                    let (a, b) = (known[a], known[b]);
                    match op {
                        Connective::Implies => self.circuit_mut().implies(a, b),
                        Connective::Iff => self.circuit_mut().iff(a, b),
                        Connective::Xor => self.circuit_mut().xor(a, b),
                    }
                }
                _ => return None,
            };
            known.insert(it, lit);
        }
        known.get(&formula).copied()
    }
}
