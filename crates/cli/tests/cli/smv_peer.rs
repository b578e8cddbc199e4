//! The command line and NuSMV on random systems: the same verdicts by every engine, and no evidence that the checker rejects.

use std::collections::BTreeMap;

use suppose_testkit::Rng;
use suppose_testkit::smv::{Shape, random};

use crate::smv::by_nusmv;
use crate::support::{Folder, suppose};

/// Verdicts as NuSMV says them, by the order of the text within each kind of property.
fn said(text: &str) -> BTreeMap<&'static str, Vec<bool>> {
    let mut all: BTreeMap<&str, Vec<bool>> = BTreeMap::new();
    for line in text.lines() {
        let Some((what, verdict)) = line.rsplit_once("  is ") else {
            continue;
        };
        let holds = match verdict.trim() {
            "true" => true,
            "false" => false,
            _ => continue,
        };
        // A formula of LTL has two blanks before it.
        let kind = match what {
            _ if what.starts_with("-- invariant") => "INVARSPEC",
            _ if what.starts_with("-- specification  ") => "LTLSPEC",
            _ => "CTLSPEC",
        };
        all.entry(kind).or_default().push(holds);
    }
    all
}

fn compare(seed: u64, folder: &Folder, decided: &mut usize) {
    let shape = Shape {
        constraints: seed.is_multiple_of(2),
        ..Shape::default()
    };
    let text = random(&mut Rng::new(seed), shape);
    // NuSMV 2.6 seems to be wrong about strong fairness of processes.
    if text.contains("COMPASSION") && text.contains("process") {
        return;
    }
    let file = folder.file("random.smv", &text);
    let peer = by_nusmv(&file);
    for engine in ["auto", "bdd", "cegar"] {
        let document = suppose(["check", &file, "--format", "json", "--engine", engine]).json();
        // What CTL means where a state has no step is not settled.
        if !document["symbolic"]["stuck"].is_null() {
            return;
        }
        let claims = document["claims"].as_array().unwrap();
        let mut said = said(&peer);
        for claim in claims {
            let what = format!("seed {seed} by {engine}: {claim:#}\n{text}\n{peer}");
            assert_ne!(claim["evidence"]["status"], "rejected", "{what}");
            let question = claim["symbolic"]["text"].as_str().unwrap();
            let kind = question.split(' ').next().unwrap();
            let Some(verdicts) = said.get_mut(kind) else {
                continue;
            };
            let expected = match verdicts.remove(0) {
                true => "holds",
                false => "violated",
            };
            if engine == "cegar" && claim["verdict"] == "unknown" {
                continue;
            }
            assert_eq!(claim["verdict"], expected, "{what}");
            *decided += 1;
        }
        assert!(said.values().all(Vec::is_empty), "seed {seed}\n{text}");
    }
}

#[test]
fn random_systems_are_decided_as_nusmv_does() {
    let folder = Folder::new();
    let mut decided = 0;
    for seed in 77_000..77_040 {
        compare(seed, &folder, &mut decided);
    }
    println!("{decided} verdicts compared");
    assert!(decided > 300, "{decided}");
}

#[test]
#[ignore = "long"]
fn many_random_systems_are_decided_as_nusmv_does() {
    let folder = Folder::new();
    let mut decided = 0;
    for seed in 78_000..80_000 {
        compare(seed, &folder, &mut decided);
    }
    println!("{decided} verdicts compared");
}
