//! Why an alarm is spurious: the first join of real views that is not real.
//!
//! Views are *real* here if one of a number of runs has reached them. An alarm is followed back from join to join: each view that is
//! not real was found after a step from a join of views that were found before it. The first join all of whose views are real is the
//! *culprit*: its processes are in states that go together two by two, but not all at once. A predicate separates them if its
//! value in no real state with that shared state is one that it can have in the join.
//!
//! Runs do not show all real views, so this is a way to choose what to expose, and nothing is concluded from it.

use rustc_hash::FxHashSet;
use suppose_model::program::semantics::State;
use suppose_model::program::semantics::partial::Partial;
use suppose_model::program::views::{Exposed, Exposure, Local, Shared};
use suppose_model::program::{Program, Question, StepResult};

use crate::random::Random;
use crate::store::{Join, Seat, Store};

/// So many runs are made.
const RUNS: u64 = 60;
/// So many steps of each.
const STEPS: usize = 300;
/// So many views are looked at.
const VIEWS: usize = 1_000_000;

/// The states of some runs.
pub(crate) struct Real {
    states: Vec<(Shared, Vec<Local>)>,
}

impl Real {
    /// Runs the program.
    pub(crate) fn new(program: &Program, question: Question, partial: &Partial) -> Real {
        let places = partial.places() as usize;
        let most = VIEWS / (places * places / 2).max(1);
        let mut real = Real { states: Vec::new() };
        for run in 0..RUNS {
            if real.states.len() < most {
                real.walk(program, question, partial, run);
            }
        }
        real
    }

    /// One run: a process is drawn, then one of its steps.
    fn walk(&mut self, program: &Program, question: Question, partial: &Partial, seed: u64) {
        let mut random = Random::new(seed);
        let Ok(mut state) = State::at_start(program, question) else {
            return;
        };
        let mut idle = 0;
        for _ in 0..STEPS {
            if state.alone.is_none()
                && let Ok(apart) = partial.take_apart(&state, 0)
            {
                self.states.push(apart);
            }
            let Some((_, next)) = random.step(program, &state, &mut idle) else {
                return;
            };
            let StepResult::State(next) = next.outcome else {
                return;
            };
            state = next;
        }
    }

    /// The first join of real views that is not real, on the way to a join.
    pub(crate) fn culprit(&self, store: &mut Store, alarm: &Join) -> Join {
        let mut real = FxHashSet::default();
        for (shared, locals) in &self.states {
            let number = store.shared.number(shared.clone());
            let seats: Vec<Seat> = locals
                .iter()
                .zip(0u32..)
                .map(|(local, place)| (place, store.locals.number(local.clone())))
                .collect();
            for (at, a) in seats.iter().enumerate() {
                for b in &seats[at + 1..] {
                    real.extend(store.index(number, *a, *b));
                }
            }
        }
        let mut join = alarm.clone();
        loop {
            let unreal = store.views_of(&join);
            let unreal = unreal.into_iter().filter(|view| !real.contains(view));
            let Some(before) = unreal.min().and_then(|view| store.cause_of(view)) else {
                return join;
            };
            join = before;
        }
    }

    /// Does a predicate separate the processes of a join from all that are real with its shared state?
    pub(crate) fn separates(&self, store: &Store, join: &Join, exposure: &Exposure) -> bool {
        let shared = store.shared.get(join.shared);
        let is_true = |place: u32, local: &Local| {
            shared.processes.get(place as usize) == Some(&exposure.proctype)
                && exposure.locations.binary_search(&local.location).is_ok()
        };
        let members: Vec<(u32, bool)> = join
            .seats
            .iter()
            .map(|(place, local)| (*place, is_true(*place, store.locals.get(*local))))
            .collect();
        let inside = members.iter().filter(|(_, is)| *is).count();
        let is_member = |place: usize| members.iter().any(|(p, _)| *p as usize == place);
        let of_it = shared.processes.iter().enumerate();
        let others = of_it.filter(|(at, p)| **p == exposure.proctype && !is_member(*at));
        let others = others.count();
        let mut met = false;
        for (_, locals) in self.states.iter().filter(|(s, _)| store.alike(s, shared)) {
            met = true;
            let holds = |at: u32| is_true(at, &locals[at as usize]);
            let is_possible = match exposure.how {
                Exposed::Count => {
                    let count = (0..locals.len() as u32).filter(|p| holds(*p)).count();
                    (inside..=inside + others).contains(&count)
                }
                Exposed::Bits | Exposed::Witnesses => {
                    members.iter().all(|(place, is)| holds(*place) == *is)
                }
            };
            if is_possible {
                return false;
            }
        }
        met
    }
}
