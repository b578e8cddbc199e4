//! Search with the reference semantics: for programs that the compiled form does not
//! cover, and to test the other against.

use crate::{ExplicitOptions, SearchResult, SearchVerdict};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use suppose_control::{Context, Stopped};
use suppose_model::program::run::TraceStep;
use suppose_model::program::semantics::State;
use suppose_model::program::{self, Program, Question, Trace, Violation};

/// A state, and where the claim is.
type Node = (State, u32);

struct Plain<'a> {
    program: &'a Program,
    /// The first of the questions.
    asked: Question,
    claim: Option<&'a program::Claim>,
    numbers: FxHashMap<Node, u32>,
    /// From where, by which steps, and which moves of the claim alone.
    origins: Vec<(u32, Vec<TraceStep>, Vec<u32>)>,
    queue: VecDeque<Node>,
    open: Vec<Question>,
    found: Vec<(Question, SearchVerdict)>,
    transitions: u64,
    /// Was a step not followed to its end?
    cut: bool,
}

/// Explores for questions, breadth first. End states are looked for alone: only for them a run goes on behind
/// an assertion that fails.
pub(crate) fn explore(
    program: &Program,
    group: &[Question],
    options: &ExplicitOptions,
    cx: &Context,
) -> SearchResult {
    let (ends, others): (Vec<Question>, Vec<Question>) =
        group.iter().partition(|q| **q == Question::EndStates);
    let groups = [others, ends];
    let mut groups = groups.iter().filter(|g| !g.is_empty());
    let mut outcome = SearchResult::default();
    if let Some(first) = groups.next() {
        outcome = one(program, first, options, cx);
    }
    if let Some(second) = groups.next() {
        let mut found = std::mem::take(&mut outcome.found);
        let complete = outcome.complete;
        outcome = one(program, second, options, cx);
        found.append(&mut outcome.found);
        outcome.found = found;
        outcome.complete &= complete;
    }
    outcome
}

/// Explores for questions that share an exploration.
fn one(
    program: &Program,
    group: &[Question],
    options: &ExplicitOptions,
    cx: &Context,
) -> SearchResult {
    let initial = match State::at_start(program, group[0]) {
        Ok(initial) => initial,
        Err(violation) => return crate::wrong_at_start(group, violation),
    };
    let claim = match group[0] {
        Question::Claim(number) => program.claims.get(number).filter(|c| c.events.is_none()),
        _ => None,
    };
    let mut search = Plain {
        program,
        asked: group[0],
        claim,
        numbers: FxHashMap::default(),
        origins: Vec::new(),
        queue: VecDeque::new(),
        open: group.to_vec(),
        found: Vec::new(),
        transitions: 0,
        cut: false,
    };
    let first = (initial, claim.map_or(0, |c| c.entry));
    search.add(first, u32::MAX, Vec::new(), Vec::new());
    let end = search.run(options, cx);
    let rest = match end {
        Ok(()) if options.first && !search.queue.is_empty() => {
            SearchVerdict::Unknown(crate::not_first())
        }
        Ok(()) if search.cut => SearchVerdict::Unknown(crate::too_long()),
        Ok(()) => SearchVerdict::Holds,
        Err(stopped) => SearchVerdict::Unknown(stopped.into()),
    };
    let open = std::mem::take(&mut search.open);
    search
        .found
        .extend(open.into_iter().map(|q| (q, rest.clone())));
    SearchResult {
        symmetry: None,
        threads: 1,
        states: search.numbers.len() as u64,
        transitions: search.transitions,
        depth: 0,
        memory: 0,
        complete: end.is_ok() && search.queue.is_empty() && !search.cut,
        found: search.found,
    }
}

impl Plain<'_> {
    fn add(&mut self, node: Node, from: u32, steps: Vec<TraceStep>, claim: Vec<u32>) {
        let number = self.origins.len() as u32;
        if let std::collections::hash_map::Entry::Vacant(entry) = self.numbers.entry(node) {
            self.queue.push_back(entry.key().clone());
            entry.insert(number);
            self.origins.push((from, steps, claim));
        }
    }

    fn run(&mut self, options: &ExplicitOptions, cx: &Context) -> Result<(), Stopped> {
        let mut number = 0;
        while let Some(node) = self.queue.pop_front() {
            cx.check_states(self.numbers.len() as u64)?;
            self.expand(&node, number, cx)?;
            number += 1;
            let first = options.first && !self.found.is_empty();
            if (self.open.is_empty() || first) && !options.exhaust {
                break;
            }
        }
        Ok(())
    }

    /// What is refuted when this goes wrong. A claim on messages is alone in its group.
    fn blame(&self, violation: Violation) -> Question {
        match violation {
            Violation::EndState => Question::EndStates,
            _ if violation.is_event() => self.asked,
            _ => Question::Assertions,
        }
    }

    fn see(
        &mut self,
        from: u32,
        steps: Vec<TraceStep>,
        claim: Vec<u32>,
        what: (Question, Violation),
    ) {
        let Some(place) = self.open.iter().position(|q| *q == what.0) else {
            return;
        };
        self.open.remove(place);
        let mut parts = vec![(steps, claim)];
        let mut at = from;
        while let Some((before, steps, claim)) = self.origins.get(at as usize) {
            parts.push((steps.clone(), claim.clone()));
            at = *before;
        }
        parts.reverse();
        let (steps, claim): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let trace = Trace {
            question: what.0,
            steps: steps.concat(),
            claim: claim.concat(),
            violation: what.1,
            cycle: None,
        };
        self.found.push((what.0, SearchVerdict::Violated(trace)));
    }

    fn expand(&mut self, (state, at): &Node, number: u32, cx: &Context) -> Result<(), Stopped> {
        let mut ends = Vec::new();
        let mut any = false;
        // Atomic sequences are followed to their ends; what was seen inside is not followed twice.
        let mut seen = rustc_hash::FxHashSet::default();
        let mut inner = vec![(state.clone(), Vec::new())];
        while let Some((state, steps)) = inner.pop() {
            cx.check_states((self.numbers.len() + seen.len()) as u64)?;
            for step in state.moves(self.program) {
                any = true;
                let mut steps = steps.clone();
                steps.push(step.step);
                match step.outcome {
                    program::StepResult::State(next) if next.alone.is_some() => {
                        if seen.insert(next.clone()) {
                            inner.push((next, steps));
                        }
                    }
                    program::StepResult::State(next) => ends.push((next, steps)),
                    program::StepResult::Unfinished => self.cut = true,
                    program::StepResult::Wrong(violation) => {
                        let what = (self.blame(violation), violation);
                        self.see(number, steps, Vec::new(), what);
                    }
                }
            }
        }
        match self.claim {
            None => {
                let stop = match any {
                    true => None,
                    false if !state.is_valid_end(self.program) => Some(Violation::EndState),
                    false if state.misses_events(self.program) => Some(Violation::EventsMissing),
                    false => None,
                };
                if let Some(violation) = stop {
                    let what = (self.blame(violation), violation);
                    self.see(number, Vec::new(), Vec::new(), what);
                }
                self.transitions += ends.len() as u64;
                for (next, steps) in ends {
                    self.add((next, 0), number, steps, Vec::new());
                }
            }
            Some(claim) => {
                let look = state.claim_looks(self.program, claim, *at);
                let question = self.open.first().copied();
                let question = question.unwrap_or(Question::Assertions);
                if let Some(wrong) = look.wrong {
                    self.see(number, Vec::new(), Vec::new(), (question, wrong));
                }
                for (edge, target) in look.ways {
                    if target == claim.end {
                        self.see(number, Vec::new(), vec![edge], (question, Violation::Claim));
                    } else if any {
                        for (next, steps) in &ends {
                            let mut steps = steps.clone();
                            steps[0].claim = Some(edge);
                            self.transitions += 1;
                            self.add((next.clone(), target), number, steps, Vec::new());
                        }
                    } else {
                        self.transitions += 1;
                        self.add((state.clone(), target), number, Vec::new(), vec![edge]);
                    }
                }
            }
        }
        Ok(())
    }
}
