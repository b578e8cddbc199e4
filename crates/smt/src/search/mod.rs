//! The search: propagate, learn from conflicts, decide, and ask the arithmetic.

mod integer;

use suppose_control::{Context, Stopped};
use suppose_model::chc::{Assignment, TermId, Terms, Value, Var};
use suppose_number::Rat;

use self::integer::Step;
use crate::SatResult;
use crate::encode::{Encoder, Encoding, Gate};

use crate::justify::{Justification, Next, bounds_say};
use crate::sat::{Conflict, Kind, Lit, NodeId, Sat};
use crate::simplex::{Clash, Col, Simplex};

/// When the search restarts, and when it switches to activity-based decisions.
#[derive(Debug)]
pub(crate) struct RestartPolicy {
    /// Conflicts before the first restart; later ones follow Luby's series.
    pub(crate) restart: u64,
    /// After this many conflicts of one query, variables are chosen by activity.
    pub(crate) hard: u64,
}

impl Default for RestartPolicy {
    fn default() -> Self {
        RestartPolicy {
            restart: 100,
            hard: 400,
        }
    }
}

/// The context is asked each time this many watched clauses were visited.
const WORK: u64 = 10_000;

/// Where the value of a variable is.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// That variable of the search is true or false.
    Truth(u32),
    /// A column of the simplex.
    Column(Col),
}

#[derive(Debug, Default)]
pub(crate) struct Search {
    pub(crate) sat: Sat,
    pub(crate) simplex: Simplex,
    pub(crate) encoder: Encoder,
    justification: Justification,
    /// How much of the trail the simplex knows.
    theory_head: usize,
    pub(crate) assumptions: Vec<(TermId, Lit)>,
    pub(crate) model: Assignment,
    /// The variables that a model has values of, in order, and where these come from.
    ordered: Vec<(Var, Source)>,
    /// How many of the encoder's Booleans and numbers are among them.
    listed: (usize, usize),
    pub(crate) core: Vec<TermId>,
    /// The nodes from which, with the core's literals, the contradiction follows.
    pub(crate) refutation: Vec<NodeId>,
    pub(crate) integers: integer::State,
    pub(crate) patience: RestartPolicy,
    /// Is the query a hard one?
    hard: bool,
}

impl Search {
    pub(crate) fn encoding<'a>(&'a mut self, terms: &'a mut Terms) -> Encoding<'a> {
        Encoding {
            encoder: &mut self.encoder,
            sat: &mut self.sat,
            simplex: &mut self.simplex,
            terms,
        }
    }

    pub(crate) fn assert(&mut self, terms: &mut Terms, formula: TermId) {
        self.reset();
        self.encoding(terms).assert(formula);
    }

    /// Restarts, forgets and tidies up at every occasion.
    pub(crate) fn hurry(&mut self) {
        self.patience = RestartPolicy {
            restart: 1,
            hard: 2,
        };
        self.sat.hurry();
        self.simplex.spare = 0;
    }

    /// Back to level 0.
    fn reset(&mut self) {
        self.sat.backtrack(0);
        self.sync();
    }

    /// Restores the simplex and the justification queue to the level that the search backtracked to.
    fn sync(&mut self) {
        let kept = self.sat.take_undone();
        if kept < self.theory_head {
            self.simplex.backtrack(kept);
            self.theory_head = kept;
        }
        self.justification.backtrack(self.sat.level());
    }

    pub(crate) fn check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        cx: &Context,
    ) -> Result<SatResult, Stopped> {
        cx.check()?;
        self.reset();
        self.core.clear();
        self.refutation.clear();
        self.assumptions.clear();
        for &term in assumptions {
            let mut encoding = self.encoding(terms);
            let lit = encoding.literal(term);
            if !matches!(
                encoding.encoder.gates[lit.var()],
                Gate::Free | Gate::Atom(_)
            ) {
                encoding.mean(lit);
            }
            self.assumptions.push((term, lit));
        }
        self.prepare();
        let outcome = self.run(terms, cx)?;
        if outcome == SatResult::Sat {
            self.read_model();
            #[cfg(debug_assertions)]
            self.test_model(terms, assumptions);
        }
        Ok(outcome)
    }

    /// The same with larger bounds on the search for integers where the usual one does not suffice.
    pub(crate) fn check_patiently(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        cx: &Context,
    ) -> Result<SatResult, Stopped> {
        let mut outcome = self.check(terms, assumptions, cx)?;
        for limit in integer::LARGER {
            if outcome != SatResult::Unknown {
                break;
            }
            let usual = std::mem::replace(&mut self.integers.limit, limit);
            let decided = self.check(terms, assumptions, cx);
            self.integers.limit = usual;
            outcome = decided?;
        }
        Ok(outcome)
    }

    /// At level 0: tidies up and collects what must be made true.
    fn prepare(&mut self) {
        if self.sat.empty.is_some() {
            return;
        }
        if let Some(conflict) = self.sat.propagate() {
            self.sat.resolve(&conflict);
            return;
        }
        self.sat.tidy();
        self.simplex.tidy();
        self.justification.start();
        for &root in &self.encoder.open {
            self.justification.add_root(root);
        }
        for &(_, lit) in &self.assumptions {
            for &root in self.encoder.guarded(lit) {
                self.justification.add_root(root);
            }
            self.justification.add_lit(lit);
        }
        self.integers.start();
        if std::mem::take(&mut self.hard) {
            self.sat.unrank();
        }
    }

    fn run(&mut self, terms: &mut Terms, cx: &Context) -> Result<SatResult, Stopped> {
        let mut restarts = 1;
        let mut restart_at = self.sat.conflicts + self.patience.restart;
        let hard_at = self.sat.conflicts + self.patience.hard;
        let mut asked = self.sat.propagations;
        loop {
            if let Some(empty) = self.sat.empty {
                self.refutation.push(empty);
                return Ok(SatResult::Unsat);
            }
            if self.sat.propagations > asked + WORK {
                asked = self.sat.propagations;
                cx.check()?;
            }
            if let Some(conflict) = self.propagate(cx)? {
                self.conflict(&conflict);
                cx.check()?;
                continue;
            }
            if self.sat.conflicts >= restart_at {
                restarts += 1;
                if !self.hard && self.sat.conflicts >= hard_at {
                    self.hard = true;
                    self.justification.rank_all(&mut self.sat, &self.encoder);
                }
                restart_at = self.sat.conflicts + self.patience.restart * luby(restarts);
                self.sat.backtrack(self.assumptions.len());
                self.sync();
                if self.sat.is_untidy() {
                    self.reset();
                    self.sat.tidy();
                }
            }
            if let Some(outcome) = self.step(terms, cx)? {
                return Ok(outcome);
            }
        }
    }

    /// Decides something, or comes to an end.
    fn step(&mut self, terms: &mut Terms, cx: &Context) -> Result<Option<SatResult>, Stopped> {
        if let Some(&(term, lit)) = self.assumptions.get(self.sat.level()) {
            match self.sat.value(lit) {
                Some(false) => {
                    self.read_core(term, lit);
                    return Ok(Some(SatResult::Unsat));
                }
                Some(true) => self.decide(None),
                None => self.decide(Some(lit)),
            }
            return Ok(None);
        }
        match self
            .justification
            .next(&mut self.sat, &self.encoder, &self.simplex)
        {
            Next::Decide(lit) => self.choose(lit),
            Next::Propagate => {}
            Next::Done => match self.integer_step(terms, cx)? {
                Step::Done => return Ok(Some(SatResult::Sat)),
                Step::Stuck => return Ok(Some(SatResult::Unknown)),
                Step::Branch(lit) => self.decide(Some(lit)),
                Step::Again => {}
            },
        }
        Ok(None)
    }

    /// Decides this or, if the query is hard, what is most active.
    fn choose(&mut self, due: Lit) {
        let active = if self.hard {
            self.sat.most_active()
        } else {
            None
        };
        match active {
            Some(lit) if bounds_say(lit, &mut self.sat, &self.encoder, &self.simplex).is_some() => {
            }
            Some(lit) => self.decide(Some(lit)),
            None => self.decide(Some(due)),
        }
    }

    fn decide(&mut self, lit: Option<Lit>) {
        self.justification.push_level();
        self.sat.decide(lit);
    }

    /// Unit propagation and bounds; the simplex only when all assumptions are in.
    fn propagate(&mut self, cx: &Context) -> Result<Option<Conflict>, Stopped> {
        if let Some(conflict) = self.sat.propagate() {
            return Ok(Some(conflict));
        }
        while self.theory_head < self.sat.trail.len() {
            let at = self.theory_head;
            let lit = self.sat.trail[at];
            self.theory_head += 1;
            if let Gate::Atom(atom) = self.encoder.gates[lit.var()]
                && let Err(clash) = self.simplex.assert(atom, lit.positive(), at as u32)
            {
                return Ok(Some(self.lemma(&clash)));
            }
        }
        if self.sat.level() < self.assumptions.len() {
            return Ok(None);
        }
        Ok(match self.simplex.check(cx)? {
            Ok(()) => None,
            Err(clash) => Some(self.lemma(&clash)),
        })
    }

    /// The clause that says that bounds cannot be true together.
    pub(crate) fn lemma(&mut self, clash: &Clash) -> Conflict {
        let mut lits = Vec::with_capacity(clash.len());
        let mut factors = Vec::with_capacity(clash.len());
        for (bound, times) in clash {
            lits.push(!self.simplex.literal(*bound));
            factors.push(&self.simplex.unscale(bound.atom()) * &Rat::from(times));
        }
        let node = self.sat.log.lemma(Kind::Farkas, &lits, factors);
        Conflict { lits, node }
    }

    /// The assumptions that make `lit`, an assumption as well, false.
    fn read_core(&mut self, term: TermId, lit: Lit) {
        let (decisions, antecedents) = self.sat.why_false(lit);
        self.refutation = antecedents;
        let mut wanted: rustc_hash::FxHashSet<Lit> = decisions.into_iter().collect();
        for &(other, its) in &self.assumptions {
            // Removed when found: an assumption given twice is in the core once.
            if wanted.remove(&its) || other == term && !self.core.contains(&term) {
                self.core.push(other);
            }
        }
    }

    fn read_model(&mut self) {
        self.order_variables();
        let small = self.simplex.concrete();
        let mut model = Assignment::default();
        model.reserve(self.ordered.len());
        for &(var, source) in &self.ordered {
            let value = match source {
                Source::Truth(own) => {
                    let value = self.sat.value(Lit::new(own, true));
                    Value::Bool(value.unwrap_or_else(|| self.encoder.default_value(own)))
                }
                Source::Column(col) => {
                    let value = self.simplex.value(col);
                    Value::Num(match value.small.is_zero() {
                        true => value.real.clone(),
                        false => &value.real + &(&value.small * &small),
                    })
                }
            };
            model.set(var, value);
        }
        self.model = model;
    }

    /// Keeps the variables in order of their numbers, in which a model is written down at once.
    fn order_variables(&mut self) {
        let (bools, numbers) = (&self.encoder.bools, &self.encoder.numbers);
        let (some, others) = self.listed;
        if (bools.len(), numbers.len()) == self.listed {
            return;
        }
        let new = bools[some..]
            .iter()
            .map(|&(own, var)| (var, Source::Truth(own)));
        self.ordered.extend(new);
        let new = numbers[others..].iter();
        self.ordered
            .extend(new.map(|&(col, var)| (var, Source::Column(col))));
        self.ordered.sort_by_key(|(var, _)| *var);
        self.listed = (bools.len(), numbers.len());
    }

    #[cfg(debug_assertions)]
    fn test_model(&self, terms: &Terms, assumptions: &[TermId]) {
        let mut known = rustc_hash::FxHashMap::default();
        for &term in self.encoder.asserted.iter().chain(assumptions) {
            assert!(
                self.model.eval_with(terms, term, &mut known),
                "a model is true"
            );
        }
    }

    fn integer_step(&mut self, terms: &mut Terms, cx: &Context) -> Result<Step, Stopped> {
        let mut integers = std::mem::take(&mut self.integers);
        let step = integers.step(self, terms, cx);
        self.integers = integers;
        step
    }

    /// Learns from a clause that is false.
    pub(crate) fn conflict(&mut self, conflict: &Conflict) {
        self.sat.resolve(conflict);
        self.sync();
    }

    pub(crate) fn backtrack(&mut self, level: usize) {
        self.sat.backtrack(level);
        self.sync();
    }
}

/// 1 1 2 1 1 2 4 ..., from number 1 on.
fn luby(mut i: u64) -> u64 {
    loop {
        let next = (i + 1).next_power_of_two();
        if next == i + 1 {
            return next / 2;
        }
        i -= next / 2 - 1;
    }
}
