//! `suppose spin`, with the real SPIN.

use crate::support::{Ran, program, root};

fn model(name: &str) -> String {
    let path = root().join(format!("examples/promela/{name}/{name}.pml"));
    path.display().to_string()
}

/// Where SPIN and the compiler are is the only thing taken from the environment.
fn suppose(arguments: &[&str]) -> Ran {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let output = program().env("PATH", path).args(arguments).output();
    output.unwrap().into()
}

#[test]
fn spin_is_not_needed_where_merging_states_decides() {
    let run = suppose(&["spin", &model("sliding-window"), "--component", "Sender"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("before SPIN was needed"),
        "{}",
        run.stdout
    );
}

#[test]
fn spin_searches_the_program_with_the_automaton() {
    let run = suppose(&[
        "spin",
        &model("sliding-window"),
        "--component",
        "Sender",
        "--always",
    ]);
    assert_eq!(run.status, 0, "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("SPIN searched"), "{}", run.stdout);
    assert!(run.stdout.contains("instead of 38"), "{}", run.stdout);
    assert!(run.stdout.trim_end().ends_with("holds"), "{}", run.stdout);
}

#[test]
fn a_run_that_spin_finds_is_followed_in_the_original() {
    let model = model("sliding-window");
    let args = [
        "spin",
        &model,
        "--component",
        "Sender",
        "--set",
        "PROPERTY=4",
        "--always",
    ];
    let run = suppose(&args);
    assert_eq!(run.status, 10, "{}\n{}", run.stdout, run.stderr);
    assert!(
        run.stdout.contains("its run was followed in the original"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("replay         accepted"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("sliding-window.pml:109"),
        "{}",
        run.stdout
    );
}

#[test]
fn one_process_of_several_is_replaced() {
    let model = model("token-ring");
    let run = suppose(&["spin", &model, "--component", "Station[0]", "--always"]);
    assert_eq!(run.status, 0, "{}\n{}", run.stdout, run.stderr);
    let told = "with `Station[0]` of 2 states instead of 6";
    assert!(run.stdout.contains(told), "{}", run.stdout);
}

#[test]
fn only_assertions_can_be_asked_for() {
    let run = suppose(&["spin", &model("dekker"), "-p", "mutex"]);
    assert_eq!(run.status, 1);
    assert!(
        run.stderr.contains("cannot ask for `mutex`"),
        "{}",
        run.stderr
    );
}
