//! What several parts do together, naively (Definition 12 of the thesis), sharing nothing with `model::markov::Product`.

use std::collections::{BTreeMap, BTreeSet};

use suppose_model::lts::{Label, State};
use suppose_model::mdp::Lpts;
use suppose_number::Rat;

/// A choice: its label, and where it leads with which probability.
pub type NaiveChoice = (Label, BTreeMap<Vec<State>, Rat>);

/// The choices of every reachable state. Equal choices are one.
pub fn naive_product(parts: &[&Lpts]) -> BTreeMap<Vec<State>, BTreeSet<NaiveChoice>> {
    let start: Vec<State> = parts.iter().map(|p| p.initial()).collect();
    let mut found = BTreeMap::new();
    let mut pending = vec![start];
    while let Some(state) = pending.pop() {
        if found.contains_key(&state) {
            continue;
        }
        let choices = choices(parts, &state);
        for (_, branches) in &choices {
            pending.extend(branches.keys().cloned());
        }
        found.insert(state, choices);
    }
    found
}

fn choices(parts: &[&Lpts], state: &[State]) -> BTreeSet<NaiveChoice> {
    let mut all = BTreeSet::new();
    let mut labels: BTreeSet<Label> = BTreeSet::new();
    for (number, part) in parts.iter().enumerate() {
        for choice in part.choices(state[number]) {
            match choice.label.is_tau() {
                true => {
                    let alone = step(part, state[number], Label::TAU);
                    all.extend(alone.into_iter().map(|branches| {
                        let whole = branches.into_iter().map(|(to, p)| {
                            let mut next = state.to_vec();
                            next[number] = to;
                            (next, p)
                        });
                        (Label::TAU, whole.collect())
                    }));
                }
                false => {
                    labels.insert(choice.label);
                }
            }
        }
    }
    for label in labels {
        // Whoever has it in the alphabet takes part; the others stay.
        let mut joint: Vec<BTreeMap<Vec<State>, Rat>> =
            vec![BTreeMap::from([(Vec::new(), Rat::ONE)])];
        for (number, part) in parts.iter().enumerate() {
            let own = match part.alphabet().contains(&label) {
                true => step(part, state[number], label),
                false => vec![BTreeMap::from([(state[number], Rat::ONE)])],
            };
            let mut longer = Vec::new();
            for before in &joint {
                for branches in &own {
                    let mut product = BTreeMap::new();
                    for (prefix, p) in before {
                        for (to, q) in branches {
                            let mut next = prefix.clone();
                            next.push(*to);
                            product.insert(next, p * q);
                        }
                    }
                    longer.push(product);
                }
            }
            joint = longer;
        }
        all.extend(joint.into_iter().map(|branches| (label, branches)));
    }
    all
}

fn step(part: &Lpts, state: State, label: Label) -> Vec<BTreeMap<State, Rat>> {
    let choices = part.choices(state).iter().filter(|c| c.label == label);
    choices
        .map(|c| part.dist(c.dist).probabilities().collect())
        .collect()
}
