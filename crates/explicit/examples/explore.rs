//! Explores a PROMELA program and prints what was counted: `explore FILE [faithful|reduce|full] [NAME=VALUE ...]`.
#![allow(clippy::print_stdout, reason = "a tool for measuring")]

use suppose_explicit::{Found, Options, search};
use suppose_frontends::promela;
use suppose_refine::Context;
use suppose_source::{FileId, ParserLimits, Sources};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file");
    let mode = arguments.next().unwrap_or_default();
    let defines: Vec<(String, i64)> = arguments
        .filter_map(|a| {
            let (name, value) = a.split_once('=')?;
            Some((name.to_owned(), value.parse().ok()?))
        })
        .collect();
    let text = std::fs::read_to_string(&file).expect("a readable file");
    let mut sources = Sources::single(&file, &text);
    let mut none = |_: &str| Err("no files".to_owned());
    let limits = ParserLimits::default();
    let read = match promela::read(FileId(0), &mut sources, &mut none, &defines, &limits) {
        Ok(read) => read,
        Err(errors) => {
            println!("refused: {}", errors[0].message);
            return;
        }
    };
    let options = match mode.as_str() {
        "faithful" => Options {
            exhaust: true,
            past_assertions: true,
            ..Options::faithful()
        },
        "reduce" => Options {
            merge: false,
            exhaust: true,
            ..Options::default()
        },
        _ => Options {
            exhaust: true,
            ..Options::default()
        },
    };
    let questions = &read.program.questions()[..2];
    let start = std::time::Instant::now();
    let report = search(&read.program, questions, &options, &Context::default());
    let seconds = start.elapsed().as_secs_f64();
    let words: Vec<String> = report
        .verdicts
        .iter()
        .map(|(q, f)| {
            let word = match f {
                Found::Holds => "holds".to_owned(),
                Found::Likely(p) => format!("likely ({p:e})"),
                Found::Violated(trace) => format!("violated({})", trace.steps.len()),
                Found::Unknown(reason) => format!("unknown({reason:?})"),
            };
            format!("{}={word}", read.program.question_name(*q))
        })
        .collect();
    println!(
        "{} states={} transitions={} depth={} MB={:.1} s={seconds:.3} Mst/s={:.2} Mtr/s={:.2}",
        words.join(" "),
        report.states,
        report.transitions,
        report.depth,
        report.memory as f64 / 1e6,
        report.states as f64 / seconds / 1e6,
        report.transitions as f64 / seconds / 1e6,
    );
}
