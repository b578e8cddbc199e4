//! LTL with past in few operators.

use rustc_hash::FxHashMap;
use suppose_model::fsm::{
    Bound, Connective, ExprId, Formula, FormulaId, Formulas, Linear, LinearPair,
};

use super::explicit_graph::{ExplicitGraph, NotInLogic};
use super::fair::{Fair, GraphEdge, fair_nodes};

/// A formula; parts come before wholes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Core {
    Atom(ExprId),
    Not(usize),
    And(usize, usize),
    Next(usize),
    Until(usize, usize),
    /// In the step before; false in the first.
    Yesterday(usize),
    Since(usize, usize),
}

/// Formulas, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Cores {
    pub(super) all: Vec<Core>,
    known: FxHashMap<Core, usize>,
}

/// Why a formula has no tableau.
pub(super) enum Refused {
    /// It is not an LTL formula.
    Foreign,
    /// It has too many subformulas after unfolding its bounds.
    TooLarge,
}

/// The maximum number of subformulas.
const MOST: usize = 4_000;

impl Cores {
    /// The subformulas of a formula, and its own number among them.
    pub(super) fn of(formulas: &Formulas, formula: FormulaId) -> Result<(Cores, usize), Refused> {
        let mut cores = Cores::default();
        let mut known: FxHashMap<FormulaId, usize> = FxHashMap::default();
        for it in formulas.within(formula) {
            let made = match formulas.node(it) {
                Formula::Atom(expr) => cores.add(Core::Atom(*expr)),
                Formula::Not(a) => cores.not(known[a]),
                Formula::And(all) => cores.junction(all.iter().map(|f| known[f]), true),
                Formula::Or(all) => cores.junction(all.iter().map(|f| known[f]), false),
                Formula::Connective(op, a, b) => cores.connective(*op, known[a], known[b]),
                Formula::Linear(op, Some(bound), a) => cores.bounded(*op, *bound, known[a])?,
                Formula::Linear(op, None, a) => cores.linear(*op, known[a]),
                Formula::LinearPair(op, a, b) => cores.pair(*op, known[a], known[b]),
                Formula::Branch(..) | Formula::BranchUntil(..) => return Err(Refused::Foreign),
            };
            known.insert(it, made);
            if cores.all.len() > MOST {
                return Err(Refused::TooLarge);
            }
        }
        match known.get(&formula) {
            Some(top) => Ok((cores, *top)),
            None => Err(Refused::Foreign),
        }
    }

    fn add(&mut self, core: Core) -> usize {
        let number = *self.known.entry(core).or_insert(self.all.len());
        if number == self.all.len() {
            self.all.push(core);
        }
        number
    }

    fn not(&mut self, a: usize) -> usize {
        match self.all[a] {
            Core::Not(inner) => inner,
            _ => self.add(Core::Not(a)),
        }
    }

    fn or(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.add(Core::And(a, b));
        self.not(neither)
    }

    fn junction(&mut self, parts: impl Iterator<Item = usize>, and: bool) -> usize {
        let parts: Vec<usize> = parts.collect();
        let mut so_far = parts.first().copied().unwrap_or(0);
        for part in parts.iter().skip(1) {
            so_far = match and {
                true => self.add(Core::And(so_far, *part)),
                false => self.or(so_far, *part),
            };
        }
        so_far
    }

    fn connective(&mut self, op: Connective, a: usize, b: usize) -> usize {
        let (no_a, no_b) = (self.not(a), self.not(b));
        match op {
            Connective::Implies => self.or(no_a, b),
            Connective::Iff => {
                let (x, y) = (self.or(no_a, b), self.or(a, no_b));
                self.add(Core::And(x, y))
            }
            Connective::Xor => {
                let (x, y) = (self.or(a, b), self.or(no_a, no_b));
                self.add(Core::And(x, y))
            }
        }
    }

    /// Something that is always true, made of a formula.
    fn truth(&mut self, a: usize) -> usize {
        let no = self.not(a);
        self.or(a, no)
    }

    fn linear(&mut self, op: Linear, a: usize) -> usize {
        let (no, truth) = (self.not(a), self.truth(a));
        match op {
            Linear::Next => self.add(Core::Next(a)),
            Linear::Finally => self.add(Core::Until(truth, a)),
            Linear::Globally => {
                let ends = self.add(Core::Until(truth, no));
                self.not(ends)
            }
            Linear::Yesterday => self.add(Core::Yesterday(a)),
            Linear::WeakYesterday => {
                let was_not = self.add(Core::Yesterday(no));
                self.not(was_not)
            }
            Linear::Once => self.add(Core::Since(truth, a)),
            Linear::Historically => {
                let broken = self.add(Core::Since(truth, no));
                self.not(broken)
            }
        }
    }

    /// Step by step: `F [1, 2] p` is `X (p | X p)`, and `H [1, 2] p` is `Y (p & Y p)`.
    fn bounded(&mut self, op: Linear, bound: Bound, a: usize) -> Result<usize, Refused> {
        if bound.high as usize > MOST {
            return Err(Refused::TooLarge);
        }
        let (future, every) = match op {
            Linear::Finally => (true, false),
            Linear::Globally => (true, true),
            Linear::Once => (false, false),
            Linear::Historically => (false, true),
            _ => return Err(Refused::Foreign),
        };
        let mut found = a;
        for left in (0..bound.high).rev() {
            let moved = match future {
                true => self.add(Core::Next(found)),
                false => self.add(Core::Yesterday(found)),
            };
            found = match (left >= bound.low, every) {
                (false, _) => moved,
                (true, true) => self.add(Core::And(a, moved)),
                (true, false) => self.or(a, moved),
            };
        }
        Ok(found)
    }

    fn pair(&mut self, op: LinearPair, a: usize, b: usize) -> usize {
        let (no_a, no_b) = (self.not(a), self.not(b));
        match op {
            LinearPair::Until => self.add(Core::Until(a, b)),
            LinearPair::Since => self.add(Core::Since(a, b)),
            LinearPair::Releases => {
                let other = self.add(Core::Until(no_a, no_b));
                self.not(other)
            }
            LinearPair::Triggered => {
                let other = self.add(Core::Since(no_a, no_b));
                self.not(other)
            }
        }
    }
}

/// A state of the product of graph and tableau: an edge with the obligations on its future (`ahead`) and the memory of its past
/// (`behind`), a bit for every subformula of that kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct TableauState {
    state: usize,
    line: usize,
    to: usize,
    ahead: u64,
    behind: u64,
}

/// The product of a graph with the tableau of a formula.
struct Product<'a> {
    graph: &'a ExplicitGraph,
    cores: &'a [Core],
    ahead: Vec<usize>,
    behind: Vec<usize>,
    /// By line and memory: promises that can be made there, by what they make true of the promises of the step before.
    made: FxHashMap<(usize, u64), FxHashMap<u64, Vec<u64>>>,
}

/// Does the formula hold on all fair runs from initial states? None if that takes more than this many pairs.
pub(super) fn holds(
    graph: &ExplicitGraph,
    cores: &Cores,
    top: usize,
    most: usize,
) -> Result<Option<bool>, NotInLogic> {
    let kind = |wanted: fn(&Core) -> bool| {
        let numbers = 0..cores.all.len();
        numbers
            .filter(|i| wanted(&cores.all[*i]))
            .collect::<Vec<_>>()
    };
    let mut product = Product {
        graph,
        cores: &cores.all,
        ahead: kind(|c| matches!(c, Core::Next(_) | Core::Until(..))),
        behind: kind(|c| matches!(c, Core::Yesterday(_) | Core::Since(..))),
        made: FxHashMap::default(),
    };
    let known = |c: &Core| match c {
        Core::Atom(expr) => graph.on_lines.contains_key(expr),
        _ => true,
    };
    if !cores.all.iter().all(known) {
        return Err(NotInLogic);
    }
    if product.ahead.len() > 16 || product.behind.len() > 60 {
        return Ok(None);
    }
    Ok(product.refuted(top, most).map(|refuted| !refuted))
}

impl Product<'_> {
    /// The truth of every formula in a moment.
    fn truth(&self, line: usize, ahead: u64, behind: u64) -> Vec<bool> {
        let mut truth: Vec<bool> = Vec::with_capacity(self.cores.len());
        let (mut promised, mut remembered) = (0, 0);
        for core in self.cores {
            let next_bit = |bits: u64, at: &mut u32| {
                *at += 1;
                bits >> (*at - 1) & 1 == 1
            };
            let here = match core {
                Core::Atom(expr) => self.graph.on_lines.get(expr).is_some_and(|set| set[line]),
                Core::Not(a) => !truth[*a],
                Core::And(a, b) => truth[*a] && truth[*b],
                Core::Next(_) => next_bit(ahead, &mut promised),
                Core::Until(a, b) => {
                    let later = next_bit(ahead, &mut promised);
                    truth[*b] || truth[*a] && later
                }
                Core::Yesterday(_) => next_bit(behind, &mut remembered),
                Core::Since(a, b) => {
                    let before = next_bit(behind, &mut remembered);
                    truth[*b] || truth[*a] && before
                }
            };
            truth.push(here);
        }
        truth
    }

    /// What is to be remembered in the next step, or what promises are about it: of `Next` and `Yesterday` their operand, of the others
    /// themselves.
    fn gathered(&self, which: &[usize], truth: &[bool]) -> u64 {
        let about = |i: &usize| match self.cores[*i] {
            Core::Next(a) | Core::Yesterday(a) => truth[a],
            _ => truth[*i],
        };
        let bits = which.iter().enumerate();
        bits.fold(0, |sum, (at, i)| sum | u64::from(about(i)) << at)
    }

    /// Promises in a step that keep those made before.
    fn keeping(&mut self, line: usize, behind: u64, promised: u64) -> Vec<u64> {
        if !self.made.contains_key(&(line, behind)) {
            let mut made: FxHashMap<u64, Vec<u64>> = FxHashMap::default();
            for ahead in 0..1u64 << self.ahead.len() {
                let truth = self.truth(line, ahead, behind);
                let keeps = self.gathered(&self.ahead, &truth);
                made.entry(keeps).or_default().push(ahead);
            }
            self.made.insert((line, behind), made);
        }
        let made = self.made.get(&(line, behind));
        made.and_then(|m| m.get(&promised))
            .cloned()
            .unwrap_or_default()
    }

    /// Is there a fair run from an initial state on which the formula is false? None if there are too many pairs.
    fn refuted(&mut self, top: usize, most: usize) -> Option<bool> {
        let mut moments: Vec<TableauState> = Vec::new();
        let mut numbers: FxHashMap<TableauState, usize> = FxHashMap::default();
        let mut next: Vec<Vec<GraphEdge>> = Vec::new();
        for state in &self.graph.initial {
            for arrow in &self.graph.next[*state] {
                for ahead in 0..1u64 << self.ahead.len() {
                    let moment = TableauState {
                        state: *state,
                        line: arrow.line,
                        to: arrow.to,
                        ahead,
                        behind: 0,
                    };
                    if !self.truth(arrow.line, ahead, 0)[top] && !numbers.contains_key(&moment) {
                        numbers.insert(moment, moments.len());
                        moments.push(moment);
                    }
                }
            }
        }
        let first = moments.len();
        let mut edges = 0;
        while next.len() < moments.len() {
            let number = next.len();
            let here = moments[number];
            let truth = self.truth(here.line, here.ahead, here.behind);
            let behind = self.gathered(&self.behind, &truth);
            let mut arrows = Vec::new();
            for arrow in &self.graph.next[here.to] {
                for ahead in self.keeping(arrow.line, behind, here.ahead) {
                    let moment = TableauState {
                        state: here.to,
                        line: arrow.line,
                        to: arrow.to,
                        ahead,
                        behind,
                    };
                    let to = *numbers.entry(moment).or_insert(moments.len());
                    if to == moments.len() {
                        moments.push(moment);
                    }
                    arrows.push(GraphEdge { to, line: number });
                }
            }
            edges += arrows.len() + 1;
            if edges > most || self.made.len() << self.ahead.len() > most {
                return None;
            }
            next.push(arrows);
        }
        let good = fair_nodes(&next, &self.fairness(&moments), &vec![true; next.len()]);
        Some(good[..first].contains(&true))
    }

    /// Fairness of the graph, and fulfilment of the eventualities.
    fn fairness(&self, moments: &[TableauState]) -> Fair {
        let lift = |set: &Vec<bool>| moments.iter().map(|m| set[m.line]).collect::<Vec<bool>>();
        let fair = &self.graph.fair;
        let mut justice: Vec<Vec<bool>> = fair.justice.iter().map(lift).collect();
        for (number, core) in self.cores.iter().enumerate() {
            if let Core::Until(_, b) = core {
                let kept = |m: &TableauState| {
                    let truth = self.truth(m.line, m.ahead, m.behind);
                    truth[*b] || !truth[number]
                };
                justice.push(moments.iter().map(kept).collect());
            }
        }
        let compassion = fair.compassion.iter();
        Fair {
            justice,
            compassion: compassion.map(|(p, q)| (lift(p), lift(q))).collect(),
        }
    }
}
