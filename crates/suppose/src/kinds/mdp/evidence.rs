//! Puts evidence about probabilistic systems before the independent checker.

use suppose_certify::Rejection;
use suppose_certify::mdp::{self as checker, property};
use suppose_control::{Context, Silent, Stopped, catch};
use suppose_model::mdp::{
    Answer, Claim, Halted, Limits, Proof, Property, Query, Refusal, Refutation, StateFormula,
    Verdict,
};
use suppose_model::{EvidenceStatus, Reason};

use super::MarkovModel;
use crate::session::Session;

/// Has the evidence of an answer checked. When a limit comes first, there is no verdict: none is shown whose evidence
/// was not checked. A counterexample to conformance learns from it why it is one.
pub fn judge(
    subject: &MarkovModel,
    answer: &mut Answer,
    skip: bool,
    session: &Session,
) -> EvidenceStatus {
    if let Verdict::Unknown(_) = answer.verdict {
        return EvidenceStatus::NotChecked("there is none".to_owned());
    }
    if skip {
        return EvidenceStatus::NotChecked("the command line says --no-certify".to_owned());
    }
    session.counters.begin("checking the evidence");
    let control = session.watch.fresh();
    if let Verdict::Holds(Proof::Conformance(proof)) = &answer.verdict {
        let cx = Context::new(std::sync::Arc::clone(&control), std::sync::Arc::new(Silent));
        if let Err(why) = cx.reserve(checker::working_memory(proof)) {
            control.stop(why);
        }
    }
    let mut stop = || control.stopped().is_some();
    let checked = catch(|| check(subject, answer, &mut stop));
    match checked {
        Err(message) => EvidenceStatus::Rejected(format!("the checker failed: {message}")),
        Ok(Ok(reasons)) => {
            if let Verdict::Violated(Refutation::Conformance { refusals, .. }) = &mut answer.verdict
            {
                *refusals = reasons;
            }
            EvidenceStatus::Accepted
        }
        Ok(Err(Rejection::Stopped)) => {
            let why = control.stopped().unwrap_or(Stopped::Timeout);
            answer.verdict = Verdict::Unknown(Reason::from(why));
            answer.value = None;
            EvidenceStatus::NotChecked(
                "a limit was reached before the evidence was checked".to_owned(),
            )
        }
        Ok(Err(flawed)) => EvidenceStatus::Rejected(flawed.to_string()),
    }
}

fn check(
    subject: &MarkovModel,
    answer: &Answer,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Vec<Refusal>, Rejection> {
    let system = &subject.system;
    let missing = |what: &str| Rejection::flaw(format!("there is no {what} that it is about"));
    let specification = || {
        subject
            .specification
            .as_ref()
            .ok_or_else(|| missing("specification"))
    };
    match &answer.verdict {
        Verdict::Unknown(_) => Ok(Vec::new()),
        Verdict::Holds(Proof::Conformance(proof)) => {
            checker::check_certificate(system, specification()?, proof, stop).map(|_| Vec::new())
        }
        Verdict::Violated(Refutation::Conformance { tree, .. }) => {
            checker::check_counterexample(system, specification()?, tree, stop)
        }
        Verdict::Violated(Refutation::Deadlock(tree)) => {
            checker::check_deadlock(system, tree, stop).map(|()| Vec::new())
        }
        Verdict::Holds(Proof::NoDeadlock) => {
            checker::check_no_deadlock(system, stop).map(|_| Vec::new())
        }
        Verdict::Holds(Proof::Property(_) | Proof::Value(_))
        | Verdict::Violated(Refutation::Property(_)) => {
            let asked = asked(subject, &answer.claim).ok_or_else(|| missing("property"))?;
            of_property(subject, asked, &answer.verdict, stop).map(|()| Vec::new())
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
    stop: &mut dyn FnMut() -> bool,
) -> Result<(), Rejection> {
    let system = &subject.system;
    let limits = Limits::default();
    let mut go_on = |_: usize| !stop();
    let checked = match (verdict, formula(&asked.query)) {
        (Verdict::Holds(Proof::Property(proof)), Some(formula)) => {
            property::certificate(system, formula, proof, &limits, &mut go_on)
        }
        (Verdict::Violated(Refutation::Property(found)), Some(formula)) => {
            property::counterexample(system, formula, found, &limits, &mut go_on)
        }
        (Verdict::Holds(Proof::Value(value)), None) => {
            property::value(system, &asked.query, value, &limits, &mut go_on)
        }
        _ => return Err(Rejection::flaw("the evidence has another kind")),
    };
    checked.map_err(|flaw| match flaw {
        property::Flaw::Halted(Halted::Stopped) => Rejection::Stopped,
        other => Rejection::flaw(other.to_string()),
    })
}
