//! The files under `examples/prism` are what is written here.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Failing, Instance, Variant, arbiter, client_server, sensor_network};

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/prism");
    let path = folder.join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Compares a file with what is written here, or writes it again if `BLESS` is set.
fn same(name: &str, text: &str) {
    if std::env::var_os("BLESS").is_some() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/prism");
        std::fs::write(folder.join(name), text).unwrap();
    }
    assert_eq!(
        example(name),
        text,
        "{name}: run the test with BLESS=1 to write it anew"
    );
}

fn check(stem: &str, right: &Instance, wrong: Option<&Instance>) {
    same(&format!("{stem}.nm"), &right.system);
    same(&format!("{stem}-spec.nm"), &right.specification);
    if let Some(wrong) = wrong {
        same(&format!("{stem}-wrong.nm"), &wrong.system);
        assert_eq!(wrong.specification, right.specification);
    }
}

#[test]
fn the_examples_are_the_small_sizes() {
    use Variant::{Right, Wrong};
    let one = |variant| client_server(5, Failing::One, variant);
    check("client-server/cs1-5", &one(Right), Some(&one(Wrong)));
    let all = |n, variant| client_server(n, Failing::All, variant);
    check("client-server/csn-2", &all(2, Right), Some(&all(2, Wrong)));
    check("client-server/csn-3", &all(3, Right), None);
    for n in 2..=3 {
        let stem = format!("arbiter/mer-{n}");
        check(&stem, &arbiter(n, Right), Some(&arbiter(n, Wrong)));
    }
    let network = sensor_network;
    check(
        "sensor-network/sn-1",
        &network(1, Right),
        Some(&network(1, Wrong)),
    );
    check("sensor-network/sn-2", &network(2, Right), None);
}

/// The names after `module` in a text.
fn modules(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter_map(|l| l.strip_prefix("module "));
    lines
        .filter_map(|l| l.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_split_names_every_module_once() {
    let mut instances = Vec::new();
    for n in 1..=9 {
        instances.push(client_server(n, Failing::One, Variant::Right));
        instances.push(client_server(n, Failing::All, Variant::Right));
        instances.push(arbiter(n, Variant::Right));
        instances.push(sensor_network(n, Variant::Right));
    }
    for instance in instances {
        let named: Vec<String> = instance.split.concat();
        let set: BTreeSet<String> = named.iter().cloned().collect();
        assert_eq!(set.len(), named.len(), "{named:?}");
        assert_eq!(set, modules(&instance.system));
    }
}
