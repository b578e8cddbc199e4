//! All claims in one exploration, against each by itself: the same verdicts, shortest counterexamples, a relation
//! with the same vectors, and evidence that is accepted together exactly when each is by itself.

use std::sync::Arc;

use suppose_compose::{joint, monolithic};
use suppose_control::Context;
use suppose_model::lts::Network;
use suppose_model::{Answer, Certificate, Claim, Relation, SharedRelation, Verdict};
use suppose_testkit::naive::{self, NaiveVerdict};
use suppose_testkit::{Rng, Shape, random};

fn claims(network: &Network) -> Vec<Claim> {
    let properties = (0..network.properties.len()).map(Claim::Property);
    properties.chain([Claim::DeadlockFree]).collect()
}

fn together(network: &Network, claims: &[Claim]) -> Vec<Answer> {
    let mut answers = Vec::new();
    let mut tell = |more| answers.extend::<Vec<Answer>>(more);
    joint::check(network, claims, &Context::default(), &|_| true, &mut tell);
    answers.sort_by_key(|a| claims.iter().position(|c| *c == a.claim));
    answers
}

fn proofs(answers: &[Answer]) -> Vec<&Certificate> {
    let proof = |a: &'_ Answer| matches!(&a.verdict, Verdict::Holds(_));
    let held = answers.iter().filter(|a| proof(a));
    held.map(|a| match &a.verdict {
        Verdict::Holds(proof) => &**proof,
        _ => unreachable!("only what holds is left"),
    })
    .collect()
}

fn shape() -> Shape {
    Shape {
        properties: (2, 6),
        priority: 15,
        error: 10,
        allowed: 88,
        ..Shape::default()
    }
}

fn sorted(relation: &Relation) -> Vec<Vec<u32>> {
    let vectors = relation.vectors();
    let mut all: Vec<Vec<u32>> = vectors.iter().map(|r| vectors.layout().unpack(r)).collect();
    all.sort();
    all
}

#[test]
fn claims_together_get_the_answers_they_get_one_by_one() {
    let (mut held, mut violated, mut shared) = (0, 0, 0);
    for seed in 0..4000 {
        let network = random::network(&mut Rng::new(seed), &shape());
        let claims = claims(&network);
        let answers = together(&network, &claims);
        assert_eq!(answers.len(), claims.len(), "seed {seed}");
        for (answer, claim) in answers.iter().zip(&claims) {
            let what = format!("seed {seed}, {claim:?}");
            assert_eq!(answer.claim, *claim, "{what}");
            match (&answer.verdict, naive::check(&network, *claim)) {
                (Verdict::Holds(proof), NaiveVerdict::Holds) => {
                    held += 1;
                    let accepted =
                        suppose_certify::certificate(&network, proof, &Context::default());
                    assert!(accepted.is_ok(), "{what}: {accepted:?}");
                    let alone = monolithic::check(&network, *claim, &Context::default());
                    let Verdict::Holds(alone) = alone.verdict else {
                        panic!("{what}: not alone");
                    };
                    if *claim != Claim::DeadlockFree {
                        let alone = sorted(&alone.premises[0].relation);
                        assert_eq!(sorted(&proof.premises[0].relation), alone, "{what}");
                    }
                }
                (Verdict::Violated(run), NaiveVerdict::Violated { shortest }) => {
                    violated += 1;
                    assert_eq!(run.steps.len(), shortest, "{what}");
                    let accepted = suppose_certify::counterexample(&network, run);
                    assert!(accepted.is_ok(), "{what}: {accepted:?}");
                }
                (found, expected) => panic!("{what}: {found:?} instead of {expected:?}"),
            }
        }
        let proofs = proofs(&answers);
        shared += usize::from(proofs.len() > 1);
        for result in suppose_certify::certificates(&network, &proofs, &Context::default()) {
            assert!(result.is_ok(), "seed {seed}: {result:?}");
        }
    }
    let enough = held > 2000 && violated > 2000 && shared > 500;
    assert!(enough, "{held} held, {violated} did not, {shared} shared");
}

/// The same certificates about a damaged relation.
fn damaged(proofs: &[&Certificate], damage: impl Fn(&mut SharedRelation)) -> Vec<Certificate> {
    let mut all: Vec<Certificate> = proofs.iter().map(|p| (*p).clone()).collect();
    let Relation::Shared { whole, .. } = &all[0].premises[0].relation else {
        panic!("not shared");
    };
    let mut changed = (**whole).clone();
    damage(&mut changed);
    let changed = Arc::new(changed);
    for proof in &mut all {
        if let Relation::Shared { whole, .. } = &mut proof.premises[0].relation {
            *whole = Arc::clone(&changed);
        }
    }
    all
}

#[test]
fn a_damaged_relation_is_judged_together_as_it_is_one_by_one() {
    let (mut rejected, mut accepted) = (0, 0);
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let network = random::network(&mut rng, &shape());
        let answers = together(&network, &claims(&network));
        let proofs = proofs(&answers);
        if proofs.len() < 2 {
            continue;
        }
        let (bit, way) = (rng.next_u64() as usize, rng.below(5));
        let all = damaged(&proofs, |whole| match way {
            0 | 1 if !whole.rows.is_empty() => {
                let at = bit % (whole.rows.len() * 64);
                whole.rows[at / 64] ^= 1 << (at % 64);
            }
            2 => whole.rows.truncate(bit % (whole.rows.len() + 1)),
            3 if !whole.columns.is_empty() => {
                let at = bit % whole.columns.len();
                whole.columns[at].first = bit % 130;
            }
            _ if !whole.columns.is_empty() => {
                let at = bit % whole.columns.len();
                whole.columns[at].property = bit % 7;
            }
            _ => {}
        });
        let all: Vec<&Certificate> = all.iter().collect();
        let together = suppose_certify::certificates(&network, &all, &Context::default());
        for (proof, together) in all.iter().zip(together) {
            let alone = suppose_certify::certificate(&network, proof, &Context::default());
            assert_eq!(together.is_ok(), alone.is_ok(), "seed {seed}, way {way}");
            match alone {
                Ok(_) => accepted += 1,
                Err(_) => rejected += 1,
            }
        }
    }
    assert!(rejected > 300 && accepted > 300, "{rejected}, {accepted}");
}

#[test]
fn a_claim_that_nobody_wants_any_more_gets_no_answer() {
    let network = random::network(&mut Rng::new(7), &shape());
    let mut answers = Vec::new();
    let wanted = |claim| claim == Claim::DeadlockFree;
    let mut tell = |more: Vec<Answer>| answers.extend(more.iter().map(|a| a.claim));
    joint::check(
        &network,
        &claims(&network),
        &Context::default(),
        &wanted,
        &mut tell,
    );
    assert_eq!(answers, [Claim::DeadlockFree]);
}
