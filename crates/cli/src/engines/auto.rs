//! The policy of `--engine auto`.
//!
//! Engines run in turn, each up to a limit on its work that does not depend on the clock, so the
//! same input gets the same answer from the same engine on every machine that reaches it. What the
//! limits rest on is in the guide to the engines (`docs/engines.md`).

use std::time::Instant;

use suppose_model::{Answer, Claim, Reason, Verdict};

use super::{Bounds, Engines, Reply};

/// An engine that gets a turn.
#[derive(Clone, Copy, Debug)]
enum Turn {
    /// The whole composition, up to so many states.
    Monolithic(u64),
    /// Abstraction refinement, up to so much work.
    Agar(u64),
    /// Learning, up to so much work.
    Learn(u64),
    /// The requirement of one process, up to so much work.
    Quotient(u64),
}

/// The whole composition first: it is cheap, decides small systems and finds shallow bugs. Then
/// the parts, by both engines, for they win on different systems. Each round is larger. The
/// requirement of one process comes late: of many alike components it was never the quickest.
const TURNS: [Turn; 9] = [
    Turn::Monolithic(200_000),
    Turn::Agar(5_000),
    Turn::Learn(100_000),
    Turn::Monolithic(4_000_000),
    Turn::Agar(50_000),
    Turn::Learn(2_000_000),
    Turn::Agar(500_000),
    Turn::Quotient(100_000),
    Turn::Monolithic(u64::MAX),
];

/// Decides a claim with the engine that seems best, and says why.
pub fn decide(engines: &Engines, claim: Claim) -> Reply {
    if let Some(why) = only_whole(engines, claim) {
        let answer = engines.monolithic(claim, &Bounds::default());
        return reply(answer, why.to_owned());
    }
    let begun = Instant::now();
    let mut before = String::new();
    let mut last = None;
    for turn in TURNS {
        let mut answer = take(engines, claim, turn);
        // The time is that of all turns: it is what the user waited.
        answer.run.elapsed = begun.elapsed();
        if is_final(engines, &answer) {
            return reply(answer, why(turn, &before));
        }
        before = tried(turn);
        last = Some(answer);
    }
    let nothing = || engines.monolithic(claim, &Bounds::default());
    reply(last.unwrap_or_else(nothing), "no engine is left".to_owned())
}

/// Why only the whole composition can decide a claim, if so.
fn only_whole(engines: &Engines, claim: Claim) -> Option<&'static str> {
    if claim == Claim::DeadlockFree {
        return Some("deadlock is decided on the whole composition");
    }
    if engines.network.priority.is_some() {
        return Some("with priority, the parts do not determine the whole");
    }
    (engines.network.components.len() < 2).then_some("there is one component only")
}

fn take(engines: &Engines, claim: Claim, turn: Turn) -> Answer {
    let work = |work| Bounds {
        work: Some(work),
        ..Bounds::default()
    };
    match turn {
        Turn::Monolithic(states) => {
            let states = Some(states);
            let bounds = Bounds {
                states,
                ..Bounds::default()
            };
            engines.monolithic(claim, &bounds)
        }
        Turn::Agar(limit) => engines.agar(claim, &work(limit)),
        Turn::Learn(limit) => engines.learn(claim, &work(limit)),
        Turn::Quotient(limit) => engines.quotient(claim, &work(limit)),
    }
}

fn why(turn: Turn, before: &str) -> String {
    match (turn, before) {
        (Turn::Monolithic(_), "") => "the whole composition is small enough".to_owned(),
        (_, before) => format!("its turn came after {before}"),
    }
}

fn tried(turn: Turn) -> String {
    match turn {
        Turn::Monolithic(states) => {
            format!("the whole composition was found to have more than {states} states")
        }
        Turn::Agar(_) => "agar did not get there in its turn".to_owned(),
        Turn::Learn(_) => "agar and learn did not get there in their turns".to_owned(),
        Turn::Quotient(_) => "agar, learn and quotient did not get there in their turns".to_owned(),
    }
}

fn reply(answer: Answer, why: String) -> Reply {
    Reply { answer, why }
}

/// A verdict, or a reason that no other engine can mend: the clock, the user, a bug.
fn is_final(engines: &Engines, answer: &Answer) -> bool {
    match &answer.verdict {
        Verdict::Holds(_) | Verdict::Violated(_) => true,
        Verdict::Unknown(Reason::Internal(_)) => true,
        Verdict::Unknown(_) => engines.watch.over().is_some(),
    }
}
