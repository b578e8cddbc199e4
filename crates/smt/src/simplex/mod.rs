//! Linear arithmetic: which sets of bounds on linear forms can be true together?
//!
//! The simplex method of Dutertre and de Moura ("A fast linear-arithmetic solver for DPLL(T)", CAV 2006), over
//! exact numbers. Each linear form has one column, whatever its sign and scale (`t <= 3` and
//! `t >= 5` are bounds of one column); an atom and its negation are an upper and a lower bound. What differs:
//! a form has a row only from its first bound on, and loses it again when the search has left it behind
//! ([`Simplex::tidy`]), so a query does not pay for what earlier ones spoke about.

mod check;
mod num;
mod tableau;

use rustc_hash::FxHashMap;
use suppose_model::chc::Var;
use suppose_number::{Int, Rat};

pub(crate) use num::Num;
use tableau::Tableau;
pub(crate) use tableau::{Col, NONE};

use crate::sat::Lit;

/// Which of the two bounds an atom represents: `2 * atom` the upper one, if it is true, `2 * atom + 1` the
/// lower one, if it is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BoundId(u32);

impl BoundId {
    const NONE: BoundId = BoundId(NONE);

    pub(crate) fn atom(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_upper(self) -> bool {
        self.0 & 1 == 0
    }
}

/// A literal of the search that is a bound.
#[derive(Debug)]
struct Atom {
    lit: Lit,
    col: Col,
    /// The atom is `scale * form + constant <= 0` (or `< 0`).
    scale: Int,
    upper: Num,
    lower: Num,
}

/// Bounds that cannot be true together: their forms times the numbers, all positive, upper bounds minus
/// lower bounds, add up to nothing, and the bounds to something negative.
pub(crate) type Clash = Vec<(BoundId, Int)>;

#[derive(Debug)]
struct Column {
    /// What it represents, over problem variables.
    form: Box<[(Var, Int)]>,
    integral: bool,
    /// A variable of the problem; otherwise a form, which has a row when it is in use.
    problem: bool,
    lower: BoundId,
    upper: BoundId,
}

#[derive(Debug)]
struct Undo {
    /// The length of the search's trail when the bound was set.
    at: u32,
    col: Col,
    old: BoundId,
    upper: bool,
}

#[derive(Debug)]
pub(crate) struct Simplex {
    tableau: Tableau,
    columns: Vec<Column>,
    values: Vec<Num>,
    by_form: FxHashMap<Box<[(Var, Int)]>, Col>,
    atoms: Vec<Atom>,
    undo: Vec<Undo>,
    /// Basic columns that may be out of their bounds.
    suspects: std::collections::BinaryHeap<std::cmp::Reverse<Col>>,
    suspected: Vec<bool>,
    /// Forms, not variables, that have a row or occur in one; maybe some that no longer do.
    in_use: Vec<Col>,
    listed: Vec<bool>,
    /// Of each column: is it a form that has a row or occurs in one?
    used: Vec<bool>,
    /// So many idle forms are left alone between queries.
    pub(crate) spare: usize,
}

impl Default for Simplex {
    fn default() -> Self {
        Simplex {
            tableau: Tableau::default(),
            columns: Vec::new(),
            values: Vec::new(),
            by_form: FxHashMap::default(),
            atoms: Vec::new(),
            undo: Vec::new(),
            suspects: std::collections::BinaryHeap::new(),
            suspected: Vec::new(),
            in_use: Vec::new(),
            listed: Vec::new(),
            used: Vec::new(),
            spare: 16,
        }
    }
}

impl Simplex {
    /// The column of a variable.
    pub(crate) fn variable(&mut self, var: Var, integral: bool) -> Col {
        self.form(Box::from([(var, Int::ONE)]), integral)
    }

    /// The column of a form whose factors have no common divisor and whose first is positive.
    fn form(&mut self, form: Box<[(Var, Int)]>, integral: bool) -> Col {
        if let Some(&col) = self.by_form.get(&form) {
            return col;
        }
        let col = self.tableau.new_col();
        self.columns.push(Column {
            problem: form.len() == 1,
            form: form.clone(),
            integral,
            lower: BoundId::NONE,
            upper: BoundId::NONE,
        });
        self.values.push(Num::default());
        self.suspected.push(false);
        self.used.push(false);
        self.listed.push(false);
        self.by_form.insert(form, col);
        col
    }

    /// A new atom `sum + constant <= 0`, or `< 0` if strict; the first factor is positive. `integral` says of
    /// each variable whether it is an integer.
    pub(crate) fn new_atom(
        &mut self,
        lit: Lit,
        sum: &[(Var, Int)],
        constant: &Int,
        strict: bool,
        integral: impl Fn(Var) -> bool,
    ) -> u32 {
        let mut scale = Int::ZERO;
        for (_, factor) in sum {
            scale = scale.gcd(factor);
        }
        let form = sum.iter().map(|(v, a)| (*v, a.div_exact(&scale))).collect();
        let all = sum.iter().all(|(v, _)| integral(*v));
        for (var, _) in sum {
            self.variable(*var, integral(*var));
        }
        let col = self.form(form, all);
        let bound = Rat::new(-constant, scale.clone());
        let (upper, lower) = if all {
            let bound = bound.floor();
            let next = &bound + &Int::ONE;
            (Num::real(bound.into()), Num::real(next.into()))
        } else {
            let below = |small: i64| Num {
                real: bound.clone(),
                small: Rat::from(small),
            };
            if strict {
                (below(-1), below(0))
            } else {
                (below(0), below(1))
            }
        };
        self.atoms.push(Atom {
            lit,
            col,
            scale,
            upper,
            lower,
        });
        self.atoms.len() as u32 - 1
    }

    /// The literal that sets a bound.
    pub(crate) fn literal(&self, bound: BoundId) -> Lit {
        self.atoms[bound.atom()].lit.signed(bound.is_upper())
    }

    /// What to multiply the inequality of an atom by to get that of its form.
    pub(crate) fn unscale(&self, atom: usize) -> Rat {
        Rat::new(Int::ONE, self.atoms[atom].scale.clone())
    }

    /// The column of a bound.
    pub(crate) fn col(&self, bound: BoundId) -> Col {
        self.atoms[bound.atom()].col
    }

    pub(crate) fn bound(&self, bound: BoundId) -> &Num {
        let atom = &self.atoms[bound.atom()];
        if bound.is_upper() {
            &atom.upper
        } else {
            &atom.lower
        }
    }

    pub(crate) fn upper(&self, col: Col) -> Option<(BoundId, &Num)> {
        let id = self.columns[col as usize].upper;
        (id != BoundId::NONE).then(|| (id, self.bound(id)))
    }

    pub(crate) fn lower(&self, col: Col) -> Option<(BoundId, &Num)> {
        let id = self.columns[col as usize].lower;
        (id != BoundId::NONE).then(|| (id, self.bound(id)))
    }

    /// The value of a column; that of a form without a row may be out of date.
    pub(crate) fn value(&self, col: Col) -> &Num {
        &self.values[col as usize]
    }

    pub(crate) fn form_of(&self, col: Col) -> &[(Var, Int)] {
        &self.columns[col as usize].form
    }

    pub(crate) fn is_integral(&self, col: Col) -> bool {
        self.columns[col as usize].integral
    }

    pub(crate) fn is_problem(&self, col: Col) -> bool {
        self.columns[col as usize].problem
    }

    pub(crate) fn column_count(&self) -> usize {
        self.columns.len()
    }

    /// The row of a basic column.
    pub(crate) fn row_of(&self, col: Col) -> Option<&[(Col, Int)]> {
        self.tableau.basic_row(col).map(|row| self.tableau.row(row))
    }

    /// What the bounds of its own form say about an atom: its truth, and the bound that implies it.
    pub(crate) fn implied(&self, atom: u32) -> Option<(bool, BoundId)> {
        let it = &self.atoms[atom as usize];
        let column = &self.columns[it.col as usize];
        if column.upper != BoundId::NONE && *self.bound(column.upper) <= it.upper {
            return Some((true, column.upper));
        }
        if column.lower != BoundId::NONE && *self.bound(column.lower) >= it.lower {
            return Some((false, column.lower));
        }
        None
    }

    /// Is the atom true of the values at hand? Not known for a form without a row.
    pub(crate) fn holds_now(&self, atom: u32) -> Option<bool> {
        let it = &self.atoms[atom as usize];
        let known = self.columns[it.col as usize].problem || self.used[it.col as usize];
        known.then(|| self.values[it.col as usize] <= it.upper)
    }

    /// Sets the bound that an atom with that truth represents. `at` is the literal's place on the trail.
    pub(crate) fn assert(&mut self, atom: u32, truth: bool, at: u32) -> Result<(), Clash> {
        let id = BoundId(atom << 1 | u32::from(!truth));
        let col = self.atoms[atom as usize].col;
        let column = &self.columns[col as usize];
        let (old, opposite) = if truth {
            (column.upper, column.lower)
        } else {
            (column.lower, column.upper)
        };
        let tighter = |a: &Num, b: &Num| if truth { a < b } else { a > b };
        if old != BoundId::NONE && !tighter(self.bound(id), self.bound(old)) {
            return Ok(());
        }
        if opposite != BoundId::NONE && tighter(self.bound(id), self.bound(opposite)) {
            return Err(vec![(id, Int::ONE), (opposite, Int::ONE)]);
        }
        self.undo.push(Undo {
            at,
            col,
            old,
            upper: truth,
        });
        let column = &mut self.columns[col as usize];
        if truth {
            column.upper = id;
        } else {
            column.lower = id;
        }
        if !column.problem && !self.used[col as usize] {
            self.use_form(col);
        }
        if tighter(self.bound(id), self.value(col)) {
            if self.tableau.basic_row(col).is_some() {
                self.suspect(col);
            } else {
                let target = self.bound(id).clone();
                self.move_to(col, target);
            }
        }
        Ok(())
    }

    /// Undoes all bounds set at that length of the trail or later.
    pub(crate) fn backtrack(&mut self, length: usize) {
        while let Some(undo) = self.undo.pop_if(|u| u.at as usize >= length) {
            let column = &mut self.columns[undo.col as usize];
            if undo.upper {
                column.upper = undo.old;
            } else {
                column.lower = undo.old;
            }
        }
    }

    fn use_form(&mut self, col: Col) {
        self.used[col as usize] = true;
        if !std::mem::replace(&mut self.listed[col as usize], true) {
            self.in_use.push(col);
        }
        let form = self.columns[col as usize].form.clone();
        let sum: Vec<(Col, Int)> = form
            .iter()
            .map(|(var, factor)| {
                let key: &[(Var, Int)] = &[(*var, Int::ONE)];
                (self.by_form[key], factor.clone())
            })
            .collect();
        let mut value = Num::default();
        for (c, factor) in &sum {
            value.add_scaled(&self.values[*c as usize], &Rat::from(factor));
        }
        self.values[col as usize] = value;
        self.tableau.add_row(col, &sum);
    }

    /// A form that nothing bounds now. Its row is of no use.
    fn is_idle(&self, col: Col) -> bool {
        let column = &self.columns[col as usize];
        !column.problem && column.lower == BoundId::NONE && column.upper == BoundId::NONE
    }

    /// Removes the rows of idle forms in which a column occurs from the tableau, before anything is computed
    /// for them. A form that is bounded again gets a new row, which costs about as much as one pivot
    /// would have cost the old one.
    fn drop_idle(&mut self, col: Col) {
        let mut i = 0;
        while let Some(&row) = self.tableau.uses(col).get(i) {
            let basic = self.tableau.row(row)[0].0;
            if self.is_idle(basic) {
                self.tableau.remove_row(row);
                self.used[basic as usize] = false;
            } else {
                i += 1;
            }
        }
    }

    /// Between queries: takes idle forms out of the tableau, if they are the most.
    pub(crate) fn tidy(&mut self) {
        let is_left =
            |simplex: &Simplex, col: Col| simplex.used[col as usize] && simplex.is_idle(col);
        let idle = self.in_use.iter().filter(|&&col| is_left(self, col));
        let idle = idle.count();
        if idle <= self.spare || idle * 2 < self.in_use.len() {
            return;
        }
        let mut in_use = std::mem::take(&mut self.in_use);
        in_use.retain(|&col| {
            if is_left(self, col) {
                self.retire(col);
            }
            self.listed[col as usize] = self.used[col as usize];
            self.used[col as usize]
        });
        self.in_use = in_use;
    }

    fn retire(&mut self, col: Col) {
        self.used[col as usize] = false;
        if self.tableau.basic_row(col).is_none() {
            // The shortest row it occurs in: making it basic there fills in the least.
            let uses = self.tableau.uses(col).iter();
            let Some(&row) = uses.min_by_key(|&&row| self.tableau.row(row).len()) else {
                return;
            };
            let leaving = self.tableau.row(row)[0].0;
            self.tableau.pivot(row, col);
            self.settle(leaving);
        }
        if let Some(row) = self.tableau.basic_row(col) {
            self.tableau.remove_row(row);
        }
    }

    /// The basic columns.
    pub(crate) fn basics(&self) -> impl Iterator<Item = Col> + '_ {
        self.tableau.basics()
    }

    /// All columns that have a bound.
    pub(crate) fn bounded(&self) -> Vec<Col> {
        let mut all: Vec<Col> = self.undo.iter().map(|u| u.col).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Are its two bounds equal?
    pub(crate) fn is_equation(&self, col: Col) -> bool {
        match (self.lower(col), self.upper(col)) {
            (Some((_, lower)), Some((_, upper))) => lower == upper,
            _ => false,
        }
    }

    /// A number small enough to represent the infinitesimal.
    pub(crate) fn concrete(&self) -> Rat {
        let mut small = Rat::ONE;
        let mut keep = |low: &Num, high: &Num| {
            // low.real + low.small * d <= high.real + high.small * d
            if low.small > high.small && low.real < high.real {
                let limit = &(&high.real - &low.real) / &(&low.small - &high.small);
                if limit < small {
                    small = limit;
                }
            }
        };
        for undo in &self.undo {
            let value = self.value(undo.col);
            if let Some((_, lower)) = self.lower(undo.col) {
                keep(lower, value);
            }
            if let Some((_, upper)) = self.upper(undo.col) {
                keep(value, upper);
            }
        }
        small
    }
}
