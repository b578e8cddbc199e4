//! The naive checker of networks against the explicit composition: two ways to the same answer.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::VecDeque;

use suppose_model::Claim;
use suppose_model::lts::{
    ComponentKind, Lts, LtsBuilder, Network, Rules, SizeLimits, State, complete, compose_by,
};
use suppose_testkit::naive::{NaiveVerdict, check};
use suppose_testkit::{Shape, for_each_seed, random, small::Small};

/// The depth of the nearest state of which `is_goal` is true.
fn nearest(lts: &Lts, is_goal: impl Fn(State) -> bool) -> NaiveVerdict {
    let mut seen = vec![false; lts.states()];
    seen[lts.initial() as usize] = true;
    let mut queue = VecDeque::from([(lts.initial(), 0)]);
    while let Some((state, depth)) = queue.pop_front() {
        if is_goal(state) {
            return NaiveVerdict::Violated { shortest: depth };
        }
        for edge in lts.edges(state) {
            if !std::mem::replace(&mut seen[edge.target as usize], true) {
                queue.push_back((edge.target, depth + 1));
            }
        }
    }
    NaiveVerdict::Holds
}

fn whole(network: &Network, property: Option<&Lts>, claim: Claim) -> Lts {
    let mut parts: Vec<&Lts> = network.components.iter().map(|c| &c.lts).collect();
    parts.extend(property);
    let mut success = network.success.clone();
    if let Some(ends) = &mut success {
        ends.resize(parts.len(), None);
    }
    let rules = Rules {
        priority: network.priority.as_ref(),
        outside: &network.outside(claim),
        success,
    };
    let composed = compose_by("w", &parts, rules, &SizeLimits::default());
    composed.unwrap().lts
}

#[test]
fn properties_of_random_networks() {
    for_each_seed(2000, |rng| {
        let shape = Shape {
            priority: 20,
            error: 10,
            ..Shape::default()
        };
        let network = random::network(rng, &shape);
        for (number, property) in network.properties.iter().enumerate() {
            let claim = Claim::Property(number);
            let whole = whole(&network, Some(&complete(&property.lts)), claim);
            let expected = nearest(&whole, |s| whole.error() == Some(s));
            assert_eq!(check(&network, claim), expected);
        }
    });
}

#[test]
fn deadlocks_of_random_networks() {
    for_each_seed(2000, |rng| {
        let shape = Shape {
            priority: 20,
            end: 40,
            properties: (0, 0),
            ..Shape::default()
        };
        let network = random::network(rng, &shape);
        let whole = whole(&network, None, Claim::DeadlockFree);
        let stuck = |s: State| whole.edges(s).is_empty() && whole.end() != Some(s);
        let expected = nearest(&whole, stuck);
        assert_eq!(check(&network, Claim::DeadlockFree), expected);
    });
}

#[test]
fn all_small_pairs_with_all_small_properties() {
    let components: Vec<Lts> = Small {
        states: 2,
        labels: 1,
        tau: true,
        deterministic: false,
    }
    .iter()
    .collect();
    let properties: Vec<Lts> = Small::properties(2, 1).iter().collect();
    for left in &components {
        for right in &components {
            for property in &properties {
                let mut network = Network::new("n", random::labels(1));
                network.add_component(left.clone());
                network.add_component(right.clone());
                network.add_property(property, None);
                let claim = Claim::Property(0);
                let error = whole(&network, Some(&complete(property)), claim);
                let expected = nearest(&error, |s| error.error() == Some(s));
                assert_eq!(check(&network, claim), expected);
            }
        }
    }
}

#[test]
fn ends_and_the_environment() {
    let mut labels = random::labels(2);
    let (a, b) = (labels.intern("a"), labels.intern("b"));
    let mut network = Network::new("n", labels);
    let mut builder = LtsBuilder::new("P");
    builder.edge(0, a, 1);
    let stopping = builder.clone().build();
    builder.end(1);
    network.add_component(builder.build());
    // Only the property knows `b`, so the environment does it forever: that is no progress.
    let mut builder = LtsBuilder::new("B");
    builder.edge(0, b, 0);
    network.add_property(&builder.build(), None);
    network.close();
    assert_eq!(network.components[1].kind, ComponentKind::Environment);
    assert_eq!(check(&network, Claim::DeadlockFree), NaiveVerdict::Holds);
    network.components[0].lts = stopping;
    network.success = network.side_by_side();
    assert_eq!(
        check(&network, Claim::DeadlockFree),
        NaiveVerdict::Violated { shortest: 1 }
    );
}
