//! Engines side by side: the first verdict counts, and the others are stopped.
//!
//! A verdict comes with evidence, so it does not matter for what is true who was first; which evidence is
//! shown, and the name of the engine, may differ from run to run.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use suppose_chc::preprocess::{BackTranslation, simplify};
use suppose_chc::{Found, Work, evidence};
use suppose_control::{Context, Control, Silent, Stopped, Supervisor, catch};
use suppose_model::chc::limits;
use suppose_model::chc::{
    Answer, Candidates, Claim, Definitions, Derivation, Effort, Horn, Pred, Refutation, TermId,
    Terms, Verdict,
};
use suppose_model::{Reason, Run};

use super::engines::{Plan, Way};
use crate::session::Session;

/// Engines recurse little, but what they recurse over is the user's.
const STACK: usize = 256 << 20;

/// What came of it.
#[derive(Debug)]
pub struct Reply {
    /// The answer.
    pub answer: Answer,
    /// Why this engine.
    pub why: String,
}

/// What one lane says: the answer of its last engine.
struct Said {
    lane: usize,
    answer: Answer,
}

/// Clauses, and the simpler ones that engines work on.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// As they were read.
    pub original: Arc<Horn>,
    /// What the engines work on.
    pub horn: Arc<Horn>,
    /// The way back; none if it is the same.
    back: Option<Arc<BackTranslation>>,
}

impl Prepared {
    /// As they are.
    pub fn plain(horn: &Arc<Horn>) -> Prepared {
        Prepared {
            original: Arc::clone(horn),
            horn: Arc::clone(horn),
            back: None,
        }
    }

    /// Simplified. If that fails, as they are; a limit shows itself to the engines, too.
    pub fn simplified(horn: &Arc<Horn>, session: &Session) -> Prepared {
        let cx = session.context();
        match catch(|| simplify(horn, &cx)) {
            Ok(Ok(simpler)) => Prepared {
                original: Arc::clone(horn),
                horn: Arc::new(simpler.horn),
                back: Some(Arc::new(simpler.back)),
            },
            _ => Prepared::plain(horn),
        }
    }

    /// Definitions of the original predicates.
    fn definitions(
        &self,
        terms: &mut Terms,
        found: Vec<TermId>,
        cx: &Context,
    ) -> Result<Option<Vec<TermId>>, Stopped> {
        match &self.back {
            None => Ok(Some(found)),
            Some(back) => back.definitions(terms, &found, cx),
        }
    }

    /// What is known of the original predicates up to some depth; none where the way back takes long.
    fn candidates(&self, found: suppose_chc::Candidates) -> Option<Box<Candidates>> {
        let mut terms = found.terms;
        let cx = Context::default().with_work(SAID_SO_FAR);
        let formulas = self.definitions(&mut terms, found.formulas, &cx).ok()??;
        let known = formulas.into_iter().enumerate();
        let formulas: Vec<(Pred, TermId)> = known
            .filter(|(_, formula)| *formula != Terms::TRUE)
            .map(|(number, formula)| (Pred(number as u32), formula))
            .collect();
        let terms = *terms;
        (!formulas.is_empty()).then(|| Box::new(Candidates { terms, formulas }))
    }

    /// A derivation from the original clauses.
    fn derivation(&self, found: Derivation) -> Option<Derivation> {
        match &self.back {
            None => Some(found),
            Some(back) => back.derivation(&self.original, &self.horn.terms, &found),
        }
    }
}

/// Decides the clauses. `proofs`: definitions are to be proved clause by clause.
pub fn run(prepared: &Prepared, plan: &Plan, proofs: bool, session: &Session) -> Reply {
    let begun = Instant::now();
    let (send, receive) = channel();
    let mut controls: Vec<Arc<Control>> = Vec::new();
    for (lane, ways) in plan.lanes.iter().enumerate() {
        let control = match lane {
            0 => session.watch.fresh(),
            _ => session.watch.beside(),
        };
        controls.push(Arc::clone(&control));
        let mut cx = match lane {
            0 => Context::new(control, Arc::clone(&session.counters) as _),
            _ => Context::new(control, Arc::new(Silent)),
        };
        cx.seed = session.watch.limits().seed;
        if let Some(turn) = plan.turn {
            cx = cx.with_work(turn);
        }
        spawn(
            prepared.clone(),
            lane,
            ways.clone(),
            proofs,
            cx,
            send.clone(),
        );
    }
    drop(send);
    let mut open: Vec<Said> = Vec::new();
    while let Ok(said) = receive.recv() {
        if !said.answer.verdict.is_unknown() {
            for control in &controls {
                control.stop(Stopped::Superseded);
            }
            return reply(said.answer, plan, begun.elapsed());
        }
        open.push(said);
    }
    reply(undecided(open), plan, begun.elapsed())
}

fn spawn(
    prepared: Prepared,
    lane: usize,
    ways: Vec<Way>,
    proofs: bool,
    cx: Context,
    send: Sender<Said>,
) {
    let failed = send.clone();
    let work = move || {
        let mut last = None;
        for way in &ways {
            let answer = one(&prepared, way, proofs, &cx);
            let verdict = !answer.verdict.is_unknown();
            last = Some(deepest(last, answer));
            if verdict || cx.check().is_err() {
                break;
            }
        }
        if let Some(answer) = last {
            // The receiver is gone when another lane was faster.
            let _ = send.send(Said { lane, answer });
        }
    };
    let builder = std::thread::Builder::new().name(format!("engine {lane}"));
    if let Err(error) = builder.stack_size(STACK).spawn(work) {
        let reason = Reason::Internal(format!("cannot start a thread: {error}"));
        let answer = unknown("auto", reason, None, &Work::default());
        let _ = failed.send(Said { lane, answer });
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
fn one(prepared: &Prepared, way: &Way, proofs: bool, cx: &Context) -> Answer {
    let begun = Instant::now();
    let mut answer = attempt(prepared, way, proofs, cx);
    let lost = matches!(
        &answer.verdict,
        Verdict::Unknown(Reason::Unsupported(why)) if why == UNPROVED
    );
    if lost && prepared.back.is_some() && cx.check().is_ok() {
        answer = attempt(&Prepared::plain(&prepared.original), way, proofs, cx);
    }
    answer.run.elapsed = begun.elapsed();
    answer
}

fn attempt(prepared: &Prepared, way: &Way, proofs: bool, cx: &Context) -> Answer {
    let name = way.name();
    let result = catch(|| {
        if way.is_about_the_original() {
            let plain = Prepared::plain(&prepared.original);
            let (found, work) = way.solve(&plain.horn, cx);
            return answer(&plain, &name, found, proofs, cx, &work);
        }
        let (found, work) = way.solve(&prepared.horn, cx);
        answer(prepared, &name, found, proofs, cx, &work)
    });
    result
        .unwrap_or_else(|message| unknown(&name, Reason::Internal(message), None, &Work::default()))
}

fn answer(
    prepared: &Prepared,
    engine: &str,
    found: Found,
    proofs: bool,
    cx: &Context,
    work: &Work,
) -> Answer {
    let unproved = Reason::Unsupported(UNPROVED.to_owned());
    let too_large = Reason::Unsupported(limits::too_large());
    let reason = match found {
        Found::Unknown {
            reason,
            bound,
            candidates,
        } => {
            let mut answer = unknown(engine, reason, bound, work);
            answer.candidates = candidates.and_then(|c| prepared.candidates(c));
            return answer;
        }
        Found::Violated(derivation) => match prepared.derivation(derivation) {
            Some(derivation) if !derivation.numbers_fit() => too_large,
            Some(derivation) => {
                let calls = Vec::new();
                let verdict = Verdict::Violated(Refutation { derivation, calls });
                return answered(engine, verdict, None, work);
            }
            None => unproved,
        },
        Found::Holds {
            mut terms,
            definitions,
        } => match proved(prepared, &mut terms, definitions, proofs, cx) {
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
    prepared: &Prepared,
    terms: &mut Terms,
    found: Vec<TermId>,
    proofs: bool,
    cx: &Context,
) -> Result<Option<Definitions>, Stopped> {
    let Some(definitions) = prepared.definitions(terms, found, cx)? else {
        return Ok(None);
    };
    match proofs {
        true => evidence::with_proofs(&prepared.original, terms, &definitions, cx),
        false => Ok(Some(Definitions {
            terms: terms.clone(),
            definitions,
            proofs: Vec::new(),
        })),
    }
}

/// How often the way back may ask whether to stop when it is only for what is known so far.
const SAID_SO_FAR: u64 = 2_000;
const UNPROVED: &str =
    "an answer was found, but the proof for the original clauses exceeded the bounds of the solver";

/// An answer about the clauses; whoever read them knows what they claim.
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
fn undecided(mut open: Vec<Said>) -> Answer {
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
    let mut names: Vec<String> = Vec::new();
    for name in plan.lanes.iter().flatten().map(Way::name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let others: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .filter(|n| *n != answer.engine)
        .collect();
    let verdict = !answer.verdict.is_unknown();
    let why = match (plan.is_portfolio() || plan.turn.is_some(), verdict) {
        (false, _) => "asked for".to_owned(),
        (true, true) => format!("the first of {} to answer", spoken(&names)),
        (true, false) => format!("beside {}", spoken_refs(&others)),
    };
    Reply { answer, why }
}

fn spoken(names: &[String]) -> String {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    spoken_refs(&names)
}

fn spoken_refs(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
