//! Writing evidence.

use std::io::{self, Write};

use serde::ser::{Serialize, SerializeSeq, Serializer};
use suppose_model::chc::theory::Structures;
use suppose_model::chc::{
    Definitions, Derivation, Horn, Inference, Lit, Node, Proof, ProofStep, Sort, TermId, Value,
};

use super::number::Fraction;
use super::structures::StructureText;
use super::table::Numbers;
use super::{FORMATS, VERSION};
use crate::file::Model;
use crate::file::frame::{write_end, write_start};
use crate::file::write::{field, json, unknown, write_list};

/// Writes definitions with their proofs for the system that was read from those models. The same evidence gives
/// the same bytes. Fails on evidence that mentions what it does not have.
pub fn write_certificate(
    out: impl Write,
    horn: &Horn,
    models: &[Model],
    evidence: &Definitions,
) -> io::Result<()> {
    let roots = roots(horn, evidence).ok_or_else(unknown)?;
    let own = horn.terms.var_count();
    let numbers = Numbers::new(&evidence.terms, own, &roots);
    let mut out = io::BufWriter::new(out);
    write_header(&mut out, FORMATS.certificate, horn, models)?;
    out.write_all(b"\"terms\":")?;
    write_list(&mut out, numbers.rows(), |out, row| json(out, &row))?;
    let definitions: Vec<i64> = evidence
        .definitions
        .iter()
        .map(|&d| numbers.formula(d))
        .collect();
    out.write_all(b",\n")?;
    field(&mut out, "definitions", &definitions)?;
    out.write_all(b"\"proofs\":")?;
    write_list(&mut out, &evidence.proofs, |out, proof| {
        write_proof(out, &numbers, proof)
    })?;
    write_end(&mut out)
}

/// Writes a derivation, like [`write_certificate`].
pub fn write_counterexample(
    out: impl Write,
    horn: &Horn,
    models: &[Model],
    derivation: &Derivation,
    structures: Option<&Structures>,
) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    write_header(&mut out, FORMATS.counterexample, horn, models)?;
    out.write_all(b"\"steps\":")?;
    write_list(&mut out, &derivation.steps, |out, step| {
        write_step(out, horn, step, structures.is_some())
    })?;
    if let Some(structures) = structures {
        out.write_all(b",\n\"structures\":")?;
        write_list(&mut out, &structures.all, |out, structure| {
            json(out, &StructureText::from(structure))
        })?;
    }
    write_end(&mut out)
}

fn write_header(
    out: &mut impl Write,
    format: &str,
    horn: &Horn,
    models: &[Model],
) -> io::Result<()> {
    let names: Vec<&str> = horn.predicates.iter().map(|p| p.name.as_str()).collect();
    write_start(out, format, VERSION, None, models)?;
    field(out, "predicates", &names)?;
    field(out, "clauses", &horn.clauses.len())?;
    field(out, "variables", &horn.terms.var_count())
}

/// The formulas that the evidence mentions, if they are all there.
fn roots(horn: &Horn, evidence: &Definitions) -> Option<Vec<TermId>> {
    let mut roots = evidence.definitions.clone();
    for step in evidence.proofs.iter().flat_map(|proof| &proof.steps) {
        let (ProofStep::Propagation { clause }
        | ProofStep::Farkas { clause, .. }
        | ProofStep::Cut { clause, .. }) = step;
        roots.extend(clause.iter().map(|lit| lit.atom));
    }
    let terms = &evidence.terms;
    let known = |t: &TermId| t.index() < terms.len();
    let atom = |t: &TermId| !matches!(terms.node(*t), Node::Not(_));
    let complete = roots.iter().all(known)
        && roots[evidence.definitions.len()..].iter().all(atom)
        && terms.var_count() >= horn.terms.var_count();
    complete.then_some(roots)
}

fn write_proof(out: &mut impl Write, numbers: &Numbers, proof: &Proof) -> io::Result<()> {
    write_list(out, &proof.steps, |out, step| {
        json(out, &StepText { step, numbers })
    })
}

/// `["p", literals...]`, or `["f" or "c", [literals], [factors]]`.
struct StepText<'a> {
    step: &'a ProofStep,
    numbers: &'a Numbers<'a>,
}

impl Serialize for StepText<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let literals = |clause: &[Lit]| -> Vec<i64> {
            clause.iter().map(|&l| self.numbers.literal(l)).collect()
        };
        let mut list = to.serialize_seq(None)?;
        let (kind, clause, factors) = match self.step {
            ProofStep::Propagation { clause } => {
                list.serialize_element("p")?;
                for literal in literals(clause) {
                    list.serialize_element(&literal)?;
                }
                return list.end();
            }
            ProofStep::Farkas { clause, factors } => ("f", clause, factors),
            ProofStep::Cut { clause, factors } => ("c", clause, factors),
        };
        let factors: Vec<Fraction> = factors.iter().map(|f| Fraction(f.clone())).collect();
        list.serialize_element(kind)?;
        list.serialize_element(&literals(clause))?;
        list.serialize_element(&factors)?;
        list.end()
    }
}

/// `all`: also the values of variables that only occur in facts.
fn write_step(out: &mut impl Write, horn: &Horn, step: &Inference, all: bool) -> io::Result<()> {
    let clause = horn.clauses.get(step.clause).ok_or_else(unknown)?;
    write!(out, "{{\"clause\":{},\"values\":[", step.clause)?;
    let mut before = "";
    let variables = match all {
        true => step.values.iter().map(|(var, _)| var).collect(),
        false => horn.variables(clause),
    };
    for var in variables {
        if var.index() >= horn.terms.var_count() {
            return Err(unknown());
        }
        let Some(value) = step.values.get(var) else {
            continue;
        };
        write!(out, "{before}[{},", var.0)?;
        match (value, horn.terms.sort(var)) {
            (Value::Bool(truth), Sort::Bool) => json(out, truth)?,
            (Value::Num(number), Sort::Int | Sort::Real) => json(out, &Fraction(number.clone()))?,
            _ => return Err(unknown()),
        }
        out.write_all(b"]")?;
        before = ",";
    }
    out.write_all(b"],\"premises\":")?;
    json(out, &step.premises)?;
    out.write_all(b"}")
}
