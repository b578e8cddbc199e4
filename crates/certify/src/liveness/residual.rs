//! What is left of a formula after a letter, and what a run must still do to violate it. Plain sets of sets.

use std::collections::BTreeSet;

use suppose_model::lts::{Liveness, Temporal};

use super::word::Letter;

/// Alternatives, each a set of formulas.
pub(super) type Alternatives = BTreeSet<BTreeSet<u32>>;

/// More alternatives than this are not looked at.
const MOST: usize = 1 << 14;

/// How formulas are read: see [`suppose_model::RecurrentSet`].
pub(super) enum Reading<'s> {
    Plain,
    /// An until-formula is false if it is not in the set, and need never come to its second part if it is.
    Safe(&'s BTreeSet<u32>),
    /// A release-formula is true if it is in the set, and must come to its first part if not.
    Guaranteed(&'s BTreeSet<u32>),
}

pub(super) fn nothing() -> Alternatives {
    BTreeSet::from([BTreeSet::new()])
}

fn truth(value: bool) -> Alternatives {
    match value {
        true => nothing(),
        false => BTreeSet::new(),
    }
}

/// One of both, all ways.
fn product(one: &Alternatives, two: &Alternatives) -> Result<Alternatives, String> {
    if one.len().saturating_mul(two.len()) > MOST {
        return Err("a formula leaves too many alternatives".to_owned());
    }
    let both = |a: &BTreeSet<u32>, b: &BTreeSet<u32>| a.union(b).copied().collect();
    Ok(one
        .iter()
        .flat_map(|a| two.iter().map(move |b| both(a, b)))
        .collect())
}

/// Drops alternatives that imply another.
pub(super) fn least(all: &Alternatives) -> Alternatives {
    let implied = |a: &BTreeSet<u32>| all.iter().any(|b| b != a && b.is_subset(a));
    all.iter().filter(|a| !implied(a)).cloned().collect()
}

/// A formula as alternatives of formulas that are no conjunction and no disjunction.
pub(super) fn expand(claim: &Liveness, node: u32) -> Result<Alternatives, String> {
    Ok(match &claim.nodes[node as usize] {
        Temporal::True => truth(true),
        Temporal::False => truth(false),
        Temporal::And(parts) => {
            let mut all = nothing();
            for part in parts {
                all = product(&all, &expand(claim, *part)?)?;
            }
            all
        }
        Temporal::Or(parts) => {
            let mut all = Alternatives::new();
            for part in parts {
                all.extend(expand(claim, *part)?);
            }
            all
        }
        _ => BTreeSet::from([BTreeSet::from([node])]),
    })
}

/// What is left of alternatives after a letter.
pub(super) fn after(
    claim: &Liveness,
    left: &Alternatives,
    letter: &Letter,
    reading: &Reading<'_>,
) -> Result<Alternatives, String> {
    let mut all = Alternatives::new();
    for alternative in left {
        let mut one = nothing();
        for node in alternative {
            let more = unfold(claim, *node, letter, reading)?;
            one = least(&product(&one, &more)?);
        }
        all.extend(one);
    }
    Ok(least(&all))
}

fn unfold(
    claim: &Liveness,
    node: u32,
    letter: &Letter,
    reading: &Reading<'_>,
) -> Result<Alternatives, String> {
    let unfold = |node: u32| unfold(claim, node, letter, reading);
    let itself = || BTreeSet::from([BTreeSet::from([node])]);
    Ok(match &claim.nodes[node as usize] {
        Temporal::True => truth(true),
        Temporal::False => truth(false),
        Temporal::Literal(proposition, positive) => {
            truth(letter[*proposition as usize] == *positive)
        }
        Temporal::And(parts) => {
            let mut all = nothing();
            for part in parts {
                all = least(&product(&all, &unfold(*part)?)?);
            }
            all
        }
        Temporal::Or(parts) => {
            let mut all = Alternatives::new();
            for part in parts {
                all.extend(unfold(*part)?);
            }
            least(&all)
        }
        Temporal::Next(inner) => least(&expand(claim, *inner)?),
        Temporal::Until(left, right) => match reading {
            Reading::Safe(again) if !again.contains(&node) => truth(false),
            Reading::Plain if does_not_depend_on_the_past(claim, node) => itself(),
            _ => {
                let mut all = product(&unfold(*left)?, &itself())?;
                all.extend(unfold(*right)?);
                least(&all)
            }
        },
        Temporal::Release(left, right) => match reading {
            Reading::Guaranteed(forever) if forever.contains(&node) => truth(true),
            Reading::Plain if does_not_depend_on_the_past(claim, node) => itself(),
            _ => {
                let mut either = unfold(*left)?;
                either.extend(itself());
                least(&product(&unfold(*right)?, &either)?)
            }
        },
    })
}

/// `[]<>` and `<>[]` of anything: true of a word if and only if they are true of what follows its first letter.
fn does_not_depend_on_the_past(claim: &Liveness, node: u32) -> bool {
    let of = |number: u32| &claim.nodes[number as usize];
    match *of(node) {
        Temporal::Release(none, inner) if *of(none) == Temporal::False => {
            matches!(*of(inner), Temporal::Until(all, _) if *of(all) == Temporal::True)
        }
        Temporal::Until(all, inner) if *of(all) == Temporal::True => {
            matches!(*of(inner), Temporal::Release(none, _) if *of(none) == Temporal::False)
        }
        _ => false,
    }
}

/// The ways to make a formula false: sets of formulas that are all to be false. None is dropped.
pub(super) fn refute(claim: &Liveness, node: u32) -> Result<Alternatives, String> {
    Ok(match &claim.nodes[node as usize] {
        Temporal::True => truth(false),
        Temporal::False => truth(true),
        Temporal::And(parts) => {
            let mut all = Alternatives::new();
            for part in parts {
                all.extend(refute(claim, *part)?);
            }
            all
        }
        Temporal::Or(parts) => {
            let mut all = nothing();
            for part in parts {
                all = product(&all, &refute(claim, *part)?)?;
            }
            all
        }
        _ => BTreeSet::from([BTreeSet::from([node])]),
    })
}

/// The ways to make all of these false when this is the next letter: what is to be false afterwards.
pub(super) fn refute_all(
    claim: &Liveness,
    nodes: &BTreeSet<u32>,
    letter: &Letter,
) -> Result<Alternatives, String> {
    let mut all = nothing();
    for node in nodes {
        all = product(&all, &refute_now(claim, *node, letter)?)?;
    }
    Ok(all)
}

fn refute_now(claim: &Liveness, node: u32, letter: &Letter) -> Result<Alternatives, String> {
    let itself = || BTreeSet::from([BTreeSet::from([node])]);
    let now = |node: u32| refute_now(claim, node, letter);
    Ok(match &claim.nodes[node as usize] {
        Temporal::True => truth(false),
        Temporal::False => truth(true),
        Temporal::Literal(proposition, positive) => {
            truth(letter[*proposition as usize] != *positive)
        }
        Temporal::And(parts) => {
            let mut all = Alternatives::new();
            for part in parts {
                all.extend(now(*part)?);
            }
            all
        }
        Temporal::Or(parts) => {
            let mut all = nothing();
            for part in parts {
                all = product(&all, &now(*part)?)?;
            }
            all
        }
        Temporal::Next(inner) => refute(claim, *inner)?,
        Temporal::Until(left, right) => {
            let mut either = now(*left)?;
            either.extend(itself());
            product(&now(*right)?, &either)?
        }
        Temporal::Release(left, right) => {
            let mut all = now(*right)?;
            all.extend(product(&now(*left)?, &itself())?);
            all
        }
    })
}

/// Is a release-formula no longer owed after a letter, or made false by it?
pub(super) fn is_paid(
    claim: &Liveness,
    release: u32,
    owed: &BTreeSet<u32>,
    letter: &Letter,
) -> Result<bool, String> {
    let Temporal::Release(_, right) = &claim.nodes[release as usize] else {
        return Err(format!("formula {release} is no release"));
    };
    let ways = refute_now(claim, *right, letter)?;
    Ok(!owed.contains(&release) || ways.iter().any(|way| way.is_subset(owed)))
}
