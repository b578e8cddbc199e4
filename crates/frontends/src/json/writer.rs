//! Network to JSON.

use std::fmt::Write;

use suppose_model::lts::{ComponentKind, Labels, Lts, Network, rearm};

use super::{FORMAT, VERSION};

/// Writes a network, one edge a line. The environment, and the marks of errors with their property,
/// are left out: reading makes them again.
pub fn write(network: &Network) -> String {
    let mut out = String::new();
    let labels = &network.labels;
    let name = quoted(&network.name);
    let _ = write!(
        out,
        "{{\n  \"format\": \"{FORMAT}\",\n  \"version\": {VERSION},\n  \"name\": {name},\n"
    );
    let marks = &network.errors;
    let declared = labels.iter().filter(|l| !marks.contains(l));
    let declared = declared.map(|l| declaration(labels, l));
    let _ = writeln!(out, "  \"labels\": {},", list(declared, "    ", "  "));
    let processes = network
        .components
        .iter()
        .filter(|c| c.kind == ComponentKind::Process);
    let components = processes.map(|c| system(&rearm(&c.lts, marks), labels));
    let _ = writeln!(out, "  \"components\": {},", list(components, "    ", "  "));
    let stated = network.properties.iter();
    let stated = stated.filter(|p| marks.is_empty() || p.lts.alphabet() != marks);
    let properties = stated.map(|p| match p.asserted {
        true => asserted(&system(&p.lts, labels)),
        false => system(&p.lts, labels),
    });
    let _ = write!(out, "  \"properties\": {}", list(properties, "    ", "  "));
    if let Some(priority) = &network.priority {
        let named = priority.labels.iter().map(|l| quoted(labels.name(*l)));
        let named: Vec<String> = named.collect();
        let (low, named) = (priority.low, named.join(", "));
        let _ = write!(
            out,
            ",\n  \"priority\": {{ \"low\": {low}, \"labels\": [{named}] }}"
        );
    }
    // Only where it is not what reading would find by itself.
    if network.success != network.side_by_side() {
        let success = match &network.success {
            None => "false".to_owned(),
            Some(ends) => {
                let there = ends.iter().enumerate().filter(|(_, end)| end.is_some());
                let there: Vec<String> = there.map(|(number, _)| number.to_string()).collect();
                format!("[{}]", there.join(", "))
            }
        };
        let _ = write!(out, ",\n  \"success\": {success}");
    }
    out.push_str("\n}\n");
    out
}

/// The same with the mark of an assertion.
fn asserted(system: &str) -> String {
    system.replacen('{', "{\n      \"asserted\": true,", 1)
}

fn declaration(labels: &Labels, label: suppose_model::lts::Label) -> String {
    let name = quoted(labels.name(label));
    match labels.hidden_name(label) {
        Some(shown) => format!("{{ \"name\": {name}, \"hidden\": {} }}", quoted(shown)),
        None => name,
    }
}

fn system(lts: &Lts, labels: &Labels) -> String {
    let mut out = String::new();
    let (name, states, initial) = (quoted(lts.name()), lts.states(), lts.initial());
    let _ = write!(
        out,
        "{{\n      \"name\": {name},\n      \"states\": {states},\n      \"initial\": {initial},\n"
    );
    for (field, state) in [("end", lts.end()), ("error", lts.error())] {
        if let Some(state) = state {
            let _ = writeln!(out, "      \"{field}\": {state},");
        }
    }
    let named = (0..states as u32).filter_map(|s| Some((s, lts.given_name(s)?)));
    let named: Vec<String> = named
        .map(|(s, n)| format!("[{s}, {}]", quoted(n)))
        .collect();
    if !named.is_empty() {
        let _ = writeln!(out, "      \"state_names\": [{}],", named.join(", "));
    }
    let alphabet = lts.alphabet().iter().map(|l| quoted(labels.name(*l)));
    let alphabet: Vec<String> = alphabet.collect();
    let _ = writeln!(out, "      \"alphabet\": [{}],", alphabet.join(", "));
    let edges = lts
        .all_edges()
        .map(|(s, l, t)| format!("[{s}, {}, {t}]", quoted(labels.name(l))));
    let _ = write!(
        out,
        "      \"edges\": {}\n    }}",
        list(edges, "        ", "      ")
    );
    out
}

/// A list with one item a line.
fn list(items: impl Iterator<Item = String>, indent: &str, outer: &str) -> String {
    let mut out = String::from("[");
    let mut empty = true;
    for item in items {
        let comma = if empty { "" } else { "," };
        let _ = write!(out, "{comma}\n{indent}{item}");
        empty = false;
    }
    if !empty {
        let _ = write!(out, "\n{outer}");
    }
    out.push(']');
    out
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
