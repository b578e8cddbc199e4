//! NuSMV and the plain oracle say the same of random systems and of the examples: how many states are reachable, how far
//! they are, whether there is a deadlock, and every verdict.
//!
//! NuSMV must be there, on the PATH or in `.test-tools/bin` of the workspace, where `scripts/test.sh` puts it.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::symbolic::{Property, System};
use suppose_testkit::smv::{Oracle, Shape, Steps, checks, random};
use suppose_testkit::{for_each_seed, installed};

/// What NuSMV says of a text.
#[derive(Debug, Default, PartialEq, Eq)]
struct Said {
    states: Option<u64>,
    diameter: Option<usize>,
    deadlock: bool,
    verdicts: BTreeMap<String, bool>,
    steps: BTreeMap<String, Steps>,
}

/// What the end of a line says of `COMPUTE`.
fn steps(line: &str) -> Option<Steps> {
    match line.trim_end().rsplit_once("]  is ")?.1 {
        "infinity" => Some(Steps::Infinite),
        "undefined" => Some(Steps::Undefined),
        number => number.parse().ok().map(Steps::Finite),
    }
}

fn ask(folder: &Path, text: &str, names: &[String]) -> (Said, String) {
    let (model, script) = (folder.join("model.smv"), folder.join("script"));
    std::fs::write(&model, text).unwrap();
    let mut commands = format!(
        "set on_failure_script_quits\nset counter_examples 0\nread_model -i {}\n\
         flatten_hierarchy\nencode_variables\nbuild_model\nprint_reachable_states\ncheck_fsm\n",
        model.display()
    );
    for name in names {
        commands += &format!("echo property {name}\ncheck_property -P {name}\n");
    }
    std::fs::write(&script, commands + "quit\n").unwrap();
    let run = Command::new(installed("NuSMV"))
        .arg("-source")
        .arg(&script)
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&run.stdout).into_owned();
    let all = format!("{out}\n{}", String::from_utf8_lossy(&run.stderr));
    let mut said = Said::default();
    let mut name = String::new();
    for line in out.lines() {
        let number = |rest: &str| rest.split_whitespace().next().and_then(|n| n.parse().ok());
        if let Some(rest) = line.strip_prefix("reachable states: ") {
            said.states = number(rest);
        } else if let Some(rest) = line.strip_prefix("system diameter: ") {
            said.diameter = number(rest).map(|n| n as usize);
        } else if let Some(rest) = line.strip_prefix("property ") {
            name = rest.trim().to_owned();
        } else if line.contains("is not deadlock-free") || line.contains("A deadlock state is") {
            said.deadlock = true;
        } else if let Some(steps) = steps(line) {
            said.steps.insert(name.clone(), steps);
        } else if line.trim_end().ends_with("  is true") {
            said.verdicts.insert(name.clone(), true);
        } else if line.trim_end().ends_with("  is false") {
            said.verdicts.insert(name.clone(), false);
        }
    }
    (said, all)
}

fn decided(system: &System) -> Vec<&Property> {
    let named = |p: &&Property| p.name.is_some();
    system.properties.iter().filter(named).collect()
}

/// Compares both; what NuSMV says of properties counts only where every reachable state has a step.
fn compare(system: &System, text: &str, folder: &Path) -> bool {
    let decided = decided(system);
    let names: Vec<String> = decided.iter().filter_map(|p| p.name.clone()).collect();
    let (said, all) = ask(folder, text, &names);
    assert!(said.states.is_some(), "NuSMV refuses:\n{text}\n{all}");
    let mut oracle = match Oracle::new(system, 50_000, 50_000_000) {
        Ok(oracle) => oracle,
        Err(stopped) => panic!("{stopped:?}:\n{text}"),
    };
    let states = Some(oracle.graph.states.len() as u64);
    assert_eq!(said.states, states, "states of:\n{text}\n{all}");
    assert_eq!(
        said.diameter,
        Some(oracle.graph.diameter()),
        "diameter of:\n{text}\n{all}"
    );
    assert_eq!(
        said.deadlock,
        !oracle.is_total(),
        "deadlock of:\n{text}\n{all}"
    );
    if !oracle.is_total() {
        return false;
    }
    for property in decided {
        // NuSMV's count of steps looks at fairness; ours does not.
        if let (Some(name), true) = (&property.name, system.fairness.is_empty())
            && let Some(steps) = oracle.compute(&property.question).unwrap()
        {
            let found = said.steps.get(name);
            assert_eq!(found, Some(&steps), "{name}\n{text}\n{all}");
        }
        // Some formulas of LTL are too large for the oracle.
        let Ok(verdict) = oracle.verdict(&property.question) else {
            continue;
        };
        if let (Some(name), Some(verdict)) = (&property.name, verdict) {
            let shown = system.show_question(&property.question);
            assert_eq!(
                said.verdicts.get(name),
                Some(&verdict),
                "{name}: {shown}\n{text}\n{all}"
            );
        }
    }
    true
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("suppose-smv-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn read(text: &str) -> System {
    match read_text("random.smv", text, Dialect::NuSmv) {
        Ok((read, _)) => read.system,
        Err((errors, sources)) => {
            panic!("{}\n{text}", errors[0].render(&sources, false))
        }
    }
}

#[test]
fn nusmv_agrees_on_random_systems() {
    let folder = folder("random");
    let (mut compared, mut all) = (0, 0);
    for_each_seed(150, |rng| {
        all += 1;
        let text = random(rng, Shape::default());
        let system = read(&text);
        compared += usize::from(compare(&system, &text, &folder));
    });
    assert!(
        all < 10 || compared * 3 > all,
        "only {compared} of {all} systems have no deadlock"
    );
    std::fs::remove_dir_all(folder).unwrap();
}

/// What is written is read by NuSMV as the system that it was.
#[test]
fn nusmv_reads_what_is_written() {
    let folder = folder("written");
    for_each_seed(60, |rng| {
        let text = random(rng, Shape::default());
        let system = read(&text);
        let written = system.to_smv();
        compare(&system, &written, &folder);
        let again = read(&written);
        assert_eq!(again.to_smv(), written);
    });
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn nusmv_agrees_on_the_examples() {
    let folder = folder("examples");
    for check in checks().into_iter().filter(|c| !c.old) {
        let text = std::fs::read_to_string(check.path()).unwrap();
        let system = read(&text);
        compare(&system, &text, &folder);
    }
    std::fs::remove_dir_all(folder).unwrap();
}
