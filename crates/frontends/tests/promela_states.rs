//! The programs that are read, run by the reference semantics: as many states as SPIN stores.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;

use suppose_frontends::promela::{Read, read};
use suppose_model::program::semantics::State;
use suppose_model::program::{Outcome, Program};
use suppose_source::{ParserLimits, SourceFile, Sources};

fn read_file(path: &Path) -> Result<Read, String> {
    let mut sources = Sources::new();
    let text = std::fs::read_to_string(path).unwrap();
    let file = sources.add(SourceFile::new(path.display().to_string(), text));
    let folder = path.parent().unwrap().to_owned();
    let mut includes =
        |name: &str| std::fs::read_to_string(folder.join(name)).map_err(|e| e.to_string());
    let read = read(
        file,
        &mut sources,
        &mut includes,
        &[],
        &ParserLimits::default(),
    );
    read.map_err(|errors| errors[0].render(&sources, false))
}

/// How many states there are, without those inside an `atomic`; none if there are very many.
fn count(program: &Program) -> Option<usize> {
    let first = State::initial(program).ok()?;
    let mut seen = BTreeSet::from([first.clone()]);
    let mut stack = vec![first];
    while let Some(state) = stack.pop() {
        for step in state.moves(program) {
            if let Outcome::State(next) = step.outcome
                && seen.insert(next.clone())
            {
                stack.push(next);
            }
        }
        if seen.len() > 20_000 {
            return None;
        }
    }
    Some(seen.iter().filter(|s| s.alone.is_none()).count())
}

/// The checks of `expected.toml`: file, do all verdicts hold, states without reduction.
fn expected(folder: &Path) -> Vec<(String, bool, usize)> {
    let text = std::fs::read_to_string(folder.join("expected.toml")).unwrap();
    let mut checks = Vec::new();
    for check in text.split("[[check]]").skip(1) {
        let value = |key: &str| {
            let line = check.lines().find(|l| l.starts_with(&format!("{key} = ")));
            line.map(|l| l.split_once(" = ").unwrap().1.trim_matches('"').to_owned())
        };
        let (Some(file), Some(states)) = (value("file"), value("states")) else {
            continue;
        };
        let plain = !check.contains("violated")
            && !check.contains("[check.constants]")
            && !check.contains("defines");
        checks.push((file, plain, states.parse().unwrap()));
    }
    checks
}

#[test]
fn as_many_states_as_spin() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela/constructs");
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (file, plain, states) in expected(&folder) {
        let Ok(read) = read_file(&folder.join(&file)) else {
            continue;
        };
        // A claim is part of SPIN's state; such files are compared where claims are run.
        let text = std::fs::read_to_string(folder.join(&file)).unwrap();
        let claims = text.contains("never") || text.contains("ltl") || text.contains("trace");
        if !plain || claims {
            continue;
        }
        let Some(ours) = count(&read.program) else {
            continue;
        };
        compared += 1;
        if ours != states {
            wrong.push(format!("{file}: {ours} states, SPIN has {states}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {compared}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(compared > 60, "only {compared} models were compared");
}
