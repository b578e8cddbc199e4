//! Arrays, recursive datatypes and uninterpreted sorts in Horn clauses.
//!
//! The clauses of such a system are a [`Horn`] in which every value of such a sort is a number, its *name*, and
//! a [`Theory`]: for each clause the [`Fact`]s that relate these names. A name only says which values are
//! equal: a system without its facts allows more than the user wrote, never less.
//!
//! - [`resolved`] removes predicates by resolution;
//! - [`scalar`] replaces facts by consequences of them that are formulas, which gives plain clauses that can only
//!   be violated more often;
//! - [`Structures`] says what the names of a derivation represent, so that facts can be evaluated.

mod classes;
mod instances;
mod resolve;
mod scalar;
mod structures;
mod tidy;

/// The name of a field that a value does not have, because it is made by another constructor.
pub const NOTHING: i64 = -1;

use rustc_hash::FxHashMap;

use super::{Horn, Sort, Var};

pub use classes::name_equations;
pub use instances::{Instances, Read};
pub use resolve::{Resolved, Tree, resolved};
pub use scalar::{SHAPES, Scalar, Shape, scalar};
pub use structures::{Structure, Structures};

/// A part of a value: a value of a plain sort, or a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Leaf {
    /// The sort of its variable.
    pub sort: Sort,
    /// Of a name: the number of its sort in [`Theory::sorts`].
    pub named: Option<u32>,
    /// Of the number of a constructor: how many there are.
    pub below: Option<u32>,
}

/// A sort whose values have names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedSort {
    /// From indices to elements.
    Array {
        /// The parts of an index.
        index: Vec<Leaf>,
        /// The parts of an element.
        element: Vec<Leaf>,
    },
    /// A datatype: for each constructor its name and the parts of its fields.
    Data(Vec<(String, Vec<Leaf>)>),
    /// Uninterpreted.
    Free,
}

/// A constraint on the names in one clause. The last part is a function of the others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// `value` is the element of `array` at `index`.
    Select {
        /// The array.
        array: Var,
        /// The parts of the index.
        index: Vec<Var>,
        /// The parts of the element.
        value: Vec<Var>,
    },
    /// `result` is `array` with `value` at `index`.
    Store {
        /// The array.
        array: Var,
        /// The parts of the index.
        index: Vec<Var>,
        /// The parts of the element.
        value: Vec<Var>,
        /// The new array.
        result: Var,
    },
    /// `result` has `value` everywhere.
    Constant {
        /// The number of the array's sort.
        sort: u32,
        /// The parts of the element.
        value: Vec<Var>,
        /// The array.
        result: Var,
    },
    /// `result` is made by that constructor from `fields`.
    Make {
        /// The number of the datatype's sort.
        sort: u32,
        /// Which constructor.
        constructor: u32,
        /// The parts of its fields.
        fields: Vec<Var>,
        /// The value.
        result: Var,
    },
    /// `tag` is the number of the constructor of `data`.
    Tag {
        /// The value.
        data: Var,
        /// The number.
        tag: Var,
    },
    /// If `data` is made by that constructor, then from `fields`; otherwise these can be anything.
    Open {
        /// The value.
        data: Var,
        /// Which constructor.
        constructor: u32,
        /// The parts of its fields.
        fields: Vec<Var>,
    },
    /// The variable must have this value in a derivation: a selector is applied to a value of another
    /// constructor otherwise, and what that gives is not specified. Nothing follows from it.
    Proper {
        /// The number of a constructor.
        tag: Var,
        /// The one that has the selector.
        constructor: u32,
    },
}

impl Fact {
    /// All its variables.
    pub fn variables(&self) -> Vec<Var> {
        let mut all = Vec::new();
        self.clone().map(&mut |var| {
            all.push(var);
            var
        });
        all
    }

    /// The same of other variables.
    pub fn map(self, to: &mut impl FnMut(Var) -> Var) -> Fact {
        fn each(list: Vec<Var>, to: &mut impl FnMut(Var) -> Var) -> Vec<Var> {
            list.into_iter().map(to).collect()
        }
        match self {
            Fact::Select {
                array,
                index,
                value,
            } => Fact::Select {
                array: to(array),
                index: each(index, to),
                value: each(value, to),
            },
            Fact::Store {
                array,
                index,
                value,
                result,
            } => Fact::Store {
                array: to(array),
                index: each(index, to),
                value: each(value, to),
                result: to(result),
            },
            Fact::Constant {
                sort,
                value,
                result,
            } => Fact::Constant {
                sort,
                value: each(value, to),
                result: to(result),
            },
            Fact::Make {
                sort,
                constructor,
                fields,
                result,
            } => Fact::Make {
                sort,
                constructor,
                fields: each(fields, to),
                result: to(result),
            },
            Fact::Tag { data, tag } => Fact::Tag {
                data: to(data),
                tag: to(tag),
            },
            Fact::Open {
                data,
                constructor,
                fields,
            } => Fact::Open {
                data: to(data),
                constructor,
                fields: each(fields, to),
            },
            Fact::Proper { tag, constructor } => Fact::Proper {
                tag: to(tag),
                constructor,
            },
        }
    }
}

/// The meaning of the names in a system of clauses.
#[derive(Clone, Debug, Default)]
pub struct Theory {
    /// The sorts of names.
    pub sorts: Vec<NamedSort>,
    /// Which variables of the system are names, and of which sort.
    pub names: FxHashMap<Var, u32>,
    /// For each clause what relates its names.
    pub facts: Vec<Vec<Fact>>,
}

impl Theory {
    /// The leaf that a variable is.
    pub fn leaf(&self, horn: &Horn, var: Var) -> Leaf {
        Leaf {
            sort: horn.terms.sort(var),
            named: self.names.get(&var).copied(),
            below: None,
        }
    }

    /// Notes all variables that must be names because of where they occur.
    pub fn complete_names(&mut self, horn: &Horn) {
        loop {
            let before = self.names.len();
            self.more_names(horn);
            if self.names.len() == before {
                return;
            }
        }
    }

    fn more_names(&mut self, horn: &Horn) {
        for (clause, facts) in horn.clauses.iter().zip(&self.facts) {
            let mut found: Vec<(Var, u32)> = Vec::new();
            for app in clause.body.iter().chain(&clause.head) {
                let formals = horn.predicate(app.pred).formals.iter();
                for (formal, arg) in formals.zip(&app.args) {
                    found.extend(self.names.get(formal).map(|&sort| (*arg, sort)));
                }
            }
            let mut leaves = |vars: &[Var], leaves: &[Leaf]| {
                let pairs = vars.iter().zip(leaves);
                found.extend(pairs.filter_map(|(v, leaf)| leaf.named.map(|sort| (*v, sort))));
            };
            for fact in facts {
                match fact {
                    Fact::Select {
                        array,
                        index,
                        value,
                    }
                    | Fact::Store {
                        array,
                        index,
                        value,
                        ..
                    } => {
                        let sort = self.names.get(array).copied().unwrap_or(u32::MAX);
                        if let Some((i, e)) = self.array(sort) {
                            leaves(index, i);
                            leaves(value, e);
                        }
                    }
                    Fact::Constant { sort, value, .. } => {
                        if let Some((_, e)) = self.array(*sort) {
                            leaves(value, e);
                        }
                    }
                    Fact::Make {
                        sort,
                        constructor,
                        fields,
                        ..
                    } => leaves(fields, self.fields(*sort, *constructor).unwrap_or(&[])),
                    Fact::Open {
                        data,
                        constructor,
                        fields,
                    } => {
                        let sort = self.names.get(data).copied().unwrap_or(u32::MAX);
                        leaves(fields, self.fields(sort, *constructor).unwrap_or(&[]));
                    }
                    Fact::Tag { .. } | Fact::Proper { .. } => {}
                }
            }
            self.names.extend(found);
        }
    }

    /// The parts of an index and of an element of that sort, if it is one of arrays.
    pub fn array(&self, sort: u32) -> Option<(&[Leaf], &[Leaf])> {
        match self.sorts.get(sort as usize) {
            Some(NamedSort::Array { index, element }) => Some((index, element)),
            _ => None,
        }
    }

    /// The fields of a constructor.
    pub fn fields(&self, sort: u32, constructor: u32) -> Option<&[Leaf]> {
        match self.sorts.get(sort as usize) {
            Some(NamedSort::Data(all)) => all.get(constructor as usize).map(|(_, f)| f.as_slice()),
            _ => None,
        }
    }
}
