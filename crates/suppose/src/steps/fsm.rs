//! Finite-domain systems (SMV): a step gives inputs and the next state their values.
//!
//! A state can have very many successors, so they are found by a SAT solver, one after the other, up to a limit; those of a random walk
//! are found with random values for the bits. Every state and step that the solver finds is put before the plain
//! evaluation of the model before it is shown.

use suppose_aig::{Frames, Lit, SatResult, Solver};
use suppose_control::Context;
use suppose_model::fsm::{
    Claim, Connective, ExprId, Formula, FormulaId, Inputs, Question, Simulator, State as Whole,
    System, Trace, VarId,
};

use super::{
    EnabledStep, Ending, Enumeration, Failed, Leads, Path, PathStep, Random, State, Status,
    StepOutcome, Steps, Violation, foreign,
};

/// How many states or steps are listed by default.
const MOST: usize = 100;
/// Up to this number of successors, a random walk takes each with the same probability.
const FEW: usize = 16;

/// A finite-domain system, step by step.
pub struct FsmSteps<'a> {
    system: &'a System,
    frames: Frames<'a>,
    /// Knows the steps from frame 0 to frame 1.
    solver: Solver,
    judge: Simulator<'a>,
    limit: usize,
    /// Claims on single states, with the number of their property.
    everywhere: Vec<(usize, Everywhere)>,
    wires: Option<Wires>,
}

#[derive(Clone, Copy)]
enum Everywhere {
    Expr(ExprId),
    Formula(FormulaId),
}

/// The wires of all queries to the solver.
struct Wires {
    /// Frame 0 is an initial state.
    initial: Lit,
    /// There is a step from frame 0 to frame 1, which is a state.
    step: Lit,
    /// The bits of states in frames 0 and 1, and of inputs.
    now: Vec<(VarId, Vec<Lit>)>,
    after: Vec<Lit>,
    inputs: Vec<Lit>,
}

impl<'a> FsmSteps<'a> {
    /// Of a system.
    pub fn new(system: &'a System) -> Self {
        FsmSteps::under(system, &Context::default())
    }

    /// Of a system; the context can stop a search for steps.
    pub fn under(system: &'a System, cx: &Context) -> Self {
        let numbered = system.properties.iter().enumerate();
        let everywhere = numbered.filter_map(|(number, property)| {
            let (claim, atoms) = match &property.question {
                Question::Invariant(expr) => (Everywhere::Expr(*expr), vec![*expr]),
                Question::Ctl(formula) | Question::Ltl(formula) => {
                    let claim = system.formulas.always(*formula)?;
                    (Everywhere::Formula(claim), system.formulas.atoms(claim))
                }
                Question::ComputeMin(..) | Question::ComputeMax(..) => return None,
            };
            let of_state = |expr: &ExprId| {
                let support = system.exprs.support(*expr);
                support.next.is_empty() && !support.current.iter().any(|v| system.is_input(*v))
            };
            atoms.iter().all(of_state).then_some((number, claim))
        });
        FsmSteps {
            system,
            frames: Frames::new(system),
            solver: Solver::under(cx),
            judge: Simulator::new(system, 0),
            limit: MOST,
            everywhere: everywhere.collect(),
            wires: None,
        }
    }

    /// Lists at most this number of states or steps.
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit.max(1);
        self
    }

    /// Makes the wires when they are first needed.
    fn prepare(&mut self) {
        if self.wires.is_some() {
            return;
        }
        let frames = &mut self.frames;
        let (state, init) = (frames.state(0), frames.init(0));
        let (step, target) = (frames.step(0), frames.state(1));
        let initial = frames.circuit_mut().and(state, init);
        let step = frames.circuit_mut().and(step, target);
        let vars: Vec<VarId> = self.system.state_vars().collect();
        let inputs: Vec<VarId> = self.system.inputs().collect();
        self.wires = Some(Wires {
            initial,
            step,
            now: vars.iter().map(|v| (*v, frames.bits(*v, 0))).collect(),
            after: vars.iter().flat_map(|v| frames.bits(*v, 1)).collect(),
            inputs: inputs.iter().flat_map(|v| frames.bits(*v, 0)).collect(),
        });
    }

    /// The query for initial states, or for steps out of a state, and the bits of its solutions.
    fn question(&mut self, from: Option<&Whole>) -> (Vec<Lit>, Vec<Lit>) {
        self.prepare();
        let Some(wires) = &self.wires else {
            return (vec![Lit::FALSE], Vec::new());
        };
        let Some(state) = from else {
            let wanted = wires.now.iter().flat_map(|(_, bits)| bits.clone());
            return (vec![wires.initial], wanted.collect());
        };
        let mut assumed = vec![wires.step];
        for ((var, bits), value) in wires.now.iter().zip(state) {
            let code = self
                .system
                .variable(*var)
                .ty
                .code(value)
                .unwrap_or_default();
            assumed.extend(bits.iter().zip(code).map(|(bit, is)| bit.when(is)));
        }
        let wanted = wires.inputs.iter().chain(&wires.after);
        (assumed, wanted.copied().collect())
    }

    fn solve(&mut self, assumed: &[Lit]) -> Result<bool, Failed> {
        let answer = self.solver.solve(self.frames.circuit(), assumed);
        match answer.map_err(|_| Failed::Stopped)? {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => Ok(false),
        }
    }

    /// What the last search found: the state of frame 0, or inputs and the state of frame 1.
    fn found(&mut self, from: Option<&Whole>) -> Result<(Inputs, Whole), Failed> {
        let model = self.solver.model(self.frames.circuit());
        let holds = |lit: Lit| model.holds(lit);
        let (inputs, state) = match from {
            None => (Inputs::default(), self.frames.state_values(0, &holds)),
            Some(_) => (
                self.frames.input_values(0, &holds),
                self.frames.state_values(1, &holds),
            ),
        };
        let fine = match from {
            None => self.judge.is_initial(&state),
            Some(from) => self.judge.is_step(from, &inputs, &state),
        };
        match fine {
            Ok(true) => Ok((inputs, state)),
            Ok(false) => Err(Failed::Internal("the solver found no step".to_owned())),
            Err(fault) => Err(Failed::Model(fault.show(self.system))),
        }
    }

    /// All solutions up to the limit, sorted; and whether there are more.
    fn search(
        &mut self,
        from: Option<&Whole>,
        most: usize,
    ) -> Result<(Vec<(Inputs, Whole)>, bool), Failed> {
        let (mut assumed, wanted) = self.question(from);
        // Solutions so far are excluded while this is assumed.
        let now = self.frames.circuit_mut().input();
        assumed.push(now);
        let mut list = Vec::new();
        let mut more = false;
        while self.solve(&assumed)? {
            if list.len() == most {
                more = true;
                break;
            }
            let model = self.solver.model(self.frames.circuit());
            let mut other: Vec<Lit> = wanted.iter().map(|l| l.when(!model.holds(*l))).collect();
            list.push(self.found(from)?);
            other.push(!now);
            self.solver.add(self.frames.circuit(), &other);
        }
        self.solver.add(self.frames.circuit(), &[!now]);
        list.sort_unstable();
        Ok((list, more))
    }

    /// A random solution.
    fn draw(
        &mut self,
        from: Option<&Whole>,
        random: &mut Random,
    ) -> Result<Option<(Inputs, Whole)>, Failed> {
        let (mut few, more) = self.search(from, FEW)?;
        if !more {
            return Ok(match few.is_empty() {
                true => None,
                false => Some(few.swap_remove(random.below(few.len()))),
            });
        }
        let (mut assumed, mut wanted) = self.question(from);
        for at in (1..wanted.len()).rev() {
            wanted.swap(at, random.below(at + 1));
        }
        // A random value for each bit, or the opposite one if that is unsatisfiable.
        for bit in wanted {
            assumed.push(bit.when(random.flip()));
            if !self.solve(&assumed)? {
                let last = assumed.pop().unwrap_or(Lit::TRUE);
                assumed.push(!last);
            }
        }
        match self.solve(&assumed)? {
            true => self.found(from).map(Some),
            false => Err(Failed::Internal("the solver lost a step".to_owned())),
        }
    }

    pub(super) fn pack(&self, state: &Whole) -> State {
        let mut words = Vec::new();
        for (var, value) in self.system.state_vars().zip(state) {
            let ty = &self.system.variable(var).ty;
            let code = ty.code(value).unwrap_or_default();
            words.extend(code.chunks(32).map(|chunk| {
                let bits = chunk.iter().enumerate();
                bits.fold(0, |word, (at, is)| word | u32::from(*is) << at)
            }));
        }
        State::new(words)
    }

    /// The values of a state; packed states of other models are refused.
    pub fn unpacked(&self, state: &State) -> Result<Whole, Failed> {
        let mut words = state.words();
        let mut values = Vec::new();
        for var in self.system.state_vars() {
            let ty = &self.system.variable(var).ty;
            let (own, rest) = words
                .split_at_checked(ty.bits().div_ceil(32))
                .ok_or_else(foreign)?;
            words = rest;
            let value = ty.read(|at| own[at / 32] >> (at % 32) & 1 == 1);
            values.push(value.ok_or_else(foreign)?);
        }
        match words.is_empty() {
            true => Ok(values.into()),
            false => Err(foreign()),
        }
    }

    pub(super) fn step(&self, inputs: &Inputs, target: &Whole) -> EnabledStep {
        let inputs = self.system.inputs().zip(inputs);
        let inputs = inputs.map(|(var, value)| {
            let name = &self.system.variable(var).name;
            format!("{name} = {}", self.system.symbols.show(value))
        });
        EnabledStep {
            label: inputs.collect::<Vec<_>>().join(", "),
            actors: Vec::new(),
            place: None,
            outcomes: vec![StepOutcome {
                probability: None,
                leads: Leads::To(self.pack(target)),
            }],
        }
    }

    /// A run as steps of the system. `property` is the name of what it violates, `why` how.
    pub fn follow(&mut self, trace: &Trace, property: &str, why: &str) -> Result<Path, Failed> {
        let fault = |f: suppose_model::fsm::Fault| Failed::Model(f.show(self.system));
        let Some(first) = trace.states.first() else {
            return Err(Failed::Run("the run has no state".to_owned()));
        };
        if !self.judge.is_initial(first).map_err(fault)? {
            let why = "the run does not begin in an initial state";
            return Err(Failed::Run(why.to_owned()));
        }
        let mut steps = Vec::new();
        let pairs = trace.states.windows(2).zip(&trace.inputs);
        for (number, (pair, inputs)) in pairs.enumerate() {
            let [from, to] = pair else { continue };
            if !self.judge.is_step(from, inputs, to).map_err(fault)? {
                let why = format!("step {} cannot be taken there", number + 1);
                return Err(Failed::Run(why));
            }
            steps.push(PathStep {
                step: self.step(inputs, to),
                outcome: 0,
                remarks: Vec::new(),
            });
        }
        Ok(Path {
            start: Some(self.pack(first)),
            steps,
            loops_to: trace.loops_to,
            shows: Violation {
                property: property.to_owned(),
                why: why.to_owned(),
            },
            remarks: Vec::new(),
        })
    }

    fn holds(&mut self, claim: Everywhere, state: &Whole) -> Result<bool, Failed> {
        match claim {
            Everywhere::Expr(expr) => self
                .judge
                .holds(expr, state, &[], &[])
                .map_err(|fault| Failed::Model(fault.show(self.system))),
            Everywhere::Formula(formula) => match self.system.formulas.node(formula) {
                Formula::Atom(expr) => self.holds(Everywhere::Expr(*expr), state),
                Formula::Not(a) => Ok(!self.holds(Everywhere::Formula(*a), state)?),
                Formula::And(all) => {
                    let mut truth = true;
                    for part in all {
                        truth &= self.holds(Everywhere::Formula(*part), state)?;
                    }
                    Ok(truth)
                }
                Formula::Or(all) => {
                    let mut truth = false;
                    for part in all {
                        truth |= self.holds(Everywhere::Formula(*part), state)?;
                    }
                    Ok(truth)
                }
                Formula::Connective(op, a, b) => {
                    let a = self.holds(Everywhere::Formula(*a), state)?;
                    let b = self.holds(Everywhere::Formula(*b), state)?;
                    Ok(match op {
                        Connective::Implies => !a || b,
                        Connective::Iff => a == b,
                        Connective::Xor => a != b,
                    })
                }
                _ => Err(Failed::Internal("a claim about time".to_owned())),
            },
        }
    }
}

impl std::fmt::Debug for FsmSteps<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("FsmSteps");
        shown.field("system", &self.system.name).finish()
    }
}

impl Steps for FsmSteps<'_> {
    fn initial(&mut self) -> Result<Enumeration<State>, Failed> {
        let (found, more) = self.search(None, self.limit)?;
        let list = found.iter().map(|(_, state)| self.pack(state)).collect();
        Ok(Enumeration { list, more })
    }

    fn enabled(&mut self, state: &State) -> Result<Enumeration<EnabledStep>, Failed> {
        let whole = self.unpacked(state)?;
        let (found, more) = self.search(Some(&whole), self.limit)?;
        let list = found.iter();
        let list = list
            .map(|(inputs, target)| self.step(inputs, target))
            .collect();
        Ok(Enumeration { list, more })
    }

    fn show(&self, state: &State) -> Vec<(String, String)> {
        let Ok(whole) = self.unpacked(state) else {
            return Vec::new();
        };
        let values = self.system.state_vars().zip(&whole);
        let shown = values.map(|(var, value)| {
            let name = self.system.variable(var).name.clone();
            (name, self.system.symbols.show(value))
        });
        shown.collect()
    }

    fn status(&mut self, state: &State) -> Result<Status, Failed> {
        let whole = self.unpacked(state)?;
        let (assumed, _) = self.question(Some(&whole));
        let ending = match self.solve(&assumed)? {
            true => None,
            false => Some(Ending::Deadlock("there is no next state".to_owned())),
        };
        let mut violated = Vec::new();
        for (number, claim) in self.everywhere.clone() {
            if !self.holds(claim, &whole)? {
                let question = &self.system.properties[number].question;
                violated.push(Violation {
                    property: Claim::Property(number).name(self.system),
                    why: format!("{} is false", self.system.show_question(question)),
                });
            }
        }
        Ok(Status { ending, violated })
    }

    fn sample(
        &mut self,
        state: &State,
        random: &mut Random,
    ) -> Result<Option<EnabledStep>, Failed> {
        let whole = self.unpacked(state)?;
        let found = self.draw(Some(&whole), random)?;
        Ok(found.map(|(inputs, target)| self.step(&inputs, &target)))
    }

    fn sample_initial(&mut self, random: &mut Random) -> Result<Option<State>, Failed> {
        let found = self.draw(None, random)?;
        Ok(found.map(|(_, state)| self.pack(&state)))
    }
}
