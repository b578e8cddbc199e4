//! Prints a sample: `sample_report html|json|text|dot|svg|network|network-dot NAME`.
#![allow(clippy::print_stdout, missing_docs)]

#[path = "../tests/samples/mod.rs"]
mod samples;

use samples::Sample;
use suppose_model::Verdict;
use suppose_report::draw;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, name] = arguments.as_slice() else {
        panic!("expected a kind and one of {:?}", Sample::NAMES);
    };
    let Some(sample) = Sample::named(name) else {
        panic!("expected one of {:?}", Sample::NAMES);
    };
    let report = sample.report();
    let network = &sample.network;
    let assumption = sample
        .findings
        .iter()
        .find_map(|f| match &f.answer.verdict {
            Verdict::Holds(certificate) => certificate.assumptions.first(),
            _ => None,
        });
    let component = &network.components[0].lts;
    let (lts, nodes) = match assumption {
        Some(assumption) => (&assumption.lts, assumption.nodes.as_slice()),
        None => (component, [].as_slice()),
    };
    print!(
        "{}",
        match kind.as_str() {
            "html" => report.html(),
            "json" => report.json(),
            "text" => format!("{}{}\n", report.text(false, false), report.last_line()),
            "colour" => format!("{}{}\n", report.text(true, false), report.last_line()),
            "dot" => draw::dot(lts, &network.labels, nodes),
            "svg" => draw::svg(lts, &network.labels, nodes),
            "network" => draw::network_svg(network),
            "network-dot" => draw::network_dot(network),
            other => panic!("no such kind: {other}"),
        }
    );
}
