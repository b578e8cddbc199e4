//! Conformance of probabilistic systems: the models and rows of the tables that are measured.

mod models;
mod suites;
