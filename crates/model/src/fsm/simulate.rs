//! Runs systems state by state.

use rustc_hash::FxHashMap;

use super::eval::{Evaluator, Valuation, Values};
use super::expr::{ExprId, VarId};
use super::solve::{Inputs, Partial, Plan, State, Stopped};
use super::value::Value;
use super::{Fault, System};

/// A step out of a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Successor {
    /// The inputs of the step.
    pub inputs: Inputs,
    /// The state it leads to.
    pub target: State,
}

/// A step of a [`Graph`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The inputs of the step.
    pub inputs: Inputs,
    /// The number of the state it leads to.
    pub target: usize,
}

/// All reachable states, in the order of a breadth-first search.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The states.
    pub states: Vec<State>,
    /// The numbers of the initial ones: they come first.
    pub initial: Vec<usize>,
    /// The steps out of each state.
    pub edges: Vec<Vec<Edge>>,
    /// How many steps away from an initial state each is.
    pub distance: Vec<usize>,
}

impl Graph {
    /// The greatest distance, plus one: NuSMV's system diameter. 0 if there is no initial state.
    pub fn diameter(&self) -> usize {
        self.distance.iter().max().map_or(0, |d| d + 1)
    }

    /// States without a step.
    pub fn deadlocks(&self) -> Vec<usize> {
        let numbers = 0..self.states.len();
        numbers.filter(|s| self.edges[*s].is_empty()).collect()
    }
}

/// Runs a system state by state, by nothing but the meaning of its expressions.
#[derive(Debug)]
pub struct Simulator<'a> {
    system: &'a System,
    evaluator: Evaluator<'a>,
    initial: Plan,
    steps: Plan,
    tries: u64,
}

/// A state with inputs and perhaps a next state, for evaluating expressions.
struct StepValuation<'a> {
    system: &'a System,
    state: &'a [Value],
    inputs: &'a [Value],
    target: &'a [Value],
}

impl Valuation for StepValuation<'_> {
    fn current(&self, var: VarId) -> Option<Value> {
        let slot = self.system.variable(var).slot;
        match self.system.is_input(var) {
            true => self.inputs.get(slot).cloned(),
            false => self.state.get(slot).cloned(),
        }
    }

    fn next(&self, var: VarId) -> Option<Value> {
        self.target.get(self.system.variable(var).slot).cloned()
    }
}

impl<'a> Simulator<'a> {
    /// For a system; `tries` bounds the values that are tried for variables over its whole life.
    pub fn new(system: &'a System, tries: u64) -> Self {
        Simulator {
            system,
            evaluator: Evaluator::new(&system.exprs),
            initial: Plan::of_initial(system),
            steps: Plan::of_steps(system),
            tries,
        }
    }

    /// The system.
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// All initial states, sorted.
    pub fn initial_states(&mut self) -> Result<Vec<State>, Stopped> {
        let mut found = Vec::new();
        let mut partial = Partial::new(self.system);
        let mut add = |p: &Partial<'_>| found.push(p.state());
        self.initial
            .solve(&mut partial, &mut self.evaluator, &mut self.tries, &mut add)?;
        found.sort_unstable();
        Ok(found)
    }

    /// All steps out of a state, sorted. None means deadlock.
    pub fn steps(&mut self, state: &[Value]) -> Result<Vec<Successor>, Stopped> {
        let mut found = Vec::new();
        let mut partial = Partial::new(self.system);
        partial.set_state(state);
        let mut add = |p: &Partial<'_>| {
            found.push(Successor {
                inputs: p.inputs(),
                target: p.target(),
            });
        };
        self.steps
            .solve(&mut partial, &mut self.evaluator, &mut self.tries, &mut add)?;
        found.sort_unstable();
        Ok(found)
    }

    /// Is it an initial state? Examines every constraint.
    pub fn is_initial(&mut self, state: &[Value]) -> Result<bool, Fault> {
        if !self.is_complete(state) {
            return Ok(false);
        }
        let mut partial = Partial::new(self.system);
        partial.set_state(state);
        self.initial.holds(&partial, &mut self.evaluator)
    }

    /// Is there a step with these inputs between these states? Examines every constraint, but not at those on the
    /// first state itself, which a run has met before.
    pub fn is_step(
        &mut self,
        state: &[Value],
        inputs: &[Value],
        target: &[Value],
    ) -> Result<bool, Fault> {
        let system = self.system;
        let frozen = system
            .state_vars()
            .filter(|v| system.variable(*v).kind == super::VariableKind::Frozen)
            .map(|v| system.variable(v).slot);
        let complete = self.is_complete(state)
            && self.is_complete(target)
            && inputs.len() == system.inputs().count();
        if !complete || frozen.into_iter().any(|slot| state[slot] != target[slot]) {
            return Ok(false);
        }
        let mut partial = Partial::new(system);
        partial.set_state(state);
        partial.set_inputs(inputs);
        partial.set_target(target);
        self.steps.holds(&partial, &mut self.evaluator)
    }

    fn is_complete(&self, state: &[Value]) -> bool {
        let mut vars = self.system.state_vars();
        let typed = vars.all(|v| {
            let variable = self.system.variable(v);
            let value = state.get(variable.slot);
            value.is_some_and(|value| variable.ty.contains(value))
        });
        typed && state.len() == self.system.state_vars().count()
    }

    /// The values of an expression in a state; with inputs and a next state if it mentions them, else empty ones do.
    pub fn values(
        &mut self,
        expr: ExprId,
        state: &[Value],
        inputs: &[Value],
        target: &[Value],
    ) -> Result<Values, Fault> {
        let here = StepValuation {
            system: self.system,
            state,
            inputs,
            target,
        };
        self.evaluator.values(expr, &here)
    }

    /// Does a boolean expression hold there?
    pub fn holds(
        &mut self,
        expr: ExprId,
        state: &[Value],
        inputs: &[Value],
        target: &[Value],
    ) -> Result<bool, Fault> {
        let values = self.values(expr, state, inputs, target)?;
        Ok(values.as_slice() == [Value::Bool(true)])
    }

    /// All reachable states, if there are at most this many.
    pub fn explore(&mut self, most: usize) -> Result<Graph, Stopped> {
        let mut numbers: FxHashMap<State, usize> = FxHashMap::default();
        let mut graph = Graph {
            states: self.initial_states()?,
            initial: Vec::new(),
            edges: Vec::new(),
            distance: Vec::new(),
        };
        for (number, state) in graph.states.iter().enumerate() {
            numbers.insert(state.clone(), number);
            graph.initial.push(number);
            graph.distance.push(0);
        }
        while graph.edges.len() < graph.states.len() {
            if graph.states.len() > most {
                return Err(Stopped::Limit);
            }
            let from = graph.edges.len();
            let state = graph.states[from].clone();
            let mut edges = Vec::new();
            for Successor { inputs, target } in self.steps(&state)? {
                let target = *numbers.entry(target).or_insert_with_key(|state| {
                    graph.states.push(state.clone());
                    graph.distance.push(graph.distance[from] + 1);
                    graph.states.len() - 1
                });
                edges.push(Edge { inputs, target });
            }
            graph.edges.push(edges);
        }
        Ok(graph)
    }
}
