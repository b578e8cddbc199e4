//! Puts evidence about probabilistic systems before the independent checker.

use suppose_certify::Rejection;
use suppose_certify::mdp::{self as checker, Deficit, Refusal, Refused, property};
use suppose_control::{Context, Silent, Stopped, catch};
use suppose_model::Reason;
use suppose_model::mdp::{Halted, Limits, Property, Query, StateFormula};
use suppose_report::{
    Evidence, MarkovAnswer, MarkovClaim, MarkovLack, MarkovRefusal, MarkovVerdict,
};

use super::MarkovModel;
use crate::session::Session;

/// Has the evidence of an answer checked. When a limit comes first, there is no verdict: none is shown whose evidence
/// was not checked. A counterexample to conformance learns from it why it is one.
pub fn judge(
    subject: &MarkovModel,
    answer: &mut MarkovAnswer,
    skip: bool,
    session: &Session,
) -> Evidence {
    if let MarkovVerdict::Unknown(_) = answer.verdict {
        return Evidence::NotChecked("there is none".to_owned());
    }
    if skip {
        return Evidence::NotChecked("the command line says --no-certify".to_owned());
    }
    session.counters.begin("checking the evidence");
    let control = session.watch.fresh();
    if let MarkovVerdict::Conforms(proof) = &answer.verdict {
        let cx = Context::new(std::sync::Arc::clone(&control), std::sync::Arc::new(Silent));
        if let Err(why) = cx.reserve(checker::working_memory(proof)) {
            control.stop(why);
        }
    }
    let mut stop = || control.stopped().is_some();
    let checked = catch(|| check(subject, answer, &mut stop));
    match checked {
        Err(message) => Evidence::Rejected(format!("the checker failed: {message}")),
        Ok(Ok(reasons)) => {
            if let MarkovVerdict::Differs { refusals, .. } = &mut answer.verdict {
                *refusals = reasons;
            }
            Evidence::Accepted
        }
        Ok(Err(Rejection::Stopped)) => {
            let why = control.stopped().unwrap_or(Stopped::Timeout);
            answer.verdict = MarkovVerdict::Unknown(Reason::from(why));
            answer.value = None;
            Evidence::NotChecked("a limit was reached before the evidence was checked".to_owned())
        }
        Ok(Err(flawed)) => Evidence::Rejected(flawed.to_string()),
    }
}

fn check(
    subject: &MarkovModel,
    answer: &MarkovAnswer,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Vec<MarkovRefusal>, Rejection> {
    let system = &subject.system;
    let missing = |what: &str| Rejection::flaw(format!("there is no {what} that it is about"));
    let specification = || {
        subject
            .specification
            .as_ref()
            .ok_or_else(|| missing("specification"))
    };
    match &answer.verdict {
        MarkovVerdict::Unknown(_) => Ok(Vec::new()),
        MarkovVerdict::Conforms(proof) => {
            checker::check_certificate(system, specification()?, proof, stop).map(|_| Vec::new())
        }
        MarkovVerdict::Differs { tree, .. } => {
            let why = checker::check_counterexample(system, specification()?, tree, stop)?;
            Ok(why.into_iter().map(refusal).collect())
        }
        MarkovVerdict::Deadlock(tree) => {
            checker::check_deadlock(system, tree, stop).map(|()| Vec::new())
        }
        MarkovVerdict::NoDeadlock => checker::check_no_deadlock(system, stop).map(|_| Vec::new()),
        MarkovVerdict::Holds(_) | MarkovVerdict::Fails(_) | MarkovVerdict::Value(_) => {
            let asked = asked(subject, &answer.claim).ok_or_else(|| missing("property"))?;
            of_property(subject, asked, &answer.verdict, stop).map(|()| Vec::new())
        }
    }
}

/// The property that a claim is about.
pub fn asked<'a>(subject: &'a MarkovModel, claim: &MarkovClaim) -> Option<&'a Property> {
    let MarkovClaim::Property(name) = claim else {
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
    verdict: &MarkovVerdict,
    stop: &mut dyn FnMut() -> bool,
) -> Result<(), Rejection> {
    let system = &subject.system;
    let limits = Limits::default();
    let mut go_on = |_: usize| !stop();
    let checked = match (verdict, formula(&asked.query)) {
        (MarkovVerdict::Holds(proof), Some(formula)) => {
            property::certificate(system, formula, proof, &limits, &mut go_on)
        }
        (MarkovVerdict::Fails(found), Some(formula)) => {
            property::counterexample(system, formula, found, &limits, &mut go_on)
        }
        (MarkovVerdict::Value(value), None) => {
            property::value(system, &asked.query, value, &limits, &mut go_on)
        }
        _ => return Err(Rejection::flaw("the evidence has another kind")),
    };
    checked.map_err(|flaw| match flaw {
        property::Flaw::Halted(Halted::Stopped) => Rejection::Stopped,
        other => Rejection::flaw(other.to_string()),
    })
}

fn refusal(found: Refusal) -> MarkovRefusal {
    let option = |lack: Deficit| (lack.nodes, lack.needed, lack.available);
    MarkovRefusal {
        node: found.node,
        state: found.state,
        why: match found.why {
            Refused::Proposition(number) => MarkovLack::Proposition(number),
            Refused::Choice { choice, options } => MarkovLack::Choice {
                choice,
                options: options.into_iter().map(option).collect(),
            },
        },
    }
}
