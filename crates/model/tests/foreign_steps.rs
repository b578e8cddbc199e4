//! Claims that are said to ignore foreign steps do: letters are put in and taken out at random, also in what is repeated.

#![allow(clippy::print_stdout)]

use suppose_model::lts::{Fairness, Label, Network, Proposition};
use suppose_testkit::claims::{random, satisfies};
use suppose_testkit::{Rng, random as models};

/// The same actions with others before and after each; the beginning of the cycle in the new ones.
fn stretched(
    rng: &mut Rng,
    actions: &[Option<Label>],
    cycle: usize,
) -> (Vec<Option<Label>>, usize) {
    let mut new = Vec::new();
    let mut begins = 0;
    for (at, action) in actions.iter().enumerate() {
        if at == cycle {
            begins = new.len();
        }
        new.extend((0..rng.below(3)).map(|_| None));
        new.push(*action);
    }
    new.extend((0..rng.below(3)).map(|_| None));
    (new, begins)
}

#[test]
fn foreign_steps_do_not_matter_where_it_is_said() {
    let labels = models::labels(4);
    let network = Network::new("n", labels);
    let known: Vec<Label> = network.labels.iter().filter(|l| !l.is_tau()).collect();
    let (mut ignoring, mut differ, mut held) = (0, 0, 0);
    for seed in 0..6000 {
        let mut rng = Rng::new(seed);
        let size = rng.between(1, 7);
        let claim = random(&mut rng, &network, Fairness::None, size);
        let ignores = claim.ignores_foreign_steps();
        ignoring += u32::from(ignores);
        let mut sees = false;
        for _ in 0..12 {
            let length = rng.between(1, 5);
            let word: Vec<Option<Label>> = (0..length)
                .map(|_| (!rng.percent(15)).then(|| known[rng.below(known.len())]))
                .collect();
            let cycle = rng.below(length);
            let (new, begins) = stretched(&mut rng, &word, cycle);
            let was = satisfies(&claim, &word, cycle);
            held += u32::from(ignores && was);
            let same = was == satisfies(&claim, &new, begins);
            assert!(
                same || !ignores,
                "seed {seed}: {claim:?} {word:?} {cycle} {new:?} {begins}"
            );
            sees |= !same;
        }
        differ += u32::from(sees);
    }
    println!(
        "{ignoring} claims ignore foreign steps and {differ} do not, {held} words satisfy one"
    );
    assert!(ignoring > 600 && differ > 1500 && held > 4000);
}

#[test]
fn what_ignores_foreign_steps_and_what_does_not() {
    use suppose_model::lts::Temporal::{Literal, Next, Or, Release, True, Until};
    let mut labels = models::labels(3);
    let [a, b, c] = ["a", "b", "c"].map(|l| labels.intern(l));
    let network = Network::new("n", labels);
    let mut claim = random(&mut Rng::new(1), &network, Fairness::None, 0);
    claim.propositions = vec![
        Proposition::Actions(vec![a]),
        Proposition::Actions(vec![b]),
        Proposition::Fluent {
            starts: vec![c],
            ends: vec![a],
            initially: false,
        },
    ];
    let mut ignores = |nodes: &[suppose_model::lts::Temporal]| {
        claim.nodes = vec![True, suppose_model::lts::Temporal::False];
        claim.nodes.extend_from_slice(nodes);
        claim.root = claim.nodes.len() as u32 - 1;
        claim.ignores_foreign_steps()
    };
    let (a, not_a, b) = (Literal(0, true), Literal(0, false), Literal(1, true));
    let (fluent, not_fluent) = (Literal(2, true), Literal(2, false));
    // [] (a -> <> b)
    let response = [
        not_a.clone(),
        b.clone(),
        Until(0, 3),
        Or(vec![2, 4]),
        Release(1, 5),
    ];
    assert!(ignores(&response));
    // [] (F -> <> b): an action that sets F and is b at once makes a difference only before the next.
    let mixed = [
        not_fluent,
        b.clone(),
        Until(0, 3),
        Or(vec![2, 4]),
        Release(1, 5),
    ];
    assert!(!ignores(&mixed));
    assert!(ignores(&[a.clone(), Until(0, 2), Release(1, 3)]));
    assert!(!ignores(&[not_a.clone(), Until(0, 2), Release(1, 3)]));
    assert!(ignores(&[not_a.clone(), Release(1, 2), Until(0, 3)]));
    assert!(ignores(&[not_a, b.clone(), Until(2, 3)]));
    assert!(!ignores(&[a.clone(), b, Until(2, 3)]));
    assert!(!ignores(&[a, Next(2)]));
    assert!(ignores(&[fluent.clone(), Until(0, 2), Release(1, 3)]));
    // <> F is false before, so it does not matter what comes first; F alone does.
    assert!(ignores(&[fluent.clone(), Until(0, 2)]));
    assert!(!ignores(&[fluent]));
}
