//! LTS to `.aut`.

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_model::lts::{Label, Labels, Lts};

/// How the silent action is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Tau {
    /// `i`, as CADP has it.
    #[default]
    I,
    /// `"tau"`, as mCRL2 has it.
    Tau,
}

/// Writes an LTS. The format has neither error state nor end: both become ordinary states.
///
/// A visible label that the format would take for the silent action (`i`), or cannot hold (one
/// with a line break, an empty one), gets another name: primes are added, line breaks become
/// spaces.
pub fn write(lts: &Lts, labels: &Labels, tau: Tau) -> String {
    let silent = match tau {
        Tau::I => "i",
        Tau::Tau => "\"tau\"",
    };
    let names = names(lts, labels);
    let (initial, transitions, states) = (lts.initial(), lts.transitions(), lts.states());
    let mut text = format!("des ({initial},{transitions},{states})\n");
    for (source, label, target) in lts.all_edges() {
        text.push_str(&format!("({source},"));
        match names.get(&label) {
            Some(name) => {
                text.push('"');
                text.push_str(name);
                text.push('"');
            }
            None => text.push_str(silent),
        }
        text.push_str(&format!(",{target})\n"));
    }
    text
}

/// A different name for every label of the alphabet. Names that can stay, stay.
fn names(lts: &Lts, labels: &Labels) -> FxHashMap<Label, String> {
    let plain = |name: &str| !matches!(name, "" | "i" | "tau") && !name.contains(['\n', '\r']);
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let mut names = FxHashMap::default();
    let (good, bad): (Vec<Label>, Vec<Label>) =
        lts.alphabet().iter().partition(|l| plain(labels.name(**l)));
    for label in good {
        let name = labels.name(label).to_owned();
        taken.insert(name.clone());
        names.insert(label, name);
    }
    for label in bad {
        let mut name = labels.name(label).replace(['\n', '\r'], " ");
        while !plain(&name) || taken.contains(&name) {
            name.push('\'');
        }
        taken.insert(name.clone());
        names.insert(label, name);
    }
    names
}
