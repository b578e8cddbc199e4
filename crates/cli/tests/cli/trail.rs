//! Counterexamples as trails, followed by SPIN itself.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use suppose_testkit::promela::expected::checks;

use crate::support::{Folder, root, suppose};

/// Larger models take too long for a test.
const STATES: u64 = 5_000;

/// What SPIN says when a trail is not one of the program.
const LOST: [&str; 5] = [
    "no matching stmnt",
    "stop error",
    "no process",
    "transition failed",
    "match spec",
];

/// Lets SPIN follow a trail to its end; what it shows.
#[track_caller]
fn follow(folder: &Folder, model: &Path, trail: &str, set: &BTreeMap<String, i64>) -> String {
    let output = Command::new("spin")
        .args(["-t", "-p", "-k", trail])
        .args(set.iter().map(|(name, value)| format!("-D{name}={value}")))
        .arg(model)
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    let lines = std::fs::read_to_string(trail).unwrap().lines().count();
    let model = model.display();
    assert!(output.status.success(), "{model}: {shown}");
    let all = format!("trail ends after {lines} steps");
    assert!(shown.contains(&all), "{model}: no `{all}` in {shown}");
    for lost in LOST {
        assert!(!shown.contains(lost), "{model}: {shown}");
    }
    shown
}

fn arguments(model: &Path, trail: &str, set: &BTreeMap<String, i64>) -> Vec<String> {
    let mut all = vec!["check".to_owned(), model.display().to_string()];
    all.extend(["--trail".to_owned(), trail.to_owned()]);
    for (name, value) in set {
        all.extend(["--set".to_owned(), format!("{name}={value}")]);
    }
    all
}

#[track_caller]
fn shown(path: &str, set: &[(&str, i64)], verdict: &str) -> String {
    let folder = Folder::new();
    let model = root().join("examples/promela").join(path);
    let set = set.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
    let trail = folder.path("model.trail");
    suppose(arguments(&model, &trail, &set)).ended(10, verdict);
    follow(&folder, &model, &trail, &set)
}

#[test]
fn spin_comes_to_the_same_end() {
    let both = shown("dekker/dekker.pml", &[("BROKEN", 2)], "violated(mutex)");
    assert!(both.contains("critical[0] = 1"), "{both}");
    assert!(both.contains("critical[1] = 1"), "{both}");

    let forks = shown(
        "philosophers/philosophers.pml",
        &[("N", 3)],
        "violated(end-states)",
    );
    for fork in ["fork[0] = 1", "fork[1] = 2", "fork[2] = 3"] {
        assert!(forks.contains(fork), "{forks}");
    }
    assert!(!forks.contains("valid end state"), "{forks}");

    let back = shown(
        "constructs/atomic-rendezvous-return.pml",
        &[],
        "violated(end-states)",
    );
    let order = ["[c!1]", "[c?y]", "[x = 1]", "[x = 2]", "[go = 1]"];
    let places: Vec<_> = order.iter().map(|text| back.find(text).unwrap()).collect();
    assert!(places.is_sorted(), "{back}");

    let low = shown("constructs/ltl-violated.pml", &[], "violated(low)");
    assert!(low.contains("\t\tx = 3\n"), "{low}");
}

/// Every counterexample of the examples; where a step goes wrong otherwise than by an assertion,
/// SPIN has ways of its own to end.
#[test]
fn spin_follows_every_counterexample() {
    let mut followed = 0;
    for check in checks() {
        let known = check
            .verdicts
            .keys()
            .all(|name| name != "error" && name != "trace");
        let violated = |name: &str| check.violated(name) == Some(true);
        let wrong = check.verdicts.keys().filter(|name| violated(name)).count();
        if wrong == 0 || !known || !check.is_up_to(STATES) {
            continue;
        }
        let folder = Folder::new();
        let model = check.path();
        let ran = suppose(arguments(&model, &folder.path("run.trail"), &check.set));
        assert_eq!(ran.status, 10, "{ran:#?}");
        let written: Vec<_> = std::fs::read_dir(folder.path(""))
            .unwrap()
            .map(|entry| entry.unwrap().path().display().to_string())
            .collect();
        assert_eq!(written.len(), wrong, "{written:?}: {ran:#?}");
        let mut failed = 0;
        for trail in &written {
            let shown = follow(&folder, &model, trail, &check.set);
            failed += usize::from(shown.contains("assertion violated"));
        }
        assert_eq!(failed, usize::from(violated("assertion")), "{model:?}");
        followed += written.len();
    }
    assert!(followed > 20, "only {followed} were followed");
}

#[test]
fn steps_without_a_known_number_are_refused() {
    let text = "active proctype P() { skip; here: goto out; out: skip }\n\
                active proctype Q() { assert(!P[0]@here) }\n";
    let folder = Folder::new();
    let model = folder.file("model.pml", text);
    let trail = folder.path("model.trail");
    let ran = suppose(["check", &model, "-p", "assertions", "--trail", &trail]);
    ran.ended(10, "violated(assertions)");
    let told = format!("{}{}", ran.stdout, ran.stderr);
    assert!(told.contains("no trail of `assertions`"), "{ran:#?}");
    assert!(!Path::new(&trail).exists());
}

#[test]
fn spin_numbers_steps_after_those_of_an_event_trace() {
    let text = "chan c = [1] of { byte };\ntrace { do :: c!1 od }\n\
                active proctype P() { c!1; assert(false) }\n";
    let folder = Folder::new();
    let model = folder.file("model.pml", text);
    let trail = folder.path("model.trail");
    let ran = suppose(["check", &model, "-p", "assertions", "--trail", &trail]);
    ran.ended(10, "violated(assertions)");
    let shown = follow(&folder, Path::new(&model), &trail, &BTreeMap::new());
    assert!(shown.contains("[c!1]"), "{shown}");
    assert!(shown.contains("assertion violated"), "{shown}");
}

#[test]
fn a_trail_is_for_programs() {
    let folder = Folder::new();
    let trail = folder.path("model.trail");
    let model = crate::support::channel();
    suppose(["check", &model, "--trail", &trail]).refused(1, "--trail is for PROMELA programs");
    assert!(!Path::new(&trail).exists());
}
