//! Time slices for engines that run on their own threads.
//!
//! An engine that has used up its slice blocks inside [`Context::check`](crate::Context::check), with all
//! its state, until it is granted more or told to stop. So no work is repeated, and an engine
//! need not know about slices.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::Stopped;

/// Synchronises an engine with the scheduler that grants it work. Work is counted in operations of the engine, not in
/// time, so the schedule is the same on every machine.
#[derive(Debug, Default)]
pub struct Gate {
    spent: AtomicU64,
    granted: AtomicU64,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// The engine waits for work, or has not started.
    #[default]
    Waiting,
    /// It runs.
    Running,
    /// It was told to stop.
    Stopping,
    /// It has ended.
    Ended,
}

impl Gate {
    /// Accounts for work; blocks if the grant is used up.
    pub(crate) fn pass(&self, work: u64) -> Result<(), Stopped> {
        let spent = self.spent.fetch_add(work, Ordering::Relaxed) + work;
        if spent < self.granted.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.wait()
    }

    /// Accounts for work without blocking.
    pub(crate) fn account(&self, work: u64) {
        self.spent.fetch_add(work, Ordering::Relaxed);
    }

    /// Blocks until work is granted.
    pub fn wait(&self) -> Result<(), Stopped> {
        let mut state = self.lock();
        if *state == State::Running && self.spent() >= self.granted() {
            *state = State::Waiting;
            self.changed.notify_all();
        }
        loop {
            match *state {
                State::Running => return Ok(()),
                State::Stopping | State::Ended => return Err(Stopped::Superseded),
                State::Waiting => state = self.hold(state),
            }
        }
    }

    /// The engine has ended.
    pub fn leave(&self) {
        *self.lock() = State::Ended;
        self.changed.notify_all();
    }

    /// Grants the engine this much more work.
    pub fn grant(&self, work: u64) {
        let mut state = self.lock();
        if *state == State::Waiting {
            let granted = self.spent().saturating_add(work.max(1));
            self.granted.store(granted, Ordering::Relaxed);
            *state = State::Running;
            self.changed.notify_all();
        }
    }

    /// Stops the engine at its next poll.
    pub fn close(&self) {
        let mut state = self.lock();
        if *state != State::Ended {
            *state = State::Stopping;
            self.granted.store(0, Ordering::Relaxed);
            self.changed.notify_all();
        }
    }

    /// Waits until the engine has used up its grant or has ended; returns whether it has ended.
    pub fn turn_over(&self) -> bool {
        let mut state = self.lock();
        while matches!(*state, State::Running | State::Stopping) {
            state = self.hold(state);
        }
        *state == State::Ended
    }

    /// How much the engine has done in all.
    pub fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    fn granted(&self) -> u64 {
        self.granted.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hold<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    use super::*;
    use crate::Context;

    #[test]
    fn an_engine_goes_on_where_its_turn_ended() {
        let gate = Arc::new(Gate::default());
        let done = Arc::new(AtomicU64::new(0));
        let cx = Context::default().with_gate(&gate);
        let (own, count) = (Arc::clone(&gate), Arc::clone(&done));
        let engine = std::thread::spawn(move || {
            let mut result = own.wait();
            for _ in 0..100 {
                result = result.and_then(|()| cx.spend(10));
                if result.is_err() {
                    break;
                }
                count.fetch_add(1, Ordering::Relaxed);
            }
            own.leave();
            result
        });
        gate.grant(50);
        assert!(!gate.turn_over());
        let first = done.load(Ordering::Relaxed);
        assert!((1..=5).contains(&first), "{first}");
        gate.grant(300);
        assert!(!gate.turn_over());
        let second = done.load(Ordering::Relaxed);
        assert!((first + 1..=35).contains(&second), "{second}");
        gate.grant(10_000);
        assert!(gate.turn_over());
        assert_eq!(done.load(Ordering::Relaxed), 100);
        assert_eq!(engine.join().unwrap(), Ok(()));
    }

    #[test]
    fn a_closed_gate_sends_the_engine_home() {
        let gate = Arc::new(Gate::default());
        let cx = Context::default().with_gate(&gate);
        let own = Arc::clone(&gate);
        let engine = std::thread::spawn(move || {
            let mut result = own.wait();
            while result.is_ok() {
                result = cx.check();
            }
            own.leave();
            result
        });
        gate.grant(1000);
        gate.close();
        assert!(gate.turn_over());
        assert_eq!(engine.join().unwrap(), Err(Stopped::Superseded));
    }
}
