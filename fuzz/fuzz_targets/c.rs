//! Any text is read or refused by the C front-end, in bounded time and memory; what is read runs, and a
//! violation is read back.
//!
//! `cargo +nightly fuzz run c -- -dict=c.dict` in this folder, with a corpus made of `examples/c`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use suppose_frontends::c::{COptions, RunResult, read_text};
use suppose_source::ParserLimits;

fuzz_target!(|data: &[u8]| {
    let Some((first, text)) = data.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let options = COptions {
        wrap: first & 1 == 1,
        inline: if first & 2 == 2 { 0 } else { 8 },
        limits: ParserLimits {
            bytes: 1 << 16,
            depth: 100,
            states: 20_000,
            transitions: 100_000,
            labels: 5_000,
        },
        ..COptions::default()
    };
    match read_text("fuzz.c", text, &options) {
        Ok((program, sources)) => {
            for warning in &program.warnings {
                let _ = warning.render(&sources, false);
            }
            let mut next = i64::from(*first);
            let mut choose = |_: Option<&str>, _| {
                next = (next * 37 + 11) % 101 - 50;
                Some(next.into())
            };
            if let RunResult::Violated { derivation, .. } = program.run(&mut choose, 2_000) {
                assert!(program.call_tree(&derivation).is_some());
            }
        }
        Err((error, sources)) => {
            let _ = error.render(&sources, false);
        }
    }
});
