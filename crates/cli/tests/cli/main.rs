//! The command line from outside: what is typed, printed, written and returned.

// Helpers of tests are tests too: what goes wrong here fails one.
#![allow(clippy::unwrap_used)]

mod c;
mod disk;
mod docs;
mod evidence;
mod examples;
mod exchange;
mod formats;
mod horn;
mod input;
mod install;
mod limits;
mod local;
mod ltl;
mod markov;
mod markov_language;
mod networks;
mod options;
mod outputs;
mod promela;
mod several;
mod simulate;
mod smv;
mod smv_answers;
mod smv_evidence;
mod smv_peer;
mod solve;
mod spin;
mod suite;
mod support;
mod trail;
mod usage;
#[path = "../../../report/tests/validate/mod.rs"]
#[allow(dead_code)]
mod validate;
mod verdicts;
