//! PROMELA programs: `suppose check`, `report` and `assume` on them.

mod engines;
mod evidence;
pub mod parts;
pub mod read;
mod trail;
mod turns;

use std::sync::Arc;

use suppose_model::program::{Program, Question};
use suppose_model::{Reason, Verdict};
use suppose_report::{ProgramAnswer, ProgramVerdict};
use suppose_source::Sources;

use crate::args::{AssumeArgs, CheckArgs, ClaimArgs, EngineName};
use crate::commands::{Desk, check::warning_lines};
use crate::engines::{Engine, on_networks};
use crate::evidence_file::EvidenceFile;
use crate::failure::Failure;
use crate::findings::{Answered, Finding, Outcome, Shared};
use crate::output::Output;

pub use engines::{ProgramEngines, unknown as program_unknown};
pub use read::{ProgramSystem, network, read};

/// A program and the files that its spans point into.
#[derive(Debug)]
pub struct Subject {
    /// The program.
    pub program: Program,
    /// The files.
    pub sources: Sources,
}

/// One question, decided or not.
pub type ProgramFinding = Finding<ProgramAnswer>;

impl Answered for ProgramAnswer {
    fn engine(&self) -> &str {
        &self.engine
    }

    fn outcome(&self) -> Outcome<'_> {
        match &self.verdict {
            ProgramVerdict::Exhausted | ProgramVerdict::Evident | ProgramVerdict::Proved(_) => {
                Outcome::Holds
            }
            ProgramVerdict::Violated(_) => Outcome::Violated,
            ProgramVerdict::Unknown(reason) => Outcome::Unknown(reason),
        }
    }
}

/// Why there is no certificate of a search.
const ON_PARTS: &str = "only the engines that reason about parts (quotient, agar, learn) write certificates of a program";

/// Runs `check` on a program.
pub fn check(args: &CheckArgs, desk: &Desk) -> Result<Output, Failure> {
    let shared = desk.findings.clone();
    desk.counters.begin("reading");
    let system = read(&args.input.files, &args.input.model)?;
    let models = system.models.clone();
    let subject = begin(system, &args.claims, &shared)?;
    shared.lock().full = args.full;
    let mut engines = ProgramEngines::new(&subject, &args.engine, desk)?;
    engines.no_certify = args.no_certify;
    engines.recheck = args.recheck;
    let asked = shared.lock().asked.clone();
    let several = asked.len() > 1;
    let mut certificates = EvidenceFile::new(args.certificate.as_ref(), several, desk);
    let mut unwritten = 0;
    let mut violated = Vec::new();
    engines.decide(&asked, &mut |mut finding| {
        let question = finding.answer.question;
        let name = subject.program.question_name(question);
        match (&finding.answer.verdict, engines.network()) {
            // A shorter run takes the place of the first one.
            (ProgramVerdict::Violated(_), _) if violated.contains(&question) => {}
            _ if !finding.is_sound() => certificates.without(name, "the evidence was rejected"),
            (ProgramVerdict::Proved(proof), Some(network)) => {
                let verdict = Verdict::Holds(proof.clone());
                finding.certificate_file = certificates
                    .add(|out| crate::commands::certify::write(out, &network, &models, &verdict));
            }
            (ProgramVerdict::Unknown(reason), _) => certificates.without(name, reason.word()),
            (verdict, _) => {
                if matches!(verdict, ProgramVerdict::Violated(_)) {
                    violated.push(question);
                }
                unwritten += 1;
                certificates.without(name, ON_PARTS);
            }
        }
        note(&shared, finding);
        Ok(())
    })?;
    if unwritten > 0 && certificates.is_wanted() {
        shared.lock().warnings.push(ON_PARTS.to_owned());
    }
    certificates.finish();
    if let Some(path) = &args.trail {
        desk.written(trail::write(path, &subject.program, &shared));
    }
    desk.write_report(args.report.as_ref());
    Ok(shared.snapshot().output(&desk.watch, desk.look))
}

/// Runs `assume` on a program: what is required of a process.
pub fn assume(args: &AssumeArgs, desk: &Desk) -> Result<Output, Failure> {
    let shared = desk.findings.clone();
    desk.counters.begin("reading");
    let system = read(&args.input.files, &args.input.model)?;
    let asked = ClaimArgs {
        properties: args.properties.clone(),
        deadlock: false,
        no_deadlock: true,
    };
    let subject = begin(system, &asked, &shared)?;
    let engine = match args.engine {
        EngineName::Auto => Engine::Quotient,
        engine => on_networks(engine),
    };
    let engines = ProgramEngines::for_assumptions(&subject, engine, args, desk)?;
    let asked = shared.lock().asked.clone();
    let several = asked.len() > 1;
    for question in asked {
        let finding = engines.on_parts(question);
        if let (Some(path), Some(network)) = (&args.output, engines.network()) {
            let name = subject.program.question_name(question);
            let words = several.then(|| word(name));
            let (verdict, so_far) = (&finding.answer.verdict, &finding.answer.run.so_far);
            if let ProgramVerdict::Proved(proof) = verdict {
                desk.written(crate::commands::assume::write(path, words, &network, proof));
            } else if let Some(so_far) = so_far {
                let path = crate::commands::with_words(path, words.as_slice());
                let assumption = &so_far.assumption;
                let written =
                    crate::commands::convert::write_assumption(&path, &network, assumption);
                desk.written(written);
            }
        }
        note(&shared, finding);
    }
    Ok(shared.snapshot().output(&desk.watch, desk.look))
}

/// A name in the name of a file.
fn word(name: &str) -> String {
    let safe = |c: char| {
        if c.is_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    name.chars().map(safe).collect()
}

/// One question less to wait for. A second answer takes the place of the first: a shorter counterexample.
pub fn note(shared: &Shared, finding: ProgramFinding) {
    let mut findings = shared.lock();
    let question = finding.answer.question;
    findings.asked.retain(|q| *q != question);
    findings.answered.retain(|f| f.answer.question != question);
    findings.answered.push(Arc::new(finding));
    findings.answered.sort_by_key(|f| f.answer.question);
}

/// Notes what was read and what is asked.
pub fn begin(
    system: ProgramSystem,
    asked: &ClaimArgs,
    shared: &Shared,
) -> Result<Arc<Subject>, Failure> {
    let program = &system.program;
    let mut findings = shared.lock();
    findings.warnings = warning_lines(&system.warnings, &system.sources);
    let known = |name: &String| {
        let questions = program.questions();
        let mut names = questions.iter().map(|q| program.question_name(*q));
        names.any(|n| n == name) || system.undecided.iter().any(|u| u.name == *name)
    };
    if let Some(name) = asked.properties.iter().find(|name| !known(name)) {
        return Err(no_question(name, program));
    }
    let wanted = |name: &str| match asked.properties.is_empty() {
        true => !asked.deadlock,
        false => asked.properties.iter().any(|n| n == name),
    };
    for claim in system.undecided.iter().filter(|u| wanted(&u.name)) {
        let warning = format!("{}: {}", claim.name, claim.reason);
        findings.warnings.push(warning);
        let why = Reason::Unsupported(String::new()).word().to_owned();
        findings.undecided.push((claim.name.clone(), why));
    }
    let wants = |question: &Question| {
        let by_name = wanted(program.question_name(*question));
        match question {
            Question::EndStates if asked.deadlock => true,
            Question::EndStates if asked.no_deadlock => false,
            _ => by_name,
        }
    };
    findings.asked = program.questions().into_iter().filter(wants).collect();
    let subject = Arc::new(Subject {
        program: system.program,
        sources: system.sources,
    });
    findings.subject = Some(Arc::clone(&subject));
    Ok(subject)
}

fn no_question(name: &str, program: &Program) -> Failure {
    let questions = program.questions();
    let names: Vec<&str> = questions
        .iter()
        .map(|q| program.question_name(*q))
        .collect();
    Failure::unknown_name("property", "the properties", name, names)
}
