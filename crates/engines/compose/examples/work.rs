//! What a step of work takes in each engine: time slices of `--engine auto` are fair if these are about the same.
//!
//! `cargo run --release -p suppose-compose --example work -- FILE N PROPERTY [FILE N PROPERTY ...]`, on models with a
//! constant `N` and a system `SYS`. Prints processor time, steps and nanoseconds a step.

#![allow(clippy::print_stdout)]

use std::sync::Arc;

use suppose_compose::portfolio::{Engine, Portfolio, Settings};
use suppose_compose::{agar, learn};
use suppose_control::{Context, Control, Gate, Observer, Silent, Stopped, Supervisor};
use suppose_model::Claim;
use suppose_model::lts::Network;

/// Gives every engine the same gate.
struct Counting {
    gate: Arc<Gate>,
    control: Arc<Control>,
}

impl Supervisor for Counting {
    fn context(&self) -> Context {
        let observer: Arc<dyn Observer + Send + Sync> = Arc::new(Silent);
        Context::new(Arc::clone(&self.control), observer).with_gate(&self.gate)
    }
    fn over(&self) -> Option<Stopped> {
        None
    }
    fn begin(&self, _: &str) {}
}

/// As the command line sets them.
fn settings(engine: Engine) -> Settings {
    let refine_alphabet = true;
    Settings {
        engine,
        agar: agar::AgarOptions {
            refine_alphabet,
            ..agar::AgarOptions::default()
        },
        learn: learn::LearningOptions {
            refine_alphabet,
            ..learn::LearningOptions::default()
        },
        ..Settings::default()
    }
}

fn read(file: &str, n: &str) -> Result<Network, String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let n = n.parse().map_err(|_| format!("{n} is no number"))?;
    let options = suppose_frontends::LoadOptions {
        system: Some("SYS".to_owned()),
        constants: vec![("N".to_owned(), n)],
        ..suppose_frontends::LoadOptions::default()
    };
    let input = suppose_frontends::Input::new(file.to_owned(), text);
    let loaded = suppose_frontends::load(vec![input], &options);
    loaded
        .map(|l| l.network)
        .map_err(|_| format!("{file} is not read"))
}

/// Processor time of this thread in nanoseconds, where Linux says it.
fn spent() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split_whitespace().next();
    first.and_then(|t| t.parse().ok()).unwrap_or(0)
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    for row in arguments.chunks(3) {
        let [file, n, name] = row else {
            return Err("three arguments a row: FILE N PROPERTY".to_owned());
        };
        let network = read(file, n)?;
        let claim = match network.properties.iter().position(|p| p.name() == name) {
            Some(number) => Claim::Property(number),
            None => Claim::DeadlockFree,
        };
        for engine in Engine::ALL.iter().filter(|e| **e != Engine::Auto) {
            let gate = Arc::new(Gate::default());
            gate.grant(u64::MAX);
            let supervisor = Counting {
                gate: Arc::clone(&gate),
                control: Arc::new(Control::new(None)),
            };
            let settings = settings(*engine);
            let portfolio = Portfolio {
                network: &network,
                settings: &settings,
                supervisor: &supervisor,
            };
            let begun = spent();
            let mut verdict = String::new();
            portfolio.decide(&[claim], &mut |replies| {
                let outcomes = replies.iter().map(|r| r.answer.verdict.outcome());
                verdict = outcomes.map(|o| format!("{o:?}")).collect();
            });
            let (time, steps) = (spent() - begun, gate.spent());
            let each = time as f64 / steps.max(1) as f64;
            let (engine, time) = (engine.name(), time as f64 / 1e6);
            println!(
                "{file} {n} {name} {engine}: {verdict} {time:.1} ms, {steps} steps, {each:.1} ns"
            );
        }
    }
    Ok(())
}
