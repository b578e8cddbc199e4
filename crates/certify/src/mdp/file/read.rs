//! Reading evidence.

use std::io::Read;

use serde::de::{Error, MapAccess, SeqAccess};
use suppose_model::lts::State;
use suppose_model::mdp::{
    Certificate, Counterexample, Flow, Lpts, LptsBuilder, Match, Relation, System,
};

use super::text::{AssumptionText, NodeText, PairText, Part, add_choices};
use super::{Evidence, FORMATS};
use crate::file::frame::{Format, Formats, Head, read_evidence, spend};
use crate::file::object::{Fields, List, ReadList};
use crate::file::{Malformed, Model, ReadLimits};

/// Reads evidence about the system that was read from those models, and about that specification. The hashes of the
/// models must be the ones in the file; their names may differ. [`ReadLimits::vectors`] bounds pairs, matches, branches and nodes.
pub fn read(
    input: impl Read,
    system: &System,
    specification: &Lpts,
    models: &[Model],
    limits: &ReadLimits,
) -> Result<Evidence, Malformed> {
    read_evidence::<Conformance>(input, (system, specification), models, limits)
}

/// Evidence about a system and a specification.
struct Conformance;

impl<'s> Format<'s> for Conformance {
    type Subject = (&'s System, &'s Lpts);
    type Evidence = Evidence;
    const FORMATS: Formats = FORMATS;

    fn read<'de, A: MapAccess<'de>>(
        (system, specification): (&System, &Lpts),
        head: &Head,
        mut left: u64,
        fields: &mut Fields<A>,
    ) -> Result<Evidence, A::Error> {
        let components: Vec<Part> = fields.next("components")?;
        let theirs: Part = fields.next("specification")?;
        if components != Part::all(system) || theirs != Part::of(specification) {
            let why = "the system has other components or another specification";
            return Err(A::Error::custom(why));
        }
        if head.is_counterexample {
            let nodes = fields.next_seed("nodes", List(Nodes(&mut left)))?;
            let found = tree(system, nodes).map_err(A::Error::custom)?;
            return Ok(Evidence::Counterexample(Box::new(found)));
        }
        let groups: Vec<Vec<usize>> = fields.next("groups")?;
        let left = &mut left;
        let assumptions = List(Assumptions { system, left });
        let assumptions = fields.next_seed("assumptions", assumptions)?;
        let premises = List(Premises {
            groups: &groups,
            assumptions: assumptions.len(),
            left,
        });
        let premises = fields.next_seed("premises", premises)?;
        Ok(Evidence::Certificate(Box::new(Certificate {
            groups,
            assumptions,
            premises,
        })))
    }
}

pub(super) struct Assumptions<'a> {
    pub system: &'a System,
    pub left: &'a mut u64,
}

impl<'de> ReadList<'de> for Assumptions<'_> {
    type Value = Vec<Lpts>;
    const WHAT: &'static str = "a list of assumptions";

    fn read<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(text) = items.next_element::<AssumptionText>()? {
            spend(self.left, text.size())?;
            all.push(text.lpts(self.system).map_err(A::Error::custom)?);
        }
        Ok(all)
    }
}

struct Premises<'a> {
    groups: &'a [Vec<usize>],
    assumptions: usize,
    left: &'a mut u64,
}

impl<'de> ReadList<'de> for Premises<'_> {
    type Value = Vec<Relation>;
    const WHAT: &'static str = "a list of premises";

    fn read<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut all: Vec<Relation> = Vec::new();
        loop {
            let group = self.groups.get(all.len()).map_or(0, Vec::len);
            let parts = group + usize::from(all.len() < self.assumptions);
            let pairs = List(Pairs {
                parts,
                left: &mut *self.left,
            });
            match items.next_element_seed(pairs)? {
                Some(relation) => all.push(relation),
                None => return Ok(all),
            }
        }
    }
}

struct Pairs<'a> {
    parts: usize,
    left: &'a mut u64,
}

impl<'de> ReadList<'de> for Pairs<'_> {
    type Value = Relation;
    const WHAT: &'static str = "a list of pairs";

    fn read<A: SeqAccess<'de>>(self, mut items: A) -> Result<Relation, A::Error> {
        let mut relation = Relation {
            parts: self.parts,
            ..Relation::default()
        };
        while let Some((left, right, matches, weights)) = items.next_element::<PairText>()? {
            let flows: usize = weights.iter().map(|(_, f)| f.len() + 1).sum();
            spend(self.left, (1 + left.len() + matches.len() + flows) as u64)?;
            if left.len() != self.parts {
                let why = format!("a pair must have {} left states", self.parts);
                return Err(A::Error::custom(why));
            }
            relation.left.extend(left);
            relation.right.push(right);
            let place = relation.matches.len() as u64;
            let count = matches.len();
            let matches = matches.into_iter().map(|choice| Match { choice });
            relation.matches.extend(matches);
            for (number, flows) in weights {
                if number as usize >= count {
                    return Err(A::Error::custom(format!("there is no choice {number}")));
                }
                let flow = |(from, to, amount): (u32, u32, crate::chc::file::number::Fraction)| {
                    let amount = amount.0;
                    Flow { from, to, amount }
                };
                let flows = flows.into_iter().map(flow).collect();
                relation.weights.push((place + u64::from(number), flows));
            }
        }
        Ok(relation)
    }
}

pub(super) struct Nodes<'a>(pub &'a mut u64);

impl<'de> ReadList<'de> for Nodes<'_> {
    type Value = Vec<NodeText>;
    const WHAT: &'static str = "a list of nodes";

    fn read<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(node) = items.next_element::<NodeText>()? {
            let branches = node.choices.iter().map(|(_, b)| b.len() + 1).sum::<usize>();
            spend(self.0, (1 + node.states.len() + branches) as u64)?;
            all.push(node);
        }
        Ok(all)
    }
}

/// The tree of these nodes.
pub(super) fn tree(system: &System, nodes: Vec<NodeText>) -> Result<Counterexample, String> {
    if nodes.is_empty() {
        return Err("a tree has at least one node".to_owned());
    }
    let count = nodes.len();
    let mut builder = LptsBuilder::new("counterexample");
    builder.states(count);
    let mut states = Vec::with_capacity(count);
    let label = |name: &str| system.labels.get(name);
    for (number, node) in (0 as State..).zip(nodes) {
        add_choices(&mut builder, number, count, node.choices, &label)?;
        states.push(node.states.into_boxed_slice());
    }
    Ok(Counterexample {
        tree: builder.build(),
        states,
    })
}
