//! Reports on probabilistic systems.
//!
//! A system conforms to its specification because of assumptions and simulations, or it does not because of a finite
//! behaviour, a tree, that the specification cannot follow. A property holds or not, and a probability has bounds.

pub(crate) mod lpts;
mod number;
mod record;
mod tree;

use suppose_model::Finding;
use suppose_model::lts::{LtsBuilder, Network, State};
use suppose_model::mdp::{
    Answer, Claim as Asked, Lpts, Proof, Refutation, Sizes, System as Model, ValueBounds, Verdict,
};

use crate::block::{Assumption, Behaviour, Block, Tree};
use crate::document::{Claim, Document, Frame, Record, System};
use crate::network::{refinement_facts, split_fact, summary, system_name};
use crate::words::{assumption_name, count, explored, shown};

/// What a report on a probabilistic system is about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The system.
    pub system: &'a Model,
    /// Its shape as [`network`] makes it, once that is done.
    pub network: Option<&'a Network>,
    /// What it should conform to, if that is asked.
    pub specification: Option<&'a Lpts>,
    /// The sizes of the composition, if it was built.
    pub sizes: Option<Sizes>,
}

/// The report on a probabilistic system.
pub fn describe<'a>(
    frame: Frame,
    subject: Subject<'a>,
    findings: impl IntoIterator<Item = &'a Finding<Answer>>,
) -> Document<'a> {
    let system = subject.system;
    let findings: Vec<&Finding<Answer>> = findings.into_iter().collect();
    let parts = count(system.components.len() as u64, "component");
    let sizes = subject.sizes.as_ref().map(sizes_text);
    let whole = subject.network.map_or(parts.clone(), summary);
    Document {
        title: match system.name.is_empty() {
            true => frame.files.join(", "),
            false => system.name.clone(),
        },
        frame,
        claims: findings.iter().map(|f| claim(subject, f)).collect(),
        system: System {
            name: system_name(&system.name),
            sizes: match &sizes {
                Some(sizes) => format!("{parts}, {sizes}"),
                None => parts.clone(),
            },
            lines: lines(subject),
            summary: match &sizes {
                Some(sizes) => format!("{whole}. The composition has {sizes}"),
                None => whole,
            },
            network: subject.network,
            blocks: blocks(subject),
            sources: None,
            columns: ["States", "Transitions"],
            record: Box::new(move || record::system(subject, &findings)),
        },
        layout: None,
    }
}

/// A network with the shape of the system: its components, who shares what, and where each branch leads. Where each branch leads is left out
/// from the moment on that `stop` says so.
pub fn network(system: &Model, stop: &dyn Fn() -> bool) -> Network {
    let mut network = Network::new(&*system.name, system.labels.clone());
    for component in &system.components {
        let lpts = &component.lpts;
        let mut builder = LtsBuilder::new(lpts.name());
        builder.states(lpts.states() as u32).initial(lpts.initial());
        builder.extend_alphabet(lpts.alphabet().iter().copied());
        for state in 0..lpts.states() as State {
            if state % 1024 == 0 && stop() {
                break;
            }
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

/// `34 states, 60 choices, 72 transitions, no deadlock`
fn sizes_text(sizes: &Sizes) -> String {
    let deadlocks = match sizes.deadlocks {
        0 => "no deadlock".to_owned(),
        n => count(n, "deadlock"),
    };
    format!(
        "{}, {}, {}, {deadlocks}",
        count(sizes.states, "state"),
        count(sizes.choices, "choice"),
        count(sizes.transitions, "transition")
    )
}

/// The components and the specification, a line each.
fn lines(subject: Subject) -> Vec<String> {
    let components = subject.system.components.iter();
    let mut lines: Vec<String> = components
        .map(|component| {
            let lpts = &component.lpts;
            let together = match component.members.len() {
                0 | 1 => String::new(),
                _ => format!(" ({} together)", shown(&component.members.join(", "))),
            };
            format!("{}: {}{together}", shown(lpts.name()), lpts::sizes(lpts))
        })
        .collect();
    if let Some(specification) = subject.specification {
        let name = shown(specification.name());
        lines.push(format!(
            "specification {name}: {}",
            lpts::sizes(specification)
        ));
    }
    lines
}

/// Sizes and the specification, for the page.
fn blocks(subject: Subject<'_>) -> Vec<Block<'_>> {
    let row = |lpts: &Lpts, what: String| {
        let numbers = [lpts.states(), lpts.all_choices().len(), lpts.branches()];
        (lpts.name().to_owned(), what, numbers.map(|n| n as u64))
    };
    let components = subject.system.components.iter();
    let components = components.map(|c| row(&c.lpts, c.members.join(", ")));
    let specification = subject.specification.into_iter();
    let all = components.chain(specification.map(|s| row(s, "the specification".to_owned())));
    let mut blocks = vec![Block::Sizes(all.collect())];
    if let Some(lpts) = subject.specification {
        blocks.push(Block::Picture {
            title: "The specification",
            lpts,
            labels: &subject.system.labels,
        });
    }
    blocks
}

fn claim<'a>(subject: Subject<'a>, finding: &'a Finding<Answer>) -> Claim<'a> {
    let answer = &finding.answer;
    let (kind, heading) = match &answer.claim {
        Asked::Conformance => ("conformance", "Conformance"),
        Asked::Property(name) => ("property", name.as_str()),
        Asked::Deadlock => ("deadlock", "Freedom from deadlock"),
    };
    let mut claim = Claim::new(finding, kind, answer.claim.name().to_owned());
    claim.heading = heading.to_owned();
    claim.reason_fact(answer.verdict.outcome());
    if let Some(value) = &answer.value {
        let name = match value.is_reward {
            true => "reward",
            false => "probability",
        };
        claim.fact(name, value_text(value));
    }
    claim.engine_fact();
    split_fact(&mut claim, subject.network.unwrap_or(&Network::default()));
    claim.fact("explored", explored(&answer.run));
    refinement_facts(&mut claim);
    claim.evidence.name = match &answer.verdict {
        Verdict::Unknown(_) => None,
        Verdict::Holds(Proof::NoDeadlock) => Some("recheck"),
        Verdict::Holds(_) => Some("certificate"),
        Verdict::Violated(found) => Some(match found.tree() {
            Some(_) => "replay",
            None => "certificate",
        }),
    };
    claim.blocks = Box::new(move || match &answer.verdict {
        Verdict::Holds(proof) => vec![assumptions(subject, proof)],
        Verdict::Violated(found) => counterexample(subject, found).into_iter().collect(),
        Verdict::Unknown(_) => Vec::new(),
    });
    claim.record = Box::new(move || {
        let mut record = Record::default();
        match &answer.verdict {
            Verdict::Holds(proof) => {
                record.assumptions = record::assumptions(proof, &subject.system.labels);
                record.premises = record::premises(proof);
            }
            Verdict::Violated(found) => record.counterexample = record::tree(subject, found),
            Verdict::Unknown(_) => {}
        }
        record
    });
    claim
}

/// A value, or the bounds on it.
fn value_text(value: &ValueBounds) -> String {
    let between = number::amounts(&value.lower, &value.upper);
    match value.initials {
        0 | 1 => between,
        many => format!("{between} (over {many} initial states)"),
    }
}

fn assumptions<'a>(subject: Subject<'a>, proof: &'a Proof) -> Block<'a> {
    let (assumptions, groups) = proof.assumptions();
    let all = assumptions.iter().enumerate().map(|(number, assumption)| {
        // An assumption is about the components of all later groups.
        let later = groups.get(number + 1..).unwrap_or(&[]).iter().flatten();
        let names: Vec<String> = later.map(|c| tree::component_name(subject, *c)).collect();
        Assumption {
            name: assumption_name(number, assumptions.len() > 1),
            about: Some(names.join(", ")),
            behaviour: Behaviour::Lpts(assumption, &subject.system.labels),
        }
    });
    Block::Assumptions {
        all: all.collect(),
        is_final: true,
    }
}

/// The tree that shows a violation, if there is one.
fn counterexample<'a>(subject: Subject<'a>, refutation: &'a Refutation) -> Option<Block<'a>> {
    let found = refutation.tree()?;
    let nodes = count(found.tree.states() as u64, "node");
    let deep = count(tree::depth(&found.tree) as u64, "step");
    Some(Block::Tree(Tree {
        found,
        labels: &subject.system.labels,
        count: format!("a tree of {nodes}, {deep} deep"),
        lines: Box::new(move |most| tree::lines(subject, found, most)),
        whole: Box::new(move |node| tree::whole_state(subject, found, node)),
        why: match refutation {
            Refutation::Conformance { refusals, .. } => {
                let reasons = tree::reasons(subject, found, refusals);
                match reasons.is_empty() {
                    true => vec!["the specification cannot follow".to_owned()],
                    false => reasons,
                }
            }
            Refutation::Deadlock(_) => {
                let last = found.tree.states().saturating_sub(1);
                vec![format!("node {last} is a deadlock")]
            }
            Refutation::Property(_) => vec!["this behaviour violates the property".to_owned()],
        },
    }))
}
