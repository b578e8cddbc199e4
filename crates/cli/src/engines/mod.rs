//! The engines by name, the portfolio, and what surrounds a run.

mod auto;
mod rank;
mod split;
mod turns;

use std::sync::Arc;
use std::time::Instant;

use suppose_compose::{agar, decompose, joint, learn, monolithic, quotient};
use suppose_model::lts::Network;
use suppose_model::{Answer, Claim, Reason, Run, Verdict};
use suppose_refine::Context;

pub use rank::rank;
pub use split::Split;

use crate::args::{Alphabet, EngineArgs, EngineName, Learner, ProcessArgs, Splitting, TurnOrder};
use crate::args::{EnvironmentName, MergingName, RefinementArgs, ScheduleName};
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

/// For the smallest requirement, as the command line asks for it.
pub fn refinement(args: &RefinementArgs) -> quotient::Options {
    let mut options = quotient::Options {
        mode: quotient::Mode::Minimal,
        ..quotient::Options::default()
    };
    if args.schedule == Some(ScheduleName::Paper) {
        options.schedule = quotient::Schedule::PAPER;
    }
    options.merging = match args.merging {
        Some(MergingName::Once) => quotient::Merging::Once,
        Some(MergingName::Repeated) => quotient::Merging::Repeated,
        Some(MergingName::Further) | None => quotient::Merging::Further,
    };
    match args.environment {
        Some(EnvironmentName::Abstract) => options.plain_states = 0,
        Some(EnvironmentName::Plain) => options.exact = true,
        Some(EnvironmentName::Turns) | None => {}
    }
    options
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

/// A system of at most so many states is split in two: a chain of assumptions about its single components
/// can be far larger than the system.
const SMALL: u64 = 4_096;

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
    /// Decides claims with the engine asked for, telling each answer as soon as it is known.
    pub fn decide(&self, claims: &[Claim], tell: &mut dyn FnMut(Vec<Reply>)) {
        let asked = self.settings.engine;
        let reply = |answer, why: &str| Reply {
            answer,
            why: why.to_owned(),
        };
        let on_parts = |c: &Claim| *c != Claim::DeadlockFree && is_on_parts(asked);
        let (parts, whole): (Vec<Claim>, Vec<Claim>) = claims.iter().partition(|c| on_parts(c));
        if asked == EngineName::Auto {
            return auto::decide(self, claims, tell);
        }
        for claim in parts {
            let answer = self.one(asked, claim, &Bounds::default());
            tell(vec![reply(answer, "asked for")]);
        }
        let why = match is_on_parts(asked) {
            true => "deadlock is decided on the whole composition",
            false => "asked for",
        };
        self.monolithic_all(&whole, &Bounds::default(), &mut |answers| {
            tell(answers.into_iter().map(|a| reply(a, why)).collect());
        });
    }

    /// Runs one engine.
    pub fn one(&self, engine: EngineName, claim: Claim, bounds: &Bounds) -> Answer {
        self.begin(word(engine), claim);
        let cx = bounds.context(self.watch, self.counters);
        guarded(engine, claim, || self.one_in(engine, claim, &cx))
    }

    /// The whole composition, once for all claims.
    fn monolithic_all(&self, claims: &[Claim], bounds: &Bounds, tell: &mut dyn FnMut(Vec<Answer>)) {
        let Some(first) = claims.first() else { return };
        self.begin("monolithic", *first);
        let cx = bounds.context(self.watch, self.counters);
        let mut open = claims.to_vec();
        let ended = catch(|| {
            self.whole_in(claims, &cx, &|_| true, &mut |answers| {
                open.retain(|c| answers.iter().all(|a| a.claim != *c));
                tell(answers);
            });
        });
        if let Err(message) = ended {
            for claim in open {
                let reason = Reason::Internal(message.clone());
                tell(vec![unknown("monolithic", claim, reason)]);
            }
        }
    }

    /// The whole composition in a context of its own; claims that are not wanted any more are left out.
    fn whole_in(
        &self,
        claims: &[Claim],
        cx: &Context,
        wanted: &dyn Fn(Claim) -> bool,
        tell: &mut dyn FnMut(Vec<Answer>),
    ) {
        joint::check(self.network, claims, cx, wanted, tell);
    }

    /// One engine in a context of its own.
    fn one_in(&self, engine: EngineName, claim: Claim, cx: &Context) -> Answer {
        let name = word(engine);
        if !is_on_parts(engine) {
            return monolithic::check(self.network, claim, cx);
        }
        let Claim::Property(property) = claim else {
            return unsupported(name, claim, "trace-based rules decide safety only");
        };
        if self.network.priority.is_some() {
            let why = "with priority, the parts do not determine the whole";
            return unsupported(name, claim, why);
        }
        let (network, settings) = (self.network, self.settings);
        let groups = || self.groups(property);
        match engine {
            EngineName::Agar => agar::check(network, property, &groups(), &settings.agar, cx),
            EngineName::Learn => learn::check(network, property, &groups(), &settings.learn, cx),
            _ => self.quotient(property, cx),
        }
    }

    /// What is required of one process: the one asked for, or else the best that can be used.
    fn quotient(&self, property: usize, cx: &Context) -> Answer {
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
        let nothing = || monolithic::check(self.network, Claim::Property(property), cx);
        last.unwrap_or_else(nothing)
    }

    fn begin(&self, engine: &str, claim: Claim) {
        let name = claim_name(self.network, claim);
        self.counters.begin(&format!("{name} by {engine}"));
    }

    /// The groups of components for a property.
    pub fn groups(&self, property: usize) -> Vec<Vec<usize>> {
        match &self.settings.split {
            Split::Fitting => {
                // The whole composition has had its look by then.
                let tried = self.settings.engine == EngineName::Auto;
                let strategy = match !tried && joint::is_small(self.network, SMALL) {
                    true => decompose::Strategy::Interface,
                    false => decompose::Strategy::Chain,
                };
                decompose::propose(self.network, property, strategy)
            }
            Split::By(strategy) => decompose::propose(self.network, property, *strategy),
            Split::Groups(groups) => groups.clone(),
        }
    }
}

/// Runs an engine. A panic is a bug, and an answer: unknown.
fn guarded(engine: EngineName, claim: Claim, run: impl FnOnce() -> Answer) -> Answer {
    catch(run).unwrap_or_else(|message| unknown(word(engine), claim, Reason::Internal(message)))
}

/// Does the engine look at parts of the system?
fn is_on_parts(engine: EngineName) -> bool {
    use EngineName::{Agar, Learn, Quotient};
    matches!(engine, Agar | Learn | Quotient)
}

/// What an answer of an engine calls it.
fn word(engine: EngineName) -> &'static str {
    match engine {
        EngineName::Agar => "agar",
        EngineName::Learn => "learn",
        EngineName::Quotient => "quotient",
        _ => "monolithic",
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

    #[test]
    fn an_engine_that_panics_leaves_the_claim_unknown() {
        let fails = || -> Answer { panic!("out of cheese") };
        let answer = guarded(EngineName::Agar, Claim::DeadlockFree, fails);
        match answer.verdict {
            Verdict::Unknown(Reason::Internal(why)) => assert!(why.contains("cheese"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
}
