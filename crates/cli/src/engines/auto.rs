//! The policy of `--engine auto`.
//!
//! Engines run in turn, so the same input gives the same answer on any machine that reaches it.

use suppose_model::{Answer, Claim, Reason, Verdict};

use super::{Bounds, Engines, Reply};

/// A search of the whole composition up to this many states comes first: it is cheap, decides
/// small systems and finds shallow bugs.
const FIRST_STATES: u64 = 200_000;

/// Decides a claim with the engine that seems best, and says why.
pub fn decide(engines: &Engines, claim: Claim) -> Reply {
    if claim == Claim::DeadlockFree {
        let why = "deadlock is decided on the whole composition";
        return reply(engines.monolithic(claim, &Bounds::default()), why);
    }
    if engines.network.priority.is_some() {
        let why = "with priority, the parts do not determine the whole";
        return reply(engines.monolithic(claim, &Bounds::default()), why);
    }
    if engines.network.components.len() < 2 {
        let why = "there is one component only";
        return reply(engines.monolithic(claim, &Bounds::default()), why);
    }
    let bounded = Bounds {
        states: Some(FIRST_STATES),
        until: None,
    };
    let first = engines.monolithic(claim, &bounded);
    if is_final(engines, &first) {
        return reply(first, "the whole composition is small enough");
    }
    let second = engines.agar(claim, &Bounds::default());
    if is_final(engines, &second) {
        let why = format!(
            "the whole composition has more than {FIRST_STATES} states, so its parts were looked at"
        );
        return reply(second, &why);
    }
    let why = format!("agar gave up ({})", word(&second));
    reply(engines.monolithic(claim, &Bounds::default()), &why)
}

fn reply(answer: Answer, why: &str) -> Reply {
    Reply {
        answer,
        why: why.to_owned(),
    }
}

/// A verdict, or a reason that no other engine can mend: the clock, the user, a bug.
fn is_final(engines: &Engines, answer: &Answer) -> bool {
    match &answer.verdict {
        Verdict::Holds(_) | Verdict::Violated(_) => true,
        Verdict::Unknown(Reason::Internal(_)) => true,
        Verdict::Unknown(_) => engines.watch.over().is_some(),
    }
}

fn word(answer: &Answer) -> &'static str {
    match &answer.verdict {
        Verdict::Holds(_) => "holds",
        Verdict::Violated(_) => "violated",
        Verdict::Unknown(reason) => reason.word(),
    }
}
