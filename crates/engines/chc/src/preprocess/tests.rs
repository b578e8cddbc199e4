//! Simplified systems against the originals, on small domains with everything derived by trying all values.

use suppose_control::Context;
use suppose_model::chc::{App, Clause, Horn, Lin, Sort, Terms, Var};
use suppose_testkit::horn::{
    broken_clause, broken_step, definitions, derivation, derive, random, widest,
};
use suppose_testkit::{Rng, for_each_seed};

use super::{Passes, Preprocessed, Step, simplify, simplify_with};

const SIZE: i64 = 1;
/// Simplified clauses speak of sums, which may lie outside of the box.
const WIDER: i64 = 3;

/// Same verdict; evidence about the simplified system becomes evidence about the original one.
fn check(original: &Horn, passes: Passes) {
    let cx = Context::default();
    let Preprocessed { horn, back } = simplify_with(original, passes, &cx).expect("not stopped");
    if widest(&horn) > 6 {
        return;
    }
    let expected = derive(original, SIZE);
    let found = derive(&horn, WIDER);
    assert_eq!(found.violated, expected.violated);
    if let Some(found) = derivation(&found) {
        let translated = back.derivation(original, &horn.terms, &found);
        let translated = translated.expect("every step is one of the original");
        assert_eq!(broken_step(original, &translated), None);
    } else {
        let mut terms = horn.terms.clone();
        let solved = definitions(&horn, &mut terms, &found);
        let Some(translated) = back
            .definitions(&mut terms, &solved, &cx)
            .expect("not stopped")
        else {
            panic!("a definition was not found");
        };
        assert_eq!(broken_clause(original, &terms, &translated, SIZE), None);
        for (predicate, &definition) in original.predicates.iter().zip(&translated) {
            let stray = terms.variables(definition);
            assert!(stray.iter().all(|v| predicate.formals.contains(v)));
        }
    }
}

/// Each pass finds something to do in some of the random systems.
#[test]
fn all_passes_are_exercised() {
    let mut counts = [0; 4];
    for seed in 0..600 {
        let horn = random(&mut Rng::new(seed), SIZE);
        let simple = simplify(&horn, &Context::default()).expect("not stopped");
        for step in &simple.back.steps {
            let kind = match step {
                Step::Slice(_) => 0,
                Step::Constants(_) => 1,
                Step::Inline(_) => 2,
                Step::Split(_) => 3,
            };
            counts[kind] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
}

#[test]
fn random_systems() {
    for_each_seed(600, |rng: &mut Rng| {
        let horn = random(rng, SIZE);
        if widest(&horn) > 6 {
            return;
        }
        check(&horn, Passes::default());
    });
}

#[test]
fn random_systems_with_single_passes() {
    let none = Passes {
        arguments: false,
        inline: false,
        split: false,
    };
    for_each_seed(150, |rng: &mut Rng| {
        let horn = random(rng, SIZE);
        if widest(&horn) > 6 {
            return;
        }
        check(&horn, none);
        check(
            &horn,
            Passes {
                arguments: true,
                ..none
            },
        );
        check(
            &horn,
            Passes {
                inline: true,
                ..none
            },
        );
        check(
            &horn,
            Passes {
                split: true,
                ..none
            },
        );
    });
}

struct Builder {
    horn: Horn,
}

impl Builder {
    fn var(&mut self, name: &str) -> Var {
        self.horn.terms.fresh(name, Sort::Int)
    }

    fn clause(&mut self, body: &[(u32, &[Var])], parts: &[Lin], head: Option<(u32, &[Var])>) {
        let app = |(pred, args): (u32, &[Var])| App {
            pred: suppose_model::chc::Pred(pred),
            args: args.to_vec(),
        };
        let mut conjuncts = Vec::new();
        for lin in parts {
            conjuncts.push(self.horn.terms.eq(lin.clone()));
        }
        let constraint = self.horn.terms.and(conjuncts);
        self.horn.clauses.push(Clause {
            body: body.iter().map(|&a| app(a)).collect(),
            constraint,
            head: head.map(app),
            place: None,
        });
    }
}

/// A loop with a program counter, a constant and a variable that nothing reads:
/// `p(pc, x, two, junk)` from location 0 to 1, where a query asks for `x = 5`.
fn counter() -> Horn {
    let mut b = Builder {
        horn: Horn::default(),
    };
    b.horn.add_predicate("p", &[Sort::Int; 4]);
    b.horn.add_predicate("middle", &[Sort::Int]);
    let [pc, x, two, junk] = ["pc", "x", "two", "junk"].map(|n| b.var(n));
    let is = |v: Var, n: i64| Lin::var(v).plus(-n);
    b.clause(
        &[],
        &[is(pc, 0), is(x, 0), is(two, 2)],
        Some((0, &[pc, x, two, junk])),
    );
    let [pc, x, two, junk, y] = ["pc", "x", "two", "junk", "y"].map(|n| b.var(n));
    let next = Lin::var(x).add(&Lin::var(two)).sub(&Lin::var(y));
    b.clause(
        &[(0, &[pc, x, two, junk])],
        &[is(pc, 0), next],
        Some((0, &[pc, y, two, junk])),
    );
    let [pc, x, two, junk] = ["pc", "x", "two", "junk"].map(|n| b.var(n));
    b.clause(&[(0, &[pc, x, two, junk])], &[is(pc, 0)], Some((1, &[x])));
    let [pc, x, two, junk] = ["pc", "x", "two", "junk"].map(|n| b.var(n));
    b.clause(&[(1, &[x])], &[is(pc, 1)], Some((0, &[pc, x, two, junk])));
    let [pc, x, two, junk] = ["pc", "x", "two", "junk"].map(|n| b.var(n));
    b.clause(&[(0, &[pc, x, two, junk])], &[is(pc, 1), is(x, 5)], None);
    b.horn
}

#[test]
fn a_program_counter_becomes_predicates_and_the_rest_goes() {
    let original = counter();
    let cx = Context::default();
    let simple = simplify(&original, &cx).expect("not stopped");
    // One loop over one variable is left.
    assert_eq!(simple.horn.predicates.len(), 1);
    assert_eq!(simple.horn.predicates[0].formals.len(), 1);
    assert_eq!(simple.horn.clauses.len(), 3);
    // That x is even is an invariant; it must become one of everything.
    let mut terms = simple.horn.terms.clone();
    let x = simple.horn.predicates[0].formals[0];
    let even = terms.divides(&2.into(), &Lin::var(x));
    let found = simple.back.definitions(&mut terms, &[even], &cx);
    let found = found.expect("not stopped").expect("found");
    assert_eq!(broken_clause(&original, &terms, &found, 3), None);
    assert_ne!(found[1], Terms::FALSE);
}

#[test]
fn what_cannot_matter_is_gone() {
    let mut b = Builder {
        horn: Horn::default(),
    };
    for name in ["needed", "idle", "never"] {
        b.horn.add_predicate(name, &[Sort::Int]);
    }
    let x = b.var("x");
    b.clause(&[], &[Lin::var(x)], Some((0, &[x])));
    let x = b.var("x");
    b.clause(&[(0, &[x])], &[], Some((1, &[x])));
    let x = b.var("x");
    b.clause(&[(2, &[x])], &[], Some((0, &[x])));
    let x = b.var("x");
    b.clause(&[(0, &[x]), (2, &[x])], &[], None);
    let original = b.horn;
    let cx = Context::default();
    let simple = simplify(&original, &cx).expect("not stopped");
    assert!(simple.horn.clauses.is_empty());
    let mut terms = simple.horn.terms.clone();
    let found = simple.back.definitions(&mut terms, &[], &cx);
    let found = found.expect("not stopped").expect("found");
    assert_eq!(broken_clause(&original, &terms, &found, 2), None);
}

/// `p` is 0 only because `q`, which would give it 5, is never derived: so `q` must become false.
#[test]
fn what_is_never_derived_is_false() {
    let mut b = Builder {
        horn: Horn::default(),
    };
    b.horn.add_predicate("p", &[Sort::Int]);
    b.horn.add_predicate("q", &[Sort::Int]);
    let is = |v: Var, n: i64| Lin::var(v).plus(-n);
    let x = b.var("x");
    b.clause(&[], &[is(x, 0)], Some((0, &[x])));
    let x = b.var("x");
    b.clause(&[(0, &[x])], &[is(x, 1)], Some((1, &[x])));
    // The equation keeps the argument of `q` in use.
    let [x, y, z] = ["x", "y", "z"].map(|n| b.var(n));
    let even = Lin::var(x).sub(&Lin::var(z).scale(&2.into()));
    b.clause(&[(1, &[x])], &[even, is(y, 5)], Some((0, &[y])));
    let x = b.var("x");
    b.clause(&[(0, &[x])], &[is(x, 7)], None);
    let original = b.horn;
    let cx = Context::default();
    let passes = Passes {
        inline: false,
        split: false,
        ..Passes::default()
    };
    let simple = simplify_with(&original, passes, &cx).expect("not stopped");
    let mut terms = simple.horn.terms.clone();
    let solved = vec![Terms::TRUE; simple.horn.predicates.len()];
    let found = simple.back.definitions(&mut terms, &solved, &cx);
    let found = found.expect("not stopped").expect("found");
    assert_eq!(broken_clause(&original, &terms, &found, 7), None);
}
