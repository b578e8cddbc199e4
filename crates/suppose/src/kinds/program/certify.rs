//! Proofs about infinite runs, and runs that violate a claim, judged again.

use serde_json::json;
use suppose_certify::file::ReadLimits;
use suppose_certify::program::{file, live, run, visited};
use suppose_model::program::{LiveProof, Program, Trace, Visited};
use suppose_report::{grouped, shown};

use super::engines::cores;
use super::read::ProgramSystem;
use crate::certify::{EvidenceTask, Judged};
use crate::failure::Failure;

/// Judges every document of a file with proofs.
pub fn certify(system: &ProgramSystem, task: &EvidenceTask) -> Result<Vec<Judged>, Failure> {
    let program = &system.program;
    task.each_checked(
        |input| file::read(input, program, &system.models, &ReadLimits::default()),
        |proof, cx| live(program, proof, cx),
        |proof, ()| accepted(program, proof),
    )
}

fn accepted(program: &Program, proof: &LiveProof) -> Judged {
    let name = program.question_name(proof.question).to_owned();
    let states = proof.states.len() as u64;
    let fair = if proof.fair {
        ", under weak fairness"
    } else {
        ""
    };
    let line = format!(
        "certificate for {}: accepted ({} states, {} numbers{fair})",
        shown(&name),
        grouped(states),
        grouped(proof.missed.len() as u64),
    );
    let sizes = json!({ "states": states, "numbers": proof.missed.len(), "fair": proof.fair });
    Judged::holds(name, line, sizes)
}

/// Judges every document of a file with states.
pub fn certify_states(system: &ProgramSystem, task: &EvidenceTask) -> Result<Vec<Judged>, Failure> {
    let program = &system.program;
    task.each_checked(
        |input| file::read(input, program, &system.models, &ReadLimits::default()),
        |set: &Visited, cx| visited(program, set, cores(), cx),
        |set, ()| {
            let name = program.question_name(set.question).to_owned();
            let states = set.states.len() as u64;
            let line = format!(
                "certificate for {}: accepted ({} states)",
                shown(&name),
                grouped(states),
            );
            Judged::holds(name, line, json!({ "states": states }))
        },
    )
}

/// Judges every document of a file with runs.
pub fn certify_run(system: &ProgramSystem, task: &EvidenceTask) -> Result<Vec<Judged>, Failure> {
    let program = &system.program;
    task.each_checked(
        |input| file::read(input, program, &system.models, &ReadLimits::default()),
        |trace, cx| run(program, trace, cx),
        |trace, ()| shown_run(program, trace),
    )
}

fn shown_run(program: &Program, trace: &Trace) -> Judged {
    let name = program.question_name(trace.question).to_owned();
    let steps = trace.steps.len() as u64;
    let repeats = match trace.cycle {
        Some(cycle) if cycle.step as u64 == steps => ", then the claim alone repeats".to_owned(),
        Some(cycle) => format!(", of which the last {} repeat", steps - cycle.step as u64),
        None => String::new(),
    };
    let fair = match trace.cycle {
        Some(cycle) if cycle.fair => ", weakly fair",
        _ => "",
    };
    let line = format!(
        "counterexample for {}: accepted ({} steps{repeats}{fair})",
        shown(&name),
        grouped(steps),
    );
    let sizes = json!({
        "steps": steps,
        "repeats_from": trace.cycle.map(|c| c.step),
        "fair": trace.cycle.is_some_and(|c| c.fair),
    });
    Judged::violated(name, line, sizes)
}
