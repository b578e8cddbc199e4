//! Counterexamples against the definition, by brute force.
#![allow(clippy::unwrap_used)]

mod naive;

use std::collections::BTreeMap;

use naive::random::Rng;
use naive::{refutes, truth};
use suppose_certify::counterexample;
use suppose_model::lts::{Label, Network};
use suppose_model::{Claim, Counterexample, NetworkStep};

type Mutation = fn(&mut Counterexample, &Network, &mut Rng) -> Option<()>;

const MUTATIONS: &[(&str, Mutation)] = &[
    ("drop a step", |c, _, rng| {
        let at = rng.below(c.steps.len().max(1));
        (at < c.steps.len()).then(|| drop(c.steps.remove(at)))
    }),
    ("drop the last step", |c, _, _| c.steps.pop().map(|_| ())),
    ("repeat a step", |c, _, rng| {
        let at = rng.below(c.steps.len().max(1));
        let step = c.steps.get(at)?.clone();
        c.steps.insert(at, step);
        Some(())
    }),
    ("swap steps", |c, _, rng| {
        let count = c.steps.len();
        (count > 1).then(|| c.steps.swap(rng.below(count), 0))
    }),
    ("change a label", |c, network, rng| {
        let label = Label(rng.below(network.labels.len() + 1) as u32);
        step(c, rng)?.label = label;
        Some(())
    }),
    ("change a state", |c, _, rng| {
        let states = &mut step(c, rng)?.states;
        let at = rng.below(states.len());
        states[at] = rng.below(4) as u32;
        Some(())
    }),
    ("drop a state", |c, _, rng| {
        step(c, rng)?.states.pop().map(|_| ())
    }),
    ("add a state", |c, _, rng| {
        step(c, rng)?.states.push(0);
        Some(())
    }),
    ("add a step", |c, network, rng| {
        let members = naive::ltss(network);
        let initial = || members.iter().map(|m| m.initial()).collect();
        let states = c
            .steps
            .last()
            .map_or_else(initial, |s: &NetworkStep| s.states.clone());
        let next = naive::steps(network, &members, &states);
        let (label, states) = rng.pick((!next.is_empty()).then_some(&next)?).clone();
        c.steps.push(NetworkStep { label, states });
        Some(())
    }),
    ("change the claim", |c, network, rng| {
        c.claim = match rng.below(network.properties.len() + 2) {
            0 => Claim::DeadlockFree,
            p => Claim::Property(p - 1),
        };
        Some(())
    }),
];

fn step<'a>(c: &'a mut Counterexample, rng: &mut Rng) -> Option<&'a mut NetworkStep> {
    let at = rng.below(c.steps.len().max(1));
    c.steps.get_mut(at)
}

#[test]
fn runs_replay_and_mutants_are_accepted_exactly_when_they_still_refute() {
    let mut tally: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut found = [0; 2];
    for seed in 0..6000 {
        let mut rng = Rng(4_000_000 + seed);
        let network = naive::random::network(&mut rng);
        let properties = (0..network.properties.len()).map(Claim::Property);
        for claim in properties.chain([Claim::DeadlockFree]) {
            let Err(run) = truth(&network, claim) else {
                continue;
            };
            assert_eq!(counterexample(&network, &run), Ok(()), "seed {seed}");
            assert!(refutes(&network, &run));
            found[usize::from(claim == Claim::DeadlockFree)] += 1;
            for (name, mutate) in MUTATIONS {
                let mut mutant = run.clone();
                if mutate(&mut mutant, &network, &mut rng).is_none() {
                    continue;
                }
                let accepted = counterexample(&network, &mutant).is_ok();
                assert_eq!(
                    accepted,
                    refutes(&network, &mutant),
                    "seed {seed}: {name}: {mutant:?}"
                );
                tally.entry(name).or_default()[usize::from(accepted)] += 1;
            }
        }
    }
    for (name, _) in MUTATIONS {
        let [killed, equivalent] = tally[name];
        println!("{killed:7} killed {equivalent:7} still refute   {name}");
        assert!(killed > 20, "{name} was never killed");
    }
    println!("{} against properties, {} deadlocks", found[0], found[1]);
    assert!(found[0] > 500 && found[1] > 500);
    assert!(tally.values().map(|t| t[1]).sum::<usize>() > 200);
}
