//! The optimality equations of one strongly connected component, `x = best over choices (b + P x)`, in flat arrays with rows numbered
//! one after another: a sweep reads memory in order, and nothing but `x` out of order.
//!
//! A row with one choice that leads to one other row only, as when time passes or a message is on its way, is no unknown: `x = b + p y`
//! is put in wherever `x` is used, along whole chains of such rows.
//!
//! Sweeps are given up as soon as they will not do: where information has far to travel, the first dozens of them change little, and
//! equations are solved sooner.
//!
//! What was measured, on zeroconf (N=1000, K=8, no reset; a component of 1,087,028 states): 795,364 rows are unknowns for the values,
//! and 172,763 for the steps of one policy. Half of the time had gone into sweeps over rows that were lists of their own and into
//! finding their numbers in a hash map for every policy; now the whole run takes half as long.

use suppose_control::{Context, Stopped};

use super::graph::POLL;
use super::krylov::Sparse;

/// No choice.
const NONE: u32 = u32::MAX;
/// After this many sweeps the rest is foreseen from how the change shrank.
const FORESEEN: usize = 12;

/// How a change of a value is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Absolute,
    Relative,
}

/// What to do when sweeps converge too slowly.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Patience {
    /// Give up as soon as the sweeps that are left will not do.
    Little,
    /// Go on.
    Much,
}

/// A row that is not an unknown: `x = constant + factor * x of root`, where the root is its own.
#[derive(Clone, Copy)]
struct Alias {
    root: u32,
    factor: f64,
    constant: f64,
    leaves: bool,
}

pub(super) struct Equations {
    greatest: bool,
    /// Where the choices of a row begin.
    first: Vec<u32>,
    /// What a choice gives whatever the unknowns are.
    constant: Vec<f64>,
    /// May a choice leave the component?
    leaves: Vec<bool>,
    /// Where the entries of a choice begin.
    begin: Vec<u32>,
    target: Vec<u32>,
    probability: Vec<f64>,
    /// For each row as it was given, what it is in terms of the unknowns.
    alias: Vec<Alias>,
    /// For each unknown, the row it was.
    origin: Vec<u32>,
}

impl Equations {
    /// For so many rows.
    pub fn new(rows: usize, greatest: bool) -> Self {
        let mut first = Vec::with_capacity(rows + 1);
        first.push(0);
        Equations {
            greatest,
            first,
            constant: Vec::new(),
            leaves: Vec::new(),
            begin: vec![0],
            target: Vec::new(),
            probability: Vec::new(),
            alias: Vec::new(),
            origin: Vec::new(),
        }
    }

    /// The choice at hand leads to a row.
    pub fn entry(&mut self, to: u32, probability: f64) {
        self.target.push(to);
        self.probability.push(probability);
    }

    pub fn end_choice(&mut self, constant: f64, leaves: bool) {
        self.constant.push(constant);
        self.leaves.push(leaves);
        self.begin.push(self.target.len() as u32);
    }

    pub fn end_row(&mut self) {
        self.first.push(self.constant.len() as u32);
    }

    /// The unknowns of those rows that have one of their own.
    pub fn kept(&self, value: impl Fn(usize) -> f64) -> Vec<f64> {
        self.origin.iter().map(|row| value(*row as usize)).collect()
    }

    /// The value of a row as it was given.
    pub fn value(&self, row: usize, x: &[f64]) -> f64 {
        let alias = &self.alias[row];
        alias.constant + alias.factor * x[alias.root as usize]
    }

    fn rows(&self) -> usize {
        self.first.len() - 1
    }

    fn choices(&self, row: usize) -> std::ops::Range<usize> {
        self.first[row] as usize..self.first[row + 1] as usize
    }

    fn entries(&self, choice: usize) -> std::ops::Range<usize> {
        self.begin[choice] as usize..self.begin[choice + 1] as usize
    }

    /// Entries and choices, about.
    pub fn size(&self) -> u64 {
        (self.constant.len() + self.target.len() + 1) as u64
    }

    /// Without the rows that are no unknowns.
    pub fn shortened(self, cx: &Context) -> Result<Self, Stopped> {
        let mut alias = self.aliases(cx)?;
        let mut number = vec![NONE; self.rows()];
        let mut short = Equations::new(self.rows(), self.greatest);
        let is_kept = |row: &usize| alias[*row].root == *row as u32;
        let kept: Vec<usize> = (0..self.rows()).filter(is_kept).collect();
        for (new, old) in kept.iter().enumerate() {
            number[*old] = new as u32;
        }
        short.origin = kept.iter().map(|row| *row as u32).collect();
        for row in &kept {
            if row % POLL == 0 {
                cx.check()?;
            }
            for choice in self.choices(*row) {
                let (mut constant, mut leaves) = (self.constant[choice], self.leaves[choice]);
                for at in self.entries(choice) {
                    let to = &alias[self.target[at] as usize];
                    constant += self.probability[at] * to.constant;
                    leaves |= to.leaves;
                    short.entry(number[to.root as usize], self.probability[at] * to.factor);
                }
                short.end_choice(constant, leaves);
            }
            short.end_row();
        }
        for alias in &mut alias {
            alias.root = number[alias.root as usize];
        }
        short.alias = alias;
        Ok(short)
    }

    /// What each row is in terms of those that stay unknowns.
    fn aliases(&self, cx: &Context) -> Result<Vec<Alias>, Stopped> {
        let own = |row: usize| Alias {
            root: row as u32,
            factor: 1.0,
            constant: 0.0,
            leaves: false,
        };
        let mut alias: Vec<Alias> = (0..self.rows()).map(own).collect();
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            No,
            OnPath,
            Done,
        }
        let mut seen = vec![Seen::No; self.rows()];
        let mut path: Vec<(usize, Alias)> = Vec::new();
        for start in 0..self.rows() {
            if start % POLL == 0 {
                cx.check()?;
            }
            let mut end = start;
            while seen[end] == Seen::No
                && let Some(link) = self.link(end)
            {
                seen[end] = Seen::OnPath;
                path.push((end, link));
                end = link.root as usize;
            }
            // One row of a cycle of such rows stays an unknown: that where the cycle was entered.
            let cyclic = seen[end] == Seen::OnPath;
            seen[end] = Seen::Done;
            while let Some((row, link)) = path.pop() {
                seen[row] = Seen::Done;
                if cyclic && row == end {
                    continue;
                }
                let to = alias[link.root as usize];
                alias[row] = Alias {
                    root: to.root,
                    factor: link.factor * to.factor,
                    constant: link.constant + link.factor * to.constant,
                    leaves: link.leaves || to.leaves,
                };
            }
        }
        Ok(alias)
    }

    /// The one choice of a row, if it leads to one other row.
    fn link(&self, row: usize) -> Option<Alias> {
        let choices = self.choices(row);
        if choices.len() != 1 {
            return None;
        }
        let entries = self.entries(choices.start);
        let [to] = self.target[entries.clone()] else {
            return None;
        };
        (to != row as u32).then(|| Alias {
            root: to,
            factor: self.probability[entries.start],
            constant: self.constant[choices.start],
            leaves: self.leaves[choices.start],
        })
    }

    #[inline]
    fn worth(&self, choice: usize, x: &[f64]) -> f64 {
        let entries = self.entries(choice);
        let targets = &self.target[entries.clone()];
        let pairs = targets.iter().zip(&self.probability[entries]);
        pairs.fold(self.constant[choice], |sum, (to, p)| {
            sum + p * x[*to as usize]
        })
    }

    #[inline]
    fn best(&self, row: usize, x: &[f64]) -> Option<(f64, u32)> {
        let mut best: Option<(f64, u32)> = None;
        for choice in self.choices(row) {
            let now = self.worth(choice, x);
            let better = best.is_none_or(|(than, _)| match self.greatest {
                true => now > than,
                false => now < than,
            });
            if better {
                best = Some((now, choice as u32));
            }
        }
        best
    }

    /// The largest change that a step would make.
    pub fn change(&self, x: &[f64]) -> f64 {
        let change = |row: usize| Some((self.best(row, x)?.0 - x[row]).abs());
        (0..self.rows()).filter_map(change).fold(0.0, f64::max)
    }

    /// Sweeps in alternating order until no value changes by more; false if that did not come about.
    pub fn sweep(
        &self,
        x: &mut [f64],
        measure: Change,
        precision: f64,
        sweeps: usize,
        patience: Patience,
        cx: &Context,
    ) -> Result<bool, Stopped> {
        let count = self.rows();
        let mut before = f64::INFINITY;
        for sweep in 0..sweeps {
            let mut change = 0.0f64;
            for at in 0..count {
                if at % 256 == 0 {
                    cx.check()?;
                }
                let row = if sweep % 2 == 0 { at } else { count - 1 - at };
                let Some((new, _)) = self.best(row, x) else {
                    continue;
                };
                let by = (new - x[row]).abs();
                change = change.max(match measure {
                    Change::Absolute => by,
                    Change::Relative => by / new.abs().max(1e-3),
                });
                x[row] = new;
            }
            if change < precision {
                return Ok(true);
            }
            if patience == Patience::Little && sweep % FORESEEN == FORESEEN - 1 {
                let rounds = (sweeps - sweep) as f64 / FORESEEN as f64;
                if change * (change / before).min(1.0).powf(rounds) > precision {
                    return Ok(false);
                }
                before = change;
            }
        }
        Ok(false)
    }

    /// Policy iteration; false if the equations of a policy were not solved.
    pub fn solve(
        &self,
        x: &mut [f64],
        precision: f64,
        gain: f64,
        cx: &Context,
    ) -> Result<bool, Stopped> {
        let mut policy = self.leaving(x);
        for _ in 0..60 {
            let equations = Sparse::new(self.rows(), |row, entries| {
                if policy[row] != NONE {
                    let range = self.entries(policy[row] as usize);
                    entries.extend(range.map(|at| (self.target[at], self.probability[at])));
                }
            });
            let constant = |row: usize| match policy[row] {
                NONE => x[row],
                choice => self.constant[choice as usize],
            };
            let b: Vec<f64> = (0..self.rows()).map(constant).collect();
            let mut solution = x.to_vec();
            if !equations.solve(&b, &mut solution, precision, cx)? {
                return Ok(false);
            }
            x.copy_from_slice(&solution);
            if !self.improve(&mut policy, x, gain) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes choices that are better by so much; false if there are none.
    fn improve(&self, policy: &mut [u32], x: &[f64], gain: f64) -> bool {
        let mut changed = false;
        for (row, chosen) in policy.iter_mut().enumerate() {
            if self.choices(row).len() < 2 {
                continue;
            }
            let Some((best, choice)) = self.best(row, x) else {
                continue;
            };
            let better = match self.greatest {
                true => best > x[row] + gain,
                false => best < x[row] - gain,
            };
            if better && *chosen != choice {
                *chosen = choice;
                changed = true;
            }
        }
        changed
    }

    /// A choice for each row, among the best where these leave the component: outside first.
    fn leaving(&self, x: &[f64]) -> Vec<u32> {
        let best: Vec<Option<(f64, u32)>> = (0..self.rows()).map(|row| self.best(row, x)).collect();
        let near = |row: usize, choice: usize| {
            best[row].is_some_and(|(best, _)| {
                (self.worth(choice, x) - best).abs() <= 1e-6 * best.abs().max(1e-3)
            })
        };
        let users = self.users();
        let mut policy = vec![NONE; self.rows()];
        let mut queue = Vec::new();
        for only_near in [true, false] {
            for (row, chosen) in policy.iter_mut().enumerate() {
                let fits = |c: &usize| self.leaves[*c] && (!only_near || near(row, *c));
                if *chosen == NONE {
                    *chosen = self.choices(row).find(fits).map_or(NONE, |c| c as u32);
                }
                // In the second round, those that were found before may be reached by worse choices.
                if *chosen != NONE {
                    queue.push(row);
                }
            }
            while let Some(reached) = queue.pop() {
                for (row, choice) in users.of(reached) {
                    let row = *row as usize;
                    if policy[row] == NONE && (!only_near || near(row, *choice as usize)) {
                        policy[row] = *choice;
                        queue.push(row);
                    }
                }
            }
        }
        policy
    }

    /// For each row the choices that lead to it, with their rows.
    fn users(&self) -> Users {
        let mut starts = vec![0u32; self.rows() + 1];
        for to in &self.target {
            starts[*to as usize + 1] += 1;
        }
        for row in 1..starts.len() {
            starts[row] += starts[row - 1];
        }
        let mut next = starts.clone();
        let mut list = vec![(0, 0); self.target.len()];
        for row in 0..self.rows() {
            for choice in self.choices(row) {
                for to in &self.target[self.entries(choice)] {
                    let at = &mut next[*to as usize];
                    list[*at as usize] = (row as u32, choice as u32);
                    *at += 1;
                }
            }
        }
        Users { starts, list }
    }
}

struct Users {
    starts: Vec<u32>,
    list: Vec<(u32, u32)>,
}

impl Users {
    fn of(&self, row: usize) -> &[(u32, u32)] {
        &self.list[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of one choice each: a constant and the entries.
    fn chain(rows: &[(f64, &[(u32, f64)])]) -> Equations {
        let mut equations = Equations::new(rows.len(), true);
        for (constant, entries) in rows {
            let inside: f64 = entries.iter().map(|e| e.1).sum();
            entries.iter().for_each(|(to, p)| equations.entry(*to, *p));
            equations.end_choice(*constant, inside < 1.0);
            equations.end_row();
        }
        equations.shortened(&Context::default()).unwrap()
    }

    fn solved(equations: &Equations, rows: usize) -> Vec<f64> {
        let mut x = equations.kept(|_| 0.0);
        let cx = Context::default();
        assert_eq!(equations.solve(&mut x, 1e-14, 1e-12, &cx), Ok(true));
        (0..rows).map(|row| equations.value(row, &x)).collect()
    }

    #[test]
    fn rows_that_lead_to_one_other_row_are_no_unknowns() {
        // Steps until 3 leaves: 0 -> 1 -> 2 -> 3, and from 3 back to 0 with probability 1/2.
        let rows: [(f64, &[(u32, f64)]); 4] = [
            (1.0, &[(1, 1.0)]),
            (1.0, &[(2, 1.0)]),
            (1.0, &[(3, 1.0)]),
            (1.0, &[(0, 0.25), (1, 0.25)]),
        ];
        let equations = chain(&rows);
        assert_eq!(equations.rows(), 1);
        // y = 1 + (3 + y) / 4 + (2 + y) / 4 = 9/4 + y / 2.
        let found = solved(&equations, 4);
        for (found, expected) in found.iter().zip([7.5, 6.5, 5.5, 4.5]) {
            assert!((found - expected).abs() < 1e-9, "{found} for {expected}");
        }
    }

    #[test]
    fn a_cycle_of_such_rows_keeps_one_unknown() {
        // 3 leads into the cycle 0 -> 1 -> 2 -> 0, which is left with probability 1/2 at 1.
        let rows: [(f64, &[(u32, f64)]); 4] = [
            (0.0, &[(1, 1.0)]),
            (0.5, &[(2, 0.5)]),
            (0.0, &[(0, 1.0)]),
            (0.0, &[(2, 0.5)]),
        ];
        let equations = chain(&rows);
        assert_eq!(equations.rows(), 1);
        let found = solved(&equations, 4);
        for (found, expected) in found.iter().zip([1.0, 1.0, 1.0, 0.5]) {
            assert!((found - expected).abs() < 1e-9, "{found} for {expected}");
        }
    }

    #[test]
    fn sweeps_that_will_not_do_are_given_up() {
        // Left with probability 1/1000 only: each sweep takes off a thousandth.
        let slow = chain(&[(0.001, &[(0, 0.999)])]);
        let cx = Context::default();
        let sweeps = |patience| {
            let mut x = vec![0.0];
            let done = slow.sweep(&mut x, Change::Absolute, 1e-9, 1000, patience, &cx);
            assert_eq!(done, Ok(false));
            // How many there were, from how far it came.
            ((1.0 - x[0]).ln() / 0.999f64.ln()).round() as usize
        };
        assert_eq!(sweeps(Patience::Much), 1000);
        assert_eq!(sweeps(Patience::Little), 2 * FORESEEN);
    }
}
