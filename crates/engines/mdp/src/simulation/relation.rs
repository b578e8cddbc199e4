//! A simulation as evidence: matches and weight functions, pair by pair.

use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_model::lts::{Label, State};
use suppose_model::mdp::{
    Dist, DistId, Flow, Lpts, Match, Product, Relation, Weight, Weights, Whole,
};

use super::Pairs;
use super::local::{LocalLimits, range_on};
use super::screen::Seen;
use super::table::{Mark, Table};
use crate::flow::{EDGE, GOOD, Matcher};

/// Writes a simulation of a product down so that it can be checked pair by pair. `whole` is the product of `parts`, built, and
/// `pairs` what [`super::simulate`] found for it and `right`.
///
/// Only pairs that are needed, starting from the initial one, are written.
pub fn relation(
    parts: &[&Lpts],
    whole: &Whole,
    right: &Lpts,
    seen: &[Label],
    pairs: &Pairs,
    cx: &Context,
) -> Result<Relation, Stopped> {
    let bytes = 40 * pairs.pairs.len() + 24 * whole.lpts.states();
    cx.reserve(bytes as u64)?;
    let product = Product::new(parts);
    let records = whole.states.iter().enumerate();
    let mut table = Table::new(
        whole.lpts.states(),
        right.states(),
        LocalLimits::default().dense,
    );
    for (s, t) in &pairs.pairs {
        table.set(*s, *t, AVAILABLE);
    }
    let mut writer = Writer {
        product,
        whole,
        right,
        seen: Seen(seen),
        known: records
            .map(|(state, record)| (record, state as State))
            .collect(),
        table,
        order: Vec::new(),
        matcher: Matcher::default(),
        relation: Relation {
            parts: parts.len(),
            ..Relation::default()
        },
    };
    writer.need((whole.lpts.initial(), right.initial()));
    let mut next = 0;
    while next < writer.order.len() {
        cx.check()?;
        writer.pair(next);
        next += 1;
    }
    Ok(writer.relation)
}

/// In the simulation.
const AVAILABLE: Mark = Mark::Live(0);
/// In what is written.
const TAKEN: Mark = Mark::Live(1);

struct Writer<'a> {
    product: Product<'a>,
    whole: &'a Whole,
    right: &'a Lpts,
    seen: Seen<'a>,
    /// The states by their records.
    known: FxHashMap<&'a [u64], State>,
    table: Table,
    order: Vec<(State, State)>,
    matcher: Matcher,
    relation: Relation,
}

impl Writer<'_> {
    fn need(&mut self, pair: (State, State)) {
        if self.table.get(pair.0, pair.1) != TAKEN {
            self.table.set(pair.0, pair.1, TAKEN);
            self.order.push(pair);
        }
    }

    fn pair(&mut self, number: usize) {
        let (s, t) = self.order[number];
        let vector = self.whole.vector(s);
        self.relation.left.extend_from_slice(&vector);
        self.relation.right.push(t);
        let mut choices = Vec::new();
        self.product.choices(&vector, |label, moves| {
            choices.push((label, moves.to_vec()))
        });
        for (label, moves) in choices {
            let (targets, weights) = self.branches(&vector, &moves);
            let choice = self.same(s, label, &targets, &weights);
            self.choice(t, label, choice, &targets);
        }
    }

    /// The states that a choice of the product leads to, and their weights, in the order of the product.
    fn branches(&self, vector: &[State], moves: &[Option<DistId>]) -> (Vec<State>, Vec<Weight>) {
        let layout = self.whole.states.layout();
        let mut record = vec![0; layout.words()];
        let (mut targets, mut weights) = (Vec::new(), Vec::new());
        self.product.branches(vector, moves, |next, weight| {
            for (slot, value) in next.iter().enumerate() {
                layout.set(&mut record, slot, *value);
            }
            targets.push(self.known.get(record.as_slice()).copied().unwrap_or(0));
            weights.push(weight);
        });
        (targets, weights)
    }

    /// The same choice in the product as it was built.
    fn same(&self, s: State, label: Label, targets: &[State], weights: &[Weight]) -> DistId {
        let whole = &self.whole.lpts;
        let choices = whole.choices_on(s, label);
        let same = choices.iter().find(|choice| {
            let dist = whole.dist(choice.dist);
            let equal = |(target, weight)| has(dist, target, weight);
            dist.len() == targets.len() && targets.iter().zip(weights).all(equal)
        });
        // It was built from the same parts, so there is one.
        same.or(choices.first()).map_or(DistId(0), |c| c.dist)
    }

    /// Matches a choice with one of the right state.
    fn choice(&mut self, t: State, label: Label, dist: DistId, targets: &[State]) {
        let whole = self.whole;
        let left = whole.lpts.dist(dist);
        let as_choice = suppose_model::mdp::Choice { label, dist };
        let (from, upto) = range_on(self.right, t, self.seen, as_choice);
        for with in from..upto {
            let right = self.right.dist(self.right.all_choices()[with].dist);
            let table = &self.table;
            let related = self.matcher.related(left, right, |row, column| {
                match table.get(left.targets()[row], right.targets()[column]) {
                    TAKEN => GOOD,
                    AVAILABLE => EDGE,
                    _ => 0,
                }
            });
            if !related {
                continue;
            }
            for (row, s) in left.targets().iter().enumerate() {
                for (column, t) in right.targets().iter().enumerate() {
                    if self.matcher.uses(row, column) {
                        self.need((*s, *t));
                    }
                }
            }
            self.weights(left, right, targets);
            let choice = (with - self.right.choice_range(t).start) as u32;
            self.relation.matches.push(Match { choice });
            return;
        }
        // Only if `pairs` is no simulation; the checker refuses it.
        self.relation.matches.push(Match { choice: 0 });
    }

    /// The weight function, unless it is forced, with places as in the product.
    fn weights(&mut self, left: Dist<'_>, right: Dist<'_>, targets: &[State]) {
        if left.len() == 1 || right.len() == 1 {
            return;
        }
        let mut flows: Vec<Flow> = self.matcher.weights(left, right);
        for flow in &mut flows {
            let state = left.targets()[flow.from as usize];
            let place = targets.iter().position(|target| *target == state);
            flow.from = place.unwrap_or(0) as u32;
        }
        flows.sort_by_key(|flow| (flow.from, flow.to));
        let place = self.relation.matches.len() as u64;
        self.relation.weights.push((place, flows));
    }
}

/// Does the distribution have that target with that weight?
fn has(dist: Dist<'_>, target: &State, weight: &Weight) -> bool {
    let Ok(at) = dist.targets().binary_search(target) else {
        return false;
    };
    match (dist.weights(), weight) {
        (Weights::Small(all), Weight::Small(weight)) => all[at] == *weight,
        (_, Weight::Small(weight)) => dist.weight(at) == suppose_number::Int::from(*weight),
        (_, Weight::Big(weight)) => dist.weight(at) == *weight,
    }
}
