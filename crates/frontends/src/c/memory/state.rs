//! What is known of memory at a place of the program: which objects there are, where pointers point, and which numbers are known.

use std::collections::{BTreeMap, BTreeSet};

use suppose_number::Int;

use crate::c::ir::{BlockId, FnId, VarId};
use crate::c::shapes::Type;

/// An object: where it is made, and which one of those that live.
pub(super) type Instance = (u32, u32);

/// A step to a part of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Sel {
    Field(u32),
    At(i64),
    /// The value of a variable of the resolved program.
    Var(VarId),
}

/// Where a pointer points.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Target {
    Null,
    /// Not known: nothing was assigned, or a function without a body gave it.
    Unknown,
    Function(u32),
    To(Instance, Vec<Sel>),
}

/// What holds a pointer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Holder {
    Var(VarId),
    /// A part of an object, by constant steps.
    Slot(Instance, Vec<Sel>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Extent {
    Known(u64),
    Var(VarId),
}

/// What an object is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Body {
    /// Allocated; nobody has said as what: so many units of so many bytes.
    Bytes {
        units: Extent,
        unit: u64,
        zero: bool,
    },
    Elements {
        of: Type,
        count: Extent,
        /// Are only some elements represented?
        cells: usize,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Object {
    pub(super) body: Body,
    /// Its life is over.
    pub(super) over: bool,
    pub(super) on_heap: bool,
}

/// A value that was loaded at certain indices, and is still there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Recent {
    pub(super) steps: Vec<(Option<VarId>, Int)>,
    pub(super) fields: Vec<u32>,
    pub(super) value: VarId,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) objects: BTreeMap<Instance, Object>,
    pub(super) pointers: BTreeMap<Holder, Target>,
    /// Numbers that are known.
    pub(super) numbers: BTreeMap<VarId, Int>,
    pub(super) recent: BTreeMap<Instance, Recent>,
    /// The variables in memory of open calls, by depth.
    pub(super) locals: BTreeMap<(usize, u32), Instance>,
}

/// The calls that are open: the function and the block with the call.
pub(super) type Stack = Vec<(FnId, BlockId)>;

impl State {
    pub(super) fn target(&self, holder: &Holder) -> Target {
        self.pointers
            .get(holder)
            .cloned()
            .unwrap_or(Target::Unknown)
    }

    /// An instance that does not live yet.
    pub(super) fn unused(&self, site: u32) -> Instance {
        let mut number = 0;
        while self.objects.contains_key(&(site, number)) {
            number += 1;
        }
        (site, number)
    }

    /// Forgets an object and what was in it.
    pub(super) fn remove(&mut self, instance: Instance) {
        self.objects.remove(&instance);
        self.recent.remove(&instance);
        self.pointers
            .retain(|h, _| !matches!(h, Holder::Slot(i, _) if *i == instance));
    }

    /// A variable gets a new value: what was loaded by way of it is forgotten.
    pub(super) fn assigned(&mut self, var: VarId) {
        self.recent
            .retain(|_, r| r.value != var && r.steps.iter().all(|(index, _)| *index != Some(var)));
    }

    /// Keeps the variables for which `lives` holds, and the objects that can be reached or that are wanted.
    pub(super) fn collect(
        &mut self,
        lives: impl Fn(VarId) -> bool,
        wanted: impl Fn(Instance, &Object) -> bool,
        slots: &BTreeMap<VarId, Instance>,
    ) {
        self.pointers
            .retain(|h, _| !matches!(h, Holder::Var(v) if !lives(*v)));
        let mut reached: BTreeSet<Instance> = self
            .objects
            .iter()
            .filter(|(i, o)| wanted(**i, o))
            .map(|(i, _)| *i)
            .collect();
        for (holder, target) in &self.pointers {
            if let (Holder::Var(_), Target::To(instance, _)) = (holder, target) {
                reached.insert(*instance);
            }
        }
        let mut open: Vec<Instance> = reached.iter().copied().collect();
        while let Some(instance) = open.pop() {
            let from = Holder::Slot(instance, Vec::new());
            let to = Holder::Slot((instance.0, instance.1 + 1), Vec::new());
            for (_, target) in self.pointers.range(from..to) {
                if let Target::To(next, _) = target
                    && reached.insert(*next)
                {
                    open.push(*next);
                }
            }
        }
        let gone: Vec<Instance> = self
            .objects
            .keys()
            .filter(|i| !reached.contains(i))
            .copied()
            .collect();
        for instance in gone {
            self.remove(instance);
        }
        let objects = &self.objects;
        // The indices of pointers are kept with the pointers.
        let mut kept = BTreeSet::new();
        for target in self.pointers.values() {
            if let Target::To(_, way) = target {
                kept.extend(way.iter().filter_map(|s| match s {
                    Sel::Var(v) => Some(*v),
                    _ => None,
                }));
            }
        }
        for object in objects.values() {
            match &object.body {
                Body::Bytes {
                    units: Extent::Var(v),
                    ..
                }
                | Body::Elements {
                    count: Extent::Var(v),
                    ..
                } => {
                    kept.insert(*v);
                }
                _ => {}
            }
        }
        self.numbers.retain(|v, _| {
            kept.contains(v)
                || match slots.get(v) {
                    Some(instance) => objects.contains_key(instance),
                    None => lives(*v),
                }
        });
        self.recent
            .retain(|i, r| objects.contains_key(i) && lives(r.value));
    }

    /// The same without the numbers.
    pub(super) fn shape(&self) -> State {
        State {
            numbers: BTreeMap::new(),
            ..self.clone()
        }
    }
}
