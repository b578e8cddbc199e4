//! The whole composition, explored breadth-first.

use suppose_model::lts::Network;
use suppose_model::{Answer, Claim, Reason, Run, Verdict};
use suppose_refine::Context;

/// Decides a claim by exploring the whole composition.
pub fn check(network: &Network, claim: Claim, cx: &Context) -> Answer {
    let _ = (network, cx);
    Answer {
        claim,
        engine: "monolithic".to_owned(),
        verdict: Verdict::Unknown(Reason::Unsupported("not built yet".to_owned())),
        run: Run::default(),
    }
}
