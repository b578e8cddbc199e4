//! The progress display, and Ctrl-C.
//!
//! Engines report a few numbers, which are kept in atomics; the thread that enforces the limits draws them periodically. So an
//! engine pays next to nothing, and nothing is drawn from its thread.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use suppose::{Counts, Event, Observer, resident_memory};
use suppose_report::{format_bytes, format_duration, grouped};

/// Draws the progress on standard error, and stops the run at Ctrl-C.
pub struct Progress {
    interrupted: Arc<AtomicBool>,
    counts: Counts,
    drawn: Mutex<LastDraw>,
    started: Instant,
    limit: Option<Duration>,
    display: Display,
}

/// When it was drawn last, and what the states were then.
struct LastDraw {
    at: Instant,
    states: u64,
    rate: f64,
}

enum Display {
    Nothing,
    Lines,
    Bar(ProgressBar),
}

impl Progress {
    /// A line that changes on a terminal, plain lines elsewhere, nothing when quiet.
    pub fn new(limit: Option<Duration>, quiet: bool) -> Self {
        let display = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Display::Nothing,
            (false, false) => Display::Lines,
            (false, true) => {
                let bar =
                    ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8));
                if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                    bar.set_style(style);
                }
                Display::Bar(bar)
            }
        };
        let now = Instant::now();
        Progress {
            interrupted: listen(),
            counts: Counts::default(),
            drawn: Mutex::new(LastDraw {
                at: now,
                states: 0,
                rate: 0.0,
            }),
            started: now,
            limit,
            display,
        }
    }

    fn line(&self, states: u64, rate: f64) -> String {
        let (task, phase) = self.counts.activity();
        let mut parts = vec![task, phase];
        let round = self.counts.round.load(Ordering::Relaxed);
        if round > 0 {
            let size = self.counts.abstract_size.load(Ordering::Relaxed);
            parts.push(format!("round {round}, abstract size {}", grouped(size)));
        }
        if states > 0 {
            parts.push(format!("{} states", grouped(states)));
            parts.push(format!("{} states/s", grouped(rate as u64)));
        }
        let elapsed = format_duration(self.started.elapsed());
        parts.push(match self.limit {
            Some(limit) => format!("{elapsed} of {}", format_duration(limit)),
            None => elapsed,
        });
        parts.extend(resident_memory().map(format_bytes));
        parts.retain(|p| !p.is_empty());
        parts.join(" · ")
    }
}

impl Observer for Progress {
    fn on_event(&self, event: &Event) {
        self.counts.update(event);
    }

    /// Draws when it is time to.
    fn on_tick(&self) {
        let every = match self.display {
            Display::Nothing => return,
            Display::Lines => Duration::from_secs(5),
            Display::Bar(_) => Duration::from_millis(125),
        };
        let mut drawn = lock(&self.drawn);
        let since = drawn.at.elapsed();
        if since < every {
            return;
        }
        let states = self.counts.states.load(Ordering::Relaxed);
        drawn.rate = states.saturating_sub(drawn.states) as f64 / since.as_secs_f64();
        drawn.at = Instant::now();
        drawn.states = states;
        let line = self.line(states, drawn.rate);
        match &self.display {
            Display::Nothing => {}
            Display::Lines => {
                let _ = writeln!(std::io::stderr(), "{line}");
            }
            Display::Bar(bar) => {
                bar.set_message(line);
                bar.tick();
            }
        }
    }

    fn is_cancelled(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A flag that Ctrl-C (or a request to end) raises; when it is raised already, they end the process at once.
pub fn listen() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Without handlers the signals keep their usual effect, which is fine.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&flag));
        let _ = signal_hook::flag::register(signal, Arc::clone(&flag));
    }
    flag
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Display::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_states_round_and_limit() {
        let progress = Progress::new(Some(Duration::from_secs(30)), true);
        progress.on_event(&Event::Task("Order by agar".to_owned()));
        progress.on_event(&Event::Phase("premise 1".to_owned()));
        progress.on_event(&Event::Iteration {
            number: 3,
            abstract_size: 4,
        });
        let line = progress.line(1234, 0.0);
        for part in [
            "Order by agar · premise 1",
            "round 3, abstract size 4",
            "of 30",
            "iB",
        ] {
            assert!(line.contains(part), "{line}");
        }
    }
}
