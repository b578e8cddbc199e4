//! Probabilistic properties: values and verdicts against the naive oracle, evidence against the checker.

mod damaged;

use suppose_certify::mdp::property;
use suppose_control::Context;
use suppose_mdp::pctl::{
    Effort, Engine, PctlOptions, PropertyAnswer, PropertyVerdict, check, value,
};
use suppose_model::lts::{Label, Labels};
use suppose_model::mdp::{
    Amount, Bound, Comparison, Component, LptsBuilder, Numbers, PathFormula, PropertyCertificate,
    PropertyCounterexample, Proposition, Query, SizeLimits, State, StateFormula, System,
    ValueEvidence,
};
use suppose_number::{Int, Rat};
use suppose_testkit::markov_pctl::{
    MarkovShape, holds, probability, random_formula, random_paths, random_reward_paths,
    random_safe_formula, random_system, reward, schedulers, whole, with_random_rewards,
};
use suppose_testkit::{Rng, for_each_seed};

const TINY: MarkovShape = MarkovShape {
    components: 2,
    states: 4,
    choices: 2,
    branches: 3,
    weight: 4,
};

fn rat(num: i64, den: i64) -> Rat {
    Rat::new(Int::from(num), Int::from(den))
}

/// Bounds found with floating-point numbers only, wherever there is a cycle.
fn rough() -> PctlOptions {
    PctlOptions {
        effort: Effort { digits: 0 },
        ..PctlOptions::default()
    }
}

fn tiny(rng: &mut Rng) -> (System, suppose_model::mdp::Lpts) {
    loop {
        let system = random_system(rng, &TINY);
        let built = whole(&system);
        if schedulers(&built) <= 200 && built.states() <= 12 {
            return (system, built);
        }
    }
}

/// The checker's word on an answer's evidence.
fn accepted(
    system: &System,
    formula: &StateFormula,
    answer: &PropertyAnswer,
) -> Result<(), property::Flaw> {
    let limits = SizeLimits::default();
    match &answer.verdict {
        PropertyVerdict::Holds(proof) => property::certificate(
            system,
            formula,
            proof,
            &limits,
            &suppose_control::Context::default(),
        ),
        PropertyVerdict::Violated(found) => property::counterexample(
            system,
            formula,
            found,
            &limits,
            &suppose_control::Context::default(),
        ),
        PropertyVerdict::Unknown(_) => Ok(()),
    }
}

fn expect(system: &System, formula: &StateFormula, engine: &Engine, expected: bool) {
    let cx = Context::default();
    let answer = check(system, formula, engine, PctlOptions::default(), &cx);
    let verdict = match &answer.verdict {
        PropertyVerdict::Holds(_) => true,
        PropertyVerdict::Violated(_) => false,
        PropertyVerdict::Unknown(why) => panic!("{} is unknown: {why:?}", formula.display(system)),
    };
    assert_eq!(verdict, expected, "{}", formula.display(system));
    let checked = accepted(system, formula, &answer);
    assert_eq!(checked, Ok(()), "{}", formula.display(system));
}

#[test]
fn values_are_those_of_the_oracle() {
    for_each_seed(4_000, |rng| {
        let (system, built) = tiny(rng);
        let paths = random_paths(rng, &system, rng.clone().below(2));
        for greatest in [true, false] {
            let expected = &probability(&built, &paths, greatest)[0];
            let query = match greatest {
                true => Query::Greatest(paths.clone()),
                false => Query::Least(paths.clone()),
            };
            let cx = Context::default();
            let exact = value(&system, &query, PctlOptions::default(), &cx);
            let exact = exact.value.expect("a value");
            assert_eq!(
                (finite(&exact.lower), finite(&exact.upper)),
                (expected.clone(), expected.clone())
            );
            let limits = SizeLimits::default();
            let checked = property::value(
                &system,
                &query,
                &exact,
                &limits,
                &suppose_control::Context::default(),
            );
            assert_eq!(checked, Ok(()));
            let about = value(&system, &query, rough(), &cx);
            let about = about.value.expect("bounds");
            assert!(finite(&about.lower) <= *expected && *expected <= finite(&about.upper));
            let checked = property::value(
                &system,
                &query,
                &about,
                &limits,
                &suppose_control::Context::default(),
            );
            assert_eq!(checked, Ok(()));
        }
    });
}

#[test]
fn rewards_are_those_of_the_oracle() {
    for_each_seed(4_000, |rng| {
        let (system, _) = tiny(rng);
        let system = with_random_rewards(rng, &system);
        let lpts = &system.components[0].lpts;
        let paths = random_reward_paths(rng, &system);
        for greatest in [true, false] {
            let expected = &reward(lpts, 0, &paths, greatest)[lpts.initial() as usize];
            let query = Query::Reward {
                greatest,
                structure: 0,
                paths: paths.clone(),
            };
            let cx = Context::default();
            let limits = SizeLimits::default();
            let exact = value(&system, &query, PctlOptions::default(), &cx);
            let exact = exact.value.expect("a value");
            assert_eq!(
                (&exact.lower, &exact.upper),
                (expected, expected),
                "{query:?}"
            );
            let checked = property::value(
                &system,
                &query,
                &exact,
                &limits,
                &suppose_control::Context::default(),
            );
            assert_eq!(checked, Ok(()), "{query:?}");
            let about = value(&system, &query, rough(), &cx);
            let about = about.value.expect("bounds");
            assert!(
                about.lower <= *expected && *expected <= about.upper,
                "{query:?}"
            );
            if let (Amount::Finite(low), Amount::Finite(high)) = (&about.lower, &about.upper) {
                assert!(high - low < rat(1, 1_000_000), "{query:?}");
            }
            let checked = property::value(
                &system,
                &query,
                &about,
                &limits,
                &suppose_control::Context::default(),
            );
            assert_eq!(checked, Ok(()), "{query:?}");
            // What was said of a lesser or greater reward is refused.
            if let Amount::Finite(number) = expected {
                let mut wrong = exact.clone();
                wrong.lower = Amount::Finite(number + &rat(1, 1_000_000));
                let checked = property::value(
                    &system,
                    &query,
                    &wrong,
                    &limits,
                    &suppose_control::Context::default(),
                );
                assert!(checked.is_err());
                let mut wrong = exact.clone();
                wrong.upper = Amount::Finite(number - &rat(1, 1_000_000));
                let checked = property::value(
                    &system,
                    &query,
                    &wrong,
                    &limits,
                    &suppose_control::Context::default(),
                );
                assert!(checked.is_err());
                let mut wrong = exact;
                wrong.lower = Amount::Infinite;
                let checked = property::value(
                    &system,
                    &query,
                    &wrong,
                    &limits,
                    &suppose_control::Context::default(),
                );
                assert!(checked.is_err());
            }
        }
    });
}

#[test]
fn bounds_on_rewards_are_decided_and_proved() {
    for_each_seed(2_000, |rng| {
        let (system, _) = tiny(rng);
        let system = with_random_rewards(rng, &system);
        let lpts = &system.components[0].lpts;
        let comparisons = [
            Comparison::AtMost,
            Comparison::Below,
            Comparison::AtLeast,
            Comparison::Above,
        ];
        let formula = StateFormula::Reward {
            comparison: comparisons[rng.below(4)],
            bound: rat(rng.between(0, 12) as i64, rng.between(1, 3) as i64),
            structure: 0,
            paths: Box::new(random_reward_paths(rng, &system)),
        };
        let formula = match rng.percent(30) {
            true => StateFormula::Probability {
                comparison: comparisons[rng.below(4)],
                bound: rat(1, 2),
                paths: Box::new(PathFormula::Until {
                    left: StateFormula::True,
                    right: formula,
                    steps: None.into(),
                }),
            },
            false => formula,
        };
        let expected = holds(lpts, &formula)[lpts.initial() as usize];
        expect(&system, &formula, &Engine::Monolithic, expected);
    });
}

#[test]
fn verdicts_are_those_of_the_oracle() {
    for_each_seed(6_000, |rng| {
        let (system, built) = tiny(rng);
        let depth = rng.between(1, 2);
        let formula = random_formula(rng, &system, depth);
        let expected = holds(&built, &formula)[0];
        expect(&system, &formula, &Engine::Monolithic, expected);
        let cx = Context::default();
        let answer = check(&system, &formula, &Engine::Monolithic, rough(), &cx);
        assert_eq!(accepted(&system, &formula, &answer), Ok(()));
        match answer.verdict {
            PropertyVerdict::Holds(_) => assert!(expected),
            PropertyVerdict::Violated(_) => assert!(!expected),
            PropertyVerdict::Unknown(_) => {}
        }
    });
}

#[test]
fn preserved_properties_have_trees() {
    let mut trees = 0;
    for_each_seed(4_000, |rng| {
        let (system, built) = tiny(rng);
        let depth = rng.between(1, 2);
        let formula = random_safe_formula(rng, &system, depth);
        assert_eq!(formula.preserved(), Ok(()));
        let expected = holds(&built, &formula)[0];
        expect(&system, &formula, &Engine::Monolithic, expected);
        let cx = Context::default();
        let answer = check(
            &system,
            &formula,
            &Engine::Monolithic,
            PctlOptions::default(),
            &cx,
        );
        if let PropertyVerdict::Violated(found) = answer.verdict {
            trees += u32::from(matches!(*found, PropertyCounterexample::Tree(_)));
        }
    });
    assert!(trees > 0);
}

#[test]
fn all_engines_agree() {
    let shape = MarkovShape {
        components: 3,
        states: 3,
        ..TINY
    };
    let mut refined = 0;
    for_each_seed(2_000, |rng| {
        let system = random_system(rng, &shape);
        let built = whole(&system);
        if schedulers(&built) > 200 || built.states() > 12 {
            return;
        }
        let depth = rng.between(1, 2);
        let formula = random_safe_formula(rng, &system, depth);
        let expected = holds(&built, &formula)[0];
        let all: Vec<usize> = (0..system.components.len()).collect();
        let groups: Vec<Vec<usize>> = all.iter().rev().map(|c| vec![*c]).collect();
        let mut engines = vec![Engine::AgarN { groups }, Engine::Auto];
        engines.extend(all.iter().map(|c| Engine::Agar { first: vec![*c] }));
        for engine in &engines {
            let cx = Context::default();
            let answer = check(&system, &formula, engine, PctlOptions::default(), &cx);
            let shown = formula.display(&system);
            assert_eq!(
                accepted(&system, &formula, &answer),
                Ok(()),
                "{shown} by {engine:?}"
            );
            refined += usize::from(answer.run.rounds.len() > 1);
            match answer.verdict {
                PropertyVerdict::Holds(_) => assert!(expected, "{shown} by {engine:?}"),
                PropertyVerdict::Violated(_) => assert!(!expected, "{shown} by {engine:?}"),
                // A strict bound may be reached in the limit only, which no finite behaviour shows.
                PropertyVerdict::Unknown(why) => {
                    assert!(
                        format!("{why:?}").contains("no finite"),
                        "{why:?}: {shown} by {engine:?}"
                    );
                }
            }
        }
    });
    assert!(refined > 0);
}

/// One component with a proposition 0 that is true in `bad`.
fn single(build: impl FnOnce(&mut LptsBuilder, Label), bad: &[usize]) -> System {
    let mut labels = Labels::new();
    let a = labels.intern("a");
    let mut system = System::new("single", labels);
    let mut it = LptsBuilder::new("m");
    build(&mut it, a);
    it.proposition(0, bad.iter().copied().collect());
    system.propositions.push(Proposition {
        name: "bad".to_owned(),
        component: 0,
    });
    system.components.push(Component {
        lpts: it.build(),
        members: vec!["m".to_owned()],
    });
    system
}

fn eventually(comparison: Comparison, bound: Rat, steps: Option<u64>) -> StateFormula {
    StateFormula::Probability {
        comparison,
        bound,
        paths: Box::new(PathFormula::Until {
            left: StateFormula::True,
            right: StateFormula::Proposition(0),
            steps: steps.into(),
        }),
    }
}

fn greatest(system: &System, steps: Option<u64>) -> (Rat, Rat) {
    let StateFormula::Probability { paths, .. } = eventually(Comparison::AtMost, Rat::ZERO, steps)
    else {
        unreachable!("it is one");
    };
    let query = Query::Greatest(*paths);
    let cx = Context::default();
    let found = value(system, &query, PctlOptions::default(), &cx)
        .value
        .expect("a value");
    let limits = SizeLimits::default();
    let checked = property::value(
        system,
        &query,
        &found,
        &limits,
        &suppose_control::Context::default(),
    );
    assert_eq!(checked, Ok(()));
    (finite(&found.lower), finite(&found.upper))
}

fn finite(amount: &Amount) -> Rat {
    amount.finite().expect("a number").clone()
}

#[test]
fn an_end_component_is_no_trap() {
    // 0 and 1 may go round forever; leaving is bad with a half.
    let system = single(
        |it, a| {
            it.edge(0, a, 1).edge(1, a, 0);
            it.choice(1, a, &[(2, rat(1, 2)), (3, rat(1, 2))]).unwrap();
        },
        &[2],
    );
    assert_eq!(greatest(&system, None), (rat(1, 2), rat(1, 2)));
    let whole = &Engine::Monolithic;
    expect(
        &system,
        &eventually(Comparison::AtMost, rat(1, 2), None),
        whole,
        true,
    );
    expect(
        &system,
        &eventually(Comparison::Below, rat(1, 2), None),
        whole,
        false,
    );
    expect(
        &system,
        &eventually(Comparison::AtLeast, Rat::ZERO, None),
        whole,
        true,
    );
    expect(
        &system,
        &eventually(Comparison::Above, Rat::ZERO, None),
        whole,
        false,
    );
    let cx = Context::default();
    let query = Query::Greatest(PathFormula::Until {
        left: StateFormula::True,
        right: StateFormula::Proposition(0),
        steps: None.into(),
    });
    let about = value(&system, &query, rough(), &cx).value.expect("bounds");
    assert!(&finite(&about.upper) - &finite(&about.lower) < rat(1, 1_000_000));
}

#[test]
fn ends_of_the_scale() {
    let never = single(
        |it, a| {
            it.edge(0, a, 0).states(2);
        },
        &[1],
    );
    let now = single(
        |it, _| {
            it.states(1);
        },
        &[0],
    );
    let whole = &Engine::Monolithic;
    for (system, value) in [(&never, 0), (&now, 1)] {
        assert_eq!(greatest(system, None).0, rat(value, 1));
        assert_eq!(greatest(system, Some(0)).0, rat(value, 1));
        for bound in [rat(-1, 2), Rat::ZERO, rat(1, 2), Rat::ONE, rat(3, 2)] {
            for comparison in [
                Comparison::AtMost,
                Comparison::Below,
                Comparison::AtLeast,
                Comparison::Above,
            ] {
                let expected = comparison.allows(&rat(value, 1), &bound);
                let formula = eventually(comparison, bound.clone(), None);
                expect(system, &formula, whole, expected);
                expect(
                    system,
                    &eventually(comparison, bound.clone(), Some(0)),
                    whole,
                    expected,
                );
            }
        }
    }
}

#[test]
fn a_deadlock_stays_for_ever() {
    let system = single(
        |it, a| {
            it.edge(0, a, 1);
        },
        &[1],
    );
    let always = StateFormula::Probability {
        comparison: Comparison::AtLeast,
        bound: Rat::ONE,
        paths: Box::new(PathFormula::Globally {
            always: StateFormula::Or(vec![
                StateFormula::Proposition(0),
                StateFormula::Not(Box::new(StateFormula::Deadlock)),
            ]),
            steps: None.into(),
        }),
    };
    expect(&system, &always, &Engine::Monolithic, true);
    let next = StateFormula::Probability {
        comparison: Comparison::AtLeast,
        bound: Rat::ONE,
        paths: Box::new(PathFormula::Next(StateFormula::Probability {
            comparison: Comparison::AtLeast,
            bound: Rat::ONE,
            paths: Box::new(PathFormula::Next(StateFormula::Proposition(0))),
        })),
    };
    expect(&system, &next, &Engine::Monolithic, true);
}

#[test]
fn huge_denominators_stay_exact() {
    let huge = (0..40).fold(Int::ONE, |n, _| &n * &Int::from(1_000_003));
    let tiny = Rat::new(Int::ONE, huge);
    let rest = &Rat::ONE - &tiny;
    let system = single(
        |it, a| {
            it.choice(
                0,
                a,
                &[
                    (0, rat(1, 3)),
                    (1, &tiny * &rat(1, 3)),
                    (2, &rest * &rat(1, 3)),
                    (3, rat(1, 3)),
                ],
            )
            .unwrap();
            it.edge(3, a, 0);
        },
        &[1],
    );
    let whole = &Engine::Monolithic;
    assert_eq!(greatest(&system, None).0, tiny);
    expect(
        &system,
        &eventually(Comparison::AtMost, tiny.clone(), None),
        whole,
        true,
    );
    let less = &tiny
        - &Rat::new(
            Int::ONE,
            (0..90).fold(Int::ONE, |n, _| &n * &Int::from(1_000_003)),
        );
    expect(
        &system,
        &eventually(Comparison::AtMost, less, None),
        whole,
        false,
    );
}

#[test]
fn a_lower_bound_on_one_component_is_decided_on_the_whole() {
    let system = single(
        |it, a| {
            it.edge(0, a, 1);
        },
        &[1],
    );
    let formula = eventually(Comparison::AtLeast, Rat::ONE, None);
    let engine = Engine::Agar { first: vec![0] };
    // With one component there is nothing to assume.
    expect(&system, &formula, &engine, true);
    expect(&system, &formula, &Engine::Auto, true);
}

#[test]
fn what_does_not_exist_is_said() {
    let system = single(
        |it, a| {
            it.edge(0, a, 1);
        },
        &[1],
    );
    let formula = StateFormula::Proposition(7);
    let answer = check(
        &system,
        &formula,
        &Engine::Auto,
        PctlOptions::default(),
        &Context::default(),
    );
    assert!(matches!(answer.verdict, PropertyVerdict::Unknown(_)));
}

/// A walk on `0..=last` that goes up with probability `up`, else down; bad at the top.
fn walk(last: State, up: Rat) -> System {
    single(
        |it, a| {
            for state in 1..last {
                let down = &Rat::ONE - &up;
                it.choice(state, a, &[(state + 1, up.clone()), (state - 1, down)])
                    .expect("a distribution");
            }
            it.initial(1);
        },
        &[last as usize],
    )
}

#[test]
fn the_same_numbers_however_long_the_walk() {
    // Fair: from 1 the top of 0..=n is reached with 1/n.
    for last in [2u32, 7, 40, 120] {
        let system = walk(last, rat(1, 2));
        assert_eq!(greatest(&system, None).0, rat(1, i64::from(last)));
    }
}

/// A sender that is done with probability `good` a round, else bad; and a clock that lets it go on.
fn sender_and_clock() -> System {
    let mut labels = Labels::new();
    let (send, tick) = (labels.intern("send"), labels.intern("tick"));
    let mut system = System::new("pair", labels);
    let mut sender = LptsBuilder::new("sender");
    let parts = [(0, rat(8, 10)), (1, rat(1, 10)), (2, rat(1, 10))];
    sender.choice(0, send, &parts).expect("a distribution");
    sender.proposition(0, [1].into_iter().collect());
    let mut clock = LptsBuilder::new("clock");
    for state in 0..6 {
        clock.edge(state, tick, (state + 1) % 6);
    }
    clock.edge(3, send, 4);
    system.propositions.push(Proposition {
        name: "bad".to_owned(),
        component: 0,
    });
    for it in [sender, clock] {
        system.components.push(Component {
            lpts: it.build(),
            members: Vec::new(),
        });
    }
    system
}

#[test]
fn damaged_assumptions_are_rejected() {
    let system = sender_and_clock();
    let formula = eventually(Comparison::AtMost, rat(1, 2), None);
    let engine = Engine::Agar { first: vec![0] };
    let cx = Context::default();
    let answer = check(&system, &formula, &engine, PctlOptions::default(), &cx);
    let PropertyVerdict::Holds(proof) = answer.verdict else {
        panic!("it holds: {:?}", answer.verdict);
    };
    assert_eq!(proof.assumptions[0].states(), 1, "no clock is needed");
    let limits = SizeLimits::default();
    let test = |proof: &PropertyCertificate| {
        property::certificate(
            &system,
            &formula,
            proof,
            &limits,
            &suppose_control::Context::default(),
        )
    };
    assert_eq!(test(&proof), Ok(()));
    type Damage = fn(&mut PropertyCertificate);
    let damages: [Damage; 9] = [
        |it| it.folds[0][2] = 1,
        |it| it.folds[0].truncate(3),
        |it| it.folds.clear(),
        |it| it.assumptions.clear(),
        |it| it.groups.swap(0, 1),
        |it| it.groups[1].clear(),
        // It can do nothing, so it simulates nothing.
        |it| {
            let mut none = LptsBuilder::new("none");
            none.extend_alphabet(it.assumptions[0].alphabet().iter().copied());
            it.assumptions[0] = none.build();
        },
        // It does not know an action, so that the sender would do it alone.
        |it| {
            let mut less = LptsBuilder::new("less");
            less.edge(0, it.assumptions[0].alphabet()[0], 0);
            it.assumptions[0] = less.build();
        },
        // It says of itself what only the sender knows.
        |it| {
            let mut liar = LptsBuilder::new("liar");
            for label in it.assumptions[0].alphabet() {
                liar.edge(0, *label, 0);
            }
            liar.proposition(0, [].into_iter().collect());
            it.assumptions[0] = liar.build();
        },
    ];
    for (number, damage) in damages.into_iter().enumerate() {
        let mut damaged = (*proof).clone();
        damage(&mut damaged);
        assert!(test(&damaged).is_err(), "damage {number}");
    }
}

#[test]
fn an_assumption_is_refined_until_it_is_enough() {
    let system = sender_and_clock();
    // Within six steps the clock lets the sender send once.
    let formula = eventually(Comparison::AtMost, rat(1, 10), Some(6));
    let groups = vec![vec![0], vec![1]];
    for engine in [Engine::Agar { first: vec![0] }, Engine::AgarN { groups }] {
        let cx = Context::default();
        let answer = check(&system, &formula, &engine, PctlOptions::default(), &cx);
        assert!(answer.run.rounds.len() > 1);
        expect(&system, &formula, &engine, true);
        let formula = eventually(Comparison::AtMost, rat(1, 11), Some(6));
        expect(&system, &formula, &engine, false);
    }
}
