//! The small parts of a file, as they are written.

use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};
use suppose_model::lts::{Label, Labels, State};
use suppose_model::mdp::{Choice, DistId, Lpts, LptsBuilder, System};
use suppose_number::Rat;

use crate::chc::file::number::Fraction;

/// A component: name and size, so that another system is not mistaken for this one.
#[derive(Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    pub name: String,
    pub states: usize,
}

impl Part {
    pub fn of(lpts: &Lpts) -> Self {
        Part {
            name: lpts.name().to_owned(),
            states: lpts.states(),
        }
    }

    pub fn all(system: &System) -> Vec<Part> {
        system
            .components
            .iter()
            .map(|c| Part::of(&c.lpts))
            .collect()
    }
}

/// An action, and states with their probabilities.
pub(super) type ChoiceText = (String, Vec<(State, Fraction)>);

/// The choices of a state; none if a label is unknown.
pub(super) fn choices_of(lpts: &Lpts, state: State, labels: &Labels) -> Option<Vec<ChoiceText>> {
    let choice = |c: &Choice| {
        let known = c.label.index() < labels.len();
        let name = known.then(|| labels.name(c.label).to_owned())?;
        let branches = lpts.dist(c.dist).probabilities();
        Some((name, branches.map(|(s, p)| (s, Fraction(p))).collect()))
    };
    lpts.choices(state).iter().map(choice).collect()
}

/// Adds the choices of a state. Targets lie below `states`, and labels are `tau` or known.
pub(super) fn add_choices(
    builder: &mut LptsBuilder,
    state: State,
    states: usize,
    choices: Vec<ChoiceText>,
    label: &dyn Fn(&str) -> Option<Label>,
) -> Result<(), String> {
    for (name, branches) in choices {
        let label = label(&name).ok_or_else(|| format!("there is no action `{name}`"))?;
        if let Some((target, _)) = branches.iter().find(|(t, _)| *t as usize >= states) {
            return Err(format!("there is no state {target}"));
        }
        let parts: Vec<(State, Rat)> = branches.into_iter().map(|(t, f)| (t, f.0)).collect();
        let added = builder.choice(state, label, &parts);
        added.map_err(|bad| bad.to_string())?;
    }
    Ok(())
}

/// `choices` has one list for every state, so that a state costs bytes. The choices of a state with the same action are in
/// the order of their distributions, which relations refer to, so these are listed in their order.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AssumptionText {
    name: String,
    alphabet: Vec<String>,
    initial: State,
    propositions: Vec<(u32, Vec<State>)>,
    distributions: Vec<Vec<(State, Fraction)>>,
    choices: Vec<Vec<(String, usize)>>,
}

impl AssumptionText {
    /// The assumption as text; none if it has a label that the system does not know.
    pub fn of(lpts: &Lpts, labels: &Labels) -> Option<Self> {
        let known = |l: &Label| (l.index() < labels.len()).then(|| labels.name(*l).to_owned());
        let alphabet: Option<Vec<String>> = lpts.alphabet().iter().map(known).collect();
        let mut used: Vec<DistId> = lpts.all_choices().iter().map(|c| c.dist).collect();
        used.sort_unstable();
        used.dedup();
        let place = |d: DistId| used.binary_search(&d).unwrap_or(used.len());
        let choice = |c: &Choice| Some((known(&c.label)?, place(c.dist)));
        let choices_of = |s| lpts.choices(s).iter().map(choice).collect();
        let states = 0..lpts.states() as State;
        let choices: Option<Vec<Vec<_>>> = states.map(choices_of).collect();
        let parts = |d: &DistId| {
            let parts = lpts.dist(*d).probabilities();
            parts.map(|(s, p)| (s, Fraction(p))).collect()
        };
        let truth = |states: &FixedBitSet| states.ones().map(|s| s as State).collect();
        let propositions = lpts.propositions().iter();
        Some(AssumptionText {
            name: lpts.name().to_owned(),
            alphabet: alphabet?,
            initial: lpts.initial(),
            propositions: propositions.map(|(n, s)| (*n, truth(s))).collect(),
            distributions: used.iter().map(parts).collect(),
            choices: choices?,
        })
    }

    /// How much it takes, in states, branches and the like.
    pub fn size(&self) -> u64 {
        let branches = self.distributions.iter().map(|d| d.len() as u64 + 1);
        let choices = self.choices.iter().map(|c| c.len() as u64 + 1);
        let truths = self.propositions.iter().map(|(_, s)| s.len() as u64);
        choices.sum::<u64>() + branches.sum::<u64>() + truths.sum::<u64>()
    }

    pub fn lpts(self, system: &System) -> Result<Lpts, String> {
        let states = self.choices.len();
        if self.initial as usize >= states || states > u32::MAX as usize {
            return Err("its initial state is not one of its states".to_owned());
        }
        let mut alphabet = Vec::new();
        for name in &self.alphabet {
            match system.labels.get(name) {
                Some(label) if !label.is_tau() => alphabet.push(label),
                _ => return Err(format!("the system has no action `{name}`")),
            }
        }
        alphabet.sort_unstable();
        let mut builder = LptsBuilder::new(self.name);
        builder.states(states).initial(self.initial);
        builder.extend_alphabet(alphabet.iter().copied());
        let known = |label: &Label| label.is_tau() || alphabet.binary_search(label).is_ok();
        let label = |name: &str| system.labels.get(name).filter(known);
        let dists = distributions(&mut builder, self.distributions, states)?;
        for (state, choices) in (0..).zip(self.choices) {
            for (name, dist) in choices {
                let label = label(&name).ok_or_else(|| format!("it has no action `{name}`"))?;
                let dist = dists.get(dist).ok_or("there is no such distribution")?;
                builder.choice_of(state, label, *dist);
            }
        }
        let mut last = None;
        for (number, truth) in self.propositions {
            let fits = (number as usize) < system.propositions.len() && last < Some(number);
            if !fits || truth.iter().any(|s| *s as usize >= states) {
                return Err(format!("it cannot have the proposition {number}"));
            }
            last = Some(number);
            let mut holds = FixedBitSet::with_capacity(states);
            truth.iter().for_each(|s| holds.insert(*s as usize));
            builder.proposition(number, holds);
        }
        Ok(builder.build())
    }
}

/// The distributions, all different, over this many states.
fn distributions(
    builder: &mut LptsBuilder,
    all: Vec<Vec<(State, Fraction)>>,
    states: usize,
) -> Result<Vec<DistId>, String> {
    let mut ids: Vec<DistId> = Vec::with_capacity(all.len());
    for parts in all {
        if let Some((target, _)) = parts.iter().find(|(t, _)| *t as usize >= states) {
            return Err(format!("there is no state {target}"));
        }
        let parts: Vec<(State, Rat)> = parts.into_iter().map(|(t, f)| (t, f.0)).collect();
        let id = builder.store().insert_probabilities(&parts);
        let id = id.map_err(|bad| bad.to_string())?;
        if ids.last().is_some_and(|last| *last >= id) {
            return Err("a distribution is there twice".to_owned());
        }
        ids.push(id);
    }
    Ok(ids)
}

/// A pair: left states, right state, for each choice the one that matches it, and the weight functions that are not
/// forced, each with the number of its choice.
pub(super) type PairText = (Vec<State>, State, Vec<u32>, Vec<(u32, Vec<FlowText>)>);

/// From which branch to which, and how much.
pub(super) type FlowText = (u32, u32, Fraction);

/// A node of a tree.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NodeText {
    pub states: Vec<State>,
    pub choices: Vec<ChoiceText>,
}
