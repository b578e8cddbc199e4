//! Rounding sums of bounds.

use std::collections::BTreeMap;

use suppose_model::chc::{Lin, Terms, Var};
use suppose_number::Rat;

use crate::sat::{Conflict, Kind};
use crate::search::Search;
use crate::simplex::{BoundId, Col};

/// Factors of more bits than this, and than those that the sum is made of, make cuts that cost more than they bring.
const BITS: usize = 32;

/// Learns what follows from bounds in force, times positive numbers, by rounding. Their sum must have integer
/// factors, of at most this many bits. False if it is known already, or too large.
pub(super) fn learn(
    search: &mut Search,
    terms: &mut Terms,
    parts: &[(BoundId, Rat)],
    bits: usize,
) -> bool {
    let Some(lin) = rounded_sum(search, parts, bits) else {
        return false;
    };
    let term = terms.le(lin);
    let conclusion = search.encoding(terms).literal(term);
    if search.sat.is_true(conclusion) {
        return false;
    }
    let mut lits = Vec::with_capacity(parts.len() + 1);
    let mut factors = Vec::with_capacity(parts.len());
    for (bound, times) in parts {
        lits.push(!search.simplex.literal(*bound));
        factors.push(&search.simplex.unscale(bound.atom()) * times);
    }
    let level = lits.iter().map(|&l| search.sat.level_of(l)).max();
    lits.push(conclusion);
    let node = search.sat.log.lemma(Kind::Cut, &lits, factors);
    if search.sat.is_false(conclusion) {
        search.conflict(&Conflict { lits, node });
    } else {
        search.backtrack(level.unwrap_or(0));
        search.sat.add_lemma(lits, node);
    }
    true
}

/// `s - floor(-c)`, if the parts add up to `s + c <= 0`.
fn rounded_sum(search: &Search, parts: &[(BoundId, Rat)], bits: usize) -> Option<Lin> {
    let simplex = &search.simplex;
    let mut sum: BTreeMap<Var, Rat> = BTreeMap::new();
    let mut constant = Rat::ZERO;
    for (bound, times) in parts {
        let col = simplex.col(*bound);
        let times = if bound.is_upper() {
            times.clone()
        } else {
            -times
        };
        for (var, factor) in simplex.form_of(col) {
            sum.entry(*var)
                .or_default()
                .add_product(&times, &Rat::from(factor));
        }
        constant.add_product(&-&times, &simplex.bound(*bound).real);
    }
    let mut terms = Vec::with_capacity(sum.len());
    for (var, factor) in sum {
        if factor.is_zero() {
            continue;
        }
        if !factor.is_integer() || factor.num().bits() > bits {
            return None;
        }
        terms.push((var, factor.num().clone()));
    }
    if terms.is_empty() {
        return None;
    }
    Some(Lin {
        terms,
        constant: -(-constant).floor(),
    })
}

/// Rounds the row of a basic integer column with a fraction, if all nonbasic columns in it are
/// integer columns at their bounds.
pub(super) fn round_row(search: &mut Search, terms: &mut Terms, basic: Col) -> bool {
    let mut best: Option<Vec<(BoundId, Rat)>> = None;
    for up in [true, false] {
        if let Some(parts) = row_parts(search, basic, up)
            && best.as_ref().is_none_or(|b| parts.len() < b.len())
        {
            best = Some(parts);
        }
    }
    best.is_some_and(|parts| {
        let bits = { parts.iter() }.map(|(bound, _)| longest(search, *bound));
        let bits = bits.max().unwrap_or(0).max(BITS);
        learn(search, terms, &parts, bits)
    })
}

/// The bits of the longest factor of a bound's form.
fn longest(search: &Search, bound: BoundId) -> usize {
    let form = search.simplex.form_of(search.simplex.col(bound)).iter();
    form.map(|(_, factor)| factor.bits()).max().unwrap_or(0)
}

/// With `x = value + sum of g * t`, where each `t >= 0` is the distance of a column from its bound: adding
/// `-f * t <= 0`, `f` being the fraction of `-g`, leaves integer factors, and so bounds `x` plus some of the `t` by the
/// value rounded down. (Down for `x`; for `-x` the signs of all `g` are turned.)
fn row_parts(search: &Search, basic: Col, up: bool) -> Option<Vec<(BoundId, Rat)>> {
    let simplex = &search.simplex;
    let row = simplex.row_of(basic)?;
    let own = &row[0].1;
    let mut parts = Vec::new();
    for (col, factor) in &row[1..] {
        if !simplex.is_integral(*col) {
            return None;
        }
        // x = ... - factor / own * col
        let g = Rat::new(if up { -factor } else { factor.clone() }, own.clone());
        if g.is_integer() {
            continue;
        }
        let value = simplex.value(*col);
        match (simplex.lower(*col), simplex.upper(*col)) {
            (Some((id, lower)), _) if lower == value => parts.push((id, fraction(&-&g))),
            (_, Some((id, upper))) if upper == value => parts.push((id, fraction(&g))),
            _ => return None,
        }
    }
    debug_assert!(!parts.is_empty(), "else the value has no fraction");
    (!parts.is_empty()).then_some(parts)
}

/// The fraction of a number, at least 0 and below 1.
pub(super) fn fraction(number: &Rat) -> Rat {
    number - &Rat::from(number.floor())
}
