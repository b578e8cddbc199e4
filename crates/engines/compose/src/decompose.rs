//! Proposals for splitting a network into groups.
//!
//! All start from one *order* of the components: first the one with most of the property's labels,
//! then always the one that is most bound to those already placed, among those whose removal leaves
//! the rest in the fewest unconnected pieces. Neighbours of the property come early, so the groups
//! that matter most are checked concretely and the far ones become assumptions. And an assumption is
//! about a *connected* rest: unconnected pieces run independently, so an assumption about them
//! multiplies their states, while a hub left in the rest (a server, an arbiter) keeps it small.

use suppose_model::lts::{ComponentKind, Network};

/// How to split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Two groups with few labels between them, and none too large.
    Interface,
    /// Two groups of about equal size (estimated by the product of the components' sizes).
    Balanced,
    /// One component a group, in order (rule 3).
    #[default]
    Chain,
}

/// Up to so many components the pieces of every rest are counted.
const CONNECTED: usize = 300;
/// Two-way splits of so few components are all compared.
const ALL_SPLITS: usize = 16;

/// Groups for property number `property`; the first group is the one checked against the property.
pub fn propose(network: &Network, property: usize, strategy: Strategy) -> Vec<Vec<usize>> {
    let links = Links::new(network, property);
    let order = links.order();
    if order.len() < 2 {
        return vec![order];
    }
    match strategy {
        Strategy::Chain => order.into_iter().map(|i| vec![i]).collect(),
        Strategy::Interface => {
            let bits = |i: &usize| (network.components[*i].lts.states() as f64).log2();
            let size = |group: &[usize]| group.iter().map(bits).sum::<f64>() as usize;
            // A label more between the groups weighs as much as a doubling of the larger one.
            let score = |cut: &usize| {
                let (first, second) = order.split_at(*cut);
                links.interface(first) + size(first).max(size(second))
            };
            let (first, second) = order.split_at((1..order.len()).min_by_key(score).unwrap_or(1));
            vec![first.to_vec(), second.to_vec()]
        }
        Strategy::Balanced => balanced(network, &links, &order),
    }
}

/// The groups without repetitions and empty ones, and with every component in one of them: those
/// left over join the last, the environment (which only properties need) the first.
pub(crate) fn cover(network: &Network, groups: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut free = vec![true; network.components.len()];
    let mut all = groups.to_vec();
    for group in &mut all {
        group.retain(|i| *i < free.len() && std::mem::replace(&mut free[*i], false));
    }
    all.retain(|g| !g.is_empty());
    if all.is_empty() {
        all.push(Vec::new());
    }
    let last = all.len() - 1;
    for (number, component) in network.components.iter().enumerate() {
        if free[number] {
            let environment = component.kind == ComponentKind::Environment;
            all[if environment { 0 } else { last }].push(number);
        }
    }
    all
}

/// Who shares what.
struct Links {
    /// For every component, its labels.
    alphabets: Vec<Vec<usize>>,
    /// For every label, how many components have it.
    degree: Vec<usize>,
    /// The labels of the property.
    asked: Vec<bool>,
    labels: usize,
}

impl Links {
    fn new(network: &Network, property: usize) -> Self {
        let labels = network.labels.len();
        let mut asked = vec![false; labels];
        for label in network.properties[property].lts.alphabet() {
            asked[label.index()] = true;
        }
        let alphabet = |c: &suppose_model::lts::Component| {
            let labels = c.lts.alphabet().iter();
            labels.map(|l| l.index()).collect()
        };
        let alphabets: Vec<Vec<usize>> = network.components.iter().map(alphabet).collect();
        let mut degree = vec![0; labels];
        for label in alphabets.iter().flatten() {
            degree[*label] += 1;
        }
        Links {
            alphabets,
            degree,
            asked,
            labels,
        }
    }

    /// Every component once, those bound to the property and to each other close together.
    fn order(&self) -> Vec<usize> {
        let mut near = self.asked.clone();
        let mut left: Vec<usize> = (0..self.alphabets.len()).collect();
        let mut order = Vec::new();
        while !left.is_empty() {
            let pieces: Vec<usize> = match left.len() <= CONNECTED {
                true => left.iter().map(|i| self.pieces(&left, *i)).collect(),
                false => vec![0; left.len()],
            };
            let fewest = pieces.iter().copied().min().unwrap_or(0);
            let candidates = left.iter().zip(&pieces).filter(|(_, p)| **p == fewest);
            // Most labels in common with what is placed; among equals the one that brings the
            // fewest new shared labels with it.
            let key = |i: usize| {
                let common = self.alphabets[i].iter().filter(|l| near[**l]).count();
                let new = self.alphabets[i]
                    .iter()
                    .filter(|l| !near[**l] && self.degree[**l] > 1)
                    .count();
                (std::cmp::Reverse(common), new, i)
            };
            let best = candidates.map(|(i, _)| *i).min_by_key(|i| key(*i));
            let Some(best) = best else { break };
            left.retain(|i| *i != best);
            for label in &self.alphabets[best] {
                near[*label] = true;
            }
            order.push(best);
        }
        order
    }

    /// Into how many unconnected pieces the components fall without one of them.
    fn pieces(&self, all: &[usize], without: usize) -> usize {
        // Components of a label are joined through the last of them seen.
        let mut holder = vec![usize::MAX; self.labels];
        let mut root: Vec<usize> = (0..all.len()).collect();
        let mut pieces = 0;
        for (at, i) in all.iter().enumerate().filter(|(_, i)| **i != without) {
            pieces += 1;
            for label in &self.alphabets[*i] {
                let other = std::mem::replace(&mut holder[*label], at);
                if other != usize::MAX {
                    let (one, two) = (find(&mut root, other), find(&mut root, at));
                    pieces -= usize::from(one != two);
                    root[one] = two;
                }
            }
        }
        pieces
    }

    /// How many labels a group (with the property) shares with all others.
    fn interface(&self, group: &[usize]) -> usize {
        let mut inside = vec![0; self.labels];
        for label in group.iter().flat_map(|i| &self.alphabets[*i]) {
            inside[*label] += 1;
        }
        let crosses = |l: &usize| {
            let outside = self.degree[*l] - inside[*l];
            outside > 0 && (inside[*l] > 0 || self.asked[*l])
        };
        (0..self.labels).filter(crosses).count()
    }
}

/// The representative of a piece, with the path to it halved.
fn find(root: &mut [usize], mut at: usize) -> usize {
    while root[at] != at {
        root[at] = root[root[at]];
        at = root[at];
    }
    at
}

/// The two groups whose estimated sizes differ least; among about equals, the fewest labels between.
fn balanced(network: &Network, links: &Links, order: &[usize]) -> Vec<Vec<usize>> {
    let bits = |i: &usize| (network.components[*i].lts.states() as f64).log2();
    let total: f64 = order.iter().map(bits).sum();
    let score = |group: &[usize]| {
        let here: f64 = group.iter().map(bits).sum();
        // Steps of two bits: closer than a factor of four counts as equal.
        let difference = ((total - 2.0 * here).abs() / 2.0) as usize;
        (difference, links.interface(group))
    };
    let first: Vec<usize> = match order.len() <= ALL_SPLITS {
        // The first component in the order stays in the first group.
        true => (0..1u32 << (order.len() - 1))
            .map(|set| subset(order, set))
            .filter(|g| g.len() < order.len())
            .min_by_key(|g| score(g))
            .unwrap_or_default(),
        false => {
            let cut = (1..order.len()).min_by_key(|cut| score(&order[..*cut]));
            order[..cut.unwrap_or(1)].to_vec()
        }
    };
    let second = order
        .iter()
        .copied()
        .filter(|i| !first.contains(i))
        .collect();
    vec![first, second]
}

fn subset(order: &[usize], set: u32) -> Vec<usize> {
    let chosen = |(at, _): &(usize, &usize)| *at == 0 || set >> (at - 1) & 1 == 1;
    order
        .iter()
        .enumerate()
        .filter(chosen)
        .map(|(_, i)| *i)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use suppose_model::lts::{Labels, LtsBuilder};

    /// A pipeline `c0 -l0- c1 -l1- c2 ...` with a property over `l0`.
    fn pipeline(n: usize) -> Network {
        let mut labels = Labels::new();
        let ls: Vec<_> = (0..=n).map(|i| labels.intern(&format!("l{i}"))).collect();
        let mut network = Network::new("pipeline", labels);
        for i in 0..n {
            let mut b = LtsBuilder::new(format!("c{i}"));
            b.edge(0, ls[i], 1).edge(1, ls[i + 1], 0);
            network.add_component(b.build());
        }
        let mut b = LtsBuilder::new("P");
        b.edge(0, ls[0], 0);
        network.add_property(&b.build(), None);
        network
    }

    #[test]
    fn a_chain_follows_the_links_from_the_property() {
        let groups = propose(&pipeline(4), 0, Strategy::Chain);
        assert_eq!(groups, [[0], [1], [2], [3]]);
    }

    #[test]
    fn two_way_splits_cut_few_labels_and_cover_everything() {
        for strategy in [Strategy::Interface, Strategy::Balanced] {
            for n in [2, 5, 20] {
                let groups = propose(&pipeline(n), 0, strategy);
                assert_eq!(groups.len(), 2);
                let mut all: Vec<usize> = groups.concat();
                all.sort_unstable();
                assert!(all.into_iter().eq(0..n));
            }
        }
        let balanced = propose(&pipeline(6), 0, Strategy::Balanced);
        assert_eq!(balanced, [[0, 1, 2], [3, 4, 5]]);
    }

    #[test]
    fn a_hub_stays_in_the_rest_while_it_connects_it() {
        let mut labels = Labels::new();
        let ls: Vec<_> = (0..4).map(|i| labels.intern(&format!("l{i}"))).collect();
        let mut network = Network::new("star", labels);
        let mut hub = LtsBuilder::new("hub");
        let mut property = LtsBuilder::new("P");
        for label in &ls {
            hub.edge(0, *label, 0);
            property.edge(0, *label, 0);
        }
        network.add_component(hub.build());
        for label in &ls {
            let mut leaf = LtsBuilder::new("leaf");
            leaf.edge(0, *label, 0);
            network.add_component(leaf.build());
        }
        network.add_property(&property.build(), None);
        let order = propose(&network, 0, Strategy::Chain).concat();
        // With one leaf left the rest is connected with or without the hub.
        assert!(order[..3].iter().all(|i| *i != 0), "{order:?}");
    }

    #[test]
    fn a_cover_has_every_component_once() {
        let network = pipeline(4);
        let groups = cover(&network, &[vec![1, 9], vec![], vec![1, 0]]);
        assert_eq!(groups, [vec![1], vec![0, 2, 3]]);
        assert_eq!(cover(&network, &[]), [[0, 1, 2, 3]]);
        assert_eq!(cover(&Network::default(), &[]), [[0usize; 0]]);
    }

    #[test]
    fn one_component_is_one_group() {
        assert_eq!(propose(&pipeline(1), 0, Strategy::Balanced), [[0]]);
    }
}
