//! One probabilistic system of states, written out: our text form and JSON, Storm's DRN, and PRISM's
//! `.tra`, `.sta` and `.lab`.
//!
//! | form | one file? | actions | exact? |
//! |---|---|---|---|
//! | text (`.lpts`) | yes | yes | yes |
//! | JSON (`suppose-lpts`) | yes | yes | yes |
//! | DRN (`.drn`) | yes | yes | if written with `@value_type: rational` |
//! | `.tra` | with `.sta` (names of states) and `.lab` (labels) | a last column | if written as fractions |
//!
//! DRN has rewards as well, of states and of actions.
//!
//! PRISM and Storm give a deadlock a step to itself and the label `deadlock`; such a step is left out on
//! reading and put in on writing.

mod drn;
mod json;
mod properties;
mod raw;
mod text;
mod tra;

use suppose_model::mdp::{Labels, Lpts};
use suppose_source::{Diagnostic, FileId, ParserLimits, Sources};

pub use properties::with_properties;

/// The forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Our text form.
    Text,
    /// JSON.
    Json,
    /// Storm's direct encoding.
    Drn,
    /// PRISM's list of transitions.
    Tra,
}

impl Format {
    /// The form of a file, by the end of its name. JSON is recognised by its content: see [`is_json`].
    pub fn of(file_name: &str) -> Option<Format> {
        let (_, end) = file_name.rsplit_once('.')?;
        match end.to_ascii_lowercase().as_str() {
            "lpts" => Some(Format::Text),
            "drn" => Some(Format::Drn),
            "tra" => Some(Format::Tra),
            _ => None,
        }
    }
}

/// Is this JSON text a system of states in our form?
pub fn is_json(text: &str) -> bool {
    json::is_ours(text)
}

/// What was read.
#[derive(Clone, Debug)]
pub struct Explicit {
    /// The behaviour. Its propositions are numbered as in `propositions`.
    pub lpts: Lpts,
    /// The names of the labels of states.
    pub propositions: Vec<String>,
    /// The names of the reward structures, empty for one without a name. Only DRN has them.
    pub rewards: Vec<String>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// The files of one system of states.
#[derive(Clone, Copy, Debug)]
pub struct Files {
    /// The file itself.
    pub main: FileId,
    /// Names of states (`.sta`), with `.tra` only.
    pub states: Option<FileId>,
    /// Labels of states (`.lab`), with `.tra` only.
    pub labels: Option<FileId>,
}

impl Files {
    /// One file.
    pub fn one(main: FileId) -> Files {
        Files {
            main,
            states: None,
            labels: None,
        }
    }
}

/// Reads a system of states. Its actions are added to `labels`.
pub fn read(
    format: Format,
    files: Files,
    sources: &Sources,
    labels: &mut Labels,
    limits: &ParserLimits,
) -> Result<Explicit, Vec<Diagnostic>> {
    for file in [Some(files.main), files.states, files.labels]
        .into_iter()
        .flatten()
    {
        let size = sources.file(file).map_or(0, |f| f.text().len());
        limits
            .check_bytes(size, "the text")
            .map_err(|error| vec![error])?;
    }
    let made = match format {
        Format::Text => text::read(files.main, sources, labels, limits),
        Format::Json => json::read(files.main, sources, labels, limits),
        Format::Drn => drn::read(files.main, sources, labels, limits),
        Format::Tra => tra::read(files, sources, labels, limits),
    };
    made.map_err(|error| vec![error])
}

/// Writes a system of states: the main text and, for `.tra`, those of `.sta` and `.lab`. Propositions and reward structures are
/// numbered as their names. Rewards are written in [`Format::Drn`] only.
pub fn write(
    format: Format,
    lpts: &Lpts,
    labels: &Labels,
    propositions: &[String],
    rewards: &[String],
) -> Written {
    match format {
        Format::Text => Written::one(text::write(lpts, labels, propositions)),
        Format::Json => Written::one(json::write(lpts, labels, propositions)),
        Format::Drn => Written::one(drn::write(lpts, labels, propositions, rewards)),
        Format::Tra => tra::write(lpts, labels, propositions),
    }
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The main file.
    pub main: String,
    /// The names of states, if they have any.
    pub states: Option<String>,
    /// The labels of states.
    pub labels: Option<String>,
}

impl Written {
    fn one(main: String) -> Written {
        Written {
            main,
            states: None,
            labels: None,
        }
    }
}
