//! What FSP means where it is easy to get wrong: each model was once decided wrongly.

#![allow(clippy::unwrap_used)]

mod ltsa;

use ltsa::{Answers, answers};

fn ours(text: &str) -> Answers {
    answers(text, None).unwrap()
}

fn names(answers: &Answers) -> Vec<&str> {
    answers.violated.iter().map(String::as_str).collect()
}

#[test]
fn priority_does_not_suppress_the_error_behind_a_step_of_high_priority() {
    let found = ours(
        "P = (e -> ERROR).
         Q = (b -> Q).
         ||SYS = (P || Q) << {b,e}.",
    );
    assert_eq!(names(&found), ["P"]);
}

#[test]
fn priority_does_not_suppress_an_index_out_of_range() {
    let found = ours(
        "P = P[0], P[i:0..3] = (inc -> P[i+1]).
         Q = (tick -> Q).
         ||SYS = (P || Q) << {tick,inc}.",
    );
    assert_eq!(names(&found), ["P"]);
}

#[test]
fn a_step_to_an_error_has_the_priority_of_its_label() {
    let low = ours(
        "P = (e -> ERROR).
         Q = (b -> Q).
         ||SYS = (P || Q) >> {e}.",
    );
    assert!(low.violated.is_empty());
    let high = ours(
        "P = (e -> ERROR).
         Q = (b -> Q).
         ||SYS = (P || Q) << {b}.",
    );
    assert!(high.violated.is_empty());
}

#[test]
fn an_error_keeps_no_step_from_happening() {
    let found = ours(
        "P = (e -> ERROR).
         Q = (b -> c -> Q).
         property NOC = (b -> NOC) + {c}.
         ||SYS = (P || Q || NOC) << {e,b}.",
    );
    assert_eq!(names(&found), ["NOC", "P"]);
}

#[test]
fn a_system_has_ended_though_a_part_of_it_could_have_gone_on_with_hidden_actions() {
    let found = ours(
        "CLIENT = (call -> END).
         SERVER = (call -> work -> SERVER)\\{work}.
         ||SYS = (CLIENT || SERVER).",
    );
    assert!(!found.deadlock);
}

#[test]
fn a_part_that_hides_actions_ends_as_a_whole() {
    // The part never ends: LOCK has a label of its own. So it counts as one without an end.
    let found = ours(
        "USER = (a -> END).
         LOCK = (a -> b -> LOCK).
         ||PART = (USER || LOCK)\\{b}.
         OTHER = (a -> END).
         ||SYS = (PART || OTHER).",
    );
    assert!(!found.deadlock);
    let found = ours(
        "USER = (a -> END).
         LOCK = (a -> b -> LOCK).
         ||PART = (USER || LOCK)\\{a}.
         OTHER = (c -> END).
         ||SYS = (PART || OTHER).",
    );
    assert!(found.deadlock);
}

#[test]
fn state_indices_are_one_flat_list() {
    let found = ours(
        "P = (x[i:0..1][j:0..1] -> P[i][j]),
         P[s:{[0..1][0..1]}] = (y[s] -> P).
         ||T = P.",
    );
    assert!(found.violated.is_empty() && found.warnings.is_empty());
    assert_eq!((found.counts.states, found.counts.transitions), (5, 8));
}

#[test]
fn a_label_that_only_a_property_has_makes_no_deadlock_under_priority() {
    let found = ours(
        "P0 = P0_0,
         P0_0 = (d -> P0_0),
         P0_1 = (d -> P0_3),
         P0_2 = (d -> P0_3),
         P0_3 = (d -> d -> P0_3 | d -> P0_3 | d -> P0_2) +{c}.
         P1 = P1_0,
         P1_0 = (a -> f -> P1_0),
         P1_1 = (a -> P1_2 | a -> P1_0),
         P1_2 = (f -> P1_1).
         P2 = P2_0,
         P2_0 = (f -> P2_3),
         P2_1 = (f -> f -> P2_2),
         P2_2 = (f -> P2_1),
         P2_3 = (f -> P2_1) +{a}.
         property SAFE0 = SAFE0_0,
         SAFE0_0 = (a -> SAFE0_0 | d -> SAFE0_0 | f -> SAFE0_0),
         SAFE0_1 = (a -> SAFE0_0 | d -> SAFE0_0 | f -> SAFE0_0) +{a,d,f}.
         ||SYS = (u:P0 || {u,v}:P1 || P2 || SAFE0) << {d,a}.
         fluent FL = <f,c>
         assert AS = (!f W c)",
    );
    assert!(!found.deadlock);
}

#[test]
fn a_label_that_only_an_assertion_has_yields_as_priority_says() {
    let found = ours(
        "P0 = P0_0,
         P0_0 = (b -> P0_2 | b -> P0_0),
         P0_1 = (d -> END),
         P0_2 = (e -> P0_1) +{d}.
         P1 = P1_0,
         P1_0 = (d -> P1_0) /{b/d}.
         property SAFE0 = SAFE0_0,
         SAFE0_0 = (d -> SAFE0_0 | b -> SAFE0_0) +{d,b}.
         ||SYS = ({u,v}::P0 || u:P1 || SAFE0) >> {e}.
         fluent FL = <d,e>
         assert AS = [](FL -> (FL W d))",
    );
    assert!(found.asserts["AS"]);
}

#[test]
fn a_label_that_only_an_assertion_has_keeps_nothing_from_a_property() {
    let found = ours(
        "P = (b -> P).
         property SAFE = STOP + {b}.
         ||SYS = (P || SAFE) << {c}.
         assert A = []!c",
    );
    assert_eq!(names(&found), ["SAFE"]);
    assert!(!found.asserts["A"]);
}

#[test]
fn a_deadlock_is_told_though_a_property_has_labels_of_its_own() {
    let found = ours(
        "P = (a -> STOP).
         property C = (c -> C).
         ||SYS = (P || C).",
    );
    assert!(found.deadlock);
}

#[test]
fn recursion_through_a_sequence_with_parameters() {
    let found = ours(
        "const N = 3
         SEQ(I=1) = if (I<=N) then (a[I] -> SEQ(I+1);END) else END.
         ||SYS = (SEQ).",
    );
    assert_eq!((found.counts.states, found.counts.transitions), (4, 3));
    assert!(!found.deadlock);
}

#[test]
fn a_variable_may_be_bound_twice_in_one_label() {
    let found = ours(
        "P = (a[i:0..2].b[i:0..1] -> c[i] -> P).
         ||SYS = (P).",
    );
    assert_eq!((found.counts.states, found.counts.transitions), (7, 12));
    let nested = "P = (a[i:0..2] -> b[i:0..1] -> P).";
    assert!(answers(nested, None).unwrap_err().contains("already bound"));
}

#[test]
fn a_local_process_that_is_not_defined_is_an_error() {
    let found = ours("P = (a -> R). Q = (b -> Q). ||SYS = (P || Q).");
    assert_eq!(names(&found), ["P"]);
    assert!(found.warnings[0].contains("no local process `R`"));
}

#[test]
fn a_process_and_a_composition_may_have_one_name() {
    let found = ours("S = (a -> STOP). T = (b -> T). ||S = (S || T).");
    assert_eq!((found.counts.states, found.counts.transitions), (2, 3));
}
