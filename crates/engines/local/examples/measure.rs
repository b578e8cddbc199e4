#![allow(clippy::print_stdout, missing_docs, clippy::unwrap_used)]
use std::time::Instant;
use suppose_control::Context;
use suppose_local::{Found, Options, check};
use suppose_model::program::Question;
fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().unwrap();
    let mut text = std::fs::read_to_string(&file).unwrap();
    for set in args {
        let (n, v) = set.split_once('=').unwrap();
        text = format!("#define {n} {v}\n{text}");
    }
    let program = match suppose_frontends::promela::read_text("model.pml", &text) {
        Ok((read, _)) => read.program,
        Err((errors, _)) => panic!("{errors:?}"),
    };
    let mut questions = vec![Question::Assertions];
    questions.extend((0..program.claims.len()).map(Question::Claim));
    for q in questions {
        let t = Instant::now();
        let r = check(&program, q, &Options::default(), &Context::default());
        let e = t.elapsed();
        let word = match &r.found {
            Found::Holds(p) => format!(
                "holds owned={} places={} g={} l={} exposed={:?}",
                p.split.owners.iter().flatten().count(),
                p.split.places,
                p.shared.len(),
                p.locals.len(),
                p.split.exposed
            ),
            Found::Violated(t) => format!("violated {} steps", t.steps.len()),
            Found::Unknown(r) => format!("{r:?}"),
        };
        println!(
            "{file} {q:?}: {word}; views {} joins {} attempts {} all {} in {:?}",
            r.views, r.joins, r.attempts, r.all_views, e
        );
        if let Found::Holds(p) = &r.found {
            let t = Instant::now();
            println!(
                "  certify: {:?} in {:?}",
                suppose_certify::views::views(&program, p, &mut || false),
                t.elapsed()
            );
        }
    }
}
