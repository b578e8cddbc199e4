//! Moving values into their bounds, or finding out that it cannot be done.

use std::cmp::Reverse;

use suppose_control::{Context, Stopped};
use suppose_number::{Int, Rat};

use super::num::Num;
use super::tableau::Col;
use super::{BoundId, Clash, Simplex};

/// After this many pivots of one check, the choice follows Bland's rule, which ends.
const PATIENCE: u64 = 50;
/// The context is asked each time this many factors were computed.
const WORK: u64 = 4000;

impl Simplex {
    pub(super) fn suspect(&mut self, col: Col) {
        if !self.suspected[col as usize] {
            self.suspected[col as usize] = true;
            self.suspects.push(Reverse(col));
        }
    }

    /// Gives a column that is not basic another value.
    pub(super) fn move_to(&mut self, col: Col, target: Num) {
        let step = target.sub(&self.values[col as usize]);
        self.values[col as usize] = target;
        self.drop_idle(col);
        self.shift_uses(col, &step, None);
    }

    /// A column that has just left the basis: a value within its bounds, an integer if it must be.
    pub(super) fn settle(&mut self, col: Col) {
        let value = self.value(col);
        let bound = match (self.lower(col), self.upper(col)) {
            (Some((_, lower)), _) if value < lower => lower.clone(),
            (_, Some((_, upper))) if value > upper => upper.clone(),
            _ if self.is_integral(col) && !value.is_integer() => Num::real(value.floor().into()),
            _ => return,
        };
        self.move_to(col, bound);
    }

    /// Carries a step of a column to the basic columns of the rows it occurs in.
    fn shift_uses(&mut self, col: Col, step: &Num, except: Option<u32>) {
        for i in 0..self.tableau.uses(col).len() {
            let row = self.tableau.uses(col)[i];
            if Some(row) == except {
                continue;
            }
            let entries = self.tableau.row(row);
            let (basic, own) = &entries[0];
            let basic = *basic;
            let factor = self.tableau.factor(row, col);
            let ratio = if *own == Int::MINUS_ONE {
                Rat::from(factor)
            } else {
                Rat::new(-factor, own.clone())
            };
            self.values[basic as usize].add_scaled(step, &ratio);
            if self.violated(basic).is_some() {
                self.suspect(basic);
            }
        }
    }

    /// Whether a column is below its lower (true) or above its upper bound (false), and that bound.
    fn violated(&self, col: Col) -> Option<(bool, BoundId)> {
        let value = self.value(col);
        if let Some((id, lower)) = self.lower(col)
            && value < lower
        {
            return Some((true, id));
        }
        if let Some((id, upper)) = self.upper(col)
            && value > upper
        {
            return Some((false, id));
        }
        None
    }

    /// Moves all values into their bounds, or says which bounds prevent it.
    pub(crate) fn check(&mut self, cx: &Context) -> Result<Result<(), Clash>, Stopped> {
        let mut pivots = 0;
        let mut asked = self.tableau.work;
        while let Some(&Reverse(col)) = self.suspects.peek() {
            let broken = self.violated(col);
            let (Some((below, bound)), Some(row)) = (broken, self.tableau.basic_row(col)) else {
                self.suspects.pop();
                self.suspected[col as usize] = false;
                continue;
            };
            if self.tableau.work > asked + WORK {
                asked = self.tableau.work;
                cx.check()?;
            }
            let Some(entering) = self.entering(row, below, pivots >= PATIENCE) else {
                return Ok(Err(self.explain(row, below)));
            };
            let target = self.bound(bound).clone();
            self.exchange(row, entering, target);
            pivots += 1;
        }
        Ok(Ok(()))
    }

    /// Can this column of a row move so that the row's basic column rises (or falls)?
    fn can_move(&self, col: Col, up: bool) -> bool {
        if up {
            self.upper(col)
                .is_none_or(|(_, upper)| self.value(col) < upper)
        } else {
            self.lower(col)
                .is_none_or(|(_, lower)| self.value(col) > lower)
        }
    }

    fn entering(&self, row: u32, rise: bool, bland: bool) -> Option<Col> {
        let entries = self.tableau.row(row);
        let own_negative = entries[0].1.is_negative();
        let mut best: Option<(usize, Col)> = None;
        for (col, factor) in &entries[1..] {
            // own * basic + factor * col + ... = 0: they move together if the signs differ.
            let up = (factor.is_negative() != own_negative) == rise;
            let cost = if bland {
                0
            } else {
                self.tableau.uses(*col).len()
            };
            if best.is_none_or(|b| (cost, *col) < b) && self.can_move(*col, up) {
                best = Some((cost, *col));
            }
        }
        best.map(|(_, col)| col)
    }

    /// The bounds that keep a row's basic column where it is.
    fn explain(&self, row: u32, rise: bool) -> Clash {
        let entries = self.tableau.row(row);
        let own_negative = entries[0].1.is_negative();
        let mut clash = Vec::with_capacity(entries.len());
        for (i, (col, factor)) in entries.iter().enumerate() {
            let column = &self.columns[*col as usize];
            let up = (factor.is_negative() != own_negative) == rise;
            let at_upper = if i == 0 { !rise } else { up };
            let bound = if at_upper { column.upper } else { column.lower };
            clash.push((bound, factor.abs()));
        }
        clash
    }

    /// The row's basic column goes to its bound and leaves the basis for another one.
    fn exchange(&mut self, row: u32, entering: Col, target: Num) {
        self.drop_idle(entering);
        let entries = self.tableau.row(row);
        let (leaving, own) = (entries[0].0, entries[0].1.clone());
        let factor = self.tableau.factor(row, entering).clone();
        let step = target.sub(&self.values[leaving as usize]);
        let step = step.scale(&Rat::new(-own, factor));
        self.values[leaving as usize] = target;
        let moved = &mut self.values[entering as usize];
        moved.add_scaled(&step, &Rat::ONE);
        self.shift_uses(entering, &step, Some(row));
        self.tableau.pivot(row, entering);
        if self.violated(entering).is_some() {
            self.suspect(entering);
        }
    }
}
