//! All small LTSs, one after the other.

use suppose_model::lts::{Label, Lts, LtsBuilder};

/// Which LTSs to enumerate: all states reachable, one of each set of isomorphic ones, alphabet
/// `Label(1)..=Label(labels)` whether or not edges bear it.
#[derive(Clone, Copy, Debug)]
pub struct Small {
    /// From one to this many states (at most 4).
    pub states: u32,
    /// So many labels (at most 3).
    pub labels: u32,
    /// With `tau` as well.
    pub tau: bool,
    /// At most one edge a label.
    pub deterministic: bool,
}

impl Small {
    /// The largest that the oracles are run on exhaustively: 3 states and 2 labels, without `tau`.
    pub fn standard() -> Self {
        Small {
            states: 3,
            labels: 2,
            tau: false,
            deterministic: false,
        }
    }

    /// The deterministic ones, for properties.
    pub fn properties(states: u32, labels: u32) -> Self {
        Small {
            states,
            labels,
            tau: false,
            deterministic: true,
        }
    }

    /// All of them, smaller ones first.
    pub fn iter(self) -> impl Iterator<Item = Lts> {
        let all = (1..=self.states).flat_map(move |n| self.with_states(n));
        all.map(move |edges| self.build(&edges))
    }

    /// The number of them.
    pub fn count(self) -> usize {
        (1..=self.states).map(|n| self.with_states(n).count()).sum()
    }

    fn with_states(self, n: u32) -> impl Iterator<Item = Edges> {
        let labels: Vec<u32> = (u32::from(!self.tau)..=self.labels).collect();
        let cells = n as usize * labels.len();
        let choices = if self.deterministic { n + 1 } else { 1 << n };
        let total = u64::from(choices).pow(cells as u32);
        let make = move |code| Edges::decode(code, n, &labels, choices, self.deterministic);
        (0..total)
            .map(make)
            .filter(|e| e.all_reachable() && e.is_canonical())
    }

    fn build(self, edges: &Edges) -> Lts {
        let mut builder = LtsBuilder::new("small");
        builder
            .states(edges.states)
            .extend_alphabet((1..=self.labels).map(Label));
        for (source, label, target) in &edges.list {
            builder.edge(*source, Label(*label), *target);
        }
        builder.build()
    }
}

/// (source, label, target), sorted.
struct Edges {
    states: u32,
    list: Vec<(u32, u32, u32)>,
}

impl Edges {
    /// Each (state, label) takes one digit: a target or none, or a set of targets.
    fn decode(mut code: u64, states: u32, labels: &[u32], base: u32, deterministic: bool) -> Self {
        let mut list = Vec::new();
        for source in 0..states {
            for label in labels {
                let digit = (code % u64::from(base)) as u32;
                code /= u64::from(base);
                let is_target = |t: &u32| match deterministic {
                    true => digit == t + 1,
                    false => digit & (1 << t) != 0,
                };
                list.extend((0..states).filter(is_target).map(|t| (source, *label, t)));
            }
        }
        Edges { states, list }
    }

    fn all_reachable(&self) -> bool {
        let mut reached = vec![false; self.states as usize];
        reached[0] = true;
        for _ in 0..self.states {
            for (source, _, target) in &self.list {
                if reached[*source as usize] {
                    reached[*target as usize] = true;
                }
            }
        }
        reached.iter().all(|r| *r)
    }

    /// Is no renaming of the states besides 0 smaller?
    fn is_canonical(&self) -> bool {
        permutations(self.states).iter().all(|names| {
            let name = |s: &u32| names[*s as usize];
            let renamed = self.list.iter().map(|(s, l, t)| (name(s), *l, name(t)));
            let mut renamed: Vec<_> = renamed.collect();
            renamed.sort_unstable();
            self.list <= renamed
        })
    }
}

/// The permutations of `0..n` that leave 0 alone, `n` at most 4.
fn permutations(n: u32) -> Vec<Vec<u32>> {
    let mut all = vec![vec![0]];
    for next in 1..n {
        let mut longer = Vec::new();
        for shorter in &all {
            for at in 1..=shorter.len() {
                let mut new = shorter.clone();
                new.insert(at, next);
                longer.push(new);
            }
        }
        all = longer;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_agree_with_counting_by_hand() {
        let one = Small {
            states: 1,
            labels: 2,
            tau: false,
            deterministic: false,
        };
        assert_eq!(one.count(), 4);
        // Two states, one label: 16 relations, 8 of which lead from 0 to 1.
        let two = Small {
            states: 2,
            labels: 1,
            ..one
        };
        assert_eq!(two.count(), 2 + 8);
        // Deterministic: 0 goes to 1, 1 goes to 0, to 1 or nowhere.
        assert_eq!(Small::properties(2, 1).count(), 2 + 3);
        assert_eq!(permutations(4).len(), 6);
    }

    #[test]
    fn the_standard_set_is_feasible() {
        let standard = Small::standard();
        assert_eq!(standard.iter().count(), standard.count());
        assert_eq!(standard.count(), 111_172);
        assert_eq!(Small::properties(3, 2).count(), 865);
        assert!(
            standard
                .iter()
                .all(|m| m.states() <= 3 && m.alphabet().len() == 2)
        );
    }
}
