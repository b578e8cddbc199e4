use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::fsm::{System, Value};

use super::*;
use crate::bdd::Bdds;
use crate::cegar::Separation;
use crate::cegar::separate::{Side, separate};
use crate::encode::Encoder;
use crate::order::interleaved;
use crate::relation::RelationOptions;

fn system(text: &str) -> System {
    match read_text("test.smv", text, Dialect::NuSmv) {
        Ok((read, _)) => read.system,
        Err(_) => panic!("not read: {text}"),
    }
}

fn relation(system: &System) -> Relation {
    let bdds = Bdds::new(Context::default());
    let mut encoder = Encoder::new(system, &interleaved(system), bdds);
    Relation::new(&mut encoder, RelationOptions::default()).expect("not stopped")
}

/// The states where the only variable has one of these values.
fn set(relation: &Relation, values: impl IntoIterator<Item = i64>) -> Bdd {
    let mut all = relation.bdds().constant(false);
    for value in values {
        let literals = relation.layout().literals(&[Value::Int(value)]);
        let one = relation.bdds().minterm(&literals).expect("not stopped");
        all = all.or(&one).expect("not stopped");
    }
    all
}

fn members(relation: &Relation, of: &Bdd, domain: std::ops::RangeInclusive<i64>) -> Vec<i64> {
    let is_in = |n: &i64| set(relation, [*n]).is_within(of).expect("not stopped");
    domain.filter(is_in).collect()
}

/// The program of Figure 3: 1, 2, 3 lead to 4, 5, 6, of which some lead to 9, a state without a way to 10, 11, 12; 7 has one.
const FIGURE_3: &str = "MODULE main
VAR x : 1..12;
INIT x <= 3;
TRANS x = 1 -> next(x) = 4;
TRANS x = 2 -> next(x) = 5;
TRANS x = 3 -> next(x) = 6;
TRANS x in {4, 5, 6} -> next(x) = 9;
TRANS x = 7 -> next(x) = 10;
TRANS x = 8 -> next(x) = 8;
TRANS x = 9 -> next(x) = 9;
TRANS x >= 10 -> next(x) = x;
";

#[test]
fn the_path_of_example_4_2_fails_in_its_third_state() {
    let system = system(FIGURE_3);
    let relation = relation(&system);
    let cx = Context::default();
    let path: Vec<Bdd> = [1..4, 4..7, 7..10, 10..13]
        .map(|r| set(&relation, r))
        .to_vec();
    let Ok(Split::Real(sets)) = split_path(&relation, &path[..3], &cx) else {
        panic!("the first three are real");
    };
    let shown: Vec<Vec<i64>> = sets.iter().map(|s| members(&relation, s, 1..=12)).collect();
    assert_eq!(shown, [vec![1, 2, 3], vec![4, 5, 6], vec![9]]);
    let Ok(Split::DeadEnd { at, then, dead }) = split_path(&relation, &path, &cx) else {
        panic!("it is spurious");
    };
    assert_eq!((at, then), (2, 3));
    assert_eq!(members(&relation, &dead, 1..=12), [9]);
    let trace = run_through(&relation, &sets)
        .expect("not stopped")
        .expect("a run");
    assert_eq!(trace.states.len(), 3);
}

#[test]
fn the_failure_state_of_example_4_4_has_one_state_of_each_kind() {
    let system = system(FIGURE_3);
    let relation = relation(&system);
    let (failure, then) = (set(&relation, 7..10), set(&relation, 10..13));
    let dead = set(&relation, [9]);
    let bad = relation
        .preimage(&then)
        .and_then(|p| p.and(&failure))
        .expect("not stopped");
    assert_eq!(members(&relation, &bad, 1..=12), [7]);
    let rest = failure
        .minus(&dead)
        .and_then(|r| r.minus(&bad))
        .expect("not stopped");
    assert_eq!(members(&relation, &rest, 1..=12), [8]);
    let side = Side {
        bits: relation.layout().states[0].bits.current.clone(),
        class: failure,
    };
    for how in [Separation::Paper, Separation::Squeezed] {
        let bdds = relation.bdds();
        let parts =
            separate(bdds, std::slice::from_ref(&side), &dead, &bad, how, 9).expect("not stopped");
        let parts = parts[0].as_ref().expect("few parts");
        let shown: Vec<Vec<i64>> = parts
            .iter()
            .map(|p| members(&relation, p, 1..=12))
            .collect();
        // The irrelevant state goes with the bad one.
        assert_eq!(shown.len(), 2);
        assert!(
            shown.contains(&vec![9]) && shown.contains(&vec![7, 8]),
            "{shown:?}"
        );
    }
}

/// States 1 and 2 in one class, 3 to 6 in another; the loop between them is real only as 2, 5, 2, 5, ...
const ROUND: &str = "MODULE main
VAR x : 0..6;
INIT x = 0;
TRANS x = 0 -> next(x) in {1, 3};
TRANS x = 1 -> next(x) = 4;
TRANS x = 2 -> next(x) = 5;
TRANS x = 3 -> next(x) = 1;
TRANS x = 4 -> next(x) = 2;
TRANS x = 5 -> next(x) = 2;
TRANS x = 6 -> next(x) = 6;
";

#[test]
fn a_loop_that_becomes_real_after_a_round_is_found() {
    let system = system(ROUND);
    let relation = relation(&system);
    let cx = Context::default();
    let path = [
        set(&relation, [0]),
        set(&relation, 1..3),
        set(&relation, 3..7),
    ];
    let bits = relation.layout().states[0].bits.current.clone();
    let Ok(Split::Real(sets)) = split_loop(&relation, &path, 1, &bits, &cx) else {
        panic!("it is real");
    };
    let trace = run_round(&relation, &path, &sets, 1, &cx).expect("not stopped");
    let trace = trace.expect("a run");
    let back = trace.loops_to.expect("a loop");
    assert_eq!(trace.states.last(), trace.states.get(back));
    assert_eq!(trace.states[back][..], [Value::Int(2)]);
}

#[test]
fn a_loop_that_ends_after_some_rounds_is_spurious() {
    let text = ROUND.replace("x = 5 -> next(x) = 2", "x = 5 -> next(x) = 6");
    let system = system(&text);
    let relation = relation(&system);
    let cx = Context::default();
    let path = [
        set(&relation, [0]),
        set(&relation, 1..3),
        set(&relation, 3..7),
    ];
    let bits = relation.layout().states[0].bits.current.clone();
    let Ok(Split::DeadEnd { at, then, dead }) = split_loop(&relation, &path, 1, &bits, &cx) else {
        panic!("it is spurious");
    };
    assert_eq!((at, then), (2, 1));
    assert_eq!(members(&relation, &dead, 0..=6), [5]);
}
