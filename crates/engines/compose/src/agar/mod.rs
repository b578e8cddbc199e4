//! Assume-guarantee abstraction refinement (AGAR).
//!
//! After Gheorghiu Bobaru, Pasareanu and Giannakopoulou, *Automated Assume-Guarantee Reasoning by
//! Abstraction Refinement* (CAV 2008): Algorithm 1 is `analyse`, Algorithm 2 the loop of
//! [`suppose_refine::refine`] over `Agar`, Algorithm 3 the growing set of watched labels. The
//! groups `G1 .. Gn` are checked by their rule (3): assumption `Ai` abstracts `G(i+1) || A(i+1)`, so
//! every premise but the first holds by construction; with two groups that is their rule (1).
//!
//! What we do differently, and why, is said where it is done: hidden actions are closed over
//! before a visible one only, and only states right after a visible action have classes
//! (`interface::Interface`); what was explored of premise 1 before the split class was seen is
//! kept (`premise`); the first group is tried without any assumption before the others are composed; a run that a level can follow through other classes than the abstract
//! counterexample's is passed on to the next level instead of being split away.

mod analyse;

mod interface;
mod level;
mod partition;
mod premise;
mod proof;

use std::time::Instant;

use suppose_control::{Context, Event, Stopped};
use suppose_model::lts::{Lts, Network};
use suppose_model::{Answer, Claim, Counterexample, NetworkStep, Reason, Round, Run, Verdict};
use suppose_refine::{Abstraction, Analysed, Checked, Refined, refine};

use crate::decompose::cover;
use crate::monolithic::fire;
use crate::product::initial_states;
use analyse::{Finding, Upper, analyse};
use level::{Level, Lineage, View};
use premise::{Found, Premise, premise};
use proof::nothing;

/// Which classes a spurious counterexample splits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Splitting {
    /// Where the concrete run gets stuck, as in the paper.
    Stuck,
    /// The earliest class from which the rest cannot be followed.
    Earliest,
    /// All of them: the assumptions are about as small as with the others, in fewer rounds.
    #[default]
    All,
}

/// How to refine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct AgarOptions {
    /// Start with the property's labels and add interface labels only when needed.
    pub refine_alphabet: bool,
    /// Which classes to split.
    pub splitting: Splitting,
    /// As in the paper: explore premise 1 anew after every refinement instead of keeping what is
    /// valid, and begin with one class again when a label comes to be watched.
    pub restart: bool,
}

/// Decides property number `property` by rule 3 over the groups of components, in that order (two
/// groups: rule 1). Components in no group are placed as `cover` says.
pub fn check(
    network: &Network,
    property: usize,
    groups: &[Vec<usize>],
    options: &AgarOptions,
    cx: &Context,
) -> Answer {
    let begun = Instant::now();
    let groups = cover(network, groups);
    let mut run = Run {
        groups: groups.clone(),
        ..Run::default()
    };
    let verdict = match network.priority {
        Some(_) => Verdict::Unknown(Reason::Unsupported(
            "with action priority the parts' traces do not give the whole's: use the engine `monolithic`".to_owned(),
        )),
        None => decide(network, property, &groups, options, &mut run, cx)
            .unwrap_or_else(|stopped| Verdict::Unknown(stopped.into())),
    };
    run.elapsed = begun.elapsed();
    Answer {
        claim: Claim::Property(property),
        engine: "agar".to_owned(),
        verdict,
        run,
    }
}

fn decide(
    network: &Network,
    property: usize,
    groups: &[Vec<usize>],
    options: &AgarOptions,
    run: &mut Run,
    cx: &Context,
) -> Result<Verdict, Stopped> {
    let mut agar = Agar::new(network, property, groups, *options);
    let outcome = agar.alone(cx).and_then(|holds| match holds {
        true => Ok(Refined::Holds),
        false => agar.build(cx).and_then(|()| refine(&mut agar, cx)),
    });
    agar.account(run);
    if let Some(why) = agar.unsupported {
        return Ok(Verdict::Unknown(Reason::Unsupported(why)));
    }
    Ok(match outcome? {
        Refined::Fails(counterexample) => Verdict::Violated(counterexample),
        Refined::Stuck(why) => Verdict::Unknown(Reason::Internal(why)),
        Refined::Holds => {
            cx.emit(Event::Phase("writing the certificate".to_owned()));
            Verdict::Holds(Box::new(agar.certificate(cx)?))
        }
    })
}

const TOO_WIDE: &str =
    "a state of a group takes more words than the engine packs: use smaller groups";

/// The state of the refinement.
struct Agar<'a> {
    network: &'a Network,
    property: usize,
    options: AgarOptions,
    groups: &'a [Vec<usize>],
    /// Labels that assumptions may speak of.
    watched: Vec<bool>,
    views: Vec<View>,
    /// Level `i` is about group `i + 1`.
    levels: Vec<Level>,
    premise: Option<Box<dyn Premise>>,
    /// Assumption states that premise 1 has room for.
    room: u32,
    refinements: u64,
    rounds: Vec<Round>,
    assumption_peak: u64,
    largest: u64,
    /// States and transitions of what is not held any more.
    states: u64,
    transitions: u64,
    unsupported: Option<String>,
}

impl<'a> Agar<'a> {
    fn new(
        network: &'a Network,
        property: usize,
        groups: &'a [Vec<usize>],
        options: AgarOptions,
    ) -> Self {
        let labels = network.labels.len();
        let mut watched = vec![!options.refine_alphabet; labels];
        for label in network.properties[property].lts.alphabet() {
            watched[label.index()] = true;
        }
        Agar {
            views: views(network, property, groups),
            network,
            property,
            options,
            groups,
            watched,
            levels: Vec::new(),
            premise: None,
            room: 64,
            refinements: 0,
            rounds: Vec::new(),
            assumption_peak: 0,
            largest: 0,
            states: 0,
            transitions: 0,
            unsupported: None,
        }
    }

    fn lts(&self, component: usize) -> &'a Lts {
        &self.network.components[component].lts
    }

    fn property_lts(&self) -> &'a Lts {
        &self.network.properties[self.property].lts
    }

    /// Does the first group keep the property whatever the others do? Then no assumption is needed, and the
    /// others need not be looked at.
    fn alone(&mut self, cx: &Context) -> Result<bool, Stopped> {
        if self.options.restart || self.views.is_empty() {
            return Ok(false);
        }
        self.restart_premise()?;
        let Some(premise) = &mut self.premise else {
            return Ok(false);
        };
        let holds = premise.run(cx)?.is_none();
        if holds {
            self.assumption_peak = 1;
            self.record(String::new());
        }
        Ok(holds)
    }

    /// Builds all levels with one class each, from the last group up.
    fn build(&mut self, cx: &Context) -> Result<(), Stopped> {
        self.levels.clear();
        self.retire_premise();
        for view in &mut self.views {
            view.watch(&self.watched);
        }
        for number in (0..self.views.len()).rev() {
            cx.emit(Event::Phase(format!("composing group {}", number + 2)));
            let below = self.levels.last().map(|l| &l.lts);
            let view = &self.views[number];
            let group = &self.groups[number + 1];
            match Level::build(self.network, group, below, view, cx)? {
                Some(level) => {
                    self.count(&level);
                    self.levels.push(level);
                }
                None => return self.give_up(),
            };
        }
        self.levels.reverse();
        self.note_peak();
        self.restart_premise()
    }

    /// The only level with one class again, after more labels came to be watched.
    fn begin_anew(&mut self, cx: &Context) -> Result<(), Stopped> {
        let view = &mut self.views[0];
        view.watch(&self.watched);
        if let Some(level) = self.levels.pop() {
            self.levels.push(level.begin_anew(view, cx)?);
        }
        self.restart_premise()
    }

    fn count(&mut self, level: &Level) {
        self.states += level.concrete.len() as u64;
        self.transitions += level.concrete.transitions;
        self.largest = self.largest.max(level.concrete.len() as u64);
    }

    fn give_up(&mut self) -> Result<(), Stopped> {
        self.unsupported = Some(TOO_WIDE.to_owned());
        Err(Stopped::Memory)
    }

    fn restart_premise(&mut self) -> Result<(), Stopped> {
        self.retire_premise();
        let nothing = nothing();
        let assumption = self.levels.first().map_or(&nothing, |l| &l.lts);
        while self.room < assumption.states() as u32 {
            self.room *= 4;
        }
        let group: Vec<&Lts> = self.groups[0].iter().map(|i| self.lts(*i)).collect();
        let labels = self.network.labels.len();
        let property = self.property_lts();
        self.premise = premise(&group, assumption, self.room, property, labels);
        match self.premise {
            Some(_) => Ok(()),
            None => self.give_up(),
        }
    }

    fn retire_premise(&mut self) {
        if let Some(premise) = self.premise.take() {
            let (states, transitions) = premise.sizes();
            self.states += states;
            self.transitions += transitions;
        }
    }

    fn note_peak(&mut self) {
        let sizes = self.levels.iter().map(|l| l.partition.len() as u64);
        self.assumption_peak = self.assumption_peak.max(sizes.max().unwrap_or(0));
    }

    /// The abstract counterexample as a run of the first group.
    fn upper(&self, found: &Found) -> Upper {
        let group = &self.groups[0];
        let mut states = Vec::new();
        for slots in &found.slots {
            let mut all = initial_states(self.network);
            for (slot, component) in group.iter().enumerate() {
                all[*component] = slots[slot];
            }
            states.push(all);
        }
        let last = found.labels[found.labels.len() - 1];
        let before = &states[states.len() - 1];
        let mut after = fire(self.network, before, last);
        for (component, state) in after.iter_mut().enumerate() {
            if !group.contains(&component) {
                *state = before[component];
            }
        }
        states.push(after);
        let mut below: Vec<Option<u32>> =
            found.slots.iter().map(|s| Some(s[group.len()])).collect();
        below.push(None);
        Upper {
            labels: found.labels.clone(),
            states,
            below,
        }
    }

    /// Splits classes of a level and brings everything above it up to date.
    fn split(&mut self, number: usize, sets: &[Vec<u32>], cx: &Context) -> Result<bool, Stopped> {
        let before = self.levels[number].partition.len();
        let mut lineage = Lineage::identity(before);
        let mut cut = Vec::new();
        for set in sets {
            let (classes, step) = self.levels[number].split(set);
            let parent = step.parent.iter().map(|c| lineage.parent[*c as usize]);
            lineage.parent = parent.collect();
            cut.extend(classes.iter().map(|c| lineage.parent[*c as usize]));
        }
        let progress = self.levels[number].partition.len() > before;
        let level = &self.levels[number];
        cx.spend(1 + 4 * level.lts.transitions() as u64 + level.interface.len() as u64)?;
        self.note_peak();
        if number > 0 {
            self.rebuild_above(number, lineage, cx)?;
        } else if self.options.restart || self.levels[0].partition.len() > self.room as usize {
            self.restart_premise()?;
        } else if let Some(premise) = &mut self.premise {
            premise.refine(&self.levels[0].lts, &cut);
        }
        Ok(progress)
    }

    /// Rebuilds the levels above one whose assumption was refined, up to the first whose own
    /// assumption stays as it was.
    fn rebuild_above(
        &mut self,
        number: usize,
        mut lineage: Lineage,
        cx: &Context,
    ) -> Result<(), Stopped> {
        for above in (0..number).rev() {
            let below = self.levels[above + 1].lts.clone();
            match self.rebuild(above, Some((&below, &lineage)), cx)? {
                Some(next) => lineage = next,
                None => return Ok(()),
            }
        }
        self.note_peak();
        self.restart_premise()
    }

    /// Rebuilds the levels that see the labels newly watched. Their classes stay: a class that
    /// was worth splitting off with fewer labels seen is worth it with more.
    fn rebuild_watching(&mut self, cx: &Context) -> Result<(), Stopped> {
        let mut lineage: Option<Lineage> = None;
        for number in (0..self.levels.len()).rev() {
            let before = self.views[number].clone();
            self.views[number].watch(&self.watched);
            let below = self.levels.get(number + 1).map(|l| l.lts.clone());
            let same_view = self.views[number] == before;
            if same_view && lineage.is_none() {
                continue;
            }
            let below = below.map(|lts| {
                let same = || Lineage::identity(lts.states());
                (lineage.take().unwrap_or_else(same), lts)
            });
            lineage = self.rebuild(number, below.as_ref().map(|(l, lts)| (lts, l)), cx)?;
        }
        self.note_peak();
        match lineage {
            Some(_) => self.restart_premise(),
            None => Ok(()),
        }
    }

    /// Rebuilds one level; none if its assumption stays as it was.
    fn rebuild(
        &mut self,
        number: usize,
        below: Option<(&Lts, &Lineage)>,
        cx: &Context,
    ) -> Result<Option<Lineage>, Stopped> {
        let (old, view) = (&self.levels[number], &self.views[number]);
        let Some((level, lineage)) = old.rebuild(self.network, below, view, cx)? else {
            self.unsupported = Some(TOO_WIDE.to_owned());
            return Err(Stopped::Memory);
        };
        let same = level.lts == old.lts && lineage.is_identity();
        self.count(&level);
        self.levels[number] = level;
        Ok((!same).then_some(lineage))
    }

    fn record(&mut self, refined: String) {
        let alphabet = self.levels.iter().map(|l| l.lts.alphabet().len() as u64);
        let sizes = self.levels.iter().map(|l| l.partition.len() as u64);
        self.rounds.push(Round {
            number: self.rounds.len() as u64 + 1,
            assumption_states: sizes.sum(),
            alphabet: alphabet.sum(),
            states: self.premise.as_ref().map_or(0, |p| p.sizes().0),
            refined,
        });
    }

    fn account(&mut self, run: &mut Run) {
        let (states, transitions) = self.premise.as_ref().map_or((0, 0), |p| p.sizes());
        run.states = self.states + states;
        run.transitions = self.transitions + transitions;
        run.largest = self.largest.max(states);
        run.assumption_peak = self.assumption_peak;
        run.rounds = std::mem::take(&mut self.rounds);
    }

    fn counterexample(&self, upper: &Upper) -> Counterexample {
        let steps = upper.labels.iter().zip(&upper.states[1..]);
        Counterexample {
            claim: Claim::Property(self.property),
            steps: steps
                .map(|(label, states)| NetworkStep {
                    label: *label,
                    states: states.clone(),
                })
                .collect(),
            lasso: None,
        }
    }
}

fn views(network: &Network, property: usize, groups: &[Vec<usize>]) -> Vec<View> {
    let labels = network.labels.len();
    let mark = |set: &mut Vec<bool>, lts: &Lts| {
        for label in lts.alphabet() {
            set[label.index()] = true;
        }
    };
    let of_groups = |groups: &[Vec<usize>]| {
        let mut set = vec![false; labels];
        for component in groups.iter().flatten() {
            mark(&mut set, &network.components[*component].lts);
        }
        set
    };
    (1..groups.len())
        .map(|number| {
            let mut above = of_groups(&groups[..number]);
            mark(&mut above, &network.properties[property].lts);
            View {
                above,
                own: of_groups(&groups[number..=number]),
                below: of_groups(&groups[number..]),
                here: vec![false; labels],
                visible: vec![false; labels],
            }
        })
        .collect()
}

impl Abstraction for Agar<'_> {
    type Counterexample = Found;
    type Real = Counterexample;

    fn size(&self) -> u64 {
        self.refinements
    }

    fn check(&mut self, cx: &Context) -> Result<Checked<Found>, Stopped> {
        let Some(premise) = &mut self.premise else {
            return Err(Stopped::Memory);
        };
        let found = premise.run(cx)?;
        let states = premise.sizes().0;
        self.largest = self.largest.max(states);
        Ok(match found {
            Some(found) => Checked::Fails(found),
            None => {
                self.record(String::new());
                Checked::Holds
            }
        })
    }

    fn analyse(&mut self, found: Found, cx: &Context) -> Result<Analysed<Counterexample>, Stopped> {
        let mut upper = self.upper(&found);
        for number in 0..self.levels.len() {
            cx.check()?;
            let view = &self.views[number];
            match analyse(&self.levels[number], view, &upper, self.options.splitting) {
                Finding::Follows(longer) => upper = longer,
                Finding::Spurious(sets) => {
                    self.record(format!("split the assumption about group {}", number + 2));
                    if !self.split(number, &sets, cx)? {
                        let why = "a spurious counterexample split no class".to_owned();
                        return Ok(Analysed::Stuck(why));
                    }
                    self.refinements += 1;
                    return Ok(Analysed::Refined);
                }
                Finding::Blind(labels) => {
                    if labels.is_empty() {
                        let why = "a run differs on no label that could be watched".to_owned();
                        return Ok(Analysed::Stuck(why));
                    }
                    let names = labels.iter().map(|l| self.network.labels.display(*l));
                    let names: Vec<String> = names.collect();
                    self.record(format!("watch {}", names.join(", ")));
                    for label in labels {
                        self.watched[label.index()] = true;
                    }
                    // With one assumption, beginning anew is cheap and keeps it small; in a chain,
                    // beginning all of them anew takes far longer than it saves.
                    match self.levels.len() {
                        _ if self.options.restart => self.build(cx)?,
                        1 => self.begin_anew(cx)?,
                        _ => self.rebuild_watching(cx)?,
                    }
                    self.refinements += 1;
                    return Ok(Analysed::Refined);
                }
            }
        }
        self.record("the counterexample is real".to_owned());
        Ok(Analysed::Real(self.counterexample(&upper)))
    }
}
