//! Trying an assumption of the user's own.

use crate::options::{ModelOptions, RunOptions};
use crate::simulate::Transcript;

/// An assumption, and what is to be proved with it.
#[derive(Clone, Debug, Default)]
pub struct TrialOptions {
    /// How the model is read.
    pub model: ModelOptions,
    /// The property.
    pub property: String,
    /// The components that the assumption is about. The property is proved of the others.
    pub about: Vec<String>,
    /// The assumption, as an FSP process.
    pub assumption: String,
    /// Under which limits.
    pub run: RunOptions,
}

/// What came of the premises.
#[derive(Clone, Debug)]
pub struct Trial {
    /// States of the assumption, made deterministic.
    pub states: usize,
    /// Both premises: that the property follows from the assumption, and that the assumption is true.
    pub premises: Vec<PremiseResult>,
}

/// What became of one premise.
#[derive(Clone, Debug)]
pub struct PremiseResult {
    /// What it says.
    pub says: String,
    /// `holds`, `violated` or `unknown`.
    pub verdict: &'static str,
    /// The reason for `unknown`.
    pub reason: Option<String>,
    /// Did the independent checker accept the evidence?
    pub is_certified: bool,
    /// A run that shows that it does not hold.
    pub run: Option<Transcript>,
}

impl Trial {
    /// Both premises hold, and so the property holds of the whole system.
    pub fn proves(&self) -> bool {
        self.premises.iter().all(|p| p.verdict == "holds")
    }
}
