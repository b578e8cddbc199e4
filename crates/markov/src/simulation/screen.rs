//! What can be told of a pair at a glance: labels that only the left state has, propositions that differ.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use suppose_model::lts::{Label, State};
use suppose_model::markov::Lpts;

/// What is seen of a label of the left side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a>(pub(crate) &'a [Label]);

impl Seen<'_> {
    #[inline]
    pub(crate) fn of(self, label: Label) -> Label {
        self.0.get(label.index()).copied().unwrap_or(label)
    }
}

/// The labels that a state has choices on, and which of the right side's propositions are true there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Kind {
    labels: Vec<Label>,
    truth: Vec<bool>,
}

/// States by their kinds, and which kinds can be related.
#[derive(Clone, Debug)]
pub(crate) struct Screen {
    left: Vec<u32>,
    right: Vec<u32>,
    left_kinds: Vec<Kind>,
    right_kinds: Vec<Kind>,
    /// Left kind by left kind; none if that would be large.
    passes: Option<FixedBitSet>,
}

/// So many pairs of kinds are compared in advance.
const TABLE: usize = 1 << 22;

impl Screen {
    pub(crate) fn new(left: &Lpts, right: &Lpts, seen: Seen<'_>) -> Self {
        let known: Vec<u32> = right.propositions().iter().map(|p| p.0).collect();
        let (left, left_kinds) = kinds(left, seen, &known);
        let (right, right_kinds) = kinds(right, Seen(&[]), &known);
        let mut screen = Screen {
            left,
            right,
            left_kinds,
            right_kinds,
            passes: None,
        };
        let (height, width) = (screen.left_kinds.len(), screen.right_kinds.len());
        if height.saturating_mul(width) <= TABLE {
            let mut passes = FixedBitSet::with_capacity(height * width);
            for l in 0..height {
                for r in 0..width {
                    passes.set(l * width + r, screen.compare(l, r));
                }
            }
            screen.passes = Some(passes);
        }
        screen
    }

    fn compare(&self, left: usize, right: usize) -> bool {
        let (left, right) = (&self.left_kinds[left], &self.right_kinds[right]);
        left.truth == right.truth && is_subset(&left.labels, &right.labels)
    }

    /// Can the pair be related, as far as can be told at a glance?
    #[inline]
    pub(crate) fn passes(&self, left: State, right: State) -> bool {
        let (l, r) = (
            self.left[left as usize] as usize,
            self.right[right as usize] as usize,
        );
        match &self.passes {
            Some(table) => table.contains(l * self.right_kinds.len() + r),
            None => self.compare(l, r),
        }
    }

    /// Do the propositions agree?
    pub(crate) fn agrees(&self, left: State, right: State) -> bool {
        let left = &self.left_kinds[self.left[left as usize] as usize];
        left.truth == self.right_kinds[self.right[right as usize] as usize].truth
    }
}

/// Of sorted lists.
fn is_subset(small: &[Label], large: &[Label]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|label| rest.any(|other| other == label))
}

/// A proposition that a side does not know is false in it.
fn kinds(lpts: &Lpts, seen: Seen<'_>, known: &[u32]) -> (Vec<u32>, Vec<Kind>) {
    let mut kinds: Vec<Kind> = Vec::new();
    let mut numbers: HashMap<Kind, u32, FxBuildHasher> = HashMap::default();
    let mut of = Vec::with_capacity(lpts.states());
    for state in 0..lpts.states() as State {
        let mut labels: Vec<Label> = Vec::new();
        for choice in lpts.choices(state) {
            let label = seen.of(choice.label);
            if labels.last() != Some(&label) {
                labels.push(label);
            }
        }
        labels.sort_unstable();
        labels.dedup();
        let truth = known
            .iter()
            .map(|p| lpts.satisfies(state, *p) == Some(true));
        let kind = Kind {
            labels,
            truth: truth.collect(),
        };
        let number = match numbers.get(&kind) {
            Some(number) => *number,
            None => {
                let number = kinds.len() as u32;
                kinds.push(kind.clone());
                numbers.insert(kind, number);
                number
            }
        };
        of.push(number);
    }
    (of, kinds)
}
