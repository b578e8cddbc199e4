//! Any text is read or refused by the PRISM front-end and the readers of written-out systems, in bounded time and memory.
//!
//! `cargo +nightly fuzz run prism -- -dict=prism.dict` in this folder, with a corpus made of
//! `examples/prism`.

#![no_main]

use std::cell::Cell;

use libfuzzer_sys::fuzz_target;
use suppose_frontends::lpts::{self, Files, Format};
use suppose_frontends::prism::{self, Exploration, Grouping, PrismOptions, Properties, Reads};
use suppose_model::mdp::{Labels, SizeLimits};
use suppose_source::{Diagnostic, FileId, ParserLimits, Sources};

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
    let sources = Sources::single("fuzz.nm", text);
    let shown = |errors: &[Diagnostic]| {
        assert!(!errors.is_empty());
        for error in errors {
            let _ = error.render(&sources, false);
        }
    };
    for format in [Format::Text, Format::Json, Format::Drn, Format::Tra] {
        let files = Files::one(FileId(0));
        match lpts::read(format, files, &sources, &mut Labels::new(), &limits) {
            Ok(explicit) => assert!(explicit.lpts.states() > 0),
            Err(errors) => shown(&errors),
        }
    }
    let options = PrismOptions {
        limits,
        ..PrismOptions::default()
    };
    let model = match prism::read(FileId(0), &sources, &options) {
        Ok(model) => model,
        Err(errors) => return shown(&errors),
    };
    let steps = Cell::new(0);
    let how = Exploration {
        limits: SizeLimits {
            states: 500,
            transitions: 5_000,
        },
        stop: &|| {
            steps.set(steps.get() + 1);
            steps.get() > 1_000
        },
    };
    let _ = model.count(&how);
    let grouping = Grouping {
        reads: Reads::Synchronise,
        ..Grouping::default()
    };
    let _ = model.system(&grouping, &Properties::default(), Labels::new(), &how);
});
