//! Proofs about liveness in parts that were damaged in any field, or made for another system, are rejected.

#![allow(clippy::unwrap_used)]

use suppose_certify::file::{Evidence, ReadLimits, read, write_certificate};
use suppose_compose::{agar, bounded, decompose, liveness, minimise};
use suppose_control::Context;
use suppose_frontends::{Input, LoadOptions, load};
use suppose_model::lts::{Fairness, Layout, Lts, LtsBuilder, Network, PackedStates};
use suppose_model::{Answer, Certificate, Guarantee, LivenessProof, Verdict};
use suppose_testkit::{Rng, Shape, claims, random};

const MODEL: &str = "
CLIENT = (think -> ask -> serve -> CLIENT).
SERVER = (c[1].ask -> c[1].serve -> c[2].ask -> c[2].serve -> SERVER).
||SYS = (c[1..2]:CLIENT || SERVER).
progress SERVED = {c[1].serve}
";

fn served(fairness: Fairness) -> Network {
    let options = LoadOptions {
        system: Some("SYS".to_owned()),
        fairness,
        ..LoadOptions::default()
    };
    load(vec![Input::new("m.lts", MODEL)], &options)
        .unwrap()
        .network
}

fn accepts(network: &Network, proof: &Certificate) -> bool {
    suppose_certify::certificate(network, proof, &Context::default()).is_ok()
}

fn proof(answer: Answer) -> Certificate {
    match answer.verdict {
        Verdict::Holds(proof) => *proof,
        other => panic!("{other:?}"),
    }
}

fn counted(network: &Network) -> Answer {
    let safety = |asked: &Network, property, cx: &Context| {
        let groups = decompose::propose(asked, property, decompose::Strategy::Interface);
        agar::check(asked, property, &groups, &agar::AgarOptions::default(), cx)
    };
    bounded::without_the_whole(network, 0, "agar", &safety, &Context::default())
}

/// The same LTS without each of its edges.
fn damaged(lts: &Lts) -> Vec<Lts> {
    let edges: Vec<_> = lts.all_edges().collect();
    let without = |gone: usize| {
        let mut builder = LtsBuilder::new(lts.name());
        builder.extend_alphabet(lts.alphabet().iter().copied());
        builder.states(lts.states() as u32).initial(lts.initial());
        for (at, (source, label, target)) in edges.iter().enumerate() {
            if at != gone {
                builder.edge(*source, *label, *target);
            }
        }
        builder.build()
    };
    (0..edges.len()).map(without).collect()
}

/// The relation without each of its vectors.
fn fewer(relation: &PackedStates) -> Vec<PackedStates> {
    let all: Vec<Vec<u64>> = relation.iter().map(<[u64]>::to_vec).collect();
    let without = |gone: usize| {
        let mut packed = PackedStates::new(relation.layout().clone());
        let kept = all.iter().enumerate().filter(|(at, _)| *at != gone);
        kept.for_each(|(_, record)| packed.push(record));
        packed
    };
    (0..all.len()).map(without).collect()
}

/// What every proof in parts has: assumptions, premises, vectors.
fn common(proof: &Certificate) -> Vec<(String, Certificate)> {
    let mut found = Vec::new();
    for number in 0..proof.premises.len() {
        let mut one = proof.clone();
        one.premises.remove(number);
        found.push((format!("no premise {number}"), one));
        let mut one = proof.clone();
        one.premises[number].guarantee = Guarantee::DeadlockFree;
        found.push((format!("premise {number} shows something else"), one));
        let mut one = proof.clone();
        one.premises[number].components = vec![proof.premises.len() + 99];
        found.push((format!("premise {number} has other members"), one));
        for relation in fewer(&proof.premises[number].relation.vectors()) {
            let mut one = proof.clone();
            one.premises[number].relation = relation.into();
            found.push((format!("premise {number}, a vector less"), one));
        }
    }
    for number in 0..proof.assumptions.len() {
        for lts in damaged(&proof.assumptions[number].lts) {
            let mut one = proof.clone();
            one.assumptions[number].lts = lts;
            found.push((format!("assumption {number}, an edge less"), one));
        }
    }
    let mut one = proof.clone();
    one.assumptions.pop();
    found.push(("an assumption less".to_owned(), one));
    let mut one = proof.clone();
    one.liveness = None;
    found.push(("no proof of liveness".to_owned(), one));
    found
}

fn empty() -> Box<LivenessProof> {
    Box::new(LivenessProof::All {
        owed: Vec::new(),
        vectors: PackedStates::new(Layout::new([])),
        classes: Vec::new(),
    })
}

#[test]
fn damaged_proofs_by_minimisation_are_rejected() {
    for fairness in [Fairness::FairChoice, Fairness::None] {
        let network = served(fairness);
        let whole = proof(minimise::check_liveness(&network, 0, &Context::default()));
        assert!(accepts(&network, &whole) && !whole.premises.is_empty());
        for (what, one) in common(&whole) {
            assert!(!accepts(&network, &one), "{what}");
        }
        let LivenessProof::Parts {
            components,
            assumptions,
            rest,
        } = whole.liveness.as_deref().unwrap()
        else {
            panic!("{whole:?}");
        };
        let with = |components: &[usize], assumptions: &[usize], rest: &LivenessProof| {
            let parts = LivenessProof::Parts {
                components: components.to_vec(),
                assumptions: assumptions.to_vec(),
                rest: Box::new(rest.clone()),
            };
            let liveness = Some(Box::new(parts));
            accepts(
                &network,
                &Certificate {
                    liveness,
                    ..whole.clone()
                },
            )
        };
        assert!(with(components, assumptions, rest));
        assert!(!with(
            &[components.as_slice(), &[0]].concat(),
            assumptions,
            rest
        ));
        assert!(!with(components, &assumptions[1..], rest));
        assert!(!with(
            components,
            &[assumptions.as_slice(), &[99]].concat(),
            rest
        ));
        assert!(!with(components, assumptions, &empty()));
        assert!(!with(
            components,
            assumptions,
            whole.liveness.as_deref().unwrap()
        ));
    }
}

#[test]
fn damaged_proofs_by_counting_are_rejected() {
    for fairness in [Fairness::FairChoice, Fairness::None] {
        let network = served(fairness);
        let whole = proof(counted(&network));
        assert!(accepts(&network, &whole));
        let about_counter = |what: &str| !what.contains("edge less");
        for (what, one) in common(&whole).into_iter().filter(|(w, _)| about_counter(w)) {
            assert!(!accepts(&network, &one), "{what}");
        }
        let LivenessProof::Bounded { counter, .. } = whole.liveness.as_deref().unwrap() else {
            panic!("{whole:?}");
        };
        let change = |change: &dyn Fn(&mut LivenessProof)| {
            let mut one = whole.clone();
            change(one.liveness.as_deref_mut().unwrap());
            accepts(&network, &one)
        };
        let wrong: [&dyn Fn(&mut LivenessProof); 7] = [
            &|p| set(p, |b| *b.0 = counter + 1),
            &|p| set(p, |b| *b.1 += 1),
            &|p| set(p, |b| *b.1 = 0),
            &|p| set(p, |b| b.2.clear()),
            &|p| set(p, |b| b.2.push(suppose_model::lts::Label(u32::MAX))),
            &|p| set(p, |b| *b.3 = *empty()),
            &|p| set(p, |b| *b.4 = *empty()),
        ];
        for (number, wrong) in wrong.iter().enumerate() {
            assert!(!change(wrong), "{number}");
        }
        // The bound is for people.
        assert!(change(&|p| {
            if let LivenessProof::Bounded { bound, .. } = p {
                *bound += 1;
            }
        }));
    }
}

type Parts<'p> = (
    &'p mut usize,
    &'p mut usize,
    &'p mut Vec<suppose_model::lts::Label>,
    &'p mut LivenessProof,
    &'p mut LivenessProof,
);

fn set(proof: &mut LivenessProof, change: impl Fn(Parts)) {
    if let LivenessProof::Bounded {
        counter,
        premises,
        rounds,
        counting,
        recurrence,
        ..
    } = proof
    {
        change((counter, premises, rounds, counting, recurrence));
    }
}

#[test]
fn proofs_are_the_same_after_reading() {
    for fairness in [Fairness::FairChoice, Fairness::None] {
        let network = served(fairness);
        let parts = minimise::check_liveness(&network, 0, &Context::default());
        for whole in [proof(parts), proof(counted(&network))] {
            let mut file = Vec::new();
            write_certificate(&mut file, &network, &[], &whole).unwrap();
            let read = read(file.as_slice(), &network, &[], &ReadLimits::default()).unwrap();
            let Evidence::Certificate(again) = read else {
                panic!("no certificate");
            };
            assert!(accepts(&network, &again));
            let mut second = Vec::new();
            write_certificate(&mut second, &network, &[], &again).unwrap();
            assert_eq!(file, second);
        }
    }
}

/// The same with one edge of a component gone, or with one more.
fn changed(rng: &mut Rng, network: &Network) -> Network {
    let mut other = network.clone();
    let processes = other.processes();
    let component = &mut other.components[processes[rng.below(processes.len())]];
    let lts = &component.lts;
    let edges: Vec<_> = lts.all_edges().collect();
    let mut builder = LtsBuilder::new(lts.name());
    builder.extend_alphabet(lts.alphabet().iter().copied());
    builder.states(lts.states() as u32).initial(lts.initial());
    let gone = rng.below(edges.len() + 1);
    for (at, (source, label, target)) in edges.iter().enumerate() {
        if at != gone {
            builder.edge(*source, *label, *target);
        }
    }
    if gone == edges.len() && !lts.alphabet().is_empty() {
        let state = |rng: &mut Rng| rng.below(lts.states()) as u32;
        let label = lts.alphabet()[rng.below(lts.alphabet().len())];
        let (source, target) = (state(rng), state(rng));
        builder.edge(source, label, target);
    }
    component.lts = builder.build();
    other
}

#[test]
fn proofs_for_another_system_are_rejected_where_the_claim_is_violated() {
    let shape = Shape {
        properties: (0, 0),
        components: (2, 4),
        ..Shape::default()
    };
    let mut tried = [0; 2];
    for seed in 0..250 {
        let mut rng = Rng::new(seed);
        let fairness = [Fairness::FairChoice, Fairness::None][(seed % 2) as usize];
        let mut network = random::network(&mut rng, &shape);
        // Few random formulas can be decided in parts, so most claims are of a form that can.
        let claim = match rng.percent(80) {
            true => claims::recurrence(&mut rng, &network, fairness),
            false => claims::random(&mut rng, &network, fairness, 3),
        };
        network.liveness.push(claim);
        network.close();
        let whole = liveness::check(&network, 0, &Context::default());
        if !whole.verdict.is_violated() || !network.liveness[0].ignores_foreign_steps() {
            continue;
        }
        for _ in 0..12 {
            let other = changed(&mut rng, &network);
            let parts = minimise::check_liveness(&other, 0, &Context::default());
            if let Verdict::Holds(proof) = parts.verdict {
                tried[0] += 1;
                assert!(!accepts(&network, &proof), "seed {seed}");
                if let Verdict::Holds(proof) = counted(&other).verdict {
                    tried[1] += 1;
                    assert!(!accepts(&network, &proof), "seed {seed}");
                }
            }
        }
    }
    assert!(tried[0] > 40 && tried[1] > 20, "{tried:?}");
}
