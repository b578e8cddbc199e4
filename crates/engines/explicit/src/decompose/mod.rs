//! From a program to a network of transition systems.
//!
//! Every process becomes a component over the labels it shares with others: what is left of its
//! statements when it has put in what it knows itself (`x==2`, `ch!5`, `ch?7`). Every cluster of shared
//! variables and buffered channels becomes a component that answers to those labels. A rendezvous is a
//! label of two processes. An assertion that fails is a label that the property `assertions` forbids;
//! so is a state where a claim of the form "always p" is false. All engines on networks can then
//! reason about the parts.
//!
//! What is refused, with the reason: processes that are made after the start; `timeout`, `_nr_pr`, `_last`,
//! priorities, references to other processes; channels that are exchanged through shared variables.

mod emit;
mod explore;
mod network;
mod ops;
mod process;
mod residual;
mod shape;
mod start;
mod store;
mod text;
mod trace;

use suppose_control::{Context, Stopped};
use suppose_model::lts::{Label, Network};
use suppose_model::program::run::TraceStep;
use suppose_model::program::{Action, Claim, Expr, Program, Question};

use explore::{Explorer, Failed, Key, Ops};
use residual::{Local, View, not};
use shape::Shape;
use store::Clusters;

pub use trace::Steps;

/// Why a program has no network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// For people: what is in the way.
    pub why: String,
}

/// Why there is no network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecompositionError {
    /// The program is not of the kind that can be taken apart.
    Refused(Refusal),
    /// It was told to stop.
    Stopped(Stopped),
}

/// How large the parts may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecompositionLimits {
    /// States of one component.
    pub states: u64,
    /// Labels of all.
    pub labels: u64,
    /// Keep all states of the processes, those too that they pass by steps that concern nobody else.
    pub whole: bool,
}

impl Default for DecompositionLimits {
    fn default() -> Self {
        DecompositionLimits {
            states: 1 << 19,
            labels: 1 << 16,
            whole: false,
        }
    }
}

/// A process as a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its number in the program.
    pub process: usize,
    /// Its name: that of its proctype, with the number where there are several.
    pub name: String,
    /// Its component.
    pub component: usize,
}

/// A program taken apart.
#[derive(Clone, Debug)]
pub struct Decomposed {
    /// The parts, and the properties.
    pub network: Network,
    /// The processes that do anything shared, in the order of their numbers. The other components are
    /// shared variables, channels and claims.
    pub parts: Vec<Part>,
    /// The questions that became properties, by their numbers in the network.
    pub questions: Vec<(Question, usize)>,
    /// Can the network do more than the program? Then a violation may be none: see [`Decomposed::trace`].
    pub over_approximates: bool,
    steps: Steps,
    begin: Vec<TraceStep>,
    keys: Vec<(Label, Key)>,
    ops: Ops,
    channels: Vec<String>,
    kinds: Vec<u32>,
}

/// Takes a program apart.
pub fn decompose(
    program: &Program,
    limits: DecompositionLimits,
    cx: &Context,
) -> Result<Decomposed, DecompositionError> {
    let refuse = |why: &str| {
        let why = why.to_owned();
        Err(DecompositionError::Refused(Refusal { why }))
    };
    if program.uses_priority {
        return refuse("the program uses priorities");
    }
    if program.globals.iter().any(|slot| slot.hidden) {
        return refuse("the program has hidden variables");
    }
    let mut provided = program.proctypes.iter().filter_map(|p| p.provided.as_ref());
    if provided.any(Expr::may_fail) {
        return refuse("a `provided` can go wrong");
    }
    if program.proctypes.iter().any(|p| !p.promises.is_empty()) {
        return refuse(
            "processes have channels for themselves (`xr`, `xs`), which parts cannot see kept",
        );
    }
    let begin = start::begin(program).map_err(DecompositionError::Refused)?;
    let shape = Shape::new(program, &begin.state);
    let cells = program.globals.len() + begin.state.channels.len() + 1;
    let mut clusters = Clusters::new(cells);
    loop {
        let mut explorer = Explorer::new(program, &shape, &begin.state, &mut clusters, limits, cx);
        match explore(&mut explorer) {
            Ok(watched) => return Ok(network::build(explorer, &begin, &watched)),
            Err(Failed::Again) => {}
            Err(Failed::Refused(refusal)) => return Err(DecompositionError::Refused(refusal)),
            Err(Failed::Stopped(why)) => return Err(DecompositionError::Stopped(why)),
        }
    }
}

/// Explores everything; the numbers of the claims that are watched.
fn explore(explorer: &mut Explorer) -> Result<Vec<usize>, Failed> {
    let mut watched = Vec::new();
    for (number, claim) in explorer.program.claims.iter().enumerate() {
        if explorer.program.is_liveness(Question::Claim(number)) {
            continue;
        }
        // Where looking at the state can go wrong, the claim is violated by that too, and parts do not see it.
        let conditions = invariant(claim).filter(|all| !all.iter().any(|e| e.may_fail()));
        let Some(conditions) = conditions else {
            continue;
        };
        let nothing = Local {
            location: 0,
            values: [].into(),
        };
        let view = View {
            program: explorer.program,
            shape: explorer.shape,
            process: None,
            local: &nothing,
            facts: &[],
            seen: None,
            asks: false,
        };
        let conditions: Result<Vec<Expr>, _> =
            conditions.iter().map(|e| view.residual(e)).collect();
        let Ok(conditions) = conditions else {
            continue;
        };
        watched.push(number);
        for condition in conditions {
            if condition != Expr::Const(0) {
                explorer.observe(number, condition)?;
            }
        }
    }
    explorer.run()?;
    Ok(watched)
}

/// For a claim that says "never b": the conditions b. The automaton stays where it is until one holds.
fn invariant(claim: &Claim) -> Option<Vec<&Expr>> {
    let here = claim.locations.get(claim.entry as usize)?;
    let (mut bad, mut stays) = (Vec::new(), false);
    for edge in &here.edges {
        match (&edge.action, edge.target) {
            (Action::Guard(test), to) if to == claim.end => bad.push(test),
            (Action::Guard(Expr::Const(value)), to) if to == claim.entry => stays |= *value != 0,
            (Action::Else, to) if to == claim.entry => stays = true,
            (Action::Guard(_), to) if to == claim.entry => {}
            _ => return None,
        }
    }
    // Staying on the opposite of the only condition is staying forever.
    let opposite = |test: &Expr| match bad.as_slice() {
        [one] => not(test.clone()) == **one || not((*one).clone()) == *test,
        _ => false,
    };
    stays |= here.edges.iter().any(|e| {
        e.target == claim.entry && matches!(&e.action, Action::Guard(test) if opposite(test))
    });
    stays.then_some(bad)
}
