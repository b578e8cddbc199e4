//! Simulation of a model: random, interactive, or along a counterexample.
//!
//! [`Walk`] is a walk over any [`Steps`], with a history that can be undone. The result is a [`Transcript`], which is rendered as text or as a
//! JSON document. [`talk`] is the interactive simulation. Nothing here reads or prints.
//!
//! ```
//! use suppose::Context;
//! use suppose::simulate::random;
//! use suppose::steps::NetworkSteps;
//! # use suppose_model::lts::{Labels, LtsBuilder, Network};
//! # let mut labels = Labels::new();
//! # let (coin, tea) = (labels.intern("coin"), labels.intern("tea"));
//! # let mut machine = LtsBuilder::new("Machine");
//! # machine.edge(0, coin, 1).edge(1, tea, 0);
//! # let mut network = Network::new("System", labels);
//! # network.add_component(machine.build());
//! # network.close();
//! let mut steps = NetworkSteps::new(&network);
//! let transcript = random(&mut steps, 3, 0, &Context::default())?;
//! assert_eq!(transcript.last_line(), "3 steps taken");
//! # Ok::<(), suppose::steps::Failed>(())
//! ```

mod talk;
mod text;
mod transcript;

pub use talk::{Terminal, talk};
pub use transcript::{Change, End, SCHEMA, SCHEMA_VERSION, Taken, Transcript};

use suppose_control::Context;

use crate::steps::{
    EnabledStep, Ending, Enumeration, Failed, Leads, Path, Random, State, Status, Steps, Violation,
};

/// A walk so far.
pub struct Walk<'a> {
    steps: &'a mut dyn Steps,
    random: Random,
    start: Point,
    past: Vec<(Taken, Point)>,
    /// The enabled steps of the current state, once they are needed.
    enabled: Option<Enumeration<EnabledStep>>,
}

/// Where a walk is.
#[derive(Clone, Debug)]
struct Point {
    /// None after a step with an error.
    state: Option<State>,
    values: Vec<(String, String)>,
    status: Status,
}

/// A state of the search in [`Walk::reach`].
struct Reached {
    state: State,
    /// The number of the state before it, the step from there, and which of its outcomes; none at the start.
    from: Option<(usize, EnabledStep, usize)>,
}

impl std::fmt::Debug for Walk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Walk");
        shown.field("at", self.now()).finish_non_exhaustive()
    }
}

impl<'a> Walk<'a> {
    /// Begins in a random initial state. The same seed gives the same walk.
    pub fn begin(steps: &'a mut dyn Steps, seed: u64) -> Result<Self, Failed> {
        let mut random = Random::new(seed);
        match steps.sample_initial(&mut random)? {
            Some(state) => Walk::from(steps, random, state),
            None => Err(no_start()),
        }
    }

    /// Begins in that state.
    pub fn begin_at(steps: &'a mut dyn Steps, seed: u64, state: State) -> Result<Self, Failed> {
        Walk::from(steps, Random::new(seed), state)
    }

    fn from(steps: &'a mut dyn Steps, random: Random, state: State) -> Result<Self, Failed> {
        let start = point(steps, state)?;
        Ok(Walk {
            steps,
            random,
            start,
            past: Vec::new(),
            enabled: None,
        })
    }

    fn now(&self) -> &Point {
        self.past.last().map_or(&self.start, |(_, point)| point)
    }

    /// How many steps were taken.
    pub fn len(&self) -> usize {
        self.past.len()
    }

    /// Is it still where it began?
    pub fn is_empty(&self) -> bool {
        self.past.is_empty()
    }

    /// The current state; none after a step with an error.
    pub fn state(&self) -> Option<&State> {
        self.now().state.as_ref()
    }

    /// The values of that state.
    pub fn values(&self) -> &[(String, String)] {
        &self.now().values
    }

    /// The values of the first state.
    pub fn start(&self) -> &[(String, String)] {
        &self.start.values
    }

    /// Remarks on it.
    pub fn status(&self) -> &Status {
        &self.now().status
    }

    /// The last step.
    pub fn last(&self) -> Option<&Taken> {
        self.past.last().map(|(taken, _)| taken)
    }

    /// The steps that can be taken. None where the walk has come to an end.
    pub fn enabled(&mut self) -> Result<&Enumeration<EnabledStep>, Failed> {
        let found = match (self.enabled.take(), self.state().cloned()) {
            (Some(known), _) => known,
            (None, Some(state)) => self.steps.enabled(&state)?,
            (None, None) => Enumeration::all(Vec::new()),
        };
        Ok(self.enabled.insert(found))
    }

    /// What a step would change.
    pub fn preview(&self, step: &EnabledStep) -> Vec<Change> {
        match step.outcomes.first().map(|o| &o.leads) {
            Some(Leads::To(state)) => changes(&self.now().values, &self.steps.show(state)),
            _ => Vec::new(),
        }
    }

    /// Takes a step; its outcome is random unless the number of one is given.
    pub fn take(&mut self, step: &EnabledStep, outcome: Option<usize>) -> Result<(), Failed> {
        let drawn = match outcome {
            Some(number) => number,
            None => self.random.outcome(&step.outcomes),
        };
        let Some(outcome) = step.outcomes.get(drawn) else {
            return Err(Failed::Run("there is no such outcome".to_owned()));
        };
        let before = self.now().values.clone();
        let (next, changes) = match &outcome.leads {
            Leads::To(state) => {
                let next = point(self.steps, state.clone())?;
                let changes = changes(&before, &next.values);
                (next, changes)
            }
            Leads::Wrong(violation) => (broken(before, violation.clone()), Vec::new()),
            Leads::Unknown(why) => return Err(Failed::Model(why.clone())),
        };
        let taken = Taken {
            label: step.label.clone(),
            actors: step.actors.clone(),
            place: step.place.clone(),
            probability: outcome.probability.clone(),
            changes,
            notes: notes(&next.status, Some(&self.now().status)),
        };
        self.past.push((taken, next));
        self.enabled = None;
        Ok(())
    }

    /// Takes a random step. False if there is none.
    pub fn take_any(&mut self) -> Result<bool, Failed> {
        if self.now().status.ending.is_some() {
            return Ok(false);
        }
        let Some(state) = self.state().cloned() else {
            return Ok(false);
        };
        let Some(step) = self.steps.sample(&state, &mut self.random)? else {
            return Ok(false);
        };
        self.take(&step, None)?;
        Ok(true)
    }

    /// The steps that were taken, from that one on (0 is the first).
    pub fn taken(&self, from: usize) -> impl Iterator<Item = &Taken> {
        let from = from.min(self.past.len());
        self.past[from..].iter().map(|(taken, _)| taken)
    }

    /// Takes a shortest way to a state whose values fit, looking at no more than `most` states, and says whether there is one. Of
    /// a probabilistic step any outcome may be taken.
    pub fn reach(
        &mut self,
        fits: impl Fn(&[(String, String)]) -> bool,
        most: usize,
        cx: &Context,
    ) -> Result<bool, Failed> {
        let Some(start) = self.state().cloned() else {
            return Ok(false);
        };
        let mut found = vec![Reached {
            state: start.clone(),
            from: None,
        }];
        let mut seen = std::collections::HashSet::from([start]);
        let mut at = 0;
        while at < found.len() {
            cx.check().map_err(|_| Failed::Stopped)?;
            let state = found[at].state.clone();
            if at > 0 && fits(&self.steps.show(&state)) {
                self.follow(&found, at)?;
                return Ok(true);
            }
            let open = self.steps.status(&state)?.ending.is_none();
            let enabled = match open && found.len() < most {
                true => self.steps.enabled(&state)?.list,
                false => Vec::new(),
            };
            for step in enabled {
                for number in 0..step.outcomes.len() {
                    let Leads::To(next) = &step.outcomes[number].leads else {
                        continue;
                    };
                    if seen.insert(next.clone()) {
                        found.push(Reached {
                            state: next.clone(),
                            from: Some((at, step.clone(), number)),
                        });
                    }
                }
            }
            at += 1;
        }
        Ok(false)
    }

    /// Takes the way on which that state was found.
    fn follow(&mut self, found: &[Reached], mut at: usize) -> Result<(), Failed> {
        let mut way = Vec::new();
        while let Some((before, step, outcome)) = &found[at].from {
            way.push((step, *outcome));
            at = *before;
        }
        for (step, outcome) in way.into_iter().rev() {
            self.take(step, Some(outcome))?;
        }
        Ok(())
    }

    /// Undoes the last step. False if there is none.
    pub fn undo(&mut self) -> bool {
        self.enabled = None;
        self.past.pop().is_some()
    }

    /// How it ended, if it came to an end by itself.
    pub fn ending(&self) -> Option<End> {
        Some(match self.now().status.ending.clone()? {
            Ending::Deadlock(why) => End::Deadlock(why),
            Ending::End => End::Finished,
            Ending::Violated(violation) => End::Violated(violation),
        })
    }

    /// The transcript. `end` is why it ends, unless it came to an end by itself.
    pub fn transcript(&self, end: End) -> Transcript {
        Transcript {
            start: self.start.values.clone(),
            notes: notes(&self.start.status, None),
            steps: self.past.iter().map(|(taken, _)| taken.clone()).collect(),
            end: self.ending().unwrap_or(end),
            loops_to: None,
            remarks: Vec::new(),
        }
    }
}

/// A random walk of `count` steps, or until no step is possible. The context is polled at every step.
pub fn random(
    steps: &mut dyn Steps,
    count: u64,
    seed: u64,
    cx: &Context,
) -> Result<Transcript, Failed> {
    let mut walk = Walk::begin(steps, seed)?;
    for _ in 0..count {
        cx.check().map_err(|_| Failed::Stopped)?;
        if !walk.take_any()? {
            break;
        }
    }
    Ok(walk.transcript(End::Steps))
}

/// Follows a counterexample.
pub fn replay(steps: &mut dyn Steps, path: &Path) -> Result<Transcript, Failed> {
    let end = End::Violated(path.shows.clone());
    let Some(start) = path.start.clone() else {
        return Ok(Transcript {
            start: Vec::new(),
            notes: Vec::new(),
            steps: Vec::new(),
            end,
            loops_to: None,
            remarks: path.remarks.clone(),
        });
    };
    let mut walk = Walk::begin_at(steps, 0, start)?;
    for hop in &path.steps {
        walk.take(&hop.step, Some(hop.outcome))?;
        if let Some((taken, _)) = walk.past.last_mut() {
            taken.notes.extend(hop.remarks.iter().cloned());
        }
    }
    let mut transcript = walk.transcript(End::Steps);
    transcript.end = end;
    transcript.loops_to = path.loops_to;
    transcript.remarks = path.remarks.clone();
    Ok(transcript)
}

/// There is nowhere to begin.
fn no_start() -> Failed {
    Failed::Model("the model has no initial state".to_owned())
}

fn point(steps: &mut dyn Steps, state: State) -> Result<Point, Failed> {
    Ok(Point {
        values: steps.show(&state),
        status: steps.status(&state)?,
        state: Some(state),
    })
}

/// After a step with an error there is no state, and the values are those before it.
fn broken(values: Vec<(String, String)>, violation: Violation) -> Point {
    Point {
        state: None,
        values,
        status: Status {
            ending: Some(Ending::Violated(violation)),
            violated: Vec::new(),
        },
    }
}

/// New remarks on a state.
fn notes(status: &Status, before: Option<&Status>) -> Vec<String> {
    let known = |v: &&Violation| before.is_some_and(|b| b.violated.contains(v));
    let fresh = status.violated.iter().filter(|v| !known(v));
    let mut notes: Vec<String> = fresh
        .map(|v| format!("{}: {}", v.property, v.why))
        .collect();
    notes.extend(status.ending.as_ref().map(|ending| match ending {
        Ending::Deadlock(why) => format!("deadlock: {why}"),
        Ending::End => "the end: nothing is left to do".to_owned(),
        Ending::Violated(v) => format!("{}: {}", v.property, v.why),
    }));
    notes
}

/// The changes, in the order of the model; values that are gone come last.
fn changes(before: &[(String, String)], after: &[(String, String)]) -> Vec<Change> {
    let old: std::collections::HashMap<&str, &str> = before
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let new: std::collections::HashSet<&str> =
        after.iter().map(|(name, _)| name.as_str()).collect();
    let changed = after
        .iter()
        .filter(|(name, value)| old.get(name.as_str()) != Some(&value.as_str()));
    let changed = changed.map(|(name, value)| Change {
        name: name.clone(),
        value: Some(value.clone()),
    });
    let gone = before
        .iter()
        .filter(|(name, _)| !new.contains(name.as_str()));
    let gone = gone.map(|(name, _)| Change {
        name: name.clone(),
        value: None,
    });
    changed.chain(gone).collect()
}
