//! Assume-guarantee abstraction refinement with an assumption for each component (AGAR, Fig. 6.3 of the thesis).
//!
//! The thesis takes a quotient of all components after the first group composed, which must be built for it: twelve states a user are 250,000
//! for five. Here each of these components has a quotient of its own, and the assumption is their composition. Nothing is
//! composed but the first group with the quotients, and one counterexample can refine several of them. (One quotient for several components
//! composed is [`crate::agar_n()`] with two groups.)

use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_control::{Context, Stopped};
use suppose_model::mdp::{Certificate, Counterexample, Lpts, Relation, System, Tree, Whole};
use suppose_model::{Round, Run};
use suppose_refine::{Abstraction, Analysed, Checked, Refined, refine};

use crate::abstraction::{
    Abstracted, Behaviour, Classes, Finding, NoSuchStep, Projection, Quotient, quotient,
};
use crate::chain::ChainOptions;
use crate::engine::{Failure, answer, cover, violation};
use crate::product::build;
use crate::proof::lifted;
use crate::simulation::{Simulation, relation, simulate};
use crate::{ConformanceAnswer, ConformanceVerdict};

/// Does the system, seen from outside, conform to the specification? The components of the first group are taken as they are,
/// of each other one a quotient.
pub fn agar(
    system: &System,
    spec: &Lpts,
    first: &[usize],
    options: ChainOptions,
    cx: &Context,
) -> ConformanceAnswer {
    let started = Instant::now();
    let mut groups = vec![first.to_vec()];
    let others = (0..system.components.len()).filter(|c| !first.contains(c));
    groups.extend(others.map(|c| vec![c]));
    let run = Run {
        groups: groups.clone(),
        ..Run::default()
    };
    if let Err(failure) = cover(system, &groups) {
        return answer(started, Err(failure), run);
    }
    if groups.len() < 2 {
        return crate::monolithic(system, spec, cx);
    }
    let mut quotients = Quotients::new(system, spec, run, options);
    let verdict = decide(&mut quotients, cx);
    answer(started, verdict, quotients.run)
}

fn decide(quotients: &mut Quotients<'_>, cx: &Context) -> Result<ConformanceVerdict, Failure> {
    match refine(quotients, cx)? {
        Refined::Holds => {
            let certificate = quotients.certificate(cx)?;
            Ok(ConformanceVerdict::Holds(Box::new(certificate)))
        }
        other => violation(other, quotients.system, quotients.spec, cx),
    }
}

/// A component with its quotient.
#[derive(Debug)]
struct Other<'a> {
    lpts: &'a Lpts,
    classes: Classes,
    quotient: Quotient,
}

impl Other<'_> {
    fn abstracted(&self) -> Abstracted<'_> {
        Abstracted {
            concrete: self.lpts,
            classes: &self.classes,
            quotient: &self.quotient,
        }
    }
}

#[derive(Debug)]
struct Quotients<'a> {
    system: &'a System,
    spec: &'a Lpts,
    first: Vec<&'a Lpts>,
    others: Vec<Other<'a>>,
    options: ChainOptions,
    propositions: Vec<u32>,
    run: Run,
}

struct Found {
    tree: Tree,
    whole: Whole,
}

impl<'a> Quotients<'a> {
    fn new(system: &'a System, spec: &'a Lpts, run: Run, options: ChainOptions) -> Self {
        let propositions: Vec<u32> = spec.propositions().iter().map(|p| p.0).collect();
        let part = |c: &usize| &system.components[*c].lpts;
        let others = run.groups[1..].iter().flatten().map(|c| {
            let lpts = part(c);
            let classes = Classes::coarsest(lpts, &propositions, options.enabled);
            let quotient = quotient(lpts, &classes, &propositions);
            Other {
                lpts,
                classes,
                quotient,
            }
        });
        Quotients {
            system,
            spec,
            first: run.groups[0].iter().map(part).collect(),
            others: others.collect(),
            options,
            propositions,
            run,
        }
    }

    fn parts(&self) -> Vec<&Lpts> {
        let mut parts = self.first.clone();
        parts.extend(self.others.iter().map(|o| &o.quotient.lpts));
        parts
    }

    /// Splits classes of one component.
    fn split(&mut self, other: usize, sets: &[Vec<u32>]) {
        let it = &mut self.others[other];
        let mut parents = (0..it.classes.len() as u32).collect();
        for set in sets {
            it.classes.split(set, &mut parents);
        }
        it.quotient = quotient(it.lpts, &it.classes, &self.propositions);
    }

    /// Assumption `i` is the composition of the quotients after `i`, so that a premise after the first says no more than
    /// that a quotient simulates its component.
    fn certificate(&mut self, cx: &Context) -> Result<Certificate, Failure> {
        let mut run = std::mem::take(&mut self.run);
        let found = self.tails(&mut run, cx);
        self.run = run;
        let (mut assumptions, mut premises) = found?;
        premises.push(self.first_premise(assumptions.last(), cx)?);
        premises.reverse();
        assumptions.reverse();
        Ok(Certificate {
            groups: self.run.groups.clone(),
            assumptions,
            premises,
        })
    }

    /// The assumptions and the premises after the first, the last ones first.
    fn tails(&self, run: &mut Run, cx: &Context) -> Result<(Vec<Lpts>, Vec<Relation>), Stopped> {
        let (mut assumptions, mut premises) = (Vec::<Lpts>::new(), Vec::new());
        for other in self.others.iter().rev() {
            let mut left = vec![other.lpts];
            let mut right = vec![&other.quotient.lpts];
            left.extend(assumptions.last());
            right.extend(assumptions.last());
            let whole = build("premise", &left, run, cx)?;
            let image = build("assumption", &right, run, cx)?;
            let layout = image.states.layout();
            let records = image.states.iter().enumerate();
            let known: FxHashMap<&[u64], u32> = records.map(|(s, r)| (r, s as u32)).collect();
            let image_of = |state| {
                let mut vector = whole.vector(state);
                vector[0] = other.classes.of(vector[0]);
                let record = layout.pack(&vector).unwrap_or_default();
                // The quotient can follow wherever the component goes.
                known.get(record.as_slice()).copied().unwrap_or_default()
            };
            let images: Vec<u32> = (0..whole.lpts.states() as u32).map(image_of).collect();
            premises.push(lifted(&left, &whole, &images, &image.lpts, cx)?);
            assumptions.push(image.lpts);
        }
        Ok((assumptions, premises))
    }

    fn first_premise(&mut self, top: Option<&Lpts>, cx: &Context) -> Result<Relation, Failure> {
        let mut parts = self.first.clone();
        parts.extend(top);
        let whole = build("premise", &parts, &mut self.run, cx)?;
        match simulate(&whole.lpts, self.spec, &self.system.observed, cx)? {
            Simulation::Holds(pairs) => {
                let seen = &self.system.observed;
                Ok(relation(&parts, &whole, self.spec, seen, &pairs, cx)?)
            }
            Simulation::Fails(_) => Err(Failure::Bug("a premise does not hold".to_owned())),
        }
    }
}

impl Abstraction for Quotients<'_> {
    type Counterexample = Found;
    type Real = Counterexample;

    fn size(&self) -> u64 {
        self.others.iter().map(|o| o.classes.len() as u64).sum()
    }

    fn check(&mut self, cx: &Context) -> Result<Checked<Found>, Stopped> {
        let mut run = std::mem::take(&mut self.run);
        let whole = build("premise", &self.parts(), &mut run, cx);
        self.run = run;
        let whole = whole?;
        let size = self.size();
        self.run.assumption_peak = self.run.assumption_peak.max(size);
        let labels = self.others.iter().flat_map(|o| o.lpts.alphabet());
        let labels: FxHashSet<_> = labels.collect();
        self.run.rounds.push(Round {
            number: self.run.rounds.len() as u64 + 1,
            assumption_states: size,
            alphabet: labels.len() as u64,
            states: whole.lpts.states() as u64,
            refined: String::new(),
        });
        Ok(
            match simulate(&whole.lpts, self.spec, &self.system.observed, cx)? {
                Simulation::Holds(_) => Checked::Holds,
                Simulation::Fails(tree) => Checked::Fails(Found { tree, whole }),
            },
        )
    }

    fn analyse(&mut self, found: Found, cx: &Context) -> Result<Analysed<Counterexample>, Stopped> {
        let before = self.size();
        let splits = match self.follow(&found, cx)? {
            Ok(Followed::Real(real)) => return Ok(Analysed::Real(*real)),
            Ok(Followed::Spurious(splits)) => splits,
            Err(NoSuchStep) => {
                return Ok(Analysed::Stuck(
                    "a counterexample is no behaviour".to_owned(),
                ));
            }
        };
        for (other, sets) in &splits {
            self.split(*other, sets);
        }
        let added = self.size() - before;
        if let Some(round) = self.run.rounds.last_mut() {
            let quotients = splits.len();
            round.refined = format!("{added} more classes in {quotients} assumptions");
        }
        Ok(Analysed::Refined)
    }
}

/// What became of a counterexample.
enum Followed {
    Real(Box<Counterexample>),
    /// Sets to separate, for every component that cannot do its part.
    Spurious(Vec<(usize, Vec<Vec<u32>>)>),
}

impl Quotients<'_> {
    fn follow(&self, found: &Found, cx: &Context) -> Result<Result<Followed, NoSuchStep>, Stopped> {
        let vector = |state| found.whole.vector(state);
        let mut behaviour = match Behaviour::of_tree(&found.tree, vector, &self.parts()) {
            Ok(behaviour) => behaviour,
            Err(bug) => return Ok(Err(bug)),
        };
        let mut splits = Vec::new();
        for (number, other) in self.others.iter().enumerate() {
            let part = self.first.len() + number;
            let shadow = Projection::onto(&behaviour, part, cx)?;
            let it = other.abstracted();
            match it.blame(&shadow, self.options.splitting, cx)? {
                Finding::Spurious(sets) => splits.push((number, sets)),
                Finding::Real(_) if !splits.is_empty() => {}
                Finding::Real(related) => {
                    match behaviour.replace(part, &shadow, &it, &related, cx)? {
                        Ok(next) => behaviour = next,
                        Err(bug) => return Ok(Err(bug)),
                    }
                }
            }
        }
        Ok(Ok(match splits.is_empty() {
            true => Followed::Real(Box::new(
                behaviour.counterexample(&self.run.groups.concat()),
            )),
            false => Followed::Spurious(splits),
        }))
    }
}
