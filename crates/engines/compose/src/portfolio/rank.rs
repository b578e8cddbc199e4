//! Which process to find a requirement of, when nobody says.

use std::cmp::Ordering;

use suppose_model::lts::Network;

/// The candidates (all processes, when there are none), the most promising first.
///
/// A requirement is a quotient of the process over the labels that others see, so it is small where many
/// states share few such labels: candidates are ordered by states for each label of the
/// interface. A process that nobody sees has nothing required of it and comes last.
pub fn rank(network: &Network, property: usize, candidates: &[usize]) -> Vec<usize> {
    let participants = network.participants();
    let watched = network.properties.get(property).map(|p| &p.lts);
    let interface = |i: usize| {
        let labels = network.components[i].lts.alphabet().iter();
        let seen = |l: &&suppose_model::lts::Label| {
            participants.get(l.index()).is_some_and(|p| p.len() > 1)
                || watched.is_some_and(|w| w.has_label(**l))
        };
        labels.filter(seen).count() as u64
    };
    let size = |i: usize| network.components[i].lts.states() as u64;
    let all = match candidates.is_empty() {
        true => network.processes(),
        false => candidates.to_vec(),
    };
    let mut sized: Vec<(usize, u64, u64)> = all
        .into_iter()
        .map(|i| (i, size(i), interface(i)))
        .collect();
    sized.sort_by(|a, b| match (a.2, b.2) {
        (0, 0) => a.0.cmp(&b.0),
        (0, _) => Ordering::Greater,
        (_, 0) => Ordering::Less,
        // a.1 / a.2 against b.1 / b.2, the larger first.
        _ => (b.1 * a.2).cmp(&(a.1 * b.2)).then(a.0.cmp(&b.0)),
    });
    sized.into_iter().map(|(i, ..)| i).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use suppose_model::lts::{Labels, LtsBuilder};

    #[test]
    fn many_states_for_few_shared_labels_come_first() {
        let mut labels = Labels::new();
        let [a, b, own, alone] = ["a", "b", "own", "alone"].map(|n| labels.intern(n));
        let mut network = Network::new("s", labels);
        let mut wide = LtsBuilder::new("wide");
        wide.edge(0, a, 1);
        wide.edge(1, b, 0);
        let mut deep = LtsBuilder::new("deep");
        deep.edge(0, a, 1);
        deep.edge(1, own, 2);
        deep.edge(2, own, 0);
        let mut unseen = LtsBuilder::new("unseen");
        unseen.edge(0, alone, 1);
        let mut other = LtsBuilder::new("other");
        other.edge(0, b, 0);
        for it in [unseen, wide, deep, other] {
            network.add_component(it.build());
        }
        network.add_property(&LtsBuilder::new("p").build(), None);
        assert_eq!(rank(&network, 0, &[]), [2, 1, 3, 0]);
        assert_eq!(rank(&network, 0, &[0, 3]), [3, 0]);
    }
}
