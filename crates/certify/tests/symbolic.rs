//! Evidence about finite-domain systems, on random ones: what is true is accepted, what is false is not.
#![allow(clippy::unwrap_used)]

use suppose_certify::file::{Limits as FileLimits, Model};
use suppose_certify::symbolic::{
    Accepted, Expected, Limits, Meaning, Refusal, check_proof, check_run, check_small, file,
};
use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::symbolic::{
    Cluster, Decision, Decisions, Proof, Question, Shows, State, System, Trace, Value, VarId,
};
use suppose_refine::Context;
use suppose_symbolic::{Concrete, Found, Options};
use suppose_testkit::Rng;
use suppose_testkit::smv::{Oracle, Shape, Steps, random};

fn read(text: &str) -> System {
    let read = read_text("test.smv", text, Dialect::NuSmv);
    read.map(|(read, _)| read.system)
        .unwrap_or_else(|(errors, _)| panic!("{errors:?}\n{text}"))
}

fn is_rejected<T>(found: &Result<T, Refusal>) -> bool {
    matches!(found, Err(Refusal::Rejection(_)))
}

/// A random text; one in three has a compassion constraint, made of two of its invariants.
fn random_text(rng: &mut Rng) -> String {
    let text = random(rng, Shape::default());
    let invariant = |name: &str| {
        let (_, rest) = text.split_once(&format!("INVARSPEC NAME {name} := "))?;
        rest.split_once('\n').map(|(line, _)| line.to_owned())
    };
    match (invariant("i0"), invariant("i1")) {
        (Some(p), Some(q)) if rng.percent(33) => {
            text.replacen("CTLSPEC", &format!("COMPASSION ({p}, {q})\nCTLSPEC"), 1)
        }
        _ => text,
    }
}

#[test]
fn small_systems_are_decided_as_the_oracle_does() {
    let mut decided = [0; 5];
    for seed in 0..300 {
        let text = random_text(&mut Rng::new(seed));
        let system = read(&text);
        let Ok(mut oracle) = Oracle::new(&system, 300, 2_000_000) else {
            continue;
        };
        for property in &system.properties {
            let question = &property.question;
            let expected = match (oracle.verdict(question), oracle.compute(question)) {
                (Ok(Some(true)), _) => Expected::Holds,
                (Ok(Some(false)), _) => Expected::Violated,
                (_, Ok(Some(Steps::Finite(n)))) => Expected::Steps(Some(n as u64)),
                (_, Ok(Some(Steps::Infinite))) => Expected::Steps(None),
                (_, Ok(Some(Steps::Undefined))) => Expected::Undefined,
                _ => continue,
            };
            let name = format!("seed {seed}, {:?}\n{text}", property.name);
            let wrong = match expected {
                Expected::Holds => Expected::Violated,
                Expected::Violated => Expected::Holds,
                Expected::Steps(n) => Expected::Steps(Some(n.map_or(7, |n| n + 1))),
                Expected::Undefined => Expected::Holds,
            };
            let limits = Limits {
                edges: 2_000_000,
                ..Limits::default()
            };
            let found = check_small(&system, question, expected, &limits);
            assert!(
                matches!(found, Ok(Accepted::Explored { .. })),
                "{name}\n{found:?}"
            );
            let found = check_small(&system, question, wrong, &limits);
            assert!(is_rejected(&found), "{name}\n{found:?}");
            decided[match expected {
                Expected::Holds => 0,
                Expected::Violated => 1,
                Expected::Steps(Some(_)) => 2,
                Expected::Steps(None) => 3,
                Expected::Undefined => 4,
            }] += 1;
        }
    }
    println!("holds, violated, steps, infinite, undefined: {decided:?}");
    assert!(decided.iter().all(|n| *n > 10));
}

/// A small change.
fn mutated_trace(rng: &mut Rng, system: &System, trace: &Trace) -> Trace {
    let mut trace = trace.clone();
    match rng.below(5) {
        0 if trace.inputs.len() > 1 => {
            let at = rng.below(trace.inputs.len());
            trace.states.remove(at);
            trace.inputs.remove(at);
        }
        1 => trace.loops_to = Some(rng.below(trace.states.len() + 1)),
        2 => trace.loops_to = None,
        3 => {
            trace.states.pop();
            trace.inputs.pop();
        }
        _ => {
            let vars: Vec<VarId> = system.state_vars().collect();
            let at = rng.below(trace.states.len());
            if let Some(var) = rng.pick(&vars) {
                let ty = &system.variable(*var).ty;
                let value = ty.value(rng.below(ty.size() as usize) as u128).unwrap();
                trace.states[at][system.variable(*var).slot] = value;
            }
        }
    }
    trace
}

fn mutated_set(rng: &mut Rng, set: &Decisions) -> Decisions {
    let mut set = set.clone();
    let count = set.nodes.len();
    match rng.below(4) {
        0 => set.root = rng.below(count + 3) as u32,
        _ if count == 0 => set.root = 1 - set.root.min(1),
        1 => {
            let node = &mut set.nodes[rng.below(count)];
            std::mem::swap(&mut node.high, &mut node.low);
        }
        2 => {
            let at = rng.below(count);
            set.nodes[at].high = rng.below(at + 2) as u32;
        }
        _ => {
            let at = rng.below(count);
            set.nodes[at].low = rng.below(at + 2) as u32;
        }
    }
    set
}

#[test]
fn evidence_of_the_engine_is_accepted_and_false_evidence_is_not() {
    let limits = Limits::default();
    let (mut runs, mut parts, mut proofs, mut open) = (0, 0, 0, 0);
    let mut rejected = 0;
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let text = random_text(&mut rng);
        let system = read(&text);
        let Ok(mut oracle) = Oracle::new(&system, 300, 2_000_000) else {
            continue;
        };
        let engine = Concrete::new(&system, Options::default(), &Context::default());
        for property in &system.properties {
            let question = &property.question;
            let name = format!("seed {seed}, {:?}\n{text}", property.name);
            match engine.decide(property).unwrap().found {
                Found::Fails(trace, shows) => {
                    let found = check_run(&system, question, &trace, shows, &limits);
                    match found {
                        Ok(Accepted::Run {
                            meaning: Meaning::Violates,
                            ..
                        }) => runs += 1,
                        Ok(Accepted::Run {
                            meaning: Meaning::Part,
                            ..
                        }) => parts += 1,
                        Ok(Accepted::Run {
                            meaning: Meaning::IfItGoesOn,
                            ..
                        }) => open += 1,
                        _ => panic!("{name}\n{trace:?}\n{found:?}"),
                    }
                }
                Found::Holds(Some(proof)) => {
                    let found = check_proof(&system, question, &proof, &limits);
                    assert!(found.is_ok(), "{name}\n{found:?}");
                    proofs += 1;
                }
                _ => {}
            }
        }
        // Evidence that is damaged, or that is put before another property.
        let verdicts: Vec<Option<bool>> = system
            .properties
            .iter()
            .map(|p| oracle.verdict(&p.question).ok().flatten())
            .collect();
        for property in &system.properties {
            let Ok(answer) = engine.decide(property) else {
                continue;
            };
            for (other, verdict) in system.properties.iter().zip(&verdicts) {
                let Some(verdict) = verdict else { continue };
                let question = &other.question;
                let name = format!("seed {seed}, {:?}\n{text}", other.name);
                match &answer.found {
                    Found::Fails(trace, _) => {
                        let trace = match rng.percent(60) {
                            true => mutated_trace(&mut rng, &system, trace),
                            false => trace.clone(),
                        };
                        let found = check_run(&system, question, &trace, Shows::All, &limits);
                        let accepts = matches!(
                            found,
                            Ok(Accepted::Run {
                                meaning: Meaning::Violates,
                                ..
                            })
                        );
                        assert!(!accepts || !verdict, "{name}\n{trace:?}");
                        rejected += usize::from(is_rejected(&found));
                    }
                    Found::Holds(Some(Proof::Invariant(set))) => {
                        let set = match rng.percent(60) {
                            true => mutated_set(&mut rng, set),
                            false => set.clone(),
                        };
                        let proof = Proof::Invariant(set);
                        let found = check_proof(&system, question, &proof, &limits);
                        assert!(found.is_err() || *verdict, "{name}\n{proof:?}");
                        rejected += usize::from(is_rejected(&found));
                    }
                    _ => {}
                }
            }
        }
    }
    println!("runs {runs}, parts {parts}, open {open}, proofs {proofs}, rejected {rejected}");
    assert!(runs > 500 && proofs > 100 && rejected > 1_000);
    assert!(
        open * 20 < runs,
        "too many runs without a loop nearby: {open}"
    );
}

/// The set of valuations of one variable with values of these numbers.
fn values_of(system: &System, var: VarId, numbers: &[u128]) -> Decisions {
    let size = system.variable(var).ty.size();
    let width = 128 - (size - 1).leading_zeros();
    let mut set = Decisions::default();
    // A full tree from the lowest bit at the root; leaves are numbers.
    let mut layer: Vec<u32> = (0..1u128 << width)
        .map(|n| u32::from(numbers.contains(&n)))
        .collect();
    for bit in (0..width).rev() {
        let half = layer.len() / 2;
        let mut next = Vec::new();
        for at in 0..half {
            let (low, high) = (layer[at], layer[at + half]);
            set.nodes.push(Decision {
                var,
                bit,
                high,
                low,
            });
            next.push(set.nodes.len() as u32 + 1);
        }
        layer = next;
    }
    set.root = layer[0];
    set
}

/// Clusters of single variables, with every value a class, or some together.
fn random_clusters(rng: &mut Rng, system: &System) -> Vec<Cluster> {
    let mut clusters = Vec::new();
    for var in system.state_vars() {
        if rng.percent(15) {
            continue;
        }
        let size = system.variable(var).ty.size();
        let mut classes: Vec<Vec<u128>> = Vec::new();
        for number in 0..size {
            match rng.percent(25) && !classes.is_empty() {
                true => {
                    let at = rng.below(classes.len());
                    classes[at].push(number);
                }
                false => classes.push(vec![number]),
            }
        }
        let classes = classes.iter().map(|c| values_of(system, var, c));
        clusters.push(Cluster {
            vars: vec![var],
            classes: classes.collect(),
        });
    }
    clusters
}

#[test]
fn abstractions_prove_only_what_is_true() {
    let limits = Limits::default();
    let (mut accepted, mut rejected) = ([0; 3], [0; 2]);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let text = random_text(&mut rng);
        let system = read(&text);
        let Ok(mut oracle) = Oracle::new(&system, 300, 2_000_000) else {
            continue;
        };
        for property in &system.properties {
            let question = &property.question;
            let Ok(Some(verdict)) = oracle.verdict(question) else {
                continue;
            };
            let name = format!("seed {seed}, {:?}\n{text}", property.name);
            let proof = Proof::Abstraction(random_clusters(&mut rng, &system));
            let found = check_proof(&system, question, &proof, &limits);
            match found {
                Ok(_) => {
                    assert!(verdict, "{name}\n{proof:?}");
                    accepted[match question {
                        Question::Ctl(_) => 0,
                        Question::Ltl(_) => 1,
                        _ => 2,
                    }] += 1;
                }
                Err(_) => rejected[usize::from(verdict)] += 1,
            }
        }
    }
    println!("accepted {accepted:?}, rejected {rejected:?}");
    assert!(accepted.iter().all(|n| *n > 50));
}

#[test]
fn every_value_a_class_proves_all_that_is_universal_and_true() {
    let text = "MODULE main
VAR x : 0..3; y : boolean;
ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; init(y) := FALSE; next(y) := case x = 2 : {TRUE, FALSE}; TRUE : y; esac;
FAIRNESS y
CTLSPEC AG (x = 0 -> AX x = 1)
CTLSPEC AF y
CTLSPEC AG AF x = 3
LTLSPEC G F y
LTLSPEC G (x = 2 -> O x = 1)
LTLSPEC G (x = 3 -> H [1, 2] x != 3)
INVARSPEC x <= 3
CTLSPEC A [ !y U x = 2 | y ]
CTLSPEC !EF (x = 3 & AX x = 2)
";
    let system = read(text);
    let each = |var: VarId| {
        let size = system.variable(var).ty.size();
        Cluster {
            vars: vec![var],
            classes: (0..size).map(|n| values_of(&system, var, &[n])).collect(),
        }
    };
    let clusters: Vec<Cluster> = system.state_vars().map(each).collect();
    let proof = Proof::Abstraction(clusters.clone());
    let limits = Limits::default();
    for (number, property) in system.properties.iter().enumerate() {
        let found = check_proof(&system, &property.question, &proof, &limits);
        assert_eq!(found.is_ok(), number < 8, "{number}: {found:?}");
    }
    // Only `x <= 3` needs no classes at all.
    let none = Proof::Abstraction(vec![Cluster {
        vars: vec![VarId(0)],
        classes: vec![Decisions {
            nodes: Vec::new(),
            root: 1,
        }],
    }]);
    assert!(check_proof(&system, &system.properties[6].question, &none, &limits).is_ok());
    // No partition: a value in no class, and one in two.
    for [first, second] in [[vec![], vec![1]], [vec![0, 1], vec![1]]] {
        let mut clusters = clusters.clone();
        clusters[0].classes[0] = values_of(&system, VarId(0), &first);
        clusters[0].classes[1] = values_of(&system, VarId(0), &second);
        let proof = Proof::Abstraction(clusters);
        let found = check_proof(&system, &system.properties[6].question, &proof, &limits);
        assert!(is_rejected(&found), "{found:?}");
    }
    let small = Limits {
        states: 2,
        ..Limits::default()
    };
    let found = check_proof(&system, &system.properties[0].question, &proof, &small);
    assert!(matches!(found, Err(Refusal::TooLarge(_))), "{found:?}");
}

#[test]
fn the_loop_is_written_out_as_often_as_the_past_needs() {
    // y is true only once; what is remembered changes after the loop was entered.
    let text = "MODULE main
VAR x : 0..2; b : boolean;
ASSIGN init(x) := 0; next(x) := case x = 0 : 1; x = 1 : 2; TRUE : 1; esac; init(b) := FALSE; next(b) := FALSE;
LTLSPEC G (x = 2 -> !O (x = 1 & O (x = 2 & O x = 1)))
LTLSPEC G !(x = 1 & Y (x = 2 & Y (x = 1 & Y (x = 2 & Y x = 1))))
LTLSPEC G (O [3, 5] x = 0 -> x = 1)
LTLSPEC G (x = 1 -> Y x = 0)
LTLSPEC F G O x = 2
";
    let system = read(text);
    let state = |x: i64| -> State { Box::new([Value::Int(x), Value::Bool(false)]) };
    let trace = Trace {
        states: vec![state(0), state(1), state(2), state(1)],
        inputs: vec![Box::new([]), Box::new([]), Box::new([])],
        loops_to: Some(1),
    };
    let limits = Limits::default();
    for (number, property) in system.properties.iter().enumerate() {
        let found = check_run(&system, &property.question, &trace, Shows::All, &limits);
        assert_eq!(found.is_ok(), number < 4, "{number}: {found:?}");
    }
}

#[test]
fn judges_can_be_stopped() {
    let system =
        read("MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := x; INVARSPEC x = 0");
    let limits = Limits {
        stop: Some(std::sync::Arc::new(|| true)),
        ..Limits::default()
    };
    let question = &system.properties[0].question;
    let stopped = Err(Refusal::Rejection(suppose_certify::Rejection::Stopped));
    let set = values_of(&system, VarId(0), &[0]);
    assert_eq!(
        check_proof(&system, question, &Proof::Invariant(set), &limits),
        stopped
    );
    assert_eq!(
        check_small(&system, question, Expected::Holds, &limits),
        stopped
    );
}

fn origin_of(text: &[u8]) -> file::Origin {
    file::Origin {
        models: vec![Model::of("test.smv", text)],
        dialect: Dialect::NuSmv,
    }
}

fn written(
    system: &System,
    origin: &file::Origin,
    property: usize,
    evidence: &file::Evidence,
) -> Vec<u8> {
    let mut out = Vec::new();
    file::write(&mut out, system, origin, property, evidence).unwrap();
    out
}

/// Evidence of all kinds about random systems.
fn evidence(rng: &mut Rng, system: &System) -> Vec<(usize, file::Evidence)> {
    let engine = Concrete::new(system, Options::default(), &Context::default());
    let mut all = Vec::new();
    for (number, property) in system.properties.iter().enumerate() {
        let found = match engine.decide(property).unwrap().found {
            Found::Fails(trace, shows) => file::Evidence::Run(trace, shows),
            Found::Holds(Some(proof)) => file::Evidence::Proof(proof),
            Found::Holds(None) => {
                all.push((number, file::Evidence::Verdict(Expected::Holds)));
                file::Evidence::Proof(Proof::Abstraction(random_clusters(rng, system)))
            }
            Found::Steps(steps) => file::Evidence::Verdict(Expected::Steps(steps)),
            Found::Unknown(_) => file::Evidence::Verdict(Expected::Undefined),
        };
        all.push((number, found));
    }
    all
}

#[test]
fn files_give_back_what_was_written() {
    let limits = FileLimits::default();
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let text = random_text(&mut rng);
        let system = read(&text);
        let origin = origin_of(text.as_bytes());
        for (number, evidence) in evidence(&mut rng, &system) {
            let bytes = written(&system, &origin, number, &evidence);
            let found = file::read(&bytes[..], &system, &origin, &limits).unwrap();
            assert_eq!(found, (number, evidence), "seed {seed}\n{text}");
            let others = origin_of(b"other");
            assert!(file::read(&bytes[..], &system, &others, &limits).is_err());
            let short = FileLimits {
                bytes: bytes.len() as u64 - 1,
                ..limits
            };
            assert!(file::read(&bytes[..], &system, &origin, &short).is_err());
            for cut in 0..bytes.len() / 7 {
                let cut = &bytes[..cut * 7];
                assert!(file::read(cut, &system, &origin, &limits).is_err());
            }
        }
    }
}

/// Whatever is done to a file: it is refused, or still says something true.
#[test]
fn damaged_files_prove_nothing_that_is_false() {
    let (mut malformed, mut rejected, mut accepted) = (0, 0, 0);
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let text = random_text(&mut rng);
        let system = read(&text);
        let Ok(mut oracle) = Oracle::new(&system, 300, 2_000_000) else {
            continue;
        };
        let origin = origin_of(text.as_bytes());
        for (number, evidence) in evidence(&mut rng, &system) {
            let bytes = written(&system, &origin, number, &evidence);
            let body = bytes.windows(7).position(|w| w == b"\"kind\":").unwrap();
            for _ in 0..12 {
                let mut bytes = bytes.clone();
                for _ in 0..rng.between(1, 2) {
                    // Digits to digits, so that most files can still be read.
                    let digits: Vec<usize> = (body..bytes.len())
                        .filter(|at| bytes[*at].is_ascii_digit())
                        .collect();
                    let any = body + rng.below(bytes.len() - body);
                    match rng.pick(&digits) {
                        Some(at) if rng.percent(85) => bytes[*at] = b'0' + rng.below(10) as u8,
                        _ => bytes[any] = rng.below(128) as u8,
                    }
                }
                let read = file::read(&bytes[..], &system, &origin, &FileLimits::default());
                let Ok((number, evidence)) = read else {
                    malformed += 1;
                    continue;
                };
                let question = &system.properties[number].question;
                match file::check(&system, number, &evidence, &Limits::default()) {
                    Ok(Accepted::Run {
                        meaning: Meaning::Part | Meaning::IfItGoesOn,
                        ..
                    }) => {}
                    Err(_) => rejected += 1,
                    Ok(_) => {
                        accepted += 1;
                        let Ok(Some(verdict)) = oracle.verdict(question) else {
                            continue;
                        };
                        let name = format!("seed {seed}, {number}\n{text}\n{evidence:?}");
                        assert_eq!(verdict, !evidence.is_counterexample(), "{name}");
                    }
                }
            }
        }
    }
    println!("malformed {malformed}, rejected {rejected}, accepted {accepted}");
    assert!(malformed > 100 && rejected > 100 && accepted > 100);
}

#[test]
fn strange_files_are_refused_with_reasons() {
    let text = "MODULE main VAR x : {a, b, 3}; w : signed word[4]; INVARSPEC NAME p := x = a";
    let system = read(text);
    let origin = origin_of(text.as_bytes());
    let trace = Trace {
        states: vec![Box::new([
            Value::Int(3),
            Value::Word(suppose_model::symbolic::Word::of_number(true, 4, -8)),
        ])],
        inputs: Vec::new(),
        loops_to: None,
    };
    let evidence = file::Evidence::Run(trace, Shows::All);
    let bytes = written(&system, &origin, 0, &evidence);
    let good = String::from_utf8(bytes).unwrap();
    let refused = |from: &str, to: &str, why: &str| {
        assert!(good.contains(from), "{good}");
        let changed = good.replace(from, to);
        let found = file::read(changed.as_bytes(), &system, &origin, &FileLimits::default());
        let message = found.unwrap_err().to_string();
        assert!(message.contains(why), "{message}");
    };
    refused(
        "smv counterexample",
        "smv certificate",
        "the format does not fit",
    );
    refused(
        "suppose smv counterexample",
        "poem",
        "no evidence about an SMV model",
    );
    refused("\"version\":1", "\"version\":2", "version 2 of the format");
    refused("\"nusmv\"", "\"old\"", "another dialect");
    refused("\"nusmv\"", "\"new\"", "new");
    refused(
        "\"dialect\"",
        "\"dialects\"",
        "expected the field `variables`",
    );
    refused("\"-0sd4_8\"", "\"-0sd4_9\"", "no value of `w`");
    refused("\"-0sd4_8\"", "\"0sd4_08\"", "no value of `w`");
    refused("\"3\"", "\"c\"", "`c` is no value of `x`");
    refused("\"3\",", "", "expected 2 values, not 1");
    refused("\"number\":0", "\"number\":1", "no property 1");
    refused("\"name\":\"p\"", "\"name\":\"q\"", "no property 0");
    refused("[\"x\",\"w\"]", "[\"w\",\"x\"]", "other variables");
    refused("\"run\"", "\"walk\"", "unknown kind of evidence `walk`");
    refused("\"all\"", "\"most\"", "`most`");
    refused("\"loops_to\":null", "\"loops_to\":-1", "-1");
    refused("\"loops_to\":null,", "\"more\":null,", "loops_to");
    let deep = format!("{}{}", "[".repeat(100_000), good);
    let found = file::read(deep.as_bytes(), &system, &origin, &FileLimits::default());
    assert!(found.is_err());
}

#[test]
fn files_say_in_which_dialect_the_model_is() {
    let text = "MODULE main VAR x : boolean; INVARSPEC x";
    let system = read(text);
    let new = origin_of(text.as_bytes());
    let old = file::Origin {
        dialect: Dialect::Old,
        ..new.clone()
    };
    let limits = FileLimits::default();
    let evidence = file::Evidence::Verdict(Expected::Violated);
    for (own, other) in [(&new, &old), (&old, &new)] {
        let bytes = written(&system, own, 0, &evidence);
        let about = file::about(&bytes[..], &limits).unwrap();
        assert_eq!((about.dialect, about.property), (own.dialect, 0));
        assert!(file::read(&bytes[..], &system, own, &limits).is_ok());
        assert!(file::read(&bytes[..], &system, other, &limits).is_err());
    }
    // Files from before the field was there.
    let bytes = written(&system, &new, 0, &evidence);
    let before = String::from_utf8(bytes).unwrap();
    let before = before.replace("\"dialect\":\"nusmv\",\n", "");
    assert!(!before.contains("dialect"), "{before}");
    let about = file::about(before.as_bytes(), &limits).unwrap();
    assert_eq!(about.dialect, Dialect::NuSmv);
    let found = file::read(before.as_bytes(), &system, &new, &limits);
    assert_eq!(found.unwrap(), (0, evidence));
    assert!(file::read(before.as_bytes(), &system, &old, &limits).is_err());
}

/// The example of docs/certificates.md.
#[test]
fn the_example_of_the_documentation_is_accepted() {
    let docs = include_str!("../../../docs/certificates.md");
    let part = docs.split_once("## SMV models").unwrap().1;
    let block = |kind: &str| {
        let (_, rest) = part.split_once(&format!("```{kind}\n")).unwrap();
        rest.split_once("```").unwrap().0
    };
    let text = block("smv");
    let system = read(text);
    let origin = origin_of(text.as_bytes());
    let file = block("json").replace("...", &origin.models[0].sha256);
    let limits = FileLimits::default();
    let (number, evidence) = file::read(file.as_bytes(), &system, &origin, &limits).unwrap();
    let found = file::check(&system, number, &evidence, &Limits::default());
    assert!(matches!(found, Ok(Accepted::Invariant { .. })), "{found:?}");
}
