//! What holds along one run, exactly.

use suppose_model::fsm::{
    Bound, Branch, Connective, Fairness, Fault, Formula, FormulaId, Quantifier, Simulator, System,
    Trace,
};

use super::explicit_graph::repeat;
use super::linear::Core;

/// A run whose states and steps were examined.
pub(super) struct Run<'a> {
    pub(super) system: &'a System,
    pub(super) simulator: Simulator<'a>,
    pub(super) trace: &'a Trace,
}

impl Run<'_> {
    fn steps(&self) -> usize {
        self.trace.inputs.len()
    }

    /// Does an expression hold in a step, or in the last state of a run without a loop?
    pub(super) fn holds(
        &mut self,
        expr: suppose_model::fsm::ExprId,
        at: usize,
    ) -> Result<bool, Fault> {
        let states = &self.trace.states;
        let inputs = self.trace.inputs.get(at).map_or(&[][..], |i| i);
        let target = states.get(at + 1).map_or(&[][..], |s| s);
        self.simulator.holds(expr, &states[at], inputs, target)
    }

    /// Is the run infinite, and fair?
    pub(super) fn is_fair(&mut self) -> Result<bool, Fault> {
        let Some(begin) = self.trace.loops_to else {
            return Ok(false);
        };
        let system = self.system;
        for fairness in &system.fairness {
            let met = match fairness {
                Fairness::Justice(e) => self.in_loop(*e, begin)?,
                Fairness::Compassion(p, q) => {
                    !self.in_loop(*p, begin)? || self.in_loop(*q, begin)?
                }
            };
            if !met {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn in_loop(&mut self, expr: suppose_model::fsm::ExprId, begin: usize) -> Result<bool, Fault> {
        for at in begin..self.steps() {
            if self.holds(expr, at)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The truth of a formula of LTL in the first step of a run with a loop; none if that takes too long.
    ///
    /// What is remembered can be different each time round. But the truth of a formula repeats from some time on: that of an atom
    /// from the loop's beginning, `Y p` one step after `p`, and `p S q` one round after both (a round takes one truth to another
    /// monotonically, so the second round changes nothing more). So the loop is written out that long, and once more.
    pub(super) fn linear(&mut self, cores: &[Core], top: usize) -> Result<Option<bool>, Fault> {
        const MOST: usize = 50_000_000;
        let (steps, Some(begin)) = (self.steps(), self.trace.loops_to) else {
            return Ok(None);
        };
        let round = steps - begin;
        let settles = settling(cores, begin, round);
        let length = settles.saturating_add(round);
        if length.saturating_mul(cores.len()) > MOST {
            return Ok(None);
        }
        let place = |at: usize| {
            if at < begin {
                at
            } else {
                begin + (at - begin) % round
            }
        };
        let mut truth: Vec<Vec<bool>> = Vec::with_capacity(cores.len());
        for core in cores {
            let mut here = vec![false; length];
            match *core {
                Core::Atom(expr) => {
                    let mut once = Vec::with_capacity(steps);
                    for at in 0..steps {
                        once.push(self.holds(expr, at)?);
                    }
                    (0..length).for_each(|at| here[at] = once[place(at)]);
                }
                Core::Not(a) => (0..length).for_each(|at| here[at] = !truth[a][at]),
                Core::And(a, b) => {
                    (0..length).for_each(|at| here[at] = truth[a][at] && truth[b][at]);
                }
                Core::Next(a) => {
                    let after = |at: usize| if at + 1 < length { at + 1 } else { settles };
                    (0..length).for_each(|at| here[at] = truth[a][after(at)]);
                }
                Core::Yesterday(a) => (1..length).for_each(|at| here[at] = truth[a][at - 1]),
                Core::Since(a, b) => {
                    for at in 0..length {
                        here[at] = truth[b][at] || truth[a][at] && at > 0 && here[at - 1];
                    }
                }
                Core::Until(a, b) => {
                    // Twice through the last round: the first time finds what comes in it.
                    let mut later = false;
                    for at in (settles..length).rev() {
                        later = truth[b][at] || truth[a][at] && later;
                    }
                    for at in (0..length).rev() {
                        later = truth[b][at] || truth[a][at] && later;
                        here[at] = later;
                    }
                }
            }
            truth.push(here);
        }
        Ok(truth.get(top).and_then(|t| t.first()).copied())
    }
}

/// From which step on the truth of all formulas repeats every round.
fn settling(cores: &[Core], begin: usize, round: usize) -> usize {
    let mut from: Vec<usize> = Vec::with_capacity(cores.len());
    for core in cores {
        from.push(match *core {
            Core::Atom(_) => begin,
            Core::Not(a) | Core::Next(a) => from[a],
            Core::And(a, b) | Core::Until(a, b) => from[a].max(from[b]),
            Core::Yesterday(a) => from[a].saturating_add(1),
            Core::Since(a, b) => from[a].max(from[b]).saturating_add(round),
        });
    }
    from.into_iter().max().unwrap_or(begin)
}

/// What a run shows of a formula of CTL in its states: where it is true for sure, and where it is false for sure.
struct Shown {
    yes: Vec<bool>,
    no: Vec<bool>,
}

/// The places of a run, and how they follow each other.
#[derive(Clone, Copy)]
struct Places {
    count: usize,
    /// Where the last one leads, if the run continues forever and is fair.
    back: Option<usize>,
}

impl Places {
    fn after(self, at: usize) -> Option<usize> {
        if at + 1 < self.count {
            Some(at + 1)
        } else {
            self.back
        }
    }

    /// Where the way along the run first meets the goal, going through; a whole round is enough.
    fn until(self, through: &[bool], goal: &[bool]) -> Vec<bool> {
        let mut found = goal.to_vec();
        for _ in 0..2 {
            for at in (0..self.count).rev() {
                found[at] |= through[at] && self.after(at).is_some_and(|next| found[next]);
            }
        }
        found
    }

    /// Where the run stays in the set forever.
    fn forever(self, set: &[bool]) -> Vec<bool> {
        let Some(back) = self.back else {
            return vec![false; self.count];
        };
        let round = set[back..].iter().all(|s| *s);
        let mut found = vec![round; self.count];
        let mut stays = round;
        for at in (0..back).rev() {
            stays &= set[at];
            found[at] = stays;
        }
        found
    }

    /// The set one step later.
    fn next(self, set: &[bool]) -> Vec<bool> {
        let later = |at| self.after(at).is_some_and(|next: usize| set[next]);
        (0..self.count).map(later).collect()
    }
}

impl Run<'_> {
    /// Does the run show that a formula of CTL is false in its first state? It shows what is true on some path if it is that path, and what
    /// is false on all paths likewise; `fair` says that it continues forever and counts.
    pub(super) fn refutes(&mut self, formula: FormulaId, fair: bool) -> Result<bool, Fault> {
        let places = match self.trace.loops_to {
            Some(back) if fair => Places {
                count: self.steps(),
                back: Some(back),
            },
            _ => Places {
                count: self.trace.states.len(),
                back: None,
            },
        };
        let system = self.system;
        let mut known: rustc_hash::FxHashMap<FormulaId, Shown> = rustc_hash::FxHashMap::default();
        for it in system.formulas.within(formula) {
            let shown = match system.formulas.node(it) {
                Formula::Atom(expr) => {
                    let mut yes = Vec::with_capacity(places.count);
                    for at in 0..places.count {
                        let state = &self.trace.states[at];
                        yes.push(self.simulator.holds(*expr, state, &[], &[])?);
                    }
                    let no = yes.iter().map(|t| !t).collect();
                    Shown { yes, no }
                }
                node => shown(node, &known, places),
            };
            known.insert(it, shown);
        }
        let top = known.get(&formula);
        Ok(top.and_then(|s| s.no.first()).copied() == Some(true))
    }
}

type Known = rustc_hash::FxHashMap<FormulaId, Shown>;

fn both(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| *a && *b).collect()
}

fn either(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| *a || *b).collect()
}

fn shown(node: &Formula, known: &Known, places: Places) -> Shown {
    let none = || vec![false; places.count];
    let all = || vec![true; places.count];
    match node {
        Formula::Not(a) => Shown {
            yes: known[a].no.clone(),
            no: known[a].yes.clone(),
        },
        Formula::And(parts) => Shown {
            yes: parts.iter().fold(all(), |sum, p| both(&sum, &known[p].yes)),
            no: parts
                .iter()
                .fold(none(), |sum, p| either(&sum, &known[p].no)),
        },
        Formula::Or(parts) => Shown {
            yes: parts
                .iter()
                .fold(none(), |sum, p| either(&sum, &known[p].yes)),
            no: parts.iter().fold(all(), |sum, p| both(&sum, &known[p].no)),
        },
        Formula::Connective(op, a, b) => {
            let (a, b) = (&known[a], &known[b]);
            let same = either(&both(&a.yes, &b.yes), &both(&a.no, &b.no));
            let other = either(&both(&a.yes, &b.no), &both(&a.no, &b.yes));
            match op {
                Connective::Implies => Shown {
                    yes: either(&a.no, &b.yes),
                    no: both(&a.yes, &b.no),
                },
                Connective::Iff => Shown {
                    yes: same,
                    no: other,
                },
                Connective::Xor => Shown {
                    yes: other,
                    no: same,
                },
            }
        }
        Formula::Branch(Quantifier::Some, op, bound, a) => Shown {
            yes: some(*op, *bound, &known[a].yes, places),
            no: none(),
        },
        Formula::Branch(Quantifier::All, op, bound, a) => {
            let dual = match op {
                Branch::Next => Branch::Next,
                Branch::Finally => Branch::Globally,
                Branch::Globally => Branch::Finally,
            };
            Shown {
                yes: none(),
                no: some(dual, *bound, &known[a].no, places),
            }
        }
        Formula::BranchUntil(Quantifier::Some, bound, a, b) => {
            let (a, b) = (&known[a].yes, &known[b].yes);
            let yes = match bound {
                None => places.until(a, b),
                Some(bound) => within(*bound, a, b, places),
            };
            Shown { yes, no: none() }
        }
        Formula::BranchUntil(Quantifier::All, bound, a, b) => {
            let (lost, without) = (&known[a].no, &known[b].no);
            let no = match bound {
                None => {
                    let broken = places.until(without, &both(lost, without));
                    either(&broken, &places.forever(without))
                }
                Some(bound) => not_within(*bound, lost, without, places),
            };
            Shown { yes: none(), no }
        }
        Formula::Atom(_) | Formula::Linear(..) | Formula::LinearPair(..) => Shown {
            yes: none(),
            no: none(),
        },
    }
}

/// On the run: the operand in the next state, some time, always.
fn some(op: Branch, bound: Option<Bound>, a: &[bool], places: Places) -> Vec<bool> {
    let all = vec![true; places.count];
    match (op, bound) {
        (Branch::Next, _) => places.next(a),
        (Branch::Finally, None) => places.until(&all, a),
        (Branch::Globally, None) => places.forever(a),
        (Branch::Finally, Some(bound)) => within(bound, &all, a, places),
        (Branch::Globally, Some(bound)) => {
            let found = repeat(bound.high - bound.low, a.to_vec(), |found| {
                both(a, &places.next(found))
            });
            repeat(bound.low, found, |found| places.next(found))
        }
    }
}

fn within(bound: Bound, a: &[bool], b: &[bool], places: Places) -> Vec<bool> {
    let found = repeat(bound.high - bound.low, b.to_vec(), |found| {
        either(b, &both(a, &places.next(found)))
    });
    repeat(bound.low, found, |found| both(a, &places.next(found)))
}

/// Why a bounded until fails: `lost` says where the first is false, `without` where the second is.
fn not_within(bound: Bound, lost: &[bool], without: &[bool], places: Places) -> Vec<bool> {
    let found = repeat(bound.high - bound.low, without.to_vec(), |found| {
        both(without, &either(lost, &places.next(found)))
    });
    repeat(bound.low, found, |found| either(lost, &places.next(found)))
}
