//! Every JSON report satisfies `schema/report.schema.json`.
#![allow(clippy::unwrap_used)]

mod samples;
mod validate;

use samples::Sample;
use serde_json::{Value, json};
use suppose_report::SCHEMA_VERSION;
use validate::{SCHEMA, check, validate};

#[test]
fn every_sample_satisfies_the_schema() {
    for name in Sample::NAMES {
        let sample = Sample::named(name).unwrap();
        let text = sample.report().json();
        let document: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(validate(&document), Ok(()), "{name}");
        assert_eq!(document["schema_version"], SCHEMA_VERSION);
    }
}

/// Without any one field, or with any one more, it does not: at every object of the document.
#[test]
fn the_schema_describes_every_field() {
    let sample = Sample::named("mixed").unwrap();
    let text = sample.report().json();
    let document: Value = serde_json::from_str(&text).unwrap();
    let mut objects = Vec::new();
    collect(&document, String::new(), &mut objects);
    assert!(objects.len() > 30);
    for (path, keys) in objects {
        for key in keys {
            let mut changed = document.clone();
            let object = changed.pointer_mut(&path).unwrap().as_object_mut().unwrap();
            object.remove(&key);
            assert!(validate(&changed).is_err(), "{path} without {key}");
        }
        let mut changed = document.clone();
        let object = changed.pointer_mut(&path).unwrap().as_object_mut().unwrap();
        object.insert("surplus".to_owned(), json!(1));
        assert!(validate(&changed).is_err(), "{path} with one more");
    }
}

fn collect(value: &Value, path: String, objects: &mut Vec<(String, Vec<String>)>) {
    match value {
        Value::Object(fields) => {
            objects.push((path.clone(), fields.keys().cloned().collect()));
            for (name, field) in fields {
                collect(field, format!("{path}/{name}"), objects);
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                collect(item, format!("{path}/{at}"), objects);
            }
        }
        _ => {}
    }
}

/// The example in the documentation is one.
#[test]
fn the_documented_example_satisfies_the_schema() {
    let page = include_str!("../../../docs/report.md");
    let examples: Vec<&str> = page.split("```json\n").skip(1).collect();
    let example = |at: usize| examples[at].split("```").next().unwrap();
    let document: Value = serde_json::from_str(example(0)).unwrap();
    assert_eq!(validate(&document), Ok(()));
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let counterexample: Value = serde_json::from_str(example(1)).unwrap();
    let described = &schema["$defs"]["counterexample"];
    assert_eq!(check(&schema, described, &counterexample, ""), Ok(()));
    let run: Value = serde_json::from_str(example(2)).unwrap();
    assert_eq!(check(&schema, &schema["$defs"]["run"], &run, ""), Ok(()));
    let tree: Value = serde_json::from_str(example(4)).unwrap();
    assert_eq!(check(&schema, &schema["$defs"]["tree"], &tree, ""), Ok(()));
}
