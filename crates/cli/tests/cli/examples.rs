//! Every example with every engine: verdicts are the expected ones, evidence is accepted.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::support::{root, suppose};

/// `expected.toml` beside a model.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    check: Vec<Check>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Check {
    file: String,
    system: Option<String>,
    #[serde(default)]
    set: BTreeMap<String, i64>,
    /// By claim: a property's name, or `deadlock`.
    verdicts: BTreeMap<String, String>,
}

/// These decide everything here, at every size.
const ALWAYS: [&[&str]; 2] = [&["--engine", "auto"], &["--engine", "monolithic"]];

/// These reason about two parts, which may be larger than the whole: they decide the smallest
/// size of each system.
const TWO_PARTS: [&[&str]; 4] = [
    &["--engine", "agar", "--split", "interface"],
    &[
        "--engine",
        "agar",
        "--split",
        "balanced",
        "--alphabet",
        "full",
    ],
    &[
        "--engine",
        "learn",
        "--learner",
        "lstar",
        "--split",
        "balanced",
    ],
    &[
        "--engine",
        "learn",
        "--learner",
        "ttt",
        "--split",
        "interface",
    ],
];

/// These make an assumption about every component, which a global property may make too many: they
/// may give up, but never be wrong.
const CHAINS: [&[&str]; 2] = [
    &["--engine", "agar", "--split", "chain"],
    &["--engine", "learn", "--split", "chain"],
];

fn run(folder: &Path) {
    let text = std::fs::read_to_string(folder.join("expected.toml")).unwrap();
    let expected: Expected = toml::from_str(&text).unwrap();
    assert!(!expected.check.is_empty());
    for (number, check) in expected.check.iter().enumerate() {
        let same = |c: &Check| (&c.file, &c.system) == (&check.file, &check.system);
        let smallest = !expected.check[..number].iter().any(same);
        for engine in ALWAYS {
            verify(folder, check, engine, true);
        }
        for engine in TWO_PARTS.iter().filter(|_| smallest) {
            verify(folder, check, engine, true);
        }
        for engine in CHAINS.iter().filter(|_| smallest) {
            verify(folder, check, engine, false);
        }
    }
}

fn verify(folder: &Path, check: &Check, engine: &[&str], must_decide: bool) {
    let mut arguments = vec![
        "check".to_owned(),
        folder.join(&check.file).display().to_string(),
    ];
    if let Some(system) = &check.system {
        arguments.extend(["--system".to_owned(), system.clone()]);
    }
    for (name, value) in &check.set {
        arguments.extend(["--set".to_owned(), format!("{name}={value}")]);
    }
    arguments.extend(engine.iter().map(|s| (*s).to_owned()));
    arguments.extend(["--format", "json", "--memory", "2GiB"].map(str::to_owned));
    let timeout = if must_decide { "300s" } else { "5s" };
    arguments.extend(["--timeout", timeout].map(str::to_owned));
    let ran = suppose(&arguments);
    let document = ran.json();
    let mut found = BTreeMap::new();
    let mut expected = check.verdicts.clone();
    for claim in document["claims"]
        .as_array()
        .unwrap_or_else(|| panic!("{arguments:?}: {ran:#?}"))
    {
        let name = claim["name"].as_str().unwrap().to_owned();
        let verdict = claim["verdict"].as_str().unwrap();
        let reason = claim["reason"]["word"].as_str().unwrap_or_default();
        if !must_decide && matches!(reason, "timeout" | "memory") {
            expected.remove(&name);
            continue;
        }
        assert_eq!(
            claim["evidence"]["status"], "accepted",
            "{arguments:?}: {name} {verdict}"
        );
        found.insert(name, verdict.to_owned());
    }
    assert_eq!(found, expected, "{arguments:?}");
}

macro_rules! families {
    ($($test:ident $folder:literal;)*) => {
        $(
            #[test]
            fn $test() {
                run(&root().join("examples/fsp").join($folder));
            }
        )*

        #[test]
        fn every_example_is_run() {
            let listed = [$($folder),*];
            let folders = std::fs::read_dir(root().join("examples/fsp")).unwrap();
            for folder in folders {
                let folder = folder.unwrap();
                if !folder.path().join("expected.toml").exists() {
                    continue;
                }
                let name = folder.file_name().into_string().unwrap();
                assert!(listed.contains(&name.as_str()), "examples/fsp/{name} is not run");
            }
        }
    };
}

families! {
    channel "channel";
    chiron "chiron";
    client_server "client-server";
    gas_station "gas-station";
    links "links";
    lock_server "lock-server";
    mer "mer";
    philosophers "philosophers";
    pipeline "pipeline";
    readers_writers "readers-writers";
    rover "rover";
    token_ring "token-ring";
    tree_arbiter "tree-arbiter";
}
