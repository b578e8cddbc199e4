//! Random PRISM models with random properties, from text to value, against Storm in its exact mode: sizes, probabilities and expected rewards.
//!
//! What is compared is everything but the engine's own steps: the reader, what rewards and several initial states mean, untils that count
//! later, and the numbers. The evidence is checked as well. Storm must be there: `stormpy` in the Python of `.test-tools`, where
//! `scripts/test.sh` puts it. The long mode:
//!
//!     SUPPOSE_MODELS=100000 cargo test --release -p suppose-cli --test markov_storm

#![allow(clippy::unwrap_used)]

#[path = "../../frontends/tests/support/prism_models.rs"]
mod prism_models;

use std::collections::VecDeque;
use std::path::Path;

use prism_models::{Wanted, random_model};
use serde_json::{Value, json};
use suppose_certify::mdp::property;
use suppose_control::Context;
use suppose_frontends::lpts;
use suppose_frontends::prism::{Exploration, Grouping, PrismOptions, read_text};
use suppose_mdp::pctl;
use suppose_model::lts::Labels;
use suppose_model::mdp::{Amount, Query, SizeLimits};
use suppose_number::{Int, Rat};
use suppose_source::{FileId, ParserLimits, SourceFile, Sources};
use suppose_testkit::Rng;
use suppose_testkit::storm::Storm;

/// Storm, started with the script that evaluates properties.
fn start(name: &str) -> Storm {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    Storm::start(name, &here.join("tests/storm/values.py"))
}

fn ask(storm: &mut Storm, name: &str, model: &str, properties: &[String]) {
    let file = storm.file(name, model);
    storm.ask(json!({ "model": file, "properties": properties }));
}

fn answer(storm: &mut Storm) -> Value {
    serde_json::from_str(&storm.answer()).unwrap()
}

/// Properties that both read.
fn random_properties(rng: &mut Rng, wanted: &Wanted) -> Vec<String> {
    let mut all = Vec::new();
    for _ in 0..rng.between(2, 4) {
        let best = match (wanted.dtmc, rng.percent(50)) {
            (true, _) => "",
            (false, true) => "max",
            (false, false) => "min",
        };
        let goal = [
            "\"goal\"",
            "!\"goal\"",
            "x0_0=x0_0 & \"goal\"",
            "\"deadlock\"",
            "\"init\"",
        ];
        let ordinary = rng.percent(80);
        let goal = goal[rng.below(if ordinary { 3 } else { 5 })];
        let k = rng.below(7);
        let name = ["\"r\"", "\"s\""][rng.below(2)];
        let steps = match rng.below(6) {
            0 => format!("<={k}"),
            1 => format!("<{}", k + 1),
            2 => format!(">={k}"),
            3 => format!("[{k},{}]", k + rng.below(4)),
            _ => String::new(),
        };
        all.push(match rng.below(if wanted.rewards { 11 } else { 5 }) {
            0 => format!("P{best}=? [ X {goal} ]"),
            1 => format!("P{best}=? [ G {goal} ]"),
            2 => format!("P{best}=? [ !{goal} U{steps} {goal} ]"),
            3 | 4 => format!("P{best}=? [ F{steps} {goal} ]"),
            5 | 6 => format!("R{{{name}}}{best}=? [ C<={k} ]"),
            7 => format!("R{{{name}}}{best}=? [ I={k} ]"),
            _ => format!("R{{{name}}}{best}=? [ F {goal} ]"),
        });
    }
    all
}

struct Ours {
    states: usize,
    choices: usize,
    transitions: usize,
    deadlocks: usize,
    values: Vec<(Amount, Amount)>,
}

fn ours(text: &str, properties: &[String]) -> Ours {
    let (model, mut sources) = match read_text("model.nm", text, &PrismOptions::default()) {
        Ok(read) => read,
        Err((errors, _)) => panic!("{text}\n{errors:?}"),
    };
    let how = Exploration::unlimited();
    let counts = model.count(&how).unwrap();
    let file = sources.add(SourceFile::new("properties", properties.join(";\n")));
    let asked = model.properties(file, &sources, &[], &ParserLimits::default());
    let asked = asked.unwrap_or_else(|errors| panic!("{text}\n{properties:?}\n{errors:?}"));
    assert!(asked.undecided.is_empty(), "{properties:?}");
    let lowered = model.system(&Grouping::default(), &asked, Labels::new(), &how);
    let lowered = lowered.unwrap_or_else(|why| panic!("{text}\n{why:?}"));
    let value = |query: &Query| {
        let cx = Context::default();
        let found = pctl::value(&lowered.system, query, pctl::PctlOptions::default(), &cx);
        let found = found
            .value
            .unwrap_or_else(|why| panic!("{text}\n{query:?}\n{why:?}"));
        let limits = SizeLimits::default();
        let checked = property::value(
            &lowered.system,
            query,
            &found,
            &limits,
            &suppose_control::Context::default(),
        );
        assert_eq!(checked, Ok(()), "{text}\n{query:?}");
        (found.lower, found.upper)
    };
    Ours {
        states: counts.states,
        choices: counts.choices,
        transitions: counts.transitions,
        deadlocks: counts.deadlocks,
        values: lowered.properties.iter().map(|p| value(&p.query)).collect(),
    }
}

fn amount(value: &Value) -> Amount {
    let text = value.as_str().unwrap();
    if text.contains("inf") {
        return Amount::Infinite;
    }
    let (num, den) = text.split_once('/').unwrap_or((text, "1"));
    let number = |text: &str| -> Int { text.parse().unwrap_or_else(|_| panic!("{text}")) };
    Amount::Finite(Rat::new(number(num), number(den)))
}

/// A model, what was asked of it, and what we say.
struct Case {
    seed: u64,
    text: String,
    properties: Vec<String>,
    ours: Ours,
}

impl Case {
    fn new(seed: u64) -> Case {
        let rng = &mut Rng::new(seed);
        let wanted = Wanted {
            dtmc: rng.percent(35),
            reads: rng.percent(40),
            global: rng.percent(25),
            system: false,
            rewards: rng.percent(80),
            init: rng.percent(30),
        };
        // Storm does not parse `<=>`, which is `=` between conditions.
        let text = random_model(rng, wanted).replace("<=>", "=");
        let properties = random_properties(rng, &wanted);
        let ours = ours(&text, &properties);
        Case {
            seed,
            text,
            properties,
            ours,
        }
    }

    /// Compares with what Storm says, and counts.
    fn compare(&self, theirs: &Value, compared: &mut Compared) {
        if theirs.is_null() {
            compared.unanswered += 1;
            return;
        }
        let Case { text, ours, .. } = self;
        let what = format!("seed {}\n{text}", self.seed);
        let sizes = json!([ours.states, ours.choices, ours.transitions]);
        let storms = json!([theirs["states"], theirs["choices"], theirs["transitions"]]);
        assert_eq!(sizes, storms, "{what}");
        let answers = theirs["values"].as_array().unwrap();
        for ((property, found), answer) in self.properties.iter().zip(&ours.values).zip(answers) {
            let Some(each) = answer.as_array() else {
                continue;
            };
            // Storm takes a goal before the first step that counts for one that keeps the left side true:
            // of `!"goal" U[2,4] "goal"` it says 1 where the goal is everywhere, which by definition is 0.
            if ["U[", "U>", "U="]
                .iter()
                .any(|late| property.contains(late))
            {
                continue;
            }
            // Storm lets a state without a step stay where it is, as PRISM does, but earn nothing there.
            if ours.deadlocks > 0 && property.starts_with('R') {
                continue;
            }
            let all: Vec<Amount> = each.iter().map(amount).collect();
            let range = (all.iter().min().unwrap(), all.iter().max().unwrap());
            if (&found.0, &found.1) != range {
                assert!(
                    within(range, found),
                    "{range:?} is not {found:?}: {property}, {what}"
                );
                compared.bounded += 1;
            }
            compared.all += 1;
        }
    }
}

/// How many values were compared.
#[derive(Default)]
struct Compared {
    /// Models on which Storm did not end.
    unanswered: u64,
    all: u64,
    /// Of these our answer is no fraction, but two that the exact value lies between.
    bounded: u64,
}

/// Where fractions are too much work an answer is two numbers with the exact ones between them, which have nine digits in common or are next
/// to nothing apart.
fn within(exact: (&Amount, &Amount), found: &(Amount, Amount)) -> bool {
    let (Amount::Finite(least), Amount::Finite(greatest)) = exact else {
        return false;
    };
    let (Amount::Finite(low), Amount::Finite(high)) = found else {
        return false;
    };
    let small = |gap: Rat, of: &Rat| {
        let power = |n: u32| Rat::new(Int::from(1), Int::from(10i64.pow(n)));
        gap <= of * &power(9) || gap <= power(12)
    };
    let sound = low <= least && greatest <= high;
    sound && small(least - low, least) && small(high - greatest, greatest)
}

/// So many questions are on the way at once, so that neither side waits for the other.
const AHEAD: usize = 32;

#[test]
fn models_and_values_are_those_of_storm() {
    let count = std::env::var("SUPPOSE_MODELS").map_or(250, |n| n.parse().unwrap());
    let first: u64 = std::env::var("SUPPOSE_SEED").map_or(1, |n| n.parse().unwrap());
    let mut storm = start("values");
    let mut waiting: VecDeque<Case> = VecDeque::new();
    let mut compared = Compared::default();
    for seed in first..first + count {
        let case = Case::new(seed);
        let name = format!("model-{}.nm", seed % (AHEAD as u64 + 1));
        ask(&mut storm, &name, &case.text, &case.properties);
        waiting.push_back(case);
        if waiting.len() > AHEAD
            && let Some(case) = waiting.pop_front()
        {
            case.compare(&answer(&mut storm), &mut compared);
        }
    }
    for case in waiting {
        case.compare(&answer(&mut storm), &mut compared);
    }
    let Compared {
        unanswered,
        all,
        bounded,
    } = compared;
    assert!(
        unanswered <= 1 + count / 100,
        "Storm does not end on {unanswered} models"
    );
    assert!(all >= count, "Storm takes most of the properties");
    assert!(
        bounded <= 1 + all / 50,
        "{bounded} of {all} are no fractions"
    );
    println!(
        "{count} models from seed {first} on, {all} values, {bounded} of them bounded, {unanswered} models unanswered"
    );
}

/// A random model with rewards as a system of states with the label `goal`, in the words of DRN.
fn as_states(text: &str) -> String {
    let (model, mut sources) = read_text("model.nm", text, &PrismOptions::default()).unwrap();
    let goal = "P<=1 [ F \"goal\" ]";
    let file = sources.add(SourceFile::new("properties", goal));
    let limits = ParserLimits::default();
    let asked = model.properties(file, &sources, &[], &limits).unwrap();
    let one = Grouping {
        one: true,
        ..Grouping::default()
    };
    let lowered = model.system(&one, &asked, Labels::new(), &Exploration::unlimited());
    let system = lowered
        .unwrap_or_else(|why| panic!("{text}\n{why:?}"))
        .system;
    let lpts = &system.components[0].lpts;
    let names = ["goal".to_owned()];
    lpts::write(
        lpts::Format::Drn,
        lpts,
        &system.labels,
        &names,
        &system.rewards,
    )
    .main
}

/// The values of properties of a system of states, as it is read again.
fn of_states(drn: &str, properties: &[String]) -> Vec<Amount> {
    let mut sources = Sources::single("model.drn", drn);
    let (mut labels, limits) = (Labels::new(), ParserLimits::default());
    let files = lpts::Files::one(FileId(0));
    let read = lpts::read(lpts::Format::Drn, files, &sources, &mut labels, &limits);
    let read = read.unwrap_or_else(|why| panic!("{drn}\n{why:?}"));
    let file = sources.add(SourceFile::new("properties", properties.join(";\n")));
    let asked = lpts::with_properties(read, labels, Some(file), &sources, &[], &limits);
    let (system, asked, undecided) = asked.unwrap_or_else(|why| panic!("{drn}\n{why:?}"));
    assert!(undecided.is_empty(), "{properties:?}");
    let value = |query: &Query| {
        let cx = Context::default();
        let found = pctl::value(&system, query, pctl::PctlOptions::default(), &cx);
        let found = found.value.unwrap_or_else(|why| panic!("{drn}\n{why:?}"));
        assert_eq!(found.lower, found.upper, "{drn}");
        found.lower
    };
    asked.iter().map(|p| value(&p.query)).collect()
}

#[test]
fn rewards_of_systems_of_states_are_those_of_storm() {
    let mut storm = start("states");
    let mut compared = 0;
    for seed in 1..=60 {
        let rng = &mut Rng::new(seed);
        let wanted = Wanted {
            dtmc: false,
            reads: rng.percent(40),
            global: false,
            system: false,
            rewards: true,
            init: false,
        };
        let text = random_model(rng, wanted);
        let drn = as_states(&text);
        // A label that no state has is not in the file.
        if !drn.contains(" goal") {
            continue;
        }
        let best = if rng.percent(50) { "max" } else { "min" };
        let steps = rng.below(7);
        let properties = [
            format!("R{{\"r\"}}{best}=? [ F \"goal\" ]"),
            format!("R{{\"s\"}}{best}=? [ F \"goal\" ]"),
            format!("R{{\"r\"}}{best}=? [ C<={steps} ]"),
            format!("R{{\"s\"}}{best}=? [ I={steps} ]"),
        ];
        let ours = of_states(&drn, &properties);
        ask(&mut storm, "model.drn", &drn, &properties);
        let theirs = answer(&mut storm);
        let answers = theirs["values"].as_array().unwrap();
        for ((property, found), answer) in properties.iter().zip(&ours).zip(answers) {
            if let Some([value]) = answer.as_array().map(Vec::as_slice) {
                assert_eq!(*found, amount(value), "seed {seed}: {property}\n{drn}");
                compared += 1;
            }
        }
    }
    assert!(
        compared >= 100,
        "Storm takes most of the properties: {compared}"
    );
}
