//! Puts evidence before the independent checker.

use std::sync::Arc;
use std::time::{Duration, Instant};

use suppose_certify::Rejection;
use suppose_control::{Context, Silent, catch};
use suppose_model::lts::Network;
use suppose_model::{Answer, EvidenceStatus, Reason, Verdict};

use crate::judging::{self, nothing, unchecked};
use crate::watch::Watch;

/// Checks the evidence of an answer. When a limit comes first, there is no verdict: none is shown
/// whose evidence was not checked.
pub fn examine(network: &Network, answer: Answer, watch: &Watch) -> (Answer, EvidenceStatus) {
    let mut examined = examine_all(network, vec![answer], watch);
    examined.swap_remove(0)
}

/// The same of several answers; proofs that share a relation are checked in one pass.
pub fn examine_all(
    network: &Network,
    answers: Vec<Answer>,
    watch: &Watch,
) -> Vec<(Answer, EvidenceStatus)> {
    let cx = Context::new(watch.fresh(), Arc::new(Silent));
    let checked = catch(|| check(network, &answers, &cx));
    let checked: Vec<_> = match checked {
        Ok(results) => results.into_iter().map(Ok).collect(),
        Err(message) => vec![Err(message); answers.len()],
    };
    let pairs = answers.into_iter().zip(checked);
    pairs
        .map(|(mut answer, checked)| {
            let status = judging::status(checked);
            let status = status.unwrap_or_else(|why| unchecked(&mut answer.verdict, why));
            (answer, status)
        })
        .collect()
}

/// Checks what an engine without a verdict hands over: does the process guarantee it? What is not accepted is
/// dropped. Says what to tell of it.
pub fn confirm_so_far(network: &Network, answer: &mut Answer) -> String {
    let Some(so_far) = &answer.run.so_far else {
        return match answer.run.unfinished {
            true => "a limit was reached before the assumption was minimal".to_owned(),
            false => String::new(),
        };
    };
    // The limit is over already: this takes one look at each state of the process, and no longer than that.
    let cx = Context::default().with_deadline(Instant::now() + CONFIRMING);
    let (assumption, premise) = (&so_far.assumption, &so_far.premise);
    let checked = catch(|| suppose_certify::guarantee(network, assumption, premise, &cx));
    match checked {
        Ok(Ok(())) => "a limit was reached; the requirement found so far was checked".to_owned(),
        Ok(Err(Rejection::Stopped(_))) => {
            answer.run.so_far = None;
            "a limit was reached before the requirement found so far was checked".to_owned()
        }
        Ok(Err(flaw)) => {
            answer.run.so_far = None;
            let why = format!("the requirement found so far was rejected: {flaw}");
            answer.verdict = Verdict::Unknown(Reason::Internal(why.clone()));
            why
        }
        Err(message) => {
            answer.run.so_far = None;
            format!("the checker failed: {message}")
        }
    }
}

/// How long a check may take that begins when the limit is over.
const CONFIRMING: Duration = Duration::from_millis(200);

fn check(
    network: &Network,
    answers: &[Answer],
    cx: &Context,
) -> Vec<Result<EvidenceStatus, Rejection>> {
    let proofs = answers.iter().filter_map(|a| match &a.verdict {
        Verdict::Holds(proof) => Some(&**proof),
        _ => None,
    });
    let proofs: Vec<_> = proofs.collect();
    let memory = proofs.iter().map(|p| suppose_certify::working_memory(p));
    if let Err(why) = cx.reserve(memory.max().unwrap_or(0)) {
        cx.stop(why);
    }
    let mut held = suppose_certify::certificates(network, &proofs, cx).into_iter();
    let judged = answers.iter().map(|a| match &a.verdict {
        Verdict::Unknown(_) => Ok(nothing()),
        Verdict::Violated(found) => {
            let checked = suppose_certify::counterexample_within(network, found, cx);
            checked.map(|()| EvidenceStatus::Accepted)
        }
        Verdict::Holds(_) => match held.next() {
            Some(result) => result.map(|_| EvidenceStatus::Accepted),
            None => Err(Rejection::flaw("the checker did not look at it")),
        },
    });
    judged.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Limits;
    use suppose_model::lts::{Labels, LtsBuilder};
    use suppose_model::{Claim, Counterexample, Run};

    fn examined(
        verdict: Verdict,
        timeout: Option<std::time::Duration>,
    ) -> (Answer, EvidenceStatus) {
        let mut labels = Labels::new();
        let a = labels.intern("a");
        let mut network = Network::new("s", labels);
        let mut builder = LtsBuilder::new("P");
        builder.edge(0, a, 0);
        network.add_component(builder.build());
        let (memory, seed) = (None, 0);
        let watch = Watch::new(Limits {
            timeout,
            memory,
            seed,
        });
        let answer = Answer {
            claim: Claim::DeadlockFree,
            engine: "test".to_owned(),
            verdict,
            run: Run::default(),
        };
        examine(&network, answer, &watch)
    }

    #[test]
    fn a_run_that_refutes_nothing_is_rejected() {
        let (claim, steps) = (Claim::DeadlockFree, Vec::new());
        let (_, evidence) = examined(
            Verdict::Violated(Counterexample::finite(claim, steps)),
            None,
        );
        assert!(
            matches!(evidence, EvidenceStatus::Rejected(_)),
            "{evidence:?}"
        );
    }

    #[test]
    fn without_a_verdict_there_is_nothing_to_check() {
        let (_, evidence) = examined(Verdict::Unknown(Reason::Timeout), None);
        assert!(
            matches!(evidence, EvidenceStatus::NotChecked(_)),
            "{evidence:?}"
        );
    }
}
