//! What a run has to say about a model of any kind, as data.
//!
//! Each kind of model has one function `describe` that makes a [`Document`]; text, JSON and HTML are three renderers of it. What
//! takes time or memory to make ([`Claim::blocks`], [`Claim::record`], drawings) is made when a renderer asks for it.

use std::time::Duration;

use suppose_model::lts::Network;
use suppose_model::{Answered, EvidenceStatus, Finding, Outcome, Reason, Run};
use suppose_source::Sources;

use crate::block::Block;
use crate::record::{Fields, Json};
use crate::several::Place;
use crate::words::{duration, reason_text, shown};

/// What reports on models of all kinds say of the run.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The version of the program.
    pub version: String,
    /// The files that were read.
    pub files: Vec<String>,
    /// What was asked but not given to any engine: its name, and why.
    pub undecided: Vec<(String, String)>,
    /// What the user should know besides.
    pub warnings: Vec<String>,
    /// The seed of everything random.
    pub seed: u64,
    /// Wall-clock time of everything.
    pub elapsed: Duration,
    /// The largest resident set, in bytes, when known.
    pub peak_memory: Option<u64>,
    /// The limits on time and on memory (bytes).
    pub limits: (Option<Duration>, Option<u64>),
}

/// Everything that a run has to say.
pub struct Document<'a> {
    /// What does not depend on the kind of the model.
    pub frame: Frame,
    /// The title of the page.
    pub(crate) title: String,
    /// The model.
    pub(crate) system: System<'a>,
    /// The claims that an engine worked on, in the order to show them.
    pub(crate) claims: Vec<Claim<'a>>,
    /// What is shown on a terminal instead, in another program's layout.
    pub(crate) layout: Option<String>,
}

/// The model in short.
pub(crate) struct System<'a> {
    /// `system S`, `program p`, `clauses`.
    pub name: String,
    /// Its sizes, on the same line of a text.
    pub sizes: String,
    /// Further lines of a text.
    pub lines: Vec<String>,
    /// Sizes on the page.
    pub summary: String,
    /// Components and properties, if the model has some or was decomposed into some.
    pub network: Option<&'a Network>,
    /// What is shown before the claims.
    pub blocks: Vec<Block<'a>>,
    /// The texts that the spans of steps point into, if steps have some.
    pub sources: Option<&'a Sources>,
    /// What the two columns with numbers in the table of verdicts are.
    pub columns: [&'static str; 2],
    /// The record of this kind of model in JSON, with its name.
    pub record: Lazy<'a, Fields>,
}

/// Something that is made when it is needed.
pub(crate) type Lazy<'a, T> = Box<dyn Fn() -> T + 'a>;

/// One claim with its verdict.
pub(crate) struct Claim<'a> {
    /// What sort of claim, in JSON.
    pub kind: &'static str,
    /// As the last line has it.
    pub name: String,
    /// As a title.
    pub heading: String,
    /// The verdict, after the evidence was judged.
    pub verdict: ShownVerdict,
    /// What is claimed.
    pub meaning: Option<Meaning>,
    /// Where it is written, as the page has it.
    pub place: Option<String>,
    /// The same for programs.
    pub location: Option<Place>,
    /// Why there is no verdict.
    pub reason: Option<Reason>,
    /// The engine, and why this one.
    pub engine: (String, String),
    /// Its columns with numbers in the table of verdicts.
    pub numbers: [u64; 2],
    /// What it took.
    pub run: &'a Run,
    /// Names and values of one line, in the order to show them.
    pub facts: Vec<Fact>,
    /// What became of the evidence.
    pub evidence: Evidence,
    /// Facts after the evidence.
    pub notes: Vec<Fact>,
    /// Evidence in detail.
    pub blocks: Lazy<'a, Vec<Block<'a>>>,
    /// What the JSON document has of it besides.
    pub record: Lazy<'a, Record>,
}

/// What a claim says.
pub(crate) enum Meaning {
    /// In words; only on the page, for the name says it.
    Words(String),
    /// As the user wrote it, with what it is called.
    Formula(&'static str, String),
}

/// A named value.
pub(crate) struct Fact {
    pub name: &'static str,
    pub value: String,
}

/// The parts of a claim that only JSON has in this form.
#[derive(Default)]
pub(crate) struct Record {
    pub assumptions: Vec<Json>,
    pub premises: Vec<Json>,
    pub counterexample: Option<Json>,
    /// Fields of one kind of model.
    pub more: Fields,
}

/// What became of the evidence for a verdict.
pub(crate) struct Evidence {
    /// What it is: `certificate`, `replay`; none if there is no verdict.
    pub name: Option<&'static str>,
    pub status: EvidenceStatus,
    pub file: Option<String>,
    /// How to speak of a search of all states, which leaves no certificate.
    pub search: Option<SearchEvidence>,
}

/// How to speak of a search of all states.
#[derive(Clone, Copy)]
pub(crate) struct SearchEvidence {
    /// When it was repeated by the checker.
    pub accepted: &'static str,
    /// When it was not; the reason follows.
    pub open: &'static str,
    /// The same in the table of verdicts.
    pub word: &'static str,
}

/// A verdict in words, after its evidence was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShownVerdict {
    /// It holds.
    Holds,
    /// The claim of that name does not.
    Violated(String),
    /// Not decided, for that reason.
    Unknown(String),
}

impl ShownVerdict {
    /// `holds`, `violated` or `unknown`.
    pub fn word(&self) -> &'static str {
        match self {
            ShownVerdict::Holds => "holds",
            ShownVerdict::Violated(_) => "violated",
            ShownVerdict::Unknown(_) => "unknown",
        }
    }

    /// The verdict of a finding on the claim of that name. Evidence that was rejected leaves it unknown.
    pub fn of<A: Answered>(finding: &Finding<A>, name: &str) -> ShownVerdict {
        match (&finding.evidence, finding.answer.outcome()) {
            (EvidenceStatus::Rejected(_), _) => ShownVerdict::rejected(),
            (_, Outcome::Holds) => ShownVerdict::Holds,
            (_, Outcome::Violated) => ShownVerdict::Violated(name.to_owned()),
            (_, Outcome::Unknown(reason)) => ShownVerdict::Unknown(reason.word().to_owned()),
        }
    }

    /// What is left of a verdict whose evidence was rejected.
    pub fn rejected() -> ShownVerdict {
        let word = Reason::Rejected(String::new()).word();
        ShownVerdict::Unknown(word.to_owned())
    }
}

impl std::fmt::Display for ShownVerdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ShownVerdict::Holds => f.write_str("holds"),
            ShownVerdict::Violated(name) => write!(f, "violated({})", shown(name)),
            ShownVerdict::Unknown(why) => write!(f, "unknown({})", shown(why)),
        }
    }
}

impl<'a> Document<'a> {
    /// On nothing: a run that ended before its model was read.
    pub fn empty(frame: Frame) -> Document<'a> {
        let system = System {
            name: "system".to_owned(),
            sizes: "0 components, 0 labels".to_owned(),
            lines: Vec::new(),
            summary: String::new(),
            network: None,
            blocks: Vec::new(),
            sources: None,
            columns: ["States", "Transitions"],
            record: Box::new(Vec::new),
        };
        Document {
            title: frame.files.join(", "),
            frame,
            system,
            claims: Vec::new(),
            layout: None,
        }
    }

    /// The sorts of the claims, as JSON has them.
    pub fn kinds(&self) -> impl Iterator<Item = &'static str> {
        self.claims.iter().map(|claim| claim.kind)
    }

    /// Says where claims are written, by their names.
    pub fn locate(&mut self, place: impl Fn(&str) -> Option<Place>) {
        for claim in &mut self.claims {
            claim.location = place(&claim.name);
        }
    }

    /// The worst verdict of all: violated, then unknown, then holds; the first of its kind, but rejected evidence before other
    /// reasons not to know. Nothing asked is nothing known.
    pub fn overall(&self) -> ShownVerdict {
        let rejected = ShownVerdict::rejected();
        let badness = |verdict: &ShownVerdict| match verdict {
            ShownVerdict::Violated(_) => 0,
            unknown if *unknown == rejected => 1,
            ShownVerdict::Unknown(_) => 2,
            ShownVerdict::Holds => 3,
        };
        let claims = self.claims.iter().map(|c| c.verdict.clone());
        let undecided = self.frame.undecided.iter();
        let undecided = undecided.map(|(_, why)| ShownVerdict::Unknown(why.clone()));
        let nothing = || ShownVerdict::Unknown("nothing to check".to_owned());
        let all = claims.chain(undecided);
        all.min_by_key(badness).unwrap_or_else(nothing)
    }

    /// The last line on standard output: `holds`, `violated(<claim>)` or `unknown(<reason>)`.
    pub fn last_line(&self) -> String {
        self.overall().to_string()
    }
}

impl<'a> Claim<'a> {
    /// A claim with what all kinds of models have in common.
    pub fn new<A: Answered>(finding: &'a Finding<A>, kind: &'static str, name: String) -> Self {
        let run = finding.answer.run();
        let reason = match (&finding.evidence, finding.answer.outcome()) {
            (EvidenceStatus::Rejected(why), _) => Some(Reason::Rejected(why.clone())),
            (_, Outcome::Unknown(reason)) => Some(reason.clone()),
            _ => None,
        };
        Claim {
            kind,
            heading: name.clone(),
            verdict: ShownVerdict::of(finding, &name),
            name,
            meaning: None,
            place: None,
            location: None,
            reason,
            engine: (
                finding.answer.engine().to_owned(),
                finding.why_engine.clone(),
            ),
            numbers: [run.states, run.transitions],
            run,
            facts: Vec::new(),
            evidence: Evidence {
                name: None,
                status: finding.evidence.clone(),
                file: finding.certificate_file.clone(),
                search: None,
            },
            notes: Vec::new(),
            blocks: Box::new(Vec::new),
            record: Box::new(Record::default),
        }
    }

    /// Adds a fact.
    pub fn fact(&mut self, name: &'static str, value: impl Into<String>) {
        let value = value.into();
        self.facts.push(Fact { name, value });
    }

    /// Adds why the answer is not known, if it is not.
    pub fn reason_fact(&mut self, outcome: Outcome) {
        if let Outcome::Unknown(reason) = outcome {
            self.fact("reason", reason_text(reason));
        }
    }

    /// Adds the engine.
    pub fn engine_fact(&mut self) {
        let (engine, why) = &self.engine;
        let text = match why.is_empty() {
            true => engine.clone(),
            false => format!("{engine}, {why}"),
        };
        self.fact("engine", text);
    }

    /// Adds how long it took.
    pub fn time_fact(&mut self) {
        self.fact("time", duration(self.run.elapsed));
    }
}
