//! Properties by assumptions that are refined (Section 6.3.2 of the thesis): the same rules as for conformance, with the
//! first premise a matter of probabilities.
//!
//! The classes of an assumption never mix states that differ in a proposition of the formula. A finite behaviour that refutes the first premise is
//! projected onto each assumption and followed in what the assumption stands for (Fig. 6.2), by the same means as a
//! counterexample to conformance.

use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_model::mdp::{
    Counterexample, Lpts, LptsBuilder, PropertyCertificate, PropertyCounterexample, State,
    StateFormula, System, Tree, Whole,
};
use suppose_model::{Reason, Round, Run};
use suppose_refine::{Abstraction, Analysed, Checked, Refined, refine};

use super::tree::Size;
use super::{
    Finding, PctlOptions, PropertyAnswer, PropertyVerdict, Refutation, look, monolithic, undecided,
};
use crate::abstraction::{
    Behaviour, Classes, Finding as Blame, Level, NoSuchStep, Projection, quotient,
};
use crate::engine::cover;
use crate::product::build;

/// Larger behaviours are not followed.
const FOLLOWED: Size = Size {
    cells: 8_000_000,
    nodes: 50_000,
};

/// The first group as it is, of each other component a quotient.
pub(super) fn agar(
    system: &System,
    formula: &StateFormula,
    first: &[usize],
    options: PctlOptions,
    cx: &Context,
) -> PropertyAnswer {
    let mut groups = vec![first.to_vec()];
    let others = (0..system.components.len()).filter(|c| !first.contains(c));
    groups.extend(others.map(|c| vec![c]));
    start(system, formula, groups, Rule::Star, options, cx)
}

/// Groups one behind the other.
pub(super) fn agar_n(
    system: &System,
    formula: &StateFormula,
    groups: &[Vec<usize>],
    options: PctlOptions,
    cx: &Context,
) -> PropertyAnswer {
    start(system, formula, groups.to_vec(), Rule::Chain, options, cx)
}

/// What the assumption about a group stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// The group with the next assumption.
    Chain,
    /// The group alone; all assumptions are in the first premise.
    Star,
}

fn start(
    system: &System,
    formula: &StateFormula,
    groups: Vec<Vec<usize>>,
    rule: Rule,
    options: PctlOptions,
    cx: &Context,
) -> PropertyAnswer {
    if let Err(failure) = cover(system, &groups) {
        return undecided(failure.into());
    }
    if let Err(why) = formula.preserved() {
        let why = format!("{why}; the monolithic engine decides such properties");
        return undecided(Reason::Unsupported(why));
    }
    if groups.len() < 2 {
        return monolithic(system, formula, options, cx);
    }
    let run = Run {
        groups,
        ..Run::default()
    };
    let mut levels = match Levels::new(system, formula, run, rule, options, cx) {
        Ok(levels) => levels,
        Err(stopped) => return undecided(stopped.into()),
    };
    let verdict = decide(&mut levels, cx).unwrap_or_else(PropertyVerdict::Unknown);
    PropertyAnswer {
        verdict,
        value: None,
        run: levels.run,
    }
}

fn decide(levels: &mut Levels<'_>, cx: &Context) -> Result<PropertyVerdict, Reason> {
    let outcome = match refine(levels, cx) {
        Ok(outcome) => outcome,
        Err(stopped) => return Err(levels.given_up.take().unwrap_or(stopped.into())),
    };
    match outcome {
        Refined::Holds => {
            let proof = levels.certificate(cx)?;
            Ok(PropertyVerdict::Holds(Box::new(proof)))
        }
        Refined::Fails(found) => {
            let small = levels.reduce(found, cx)?;
            let found = PropertyCounterexample::Tree(Box::new(small));
            Ok(PropertyVerdict::Violated(Box::new(found)))
        }
        Refined::Stuck(why) => Err(Reason::Internal(why)),
    }
}

struct Levels<'a> {
    system: &'a System,
    formula: &'a StateFormula,
    propositions: Vec<u32>,
    rule: Rule,
    options: PctlOptions,
    first: Vec<&'a Lpts>,
    levels: Vec<Level<'a>>,
    /// Classes that were ever made.
    made: u64,
    /// Why the first premise was not decided.
    given_up: Option<Reason>,
    proved: Vec<suppose_model::mdp::Bound>,
    run: Run,
}

/// A behaviour that refutes the first premise, and the product it is one of.
struct Found {
    tree: Box<Tree>,
    whole: Whole,
}

impl<'a> Levels<'a> {
    fn new(
        system: &'a System,
        formula: &'a StateFormula,
        run: Run,
        rule: Rule,
        options: PctlOptions,
        cx: &Context,
    ) -> Result<Self, Stopped> {
        let parts = |group: &Vec<usize>| system.members(group);
        let groups: Vec<Vec<&'a Lpts>> = run.groups.iter().map(parts).collect();
        let mut it = Levels {
            system,
            formula,
            propositions: formula.propositions(),
            rule,
            options,
            first: groups[0].clone(),
            levels: Vec::new(),
            made: 0,
            given_up: None,
            proved: Vec::new(),
            run,
        };
        for group in groups[1..].iter().rev() {
            let mut all = group.clone();
            if rule == Rule::Chain {
                all.extend(it.levels.last().map(|l| &l.quotient.lpts));
            }
            let whole = build("assumption", &all, &mut it.run, cx)?;
            let enabled = options.refinement.enabled;
            let classes = Classes::coarsest(&whole.lpts, &it.propositions, enabled);
            it.made += classes.len() as u64;
            let quotient = quotient(&whole.lpts, &classes, &it.propositions);
            it.levels.push(Level {
                group: group.clone(),
                whole,
                classes,
                quotient,
            });
        }
        it.levels.reverse();
        Ok(it)
    }

    /// The parts of the first premise.
    fn parts(&self) -> Vec<&Lpts> {
        let assumptions = match self.rule {
            Rule::Chain => 1,
            Rule::Star => self.levels.len(),
        };
        let mut parts = self.first.clone();
        parts.extend(self.levels[..assumptions].iter().map(|l| &l.quotient.lpts));
        parts
    }

    /// The parts of what an assumption stands for.
    fn inner(&self, level: usize) -> Vec<&Lpts> {
        let mut parts = self.levels[level].group.clone();
        if self.rule == Rule::Chain {
            parts.extend(self.levels.get(level + 1).map(|l| &l.quotient.lpts));
        }
        parts
    }

    fn size_now(&self) -> u64 {
        self.levels.iter().map(|l| l.classes.len() as u64).sum()
    }

    /// Sets to separate, by level, or the behaviour of the system.
    fn follow(&self, found: &Found, cx: &Context) -> Result<Result<Followed, NoSuchStep>, Stopped> {
        let vector = |state| found.whole.vector(state);
        let mut behaviour = match Behaviour::of_tree(&found.tree, vector, &self.parts()) {
            Ok(behaviour) => behaviour,
            Err(bug) => return Ok(Err(bug)),
        };
        let mut part = self.first.len();
        let mut splits = Vec::new();
        for (at, level) in self.levels.iter().enumerate() {
            let shadow = Projection::onto(&behaviour, part, cx)?;
            let it = level.abstracted();
            match it.blame(&shadow, self.options.refinement.splitting, cx)? {
                Blame::Spurious(sets) => splits.push((at, sets)),
                Blame::Real(related) if splits.is_empty() => {
                    let replaced = behaviour.replace(part, &shadow, &it, &related, cx)?;
                    match replaced.and_then(|b| b.expand(part, &level.whole, &self.inner(at))) {
                        Ok(next) => behaviour = next,
                        Err(bug) => return Ok(Err(bug)),
                    }
                    part += level.group.len();
                    continue;
                }
                Blame::Real(_) => {}
            }
            if self.rule == Rule::Chain {
                break;
            }
            part += 1;
        }
        Ok(Ok(match splits.is_empty() {
            true => {
                let real = behaviour.counterexample(&self.run.groups.concat());
                Followed::Real(Box::new(real))
            }
            false => Followed::Spurious(splits),
        }))
    }

    /// Splits classes of a level; in a chain the levels before it stand for something finer then, and keep their classes.
    fn split(&mut self, level: usize, sets: &[Vec<State>], cx: &Context) -> Result<u64, Stopped> {
        let at = &mut self.levels[level];
        let mut parent: Vec<u32> = (0..at.classes.len() as u32).collect();
        let added: usize = sets
            .iter()
            .map(|set| at.classes.split(set, &mut parent))
            .sum();
        at.quotient = quotient(&at.whole.lpts, &at.classes, &self.propositions);
        if self.rule == Rule::Chain {
            for before in (0..level).rev() {
                let mut run = std::mem::take(&mut self.run);
                let whole = build("assumption", &self.inner(before), &mut run, cx);
                self.run = run;
                let whole = whole?;
                let old = &self.levels[before];
                let keys = old.inherited(&whole, &parent);
                let classes = Classes::from_keys(keys.iter().copied());
                parent = vec![0; classes.len()];
                for (state, key) in keys.iter().enumerate() {
                    parent[classes.of(state as State) as usize] = *key;
                }
                let level = &mut self.levels[before];
                level.quotient = quotient(&whole.lpts, &classes, &self.propositions);
                level.classes = classes;
                level.whole = whole;
            }
        }
        self.made += added as u64;
        Ok(added as u64)
    }

    fn certificate(&mut self, cx: &Context) -> Result<PropertyCertificate, Reason> {
        if self.rule == Rule::Chain || self.levels.len() == 1 {
            let fold = |l: &Level<'_>| l.classes.all().to_vec();
            return Ok(PropertyCertificate {
                groups: self.run.groups.clone(),
                folds: self.levels.iter().map(fold).collect(),
                assumptions: self.levels.drain(..).map(|l| l.quotient.lpts).collect(),
                bounds: std::mem::take(&mut self.proved),
            });
        }
        let mut run = std::mem::take(&mut self.run);
        let tails = self.tails(&mut run, cx);
        self.run = run;
        let (assumptions, folds) = tails?;
        let mut parts = self.first.clone();
        parts.extend(assumptions.first());
        let whole = build("premise", &parts, &mut self.run, cx)?;
        match look(&whole.lpts, self.formula, self.options, FOLLOWED, cx)?.0 {
            Finding::Holds(bounds) => Ok(PropertyCertificate {
                groups: self.run.groups.clone(),
                assumptions,
                folds,
                bounds,
            }),
            Finding::Open(why) => Err(why),
            Finding::Fails(_) => Err(Reason::Internal("a premise does not hold".to_owned())),
        }
    }

    /// A star as a chain: each assumption is the composition of a quotient with those after it.
    fn tails(&self, run: &mut Run, cx: &Context) -> Result<(Vec<Lpts>, Vec<Vec<State>>), Stopped> {
        let (mut assumptions, mut folds) = (Vec::<Lpts>::new(), Vec::new());
        for level in self.levels.iter().rev() {
            let mut left = level.group.clone();
            let mut right = vec![&level.quotient.lpts];
            left.extend(assumptions.last());
            right.extend(assumptions.last());
            let whole = build("premise", &left, run, cx)?;
            let image = build("assumption", &right, run, cx)?;
            let own = level.numbers();
            let records = image.states.iter().enumerate();
            let images: FxHashMap<&[u64], State> = records.map(|(s, r)| (r, s as State)).collect();
            let count = level.group.len();
            let fold = |state: State| {
                let mut vector = whole.vector(state);
                let rest = vector.split_off(count);
                let record = level.whole.states.layout().pack(&vector);
                // A quotient can follow wherever its group goes.
                let number = own.get(record.unwrap_or_default().as_slice()).copied();
                let mut to = vec![level.classes.of(number.unwrap_or_default())];
                to.extend(rest);
                let record = image.states.layout().pack(&to).unwrap_or_default();
                images.get(record.as_slice()).copied().unwrap_or_default()
            };
            folds.push((0..whole.lpts.states() as State).map(fold).collect());
            assumptions.push(image.lpts);
        }
        assumptions.reverse();
        folds.reverse();
        Ok((assumptions, folds))
    }

    /// What of a behaviour of the system is needed; this also makes sure of it.
    fn reduce(&self, found: Counterexample, cx: &Context) -> Result<Counterexample, Reason> {
        let shape = with_truth(self.system, &found, &self.propositions);
        match look(&shape, self.formula, self.options, FOLLOWED, cx)?.0 {
            Finding::Fails(Refutation::Tree(tree)) => {
                Ok(tree.counterexample(|node| found.states[node as usize].clone()))
            }
            Finding::Fails(Refutation::Bounds(_)) => Ok(found),
            _ => Err(Reason::Internal(
                "a counterexample does not refute the property".to_owned(),
            )),
        }
    }
}

/// The tree with the propositions of the states its nodes stand for.
fn with_truth(system: &System, found: &Counterexample, propositions: &[u32]) -> Lpts {
    let mut builder = LptsBuilder::of(&found.tree);
    for number in propositions {
        let owner = system.propositions[*number as usize].component;
        let lpts = &system.components[owner].lpts;
        let nodes = found.states.iter().enumerate();
        let holds = nodes.filter(|(_, s)| lpts.satisfies(s[owner], *number) == Some(true));
        builder.proposition(*number, holds.map(|(node, _)| node).collect());
    }
    builder.build()
}

/// What became of a behaviour.
enum Followed {
    Real(Box<Counterexample>),
    Spurious(Vec<(usize, Vec<Vec<State>>)>),
}

impl Abstraction for Levels<'_> {
    type Counterexample = Found;
    type Real = Counterexample;

    fn size(&self) -> u64 {
        self.made
    }

    fn check(&mut self, cx: &Context) -> Result<Checked<Found>, Stopped> {
        let mut run = std::mem::take(&mut self.run);
        let whole = build("premise", &self.parts(), &mut run, cx);
        self.run = run;
        let whole = whole?;
        let size = self.size_now();
        self.run.assumption_peak = self.run.assumption_peak.max(size);
        let labels = self.levels.iter().map(|l| l.quotient.lpts.alphabet().len());
        self.run.rounds.push(Round {
            number: self.run.rounds.len() as u64 + 1,
            assumption_states: size,
            alphabet: labels.max().unwrap_or(0) as u64,
            states: whole.lpts.states() as u64,
            refined: String::new(),
        });
        let found = look(&whole.lpts, self.formula, self.options, FOLLOWED, cx);
        let why = match found {
            Ok((Finding::Holds(bounds), _)) => {
                self.proved = bounds;
                return Ok(Checked::Holds);
            }
            Ok((Finding::Fails(Refutation::Tree(tree)), _)) => {
                return Ok(Checked::Fails(Found { tree, whole }));
            }
            Ok((Finding::Fails(Refutation::Bounds(_)), _)) => Reason::Unsupported(
                "the abstraction does not have the property, and no finite behaviour that is small enough shows it"
                    .to_owned(),
            ),
            Ok((Finding::Open(why), _)) => why,
            Err(super::Failure::Stopped(stopped)) => return Err(stopped),
            Err(failure) => failure.into(),
        };
        self.given_up = Some(why);
        Err(Stopped::Superseded)
    }

    fn analyse(&mut self, found: Found, cx: &Context) -> Result<Analysed<Counterexample>, Stopped> {
        let splits = match self.follow(&found, cx)? {
            Ok(Followed::Real(real)) => return Ok(Analysed::Real(*real)),
            Ok(Followed::Spurious(splits)) => splits,
            Err(NoSuchStep) => {
                let why = "a counterexample is no behaviour".to_owned();
                return Ok(Analysed::Stuck(why));
            }
        };
        let mut added = 0;
        for (level, sets) in &splits {
            added += self.split(*level, sets, cx)?;
        }
        if let Some(round) = self.run.rounds.last_mut() {
            let count = splits.len();
            round.refined = format!("{added} more classes in {count} assumptions");
        }
        Ok(Analysed::Refined)
    }
}
