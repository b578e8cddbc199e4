//! What holds of every output, whatever the names and the evidence in it.
#![allow(clippy::unwrap_used)]

mod samples;

use std::time::Duration;

use samples::{HOSTILE, Sample};
use suppose_model::lts::{Label, Labels, LtsBuilder, Network};
use suppose_model::{Claim, EvidenceStatus, NetworkStep, Node, Verdict};
use suppose_report::{draw, network, shown};

fn pictures(sample: &Sample) -> Vec<String> {
    let mut all = vec![draw::network_svg(&sample.network)];
    for finding in &sample.findings {
        let answer = &finding.answer;
        if let Verdict::Holds(certificate) = &answer.verdict {
            for assumption in &certificate.assumptions {
                let labels = &sample.network.labels;
                all.push(draw::svg(&assumption.lts, labels, &assumption.nodes));
            }
        }
    }
    all
}

fn outputs(sample: &Sample) -> Vec<String> {
    let report = sample.report();
    let mut all = vec![
        report.text(false, false),
        report.last_line(),
        report.json(),
        report.html(),
    ];
    all.push(draw::network_dot(&sample.network));
    all.extend(pictures(sample));
    all
}

#[test]
fn no_output_holds_a_character_that_acts() {
    for name in Sample::NAMES {
        let sample = Sample::named(name).unwrap();
        for output in outputs(&sample) {
            for line in output.split('\n') {
                assert_eq!(shown(line), line, "{name}");
            }
        }
    }
}

#[test]
fn colour_is_the_only_escape() {
    let sample = Sample::named("hostile").unwrap();
    let coloured = sample.report().text(true, false);
    let mut plain = coloured.clone();
    for code in ["0", "1", "2", "1;31", "1;32", "1;33"] {
        plain = plain.replace(&format!("\x1b[{code}m"), "");
    }
    assert_ne!(coloured, plain);
    assert_eq!(plain, sample.report().text(false, false));
}

#[test]
fn names_are_text_in_markup() {
    let sample = Sample::named("hostile").unwrap();
    let page = sample.report().html();
    // One script; the others are data, in which no name can end the element.
    let data = page.matches("<script type=\"application/json\"").count();
    assert_eq!(page.matches("<script>").count(), 1);
    assert_eq!(page.matches("<script").count(), 1 + data);
    assert_eq!(page.matches("</script").count(), 1 + data);
    assert_eq!(page.matches("<style").count(), 1);
    for output in pictures(&sample).iter().chain([&page]) {
        for attack in ["<img", "<script>w", "onerror=\"", "</style></svg>"] {
            assert!(!output.contains(attack), "{attack}");
        }
    }
    assert!(page.contains("&lt;script&gt;window.__pwned=1&lt;/script&gt;"));
    assert!(!page.contains("style=\"") && !page.contains("http://www.w3.org/1999"));
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn pictures_are_well_formed() {
    for name in Sample::NAMES {
        for picture in pictures(&Sample::named(name).unwrap()) {
            let tree = roxmltree::Document::parse(&picture).unwrap();
            assert_eq!(tree.root_element().tag_name().name(), "svg", "{name}");
        }
    }
}

/// Strings of DOT end where they should: outside of them nothing of a name is left.
#[test]
fn dot_strings_are_closed() {
    let mut labels = Labels::new();
    let mut builder = LtsBuilder::new(HOSTILE[7]);
    for (at, name) in HOSTILE.iter().enumerate() {
        let label = labels.intern(name);
        builder
            .edge(at as u32, label, 0)
            .state_name(at as u32, *name);
    }
    let nodes = vec![
        Node {
            count: 9,
            examples: HOSTILE.map(str::to_owned).to_vec(),
        };
        8
    ];
    let dot = draw::dot(&builder.build(), &labels, &nodes);
    let mut outside = String::new();
    let mut inside = false;
    let mut characters = dot.chars();
    while let Some(c) = characters.next() {
        match c {
            '"' => inside = !inside,
            '\\' if inside => {
                characters.next();
            }
            c if !inside => outside.push(c),
            _ => {}
        }
    }
    assert!(!inside);
    let allowed = |c: char| c.is_ascii_alphanumeric() || " \n{}[];=->,.".contains(c);
    assert!(outside.chars().all(allowed), "{outside}");
    for word in ["script", "pwned", "TB", "onerror"] {
        assert!(!outside.contains(word), "{word} in {outside}");
    }
}

/// Two runs differ under `timing` and nowhere else.
#[test]
fn only_timing_differs_between_runs() {
    for name in Sample::NAMES {
        let first = Sample::named(name).unwrap();
        let mut second = Sample::named(name).unwrap();
        for finding in &mut second.findings {
            finding.answer.run.elapsed = Duration::from_secs(77);
        }
        let mut frame = second.frame();
        frame.elapsed = Duration::from_secs(99);
        frame.peak_memory = None;
        let report = network::describe(frame, &second.network, &second.findings);
        let split = |text: String| {
            let (rest, timing) = text.split_once("\"timing\"").unwrap();
            (rest.to_owned(), timing.to_owned())
        };
        let (a, b) = (split(first.report().json()), split(report.json()));
        assert_eq!(a.0, b.0, "{name}");
        assert_ne!(a.1, b.1, "{name}");
        assert_eq!(first.report().html(), first.report().html());
    }
}

#[test]
fn the_last_line_is_the_worst() {
    let mut sample = Sample::named("mixed").unwrap();
    assert_eq!(sample.report().last_line(), "violated(deadlock)");
    sample.findings[1].evidence = EvidenceStatus::Rejected("no".to_owned());
    assert_eq!(sample.report().last_line(), "unknown(certificate rejected)");
    sample.findings.truncate(3);
    sample.findings.remove(1);
    assert_eq!(sample.report().last_line(), "unknown(timeout)");
    sample.findings.truncate(1);
    assert_eq!(
        sample.report().last_line(),
        "unknown(liveness is not supported)"
    );
    sample.undecided.clear();
    assert_eq!(sample.report().last_line(), "holds");
    sample.findings.clear();
    assert_eq!(sample.report().last_line(), "unknown(nothing to check)");
}

/// Evidence that makes no sense is shown as far as it goes.
#[test]
fn broken_evidence_breaks_nothing() {
    let mut sample = Sample::named("channel").unwrap();
    for finding in &mut sample.findings {
        let answer = &mut finding.answer;
        answer.claim = Claim::Property(99);
        answer.run.groups = vec![vec![7], vec![], vec![usize::MAX]];
        match &mut answer.verdict {
            Verdict::Holds(certificate) => {
                let mut builder = LtsBuilder::new("A");
                builder.edge(0, Label(4_000), 1);
                certificate.assumptions[0].lts = builder.build();
                certificate.assumptions[0].nodes.truncate(1);
                certificate.premises[0].components = vec![55];
                certificate.premises[1].assumptions = vec![66];
            }
            Verdict::Violated(found) => {
                found.claim = Claim::Property(98);
                let label = Label(5_000);
                let states = vec![u32::MAX, 3, 9, 9, 9];
                found.steps.push(NetworkStep { label, states });
                let (label, states) = (Label::TAU, vec![]);
                found.steps.push(NetworkStep { label, states });
            }
            Verdict::Unknown(_) => {}
        }
    }
    assert!(outputs(&sample).iter().all(|o| !o.is_empty()));
    assert_eq!(sample.report().last_line(), "violated(property 99)");
}

#[test]
fn an_empty_system_is_drawn() {
    let network = Network::new("", Labels::new());
    assert!(draw::network_svg(&network).starts_with("<svg"));
    assert!(draw::network_dot(&network).starts_with("graph"));
    let one = LtsBuilder::new("").build();
    let picture = draw::svg(&one, &Labels::new(), &[]);
    assert_eq!(picture.matches("data-node").count(), 1);
}

#[test]
fn what_is_too_large_says_so() {
    let mut labels = Labels::new();
    let a = labels.intern("a");
    let mut builder = LtsBuilder::new("m");
    for state in 0..5_000 {
        builder.edge(state, a, (state * 7 + 1) % 5_000);
    }
    let picture = draw::svg(&builder.build(), &labels, &[]);
    assert!(picture.contains("5,000 states and 5,000 transitions: too large to draw"));
    let page = Sample::named("large").unwrap().report().html();
    assert!(page.contains("Too large to draw"));
}

#[test]
fn long_counterexamples_are_cut_in_the_terminal_only() {
    let sample = Sample::named("long").unwrap();
    let report = sample.report();
    let plain = report.text(false, false);
    assert!(plain.lines().count() < 90);
    assert!(plain.contains("(9,940 more steps"));
    let page = report.html();
    // The tables of the page have the first and the last; its player has all.
    assert_eq!(page.matches("<td class=\"action\">").count(), 4_000);
    let (_, data) = page
        .split_once("<script type=\"application/json\">")
        .unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    let run: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(run["steps"].as_array().unwrap().len(), 10_000);
    assert!(page.len() < 5_000_000);
}

#[test]
fn text_reads_well() {
    let sample = Sample::named("channel").unwrap();
    let expected = include_str!("channel.txt");
    let report = sample.report();
    assert_eq!(
        format!("{}{}\n", report.text(false, false), report.last_line()),
        expected
    );
}
