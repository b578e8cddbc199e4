//! Derivations from clauses with arrays, recursive datatypes and uninterpreted sorts.
//!
//! # Why an accepted derivation is one
//!
//! Every name in it is the number of a structure, and structures refer to earlier ones only: so each represents
//! a value of its sort. No two of a sort represent the same one: different constructors or fields give different
//! values, and for two arrays there is an index where they differ, one that is listed or, where there are infinitely many
//! indices, one that is not. So two names are equal iff the values are, and a constraint, in which names
//! are only compared, has the truth value it has for the values. Each fact is evaluated. Nothing rests on what is
//! not specified: selectors are only applied to values of their own constructor (`Proper`), and values of sorts
//! of which nothing is known are all the same one, so that the derivation is one for any such sort.

use suppose_model::chc::theory::{Fact, Leaf, NamedSort, Structure, Structures, Theory};
use suppose_model::chc::{Derivation, Horn, Inference, Sort, Value, Var};
use suppose_number::Rat;

use super::derivation::{check_derivation, has_sort};
use crate::rejection::{Place, Rejection};

/// Accepts a derivation if it is one of the clauses with their facts.
pub fn check_structured(
    horn: &Horn,
    theory: &Theory,
    derivation: &Derivation,
    structures: &Structures,
) -> Result<(), Rejection> {
    check_theory(horn, theory).map_err(|why| Rejection::at(Place::System, why))?;
    check_derivation(horn, derivation)?;
    for (number, structure) in structures.all.iter().enumerate() {
        check_structure(theory, structures, number, structure).map_err(|why| {
            let why = format!("structure {number}: {why}");
            Rejection::at(Place::Whole, why)
        })?;
    }
    all_different(theory, structures).map_err(|why| Rejection::at(Place::Whole, why))?;
    for (number, step) in derivation.steps.iter().enumerate() {
        check_facts(horn, theory, structures, step)
            .map_err(|why| Rejection::at(Place::Step(number), why))?;
    }
    Ok(())
}

fn check_theory(horn: &Horn, theory: &Theory) -> Result<(), String> {
    if theory.facts.len() != horn.clauses.len() {
        return Err("there are facts for another number of clauses".to_owned());
    }
    let known = |v: &Var| v.index() < horn.terms.var_count();
    let facts = theory.facts.iter().flatten();
    match facts.flat_map(Fact::variables).all(|v| known(&v)) {
        true => Ok(()),
        false => Err("a fact has an unknown variable".to_owned()),
    }
}

/// Values are of the sorts of these parts; names are below a number.
fn fits(
    theory: &Theory,
    structures: &Structures,
    leaves: &[Leaf],
    values: &[Value],
    below: usize,
) -> bool {
    let one = |(leaf, value): (&Leaf, &Value)| match (leaf.named, leaf.sort, value) {
        (Some(sort), _, value) => match theory.sorts.get(sort as usize) {
            Some(NamedSort::Free) => *value == Value::Num(Rat::ZERO),
            Some(_) => structures
                .named(sort, value)
                .is_some_and(|(number, _)| number < below),
            None => false,
        },
        (None, Sort::Bool, Value::Bool(_)) | (None, Sort::Real, Value::Num(_)) => true,
        (None, Sort::Int, Value::Num(n)) => {
            let top = |count: u32| !n.is_negative() && *n < Rat::from(i64::from(count));
            n.is_integer() && leaf.below.is_none_or(top)
        }
        _ => false,
    };
    leaves.len() == values.len() && leaves.iter().zip(values).all(one)
}

/// A structure is a value of its sort, from earlier ones.
fn check_structure(
    theory: &Theory,
    structures: &Structures,
    number: usize,
    structure: &Structure,
) -> Result<(), String> {
    match structure {
        Structure::Array {
            sort,
            default,
            entries,
        } => {
            let (index, element) = theory.array(*sort).ok_or("it has no sort of arrays")?;
            let fit = |leaves, values: &[Value]| fits(theory, structures, leaves, values, number);
            let each =
                |(at, value): &(Vec<Value>, Vec<Value>)| fit(index, at) && fit(element, value);
            if !fit(element, default) || !entries.iter().all(each) {
                return Err("a part of it is of another sort".to_owned());
            }
            let mut seen = rustc_hash::FxHashSet::default();
            let once = |(at, value): &(Vec<Value>, Vec<Value>)| {
                value != default && seen.insert(at.clone())
            };
            match entries.iter().all(once) {
                true => Ok(()),
                false => Err("an index occurs twice, or has the default".to_owned()),
            }
        }
        Structure::Data {
            sort,
            constructor,
            fields,
        } => {
            let leaves = theory.fields(*sort, *constructor);
            let leaves = leaves.ok_or("there is no such constructor")?;
            match fits(theory, structures, leaves, fields, number) {
                true => Ok(()),
                false => Err("a field of it is of another sort".to_owned()),
            }
        }
    }
}

/// No two structures represent the same value.
fn all_different(theory: &Theory, structures: &Structures) -> Result<(), String> {
    for (number, structure) in structures.all.iter().enumerate() {
        let mut before = structures.all[..number].iter();
        if let Some(other) = before.position(|other| !different(theory, other, structure)) {
            return Err(format!("structures {other} and {number} may be the same"));
        }
    }
    Ok(())
}

fn different(theory: &Theory, a: &Structure, b: &Structure) -> bool {
    match (a, b) {
        _ if a.sort() != b.sort() => true,
        (
            Structure::Array {
                sort,
                default,
                entries,
            },
            Structure::Array {
                default: other,
                entries: others,
                ..
            },
        ) => {
            let index = theory.array(*sort).map_or(&[][..], |(index, _)| index);
            let infinite = index.iter().any(|leaf| {
                leaf.named.is_none() && leaf.below.is_none() && leaf.sort != Sort::Bool
            });
            let mut listed = entries.iter().chain(others);
            (infinite && default != other) || listed.any(|(at, _)| a.element(at) != b.element(at))
        }
        _ => a != b,
    }
}

fn check_facts(
    horn: &Horn,
    theory: &Theory,
    structures: &Structures,
    step: &Inference,
) -> Result<(), String> {
    let facts = &theory.facts[step.clause];
    let mut variables = horn.variables(&horn.clauses[step.clause]);
    variables.extend(facts.iter().flat_map(Fact::variables));
    for var in variables {
        if !has_sort(horn, &step.values, var) {
            let name = horn.terms.name(var);
            return Err(format!("the value of `{name}` is not one of its sort"));
        }
        let free = theory
            .names
            .get(&var)
            .map(|sort| theory.sorts.get(*sort as usize));
        if free == Some(Some(&NamedSort::Free)) && !step.values.number(var).is_zero() {
            return Err("values of a sort of which nothing is known differ".to_owned());
        }
    }
    for fact in facts {
        if !theory.holds(&horn.terms, structures, &step.values, fact) {
            return Err(format!("its values do not satisfy {fact:?}"));
        }
    }
    Ok(())
}
