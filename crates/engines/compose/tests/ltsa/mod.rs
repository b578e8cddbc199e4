//! What we say of an FSP model, in the words of a table of LTSA's answers.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use suppose_compose::{agar, learn, monolithic};
use suppose_control::Context;
use suppose_frontends::{Input, LoadOptions, Loaded, load};
use suppose_model::lts::{Counts, ERROR_PROPERTY, Label, Network, SizeLimits, count};
use suppose_model::{Answer, Claim, Verdict};
use suppose_testkit::naive;

/// Our answers about one model.
#[derive(Debug, Default)]
pub struct Answers {
    /// States and transitions, as LTSA counts them.
    pub counts: Counts,
    /// Can the whole stop, as the engines decide it?
    pub deadlock: bool,
    /// The same, but for what lies behind an error.
    pub deadlock_before_errors: bool,
    /// The same where labels that only properties have never happen: such a label can lead a property past its
    /// error, so that more lies before errors.
    #[allow(dead_code, reason = "not every test looks at it")]
    pub stuck_before_errors: bool,
    /// The properties and processes that are violated; assertions are not among them.
    pub violated: BTreeSet<String>,
    /// For every step into an error that no error comes before: whose error it is.
    pub first_errors: BTreeSet<BTreeSet<String>>,
    /// Whether each safe assertion holds.
    pub asserts: BTreeMap<String, bool>,
    /// What is warned of.
    #[allow(dead_code, reason = "not every test looks at it")]
    pub warnings: Vec<String>,
}

/// Reads a model, or says why it is refused.
pub fn read(text: &str, system: Option<&str>) -> Result<Loaded, String> {
    let options = LoadOptions {
        system: system.map(str::to_owned),
        ..LoadOptions::default()
    };
    load(vec![Input::new("model.lts", text)], &options).map_err(|failed| {
        let shown = failed.diagnostics.iter();
        shown.map(|d| d.render(&failed.sources, false)).collect()
    })
}

/// Reads a model and decides every claim, each with every engine that takes it, with evidence that
/// the checker accepts.
#[allow(dead_code, reason = "not every test uses it")]
pub fn answers(text: &str, system: Option<&str>) -> Result<Answers, String> {
    answers_of(text, system, true)
}

/// The same, perhaps with the monolithic engine only.
pub fn answers_of(text: &str, system: Option<&str>, all_engines: bool) -> Result<Answers, String> {
    let loaded = read(text, system)?;
    let assertions = assertions(text);
    let mut network = loaded.network;
    let mut answers = Answers {
        warnings: loaded.warnings.iter().map(|w| w.message.clone()).collect(),
        ..Answers::default()
    };
    answers.deadlock = !holds(&network, Claim::DeadlockFree, all_engines)?;
    for number in 0..network.properties.len() {
        let name = network.properties[number].name().to_owned();
        let holds = holds(&network, Claim::Property(number), all_engines)?;
        if assertions.contains(&name) {
            answers.asserts.insert(name, holds);
        } else if !holds && name != ERROR_PROPERTY {
            answers.violated.insert(name);
        } else if !holds {
            answers.violated.extend(wrong_processes(&network));
        }
    }
    let stated = |p: &suppose_model::lts::Property| !assertions.contains(p.name());
    network.properties.retain(stated);
    answers.counts = count(&network, &SizeLimits::default()).map_err(|e| e.to_string())?;
    let (errors, _) = up_to_errors(&network, Claim::Property(0), &[]);
    let (_, deadlock) = up_to_errors(&network, Claim::DeadlockFree, &[]);
    let free = network.free_labels();
    let (_, stuck) = up_to_errors(&network, Claim::DeadlockFree, &free);
    answers.first_errors = errors;
    answers.deadlock_before_errors = deadlock;
    answers.stuck_before_errors = stuck;
    Ok(answers)
}

/// The names after `assert`.
fn assertions(text: &str) -> BTreeSet<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let pairs = words.windows(2).filter(|w| w[0] == "assert");
    let name = |w: &str| -> String {
        let word = w.chars();
        word.take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    pairs.map(|w| name(w[1])).collect()
}

fn certified(network: &Network, answer: &Answer) -> Result<bool, String> {
    match &answer.verdict {
        Verdict::Holds(certificate) => {
            let accepted = suppose_certify::certificate(network, certificate, &Context::default());
            accepted.map(|_| true).map_err(|e| format!("{e:?}"))
        }
        Verdict::Violated(run) => {
            let accepted = suppose_certify::counterexample(network, run);
            accepted.map(|()| false).map_err(|e| format!("{e:?}"))
        }
        Verdict::Unknown(reason) => Err(format!("{reason:?}")),
    }
}

/// The verdict of all engines and of the naive checker.
fn holds(network: &Network, claim: Claim, all_engines: bool) -> Result<bool, String> {
    let cx = Context::default();
    let whole = certified(network, &monolithic::check(network, claim, &cx))?;
    if (naive::check(network, claim) == naive::NaiveVerdict::Holds) != whole {
        return Err(format!(
            "{claim:?}: monolithic says {whole}, the naive one not"
        ));
    }
    if let (Claim::Property(property), None, true) = (claim, &network.priority, all_engines) {
        let groups: Vec<Vec<usize>> = (0..network.components.len()).map(|i| vec![i]).collect();
        let options = agar::AgarOptions::default();
        let other = agar::check(network, property, &groups, &options, &cx);
        if certified(network, &other)? != whole {
            return Err(format!("{claim:?}: agar differs"));
        }
        let options = learn::LearningOptions::default();
        let other = learn::check(network, property, &groups, &options, &cx);
        if certified(network, &other)? != whole {
            return Err(format!("{claim:?}: learn differs"));
        }
    }
    Ok(whole)
}

/// The component that each mark of errors belongs to.
fn owners(network: &Network) -> BTreeMap<u32, String> {
    let owner = |mark: &suppose_model::lts::Label| {
        let mut all = network.components.iter();
        let one = all.find(|c| c.lts.has_label(*mark));
        (
            mark.0,
            one.map_or(String::new(), |c| c.lts.name().to_owned()),
        )
    };
    network.errors.iter().map(owner).collect()
}

/// The components whose error can be reached.
fn wrong_processes(network: &Network) -> Vec<String> {
    let owners = owners(network);
    let mut seen = HashSet::from([naive::initial(network)]);
    let mut queue: Vec<_> = seen.iter().cloned().collect();
    let mut wrong = Vec::new();
    while let Some(vector) = queue.pop() {
        for (label, next) in naive::steps(network, &vector) {
            wrong.extend(owners.get(&label.0).cloned());
            if seen.insert(next.clone()) {
                queue.push(next);
            }
        }
    }
    wrong
}

/// Explores the whole with all properties at once, up to the first error on every path: those errors,
/// and whether it can stop before one. Some labels never happen.
fn up_to_errors(
    network: &Network,
    claim: Claim,
    never: &[Label],
) -> (BTreeSet<BTreeSet<String>>, bool) {
    let (mut errors, mut deadlock) = (BTreeSet::new(), false);
    let owners = owners(network);
    let stated = network.properties.iter();
    let stated: Vec<_> = stated.filter(|p| p.name() != ERROR_PROPERTY).collect();
    let watched: Vec<u32> = stated.iter().map(|p| p.lts.initial()).collect();
    let start = (naive::initial(network), watched);
    let mut seen = HashSet::from([start.clone()]);
    let mut queue = VecDeque::from([start]);
    while let Some((vector, watched)) = queue.pop_front() {
        deadlock |= naive::is_deadlock(network, &vector);
        for (label, next) in naive::steps_for(network, &vector, claim) {
            if never.contains(&label) {
                continue;
            }
            let mut wrong = BTreeSet::new();
            let mut after = watched.clone();
            for (state, property) in after.iter_mut().zip(&stated) {
                if property.lts.has_label(label) {
                    match property.lts.successors(*state, label).first() {
                        Some(edge) => *state = edge.target,
                        None => drop(wrong.insert(property.name().to_owned())),
                    }
                }
            }
            for (mark, name) in &owners {
                let mark = Label(*mark);
                let mut all = network.components.iter().zip(&next);
                if all.any(|(c, s)| !c.lts.successors(*s, mark).is_empty()) {
                    wrong.insert(name.clone());
                }
            }
            if !wrong.is_empty() {
                errors.insert(wrong);
            } else if seen.insert((next.clone(), after.clone())) {
                queue.push_back((next, after));
            }
        }
    }
    (errors, deadlock)
}
