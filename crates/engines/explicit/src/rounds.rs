//! Search in rounds, with states in a folder: [`suppose_explore`] on a compiled program.
//!
//! # Reduction
//!
//! In memory, the reduction follows one process alone only if one of its steps leads to a state that is not expanded yet: otherwise a
//! loop could put the others off for ever. In rounds a state is not looked up when it is found, and what is followed must not depend on
//! that. Here one of the steps has to *advance* instead. Locations of a proctype are numbered so that a step goes to a smaller or equal number only
//! along an edge that closes a loop (reverse postorder), and a step advances if the sum of the numbers of all processes grows, or if
//! processes end. From every state that is not fully expanded a chain of such steps leads to one that is: there are
//! finitely many sums. So nothing is put off for ever, which is all that is needed for finite runs; it is the idea of *sticky*
//! transitions (Kurshan, Levin, Minea, Peled, Yenigün: *Static partial order reduction*, 1998), with a sum in place of a set of edges.
//! A state has the same successors in every search; permuting processes does not change the sum, so symmetry can be used too.
//!
//! What is stored may differ from what a search in memory stores with reduction; without, it is the same.
//!
//! # Claims
//!
//! Whether a claim moved alone to come to a state ([`STUTTER`]) is a part of the state here: which way comes first must not matter.

use std::path::Path;

use suppose_control::{Context, Stopped};
use suppose_explore::{Explored, Grown, Halt as Pause, Place, Rounds, Space, Trouble};
use suppose_model::Reason;
use suppose_model::program::semantics::State;
use suppose_model::program::{Program, Question, Violation};

use crate::expand::Halt;
use crate::finding::{End, Finding};
use crate::machine::{CompileOptions, Machine, Need};
use crate::store::{FLAGS, NONE, STUTTER, States};
use crate::symmetry::Exchange;
use crate::trace;
use crate::walker::{Sink, Walker};
use crate::{ExplicitOptions, Report, SearchVerdict, not_first, too_long};

/// Where states are kept.
#[derive(Clone, Copy, Debug)]
pub struct Disk<'a> {
    /// A folder for this search alone.
    pub folder: &'a Path,
    /// What the search is about: model, question and options. A search about something else is not continued.
    pub identity: &'a str,
    /// Bytes of successors that are held in memory.
    pub buffer: u64,
    /// Save after a round, when so many states were expanded since the last time.
    pub save_after: u64,
}

/// What a search with states in a folder did and found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DiskReport {
    /// As for a search in memory. Memory is that of successors.
    pub report: Report,
    /// Bytes of the states on the disk.
    pub disk: u64,
    /// States that were there when the search began.
    pub before: u64,
    /// Why the folder was refused: another search uses it, or what is in it is damaged or about something else.
    pub refused: Option<String>,
}

/// Answers questions that share an exploration: assertions and end states, or one claim.
pub fn search_on_disk(
    program: &Program,
    group: &[Question],
    options: &ExplicitOptions,
    disk: &Disk,
    cx: &Context,
) -> DiskReport {
    let nothing = |reason: Reason| {
        let verdicts = group
            .iter()
            .map(|q| (*q, SearchVerdict::Unknown(reason.clone())));
        Report {
            threads: 1,
            verdicts: verdicts.collect(),
            ..Report::default()
        }
    };
    let unsupported = |why: &str| DiskReport {
        report: nothing(Reason::Unsupported(why.to_owned())),
        ..DiskReport::default()
    };
    if group.iter().any(|q| program.is_liveness(*q)) {
        return unsupported("infinite runs are not looked for with states on disk");
    }
    let initial = match State::initial(program) {
        Ok(initial) => initial,
        Err(violation) => {
            let verdicts = crate::wrong_at_start(group, violation).found;
            let report = Report {
                verdicts,
                complete: true,
                threads: 1,
                ..Report::default()
            };
            return DiskReport {
                report,
                ..DiskReport::default()
            };
        }
    };
    let reduces = options.symmetry && options.merge;
    let exchange = reduces.then(|| Exchange::find(program, group)).flatten();
    let searched = exchange.as_ref().map_or(program, |e| &*e.program);
    let subject = Subject {
        program: searched,
        initial: &initial,
        group,
        options,
        exchange: exchange.as_ref(),
        cx,
    };
    let mut space = match Programs::new(subject) {
        Ok(space) => space,
        Err(why) => return unsupported(&format!("{why}, and states on disk need it")),
    };
    let rounds = Rounds {
        threads: options.threads,
        buffer: disk.buffer,
        save_after: disk.save_after,
        first: options.first,
        exhaust: options.exhaust,
    };
    let place = Place {
        folder: disk.folder,
        identity: disk.identity,
    };
    let explored = suppose_explore::explore(&mut space, &rounds, Some(place), cx);
    let mut found = DiskReport {
        report: nothing(Reason::Timeout),
        disk: explored.disk,
        before: explored.before,
        refused: match &explored.trouble {
            Some(Trouble::Refused(why)) => Some(why.clone()),
            _ => None,
        },
    };
    let report = &mut found.report;
    (report.states, report.transitions) = (explored.states, explored.transitions);
    (report.depth, report.memory) = (explored.depth, explored.memory);
    report.complete = explored.complete && !space.cut;
    report.threads = options.threads.max(1);
    for (at, (_, verdict)) in report.verdicts.iter_mut().enumerate() {
        *verdict = space.verdict(at, &explored);
    }
    report.symmetry = exchange.as_ref().map(Exchange::words);
    found
}

#[derive(Clone, Copy)]
struct Subject<'a> {
    program: &'a Program,
    initial: &'a State,
    group: &'a [Question],
    options: &'a ExplicitOptions,
    exchange: Option<&'a Exchange<'a>>,
    cx: &'a Context,
}

/// A program as a space of packed states: records as in `store`, without where they came from.
struct Programs<'a> {
    subject: Subject<'a>,
    machine: Machine<'a>,
    first: Vec<u64>,
    words: usize,
    /// The numbers of the locations of each proctype.
    ranks: Vec<Vec<u32>>,
    /// Did the reduction rely on who uses a channel?
    relied: bool,
    /// Was a step not followed to its end?
    cut: bool,
}

/// What a thread needs.
struct Expanding {
    walker: Walker,
    relied: bool,
    cut: bool,
    /// What is wrong with the state that was expanded last.
    wrong: Vec<(Question, Violation)>,
    row: Vec<u64>,
}

impl<'a> Programs<'a> {
    fn new(subject: Subject<'a>) -> Result<Programs<'a>, String> {
        let (machine, first) = compile(&subject)?;
        let mut it = Programs {
            subject,
            machine,
            first,
            words: 0,
            ranks: subject.program.proctypes.iter().map(ranks).collect(),
            relied: false,
            cut: false,
        };
        it.measure();
        Ok(it)
    }

    fn measure(&mut self) {
        let widest = self.machine.configs.iter().map(|c| c.words).max();
        self.words = widest.unwrap_or(0) - self.machine.hidden;
    }

    /// How far processes are: more is greater.
    fn advance(&self, state: &[u64], hidden: usize) -> Option<(isize, u64)> {
        let number = (state.get(hidden)? & !FLAGS) >> 32;
        let config = self.machine.configs.get(number as usize)?;
        let mut sum = 0;
        for code in &config.processes {
            let code = &self.machine.codes[*code as usize];
            let at = code.pc.get_behind(state, self.machine.hidden - hidden) as usize;
            let rank = self.ranks[code.proctype as usize].get(at);
            sum += u64::from(*rank?);
        }
        Some((-(config.processes.len() as isize), sum))
    }

    /// Expands a state: the successors are in the walker, what is wrong in the worker, and whether there is any step is returned.
    fn steps(&self, worker: &mut Expanding, state: &[u64]) -> Result<bool, Pause> {
        let machine = &self.machine;
        let walker = &mut worker.walker;
        let number = (state[0] & !FLAGS) >> 32;
        let config = machine.configs.get(number as usize);
        let words = config
            .map(|c| c.words - machine.hidden)
            .filter(|w| *w <= state.len());
        let words = words.ok_or_else(|| Pause::Unsupported("a state is damaged".to_owned()))?;
        walker.state.clear();
        walker.state.resize(machine.hidden, 0);
        walker.state.extend_from_slice(&state[..words]);
        walker.state[machine.hidden] &= !FLAGS & !0xffff_ffff;
        let here = self.advance(&walker.state, machine.hidden);
        let advances = |record: &[u64], _: u64| self.advance(record, 0) > here;
        let (any, relies) = walker
            .successors(machine, self.subject.cx, advances)
            .map_err(pause)?;
        worker.relied |= relies;
        worker.cut |= std::mem::take(&mut walker.expander.cut);
        worker.wrong.clear();
        for (violation, _) in &walker.expander.wrong {
            worker.wrong.push((machine.blame(*violation), *violation));
        }
        if machine.claim.is_none()
            && !any
            && let Some(violation) = machine.stopped(&walker.state)
        {
            worker.wrong.push((machine.blame(violation), violation));
        }
        Ok(any)
    }

    fn verdict(&mut self, at: usize, explored: &Explored) -> SearchVerdict {
        let question = self.subject.group[at];
        if let Some(run) = explored.runs.get(at).and_then(Option::as_ref) {
            return self.rebuild(question, run);
        }
        let options = self.subject.options;
        let found_any = explored.runs.iter().any(Option::is_some);
        match &explored.trouble {
            Some(Trouble::Stopped(stopped)) => SearchVerdict::Unknown((*stopped).into()),
            Some(Trouble::Disk(why)) => SearchVerdict::Unknown(Reason::Disk(why.clone())),
            Some(Trouble::Refused(why) | Trouble::Unsupported(why)) => {
                SearchVerdict::Unknown(Reason::Unsupported(why.clone()))
            }
            None if !explored.complete && options.first && found_any => {
                SearchVerdict::Unknown(not_first())
            }
            None if !explored.complete => {
                SearchVerdict::Unknown(Reason::Internal("the search ended early".to_owned()))
            }
            None if self.cut => SearchVerdict::Unknown(too_long()),
            None => SearchVerdict::Holds,
        }
    }

    /// The run along those states.
    fn rebuild(&mut self, question: Question, run: &[Vec<u64>]) -> SearchVerdict {
        let lost = |why: &str| SearchVerdict::Unknown(Reason::Internal(why.to_owned()));
        let Some(last) = run.last() else {
            return lost("a counterexample is empty");
        };
        let mut worker = self.worker();
        if let Err(Pause::Stopped(stopped)) = self.expand(&mut worker, last, &mut Nowhere) {
            return SearchVerdict::Unknown(stopped.into());
        }
        let wrong = worker.wrong.iter().find(|(q, _)| *q == question);
        let Some((_, violation)) = wrong else {
            return lost("the end of a counterexample is lost");
        };
        let goal = Finding {
            question,
            violation: *violation,
            state: run.len() as u32 - 1,
        };
        let path = Along::new(run);
        trace::rebuild(
            &mut self.machine,
            &path,
            goal,
            self.subject.exchange,
            self.subject.cx,
        )
    }
}

/// The states of a run, each of which comes from the one before.
struct Along(Vec<Vec<u64>>);

impl Along {
    fn new(run: &[Vec<u64>]) -> Along {
        let mut parent = NONE;
        let states = run.iter().map(|state| {
            let mut state = state.clone();
            state[0] |= u64::from(parent);
            parent = parent.wrapping_add(1);
            state
        });
        Along(states.collect())
    }
}

impl States for Along {
    fn from(&self, id: u32) -> &[u64] {
        &self.0[id as usize]
    }
}

fn compile<'a>(subject: &Subject<'a>) -> Result<(Machine<'a>, Vec<u64>), String> {
    let (group, options) = (subject.group, subject.options);
    let compiled = CompileOptions {
        claim: match group[0] {
            Question::Claim(number) => Some(number),
            _ => None,
        },
        reduction: options.reduction,
        merge: options.merge,
        past_assertions: options.past_assertions || group.contains(&Question::EndStates),
        ..CompileOptions::default()
    };
    let mut machine = Machine::new(subject.program, subject.initial, compiled)?;
    let first = machine.initial(subject.initial)?;
    let first = first[machine.hidden..].to_vec();
    Ok((machine, first))
}

/// Numbers of locations that grow along all edges but those that close a loop.
fn ranks(text: &suppose_model::program::Proctype) -> Vec<u32> {
    let size = text.locations.len();
    let (mut ranks, mut seen) = (vec![0; size], vec![false; size]);
    let mut next = size as u32;
    let mut stack = vec![(text.entry as usize, 0)];
    if let Some(first) = seen.get_mut(text.entry as usize) {
        *first = true;
    }
    while let Some((at, edge)) = stack.pop() {
        match text.locations.get(at).and_then(|l| l.edges.get(edge)) {
            Some(way) => {
                stack.push((at, edge + 1));
                let target = way.target as usize;
                if seen.get(target) == Some(&false) {
                    seen[target] = true;
                    stack.push((target, 0));
                }
            }
            None => {
                next -= 1;
                ranks[at] = next;
            }
        }
    }
    ranks
}

fn pause(halt: Halt) -> Pause {
    match halt {
        Halt::Stopped(stopped) => Pause::Stopped(stopped),
        Halt::Needs(need) => {
            let mut numbers = vec![u64::from(need.from), u64::from(need.proctype)];
            numbers.extend(need.arguments.iter().map(|a| *a as u32 as u64));
            Pause::Needs(numbers)
        }
    }
}

impl Space for Programs<'_> {
    type Worker = Expanding;

    fn words(&self) -> usize {
        self.words
    }

    fn claims(&self) -> usize {
        self.subject.group.len()
    }

    fn worker(&self) -> Expanding {
        Expanding {
            walker: Walker::new(self.subject.exchange),
            relied: false,
            cut: false,
            wrong: Vec::new(),
            row: Vec::new(),
        }
    }

    fn initial(&mut self) -> Result<Vec<Vec<u64>>, Pause> {
        Ok(vec![self.first.clone()])
    }

    fn expand(
        &self,
        worker: &mut Expanding,
        state: &[u64],
        sink: &mut impl suppose_explore::Sink,
    ) -> Result<(), Pause> {
        let any = self.steps(worker, state)?;
        if self.machine.claim.is_some() {
            let alone = state[0] & STUTTER != 0;
            let mut adding = Adding {
                sink,
                claim: self.subject.group[0],
                wrong: &mut worker.wrong,
                row: &mut worker.row,
            };
            let cx = self.subject.cx;
            let followed = worker
                .walker
                .under_claim(&self.machine, cx, any, alone, &mut adding);
            followed.map_err(|end| match end {
                End::Stopped(stopped) => Pause::Stopped(stopped),
                _ => Pause::Stopped(Stopped::Memory),
            })?;
        } else {
            let expander = &worker.walker.expander;
            for item in &expander.items {
                sink.successor(&expander.words[item.start as usize..item.end as usize]);
            }
        }
        for (question, _) in &worker.wrong {
            if let Some(claim) = self.subject.group.iter().position(|q| q == question) {
                sink.wrong(claim);
            }
        }
        Ok(())
    }

    fn grow(&mut self, need: &[u64]) -> Result<Grown, String> {
        let damaged = || "what is to be made is not in the program".to_owned();
        let [from, proctype, arguments @ ..] = need else {
            return Err(damaged());
        };
        let text = self
            .subject
            .program
            .proctypes
            .get(*proctype as usize)
            .ok_or_else(damaged)?;
        if *from >= self.machine.configs.len() as u64 || arguments.len() > text.locals.len() {
            return Err(damaged());
        }
        self.machine.make(&Need {
            from: *from as u32,
            proctype: *proctype as u32,
            arguments: arguments.iter().map(|a| *a as i32).collect(),
        })?;
        self.measure();
        Ok(match self.machine.exclusive.is_lost() {
            true => Grown::Restart,
            false => Grown::Whole,
        })
    }

    fn note(&mut self, worker: &mut Expanding) {
        self.cut |= worker.cut;
        if worker.relied && !self.relied {
            self.relied = true;
            self.machine.exclusive.rely();
        }
    }

    fn memo(&self) -> u64 {
        u64::from(self.relied) | u64::from(self.cut) << 1
    }

    fn recall(&mut self, memo: u64) {
        self.relied = memo & 1 != 0;
        self.cut = memo & 2 != 0;
        if self.relied {
            self.machine.exclusive.rely();
        }
    }

    fn restart(&mut self) -> Result<(), String> {
        (self.machine, self.first) = compile(&self.subject)?;
        self.machine.exclusive.give_up();
        (self.relied, self.cut) = (false, false);
        self.measure();
        Ok(())
    }
}

/// Hands successors under a claim on.
struct Adding<'a, T> {
    sink: &'a mut T,
    claim: Question,
    wrong: &'a mut Vec<(Question, Violation)>,
    row: &'a mut Vec<u64>,
}

impl<T: suppose_explore::Sink> Sink for Adding<'_, T> {
    fn add(&mut self, record: &[u64], _: u64, flags: u64) -> Result<(), End> {
        self.row.clear();
        self.row.extend_from_slice(record);
        self.row[0] |= flags;
        self.sink.successor(self.row);
        Ok(())
    }

    fn claim_violated(&mut self, violation: Violation) {
        self.wrong.push((self.claim, violation));
    }
}

/// Takes nothing.
struct Nowhere;

impl suppose_explore::Sink for Nowhere {
    fn successor(&mut self, _: &[u64]) {}

    fn wrong(&mut self, _: usize) {}
}
