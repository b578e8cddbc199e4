//! Plain clauses that over-approximate clauses with facts.
//!
//! A predicate over arrays becomes one over *cells*: indices of its arrays and the elements there. It represents
//! that the original predicate's definition says the same of all indices. Wherever a clause needs a predicate
//! of an array, it needs the new one at every index; some are put in: those that the clause reads, and those of
//! the cells of its head. Facts are replaced by [`Instances`].
//!
//! # Why a derivation stays one
//!
//! Take a derivation of a query from the original clauses. It has finitely many values with names: give different ones different
//! numbers. By induction, for every fact `p(v)` that is derived and for any indices, the new predicate can be derived for the
//! elements of `v` there: the clause that derives `p(v)`, with the elements of its arrays for the variables that
//! stand for them, satisfies all formulas of [`Instances`], and the predicates of its new body are those of the old one
//! at some indices. So if no query can be derived from the new clauses, none can be from the old ones.

use rustc_hash::FxHashMap;

use super::instances::Instances;
use super::resolve::Resolved;
use super::{Leaf, Theory};
use crate::chc::{App, Clause, Horn, Param, Pred, Predicate, Sort, TermId, Terms, Var};

/// How values with names are represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Predicates keep the names of arrays.
    pub names: bool,
    /// The number of indices of each array that a predicate has as arguments.
    pub cells: u8,
}

/// All shapes, in the order they are tried.
pub const SHAPES: &[Shape] = &[
    Shape {
        names: true,
        cells: 0,
    },
    Shape {
        names: false,
        cells: 1,
    },
    Shape {
        names: true,
        cells: 1,
    },
    Shape {
        names: false,
        cells: 2,
    },
];

/// The instances, in a body, of one predicate of the original.
const MOST_COPIES: usize = 8;

/// Plain clauses, one for each of the system they were made from.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// The clauses.
    pub horn: Horn,
    /// For each clause and each predicate of the original body: the position of its first instance.
    pub premises: Vec<Vec<usize>>,
}

/// The plain clauses of that shape.
pub fn scalar(system: &Resolved, shape: Shape) -> Scalar {
    let mut theory = system.theory.clone();
    let mut work = Work {
        shape,
        terms: system.horn.terms.clone(),
        plans: Vec::new(),
        out: Horn::default(),
        numbers: vec![None; system.horn.predicates.len()],
    };
    for clause in &system.horn.clauses {
        for app in clause.body.iter().chain(&clause.head) {
            work.predicate(&system.horn, &theory, app.pred);
        }
    }
    let mut premises = Vec::new();
    for number in 0..system.horn.clauses.len() {
        premises.push(work.clause(system, &mut theory, number));
    }
    Scalar {
        horn: work.out,
        premises,
    }
}

/// How the arguments of a predicate are made.
#[derive(Clone, Debug)]
enum Formal {
    /// The argument at that place.
    Kept(usize),
    /// A part of the index of a cell.
    Index {
        group: usize,
        cell: usize,
        part: usize,
    },
    /// A part of the element of the array at that place, in a cell.
    Element {
        place: usize,
        group: usize,
        cell: usize,
        part: usize,
    },
}

/// A predicate's arguments, and the index sorts of its cells.
#[derive(Clone, Debug, Default)]
struct Plan {
    formals: Vec<Formal>,
    groups: Vec<Vec<Leaf>>,
    /// The places of the arrays of each group.
    arrays: Vec<Vec<usize>>,
}

struct Work {
    shape: Shape,
    terms: Terms,
    plans: Vec<Plan>,
    out: Horn,
    numbers: Vec<Option<Pred>>,
}

impl Work {
    fn predicate(&mut self, horn: &Horn, theory: &Theory, pred: Pred) {
        if self.numbers[pred.index()].is_some() {
            return;
        }
        let original = horn.predicate(pred);
        let (plan, sorts) = self.plan(horn, theory, &original.formals);
        let mut formals = Vec::new();
        for (name, sort) in sorts {
            formals.push(self.out.terms.fresh(&name, sort));
        }
        self.numbers[pred.index()] = Some(Pred(self.out.predicates.len() as u32));
        self.out.predicates.push(Predicate {
            name: original.name.clone(),
            params: formals.iter().map(|&v| Param::Plain(v)).collect(),
            formals,
            place: original.place.clone(),
        });
        self.plans.push(plan);
    }

    /// The arguments of a predicate with their names and sorts.
    fn plan(&self, horn: &Horn, theory: &Theory, formals: &[Var]) -> (Plan, Vec<(String, Sort)>) {
        let mut plan = Plan::default();
        let mut sorts = Vec::new();
        for (place, &formal) in formals.iter().enumerate() {
            let leaf = theory.leaf(horn, formal);
            let array = leaf.named.and_then(|sort| theory.array(sort));
            if array.is_none() || self.shape.names {
                plan.formals.push(Formal::Kept(place));
                sorts.push((horn.terms.name(formal).to_owned(), leaf.sort));
            }
            let Some((index, _)) = array.filter(|_| self.shape.cells > 0) else {
                continue;
            };
            match plan.groups.iter().position(|g| g == index) {
                Some(group) => plan.arrays[group].push(place),
                None => {
                    plan.groups.push(index.to_vec());
                    plan.arrays.push(vec![place]);
                }
            }
        }
        for group in 0..plan.groups.len() {
            for cell in 0..usize::from(self.shape.cells) {
                for (part, leaf) in plan.groups[group].iter().enumerate() {
                    plan.formals.push(Formal::Index { group, cell, part });
                    sorts.push((format!("index_{group}_{cell}_{part}"), leaf.sort));
                }
                for &place in &plan.arrays[group] {
                    let sort = theory.names.get(&formals[place]);
                    let element = sort.and_then(|&s| theory.array(s)).map_or(&[][..], |a| a.1);
                    for (part, leaf) in element.iter().enumerate() {
                        plan.formals.push(Formal::Element {
                            place,
                            group,
                            cell,
                            part,
                        });
                        let name = horn.terms.name(formals[place]);
                        sorts.push((format!("{name}[{cell}]_{part}"), leaf.sort));
                    }
                }
            }
        }
        (plan, sorts)
    }

    fn plan_of(&self, pred: Pred) -> (Pred, Plan) {
        let number = self.numbers[pred.index()].unwrap_or(Pred(0));
        (number, self.plans[number.index()].clone())
    }

    fn clause(&mut self, system: &Resolved, theory: &mut Theory, number: usize) -> Vec<usize> {
        let clause = &system.horn.clauses[number];
        let facts = &system.theory.facts[number];
        let body_plans: Vec<(Pred, Plan)> =
            clause.body.iter().map(|a| self.plan_of(a.pred)).collect();
        let head_plan = clause.head.as_ref().map(|a| self.plan_of(a.pred));
        let mut made = Instances::new(&mut self.terms, theory, clause.constraint, facts);
        made.collect();
        let cells = usize::from(self.shape.cells);
        let mut own: Vec<Vec<Vec<Var>>> = Vec::new();
        if let (Some(head), Some((_, plan))) = (&clause.head, &head_plan) {
            own = head_cells(&mut made, head, plan, cells);
        }
        for (app, (_, plan)) in clause.body.iter().zip(&body_plans) {
            for &place in plan.arrays.iter().flatten() {
                made.add_array(app.args[place]);
            }
        }
        let mut all: Vec<(&App, &Plan)> = Vec::new();
        all.extend(clause.body.iter().zip(body_plans.iter().map(|(_, p)| p)));
        all.extend(clause.head.iter().zip(head_plan.iter().map(|(_, p)| p)));
        share_indices(&mut made, &all);
        made.run();
        let mut body = Vec::new();
        let mut premises = Vec::new();
        for (app, (pred, plan)) in clause.body.iter().zip(&body_plans) {
            premises.push(body.len());
            for chosen in choices(&mut made, app, plan, cells) {
                let args = arguments(&mut made, app, plan, &chosen);
                let copy = App { pred: *pred, args };
                if !body[premises[premises.len() - 1]..].contains(&copy) {
                    body.push(copy);
                }
            }
        }
        let head = match (&clause.head, &head_plan) {
            (Some(app), Some((pred, plan))) => Some(App {
                pred: *pred,
                args: arguments(&mut made, app, plan, &own),
            }),
            _ => None,
        };
        let mut parts = std::mem::take(&mut made.formulas);
        parts.push(clause.constraint);
        let constraint = self.terms.and(parts);
        self.push(clause, body, constraint, head);
        premises
    }

    /// Adds a clause, with its variables renamed apart.
    fn push(&mut self, clause: &Clause, body: Vec<App>, constraint: TermId, head: Option<App>) {
        let mut known: FxHashMap<Var, Var> = FxHashMap::default();
        let from = &self.terms;
        let mut variable = |to: &mut Terms, var: Var| {
            *known
                .entry(var)
                .or_insert_with(|| to.fresh(from.name(var), from.sort(var)))
        };
        let out = &mut self.out.terms;
        let mut moved = |out: &mut Terms, app: App| App {
            pred: app.pred,
            args: app.args.into_iter().map(|v| variable(out, v)).collect(),
        };
        let body = body.into_iter().map(|app| moved(out, app)).collect();
        let head = head.map(|app| moved(out, app));
        let mut done = FxHashMap::default();
        let constraint = out.import_renamed(from, constraint, &mut variable, &mut done);
        self.out.clauses.push(Clause {
            body,
            constraint,
            head,
            place: clause.place.clone(),
        });
    }
}

/// Fresh indices for the cells of a head, by group and cell.
fn head_cells(
    made: &mut Instances<'_>,
    head: &App,
    plan: &Plan,
    cells: usize,
) -> Vec<Vec<Vec<Var>>> {
    let mut own = Vec::new();
    for (leaves, arrays) in plan.groups.iter().zip(&plan.arrays) {
        let group: Vec<Vec<Var>> = (0..cells).map(|_| made.fresh("cell", leaves)).collect();
        for &place in arrays {
            made.add_array(head.args[place]);
            for index in &group {
                made.add_index(head.args[place], index);
            }
        }
        own.push(group);
    }
    own
}

/// Arrays that a predicate has at the same index share all their indices.
fn share_indices(made: &mut Instances<'_>, apps: &[(&App, &Plan)]) {
    // Twice, for what one predicate passes on to another.
    for _ in 0..2 {
        for (app, plan) in apps {
            for arrays in plan.arrays.iter().filter(|arrays| arrays.len() > 1) {
                let all = group_indices(made, app, arrays);
                for &place in arrays {
                    for index in &all {
                        made.add_index(app.args[place], index);
                    }
                }
            }
        }
    }
}

/// The indices of all arrays at these places.
fn group_indices(made: &mut Instances<'_>, app: &App, arrays: &[usize]) -> Vec<Vec<Var>> {
    let mut indices: Vec<Vec<Var>> = Vec::new();
    for &place in arrays {
        let class = made.classes.of(app.args[place]);
        for index in made.indices.get(&class).into_iter().flatten() {
            if !indices.contains(index) {
                indices.push(index.clone());
            }
        }
    }
    indices
}

/// The indices at which a predicate of a body is put in: for each choice, those of each group and cell.
fn choices(
    made: &mut Instances<'_>,
    app: &App,
    plan: &Plan,
    cells: usize,
) -> Vec<Vec<Vec<Vec<Var>>>> {
    let mut of_groups: Vec<Vec<Vec<Vec<Var>>>> = Vec::new();
    for (leaves, arrays) in plan.groups.iter().zip(&plan.arrays) {
        let mut indices = group_indices(made, app, arrays);
        if indices.is_empty() {
            indices.push(made.fresh("any", leaves));
        }
        of_groups.push(tuples(&indices, cells));
    }
    let count = of_groups.iter().map(Vec::len).max().unwrap_or(1);
    let pick = |i: usize| of_groups.iter().map(|g| g[i % g.len()].clone()).collect();
    (0..count.min(MOST_COPIES)).map(pick).collect()
}

/// Indices for each of the cells, in order, none twice where there are several.
fn tuples(indices: &[Vec<Var>], cells: usize) -> Vec<Vec<Vec<Var>>> {
    if cells < 2 {
        return indices.iter().map(|i| vec![i.clone()]).collect();
    }
    let mut all = Vec::new();
    for (i, a) in indices.iter().enumerate() {
        for b in &indices[i + 1..] {
            all.push(vec![a.clone(), b.clone()]);
            all.push(vec![b.clone(), a.clone()]);
        }
    }
    if all.is_empty() {
        all.push(vec![indices[0].clone(), indices[0].clone()]);
    }
    all
}

fn arguments(
    made: &mut Instances<'_>,
    app: &App,
    plan: &Plan,
    chosen: &[Vec<Vec<Var>>],
) -> Vec<Var> {
    let mut args = Vec::with_capacity(plan.formals.len());
    for formal in &plan.formals {
        args.push(match *formal {
            Formal::Kept(place) => app.args[place],
            Formal::Index { group, cell, part } => chosen[group][cell][part],
            Formal::Element {
                place,
                group,
                cell,
                part,
            } => made.read(app.args[place], &chosen[group][cell])[part],
        });
    }
    args
}
