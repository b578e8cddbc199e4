//! Evidence about properties as files.

use std::io::{self, Read, Write};

use serde::de::{Error, MapAccess};
use serde::{Deserialize, Serialize};
use suppose_model::lts::State;
use suppose_model::mdp::{
    Amount, Bound, Inductive, Lpts, Numbers, PropertyCertificate, PropertyCounterexample,
    RewardBound, System, ValueEvidence,
};

use super::read::{Assumptions, Nodes, tree};
use super::text::{AssumptionText, Part};
use super::write::write_nodes;
use crate::chc::file::number::Fraction;
use crate::file::frame::{
    Format, Formats, Head, read_evidence, read_models, read_start, read_version, spend, write_end,
    write_start,
};
use crate::file::object::{Fields, List, ReadObject};
use crate::file::write::{field, json, unknown, write_list};
use crate::file::{Malformed, Model, ReadLimits};

/// One word for all evidence; `kind` says which it is. Version 2 since numbers have a form of their own.
const FORMATS: Formats = Formats {
    certificate: "suppose markov property",
    counterexample: "",
    neither: "this is no evidence about a property of a probabilistic system",
    version: 2,
};

/// The evidence in a file.
#[derive(Clone, Debug)]
pub enum PropertyEvidence {
    /// That a property holds.
    Holds(Box<PropertyCertificate>),
    /// That it is violated.
    Violated(Box<PropertyCounterexample>),
    /// That a probability lies between two numbers.
    Value(Box<ValueEvidence>),
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Holds,
    ViolatedByTree,
    ViolatedByBounds,
    Value,
}

/// Numbers for all states: fractions, or multiples of a power of one half.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum NumbersText {
    Exact(Vec<Fraction>),
    Units(u32, Vec<u64>),
}

impl NumbersText {
    fn of(numbers: &Numbers) -> Self {
        match numbers {
            Numbers::Exact(all) => {
                NumbersText::Exact(all.iter().map(|v| Fraction(v.clone())).collect())
            }
            Numbers::Units { bits, values } => NumbersText::Units(*bits, values.clone()),
        }
    }

    fn len(&self) -> usize {
        match self {
            NumbersText::Exact(all) => all.len(),
            NumbersText::Units(_, all) => all.len(),
        }
    }
}

impl From<NumbersText> for Numbers {
    fn from(text: NumbersText) -> Self {
        match text {
            NumbersText::Exact(all) => Numbers::Exact(all.into_iter().map(|v| v.0).collect()),
            NumbersText::Units(bits, values) => Numbers::Units { bits, values },
        }
    }
}

/// Why a probability or a reward is bounded.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum BoundText {
    /// Steps, and binary digits if they are rounded.
    Steps(u64, Option<u32>),
    Inductive {
        values: NumbersText,
        ranks: Vec<u32>,
        scheduler: Vec<u32>,
    },
    Later {
        steps: u64,
        bits: Option<u32>,
        then: Box<BoundText>,
    },
    Reward {
        values: NumbersText,
        infinite: Vec<State>,
        ranks: Vec<u32>,
        scheduler: Vec<u32>,
    },
}

impl BoundText {
    /// About how many numbers it has.
    fn size(&self) -> usize {
        match self {
            BoundText::Steps(..) => 1,
            BoundText::Later { then, .. } => 1 + then.size(),
            BoundText::Inductive {
                values,
                ranks,
                scheduler,
            } => 1 + values.len() + ranks.len() + scheduler.len(),
            BoundText::Reward {
                values,
                infinite,
                ranks,
                scheduler,
            } => 1 + values.len() + infinite.len() + ranks.len() + scheduler.len(),
        }
    }
}

fn bound_text(bound: &Bound) -> BoundText {
    match bound {
        Bound::Steps { steps, bits } => BoundText::Steps(*steps, *bits),
        Bound::Inductive(it) => BoundText::Inductive {
            values: NumbersText::of(&it.values),
            ranks: it.ranks.clone(),
            scheduler: it.scheduler.clone(),
        },
        Bound::Later { steps, bits, then } => BoundText::Later {
            steps: *steps,
            bits: *bits,
            then: Box::new(bound_text(then)),
        },
        Bound::Reward(it) => BoundText::Reward {
            values: NumbersText::of(&it.values),
            infinite: it.infinite.clone(),
            ranks: it.ranks.clone(),
            scheduler: it.scheduler.clone(),
        },
    }
}

fn bound(text: BoundText) -> Bound {
    match text {
        BoundText::Steps(steps, bits) => Bound::Steps { steps, bits },
        BoundText::Inductive {
            values,
            ranks,
            scheduler,
        } => Bound::Inductive(Inductive {
            values: values.into(),
            ranks,
            scheduler,
        }),
        BoundText::Later { steps, bits, then } => Bound::Later {
            steps,
            bits,
            then: Box::new(bound(*then)),
        },
        BoundText::Reward {
            values,
            infinite,
            ranks,
            scheduler,
        } => Bound::Reward(RewardBound {
            values: values.into(),
            infinite,
            ranks,
            scheduler,
        }),
    }
}

/// A number, or nothing for an infinite amount.
fn amount_text(amount: &Amount) -> Option<Fraction> {
    amount.finite().map(|number| Fraction(number.clone()))
}

fn amount(text: Option<Fraction>) -> Amount {
    text.map_or(Amount::Infinite, |number| Amount::Finite(number.0))
}

/// Writes evidence about a property of the system that was read from those models. `property` is its name or its text.
/// Fails on evidence that mentions what the system does not have.
pub fn write_property(
    out: impl Write,
    system: &System,
    models: &[Model],
    property: &str,
    evidence: &PropertyEvidence,
) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    let (format, version) = (FORMATS.certificate, FORMATS.version);
    write_start(&mut out, format, version, Some(&system.name), models)?;
    field(&mut out, "components", &Part::all(system))?;
    field(&mut out, "property", property)?;
    match evidence {
        PropertyEvidence::Holds(proof) => {
            field(&mut out, "kind", &Kind::Holds)?;
            field(&mut out, "groups", &proof.groups)?;
            write_assumptions(&mut out, &proof.assumptions, system)?;
            field(&mut out, "folds", &proof.folds)?;
            write_bounds(&mut out, "bounds", &proof.bounds)?;
        }
        PropertyEvidence::Violated(found) => match &**found {
            PropertyCounterexample::Tree(tree) => {
                field(&mut out, "kind", &Kind::ViolatedByTree)?;
                out.write_all(b"\"nodes\":")?;
                write_nodes(&mut out, system, tree)?;
            }
            PropertyCounterexample::Bounds(bounds) => {
                field(&mut out, "kind", &Kind::ViolatedByBounds)?;
                write_bounds(&mut out, "bounds", bounds)?;
            }
        },
        PropertyEvidence::Value(value) => {
            field(&mut out, "kind", &Kind::Value)?;
            field(&mut out, "lower", &amount_text(&value.lower))?;
            field(&mut out, "upper", &amount_text(&value.upper))?;
            write_bounds(&mut out, "lower_bounds", &value.lower_bounds)?;
            out.write_all(b",\n")?;
            write_bounds(&mut out, "upper_bounds", &value.upper_bounds)?;
        }
    }
    write_end(&mut out)
}

fn write_assumptions(out: &mut impl Write, all: &[Lpts], system: &System) -> io::Result<()> {
    out.write_all(b"\"assumptions\":")?;
    write_list(out, all, |out, assumption| {
        let text = AssumptionText::of(assumption, &system.labels);
        json(out, &text.ok_or_else(unknown)?)
    })?;
    out.write_all(b",\n")
}

fn write_bounds(out: &mut impl Write, name: &str, bounds: &[Bound]) -> io::Result<()> {
    write!(out, "\"{name}\":")?;
    write_list(out, bounds, |out, bound| json(out, &bound_text(bound)))
}

/// The name or the text of the property that a file is about, and the names of the system's components; none if it is a file about something else.
pub fn property_name(
    input: impl Read,
    limits: &ReadLimits,
) -> Result<Option<(String, Vec<String>)>, Malformed> {
    read_start(input, Name, limits)
}

/// The name, of a file of this format.
struct Name;

impl<'de> ReadObject<'de> for Name {
    type Value = Option<(String, Vec<String>)>;
    const WHAT: &'static str = "evidence";

    fn read<A: MapAccess<'de>>(self, fields: &mut Fields<A>) -> Result<Self::Value, A::Error> {
        let format: String = fields.next("format")?;
        if format != FORMATS.certificate {
            return Ok(None);
        }
        read_version(fields, FORMATS.version)?;
        let _: String = fields.next("system")?;
        read_models(fields)?;
        let components: Vec<Part> = fields.next("components")?;
        let names = components.into_iter().map(|c| c.name).collect();
        Ok(Some((fields.next("property")?, names)))
    }
}

/// Reads evidence about a property of the system that was read from those models, like [`super::read`].
pub fn read_property(
    input: impl Read,
    system: &System,
    models: &[Model],
    limits: &ReadLimits,
) -> Result<PropertyEvidence, Malformed> {
    read_evidence::<PropertyFile>(input, system, models, limits)
}

struct PropertyFile;

impl<'s> Format<'s> for PropertyFile {
    type Subject = &'s System;
    type Evidence = PropertyEvidence;
    const FORMATS: Formats = FORMATS;

    fn read<'de, A: MapAccess<'de>>(
        system: &System,
        _: &Head,
        mut left: u64,
        fields: &mut Fields<A>,
    ) -> Result<PropertyEvidence, A::Error> {
        let components: Vec<Part> = fields.next("components")?;
        let _: String = fields.next("property")?;
        if components != Part::all(system) {
            return Err(A::Error::custom("the system has other components"));
        }
        match fields.next("kind")? {
            Kind::Holds => holds(system, left, fields),
            Kind::ViolatedByTree => {
                let nodes = fields.next_seed("nodes", List(Nodes(&mut left)))?;
                let found = tree(system, nodes).map_err(A::Error::custom)?;
                let found = PropertyCounterexample::Tree(Box::new(found));
                Ok(PropertyEvidence::Violated(Box::new(found)))
            }
            Kind::ViolatedByBounds => {
                let bounds = bounds(fields, "bounds", &mut left)?;
                let found = PropertyCounterexample::Bounds(bounds);
                Ok(PropertyEvidence::Violated(Box::new(found)))
            }
            Kind::Value => {
                let lower = amount(fields.next("lower")?);
                let upper = amount(fields.next("upper")?);
                let lower_bounds = bounds(fields, "lower_bounds", &mut left)?;
                let upper_bounds = bounds(fields, "upper_bounds", &mut left)?;
                Ok(PropertyEvidence::Value(Box::new(ValueEvidence {
                    lower,
                    lower_bounds,
                    upper,
                    upper_bounds,
                })))
            }
        }
    }
}

fn holds<'de, A: MapAccess<'de>>(
    system: &System,
    mut left: u64,
    fields: &mut Fields<A>,
) -> Result<PropertyEvidence, A::Error> {
    let groups: Vec<Vec<usize>> = fields.next("groups")?;
    let assumptions = List(Assumptions {
        system,
        left: &mut left,
    });
    let assumptions = fields.next_seed("assumptions", assumptions)?;
    let folds: Vec<Vec<State>> = fields.next("folds")?;
    let size = folds.iter().map(|f| f.len() as u64 + 1).sum();
    spend(&mut left, size)?;
    let bounds = bounds(fields, "bounds", &mut left)?;
    Ok(PropertyEvidence::Holds(Box::new(PropertyCertificate {
        groups,
        assumptions,
        folds,
        bounds,
    })))
}

fn bounds<'de, A: MapAccess<'de>>(
    fields: &mut Fields<A>,
    name: &'static str,
    left: &mut u64,
) -> Result<Vec<Bound>, A::Error> {
    let all: Vec<BoundText> = fields.next(name)?;
    for text in &all {
        let size = text.size();
        spend(left, size as u64)?;
    }
    Ok(all.into_iter().map(bound).collect())
}
