//! Any text is read or refused by the reader of Horn clauses, in bounded time and memory; what is read is written and
//! read again.
//!
//! `cargo +nightly fuzz run smtlib -- -dict=smtlib.dict` in this folder, with a corpus made of
//! `examples/horn`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use suppose_frontends::smtlib::{read, write};
use suppose_source::{FileId, ParserLimits, Sources};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let limits = ParserLimits {
        bytes: 1 << 14,
        ..ParserLimits::default()
    };
    let sources = Sources::single("fuzz.smt2", text);
    match read(FileId(0), &sources, &limits) {
        Ok(found) => {
            for warning in &found.warnings {
                let _ = warning.render(&sources, false);
            }
            for clause in &found.horn.clauses {
                for app in clause.body.iter().chain(&clause.head) {
                    assert_eq!(app.args.len(), found.horn.predicate(app.pred).formals.len());
                }
            }
            let again = Sources::single("written.smt2", write(&found.horn));
            let limits = ParserLimits::default();
            if !found.horn.predicates.is_empty() {
                assert!(read(FileId(0), &again, &limits).is_ok());
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
