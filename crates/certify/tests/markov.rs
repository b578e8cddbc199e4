//! Evidence about probabilistic systems: what is made plainly is accepted, what is damaged is not.
#![allow(clippy::unwrap_used, clippy::needless_range_loop)]

mod simulations;

use simulations::{Random, lpts, monolithic, simulate, split, system, unroll};
use suppose_certify::file::{Model, ReadLimits};
use suppose_certify::mdp::file::{self, Evidence};
use suppose_certify::mdp::{check_certificate, check_counterexample};
use suppose_certify::{Place, Rejection};
use suppose_control::{Context, Stopped};
use suppose_model::lts::{Label, Labels};
use suppose_model::mdp::{
    Certificate, Component, Counterexample, Flow, Lpts, LptsBuilder, Proposition, Refused, System,
};
use suppose_number::{Int, Rat};

fn rat(num: i64, den: i64) -> Rat {
    Rat::new(Int::from(num), Int::from(den))
}

fn accepts(system: &System, specification: &Lpts, proof: &Certificate) -> bool {
    check_certificate(system, specification, proof, &Context::default()).is_ok()
}

fn place(system: &System, specification: &Lpts, proof: &Certificate) -> Place {
    match check_certificate(system, specification, proof, &Context::default()) {
        Err(Rejection::Flawed(flaw)) => flaw.place,
        other => panic!("{other:?}"),
    }
}

fn written(system: &System, specification: &Lpts, evidence: &Evidence) -> Vec<u8> {
    let models = [Model::of("m.nm", b"model")];
    let mut out = Vec::new();
    match evidence {
        Evidence::Certificate(proof) => {
            file::write_certificate(&mut out, system, specification, &models, proof).unwrap();
        }
        Evidence::Counterexample(found) => {
            file::write_counterexample(&mut out, system, specification, &models, found).unwrap();
        }
    }
    out
}

fn read(system: &System, specification: &Lpts, bytes: &[u8]) -> Result<Evidence, String> {
    let models = [Model::of("other.nm", b"model")];
    file::read(
        bytes,
        system,
        specification,
        &models,
        &ReadLimits::default(),
    )
    .map_err(|m| m.message)
}

/// All naive evidence about random systems is accepted, also after it was a file; what it shows is never both.
#[test]
fn plain_evidence_is_accepted_and_survives_a_file() {
    let (mut holds, mut fails, mut with_assumption, mut weighed) = (0, 0, 0, 0);
    for seed in 0..3_000 {
        let mut random = Random(seed);
        let system = system(&mut random);
        let labels: Vec<Label> = (1..4).map(Label).collect();
        let specification = lpts(&mut random, "spec", 3, &labels);
        let specification = match random.below(2) {
            0 => generous(&system, &specification),
            _ => specification,
        };
        let parts = system.parts();
        match simulate(&parts, &specification, &|l| system.observe(l)) {
            Ok(relation) => {
                holds += 1;
                weighed += usize::from(!relation.weights.is_empty());
                let proof = monolithic(&system, relation);
                assert!(accepts(&system, &specification, &proof), "seed {seed}");
                let evidence = Evidence::Certificate(Box::new(proof.clone()));
                let bytes = written(&system, &specification, &evidence);
                match read(&system, &specification, &bytes).unwrap() {
                    Evidence::Certificate(again) => {
                        assert_eq!(again.premises, proof.premises, "seed {seed}");
                        let again = Evidence::Certificate(again);
                        assert_eq!(written(&system, &specification, &again), bytes);
                    }
                    Evidence::Counterexample(_) => panic!("seed {seed}"),
                }
                if let Some(proof) = split(&system, &specification) {
                    with_assumption += 1;
                    assert!(accepts(&system, &specification, &proof), "seed {seed}");
                    let evidence = Evidence::Certificate(Box::new(proof));
                    let bytes = written(&system, &specification, &evidence);
                    let again = read(&system, &specification, &bytes).unwrap();
                    assert_eq!(written(&system, &specification, &again), bytes);
                    let Evidence::Certificate(again) = again else {
                        panic!("seed {seed}");
                    };
                    assert!(accepts(&system, &specification, &again), "seed {seed}");
                }
                if let Some(tree) = unroll(&system, 3) {
                    let refuted =
                        check_counterexample(&system, &specification, &tree, &Context::default());
                    assert!(refuted.is_err(), "seed {seed}");
                }
            }
            Err(rounds) => {
                let Some(tree) = unroll(&system, rounds) else {
                    continue;
                };
                fails += 1;
                let why = check_counterexample(&system, &specification, &tree, &Context::default());
                let why = why.unwrap_or_else(|e| panic!("seed {seed}: {e}"));
                assert_eq!((why[0].node, why[0].state), (0, specification.initial()));
                let evidence = Evidence::Counterexample(Box::new(tree));
                let bytes = written(&system, &specification, &evidence);
                let again = read(&system, &specification, &bytes).unwrap();
                assert_eq!(
                    written(&system, &specification, &again),
                    bytes,
                    "seed {seed}"
                );
            }
        }
    }
    let many = [holds, fails, with_assumption, weighed];
    assert!(many.iter().all(|n| *n > 100), "{many:?}");
}

/// A specification that allows what the system does, and what another one does.
fn generous(system: &System, other: &Lpts) -> Lpts {
    let parts = system.parts();
    let limits = suppose_model::mdp::SizeLimits::default();
    let whole = suppose_model::mdp::compose("whole", &parts, &limits, &mut |_| Ok(()));
    let whole = whole.unwrap().lpts;
    let mut builder = LptsBuilder::new("spec");
    builder.states(whole.states());
    builder.extend_alphabet(other.alphabet().iter().copied());
    for state in 0..whole.states() as u32 {
        for choice in whole.choices(state) {
            let dist = builder.store().insert(whole.dist(choice.dist));
            builder.choice_of(state, system.observe(choice.label), dist);
        }
        for choice in other.choices(state % other.states() as u32) {
            let parts: Vec<_> = other.dist(choice.dist).probabilities().collect();
            let inside = |s: u32| s % whole.states() as u32;
            let parts: Vec<_> = parts.into_iter().map(|(s, p)| (inside(s), p)).collect();
            builder.choice(state, choice.label, &parts).unwrap();
        }
    }
    builder.build()
}

/// Sends with failures: `send` fails with probability 1/4, and then `fail` is all it does.
fn sender(labels: &mut Labels) -> Lpts {
    let (send, fail) = (labels.intern("send"), labels.intern("fail"));
    let mut it = LptsBuilder::new("sender");
    it.choice(0, send, &[(0, rat(3, 4)), (1, rat(1, 4))])
        .unwrap();
    it.edge(1, fail, 1);
    it.build()
}

fn receiver(labels: &mut Labels) -> Lpts {
    let send = labels.intern("send");
    let mut it = LptsBuilder::new("receiver");
    it.edge(0, send, 0);
    it.build()
}

/// Allows `fail` after `send` with that probability.
fn allowing(labels: &mut Labels, p: &Rat) -> Lpts {
    let (send, fail) = (labels.intern("send"), labels.intern("fail"));
    let mut it = LptsBuilder::new("spec");
    it.choice(0, send, &[(0, &Rat::ONE - p), (1, p.clone())])
        .unwrap();
    it.edge(1, fail, 1);
    it.edge(1, send, 1);
    it.build()
}

fn channel(p: &Rat) -> (System, Lpts) {
    let mut labels = Labels::new();
    let parts = [sender(&mut labels), receiver(&mut labels)];
    let specification = allowing(&mut labels, p);
    let mut system = System::new("channel", labels);
    for lpts in parts {
        let members = vec![lpts.name().to_owned()];
        system.components.push(Component { lpts, members });
    }
    (system, specification)
}

fn proved() -> (System, Lpts, Certificate) {
    let (system, specification) = channel(&rat(1, 2));
    let proof = split(&system, &specification).unwrap();
    assert!(accepts(&system, &specification, &proof));
    assert!(!proof.premises[0].weights.is_empty());
    (system, specification, proof)
}

fn damaged(change: impl FnOnce(&mut Certificate)) -> Place {
    let (system, specification, mut proof) = proved();
    change(&mut proof);
    place(&system, &specification, &proof)
}

#[test]
fn groups_hold_each_component_once() {
    assert_eq!(damaged(|p| p.groups.clear()), Place::Whole);
    assert_eq!(damaged(|p| p.groups[0].clear()), Place::Whole);
    assert_eq!(damaged(|p| p.groups[0].push(1)), Place::Whole);
    assert_eq!(damaged(|p| p.groups[0][0] = 7), Place::Whole);
    assert!(matches!(
        damaged(|p| p.groups.swap(0, 1)),
        Place::Vector { premise: 0, .. }
    ));
    assert_eq!(damaged(|p| p.groups.push(Vec::new())), Place::Whole);
    assert_eq!(damaged(|p| p.assumptions.clear()), Place::Whole);
    assert_eq!(damaged(|p| p.premises.truncate(1)), Place::Whole);
}

#[test]
fn assumptions_speak_only_of_what_they_stand_for() {
    let place = damaged(|p| {
        let mut builder = LptsBuilder::new("A");
        builder.extend_alphabet([Label(1), Label(2)]);
        builder.edge(0, Label(1), 0);
        p.assumptions[0] = builder.build();
    });
    assert_eq!(place, Place::Assumption(0));
    // One that does less is not guaranteed.
    let place = damaged(|p| {
        let mut builder = LptsBuilder::new("A");
        builder.extend_alphabet([Label(1)]);
        p.assumptions[0] = builder.build();
    });
    assert!(
        matches!(place, Place::Vector { .. } | Place::Premise(_)),
        "{place}"
    );
}

#[test]
fn relations_are_whole() {
    let premise = |place: Place| matches!(place, Place::Premise(0));
    let pair = |place: Place| matches!(place, Place::Vector { premise: 0, .. });
    assert!(premise(damaged(|p| p.premises[0].parts = 1)));
    assert!(premise(damaged(|p| p.premises[0].parts = usize::MAX)));
    assert!(premise(damaged(|p| {
        p.premises[0].left.pop();
    })));
    assert!(premise(damaged(|p| {
        p.premises[0].right.pop();
    })));
    assert!(premise(damaged(|p| {
        p.premises[0].right.clear();
        p.premises[0].left.clear();
        p.premises[0].matches.clear();
        p.premises[0].weights.clear();
    })));
    assert!(pair(damaged(|p| p.premises[0].right[1] = 9)));
    assert!(pair(damaged(|p| p.premises[0].left[2] = u32::MAX)));
    assert!(premise(damaged(|p| p.premises[0].right[0] = 1)));
    assert!(pair(damaged(|p| p.premises[0].matches[0].choice = 1)));
    assert!(pair(
        damaged(|p| p.premises[0].matches[0].choice = u32::MAX)
    ));
    assert!(pair(damaged(|p| {
        p.premises[0].matches.pop();
    })));
    assert!(premise(damaged(|p| {
        let more = p.premises[0].matches[0];
        p.premises[0].matches.push(more);
    })));
    // A pair that others rest on is missing: the first choice of the first pair leads nowhere.
    assert!(pair(damaged(|p| {
        let relation = &mut p.premises[0];
        let last = relation.right.len() - 1;
        relation.right[last] = 0;
        for at in 0..relation.parts {
            relation.left[last * relation.parts + at] = 0;
        }
    })));
}

#[test]
fn weight_functions_add_up() {
    let pair = |place: Place| matches!(place, Place::Vector { premise: 0, .. });
    let flow = |from, to, amount| Flow { from, to, amount };
    assert!(pair(damaged(|p| p.premises[0].weights.clear())));
    assert!(matches!(
        damaged(|p| p.premises[0].weights.push((99, Vec::new()))),
        Place::Premise(0)
    ));
    assert!(matches!(
        damaged(|p| {
            let again = p.premises[0].weights[0].clone();
            p.premises[0].weights.insert(0, again);
        }),
        Place::Premise(0)
    ));
    for at in 0..2 {
        assert!(pair(damaged(|p| {
            p.premises[0].weights[0].1.remove(at);
        })));
        for amount in [rat(0, 1), rat(-1, 4), rat(1, 3), rat(1, 1)] {
            assert!(pair(damaged(
                |p| p.premises[0].weights[0].1[at].amount = amount
            )));
        }
        assert!(pair(damaged(|p| p.premises[0].weights[0].1[at].from = 7)));
        assert!(pair(damaged(|p| p.premises[0].weights[0].1[at].to = 7)));
    }
    assert!(pair(damaged(|p| p.premises[0].weights[0].1.push(flow(
        0,
        0,
        rat(1, 100)
    )))));
    // Sums that are right one by one, along a pair that is not related: failed is not idle.
    assert!(pair(damaged(|p| {
        p.premises[0].weights[0].1 = vec![
            flow(0, 1, rat(1, 2)),
            flow(0, 0, rat(1, 4)),
            flow(1, 0, rat(1, 4)),
        ];
    })));
}

#[test]
fn propositions_agree() {
    let (mut system, _) = channel(&rat(1, 2));
    let mut failed = fixedbitset::FixedBitSet::with_capacity(2);
    failed.insert(1);
    let with = |lpts: &Lpts, states: fixedbitset::FixedBitSet| {
        let mut builder = LptsBuilder::new(lpts.name());
        builder.states(lpts.states());
        for state in 0..lpts.states() as u32 {
            for choice in lpts.choices(state) {
                let parts: Vec<_> = lpts.dist(choice.dist).probabilities().collect();
                builder.choice(state, choice.label, &parts).unwrap();
            }
        }
        builder.proposition(0, states);
        builder.build()
    };
    system.propositions.push(Proposition {
        name: "failed".to_owned(),
        component: 0,
    });
    system.components[0].lpts = with(&system.components[0].lpts, failed.clone());
    let mut labels = system.labels.clone();
    let plain = allowing(&mut labels, &rat(1, 4));
    let relation = simulate(&system.parts(), &plain, &|l| l).unwrap();
    let proof = monolithic(&system, relation);
    assert!(accepts(&system, &plain, &proof));
    // The greatest simulation without propositions relates idle to failed.
    let specification = with(&plain, failed.clone());
    let mut exact = proof.clone();
    let relation = &mut exact.premises[0];
    let keep: Vec<usize> = (0..relation.len())
        .filter(|p| relation.left(*p)[0] == relation.right[*p])
        .collect();
    assert_eq!(keep.len(), 2);
    let none = with(&plain, fixedbitset::FixedBitSet::with_capacity(2));
    assert!(matches!(
        place(&system, &none, &proof),
        Place::Vector { .. }
    ));
    let tree = unroll(&system, 2).unwrap();
    let why = check_counterexample(&system, &none, &tree, &Context::default()).unwrap();
    assert!(
        why.iter().any(|r| r.why == Refused::Proposition(0)),
        "{why:?}"
    );
    assert!(check_counterexample(&system, &specification, &tree, &Context::default()).is_err());
    // Nobody knows it.
    system.components[0].lpts = sender(&mut system.labels);
    assert_eq!(place(&system, &none, &proof), Place::System);
}

fn refuted() -> (System, Lpts, Counterexample) {
    let (system, specification) = channel(&rat(1, 5));
    let tree = unroll(&system, 2).unwrap();
    let why = check_counterexample(&system, &specification, &tree, &Context::default()).unwrap();
    let Refused::Choice { options, .. } = &why[0].why else {
        panic!("{why:?}");
    };
    assert_eq!(
        (&options[0].needed, &options[0].available),
        (&rat(1, 4), &rat(1, 5))
    );
    (system, specification, tree)
}

#[test]
fn trees_are_behaviour_of_the_system() {
    let (system, specification, tree) = refuted();
    let check = |found: &Counterexample| {
        check_counterexample(&system, &specification, found, &Context::default()).is_ok()
    };
    let with = |change: &dyn Fn(&mut Counterexample)| {
        let mut damaged = tree.clone();
        change(&mut damaged);
        check(&damaged)
    };
    assert!(with(&|_| {}));
    assert!(!with(&|t| t.states.clear()));
    assert!(!with(&|t| t.states[0][0] = 1));
    assert!(!with(&|t| t.states[1][0] = 1 - t.states[1][0]));
    assert!(!with(&|t| t.states[1][1] = 9));
    assert!(!with(&|t| t.states[2] = Box::new([0])));
    // Other probabilities, another action, a branch that leads back, one that the system does not have.
    let built = |builder: &mut LptsBuilder| Counterexample {
        tree: std::mem::take(builder).build(),
        states: tree.states.clone(),
    };
    let nodes = tree.states.len();
    let node = |state: u32| tree.states.iter().position(|s| s[0] == state).unwrap() as u32;
    let (idle, failed) = (1, node(1));
    for (label, parts) in [
        (1, vec![(idle, rat(1, 2)), (failed, rat(1, 2))]),
        (2, vec![(idle, rat(3, 4)), (failed, rat(1, 4))]),
        (1, vec![(0, rat(3, 4)), (failed, rat(1, 4))]),
        (1, vec![(failed, rat(1, 1))]),
    ] {
        let mut builder = LptsBuilder::new("t");
        builder.states(nodes);
        builder.choice(0, Label(label), &parts).unwrap();
        builder.edge(failed, Label(2), nodes as u32 - 1);
        assert!(!check(&built(&mut builder)), "{label} {parts:?}");
    }
    // A tree that is too small shows nothing.
    assert!(!check(&unroll(&system, 1).unwrap()));
}

#[test]
fn hostile_files_are_refused() {
    let (system, specification, proof) = proved();
    let certificate = Evidence::Certificate(Box::new(proof));
    let (other, tight, tree) = refuted();
    let counterexample = Evidence::Counterexample(Box::new(tree));
    let mut refused = 0;
    for (system, specification, evidence) in [
        (&system, &specification, &certificate),
        (&other, &tight, &counterexample),
    ] {
        let bytes = written(system, specification, evidence);
        for at in 0..bytes.len() {
            for change in [0u8, b'0', b'9', b'"', b'[', b'-'] {
                let mut damaged = bytes.clone();
                damaged[at] = change;
                match read(system, specification, &damaged) {
                    Err(_) => refused += 1,
                    Ok(Evidence::Certificate(proof)) => {
                        let _ =
                            check_certificate(system, specification, &proof, &Context::default());
                    }
                    Ok(Evidence::Counterexample(found)) => {
                        let _ = check_counterexample(
                            system,
                            specification,
                            &found,
                            &Context::default(),
                        );
                    }
                }
            }
            let whole = at + 1 == bytes.len();
            assert_eq!(read(system, specification, &bytes[..at]).is_ok(), whole);
        }
        let limits = ReadLimits {
            vectors: 3,
            ..ReadLimits::default()
        };
        let models = [Model::of("m.nm", b"model")];
        let bounded = file::read(&bytes[..], system, specification, &models, &limits);
        assert!(bounded.unwrap_err().message.contains("too large"));
        let models = [Model::of("m.nm", b"changed")];
        let changed = file::read(
            &bytes[..],
            system,
            specification,
            &models,
            &ReadLimits::default(),
        );
        assert!(changed.is_err());
        // Of another specification.
        let mut labels = system.labels.clone();
        let renamed = allowing(&mut labels, &rat(1, 2)).renamed("other");
        assert!(read(system, &renamed, &bytes).is_err());
    }
    assert!(refused > 1_000, "{refused}");
}

#[test]
fn a_check_can_be_stopped() {
    let (system, specification, mut proof) = proved();
    let relation = &mut proof.premises[0];
    let (left, right) = (relation.left.clone(), relation.right.clone());
    for _ in 0..10_000 {
        relation.left.extend(&left);
        relation.right.extend(&right);
    }
    let stopped = check_certificate(
        &system,
        &specification,
        &proof,
        &Context::default().with_work(0),
    );
    assert_eq!(stopped, Err(Rejection::Stopped(Stopped::Superseded)));
}
