//! The engines on probabilistic systems by name, and the portfolio over them.
//!
//! [`ENGINES`] lists what this crate can do. [`Portfolio`] decides claims with one engine by name, or with `auto`: on
//! conformance, time slices of growing size for several engines.

mod list;
mod properties;

use std::time::Instant;

use suppose_control::{Context, Supervisor, catch};
use suppose_model::mdp::{self, Claim, Lpts, Proof, Property, Refutation, Sizes, System};
use suppose_model::{Reason, Run, Verdict};
use suppose_number::grouped;

pub use list::{ENGINES, Engine};

use crate::{ChainOptions, ConformanceAnswer, LearnOptions, deadlock};

/// The time slices of `auto`, in states of one product and in work: small numbers first, so that what is easy for one
/// engine does not wait for another.
const TURNS: &[(Engine, u64, u64)] = &[
    (Engine::Monolithic, 5_000, u64::MAX),
    (Engine::Agar, 40_000, 11_000),
    (Engine::Monolithic, 30_000, u64::MAX),
    (Engine::Agar, 2_000_000, 3_000_000),
    (Engine::AgarN, 2_000_000, 5_000_000),
    (Engine::Monolithic, 5_000_000, u64::MAX),
    (Engine::Agar, u64::MAX, u64::MAX),
];

/// How the engines are to work.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Which engine.
    pub engine: Engine,
    /// For `learn`.
    pub learn: LearnOptions,
    /// The groups of the rule, in its order; none to let the engines choose.
    pub groups: Option<Vec<Vec<usize>>>,
    /// An assumption is wanted, not only a verdict.
    pub assume: bool,
}

/// An answer, and why this engine gave it.
#[derive(Debug)]
pub struct Reply {
    /// The answer.
    pub answer: mdp::Answer,
    /// Why this engine, for people.
    pub why: String,
    /// The size of the composition, if it was built for this answer.
    pub sizes: Option<Sizes>,
}

impl Reply {
    fn new(answer: mdp::Answer, why: impl Into<String>) -> Reply {
        Reply {
            answer,
            why: why.into(),
            sizes: None,
        }
    }
}

/// The engines, ready to run on one system.
pub struct Portfolio<'a> {
    /// The system.
    pub system: &'a System,
    /// What it should conform to.
    pub specification: Option<&'a Lpts>,
    /// Its properties, which claims refer to by name.
    pub properties: &'a [Property],
    /// How to work.
    pub settings: &'a Settings,
    /// Stops the engines.
    pub supervisor: &'a dyn Supervisor,
}

impl Portfolio<'_> {
    /// Decides a claim.
    pub fn decide(&self, claim: &Claim) -> Reply {
        match claim {
            Claim::Conformance => match self.specification {
                Some(specification) => self.conformance(specification),
                None => missing(claim, "there is no specification"),
            },
            Claim::Property(name) => match self.properties.iter().find(|p| p.name == *name) {
                Some(property) => self.property(claim, property),
                None => missing(claim, "there is no such property"),
            },
            Claim::Deadlock => self.deadlock(),
        }
    }

    /// The whole composition, with its sizes.
    fn deadlock(&self) -> Reply {
        let started = Instant::now();
        self.supervisor.begin("deadlock");
        let cx = self.supervisor.context();
        let (claim, mut sizes) = (Claim::Deadlock, None);
        let mut answer = match catch(|| deadlock::whole(self.system, &cx)) {
            Err(message) => unknown(claim, "monolithic", Reason::Internal(message)),
            Ok(Err(reason)) => unknown(claim, "monolithic", reason),
            Ok(Ok(whole)) => {
                sizes = Some(deadlock::sizes(&whole));
                let (verdict, run) = deadlock::decide(&whole);
                mdp::Answer {
                    claim,
                    engine: "monolithic".to_owned(),
                    verdict,
                    value: None,
                    run,
                }
            }
        };
        answer.run.elapsed = started.elapsed();
        Reply {
            answer,
            why: "deadlock is decided on the whole composition".to_owned(),
            sizes,
        }
    }

    /// The groups of the rule: those asked for, or each component by itself in an order that is found.
    fn ordered(&self) -> Vec<Vec<usize>> {
        let system = self.system;
        match (&self.settings.groups, self.specification) {
            (Some(groups), _) => groups.clone(),
            (None, Some(specification)) => {
                let order = crate::order(system, specification);
                order.into_iter().map(|c| vec![c]).collect()
            }
            (None, None) => (0..system.components.len()).map(|c| vec![c]).collect(),
        }
    }

    fn first(&self) -> Vec<usize> {
        self.ordered().into_iter().next().unwrap_or_default()
    }

    fn conformance(&self, specification: &Lpts) -> Reply {
        if self.settings.engine != Engine::Auto {
            let answer = self.one(
                self.settings.engine,
                specification,
                &self.supervisor.context(),
            );
            return conformance(self.settings.engine, answer, "asked for".to_owned());
        }
        if self.settings.assume {
            return self.assumption(specification);
        }
        let mut tried: Vec<String> = Vec::new();
        let alone = self.system.components.len() < 2;
        for (engine, states, work) in TURNS {
            if alone && *engine != Engine::Monolithic {
                continue;
            }
            let last = *work == u64::MAX && *states == u64::MAX;
            let mut cx = self.supervisor.context();
            if *states < u64::MAX {
                cx = cx.with_state_limit(*states);
            }
            if *work < u64::MAX {
                cx = cx.with_work(*work);
            }
            let answer = self.one(*engine, specification, &cx);
            let over = self.supervisor.over().is_some();
            let open = matches!(&answer.verdict, Verdict::Unknown(r) if may_continue(r));
            if !open || last || over {
                let why = chosen(*engine, *states, &tried);
                return conformance(*engine, answer, why);
            }
            tried.push(format!(
                "{} up to {} states",
                engine.name(),
                grouped(*states)
            ));
        }
        let cx = self.supervisor.context();
        let answer = self.one(Engine::Monolithic, specification, &cx);
        let why = chosen(Engine::Monolithic, u64::MAX, &tried);
        conformance(Engine::Monolithic, answer, why)
    }

    /// One assumption about all groups after the first, and if that is too hard, several.
    fn assumption(&self, specification: &Lpts) -> Reply {
        let mut groups = self.ordered();
        if self.settings.groups.is_none() && groups.len() > 2 {
            let rest = groups.split_off(1).into_iter().flatten().collect();
            groups.push(rest);
        }
        let system = self.system;
        self.supervisor.begin("conformance by agar-n");
        let cx = self
            .supervisor
            .context()
            .with_state_limit(1_000_000)
            .with_work(5_000_000);
        let options = ChainOptions::default();
        let run = || crate::agar_n(system, specification, &groups, options, &cx);
        if let Ok(answer) = catch(run) {
            let open = matches!(&answer.verdict, Verdict::Unknown(r) if may_continue(r));
            if !open || self.supervisor.over().is_some() {
                let why = "one assumption about all groups after the first".to_owned();
                return conformance(Engine::AgarN, answer, why);
            }
        }
        let answer = self.one(Engine::Agar, specification, &self.supervisor.context());
        let why = "one assumption was too much work".to_owned();
        conformance(Engine::Agar, answer, why)
    }

    /// Runs one engine. A panic is a bug, and an answer: unknown.
    fn one(&self, engine: Engine, specification: &Lpts, cx: &Context) -> ConformanceAnswer {
        let system = self.system;
        self.supervisor
            .begin(&format!("conformance by {}", engine.name()));
        let options = ChainOptions::default();
        let run = || match engine {
            Engine::Cegar => crate::cegar(system, specification, options, cx),
            Engine::Agar => crate::agar(system, specification, &self.first(), options, cx),
            Engine::AgarN => crate::agar_n(system, specification, &self.ordered(), options, cx),
            Engine::Learn => crate::learn(
                system,
                specification,
                &self.first(),
                self.settings.learn,
                cx,
            ),
            Engine::Smt => crate::smt(system, specification, cx),
            _ => crate::monolithic(system, specification, cx),
        };
        catch(run).unwrap_or_else(|message| ConformanceAnswer {
            verdict: Verdict::Unknown(Reason::Internal(message)),
            run: Run::default(),
        })
    }
}

fn missing(claim: &Claim, why: &str) -> Reply {
    let reason = Reason::Unsupported(why.to_owned());
    Reply::new(unknown(claim.clone(), "none", reason), "")
}

/// An engine's answer, as one to the claim of conformance.
fn conformance(engine: Engine, answer: ConformanceAnswer, why: String) -> Reply {
    let verdict = match answer.verdict {
        Verdict::Holds(proof) => Verdict::Holds(Proof::Conformance(proof)),
        Verdict::Violated(tree) => Verdict::Violated(Refutation::Conformance {
            tree,
            refusals: Vec::new(),
        }),
        Verdict::Unknown(reason) => Verdict::Unknown(reason),
    };
    let answer = mdp::Answer {
        claim: Claim::Conformance,
        engine: engine.name().to_owned(),
        verdict,
        value: None,
        run: answer.run,
    };
    Reply::new(answer, why)
}

/// Is only this engine's time slice over, or the claim nothing for it?
fn may_continue(reason: &Reason) -> bool {
    matches!(
        reason,
        Reason::Timeout | Reason::Memory | Reason::Iterations | Reason::Unsupported(_)
    )
}

fn chosen(engine: Engine, states: u64, tried: &[String]) -> String {
    let own = match states {
        u64::MAX => "without a bound".to_owned(),
        n => format!("with at most {} states at once", grouped(n)),
    };
    match tried.is_empty() {
        true => format!("chosen first, {own}"),
        false => format!("{} {own}, after {}", engine.name(), tried.join(", ")),
    }
}

/// No verdict, and nothing known of the run.
pub fn unknown(claim: Claim, engine: &str, reason: Reason) -> mdp::Answer {
    mdp::Answer {
        claim,
        engine: engine.to_owned(),
        verdict: Verdict::Unknown(reason),
        value: None,
        run: Run::default(),
    }
}
