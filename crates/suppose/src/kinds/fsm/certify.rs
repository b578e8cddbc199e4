//! `suppose certify` on SMV models, and the writing of evidence.
//!
//! Evidence is about the part of the system that its property depends on. A file names the property by its number in the model, so the
//! part is found again from the model alone.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::json;
use suppose_aig::{invariant_as_aiger, invariant_as_smtlib, model_as_aiger};
use suppose_certify::Rejection;
use suppose_certify::file::sections::Section;
use suppose_certify::file::{Malformed, ReadLimits};
use suppose_certify::fsm::file::{self, About, Evidence, Origin};
use suppose_certify::fsm::{Expected, Refusal};
use suppose_control::{Supervisor, catch};
use suppose_model::Reason;
use suppose_model::fsm::{Answer, Basis, Claim, Proof, System, Verdict};
use suppose_report::{ShownVerdict, shown};

use super::evidence::{self, Judged, Manner};
use super::read::{SmvModel, read_sound};
use crate::certify::{self as command, EvidenceTask};
use crate::evidence_file::Documents;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::files::with_words;
use crate::options::SmvOutputOptions;
use crate::session::Session;

/// What a file was found to be.
enum CheckResult {
    Accepted(Claim, Evidence),
    /// Nothing is wrong with it, but not everything could be looked at.
    Open(Claim, String),
    Rejected(String),
}

/// Checks evidence again. The file says in which dialect the model is, if the command line does not.
pub fn certify(task: &EvidenceTask) -> Result<Vec<command::Judged>, Failure> {
    let (documents, session) = (task.documents, task.session);
    let limits = ReadLimits::default();
    let mut model = task.model.clone();
    for section in &documents.sections {
        if let Ok(about) = file::about(documents.open(section)?, &limits) {
            model.smv.dialect.get_or_insert(about.dialect.into());
        }
    }
    let system = read_sound(task.source, &model, session)?;
    session.counters.begin("checking the evidence");
    task.each(|section| {
        let rejected = |it: &Malformed| CheckResult::Rejected(documents.unreadable(section, it));
        let outcome = match file::about(documents.open(section)?, &limits) {
            Err(malformed) => rejected(&malformed),
            Ok(about) => match read(documents, section, about, &system)? {
                Err(malformed) => rejected(&malformed),
                Ok((part, evidence)) => judge(about.claim, &part, evidence, session)?,
            },
        };
        Ok(told(&system.system, outcome))
    })
}

/// The part of a system that a claim depends on. A property has the same number in it.
fn part(system: &System, claim: Claim) -> Option<System> {
    match claim {
        Claim::Deadlock => Some(system.constrained().system),
        Claim::Property(number) => {
            let property = system.properties.get(number)?;
            numbered(&system.cone(property).system, number)
        }
    }
}

fn numbered(part: &System, number: usize) -> Option<System> {
    let own = part.properties.first()?.clone();
    let mut part = part.clone();
    // The others are not there; nobody asks for them.
    part.properties = vec![own; number + 1];
    Some(part)
}

/// The part of the system that a file is about, and what is in it.
fn read(
    documents: &Documents,
    section: &Section,
    about: About,
    read: &SmvModel,
) -> Result<Result<(System, Evidence), Malformed>, Failure> {
    let Some(part) = part(&read.system, about.claim) else {
        return Ok(Err(Malformed {
            line: 0,
            column: 0,
            message: "the model has no property of that number".to_owned(),
        }));
    };
    let found = file::read(
        documents.open(section)?,
        &part,
        &read.origin,
        &ReadLimits::default(),
    );
    Ok(found.map(|(_, evidence)| (part, evidence)))
}

fn judge(
    claim: Claim,
    part: &System,
    evidence: Evidence,
    session: &Session,
) -> Result<CheckResult, Failure> {
    let limits = evidence::limits(&session.context());
    let manner = Manner {
        skip: false,
        recheck: matches!(evidence, Evidence::Verdict(_)),
    };
    let judged = catch(|| evidence::of_claim(part, claim, &evidence, manner, &limits));
    match judged {
        Err(message) => Err(Failure::internal(message)),
        Ok(Ok(Judged::Accepted)) => Ok(CheckResult::Accepted(claim, evidence)),
        Ok(Ok(Judged::Open(why)) | Err(Refusal::TooLarge(why))) => {
            Ok(CheckResult::Open(claim, why))
        }
        Ok(Err(Refusal::Rejection(Rejection::Stopped(why)))) => Err(Failure::limit(why)),
        Ok(Err(flawed)) => Ok(CheckResult::Rejected(flawed.to_string())),
    }
}

fn told(system: &System, outcome: CheckResult) -> command::Judged {
    let name = |claim: Claim| claim.name(system);
    match outcome {
        CheckResult::Rejected(why) => command::Judged::rejected(why),
        CheckResult::Open(claim, why) => command::Judged {
            verdict: ShownVerdict::Unknown(Reason::Unsupported(String::new()).word().to_owned()),
            status: ExitStatus::Unknown,
            line: format!("not decided for {}: {}", shown(&name(claim)), shown(&why)),
            claim: Some(name(claim)),
            sizes: Err(why),
        },
        CheckResult::Accepted(claim, evidence) => accepted(name(claim), &evidence),
    }
}

fn accepted(name: String, evidence: &Evidence) -> command::Judged {
    let violated = || (ShownVerdict::Violated(name.clone()), ExitStatus::Violated);
    let ((verdict, status), what, sizes) = match evidence {
        Evidence::Run(trace, _) | Evidence::Deadlock(trace) => {
            let states = trace.states.len();
            let what = format!(
                "counterexample for {}: accepted ({states} states)",
                shown(&name)
            );
            (violated(), what, json!({ "states": states }))
        }
        Evidence::Verdict(Expected::Violated) => {
            let what = format!(
                "verdict on {}: accepted, all states were enumerated",
                shown(&name)
            );
            (violated(), what, json!({}))
        }
        Evidence::Verdict(_) => {
            let what = format!(
                "verdict on {}: accepted, all states were enumerated",
                shown(&name)
            );
            ((ShownVerdict::Holds, ExitStatus::Holds), what, json!({}))
        }
        Evidence::Proof(Proof::Invariant(set)) => {
            let decisions = set.nodes.len();
            let what = format!(
                "certificate for {}: accepted (inductive invariant, {decisions} BDD nodes)",
                shown(&name)
            );
            let sizes = json!({ "decisions": decisions });
            ((ShownVerdict::Holds, ExitStatus::Holds), what, sizes)
        }
        Evidence::Proof(Proof::Induction(depth)) => {
            let what = format!(
                "certificate for {}: accepted (induction over {depth} steps)",
                shown(&name)
            );
            let sizes = json!({ "steps": depth });
            ((ShownVerdict::Holds, ExitStatus::Holds), what, sizes)
        }
        Evidence::Proof(Proof::Abstraction(clusters)) => {
            let count = clusters.len();
            let classes: usize = clusters.iter().map(|c| c.classes.len()).sum();
            let what = format!(
                "certificate for {}: accepted (an abstraction of {count} clusters, {classes} classes)",
                shown(&name)
            );
            let sizes = json!({ "clusters": count, "classes": classes });
            ((ShownVerdict::Holds, ExitStatus::Holds), what, sizes)
        }
    };
    command::Judged {
        verdict,
        status,
        line: what,
        claim: Some(name),
        sizes: Ok(sizes),
    }
}

/// What a file is about.
pub struct Written {
    claim: Claim,
    part: System,
    evidence: Evidence,
}

/// The evidence of an answer, if a checker could accept it.
pub fn evidence(answer: &Answer, is_accepted: bool) -> Option<Written> {
    let evidence = evidence::of_answer(answer)?;
    if matches!(evidence, Evidence::Verdict(_)) && !is_accepted {
        return None;
    }
    let part = match answer.claim {
        Claim::Deadlock => (*answer.about).clone(),
        Claim::Property(number) => numbered(&answer.about, number)?,
    };
    Some(Written {
        claim: answer.claim,
        part,
        evidence,
    })
}

/// Writes it.
pub fn write(out: impl io::Write, origin: &Origin, it: &Written) -> io::Result<()> {
    file::write(out, &it.part, origin, it.claim, &it.evidence)
}

/// Writes an invariant for other tools; says what is missing.
pub fn export(
    wanted: &SmvOutputOptions,
    answer: &Answer,
    word: Option<&String>,
    session: &Session,
) -> Result<Option<String>, Failure> {
    if wanted.smtlib.is_none() && wanted.aiger.is_none() {
        return Ok(None);
    }
    let system = &*answer.about;
    let why = match &answer.verdict {
        Verdict::Holds(Basis::Proof(_)) => "it is not about a property of the file",
        Verdict::Holds(_) => "it was decided by looking at all states",
        Verdict::Violated(_) => "it is violated",
        Verdict::Unknown(_) => "it was not decided",
    };
    let (Verdict::Holds(Basis::Proof(proof)), Some(property)) =
        (&answer.verdict, system.properties.first())
    else {
        return Ok(Some(format!("{why}: there is no invariant to write")));
    };
    let Proof::Invariant(set) = &**proof else {
        let why = "it was proved by an abstraction or by k-induction: there is no invariant to write, but --engine bdd may find one";
        return Ok(Some(why.to_owned()));
    };
    let named = |path: &Path, more: Option<&str>| -> PathBuf {
        let mut words: Vec<String> = word.into_iter().cloned().collect();
        words.extend(more.map(str::to_owned));
        with_words(path, &words)
    };
    let question = &property.question;
    let mut all = Vec::new();
    if let Some(path) = &wanted.smtlib {
        all.push((
            named(path, None),
            invariant_as_smtlib(system, question, set),
        ));
    }
    if let Some(path) = &wanted.aiger {
        all.push((named(path, None), invariant_as_aiger(system, question, set)));
        all.push((named(path, Some("model")), model_as_aiger(system, question)));
    }
    for (path, text) in all {
        match text {
            Ok(text) => session.files.write(&path, text.as_bytes())?,
            Err(why) => return Ok(Some(why.to_string())),
        }
    }
    Ok(None)
}
