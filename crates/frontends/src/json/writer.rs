//! Network to JSON.

use std::fmt::Write;

use suppose_model::lts::{ComponentKind, Labels, Lts, Network};

use super::{FORMAT, VERSION};

/// Writes a network, one edge a line. The environment is left out: reading makes it anew.
pub fn write(network: &Network) -> String {
    let mut out = String::new();
    let labels = &network.labels;
    let name = quoted(&network.name);
    let _ = write!(
        out,
        "{{\n  \"format\": \"{FORMAT}\",\n  \"version\": {VERSION},\n  \"name\": {name},\n"
    );
    let declared = labels.iter().map(|l| declaration(labels, l));
    let _ = writeln!(out, "  \"labels\": {},", list(declared, "    ", "  "));
    let processes = network
        .components
        .iter()
        .filter(|c| c.kind == ComponentKind::Process);
    let components = processes.map(|c| system(&c.lts, labels));
    let _ = writeln!(out, "  \"components\": {},", list(components, "    ", "  "));
    let properties = network.properties.iter().map(|p| system(&p.lts, labels));
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
    out.push_str("\n}\n");
    out
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
