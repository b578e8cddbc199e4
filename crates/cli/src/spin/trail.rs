//! SPIN's trail of the rewritten program as a run of the original one.

use std::collections::{HashSet, VecDeque};

use suppose_model::program::run::{Step, Trace};
use suppose_model::program::semantics::State;
use suppose_model::program::{Outcome, Program, Question};
use suppose_source::Sources;

/// One step of another process, as SPIN tells it: who, and on which line of the original.
pub type Scripted = (u32, u32);

/// Looks for a run that fails in which the other processes do what the script says, in that order, and the process that the
/// automaton stands for does anything. The automaton's runs are not all runs of the process, so there may be none.
pub fn follow(
    program: &Program,
    sources: &Sources,
    process: u32,
    script: &[Scripted],
    most: usize,
) -> Option<Trace> {
    let initial = State::initial(program).ok()?;
    let mut nodes: Vec<(State, usize, Option<(usize, Step)>)> = vec![(initial.clone(), 0, None)];
    let mut seen = HashSet::new();
    seen.insert((initial, 0usize));
    let mut todo = VecDeque::from([0usize]);
    while let Some(at) = todo.pop_front() {
        let (state, position) = (nodes[at].0.clone(), nodes[at].1);
        for it in state.moves(program) {
            let next = match it.step.process == process && it.step.partner.is_none() {
                true => position,
                false => match next_in_script(
                    program, sources, &state, &it.step, process, script, position,
                ) {
                    Some(next) => next,
                    None => continue,
                },
            };
            match it.outcome {
                Outcome::Wrong(violation) => {
                    let mut steps = vec![it.step];
                    let mut node = at;
                    while let Some((parent, step)) = &nodes[node].2 {
                        steps.push(step.clone());
                        node = *parent;
                    }
                    steps.reverse();
                    return Some(Trace {
                        question: Question::Assertions,
                        steps,
                        claim: Vec::new(),
                        violation,
                    });
                }
                Outcome::State(after) => {
                    if nodes.len() < most && seen.insert((after.clone(), next)) {
                        todo.push_back(nodes.len());
                        nodes.push((after, next, Some((at, it.step))));
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
fn next_in_script(
    program: &Program,
    sources: &Sources,
    state: &State,
    step: &Step,
    process: u32,
    script: &[Scripted],
    position: usize,
) -> Option<usize> {
    let mut position = position;
    let mut told = |who: u32, edge: u32| {
        if who == process {
            return Some(());
        }
        let it = &state.processes[who as usize];
        let text = &program.proctypes[it.proctype as usize];
        let edge = text.locations[it.location as usize]
            .edges
            .get(edge as usize)?;
        let file = sources.file(edge.span.file)?;
        let line = file.position(edge.span.start).line;
        let rest = script.get(position..)?.iter();
        let mine = rest.take_while(|(other, _)| *other == who);
        let at = mine
            .enumerate()
            .find(|(_, (_, at))| *at as usize == line as usize)?;
        position += at.0 + 1;
        Some(())
    };
    told(step.process, *step.edges.first()?)?;
    if let Some((who, edge)) = step.partner {
        told(who, edge)?;
    }
    Some(position)
}
