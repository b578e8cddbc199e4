//! What names represent.

use suppose_number::Rat;

use super::{Fact, Theory};
use crate::chc::{Assignment, Terms, Value, Var};

/// What one name represents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Structure {
    /// An array: an element for each index.
    Array {
        /// The number of its sort.
        sort: u32,
        /// The element at all other indices.
        default: Vec<Value>,
        /// Indices and their elements, each index once, none of which is the default.
        entries: Vec<(Vec<Value>, Vec<Value>)>,
    },
    /// A value of a datatype.
    Data {
        /// The number of its sort.
        sort: u32,
        /// The constructor.
        constructor: u32,
        /// The parts of its fields.
        fields: Vec<Value>,
    },
}

impl Structure {
    /// The number of its sort.
    pub fn sort(&self) -> u32 {
        match self {
            Structure::Array { sort, .. } | Structure::Data { sort, .. } => *sort,
        }
    }

    /// The element of an array at an index.
    pub fn element(&self, at: &[Value]) -> Option<&[Value]> {
        match self {
            Structure::Array {
                default, entries, ..
            } => Some(
                entries
                    .iter()
                    .find(|(index, _)| index == at)
                    .map_or(default, |(_, element)| element),
            ),
            Structure::Data { .. } => None,
        }
    }
}

/// What the names of a derivation represent: a name is the number of its structure here. Structures refer only
/// to earlier ones, and no two represent the same value. The name of a value of a sort of which nothing is
/// known is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structures {
    /// In order of their names.
    pub all: Vec<Structure>,
}

impl Structures {
    /// The structure that a value names, with its number, if it is one of that sort.
    pub fn named(&self, sort: u32, value: &Value) -> Option<(usize, &Structure)> {
        let number = match value {
            Value::Num(n) if n.is_integer() => usize::try_from(n.num().to_i64()?).ok()?,
            _ => return None,
        };
        let found = self.all.get(number)?;
        (found.sort() == sort).then_some((number, found))
    }
}

impl Theory {
    /// Is a fact true of these values?
    pub fn holds(
        &self,
        terms: &Terms,
        structures: &Structures,
        values: &Assignment,
        fact: &Fact,
    ) -> bool {
        let value = |var: Var| values.value(terms, var);
        let all = |vars: &[Var]| -> Vec<Value> { vars.iter().map(|&v| value(v)).collect() };
        // The structure of a variable, of the sort that its variable has.
        let of = |var: Var| {
            let sort = *self.names.get(&var)?;
            Some(structures.named(sort, &value(var))?.1)
        };
        match fact {
            Fact::Select {
                array,
                index,
                value,
            } => of(*array).and_then(|a| a.element(&all(index))) == Some(&all(value)[..]),
            Fact::Store {
                array,
                index,
                value,
                result,
            } => match (of(*array), of(*result)) {
                (Some(before), Some(after)) => {
                    stored(before, after, &all(index), &all(value)).unwrap_or(false)
                }
                _ => false,
            },
            Fact::Constant {
                sort,
                value,
                result,
            } => match of(*result) {
                Some(Structure::Array {
                    sort: own,
                    default,
                    entries,
                }) => own == sort && entries.is_empty() && *default == all(value),
                _ => false,
            },
            Fact::Make {
                sort,
                constructor,
                fields,
                result,
            } => match of(*result) {
                Some(Structure::Data {
                    sort: own,
                    constructor: by,
                    fields: from,
                }) => own == sort && by == constructor && *from == all(fields),
                _ => false,
            },
            Fact::Tag { data, tag } => match of(*data) {
                Some(Structure::Data { constructor, .. }) => {
                    value(*tag) == Value::Num(Rat::from(i64::from(*constructor)))
                }
                _ => false,
            },
            Fact::Open {
                data,
                constructor,
                fields,
            } => match of(*data) {
                Some(Structure::Data {
                    constructor: by,
                    fields: from,
                    ..
                }) => by != constructor || *from == all(fields),
                _ => false,
            },
            Fact::Proper { tag, constructor } => {
                value(*tag) == Value::Num(Rat::from(i64::from(*constructor)))
            }
        }
    }
}

/// Is the second array the first one with that element at that index?
fn stored(before: &Structure, after: &Structure, at: &[Value], element: &[Value]) -> Option<bool> {
    let (
        Structure::Array {
            default, entries, ..
        },
        Structure::Array {
            default: other,
            entries: others,
            ..
        },
    ) = (before, after)
    else {
        return None;
    };
    let mut listed = entries.iter().chain(others);
    let same = |index: &Vec<Value>| index == at || before.element(index) == after.element(index);
    Some(default == other && after.element(at)? == element && listed.all(|(index, _)| same(index)))
}
