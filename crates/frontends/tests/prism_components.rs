//! A model decomposed into components and composed again is the model as a whole.

#![allow(clippy::unwrap_used)]

#[path = "support/prism_models.rs"]
mod prism_models;

use std::collections::{BTreeMap, BTreeSet};

use prism_models::{Wanted, random_model};
use suppose_frontends::prism::{
    Exploration, ExplorationError, Grouping, Lowered, PrismModel, PrismOptions, Properties, Reads,
    read_acts, read_text,
};
use suppose_model::mdp::{Labels, Lpts, SizeLimits, compose};
use suppose_source::{FileId, Sources};
use suppose_testkit::{Rng, for_each_seed};

/// A state's variables, a label's name and the probabilities of states.
type Step = (String, String, BTreeMap<String, String>);

fn read(text: &str) -> PrismModel {
    match read_text("model.nm", text, &PrismOptions::default()) {
        Ok((model, _)) => model,
        Err((errors, sources)) => panic!("{}\n{text}", errors[0].render(&sources, false)),
    }
}

/// All steps by the names of states, in one order of variables whatever the components.
fn steps(
    lpts: &Lpts,
    name: impl Fn(u32) -> String,
    label: impl Fn(suppose_model::mdp::Label) -> String,
) -> BTreeSet<Step> {
    let mut all = BTreeSet::new();
    for state in 0..lpts.states() as u32 {
        for choice in lpts.choices(state) {
            let dist = lpts.dist(choice.dist).probabilities();
            let dist = dist.map(|(s, p)| (name(s), p.to_string())).collect();
            all.insert((name(state), label(choice.label), dist));
        }
    }
    all
}

fn sorted(parts: impl Iterator<Item = String>) -> String {
    let joined = parts
        .filter(|p| !p.is_empty())
        .collect::<Vec<_>>()
        .join(", ");
    let mut variables: Vec<&str> = joined.split(", ").filter(|v| !v.is_empty()).collect();
    variables.sort_unstable();
    variables.join(", ")
}

fn state_name(lpts: &Lpts, state: u32) -> String {
    match lpts.has_state_names() {
        true => lpts.state_name(state),
        false => String::new(),
    }
}

fn of_whole(model: &PrismModel) -> BTreeSet<Step> {
    let mut labels = Labels::new();
    let whole = model.whole(&mut labels, &Exploration::unlimited()).unwrap();
    let lpts = &whole.lpts;
    steps(
        lpts,
        |s| sorted(std::iter::once(state_name(lpts, s))),
        |l| labels.name(l).to_owned(),
    )
}

fn lower(model: &PrismModel, grouping: &Grouping) -> Lowered {
    let properties = Properties::default();
    let lowered = model.system(
        grouping,
        &properties,
        Labels::new(),
        &Exploration::unlimited(),
    );
    match lowered {
        Ok(lowered) => lowered,
        Err(failure) => panic!("{failure:?}"),
    }
}

fn of_components(lowered: &Lowered) -> BTreeSet<Step> {
    let system = &lowered.system;
    let parts = system.parts();
    let whole = compose("all", &parts, &SizeLimits::default(), &mut |_| Ok(())).unwrap();
    let name = |s: u32| {
        let vector = whole.vector(s);
        sorted(parts.iter().zip(vector).map(|(p, s)| state_name(p, s)))
    };
    steps(&whole.lpts, name, |l| {
        system.labels.name(system.observe(l)).to_owned()
    })
}

fn check(rng: &mut Rng, wanted: Wanted, grouping: &Grouping) -> usize {
    let text = random_model(rng, wanted);
    let model = read(&text);
    let expected = of_whole(&model);
    let lowered = lower(&model, grouping);
    let found = of_components(&lowered);
    assert_eq!(found, expected, "{text}\n{:?}", lowered.notes);
    lowered.system.components.len()
}

#[test]
fn modules_on_their_own() {
    for_each_seed(300, |rng| {
        let system = rng.percent(40);
        let wanted = Wanted {
            system,
            ..Wanted::default()
        };
        check(rng, wanted, &Grouping::default());
    });
}

#[test]
fn modules_that_read_each_other_are_grouped() {
    for_each_seed(200, |rng| {
        let wanted = Wanted {
            reads: true,
            global: rng.percent(30),
            system: rng.percent(20),
            ..Wanted::default()
        };
        check(rng, wanted, &Grouping::default());
    });
}

#[test]
fn reading_made_synchronisation_is_exact() {
    let mut apart = 0;
    for_each_seed(400, |rng| {
        let wanted = Wanted {
            reads: true,
            global: rng.percent(15),
            system: rng.percent(30),
            ..Wanted::default()
        };
        let grouping = Grouping {
            reads: Reads::Synchronise,
            ..Grouping::default()
        };
        if check(rng, wanted, &grouping) > 1 {
            apart += 1;
        }
    });
    // With a single seed set from outside there may be none.
    assert!(apart > 0 || std::env::var("SUPPOSE_SEED").is_ok());
}

#[test]
fn a_dtmc_is_one_component() {
    for_each_seed(60, |rng| {
        let wanted = Wanted {
            dtmc: true,
            reads: rng.percent(50),
            ..Wanted::default()
        };
        assert_eq!(check(rng, wanted, &Grouping::default()), 1);
    });
}

const PAIR: &str = "mdp
module a
  x : [0..2] init 0;
  [go] x<2 -> 0.9 : (x'=x+1) + 0.1 : true;
  [stop] x=2 -> true;
endmodule
module b
  y : bool init false;
  [] x=2 & !y -> (y'=true);
  [stop] y -> (y'=false);
endmodule
";

#[test]
fn says_what_was_done() {
    let model = read(PAIR);
    let grouped = lower(&model, &Grouping::default());
    assert_eq!(grouped.system.components.len(), 1);
    assert_eq!(grouped.system.components[0].members, ["a", "b"]);
    assert_eq!(
        grouped.notes,
        ["modules a and b are one component: b reads a.x"]
    );
    let apart = lower(
        &model,
        &Grouping {
            reads: Reads::Synchronise,
            ..Grouping::default()
        },
    );
    assert_eq!(apart.system.components.len(), 2);
    assert_eq!(apart.notes, ["b reads a.x: made a synchronisation"]);
    let alphabet = apart.system.components[1].lpts.alphabet();
    let shown: Vec<String> = alphabet
        .iter()
        .map(|l| apart.system.labels.display(*l))
        .collect();
    assert_eq!(shown, ["tau (b reads x=2)", "stop"]);
    assert_eq!(of_components(&apart), of_whole(&model));
}

#[test]
fn groups_are_given() {
    let text = "mdp module a x : bool; [s] !x -> (x'=true); endmodule
        module b y : bool; [s] !y -> (y'=true); endmodule
        module c z : bool; [s] !z -> (z'=true); endmodule";
    let grouping = Grouping {
        groups: vec![vec!["c".to_owned(), "a".to_owned()]],
        ..Grouping::default()
    };
    let lowered = lower(&read(text), &grouping);
    let names: Vec<&str> = lowered
        .system
        .components
        .iter()
        .map(|c| c.lpts.name())
        .collect();
    assert_eq!(names, ["a+c", "b"]);
    assert_eq!(of_components(&lowered), of_whole(&read(text)));
    let grouping = Grouping {
        groups: vec![vec!["nobody".to_owned()]],
        ..Grouping::default()
    };
    let unlimited = Exploration::unlimited();
    let failed = read(text).system(&grouping, &Properties::default(), Labels::new(), &unlimited);
    assert!(matches!(failed, Err(ExplorationError::Invalid(e)) if e[0].message.contains("nobody")));
}

#[test]
fn shared_actions_are_given() {
    let text = "mdp module a x : bool; [s] !x -> (x'=true); [t] x -> (x'=false); endmodule
        module b y : bool; [s] !y -> (y'=true); endmodule";
    let acts = |actions: &[&str]| Grouping {
        actions: vec![(
            "a".to_owned(),
            actions.iter().map(|a| (*a).to_owned()).collect(),
        )],
        ..Grouping::default()
    };
    // Together on s as computed; alone if the list leaves it out; u, which it never does, is blocked.
    assert_eq!(
        of_components(&lower(&read(text), &acts(&["s", "t"]))),
        of_whole(&read(text))
    );
    let alone = lower(&read(text), &acts(&["t", "u"]));
    let interleaved = format!("{text} system a ||| b endsystem");
    assert_eq!(of_components(&alone), of_whole(&read(&interleaved)));
    let u = alone.system.labels.get("u").unwrap();
    assert!(alone.system.components[0].lpts.knows(u));
}

#[test]
fn a_component_alone_may_leave_its_range() {
    let text = "mdp module a x : [0..1]; [s] true -> (x'=x+1); endmodule
        module b y : bool; [s] !y -> (y'=true); endmodule";
    let lowered = lower(&read(text), &Grouping::default());
    assert_eq!(lowered.blocked.len(), 1);
    assert!(lowered.blocked[0].message.contains("`x` would become 2"));
    assert_eq!(of_components(&lowered), of_whole(&read(text)));
}

#[test]
fn files_of_shared_actions() {
    let read = |text: &str| read_acts(FileId(0), &Sources::single("m.acts", text));
    let acts = read("# shared\na:\n s # together\n t\n\nb:\n").unwrap();
    let all = ["s".to_owned(), "t".to_owned()];
    assert_eq!(
        acts,
        [("a".to_owned(), all.to_vec()), ("b".to_owned(), vec![])]
    );
    for (text, expected) in [
        ("s", "whose action"),
        ("a:\ns t", "not an action"),
        ("a:\na:", "twice"),
    ] {
        let errors = read(text).unwrap_err();
        assert!(errors[0].message.contains(expected), "{errors:?}");
    }
}
