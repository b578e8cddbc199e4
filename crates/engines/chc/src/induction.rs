//! Backward induction on linear systems: how long can a chain of clauses be that ends in a query?
//!
//! Chains are unrolled from the queries backwards, from any values at all. If no chain of `k` clauses exists, all
//! derivations of a query are shorter; those are looked for on the way, and if there is none the system
//! holds: it is `k`-inductive. The definitions say that a predicate's values do not lead to a query by a shorter
//! chain; the values that do are found by projection, as long as that takes few cubes. Like [`crate::bmc`] this is
//! a cheap partner of the main search, and gives up on what is not for it.

use suppose_control::{Context, Event, Stopped};
use suppose_model::Reason;
use suppose_model::chc::{Derivation, Horn, Pred, TermId, Terms, Value, Var};
use suppose_smt::{SatResult, project};

use crate::rules::Site;
use crate::unroll::{Taken, Unrolling, is_linear};
use crate::{ChcVerdict, Work};

/// Cubes of values that lead to a query, for one chain of places.
const CUBES: usize = 60;
/// Longer chains than this are not unrolled.
const LONGEST: usize = 40;

/// Decides a linear system, or gives up.
pub fn solve(horn: &Horn, cx: &Context) -> (ChcVerdict, Work) {
    let mut work = Work::default();
    if !is_linear(horn) {
        return (
            gives_up("a clause has several predicates in its body", 0),
            work,
        );
    }
    let mut chains = Chains {
        bad: vec![Vec::new(); horn.predicates.len()],
        unrolled: Unrolling::new(horn),
    };
    let found = chains.run(cx, &mut work);
    let found = found.unwrap_or_else(|stopped| ChcVerdict::unknown(stopped.into(), work.bound));
    (found, work)
}

fn gives_up(why: &str, depth: u32) -> ChcVerdict {
    ChcVerdict::unknown(Reason::Unsupported(why.to_owned()), depth)
}

/// Chains to the queries: a layer is a distance from them.
struct Chains<'a> {
    unrolled: Unrolling<'a>,
    /// For each predicate the cubes over its formal parameters that lead to a query.
    bad: Vec<Vec<TermId>>,
}

impl Chains<'_> {
    fn run(&mut self, cx: &Context, work: &mut Work) -> Result<ChcVerdict, Stopped> {
        loop {
            cx.check()?;
            let depth = self.unrolled.layers.len();
            cx.emit(Event::Iteration {
                number: depth as u64 + 1,
                abstract_size: 0,
            });
            if depth > LONGEST {
                return Ok(gives_up(
                    "chains that end in a query are too long",
                    work.bound,
                ));
            }
            self.unroll();
            work.bound = depth as u32 + 1;
            work.queries += 2;
            match self.ask(depth, true, cx)? {
                SatResult::Sat => return Ok(ChcVerdict::Violated(self.derivation(depth))),
                SatResult::Unknown => return Ok(gives_up(crate::UNDECIDED, work.bound)),
                SatResult::Unsat => {}
            }
            match self.ask(depth, false, cx)? {
                SatResult::Sat => {}
                SatResult::Unknown => return Ok(gives_up(crate::UNDECIDED, work.bound)),
                SatResult::Unsat => {
                    let Some(definitions) = self.definitions(depth, cx)? else {
                        let why = "what leads to a query takes too many cubes to write down";
                        return Ok(gives_up(why, work.bound));
                    };
                    return Ok(ChcVerdict::Holds {
                        terms: Box::new(self.unrolled.terms.clone()),
                        definitions,
                    });
                }
            }
        }
    }

    /// Is there a chain whose first clause, at that distance, has no body (`complete`), or has one?
    fn ask(&mut self, depth: usize, complete: bool, cx: &Context) -> Result<SatResult, Stopped> {
        let it = &mut self.unrolled;
        let starts = it.layers[depth].iter();
        let starts = starts.filter(|t| it.rules[t.rule].body.is_empty() == complete);
        let starts: Vec<TermId> = starts.map(|t| t.used).collect();
        let start = it.terms.or(starts);
        if start == Terms::FALSE {
            return Ok(SatResult::Unsat);
        }
        it.solver.check_patiently(&mut it.terms, &[start], cx)
    }

    fn unroll(&mut self) {
        let depth = self.unrolled.layers.len();
        let goal = self.unrolled.goal;
        let mut here = Vec::new();
        for number in 0..self.unrolled.rules.len() {
            let head = self.unrolled.rules[number].head;
            let leads = match depth {
                0 => head == goal,
                _ => head != goal && !self.takers(depth - 1, head).is_empty(),
            };
            if !leads {
                continue;
            }
            let taken = self.unrolled.take(number);
            if depth > 0 {
                let takers = self.takers(depth - 1, head);
                let vars = self.unrolled.head_vars(&taken);
                self.unrolled.connect(taken.used, &vars, takers);
            }
            here.push(taken);
        }
        self.unrolled.layers.push(here);
    }

    /// The rules of a layer that take a predicate, with the variables for it.
    fn takers(&self, layer: usize, pred: Pred) -> Vec<(TermId, Vec<Var>)> {
        let takes = |t: &Taken| {
            let (callee, vars) = self.unrolled.body_vars(t)?;
            (callee == pred).then_some((t.used, vars))
        };
        self.unrolled.layers[layer]
            .iter()
            .filter_map(takes)
            .collect()
    }

    /// Of each predicate: not what leads to a query by chains up to that length.
    fn definitions(&mut self, depth: usize, cx: &Context) -> Result<Option<Vec<TermId>>, Stopped> {
        for layer in 0..depth {
            for index in 0..self.unrolled.layers[layer].len() {
                if !self.collect(layer, index, cx)? {
                    return Ok(None);
                }
            }
        }
        let mut definitions = Vec::new();
        for cubes in self.bad.clone() {
            let bad = self.unrolled.terms.or(cubes);
            definitions.push(self.unrolled.terms.not(bad));
        }
        Ok(Some(definitions))
    }

    /// The values from which that rule at that distance leads to a query. False if they take too many cubes.
    fn collect(&mut self, layer: usize, index: usize, cx: &Context) -> Result<bool, Stopped> {
        let it = &mut self.unrolled;
        let taken = &it.layers[layer][index];
        let Some((pred, args)) = it.body_vars(taken) else {
            return Ok(true);
        };
        let used = taken.used;
        let formals = &it.horn.predicate(pred).formals;
        let here = Site { pred, args };
        let mut parts = it.asserted.clone();
        parts.push(used);
        let chain = it.terms.and(parts);
        let all: Vec<Var> = it.terms.variables(chain);
        let removed: Vec<Var> = all.into_iter().filter(|v| !here.args.contains(v)).collect();
        let cubes = &mut self.bad[pred.index()];
        for _ in 0..CUBES {
            let mut question = vec![used];
            for &bad in cubes.iter() {
                let known = here.instance(&mut it.terms, formals, bad);
                question.push(it.terms.not(known));
            }
            match it.solver.check(&mut it.terms, &question, cx)? {
                SatResult::Unsat => return Ok(true),
                SatResult::Unknown => return Ok(false),
                SatResult::Sat => {}
            }
            let model = it.solver.model().clone();
            let cube = project(&mut it.terms, chain, &removed, &model);
            let literals = it.terms.conjuncts(cube);
            let literals = here.abstracted(&mut it.terms, formals, &literals);
            cubes.push(it.terms.and(literals));
        }
        Ok(false)
    }

    /// The complete chain of the last model, first clause first.
    fn derivation(&self, depth: usize) -> Derivation {
        let it = &self.unrolled;
        let mut steps = Vec::new();
        let mut given: Option<(Pred, Vec<Value>)> = None;
        for layer in (0..=depth).rev() {
            let Some(taken) = it.find(layer, &given, |t| it.body_vars(t)) else {
                break;
            };
            steps.push(it.inference(taken, steps.len().checked_sub(1)));
            let values = it.values(&it.head_vars(taken));
            given = Some((it.rules[taken.rule].head, values));
        }
        Derivation { steps }
    }
}
