//! The abstraction function: for each cluster of variables, which valuations are not told apart.

use suppose_control::{Context, Stopped};
use suppose_model::fsm::{ExprId, System, Type, Value, VarId, VariableKind};

use crate::bdd::{Bdd, Bdds, Renaming, Var};
use crate::cegar::atoms::{Atoms, clusters, distances};
use crate::encode::{Encoder, width};
use crate::layout::Bits;
use crate::layout::{Layout, Slot};
use crate::order::order;

/// A cluster has no more classes than this many bits can number.
pub(super) const MOST_BITS: usize = 8;

/// A cluster that was split more often than this is told apart wholly: it plainly matters, and goes on to fall apart bit by bit.
const MOST_SPLITS: u64 = 6;

/// A cluster of so few bits that would have too many classes is told apart wholly.
const SMALL: usize = 24;

/// So many boolean expressions can be left unlooked into.
const SPARE: usize = 32;

/// How much one atom may take to encode, if the abstraction need not respect it, in questions to the context.
const ATOM_WORK: u64 = 75;

/// The classes of a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Classes {
    /// Every valuation is one: the bits of the variables serve.
    Exact,
    /// Sets of valuations that cover the cluster's domain and do not meet. One class: the cluster is abstracted away.
    Some(Vec<Bdd>),
}

/// Variables that are abstracted together.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    /// State or frozen variables.
    pub vars: Vec<VarId>,
    /// Their bits.
    pub bits: Bits,
    /// Bits that number classes.
    pub label: Bits,
    /// The classes.
    pub classes: Classes,
    /// Grows whenever the classes change.
    pub version: u64,
}

impl Cluster {
    /// Is it abstracted away?
    pub fn is_trivial(&self) -> bool {
        matches!(&self.classes, Classes::Some(all) if all.len() < 2)
    }

    /// Are all valuations told apart?
    pub fn is_exact(&self) -> bool {
        self.classes == Classes::Exact
    }

    /// How many bits tell its classes apart.
    pub fn width(&self) -> usize {
        match &self.classes {
            Classes::Exact => self.bits.current.len(),
            Classes::Some(all) => width(all.len()),
        }
    }

    /// The bits that number the classes there are.
    fn used(&self) -> Bits {
        let used = self.width();
        Bits {
            current: self.label.current[..used].to_vec(),
            next: self.label.next[..used].to_vec(),
        }
    }
}

/// What stands for what in an abstract state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The value of a variable, by its cluster and its place there.
    Var(usize, usize),
    /// The number of a class of a cluster.
    Class(usize),
}

/// Whose a bit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// A variable of a cluster now.
    Now(usize),
    /// A variable of a cluster in the next state.
    Next(usize),
    /// An input.
    Input(usize),
    /// The number of a class.
    Label,
}

/// The abstraction function, on bits.
#[derive(Debug)]
pub(super) struct Map {
    /// The clusters; every state variable is in one.
    pub clusters: Vec<Cluster>,
    /// By bit.
    pub owners: Vec<Owner>,
    /// From current to next bits, of variables and labels.
    pub to_next: Renaming,
    /// Bits for what is not looked into; as inputs numbered after the variables.
    pub spare: Vec<Var>,
    bdds: Bdds,
}

impl Map {
    /// Makes clusters and all bits, those that number classes above those of their variables. Nothing is told apart yet.
    pub fn new<'a>(
        system: &'a System,
        atoms: &Atoms,
        own: usize,
        far: Option<u32>,
        bdds: &Bdds,
    ) -> (Map, Encoder<'a>) {
        let groups = groups(system, atoms, own, far);
        let mut of = vec![usize::MAX; system.variables.len()];
        for (number, group) in groups.iter().enumerate() {
            group.iter().for_each(|v| of[v.index()] = number);
        }
        let none = Bits {
            current: Vec::new(),
            next: Vec::new(),
        };
        let mut clusters: Vec<Cluster> = groups
            .into_iter()
            .map(|vars| Cluster {
                vars,
                bits: none.clone(),
                label: none.clone(),
                classes: Classes::Some(vec![bdds.constant(true)]),
                version: 0,
            })
            .collect();
        let (mut bits, mut owners, mut block) = (vec![none; of.len()], Vec::new(), 0);
        for var in order(system) {
            let variable = system.variable(var);
            let cluster = of[var.index()];
            if variable.kind != VariableKind::Input && clusters[cluster].label.current.is_empty() {
                let sizes = clusters[cluster].vars.iter();
                let all: usize = sizes.map(|v| system.variable(*v).ty.bits()).sum();
                let label = &mut clusters[cluster].label;
                for _ in 0..all.min(MOST_BITS) {
                    label.current.insert(0, bdds.var(block));
                    label.next.insert(0, bdds.var(block));
                    owners.extend([Owner::Label; 2]);
                    block += 1;
                }
            }
            let it = &mut bits[var.index()];
            for _ in 0..variable.ty.bits() {
                it.current.insert(0, bdds.var(block));
                match variable.kind {
                    VariableKind::Input => owners.push(Owner::Input(var.index())),
                    _ => {
                        it.next.insert(0, bdds.var(block));
                        owners.extend([Owner::Now(cluster), Owner::Next(cluster)]);
                    }
                }
                block += 1;
            }
        }
        let mut pairs = Vec::new();
        for cluster in &mut clusters {
            for var in &cluster.vars {
                let it = &bits[var.index()];
                cluster.bits.current.extend(&it.current);
                cluster.bits.next.extend(&it.next);
            }
            for bits in [&cluster.bits, &cluster.label] {
                pairs.extend(bits.current.iter().copied().zip(bits.next.iter().copied()));
            }
        }
        let mut spare = Vec::new();
        for number in 0..SPARE {
            spare.push(bdds.var(block));
            owners.push(Owner::Input(of.len() + number));
            block += 1;
        }
        let map = Map {
            clusters,
            owners,
            spare,
            to_next: bdds.renaming(&pairs),
            bdds: bdds.clone(),
        };
        (map, Encoder::with_bits(system, bits, bdds.clone()))
    }

    /// Tells apart what atoms tell apart: those the abstraction must respect, and of the others as many as fit.
    pub fn split_by_atoms(
        &mut self,
        encoder: &mut Encoder<'_>,
        atoms: &Atoms,
        own: usize,
        far: Option<u32>,
        cx: &Context,
    ) -> Result<(), Stopped> {
        let system = encoder.system();
        let distances = distances(system, atoms);
        let is_far = |v: &VarId| match (far, distances[v.index()]) {
            (Some(far), Some(at)) => at > far,
            (far, None) => far.is_some(),
            (None, _) => false,
        };
        for cluster in &mut self.clusters {
            let mut domain = self.bdds.constant(true);
            for var in &cluster.vars {
                domain = domain.and(&encoder.valid(*var, false)?)?;
            }
            cluster.classes = Classes::Some(vec![domain]);
        }
        let mut of = vec![None; system.variables.len()];
        for (number, cluster) in self.clusters.iter_mut().enumerate() {
            let watches = cluster.vars.iter().any(|v| v.index() >= own);
            if watches {
                cluster.classes = Classes::Exact;
            }
            cluster
                .vars
                .iter()
                .for_each(|v| of[v.index()] = Some(number));
        }
        let all = atoms.must.iter().map(|a| (*a, true));
        for (atom, must) in all.chain(atoms.may.iter().map(|a| (*a, false))) {
            let vars = system.exprs.support(atom).current;
            let mut numbers: Vec<usize> = vars.iter().filter_map(|v| of[v.index()]).collect();
            numbers.dedup();
            if far.is_some() && !must && (numbers.len() != 1 || vars.iter().any(is_far)) {
                // A cluster with far variables fell apart: its near variables are told apart wholly.
                for var in vars.iter().filter(|v| !is_far(v)) {
                    let own = of[var.index()].filter(|n| self.clusters[*n].vars.len() == 1);
                    own.into_iter().for_each(|n| self.make_exact(n));
                }
                continue;
            }
            if let [number] = numbers[..] {
                self.split_by_atom(encoder, number, atom, must, cx)?;
            }
        }
        encoder.forget();
        self.tidy(system);
        Ok(())
    }

    fn split_by_atom(
        &mut self,
        encoder: &mut Encoder<'_>,
        number: usize,
        atom: ExprId,
        must: bool,
        cx: &Context,
    ) -> Result<(), Stopped> {
        if self.clusters[number].is_exact() {
            return Ok(());
        }
        if !must {
            self.bdds.set_context(cx.with_work(ATOM_WORK));
        }
        let done = self.finer(encoder, number, atom);
        self.bdds.set_context(cx.clone());
        let finer = match done {
            Ok(finer) => finer,
            Err(Stopped::Superseded) if !must => {
                cx.check()?;
                return Ok(());
            }
            Err(why) => return Err(why),
        };
        let cluster = &mut self.clusters[number];
        let fits = width(finer.len()) <= cluster.label.current.len().min(MOST_BITS);
        // Of a cluster with few bits it is as well to tell everything apart.
        let small = cluster.bits.current.len() <= SMALL;
        cluster.classes = match (fits, must || small) {
            (true, _) => Classes::Some(finer),
            (false, true) => Classes::Exact,
            (false, false) => return Ok(()),
        };
        Ok(())
    }

    fn finer(
        &self,
        encoder: &mut Encoder<'_>,
        number: usize,
        atom: ExprId,
    ) -> Result<Vec<Bdd>, Stopped> {
        let Classes::Some(classes) = &self.clusters[number].classes else {
            return Ok(Vec::new());
        };
        let truth = encoder.truth(atom)?;
        let mut finer = Vec::new();
        for class in classes {
            for part in [class.and(&truth)?, class.minus(&truth)?] {
                if !part.is_false() {
                    finer.push(part);
                }
            }
        }
        Ok(finer)
    }

    /// Tells everything apart in a cluster.
    pub fn make_exact(&mut self, number: usize) {
        let cluster = &mut self.clusters[number];
        if !cluster.is_exact() {
            cluster.classes = Classes::Exact;
            cluster.version += 1;
        }
    }

    /// Where numbers of classes would take as many bits as the variables, the variables are their own classes.
    pub fn tidy(&mut self, system: &System) {
        for number in 0..self.clusters.len() {
            let cluster = &self.clusters[number];
            let Classes::Some(classes) = &cluster.classes else {
                continue;
            };
            let sizes = cluster.vars.iter().map(|v| system.variable(*v).ty.size());
            let size = sizes.fold(1u128, u128::saturating_mul);
            let bits = cluster.bits.current.len();
            let saves = cluster.width() < bits && (classes.len() as u128) < size;
            if !saves && (size > 1 || bits > 0) {
                self.make_exact(number);
            }
        }
    }

    /// Puts finer classes in the place of one.
    pub fn split_class(&mut self, number: usize, class: usize, parts: Vec<Bdd>) {
        let cluster = &mut self.clusters[number];
        let most = cluster.label.current.len().min(MOST_BITS);
        if let Classes::Some(classes) = &mut cluster.classes
            && class < classes.len()
        {
            classes.remove(class);
            classes.extend(parts);
            cluster.version += 1;
            if width(classes.len()) > most || cluster.version > MOST_SPLITS {
                cluster.classes = Classes::Exact;
            }
        }
    }

    /// A number that grows with every refinement.
    pub fn size(&self) -> u64 {
        self.clusters.iter().map(|c| c.version).sum()
    }

    /// How many bits tell abstract states apart.
    pub fn width(&self) -> usize {
        self.clusters.iter().map(Cluster::width).sum()
    }

    /// What abstract states are made of, and what each part stands for.
    pub fn layout(&self, encoder: &Encoder<'_>) -> (Layout, Vec<Place>) {
        let (mut layout, mut places) = (Layout::default(), Vec::new());
        for (number, cluster) in self.clusters.iter().enumerate() {
            match &cluster.classes {
                Classes::Exact => {
                    for (at, var) in cluster.vars.iter().enumerate() {
                        layout.states.push(Slot {
                            ty: encoder.system().variable(*var).ty.clone(),
                            bits: encoder.bits(*var).clone(),
                        });
                        places.push(Place::Var(number, at));
                    }
                }
                Classes::Some(classes) if classes.len() > 1 => {
                    layout.states.push(Slot {
                        ty: Type::Range(0, classes.len() as i64 - 1),
                        bits: cluster.used(),
                    });
                    places.push(Place::Class(number));
                }
                Classes::Some(_) => {}
            }
        }
        (layout, places)
    }

    fn code(&self, cluster: &Cluster, class: usize) -> Result<Bdd, Stopped> {
        let bits = cluster.used().current.into_iter().enumerate();
        let literals: Vec<(Var, bool)> = bits.map(|(at, v)| (v, class >> at & 1 == 1)).collect();
        self.bdds.minterm(&literals)
    }

    /// Which class a valuation of the cluster is in: a function of bits of variables and labels, now.
    pub fn membership(&self, number: usize) -> Result<Bdd, Stopped> {
        let cluster = &self.clusters[number];
        let Classes::Some(classes) = &cluster.classes else {
            return Ok(self.bdds.constant(true));
        };
        let mut any = self.bdds.constant(false);
        for (at, class) in classes.iter().enumerate() {
            any = any.or(&class.and(&self.code(cluster, at)?)?)?;
        }
        Ok(any)
    }

    /// The numbers of classes that there are, as a function of the label.
    pub fn numbers(&self, number: usize) -> Result<Bdd, Stopped> {
        let cluster = &self.clusters[number];
        let mut any = self.bdds.constant(false);
        if let Classes::Some(classes) = &cluster.classes {
            for at in 0..classes.len() {
                any = any.or(&self.code(cluster, at)?)?;
            }
        }
        Ok(any)
    }

    /// A set of valuations of one cluster that is a union of classes, as a set of abstract states.
    pub fn abstracted(&self, number: usize, set: &Bdd) -> Result<Bdd, Stopped> {
        let cluster = &self.clusters[number];
        let Classes::Some(classes) = &cluster.classes else {
            return Ok(set.clone());
        };
        let mut any = self.bdds.constant(false);
        for (at, class) in classes.iter().enumerate() {
            if class.is_within(set)? {
                any = any.or(&self.code(cluster, at)?)?;
            }
        }
        Ok(any)
    }

    /// All states.
    pub fn everything(&self) -> Bdd {
        self.bdds.constant(true)
    }

    /// The clusters whose variables a function speaks of now and next, and the inputs; each list sorted.
    pub fn touched(&self, function: &Bdd) -> (Vec<usize>, Vec<usize>, Vec<usize>) {
        let (mut now, mut next, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
        for var in function.support() {
            match self.owners[var as usize] {
                Owner::Now(it) => now.push(it),
                Owner::Next(it) => next.push(it),
                Owner::Input(it) => inputs.push(it),
                Owner::Label => {}
            }
        }
        for list in [&mut now, &mut next, &mut inputs] {
            list.sort_unstable();
            list.dedup();
        }
        (now, next, inputs)
    }

    /// A function of state that the abstraction respects, as one of abstract states.
    pub fn of_states(&self, function: &Bdd) -> Result<Bdd, Stopped> {
        let (now, ..) = self.touched(function);
        let mut result = function.clone();
        for number in now {
            let cluster = &self.clusters[number];
            if !cluster.is_exact() {
                let cube = self.bdds.cube(&cluster.bits.current)?;
                result = result.and_exists(&self.membership(number)?, &cube)?;
            }
        }
        Ok(result)
    }

    /// The concrete states of a set of abstract ones.
    pub fn concrete(&self, set: &Bdd) -> Result<Bdd, Stopped> {
        let mut result = set.clone();
        for (number, cluster) in self.clusters.iter().enumerate() {
            if !cluster.is_exact() {
                let cube = self.bdds.cube(&cluster.used().current)?;
                result = result.and_exists(&self.membership(number)?, &cube)?;
            }
        }
        Ok(result)
    }

    /// For each part of an abstract state the cluster and the set of its valuations that the part stands for. Parts of one exact
    /// cluster are put together.
    pub fn sets(
        &self,
        encoder: &Encoder<'_>,
        places: &[Place],
        state: &[Value],
    ) -> Result<Vec<(usize, Bdd)>, Stopped> {
        let mut sets: Vec<(usize, Bdd)> = Vec::new();
        for (place, value) in places.iter().zip(state) {
            let (number, set) = match (*place, value) {
                (Place::Var(number, at), value) => {
                    let var = self.clusters[number].vars[at];
                    let slot = Slot {
                        ty: encoder.system().variable(var).ty.clone(),
                        bits: encoder.bits(var).clone(),
                    };
                    let literals = slot.literals(value, false).unwrap_or_default();
                    (number, self.bdds.minterm(&literals)?)
                }
                (Place::Class(number), Value::Int(class)) => match &self.clusters[number].classes {
                    Classes::Some(classes) => (number, classes[*class as usize].clone()),
                    Classes::Exact => (number, self.bdds.constant(true)),
                },
                (Place::Class(number), _) => (number, self.bdds.constant(true)),
            };
            match sets.last_mut() {
                Some((last, so_far)) if *last == number => *so_far = so_far.and(&set)?,
                _ => sets.push((number, set)),
            }
        }
        Ok(sets)
    }
}

/// All state variables in clusters: those of atoms as they interfere, the others alone. Variables that watch are alone, and where far
/// variables are abstracted away, so are all in clusters with far ones.
fn groups(system: &System, atoms: &Atoms, own: usize, far: Option<u32>) -> Vec<Vec<VarId>> {
    let distances = distances(system, atoms);
    let must = system
        .exprs
        .support_of_all(atoms.must.iter().copied())
        .current;
    let is_far = |v: &VarId| match (far, distances[v.index()]) {
        (Some(far), Some(at)) => at > far,
        (far, None) => far.is_some(),
        (None, _) => false,
    };
    let mut groups: Vec<Vec<VarId>> = Vec::new();
    // What the property ties together stays together.
    let tied = Atoms {
        must: atoms.must.clone(),
        may: Vec::new(),
    };
    let tied = clusters(system, &tied);
    for group in clusters(system, atoms) {
        if group.iter().any(is_far) {
            groups.extend(tied.iter().filter(|t| group.contains(&t[0])).cloned());
            let free = group.iter().filter(|v| !must.contains(v));
            groups.extend(free.map(|v| vec![*v]));
        } else {
            groups.push(group);
        }
    }
    let mut seen = vec![false; system.variables.len()];
    for group in &groups {
        group.iter().for_each(|v| seen[v.index()] = true);
    }
    let alone = system.state_vars().filter(|v| !seen[v.index()]);
    groups.extend(alone.map(|v| vec![v]));
    debug_assert!(own <= system.variables.len());
    groups
}
