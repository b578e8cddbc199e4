//! Reconstructs the run that leads to a violation.
//!
//! A stored state keeps only its predecessor. The steps between are recomputed by expanding each state
//! on the path again, without reduction.

use crate::SearchVerdict;
use crate::expand::{Expander, Halt};
use crate::finding::{Finding, unpack};
use crate::machine::Machine;
use crate::store::{NONE, STUTTER, States};
use crate::symmetry::{Exchange, Follower};
use suppose_control::Context;
use suppose_model::Reason;
use suppose_model::program::run::TraceStep;
use suppose_model::program::{Question, Trace, Violation};

/// The edges a claim can take, with their targets. Gives what goes wrong while looking, if anything does.
pub(crate) fn claim_moves(
    machine: &Machine,
    state: &[u64],
    at: u32,
    cx: &Context,
    moves: &mut Vec<(u32, u32)>,
) -> Option<Violation> {
    let claim = machine.claim.as_ref()?;
    let edges = claim.locations.get(at as usize)?;
    let mut wrong = None;
    let config = machine.config(state);
    let timeout = claim.uses_timeout && nothing_without_timeout(machine, state, cx);
    let before = moves.len();
    for edge in edges {
        let possible = match edge.test {
            Some(test) => match machine.eval(state, config, timeout, test) {
                Ok(value) => value != 0,
                Err(violation) => {
                    wrong = wrong.or(Some(violation));
                    false
                }
            },
            None => moves.len() == before && wrong.is_none(),
        };
        if possible {
            moves.push((edge.number, edge.target));
        }
    }
    wrong
}

fn nothing_without_timeout(machine: &Machine, state: &[u64], cx: &Context) -> bool {
    let mut expander = Expander::new(false);
    let processes = machine.config(state).processes.len();
    !(0..processes).any(|one| {
        // A configuration that is missing is missing because there is a step.
        !matches!(expander.of(machine, state, one, false, cx), Ok(false))
    })
}

/// The run to what was seen.
pub(crate) fn rebuild(
    machine: &mut Machine,
    store: &dyn States,
    goal: Finding,
    exchange: Option<&Exchange>,
    cx: &Context,
) -> SearchVerdict {
    let mut path = vec![goal.state];
    while let Some(last) = path.last()
        && store.parent(*last) != NONE
    {
        path.push(store.parent(*last));
    }
    path.reverse();
    let mut builder = Builder {
        machine,
        store,
        cx,
        expander: Expander::new(true),
        state: Vec::new(),
        steps: Vec::new(),
        claim: Vec::new(),
        follower: exchange.map(Follower::new),
    };
    let internal = |what: &str| SearchVerdict::Unknown(Reason::Internal(what.to_owned()));
    for pair in path.windows(2) {
        match builder.hop(pair[0], pair[1]) {
            Ok(true) => {}
            Ok(false) => return internal("a step of the counterexample is lost"),
            Err(found) => return found,
        }
    }
    let done = match goal.question {
        Question::Assertions => builder.fail(goal.state, goal.violation),
        Question::EndStates | Question::Acceptance | Question::Progress => Ok(true),
        Question::Claim(_) if goal.violation.is_stop() => Ok(true),
        Question::Claim(_) if goal.violation.is_event() => builder.fail(goal.state, goal.violation),
        Question::Claim(_) => builder.end_claim(goal.state, goal.violation),
    };
    if goal.violation.is_stop()
        && let Some(follower) = &builder.follower
    {
        unpack(builder.machine, store, goal.state, &mut builder.state);
        follower.finish(builder.machine, &builder.state, &mut builder.steps);
    }
    match done {
        Ok(true) => SearchVerdict::Violated(Trace {
            question: goal.question,
            steps: builder.steps,
            claim: builder.claim,
            violation: goal.violation,
            cycle: None,
        }),
        Ok(false) => internal("the end of the counterexample is lost"),
        Err(found) => found,
    }
}

struct Builder<'a, 'p> {
    machine: &'a mut Machine<'p>,
    store: &'a dyn States,
    cx: &'a Context,
    expander: Expander,
    state: Vec<u64>,
    steps: Vec<TraceStep>,
    claim: Vec<u32>,
    /// Who is who, where states are representatives.
    follower: Option<Follower<'a>>,
}

impl Builder<'_, '_> {
    fn expand(&mut self, id: u32) -> Result<bool, SearchVerdict> {
        unpack(self.machine, self.store, id, &mut self.state);
        loop {
            self.expander.clear();
            match self.expander.all(self.machine, &self.state, self.cx) {
                Ok(any) => return Ok(any),
                Err(Halt::Stopped(stopped)) => return Err(SearchVerdict::Unknown(stopped.into())),
                Err(Halt::Needs(need)) => {
                    let unsupported = |why| SearchVerdict::Unknown(Reason::Unsupported(why));
                    self.machine.make(&need).map_err(unsupported)?;
                }
            }
        }
    }

    fn claim_moves(&self, at: u32) -> Vec<(u32, u32)> {
        self.claim_looks(at).0
    }

    /// What the claim can do, and what goes wrong while it looks.
    fn claim_looks(&self, at: u32) -> (Vec<(u32, u32)>, Option<Violation>) {
        let mut moves = Vec::new();
        let wrong = claim_moves(self.machine, &self.state, at, self.cx, &mut moves);
        (moves, wrong)
    }

    /// Adds the steps from one stored state to the next.
    fn hop(&mut self, from: u32, to: u32) -> Result<bool, SearchVerdict> {
        self.expand(from)?;
        let mut target = Vec::new();
        unpack(self.machine, self.store, to, &mut target);
        let Some(field) = self.machine.claim.as_ref().map(|c| c.at) else {
            let Some(steps) = self.steps_to(&target) else {
                return Ok(false);
            };
            self.steps.extend(steps);
            return Ok(true);
        };
        let goal = field.get(&target) as u32;
        if self.store.head(to) & STUTTER != 0 {
            return Ok(self.still(from, goal));
        }
        let at = field.get(&self.state) as u32;
        let moves = match self.store.head(from) & STUTTER {
            0 => self.claim_moves(at),
            _ => Vec::new(),
        };
        let Some((edge, _)) = moves.into_iter().find(|(_, t)| *t == goal) else {
            return Ok(false);
        };
        // Successors still have the claim where it was.
        field.set(&mut target, at as i32);
        let Some(mut steps) = self.steps_to(&target) else {
            return Ok(false);
        };
        if let Some(first) = steps.first_mut() {
            first.claim = Some(edge);
        }
        self.steps.extend(steps);
        Ok(true)
    }

    /// The steps from the expanded state to that one.
    fn steps_to(&mut self, target: &[u64]) -> Option<Vec<TraceStep>> {
        let Some(follower) = &mut self.follower else {
            let record = &target[self.machine.hidden..];
            let mut items = self.expander.items.iter();
            let words = &self.expander.words;
            let item = items.find(|i| words[i.start as usize..i.end as usize] == *record)?;
            return Some(self.expander.steps_to(item.node));
        };
        let mut state = Vec::new();
        for (number, item) in self.expander.items.iter().enumerate() {
            self.expander.fill(self.machine, number, None, &mut state);
            if follower.leads_to(self.machine, &mut state, target) {
                let mut steps = self.expander.steps_to(item.node);
                follower.rename(&mut steps);
                follower.advance();
                return Some(steps);
            }
        }
        None
    }

    /// Adds the moves of the claim alone.
    fn still(&mut self, from: u32, goal: u32) -> bool {
        let Some(field) = self.machine.claim.as_ref().map(|c| c.at) else {
            return false;
        };
        let at = field.get(&self.state) as u32;
        if self.store.head(from) & STUTTER != 0 {
            let found = self.claim_moves(at).into_iter().find(|(_, t)| *t == goal);
            self.claim.extend(found.map(|(edge, _)| edge));
            return found.is_some();
        }
        for (first, between) in self.claim_moves(at) {
            let second = self.claim_moves(between);
            if let Some((second, _)) = second.into_iter().find(|(_, t)| *t == goal) {
                self.claim.extend([first, second]);
                return true;
            }
        }
        false
    }

    /// Adds the steps that go wrong.
    fn fail(&mut self, from: u32, violation: Violation) -> Result<bool, SearchVerdict> {
        self.expand(from)?;
        let wrong = self.expander.wrong.iter().find(|(v, _)| *v == violation);
        let Some((_, node)) = wrong else {
            return Ok(false);
        };
        let mut steps = self.expander.steps_to(*node);
        if let Some(follower) = &self.follower {
            follower.rename(&mut steps);
        }
        self.steps.extend(steps);
        Ok(true)
    }

    /// Adds the last moves of the claim: to its end, or to where looking at the state goes wrong.
    fn end_claim(&mut self, from: u32, violation: Violation) -> Result<bool, SearchVerdict> {
        let any = self.expand(from)?;
        let Some(claim) = &self.machine.claim else {
            return Ok(false);
        };
        let (at, end) = (claim.at.get(&self.state) as u32, claim.end);
        let (moves, wrong) = self.claim_looks(at);
        if violation != Violation::Claim {
            if wrong == Some(violation) {
                return Ok(true);
            }
            let between = moves.iter().filter(|_| !any);
            let mut found = between.filter(|(_, to)| self.claim_looks(*to).1 == Some(violation));
            let first = found.next().map(|(edge, _)| *edge);
            self.claim.extend(first);
            return Ok(first.is_some());
        }
        if let Some((edge, _)) = moves.iter().find(|(_, t)| *t == end) {
            self.claim.push(*edge);
            return Ok(true);
        }
        if any {
            return Ok(false);
        }
        for (first, between) in moves {
            let second = self.claim_moves(between);
            if let Some((second, _)) = second.into_iter().find(|(_, t)| *t == end) {
                self.claim.extend([first, second]);
                return Ok(true);
            }
        }
        Ok(false)
    }
}
