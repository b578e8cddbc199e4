//! The refinement loop (section 6 of the paper).
//!
//! Every reduction of the process is kept at once, so that later rounds work on a smaller one:
//! each is invertible for the real environment, whatever the abstraction was when it was found.

use suppose_control::{Context, Event};
use suppose_model::lts::{Label, Lts, Network};
use suppose_model::{Reason, Round};

use super::abstraction::Member;
use super::bounds::{Bounds, Modality, backward, doomed, forward, reaches_error};
use super::choose::View;
use super::coarsen::{Effort, coarsen};
use super::partition::Partition;
use super::process::{Composed, Direction, Process};
use super::region::{Region, Scene};
use super::sets::{Sets, contains, unite};
use super::{Merging, Mode, QuotientOptions};

/// The state of the refinement.
pub(super) struct Engine<'a> {
    options: &'a QuotientOptions,
    property: &'a Lts,
    pub members: Vec<Member<'a>>,
    /// The process as it is reduced so far.
    pub process: Process,
    /// The label of every channel; 0 stands for the private steps.
    pub labels: Vec<Label>,
    channel_of: Vec<u32>,
    /// The class of every state of the process as it was, before private steps were left out.
    pub class_of: Vec<u32>,
    /// The quotient with private steps.
    pub quotient: Option<Process>,
    /// Where each of its classes went.
    pub entry: Vec<Option<u32>>,
    original: usize,
    pub decided: Option<bool>,
    pub rounds: Vec<Round>,
    pub states: u64,
    pub transitions: u64,
    pub largest: u64,
    previous: Option<Previous>,
    /// The abstraction that is put aside while the environment itself is tried, or the reverse.
    aside: Vec<Member<'a>>,
    /// Is the environment taken as it is?
    plain: bool,
    /// Give an exploration up past so many states.
    most: usize,
    /// With [`Merging::Once`]: the classes by the last look, to be merged in the end.
    once: Option<Once>,
}

/// Forward classes of the process, and backward classes of its quotient by them.
struct Once {
    forward: Partition,
    backward: Partition,
}

/// Lower bounds of an earlier round stay valid.
struct Previous {
    region: Region,
    forward: Sets,
    backward: Sets,
}

/// One look at the process in the abstract environment, after which nothing more can be merged.
pub(super) struct Analysis {
    pub region: Region,
    pub modality: Modality,
    pub forward: Bounds,
    pub backward: Bounds,
    /// With [`Merging::Once`]: the quotient that the backward bounds are about.
    reduced: Option<Process>,
}

impl<'a> Engine<'a> {
    pub fn new(
        network: &'a Network,
        property: usize,
        composed: &Composed,
        environment: &[usize],
        options: &'a QuotientOptions,
    ) -> Self {
        let property = &network.properties[property].lts;
        let mut outside = vec![false; network.labels.len()];
        let lts = |i: &usize| &network.components[*i].lts;
        for label in environment.iter().flat_map(|i| lts(i).alphabet()) {
            outside[label.index()] = true;
        }
        for label in property.alphabet() {
            outside[label.index()] = true;
        }
        let mut labels = vec![Label::TAU];
        let mut channel_of = vec![0; network.labels.len()];
        for label in composed.lts.alphabet() {
            if outside[label.index()] {
                channel_of[label.index()] = labels.len() as u32;
                labels.push(*label);
            }
        }
        let edges = composed.lts.all_edges();
        let edges = edges.map(|(s, l, t)| (channel_of[l.index()], s, t));
        let states = composed.lts.states();
        let process = Process::new(
            states,
            composed.lts.initial(),
            labels.len(),
            edges.collect(),
        );
        let member = |i: &usize, plain: bool| Member::new(*i, lts(i), plain);
        let members = |plain: bool| environment.iter().map(|i| member(i, plain)).collect();
        let both = !options.exact && options.plain_states > 0;
        let plain = options.exact || both;
        Engine {
            options,
            property,
            members: members(plain),
            aside: if both { members(false) } else { Vec::new() },
            plain,
            most: if both {
                options.plain_states
            } else {
                usize::MAX
            },
            process,
            labels,
            channel_of,
            class_of: (0..states as u32).collect(),
            quotient: None,
            entry: Vec::new(),
            original: states,
            decided: None,
            rounds: Vec::new(),
            states: states as u64,
            transitions: composed.lts.transitions() as u64,
            largest: states as u64,
            previous: None,
            once: None,
        }
    }

    /// The channel of every label of the network.
    #[cfg(test)]
    pub fn channels(&self) -> &[u32] {
        &self.channel_of
    }

    /// Refines until the mode's aim is reached, then finishes the assumption.
    pub fn run(&mut self, cx: &Context) -> Result<(), Reason> {
        let analysis = self.refine(cx)?;
        if self.options.merging == Merging::Once {
            self.stop();
            return Ok(());
        }
        self.shrink(analysis, cx)?;
        self.leave_out_private(cx)
    }

    /// Makes an assumption of what there is, without looking for more to merge.
    pub fn stop(&mut self) {
        if let Some(Once { forward, backward }) = self.once.take() {
            self.previous = None;
            self.merge(forward.classes(), forward.len());
            self.merge(backward.classes(), backward.len());
        }
        if self.quotient.is_none() && self.entry.is_empty() {
            self.without_private();
        }
    }

    fn refine(&mut self, cx: &Context) -> Result<Analysis, Reason> {
        let schedule = self.options.schedule;
        let mut way = Direction::Forward;
        let mut steps = 0;
        let mut edges = schedule.edges.max(1) as usize;
        loop {
            let number = self.rounds.len() as u64 + 1;
            if number > cx.max_iterations {
                return Err(Reason::Iterations);
            }
            cx.emit(Event::Iteration {
                number,
                abstract_size: self.members.iter().map(|m| m.partition.len() as u64).sum(),
            });
            let Some(analysis) = self.analyse(cx)? else {
                self.take_turns();
                continue;
            };
            if self.is_enough(&analysis) {
                self.record(&analysis, "");
                return Ok(analysis);
            }
            if steps >= schedule.switch_every.max(1) {
                (way, steps) = (other(way), 0);
            }
            let mut splits = self.choose(&analysis, way, edges);
            if splits.is_empty() {
                (way, steps) = (other(way), 0);
                splits = self.choose(&analysis, way, edges);
            }
            if splits.is_empty() {
                self.record(&analysis, "");
                return Ok(analysis);
            }
            steps += 1;
            self.record(
                &analysis,
                match way {
                    Direction::Forward => "split classes of the environment by what leads to them",
                    Direction::Backward => "split classes of the environment by what they lead to",
                },
            );
            self.split(splits)?;
            if schedule.doubling {
                edges = edges.saturating_mul(2);
            }
            self.keep(analysis);
        }
    }

    /// The abstraction or the environment itself became too large: on with the other, which may become
    /// four times as large before this one has its turn again.
    fn take_turns(&mut self) {
        std::mem::swap(&mut self.members, &mut self.aside);
        self.plain = !self.plain;
        self.most = self.most.saturating_mul(4);
        self.previous = None;
        for member in &mut self.members {
            member.settle();
        }
    }

    fn choose(
        &self,
        analysis: &Analysis,
        way: Direction,
        most: usize,
    ) -> Vec<super::choose::Split> {
        let (bounds, opposite) = match way {
            Direction::Forward => (&analysis.forward, &analysis.backward),
            Direction::Backward => (&analysis.backward, &analysis.forward),
        };
        let process = match (way, &analysis.reduced) {
            (Direction::Backward, Some(reduced)) => reduced,
            _ => &self.process,
        };
        let is_narrowed = self.decided.is_none() && analysis.reduced.is_none();
        let view = View {
            region: &analysis.region,
            modality: &analysis.modality,
            process,
            members: &self.members,
            bounds,
            relevant: is_narrowed.then_some(&opposite.upper),
        };
        view.choose(way, most)
    }

    fn split(&mut self, splits: Vec<super::choose::Split>) -> Result<(), Reason> {
        for member in &mut self.members {
            member.settle();
        }
        let mut changed = vec![false; self.members.len()];
        for split in splits {
            changed[split.member] |= self.members[split.member].split(&split.set);
        }
        for (member, _) in self.members.iter_mut().zip(&changed).filter(|(_, c)| **c) {
            member.rebuild();
        }
        match changed.contains(&true) {
            true => Ok(()),
            false => Err(Reason::Internal("a refinement split no class".to_owned())),
        }
    }

    fn keep(&mut self, analysis: Analysis) {
        // Backward bounds of a quotient mean nothing for the next one.
        let backward = match analysis.reduced {
            Some(_) => Sets::new(analysis.region.len(), self.process.states),
            None => analysis.backward.lower,
        };
        self.previous = Some(Previous {
            region: analysis.region,
            forward: analysis.forward.lower,
            backward,
        });
    }

    /// Has the loop reached its aim?
    fn is_enough(&self, analysis: &Analysis) -> bool {
        let decided = self.decided.is_some();
        let no_more = || {
            self.process.states == 1
                || analysis.forward.separates_all(&analysis.region)
                    && analysis.backward.separates_all(&analysis.region)
        };
        match self.options.mode {
            Mode::Decide => decided,
            Mode::Threshold(share) => decided || self.size() as f64 <= share * self.original as f64,
            Mode::Minimal if self.options.merging == Merging::Once => false,
            Mode::Minimal if self.is_coarse() && self.decided == Some(false) => true,
            Mode::Minimal => decided && no_more(),
        }
    }

    /// Is merged past the equivalences?
    fn is_coarse(&self) -> bool {
        self.options.merging == Merging::Further
    }

    /// The states of the assumption as it would be now.
    fn size(&self) -> usize {
        match &self.once {
            Some(once) => once.backward.len(),
            None => self.process.states,
        }
    }

    /// The process in the abstract environment. None if that takes too many states.
    fn explore(&mut self, cx: &Context) -> Result<Option<Region>, Reason> {
        cx.check()?;
        let scene = Scene {
            members: &self.members,
            property: self.property,
            process: &self.process,
            channel_of: &self.channel_of,
            most: self.most,
        };
        let Some(region) = Region::explore(&scene, self.options.slack, cx)? else {
            self.states += self.most as u64;
            return Ok(None);
        };
        self.states += region.len() as u64;
        self.transitions += region.transitions;
        self.largest = self.largest.max(region.len() as u64);
        Ok(Some(region))
    }

    /// Computes the classes of each equivalence once, and merges nothing yet. None if that takes too
    /// many states.
    fn look_once(&mut self, cx: &Context) -> Result<Option<Analysis>, Reason> {
        let Some(mut region) = self.explore(cx)? else {
            return Ok(None);
        };
        let modality = Modality::new(&region, &self.members, cx)?;
        let (known, _) = self.inherit(&region);
        let before = forward(&region, &modality, &self.process, known, cx)?;
        self.decide(&region, &before);
        let classes = before.classes(&region);
        let (map, count) = (classes.classes(), classes.len());
        let reduced = self.process.quotient(map, count);
        region.upper = before.upper.mapped(map, count);
        let nothing = Sets::new(region.len(), count);
        let after = backward(&region, &modality, &reduced, nothing, cx)?;
        if self.decided.is_none() && contains(after.lower.row(0), reduced.initial) {
            self.decided = Some(false);
        }
        self.once = Some(Once {
            backward: after.classes(&region),
            forward: classes,
        });
        Ok(Some(Analysis {
            region,
            modality,
            forward: before,
            backward: after,
            reduced: Some(reduced),
        }))
    }

    /// Merges by both equivalences until neither merges anything. None if that takes too many
    /// states.
    pub fn analyse(&mut self, cx: &Context) -> Result<Option<Analysis>, Reason> {
        if self.options.merging == Merging::Once {
            return self.look_once(cx);
        }
        loop {
            let Some(mut region) = self.explore(cx)? else {
                return Ok(None);
            };
            let modality = Modality::new(&region, &self.members, cx)?;
            let (known_forward, known_backward) = self.inherit(&region);
            let mut before = forward(&region, &modality, &self.process, known_forward, cx)?;
            self.decide(&region, &before);
            let classes = before.classes(&region);
            let mut known_backward = known_backward;
            if classes.len() < self.process.states {
                let (map, count) = (classes.classes(), classes.len());
                before.lower = before.lower.mapped(map, count);
                before.upper = before.upper.mapped(map, count);
                region.upper = before.upper.clone();
                known_backward = known_backward.mapped(map, count);
                self.merge(map, count);
            }
            let mut after = backward(&region, &modality, &self.process, known_backward, cx)?;
            if self.decided.is_none() && contains(after.lower.row(0), self.process.initial) {
                self.decided = Some(false);
            }
            let classes = after.classes(&region);
            if classes.len() == self.process.states {
                return Ok(Some(Analysis {
                    region,
                    modality,
                    forward: before,
                    backward: after,
                    reduced: None,
                }));
            }
            let (map, count) = (classes.classes(), classes.len());
            before.lower = before.lower.mapped(map, count);
            after.lower = after.lower.mapped(map, count);
            self.merge(map, count);
            for member in &mut self.members {
                member.settle();
            }
            self.previous = Some(Previous {
                region,
                forward: before.lower,
                backward: after.lower,
            });
        }
    }

    /// The abstract environment with the process as it was.
    pub fn whole(&self, composed: &Composed, cx: &Context) -> Result<Region, Reason> {
        let edges = composed.lts.all_edges();
        let edges = edges.map(|(s, l, t)| (self.channel_of[l.index()], s, t));
        let (states, initial) = (composed.lts.states(), composed.lts.initial());
        let process = Process::new(states, initial, self.labels.len(), edges.collect());
        let scene = Scene {
            members: &self.members,
            property: self.property,
            process: &process,
            channel_of: &self.channel_of,
            most: usize::MAX,
        };
        let lost = || Reason::Internal("an exploration without limit ended early".to_owned());
        Region::explore(&scene, 0, cx)?.ok_or_else(lost)
    }

    fn decide(&mut self, region: &Region, forward: &Bounds) {
        if self.decided.is_none() {
            if !reaches_error(region, &self.process, &region.upper) {
                self.decided = Some(true);
            } else if reaches_error(region, &self.process, &forward.lower) {
                self.decided = Some(false);
            }
        }
    }

    /// The lower bounds of the last round: those of the classes that each class was part of.
    fn inherit(&self, region: &Region) -> (Sets, Sets) {
        let mut before = Sets::new(region.len(), self.process.states);
        let mut after = before.clone();
        let Some(previous) = &self.previous else {
            return (before, after);
        };
        let count = self.members.len();
        for state in 0..region.len() {
            let parents = self.members.iter().enumerate().map(|(slot, member)| {
                let class = region.slot(state, slot);
                member.parent[class as usize]
            });
            let slots = parents.chain([region.slot(state, count)]);
            if let Some(found) = previous.region.find(slots) {
                unite(before.row_mut(state), previous.forward.row(found as usize));
                unite(after.row_mut(state), previous.backward.row(found as usize));
            }
        }
        (before, after)
    }

    /// Replaces the process by its quotient.
    fn merge(&mut self, map: &[u32], count: usize) {
        self.process = self.process.quotient(map, count);
        match self.quotient {
            None => {
                for class in &mut self.class_of {
                    *class = map[*class as usize];
                }
            }
            Some(_) => {
                for class in self.entry.iter_mut().flatten() {
                    *class = map[*class as usize];
                }
            }
        }
        if let Some(previous) = &mut self.previous {
            previous.forward = previous.forward.mapped(map, count);
            previous.backward = previous.backward.mapped(map, count);
        }
    }

    /// Merges past the equivalences, if asked to.
    fn shrink(&mut self, mut analysis: Analysis, cx: &Context) -> Result<(), Reason> {
        if !self.is_coarse() || self.process.states == 1 {
            return Ok(());
        }
        let (map, count) = match self.decided {
            // Merging only adds behaviour, so a violation survives any merge.
            Some(false) => (vec![0; self.process.states], 1),
            Some(true) => {
                let bad = doomed(&analysis.region, &self.process, cx)?;
                let effort = Effort {
                    trials: self.options.trials,
                    growth: match self.options.mode {
                        Mode::Minimal => 16,
                        Mode::Decide | Mode::Threshold(_) => 1,
                    },
                };
                coarsen(&mut analysis.region, &self.process, bad, effort, cx)?
            }
            None => return Ok(()),
        };
        self.previous = None;
        self.merge(&map, count);
        Ok(())
    }

    /// Assumptions have no private steps: leaves them out, and merges what that made alike.
    fn leave_out_private(&mut self, cx: &Context) -> Result<(), Reason> {
        self.without_private();
        if self.quotient.is_some() {
            self.most = usize::MAX;
            if let Some(analysis) = self.analyse(cx)? {
                self.shrink(analysis, cx)?;
            }
        }
        Ok(())
    }

    fn without_private(&mut self) {
        self.entry = (0..self.process.states as u32).map(Some).collect();
        let quotient = self.process.clone();
        if quotient.has_private() {
            let (process, entry) = quotient.without_private();
            self.previous = None;
            (self.process, self.entry) = (process, entry);
            self.quotient = Some(quotient);
        }
    }

    fn record(&mut self, analysis: &Analysis, refined: &str) {
        self.rounds.push(Round {
            number: self.rounds.len() as u64 + 1,
            assumption_states: self.size() as u64,
            alphabet: self.labels.len() as u64 - 1,
            states: analysis.region.len() as u64,
            refined: refined.to_owned(),
        });
    }
}

fn other(way: Direction) -> Direction {
    match way {
        Direction::Forward => Direction::Backward,
        Direction::Backward => Direction::Forward,
    }
}
