//! Reading evidence.

use std::io::{self, Read};

use serde::de::{Error, MapAccess, SeqAccess};
use suppose_model::lts::{Layout, Network, PackedStates};
use suppose_model::{Assumption, Certificate, Claim, Counterexample, Lasso, NetworkStep, Premise};

use super::frame::{Format, Formats, Head, read_evidence, spend};
use super::liveness::{ProofText, TerminalText};
use super::object::{Fields, List, Object, ReadList, ReadObject};
use super::text::{AssumptionText, Named, Promise, StepText};
use super::{Evidence, FORMATS, Malformed, Model, ReadLimits};

/// Reads evidence about the system that was read from those models. Their hashes must be the ones
/// in the file; their names may differ.
pub fn read(
    input: impl Read,
    network: &Network,
    models: &[Model],
    limits: &ReadLimits,
) -> Result<Evidence, Malformed> {
    read_evidence::<NetworkFile>(input, network, models, limits)
}

pub(crate) type Source<R> =
    serde_json::Deserializer<serde_json::de::IoRead<io::BufReader<Bounded<R>>>>;

pub(crate) fn deserializer<R: Read>(input: R, limits: &ReadLimits) -> Source<R> {
    let left = limits.bytes;
    serde_json::Deserializer::from_reader(io::BufReader::new(Bounded { input, left }))
}

/// A reader that fails, rather than ends, when too much was read.
pub(crate) struct Bounded<R> {
    input: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => return Err(io::Error::other("the file is too long")),
        }
        Ok(count)
    }
}

pub(crate) fn malformed(error: serde_json::Error) -> Malformed {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let place = format!(" at line {line} column {column}");
    let message = message.strip_suffix(&place).unwrap_or(&message).to_owned();
    Malformed {
        line,
        column,
        message,
    }
}

/// Evidence about a network.
struct NetworkFile;

impl<'s> Format<'s> for NetworkFile {
    type Subject = &'s Network;
    type Evidence = Evidence;
    const FORMATS: Formats = FORMATS;

    fn read<'de, A: MapAccess<'de>>(
        network: &Network,
        head: &Head,
        left: u64,
        fields: &mut Fields<A>,
    ) -> Result<Evidence, A::Error> {
        if head.system != network.name {
            let (theirs, ours) = (&head.system, &network.name);
            let why = format!("the evidence is about `{theirs}`, not `{ours}`");
            return Err(A::Error::custom(why));
        }
        let claim: Promise = fields.next("claim")?;
        let claim = claim.claim(network).map_err(A::Error::custom)?;
        match head.is_counterexample {
            true => counterexample(network, claim, left, fields),
            false => certificate(network, claim, left, fields),
        }
    }
}

fn certificate<'de, A: MapAccess<'de>>(
    network: &Network,
    claim: Claim,
    mut left: u64,
    fields: &mut Fields<A>,
) -> Result<Evidence, A::Error> {
    let assumptions = fields.next_seed("assumptions", List(Assumptions(network)))?;
    let premises = List(Premises {
        network,
        assumptions: &assumptions,
        budget: &mut left,
    });
    let premises = fields.next_seed("premises", premises)?;
    let liveness = match fields.next_if::<ProofText>("liveness")? {
        Some(text) => Some(Box::new(text.proof(network).map_err(A::Error::custom)?)),
        None => None,
    };
    Ok(Evidence::Certificate(Box::new(Certificate {
        claim,
        assumptions,
        premises,
        liveness,
    })))
}

fn counterexample<'de, A: MapAccess<'de>>(
    network: &Network,
    claim: Claim,
    mut left: u64,
    fields: &mut Fields<A>,
) -> Result<Evidence, A::Error> {
    let names: Vec<String> = fields.next("components")?;
    let ours = network.components.iter().map(|c| c.lts.name());
    if !ours.eq(names.iter().map(String::as_str)) {
        return Err(A::Error::custom("the system has other components"));
    }
    let steps = List(Steps {
        network,
        budget: &mut left,
    });
    let steps = fields.next_seed("steps", steps)?;
    let lasso = match fields.next_if::<usize>("cycle")? {
        Some(cycle) => {
            let terminal = match fields.next_if::<TerminalText>("terminal")? {
                Some(text) => Some(text.terminal(network).map_err(A::Error::custom)?),
                None => None,
            };
            Some(Box::new(Lasso { cycle, terminal }))
        }
        None => None,
    };
    Ok(Evidence::Counterexample(Counterexample {
        claim,
        steps,
        lasso,
    }))
}

struct Assumptions<'a>(&'a Network);

impl<'de> ReadList<'de> for Assumptions<'_> {
    type Value = Vec<Assumption>;
    const WHAT: &'static str = "a list of assumptions";

    fn read<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut assumptions = Vec::new();
        while let Some(text) = items.next_element::<AssumptionText>()? {
            let assumption = text.assumption(&self.0.labels);
            assumptions.push(assumption.map_err(A::Error::custom)?);
        }
        Ok(assumptions)
    }
}

struct Steps<'a> {
    network: &'a Network,
    budget: &'a mut u64,
}

impl<'de> ReadList<'de> for Steps<'_> {
    type Value = Vec<NetworkStep>;
    const WHAT: &'static str = "a list of steps";

    fn read<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut steps = Vec::new();
        while let Some(StepText { label, states }) = items.next_element()? {
            spend(self.budget, 1)?;
            let unknown = || A::Error::custom(format!("the system has no label `{label}`"));
            let label = self.network.labels.get(&label).ok_or_else(unknown)?;
            steps.push(NetworkStep { label, states });
        }
        Ok(steps)
    }
}

struct Premises<'a> {
    network: &'a Network,
    assumptions: &'a [Assumption],
    budget: &'a mut u64,
}

impl<'de> ReadList<'de> for Premises<'_> {
    type Value = Vec<Premise>;
    const WHAT: &'static str = "a list of premises";

    fn read<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut premises = Vec::new();
        while let Some(premise) = items.next_element_seed(Object(&mut self))? {
            premises.push(premise);
        }
        Ok(premises)
    }
}

impl<'de> ReadObject<'de> for &mut Premises<'_> {
    type Value = Premise;
    const WHAT: &'static str = "a premise";

    fn read<A: MapAccess<'de>>(self, fields: &mut Fields<A>) -> Result<Premise, A::Error> {
        let named: Vec<Named> = fields.next("components")?;
        let components = self.components(&named).map_err(A::Error::custom)?;
        let assumptions: Vec<usize> = fields.next("assumptions")?;
        if let Some(a) = assumptions.iter().find(|a| **a >= self.assumptions.len()) {
            return Err(A::Error::custom(format!("there is no assumption {a}")));
        }
        let guarantee: Promise = fields.next("guarantee")?;
        let guarantee = guarantee.guarantee(self.network, self.assumptions.len());
        let mut premise = Premise {
            components,
            assumptions,
            guarantee: guarantee.map_err(A::Error::custom)?,
            relation: PackedStates::new(Layout::new([])).into(),
        };
        let relation = List(Relation {
            sizes: self.sizes(&premise),
            budget: self.budget,
        });
        premise.relation = fields.next_seed("relation", relation)?.into();
        Ok(premise)
    }
}

impl Premises<'_> {
    fn components(&self, named: &[Named]) -> Result<Vec<usize>, String> {
        let known = |Named { number, name }: &Named| match self.network.components.get(*number) {
            Some(component) if component.lts.name() == name => Ok(*number),
            _ => Err(format!(
                "the system has no component {number} named `{name}`"
            )),
        };
        named.iter().map(known).collect()
    }

    /// How many states each slot can hold.
    fn sizes(&self, premise: &Premise) -> Vec<u32> {
        use suppose_model::Guarantee::{Assumption, DeadlockFree, Property};
        let components = premise
            .components
            .iter()
            .map(|c| &self.network.components[*c].lts);
        let assumed = premise
            .assumptions
            .iter()
            .map(|a| &self.assumptions[*a].lts);
        let last = match premise.guarantee {
            Assumption(number) => Some(&self.assumptions[number].lts),
            Property(number) => Some(&self.network.properties[number].lts),
            DeadlockFree => None,
        };
        let all = components.chain(assumed).chain(last);
        all.map(|lts| lts.states() as u32).collect()
    }
}

/// The vectors of a relation.
struct Relation<'a> {
    sizes: Vec<u32>,
    budget: &'a mut u64,
}

impl<'de> ReadList<'de> for Relation<'_> {
    type Value = PackedStates;
    const WHAT: &'static str = "a list of vectors";

    fn read<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let layout = Layout::new(self.sizes.iter().copied());
        let mut relation = PackedStates::new(layout.clone());
        let mut record = vec![0; layout.words()];
        let (sizes, layout) = (&self.sizes, &layout);
        loop {
            let record = &mut record;
            let vector = List(Vector {
                sizes,
                layout,
                record,
            });
            if items.next_element_seed(vector)?.is_none() {
                return Ok(relation);
            }
            spend(self.budget, 1)?;
            relation.push(record);
        }
    }
}

struct Vector<'a> {
    sizes: &'a [u32],
    layout: &'a Layout,
    record: &'a mut [u64],
}

impl<'de> ReadList<'de> for Vector<'_> {
    type Value = ();
    const WHAT: &'static str = "a vector of states";

    fn read<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        for (slot, size) in self.sizes.iter().enumerate() {
            match items.next_element::<u32>()? {
                Some(state) if state < *size => self.layout.set(self.record, slot, state),
                Some(state) => {
                    let why = format!("there is no state {state} for slot {slot}");
                    return Err(A::Error::custom(why));
                }
                None => return Err(A::Error::custom("the vector is too short")),
            }
        }
        match items.next_element::<u32>()? {
            Some(_) => Err(A::Error::custom("the vector is too long")),
            None => Ok(()),
        }
    }
}
