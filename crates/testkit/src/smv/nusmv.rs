//! What NuSMV says of texts, many in one process: starting it takes longer than most small systems do.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use super::Steps;
use crate::installed;

/// What NuSMV says of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NusmvResult {
    /// Reachable states; none if it refused the text.
    pub states: Option<u64>,
    /// Steps to the farthest of them, and one.
    pub diameter: Option<usize>,
    /// Is there a reachable state without a step?
    pub deadlock: bool,
    /// Verdicts by property name.
    pub verdicts: BTreeMap<String, bool>,
    /// What `COMPUTE` gives, by the name of the property.
    pub steps: BTreeMap<String, Steps>,
    /// All it printed.
    pub all: String,
}

/// What the end of a line says of `COMPUTE`.
fn steps(line: &str) -> Option<Steps> {
    match line.trim_end().rsplit_once("]  is ")?.1 {
        "infinity" => Some(Steps::Infinite),
        "undefined" => Some(Steps::Undefined),
        number => number.parse().ok().map(Steps::Finite),
    }
}

/// Asks about texts and their named properties.
///
/// # Panics
///
/// If NuSMV is not there, or files cannot be written to the folder.
pub fn nusmv(folder: &Path, texts: &[(String, Vec<String>)]) -> Vec<NusmvResult> {
    let mut commands = "set counter_examples 0\n".to_owned();
    for (number, (text, names)) in texts.iter().enumerate() {
        let model = folder.join(format!("model{number}.smv"));
        std::fs::write(&model, text).expect("a model is written");
        let _ = write!(
            commands,
            "echo model {number}\nread_model -i {}\nflatten_hierarchy\nencode_variables\nbuild_model\n\
             print_reachable_states\ncheck_fsm\n",
            model.display()
        );
        for name in names {
            let _ = writeln!(commands, "echo property {name}\ncheck_property -P {name}");
        }
        commands += "reset\n";
    }
    let script = folder.join("script");
    std::fs::write(&script, commands + "quit\n").expect("a script is written");
    let mut command = Command::new(installed("NuSMV"));
    let run = command.arg("-source").arg(&script).output();
    let run = run.expect("NuSMV runs");
    let out = String::from_utf8_lossy(&run.stdout);
    let mut said = vec![NusmvResult::default(); texts.len()];
    let (mut at, mut name) = (None, String::new());
    for line in out.lines() {
        if let Some(number) = line.strip_prefix("model ") {
            at = number.trim().parse::<usize>().ok();
            continue;
        }
        let Some(it) = at.and_then(|at| said.get_mut(at)) else {
            continue;
        };
        it.all += line;
        it.all.push('\n');
        let number = |rest: &str| rest.split_whitespace().next().and_then(|n| n.parse().ok());
        if let Some(rest) = line.strip_prefix("reachable states: ") {
            it.states = number(rest);
        } else if let Some(rest) = line.strip_prefix("system diameter: ") {
            it.diameter = number(rest).map(|n| n as usize);
        } else if let Some(rest) = line.strip_prefix("property ") {
            rest.trim().clone_into(&mut name);
        } else if line.contains("is not deadlock-free") || line.contains("A deadlock state is") {
            it.deadlock = true;
        } else if let Some(steps) = steps(line) {
            it.steps.insert(name.clone(), steps);
        } else if line.trim_end().ends_with(" is true") {
            it.verdicts.insert(name.clone(), true);
        } else if line.trim_end().ends_with(" is false") {
            it.verdicts.insert(name.clone(), false);
        }
    }
    let errors = String::from_utf8_lossy(&run.stderr);
    if let Some(it) = said.iter_mut().find(|it| it.states.is_none()) {
        it.all += &errors;
    }
    said
}
