//! The graph of a program by the reference semantics: for programs that the compiled form does not cover, and for proofs.

use super::graph::{Arc, Graph, NEW};
use super::lasso::{self, RunStep};
use super::scc::{Hit, Scc};
use super::{MOST_FAIR, sets};
use crate::finding::End;
use crate::{ExplicitOptions, SearchResult, SearchVerdict};
use rustc_hash::{FxHashMap, FxHashSet};
use suppose_control::Context;
use suppose_model::Reason;
use suppose_model::program::run::{Cycle, TraceStep};
use suppose_model::program::semantics::State;
use suppose_model::program::{self, Claim, Program, Question, Trace, Violation};

/// A state, and where the claim is.
pub(super) type Node = (State, u32);

pub(super) struct Plain<'a> {
    program: &'a Program,
    question: Question,
    /// The claim that runs along, whichever the question is about.
    claim: Option<&'a Claim>,
    fair: bool,
    cx: &'a Context,
    numbers: FxHashMap<Node, u32>,
    pub(super) nodes: Vec<Node>,
    pub(super) marks: Vec<u32>,
    outside: Vec<bool>,
    /// Was a step not followed to its end?
    pub(super) cut: bool,
}

/// All steps from a state, atomic sequences followed to their ends.
#[derive(Default)]
struct Steps {
    /// Is there any, even if it fails?
    any: bool,
    /// Where they lead, how, and who takes part.
    ends: Vec<(State, Vec<TraceStep>, u64)>,
    /// Who takes part in any of them.
    able: u64,
    cut: bool,
}

impl<'a> Plain<'a> {
    pub(super) fn new(
        program: &'a Program,
        question: Question,
        claim: Option<&'a Claim>,
        fair: bool,
        cx: &'a Context,
    ) -> Self {
        Plain {
            program,
            question,
            claim,
            fair,
            cx,
            numbers: FxHashMap::default(),
            nodes: Vec::new(),
            marks: Vec::new(),
            outside: Vec::new(),
            cut: false,
        }
    }

    fn add(&mut self, node: Node) -> u32 {
        if let Some(number) = self.numbers.get(&node) {
            return *number;
        }
        let number = self.nodes.len() as u32;
        let outside = self.question == Question::Progress && self.is_labelled(&node.0);
        self.outside.push(outside);
        self.marks.push(NEW);
        self.nodes.push(node.clone());
        self.numbers.insert(node, number);
        number
    }

    fn is_labelled(&self, state: &State) -> bool {
        state.processes.iter().any(|process| {
            let text = &self.program.proctypes[process.proctype as usize];
            let here = &text.locations[process.location as usize];
            match self.question {
                Question::Progress => here.progress,
                Question::Acceptance => here.accept,
                _ => false,
            }
        })
    }

    fn steps(&self, state: &State) -> Result<Steps, End> {
        let bit = |process: u32| 1u64.checked_shl(process).unwrap_or(0);
        let mut found = Steps::default();
        let mut seen = FxHashSet::default();
        let mut inner = vec![(state.clone(), Vec::new(), 0)];
        while let Some((state, steps, movers)) = inner.pop() {
            self.cx
                .check_states((self.nodes.len() + seen.len()) as u64)?;
            for step in state.moves(self.program) {
                found.any = true;
                let mut steps: Vec<TraceStep> = steps.clone();
                let partner = step.step.partner.map_or(0, |(other, _)| bit(other));
                let movers = movers | bit(step.step.process) | partner;
                found.able |= movers;
                steps.push(step.step);
                match step.outcome {
                    program::StepResult::State(next) if next.alone.is_some() => {
                        // Who took part matters for fairness only.
                        let who = if self.fair { movers } else { 0 };
                        if seen.insert((next.clone(), who)) {
                            inner.push((next, steps, movers));
                        }
                    }
                    program::StepResult::State(next) => found.ends.push((next, steps, movers)),
                    program::StepResult::Unfinished => found.cut = true,
                    program::StepResult::Wrong(_) => {}
                }
            }
        }
        Ok(found)
    }

    fn arcs(&mut self, number: u32, arcs: &mut Vec<Arc>) -> Result<Option<Violation>, End> {
        let (state, at) = self.nodes[number as usize].clone();
        let mut places = vec![at];
        let mut accepting = self.question == Question::Acceptance && self.is_labelled(&state);
        if let Some(claim) = self.claim {
            let look = state.claim_looks(self.program, claim, at);
            if look.wrong.is_some() {
                return Ok(look.wrong);
            }
            places = look.ways.into_iter().map(|(_, target)| target).collect();
            if places.contains(&claim.end) {
                return Ok(Some(Violation::Claim));
            }
            accepting = claim.locations[at as usize].accept;
        }
        if self.fair && state.processes.len() > MOST_FAIR {
            let why = format!("fairness is decided among at most {MOST_FAIR} processes");
            return Err(End::Unsupported(why));
        }
        let steps = self.steps(&state)?;
        self.cut |= steps.cut;
        let disabled = if self.fair {
            !1 & !(steps.able << 1)
        } else {
            0
        };
        let own = u64::from(accepting) | disabled;
        for place in places {
            for (next, _, movers) in &steps.ends {
                let moved = if self.fair { movers << 1 } else { 0 };
                let to = self.add((next.clone(), place));
                arcs.push(Arc {
                    to,
                    sets: own | moved,
                });
            }
            // Where the system stops, the claim goes on alone, or the system rests.
            if !steps.any && (self.claim.is_some() || accepting) {
                let to = self.add((state.clone(), place));
                arcs.push(Arc { to, sets: own });
            }
        }
        Ok(None)
    }

    /// Adds the steps of a way to a run.
    fn follow(&self, hops: &[RunStep], trace: &mut Trace) -> Result<bool, End> {
        for hop in hops {
            let (state, at) = &self.nodes[hop.from as usize];
            let (goal, place) = &self.nodes[hop.to as usize];
            let mut edge = None;
            if let Some(claim) = self.claim {
                let look = state.claim_looks(self.program, claim, *at);
                let Some(way) = look.ways.into_iter().find(|(_, to)| to == place) else {
                    return Ok(false);
                };
                edge = Some(way.0);
            }
            let steps = self.steps(state)?;
            if !steps.any {
                trace.claim.extend(edge);
                continue;
            }
            let same = steps.ends.into_iter().filter(|(next, _, movers)| {
                next == goal && (!self.fair || (movers << 1) & !hop.sets == 0)
            });
            let Some((_, mut steps, _)) = same.max_by_key(|(.., m)| m.count_ones()) else {
                return Ok(false);
            };
            if let Some(first) = steps.first_mut() {
                first.claim = edge;
            }
            trace.steps.append(&mut steps);
        }
        Ok(true)
    }

    fn run(&mut self, hit: Hit, all: u64) -> Result<SearchVerdict, End> {
        let lost = || {
            let why = "a step of the counterexample is lost";
            Ok(SearchVerdict::Unknown(Reason::Internal(why.to_owned())))
        };
        let mut trace = Trace {
            question: self.question,
            steps: Vec::new(),
            claim: Vec::new(),
            violation: Violation::Cycle,
            cycle: None,
        };
        match hit {
            Hit::Nothing if self.cut => Ok(SearchVerdict::Unknown(crate::too_long())),
            Hit::Nothing => Ok(SearchVerdict::Holds),
            Hit::State(number, violation) => {
                let Some(stem) = lasso::way_to(self, number)? else {
                    return lost();
                };
                if !self.follow(&stem, &mut trace)? {
                    return lost();
                }
                trace.violation = violation;
                if let (Violation::Claim, Some(claim)) = (violation, self.claim) {
                    let (state, at) = &self.nodes[number as usize];
                    let look = state.claim_looks(self.program, claim, *at);
                    let last = look.ways.into_iter().find(|(_, to)| *to == claim.end);
                    trace.claim.extend(last.map(|(edge, _)| edge));
                }
                Ok(SearchVerdict::Violated(trace))
            }
            Hit::Component(least) => {
                let Some(lasso) = lasso::around(self, least, all)? else {
                    return lost();
                };
                if !self.follow(&lasso.stem, &mut trace)? {
                    return lost();
                }
                trace.cycle = Some(Cycle {
                    step: trace.steps.len(),
                    claim: trace.claim.len(),
                    fair: self.fair,
                });
                match self.follow(&lasso.cycle, &mut trace)? {
                    true => Ok(SearchVerdict::Violated(trace)),
                    false => lost(),
                }
            }
        }
    }
}

/// Decides a question by the reference semantics.
pub(super) fn decide(
    program: &Program,
    question: Question,
    options: &ExplicitOptions,
    cx: &Context,
) -> Result<SearchResult, End> {
    let claim = match question {
        Question::Claim(number) => program.claims.get(number),
        _ => None,
    };
    let mut graph = Plain::new(program, question, claim, options.fair, cx);
    let all = sets(question, options.fair);
    let mut scc = Scc::new(&mut graph, all);
    let hit = scc.run()?;
    let (transitions, depth) = (scc.transitions, scc.depth);
    let found = graph.run(hit, all)?;
    Ok(SearchResult {
        threads: 1,
        symmetry: None,
        states: graph.nodes.len() as u64,
        transitions,
        depth,
        memory: 0,
        complete: hit == Hit::Nothing && !graph.cut,
        found: vec![(question, found)],
    })
}

impl Graph for Plain<'_> {
    fn first(&mut self) -> Result<u32, End> {
        let Ok(state) = State::at_start(self.program, self.question) else {
            return Err(End::Unsupported("the program cannot start".to_owned()));
        };
        let at = self.claim.map_or(0, |c| c.entry);
        Ok(self.add((state, at)))
    }

    fn expand(&mut self, state: u32, arcs: &mut Vec<Arc>) -> Result<Option<Violation>, End> {
        self.arcs(state, arcs)
    }

    fn again(&mut self, state: u32, arcs: &mut Vec<Arc>) -> Result<(), End> {
        self.arcs(state, arcs).map(|_| ())
    }

    fn is_outside(&self, state: u32) -> bool {
        self.outside[state as usize]
    }

    fn mark(&self, state: u32) -> u32 {
        self.marks[state as usize]
    }

    fn set_mark(&mut self, state: u32, mark: u32) {
        self.marks[state as usize] = mark;
    }

    fn set_path(&mut self, _: u32, _: bool) {}

    fn pause(&mut self, _: u64, _: u64) -> Result<(), End> {
        self.cx.check_states(self.nodes.len() as u64)?;
        Ok(())
    }
}
