//! Any text is read or refused by the FSP front-end, in bounded time and memory.
//!
//! `cargo +nightly fuzz run fsp -- -dict=fsp.dict` in this folder, with a corpus made of
//! `examples/fsp`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use suppose_frontends::{Input, LoadOptions, load};
use suppose_source::ParserLimits;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let options = LoadOptions {
        limits: ParserLimits {
            bytes: 1 << 16,
            depth: 100,
            states: 5_000,
            transitions: 50_000,
            labels: 5_000,
        },
        ..LoadOptions::default()
    };
    match load(vec![Input::new("fuzz.lts", text)], &options) {
        Ok(loaded) => {
            for warning in &loaded.warnings {
                let _ = warning.render(&loaded.sources, false);
            }
        }
        Err(failed) => {
            assert!(!failed.diagnostics.is_empty());
            for error in &failed.diagnostics {
                let _ = error.render(&failed.sources, false);
            }
        }
    }
});
