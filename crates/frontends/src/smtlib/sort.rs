//! Sorts as the user writes them.

use std::cell::RefCell;
use std::fmt;

use rustc_hash::FxHashMap;
use suppose_source::{Diagnostic, Span};

use super::sexp::{Form, Id, Name, Sexps};

/// The sort of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sort {
    Bool,
    Int,
    Real,
    /// A bit vector of that width, at least 1.
    Bits(u32),
    /// An array, by its number in [`Sorts::arrays`].
    Array(u32),
    /// A datatype, by its number in [`Sorts::datatypes`].
    Data(u32),
    /// Declared by `declare-sort`, by its number.
    Free(u32),
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "Bool"),
            Sort::Int => write!(f, "Int"),
            Sort::Real => write!(f, "Real"),
            Sort::Bits(width) => write!(f, "(_ BitVec {width})"),
            Sort::Array(number) => write!(f, "(Array ...) no. {}", number + 1),
            Sort::Data(number) => write!(f, "datatype no. {}", number + 1),
            Sort::Free(number) => write!(f, "declared sort no. {}", number + 1),
        }
    }
}

/// Bit vectors have at most this many bits.
pub(super) const WIDEST: u32 = 4096;

/// A constructor of a datatype.
#[derive(Clone, Debug)]
pub(super) struct Constructor {
    pub(super) name: Name,
    pub(super) fields: Vec<(Name, Sort)>,
}

/// A datatype.
#[derive(Clone, Debug)]
pub(super) struct Datatype {
    pub(super) name: Name,
    pub(super) constructors: Vec<Constructor>,
    /// Its values can contain values of the same datatype.
    pub(super) recursive: bool,
}

/// The sorts that the user named or made.
#[derive(Debug, Default)]
pub(super) struct Sorts {
    pub(super) named: FxHashMap<Name, Sort>,
    /// Index and element.
    pub(super) arrays: RefCell<Vec<(Sort, Sort)>>,
    pub(super) datatypes: Vec<Datatype>,
    pub(super) free: u32,
    /// Sorts whose values have names, in the order of their first use.
    numbers: RefCell<Vec<Sort>>,
}

impl Sorts {
    /// The number of a sort whose values have names.
    pub(super) fn number(&self, sort: Sort) -> u32 {
        let mut numbers = self.numbers.borrow_mut();
        let found = numbers.iter().position(|s| *s == sort);
        let number = found.unwrap_or_else(|| {
            numbers.push(sort);
            numbers.len() - 1
        });
        number as u32
    }

    /// The sort with that number.
    pub(super) fn numbered(&self, number: usize) -> Option<Sort> {
        self.numbers.borrow().get(number).copied()
    }

    fn array(&self, index: Sort, element: Sort) -> Sort {
        let mut arrays = self.arrays.borrow_mut();
        let found = arrays.iter().position(|a| *a == (index, element));
        let number = found.unwrap_or_else(|| {
            arrays.push((index, element));
            arrays.len() - 1
        });
        Sort::Array(number as u32)
    }

    /// As the user wrote it.
    pub(super) fn shown(&self, sexps: &Sexps, sort: Sort) -> String {
        match sort {
            Sort::Array(number) => {
                let pair = self.arrays.borrow().get(number as usize).copied();
                let (index, element) = pair.unwrap_or((Sort::Int, Sort::Int));
                let (index, element) = (self.shown(sexps, index), self.shown(sexps, element));
                format!("(Array {index} {element})")
            }
            Sort::Data(number) => {
                let data = &self.datatypes[number as usize];
                sexps.text(data.name).to_owned()
            }
            Sort::Free(_) => {
                let named = self.named.iter().filter(|(_, known)| **known == sort);
                let first = named.map(|(name, _)| sexps.text(*name)).min();
                first.map_or_else(|| sort.to_string(), str::to_owned)
            }
            plain => plain.to_string(),
        }
    }
}

const EXPECTED: &str = "expected Bool, Int, Real, (_ BitVec n), (Array s t) or a declared sort";

/// Sorts are nested at most this deeply.
const DEEPEST: u32 = 50;

/// Reads a sort.
pub(super) fn read(sexps: &Sexps, sorts: &Sorts, id: Id, text: &str) -> Result<Sort, Diagnostic> {
    read_at(sexps, sorts, id, text, DEEPEST)
}

fn read_at(
    sexps: &Sexps,
    sorts: &Sorts,
    id: Id,
    text: &str,
    left: u32,
) -> Result<Sort, Diagnostic> {
    let span = sexps.span(id);
    if let Some(name) = sexps.symbol(id) {
        return match sexps.text(name) {
            "Bool" => Ok(Sort::Bool),
            "Int" => Ok(Sort::Int),
            "Real" => Ok(Sort::Real),
            word @ ("String" | "RegLan" | "RoundingMode" | "Float32" | "Float64") => {
                Err(not_yet(span, &format!("the sort `{word}` is")))
            }
            word => match sorts.named.get(&name) {
                Some(&sort) => Ok(sort),
                None => Err(
                    Diagnostic::error(span, format!("there is no sort `{word}`")).label(EXPECTED),
                ),
            },
        };
    }
    let parts = sexps.list(id);
    let words: Vec<&str> = parts.iter().map(|&p| sexps.word(p).unwrap_or("")).collect();
    match words.as_slice() {
        ["_", "BitVec", _] => {
            let width = small_number(sexps, parts[2], text).filter(|w| (1..=WIDEST).contains(w));
            width.map(Sort::Bits).ok_or_else(|| {
                Diagnostic::error(sexps.span(parts[2]), "this is not a bit-vector width")
                    .label(format!("expected a number from 1 to {WIDEST}"))
            })
        }
        ["Array", _, _] if left == 0 => Err(not_yet(span, "arrays nested that deeply are")),
        ["Array", _, _] => {
            let index = read_at(sexps, sorts, parts[1], text, left - 1)?;
            let element = read_at(sexps, sorts, parts[2], text, left - 1)?;
            for (sort, part) in [(index, parts[1]), (element, parts[2])] {
                if tagged(sorts, sort) {
                    let what = "arrays of a datatype with several constructors and fields are";
                    return Err(not_yet(sexps.span(part), what));
                }
            }
            Ok(sorts.array(index, element))
        }
        ["Array", ..] => Err(Diagnostic::error(span, "this array sort is not complete")
            .label("expected `(Array index element)`")),
        ["_", "FloatingPoint", ..] => Err(not_yet(span, "floating-point numbers are")),
        _ => Err(not_yet(span, "this sort is")),
    }
}

fn not_yet(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(span, format!("{what} not supported yet")).label(EXPECTED)
}

/// Does a value of that sort have parts that depend on the constructor it is made by?
pub(super) fn tagged(sorts: &Sorts, sort: Sort) -> bool {
    let Sort::Data(number) = sort else {
        return false;
    };
    let data = &sorts.datatypes[number as usize];
    let mut fields = data.constructors.iter().flat_map(|c| &c.fields);
    let several = data.constructors.len() > 1;
    !data.recursive && fields.any(|f| several || tagged(sorts, f.1))
}

/// A numeral that fits.
pub(super) fn small_number(sexps: &Sexps, id: Id, text: &str) -> Option<u32> {
    if sexps.form(id) != Form::Numeral {
        return None;
    }
    let span = sexps.span(id);
    text.get(span.start as usize..span.end as usize)?
        .parse()
        .ok()
}
