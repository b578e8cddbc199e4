//! The engines on finite-domain systems by name.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Instant;

use suppose_control::{Context, Stopped, Supervisor, catch};
use suppose_model::fsm::{
    self, Basis, Claim, Decisions, Proof, Property, Refutation, Shows, System, Verdict,
};
use suppose_model::{Reason, Run};
use suppose_symbolic::cegar::{Cegar, CegarOptions, Early, Separation, Spurious};
use suppose_symbolic::check::memory::Memory;
use suppose_symbolic::portfolio::Engine;
use suppose_symbolic::prepare::{Deadlock, deadlock};
use suppose_symbolic::{Answer, Concrete, Effort, Found, Options};
use suppose_symbolic::{auto, induction};

use super::read::SmvModel;
use crate::options::{EarlyName, EngineOptions, SeparationName, SmvEngineOptions, SpuriousName};
use crate::session::Session;

/// So many turns of the engines each property gets before any gets more; and then one after the other.
const FIRST_TURNS: u32 = 2;

/// Which turns of the engines a property gets, the first of which is 1.
pub type Turns = RangeInclusive<u32>;

/// Those of the attempt of that number (the first is 0) at one of `several` properties.
pub fn turns(attempt: u32, several: bool) -> Turns {
    let next = FIRST_TURNS.saturating_add(attempt);
    match (several, attempt) {
        (false, 0) => 1..=u32::MAX,
        (true, 0) => 1..=FIRST_TURNS,
        // The last one goes on from where it was.
        (false, _) => next..=u32::MAX,
        (true, _) => next..=next,
    }
}

/// What decides.
pub struct SymbolicEngines<'a> {
    subject: &'a SmvModel,
    engine: Engine,
    smv: SmvEngineOptions,
    /// It is known that every reachable state has a step.
    pub total: bool,
    /// What the concrete engine found out for other properties.
    memory: Memory,
    session: &'a Session,
}

/// An answer and why it is this engine's.
pub struct Reply {
    /// The answer.
    pub answer: fsm::Answer,
    /// Why this engine.
    pub why: String,
}

/// An engine's answer, its name, and why it was chosen.
type Decided = Result<(Answer, &'static str, String), Stopped>;

impl<'a> SymbolicEngines<'a> {
    /// As the command line says.
    pub fn new(subject: &'a SmvModel, args: &EngineOptions, session: &'a Session) -> Self {
        SymbolicEngines {
            subject,
            engine: Engine::named(args.engine.name()).unwrap_or_default(),
            smv: args.smv,
            total: false,
            memory: Memory::default(),
            session,
        }
    }

    /// Decides a claim. None if that takes more than these turns.
    pub fn decide(&self, claim: Claim, turns: Turns) -> Option<Reply> {
        let begun = Instant::now();
        let system = &self.subject.system;
        let name = claim.name(system);
        self.session.counters.begin(&name);
        let mut reply = match claim.property(system) {
            Some(property) => self.property(claim, property, turns)?,
            None => self.deadlock(),
        };
        reply.answer.run.elapsed = begun.elapsed();
        Some(reply)
    }

    /// On the part of the system that the property depends on.
    fn property(&self, claim: Claim, property: &Property, turns: Turns) -> Option<Reply> {
        let system = &self.subject.system;
        let cx = self.context();
        let part = match catch(|| system.cone(property)) {
            Ok(cone) => Arc::new(cone.system),
            Err(message) => return Some(self.unknown(claim, system, Reason::Internal(message))),
        };
        let Some(asked) = part.properties.first().cloned() else {
            let why = "the cone of influence has no property".to_owned();
            return Some(self.unknown(claim, system, Reason::Internal(why)));
        };
        // Only the automatic choice has turns.
        let patient = *turns.end() == u32::MAX || self.engine != Engine::Auto;
        Some(match catch(|| self.run(&part, &asked, turns, &cx)) {
            Err(message) => self.unknown(claim, &part, Reason::Internal(message)),
            Ok(Err(Stopped::Superseded)) if !patient && cx.check().is_ok() => return None,
            Ok(Err(stopped)) => self.unknown(claim, &part, stopped.into()),
            Ok(Ok((answer, engine, why))) => {
                let answer = fsm::Answer {
                    claim,
                    engine: engine.to_owned(),
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
        let asked_for = || "asked for".to_owned();
        match self.engine {
            Engine::Cegar => {
                let cegar = Cegar::new(part, self.cegar(), cx);
                Ok((cegar.decide(asked)?, "cegar", asked_for()))
            }
            Engine::Bdd => {
                let concrete = Concrete::new(part, Options::default(), cx);
                let concrete = concrete.remembering(&self.memory);
                Ok((concrete.decide(asked)?, "bdd", asked_for()))
            }
            Engine::Induction => {
                let found = induction::decide(part, asked, induction::DEEPEST, cx)?;
                let answer = found.unwrap_or_else(|| Answer {
                    found: Found::Unknown(
                        "k-induction did not prove it; it decides invariants only.".to_owned(),
                    ),
                    effort: Effort::default(),
                });
                Ok((answer, "induction", asked_for()))
            }
            _ => {
                let chosen = auto::decide(part, asked, self.cegar(), &self.memory, turns, cx)?;
                let engine = match chosen.engine {
                    auto::Engine::Bdd => Engine::Bdd,
                    auto::Engine::Induction => Engine::Induction,
                    auto::Engine::Cegar => Engine::Cegar,
                };
                Ok((chosen.answer, engine.name(), chosen.why))
            }
        }
    }

    /// How to abstract, as the command line says.
    fn cegar(&self) -> CegarOptions {
        let mut options = CegarOptions {
            far: self.smv.far,
            total: self.total,
            ..CegarOptions::default()
        };
        if let Some(name) = self.smv.spurious {
            options.spurious = match name {
                SpuriousName::Bdd => Spurious::Bdd,
                SpuriousName::Sat => Spurious::Sat,
            };
        }
        if let Some(name) = self.smv.separation {
            options.separation = match name {
                SeparationName::Squeezed => Separation::Squeezed,
                SeparationName::Paper => Separation::Paper,
            };
        }
        if let Some(name) = self.smv.early {
            options.early = match name {
                EarlyName::Auto => Early::Auto,
                EarlyName::Always => Early::Always,
                EarlyName::Never => Early::Never,
            };
        }
        options
    }

    /// Freedom from deadlock as a claim of its own.
    fn deadlock(&self) -> Reply {
        let claim = Claim::Deadlock;
        let system = &self.subject.system;
        let why = "deadlock is decided on the cone of influence of the constraints".to_owned();
        let part = || Arc::new(system.constrained().system);
        let (verdict, about) = match self.find_deadlock(&self.context()) {
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
            claim,
            engine: "bdd".to_owned(),
            verdict,
            about,
            effort: fsm::Effort::default(),
            run: Run::default(),
        };
        Reply { answer, why }
    }

    /// Is there an initial state, and a step from every reachable one?
    pub fn find_deadlock(&self, cx: &Context) -> Result<Deadlock, Reason> {
        let system = &self.subject.system;
        match catch(|| deadlock(system, Options::default(), cx)) {
            Err(message) => Err(Reason::Internal(message)),
            Ok(Err(stopped)) => Err(stopped.into()),
            Ok(Ok(found)) => Ok(found),
        }
    }

    /// The limits for what comes now.
    pub fn context(&self) -> Context {
        let mut cx = self.session.context();
        cx.seed = self.session.watch.limits().seed;
        cx
    }

    fn unknown(&self, claim: Claim, about: &Arc<System>, reason: Reason) -> Reply {
        let answer = fsm::Answer {
            claim,
            engine: self.engine.name().to_owned(),
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

fn verdict(found: Found) -> Verdict {
    match found {
        Found::Holds(proof) => Verdict::Holds(match proof {
            Some(proof) => Basis::Proof(Box::new(proof)),
            None => Basis::Exhaustive,
        }),
        Found::Fails(trace, shows) => Verdict::Violated(Refutation {
            trace: Box::new(trace),
            shows,
        }),
        Found::Steps(steps) => Verdict::Holds(Basis::Steps(steps)),
        Found::Unknown(why) => Verdict::Unknown(Reason::Unsupported(why)),
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
