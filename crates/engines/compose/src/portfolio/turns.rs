//! Engines on threads of their own, each with its turns.
//!
//! An engine that waits for its turn waits inside its context, with all that it has found. So turns cost
//! nothing but the work done in them, and two engines have theirs at the same time where there are two cores.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope};

use suppose_control::{Event, Gate, Observer, catch};
use suppose_model::{Answer, Claim, Reason, Verdict};

use super::{Engine, Portfolio, guarded, unknown};
use crate::joint;

/// Engines recurse little, but what they recurse over is the user's.
const STACK: usize = 256 << 20;

/// One engine at one claim.
pub struct Player<'s> {
    gate: Arc<Gate>,
    /// How many of its steps take as long as one of the whole composition.
    pace: u64,
    /// What it may have done by now. An engine that went on past the end of its turn, since engines ask only now and then, owes
    /// the difference.
    due: u64,
    answer: Arc<Mutex<Option<Answer>>>,
    left: AtomicBool,
    _scope: std::marker::PhantomData<&'s ()>,
}

impl<'s> Player<'s> {
    /// The engine waits for its first turn.
    pub fn new<'e>(
        engines: &'e Portfolio<'e>,
        name: Engine,
        claim: Claim,
        scope: &'s Scope<'s, 'e>,
    ) -> Self {
        let gate = Arc::new(Gate::default());
        let answer = Arc::new(Mutex::new(None));
        let (own, put) = (Arc::clone(&gate), Arc::clone(&answer));
        let work = move || {
            if own.wait().is_ok() {
                let cx = engines.supervisor.context().with_gate(&own);
                let found = guarded(name, claim, || engines.one_in(name, claim, &cx));
                *lock(&put) = Some(found);
            }
            own.leave();
        };
        spawn(scope, &gate, work);
        Player {
            gate,
            pace: pace(name),
            due: 0,
            answer,
            left: AtomicBool::new(false),
            _scope: std::marker::PhantomData,
        }
    }

    /// Lets it do so much more, unless it has done that already.
    pub fn grant(&mut self, work: u64) {
        self.due = self.due.saturating_add(work.saturating_mul(self.pace));
        let more = self.due.saturating_sub(self.gate.spent());
        if more > 0 {
            self.gate.grant(more);
        }
    }

    /// Waits for the end of its turn; its answer, if it has one now.
    pub fn turn_over(&mut self) -> Option<Answer> {
        let left = self.gate.turn_over();
        self.left.store(left, Ordering::Relaxed);
        lock(&self.answer).take()
    }

    /// Has it ended?
    pub fn has_left(&self) -> bool {
        self.left.load(Ordering::Relaxed)
    }

    /// Tells it to leave.
    pub fn close(&self) {
        self.gate.close();
    }
}

/// Measured with `examples/work.rs`: a step takes `learn` and `quotient` 2 to 3 ns, `agar` 6 to 7, the whole
/// composition 4 to 9.
fn pace(engine: Engine) -> u64 {
    match engine {
        Engine::Learn | Engine::Quotient => 2,
        Engine::Auto | Engine::Monolithic | Engine::Minimise | Engine::Agar => 1,
    }
}

impl Drop for Player<'_> {
    fn drop(&mut self) {
        self.close();
    }
}

/// The whole composition, for all claims.
pub struct WholeSystem<'s> {
    gate: Arc<Gate>,
    news: Arc<Mutex<Vec<Answer>>>,
    /// The claims that are still of interest.
    wanted: Arc<BTreeMap<Claim, AtomicBool>>,
    forecast: Arc<Forecast>,
    left: bool,
    /// What it said of claims that it could not decide.
    undecided: Vec<Answer>,
    _scope: std::marker::PhantomData<&'s ()>,
}

impl<'s> WholeSystem<'s> {
    /// The exploration waits for its first turn.
    pub fn whole<'e>(
        engines: &'e Portfolio<'e>,
        claims: &[Claim],
        scope: &'s Scope<'s, 'e>,
    ) -> Self {
        let gate = Arc::new(Gate::default());
        let news = Arc::new(Mutex::new(Vec::new()));
        let wanted = claims.iter().map(|c| (*c, AtomicBool::new(true)));
        let wanted: Arc<BTreeMap<Claim, AtomicBool>> = Arc::new(wanted.collect());
        let cx = engines.supervisor.context().with_gate(&gate);
        let forecast = Arc::new(Forecast {
            next: cx.observer(),
            left: AtomicU64::new(u64::MAX),
        });
        let (own, put, open) = (Arc::clone(&gate), Arc::clone(&news), Arc::clone(&wanted));
        let cx = cx.with_observer(Arc::clone(&forecast) as _);
        let claims = claims.to_vec();
        let work = move || {
            if own.wait().is_ok() {
                let is_open = |claim: Claim| is_wanted(&open, claim);
                let mut tell = |answers: Vec<Answer>| lock(&put).extend(answers);
                let ended = catch(|| {
                    joint::decide(engines.network, &claims, true, &cx, &is_open, &mut tell);
                });
                if let Err(message) = ended {
                    for claim in claims.into_iter().filter(|c| is_open(*c)) {
                        let reason = Reason::Internal(message.clone());
                        lock(&put).push(unknown("monolithic", claim, reason));
                    }
                }
            }
            own.leave();
        };
        spawn(scope, &gate, work);
        WholeSystem {
            gate,
            news,
            wanted,
            forecast,
            left: false,
            undecided: Vec::new(),
            _scope: std::marker::PhantomData,
        }
    }

    /// Lets it do so much more.
    pub fn grant(&self, work: u64) {
        self.gate.grant(work);
    }

    /// Waits for the end of its turn; what it has decided since the last.
    pub fn turn_over(&mut self) -> Vec<Answer> {
        self.left = self.gate.turn_over();
        let news = std::mem::take(&mut *lock(&self.news));
        let is_open = |a: &&Answer| matches!(a.verdict, Verdict::Unknown(_));
        self.undecided.extend(news.iter().filter(is_open).cloned());
        news
    }

    /// Has it ended?
    pub fn has_left(&self) -> bool {
        self.left
    }

    /// How much it has done.
    pub fn spent(&self) -> u64 {
        self.gate.spent()
    }

    /// How much work is probably left.
    pub fn left(&self) -> u64 {
        self.forecast.left.load(Ordering::Relaxed)
    }

    /// Another engine has decided that claim.
    pub fn forget(&self, claim: Claim) {
        if let Some(wanted) = self.wanted.get(&claim) {
            wanted.store(false, Ordering::Relaxed);
        }
    }

    /// What it said last of a claim that it could not decide.
    pub fn last(&self, claim: Claim) -> Option<Answer> {
        let mut all = self.undecided.iter().rev();
        all.find(|a| a.claim == claim).cloned()
    }

    /// Tells it to leave, and waits until it has.
    pub fn close(&mut self) {
        self.gate.close();
        self.turn_over();
    }
}

impl Drop for WholeSystem<'_> {
    fn drop(&mut self) {
        self.gate.close();
    }
}

fn is_wanted(open: &BTreeMap<Claim, AtomicBool>, claim: Claim) -> bool {
    let wanted = open.get(&claim);
    wanted.is_some_and(|wanted| wanted.load(Ordering::Relaxed))
}

/// Hears how much is probably left, and passes everything on.
struct Forecast {
    next: Arc<dyn Observer + Send + Sync>,
    left: AtomicU64,
}

impl Observer for Forecast {
    fn on_event(&self, event: &Event) {
        if let Event::Forecast { left } = event {
            self.left.store(*left, Ordering::Relaxed);
        }
        self.next.on_event(event);
    }
}

/// Starts a thread; without one the engine has left before it began.
fn spawn<'s>(scope: &'s Scope<'s, '_>, gate: &Arc<Gate>, work: impl FnOnce() + Send + 's) {
    let builder = Builder::new().name("engine".to_owned()).stack_size(STACK);
    if builder.spawn_scoped(scope, work).is_err() {
        gate.leave();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
