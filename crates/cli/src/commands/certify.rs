//! `suppose certify`, and the writing of evidence.

use std::io;

use serde_json::{Value, json};
use suppose_certify::file::sections::Section;
use suppose_certify::file::{self, Evidence, Limits, Malformed, Model};
use suppose_certify::{Rejection, Summary};
use suppose_frontends::Kind;
use suppose_model::lts::Network;
use suppose_model::{Reason, Verdict};
use suppose_refine::Stopped;
use suppose_report::{Standing, grouped, shown};

use super::Desk;
use crate::args::{CertifyArgs, Format};
use crate::engines::claim_name;
use crate::evidence_file::{Documents, unreadable};
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::findings::badness;
use crate::input;
use crate::output::Output;

/// Checks evidence again: every claim that the file is about.
pub fn certify(args: &CertifyArgs, desk: &Desk) -> Result<Output, Failure> {
    desk.counters.begin("reading");
    let language = desk.language(&args.input.files, &args.input.model)?;
    let documents = match Documents::of(&args.certificate)? {
        Ok(documents) => documents,
        Err(malformed) => {
            let why = unreadable(&args.certificate, &malformed);
            return Ok(tell(&[Judged::rejected(why)], args, desk));
        }
    };
    let judged = match language.kind() {
        Kind::Symbolic => crate::symbolic::certify::certify(args, &documents, desk)?,
        Kind::Horn => crate::horn::certify::certify(args, &documents, desk)?,
        Kind::Markov => crate::markov::certify::certify(args, &documents, desk)?,
        Kind::Network | Kind::Program => network(args, &documents, desk)?,
    };
    Ok(tell(&judged, args, desk))
}

/// Judges every document of a file, each as it is.
pub fn each(
    documents: &Documents,
    mut judge: impl FnMut(&Section) -> Result<Judged, Failure>,
) -> Result<Vec<Judged>, Failure> {
    let mut all = Vec::new();
    for section in &documents.sections {
        all.push(match documents.none(section)? {
            Some(none) => Judged {
                standing: Standing::Unknown(Reason::Unsupported(String::new()).word().to_owned()),
                status: ExitStatus::Unknown,
                line: format!(
                    "no evidence about {}: {}",
                    shown(&none.claim),
                    shown(&none.reason)
                ),
                claim: Some(none.claim),
                sizes: Err(none.reason),
            },
            None => judge(section)?,
        });
    }
    Ok(all)
}

fn network(args: &CertifyArgs, documents: &Documents, desk: &Desk) -> Result<Vec<Judged>, Failure> {
    let system = input::load_input(&args.input, &desk.context())?;
    let network = &system.loaded.network;
    each(documents, |section| {
        let evidence = match read(documents, section, network, &system.models)? {
            Err(malformed) => {
                let why = documents.unreadable(section, &malformed);
                return Ok(Judged::rejected(why));
            }
            Ok(evidence) => evidence,
        };
        desk.counters.begin("checking the evidence");
        match judge(network, &evidence, desk) {
            Err(Rejection::Stopped) => {
                let why = desk.watch.over().unwrap_or(Stopped::Memory);
                Err(Failure::limit(why))
            }
            Err(flawed) => Ok(Judged::rejected(flawed.to_string())),
            Ok(summary) => Ok(accepted(network, &evidence, &summary)),
        }
    })
}

/// Reads a document of evidence about a system.
pub fn read(
    documents: &Documents,
    section: &Section,
    network: &Network,
    models: &[Model],
) -> Result<Result<Evidence, Malformed>, Failure> {
    let file = documents.open(section)?;
    Ok(file::read(file, network, models, &Limits::default()))
}

fn judge(network: &Network, evidence: &Evidence, desk: &Desk) -> Result<Summary, Rejection> {
    let control = desk.watch.fresh();
    let mut stop = || control.stopped().is_some();
    match evidence {
        Evidence::Certificate(proof) => suppose_certify::certificate(network, proof, &mut stop),
        Evidence::Counterexample(found) => {
            suppose_certify::counterexample(network, found).map(|()| Summary::default())
        }
    }
}

fn accepted(network: &Network, evidence: &Evidence, summary: &Summary) -> Judged {
    match evidence {
        Evidence::Certificate(proof) => {
            let name = claim_name(network, proof.claim);
            let line = format!(
                "certificate for {}: accepted ({} premises, {} assumptions, {} vectors, {} steps)",
                shown(&name),
                summary.premises,
                summary.assumptions,
                grouped(summary.vectors),
                grouped(summary.steps)
            );
            let sizes = json!({
                "premises": summary.premises,
                "assumptions": summary.assumptions,
                "vectors": summary.vectors,
                "steps": summary.steps,
            });
            Judged::holds(name, line, sizes)
        }
        Evidence::Counterexample(found) => {
            let name = claim_name(network, found.claim);
            let steps = found.steps.len();
            let line = format!(
                "counterexample for {}: accepted ({steps} steps)",
                shown(&name)
            );
            Judged::violated(name, line, json!({ "steps": steps }))
        }
    }
}

/// What became of the evidence about a claim, whatever the model.
pub struct Judged {
    /// The verdict that it proves, if it was accepted.
    pub standing: Standing,
    /// How the program ends.
    pub status: ExitStatus,
    /// In a sentence.
    pub line: String,
    /// What it is about, if that is known.
    pub claim: Option<String>,
    /// How large it is, or why it was not accepted.
    pub sizes: Result<Value, String>,
}

impl Judged {
    /// It proves that the claim holds.
    pub fn holds(claim: String, line: String, sizes: Value) -> Self {
        Judged {
            standing: Standing::Holds,
            status: ExitStatus::Holds,
            line,
            claim: Some(claim),
            sizes: Ok(sizes),
        }
    }

    /// It proves that the claim is violated.
    pub fn violated(claim: String, line: String, sizes: Value) -> Self {
        Judged {
            standing: Standing::Violated(claim.clone()),
            status: ExitStatus::Violated,
            line,
            claim: Some(claim),
            sizes: Ok(sizes),
        }
    }

    /// It proves nothing.
    pub fn rejected(why: String) -> Self {
        Judged {
            standing: Standing::Unknown(Reason::Rejected(String::new()).word().to_owned()),
            status: ExitStatus::Rejected,
            line: format!("rejected: {}", shown(&why)),
            claim: None,
            sizes: Err(why),
        }
    }

    fn document(&self) -> Value {
        json!({
            "claim": self.claim,
            "verdict": self.standing.word(),
            "accepted": self.sizes.is_ok(),
            "reason": self.sizes.as_ref().err(),
            "sizes": self.sizes.as_ref().ok(),
        })
    }
}

/// Tells it, as text or as a document. What was rejected counts more than any verdict: nothing in the file can be trusted then.
fn tell(judged: &[Judged], args: &CertifyArgs, desk: &Desk) -> Output {
    let rank = |j: &&Judged| match j.status {
        ExitStatus::Rejected => 0,
        status => 1 + badness(status),
    };
    let Some(worst) = judged.iter().min_by_key(rank) else {
        let why = "there is no evidence in the file".to_owned();
        return tell(&[Judged::rejected(why)], args, desk);
    };
    let standing = &worst.standing;
    let stdout = match (desk.look.format, desk.look.quiet) {
        (Format::Text, true) => standing.to_string(),
        (Format::Text, false) => {
            let lines: Vec<&str> = judged.iter().map(|j| j.line.as_str()).collect();
            format!("{}\n{standing}", lines.join("\n"))
        }
        (Format::Json, _) => {
            let claims: Vec<Value> = judged.iter().map(Judged::document).collect();
            let document = json!({
                "schema": "suppose-certify",
                "schema_version": suppose_report::SCHEMA_VERSION,
                "version": env!("CARGO_PKG_VERSION"),
                "verdict": standing.word(),
                "last_line": standing.to_string(),
                "evidence": args.certificate.display().to_string(),
                "files": input::names(&args.input),
                "claim": worst.claim,
                "accepted": judged.iter().all(|j| j.sizes.is_ok()),
                "reason": worst.sizes.as_ref().err(),
                "sizes": worst.sizes.as_ref().ok(),
                "claims": claims,
            });
            format!("{document:#}")
        }
    };
    Output {
        stdout,
        stderr: String::new(),
        status: worst.status,
    }
}

/// Writes the evidence of a verdict, which has some.
pub fn write(
    out: impl io::Write,
    network: &Network,
    models: &[Model],
    verdict: &Verdict,
) -> io::Result<()> {
    match verdict {
        Verdict::Unknown(_) => Ok(()),
        Verdict::Holds(proof) => file::write_certificate(out, network, models, proof),
        Verdict::Violated(found) => file::write_counterexample(out, network, models, found),
    }
}
