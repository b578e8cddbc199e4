//! Independent checkers of every certificate and counterexample.
//!
//! Small, slow if need be, obvious. This crate imports no engine and no front-end.
