//! Hostile names come out as what they are, and nothing else.

use serde_json::{Value, json};

use super::{annotations, junit, sarif};
use crate::several::{Checked, Expectation};

const NAME: &str = "d/a\n::error::x%0A,b:\"'<&>]]>\u{1b}\u{202e}.pml";

fn checked() -> Vec<Checked> {
    let violated = json!({
        "last_line": "violated(x)",
        "claims": [
            { "name": NAME, "kind": "assertions", "verdict": "violated", "reason": null, "engine": { "name": "monolithic" },
              "counterexample": { "ending": "it <ends>\nhere", "rows": [
                  { "name": "P[0]", "statement": "x = \"1\"", "file": "m.pml", "line": 3, "changes": [{ "name": "x", "from": "0", "to": "1" }] },
              ] } },
            { "name": "late", "kind": "claim", "verdict": "unknown", "reason": { "word": "timeout", "text": "the time limit was reached" },
              "location": { "file": "d/m.pml", "line": 7, "column": 2 } },
            { "name": "fine", "kind": "end-states", "verdict": "holds" },
        ],
        "undecided": [{ "name": "u", "reason": "unsupported" }],
        "timing": { "elapsed_seconds": 0.5, "claims_seconds": [0.25, 0.125, 0.0] },
    });
    let broken = json!({
        "error": "input error",
        "diagnostics": [{ "severity": "error", "message": "no & never", "file": "b.pml", "line": 2, "column": 5 }],
    });
    vec![Checked::of(NAME, &violated), Checked::of("b.pml", &broken)]
}

#[test]
fn junit_is_xml_with_the_names_as_they_are() {
    let text = junit(&checked());
    let document = roxmltree::Document::parse(&text).unwrap();
    let root = document.root_element();
    let counts = ["tests", "failures", "errors", "skipped"].map(|a| root.attribute(a).unwrap());
    assert_eq!(counts, ["5", "1", "2", "1"]);
    let cases: Vec<_> = root
        .descendants()
        .filter(|n| n.has_tag_name("testcase"))
        .collect();
    assert_eq!(cases.len(), 5);
    // Control characters are no characters of XML; the rest is the name.
    let expected = "d/a\\n::error::x%0A,b:\"'<&>]]>\\u{1b}\\u{202e}.pml";
    assert_eq!(cases[0].attribute("name"), Some(expected));
    assert_eq!(cases[0].attribute("classname"), Some(expected));
    assert_eq!(cases[0].attribute("time"), Some("0.250000"));
    let failure = cases[0].first_element_child().unwrap();
    assert!(failure.has_tag_name("failure"));
    assert!(
        failure
            .text()
            .unwrap()
            .starts_with("1. d/m.pml:3: P[0]: x = \"1\"; x = 1\n")
    );
    let inner: Vec<&str> = cases[1..]
        .iter()
        .map(|c| c.first_element_child().map_or("", |e| e.tag_name().name()))
        .collect();
    assert_eq!(inner, ["error", "", "skipped", "error"]);
}

#[test]
fn annotations_are_one_line_each() {
    let text = annotations(&checked());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!(
        lines
            .iter()
            .all(|l| l.starts_with("::error file=") || l.starts_with("::warning file="))
    );
    assert_eq!(
        lines[0],
        "::error file=d/m.pml,line=3,title=d/a\\n%3A%3Aerror%3A%3Ax%250A%2Cb%3A\"'<&>]]>\\u{1b}\\u{202e}.pml::\
         d/a\\n::error::x%250A,b:\"'<&>]]>\\u{1b}\\u{202e}.pml is violated: it <ends>\\nhere"
    );
    assert!(lines[1].starts_with("::warning file=d/m.pml,line=7,col=2,title=late::"));
    assert!(lines[2].contains("file=d/a%0A%3A%3Aerror%3A%3Ax%250A%2Cb%3A"));
    assert_eq!(
        lines[3],
        "::error file=b.pml,line=2,col=5,title=input error::no & never"
    );
}

/// What SARIF 2.1.0 demands of what we write.
fn is_sarif(document: &Value) {
    assert_eq!(document["version"], "2.1.0");
    for run in document["runs"].as_array().unwrap() {
        let driver = &run["tool"]["driver"];
        assert!(driver["name"].is_string());
        let rules = driver["rules"].as_array().unwrap();
        assert!(
            rules
                .iter()
                .all(|r| r["id"].is_string() && r["shortDescription"]["text"].is_string())
        );
        assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
        for result in run["results"].as_array().unwrap() {
            let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
            assert_eq!(rule["id"], result["ruleId"]);
            assert!(result["message"]["text"].is_string());
            match result["kind"].as_str().unwrap() {
                "fail" => assert_eq!(result["level"], "error"),
                "open" | "notApplicable" => assert_eq!(result["level"], "none"),
                other => panic!("{other}"),
            }
            let flows = result["codeFlows"].as_array().into_iter().flatten();
            let flows = flows.flat_map(|f| f["threadFlows"].as_array().unwrap());
            let steps = flows.flat_map(|f| f["locations"].as_array().unwrap());
            let steps = steps.map(|s| &s["location"]);
            for location in result["locations"].as_array().unwrap().iter().chain(steps) {
                let physical = &location["physicalLocation"];
                let uri = physical["artifactLocation"]["uri"].as_str().unwrap();
                assert!(
                    uri.chars()
                        .all(|c| c.is_ascii_graphic() && !"\"<>\\^`{|}:".contains(c)),
                    "{uri}"
                );
                let line = &physical["region"]["startLine"];
                assert!(physical.get("region").is_none() || line.as_u64().unwrap() > 0);
            }
        }
    }
}

#[test]
fn sarif_has_a_result_for_each_claim_that_is_not_as_it_should_be() {
    let document: Value = serde_json::from_str(&sarif(&checked(), "1.0", 10)).unwrap();
    is_sarif(&document);
    let run = &document["runs"][0];
    let results = run["results"].as_array().unwrap();
    let kinds: Vec<&str> = results
        .iter()
        .map(|r| r["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["fail", "open", "notApplicable"]);
    assert_eq!(results[0]["properties"]["claim"], NAME);
    let step = &results[0]["codeFlows"][0]["threadFlows"][0]["locations"][0];
    assert_eq!(
        step["location"]["physicalLocation"]["region"]["startLine"],
        3
    );
    let notices = &run["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(
        notices[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "b.pml"
    );
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
}

/// A violation that is expected is as it should be; a proof that is not expected is not.
#[test]
fn expectations_decide_what_is_told() {
    let mut models = checked();
    models.truncate(1);
    for claim in &mut models[0].claims {
        let is_met = claim.verdict != "holds";
        let verdict = "whatever".to_owned();
        claim.expected = Some(Expectation { verdict, is_met });
    }
    assert_eq!(annotations(&models).lines().count(), 1);
    assert!(junit(&models).contains("failures=\"1\" errors=\"0\" skipped=\"0\""));
    let document: Value = serde_json::from_str(&sarif(&models, "1.0", 11)).unwrap();
    is_sarif(&document);
    assert_eq!(document["runs"][0]["results"].as_array().unwrap().len(), 1);
}
