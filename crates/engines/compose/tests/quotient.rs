//! The quotient engine against the definitions it implements, and against the naive checker.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use suppose_compose::quotient::{self, Merging, Mode, Order, QuotientOptions, Schedule};
use suppose_compose::{agar, decompose, learn, monolithic};
use suppose_control::Context;
use suppose_model::lts::{Label, Labels, Lts, LtsBuilder, Network};
use suppose_model::{Answer, Claim, Verdict};
use suppose_testkit::naive::quotient::Split;
use suppose_testkit::naive::{self, NaiveVerdict};
use suppose_testkit::small::Small;
use suppose_testkit::{Rng, Shape, random};

/// Does the claim hold, by an answer whose evidence was accepted?
fn certified(network: &Network, answer: &Answer, what: &str) -> bool {
    match &answer.verdict {
        Verdict::Holds(certificate) => {
            let accepted = suppose_certify::certificate(network, certificate, &Context::default());
            assert!(accepted.is_ok(), "{what}: {accepted:?}");
            true
        }
        Verdict::Violated(run) => {
            let accepted = suppose_certify::counterexample(network, run);
            assert!(accepted.is_ok(), "{what}: {accepted:?}");
            false
        }
        Verdict::Unknown(reason) => panic!("{what}: no verdict, {reason:?}"),
    }
}

fn all_options() -> Vec<QuotientOptions> {
    let mut all = Vec::new();
    for mode in [Mode::Minimal, Mode::Decide, Mode::Threshold(0.5)] {
        for schedule in [Schedule::default(), Schedule::PAPER] {
            for exact in [false, true] {
                for merging in [Merging::Further, Merging::Repeated, Merging::Once] {
                    for (slack, plain_states) in [(0, 0), (1000, 0), (2, 3)] {
                        all.push(QuotientOptions {
                            plain_states,
                            mode,
                            schedule,
                            exact,
                            merging,
                            slack,
                            ..QuotientOptions::default()
                        });
                    }
                }
            }
        }
    }
    all
}

/// The network with the process replaced by its assumption, and by its quotient.
fn replaced(network: &Network, process: &[usize], by: &Lts) -> Network {
    let mut other = network.clone();
    for (number, component) in process.iter().enumerate() {
        other.components[*component].lts = match number {
            0 => by.clone(),
            _ => LtsBuilder::new("nothing").build(),
        };
    }
    other
}

fn check_one(network: &Network, process: &[usize], options: &QuotientOptions, what: &str) {
    let cx = Context::default();
    for property in 0..network.properties.len() {
        let what = format!("{what}, property {property}, process {process:?}, {options:?}");
        let claim = Claim::Property(property);
        let holds = naive::check(network, claim) == NaiveVerdict::Holds;
        let answer = quotient::check(network, property, process, options, &cx);
        assert_eq!(certified(network, &answer, &what), holds, "{what}");
        let found = quotient::requirement(network, property, process, options, &cx).unwrap();
        assert!(found.decided.is_none_or(|d| d == holds), "{what}");
        if process.is_empty() {
            continue;
        }
        for by in [&found.assumption.lts, &found.quotient] {
            let replaced = naive::check(&replaced(network, process, by), claim);
            assert_eq!(replaced == NaiveVerdict::Holds, holds, "{what}: inverse");
        }
    }
}

fn random_networks(first: u64, count: u64) {
    let shapes = Shape::refining();
    let options = all_options();
    for seed in first..first + count {
        let mut rng = Rng::new(seed);
        let network = random::network(&mut rng, &shapes[seed as usize % shapes.len()]);
        let all: Vec<usize> = (0..network.components.len()).collect();
        let process = match seed % 4 {
            0 => rng.subset(&all, 40),
            _ => vec![rng.below(all.len())],
        };
        let number = seed as usize % options.len();
        check_one(
            &network,
            &process,
            &options[number],
            &format!("seed {seed}"),
        );
    }
}

#[test]
fn verdicts_assumptions_and_evidence_are_right_on_random_networks() {
    random_networks(1, 6000);
}

/// The quotient of an LTS by a class map.
fn quotient_of(lts: &Lts, class_of: &[u32]) -> Lts {
    let class = |s: u32| class_of[s as usize];
    let mut builder = LtsBuilder::new(lts.name());
    builder.initial(class(lts.initial()));
    builder.extend_alphabet(lts.alphabet().iter().copied());
    builder.states(class_of.iter().max().map_or(1, |m| m + 1));
    for (source, label, target) in lts.all_edges() {
        builder.edge(class(source), label, class(target));
    }
    builder.build()
}

/// Forward classes, then backward classes of the quotient, and again until nothing merges or so
/// often.
fn by_definition(
    network: &Network,
    property: usize,
    process: &[usize],
    lts: &Lts,
    times: usize,
) -> Vec<u32> {
    let mut times = times;
    let mut all: Vec<u32> = (0..lts.states() as u32).collect();
    let mut now = lts.clone();
    loop {
        let before = now.states();
        for way in ["forward", "backward"] {
            let split = Split::new(network, property, process, &now);
            let classes = match way {
                "forward" => split.forward_classes(),
                _ => split.backward_classes(),
            };
            all = all.iter().map(|c| classes[*c as usize]).collect();
            now = quotient_of(&now, &classes);
        }
        times -= 1;
        if now.states() == before || times == 0 {
            return all;
        }
    }
}

/// Do two class maps have the same classes?
fn same_classes(one: &[u32], two: &[u32]) -> bool {
    let renumber = |classes: &[u32]| {
        let mut seen = Vec::new();
        let number = |c: &u32| match seen.iter().position(|s| s == c) {
            Some(at) => at,
            None => {
                seen.push(*c);
                seen.len() - 1
            }
        };
        classes.iter().map(number).collect::<Vec<_>>()
    };
    renumber(one) == renumber(two)
}

/// The exact construction, all of the environment explored.
fn exact() -> QuotientOptions {
    QuotientOptions {
        mode: Mode::Minimal,
        exact: true,
        merging: Merging::Repeated,
        slack: 1_000_000,
        ..QuotientOptions::default()
    }
}

fn check_definition(network: &Network, process: &[usize], what: &str) -> (usize, usize, usize) {
    let cx = Context::default();
    let mut sizes = (0, 0, 0);
    for property in 0..network.properties.len() {
        let found = quotient::requirement(network, property, process, &exact(), &cx).unwrap();
        let expected = by_definition(network, property, process, &found.process, usize::MAX);
        assert!(
            same_classes(&found.class_of, &expected),
            "{what}, property {property}, process {process:?}: {:?} instead of {expected:?}",
            found.class_of
        );
        let once = QuotientOptions {
            merging: Merging::Once,
            ..exact()
        };
        let once = quotient::requirement(network, property, process, &once, &cx).unwrap();
        let expected = by_definition(network, property, process, &found.process, 1);
        assert!(
            same_classes(&once.class_of, &expected),
            "{what}, property {property}, process {process:?}, once: {:?} instead of {expected:?}",
            once.class_of
        );
        let options = QuotientOptions {
            exact: false,
            plain_states: 0,
            ..exact()
        };
        let refined = quotient::requirement(network, property, process, &options, &cx).unwrap();
        let small = quotient::requirement(
            network,
            property,
            process,
            &QuotientOptions {
                merging: Merging::Further,
                ..exact()
            },
            &cx,
        );
        sizes.0 += found.quotient.states();
        sizes.1 += refined.quotient.states();
        sizes.2 += small.unwrap().quotient.states();
    }
    sizes
}

#[test]
fn the_exact_construction_is_the_one_defined() {
    let shapes = Shape::refining();
    let mut sum = (0, 0, 0);
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let network = random::network(&mut rng, &shapes[seed as usize % shapes.len()]);
        if network.components.len() > 4 {
            continue;
        }
        let process = [rng.below(network.components.len())];
        let sizes = check_definition(&network, &process, &format!("seed {seed}"));
        sum = (sum.0 + sizes.0, sum.1 + sizes.1, sum.2 + sizes.2);
    }
    println!(
        "classes: exact {}, by refinement {}, merged further {}",
        sum.0, sum.1, sum.2
    );
    assert!(sum.2 <= sum.0, "merging further made assumptions larger");
}

/// A system of two components over the labels `a` and `b`, with a property.
fn pair(labels: &Labels, one: &Lts, two: &Lts, property: &Lts) -> Network {
    let mut network = Network::new("pair", labels.clone());
    network.add_component(one.clone().named("one"));
    network.add_component(two.clone().named("two"));
    network.add_property(&property.clone().named("P"), None);
    network.close();
    network
}

#[test]
fn all_pairs_of_small_components_are_right() {
    let mut labels = random::labels(2);
    let (b, c) = (Label(2), labels.intern("c"));
    let small: Vec<Lts> = Small::properties(3, 2).iter().collect();
    let properties: Vec<Lts> = Small::properties(2, 2).iter().collect();
    let options = all_options();
    let mut number = 0;
    for one in &small {
        for two in &small {
            number += 1;
            if number % 29 != 0 {
                continue;
            }
            let property = &properties[number % properties.len()];
            let two = match number % 3 {
                0 => two.map_labels(|l| if l == b { c } else { l }),
                _ => two.clone(),
            };
            let network = pair(&labels, one, &two, property);
            let what = format!("pair {number}");
            check_one(
                &network,
                &[number % 2],
                &options[number % options.len()],
                &what,
            );
            if number % 5 == 0 {
                check_definition(&network, &[number % 2], &what);
            }
        }
    }
}

#[test]
fn all_small_nondeterministic_components_are_right() {
    let labels = random::labels(2);
    let partners: Vec<Lts> = Small::properties(3, 2).iter().collect();
    let properties: Vec<Lts> = Small::properties(2, 2).iter().collect();
    let options = all_options();
    for (number, one) in Small::standard().iter().enumerate().step_by(11) {
        let partner = &partners[number * 31 % partners.len()];
        let property = &properties[number * 17 % properties.len()];
        let network = pair(&labels, &one, partner, property);
        let what = format!("component {number}");
        check_one(
            &network,
            &[number % 2],
            &options[number / 2 % options.len()],
            &what,
        );
        if number % 7 == 0 {
            check_definition(&network, &[number % 2], &what);
        }
    }
}

#[test]
fn processes_in_turn_give_the_same_verdict() {
    let shapes = Shape::refining();
    let orders = [
        Order::Given,
        Order::Interface,
        Order::Largest,
        Order::Smallest,
    ];
    for seed in 0..2000 {
        let mut rng = Rng::new(seed);
        let network = random::network(&mut rng, &shapes[seed as usize % shapes.len()]);
        for property in 0..network.properties.len() {
            let holds = naive::check(&network, Claim::Property(property)) == NaiveVerdict::Holds;
            let options = QuotientOptions {
                mode: [Mode::Minimal, Mode::Decide][seed as usize / 3 % 2],
                ..QuotientOptions::default()
            };
            let order = orders[seed as usize % 4];
            let cx = Context::default();
            let (answer, _) = quotient::in_turn(&network, property, &[], order, &options, &cx);
            let what = format!("seed {seed}, property {property}, {order:?}");
            assert_eq!(certified(&network, &answer, &what), holds, "{what}");
        }
    }
}

#[test]
fn limits_stop_it_at_any_moment() {
    for seed in 0..200 {
        let network = random::network(&mut Rng::new(seed), &Shape::default());
        for work in 0..12 {
            let cx = Context::default().with_work(work);
            let answer = quotient::check(&network, 0, &[0], &QuotientOptions::default(), &cx);
            if !matches!(answer.verdict, Verdict::Unknown(_)) {
                certified(&network, &answer, &format!("seed {seed}, work {work}"));
            }
        }
    }
}

#[test]
fn a_process_past_the_limit_is_refused() {
    let network = random::network(&mut Rng::new(3), &Shape::plain());
    let all: Vec<usize> = (0..network.components.len()).collect();
    let options = QuotientOptions {
        max_process_states: 0,
        ..QuotientOptions::default()
    };
    let answer = quotient::check(&network, 0, &all, &options, &Context::default());
    assert!(matches!(answer.verdict, Verdict::Unknown(_)));
    let answer = quotient::check(&network, 0, &[99], &options, &Context::default());
    assert!(matches!(answer.verdict, Verdict::Unknown(_)));
}

fn example(file: &str, n: i64) -> Network {
    let path = format!(
        "{}/../../../examples/fsp/{file}",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).unwrap();
    let options = suppose_frontends::LoadOptions {
        system: Some("SYS".to_owned()),
        constants: if n > 0 {
            vec![("N".to_owned(), n)]
        } else {
            Vec::new()
        },
        ..suppose_frontends::LoadOptions::default()
    };
    let input = suppose_frontends::Input::new(path, text);
    suppose_frontends::load(vec![input], &options)
        .unwrap()
        .network
}

/// A verdict, states explored, the largest state space, and milliseconds.
fn cost(answer: &Answer) -> String {
    let word = match &answer.verdict {
        Verdict::Holds(_) => "holds".to_owned(),
        Verdict::Violated(_) => "violated".to_owned(),
        Verdict::Unknown(reason) => format!("{reason:?}"),
    };
    let (run, ms) = (&answer.run, answer.run.elapsed.as_secs_f64() * 1e3);
    format!(
        "{word} A={} states={} largest={} {ms:.1}ms",
        run.assumption_peak, run.states, run.largest
    )
}

/// Two answers, where there are two, must agree.
fn same_verdict(one: &Answer, two: &Answer) {
    let holds = |a: &Answer| match a.verdict {
        Verdict::Holds(_) => Some(true),
        Verdict::Violated(_) => Some(false),
        Verdict::Unknown(_) => None,
    };
    if let (Some(one), Some(two)) = (holds(one), holds(two)) {
        assert_eq!(one, two);
    }
}

const FAMILIES: &[(&str, i64, &str)] = &[
    ("channel/channel.lts", 0, "Order"),
    ("gas-station/gas-station.lts", 3, "Change"),
    ("gas-station/gas-station.lts", 5, "Change"),
    ("chiron/chiron.lts", 3, "P2"),
    ("chiron/chiron.lts", 4, "P3"),
    ("mer/mer.lts", 3, "Exclusive"),
    ("mer/mer.lts", 5, "Exclusive"),
    ("rover/rover.lts", 3, "Clear"),
    ("client-server/client-server.lts", 5, "Mutex"),
    ("client-server/client-server.lts", 10, "Mutex"),
    ("links/links.lts", 3, "Order"),
    ("pipeline/pipeline.lts", 12, "First"),
    ("tree-arbiter/tree-arbiter.lts", 8, "Siblings"),
    ("token-ring/token-ring.lts", 8, "Mutex01"),
    ("token-ring/token-ring.lts", 12, "Mutex"),
    ("readers-writers/readers-writers.lts", 0, ""),
    ("lock-server/lock-server.lts", 0, ""),
];

#[test]
#[ignore = "prints what was measured"]
fn measure_the_examples() {
    let only = std::env::var("SUPPOSE_FAMILY").unwrap_or_default();
    for (file, n, name) in FAMILIES.iter().filter(|f| f.0.contains(&only)) {
        let network = example(file, *n);
        let found = network.properties.iter().position(|p| p.name() == *name);
        let property = found.unwrap_or(0);
        println!("== {file} N={n} {}", network.properties[property].name());
        let limit = || {
            let end = std::time::Instant::now() + std::time::Duration::from_secs(10);
            Context::default().with_deadline(end)
        };
        let whole = monolithic::check(&network, Claim::Property(property), &limit());
        println!("  monolithic  {}", cost(&whole));
        let groups = decompose::propose(&network, property, decompose::Strategy::default());
        let options = agar::AgarOptions::default();
        let answer = agar::check(&network, property, &groups, &options, &limit());
        println!("  agar        {}", cost(&answer));
        let options = learn::LearningOptions::default();
        let answer = learn::check(&network, property, &groups, &options, &limit());
        println!("  learn       {}", cost(&answer));
        for process in network.processes() {
            let lts = &network.components[process].lts;
            let decide = QuotientOptions::default();
            let answer = quotient::check(&network, property, &[process], &decide, &limit());
            same_verdict(&whole, &answer);
            println!("  {} |N|={}", lts.name(), lts.states());
            println!(
                "    decide    {} rounds={}",
                cost(&answer),
                answer.run.rounds.len()
            );
            for (mode, exact, merging) in [
                (Mode::Decide, false, Merging::Further),
                (Mode::Minimal, true, Merging::Repeated),
                (Mode::Minimal, true, Merging::Further),
                (Mode::Minimal, false, Merging::Further),
            ] {
                let options = QuotientOptions {
                    mode,
                    exact,
                    merging,
                    ..QuotientOptions::default()
                };
                let begun = std::time::Instant::now();
                let it = quotient::requirement(&network, property, &[process], &options, &limit());
                let ms = begun.elapsed().as_secs_f64() * 1e3;
                match it {
                    Ok(it) => println!(
                        "    {mode:?} exact={exact} {merging:?}: A={} quotient={} states={} largest={} rounds={} {ms:.1}ms",
                        it.assumption.lts.states(),
                        it.quotient.states(),
                        it.states,
                        it.largest,
                        it.rounds.len(),
                    ),
                    Err(why) => println!("    {mode:?} exact={exact} {merging:?}: {why:?}"),
                }
            }
        }
        for order in [
            Order::Given,
            Order::Interface,
            Order::Largest,
            Order::Smallest,
        ] {
            let (answer, turns) = quotient::in_turn(
                &network,
                property,
                &[],
                order,
                &QuotientOptions::default(),
                &limit(),
            );
            same_verdict(&whole, &answer);
            let sizes: Vec<String> = turns
                .iter()
                .map(|t| format!("{}->{}", t.states, t.requirement))
                .collect();
            println!("  {order:?}: {} {}", cost(&answer), sizes.join(" "));
        }
    }
}

/// Stopped after any number of rounds, the engine hands over an assumption that the process guarantees and that decides
/// the property as the process does; or the proof, if the property was decided by then.
#[test]
fn what_there_is_when_a_limit_comes_is_a_requirement() {
    let (mut handed, mut proved) = (0, 0);
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let network = random::network(&mut rng, &Shape::refining()[seed as usize % 3]);
        let process = [rng.below(network.components.len())];
        let options = QuotientOptions {
            mode: Mode::Minimal,
            merging: [Merging::Further, Merging::Repeated, Merging::Once][rng.below(3)],
            schedule: Schedule::PAPER,
            plain_states: 0,
            ..QuotientOptions::default()
        };
        let cx = Context::default().with_work(rng.below(25) as u64);
        for property in 0..network.properties.len() {
            let what = format!("seed {seed}, property {property}, {options:?}");
            let holds = naive::check(&network, Claim::Property(property)) == NaiveVerdict::Holds;
            let answer = quotient::check(&network, property, &process, &options, &cx);
            match (&answer.verdict, &answer.run.so_far) {
                (Verdict::Unknown(_), None) => {}
                (Verdict::Unknown(_), Some(so_far)) => {
                    handed += 1;
                    let (it, premise) = (&so_far.assumption, &so_far.premise);
                    let accepted =
                        suppose_certify::guarantee(&network, it, premise, &Context::default());
                    assert!(accepted.is_ok(), "{what}: {accepted:?}");
                    let other = replaced(&network, &process, &it.lts);
                    let again = naive::check(&other, Claim::Property(property));
                    assert_eq!(again == NaiveVerdict::Holds, holds, "{what}");
                }
                _ => {
                    proved += usize::from(answer.run.unfinished);
                    assert_eq!(certified(&network, &answer, &what), holds, "{what}");
                }
            }
        }
    }
    assert!(
        handed > 100 && proved > 5,
        "{handed} handed over, {proved} proved"
    );
}
