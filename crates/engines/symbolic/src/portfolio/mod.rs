//! The engines on finite-domain systems by name, and the portfolio over them.
//!
//! [`ENGINES`] lists what this crate can do. [`Portfolio`] runs one of them by name, or `auto`, which gives all of them
//! their turns on every property. Who watches clock and memory is the [`Supervisor`]'s concern; no engine knows of it.

mod auto;
mod list;

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Instant;

use suppose_control::{Context, Stopped, Supervisor, catch};
use suppose_model::fsm::{
    self, Basis, Claim, Decisions, Proof, Property, Refutation, Shows, System, Verdict,
};
use suppose_model::{Reason, Run};

pub use list::{ENGINES, Engine};

use crate::answer::{Answer, Effort, SymbolicVerdict};
use crate::cegar::{Cegar, CegarOptions};
use crate::check::memory::Memory;
use crate::decide::Concrete;
use crate::induction;
use crate::prepare::{Deadlock, deadlock};
use crate::relation::RelationOptions;

/// How the engines are to work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Which engine.
    pub engine: Engine,
    /// How to abstract.
    pub cegar: CegarOptions,
}

/// An answer, and why this engine gave it.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The answer.
    pub answer: fsm::Answer,
    /// Why this engine, for people.
    pub why: String,
}

/// What became of a claim when its turns were over.
#[derive(Clone, Debug)]
pub enum Told {
    /// It is decided, or no engine can decide it.
    Decided(Box<Reply>),
    /// It goes on after all the others.
    PutOff(Claim),
}

/// So many turns of the engines each property gets before any gets more; and then one after the other.
const FIRST_TURNS: u32 = 2;

/// Which turns of the engines a property gets, the first of which is 1.
type Turns = RangeInclusive<u32>;

/// Those of the attempt of that number (the first is 0) at one of `several` properties.
fn turns(attempt: u32, several: bool) -> Turns {
    let next = FIRST_TURNS.saturating_add(attempt);
    match (several, attempt) {
        (false, 0) => 1..=u32::MAX,
        (true, 0) => 1..=FIRST_TURNS,
        // The last one goes on from where it was.
        (false, _) => next..=u32::MAX,
        (true, _) => next..=next,
    }
}

/// An engine's answer, its name, and why it was chosen.
type Decided = Result<(Answer, Engine, String), Stopped>;

/// The engines, ready to run on one system.
pub struct Portfolio<'a> {
    system: &'a Arc<System>,
    settings: Settings,
    supervisor: &'a dyn Supervisor,
    /// What the concrete engine found out for other properties.
    memory: Memory,
}

impl<'a> Portfolio<'a> {
    /// For a system.
    pub fn new(
        system: &'a Arc<System>,
        settings: Settings,
        supervisor: &'a dyn Supervisor,
    ) -> Self {
        Portfolio {
            system,
            settings,
            supervisor,
            memory: Memory::default(),
        }
    }

    /// Decides claims, telling each answer as soon as it is known. What is easy comes first, and hard properties go on in
    /// turns, so that none keeps the others waiting.
    pub fn decide(&self, claims: &[Claim], tell: &mut dyn FnMut(Told)) {
        let mut waiting: Vec<(Claim, u32)> = claims.iter().map(|c| (*c, 0)).collect();
        while let Some((claim, attempt)) = waiting.first().copied() {
            match self.one(claim, turns(attempt, waiting.len() > 1)) {
                Some(reply) => {
                    waiting.remove(0);
                    tell(Told::Decided(Box::new(reply)));
                }
                None => {
                    waiting[0].1 += 1;
                    waiting.rotate_left(1);
                    tell(Told::PutOff(claim));
                }
            }
        }
    }

    /// Looks until then whether there is an initial state, and a step from every reachable one. Abstraction makes use of it.
    pub fn look_for_deadlock(&mut self, until: Instant) -> Result<Deadlock, Reason> {
        let cx = self.supervisor.context().with_deadline(until);
        let found = self.find_deadlock(&cx);
        self.settings.cegar.total = matches!(found, Ok(Deadlock::Free));
        found
    }

    /// Decides a claim. None if that takes more than these turns.
    fn one(&self, claim: Claim, turns: Turns) -> Option<Reply> {
        let begun = Instant::now();
        self.supervisor.begin(&claim.name(self.system));
        let mut reply = match claim.property(self.system) {
            Some(property) => self.property(claim, property, turns)?,
            None => self.deadlock(),
        };
        reply.answer.run.elapsed = begun.elapsed();
        Some(reply)
    }

    /// On the part of the system that the property depends on.
    fn property(&self, claim: Claim, property: &Property, turns: Turns) -> Option<Reply> {
        let system = self.system;
        let cx = self.supervisor.context();
        let part = match catch(|| system.cone(property)) {
            Ok(cone) => Arc::new(cone.system),
            Err(message) => return Some(self.unknown(claim, system, Reason::Internal(message))),
        };
        let Some(asked) = part.properties.first().cloned() else {
            let why = "the cone of influence has no property".to_owned();
            return Some(self.unknown(claim, system, Reason::Internal(why)));
        };
        // Only the automatic choice has turns.
        let patient = *turns.end() == u32::MAX || self.settings.engine != Engine::Auto;
        Some(match catch(|| self.run(&part, &asked, turns, &cx)) {
            Err(message) => self.unknown(claim, &part, Reason::Internal(message)),
            Ok(Err(Stopped::Superseded)) if !patient && cx.check().is_ok() => return None,
            Ok(Err(stopped)) => self.unknown(claim, &part, stopped.into()),
            Ok(Ok((answer, engine, why))) => {
                let answer = fsm::Answer {
                    claim,
                    engine: engine.name().to_owned(),
                    verdict: verdict(answer.found),
                    about: part,
                    effort: effort(&answer.effort),
                    run: Run::default(),
                };
                Reply { answer, why }
            }
        })
    }

    fn run(&self, part: &System, asked: &Property, turns: Turns, cx: &Context) -> Decided {
        let options = self.settings.cegar;
        let engine = self.settings.engine;
        let answer = match engine {
            Engine::Auto => {
                let chosen = auto::decide(part, asked, options, &self.memory, turns, cx)?;
                return Ok((chosen.answer, chosen.engine, chosen.why));
            }
            Engine::Cegar => Cegar::new(part, options, cx).decide(asked)?,
            Engine::Bdd => {
                let concrete = Concrete::new(part, RelationOptions::default(), cx);
                concrete.remembering(&self.memory).decide(asked)?
            }
            Engine::Induction => {
                let found = induction::decide(part, asked, induction::DEEPEST, cx)?;
                found.unwrap_or_else(|| Answer {
                    found: SymbolicVerdict::Unknown(
                        "k-induction did not prove it; it decides invariants only.".to_owned(),
                    ),
                    effort: Effort::default(),
                })
            }
        };
        Ok((answer, engine, "asked for".to_owned()))
    }

    /// Freedom from deadlock as a claim of its own.
    fn deadlock(&self) -> Reply {
        let system = self.system;
        let why = "deadlock is decided on the cone of influence of the constraints".to_owned();
        let part = || Arc::new(system.constrained().system);
        let (verdict, about) = match self.find_deadlock(&self.supervisor.context()) {
            Err(reason) => (Verdict::Unknown(reason), Arc::clone(system)),
            Ok(Deadlock::Free) => (Verdict::Holds(Basis::Exhaustive), part()),
            Ok(Deadlock::NoInitialState) => {
                // Nothing is reachable: the empty set is an invariant.
                let nothing = Box::new(Proof::Invariant(Decisions::default()));
                (Verdict::Holds(Basis::Proof(nothing)), part())
            }
            Ok(Deadlock::Reachable(trace, part)) => {
                let verdict = Verdict::Violated(Refutation {
                    trace: Box::new(trace),
                    shows: Shows::All,
                });
                (verdict, Arc::new(*part))
            }
        };
        let answer = fsm::Answer {
            claim: Claim::Deadlock,
            engine: Engine::Bdd.name().to_owned(),
            verdict,
            about,
            effort: fsm::Effort::default(),
            run: Run::default(),
        };
        Reply { answer, why }
    }

    fn find_deadlock(&self, cx: &Context) -> Result<Deadlock, Reason> {
        match catch(|| deadlock(self.system, RelationOptions::default(), cx)) {
            Err(message) => Err(Reason::Internal(message)),
            Ok(Err(stopped)) => Err(stopped.into()),
            Ok(Ok(found)) => Ok(found),
        }
    }

    fn unknown(&self, claim: Claim, about: &Arc<System>, reason: Reason) -> Reply {
        let answer = fsm::Answer {
            claim,
            engine: self.settings.engine.name().to_owned(),
            verdict: Verdict::Unknown(reason),
            about: Arc::clone(about),
            effort: fsm::Effort::default(),
            run: Run::default(),
        };
        Reply {
            answer,
            why: String::new(),
        }
    }
}

fn verdict(found: SymbolicVerdict) -> Verdict {
    match found {
        SymbolicVerdict::Holds(proof) => Verdict::Holds(match proof {
            Some(proof) => Basis::Proof(Box::new(proof)),
            None => Basis::Exhaustive,
        }),
        SymbolicVerdict::Fails(trace, shows) => Verdict::Violated(Refutation {
            trace: Box::new(trace),
            shows,
        }),
        SymbolicVerdict::Steps(steps) => Verdict::Holds(Basis::Steps(steps)),
        SymbolicVerdict::Unknown(why) => Verdict::Unknown(Reason::Unsupported(why)),
    }
}

fn effort(effort: &Effort) -> fsm::Effort {
    fsm::Effort {
        abstracted: effort.abstracted as u64,
        refinements: effort.refinements,
        abstract_bits: effort.abstract_bits as u64,
        relation_nodes: effort.relation_nodes as u64,
        checking_nodes: effort.checking_nodes as u64,
        reorderings: effort.reorderings,
        depth: effort.depth as u64,
    }
}
