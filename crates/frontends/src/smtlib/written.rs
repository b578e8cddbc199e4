//! Values as they are declared, and their parts: where the way back from clauses to the user's sorts begins.

use suppose_model::chc::symbol;

use super::sexp::Sexps;
use super::sort::{Sort, Sorts};
use super::structured::is_named;

/// For each part of a value of that sort, in the order of `structured::leaves`, the term that has it; none where the part is
/// a name for a value that has no parts.
pub(super) fn parts(sorts: &Sorts, sexps: &Sexps, sort: Sort, value: &str) -> Vec<Option<String>> {
    let mut into = Vec::new();
    collect(sorts, sexps, sort, value, &mut into);
    into
}

fn collect(sorts: &Sorts, sexps: &Sexps, sort: Sort, value: &str, into: &mut Vec<Option<String>>) {
    match sort {
        _ if is_named(sorts, sort) => into.push(None),
        Sort::Bool | Sort::Int | Sort::Real => into.push(Some(value.to_owned())),
        Sort::Bits(width) => into.extend(
            (0..width).map(|place| Some(format!("(= ((_ extract {place} {place}) {value}) #b1)"))),
        ),
        Sort::Data(number) => {
            let data = &sorts.datatypes[number as usize];
            let tester = |name: &str| format!("((_ is {name}) {value})");
            let names: Vec<String> = data
                .constructors
                .iter()
                .map(|c| symbol(sexps.text(c.name)))
                .collect();
            if let [first @ .., _] = &names[..]
                && !first.is_empty()
            {
                let last = first.len().to_string();
                let number = first
                    .iter()
                    .enumerate()
                    .rev()
                    .fold(last, |rest, (i, name)| {
                        format!("(ite {} {i} {rest})", tester(name))
                    });
                into.push(Some(number));
            }
            for (constructor, name) in data.constructors.iter().zip(&names) {
                for (selector, field) in &constructor.fields {
                    let selected = format!("({} {value})", symbol(sexps.text(*selector)));
                    let begin = into.len();
                    collect(sorts, sexps, *field, &selected, into);
                    if names.len() > 1 {
                        let mut nothing = Vec::new();
                        zeros(sorts, *field, &mut nothing);
                        for (part, zero) in into[begin..].iter_mut().zip(nothing) {
                            *part = part
                                .take()
                                .map(|part| format!("(ite {} {part} {zero})", tester(name)));
                        }
                    }
                }
            }
        }
        Sort::Array(_) | Sort::Free(_) => {}
    }
}

/// The parts of a field that its value does not have.
fn zeros(sorts: &Sorts, sort: Sort, into: &mut Vec<&'static str>) {
    match sort {
        _ if is_named(sorts, sort) => into.push("0"),
        Sort::Bool => into.push("false"),
        Sort::Int => into.push("0"),
        Sort::Real => into.push("0.0"),
        Sort::Bits(width) => into.extend((0..width).map(|_| "false")),
        Sort::Data(number) => {
            let data = &sorts.datatypes[number as usize];
            if data.constructors.len() > 1 {
                into.push("0");
            }
            for (_, field) in data.constructors.iter().flat_map(|c| &c.fields) {
                zeros(sorts, *field, into);
            }
        }
        Sort::Array(_) | Sort::Free(_) => {}
    }
}
