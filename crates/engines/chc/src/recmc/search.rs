//! The search at one bound: obligations are answered, or become others.

use suppose_model::chc::{Assignment, Pred, TermId, Terms, Var};
use suppose_number::Rat;
use suppose_smt::{SatResult, Solve};

use super::obligations::Status;
use super::summaries::Fact;
use super::{Engine, Halt, Order, Projection};

/// What became of an obligation.
pub(super) enum Answer {
    /// No derivation reaches it, by the lemma of that number or by older ones.
    Excluded,
    /// A derivation does.
    Reached(usize),
    /// It depends on this one.
    DependsOn(Pred, Vec<TermId>),
    /// It depends on its halves, which are asked for.
    Waits,
}

/// So often an obligation asks for more where it may have enough.
const UNDECIDED: u32 = 3;

impl Engine<'_> {
    /// Is the goal reached by a derivation of a depth up to the bound? If so, its fact.
    pub(super) fn reach_goal(&mut self) -> Result<Option<usize>, Halt> {
        let root = self
            .obligations
            .add(self.goal, Vec::new(), self.bound, None);
        while let Some(number) = self.obligations.next() {
            self.cx.check()?;
            if self.too_large {
                return Err(Halt::TooLarge);
            }
            if !self.obligations.is_worth(number) {
                self.obligations.get_mut(number).state = Status::Excluded;
                continue;
            }
            self.work.obligations += 1;
            let level = self.obligations.get(number).level;
            let answer = match self.answer(number) {
                Err(Halt::Undecided) => self.undecided(number)?,
                answer => answer?,
            };
            match answer {
                Answer::Waits => {
                    // After its halves, and after theirs.
                    self.obligations.get_mut(number).depth += 2;
                    self.obligations.requeue(number);
                }
                Answer::Reached(fact) => {
                    self.obligations.get_mut(number).state = Status::Reached(fact);
                    if number == root {
                        return Ok(Some(fact));
                    }
                }
                Answer::Excluded => {
                    let it = self.obligations.get_mut(number);
                    it.excluded += 1;
                    if number == root || it.guess.is_some() || level >= self.bound {
                        it.state = Status::Excluded;
                    } else {
                        it.level += 1;
                        self.obligations.requeue(number);
                    }
                    if number == root {
                        return Ok(None);
                    }
                }
                Answer::DependsOn(pred, cube) => {
                    self.obligations.requeue(number);
                    self.obligations.add(pred, cube, level - 1, Some(number));
                }
            }
        }
        Ok(None)
    }

    /// The solver gave up on an obligation: a guess is forgotten, another one is split.
    fn undecided(&mut self, number: usize) -> Result<Answer, Halt> {
        if self.obligations.get(number).guess.is_some() {
            return Ok(Answer::Excluded);
        }
        match self.split(number) {
            true => Ok(Answer::Waits),
            false => Err(Halt::Undecided),
        }
    }

    fn answer(&mut self, number: usize) -> Result<Answer, Halt> {
        if let Some(answer) = self.known_by_halves(number) {
            return Ok(answer);
        }
        let it = self.obligations.get(number);
        let (pred, level, cube) = (it.pred, it.level, it.cube.clone());
        self.renew(pred);
        if self.options.must_summaries
            && let Some(fact) = self.met_by_fact(pred, &cube)?
        {
            return Ok(Answer::Reached(fact));
        }
        if self.excluded_by_lemmas(pred, &cube, level)? {
            return Ok(Answer::Excluded);
        }
        let halves = self.halves(&cube);
        let assumptions = self.step_question(pred, level, &halves);
        if !self.ask(pred, &assumptions)? {
            self.exclude(pred, level, &halves)?;
            return Ok(Answer::Excluded);
        }
        let model = self.preds[pred.index()].solver.model().clone();
        let rule = self.rule_of(pred, level, &model);
        self.take_rule(number, rule, model)
    }

    /// The fact of the predicate that has values in the cube.
    fn met_by_fact(&mut self, pred: Pred, cube: &[TermId]) -> Result<Option<usize>, Halt> {
        let reached = self.preds[pred.index()].reached;
        if reached == Terms::FALSE {
            return Ok(None);
        }
        let mut assumptions = vec![reached];
        assumptions.extend_from_slice(cube);
        // What is not found to be met is asked of the rules.
        if self.ask_softly(pred, &assumptions)? != SatResult::Sat {
            return Ok(None);
        }
        let model = self.preds[pred.index()].solver.model();
        let terms = &self.terms;
        Ok(self.preds[pred.index()]
            .facts
            .iter()
            .copied()
            .find(|&f| model.eval(terms, self.facts[f].formula)))
    }

    fn excluded_by_lemmas(
        &mut self,
        pred: Pred,
        cube: &[TermId],
        level: u32,
    ) -> Result<bool, Halt> {
        self.know_levels(pred, level);
        let mut assumptions = vec![self.head_active[level as usize]];
        assumptions.extend_from_slice(cube);
        Ok(self.ask_softly(pred, &assumptions)? == SatResult::Unsat)
    }

    /// Assumptions that ask: is there a rule whose body, read by lemmas of the level below, meets the cube?
    pub(super) fn step_question(&mut self, pred: Pred, level: u32, cube: &[TermId]) -> Vec<TermId> {
        let mut assumptions = vec![self.step];
        if level == 0 {
            for number in self.preds[pred.index()].rules.clone() {
                if !self.rules[number].body.is_empty() {
                    assumptions.push(self.terms.not(self.switches[number].rule));
                }
            }
        } else {
            assumptions.push(self.level(pred, level - 1));
        }
        assumptions.extend_from_slice(cube);
        assumptions
    }

    /// Equations as two inequalities each, so that what excludes a cube can use one of them alone.
    pub(super) fn halves(&mut self, cube: &[TermId]) -> Vec<TermId> {
        let mut out = Vec::with_capacity(cube.len());
        for &literal in cube {
            if let suppose_model::chc::Node::Eq(lin) = self.terms.node(literal) {
                let lin = lin.clone();
                let (low, high) = self.terms.halves(&lin);
                out.push(low);
                out.push(high);
            } else {
                out.push(literal);
            }
        }
        out
    }

    fn rule_of(&self, pred: Pred, level: u32, model: &Assignment) -> usize {
        let used = |&&number: &&usize| {
            (level > 0 || self.rules[number].body.is_empty())
                && model.eval(&self.terms, self.switches[number].rule)
        };
        *self.preds[pred.index()]
            .rules
            .iter()
            .find(used)
            .expect("the solver was told that some rule is used")
    }

    /// The rule meets the cube if its body is read by lemmas, in that model: is there a place for which
    /// facts do not suffice?
    fn take_rule(
        &mut self,
        number: usize,
        rule: usize,
        mut model: Assignment,
    ) -> Result<Answer, Halt> {
        let it = self.obligations.get(number);
        let (pred, level, cube) = (it.pred, it.level, it.cube.clone());
        let cube = cube.as_slice();
        let mut places: Vec<usize> = (0..self.rules[rule].body.len()).collect();
        if self.options.order == Order::BottomUp {
            places.reverse();
        }
        let mut facts: Vec<Option<usize>> = vec![None; places.len()];
        for (done, &place) in places.iter().enumerate() {
            facts[place] = self.fact_at(rule, place, &model, number);
            if facts[place].is_some() {
                continue;
            }
            let must = self.must_at(rule, place, number);
            if must != Terms::FALSE {
                let musts: Vec<TermId> = places[..=done]
                    .iter()
                    .map(|&p| self.must_at(rule, p, number))
                    .collect();
                let assumptions = self.mixed_question(rule, level, cube, &places, &musts);
                if self.facts_suffice(number, pred, &assumptions)? {
                    model = self.preds[pred.index()].solver.model().clone();
                    for &earlier in &places[..=done] {
                        facts[earlier] = self.fact_at(rule, earlier, &model, number);
                    }
                    continue;
                }
            }
            let cube = self.ask_for(rule, level, cube, &places, done, &facts, &model);
            let callee = self.rules[rule].body[place].pred;
            return Ok(Answer::DependsOn(callee, cube));
        }
        let facts: Vec<usize> = facts.into_iter().flatten().collect();
        let fact = self.derive_fact(number, rule, facts, &model);
        Ok(Answer::Reached(fact))
    }

    /// Is there a model with facts? What is not decided a few times counts as no: the predicate is asked for more.
    fn facts_suffice(
        &mut self,
        obligation: usize,
        pred: Pred,
        assumptions: &[TermId],
    ) -> Result<bool, Halt> {
        match self.ask(pred, assumptions) {
            Err(Halt::Undecided) if self.obligations.get(obligation).undecided < UNDECIDED => {
                self.obligations.get_mut(obligation).undecided += 1;
                Ok(false)
            }
            answer => answer,
        }
    }

    /// Assumptions that ask for the rule with facts at the first places and lemmas at the others.
    fn mixed_question(
        &mut self,
        rule: usize,
        level: u32,
        cube: &[TermId],
        places: &[usize],
        musts: &[TermId],
    ) -> Vec<TermId> {
        let pred = self.rules[rule].head;
        let mut assumptions = vec![self.switches[rule].rule];
        assumptions.extend_from_slice(musts);
        let others = places[musts.len()..].iter();
        assumptions.extend(others.map(|&p| self.switches[rule].may[p]));
        if level > 0 {
            assumptions.push(self.level(pred, level - 1));
        }
        assumptions.extend_from_slice(cube);
        assumptions
    }

    /// The cube over the formal parameters of the predicate at the place for which facts do not suffice.
    #[allow(clippy::too_many_arguments)]
    fn ask_for(
        &mut self,
        rule: usize,
        level: u32,
        cube: &[TermId],
        places: &[usize],
        done: usize,
        facts: &[Option<usize>],
        model: &Assignment,
    ) -> Vec<TermId> {
        let mut parts = vec![self.rules[rule].formula];
        parts.extend_from_slice(cube);
        for &place in &places[..done] {
            if let Some(fact) = facts[place] {
                parts.push(self.at(rule, place, self.facts[fact].formula));
            }
        }
        for &place in &places[done + 1..] {
            let callee = self.rules[rule].body[place].pred;
            for lemma in self.preds[callee.index()].lemmas.clone() {
                if !self.lemmas[lemma].retired && self.lemmas[lemma].level >= level - 1 {
                    parts.push(self.at(rule, place, self.lemmas[lemma].formula));
                }
            }
        }
        let site = self.rules[rule].body[places[done]].clone();
        let formula = self.terms.and(parts);
        let literals = match self.options.projection {
            Projection::ModelBased => {
                let eliminated: Vec<_> = self
                    .terms
                    .variables(formula)
                    .into_iter()
                    .filter(|v| !site.args.contains(v))
                    .collect();
                let projected = suppose_smt::project(&mut self.terms, formula, &eliminated, model);
                self.terms.conjuncts(projected)
            }
            Projection::Values => self.values(&site.args, model),
        };
        let formals = self.preds[site.pred.index()].formals.clone();
        let cube = site.abstracted(&mut self.terms, &formals, &literals);
        let value = |formal: Var| {
            let place = formals.iter().position(|f| *f == formal);
            place.map_or(Rat::ZERO, |p| model.number(site.args[p]))
        };
        self.concretise(site.pred, cube, &value)
    }

    /// A formula over formal parameters, said of a place.
    pub(super) fn at(&mut self, rule: usize, place: usize, formula: TermId) -> TermId {
        let site = self.rules[rule].body[place].clone();
        let formals = self.preds[site.pred.index()].formals.clone();
        site.instance(&mut self.terms, &formals, formula)
    }

    /// What the rule makes true of its head in that model and around it, its body read by these facts.
    fn derive_fact(
        &mut self,
        obligation: usize,
        rule: usize,
        premises: Vec<usize>,
        model: &Assignment,
    ) -> usize {
        let mut parts = vec![self.rules[rule].formula];
        for (place, &fact) in premises.iter().enumerate() {
            parts.push(self.at(rule, place, self.facts[fact].formula));
        }
        let formula = self.terms.and(parts);
        let pred = self.rules[rule].head;
        let formals = self.preds[pred.index()].formals.clone();
        let eliminated: Vec<_> = self
            .terms
            .variables(formula)
            .into_iter()
            .filter(|v| !formals.contains(v))
            .collect();
        let formula = suppose_smt::project(&mut self.terms, formula, &eliminated, model);
        self.reach(Fact {
            pred,
            formula,
            rule,
            premises,
            obligation,
        })
    }
}
