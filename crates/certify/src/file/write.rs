//! Writing evidence.

use std::io::{self, Write};

use serde::Serialize;
use suppose_model::lts::{Network, PackedStates};
use suppose_model::{Certificate, Claim, Counterexample, Premise};

use super::frame::{write_end, write_start};
use super::liveness::{ProofText, TerminalText};
use super::text::{AssumptionText, Named, Promise, StepText};
use super::{FORMATS, Model, VERSION};

/// Writes a certificate about the system that was read from those models. The same evidence gives
/// the same bytes. Fails on evidence that mentions what the system does not have.
pub fn write_certificate(
    out: impl Write,
    network: &Network,
    models: &[Model],
    certificate: &Certificate,
) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    write_header(
        &mut out,
        FORMATS.certificate,
        network,
        models,
        certificate.claim,
    )?;
    out.write_all(b"\"assumptions\":")?;
    write_list(&mut out, &certificate.assumptions, |out, assumption| {
        let text = AssumptionText::of(assumption, &network.labels);
        json(out, &text.ok_or_else(unknown)?)
    })?;
    out.write_all(b",\n\"premises\":")?;
    write_list(&mut out, &certificate.premises, |out, premise| {
        write_premise(out, network, premise)
    })?;
    if let Some(proof) = &certificate.liveness {
        out.write_all(b",\n\"liveness\":")?;
        json(
            &mut out,
            &ProofText::of(network, proof).ok_or_else(unknown)?,
        )?;
    }
    write_end(&mut out)
}

/// Writes a counterexample, like [`write_certificate`].
pub fn write_counterexample(
    out: impl Write,
    network: &Network,
    models: &[Model],
    counterexample: &Counterexample,
) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    let claim = counterexample.claim;
    write_header(&mut out, FORMATS.counterexample, network, models, claim)?;
    let names: Vec<&str> = network.components.iter().map(|c| c.lts.name()).collect();
    field(&mut out, "components", &names)?;
    out.write_all(b"\"steps\":")?;
    write_list(&mut out, &counterexample.steps, |out, step| {
        if step.label.index() >= network.labels.len() {
            return Err(unknown());
        }
        let label = network.labels.name(step.label).to_owned();
        let states = step.states.clone();
        json(out, &StepText { label, states })
    })?;
    if let Some(lasso) = &counterexample.lasso {
        write!(out, ",\n\"cycle\":{}", lasso.cycle)?;
        if let Some(terminal) = &lasso.terminal {
            out.write_all(b",\n\"terminal\":")?;
            json(
                &mut out,
                &TerminalText::of(network, terminal).ok_or_else(unknown)?,
            )?;
        }
    }
    write_end(&mut out)
}

fn write_header(
    out: &mut impl Write,
    format: &str,
    network: &Network,
    models: &[Model],
    claim: Claim,
) -> io::Result<()> {
    write_start(out, format, VERSION, Some(&network.name), models)?;
    let claim = Promise::of_claim(claim, network).ok_or_else(unknown)?;
    field(out, "claim", &claim)
}

fn write_premise(out: &mut impl Write, network: &Network, premise: &Premise) -> io::Result<()> {
    let named = |number: &usize| {
        let name = network.components.get(*number)?.lts.name().to_owned();
        Some(Named {
            number: *number,
            name,
        })
    };
    let components: Option<Vec<Named>> = premise.components.iter().map(named).collect();
    out.write_all(b"{")?;
    field(out, "components", &components.ok_or_else(unknown)?)?;
    field(out, "assumptions", &premise.assumptions)?;
    let guarantee = Promise::of_guarantee(premise.guarantee, network);
    field(out, "guarantee", &guarantee.ok_or_else(unknown)?)?;
    out.write_all(b"\"relation\":")?;
    write_relation(out, &premise.relation.vectors())?;
    out.write_all(b"}")
}

fn write_relation(out: &mut impl Write, relation: &PackedStates) -> io::Result<()> {
    let layout = relation.layout();
    let mut line = Vec::new();
    write_list(out, relation.iter(), |out, record| {
        line.clear();
        line.push(b'[');
        for slot in 0..layout.slots() {
            if slot > 0 {
                line.push(b',');
            }
            push_number(&mut line, layout.get(record, slot));
        }
        line.push(b']');
        out.write_all(&line)
    })
}

/// Appends a number in decimal; the general formatting is several times slower.
fn push_number(line: &mut Vec<u8>, number: u32) {
    let at = line.len();
    let mut rest = number;
    loop {
        line.push(b'0' + (rest % 10) as u8);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    line[at..].reverse();
}

/// A list with one item a line.
pub(crate) fn write_list<T, W: Write>(
    out: &mut W,
    items: impl IntoIterator<Item = T>,
    mut item: impl FnMut(&mut W, T) -> io::Result<()>,
) -> io::Result<()> {
    let mut before: &[u8] = b"[\n";
    let mut after: &[u8] = b"[]";
    for it in items {
        out.write_all(before)?;
        item(out, it)?;
        (before, after) = (b",\n", b"\n]");
    }
    out.write_all(after)
}

pub(crate) fn field(
    out: &mut impl Write,
    name: &str,
    value: &(impl Serialize + ?Sized),
) -> io::Result<()> {
    write!(out, "\"{name}\":")?;
    json(out, value)?;
    out.write_all(b",\n")
}

pub(crate) fn json(out: &mut impl Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    serde_json::to_writer(out, value).map_err(io::Error::from)
}

pub(crate) fn unknown() -> io::Error {
    let why = "the evidence speaks of something that the system does not have";
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal() {
        for number in [0, 9, 10, 99, 100, 12_345, u32::MAX] {
            let mut line = b"x".to_vec();
            push_number(&mut line, number);
            assert_eq!(line, format!("x{number}").as_bytes());
        }
    }
}
