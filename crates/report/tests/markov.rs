//! Reports on probabilistic systems: all forms, names that act, and sizes beyond any picture.
#![allow(clippy::unwrap_used)]

mod frame;
mod validate;

use frame::{accepted, frame, nothing_acts};
use serde_json::Value;
use suppose_model::lts::{Label, Labels, Network};
use suppose_model::mdp::{
    Answer, Certificate, Claim, Component, Counterexample, Deficit, Lpts, LptsBuilder, Proof,
    Refusal, Refused, Refutation, Relation, Sizes, System, ValueBounds, ValueEvidence, Verdict,
};
use suppose_model::{Finding, Reason, Run};
use suppose_number::{Int, Rat};
use suppose_report::mdp::{Subject, describe, network};
use suppose_report::{Document, draw};
use validate::validate;

fn rat(num: i64, den: i64) -> Rat {
    Rat::new(Int::from(num), Int::from(den))
}

/// A system with one draw, and a certain step back.
fn coin(name: &str, label: Label) -> Lpts {
    let mut it = LptsBuilder::new(name);
    it.choice(0, label, &[(0, rat(2, 3)), (1, rat(1, 3))])
        .unwrap();
    it.edge(1, Label::TAU, 0);
    it.state_name(1, format!("{name} tails"));
    it.build()
}

struct Sample {
    system: System,
    network: Network,
    specification: Lpts,
    findings: Vec<Finding<Answer>>,
}

fn answer(claim: Claim, verdict: Verdict) -> Answer {
    Answer {
        claim,
        engine: "agar-n".to_owned(),
        verdict,
        value: None,
        run: Run {
            states: 12,
            groups: vec![vec![0], vec![1]],
            ..Run::default()
        },
    }
}

fn lack(choice: usize, nodes: &[u32], needed: Rat, available: Rat) -> Deficit {
    Deficit {
        choice,
        nodes: nodes.to_vec(),
        needed,
        available,
    }
}

/// Every kind of verdict, with that name everywhere.
fn sample(name: &str) -> Sample {
    let mut labels = Labels::new();
    let label = labels.intern(&format!("{name} go"));
    let mut system = System::new(name, labels);
    for number in 0..2 {
        system.components.push(Component {
            lpts: coin(&format!("{name} {number}"), label),
            members: vec![name.to_owned(), "other".to_owned()],
        });
    }
    let mut tree = LptsBuilder::new("t");
    tree.choice(0, label, &[(1, rat(4, 9)), (2, rat(5, 9))])
        .unwrap();
    tree.edge(2, Label::TAU, 3);
    let states = [[0, 0], [0, 1], [1, 0], [0, 0]];
    let tree = Counterexample {
        tree: tree.build(),
        states: states
            .iter()
            .map(|s| s.to_vec().into_boxed_slice())
            .collect(),
    };
    let refusals = vec![
        Refusal {
            node: 0,
            state: 0,
            why: Refused::Choice {
                choice: 0,
                options: vec![
                    lack(0, &[2], rat(5, 9), rat(1, 3)),
                    lack(1, &[1, 2], rat(1, 1), Rat::ZERO),
                ],
            },
        },
        Refusal {
            node: 2,
            state: 1,
            why: Refused::Choice {
                choice: 0,
                options: Vec::new(),
            },
        },
        Refusal {
            node: 1,
            state: 1,
            why: Refused::Proposition(7),
        },
    ];
    let proof = Certificate {
        groups: vec![vec![0], vec![1]],
        assumptions: vec![coin("A", label)],
        premises: vec![Relation::default(), Relation::default()],
    };
    let value = ValueEvidence {
        lower: rat(1, 3).into(),
        lower_bounds: Vec::new(),
        upper: rat(1, 2).into(),
        upper_bounds: Vec::new(),
    };
    let property = || Claim::Property(format!("P<=1/2 [ F {name} ]"));
    let mut measured = answer(property(), Verdict::Holds(Proof::Value(Box::new(value))));
    measured.value = Some(ValueBounds {
        lower: rat(1, 3).into(),
        upper: rat(1, 2).into(),
        is_reward: false,
        initials: 1,
    });
    let answers = vec![
        answer(
            Claim::Conformance,
            Verdict::Holds(Proof::Conformance(Box::new(proof))),
        ),
        answer(
            Claim::Conformance,
            Verdict::Violated(Refutation::Conformance {
                tree: Box::new(tree.clone()),
                refusals,
            }),
        ),
        measured,
        answer(
            Claim::Deadlock,
            Verdict::Violated(Refutation::Deadlock(Box::new(tree))),
        ),
        answer(Claim::Deadlock, Verdict::Holds(Proof::NoDeadlock)),
        answer(
            property(),
            Verdict::Unknown(Reason::Unsupported(name.to_owned())),
        ),
    ];
    Sample {
        network: network(&system, &|| false),
        specification: coin(name, label),
        system,
        findings: answers.into_iter().map(accepted).collect(),
    }
}

impl Sample {
    fn report(&self) -> Document<'_> {
        let subject = Subject {
            system: &self.system,
            network: Some(&self.network),
            specification: Some(&self.specification),
            sizes: Some(Sizes {
                states: 4,
                choices: 5,
                transitions: 6,
                deadlocks: 1,
            }),
        };
        describe(frame("m.nm"), subject, &self.findings)
    }
}

#[test]
fn no_output_holds_a_character_that_acts() {
    let hostile = "a\u{1b}[31m\u{202e}\"</script><b>&";
    let sample = sample(hostile);
    let report = sample.report();
    for output in [
        report.text(false, true),
        report.json(),
        report.html(),
        draw::lpts_dot(&sample.specification, &sample.system.labels),
        draw::lpts_svg(&sample.specification, &sample.system.labels),
    ] {
        nothing_acts(&output);
    }
    assert!(!report.html().contains("<b>&"));
    let svg = draw::lpts_svg(&sample.specification, &sample.system.labels);
    roxmltree::Document::parse(&svg).unwrap();
}

#[test]
fn documents_fit_the_schema() {
    let sample = sample("coin");
    let document: Value = serde_json::from_str(&sample.report().json()).unwrap();
    assert_eq!(validate(&document), Ok(()), "{document:#}");
    let edge = &document["claims"][0]["assumptions"][0]["edges"][1];
    assert_eq!(
        (&edge["probability"], &edge["choice"]),
        (&"1/3".into(), &0.into())
    );
    assert_eq!(document["last_line"], "violated(conformance)");
}

#[test]
fn text_reads_well() {
    let sample = sample("coin");
    let text = sample.report().text(false, false);
    for line in [
        "system coin: 2 components, 4 states, 5 choices, 6 transitions, 1 deadlock",
        "coin 0: 2 states, 2 choices (coin, other together)",
        "assumption     A: 2 states, 2 choices, about coin 1",
        "0 -coin go-> 2/3: 0, 1/3: A tails",
        "counterexample a tree of 4 nodes, 2 steps deep",
        "4/9: node 1  coin 1: 0 -> coin 1 tails",
        "after coin go (its choice 1) probability 5/9 must go to node 2, it can give 1/3",
        "after coin go (its choice 2) probability 1 must go to nodes 1, 2, it has nothing that follows",
        "node 2, specification in coin tails: it cannot do tau",
        "they differ in 7",
        "probability    between 0.333333333 and 0.5",
        "node 3 is a deadlock",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
}

#[test]
fn draws_are_dots_with_fractions() {
    let sample = sample("coin");
    let dot = draw::lpts_dot(&sample.specification, &sample.system.labels);
    for part in [
        "d0 [shape=point",
        "s0 -> d0",
        "d0 -> s1 [label=\"1/3\"]",
        "s1 -> s0 [label=\"tau\"]",
    ] {
        assert!(dot.contains(part), "no `{part}` in {dot}");
    }
    let svg = draw::lpts_svg(&sample.specification, &sample.system.labels);
    assert!(svg.contains("node draw") && svg.contains("2/3"), "{svg}");
    let mut large = LptsBuilder::new("large");
    large.states(100_000);
    let svg = draw::lpts_svg(&large.build(), &sample.system.labels);
    assert!(svg.contains("too large to draw"), "{svg}");
}
