//! Sorts as the user writes them.

use std::fmt;

use rustc_hash::FxHashMap;
use suppose_source::Diagnostic;

use super::sexp::{Form, Id, Name, Sexps};

/// The sort of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sort {
    Bool,
    Int,
    Real,
    /// A bit vector of that width, at least 1.
    Bits(u32),
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "Bool"),
            Sort::Int => write!(f, "Int"),
            Sort::Real => write!(f, "Real"),
            Sort::Bits(width) => write!(f, "(_ BitVec {width})"),
        }
    }
}

/// Bit vectors have at most this many bits.
pub(super) const WIDEST: u32 = 4096;

/// Sorts that the user named.
pub(super) type Aliases = FxHashMap<Name, Sort>;

/// Reads a sort.
pub(super) fn read(
    sexps: &Sexps,
    aliases: &Aliases,
    id: Id,
    text: &str,
) -> Result<Sort, Diagnostic> {
    let span = sexps.span(id);
    if let Some(name) = sexps.symbol(id) {
        return match sexps.text(name) {
            "Bool" => Ok(Sort::Bool),
            "Int" => Ok(Sort::Int),
            "Real" => Ok(Sort::Real),
            word @ ("String" | "RegLan" | "RoundingMode" | "Float32" | "Float64") => Err(
                Diagnostic::error(span, format!("the sort `{word}` is not supported yet"))
                    .label("expected Bool, Int, Real or (_ BitVec n)"),
            ),
            word => match aliases.get(&name) {
                Some(&sort) => Ok(sort),
                None => Err(
                    Diagnostic::error(span, format!("there is no sort `{word}`"))
                        .label("expected Bool, Int, Real or (_ BitVec n)"),
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
        ["Array", ..] => Err(Diagnostic::error(span, "arrays are not supported yet")
            .label("expected Bool, Int, Real or (_ BitVec n)")
            .help("give the predicate one argument for each element that matters")),
        ["_", "FloatingPoint", ..] => Err(Diagnostic::error(
            span,
            "floating-point numbers are not supported yet",
        )
        .label("expected Bool, Int, Real or (_ BitVec n)")),
        _ => Err(Diagnostic::error(span, "this sort is not supported yet")
            .label("expected Bool, Int, Real or (_ BitVec n)")),
    }
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
