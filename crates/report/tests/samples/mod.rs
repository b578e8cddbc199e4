//! Systems with answers, made by hand, for tests and for `examples/sample_report.rs`.

use std::time::Duration;

use suppose_model::lts::{Label, Labels, Layout, Lts, LtsBuilder, Network, PackedStates};
use suppose_model::{
    Answer, Assumption, Certificate, Claim, Counterexample, EvidenceStatus, Finding, Guarantee,
    NetworkStep, Node, Premise, Reason, Round, Run, Verdict,
};
use suppose_report::{Document, Frame, network};

/// Names that must be inert in every output.
#[allow(dead_code)]
pub const HOSTILE: [&str; 8] = [
    "<script>window.__pwned=1</script>",
    "\"><img src=x onerror=\"window.__pwned=2\">",
    "'); window.__pwned=3; ('",
    "a&b</style></svg><script>window.__pwned=4</script>",
    "\u{202e}desrever\u{2066}",
    "\u{1b}[31mred\u{7}\r\n\0\u{9b}2J",
    "漢字.naïve.λ.שלום.😀",
    "]]>--><!--\\N\\\"; rankdir=TB; \"",
];

/// A system with everything that was found out about it.
pub struct Sample {
    pub network: Network,
    pub findings: Vec<Finding>,
    pub files: Vec<String>,
    pub undecided: Vec<(String, String)>,
    pub warnings: Vec<String>,
}

impl Sample {
    /// All samples by name.
    pub const NAMES: [&str; 8] = [
        "channel", "hostile", "one", "many", "large", "long", "wide", "mixed",
    ];

    /// The sample of that name.
    pub fn named(name: &str) -> Option<Sample> {
        Some(match name {
            "channel" => channel(["input", "output"], ["in", "send", "out", "ack"]),
            "hostile" => hostile(),
            "one" => holds_with(automaton(1, 0)),
            "many" => holds_with(automaton(24, 3)),
            "large" => holds_with(automaton(500, 3)),
            "long" => run_of(10_000, 6),
            "wide" => run_of(60, 30),
            "mixed" => mixed(),
            _ => return None,
        })
    }

    pub fn frame(&self) -> Frame {
        Frame {
            version: "0.1.0".to_owned(),
            files: self.files.clone(),
            undecided: self.undecided.clone(),
            warnings: self.warnings.clone(),
            seed: 1,
            elapsed: Duration::from_millis(1234),
            peak_memory: Some(37 << 20),
            limits: (Some(Duration::from_secs(60)), Some(4 << 30)),
        }
    }

    pub fn report(&self) -> Document<'_> {
        network::describe(self.frame(), &self.network, &self.findings)
    }

    fn new(network: Network, answers: Vec<Answer>) -> Sample {
        Sample {
            network,
            findings: answers.into_iter().map(accepted).collect(),
            files: vec!["channel.lts".to_owned()],
            undecided: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

fn accepted(answer: Answer) -> Finding {
    let why = "two components with a narrow interface";
    let mut finding = Finding::new(answer, EvidenceStatus::Accepted, why);
    finding.certificate_file = Some("order.cert".to_owned());
    finding
}

fn cycle(name: &str, labels: &[Label]) -> Lts {
    let mut builder = LtsBuilder::new(name);
    for (at, label) in labels.iter().enumerate() {
        builder.edge(at as u32, *label, ((at + 1) % labels.len()) as u32);
    }
    builder.build()
}

fn no_relation() -> PackedStates {
    PackedStates::new(Layout::new([1]))
}

fn premises(claim: Guarantee) -> Vec<Premise> {
    let premise = |components, assumptions, guarantee| Premise {
        components,
        assumptions,
        guarantee,
        relation: no_relation().into(),
    };
    vec![
        premise(vec![1], vec![], Guarantee::Assumption(0)),
        premise(vec![0], vec![0], claim),
    ]
}

fn node(count: u64, examples: &[&str]) -> Node {
    Node {
        count,
        examples: examples.iter().map(|e| (*e).to_owned()).collect(),
    }
}

fn rounds(count: u64) -> Vec<Round> {
    let round = |number: u64| Round {
        number,
        assumption_states: number,
        alphabet: 3 + number / 3,
        states: 10 * number * number,
        refined: match number == count {
            true => String::new(),
            false => format!("split a state by label {number}"),
        },
    };
    (1..=count).map(round).collect()
}

/// The input/output channel with *Order*: holds with a small assumption, and a deadlock.
fn channel(parts: [&str; 2], names: [&str; 4]) -> Sample {
    let mut labels = Labels::new();
    let [input, send, output, ack] = names.map(|n| labels.intern(n));
    let mut network = Network::new("Channel", labels);
    network.add_component(cycle(parts[0], &[input, send, ack]));
    network.add_component(cycle(parts[1], &[send, output, ack]));
    network.add_property(&cycle("Order", &[input, output]), None);
    let mut assumption = LtsBuilder::new("A");
    assumption.edge(0, send, 1).edge(1, output, 0);
    assumption.edge(0, ack, 0).edge(1, ack, 0);
    let certificate = Certificate {
        claim: Claim::Property(0),
        assumptions: vec![Assumption {
            lts: assumption.build(),
            nodes: vec![node(2, &["output.0", "output.2"]), node(1, &["output.1"])],
        }],
        premises: premises(Guarantee::Property(0)),
        liveness: None,
    };
    let step = |label, states: [u32; 2]| NetworkStep {
        label,
        states: states.to_vec(),
    };
    let run = Counterexample {
        claim: Claim::DeadlockFree,
        steps: vec![
            step(input, [1, 0]),
            step(send, [2, 1]),
            step(output, [2, 2]),
            step(ack, [0, 0]),
            step(input, [1, 0]),
        ],
        lasso: None,
    };
    let answers = vec![
        Answer {
            claim: Claim::Property(0),
            engine: "agar".to_owned(),
            verdict: Verdict::Holds(Box::new(certificate)),
            run: Run {
                states: 14,
                transitions: 19,
                largest: 8,
                assumption_peak: 2,
                rounds: rounds(2),
                groups: vec![vec![0], vec![1]],
                elapsed: Duration::from_millis(3),
                ..Run::default()
            },
        },
        Answer {
            claim: Claim::DeadlockFree,
            engine: "monolithic".to_owned(),
            verdict: Verdict::Violated(run),
            run: Run {
                states: 6,
                transitions: 7,
                largest: 6,
                groups: vec![vec![0, 1]],
                ..Run::default()
            },
        },
    ];
    Sample::new(network, answers)
}

fn hostile() -> Sample {
    let [a, b, c, d, e, f, g, h] = HOSTILE;
    let mut sample = channel([a, f], [b, c, d, e]);
    sample.network.name = g.to_owned();
    let mut property = LtsBuilder::new(h);
    let label = sample.network.labels.intern("in");
    property.edge(0, label, 0);
    property.state_name(0, a);
    sample.network.properties[0].lts = property.build();
    if let Verdict::Holds(certificate) = &mut sample.findings[0].answer.verdict {
        let assumption = &mut certificate.assumptions[0];
        assumption.nodes[0].examples = HOSTILE.map(str::to_owned).to_vec();
    }
    sample.findings[0].answer.run.rounds[0].refined = a.to_owned();
    sample.files = vec![format!("{a}.lts"), format!("{f}{e}.lts")];
    sample.undecided = vec![(a.to_owned(), f.to_owned())];
    sample.warnings = vec![b.to_owned(), f.to_owned()];
    sample.findings[1].evidence = EvidenceStatus::NotChecked(a.to_owned());
    sample
}

/// A connected automaton with `states` states and about `degree` arrows from each.
fn automaton(states: u32, degree: u32) -> (Labels, Lts, Vec<Node>) {
    let mut labels = Labels::new();
    let names: Vec<Label> = (0..12)
        .map(|i| labels.intern(&format!("client.{}.request", i)))
        .collect();
    let mut builder = LtsBuilder::new("A");
    builder.states(states);
    let mut seed = 11u64;
    let mut random = move |below: u32| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) as u32 % below
    };
    for state in 1..states {
        let from = state - 1 - random(state.min(3));
        builder.edge(from, names[random(12) as usize], state);
        for _ in 1..degree {
            let near = (state + states - random(6)) % states;
            if random(3) == 0 {
                builder.edge(state, names[random(12) as usize], near);
            }
        }
    }
    builder.extend_alphabet(names.iter().copied());
    let lts = builder.build();
    let nodes = (0..states).map(|s| node(u64::from(s) + 1, &["server.idle"]));
    (labels, lts, nodes.collect())
}

fn holds_with((labels, lts, nodes): (Labels, Lts, Vec<Node>)) -> Sample {
    let alphabet = lts.alphabet().to_vec();
    let size = lts.states() as u64;
    let mut network = Network::new("Clients", labels);
    let part = |name: &str| {
        let mut builder = LtsBuilder::new(name);
        builder.extend_alphabet(alphabet.iter().copied());
        builder.build()
    };
    network.add_component(part("clients"));
    network.add_component(part("server"));
    network.add_property(&part("Exclusion"), None);
    let certificate = Certificate {
        claim: Claim::Property(0),
        assumptions: vec![Assumption { lts, nodes }],
        premises: premises(Guarantee::Property(0)),
        liveness: None,
    };
    let answer = Answer {
        claim: Claim::Property(0),
        engine: "agar".to_owned(),
        verdict: Verdict::Holds(Box::new(certificate)),
        run: Run {
            states: 123_456,
            transitions: 1_234_567,
            largest: 100_000,
            assumption_peak: size,
            rounds: rounds(size),
            groups: vec![vec![0], vec![1]],
            elapsed: Duration::from_millis(980),
            ..Run::default()
        },
    };
    Sample::new(network, vec![answer])
}

/// A counterexample of so many steps of so many clients and a server.
fn run_of(length: usize, clients: usize) -> Sample {
    let mut labels = Labels::new();
    let mut parts = Vec::new();
    let mut server = LtsBuilder::new("server");
    server.state_name(0, "free");
    for client in 0..clients {
        let ask = labels.intern(&format!("c.{client}.ask"));
        let enter = labels.intern(&format!("c.{client}.enter"));
        let leave = labels.intern(&format!("c.{client}.leave"));
        let mut part = LtsBuilder::new(format!("client.{client}"));
        part.edge(0, ask, 1).edge(1, enter, 2).edge(2, leave, 0);
        for (state, name) in ["idle", "waiting", "inside"].into_iter().enumerate() {
            part.state_name(state as u32, name);
        }
        parts.push((part.build(), [ask, enter, leave]));
        let held = client as u32 + 1;
        server.edge(0, enter, held).edge(held, leave, 0);
        server.state_name(held, format!("held.{client}"));
    }
    let mut network = Network::new("Mutex", labels);
    network.add_component(server.build());
    let mut states = vec![0; clients + 1];
    let mut steps = Vec::new();
    for at in 0..length {
        let client = at / 3 % clients;
        let label = parts[client].1[at % 3];
        states[client + 1] = (at as u32 + 1) % 3;
        states[0] = if at % 3 == 1 { client as u32 + 1 } else { 0 };
        let states = states.clone();
        steps.push(NetworkStep { label, states });
    }
    for (part, _) in parts {
        network.add_component(part);
    }
    network.add_property(&LtsBuilder::new("Exclusion").build(), None);
    let claim = Claim::Property(0);
    let answer = Answer {
        claim,
        engine: "monolithic".to_owned(),
        verdict: Verdict::Violated(Counterexample::finite(claim, steps)),
        run: Run {
            states: 233_749,
            transitions: 1_500_000,
            largest: 233_749,
            ..Run::default()
        },
    };
    Sample::new(network, vec![answer])
}

/// Every kind of verdict, and evidence that was rejected.
fn mixed() -> Sample {
    let mut sample = channel(["input", "output"], ["in", "send", "out", "ack"]);
    let unknown = |reason: Reason| Answer {
        claim: Claim::Property(0),
        engine: "learn".to_owned(),
        verdict: Verdict::Unknown(reason),
        run: Run {
            queries: 120,
            rounds: rounds(7),
            ..Run::default()
        },
    };
    let unsupported = Reason::Unsupported("the system has priorities".to_owned());
    for reason in [Reason::Timeout, unsupported] {
        sample.findings.push(accepted(unknown(reason)));
    }
    let mut rejected = sample.findings[0].clone();
    rejected.evidence = EvidenceStatus::Rejected("premise 2 is not closed".to_owned());
    sample.findings.push(rejected);
    sample.undecided = vec![(
        "Progress".to_owned(),
        "liveness is not supported".to_owned(),
    )];
    sample.warnings = vec!["label reset is used by no component".to_owned()];
    sample
}
