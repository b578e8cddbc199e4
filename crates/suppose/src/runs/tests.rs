//! Runs as JSON and as charts, with names that mean something in these languages.

use serde_json::Value;

use super::chart::{ChartKind, chart};
use super::itf::itf;
use crate::simulate::{Change, End, Taken, Transcript};

fn run() -> Transcript {
    let step = |label: &str, actors: &[&str], changes: &[(&str, Option<&str>)]| Taken {
        label: label.to_owned(),
        actors: actors.iter().map(|a| (*a).to_owned()).collect(),
        place: None,
        probability: None,
        changes: changes
            .iter()
            .map(|(name, value)| Change {
                name: (*name).to_owned(),
                value: value.map(str::to_owned),
            })
            .collect(),
        notes: Vec::new(),
    };
    let text = |s: &str| s.to_owned();
    Transcript {
        start: vec![
            (text("x"), text("0")),
            (text("#meta"), text("TRUE")),
            (text("c"), text("<3>")),
        ],
        notes: Vec::new(),
        steps: vec![
            step("c!3;\n@enduml #", &["P[0]", "end"], &[("x", Some("-12"))]),
            step(
                "",
                &[],
                &[("new", Some("99999999999999999999")), ("c", None)],
            ),
        ],
        end: End::Quit,
        loops_to: Some(1),
        remarks: Vec::new(),
    }
}

#[test]
fn an_itf_trace_has_every_variable_in_every_state() {
    let document: Value =
        serde_json::from_str(&itf(&run(), "safe", &["m.pml".to_owned()])).unwrap();
    assert_eq!(document["#meta"]["format"], "ITF");
    assert_eq!(document["loop"], 1);
    let vars: Vec<&str> = document["vars"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_str().unwrap())
        .collect();
    assert_eq!(vars, ["x", "_#meta", "c", "new"]);
    let states = document["states"].as_array().unwrap();
    assert_eq!(states.len(), 3);
    for (number, state) in states.iter().enumerate() {
        assert_eq!(state["#meta"]["index"], number);
        assert!(vars.iter().all(|v| state.get(v).is_some()), "{state}");
    }
    assert_eq!(states[0]["_#meta"], true);
    assert_eq!(states[0]["c"], "<3>");
    assert_eq!(states[0]["new"]["#unserializable"], "does not exist");
    assert_eq!(states[1]["x"], -12);
    assert_eq!(states[2]["new"]["#bigint"], "99999999999999999999");
    assert_eq!(states[2]["c"]["#unserializable"], "does not exist");
}

#[test]
fn charts_keep_names_apart_from_their_language() {
    let expected = "\
sequenceDiagram
  accTitle: counterexample to safe
  participant p0 as P[0]
  participant p1 as #101;nd
  participant p2 as system
  p0->p1: 1. c!3#59;#92;n@#101;nduml #35;
  loop forever
  Note over p2: 2. new = 99999999999999999999, c = gone
  end
  Note over p0,p2: quit after 2 steps
";
    assert_eq!(chart(&run(), "safe", ChartKind::Mermaid), expected);
    let expected = "\
@startuml
title counterexample to safe
participant \"P<U+005B>0<U+005D>\" as p0
participant \"end\" as p1
participant \"system\" as p2
p0 <-> p1 : 1. c<U+0021>3<U+003B><U+005C>n<U+0040>enduml <U+0023>
loop forever
note over p2 : 2. new = 99999999999999999999, c = gone
end
note over p0,p2 : quit after 2 steps
@enduml
";
    assert_eq!(chart(&run(), "safe", ChartKind::PlantUml), expected);
}
