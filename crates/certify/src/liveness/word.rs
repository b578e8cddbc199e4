//! The letters of runs, and formulas evaluated on a run that repeats itself: by their definitions.

use suppose_model::lts::{Label, Liveness, Proposition, Temporal};

/// What each proposition of a claim is after an action.
pub(super) type Letter = Vec<bool>;

/// Before the first action.
pub(super) fn before(claim: &Liveness) -> Letter {
    let value = |p: &Proposition| {
        matches!(
            p,
            Proposition::Fluent {
                initially: true,
                ..
            }
        )
    };
    claim.propositions.iter().map(value).collect()
}

/// After an action, or one more moment of standing still.
pub(super) fn next(claim: &Liveness, last: &[bool], label: Option<Label>) -> Letter {
    let is = |labels: &[Label]| label.is_some_and(|l| !l.is_tau() && labels.contains(&l));
    let value = |(p, was): (&Proposition, &bool)| match p {
        Proposition::Actions(labels) => is(labels),
        Proposition::Fluent { starts, .. } if is(starts) => true,
        Proposition::Fluent { ends, .. } if is(ends) => false,
        Proposition::Fluent { .. } => *was,
    };
    claim.propositions.iter().zip(last).map(value).collect()
}

/// Is the formula of a claim true of the word of these letters, of which those from `cycle` on are repeated forever?
pub(super) fn satisfies(claim: &Liveness, letters: &[Letter], cycle: usize) -> bool {
    let count = letters.len();
    let after = |at: usize| if at + 1 < count { at + 1 } else { cycle };
    let mut truth: Vec<Vec<bool>> = Vec::with_capacity(claim.nodes.len());
    for node in &claim.nodes {
        let of = |number: &u32, at: usize| truth[*number as usize][at];
        let values = match node {
            Temporal::True => vec![true; count],
            Temporal::False => vec![false; count],
            Temporal::Literal(proposition, positive) => {
                let is = |letter: &Letter| letter[*proposition as usize] == *positive;
                letters.iter().map(is).collect()
            }
            Temporal::And(parts) => (0..count)
                .map(|at| parts.iter().all(|p| of(p, at)))
                .collect(),
            Temporal::Or(parts) => (0..count)
                .map(|at| parts.iter().any(|p| of(p, at)))
                .collect(),
            Temporal::Next(inner) => (0..count).map(|at| of(inner, after(at))).collect(),
            Temporal::Until(left, right) => {
                let mut values = vec![false; count];
                // Twice around is enough: what is true in the cycle is true within one turn.
                for at in (0..count).rev().chain((0..count).rev()) {
                    values[at] = of(right, at) || of(left, at) && values[after(at)];
                }
                values
            }
            Temporal::Release(left, right) => {
                let mut values = vec![true; count];
                for at in (0..count).rev().chain((0..count).rev()) {
                    values[at] = of(right, at) && (of(left, at) || values[after(at)]);
                }
                values
            }
        };
        truth.push(values);
    }
    truth[claim.root as usize][0]
}
