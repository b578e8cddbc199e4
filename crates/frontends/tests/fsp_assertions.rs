//! Assertions: which are decided, and what they mean.

#![allow(clippy::unwrap_used)]

use suppose_frontends::{Input, LoadOptions, load};
use suppose_model::lts::{Lts, SizeLimits, complete, compose};

#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Holds,
    Violated,
    /// Not safe: left to an engine.
    Live,
}
use Outcome::{Holds, Live, Violated};

/// The outcome of the assertion `A`, by composing everything.
fn outcome(text: &str) -> Outcome {
    let loaded = load(vec![Input::new("m.lts", text)], &LoadOptions::default());
    let loaded = loaded.unwrap_or_else(|f| panic!("{text}\n{}", f.diagnostics[0].message));
    if loaded.network.liveness.iter().any(|l| l.name == "A") {
        return Live;
    }
    let network = &loaded.network;
    let property = network.properties.iter().find(|p| p.name() == "A").unwrap();
    let property = complete(&property.lts);
    let mut parts: Vec<&Lts> = network.components.iter().map(|c| &c.lts).collect();
    parts.push(&property);
    let priority = network.priority.as_ref();
    let whole = compose("all", &parts, priority, &SizeLimits::default()).unwrap();
    match whole.lts.error() {
        Some(_) => Violated,
        None => Holds,
    }
}

fn check(system: &str, table: &[(&str, Outcome)]) {
    for (formula, expected) in table {
        let found = outcome(&format!("{system}\nassert A = {formula}\n"));
        assert_eq!(found, *expected, "{formula} of {system}");
    }
}

#[test]
fn the_first_position_is_after_the_first_action() {
    check(
        "P = (a -> b -> c -> P).",
        &[
            ("a", Holds),
            ("b", Violated),
            ("X b", Holds),
            ("X X c", Holds),
            ("X X a", Violated),
            ("{a, b}", Holds),
            ("!c", Holds),
            ("rigid 1", Holds),
            ("rigid 0", Violated),
        ],
    );
}

#[test]
fn safe_formulas_are_decided_and_others_are_not() {
    check(
        "P = (a -> b -> c -> P).",
        &[
            ("[] (a -> X b)", Holds),
            ("[] (a -> X c)", Violated),
            ("(a W b)", Holds),
            ("(a W c)", Violated),
            ("(!c W b)", Holds),
            ("(!b W c)", Violated),
            ("[] !(a && b)", Holds),
            ("!<>(a && b)", Holds),
            ("!<>c", Violated),
            ("!(!a U b)", Holds),
            ("!(!b U c)", Holds),
            ("!(!c U b)", Violated),
            ("[] (a || b || c)", Holds),
            ("[] (a <-> !(b || c))", Holds),
            ("[] (a || b)", Violated),
            ("<>a", Live),
            ("![]a", Live),
            ("(a U b)", Live),
            ("[] (a -> <>c)", Live),
            ("[]<>a", Live),
        ],
    );
}

#[test]
fn fluents_keep_their_value() {
    check(
        "P = (a -> b -> c -> P).\nfluent F = <a, c>\nfluent G = <c, a> initially 1",
        &[
            ("F", Holds),
            ("G", Violated),
            ("[] (b -> F)", Holds),
            ("[] (c -> F)", Violated),
            ("[] F", Violated),
            ("[] (F <-> !G)", Holds),
            ("(F W G)", Holds),
        ],
    );
}

#[test]
fn hidden_actions_and_tau_are_steps() {
    check(
        "Q = (a -> h -> b -> Q)\\{h}.",
        &[("[] (a -> X b)", Violated), ("[] (a -> X X b)", Holds)],
    );
    check(
        "minimal R = (h -> a -> STOP | h -> b -> STOP)\\{h}.",
        &[("(a || b)", Violated), ("X (a || b)", Holds)],
    );
}

#[test]
fn assertions_see_what_the_whole_system_hides_but_not_what_a_part_hides() {
    let parts = "P = (a -> b -> c -> P).\n||IN = (P)\\{b}.\n";
    check(
        &format!("{parts}||S = (P)\\{{b}}."),
        &[("[] (a -> X b)", Holds)],
    );
    check(
        &format!("{parts}||S = (IN)."),
        &[("[] (a -> X c)", Violated), ("[] (a -> X X c)", Holds)],
    );
}

#[test]
fn priority_of_the_whole_counts() {
    check(
        "P = (a -> P | b -> P).\n||S = (P) >> {b} \\ {b}.",
        &[("[] !b", Holds), ("[] !a", Violated)],
    );
}

/// An assertion that depends on named actions only keeps them as its alphabet: engines can
/// then leave out the rest of the system.
#[test]
fn only_actions_that_matter_are_in_the_alphabet() {
    let alphabet = |formula: &str| {
        let text = format!("P = (a -> b -> c -> P).\nfluent F = <a, c>\nassert A = {formula}\n");
        let loaded = load(vec![Input::new("m.lts", text)], &LoadOptions::default()).unwrap();
        let property = &loaded.network.properties[0];
        let labels = property.lts.alphabet().iter();
        labels
            .map(|l| loaded.network.labels.name(*l).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(alphabet("[] (b -> F)"), ["a", "b", "c"]);
    assert_eq!(alphabet("[] !(b && rigid 1)"), ["b"]);
    assert_eq!(alphabet("[] (a -> X b)"), ["a", "b", "c"]);
    assert!(alphabet("[] !(a && b)").is_empty());
}
