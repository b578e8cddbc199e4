//! Reports on networks of labelled transition systems.

mod parts;
mod record;
mod trace;

use std::rc::Rc;

use suppose_model::lts::{Fairness, Network};
use suppose_model::{
    Certificate, Claim as Asked, Counterexample, Finding, Guarantee, Premise, Run, Verdict,
};

use crate::block::{
    Assumption, Behaviour, Block, Cell, Changes, Chart, Column, Cut, Event, EventKind, Row,
    StateColumns, Steps, Width,
};
use crate::document::{Claim, Document, Frame, Record, System};
use crate::words::{
    assumption_name, claim_name, component_name, component_names, count, explored, grouped, groups,
    heading, rounds, shown,
};

pub(crate) use record::{assumptions as assumption_records, premises as premise_records, so_far};

use trace::Trace;

/// So many steps of a counterexample are charted at most.
const MOST_CHARTED: usize = 300;

/// How counterexamples are cut in a text.
const CUT: Cut = Cut {
    beyond: 100,
    first: 40,
    last: 20,
    noun: "step",
};

/// The report on a network.
pub fn describe<'a>(
    frame: Frame,
    network: &'a Network,
    findings: impl IntoIterator<Item = &'a Finding>,
) -> Document<'a> {
    let title = match network.name.is_empty() {
        true => frame.files.join(", "),
        false => network.name.clone(),
    };
    let claims = findings.into_iter().map(|f| claim(network, f));
    Document {
        frame,
        title,
        claims: claims.collect(),
        system: System {
            name: system_name(&network.name),
            sizes: sizes(network),
            lines: Vec::new(),
            summary: summary(network),
            network: Some(network),
            blocks: Vec::new(),
            sources: None,
            columns: ["States", "Transitions"],
            record: Box::new(Vec::new),
        },
        layout: None,
    }
}

/// `system S`, or `system` if it has no name.
pub(crate) fn system_name(name: &str) -> String {
    match name.is_empty() {
        true => "system".to_owned(),
        false => format!("system {name}"),
    }
}

fn sizes(network: &Network) -> String {
    let parts = count(network.processes().len() as u64, "component");
    let labels = count(network.labels.iter().count() as u64, "label");
    format!("{parts}, {labels}")
}

/// `2 components, 4 labels, 1 property`
pub(crate) fn summary(network: &Network) -> String {
    let properties = match network.properties.len() {
        1 => "1 property".to_owned(),
        many => format!("{} properties", grouped(many as u64)),
    };
    format!("{}, {properties}", sizes(network))
}

fn claim<'a>(network: &'a Network, finding: &'a Finding) -> Claim<'a> {
    let answer = &finding.answer;
    let kind = match answer.claim {
        Asked::DeadlockFree => "deadlock",
        Asked::Property(_) => "property",
        Asked::Liveness(_) => "liveness",
    };
    let name = claim_name(network, answer.claim);
    let mut claim = Claim::new(finding, kind, name);
    claim.heading = heading(&claim.name);
    claim.reason_fact(answer.verdict.outcome());
    claim.engine_fact();
    split_fact(&mut claim, network);
    if let Asked::Liveness(number) = answer.claim {
        fairness_fact(&mut claim, network, number);
    }
    claim.fact("explored", explored(&answer.run));
    if let Verdict::Holds(proof) = &answer.verdict {
        parts::facts(&mut claim, network, proof);
    }
    refinement_facts(&mut claim);
    claim.evidence.name = match answer.verdict {
        Verdict::Holds(_) => Some("certificate"),
        Verdict::Violated(_) => Some("replay"),
        Verdict::Unknown(_) => None,
    };
    claim.blocks = Box::new(move || match &answer.verdict {
        Verdict::Holds(proof) => certificate(network, proof),
        Verdict::Violated(found) => counterexample(network, found),
        Verdict::Unknown(_) => unfinished(network, &answer.run),
    });
    claim.record = Box::new(move || {
        let mut record = Record::default();
        match &answer.verdict {
            Verdict::Holds(proof) => {
                record.assumptions = assumption_records(network, proof);
                record.premises = premise_records(proof);
            }
            Verdict::Violated(found) => {
                record.counterexample = Some(record::counterexample(network, found));
            }
            Verdict::Unknown(_) => {}
        }
        record.more = so_far(network, &answer.run);
        if let Verdict::Holds(proof) = &answer.verdict {
            record.more.extend(parts::record(network, proof));
        }
        record
    });
    claim
}

/// Which runs a liveness claim is about.
fn fairness_fact(claim: &mut Claim, network: &Network, number: usize) {
    let about = network.liveness.get(number).map(|l| l.fairness);
    let words = match about {
        Some(Fairness::None) => "none: about all runs",
        _ => "fair choice: every choice is made in every way again and again",
    };
    claim.fact("fairness", words.to_owned());
}

/// The split of the rule, if there is one.
pub(crate) fn split_fact(claim: &mut Claim, network: &Network) {
    if claim.run.groups.len() > 1 {
        claim.fact("split", groups(network, &claim.run.groups));
    }
}

/// The rounds of refinement, if there were some, and the time.
pub(crate) fn refinement_facts(claim: &mut Claim) {
    if let Some(rounds) = rounds(claim.run) {
        claim.fact("refinement", rounds);
    }
    claim.time_fact();
}

/// The assumptions of a proof, and why it is one.
pub(crate) fn certificate<'a>(network: &'a Network, proof: &'a Certificate) -> Vec<Block<'a>> {
    if parts::is_reduction(proof) {
        return vec![Block::Premises(parts::replacements(network, proof))];
    }
    // The counter of a claim about liveness is not about some components, and what comes after it are replacements.
    let bounded = parts::bounded(proof);
    let number = bounded.map_or(proof.assumptions.len(), |b| b.counter);
    let about_rule = bounded.map_or(proof.premises.len(), |b| b.premises);
    let many = number > 1;
    let all = proof.assumptions[..number].iter().enumerate();
    let all = all.map(|(number, assumption)| Assumption {
        name: assumption_name(number, many),
        about: about(network, proof, number),
        behaviour: Behaviour::Lts(assumption, &network.labels),
    });
    let mut blocks = vec![Block::Assumptions {
        all: all.collect(),
        is_final: true,
    }];
    let rule = proof.premises[..about_rule].iter();
    let rule = rule.map(|p| match bounded {
        Some(b) if p.guarantee == Guarantee::Assumption(b.counter) => {
            format!("{} (counted)", premise(network, p, many))
        }
        _ => premise(network, p, many),
    });
    let mut premises: Vec<String> = rule.collect();
    if bounded.is_some() {
        premises.extend(parts::replacements(network, proof));
    }
    if premises.len() > 1 {
        blocks.push(Block::Premises(premises));
    }
    blocks
}

/// Which components an assumption speaks about, if the certificate says.
fn about(network: &Network, proof: &Certificate, number: usize) -> Option<String> {
    let guaranteed = Guarantee::Assumption(number);
    let premise = proof.premises.iter().find(|p| p.guarantee == guaranteed)?;
    let many = proof.assumptions.len() > 1;
    let names = premise
        .components
        .iter()
        .map(|c| component_name(network, *c));
    let under = premise
        .assumptions
        .iter()
        .map(|a| assumption_name(*a, many));
    let all: Vec<String> = names.chain(under).collect();
    Some(all.join(", "))
}

/// `P, Q, supposing A1, keep to A2 (12 combinations checked)`
fn premise(network: &Network, premise: &Premise, many: bool) -> String {
    let mut text = component_names(network, &premise.components);
    for (at, used) in premise.assumptions.iter().enumerate() {
        let word = if at == 0 { "supposing" } else { "and" };
        text.push_str(&format!(", {word} {}", assumption_name(*used, many)));
    }
    if !premise.assumptions.is_empty() {
        text.push(',');
    }
    let s = if premise.components.len() == 1 {
        "s"
    } else {
        ""
    };
    text.push_str(&match premise.guarantee {
        Guarantee::Assumption(n) => format!(" keep{s} to {}", assumption_name(n, many)),
        Guarantee::Property(n) => {
            let name = claim_name(network, Asked::Property(n));
            match s {
                "" => format!(" satisfy {name}"),
                _ => format!(" satisfies {name}"),
            }
        }
        Guarantee::DeadlockFree => format!(" never stop{s}"),
    });
    match premise.relation.len() as u64 {
        0 => text,
        checked => format!("{text} ({} checked)", count(checked, "combination")),
    }
}

/// What an engine without a verdict hands over.
pub(crate) fn unfinished<'a>(network: &'a Network, run: &'a Run) -> Vec<Block<'a>> {
    let so_far = run.so_far.iter().map(|so_far| Block::Assumptions {
        all: vec![Assumption {
            name: "A".to_owned(),
            about: Some(component_names(network, &so_far.premise.components)),
            behaviour: Behaviour::Lts(&so_far.assumption, &network.labels),
        }],
        is_final: false,
    });
    so_far.collect()
}

fn counterexample<'a>(network: &'a Network, found: &'a Counterexample) -> Vec<Block<'a>> {
    let trace = Rc::new(Trace::new(network, found));
    let steps = trace.moves.len();
    let ending = trace::ending(network, found);
    let is_bad = |number: usize| matches!(found.claim, Asked::Property(_)) && number == steps;
    let row = |step: &trace::Move| Row {
        cells: vec![
            Cell::Number(Some(step.number)),
            Cell::Action(step.label.clone(), ""),
            Cell::Changes(changes(network, step)),
        ],
        depth: 0,
        is_bad: is_bad(step.number),
        span: None,
    };
    let chart = chart(network, &trace, &ending);
    let names = trace.actors.iter().map(|c| component_name(network, *c));
    let table = Steps {
        count: count(steps as u64, "step"),
        columns: vec![
            Column::step(),
            Column::new("Label", Width::Padded(32)),
            Column::new("What changes", Width::Free),
        ],
        rows: trace.moves.iter().map(row).collect(),
        ending: std::iter::once(ending)
            .chain(trace::remark(found))
            .collect(),
        cut: CUT,
        states: Some(StateColumns {
            names: names.collect(),
            state: Box::new(move |at, column| {
                let actor = trace.actors[column];
                let moved = at.checked_sub(1).and_then(|at| trace.moves.get(at));
                let changed = moved.is_some_and(|m| m.changes.iter().any(|c| c.component == actor));
                (trace.state(network, at, actor), changed)
            }),
        }),
        repeats_from: found
            .lasso
            .as_ref()
            .map(|lasso| lasso.cycle)
            .filter(|at| *at < steps),
        is_second: false,
    };
    vec![Block::Steps(table), Block::Chart(chart)]
}

/// Who moved, and where to.
fn changes(network: &Network, step: &trace::Move) -> Changes {
    let moved = |c: &&usize| step.changes.iter().any(|change| change.component == **c);
    let others = step.participants.iter().filter(|c| !moved(c));
    Changes {
        all: step.changes.iter().map(|c| c.named(network)).collect(),
        others: others.map(|c| component_name(network, *c)).collect(),
        most: usize::MAX,
    }
}

/// The last steps as a chart.
fn chart(network: &Network, trace: &Trace, ending: &str) -> Chart {
    let all = trace.moves.len();
    let last = &trace.moves[all.saturating_sub(MOST_CHARTED)..];
    let mut lifelines: Vec<usize> = last.iter().flat_map(|m| m.participants.clone()).collect();
    lifelines.sort_unstable();
    lifelines.dedup();
    let place = |c: &usize| lifelines.binary_search(c).unwrap_or(0);
    let event = |step: &trace::Move| Event {
        step: step.number,
        label: step.label.clone(),
        title: step.label.clone(),
        kind: EventKind::Joint(step.participants.iter().map(place).collect()),
    };
    Chart {
        events: last.iter().map(event).collect(),
        lifelines: lifelines
            .iter()
            .map(|c| component_name(network, *c))
            .collect(),
        of: (all, "step"),
        steps: all,
        ending: shown(ending).into_owned(),
        in_text: false,
    }
}
