//! Is a document one that the schema describes?

use serde_json::{Value, json};

pub const SCHEMA: &str = include_str!("../../schema/report.schema.json");

/// The keywords the schema uses; any other is an error, so that none is silently ignored.
pub fn check(root: &Value, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
    let keywords = schema.as_object().ok_or("a schema must be an object")?;
    let fail = |what: &str| Err(format!("{path}: {what}, found {value}"));
    for (keyword, rule) in keywords {
        match keyword.as_str() {
            "$schema" | "title" | "description" | "$defs" | "required" | "additionalProperties" => {
            }
            "$ref" => {
                let pointer = rule.as_str().unwrap().strip_prefix('#').unwrap();
                let target = root.pointer(pointer).ok_or(format!("no {pointer}"))?;
                check(root, target, value, path)?;
            }
            "type" => {
                let listed = rule
                    .as_array()
                    .cloned()
                    .unwrap_or_else(|| vec![rule.clone()]);
                if !listed.iter().any(|t| has_type(value, t.as_str().unwrap())) {
                    return fail(&format!("expected {rule}"));
                }
            }
            "const" if value != rule => return fail(&format!("expected {rule}")),
            "const" => {}
            "enum" if !rule.as_array().unwrap().contains(value) => {
                return fail(&format!("expected one of {rule}"));
            }
            "enum" => {}
            "minimum" if value.as_f64() < rule.as_f64() => return fail("too small"),
            "minimum" => {}
            "items" => {
                for (at, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, rule, item, &format!("{path}/{at}"))?;
                }
            }
            "anyOf" => {
                let options = rule.as_array().unwrap().iter();
                if !options
                    .map(|o| check(root, o, value, path))
                    .any(|r| r.is_ok())
                {
                    return fail("no alternative fits");
                }
            }
            "properties" => fields(root, schema, value, path)?,
            other => return Err(format!("keyword {other} is not known")),
        }
    }
    Ok(())
}

fn fields(root: &Value, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
    let known = schema["properties"].as_object().unwrap();
    let present = value.as_object().ok_or(format!("{path}: no object"))?;
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str().unwrap();
        assert!(
            known.contains_key(name),
            "{name} is required but not described"
        );
        if !present.contains_key(name) {
            return Err(format!("{path}: {name} is missing"));
        }
    }
    for (name, field) in present {
        match known.get(name) {
            Some(rule) => check(root, rule, field, &format!("{path}/{name}"))?,
            None if schema["additionalProperties"] == json!(false) => {
                return Err(format!("{path}: {name} is not described"));
            }
            None => {}
        }
    }
    Ok(())
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => panic!("type {name} is not known"),
    }
}

/// Does the document satisfy the schema?
pub fn validate(document: &Value) -> Result<(), String> {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    check(&schema, &schema, document, "")
}
