//! The command line from outside: what is typed, printed, written and returned.

mod evidence;
mod examples;
mod formats;
mod limits;
mod support;
mod usage;
mod verdicts;
