//! Any text is read or refused by the PROMELA front-end, in bounded time and memory.
//!
//! `cargo +nightly fuzz run promela -- -dict=promela.dict` in this folder, with a corpus made of
//! `examples/promela`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use suppose_frontends::promela::read;
use suppose_source::{FileId, ParserLimits, Sources};

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
    let mut sources = Sources::single("fuzz.pml", text);
    let mut includes = |_: &str| Err("there are no other files".to_owned());
    match read(FileId(0), &mut sources, &mut includes, &[], &limits) {
        Ok(read) => {
            for warning in &read.warnings {
                let _ = warning.render(&sources, false);
            }
            for proctype in &read.program.proctypes {
                for edge in proctype.locations.iter().flat_map(|l| &l.edges) {
                    assert!((edge.target as usize) < proctype.locations.len());
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
});
