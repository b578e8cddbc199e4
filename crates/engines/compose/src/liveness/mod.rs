//! Liveness of networks: `progress` and formulas of linear temporal logic, on the whole composition.
//!
//! The processes are explored together with the fluents of the claim and with what is left of its formula after the letters seen
//! so far (`residual`), or, without fairness, with what a run must still do to violate it (`owed`). `fair` decides
//! under fair choice from the terminal sets of this graph, `all_runs` without from its strongly connected components.
//! Counterexamples are runs with a cycle; `certify::liveness` says why certificates prove what they say.

mod all_runs;
mod fair;
mod graph;
mod letters;
mod owed;
mod recurrence;
mod residual;

use std::time::Instant;

use suppose_control::{Context, Event};
use suppose_model::lts::{Fairness, Label, Liveness, Network, Proposition, Temporal};
use suppose_model::{Answer, Certificate, Claim, NetworkStep, Reason, Run, Verdict};

use self::fair::Found;
pub(crate) use self::graph::Track;
use self::graph::{Edge, Failed, Graph, Processes, explore};
pub(crate) use self::letters::Letters;
pub(crate) use self::owed::Owed;
pub(crate) use self::residual::TooLarge;
use self::residual::{Reading, Residuals};
use crate::product::initial_states;
use crate::with_width;

/// The name of the engine in answers.
pub const NAME: &str = "monolithic";

/// Decides the liveness claim of that number.
pub fn check(network: &Network, number: usize, cx: &Context) -> Answer {
    let begun = Instant::now();
    let claim = Claim::Liveness(number);
    let processes = Processes::new(network, number);
    cx.emit(Event::Phase("exploring the whole system".to_owned()));
    let mut run = Run {
        groups: vec![processes.members.clone()],
        ..Run::default()
    };
    let words = processes.product.layout().words();
    let found = with_width!(words, decide(&processes, number, &mut run, cx), else {
        Err(Failed::TooLarge)
    });
    let verdict = match found {
        Ok(Ok(proof)) => Verdict::Holds(Box::new(Certificate {
            claim,
            assumptions: Vec::new(),
            premises: Vec::new(),
            liveness: Some(Box::new(proof)),
        })),
        Ok(Err(run)) => Verdict::Violated(run),
        Err(Failed::Stopped(stopped)) => Verdict::Unknown(stopped.into()),
        Err(Failed::TooLarge) => {
            let why = "the automaton of its formula is too large";
            Verdict::Unknown(Reason::Unsupported(why.to_owned()))
        }
    };
    run.elapsed = begun.elapsed();
    Answer {
        claim,
        engine: NAME.to_owned(),
        verdict,
        run,
    }
}

/// What is left of a claim after some actions; none if that is too large. Its formulas keep their numbers.
pub(crate) fn after(network: &Network, number: usize, actions: &[Label]) -> Option<Liveness> {
    let claim = &network.liveness[number];
    let mut letters = Letters::new(network, claim);
    let mut residuals = Residuals::new(claim);
    let mut left = residuals.of(claim.root).ok()?;
    let mut fluents = letters.initial().to_vec();
    for action in actions {
        let class = letters.class_of(Some(*action));
        letters.apply(class, &mut fluents);
        let letter = letters.letter(class, &fluents);
        let holds = |proposition| letters.holds(letter, proposition);
        left = residuals.after(left, Reading::Plain, &holds).ok()?;
    }
    let mut claim = claim.clone();
    let slots = letters.slots(&fluents).collect::<Vec<u32>>();
    let numbers: Vec<usize> = claim.fluents().collect();
    for (number, slot) in numbers.into_iter().zip(slots) {
        if let Proposition::Fluent { initially, .. } = &mut claim.propositions[number] {
            *initially = slot == 1;
        }
    }
    let mut any = Vec::new();
    for alternative in residuals.get(left).clone() {
        any.push(claim.nodes.len() as u32);
        claim.nodes.push(Temporal::And(alternative));
    }
    claim.root = claim.nodes.len() as u32;
    claim.nodes.push(Temporal::Or(any));
    Some(claim)
}

fn decide<const W: usize>(
    processes: &Processes<'_>,
    number: usize,
    run: &mut Run,
    cx: &Context,
) -> Result<Found, Failed> {
    let claim = &processes.network.liveness[number];
    let mut letters = Letters::new(processes.network, claim);
    let mut noted = |graph: &Graph| {
        run.states = graph.states() as u64;
        run.largest = run.states;
        run.transitions = graph.transitions() as u64;
    };
    let number = Claim::Liveness(number);
    match claim.fairness {
        Fairness::FairChoice => {
            let mut residuals = Residuals::new(claim);
            let graph = explore::<W>(processes, &mut letters, &mut residuals, cx)?;
            noted(&graph);
            fair::decide(processes, number, &graph, &mut letters, &mut residuals, cx)
        }
        Fairness::None => {
            let mut owed = Owed::new(claim);
            let graph = explore::<W>(processes, &mut letters, &mut owed, cx)?;
            noted(&graph);
            all_runs::decide(processes, number, &graph, &mut letters, &owed, cx)
        }
    }
}

/// The steps of the system along a path; a system that has stopped takes none.
fn run_of(processes: &Processes<'_>, graph: &Graph, path: &[Edge]) -> Vec<NetworkStep> {
    let layout = processes.product.layout();
    let step = |edge: &Edge| {
        let label = edge.action()?;
        let mut states = initial_states(processes.network);
        let moved = graph.process_states(layout, edge.target, processes.members.len());
        for (member, state) in processes.members.iter().zip(moved) {
            states[*member] = state;
        }
        Some(NetworkStep { label, states })
    };
    path.iter().filter_map(step).collect()
}
