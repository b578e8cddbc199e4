//! Front-ends: from text to model, for every supported language.
//!
//! [`Language`] lists and detects them. [`load`] reads networks (FSP, Aldebaran `.aut`, JSON): it takes texts with their
//! names and returns a closed [`Network`] with the sources its spans refer to, or diagnostics. The other kinds of models are
//! read by their own modules: [`promela`], [`smtlib`], [`c`], [`prism`], [`lpts`], [`smv`].
//!
//! ```
//! use suppose_frontends::{Input, LoadOptions, load};
//!
//! let text = "LIGHT = (red -> green -> LIGHT).";
//! let loaded = load(vec![Input::new("light.lts", text)], &LoadOptions::default());
//! assert_eq!(loaded.unwrap().network.components.len(), 1);
//! let failed = load(vec![Input::new("light.lts", "LIGHT = (red ->")], &LoadOptions::default());
//! assert!(!failed.unwrap_err().diagnostics.is_empty());
//! ```

pub mod aut;
pub mod c;
pub mod fsp;
pub mod index;
pub mod json;
mod language;
mod load;
pub mod lpts;
pub mod prism;
pub mod promela;
pub mod smtlib;
pub mod smv;

use suppose_model::lts::{Fairness, Network};
use suppose_source::{Diagnostic, ParserLimits, Sources, Span};

pub use language::{Language, ModelKind};
pub use load::load;

/// What an `.aut` file is to the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Role {
    /// A part of the system.
    #[default]
    Component,
    /// What is asked of it.
    Property,
    /// A file that an FSP file imports, named as it is written there.
    Import,
}

/// One text to read.
#[derive(Clone, Debug)]
pub struct Input {
    /// The file's name, for messages and for the names of components.
    pub name: String,
    /// The text.
    pub text: String,
    /// Component or property; only `.aut` files need it.
    pub role: Role,
    /// The language, if it is not to be taken from the name.
    pub language: Option<Language>,
}

impl Input {
    /// A component (or a whole system) in the language that its name says.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Input {
            name: name.into(),
            text: text.into(),
            role: Role::Component,
            language: None,
        }
    }
}

/// How to read.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Which process or composition of the file is the system.
    pub system: Option<String>,
    /// Values that replace those of constants, and of the system's parameters.
    pub constants: Vec<(String, i64)>,
    /// Of which runs assertions about liveness are to be true.
    pub fairness: Fairness,
    /// How much is taken before the input is refused.
    pub limits: ParserLimits,
}

/// What was read.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The system, closed.
    pub network: Network,
    /// The files.
    pub sources: Sources,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// Claims of the file that are not decided.
    pub undecided: Vec<Undecided>,
}

/// A claim written in the file that is not decided here: progress, liveness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecided {
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: String,
    /// Its source position.
    pub span: Option<Span>,
}

/// Why nothing was read.
#[derive(Clone, Debug)]
pub struct Failed {
    /// The files.
    pub sources: Sources,
    /// At least one error.
    pub diagnostics: Vec<Diagnostic>,
}
