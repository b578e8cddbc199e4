//! How long strong simulation takes on large products.
//!
//! `cargo run --release -p suppose-mdp --example large [stations] [wide|bisimulation]`: stations that send over a lossy channel, one after another
//! coming into and leaving a shared critical section, against what two of them look like when nothing
//! else is known of the others; then against the same with one probability changed. With `wide`, all stations draw their next states together; with
//! `bisimulation`, the bisimulation of the product is computed as well.
#![allow(clippy::print_stdout, reason = "it is what it is for")]

use suppose_control::Context;
use suppose_mdp::bisimulation::bisimulation;
use suppose_mdp::simulation::{Simulation, relation, simulate};
use suppose_model::lts::Label;
use suppose_model::mdp::{Lpts, LptsBuilder, SizeLimits, State, Whole, compose, quotient};
use suppose_number::{Int, Rat};

fn rat(num: i64, den: i64) -> Rat {
    Rat::new(Int::from(num), Int::from(den))
}

/// Idle, sending, waiting, inside; a reset takes all to idle or, rarely, to waiting.
fn station(number: u32, wide: bool) -> Lpts {
    let label = |kind: u32| Label(10 + 10 * number + kind);
    let mut it = LptsBuilder::new(format!("station {number}"));
    let parts = [(1, rat(9, 10)), (0, rat(1, 10))];
    it.choice(0, label(0), &parts).expect("adds up to one");
    let parts = [(2, rat(2, 3)), (1, rat(1, 4)), (0, rat(1, 12))];
    it.choice(1, label(1), &parts).expect("adds up to one");
    it.edge(2, label(2), 3);
    it.edge(3, label(3), 0);
    if wide {
        for state in 0..4 {
            let parts = [(state, rat(3, 5)), (0, rat(2, 5))];
            it.choice(state, Label(1), &parts).expect("adds up to one");
        }
    }
    it.build()
}

fn arbiter(stations: u32) -> Lpts {
    let mut it = LptsBuilder::new("arbiter");
    for number in 0..stations {
        it.edge(0, Label(10 + 10 * number + 2), 1);
        it.edge(1, Label(10 + 10 * number + 3), 0);
    }
    it.build()
}

/// The classes: what the first two stations do.
fn specification(whole: &Whole) -> Lpts {
    let class = |state: State| {
        let vector = whole.vector(state);
        vector[0] * 4 + vector[1]
    };
    let class_of: Vec<u32> = (0..whole.lpts.states() as State).map(class).collect();
    quotient(&whole.lpts, &class_of, 16)
}

/// The same with another distribution for the last choice that has one to change.
fn changed(lpts: &Lpts) -> Lpts {
    let mut it = LptsBuilder::new("changed");
    it.states(lpts.states()).initial(lpts.initial());
    let branches = |number: &usize| lpts.dist(lpts.all_choices()[*number].dist).len() > 1;
    let last = (0..lpts.all_choices().len()).rev().find(branches);
    for state in 0..lpts.states() as State {
        for number in lpts.choice_range(state) {
            let choice = lpts.all_choices()[number];
            let dist = lpts.dist(choice.dist);
            let mut parts: Vec<_> = (0..dist.len())
                .map(|at| (dist.targets()[at], dist.weight(at)))
                .collect();
            if Some(number) == last {
                parts[0].1 = &parts[0].1 * &Int::from(2);
            }
            if let Some(id) = it.store().insert_ints(&mut parts) {
                it.choice_of(state, choice.label, id);
            }
        }
    }
    it.build()
}

/// Seconds of processor time so far.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let ticks = fields
        .skip(11)
        .take(2)
        .filter_map(|t| t.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// The most memory used so far, in megabytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM"));
    let words = line.and_then(|l| l.split_whitespace().nth(1));
    words.and_then(|w| w.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let stations = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(6);
    let kind = arguments.next().unwrap_or_default();
    let wide = kind == "wide";
    let mut parts: Vec<Lpts> = (0..stations).map(|n| station(n, wide)).collect();
    parts.push(arbiter(stations));
    let parts: Vec<&Lpts> = parts.iter().collect();
    let cx = Context::default();
    let started = cpu();
    let whole = compose("whole", &parts, &SizeLimits::default(), &mut |_| Ok(())).expect("it fits");
    let lpts = &whole.lpts;
    println!(
        "{} states, {} choices, {} branches: {:.2} s, {} MB",
        lpts.states(),
        lpts.all_choices().len(),
        lpts.branches(),
        cpu() - started,
        peak()
    );
    if kind == "bisimulation" {
        let started = cpu();
        let classes = bisimulation(lpts, &cx).expect("nothing stops it");
        println!("{} classes, {:.2} s", classes.count, cpu() - started);
    }
    let right = specification(&whole);
    println!(
        "{} states, {} choices on the right",
        right.states(),
        right.all_choices().len()
    );
    for right in [&right, &changed(&right)] {
        let started = cpu();
        let answer = simulate(lpts, right, &[], &cx).expect("nothing stops it");
        let taken = cpu() - started;
        match answer {
            Simulation::Holds(pairs) => {
                println!(
                    "holds: {} pairs, {taken:.2} s, {} MB",
                    pairs.pairs.len(),
                    peak()
                );
                let started = cpu();
                let written = relation(&parts, &whole, right, &[], &pairs, &cx);
                let count = written.map_or(0, |r| r.len());
                println!(
                    "written: {count} pairs, {:.2} s, {} MB",
                    cpu() - started,
                    peak()
                );
            }
            Simulation::Fails(tree) => println!(
                "fails: {} nodes ({} unfolded), depth {}, {taken:.2} s, {} MB",
                tree.nodes(),
                tree.unfolded(),
                tree.depth(),
                peak()
            ),
        }
    }
}
