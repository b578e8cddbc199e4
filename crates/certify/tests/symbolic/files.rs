//! Evidence as files.

use suppose_certify::file::{Model, ReadLimits};
use suppose_certify::fsm::file;
use suppose_certify::fsm::{Accepted, CheckLimits, Expected, Meaning};
use suppose_control::Context;
use suppose_frontends::smv::Dialect;
use suppose_model::fsm::{Claim, Decisions, Proof, Shows, Simulator, System, Trace, Value, Word};
use suppose_symbolic::{Concrete, RelationOptions, SymbolicVerdict};
use suppose_testkit::Rng;
use suppose_testkit::smv::Oracle;

use crate::deadlock::way;
use crate::{random_clusters, random_text, read};

fn origin_of(text: &[u8]) -> file::Origin {
    file::Origin {
        models: vec![Model::of("test.smv", text)],
        dialect: Dialect::NuSmv,
    }
}

fn written(
    system: &System,
    origin: &file::Origin,
    claim: Claim,
    evidence: &file::Evidence,
) -> Vec<u8> {
    let mut out = Vec::new();
    file::write(&mut out, system, origin, claim, evidence).unwrap();
    out
}

/// Evidence of all kinds about random systems.
fn evidence(rng: &mut Rng, system: &System) -> Vec<(Claim, file::Evidence)> {
    let engine = Concrete::new(system, RelationOptions::default(), &Context::default());
    let nothing = Proof::Invariant(Decisions::default());
    let mut all = vec![
        (Claim::Deadlock, file::Evidence::Verdict(Expected::Holds)),
        (Claim::Deadlock, file::Evidence::Proof(nothing)),
    ];
    if let Ok(graph) = Simulator::new(system, 2_000_000).explore(300) {
        let mut ends = graph.deadlocks();
        ends.extend(0..graph.states.len().min(2));
        let stuck = |end| file::Evidence::Deadlock(way(&graph, end));
        all.extend(
            ends.into_iter()
                .take(3)
                .map(|end| (Claim::Deadlock, stuck(end))),
        );
    }
    for (number, property) in system.properties.iter().enumerate() {
        let claim = Claim::Property(number);
        let found = match engine.decide(property).unwrap().found {
            SymbolicVerdict::Fails(trace, shows) => file::Evidence::Run(trace, shows),
            SymbolicVerdict::Holds(Some(proof)) => file::Evidence::Proof(proof),
            SymbolicVerdict::Holds(None) => {
                all.push((claim, file::Evidence::Verdict(Expected::Holds)));
                file::Evidence::Proof(Proof::Abstraction(random_clusters(rng, system)))
            }
            SymbolicVerdict::Steps(steps) => file::Evidence::Verdict(Expected::Steps(steps)),
            SymbolicVerdict::Unknown(_) => file::Evidence::Verdict(Expected::Undefined),
        };
        all.push((claim, found));
    }
    all
}

#[test]
fn files_give_back_what_was_written() {
    let limits = ReadLimits::default();
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let text = random_text(&mut rng);
        let system = read(&text);
        let origin = origin_of(text.as_bytes());
        for (claim, evidence) in evidence(&mut rng, &system) {
            let bytes = written(&system, &origin, claim, &evidence);
            let found = file::read(&bytes[..], &system, &origin, &limits).unwrap();
            assert_eq!(found, (claim, evidence), "seed {seed}\n{text}");
            let others = origin_of(b"other");
            assert!(file::read(&bytes[..], &system, &others, &limits).is_err());
            let short = ReadLimits {
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
        let Ok(graph) = Simulator::new(&system, 2_000_000).explore(300) else {
            continue;
        };
        let goes_on = graph.deadlocks().is_empty();
        let origin = origin_of(text.as_bytes());
        for (claim, evidence) in evidence(&mut rng, &system) {
            let bytes = written(&system, &origin, claim, &evidence);
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
                let read = file::read(&bytes[..], &system, &origin, &ReadLimits::default());
                let Ok((claim, evidence)) = read else {
                    malformed += 1;
                    continue;
                };
                match file::check(&system, claim, &evidence, &CheckLimits::default()) {
                    Ok(Accepted::Run {
                        meaning: Meaning::Part | Meaning::IfFairRunContinues,
                        ..
                    }) => {}
                    Err(_) => rejected += 1,
                    Ok(_) => {
                        accepted += 1;
                        let verdict = match claim {
                            Claim::Deadlock => goes_on,
                            Claim::Property(number) => {
                                let question = &system.properties[number].question;
                                let Ok(Some(verdict)) = oracle.verdict(question) else {
                                    continue;
                                };
                                verdict
                            }
                        };
                        let name = format!("seed {seed}, {claim:?}\n{text}\n{evidence:?}");
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
fn wide_words_are_written_as_they_are() {
    let text =
        "MODULE main VAR w : signed word[100]; v : word[200]; INVARSPEC NAME p := w > 0sd100_0";
    let system = read(text);
    let origin = origin_of(text.as_bytes());
    let least = Word::of_bits(true, 100, |at| at == 99);
    let most = Word::of_bits(false, 200, |_| true);
    let trace = Trace {
        states: vec![Box::new([Value::Word(least), Value::Word(most)])],
        inputs: Vec::new(),
        loops_to: None,
    };
    let evidence = file::Evidence::Run(trace.clone(), Shows::All);
    let bytes = written(&system, &origin, Claim::Property(0), &evidence);
    let shown = String::from_utf8(bytes.clone()).unwrap();
    assert!(
        shown.contains("\"-0sd100_633825300114114700748351602688\""),
        "{shown}"
    );
    assert!(
        shown.contains("\"0ud200_1606938044258990275541962092341162602522202993782792835301375\""),
        "{shown}"
    );
    let limits = ReadLimits::default();
    let (_, found) = file::read(&bytes[..], &system, &origin, &limits).unwrap();
    let file::Evidence::Run(again, _) = found else {
        panic!("no run");
    };
    assert_eq!(again, trace);
}

#[test]
fn strange_files_are_refused_with_reasons() {
    let text = "MODULE main VAR x : {a, b, 3}; w : signed word[4]; INVARSPEC NAME p := x = a";
    let system = read(text);
    let origin = origin_of(text.as_bytes());
    let trace = Trace {
        states: vec![Box::new([
            Value::Int(3),
            Value::Word(Word::of_number(true, 4, -8)),
        ])],
        inputs: Vec::new(),
        loops_to: None,
    };
    let evidence = file::Evidence::Run(trace, Shows::All);
    let bytes = written(&system, &origin, Claim::Property(0), &evidence);
    let good = String::from_utf8(bytes).unwrap();
    let refused = |from: &str, to: &str, why: &str| {
        assert!(good.contains(from), "{good}");
        let changed = good.replace(from, to);
        let found = file::read(changed.as_bytes(), &system, &origin, &ReadLimits::default());
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
    let found = file::read(deep.as_bytes(), &system, &origin, &ReadLimits::default());
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
    let limits = ReadLimits::default();
    let evidence = file::Evidence::Verdict(Expected::Violated);
    for (own, other) in [(&new, &old), (&old, &new)] {
        let bytes = written(&system, own, Claim::Property(0), &evidence);
        let about = file::about(&bytes[..], &limits).unwrap();
        assert_eq!(
            (about.dialect, about.claim),
            (own.dialect, Claim::Property(0))
        );
        assert!(file::read(&bytes[..], &system, own, &limits).is_ok());
        assert!(file::read(&bytes[..], &system, other, &limits).is_err());
    }
    // Files from before the field was there.
    let bytes = written(&system, &new, Claim::Property(0), &evidence);
    let before = String::from_utf8(bytes).unwrap();
    let before = before.replace("\"dialect\":\"nusmv\",\n", "");
    assert!(!before.contains("dialect"), "{before}");
    let about = file::about(before.as_bytes(), &limits).unwrap();
    assert_eq!(about.dialect, Dialect::NuSmv);
    let found = file::read(before.as_bytes(), &system, &new, &limits);
    assert_eq!(found.unwrap(), (Claim::Property(0), evidence));
    assert!(file::read(before.as_bytes(), &system, &old, &limits).is_err());
}

/// The example of docs/certificates.md.
#[test]
fn the_example_of_the_documentation_is_accepted() {
    let docs = include_str!("../../../../docs/certificates.md");
    let part = docs.split_once("## SMV models").unwrap().1;
    let block = |kind: &str| {
        let (_, rest) = part.split_once(&format!("```{kind}\n")).unwrap();
        rest.split_once("```").unwrap().0
    };
    let text = block("smv");
    let system = read(text);
    let origin = origin_of(text.as_bytes());
    let file = block("json").replace("...", &origin.models[0].sha256);
    let limits = ReadLimits::default();
    let (claim, evidence) = file::read(file.as_bytes(), &system, &origin, &limits).unwrap();
    let found = file::check(&system, claim, &evidence, &CheckLimits::default());
    assert!(matches!(found, Ok(Accepted::Invariant { .. })), "{found:?}");
}
