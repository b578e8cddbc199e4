//! Reading evidence.

use std::fmt;
use std::io::Read;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use suppose_model::chc::theory::Structures;
use suppose_model::chc::{
    Assignment, Definitions, Derivation, Horn, Inference, Proof, ProofStep, Sort, Value, Var,
};
use suppose_number::Rat;

use super::number::Fraction;
use super::structures::StructureText;
use super::table::{Rows, Table};
use super::{Evidence, FORMATS, VERSION};
use crate::file::frame::{at_most, read_same_models, read_version, read_whole};
use crate::file::object::{Fields, List, ReadList, ReadObject};
use crate::file::{Malformed, Model, ReadLimits};

/// Reads evidence about the system that was read from those models. Their hashes must be the ones
/// in the file; their names may differ. [`ReadLimits::vectors`] bounds the rows and steps of the file.
pub fn read(
    input: impl Read,
    horn: &Horn,
    models: &[Model],
    limits: &ReadLimits,
) -> Result<Evidence, Malformed> {
    read_about(input, horn, false, models, limits)
}

/// The same about clauses that may have names: then a derivation says what these represent.
pub fn read_about(
    input: impl Read,
    horn: &Horn,
    structured: bool,
    models: &[Model],
    limits: &ReadLimits,
) -> Result<Evidence, Malformed> {
    let root = Root {
        horn,
        structured,
        models,
        limits,
    };
    read_whole(input, root, limits)
}

struct Root<'a> {
    horn: &'a Horn,
    structured: bool,
    models: &'a [Model],
    limits: &'a ReadLimits,
}

impl<'de> ReadObject<'de> for Root<'_> {
    type Value = Evidence;
    const WHAT: &'static str = "evidence";

    fn read<A: MapAccess<'de>>(self, fields: &mut Fields<A>) -> Result<Evidence, A::Error> {
        let is_counterexample = FORMATS.read(fields)?;
        read_version(fields, VERSION)?;
        read_same_models(fields, self.models)?;
        let names: Vec<String> = fields.next("predicates")?;
        let clauses: usize = fields.next("clauses")?;
        let variables: usize = fields.next("variables")?;
        let same = names
            .iter()
            .eq(self.horn.predicates.iter().map(|p| &p.name))
            && clauses == self.horn.clauses.len()
            && variables == self.horn.terms.var_count();
        if !same {
            let why = "the system has other predicates, clauses or variables";
            return Err(A::Error::custom(why));
        }
        match is_counterexample {
            true => self.derivation(fields),
            false => self.definitions(fields),
        }
    }
}

impl Root<'_> {
    fn definitions<'de, A: MapAccess<'de>>(
        &self,
        fields: &mut Fields<A>,
    ) -> Result<Evidence, A::Error> {
        let mut table = Table::new(self.horn.terms.clone(), self.limits.vectors);
        fields.next_seed("terms", List(Rows(&mut table)))?;
        let numbers: Vec<i64> = fields.next("definitions")?;
        let definitions: Result<Vec<_>, String> =
            numbers.into_iter().map(|n| table.formula(n)).collect();
        let definitions = definitions.map_err(A::Error::custom)?;
        let proofs = fields.next_seed("proofs", List(Proofs(&mut table)))?;
        Ok(Evidence::Definitions(Box::new(Definitions {
            terms: table.terms,
            definitions,
            proofs,
            about: None,
        })))
    }

    fn derivation<'de, A: MapAccess<'de>>(
        &self,
        fields: &mut Fields<A>,
    ) -> Result<Evidence, A::Error> {
        let steps = List(Steps {
            horn: self.horn,
            left: self.limits.vectors,
        });
        let steps = fields.next_seed("steps", steps)?;
        let structures = match self.structured {
            true => {
                let all: Vec<StructureText> = fields.next("structures")?;
                at_most(self.limits.vectors, all.len())?;
                let all = all.into_iter().map(Into::into).collect();
                Some(Structures { all })
            }
            false => None,
        };
        Ok(Evidence::Derivation(Derivation { steps }, structures))
    }
}

struct Proofs<'a>(&'a mut Table);

impl<'de> ReadList<'de> for Proofs<'_> {
    type Value = Vec<Proof>;
    const WHAT: &'static str = "a list of proofs";

    fn read<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut proofs = Vec::new();
        while let Some(steps) = items.next_element_seed(List(ProofSteps(self.0)))? {
            proofs.push(Proof { steps });
        }
        Ok(proofs)
    }
}

struct ProofSteps<'a>(&'a mut Table);

impl<'de> ReadList<'de> for ProofSteps<'_> {
    type Value = Vec<ProofStep>;
    const WHAT: &'static str = "a proof";

    fn read<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut steps = Vec::new();
        while let Some(step) = items.next_element_seed(List(OneStep(self.0)))? {
            self.0.spend().map_err(A::Error::custom)?;
            steps.push(step);
        }
        Ok(steps)
    }
}

struct OneStep<'a>(&'a mut Table);

impl<'de> ReadList<'de> for OneStep<'_> {
    type Value = ProofStep;
    const WHAT: &'static str = "a step of a proof";

    fn read<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let short = || A::Error::custom("the step is too short");
        let kind: String = items.next_element()?.ok_or_else(short)?;
        let mut clause = Vec::new();
        if kind == "p" {
            while let Some(number) = items.next_element()? {
                clause.push(self.0.literal(number).map_err(A::Error::custom)?);
            }
            return Ok(ProofStep::Propagation { clause });
        }
        let numbers: Vec<i64> = items.next_element()?.ok_or_else(short)?;
        for number in numbers {
            clause.push(self.0.literal(number).map_err(A::Error::custom)?);
        }
        let factors: Vec<Fraction> = items.next_element()?.ok_or_else(short)?;
        let factors: Vec<Rat> = factors.into_iter().map(|Fraction(f)| f).collect();
        if items.next_element::<serde::de::IgnoredAny>()?.is_some() {
            return Err(A::Error::custom("the step is too long"));
        }
        match kind.as_str() {
            "f" => Ok(ProofStep::Farkas { clause, factors }),
            "c" => Ok(ProofStep::Cut { clause, factors }),
            _ => Err(A::Error::custom(format!("`{kind}` is no kind of step"))),
        }
    }
}

struct Steps<'a> {
    horn: &'a Horn,
    left: u64,
}

impl<'de> ReadList<'de> for Steps<'_> {
    type Value = Vec<Inference>;
    const WHAT: &'static str = "a list of steps";

    fn read<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut steps = Vec::new();
        let mut left = self.left;
        while let Some(StepText {
            clause,
            values,
            premises,
        }) = items.next_element()?
        {
            let rest = left.checked_sub(1 + values.len() as u64);
            left = rest.ok_or_else(|| A::Error::custom("the file is too large"))?;
            let values = assignment(self.horn, values).map_err(A::Error::custom)?;
            steps.push(Inference {
                clause,
                values,
                premises,
            });
        }
        Ok(steps)
    }
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct StepText {
    clause: usize,
    values: Vec<(u32, ValueText)>,
    premises: Vec<usize>,
}

/// The values of a step; each variable has one at most, of its sort.
fn assignment(horn: &Horn, mut values: Vec<(u32, ValueText)>) -> Result<Assignment, String> {
    let mut all = Assignment::default();
    // In order, so that many take no longer than their number.
    values.sort_by_key(|(number, _)| *number);
    for (number, ValueText(value)) in values {
        let var = Var(number);
        let fits = match (&value, number as usize) {
            (_, n) if n >= horn.terms.var_count() => false,
            (Value::Bool(_), _) => horn.terms.sort(var) == Sort::Bool,
            (Value::Num(n), _) => match horn.terms.sort(var) {
                Sort::Bool => false,
                Sort::Int => n.is_integer(),
                Sort::Real => true,
            },
        };
        if !fits || all.get(var).is_some() {
            return Err(format!("variable {number} cannot have this value"));
        }
        all.set(var, value);
    }
    Ok(all)
}

/// A truth or a number.
pub(super) struct ValueText(pub(super) Value);

impl<'de> Deserialize<'de> for ValueText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<ValueText, D::Error> {
        from.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl Visitor<'_> for AnyValue {
    type Value = ValueText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true, false, a number, or one as a string")
    }

    fn visit_bool<E>(self, truth: bool) -> Result<ValueText, E> {
        Ok(ValueText(Value::Bool(truth)))
    }

    fn visit_i64<E>(self, n: i64) -> Result<ValueText, E> {
        Ok(ValueText(Value::Num(Rat::from(n))))
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<ValueText, E> {
        Ok(ValueText(Value::Num(Rat::from(suppose_number::Int::from(
            n,
        )))))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ValueText, E> {
        let Fraction(number) = Fraction::deserialize(serde::de::value::StrDeserializer::new(text))?;
        Ok(ValueText(Value::Num(number)))
    }
}
