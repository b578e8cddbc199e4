//! Decides properties on the graph of all reachable states.

use rustc_hash::FxHashMap;
use suppose_model::fsm::{
    Bound, Branch, Connective, ExprId, Fairness, Formula, FormulaId, Graph, Quantifier, Question,
    Simulator, Stopped, System,
};

use super::fair::FairGraph;
use super::linear;

/// How many steps `COMPUTE` gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// Exactly this many.
    Finite(usize),
    /// There is no such path, or one without end.
    Infinite,
    /// There is no state to begin in, or none to end in.
    Undefined,
}

/// A step of the graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) from: usize,
    /// Which of the steps of that state.
    pub(super) number: usize,
    pub(super) to: usize,
}

/// Decides properties of a small system, plainly.
pub struct Oracle<'a> {
    pub(super) system: &'a System,
    pub(super) simulator: Simulator<'a>,
    /// All reachable states.
    pub graph: Graph,
    pub(super) lines: Vec<Line>,
    /// The steps that can follow each step.
    pub(super) follow: Vec<Vec<usize>>,
    justice: Vec<Vec<bool>>,
    compassion: Vec<(Vec<bool>, Vec<bool>)>,
    /// The states from which a fair path leads on.
    fair: Vec<bool>,
}

impl<'a> Oracle<'a> {
    /// For a system of at most so many states.
    pub fn new(system: &'a System, states: usize, tries: u64) -> Result<Self, Stopped> {
        let mut simulator = Simulator::new(system, tries);
        let graph = simulator.explore(states)?;
        let mut lines = Vec::new();
        let mut first = Vec::new();
        for (from, edges) in graph.edges.iter().enumerate() {
            first.push(lines.len());
            for (number, edge) in edges.iter().enumerate() {
                let to = edge.target;
                lines.push(Line { from, number, to });
            }
        }
        first.push(lines.len());
        let after = |line: &Line| (first[line.to]..first[line.to + 1]).collect();
        let follow = lines.iter().map(after).collect();
        let fair = vec![true; graph.states.len()];
        let mut oracle = Oracle {
            system,
            simulator,
            graph,
            lines,
            follow,
            justice: Vec::new(),
            compassion: Vec::new(),
            fair,
        };
        for fairness in &system.fairness {
            match *fairness {
                Fairness::Justice(e) => {
                    let set = oracle.on_lines(e)?;
                    oracle.justice.push(set);
                }
                Fairness::Compassion(p, q) => {
                    let pair = (oracle.on_lines(p)?, oracle.on_lines(q)?);
                    oracle.compassion.push(pair);
                }
            }
        }
        let all = vec![true; oracle.graph.states.len()];
        oracle.fair = oracle.eg(&all);
        Ok(oracle)
    }

    /// Where an expression holds, step by step.
    pub(super) fn on_lines(&mut self, expr: ExprId) -> Result<Vec<bool>, Stopped> {
        let mut holds = Vec::new();
        for line in &self.lines {
            let inputs = &self.graph.edges[line.from][line.number].inputs;
            let (state, target) = (&self.graph.states[line.from], &self.graph.states[line.to]);
            holds.push(self.simulator.holds(expr, state, inputs, target)?);
        }
        Ok(holds)
    }

    /// Where an expression holds, state by state.
    fn on_states(&mut self, expr: ExprId) -> Result<Vec<bool>, Stopped> {
        let mut holds = Vec::new();
        for state in &self.graph.states {
            holds.push(self.simulator.holds(expr, state, &[], &[])?);
        }
        Ok(holds)
    }

    pub(super) fn fairness(&self) -> FairGraph<'_> {
        FairGraph {
            next: &self.follow,
            justice: self.justice.clone(),
            compassion: self.compassion.clone(),
        }
    }

    /// Is there a step out of every reachable state?
    pub fn is_total(&self) -> bool {
        self.graph.deadlocks().is_empty()
    }

    /// Is there a fair run from a reachable state?
    pub fn has_fair_run(&self) -> bool {
        self.fair.contains(&true)
    }

    /// Does the property hold? None for `COMPUTE`.
    pub fn verdict(&mut self, question: &Question) -> Result<Option<bool>, Stopped> {
        match question {
            Question::Ctl(formula) => self.ctl(*formula).map(Some),
            Question::Ltl(formula) => linear::holds(self, *formula).map(Some),
            Question::Invariant(expr) => self.invariant(*expr).map(Some),
            _ => Ok(None),
        }
    }

    /// What `COMPUTE` gives; none for other questions.
    pub fn compute(&mut self, question: &Question) -> Result<Option<Steps>, Stopped> {
        match question {
            Question::ComputeMin(from, to) => {
                let (from, to) = (self.fair_states(*from)?, self.fair_states(*to)?);
                Ok(Some(self.shortest(&from, &to)))
            }
            Question::ComputeMax(from, to) => {
                let (from, to) = (self.fair_states(*from)?, self.fair_states(*to)?);
                Ok(Some(self.longest(&from, &to)))
            }
            _ => Ok(None),
        }
    }

    /// The states where a formula of CTL holds and from which a fair path leads on.
    fn fair_states(&mut self, formula: FormulaId) -> Result<Vec<bool>, Stopped> {
        let holds = self.states(formula)?;
        Ok(self.each(|s| holds[s] && self.fair[s]))
    }

    fn shortest(&self, from: &[bool], to: &[bool]) -> Steps {
        let mut now = from.to_vec();
        for steps in 0..=self.graph.states.len() {
            if now.iter().zip(to).any(|(a, b)| *a && *b) {
                return Steps::Finite(steps);
            }
            let mut next = vec![false; now.len()];
            for line in self.lines.iter().filter(|l| now[l.from]) {
                next[line.to] = true;
            }
            now = next;
        }
        Steps::Infinite
    }

    /// How long paths from the first set can stay out of the second.
    fn longest(&self, from: &[bool], to: &[bool]) -> Steps {
        if !from.contains(&true) || !to.contains(&true) {
            return Steps::Undefined;
        }
        let mut outside = self.each(|s| self.fair[s] && !to[s]);
        let mut steps = 0;
        loop {
            if !outside.iter().zip(from).any(|(a, b)| *a && *b) {
                return Steps::Finite(steps);
            }
            let mut longer = vec![false; outside.len()];
            for line in self.lines.iter().filter(|l| outside[l.to]) {
                longer[line.from] |= outside[line.from];
            }
            if longer == outside {
                return Steps::Infinite;
            }
            outside = longer;
            steps += 1;
        }
    }

    fn invariant(&mut self, expr: ExprId) -> Result<bool, Stopped> {
        let support = self.system.exprs.support(expr);
        let has_input = support.current.iter().any(|v| self.system.is_input(*v));
        let holds = match self.system.exprs.has_next(expr) || has_input {
            true => self.on_lines(expr)?,
            false => self.on_states(expr)?,
        };
        Ok(holds.iter().all(|h| *h))
    }

    fn ctl(&mut self, formula: FormulaId) -> Result<bool, Stopped> {
        let holds = self.states(formula)?;
        let mut initial = self.graph.initial.iter();
        Ok(initial.all(|s| holds[*s] || !self.fair[*s]))
    }

    /// The states where a formula of CTL holds.
    pub fn states(&mut self, formula: FormulaId) -> Result<Vec<bool>, Stopped> {
        let mut known: FxHashMap<FormulaId, Vec<bool>> = FxHashMap::default();
        let system = self.system;
        for it in system.formulas.within(formula) {
            let holds = match system.formulas.node(it) {
                Formula::Atom(expr) => self.on_states(*expr)?,
                Formula::Not(a) => not(&known[a]),
                Formula::And(all) => self.each(|s| all.iter().all(|f| known[f][s])),
                Formula::Or(all) => self.each(|s| all.iter().any(|f| known[f][s])),
                Formula::Connective(op, a, b) => {
                    let (a, b) = (&known[a], &known[b]);
                    self.each(|s| match op {
                        Connective::Implies => !a[s] || b[s],
                        Connective::Iff => a[s] == b[s],
                        Connective::Xor => a[s] != b[s],
                    })
                }
                Formula::Branch(quantifier, branch, bound, a) => {
                    self.branch(*quantifier, *branch, *bound, &known[a])
                }
                Formula::BranchUntil(quantifier, bound, a, b) => {
                    self.until(*quantifier, *bound, &known[a], &known[b])
                }
                Formula::Linear(..) | Formula::LinearPair(..) => {
                    panic!("an operator of LTL in a formula of CTL")
                }
            };
            known.insert(it, holds);
        }
        Ok(known.remove(&formula).unwrap_or_default())
    }

    fn each(&self, holds: impl Fn(usize) -> bool) -> Vec<bool> {
        (0..self.graph.states.len()).map(holds).collect()
    }

    fn branch(&self, q: Quantifier, branch: Branch, bound: Option<Bound>, a: &[bool]) -> Vec<bool> {
        // `A` is not `E` not, with the other of `F` and `G`.
        let (operand, some) = match q {
            Quantifier::Some => (a.to_vec(), true),
            Quantifier::All => (not(a), false),
        };
        let finally = (branch == Branch::Finally) == some;
        let all = vec![true; a.len()];
        let found = match (branch, bound) {
            (Branch::Next, _) => self.ex(&operand),
            (_, None) if finally => self.eu(&all, &operand),
            (_, None) => self.eg(&operand),
            (_, Some(bound)) if finally => self.ebu(&all, &operand, bound),
            (_, Some(bound)) => self.ebg(&operand, bound),
        };
        if some { found } else { not(&found) }
    }

    fn until(&self, q: Quantifier, bound: Option<Bound>, a: &[bool], b: &[bool]) -> Vec<bool> {
        match (q, bound) {
            (Quantifier::Some, None) => self.eu(a, b),
            (Quantifier::Some, Some(bound)) => self.ebu(a, b, bound),
            // On some path the second never comes, or the first fails before it.
            (Quantifier::All, None) => {
                let never = self.eg(&not(b));
                let neither = self.each(|s| !a[s] && !b[s]);
                let broken = self.eu(&not(b), &neither);
                self.each(|s| !never[s] && !broken[s])
            }
            (Quantifier::All, Some(bound)) => self.abu(a, b, bound),
        }
    }

    /// On some fair path, in the next state.
    fn ex(&self, a: &[bool]) -> Vec<bool> {
        let mut found = vec![false; a.len()];
        for line in &self.lines {
            found[line.from] |= a[line.to] && self.fair[line.to];
        }
        found
    }

    fn ax(&self, a: &[bool]) -> Vec<bool> {
        not(&self.ex(&not(a)))
    }

    fn eu(&self, a: &[bool], b: &[bool]) -> Vec<bool> {
        let mut found = self.each(|s| b[s] && self.fair[s]);
        loop {
            let before = self.ex(&found);
            let more = self.each(|s| found[s] || (a[s] && before[s]));
            if more == found {
                return found;
            }
            found = more;
        }
    }

    fn eg(&self, a: &[bool]) -> Vec<bool> {
        let inside: Vec<bool> = self.lines.iter().map(|l| a[l.from]).collect();
        let fair = self.fairness().fair(&inside);
        let mut found = vec![false; a.len()];
        for (line, fair) in self.lines.iter().zip(fair) {
            found[line.from] |= fair;
        }
        found
    }

    fn ebu(&self, a: &[bool], b: &[bool], bound: Bound) -> Vec<bool> {
        let mut found = self.each(|s| b[s] && self.fair[s]);
        let last = found.clone();
        for _ in bound.low..bound.high {
            let before = self.ex(&found);
            found = self.each(|s| last[s] || (a[s] && before[s]));
        }
        for _ in 0..bound.low {
            let before = self.ex(&found);
            found = self.each(|s| a[s] && before[s]);
        }
        found
    }

    fn abu(&self, a: &[bool], b: &[bool], bound: Bound) -> Vec<bool> {
        let mut found = b.to_vec();
        for _ in bound.low..bound.high {
            let before = self.ax(&found);
            found = self.each(|s| b[s] || (a[s] && before[s]));
        }
        for _ in 0..bound.low {
            let before = self.ax(&found);
            found = self.each(|s| a[s] && before[s]);
        }
        found
    }

    fn ebg(&self, a: &[bool], bound: Bound) -> Vec<bool> {
        let mut found = self.each(|s| a[s] && self.fair[s]);
        for _ in bound.low..bound.high {
            let before = self.ex(&found);
            found = self.each(|s| a[s] && before[s]);
        }
        for _ in 0..bound.low {
            found = self.ex(&found);
        }
        found
    }
}

fn not(set: &[bool]) -> Vec<bool> {
    set.iter().map(|b| !b).collect()
}
