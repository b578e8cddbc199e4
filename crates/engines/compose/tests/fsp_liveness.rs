//! Progress and liveness of FSP models: LTSA's own answers, with and without fair choice, and what it answers wrongly.
//!
//! `tests/fsp_liveness` has `expected.tsv` and a choice of the models. A folder with more of them is named by
//! `SUPPOSE_FSP_LTSA`; without it the second test only says that it was skipped.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use suppose_compose::liveness;
use suppose_control::Context;
use suppose_frontends::{Input, LoadOptions, load};
use suppose_model::lts::{Fairness, Label, Liveness, LivenessKind, Network, Proposition, Temporal};
use suppose_model::{Claim, Verdict};
use suppose_testkit::fsp::generate::{Shape, model};
use suppose_testkit::fsp::interpret;
use suppose_testkit::{Rng, naive};

/// One line of the table, by the names of the columns.
type Row<'t> = BTreeMap<&'t str, &'t str>;

/// Verdicts that LTSA gets wrong, and why.
const WRONG: &[(&str, &str, &str)] = &[
    ("l-aprio-017", "A0", TWO_AT_ONCE),
    ("l-aprio-027", "A0", TWO_AT_ONCE),
    ("l-aprio-038", "A1", TWO_AT_ONCE),
    ("l-aprio-039", "A0", TWO_AT_ONCE),
    ("l-hide-013", "A0", TWO_AT_ONCE),
    ("l-hide-045", "A0", TWO_AT_ONCE),
    ("l-indet-031", "A0", TWO_AT_ONCE),
    ("l-fluent-025", "A0", ONE_RUN),
];
const TWO_AT_ONCE: &str = "no action is two actions, so what has to happen in the end is impossible; LTSA says that it happens";
const ONE_RUN: &str =
    "the system has one word only, and without fair choice LTSA says that it is violated";

/// What the table calls the question for systems without progress properties.
const ALL_ACTIONS: &str = "(all actions)";

fn network(text: &str, fairness: Fairness) -> Result<Network, String> {
    let options = LoadOptions {
        system: Some("SYS".to_owned()),
        fairness,
        ..LoadOptions::default()
    };
    let loaded = load(vec![Input::new("model.lts", text)], &options);
    loaded.map(|l| l.network).map_err(|failed| {
        let shown = failed.diagnostics.iter();
        shown.map(|d| d.render(&failed.sources, false)).collect()
    })
}

/// The verdicts on all liveness claims of a kind, each with evidence that the checker accepts.
fn verdicts(network: &Network, kind: LivenessKind) -> BTreeMap<String, bool> {
    let mut all = BTreeMap::new();
    for (number, claim) in network.liveness.iter().enumerate() {
        if claim.kind != kind {
            continue;
        }
        let answer = liveness::check(network, number, &Context::default());
        let holds = match &answer.verdict {
            Verdict::Holds(proof) => {
                let checked = suppose_certify::certificate(network, proof, &Context::default());
                assert!(checked.is_ok(), "{}: {checked:?} {proof:?}", claim.name);
                true
            }
            Verdict::Violated(run) => {
                let checked = suppose_certify::counterexample(network, run);
                assert!(checked.is_ok(), "{}: {checked:?} {run:?}", claim.name);
                false
            }
            Verdict::Unknown(reason) => panic!("{}: {reason:?}", claim.name),
        };
        all.insert(claim.name.clone(), holds);
    }
    all
}

fn word(holds: bool, yes: &'static str) -> &'static str {
    if holds { yes } else { "violated" }
}

/// In what we differ from one column of a line.
fn compare(
    row: &Row<'_>,
    column: &str,
    yes: &'static str,
    ours: &BTreeMap<String, bool>,
    counted: &mut u64,
) -> Vec<String> {
    let mut found = Vec::new();
    for pair in row[column].split(';').filter(|p| !p.is_empty()) {
        let (name, theirs) = pair.rsplit_once(':').unwrap();
        let Some(ours) = ours.get(name) else {
            continue;
        };
        // An error of LTSA that is none, while it looks for the trace: progress is violated there.
        let quirk = theirs == "error" && row["deadlock"] == "yes" && row["violation"] == "no";
        let theirs = match theirs {
            "error" if quirk && column == "progress" => "violated",
            "error" => continue,
            theirs => theirs,
        };
        *counted += 1;
        let one_run = |w: &(&str, &str, &str)| w.2 == ONE_RUN && column == "asserts_unfair";
        let wrong = |w: &&(&str, &str, &str)| {
            row["file"].contains(w.0) && w.1 == name && column != "progress" && !one_run(w)
        };
        let ours = word(*ours, yes);
        match WRONG.iter().find(wrong) {
            Some(_) if ours != theirs => {}
            Some(_) => found.push(format!("{column} {name} is no longer different")),
            None if ours != theirs => {
                found.push(format!("{column} {name} is {theirs}, ours {ours}"))
            }
            None => {}
        }
    }
    found
}

fn compare_all(folder: &Path) {
    let table = std::fs::read_to_string(folder.join("expected.tsv")).unwrap();
    let mut lines = table.lines();
    let columns: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let (mut wrong, mut counted) = (0, 0);
    for line in lines {
        let row: Row = columns.iter().copied().zip(line.split('\t')).collect();
        if row["progress"].is_empty() && row["asserts"].is_empty() || !row["error"].is_empty() {
            continue;
        }
        let text = std::fs::read_to_string(folder.join(row["file"])).unwrap();
        let mut fair = network(&text, Fairness::FairChoice).unwrap();
        if row["progress"].contains(ALL_ACTIONS) {
            let mut all = Liveness::every_action(&fair);
            all.name = ALL_ACTIONS.to_owned();
            fair.liveness.push(all);
        }
        let unfair = network(&text, Fairness::None).unwrap();
        let mut found = Vec::new();
        // LTSA is not consistent about formulas on runs that stop.
        let goes_on = row["deadlock"] == "no" && row["ends"] == "no";
        let progress = verdicts(&fair, LivenessKind::Progress);
        found.extend(compare(&row, "progress", "ok", &progress, &mut counted));
        let asserts = verdicts(&fair, LivenessKind::Assertion);
        let all_runs = verdicts(&unfair, LivenessKind::Assertion);
        if goes_on {
            found.extend(compare(&row, "asserts", "holds", &asserts, &mut counted));
            found.extend(compare(
                &row,
                "asserts_unfair",
                "holds",
                &all_runs,
                &mut counted,
            ));
        }
        for (name, holds) in &all_runs {
            assert!(
                !*holds || asserts[name],
                "{}: {name} is true of all runs",
                row["file"]
            );
        }
        if !found.is_empty() {
            wrong += 1;
            println!("{}: {}", row["file"], found.join("; "));
        }
    }
    for (file, what, why) in WRONG {
        println!("{file}: {what} differs: {why}");
    }
    println!("{counted} verdicts, {wrong} models differ without a reason");
    assert_eq!(wrong, 0);
}

#[test]
fn representative_models_have_the_answers_of_ltsa() {
    compare_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fsp_liveness"));
}

#[test]
fn all_models_with_answers_of_ltsa_agree() {
    match std::env::var_os("SUPPOSE_FSP_LTSA") {
        Some(folder) => compare_all(Path::new(&folder)),
        None => println!("skipped: SUPPOSE_FSP_LTSA names no folder with LTSA's answers"),
    }
}

/// A random progress property, over the letters that the generator uses.
fn progress(rng: &mut Rng, number: usize) -> String {
    let set = |rng: &mut Rng| {
        let mut names = rng.subset(&["a", "b", "c", "d", "e"], 40);
        if names.is_empty() {
            names.push("a");
        }
        format!("{{{}}}", names.join(","))
    };
    match rng.percent(40) {
        true => {
            let (condition, wanted) = (set(rng), set(rng));
            format!("progress G{number} = if {condition} then {wanted}\n")
        }
        false => format!("progress G{number} = {}\n", set(rng)),
    }
}

/// A random formula over actions and the fluents F and H.
fn formula(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 {
        let atoms = ["a", "b", "c", "d", "{a,e}", "{b,c}", "F", "H"];
        let atom = atoms[rng.below(atoms.len())];
        return match rng.percent(30) {
            true => format!("!{atom}"),
            false => atom.to_owned(),
        };
    }
    let mut part = || formula(rng, depth - 1);
    let (one, two) = (part(), part());
    match rng.below(9) {
        0 => format!("[]({one})"),
        1 => format!("<>({one})"),
        2 => format!("X ({one})"),
        3 => format!("(({one}) U ({two}))"),
        4 => format!("(({one}) W ({two}))"),
        5 => format!("(({one}) && ({two}))"),
        6 => format!("(({one}) || ({two}))"),
        7 => format!("[]<>({one})"),
        _ => format!("<>[]({one})"),
    }
}

/// Is the formula of a claim true of a run that repeats itself? What is true later is found by looking ahead until nothing changes.
fn is_true(claim: &Liveness, letters: &[Vec<bool>], cycle: usize) -> bool {
    let count = letters.len();
    let next = |at: usize| if at + 1 < count { at + 1 } else { cycle };
    let mut truth: Vec<Vec<bool>> = Vec::new();
    for node in &claim.nodes {
        let first = matches!(node, Temporal::Release(..));
        let mut values = vec![first; count];
        loop {
            let is = |node: u32, at: usize| truth[node as usize][at];
            let mut changed = false;
            for at in (0..count).rev() {
                let now = match node {
                    Temporal::True => true,
                    Temporal::False => false,
                    Temporal::Literal(p, positive) => letters[at][*p as usize] == *positive,
                    Temporal::And(parts) => parts.iter().all(|p| is(*p, at)),
                    Temporal::Or(parts) => parts.iter().any(|p| is(*p, at)),
                    Temporal::Next(inner) => is(*inner, next(at)),
                    Temporal::Until(l, r) => is(*r, at) || is(*l, at) && values[next(at)],
                    Temporal::Release(l, r) => is(*r, at) && (is(*l, at) || values[next(at)]),
                };
                changed |= values[at] != now;
                values[at] = now;
            }
            if !changed {
                break;
            }
        }
        truth.push(values);
    }
    truth[claim.root as usize][0]
}

/// A vector and the values of the propositions after the last action.
type Place = (Vec<u32>, Vec<bool>);

/// The steps from a place: the action, none if the system has stopped, and the place after it.
fn steps(network: &Network, number: usize, place: &Place) -> Vec<Place> {
    let claim = &network.liveness[number];
    let (mentioned, free) = (claim.labels(), network.free_labels());
    let mut all = naive::steps_for(network, &place.0, Claim::Liveness(number));
    all.retain(|(l, _)| !free.contains(l) || mentioned.contains(l));
    if all.iter().any(|(l, _)| network.errors.contains(l)) {
        all.clear();
    }
    let mut all: Vec<(Option<Label>, Vec<u32>)> =
        all.into_iter().map(|(l, next)| (Some(l), next)).collect();
    if all.is_empty() {
        all.push((None, place.0.clone()));
    }
    let after = |(label, vector): (Option<Label>, Vec<u32>)| {
        let has = |labels: &[Label]| label.is_some_and(|l| labels.contains(&l));
        let value = |(p, was): (&Proposition, &bool)| match p {
            Proposition::Actions(labels) => has(labels),
            Proposition::Fluent { starts, ends, .. } => has(starts) || *was && !has(ends),
        };
        let values = claim.propositions.iter().zip(&place.1).map(value);
        (vector, values.collect())
    };
    all.into_iter().map(after).collect()
}

/// Can a place be reached again from wherever one comes from it? None if that are too many places.
fn is_terminal(network: &Network, number: usize, place: &Place) -> Option<bool> {
    let mut seen = BTreeMap::from([(place.clone(), 0usize)]);
    let mut queue = vec![place.clone()];
    let mut edges: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < queue.len() {
        for next in steps(network, number, &queue[at].clone()) {
            let fresh = seen.len();
            let to = *seen.entry(next.clone()).or_insert(fresh);
            if to == fresh {
                queue.push(next);
            }
            edges.push((at, to));
        }
        if seen.len() > 400 {
            return None;
        }
        at += 1;
    }
    let mut back = vec![false; queue.len()];
    back[0] = true;
    loop {
        let before = back.iter().filter(|b| **b).count();
        for (from, to) in &edges {
            back[*from] |= back[*to];
        }
        if back.iter().filter(|b| **b).count() == before {
            return Some(back.iter().all(|b| *b));
        }
    }
}

/// A run of random choices into a set that is never left, and around in it for so many steps at least: does it satisfy
/// the claim? None if it does not get there in time.
fn sample(network: &Network, number: usize, rng: &mut Rng, length: usize) -> Option<bool> {
    let claim = &network.liveness[number];
    let initially = |p: &Proposition| {
        matches!(
            p,
            Proposition::Fluent {
                initially: true,
                ..
            }
        )
    };
    let values = claim.propositions.iter().map(initially).collect();
    let mut place: Place = (naive::initial(network), values);
    let mut letters: Vec<Vec<bool>> = Vec::new();
    let mut home: Option<(Place, usize)> = None;
    while letters.len() < 40 * length {
        let mut all = steps(network, number, &place);
        place = all.swap_remove(rng.below(all.len()));
        letters.push(place.1.clone());
        match &home {
            Some((at, cycle)) if *at == place && letters.len() >= cycle + length => {
                return Some(is_true(claim, &letters, *cycle));
            }
            None if letters.len().is_multiple_of(50) && is_terminal(network, number, &place)? => {
                home = Some((place.clone(), letters.len()));
            }
            _ => {}
        }
    }
    None
}

/// Random models: progress against the naive interpreter, formulas against runs of random choices, which are fair.
fn random(first: u64, models: u64) {
    let (mut decided, mut holding, mut sampled) = (0u64, 0u64, 0u64);
    for seed in first..first + models {
        let mut rng = Rng::new(seed);
        let shapes = [
            Shape::Basic,
            Shape::Priority,
            Shape::Properties,
            Shape::HiddenEnd,
            Shape::Assert,
        ];
        let mut text = model(&mut rng, shapes[(seed % 5) as usize]);
        text.push('\n');
        for number in 0..3 {
            text.push_str(&progress(&mut rng, number));
        }
        text.push_str("fluent F = <a, {b,c}>\nfluent H = <{c,d}, e> initially 1\n");
        for number in 0..3 {
            let depth = 1 + rng.below(3);
            let _ = writeln!(text, "assert L{number} = ({})", formula(&mut rng, depth));
        }
        let Ok(naive) = interpret(&text, "SYS") else {
            continue;
        };
        let (Ok(fair), Ok(unfair)) = (
            network(&text, Fairness::FairChoice),
            network(&text, Fairness::None),
        ) else {
            panic!("seed {seed}: refused\n{text}");
        };
        let ours = verdicts(&fair, LivenessKind::Progress);
        for (name, theirs) in &naive.progress {
            assert_eq!(ours.get(name), Some(theirs), "seed {seed}: {name}\n{text}");
            decided += 1;
        }
        let asserts = verdicts(&fair, LivenessKind::Assertion);
        let all_runs = verdicts(&unfair, LivenessKind::Assertion);
        for (number, claim) in fair.liveness.iter().enumerate() {
            let Some(holds) = asserts.get(&claim.name) else {
                continue;
            };
            assert!(
                !all_runs[&claim.name] || *holds,
                "seed {seed}: {}\n{text}",
                claim.name
            );
            decided += 2;
            holding += u64::from(*holds) + u64::from(all_runs[&claim.name]);
            let mut violated = false;
            for _ in 0..10 {
                if let Some(satisfies) = sample(&fair, number, &mut rng, 400) {
                    sampled += 1;
                    violated |= !satisfies;
                    assert!(
                        satisfies || !*holds,
                        "seed {seed}: {} holds\n{text}",
                        claim.name
                    );
                }
            }
            if !violated && !*holds {
                println!("seed {seed}: no run of 10 violates {}", claim.name);
            }
        }
    }
    println!(
        "{models} models from seed {first}: {decided} verdicts, {holding} assertions hold, {sampled} runs"
    );
    assert!(decided > models);
}

#[test]
fn random_models_make_progress_as_the_naive_interpreter_says() {
    random(1, 150);
}

#[test]
#[ignore = "long"]
fn many_random_models_make_progress_as_the_naive_interpreter_says() {
    let number = |name: &str, default: u64| {
        let given = std::env::var(name).ok();
        given.map_or(default, |v| v.parse().unwrap())
    };
    random(
        number("SUPPOSE_SEED", 1_000_000),
        number("SUPPOSE_MODELS", 20_000),
    );
}

/// `[]<>(a && X a)` fails on `(a b)*`, which does every action again and again. Fair choice is more: whatever may happen next happens again
/// and again, so `a` is followed by `a` again and again.
#[test]
fn fair_choice_is_about_every_sequence_of_choices() {
    let text = "P = (a -> P | b -> P).\n||SYS = (P).\nassert L = []<>(a && X a)\nassert M = <>[](a -> X b)\n";
    let fair = verdicts(
        &network(text, Fairness::FairChoice).unwrap(),
        LivenessKind::Assertion,
    );
    assert_eq!(
        fair,
        BTreeMap::from([("L".to_owned(), true), ("M".to_owned(), false)])
    );
    let all = verdicts(
        &network(text, Fairness::None).unwrap(),
        LivenessKind::Assertion,
    );
    assert_eq!(
        all,
        BTreeMap::from([("L".to_owned(), false), ("M".to_owned(), false)])
    );
}

/// A system that has stopped, or is in ERROR, does nothing any more: no action is true, fluents keep their values.
#[test]
fn a_run_that_stops_goes_on_without_actions() {
    for end in ["STOP", "END", "ERROR"] {
        let text = format!(
            "P = (a -> b -> {end})+{{c}}.\n||SYS = (P).\nfluent F = <a, c>\nprogress A = {{a}}\nprogress C = if {{a}} then {{b}}\n\
             assert L = <>c\nassert M = <>[]F\nassert N = []<>a\nassert O = (<>b && []<>F)\n"
        );
        let network = network(&text, Fairness::FairChoice).unwrap();
        let holds = |name: &str, kind| verdicts(&network, kind)[name];
        assert!(!holds("A", LivenessKind::Progress) && holds("C", LivenessKind::Progress));
        let expected = [("L", false), ("M", true), ("N", false), ("O", true)];
        for (name, expected) in expected {
            assert_eq!(
                holds(name, LivenessKind::Assertion),
                expected,
                "{name} with {end}"
            );
        }
    }
}
