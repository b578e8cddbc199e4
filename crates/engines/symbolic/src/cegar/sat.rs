//! Is an abstract counterexample real, and what must be told apart if not: by satisfiability, without the relation of the system as
//! decision diagrams (after Clarke, Gupta, Kukula and Strichman, 2002).
//!
//! The system is unrolled along the counterexample, with the abstract states as assumptions. The failure state is the last of the longest
//! satisfiable prefix. Pairs of a dead-end and a bad state that the bits chosen so far do not tell apart are sampled, and of the bits in
//! which they differ the one that tells most pairs apart is chosen, until there is no such pair; those bits that the last
//! answer did not need are dropped. A loop is unwound until it closes or fails: by Theorem 4.1 it does one or the other.

use suppose_aig::{Frames, Lit, Model, SatResult, Solver};
use suppose_control::{Context, Stopped};
use suppose_model::fsm::{Decisions, ExprId, Fairness, System, Trace, VarId};

/// Frames that are no part of any path: for bad states, apart from those of the path.
const APART: usize = 1 << 40;

/// A run of a question of runs is shown without end if so many more steps are enough.
const MOST_STEPS: usize = 24;

/// The concrete states of a spurious path are searched for another run if it has so many states at most, with so many steps more.
const LONGEST_NEAR: usize = 24;
const MORE_STEPS: usize = 2;

/// And, if it is to come back to a state, if comparing states with each other takes no more than so many comparisons of bits.
const MOST_COMPARED: usize = 100_000;

/// After so many pairs of states the choice of bits is only added to, so that it ends.
const MOST_SAMPLES: usize = 64;

/// For clusters sets of valuations; together an abstract state.
pub(super) type Product = Vec<(usize, Decisions)>;

/// What following an abstract counterexample found.
#[derive(Debug)]
pub(super) enum Verdict {
    /// A run of the system.
    Real(Trace),
    /// No initial state is in these clusters' sets.
    NoStart(Vec<usize>),
    /// The positions of the failure state and of what should come next, and how far the (unwound) path can be followed.
    DeadEnd {
        /// The failure state.
        at: usize,
        /// What would come after it.
        then: usize,
        /// The frame of the failure state.
        frame: usize,
    },
}

/// What to do about a failure state.
#[derive(Debug)]
pub(super) enum Remedy {
    /// There is no step at all between these clusters' sets: approximation made it.
    NoStep(Vec<usize>, Vec<usize>),
    /// Bits that tell dead-end from bad states: clusters, and places of bits in them.
    Bits(Vec<(usize, usize)>),
}

/// The system over time, with a solver.
pub(super) struct Unrolling<'a> {
    frames: Frames<'a>,
    solver: Solver,
    cx: Context,
}

impl<'a> Unrolling<'a> {
    /// Nothing is unrolled yet.
    pub fn new(system: &'a System, cx: &Context) -> Self {
        Unrolling {
            frames: Frames::new(system),
            solver: Solver::under(cx),
            cx: cx.clone(),
        }
    }

    fn possible(&mut self, assumptions: &[Lit]) -> Result<bool, Stopped> {
        self.cx.check()?;
        let answer = self.solver.solve(self.frames.circuit(), assumptions)?;
        Ok(answer == SatResult::Sat)
    }

    /// The wires that say that a frame is in an abstract state, one for each cluster.
    fn product(&mut self, product: &Product, frame: usize) -> Vec<(usize, Lit)> {
        let wires = product.iter().map(|(cluster, set)| {
            // Decisions come from the encoding of this system, so they make sense.
            let wire = self.frames.decisions(set, frame);
            (*cluster, wire.unwrap_or(Lit::FALSE))
        });
        wires.collect()
    }

    /// What holds in a frame of a path.
    fn moment(&mut self, product: &Product, frame: usize) -> Vec<Lit> {
        let mut all = match frame {
            0 => vec![self.frames.init(0)],
            _ => vec![self.frames.step(frame - 1)],
        };
        all.push(self.frames.state(frame));
        all.extend(
            self.product(product, frame)
                .into_iter()
                .map(|(_, wire)| wire),
        );
        all
    }

    fn blamed(&self, wires: &[(usize, Lit)], core: &[Lit]) -> Vec<usize> {
        let blamed = wires.iter().filter(|(_, wire)| core.contains(wire));
        blamed.map(|(cluster, _)| *cluster).collect()
    }

    /// Follows a path; if it loops, its last state leads back to position `back` and is not repeated there.
    pub fn follow(
        &mut self,
        path: &[Product],
        back: Option<usize>,
        lasso: bool,
    ) -> Result<Verdict, Stopped> {
        let mut assumptions: Vec<Lit> = Vec::new();
        let mut heads: Vec<usize> = Vec::new();
        for frame in 0.. {
            let at = match back {
                _ if frame < path.len() => frame,
                Some(back) => back + (frame - back) % (path.len() - back),
                None => break,
            };
            let moment = self.moment(&path[at], frame);
            assumptions.extend(moment);
            if !self.possible(&assumptions)? {
                return Ok(self.failed(path, back, frame, at));
            }
            if Some(at) == back {
                let closed = self.closed(&heads, frame);
                assumptions.push(closed);
                if !heads.is_empty() && self.possible(&assumptions)? {
                    return Ok(Verdict::Real(self.trace(frame, &heads)));
                }
                assumptions.pop();
                heads.push(frame);
            }
        }
        if lasso && let Some(trace) = self.go_on(&mut assumptions, path.len() - 1)? {
            return Ok(Verdict::Real(trace));
        }
        self.possible(&assumptions)?;
        Ok(Verdict::Real(self.trace(path.len() - 1, &[])))
    }

    /// The first phase of Section 5: a run through the concrete states of the path, in any order and with a few more steps, that ends in its
    /// last state. None if there is none, or the path is long.
    pub fn near(&mut self, path: &[Product], lasso: bool) -> Result<Option<Trace>, Stopped> {
        let Some(last) = path.last().filter(|_| path.len() <= LONGEST_NEAR) else {
            return Ok(None);
        };
        let mut assumptions = vec![self.frames.init(0)];
        for frame in 0..path.len() + MORE_STEPS {
            if frame > 0 {
                assumptions.push(self.frames.step(frame - 1));
            }
            assumptions.push(self.frames.state(frame));
            let somewhere = self.somewhere(path, frame);
            assumptions.push(somewhere);
            let ends: Vec<Lit> = self.product(last, frame).into_iter().map(|w| w.1).collect();
            let before = assumptions.len();
            assumptions.extend(ends);
            if self.possible(&assumptions)? {
                if lasso && let Some(trace) = self.go_on(&mut assumptions, frame)? {
                    return Ok(Some(trace));
                }
                self.possible(&assumptions)?;
                return Ok(Some(self.trace(frame, &[])));
            }
            assumptions.truncate(before);
            if !self.possible(&assumptions)? {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// A frame is in one of the abstract states of a path.
    fn somewhere(&mut self, path: &[Product], frame: usize) -> Lit {
        let mut any = Lit::FALSE;
        for product in path {
            let wires = self.product(product, frame).into_iter().map(|w| w.1);
            let circuit = self.frames.circuit_mut();
            let here = circuit.all(wires);
            any = circuit.or(any, here);
        }
        any
    }

    /// The first phase of Section 5 for loops: a fair run without end through the concrete states of a path, in any order and with a few more
    /// steps, that begins where `from` is true. None if there is none, or it would take much to find out.
    pub fn near_loop(&mut self, path: &[Product], from: ExprId) -> Result<Option<Trace>, Stopped> {
        let system = self.frames.system();
        let mut justice = Vec::new();
        for constraint in &system.fairness {
            match constraint {
                Fairness::Justice(expr) => justice.push(*expr),
                // A longer loop may break what a shorter one keeps.
                Fairness::Compassion(..) => return Ok(None),
            }
        }
        let bits: usize = system
            .state_vars()
            .map(|v| system.variable(v).ty.bits())
            .sum();
        let frames = path.len() + MORE_STEPS;
        if path.len() > LONGEST_NEAR || bits * frames * frames / 2 > MOST_COMPARED {
            return Ok(None);
        }
        let mut assumptions = vec![self.frames.init(0), self.frames.truth(from, 0)];
        for frame in 0..=frames {
            if frame > 0 {
                assumptions.push(self.frames.step(frame - 1));
            }
            assumptions.push(self.frames.state(frame));
            let somewhere = self.somewhere(path, frame);
            assumptions.push(somewhere);
            let closed = self.fairly_closed(&justice, frame);
            assumptions.push(closed);
            if self.possible(&assumptions)? {
                let earlier: Vec<usize> = (0..frame).collect();
                return Ok(Some(self.trace(frame, &earlier)));
            }
            assumptions.pop();
            if !self.possible(&assumptions)? {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// The state of a frame is an earlier one, and since then each of these was true in some state.
    fn fairly_closed(&mut self, justice: &[ExprId], frame: usize) -> Lit {
        let mut met = vec![Lit::FALSE; justice.len()];
        let mut any = Lit::FALSE;
        for head in (0..frame).rev() {
            let mut all = self.same_state(head, frame);
            for (expr, met) in justice.iter().zip(&mut met) {
                let here = self.frames.truth(*expr, head);
                let circuit = self.frames.circuit_mut();
                *met = circuit.or(*met, here);
                all = circuit.and(all, *met);
            }
            any = self.frames.circuit_mut().or(any, all);
        }
        any
    }

    fn failed(
        &mut self,
        path: &[Product],
        back: Option<usize>,
        frame: usize,
        at: usize,
    ) -> Verdict {
        if frame == 0 {
            let core = self.solver.core();
            let wires = self.product(&path[0], 0);
            return Verdict::NoStart(self.blamed(&wires, &core));
        }
        let before = match back {
            Some(back) if at == back && frame > back => path.len() - 1,
            _ => at - 1,
        };
        Verdict::DeadEnd {
            at: before,
            then: at,
            frame: frame - 1,
        }
    }

    /// The state of a frame is that of an earlier one.
    fn closed(&mut self, earlier: &[usize], frame: usize) -> Lit {
        let mut any = Lit::FALSE;
        for head in earlier {
            let same = self.same_state(*head, frame);
            any = self.frames.circuit_mut().or(any, same);
        }
        any
    }

    fn same_state(&mut self, a: usize, b: usize) -> Lit {
        let vars: Vec<VarId> = self.frames.system().state_vars().collect();
        let mut all = Lit::TRUE;
        for var in vars {
            let (x, y) = (self.frames.bits(var, a), self.frames.bits(var, b));
            for (x, y) in x.into_iter().zip(y) {
                let same = self.frames.circuit_mut().iff(x, y);
                all = self.frames.circuit_mut().and(all, same);
            }
        }
        all
    }

    /// The run of the last answer; its last state is one at an earlier place, if it is one of those given.
    fn trace(&self, last: usize, earlier: &[usize]) -> Trace {
        let model = self.model();
        let holds = |lit: Lit| model.holds(lit);
        let frames = &self.frames;
        let states: Vec<_> = (0..=last).map(|f| frames.state_values(f, &holds)).collect();
        let inputs = (0..last).map(|f| frames.input_values(f, &holds)).collect();
        let is_last = |head: &&usize| states[**head] == states[last];
        let loops_to = earlier.iter().find(is_last).copied();
        Trace {
            states,
            inputs,
            loops_to,
        }
    }

    fn model(&self) -> Model {
        self.solver.model(self.frames.circuit())
    }

    /// A run that goes on until it is back at a state it was in, if few steps are enough. Leaves the assumptions as they were.
    fn go_on(&mut self, assumptions: &mut Vec<Lit>, last: usize) -> Result<Option<Trace>, Stopped> {
        let before = assumptions.len();
        for frame in last + 1..=last + MOST_STEPS {
            let (step, state) = (self.frames.step(frame - 1), self.frames.state(frame));
            assumptions.extend([step, state]);
            let earlier: Vec<usize> = (0..frame).collect();
            let closed = self.closed(&earlier, frame);
            assumptions.push(closed);
            if self.possible(assumptions)? {
                return Ok(Some(self.trace(frame, &earlier)));
            }
            assumptions.pop();
        }
        assumptions.truncate(before);
        Ok(None)
    }

    /// What to do about a failure state: `path[at]`, reached in a frame along the (unwound) path, from where no step leads into `path[then]`.
    /// `bits` are those that may be told apart: the cluster, the place in it, the variable and the number of the bit.
    pub fn remedy(
        &mut self,
        path: &[Product],
        back: Option<usize>,
        failure: (usize, usize, usize),
        bits: &[(usize, usize, VarId, usize)],
    ) -> Result<Remedy, Stopped> {
        let (at, then, frame) = failure;
        let from = self.product(&path[at], APART);
        let to = self.product(&path[then], APART + 1);
        let mut bad: Vec<Lit> = vec![
            self.frames.state(APART),
            self.frames.step(APART),
            self.frames.state(APART + 1),
        ];
        bad.extend(from.iter().chain(&to).map(|(_, wire)| *wire));
        if !self.possible(&bad)? {
            let core = self.solver.core();
            let (from, to) = (self.blamed(&from, &core), self.blamed(&to, &core));
            return Ok(Remedy::NoStep(from, to));
        }
        let mut dead = Vec::new();
        for earlier in 0..=frame {
            let position = match back {
                _ if earlier < path.len() => earlier,
                Some(back) => back + (earlier - back) % (path.len() - back),
                None => at,
            };
            let moment = self.moment(&path[position], earlier);
            dead.extend(moment);
        }
        let both = [bad, dead].concat();
        self.separating(&both, frame, bits).map(Remedy::Bits)
    }

    fn separating(
        &mut self,
        both: &[Lit],
        frame: usize,
        bits: &[(usize, usize, VarId, usize)],
    ) -> Result<Vec<(usize, usize)>, Stopped> {
        let mut pairs = Vec::new();
        for (_, _, var, bit) in bits {
            let (x, y) = (self.frames.bits(*var, frame), self.frames.bits(*var, APART));
            pairs.push((x[*bit], y[*bit]));
        }
        let circuit = self.frames.circuit_mut();
        let equal: Vec<Lit> = pairs.iter().map(|(x, y)| circuit.iff(*x, *y)).collect();
        let mut chosen: Vec<usize> = Vec::new();
        // For each sampled pair of states the bits that differ.
        let mut samples: Vec<Vec<usize>> = Vec::new();
        loop {
            let mut assumptions = both.to_vec();
            assumptions.extend(chosen.iter().map(|at| equal[*at]));
            if !self.possible(&assumptions)? {
                let core = self.solver.core();
                chosen.retain(|at| core.contains(&equal[*at]));
                chosen.sort_unstable();
                return Ok(chosen.iter().map(|at| (bits[*at].0, bits[*at].1)).collect());
            }
            let model = self.model();
            let differs = |at: &usize| !model.holds(equal[*at]);
            let sample: Vec<usize> = (0..bits.len()).filter(differs).collect();
            // A pair that agrees on all bits cannot be.
            let Some(first) = sample.first().copied() else {
                return Ok(Vec::new());
            };
            samples.push(sample);
            match samples.len() <= MOST_SAMPLES {
                true => chosen = cover(&samples, bits.len()),
                false => chosen.push(first),
            }
        }
    }
}

/// Few bits, one at least of every sample: greedily the one that is in most samples not met yet, the first of equals.
fn cover(samples: &[Vec<usize>], bits: usize) -> Vec<usize> {
    let mut open: Vec<&Vec<usize>> = samples.iter().filter(|s| !s.is_empty()).collect();
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let mut count = vec![0usize; bits];
        open.iter()
            .for_each(|s| s.iter().for_each(|b| count[*b] += 1));
        let most = count.iter().copied().max().unwrap_or(0);
        let Some(best) = count.iter().position(|c| *c == most) else {
            break;
        };
        chosen.push(best);
        open.retain(|s| !s.contains(&best));
    }
    chosen
}

#[cfg(test)]
mod tests;
