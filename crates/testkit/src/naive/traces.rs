//! Weak traces.

use std::collections::{BTreeSet, VecDeque};

use suppose_model::lts::{Label, Lts, State};

type Set = BTreeSet<State>;

/// All traces of at most `length` labels of the alphabet; all other labels are silent.
pub fn traces(lts: &Lts, alphabet: &[Label], length: usize) -> BTreeSet<Vec<Label>> {
    let mut found = BTreeSet::new();
    let mut open = vec![(Vec::new(), start(lts, alphabet))];
    while let Some((trace, set)) = open.pop() {
        if trace.len() < length {
            for label in alphabet {
                let next = after(lts, alphabet, &set, *label);
                if !next.is_empty() {
                    let mut longer = trace.clone();
                    longer.push(*label);
                    open.push((longer, next));
                }
            }
        }
        found.insert(trace);
    }
    found
}

/// The length of the shortest trace (over the alphabet; all other labels are silent) that `left`
/// has and `right` has not; none if there is none. Both sides are determinised.
pub fn inclusion(left: &Lts, right: &Lts, alphabet: &[Label]) -> Option<usize> {
    let first = (start(left, alphabet), start(right, alphabet));
    let mut seen = BTreeSet::from([first.clone()]);
    let mut queue = VecDeque::from([(first, 0)]);
    while let Some(((l, r), length)) = queue.pop_front() {
        if r.is_empty() {
            return Some(length);
        }
        for label in alphabet {
            let next = (
                after(left, alphabet, &l, *label),
                after(right, alphabet, &r, *label),
            );
            if !next.0.is_empty() && seen.insert(next.clone()) {
                queue.push_back((next, length + 1));
            }
        }
    }
    None
}

fn start(lts: &Lts, alphabet: &[Label]) -> Set {
    silently(lts, alphabet, Set::from([lts.initial()]))
}

fn after(lts: &Lts, alphabet: &[Label], set: &Set, label: Label) -> Set {
    let targets = set.iter().flat_map(|s| lts.successors(*s, label));
    silently(lts, alphabet, targets.map(|e| e.target).collect())
}

fn silently(lts: &Lts, alphabet: &[Label], mut set: Set) -> Set {
    loop {
        let silent = |label: Label| !alphabet.contains(&label);
        let more: Set = set
            .iter()
            .flat_map(|s| lts.edges(*s))
            .filter(|e| silent(e.label))
            .map(|e| e.target)
            .collect();
        let size = set.len();
        set.extend(more);
        if set.len() == size {
            return set;
        }
    }
}
