//! What is written is read back the same; what is wrong is said.

#![allow(clippy::unwrap_used)]

#[path = "support/prism_models.rs"]
mod prism_models;

use prism_models::{Wanted, random_model};
use suppose_frontends::lpts::{
    Explicit, Files, Format, Written, is_json, read, with_properties, write,
};
use suppose_frontends::prism::{Exploration, PrismOptions, read_text};
use suppose_model::mdp::{Label, Labels, Lpts, PathFormula, Query, StateFormula};
use suppose_source::{FileId, ParserLimits, SourceFile, Sources};
use suppose_testkit::{Rng, for_each_seed};

fn sources_of(written: &Written) -> (Sources, Files) {
    let mut sources = Sources::single("M.x", written.main.clone());
    let mut add = |text: &Option<String>| {
        let text = text.clone()?;
        Some(sources.add(SourceFile::new("M.y", text)))
    };
    let (states, labels) = (add(&written.states), add(&written.labels));
    let files = Files {
        main: FileId(0),
        states,
        labels,
    };
    (sources, files)
}

fn read_back(format: Format, written: &Written) -> (Explicit, Labels) {
    let (sources, files) = sources_of(written);
    let mut labels = Labels::new();
    match read(
        format,
        files,
        &sources,
        &mut labels,
        &ParserLimits::default(),
    ) {
        Ok(explicit) => (explicit, labels),
        Err(errors) => panic!("{}\n{}", errors[0].render(&sources, false), written.main),
    }
}

fn read_one(format: Format, text: &str) -> Result<(Explicit, Labels), String> {
    let sources = Sources::single("M.x", text);
    let mut labels = Labels::new();
    let files = Files::one(FileId(0));
    match read(
        format,
        files,
        &sources,
        &mut labels,
        &ParserLimits::default(),
    ) {
        Ok(explicit) => Ok((explicit, labels)),
        Err(errors) => Err(errors[0].render(&sources, false)),
    }
}

/// Everything there is to see, by name.
fn seen(lpts: &Lpts, labels: &Labels, propositions: &[String], names: bool) -> Vec<String> {
    let mut all = vec![
        format!("init {}", lpts.initial()),
        format!("states {}", lpts.states()),
    ];
    for state in 0..lpts.states() as u32 {
        if names {
            all.push(format!("name {state} {}", lpts.state_name(state)));
        }
        for choice in lpts.choices(state) {
            let dist: Vec<_> = lpts.dist(choice.dist).probabilities().collect();
            all.push(format!("{state} {} {dist:?}", labels.name(choice.label)));
        }
    }
    for (number, holds) in lpts.propositions() {
        let states: Vec<usize> = holds.ones().collect();
        all.push(format!(
            "label {} {states:?}",
            propositions[*number as usize]
        ));
    }
    all.sort();
    all
}

fn example(rng: &mut Rng) -> (Lpts, Labels, Vec<String>) {
    let text = random_model(rng, Wanted::default());
    let (model, _) = read_text("m", &text, &PrismOptions::default()).unwrap();
    let mut labels = Labels::new();
    let lpts = model
        .whole(&mut labels, &Exploration::unlimited())
        .unwrap()
        .lpts;
    // A label that some states have.
    let mut sources = Sources::new();
    let written = write(Format::Json, &lpts, &labels, &[], &[]);
    let mut document = written
        .main
        .trim_end()
        .trim_end_matches('}')
        .trim_end()
        .to_owned();
    document.push_str(&format!(
        ", \"labels\": [{{\"name\": \"good\", \"states\": [{}]}}] }}",
        rng.below(lpts.states())
    ));
    sources.add(SourceFile::new("m.json", document));
    let mut labels = Labels::new();
    let limits = ParserLimits::default();
    let made = read(
        Format::Json,
        Files::one(FileId(0)),
        &sources,
        &mut labels,
        &limits,
    )
    .unwrap();
    (made.lpts, labels, made.propositions)
}

#[test]
fn written_and_read_again() {
    for_each_seed(200, |rng| {
        let (lpts, labels, names) = example(rng);
        for format in [Format::Text, Format::Json, Format::Drn, Format::Tra] {
            let written = write(format, &lpts, &labels, &names, &[]);
            let (again, again_labels) = read_back(format, &written);
            let with_names = format != Format::Drn;
            assert_eq!(
                seen(&again.lpts, &again_labels, &again.propositions, with_names),
                seen(&lpts, &labels, &names, with_names),
                "{format:?}\n{}",
                written.main
            );
        }
        assert!(is_json(
            &write(Format::Json, &lpts, &labels, &names, &[]).main
        ));
    });
}

const CHANNEL: &str = "# a lossy channel
lpts Channel
init s0
s0 -send-> 9/10: s1, 1/10: s0   # may be lost
s1 -recv-> s0
s1 -tau-> 0.5: s0, 0.5: \"the end\"
actions reset, close
label busy: s1
";

#[test]
fn the_text_form() {
    let (channel, labels) = read_one(Format::Text, CHANNEL).unwrap();
    let lpts = &channel.lpts;
    assert_eq!(
        (lpts.name(), lpts.states(), lpts.initial()),
        ("Channel", 3, 0)
    );
    assert_eq!(lpts.state_name(2), "the end");
    let send = lpts.choices_on(0, labels.get("send").unwrap())[0];
    assert_eq!(lpts.dist(send.dist).probability(0).to_string(), "1/10");
    assert_eq!(lpts.choices_on(1, Label::TAU).len(), 1);
    assert!(lpts.knows(labels.get("reset").unwrap()) && lpts.knows(labels.get("close").unwrap()));
    assert_eq!(channel.propositions, ["busy"]);
    assert_eq!(lpts.satisfies(1, 0), Some(true));
}

#[test]
fn mistakes_in_the_text_form() {
    for (text, expected) in [
        ("", "there is no state"),
        ("s0 -a> s1", "expected `->`"),
        ("s0 -a-> 1/2: s1", "add up to 1/2"),
        ("s0 -a-> 1/2: s1, 1/3: s0", "add up to 5/6"),
        ("s0 -a-> 1/0: s1", "expected"),
        ("s0 -a-> 1/2: s1, s0", "expected a probability"),
        ("s0 -a-> s1 s2", "expected the end of the line"),
        ("init s0\ninit s1", "second `init`"),
        ("s0 -\"a-> s1", "not closed"),
        ("label l s0", "expected `:`"),
    ] {
        let shown = read_one(Format::Text, text).unwrap_err();
        assert!(shown.contains(expected), "{text}\n{shown}");
    }
}

#[test]
fn what_storm_writes() {
    let text = "// Exported by storm\n// Original model type: MDP\n@type: MDP\n@value_type: rational\n@parameters\n\n@reward_models\nsteps\n@nr_states\n3\n@nr_choices\n4\n@model
state 0 [1] init
\taction 0 [0]
\t\t0 : 2/3
\t\t1 : 1/3
\taction 1
\t\t2 : 1
state 1
\taction 0
\t\t2 : 1
state 2 deadlock \"the goal\"
\taction 0
\t\t2 : 1
";
    let (made, _) = read_one(Format::Drn, text).unwrap();
    assert_eq!(made.lpts.states(), 3);
    assert_eq!(made.lpts.all_choices().len(), 3);
    assert!(made.lpts.all_choices().iter().all(|c| c.label.is_tau()));
    assert!(made.lpts.choices(2).is_empty());
    assert_eq!(made.propositions, ["the goal"]);
    for (damage, with, expected) in [
        ("MDP\n@value", "CTMC\n@value", "not read"),
        ("2/3", "0.6666", "not to 1"),
        ("2 : 1", "7 : 1", "no state 7"),
        (" init", "", "`init`"),
        ("@model", "", "no `@model`"),
        ("@nr_states", "", "no `@nr_states`"),
        ("1 : 1/3", "1 1/3", "not a branch"),
    ] {
        let shown = read_one(Format::Drn, &text.replace(damage, with)).unwrap_err();
        assert!(shown.contains(expected), "{damage}: {shown}");
    }
}

#[test]
fn what_prism_writes() {
    let written = Written {
        main: "3 4 5\n0 0 0 0.5 a\n0 0 1 0.5 a\n0 1 2 1 b\n1 0 2 1\n2 0 2 1\n".to_owned(),
        states: Some("(x,y)\n0:(0,false)\n1:(1,false)\n2:(1,true)\n".to_owned()),
        labels: Some("0=\"init\" 1=\"deadlock\" 2=\"done\"\n0: 0\n2: 1 2\n".to_owned()),
    };
    let (made, labels) = read_back(Format::Tra, &written);
    assert_eq!(made.lpts.all_choices().len(), 3);
    assert_eq!(made.lpts.state_name(2), "x=1, y=true");
    assert_eq!(made.lpts.choices_on(0, labels.get("a").unwrap()).len(), 1);
    assert_eq!(made.propositions, ["done"]);
    let (dtmc, _) = read_one(Format::Tra, "2 3\n0 0 1/3\n0 1 2/3\n1 1 1\n").unwrap();
    assert_eq!(dtmc.lpts.all_choices().len(), 2);
    for (text, expected) in [
        ("", "empty"),
        ("x", "two numbers"),
        ("2 2\n0 5 1\n", "no state 5"),
        ("2 2\n0 1\n", "not a transition"),
        ("2 2\n0 1 0.5\n", "not to 1"),
        ("0 0\n", "no state"),
        ("99999999999 1\n", "more than"),
        ("2 1 2\n0 0 0 1/2 a\n0 0 1 1/2 b\n", "two actions"),
    ] {
        let shown = read_one(Format::Tra, text).unwrap_err();
        assert!(shown.contains(expected), "{text}\n{shown}");
    }
}

#[test]
fn mistakes_in_json() {
    let good = r#"{"format":"suppose-lpts","version":1,"name":"n","states":2,"initial":0,
        "choices":[{"from":0,"action":"a","to":[[1,"1/2"],[0,"0.5"]]}]}"#;
    assert!(read_one(Format::Json, good).is_ok());
    for (damage, with, expected) in [
        ("\"version\":1", "\"version\":2", "version 2"),
        ("suppose-lpts", "other", "`other`"),
        ("1/2", "1/3", "not to 1"),
        ("1/2", "half", "not a probability"),
        ("[1,", "[5,", "no state 5"),
        ("\"initial\":0", "\"initial\":2", "no state 2"),
        ("\"states\":2", "\"states\":0", "no state"),
        ("\"name\"", "\"nome\"", "not a suppose-lpts document"),
    ] {
        let shown = read_one(Format::Json, &good.replace(damage, with)).unwrap_err();
        assert!(shown.contains(expected), "{damage}: {shown}");
    }
}

#[test]
fn properties_about_labels() {
    let (channel, labels) = read_one(Format::Text, CHANNEL).unwrap();
    let sources = Sources::single("p", "P<=1/2 [ !\"init\" U<=3 \"busy\" ]; \"r\": R=? [ C ]");
    let limits = ParserLimits::default();
    let (system, properties, undecided) =
        with_properties(channel, labels, Some(FileId(0)), &sources, &[], &limits).unwrap();
    assert_eq!(undecided[0].name, "r");
    let names: Vec<&str> = system
        .propositions
        .iter()
        .map(|p| p.name.as_str())
        .collect();
    assert_eq!(names, ["\"busy\"", "\"init\""]);
    assert_eq!(system.components[0].lpts.satisfies(0, 1), Some(true));
    let Query::Holds(StateFormula::Probability { paths, .. }) = &properties[0].query else {
        panic!("{properties:?}");
    };
    let PathFormula::Until { right, steps, .. } = &**paths else {
        panic!("{paths:?}");
    };
    assert_eq!(
        (right, steps),
        (&StateFormula::Proposition(0), &Some(3).into())
    );
}

const REWARDS: &str = "@type: MDP
@value_type: rational
@reward_models
time \"the cost\"
@nr_states
3
@nr_choices
4
@model
state 0 [1, 1/2] init
\taction a [0, 2]
\t\t0 : 1/3
\t\t1 : 2/3
\taction a [3, 0]
\t\t0 : 1/3
\t\t1 : 2/3
state 1 goal
\taction b
\t\t2 : 1
state 2 [0.25, 0] deadlock init
\taction b [0, 0]
\t\t2 : 1
";

#[test]
fn rewards_of_states_and_actions() {
    let (made, labels) = read_one(Format::Drn, REWARDS).unwrap();
    assert_eq!(made.rewards, ["time", "the cost"]);
    assert_eq!(made.lpts.initials(), [0, 2]);
    let structures: Vec<_> = (0..2).map(|n| made.lpts.rewards(n).unwrap()).collect();
    let shown = |choices: bool| {
        let one = |n: usize| {
            let all = structures.iter();
            let all = all.map(|r| if choices { r.choice(n) } else { r.state(n) }.to_string());
            all.collect::<Vec<_>>().join(" ")
        };
        (0..3).map(one).collect::<Vec<_>>()
    };
    assert_eq!(shown(false), ["1 1/2", "0 0", "1/4 0"]);
    // Two choices that differ in what they earn only stay apart.
    assert_eq!(shown(true), ["0 2", "3 0", "0 0"]);
    let written = write(
        Format::Drn,
        &made.lpts,
        &labels,
        &made.propositions,
        &made.rewards,
    );
    let (again, _) = read_back(Format::Drn, &written);
    assert_eq!(again.rewards, made.rewards);
    for number in 0..2 {
        assert_eq!(again.lpts.rewards(number), made.lpts.rewards(number));
    }
    for (damage, with, expected) in [
        ("[0, 2]", "[0]", "there are 1 rewards, and 2 names"),
        ("[0, 2]", "[0, -2]", "`-2` is not a reward"),
        ("[1, 1/2]", "[1, 1/2", "no `]`"),
        ("time ", "\"the cost\" ", "already rewards `the cost`"),
        (
            "time \"the cost\"\n",
            "",
            "there are 2 rewards, and 0 names",
        ),
        ("b [0, 0]", "b [1, 0]", "the step of a deadlock"),
    ] {
        let shown = read_one(Format::Drn, &REWARDS.replace(damage, with)).unwrap_err();
        assert!(shown.contains(expected), "{damage}: {shown}");
    }
}
