//! The initial part of a run, up to where all processes have been created.

use suppose_model::program::run::TraceStep;
use suppose_model::program::semantics::{Move, State};
use suppose_model::program::{Action, Edge, Expr, Program, Scope, StepResult};

use super::Refusal;

/// The state where all processes are there, and how to come to it.
#[derive(Clone, Debug)]
pub struct Begin {
    /// The state.
    pub state: State,
    /// The steps.
    pub steps: Vec<TraceStep>,
}

const LONGEST: usize = 100_000;

/// Runs the program until no process can make another one.
///
/// A step is taken when it is the only one possible. So is the next step of the only process that can
/// still make others, where it is one that concerns nobody else (it makes a process, or sets a variable
/// of its own) and there is no choice: all others can wait for it, so every run has one with the same
/// steps of the others in which it comes first.
pub fn begin(program: &Program) -> Result<Begin, Refusal> {
    let refuse = |why: &str| {
        let why = why.to_owned();
        Err(Refusal { why })
    };
    let Ok(mut state) = State::initial(program) else {
        return refuse("the program goes wrong at its start");
    };
    let (mut steps, mut early) = (Vec::new(), false);
    while steps.len() < LONGEST {
        let makers: Vec<usize> = makers(program, &state);
        if makers.is_empty() && state.alone.is_none() {
            if early && numbers_matter(program, &state) {
                return refuse(
                    "processes are made while others may end, and numbers of processes are looked at",
                );
            }
            return Ok(Begin { state, steps });
        }
        let moves = state.moves(program);
        let next = match (moves.as_slice(), makers.as_slice()) {
            ([one], _) => one,
            (_, [maker]) => match of(&moves, *maker).as_slice() {
                [one] if is_quiet(program, &state, one) => {
                    early = true;
                    one
                }
                _ => return refuse("processes are made while the system runs"),
            },
            _ => return refuse("processes are made while the system runs"),
        };
        let StepResult::State(after) = &next.outcome else {
            return refuse("the program goes wrong at its start");
        };
        steps.push(next.step.clone());
        state = after.clone();
    }
    refuse("the start of the program does not end")
}

fn of(moves: &[Move], process: usize) -> Vec<&Move> {
    let mine = moves.iter().filter(|m| m.step.process as usize == process);
    mine.collect()
}

/// The processes that can still make another.
fn makers(program: &Program, state: &State) -> Vec<usize> {
    let can = |process: &usize| {
        reaches(program, state, *process, |e| {
            matches!(e.action, Action::Run { .. })
        })
    };
    (0..state.processes.len()).filter(can).collect()
}

fn reaches(program: &Program, state: &State, process: usize, is: impl Fn(&Edge) -> bool) -> bool {
    let it = &state.processes[process];
    let text = &program.proctypes[it.proctype as usize];
    let mut seen = vec![false; text.locations.len()];
    let mut todo = vec![it.location as usize];
    while let Some(at) = todo.pop() {
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        for edge in &text.locations[at].edges {
            if is(edge) {
                return true;
            }
            todo.push(edge.target as usize);
        }
    }
    false
}

/// Does the step concern only the process itself and those it makes?
fn is_quiet(program: &Program, state: &State, it: &Move) -> bool {
    let process = &state.processes[it.step.process as usize];
    let text = &program.proctypes[process.proctype as usize];
    let here = &text.locations[process.location as usize];
    let ([edge], [number]) = (here.edges.as_slice(), it.step.edges.as_slice()) else {
        return false;
    };
    let own = |e: &Expr| {
        !e.any(|e| match e {
            Expr::Load(place) => place.scope == Scope::Global,
            Expr::Const(_) | Expr::Pid | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..) => {
                false
            }
            _ => true,
        })
    };
    *number == 0
        && match &edge.action {
            Action::Guard(e) => own(e),
            Action::Assign(place, e) => place.scope == Scope::Local && own(e),
            Action::Run {
                arguments, result, ..
            } => {
                let local = |p: &suppose_model::program::Place| p.scope == Scope::Local;
                result.as_ref().is_none_or(local) && arguments.iter().all(own)
            }
            _ => false,
        }
}

/// Could a process have had another number?
fn numbers_matter(program: &Program, state: &State) -> bool {
    let ends = |p| reaches(program, state, p, |e| e.action == Action::End);
    let uses = |p: usize| {
        let text = &program.proctypes[state.processes[p].proctype as usize];
        let mut edges = text.locations.iter().flat_map(|l| &l.edges);
        edges.any(|e| mentions_number(&e.action))
    };
    let others = 1..state.processes.len();
    others.clone().any(ends) && others.clone().any(uses)
}

fn mentions_number(action: &Action) -> bool {
    let is = |e: &Expr| e.any(|e| matches!(e, Expr::Pid));
    match action {
        Action::Guard(e) | Action::Assert(e) => is(e),
        Action::Assign(place, e) => is(e) || place.indices.iter().any(|i| is(&i.expr)),
        Action::Send {
            channel, values, ..
        } => is(channel) || values.iter().any(is),
        Action::Receive {
            channel, patterns, ..
        } => {
            is(channel)
                || patterns.iter().any(|p| match p {
                    suppose_model::program::Pattern::Match(e) => is(e),
                    suppose_model::program::Pattern::Store(place) => {
                        place.indices.iter().any(|i| is(&i.expr))
                    }
                    suppose_model::program::Pattern::Ignore => false,
                })
        }
        _ => false,
    }
}
