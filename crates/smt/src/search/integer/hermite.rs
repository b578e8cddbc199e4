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
//!
//! Equations with rational variables take part by what is left of them when those are eliminated.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_model::chc::{Sort, Terms, Var};
use suppose_number::{Int, Rat};

use super::cut::{fraction, learn};
use crate::search::Search;
use crate::simplex::{BoundId, Col};

/// Systems with more variables or equations are left alone.
const SIZE: usize = 80;
/// So are those whose numbers grow beyond this many bits. Arithmetic of the machine has factors of 64 bits, and an equation
/// that wraps around several times multiplies them.
const BITS: usize = 2_000;

/// Learns one cut from the equations in force, if there is one.
pub(super) fn round_equations(
    search: &mut Search,
    terms: &mut Terms,
    cx: &Context,
) -> Result<bool, Stopped> {
    let (equations, mut others): (Vec<Col>, Vec<Col>) = search
        .simplex
        .bounded()
        .into_iter()
        .partition(|&col| search.simplex.is_equation(col));
    others.retain(|&col| search.simplex.is_integral(col));
    if equations.is_empty() || equations.len() > SIZE {
        return Ok(false);
    }
    let rows = integer_rows(search, terms, &equations);
    if let Some(row) = rows.iter().find(|row| !row.side.is_integer()) {
        let parts = row_parts(search, &equations, &row.factors);
        return Ok(learn(search, terms, &parts, BITS));
    }
    let mut system = System::new(equations, rows);
    if system.n == 0 || system.n > SIZE || !system.triangulate(cx)? {
        return Ok(false);
    }
    for entry in &system.entries {
        if !entry.value.is_integer() {
            let parts = system.parts(search, &entry.factors, None);
            return Ok(learn(search, terms, &parts, BITS));
        }
    }
    for col in others {
        for parts in system.tighten(search, col) {
            if learn(search, terms, &parts, BITS) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// A sum of equations, times numbers, over integer variables with integer factors.
struct Row {
    sum: Vec<(Var, Int)>,
    side: Rat,
    /// One for each equation in force.
    factors: Vec<Rat>,
}

/// The equations without their rational variables.
fn integer_rows(search: &Search, terms: &Terms, equations: &[Col]) -> Vec<Row> {
    struct Open {
        sum: BTreeMap<Var, Rat>,
        side: Rat,
        factors: Vec<Rat>,
    }
    let simplex = &search.simplex;
    let mut open: Vec<Open> = Vec::new();
    for (i, &col) in equations.iter().enumerate() {
        let form = simplex.form_of(col).iter();
        let mut factors = vec![Rat::ZERO; equations.len()];
        factors[i] = Rat::ONE;
        open.push(Open {
            sum: form.map(|(var, factor)| (*var, factor.into())).collect(),
            side: simplex.value(col).real.clone(),
            factors,
        });
    }
    let rational = |open: &Open| {
        let mut vars = open.sum.keys();
        vars.find(|v| terms.sort(**v) == Sort::Real).copied()
    };
    let mut done = Vec::new();
    while let Some(pivot) = open.pop() {
        let Some(var) = rational(&pivot) else {
            done.push(pivot);
            continue;
        };
        let unit = &-Rat::ONE / &pivot.sum[&var];
        for other in open.iter_mut().chain(&mut done) {
            let Some(factor) = other.sum.get(&var) else {
                continue;
            };
            let times = factor * &unit;
            for (v, its) in &pivot.sum {
                other.sum.entry(*v).or_default().add_product(its, &times);
            }
            other.sum.retain(|_, factor| !factor.is_zero());
            other.side.add_product(&pivot.side, &times);
            for (factor, its) in other.factors.iter_mut().zip(&pivot.factors) {
                factor.add_product(its, &times);
            }
        }
    }
    let mut rows = Vec::new();
    for it in done.into_iter().rev() {
        let lcm = it.sum.values().fold(Int::ONE, |l, a| l.lcm(a.den()));
        let scaled = |a: &Rat| (a * &Rat::from(&lcm)).floor();
        let gcd = it.sum.values().fold(Int::ZERO, |g, a| g.gcd(&scaled(a)));
        if gcd.is_zero() {
            continue;
        }
        let unit = Rat::new(lcm.clone(), gcd);
        rows.push(Row {
            sum: it
                .sum
                .iter()
                .map(|(v, a)| (*v, (a * &unit).floor()))
                .collect(),
            side: &it.side * &unit,
            factors: it.factors.iter().map(|f| f * &unit).collect(),
        });
    }
    rows
}

/// The equations with these factors, as bounds.
fn row_parts(search: &Search, equations: &[Col], factors: &[Rat]) -> Vec<(BoundId, Rat)> {
    let mut parts = Vec::new();
    for (&col, factor) in equations.iter().zip(factors) {
        let bound = if factor.is_negative() {
            search.simplex.lower(col)
        } else {
            search.simplex.upper(col)
        };
        if !factor.is_zero()
            && let Some((id, _)) = bound
        {
            parts.push((id, factor.abs()));
        }
    }
    parts
}

/// A determined entry of `z`.
struct Entry {
    value: Rat,
    /// One for each row.
    factors: Vec<Rat>,
}

struct System {
    equations: Vec<Col>,
    rows: Vec<Row>,
    places: FxHashMap<Var, usize>,
    n: usize,
    /// The rows, then the unit matrix: what becomes of its rows is `U`.
    columns: Vec<Vec<Int>>,
    entries: Vec<Entry>,
}

impl System {
    fn new(equations: Vec<Col>, rows: Vec<Row>) -> System {
        let mut places = FxHashMap::default();
        for (var, _) in rows.iter().flat_map(|row| &row.sum) {
            let next = places.len();
            places.entry(*var).or_insert(next);
        }
        let (m, n) = (rows.len(), places.len());
        let mut columns = vec![vec![Int::ZERO; m + n]; n];
        for (i, row) in rows.iter().enumerate() {
            for (var, factor) in &row.sum {
                columns[places[var]][i] = factor.clone();
            }
        }
        for (j, column) in columns.iter_mut().enumerate() {
            column[m + j] = Int::ONE;
        }
        System {
            equations,
            rows,
            places,
            n,
            columns,
            entries: Vec::new(),
        }
    }

    /// Column operations, equation by equation. False if the numbers grow too large.
    fn triangulate(&mut self, cx: &Context) -> Result<bool, Stopped> {
        for row in 0..self.rows.len() {
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
        let mut value = self.rows[row].side.clone();
        let mut factors = vec![Rat::ZERO; self.rows.len()];
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

    /// The rows with these factors, or what is left of them without integers (which changes the sum by an
    /// integral one, since rows and their sides are integral), and maybe another bound.
    fn parts(
        &self,
        search: &Search,
        factors: &[Rat],
        other: Option<(BoundId, Rat)>,
    ) -> Vec<(BoundId, Rat)> {
        let mut total = vec![Rat::ZERO; self.equations.len()];
        for (row, factor) in self.rows.iter().zip(factors) {
            let factor = fraction(factor);
            if factor.is_zero() {
                continue;
            }
            for (sum, its) in total.iter_mut().zip(&row.factors) {
                sum.add_product(&factor, its);
            }
        }
        let mut parts = row_parts(search, &self.equations, &total);
        parts.extend(other);
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
            let mut factors = vec![Rat::ZERO; self.rows.len()];
            for (factor, entry) in image.iter().zip(&self.entries) {
                let times = &Rat::from(factor) * &sign;
                for (sum, its) in factors.iter_mut().zip(&entry.factors) {
                    sum.add_product(&times, its);
                }
            }
            found.push(self.parts(search, &factors, Some((id, share))));
        }
        found
    }

    /// `f U`, for a form whose variables all occur in equations.
    fn image(&self, search: &Search, col: Col) -> Option<Vec<Int>> {
        let m = self.rows.len();
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
