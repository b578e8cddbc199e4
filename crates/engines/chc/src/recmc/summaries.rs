//! Lemmas and facts, and how the solvers come to know them.

use suppose_model::chc::{Assignment, Pred, TermId, Terms};

use super::{Engine, literal};

/// The level of lemmas that are true at every depth.
pub(super) const FOREVER: u32 = u32::MAX;

/// A may-summary: true of all values that derivations of depth up to its level reach.
#[derive(Clone, Debug)]
pub(super) struct Lemma {
    pub pred: Pred,
    /// Over the formal parameters.
    pub formula: TermId,
    /// The literals whose conjunction it excludes, sorted.
    pub cube: Vec<TermId>,
    pub level: u32,
    /// A stronger lemma of at least its level is there.
    pub retired: bool,
}

/// A must-summary: true only of values that a derivation reaches.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub pred: Pred,
    /// Over the formal parameters.
    pub formula: TermId,
    /// The rule that makes it true.
    pub rule: usize,
    /// For each predicate of the rule's body the fact that is used there.
    pub premises: Vec<usize>,
    /// The obligation it answered.
    pub obligation: usize,
}

impl Engine<'_> {
    /// Learns that no derivation of depth up to the level reaches the cube.
    pub(super) fn learn(&mut self, pred: Pred, mut cube: Vec<TermId>, level: u32) -> usize {
        cube.sort_unstable();
        cube.dedup();
        let conjunction = self.terms.and(cube.iter().copied());
        let formula = self.terms.not(conjunction);
        if let Some(known) = self.preds[pred.index()]
            .lemmas
            .iter()
            .copied()
            .find(|&i| self.lemmas[i].formula == formula && !self.lemmas[i].retired)
        {
            if self.lemmas[known].level < level {
                self.raise(known, level);
            }
            return known;
        }
        for i in self.preds[pred.index()].lemmas.clone() {
            let old = &mut self.lemmas[i];
            if old.level <= level && includes(&old.cube, &cube) {
                old.retired = true;
            }
        }
        self.too_large |= !self.terms.numbers_fit(formula);
        let number = self.lemmas.len();
        self.lemmas.push(Lemma {
            pred,
            formula,
            cube,
            level,
            retired: false,
        });
        let (lemmas, all) = (&self.lemmas, &mut self.preds[pred.index()].lemmas);
        all.retain(|&i| !lemmas[i].retired);
        all.push(number);
        self.tell(number);
        number
    }

    /// Makes a lemma true at a higher level too.
    pub(super) fn raise(&mut self, lemma: usize, level: u32) {
        self.lemmas[lemma].level = level;
        self.tell(lemma);
    }

    /// Tells a lemma, at its level, to the solver of its predicate and to those of all who use it.
    fn tell(&mut self, number: usize) {
        self.tell_head(number);
        for (rule, place) in self.preds[self.lemmas[number].pred.index()].uses.clone() {
            self.tell_place(number, rule, place);
        }
    }

    /// Tells a lemma to the solver of its predicate.
    pub(super) fn tell_head(&mut self, number: usize) {
        let Lemma {
            pred,
            formula,
            level,
            ..
        } = self.lemmas[number];
        let guard = (level != FOREVER).then(|| {
            self.know_levels(pred, level);
            self.head_active[level as usize]
        });
        self.assert_guarded(pred, guard, formula);
    }

    /// Asserts a lemma in the solver of a rule in whose body its predicate occurs.
    pub(super) fn tell_place(&mut self, number: usize, rule: usize, place: usize) {
        let Lemma { formula, level, .. } = self.lemmas[number];
        let user = self.rules[rule].head;
        let instance = self.at(rule, place, formula);
        let guarded = self.terms.implies(self.switches[rule].may[place], instance);
        let guard = (level != FOREVER).then(|| self.level(user, level));
        self.assert_guarded(user, guard, guarded);
    }

    /// Tells a predicate's solver all facts about it.
    pub(super) fn tell_reached(&mut self, pred: Pred) {
        let reached = self.preds[pred.index()].reached;
        if reached != Terms::FALSE {
            let facts = self.preds[pred.index()].facts.iter();
            let all: Vec<TermId> = facts.map(|&f| self.facts[f].formula).collect();
            let some = self.terms.or(all);
            self.assert_guarded(pred, Some(reached), some);
        }
    }

    /// Tells a rule's solver all facts about a predicate of its body.
    pub(super) fn tell_must(&mut self, rule: usize, place: usize) {
        let must = self.switches[rule].must[place];
        if must != Terms::FALSE {
            let callee = self.rules[rule].body[place].pred;
            let facts = self.preds[callee.index()].facts.clone();
            let all: Vec<TermId> = facts
                .into_iter()
                .map(|f| self.at(rule, place, self.facts[f].formula))
                .collect();
            let some = self.terms.or(all);
            self.assert_guarded(self.rules[rule].head, Some(must), some);
        }
    }

    fn assert_guarded(&mut self, pred: Pred, guard: Option<TermId>, formula: TermId) {
        let formula = match guard {
            Some(guard) => self.terms.implies(guard, formula),
            None => formula,
        };
        self.assert(pred.index(), formula);
    }

    /// Learns that all values of the formula are reached.
    pub(super) fn reach(&mut self, fact: Fact) -> usize {
        let number = self.facts.len();
        let pred = fact.pred;
        let formula = fact.formula;
        self.too_large |= !self.terms.numbers_fit(formula);
        self.facts.push(fact);
        self.preds[pred.index()].facts.push(number);
        let reached = literal(&mut self.terms, "reached");
        let before = self.preds[pred.index()].reached;
        self.assert_one_of(pred, reached, formula, before);
        self.preds[pred.index()].reached = reached;
        for (rule, place) in self.preds[pred.index()].uses.clone() {
            let site = self.rules[rule].body[place].clone();
            let formals = self.preds[pred.index()].formals.clone();
            let instance = site.instance(&mut self.terms, &formals, formula);
            let must = literal(&mut self.terms, "must");
            let before = self.switches[rule].must[place];
            self.assert_one_of(self.rules[rule].head, must, instance, before);
            self.switches[rule].must[place] = must;
        }
        number
    }

    fn assert_one_of(&mut self, pred: Pred, guard: TermId, a: TermId, b: TermId) {
        let either = self.terms.or([a, b]);
        let guarded = self.terms.implies(guard, either);
        self.assert(pred.index(), guarded);
    }

    /// The fact of a rule's place that is true in a model, the oldest one that the obligation may use.
    pub(super) fn fact_at(
        &mut self,
        rule: usize,
        place: usize,
        model: &Assignment,
        obligation: usize,
    ) -> Option<usize> {
        self.usable(rule, place, obligation)
            .into_iter()
            .find(|&fact| {
                let instance = self.at(rule, place, self.facts[fact].formula);
                model.eval(&self.terms, instance)
            })
    }

    /// A formula that is true of a place's arguments if they are of a fact that the obligation may use.
    pub(super) fn must_at(&mut self, rule: usize, place: usize, obligation: usize) -> TermId {
        if self.options.must_summaries {
            return self.switches[rule].must[place];
        }
        let facts = self.usable(rule, place, obligation);
        let instances: Vec<TermId> = facts
            .into_iter()
            .map(|fact| self.at(rule, place, self.facts[fact].formula))
            .collect();
        self.terms.or(instances)
    }

    /// Without must-summaries an obligation may use only what was found for those that it asked for.
    fn usable(&self, rule: usize, place: usize, obligation: usize) -> Vec<usize> {
        let callee = self.rules[rule].body[place].pred;
        let facts = self.preds[callee.index()].facts.iter().copied();
        if self.options.must_summaries {
            return facts.collect();
        }
        let asked = |fact: &usize| {
            let answered = self.facts[*fact].obligation;
            self.obligations.get(answered).parent == Some(obligation)
        };
        facts.filter(asked).collect()
    }
}

/// Is the second, sorted like the first, a part of it?
fn includes(all: &[TermId], part: &[TermId]) -> bool {
    part.iter().all(|x| all.binary_search(x).is_ok())
}
