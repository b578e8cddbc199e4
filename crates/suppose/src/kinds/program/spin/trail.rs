//! SPIN's trail of the rewritten program as a run of the original one.

use std::collections::{HashSet, VecDeque};

use suppose_model::program::run::{Trace, TraceStep};
use suppose_model::program::semantics::State;
use suppose_model::program::{Program, Question, StepResult};
use suppose_source::Sources;

/// One step of another process, as SPIN tells it: who, and on which line of the original.
pub type Scripted = (u32, u32);

/// What SPIN told, and of what.
pub struct Script<'a> {
    /// The original program.
    pub program: &'a Program,
    /// Its files.
    pub sources: &'a Sources,
    /// The process that the automaton stands for.
    pub process: u32,
    /// The steps of the others.
    pub steps: &'a [Scripted],
}

/// A state on the way: how far the script is, and where it came from.
struct Node {
    state: State,
    position: usize,
    from: Option<(usize, TraceStep)>,
}

impl Script<'_> {
    /// Looks for a run that fails in which the other processes do what the script says, in that order, and the process
    /// that the automaton stands for does anything. The automaton's runs are not all runs of the process, so
    /// there may be none. The number of states is limited.
    pub fn follow(&self, most: usize) -> Option<Trace> {
        let initial = State::initial(self.program).ok()?;
        let mut seen = HashSet::from([(initial.clone(), 0)]);
        let mut nodes = vec![Node {
            state: initial,
            position: 0,
            from: None,
        }];
        let mut todo = VecDeque::from([0]);
        while let Some(at) = todo.pop_front() {
            let (state, position) = (nodes[at].state.clone(), nodes[at].position);
            for it in state.moves(self.program) {
                let Some(position) = self.after(&state, &it.step, position) else {
                    continue;
                };
                match it.outcome {
                    StepResult::Wrong(violation) => {
                        return Some(Trace {
                            question: Question::Assertions,
                            steps: steps(&nodes, at, it.step),
                            claim: Vec::new(),
                            violation,
                            cycle: None,
                        });
                    }
                    StepResult::Unfinished => {}
                    StepResult::State(state) => {
                        if nodes.len() < most && seen.insert((state.clone(), position)) {
                            todo.push_back(nodes.len());
                            let from = Some((at, it.step));
                            nodes.push(Node {
                                state,
                                position,
                                from,
                            });
                        }
                    }
                }
            }
        }
        None
    }

    /// Where the script is after a step, if the step comes next in it. SPIN tells the two sides of a rendezvous
    /// as two steps, and the inside of a `d_step` as several; what else it tells of the same process
    /// before the line looked for is passed over.
    fn after(&self, state: &State, step: &TraceStep, position: usize) -> Option<usize> {
        let mut position = position;
        let mut told = |who: u32, edge: u32| {
            if who == self.process {
                return Some(());
            }
            let it = &state.processes[who as usize];
            let text = &self.program.proctypes[it.proctype as usize];
            let here = &text.locations[it.location as usize];
            let edge = here.edges.get(edge as usize)?;
            let file = self.sources.file(edge.span.file)?;
            let line = file.position(edge.span.start).line;
            let rest = self.steps.get(position..)?.iter();
            let mine = rest.take_while(|(other, _)| *other == who);
            let mut numbered = mine.enumerate();
            let (passed, _) = numbered.find(|(_, (_, at))| *at as usize == line)?;
            position += passed + 1;
            Some(())
        };
        told(step.process, *step.edges.first()?)?;
        if let Some((who, edge)) = step.partner {
            told(who, edge)?;
        }
        Some(position)
    }
}

/// The steps to a node, and one more.
fn steps(nodes: &[Node], mut at: usize, last: TraceStep) -> Vec<TraceStep> {
    let mut steps = vec![last];
    while let Some((parent, step)) = &nodes[at].from {
        steps.push(step.clone());
        at = *parent;
    }
    steps.reverse();
    steps
}
