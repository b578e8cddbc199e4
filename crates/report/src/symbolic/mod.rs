//! Reports on finite-domain transition systems (SMV).
//!
//! A property holds because of an inductive invariant, or because of an abstraction in which it holds; it
//! fails because of a run, with a loop if the run goes on for ever. Runs are told by what changes.

mod classes;
mod html;
mod json;
mod nusmv;
mod run;
mod text;

use std::sync::Arc;

use suppose_model::fsm::{Kind, Proof, Property, Question, Shows, System, Trace};
use suppose_model::{Reason, Run};
use suppose_source::Sources;

use crate::words::{count, place, place_text};
use crate::{Checked, Document, Report, Standing};

/// Everything a report on a finite-domain system shows.
#[derive(Clone, Debug)]
pub struct SymbolicReport<'a> {
    /// What all reports have. Its network is empty, and nothing is in its `checked`.
    pub base: Report<'a>,
    /// The system.
    pub system: &'a System,
    /// The files that its spans point into.
    pub sources: &'a Sources,
    /// A run to a state without a step that nothing was asked about, and the part of the system that it speaks of.
    pub stuck: Option<(&'a Trace, &'a System)>,
    /// What was asked, with the answers.
    pub checked: Vec<SymbolicChecked<'a>>,
    /// As text it has the layout of NuSMV.
    pub as_nusmv: bool,
}

/// What is asked of a finite-domain system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolicClaim {
    /// It has the property of that number.
    Property(usize),
    /// Every reachable state has a step.
    Deadlock,
}

/// An answer and what became of the evidence.
pub type SymbolicChecked<'a> = Checked<'a, SymbolicAnswer>;

/// A verdict on a finite-domain system, and how it came about.
#[derive(Clone, Debug)]
pub struct SymbolicAnswer {
    /// What was asked.
    pub claim: SymbolicClaim,
    /// Which engine answered.
    pub engine: String,
    /// The answer.
    pub verdict: SymbolicVerdict,
    /// What the evidence speaks of: the system, or the part of it that the claim depends on.
    pub about: Arc<System>,
    /// What it took.
    pub effort: SymbolicEffort,
    /// The time, and the rounds if there were some.
    pub run: Run,
}

/// The answer on a finite-domain system.
#[derive(Clone, Debug)]
pub enum SymbolicVerdict {
    /// It holds, with a proof where there is one.
    Holds(Option<Box<Proof>>),
    /// It does not, and the run shows why, wholly or in part.
    Fails(Box<Trace>, Shows),
    /// `COMPUTE` asked for a number of steps; none is infinite.
    Steps(Option<u64>),
    /// Not decided.
    Unknown(Reason),
}

/// What an answer took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SymbolicEffort {
    /// State variables that were abstracted at first.
    pub abstracted: u64,
    /// How often the abstraction was refined.
    pub refinements: u64,
    /// Bits that number the classes of the last abstraction.
    pub abstract_bits: u64,
    /// Nodes of the relation of steps.
    pub relation_nodes: u64,
    /// The most nodes beside it.
    pub checking_nodes: u64,
    /// How often the order of the variables was looked over.
    pub reorderings: u64,
    /// Steps to the farthest state that was looked at.
    pub depth: u64,
}

impl SymbolicClaim {
    /// As the last line has it.
    pub fn name(self, system: &System) -> String {
        match self {
            SymbolicClaim::Deadlock => "deadlock".to_owned(),
            SymbolicClaim::Property(number) => property_name(system, number),
        }
    }

    /// The property that is meant.
    pub fn property(self, system: &System) -> Option<&Property> {
        match self {
            SymbolicClaim::Deadlock => None,
            SymbolicClaim::Property(number) => system.properties.get(number),
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

impl SymbolicReport<'_> {
    /// The verdict of one claim. Evidence that was rejected leaves it unknown.
    pub fn standing(&self, checked: &SymbolicChecked) -> Standing {
        if let Some(rejected) = checked.evidence.rejection() {
            return rejected;
        }
        match &checked.answer.verdict {
            SymbolicVerdict::Holds(_) | SymbolicVerdict::Steps(_) => Standing::Holds,
            SymbolicVerdict::Fails(..) => {
                Standing::Violated(checked.answer.claim.name(self.system))
            }
            SymbolicVerdict::Unknown(reason) => Standing::Unknown(reason.word().to_owned()),
        }
    }

    /// In the layout of NuSMV, without the last line.
    pub fn nusmv(&self) -> String {
        nusmv::text(self)
    }

    /// How many variables a claim does not depend on.
    fn left_out(&self, answer: &SymbolicAnswer) -> usize {
        let all = self.system.variables.len();
        all.saturating_sub(answer.about.variables.len())
    }

    /// Where the property is written: `model.smv:12`.
    fn place(&self, claim: SymbolicClaim) -> String {
        let property = claim.property(self.system);
        place_text(&property.and_then(|p| place(self.sources, p.span)))
    }
}

impl Document for SymbolicReport<'_> {
    fn base(&self) -> &Report<'_> {
        &self.base
    }

    fn standings(&self) -> Vec<Standing> {
        self.checked.iter().map(|c| self.standing(c)).collect()
    }

    fn text(&self, colour: bool, full: bool) -> String {
        match self.as_nusmv {
            true => self.nusmv(),
            false => text::text(self, colour, full),
        }
    }

    fn json(&self) -> String {
        json::json(self)
    }

    fn html(&self) -> String {
        html::page(self)
    }
}

/// What is asked, as it is written in SMV.
fn asked(system: &System, claim: SymbolicClaim) -> String {
    match claim.property(system) {
        None => "every reachable state has a step".to_owned(),
        Some(property) => {
            let word = match property.question {
                Question::Ctl(_) => "CTLSPEC",
                Question::Ltl(_) => "LTLSPEC",
                Question::Invariant(_) => "INVARSPEC",
                Question::ComputeMin(..) | Question::ComputeMax(..) => "COMPUTE",
            };
            format!("{word} {}", system.show_question(&property.question))
        }
    }
}

/// `7 variables (1 frozen), 2 inputs`
fn sizes(system: &System) -> String {
    let of = |kind| system.variables.iter().filter(|v| v.kind == kind).count() as u64;
    let (frozen, inputs) = (of(Kind::Frozen), of(Kind::Input));
    let mut text = count(of(Kind::State) + frozen, "variable");
    if frozen > 0 {
        text.push_str(&format!(" ({frozen} frozen)"));
    }
    if inputs > 0 {
        text.push_str(&format!(", {}", count(inputs, "input")));
    }
    text
}

/// The answer to `COMPUTE` in words.
fn steps_text(steps: Option<u64>) -> String {
    match steps {
        Some(steps) => count(steps, "step"),
        None => "infinite".to_owned(),
    }
}

/// What the BDDs took.
fn effort_text(effort: &SymbolicEffort) -> String {
    let mut parts = vec![format!(
        "transition relation {}, peak {} more",
        count(effort.relation_nodes, "node"),
        crate::words::grouped(effort.checking_nodes)
    )];
    if effort.depth > 0 {
        parts.push(format!("depth {}", crate::words::grouped(effort.depth)));
    }
    if effort.reorderings > 0 {
        let times = count(effort.reorderings, "time");
        parts.push(format!("reordered {times}"));
    }
    parts.join(", ")
}

/// What became of the abstraction, if there was one.
fn refinement_text(effort: &SymbolicEffort) -> Option<String> {
    if effort.abstracted == 0 && effort.refinements == 0 {
        return None;
    }
    Some(format!(
        "{} abstracted at first, {}, {} of classes at last",
        count(effort.abstracted, "variable"),
        count(effort.refinements, "refinement"),
        count(effort.abstract_bits, "bit")
    ))
}

/// A verdict's evidence in the word of its kind; none if there is none.
fn evidence_kind(verdict: &SymbolicVerdict) -> Option<&'static str> {
    match verdict {
        SymbolicVerdict::Unknown(_) => None,
        SymbolicVerdict::Fails(..) => Some("replay"),
        SymbolicVerdict::Holds(Some(_)) => Some("certificate"),
        SymbolicVerdict::Holds(None) | SymbolicVerdict::Steps(_) => Some("recheck"),
    }
}

/// What a proof is, in a sentence; `None` for an abstraction, which is told class by class.
fn proof_text(proof: &Proof) -> Option<String> {
    match proof {
        Proof::Invariant(set) if set.root == 0 => Some("there is no initial state".to_owned()),
        Proof::Invariant(set) => Some(format!(
            "inductive invariant, {}",
            count(set.nodes.len() as u64, "BDD node")
        )),
        Proof::Induction(depth) => Some(format!(
            "induction over {}",
            count(u64::from(*depth), "step")
        )),
        Proof::Abstraction(_) => None,
    }
}

/// How a run ends.
fn ending(claim: SymbolicClaim, trace: &Trace, shows: Shows) -> String {
    let text = match (claim, trace.loops_to, shows) {
        (SymbolicClaim::Deadlock, ..) => "no step leads on from here",
        (_, Some(_), Shows::All) => "the run goes on so for ever, and the property is false of it",
        (_, None, Shows::All) => "the property is false of this run",
        (_, Some(_), Shows::Part) => {
            "the run goes on so for ever; it shows a part of why the property is false"
        }
        (_, None, Shows::Part) => "the run shows a part of why the property is false",
    };
    text.to_owned()
}
