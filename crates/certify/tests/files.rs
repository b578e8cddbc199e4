//! Files: what is written is read back, and nothing else harms.
#![allow(clippy::unwrap_used)]

mod naive;

use naive::random::Rng;
use naive::{make, proves, refutes, truth};
use suppose_certify::file::{
    Evidence, Malformed, Model, ReadLimits, read, write_certificate, write_counterexample,
};
use suppose_certify::{certificate, counterexample};
use suppose_control::Context;
use suppose_model::lts::{Label, Labels, LtsBuilder, Network};
use suppose_model::{Assumption, Certificate, Claim, Guarantee, Node, Premise};

fn models() -> Vec<Model> {
    vec![
        Model::of("one.lts", b"abc"),
        Model::of("two \"2\".lts", b""),
    ]
}

fn text(network: &Network, evidence: &Evidence) -> Vec<u8> {
    let mut out = vec![];
    match evidence {
        Evidence::Certificate(c) => write_certificate(&mut out, network, &models(), c).unwrap(),
        Evidence::Counterexample(c) => {
            write_counterexample(&mut out, network, &models(), c).unwrap();
        }
    }
    out
}

fn parse(network: &Network, bytes: &[u8]) -> Result<Evidence, Malformed> {
    read(bytes, network, &models(), &ReadLimits::default())
}

/// Evidence for every claim on a random system.
fn evidence(network: &Network, rng: &mut Rng) -> Vec<Evidence> {
    let mut made = vec![];
    let properties = (0..network.properties.len()).map(Claim::Property);
    for claim in properties.chain([Claim::DeadlockFree]) {
        match truth(network, claim) {
            Err(run) => made.push(Evidence::Counterexample(run)),
            Ok(reached) => {
                let whole = make::monolithic(network, claim, &reached);
                made.push(Evidence::Certificate(Box::new(whole)));
                if let (Claim::Property(p), None) = (claim, &network.priority) {
                    let chain = make::chain(network, p, rng);
                    made.extend(chain.map(Box::new).map(Evidence::Certificate));
                }
            }
        }
    }
    made
}

fn good(network: &Network, evidence: &Evidence) -> (bool, bool) {
    match evidence {
        Evidence::Certificate(c) => (
            certificate(network, c, &Context::default()).is_ok(),
            proves(network, c),
        ),
        Evidence::Counterexample(c) => (counterexample(network, c).is_ok(), refutes(network, c)),
    }
}

#[test]
fn what_is_written_is_read_back_and_written_again_the_same() {
    let mut count = 0;
    for seed in 0..400 {
        let mut rng = Rng(5_000_000 + seed);
        let network = naive::random::network(&mut rng);
        for evidence in evidence(&network, &mut rng) {
            let bytes = text(&network, &evidence);
            let again = parse(&network, &bytes).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            assert_eq!(again, evidence, "seed {seed}");
            assert_eq!(text(&network, &again), bytes, "seed {seed}");
            count += 1;
        }
    }
    assert!(count > 500);
}

fn mutate(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let at = rng.below(bytes.len());
    match rng.below(9) {
        0 => {
            bytes.remove(at);
        }
        1 => bytes.insert(at, *rng.pick(b"[]{},:\"0123456789eE+-.\\ \ntnu\xff")),
        2 => bytes[at] = *rng.pick(b"[]{},:\"0123456789eE+-.\\ \ntnu\xff"),
        3 => bytes.truncate(at),
        4 => bytes[at] ^= 1 << rng.below(8),
        5..8 => {
            // A number in the evidence itself becomes another: most such files are well formed.
            let from = bytes
                .windows(8)
                .rposition(|w| w == b"premises" || w == b"\"steps\":");
            let digit = |i: &usize| bytes[*i].is_ascii_digit();
            let digits: Vec<usize> = (from.unwrap_or(0)..bytes.len()).filter(digit).collect();
            if digits.is_empty() {
                return;
            }
            bytes[*rng.pick(&digits)] = b'0' + rng.below(4) as u8;
        }
        _ => {
            // A line is dropped, repeated or moved.
            let mut lines: Vec<Vec<u8>> =
                bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
            let line = lines.remove(rng.below(lines.len()));
            for _ in 0..rng.below(3) {
                lines.insert(rng.below(lines.len() + 1), line.clone());
            }
            *bytes = lines.join(&b'\n');
        }
    }
}

#[test]
fn a_damaged_file_is_malformed_or_rejected_unless_it_still_proves_its_claim() {
    let [mut malformed, mut rejected, mut equivalent] = [0; 3];
    for seed in 0..500 {
        let mut rng = Rng(6_000_000 + seed);
        let network = naive::random::network(&mut rng);
        for evidence in evidence(&network, &mut rng) {
            let bytes = text(&network, &evidence);
            for _ in 0..40 {
                let mut mutant = bytes.clone();
                mutate(&mut mutant, &mut rng);
                let Ok(evidence) = parse(&network, &mutant) else {
                    malformed += 1;
                    continue;
                };
                let (accepted, expected) = good(&network, &evidence);
                assert_eq!(accepted, expected, "seed {seed}");
                *if accepted {
                    &mut equivalent
                } else {
                    &mut rejected
                } += 1;
            }
        }
    }
    println!("{malformed} malformed, {rejected} rejected, {equivalent} still good");
    assert!(malformed > 1000 && rejected > 1000 && equivalent > 100);
}

fn example() -> (Network, String) {
    for seed in 0.. {
        let mut rng = Rng(seed);
        let network = naive::random::network(&mut rng);
        for evidence in evidence(&network, &mut rng) {
            if let Evidence::Certificate(c) = &evidence
                && c.assumptions.iter().any(|a| a.lts.transitions() > 1)
            {
                let bytes = text(&network, &evidence);
                return (network, String::from_utf8(bytes).unwrap());
            }
        }
    }
    unreachable!()
}

#[track_caller]
fn complains(network: &Network, text: &str, about: &str) {
    let error = parse(network, text.as_bytes()).unwrap_err();
    assert!(error.message.contains(about), "{error}");
}

#[test]
fn hostile_files_are_refused_with_a_place() {
    let (network, good) = example();
    assert!(parse(&network, good.as_bytes()).is_ok());
    complains(&network, "", "EOF");
    complains(&network, "[]", "expected evidence");
    complains(&network, "{}", "expected the field `format`");
    complains(&network, &"[".repeat(1 << 20), "expected evidence");
    let deep = format!("{}{}", "{\"format\":", "[".repeat(1 << 20));
    complains(&network, &deep, "expected a string");
    complains(
        &network,
        &good.replace("certificate\"", "cake\""),
        "neither",
    );
    complains(
        &network,
        &good.replace("\"version\":1", "\"version\":2"),
        "version 2",
    );
    complains(
        &network,
        &good.replace("ba7816bf", "aa7816bf"),
        "other model files",
    );
    complains(&network, &good.replace("<system>", "<other>"), "is about");
    complains(
        &network,
        &good.replace("\"initial\":0", "\"initial\":99999"),
        "initial state",
    );
    complains(
        &network,
        &good.replace("\"initial\":0", "\"initial\":-1"),
        "invalid value",
    );
    complains(
        &network,
        &good.replace("\"initial\":0", "\"initial\":1e99"),
        "invalid type",
    );
    complains(
        &network,
        &good.replace("\"M0\"", "\"Q0\""),
        "no component 0 named `Q0`",
    );
    complains(
        &network,
        &good.replace("relation\":[\n[", "relation\":[\n[77,"),
        "no state 77",
    );
    complains(
        &network,
        &good.replace("relation\":[\n[", "relation\":[\n[],["),
        "too short",
    );
    complains(&network, &good.replace("]\n]}", ",0]\n]}"), "too long");
    complains(
        &network,
        &good.replace("\"models\"", "\"model\""),
        "the field `models`",
    );
    complains(&network, &format!("{good}{{"), "trailing");
    complains(
        &network,
        &good.replace("]\n}", "],\n\"more\":1}"),
        "unexpected field",
    );

    complains(&network, &good.replace("\"P", "\"Q"), "no property");

    let error = parse(&network, good.replace("\"M0\"", "\"Q0\"").as_bytes()).unwrap_err();
    let line = 1 + good.lines().position(|l| l.contains("\"M0\"")).unwrap();
    assert_eq!(error.line, line, "{error}");
}

#[test]
fn limits_are_kept() {
    let (network, good) = example();
    let read = |limits: &ReadLimits| read(good.as_bytes(), &network, &models(), limits);
    let bytes = good.len() as u64;
    let vectors = good.lines().filter(|l| l.starts_with('[')).count() as u64;
    assert!(read(&ReadLimits { bytes, vectors }).is_ok());
    let long = read(&ReadLimits {
        bytes: bytes - 1,
        vectors,
    })
    .unwrap_err();
    assert!(long.message.contains("too long"), "{long}");
    let vectors = vectors - 1;
    let many = read(&ReadLimits { bytes, vectors }).unwrap_err();
    assert!(many.message.contains("too large"), "{many}");
}

#[test]
fn evidence_about_what_is_not_there_is_not_written() {
    let (network, good) = example();
    let Ok(Evidence::Certificate(good)) = parse(&network, good.as_bytes()) else {
        panic!("the example is a certificate");
    };
    let mut bad = good.clone();
    bad.claim = Claim::Property(99);
    assert!(write_certificate(&mut vec![], &network, &models(), &bad).is_err());
    let mut bad = good.clone();
    bad.premises[0].components.push(99);
    assert!(write_certificate(&mut vec![], &network, &models(), &bad).is_err());
}

#[test]
fn the_hash_is_sha_256() {
    let model = Model::of("x", b"abc");
    let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(model.sha256, known);
}

/// The file in the documentation is the one that is written for the system in it, and it proves.
#[test]
fn the_example_in_the_documentation_is_right() {
    let docs = include_str!("../../../docs/certificates.md");
    let block = |language: &str| {
        let start = docs.find(&format!("```{language}\n")).unwrap() + language.len() + 4;
        &docs[start..start + docs[start..].find("```").unwrap()]
    };
    let (network, evidence) = channel();
    assert!(certificate(&network, &evidence, &Context::default()).is_ok());
    let models = [Model::of("channel.lts", block("fsp").as_bytes())];
    let mut bytes = vec![];
    write_certificate(&mut bytes, &network, &models, &evidence).unwrap();
    let written = String::from_utf8(bytes).unwrap();
    // The first block of JSON shows how several documents stand in one file.
    let example = docs
        .split("```json\n")
        .find(|b| b.starts_with("{\n\"format\":\"suppose certificate\""));
    assert_eq!(
        example.and_then(|b| b.split("```").next()),
        Some(written.as_str())
    );
    let back = read(
        written.as_bytes(),
        &network,
        &models,
        &ReadLimits::default(),
    );
    assert_eq!(back, Ok(Evidence::Certificate(Box::new(evidence))));
}

fn channel() -> (Network, Certificate) {
    let mut labels = Labels::new();
    let [input, send, ack, output] =
        ["input", "send", "ack", "output"].map(|name| labels.intern(name));
    let cycle = |name: &str, labels: &[Label]| {
        let mut builder = LtsBuilder::new(name);
        for (state, label) in (0u32..).zip(labels) {
            builder.edge(state, *label, (state + 1) % labels.len() as u32);
        }
        builder.build()
    };
    let mut network = Network::new("CHANNEL", labels);
    network.add_component(cycle("INPUT", &[input, send, ack]));
    network.add_component(cycle("OUTPUT", &[send, output, ack]));
    network.add_property(&cycle("ORDER", &[input, output]), None);
    let mut assumed = LtsBuilder::new("OUTPUT*");
    assumed.edge(0, send, 1).edge(1, output, 0).edge(0, ack, 0);
    let node = |count, examples: &[&str]| Node {
        count,
        examples: examples.iter().map(ToString::to_string).collect(),
    };
    let relation = |sizes: [u32; 3], vectors: &[&[u32]]| {
        let sizes = &sizes[..vectors[0].len()];
        make::pack(sizes, &vectors.iter().map(|v| v.to_vec()).collect()).into()
    };
    let evidence = Certificate {
        claim: Claim::Property(0),
        assumptions: vec![Assumption {
            lts: assumed.build(),
            nodes: vec![node(2, &["0", "2"]), node(1, &["1"])],
        }],
        premises: vec![
            Premise {
                components: vec![1],
                assumptions: vec![],
                guarantee: Guarantee::Assumption(0),
                relation: relation([3, 2, 0], &[&[0, 0], &[1, 1], &[2, 0]]),
            },
            Premise {
                components: vec![0],
                assumptions: vec![0],
                guarantee: Guarantee::Property(0),
                relation: relation([3, 2, 2], &[&[0, 0, 0], &[1, 0, 1], &[2, 1, 1], &[2, 0, 0]]),
            },
        ],
        liveness: None,
    };
    (network, evidence)
}
