//! Damaged evidence about properties is rejected.

use super::*;

#[test]
fn damaged_evidence_is_rejected() {
    let system = walk(8, rat(2, 5));
    // (1 - r) / (1 - r^8) with r = 3/2.
    let exact = greatest(&system, None).0;
    let limits = SizeLimits::default();
    let holds = eventually(Comparison::AtMost, exact.clone(), None);
    let cx = Context::default();
    let answer = check(
        &system,
        &holds,
        &Engine::Monolithic,
        PctlOptions::default(),
        &cx,
    );
    let PropertyVerdict::Holds(proof) = answer.verdict else {
        panic!("it holds");
    };
    let test = |proof: &PropertyCertificate| {
        property::certificate(
            &system,
            &holds,
            proof,
            &limits,
            &suppose_control::Context::default(),
        )
    };
    assert_eq!(test(&proof), Ok(()));
    let Bound::Inductive(inductive) = &proof.bounds[0] else {
        panic!("an inductive bound");
    };
    for state in 0..inductive.values.len() {
        for change in [rat(1, 1_000_000_000), rat(-1, 1_000_000_000)] {
            let mut damaged = proof.clone();
            let Bound::Inductive(it) = &mut damaged.bounds[0] else {
                unreachable!("as before");
            };
            let Numbers::Exact(values) = &mut it.values else {
                panic!("fractions");
            };
            values[state] = &values[state] + &change;
            // The bound is tight, so no number inside can move.
            if values[state].is_negative() || inductive.values.is_positive(state) {
                assert!(test(&damaged).is_err(), "value {state}");
            }
        }
    }
    let mut damaged = proof.clone();
    damaged.bounds.clear();
    assert!(test(&damaged).is_err());
    let mut damaged = proof.clone();
    damaged.bounds.push(proof.bounds[0].clone());
    assert!(test(&damaged).is_err());
    let mut damaged = proof.clone();
    damaged.groups.push(Vec::new());
    assert!(test(&damaged).is_err());
    let mut damaged = proof.clone();
    damaged.groups[0].clear();
    assert!(test(&damaged).is_err());
    let mut damaged = proof;
    damaged.bounds[0] = Bound::Steps {
        steps: 1,
        bits: None,
    };
    assert!(test(&damaged).is_err());
}

#[test]
fn damaged_lower_bounds_are_rejected() {
    let system = walk(8, rat(2, 5));
    let query = Query::Greatest(PathFormula::Until {
        left: StateFormula::True,
        right: StateFormula::Proposition(0),
        steps: None.into(),
    });
    let cx = Context::default();
    let found = value(&system, &query, PctlOptions::default(), &cx)
        .value
        .expect("a value");
    let limits = SizeLimits::default();
    let test = |found: &ValueEvidence| {
        property::value(
            &system,
            &query,
            found,
            &limits,
            &suppose_control::Context::default(),
        )
    };
    assert_eq!(test(&found), Ok(()));
    let mut damaged = found.clone();
    damaged.lower = Amount::Finite(&finite(&found.lower) + &rat(1, 1_000_000));
    assert!(test(&damaged).is_err());
    let mut damaged = found.clone();
    damaged.upper = Amount::Finite(&finite(&found.upper) - &rat(1, 1_000_000));
    assert!(test(&damaged).is_err());
    type Damage = fn(&mut suppose_model::mdp::Inductive);
    let damages: [Damage; 5] = [
        |it| it.ranks.fill(0),
        |it| it.ranks.clear(),
        |it| it.scheduler.clear(),
        |it| it.scheduler.fill(9),
        |it| it.values = Numbers::Exact(vec![Rat::ONE; it.values.len()]),
    ];
    for (number, damage) in damages.into_iter().enumerate() {
        let mut damaged = found.clone();
        let Bound::Inductive(it) = &mut damaged.lower_bounds[0] else {
            panic!("an inductive bound");
        };
        damage(it);
        assert!(test(&damaged).is_err(), "damage {number}");
    }
}

#[test]
fn damaged_trees_are_rejected() {
    let system = walk(5, rat(1, 2));
    let formula = eventually(Comparison::AtMost, rat(1, 8), None);
    let cx = Context::default();
    let answer = check(
        &system,
        &formula,
        &Engine::Monolithic,
        PctlOptions::default(),
        &cx,
    );
    let PropertyVerdict::Violated(found) = answer.verdict else {
        panic!("the probability is 1/5");
    };
    let PropertyCounterexample::Tree(tree) = *found else {
        panic!("a tree");
    };
    let limits = SizeLimits::default();
    let test = |tree: suppose_model::mdp::Counterexample| {
        let found = PropertyCounterexample::Tree(Box::new(tree));
        property::counterexample(
            &system,
            &formula,
            &found,
            &limits,
            &suppose_control::Context::default(),
        )
    };
    assert_eq!(test((*tree).clone()), Ok(()));
    for node in 0..tree.states.len() {
        let mut damaged = (*tree).clone();
        damaged.states[node] = vec![(damaged.states[node][0] + 1) % 6].into();
        assert!(test(damaged).is_err(), "node {node}");
    }
    let mut damaged = (*tree).clone();
    damaged.states.pop();
    assert!(test(damaged).is_err());
    let mut only = LptsBuilder::new("root");
    only.states(1);
    let damaged = suppose_model::mdp::Counterexample {
        tree: only.build(),
        states: vec![vec![1].into()],
    };
    assert!(test(damaged).is_err());
}
