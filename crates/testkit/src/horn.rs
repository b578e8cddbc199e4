//! Horn clauses over small domains: all that can be derived, by trying all values, and random systems.

use suppose_model::chc::{
    App, Assignment, Clause, Derivation, Horn, Inference, Lin, Pred, Sort, TermId, Terms, Value,
    Var,
};
use suppose_number::{Int, Rat};

use crate::Rng;

/// Everything that can be derived with values in a box.
#[derive(Clone, Debug, Default)]
pub struct Derived {
    /// For each predicate the values derived, in the order found, with the inference.
    pub facts: Vec<Vec<(Vec<Value>, usize)>>,
    /// All inferences; each uses earlier ones.
    pub steps: Vec<Inference>,
    /// Is the last inference one of a query?
    pub violated: bool,
}

/// The values that a variable may have: integers and rationals from `-size` to `size`, whole ones only.
fn domain(sort: Sort, size: i64) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Int | Sort::Real => (-size..=size).map(|n| Value::Num(Rat::from(n))).collect(),
    }
}

/// Derives until nothing new comes or a query is derived. If the clauses themselves bound all variables
/// to the box, this is the verdict.
pub fn derive(horn: &Horn, size: i64) -> Derived {
    let mut found = Derived {
        facts: vec![Vec::new(); horn.predicates.len()],
        ..Derived::default()
    };
    loop {
        let before = found.steps.len();
        for number in 0..horn.clauses.len() {
            apply(horn, number, size, &mut found);
            if found.violated {
                return found;
            }
        }
        if found.steps.len() == before {
            return found;
        }
    }
}

/// All uses of a clause on what is derived.
fn apply(horn: &Horn, number: usize, size: i64, found: &mut Derived) {
    let clause = &horn.clauses[number];
    for values in assignments(horn, clause, size) {
        if found.violated || !values.eval(&horn.terms, clause.constraint) {
            continue;
        }
        let premise = |app: &App| {
            let wanted = arguments(&values, app);
            let facts = &found.facts[app.pred.index()];
            facts
                .iter()
                .find(|(fact, _)| *fact == wanted)
                .map(|(_, step)| *step)
        };
        let Some(premises) = clause
            .body
            .iter()
            .map(premise)
            .collect::<Option<Vec<usize>>>()
        else {
            continue;
        };
        let step = found.steps.len();
        match &clause.head {
            None => found.violated = true,
            Some(head) => {
                let fact = arguments(&values, head);
                let facts = &mut found.facts[head.pred.index()];
                if facts.iter().any(|(old, _)| *old == fact) {
                    continue;
                }
                facts.push((fact, step));
            }
        }
        found.steps.push(Inference {
            clause: number,
            values,
            premises,
        });
    }
}

/// All values of a clause's variables.
pub fn assignments(horn: &Horn, clause: &Clause, size: i64) -> Vec<Assignment> {
    let mut all = vec![Assignment::default()];
    for var in horn.variables(clause) {
        let values = domain(horn.terms.sort(var), size);
        all = all
            .into_iter()
            .flat_map(|assignment| {
                values.iter().map(move |value| {
                    let mut next = assignment.clone();
                    next.set(var, value.clone());
                    next
                })
            })
            .collect();
    }
    all
}

fn arguments(values: &Assignment, app: &App) -> Vec<Value> {
    let value = |var: &Var| values.get(*var).cloned().unwrap_or(Value::Bool(false));
    app.args.iter().map(value).collect()
}

/// The derivation of the query, if one was derived.
pub fn derivation(found: &Derived) -> Option<Derivation> {
    found.violated.then(|| Derivation {
        steps: found.steps.clone(),
    })
}

/// What was derived, as definitions: each predicate is one of its facts.
pub fn definitions(horn: &Horn, terms: &mut Terms, found: &Derived) -> Vec<TermId> {
    let mut all = Vec::new();
    for (predicate, facts) in horn.predicates.iter().zip(&found.facts) {
        let mut cases = Vec::new();
        for (fact, _) in facts {
            let mut parts = Vec::new();
            for (&formal, value) in predicate.formals.iter().zip(fact) {
                parts.push(terms.has_value(formal, value));
            }
            cases.push(terms.and(parts));
        }
        all.push(terms.or(cases));
    }
    all
}

/// The first clause that the definitions make false for some values in the box.
pub fn broken_clause(
    horn: &Horn,
    terms: &Terms,
    definitions: &[TermId],
    size: i64,
) -> Option<usize> {
    let holds = |values: &Assignment, app: &App| {
        let mut inner = Assignment::default();
        for (&formal, value) in horn
            .predicate(app.pred)
            .formals
            .iter()
            .zip(arguments(values, app))
        {
            inner.set(formal, value);
        }
        inner.eval(terms, definitions[app.pred.index()])
    };
    horn.clauses.iter().position(|clause| {
        assignments(horn, clause, size).iter().any(|values| {
            values.eval(&horn.terms, clause.constraint)
                && clause.body.iter().all(|app| holds(values, app))
                && !clause.head.as_ref().is_some_and(|app| holds(values, app))
        })
    })
}

/// The first inference of a derivation that is none, or its length if its last one is no query.
pub fn broken_step(horn: &Horn, derivation: &Derivation) -> Option<usize> {
    let default = |var: &Var| match horn.terms.sort(*var) {
        Sort::Bool => Value::Bool(false),
        _ => Value::Num(Rat::ZERO),
    };
    let at = |values: &Assignment, app: &App| -> Vec<Value> {
        let value = |var: &Var| values.get(*var).cloned().unwrap_or_else(|| default(var));
        app.args.iter().map(value).collect()
    };
    for (number, step) in derivation.steps.iter().enumerate() {
        let clause = &horn.clauses[step.clause];
        let right = step.values.eval(&horn.terms, clause.constraint)
            && step.premises.len() == clause.body.len()
            && clause
                .body
                .iter()
                .zip(&step.premises)
                .all(|(app, &premise)| {
                    let from = &derivation.steps[premise];
                    let head = horn.clauses[from.clause].head.as_ref();
                    premise < number
                        && head.is_some_and(|head| {
                            head.pred == app.pred && at(&from.values, head) == at(&step.values, app)
                        })
                });
        if !right {
            return Some(number);
        }
    }
    let last = derivation.steps.last();
    match last.is_some_and(|step| horn.clauses[step.clause].head.is_none()) {
        true => None,
        false => Some(derivation.steps.len()),
    }
}

/// A random system in which every clause bounds its numbers to `-size..=size`. In some, the first parameter of every
/// predicate is fixed by every clause, as a program counter is.
pub fn random(rng: &mut Rng, size: i64) -> Horn {
    let mut horn = Horn::default();
    let count = rng.between(1, 4);
    for number in 0..count {
        let sorts: Vec<Sort> = (0..rng.below(4))
            .map(|_| {
                if rng.percent(30) {
                    Sort::Bool
                } else {
                    Sort::Int
                }
            })
            .collect();
        horn.add_predicate(&format!("p{number}"), &sorts);
    }
    let counter = rng.percent(60);
    for _ in 0..rng.between(2, 7) {
        random_clause(rng, &mut horn, size, counter);
    }
    // A query, mostly not true of everything.
    let clause = horn.clauses.len();
    random_clause(rng, &mut horn, size, counter);
    horn.clauses[clause].head = None;
    horn
}

fn random_clause(rng: &mut Rng, horn: &mut Horn, size: i64, counter: bool) {
    let mut variables: Vec<Var> = Vec::new();
    let mut places: Vec<(Var, i64)> = Vec::new();
    let mut app = |rng: &mut Rng, horn: &mut Horn| {
        let pred = Pred(rng.below(horn.predicates.len()) as u32);
        let formals = horn.predicate(pred).formals.clone();
        let mut args = Vec::new();
        for (place, formal) in formals.into_iter().enumerate() {
            let sort = horn.terms.sort(formal);
            if counter && place == 0 && sort == Sort::Int {
                let var = horn.terms.fresh("pc", sort);
                places.push((var, rng.below(2) as i64));
                args.push(var);
                continue;
            }
            let same: Vec<Var> = variables
                .iter()
                .copied()
                .filter(|v| horn.terms.sort(*v) == sort)
                .collect();
            let old = rng.pick(&same).copied();
            let reuse = variables.len() >= 5 || rng.percent(40);
            let var = match old {
                Some(var) if reuse => var,
                _ => {
                    let name = format!("v{}", variables.len());
                    let var = horn.terms.fresh(&name, sort);
                    variables.push(var);
                    var
                }
            };
            args.push(var);
        }
        App { pred, args }
    };
    let length = [0, 0, 1, 1, 1, 2][rng.below(6)];
    let body: Vec<App> = (0..length).map(|_| app(rng, horn)).collect();
    let head = rng.percent(90).then(|| app(rng, horn));
    let mut parts = Vec::new();
    for (var, value) in places {
        parts.push(horn.terms.eq(Lin::var(var).plus(-value)));
    }
    for &var in &variables {
        if horn.terms.sort(var) == Sort::Int {
            parts.push(horn.terms.le(Lin::var(var).plus(-size)));
            parts.push(horn.terms.le(Lin::var(var).neg().plus(-size)));
        }
    }
    for _ in 0..rng.below(5) {
        let part = random_formula(rng, &mut horn.terms, &variables, 2);
        parts.push(part);
    }
    let constraint = horn.terms.and(parts);
    horn.clauses.push(Clause {
        body,
        constraint,
        head,
        place: None,
    });
}

fn random_formula(rng: &mut Rng, terms: &mut Terms, variables: &[Var], depth: usize) -> TermId {
    let split: (Vec<Var>, Vec<Var>) = variables
        .iter()
        .partition(|v| terms.sort(**v) == Sort::Bool);
    let (bools, ints) = split;
    if depth > 0 && rng.percent(25) {
        let a = random_formula(rng, terms, variables, depth - 1);
        let b = random_formula(rng, terms, variables, depth - 1);
        return match rng.below(3) {
            0 => terms.or([a, b]),
            1 => terms.iff(a, b),
            _ => terms.not(a),
        };
    }
    if let (Some(&var), true) = (rng.pick(&bools), ints.is_empty() || rng.percent(35)) {
        let itself = terms.var(var);
        let other = match rng.pick(&bools) {
            Some(&other) if rng.percent(40) => terms.var(other),
            _ => Terms::TRUE,
        };
        let same = terms.iff(itself, other);
        return if rng.percent(50) {
            same
        } else {
            terms.not(same)
        };
    }
    let Some(&var) = rng.pick(&ints) else {
        return Terms::TRUE;
    };
    let number = rng.below(3) as i64 - 1;
    let mut lin = Lin::var(var).plus(number);
    if let Some(&other) = rng.pick(&ints).filter(|_| rng.percent(60)) {
        lin = lin.sub(&Lin::var(other));
    }
    match rng.below(10) {
        0..6 => terms.eq(lin),
        6..9 => terms.le(lin),
        _ => terms.divides(&Int::from(2), &lin),
    }
}

/// How many variables a clause has, at most; for a bound on the work of an oracle.
pub fn widest(horn: &Horn) -> usize {
    let widths = horn
        .clauses
        .iter()
        .map(|clause| horn.variables(clause).len());
    widths.max().unwrap_or(0)
}
