//! Operations on one LTS: hiding, relabelling, and the part that can be reached.

use rustc_hash::FxHashMap;

use super::{Label, Lts, LtsBuilder, State};

/// LTSA's `\`: the labels given become `tau` and leave the alphabet.
pub fn hide(lts: &Lts, labels: &[Label]) -> Lts {
    let hidden = sorted(labels);
    lts.map_labels(|l| match hidden.binary_search(&l) {
        Ok(_) => Label::TAU,
        Err(_) => l,
    })
}

/// LTSA's `@`: all labels but those given become `tau` and leave the alphabet.
pub fn keep(lts: &Lts, labels: &[Label]) -> Lts {
    let kept = sorted(labels);
    lts.map_labels(|l| match kept.binary_search(&l) {
        Ok(_) => l,
        Err(_) => Label::TAU,
    })
}

/// LTSA's `/`: each label is replaced by all those it is related to. Labels the relation does not
/// mention, and `tau`, stay; one related to nothing loses its edges and leaves the alphabet.
pub fn relabel(lts: &Lts, relation: &FxHashMap<Label, Vec<Label>>) -> Lts {
    let mut builder = LtsBuilder::like(lts);
    let image = |label: Label| match relation.get(&label) {
        Some(labels) if !label.is_tau() => labels.clone(),
        _ => vec![label],
    };
    for label in lts.alphabet() {
        builder.extend_alphabet(image(*label));
    }
    for (source, label, target) in lts.all_edges() {
        match relation.get(&label) {
            Some(labels) if !label.is_tau() => {
                for new in labels {
                    builder.edge(source, *new, target);
                }
            }
            _ => {
                builder.edge(source, label, target);
            }
        }
    }
    builder.build()
}

/// The states that can be reached, in breadth-first order.
pub fn reachable_states(lts: &Lts) -> Vec<State> {
    let mut seen = vec![false; lts.states()];
    seen[lts.initial() as usize] = true;
    let mut order = vec![lts.initial()];
    let mut next = 0;
    while next < order.len() {
        for edge in lts.edges(order[next]) {
            if !std::mem::replace(&mut seen[edge.target as usize], true) {
                order.push(edge.target);
            }
        }
        next += 1;
    }
    order
}

/// The part that can be reached, renumbered in breadth-first order. The alphabet stays.
pub fn reachable(lts: &Lts) -> Lts {
    let order = reachable_states(lts);
    let mut number = vec![None; lts.states()];
    for (new, old) in order.iter().enumerate() {
        number[*old as usize] = Some(new as State);
    }
    let new_number = |old: State| number[old as usize];
    let mut builder = LtsBuilder::new(lts.name());
    builder
        .states(order.len() as u32)
        .initial(0)
        .extend_alphabet(lts.alphabet().iter().copied());
    if let Some(error) = lts.error().and_then(new_number) {
        builder.error(error);
    }
    if let Some(end) = lts.end().and_then(new_number) {
        builder.end(end);
    }
    for (new, old) in order.iter().enumerate() {
        if let Some(name) = lts.given_name(*old) {
            builder.state_name(new as State, name);
        }
        for edge in lts.edges(*old) {
            if let Some(target) = new_number(edge.target) {
                builder.edge(new as State, edge.label, target);
            }
        }
    }
    builder.build()
}

fn sorted(labels: &[Label]) -> Vec<Label> {
    let mut labels = labels.to_vec();
    labels.sort_unstable();
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> (Lts, Label, Label) {
        let (a, b) = (Label(1), Label(2));
        let mut builder = LtsBuilder::new("m");
        builder.edge(2, a, 0).edge(0, b, 0).edge(1, a, 2);
        builder.initial(2).end(0).error(3).state_name(0, "x");
        (builder.build(), a, b)
    }

    #[test]
    fn hiding_and_keeping_are_dual() {
        let (m, a, b) = sample();
        assert_eq!(hide(&m, &[a]), keep(&m, &[b]));
        assert_eq!(hide(&m, &[a]).alphabet(), [b]);
    }

    #[test]
    fn one_label_may_become_several() {
        let (m, a, b) = sample();
        let c = Label(3);
        let relation = FxHashMap::from_iter([(a, vec![b, c]), (b, vec![]), (Label::TAU, vec![a])]);
        let relabelled = relabel(&m, &relation);
        assert_eq!(relabelled.alphabet(), [b, c]);
        assert_eq!(relabelled.edges(2).len(), 2);
        assert!(relabelled.edges(0).is_empty());
    }

    #[test]
    fn only_what_is_reached_stays() {
        let (m, a, b) = sample();
        let part = reachable(&m);
        assert_eq!((part.states(), part.transitions()), (2, 2));
        assert_eq!((part.end(), part.error()), (Some(1), None));
        assert_eq!(
            (part.state_name(1), part.state_name(0)),
            ("x".into(), "0".into())
        );
        assert_eq!(part.alphabet(), [a, b]);
    }
}
