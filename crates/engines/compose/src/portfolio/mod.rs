//! The engines by name, and the portfolio over them.
//!
//! [`ENGINES`] lists what this crate can do. [`Portfolio`] runs one of them by name, or `auto`, which gives all of them
//! their turns. Who watches clock and memory is the [`Supervisor`]'s concern; no engine knows of it.

mod auto;
mod list;
mod live;
mod rank;
mod split;
mod turns;

use std::time::Instant;

use suppose_control::{Bounds, Context, Supervisor, catch};
use suppose_model::lts::Network;
use suppose_model::{Answer, Claim, Reason, Run, Verdict};

pub use list::{ENGINES, Engine, ON_PROGRAMS};
pub use rank::rank;
pub use split::Split;

use crate::{agar, bounded, decompose, joint, learn, minimise, monolithic, quotient};

/// How the engines are to work.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Which engine.
    pub engine: Engine,
    /// For `agar`.
    pub agar: agar::AgarOptions,
    /// For `learn`.
    pub learn: learn::LearningOptions,
    /// How to split the system.
    pub split: Split,
    /// For `quotient`.
    pub quotient: quotient::QuotientOptions,
    /// The components that are the process of `quotient`; none to let it choose.
    pub components: Vec<usize>,
    /// Those it may choose from; none for all.
    pub candidates: Vec<usize>,
    /// One after the other, in this order.
    pub in_turn: Option<quotient::Order>,
}

/// An answer, and why this engine gave it.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The answer.
    pub answer: Answer,
    /// Why this engine, for people.
    pub why: String,
}

/// A system of at most so many states is split in two: a chain of assumptions about its single components
/// can be far larger than the system.
const SMALL: u64 = 4_096;
/// Parts of a chain may have so many states, however few the system has.
const FEWEST: u64 = 64;

/// The engines, ready to run on one system.
pub struct Portfolio<'a> {
    /// The system.
    pub network: &'a Network,
    /// How to work.
    pub settings: &'a Settings,
    /// Who may stop them, and wants to know.
    pub supervisor: &'a dyn Supervisor,
}

impl Portfolio<'_> {
    /// Decides claims with the engine asked for, telling each answer as soon as it is known.
    pub fn decide(&self, claims: &[Claim], tell: &mut dyn FnMut(Vec<Reply>)) {
        let is_live = |c: &&Claim| matches!(c, Claim::Liveness(_));
        let (live, claims): (Vec<Claim>, Vec<Claim>) = claims.iter().partition(is_live);
        self.decide_safety(&claims, tell);
        live::decide(self, &live, tell);
    }

    /// Decides claims other than liveness.
    fn decide_safety(&self, claims: &[Claim], tell: &mut dyn FnMut(Vec<Reply>)) {
        let asked = self.settings.engine;
        if asked == Engine::Auto {
            return auto::decide(self, claims, tell);
        }
        let indivisible = match asked {
            Engine::Minimise => minimise::unsuitable(self.network),
            _ => None,
        };
        let on_parts = |c: &Claim| indivisible.is_none() && asked.is_on_parts(*c);
        let (parts, whole): (Vec<Claim>, Vec<Claim>) = claims.iter().partition(|c| on_parts(c));
        for claim in parts {
            let answer = self.one(asked, claim, &Bounds::default());
            tell(vec![reply(answer, "asked for")]);
        }
        let why = match asked {
            Engine::Auto | Engine::Monolithic => "asked for",
            Engine::Minimise => indivisible.unwrap_or("this engine does not decide safety"),
            _ => "deadlock is decided on the whole composition",
        };
        self.monolithic_all(&whole, &Bounds::default(), &mut |answers| {
            tell(answers.into_iter().map(|a| reply(a, why)).collect());
        });
    }

    /// Runs one engine.
    pub fn one(&self, engine: Engine, claim: Claim, bounds: &Bounds) -> Answer {
        self.begin(engine.name(), claim);
        let cx = bounds.context(self.supervisor);
        guarded(engine, claim, || self.one_in(engine, claim, &cx))
    }

    /// The whole composition, once for all claims.
    fn monolithic_all(&self, claims: &[Claim], bounds: &Bounds, tell: &mut dyn FnMut(Vec<Answer>)) {
        let Some(first) = claims.first() else { return };
        self.begin("monolithic", *first);
        let cx = bounds.context(self.supervisor);
        let mut open = claims.to_vec();
        let ended = catch(|| {
            joint::check(self.network, claims, &cx, &|_| true, &mut |answers| {
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

    /// One engine in a context of its own.
    fn one_in(&self, engine: Engine, claim: Claim, cx: &Context) -> Answer {
        let name = engine.name();
        match engine {
            Engine::Auto | Engine::Monolithic => return monolithic::check(self.network, claim, cx),
            Engine::Minimise if claim == Claim::DeadlockFree => {
                return minimise::check(self.network, cx);
            }
            Engine::Minimise if let Claim::Liveness(number) = claim => {
                return minimise::check_liveness(self.network, number, cx);
            }
            _ => {}
        }
        if let Claim::Liveness(number) = claim {
            let safety = |asked: &Network, property, cx: &Context| {
                let portfolio = Portfolio {
                    network: asked,
                    settings: self.settings,
                    supervisor: self.supervisor,
                };
                engine.decide_property(&portfolio, property, cx)
            };
            return bounded::check(self.network, number, name, &safety, cx);
        }
        let Claim::Property(property) = claim else {
            return unsupported(name, claim, "trace-based rules decide safety only");
        };
        if self.network.priority.is_some() {
            let why = "with priority, the parts do not determine the whole";
            return unsupported(name, claim, why);
        }
        engine.decide_property(self, property, cx)
    }

    /// What is required of one process: the one asked for, or else the best that can be used.
    pub(crate) fn quotient(&self, property: usize, cx: &Context) -> Answer {
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
        self.supervisor.begin(&format!("{name} by {engine}"));
    }

    /// Runs an engine on groups of components. A chain whose assumptions make some part of it larger than the whole
    /// system is of no use: neighbours in it are joined then, until no part is, or until two groups are left.
    fn on_groups(
        &self,
        property: usize,
        cx: &Context,
        run: impl Fn(&[Vec<usize>], &Context) -> Answer,
    ) -> Answer {
        let begun = Instant::now();
        let mut groups = self.groups(property);
        let is_chain = self.settings.split == Split::By(decompose::Strategy::Chain);
        let whole = match is_chain && groups.len() > 2 {
            true => joint::size_within(self.network, SMALL),
            false => None,
        };
        let mut answer = run(&groups, &within(cx, whole, &groups));
        while whole.is_some()
            && groups.len() > 2
            && matches!(answer.verdict, Verdict::Unknown(_))
            && cx.check().is_ok()
        {
            groups = groups.chunks(2).map(|pair| pair.concat()).collect();
            answer = run(&groups, &within(cx, whole, &groups));
        }
        answer.run.elapsed = begun.elapsed();
        answer
    }

    /// The groups of components for a property.
    pub fn groups(&self, property: usize) -> Vec<Vec<usize>> {
        match &self.settings.split {
            Split::Fitting => {
                // The whole composition has had its look by then.
                let tried = self.settings.engine == Engine::Auto;
                let is_small = || joint::size_within(self.network, SMALL).is_some();
                let strategy = match !tried && is_small() {
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

/// The context of an engine on a chain of groups of a system of so many states.
fn within(cx: &Context, whole: Option<u64>, groups: &[Vec<usize>]) -> Context {
    match whole {
        Some(states) if groups.len() > 2 => cx.with_state_limit(states.max(FEWEST)),
        _ => cx.clone(),
    }
}

fn reply(answer: Answer, why: &str) -> Reply {
    let why = why.to_owned();
    Reply { answer, why }
}

/// Runs an engine. A panic is a bug, and an answer: unknown.
fn guarded(engine: Engine, claim: Claim, run: impl FnOnce() -> Answer) -> Answer {
    catch(run).unwrap_or_else(|message| unknown(engine.name(), claim, Reason::Internal(message)))
}

/// The name of a claim for people.
pub fn claim_name(network: &Network, claim: Claim) -> String {
    match claim {
        Claim::DeadlockFree => "deadlock".to_owned(),
        Claim::Property(number) => network.properties[number].name().to_owned(),
        Claim::Liveness(number) => network.liveness[number].name.clone(),
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
        let answer = guarded(Engine::Agar, Claim::DeadlockFree, fails);
        match answer.verdict {
            Verdict::Unknown(Reason::Internal(why)) => assert!(why.contains("cheese"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
}
