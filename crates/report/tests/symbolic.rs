//! Reports on finite-domain systems: all forms, names that act, classes as conditions, and NuSMV's layout.
#![allow(clippy::unwrap_used)]

mod frame;
mod validate;

use std::sync::Arc;

use frame::{accepted, frame, nothing_acts};
use serde_json::Value as Json;
use suppose_model::fsm::{
    Answer, Basis, BinaryOp, Claim, Cluster, Decision, Decisions, Define, Effort, Formula, Node,
    Proof, Property, Question, Refutation, Shows, System, Trace, Type, Value, VarId, VariableKind,
    Verdict,
};
use suppose_model::{Finding, Reason, Run};
use suppose_report::Document;
use suppose_report::fsm::{Subject, describe};
use suppose_source::{Sources, Span};
use validate::validate;

struct Sample {
    system: Arc<System>,
    sources: Sources,
    stuck: Trace,
    findings: Vec<Finding<Answer>>,
}

/// A number, a symbol, a frozen flag, an input, and a definition of each kind.
fn system(name: &str) -> System {
    let mut it = System {
        name: name.to_owned(),
        ..System::default()
    };
    let at = Span::default();
    let busy = it.symbols.intern(&format!("busy{name}"));
    let idle = it.symbols.intern("idle");
    let symbols = [idle, busy].map(Value::Symbol);
    let n = it.add_variable(
        &format!("n{name}"),
        Type::Range(0, 2),
        VariableKind::State,
        at,
    );
    let m = it.add_variable(
        "m",
        Type::Enumeration(symbols.into()),
        VariableKind::State,
        at,
    );
    it.add_variable("f", Type::Boolean, VariableKind::Frozen, at);
    let i = it.add_variable("i", Type::Boolean, VariableKind::Input, at);
    let one = it.exprs.value(Value::Int(1));
    let now = it.exprs.current(n);
    let input = it.exprs.current(i);
    let small = it.exprs.make(Node::Binary(BinaryOp::AtMost, now, one));
    let small = small.unwrap();
    let both = it.exprs.and([small, input]);
    let next = it.exprs.next(m);
    for (name, expr) in [
        ("small", small),
        ("chosen", input),
        ("both", both),
        ("later", next),
    ] {
        it.defines.push(Define {
            name: name.to_owned(),
            expr,
            span: at,
        });
    }
    let atom = it.formulas.make(Formula::Atom(small));
    let property = |question, own: Option<String>, context: &str| Property {
        name: own,
        context: context.to_owned(),
        question,
        span: at,
    };
    it.properties = vec![
        property(Question::Ctl(atom), Some(format!("p{name}")), ""),
        property(Question::Ltl(atom), None, ""),
        property(Question::Invariant(small), Some("twice".to_owned()), "a"),
        property(
            Question::ComputeMin(atom, atom),
            Some("twice".to_owned()),
            "b",
        ),
        property(Question::ComputeMax(atom, atom), None, ""),
    ];
    it
}

fn trace(system: &System, loops_to: Option<usize>) -> Trace {
    let symbol = |name: &str| Value::Symbol(system.symbols.find(name).unwrap());
    let Type::Enumeration(symbols) = &system.variables[1].ty else {
        panic!("m is an enumeration");
    };
    let (idle, busy) = (symbol("idle"), &symbols[1]);
    let state = |n, m: &Value| [Value::Int(n), m.clone(), Value::Bool(true)].into();
    let input = |b| [Value::Bool(b)].into();
    Trace {
        states: vec![
            state(0, &idle),
            state(1, &idle),
            state(1, busy),
            state(1, &idle),
        ],
        inputs: vec![input(true), input(true), input(false)],
        loops_to,
    }
}

/// `n = 0` and the rest, by two bits; and all that is known of `m` and `f` together.
fn clusters() -> Vec<Cluster> {
    let decision = |var, bit, high, low| Decision {
        var: VarId(var),
        bit,
        high,
        low,
    };
    let zero = vec![decision(0, 0, 0, 1), decision(0, 1, 0, 2)];
    let other = vec![decision(0, 0, 1, 0), decision(0, 1, 1, 2)];
    let same = vec![
        decision(2, 0, 1, 0),
        decision(2, 0, 0, 1),
        decision(1, 0, 2, 3),
    ];
    let differ = vec![
        decision(2, 0, 0, 1),
        decision(2, 0, 1, 0),
        decision(1, 0, 2, 3),
    ];
    let set = |nodes: Vec<Decision>| Decisions {
        root: nodes.len() as u32 + 1,
        nodes,
    };
    vec![
        Cluster {
            vars: vec![VarId(0)],
            classes: vec![set(zero), set(other)],
        },
        Cluster {
            vars: vec![VarId(1), VarId(2)],
            classes: vec![set(same), set(differ)],
        },
    ]
}

fn sample(name: &str) -> Sample {
    let system = Arc::new(system(name));
    let answer = |claim, verdict| {
        accepted(Answer {
            claim,
            engine: "cegar".to_owned(),
            verdict,
            about: Arc::clone(&system),
            effort: Effort {
                abstracted: 2,
                refinements: 1,
                abstract_bits: 2,
                relation_nodes: 1_234,
                checking_nodes: 5_678,
                reorderings: 1,
                depth: 3,
            },
            run: Run::default(),
        })
    };
    let property = Claim::Property;
    let fails = |loops_to, shows| {
        let trace = trace(&system, loops_to);
        let trace = Box::new(trace);
        Verdict::Violated(Refutation { trace, shows })
    };
    let holds = |proof| Verdict::Holds(Basis::Proof(Box::new(proof)));
    let findings = vec![
        answer(property(0), fails(None, Shows::Part)),
        answer(property(1), fails(Some(1), Shows::All)),
        answer(property(0), holds(Proof::Abstraction(clusters()))),
        answer(property(0), holds(Proof::Abstraction(Vec::new()))),
        answer(property(2), holds(Proof::Invariant(Decisions::default()))),
        answer(property(2), Verdict::Holds(Basis::Exhaustive)),
        answer(property(3), Verdict::Holds(Basis::Steps(Some(3)))),
        answer(property(4), Verdict::Holds(Basis::Steps(None))),
        answer(Claim::Deadlock, fails(None, Shows::All)),
        answer(
            property(1),
            Verdict::Unknown(Reason::Unsupported(name.to_owned())),
        ),
    ];
    Sample {
        stuck: trace(&system, None),
        system,
        sources: Sources::single("m.smv", "MODULE main"),
        findings,
    }
}

impl Sample {
    fn document(&self, as_nusmv: bool) -> Document<'_> {
        let subject = Subject {
            system: &self.system,
            sources: &self.sources,
            stuck: Some((&self.stuck, &self.system)),
            as_nusmv,
        };
        describe(frame("m.smv"), subject, &self.findings)
    }

    fn report(&self) -> Document<'_> {
        self.document(false)
    }

    fn nusmv(&self) -> String {
        self.document(true).text(false, false)
    }
}

#[test]
fn no_output_holds_a_character_that_acts() {
    let sample = sample("a\u{1b}[31m\u{202e}\"</script><b>&");
    let report = sample.report();
    for output in [
        report.text(false, true),
        sample.nusmv(),
        report.json(),
        report.html(),
    ] {
        nothing_acts(&output);
    }
    assert!(!report.html().contains("<b>&"));
}

#[test]
fn documents_fit_the_schema() {
    let sample = sample("");
    let document: Json = serde_json::from_str(&sample.report().json()).unwrap();
    assert_eq!(validate(&document), Ok(()), "{document:#}");
    let run = &document["claims"][1]["counterexample"];
    assert_eq!(run["loops_to"], 1);
    assert_eq!(run["states"][2]["changes"][0]["value"], "busy");
    assert_eq!(run["states"][2]["inputs"], serde_json::json!([]));
    assert_eq!(document["claims"][6]["symbolic"]["steps"], "3");
    assert_eq!(document["last_line"], "violated(p)");
}

#[test]
fn text_reads_well() {
    let text = sample("").report().text(false, false);
    for part in [
        "system: 3 variables (1 frozen), 1 input, 5 properties",
        "deadlock       4 states",
        "1   n = 0, m = idle, f = TRUE\n                 ->  i = TRUE\n                 2   n = 1",
        "-- the loop begins here\n                 2   n = 1\n                 3   m = busy\n                 ->  i = FALSE\n                 4   m = idle\n                 -- which is state 2 again",
        "counterexample 3 states, repeating from state 2",
        "n: 2 classes\n                   n = 0\n                   n in 1..2",
        "m, f: 2 classes\n                   m = idle & !f | m = busy & f\n                   m = idle & f | m = busy & !f",
        "no values of variables need to be distinguished",
        "a.twice: holds",
        "b.twice: holds",
        "result         3 steps",
        "result         infinite",
        "2 variables abstracted at first, 1 refinement, 2 bits of classes at last",
        "transition relation 1,234 nodes, peak 5,678 more, depth 3, reordered 1 time",
        "no step is possible from here",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

#[test]
fn pages_show_what_changes() {
    let page = sample("").report().html();
    for part in [
        "<td class=\"changed\"><bdi>busy</bdi></td>",
        "1 variable that never changes",
        " loop</span>",
        "4 = 2",
        "n in 1..2",
    ] {
        assert!(page.contains(part), "no `{part}` in\n{page}");
    }
}

#[test]
fn nusmv_would_write_it_so() {
    let text = sample("").nusmv();
    let expected = "\
-- specification small  is false
-- as demonstrated by the following execution sequence
Trace Description: LTL Counterexample 
Trace Type: Counterexample 
  -> State: 2.1 <-
    f = TRUE
    n = 0
    m = idle
    small = TRUE
    both = TRUE
    later = idle
  -> Input: 2.2 <-
    i = TRUE
    chosen = TRUE
  -- Loop starts here
  -> State: 2.2 <-
    n = 1
    later = busy
  -> Input: 2.3 <-
  -> State: 2.3 <-
    m = busy
    both = FALSE
    later = idle
  -> Input: 2.4 <-
    i = FALSE
    chosen = FALSE
  -> State: 2.4 <-
    m = idle
";
    assert!(text.contains(expected), "{text}");
    for line in ["-- invariant small  is true", "]  is 3", "]  is infinity"] {
        assert!(text.contains(line), "no `{line}` in {text}");
    }
}
