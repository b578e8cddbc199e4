//! Verdicts on systems that are small enough to be examined state by state.

use rustc_hash::FxHashMap;
use suppose_model::fsm::{
    Edge, ExprId, Fairness, FormulaId, Graph, Question, Simulator, State, System,
};

use super::explicit_graph::{CtlChecker, ExplicitGraph};
use super::fair::GraphEdge;
use super::linear::{self, Cores, Refused};
use super::run::speaks_of_steps;
use super::{Accepted, CheckLimits, Refusal, flaw, incomplete};

/// What is claimed of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// It holds.
    Holds,
    /// It is violated.
    Violated,
    /// What `COMPUTE` gives; none is infinite.
    Steps(Option<u64>),
    /// `COMPUTE MAX` gives nothing, as there is no state to begin in or none to end in.
    Undefined,
}

impl Expected {
    fn of(truth: bool) -> Expected {
        if truth {
            Expected::Holds
        } else {
            Expected::Violated
        }
    }

    fn show(self) -> String {
        match self {
            Expected::Holds => "it holds".to_owned(),
            Expected::Violated => "it is violated".to_owned(),
            Expected::Steps(Some(steps)) => format!("the number is {steps}"),
            Expected::Steps(None) => "the number is infinite".to_owned(),
            Expected::Undefined => "there is no number".to_owned(),
        }
    }
}

/// Accepts what is claimed of a property if all reachable states, within the limits, show it.
pub fn check_small(
    system: &System,
    question: &Question,
    expected: Expected,
    limits: &CheckLimits,
) -> Result<Accepted, Refusal> {
    limits.poll()?;
    let mut simulator = Simulator::new(system, limits.tries);
    let graph = explore(&mut simulator, limits)?;
    let edges = graph.edges.iter().map(Vec::len).sum();
    let states = graph.states.len();
    let mut explored = Explored {
        valued: valued(&graph),
        simulator,
        graph,
    };
    explored.fairness()?;
    let found = explored.decide(question, limits)?;
    let mut undefined = || explored.is_undefined(question);
    match found == expected || expected == Expected::Undefined && undefined()? {
        true => Ok(Accepted::Explored { states, edges }),
        false => flaw(format!("all states were explored, and {}", found.show())),
    }
}

/// All reachable states. Asks after each whether to give up, as there may be many.
pub(super) fn explore(
    simulator: &mut Simulator<'_>,
    limits: &CheckLimits,
) -> Result<Graph, Refusal> {
    let system = simulator.system();
    let large = |most: usize, what: &str| {
        let why = format!("there are more than {most} {what}");
        Err(Refusal::TooLarge(why))
    };
    let states = simulator.initial_states();
    let states = states.map_err(|it| incomplete(system, it))?;
    let numbered = states.iter().cloned().enumerate();
    let mut numbers: FxHashMap<State, usize> = numbered.map(|(n, s)| (s, n)).collect();
    let mut graph = Graph {
        initial: (0..states.len()).collect(),
        distance: vec![0; states.len()],
        states,
        edges: Vec::new(),
    };
    let mut count = 0;
    while graph.edges.len() < graph.states.len() {
        limits.poll()?;
        if graph.states.len() > limits.states {
            return large(limits.states, "states");
        }
        let from = graph.edges.len();
        let steps = simulator.steps(&graph.states[from]);
        let mut edges = Vec::new();
        for step in steps.map_err(|it| incomplete(system, it))? {
            let fresh = graph.states.len();
            let target = *numbers.entry(step.target.clone()).or_insert(fresh);
            if target == fresh {
                graph.states.push(step.target);
                graph.distance.push(graph.distance[from] + 1);
            }
            edges.push(Edge {
                inputs: step.inputs,
                target,
            });
        }
        count += edges.len();
        if count > limits.edges {
            return large(limits.edges, "steps");
        }
        graph.edges.push(edges);
    }
    Ok(graph)
}

fn valued(graph: &Graph) -> ExplicitGraph {
    let mut line = 0;
    let mut arrows = |edges: &Vec<Edge>| {
        let arrows = edges.iter().map(|edge| {
            line += 1;
            GraphEdge {
                to: edge.target,
                line: line - 1,
            }
        });
        arrows.collect()
    };
    ExplicitGraph {
        initial: graph.initial.clone(),
        next: graph.edges.iter().map(&mut arrows).collect(),
        ..ExplicitGraph::default()
    }
}

struct Explored<'a> {
    simulator: Simulator<'a>,
    graph: Graph,
    valued: ExplicitGraph,
}

impl Explored<'_> {
    fn on_lines(&mut self, expr: ExprId) -> Result<Vec<bool>, Refusal> {
        let system = self.simulator.system();
        let mut holds = Vec::new();
        for (from, edges) in self.graph.edges.iter().enumerate() {
            for edge in edges {
                let (state, target) = (&self.graph.states[from], &self.graph.states[edge.target]);
                let truth = self.simulator.holds(expr, state, &edge.inputs, target);
                holds.push(truth.map_err(|it| super::fault(system, it))?);
            }
        }
        Ok(holds)
    }

    fn on_states(&mut self, expr: ExprId) -> Result<Vec<bool>, Refusal> {
        let system = self.simulator.system();
        let mut holds = Vec::new();
        for state in &self.graph.states {
            let truth = self.simulator.holds(expr, state, &[], &[]);
            holds.push(truth.map_err(|it| super::fault(system, it))?);
        }
        Ok(holds)
    }

    fn fairness(&mut self) -> Result<(), Refusal> {
        for fairness in &self.simulator.system().fairness {
            match fairness {
                Fairness::Justice(e) => {
                    let set = self.on_lines(*e)?;
                    self.valued.fair.justice.push(set);
                }
                Fairness::Compassion(p, q) => {
                    let pair = (self.on_lines(*p)?, self.on_lines(*q)?);
                    self.valued.fair.compassion.push(pair);
                }
            }
        }
        Ok(())
    }

    fn decide(&mut self, question: &Question, limits: &CheckLimits) -> Result<Expected, Refusal> {
        let system = self.simulator.system();
        match question {
            Question::Invariant(expr) => {
                let set = match speaks_of_steps(system, *expr) {
                    true => self.on_lines(*expr)?,
                    false => self.on_states(*expr)?,
                };
                Ok(Expected::of(set.iter().all(|holds| *holds)))
            }
            Question::Ctl(formula) => {
                self.label_states(*formula)?;
                let holds = CtlChecker::new(&self.valued).holds(&system.formulas, *formula);
                match holds {
                    Ok(holds) => Ok(Expected::of(holds)),
                    Err(_) => flaw("the formula is none of CTL"),
                }
            }
            Question::Ltl(formula) => self.linear(*formula, limits),
            Question::ComputeMin(from, to) => {
                let (from, to) = (self.fair_set(*from)?, self.fair_set(*to)?);
                Ok(Expected::Steps(self.shortest(from, &to)))
            }
            Question::ComputeMax(from, to) => {
                let (from, to) = (self.fair_set(*from)?, self.fair_set(*to)?);
                Ok(self.longest(&from, &to))
            }
        }
    }

    fn label_states(&mut self, formula: FormulaId) -> Result<(), Refusal> {
        for atom in self.simulator.system().formulas.atoms(formula) {
            let set = self.on_states(atom)?;
            self.valued.on_states.insert(atom, set);
        }
        Ok(())
    }

    /// The states where a formula holds and from which a fair run continues.
    fn fair_set(&mut self, formula: FormulaId) -> Result<Vec<bool>, Refusal> {
        self.label_states(formula)?;
        let formulas = &self.simulator.system().formulas;
        let branching = CtlChecker::new(&self.valued);
        match branching.states(formulas, formula) {
            Ok(set) => Ok(set
                .iter()
                .zip(branching.fair())
                .map(|(a, b)| *a && *b)
                .collect()),
            Err(_) => flaw("the formula is none of CTL"),
        }
    }

    fn linear(&mut self, formula: FormulaId, limits: &CheckLimits) -> Result<Expected, Refusal> {
        let system = self.simulator.system();
        let large = || {
            Err(Refusal::TooLarge(
                "the formula has too many parts".to_owned(),
            ))
        };
        let (cores, top) = match Cores::of(&system.formulas, formula) {
            Ok(cores) => cores,
            Err(Refused::Foreign) => return flaw("this is not an LTL formula"),
            Err(Refused::TooLarge) => return large(),
        };
        for atom in system.formulas.atoms(formula) {
            let set = self.on_lines(atom)?;
            self.valued.on_lines.insert(atom, set);
        }
        match linear::holds(&self.valued, &cores, top, limits.edges.saturating_mul(10)) {
            Ok(Some(holds)) => Ok(Expected::of(holds)),
            Ok(None) => large(),
            Err(_) => flaw("this is not an LTL formula"),
        }
    }

    /// Does `COMPUTE MAX` have no state to begin in, or none to end in? A number (how long
    /// ways stay out) can be given all the same, so both are right.
    fn is_undefined(&mut self, question: &Question) -> Result<bool, Refusal> {
        let Question::ComputeMax(from, to) = question else {
            return Ok(false);
        };
        let (from, to) = (self.fair_set(*from)?, self.fair_set(*to)?);
        Ok(!from.contains(&true) || !to.contains(&true))
    }

    /// Steps of a shortest way from a set to another.
    fn shortest(&self, from: Vec<bool>, to: &[bool]) -> Option<u64> {
        let mut seen = from.clone();
        let mut now: Vec<usize> = (0..from.len()).filter(|s| from[*s]).collect();
        let mut steps = 0;
        while !now.is_empty() {
            if now.iter().any(|s| to[*s]) {
                return Some(steps);
            }
            let mut next = Vec::new();
            for arrow in now.iter().flat_map(|s| &self.valued.next[*s]) {
                if !std::mem::replace(&mut seen[arrow.to], true) {
                    next.push(arrow.to);
                }
            }
            now = next;
            steps += 1;
        }
        None
    }

    /// How long ways from the first set that fair runs take can stay out of the second.
    fn longest(&self, from: &[bool], to: &[bool]) -> Expected {
        let branching = CtlChecker::new(&self.valued);
        let fair = branching.fair().iter();
        let mut stays: Vec<bool> = to.iter().zip(fair).map(|(t, f)| *f && !*t).collect();
        for steps in 0.. {
            if !stays.iter().zip(from).any(|(a, b)| *a && *b) {
                return Expected::Steps(Some(steps));
            }
            let longer = |(s, arrows): (usize, &Vec<GraphEdge>)| {
                stays[s] && arrows.iter().any(|arrow| stays[arrow.to])
            };
            let longer: Vec<bool> = self.valued.next.iter().enumerate().map(longer).collect();
            if longer == stays {
                break;
            }
            stays = longer;
        }
        Expected::Steps(None)
    }
}
