//! Certificates: the order of the premises, and each of them.

use suppose_control::Context;
use suppose_model::lts::Network;
use suppose_model::{Assumption, Certificate, Claim, Guarantee, Premise};

use crate::admissible::admissible;
use crate::cancellation::Cancellation;
use crate::rejection::{Place, Rejection};
use crate::summary::Summary;
use crate::{index, liveness, premise, reduction, system};

/// Accepts a certificate if it proves its claim about the system.
///
/// The context is polled every few thousand vectors or steps. What is checked, and why that is enough, is said in the
/// [crate's documentation](crate).
pub fn certificate(
    network: &Network,
    certificate: &Certificate,
    cx: &Context,
) -> Result<Summary, Rejection> {
    system::check(network)?;
    let is_live = matches!(certificate.claim, Claim::Liveness(_));
    if !is_live && certificate.liveness.is_some() {
        let why = "a claim about safety has no proof of liveness";
        return Err(Rejection::at(Place::Whole, why));
    }
    for (number, assumption) in certificate.assumptions.iter().enumerate() {
        check_assumption(network, assumption)
            .map_err(|why| Rejection::at(Place::Assumption(number), why))?;
    }
    if is_live {
        return liveness::certificate(network, certificate, cx);
    }
    concludes(certificate).map_err(|why| Rejection::at(Place::Whole, why))?;
    if reduction::is_one(certificate) {
        return reduction::check(network, certificate, cx);
    }
    let mut proven = vec![false; certificate.assumptions.len()];
    for (number, premise) in certificate.premises.iter().enumerate() {
        admissible(network, premise, &proven)
            .map_err(|why| Rejection::at(Place::Premise(number), why))?;
        if let Guarantee::Assumption(a) = premise.guarantee {
            proven[a] = true;
        }
    }
    let mut watch = Cancellation::new(cx);
    let mut summary = Summary::of(certificate);
    for (number, premise) in certificate.premises.iter().enumerate() {
        summary.steps += premise::check(network, certificate, number, &mut watch)?;
        summary.vectors += premise.relation.len() as u64;
    }
    Ok(summary)
}

/// Accepts a premise by itself: these components, without assumptions, guarantee this one.
pub fn guarantee(
    network: &Network,
    assumption: &Assumption,
    premise: &Premise,
    cx: &Context,
) -> Result<(), Rejection> {
    system::check(network)?;
    check_assumption(network, assumption)
        .map_err(|why| Rejection::at(Place::Assumption(0), why))?;
    let flaw = |why: String| Rejection::at(Place::Premise(0), why);
    if premise.guarantee != Guarantee::Assumption(0) || !premise.assumptions.is_empty() {
        return Err(flaw("it does not guarantee the assumption".to_owned()));
    }
    admissible(network, premise, &[false]).map_err(flaw)?;
    let alone = Certificate {
        claim: Claim::DeadlockFree,
        assumptions: vec![assumption.clone()],
        premises: vec![premise.clone()],
        liveness: None,
    };
    premise::check(network, &alone, 0, &mut Cancellation::new(cx))?;
    Ok(())
}

/// Bytes that [`certificate`] takes besides the certificate itself, except for a small constant.
pub fn working_memory(certificate: &Certificate) -> u64 {
    let bytes = |p: &Premise| index::bytes(p.relation.len());
    certificate.premises.iter().map(bytes).max().unwrap_or(0)
}

fn check_assumption(network: &Network, assumption: &Assumption) -> Result<(), String> {
    if let Some(why) = system::defect(network, &assumption.lts) {
        return Err(why.to_owned());
    }
    let (nodes, states) = (assumption.nodes.len(), assumption.lts.states());
    if nodes != 0 && nodes != states {
        return Err(format!("it has {nodes} nodes for {states} states"));
    }
    Ok(())
}

/// The last premise guarantees the claim.
pub(crate) fn concludes(certificate: &Certificate) -> Result<(), &'static str> {
    let last = certificate.premises.last().ok_or("there is no premise")?;
    let claimed = match certificate.claim {
        Claim::Property(number) => Guarantee::Property(number),
        Claim::DeadlockFree => Guarantee::DeadlockFree,
        Claim::Liveness(_) => return Err("premises do not show liveness"),
    };
    match last.guarantee == claimed {
        true => Ok(()),
        false => Err("the last premise does not guarantee the claim"),
    }
}
