//! Values for a derivation from plain clauses.
//!
//! Which clauses are applied is known; all of them together are one formula with facts. The facts are replaced by what they imply for
//! the elements read, which is enough to decide it, and a model gives the arrays and the values.

use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_model::chc::theory::{
    Fact, Instances, NamedSort, Resolved, Scalar, Structures, Theory, Tree,
};
use suppose_model::chc::{Assignment, Derivation, Horn, Inference, Lin, TermId, Terms, Value, Var};
use suppose_smt::{SatResult, Solver};

use super::build::{Builder, Compared};

/// Clauses applied in a derivation that is tried.
const MOST_STEPS: usize = 2_000;

/// The clauses and what relates their names.
pub(super) struct Job<'a> {
    pub horn: &'a Horn,
    pub theory: &'a Theory,
    pub system: &'a Resolved,
    pub plain: &'a Scalar,
}

/// An original clause and the earlier nodes it uses.
struct Applied {
    clause: usize,
    premises: Vec<usize>,
}

/// All clauses of a derivation as one formula.
struct Whole {
    terms: Terms,
    theory: Theory,
    /// For each node what its clause's variables have become.
    variables: Vec<FxHashMap<Var, Var>>,
    constraint: TermId,
    facts: Vec<Fact>,
}

impl Job<'_> {
    /// Values for the clauses that a derivation from the plain clauses applies.
    pub fn concretise(
        &self,
        found: &Derivation,
        cx: &Context,
    ) -> Result<Option<(Derivation, Structures)>, Stopped> {
        let Some(nodes) = self.nodes(found) else {
            return Ok(None);
        };
        let Some(mut whole) = self.whole(&nodes) else {
            return Ok(None);
        };
        let made = Instances::new(
            &mut whole.terms,
            &mut whole.theory,
            whole.constraint,
            &whole.facts,
        );
        let (formulas, reads) = made.complete();
        let mut compared = Compared::default();
        let mut solver = Solver::new();
        for formula in formulas.into_iter().chain([whole.constraint]) {
            solver.assert(&mut whole.terms, formula);
            compared.add(&whole.terms, &whole.theory, formula);
        }
        if solver.check_patiently(&mut whole.terms, &[], cx)? != SatResult::Sat {
            return Ok(None);
        }
        let mut builder = Builder::new(
            &whole.terms,
            &whole.theory,
            &whole.facts,
            solver.model(),
            &reads,
            &compared,
        );
        let Some(derivation) = derivation(&nodes, &whole, &mut builder) else {
            return Ok(None);
        };
        let structures = builder.finish();
        let right = self.satisfied(&derivation, &structures);
        Ok(right.then_some((derivation, structures)))
    }

    /// The original clauses, each after those it uses.
    fn nodes(&self, found: &Derivation) -> Option<Vec<Applied>> {
        let mut needed = vec![false; found.steps.len()];
        *needed.last_mut()? = true;
        for number in (0..found.steps.len()).rev() {
            if needed[number] {
                for premise in self.chosen(&found.steps[number]) {
                    needed[premise] = true;
                }
            }
        }
        let mut nodes = Vec::new();
        let mut roots = vec![usize::MAX; found.steps.len()];
        for (number, step) in found.steps.iter().enumerate() {
            if needed[number] {
                let below: Vec<usize> = self.chosen(step).map(|p| roots[p]).collect();
                let tree = self.system.trees.get(step.clause)?;
                roots[number] = plant(tree, &mut below.into_iter(), &mut nodes)?;
                if nodes.len() > MOST_STEPS {
                    return None;
                }
            }
        }
        Some(nodes)
    }

    /// Of several premises that represent one predicate of the original body, the first.
    fn chosen<'b>(&'b self, step: &'b Inference) -> impl Iterator<Item = usize> + 'b {
        let places = self.plain.premises.get(step.clause);
        let places = places.into_iter().flatten();
        places.filter_map(|&place| step.premises.get(place).copied())
    }

    fn whole(&self, nodes: &[Applied]) -> Option<Whole> {
        let mut whole = Whole {
            terms: Terms::default(),
            theory: Theory {
                sorts: self.theory.sorts.clone(),
                ..Theory::default()
            },
            variables: Vec::new(),
            constraint: Terms::TRUE,
            facts: Vec::new(),
        };
        let mut parts = Vec::new();
        for node in nodes {
            let clause = &self.horn.clauses[node.clause];
            let mut known: FxHashMap<Var, Var> = FxHashMap::default();
            for (app, &premise) in clause.body.iter().zip(&node.premises) {
                let below = &self.horn.clauses[nodes[premise].clause];
                let head = below.head.as_ref()?;
                for (&here, there) in app.args.iter().zip(&head.args) {
                    let there = *whole.variables[premise].get(there)?;
                    match known.get(&here) {
                        Some(&before) if before != there => {
                            parts.push(whole.terms.equal(before, there));
                        }
                        Some(_) => {}
                        None => {
                            known.insert(here, there);
                        }
                    }
                }
            }
            self.import(node, known, &mut whole, &mut parts);
        }
        whole.constraint = whole.terms.and(parts);
        Some(whole)
    }

    /// Adds the constraint and the facts of a clause.
    fn import(
        &self,
        node: &Applied,
        mut known: FxHashMap<Var, Var>,
        whole: &mut Whole,
        parts: &mut Vec<TermId>,
    ) {
        let (from, names) = (&self.horn.terms, &mut whole.theory.names);
        let mut bounds: Vec<TermId> = Vec::new();
        let mut variable = |to: &mut Terms, var: Var| {
            *known.entry(var).or_insert_with(|| {
                let own = to.fresh(from.name(var), from.sort(var));
                if let Some(&sort) = self.theory.names.get(&var) {
                    names.insert(own, sort);
                    // What is not known to differ must not need to.
                    if self.theory.sorts.get(sort as usize) == Some(&NamedSort::Free) {
                        bounds.push(to.eq(Lin::var(own)));
                    }
                }
                own
            })
        };
        let clause = &self.horn.clauses[node.clause];
        let mut done = FxHashMap::default();
        let mut proper: Vec<TermId> = Vec::new();
        let terms = &mut whole.terms;
        parts.push(terms.import_renamed(from, clause.constraint, &mut variable, &mut done));
        for var in clause.head.iter().flat_map(|head| &head.args) {
            variable(terms, *var);
        }
        for fact in &self.theory.facts[node.clause] {
            let fact = fact.clone().map(&mut |var| variable(terms, var));
            if let Fact::Proper { tag, constructor } = &fact {
                let own = Lin::var(*tag).plus(-i64::from(*constructor));
                proper.push(terms.eq(own));
            }
            whole.facts.push(fact);
        }
        parts.append(&mut bounds);
        parts.append(&mut proper);
        whole.variables.push(known);
    }

    /// Do the values satisfy constraints and facts? If not, the formulas said too little of them.
    fn satisfied(&self, derivation: &Derivation, structures: &Structures) -> bool {
        derivation.steps.iter().all(|step| {
            let (terms, values) = (&self.horn.terms, &step.values);
            let mut facts = self.theory.facts[step.clause].iter();
            values.eval(terms, self.horn.clauses[step.clause].constraint)
                && facts.all(|fact| self.theory.holds(terms, structures, values, fact))
        })
    }
}

/// The steps, with values for the variables of their clauses.
fn derivation(nodes: &[Applied], whole: &Whole, builder: &mut Builder<'_>) -> Option<Derivation> {
    let mut steps = Vec::new();
    for (node, variables) in nodes.iter().zip(&whole.variables) {
        let mut values = Assignment::default();
        let mut all: Vec<(Var, Var)> = variables.iter().map(|(a, b)| (*a, *b)).collect();
        all.sort_unstable();
        for (var, own) in all {
            let value = builder.value(own)?;
            if value != Value::Bool(false) && value != zero() {
                values.set(var, value);
            }
        }
        steps.push(Inference {
            clause: node.clause,
            values,
            premises: node.premises.clone(),
        });
    }
    Some(Derivation { steps })
}

fn zero() -> Value {
    Value::Num(suppose_number::Rat::ZERO)
}

/// Adds the clauses of a tree after what it leaves to others; the number of its root.
fn plant(
    tree: &Tree,
    below: &mut impl Iterator<Item = usize>,
    nodes: &mut Vec<Applied>,
) -> Option<usize> {
    let mut premises = Vec::new();
    for premise in &tree.premises {
        premises.push(match premise {
            None => below.next()?,
            Some(inner) => plant(inner, below, nodes)?,
        });
    }
    nodes.push(Applied {
        clause: tree.clause,
        premises,
    });
    Some(nodes.len() - 1)
}
