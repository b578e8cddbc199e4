//! Every construct has an example whose header says what LTSA would report.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use suppose_frontends::{Input, LoadOptions, Loaded, load};
use suppose_model::lts::{ComponentKind, Counts, SizeLimits, count};

const KEYS: [&str; 10] = [
    "system",
    "states",
    "transitions",
    "components",
    "properties",
    "warnings",
    "liveness",
    "labels",
    "assertions",
    "constants",
];

fn examples(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/fsp");
    let mut found = Vec::new();
    let mut pending = vec![root.join(folder)];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                None if path.is_dir() => pending.push(path),
                Some(end) if end == "lts" || end == "fsp" => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// `// key: value value  key: value`, in the comment at the top.
fn header(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines().map_while(|l| l.strip_prefix("//")) {
        let mut key = None;
        for word in line.split_whitespace() {
            match word.strip_suffix(':') {
                Some(name) if KEYS.contains(&name) => {
                    fields.insert(name.to_owned(), Vec::new());
                    key = Some(name.to_owned());
                }
                _ => {
                    if let Some(values) = key.as_ref().and_then(|k| fields.get_mut(k)) {
                        values.push(word.to_owned());
                    }
                }
            }
        }
    }
    fields
}

fn options(header: &BTreeMap<String, Vec<String>>) -> LoadOptions {
    let constants = header.get("constants").into_iter().flatten().map(|pair| {
        let (name, value) = pair.split_once('=').unwrap();
        (name.to_owned(), value.parse().unwrap())
    });
    LoadOptions {
        system: header.get("system").and_then(|v| v.first()).cloned(),
        constants: constants.collect(),
        ..LoadOptions::default()
    }
}

fn read(path: &Path, options: &LoadOptions) -> Result<Loaded, String> {
    let text = std::fs::read_to_string(path).unwrap();
    let name = path.file_name().unwrap().to_string_lossy();
    load(vec![Input::new(name, text)], options).map_err(|failed| {
        let shown = failed.diagnostics.iter();
        shown.map(|d| d.render(&failed.sources, false)).collect()
    })
}

/// What differs from the header.
fn check(path: &Path) -> Result<(), String> {
    let header = header(&std::fs::read_to_string(path).unwrap());
    let number = |key: &str| -> Option<usize> { header.get(key)?.first()?.parse().ok() };
    let mut loaded = read(path, &options(&header))?;
    let assertions = header.get("assertions").cloned().unwrap_or_default();
    let network = &mut loaded.network;
    for name in &assertions {
        let before = network.properties.len();
        network.properties.retain(|p| p.name() != name);
        if network.properties.len() == before {
            return Err(format!("no property {name}"));
        }
    }
    let counts = count(network, &SizeLimits::default()).map_err(|e| e.to_string())?;
    let expected = Counts {
        states: number("states").ok_or("the header has no states")?,
        transitions: number("transitions").ok_or("the header has no transitions")?,
    };
    if counts != expected {
        return Err(format!("{counts:?}"));
    }
    let parts = network.components.iter();
    let processes = parts.filter(|c| c.kind == ComponentKind::Process).count();
    let found = [
        ("components", processes),
        ("properties", network.properties.len()),
        ("warnings", loaded.warnings.len()),
        ("liveness", network.liveness.len()),
    ];
    for (key, found) in found {
        let expected = match (key, number(key)) {
            ("components", None) => continue,
            (_, expected) => expected.unwrap_or(0),
        };
        if expected != found {
            return Err(format!("{found} {key}: {:?}", loaded.warnings));
        }
    }
    if let Some(expected) = header.get("labels") {
        let mut expected = expected.clone();
        expected.sort();
        let labels = &network.labels;
        let alphabets = network.components.iter().flat_map(|c| c.lts.alphabet());
        let ours = alphabets.filter(|l| !labels.is_hidden(**l));
        let names = ours.map(|l| labels.name(*l).to_owned());
        let mut found: Vec<String> = names.filter(|n| !n.ends_with(".ERROR")).collect();
        found.sort();
        found.dedup();
        if found != expected {
            return Err(format!("labels {}", found.join(" ")));
        }
    }
    Ok(())
}

#[test]
fn every_construct_has_the_size_that_ltsa_reports() {
    let examples = examples("constructs");
    assert!(examples.len() > 50, "only {} examples", examples.len());
    let mut wrong = Vec::new();
    for path in &examples {
        if let Err(why) = check(path) {
            wrong.push(format!("{}: {why}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_example_loads() {
    let mut wrong = Vec::new();
    for path in examples("") {
        let header = header(&std::fs::read_to_string(&path).unwrap());
        let in_constructs = path.parent().is_some_and(|p| p.ends_with("constructs"));
        let options = match in_constructs {
            true => options(&header),
            false => LoadOptions::default(),
        };
        if let Err(why) = read(&path, &options) {
            wrong.push(format!("{}: {why}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
