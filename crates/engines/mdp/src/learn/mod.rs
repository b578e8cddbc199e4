//! Learning an assumption from counterexamples (Fig. 5.1 of the thesis).
//!
//! The teacher answers a guess with a behaviour that the assumption must have, as the components behind it have it, or
//! must not have, as the first group with it would not conform. The learner's next guess is a smallest fold of the former that simulates
//! none of the latter ([`encode`]). With partitions it ends, if the system conforms, at the latest
//! when the guess is as large as what it is about (Lemma 26). With stochastic partitions there need be no end (Theorem 16): a guess of one
//! size may be refuted again and again by its own probabilities. So a size gets some guesses for each class only, then one more class is allowed; a guess as large as what it is about
//! is what it is about, and that ends it.

mod encode;
mod samples;
mod teacher;

#[cfg(test)]
mod tests;

use std::time::Instant;

use suppose_control::{Context, Event, Stopped};
use suppose_model::mdp::{Lpts, System};
use suppose_model::{Round, Run};

pub use encode::Folding;

use crate::engine::{Failure, answer, cover, reduce};
use crate::tree::{Start, simulate_tree};
use crate::{ConformanceAnswer, ConformanceVerdict};
use encode::Encoding;
use samples::{Forest, Negative};
use teacher::{Reply, Teacher};

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearnOptions {
    /// How samples are folded.
    pub folding: Folding,
    /// At most this many guesses.
    pub guesses: u64,
}

impl Default for LearnOptions {
    fn default() -> Self {
        LearnOptions {
            folding: Folding::Partition,
            guesses: 1000,
        }
    }
}

/// Does the system, seen from outside, conform to the specification? The components of the first group are taken as they are; of
/// all others together an assumption is learnt.
pub fn learn(
    system: &System,
    spec: &Lpts,
    first: &[usize],
    options: LearnOptions,
    cx: &Context,
) -> ConformanceAnswer {
    let started = Instant::now();
    let rest = (0..system.components.len()).filter(|c| !first.contains(c));
    let groups = vec![first.to_vec(), rest.collect()];
    let mut run = Run {
        groups: groups.clone(),
        ..Run::default()
    };
    let verdict = cover(system, &groups)
        .and_then(|()| Teacher::new(system, spec, groups, &mut run, cx))
        .and_then(|teacher| rounds(&teacher, options, &mut run, cx));
    answer(started, verdict, run)
}

fn rounds(
    teacher: &Teacher<'_>,
    options: LearnOptions,
    run: &mut Run,
    cx: &Context,
) -> Result<ConformanceVerdict, Failure> {
    if !teacher.spec.propositions().is_empty() {
        let what =
            "assumptions without propositions cannot be learnt for a specification with some";
        return Err(Failure::Unsupported(what.to_owned()));
    }
    let mut learner = Learner::new(options.folding, &teacher.target.lpts);
    for number in 1..=options.guesses.min(cx.max_iterations) {
        cx.check()?;
        let guess = learner.guess(cx)?;
        cx.emit(Event::Iteration {
            number,
            abstract_size: guess.states() as u64,
        });
        run.assumption_peak = run.assumption_peak.max(guess.states() as u64);
        let before = run.states;
        let reply = teacher.ask(&guess, run, cx)?;
        run.rounds.push(Round {
            number,
            assumption_states: guess.states() as u64,
            alphabet: guess.alphabet().len() as u64,
            states: run.states - before,
            refined: learner.note(&reply),
        });
        match reply {
            Reply::Sufficient(certificate) => return Ok(ConformanceVerdict::Holds(certificate)),
            Reply::Violated(found) => {
                let small = reduce(*found, teacher.system, teacher.spec, cx)?;
                return Ok(ConformanceVerdict::Violated(Box::new(small)));
            }
            Reply::Positive(tree) => learner.add(&tree)?,
            Reply::Negative(tree) => learner.negatives.push(tree),
        }
    }
    Err(Stopped::Iterations.into())
}

/// The samples, and the question for the least size that may still do.
struct Learner {
    folding: Folding,
    forest: Forest,
    negatives: Vec<Negative>,
    /// No smaller number of classes will do, whatever else is said.
    classes: usize,
    most: usize,
    alphabet: Vec<suppose_model::lts::Label>,
    encoding: Encoding,
    /// Guesses of this size.
    tried: usize,
    /// What the assumption is about.
    target: Lpts,
}

/// With stochastic partitions, this many guesses for each class of a size; then a larger size.
const GUESSES: usize = 4;
/// With stochastic partitions, how much work one question may be; then a larger size.
const QUESTION: u64 = 5_000;

impl Learner {
    fn new(folding: Folding, target: &Lpts) -> Self {
        Learner {
            folding,
            forest: Forest::new(),
            negatives: Vec::new(),
            classes: 1,
            most: target.states(),
            alphabet: target.alphabet().to_vec(),
            encoding: Encoding::new(folding, 1),
            tried: 0,
            target: target.clone(),
        }
    }

    fn add(&mut self, tree: &Lpts) -> Result<(), Failure> {
        match self.forest.add(tree) {
            true => Ok(()),
            false => Err(Failure::Unsupported(
                "the samples are too large to learn from".to_owned(),
            )),
        }
    }

    /// A smallest assumption that agrees with all samples.
    fn guess(&mut self, cx: &Context) -> Result<Lpts, Failure> {
        let stochastic = self.folding == Folding::Stochastic;
        if stochastic && self.tried >= GUESSES * self.classes && self.classes < self.most {
            self.larger();
        }
        self.tried += 1;
        loop {
            if stochastic && self.classes >= self.most {
                return Ok(self.target.clone().renamed("assumption"));
            }
            let (forest, alphabet) = (&self.forest, &self.alphabet);
            // With probabilities to find, a question may be too hard at one size and easy at the next.
            let turn = match stochastic {
                true => cx.with_work(QUESTION),
                false => cx.clone(),
            };
            let found = self
                .encoding
                .solve(forest, &self.negatives, alphabet, &turn);
            let found = match found {
                Err(_) if stochastic && cx.check().is_ok() => None,
                found => found?,
            };
            if let Some(guess) = found {
                self.check(&guess, cx)?;
                return Ok(guess);
            }
            // What the assumption is about agrees with all samples.
            if self.classes >= self.most {
                return Err(Failure::Bug(
                    "no assumption agrees with all samples".to_owned(),
                ));
            }
            self.larger();
        }
    }

    fn larger(&mut self) {
        self.classes += 1;
        self.tried = 0;
        self.encoding = Encoding::new(self.folding, self.classes);
    }

    /// Does the guess have none of the behaviours that it must not have?
    fn check(&self, guess: &Lpts, cx: &Context) -> Result<(), Failure> {
        for tree in &self.negatives {
            let check = simulate_tree(tree, guess, &[], Start::All, cx)?;
            if check.related(0, guess.initial()) {
                return Err(Failure::Bug("a guess contradicts a sample".to_owned()));
            }
        }
        Ok(())
    }

    fn note(&self, reply: &Reply) -> String {
        let samples = (self.forest.len(), self.negatives.len());
        match reply {
            Reply::Sufficient(_) => "sufficient".to_owned(),
            Reply::Violated(_) => "the counterexample is real".to_owned(),
            Reply::Positive(_) => format!("a behaviour to have, beside {} nodes", samples.0),
            Reply::Negative(_) => format!("a behaviour not to have, beside {} others", samples.1),
        }
    }
}
