//! Proofs in parts: premises that form a tree.
//!
//! Its leaves are the processes. A premise composes its members (processes, and LTSs that earlier premises put in the place of others) and
//! puts a smaller LTS, the assumption of its guarantee, in their place. No process and no assumption is a member twice.

use suppose_model::lts::{ComponentKind, Label, Lts, Network};
use suppose_model::{Assumption, Guarantee, Premise};

/// The premises so far.
pub(crate) struct Tree<'a> {
    pub network: &'a Network,
    assumptions: &'a [Assumption],
    /// For every label, the processes that have it.
    with: Vec<Vec<usize>>,
    /// Processes that are members of a premise.
    used: Vec<bool>,
    /// The processes that each assumption replaces; none if it is not proven or is a member of a premise already.
    groups: Vec<Option<Vec<usize>>>,
    proven: Vec<bool>,
}

impl<'a> Tree<'a> {
    pub fn new(network: &'a Network, assumptions: &'a [Assumption]) -> Self {
        let count = assumptions.len();
        let mut with = network.participants();
        let is_process = |c: &usize| network.components[*c].kind == ComponentKind::Process;
        with.iter_mut().for_each(|who| who.retain(is_process));
        Tree {
            network,
            assumptions,
            with,
            used: vec![false; network.components.len()],
            groups: vec![None; count],
            proven: vec![false; count],
        }
    }

    /// The processes in and below these, which must not be members of anything else.
    pub fn join(
        &mut self,
        components: &[usize],
        assumptions: &[usize],
    ) -> Result<Vec<usize>, String> {
        let mut group = Vec::new();
        for component in components {
            let known = self.network.components.get(*component);
            let is_process = known.is_some_and(|c| c.kind == ComponentKind::Process);
            if !is_process || std::mem::replace(&mut self.used[*component], true) {
                return Err(format!(
                    "component {component} is no process, or twice there"
                ));
            }
            group.push(*component);
        }
        for number in assumptions {
            match self.groups.get_mut(*number).and_then(Option::take) {
                Some(below) => group.extend(below),
                None => return Err(format!("assumption {number} is not proven, or twice there")),
            }
        }
        group.sort_unstable();
        Ok(group)
    }

    /// The processes in and below a premise that shows an assumption.
    pub fn enter(&mut self, premise: &Premise) -> Result<Vec<usize>, String> {
        let group = self.join(&premise.components, &premise.assumptions)?;
        let Guarantee::Assumption(a) = premise.guarantee else {
            return Err("only assumptions may be shown before the last premise".to_owned());
        };
        match self.proven.get_mut(a) {
            Some(proven) if !*proven => *proven = true,
            _ => return Err(format!("assumption {a} is unknown or proven twice")),
        }
        Ok(group)
    }

    /// An assumption takes the place of these processes.
    pub fn replaces(&mut self, assumption: usize, group: Vec<usize>) {
        self.groups[assumption] = Some(group);
    }

    /// Has no process outside the group that label?
    pub fn is_private(&self, label: Label, group: &[usize]) -> bool {
        let mut having = self.with[label.index()].iter();
        having.all(|c| group.binary_search(c).is_ok())
    }

    /// What a premise composes.
    pub fn members(&self, premise: &Premise) -> Vec<&'a Lts> {
        let components = premise.components.iter();
        let components = components.map(|c| &self.network.components[*c].lts);
        let assumptions = premise.assumptions.iter();
        let assumptions = assumptions.map(|a| &self.assumptions[*a].lts);
        components.chain(assumptions).collect()
    }

    /// Every process is in the tree, and every assumption was used.
    pub fn is_whole(&self) -> Result<(), String> {
        let mut processes = self.network.processes().into_iter();
        if let Some(missing) = processes.find(|c| !self.used[*c]) {
            let name = self.network.components[missing].lts.name();
            return Err(format!("it needs component {name}"));
        }
        match self.groups.iter().position(Option::is_some) {
            Some(unused) => Err(format!("no premise has assumption {unused} as a member")),
            None => Ok(()),
        }
    }
}
