//! Engines in parallel: the first verdict counts, and the others are stopped.
//!
//! A verdict comes with evidence, so which engine is first does not matter for what is true; which evidence is
//! shown, and the name of the engine, may differ from run to run.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use suppose_control::{Context, Silent, Stopped, Supervisor, catch};
use suppose_model::chc::limits;
use suppose_model::chc::{Answer, Claim, Definitions, Effort, Refutation, TermId, Terms, Verdict};
use suppose_model::{Reason, Run};

use super::simplified::Simplified;
use super::{Plan, Reply, Strategy};
use crate::{ChcVerdict, Work, evidence};

/// The answer of a lane: that of its last engine.
struct LaneAnswer {
    lane: usize,
    answer: Answer,
}

/// Decides the clauses. `prove`: definitions are to be proved clause by clause.
pub(super) fn run(
    clauses: &Simplified,
    plan: &Plan,
    prove: bool,
    supervisor: &dyn Supervisor,
) -> Reply {
    let begun = Instant::now();
    let (send, receive) = channel();
    let mut contexts: Vec<Context> = Vec::new();
    for lane in 0..plan.lanes.len() {
        let mut cx = supervisor.context();
        if lane > 0 {
            cx = cx.with_observer(Arc::new(Silent));
        }
        if let Some(turn) = plan.turn {
            cx = cx.with_work(turn);
        }
        contexts.push(cx);
    }
    for (lane, (strategies, cx)) in plan.lanes.iter().zip(&contexts).enumerate() {
        let job = Lane {
            number: lane,
            clauses: clauses.clone(),
            strategies: strategies.clone(),
            prove,
            cx: cx.clone(),
        };
        job.start(send.clone(), supervisor);
    }
    drop(send);
    let mut open: Vec<LaneAnswer> = Vec::new();
    while let Ok(found) = receive.recv() {
        if !found.answer.verdict.is_unknown() {
            contexts.iter().for_each(|cx| cx.stop(Stopped::Superseded));
            return reply(found.answer, plan, begun.elapsed());
        }
        open.push(found);
    }
    reply(undecided(open), plan, begun.elapsed())
}

/// Engines that run one after the other on a thread of their own.
struct Lane {
    number: usize,
    clauses: Simplified,
    strategies: Vec<Strategy>,
    prove: bool,
    cx: Context,
}

impl Lane {
    fn start(self, send: Sender<LaneAnswer>, supervisor: &dyn Supervisor) {
        let (lane, failed) = (self.number, send.clone());
        let work = move || {
            if let Some(answer) = self.run() {
                // The receiver is gone when another lane was faster.
                let _ = send.send(LaneAnswer { lane, answer });
            }
        };
        if let Err(error) = supervisor.spawn(&format!("engine {lane}"), Box::new(work)) {
            let reason = Reason::Internal(format!("cannot start a thread: {error}"));
            let answer = unknown("auto", reason, None, &Work::default());
            let _ = failed.send(LaneAnswer { lane, answer });
        }
    }

    fn run(&self) -> Option<Answer> {
        let mut last = None;
        for strategy in &self.strategies {
            let answer = one(&self.clauses, strategy, self.prove, &self.cx);
            let verdict = !answer.verdict.is_unknown();
            last = Some(deepest(last, answer));
            if verdict || self.cx.check().is_err() {
                break;
            }
        }
        last
    }
}

/// A verdict before any other answer, and a later answer before an earlier one, with the deepest bound of both.
fn deepest(earlier: Option<Answer>, mut later: Answer) -> Answer {
    let Some(earlier) = earlier else { return later };
    if later.verdict.is_unknown() {
        later.effort.bound = later.effort.bound.max(earlier.effort.bound);
        later.candidates = later.candidates.or(earlier.candidates);
    }
    later
}

/// One engine, up to evidence about the clauses as they were read. When the way back from the simpler clauses fails,
/// the engine has to do without them.
fn one(clauses: &Simplified, strategy: &Strategy, prove: bool, cx: &Context) -> Answer {
    let begun = Instant::now();
    let mut answer = attempt(clauses, strategy, prove, cx);
    let lost = matches!(
        &answer.verdict,
        Verdict::Unknown(Reason::Unsupported(why)) if why == UNPROVED
    );
    if lost && !clauses.is_unchanged() && cx.check().is_ok() {
        answer = attempt(
            &Simplified::unchanged(&clauses.original),
            strategy,
            prove,
            cx,
        );
    }
    answer.run.elapsed = begun.elapsed();
    answer
}

fn attempt(clauses: &Simplified, strategy: &Strategy, prove: bool, cx: &Context) -> Answer {
    let name = strategy.name();
    let result = catch(|| {
        if strategy.needs_original() {
            let original = Simplified::unchanged(&clauses.original);
            let (found, work) = strategy.solve(&original.horn, cx);
            return answer(&original, &name, found, prove, cx, &work);
        }
        let (found, work) = strategy.solve(&clauses.horn, cx);
        answer(clauses, &name, found, prove, cx, &work)
    });
    result
        .unwrap_or_else(|message| unknown(&name, Reason::Internal(message), None, &Work::default()))
}

fn answer(
    clauses: &Simplified,
    engine: &str,
    found: ChcVerdict,
    prove: bool,
    cx: &Context,
    work: &Work,
) -> Answer {
    let unproved = Reason::Unsupported(UNPROVED.to_owned());
    let too_large = Reason::Unsupported(limits::too_large());
    let reason = match found {
        ChcVerdict::Unknown {
            reason,
            bound,
            candidates,
        } => {
            let mut answer = unknown(engine, reason, bound, work);
            answer.candidates = candidates.and_then(|c| clauses.candidates(c));
            return answer;
        }
        ChcVerdict::Violated(derivation) => match clauses.derivation(derivation) {
            Some(derivation) if !derivation.numbers_fit() => too_large,
            Some(derivation) => {
                let calls = Vec::new();
                let verdict = Verdict::Violated(Refutation {
                    derivation,
                    calls,
                    structures: None,
                });
                return answered(engine, verdict, None, work);
            }
            None => unproved,
        },
        ChcVerdict::Holds {
            mut terms,
            definitions,
        } => match proved(clauses, &mut terms, definitions, prove, cx) {
            Ok(Some(proof)) if !proof.numbers_fit() => too_large,
            Ok(Some(proof)) => {
                return answered(engine, Verdict::Holds(Box::new(proof)), None, work);
            }
            Ok(None) => unproved,
            Err(stopped) => stopped.into(),
        },
    };
    unknown(engine, reason, work.bound.checked_sub(1), work)
}

fn proved(
    clauses: &Simplified,
    terms: &mut Terms,
    found: Vec<TermId>,
    prove: bool,
    cx: &Context,
) -> Result<Option<Definitions>, Stopped> {
    let Some(definitions) = clauses.definitions(terms, found, cx)? else {
        return Ok(None);
    };
    match prove {
        true => evidence::with_proofs(&clauses.original, terms, &definitions, cx),
        false => Ok(Some(Definitions {
            terms: terms.clone(),
            definitions,
            proofs: Vec::new(),
            about: None,
        })),
    }
}

const UNPROVED: &str =
    "an answer was found, but the proof for the original clauses exceeded the bounds of the solver";

/// An answer about the clauses; the caller knows which claim they encode.
fn answered(engine: &str, verdict: Verdict, bound: Option<u32>, work: &Work) -> Answer {
    Answer {
        claim: Claim::Queries,
        engine: engine.to_owned(),
        verdict,
        effort: Effort {
            obligations: work.obligations,
            lemmas: work.lemmas,
            facts: work.facts,
            depth: u64::from(work.bound),
            bound,
        },
        candidates: None,
        confirmed: Vec::new(),
        run: Run {
            queries: work.queries,
            ..Run::default()
        },
    }
}

/// No verdict.
pub fn unknown(engine: &str, reason: Reason, bound: Option<u32>, work: &Work) -> Answer {
    answered(engine, Verdict::Unknown(reason), bound, work)
}

/// Of several that did not get there: the reason of the first lane, and the deepest bound of all.
fn undecided(mut open: Vec<LaneAnswer>) -> Answer {
    open.sort_by_key(|s| s.lane);
    let mut answers = open.into_iter().map(|s| s.answer);
    let Some(first) = answers.next() else {
        let reason = Reason::Internal("no engine answered".to_owned());
        return unknown("auto", reason, None, &Work::default());
    };
    answers.fold(first, |first, other| deepest(Some(other), first))
}

fn reply(mut answer: Answer, plan: &Plan, elapsed: Duration) -> Reply {
    answer.run.elapsed = elapsed;
    let all: Vec<String> = plan.lanes.iter().flatten().map(Strategy::name).collect();
    let mut names: Vec<&str> = Vec::new();
    for name in &all {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let why = match (plan.is_portfolio(), answer.verdict.is_unknown()) {
        (false, _) => "asked for".to_owned(),
        (true, false) => format!("the first of {} to answer", listed(&names)),
        (true, true) => {
            names.retain(|n| *n != answer.engine);
            format!("beside {}", listed(&names))
        }
    };
    Reply { answer, why }
}

fn listed(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
