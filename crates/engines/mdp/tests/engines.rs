//! All engines agree with each other and with the definition, and their evidence is accepted.

mod common;

use common::{conforms, free, random_system, verdict};
use suppose_mdp::{
    ChainOptions, Folding, LearnOptions, Splitting, agar, agar_n, cegar, learn, monolithic, smt,
};
use suppose_testkit::rng::{Rng, for_each_seed};

struct Case {
    holds: bool,
    rounds: usize,
}

fn check(rng: &mut Rng, components: usize, most: usize) -> Case {
    let (system, spec) = random_system(rng, components, most);
    let expected = conforms(&system, &spec);
    let cx = free();
    let options = ChainOptions {
        enabled: rng.percent(30),
        splitting: match rng.percent(50) {
            true => Splitting::First,
            false => Splitting::All,
        },
    };
    let mut order: Vec<usize> = (0..components).collect();
    for at in (1..components).rev() {
        order.swap(at, rng.below(at + 1));
    }
    let single: Vec<Vec<usize>> = order.iter().map(|c| vec![*c]).collect();
    let two = [order[..1].to_vec(), order[1..].to_vec()];
    let answers = [
        ("monolithic", monolithic(&system, &spec, &cx)),
        ("cegar", cegar(&system, &spec, options, &cx)),
        ("agar", agar(&system, &spec, &order[..1], options, &cx)),
        (
            "agar, two groups",
            agar_n(&system, &spec, &two, options, &cx),
        ),
        ("agar-n", agar_n(&system, &spec, &single, options, &cx)),
    ];
    for (engine, answer) in &answers {
        assert_eq!(verdict(&system, &spec, answer), Some(expected), "{engine}");
    }
    Case {
        holds: expected,
        rounds: answers[4].1.run.rounds.len(),
    }
}

fn check_learning(
    rng: &mut Rng,
    components: usize,
    most: usize,
    folding: Folding,
) -> Option<usize> {
    let (system, spec) = random_system(rng, components, most);
    let expected = conforms(&system, &spec);
    let options = LearnOptions {
        folding,
        guesses: 20,
    };
    let first = rng.below(components);
    // Not a limit of time: engines ask by what they do, so every machine gives up at the same place.
    let cx = free().with_work(20_000);
    let answer = learn(&system, &spec, &[first], options, &cx);
    let found = verdict(&system, &spec, &answer)?;
    assert_eq!(found, expected);
    Some(answer.run.rounds.len())
}

#[test]
fn learning_by_partitions() {
    let (mut decided, mut long, mut all) = (0, 0, 0);
    for_each_seed(300, |rng| {
        let rounds = check_learning(rng, 2, 3, Folding::Partition);
        decided += u32::from(rounds.is_some());
        long += u32::from(rounds.is_some_and(|n| n > 3));
        all += 1;
    });
    assert!(decided * 10 >= all * 7, "{decided} of {all}");
    assert!(
        all < 300 || long > 20,
        "{long} of {all} take more than three guesses"
    );
}

#[test]
fn learning_by_stochastic_partitions_always_ends() {
    for_each_seed(120, |rng| {
        let (system, spec) = random_system(rng, 2, 4);
        let expected = conforms(&system, &spec);
        let options = LearnOptions {
            folding: Folding::Stochastic,
            ..LearnOptions::default()
        };
        let first = rng.below(2);
        let answer = learn(&system, &spec, &[first], options, &free());
        assert_eq!(verdict(&system, &spec, &answer), Some(expected));
    });
}

/// On small systems only: one formula about everything takes long.
#[test]
fn one_formula_says_what_the_definition_says() {
    for_each_seed(150, |rng| {
        for (components, most) in [(1, 4), (2, 2)] {
            let (system, spec) = random_system(rng, components, most);
            let expected = conforms(&system, &spec);
            let answer = smt(&system, &spec, &free());
            assert_eq!(verdict(&system, &spec, &answer), Some(expected));
        }
    });
}

#[test]
fn two_components() {
    let (mut holds, mut long, mut all) = (0, 0, 0);
    for_each_seed(1500, |rng| {
        let case = check(rng, 2, 5);
        holds += u32::from(case.holds);
        long += u32::from(case.rounds > 3);
        all += 1;
    });
    let mixed = holds > all / 5 && holds < all * 4 / 5;
    assert!(all < 1500 || mixed, "{holds} of {all} hold");
    assert!(
        all < 1500 || long > 100,
        "{long} of {all} take more than three rounds"
    );
}

#[test]
fn three_components() {
    for_each_seed(600, |rng| {
        check(rng, 3, 3);
    });
}

#[test]
fn one_component_and_four() {
    for_each_seed(200, |rng| {
        check(rng, 1, 6);
        check(rng, 4, 2);
    });
}

#[test]
#[ignore = "takes long"]
fn many_of_all_sizes() {
    for_each_seed(200_000, |rng| {
        let components = rng.between(1, 4);
        check(rng, components, 6 - components);
    });
}
