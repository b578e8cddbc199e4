//! Small systems whose verdicts and assumptions are known.

mod common;

use common::{free, verdict};
use suppose_mdp::{
    ChainOptions, ConformanceAnswer, ConformanceVerdict, LearnOptions, agar, agar_n, cegar, learn,
    monolithic, order,
};
use suppose_model::Reason;
use suppose_model::mdp::{Component, Label, Labels, Lpts, LptsBuilder, Proposition, State, System};
use suppose_number::{Int, Rat};

fn rat(num: i64, den: i64) -> Rat {
    Rat::new(Int::from(num), Int::from(den))
}

/// State, action (`-` is `tau`), targets with probabilities in tenths.
type Transition<'a> = (State, &'a str, &'a [(State, i64)]);

fn lpts(labels: &mut Labels, all: &[Transition<'_>]) -> Lpts {
    let mut it = LptsBuilder::new("it");
    for (from, action, targets) in all {
        let label = match *action {
            "-" => Label::TAU,
            name => labels.intern(name),
        };
        let parts: Vec<_> = targets.iter().map(|(to, p)| (*to, rat(*p, 10))).collect();
        it.choice(*from, label, &parts).expect("a distribution");
    }
    it.build()
}

fn system(labels: &Labels, parts: Vec<Lpts>) -> System {
    let mut it = System::new("case", labels.clone());
    for lpts in parts {
        let members = Vec::new();
        it.components.push(Component { lpts, members });
    }
    it
}

/// All engines, with the first component in front.
fn all(system: &System, spec: &Lpts) -> Vec<ConformanceAnswer> {
    let cx = free();
    let options = ChainOptions::default();
    let single: Vec<Vec<usize>> = (0..system.components.len()).map(|c| vec![c]).collect();
    vec![
        monolithic(system, spec, &cx),
        cegar(system, spec, options, &cx),
        agar(system, spec, &[0], options, &cx),
        agar_n(system, spec, &single, options, &cx),
        learn(system, spec, &[0], LearnOptions::default(), &cx),
    ]
}

fn expect(system: &System, spec: &Lpts, holds: bool) {
    for answer in all(system, spec) {
        assert_eq!(verdict(system, spec, &answer), Some(holds));
    }
}

/// A left component takes an input, which may fail, and sends it; a right one puts it out and acknowledges.
fn input_output(labels: &mut Labels) -> [Lpts; 2] {
    let left = lpts(
        labels,
        &[
            (0, "input", &[(1, 9), (2, 1)]),
            (1, "send", &[(3, 10)]),
            (2, "fail", &[(0, 10)]),
            (3, "ack", &[(0, 10)]),
        ],
    );
    let right = lpts(
        labels,
        &[
            (0, "send", &[(1, 10)]),
            (1, "output", &[(2, 10)]),
            (2, "ack", &[(0, 10)]),
        ],
    );
    [left, right]
}

fn input_output_spec(labels: &mut Labels, output: &str) -> Lpts {
    lpts(
        labels,
        &[
            (0, "input", &[(1, 9), (2, 1)]),
            (1, "send", &[(3, 10)]),
            (2, "fail", &[(0, 10)]),
            (3, output, &[(3, 10)]),
            (3, "ack", &[(0, 10)]),
        ],
    )
}

#[test]
fn an_input_output_system_needs_a_smaller_assumption() {
    let mut labels = Labels::new();
    let [left, right] = input_output(&mut labels);
    let spec = input_output_spec(&mut labels, "output");
    let system = system(&labels, vec![left, right]);
    expect(&system, &spec, true);
    for answer in &all(&system, &spec)[2..] {
        let ConformanceVerdict::Holds(certificate) = &answer.verdict else {
            panic!("it conforms");
        };
        // Before anything was sent nothing may be put out: one state is too few, and of two one suffices for the rest.
        assert_eq!(certificate.assumptions[0].states(), 2);
    }
}

#[test]
fn what_is_hidden_or_renamed_is_seen_so_by_the_specification_only() {
    let mut labels = Labels::new();
    let parts = input_output(&mut labels);
    let plain = input_output_spec(&mut labels, "output");
    let hidden = input_output_spec(&mut labels, "-");
    let renamed = input_output_spec(&mut labels, "shown");
    let (output, shown) = (labels.intern("output"), labels.intern("shown"));
    let mut it = system(&labels, parts.to_vec());
    for (seen, holding) in [(output, 0), (Label::TAU, 1), (shown, 2)] {
        it.observe_as(output, seen);
        for (number, spec) in [&plain, &hidden, &renamed].into_iter().enumerate() {
            expect(&it, spec, number == holding);
        }
    }
    // The components still synchronise on what is hidden.
    it.observe_as(output, output);
    it.observe_as(labels.intern("send"), Label::TAU);
    expect(&it, &plain, false);
}

#[test]
fn an_action_that_the_specification_does_not_know_is_a_violation() {
    let mut labels = Labels::new();
    let [left, right] = input_output(&mut labels);
    let spec = lpts(
        &mut labels,
        &[(0, "input", &[(1, 9), (2, 1)]), (2, "fail", &[(0, 10)])],
    );
    expect(&system(&labels, vec![left, right]), &spec, false);
}

#[test]
fn components_that_share_nothing_interleave() {
    let mut labels = Labels::new();
    let one = lpts(
        &mut labels,
        &[(0, "a", &[(1, 5), (2, 5)]), (1, "b", &[(0, 10)])],
    );
    let other = lpts(
        &mut labels,
        &[(0, "c", &[(1, 5), (0, 5)]), (1, "-", &[(0, 10)])],
    );
    let third = lpts(&mut labels, &[(0, "d", &[(0, 10)])]);
    let loops: &[Transition<'_>] = &[
        (0, "a", &[(0, 10)]),
        (0, "b", &[(0, 10)]),
        (0, "c", &[(0, 10)]),
        (0, "-", &[(0, 10)]),
        (0, "d", &[(0, 10)]),
    ];
    let it = |labels: &Labels| system(labels, vec![one.clone(), other.clone(), third.clone()]);
    let spec = lpts(&mut labels, loops);
    expect(&it(&labels), &spec, true);
    let spec = lpts(&mut labels, &loops[..4]);
    expect(&it(&labels), &spec, false);
}

#[test]
fn deadlocks_conform_to_anything() {
    let mut labels = Labels::new();
    let one = lpts(&mut labels, &[(0, "a", &[(1, 10)]), (1, "b", &[(1, 10)])]);
    let other = lpts(&mut labels, &[(0, "b", &[(0, 10)]), (1, "a", &[(1, 10)])]);
    let it = system(&labels, vec![one, other]);
    expect(&it, &LptsBuilder::new("nothing").build(), true);
    expect(
        &system(&labels, vec![LptsBuilder::new("nothing").build()]),
        &LptsBuilder::new("nothing").build(),
        true,
    );
}

#[test]
fn a_system_without_components_does_nothing() {
    let it = system(&Labels::new(), Vec::new());
    let spec = LptsBuilder::new("nothing").build();
    let cx = free();
    assert_eq!(
        verdict(&it, &spec, &monolithic(&it, &spec, &cx)),
        Some(true)
    );
    let answer = cegar(&it, &spec, ChainOptions::default(), &cx);
    assert_eq!(verdict(&it, &spec, &answer), Some(true));
}

#[test]
fn propositions_of_the_specification_keep_classes_apart() {
    let mut labels = Labels::new();
    let one = lpts(&mut labels, &[(0, "a", &[(0, 10)])]);
    let other = lpts(
        &mut labels,
        &[(0, "a", &[(0, 9), (1, 1)]), (1, "b", &[(0, 10)])],
    );
    let with = |lpts: &Lpts, states: &[usize]| {
        let mut it = LptsBuilder::new("it");
        it.states(lpts.states());
        for state in 0..lpts.states() as State {
            for choice in lpts.choices(state) {
                let dist = it.store().insert(lpts.dist(choice.dist));
                it.choice_of(state, choice.label, dist);
            }
        }
        let mut set = fixedbitset::FixedBitSet::with_capacity(lpts.states());
        set.extend(states.iter().copied());
        it.proposition(0, set);
        it.build()
    };
    let mut it = system(&labels, vec![one, with(&other, &[1])]);
    it.propositions.push(Proposition {
        name: "down".to_owned(),
        component: 1,
    });
    let cx = free();
    for (states, holds) in [(&[1][..], true), (&[0][..], false), (&[][..], false)] {
        let spec = with(&other, states);
        let options = ChainOptions::default();
        for answer in [
            monolithic(&it, &spec, &cx),
            cegar(&it, &spec, options, &cx),
            agar(&it, &spec, &[0], options, &cx),
            agar_n(&it, &spec, &[vec![1], vec![0]], options, &cx),
        ] {
            assert_eq!(verdict(&it, &spec, &answer), Some(holds), "{states:?}");
        }
        let answer = learn(&it, &spec, &[0], LearnOptions::default(), &cx);
        assert!(matches!(
            answer.verdict,
            ConformanceVerdict::Unknown(Reason::Unsupported(_))
        ));
    }
}

#[test]
fn groups_must_cover_the_system() {
    let mut labels = Labels::new();
    let parts = input_output(&mut labels);
    let spec = input_output_spec(&mut labels, "output");
    let it = system(&labels, parts.to_vec());
    let cx = free();
    for groups in [
        vec![vec![0]],
        vec![vec![0], vec![1, 1]],
        vec![vec![0], vec![1, 2]],
    ] {
        let answer = agar_n(&it, &spec, &groups, ChainOptions::default(), &cx);
        assert!(matches!(
            answer.verdict,
            ConformanceVerdict::Unknown(Reason::Unsupported(_))
        ));
    }
    let answer = agar(&it, &spec, &[7], ChainOptions::default(), &cx);
    assert!(matches!(
        answer.verdict,
        ConformanceVerdict::Unknown(Reason::Unsupported(_))
    ));
}

#[test]
fn limits_are_kept() {
    let mut labels = Labels::new();
    let parts = input_output(&mut labels);
    let spec = input_output_spec(&mut labels, "output");
    let it = system(&labels, parts.to_vec());
    let mut cx = free();
    cx.max_iterations = 1;
    let answer = agar(&it, &spec, &[0], ChainOptions::default(), &cx);
    assert!(matches!(
        answer.verdict,
        ConformanceVerdict::Unknown(Reason::Iterations)
    ));
    let answer = learn(&it, &spec, &[0], LearnOptions::default(), &cx);
    assert!(matches!(
        answer.verdict,
        ConformanceVerdict::Unknown(Reason::Iterations)
    ));
    let answer = monolithic(&it, &spec, &free().with_state_limit(4));
    assert!(matches!(
        answer.verdict,
        ConformanceVerdict::Unknown(Reason::Timeout)
    ));
}

#[test]
fn the_hub_comes_first() {
    let mut labels = Labels::new();
    let one = lpts(&mut labels, &[(0, "a", &[(0, 10)])]);
    let two = lpts(&mut labels, &[(0, "b", &[(0, 10)])]);
    let hub = lpts(&mut labels, &[(0, "a", &[(1, 10)]), (1, "b", &[(0, 10)])]);
    let it = system(&labels, vec![one, two, hub.clone()]);
    assert_eq!(order(&it, &hub), [2, 0, 1]);
}
