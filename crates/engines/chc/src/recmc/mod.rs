//! RecMC: bounded safety by may- and must-summaries, for growing bounds.
//!
//! For every predicate two kinds of summary are kept. A *may-summary* (here: a lemma) at level `b` is true of
//! all values that a derivation of depth at most `b` can reach; a *must-summary* (a fact) is true only of
//! values that some derivation reaches. The search keeps *obligations*: can this predicate, by a
//! derivation of that depth, be true of values in this cube? An obligation is answered
//! - *no* when the rules with the may-summaries of their bodies exclude it; what excluded it becomes a
//!   lemma (rule May of Fig. 2.6), made as general as the solver allows;
//! - *yes* when a rule with the must-summaries of its body meets it; its projection becomes a fact (Must);
//! - else by a new obligation for one predicate of a rule's body: those before it are read by their facts,
//!   those after it by their lemmas, and the model that still exists when its own lemmas are read, and
//!   not when its facts are, is projected to its arguments (Query).
//!
//! A question that the solver does not decide is never read as an answer: an obligation is split at a variable of a small
//! range, and its halves are asked for; only if there is no such variable the search ends without a verdict.
//!
//! When the goal is excluded at a bound, lemmas are pushed to higher levels; a level that loses all its
//! lemmas to the next is inductive, and its lemmas define the predicates.

mod derive;
mod generalise;
mod guide;
mod obligations;
mod push;

mod search;
mod split;
mod summaries;

use rustc_hash::FxHashMap;
use suppose_control::{Context, Event, Stopped};
use suppose_model::Reason;
use suppose_model::chc::limits;
use suppose_model::chc::{Horn, Pred, Sort, TermId, Terms, Var};
use suppose_smt::pipe::{Choice, Chosen, SolverError};
use suppose_smt::{SatResult, Solve};

use crate::rules::{self, Rule};
use crate::{Candidates, ChcVerdict, Work, invariants};
use guide::Families;
use obligations::Obligations;
use summaries::{FOREVER, Fact, Lemma};

/// In which order the predicates of a body become obligations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The last one first.
    #[default]
    BottomUp,
    /// The first one first.
    TopDown,
}

/// How an obligation for a predicate of a body is made from a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Projection {
    /// By model-based projection.
    #[default]
    ModelBased,
    /// The values of the model themselves, as GPDR does.
    Values,
}

/// Settings of the engine.
#[derive(Clone, Copy, Debug)]
pub struct RecmcOptions {
    /// The order of obligations.
    pub order: Order,
    /// How models become obligations.
    pub projection: Projection,
    /// Whether facts found for one obligation answer others.
    pub must_summaries: bool,
    /// Whether invariants of a fixed form are looked for before the search.
    pub invariants: bool,
    /// Whether what many lemmas have in common is asked for by itself.
    pub guidance: bool,
    /// Whether obligations with forms on which lemmas have diverged are cut down to bounds of single variables.
    pub concretise: bool,
    /// Whether lemmas are made from what the arithmetic of a refutation used, not only its core.
    pub interpolation: bool,
}

impl Default for RecmcOptions {
    fn default() -> Self {
        RecmcOptions {
            order: Order::default(),
            projection: Projection::default(),
            must_summaries: true,
            invariants: true,
            guidance: true,
            concretise: false,
            interpolation: true,
        }
    }
}

impl RecmcOptions {
    /// GPDR, the baseline of the thesis: may-summaries only, obligations of single values, and nothing of what has
    /// been learned since.
    pub fn gpdr() -> RecmcOptions {
        RecmcOptions {
            projection: Projection::Values,
            must_summaries: false,
            invariants: false,
            guidance: false,
            interpolation: false,
            ..RecmcOptions::default()
        }
    }
}

/// Why the engine ended without a verdict.
#[derive(Debug)]
enum Halt {
    Stopped(Stopped),
    /// The solver gave up on a question about integers, and there is no way around it.
    Undecided,
    /// Another solver failed.
    SolverError(SolverError),
    /// A number got too long.
    TooLarge,
}

impl From<Stopped> for Halt {
    fn from(stopped: Stopped) -> Halt {
        Halt::Stopped(stopped)
    }
}

/// What is known of one predicate.
struct State {
    formals: Vec<Var>,
    /// The rules that derive it.
    rules: Vec<usize>,
    /// Where it is used: rule, place in its body.
    uses: Vec<(usize, usize)>,
    /// Answers questions about its rules.
    solver: Chosen,
    /// The lemmas, by number.
    lemmas: Vec<usize>,
    /// The facts, by number.
    facts: Vec<usize>,
    /// True of a fact if assumed: over the formal parameters.
    reached: TermId,
    /// How many levels its solver knows.
    levels: u32,
    /// How many formulas were asserted since its solver was new.
    told: usize,
    /// After this many it is rebuilt.
    renewal: usize,
}

/// Literals that switch a rule of a predicate's solver and the summaries of its body.
struct Switches {
    /// The rule is used.
    rule: TermId,
    /// The lemmas of that place are meant.
    may: Vec<TermId>,
    /// The facts of that place are meant: grows by a new literal with every fact.
    must: Vec<TermId>,
}

struct Engine<'a> {
    horn: &'a Horn,
    cx: &'a Context,
    options: RecmcOptions,
    /// What answers the predicates' questions.
    choice: &'a Choice,
    terms: Terms,
    goal: Pred,
    rules: Vec<Rule>,
    switches: Vec<Switches>,
    preds: Vec<State>,
    lemmas: Vec<Lemma>,
    facts: Vec<Fact>,
    /// The literal of each level, shared by all solvers: lemmas of that level and above are meant.
    active: Vec<TermId>,
    /// The same for lemmas about the head.
    head_active: Vec<TermId>,
    /// Some rule is used, with lemmas for all of its body.
    step: TermId,
    obligations: Obligations,
    families: Families,
    bound: u32,
    /// How many obligations were split.
    splits: usize,
    /// A number of a summary is over the limit.
    too_large: bool,
    work: Work,
}

/// A may-summary, for those who build on the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Of which predicate.
    pub pred: Pred,
    /// Over its formal parameters.
    pub formula: TermId,
    /// Up to which depth it is true; `None` for every depth.
    pub level: Option<u32>,
}

/// A proof that derivations up to a depth do not reach a query.
#[derive(Clone, Debug)]
pub struct Bounded {
    /// The store of the formulas.
    pub terms: Terms,
    /// What was learned.
    pub summaries: Vec<Summary>,
    /// The depth.
    pub bound: u32,
}

/// How a search with a bound ended.
#[derive(Clone, Debug)]
pub enum Ended {
    /// With a verdict, or the reason why there is none.
    Found(ChcVerdict),
    /// At the bound.
    Bounded(Box<Bounded>),
}

/// Decides a system of Horn clauses, or says why not.
pub fn solve(horn: &Horn, options: RecmcOptions, cx: &Context) -> (ChcVerdict, Work) {
    solve_by(horn, options, &Choice::Own, cx)
}

/// The same, with questions of the search answered by a solver of choice. Invariants that are looked for before the
/// search, and the values of a derivation, are a matter of our own solver.
///
/// Derivations are true whatever the solver said. Definitions are as good as its answers: prove them.
pub fn solve_by(
    horn: &Horn,
    options: RecmcOptions,
    choice: &Choice,
    cx: &Context,
) -> (ChcVerdict, Work) {
    let mut engine = Engine::new(horn, options, choice, cx);
    let ended = engine.seed().and_then(|()| engine.run(u32::MAX));
    let (ended, work) = engine.end(ended);
    match ended {
        Ended::Found(found) => (found, work),
        Ended::Bounded(_) => (
            ChcVerdict::Unknown {
                reason: Reason::Iterations,
                bound: Some(work.bound),
                candidates: None,
            },
            work,
        ),
    }
}

/// The same for derivations up to a depth, with invariants that are known already.
pub fn solve_within(
    horn: &Horn,
    options: RecmcOptions,
    known: (&Terms, &[(Pred, TermId)]),
    bound: u32,
    cx: &Context,
) -> (Ended, Work) {
    let mut engine = Engine::new(horn, options, &Choice::Own, cx);
    let mut moved = FxHashMap::default();
    for &(pred, formula) in known.1 {
        let formula = engine.terms.import(known.0, formula, &mut moved);
        engine.learn_forever(pred, formula);
    }
    let ended = engine.run(bound);
    engine.end(ended)
}

impl<'a> Engine<'a> {
    fn new(horn: &'a Horn, options: RecmcOptions, choice: &'a Choice, cx: &'a Context) -> Self {
        let mut terms = horn.terms.clone();
        let goal = Pred(horn.predicates.len() as u32);
        let rules: Vec<Rule> = horn
            .clauses
            .iter()
            .enumerate()
            .map(|(i, clause)| rules::prepare(horn, &mut terms, i, clause, goal))
            .collect();
        let mut preds: Vec<State> = (0..=horn.predicates.len())
            .map(|i| State {
                formals: horn
                    .predicates
                    .get(i)
                    .map_or_else(Vec::new, |p| p.formals.clone()),
                rules: Vec::new(),
                uses: Vec::new(),
                solver: choice.solver(),
                lemmas: Vec::new(),
                facts: Vec::new(),
                reached: Terms::FALSE,
                levels: 0,
                told: 0,
                renewal: RENEWAL,
            })
            .collect();
        for (number, rule) in rules.iter().enumerate() {
            preds[rule.head.index()].rules.push(number);
            for (place, site) in rule.body.iter().enumerate() {
                preds[site.pred.index()].uses.push((number, place));
            }
        }
        let step = literal(&mut terms, "step");
        let mut engine = Engine {
            horn,
            cx,
            options,
            choice,
            terms,
            goal,
            rules,
            switches: Vec::new(),
            preds,
            lemmas: Vec::new(),
            facts: Vec::new(),
            active: Vec::new(),
            head_active: Vec::new(),
            step,
            obligations: Obligations::default(),
            families: Families::default(),
            bound: 0,
            splits: 0,
            too_large: false,
            work: Work::default(),
        };
        engine.load_rules();
        engine
    }

    /// Tells every predicate's solver its rules.
    fn load_rules(&mut self) {
        for number in 0..self.rules.len() {
            let rule = literal(&mut self.terms, "rule");
            let count = self.rules[number].body.len();
            let may: Vec<TermId> = (0..count)
                .map(|_| literal(&mut self.terms, "may"))
                .collect();
            self.switches.push(Switches {
                rule,
                may,
                must: vec![Terms::FALSE; count],
            });
        }
        for pred in 0..self.preds.len() {
            self.tell_rules(pred);
        }
    }

    fn tell_rules(&mut self, pred: usize) {
        let not_step = self.terms.not(self.step);
        let mut some_rule = vec![not_step];
        for number in self.preds[pred].rules.clone() {
            let rule = self.switches[number].rule;
            some_rule.push(rule);
            let meant = self.terms.implies(rule, self.rules[number].formula);
            self.assert(pred, meant);
            let not_rule = self.terms.not(rule);
            for may in self.switches[number].may.clone() {
                let link = self.terms.or([not_step, not_rule, may]);
                self.assert(pred, link);
            }
        }
        let some_rule = self.terms.or(some_rule);
        self.assert(pred, some_rule);
    }

    fn assert(&mut self, pred: usize, formula: TermId) {
        self.preds[pred].told += 1;
        self.preds[pred].solver.assert(&mut self.terms, formula);
    }

    /// Rebuilds the solver of a predicate if much of what was asserted is obsolete: lemmas that were raised or
    /// replaced, and what it learned of them.
    fn renew(&mut self, pred: Pred) {
        let index = pred.index();
        if self.preds[index].told < self.preds[index].renewal {
            return;
        }
        self.preds[index].solver = self.choice.solver();
        self.preds[index].told = 0;
        let levels = std::mem::take(&mut self.preds[index].levels);
        self.tell_rules(index);
        if let Some(highest) = levels.checked_sub(1) {
            self.know_levels(pred, highest);
        }
        for lemma in self.preds[index].lemmas.clone() {
            self.tell_head(lemma);
        }
        self.tell_reached(pred);
        for rule in self.preds[index].rules.clone() {
            for place in 0..self.rules[rule].body.len() {
                let callee = self.rules[rule].body[place].pred;
                for lemma in self.preds[callee.index()].lemmas.clone() {
                    self.tell_place(lemma, rule, place);
                }
                self.tell_must(rule, place);
            }
        }
        self.preds[index].renewal = RENEWAL.max(2 * self.preds[index].told);
    }

    /// Asks a predicate's solver, with patience. An obligation whose question stays undecided is not answered.
    fn ask(&mut self, pred: Pred, assumptions: &[TermId]) -> Result<bool, Halt> {
        self.work.queries += 1;
        let solver = &mut self.preds[pred.index()].solver;
        let outcome = solver.check_patiently(&mut self.terms, assumptions, self.cx)?;
        match (outcome, solver.trouble()) {
            (SatResult::Sat, None) => Ok(true),
            (SatResult::Unsat, None) => Ok(false),
            (_, Some(trouble)) => Err(Halt::SolverError(trouble.clone())),
            (SatResult::Unknown, None) => Err(Halt::Undecided),
        }
    }

    /// Asks a predicate's solver where no answer is an answer too.
    fn ask_softly(&mut self, pred: Pred, assumptions: &[TermId]) -> Result<SatResult, Halt> {
        self.work.queries += 1;
        let solver = &mut self.preds[pred.index()].solver;
        let outcome = solver.check(&mut self.terms, assumptions, self.cx)?;
        match solver.trouble() {
            // It may be faster with the next question; anything else would happen again.
            None | Some(SolverError::Slow(_)) => Ok(outcome),
            Some(trouble) => Err(Halt::SolverError(trouble.clone())),
        }
    }

    /// The literal that activates lemmas of a level and above, known to the predicate's solver.
    fn level(&mut self, pred: Pred, level: u32) -> TermId {
        self.know_levels(pred, level);
        self.active[level as usize]
    }

    fn know_levels(&mut self, pred: Pred, level: u32) {
        while self.active.len() <= level as usize + 1 {
            let body = literal(&mut self.terms, "level");
            let head = literal(&mut self.terms, "head");
            self.active.push(body);
            self.head_active.push(head);
        }
        while self.preds[pred.index()].levels <= level {
            let k = self.preds[pred.index()].levels as usize;
            let body = self.terms.implies(self.active[k], self.active[k + 1]);
            let head = self
                .terms
                .implies(self.head_active[k], self.head_active[k + 1]);
            self.assert(pred.index(), body);
            self.assert(pred.index(), head);
            self.preds[pred.index()].levels += 1;
        }
    }

    /// Lemmas that are true at every depth, found without a search.
    fn seed(&mut self) -> Result<(), Halt> {
        if !self.options.invariants {
            return Ok(());
        }
        let found = invariants::find(self.horn, &mut self.terms, self.cx)?;
        for (pred, formulas) in found.into_iter().enumerate() {
            for formula in formulas {
                self.learn_forever(Pred(pred as u32), formula);
            }
        }
        Ok(())
    }

    fn learn_forever(&mut self, pred: Pred, formula: TermId) {
        let excluded = self.terms.not(formula);
        let cube = self.terms.conjuncts(excluded);
        self.learn(pred, cube, FOREVER);
    }

    fn run(&mut self, limit: u32) -> Result<Ended, Halt> {
        loop {
            self.cx.emit(Event::Iteration {
                number: u64::from(self.bound) + 1,
                abstract_size: self.lemmas.len() as u64,
            });
            if u64::from(self.bound) >= self.cx.max_iterations {
                return Err(Halt::Stopped(Stopped::Iterations));
            }
            if let Some(fact) = self.reach_goal()? {
                let derivation = self.derivation(fact)?;
                return Ok(Ended::Found(ChcVerdict::Violated(derivation)));
            }
            self.bound += 1;
            if let Some(level) = self.push()? {
                let definitions = self.definitions(level);
                return Ok(Ended::Found(ChcVerdict::Holds {
                    terms: Box::new(self.terms.clone()),
                    definitions,
                }));
            }
            if self.bound > limit {
                return Ok(Ended::Bounded(Box::new(self.bounded())));
            }
        }
    }

    /// What was learned so far.
    fn bounded(&self) -> Bounded {
        let known = self.lemmas.iter().filter(|l| !l.retired);
        Bounded {
            terms: self.terms.clone(),
            summaries: known
                .map(|l| Summary {
                    pred: l.pred,
                    formula: l.formula,
                    level: (l.level != FOREVER).then_some(l.level),
                })
                .collect(),
            bound: self.bound - 1,
        }
    }

    /// The result with what it took.
    fn end(mut self, ended: Result<Ended, Halt>) -> (Ended, Work) {
        let work = Work {
            bound: self.bound,
            lemmas: self.lemmas.len() as u64,
            facts: self.facts.len() as u64,
            ..self.work
        };
        let ended = ended.unwrap_or_else(|halt| {
            let bound = self.bound.checked_sub(1);
            let formulas = bound.map(|level| self.definitions(level));
            Ended::Found(ChcVerdict::Unknown {
                reason: match halt {
                    Halt::Stopped(stopped) => stopped.into(),
                    Halt::Undecided => Reason::Unsupported(crate::UNDECIDED.to_owned()),
                    Halt::SolverError(trouble) => Reason::Unsupported(trouble.to_string()),
                    Halt::TooLarge => Reason::Unsupported(limits::too_large()),
                },
                bound,
                candidates: formulas.map(|formulas| Candidates {
                    terms: Box::new(std::mem::take(&mut self.terms)),
                    formulas,
                }),
            })
        });
        (ended, work)
    }

    /// The lemmas of a level and above of all predicates, as definitions.
    fn definitions(&mut self, level: u32) -> Vec<TermId> {
        let mut by_pred: FxHashMap<usize, Vec<TermId>> = FxHashMap::default();
        for lemma in &self.lemmas {
            if !lemma.retired && lemma.level >= level {
                by_pred
                    .entry(lemma.pred.index())
                    .or_default()
                    .push(lemma.formula);
            }
        }
        (0..self.horn.predicates.len())
            .map(|i| {
                let parts = by_pred.remove(&i).unwrap_or_default();
                self.terms.and(parts)
            })
            .collect()
    }
}

/// A solver with this many assertions is replaced by a new one, unless most of them are still relevant.
const RENEWAL: usize = 300;

/// A fresh Boolean variable as a formula.
pub(crate) fn literal(terms: &mut Terms, name: &str) -> TermId {
    let var = terms.fresh(name, Sort::Bool);
    terms.var(var)
}
