//! NuSMV and the plain oracle say the same of random systems and of the examples: how many states are reachable, how far
//! they are, whether there is a deadlock, and every verdict.
//!
//! NuSMV must be there, on the PATH or in `.test-tools/bin` of the workspace, where `scripts/test.sh` puts it.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::fsm::{Property, System};
use suppose_testkit::for_each_seed;
use suppose_testkit::smv::{Oracle, Shape, checks, nusmv, random};

fn decided(system: &System) -> Vec<&Property> {
    let named = |p: &&Property| p.name.is_some();
    system.properties.iter().filter(named).collect()
}

/// Compares both; false if there is a deadlock.
fn compare(system: &System, text: &str, folder: &Path) -> bool {
    let decided = decided(system);
    let names: Vec<String> = decided.iter().filter_map(|p| p.name.clone()).collect();
    let asked = [(text.to_owned(), names)];
    let said = nusmv(folder, &asked).remove(0);
    let all = &said.all;
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
    for property in decided {
        // Without a fair run NuSMV's numbers mean nothing, as it warns itself.
        if let Some(name) = &property.name
            && let Some(steps) = oracle.compute(&property.question).unwrap()
            && oracle.has_fair_run()
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
    oracle.is_total()
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
    // Others have more states than the oracle examines.
    for check in checks()
        .into_iter()
        .filter(|c| !c.old && c.states.is_some())
    {
        let text = std::fs::read_to_string(check.path()).unwrap();
        let system = read(&text);
        compare(&system, &text, &folder);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// A definition can be one of another instance: named there, by a parameter, or by `self`.
#[test]
fn nusmv_agrees_on_definitions_for_other_instances() {
    let folder = folder("defines");
    for text in [
        "MODULE n
VAR z : boolean;
ASSIGN next(z) := y;
MODULE main
VAR b : n; x : boolean;
DEFINE b.y := x;
SPEC NAME p := AG (x -> AX b.z)
",
        "MODULE m(o)
VAR x : boolean;
DEFINE o.y := x;
MODULE main
VAR a : m(self);
SPEC NAME p := AG (y = a.x)
",
        "MODULE n(o)
VAR z : boolean;
ASSIGN next(z) := y;
DEFINE o.y := z;
MODULE main
VAR b : n(c); c : n(b);
SPEC NAME p := AG (b.z -> AX c.z)
",
        "MODULE leaf
VAR z : boolean;
ASSIGN next(z) := y;
MODULE node
VAR l : leaf; v : boolean;
DEFINE w := !v; l.y := w;
MODULE main
VAR t : node;
DEFINE t.l.x := t.l.z & t.w;
SPEC NAME p := AG (t.l.x -> t.l.z)
SPEC NAME q := AG (t.w -> AX t.l.x)
",
    ] {
        assert!(compare(&read(text), text, &folder), "{text}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Every operator of PSL that is read, and `forall` over numbers, truth values and symbols.
#[test]
fn nusmv_agrees_on_properties_in_psl() {
    let folder = folder("psl");
    let model = "MODULE main
VAR x : boolean; y : boolean; n : 0..5; s : {idle, run}; a : array 0..2 of boolean;
ASSIGN init(n) := 0; next(n) := n < 5 ? n + 1 : 0; init(x) := FALSE; next(x) := n = 3;
  init(s) := idle; next(s) := n = 5 ? idle : s; init(a[0]) := TRUE; next(a[0]) := a[2];
";
    let properties = [
        "always (x -> eventually! y)",
        "always (x -> next! (!x))",
        "never (x & n = 2)",
        "(!x) until! (n = 4)",
        "(!x) until_ (n = 4)",
        "(!x) until!_ (n = 3)",
        "(n = 2) before (n = 3)",
        "(n = 3) before! (n = 2)",
        "(n = 2) before_ (n = 2)",
        "next![4] (n = 3)",
        "always (n = 0 -> next_e[1:3] (n = 2))",
        "always (n = 0 -> next_a![1:2] (n < 3))",
        "next_event!(n = 2)[2](x)",
        "next_event_a(n = 4)[1:2](x)",
        "next_event_e!(n = 4)[1:2](y | !y)",
        "(n = 0) <-> (X! n = 1)",
        "[x U n = 4]",
        "AG (n = 0 -> AF n = 3)",
        "forall i in {1, 2, 3} : always (n = i -> next! (n = i + 1))",
        "forall i in {0, 2:4} : always (n = i -> next! (n = i + 1))",
        "forall i in {0:5} : always (n = i -> next! (n = i + 1))",
        "forall i in boolean : always (x = i -> next! (n = 1))",
        "forall i in boolean : forall j in {0} : always (x = i -> next! (n >= j))",
        "forall i in {idle, run} : always (s = i -> next! (s = i))",
        "forall i in {0:2} : always (a[i] -> next! (n < 6))",
        "forall i in {-1:1} : always (n - i < 7)",
        "(forall i in {1:2} : always (n < 9 - i)) & !x",
    ];
    let named = properties.iter().enumerate();
    let named = named.map(|(at, p)| format!("PSLSPEC NAME p{at} := {p};\n"));
    let text = model.to_owned() + &named.collect::<String>();
    let system = read(&text);
    assert_eq!(system.properties.len(), properties.len());
    assert!(compare(&system, &text, &folder), "{text}");
    std::fs::remove_dir_all(folder).unwrap();
}
