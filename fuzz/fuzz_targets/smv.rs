//! Any text is read or refused by the SMV front-end, in bounded time and memory; what is read is written and read again, and has as many
//! states and steps as before.
//!
//! `cargo +nightly fuzz run smv -- -dict=smv.dict` in this folder, with a corpus made of `examples/smv`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use suppose_frontends::smv::{Dialect, read};
use suppose_model::fsm::{Graph, Simulator, System};
use suppose_source::{FileId, ParserLimits, Sources};

/// The reachable states, if they are few and easy to find.
fn graph(system: &System) -> Option<Graph> {
    Simulator::new(system, 5_000).explore(40).ok()
}

fn sizes(graph: &Graph) -> [usize; 3] {
    let edges = graph.edges.iter().map(Vec::len).sum();
    [graph.initial.len(), graph.states.len(), edges]
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let limits = ParserLimits {
        bytes: 1 << 16,
        depth: 100,
        states: 20_000,
        transitions: 100_000,
        labels: 5_000,
    };
    let sources = Sources::single("fuzz.smv", text);
    for dialect in [Dialect::NuSmv, Dialect::Old] {
        match read(FileId(0), &sources, dialect, &limits) {
            Ok(found) => {
                for warning in &found.warnings {
                    let _ = warning.render(&sources, false);
                }
                let written = found.system.to_smv();
                if dialect == Dialect::NuSmv && written.len() < 1 << 16 {
                    let again = Sources::single("written.smv", written);
                    // Brackets are put where none were.
                    let limits = ParserLimits {
                        depth: 1_000,
                        ..ParserLimits::default()
                    };
                    let read = read(FileId(0), &again, dialect, &limits);
                    let Ok(again) = read else {
                        panic!("what is written is not read");
                    };
                    if let (Some(first), Some(second)) =
                        (graph(&found.system), graph(&again.system))
                    {
                        assert_eq!(sizes(&first), sizes(&second));
                    }
                }
            }
            Err(errors) => {
                assert!(!errors.is_empty());
                for error in &errors {
                    let _ = error.render(&sources, false);
                }
            }
        }
    }
});
