//! Certificates against the definitions, by brute force.
#![allow(clippy::unwrap_used)]

mod naive;

use std::collections::{BTreeMap, BTreeSet};

use naive::random::Rng;
use naive::{make, proves, truth};
use suppose_certify::{Rejection, certificate};
use suppose_control::{Context, Stopped};
use suppose_model::lts::{Label, Labels, Layout, Lts, LtsBuilder, Network, PackedStates, Priority};
use suppose_model::{Assumption, Certificate, Claim, Guarantee, Premise};

fn accepts(network: &Network, evidence: &Certificate) -> bool {
    match certificate(network, evidence, &Context::default()) {
        Ok(_) => true,
        Err(Rejection::Flawed(_)) => false,
        Err(Rejection::Stopped(_)) => panic!("nobody asked it to stop"),
    }
}

fn claims(network: &Network) -> Vec<Claim> {
    let mut claims: Vec<Claim> = (0..network.properties.len()).map(Claim::Property).collect();
    claims.push(Claim::DeadlockFree);
    claims
}

/// Certificates for what holds of the network.
fn produce(network: &Network, rng: &mut Rng) -> Vec<Certificate> {
    let mut made = vec![];
    for claim in claims(network) {
        let Ok(reached) = truth(network, claim) else {
            continue;
        };
        made.push(make::monolithic(network, claim, &reached));
        if let (Claim::Property(p), None) = (claim, &network.priority) {
            made.extend((0..3).filter_map(|_| make::chain(network, p, rng)));
        }
    }
    made
}

#[test]
fn certificates_of_random_systems_are_accepted_and_prove_the_truth() {
    let (mut whole, mut chains) = (0, 0);
    for seed in 0..1500 {
        let mut rng = Rng(seed);
        let network = naive::random::network(&mut rng);
        for evidence in produce(&network, &mut rng) {
            let result = certificate(&network, &evidence, &Context::default());
            assert!(result.is_ok(), "seed {seed}: {result:?}");
            assert!(proves(&network, &evidence), "seed {seed}");
            match evidence.assumptions.is_empty() {
                true => whole += 1,
                false => chains += 1,
            }
        }
    }
    println!("{whole} monolithic, {chains} with assumptions");
    assert!(whole > 500 && chains > 200);
}

/// Changes a certificate; none if that cannot be done to it.
type Mutation = fn(&mut Certificate, &Network, &mut Rng) -> Option<()>;

/// Everything that one change can do to a certificate.
const MUTATIONS: &[(&str, Mutation)] = &[
    ("drop a vector", |c, _, rng| {
        relation(c, rng, |v, rng| {
            v.remove(rng.below(v.len()));
        })
    }),
    ("truncate a relation", |c, _, rng| {
        relation(c, rng, |v, rng| v.truncate(rng.below(v.len())))
    }),
    ("repeat a vector", |c, _, rng| {
        relation(c, rng, |v, rng| v.push(rng.pick(v).clone()))
    }),
    ("change a slot", |c, _, rng| {
        relation(c, rng, |v, rng| {
            let at = rng.below(v.len());
            if !v[at].is_empty() {
                let slot = rng.below(v[at].len());
                v[at][slot] = rng.below(4) as u32;
            }
        })
    }),
    ("add a vector", |c, _, rng| {
        relation(c, rng, |v, rng| {
            let mut new = rng.pick(v).clone();
            for slot in &mut new {
                if rng.once_in(2) {
                    *slot = rng.below(4) as u32;
                }
            }
            v.push(new);
        })
    }),
    ("drop an edge", |c, _, rng| {
        edges(c, rng, |e, _, _, rng| {
            (!e.is_empty()).then(|| e.remove(rng.below(e.len())))?;
            Some(())
        })
    }),
    ("redirect an edge", |c, _, rng| {
        edges(c, rng, |e, states, _, rng| {
            let at = rng.below(e.len().max(1));
            e.get_mut(at)?.2 = rng.below(states) as u32;
            Some(())
        })
    }),
    ("relabel an edge", |c, _, rng| {
        edges(c, rng, |e, _, alphabet, rng| {
            let at = rng.below(e.len().max(1));
            e.get_mut(at)?.1 = *rng.pick((!alphabet.is_empty()).then_some(alphabet)?);
            Some(())
        })
    }),
    ("add an edge", |c, _, rng| {
        edges(c, rng, |e, states, alphabet, rng| {
            let label = *rng.pick((!alphabet.is_empty()).then_some(alphabet)?);
            e.push((rng.below(states) as u32, label, rng.below(states) as u32));
            Some(())
        })
    }),
    ("add a tau edge", |c, _, rng| {
        edges(c, rng, |e, states, _, rng| {
            let ends = (rng.below(states) as u32, rng.below(states) as u32);
            e.push((ends.0, Label::TAU, ends.1));
            Some(())
        })
    }),
    ("add a label", |c, network, rng| {
        let label = Label(1 + rng.below(network.labels.len() - 1) as u32);
        rebuild(c, rng, |b, _| {
            b.extend_alphabet([label]);
            Some(())
        })
    }),
    ("add a foreign label", |c, network, rng| {
        let label = Label(network.labels.len() as u32);
        rebuild(c, rng, |b, _| {
            b.extend_alphabet([label]);
            Some(())
        })
    }),
    ("drop a label", |c, _, rng| {
        let assumption = pick(&mut c.assumptions, rng)?;
        let lts = assumption.lts.clone();
        let gone = *rng.pick((!lts.alphabet().is_empty()).then_some(lts.alphabet())?);
        let mut builder = LtsBuilder::like(&lts);
        builder.extend_alphabet(lts.alphabet().iter().copied().filter(|l| *l != gone));
        for (s, l, t) in lts.all_edges().filter(|e| e.1 != gone) {
            builder.edge(s, l, t);
        }
        assumption.lts = builder.build();
        Some(())
    }),
    ("move the initial state", |c, _, rng| {
        rebuild(c, rng, |b, rng| {
            b.initial(rng.below(2) as u32);
            Some(())
        })
    }),
    ("add a state", |c, _, rng| {
        rebuild(c, rng, |b, _| {
            b.state();
            Some(())
        })
    }),
    ("declare an error state", |c, _, rng| {
        rebuild(c, rng, |b, rng| {
            b.error(rng.below(2) as u32);
            Some(())
        })
    }),
    ("drop a node", |c, _, rng| {
        pick(&mut c.assumptions, rng)?.nodes.pop().map(|_| ())
    }),
    ("drop an assumption", |c, _, _| {
        c.assumptions.pop().map(|_| ())
    }),
    ("swap premises", |c, _, rng| {
        let (i, j) = (rng.below(c.premises.len()), rng.below(c.premises.len()));
        c.premises.swap(i, j);
        (i != j).then_some(())
    }),
    ("drop a premise", |c, _, rng| {
        c.premises.remove(rng.below(c.premises.len()));
        Some(())
    }),
    ("repeat a premise", |c, _, rng| {
        let at = rng.below(c.premises.len());
        c.premises.insert(at, c.premises[at].clone());
        Some(())
    }),
    ("change the claim", |c, network, rng| {
        c.claim = match rng.below(network.properties.len() + 2) {
            0 => Claim::DeadlockFree,
            p => Claim::Property(p - 1),
        };
        Some(())
    }),
    ("change a guarantee", |c, network, rng| {
        let numbers = c.assumptions.len().max(network.properties.len()) + 1;
        let number = rng.below(numbers);
        pick(&mut c.premises, rng)?.guarantee = match rng.below(3) {
            0 => Guarantee::DeadlockFree,
            1 => Guarantee::Property(number),
            _ => Guarantee::Assumption(number),
        };
        Some(())
    }),
    ("change claim and guarantee", |c, network, rng| {
        let p = rng.below(network.properties.len());
        c.claim = Claim::Property(p);
        c.premises.last_mut()?.guarantee = Guarantee::Property(p);
        Some(())
    }),
    ("drop a component", |c, _, rng| {
        let components = &mut pick(&mut c.premises, rng)?.components;
        components.pop().map(|_| ())
    }),
    ("drop a component and its slot", |c, _, rng| {
        let premise = pick(&mut c.premises, rng)?;
        let at = rng.below(premise.components.len().max(1));
        (at < premise.components.len()).then(|| premise.components.remove(at))?;
        let mut vectors = naive::vectors(premise);
        for vector in &mut vectors {
            vector.remove(at);
        }
        let slots = premise.relation.vectors().layout().slots() - 1;
        premise.relation = pack(&vec![9; slots], &vectors).into();
        Some(())
    }),
    ("change a component", |c, network, rng| {
        let components = &mut pick(&mut c.premises, rng)?.components;
        *pick(components, rng)? = rng.below(network.components.len() + 1);
        Some(())
    }),
    ("swap components", |c, _, rng| {
        let components = &mut pick(&mut c.premises, rng)?.components;
        let at = rng.below(components.len().max(1));
        (components.len() > 1).then(|| components.swap(0, at))
    }),
    ("change an assumption used", |c, _, rng| {
        let count = c.assumptions.len();
        let used = &mut pick(&mut c.premises, rng)?.assumptions;
        *pick(used, rng)? = rng.below(count + 1);
        Some(())
    }),
    ("use an assumption more", |c, _, rng| {
        let count = c.assumptions.len();
        let used = &mut pick(&mut c.premises, rng)?.assumptions;
        used.push(rng.below(count + 1));
        Some(())
    }),
    ("a narrower slot", |c, _, rng| {
        let premise = pick(&mut c.premises, rng)?;
        let vectors = naive::vectors(premise);
        let slots = premise.relation.vectors().layout().slots();
        let narrow = rng.below(slots.max(1));
        let widest = |slot: usize| vectors.iter().map(|v| v[slot]).max().unwrap_or(0);
        let sizes: Vec<u32> = (0..slots)
            .map(|s| if s == narrow { widest(s) + 1 } else { 9 })
            .collect();
        premise.relation = pack(&sizes, &vectors).into();
        Some(())
    }),
    ("drop a slot", |c, _, rng| {
        let premise = pick(&mut c.premises, rng)?;
        let mut vectors = naive::vectors(premise);
        for vector in &mut vectors {
            vector.pop();
        }
        let slots = premise.relation.vectors().layout().slots().checked_sub(1)?;
        premise.relation = pack(&vec![9; slots], &vectors).into();
        Some(())
    }),
    ("add a slot", |c, _, rng| {
        let premise = pick(&mut c.premises, rng)?;
        let mut vectors = naive::vectors(premise);
        vectors.iter_mut().for_each(|v| v.push(0));
        let slots = premise.relation.vectors().layout().slots() + 1;
        premise.relation = pack(&vec![9; slots], &vectors).into();
        Some(())
    }),
];

/// Mutations that can only ever give an equal or equally good certificate.
const HARMLESS: &[&str] = &["repeat a vector", "repeat a premise"];

fn pick<'a, T>(items: &'a mut [T], rng: &mut Rng) -> Option<&'a mut T> {
    let at = rng.below(items.len().max(1));
    items.get_mut(at)
}

fn pack(sizes: &[u32], vectors: &[Vec<u32>]) -> PackedStates {
    let mut relation = PackedStates::new(Layout::new(sizes.iter().copied()));
    for vector in vectors {
        relation.push(&relation.layout().pack(vector).unwrap());
    }
    relation
}

/// Changes the vectors of some premise; slots can then hold any number that the change makes, and
/// records are at times of several words.
fn relation(
    c: &mut Certificate,
    rng: &mut Rng,
    change: fn(&mut Vec<Vec<u32>>, &mut Rng),
) -> Option<()> {
    let premise = pick(&mut c.premises, rng)?;
    let mut vectors = naive::vectors(premise);
    (!vectors.is_empty()).then(|| change(&mut vectors, rng))?;
    let size = *rng.pick(&[9, u32::MAX]);
    let slots = premise.relation.vectors().layout().slots();
    premise.relation = pack(&vec![size; slots], &vectors).into();
    Some(())
}

type Edges = Vec<(u32, Label, u32)>;

/// Changes the edges of some assumption.
fn edges(
    c: &mut Certificate,
    rng: &mut Rng,
    change: fn(&mut Edges, usize, &[Label], &mut Rng) -> Option<()>,
) -> Option<()> {
    let assumption = pick(&mut c.assumptions, rng)?;
    let lts = &assumption.lts;
    let mut edges: Edges = lts.all_edges().collect();
    change(&mut edges, lts.states(), lts.alphabet(), rng)?;
    let mut builder = LtsBuilder::like(lts);
    builder.extend_alphabet(lts.alphabet().iter().copied());
    for (s, l, t) in edges {
        builder.edge(s, l, t);
    }
    assumption.lts = builder.build();
    Some(())
}

/// Changes something else of some assumption.
fn rebuild(
    c: &mut Certificate,
    rng: &mut Rng,
    change: impl Fn(&mut LtsBuilder, &mut Rng) -> Option<()>,
) -> Option<()> {
    let assumption = pick(&mut c.assumptions, rng)?;
    let lts = &assumption.lts;
    let mut builder = LtsBuilder::like(lts);
    builder.extend_alphabet(lts.alphabet().iter().copied());
    for (s, l, t) in lts.all_edges() {
        builder.edge(s, l, t);
    }
    change(&mut builder, rng)?;
    assumption.lts = builder.build();
    Some(())
}

/// A mutant is accepted exactly if it is a proof by the definition, and then its claim is true.
#[test]
fn mutants_are_accepted_exactly_when_they_still_prove_their_claim() {
    let mut tally: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for seed in 0..1200 {
        let mut rng = Rng(1_000_000 + seed);
        let network = naive::random::network(&mut rng);
        for evidence in produce(&network, &mut rng) {
            for (name, mutate) in MUTATIONS {
                let mut mutant = evidence.clone();
                if mutate(&mut mutant, &network, &mut rng).is_none() {
                    continue;
                }
                let accepted = accepts(&network, &mutant);
                assert_eq!(
                    accepted,
                    proves(&network, &mutant),
                    "seed {seed}: {name}: {mutant:?}"
                );
                if accepted {
                    assert!(truth(&network, mutant.claim).is_ok(), "seed {seed}: {name}");
                }
                tally.entry(name).or_default()[usize::from(accepted)] += 1;
            }
        }
    }
    let mut total = [0; 2];
    for (name, _) in MUTATIONS {
        let [killed, equivalent] = tally[name];
        println!("{killed:7} killed {equivalent:7} still prove   {name}");
        assert!(
            killed > 20 || HARMLESS.contains(name),
            "{name} was never killed"
        );
        total = [total[0] + killed, total[1] + equivalent];
    }
    println!("{:7} killed {:7} still prove   in all", total[0], total[1]);
    assert!(total[1] > 1000);
}

/// A certificate for one system is offered for another that differs in a few edges of a component.
#[test]
fn no_certificate_is_accepted_for_a_system_that_violates_the_claim() {
    let (mut killed, mut fine) = (0, 0);
    for seed in 0..1500 {
        let mut rng = Rng(2_000_000 + seed);
        let network = naive::random::network(&mut rng);
        for evidence in produce(&network, &mut rng) {
            let mut other = network.clone();
            let at = rng.below(other.components.len());
            let lts = &other.components[at].lts;
            let mut builder = LtsBuilder::like(lts);
            builder.extend_alphabet(lts.alphabet().iter().copied());
            let drop = rng.once_in(2).then(|| rng.below(lts.transitions().max(1)));
            for (_, (s, l, t)) in lts
                .all_edges()
                .enumerate()
                .filter(|(i, _)| Some(*i) != drop)
            {
                builder.edge(s, l, t);
            }
            for _ in 0..4 {
                if drop.is_none() && !lts.alphabet().is_empty() {
                    let states = lts.states();
                    let ends = (rng.below(states) as u32, rng.below(states) as u32);
                    builder.edge(ends.0, *rng.pick(lts.alphabet()), ends.1);
                }
            }
            other.components[at].lts = builder.build();
            let accepted = accepts(&other, &evidence);
            assert_eq!(accepted, proves(&other, &evidence), "seed {seed}");
            let holds = truth(&other, evidence.claim).is_ok();
            assert!(
                holds || !accepted,
                "seed {seed}: a false claim was accepted"
            );
            killed += usize::from(!holds);
            fine += usize::from(accepted);
        }
    }
    println!("{killed} violated and rejected, {fine} accepted");
    assert!(killed > 100 && fine > 500);
}

/// Two components of two states and a property of two: every possible relation.
#[test]
fn every_relation_over_small_systems() {
    let (mut good, mut bad) = (0, 0);
    for seed in 0..60 {
        let mut rng = Rng(3_000_000 + seed);
        let mut labels = Labels::new();
        let all = ["a", "b"].map(|n| labels.intern(n));
        let mut network = Network::new("small", labels);
        for name in ["M", "N"] {
            let alphabet = &all[rng.below(2)..];
            network.add_component(naive::random::lts(
                &mut rng,
                name,
                2,
                alphabet,
                seed % 2 == 0,
            ));
        }
        let mut property = LtsBuilder::new("P");
        property
            .edge(0, all[1], 1)
            .edge(1, all[1], 0)
            .edge(1, all[0], 1);
        if rng.once_in(2) {
            property.edge(0, all[0], 0);
        }
        network.add_property(&property.build(), None);
        for bits in 0..256u32 {
            let chosen = (0..8).filter(|i| bits >> i & 1 == 1);
            let vectors: BTreeSet<_> = chosen.map(|i| vec![i & 1, i >> 1 & 1, i >> 2]).collect();
            let evidence = make::monolithic(&network, Claim::Property(0), &vectors);
            let accepted = accepts(&network, &evidence);
            assert_eq!(
                accepted,
                proves(&network, &evidence),
                "seed {seed}, {vectors:?}"
            );
            *if accepted { &mut good } else { &mut bad } += 1;
        }
    }
    println!("{good} accepted, {bad} rejected");
    assert!(good > 50 && bad > 5000);
}

fn tiny_lts(name: &str, bits: u32, labels: [Label; 2]) -> Lts {
    let mut builder = LtsBuilder::new(name);
    builder.states(2).extend_alphabet(labels);
    for i in (0..8).filter(|i| bits >> i & 1 == 1) {
        builder.edge(i & 1, labels[(i >> 1 & 1) as usize], i >> 2);
    }
    builder.build()
}

/// All pairs of LTSs with two states: the certificate of what can be reached is accepted exactly
/// if the claim holds, and an abstraction never proves what is false.
#[test]
fn all_small_pairs() {
    let mut labels = Labels::new();
    let [a, b] = ["a", "b"].map(|n| labels.intern(n));
    let mut property = LtsBuilder::new("P");
    property.edge(0, a, 1).edge(1, b, 0);
    let property = property.build();
    let (mut holds, mut violated, mut chains) = (0, 0, 0);
    for pair in 0..1u32 << 16 {
        let mut network = Network::new("pair", labels.clone());
        network.add_component(tiny_lts("M", pair & 255, [a, b]));
        network.add_component(tiny_lts("N", pair >> 8, [Label::TAU, b]));
        network.add_property(&property, None);
        for claim in claims(&network) {
            match truth(&network, claim) {
                Ok(reached) => {
                    let evidence = make::monolithic(&network, claim, &reached);
                    assert!(accepts(&network, &evidence), "pair {pair}");
                    holds += 1;
                }
                Err(run) => {
                    assert_eq!(
                        suppose_certify::counterexample(&network, &run),
                        Ok(()),
                        "pair {pair}"
                    );
                    violated += 1;
                }
            }
        }
        let mut rng = Rng(u64::from(pair));
        if let Some(evidence) = make::chain(&network, 0, &mut rng) {
            assert!(accepts(&network, &evidence), "pair {pair}");
            assert!(truth(&network, Claim::Property(0)).is_ok(), "pair {pair}");
            chains += 1;
        }
    }
    println!("{holds} hold, {violated} violated, {chains} chains");
    assert!(holds > 100 && violated > 100 && chains > 100);
}

fn counter(name: &str, label: Label, states: u32) -> Lts {
    let mut builder = LtsBuilder::new(name);
    for s in 0..states {
        builder.edge(s, label, (s + 1) % states);
    }
    builder.build()
}

#[test]
fn a_caller_can_stop_it_and_tell_that_from_a_rejection() {
    let mut labels = Labels::new();
    let all = ["a", "b", "c", "d"].map(|n| labels.intern(n));
    let mut network = Network::new("counters", labels);
    for label in all {
        network.add_component(counter("C", label, 12));
    }
    let mut relation = PackedStates::new(Layout::new([12; 4]));
    for i in 0..12u32.pow(4) {
        let vector = [i % 12, i / 12 % 12, i / 144 % 12, i / 1728];
        relation.push(&relation.layout().pack(&vector).unwrap());
    }
    let evidence = Certificate {
        claim: Claim::DeadlockFree,
        assumptions: vec![],
        premises: vec![Premise {
            components: vec![0, 1, 2, 3],
            assumptions: vec![],
            guarantee: Guarantee::DeadlockFree,
            relation: relation.into(),
        }],
        liveness: None,
    };
    let summary = certificate(&network, &evidence, &Context::default()).unwrap();
    assert_eq!((summary.vectors, summary.steps), (20736, 4 * 20736));
    assert_eq!(
        certificate(&network, &evidence, &Context::default().with_work(2)),
        Err(Rejection::Stopped(Stopped::Superseded))
    );
    assert_eq!(suppose_certify::working_memory(&evidence), 8 * 20736);

    let vectors = naive::vectors(&evidence.premises[0]);
    for gone in [0, 1, 255, 256, 257, 10_000, 20_734, 20_735] {
        let mut fewer = vectors.clone();
        fewer.remove(gone);
        let mut evidence = evidence.clone();
        evidence.premises[0].relation = pack(&[12; 4], &fewer).into();
        assert!(!accepts(&network, &evidence), "without vector {gone}");
    }
}

/// With priority, assumptions are refused even where all components are there.
#[test]
fn with_priority_there_are_no_assumptions() {
    let mut labels = Labels::new();
    let a = labels.intern("a");
    let mut network = Network::new("priority", labels);
    network.add_component(counter("M", a, 1));
    network.add_property(&counter("P", a, 1), None);
    let premise = |assumptions: Vec<usize>, guarantee| Premise {
        components: vec![0],
        relation: pack(
            &vec![1; assumptions.len() + 2],
            &[vec![0; assumptions.len() + 2]],
        )
        .into(),
        assumptions,
        guarantee,
    };
    let evidence = Certificate {
        claim: Claim::Property(0),
        assumptions: vec![Assumption {
            lts: counter("A", a, 1),
            nodes: vec![],
        }],
        premises: vec![
            premise(vec![], Guarantee::Assumption(0)),
            premise(vec![0], Guarantee::Property(0)),
        ],
        liveness: None,
    };
    assert!(accepts(&network, &evidence));
    let (labels, low) = (vec![a], false);
    network.priority = Some(Priority { labels, low });
    assert!(!proves(&network, &evidence));
    let said = certificate(&network, &evidence, &Context::default())
        .unwrap_err()
        .to_string();
    assert_eq!(
        said,
        "premise 1: with priority, it must have all components and no assumption"
    );
}

/// That `a` never happens would follow from two assumptions that follow from each other. It is false.
#[test]
fn a_circular_argument_is_rejected() {
    let mut labels = Labels::new();
    let a = labels.intern("a");
    let mut network = Network::new("loop", labels);
    network.add_component(counter("M", a, 1));
    let mut never = LtsBuilder::new("never a");
    never.extend_alphabet([a]);
    let never = never.build();
    network.add_property(&never, None);
    let premise = |assumptions: Vec<usize>, guarantee| Premise {
        components: vec![],
        relation: pack(
            &vec![1; assumptions.len() + 1],
            &[vec![0; assumptions.len() + 1]],
        )
        .into(),
        assumptions,
        guarantee,
    };
    let assumption = || Assumption {
        lts: never.clone(),
        nodes: vec![],
    };
    let evidence = Certificate {
        claim: Claim::Property(0),
        assumptions: vec![assumption(), assumption()],
        premises: vec![
            premise(vec![1], Guarantee::Assumption(0)),
            premise(vec![0], Guarantee::Assumption(1)),
            premise(vec![0, 1], Guarantee::Property(0)),
        ],
        liveness: None,
    };
    let rejection = certificate(&network, &evidence, &Context::default()).unwrap_err();
    let said = rejection.to_string();
    assert_eq!(
        said,
        "premise 0: no earlier premise guarantees assumption 1"
    );
}
