//! What is written is read back; what is wrong is refused at its place.

use super::{read, write};
use suppose_model::lts::{Component, ComponentKind, Label, Network};
use suppose_source::{Diagnostic, FileId, ParserLimits, Sources};
use suppose_testkit::{Rng, Shape, for_each_seed, random};

fn load(text: &str) -> Result<Network, Vec<Diagnostic>> {
    read(text, FileId(0), &ParserLimits::default())
}

fn assert_same(one: &Network, other: &Network) {
    assert_eq!(one.name, other.name);
    assert_eq!(one.priority, other.priority);
    assert_eq!(one.labels.len(), other.labels.len());
    for label in one.labels.iter() {
        assert_eq!(one.labels.name(label), other.labels.name(label));
        assert_eq!(one.labels.display(label), other.labels.display(label));
    }
    assert_eq!(one.components.len(), other.components.len());
    for (one, other) in one.components.iter().zip(&other.components) {
        assert_eq!((&one.lts, one.kind), (&other.lts, other.kind));
    }
    assert_eq!(one.properties.len(), other.properties.len());
    for (one, other) in one.properties.iter().zip(&other.properties) {
        assert_eq!(one.lts, other.lts);
    }
}

fn random_network(rng: &mut Rng) -> Network {
    // Marks of errors are made again when a network is read, behind all other labels.
    let secret = rng.percent(50);
    let shape = Shape {
        error: if secret { 0 } else { 20 },
        priority: 30,
        ..Shape::default()
    };
    let mut network = random::network(rng, &shape);
    if secret {
        let hidden = network.labels.intern_hidden("secret \"x\"\n");
        let is_process = |c: &Component| c.kind == ComponentKind::Process;
        network.components.retain(is_process);
        let target = rng.below(network.components.len());
        let lts = &network.components[target].lts;
        let shown = lts.alphabet().first().copied();
        network.components[target].lts =
            lts.map_labels(|l| if Some(l) == shown { hidden } else { l });
        network.close();
    }
    network
}

#[test]
fn there_and_back() {
    for_each_seed(1000, |rng| {
        let network = random_network(rng);
        let text = write(&network);
        match load(&text) {
            Ok(back) => {
                assert_same(&network, &back);
                assert_eq!(write(&back), text);
            }
            Err(errors) => panic!("{errors:?}\n{text}"),
        }
    });
}

/// The file described in the module's documentation.
const EXAMPLE: &str = r#"{
  "format": "suppose-network",
  "version": 1,
  "name": "ping",
  "components": [
    {
      "name": "P",
      "states": 2,
      "initial": 0,
      "alphabet": ["ping", "pong"],
      "edges": [[0, "ping", 1], [1, "pong", 0], [1, "tau", 1]]
    }
  ],
  "properties": [
    { "name": "Once", "states": 2, "edges": [[0, "ping", 1]] }
  ],
  "priority": { "low": false, "labels": ["pong"] }
}"#;

#[test]
fn the_documented_file_is_read() {
    let network = load(EXAMPLE).unwrap();
    assert_eq!(network.name, "ping");
    assert_eq!(network.components[0].lts.transitions(), 3);
    assert_eq!(network.properties[0].name(), "Once");
    let pong = network.labels.get("pong").unwrap();
    assert_eq!(network.priority.unwrap().labels, [pong]);
    assert!(network.properties[0].span.is_some());
}

#[test]
fn labels_of_properties_alone_get_an_environment() {
    let text = EXAMPLE.replace("[[0, \"ping\", 1]]", "[[0, \"other\", 1]]");
    assert_eq!(load(&text).unwrap().components.len(), 2);
}

#[test]
fn hidden_labels_keep_their_name_but_are_not_shared_by_it() {
    let text = EXAMPLE.replace(
        "\"components\"",
        "\"labels\": [\"a\", {\"name\": \"ping\", \"hidden\": \"old\"}], \"components\"",
    );
    let network = load(&text).unwrap();
    let hidden = Label(2);
    assert_eq!(network.labels.display(hidden), "tau (old)");
    assert!(network.components[0].lts.has_label(hidden));
    assert_eq!(network.labels.get("ping"), None);
}

fn refused(from: &str, to: &str) -> (usize, usize, String) {
    assert!(EXAMPLE.contains(from), "{from}");
    let text = EXAMPLE.replace(from, to);
    let errors = load(&text).unwrap_err();
    let sources = Sources::single("n.json", text);
    assert!(!errors[0].render(&sources, false).is_empty());
    let span = errors[0].span.unwrap();
    let position = sources.file(FileId(0)).unwrap().position(span.start);
    (position.line, position.column, errors[0].message.clone())
}

#[test]
fn mistakes_have_a_place() {
    let at = |line, column, message: &str| (line, column, message.to_owned());
    assert_eq!(
        refused("[0, \"ping\", 1], [1", "[0, \"ping\", 2], [1"),
        at(11, 17, "there is no state 2")
    );
    assert_eq!(
        refused("\"initial\": 0", "\"initial\": 2"),
        at(9, 18, "there is no state 2")
    );
    assert_eq!(
        refused("\"states\": 2,\n", "\"states\": 0,\n"),
        at(8, 17, "there must be at least one state")
    );
    assert_eq!(
        refused("[[0, \"ping\", 1]]", "[[0, \"ping\", 1], [0, \"ping\", 0]]"),
        at(15, 62, "a property must be deterministic")
    );
    assert_eq!(
        refused("[[0, \"ping\", 1]]", "[[0, \"tau\", 1]]"),
        at(15, 46, "a property must not have tau")
    );
    assert_eq!(
        refused("\"version\": 1", "\"version\": 2"),
        at(3, 14, "this version of the format is not known")
    );
    assert_eq!(refused("suppose-network", "other").0, 2);
    assert_eq!(
        refused("\"labels\": [\"pong\"]", "\"labels\": [\"tau\"]").0,
        17
    );
    assert_eq!(refused("\"ping\", \"pong\"", "\"ping\", \"\"").0, 10);
    let (line, _, message) = refused("\"edges\": [[0", "\"edgez\": [[0");
    assert!(
        (11..=15).contains(&line) && message.contains("edgez"),
        "{message}"
    );
    assert!(
        refused("\"states\": 2", "\"states\": -2")
            .2
            .contains("invalid")
    );
    assert!(
        refused("\"states\": 2", "\"states\": 2e9")
            .2
            .contains("invalid")
    );
    assert!(
        refused("\"states\": 2", "\"states\": 4000000000")
            .2
            .contains("states in all")
    );
    assert_eq!(refused("  \"priority\"", "  priority").0, 17);
}

#[test]
fn deep_nesting_is_refused_or_ignored_without_trouble() {
    let deep = "[".repeat(200_000);
    assert!(load(&deep).is_err());
    for from in ["\"pong\"", "2", "\"P\"", "[[0, \"ping\", 1]]"] {
        assert!(load(&EXAMPLE.replacen(from, &deep, 1)).is_err());
    }
}

#[test]
fn limits_are_kept() {
    let limits = ParserLimits {
        transitions: 3,
        ..ParserLimits::default()
    };
    let message = |limits: &ParserLimits| {
        let errors = read(EXAMPLE, FileId(0), limits).unwrap_err();
        errors[0].message.clone()
    };
    assert_eq!(message(&limits), "more than 3 transitions");
    let limits = ParserLimits {
        labels: 1,
        ..ParserLimits::default()
    };
    assert_eq!(message(&limits), "more than 1 labels");
    let limits = ParserLimits {
        bytes: 10,
        ..ParserLimits::default()
    };
    assert!(message(&limits).contains("larger"));
}

/// Damaged files give diagnostics that can be shown, and nothing worse.
#[test]
fn nothing_panics() {
    let limits = ParserLimits {
        states: 1000,
        ..ParserLimits::default()
    };
    let noise: Vec<char> = "{}[],:\"\\019-eä ntu\n#".chars().collect();
    for_each_seed(10_000, |rng| {
        let mut chars: Vec<char> = EXAMPLE.chars().collect();
        for _ in 0..rng.between(1, 4) {
            let at = rng.below(chars.len());
            let random = *rng.pick(&noise).unwrap();
            match rng.below(5) {
                0 => chars.insert(at, random),
                1 => drop(chars.remove(at)),
                2 if rng.percent(20) => chars.truncate(at + 1),
                _ => chars[at] = random,
            }
        }
        let text: String = chars.into_iter().collect();
        if let Err(errors) = read(&text, FileId(0), &limits) {
            let sources = Sources::single("n.json", text);
            for error in errors {
                assert!(!error.render(&sources, false).is_empty());
            }
        }
    });
}
