//! Programs: a step is a statement of a process, or a rendezvous of two.

use suppose_model::program::run::TraceStep as Taken;
use suppose_model::program::semantics::{Channel, Move, Process, State as Whole};
use suppose_model::program::{Edge, Location, Program, Question, Slot, StepResult, Trace};
use suppose_report::program::names;
use suppose_source::{Sources, Span};

use super::claims::{Claims, Sets};
use super::{
    EnabledStep, Ending, Enumeration, Failed, Leads, Path, PathStep, State, Status, StepOutcome,
    Steps, Violation, foreign,
};

/// So many statements of one step are written; a `d_step` may have more.
const SHOWN: usize = 5;

/// A program, step by step, by the plain semantics that judges runs.
///
/// Claims on states run along, and where one is violated the run ends; for one question ([`ProgramSteps::for_question`]) none does.
/// One step is one statement. Inside `atomic` there are states on the way that SPIN does not store; a `d_step` is one step.
#[derive(Debug)]
pub struct ProgramSteps<'a> {
    program: &'a Program,
    sources: Option<&'a Sources>,
    question: Question,
    claims: Claims<'a>,
}

impl<'a> ProgramSteps<'a> {
    /// Of a program, with the files that it was read from where lines are wanted.
    pub fn new(program: &'a Program, sources: Option<&'a Sources>) -> Self {
        ProgramSteps {
            program,
            sources,
            question: Question::Assertions,
            claims: Claims::all(program),
        }
    }

    /// Of a program as a question wants it: when end states are looked for, runs go on behind an assertion that fails; a `trace` runs along.
    pub fn for_question(
        program: &'a Program,
        sources: Option<&'a Sources>,
        question: Question,
    ) -> Self {
        ProgramSteps {
            program,
            sources,
            question,
            claims: Claims::none(program),
        }
    }

    /// The state in full; packed ones of other models are refused.
    pub fn unpacked(&self, state: &State) -> Result<Whole, Failed> {
        Ok(self.parts(state)?.0)
    }

    /// The state in full, and where the claims can be.
    fn parts(&self, state: &State) -> Result<(Whole, Sets), Failed> {
        let words = state.words();
        let own = words.len().checked_sub(self.claims.words());
        let (own, sets) = words.split_at(own.ok_or_else(foreign)?);
        let whole = unpack(self.program, own).ok_or_else(foreign)?;
        Ok((whole, self.claims.unpack(sets)))
    }

    fn packed(&self, whole: &Whole, sets: &Sets) -> State {
        let mut words = pack(whole);
        self.claims.pack(sets, &mut words);
        State::new(words)
    }

    /// What is violated already, before anything is done.
    fn violation(&self, whole: &Whole, sets: &Sets, stops: bool) -> Option<Violation> {
        match stops {
            true => self.claims.look_for_ever(whole, sets),
            false => self.claims.look(whole, sets).1,
        }
    }

    /// The step as the judge of runs takes it, with what it leads to: for evidence.
    pub fn moves(&self, state: &State) -> Result<Vec<Move>, Failed> {
        Ok(self.unpacked(state)?.moves(self.program))
    }

    fn place(&self, span: Span) -> Option<(String, usize)> {
        let file = self.sources?.file(span.file)?;
        let base = file.name().rsplit(['/', '\\']).next().unwrap_or("");
        Some((base.to_owned(), file.position(span.start).line))
    }

    fn location(&self, state: &Whole, process: usize) -> Option<&'a Location> {
        let process = state.processes.get(process)?;
        let text = self.program.proctypes.get(process.proctype as usize)?;
        text.locations.get(process.location as usize)
    }

    /// The edges that a process takes in a step.
    fn edges(&self, state: &Whole, process: u32, numbers: &[u32]) -> Vec<&'a Edge> {
        let process = state.processes.get(process as usize);
        process.map_or_else(Vec::new, |p| self.program.edges(p, numbers))
    }

    /// A step as a person reads it; `sets` is where the claims are after they looked.
    fn step(&self, state: &Whole, sets: &Sets, found: &Move) -> EnabledStep {
        let taken = &found.step;
        let mut edges = self.edges(state, taken.process, &taken.edges);
        let mut actors = vec![names::process(self.program, state, taken.process as usize)];
        if let Some((receiver, first)) = taken.partner {
            let all: Vec<u32> = [first].into_iter().chain(taken.rest.clone()).collect();
            edges.extend(self.edges(state, receiver, &all));
            actors.push(names::process(self.program, state, receiver as usize));
        }
        let place = edges.first().and_then(|e| self.place(e.span));
        let outcome = match &found.outcome {
            StepResult::State(next) => Leads::To(self.packed(next, sets)),
            StepResult::Wrong(wrong) => Leads::Wrong(Violation {
                property: match (self.question, wrong.is_event()) {
                    (Question::Claim(_), true) => self.program.question_name(self.question),
                    _ => self.program.question_name(Question::Assertions),
                }
                .to_owned(),
                why: wrong.words().to_owned(),
            }),
            StepResult::Unfinished => {
                Leads::Unknown("the d_step is too long to be followed".into())
            }
        };
        EnabledStep {
            label: statements(&edges, taken),
            actors,
            place: place.map(|(file, line)| format!("{file}:{line}")),
            outcomes: vec![StepOutcome {
                probability: None,
                leads: outcome,
            }],
        }
    }

    /// A counterexample, in steps of the program. Its question should be the one given to [`ProgramSteps::for_question`].
    pub fn follow(&self, trace: &Trace) -> Result<Path, Failed> {
        let shows = Violation {
            property: self.program.question_name(trace.question).to_owned(),
            why: trace.violation.words().to_owned(),
        };
        let mut path = Path {
            start: None,
            steps: Vec::new(),
            loops_to: trace
                .cycle
                .map(|c| c.step)
                .filter(|s| *s < trace.steps.len()),
            shows,
            remarks: Vec::new(),
        };
        let Ok(mut state) = Whole::at_start(self.program, trace.question) else {
            path.remarks
                .push("an error occurs at the start of the program".to_owned());
            return Ok(path);
        };
        path.start = Some(State::new(pack(&state)));
        let mut claim = ClaimRun::new(self.program, trace.question);
        for (number, taken) in trace.steps.iter().enumerate() {
            let Some(found) = state.move_like(self.program, taken) else {
                let why = format!("step {} cannot be taken there", number + 1);
                return Err(Failed::Run(why));
            };
            let step = self.step(&state, &Sets::new(), &found);
            path.steps.push(PathStep {
                step,
                outcome: 0,
                remarks: taken
                    .claim
                    .and_then(|e| claim.take(e))
                    .into_iter()
                    .collect(),
            });
            match found.outcome {
                StepResult::State(next) => state = next,
                StepResult::Wrong(_) | StepResult::Unfinished => break,
            }
        }
        let last = trace.claim.iter().filter_map(|e| claim.take(*e));
        path.remarks.extend(last);
        Ok(path)
    }

    fn slots(&self, state: &Whole, slots: &[Slot], values: &[i32], prefix: &str) -> Shown {
        let shown = slots.iter().zip(values).filter(|(slot, _)| !slot.hidden);
        let shown = shown.map(|(slot, value)| {
            let name = format!("{prefix}{}", slot.name);
            (name, names::value(self.program, state, slot.ty, *value))
        });
        shown.collect()
    }

    /// Where a process is, as SPIN says it.
    fn whereabouts(&self, state: &Whole, process: usize) -> String {
        let number = state.processes.get(process).map_or(0, |p| p.location);
        let here = self.location(state, process);
        let span = here.and_then(|l| l.span.or(l.edges.first().map(|e| e.span)));
        match span.and_then(|s| self.place(s)) {
            Some((_, line)) => format!("line {line} (state {number})"),
            None => format!("state {number}"),
        }
    }

    /// Who waits for what.
    fn waiting(&self, state: &Whole) -> String {
        let mut waits = Vec::new();
        for process in 0..state.processes.len() {
            let Some(here) = self.location(state, process) else {
                continue;
            };
            let ends = |e: &Edge| e.action == suppose_model::program::Action::End;
            if here.end || here.edges.iter().any(ends) {
                continue;
            }
            let texts: Vec<&str> = here
                .edges
                .iter()
                .take(SHOWN)
                .map(|e| e.text.as_str())
                .collect();
            let name = names::process(self.program, state, process);
            waits.push(format!("{name} waits for {}", texts.join(" or ")));
        }
        match waits.is_empty() {
            true => "all processes stop".to_owned(),
            false => format!("all processes stop, and {}", waits.join(", ")),
        }
    }
}

type Shown = Vec<(String, String)>;

impl Steps for ProgramSteps<'_> {
    fn initial(&mut self) -> Result<Enumeration<State>, Failed> {
        match Whole::at_start(self.program, self.question) {
            Ok(state) => {
                let start = self.packed(&state, &self.claims.start());
                Ok(Enumeration::all(vec![start]))
            }
            Err(wrong) => Err(Failed::Model(format!(
                "an error occurs at the start of the program: {}",
                wrong.words()
            ))),
        }
    }

    fn enabled(&mut self, state: &State) -> Result<Enumeration<EnabledStep>, Failed> {
        let (whole, sets) = self.parts(state)?;
        let moves = whole.moves(self.program);
        let (after, violation) = self.claims.look(&whole, &sets);
        if violation.is_some() {
            return Ok(Enumeration::all(Vec::new()));
        }
        let list = moves.iter().map(|m| self.step(&whole, &after, m));
        Ok(Enumeration::all(list.collect()))
    }

    fn show(&self, state: &State) -> Shown {
        let Ok(state) = self.unpacked(state) else {
            return Vec::new();
        };
        let program = self.program;
        let is_channel = |slot: &&Slot| !matches!(slot.ty, suppose_model::program::Type::Chan);
        let mut shown = Vec::new();
        // A channel is shown by its messages, below; that its variable stands for it says nothing.
        for (slot, value) in program.globals.iter().zip(&state.globals) {
            if is_channel(&slot) {
                let one = std::slice::from_ref(slot);
                shown.extend(self.slots(&state, one, &[*value], ""));
            }
        }
        for at in 0..state.channels.len() {
            let name = names::channel(program, &state, at);
            shown.push((name, names::contents(program, &state, at)));
        }
        for (number, process) in state.processes.iter().enumerate() {
            let name = names::process(program, &state, number);
            let Some(text) = program.proctypes.get(process.proctype as usize) else {
                continue;
            };
            shown.push((name.clone(), self.whereabouts(&state, number)));
            let prefix = format!("{name}:");
            shown.extend(self.slots(&state, &text.locals, &process.locals, &prefix));
        }
        shown
    }

    fn status(&mut self, state: &State) -> Result<Status, Failed> {
        let (whole, sets) = self.parts(state)?;
        let stops = whole.moves(self.program).is_empty();
        let ending = match (self.violation(&whole, &sets, stops), stops) {
            (Some(violation), _) => Some(Ending::Violated(violation)),
            (None, false) => None,
            (None, true) if whole.is_valid_end(self.program) => Some(Ending::End),
            (None, true) => Some(Ending::Deadlock(self.waiting(&whole))),
        };
        Ok(Status {
            ending,
            violated: Vec::new(),
        })
    }
}

/// The statements of a step, as written.
fn statements(edges: &[&Edge], taken: &Taken) -> String {
    let text = |e: &&Edge| match e.text.is_empty() {
        true => "-end-".to_owned(),
        false => e.text.clone(),
    };
    let mut texts: Vec<String> = edges.iter().take(SHOWN).map(text).collect();
    let more = edges.len().saturating_sub(SHOWN) as u64 + taken.more;
    if more > 0 {
        texts.push(format!("and {more} more"));
    }
    match texts.is_empty() {
        true => "the `provided` of the process".to_owned(),
        false => texts.join("; "),
    }
}

/// A claim beside a run.
struct ClaimRun<'a> {
    claim: Option<&'a suppose_model::program::Claim>,
    at: u32,
    /// What was said last, which need not be said again.
    said: &'a str,
}

impl<'a> ClaimRun<'a> {
    fn new(program: &'a Program, question: Question) -> Self {
        let claim = match question {
            Question::Claim(number) => program.claims.get(number),
            _ => None,
        };
        ClaimRun {
            claim,
            at: claim.map_or(0, |c| c.entry),
            said: "",
        }
    }

    /// Takes an edge; what it says, if that is new.
    fn take(&mut self, edge: u32) -> Option<String> {
        let claim = self.claim?;
        let here = claim.locations.get(self.at as usize)?;
        let edge = here.edges.get(edge as usize)?;
        self.at = edge.target;
        match edge.text.is_empty() || edge.text == self.said {
            true => None,
            false => {
                self.said = &edge.text;
                Some(format!("{}: {}", claim.name, edge.text))
            }
        }
    }
}

/// A state as words.
fn pack(state: &Whole) -> Vec<u32> {
    let mut words: Vec<u32> = state.globals.iter().map(|v| *v as u32).collect();
    words.push(state.last);
    words.push(state.alone.map_or(0, |one| one + 1));
    words.extend(
        state
            .events
            .map_or([0, 0], |(claim, place)| [claim + 1, place]),
    );
    words.push(u32::from(state.lenient));
    words.push(state.processes.len() as u32);
    for process in &state.processes {
        let head = [
            process.proctype,
            process.location,
            u32::from(process.priority),
        ];
        words.extend(head);
        words.extend(process.locals.iter().map(|v| *v as u32));
    }
    words.push(state.channels.len() as u32);
    for channel in &state.channels {
        let owner = channel.owner.map_or(0, |one| one + 1);
        words.extend([channel.kind, owner, channel.messages.len() as u32]);
        let fields = channel.messages.iter().flatten();
        words.extend(fields.map(|v| *v as u32));
    }
    words
}

/// The state that words stand for.
fn unpack(program: &Program, words: &[u32]) -> Option<Whole> {
    let mut rest = words.iter().copied();
    let values = |count: usize, rest: &mut dyn Iterator<Item = u32>| -> Option<Vec<i32>> {
        let found: Vec<i32> = rest.take(count).map(|w| w as i32).collect();
        (found.len() == count).then_some(found)
    };
    let globals = values(program.globals.len(), &mut rest)?;
    let last = rest.next()?;
    let alone = rest.next()?.checked_sub(1);
    let (claim, place) = (rest.next()?, rest.next()?);
    let events = claim.checked_sub(1).map(|claim| (claim, place));
    let lenient = rest.next()? != 0;
    let mut processes = Vec::new();
    for _ in 0..rest.next()? {
        let (proctype, location) = (rest.next()?, rest.next()?);
        let priority = u8::try_from(rest.next()?).ok()?;
        let text = program.proctypes.get(proctype as usize)?;
        text.locations.get(location as usize)?;
        processes.push(Process {
            proctype,
            location,
            locals: values(text.locals.len(), &mut rest)?,
            priority,
        });
    }
    let mut channels = Vec::new();
    for _ in 0..rest.next()? {
        let (kind, owner) = (rest.next()?, rest.next()?.checked_sub(1));
        let fields = program.channels.get(kind as usize)?.fields.len();
        let mut messages = Vec::new();
        for _ in 0..rest.next()? {
            messages.push(values(fields, &mut rest)?);
        }
        channels.push(Channel {
            kind,
            owner,
            messages,
        });
    }
    let state = Whole {
        globals,
        processes,
        channels,
        last,
        alone,
        events,
        lenient,
        asking: Vec::new(),
    };
    rest.next().is_none().then_some(state)
}
