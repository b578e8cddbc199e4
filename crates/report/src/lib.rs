//! Verdicts as text, JSON and self-contained HTML with drawings.
//!
//! [`Report`] is everything a run has to say; [`text`], [`last_line`], [`json`] and [`html()`] are
//! ways of saying it. [`ProgramReport`] is the same for programs, [`HornReport`] for Horn clauses, [`MarkovReport`] for probabilistic systems, [`SymbolicReport`] for finite-domain ones. [`draw`] makes pictures of single automata and of whole systems. Nothing
//! here prints, and no name that a user wrote reaches an output unescaped.

mod document;
pub mod draw;
mod horn;
mod html;
mod json;
mod markov;
mod measured;
mod process;
mod program;
mod record;
mod symbolic;
mod text;
mod trace;
mod words;

use std::time::Duration;

use suppose_model::lts::Network;
use suppose_model::{Answer, Claim, Reason, Verdict};

pub use document::Document;
pub use horn::{
    CallRow, Candidates, Effort, HornAnswer, HornChecked, HornClaim, HornIntegers, HornKind,
    HornReport, HornVerdict,
};
pub use html::html;
pub use json::{SCHEMA_VERSION, json};
pub use markov::{
    MarkovAnswer, MarkovChecked, MarkovClaim, MarkovLack, MarkovRefusal, MarkovReport, MarkovSizes,
    MarkovValue, MarkovVerdict, markov_network,
};
pub use measured::{MeasuredCell, MeasuredRow, Measurements, measurements};
pub use program::{
    ProgramAnswer, ProgramChecked, ProgramReport, ProgramVerdict, Searched, names as program_names,
    trail,
};
pub use symbolic::{
    SymbolicAnswer, SymbolicChecked, SymbolicClaim, SymbolicEffort, SymbolicReport, SymbolicVerdict,
};
pub use text::text;
pub use words::{bytes as format_bytes, duration as format_duration, grouped, shown};

/// Everything a report shows.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// The version of the program.
    pub version: &'a str,
    /// The files that were read.
    pub files: Vec<String>,
    /// The system.
    pub network: &'a Network,
    /// The claims that an engine worked on, in the order to show them.
    pub checked: Vec<Checked<'a>>,
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

/// A claim with its answer, of whatever kind, and what became of the evidence.
#[derive(Clone, Debug)]
pub struct Checked<'a, A = Answer> {
    /// The claim, the verdict and the run.
    pub answer: &'a A,
    /// What the independent check said.
    pub evidence: Evidence,
    /// Which engine was chosen and why.
    pub why_engine: String,
    /// Where the certificate was written.
    pub certificate_file: Option<String>,
}

/// What the independent check said of a certificate or counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// It is sound.
    Accepted,
    /// It was not looked at; the text says why.
    NotChecked(String),
    /// It is not sound, which is a bug; the text says where. The verdict counts as unknown.
    Rejected(String),
}

impl Evidence {
    /// What evidence that was rejected leaves of a verdict.
    fn rejection(&self) -> Option<Standing> {
        match self {
            Evidence::Rejected(why) => {
                let word = Reason::Rejected(why.clone()).word();
                Some(Standing::Unknown(word.to_owned()))
            }
            Evidence::Accepted | Evidence::NotChecked(_) => None,
        }
    }
}

/// A verdict in words, after its evidence was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It holds.
    Holds,
    /// The claim of that name does not.
    Violated(String),
    /// Not decided, for that reason.
    Unknown(String),
}

impl Standing {
    /// `holds`, `violated` or `unknown`.
    pub fn word(&self) -> &'static str {
        match self {
            Standing::Holds => "holds",
            Standing::Violated(_) => "violated",
            Standing::Unknown(_) => "unknown",
        }
    }
}

impl std::fmt::Display for Standing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Standing::Holds => f.write_str("holds"),
            Standing::Violated(name) => write!(f, "violated({})", shown(name)),
            Standing::Unknown(why) => write!(f, "unknown({})", shown(why)),
        }
    }
}

impl Report<'_> {
    /// The name of a claim: that of the property, or `deadlock`.
    pub fn claim_name(&self, claim: Claim) -> String {
        words::claim_name(self.network, claim)
    }

    /// The verdict of one claim. Evidence that was rejected leaves it unknown.
    pub fn standing(&self, checked: &Checked) -> Standing {
        if let Some(rejected) = checked.evidence.rejection() {
            return rejected;
        }
        match &checked.answer.verdict {
            Verdict::Holds(_) => Standing::Holds,
            Verdict::Violated(_) => Standing::Violated(self.claim_name(checked.answer.claim)),
            Verdict::Unknown(reason) => Standing::Unknown(reason.word().to_owned()),
        }
    }
}

/// The worst of all, with what was given to no engine.
fn worst(mut all: Vec<Standing>, undecided: &[(String, String)]) -> Standing {
    let undecided = undecided.iter();
    all.extend(undecided.map(|(_, why)| Standing::Unknown(why.clone())));
    let rejected = Reason::Rejected(String::new()).word();
    let badness = |standing: &Standing| match standing {
        Standing::Violated(_) => 0,
        Standing::Unknown(why) if why == rejected => 1,
        Standing::Unknown(_) => 2,
        Standing::Holds => 3,
    };
    let nothing = || Standing::Unknown("nothing to check".to_owned());
    all.into_iter().min_by_key(badness).unwrap_or_else(nothing)
}

/// The last line on standard output: `holds`, `violated(<property>)` or `unknown(<reason>)`.
pub fn last_line(report: &Report) -> String {
    Document::last_line(report)
}
