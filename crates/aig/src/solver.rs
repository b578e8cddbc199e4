//! SAT solving on circuits.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use batsat::{Callbacks, SolverInterface, SolverOpts, lbool};
use suppose_control::{Context, Stopped};

use crate::circuit::{Circuit, Gate, Lit};

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SatResult {
    /// Satisfiable: see [`Solver::value`] and [`Solver::model`].
    Sat,
    /// Unsatisfiable: see [`Solver::core`].
    Unsat,
}

/// Polls a context at every sixty-fourth decision of a search, about as often as other engines poll it for the same work.
struct Polling {
    cx: Context,
    decisions: AtomicU32,
    /// Once stopped, a solver stays so: it may ask again on its way out.
    stopped: OnceLock<Stopped>,
}

struct Hook(Option<Arc<Polling>>);

impl Callbacks for Hook {
    fn stop(&self) -> bool {
        let Some(polling) = &self.0 else {
            return false;
        };
        let decisions = polling.decisions.fetch_add(1, Ordering::Relaxed);
        if decisions.is_multiple_of(64)
            && let Err(why) = polling.cx.check()
        {
            polling.stopped.get_or_init(|| why);
        }
        polling.stopped.get().is_some()
    }
}

/// The truth of every node of a circuit under one assignment.
#[derive(Clone, Debug)]
pub struct Model {
    truth: Vec<bool>,
}

impl Model {
    /// Is a wire true? Wires made after the model are false.
    pub fn holds(&self, lit: Lit) -> bool {
        let node = self.truth.get(lit.node());
        node.is_some_and(|truth| *truth != lit.is_negated())
    }
}

/// A solver for wires of one circuit, which may grow between searches. Only the gates that clauses and assumptions depend on reach it.
pub struct Solver {
    inner: batsat::Solver<Hook>,
    polling: Option<Arc<Polling>>,
    /// The variable of each node that was needed so far.
    vars: Vec<Option<batsat::Var>>,
    /// The node of each variable.
    nodes: Vec<usize>,
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new()
    }
}

impl std::fmt::Debug for Solver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Solver");
        shown.field("variables", &self.nodes.len()).finish()
    }
}

impl Solver {
    /// A solver that is never stopped.
    pub fn new() -> Self {
        Solver::with(None)
    }

    /// A solver whose searches the context can stop.
    pub fn under(cx: &Context) -> Self {
        Solver::with(Some(Arc::new(Polling {
            cx: cx.clone(),
            decisions: AtomicU32::new(0),
            stopped: OnceLock::new(),
        })))
    }

    fn with(polling: Option<Arc<Polling>>) -> Self {
        Solver {
            inner: batsat::Solver::new(SolverOpts::default(), Hook(polling.clone())),
            polling,
            vars: Vec::new(),
            nodes: Vec::new(),
        }
    }

    /// How many conflicts searches met so far.
    pub fn conflicts(&self) -> u64 {
        self.inner.num_conflicts()
    }

    /// One of the wires must be true from now on.
    pub fn add(&mut self, circuit: &Circuit, clause: &[Lit]) {
        self.reach(circuit, clause);
        let mut lits: Vec<batsat::Lit> = clause.iter().filter_map(|l| self.lit(*l)).collect();
        self.inner.add_clause_reuse(&mut lits);
    }

    /// Are the assumptions satisfiable together with the clauses?
    pub fn solve(&mut self, circuit: &Circuit, assumptions: &[Lit]) -> Result<SatResult, Stopped> {
        self.reach(circuit, assumptions);
        let lits: Vec<batsat::Lit> = assumptions.iter().filter_map(|l| self.lit(*l)).collect();
        let found = self.inner.solve_limited(&lits);
        if found == lbool::TRUE {
            return Ok(SatResult::Sat);
        }
        match found == lbool::FALSE {
            true => Ok(SatResult::Unsat),
            false => Err(self.stopped()),
        }
    }

    fn stopped(&self) -> Stopped {
        let why = self.polling.as_ref().and_then(|p| p.stopped.get());
        why.copied().unwrap_or(Stopped::Superseded)
    }

    /// The truth of a wire in what the last search found; none if no search needed it.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        let inner = self.lit(lit)?;
        let found = *self.inner.get_model().get(inner.var().idx() as usize)?;
        // Neither true nor false: not needed.
        let decided = found == lbool::TRUE || found == lbool::FALSE;
        decided.then(|| (found == lbool::TRUE) == inner.sign())
    }

    /// The truth of all wires in what the last search found. Inputs that it did not need are false.
    pub fn model(&self, circuit: &Circuit) -> Model {
        let input = |number| self.value(circuit.input_lit(number)) == Some(true);
        Model {
            truth: circuit.evaluate(input),
        }
    }

    /// Some of the assumptions of the last search that cannot be true together with the clauses.
    pub fn core(&self) -> Vec<Lit> {
        let lits = self.inner.unsat_core().iter();
        let mut core: Vec<Lit> = lits
            .filter_map(|lit| {
                let node = self.nodes.get(lit.var().idx() as usize)?;
                // It is a clause that follows: of what cannot be true together, one is false.
                Some(Lit::new(*node, lit.sign()))
            })
            .collect();
        core.sort_unstable();
        core
    }

    fn lit(&self, lit: Lit) -> Option<batsat::Lit> {
        let var = self.vars.get(lit.node()).copied().flatten()?;
        Some(batsat::Lit::new(var, !lit.is_negated()))
    }

    /// Gives variables and clauses to the gates that wires depend on and that have none.
    fn reach(&mut self, circuit: &Circuit, roots: &[Lit]) {
        self.vars.resize(circuit.len().max(self.vars.len()), None);
        let mut open: Vec<usize> = roots.iter().map(|l| l.node()).collect();
        let mut fresh = Vec::new();
        while let Some(node) = open.pop() {
            if self.vars[node].is_some() {
                continue;
            }
            let var = self.inner.new_var_default();
            debug_assert_eq!(var.idx() as usize, self.nodes.len());
            self.vars[node] = Some(var);
            self.nodes.push(node);
            fresh.push(node);
            match (circuit.gate(node), choice(circuit, node)) {
                (_, Some([test, a, b])) => open.extend([test.node(), a.node(), b.node()]),
                (Gate::And(a, b), None) => open.extend([a.node(), b.node()]),
                _ => {}
            }
        }
        for node in fresh {
            self.define(circuit, node);
        }
    }

    fn define(&mut self, circuit: &Circuit, node: usize) {
        let Some(whole) = self.lit(Lit::new(node, false)) else {
            return;
        };
        if let Some(choice) = choice(circuit, node) {
            return self.define_choice(whole, choice);
        }
        match circuit.gate(node) {
            Gate::Input(_) => {}
            Gate::False => self.clause(&[!whole]),
            Gate::And(a, b) => {
                let (Some(a), Some(b)) = (self.lit(a), self.lit(b)) else {
                    return;
                };
                self.clause(&[!whole, a]);
                self.clause(&[!whole, b]);
                self.clause(&[whole, !a, !b]);
            }
        }
    }

    /// The node is the negation of the choice. The last two clauses follow from the others, and let the solver see more at once.
    fn define_choice(&mut self, whole: batsat::Lit, choice: [Lit; 3]) {
        let [Some(test), Some(a), Some(b)] = choice.map(|l| self.lit(l)) else {
            return;
        };
        let chosen = !whole;
        self.clause(&[!test, !chosen, a]);
        self.clause(&[!test, chosen, !a]);
        self.clause(&[test, !chosen, b]);
        self.clause(&[test, chosen, !b]);
        self.clause(&[!chosen, a, b]);
        self.clause(&[chosen, !a, !b]);
    }

    fn clause(&mut self, lits: &[batsat::Lit]) {
        self.inner.add_clause_reuse(&mut lits.to_vec());
    }
}

/// If a node is the negation of a choice, `!(test ? a : b)`: its parts. [`Circuit::ite`] makes such nodes of three gates; a solver does better with one.
fn choice(circuit: &Circuit, node: usize) -> Option<[Lit; 3]> {
    let Gate::And(first, second) = circuit.gate(node) else {
        return None;
    };
    if !first.is_negated() || !second.is_negated() {
        return None;
    }
    let (Gate::And(a, b), Gate::And(c, d)) =
        (circuit.gate(first.node()), circuit.gate(second.node()))
    else {
        return None;
    };
    for (test, then) in [(a, b), (b, a)] {
        for (other, otherwise) in [(c, d), (d, c)] {
            if test == !other {
                return Some([test, then, otherwise]);
            }
        }
    }
    None
}
