//! The paper's worked example: mutual exclusion, its Figures 1 to 6.
//!
//! The transitions are rebuilt from Figures 5 and 6 and the text; those inside the class R of Figure 5
//! are our own. The two processes are mirror images.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use suppose_control::Context;
use suppose_model::lts::{Label, Labels, Lts, LtsBuilder, Network};

use super::bounds::{Modality, backward, forward};
use super::engine::Engine;
use super::process::{Composed, compose};
use super::region::{Region, Scene};
use super::sets::{Sets, ones};
use super::{Merging, Mode, QuotientOptions, Schedule, requirement};

/// State, label, target, in terms of the process N and the labels of the other.
const EDGES: &str = "j c1 j, j n1 j, j r2 k, j r1 q,
    k c1 k, k n1 k, k c2 l, k r1 m,
    l c1 l, l n1 l, l r1 n, l n2 j,
    m c1 o, m n1 m, m r1 m, m c2 n,
    n c1 p, n n1 n, n r1 n, n c2 n, n n2 j,
    o c1 o, o n1 m, o r1 o, o c2 p,
    p c1 p, p n1 n, p r1 p, p c2 p, p n2 j,
    q n1 q, q r1 q, q c1 r,
    r c1 r, r r1 r, r n1 j";

fn state(name: &str) -> u32 {
    u32::from(name.as_bytes()[0] - b'j')
}

fn process(name: &str, labels: &mut Labels, mirrored: bool) -> Lts {
    let mut builder = LtsBuilder::new(name);
    for edge in EDGES.split(',') {
        let words: Vec<&str> = edge.split_whitespace().collect();
        let (kind, number) = words[1].split_at(1);
        let number = match (number, mirrored) {
            ("1", true) => "2",
            ("2", true) => "1",
            (same, _) => same,
        };
        let label = labels.intern(&format!("{kind}{number}"));
        builder.edge(state(words[0]), label, state(words[2]));
    }
    let first = if mirrored { b'a' } else { b'j' };
    for number in 0..9 {
        builder.state_name(number, char::from(first + number as u8));
    }
    builder.build()
}

/// States s, t, u: nobody, the first, the second is in the critical section.
fn exclusion(labels: &mut Labels) -> Lts {
    let mut builder = LtsBuilder::new("P");
    let mut label = |name: &str| -> Label { labels.intern(name) };
    for free in ["r1", "r2"] {
        for at in 0..3 {
            builder.edge(at, label(free), at);
        }
    }
    builder.edge(0, label("c1"), 1).edge(1, label("c1"), 1);
    builder.edge(0, label("c2"), 2).edge(2, label("c2"), 2);
    builder.edge(0, label("n1"), 0).edge(1, label("n1"), 0);
    builder.edge(2, label("n1"), 2);
    builder.edge(0, label("n2"), 0).edge(2, label("n2"), 0);
    builder.edge(1, label("n2"), 1);
    builder.build()
}

fn network() -> Network {
    let mut labels = Labels::new();
    let m = process("M", &mut labels, true);
    let n = process("N", &mut labels, false);
    let p = exclusion(&mut labels);
    let mut network = Network::new("mutual exclusion", labels);
    network.add_component(m);
    network.add_component(n);
    network.add_property(&p, None);
    network.close();
    network
}

/// The names of a set of states of N.
fn names(composed: &Composed, set: &[u64]) -> String {
    let mut names: Vec<String> = ones(set).map(|s| composed.lts.state_name(s)).collect();
    names.sort();
    names.concat()
}

/// The classes by the names of their members.
fn classes(composed: &Composed, class_of: &[u32]) -> Vec<String> {
    let mut found = vec![Vec::new(); class_of.len()];
    for (state, class) in class_of.iter().enumerate() {
        found[*class as usize].push(composed.lts.state_name(state as u32));
    }
    for class in &mut found {
        class.sort();
    }
    let mut found: Vec<String> = found.iter().map(|c| c.concat()).collect();
    found.retain(|c| !c.is_empty());
    found.sort();
    found
}

/// N in the environment M, abstracted by the given classes.
fn look<R>(
    groups: &[&str],
    see: impl FnOnce(&Engine<'_>, &Composed, &Region, &Modality) -> R,
) -> R {
    let (network, cx) = (network(), Context::default());
    let composed = compose(&network, &[1], 100, &cx).unwrap();
    let options = QuotientOptions {
        exact: groups.is_empty(),
        plain_states: 0,
        ..QuotientOptions::default()
    };
    let mut engine = Engine::new(&network, 0, &composed, &[0], &options);
    for group in groups {
        let set: Vec<u32> = group.bytes().map(|b| u32::from(b - b'a')).collect();
        engine.members[0].split(&set);
    }
    engine.members[0].rebuild();
    let channels = engine.channels();
    let scene = Scene {
        members: &engine.members,
        property: &network.properties[0].lts,
        process: &engine.process,
        channel_of: channels,
        most: usize::MAX,
    };
    let region = Region::explore(&scene, 1000, &cx).unwrap().unwrap();
    let modality = Modality::new(&region, &engine.members, &cx).unwrap();
    see(&engine, &composed, &region, &modality)
}

#[test]
fn figure_6_has_these_bounds() {
    look(&["hi"], |engine, composed, region, modality| {
        let none = Sets::new(region.len(), 9);
        let cx = Context::default();
        let bounds = forward(region, modality, &engine.process, none, &cx).unwrap();
        let member = &engine.members[0];
        let class = |of: char| member.partition.class(of as u32 - 'a' as u32);
        let row = |watched: u32, of: char| {
            let Some(at) = region.find([class(of), watched].into_iter()) else {
                return (String::new(), String::new());
            };
            let at = at as usize;
            let of = |sets: &Sets| names(composed, sets.row(at));
            (of(&bounds.lower), of(&bounds.upper))
        };
        let expect = |lower: &str, upper: &str| (lower.to_owned(), upper.to_owned());
        assert_eq!(row(0, 'a'), expect("j", "jq"));
        assert_eq!(row(0, 'b'), expect("", "q"));
        assert_eq!(row(0, 'h'), expect("", "jk"));
        assert_eq!(row(1, 'b'), expect("", "r"));
        assert_eq!(row(2, 'a'), expect("", ""));
        assert_eq!(row(2, 'b'), expect("", ""));
        assert_eq!(row(2, 'h'), expect("", "l"));
        let found = classes(composed, bounds.classes(region).classes());
        assert_eq!(found, ["j", "k", "l", "mnop", "q", "r"]);
    });
}

#[test]
fn figure_4_merges_m_to_p_forward() {
    look(&[], |engine, composed, region, modality| {
        let none = || Sets::new(region.len(), 9);
        let cx = Context::default();
        let bounds = forward(region, modality, &engine.process, none(), &cx).unwrap();
        let found = classes(composed, bounds.classes(region).classes());
        assert_eq!(found, ["j", "k", "l", "mnop", "q", "r"]);
        // With our transitions inside R the backward classes alone are the same as both.
        let bounds = backward(region, modality, &engine.process, none(), &cx).unwrap();
        let found = classes(composed, bounds.classes(region).classes());
        assert_eq!(found, ["j", "klmnop", "qr"]);
    });
}

#[test]
fn figure_3_has_three_classes() {
    let (network, cx) = (network(), Context::default());
    let composed = compose(&network, &[1], 100, &cx).unwrap();
    for exact in [true, false] {
        let options = QuotientOptions {
            mode: Mode::Minimal,
            merging: Merging::Repeated,
            slack: 1000,
            exact,
            plain_states: 0,
            ..QuotientOptions::default()
        };
        let found = requirement(&network, 0, &[1], &options, &cx).unwrap();
        assert_eq!(found.decided, Some(true));
        let found = classes(&composed, &found.class_of);
        assert_eq!(found, ["j", "klmnop", "qr"], "exact: {exact}");
    }
}

/// The papers' way: one edge a round, ten rounds a direction, each equivalence once, and the modal abstraction from
/// the first state on. Each step splits at most one class, and the last round has the three classes of Figure 3.
#[test]
fn the_papers_way_comes_to_the_classes_of_figure_3() {
    let (network, cx) = (network(), Context::default());
    let composed = compose(&network, &[1], 100, &cx).unwrap();
    let options = QuotientOptions {
        mode: Mode::Minimal,
        schedule: Schedule::PAPER,
        merging: Merging::Once,
        plain_states: 0,
        slack: 1000,
        ..QuotientOptions::default()
    };
    let found = requirement(&network, 0, &[1], &options, &cx).unwrap();
    assert_eq!(classes(&composed, &found.class_of), ["j", "klmnop", "qr"]);
    let sizes: Vec<u64> = found.rounds.iter().map(|r| r.assumption_states).collect();
    assert!(
        sizes.len() > 2 && sizes.is_sorted_by(|a, b| a >= b),
        "{sizes:?}"
    );
    assert_eq!(sizes.last(), Some(&3), "{sizes:?}");
}
