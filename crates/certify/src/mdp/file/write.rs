//! Writing evidence.

use std::io::{self, Write};

use suppose_model::lts::State;
use suppose_model::mdp::{Certificate, Counterexample, Lpts, Product, Relation, System};

use super::text::{AssumptionText, FlowText, NodeText, Part, choices_of};
use super::{FORMATS, VERSION};
use crate::chc::file::number::Fraction;
use crate::file::Model;
use crate::file::frame::{write_end, write_start};
use crate::file::write::{field, json, unknown, write_list};

/// Writes a certificate about the system that was read from those models, and about that specification. The same evidence
/// gives the same bytes. Fails on evidence that mentions what the system does not have.
pub fn write_certificate(
    out: impl Write,
    system: &System,
    specification: &Lpts,
    models: &[Model],
    certificate: &Certificate,
) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    write_header(&mut out, FORMATS.certificate, system, specification, models)?;
    field(&mut out, "groups", &certificate.groups)?;
    out.write_all(b"\"assumptions\":")?;
    write_list(&mut out, &certificate.assumptions, |out, assumption| {
        let text = AssumptionText::of(assumption, &system.labels);
        json(out, &text.ok_or_else(unknown)?)
    })?;
    out.write_all(b",\n\"premises\":")?;
    let premises = certificate.premises.iter().enumerate();
    write_list(&mut out, premises, |out, (number, relation)| {
        let group = certificate.groups.get(number).ok_or_else(unknown)?.iter();
        let parts: Option<Vec<&Lpts>> = group
            .map(|c| Some(&system.components.get(*c)?.lpts))
            .collect();
        let mut parts = parts.ok_or_else(unknown)?;
        parts.extend(certificate.assumptions.get(number));
        write_relation(out, &Product::new(&parts), relation)
    })?;
    write_end(&mut out)
}

/// Writes a counterexample, like [`write_certificate`].
pub fn write_counterexample(
    out: impl Write,
    system: &System,
    specification: &Lpts,
    models: &[Model],
    found: &Counterexample,
) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    write_header(
        &mut out,
        FORMATS.counterexample,
        system,
        specification,
        models,
    )?;
    out.write_all(b"\"nodes\":")?;
    write_nodes(&mut out, system, found)?;
    write_end(&mut out)
}

/// The nodes of a tree, one a line.
pub(super) fn write_nodes(
    out: &mut impl Write,
    system: &System,
    found: &Counterexample,
) -> io::Result<()> {
    write_list(
        out,
        found.states.iter().enumerate(),
        |out, (node, states)| {
            if node >= found.tree.states() {
                return Err(unknown());
            }
            let choices = choices_of(&found.tree, node as State, &system.labels);
            let text = NodeText {
                states: states.to_vec(),
                choices: choices.ok_or_else(unknown)?,
            };
            json(out, &text)
        },
    )
}

fn write_header(
    out: &mut impl Write,
    format: &str,
    system: &System,
    specification: &Lpts,
    models: &[Model],
) -> io::Result<()> {
    write_start(out, format, VERSION, Some(&system.name), models)?;
    field(out, "components", &Part::all(system))?;
    field(out, "specification", &Part::of(specification))
}

/// The pairs, one a line, each with its own matches and weight functions.
fn write_relation(
    out: &mut impl Write,
    product: &Product<'_>,
    relation: &Relation,
) -> io::Result<()> {
    let sizes: Vec<usize> = product.parts().iter().map(|p| p.states()).collect();
    if sizes.len() != relation.parts || relation.left.len() != relation.parts * relation.len() {
        return Err(unknown());
    }
    let mut matches = relation.matches.iter();
    let mut weights = relation.weights.iter().peekable();
    let mut place = 0u64;
    write_list(out, 0..relation.len(), |out, pair| {
        let left = relation.left(pair);
        if left
            .iter()
            .zip(&sizes)
            .any(|(s, size)| *s as usize >= *size)
        {
            return Err(unknown());
        }
        let mut count = 0usize;
        product.choices(left, |_, _| count += 1);
        let own: Vec<u32> = matches.by_ref().take(count).map(|m| m.choice).collect();
        let mut flows: Vec<(u32, Vec<FlowText>)> = Vec::new();
        while let Some((at, list)) = weights.next_if(|(at, _)| *at < place + count as u64) {
            let flow = |f: &suppose_model::mdp::Flow| (f.from, f.to, Fraction(f.amount.clone()));
            let number = at.checked_sub(place).ok_or_else(unknown)? as u32;
            flows.push((number, list.iter().map(flow).collect()));
        }
        place += count as u64;
        json(out, &(left, relation.right[pair], own, flows))
    })
}
