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
mod witness;

use std::sync::Arc;

use suppose_model::horn::Horn;
use suppose_report::{HornKind, HornVerdict};
use suppose_smt::pipe::Choice;
use suppose_source::Sources;

use crate::args::{CheckArgs, ConvertArgs};
use crate::commands::{Desk, check::warning_lines, wrote};
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
    let choice = peers::choice(args.engine.horn.solver)?;
    let system = read(&args.input.files, &args.input.model)?;
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
    // No verdict rests on another solver, so what it led to is proved in any case.
    let proofs = !args.no_certify || args.certificate.is_some() || choice != Choice::Own;
    let prepared = match args.engine.horn.no_simplification {
        true => race::Prepared::plain(&subject.horn),
        false => race::Prepared::simplified(&subject.horn, desk),
    };
    let plan = engines::Plan::new(&args.engine, choice, &prepared.horn)?;
    let reply = race::run(&prepared, &plan, proofs, desk);
    let mut finding = evidence::judge(&subject, reply, &judges, desk);
    if let (Some(program), HornVerdict::Violated { derivation, calls }) =
        (&system.program, &mut finding.found.answer.verdict)
    {
        let (rows, warning) = calls::rows(program, derivation);
        *calls = rows;
        shared.lock().warnings.extend(warning);
    }
    if let Some(path) = &args.certificate
        && finding.found.is_sound()
    {
        let verdict = &finding.found.answer.verdict;
        finding.found.certificate_file = certify::write(path, &subject, &system.models, verdict)?;
    }
    write(args, &subject, &finding)?;
    if let (Some(path), Some(program), Some(model)) =
        (&args.witness, &system.program, system.models.first())
        && finding.found.is_sound()
    {
        witness::write(
            path,
            program,
            &subject.sources,
            model,
            &finding.found.answer.verdict,
        )?;
    }
    shared.lock().clauses.done = Some(Arc::new(finding));
    if let Some(path) = &args.report {
        let page = shared.snapshot().html(&desk.watch);
        write_file(path, page.as_bytes())?;
    }
    Ok(shared.snapshot().output(&desk.watch, desk.look))
}

/// Writes what was asked for, if there is something to write.
fn write(args: &CheckArgs, subject: &HornSubject, finding: &HornFinding) -> Result<(), Failure> {
    if let (Some(path), HornVerdict::Holds(proof)) =
        (&args.definitions, &finding.found.answer.verdict)
        && finding.found.is_sound()
    {
        let horn = &subject.horn;
        let text =
            suppose_frontends::smtlib::write_definitions(horn, &proof.terms, &proof.definitions);
        write_file(path, text.as_bytes())?;
    }
    Ok(())
}

/// Runs `convert`: a C program, or clauses in another form, as SMT-LIB clauses.
pub fn convert(args: &ConvertArgs, desk: &Desk) -> Result<Output, Failure> {
    let end = args.output.extension().and_then(|e| e.to_str());
    if end != Some("smt2") {
        let message = format!("`{}` is no name for clauses", args.output.display());
        return Err(Failure::usage(message).help("name it .smt2"));
    }
    if args.component.is_some() || args.minimise.is_some() {
        let what = "--component and --minimise are not for Horn clauses and C programs";
        return Err(Failure::usage(what));
    }
    let system = read(&args.inputs, &args.model)?;
    let text = suppose_frontends::smtlib::write(&system.horn);
    write_file(&args.output, text.as_bytes())?;
    Ok(wrote(&args.output, desk.look))
}
