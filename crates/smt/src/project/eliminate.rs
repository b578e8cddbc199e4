//! Removing variables from a conjunction of rows.

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_model::chc::{Assignment, Sort, Terms, Var};
use suppose_number::{Int, Rat};

use super::row::{Infinitesimal, Rel, Row, Solved};

/// Factors of more bits are avoided, by substituting the value of the model.
const MOST_BITS: usize = 256;

/// Rows, all true in a model; none is true anyway, twice there, or implied by another one with the same factors.
pub(super) struct Cube<'a> {
    terms: &'a Terms,
    model: &'a Assignment,
    /// With gaps where rows were taken out.
    rows: Vec<Option<Row>>,
    /// The inequality with these factors.
    bounds: FxHashMap<Vec<(Var, Int)>, usize>,
    /// All other rows.
    others: FxHashSet<Row>,
}

/// The occurrences of a variable.
#[derive(Default)]
struct Uses {
    /// The smallest factor in an equation that may be solved for it.
    equation: Option<Int>,
    /// In an equation that may not be solved for it.
    stuck: bool,
    lower: usize,
    upper: usize,
    divisibility: bool,
    largest: Int,
}

impl Uses {
    /// What to remove first: what does no harm, then by equations, then by small numbers.
    fn rank(&self, sort: Sort) -> (u8, Int, usize) {
        let product = self.lower.saturating_mul(self.upper);
        let integer = sort == Sort::Int;
        if let Some(factor) = &self.equation {
            let class = if factor.is_one() || !integer { 1 } else { 2 };
            return (class, factor.clone(), 0);
        }
        if self.stuck {
            return (6, self.largest.clone(), product);
        }
        let class = match (product == 0, self.divisibility, integer) {
            (true, false, _) => 0,
            (true, true, _) => 3,
            (false, _, false) => 4,
            (false, _, true) => 5,
        };
        (class, self.largest.clone(), product)
    }
}

impl<'a> Cube<'a> {
    pub fn new(terms: &'a Terms, rows: Vec<Row>, model: &'a Assignment) -> Self {
        let mut cube = Cube {
            terms,
            model,
            rows: Vec::with_capacity(2 * rows.len()),
            bounds: FxHashMap::default(),
            others: FxHashSet::default(),
        };
        for row in rows {
            cube.add(row);
        }
        cube
    }

    pub fn into_rows(self) -> Vec<Row> {
        self.rows.into_iter().flatten().collect()
    }

    /// Removes the variables; false if the rows contradict the model.
    pub fn eliminate(&mut self, removed: &FxHashSet<Var>) -> bool {
        if !self.rows.iter().flatten().all(|row| row.holds(self.model)) {
            return false;
        }
        while let Some(var) = self.next(removed) {
            self.remove(var);
        }
        true
    }

    /// Adds a row, unless it says nothing new; two opposite inequalities become an equation.
    fn add(&mut self, mut row: Row) {
        let trivial = row.lin.is_constant() && row.holds(self.model)
            || matches!(&row.rel, Rel::Divisible(d) if d.is_one());
        if trivial {
            return;
        }
        if !matches!(row.rel, Rel::Le | Rel::Lt) {
            if self.others.insert(row.clone()) {
                self.rows.push(Some(row));
            }
            return;
        }
        if let Some(old) = self.take_bound(&row.lin.terms)
            && !tighter(&row, &old)
        {
            row = old;
        }
        if row.rel == Rel::Le {
            let turned = row.lin.neg();
            match self.take_bound(&turned.terms) {
                Some(other) if other.rel == Rel::Le && other.lin == turned => {
                    row.rel = Rel::Eq;
                    return self.add(row);
                }
                Some(other) => self.push_bound(other),
                None => {}
            }
        }
        self.push_bound(row);
    }

    fn push_bound(&mut self, row: Row) {
        self.bounds.insert(row.lin.terms.clone(), self.rows.len());
        self.rows.push(Some(row));
    }

    /// Takes the inequality with these factors out.
    fn take_bound(&mut self, factors: &[(Var, Int)]) -> Option<Row> {
        let at = self.bounds.remove(factors)?;
        self.rows[at].take()
    }

    /// Takes all rows with a variable out.
    fn take(&mut self, var: Var) -> Vec<Row> {
        let mut taken = Vec::new();
        for slot in &mut self.rows {
            if let Some(row) = slot.take_if(|row| !row.lin.factor(var).is_zero()) {
                if matches!(row.rel, Rel::Le | Rel::Lt) {
                    self.bounds.remove(&row.lin.terms);
                } else {
                    self.others.remove(&row);
                }
                taken.push(row);
            }
        }
        taken
    }

    /// The best variable to remove among those that are left.
    fn next(&self, removed: &FxHashSet<Var>) -> Option<Var> {
        let mut uses: FxHashMap<Var, Uses> = FxHashMap::default();
        for row in self.rows.iter().flatten() {
            let integral = self.terms.is_integral(&row.lin);
            for (var, factor) in &row.lin.terms {
                if removed.contains(var) {
                    let solvable = integral || self.terms.sort(*var) == Sort::Real;
                    note(uses.entry(*var).or_default(), &row.rel, factor, solvable);
                }
            }
        }
        uses.iter()
            .map(|(&var, uses)| (uses.rank(self.terms.sort(var)), var))
            .min()
            .map(|(_, var)| var)
    }

    fn remove(&mut self, var: Var) {
        let mut with = self.take(var);
        let integer = self.terms.sort(var) == Sort::Int;
        let best = with
            .iter()
            .filter(|row| row.rel == Rel::Eq && (!integer || self.terms.is_integral(&row.lin)))
            .min_by_key(|row| (row.lin.factor(var).abs(), row.lin.terms.len()));
        let new = if let Some(equation) = best {
            let solved = equation.solve(var);
            self.at(&with, &solved, integer)
        } else if with.iter().any(|row| row.rel == Rel::Eq) {
            None
        } else if unbounded(&with, var) {
            Some(self.far(&with, var))
        } else {
            with = with
                .into_iter()
                .map(|row| row.split(self.terms, self.model))
                .collect();
            if unbounded(&with, var) {
                Some(self.far(&with, var))
            } else if integer {
                self.between_integers(&with, var)
            } else {
                self.between_rationals(&with, var)
            }
        };
        let new = new.unwrap_or_else(|| {
            let value = Solved::by_value(self.terms, var, self.model);
            self.substituted(&with, &value, Infinitesimal::At)
        });
        for row in new {
            self.add(row);
        }
    }

    /// The rows with something in place of the variable.
    fn substituted(&self, rows: &[Row], solved: &Solved, near: Infinitesimal) -> Vec<Row> {
        rows.iter()
            .map(|row| row.substitute(solved, near).normal(self.terms))
            .collect()
    }

    /// The same, and the value must be divisible by the factor if the variable is an integer. None if the result is
    /// not true in the model, or too large.
    fn at(&self, rows: &[Row], solved: &Solved, integer: bool) -> Option<Vec<Row>> {
        let mut new = self.substituted(rows, solved, Infinitesimal::At);
        if integer && !solved.factor.is_one() {
            let row = Row {
                rel: Rel::Divisible(solved.factor.clone()),
                lin: solved.value.clone(),
            };
            new.push(row.normal(self.terms));
        }
        self.usable(new)
    }

    fn usable(&self, rows: Vec<Row>) -> Option<Vec<Row>> {
        let fine = |row: &Row| row.bits() <= MOST_BITS && row.holds(self.model);
        rows.iter().all(fine).then_some(rows)
    }

    /// Without bounds on one side the variable can go far enough to satisfy all but divisibility, for
    /// which its residue is that of the model.
    fn far(&self, rows: &[Row], var: Var) -> Vec<Row> {
        let periodic: Vec<Row> = rows
            .iter()
            .filter(|row| matches!(row.rel, Rel::Divisible(_) | Rel::Indivisible(_)))
            .cloned()
            .collect();
        // Normal rows have factors and constants modulo their divisor, so the residue is all that is left of it.
        let value = Solved::by_value(self.terms, var, self.model);
        self.substituted(&periodic, &value, Infinitesimal::At)
    }

    /// Loos and Weispfenning: the tightest bound of one side, or infinitely near to it if it is strict.
    fn between_rationals(&self, rows: &[Row], var: Var) -> Option<Vec<Row>> {
        let (lower, upper) = sides(rows, var);
        let from_below = lower.len() <= upper.len();
        let side = if from_below { lower } else { upper };
        let (row, solved) = self.tightest(&side, var, from_below)?;
        let near = match (row.rel == Rel::Lt, from_below) {
            (false, _) => Infinitesimal::At,
            (true, true) => Infinitesimal::Above,
            (true, false) => Infinitesimal::Below,
        };
        self.usable(self.substituted(rows, &solved, near))
    }

    /// Cooper: the first integer, counted from the tightest bound of one side, with the residue that the model
    /// has. It is between the bound and the model's value, so it satisfies all other bounds too.
    fn between_integers(&self, rows: &[Row], var: Var) -> Option<Vec<Row>> {
        let (lower, upper) = sides(rows, var);
        let mut ways: Vec<(bool, Int, usize, Solved)> = Vec::new();
        for (side, from_below) in [(lower, true), (upper, false)] {
            let Some((row, solved)) = self.tightest(&side, var, from_below) else {
                continue;
            };
            if self.terms.is_integral(&row.lin) {
                ways.push((from_below, solved.factor.clone(), side.len(), solved));
            }
        }
        ways.sort_by(|a, b| (&a.1, a.2).cmp(&(&b.1, b.2)));
        let period = period(rows, var);
        ways.into_iter().find_map(|(from_below, _, _, mut solved)| {
            let here = &self.model.number(var) * &Rat::from(&solved.factor);
            let bound = solved.value.eval(|v| self.model.number(v));
            let gap = (&here - &bound).abs().floor();
            let left = gap.div_floor(&(&solved.factor * &period)).1;
            let left = if from_below { left } else { -left };
            solved.value = solved.value.plus(left);
            self.at(rows, &solved, true)
        })
    }

    /// The bound of that side that is tightest in the model; a strict one of several.
    fn tightest<'r>(
        &self,
        side: &[&'r Row],
        var: Var,
        from_below: bool,
    ) -> Option<(&'r Row, Solved)> {
        side.iter()
            .map(|&row| {
                let solved = row.solve(var);
                let at = solved.at(self.model);
                let key = (if from_below { at } else { -at }, row.rel == Rel::Lt);
                // Of equals those with small numbers.
                let size = (solved.factor.clone(), row.lin.terms.len());
                (key, std::cmp::Reverse(size), row, solved)
            })
            .max_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)))
            .map(|(_, _, row, solved)| (row, solved))
    }
}

/// Does the first inequality imply the second, which has the same factors?
fn tighter(a: &Row, b: &Row) -> bool {
    (&a.lin.constant, a.rel == Rel::Lt) > (&b.lin.constant, b.rel == Rel::Lt)
}

fn note(uses: &mut Uses, rel: &Rel, factor: &Int, solvable: bool) {
    let size = factor.abs();
    match rel {
        Rel::Eq if solvable => {
            let better = uses.equation.as_ref().is_none_or(|old| size < *old);
            if better {
                uses.equation = Some(size.clone());
            }
        }
        Rel::Eq => uses.stuck = true,
        Rel::Le | Rel::Lt if factor.is_negative() => uses.lower += 1,
        Rel::Le | Rel::Lt => uses.upper += 1,
        Rel::Ne => {}
        Rel::Divisible(_) | Rel::Indivisible(_) => uses.divisibility = true,
    }
    if size > uses.largest {
        uses.largest = size;
    }
}

/// The bounds from below and from above.
fn sides(rows: &[Row], var: Var) -> (Vec<&Row>, Vec<&Row>) {
    rows.iter()
        .filter(|row| matches!(row.rel, Rel::Le | Rel::Lt))
        .partition(|row| row.lin.factor(var).is_negative())
}

fn unbounded(rows: &[Row], var: Var) -> bool {
    let (lower, upper) = sides(rows, var);
    lower.is_empty() || upper.is_empty()
}

fn period(rows: &[Row], var: Var) -> Int {
    rows.iter()
        .fold(Int::ONE, |lcm, row| lcm.lcm(&row.period(var)))
}
