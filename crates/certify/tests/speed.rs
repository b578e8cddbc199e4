//! How fast a large certificate is checked. Run by hand:
//! `cargo test --release -p suppose-certify --test speed -- --ignored --nocapture`
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;
use std::time::{Duration, Instant};

use suppose_certify::file::{Evidence, ReadLimits, read, write_certificate};
use suppose_certify::{certificate, working_memory};
use suppose_control::Context;
use suppose_model::lts::{Label, Labels, Layout, Lts, LtsBuilder, Network, PackedStates};
use suppose_model::{Certificate, Claim, Guarantee, Premise};

fn cycle(name: String, labels: &[Label]) -> Lts {
    let mut builder = LtsBuilder::new(name);
    for (state, label) in (0u32..).zip(labels) {
        builder.edge(state, *label, (state + 1) % labels.len() as u32);
    }
    builder.build()
}

/// Dining philosophers that do not deadlock: every other one takes the forks the other way round.
fn philosophers(count: usize) -> Network {
    let mut labels = Labels::new();
    let mut parts = vec![];
    for i in 0..count {
        let mut name =
            |what: &str, fork: usize| labels.intern(&format!("{i}.{what}.{}", fork % count));
        let (first, second) = if i % 2 == 0 { (i, i + 1) } else { (i + 1, i) };
        let life = [
            name("sit", i),
            name("get", first),
            name("get", second),
            name("eat", i),
            name("put", i),
            name("put", i + 1),
            name("arise", i),
        ];
        parts.push(cycle(format!("phil.{i}"), &life));
    }
    for fork in 0..count {
        let mut builder = LtsBuilder::new(format!("fork.{fork}"));
        for (user, state) in [(fork, 1), ((fork + count - 1) % count, 2)] {
            builder.edge(0, labels.intern(&format!("{user}.get.{fork}")), state);
            builder.edge(state, labels.intern(&format!("{user}.put.{fork}")), 0);
        }
        parts.push(builder.build());
    }
    let mut network = Network::new("philosophers", labels);
    parts.into_iter().for_each(|lts| network.add_component(lts));
    network
}

/// What can be reached, breadth first; philosophers are deterministic, so one successor a label.
fn reached(network: &Network) -> PackedStates {
    let sizes = network.components.iter().map(|c| c.lts.states() as u32);
    let layout = Layout::new(sizes);
    assert_eq!(layout.words(), 1);
    let participants = network.participants();
    let start: Vec<u32> = network.components.iter().map(|c| c.lts.initial()).collect();
    let mut list = layout.pack(&start).unwrap();
    let mut seen: HashSet<u64> = list.iter().copied().collect();
    let mut at = 0;
    while at < list.len() {
        let record = list[at];
        for label in network.labels.iter() {
            let mut next = [record];
            let all = participants[label.index()].iter().all(|c| {
                let state = layout.get(&[record], *c);
                let edge = network.components[*c].lts.successors(state, label).first();
                edge.inspect(|e| layout.set(&mut next, *c, e.target))
                    .is_some()
            });
            if all && seen.insert(next[0]) {
                list.push(next[0]);
            }
        }
        at += 1;
    }
    PackedStates::from_arena(layout, list)
}

/// Time that this thread had a processor: what other programs do matters less.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(stat.split(' ').next().unwrap().parse().unwrap())
}

#[test]
#[ignore = "a measurement"]
fn philosophers_are_checked_fast() {
    for count in [7, 8, 9] {
        let network = philosophers(count);
        let evidence = Certificate {
            claim: Claim::DeadlockFree,
            assumptions: vec![],
            premises: vec![Premise {
                components: (0..network.components.len()).collect(),
                assumptions: vec![],
                guarantee: Guarantee::DeadlockFree,
                relation: reached(&network).into(),
            }],
            liveness: None,
        };
        let (took, summary) = (0..3)
            .map(|_| {
                let start = processor_time();
                let summary = certificate(&network, &evidence, &Context::default()).unwrap();
                (processor_time() - start, summary)
            })
            .min_by_key(|(took, _)| *took)
            .unwrap();
        println!(
            "{} components, {} vectors, {} steps: {:.0} ms, {:.2} million vectors/s, {:.1} bytes a vector",
            network.components.len(),
            summary.vectors,
            summary.steps,
            took.as_secs_f64() * 1e3,
            summary.vectors as f64 / took.as_secs_f64() / 1e6,
            working_memory(&evidence) as f64 / summary.vectors as f64,
        );
        let start = Instant::now();
        let mut bytes = vec![];
        write_certificate(&mut bytes, &network, &[], &evidence).unwrap();
        let wrote = start.elapsed();
        let back = read(&bytes[..], &network, &[], &ReadLimits::default()).unwrap();
        println!(
            "  file: {} MB, written in {:.0} ms, read in {:.0} ms",
            bytes.len() >> 20,
            wrote.as_secs_f64() * 1e3,
            (start.elapsed() - wrote).as_secs_f64() * 1e3,
        );
        assert_eq!(back, Evidence::Certificate(Box::new(evidence)));
    }
}
