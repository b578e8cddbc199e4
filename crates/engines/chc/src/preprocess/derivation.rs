//! Derivations from simplified clauses as derivations from the original ones.
//!
//! A rule remembers the original clauses it is made of, and how each replaced variable is computed. Values that a
//! rule has no more are found in this order: by what replaced the variable, from the premise whose argument it
//! is, and if nothing asks for any, false or 0. Every step is checked against the original clause.

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_model::chc::{
    App, Assignment, Derivation, Expr, Horn, Inference, Sort, Terms, Value, Var,
};

use super::clauses::plain;
use super::working::{Origin, Premise, Rule, expr_variables};

/// The derivation from the original clauses; none if a step is not one of theirs.
pub(super) fn translate(
    original: &Horn,
    terms: &Terms,
    rules: &[Rule],
    derivation: &Derivation,
) -> Option<Derivation> {
    let mut steps: Vec<Inference> = Vec::new();
    // For each inference of the simplified derivation the one with its conclusion.
    let mut conclusions: Vec<usize> = Vec::new();
    for inference in &derivation.steps {
        let rule = rules.get(inference.clause)?;
        let mut leaves: FxHashMap<u32, usize> = FxHashMap::default();
        for (atom, premise) in rule.body.iter().zip(&inference.premises) {
            leaves.insert(atom.leaf, *conclusions.get(*premise)?);
        }
        let values = complete(original, terms, rule, inference, &leaves, &steps);
        let mut places: Vec<usize> = vec![usize::MAX; rule.nodes.len()];
        for (number, origin) in rule.nodes.iter().enumerate().rev() {
            let premises = origin.premises.iter().map(|premise| match premise {
                Premise::Atom(leaf) => leaves.get(leaf).copied(),
                Premise::Origin(inner) => Some(places[*inner]),
            });
            let mut own = Assignment::default();
            for (var, now) in &origin.variables {
                if let Some(value) = values.get(now) {
                    own.set(*var, value.clone());
                }
            }
            let step = Inference {
                clause: origin.clause,
                values: own,
                premises: premises.collect::<Option<Vec<usize>>>()?,
            };
            if !valid(original, &steps, &step) {
                return None;
            }
            places[number] = steps.len();
            steps.push(step);
        }
        conclusions.push(places[0]);
    }
    Some(Derivation { steps })
}

/// A place where a value goes from a conclusion to a premise of the same rule.
struct Link {
    from: Var,
    to: Var,
}

fn complete(
    original: &Horn,
    terms: &Terms,
    rule: &Rule,
    inference: &Inference,
    leaves: &FxHashMap<u32, usize>,
    steps: &[Inference],
) -> FxHashMap<Var, Value> {
    let replaced: FxHashSet<Var> = rule.undo.iter().map(|(v, _)| *v).collect();
    let mut values: FxHashMap<Var, Value> = FxHashMap::default();
    let mut all: Vec<Var> = rule
        .nodes
        .iter()
        .flat_map(|n| n.variables.iter().map(|(_, now)| *now))
        .collect();
    for (_, expr) in &rule.undo {
        all.extend(expr_variables(terms, expr));
    }
    let current: FxHashSet<Var> = terms
        .variables(rule.constraint)
        .into_iter()
        .chain(rule.arguments())
        .collect();
    all.extend(current.iter().copied());
    all.sort_unstable();
    all.dedup();
    for &var in all.iter().filter(|v| current.contains(v)) {
        let value = inference
            .values
            .get(var)
            .cloned()
            .unwrap_or_else(|| default(terms, var));
        values.insert(var, value);
    }
    let aliases: FxHashMap<Var, Var> = rule
        .undo
        .iter()
        .filter_map(|(var, expr)| Some((*var, plain(terms, expr)?)))
        .collect();
    let mut links = Vec::new();
    let mut targets: FxHashSet<Var> = FxHashSet::default();
    for origin in &rule.nodes {
        for (app, premise) in original.clauses[origin.clause]
            .body
            .iter()
            .zip(&origin.premises)
        {
            // An argument was only ever replaced by a variable: that one gets the value.
            let here: Vec<Var> = renamed(origin, app)
                .into_iter()
                .map(|v| last(&aliases, v))
                .collect();
            targets.extend(here.iter().copied());
            match premise {
                Premise::Origin(inner) => {
                    let inner = &rule.nodes[*inner];
                    if let Some(head) = &original.clauses[inner.clause].head {
                        links.extend(
                            renamed(inner, head)
                                .into_iter()
                                .zip(here)
                                .map(|(from, to)| Link { from, to }),
                        );
                    }
                }
                Premise::Atom(leaf) => {
                    let source = leaves.get(leaf).and_then(|&n| steps.get(n));
                    for (value, to) in source
                        .map(|s| conclusion(original, s))
                        .unwrap_or_default()
                        .into_iter()
                        .zip(here)
                    {
                        if !replaced.contains(&to) {
                            values.entry(to).or_insert(value);
                        }
                    }
                }
            }
        }
    }
    loop {
        while spread(terms, rule, &links, &replaced, &mut values) {}
        let open = |v: &&Var| !values.contains_key(*v);
        let free = all
            .iter()
            .filter(open)
            .find(|v| !replaced.contains(v) && !targets.contains(v))
            .or_else(|| all.iter().filter(open).find(|v| !replaced.contains(v)))
            .or_else(|| all.iter().find(open));
        match free {
            Some(&var) => {
                values.insert(var, default(terms, var));
            }
            None => return values,
        }
    }
}

/// What a variable is called at last.
fn last(aliases: &FxHashMap<Var, Var>, mut var: Var) -> Var {
    while let Some(&next) = aliases.get(&var) {
        var = next;
    }
    var
}

fn spread(
    terms: &Terms,
    rule: &Rule,
    links: &[Link],
    replaced: &FxHashSet<Var>,
    values: &mut FxHashMap<Var, Value>,
) -> bool {
    let before = values.len();
    for (var, expr) in rule.undo.iter().rev() {
        if values.contains_key(var)
            || expr_variables(terms, expr)
                .iter()
                .any(|v| !values.contains_key(v))
        {
            continue;
        }
        let value = evaluate(terms, expr, values);
        values.insert(*var, value);
    }
    for link in links {
        if !replaced.contains(&link.to)
            && !values.contains_key(&link.to)
            && let Some(value) = values.get(&link.from).cloned()
        {
            values.insert(link.to, value);
        }
    }
    values.len() > before
}

fn evaluate(terms: &Terms, expr: &Expr, values: &FxHashMap<Var, Value>) -> Value {
    match expr {
        Expr::Bool(term) => {
            let mut assignment = Assignment::default();
            for var in terms.variables(*term) {
                if let Some(value) = values.get(&var) {
                    assignment.set(var, value.clone());
                }
            }
            Value::Bool(assignment.eval(terms, *term))
        }
        Expr::Num(lin) => Value::Num(lin.eval(|var| match values.get(&var) {
            Some(Value::Num(number)) => number.clone(),
            _ => suppose_number::Rat::ZERO,
        })),
    }
}

fn default(terms: &Terms, var: Var) -> Value {
    match terms.sort(var) {
        Sort::Bool => Value::Bool(false),
        Sort::Int | Sort::Real => Value::Num(suppose_number::Rat::ZERO),
    }
}

/// The arguments of an original predicate under the names of the rule.
fn renamed(origin: &Origin, app: &App) -> Vec<Var> {
    let map: FxHashMap<Var, Var> = origin.variables.iter().copied().collect();
    app.args
        .iter()
        .map(|v| map.get(v).copied().unwrap_or(*v))
        .collect()
}

/// The values of the head of a step.
fn conclusion(original: &Horn, step: &Inference) -> Vec<Value> {
    match &original.clauses[step.clause].head {
        Some(head) => arguments(original, head, &step.values),
        None => Vec::new(),
    }
}

fn arguments(original: &Horn, app: &App, values: &Assignment) -> Vec<Value> {
    let value = |var: &Var| {
        values
            .get(*var)
            .cloned()
            .unwrap_or_else(|| default(&original.terms, *var))
    };
    app.args.iter().map(value).collect()
}

/// Is it a use of its clause on what its premises conclude?
fn valid(original: &Horn, steps: &[Inference], step: &Inference) -> bool {
    let clause = &original.clauses[step.clause];
    let whole = |var: &Var| match (original.terms.sort(*var), step.values.get(*var)) {
        (Sort::Int, Some(Value::Num(number))) => number.is_integer(),
        _ => true,
    };
    clause.body.len() == step.premises.len()
        && original.variables(clause).iter().all(whole)
        && step.values.eval(&original.terms, clause.constraint)
        && clause
            .body
            .iter()
            .zip(&step.premises)
            .all(|(app, &premise)| {
                let Some(from) = steps.get(premise) else {
                    return false;
                };
                original.clauses[from.clause]
                    .head
                    .as_ref()
                    .is_some_and(|head| head.pred == app.pred)
                    && conclusion(original, from) == arguments(original, app, &step.values)
            })
}
