use suppose_control::Context;
use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::fsm::{Decision, Decisions, State, Value, VarId};

use super::super::task;
use super::*;

/// The states where a boolean variable has a value.
fn class(var: VarId, value: bool) -> Product {
    let node = Decision {
        var,
        bit: 0,
        high: u32::from(value),
        low: u32::from(!value),
    };
    let set = Decisions {
        nodes: vec![node],
        root: 2,
    };
    vec![(0, set)]
}

/// As in Figure 10 of the paper: no run goes round the abstract loop, but one goes round through its concrete states.
fn loop_of_figure_10(fairness: &str) -> (bool, Option<Trace>) {
    let text = format!(
        "MODULE main\nVAR a : boolean; b : boolean;\nASSIGN init(a) := TRUE; init(b) := FALSE;\n\
         next(a) := case a & !b : {{TRUE, FALSE}}; TRUE : FALSE; esac; next(b) := !a;\n{fairness}LTLSPEC F b\n"
    );
    let (read, _) = read_text("m.smv", &text, Dialect::NuSmv).expect("a model");
    let question = read.system.properties[0].question;
    let task = task::task(&read.system, &question, true).expect("universal");
    let first = read.system.vars().next().expect("a variable");
    let path = [class(first, true), class(first, false)];
    let cx = Context::default();
    let followed = Unrolling::new(&task.system, &cx).follow(&path, Some(0), false);
    let spurious = !matches!(followed, Ok(Verdict::Real(_)));
    let (system, from) = task.runs().expect("a question of runs");
    let near = Unrolling::new(system, &cx).near_loop(&path, from);
    (spurious, near.expect("not stopped"))
}

#[test]
fn a_real_loop_is_found_among_the_states_of_a_spurious_one() {
    let (spurious, near) = loop_of_figure_10("");
    assert!(spurious);
    let trace = near.expect("a run");
    assert!(trace.loops_to.is_some());
    let stays = |state: &State| state[0] == Value::Bool(true);
    assert!(trace.states.iter().all(stays), "{trace:?}");
}

#[test]
fn a_loop_that_is_not_fair_is_none() {
    let (spurious, near) = loop_of_figure_10("FAIRNESS !a\n");
    assert!(spurious);
    assert!(near.is_none(), "{near:?}");
}
