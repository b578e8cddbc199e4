//! Puts evidence about finite-domain systems before the independent checker.

use suppose_certify::Rejection;
use suppose_certify::fsm::file::{self, Evidence as Shown};
use suppose_certify::fsm::{
    Accepted, CheckLimits, Expected, Meaning, Refusal, check_deadlock, check_proof, check_run,
    check_small,
};
use suppose_control::{Context, Stopped, Supervisor, catch};
use suppose_model::EvidenceStatus;
use suppose_model::fsm::{
    Answer, Basis, Claim, Proof, Question, Refutation, Shows, System, Trace, Verdict,
};
use suppose_report::grouped;

use crate::judging::{self, nothing, unchecked};
use crate::session::Session;

/// Systems of this many states are explored again where there is no certificate.
const AGAIN: usize = 2_000;
/// And this many steps, trying this many values for variables.
const AGAIN_EDGES: usize = 50_000;
const AGAIN_TRIES: u64 = 2_000_000;
/// The solver may decide so often about one proof; a set of states that is exactly the reachable ones can be hard for it.
const DECISIONS: u64 = 100_000;
/// Decisions between two polls of its context.
const DECISIONS_PER_POLL: u64 = 64;

/// How evidence is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// Not at all.
    pub skip: bool,
    /// All reachable states one by one, however many, where there is no certificate.
    pub recheck: bool,
}

/// What the checker found.
pub enum Judged {
    /// It shows what it claims to.
    Accepted,
    /// Nothing was found wrong, but not everything was looked at.
    Open(String),
}

/// Has the evidence of an answer checked. When a limit comes first, there is no verdict: none is shown whose evidence
/// was not checked.
pub fn judge(answer: &mut Answer, manner: Manner, session: &Session) -> EvidenceStatus {
    if answer.verdict.is_unknown() {
        return nothing();
    }
    if manner.skip {
        return EvidenceStatus::NotChecked("the command line says --no-certify".to_owned());
    }
    session.counters.begin("checking the evidence");
    let cx = session.context();
    shorten(answer, &cx);
    let checked = catch(|| check(answer, manner, &cx));
    let checked = checked.map(|checked| match checked {
        Ok(Judged::Accepted) => Ok(EvidenceStatus::Accepted),
        Ok(Judged::Open(why)) => Ok(EvidenceStatus::NotChecked(why)),
        Err(Refusal::TooLarge(why)) => Ok(EvidenceStatus::NotChecked(format!("too large: {why}"))),
        // The context itself is not stopped by that.
        Err(Refusal::Rejection(Rejection::Stopped(Stopped::Superseded))) => {
            let why = format!(
                "not finished after {} decisions of the solver; --recheck continues",
                grouped(DECISIONS)
            );
            Ok(EvidenceStatus::NotChecked(why))
        }
        Err(Refusal::Rejection(rejection)) => Err(rejection),
    });
    let status = judging::status(checked);
    status.unwrap_or_else(|why| unchecked(&mut answer.verdict, why))
}

/// Makes a run shorter, if it shows everything.
fn shorten(answer: &mut Answer, cx: &Context) {
    let question = match answer.claim {
        Claim::Property(_) => answer.about.properties.first().map(|p| p.question),
        Claim::Deadlock => None,
    };
    if let (Verdict::Violated(found), Some(question)) = (&mut answer.verdict, question)
        && found.shows == Shows::All
    {
        let limits = limits(cx);
        let trace = &found.trace;
        let shorter = catch(|| super::shorten::shorten(&answer.about, &question, trace, &limits));
        if let Ok(shorter) = shorter {
            *found.trace = shorter;
        }
    }
}

fn check(answer: &Answer, manner: Manner, cx: &Context) -> Result<Judged, Refusal> {
    let mut limits = limits(cx);
    if !manner.recheck {
        limits.solver = cx.with_work(DECISIONS / DECISIONS_PER_POLL);
    }
    // The part of the system has this one property.
    let claim = match answer.claim {
        Claim::Property(_) => Claim::Property(0),
        Claim::Deadlock => Claim::Deadlock,
    };
    match of_answer(answer) {
        None => Ok(Judged::Open("there is none".to_owned())),
        Some(evidence) => of_claim(&answer.about, claim, &evidence, manner, &limits),
    }
}

/// What shows that an answer is right; the verdict alone if nothing does.
pub fn of_answer(answer: &Answer) -> Option<Shown> {
    Some(match (&answer.verdict, answer.claim) {
        (Verdict::Unknown(_), _) => return None,
        (Verdict::Violated(found), Claim::Deadlock) => Shown::Deadlock((*found.trace).clone()),
        (Verdict::Violated(Refutation { trace, shows }), _) => {
            Shown::Run((**trace).clone(), *shows)
        }
        (Verdict::Holds(Basis::Proof(proof)), _) => Shown::Proof((**proof).clone()),
        (Verdict::Holds(Basis::Exhaustive), _) => Shown::Verdict(Expected::Holds),
        (Verdict::Holds(Basis::Steps(steps)), _) => Shown::Verdict(Expected::Steps(*steps)),
    })
}

/// Has evidence about a claim on a part of a system checked. Where it shows less than all, or is too large, all states are looked at, if
/// there are few.
pub fn of_claim(
    part: &System,
    claim: Claim,
    evidence: &Shown,
    manner: Manner,
    limits: &CheckLimits,
) -> Result<Judged, Refusal> {
    let question = match claim {
        Claim::Deadlock => None,
        Claim::Property(number) => part.properties.get(number).map(|p| &p.question),
    };
    match (question, evidence) {
        (Some(question), Shown::Run(trace, shows)) => {
            run(part, question, trace, *shows, manner, limits)
        }
        (Some(question), Shown::Proof(found)) => proof(part, question, found, manner, limits),
        (_, Shown::Verdict(_)) => {
            match file::check(part, claim, evidence, &enough(manner, limits)) {
                Ok(_) => Ok(Judged::Accepted),
                Err(Refusal::TooLarge(_)) => Ok(too_many(manner)),
                Err(refusal) => Err(refusal),
            }
        }
        _ => file::check(part, claim, evidence, limits).map(|_| Judged::Accepted),
    }
}

/// How much is looked at before giving up.
pub fn limits(cx: &Context) -> CheckLimits {
    CheckLimits {
        cx: cx.clone(),
        solver: cx.clone(),
        ..CheckLimits::default()
    }
}

/// A run that does not show everything is backed by a look at all states, if there are few.
fn run(
    system: &System,
    question: &Question,
    trace: &Trace,
    shows: Shows,
    manner: Manner,
    limits: &CheckLimits,
) -> Result<Judged, Refusal> {
    let accepted = check_run(system, question, trace, shows, limits)?;
    let why = match accepted {
        Accepted::Run {
            meaning: Meaning::IfFairRunContinues,
            ..
        } => {
            "it is a run of the system and violates the property if it can be continued fairly, which was not checked"
        }
        Accepted::Run {
            meaning: Meaning::Part,
            ..
        } => {
            "it is a run of the system that refutes the property in part; the rest was not checked"
        }
        _ => return Ok(Judged::Accepted),
    };
    match again(system, question, Expected::Violated, manner, limits)? {
        Judged::Accepted => Ok(Judged::Accepted),
        Judged::Open(_) => Ok(Judged::Open(format!("{why}; --recheck does (slow)"))),
    }
}

/// A proof that is too large is replaced by a look at all states, if there are few.
fn proof(
    system: &System,
    question: &Question,
    proof: &Proof,
    manner: Manner,
    limits: &CheckLimits,
) -> Result<Judged, Refusal> {
    match check_proof(system, question, proof, limits) {
        Ok(_) => Ok(Judged::Accepted),
        Err(Refusal::TooLarge(why)) => {
            let again = again(system, question, Expected::Holds, manner, limits)?;
            Ok(match again {
                Judged::Accepted => Judged::Accepted,
                Judged::Open(_) => Judged::Open(format!("too large: {why}")),
            })
        }
        Err(refusal) => Err(refusal),
    }
}

/// Looks at all states, if there are few or it is asked for.
fn again(
    system: &System,
    question: &Question,
    expected: Expected,
    manner: Manner,
    limits: &CheckLimits,
) -> Result<Judged, Refusal> {
    match check_small(system, question, expected, &enough(manner, limits)) {
        Ok(_) => Ok(Judged::Accepted),
        Err(Refusal::TooLarge(_)) => Ok(too_many(manner)),
        Err(refusal) => Err(refusal),
    }
}

fn enough(manner: Manner, limits: &CheckLimits) -> CheckLimits {
    let (states, edges, tries) = match manner.recheck {
        true => (usize::MAX, usize::MAX, u64::MAX),
        false => (AGAIN, AGAIN_EDGES, AGAIN_TRIES),
    };
    CheckLimits {
        states,
        edges,
        tries,
        ..limits.clone()
    }
}

fn too_many(manner: Manner) -> Judged {
    Judged::Open(match manner.recheck {
        true => "too large to check again".to_owned(),
        false => format!(
            "not explored again, because there are more than {} states or too many steps; --recheck does it (slow)",
            grouped(AGAIN as u64)
        ),
    })
}

/// Is a run to a deadlock, found although deadlock was not asked for, one of the system?
pub fn is_stuck(system: &System, trace: &Trace, session: &Session) -> Result<(), String> {
    match catch(|| check_deadlock(system, trace, &limits(&session.context()))) {
        Err(message) => Err(message),
        Ok(Err(Refusal::Rejection(Rejection::Flawed(flaw)))) => {
            Err(Rejection::Flawed(flaw).to_string())
        }
        Ok(_) => Ok(()),
    }
}
