//! What happened in a run.

use suppose_number::Int;
use suppose_source::Span;

/// A run as nested calls; the first call is that of `main`. Calls are kept in one list, since a run may
/// go deeper than a tree can be followed. Calls that do the same are one, so that the list is not longer than the
/// derivation it comes from, however often they happen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallTree {
    /// All calls, in the order they were made.
    pub calls: Vec<Call>,
    /// Does some value leave the range of its type? Then the run is one of mathematical integers only.
    pub beyond_types: bool,
}

impl CallTree {
    /// What functions without body gave, in the order of the run.
    pub(in crate::c) fn values(&self) -> Vec<Int> {
        let mut found = Vec::new();
        let mut open = vec![(0usize, 0usize)];
        while let Some((number, at)) = open.pop() {
            let Some(step) = self.calls.get(number).and_then(|c| c.steps.get(at)) else {
                continue;
            };
            open.push((number, at + 1));
            match &step.kind {
                StepKind::Call(inner) => open.push((*inner, 0)),
                StepKind::Input {
                    function: Some(_),
                    value,
                    ..
                } => found.push(value.clone()),
                _ => {}
            }
        }
        found
    }

    /// For each call, how many values functions without body give back in it and below, and whether the violation is there.
    pub(in crate::c) fn inputs(&self) -> Vec<(u64, bool)> {
        let mut found: Vec<Option<(u64, bool)>> = vec![None; self.calls.len()];
        let mut stack = vec![0usize];
        while let Some(&number) = stack.last() {
            let Some(call) = self.calls.get(number) else {
                stack.pop();
                continue;
            };
            let inner = call.steps.iter().filter_map(|s| match s.kind {
                StepKind::Call(inner) => Some(inner),
                _ => None,
            });
            let open: Vec<usize> = inner
                .filter(|n| found.get(*n).is_some_and(Option::is_none))
                .collect();
            if !open.is_empty() {
                stack.extend(open);
                continue;
            }
            stack.pop();
            let mut sum = (0u64, false);
            for step in &call.steps {
                let (inputs, violated) = match &step.kind {
                    StepKind::Input {
                        function: Some(_), ..
                    } => (1, false),
                    StepKind::Violation => (0, true),
                    StepKind::Call(inner) => {
                        found.get(*inner).copied().flatten().unwrap_or_default()
                    }
                    _ => (0, false),
                };
                sum = (sum.0.saturating_add(inputs), sum.1 | violated);
            }
            found[number] = Some(sum);
        }
        found.into_iter().map(Option::unwrap_or_default).collect()
    }
}

/// One activation of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// The function's name.
    pub function: String,
    /// Where it is called; of `main`, where it is declared.
    pub span: Span,
    /// Names and values of the parameters that matter.
    pub arguments: Vec<(String, Int)>,
    /// What it did.
    pub steps: Vec<ExecutionStep>,
    /// The value it returned, if it returned and the value is used.
    pub result: Option<Int>,
}

/// One step of a function's execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionStep {
    /// The position.
    pub span: Span,
    /// What.
    pub kind: StepKind,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// A variable gets a value.
    Assign {
        /// The variable.
        variable: String,
        /// The value.
        value: Int,
    },
    /// An arbitrary value is given: by a function without body, or to a variable without a first value.
    Input {
        /// The function, if one was called.
        function: Option<String>,
        /// The variable, if it is one of the program.
        variable: Option<String>,
        /// The value.
        value: Int,
    },
    /// A condition is examined.
    Branch(bool),
    /// A call, by its number in [`CallTree::calls`]. One that did the same before is there only once.
    Call(usize),
    /// An assertion is violated; no step follows.
    Violation,
}
