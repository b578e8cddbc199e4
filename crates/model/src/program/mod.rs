//! Concurrent programs: processes with shared variables and channels, as PROMELA has them.
//!
//! A [`Program`] is what the front-end makes of a text and what the engines run. Names are resolved,
//! data is flattened into *slots*, and the body of a process is a graph of [`Location`]s. The graph
//! keeps SPIN's notion of a step: one edge is one step, and nothing is merged or left out, so that
//! state counts can be compared. [`semantics`] says what a step does, slowly and plainly; engines
//! have faster ways, and are tested against it.

mod answer;
pub mod events;
pub mod expr;
mod formula;
pub mod run;
pub mod semantics;
pub mod symmetry;
pub mod views;
pub mod visited;

pub use answer::{Answer, LiveProof, Proof, RankedState, Search, Verdict};
pub use events::{Event, EventPlace, Events};
pub use expr::{Binary, Expr, Index, Place, Scope, Unary};
pub use formula::{Formula, FormulaNode};
pub use run::{Cycle, StepResult, Trace, Violation};
pub use views::ViewProof;
pub use visited::Visited;

use suppose_source::Span;

/// A whole program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// Its name, from the file's.
    pub name: String,
    /// The shared variables.
    pub globals: Vec<Slot>,
    /// What kinds of channels there are; a channel is made from one of them.
    pub channels: Vec<ChannelKind>,
    /// The proctypes, `init` among them, in the order of the text.
    pub proctypes: Vec<Proctype>,
    /// The processes at the start, in the order of their numbers.
    pub start: Vec<Start>,
    /// Claims on runs: `never` and `ltl`.
    pub claims: Vec<Claim>,
    /// The names of symbolic constants by value, one list for each `mtype` type; the first is `mtype` itself.
    pub mtypes: Vec<Mtype>,
    /// Does any expression look at `_last`? Only then is it part of the state.
    pub uses_last: bool,
    /// Does the program give or change priorities? Only then do they matter.
    pub uses_priority: bool,
}

/// The symbolic constants of one `mtype`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mtype {
    /// The subtype's name; empty for plain `mtype`.
    pub name: String,
    /// The constants: the one with value `v` is at `v - 1`.
    pub constants: Vec<String>,
}

/// The type of a scalar: how many bits, and how they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `bit`.
    Bit,
    /// `bool`.
    Bool,
    /// `byte`.
    Byte,
    /// `pid`.
    Pid,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `unsigned x : n`.
    Unsigned(u8),
    /// `mtype`: the number of its list in [`Program::mtypes`].
    Mtype(u16),
    /// `chan`: the number of a channel, 0 for none.
    Chan,
}

impl Type {
    /// How many bits a value takes.
    pub fn bits(self) -> u32 {
        match self {
            Type::Bit | Type::Bool => 1,
            Type::Byte | Type::Pid | Type::Mtype(_) | Type::Chan => 8,
            Type::Short => 16,
            Type::Int => 32,
            Type::Unsigned(bits) => u32::from(bits),
        }
    }

    /// What is left of a value when it is stored.
    pub fn truncate(self, value: i32) -> i32 {
        match self {
            Type::Short => i32::from(value as i16),
            Type::Int => value,
            _ => match self.bits() {
                bits @ 0..=30 => value & ((1i32 << bits) - 1),
                31 => value & i32::MAX,
                _ => value,
            },
        }
    }
}

/// One scalar of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// How the user writes it: `x`, `a[2]`, `r.f[1]`.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its first value.
    pub init: Init,
    /// Declared `hidden`: not part of the state. It is reset in each step, so no program may rely on it.
    pub hidden: bool,
    /// Where it is declared.
    pub span: Span,
}

/// The first value of a slot.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// A constant.
    Value(i32),
    /// An expression, evaluated when the process is made, after its parameters and the slots before this one. Locals only.
    Expr(Expr),
    /// A new channel of that kind.
    Channel(u32),
}

/// What a channel is made from: `[capacity] of { fields }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelKind {
    /// How the user calls it (the variable with this initialiser).
    pub name: String,
    /// How many messages it holds; 0 is a rendezvous.
    pub capacity: u32,
    /// The fields of a message.
    pub fields: Vec<Type>,
    /// Where it is declared.
    pub span: Span,
}

/// The text of a process.
#[derive(Clone, Debug, PartialEq)]
pub struct Proctype {
    /// Its name; `:init:` is called `init`.
    pub name: String,
    /// How many of the first slots are parameters.
    pub parameters: u32,
    /// Parameters and local variables of all blocks. `_pid` is no slot.
    pub locals: Vec<Slot>,
    /// The places where a process can be.
    pub locations: Vec<Location>,
    /// The initial location.
    pub entry: u32,
    /// It runs only while this is true.
    pub provided: Option<Expr>,
    /// Channels that it has for itself: `xr` and `xs`.
    pub promises: Vec<Promise>,
    /// Where it is declared.
    pub span: Span,
}

/// `xr c` or `xs c`: while the process lives, no other one receives from the channel, or sends to it, and none looks at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// The channel, by parameters and shared variables.
    pub channel: Expr,
    /// `xr`; otherwise `xs`.
    pub receives: bool,
}

/// A process at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Of that proctype.
    pub proctype: u32,
    /// With these parameters.
    pub arguments: Vec<i32>,
    /// With that priority; 1 unless given.
    pub priority: u8,
}

/// A place in a process.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Location {
    /// The ways out. Only those with the least rank that has an executable one count.
    pub edges: Vec<Edge>,
    /// What a process that comes here keeps.
    pub keep: Keep,
    /// May a process rest here forever? (An `end` label. The place of [`Action::End`] is one too.)
    pub end: bool,
    /// Has it an `accept` label?
    pub accept: bool,
    /// Has it a `progress` label?
    pub progress: bool,
    /// All labels here.
    pub labels: Vec<String>,
    /// The statement that starts here.
    pub span: Option<Span>,
}

/// Does a process that comes to a location keep control?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// No.
    #[default]
    Nothing,
    /// Inside `atomic`: it runs exclusively while it can, and loses control when it cannot.
    Atomic,
    /// Inside `d_step`: its next step belongs to the same step of the system. It takes the first edge
    /// that is executable; that there is none is an error.
    DStep,
}

/// One step of one process.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The action of the step.
    pub action: Action,
    /// The target location.
    pub target: u32,
    /// 0 for the outermost `unless` sequence that can end this one, then inwards; the statement itself comes last.
    pub rank: u8,
    /// The statement as written in the source.
    pub text: String,
    /// Where it is written.
    pub span: Span,
    /// The number SPIN gives this transition in trails, where it is known; a `d_step` has that of the
    /// whole on its first edge. Claims have none.
    pub number: Option<u32>,
    /// Part of a `d_step`, its first statement included. Nobody can be met from there by a send; the first
    /// statement may receive in a rendezvous.
    pub d_step: bool,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Waits until this is not 0. Also `skip`, `goto` and `printf` (with the constant 1) where SPIN makes a step of them.
    Guard(Expr),
    /// Can be done when no edge before it (of its rank or a lesser one) can. It is the last one of its choice, but
    /// where a choice begins with another choice, edges of the outer one may follow, and SPIN does not look at those.
    Else,
    /// Stores a value.
    Assign(Place, Expr),
    /// Fails when this is 0.
    Assert(Expr),
    /// `chan ! values` or, sorted, `chan !! values`.
    Send {
        /// The channel.
        channel: Expr,
        /// As many values as the channel has fields.
        values: Vec<Expr>,
        /// Into its place in the order of messages.
        sorted: bool,
    },
    /// `chan ? patterns`, `chan ?? patterns`, `chan ?< patterns >`, `chan ??< patterns >`.
    Receive {
        /// The channel.
        channel: Expr,
        /// As many as the channel has fields.
        patterns: Vec<Pattern>,
        /// The first message that matches, not only the very first one.
        any: bool,
        /// The message stays.
        keep: bool,
    },
    /// Makes a process. Blocks when there are 255 already.
    Run {
        /// Of that proctype.
        proctype: u32,
        /// With these parameters.
        arguments: Vec<Expr>,
        /// With that priority.
        priority: u8,
        /// Where its number goes.
        result: Option<Place>,
    },
    /// `set_priority(process, priority)`.
    SetPriority(Expr, Expr),
    /// The closing brace: the process dies. Waits until it is the youngest.
    End,
}

/// One field of a receive or a poll.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// The field must have this value: a constant or `eval`.
    Match(Expr),
    /// The field goes here.
    Store(Place),
    /// Anything: `_`.
    Ignore,
}

/// A claim on runs: an automaton that looks at every state, the first included, before the system steps.
/// The claim is violated when the automaton comes to its end, or when it is at a place with an `accept` label infinitely often;
/// where the system stops it stutters in the last state. With [`Claim::events`] it looks at messages instead.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The name of the `ltl` block; `never` for a plain `never`.
    pub name: String,
    /// The places of the automaton. Edges are guards or `else` only.
    pub locations: Vec<Location>,
    /// The initial location.
    pub entry: u32,
    /// Reaching this one violates the claim.
    pub end: u32,
    /// The formula or claim as written in the source.
    pub text: String,
    /// Where it is written.
    pub span: Span,
    /// What a `trace` or `notrace` follows instead of states. It has no locations then.
    pub events: Option<Events>,
    /// The formula of an `ltl` block that is not a safety property, as it was read: the automaton accepts what violates it.
    pub formula: Option<Formula>,
}

impl Claim {
    /// Can an accepting place be left and come back to? Then violations may be infinite runs.
    pub fn accepts_cycles(&self) -> bool {
        let starts = self.locations.iter().enumerate().filter(|(_, l)| l.accept);
        let mut starts = starts.map(|(number, _)| number);
        starts.any(|start| {
            let mut seen = vec![false; self.locations.len()];
            let mut pending = vec![start];
            while let Some(at) = pending.pop() {
                for edge in &self.locations[at].edges {
                    let target = edge.target as usize;
                    if target == start {
                        return true;
                    }
                    if !std::mem::replace(&mut seen[target], true) {
                        pending.push(target);
                    }
                }
            }
            false
        })
    }
}

/// What can be asked of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Question {
    /// No assertion fails, and no step has a run-time error (an index out of range, a `d_step` that blocks).
    Assertions,
    /// The processes never all stop, unless each is at its end.
    EndStates,
    /// The claim of that number.
    Claim(usize),
    /// No run is at an `accept` label of a process infinitely often, or stops there.
    Acceptance,
    /// Every infinite run is at a `progress` label infinitely often.
    Progress,
}

impl Program {
    /// The name of a question, in reports and on the command line.
    pub fn question_name(&self, question: Question) -> &str {
        match question {
            Question::Assertions => "assertions",
            Question::EndStates => "end-states",
            Question::Claim(number) => self.claims.get(number).map_or("claim", |c| c.name.as_str()),
            Question::Acceptance => "acceptance",
            Question::Progress => "progress",
        }
    }

    /// The edges that a process takes in one step, one after the other, by their numbers within their locations.
    pub fn edges(&self, process: &semantics::Process, numbers: &[u32]) -> Vec<&Edge> {
        let mut edges: Vec<&Edge> = Vec::new();
        let Some(proctype) = self.proctypes.get(process.proctype as usize) else {
            return edges;
        };
        let mut at = process.location;
        for number in numbers {
            let here = proctype.locations.get(at as usize);
            let Some(edge) = here.and_then(|l| l.edges.get(*number as usize)) else {
                break;
            };
            edges.push(edge);
            at = edge.target;
        }
        edges
    }

    /// All questions that make sense here.
    pub fn questions(&self) -> Vec<Question> {
        let claims = (0..self.claims.len()).map(Question::Claim);
        let mut all = vec![Question::Assertions, Question::EndStates];
        all.extend(claims);
        let has = |is: fn(&Location) -> bool| {
            let mut locations = self.proctypes.iter().flat_map(|p| &p.locations);
            locations.any(is)
        };
        if has(|l| l.accept) {
            all.push(Question::Acceptance);
        }
        if has(|l| l.progress) {
            all.push(Question::Progress);
        }
        all
    }

    /// Is this about infinite runs?
    pub fn is_liveness(&self, question: Question) -> bool {
        match question {
            Question::Assertions | Question::EndStates => false,
            Question::Acceptance | Question::Progress => true,
            Question::Claim(number) => {
                let claim = self.claims.get(number);
                claim.is_some_and(|c| {
                    c.formula.is_some() || c.events.is_none() && c.accepts_cycles()
                })
            }
        }
    }
}
