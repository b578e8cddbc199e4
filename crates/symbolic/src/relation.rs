//! The steps of a system, as a list of functions with a schedule for images.
//!
//! The relation is never one function: its conjuncts are clustered up to a size, and a variable is quantified away as soon as no later
//! cluster has it (after Ranjan, Aziz, Brayton, Plessier and Pixley, IWLS 1995).

use fixedbitset::FixedBitSet;
use suppose_model::symbolic::{ExprId, Kind, System, VarId, When};
use suppose_refine::{Context, Stopped};

use crate::bdd::{Bdd, Bdds, Renaming, Var};
use crate::encode::Encoder;
use crate::order::order;

/// How the relation is made.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Conjuncts are put together up to so many nodes.
    pub cluster: usize,
    /// May the order of the variables change?
    pub reorder: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            cluster: 2_000,
            reorder: true,
        }
    }
}

/// What to quantify first, then for each cluster what to quantify after it.
#[derive(Clone, Debug)]
struct Schedule {
    before: Bdd,
    steps: Vec<(Bdd, Bdd)>,
}

/// A system as functions.
#[derive(Debug)]
pub struct Relation<'a> {
    encoder: Encoder<'a>,
    /// States: where all invariants hold.
    invariant: Bdd,
    /// Initial states.
    init: Bdd,
    clusters: Vec<Bdd>,
    forward: Schedule,
    backward: Schedule,
    to_next: Renaming,
    to_current: Renaming,
    inputs: Bdd,
    targets: Bdd,
}

impl<'a> Relation<'a> {
    /// Encodes a system.
    pub fn new(system: &'a System, options: Options, cx: &Context) -> Result<Self, Stopped> {
        let bdds = Bdds::new(cx.clone());
        bdds.set_reordering(options.reorder);
        let mut encoder = Encoder::new(system, &order(system), bdds.clone());
        let (mut currents, mut nexts, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
        for var in system.vars() {
            let bits = encoder.bits(var);
            match system.variable(var).kind {
                Kind::Input => inputs.extend(&bits.current),
                _ => {
                    currents.extend(&bits.current);
                    nexts.extend(&bits.next);
                }
            }
        }
        let pairs: Vec<(Var, Var)> = currents
            .iter()
            .copied()
            .zip(nexts.iter().copied())
            .collect();
        let back: Vec<(Var, Var)> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
        let (to_next, to_current) = (bdds.renaming(&pairs), bdds.renaming(&back));
        let always = always(&mut encoder)?;
        let mut invariant = bdds.constant(true);
        for part in &always {
            invariant = invariant.and(part)?;
        }
        let mut init = invariant.clone();
        for part in initial(&mut encoder)? {
            init = init.and(&part)?;
        }
        let mut parts = steps(&mut encoder)?;
        for part in &always {
            parts.push(part.rename(&to_next)?);
        }
        encoder.forget();
        let clusters = cluster(parts, options.cluster)?;
        let gone_forward: Vec<Var> = currents.iter().chain(&inputs).copied().collect();
        let gone_backward: Vec<Var> = nexts.iter().chain(&inputs).copied().collect();
        Ok(Relation {
            forward: schedule(&bdds, &clusters, &gone_forward)?,
            backward: schedule(&bdds, &clusters, &gone_backward)?,
            inputs: bdds.cube(&inputs)?,
            targets: bdds.cube(&nexts)?,
            encoder,
            invariant,
            init,
            clusters,
            to_next,
            to_current,
        })
    }

    /// The encoding.
    pub fn encoder(&self) -> &Encoder<'a> {
        &self.encoder
    }

    /// The manager.
    pub fn bdds(&self) -> &Bdds {
        self.encoder.bdds()
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

    /// A boolean expression as a function of state (and inputs, and next state, if it has them).
    pub fn truth(&mut self, expr: ExprId) -> Result<Bdd, Stopped> {
        self.encoder.truth(expr)
    }

    /// Where one step leads.
    pub fn image(&self, from: &Bdd) -> Result<Bdd, Stopped> {
        run(&self.forward, from)?.rename(&self.to_current)
    }

    /// From where one step leads there.
    pub fn preimage(&self, to: &Bdd) -> Result<Bdd, Stopped> {
        let to = to.rename(&self.to_next)?;
        run(&self.backward, &to)?.and(&self.invariant)
    }

    /// From where one step that satisfies `step` (of state and inputs) leads there.
    pub fn preimage_by(&self, step: &Bdd, to: &Bdd) -> Result<Bdd, Stopped> {
        let to = to.rename(&self.to_next)?.and(step)?;
        run(&self.backward, &to)?.and(&self.invariant)
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
        .filter(|v| system.variable(*v).kind == Kind::Frozen)
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
fn schedule(bdds: &Bdds, clusters: &[Bdd], gone: &[Var]) -> Result<Schedule, Stopped> {
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

fn run(schedule: &Schedule, set: &Bdd) -> Result<Bdd, Stopped> {
    let mut set = set.exists(&schedule.before)?;
    for (cluster, cube) in &schedule.steps {
        set = set.and_exists(cluster, cube)?;
    }
    Ok(set)
}
