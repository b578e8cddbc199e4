//! Answers about finite-domain systems.

use std::sync::Arc;

use super::{Proof, Property, Shows, System, Trace};
use crate::Run;
use crate::answer::answered;

/// What is asked of a finite-domain system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It has the property of that number.
    Property(usize),
    /// Every reachable state has a step.
    Deadlock,
}

impl Claim {
    /// As the last line has it.
    pub fn name(self, system: &System) -> String {
        match self {
            Claim::Deadlock => "deadlock".to_owned(),
            Claim::Property(number) => property_name(system, number),
        }
    }

    /// The property that is meant.
    pub fn property(self, system: &System) -> Option<&Property> {
        match self {
            Claim::Deadlock => None,
            Claim::Property(number) => system.properties.get(number),
        }
    }
}

/// Its own name; with its instance where another has the same; `property 3` if it has none.
fn property_name(system: &System, number: usize) -> String {
    let unnamed = || format!("property {number}");
    let Some(property) = system.properties.get(number) else {
        return unnamed();
    };
    let Some(name) = &property.name else {
        return unnamed();
    };
    let same = |p: &&Property| p.name.as_ref() == Some(name);
    match system.properties.iter().filter(same).count() > 1 && !property.context.is_empty() {
        true => format!("{}.{name}", property.context),
        false => name.clone(),
    }
}

/// A verdict on a finite-domain system, and how it came about.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The claim that was checked.
    pub claim: Claim,
    /// The name of the engine that gave the answer.
    pub engine: String,
    /// The verdict, with its evidence or the reason why there is none.
    pub verdict: Verdict,
    /// What the evidence is about: the system, or the part of it that the claim depends on.
    pub about: Arc<System>,
    /// What the BDDs and the abstraction took.
    pub effort: Effort,
    /// The time, and the rounds if there were some.
    pub run: Run,
}

/// The verdict on a finite-domain system.
pub type Verdict = crate::Verdict<Basis, Refutation>;

/// What a verdict that a claim holds rests on.
#[derive(Clone, Debug)]
pub enum Basis {
    /// A proof.
    Proof(Box<Proof>),
    /// All reachable states were searched, and there is no certificate of it.
    Exhaustive,
    /// `COMPUTE` asked for a number of steps; none is infinite.
    Steps(Option<u64>),
}

/// A run, and how much it shows of why the property is false.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The run.
    pub trace: Box<Trace>,
    /// How much it shows.
    pub shows: Shows,
}

/// Statistics of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// State variables that were abstracted at first.
    pub abstracted: u64,
    /// How often the abstraction was refined.
    pub refinements: u64,
    /// Bits that number the classes of the last abstraction.
    pub abstract_bits: u64,
    /// BDD nodes of the transition relation.
    pub relation_nodes: u64,
    /// The most BDD nodes besides it.
    pub checking_nodes: u64,
    /// How often the variables were reordered.
    pub reorderings: u64,
    /// Steps to the farthest state that was reached.
    pub depth: u64,
}

answered!(Answer, Claim);
