//! Puts evidence about probabilistic systems before the independent checker.

use suppose_certify::Rejection;
use suppose_certify::mdp::{self as checker, property};
use suppose_control::Context;
use suppose_model::EvidenceStatus;
use suppose_model::mdp::{
    Answer, Claim, Halted, Proof, Property, Query, Refusal, Refutation, SizeLimits, StateFormula,
    Verdict,
};

use super::MarkovModel;
use crate::judging;
use crate::session::Session;

/// Has the evidence of an answer checked. A counterexample to conformance learns from it why it is one.
pub fn judge(
    subject: &MarkovModel,
    answer: &mut Answer,
    skip: bool,
    session: &Session,
) -> EvidenceStatus {
    let (claim, verdict) = (&answer.claim, &mut answer.verdict);
    let status = judging::judge(verdict, skip, session, |verdict, cx| {
        if let Verdict::Holds(Proof::Conformance(proof)) = verdict {
            cx.reserve(checker::working_memory(proof))?;
        }
        let reasons = check(subject, claim, verdict, cx)?;
        if let Verdict::Violated(Refutation::Conformance { refusals, .. }) = verdict {
            *refusals = reasons;
        }
        Ok(EvidenceStatus::Accepted)
    });
    if answer.verdict.is_unknown() {
        answer.value = None;
    }
    status
}

fn check(
    subject: &MarkovModel,
    claim: &Claim,
    verdict: &Verdict,
    cx: &Context,
) -> Result<Vec<Refusal>, Rejection> {
    let system = &subject.system;
    let missing = |what: &str| Rejection::flaw(format!("there is no {what} that it is about"));
    let specification = || {
        subject
            .specification
            .as_ref()
            .ok_or_else(|| missing("specification"))
    };
    match verdict {
        Verdict::Unknown(_) => Ok(Vec::new()),
        Verdict::Holds(Proof::Conformance(proof)) => {
            checker::check_certificate(system, specification()?, proof, cx).map(|_| Vec::new())
        }
        Verdict::Violated(Refutation::Conformance { tree, .. }) => {
            checker::check_counterexample(system, specification()?, tree, cx)
        }
        Verdict::Violated(Refutation::Deadlock(tree)) => {
            checker::check_deadlock(system, tree, cx).map(|()| Vec::new())
        }
        Verdict::Holds(Proof::NoDeadlock) => {
            checker::check_no_deadlock(system, cx).map(|_| Vec::new())
        }
        Verdict::Holds(Proof::Property(_) | Proof::Value(_))
        | Verdict::Violated(Refutation::Property(_)) => {
            let asked = asked(subject, claim).ok_or_else(|| missing("property"))?;
            of_property(subject, asked, verdict, cx).map(|()| Vec::new())
        }
    }
}

/// The property that a claim is about.
pub fn asked<'a>(subject: &'a MarkovModel, claim: &Claim) -> Option<&'a Property> {
    let Claim::Property(name) = claim else {
        return None;
    };
    subject.properties.iter().find(|p| p.name == *name)
}

/// The formula of a query that is true or false.
pub fn formula(query: &Query) -> Option<&StateFormula> {
    match query {
        Query::Holds(formula) => Some(formula),
        _ => None,
    }
}

/// Checks evidence about a property.
pub fn of_property(
    subject: &MarkovModel,
    asked: &Property,
    verdict: &Verdict,
    cx: &Context,
) -> Result<(), Rejection> {
    let system = &subject.system;
    let limits = SizeLimits::default();
    let checked = match (verdict, formula(&asked.query)) {
        (Verdict::Holds(Proof::Property(proof)), Some(formula)) => {
            property::certificate(system, formula, proof, &limits, cx)
        }
        (Verdict::Violated(Refutation::Property(found)), Some(formula)) => {
            property::counterexample(system, formula, found, &limits, cx)
        }
        (Verdict::Holds(Proof::Value(value)), None) => {
            property::value(system, &asked.query, value, &limits, cx)
        }
        _ => return Err(Rejection::flaw("the evidence has another kind")),
    };
    checked.map_err(|flaw| match flaw {
        property::Flaw::Halted(Halted::Stopped(why)) => Rejection::Stopped(why),
        other => Rejection::flaw(other.to_string()),
    })
}
