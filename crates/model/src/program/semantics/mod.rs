//! The reference semantics of steps: engines are tested against it, and counterexamples replayed by it.
//!
//! The rules are SPIN's. A process that reaches a location inside `atomic` runs exclusively while it
//! can; such states are on the way only, and SPIN does not store them. A rendezvous is one step of
//! two processes, and control goes to the receiver. A `d_step` is one step. `timeout` is true when
//! nothing can be done without it. Processes die youngest first, and their channels with them.

mod arithmetic;
mod eval;
mod events;
mod moves;
pub mod partial;
mod replay;

pub use moves::{LONGEST_D_STEP, Move};
pub use replay::{ClaimLook, Refused, Replayed, replay};

use super::{Init, Keep, Program, Question, Violation};

/// A state of a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// The shared variables. Hidden ones are always 0 here between steps.
    pub globals: Vec<i32>,
    /// The processes; the number of a process is its place.
    pub processes: Vec<Process>,
    /// The channels; the number of a channel is its place plus 1.
    pub channels: Vec<Channel>,
    /// The process that made the last step, where the program looks at `_last`.
    pub last: u32,
    /// The process that runs exclusively, inside `atomic`; none if it cannot take a step.
    pub alone: Option<u32>,
    /// The claim on messages that runs along, and where it is.
    pub events: Option<(u32, u32)>,
    /// Does a run go on behind an assertion that fails? It does where end states are looked for.
    pub lenient: bool,
    /// The process whose steps `enabled()` computes; none between steps.
    pub asking: Vec<u32>,
}

/// A process in a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Process {
    /// Its proctype.
    pub proctype: u32,
    /// Its location in the control-flow graph.
    pub location: u32,
    /// Its variables.
    pub locals: Vec<i32>,
    /// Its priority.
    pub priority: u8,
}

/// A channel in a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Channel {
    /// Its kind.
    pub kind: u32,
    /// The process it dies with; none for shared ones.
    pub owner: Option<u32>,
    /// Its messages, the oldest first.
    pub messages: Vec<Vec<i32>>,
}

/// The most processes, and the most channels, a program can have at a time.
pub const MOST: usize = 255;

impl State {
    /// The state at the start, as a question wants it: a claim on messages runs along, and what stops is looked for behind
    /// assertions that fail as well, for a program does not end there.
    pub fn at_start(program: &Program, question: Question) -> Result<State, Violation> {
        let mut state = State::initial(program)?;
        match question {
            Question::Assertions | Question::Acceptance | Question::Progress => {}
            Question::EndStates => state.lenient = true,
            Question::Claim(number) => state.watch(program, number),
        }
        Ok(state)
    }

    /// The state at the start.
    pub fn initial(program: &Program) -> Result<State, Violation> {
        let mut state = State {
            globals: vec![0; program.globals.len()],
            processes: Vec::new(),
            channels: Vec::new(),
            last: 0,
            alone: None,
            events: None,
            lenient: false,
            asking: Vec::new(),
        };
        for (number, slot) in program.globals.iter().enumerate() {
            state.globals[number] = match &slot.init {
                Init::Value(value) => arithmetic::cut(slot.ty, *value),
                Init::Channel(kind) => state.new_channel(*kind, None)?,
                Init::Expr(expr) => {
                    let value = state.eval(program, None, false, expr)?;
                    arithmetic::cut(slot.ty, value)
                }
            };
        }
        for start in &program.start {
            state.new_process(program, start.proctype, &start.arguments, start.priority)?;
        }
        Ok(state)
    }

    fn new_channel(&mut self, kind: u32, owner: Option<u32>) -> Result<i32, Violation> {
        if self.channels.len() >= MOST {
            return Err(Violation::TooMany);
        }
        let messages = Vec::new();
        self.channels.push(Channel {
            kind,
            owner,
            messages,
        });
        Ok(self.channels.len() as i32)
    }

    /// Makes a process; its number.
    fn new_process(
        &mut self,
        program: &Program,
        proctype: u32,
        arguments: &[i32],
        priority: u8,
    ) -> Result<u32, Violation> {
        let text = &program.proctypes[proctype as usize];
        let number = self.processes.len();
        if number >= MOST {
            return Err(Violation::TooMany);
        }
        self.processes.push(Process {
            proctype,
            location: text.entry,
            locals: vec![0; text.locals.len()],
            priority,
        });
        for (place, slot) in text.locals.iter().enumerate() {
            let value = match (arguments.get(place), &slot.init) {
                (Some(value), _) if place < text.parameters as usize => *value,
                (_, Init::Value(value)) => *value,
                (_, Init::Channel(kind)) => self.new_channel(*kind, Some(number as u32))?,
                (_, Init::Expr(expr)) => self.eval(program, Some(number), false, expr)?,
            };
            self.processes[number].locals[place] = arithmetic::cut(slot.ty, value);
        }
        Ok(number as u32)
    }

    /// May the system rest here? Each process is at its end or at an end label.
    pub fn is_valid_end(&self, program: &Program) -> bool {
        self.processes.iter().all(|process| {
            let text = &program.proctypes[process.proctype as usize];
            let here = &text.locations[process.location as usize];
            here.end || here.edges.iter().any(|e| e.action == super::Action::End)
        })
    }

    fn keep(&self, program: &Program, process: usize) -> Keep {
        let it = &self.processes[process];
        let text = &program.proctypes[it.proctype as usize];
        text.locations[it.location as usize].keep
    }
}
