//! Derivations with values.

use suppose_model::chc::{Assignment, Derivation, Horn, Inference, Sort, Value, Var};

use super::check_system;
use crate::rejection::{Place, Rejection};

/// Accepts a derivation if each of its inferences follows from a clause and earlier inferences, and the
/// last one is of a query.
pub fn check_derivation(horn: &Horn, derivation: &Derivation) -> Result<(), Rejection> {
    check_system(horn)?;
    for (number, step) in derivation.steps.iter().enumerate() {
        check_step(horn, &derivation.steps[..number], step)
            .map_err(|why| Rejection::at(Place::Step(number), why))?;
    }
    let last = derivation.steps.last();
    match last.map(|step| &horn.clauses[step.clause].head) {
        Some(None) => Ok(()),
        Some(Some(_)) => Err(Rejection::at(Place::Whole, "it does not end with a query")),
        None => Err(Rejection::at(Place::Whole, "it has no steps")),
    }
}

fn check_step(horn: &Horn, earlier: &[Inference], step: &Inference) -> Result<(), String> {
    let clause = horn
        .clauses
        .get(step.clause)
        .ok_or("there is no such clause")?;
    for var in horn.variables(clause) {
        if !has_sort(horn, &step.values, var) {
            let name = horn.terms.name(var);
            return Err(format!("the value of `{name}` is not one of its sort"));
        }
    }
    if !step.values.eval(&horn.terms, clause.constraint) {
        return Err("its values do not satisfy the clause's constraint".to_owned());
    }
    if step.premises.len() != clause.body.len() {
        return Err(format!("it has {} premises", step.premises.len()));
    }
    for (app, &premise) in clause.body.iter().zip(&step.premises) {
        let inference = earlier
            .get(premise)
            .ok_or("a premise is not an earlier step")?;
        let head = horn.clauses[inference.clause].head.as_ref();
        let head = head.filter(|head| head.pred == app.pred);
        let head = head.ok_or("a premise is about another predicate")?;
        let mut pairs = head.args.iter().zip(&app.args);
        let same = |(there, here): (&Var, &Var)| {
            value(horn, &inference.values, *there) == value(horn, &step.values, *here)
        };
        if !pairs.all(same) {
            let name = &horn.predicate(app.pred).name;
            return Err(format!("a premise gives other values to `{name}`"));
        }
    }
    Ok(())
}

pub(super) fn has_sort(horn: &Horn, values: &Assignment, var: Var) -> bool {
    match (values.get(var), horn.terms.sort(var)) {
        (None, _) | (Some(Value::Bool(_)), Sort::Bool) | (Some(Value::Num(_)), Sort::Real) => true,
        (Some(Value::Num(n)), Sort::Int) => n.is_integer(),
        _ => false,
    }
}

/// The value, also of a variable without one.
fn value(horn: &Horn, values: &Assignment, var: Var) -> Value {
    match horn.terms.sort(var) {
        Sort::Bool => Value::Bool(values.truth(var)),
        Sort::Int | Sort::Real => Value::Num(values.number(var)),
    }
}
