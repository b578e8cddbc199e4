//! Records on programs.

use serde::Serialize;

/// A run of a program.
#[derive(Serialize)]
pub(crate) struct RunRecord {
    pub length: usize,
    pub rows: Vec<RowRecord>,
    pub ending: String,
    pub details: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct RowRecord {
    pub step: usize,
    pub process: usize,
    pub name: String,
    pub file: Option<String>,
    pub line: Option<usize>,
    pub statement: String,
    pub keeps: Option<&'static str>,
    pub changes: Vec<ValueRecord>,
    pub message: Option<MessageRecord>,
}

#[derive(Serialize)]
pub(crate) struct ValueRecord {
    pub name: String,
    pub from: String,
    pub to: String,
}

#[derive(Serialize)]
pub(crate) struct MessageRecord {
    pub kind: &'static str,
    pub channel: String,
    pub values: String,
    /// The process it goes to, for a rendezvous.
    pub to: Option<usize>,
    /// The step that sent it, for a receive.
    pub sent_in: Option<usize>,
}
