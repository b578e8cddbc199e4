//! Arrays, datatypes and uninterpreted sorts.
//!
//! A value of a datatype that does not contain itself is taken apart into plain values: the number of its
//! constructor, if there are several, and all fields of all of them; those of other constructors are 0 (names of
//! nothing). Other
//! values get a number as a name, and what an operator does with names is kept as a fact ([`Pending`]) that joins
//! every clause in which its result occurs. Each fact has exactly one result, so this is right wherever the
//! term stands.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use suppose_model::chc::theory::{Fact, Leaf, NamedSort};
use suppose_model::chc::{Sort as Plain, TermId, Var};
use suppose_number::{Int, Rat};
use suppose_source::Diagnostic;

use super::elaborate::{Arg, Elaborator, Value};
use super::formula::Truth;
use super::numeric::{Number, Ratio, Relation};
use super::sexp::{Name, Sexps};
use super::sort::{Sort, Sorts};

type Fallible<T> = Result<T, Diagnostic>;

/// A value of a datatype, taken apart.
#[derive(Clone, Debug)]
pub(super) struct DataValue {
    /// The number of the datatype.
    pub(super) data: u32,
    /// Which constructor, if there are several.
    pub(super) tag: Option<Number>,
    /// For each constructor its fields.
    pub(super) fields: Vec<Vec<Value>>,
}

/// What a fact says; its variables come from [`Pending`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Select,
    /// With the number of parts of the index.
    Store(usize),
    Constant(u32),
    Make(u32, u32),
    Tag,
    Open(u32),
    Proper(u32),
}

/// A fact whose arguments are not variables yet.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) kind: Kind,
    pub(super) inputs: Vec<Arg>,
    pub(super) outputs: Vec<Var>,
}

impl Pending {
    /// The fact, with variables for its arguments.
    pub(super) fn fact(&self, inputs: &[Var]) -> Option<Fact> {
        let outputs = &self.outputs;
        Some(match (self.kind, inputs) {
            (Kind::Select, [array, index @ ..]) => Fact::Select {
                array: *array,
                index: index.to_vec(),
                value: outputs.clone(),
            },
            (Kind::Store(parts), [array, rest @ ..]) => {
                let (index, value) = rest.split_at_checked(parts)?;
                Fact::Store {
                    array: *array,
                    index: index.to_vec(),
                    value: value.to_vec(),
                    result: *outputs.first()?,
                }
            }
            (Kind::Constant(sort), value) => Fact::Constant {
                sort,
                value: value.to_vec(),
                result: *outputs.first()?,
            },
            (Kind::Make(sort, constructor), fields) => Fact::Make {
                sort,
                constructor,
                fields: fields.to_vec(),
                result: *outputs.first()?,
            },
            (Kind::Tag, [data, ..]) => Fact::Tag {
                data: *data,
                tag: *outputs.first()?,
            },
            (Kind::Open(constructor), [data, ..]) => Fact::Open {
                data: *data,
                constructor,
                fields: outputs.clone(),
            },
            (Kind::Proper(constructor), [tag, ..]) => Fact::Proper {
                tag: *tag,
                constructor,
            },
            _ => return None,
        })
    }
}

/// What the terms of one clause say about names.
#[derive(Debug, Default)]
pub(super) struct Structures {
    pub(super) facts: Vec<Pending>,
    /// Which facts a variable is the result of.
    pub(super) by_output: FxHashMap<Var, Vec<usize>>,
    /// Variables that are names, and the sorts of what they name.
    pub(super) names: FxHashMap<Var, Sort>,
    known: FxHashMap<(Kind, Sort, Vec<Arg>), Value>,
    opened: FxHashMap<(u32, Vec<Arg>), Vec<Value>>,
}

/// Is a value of that sort a name?
pub(super) fn is_named(sorts: &Sorts, sort: Sort) -> bool {
    match sort {
        Sort::Array(_) | Sort::Free(_) => true,
        Sort::Data(number) => sorts.datatypes[number as usize].recursive,
        Sort::Bool | Sort::Int | Sort::Real | Sort::Bits(_) => false,
    }
}

/// The parts of a value.
pub(super) fn leaves(sorts: &Sorts, sort: Sort, into: &mut Vec<Leaf>) {
    let plain = |sort: Plain| Leaf {
        sort,
        named: None,
        below: None,
    };
    match sort {
        _ if is_named(sorts, sort) => into.push(Leaf {
            named: Some(sorts.number(sort)),
            ..plain(Plain::Int)
        }),
        Sort::Bool => into.push(plain(Plain::Bool)),
        Sort::Int => into.push(plain(Plain::Int)),
        Sort::Real => into.push(plain(Plain::Real)),
        Sort::Bits(width) => into.extend((0..width).map(|_| plain(Plain::Bool))),
        Sort::Data(number) => {
            let data = &sorts.datatypes[number as usize];
            if data.constructors.len() > 1 {
                into.push(Leaf {
                    below: Some(data.constructors.len() as u32),
                    ..plain(Plain::Int)
                });
            }
            for (_, field) in data.constructors.iter().flat_map(|c| &c.fields) {
                leaves(sorts, *field, into);
            }
        }
        Sort::Array(_) | Sort::Free(_) => {}
    }
}

fn all_leaves(sorts: &Sorts, sort: Sort) -> Vec<Leaf> {
    let mut parts = Vec::new();
    leaves(sorts, sort, &mut parts);
    parts
}

/// What the sorts of names are, in the order of their numbers.
pub(super) fn named_sorts(sorts: &Sorts, sexps: &Sexps) -> Vec<NamedSort> {
    let mut all = Vec::new();
    // Those that occur in others get their numbers on the way.
    while let Some(sort) = sorts.numbered(all.len()) {
        all.push(match sort {
            Sort::Array(number) => {
                let (index, element) = sorts.arrays.borrow()[number as usize];
                NamedSort::Array {
                    index: all_leaves(sorts, index),
                    element: all_leaves(sorts, element),
                }
            }
            Sort::Data(number) => {
                let data = &sorts.datatypes[number as usize];
                let constructors = data.constructors.iter().map(|c| {
                    let fields = c
                        .fields
                        .iter()
                        .flat_map(|f| all_leaves(sorts, f.1))
                        .collect();
                    (sexps.text(c.name).to_owned(), fields)
                });
                NamedSort::Data(constructors.collect())
            }
            _ => NamedSort::Free,
        });
    }
    all
}

impl Elaborator<'_> {
    /// A variable of a sort that is not plain. Every value of the sort has one form only.
    pub(super) fn fresh_structured(&mut self, name: &str, sort: Sort) -> Value {
        let sorts = &self.globals.sorts;
        let data = match sort {
            Sort::Data(number) if !sorts.datatypes[number as usize].recursive => number,
            _ => {
                let var = self.scratch.terms.fresh(name, Plain::Int);
                self.structures.names.insert(var, sort);
                return Value::Named(self.scratch.variable(var), sort);
            }
        };
        let datatype = sorts.datatypes[data as usize].clone();
        let mut fields = Vec::new();
        for constructor in &datatype.constructors {
            let mut own = Vec::new();
            for &(field, sort) in &constructor.fields {
                own.push(self.fresh(&format!("{name}.{}", self.sexps.text(field)), sort));
            }
            fields.push(own);
        }
        let tag = (datatype.constructors.len() > 1).then(|| {
            let var = self.scratch.terms.fresh(name, Plain::Int);
            self.scratch.variable(var)
        });
        let value = DataValue { data, tag, fields };
        if let Some(tag) = tag {
            self.canonical(&value, tag);
        }
        Value::Data(Rc::new(value))
    }

    /// The tag is that of a constructor, and the fields of the others are 0. This joins every clause with one of the parts.
    fn canonical(&mut self, value: &DataValue, tag: Number) {
        let count = value.fields.len();
        let mut cases = Vec::new();
        for constructor in 0..count {
            let mut parts = vec![self.is_tag(tag, constructor)];
            let others = value.fields.iter().enumerate();
            for field in others.filter(|(c, _)| *c != constructor).flat_map(|c| c.1) {
                self.all_zero(field, &mut parts);
            }
            cases.push(self.scratch.terms.and(parts));
        }
        let definition = self.scratch.terms.or(cases);
        for var in self.scratch.terms.variables(definition) {
            match self.scratch.definitions.get(&var).copied() {
                Some(before) => {
                    let both = self.scratch.terms.and([before, definition]);
                    self.scratch.definitions.insert(var, both);
                }
                None => {
                    self.scratch.definitions.insert(var, definition);
                }
            }
        }
    }

    fn is_tag(&mut self, tag: Number, constructor: usize) -> TermId {
        let number = self.constant_number(constructor);
        match self.scratch.compare(Relation::Equal, tag, number, false) {
            Ok(Truth::Pure(term)) => term,
            _ => suppose_model::chc::Terms::TRUE,
        }
    }

    fn constant_number(&mut self, number: usize) -> Number {
        let number = Rat::from(Int::from(number as u64));
        self.scratch.leaf(Ratio::number(&number))
    }

    /// Each part of a variable's value is 0 or false.
    fn all_zero(&mut self, value: &Value, parts: &mut Vec<TermId>) {
        match value {
            Value::Bool(Truth::Pure(term)) => parts.push(self.scratch.terms.not(*term)),
            Value::Bool(Truth::Mixed(_)) => {}
            Value::Number(number, real) => {
                let zero = self.constant_number(0);
                if let Ok(Truth::Pure(term)) =
                    self.scratch.compare(Relation::Equal, *number, zero, *real)
                {
                    parts.push(term);
                }
            }
            Value::Named(number, _) => {
                let nothing = self.nothing();
                let same = self
                    .scratch
                    .compare(Relation::Equal, *number, nothing, false);
                if let Ok(Truth::Pure(term)) = same {
                    parts.push(term);
                }
            }
            Value::Bits(bits) => {
                for &bit in bits.iter() {
                    parts.push(self.scratch.terms.not(bit));
                }
            }
            Value::Data(inner) => {
                if let Some(tag) = inner.tag {
                    parts.push(self.is_tag(tag, 0));
                }
                for field in inner.fields.iter().flatten() {
                    self.all_zero(field, parts);
                }
            }
        }
    }

    /// The value of a sort whose parts are all 0 or false.
    fn zero(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(Truth::Pure(suppose_model::chc::Terms::FALSE)),
            Sort::Int | Sort::Real => Value::Number(self.constant_number(0), sort == Sort::Real),
            Sort::Bits(width) => {
                let bits = vec![suppose_model::chc::Terms::FALSE; width as usize];
                Value::Bits(bits.into())
            }
            Sort::Data(data) if !is_named(&self.globals.sorts, sort) => {
                let datatype = self.globals.sorts.datatypes[data as usize].clone();
                let tag = (datatype.constructors.len() > 1).then(|| self.constant_number(0));
                let each = datatype.constructors.iter();
                let fields = each
                    .map(|c| c.fields.iter().map(|f| self.zero(f.1)).collect())
                    .collect();
                Value::Data(Rc::new(DataValue { data, tag, fields }))
            }
            Sort::Array(_) | Sort::Free(_) | Sort::Data(_) => Value::Named(self.nothing(), sort),
        }
    }

    /// The name of what is not there.
    fn nothing(&mut self) -> Number {
        let name = Rat::from(Int::from(suppose_model::chc::theory::NOTHING));
        self.scratch.leaf(Ratio::number(&name))
    }

    /// The parts of a value as arguments, in the order of [`leaves`].
    pub(super) fn parts(&mut self, value: &Value, into: &mut Vec<Arg>) -> Fallible<()> {
        match value {
            Value::Bool(Truth::Pure(term)) => into.push(Arg::Bool(*term)),
            Value::Bool(Truth::Mixed(_)) => {
                return Err(Diagnostic::error_without_place(
                    "a predicate occurs in an argument or an element",
                )
                .label("expected terms without predicates and quantifiers")
                .help("write one clause for each of its two values"));
            }
            Value::Number(number, real) => {
                let ratio = self.scratch.name(*number, *real)?;
                into.push(Arg::Number(ratio));
            }
            Value::Named(number, sort) => {
                let ratio = self.scratch.name(*number, false)?;
                if let Some(var) = ratio.variable() {
                    self.structures.names.insert(var, *sort);
                }
                into.push(Arg::Number(ratio));
            }
            Value::Bits(bits) => into.extend(bits.iter().map(|&bit| Arg::Bool(bit))),
            Value::Data(value) => {
                if let Some(tag) = value.tag {
                    let ratio = self.scratch.name(tag, false)?;
                    into.push(Arg::Number(ratio));
                }
                for field in value.fields.iter().flatten() {
                    self.parts(field, into)?;
                }
            }
        }
        Ok(())
    }

    /// The variables that a fresh value consists of.
    fn variables_of(&mut self, value: &Value) -> Fallible<Vec<Var>> {
        let mut parts = Vec::new();
        self.parts(value, &mut parts)?;
        let terms = &self.scratch.terms;
        let each = parts.iter().filter_map(|part| match part {
            Arg::Bool(term) => match terms.node(*term) {
                suppose_model::chc::Node::Var(var) => Some(*var),
                _ => None,
            },
            Arg::Number(ratio) => ratio.variable(),
        });
        Ok(each.collect())
    }

    /// The result of an operator on names: a fresh value, the same for the same arguments.
    pub(super) fn result(
        &mut self,
        kind: Kind,
        inputs: &[&Value],
        name: &str,
        sort: Sort,
    ) -> Fallible<Value> {
        let mut args = Vec::new();
        for input in inputs {
            self.parts(input, &mut args)?;
        }
        let key = (kind, sort, args.clone());
        if let Some(value) = self.structures.known.get(&key) {
            return Ok(value.clone());
        }
        let value = self.fresh(name, sort);
        let outputs = self.variables_of(&value)?;
        self.pend(kind, args, outputs);
        self.structures.known.insert(key, value.clone());
        Ok(value)
    }

    fn pend(&mut self, kind: Kind, inputs: Vec<Arg>, outputs: Vec<Var>) {
        let number = self.structures.facts.len();
        for &output in &outputs {
            let list = self.structures.by_output.entry(output).or_default();
            list.push(number);
        }
        self.structures.facts.push(Pending {
            kind,
            inputs,
            outputs,
        });
    }

    /// A constructor with its fields.
    pub(super) fn construct(
        &mut self,
        sort: Sort,
        constructor: usize,
        args: Vec<Value>,
    ) -> Fallible<Value> {
        let Sort::Data(data) = sort else {
            return Ok(self.zero(sort));
        };
        let datatype = self.globals.sorts.datatypes[data as usize].clone();
        if datatype.recursive {
            let kind = Kind::Make(self.globals.sorts.number(sort), constructor as u32);
            let name = self.sexps.text(datatype.constructors[constructor].name);
            let inputs: Vec<&Value> = args.iter().collect();
            return self.result(kind, &inputs, name, sort);
        }
        let tag = (datatype.constructors.len() > 1).then(|| self.constant_number(constructor));
        let mut fields = Vec::new();
        let mut args = Some(args);
        for (number, other) in datatype.constructors.iter().enumerate() {
            fields.push(match args.take_if(|_| number == constructor) {
                Some(args) => args,
                None => other.fields.iter().map(|f| self.zero(f.1)).collect(),
            });
        }
        Ok(Value::Data(Rc::new(DataValue { data, tag, fields })))
    }

    /// Is a value made by that constructor?
    pub(super) fn is_made_by(&mut self, value: &Value, constructor: usize) -> Fallible<Truth> {
        match value {
            Value::Data(data) => match data.tag {
                Some(tag) => {
                    let number = self.constant_number(constructor);
                    self.scratch.compare(Relation::Equal, tag, number, false)
                }
                None => Ok(Truth::Pure(suppose_model::chc::Terms::TRUE)),
            },
            _ => match self.tag(value)? {
                Value::Number(tag, _) => {
                    let number = self.constant_number(constructor);
                    self.scratch.compare(Relation::Equal, tag, number, false)
                }
                _ => Ok(Truth::Pure(suppose_model::chc::Terms::TRUE)),
            },
        }
    }

    /// The number of the constructor of a value with a name.
    fn tag(&mut self, value: &Value) -> Fallible<Value> {
        self.result(Kind::Tag, &[value], "tag", Sort::Int)
    }

    /// The fields of a value if it is made by that constructor; anything otherwise.
    pub(super) fn opened(&mut self, value: &Value, constructor: usize) -> Fallible<Vec<Value>> {
        match value {
            Value::Data(data) => Ok(data.fields[constructor].clone()),
            other => {
                let Sort::Data(number) = other.sort() else {
                    return Ok(Vec::new());
                };
                let mut args = Vec::new();
                self.parts(other, &mut args)?;
                let key = (constructor as u32, args.clone());
                if let Some(known) = self.structures.opened.get(&key) {
                    return Ok(known.clone());
                }
                let datatype = &self.globals.sorts.datatypes[number as usize];
                let fields = datatype.constructors[constructor].fields.clone();
                let mut all = Vec::new();
                let mut outputs = Vec::new();
                for (field, sort) in fields {
                    let value = self.fresh(self.sexps.text(field), sort);
                    outputs.extend(self.variables_of(&value)?);
                    all.push(value);
                }
                self.pend(Kind::Open(constructor as u32), args, outputs);
                self.structures.opened.insert(key, all.clone());
                Ok(all)
            }
        }
    }

    /// A field of a value. What it is of another constructor is not specified: anything, and not usable in a
    /// derivation.
    pub(super) fn field(
        &mut self,
        value: &Value,
        constructor: usize,
        place: usize,
    ) -> Fallible<Value> {
        let field = self.opened(value, constructor)?[place].clone();
        let tag = match value {
            Value::Data(data) => match data.tag {
                Some(tag) => Value::Number(tag, false),
                None => return Ok(field),
            },
            other => self.tag(other)?,
        };
        let mut key = Vec::new();
        self.parts(value, &mut key)?;
        let place_mark = Int::from(place as u64);
        key.push(Arg::Number(Ratio::number(&Rat::from(place_mark))));
        let key = (Kind::Proper(constructor as u32), field.sort(), key);
        if let Some(known) = self.structures.known.get(&key) {
            return Ok(known.clone());
        }
        let other = self.fresh("unspecified", field.sort());
        let mut inputs = Vec::new();
        self.parts(&tag, &mut inputs)?;
        let outputs = self.variables_of(&other)?;
        self.pend(Kind::Proper(constructor as u32), inputs, outputs);
        let proper = self.is_made_by(value, constructor)?;
        let chosen = self.choose(proper, &field, &other)?;
        self.structures.known.insert(key, chosen.clone());
        Ok(chosen)
    }

    /// One of two values of the same sort.
    pub(super) fn choose(&mut self, condition: Truth, a: &Value, b: &Value) -> Fallible<Value> {
        match (a, b) {
            (Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(self.scratch.formulas.choice(
                &mut self.scratch.terms,
                condition,
                *a,
                *b,
            ))),
            (Value::Number(a, r), Value::Number(b, s)) => {
                let real = *r || *s;
                let chosen = self.scratch.choose(condition, *a, *b, real)?;
                Ok(Value::Number(chosen, real))
            }
            (Value::Named(a, sort), Value::Named(b, _)) => {
                let chosen = self.scratch.choose(condition, *a, *b, false)?;
                let ratio = self.scratch.name(chosen, false)?;
                if let Some(var) = ratio.variable() {
                    self.structures.names.insert(var, *sort);
                }
                Ok(Value::Named(self.scratch.leaf(ratio), *sort))
            }
            (Value::Bits(a), Value::Bits(b)) => {
                let Truth::Pure(condition) = condition else {
                    return Err(Diagnostic::error_without_place(
                        "a predicate decides here which bit vector is meant",
                    )
                    .label("expected a condition without predicates")
                    .help("write one clause for each of the two cases"));
                };
                let chosen = super::bits::choose(&mut self.scratch.terms, condition, a, b);
                Ok(Value::Bits(chosen.into()))
            }
            (Value::Data(a), Value::Data(b)) => {
                let tag = match (a.tag, b.tag) {
                    (Some(x), Some(y)) => Some(self.scratch.choose(condition, x, y, false)?),
                    _ => None,
                };
                let mut fields = Vec::new();
                for (x, y) in a.fields.iter().zip(&b.fields) {
                    let pairs = x.iter().zip(y);
                    let own: Fallible<Vec<Value>> =
                        pairs.map(|(x, y)| self.choose(condition, x, y)).collect();
                    fields.push(own?);
                }
                Ok(Value::Data(Rc::new(DataValue {
                    data: a.data,
                    tag,
                    fields,
                })))
            }
            _ => Err(different_sorts()),
        }
    }

    /// All parts are equal; the sorts are the same.
    pub(super) fn equal_structured(&mut self, a: &Value, b: &Value) -> Fallible<Truth> {
        match (a, b) {
            (Value::Named(a, _), Value::Named(b, _)) => {
                self.scratch.compare(Relation::Equal, *a, *b, false)
            }
            (Value::Data(a), Value::Data(b)) => {
                let mut parts = Vec::new();
                if let (Some(x), Some(y)) = (a.tag, b.tag) {
                    parts.push(self.scratch.compare(Relation::Equal, x, y, false)?);
                }
                let pairs = a.fields.iter().flatten().zip(b.fields.iter().flatten());
                for (x, y) in pairs {
                    parts.push(self.equal_structured(x, y)?);
                }
                Ok(self.scratch.formulas.all(&mut self.scratch.terms, &parts))
            }
            (Value::Bool(a), Value::Bool(b)) => {
                Ok(self.scratch.formulas.same(&mut self.scratch.terms, *a, *b))
            }
            (Value::Number(a, r), Value::Number(b, s)) => {
                self.scratch.compare(Relation::Equal, *a, *b, *r || *s)
            }
            (Value::Bits(a), Value::Bits(b)) => Ok(Truth::Pure(super::bits::equal(
                &mut self.scratch.terms,
                a,
                b,
            ))),
            _ => Err(different_sorts()),
        }
    }
}

fn different_sorts() -> Diagnostic {
    Diagnostic::error_without_place("the two values are of different sorts")
        .label("expected values of one sort")
}

/// A constructor or a selector that the user declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    /// Of that datatype, with its number.
    Constructor(u32, usize),
    /// Of that datatype: the constructor and the place of the field.
    Selector(u32, usize, usize),
}

/// Constructors and selectors by name.
pub(super) type Members = FxHashMap<Name, Member>;
