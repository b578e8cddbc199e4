//! Liveness claims: which engine decides them, and the policy of `auto`.
//!
//! `auto` tries the engines one after the other, each with so much work, then again with more. What an engine found in a try that was too short
//! is lost, so tries grow quickly; the sum of them is less than twice the last.

use std::time::Instant;

use suppose_control::Bounds;
use suppose_model::{Answer, Claim, Reason, Verdict};

use super::{Engine, Portfolio, Reply, reply, unknown};
use crate::minimise;

/// The first try of the whole composition, in steps of work (about six nanoseconds each): most textbook models are decided then.
const FIRST: u64 = 1_000_000;
/// The growth of tries.
const GROWTH: u64 = 8;

/// Decides claims about liveness with the engine asked for, telling each answer as soon as it is known.
pub(super) fn decide(engines: &Portfolio, claims: &[Claim], tell: &mut dyn FnMut(Vec<Reply>)) {
    for claim in claims {
        let Claim::Liveness(number) = *claim else {
            continue;
        };
        let asked = engines.settings.engine;
        let indivisible = minimise::is_indivisible(engines.network);
        let unsuitable = match asked {
            Engine::Minimise => minimise::unsuitable_for(engines.network, number),
            _ => indivisible,
        };
        let single = engines.network.processes().len() < 2;
        let replied = match (asked, unsuitable) {
            (Engine::Monolithic, _) => whole(engines, *claim, "asked for"),
            (_, Some(why)) => whole(engines, *claim, why),
            (Engine::Auto, None) if single => whole(engines, *claim, "there is one component only"),
            (Engine::Auto, None) => in_tries(engines, *claim),
            _ => reply(engines.one(asked, *claim, &Bounds::default()), "asked for"),
        };
        tell(vec![replied]);
    }
}

fn whole(engines: &Portfolio, claim: Claim, why: &str) -> Reply {
    let answer = engines.one(Engine::Monolithic, claim, &Bounds::default());
    reply(answer, why)
}

/// The whole composition and the parts in turn, with more and more work, until one decides the claim.
fn in_tries(engines: &Portfolio, claim: Claim) -> Reply {
    let begun = Instant::now();
    let mut left = vec![Engine::Monolithic, Engine::Minimise];
    let mut work = FIRST;
    let mut last: Option<Answer> = None;
    while !left.is_empty() {
        let mut next = Vec::new();
        for engine in left {
            let bounds = Bounds {
                work: Some(work),
                ..Bounds::default()
            };
            let mut answer = engines.one(engine, claim, &bounds);
            answer.run.elapsed = begun.elapsed();
            match &answer.verdict {
                Verdict::Unknown(Reason::Timeout) if engines.supervisor.over().is_none() => {
                    next.push(engine);
                }
                Verdict::Unknown(Reason::Internal(_)) => return reply(answer, "it is a bug"),
                Verdict::Unknown(_) => {}
                _ => return reply(answer, chosen(engine, work)),
            }
            if let Some(why) = engines.supervisor.over() {
                answer.verdict = Verdict::Unknown(why.into());
                return reply(answer, "no engine got there");
            }
            last = Some(answer);
        }
        left = next;
        work = work.saturating_mul(GROWTH);
    }
    let none = || unknown("auto", claim, Reason::Memory);
    reply(last.unwrap_or_else(none), "no engine got there")
}

fn chosen(engine: Engine, work: u64) -> &'static str {
    match engine {
        Engine::Monolithic if work == FIRST => "the whole composition is small enough",
        Engine::Monolithic => "the whole composition was explored sooner than the parts",
        _ => "the whole composition is too large for the first try",
    }
}
