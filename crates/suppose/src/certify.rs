//! Checking evidence files.

use std::io::Read;

use serde_json::{Value, json};
use suppose_certify::Rejection;
use suppose_certify::file::Malformed;
use suppose_certify::file::sections::Section;
use suppose_control::{Context, Supervisor};
use suppose_model::Reason;
use suppose_report::{ShownVerdict, shown};

use crate::evidence_file::Documents;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::finding::severity;
use crate::options::ModelOptions;
use crate::session::Session;
use crate::source::Source;

/// An evidence file and the model that it is about.
#[derive(Clone, Copy)]
pub(crate) struct EvidenceTask<'a> {
    /// The model.
    pub source: &'a Source,
    /// How it is read.
    pub model: &'a ModelOptions,
    /// The evidence, a document for each claim.
    pub documents: &'a Documents,
    /// Limits and progress.
    pub session: &'a Session,
}

impl EvidenceTask<'_> {
    /// Checks every document.
    pub(crate) fn each(
        &self,
        mut judge: impl FnMut(&Section) -> Result<Judged, Failure>,
    ) -> Result<Vec<Judged>, Failure> {
        let mut all = Vec::new();
        for section in &self.documents.sections {
            all.push(match self.documents.none(section)? {
                Some(none) => Judged {
                    verdict: ShownVerdict::Unknown(
                        Reason::Unsupported(String::new()).word().to_owned(),
                    ),
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

    /// Reads and checks every document; `accepted` puts what was accepted into a sentence.
    pub(crate) fn each_checked<E, A>(
        &self,
        read: impl Fn(Box<dyn Read + '_>) -> Result<E, Malformed>,
        check: impl Fn(&E, &Context) -> Result<A, Rejection>,
        accepted: impl Fn(&E, &A) -> Judged,
    ) -> Result<Vec<Judged>, Failure> {
        self.each(|section| {
            let evidence = match read(self.documents.open(section)?) {
                Ok(evidence) => evidence,
                Err(malformed) => {
                    let why = self.documents.unreadable(section, &malformed);
                    return Ok(Judged::rejected(why));
                }
            };
            self.session.counters.begin("checking the evidence");
            match check(&evidence, &self.session.context()) {
                Err(Rejection::Stopped(why)) => Err(Failure::limit(why)),
                Err(flawed) => Ok(Judged::rejected(flawed.to_string())),
                Ok(found) => Ok(accepted(&evidence, &found)),
            }
        })
    }
}

/// The result of checking the evidence about one claim.
pub(crate) struct Judged {
    /// The verdict that it proves, if it is accepted.
    pub verdict: ShownVerdict,
    /// The exit status.
    pub status: ExitStatus,
    /// In a sentence.
    pub line: String,
    /// What it is about, if that is known.
    pub claim: Option<String>,
    /// Its size, or why it is not accepted.
    pub sizes: Result<Value, String>,
}

impl Judged {
    /// It proves that the claim holds.
    pub(crate) fn holds(claim: String, line: String, sizes: Value) -> Self {
        Judged {
            verdict: ShownVerdict::Holds,
            status: ExitStatus::Holds,
            line,
            claim: Some(claim),
            sizes: Ok(sizes),
        }
    }

    /// It proves that the claim is violated.
    pub(crate) fn violated(claim: String, line: String, sizes: Value) -> Self {
        Judged {
            verdict: ShownVerdict::Violated(claim.clone()),
            status: ExitStatus::Violated,
            line,
            claim: Some(claim),
            sizes: Ok(sizes),
        }
    }

    /// It proves nothing.
    pub(crate) fn rejected(why: String) -> Self {
        Judged {
            verdict: ShownVerdict::rejected(),
            status: ExitStatus::Rejected,
            line: format!("rejected: {}", shown(&why)),
            claim: None,
            sizes: Err(why),
        }
    }

    fn document(&self) -> Value {
        json!({
            "claim": self.claim,
            "verdict": self.verdict.word(),
            "accepted": self.sizes.is_ok(),
            "reason": self.sizes.as_ref().err(),
            "sizes": self.sizes.as_ref().ok(),
        })
    }
}

/// What a file of evidence proves.
pub struct Judgement {
    judged: Vec<Judged>,
    evidence: String,
    files: Vec<String>,
}

impl Judgement {
    pub(crate) fn new(mut judged: Vec<Judged>, evidence: String, files: Vec<String>) -> Self {
        if judged.is_empty() {
            let why = "there is no evidence in the file".to_owned();
            judged.push(Judged::rejected(why));
        }
        Judgement {
            judged,
            evidence,
            files,
        }
    }

    /// The worst result. A rejection counts more than any verdict: nothing else in the file can be trusted then.
    fn worst(&self) -> &Judged {
        let rank = |j: &&Judged| match j.status {
            ExitStatus::Rejected => 0,
            status => 1 + severity(status),
        };
        let first = &self.judged[0];
        self.judged.iter().min_by_key(rank).unwrap_or(first)
    }

    /// The exit status.
    pub fn status(&self) -> ExitStatus {
        self.worst().status
    }

    /// Was all of it accepted?
    pub fn is_accepted(&self) -> bool {
        self.judged.iter().all(|j| j.sizes.is_ok())
    }

    /// `holds`, `violated(<claim>)` or `unknown(<reason>)`.
    pub fn last_line(&self) -> String {
        self.worst().verdict.to_string()
    }

    /// A line a claim; the last line is the verdict.
    pub fn text(&self) -> String {
        let lines: Vec<&str> = self.judged.iter().map(|j| j.line.as_str()).collect();
        format!("{}\n{}", lines.join("\n"), self.last_line())
    }

    /// As one JSON document with a versioned schema.
    pub fn json(&self) -> String {
        let worst = self.worst();
        let claims: Vec<Value> = self.judged.iter().map(Judged::document).collect();
        let document = json!({
            "schema": "suppose-certify",
            "schema_version": suppose_report::SCHEMA_VERSION,
            "version": env!("CARGO_PKG_VERSION"),
            "verdict": worst.verdict.word(),
            "last_line": worst.verdict.to_string(),
            "evidence": self.evidence,
            "files": self.files,
            "claim": worst.claim,
            "accepted": self.is_accepted(),
            "reason": worst.sizes.as_ref().err(),
            "sizes": worst.sizes.as_ref().ok(),
            "claims": claims,
        });
        format!("{document:#}")
    }
}
