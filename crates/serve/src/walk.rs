//! Walks through a model, one command of the page at a time.

use std::sync::mpsc::{Receiver, Sender};

use serde::Deserialize;
use serde_json::{Value, json};
use suppose::Context;
use suppose::simulate::{Change, End, Transcript, Walk};
use suppose::steps::{EnabledStep, Enumeration, Failed, Leads, State, Steps};
use tokio::sync::oneshot;

/// The way to a walk: a command, and where its answer goes.
pub(crate) type Line = Sender<(Command, oneshot::Sender<Value>)>;

/// Random steps at once.
const MOST_STEPS: u64 = 60_000;
/// States that are looked at on the way to one.
const SEARCHED: usize = 50_000;
/// Steps that are shown as enabled.
const SHOWN: usize = 500;

/// What a walk is asked to do.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub(crate) enum Command {
    /// Say where it is.
    Look,
    /// Begin again: in that initial state, or in any.
    Begin {
        state: Option<usize>,
        seed: Option<u64>,
    },
    /// Take an enabled step; its outcome is random unless it is given.
    Take { step: usize, outcome: Option<usize> },
    /// Go back.
    Undo { count: usize },
    /// Take random steps.
    Random { count: u64 },
    /// Take a shortest way to a state where something has a value.
    Reach { name: String, value: String },
}

/// Executes commands until the channel is closed.
pub(crate) fn obey(
    steps: &mut dyn Steps,
    cx: &Context,
    commands: &Receiver<(Command, oneshot::Sender<Value>)>,
) -> Result<Transcript, Failed> {
    let initial = steps.initial()?;
    let mut begin = Some((None, 0));
    let mut first: Option<(Command, oneshot::Sender<Value>)> = None;
    loop {
        let (state, seed) = begin.take().unwrap_or((None, 0));
        let start: Option<State> = state.and_then(|s: usize| initial.list.get(s).cloned());
        let start = start.or_else(|| match &initial.list[..] {
            [only] if !initial.more => Some(only.clone()),
            _ => None,
        });
        let mut walk = match start {
            Some(state) => Walk::begin_at(steps, seed, state)?,
            None => Walk::begin(steps, seed)?,
        };
        loop {
            let (command, answer) = match first.take() {
                Some(next) => next,
                None => match commands.recv() {
                    Ok(next) => next,
                    Err(_) => return Ok(walk.transcript(End::Quit)),
                },
            };
            if let Command::Begin { state, seed } = command {
                begin = Some((state, seed.unwrap_or(0)));
                first = Some((Command::Look, answer));
                break;
            }
            let before = walk.len();
            let told = match done(&mut walk, &command, cx) {
                Ok(note) => view(&mut walk, before, note),
                Err(failed) => Err(failed),
            };
            let mut told = told.unwrap_or_else(|failed| json!({ "error": failed.to_string() }));
            told["starts"] = json!({ "count": initial.list.len(), "more": initial.more });
            let _ = answer.send(told);
            cx.check().map_err(|_| Failed::Stopped)?;
        }
    }
}

/// Does what is asked; returns what else there is to say.
fn done(walk: &mut Walk<'_>, command: &Command, cx: &Context) -> Result<Option<String>, Failed> {
    match command {
        Command::Look | Command::Begin { .. } => {}
        Command::Take { step, outcome } => {
            let chosen = walk.enabled()?.list.get(*step).cloned();
            let Some(chosen) = chosen else {
                return Err(Failed::Run("there is no such step".to_owned()));
            };
            walk.take(&chosen, *outcome)?;
        }
        Command::Undo { count } => {
            for _ in 0..*count {
                if !walk.undo() {
                    break;
                }
            }
        }
        Command::Random { count } => {
            for _ in 0..(*count).min(MOST_STEPS) {
                cx.check().map_err(|_| Failed::Stopped)?;
                if !walk.take_any()? {
                    break;
                }
            }
        }
        Command::Reach { name, value } => {
            let is_there =
                |values: &[(String, String)]| values.iter().any(|(n, v)| n == name && v == value);
            return Ok(match walk.reach(is_there, SEARCHED, cx)? {
                true => None,
                false => Some(format!(
                    "no state with {name} = {value} among the {SEARCHED} nearest"
                )),
            });
        }
    }
    Ok(None)
}

/// Where a walk is, and the steps that it took since it had `before`.
fn view(walk: &mut Walk<'_>, before: usize, note: Option<String>) -> Result<Value, Failed> {
    let Enumeration { list, more } = walk.enabled()?.clone();
    let cut = list.len() > SHOWN;
    let enabled: Vec<Value> = list.iter().take(SHOWN).map(|s| offered(walk, s)).collect();
    let taken = walk.taken(before).enumerate();
    let taken: Vec<Value> = taken.map(|(n, t)| t.json(before + n + 1)).collect();
    Ok(json!({
        "length": walk.len(),
        "start": walk.start(),
        "taken": taken,
        "values": walk.values(),
        "enabled": enabled,
        "more": more || cut,
        "end": walk.ending().map(|end| end.json()),
        "note": note,
    }))
}

fn offered(walk: &Walk<'_>, step: &EnabledStep) -> Value {
    let outcomes: Vec<Value> = step
        .outcomes
        .iter()
        .map(|outcome| {
            let one = EnabledStep {
                outcomes: vec![outcome.clone()],
                ..step.clone()
            };
            let changes: Vec<Value> = walk.preview(&one).iter().map(Change::json).collect();
            json!({
                "probability": outcome.probability.as_ref().map(ToString::to_string),
                "changes": changes,
                "wrong": match &outcome.leads {
                    Leads::Wrong(violation) => Some(format!("{}: {}", violation.property, violation.why)),
                    Leads::Unknown(why) => Some(why.clone()),
                    Leads::To(_) => None,
                },
            })
        })
        .collect();
    json!({
        "label": step.label,
        "actors": step.actors,
        "place": step.place,
        "outcomes": outcomes,
    })
}
