//! The report as one JSON document. `schema/report.schema.json` describes it.
//!
//! Whatever differs between two runs of the same input is under `timing`, and only there.

use suppose_model::EvidenceStatus;
use suppose_model::lts::{ComponentKind, Network};

use crate::document::{Claim, Document};
use crate::record::{Json, fields, object};
use crate::words::{self, reason_text};

/// The version of the document's schema. It grows when a field changes its meaning or goes away.
pub const SCHEMA_VERSION: u32 = 1;

impl Document<'_> {
    /// As one JSON document with a final newline.
    pub fn json(&self) -> String {
        // Serialising strings and numbers into memory cannot fail.
        let text = serde_json::to_string_pretty(&whole(self)).unwrap_or_default();
        visible(&text) + "\n"
    }
}

/// Writes characters that a terminal might act on as escapes. JSON has no such character outside
/// of strings, apart from the newline, and inside its own writer escapes those below the space.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut units = [0; 2];
    for c in text.chars() {
        if c != '\n' && words::is_unprintable(c) {
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

fn whole(document: &Document) -> Json {
    let frame = &document.frame;
    let overall = document.overall();
    let undecided = frame.undecided.iter();
    let seconds = document.claims.iter().map(|c| c.run.elapsed.as_secs_f64());
    let mut fields = fields! {
        "schema": "suppose-report",
        "schema_version": SCHEMA_VERSION,
        "version": &frame.version,
        "verdict": overall.word(),
        "last_line": overall.to_string(),
        "files": frame.files.clone(),
    };
    fields.extend((document.system.record)());
    fields.extend(fields! {
        "system": system(document.system.network.unwrap_or(&Network::default())),
        "claims": Json::list(document.claims.iter().map(claim)),
        "undecided": Json::list(undecided.map(|(name, why)| object! { "name": name, "reason": why })),
        "warnings": frame.warnings.clone(),
        "seed": frame.seed,
        "limits": object! {
            "time_seconds": frame.limits.0.map(|d| d.as_secs_f64()),
            "memory_bytes": frame.limits.1,
        },
        "timing": object! {
            "elapsed_seconds": frame.elapsed.as_secs_f64(),
            "claims_seconds": Json::list(seconds),
            "peak_memory_bytes": frame.peak_memory,
        },
    });
    Json::Object(fields)
}

fn system(network: &Network) -> Json {
    let components = network.components.iter().map(|c| {
        object! {
            "name": c.lts.name(),
            "kind": match c.kind {
                ComponentKind::Process => "process",
                ComponentKind::Environment => "environment",
            },
            "states": c.lts.states(),
            "transitions": c.lts.transitions(),
        }
    });
    let properties = network.properties.iter().map(|p| {
        object! {
            "name": p.name(),
            "states": p.lts.states(),
            "transitions": p.lts.transitions(),
        }
    });
    object! {
        "name": &network.name,
        "labels": network.labels.iter().count(),
        "components": Json::list(components),
        "properties": Json::list(properties),
    }
}

fn claim(claim: &Claim) -> Json {
    let run = claim.run;
    let rounds = run.rounds.iter().map(|r| {
        object! {
            "number": r.number,
            "assumption_states": r.assumption_states,
            "alphabet": r.alphabet,
            "states": r.states,
            "refined": &r.refined,
        }
    });
    let reason = claim.reason.as_ref();
    let (status, why) = match &claim.evidence.status {
        EvidenceStatus::Accepted => ("accepted", None),
        EvidenceStatus::NotChecked(why) => ("not checked", Some(why)),
        EvidenceStatus::Rejected(why) => ("rejected", Some(why)),
    };
    let record = (claim.record)();
    let mut fields = fields! {
        "kind": claim.kind,
        "name": &claim.name,
        "verdict": claim.verdict.word(),
        "location": claim.location.as_ref().map(|at| object! {
            "file": &at.file,
            "line": at.line,
            "column": at.column,
        }),
        "reason": reason.map(|r| object! { "word": r.word(), "text": reason_text(r) }),
        "engine": object! { "name": &claim.engine.0, "why": &claim.engine.1 },
        "states": run.states,
        "transitions": run.transitions,
        "largest": run.largest,
        "assumption_peak": run.assumption_peak,
        "queries": run.queries,
        "groups": run.groups.clone(),
        "rounds": Json::list(rounds),
        "evidence": object! { "status": status, "reason": why, "file": claim.evidence.file.clone() },
        "assumptions": record.assumptions,
        "premises": record.premises,
        "counterexample": record.counterexample,
    };
    fields.extend(record.more);
    Json::Object(fields)
}
