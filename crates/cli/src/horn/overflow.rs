//! The second claim about a C program: nothing overflows. Its answer says how far a verdict on the assertions goes.

use std::sync::Arc;

use suppose_frontends::c::Claim;
use suppose_report::HornVerdict;

use super::Task;
use super::engines::Plan;
use super::read::read_for;
use crate::evidence_file::EvidenceFile;
use crate::failure::Failure;

/// What is said of the assertions before anything is known of overflow, and when nothing could be found out.
pub const UNKNOWN: &str = "runs up to the first signed overflow; whether there is one was not decided \
     (--property no-overflow asks for it)";
const POSSIBLE: &str = "runs up to the first signed overflow; there is one, and C does not say what follows it: see no-overflow";

/// Looks for an overflow for a turn. What is decided is told as a claim of its own.
pub fn glance(task: &Task, certificates: &mut EvidenceFile) -> Result<(), Failure> {
    let args = task.args;
    if task.desk.watch.over().is_some() {
        return Ok(());
    }
    // What only this claim needs may be more than can be read: then nothing is found out.
    let Ok(system) = read_for(&args.input.files, &args.input.model, Claim::NoOverflow) else {
        return Ok(());
    };
    let Some(program) = &system.program else {
        return Ok(());
    };
    let finding = task.found(&system, Some(Plan::glance(program)))?;
    let violated = match &finding.found.answer.verdict {
        _ if !finding.found.is_sound() => true,
        HornVerdict::Unknown { .. } => return Ok(()),
        HornVerdict::Violated { .. } => true,
        HornVerdict::Holds(_) => false,
    };
    let finding = task.kept(&system, finding, certificates);
    task.begin(&system, Some(Arc::new(finding)));
    task.scope(violated.then_some(POSSIBLE));
    Ok(())
}
