//! Interactive simulation, line by line.

use std::fmt::Write;

use super::text::{start, what};
use super::{Change, End, Transcript, Walk, no_start};
use crate::steps::{EnabledStep, Enumeration, Failed, State, Steps};

/// The most changes of a step that the menu lists.
const CHANGES: usize = 6;

const HELP: &str = "  1, 2, ...  take that step
  2.1        take step 2 with its first outcome
  r          take a random step; r 10 takes ten
  u          undo the last step
  s          show the full state
  q          quit
";

/// Input and output of the dialogue.
pub struct Terminal<'a> {
    /// The next line; none when there are no more.
    pub read: &'a mut dyn FnMut() -> Option<String>,
    /// Shows text.
    pub write: &'a mut dyn FnMut(&str),
    /// Echo the lines that are read, if they are not typed at a terminal.
    pub echo: bool,
}

impl std::fmt::Debug for Terminal<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Terminal").finish_non_exhaustive()
    }
}

/// What a line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Request {
    Step(usize, Option<usize>),
    Random(u64),
    Undo,
    Show,
    Quit,
    Help,
    Menu,
}

/// Lets the user choose every step, until they quit or there are no more lines.
pub fn talk(steps: &mut dyn Steps, seed: u64, io: &mut Terminal<'_>) -> Result<Transcript, Failed> {
    let found = steps.initial()?;
    let state = match (&found.list[..], found.more) {
        ([], _) => return Err(no_start()),
        ([only], false) => Some(only.clone()),
        _ => match first(steps, &found, io)? {
            Chosen::State(state) => Some(state),
            Chosen::Any => None,
            Chosen::Nothing => return Ok(nothing()),
        },
    };
    let mut walk = match state {
        Some(state) => Walk::begin_at(steps, seed, state)?,
        None => Walk::begin(steps, seed)?,
    };
    (io.write)(&start(walk.values(), &walk.transcript(End::Quit).notes));
    let mut list = true;
    loop {
        if list {
            let menu = menu(&mut walk)?;
            (io.write)(&menu);
        }
        list = match io.request() {
            None | Some(Ok(Request::Quit)) => break,
            Some(Err(what)) => {
                (io.write)(&what);
                false
            }
            Some(Ok(request)) => answer(&mut walk, request, io)?,
        };
    }
    Ok(walk.transcript(End::Quit))
}

impl Terminal<'_> {
    /// What the next line asks for; none at the end of the input.
    fn request(&mut self) -> Option<Result<Request, String>> {
        (self.write)("> ");
        let Some(line) = (self.read)() else {
            (self.write)("\n");
            return None;
        };
        if self.echo {
            (self.write)(&format!("{}\n", suppose_report::shown(line.trim_end())));
        }
        Some(request(&line))
    }
}

fn request(line: &str) -> Result<Request, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |text: &str| text.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
    Ok(match words[..] {
        [] => Request::Menu,
        ["u" | "undo"] => Request::Undo,
        ["r" | "random"] => Request::Random(1),
        ["r" | "random", count] if count.parse::<u64>().is_ok() => {
            Request::Random(count.parse().unwrap_or(1))
        }
        ["s" | "show"] => Request::Show,
        ["q" | "quit" | "exit"] => Request::Quit,
        ["?" | "h" | "help"] => Request::Help,
        [one] => {
            let parts: Vec<Option<usize>> = one.split('.').map(number).collect();
            match parts[..] {
                [Some(step)] => Request::Step(step, None),
                [Some(step), Some(outcome)] => Request::Step(step, Some(outcome)),
                _ => return Err(unknown(line)),
            }
        }
        _ => return Err(unknown(line)),
    })
}

fn unknown(line: &str) -> String {
    let line = suppose_report::shown(line.trim());
    format!("`{line}` is not known here: expected the number of a step, u, r, s, q or ?\n")
}

/// Does what a line asks for. Says whether the menu is to be shown again.
fn answer(walk: &mut Walk<'_>, request: Request, io: &mut Terminal<'_>) -> Result<bool, Failed> {
    match request {
        Request::Quit => Ok(false),
        Request::Menu => Ok(true),
        Request::Help => {
            (io.write)(HELP);
            Ok(false)
        }
        Request::Show => {
            let mut out = String::new();
            for (name, value) in walk.values() {
                let value = Some(value.clone());
                let name = name.clone();
                let _ = writeln!(out, "  {}", Change { name, value }.text());
            }
            (io.write)(&out);
            Ok(false)
        }
        Request::Undo => {
            if !walk.undo() {
                (io.write)("there is no step to undo\n");
                return Ok(false);
            }
            let back = match walk.len() {
                0 => "back at the start\n".to_owned(),
                n => format!("back after step {n}\n"),
            };
            (io.write)(&back);
            Ok(true)
        }
        Request::Random(count) => {
            for _ in 0..count {
                if !walk.take_any()? {
                    (io.write)("no step is enabled\n");
                    return Ok(false);
                }
                tell(walk, io);
            }
            Ok(true)
        }
        Request::Step(number, outcome) => {
            let found = walk.enabled()?;
            let Some(step) = found.list.get(number).cloned() else {
                let most = found.list.len();
                let message = match most {
                    0 => "no step is enabled\n".to_owned(),
                    _ => format!("there is no step {}: expected 1 to {most}\n", number + 1),
                };
                (io.write)(&message);
                return Ok(false);
            };
            if outcome.is_some_and(|o| o >= step.outcomes.len()) {
                let most = step.outcomes.len();
                (io.write)(&format!("step {} has {most} outcomes\n", number + 1));
                return Ok(false);
            }
            walk.take(&step, outcome)?;
            tell(walk, io);
            Ok(true)
        }
    }
}

/// Shows the last step.
fn tell(walk: &Walk<'_>, io: &mut Terminal<'_>) {
    if let Some(last) = walk.last() {
        (io.write)(&last.text(walk.len()));
    }
}

/// The menu of steps.
fn menu(walk: &mut Walk<'_>) -> Result<String, Failed> {
    if walk.ending().is_some() && walk.enabled()?.list.is_empty() {
        return Ok("u undoes the last step, q quits\n".to_owned());
    }
    let found = walk.enabled()?.clone();
    let mut out = String::new();
    for (number, step) in found.list.iter().enumerate() {
        let same = |s: &EnabledStep| s.label == step.label && s.actors == step.actors;
        let ambiguous = found.list.iter().filter(|s| same(s)).count() > 1;
        let mut line = what(&step.label, &step.actors, step.place.as_deref());
        if (line.is_empty() || ambiguous) && step.outcomes.len() == 1 {
            let changes = few(&walk.preview(step));
            line = match line.is_empty() {
                true => changes,
                false => format!("{line}: {changes}"),
            };
        }
        let _ = writeln!(out, "  {}  {line}", number + 1);
        if step.outcomes.len() > 1 {
            for (at, outcome) in step.outcomes.iter().enumerate() {
                let one = EnabledStep {
                    outcomes: vec![outcome.clone()],
                    ..step.clone()
                };
                let chance = outcome.probability.as_ref();
                let chance = chance.map_or(String::new(), |p| format!("{p}: "));
                let changes = few(&walk.preview(&one));
                let _ = writeln!(out, "     {}.{}  {chance}{changes}", number + 1, at + 1);
            }
        }
    }
    if found.more {
        out.push_str("  and more: r takes any of them\n");
    }
    Ok(out)
}

/// A few changes in one line.
fn few(changes: &[Change]) -> String {
    if changes.is_empty() {
        return "nothing changes".to_owned();
    }
    let mut texts: Vec<String> = changes.iter().take(CHANGES).map(Change::text).collect();
    if changes.len() > CHANGES {
        texts.push(format!("and {} more", changes.len() - CHANGES));
    }
    texts.join(", ")
}

enum Chosen {
    State(State),
    Any,
    Nothing,
}

/// Lets the user choose the initial state.
fn first(
    steps: &mut dyn Steps,
    found: &Enumeration<State>,
    io: &mut Terminal<'_>,
) -> Result<Chosen, Failed> {
    let mut out = "initial states\n".to_owned();
    // Values that are the same in all do not help to choose.
    let shown: Vec<Vec<(String, String)>> = found.list.iter().map(|s| steps.show(s)).collect();
    let common = |at: usize| shown.iter().all(|s| s.get(at) == shown[0].get(at));
    for (number, values) in shown.iter().enumerate() {
        let own = values.iter().enumerate().filter(|(at, _)| !common(*at));
        let own: Vec<Change> = own
            .map(|(_, (name, value))| Change {
                name: name.clone(),
                value: Some(value.clone()),
            })
            .collect();
        let _ = writeln!(out, "  {}  {}", number + 1, few(&own));
    }
    if found.more {
        out.push_str("  and more: r takes any of them\n");
    }
    (io.write)(&out);
    loop {
        match io.request() {
            None | Some(Ok(Request::Quit)) => return Ok(Chosen::Nothing),
            Some(Ok(Request::Random(_))) => return Ok(Chosen::Any),
            Some(Ok(Request::Step(number, None))) if number < found.list.len() => {
                return Ok(Chosen::State(found.list[number].clone()));
            }
            Some(_) => {
                let most = found.list.len();
                let text = format!("choose an initial state: expected 1 to {most}, r or q\n");
                (io.write)(&text);
            }
        }
    }
}

/// The user quit before there was a first state.
fn nothing() -> Transcript {
    Transcript {
        start: Vec::new(),
        notes: Vec::new(),
        steps: Vec::new(),
        end: End::Quit,
        loops_to: None,
        remarks: Vec::new(),
    }
}
