//! FSP a second time: a naive interpreter that shares no code with the front-end, and texts of random
//! models for both.
//!
//! The interpreter composes as LTSA does, part by part, with sets and texts for everything; the
//! sizes, deadlocks and errors that it finds are LTSA's own on all models whose answers are known. Only
//! `minimal` and `deterministic` it leaves to the algorithms of the model, which have oracles of their own.

mod formula;
pub mod generate;
mod machine;
pub mod parse;
mod process;
mod progress;
mod system;
mod values;

use std::collections::{BTreeMap, BTreeSet};

/// What the interpreter finds of a system.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Naive {
    /// States: the error is none, all ends are one.
    pub states: usize,
    /// Transitions: steps to the error count.
    pub transitions: usize,
    /// Can it stop before an error? A property that continues alone keeps it from stopping, as in LTSA.
    pub deadlock: bool,
    /// Can its processes stop before an error?
    pub stuck: bool,
    /// For every step to the error: whose error it is.
    pub errors: BTreeSet<BTreeSet<String>>,
    /// Has relabelling made a property nondeterministic?
    pub merged: bool,
    /// Is there a part that hides actions and is composed before it is used?
    pub hides: bool,
    /// Whether each safe assertion holds; none are decided under priority, or if the system can stop.
    pub asserts: BTreeMap<String, bool>,
    /// Whether each progress property without indices holds; none are decided if there is an error.
    pub progress: BTreeMap<String, bool>,
}

/// Interprets a composition of a file.
pub fn interpret(text: &str, composite: &str) -> Result<Naive, String> {
    let model = parse::parse(text)?;
    let mut system = system::System::new(&model)?;
    let mut all = model.composites.iter();
    let composite = all.find(|c| c.name == composite);
    let composite = composite.ok_or("no such composition")?;
    let (machines, env) = system.machines(composite, None)?;
    let priority = system.priority(&composite.priority, &env)?;
    let priority = priority.as_ref();
    let whole = system::compose(&machines, priority, false)?;
    let alone = system::compose(&machines, priority, true)?;
    let once = |m: &machine::Machine| m.edges.iter().all(|(s, l, _)| m.next(*s, l).len() == 1);
    let words = composite.words;
    if words.deterministic || words.property {
        return Err("the whole is to be changed".to_owned());
    }
    let stops = alone.deadlock || alone.machine.end.is_some() || !whole.errors.is_empty();
    let asserts = match stops || priority.is_some() {
        true => BTreeMap::new(),
        false => formula::decide(text, &machines),
    };
    let progress = match whole.errors.is_empty() && alone.errors.is_empty() {
        true => progress::decide(text, &alone.machine),
        false => BTreeMap::new(),
    };
    Ok(Naive {
        states: whole.states,
        transitions: whole.transitions,
        deadlock: whole.deadlock,
        stuck: alone.deadlock,
        errors: whole.errors,
        merged: machines.iter().any(|m| m.property && !once(m)),
        hides: system.hides,
        asserts,
        progress,
    })
}
