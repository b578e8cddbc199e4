//! A system unrolled over time, in the checker's own [gates](super::gates).
//!
//! A variable has in every moment (*frame*) the bits of the number of its value, lowest first; those of an input in frame `k` are its value in the step from
//! frame `k` to `k + 1`. No constraint is asserted here: each query assumes those it needs.

use rustc_hash::FxHashMap;
use suppose_aig::{Circuit, Lit};
use suppose_model::fsm::{
    Assignment, Connective, Decisions, ExprId, Formula, FormulaId, Node, Question, System, Value,
    VarId, VariableKind, When, parts,
};

use super::gates::{Meaning, Term, meaning};

/// What a property says of all reachable states, or steps, if that is all it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// It holds in the frame.
    pub(super) holds: Lit,
    /// It mentions inputs or the next state: it has a truth value only on transitions.
    pub(super) of_steps: bool,
}

pub(super) struct Frames<'a> {
    system: &'a System,
    circuit: Circuit,
    bits: FxHashMap<(VarId, usize), Vec<Lit>>,
    known: FxHashMap<(ExprId, usize), Meaning>,
}

impl<'a> Frames<'a> {
    pub(super) fn new(system: &'a System) -> Self {
        Frames {
            system,
            circuit: Circuit::new(),
            bits: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    pub(super) fn system(&self) -> &'a System {
        self.system
    }

    pub(super) fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    pub(super) fn circuit_mut(&mut self) -> &mut Circuit {
        &mut self.circuit
    }

    /// The bits of a variable: free wires.
    pub(super) fn bits(&mut self, var: VarId, frame: usize) -> Vec<Lit> {
        if let Some(known) = self.bits.get(&(var, frame)) {
            return known.clone();
        }
        let width = self.system.variable(var).ty.bits();
        let made: Vec<Lit> = (0..width).map(|_| self.circuit.input()).collect();
        self.bits.insert((var, frame), made.clone());
        made
    }

    /// The bits represent the number of one of the variable's values: going down from the highest bit, they are not more than those of the
    /// last number.
    fn valid_var(&mut self, var: VarId, frame: usize) -> Lit {
        let bits = self.bits(var, frame);
        let ty = &self.system.variable(var).ty;
        if ty.is_full() {
            return Lit::TRUE;
        }
        let last = ty.size().saturating_sub(1);
        let mut fits = Lit::TRUE;
        for (at, bit) in bits.into_iter().enumerate() {
            fits = match last >> at & 1 == 1 {
                true => self.circuit.or(!bit, fits),
                false => self.circuit.and(!bit, fits),
            };
        }
        fits
    }

    fn valid_all(&mut self, vars: Vec<VarId>, frame: usize) -> Lit {
        let all: Vec<Lit> = vars.into_iter().map(|v| self.valid_var(v, frame)).collect();
        self.circuit.all(all)
    }

    /// The bits of all variables, inputs too, represent values.
    pub(super) fn valid(&mut self, frame: usize) -> Lit {
        self.valid_all(self.system.vars().collect(), frame)
    }

    /// The frame is a state. Says nothing of inputs.
    pub(super) fn state(&mut self, frame: usize) -> Lit {
        let valid = self.valid_all(self.system.state_vars().collect(), frame);
        let constraints = self.system.invariant.iter().map(|c| c.expr);
        let holds = self.all_true(constraints, frame);
        let assigned = self.assigned(When::Always, frame);
        self.circuit.all([valid, holds, assigned])
    }

    /// Constraints on initial states in addition to those on all states.
    pub(super) fn init(&mut self, frame: usize) -> Lit {
        let constraints = self.system.init.iter().map(|c| c.expr);
        let holds = self.all_true(constraints, frame);
        let assigned = self.assigned(When::Init, frame);
        self.circuit.and(holds, assigned)
    }

    /// There is a step from the frame to the next one, if both are states.
    pub(super) fn step(&mut self, frame: usize) -> Lit {
        let system = self.system;
        let valid = self.valid_all(system.inputs().collect(), frame);
        let holds = self.all_true(system.transition.iter().map(|c| c.expr), frame);
        let assigned = self.assigned(When::Next, frame);
        let mut all = vec![valid, holds, assigned];
        for var in system.vars() {
            if system.variable(var).kind == VariableKind::Frozen {
                let pairs = self
                    .bits(var, frame)
                    .into_iter()
                    .zip(self.bits(var, frame + 1));
                let same: Vec<Lit> = pairs.map(|(a, b)| self.circuit.iff(a, b)).collect();
                all.extend(same);
            }
        }
        self.circuit.all(all)
    }

    fn all_true(&mut self, exprs: impl Iterator<Item = ExprId>, frame: usize) -> Lit {
        let all: Vec<Lit> = exprs.map(|e| self.truth(e, frame)).collect();
        self.circuit.all(all)
    }

    fn assigned(&mut self, when: When, frame: usize) -> Lit {
        let assignments = self.system.assignments.iter().filter(|a| a.when == when);
        let all: Vec<Lit> = assignments.map(|a| self.assignment(a, frame)).collect();
        self.circuit.all(all)
    }

    pub(super) fn assignment(&mut self, assignment: &Assignment, frame: usize) -> Lit {
        let at = frame + usize::from(assignment.when == When::Next);
        let variable = self.variable(assignment.var, at);
        let value = self.meaning(assignment.value, frame);
        value.has(&mut self.circuit, &variable)
    }

    /// A boolean expression has a value in a frame, and is true; next values are those of the frame after it.
    pub(super) fn truth(&mut self, expr: ExprId, frame: usize) -> Lit {
        let meaning = self.meaning(expr, frame);
        meaning.holds(&mut self.circuit)
    }

    /// The valuation of a frame is in the set, or why the set is malformed.
    pub(super) fn decisions(&mut self, set: &Decisions, frame: usize) -> Result<Lit, String> {
        let mut wires = vec![Lit::FALSE, Lit::TRUE];
        for (at, decision) in set.nodes.iter().enumerate() {
            if decision.var.index() >= self.system.variables.len() {
                return Err(format!("decision {at} is about no variable"));
            }
            let earlier = |to: u32| wires.get(to as usize).copied();
            let (Some(high), Some(low)) = (earlier(decision.high), earlier(decision.low)) else {
                return Err(format!("decision {at} does not lead to an earlier one"));
            };
            let bits = self.bits(decision.var, frame);
            let Some(bit) = bits.get(decision.bit as usize) else {
                return Err(format!("decision {at} is about a bit that is not there"));
            };
            wires.push(self.circuit.ite(*bit, high, low));
        }
        let root = wires.get(set.root as usize).copied();
        root.ok_or_else(|| "there is no decision to begin with".to_owned())
    }

    /// The variable has the value; false if it is not of its type.
    pub(super) fn has_value(&mut self, var: VarId, frame: usize, value: &Value) -> Lit {
        let Some(code) = self.system.variable(var).ty.code(value) else {
            return Lit::FALSE;
        };
        let bits = self.bits(var, frame).into_iter().zip(code);
        let same: Vec<Lit> = bits.map(|(b, set)| b.when(set)).collect();
        self.circuit.all(same)
    }

    fn variable(&mut self, var: VarId, frame: usize) -> Term {
        let bits = self.bits(var, frame);
        Term::variable(&mut self.circuit, &self.system.variable(var).ty, &bits)
    }

    /// Of an expression and everything in it, parts first: expressions can be deeper than the stack.
    fn meaning(&mut self, expr: ExprId, frame: usize) -> Meaning {
        let mut open = vec![expr];
        while let Some(&top) = open.last() {
            if self.known.contains_key(&(top, frame)) {
                open.pop();
                continue;
            }
            let node = self.system.exprs.node(top);
            let waiting = open.len();
            let known = &self.known;
            open.extend(parts(node).filter(|part| !known.contains_key(&(*part, frame))));
            if open.len() > waiting {
                continue;
            }
            let made = match node {
                Node::Current(var) => Meaning::variable(self.variable(*var, frame)),
                Node::Next(var) => Meaning::variable(self.variable(*var, frame + 1)),
                _ => {
                    let known = &self.known;
                    let part = |part: ExprId| known[&(part, frame)].clone();
                    meaning(&mut self.circuit, &self.system.exprs, top, &part)
                }
            };
            self.known.insert((top, frame), made);
            open.pop();
        }
        self.known[&(expr, frame)].clone()
    }

    /// The claim of an invariant, of `AG p` or of `G p`, with `p` without time; none for other properties.
    pub(super) fn claim(&mut self, question: &Question, frame: usize) -> Option<Claim> {
        let system = self.system;
        let (holds, atoms) = match question {
            Question::Invariant(expr) => (self.truth(*expr, frame), vec![*expr]),
            Question::Ctl(formula) | Question::Ltl(formula) => {
                let claim = system.formulas.always(*formula)?;
                (self.timeless(claim, frame)?, system.formulas.atoms(claim))
            }
            Question::ComputeMin(..) | Question::ComputeMax(..) => return None,
        };
        let support = system.exprs.support_of_all(atoms);
        let inputs = support.current.iter().any(|v| system.is_input(*v));
        let of_steps = inputs || !support.next.is_empty();
        Some(Claim { holds, of_steps })
    }

    fn timeless(&mut self, formula: FormulaId, frame: usize) -> Option<Lit> {
        let formulas = &self.system.formulas;
        let mut known: FxHashMap<FormulaId, Lit> = FxHashMap::default();
        for it in formulas.within(formula) {
            let lit = match formulas.node(it) {
                Formula::Atom(expr) => self.truth(*expr, frame),
                Formula::Not(a) => !known[a],
                Formula::And(all) => self.circuit.all(all.iter().map(|f| known[f])),
                Formula::Or(all) => self.circuit.any(all.iter().map(|f| known[f])),
                Formula::Connective(op, a, b) => match op {
                    Connective::Implies => self.circuit.implies(known[a], known[b]),
                    Connective::Iff => self.circuit.iff(known[a], known[b]),
                    Connective::Xor => self.circuit.xor(known[a], known[b]),
                },
                _ => return None,
            };
            known.insert(it, lit);
        }
        known.get(&formula).copied()
    }
}

#[cfg(test)]
mod tests;
