//! From a model of the formulas to the structures that its names represent.

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_model::chc::theory::{
    Fact, Leaf, NOTHING, NamedSort, Read, Structure, Structures, Theory, name_equations,
};
use suppose_model::chc::{Assignment, Node, Sort, TermId, Terms, Value, Var};
use suppose_number::{Int, Rat};

/// How deeply values may be nested.
const DEEPEST: usize = 200;

/// A name: the number of its sort, and the first of the variables that must have the same value.
///
/// The number that a model gives a name is not used: names that nothing compares may get the same one.
type Named = (u32, Var);

/// The names that the formulas compare.
#[derive(Default)]
pub(super) struct Compared {
    /// Names with each other.
    pub names: Vec<(Var, Var)>,
    /// Names that may be those of a field that there is not.
    pub with_nothing: Vec<Var>,
}

impl Compared {
    pub fn add(&mut self, terms: &Terms, theory: &Theory, formula: TermId) {
        let mut names = name_equations(terms, &theory.names, formula);
        self.names.append(&mut names);
        for part in terms.postorder(formula) {
            if let Node::Eq(lin) = terms.node(part)
                && let [(var, _)] = lin.terms.as_slice()
                && theory.names.contains_key(var)
            {
                self.with_nothing.push(*var);
            }
        }
    }
}

/// An index and the element there.
type Cell<'a> = (&'a [Var], &'a [Var]);

/// Builds the structures of names. Equal ones get one name.
pub(super) struct Builder<'a> {
    terms: &'a Terms,
    theory: &'a Theory,
    model: &'a Assignment,
    /// For a variable that is equal to an earlier one: that one.
    equal: FxHashMap<Var, Var>,
    /// The fields of other constructors.
    nothing: FxHashSet<Var>,
    /// The stores that make an array.
    stores: FxHashMap<Named, (Named, &'a [Var], &'a [Var])>,
    constants: FxHashMap<Named, &'a [Var]>,
    reads: FxHashMap<Named, Vec<Cell<'a>>>,
    makes: FxHashMap<Named, (u32, &'a [Var])>,
    tags: FxHashMap<Named, Rat>,
    /// Arrays that differ in finitely many places: the number of their group.
    groups: FxHashMap<Named, usize>,
    defaults: FxHashMap<usize, Vec<Value>>,
    known: FxHashMap<Named, usize>,
    busy: Vec<Named>,
    found: Structures,
    fresh: i64,
}

impl<'a> Builder<'a> {
    pub fn new(
        terms: &'a Terms,
        theory: &'a Theory,
        facts: &'a [Fact],
        model: &'a Assignment,
        reads: &'a [Read],
        compared: &Compared,
    ) -> Builder<'a> {
        let mut builder = Builder {
            terms,
            theory,
            model,
            equal: FxHashMap::default(),
            nothing: FxHashSet::default(),
            stores: FxHashMap::default(),
            constants: FxHashMap::default(),
            reads: FxHashMap::default(),
            makes: FxHashMap::default(),
            tags: FxHashMap::default(),
            groups: FxHashMap::default(),
            defaults: FxHashMap::default(),
            known: FxHashMap::default(),
            busy: Vec::new(),
            found: Structures::default(),
            fresh: 1_000_000,
        };
        for &(a, b) in &compared.names {
            builder.unite(a, b);
        }
        for &var in &compared.with_nothing {
            if model.number(var) == Rat::from(NOTHING) {
                let first = builder.first(var);
                builder.nothing.insert(first);
            }
        }
        for ((array, index), value) in reads {
            let name = builder.name(*array);
            let list = builder.reads.entry(name).or_default();
            list.push((index, value));
        }
        let mut edges = Vec::new();
        for fact in facts {
            builder.note(fact, &mut edges);
        }
        builder.group(edges);
        builder
    }

    fn note(&mut self, fact: &'a Fact, edges: &mut Vec<(Named, Named)>) {
        match fact {
            Fact::Store {
                array,
                index,
                value,
                result,
            } => {
                let (result, array) = (self.name(*result), self.name(*array));
                edges.push((result, array));
                let made = (array, index.as_slice(), value.as_slice());
                self.stores.entry(result).or_insert(made);
            }
            Fact::Constant { value, result, .. } => {
                let result = self.name(*result);
                self.constants.insert(result, value);
            }
            Fact::Make {
                constructor,
                fields,
                result,
                ..
            } => {
                let result = self.name(*result);
                self.makes.insert(result, (*constructor, fields));
            }
            Fact::Tag { data, tag } => {
                let data = self.name(*data);
                self.tags.insert(data, self.model.number(*tag));
            }
            Fact::Open {
                data,
                constructor,
                fields,
            } => {
                let data = self.name(*data);
                let number = Rat::from(i64::from(*constructor));
                // Opened by all constructors of a `match`: the one it is made by is known from its tag.
                if self.tags.get(&data).is_none_or(|tag| *tag == number) {
                    self.makes.entry(data).or_insert((*constructor, fields));
                }
            }
            Fact::Select { .. } | Fact::Proper { .. } => {}
        }
    }

    /// Arrays that stores lead between are in one group.
    fn group(&mut self, edges: Vec<(Named, Named)>) {
        let mut next = 0;
        for (a, b) in edges {
            let known = (self.groups.get(&a).copied(), self.groups.get(&b).copied());
            match known {
                (Some(x), Some(y)) if x != y => {
                    for group in self.groups.values_mut().filter(|g| **g == y) {
                        *group = x;
                    }
                }
                (Some(_), Some(_)) => {}
                (Some(x), None) => {
                    self.groups.insert(b, x);
                }
                (None, Some(y)) => {
                    self.groups.insert(a, y);
                }
                (None, None) => {
                    self.groups.insert(a, next);
                    self.groups.insert(b, next);
                    next += 1;
                }
            }
        }
    }

    /// Two names that are compared are one if the model says so.
    fn unite(&mut self, a: Var, b: Var) {
        let (x, y) = (self.first(a), self.first(b));
        if x != y && self.model.number(a) == self.model.number(b) {
            self.equal.insert(x.max(y), x.min(y));
        }
    }

    fn first(&self, mut var: Var) -> Var {
        while let Some(&earlier) = self.equal.get(&var) {
            var = earlier;
        }
        var
    }

    fn name(&self, var: Var) -> Named {
        let sort = self.theory.names.get(&var).copied().unwrap_or(u32::MAX);
        (sort, self.first(var))
    }

    /// The value of a variable, with the final names.
    pub fn value(&mut self, var: Var) -> Option<Value> {
        match self.theory.names.get(&var) {
            None => Some(self.model.value(self.terms, var)),
            Some(_) => self.named(self.name(var)),
        }
    }

    fn named(&mut self, name: Named) -> Option<Value> {
        if self.nothing.contains(&name.1) {
            return Some(Value::Num(Rat::from(NOTHING)));
        }
        if let Some(&number) = self.known.get(&name) {
            return Some(number_value(number));
        }
        if self.theory.sorts.get(name.0 as usize)? == &NamedSort::Free {
            return Some(number_value(0));
        }
        if self.busy.len() > DEEPEST || self.busy.contains(&name) {
            return None;
        }
        self.busy.push(name);
        let made = match self.theory.sorts.get(name.0 as usize)? {
            NamedSort::Array { element, .. } => self.array(&name, element)?,
            NamedSort::Data(_) => self.data(&name)?,
            NamedSort::Free => return None,
        };
        self.busy.pop();
        let number = self.intern(made);
        self.known.insert(name, number);
        Some(number_value(number))
    }

    fn intern(&mut self, made: Structure) -> usize {
        let found = self.found.all.iter().position(|s| *s == made);
        found.unwrap_or_else(|| {
            self.found.all.push(made);
            self.found.all.len() - 1
        })
    }

    fn values(&mut self, variables: &[Var]) -> Option<Vec<Value>> {
        variables.iter().map(|&v| self.value(v)).collect()
    }

    fn array(&mut self, name: &Named, element: &'a [Leaf]) -> Option<Structure> {
        if let Some(value) = self.constants.get(name).copied() {
            let default = self.values(value)?;
            return Some(array(name.0, default, Vec::new()));
        }
        if let Some((from, at, value)) = self.stores.get(name).copied()
            && from != *name
            && !self.busy.contains(&from)
            && let Value::Num(below) = self.named(from)?
        {
            let number = usize::try_from(below.num().to_i64()?).ok()?;
            let (at, value) = (self.values(at)?, self.values(value)?);
            if let Structure::Array {
                default, entries, ..
            } = self.found.all.get(number)?.clone()
            {
                let mut entries = entries;
                entries.retain(|(i, _)| *i != at);
                entries.push((at, value));
                return Some(array(name.0, default, entries));
            }
        }
        let mut entries = Vec::new();
        for (at, value) in self.reads.get(name).cloned().unwrap_or_default() {
            let (at, value) = (self.values(at)?, self.values(value)?);
            if !entries.iter().any(|(i, _)| *i == at) {
                entries.push((at, value));
            }
        }
        let default = self.default(name, element)?;
        Some(array(name.0, default, entries))
    }

    /// The element of an array where nothing is known of it.
    fn default(&mut self, name: &Named, element: &[Leaf]) -> Option<Vec<Value>> {
        let group = self.groups.get(name).copied();
        if let Some(default) = group.and_then(|g| self.defaults.get(&g)) {
            return Some(default.clone());
        }
        // That of a constant array of the group, if there is one.
        let mut constants: Vec<(&Named, &&[Var])> = self.constants.iter().collect();
        constants.retain(|(other, _)| group.is_some() && self.groups.get(other).copied() == group);
        let constant = constants.iter().min_by_key(|(name, _)| name.1);
        let constant = constant.map(|(_, value)| **value);
        let default = match constant {
            Some(value) => self.values(value)?,
            None => element
                .iter()
                .map(|leaf| self.any(leaf))
                .collect::<Option<Vec<Value>>>()?,
        };
        if let Some(group) = group {
            self.defaults.insert(group, default.clone());
        }
        Some(default)
    }

    /// Some value; a number that occurs nowhere else.
    fn any(&mut self, leaf: &Leaf) -> Option<Value> {
        match (leaf.named, leaf.sort) {
            _ if leaf.below.is_some() => Some(number_value(0)),
            (Some(sort), _) => self.any_of(sort, 0),
            (None, Sort::Bool) => Some(Value::Bool(false)),
            (None, Sort::Int | Sort::Real) => {
                self.fresh += 1;
                Some(Value::Num(Rat::from(self.fresh)))
            }
        }
    }

    /// Some structure of a sort.
    fn any_of(&mut self, sort: u32, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        let made = match self.theory.sorts.get(sort as usize)? {
            NamedSort::Free => return Some(number_value(0)),
            NamedSort::Array { element, .. } => {
                let mut default = Vec::new();
                for leaf in element {
                    default.push(match leaf.named {
                        Some(inner) => self.any_of(inner, depth + 1)?,
                        None => self.any(leaf)?,
                    });
                }
                array(sort, default, Vec::new())
            }
            NamedSort::Data(constructors) => {
                let plain = |fields: &[Leaf]| fields.iter().all(|leaf| leaf.named.is_none());
                let number = constructors.iter().position(|c| plain(&c.1))?;
                let each = constructors[number].1.iter();
                Structure::Data {
                    sort,
                    constructor: number as u32,
                    fields: each.map(|leaf| self.any(leaf)).collect::<Option<_>>()?,
                }
            }
        };
        Some(number_value(self.intern(made)))
    }

    fn data(&mut self, name: &Named) -> Option<Structure> {
        if let Some((constructor, fields)) = self.makes.get(name).copied() {
            return Some(Structure::Data {
                sort: name.0,
                constructor,
                fields: self.values(fields)?,
            });
        }
        let Some(NamedSort::Data(constructors)) = self.theory.sorts.get(name.0 as usize) else {
            return None;
        };
        let wanted = self.tags.get(name).and_then(|tag| tag.num().to_i64());
        let plain = |fields: &[Leaf]| fields.iter().all(|leaf| leaf.named.is_none());
        let number = match wanted {
            Some(tag) => usize::try_from(tag).ok()?,
            None => constructors.iter().position(|c| plain(&c.1))?,
        };
        let mut fields = Vec::new();
        for leaf in &constructors.get(number)?.1 {
            fields.push(self.any(leaf)?);
        }
        Some(Structure::Data {
            sort: name.0,
            constructor: number as u32,
            fields,
        })
    }

    pub fn finish(self) -> Structures {
        self.found
    }
}

fn number_value(number: usize) -> Value {
    Value::Num(Rat::from(Int::from(number as u64)))
}

/// An array in its normal form.
fn array(sort: u32, default: Vec<Value>, mut entries: Vec<(Vec<Value>, Vec<Value>)>) -> Structure {
    entries.retain(|(_, value)| *value != default);
    entries.sort_by_cached_key(|(index, _)| format!("{index:?}"));
    Structure::Array {
        sort,
        default,
        entries,
    }
}
