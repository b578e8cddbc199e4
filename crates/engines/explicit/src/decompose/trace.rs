//! A run of the network as a run of the program.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use suppose_model::Counterexample;
use suppose_model::lts::Label;
use suppose_model::program::run::{Trace, TraceStep};
use suppose_model::program::semantics::State;
use suppose_model::program::{Program, Question, StepResult, Violation};

use super::explore::{List, Lists, Move, steps};
use super::{Decomposed, Part};

/// A process, and an edge of its component: from where, by which label, to where.
type Edge = (u32, u32, Label, u32);

/// What the steps of components are in the program.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    /// What processes do on each label.
    pub(super) moves: Vec<(Label, Vec<Move>)>,
    /// The steps of moves.
    pub(super) lists: Lists,
}

impl Steps {
    /// The steps of every edge. Where several moves make the same edge the first counts.
    fn index(&self) -> HashMap<Edge, (List, List), FxBuildHasher> {
        let mut index = HashMap::default();
        for (label, moves) in &self.moves {
            for it in moves {
                let edge = (it.process, it.source, *label, it.target);
                index.entry(edge).or_insert((it.steps, it.after));
            }
        }
        index
    }
}

impl Decomposed {
    /// The run of the program that a counterexample of the network stands for. None when there is no such run: only
    /// where the network is [`Decomposed::over_approximates`].
    pub fn trace(
        &self,
        program: &Program,
        found: &Counterexample,
        question: Question,
    ) -> Option<Trace> {
        let mut runner = Runner::new(program, question)?;
        for step in &self.begin {
            runner.go(step.clone())?;
        }
        let initial = |p: &Part| self.network.components[p.component].lts.initial();
        let mut at: Vec<u32> = self.parts.iter().map(initial).collect();
        // What a process does for itself it does right before its next step that others see.
        let mut later: Vec<Vec<Vec<u32>>> = vec![Vec::new(); self.parts.len()];
        let index = self.steps.index();
        for step in &found.steps {
            let meeting = self.meeting(step.label);
            let mut moved = Vec::new();
            for (number, part) in self.parts.iter().enumerate() {
                let target = step.states[part.component];
                let key = (part.process as u32, at[number], step.label, target);
                let changes = target != at[number];
                let takes_part = self.network.components[part.component]
                    .lts
                    .has_label(step.label);
                if changes || (takes_part && !step.label.is_tau()) {
                    let (now, after) = index.get(&key)?;
                    let now = steps(&self.steps.lists, *now);
                    moved.push((number, part.process, now, *after));
                    at[number] = target;
                }
            }
            // Who holds control in an atomic sequence is the sender, so the receiver gets ready first.
            moved.sort_by_key(|(_, process, ..)| {
                meeting.is_some_and(|(sender, _)| sender == *process)
            });
            if step.label.is_tau() {
                for (number, _, now, after) in moved {
                    later[number].extend(now);
                    later[number].extend(steps(&self.steps.lists, after));
                }
                continue;
            }
            for (number, process, _, after) in &moved {
                let ready =
                    std::mem::replace(&mut later[*number], steps(&self.steps.lists, *after));
                for edges in &ready {
                    runner.go(plain(*process, edges))?;
                }
            }
            for step in together(&moved, meeting) {
                if runner.wrong.is_none() {
                    runner.go(step)?;
                }
            }
        }
        runner.finish()
    }

    /// The sender and the receiver of a rendezvous.
    fn meeting(&self, label: Label) -> Option<(usize, usize)> {
        let (_, key) = self.keys.iter().find(|(l, _)| *l == label)?;
        Some((key.process?, key.meeting.as_ref()?.receiver))
    }
}

/// A part, its process, its steps, and those that come at once after them.
type Moved = (usize, usize, Vec<Vec<u32>>, List);

fn plain(process: usize, edges: &[u32]) -> TraceStep {
    TraceStep {
        process: process as u32,
        edges: edges.to_vec(),
        ..TraceStep::default()
    }
}

/// The steps of the program for one step of the network.
fn together(moved: &[Moved], meeting: Option<(usize, usize)>) -> Vec<TraceStep> {
    let of = |process: usize| {
        let mine = moved.iter().find(|(_, p, ..)| *p == process);
        mine.map(|(_, _, s, _)| s)
    };
    if let Some((sender, receiver)) = meeting
        && let (Some(sent), Some(received)) = (of(sender), of(receiver))
    {
        let partner = received.first().and_then(|s| s.first());
        let first = TraceStep {
            partner: partner.map(|edge| (receiver as u32, *edge)),
            rest: received
                .first()
                .map_or(Vec::new(), |s| s.iter().skip(1).copied().collect()),
            ..plain(sender, &sent.first().cloned().unwrap_or_default())
        };
        let rest = received.iter().skip(1).map(|s| plain(receiver, s));
        return std::iter::once(first).chain(rest).collect();
    }
    let all = moved
        .iter()
        .flat_map(|(_, p, steps, _)| steps.iter().map(|s| plain(*p, s)));
    all.collect()
}

/// Runs the program and its claim.
struct Runner<'a> {
    program: &'a Program,
    question: Question,
    state: State,
    steps: Vec<TraceStep>,
    wrong: Option<Violation>,
}

impl<'a> Runner<'a> {
    fn new(program: &'a Program, question: Question) -> Option<Self> {
        Some(Runner {
            program,
            question,
            state: State::initial(program).ok()?,
            steps: Vec::new(),
            wrong: None,
        })
    }

    /// The edge by which the claim stays where it is.
    fn stay(&self) -> Option<Option<u32>> {
        let Question::Claim(number) = self.question else {
            return Some(None);
        };
        if self.state.alone.is_some() {
            return Some(None);
        }
        let claim = &self.program.claims[number];
        let moves = self
            .state
            .claim_looks(self.program, claim, claim.entry)
            .ways;
        let stays = moves.iter().find(|(_, target)| *target == claim.entry);
        stays.map(|(edge, _)| Some(*edge))
    }

    fn go(&mut self, step: TraceStep) -> Option<()> {
        let moves = self.state.moves(self.program);
        let claim = self.stay()?;
        // Of a long `d_step` only the first edges are noted, which determine the others.
        let begins = |noted: &[u32], wanted: &[u32], more: u64| {
            noted.starts_with(wanted) || more > 0 && wanted.starts_with(noted)
        };
        let same = |s: &TraceStep| {
            s.process == step.process
                && s.partner == step.partner
                && begins(&s.edges, &step.edges, s.more)
                && begins(&s.rest, &step.rest, s.more)
        };
        let found = moves.into_iter().find(|m| same(&m.step))?;
        self.steps.push(TraceStep {
            claim,
            ..found.step
        });
        match found.outcome {
            StepResult::State(next) => self.state = next,
            StepResult::Wrong(violation) => self.wrong = Some(violation),
            StepResult::Unfinished => return None,
        }
        Some(())
    }

    fn finish(self) -> Option<Trace> {
        let (claim, violation) = match (self.question, self.wrong) {
            (Question::Assertions, Some(violation)) => (Vec::new(), violation),
            (Question::Claim(number), None) => {
                let claim = &self.program.claims[number];
                let moves = self
                    .state
                    .claim_looks(self.program, claim, claim.entry)
                    .ways;
                let (edge, _) = moves.iter().find(|(_, target)| *target == claim.end)?;
                (vec![*edge], Violation::Claim)
            }
            _ => return None,
        };
        Some(Trace {
            question: self.question,
            steps: self.steps,
            claim,
            violation,
            cycle: None,
        })
    }
}
