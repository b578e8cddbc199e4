//! The language of PRISM: `mdp` and `dtmc` models, and PCTL properties about them.
//!
//! [`read`] gives a [`PrismModel`]: everything is resolved and checked, nothing explored. Then
//! [`PrismModel::count`] gives the numbers that PRISM and Storm show, [`PrismModel::whole`] the model as one
//! [`Lpts`](suppose_model::mdp::Lpts), and [`PrismModel::system`] a system whose components are modules or groups of modules.
//!
//! Probabilities are exact: `0.1` is 1/10. The semantics is PRISM's, and the numbers of states, choices and transitions
//! are tested against Storm.

mod about_labels;
mod acts;
mod ast;
mod atoms;
mod code;
mod count;
mod explore;
mod group;
mod initial;
mod irrational;
mod lexer;
mod lower;
mod machine;
mod parser;
mod property;
mod reads;
mod resolve;
mod resolved;
mod rewards;
mod show;
mod term;
mod value;

use std::fmt;

use suppose_model::lts::{SizeLimits, TooLarge};
use suppose_source::{Diagnostic, FileId, ParserLimits, Sources};

pub(crate) use about_labels::{AboutLabels, about_labels};
pub use acts::read_acts;
pub use ast::ModelType;
pub use count::Counts;
pub use group::{Grouping, Reads};
pub use lower::{Lowered, Whole};
pub(crate) use parser::exact_decimal;
pub use property::Properties;

/// How to read.
#[derive(Clone, Debug, Default)]
pub struct PrismOptions {
    /// Values of constants that the model leaves open: name, and an expression as text (`3`, `0.5`, `1/3`, `true`).
    pub constants: Vec<(String, String)>,
    /// Constants that the model does not declare are let pass: they are meant for the properties.
    pub unknown_constants: bool,
    /// How much is taken before the input is refused.
    pub limits: ParserLimits,
}

/// How far to explore.
#[derive(Clone, Copy)]
pub struct Exploration<'a> {
    /// States and branches (of one component).
    pub limits: SizeLimits,
    /// Asked often; `true` ends the exploration.
    pub stop: &'a dyn Fn() -> bool,
}

impl Exploration<'_> {
    /// The usual limits, and no stop.
    pub fn unlimited() -> Exploration<'static> {
        Exploration {
            limits: SizeLimits::default(),
            stop: &|| false,
        }
    }
}

impl fmt::Debug for Exploration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exploration")
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Why a model was not explored to its end.
#[derive(Clone, Debug)]
pub enum ExplorationError {
    /// The model is wrong: at least one error.
    Invalid(Vec<Diagnostic>),
    /// More than the limits allow; says of what.
    TooLarge(String),
    /// Cancelled.
    Stopped,
}

impl ExplorationError {
    fn too_large(what: &str, limit: TooLarge) -> ExplorationError {
        ExplorationError::TooLarge(format!("{what} has {limit}"))
    }
}

/// A model that was read.
#[derive(Clone, Debug)]
pub struct PrismModel {
    name: String,
    resolved: resolved::Resolved,
    scope: resolve::Scope,
    names: lexer::Names,
}

/// Reads the model in a file of `sources`.
pub fn read(
    file: FileId,
    sources: &Sources,
    options: &PrismOptions,
) -> Result<PrismModel, Vec<Diagnostic>> {
    let source = sources.file(file);
    let text = source.map_or("", |f| f.text());
    let mut names = lexer::Names::default();
    let ast = parser::parse_model(text, file, &mut names, &options.limits)?;
    let (resolved, scope) = resolve::resolve(&ast, &names, options)?;
    Ok(PrismModel {
        name: stem(source.map_or("", |f| f.name())).to_owned(),
        resolved,
        scope,
        names,
    })
}

/// Reads a model that is a text.
pub fn read_text(
    name: &str,
    text: &str,
    options: &PrismOptions,
) -> Result<(PrismModel, Sources), (Vec<Diagnostic>, Sources)> {
    let sources = Sources::single(name, text);
    match read(FileId(0), &sources, options) {
        Ok(model) => Ok((model, sources)),
        Err(errors) => Err((errors, sources)),
    }
}

impl PrismModel {
    /// The file's name without folders and ending.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Who chooses between enabled commands.
    pub fn model_type(&self) -> ModelType {
        self.resolved.ty
    }

    /// The names of the modules, in order.
    pub fn modules(&self) -> Vec<&str> {
        self.resolved
            .modules
            .iter()
            .map(|m| m.name.as_str())
            .collect()
    }

    /// The names of the labels, without quotes.
    pub fn labels(&self) -> Vec<&str> {
        self.resolved
            .labels
            .iter()
            .map(|l| l.name.as_str())
            .collect()
    }

    /// Warnings.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.resolved.warnings
    }
}

/// The file's name without folders and ending.
fn stem(name: &str) -> &str {
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match base.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => base,
    }
}
