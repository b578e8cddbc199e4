//! From a way through stored states to the steps of a run.

use super::lasso::RunStep;
use super::packed::Packed;
use crate::SearchVerdict;
use crate::expand::{Expander, Halt};
use crate::finding::{End, unpack};
use crate::trace::claim_moves;
use suppose_model::program::run::{Cycle, TraceStep};
use suppose_model::program::semantics::State;
use suppose_model::program::{Program, Question, StepResult, Trace, Violation};

/// Steps so far, and moves of the claim alone behind them.
pub(super) struct Builder<'g, 'a, 'p> {
    graph: &'g mut Packed<'a, 'p>,
    expander: Expander,
    state: Vec<u64>,
    steps: Vec<TraceStep>,
    claim: Vec<u32>,
}

impl<'g, 'a, 'p> Builder<'g, 'a, 'p> {
    pub(super) fn new(graph: &'g mut Packed<'a, 'p>) -> Self {
        Builder {
            graph,
            expander: Expander::new(true),
            state: Vec::new(),
            steps: Vec::new(),
            claim: Vec::new(),
        }
    }

    /// How many steps and moves of the claim there are.
    pub(super) fn begun(&self) -> (usize, usize) {
        (self.steps.len(), self.claim.len())
    }

    /// Adds the steps of a way.
    pub(super) fn follow(&mut self, hops: &[RunStep]) -> Result<(), End> {
        for hop in hops {
            if !self.hop(hop)? {
                return Err(End::Unsupported("a step is lost".to_owned()));
            }
        }
        Ok(())
    }

    fn expand(&mut self, id: u32) -> Result<bool, End> {
        let (machine, store, cx) = self.graph.parts();
        unpack(machine, store, id, &mut self.state);
        loop {
            self.expander.clear();
            match self.expander.all(machine, &self.state, cx) {
                Ok(any) => return Ok(any),
                Err(Halt::Stopped(stopped)) => return Err(stopped.into()),
                Err(Halt::Needs(need)) => {
                    machine.make(&need).map_err(End::Unsupported)?;
                }
            }
        }
    }

    fn hop(&mut self, hop: &RunStep) -> Result<bool, End> {
        let any = self.expand(hop.from)?;
        let fair = self.graph.fair;
        let (machine, store, cx) = self.graph.parts();
        let mut target = Vec::new();
        unpack(machine, store, hop.to, &mut target);
        let mut edge = None;
        if let Some(claim) = &machine.claim {
            let (at, goal) = (claim.at.get(&self.state), claim.at.get(&target) as u32);
            let mut moves = Vec::new();
            claim_moves(machine, &self.state, at as u32, cx, &mut moves);
            let Some((number, _)) = moves.into_iter().find(|(_, to)| *to == goal) else {
                return Ok(false);
            };
            edge = Some(number);
            // Successors still have the claim where it was.
            claim.at.set(&mut target, at);
        }
        if !any {
            self.claim.extend(edge);
            return Ok(true);
        }
        let record = &target[machine.hidden..];
        let expander = &self.expander;
        let mut same = expander.items.iter().filter(|item| {
            let words = &expander.words[item.start as usize..item.end as usize];
            let moved = expander.movers(item.node) << 1;
            words == record && (!fair || moved & !hop.sets == 0)
        });
        // Of several steps, the one with most of what was counted on.
        let found = match fair {
            true => same.max_by_key(|item| expander.movers(item.node).count_ones()),
            false => same.next(),
        };
        let Some(item) = found else { return Ok(false) };
        let mut steps = expander.steps_to(item.node);
        if let Some(first) = steps.first_mut() {
            first.claim = edge;
        }
        self.steps.extend(steps);
        Ok(true)
    }

    /// The run to a state where the claim comes to its end or cannot be evaluated.
    pub(super) fn end(
        mut self,
        state: u32,
        violation: Violation,
    ) -> Result<Option<SearchVerdict>, End> {
        self.expand(state)?;
        let question = self.graph.question;
        let (machine, _, cx) = self.graph.parts();
        let Some(claim) = &machine.claim else {
            return Ok(None);
        };
        if violation == Violation::Claim {
            let (at, end) = (claim.at.get(&self.state) as u32, claim.end);
            let mut moves = Vec::new();
            claim_moves(machine, &self.state, at, cx, &mut moves);
            let Some((edge, _)) = moves.into_iter().find(|(_, to)| *to == end) else {
                return Ok(None);
            };
            self.claim.push(edge);
        }
        Ok(Some(SearchVerdict::Violated(Trace {
            question,
            steps: self.steps,
            claim: self.claim,
            violation,
            cycle: None,
        })))
    }

    /// The run that repeats what was added since `begin`.
    pub(super) fn cycle(self, question: Question, begin: (usize, usize), fair: bool) -> Trace {
        Trace {
            question,
            steps: self.steps,
            claim: self.claim,
            violation: Violation::Cycle,
            cycle: Some(Cycle {
                step: begin.0,
                claim: begin.1,
                fair,
            }),
        }
    }
}

/// So often a cycle is gone around until its states come back.
const ROUNDS: usize = 4;

/// The same run, with the cycle beginning where its states come back exactly: variables that are dead where the cycle begins may
/// have other values after the first time around, and do not change after that.
pub(super) fn closed(program: &Program, mut trace: Trace) -> Option<Trace> {
    let cycle = trace.cycle.as_mut()?;
    let round: Vec<TraceStep> = trace.steps[cycle.step..].to_vec();
    if round.is_empty() {
        return Some(trace);
    }
    let mut state = State::at_start(program, trace.question).ok()?;
    for step in &trace.steps[..cycle.step] {
        state = after(program, &state, step)?;
    }
    for _ in 0..ROUNDS {
        let mut next = state.clone();
        for step in &round {
            next = after(program, &next, step)?;
        }
        if next == state {
            return Some(trace);
        }
        state = next;
        cycle.step = trace.steps.len();
        trace.steps.extend(round.iter().cloned());
    }
    None
}

fn after(program: &Program, state: &State, step: &TraceStep) -> Option<State> {
    match state.move_like(program, step)?.outcome {
        StepResult::State(next) => Some(next),
        _ => None,
    }
}
