//! Evidence about networks: judged again, and written.

use std::io;

use serde_json::json;
use suppose_certify::file::sections::Section;
use suppose_certify::file::{self, Evidence, Malformed, Model, ReadLimits};
use suppose_certify::{Rejection, Summary};
use suppose_control::Context;
use suppose_model::Verdict;
use suppose_model::lts::Network;
use suppose_report::{grouped, shown};

use super::engines::claim_name;
use super::read::System;
use crate::certify::{EvidenceTask, Judged};
use crate::evidence_file::Documents;
use crate::failure::Failure;

/// Judges evidence about a network, or about a program that was decomposed into one.
pub(crate) fn certify(system: &System, task: &EvidenceTask) -> Result<Vec<Judged>, Failure> {
    let network = &system.loaded.network;
    task.each_checked(
        |input| file::read(input, network, &system.models, &ReadLimits::default()),
        |evidence, cx| judge(network, evidence, cx),
        |evidence, summary| accepted(network, evidence, summary),
    )
}

/// Reads a document of evidence about a system.
pub(crate) fn read(
    documents: &Documents,
    section: &Section,
    network: &Network,
    models: &[Model],
) -> Result<Result<Evidence, Malformed>, Failure> {
    let file = documents.open(section)?;
    Ok(file::read(file, network, models, &ReadLimits::default()))
}

fn judge(network: &Network, evidence: &Evidence, cx: &Context) -> Result<Summary, Rejection> {
    match evidence {
        Evidence::Certificate(proof) => suppose_certify::certificate(network, proof, cx),
        Evidence::Counterexample(found) => {
            let checked = suppose_certify::counterexample_within(network, found, cx);
            checked.map(|()| Summary::default())
        }
    }
}

fn accepted(network: &Network, evidence: &Evidence, summary: &Summary) -> Judged {
    match evidence {
        Evidence::Certificate(proof) => {
            let name = claim_name(network, proof.claim);
            let line = format!(
                "certificate for {}: accepted ({} premises, {} assumptions, {} vectors, {} steps)",
                shown(&name),
                summary.premises,
                summary.assumptions,
                grouped(summary.vectors),
                grouped(summary.steps)
            );
            let sizes = json!({
                "premises": summary.premises,
                "assumptions": summary.assumptions,
                "vectors": summary.vectors,
                "steps": summary.steps,
            });
            Judged::holds(name, line, sizes)
        }
        Evidence::Counterexample(found) => {
            let name = claim_name(network, found.claim);
            let steps = found.steps.len();
            let line = format!(
                "counterexample for {}: accepted ({steps} steps)",
                shown(&name)
            );
            Judged::violated(name, line, json!({ "steps": steps }))
        }
    }
}

/// Writes the evidence of a verdict, which has some.
pub(crate) fn write(
    out: impl io::Write,
    network: &Network,
    models: &[Model],
    verdict: &Verdict,
) -> io::Result<()> {
    match verdict {
        Verdict::Unknown(_) => Ok(()),
        Verdict::Holds(proof) => file::write_certificate(out, network, models, proof),
        Verdict::Violated(found) => file::write_counterexample(out, network, models, found),
    }
}
