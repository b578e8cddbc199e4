//! The table of formulas that definitions and proofs share.
//!
//! A formula is written as a signed integer: the number of a row, negated for the negation. Number 1 is true,
//! and the rows of the table follow from 2 on. Some rows declare a variable instead.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use serde::de::{Error, SeqAccess};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use suppose_model::chc::{Lin, Lit, Node, Sort, TermId, Terms, Var};

use super::number::Whole;
use crate::file::object::{List, ReadList};

/// What rows begin with.
const VAR: &str = "v";
const AND: &str = "and";
const OR: &str = "or";
const IFF: &str = "iff";
const LE: &str = "<=";
const LT: &str = "<";
const EQ: &str = "=";
const DIVIDES: &str = "|";
const QUOTIENT: &str = "quotient";
const FRESH: &str = "new";

fn sort_name(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "Bool",
        Sort::Int => "Int",
        Sort::Real => "Real",
    }
}

/// Numbers for the formulas and variables of a store that a file is to have.
pub(super) struct Numbers<'a> {
    terms: &'a Terms,
    /// Variables below this one are the system's and keep their numbers.
    own: usize,
    formulas: FxHashMap<TermId, i64>,
    variables: FxHashMap<Var, usize>,
    rows: Vec<Row>,
}

enum Row {
    Formula(TermId),
    Quotient(TermId),
    Fresh(Sort),
}

impl<'a> Numbers<'a> {
    /// For those formulas and all that they are made of. In order of their numbers: so the parts of a formula
    /// come before it, and a quotient's atom before the formulas that have the quotient.
    pub fn new(terms: &'a Terms, own: usize, roots: &[TermId]) -> Self {
        let mut numbers = Numbers {
            terms,
            own,
            formulas: FxHashMap::default(),
            variables: FxHashMap::default(),
            rows: Vec::new(),
        };
        for term in numbers.reachable(roots) {
            numbers.push(term);
        }
        numbers
    }

    fn reachable(&self, roots: &[TermId]) -> BTreeSet<TermId> {
        let mut found = BTreeSet::new();
        let mut open: Vec<TermId> = roots.to_vec();
        while let Some(term) = open.pop() {
            if !found.insert(term) {
                continue;
            }
            if let Node::Iff(a, b) = self.terms.node(term) {
                open.extend([*a, *b]);
            }
            open.extend_from_slice(self.terms.children(term));
            let quotients = self.variables_of(term);
            open.extend(
                quotients
                    .into_iter()
                    .filter_map(|v| self.terms.quotient_of(v)),
            );
        }
        found
    }

    /// Those that are not the system's.
    fn variables_of(&self, term: TermId) -> Vec<Var> {
        let mut all: Vec<Var> = match self.terms.node(term) {
            Node::Var(var) => vec![*var],
            Node::Le(lin) | Node::Lt(lin) | Node::Eq(lin) | Node::Divides(_, lin) => {
                lin.terms.iter().map(|(v, _)| *v).collect()
            }
            _ => Vec::new(),
        };
        all.retain(|v| v.index() >= self.own);
        all
    }

    fn push(&mut self, term: TermId) {
        if matches!(self.terms.node(term), Node::Const(_) | Node::Not(_)) {
            return;
        }
        for var in self.variables_of(term) {
            if !self.variables.contains_key(&var) {
                self.variables.insert(var, self.own + self.variables.len());
                self.rows.push(match self.terms.quotient_of(var) {
                    Some(atom) => Row::Quotient(atom),
                    None => Row::Fresh(self.terms.sort(var)),
                });
            }
        }
        self.formulas.insert(term, self.rows.len() as i64 + 2);
        self.rows.push(Row::Formula(term));
    }

    /// A formula that is in the table, or its negation.
    pub fn formula(&self, term: TermId) -> i64 {
        self.literal(self.terms.literal(term))
    }

    pub fn literal(&self, lit: Lit) -> i64 {
        let number = match lit.atom {
            Terms::TRUE => 1,
            Terms::FALSE => -1,
            atom => self.formulas[&atom],
        };
        if lit.positive { number } else { -number }
    }

    /// The rows, each to be written by itself.
    pub fn rows(&self) -> impl Iterator<Item = impl Serialize> {
        self.rows.iter().map(|row| RowText { row, numbers: self })
    }

    fn variable(&self, var: Var) -> usize {
        self.variables.get(&var).copied().unwrap_or(var.index())
    }
}

struct RowText<'a> {
    row: &'a Row,
    numbers: &'a Numbers<'a>,
}

impl Serialize for RowText<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let numbers = self.numbers;
        let mut list = to.serialize_seq(None)?;
        match self.row {
            Row::Quotient(atom) => {
                list.serialize_element(QUOTIENT)?;
                list.serialize_element(&numbers.formula(*atom))?;
            }
            Row::Fresh(sort) => {
                list.serialize_element(FRESH)?;
                list.serialize_element(sort_name(*sort))?;
            }
            Row::Formula(term) => match numbers.terms.node(*term) {
                Node::Const(_) | Node::Not(_) => {}
                Node::Var(var) => {
                    list.serialize_element(VAR)?;
                    list.serialize_element(&numbers.variable(*var))?;
                }
                Node::And(parts) => write_parts(&mut list, numbers, AND, parts)?,
                Node::Or(parts) => write_parts(&mut list, numbers, OR, parts)?,
                Node::Iff(a, b) => write_parts(&mut list, numbers, IFF, &[*a, *b])?,
                Node::Le(lin) => write_lin(&mut list, numbers, LE, lin)?,
                Node::Lt(lin) => write_lin(&mut list, numbers, LT, lin)?,
                Node::Eq(lin) => write_lin(&mut list, numbers, EQ, lin)?,
                Node::Divides(d, lin) => {
                    list.serialize_element(DIVIDES)?;
                    list.serialize_element(&Whole(d.clone()))?;
                    write_sum(&mut list, numbers, lin)?;
                }
            },
        }
        list.end()
    }
}

fn write_parts<S: SerializeSeq>(
    list: &mut S,
    numbers: &Numbers,
    kind: &str,
    parts: &[TermId],
) -> Result<(), S::Error> {
    list.serialize_element(kind)?;
    for &part in parts {
        list.serialize_element(&numbers.formula(part))?;
    }
    Ok(())
}

fn write_lin<S: SerializeSeq>(
    list: &mut S,
    numbers: &Numbers,
    kind: &str,
    lin: &Lin,
) -> Result<(), S::Error> {
    list.serialize_element(kind)?;
    write_sum(list, numbers, lin)
}

/// The constant, then each variable with its factor.
fn write_sum<S: SerializeSeq>(list: &mut S, numbers: &Numbers, lin: &Lin) -> Result<(), S::Error> {
    list.serialize_element(&Whole(lin.constant.clone()))?;
    for (var, factor) in &lin.terms {
        list.serialize_element(&numbers.variable(*var))?;
        list.serialize_element(&Whole(factor.clone()))?;
    }
    Ok(())
}

/// The formulas of a file, as they are read.
pub(super) struct Table {
    pub terms: Terms,
    /// What a row represents; none if it declares a variable.
    rows: Vec<Option<TermId>>,
    /// How many rows and steps may still come.
    pub left: u64,
}

impl Table {
    pub fn new(terms: Terms, left: u64) -> Self {
        Table {
            terms,
            rows: Vec::new(),
            left,
        }
    }

    pub fn spend(&mut self) -> Result<(), &'static str> {
        self.left = self.left.checked_sub(1).ok_or("the file is too large")?;
        Ok(())
    }

    /// What a signed number represents.
    pub fn formula(&mut self, number: i64) -> Result<TermId, String> {
        let row = match number.unsigned_abs() {
            0 => None,
            1 => Some(Terms::TRUE),
            n => usize::try_from(n - 2).ok().and_then(|n| *self.rows.get(n)?),
        };
        let term = row.ok_or_else(|| format!("there is no formula {number}"))?;
        Ok(if number < 0 {
            self.terms.not(term)
        } else {
            term
        })
    }

    pub fn literal(&mut self, number: i64) -> Result<Lit, String> {
        let term = self.formula(number)?;
        Ok(self.terms.literal(term))
    }

    fn variable(&self, number: u32) -> Result<Var, String> {
        match (number as usize) < self.terms.var_count() {
            true => Ok(Var(number)),
            false => Err(format!("there is no variable {number}")),
        }
    }

    fn sort(&self, var: Var, fits: impl Fn(Sort) -> bool) -> Result<(), String> {
        match fits(self.terms.sort(var)) {
            true => Ok(()),
            false => Err(format!("variable {} has the wrong sort here", var.0)),
        }
    }
}

/// Reads all rows into a table.
pub(super) struct Rows<'a>(pub &'a mut Table);

impl<'de> ReadList<'de> for Rows<'_> {
    type Value = ();
    const WHAT: &'static str = "a list of formulas";

    fn read<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while let Some(row) = items.next_element_seed(List(ReadRow(self.0)))? {
            self.0.rows.push(row);
            self.0.spend().map_err(A::Error::custom)?;
        }
        Ok(())
    }
}

struct ReadRow<'a>(&'a mut Table);

impl<'de> ReadList<'de> for ReadRow<'_> {
    type Value = Option<TermId>;
    const WHAT: &'static str = "a formula";

    fn read<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let table = self.0;
        let kind: String = next(&mut items)?;
        let term = match kind.as_str() {
            VAR => {
                let var = table
                    .variable(next(&mut items)?)
                    .map_err(A::Error::custom)?;
                table
                    .sort(var, |s| s == Sort::Bool)
                    .map_err(A::Error::custom)?;
                table.terms.var(var)
            }
            AND | OR | IFF => {
                let parts = read_parts(table, &mut items)?;
                match (kind.as_str(), &parts[..]) {
                    (AND, _) => table.terms.and(parts),
                    (OR, _) => table.terms.or(parts),
                    (_, &[a, b]) => table.terms.iff(a, b),
                    _ => return Err(A::Error::custom("`iff` has two parts")),
                }
            }
            LE | LT | EQ => {
                let lin = read_sum(table, &mut items, |sort| sort != Sort::Bool)?;
                match kind.as_str() {
                    LE => table.terms.le(lin),
                    LT => table.terms.lt(lin),
                    _ => table.terms.eq(lin),
                }
            }
            DIVIDES => {
                let Whole(divisor) = next(&mut items)?;
                if !divisor.is_positive() {
                    return Err(A::Error::custom("a divisor must be positive"));
                }
                let lin = read_sum(table, &mut items, |sort| sort == Sort::Int)?;
                table.terms.divides(&divisor, &lin)
            }
            QUOTIENT | FRESH => {
                declare(table, &kind, &mut items)?;
                return end(&mut items).map(|()| None);
            }
            _ => return Err(A::Error::custom(format!("`{kind}` is no kind of formula"))),
        };
        end(&mut items)?;
        Ok(Some(term))
    }
}

/// A new variable, which gets the next number.
fn declare<'de, A: SeqAccess<'de>>(
    table: &mut Table,
    kind: &str,
    items: &mut A,
) -> Result<(), A::Error> {
    if kind == FRESH {
        let name: String = next(items)?;
        let sorts = [Sort::Bool, Sort::Int, Sort::Real];
        let sort = sorts.into_iter().find(|&s| sort_name(s) == name);
        let sort = sort.ok_or_else(|| A::Error::custom(format!("there is no sort `{name}`")))?;
        table.terms.fresh("new", sort);
        return Ok(());
    }
    let atom = table.formula(next(items)?).map_err(A::Error::custom)?;
    if !matches!(table.terms.node(atom), Node::Divides(..)) {
        return Err(A::Error::custom("only divisibility has a quotient"));
    }
    let before = table.terms.var_count();
    match table.terms.quotient(atom).index() == before {
        true => Ok(()),
        false => Err(A::Error::custom("the quotient is declared twice")),
    }
}

fn next<'de, A: SeqAccess<'de>, T: serde::Deserialize<'de>>(items: &mut A) -> Result<T, A::Error> {
    let item = items.next_element()?;
    item.ok_or_else(|| A::Error::custom("the list is too short"))
}

fn end<'de, A: SeqAccess<'de>>(items: &mut A) -> Result<(), A::Error> {
    match items.next_element::<serde::de::IgnoredAny>()? {
        Some(_) => Err(A::Error::custom("the list is too long")),
        None => Ok(()),
    }
}

fn read_parts<'de, A: SeqAccess<'de>>(
    table: &mut Table,
    items: &mut A,
) -> Result<Vec<TermId>, A::Error> {
    let mut parts = Vec::new();
    while let Some(number) = items.next_element()? {
        parts.push(table.formula(number).map_err(A::Error::custom)?);
    }
    Ok(parts)
}

fn read_sum<'de, A: SeqAccess<'de>>(
    table: &Table,
    items: &mut A,
    fits: impl Fn(Sort) -> bool,
) -> Result<Lin, A::Error> {
    let Whole(constant) = next(items)?;
    let mut lin = Lin::constant(constant);
    while let Some(number) = items.next_element()? {
        let var = table.variable(number).map_err(A::Error::custom)?;
        table.sort(var, &fits).map_err(A::Error::custom)?;
        let Whole(factor) = next(items)?;
        let in_order = lin.terms.last().is_none_or(|(last, _)| *last < var);
        if !in_order || factor.is_zero() {
            return Err(A::Error::custom(
                "the variables of a sum must be in order, with factors that are not 0",
            ));
        }
        lin.terms.push((var, factor));
    }
    Ok(lin)
}
