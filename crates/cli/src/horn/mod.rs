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
mod overflow;
pub mod peers;
mod race;
mod read;
mod witness;

use std::sync::Arc;

use suppose_frontends::c::Claim;
use suppose_model::horn::Horn;
use suppose_report::{HornKind, HornVerdict};
use suppose_smt::pipe::Choice;
use suppose_source::Sources;

use crate::args::{CheckArgs, ConvertArgs};
use crate::commands::{Desk, check::warning_lines, wrote};
use crate::evidence_file::EvidenceFile;
use crate::failure::Failure;
use crate::output::{Output, write_file};

use findings::Part;
pub use findings::{Clauses, HornFinding};
use read::{HornSystem, read, read_for};

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
    desk.counters.begin("reading");
    options::refuse(args)?;
    let judges = evidence::Judges {
        none: args.no_certify,
        tools: peers::tools(&args.certify_with)?,
    };
    let choice = peers::choice(args.engine.horn.solver)?;
    let task = Task {
        args,
        judges,
        choice,
        desk,
    };
    let mut systems = Vec::new();
    for claim in claims(args) {
        systems.push(read_for(&args.input.files, &args.input.model, claim)?);
    }
    for system in &systems {
        task.begin(system, None);
    }
    // Nobody asked by name, so it is looked at for a turn, to say how far the other verdict goes.
    let glance = args.claims.properties.is_empty() && systems[0].kind.has_overflow();
    if glance {
        task.scope(Some(overflow::UNKNOWN));
    }
    let several = systems.len() > 1 || glance;
    let mut certificates = EvidenceFile::new(args.certificate.as_ref(), several, desk);
    for (at, system) in systems.iter().enumerate() {
        task.decide(at, system, None, &mut certificates)?;
    }
    if glance {
        overflow::glance(&task, &mut certificates)?;
    }
    certificates.finish();
    task.write(&systems[0]);
    desk.write_report(args.report.as_ref());
    Ok(desk.findings.snapshot().output(&desk.watch, desk.look))
}

/// What is claimed, in order. Of clauses there is one claim.
fn claims(args: &CheckArgs) -> Vec<Claim> {
    let asked = &args.claims.properties;
    let wanted = |name: &str| asked.iter().any(|p| p == name);
    match (wanted("no-overflow"), wanted("assertions")) {
        (true, true) => vec![Claim::Assertions, Claim::NoOverflow],
        (true, false) => vec![Claim::NoOverflow],
        (false, _) => vec![Claim::Assertions],
    }
}

/// What a run of `check` is asked for.
struct Task<'a> {
    args: &'a CheckArgs,
    judges: evidence::Judges,
    choice: Choice,
    desk: &'a Desk,
}

impl Task<'_> {
    /// The claim is known from here on.
    fn begin(&self, system: &HornSystem, done: Option<Arc<HornFinding>>) {
        let subject = Arc::new(system.subject());
        let mut findings = self.desk.findings.lock();
        for line in warning_lines(&system.warnings, &subject.sources) {
            if !findings.warnings.contains(&line) {
                findings.warnings.push(line);
            }
        }
        findings.full = self.args.full;
        findings.clauses.parts.push(Part {
            subject,
            done,
            scope: None,
        });
    }

    /// Says how far the first verdict goes.
    fn scope(&self, scope: Option<&str>) {
        if let Some(part) = self.desk.findings.lock().clauses.parts.first_mut() {
            part.scope = scope.map(str::to_owned);
        }
    }

    /// Finds the answer to a claim, and puts it where it can be told.
    fn decide(
        &self,
        at: usize,
        system: &HornSystem,
        plan: Option<engines::Plan>,
        certificates: &mut EvidenceFile,
    ) -> Result<(), Failure> {
        let finding = self.found(system, plan)?;
        let finding = self.kept(system, finding, certificates);
        // From here on the verdict is known, whatever becomes of the files.
        let mut findings = self.desk.findings.lock();
        if let Some(part) = findings.clauses.parts.get_mut(at) {
            part.done = Some(Arc::new(finding));
        }
        Ok(())
    }

    /// The answer to a claim, with its evidence checked.
    fn found(
        &self,
        system: &HornSystem,
        plan: Option<engines::Plan>,
    ) -> Result<HornFinding, Failure> {
        let (args, desk) = (self.args, self.desk);
        let subject = system.subject();
        desk.counters.begin(system.kind.question());
        // No verdict rests on another solver, so what it led to is proved in any case.
        let own = self.choice == Choice::Own;
        let proofs = !args.no_certify || args.certificate.is_some() || !own;
        let prepared = match args.engine.horn.no_simplification {
            true => race::Prepared::plain(&subject.horn),
            false => race::Prepared::simplified(&subject.horn, desk),
        };
        let plan = match plan {
            Some(plan) => plan,
            None => engines::Plan::new(
                &args.engine,
                self.choice.clone(),
                &prepared.horn,
                system.program.as_ref(),
            )?,
        };
        let reply = race::run(&prepared, &plan, proofs, desk);
        let mut finding = evidence::judge(&subject, reply, &self.judges, desk);
        if let (Some(program), HornVerdict::Violated { derivation, calls }) =
            (&system.program, &mut finding.found.answer.verdict)
        {
            let (rows, warnings) = calls::rows(program, derivation);
            *calls = rows;
            desk.findings.lock().warnings.extend(warnings);
        }
        Ok(finding)
    }

    /// Writes the evidence, if there is some and it is asked for.
    fn kept(
        &self,
        system: &HornSystem,
        mut finding: HornFinding,
        certificates: &mut EvidenceFile,
    ) -> HornFinding {
        let verdict = &finding.found.answer.verdict;
        let name = system.kind.question();
        match verdict {
            HornVerdict::Unknown { .. } => certificates.without(name, "the claim is not decided"),
            _ if !finding.found.is_sound() => {
                certificates.without(name, "the evidence was rejected");
            }
            _ => {
                let subject = system.subject();
                finding.found.certificate_file =
                    certificates.add(|out| certify::write(out, &subject, &system.models, verdict));
            }
        }
        finding
    }

    /// Writes definitions and witness, of the first claim.
    fn write(&self, system: &HornSystem) {
        let done = self.desk.findings.lock().clauses.parts.first().cloned();
        let Some(finding) = done.and_then(|part| part.done) else {
            return;
        };
        let subject = system.subject();
        self.desk
            .written(write(self.args, &subject, &finding, self.desk));
        let (Some(path), Some(program), Some(model)) =
            (&self.args.witness, &system.program, system.models.first())
        else {
            return;
        };
        if !finding.found.is_sound() {
            return;
        }
        let verdict = &finding.found.answer.verdict;
        let sources = &subject.sources;
        self.desk
            .written(witness::write(path, program, sources, model, verdict));
        if matches!(verdict, HornVerdict::Unknown { .. }) {
            let why = format!(
                "no witness was written to `{}`: there is no verdict",
                path.display()
            );
            self.desk.findings.lock().warnings.push(why);
        }
    }
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
