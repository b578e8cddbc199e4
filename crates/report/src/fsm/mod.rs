//! Reports on finite-domain transition systems (SMV).
//!
//! A property holds because of an inductive invariant, or because of an abstraction in which it holds; it
//! fails because of a run, with a loop if the run goes on forever. Runs are told by what changes.

pub(crate) mod classes;
mod nusmv;
mod record;
pub(crate) mod run;

use suppose_model::Finding;
use suppose_model::fsm::{
    Answer, Basis, Claim as Asked, Effort, Proof, Question, Refutation, Shows, System as Model,
    Trace, VariableKind, Verdict,
};
use suppose_source::Sources;

use crate::block::{Block, States};
use crate::document::{Claim, Document, Frame, Meaning, Record, SearchEvidence, System};
use crate::network::system_name;
use crate::several::Place;
use crate::words::{count, grouped, heading, place, place_text, rounds};

/// How to speak of a search of all states.
const SEARCHED: SearchEvidence = SearchEvidence {
    accepted: "all reachable states were explored again, one by one: accepted",
    open: "no certificate",
    word: "not checked",
};

/// What a report on a finite-domain system is about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The system.
    pub system: &'a Model,
    /// The files that its spans point into.
    pub sources: &'a Sources,
    /// A run to a state without a step that nothing was asked about, and the part of the system that it speaks of.
    pub stuck: Option<(&'a Trace, &'a Model)>,
    /// As text it has the layout of NuSMV.
    pub as_nusmv: bool,
}

/// The report on a finite-domain system.
pub fn describe<'a>(
    frame: Frame,
    subject: Subject<'a>,
    findings: impl IntoIterator<Item = &'a Finding<Answer>>,
) -> Document<'a> {
    let system = subject.system;
    let findings: Vec<&Finding<Answer>> = findings.into_iter().collect();
    let properties = match system.properties.len() {
        1 => "1 property".to_owned(),
        many => format!("{} properties", grouped(many as u64)),
    };
    let sizes = sizes(system);
    let stuck = subject.stuck.map(|(trace, system)| {
        Block::States(States {
            system,
            trace,
            ending: None,
        })
    });
    Document {
        title: match system.name.is_empty() {
            true => frame.files.join(", "),
            false => system.name.clone(),
        },
        layout: subject
            .as_nusmv
            .then(|| nusmv::text(&frame, system, &findings)),
        frame,
        claims: findings.iter().map(|f| claim(subject, f)).collect(),
        system: System {
            name: system_name(&system.name),
            summary: match system.fairness.len() as u64 {
                0 => sizes.clone(),
                fair => format!("{sizes}, {}", count(fair, "fairness constraint")),
            },
            sizes: format!("{sizes}, {properties}"),
            lines: Vec::new(),
            network: None,
            blocks: stuck.into_iter().collect(),
            sources: None,
            columns: ["Nodes", "Refinements"],
            record: Box::new(move || record::system(subject)),
        },
    }
}

fn claim<'a>(subject: Subject<'a>, finding: &'a Finding<Answer>) -> Claim<'a> {
    let answer = &finding.answer;
    let kind = match answer.claim {
        Asked::Property(_) => "property",
        Asked::Deadlock => "deadlock",
    };
    let mut claim = Claim::new(finding, kind, answer.claim.name(subject.system));
    claim.heading = heading(&claim.name);
    let effort = &answer.effort;
    let nodes = effort.relation_nodes.saturating_add(effort.checking_nodes);
    claim.numbers = [nodes, effort.refinements];
    if let Some(property) = answer.claim.property(subject.system) {
        claim.meaning = Some(Meaning::Formula(
            "property",
            asked(subject.system, answer.claim),
        ));
        claim.place = place(subject.sources, property.span).map(|p| place_text(&Some(p)));
        claim.location = Place::of(subject.sources, property.span);
    }
    facts(&mut claim, subject, answer);
    claim.evidence.name = match &answer.verdict {
        Verdict::Unknown(_) => None,
        Verdict::Violated(_) => Some("replay"),
        Verdict::Holds(Basis::Proof(_)) => Some("certificate"),
        Verdict::Holds(Basis::Exhaustive | Basis::Steps(_)) => {
            claim.evidence.search = Some(SEARCHED);
            Some("evidence")
        }
    };
    claim.blocks = Box::new(move || blocks(answer));
    claim.record = Box::new(move || Record {
        counterexample: match &answer.verdict {
            Verdict::Violated(found) => Some(record::run(&answer.about, answer.claim, found)),
            _ => None,
        },
        more: record::answer(subject, answer),
        ..Record::default()
    });
    claim
}

fn facts(claim: &mut Claim, subject: Subject, answer: &Answer) {
    claim.reason_fact(answer.verdict.outcome());
    if let Verdict::Holds(Basis::Steps(steps)) = &answer.verdict {
        let steps = steps.map(|steps| count(steps, "step"));
        claim.fact("result", steps.unwrap_or_else(|| "infinite".to_owned()));
    }
    claim.engine_fact();
    let apart = left_out(subject, answer) as u64;
    if apart > 0 {
        let apart = count(apart, "variable");
        let text = format!("{apart} that the property does not depend on");
        claim.fact("left out", text);
    }
    if answer.effort.relation_nodes > 0 {
        claim.fact("BDDs", effort_text(&answer.effort));
    }
    if let Some(text) = refinement_text(&answer.effort).or_else(|| rounds(&answer.run)) {
        claim.fact("refinement", text);
    }
    claim.time_fact();
    if let Verdict::Holds(Basis::Proof(proof)) = &answer.verdict
        && let Some(text) = proof_text(proof)
    {
        claim.fact("proof", text);
    }
}

fn blocks(answer: &Answer) -> Vec<Block<'_>> {
    match &answer.verdict {
        Verdict::Violated(found) => vec![Block::States(States {
            system: &answer.about,
            trace: &found.trace,
            ending: Some(ending(answer.claim, found).to_owned()),
        })],
        Verdict::Holds(Basis::Proof(proof)) => match &**proof {
            Proof::Abstraction(clusters) => vec![Block::Classes {
                system: &answer.about,
                clusters,
            }],
            Proof::Invariant(_) | Proof::Induction(_) => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// How many variables a claim does not depend on.
fn left_out(subject: Subject, answer: &Answer) -> usize {
    let all = subject.system.variables.len();
    all.saturating_sub(answer.about.variables.len())
}

/// What is asked, as it is written in SMV.
fn asked(system: &Model, claim: Asked) -> String {
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
fn sizes(system: &Model) -> String {
    let of = |kind| system.variables.iter().filter(|v| v.kind == kind).count() as u64;
    let (frozen, inputs) = (of(VariableKind::Frozen), of(VariableKind::Input));
    let mut text = count(of(VariableKind::State) + frozen, "variable");
    if frozen > 0 {
        text.push_str(&format!(" ({frozen} frozen)"));
    }
    if inputs > 0 {
        text.push_str(&format!(", {}", count(inputs, "input")));
    }
    text
}

/// What the BDDs took.
fn effort_text(effort: &Effort) -> String {
    let mut parts = vec![format!(
        "transition relation {}, peak {} more",
        count(effort.relation_nodes, "node"),
        grouped(effort.checking_nodes)
    )];
    if effort.depth > 0 {
        parts.push(format!("depth {}", grouped(effort.depth)));
    }
    if effort.reorderings > 0 {
        let times = count(effort.reorderings, "time");
        parts.push(format!("reordered {times}"));
    }
    parts.join(", ")
}

/// What became of the abstraction, if there was one.
fn refinement_text(effort: &Effort) -> Option<String> {
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

/// What a proof is, in a sentence; none for an abstraction, which is told class by class.
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
fn ending(claim: Asked, found: &Refutation) -> &'static str {
    match (claim, found.trace.loops_to, found.shows) {
        (Asked::Deadlock, ..) => "no step is possible from here",
        (_, Some(_), Shows::All) => "the loop repeats forever, and the run violates the property",
        (_, None, Shows::All) => "the run violates the property",
        (_, Some(_), Shows::Part) => {
            "the loop repeats forever; the run shows part of why the property is violated"
        }
        (_, None, Shows::Part) => "the run shows part of why the property is violated",
    }
}
