//! Can a system do what a behaviour of its quotient does? If not, which classes are to be split? (Fig. 6.2 of the thesis.)
//!
//! Only simulations that relate a node to states of the class it is mapped to are looked for. Different targets of a distribution of
//! the quotient are different classes, so there is one way only in which a distribution of the system can match it: it must be
//! lifted to it, and every target must be related to the node of its class. No flow needs to be computed.

use suppose_control::{Context, Stopped};
use suppose_model::mdp::{DistId, Lpts, State};

use super::partition::{Classes, Quotient};
use super::projection::{Projection, ShadowStep};

/// A system and its quotient.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Abstracted<'a> {
    /// The system.
    pub concrete: &'a Lpts,
    /// The partition.
    pub classes: &'a Classes,
    /// The quotient by it.
    pub quotient: &'a Quotient,
}

/// For every node of a projection the states that can do what is below it; none stands for the whole class.
#[derive(Clone, Debug)]
pub(crate) struct Related {
    sets: Vec<Option<Vec<State>>>,
}

/// What came out.
#[derive(Clone, Debug)]
pub(crate) enum Finding {
    /// The system can do it.
    Real(Related),
    /// It cannot: separating each of these sets from what else is in its class makes the quotient finer.
    Spurious(Vec<Vec<State>>),
}

/// Which classes a spurious counterexample splits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Splitting {
    /// Those at the first node that cannot be followed, as in the thesis.
    First,
    /// Those at every node that cannot be followed though what comes after it can.
    #[default]
    All,
}

impl Abstracted<'_> {
    /// The first choice of a state that matches a step of the quotient, as far as is related.
    pub fn matching(&self, related: &Related, step: &ShadowStep, state: State) -> Option<DistId> {
        let mut choices = self.concrete.choices_on(state, step.label).iter();
        let found = choices.find(|choice| {
            self.quotient.lifted[choice.dist.index()] == step.dist
                && self.follows(related, step, choice.dist)
        })?;
        Some(found.dist)
    }

    fn follows(&self, related: &Related, step: &ShadowStep, dist: DistId) -> bool {
        let image = self.quotient.lpts.dist(step.dist).targets();
        self.concrete.dist(dist).targets().iter().all(|target| {
            let class = self.classes.of(*target);
            let place = image.binary_search(&class);
            place.is_ok_and(|place| {
                let node = step.children[place] as usize;
                match &related.sets[node] {
                    None => true,
                    Some(states) => states.binary_search(target).is_ok(),
                }
            })
        })
    }

    /// Checks a behaviour of the quotient from its leaves up.
    pub fn blame(
        &self,
        shadow: &Projection,
        splitting: Splitting,
        cx: &Context,
    ) -> Result<Finding, Stopped> {
        let members = self.classes.members();
        let mut related = Related {
            sets: vec![None; shadow.nodes.len()],
        };
        let mut failed = vec![false; shadow.nodes.len()];
        let mut splits = Vec::new();
        for node in (0..shadow.nodes.len()).rev() {
            let steps = &shadow.nodes[node].steps;
            let below = steps.iter().flat_map(|s| &s.children);
            if below.into_iter().any(|c| failed[*c as usize]) {
                failed[node] = true;
                continue;
            }
            let class = &members[shadow.nodes[node].state as usize];
            let asked = if node == 0 {
                Some(self.concrete.initial())
            } else {
                None
            };
            if let Some(split) = self.node(node, shadow, class, asked, &mut related, cx)? {
                failed[node] = true;
                splits.extend(split);
                if splitting == Splitting::First {
                    break;
                }
            }
        }
        Ok(match splits.is_empty() {
            true => Finding::Real(related),
            false => Finding::Spurious(splits),
        })
    }

    /// Relates one node, whose children are related, or says what to split. The state that is asked for must be related.
    fn node(
        &self,
        node: usize,
        shadow: &Projection,
        class: &[State],
        asked: Option<State>,
        related: &mut Related,
        cx: &Context,
    ) -> Result<Option<Vec<Vec<State>>>, Stopped> {
        for step in &shadow.nodes[node].steps {
            let before = related.sets[node].take();
            let old: &[State] = before.as_deref().unwrap_or(class);
            let mut now = Vec::with_capacity(old.len());
            for (count, state) in old.iter().enumerate() {
                if count % 1024 == 0 {
                    cx.check()?;
                }
                if self.matching(related, step, *state).is_some() {
                    now.push(*state);
                }
            }
            if now.is_empty() {
                let mut splits = vec![old.to_vec()];
                let children = step.children.iter();
                splits.extend(children.filter_map(|c| related.sets[*c as usize].clone()));
                return Ok(Some(splits));
            }
            if asked.is_some_and(|asked| now.binary_search(&asked).is_err()) {
                let lost = old.iter().filter(|s| now.binary_search(s).is_err());
                return Ok(Some(vec![lost.copied().collect()]));
            }
            related.sets[node] = Some(now);
        }
        Ok(None)
    }
}
