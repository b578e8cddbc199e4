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
use crate::evidence_file::EvidenceFile;
use crate::failure::Failure;
use crate::output::{Output, write_file};

pub use findings::{Clauses, HornFinding};
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
    let mut certificates = EvidenceFile::new(args.certificate.as_ref(), false, desk);
    let verdict = &finding.found.answer.verdict;
    if finding.found.is_sound() && !matches!(verdict, HornVerdict::Unknown { .. }) {
        finding.found.certificate_file =
            certificates.add(|out| certify::write(out, &subject, &system.models, verdict));
    }
    certificates.finish();
    let finding = Arc::new(finding);
    // From here on the verdict is known, whatever becomes of the files.
    shared.lock().clauses.done = Some(Arc::clone(&finding));
    desk.written(write(args, &subject, &finding, desk));
    if let (Some(path), Some(program), Some(model)) =
        (&args.witness, &system.program, system.models.first())
        && finding.found.is_sound()
    {
        let verdict = &finding.found.answer.verdict;
        desk.written(witness::write(
            path,
            program,
            &subject.sources,
            model,
            verdict,
        ));
        if matches!(verdict, HornVerdict::Unknown { .. }) {
            let why = format!(
                "no witness was written to `{}`: there is no verdict",
                path.display()
            );
            shared.lock().warnings.push(why);
        }
    }
    desk.write_report(args.report.as_ref());
    Ok(shared.snapshot().output(&desk.watch, desk.look))
}

/// Writes what was asked for, if there is something to write.
fn write(
    args: &CheckArgs,
    subject: &HornSubject,
    finding: &HornFinding,
    desk: &Desk,
) -> Result<(), Failure> {
    if let (Some(path), false) = (
        &args.definitions,
        matches!(finding.found.answer.verdict, HornVerdict::Holds(_)),
    ) {
        let why = format!(
            "no definitions were written to `{}`: the clauses were not proved",
            path.display()
        );
        desk.findings.lock().warnings.push(why);
    }
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
        let message = format!("cannot write Horn clauses to `{}`", args.output.display());
        return Err(Failure::usage(message).help("use a name that ends in .smt2"));
    }
    let system = read(&args.inputs, &args.model)?;
    let text = suppose_frontends::smtlib::write(&system.horn);
    write_file(&args.output, text.as_bytes())?;
    Ok(wrote(&args.output, desk.look))
}
