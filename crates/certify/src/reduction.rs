//! Freedom from deadlock in parts: every premise replaces some members of the system by one smaller LTS.
//!
//! The premises form a tree. Its leaves are the processes; a premise composes its members (processes, and LTSs that earlier
//! premises replaced others by), hides the labels that no other component has, and relates every state to one of a smaller
//! LTS, the assumption of its guarantee. The last premise composes what is left. Every process and every
//! assumption is a member of exactly one premise. Checked of a premise with the members `M`, the guarantee `A` and the relation `R`:
//!
//! 1. The labels of `A` are labels of `M`; the others of `M` (the *hidden* ones) belong to no process outside the group, which are the
//!    processes in and below the premise.
//! 2. The initial states are related. Whenever `(s, x)` is in `R` and `s -a-> s'`: if `a` is a label of `A`, some `x -a-> y` has `(s', y)`
//!    in `R`; else (hidden, or `tau`) `(s', x)` or some `(s', y)` with `x -tau-> y` is in `R`.
//! 3. Whenever `(s, x)` is in `R` and `s` has no hidden step and no `tau`: `x` has no `tau` either, and every label that `x` can do `s` can do.
//! 4. A state of `A` has *ended* if all states without hidden steps that it is related to have. A state of `M` has if all of its members
//!    have; a process has where [`Network::success`](suppose_model::lts::Network) says so.
//!
//! So if the members stop together with the rest of the system, and have not all ended, `A` does so too, in a state that can be
//! reached: by 2, `A` can follow every run. Where the whole has stopped, `s` has no hidden step and no `tau`, so by 3 neither has `x`; a label that `x` and
//! the rest could do together `s` and the rest could do as well (by 1, everybody who has it is still there); and by 4, if all of `x`
//! and the rest have ended, so have all of `s` and the rest. Premise by premise, a deadlock of the system is one of
//! what the last premise composes, and that has none: all its states are in its relation, and each has a step or has ended.
//!
//! Nothing in this asks that `A` does only what `M` does: more behaviour of `A` can only add deadlocks.

use suppose_control::Context;
use suppose_model::lts::{ComponentKind, Label, Layout, Lts, Network, State};
use suppose_model::{Certificate, Guarantee, Premise};

use crate::cancellation::Cancellation;
use crate::left::{LeftSide, Move, Scratch};
use crate::rejection::{Place, Rejection};
use crate::summary::Summary;
use crate::tree::Tree;
use crate::vectors::{Vectors, shape, vectors};

/// Is this a proof in parts? Then what its last premise composes has replaced processes.
pub(crate) fn is_one(certificate: &Certificate) -> bool {
    let last = certificate.premises.last();
    last.is_some_and(|p| p.guarantee == Guarantee::DeadlockFree && !p.assumptions.is_empty())
}

/// Accepts a proof in parts that the system has no deadlock.
pub(crate) fn check(
    network: &Network,
    certificate: &Certificate,
    cx: &Context,
) -> Result<Summary, Rejection> {
    suits(network).map_err(|why| Rejection::at(Place::System, why))?;
    let mut proof = Deadlock {
        certificate,
        tree: Tree::new(network, &certificate.assumptions),
        ended: vec![Vec::new(); certificate.assumptions.len()],
    };
    let mut watch = Cancellation::new(cx);
    let mut summary = Summary::of(certificate);
    for (number, premise) in certificate.premises.iter().enumerate() {
        let flaw = |why| Rejection::at(Place::Premise(number), why);
        let is_last = number + 1 == certificate.premises.len();
        let group = match premise.guarantee {
            Guarantee::DeadlockFree if is_last => {
                proof.tree.join(&premise.components, &premise.assumptions)
            }
            _ => proof.tree.enter(premise),
        };
        let group = group.map_err(flaw)?;
        let hides = proof.hidden(premise, &group).map_err(flaw)?;
        summary.steps += proof.relation(number, &hides, &mut watch)?;
        summary.vectors += premise.relation.len() as u64;
        if let Guarantee::Assumption(a) = premise.guarantee {
            proof.tree.replaces(a, group);
        }
    }
    let flaw = |why| Rejection::at(Place::Whole, why);
    proof.tree.is_whole().map_err(flaw)?;
    Ok(summary)
}

/// May this system be taken apart?
fn suits(network: &Network) -> Result<(), &'static str> {
    if network.priority.is_some() {
        return Err("with priority, the parts do not determine the whole");
    }
    let free = network.free_labels();
    let is_free = |l: &Label| free.binary_search(l).is_ok();
    let environment = |k: ComponentKind| k == ComponentKind::Environment;
    let mut others = network.components.iter().filter(|c| environment(c.kind));
    match others.all(|c| c.lts.alphabet().iter().all(is_free)) {
        true => Ok(()),
        false => Err("an environment takes part in what processes do"),
    }
}

/// The premises so far, and where processes and assumptions have ended.
struct Deadlock<'a> {
    certificate: &'a Certificate,
    tree: Tree<'a>,
    /// For every assumption, the states in which it has ended.
    ended: Vec<Vec<bool>>,
}

impl<'a> Deadlock<'a> {
    /// For every label, whether the premise hides it.
    fn hidden(&self, premise: &Premise, group: &[usize]) -> Result<Vec<bool>, String> {
        let network = self.tree.network;
        let mut hides = vec![false; network.labels.len()];
        for label in self.tree.members(premise).iter().flat_map(|m| m.alphabet()) {
            hides[label.index()] = true;
        }
        let Guarantee::Assumption(number) = premise.guarantee else {
            return Ok(hides);
        };
        for label in self.certificate.assumptions[number].lts.alphabet() {
            if !std::mem::replace(&mut hides[label.index()], false) {
                let name = network.labels.display(*label);
                return Err(format!(
                    "its guarantee has the label {name}, which no member has"
                ));
            }
        }
        let is_shared = |l: &usize| hides[*l] && !self.tree.is_private(Label(*l as u32), group);
        match (0..hides.len()).find(is_shared) {
            Some(label) => {
                let name = network.labels.display(Label(label as u32));
                Err(format!("it hides {name}, which others have too"))
            }
            None => Ok(hides),
        }
    }

    /// Checks the relation of a premise; how many steps were followed.
    fn relation(
        &mut self,
        number: usize,
        hides: &[bool],
        watch: &mut Cancellation,
    ) -> Result<u64, Rejection> {
        let premise = &self.certificate.premises[number];
        let network = self.tree.network;
        let left = LeftSide::new(self.tree.members(premise), network, premise.guarantee);
        let goal = match premise.guarantee {
            Guarantee::Assumption(a) => Some(&self.certificate.assumptions[a].lts),
            _ => None,
        };
        let all = left.members().iter().copied().chain(goal);
        let sizes: Vec<u32> = all.map(|lts| lts.states() as u32).collect();
        let relation = vectors(network, premise)
            .and_then(|relation| shape(&relation, &sizes).map(|()| relation))
            .map_err(|why| Rejection::at(Place::Premise(number), why))?;
        let vectors = Vectors::new(number, &relation, &sizes, watch)?;
        let mut pass = Pass {
            vectors: &vectors,
            layout: relation.layout(),
            goal,
            hides,
            next: Vec::new(),
            seen: vec![0; hides.len()],
            steps: 0,
        };
        pass.starts(&left)?;
        let mut ended = vec![true; goal.map_or(0, Lts::states)];
        pass.vectors(&left, watch, |states| {
            let all_ended = self.has_ended(premise, states);
            if let (Some(_), Some(state)) = (goal, states.last()) {
                ended[*state as usize] &= all_ended;
            }
            all_ended
        })?;
        let steps = pass.steps;
        if let Guarantee::Assumption(a) = premise.guarantee {
            self.ended[a] = ended;
        }
        Ok(steps)
    }

    /// Have all members of a premise ended?
    fn has_ended(&self, premise: &Premise, states: &[State]) -> bool {
        let Some(success) = &self.tree.network.success else {
            return false;
        };
        let of_components = premise.components.iter().zip(states);
        let mut of_components = of_components.map(|(c, s)| success[*c].is_none_or(|end| end == *s));
        let rest = states.get(premise.components.len()..).unwrap_or_default();
        let mut of_assumptions = premise.assumptions.iter().zip(rest);
        of_components.all(|ended| ended) && of_assumptions.all(|(a, s)| self.ended[*a][*s as usize])
    }
}

/// One pass over the relation of a premise.
struct Pass<'a> {
    vectors: &'a Vectors<'a>,
    layout: &'a Layout,
    /// What the members are replaced by; none in the last premise.
    goal: Option<&'a Lts>,
    hides: &'a [bool],
    next: Vec<u64>,
    /// For every label, the last vector (and one) from which the members could do it.
    seen: Vec<usize>,
    steps: u64,
}

impl Pass<'_> {
    fn starts(&self, left: &LeftSide) -> Result<(), Rejection> {
        let all = left.members().iter().copied().chain(self.goal);
        let initial: Vec<State> = all.map(Lts::initial).collect();
        self.vectors.has_initial(&initial)
    }

    /// Checks every vector; `stopped` gets those without hidden steps and says whether all of it has ended.
    fn vectors(
        &mut self,
        left: &LeftSide,
        watch: &mut Cancellation,
        mut stopped: impl FnMut(&[State]) -> bool,
    ) -> Result<(), Rejection> {
        let mut states = Vec::new();
        let mut scratch = Scratch::default();
        for (vector, record) in self.vectors.relation.iter().enumerate() {
            watch.tick()?;
            self.vectors.states(vector, record, &mut states)?;
            let mut moves_alone = false;
            left.steps(&states, &mut scratch, |step| {
                watch.tick()?;
                self.steps += 1;
                moves_alone |= self.step(vector, record, &states, &step)?;
                Ok(())
            })?;
            if moves_alone {
                continue;
            }
            let ended = stopped(&states);
            match self.goal.zip(states.last()) {
                Some((goal, state)) => self.refuses(vector, goal, *state)?,
                None if !ended => {
                    return Err(self
                        .vectors
                        .flaw(vector, "no process can take part in a step"));
                }
                None => {}
            }
        }
        Ok(())
    }

    /// What the members are replaced by goes along with a step; is it hidden from the others?
    fn step(
        &mut self,
        vector: usize,
        record: &[u64],
        states: &[State],
        step: &Move,
    ) -> Result<bool, Rejection> {
        let label = step.label;
        let is_hidden = label.is_tau() || self.hides[label.index()];
        self.next.clear();
        self.next.extend_from_slice(record);
        for (member, target) in step.members.iter().zip(step.targets) {
            let slot = *member as usize;
            self.layout.set(&mut self.next, slot, *target);
        }
        if !is_hidden {
            self.seen[label.index()] = vector + 1;
        }
        let stays = is_hidden && self.vectors.index.contains(&self.next);
        if stays || self.goes_along(states, if is_hidden { Label::TAU } else { label }) {
            return Ok(is_hidden);
        }
        Err(self
            .vectors
            .flaw(vector, "a step leads out of the relation"))
    }

    /// Is the successor related to one of those that the goal's state goes to?
    fn goes_along(&mut self, states: &[State], label: Label) -> bool {
        let Some((goal, state)) = self.goal.zip(states.last()) else {
            return false;
        };
        let slot = states.len() - 1;
        goal.successors(*state, label).iter().any(|edge| {
            self.layout.set(&mut self.next, slot, edge.target);
            self.vectors.index.contains(&self.next)
        })
    }

    /// The members wait for the others, and what they are replaced by does so too, for nothing more.
    fn refuses(&self, vector: usize, goal: &Lts, state: State) -> Result<(), Rejection> {
        for edge in goal.edges(state) {
            if edge.label.is_tau() {
                let why = "the members have stopped, and the guarantee has not";
                return Err(self.vectors.flaw(vector, why));
            }
            if self.seen[edge.label.index()] != vector + 1 {
                let why = "the guarantee can do more than the members that have stopped";
                return Err(self.vectors.flaw(vector, why));
            }
        }
        Ok(())
    }
}
