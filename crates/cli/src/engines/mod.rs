//! The engines by name, the portfolio, and what surrounds a run.

mod auto;
mod rank;
mod split;

use std::sync::Arc;
use std::time::Instant;

use suppose_compose::{agar, decompose, learn, monolithic, quotient};
use suppose_model::lts::Network;
use suppose_model::{Answer, Claim, Reason, Run, Verdict};
use suppose_refine::Context;

pub use rank::rank;
pub use split::Split;

use crate::args::{Alphabet, EngineArgs, EngineName, Learner, ProcessArgs, Splitting, TurnOrder};
use crate::failure::Failure;
use crate::progress::Counters;
use crate::watch::{Watch, catch};

/// How the engines are to work.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Which engine.
    pub engine: EngineName,
    /// For `agar`.
    pub agar: agar::Options,
    /// For `learn`.
    pub learn: learn::Options,
    /// How to split the system.
    pub split: Split,
    /// For `quotient`.
    pub quotient: quotient::Options,
    /// The components that are the process of `quotient`; none to let it choose.
    pub components: Vec<usize>,
    /// Those it may choose from; none for all.
    pub candidates: Vec<usize>,
    /// One after the other, in this order.
    pub in_turn: Option<quotient::Order>,
}

/// The order of `--in-turn`.
pub fn turns(args: &ProcessArgs) -> Option<quotient::Order> {
    args.in_turn.map(|order| match order {
        TurnOrder::Given => quotient::Order::Given,
        TurnOrder::Interface => quotient::Order::Interface,
        TurnOrder::Largest => quotient::Order::Largest,
        TurnOrder::Smallest => quotient::Order::Smallest,
    })
}

impl Settings {
    /// From the command line. The components are to be filled in.
    pub fn new(args: &EngineArgs, split: Split) -> Result<Self, Failure> {
        let named = !args.process.components.is_empty() || args.process.in_turn.is_some();
        let engine = match args.engine {
            EngineName::Auto if named => EngineName::Quotient,
            engine if named && engine != EngineName::Quotient => {
                let words = "--component and --in-turn are for the engine `quotient`";
                let failure = Failure::usage(words);
                return Err(failure.help("for the others, --split says how the system is split"));
            }
            engine => engine,
        };
        let refine_alphabet = args.alphabet == Alphabet::Refine;
        let mut agar = agar::Options {
            restart: args.restart,
            refine_alphabet,
            ..agar::Options::default()
        };
        let learn = learn::Options {
            algorithm: match args.learner {
                Learner::Lstar => learn::Algorithm::LStar,
                Learner::Ttt => learn::Algorithm::Ttt,
            },
            refine_alphabet,
        };
        if let Some(splitting) = args.splitting {
            agar.splitting = match splitting {
                Splitting::Stuck => agar::Splitting::Stuck,
                Splitting::Earliest => agar::Splitting::Earliest,
                Splitting::All => agar::Splitting::All,
            };
        }
        Ok(Settings {
            engine,
            agar,
            learn,
            split,
            in_turn: turns(&args.process),
            ..Settings::default()
        })
    }
}

/// An answer, and why this engine gave it.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The answer.
    pub answer: Answer,
    /// Why this engine, for people.
    pub why: String,
}

/// How far an engine may go that only gets a turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// States in a single exploration.
    pub states: Option<u64>,
    /// Until then.
    pub until: Option<Instant>,
    /// Work in all, in questions to the context.
    pub work: Option<u64>,
}

impl Bounds {
    /// Fresh limits for one engine.
    pub fn context(&self, watch: &Watch, counters: &Arc<Counters>) -> Context {
        let observer = Arc::clone(counters);
        let mut cx = Context::new(watch.fresh(), observer);
        cx.seed = watch.limits().seed;
        if let Some(states) = self.states {
            cx = cx.with_state_limit(states);
        }
        if let Some(until) = self.until {
            cx = cx.with_deadline(until);
        }
        if let Some(work) = self.work {
            cx = cx.with_work(work);
        }
        cx
    }
}

/// The engines, ready to run on one system.
pub struct Engines<'a> {
    /// The system.
    pub network: &'a Network,
    /// How to work.
    pub settings: &'a Settings,
    /// Who may stop them.
    pub watch: &'a Arc<Watch>,
    /// Who wants to know.
    pub counters: &'a Arc<Counters>,
}

impl Engines<'_> {
    /// Decides a claim with the engine asked for.
    pub fn decide(&self, claim: Claim) -> Reply {
        let asked = self.settings.engine;
        if asked == EngineName::Auto {
            return auto::decide(self, claim);
        }
        if claim == Claim::DeadlockFree && asked != EngineName::Monolithic {
            let why = "deadlock is decided on the whole composition";
            return Reply {
                answer: self.monolithic(claim, &Bounds::default()),
                why: why.to_owned(),
            };
        }
        let answer = self.one(asked, claim, &Bounds::default());
        let why = "asked for".to_owned();
        Reply { answer, why }
    }

    /// Runs one engine.
    pub fn one(&self, engine: EngineName, claim: Claim, bounds: &Bounds) -> Answer {
        match engine {
            EngineName::Auto
            | EngineName::Monolithic
            | EngineName::Bdd
            | EngineName::Cegar
            | EngineName::AgarN
            | EngineName::Recmc
            | EngineName::Gpdr
            | EngineName::Bmc
            | EngineName::Induction => self.monolithic(claim, bounds),
            EngineName::Agar => self.agar(claim, bounds),
            EngineName::Learn => self.learn(claim, bounds),
            EngineName::Quotient => self.quotient(claim, bounds),
        }
    }

    /// The whole composition.
    pub fn monolithic(&self, claim: Claim, bounds: &Bounds) -> Answer {
        self.run("monolithic", claim, bounds, |cx| {
            monolithic::check(self.network, claim, &cx)
        })
    }

    /// Abstraction refinement.
    pub fn agar(&self, claim: Claim, bounds: &Bounds) -> Answer {
        self.compositional("agar", claim, bounds, |property, groups, cx| {
            agar::check(self.network, property, groups, &self.settings.agar, cx)
        })
    }

    /// Learning.
    pub fn learn(&self, claim: Claim, bounds: &Bounds) -> Answer {
        self.compositional("learn", claim, bounds, |property, groups, cx| {
            learn::check(self.network, property, groups, &self.settings.learn, cx)
        })
    }

    /// What is required of one process: the one asked for, or else the best that can be used.
    pub fn quotient(&self, claim: Claim, bounds: &Bounds) -> Answer {
        self.compositional("quotient", claim, bounds, |property, _, cx| {
            let settings = self.settings;
            let check = |process: &[usize]| {
                quotient::check(self.network, property, process, &settings.quotient, cx)
            };
            if let Some(order) = settings.in_turn {
                let among = match settings.components.is_empty() {
                    true => &settings.candidates,
                    false => &settings.components,
                };
                let options = &settings.quotient;
                return quotient::in_turn(self.network, property, among, order, options, cx).0;
            }
            if !settings.components.is_empty() {
                return check(&settings.components);
            }
            let mut last = None;
            for process in rank::rank(self.network, property, &settings.candidates) {
                let answer = check(&[process]);
                match &answer.verdict {
                    Verdict::Unknown(Reason::Unsupported(_)) => last = Some(answer),
                    _ => return answer,
                }
            }
            // Without a process there is nothing to require, and no step either but the environment's.
            let nothing = || monolithic::check(self.network, claim, cx);
            last.unwrap_or_else(nothing)
        })
    }

    fn compositional(
        &self,
        engine: &str,
        claim: Claim,
        bounds: &Bounds,
        check: impl FnOnce(usize, &[Vec<usize>], &Context) -> Answer,
    ) -> Answer {
        let Claim::Property(property) = claim else {
            return unsupported(engine, claim, "trace-based rules decide safety only");
        };
        if self.network.priority.is_some() {
            let why = "with priority, the parts do not determine the whole";
            return unsupported(engine, claim, why);
        }
        self.run(engine, claim, bounds, |cx| {
            check(property, &self.groups(property), &cx)
        })
    }

    /// The groups of components for a property.
    pub fn groups(&self, property: usize) -> Vec<Vec<usize>> {
        match &self.settings.split {
            Split::By(strategy) => decompose::propose(self.network, property, *strategy),
            Split::Groups(groups) => groups.clone(),
        }
    }

    /// Runs one engine under fresh limits. A panic is a bug, and an answer: unknown.
    fn run(
        &self,
        engine: &str,
        claim: Claim,
        bounds: &Bounds,
        check: impl FnOnce(Context) -> Answer,
    ) -> Answer {
        let name = claim_name(self.network, claim);
        self.counters.begin(&format!("{name} by {engine}"));
        let cx = bounds.context(self.watch, self.counters);
        catch(|| check(cx)).unwrap_or_else(|message| {
            let reason = Reason::Internal(message);
            unknown(engine, claim, reason)
        })
    }
}

/// The name of a claim for people.
pub fn claim_name(network: &Network, claim: Claim) -> String {
    match claim {
        Claim::DeadlockFree => "deadlock".to_owned(),
        Claim::Property(number) => network.properties[number].name().to_owned(),
    }
}

fn unsupported(engine: &str, claim: Claim, why: &str) -> Answer {
    unknown(engine, claim, Reason::Unsupported(why.to_owned()))
}

/// No verdict, and nothing known of the run.
pub fn unknown(engine: &str, claim: Claim, reason: Reason) -> Answer {
    Answer {
        claim,
        engine: engine.to_owned(),
        verdict: Verdict::Unknown(reason),
        run: Run::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::LimitArgs;

    #[test]
    fn an_engine_that_panics_leaves_the_claim_unknown() {
        let network = Network::default();
        let settings = Settings::default();
        let (timeout, memory, seed) = (None, None, 0);
        let watch = Watch::new(LimitArgs {
            timeout,
            memory,
            seed,
        });
        let engines = Engines {
            network: &network,
            settings: &settings,
            watch: &watch,
            counters: &Arc::default(),
        };
        let fails = |_| -> Answer { panic!("out of cheese") };
        let answer = engines.run("agar", Claim::DeadlockFree, &Bounds::default(), fails);
        match answer.verdict {
            Verdict::Unknown(Reason::Internal(why)) => assert!(why.contains("cheese"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
}
