//! The loop: check the abstract system, look whether the counterexample is real, split classes.

use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_model::fsm::{ExprId, Fairness, Shows, System, Trace};
use suppose_refine::{Abstraction, Analysed, Checked};

use super::atoms::{Atoms, distances};
use super::map::{Map, Place};
use super::model::Maker;
use super::parts::parts;
use super::sat::Unrolling;
use super::task::{Goal, Task};
use super::{CegarOptions, Spurious};
use crate::answer::Effort;
use crate::bdd::{Bdd, Bdds};
use crate::check::{Atoms as Functions, Checker, Fair};
use crate::encode::Encoder;
use crate::relation::Relation;

/// A class is split into no more parts than this: before that its cluster is told apart wholly.
pub(super) const MOST_PARTS: usize = 1 << 8;

/// What the loop ends with, if the property was not shown.
#[derive(Debug)]
pub(super) enum Real {
    /// A counterexample.
    Run(Trace, Shows),
    /// The abstract counterexample is of a kind that cannot be judged, for the reason said.
    Beyond(String),
}

/// An abstract counterexample.
#[derive(Debug)]
pub(super) struct Abstract {
    pub(super) trace: Trace,
    pub(super) shows: Shows,
    pub(super) places: Vec<Place>,
}

/// The search for real counterexamples near spurious ones.
#[derive(Default)]
pub(super) struct Local<'a> {
    pub(super) unrolling: Option<Unrolling<'a>>,
    /// It took more than it may.
    pub(super) is_over: bool,
}

/// An abstraction with all it takes.
pub(super) struct Engine<'a> {
    pub(super) task: &'a Task,
    pub(super) options: CegarOptions,
    pub(super) encoder: Encoder<'a>,
    pub(super) map: Map,
    pub(super) maker: Maker,
    concrete: Option<Relation>,
    pub(super) unrolling: Option<Unrolling<'a>>,
    pub(super) local: Local<'a>,
    /// How far variables are from the property.
    pub(super) distances: Vec<Option<u32>>,
    /// The abstract states reached in the last check, if it went through all.
    pub(super) reached: Option<Bdd>,
    effort: Effort,
}

impl<'a> Engine<'a> {
    /// With the first abstraction.
    pub fn new(
        task: &'a Task,
        atoms: &Atoms,
        options: CegarOptions,
        cx: &Context,
    ) -> Result<Self, Stopped> {
        let bdds = Bdds::new(cx.clone());
        bdds.set_reordering(options.relation.reorder);
        let (mut map, mut encoder) = Map::new(&task.system, atoms, task.own, options.far, &bdds);
        map.split_by_atoms(&mut encoder, atoms, task.own, options.far, cx)?;
        let coarse = map.clusters.iter().filter(|c| !c.is_exact());
        let abstracted = coarse.map(|c| c.vars.len()).sum();
        Ok(Engine {
            task,
            options,
            encoder,
            map,
            maker: Maker::new(parts(&task.system), options),
            concrete: None,
            unrolling: None,
            local: Local::default(),
            distances: distances(&task.system, atoms),
            reached: None,
            effort: Effort {
                abstracted,
                ..Effort::default()
            },
        })
    }

    pub(super) fn encoder(&self) -> &Encoder<'a> {
        &self.encoder
    }

    pub(super) fn truth(&mut self, expr: ExprId) -> Result<Bdd, Stopped> {
        self.function(expr, false)
    }

    pub(super) fn task(&self) -> &'a Task {
        self.task
    }

    /// What it took.
    pub fn effort(&self) -> Effort {
        let bdds = self.encoder.bdds();
        Effort {
            abstract_bits: self.map.width(),
            reorderings: bdds.reorderings(),
            ..self.effort.clone()
        }
    }

    /// The run without the variables that were added.
    pub fn cut(&self, mut trace: Trace, system: &System) -> Trace {
        let slots = system.state_vars().count();
        for state in &mut trace.states {
            *state = state[..slots].into();
        }
        trace
    }

    /// The expressions that the goal and fairness ask for, by a function for each.
    fn functions(
        &mut self,
        of_abstract: bool,
    ) -> Result<(FxHashMap<ExprId, Bdd>, Vec<Fair>), Stopped> {
        let system = &self.task.system;
        let mut exprs: Vec<ExprId> = match self.task.goal {
            Goal::Always(expr) | Goal::NoRun(expr) => vec![expr],
            Goal::Universal(formula) => system.formulas.atoms(formula),
        };
        exprs.extend(self.task.claim);
        let mut known = FxHashMap::default();
        for expr in exprs {
            let function = self.function(expr, of_abstract)?;
            known.insert(expr, function);
        }
        let mut fairness = Vec::new();
        for constraint in &system.fairness {
            fairness.push(match *constraint {
                Fairness::Justice(a) => Fair::Justice(self.function(a, of_abstract)?),
                Fairness::Compassion(a, b) => {
                    let first = self.function(a, of_abstract)?;
                    Fair::Compassion(first, self.function(b, of_abstract)?)
                }
            });
        }
        self.encoder.forget();
        Ok((known, fairness))
    }

    /// What a property or fairness says is never free.
    fn function(&mut self, expr: ExprId, of_abstract: bool) -> Result<Bdd, Stopped> {
        let cuts = self.encoder.uncut();
        let function = self.encoder.truth(expr);
        self.encoder.recut(cuts);
        let function = function?;
        match of_abstract {
            true => self.map.of_states(&function),
            false => Ok(function),
        }
    }

    pub(super) fn checker(
        &mut self,
        relation: Relation,
        of_abstract: bool,
        cx: &Context,
    ) -> Result<Checker<'a>, Stopped> {
        let (known, mut fairness) = self.functions(of_abstract)?;
        if matches!(self.task.goal, Goal::Always(_)) {
            fairness.clear();
        }
        let formulas = &self.task.system.formulas;
        let atoms = Functions::Given(known);
        Ok(Checker::of(relation, formulas, atoms, fairness, cx))
    }

    /// The relation of the system itself, made when it is first needed.
    pub(super) fn concrete(&mut self) -> Result<Relation, Stopped> {
        if let Some(known) = &self.concrete {
            return Ok(known.clone());
        }
        let cuts = self.encoder.uncut();
        let made = Relation::new(&mut self.encoder, self.options.relation)?;
        self.encoder.recut(cuts);
        self.concrete = Some(made.clone());
        Ok(made)
    }
}

/// Looks for a counterexample to a goal on any relation.
pub(super) fn look(
    task: &Task,
    checker: &mut Checker<'_>,
) -> Result<Option<(Trace, Shows)>, Stopped> {
    let (mut trace, shows) = match task.goal {
        Goal::Always(expr) => {
            let bad = checker.states_where(expr)?.not();
            let bad = bad.and(checker.relation().states())?;
            return Ok(checker.path_to(&bad)?.map(|trace| (trace, Shows::All)));
        }
        Goal::Universal(formula) => match checker.counterexample(formula)? {
            Some(found) => found,
            None => return Ok(None),
        },
        Goal::NoRun(expr) => {
            let fair = checker.fair()?;
            let first = checker.states_where(expr)?.and(&fair)?;
            let first = first.and(checker.relation().init())?;
            let Some(state) = checker.some_state(&first) else {
                return Ok(None);
            };
            let trace = Trace {
                states: vec![state],
                inputs: Vec::new(),
                loops_to: None,
            };
            (trace, Shows::All)
        }
    };
    if task.endless && trace.loops_to.is_none() && shows == Shows::All {
        let fair = checker.fair()?;
        checker.go_round(&mut trace, &fair)?;
    }
    Ok(Some((trace, shows)))
}

impl Abstraction for Engine<'_> {
    type Counterexample = Abstract;
    type Real = Real;

    fn size(&self) -> u64 {
        let shut = self.maker.no_step.len() + self.maker.not_initial.len();
        self.map.size() + shut as u64 + u64::from(self.maker.care)
    }

    fn check(&mut self, cx: &Context) -> Result<Checked<Abstract>, Stopped> {
        self.reached = None;
        let relation = self.maker.relation(&self.map, &mut self.encoder, cx)?;
        let (_, places) = self.map.layout(&self.encoder);
        self.effort.relation_nodes = self.effort.relation_nodes.max(relation.size());
        let mut checker = self.checker(relation, true, cx)?;
        let bdds = self.encoder.bdds();
        let before = bdds.live();
        let found = look(self.task, &mut checker)?;
        let more = bdds.peak().saturating_sub(before);
        self.effort.checking_nodes = self.effort.checking_nodes.max(more);
        self.effort.depth = self.effort.depth.max(checker.depth());
        Ok(match found {
            None => {
                self.reached = Some(checker.reachable()?);
                Checked::Holds
            }
            Some((trace, shows)) => Checked::Fails(Abstract {
                trace,
                shows,
                places,
            }),
        })
    }

    fn analyse(&mut self, found: Abstract, cx: &Context) -> Result<Analysed<Real>, Stopped> {
        if found.shows == Shows::Part {
            let why = "The property fails on an abstraction of the system, in a way that no single run shows, so it is not known \
                       whether it fails on the system.";
            return Ok(Analysed::Real(Real::Beyond(why.to_owned())));
        }
        let analysed = match self.options.spurious {
            Spurious::Bdd => self.analyse_by_images(&found, cx)?,
            Spurious::Sat => self.analyse_by_search(&found, cx)?,
        };
        if matches!(analysed, Analysed::Refined) {
            self.effort.refinements += 1;
            self.map.tidy(&self.task.system);
        }
        Ok(analysed)
    }
}
