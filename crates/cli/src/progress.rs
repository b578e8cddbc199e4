//! What is going on, for people who wait.
//!
//! Engines write a few numbers into atomics; the watching thread reads them now and then and
//! draws. So an engine pays next to nothing, and nothing is drawn from its thread.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use suppose_refine::{Event, Observer};
use suppose_report::{format_duration, grouped};

/// The numbers of what runs now.
#[derive(Debug, Default)]
pub struct Counters {
    /// States explored in the current phase.
    pub states: AtomicU64,
    /// Transitions explored in the current phase.
    pub transitions: AtomicU64,
    /// The refinement round, 0 when there is none.
    pub round: AtomicU64,
    /// States of the abstraction in that round.
    pub abstract_size: AtomicU64,
    phase: Mutex<String>,
    claim: Mutex<String>,
}

impl Counters {
    /// Begins with another claim or engine.
    pub fn begin(&self, what: &str) {
        for number in [
            &self.states,
            &self.transitions,
            &self.round,
            &self.abstract_size,
        ] {
            number.store(0, Ordering::Relaxed);
        }
        set(&self.claim, what);
        set(&self.phase, "");
    }
}

fn set(slot: &Mutex<String>, text: &str) {
    let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
    slot.clear();
    slot.push_str(text);
}

fn get(slot: &Mutex<String>) -> String {
    slot.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

impl Observer for Counters {
    fn on_event(&self, event: &Event) {
        match event {
            Event::Phase(name) => set(&self.phase, name),
            Event::Explored {
                states,
                transitions,
            } => {
                self.states.store(*states, Ordering::Relaxed);
                self.transitions.store(*transitions, Ordering::Relaxed);
            }
            Event::Forecast { .. } => {}
            Event::Iteration {
                number,
                abstract_size,
            } => {
                self.round.store(*number, Ordering::Relaxed);
                self.abstract_size.store(*abstract_size, Ordering::Relaxed);
            }
        }
    }
}

/// Draws the counters on standard error.
pub struct Progress {
    counters: Arc<Counters>,
    started: Instant,
    limit: Option<Duration>,
    last: Instant,
    last_states: u64,
    rate: f64,
    face: Face,
}

enum Face {
    Nothing,
    Lines,
    Bar(ProgressBar),
}

impl Progress {
    /// A line that changes on a terminal, plain lines elsewhere, nothing when quiet.
    pub fn new(counters: Arc<Counters>, limit: Option<Duration>, quiet: bool) -> Self {
        let face = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Face::Nothing,
            (false, false) => Face::Lines,
            (false, true) => {
                let bar =
                    ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8));
                if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                    bar.set_style(style);
                }
                Face::Bar(bar)
            }
        };
        let now = Instant::now();
        Progress {
            counters,
            started: now,
            limit,
            last: now,
            last_states: 0,
            rate: 0.0,
            face,
        }
    }

    /// To be called often; draws when it is time to.
    pub fn tick(&mut self) {
        let every = match self.face {
            Face::Nothing => return,
            Face::Lines => Duration::from_secs(5),
            Face::Bar(_) => Duration::from_millis(125),
        };
        let since = self.last.elapsed();
        if since < every {
            return;
        }
        let states = self.counters.states.load(Ordering::Relaxed);
        self.rate = states.saturating_sub(self.last_states) as f64 / since.as_secs_f64();
        self.last = Instant::now();
        self.last_states = states;
        let line = self.line(states);
        match &self.face {
            Face::Nothing => {}
            Face::Lines => {
                let _ = writeln!(std::io::stderr(), "{line}");
            }
            Face::Bar(bar) => {
                bar.set_message(line);
                bar.tick();
            }
        }
    }

    fn line(&self, states: u64) -> String {
        let mut parts = vec![get(&self.counters.claim), get(&self.counters.phase)];
        let round = self.counters.round.load(Ordering::Relaxed);
        if round > 0 {
            let size = self.counters.abstract_size.load(Ordering::Relaxed);
            parts.push(format!("round {round}, abstract size {}", grouped(size)));
        }
        if states > 0 {
            parts.push(format!("{} states", grouped(states)));
            parts.push(format!("{} states/s", grouped(self.rate as u64)));
        }
        let elapsed = format_duration(self.started.elapsed());
        parts.push(match self.limit {
            Some(limit) => format!("{elapsed} of {}", format_duration(limit)),
            None => elapsed,
        });
        parts.retain(|p| !p.is_empty());
        parts.join(" · ")
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Face::Bar(bar) = &self.face {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_states_round_and_limit() {
        let counters = Arc::new(Counters::default());
        counters.begin("Order by agar");
        counters.on_event(&Event::Phase("premise 1".to_owned()));
        counters.on_event(&Event::Iteration {
            number: 3,
            abstract_size: 4,
        });
        counters.on_event(&Event::Explored {
            states: 1234,
            transitions: 5678,
        });
        let progress = Progress::new(counters, Some(Duration::from_secs(30)), true);
        let line = progress.line(1234);
        for part in [
            "Order by agar · premise 1",
            "round 3, abstract size 4",
            "of 30",
        ] {
            assert!(line.contains(part), "{line}");
        }
    }
}
