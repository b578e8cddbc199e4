//! Floating-point candidates for one strongly connected component: value iteration for a while, then policy iteration whose
//! linear equations are solved by [`super::krylov`]. A component that needs a million iterations needs a few hundred of these steps.

use suppose_control::{Context, Stopped};

use super::compact::{Compact, Task};
use super::krylov::Sparse;

/// This many sweeps of value iteration before equations are solved, and again afterwards.
const SWEEPS: usize = 60;
/// Where equations are not solved, at most this many looks at branches.
const LOOKS: u64 = 3_000_000_000;
/// Until no value changes by more, in proportion.
const PRECISION: f64 = 1e-15;

/// States of the component that are one, and the choices that lead on from them.
#[derive(Default)]
struct Row {
    members: Vec<u32>,
    choices: Vec<u32>,
}

/// A component with states put together where a scheduler may stay for nothing.
pub(super) struct Game<'a> {
    compact: &'a Compact,
    rows: Vec<Row>,
    greatest: bool,
    /// Add 1 to every choice and forget the constants: the number of steps.
    steps: bool,
}

impl<'a> Game<'a> {
    /// All choices. `class` has, for each open state, one that stands for it.
    pub fn all(task: &Task<'_>, compact: &'a Compact, members: &[u32], class: &[u32]) -> Self {
        let mut rows: Vec<Row> = Vec::with_capacity(members.len());
        let mut place: rustc_hash::FxHashMap<u32, usize> = rustc_hash::FxHashMap::default();
        for member in members {
            let own = class[*member as usize];
            let row = *place.entry(own).or_insert_with(|| {
                rows.push(Row::default());
                rows.len() - 1
            });
            rows[row].members.push(*member);
            let leads_on = |c: &usize| {
                let mut targets = compact.targets(*c).iter();
                !(compact.stays(task, *c) && targets.all(|t| class[*t as usize] == own))
            };
            let choices = compact.choices(*member as usize).filter(leads_on);
            rows[row].choices.extend(choices.map(|c| c as u32));
        }
        Game {
            compact,
            rows,
            greatest: task.greatest,
            steps: false,
        }
    }

    /// One choice for each member.
    pub fn of_policy(
        task: &Task<'_>,
        compact: &'a Compact,
        members: &[u32],
        policy: &[u32],
    ) -> Self {
        let row = |(member, choice): (&u32, &u32)| Row {
            members: vec![*member],
            choices: vec![*choice],
        };
        Game {
            compact,
            rows: members.iter().zip(policy).map(row).collect(),
            greatest: task.greatest,
            steps: false,
        }
    }

    /// Only the choices that are about as good as the best: the others are off by more than any rounding. A least reward may have others
    /// that never leave the component, with no end of steps.
    pub fn near(mut self, values: &[f64]) -> Self {
        let margin = 1e-5 * self.scale(values).max(1e-3);
        let rows = std::mem::take(&mut self.rows);
        let kept = rows.into_iter().map(|mut row| {
            if let Some((best, _)) = self.best(&row, values) {
                let near = |c: &u32| (self.worth(*c, values) - best).abs() <= margin;
                row.choices.retain(near);
            }
            row
        });
        let kept = kept.collect();
        self.rows = kept;
        self
    }

    /// The most steps until the component is left, about: enough that a step takes off a quarter at least.
    pub fn steps(mut self, values: &mut [f64], cx: &Context) -> Result<(), Stopped> {
        self.steps = true;
        self.greatest = true;
        for row in &self.rows {
            row.members.iter().for_each(|m| values[*m as usize] = 0.0);
        }
        self.sweep(values, 0.25, 400, cx)?;
        if self.change(values) >= 0.25 {
            self.solve(values, 1e-3, 0.25, cx)?;
        }
        // Only an approximation from below is sure to be one after all.
        if self.change(values) >= 0.5 {
            let sweeps = (LOOKS / 4 / self.size()) as usize;
            self.sweep(values, 0.25, sweeps, cx)?;
        }
        Ok(())
    }

    /// Values that a step changes by little.
    pub fn values(&self, values: &mut [f64], cx: &Context) -> Result<(), Stopped> {
        if self.sweep(values, PRECISION, SWEEPS, cx)? {
            return Ok(());
        }
        let scale = self.scale(values);
        if !self.solve(values, 1e-15 * scale.max(1e-3), 1e-12 * scale, cx)? {
            let sweeps = (LOOKS / self.size()) as usize;
            self.sweep(values, PRECISION, sweeps, cx)?;
        }
        self.sweep(values, PRECISION, SWEEPS, cx)?;
        Ok(())
    }

    fn scale(&self, values: &[f64]) -> f64 {
        let all = self.rows.iter().map(|r| values[r.members[0] as usize]);
        all.fold(1e-9, f64::max)
    }

    /// Branches, about.
    fn size(&self) -> u64 {
        let choices = self.rows.iter().flat_map(|r| &r.choices);
        choices
            .map(|c| 1 + self.compact.branches(*c as usize).len() as u64)
            .sum::<u64>()
            + 1
    }

    fn worth(&self, choice: u32, values: &[f64]) -> f64 {
        let worth = self.compact.worth(choice as usize, values);
        match self.steps {
            true => 1.0 + worth - self.compact.constant[choice as usize],
            false => worth,
        }
    }

    fn best(&self, row: &Row, values: &[f64]) -> Option<(f64, u32)> {
        let mut best: Option<(f64, u32)> = None;
        for choice in &row.choices {
            let now = self.worth(*choice, values);
            let better = best.is_none_or(|(than, _)| match self.greatest {
                true => now > than,
                false => now < than,
            });
            if better {
                best = Some((now, *choice));
            }
        }
        best
    }

    /// The largest change that a step would make.
    fn change(&self, values: &[f64]) -> f64 {
        let change = |row: &Row| {
            let best = self.best(row, values)?.0;
            Some((best - values[row.members[0] as usize]).abs())
        };
        self.rows.iter().filter_map(change).fold(0.0, f64::max)
    }

    /// Sweeps in alternating order until no value changes by more, in proportion (of steps, at all).
    fn sweep(
        &self,
        values: &mut [f64],
        precision: f64,
        sweeps: usize,
        cx: &Context,
    ) -> Result<bool, Stopped> {
        let count = self.rows.len();
        for sweep in 0..sweeps {
            let mut change = 0.0f64;
            for at in 0..count {
                if at % 256 == 0 {
                    cx.check()?;
                }
                let row = &self.rows[if sweep % 2 == 0 { at } else { count - 1 - at }];
                let Some((new, _)) = self.best(row, values) else {
                    continue;
                };
                let old = values[row.members[0] as usize];
                let by = match self.steps {
                    true => (new - old).abs(),
                    false => (new - old).abs() / new.abs().max(1e-3),
                };
                change = change.max(by);
                row.members.iter().for_each(|m| values[*m as usize] = new);
            }
            if change < precision {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Policy iteration; false if the equations of a policy were not solved.
    fn solve(
        &self,
        values: &mut [f64],
        precision: f64,
        gain: f64,
        cx: &Context,
    ) -> Result<bool, Stopped> {
        let mut number = rustc_hash::FxHashMap::default();
        for (at, row) in self.rows.iter().enumerate() {
            row.members.iter().for_each(|m| {
                number.insert(*m, at as u32);
            });
        }
        let mut policy = self.leaving(values, &number);
        for _ in 0..60 {
            let equations = Sparse::new(self.rows.len(), |at, entries| {
                let Some(choice) = policy[at] else { return };
                for branch in self.compact.branches(choice as usize) {
                    let target = self.compact.target[branch];
                    if let Some(to) = number.get(&target) {
                        entries.push((*to, self.compact.probability[branch]));
                    }
                }
            });
            let constant = |at: usize| match policy[at] {
                None => values[self.rows[at].members[0] as usize],
                Some(choice) => {
                    let mut sum = match self.steps {
                        true => 1.0,
                        false => self.compact.constant[choice as usize],
                    };
                    for branch in self.compact.branches(choice as usize) {
                        let target = self.compact.target[branch];
                        if !self.steps && !number.contains_key(&target) {
                            sum += self.compact.probability[branch] * values[target as usize];
                        }
                    }
                    sum
                }
            };
            let b: Vec<f64> = (0..self.rows.len()).map(constant).collect();
            let first = |row: &Row| values[row.members[0] as usize];
            let mut x: Vec<f64> = self.rows.iter().map(first).collect();
            if !equations.solve(&b, &mut x, precision, cx)? {
                return Ok(false);
            }
            for (row, x) in self.rows.iter().zip(&x) {
                row.members.iter().for_each(|m| values[*m as usize] = *x);
            }
            let mut changed = false;
            for (at, row) in self.rows.iter().enumerate() {
                if row.choices.len() < 2 {
                    continue;
                }
                let Some((best, choice)) = self.best(row, values) else {
                    continue;
                };
                let better = match self.greatest {
                    true => best > x[at] + gain,
                    false => best < x[at] - gain,
                };
                if better && policy[at] != Some(choice) {
                    policy[at] = Some(choice);
                    changed = true;
                }
            }
            if !changed {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A choice for each row, among the best where these leave the component: outside first.
    fn leaving(
        &self,
        values: &[f64],
        number: &rustc_hash::FxHashMap<u32, u32>,
    ) -> Vec<Option<u32>> {
        let best: Vec<Option<(f64, u32)>> =
            self.rows.iter().map(|row| self.best(row, values)).collect();
        let near = |row: usize, choice: u32| {
            best[row].is_some_and(|(best, _)| {
                (self.worth(choice, values) - best).abs() <= 1e-6 * best.abs().max(1e-3)
            })
        };
        let mut policy: Vec<Option<u32>> = vec![None; self.rows.len()];
        let mut users: Vec<Vec<(u32, u32)>> = vec![Vec::new(); self.rows.len()];
        let mut queue = Vec::new();
        let mut out = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            for choice in &row.choices {
                let mut inside = 0;
                let targets = self.compact.targets(*choice as usize);
                for target in targets {
                    if let Some(to) = number.get(target) {
                        users[*to as usize].push((at as u32, *choice));
                        inside += 1;
                    }
                }
                let total: f64 = self
                    .compact
                    .branches(*choice as usize)
                    .map(|b| self.compact.probability[b])
                    .sum();
                if inside < targets.len() || total < 1.0 - 1e-12 {
                    out.push((at, *choice));
                }
            }
        }
        for only_near in [true, false] {
            for (at, choice) in &out {
                if policy[*at].is_none() && (!only_near || near(*at, *choice)) {
                    policy[*at] = Some(*choice);
                    queue.push(*at);
                }
            }
            // Those that were found before may be reached by worse choices now.
            if !only_near {
                queue.extend((0..self.rows.len()).filter(|at| policy[*at].is_some()));
            }
            while let Some(reached) = queue.pop() {
                for (at, choice) in &users[reached] {
                    let at = *at as usize;
                    if policy[at].is_none() && (!only_near || near(at, *choice)) {
                        policy[at] = Some(*choice);
                        queue.push(at);
                    }
                }
            }
        }
        policy
    }
}
