//! Puts evidence before the independent checker.

use std::sync::Arc;

use suppose_certify::Rejection;
use suppose_model::lts::Network;
use suppose_model::{Answer, Reason, Verdict};
use suppose_refine::{Context, Control, Silent};
use suppose_report::Evidence;

use crate::watch::{Watch, catch};

/// Checks the evidence of an answer. When a limit comes first, there is no verdict: none is shown
/// whose evidence was not checked.
pub fn examine(network: &Network, mut answer: Answer, watch: &Watch) -> (Answer, Evidence) {
    let control = watch.fresh();
    let result = catch(|| check(network, &answer.verdict, &control));
    let evidence = match result {
        Err(message) => Evidence::Rejected(format!("the checker failed: {message}")),
        Ok(None) => Evidence::NotChecked("there is none".to_owned()),
        Ok(Some(Ok(()))) => Evidence::Accepted,
        Ok(Some(Err(Rejection::Flawed(flaw)))) => {
            Evidence::Rejected(Rejection::Flawed(flaw).to_string())
        }
        Ok(Some(Err(Rejection::Stopped))) => {
            let reason = control.stopped().map_or(Reason::Timeout, Reason::from);
            let word = match answer.verdict {
                Verdict::Holds(_) => "holds",
                _ => "violated",
            };
            answer.verdict = Verdict::Unknown(reason);
            let why = format!("the limit came before the evidence for `{word}` was checked");
            Evidence::NotChecked(why)
        }
    };
    (answer, evidence)
}

fn check(
    network: &Network,
    verdict: &Verdict,
    control: &Arc<Control>,
) -> Option<Result<(), Rejection>> {
    match verdict {
        Verdict::Unknown(_) => None,
        Verdict::Violated(found) => Some(suppose_certify::counterexample(network, found)),
        Verdict::Holds(proof) => {
            let cx = Context::new(Arc::clone(control), Arc::new(Silent));
            if let Err(why) = cx.reserve(suppose_certify::working_memory(proof)) {
                control.stop(why);
            }
            let mut stop = || control.stopped().is_some();
            Some(suppose_certify::certificate(network, proof, &mut stop).map(|_| ()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::LimitArgs;
    use suppose_model::lts::{Labels, LtsBuilder};
    use suppose_model::{Claim, Counterexample, Run};

    fn examined(verdict: Verdict, timeout: Option<std::time::Duration>) -> (Answer, Evidence) {
        let mut labels = Labels::new();
        let a = labels.intern("a");
        let mut network = Network::new("s", labels);
        let mut builder = LtsBuilder::new("P");
        builder.edge(0, a, 0);
        network.add_component(builder.build());
        let (memory, seed) = (None, 0);
        let watch = Watch::new(LimitArgs {
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
        let (_, evidence) = examined(Verdict::Violated(Counterexample { claim, steps }), None);
        assert!(matches!(evidence, Evidence::Rejected(_)), "{evidence:?}");
    }

    #[test]
    fn without_a_verdict_there_is_nothing_to_check() {
        let (_, evidence) = examined(Verdict::Unknown(Reason::Timeout), None);
        assert!(matches!(evidence, Evidence::NotChecked(_)), "{evidence:?}");
    }
}
