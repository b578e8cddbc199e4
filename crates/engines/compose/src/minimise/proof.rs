//! Certificates: a premise for every step, and why what was left has no deadlock or satisfies the claim.

use suppose_model::lts::{Label, Layout, Lts, LtsBuilder, PackedStates};
use suppose_model::{Assumption, Certificate, Claim, Guarantee, LivenessProof, Premise};

use super::step::Step;
use super::{Forest, Item, Part};

/// The proof; `rest` are the states of all that was left.
pub(super) fn certificate(forest: &Forest, rest: PackedStates) -> Certificate {
    let (assumptions, mut premises) = replacements(forest);
    let parts: Vec<Part> = forest.items.iter().map(|i| i.part).collect();
    let (order, members) = sorted(&parts);
    let rest = reordered(&rest, &order);
    premises.push(premise(members, Guarantee::DeadlockFree, rest));
    Certificate {
        claim: Claim::DeadlockFree,
        assumptions,
        premises,
        liveness: None,
    }
}

/// The proof of a claim about liveness. The items are in the order of [`sorted`], and `rest` is why it holds of them.
pub(super) fn of_liveness(forest: &Forest, claim: Claim, rest: LivenessProof) -> Certificate {
    let (assumptions, premises) = replacements(forest);
    let part = |item: &Item| match item.part {
        Part::Component(number) => Err(number),
        Part::Step(number) => Ok(number),
    };
    let parts = LivenessProof::Parts {
        components: forest.items.iter().filter_map(|i| part(i).err()).collect(),
        assumptions: forest.items.iter().filter_map(|i| part(i).ok()).collect(),
        rest: Box::new(rest),
    };
    Certificate {
        claim,
        assumptions,
        premises,
        liveness: Some(Box::new(parts)),
    }
}

/// The quotients, and why each may take the place of its members.
fn replacements(forest: &Forest) -> (Vec<Assumption>, Vec<Premise>) {
    let assumptions = forest.steps.iter().enumerate().map(|(number, step)| {
        let name = format!("R{}", number + 1);
        Assumption {
            lts: without(&step.lts, forest.ended).named(name),
            nodes: Vec::new(),
        }
    });
    let of_steps = forest.steps.iter().enumerate().map(|(number, step)| {
        let (order, members) = sorted(&step.members);
        premise(
            members,
            Guarantee::Assumption(number),
            relation(step, &order),
        )
    });
    (assumptions.collect(), of_steps.collect())
}

/// Components first: the places of the parts in that order, and the parts.
pub(super) fn sorted(parts: &[Part]) -> (Vec<usize>, Vec<Part>) {
    let is_step = |at: &usize| matches!(parts[*at], Part::Step(_));
    let (steps, mut order): (Vec<usize>, Vec<usize>) = (0..parts.len()).partition(is_step);
    order.extend(steps);
    let members = order.iter().map(|at| parts[*at]).collect();
    (order, members)
}

fn premise(members: Vec<Part>, guarantee: Guarantee, relation: PackedStates) -> Premise {
    let component = |part: &Part| match part {
        Part::Component(number) => Some(*number),
        Part::Step(_) => None,
    };
    let assumption = |part: &Part| match part {
        Part::Component(_) => None,
        Part::Step(number) => Some(*number),
    };
    Premise {
        components: members.iter().filter_map(component).collect(),
        assumptions: members.iter().filter_map(assumption).collect(),
        guarantee,
        relation: relation.into(),
    }
}

/// Every state of a step with its class.
fn relation(step: &Step, order: &[usize]) -> PackedStates {
    let classes = (step.class.iter().copied(), step.lts.states() as u32);
    with_last(&step.whole.states, order, Some(classes))
}

fn reordered(states: &PackedStates, order: &[usize]) -> PackedStates {
    with_last(states, order, None::<(std::iter::Empty<u32>, u32)>)
}

/// Vectors with their slots in another order, and perhaps one more slot, of so many values.
fn with_last(
    states: &PackedStates,
    order: &[usize],
    last: Option<(impl Iterator<Item = u32>, u32)>,
) -> PackedStates {
    let old = states.layout();
    let size = |slot: &usize| u32::try_from(old.place(*slot).2 + 1).unwrap_or(u32::MAX);
    let (mut classes, count) = match last {
        Some((classes, count)) => (Some(classes), Some(count)),
        None => (None, None),
    };
    let layout = Layout::new(order.iter().map(size).chain(count));
    let mut vectors = PackedStates::new(layout.clone());
    let mut record = vec![0; layout.words()];
    for state in states.iter() {
        for (slot, from) in order.iter().enumerate() {
            layout.set(&mut record, slot, old.get(state, *from));
        }
        if let Some(class) = classes.as_mut().and_then(Iterator::next) {
            layout.set(&mut record, order.len(), class);
        }
        vectors.push(&record);
    }
    vectors
}

/// Without the loops that say where a process has ended: the checker finds that out by itself.
fn without(lts: &Lts, label: Label) -> Lts {
    let mut builder = LtsBuilder::like(lts);
    let others = lts.alphabet().iter().copied().filter(|l| *l != label);
    builder.extend_alphabet(others);
    for (source, l, target) in lts.all_edges().filter(|e| e.1 != label) {
        builder.edge(source, l, target);
    }
    builder.build()
}
