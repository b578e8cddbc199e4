//! Probabilistic systems: a step is a choice, with a distribution over its outcomes.

use suppose_model::lts::{Label, State as Local};
use suppose_model::mdp::{Counterexample, DistId, Product, System, Weight};
use suppose_number::{Int, Rat};

use super::{
    EnabledStep, Ending, Enumeration, Failed, Leads, Path, PathStep, State, Status, StepOutcome,
    Steps, Violation, foreign,
};

/// The most choices, or outcomes of one, that are listed: those of the components multiply.
const MOST: usize = 10_000;

/// The action, and for each component its distribution if it takes part.
type Choice = (Label, Vec<Option<DistId>>);

/// A probabilistic system, step by step.
#[derive(Debug)]
pub struct ProbabilisticSteps<'a> {
    system: &'a System,
    product: Product<'a>,
}

impl<'a> ProbabilisticSteps<'a> {
    /// Of a system.
    pub fn new(system: &'a System) -> Self {
        ProbabilisticSteps {
            system,
            product: Product::new(&system.parts()),
        }
    }

    fn check<'s>(&self, state: &'s State) -> Result<&'s [Local], Failed> {
        let parts = self.product.parts();
        let words = state.words();
        let fits =
            |(part, at): (&&suppose_model::mdp::Lpts, &Local)| (*at as usize) < part.states();
        match words.len() == parts.len() && parts.iter().zip(words).all(fits) {
            true => Ok(words),
            false => Err(foreign()),
        }
    }

    fn choices(&self, now: &[Local]) -> (Vec<Choice>, bool) {
        let mut found = Vec::new();
        let mut more = false;
        self.product
            .choices(now, |label, moves| match found.len() < MOST {
                true => found.push((label, moves.to_vec())),
                false => more = true,
            });
        (found, more)
    }

    fn step(
        &self,
        now: &[Local],
        label: Label,
        moves: &[Option<DistId>],
    ) -> Result<EnabledStep, Failed> {
        let parts = self.product.parts();
        let sizes = parts.iter().zip(moves);
        let sizes = sizes.map(|(part, dist)| dist.map_or(1, |d| part.dist(d).len()));
        let size = sizes.fold(1usize, usize::saturating_mul);
        if size > MOST {
            let label = self.system.labels.display(label);
            let why = format!("`{label}` has {size} outcomes, more than can be listed");
            return Err(Failed::Model(why));
        }
        let mut weights: Vec<(State, Int)> = Vec::new();
        self.product.branches(now, moves, |next, weight| {
            let weight = match weight {
                Weight::Small(w) => Int::from(w),
                Weight::Big(w) => w,
            };
            weights.push((State::new(next), weight));
        });
        let total = weights.iter().fold(Int::ZERO, |sum, (_, w)| &sum + w);
        let certain = weights.len() == 1;
        let outcome = |(state, weight): (State, Int)| StepOutcome {
            probability: (!certain).then(|| Rat::new(weight, total.clone())),
            leads: Leads::To(state),
        };
        let who = self.system.components.iter().zip(moves);
        let who = who.filter(|(_, dist)| dist.is_some());
        Ok(EnabledStep {
            label: self.system.labels.display(label),
            actors: who.map(|(c, _)| c.lpts.name().to_owned()).collect(),
            place: None,
            outcomes: weights.into_iter().map(outcome).collect(),
        })
    }

    /// The path in a tree to one of its nodes, in steps of the system.
    fn follow(
        &self,
        run: &Counterexample,
        reached: &[Option<Reached>],
        node: usize,
    ) -> Result<(State, Vec<PathStep>), Failed> {
        let tree = &run.tree;
        let mut way = vec![node as Local];
        let mut at = node;
        while at != 0 {
            // Branches lead to higher numbers, so this ends.
            let here = reached.get(at).and_then(Option::as_ref);
            let above = here.and_then(|r| r.above).filter(|above| *above < at);
            at = above.ok_or_else(|| Failed::Run("the tree is not connected".to_owned()))?;
            way.push(at as Local);
        }
        way.reverse();
        let vector = |n: Local| {
            let states = run.states.get(n as usize);
            states.map(|s| State::new(&s[..])).ok_or_else(foreign)
        };
        let start = vector(0)?;
        let mut steps = Vec::new();
        for pair in way.windows(2) {
            let &[from, to] = pair else { continue };
            let (state, next) = (vector(from)?, vector(to)?);
            let now = self.check(&state)?;
            let mut labels = tree.choices(from).iter();
            let label = labels
                .find(|c| tree.dist(c.dist).targets().contains(&to))
                .map(|c| c.label);
            let mut found = None;
            for (other, moves) in self.choices(now).0 {
                if Some(other) == label && found.is_none() {
                    let step = self.step(now, other, &moves)?;
                    found = step.leading_to(&next).map(|outcome| (step, outcome));
                }
            }
            let Some((step, outcome)) = found else {
                let why = format!("step {} cannot be taken there", steps.len() + 1);
                return Err(Failed::Run(why));
            };
            steps.push(PathStep {
                step,
                outcome,
                remarks: Vec::new(),
            });
        }
        Ok((start, steps))
    }

    /// The path to a deadlock.
    pub fn follow_deadlock(&self, run: &Counterexample) -> Result<Path, Failed> {
        let last = run.states.len().saturating_sub(1);
        let (start, steps) = self.follow(run, &reached(run), last)?;
        Ok(Path {
            start: Some(start),
            steps,
            loops_to: None,
            shows: Violation {
                property: "deadlock".to_owned(),
                why: "no choice is enabled".to_owned(),
            },
            remarks: Vec::new(),
        })
    }

    /// Of a tree that shows that a property does not hold: the path to its most likely leaf. A tree is a run only where it does not
    /// branch; remarks mention the other branches. `property` is its name.
    pub fn follow_tree(&self, run: &Counterexample, property: &str) -> Result<Path, Failed> {
        let reached = reached(run);
        let mut best: Option<(usize, &Rat)> = None;
        let mut leaves = 0;
        for (node, here) in reached.iter().enumerate() {
            let Some(here) = here else { continue };
            if !run.tree.choices(node as Local).is_empty() {
                continue;
            }
            leaves += 1;
            if best.is_none_or(|(_, most)| *most < here.chance) {
                best = Some((node, &here.chance));
            }
        }
        let (leaf, chance) = best.ok_or_else(|| Failed::Run("the tree has no leaf".to_owned()))?;
        let (start, steps) = self.follow(run, &reached, leaf)?;
        let remarks = match leaves {
            1 => Vec::new(),
            _ => vec![format!(
                "the counterexample is a tree with {leaves} leaves; this is the way to the likeliest, with probability {chance}"
            )],
        };
        Ok(Path {
            start: Some(start),
            steps,
            loops_to: None,
            shows: Violation {
                property: property.to_owned(),
                why: "the tree shows it as a whole".to_owned(),
            },
            remarks,
        })
    }
}

/// How a node of a tree is reached most likely.
struct Reached {
    /// With that probability, if the choices are taken.
    chance: Rat,
    /// From that node; none for the root.
    above: Option<usize>,
}

fn reached(run: &Counterexample) -> Vec<Option<Reached>> {
    let tree = &run.tree;
    let nodes = run.states.len().min(tree.states());
    let mut reached: Vec<Option<Reached>> = (0..nodes).map(|_| None).collect();
    if let Some(root) = reached.first_mut() {
        *root = Some(Reached {
            chance: Rat::from(1),
            above: None,
        });
    }
    for node in 0..nodes {
        let Some(here) = reached[node].as_ref().map(|r| r.chance.clone()) else {
            continue;
        };
        for choice in tree.choices(node as Local) {
            for (target, p) in tree.dist(choice.dist).probabilities() {
                let chance = &here * &p;
                if let Some(slot) = reached.get_mut(target as usize)
                    && slot.as_ref().is_none_or(|old| old.chance < chance)
                {
                    let above = Some(node);
                    *slot = Some(Reached { chance, above });
                }
            }
        }
    }
    reached
}

impl Steps for ProbabilisticSteps<'_> {
    fn initial(&mut self) -> Result<Enumeration<State>, Failed> {
        let initials = self.product.initials();
        Ok(Enumeration::all(
            initials.into_iter().map(State::new).collect(),
        ))
    }

    fn enabled(&mut self, state: &State) -> Result<Enumeration<EnabledStep>, Failed> {
        let now = self.check(state)?;
        let (choices, more) = self.choices(now);
        let steps = choices.iter();
        let steps = steps.map(|(label, moves)| self.step(now, *label, moves));
        let list: Result<Vec<EnabledStep>, Failed> = steps.collect();
        Ok(Enumeration { list: list?, more })
    }

    fn show(&self, state: &State) -> Vec<(String, String)> {
        let Ok(now) = self.check(state) else {
            return Vec::new();
        };
        let mut shown = Vec::new();
        for (component, at) in self.system.components.iter().zip(now) {
            match component.lpts.state_values(*at) {
                Some(values) => shown.extend(values),
                None => {
                    let name = component.lpts.name().to_owned();
                    shown.push((name, component.lpts.state_name(*at)));
                }
            }
        }
        shown
    }

    fn status(&mut self, state: &State) -> Result<Status, Failed> {
        let now = self.check(state)?;
        let mut stuck = true;
        self.product.choices(now, |_, _| stuck = false);
        let why = || Ending::Deadlock("no choice is enabled".to_owned());
        Ok(Status {
            ending: stuck.then(why),
            violated: Vec::new(),
        })
    }
}
