//! Steps and claims that are easily misjudged: `d_step`s that are long, endless, or begin with a rendezvous, and claims that
//! cannot be evaluated. What is right is what SPIN 6.5.2 says.

use suppose_control::Context;
use suppose_explicit::{ExplicitOptions, Order, SearchVerdict, search};
use suppose_frontends::promela;
use suppose_model::Reason;
use suppose_model::program::semantics::replay;
use suppose_model::program::{Program, Question, Violation};

fn read(text: &str) -> Program {
    match promela::read_text("model.pml", text) {
        Ok((read, _)) => read.program,
        Err((errors, _)) => panic!("{errors:?}\n{text}"),
    }
}

/// The verdict on one question, in all ways of searching; runs are judged.
#[track_caller]
fn verdict(program: &Program, question: Question) -> Option<Violation> {
    let mut all = Vec::new();
    for order in [Order::Breadth, Order::Depth] {
        for reduced in [false, true] {
            let options = ExplicitOptions {
                order,
                reduction: reduced,
                merge: reduced,
                ..ExplicitOptions::default()
            };
            let report = search(program, &[question], &options, &Context::default());
            all.push(match &report.verdicts[0].1 {
                SearchVerdict::Holds => None,
                SearchVerdict::Violated(trace) => {
                    let replayed = replay(program, trace, &Context::default());
                    assert!(replayed.is_ok(), "{replayed:?}\n{trace:#?}");
                    Some(trace.violation)
                }
                other => panic!("{other:?}"),
            });
        }
    }
    assert!(all.windows(2).all(|w| w[0] == w[1]), "{all:?}");
    all[0]
}

#[track_caller]
fn states(text: &str) -> u64 {
    let options = ExplicitOptions {
        exhaust: true,
        ..ExplicitOptions::faithful()
    };
    let questions = [Question::Assertions, Question::EndStates];
    search(&read(text), &questions, &options, &Context::default()).states
}

#[track_caller]
fn assertions(text: &str) -> Option<Violation> {
    verdict(&read(text), Question::Assertions)
}

#[test]
fn a_long_d_step_ends() {
    let text = "active proctype P() { int i; d_step { for (i : 1 .. 500000) { skip } } }";
    assert_eq!(assertions(text), None);
    assert_eq!(verdict(&read(text), Question::EndStates), None);
}

#[test]
fn an_assertion_that_fails_late_in_a_long_d_step_is_found() {
    let text = "active proctype P() {
        int i; d_step { for (i : 1 .. 2000) { assert(i < 1999) } } }";
    assert_eq!(assertions(text), Some(Violation::Assertion));
}

#[test]
fn a_d_step_that_comes_back_to_a_state_does_not_end() {
    for body in [
        "do :: true od",
        "do :: x = 1 - x od",
        "do :: x < 5 -> x++ :: else -> x = 0 od",
    ] {
        let text = format!("byte x; active proctype P() {{ d_step {{ {body} }} }}");
        assert_eq!(assertions(&text), Some(Violation::Endless), "{text}");
    }
}

#[test]
fn a_d_step_too_long_to_be_followed_is_undecided() {
    let text = "active proctype P() { int i; d_step { for (i : 1 .. 2000000000) { skip } } }
        active proctype Q() { assert(false) }";
    let questions = [Question::Assertions, Question::EndStates];
    let report = search(
        &read(text),
        &questions,
        &ExplicitOptions::default(),
        &Context::default(),
    );
    let [(_, assertions), (_, ends)] = report.verdicts.as_slice() else {
        panic!("{report:?}");
    };
    // What goes wrong elsewhere is found all the same.
    assert!(
        matches!(assertions, SearchVerdict::Violated(_)),
        "{assertions:?}"
    );
    assert!(
        matches!(ends, SearchVerdict::Unknown(Reason::Unsupported(_))),
        "{ends:?}"
    );
    assert!(!report.complete);
}

const RENDEZVOUS: &str = "chan c = [0] of { byte }; byte x, y;\n";

#[test]
fn a_d_step_may_begin_with_a_rendezvous_receive() {
    let text = format!(
        "{RENDEZVOUS} active proctype P() {{ c!3 }}
        active proctype Q() {{ d_step {{ c?x; y = x + 1; x = 0 }} assert(y == 4) }}"
    );
    assert_eq!(assertions(&text), None);
    assert_eq!(states(&text), 5);
}

#[test]
fn what_follows_a_rendezvous_in_a_d_step_belongs_to_the_step() {
    let atomic = format!(
        "{RENDEZVOUS} active proctype P() {{ atomic {{ d_step {{ c?x; y = 7 }}; y = 8; x = 9 }}; x = 2 }}
        active proctype Q() {{ atomic {{ c!1; x = 3; y = 4 }}; assert(y == 4) }}"
    );
    assert_eq!((assertions(&atomic), states(&atomic)), (None, 14));
    let blocks = format!(
        "{RENDEZVOUS} active proctype P() {{ d_step {{ c?x; (x > 5); y = 3 }} }}
        active proctype Q() {{ c!1 }}"
    );
    assert_eq!(assertions(&blocks), Some(Violation::DStepBlocks));
    let fails = format!(
        "{RENDEZVOUS} active proctype P() {{ d_step {{ c?x; assert(x == 2); y = 3 }} }}
        active proctype Q() {{ c!1; c!1 }}"
    );
    assert_eq!(assertions(&fails), Some(Violation::Assertion));
    assert_eq!(
        verdict(&read(&fails), Question::EndStates),
        Some(Violation::EndState)
    );
    let sends = "chan c = [0] of { byte }; chan d = [1] of { byte }; byte x;
        active proctype P() { d_step { c?x; d!x + 1 } }
        active proctype R() { d_step { c?x; d!x + 2 } }
        active proctype Q() { c!1; d?2 }";
    assert_eq!(assertions(sends), None);
    assert_eq!(
        verdict(&read(sends), Question::EndStates),
        Some(Violation::EndState)
    );
}

#[test]
fn the_first_receive_that_fits_begins_a_d_step() {
    let text = format!(
        "{RENDEZVOUS} active proctype P() {{ d_step {{ if :: c?1 -> y = 7 :: c?x -> y = 8 fi; y++ }} }}
        active proctype Q() {{ c!2; assert(y == 9) }}"
    );
    assert_eq!((assertions(&text), states(&text)), (None, 5));
    let text = format!(
        "{RENDEZVOUS} active proctype P() {{ d_step {{ if :: c?1 -> y = 7 :: x == 0 -> y = 8 fi; y++ }} }}
        active proctype Q() {{ c!1; assert(y == 8) }}"
    );
    assert_eq!(assertions(&text), None);
    let ends = verdict(&read(&text), Question::EndStates);
    assert_eq!(ends, Some(Violation::EndState));
}

#[test]
fn a_d_step_offers_no_rendezvous() {
    for body in [
        "c!3; y = x",
        "c!3",
        "y = 1; c!3",
        "if :: c!1 :: x == 0 fi; y = 1",
    ] {
        let text = format!(
            "{RENDEZVOUS} active proctype P() {{ d_step {{ {body} }} }}
            active proctype Q() {{ x = 1; x == 0; c?x }}"
        );
        assert_eq!(
            assertions(&text),
            Some(Violation::DStepRendezvous),
            "{text}"
        );
    }
}

#[test]
fn inside_a_d_step_nothing_is_received_in_a_rendezvous() {
    let blocks = format!(
        "{RENDEZVOUS} active proctype P() {{ d_step {{ y = 1; c?x; y = 2 }} }}
        active proctype Q() {{ c!3 }}"
    );
    assert_eq!(assertions(&blocks), Some(Violation::DStepBlocks));
    let passes = format!(
        "{RENDEZVOUS} active proctype P() {{ d_step {{ y = 1; if :: c?x -> y = 5 :: else fi; y = x }}; x = 0 }}
        active proctype Q() {{ c!3;  y = 2 }}"
    );
    assert_eq!(assertions(&passes), None);
}

/// The claims of a program, in order.
fn claims(text: &str) -> Vec<Option<Violation>> {
    let program = read(text);
    let numbers = 0..program.claims.len();
    numbers
        .map(|n| verdict(&program, Question::Claim(n)))
        .collect()
}

#[test]
fn a_claim_that_divides_by_zero_is_violated() {
    let text = "byte x = 1; active proctype P() { x = 0 } ltl f { [] (4 / x == 4) }";
    assert_eq!(claims(text), [Some(Violation::Division)]);
}

#[test]
fn a_claim_with_an_index_out_of_range_is_violated() {
    let text = "byte arr[2]; byte x; active proctype P() { x = 5 } ltl f { [] (arr[x] == 0) }";
    assert_eq!(claims(text), [Some(Violation::Index)]);
    let never = "byte arr[2]; byte x; active proctype P() { x = 5; x = 0 }
        never { do :: arr[x] == 1 -> break :: else od }";
    assert_eq!(claims(never), [Some(Violation::Index)]);
}

#[test]
fn a_formula_and_its_opposite_do_not_both_hold_where_neither_can_be_evaluated() {
    let text = "byte arr[2]; byte x = 5; active proctype P() { skip }
        ltl yes { [] (arr[x] == 0) } ltl no { [] !(arr[x] == 0) }";
    assert_eq!(claims(text), [Some(Violation::Index); 2]);
}

#[test]
fn a_claim_about_a_channel_that_is_none_is_violated() {
    let text = "chan q; active proctype P() { skip } ltl f { [] (len(q) > 0) }";
    assert_eq!(claims(text), [Some(Violation::Channel)]);
}

#[test]
fn a_claim_goes_wrong_only_where_it_looks() {
    let text = "byte arr[2]; byte x; active proctype P() { x = 5 }
        ltl guarded { [] (x < 2 -> arr[x] == 0) }
        ltl later { [] (x == 5 -> X (arr[x] == 0)) }";
    assert_eq!(claims(text), [None, Some(Violation::Index)]);
}

#[test]
fn a_provided_that_cannot_be_evaluated_is_an_error() {
    let text = "byte arr[2]; byte x = 5; active proctype P() provided (arr[x] == 0) { x = 0 }";
    assert_eq!(assertions(text), Some(Violation::Index));
}

#[test]
fn a_channel_may_start_as_another_one() {
    let text = "chan K = [1] of { bit }; chan F = K; chan G = F;
        active proctype P() { F!1; assert(len(K) == 1); G?1; assert(len(F) == 0) }";
    assert_eq!(assertions(text), None);
    assert_eq!(verdict(&read(text), Question::EndStates), None);
    let array = "chan K[2] = [1] of { byte }; chan F = K[1];
        active proctype P() { F!1; assert(len(K[1]) == 1 && len(K[0]) == 0) }";
    assert_eq!(assertions(array), None);
}

#[test]
fn a_whole_array_is_its_first_element_as_spin_takes_it() {
    let text = "byte a[3]; active proctype P() { a[1] = 2; a = 5; assert(a[0] == 5 && a == 5) }";
    assert_eq!(assertions(text), None);
}

#[test]
fn arrays_of_more_than_65536_elements_are_searched() {
    let text = "bit a[100000]; int i;
        active proctype P() { a[99999] = 1; i = 99999; assert(a[i] == 1); a[i] = 0; assert(a[i] == 1) }";
    assert_eq!(assertions(text), Some(Violation::Assertion));
}

#[test]
fn a_channel_that_another_process_has_for_itself_is_not_to_be_touched() {
    let text = |other: &str| {
        format!(
            "chan c = [2] of {{ byte }}; byte x;
            active proctype P() {{ xs c; c!1; c!2 }}
            active proctype Q() {{ xr c; byte y; c?y; c?y }}
            active proctype R() {{ {other}; x = 1 }}"
        )
    };
    for broken in [
        "c!3",
        "byte z; c?z",
        "c?[1]",
        "len(c) == 2",
        "full(c)",
        "empty(c)",
        "nfull(c)",
        "nempty(c)",
    ] {
        let violation = assertions(&text(broken));
        assert_eq!(violation, Some(Violation::Promise), "{broken}");
    }
    for kept in ["x == 0", "x == 1 && len(c) == 2"] {
        assert_eq!(assertions(&text(kept)), None, "{kept}");
    }
    let own = "chan c = [2] of { byte }; byte x;
        proctype P(chan to) { xs to; to!1; nfull(to); to!2 }
        proctype Q(chan from) { xr from; byte y; from?y; nempty(from); from?y }
        init { atomic { run P(c); run Q(c) } }";
    assert_eq!(assertions(own), None);
}

#[test]
fn who_sends_may_be_looked_at_where_only_receiving_is_promised() {
    let text = "chan c = [2] of { byte }; byte x;
        active proctype Q() { xr c; byte y; c?y }
        active proctype R() { nfull(c); c!1 }";
    assert_eq!(assertions(text), None);
}

/// Found by the comparison with SPIN: only one process sends, but whether it may depends on whether the other one is there yet.
#[test]
fn a_send_that_nobody_else_makes_is_against_a_promise_that_is_made_late() {
    let text = "chan c = [2] of { byte }; byte x;
        proctype P() { c!1 }
        proctype Q() { xs c; c?x }
        init { run P(); run Q() }";
    assert_eq!(assertions(text), Some(Violation::Promise));
    let receives = "chan c = [2] of { byte }; byte x;
        proctype P() { byte y; c?y }
        proctype Q() { xr c; c!1; x = 1 }
        init { run P(); c!2; run Q() }";
    assert_eq!(assertions(receives), Some(Violation::Promise));
}

/// A variable that only a promise still needs keeps its value.
#[test]
fn a_promise_about_a_channel_in_a_variable_lasts_as_long_as_the_process() {
    let text = "chan c = [2] of { byte }; chan d = [2] of { byte }; byte x;
        proctype P(chan mine) { xs mine; byte y; if :: mine = c :: mine = d fi; mine!1; y = 1; x = y; x == 5 }
        init { run P(c); x == 1; d!2 }";
    assert_eq!(assertions(text), Some(Violation::Promise));
}

/// Three pairs of processes with a channel each, which is not the same as all orders of their steps. SPIN stores 84 states.
#[test]
fn declarations_of_own_channels_do_not_make_a_search_larger() {
    let explored = |text: &str| {
        let questions = [Question::Assertions, Question::EndStates];
        let report = search(
            &read(text),
            &questions,
            &ExplicitOptions::default(),
            &Context::default(),
        );
        let held = |found: &SearchVerdict| matches!(found, SearchVerdict::Holds);
        assert!(
            report.verdicts.iter().all(|(_, found)| held(found)),
            "{text}"
        );
        report.states
    };
    let text = |name: &str, alias: &str, send: &str, receive: &str| {
        format!(
            "chan q[3] = [4] of {{ byte }};
            proctype S(byte i) {{ byte k; {alias}; {send}; do :: k < 6 -> {name}!k; k++ :: else -> break od }}
            proctype R(byte i) {{ byte v; {alias}; {receive}; do :: {name}?v -> if :: v == 5 -> break :: else fi od }}
            init {{ atomic {{ byte i; for (i : 0 .. 2) {{ run S(i); run R(i) }} }} }}"
        )
    };
    for (name, alias) in [("q[i]", "byte w"), ("c", "chan c = q[i]")] {
        let (sends, receives) = (format!("xs {name}"), format!("xr {name}"));
        let declared = explored(&text(name, alias, &sends, &receives));
        assert!(declared < 1_000, "{name}: {declared} states");
        let undeclared = explored(&text(name, alias, "byte s", "byte r"));
        assert!(undeclared < 1_000, "{name}: {undeclared} states");
    }
}

#[test]
fn a_promise_about_a_channel_by_another_name_is_not_to_be_broken() {
    let text = |of: &str| {
        format!(
            "chan q[2] = [2] of {{ byte }};
            proctype P(byte i) {{ chan c = q[i]; xs c; c!1; c!2 }}
            proctype Q(byte i) {{ byte k = i; chan c = q[k]; c!3 }}
            init {{ atomic {{ run P(0); run Q({of}) }} }}"
        )
    };
    assert_eq!(assertions(&text("0")), Some(Violation::Promise));
    assert_eq!(assertions(&text("1")), None);
    // Declared after the first statement, it is a promise from its value on.
    let late = text("0").replace("{ chan c = q[i]", "{ skip; chan c = q[i]");
    assert_eq!(assertions(&late), Some(Violation::Promise));
}

/// A variable without an assignment is constant only where its initial value is: here two processes share one text.
#[test]
fn an_initial_value_that_differs_between_processes_is_no_constant() {
    let text = "byte n, x;
        proctype P() { byte mine = n; assert(mine == x); d_step { x++; n++ }; n < 3 }
        init { run P(); x == 1; run P(); x == 2; run P(); x == 3; n = 9; run P() }";
    assert_eq!(assertions(text), Some(Violation::Assertion));
    let until = text.replace("n = 9; run P()", "skip");
    assert_eq!(assertions(&until), None);
}

/// SPIN does not simplify formulas by constants, so that what stands beside them is evaluated.
#[test]
fn constants_in_a_formula_do_not_keep_the_rest_from_being_evaluated() {
    let model = "byte x; byte arr[2]; active proctype P() { x = 1 }";
    for (formula, expected) in [
        ("(6 % x == 0) -> [] true", Some(Violation::Division)),
        ("true W (6 % x == 0)", Some(Violation::Division)),
        ("(arr[x + 2] == 0) -> [] true", Some(Violation::Index)),
        // Looked at only in the first state.
        ("(arr[x + 1] == 0) -> [] true", None),
        // One expression, in which `||` decides.
        ("[] (true || 6 % x == 0)", None),
        ("<> true", None),
    ] {
        let text = format!("{model} ltl f {{ {formula} }}");
        assert_eq!(claims(&text), [expected], "{formula}");
    }
}

/// Found by the comparison with SPIN: with only `else` left of a choice, it was taken for that of the choice around the `d_step`.
#[test]
fn an_else_that_begins_a_d_step_belongs_to_the_d_step() {
    let text = |last: &str| {
        format!(
            "byte x, y, z; active proctype P() {{
                if :: x == 0 -> y = 1 :: d_step {{ if :: 0 >= 2 -> y = 3 :: else fi; y = 2 }}; {last} fi }}"
        )
    };
    assert_eq!(states(&text("z = 1")), 7);
    assert_eq!(
        assertions(&text("assert(false)")),
        Some(Violation::Assertion)
    );
}
