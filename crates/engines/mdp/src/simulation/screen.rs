//! What can be told of a pair at a glance: labels that only the left state has, propositions that differ.

use suppose_model::lts::{Label, State};
use suppose_model::mdp::Lpts;

/// What is seen of a label of the left side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a>(pub(crate) &'a [Label]);

impl Seen<'_> {
    #[inline]
    pub(crate) fn of(self, label: Label) -> Label {
        self.0.get(label.index()).copied().unwrap_or(label)
    }
}

/// A set of marks for every state of both sides; a pair passes if the marks of the left state are among those of the right one.
///
/// There is one mark for each label that the right side has choices on, one for all other labels, and two for each
/// proposition that the right side knows: that it is true and that it is false.
#[derive(Clone, Debug)]
pub(crate) struct Screen {
    /// Words for each state.
    words: usize,
    left: Vec<u64>,
    right: Vec<u64>,
    propositions: usize,
}

/// No mark.
const NONE: u32 = u32::MAX;

impl Screen {
    pub(crate) fn new(left: &Lpts, right: &Lpts, seen: Seen<'_>) -> Self {
        let known: Vec<u32> = right.propositions().iter().map(|p| p.0).collect();
        let (marks, count) = marks(right, 2 * known.len());
        let words = count.div_ceil(64);
        let rows = |lpts: &Lpts, seen: Seen<'_>| {
            let mut rows = vec![0u64; words * lpts.states()];
            for (state, row) in rows.chunks_exact_mut(words).enumerate() {
                let mut set = |mark: usize| row[mark / 64] |= 1 << (mark % 64);
                for choice in lpts.choices(state as State) {
                    let mark = marks.get(seen.of(choice.label).index()).copied();
                    let mark = mark.filter(|mark| *mark != NONE);
                    set(mark.map_or(count - 1, |mark| mark as usize));
                }
                for (at, proposition) in known.iter().enumerate() {
                    // What a side does not know is false in it.
                    let truth = lpts.satisfies(state as State, *proposition) == Some(true);
                    set(2 * at + usize::from(!truth));
                }
            }
            rows
        };
        Screen {
            words,
            left: rows(left, seen),
            right: rows(right, Seen(&[])),
            propositions: known.len(),
        }
    }

    #[inline]
    fn rows(&self, left: State, right: State) -> (&[u64], &[u64]) {
        let (l, r) = (left as usize * self.words, right as usize * self.words);
        (
            &self.left[l..l + self.words],
            &self.right[r..r + self.words],
        )
    }

    /// Can the pair be related, as far as can be told at a glance?
    #[inline]
    pub(crate) fn passes(&self, left: State, right: State) -> bool {
        let (left, right) = self.rows(left, right);
        left.iter().zip(right).all(|(l, r)| l & !r == 0)
    }

    /// Do the propositions agree?
    pub(crate) fn agrees(&self, left: State, right: State) -> bool {
        let (left, right) = self.rows(left, right);
        (0..2 * self.propositions).all(|mark| {
            let differ = left[mark / 64] ^ right[mark / 64];
            differ >> (mark % 64) & 1 == 0
        })
    }
}

/// Marks from `first` on, for the labels that occur, by label, and how many marks there are with the one for other labels.
fn marks(right: &Lpts, first: usize) -> (Vec<u32>, usize) {
    let mut marks = Vec::new();
    let mut next = first;
    for choice in right.all_choices() {
        let at = choice.label.index();
        if marks.len() <= at {
            marks.resize(at + 1, NONE);
        }
        if marks[at] == NONE {
            marks[at] = next as u32;
            next += 1;
        }
    }
    (marks, next + 1)
}
