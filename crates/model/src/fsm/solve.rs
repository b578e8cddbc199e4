//! All valuations that satisfy some constraints, found by trying values one variable at a time.
//!
//! A variable with an assignment takes the values of its expression as soon as those it depends on have theirs; the
//! others take all values of their type. Every constraint is examined as soon as its variables have values.

use rustc_hash::{FxHashMap, FxHashSet};

use super::compute::Fault;
use super::eval::{Evaluator, Valuation};
use super::expr::{ExprId, VarId};
use super::value::Value;
use super::{Constraint, System, VariableKind, When};

/// Values of state and frozen variables, by slot.
pub type State = Box<[Value]>;

/// Values of inputs, by slot.
pub type Inputs = Box<[Value]>;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// An expression has no value in a state that was examined.
    Fault(Fault),
    /// More had to be tried than was allowed.
    Limit,
}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Self {
        Stopped::Fault(fault)
    }
}

/// Something that gets a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Unknown {
    /// A variable now, inputs included.
    Now(VarId),
    /// A variable in the next state.
    After(VarId),
}

/// A constraint; `shifted` ones mention the next state by current variables.
#[derive(Clone, Copy, Debug)]
struct Check {
    expr: ExprId,
    shifted: bool,
    /// If there is one, the expression's values must include that unknown's.
    member: Option<Unknown>,
}

#[derive(Clone, Debug)]
struct Level {
    unknown: Unknown,
    /// Whose values it takes; those of its type if there is none.
    from: Option<Check>,
    checks: Vec<Check>,
}

/// In which order unknowns get values, and what is examined when.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    first: Vec<Check>,
    levels: Vec<Level>,
}

/// The values so far.
#[derive(Clone, Debug)]
pub(super) struct Partial<'a> {
    system: &'a System,
    now: Vec<Option<Value>>,
    after: Vec<Option<Value>>,
}

/// The next state, seen as if it were now.
struct Shifted<'a, 'b>(&'b Partial<'a>);

impl Valuation for Partial<'_> {
    fn current(&self, var: VarId) -> Option<Value> {
        self.now.get(var.index()).cloned().flatten()
    }

    fn next(&self, var: VarId) -> Option<Value> {
        self.after.get(var.index()).cloned().flatten()
    }
}

impl Valuation for Shifted<'_, '_> {
    fn current(&self, var: VarId) -> Option<Value> {
        self.0.next(var)
    }

    fn next(&self, _: VarId) -> Option<Value> {
        None
    }
}

impl<'a> Partial<'a> {
    pub(super) fn new(system: &'a System) -> Self {
        let nothing = vec![None; system.variables.len()];
        Partial {
            system,
            now: nothing.clone(),
            after: nothing,
        }
    }

    pub(super) fn set_state(&mut self, state: &[Value]) {
        for var in self.system.state_vars() {
            let variable = self.system.variable(var);
            let value = state.get(variable.slot).cloned();
            if variable.kind == VariableKind::Frozen {
                self.after[var.index()].clone_from(&value);
            }
            self.now[var.index()] = value;
        }
    }

    pub(super) fn set_inputs(&mut self, inputs: &[Value]) {
        for var in self.system.inputs() {
            self.now[var.index()] = inputs.get(self.system.variable(var).slot).cloned();
        }
    }

    pub(super) fn set_target(&mut self, state: &[Value]) {
        for var in self.system.state_vars() {
            self.after[var.index()] = state.get(self.system.variable(var).slot).cloned();
        }
    }

    pub(super) fn state(&self) -> State {
        let values = self
            .system
            .state_vars()
            .map(|v| self.now[v.index()].clone());
        values.flatten().collect()
    }

    pub(super) fn inputs(&self) -> Inputs {
        let values = self.system.inputs().map(|v| self.now[v.index()].clone());
        values.flatten().collect()
    }

    pub(super) fn target(&self) -> State {
        let values = self
            .system
            .state_vars()
            .map(|v| self.after[v.index()].clone());
        values.flatten().collect()
    }

    fn get(&self, unknown: Unknown) -> Option<&Value> {
        match unknown {
            Unknown::Now(var) => self.now[var.index()].as_ref(),
            Unknown::After(var) => self.after[var.index()].as_ref(),
        }
    }

    fn set(&mut self, unknown: Unknown, value: Option<Value>) {
        match unknown {
            Unknown::Now(var) => self.now[var.index()] = value,
            Unknown::After(var) => self.after[var.index()] = value,
        }
    }
}

fn satisfied(
    check: &Check,
    partial: &Partial<'_>,
    evaluator: &mut Evaluator<'_>,
) -> Result<bool, Fault> {
    let values = values(check, partial, evaluator)?;
    match check.member {
        None => Ok(values == [Value::Bool(true)]),
        Some(unknown) => Ok(partial.get(unknown).is_some_and(|v| values.contains(v))),
    }
}

fn values(
    check: &Check,
    partial: &Partial<'_>,
    evaluator: &mut Evaluator<'_>,
) -> Result<Vec<Value>, Fault> {
    let values = match check.shifted {
        false => evaluator.values(check.expr, partial)?,
        true => evaluator.values(check.expr, &Shifted(partial))?,
    };
    Ok(values.as_slice().to_vec())
}

impl Plan {
    /// For initial states: all variables now, from nothing.
    pub(super) fn of_initial(system: &System) -> Plan {
        let mut checks = Vec::new();
        plain(&mut checks, &system.init, false);
        plain(&mut checks, &system.invariant, false);
        for a in &system.assignments {
            if a.when != When::Next {
                checks.push(member(a.value, false, Unknown::Now(a.var)));
            }
        }
        let unknowns = system.state_vars().map(Unknown::Now).collect();
        Plan::new(system, unknowns, checks)
    }

    /// For steps: inputs and all variables in the next state, from those now.
    pub(super) fn of_steps(system: &System) -> Plan {
        let mut checks = Vec::new();
        plain(&mut checks, &system.transition, false);
        plain(&mut checks, &system.invariant, true);
        for a in &system.assignments {
            match a.when {
                When::Init => {}
                When::Next => checks.push(member(a.value, false, Unknown::After(a.var))),
                When::Always => checks.push(member(a.value, true, Unknown::After(a.var))),
            }
        }
        let inputs = system.inputs().map(Unknown::Now);
        let changing = |v: &VarId| system.variable(*v).kind == VariableKind::State;
        let after = system.state_vars().filter(changing).map(Unknown::After);
        Plan::new(system, inputs.chain(after).collect(), checks)
    }

    fn new(system: &System, unknowns: Vec<Unknown>, checks: Vec<Check>) -> Plan {
        let is_unknown: FxHashSet<Unknown> = unknowns.iter().copied().collect();
        let mut planner = Planner::new(system, &is_unknown, checks);
        let mut plan = Plan {
            first: planner.ready(),
            levels: Vec::new(),
        };
        let mut left = unknowns;
        while let Some((at, from)) = planner.choose(&left) {
            let unknown = left.remove(at);
            planner.place(unknown, from);
            plan.levels.push(Level {
                unknown,
                from: from.map(|i| planner.checks[i]),
                checks: planner.ready(),
            });
        }
        plan
    }

    /// Does everything hold, every unknown having its value? Examines all constraints, one by one.
    pub(super) fn holds(
        &self,
        partial: &Partial<'_>,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<bool, Fault> {
        let mut all = true;
        let levels = self.levels.iter();
        let checks = levels.flat_map(|l| l.from.iter().chain(&l.checks));
        for check in self.first.iter().chain(checks) {
            all &= satisfied(check, partial, evaluator)?;
        }
        for level in &self.levels {
            all &= partial
                .get(level.unknown)
                .is_some_and(|value| type_of(partial.system, level.unknown).contains(value));
        }
        Ok(all)
    }

    /// Calls `found` for every solution; `tries` counts down.
    pub(super) fn solve(
        &self,
        partial: &mut Partial<'_>,
        evaluator: &mut Evaluator<'_>,
        tries: &mut u64,
        found: &mut dyn FnMut(&Partial<'_>),
    ) -> Result<(), Stopped> {
        for check in &self.first {
            if !satisfied(check, partial, evaluator)? {
                return Ok(());
            }
        }
        // Candidates of each level that are still to be tried, the next one last.
        let mut open: Vec<Candidates> = Vec::new();
        loop {
            match self.levels.get(open.len()) {
                None => found(partial),
                Some(level) => open.push(candidates(level, partial, evaluator)?),
            }
            // The next candidate that passes, at the deepest level that has one.
            loop {
                let deepest = open.len().checked_sub(1);
                let Some(level) = deepest.and_then(|at| self.levels.get(at)) else {
                    return Ok(());
                };
                let Some(value) = open.last_mut().and_then(|c| c.next(partial, level)) else {
                    partial.set(level.unknown, None);
                    open.pop();
                    continue;
                };
                *tries = tries.checked_sub(1).ok_or(Stopped::Limit)?;
                partial.set(level.unknown, Some(value));
                let mut fine = true;
                for check in &level.checks {
                    fine = fine && satisfied(check, partial, evaluator)?;
                }
                if fine {
                    break;
                }
            }
        }
    }
}

/// The values that a level still has to try.
enum Candidates {
    Listed(std::vec::IntoIter<Value>),
    Domain(u128),
}

impl Candidates {
    fn next(&mut self, partial: &Partial<'_>, level: &Level) -> Option<Value> {
        match self {
            Candidates::Listed(values) => values.next(),
            Candidates::Domain(at) => {
                let value = type_of(partial.system, level.unknown).value(*at)?;
                *at += 1;
                Some(value)
            }
        }
    }
}

fn candidates(
    level: &Level,
    partial: &Partial<'_>,
    evaluator: &mut Evaluator<'_>,
) -> Result<Candidates, Fault> {
    let Some(from) = &level.from else {
        return Ok(Candidates::Domain(0));
    };
    let values = values(from, partial, evaluator)?;
    let ty = type_of(partial.system, level.unknown);
    match values.iter().find(|v| !ty.contains(v)) {
        Some(wrong) => Err(Fault::NotOfType(var_of(level.unknown), wrong.clone())),
        None => Ok(Candidates::Listed(values.into_iter())),
    }
}

fn var_of(unknown: Unknown) -> VarId {
    match unknown {
        Unknown::Now(var) | Unknown::After(var) => var,
    }
}

fn type_of(system: &System, unknown: Unknown) -> &super::Type {
    &system.variable(var_of(unknown)).ty
}

fn plain(checks: &mut Vec<Check>, constraints: &[Constraint], shifted: bool) {
    checks.extend(constraints.iter().map(|c| Check {
        expr: c.expr,
        shifted,
        member: None,
    }));
}

fn member(expr: ExprId, shifted: bool, unknown: Unknown) -> Check {
    Check {
        expr,
        shifted,
        member: Some(unknown),
    }
}

/// Makes a [`Plan`].
struct Planner {
    checks: Vec<Check>,
    /// The unknowns of each check that have no place yet, without the one whose values it gives.
    missing: Vec<FxHashSet<Unknown>>,
    /// Checks that are not part of the plan yet.
    left: Vec<usize>,
    /// The checks that could give an unknown its values.
    gives: FxHashMap<Unknown, usize>,
}

impl Planner {
    fn new(system: &System, unknowns: &FxHashSet<Unknown>, checks: Vec<Check>) -> Self {
        let mut missing = Vec::new();
        let mut gives = FxHashMap::default();
        for (i, check) in checks.iter().enumerate() {
            let support = system.exprs.support(check.expr);
            let now = |v: &VarId| match check.shifted {
                false => Unknown::Now(*v),
                true => Unknown::After(*v),
            };
            let all = support.current.iter().map(now);
            let all = all.chain(support.next.iter().map(|v| Unknown::After(*v)));
            missing.push(all.filter(|u| unknowns.contains(u)).collect());
            if let Some(unknown) = check.member.filter(|u| unknowns.contains(u)) {
                gives.entry(unknown).or_insert(i);
            }
        }
        let left = (0..checks.len()).collect();
        Planner {
            checks,
            missing,
            left,
            gives,
        }
    }

    /// Which of the unknowns is next, and the check that gives its values.
    fn choose(&self, left: &[Unknown]) -> Option<(usize, Option<usize>)> {
        for (at, unknown) in left.iter().enumerate() {
            if let Some(&check) = self.gives.get(unknown)
                && self.missing[check].is_empty()
            {
                return Some((at, Some(check)));
            }
        }
        // One that the check with the fewest missing ones waits for; one without assignment first.
        let waiting = self.left.iter().filter(|c| !self.missing[**c].is_empty());
        let closest = waiting.min_by_key(|c| (self.missing[**c].len(), **c));
        let free = |u: &Unknown| !self.gives.contains_key(u);
        let wanted = |u: &Unknown| closest.is_some_and(|c| self.missing[*c].contains(u));
        let find = |test: &dyn Fn(&Unknown) -> bool| left.iter().position(test);
        find(&|u| free(u) && wanted(u))
            .or_else(|| find(&|u| free(u)))
            .or_else(|| find(&|u| wanted(u)))
            .or(if left.is_empty() { None } else { Some(0) })
            .map(|at| (at, None))
    }

    fn place(&mut self, unknown: Unknown, from: Option<usize>) {
        for missing in &mut self.missing {
            missing.remove(&unknown);
        }
        if let Some(check) = self.gives.remove(&unknown)
            && from.is_some()
        {
            self.left.retain(|c| *c != check);
        }
    }

    /// Takes the checks whose unknowns all have a place.
    fn ready(&mut self) -> Vec<Check> {
        let complete = |c: usize| {
            let waits = self.checks[c]
                .member
                .is_some_and(|u| self.gives.contains_key(&u));
            self.missing[c].is_empty() && !waits
        };
        let (ready, left) = self.left.iter().partition(|c| complete(**c));
        self.left = left;
        let ready: Vec<usize> = ready;
        ready.into_iter().map(|c| self.checks[c]).collect()
    }
}
