//! A run in Apalache's informal trace format (ITF): JSON with the values of all variables in every state.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::simulate::Transcript;

/// Larger integers are written as `#bigint`, as the format demands.
const LARGEST: i64 = (1 << 53) - 1;

/// The run of a claim.
pub(crate) fn itf(run: &Transcript, claim: &str, files: &[String]) -> String {
    let mut values: BTreeMap<String, Option<String>> = BTreeMap::new();
    for (name, value) in &run.start {
        values.insert(name.clone(), Some(value.clone()));
    }
    let mut vars: Vec<String> = run.start.iter().map(|(name, _)| name.clone()).collect();
    for change in run.steps.iter().flat_map(|s| &s.changes) {
        if !values.contains_key(&change.name) {
            values.insert(change.name.clone(), None);
            vars.push(change.name.clone());
        }
    }
    let mut states = vec![state(&vars, &values, json!({ "index": 0 }))];
    for (number, step) in run.steps.iter().enumerate() {
        for change in &step.changes {
            values.insert(change.name.clone(), change.value.clone());
        }
        let about = json!({
            "index": number + 1,
            "action": step.label,
            "actors": step.actors,
            "place": step.place,
        });
        states.push(state(&vars, &values, about));
    }
    let names: Vec<String> = vars.iter().map(|v| variable(v)).collect();
    let mut document = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache.informal.systems/docs/adr/015adr-trace.html",
            "description": format!("a counterexample to {claim}, by Suppose"),
            "source": files.join(", "),
            "claim": claim,
        },
        "vars": names,
        "states": states,
    });
    if let Some(start) = run.loops_to {
        document["loop"] = start.into();
    }
    format!("{document:#}\n")
}

/// A name that begins with `#` means something else in the format.
fn variable(name: &str) -> String {
    match name.starts_with('#') {
        true => format!("_{name}"),
        false => name.to_owned(),
    }
}

fn state(vars: &[String], values: &BTreeMap<String, Option<String>>, about: Value) -> Value {
    let mut state = Map::new();
    state.insert("#meta".to_owned(), about);
    for name in vars {
        let value = values.get(name).and_then(Option::as_deref);
        state.insert(variable(name), typed(value));
    }
    Value::Object(state)
}

/// A number or a truth value as such, anything else as text. What does not exist in a state is unserializable, in the words
/// of the format.
fn typed(value: Option<&str>) -> Value {
    let Some(text) = value else {
        return json!({ "#unserializable": "does not exist" });
    };
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    match (text, text.parse::<i64>()) {
        ("TRUE" | "true", _) => true.into(),
        ("FALSE" | "false", _) => false.into(),
        (_, Ok(number)) if is_number && number.abs() <= LARGEST => number.into(),
        _ if is_number => json!({ "#bigint": text }),
        _ => text.into(),
    }
}
