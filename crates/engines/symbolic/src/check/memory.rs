//! What was found out about a part of a system, for the next property that depends on the same part.
//!
//! Most properties of a system depend on the same variables: its relation, the reachable states and the fair ones are found once.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_control::{Context, Stopped};
use suppose_model::fsm::System;

use super::{Atoms, Backward, Checker, Fair, fair_steps};
use crate::bdd::Bdd;
use crate::encode::Encoder;
use crate::layout::Bits;
use crate::relation::{Relation, RelationOptions};

/// For the parts of one system ([`System::cone`]), which have the same steps if they have the same variables.
#[derive(Clone, Default)]
pub struct Memory {
    known: Rc<RefCell<FxHashMap<Vec<String>, Known>>>,
    large: Rc<RefCell<FxHashSet<Vec<String>>>>,
    abstracted: Rc<RefCell<FxHashSet<Vec<String>>>>,
}

#[derive(Clone)]
struct Known {
    relation: Relation,
    bits: Vec<Bits>,
    frontier: Bdd,
    depth: usize,
    reached: Bdd,
    /// The constraints of fairness and the fair states, where a property came with fairness.
    fairness: Option<(Vec<Fair>, Option<Bdd>)>,
    unfinished: Option<Backward>,
}

fn key(system: &System) -> Vec<String> {
    let names = system.variables.iter().map(|v| v.name.clone());
    names.collect()
}

impl Memory {
    /// Was a part found to be too large to be checked at once as it is, and are its reachable states still not known?
    pub(crate) fn is_large(&self, system: &System) -> bool {
        let key = key(system);
        self.large.borrow().contains(&key) && !self.is_explored(&key)
    }

    fn is_explored(&self, key: &Vec<String>) -> bool {
        let known = self.known.borrow();
        known
            .get(key)
            .is_some_and(|known| known.frontier.is_false())
    }

    /// Was a property of a part decided by abstraction, and are its reachable states still not known?
    pub(crate) fn is_abstracted(&self, system: &System) -> bool {
        let key = key(system);
        self.abstracted.borrow().contains(&key) && !self.is_explored(&key)
    }

    pub(crate) fn set_abstracted(&self, system: &System) {
        self.abstracted.borrow_mut().insert(key(system));
    }

    pub(crate) fn set_large(&self, system: &System) {
        self.large.borrow_mut().insert(key(system));
    }

    /// As [`Checker::new`], with what is known already.
    pub fn checker<'a>(
        &self,
        system: &'a System,
        options: RelationOptions,
        cx: &Context,
    ) -> Result<Checker<'a>, Stopped> {
        let known = self.known.borrow().get(&key(system)).cloned();
        let Some(known) = known else {
            return Checker::new(system, options, cx);
        };
        let bdds = known.relation.bdds().clone();
        bdds.set_context(cx.clone());
        bdds.set_most(options.nodes);
        let mut encoder = Encoder::with_bits(system, known.bits, bdds);
        let (fairness, fair) = match known.fairness {
            Some(known) if !system.fairness.is_empty() => known,
            _ => (fair_steps(system, &mut encoder)?, None),
        };
        let atoms = Atoms::Encoded(encoder);
        let mut checker = Checker::of(known.relation, &system.formulas, atoms, fairness, cx);
        checker.frontier = known.frontier;
        checker.depth = known.depth;
        checker.reached = known.reached;
        checker.fair = fair;
        checker.unfinished = known.unfinished;
        Ok(checker)
    }

    /// Keeps what a checker of that system found out.
    pub fn keep(&self, system: &System, checker: &Checker<'_>) {
        let Atoms::Encoded(encoder) = &checker.atoms else {
            return;
        };
        let mut known = self.known.borrow_mut();
        let key = key(system);
        let fairness = match system.fairness.is_empty() {
            true => known.get(&key).and_then(|k| k.fairness.clone()),
            false => Some((checker.fairness.clone(), checker.fair.clone())),
        };
        let it = Known {
            relation: checker.relation.clone(),
            bits: system.vars().map(|v| encoder.bits(v).clone()).collect(),
            frontier: checker.frontier.clone(),
            depth: checker.depth,
            reached: checker.reached.clone(),
            fairness,
            unfinished: checker.unfinished.clone(),
        };
        known.insert(key, it);
    }
}
