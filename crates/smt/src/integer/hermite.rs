//! Integer solutions of the equations in force.
//!
//! Forms whose two bounds are equal make a system `A x = b`. Column operations (a unimodular `U`) bring it to the
//! triangular form `A U = H` of Hermite; with `x = U z`, the first entries of `z` are determined one
//! after another, and each is a sum `y b` with rational factors `y` for which `y A` is integral. Two things can be
//! read off:
//! - an entry that is no integer: `y A x <= floor(y b)` is a cut that contradicts the equations;
//! - another form `f`, bounded by `u`: on the solutions, `f U z = r + g * (integer)`, where `r` comes from the
//!   determined entries and `g` is the common divisor of the rest. If `g` does not divide `u - r`, dividing
//!   by `g` and rounding cuts off more ("cuts from proofs", Dillig, Dillig and Aiken 2009, go the same way).

use rustc_hash::FxHashMap;
use suppose_model::horn::{Terms, Var};
use suppose_number::{Int, Rat};
use suppose_refine::{Context, Stopped};

use super::cut::{fraction, learn};
use crate::search::Search;
use crate::simplex::{BoundId, Col};

/// Systems with more variables or equations are left alone.
const SIZE: usize = 80;
/// So are those whose numbers grow beyond this many bits.
const BITS: usize = 200;

/// Learns one cut from the equations in force, if there is one.
pub(super) fn round_equations(
    search: &mut Search,
    terms: &mut Terms,
    cx: &Context,
) -> Result<bool, Stopped> {
    let bounded = search.simplex.bounded_integers();
    let (equations, others): (Vec<Col>, Vec<Col>) = bounded
        .into_iter()
        .partition(|&col| search.simplex.is_equation(col));
    if equations.is_empty() || equations.len() > SIZE {
        return Ok(false);
    }
    let mut system = System::new(search, &equations);
    if system.n > SIZE || !system.triangulate(cx)? {
        return Ok(false);
    }
    for entry in &system.entries {
        if !entry.value.is_integer() {
            let factors: Vec<Rat> = entry.factors.iter().map(fraction).collect();
            let parts = system.parts(search, &factors);
            return Ok(learn(search, terms, &parts));
        }
    }
    for col in others {
        for parts in system.tighten(search, col) {
            if learn(search, terms, &parts) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// A determined entry of `z`.
struct Entry {
    value: Rat,
    /// One for each equation.
    factors: Vec<Rat>,
}

struct System {
    equations: Vec<Col>,
    places: FxHashMap<Var, usize>,
    n: usize,
    /// The equations, then the unit matrix: what becomes of its rows is `U`.
    columns: Vec<Vec<Int>>,
    sides: Vec<Rat>,
    entries: Vec<Entry>,
}

impl System {
    fn new(search: &Search, equations: &[Col]) -> System {
        let mut places = FxHashMap::default();
        for &col in equations {
            for (var, _) in search.simplex.form_of(col) {
                let next = places.len();
                places.entry(*var).or_insert(next);
            }
        }
        let (m, n) = (equations.len(), places.len());
        let mut columns = vec![vec![Int::ZERO; m + n]; n];
        for (i, &col) in equations.iter().enumerate() {
            for (var, factor) in search.simplex.form_of(col) {
                columns[places[var]][i] = factor.clone();
            }
        }
        for (j, column) in columns.iter_mut().enumerate() {
            column[m + j] = Int::ONE;
        }
        let sides = equations
            .iter()
            .map(|&col| search.simplex.value(col).real.clone())
            .collect();
        System {
            equations: equations.to_vec(),
            places,
            n,
            columns,
            sides,
            entries: Vec::new(),
        }
    }

    /// Column operations, equation by equation. False if the numbers grow too large.
    fn triangulate(&mut self, cx: &Context) -> Result<bool, Stopped> {
        for row in 0..self.equations.len() {
            let rank = self.entries.len();
            if rank == self.n {
                break;
            }
            cx.check()?;
            if !self.clear_row(row, rank) {
                return Ok(false);
            }
            if !self.columns[rank][row].is_zero() {
                self.determine(row, rank);
            }
        }
        Ok(true)
    }

    /// Leaves at most one factor of the row in the columns from `rank` on, in the first of them.
    fn clear_row(&mut self, row: usize, rank: usize) -> bool {
        loop {
            let nonzero = (rank..self.n).filter(|&j| !self.columns[j][row].is_zero());
            let Some(least) = nonzero.min_by_key(|&j| self.columns[j][row].abs()) else {
                return true;
            };
            self.columns.swap(rank, least);
            let (front, rest) = self.columns.split_at_mut(rank + 1);
            let pivot = &front[rank];
            let mut again = false;
            for column in rest {
                if column[row].is_zero() {
                    continue;
                }
                let (quotient, remainder) = column[row].div_floor(&pivot[row]);
                for (entry, own) in column.iter_mut().zip(pivot) {
                    if !own.is_zero() {
                        *entry -= &(own * &quotient);
                        if entry.bits() > BITS {
                            return false;
                        }
                    }
                }
                again |= !remainder.is_zero();
            }
            if !again {
                return true;
            }
        }
    }

    fn determine(&mut self, row: usize, rank: usize) {
        let mut value = self.sides[row].clone();
        let mut factors = vec![Rat::ZERO; self.equations.len()];
        factors[row] = Rat::ONE;
        for (column, entry) in self.columns.iter().zip(&self.entries) {
            let minus = Rat::from(-&column[row]);
            if minus.is_zero() {
                continue;
            }
            value.add_product(&minus, &entry.value);
            for (factor, other) in factors.iter_mut().zip(&entry.factors) {
                if !other.is_zero() {
                    factor.add_product(&minus, other);
                }
            }
        }
        let divisor = Rat::new(Int::ONE, self.columns[rank][row].clone());
        for factor in &mut factors {
            if !factor.is_zero() {
                *factor *= &divisor;
            }
        }
        self.entries.push(Entry {
            value: &value * &divisor,
            factors,
        });
    }

    /// The equations with these factors, none negative, as upper bounds.
    fn parts(&self, search: &Search, factors: &[Rat]) -> Vec<(BoundId, Rat)> {
        let mut parts = Vec::new();
        for (&col, factor) in self.equations.iter().zip(factors) {
            if !factor.is_zero()
                && let Some((id, _)) = search.simplex.upper(col)
            {
                parts.push((id, factor.clone()));
            }
        }
        parts
    }

    /// What rounding the bounds of a form on the solutions of the equations gives.
    fn tighten(&self, search: &Search, col: Col) -> Vec<Vec<(BoundId, Rat)>> {
        let mut found = Vec::new();
        let Some(image) = self.image(search, col) else {
            return found;
        };
        let rank = self.entries.len();
        let gcd = image[rank..]
            .iter()
            .fold(Int::ZERO, |gcd, factor| gcd.gcd(factor));
        if gcd.is_zero() || gcd.is_one() {
            return found;
        }
        let mut rest = Rat::ZERO;
        for (factor, entry) in image.iter().zip(&self.entries) {
            rest.add_product(&Rat::from(factor), &entry.value);
        }
        let simplex = &search.simplex;
        for bound in [simplex.upper(col), simplex.lower(col)] {
            let Some((id, limit)) = bound else { continue };
            let over = &limit.real - &rest;
            if over.is_integer() && gcd.divides(over.num()) {
                continue;
            }
            let share = Rat::new(Int::ONE, gcd.clone());
            // f - (f's determined part), all over g; with the sign of the bound.
            let sign = if id.is_upper() {
                -&share
            } else {
                share.clone()
            };
            let mut factors = vec![Rat::ZERO; self.equations.len()];
            for (factor, entry) in image.iter().zip(&self.entries) {
                let times = &Rat::from(factor) * &sign;
                for (sum, its) in factors.iter_mut().zip(&entry.factors) {
                    sum.add_product(&times, its);
                }
            }
            let factors: Vec<Rat> = factors.iter().map(fraction).collect();
            let mut parts = self.parts(search, &factors);
            parts.push((id, share));
            found.push(parts);
        }
        found
    }

    /// `f U`, for a form whose variables all stand in equations.
    fn image(&self, search: &Search, col: Col) -> Option<Vec<Int>> {
        let m = self.equations.len();
        let form = search.simplex.form_of(col);
        let places: Option<Vec<usize>> = form
            .iter()
            .map(|(var, _)| self.places.get(var).copied())
            .collect();
        let places = places?;
        let sum = |column: &Vec<Int>| {
            let mut sum = Int::ZERO;
            for (place, (_, factor)) in places.iter().zip(form) {
                sum += &(&column[m + place] * factor);
            }
            sum
        };
        Some(self.columns.iter().map(sum).collect())
    }
}
