//! SARIF 2.1.0, the format of static analysis tools: a rule for each kind of claim, a result for each claim that is not as it
//! should be, and its counterexample as a code flow.

use serde_json::{Value, json};

use crate::several::{Checked, CheckedClaim, Place, Standing};
use crate::words::{count, shown};

/// Of longer counterexamples the first and the last steps are listed, this many each.
const MOST_STEPS: usize = 500;

/// Kinds of claims with what they say.
const RULES: &[(&str, &str)] = &[
    (
        "acceptance",
        "No infinite run passes an accept label again and again",
    ),
    (
        "assertions",
        "No assertion fails and no statement has an error",
    ),
    ("claim", "Every run satisfies the claim"),
    ("conformance", "The system conforms to its specification"),
    ("deadlock", "No state without a next step is reachable"),
    ("end-states", "No invalid end state is reachable"),
    (
        "liveness",
        "Every infinite run satisfies the liveness property",
    ),
    ("no-overflow", "No signed integer overflows"),
    ("progress", "Every infinite run makes progress"),
    ("property", "The system satisfies the property"),
    ("queries", "No query can be derived from the clauses"),
    ("undecided", "A claim that no engine decides"),
    ("valid-deref", "Memory is only accessed where there is some"),
    ("valid-free", "Only allocated memory is freed, and once"),
    ("verdict", "The model has the expected verdict"),
];

/// One document for all models.
pub fn sarif(checked: &[Checked], version: &str, exit_status: u8) -> String {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|(id, text)| json!({ "id": id, "shortDescription": { "text": format!("{text}.") } }))
        .collect();
    let results: Vec<Value> = checked.iter().flat_map(results).collect();
    let errors = checked.iter().filter(|m| m.expected.is_none());
    let errors = errors.flat_map(|m| {
        m.errors.iter().map(|e| {
            let whole = whole(m);
            json!({
                "level": "error",
                "message": { "text": shown(&e.message) },
                "locations": [location(e.place.as_ref().unwrap_or(&whole), None)],
            })
        })
    });
    let errors: Vec<Value> = errors.collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "Suppose", "version": version, "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": errors.is_empty(),
                "exitCode": exit_status,
                "toolExecutionNotifications": errors,
            }],
            "results": results,
        }],
    });
    format!("{document:#}\n")
}

fn results(model: &Checked) -> Vec<Value> {
    if let Some(expected) = &model.expected {
        if expected.is_met {
            return Vec::new();
        }
        let text = format!("expected {}, found {}", expected.verdict, model.outcome);
        let at = location(&whole(model), None);
        return vec![result("verdict", ("fail", "error"), &text, at)];
    }
    let claims = model.claims.iter();
    claims.filter_map(|claim| of_claim(model, claim)).collect()
}

fn of_claim(model: &Checked, claim: &CheckedClaim) -> Option<Value> {
    // What is not known is open, which has no level.
    let kind = match claim.standing() {
        Standing::Passed => return None,
        Standing::Failed => ("fail", "error"),
        Standing::Undecided => ("open", "none"),
        Standing::Skipped => ("notApplicable", "none"),
    };
    let whole = whole(model);
    let at = location(claim.place.as_ref().unwrap_or(&whole), None);
    let mut result = result(&claim.kind, kind, &claim.sentence(), at);
    result["properties"] = json!({ "claim": claim.name, "engine": claim.engine });
    if !claim.steps.is_empty() {
        result["codeFlows"] = json!([flow(claim, &whole)]);
    }
    Some(result)
}

fn result(rule: &str, (kind, level): (&str, &str), text: &str, location: Value) -> Value {
    let mut result = json!({
        "ruleId": rule,
        "kind": kind,
        "level": level,
        "message": { "text": shown(text) },
        "locations": [location],
    });
    if let Some(index) = RULES.iter().position(|(id, _)| *id == rule) {
        result["ruleIndex"] = index.into();
    }
    result
}

fn flow(claim: &CheckedClaim, whole: &Place) -> Value {
    let steps = claim.steps.len();
    let is_listed = |number: usize| number < MOST_STEPS || number + MOST_STEPS >= steps;
    let listed = claim.steps.iter().enumerate();
    let listed = listed.filter(|(number, _)| is_listed(*number));
    let locations = listed.map(|(number, (text, place))| {
        let at = location(place.as_ref().unwrap_or(whole), Some(text));
        json!({ "executionOrder": number + 1, "location": at })
    });
    let locations: Vec<Value> = locations.collect();
    let mut text = format!("counterexample of {}", count(steps as u64, "step"));
    if locations.len() < steps {
        text.push_str(&format!(
            ", of which the first and the last {MOST_STEPS} are listed"
        ));
    }
    json!({ "message": { "text": text }, "threadFlows": [{ "locations": locations }] })
}

/// The model, without a line.
fn whole(model: &Checked) -> Place {
    Place {
        file: model.file.clone(),
        ..Place::default()
    }
}

fn location(place: &Place, message: Option<&str>) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(&place.file) } });
    if place.line > 0 {
        physical["region"] = json!({ "startLine": place.line });
        if let Some(column) = place.column {
            physical["region"]["startColumn"] = column.into();
        }
    }
    let mut location = json!({ "physicalLocation": physical });
    if let Some(message) = message {
        location["message"] = json!({ "text": shown(message) });
    }
    location
}

/// The name of a file as a reference: relative, or with `file://`.
fn uri(file: &str) -> String {
    let mut out = String::new();
    let plain = file.strip_prefix("./").unwrap_or(file);
    if plain.starts_with('/') {
        out.push_str("file://");
    }
    for byte in plain.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte.into());
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}
