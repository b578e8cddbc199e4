//! Horn clauses, and C programs, which become clauses: `suppose check`, `report` and `certify` on them.
//!
//! The way of an answer: the text becomes clauses, an engine (or two side by side) finds definitions
//! or a derivation, the definitions are proved clause by clause, and what comes out is put before the checker,
//! which knows neither the engine nor the solver.

mod calls;
pub mod certify;
mod engines;
mod evidence;
mod findings;
mod options;
pub mod peers;
mod race;
mod read;

use std::sync::Arc;

use suppose_model::horn::Horn;
use suppose_report::{HornKind, HornVerdict};
use suppose_source::Sources;

use crate::args::CheckArgs;
use crate::commands::{Desk, check::warning_lines};
use crate::failure::Failure;
use crate::output::{Output, write_file};

pub use findings::{Clauses, HornFinding};
pub use options::only_for_clauses;
use read::read;

/// Clauses and the files that their places point into.
#[derive(Debug)]
pub struct HornSubject {
    /// The clauses.
    pub horn: Arc<Horn>,
    /// The files.
    pub sources: Sources,
    /// What they were made from.
    pub kind: HornKind,
}

/// Runs `check` on clauses or on a C program.
pub fn check(args: &CheckArgs, desk: &Desk) -> Result<Output, Failure> {
    let shared = desk.findings.clone();
    desk.counters.begin("reading");
    options::refuse(args)?;
    let judges = evidence::Judges {
        none: args.no_certify,
        tools: peers::tools(&args.certify_with)?,
    };
    let system = read(&args.input)?;
    let subject = Arc::new(HornSubject {
        horn: Arc::clone(&system.horn),
        sources: system.sources,
        kind: system.kind,
    });
    {
        let mut findings = shared.lock();
        findings.warnings = warning_lines(&system.warnings, &subject.sources);
        findings.full = args.full;
        findings.clauses.subject = Some(Arc::clone(&subject));
    }
    desk.counters.begin(system.kind.question());
    let proofs = !args.no_certify || args.certificate.is_some();
    let prepared = match args.engine.horn.no_simplification {
        true => race::Prepared::plain(&subject.horn),
        false => race::Prepared::simplified(&subject.horn, desk),
    };
    let plan = engines::Plan::new(&args.engine, &prepared.horn)?;
    let reply = race::run(&prepared, &plan, proofs, desk);
    let mut finding = evidence::judge(&subject, reply, &judges, desk);
    if let (Some(program), HornVerdict::Violated { derivation, calls }) =
        (&system.program, &mut finding.answer.verdict)
    {
        let (rows, warning) = calls::rows(program, derivation);
        *calls = rows;
        shared.lock().warnings.extend(warning);
    }
    if let Some(path) = &args.certificate
        && finding.is_sound()
    {
        let verdict = &finding.answer.verdict;
        finding.certificate_file = certify::write(path, &subject, &system.models, verdict)?;
    }
    write(args, &subject, &finding)?;
    shared.lock().clauses.done = Some(Arc::new(finding));
    if let Some(path) = &args.report {
        let page = shared.snapshot().html(&desk.watch);
        write_file(path, page.as_bytes())?;
    }
    Ok(shared.snapshot().output(&desk.watch, desk.look))
}

/// Writes what was asked for, if there is something to write.
fn write(args: &CheckArgs, subject: &HornSubject, finding: &HornFinding) -> Result<(), Failure> {
    if let (Some(path), HornVerdict::Holds(proof)) = (&args.definitions, &finding.answer.verdict)
        && finding.is_sound()
    {
        let horn = &subject.horn;
        let text =
            suppose_frontends::smtlib::write_definitions(horn, &proof.terms, &proof.definitions);
        write_file(path, text.as_bytes())?;
    }
    Ok(())
}
