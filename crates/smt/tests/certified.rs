//! Our solver's proofs pass the checker of certificates, also after they were written to a file and read back; and
//! they do not when they are taken for proofs of something else.
#![allow(clippy::unwrap_used)]

mod formulas;

use formulas::{Maker, pigeons};
use suppose_certify::Rejection;
use suppose_certify::chc::check_definitions;
use suppose_certify::chc::file::{Evidence, read, write_certificate};
use suppose_certify::file::{Model, ReadLimits};
use suppose_control::Context;
use suppose_model::chc::{Clause, Definitions, Horn, Proof, Sort, TermId, Terms};
use suppose_smt::prove;
use suppose_testkit::for_each_seed;

/// A system of one query without predicates: it holds iff the formula has no model.
fn query(terms: &Terms, constraint: TermId) -> Horn {
    Horn {
        terms: terms.clone(),
        predicates: Vec::new(),
        clauses: vec![Clause {
            body: Vec::new(),
            constraint,
            head: None,
            place: None,
        }],
    }
}

fn accepted(horn: &Horn, terms: &Terms, proof: &Proof) -> Result<(), String> {
    let evidence = Definitions {
        terms: terms.clone(),
        definitions: Vec::new(),
        proofs: vec![proof.clone()],
        about: None,
    };
    let models = [Model::of("clauses", b"")];
    let mut text = Vec::new();
    write_certificate(&mut text, horn, &models, &evidence).map_err(|e| e.to_string())?;
    let again =
        read(&text[..], horn, &models, &ReadLimits::default()).map_err(|e| e.to_string())?;
    let Evidence::Definitions(again) = again else {
        return Err("not what was written".to_owned());
    };
    let [first, second] =
        [&evidence, &*again].map(|evidence| check_definitions(horn, evidence, &Context::default()));
    match (first, second) {
        (Ok(_), Ok(_)) => Ok(()),
        (Err(Rejection::Flawed(a)), Err(Rejection::Flawed(_))) => Err(a.why),
        (a, b) => panic!("the file says something else: {a:?}, {b:?}"),
    }
}

#[test]
fn proofs_are_accepted() {
    let mut proofs = 0;
    for_each_seed(1500, |rng| {
        let sorts: &[Sort] = match rng.below(4) {
            0 => &[Sort::Int, Sort::Int, Sort::Int],
            1 => &[Sort::Bool, Sort::Int, Sort::Int],
            2 => &[Sort::Bool, Sort::Int, Sort::Real],
            _ => &[Sort::Bool, Sort::Real, Sort::Real],
        };
        let mut maker = Maker::new(sorts);
        let parts: Vec<TermId> = (0..3).map(|_| maker.formula(rng, 2)).collect();
        let formula = maker.terms.and(parts);
        let horn = query(&maker.terms, formula);
        let other = maker.formula(rng, 2);
        let weaker = query(&maker.terms, other);
        let terms = &mut maker.terms;
        if let Some(proof) = prove(terms, formula, &Context::default()).unwrap() {
            proofs += 1;
            assert_eq!(accepted(&horn, terms, &proof), Ok(()));
            // Of a formula with a model it is no proof.
            if prove(terms, other, &Context::default()).unwrap().is_none() {
                assert!(accepted(&weaker, terms, &proof).is_err());
            }
        }
    });
    if std::env::var_os("SUPPOSE_SEED").is_none() && std::env::var_os("SUPPOSE_CASES").is_none() {
        assert!(proofs > 300, "{proofs}");
    }
}

/// One pigeon more than holes: a long proof by propagation alone.
#[test]
fn long_proofs_are_accepted() {
    let mut terms = Terms::default();
    let formula = pigeons(&mut terms, 7);
    let horn = query(&terms, formula);
    let proof = prove(&mut terms, formula, &Context::default())
        .unwrap()
        .unwrap();
    assert_eq!(accepted(&horn, &terms, &proof), Ok(()));
    let mut short = proof.clone();
    short.steps = vec![proof.steps.last().unwrap().clone()];
    assert!(accepted(&horn, &terms, &short).is_err());
}
