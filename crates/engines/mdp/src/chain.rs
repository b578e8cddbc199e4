//! The rule for groups of components one behind the other (ASym-N of the thesis), by abstraction refinement.
//!
//! Assumption `i - 1` is a quotient of group `i` with assumption `i`, so every premise but the first holds by construction. A
//! counterexample to the first is carried from level to level (Fig. 6.6): its projection onto the assumption is followed in what
//! the assumption abstracts, and where that fails, classes are split; where it succeeds, the assumption is replaced by what it abstracts
//! and the next level is asked. What passes all levels is a behaviour of the whole system.
//!
//! Unlike the thesis, which begins with one class again on the levels before a refined one, we carry their classes over: a state of the finer
//! product is put into the class of the state it comes from.
//!
//! # Measured
//! On the models of `suppose bench markov`, development build, memory beyond what the parts take: the arbiter with 4 users in 0.10 s and 1.6 MB
//! (1,395 states at most, 3 rounds) where composing everything takes 2.8 s and 41 MB (109,525 states); with 10 users 0.75 s and 9 MB.
//! The sensor network with 3 sensors in 1.2 s and 7 MB (4,986 states, 50 rounds), composed 1.9 s and 85 MB; with 4 sensors 10 s and
//! 33 MB. Clients and servers that all fail need nearly every state apart: 9.5 s and 337 rounds for 4, composed 0.03 s. Splitting at the first
//! failing node only or at all made no difference on these. Beginning with enabled actions apart saves all rounds
//! of the sensor network (0.7 s) but needs 243 classes instead of 35, and six times the memory. The order matters: with the process
//! before the channel 12 s instead of 1.2 s.

use suppose_control::{Context, Stopped};
use suppose_model::mdp::{Certificate, Lpts, System, Whole};
use suppose_model::{Round, Run};
use suppose_refine::{Abstraction, Analysed, Checked};

use crate::abstraction::{
    Behaviour, Classes, Finding, Level, NoSuchStep, Projection, Splitting, quotient,
};
use crate::product::build;
use crate::proof::lifted;
use crate::simulation::{Pairs, Simulation, relation, simulate};

/// How to refine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ChainOptions {
    /// Begin with one class for every set of enabled actions instead of one class.
    pub enabled: bool,
    /// Which classes to split.
    pub splitting: Splitting,
}

/// The abstraction that is refined.
#[derive(Debug)]
pub(crate) struct Chain<'a> {
    system: &'a System,
    spec: &'a Lpts,
    groups: Vec<Vec<usize>>,
    first: Vec<&'a Lpts>,
    /// Of groups 1, 2, ...
    levels: Vec<Level<'a>>,
    options: ChainOptions,
    propositions: Vec<u32>,
    /// Classes that were ever made.
    made: u64,
    proved: Option<(Whole, Pairs)>,
    pub run: Run,
}

/// A behaviour that does not conform, and the product whose behaviour it is.
pub(crate) struct Found {
    tree: suppose_model::mdp::Tree,
    whole: Whole,
}

impl<'a> Chain<'a> {
    /// Begins. There are at least two groups, and every component is in one of them.
    pub fn new(
        system: &'a System,
        spec: &'a Lpts,
        groups: Vec<Vec<usize>>,
        options: ChainOptions,
        cx: &Context,
    ) -> Result<Self, Stopped> {
        let parts = |group: &Vec<usize>| system.members(group);
        let mut chain = Chain {
            system,
            spec,
            first: parts(&groups[0]),
            levels: Vec::new(),
            options,
            propositions: spec.propositions().iter().map(|p| p.0).collect(),
            made: 0,
            proved: None,
            run: Run {
                groups: groups.clone(),
                ..Run::default()
            },
            groups,
        };
        for group in chain.groups[1..].iter().rev() {
            let group = parts(group);
            let mut all = group.clone();
            all.extend(chain.levels.last().map(|l: &Level<'a>| &l.quotient.lpts));
            let whole = build("assumption", &all, &mut chain.run, cx)?;
            let classes = Classes::coarsest(&whole.lpts, &chain.propositions, options.enabled);
            chain.made += classes.len() as u64;
            let quotient = quotient(&whole.lpts, &classes, &chain.propositions);
            chain.levels.push(Level {
                group,
                whole,
                classes,
                quotient,
            });
        }
        chain.levels.reverse();
        Ok(chain)
    }

    /// After it was shown to hold.
    pub fn certificate(&mut self, cx: &Context) -> Result<Option<Certificate>, Stopped> {
        let Some((whole, pairs)) = self.proved.take() else {
            return Ok(None);
        };
        let parts = self.parts(0);
        let first = relation(&parts, &whole, self.spec, &self.system.observed, &pairs, cx)?;
        drop(whole);
        let mut premises = vec![first];
        for (at, level) in self.levels.iter().enumerate() {
            premises.push(lifted(
                &self.parts(at + 1),
                &level.whole,
                level.classes.all(),
                &level.quotient.lpts,
                cx,
            )?);
        }
        let levels = self.levels.drain(..);
        Ok(Some(Certificate {
            groups: self.groups.clone(),
            assumptions: levels.map(|l| l.quotient.lpts).collect(),
            premises,
        }))
    }

    /// The parts of the left side of a premise.
    fn parts(&self, premise: usize) -> Vec<&Lpts> {
        let mut parts = match premise.checked_sub(1) {
            None => self.first.clone(),
            Some(level) => self.levels[level].group.clone(),
        };
        parts.extend(self.levels.get(premise).map(|l| &l.quotient.lpts));
        parts
    }

    /// Splits classes of a level and carries the consequences to those before it. Says how many classes were added.
    fn split(&mut self, level: usize, sets: &[Vec<u32>], cx: &Context) -> Result<usize, Stopped> {
        let at = &mut self.levels[level];
        let mut parent: Vec<u32> = (0..at.classes.len() as u32).collect();
        let mut added = 0;
        for set in sets {
            added += at.classes.split(set, &mut parent);
        }
        at.quotient = quotient(&at.whole.lpts, &at.classes, &self.propositions);
        for before in (0..level).rev() {
            let (head, tail) = self.levels.split_at_mut(before + 1);
            let mut parts = head[before].group.clone();
            parts.push(&tail[0].quotient.lpts);
            let whole = build("assumption", &parts, &mut self.run, cx)?;
            let (classes, from) = inherit(&head[before], &whole, &parent);
            parent = from;
            head[before].quotient = quotient(&whole.lpts, &classes, &self.propositions);
            head[before].classes = classes;
            head[before].whole = whole;
        }
        self.made += added as u64;
        Ok(added)
    }

    fn sizes(&self) -> u64 {
        self.levels.iter().map(|l| l.classes.len() as u64).sum()
    }
}

/// The classes of a finer product: those of the states it comes from, and which of the old ones they are.
fn inherit(old: &Level<'_>, whole: &Whole, parent: &[u32]) -> (Classes, Vec<u32>) {
    let keys = old.inherited(whole, parent);
    let classes = Classes::from_keys(keys.iter().copied());
    let mut from = vec![0; classes.len()];
    for (state, old) in keys.iter().enumerate() {
        from[classes.of(state as u32) as usize] = *old;
    }
    (classes, from)
}

impl<'a> Abstraction for Chain<'a> {
    type Counterexample = Found;
    type Real = suppose_model::mdp::Counterexample;

    fn size(&self) -> u64 {
        self.made
    }

    fn check(&mut self, cx: &Context) -> Result<Checked<Found>, Stopped> {
        let mut run = std::mem::take(&mut self.run);
        let whole = build("premise", &self.parts(0), &mut run, cx);
        self.run = run;
        let whole = whole?;
        let sizes = self.sizes();
        self.run.assumption_peak = self.run.assumption_peak.max(sizes);
        self.run.rounds.push(Round {
            number: self.run.rounds.len() as u64 + 1,
            assumption_states: sizes,
            alphabet: self.levels[0].quotient.lpts.alphabet().len() as u64,
            states: whole.lpts.states() as u64,
            refined: String::new(),
        });
        match simulate(&whole.lpts, self.spec, &self.system.observed, cx)? {
            Simulation::Holds(pairs) => {
                self.proved = Some((whole, pairs));
                Ok(Checked::Holds)
            }
            Simulation::Fails(tree) => Ok(Checked::Fails(Found { tree, whole })),
        }
    }

    fn analyse(&mut self, found: Found, cx: &Context) -> Result<Analysed<Self::Real>, Stopped> {
        let stuck = |_: NoSuchStep| Analysed::Stuck("a counterexample is no behaviour".to_owned());
        let vector = |state| found.whole.vector(state);
        let mut behaviour = match Behaviour::of_tree(&found.tree, vector, &self.parts(0)) {
            Ok(behaviour) => behaviour,
            Err(bug) => return Ok(stuck(bug)),
        };
        let mut part = self.first.len();
        let mut spurious = None;
        for (at, level) in self.levels.iter().enumerate() {
            let shadow = Projection::onto(&behaviour, part, cx)?;
            let abstracted = level.abstracted();
            let related = match abstracted.blame(&shadow, self.options.splitting, cx)? {
                Finding::Real(related) => related,
                Finding::Spurious(sets) => {
                    spurious = Some((at, sets));
                    break;
                }
            };
            let replaced = behaviour.replace(part, &shadow, &abstracted, &related, cx)?;
            let inner = self.parts(at + 1);
            match replaced.and_then(|b| b.expand(part, &level.whole, &inner)) {
                Ok(next) => behaviour = next,
                Err(bug) => return Ok(stuck(bug)),
            }
            part += level.group.len();
        }
        let Some((level, sets)) = spurious else {
            return Ok(Analysed::Real(
                behaviour.counterexample(&self.groups.concat()),
            ));
        };
        drop(behaviour);
        let added = self.split(level, &sets, cx)?;
        if let Some(round) = self.run.rounds.last_mut() {
            round.refined = format!("assumption {}: {added} more classes", level + 1);
        }
        Ok(Analysed::Refined)
    }
}
