//! The examples of Figs. 5.2 and 5.3, as the text describes them.

use suppose_control::Context;
use suppose_model::lts::{Label, State};
use suppose_model::mdp::{Lpts, LptsBuilder};
use suppose_number::{Int, Rat};
use suppose_testkit::markov::naive_simulation;

use super::encode::{Encoding, Folding};
use super::samples::{Forest, Negative};

const A: Label = Label(1);
const B: Label = Label(2);
const C: Label = Label(3);

fn rat(num: i64, den: i64) -> Rat {
    Rat::new(Int::from(num), Int::from(den))
}

fn tree(edges: &[(State, Label, State)]) -> Lpts {
    let mut it = LptsBuilder::new("sample");
    for (from, label, to) in edges {
        it.edge(*from, *label, *to);
    }
    it.build()
}

/// Node 0 is `s1`: `a` leads to `s2`, which does nothing; `b` leads to `s3`, which does `c` and is in `s4`.
fn positive() -> Forest {
    let mut forest = Forest::new();
    assert!(forest.add(&tree(&[(0, A, 1), (0, B, 2), (2, C, 3)])));
    forest
}

/// After `a`, `c` is possible with probability `beta`; it leads on with `gamma`.
fn after_a(beta: &Rat, gamma: &Rat) -> Negative {
    let mut it = LptsBuilder::new("sample");
    let rest = &Rat::ONE - beta;
    it.choice(0, A, &[(1, beta.clone()), (2, rest)]).unwrap();
    let rest = &Rat::ONE - gamma;
    it.choice(1, C, &[(3, gamma.clone()), (4, rest)]).unwrap();
    it.build()
}

/// `a` twice, `b` twice, and `c` after `a`.
fn negatives(betas: &[Rat]) -> Vec<Negative> {
    let mut all = vec![tree(&[(0, A, 1), (1, A, 2)]), tree(&[(0, B, 1), (1, B, 2)])];
    all.extend(betas.iter().map(|beta| after_a(beta, &rat(1, 2))));
    all
}

fn fold(folding: Folding, classes: usize, negatives: &[Negative]) -> Option<Lpts> {
    let alphabet = [A, B, C];
    Encoding::new(folding, classes)
        .solve(&positive(), negatives, &alphabet, &Context::default())
        .unwrap()
}

#[test]
fn the_least_partition_has_three_classes() {
    let negatives = negatives(&[rat(1, 2)]);
    assert!(fold(Folding::Partition, 1, &negatives).is_none());
    assert!(fold(Folding::Partition, 2, &negatives).is_none());
    let found = fold(Folding::Partition, 3, &negatives).unwrap();
    // H1: s1; s2; s3 with s4.
    let after = |label| {
        found
            .dist(found.choices_on(0, label)[0].dist)
            .dirac()
            .unwrap()
    };
    assert_eq!((found.states(), found.all_choices().len()), (3, 3));
    let (s2, s3) = (after(A), after(B));
    assert!(s2 != 0 && s3 != 0 && s2 != s3);
    assert!(found.choices(s2).is_empty());
    // s4 does nothing, so any class will do for it: all of these are least.
    let c = found.dist(found.choices_on(s3, C)[0].dist);
    assert!(c.dirac().is_some());
    // H1 itself agrees with the samples.
    let h1 = tree(&[(0, A, 1), (0, B, 2), (2, C, 2)]);
    for negative in &negatives {
        assert!(!naive_simulation(negative, &h1, &[])[0][0]);
    }
    let sample = tree(&[(0, A, 1), (0, B, 2), (2, C, 3)]);
    assert!(naive_simulation(&sample, &h1, &[])[0][0]);
}

#[test]
fn the_least_stochastic_partition_has_two_classes() {
    for beta in [rat(1, 1), rat(1, 2), rat(1, 1000)] {
        let negatives = negatives(std::slice::from_ref(&beta));
        assert!(fold(Folding::Stochastic, 1, &negatives).is_none());
        let found = fold(Folding::Stochastic, 2, &negatives).unwrap();
        // H of lambda: a leads from t1 to t2 with a probability lambda below beta, b and c to t2.
        let dist = found.dist(found.choices_on(0, A)[0].dist);
        let lambda = dist.probability(1);
        assert_eq!(found.choices_on(0, A).len(), 1);
        assert_eq!(dist.targets(), [0, 1]);
        assert!(lambda.is_positive() && lambda < beta, "{lambda}");
        assert!(found.choices_on(1, A).is_empty() && found.choices_on(1, B).is_empty());
        let c = found.dist(found.choices_on(1, C)[0].dist);
        assert_eq!(c.targets().last(), Some(&1));
        let b = found.dist(found.choices_on(0, B)[0].dist);
        assert_eq!(b.dirac(), Some(1));
    }
}

#[test]
fn samples_may_come_one_after_the_other() {
    let all = negatives(&[rat(1, 2), rat(1, 3)]);
    let forest = positive();
    let mut encoding = Encoding::new(Folding::Stochastic, 2);
    let cx = Context::default();
    for count in 0..=all.len() {
        let found = encoding.solve(&forest, &all[..count], &[A, B, C], &cx);
        let found = found.unwrap().unwrap();
        for negative in &all[..count] {
            let related = naive_simulation(negative, &found, &[]);
            assert!(!related[0][0]);
        }
    }
    // The adversary of Theorem 16: a guess of two states is refuted again and again, by its own probability.
    let mut betas = vec![rat(1, 2)];
    for _ in 0..10 {
        let found = fold(Folding::Stochastic, 2, &negatives(&betas)).unwrap();
        let lambda = found.dist(found.choices_on(0, A)[0].dist).probability(1);
        assert!(lambda < betas[betas.len() - 1]);
        betas.push(lambda);
    }
}
