//! What is recorded beside the SMV examples.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// One model.
#[derive(Clone, Debug, Deserialize)]
pub struct Check {
    /// The file's name.
    pub file: String,
    /// Where it is.
    #[serde(skip)]
    pub folder: PathBuf,
    /// In the old dialect, which NuSMV does not read?
    #[serde(default)]
    pub old: bool,
    /// `holds` or `violated`, by the name of the property.
    #[serde(default)]
    pub verdicts: BTreeMap<String, String>,
    /// Reachable states, if they are few enough to be counted one by one.
    pub states: Option<u64>,
    /// Is there a reachable state without a step?
    #[serde(default)]
    pub deadlock: bool,
}

#[derive(Deserialize)]
struct File {
    check: Vec<Check>,
}

impl Check {
    /// The path of the model.
    pub fn path(&self) -> PathBuf {
        self.folder.join(&self.file)
    }
}

/// All checks.
///
/// # Panics
///
/// When the examples are not there or not in order.
pub fn checks() -> Vec<Check> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/smv");
    let text = std::fs::read_to_string(folder.join("expected.toml")).expect("expected.toml");
    let file: File = toml::from_str(&text).expect("checks");
    let here = |check: Check| Check {
        folder: folder.clone(),
        ..check
    };
    file.check.into_iter().map(here).collect()
}
