//! A system over time, as a circuit.

use rustc_hash::FxHashMap;
use suppose_model::fsm::{
    Assignment, Decisions, ExprId, Inputs, Node, State, System, Value, VarId, VariableKind, When,
    parts,
};

use crate::blast::{Blaster, Coded, Scalar, among, variable};
use crate::circuit::{Circuit, Lit};
use crate::vector;

/// A decision diagram that does not fit a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// A decision speaks of a variable that is not there.
    Variable(usize),
    /// A decision speaks of a bit that its variable does not have.
    Bit(usize),
    /// A decision leads to itself or to a later one.
    Order(usize),
    /// There is no decision to begin with.
    Root,
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Malformed::Variable(at) => write!(f, "decision {at} is about no variable"),
            Malformed::Bit(at) => write!(f, "decision {at} is about a bit that is not there"),
            Malformed::Order(at) => write!(f, "decision {at} does not lead to an earlier one"),
            Malformed::Root => f.write_str("there is no decision to begin with"),
        }
    }
}

impl std::error::Error for Malformed {}

/// A system's variables as bits in moments 0, 1, 2, ... (*frames*), and its expressions as wires on them.
///
/// A variable has the bits of the number of its value (`Type::index`), lowest first, in every frame; the bits of an input in frame `k`
/// are its value in the step from frame `k` to `k + 1`. Nothing holds by itself: [`Frames::state`], [`Frames::init`] and
/// [`Frames::step`] say that frames are states, initial, and linked by steps, and each query
/// assumes those that matter. Everything is built on demand, and once.
#[derive(Debug)]
pub struct Frames<'a> {
    system: &'a System,
    circuit: Circuit,
    bits: FxHashMap<(VarId, usize), Vec<Lit>>,
    known: FxHashMap<(ExprId, usize), Coded>,
}

impl<'a> Frames<'a> {
    /// No frame has bits yet.
    pub fn new(system: &'a System) -> Self {
        Frames {
            system,
            circuit: Circuit::new(),
            bits: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    /// The system.
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// The circuit so far.
    pub fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// The circuit, to combine wires.
    pub fn circuit_mut(&mut self) -> &mut Circuit {
        &mut self.circuit
    }

    /// How many bits the variable has.
    pub fn width(&self, var: VarId) -> usize {
        self.system.variable(var).ty.bits()
    }

    /// The bits of a variable in a frame, lowest first: inputs of the circuit.
    pub fn bits(&mut self, var: VarId, frame: usize) -> Vec<Lit> {
        if let Some(known) = self.bits.get(&(var, frame)) {
            return known.clone();
        }
        let width = self.width(var);
        let made: Vec<Lit> = (0..width).map(|_| self.circuit.input()).collect();
        self.bits.insert((var, frame), made.clone());
        made
    }

    /// The bits of a variable stand for a value.
    pub fn valid_var(&mut self, var: VarId, frame: usize) -> Lit {
        let bits = self.bits(var, frame);
        let ty = &self.system.variable(var).ty;
        if ty.is_full() {
            return Lit::TRUE;
        }
        let number = vector::of_word(&bits, false);
        let limit = vector::constant(ty.size() as i128);
        vector::less(&mut self.circuit, &number, &limit)
    }

    /// The bits of all variables stand for values, those of inputs too.
    pub fn valid(&mut self, frame: usize) -> Lit {
        let vars: Vec<VarId> = self.system.vars().collect();
        self.valid_all(&vars, frame)
    }

    fn valid_all(&mut self, vars: &[VarId], frame: usize) -> Lit {
        let mut all = Lit::TRUE;
        for var in vars {
            let valid = self.valid_var(*var, frame);
            all = self.circuit.and(all, valid);
        }
        all
    }

    /// The frame is a state: its state and frozen variables have values for which `INVAR` and the combinational
    /// assignments hold. Says nothing of inputs.
    pub fn state(&mut self, frame: usize) -> Lit {
        let system = self.system;
        let vars: Vec<VarId> = system.state_vars().collect();
        let valid = self.valid_all(&vars, frame);
        let constraints = system.invariant.iter().map(|c| c.expr);
        let holds = self.constraints(constraints, frame);
        let assigned = self.assignments(When::Always, frame);
        self.circuit.all([valid, holds, assigned])
    }

    /// `INIT` and the `init` assignments hold. That the frame is a state is said by [`Frames::state`], and not here.
    pub fn init(&mut self, frame: usize) -> Lit {
        let constraints = self.system.init.iter().map(|c| c.expr);
        let holds = self.constraints(constraints, frame);
        let assigned = self.assignments(When::Init, frame);
        self.circuit.and(holds, assigned)
    }

    /// There is a step from the frame to the next one: inputs have values, `TRANS` and the `next` assignments hold, and frozen
    /// variables keep their values. That the two frames are states is said by [`Frames::state`] of each, and not here.
    pub fn step(&mut self, frame: usize) -> Lit {
        let system = self.system;
        let inputs: Vec<VarId> = system.inputs().collect();
        let valid = self.valid_all(&inputs, frame);
        let constraints = system.transition.iter().map(|c| c.expr);
        let holds = self.constraints(constraints, frame);
        let assigned = self.assignments(When::Next, frame);
        let mut all = self.circuit.all([valid, holds, assigned]);
        let is_frozen = |v: &VarId| system.variable(*v).kind == VariableKind::Frozen;
        for var in system.vars().filter(is_frozen) {
            let (now, after) = (self.bits(var, frame), self.bits(var, frame + 1));
            let same = vector::equal(&mut self.circuit, &now, &after);
            all = self.circuit.and(all, same);
        }
        all
    }

    fn constraints(&mut self, exprs: impl Iterator<Item = ExprId>, frame: usize) -> Lit {
        let mut all = Lit::TRUE;
        for expr in exprs {
            let holds = self.truth(expr, frame);
            all = self.circuit.and(all, holds);
        }
        all
    }

    fn assignments(&mut self, when: When, frame: usize) -> Lit {
        let system = self.system;
        let mut all = Lit::TRUE;
        for assignment in system.assignments.iter().filter(|a| a.when == when) {
            let holds = self.assignment(assignment, frame);
            all = self.circuit.and(all, holds);
        }
        all
    }

    /// An assignment holds in a frame (that of a next value: in the step from it).
    pub fn assignment(&mut self, assignment: &Assignment, frame: usize) -> Lit {
        let at = frame + usize::from(assignment.when == When::Next);
        let variable = self.variable(assignment.var, at);
        let coded = self.code(assignment.value, frame);
        among(&mut self.circuit, &variable, &coded)
    }

    /// A boolean expression holds in a frame; next values are those of the frame after it. False where the expression fails.
    pub fn truth(&mut self, expr: ExprId, frame: usize) -> Lit {
        self.code(expr, frame).holds(&mut self.circuit)
    }

    /// An expression has a value in a frame.
    pub fn defined(&mut self, expr: ExprId, frame: usize) -> Lit {
        self.code(expr, frame).ok
    }

    /// The valuation of a frame is in the set.
    pub fn decisions(&mut self, set: &Decisions, frame: usize) -> Result<Lit, Malformed> {
        let mut wires = vec![Lit::FALSE, Lit::TRUE];
        for (at, decision) in set.nodes.iter().enumerate() {
            if decision.var.index() >= self.system.variables.len() {
                return Err(Malformed::Variable(at));
            }
            let earlier = |to: u32| wires.get(to as usize).copied();
            let (Some(high), Some(low)) = (earlier(decision.high), earlier(decision.low)) else {
                return Err(Malformed::Order(at));
            };
            let bits = self.bits(decision.var, frame);
            let Some(bit) = bits.get(decision.bit as usize) else {
                return Err(Malformed::Bit(at));
            };
            wires.push(self.circuit.ite(*bit, high, low));
        }
        wires.get(set.root as usize).copied().ok_or(Malformed::Root)
    }

    /// The variable has the value in a frame; false if it is not of its type.
    pub fn has_value(&mut self, var: VarId, frame: usize, value: &Value) -> Lit {
        let Some(code) = self.system.variable(var).ty.code(value) else {
            return Lit::FALSE;
        };
        let bits = self.bits(var, frame).into_iter().zip(code);
        let same: Vec<Lit> = bits.map(|(b, set)| b.when(set)).collect();
        self.circuit.all(same)
    }

    /// The value of a variable in a frame when wires are true as said; the first value of the type if its bits stand for none, as they
    /// can only where [`Frames::valid`] is false.
    pub fn value(&self, var: VarId, frame: usize, holds: &dyn Fn(Lit) -> bool) -> Value {
        let bits = self.bits.get(&(var, frame)).map_or(&[][..], Vec::as_slice);
        let ty = &self.system.variable(var).ty;
        let first = || ty.value(0).unwrap_or(Value::Bool(false));
        let read = ty.read(|at| bits.get(at).is_some_and(|b| holds(*b)));
        read.unwrap_or_else(first)
    }

    /// The state in a frame when wires are true as said.
    pub fn state_values(&self, frame: usize, holds: &dyn Fn(Lit) -> bool) -> State {
        let vars = self.system.state_vars();
        vars.map(|v| self.value(v, frame, holds)).collect()
    }

    /// The inputs in a frame when wires are true as said.
    pub fn input_values(&self, frame: usize, holds: &dyn Fn(Lit) -> bool) -> Inputs {
        let vars = self.system.inputs();
        vars.map(|v| self.value(v, frame, holds)).collect()
    }

    fn variable(&mut self, var: VarId, frame: usize) -> Scalar {
        let bits = self.bits(var, frame);
        variable(&mut self.circuit, &self.system.variable(var).ty, &bits)
    }

    /// The wires of an expression and everything in it, parts first: expressions can be deeper than the stack.
    fn code(&mut self, expr: ExprId, frame: usize) -> Coded {
        let system = self.system;
        let mut open = vec![expr];
        while let Some(&top) = open.last() {
            if self.known.contains_key(&(top, frame)) {
                open.pop();
                continue;
            }
            let node = system.exprs.node(top);
            let waiting = open.len();
            let missing = parts(node).filter(|part| !self.known.contains_key(&(*part, frame)));
            open.extend(missing);
            if open.len() == waiting {
                let coded = self.node(top, frame);
                self.known.insert((top, frame), coded);
                open.pop();
            }
        }
        self.known[&(expr, frame)].clone()
    }

    fn node(&mut self, expr: ExprId, frame: usize) -> Coded {
        let var = match self.system.exprs.node(expr) {
            Node::Current(var) => (*var, frame),
            Node::Next(var) => (*var, frame + 1),
            _ => {
                let mut blaster = Blaster {
                    exprs: &self.system.exprs,
                    c: &mut self.circuit,
                    known: &self.known,
                    frame,
                };
                return blaster.node(expr);
            }
        };
        Coded {
            values: vec![(Lit::TRUE, self.variable(var.0, var.1))],
            ok: Lit::TRUE,
        }
    }
}
