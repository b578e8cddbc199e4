//! Witnesses as text, word for word, and what the call tree says.

#![allow(clippy::unwrap_used)]

use suppose_frontends::c::{
    COptions, CProgram, IntType, RunResult, StepKind, WitnessTask, read_text,
};
use suppose_model::chc::{Definitions, Lin, TermId, Terms};
use suppose_number::Int;
use suppose_source::Sources;

const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int limit = 10;
int twice(int n) {
    int r = 0;
    for (int i = 0; i < n; i++) {
        r += 2;
    }
    return r;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = twice(x);
    while (y < limit) {
        y = y + __VERIFIER_nondet_int();
    }
    if (y == 13) {
        reach_error();
    }
    return 0;
}
";

fn task() -> WitnessTask {
    WitnessTask {
        file: "twice.c".to_owned(),
        hash: "00".repeat(32),
        specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".to_owned(),
        uuid: "3f2a0f6e-5d0e-4a53-9d5f-000000000001".to_owned(),
        creation_time: "2026-01-01T00:00:00Z".to_owned(),
        version: "0.1.0".to_owned(),
    }
}

fn program() -> (CProgram, Sources) {
    read_text("twice.c", PROGRAM, &COptions::default())
        .unwrap_or_else(|(e, s)| panic!("{}", e.render(&s, false)))
}

/// The text of a golden file. It is compared, never written.
fn golden(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/c_golden")
        .join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn a_violation_is_told_by_the_values_that_came_back() {
    let (program, sources) = program();
    let mut values = [3i64, 1, 6].into_iter();
    let mut choose = |_: Option<&str>, _: IntType| values.next().map(Int::from);
    let RunResult::Violated { derivation, .. } = program.run(&mut choose, 10_000) else {
        panic!("3 doubled, 1 and 6 are 13");
    };
    let tree = program.call_tree(&derivation).unwrap();
    assert_eq!(tree.calls.len(), 2);
    assert_eq!(tree.calls[1].function, "twice");
    assert_eq!(tree.calls[1].arguments, [("n".to_owned(), Int::from(3))]);
    assert_eq!(tree.calls[1].result, Some(Int::from(6)));
    assert!(!tree.beyond_types);
    assert_eq!(
        tree.calls[0].steps.last().unwrap().kind,
        StepKind::Violation
    );
    let assigned: Vec<Int> = tree.calls[1]
        .steps
        .iter()
        .filter_map(|s| match &s.kind {
            StepKind::Assign { variable, value } if variable == "r" => Some(value.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(assigned, [0, 2, 4, 6].map(Int::from));
    assert_eq!(
        program.violation_witness(&tree, &sources, &task()),
        golden("violation.yml")
    );
}

#[test]
fn invariants_are_told_at_their_loops() {
    let (program, sources) = program();
    let horn = program.horn();
    let mut terms = horn.terms.clone();
    let definitions: Vec<TermId> = horn
        .predicates
        .iter()
        .map(|predicate| {
            let named = |name: &str| {
                predicate
                    .formals
                    .iter()
                    .copied()
                    .find(|v| horn.terms.name(*v) == name)
            };
            match (predicate.name.as_str(), named("i"), named("r"), named("y")) {
                // r == 2 * i && (i <= 0 || i <= 100)
                ("twice@1", Some(i), Some(r), _) => {
                    let even = terms.eq(Lin::var(r).add_scaled(&Lin::var(i), &Int::from(-2)));
                    let low = terms.le(Lin::var(i));
                    let high = terms.le(Lin::var(i).plus(-100));
                    let mod3 = terms.divides(&Int::from(3), &Lin::var(r));
                    let either = terms.or([low, high, mod3]);
                    terms.and([even, either])
                }
                ("main@1", _, _, Some(y)) => {
                    let below = terms.le(Lin::var(y).plus(5));
                    terms.not(below)
                }
                _ => Terms::TRUE,
            }
        })
        .collect();
    let shown = Definitions {
        terms,
        definitions,
        proofs: Vec::new(),
        about: None,
    };
    let text = program.correctness_witness(&shown.terms, &shown.definitions, &sources, &task());
    assert_eq!(text, golden("correctness.yml"));
}
