//! Reports on probabilistic systems.
//!
//! A system conforms to its specification because of assumptions and simulations, or it does not because of a finite
//! behaviour, a tree, that the specification cannot follow. A property holds or not, and a probability has bounds.

mod html;
mod json;
mod lpts;
mod number;
mod text;
mod tree;

use suppose_model::lts::{LtsBuilder, Network, State};
use suppose_model::mdp::{
    Amount, Certificate, Counterexample, Lpts, PropertyCertificate, PropertyCounterexample, System,
    ValueEvidence,
};
use suppose_model::{Reason, Run};
use suppose_number::Rat;

use crate::{Checked, Document, Report, Standing};

/// Everything a report on a probabilistic system shows.
#[derive(Clone, Debug)]
pub struct MarkovReport<'a> {
    /// What all reports have. Its network is [`markov_network`], and nothing is in its `checked`.
    pub base: Report<'a>,
    /// The system.
    pub system: &'a System,
    /// What it should conform to, if that is asked.
    pub specification: Option<&'a Lpts>,
    /// The sizes of the composition, if it was built.
    pub sizes: Option<MarkovSizes>,
    /// What was asked, with the answers.
    pub checked: Vec<MarkovChecked<'a>>,
}

/// The sizes of a composition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MarkovSizes {
    /// Reachable states.
    pub states: u64,
    /// Choices.
    pub choices: u64,
    /// Branches of all choices (what PRISM calls transitions).
    pub transitions: u64,
    /// States without a choice.
    pub deadlocks: u64,
}

/// What is asked of a probabilistic system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkovClaim {
    /// It conforms to the specification.
    Conformance,
    /// It has the property of that name.
    Property(String),
    /// No reachable state is without a choice.
    Deadlock,
}

impl MarkovClaim {
    /// As the last line has it.
    pub fn name(&self) -> &str {
        match self {
            MarkovClaim::Conformance => "conformance",
            MarkovClaim::Property(name) => name,
            MarkovClaim::Deadlock => "deadlock",
        }
    }
}

/// An answer and what became of the evidence.
pub type MarkovChecked<'a> = Checked<'a, MarkovAnswer>;

/// A verdict on a probabilistic system, and how it came about.
#[derive(Clone, Debug)]
pub struct MarkovAnswer {
    /// What was asked.
    pub claim: MarkovClaim,
    /// Which engine answered.
    pub engine: String,
    /// The answer.
    pub verdict: MarkovVerdict,
    /// Of a property: its greatest or least value.
    pub value: Option<MarkovValue>,
    /// What it took.
    pub run: Run,
}

/// A greatest or least value that lies between two numbers.
#[derive(Clone, Debug)]
pub struct MarkovValue {
    /// At least so much.
    pub lower: Amount,
    /// At most so much.
    pub upper: Amount,
    /// An expected reward, or a probability?
    pub is_reward: bool,
    /// In so many initial states; 1 too if only one of their values was asked for.
    pub initials: usize,
}

impl MarkovValue {
    fn name(&self) -> &'static str {
        match self.is_reward {
            true => "reward",
            false => "probability",
        }
    }

    fn text(&self) -> String {
        let between = number::amounts(&self.lower, &self.upper);
        match self.initials {
            0 | 1 => between,
            many => format!("{between} (over {many} initial states)"),
        }
    }
}

/// The answer on a probabilistic system.
#[derive(Clone, Debug)]
pub enum MarkovVerdict {
    /// It conforms.
    Conforms(Box<Certificate>),
    /// It does not.
    Differs {
        /// The behaviour that shows it.
        tree: Box<Counterexample>,
        /// Why the specification cannot follow.
        refusals: Vec<MarkovRefusal>,
    },
    /// The property holds.
    Holds(Box<PropertyCertificate>),
    /// It does not.
    Fails(Box<PropertyCounterexample>),
    /// A probability was asked for, and its bounds are proved.
    Value(Box<ValueEvidence>),
    /// All reachable states were looked at, and each has a choice.
    NoDeadlock,
    /// A path leads to a state without a choice: the one of the last node.
    Deadlock(Box<Counterexample>),
    /// Not decided.
    Unknown(Reason),
}

/// Why a state of the specification cannot follow a node of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkovRefusal {
    /// The node.
    pub node: State,
    /// The state.
    pub state: State,
    /// What it lacks.
    pub why: MarkovLack,
}

/// What a state of the specification lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkovLack {
    /// It differs in a proposition.
    Proposition(u32),
    /// It has choices with the action, but each gives too little to some nodes.
    Choice {
        /// Which choice of the node, counted within it.
        choice: usize,
        /// For each choice of the state with the same action: nodes, what they have, what can be given to them.
        options: Vec<(Vec<State>, Rat, Rat)>,
    },
}

/// A network with the shape of the system: its components, who shares what, and where each branch leads.
pub fn markov_network(system: &System) -> Network {
    let mut network = Network::new(&*system.name, system.labels.clone());
    for component in &system.components {
        let lpts = &component.lpts;
        let mut builder = LtsBuilder::new(lpts.name());
        builder.states(lpts.states() as u32).initial(lpts.initial());
        builder.extend_alphabet(lpts.alphabet().iter().copied());
        for state in 0..lpts.states() as State {
            for choice in lpts.choices(state) {
                for target in lpts.dist(choice.dist).targets() {
                    builder.edge(state, choice.label, *target);
                }
            }
        }
        network.add_component(builder.build());
    }
    network
}

impl MarkovReport<'_> {
    /// The verdict of one claim. Evidence that was rejected leaves it unknown.
    pub fn standing(&self, checked: &MarkovChecked) -> Standing {
        if let Some(rejected) = checked.evidence.rejection() {
            return rejected;
        }
        let answer = checked.answer;
        match &answer.verdict {
            MarkovVerdict::Conforms(_)
            | MarkovVerdict::Holds(_)
            | MarkovVerdict::Value(_)
            | MarkovVerdict::NoDeadlock => Standing::Holds,
            MarkovVerdict::Differs { .. }
            | MarkovVerdict::Fails(_)
            | MarkovVerdict::Deadlock(_) => Standing::Violated(answer.claim.name().to_owned()),
            MarkovVerdict::Unknown(reason) => Standing::Unknown(reason.word().to_owned()),
        }
    }
}

impl Document for MarkovReport<'_> {
    fn base(&self) -> &Report<'_> {
        &self.base
    }

    fn standings(&self) -> Vec<Standing> {
        self.checked.iter().map(|c| self.standing(c)).collect()
    }

    fn text(&self, colour: bool, full: bool) -> String {
        text::text(self, colour, full)
    }

    fn json(&self) -> String {
        json::json(self)
    }

    fn html(&self) -> String {
        html::page(self)
    }
}

/// A claim in a sentence.
fn heading(claim: &MarkovClaim) -> String {
    match claim {
        MarkovClaim::Conformance => "Conformance".to_owned(),
        MarkovClaim::Property(name) => name.clone(),
        MarkovClaim::Deadlock => "Freedom from deadlock".to_owned(),
    }
}

/// A verdict's evidence in the word of its kind; none if there is none.
fn evidence_kind(verdict: &MarkovVerdict) -> Option<&'static str> {
    match verdict {
        MarkovVerdict::Unknown(_) => None,
        MarkovVerdict::Conforms(_) | MarkovVerdict::Holds(_) | MarkovVerdict::Value(_) => {
            Some("certificate")
        }
        MarkovVerdict::NoDeadlock => Some("recheck"),
        MarkovVerdict::Fails(found) => match **found {
            PropertyCounterexample::Tree(_) => Some("replay"),
            PropertyCounterexample::Bounds(_) => Some("certificate"),
        },
        MarkovVerdict::Differs { .. } | MarkovVerdict::Deadlock(_) => Some("replay"),
    }
}

/// The tree that shows a violation, if there is one.
fn tree_of(verdict: &MarkovVerdict) -> Option<&Counterexample> {
    match verdict {
        MarkovVerdict::Differs { tree, .. } | MarkovVerdict::Deadlock(tree) => Some(tree),
        MarkovVerdict::Fails(found) => match &**found {
            PropertyCounterexample::Tree(tree) => Some(tree),
            PropertyCounterexample::Bounds(_) => None,
        },
        _ => None,
    }
}

/// The assumptions of a proof and the groups in its order.
fn assumptions_of(verdict: &MarkovVerdict) -> (&[Lpts], &[Vec<usize>]) {
    match verdict {
        MarkovVerdict::Conforms(proof) => (&proof.assumptions, &proof.groups),
        MarkovVerdict::Holds(proof) => (&proof.assumptions, &proof.groups),
        _ => (&[], &[]),
    }
}

/// Which components an assumption is about: those of all later groups.
fn about(report: &MarkovReport, groups: &[Vec<usize>], number: usize) -> String {
    let later = groups.get(number + 1..).unwrap_or(&[]).iter().flatten();
    let names = later.map(|c| crate::words::component_name(report.base.network, *c));
    let names: Vec<String> = names
        .map(|n| crate::words::shown(&n).into_owned())
        .collect();
    names.join(", ")
}
