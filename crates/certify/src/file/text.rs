//! The small parts of a file, as they are written.

use serde::{Deserialize, Serialize};
use suppose_model::lts::{Label, Labels, Lts, LtsBuilder, Network};
use suppose_model::program::semantics::Channel;
use suppose_model::{Assumption, Claim, Guarantee, Node};

use super::Model;

/// A component or property: both, so that neither a renamed nor a moved one is mistaken for another.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    pub number: usize,
    pub name: String,
}

/// A claim or a guarantee.
#[derive(Serialize, Deserialize)]
pub(super) enum Promise {
    #[serde(rename = "deadlock-freedom")]
    DeadlockFree,
    #[serde(rename = "property")]
    Property(Named),
    #[serde(rename = "assumption")]
    Assumption(usize),
    #[serde(rename = "liveness")]
    Liveness(Named),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelText {
    pub file: String,
    pub sha256: String,
}

impl From<&Model> for ModelText {
    fn from(model: &Model) -> ModelText {
        ModelText {
            file: model.file.clone(),
            sha256: model.sha256.clone(),
        }
    }
}

impl From<ModelText> for Model {
    fn from(text: ModelText) -> Model {
        Model {
            file: text.file,
            sha256: text.sha256,
        }
    }
}

/// `edges` has one list for every state, so that a state costs bytes.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AssumptionText {
    name: String,
    alphabet: Vec<String>,
    initial: u32,
    edges: Vec<Vec<(String, u32)>>,
    nodes: Vec<NodeText>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NodeText {
    count: u64,
    examples: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepText {
    pub label: String,
    pub states: Vec<u32>,
}

impl Promise {
    /// The claim as text; none if it is about a property that is not there.
    pub fn of_claim(claim: Claim, network: &Network) -> Option<Self> {
        match claim {
            Claim::DeadlockFree => Some(Promise::DeadlockFree),
            Claim::Property(number) => Promise::property(number, network),
            Claim::Liveness(number) => {
                let name = network.liveness.get(number)?.name.clone();
                Some(Promise::Liveness(Named { number, name }))
            }
        }
    }

    /// The guarantee as text; none if it is about a property that is not there.
    pub fn of_guarantee(guarantee: Guarantee, network: &Network) -> Option<Self> {
        match guarantee {
            Guarantee::DeadlockFree => Some(Promise::DeadlockFree),
            Guarantee::Property(number) => Promise::property(number, network),
            Guarantee::Assumption(number) => Some(Promise::Assumption(number)),
        }
    }

    fn property(number: usize, network: &Network) -> Option<Self> {
        let name = network.properties.get(number)?.name().to_owned();
        Some(Promise::Property(Named { number, name }))
    }

    pub fn claim(&self, network: &Network) -> Result<Claim, String> {
        if let Promise::Liveness(Named { number, name }) = self {
            return match network.liveness.get(*number) {
                Some(claim) if claim.name == *name => Ok(Claim::Liveness(*number)),
                _ => Err(format!(
                    "the system has no liveness claim {number} named `{name}`"
                )),
            };
        }
        match self.guarantee(network, 0)? {
            Guarantee::DeadlockFree => Ok(Claim::DeadlockFree),
            Guarantee::Property(number) => Ok(Claim::Property(number)),
            Guarantee::Assumption(_) => Err("an assumption is not a claim".to_owned()),
        }
    }

    pub fn guarantee(&self, network: &Network, assumptions: usize) -> Result<Guarantee, String> {
        match self {
            Promise::DeadlockFree => Ok(Guarantee::DeadlockFree),
            Promise::Assumption(number) if *number < assumptions => {
                Ok(Guarantee::Assumption(*number))
            }
            Promise::Assumption(number) => Err(format!("there is no assumption {number}")),
            Promise::Liveness(_) => Err("a premise cannot guarantee liveness".to_owned()),
            Promise::Property(Named { number, name }) => match network.properties.get(*number) {
                Some(property) if property.name() == name => Ok(Guarantee::Property(*number)),
                _ => Err(format!(
                    "the system has no property {number} named `{name}`"
                )),
            },
        }
    }
}

impl AssumptionText {
    /// The assumption as text; none if it has a label that the system does not know.
    pub fn of(assumption: &Assumption, labels: &Labels) -> Option<Self> {
        let lts = &assumption.lts;
        if lts.alphabet().iter().any(|l| l.index() >= labels.len()) {
            return None;
        }
        let edges_of = |state| {
            let edges = lts.edges(state).iter();
            edges
                .map(|e| (labels.name(e.label).to_owned(), e.target))
                .collect()
        };
        let node = |node: &Node| NodeText {
            count: node.count,
            examples: node.examples.clone(),
        };
        Some(AssumptionText {
            name: lts.name().to_owned(),
            alphabet: lts
                .alphabet()
                .iter()
                .map(|l| labels.name(*l).to_owned())
                .collect(),
            initial: lts.initial(),
            edges: (0..lts.states() as u32).map(edges_of).collect(),
            nodes: assumption.nodes.iter().map(node).collect(),
        })
    }

    pub fn assumption(self, labels: &Labels) -> Result<Assumption, String> {
        let lts = self.lts(labels)?;
        if !self.nodes.is_empty() && self.nodes.len() != lts.states() {
            return Err("there must be a node for every state, or none".to_owned());
        }
        let node = |text: NodeText| Node {
            count: text.count,
            examples: text.examples,
        };
        let nodes = self.nodes.into_iter().map(node).collect();
        Ok(Assumption { lts, nodes })
    }

    fn lts(&self, labels: &Labels) -> Result<Lts, String> {
        let states = u32::try_from(self.edges.len()).unwrap_or(u32::MAX);
        if states == u32::MAX || self.initial >= states {
            return Err("its initial state is not one of its states".to_owned());
        }
        let mut alphabet = Vec::new();
        for name in &self.alphabet {
            match labels.get(name) {
                Some(label) if !label.is_tau() => alphabet.push(label),
                _ => return Err(format!("the system has no label `{name}`")),
            }
        }
        alphabet.sort_unstable();
        let mut builder = LtsBuilder::new(&*self.name);
        builder.states(states).initial(self.initial);
        builder.extend_alphabet(alphabet.iter().copied());
        let known = |label: &Label| label.is_tau() || alphabet.binary_search(label).is_ok();
        for (source, edges) in (0u32..).zip(&self.edges) {
            for (name, target) in edges {
                let label = labels.get(name).filter(known);
                let label = label.ok_or_else(|| format!("`{name}` is not in its alphabet"))?;
                if *target >= states {
                    return Err(format!("it has no state {target}"));
                }
                builder.edge(source, label, *target);
            }
        }
        Ok(builder.build())
    }
}

/// A channel of a program: kind, owner, messages.
#[derive(Serialize, Deserialize)]
pub(crate) struct ChannelText(u32, Option<u32>, Vec<Vec<i32>>);

impl From<&Channel> for ChannelText {
    fn from(it: &Channel) -> Self {
        ChannelText(it.kind, it.owner, it.messages.clone())
    }
}

impl From<ChannelText> for Channel {
    fn from(ChannelText(kind, owner, messages): ChannelText) -> Self {
        Channel {
            kind,
            owner,
            messages,
        }
    }
}
