//! Linear systems unrolled: clauses with one predicate in their body at most, taken one after another.
//!
//! [`crate::bmc`] unrolls them from the facts forwards, [`crate::induction`] from the queries backwards. Layer by layer,
//! each clause that can be taken there gets variables of its own and a literal that says that it is taken.

use rustc_hash::FxHashMap;
use suppose_model::chc::{Assignment, Horn, Inference, Pred, TermId, Terms, Value, Var};
use suppose_smt::Solver;

use crate::recmc::literal;
use crate::rules::{Rule, prepare};

/// Has every clause one predicate in its body at most?
pub fn is_linear(horn: &Horn) -> bool {
    horn.clauses.iter().all(|c| c.body.len() <= 1)
}

/// A rule taken at a layer.
pub(crate) struct Taken {
    pub rule: usize,
    /// True if it is taken.
    pub used: TermId,
    /// The variables of the rule, here.
    pub copy: FxHashMap<Var, Var>,
}

/// What is unrolled so far.
pub(crate) struct Unrolling<'a> {
    pub horn: &'a Horn,
    pub terms: Terms,
    pub rules: Vec<Rule>,
    /// What queries derive.
    pub goal: Pred,
    pub solver: Solver,
    /// All assertions of the solver.
    pub asserted: Vec<TermId>,
    pub layers: Vec<Vec<Taken>>,
}

impl<'a> Unrolling<'a> {
    pub fn new(horn: &'a Horn) -> Self {
        let mut terms = horn.terms.clone();
        let goal = Pred(horn.predicates.len() as u32);
        let rules = horn.clauses.iter().enumerate();
        let rules = rules
            .map(|(i, clause)| prepare(horn, &mut terms, i, clause, goal))
            .collect();
        Unrolling {
            horn,
            terms,
            rules,
            goal,
            solver: Solver::new(),
            asserted: Vec::new(),
            layers: Vec::new(),
        }
    }

    /// Asserts a copy of a rule with fresh variables, guarded by a fresh literal `used`.
    pub fn take(&mut self, number: usize) -> Taken {
        let rule = &self.rules[number];
        let mut all: Vec<Var> = rule.renamed.iter().map(|(_, here)| *here).collect();
        if rule.head != self.goal {
            all.extend_from_slice(&self.horn.predicate(rule.head).formals);
        }
        all.sort_unstable();
        all.dedup();
        let formula = rule.formula;
        let mut pairs = Vec::new();
        for var in all {
            let name = self.terms.name(var).to_owned();
            let sort = self.terms.sort(var);
            pairs.push((var, self.terms.fresh(&name, sort)));
        }
        let used = literal(&mut self.terms, "used");
        let formula = self.terms.replace(formula, &pairs);
        self.assert_if(used, formula);
        Taken {
            rule: number,
            used,
            copy: pairs.into_iter().collect(),
        }
    }

    pub fn assert_if(&mut self, condition: TermId, formula: TermId) {
        let formula = self.terms.implies(condition, formula);
        self.asserted.push(formula);
        self.solver.assert(&mut self.terms, formula);
    }

    /// If the first is taken, so is one of the others, and these of its variables are equal to those of the first.
    pub fn connect(&mut self, used: TermId, vars: &[Var], others: Vec<(TermId, Vec<Var>)>) {
        let mut choices = Vec::new();
        for (other, theirs) in others {
            let choice = literal(&mut self.terms, "joined");
            self.assert_if(choice, other);
            for (&ours, theirs) in vars.iter().zip(theirs) {
                let same = self.terms.equal(ours, theirs);
                self.assert_if(choice, same);
            }
            choices.push(choice);
        }
        let some = self.terms.or(choices);
        self.assert_if(used, some);
    }

    /// The variables of a taken rule's head.
    pub fn head_vars(&self, taken: &Taken) -> Vec<Var> {
        let head = self.rules[taken.rule].head;
        if head == self.goal {
            return Vec::new();
        }
        let formals = self.horn.predicate(head).formals.iter();
        formals.map(|f| taken.copy[f]).collect()
    }

    /// The predicate of a taken rule's body, with its variables.
    pub fn body_vars(&self, taken: &Taken) -> Option<(Pred, Vec<Var>)> {
        let site = self.rules[taken.rule].body.first()?;
        Some((site.pred, site.args.iter().map(|v| taken.copy[v]).collect()))
    }

    /// The taken rule of a layer, in the solver's last model, that has these values there.
    pub fn find(
        &self,
        layer: usize,
        wanted: &Option<(Pred, Vec<Value>)>,
        place: impl Fn(&Taken) -> Option<(Pred, Vec<Var>)>,
    ) -> Option<&Taken> {
        let model = self.solver.model();
        self.layers[layer].iter().find(|taken| {
            model.eval(&self.terms, taken.used)
                && place(taken).map(|(pred, vars)| (pred, self.values(&vars))) == *wanted
        })
    }

    /// Values in the solver's last model.
    pub fn values(&self, vars: &[Var]) -> Vec<Value> {
        let model = self.solver.model();
        vars.iter().map(|&v| model.value(&self.terms, v)).collect()
    }

    /// A taken rule as a step of a derivation, in the solver's last model.
    pub fn inference(&self, taken: &Taken, premise: Option<usize>) -> Inference {
        let rule = &self.rules[taken.rule];
        let mut values = Assignment::default();
        for (var, here) in &rule.renamed {
            let value = self.solver.model().value(&self.terms, taken.copy[here]);
            values.set(*var, value);
        }
        Inference {
            clause: rule.clause,
            values,
            premises: premise.into_iter().collect(),
        }
    }
}
