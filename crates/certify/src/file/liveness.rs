//! Evidence about liveness, as it is written.

use serde::{Deserialize, Serialize};
use suppose_model::lts::{Label, Layout, Network, PackedStates};
use suppose_model::{LivenessProof, Passage, RecurrentSet, Residual, TerminalSet, Visit};

/// The largest number in a slot: wider ones are not needed, and would take room.
const MOST: u32 = 1 << 30;

#[derive(Serialize, Deserialize)]
pub(super) enum ProofText {
    #[serde(rename = "fair")]
    Fair(FairText),
    #[serde(rename = "all")]
    All(AllText),
    #[serde(rename = "parts")]
    Parts(PartsText),
    #[serde(rename = "bounded")]
    Bounded(BoundedText),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PartsText {
    components: Vec<usize>,
    assumptions: Vec<usize>,
    rest: Box<ProofText>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoundedText {
    counter: usize,
    premises: usize,
    bound: u32,
    rounds: Vec<String>,
    counting: Box<ProofText>,
    recurrence: Box<ProofText>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FairText {
    residuals: Vec<Residual>,
    vectors: Vec<Vec<u32>>,
    sets: Vec<SetText>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AllText {
    owed: Vec<Vec<u32>>,
    vectors: Vec<Vec<u32>>,
    classes: Vec<Option<u32>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TerminalText {
    residuals: Vec<Residual>,
    vectors: Vec<Vec<u32>>,
    set: SetText,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SetText {
    home: u32,
    again: Vec<u32>,
    forever: Vec<u32>,
    walk: Vec<(Option<String>, u32)>,
    passages: Vec<PassageText>,
    pairs: Vec<(u32, u32)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PassageText {
    formula: Option<u32>,
    from: u32,
    to: u32,
}

impl ProofText {
    /// The proof as text; none if it mentions a label that the system does not know.
    pub fn of(network: &Network, proof: &LivenessProof) -> Option<Self> {
        Some(match proof {
            LivenessProof::Fair {
                residuals,
                vectors,
                sets,
            } => ProofText::Fair(FairText {
                residuals: residuals.clone(),
                vectors: unpacked(vectors),
                sets: sets
                    .iter()
                    .map(|s| SetText::of(network, s))
                    .collect::<Option<_>>()?,
            }),
            LivenessProof::All {
                owed,
                vectors,
                classes,
            } => ProofText::All(AllText {
                owed: owed.clone(),
                vectors: unpacked(vectors),
                classes: classes.clone(),
            }),
            LivenessProof::Parts {
                components,
                assumptions,
                rest,
            } => ProofText::Parts(PartsText {
                components: components.clone(),
                assumptions: assumptions.clone(),
                rest: Box::new(ProofText::of(network, rest)?),
            }),
            LivenessProof::Bounded {
                counter,
                premises,
                bound,
                rounds,
                counting,
                recurrence,
            } => ProofText::Bounded(BoundedText {
                counter: *counter,
                premises: *premises,
                bound: *bound,
                rounds: rounds
                    .iter()
                    .map(|l| name(network, *l))
                    .collect::<Option<_>>()?,
                counting: Box::new(ProofText::of(network, counting)?),
                recurrence: Box::new(ProofText::of(network, recurrence)?),
            }),
        })
    }

    pub fn proof(self, network: &Network) -> Result<LivenessProof, String> {
        Ok(match self {
            ProofText::Fair(text) => LivenessProof::Fair {
                residuals: text.residuals,
                vectors: packed(&text.vectors)?,
                sets: text
                    .sets
                    .into_iter()
                    .map(|s| s.set(network))
                    .collect::<Result<_, _>>()?,
            },
            ProofText::All(text) => LivenessProof::All {
                owed: text.owed,
                vectors: packed(&text.vectors)?,
                classes: text.classes,
            },
            ProofText::Parts(text) => LivenessProof::Parts {
                components: text.components,
                assumptions: text.assumptions,
                rest: Box::new(text.rest.proof(network)?),
            },
            ProofText::Bounded(text) => LivenessProof::Bounded {
                counter: text.counter,
                premises: text.premises,
                bound: text.bound,
                rounds: text
                    .rounds
                    .iter()
                    .map(|name| label(network, name))
                    .collect::<Result<_, _>>()?,
                counting: Box::new(text.counting.proof(network)?),
                recurrence: Box::new(text.recurrence.proof(network)?),
            },
        })
    }
}

impl TerminalText {
    /// The set as text; none if it mentions a label that the system does not know.
    pub fn of(network: &Network, terminal: &TerminalSet) -> Option<Self> {
        Some(TerminalText {
            residuals: terminal.residuals.clone(),
            vectors: unpacked(&terminal.vectors),
            set: SetText::of(network, &terminal.set)?,
        })
    }

    pub fn terminal(self, network: &Network) -> Result<TerminalSet, String> {
        Ok(TerminalSet {
            residuals: self.residuals,
            vectors: packed(&self.vectors)?,
            set: self.set.set(network)?,
        })
    }
}

impl SetText {
    fn of(network: &Network, set: &RecurrentSet) -> Option<Self> {
        let visit = |visit: &Visit| match visit.label {
            Some(label) => Some((Some(name(network, label)?), visit.vector)),
            None => Some((None, visit.vector)),
        };
        let passage = |p: &Passage| PassageText {
            formula: p.node,
            from: p.from,
            to: p.to,
        };
        Some(SetText {
            home: set.home,
            again: set.again.clone(),
            forever: set.forever.clone(),
            walk: set.walk.iter().map(visit).collect::<Option<_>>()?,
            passages: set.passages.iter().map(passage).collect(),
            pairs: set.pairs.clone(),
        })
    }

    fn set(self, network: &Network) -> Result<RecurrentSet, String> {
        let visit = |(name, vector): (Option<String>, u32)| {
            let label = match name {
                Some(name) => Some(label(network, &name)?),
                None => None,
            };
            Ok::<Visit, String>(Visit { label, vector })
        };
        let passage = |p: PassageText| Passage {
            node: p.formula,
            from: p.from,
            to: p.to,
        };
        Ok(RecurrentSet {
            home: self.home,
            again: self.again,
            forever: self.forever,
            walk: self.walk.into_iter().map(visit).collect::<Result<_, _>>()?,
            passages: self.passages.into_iter().map(passage).collect(),
            pairs: self.pairs,
        })
    }
}

fn name(network: &Network, label: Label) -> Option<String> {
    let known = label.index() < network.labels.len();
    known.then(|| network.labels.name(label).to_owned())
}

fn label(network: &Network, name: &str) -> Result<Label, String> {
    let label = network.labels.get(name);
    label.ok_or_else(|| format!("the system has no label `{name}`"))
}

fn unpacked(vectors: &PackedStates) -> Vec<Vec<u32>> {
    let layout = vectors.layout();
    vectors.iter().map(|record| layout.unpack(record)).collect()
}

fn packed(vectors: &[Vec<u32>]) -> Result<PackedStates, String> {
    let width = vectors.first().map_or(0, Vec::len);
    let mut sizes = vec![1u32; width];
    for vector in vectors {
        if vector.len() != width {
            return Err("the vectors are not equally long".to_owned());
        }
        for (size, value) in sizes.iter_mut().zip(vector) {
            if *value >= MOST {
                return Err(format!("{value} is too large for a slot"));
            }
            *size = (*size).max(value + 1);
        }
    }
    let layout = Layout::new(sizes);
    let mut packed = PackedStates::new(layout.clone());
    for vector in vectors {
        let record = layout.pack(vector);
        packed.push(&record.ok_or("a value does not fit its slot")?);
    }
    Ok(packed)
}
