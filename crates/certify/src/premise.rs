//! One premise: its relation is checked in one pass.

use suppose_model::lts::{ComponentKind, Label, Layout, Lts, Network, State};
use suppose_model::{Certificate, Guarantee, Premise};

use crate::cancellation::Cancellation;
use crate::index::BATCH;
use crate::left::{LeftSide, Move, Scratch};
use crate::rejection::{Place, Rejection};
use crate::vectors::{Vectors, shape, vectors};

/// Checks the relation of a premise whose numbers are known to be in range and without
/// duplicates. Returns how many steps were followed.
pub(crate) fn check(
    network: &Network,
    certificate: &Certificate,
    number: usize,
    watch: &mut Cancellation,
) -> Result<u64, Rejection> {
    let premise = &certificate.premises[number];
    let components = premise
        .components
        .iter()
        .map(|c| &network.components[*c].lts);
    let assumed = premise
        .assumptions
        .iter()
        .map(|a| &certificate.assumptions[*a].lts);
    let members = components.chain(assumed).collect();
    let left = LeftSide::new(members, network, premise.guarantee);
    let goal = match premise.guarantee {
        Guarantee::Assumption(a) => Goal::trace(&certificate.assumptions[a].lts, &left, network),
        Guarantee::Property(p) => Goal::trace(&network.properties[p].lts, &left, network),
        Guarantee::DeadlockFree => Goal::progress(premise, network),
    };
    let sizes = sizes(&left, &goal);
    let relation = vectors(network, premise)
        .and_then(|relation| shape(&relation, &sizes).map(|()| relation))
        .map_err(|why| Rejection::at(Place::Premise(number), why))?;
    let vectors = Vectors::new(number, &relation, &sizes, watch)?;
    let mut pass = Pass {
        vectors: &vectors,
        layout: relation.layout(),
        goal: &goal,
        batch: Batch::default(),
        steps: 0,
    };
    pass.starts(&left)?;
    pass.vectors(&left, watch)?;
    Ok(pass.steps)
}

/// What is to be shown of every step.
enum Goal<'a> {
    /// That a guarantee goes along.
    Trace {
        lts: &'a Lts,
        /// For every label, whether it is one of the guarantee.
        spoken: Vec<bool>,
        /// Labels of the guarantee that no member of the left side has.
        free: Vec<Label>,
    },
    /// That there is one in which a process takes part, unless stopping there is success.
    Progress {
        /// For every member, whether it is a process.
        is_process: Vec<bool>,
        /// Where each member must be for a stop to be success: see [`Network::success`].
        success: Option<Vec<Option<State>>>,
    },
}

impl<'a> Goal<'a> {
    fn trace(lts: &'a Lts, left: &LeftSide, network: &Network) -> Self {
        let mut spoken = vec![false; network.labels.len()];
        for label in lts.alphabet() {
            spoken[label.index()] = true;
        }
        let alone = |l: &Label| left.with(*l).is_empty();
        let free = lts.alphabet().iter().copied().filter(alone).collect();
        Goal::Trace { lts, spoken, free }
    }

    fn progress(premise: &Premise, network: &Network) -> Self {
        let of = |number: &usize| network.components[*number].kind == ComponentKind::Process;
        let all = network.success.as_ref();
        let success = all.map(|all| premise.components.iter().map(|c| all[*c]).collect());
        Goal::Progress {
            is_process: premise.components.iter().map(of).collect(),
            success,
        }
    }
}

/// How many states each slot of a vector can hold.
fn sizes(left: &LeftSide, goal: &Goal) -> Vec<u32> {
    let mut sizes: Vec<u32> = left.members().iter().map(|m| m.states() as u32).collect();
    if let Goal::Trace { lts, .. } = goal {
        sizes.push(lts.states() as u32);
    }
    sizes
}

/// Successors that have to be in the relation, and the vectors they came from.
#[derive(Default)]
struct Batch {
    records: Vec<u64>,
    sources: Vec<usize>,
    found: Vec<(u64, u32)>,
}

struct Pass<'a> {
    vectors: &'a Vectors<'a>,
    layout: &'a Layout,
    goal: &'a Goal<'a>,
    batch: Batch,
    steps: u64,
}

impl Pass<'_> {
    /// The vector of initial states is in the relation.
    fn starts(&self, left: &LeftSide) -> Result<(), Rejection> {
        let mut initial: Vec<State> = left.members().iter().map(|m| m.initial()).collect();
        if let Goal::Trace { lts, .. } = self.goal {
            initial.push(lts.initial());
        }
        self.vectors.has_initial(&initial)
    }

    /// Every vector is one of states, and every step from it stays inside the relation.
    fn vectors(&mut self, left: &LeftSide, watch: &mut Cancellation) -> Result<(), Rejection> {
        let mut states = Vec::new();
        let mut scratch = Scratch::default();
        for (vector, record) in self.vectors.relation.iter().enumerate() {
            watch.tick()?;
            self.vectors.states(vector, record, &mut states)?;
            let mut progress = false;
            left.steps(&states, &mut scratch, |step| {
                watch.tick()?;
                self.steps += 1;
                progress |= self.is_progress(&step);
                self.step(vector, record, &states, &step)
            })?;
            self.alone(vector, record, &states, progress)?;
        }
        self.flush()
    }

    /// The successor of a step is in the relation, the guarantee having gone along if it has
    /// the label.
    fn step(
        &mut self,
        vector: usize,
        record: &[u64],
        states: &[State],
        step: &Move,
    ) -> Result<(), Rejection> {
        let at = self.batch.records.len();
        self.batch.records.extend_from_slice(record);
        let next = &mut self.batch.records[at..];
        for (member, target) in step.members.iter().zip(step.targets) {
            self.layout.set(next, *member as usize, *target);
        }
        match self.goal {
            Goal::Trace { lts, spoken, .. } if spoken[step.label.index()] => {
                self.match_last(vector, lts, states, step.label)
            }
            _ => self.keep_last(vector),
        }
    }

    /// The last record of the batch is a successor except for the guarantee's state, which has still
    /// to go along an edge of the label. One edge: the record stays in the batch. Several: one of
    /// them has to do, which is looked up at once.
    fn match_last(
        &mut self,
        vector: usize,
        lts: &Lts,
        states: &[State],
        label: Label,
    ) -> Result<(), Rejection> {
        let slot = states.len() - 1;
        let start = self.batch.records.len() - self.layout.words();
        let edges = lts.successors(states[slot], label);
        if let [only] = edges {
            let next = &mut self.batch.records[start..];
            self.layout.set(next, slot, only.target);
            return self.keep_last(vector);
        }
        let related = edges.iter().any(|edge| {
            let next = &mut self.batch.records[start..];
            self.layout.set(next, slot, edge.target);
            self.vectors.index.contains(&self.batch.records[start..])
        });
        self.batch.records.truncate(start);
        match related {
            true => Ok(()),
            false if edges.is_empty() => Err(self
                .vectors
                .flaw(vector, "a step is not allowed by the guarantee")),
            false => Err(self.vectors.flaw(vector, NOT_CLOSED)),
        }
    }

    /// The last record of the batch is complete.
    fn keep_last(&mut self, vector: usize) -> Result<(), Rejection> {
        self.batch.sources.push(vector);
        if self.batch.sources.len() < BATCH {
            return Ok(());
        }
        self.flush()
    }

    fn is_progress(&self, step: &Move) -> bool {
        match self.goal {
            Goal::Trace { .. } => false,
            Goal::Progress { is_process, .. } => {
                let mut members = step.members.iter();
                members.any(|member| is_process[*member as usize])
            }
        }
    }

    /// What has to be true of a vector besides its steps: the guarantee also goes along with
    /// labels that no member of the left side has; or there is progress unless all is at its end.
    fn alone(
        &mut self,
        vector: usize,
        record: &[u64],
        states: &[State],
        progress: bool,
    ) -> Result<(), Rejection> {
        match self.goal {
            Goal::Trace { lts, free, .. } => {
                for label in free {
                    self.steps += 1;
                    self.batch.records.extend_from_slice(record);
                    self.match_last(vector, lts, states, *label)?;
                }
                Ok(())
            }
            Goal::Progress { success, .. } => {
                let there =
                    |(end, state): (&Option<State>, &State)| end.is_none_or(|e| e == *state);
                let ended = |ends: &Vec<Option<State>>| ends.iter().zip(states).all(there);
                if progress || success.as_ref().is_some_and(ended) {
                    return Ok(());
                }
                Err(self
                    .vectors
                    .flaw(vector, "no process can take part in a step"))
            }
        }
    }

    /// Looks up the whole batch.
    fn flush(&mut self) -> Result<(), Rejection> {
        let Batch {
            records,
            sources,
            found,
        } = &mut self.batch;
        if let Some(missing) = self.vectors.index.first_missing(records, found) {
            let vector = sources[missing];
            return Err(self.vectors.flaw(vector, NOT_CLOSED));
        }
        records.clear();
        sources.clear();
        Ok(())
    }
}

const NOT_CLOSED: &str = "a step leads out of the relation";
