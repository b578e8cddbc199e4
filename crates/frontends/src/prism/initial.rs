//! The initial states: the values that variables begin with, or all states that `init ... endinit` allows.

use suppose_source::Diagnostic;

use super::ExplorationError;
use super::resolved::Resolved;
use super::term::Term;
use super::value;

/// The values of all variables, for every initial state, in ascending order.
pub(super) fn initial_states(
    model: &Resolved,
    limit: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Vec<i64>>, ExplorationError> {
    let Some(init) = &model.init else {
        let values = model.variables.iter().map(|v| v.init.unwrap_or(v.low));
        return Ok(vec![values.collect()]);
    };
    // A part is examined as soon as the last of its variables has a value.
    let mut parts: Vec<Vec<&Term>> = vec![Vec::new(); model.variables.len() + 1];
    for part in init.conjuncts() {
        let mut last = 0;
        part.variables(&mut |v, _| last = last.max(v as usize + 1));
        parts[last].push(part);
    }
    let mut search = Search {
        model,
        parts,
        values: vec![0; model.variables.len()],
        found: Vec::new(),
        limit,
        stop,
        steps: 0,
    };
    if search.allowed(0)? {
        search.run()?;
    }
    if search.found.is_empty() {
        return Err(ExplorationError::Invalid(vec![Diagnostic::error(
            init.span,
            "no state is initial: `init` is never true",
        )]));
    }
    Ok(search.found)
}

struct Search<'a> {
    model: &'a Resolved,
    /// By the number of variables that must have values.
    parts: Vec<Vec<&'a Term>>,
    values: Vec<i64>,
    found: Vec<Vec<i64>>,
    limit: usize,
    stop: &'a dyn Fn() -> bool,
    steps: u64,
}

/// More values than this are not tried.
const STEPS: u64 = 2_000_000_000;

impl Search<'_> {
    fn allowed(&self, known: usize) -> Result<bool, ExplorationError> {
        for part in &self.parts[known] {
            let state = |v: u32| self.values.get(v as usize).copied();
            match value::truth(part, &state) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(fault) => return Err(ExplorationError::Invalid(vec![fault.diagnostic()])),
            }
        }
        Ok(true)
    }

    /// Counts through the values, variable by variable; goes back where a part is false.
    fn run(&mut self) -> Result<(), ExplorationError> {
        let variables = &self.model.variables;
        let mut at = 0usize;
        if variables.is_empty() {
            self.found.push(Vec::new());
            return Ok(());
        }
        self.values[0] = variables[0].low;
        loop {
            self.steps += 1;
            if self.steps.is_multiple_of(4096) && (self.stop)() {
                return Err(ExplorationError::Stopped);
            }
            if self.steps > STEPS {
                return Err(ExplorationError::Invalid(vec![
                    Diagnostic::error_without_place(
                        "the initial states cannot be found: there are too many states to try",
                    ),
                ]));
            }
            if self.allowed(at + 1)? {
                if at + 1 < variables.len() {
                    at += 1;
                    self.values[at] = variables[at].low;
                    continue;
                }
                if self.found.len() >= self.limit {
                    return Err(ExplorationError::TooLarge(format!(
                        "more than {} initial states",
                        self.limit
                    )));
                }
                self.found.push(self.values.clone());
            }
            while self.values[at] >= variables[at].high {
                let Some(before) = at.checked_sub(1) else {
                    return Ok(());
                };
                at = before;
            }
            self.values[at] += 1;
        }
    }
}
