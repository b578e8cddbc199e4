//! `suppose certify`, and the writing of evidence.

use std::fs::File;
use std::path::Path;

use serde_json::json;
use suppose_certify::file::{self, Evidence, Limits, Malformed, Model};
use suppose_certify::{Rejection, Summary};
use suppose_model::lts::Network;
use suppose_model::{Reason, Verdict};
use suppose_refine::Stopped;
use suppose_report::{Standing, grouped, shown};

use super::Desk;
use crate::args::{CertifyArgs, Format};
use crate::engines::claim_name;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::input;
use crate::output::Output;

/// Checks evidence again.
pub fn certify(args: &CertifyArgs, desk: &Desk) -> Result<Output, Failure> {
    desk.counters.begin("reading");
    if crate::symbolic::is_smv(&args.input) {
        return crate::symbolic::certify::certify(args, desk);
    }
    crate::symbolic::only_smv_model(&args.input.model, Default::default())?;
    if input::is_horn(&args.input.files) {
        return crate::horn::certify::certify(args, desk);
    }
    if crate::markov::is_markov(&args.input) {
        return crate::markov::certify::certify(args, desk);
    }
    crate::markov::only_for_markov(&args.input.model, Default::default())?;
    let system = input::load_input(&args.input, &desk.context())?;
    let network = &system.loaded.network;
    let result = match read(&args.certificate, network, &system.models)? {
        Err(malformed) => Err(unreadable(&args.certificate, &malformed)),
        Ok(evidence) => {
            desk.counters.begin("checking the evidence");
            match judge(network, &evidence, desk) {
                Err(Rejection::Stopped) => {
                    let why = desk.watch.over().unwrap_or(Stopped::Memory);
                    return Err(Failure::limit(why));
                }
                Err(flawed) => Err(flawed.to_string()),
                Ok(summary) => Ok((evidence, summary)),
            }
        }
    };
    Ok(tell(args, desk, network, result))
}

/// What to say of a file that holds no evidence about the system.
pub fn unreadable(path: &Path, malformed: &Malformed) -> String {
    let name = path.display();
    let Malformed {
        line,
        column,
        message,
    } = malformed;
    match line {
        0 => format!("`{name}` is no evidence about this system: {message}"),
        _ => format!(
            "`{name}` is no evidence about this system: {message} (line {line}, column {column})"
        ),
    }
}

/// Reads a file of evidence about a system.
pub fn read(
    path: &Path,
    network: &Network,
    models: &[Model],
) -> Result<Result<Evidence, Malformed>, Failure> {
    let file = open(path)?;
    Ok(file::read(file, network, models, &Limits::default()))
}

/// Opens a file of evidence.
pub fn open(path: &Path) -> Result<File, Failure> {
    let name = path.display();
    if path.is_dir() {
        return Err(Failure::file(format!("`{name}` is a folder, not a file")));
    }
    File::open(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => Failure::file(format!("there is no file `{name}`")),
        _ => Failure::file(format!("cannot read `{name}`: {e}")),
    })
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

fn tell(
    args: &CertifyArgs,
    desk: &Desk,
    network: &Network,
    result: Result<(Evidence, Summary), String>,
) -> Output {
    let (standing, status, line) = match &result {
        Err(why) => {
            let word = Reason::Rejected(String::new()).word().to_owned();
            let line = format!("rejected: {}", shown(why));
            (Standing::Unknown(word), ExitStatus::Rejected, line)
        }
        Ok((Evidence::Certificate(proof), summary)) => {
            let name = claim_name(network, proof.claim);
            let line = format!(
                "certificate for {}: accepted ({} premises, {} assumptions, {} vectors, {} steps)",
                shown(&name),
                summary.premises,
                summary.assumptions,
                grouped(summary.vectors),
                grouped(summary.steps)
            );
            (Standing::Holds, ExitStatus::Holds, line)
        }
        Ok((Evidence::Counterexample(found), _)) => {
            let name = claim_name(network, found.claim);
            let steps = found.steps.len();
            let line = format!(
                "counterexample for {}: accepted ({steps} steps)",
                shown(&name)
            );
            (Standing::Violated(name), ExitStatus::Violated, line)
        }
    };
    let claim = result.as_ref().ok().map(|(evidence, _)| match evidence {
        Evidence::Certificate(proof) => claim_name(network, proof.claim),
        Evidence::Counterexample(found) => claim_name(network, found.claim),
    });
    let sizes = |(evidence, summary): &(Evidence, Summary)| match evidence {
        Evidence::Certificate(_) => json!({
            "premises": summary.premises,
            "assumptions": summary.assumptions,
            "vectors": summary.vectors,
            "steps": summary.steps,
        }),
        Evidence::Counterexample(found) => json!({ "steps": found.steps.len() }),
    };
    let judged = Judged {
        standing,
        status,
        line,
        claim,
        sizes: result.as_ref().map(sizes).map_err(String::as_str),
    };
    judged.output(args, desk)
}

/// What became of evidence, whatever it is about.
pub struct Judged<'a> {
    /// The verdict that it proves, if it was accepted.
    pub standing: Standing,
    /// How the program ends.
    pub status: ExitStatus,
    /// In a sentence.
    pub line: String,
    /// What it is about, if it was accepted.
    pub claim: Option<String>,
    /// How large it is, or why it was rejected.
    pub sizes: Result<serde_json::Value, &'a str>,
}

impl Judged<'_> {
    /// As text or as a document.
    pub fn output(&self, args: &CertifyArgs, desk: &Desk) -> Output {
        let (line, standing) = (&self.line, &self.standing);
        let stdout = match (desk.look.format, desk.look.quiet) {
            (Format::Text, true) => standing.to_string(),
            (Format::Text, false) => format!("{line}\n{standing}"),
            (Format::Json, _) => self.document(args),
        };
        Output {
            stdout,
            stderr: String::new(),
            status: self.status,
        }
    }

    fn document(&self, args: &CertifyArgs) -> String {
        let document = json!({
            "schema": "suppose-certify",
            "schema_version": suppose_report::SCHEMA_VERSION,
            "version": env!("CARGO_PKG_VERSION"),
            "verdict": self.standing.word(),
            "last_line": self.standing.to_string(),
            "evidence": args.certificate.display().to_string(),
            "files": input::names(&args.input),
            "claim": self.claim,
            "accepted": self.sizes.is_ok(),
            "reason": self.sizes.as_ref().err(),
            "sizes": self.sizes.as_ref().ok(),
        });
        format!("{document:#}")
    }
}

/// Writes the evidence of a verdict; says where. Without evidence there is no file.
pub fn write(
    path: &Path,
    network: &Network,
    models: &[Model],
    verdict: &Verdict,
) -> Result<Option<String>, Failure> {
    let fail = |e: std::io::Error| Failure::file(format!("cannot write `{}`: {e}", path.display()));
    if matches!(verdict, Verdict::Unknown(_)) {
        return Ok(None);
    }
    let file = File::create(path).map_err(fail)?;
    match verdict {
        Verdict::Unknown(_) => {}
        Verdict::Holds(proof) => {
            file::write_certificate(file, network, models, proof).map_err(fail)?;
        }
        Verdict::Violated(found) => {
            file::write_counterexample(file, network, models, found).map_err(fail)?;
        }
    }
    Ok(Some(path.display().to_string()))
}
