//! Liveness in parts: every premise replaces some members of the system by one smaller LTS, with which the claim is neither more nor less true.
//!
//! The premises form a [tree](crate::tree). The claim must ignore [foreign steps](Liveness::ignores_foreign_steps), so it is about the
//! *visible* labels of a run, those with an [effect](Liveness::effect) on its propositions, and two labels of the same effect are the same to it.
//! There is no priority, and no process has an error state. A label is *private* to a premise if no process outside its group has it.
//! Let a premise have the members `M`, the guarantee `A` and the relation `R`. What `A` *calls* a label of `M` is
//!
//! * the label itself, if `A` has it;
//! * nothing, if it is private and has no effect: such labels, and `tau`, are *hidden*;
//! * the least private label of `A` of the same effect, if it is private and has one.
//!
//! Every label of `M` is one of these, and the labels of `A` are labels of `M`. Checked of the relation:
//!
//! 1. The initial states are related. Whenever `(s, x)` is in `R` and `s -a-> s'`: if `a` is called `b`, some `x -b-> y` has `(s', y)` in `R`;
//!    if it is hidden, some `x -tau-> y` has, or `(s', x)` is in `R`: the step is *inert*.
//! 2. About fair choice: whenever `(s, x)` is in `R` and `x -b-> y`, some inert steps lead from `s` to an `s1` (related to `x`), and `s1 -a-> s'` with
//!    a label that is called `b` and `(s', y)` in `R`. If `b` is `tau`, a hidden step may do so, or no step: `(s1, y)` is in `R`.
//! 3. About all runs: whenever `(s, x)` is in `R` and `s` has no hidden step: `x` has no `tau`, and `s` can do a label that
//!    is called `b` if `x` can do `b`. And there is no cycle of inert steps from vectors with the same `x`.
//!
//! With 1 and 2, `R` is a weak bisimulation, which stays one beside other LTSs, since hidden and renamed labels are nobody else's. So the whole and what is left in
//! the end are weakly bisimilar, if labels are called by their effects. That almost every run satisfies the claim is the same for both: let the claim be a
//! deterministic automaton over effects, which runs along. A run ends up in a set that no step leaves, and takes each visible step that is possible from there again and
//! again. By the bisimulation, a set of the one has visible steps in a state of the automaton if and only if a related
//! set of the other has. Whether a set without visible steps stops or goes on with hidden ones makes no difference: nothing is done, and fluents keep their values.
//!
//! With 1 and 3, every run of the whole is matched by a run of what is left that has the same visible labels: it goes along step by step, where steps are inert for ever it would have to
//! be a cycle of them, since there are finitely many vectors; and where the whole stops, so does what is left. So if all runs of the latter satisfy the claim, so do those of the whole.

use suppose_model::lts::{
    Component, ComponentKind, Fairness, Label, Liveness, Lts, Network, State,
};
use suppose_model::{Guarantee, LivenessProof, Premise};

use super::{Subject, flaw, on_whole};
use crate::cancellation::Cancellation;
use crate::left::{LeftSide, Move, Scratch};
use crate::rejection::{Place, Rejection};
use crate::summary::Summary;
use crate::tree::Tree;
use crate::vectors::{Vectors, shape, vectors};

/// The claim holds of the system, since it holds of what the premises leave of it.
pub(super) fn holds(
    subject: &Subject<'_>,
    components: &[usize],
    assumptions: &[usize],
    rest: &LivenessProof,
    watch: &mut Cancellation<'_>,
) -> Result<Summary, Rejection> {
    let Subject { network, claim, .. } = *subject;
    if network.priority.is_some() || !network.errors.is_empty() {
        let why = "with priority or error states, the parts do not determine the whole";
        return Err(Rejection::at(Place::System, why));
    }
    if !subject.premises.is_empty() && !claim.ignores_foreign_steps() {
        let why = "the claim may depend on steps that it does not speak of";
        return Err(Rejection::at(Place::System, why));
    }
    let all = &subject.certificate.assumptions;
    let mut tree = Tree::new(network, all);
    let mut summary = Summary::default();
    for number in subject.premises.clone() {
        let flaw = |why| Rejection::at(Place::Premise(number), why);
        let premise = &subject.certificate.premises[number];
        let group = tree.enter(premise).map_err(flaw)?;
        let Guarantee::Assumption(goal) = premise.guarantee else {
            return Err(flaw("it does not show an assumption".to_owned()));
        };
        let members = tree.members(premise);
        let calls = calls(&tree, claim, &members, &all[goal].lts, &group).map_err(flaw)?;
        summary.steps += relation(subject, number, &members, &all[goal].lts, &calls, watch)?;
        summary.vectors += premise.relation.len() as u64;
        tree.replaces(goal, group);
    }
    tree.join(components, assumptions).map_err(flaw)?;
    tree.is_whole().map_err(flaw)?;
    let lts = |component: &usize| &network.components[*component].lts;
    let parts = components.iter().map(lts);
    let parts = parts.chain(assumptions.iter().map(|a| &all[*a].lts));
    let left = left(network, claim, parts);
    let found = on_whole(&left, &left.liveness[0], rest, watch)?;
    summary.vectors += found.vectors;
    summary.steps += found.steps;
    Ok(summary)
}

/// What the premises leave of a system, with what the claim says of it: the labels that have gone cannot happen any more, and labels
/// that no process ever had may still happen at any time.
fn left<'a>(
    network: &Network,
    claim: &Liveness,
    parts: impl Iterator<Item = &'a Lts> + Clone,
) -> Network {
    let has = |lts: &Lts, label: Label| lts.alphabet().binary_search(&label).is_ok();
    let processes = network.processes();
    let had = |l: Label| {
        processes
            .iter()
            .any(|c| has(&network.components[*c].lts, l))
    };
    let kept = |l: Label| parts.clone().any(|lts| has(lts, l));
    let component = |lts: &Lts| Component {
        lts: lts.clone(),
        kind: ComponentKind::Process,
    };
    Network {
        name: network.name.clone(),
        labels: network.labels.clone(),
        components: parts.clone().map(component).collect(),
        liveness: vec![claim.without(|l| had(l) && !kept(l))],
        ..Network::default()
    }
}

/// What the guarantee calls a label of the members.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Call {
    /// No member has it.
    None,
    Hidden,
    By(Label),
}

/// For every label, what the guarantee calls it.
fn calls(
    tree: &Tree<'_>,
    claim: &Liveness,
    members: &[&Lts],
    goal: &Lts,
    group: &[usize],
) -> Result<Vec<Call>, String> {
    let name = |label: Label| tree.network.labels.display(label);
    let foreign = |effect: &[(bool, bool)]| effect.iter().all(|e| *e == (false, false));
    let private = goal.alphabet().iter().copied();
    let private = private.filter(|l| tree.is_private(*l, group));
    let private: Vec<(Label, Vec<(bool, bool)>)> = private.map(|l| (l, claim.effect(l))).collect();
    let mut calls = vec![Call::None; tree.network.labels.len()];
    calls[Label::TAU.index()] = Call::Hidden;
    for label in members.iter().flat_map(|m| m.alphabet()).copied() {
        let effect = claim.effect(label);
        calls[label.index()] = if goal.has_label(label) {
            Call::By(label)
        } else if !tree.is_private(label, group) {
            return Err(format!("it hides {}, which others have too", name(label)));
        } else if foreign(&effect) {
            Call::Hidden
        } else {
            let same = private.iter().find(|(_, e)| *e == effect);
            let same = same.ok_or_else(|| format!("the claim speaks of {}", name(label)))?;
            Call::By(same.0)
        };
    }
    let unknown = |l: &&Label| calls[l.index()] == Call::None;
    match goal.alphabet().iter().find(unknown) {
        Some(label) => {
            let name = name(*label);
            Err(format!(
                "its guarantee has the label {name}, which no member has"
            ))
        }
        None => Ok(calls),
    }
}

/// Checks the relation of a premise; how many steps were followed.
fn relation(
    subject: &Subject<'_>,
    number: usize,
    members: &[&Lts],
    goal: &Lts,
    calls: &[Call],
    watch: &mut Cancellation<'_>,
) -> Result<u64, Rejection> {
    let network = subject.network;
    let premise: &Premise = &subject.certificate.premises[number];
    let left = LeftSide::new(members.to_vec(), network, premise.guarantee);
    let all = members.iter().copied().chain([goal]);
    let sizes: Vec<u32> = all.clone().map(|lts| lts.states() as u32).collect();
    let relation = vectors(network, premise)
        .and_then(|relation| shape(&relation, &sizes).map(|()| relation))
        .map_err(|why| Rejection::at(Place::Premise(number), why))?;
    let vectors = Vectors::new(number, &relation, &sizes, watch)?;
    let initial: Vec<State> = all.map(Lts::initial).collect();
    vectors.has_initial(&initial)?;
    let about_fair = subject.claim.fairness == Fairness::FairChoice;
    let mut pass = Pass {
        vectors: &vectors,
        goal,
        calls,
        next: Vec::new(),
        inert: Vec::new(),
        matched: Matched::default(),
        about_fair,
        steps: 0,
    };
    let mut states = Vec::new();
    let mut scratch = Scratch::default();
    for (vector, record) in vectors.relation.iter().enumerate() {
        watch.tick()?;
        vectors.states(vector, record, &mut states)?;
        pass.vector(vector, record, &states, &left, &mut scratch, watch)?;
    }
    match about_fair {
        true => pass.matches_back(watch)?,
        false => pass.ends(watch)?,
    }
    Ok(pass.steps)
}

/// For every vector, which edges of the guarantee's state are matched from it.
#[derive(Default)]
struct Matched {
    starts: Vec<usize>,
    bits: Vec<bool>,
}

impl Matched {
    fn of(&mut self, vector: usize) -> &mut [bool] {
        &mut self.bits[self.starts[vector]..self.starts[vector + 1]]
    }
}

/// One pass over the relation of a premise.
struct Pass<'a> {
    vectors: &'a Vectors<'a>,
    goal: &'a Lts,
    calls: &'a [Call],
    next: Vec<u64>,
    /// The inert steps, as numbers of vectors.
    inert: Vec<(u32, u32)>,
    matched: Matched,
    about_fair: bool,
    steps: u64,
}

impl Pass<'_> {
    /// Checks the steps of a vector, and notes what later tests need.
    fn vector<'s>(
        &mut self,
        vector: usize,
        record: &[u64],
        states: &[State],
        left: &LeftSide<'s>,
        scratch: &mut Scratch<'s>,
        watch: &mut Cancellation<'_>,
    ) -> Result<(), Rejection> {
        let state = states.last().copied().unwrap_or_default();
        self.matched.starts.push(self.matched.bits.len());
        let edges = self.goal.edges(state).len();
        self.matched
            .bits
            .resize(self.matched.bits.len() + edges, false);
        self.matched.starts.push(self.matched.bits.len());
        let mut has_hidden = false;
        left.steps(states, scratch, |step| {
            watch.tick()?;
            self.steps += 1;
            has_hidden |= self.step(vector, record, states, &step)?;
            Ok(())
        })?;
        if self.about_fair {
            self.stays(vector, record, states);
        } else if !has_hidden {
            self.refuses(vector, state)?;
        }
        self.matched.starts.pop();
        Ok(())
    }

    /// The guarantee goes along with a step; is it hidden?
    fn step(
        &mut self,
        vector: usize,
        record: &[u64],
        states: &[State],
        step: &Move,
    ) -> Result<bool, Rejection> {
        let layout = self.vectors.relation.layout();
        self.next.clear();
        self.next.extend_from_slice(record);
        for (member, target) in step.members.iter().zip(step.targets) {
            layout.set(&mut self.next, *member as usize, *target);
        }
        let (label, is_hidden) = match self.calls[step.label.index()] {
            Call::By(label) => (label, false),
            Call::Hidden | Call::None => (Label::TAU, true),
        };
        let inert = match is_hidden {
            true => self.vectors.index.find(&self.next),
            false => None,
        };
        let goes_along = self.goes_along(vector, states, label);
        if let Some(to) = inert.filter(|_| self.about_fair || !goes_along) {
            self.inert.push((vector as u32, to));
        }
        match goes_along || inert.is_some() {
            true => Ok(is_hidden),
            false => Err(self
                .vectors
                .flaw(vector, "a step leads out of the relation")),
        }
    }

    /// Is the successor related to one that the guarantee's state goes to? Notes which of its edges do so.
    fn goes_along(&mut self, vector: usize, states: &[State], label: Label) -> bool {
        let slot = states.len() - 1;
        let layout = self.vectors.relation.layout();
        let edges = self.goal.edges(states[slot]);
        let from = edges.partition_point(|e| e.label < label);
        let mut found = false;
        for (at, edge) in edges.iter().enumerate().skip(from) {
            if edge.label != label {
                break;
            }
            layout.set(&mut self.next, slot, edge.target);
            if self.vectors.index.contains(&self.next) {
                self.matched.of(vector)[at] = true;
                found = true;
            }
        }
        found
    }

    /// A `tau` of the guarantee may be matched by no step.
    fn stays(&mut self, vector: usize, record: &[u64], states: &[State]) {
        self.next.clear();
        self.next.extend_from_slice(record);
        self.goes_along(vector, states, Label::TAU);
    }

    /// The members wait for others, and so does the guarantee, for nothing more.
    fn refuses(&mut self, vector: usize, state: State) -> Result<(), Rejection> {
        let edges = self.goal.edges(state);
        let done = self.matched.of(vector).to_vec();
        let can = |label: Label| {
            let mut all = edges.iter().zip(&done);
            all.any(|(e, done)| e.label == label && *done)
        };
        match edges.iter().all(|e| !e.label.is_tau() && can(e.label)) {
            true => Ok(()),
            false => {
                let why = "the guarantee can do more than the members that have stopped";
                Err(self.vectors.flaw(vector, why))
            }
        }
    }

    /// What the guarantee can do, the members can do after inert steps.
    fn matches_back(&mut self, watch: &mut Cancellation<'_>) -> Result<(), Rejection> {
        self.matched.starts.push(self.matched.bits.len());
        let count = self.vectors.relation.len();
        self.inert.sort_unstable_by_key(|(from, to)| (*to, *from));
        let mut open: Vec<u32> = (0..count as u32).collect();
        let mut is_open = vec![true; count];
        while let Some(to) = open.pop() {
            is_open[to as usize] = false;
            let known = self.matched.of(to as usize).to_vec();
            let from = self.inert.partition_point(|e| e.1 < to);
            for (source, target) in &self.inert[from..] {
                watch.tick()?;
                if *target != to {
                    break;
                }
                let mut more = false;
                let slot = self.matched.starts[*source as usize];
                for (at, known) in known.iter().enumerate() {
                    more |= *known && !self.matched.bits[slot + at];
                    self.matched.bits[slot + at] |= *known;
                }
                if more && !std::mem::replace(&mut is_open[*source as usize], true) {
                    open.push(*source);
                }
            }
        }
        let missing = |vector: &usize| {
            let ends = &self.matched.starts[*vector..];
            !self.matched.bits[ends[0]..ends[1]].iter().all(|m| *m)
        };
        match (0..count).find(missing) {
            Some(vector) => {
                let why = "the guarantee can do what the members cannot";
                Err(self.vectors.flaw(vector, why))
            }
            None => Ok(()),
        }
    }

    /// Inert steps come to an end.
    fn ends(&mut self, watch: &mut Cancellation<'_>) -> Result<(), Rejection> {
        let count = self.vectors.relation.len();
        let mut waits_for = vec![0u32; count];
        for (from, _) in &self.inert {
            waits_for[*from as usize] += 1;
        }
        self.inert.sort_unstable_by_key(|(from, to)| (*to, *from));
        let mut done: Vec<u32> = (0..count as u32)
            .filter(|v| waits_for[*v as usize] == 0)
            .collect();
        let mut next = 0;
        while let Some(to) = done.get(next).copied() {
            next += 1;
            let from = self.inert.partition_point(|e| e.1 < to);
            for (source, _) in self.inert[from..].iter().take_while(|e| e.1 == to) {
                watch.tick()?;
                waits_for[*source as usize] -= 1;
                if waits_for[*source as usize] == 0 {
                    done.push(*source);
                }
            }
        }
        match waits_for.iter().position(|w| *w > 0) {
            Some(vector) => {
                let why = "hidden steps may go on for ever, and the guarantee does not";
                Err(self.vectors.flaw(vector, why))
            }
            None => Ok(()),
        }
    }
}
