//! Compositional minimisation: deadlock and liveness without the states of the whole composition.
//!
//! Components are composed a few at a time. Labels that no other component has are hidden, and each intermediate result is replaced by its quotient under divergence-sensitive
//! branching bisimulation, which preserves deadlock in every context. The module `order` chooses the order. At
//! the end the remaining composition is explored; a deadlock there is translated into a run of the components (`run`), and if there is none, the
//! quotients with their relations are the proof (`proof`).
//!
//! For a claim about liveness (`live`) the labels that it speaks of are kept as well, one for all that have the same effect on it. A claim about all runs needs the same equivalence. One about
//! fair choice does not see divergence, since a run that never does anything any more is as good as one that stops, so plain branching bisimulation is enough.

mod live;
mod order;
mod proof;
mod run;
mod step;

use std::time::Instant;

use suppose_control::{Context, Event, Stopped};
use suppose_model::lts::{ComponentKind, Label, Liveness, Lts, LtsBuilder, Network, PackedStates};
use suppose_model::{Answer, Claim, Counterexample, Reason, Run, Verdict};

use crate::explore::{Exploration, Goal, Pause};
use crate::product::Product;
use crate::with_width;
pub use live::{check as check_liveness, is_indivisible, unsuitable as unsuitable_for};
use order::Order;
use step::Step;

/// Decides freedom from deadlock in parts.
pub fn check(network: &Network, cx: &Context) -> Answer {
    let begun = Instant::now();
    let mut run = Run::default();
    let verdict = match unsuitable(network) {
        Some(why) => Verdict::Unknown(Reason::Unsupported(why.to_owned())),
        None => decide(network, &mut run, cx).unwrap_or_else(Verdict::Unknown),
    };
    run.elapsed = begun.elapsed();
    Answer {
        claim: Claim::DeadlockFree,
        engine: "minimise".to_owned(),
        verdict,
        run,
    }
}

fn decide(network: &Network, run: &mut Run, cx: &Context) -> Result<Verdict, Reason> {
    let mut forest = Forest::new(network, None);
    let found = forest.reduce(run, cx, &mut Forest::explore_rest)?;
    Ok(match found {
        Found::None(states) => Verdict::Holds(Box::new(proof::certificate(&forest, states))),
        Found::Deadlock(path) => Verdict::Violated(forest.run_along(&path)?),
    })
}

/// Why a system cannot be taken apart, if so.
pub(crate) fn unsuitable(network: &Network) -> Option<&'static str> {
    if network.priority.is_some() {
        return Some("with priority, the parts do not determine the whole");
    }
    let free = network.free_labels();
    let is_free = |l: &Label| free.binary_search(l).is_ok();
    let is_environment = |kind| kind == ComponentKind::Environment;
    let mut others = network.components.iter();
    let takes_part =
        others.any(|c| is_environment(c.kind) && !c.lts.alphabet().iter().all(is_free));
    takes_part.then_some("an environment takes part in what processes do")
}

/// A member of a composition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The component of that number.
    Component(usize),
    /// The quotient that a step made of its members.
    Step(usize),
}

/// An LTS that is still to be composed.
#[derive(Clone, Debug)]
struct Item {
    part: Part,
    lts: Lts,
}

/// The steps so far, and the items that remain.
struct Forest<'a> {
    network: &'a Network,
    /// What is asked; freedom from deadlock if none.
    claim: Option<&'a Liveness>,
    /// A label beyond those of the network. Components have a loop with it where they must be for a stop to be success, so
    /// that a stop is success if and only if this label can still happen.
    ended: Label,
    items: Vec<Item>,
    steps: Vec<Step>,
}

/// The result of exploring the remaining composition.
enum Found {
    /// No deadlock: the states.
    None(PackedStates),
    /// A run to a deadlock: labels, each with the states of the items after it.
    Deadlock(Vec<(Label, Vec<u32>)>),
}

impl<'a> Forest<'a> {
    fn new(network: &'a Network, claim: Option<&'a Liveness>) -> Self {
        let ended = Label(network.labels.len() as u32);
        let item = |number: usize| Item {
            part: Part::Component(number),
            lts: match claim {
                None => with_end(network, number, ended),
                Some(_) => network.components[number].lts.clone(),
            },
        };
        Forest {
            network,
            claim,
            ended,
            items: network.processes().into_iter().map(item).collect(),
            steps: Vec::new(),
        }
    }

    /// The number of labels, that of the end included.
    fn labels(&self) -> usize {
        self.ended.index() + 1
    }

    /// Composes and minimises until the rest can be decided.
    fn reduce<F>(
        &mut self,
        run: &mut Run,
        cx: &Context,
        rest: &mut impl FnMut(&Self, &mut Run, &Context) -> Result<F, Reason>,
    ) -> Result<F, Reason> {
        let mut order = Order::default();
        self.reduce_components(run, cx)?;
        loop {
            if self.items.len() <= 2 {
                return rest(self, run, cx);
            }
            cx.emit(Event::Phase(format!("{} parts left", self.items.len())));
            if let Some((pair, step)) = order.next(self, run, cx)? {
                self.replace(&pair, step);
                continue;
            }
            // Every pair becomes large: perhaps all together are not.
            let within = cx.with_state_limit(order.limit());
            match rest(self, run, &within) {
                Ok(found) => return Ok(found),
                Err(reason) => cx.check().map_err(|_| reason)?,
            }
            order.allow_more().ok_or(Reason::Memory)?;
        }
    }

    fn run_along(&self, path: &[(Label, Vec<u32>)]) -> Result<Counterexample, Reason> {
        let lost = || Reason::Internal("a deadlock of the parts has no run of the whole".into());
        run::lift(self, path).ok_or_else(lost)
    }

    /// Hides the labels that a single component has.
    fn reduce_components(&mut self, run: &mut Run, cx: &Context) -> Result<(), Reason> {
        for at in 0..self.items.len() {
            let step = step::build(self, &[at], cx)?.filter(|s| {
                let before = self.items[at].lts.states();
                s.lts.states() < before
            });
            if let Some(step) = step {
                step.count(run);
                let part = Part::Step(self.steps.len());
                let lts = step.lts.clone();
                self.items[at] = Item { part, lts };
                self.steps.push(step);
            }
        }
        self.sort();
        Ok(())
    }

    /// Replaces the members of a step by its quotient.
    fn replace(&mut self, pair: &[usize; 2], step: Step) {
        let item = Item {
            part: Part::Step(self.steps.len()),
            lts: step.lts.clone(),
        };
        self.steps.push(step);
        let [first, second] = *pair;
        self.items.remove(first.max(second));
        self.items[first.min(second)] = item;
        self.sort();
    }

    /// Evidence about liveness names components first.
    fn sort(&mut self) {
        if self.claim.is_some() {
            self.items.sort_by_key(|i| matches!(i.part, Part::Step(_)));
        }
    }

    fn explore_rest(&self, run: &mut Run, cx: &Context) -> Result<Found, Reason> {
        let parts: Vec<&Lts> = self.items.iter().map(|i| &i.lts).collect();
        let product = Product::new(&parts, None, self.labels());
        let words = product.layout().words();
        let found = with_width!(words, explore(&product, run, cx), else {
            let why = format!("a state of this system takes {words} words of 64 bits, more than the engine packs");
            return Err(Reason::Unsupported(why));
        });
        Ok(found?)
    }
}

/// A component with a loop where it has ended, without its own mark of that.
fn with_end(network: &Network, number: usize, ended: Label) -> Lts {
    let lts = &network.components[number].lts;
    let mut builder = LtsBuilder::like(lts).without_end();
    builder.extend_alphabet(lts.alphabet().iter().copied());
    for (source, label, target) in lts.all_edges() {
        builder.edge(source, label, target);
    }
    match &network.success {
        // A stop is never success: nobody needs to know of it.
        None => {}
        Some(ends) => {
            if let Some(end) = ends[number] {
                builder.edge(end, ended, end);
            }
        }
    }
    builder.build()
}

fn explore<const W: usize>(
    product: &Product,
    run: &mut Run,
    cx: &Context,
) -> Result<Found, Stopped> {
    let mut exploration = Exploration::<W>::new(product);
    let pause = exploration.run(product, Goal::Deadlocks, cx);
    let states = exploration.states() as u64;
    run.states += states;
    run.largest = run.largest.max(states);
    run.transitions += exploration.transitions();
    Ok(match pause? {
        Pause::Deadlock { state } => {
            let path = exploration.path_to(product, state);
            let after = path.records[1..].iter();
            let after = after.map(|record| product.layout().unpack(record));
            Found::Deadlock(path.labels.into_iter().zip(after).collect())
        }
        Pause::Complete | Pause::Violation { .. } => Found::None(exploration.into_states(product)),
    })
}
