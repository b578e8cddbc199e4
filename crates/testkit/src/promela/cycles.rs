//! Random programs that are asked about infinite runs, and a naive answer.

use std::collections::BTreeMap;

use suppose_model::program::semantics::State;
use suppose_model::program::{Claim, Program, Question, StepResult};

use super::expression::{self, Use};
use super::{Scope, Shape, finished};
use crate::rng::Rng;

/// What a program is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// A claim: a formula or a `never` with accept labels.
    Claim,
    /// About accept labels of processes.
    Accept,
    /// About progress labels.
    Progress,
}

/// A random program that asks about infinite runs. Nothing else can go wrong in it.
pub fn program(rng: &mut Rng, asks: Asks, fair: bool) -> String {
    let shape = Shape {
        asserts: 0,
        // SPIN's claims are processes that are counted.
        nr_pr: 0,
        processes: (1, 3),
        statements: (3, 8),
        end_labels: 70,
        gotos: 12,
        // Under fairness, SPIN does not count who receives in a rendezvous.
        rendezvous: if fair { 0 } else { 45 },
        d_step_rendezvous: if fair { 0 } else { 20 },
        // Where all wait for `timeout`, SPIN's search for fair cycles is not that of the others.
        timeout: if fair { 0 } else { 6 },
        ..Shape::without_errors()
    };
    let (text, scope) = finished(rng, &shape);
    match asks {
        Asks::Claim => text + &claim(rng, &scope),
        Asks::Accept => labelled(rng, &text, "accept"),
        Asks::Progress => labelled(rng, &text, "progress"),
    }
}

/// Other labels for most end labels.
fn labelled(rng: &mut Rng, text: &str, label: &str) -> String {
    let mut parts = text.split("end");
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let is_label = part.as_bytes().get(digits) == Some(&b':');
        let word = if is_label && rng.percent(75) {
            label
        } else {
            "end"
        };
        result.push_str(word);
        result.push_str(part);
    }
    result
}

fn claim(rng: &mut Rng, scope: &Scope) -> String {
    // In a formula `->` is an implication: SPIN reads no conditional expression there.
    let mut atom = || {
        loop {
            let condition = expression::condition(rng, scope, &[], Use::global());
            if !condition.contains("->") {
                return format!("({condition})");
            }
        }
    };
    let (a, b, c) = (atom(), atom(), atom());
    match rng.below(14) {
        0 => format!("ltl f {{ <> {a} }}\n"),
        1 => format!("ltl f {{ [] <> {a} }}\n"),
        2 => format!("ltl f {{ <> [] {a} }}\n"),
        3 => format!("ltl f {{ [] ({a} -> <> {b}) }}\n"),
        4 => format!("ltl f {{ {a} U {b} }}\n"),
        5 => format!("ltl f {{ [] <> {a} -> [] <> {b} }}\n"),
        6 => format!("ltl f {{ [] ({a} -> ({b} U {c})) }}\n"),
        7 => format!("ltl f {{ <> [] {a} || [] <> {b} }}\n"),
        8 => format!("ltl f {{ [] (({a} && !{b}) -> ({c} W ({b} || <> {a}))) }}\n"),
        9 => format!("ltl f {{ <> ({a} && X {b}) }}\n"),
        10 => format!("ltl f {{ !([] <> {a}) && <> {b} }}\n"),
        11 => format!("never {{ do :: true :: {a} -> break od; accept_a: do :: {b} od }}\n"),
        12 => format!(
            "never {{ do :: true :: {a} -> goto accept_a od; accept_a: {b}; {c}; goto accept_a }}\n"
        ),
        _ => format!(
            "never {{ s0: if :: {a} -> goto accept_a :: else -> goto s0 fi; accept_a: if :: {b} -> goto accept_a :: {c} -> goto s0 fi }}\n"
        ),
    }
}

/// The most states that [`naive`] takes.
const MOST: usize = 400;

/// Is there an infinite run that is not allowed, by looking at all pairs of states? `claim` runs along. None for too many states,
/// or where a claim ends or cannot be evaluated.
pub fn naive(
    program: &Program,
    question: Question,
    claim: Option<&Claim>,
    fair: bool,
) -> Option<bool> {
    let mut graph = Naive {
        program,
        numbers: BTreeMap::new(),
        states: Vec::new(),
        edges: Vec::new(),
    };
    let first = State::at_start(program, question).ok()?;
    graph.number((first, claim.map_or(0, |c| c.entry)));
    let progress = question == Question::Progress;
    let has = |state: &State| {
        state.processes.iter().any(|p| {
            let text = &program.proctypes[p.proctype as usize];
            let here = &text.locations[p.location as usize];
            if progress { here.progress } else { here.accept }
        })
    };
    let mut at = 0;
    while at < graph.states.len() {
        let (state, place) = graph.states[at].clone();
        let steps = graph.steps(&state);
        let mut places = vec![place];
        let mut accepts = has(&state);
        if let Some(claim) = claim {
            let look = state.claim_looks(program, claim, place);
            places = look.ways.into_iter().map(|(_, target)| target).collect();
            accepts = claim.locations[place as usize].accept;
            if look.wrong.is_some() || places.contains(&claim.end) {
                return None;
            }
        }
        let able = steps.iter().fold(0, |all, (_, who)| all | who);
        let mut row = Vec::new();
        for place in places {
            for (next, who) in &steps {
                row.push((graph.number((next.clone(), place)), *who | !able));
            }
            if steps.is_empty() && (claim.is_some() || accepts && !progress) {
                row.push((graph.number((state.clone(), place)), !0));
            }
        }
        graph.edges.push((accepts, row));
        at += 1;
        if graph.states.len() > MOST {
            return None;
        }
    }
    Some(graph.has_cycle(progress, fair))
}

struct Naive<'a> {
    program: &'a Program,
    numbers: BTreeMap<(State, u32), usize>,
    states: Vec<(State, u32)>,
    /// For each state whether it is accepting (or makes progress), and its steps with those that took part or could not.
    edges: Vec<(bool, Vec<(usize, u64)>)>,
}

impl Naive<'_> {
    fn number(&mut self, state: (State, u32)) -> usize {
        let next = self.states.len();
        let number = *self.numbers.entry(state.clone()).or_insert(next);
        if number == next {
            self.states.push(state);
        }
        number
    }

    fn steps(&self, from: &State) -> Vec<(State, u64)> {
        let mut ends = Vec::new();
        let mut seen: Vec<(State, u64)> = Vec::new();
        let mut open = vec![(from.clone(), 0u64)];
        while let Some((state, before)) = open.pop() {
            for found in state.moves(self.program) {
                let partner = found.step.partner.map_or(0, |(p, _)| 1u64 << p);
                let who = before | 1 << found.step.process | partner;
                if let StepResult::State(next) = found.outcome {
                    let pair = (next, who);
                    if pair.0.alone.is_none() {
                        ends.push(pair);
                    } else if !seen.contains(&pair) {
                        seen.push(pair.clone());
                        open.push(pair);
                    }
                }
            }
        }
        ends
    }

    /// Looks for a set of states, each reachable from each, that has all that is needed.
    fn has_cycle(&self, progress: bool, fair: bool) -> bool {
        let count = self.edges.len();
        let allowed = |s: usize| !(progress && self.edges[s].0);
        let mut reach = vec![vec![false; count]; count];
        for (s, (_, row)) in self.edges.iter().enumerate() {
            for (t, _) in row {
                reach[s][*t] |= allowed(s) && allowed(*t);
            }
        }
        for middle in 0..count {
            let onwards = reach[middle].clone();
            for row in reach.iter_mut().filter(|row| row[middle]) {
                for (to, via) in row.iter_mut().zip(&onwards) {
                    *to |= *via;
                }
            }
        }
        (0..count).any(|s| {
            if !reach[s][s] || !allowed(s) {
                return false;
            }
            let same = |t: usize| reach[s][t] && reach[t][s];
            let members: Vec<usize> = (0..count).filter(|t| same(*t)).collect();
            let accepts = progress || members.iter().any(|t| self.edges[*t].0);
            let fairly = members.iter().fold(0, |all, t| {
                let inside = self.edges[*t].1.iter().filter(|(to, _)| same(*to));
                inside.fold(all, |all, (_, who)| all | who)
            });
            accepts && (!fair || fairly == !0)
        })
    }
}
