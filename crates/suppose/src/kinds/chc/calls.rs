//! A derivation of a C program as its calls.

use suppose_frontends::c::{CProgram, Call, CallTree, StepKind};
use suppose_model::chc::{CallRow, Derivation};
use suppose_source::Span;

/// The rows of the call tree, and a warning if the run needs numbers that the types do not have.
pub fn rows(program: &CProgram, derivation: &Derivation) -> (Vec<CallRow>, Option<String>) {
    let Some(tree) = program.call_tree(derivation) else {
        return (Vec::new(), None);
    };
    let warning = tree.beyond_types.then(|| {
        "a value of the counterexample is outside the range of its type: it is one of mathematical integers \
         only (--integers machine computes as C does)"
            .to_owned()
    });
    (flattened(&tree), warning)
}

/// Depth first, without recursion: calls can be nested deeply.
fn flattened(tree: &CallTree) -> Vec<CallRow> {
    let mut rows = Vec::new();
    let mut told = vec![false; tree.calls.len()];
    let Some(main) = tree.calls.first() else {
        return rows;
    };
    rows.push(entered(main, 0));
    // Calls that are open, each with the step that comes next.
    let mut open = vec![(main, 0)];
    while let Some((call, at)) = open.pop() {
        let depth = open.len();
        let Some(step) = call.steps.get(at) else {
            rows.extend(left(call, depth));
            continue;
        };
        open.push((call, at + 1));
        let row = |what: &str, values: Vec<(String, String)>| CallRow {
            depth: depth + 1,
            function: call.function.clone(),
            what: what.to_owned(),
            span: Some(step.span),
            values,
        };
        match &step.kind {
            StepKind::Assign { variable, value } => {
                rows.push(row("set", vec![(variable.clone(), value.to_string())]));
            }
            StepKind::Input {
                function,
                variable,
                value,
            } => {
                let what = match function {
                    Some(name) => format!("input from {name}"),
                    None => "any value".to_owned(),
                };
                let name = variable.clone().unwrap_or_else(|| "value".to_owned());
                rows.push(row(&what, vec![(name, value.to_string())]));
            }
            StepKind::Branch(taken) => {
                let what = match taken {
                    true => "the condition is true",
                    false => "the condition is false",
                };
                rows.push(row(what, Vec::new()));
            }
            StepKind::Call(number) => {
                if let (Some(called), Some(told)) = (tree.calls.get(*number), told.get_mut(*number))
                {
                    // The steps of a call are shown once, however often it is made.
                    match std::mem::replace(told, true) {
                        true => rows.push(repeated(called, step.span, depth + 1)),
                        false => {
                            rows.push(entered(called, depth + 1));
                            open.push((called, 0));
                        }
                    }
                }
            }
            StepKind::Violation => rows.push(row("violated", Vec::new())),
        }
    }
    rows
}

fn entered(call: &Call, depth: usize) -> CallRow {
    let values = call.arguments.iter();
    CallRow {
        depth,
        function: call.function.clone(),
        what: format!("{}()", call.function),
        span: Some(call.span),
        values: values.map(|(n, v)| (n.clone(), v.to_string())).collect(),
    }
}

/// The row of a call that did the same before.
fn repeated(call: &Call, span: Span, depth: usize) -> CallRow {
    let mut row = entered(call, depth);
    row.what = format!("{}() as before", call.function);
    row.span = Some(span);
    let result = call
        .result
        .iter()
        .map(|r| ("result".to_owned(), r.to_string()));
    row.values.extend(result);
    row
}

fn left(call: &Call, depth: usize) -> Option<CallRow> {
    let result = call.result.as_ref()?;
    Some(CallRow {
        depth,
        function: call.function.clone(),
        what: format!("{} returns", call.function),
        span: None,
        values: vec![("result".to_owned(), result.to_string())],
    })
}
