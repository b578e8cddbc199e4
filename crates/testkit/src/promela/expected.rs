//! What is recorded of SPIN beside the PROMELA examples.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// One model in one size.
#[derive(Clone, Debug, Deserialize)]
pub struct Check {
    /// The file's name.
    pub file: String,
    /// Where it is.
    #[serde(skip)]
    pub folder: PathBuf,
    /// Values for the names it leaves open.
    #[serde(default)]
    pub set: BTreeMap<String, i64>,
    /// SPIN does not accept it.
    #[serde(default, rename = "refused-by-spin")]
    pub refused: bool,
    /// `holds` or `violated` by what was asked: `assertion`, `end-state`, `error`, `trace`, or a claim.
    #[serde(default)]
    pub verdicts: BTreeMap<String, String>,
    /// What SPIN counts.
    #[serde(default)]
    pub spin: Spin,
}

/// What SPIN counts.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct Spin {
    /// States stored without any reduction; none when SPIN did not get there.
    pub states: Option<u64>,
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

    /// Is that violated, if it was asked?
    pub fn violated(&self, name: &str) -> Option<bool> {
        self.verdicts.get(name).map(|v| v == "violated")
    }

    /// Has it at most so many states?
    pub fn is_up_to(&self, states: u64) -> bool {
        self.spin.states.is_some_and(|n| n <= states)
    }

    /// One of the small programs for single constructs?
    pub fn is_construct(&self) -> bool {
        self.folder.ends_with("constructs")
    }
}

/// All checks, by folder.
///
/// # Panics
///
/// When the examples are not there or not in order.
pub fn checks() -> Vec<Check> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    let entries = std::fs::read_dir(examples).expect("the examples");
    let mut folders: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    folders.sort();
    let mut all = Vec::new();
    for folder in folders.into_iter().filter(|f| f.is_dir()) {
        let text = std::fs::read_to_string(folder.join("expected.toml")).expect("expected.toml");
        let file: File = toml::from_str(&text).expect("checks");
        let here = |check: Check| Check {
            folder: folder.clone(),
            ..check
        };
        all.extend(file.check.into_iter().map(here));
    }
    assert!(all.len() > 200, "only {} checks are there", all.len());
    all
}
