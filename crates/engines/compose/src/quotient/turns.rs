//! One process after the other (the paper's open question).

use std::time::Instant;

use suppose_control::{Context, Event};
use suppose_model::lts::{Equivalence, Network, SizeLimits, minimise};
use suppose_model::{
    Answer, Assumption, Certificate, Claim, Guarantee, Premise, Reason, Round, Run, Verdict,
};

use super::{Mode, QuotientOptions, Requirement, process, proof, requirement};
use crate::monolithic;

/// Whose turn is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// As the components are given.
    Given,
    /// The one that shares the fewest labels first.
    Interface,
    /// The one with the most states first.
    #[default]
    Largest,
    /// The one with the fewest states first.
    Smallest,
}

/// What one turn did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Whose turn it was.
    pub component: usize,
    /// The states it had.
    pub states: usize,
    /// The states of its requirement.
    pub requirement: usize,
}

/// Decides property number `property` by replacing the components in `among` (if that is empty: all processes) in turn, each
/// by what is required of it in the system as it is by then, and says what each turn did.
///
/// Components that wait for their turn, or have none, stand in the system as the smallest that are strongly bisimilar to them:
/// nobody can tell the difference, so the requirements are the same. The proof is about the components as they are.
pub fn in_turn(
    network: &Network,
    property: usize,
    among: &[usize],
    order: Order,
    options: &QuotientOptions,
    cx: &Context,
) -> (Answer, Vec<Turn>) {
    let begun = Instant::now();
    let (mut run, mut turns) = (Run::default(), Vec::new());
    let among = sequence(network, property, among, order);
    let verdict = decide(network, property, &among, options, &mut run, &mut turns, cx);
    run.elapsed = begun.elapsed();
    let answer = Answer {
        claim: Claim::Property(property),
        engine: "quotient".to_owned(),
        verdict: verdict.unwrap_or_else(Verdict::Unknown),
        run,
    };
    (answer, turns)
}

fn sequence(network: &Network, property: usize, among: &[usize], order: Order) -> Vec<usize> {
    let mut all = match among.is_empty() {
        true => network.processes(),
        false => among.to_vec(),
    };
    if order != Order::Given {
        all.sort_unstable();
    }
    let mut seen = vec![false; network.components.len()];
    all.retain(|i| {
        seen.get_mut(*i)
            .is_some_and(|seen| !std::mem::replace(seen, true))
    });
    let participants = network.participants();
    let watched = &network.properties[property].lts;
    let interface = |i: &usize| {
        let labels = network.components[*i].lts.alphabet().iter();
        let shared = labels.filter(|l| participants[l.index()].len() > 1 || watched.has_label(**l));
        shared.count()
    };
    let states = |i: &usize| network.components[*i].lts.states();
    match order {
        Order::Given => {}
        Order::Interface => all.sort_by_key(|i| (interface(i), *i)),
        Order::Largest => all.sort_by_key(|i| (std::cmp::Reverse(states(i)), *i)),
        Order::Smallest => all.sort_by_key(|i| (states(i), *i)),
    }
    all
}

/// Every component as the smallest strongly bisimilar one. One that is too large to make smaller stays.
fn minimised(network: &Network, cx: &Context) -> Result<Network, Reason> {
    let mut small = network.clone();
    let limits = SizeLimits::default();
    for component in &mut small.components {
        cx.check()?;
        if let Ok(quotient) = minimise(&component.lts, Equivalence::Strong, &limits)
            && quotient.lts.states() < component.lts.states()
        {
            let name = component.lts.name().to_owned();
            component.lts = quotient.lts.named(name);
        }
    }
    Ok(small)
}

fn decide(
    network: &Network,
    property: usize,
    among: &[usize],
    options: &QuotientOptions,
    run: &mut Run,
    turns: &mut Vec<Turn>,
    cx: &Context,
) -> Result<Verdict, Reason> {
    let mut reduced = minimised(network, cx)?;
    let mut found: Vec<(usize, Requirement)> = Vec::new();
    for component in among.iter().copied() {
        cx.emit(Event::Phase(format!(
            "reducing {}",
            network.components[component].lts.name()
        )));
        reduced.components[component] = network.components[component].clone();
        let it = requirement(&reduced, property, &[component], options, cx)?;
        run.states += it.states;
        run.transitions += it.transitions;
        run.largest = run.largest.max(it.largest);
        let size = it.assumption.lts.states();
        run.assumption_peak = run.assumption_peak.max(size as u64);
        run.rounds.push(Round {
            number: run.rounds.len() as u64 + 1,
            assumption_states: size as u64,
            alphabet: it.assumption.lts.alphabet().len() as u64,
            states: it.states,
            refined: format!("replaced {}", network.components[component].lts.name()),
        });
        turns.push(Turn {
            component,
            states: network.components[component].lts.states(),
            requirement: size,
        });
        if it.decided == Some(false) {
            break;
        }
        let name = network.components[component].lts.name();
        reduced.components[component].lts = it.assumption.lts.clone().named(name);
        let done = it.decided == Some(true) && options.mode == Mode::Decide;
        found.push((component, it));
        if done {
            break;
        }
    }
    run.groups = vec![among.to_vec()];
    let refuted = turns.len() > found.len();
    if !refuted && let Some(certificate) = certificate(network, property, found, run, cx)? {
        return Ok(Verdict::Holds(Box::new(certificate)));
    }
    let answer = monolithic::check(network, Claim::Property(property), cx);
    run.states += answer.run.states;
    run.transitions += answer.run.transitions;
    run.largest = run.largest.max(answer.run.largest);
    Ok(answer.verdict)
}

/// Every process that had its turn guarantees its requirement, and all requirements and the
/// other components together guarantee the property.
fn certificate(
    network: &Network,
    property: usize,
    found: Vec<(usize, Requirement)>,
    run: &mut Run,
    cx: &Context,
) -> Result<Option<Certificate>, Reason> {
    let mut assumptions: Vec<Assumption> = Vec::new();
    let mut premises = Vec::new();
    let replaced: Vec<usize> = found.iter().map(|(i, _)| *i).collect();
    for (component, it) in found {
        let number = assumptions.len();
        let alone = process::compose(network, &[component], u64::MAX, cx)?;
        let entry = |state: u32| it.entry[it.class_of[state as usize] as usize];
        let visible = |label| it.assumption.lts.has_label(label);
        let pairs = proof::follow(&it.process, entry, visible, cx)?;
        let sizes = vec![alone.sizes[0], it.assumption.lts.states() as u32];
        let vectors = pairs.iter().map(|(s, c)| vec![alone.vector(*s)[0], *c]);
        premises.push(Premise {
            components: vec![component],
            assumptions: Vec::new(),
            guarantee: Guarantee::Assumption(number),
            relation: proof::pack(sizes, vectors)?.into(),
        });
        let name = format!("A{}", number + 1);
        assumptions.push(Assumption {
            lts: it.assumption.lts.named(name),
            ..it.assumption
        });
    }
    let components = (0..network.components.len()).filter(|i| !replaced.contains(i));
    let components: Vec<usize> = components.collect();
    let plain = components.iter().map(|i| &network.components[*i].lts);
    let parts: Vec<_> = plain.chain(assumptions.iter().map(|a| &a.lts)).collect();
    let property_lts = &network.properties[property].lts;
    let Some(relation) = proof::prove(&parts, property_lts, network, run, cx)? else {
        return Ok(None);
    };
    premises.push(Premise {
        components,
        assumptions: (0..assumptions.len()).collect(),
        guarantee: Guarantee::Property(property),
        relation: relation.into(),
    });
    Ok(Some(Certificate {
        claim: Claim::Property(property),
        assumptions,
        premises,
        liveness: None,
    }))
}
