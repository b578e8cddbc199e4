//! Properties of a system: their conditions become propositions, each of one component.

use rustc_hash::FxHashMap;
use suppose_model::mdp::{PathFormula, Property, Query, RewardPaths, StateFormula};
use suppose_source::{Diagnostic, Span};

use super::ast::{Compare, Type};
use super::group::Groups;
use super::property::{Ask, Earned, Formula, Made, Paths, Question};
use super::resolved::Resolved;
use super::show::show;
use super::term::{Term, TermKind};

/// A proposition of a component.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) name: String,
    pub(super) component: usize,
    pub(super) term: Term,
}

/// The propositions of a system, collected while properties are lowered.
pub(super) struct Atoms<'a> {
    groups: &'a Groups<'a>,
    /// The component of a module.
    component: Vec<usize>,
    components: usize,
    atoms: Vec<Atom>,
    index: FxHashMap<(String, usize), u32>,
}

impl<'a> Atoms<'a> {
    pub(super) fn new(groups: &'a Groups<'a>, list: &[Vec<usize>]) -> Atoms<'a> {
        let count = list.iter().map(Vec::len).sum();
        let mut component = vec![0; count];
        for (number, modules) in list.iter().enumerate() {
            for module in modules {
                component[*module] = number;
            }
        }
        Atoms {
            groups,
            component,
            components: list.len(),
            atoms: Vec::new(),
            index: FxHashMap::default(),
        }
    }

    pub(super) fn list(&self) -> &[Atom] {
        &self.atoms
    }

    pub(super) fn property(&mut self, question: &Question, model: &Resolved) -> Made<Property> {
        let query = match &question.ask {
            Ask::Holds(formula) => Query::Holds(self.formula(formula, model)?),
            Ask::Greatest(paths) => Query::Greatest(self.paths(paths, model)?),
            Ask::Least(paths) => Query::Least(self.paths(paths, model)?),
            Ask::Reward(greatest, structure, earned) => Query::Reward {
                greatest: *greatest,
                structure: *structure,
                paths: self.earned(earned, model)?,
            },
        };
        let query = match question.over {
            Some(over) => Query::Over(over, Box::new(query)),
            None => query,
        };
        Ok(Property {
            name: question.name.clone(),
            query,
        })
    }

    fn paths(&mut self, paths: &Paths, model: &Resolved) -> Made<PathFormula> {
        Ok(match paths {
            Paths::Next(a) => PathFormula::Next(self.formula(a, model)?),
            Paths::Until(a, b, steps) => PathFormula::Until {
                left: self.formula(a, model)?,
                right: self.formula(b, model)?,
                steps: *steps,
            },
            Paths::Globally(a, steps) => PathFormula::Globally {
                always: self.formula(a, model)?,
                steps: *steps,
            },
            Paths::Not(paths) => PathFormula::Not(Box::new(self.paths(paths, model)?)),
        })
    }

    fn earned(&mut self, earned: &Earned, model: &Resolved) -> Made<RewardPaths> {
        Ok(match earned {
            Earned::Until(goal) => RewardPaths::Until(self.formula(goal, model)?),
            Earned::Within(steps) => RewardPaths::Within(*steps),
            Earned::After(steps) => RewardPaths::After(*steps),
        })
    }

    fn formula(&mut self, formula: &Formula, model: &Resolved) -> Made<StateFormula> {
        Ok(match formula {
            Formula::Condition(term, name) => self.split(term, name.as_deref(), model)?,
            Formula::Init => self.init(model),
            Formula::Deadlock => StateFormula::Deadlock,
            Formula::Not(a) => StateFormula::Not(Box::new(self.formula(a, model)?)),
            Formula::And(all) => StateFormula::And(self.formulas(all, model)?),
            Formula::Or(all) => StateFormula::Or(self.formulas(all, model)?),
            Formula::Probability(comparison, bound, paths) => StateFormula::Probability {
                comparison: *comparison,
                bound: bound.clone(),
                paths: Box::new(self.paths(paths, model)?),
            },
            Formula::Reward(comparison, bound, structure, earned) => StateFormula::Reward {
                comparison: *comparison,
                bound: bound.clone(),
                structure: *structure,
                paths: Box::new(self.earned(earned, model)?),
            },
        })
    }

    fn formulas(&mut self, all: &[Formula], model: &Resolved) -> Made<Vec<StateFormula>> {
        all.iter().map(|f| self.formula(f, model)).collect()
    }

    /// A condition as a combination of propositions of one component each.
    fn split(&mut self, term: &Term, name: Option<&str>, model: &Resolved) -> Made<StateFormula> {
        if let TermKind::Bool(value) = term.kind {
            return Ok(if value {
                StateFormula::True
            } else {
                StateFormula::False
            });
        }
        let modules = self.groups.modules_of(term);
        let mut components: Vec<usize> = modules.iter().map(|m| self.component[*m]).collect();
        components.dedup();
        components.sort_unstable();
        components.dedup();
        if components.len() <= 1 {
            let component = components.first().copied().unwrap_or(0);
            let name = name.map_or_else(|| show(term, model), str::to_owned);
            return Ok(self.atom(name, component, term.clone()));
        }
        let mut one = |t: &Term| self.split(t, None, model);
        let not = |f: StateFormula| StateFormula::Not(Box::new(f));
        Ok(match &term.kind {
            TermKind::And(all) => StateFormula::And(all.iter().map(one).collect::<Made<_>>()?),
            TermKind::Or(all) => StateFormula::Or(all.iter().map(one).collect::<Made<_>>()?),
            TermKind::Not(a) => not(one(a)?),
            TermKind::Implies(a, b) => StateFormula::Or(vec![not(one(a)?), one(b)?]),
            TermKind::Iff(a, b) => {
                let (a, b) = (one(a)?, one(b)?);
                StateFormula::Or(vec![
                    StateFormula::And(vec![not(a.clone()), not(b.clone())]),
                    StateFormula::And(vec![a, b]),
                ])
            }
            // The groups were made so that this does not occur.
            _ => {
                return Err(Diagnostic::error(
                    term.span,
                    "this compares variables of different components",
                ));
            }
        })
    }

    /// Every component is in its initial state.
    fn init(&mut self, model: &Resolved) -> StateFormula {
        let span = Span::default();
        if model.variables.iter().any(|v| v.init.is_none())
            && let Some(term) = &model.init
        {
            return self.atom("\"init\"".to_owned(), 0, term.clone());
        }
        let mut parts: Vec<Vec<Term>> = vec![Vec::new(); self.components];
        for (number, variable) in model.variables.iter().enumerate() {
            let ty = if variable.is_bool {
                Type::Bool
            } else {
                Type::Int
            };
            let var = Term {
                kind: TermKind::Var(number as u32),
                ty,
                span,
            };
            let value = variable.init.unwrap_or(variable.low);
            let value = match variable.is_bool {
                true => Term::truth(value != 0, span),
                false => Term::int(value, span),
            };
            let kind = TermKind::Compare(Compare::Eq, Box::new(var), Box::new(value));
            let component = self.component[self.groups.holder(number as u32)];
            parts[component].push(Term {
                kind,
                ty: Type::Bool,
                span,
            });
        }
        let mut all = Vec::new();
        for (component, terms) in parts.into_iter().enumerate() {
            if !terms.is_empty() {
                let term = Term {
                    kind: TermKind::And(terms),
                    ty: Type::Bool,
                    span,
                };
                all.push(self.atom("\"init\"".to_owned(), component, term));
            }
        }
        StateFormula::And(all)
    }

    /// Makes sure that there is a proposition.
    pub(super) fn add(&mut self, name: String, component: usize, term: Term) {
        self.atom(name, component, term);
    }

    fn atom(&mut self, name: String, component: usize, term: Term) -> StateFormula {
        let next = self.atoms.len() as u32;
        let number = *self.index.entry((name.clone(), component)).or_insert(next);
        if number == next {
            self.atoms.push(Atom {
                name,
                component,
                term,
            });
        }
        StateFormula::Proposition(number)
    }
}
