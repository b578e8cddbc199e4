//! Floating-point candidates for one strongly connected component: value iteration for a while, then policy iteration, on the
//! [`Equations`] of the component. A component that needs a million iterations needs a few hundred of these steps.

use suppose_control::{Context, Stopped};

use super::compact::{Compact, Task};
use super::equations::{Change, Equations, Patience};

/// This many sweeps of value iteration before equations are solved, and again afterwards.
const SWEEPS: usize = 60;
/// As many for the number of steps, which is wanted only about.
const STEP_SWEEPS: usize = 400;
/// Where equations are not solved, at most this many looks at branches.
const LOOKS: u64 = 3_000_000_000;
/// Until no value changes by more, in proportion.
const PRECISION: f64 = 1e-15;
/// No row.
const OUTSIDE: u32 = u32::MAX;

/// A component with states put together where a scheduler may stay for nothing: a row is a set of states that have one value, with the
/// choices that lead on from them.
pub(super) struct Game<'a> {
    task: &'a Task<'a>,
    compact: &'a Compact,
    /// The states, row by row, and where each row begins.
    members: Vec<u32>,
    member_starts: Vec<u32>,
    /// The choices, row by row, and where each row begins.
    choices: Vec<u32>,
    choice_starts: Vec<u32>,
}

impl<'a> Game<'a> {
    /// All choices. `class` has, for each open state, one that stands for it. `place` is scratch: `u32::MAX` for every open state,
    /// before and after.
    pub fn all(
        task: &'a Task<'a>,
        compact: &'a Compact,
        members: &[u32],
        class: &[u32],
        place: &mut [u32],
    ) -> Self {
        let mut starts = vec![0u32];
        for member in members {
            let own = class[*member as usize] as usize;
            if place[own] == OUTSIDE {
                place[own] = starts.len() as u32 - 1;
                starts.push(0);
            }
            starts[place[own] as usize + 1] += 1;
        }
        for row in 1..starts.len() {
            starts[row] += starts[row - 1];
        }
        let mut next = starts.clone();
        let mut by_row = vec![0u32; members.len()];
        for member in members {
            let row = place[class[*member as usize] as usize] as usize;
            by_row[next[row] as usize] = *member;
            next[row] += 1;
        }
        let mut it = Game {
            task,
            compact,
            members: by_row,
            member_starts: starts,
            choices: Vec::new(),
            choice_starts: vec![0],
        };
        for row in 0..it.rows() {
            for member in it.row(row) {
                let own = class[it.members[member] as usize];
                let leads_on = |c: &usize| {
                    let mut targets = compact.targets(*c).iter();
                    !(compact.stays(task, *c) && targets.all(|t| class[*t as usize] == own))
                };
                let choices = compact.choices(it.members[member] as usize);
                it.choices
                    .extend(choices.filter(leads_on).map(|c| c as u32));
            }
            it.choice_starts.push(it.choices.len() as u32);
        }
        for member in members {
            place[class[*member as usize] as usize] = OUTSIDE;
        }
        it
    }

    /// One choice for each member.
    pub fn of_policy(
        task: &'a Task<'a>,
        compact: &'a Compact,
        members: &[u32],
        policy: &[u32],
    ) -> Self {
        let starts: Vec<u32> = (0..=members.len() as u32).collect();
        Game {
            task,
            compact,
            members: members.to_vec(),
            member_starts: starts.clone(),
            choices: policy.to_vec(),
            choice_starts: starts,
        }
    }

    /// Only the choices that are about as good as the best: the others are off by more than any rounding. A least reward may have others
    /// that never leave the component, with no end of steps.
    pub fn near(mut self, values: &[f64]) -> Self {
        let margin = 1e-5 * self.scale(values).max(1e-3);
        let worth = |choice: u32| self.compact.worth(choice as usize, values);
        let mut kept = Vec::with_capacity(self.choices.len());
        let mut starts = vec![0u32];
        for row in 0..self.rows() {
            let choices = self.choices_of(row);
            let all = choices.iter().map(|c| worth(*c));
            let best = match self.task.greatest {
                true => all.fold(f64::NEG_INFINITY, f64::max),
                false => all.fold(f64::INFINITY, f64::min),
            };
            let near = |c: &&u32| choices.len() == 1 || (worth(**c) - best).abs() <= margin;
            kept.extend(choices.iter().filter(near));
            starts.push(kept.len() as u32);
        }
        self.choices = kept;
        self.choice_starts = starts;
        self
    }

    /// The most steps until the component is left, about: enough that a step takes off a quarter at least. Begins with the numbers
    /// given, which are 0 outside the component.
    pub fn steps(
        &self,
        values: &mut [f64],
        place: &mut [u32],
        cx: &Context,
    ) -> Result<(), Stopped> {
        let equations = self.equations(|_, _| 1.0, true, place, cx)?;
        let mut x = equations.kept(|row| self.first(row, values));
        let change = Change::Absolute;
        equations.sweep(&mut x, change, 0.25, STEP_SWEEPS, Patience::Little, cx)?;
        if equations.change(&x) >= 0.25 {
            equations.solve(&mut x, 1e-3, 0.25, cx)?;
        }
        // Only an approximation from below is sure to be one after all.
        if equations.change(&x) >= 0.5 {
            let sweeps = (LOOKS / 4 / equations.size()) as usize;
            equations.sweep(&mut x, change, 0.25, sweeps, Patience::Much, cx)?;
        }
        self.write(&equations, &x, values);
        Ok(())
    }

    /// Values that a step changes by little.
    pub fn values(
        &self,
        values: &mut [f64],
        place: &mut [u32],
        cx: &Context,
    ) -> Result<(), Stopped> {
        let constant = |choice: usize, place: &[u32]| {
            let mut sum = self.compact.constant[choice];
            for branch in self.compact.branches(choice) {
                let target = self.compact.target[branch] as usize;
                if place[target] == OUTSIDE {
                    sum += self.compact.probability[branch] * values[target];
                }
            }
            sum
        };
        let equations = self.equations(constant, self.task.greatest, place, cx)?;
        let mut x = equations.kept(|row| self.first(row, values));
        let change = Change::Relative;
        if !equations.sweep(&mut x, change, PRECISION, SWEEPS, Patience::Little, cx)? {
            let scale = x.iter().fold(1e-9, |most, v| v.max(most));
            if !equations.solve(&mut x, 1e-15 * scale.max(1e-3), 1e-12 * scale, cx)? {
                let sweeps = (LOOKS / equations.size()) as usize;
                equations.sweep(&mut x, change, PRECISION, sweeps, Patience::Much, cx)?;
            }
            equations.sweep(&mut x, change, PRECISION, SWEEPS, Patience::Little, cx)?;
        }
        self.write(&equations, &x, values);
        Ok(())
    }

    fn rows(&self) -> usize {
        self.member_starts.len() - 1
    }

    /// Where the members of a row are.
    fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.member_starts[row] as usize..self.member_starts[row + 1] as usize
    }

    fn choices_of(&self, row: usize) -> &[u32] {
        &self.choices[self.choice_starts[row] as usize..self.choice_starts[row + 1] as usize]
    }

    fn first(&self, row: usize, values: &[f64]) -> f64 {
        values[self.members[self.member_starts[row] as usize] as usize]
    }

    fn scale(&self, values: &[f64]) -> f64 {
        let all = (0..self.rows()).map(|row| self.first(row, values));
        all.fold(1e-9, f64::max)
    }

    fn write(&self, equations: &Equations, x: &[f64], values: &mut [f64]) {
        for row in 0..self.rows() {
            let value = equations.value(row, x);
            for member in &self.members[self.row(row)] {
                values[*member as usize] = value;
            }
        }
    }

    /// The equations of the rows, with a constant for each choice, given which states are outside (`u32::MAX`).
    fn equations(
        &self,
        constant: impl Fn(usize, &[u32]) -> f64,
        greatest: bool,
        place: &mut [u32],
        cx: &Context,
    ) -> Result<Equations, Stopped> {
        for row in 0..self.rows() {
            for member in &self.members[self.row(row)] {
                place[*member as usize] = row as u32;
            }
        }
        let mut equations = Equations::new(self.rows(), greatest);
        for row in 0..self.rows() {
            if row % 256 == 0 {
                cx.check()?;
            }
            for choice in self.choices_of(row) {
                let choice = *choice as usize;
                let mut leaves = !self.compact.stays(self.task, choice);
                for branch in self.compact.branches(choice) {
                    match place[self.compact.target[branch] as usize] {
                        OUTSIDE => leaves = true,
                        to => equations.entry(to, self.compact.probability[branch]),
                    }
                }
                equations.end_choice(constant(choice, place), leaves);
            }
            equations.end_row();
        }
        for member in &self.members {
            place[*member as usize] = OUTSIDE;
        }
        equations.shortened(cx)
    }
}
