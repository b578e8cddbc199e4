//! The steps of a system, as a list of functions with a schedule for images.
//!
//! The relation is never one function: its conjuncts are clustered up to a size, and a variable is quantified away as soon as no later
//! cluster has it (after Ranjan, Aziz, Brayton, Plessier and Pixley, IWLS 1995).

use fixedbitset::FixedBitSet;
use suppose_control::Stopped;
use suppose_model::fsm::{VarId, VariableKind, When};

use crate::bdd::{Bdd, Bdds, Renaming, Var};
use crate::encode::Encoder;
use crate::layout::Layout;

/// How the relation is made.
#[derive(Clone, Copy, Debug)]
pub struct RelationOptions {
    /// Conjuncts are put together up to so many nodes.
    pub cluster: usize,
    /// May the order of the variables change?
    pub reorder: bool,
    /// With more nodes than this the work ends, as if there were too much of it.
    pub nodes: Option<usize>,
}

impl Default for RelationOptions {
    fn default() -> Self {
        RelationOptions {
            cluster: 2_000,
            reorder: true,
            nodes: None,
        }
    }
}

/// What to quantify first, then for each cluster what to quantify after it.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    before: Bdd,
    steps: Vec<(Bdd, Bdd)>,
}

/// What a relation is made of: functions that hold together.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// In every state.
    pub always: Vec<Bdd>,
    /// In initial states.
    pub init: Vec<Bdd>,
    /// In every step.
    pub steps: Vec<Bdd>,
}

/// A system as functions: one that was encoded, or an abstraction of it.
#[derive(Clone, Debug)]
pub struct Relation {
    bdds: Bdds,
    layout: Layout,
    /// States: where all invariants hold.
    invariant: Bdd,
    /// Initial states.
    init: Bdd,
    /// If there are fewer states than the clusters allow, those.
    inside: Option<Bdd>,
    clusters: Vec<Bdd>,
    forward: Schedule,
    backward: Schedule,
    to_next: Renaming,
    to_current: Renaming,
    inputs: Bdd,
    targets: Bdd,
}

impl Relation {
    /// Encodes a system.
    pub fn new(encoder: &mut Encoder<'_>, options: RelationOptions) -> Result<Self, Stopped> {
        let parts = Parts {
            always: always(encoder)?,
            init: initial(encoder)?,
            steps: steps(encoder)?,
        };
        encoder.forget();
        let (bdds, layout) = (encoder.bdds().clone(), encoder.layout());
        Relation::of_parts(bdds, layout, parts, options)
    }

    /// Out of functions of the bits of a layout.
    pub fn of_parts(
        bdds: Bdds,
        layout: Layout,
        parts: Parts,
        options: RelationOptions,
    ) -> Result<Self, Stopped> {
        let (mut currents, mut nexts, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
        for slot in &layout.states {
            currents.extend(&slot.bits.current);
            nexts.extend(&slot.bits.next);
        }
        for slot in &layout.inputs {
            inputs.extend(&slot.bits.current);
        }
        let pairs: Vec<(Var, Var)> = currents
            .iter()
            .copied()
            .zip(nexts.iter().copied())
            .collect();
        let back: Vec<(Var, Var)> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
        let (to_next, to_current) = (bdds.renaming(&pairs), bdds.renaming(&back));
        let mut invariant = bdds.constant(true);
        for part in &parts.always {
            invariant = invariant.and(part)?;
        }
        let mut init = invariant.clone();
        for part in &parts.init {
            init = init.and(part)?;
        }
        let mut steps = parts.steps;
        for part in &parts.always {
            steps.push(part.rename(&to_next)?);
        }
        let clusters = cluster(steps, options.cluster)?;
        let gone_forward: Vec<Var> = currents.iter().chain(&inputs).copied().collect();
        let gone_backward: Vec<Var> = nexts.iter().chain(&inputs).copied().collect();
        Ok(Relation {
            forward: schedule(&bdds, &clusters, &gone_forward)?,
            backward: schedule(&bdds, &clusters, &gone_backward)?,
            inputs: bdds.cube(&inputs)?,
            targets: bdds.cube(&nexts)?,
            bdds,
            layout,
            invariant,
            init,
            inside: None,
            clusters,
            to_next,
            to_current,
        })
    }

    /// The same with fewer states: those of a set.
    pub fn within(&self, set: &Bdd) -> Result<Self, Stopped> {
        let mut it = self.clone();
        it.invariant = it.invariant.and(set)?;
        it.init = it.init.and(set)?;
        it.clusters.push(set.rename(&self.to_next)?);
        it.inside = Some(it.invariant.clone());
        Ok(it)
    }

    /// What states and inputs are made of.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The manager.
    pub fn bdds(&self) -> &Bdds {
        &self.bdds
    }

    /// The initial states.
    pub fn init(&self) -> &Bdd {
        &self.init
    }

    /// All states, reachable or not.
    pub fn states(&self) -> &Bdd {
        &self.invariant
    }

    /// The parts that steps are made of.
    pub fn clusters(&self) -> &[Bdd] {
        &self.clusters
    }

    /// How many nodes the relation has.
    pub fn size(&self) -> usize {
        self.bdds().shared_size(&self.clusters)
    }

    /// Where one step leads.
    pub fn image(&self, from: &Bdd) -> Result<Bdd, Stopped> {
        let to = run(&self.forward, from)?.rename(&self.to_current)?;
        match &self.inside {
            Some(inside) => to.and(inside),
            None => Ok(to),
        }
    }

    /// From where one step leads there.
    pub fn preimage(&self, to: &Bdd) -> Result<Bdd, Stopped> {
        let to = self.target(to)?;
        run(&self.backward, &to)?.and(&self.invariant)
    }

    /// From where one step that satisfies `step` (of state and inputs) leads there.
    pub fn preimage_by(&self, step: &Bdd, to: &Bdd) -> Result<Bdd, Stopped> {
        let to = self.target(to)?.and(step)?;
        run(&self.backward, &to)?.and(&self.invariant)
    }

    fn target(&self, to: &Bdd) -> Result<Bdd, Stopped> {
        match &self.inside {
            Some(inside) => to.and(inside)?.rename(&self.to_next),
            None => to.rename(&self.to_next),
        }
    }

    /// The same set about the next state.
    pub fn next(&self, set: &Bdd) -> Result<Bdd, Stopped> {
        set.rename(&self.to_next)
    }

    /// The states that a set of steps begins in.
    pub fn sources(&self, steps: &Bdd) -> Result<Bdd, Stopped> {
        steps.exists(&self.inputs)?.exists(&self.targets)
    }
}

/// What holds in every state, one function for each part.
fn always(encoder: &mut Encoder<'_>) -> Result<Vec<Bdd>, Stopped> {
    let system = encoder.system();
    let mut parts = Vec::new();
    for var in system.state_vars() {
        parts.push(encoder.valid(var, false)?);
    }
    for constraint in &system.invariant {
        parts.push(encoder.truth(constraint.expr)?);
    }
    for assignment in system.assignments.iter().filter(|a| a.when == When::Always) {
        parts.push(encoder.assigned(assignment.var, false, assignment.value)?);
    }
    parts.retain(|p| !p.is_true());
    Ok(parts)
}

fn initial(encoder: &mut Encoder<'_>) -> Result<Vec<Bdd>, Stopped> {
    let system = encoder.system();
    let mut parts = Vec::new();
    for assignment in system.assignments.iter().filter(|a| a.when == When::Init) {
        parts.push(encoder.assigned(assignment.var, false, assignment.value)?);
    }
    for constraint in &system.init {
        parts.push(encoder.truth(constraint.expr)?);
    }
    Ok(parts)
}

fn steps(encoder: &mut Encoder<'_>) -> Result<Vec<Bdd>, Stopped> {
    let system = encoder.system();
    let mut parts = Vec::new();
    for assignment in system.assignments.iter().filter(|a| a.when == When::Next) {
        parts.push(encoder.assigned(assignment.var, true, assignment.value)?);
    }
    for constraint in &system.transition {
        parts.push(encoder.truth(constraint.expr)?);
    }
    for var in system.inputs() {
        parts.push(encoder.valid(var, false)?);
    }
    let frozen: Vec<VarId> = system
        .vars()
        .filter(|v| system.variable(*v).kind == VariableKind::Frozen)
        .collect();
    for var in frozen {
        let bits = encoder.bits(var).clone();
        for (now, next) in bits.current.iter().zip(&bits.next) {
            let now = encoder.bdds().literal(*now, true)?;
            parts.push(now.iff(&encoder.bdds().literal(*next, true)?)?);
        }
    }
    Ok(parts)
}

/// Puts neighbours together while the result stays small.
fn cluster(parts: Vec<Bdd>, most: usize) -> Result<Vec<Bdd>, Stopped> {
    let mut clusters: Vec<Bdd> = Vec::new();
    for part in parts.into_iter().filter(|p| !p.is_true()) {
        if let Some(last) = clusters.last_mut()
            && last.size() + part.size() <= most
        {
            let both = last.and(&part)?;
            if both.size() <= most {
                *last = both;
                continue;
            }
        }
        clusters.push(part);
    }
    Ok(clusters)
}

/// Orders the clusters so that variables can go early.
pub(crate) fn schedule(bdds: &Bdds, clusters: &[Bdd], gone: &[Var]) -> Result<Schedule, Stopped> {
    let mut quantified = FixedBitSet::with_capacity(bdds.vars());
    quantified.extend(gone.iter().map(|v| *v as usize));
    let supports: Vec<FixedBitSet> = clusters
        .iter()
        .map(|c| {
            let mut support = FixedBitSet::with_capacity(bdds.vars());
            support.extend(c.support().into_iter().map(|v| v as usize));
            support
        })
        .collect();
    let mut open: Vec<usize> = (0..clusters.len()).collect();
    // In how many open clusters a variable is.
    let mut uses = vec![0u32; bdds.vars()];
    for support in &supports {
        support.ones().for_each(|v| uses[v] += 1);
    }
    let free = quantified.ones().filter(|v| uses[*v] == 0);
    let before: Vec<Var> = free.map(|v| v as Var).collect();
    let mut steps = Vec::new();
    while !open.is_empty() {
        let value = |at: &usize| -> (f64, f64) {
            let own: Vec<usize> = supports[*at].intersection(&quantified).collect();
            let only = own.iter().filter(|v| uses[**v] == 1).count();
            let brought = supports[*at].count_ones(..) - own.len();
            let share = only as f64 / (own.len().max(1)) as f64;
            (share, -(brought as f64))
        };
        let mut best = 0;
        for at in 1..open.len() {
            if value(&open[at]) > value(&open[best]) {
                best = at;
            }
        }
        let chosen = open.remove(best);
        let mut leave = Vec::new();
        for var in supports[chosen].ones() {
            uses[var] -= 1;
            if uses[var] == 0 && quantified.contains(var) {
                leave.push(var as Var);
            }
        }
        steps.push((clusters[chosen].clone(), bdds.cube(&leave)?));
    }
    let before = bdds.cube(&before)?;
    Ok(Schedule { before, steps })
}

pub(crate) fn run(schedule: &Schedule, set: &Bdd) -> Result<Bdd, Stopped> {
    let mut set = set.exists(&schedule.before)?;
    for (cluster, cube) in &schedule.steps {
        set = set.and_exists(cluster, cube)?;
    }
    Ok(set)
}
