//! Proofs about infinite runs, judged again.

use serde_json::json;
use suppose_certify::file::Limits;
use suppose_certify::program::{file, live};
use suppose_model::program::{LiveProof, Program};
use suppose_report::{grouped, shown};

use super::read::ProgramSystem;
use crate::certify::{EvidenceTask, Judged};
use crate::failure::Failure;

/// Judges every document of a file.
pub fn certify(system: &ProgramSystem, task: &EvidenceTask) -> Result<Vec<Judged>, Failure> {
    let program = &system.program;
    task.each_checked(
        |input| file::read(input, program, &system.models, &Limits::default()),
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
