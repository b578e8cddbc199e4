//! Why a property holds, out of the last abstraction.

use suppose_control::Stopped;
use suppose_model::fsm::{Cluster as Shown, Decisions, Proof, Question, System};

use super::engine::Engine;
use super::map::Classes;
use super::task::Goal;
use crate::bdd::{Bdd, Var};
use crate::proof::decisions;

/// A proof with more decisions than this is not made: nobody would want to check it.
const MOST_DECISIONS: usize = 1 << 20;

/// Nor one with more classes.
const MOST_CLASSES: usize = 1 << 12;

/// A proof that says of every variable in the property how it is abstracted: one that a property only seems to depend on (`x > x`) has one
/// class. None if the property speaks of steps, which abstractions of states do not.
pub(super) fn presentable(proof: Proof, system: &System, question: &Question) -> Option<Proof> {
    let Proof::Abstraction(mut clusters) = proof else {
        return Some(proof);
    };
    // Only invariants and formulas are decided on abstractions.
    let atoms = match *question {
        Question::Ctl(formula) | Question::Ltl(formula) => system.formulas.atoms(formula),
        Question::Invariant(expr) => vec![expr],
        _ => return None,
    };
    let support = system.exprs.support_of_all(atoms);
    if !support.next.is_empty() || support.current.iter().any(|v| system.is_input(*v)) {
        return None;
    }
    for var in support.current {
        if !clusters.iter().any(|c| c.vars.contains(&var)) {
            let everything = Decisions {
                nodes: Vec::new(),
                root: 1,
            };
            clusters.push(Shown {
                vars: vec![var],
                classes: vec![everything],
            });
        }
    }
    Some(Proof::Abstraction(clusters))
}

impl Engine<'_> {
    /// The proof, if there is one that is not too large.
    pub fn proof(&mut self, system: &System) -> Result<Option<Proof>, Stopped> {
        if let Some(set) = self.inductive(system)? {
            return Ok(Some(Proof::Invariant(set)));
        }
        self.clusters(system).map(|c| c.map(Proof::Abstraction))
    }

    /// The concrete states of the abstract ones that were reached: no step leaves them.
    fn inductive(&mut self, system: &System) -> Result<Option<Decisions>, Stopped> {
        let (task, bdds) = (self.task(), self.encoder().bdds().clone());
        // Variables that guess can be left without a step that the system has.
        let guesses =
            task.system.variables.len() > task.own && !matches!(task.goal, Goal::Always(_));
        let (Some(claim), Some(reached)) = (task.claim, self.reached.clone()) else {
            return Ok(None);
        };
        if guesses {
            return Ok(None);
        }
        let mut set = self.map.concrete(&reached)?;
        if task.system.variables.len() == task.own {
            let claim = self.truth(claim)?;
            if !set.is_within(&claim)? {
                return Ok(None);
            }
        }
        let added = task.system.state_vars().filter(|v| v.index() >= task.own);
        let added: Vec<Var> = added
            .flat_map(|v| self.encoder().bits(v).current.clone())
            .collect();
        set = set.exists(&bdds.cube(&added)?)?;
        Ok(self.decisions(&set, system))
    }

    pub(super) fn decisions(&self, set: &Bdd, system: &System) -> Option<Decisions> {
        let bits = |v| (v, &self.encoder().bits(v).current[..]);
        decisions(set, system.state_vars().map(bits), MOST_DECISIONS)
    }

    /// The clusters with their classes. What is told apart wholly is shown variable by variable.
    fn clusters(&self, system: &System) -> Result<Option<Vec<Shown>>, Stopped> {
        let (own, bdds) = (self.task().own, self.encoder().bdds());
        let (mut shown, mut count) = (Vec::new(), 0);
        for cluster in self.map.clusters.iter().filter(|c| !c.is_trivial()) {
            if cluster.vars.iter().any(|v| v.index() >= own) {
                continue;
            }
            match &cluster.classes {
                Classes::Some(classes) => {
                    count += classes.len();
                    let sets = classes.iter().map(|c| self.decisions(c, system));
                    let Some(classes) = sets.collect::<Option<Vec<Decisions>>>() else {
                        return Ok(None);
                    };
                    let vars = cluster.vars.clone();
                    shown.push(Shown { vars, classes });
                }
                Classes::Exact => {
                    for var in &cluster.vars {
                        let size = system.variable(*var).ty.size();
                        count += usize::try_from(size)
                            .unwrap_or(usize::MAX / 2)
                            .min(MOST_CLASSES + 1);
                        if count > MOST_CLASSES {
                            return Ok(None);
                        }
                        let bits = &self.encoder().bits(*var).current;
                        let mut classes = Vec::new();
                        for index in 0..size {
                            let bits = bits.iter().enumerate();
                            let literals: Vec<(Var, bool)> =
                                bits.map(|(at, v)| (*v, index >> at & 1 == 1)).collect();
                            let set = bdds.minterm(&literals)?;
                            let Some(set) = self.decisions(&set, system) else {
                                return Ok(None);
                            };
                            classes.push(set);
                        }
                        shown.push(Shown {
                            vars: vec![*var],
                            classes,
                        });
                    }
                }
            }
            if count > MOST_CLASSES {
                return Ok(None);
            }
        }
        Ok(Some(shown))
    }
}
