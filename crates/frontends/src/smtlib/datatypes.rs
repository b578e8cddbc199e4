//! `declare-datatypes`, `declare-datatype` and `declare-sort`.

use suppose_source::{Diagnostic, Span};

use super::elaborate::{Globals, malformed};
use super::sexp::{Id, Name, Sexps};
use super::sort::{self, Constructor, Datatype, Sort};
use super::structured::Member;

type Fallible<T> = Result<T, Diagnostic>;

/// Values of a datatype have at most this many parts.
const MOST_PARTS: usize = 4096;
/// Records inside records, at most.
const DEEPEST: usize = 64;

/// Where names are declared.
pub(super) struct Declaring<'a> {
    pub(super) sexps: &'a Sexps,
    pub(super) text: &'a str,
    pub(super) globals: &'a mut Globals,
}

const FORM: &str =
    "(declare-datatypes ((name 0) ...) (((constructor (selector sort) ...) ...) ...))";

impl Declaring<'_> {
    /// `(declare-sort name 0)`.
    pub(super) fn sort(&mut self, parts: &[Id], span: Span) -> Fallible<()> {
        let (Some(&name), 2..=3) = (parts.get(1), parts.len()) else {
            return Err(malformed(span, "declare-sort", "(declare-sort name 0)"));
        };
        if let Some(&arity) = parts.get(2) {
            self.no_parameters(arity)?;
        }
        let name = self.new_sort(name)?;
        let sort = Sort::Free(self.globals.sorts.free);
        self.globals.sorts.free += 1;
        self.globals.sorts.named.insert(name, sort);
        Ok(())
    }

    fn no_parameters(&self, arity: Id) -> Fallible<()> {
        match sort::small_number(self.sexps, arity, self.text) {
            Some(0) => Ok(()),
            _ => Err(Diagnostic::error(
                self.sexps.span(arity),
                "sorts with parameters are not supported yet",
            )
            .label("expected 0")),
        }
    }

    fn new_sort(&self, id: Id) -> Fallible<Name> {
        let span = self.sexps.span(id);
        let Some(name) = self.sexps.symbol(id) else {
            return Err(Diagnostic::error(span, "a sort needs a name").label("expected a name"));
        };
        let word = self.sexps.text(name);
        let builtin = ["Bool", "Int", "Real", "Array", "BitVec", "String"].contains(&word);
        if builtin || self.globals.sorts.named.contains_key(&name) {
            return Err(
                Diagnostic::error(span, format!("the sort `{word}` is defined twice"))
                    .label("expected another name"),
            );
        }
        Ok(name)
    }

    /// `(declare-datatype name (constructors))`.
    pub(super) fn one(&mut self, parts: &[Id], span: Span) -> Fallible<()> {
        let &[_, name, constructors] = parts else {
            let form = "(declare-datatype name ((constructor (selector sort) ...) ...))";
            return Err(malformed(span, "declare-datatype", form));
        };
        self.together(&[(name, constructors)], span)
    }

    /// Several at once, in the form of SMT-LIB 2.6 or the older one of Z3.
    pub(super) fn several(&mut self, parts: &[Id], span: Span) -> Fallible<()> {
        let &[_, first, second] = parts else {
            return Err(malformed(span, "declare-datatypes", FORM));
        };
        let names = self.sexps.list(first);
        let bodies = self.sexps.list(second);
        let mut pairs = Vec::new();
        if names.is_empty() && self.sexps.is_list(first) {
            // (declare-datatypes () ((name constructor ...)))
            return Err(Diagnostic::error(span, "this is the form of SMT-LIB 2.0")
                .label(format!("expected `{FORM}`")));
        }
        for &name in names {
            let &[name, arity] = self.sexps.list(name) else {
                return Err(malformed(self.sexps.span(name), "declare-datatypes", FORM));
            };
            self.no_parameters(arity)?;
            pairs.push(name);
        }
        if pairs.len() != bodies.len() {
            return Err(malformed(span, "declare-datatypes", FORM));
        }
        let pairs: Vec<(Id, Id)> = pairs.into_iter().zip(bodies.iter().copied()).collect();
        self.together(&pairs, span)
    }

    /// Declares datatypes that may refer to each other, all of them or, after a mistake, none of their constructors.
    fn together(&mut self, pairs: &[(Id, Id)], span: Span) -> Fallible<()> {
        let first = self.globals.sorts.datatypes.len();
        let declared = self.declare(first, pairs, span);
        if declared.is_err() {
            let own = |data: u32| data as usize >= first;
            self.globals.members.retain(|_, member| {
                !matches!(member, Member::Constructor(data, _) | Member::Selector(data, ..) if own(*data))
            });
        }
        declared
    }

    fn declare(&mut self, first: usize, pairs: &[(Id, Id)], span: Span) -> Fallible<()> {
        for &(id, _) in pairs {
            let name = self.new_sort(id)?;
            let number = self.globals.sorts.datatypes.len() as u32;
            self.globals.sorts.named.insert(name, Sort::Data(number));
            self.globals.sorts.datatypes.push(Datatype {
                name,
                constructors: Vec::new(),
                recursive: false,
            });
        }
        for (offset, &(_, body)) in pairs.iter().enumerate() {
            self.constructors(first + offset, body)?;
        }
        let all = first..self.globals.sorts.datatypes.len();
        for number in all.clone() {
            let recursive = self.reaches_itself(number);
            self.globals.sorts.datatypes[number].recursive = recursive;
        }
        self.have_values(all.clone(), span)?;
        self.no_tags_inside(all.clone(), span)?;
        for number in all {
            self.affordable(number, span)?;
        }
        Ok(())
    }

    fn constructors(&mut self, number: usize, body: Id) -> Fallible<()> {
        let list = self.sexps.list(body);
        if list.is_empty() {
            return Err(malformed(self.sexps.span(body), "datatype", FORM));
        }
        if self.sexps.word(list[0]) == Some("par") {
            return Err(Diagnostic::error(
                self.sexps.span(body),
                "datatypes with parameters are not supported yet",
            )
            .label("expected constructors"));
        }
        for &item in list {
            let parts = match self.sexps.is_list(item) {
                true => self.sexps.list(item),
                false => std::slice::from_ref(&item),
            };
            let Some(&head) = parts.first() else {
                return Err(malformed(self.sexps.span(item), "datatype", FORM));
            };
            let place = self.globals.sorts.datatypes[number].constructors.len();
            let data = number as u32;
            let name = self.member(head, Member::Constructor(data, place))?;
            let mut fields = Vec::new();
            for (i, &field) in parts[1..].iter().enumerate() {
                let &[selector, sort] = self.sexps.list(field) else {
                    return Err(malformed(self.sexps.span(field), "datatype", FORM));
                };
                let sort = sort::read(self.sexps, &self.globals.sorts, sort, self.text)?;
                let selector = self.member(selector, Member::Selector(data, place, i))?;
                fields.push((selector, sort));
            }
            self.globals.sorts.datatypes[number]
                .constructors
                .push(Constructor { name, fields });
        }
        Ok(())
    }

    /// Declares a constructor or a selector. Sorts may be called as they are.
    fn member(&mut self, id: Id, member: Member) -> Fallible<Name> {
        let span = self.sexps.span(id);
        let Some(name) = self.sexps.symbol(id) else {
            return Err(malformed(span, "datatype", FORM));
        };
        let word = self.sexps.text(name);
        let globals = &self.globals;
        let taken = globals.members.contains_key(&name)
            || globals.predicates.contains_key(&name)
            || globals.macros.contains_key(&name)
            || super::operators::is_operator(word);
        if taken {
            return Err(
                Diagnostic::error(span, format!("`{word}` is declared twice"))
                    .label("expected another name"),
            );
        }
        self.globals.members.insert(name, member);
        Ok(name)
    }

    /// The datatypes in the values of a sort, through arrays.
    fn inside(&self, sort: Sort, found: &mut Vec<usize>) {
        match sort {
            Sort::Data(number) if !found.contains(&(number as usize)) => {
                found.push(number as usize);
            }
            Sort::Array(number) => {
                let (index, element) = self.globals.sorts.arrays.borrow()[number as usize];
                self.inside(index, found);
                self.inside(element, found);
            }
            _ => {}
        }
    }

    fn reaches_itself(&self, start: usize) -> bool {
        let mut found = Vec::new();
        let mut next = vec![start];
        while let Some(number) = next.pop() {
            let datatype = &self.globals.sorts.datatypes[number];
            for (_, sort) in datatype.constructors.iter().flat_map(|c| &c.fields) {
                let before = found.len();
                self.inside(*sort, &mut found);
                next.extend_from_slice(&found[before..]);
            }
        }
        found.contains(&start)
    }

    /// Each datatype has a constructor that needs no value of itself.
    fn have_values(&self, all: std::ops::Range<usize>, span: Span) -> Fallible<()> {
        let datatypes = &self.globals.sorts.datatypes;
        let mut inhabited: Vec<bool> = (0..datatypes.len()).map(|n| n < all.start).collect();
        loop {
            let mut changed = false;
            for number in all.clone() {
                let ready = |constructor: &Constructor| {
                    let mut fields = constructor.fields.iter();
                    fields.all(|(_, sort)| {
                        // An array of them needs one too, for its elements.
                        let mut inner = *sort;
                        while let Sort::Array(a) = inner {
                            inner = self.globals.sorts.arrays.borrow()[a as usize].1;
                        }
                        !matches!(inner, Sort::Data(n) if !inhabited[n as usize])
                    })
                };
                if !inhabited[number] && datatypes[number].constructors.iter().any(ready) {
                    inhabited[number] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        match all.clone().find(|&n| !inhabited[n]) {
            None => Ok(()),
            Some(number) => {
                let name = self.sexps.text(datatypes[number].name);
                let what = format!("the datatype `{name}` has no values");
                Err(Diagnostic::error(span, what)
                    .label("expected a constructor without fields of that datatype"))
            }
        }
    }

    /// Neither arrays nor recursive datatypes have elements or fields whose parts depend on their constructor.
    fn no_tags_inside(&self, all: std::ops::Range<usize>, span: Span) -> Fallible<()> {
        let sorts = &self.globals.sorts;
        let arrays = sorts.arrays.borrow();
        let mut inside: Vec<Sort> = arrays.iter().flat_map(|a| [a.0, a.1]).collect();
        for data in sorts.datatypes[all].iter().filter(|d| d.recursive) {
            let fields = data.constructors.iter().flat_map(|c| &c.fields);
            inside.extend(fields.map(|f| f.1));
        }
        match inside.into_iter().find(|&sort| sort::tagged(sorts, sort)) {
            None => Ok(()),
            Some(sort) => {
                let name = sorts.shown(self.sexps, sort);
                let what = format!(
                    "`{name}` has several constructors and fields, so that arrays of it, and recursive datatypes with it, are not supported yet"
                );
                Err(Diagnostic::error(span, what)
                    .label("expected plain sorts, records, enumerations or recursive datatypes"))
            }
        }
    }

    /// Its values do not have too many parts.
    fn affordable(&self, number: usize, span: Span) -> Fallible<()> {
        let sorts = &self.globals.sorts;
        let count = |sort: Sort| parts(sorts, sort, DEEPEST);
        let fields = sorts.datatypes[number].constructors.iter();
        let mut total = 0usize;
        for (_, sort) in fields.flat_map(|c| &c.fields) {
            total = total.saturating_add(count(*sort));
        }
        if total > MOST_PARTS {
            let name = self.sexps.text(sorts.datatypes[number].name);
            let what = format!("values of `{name}` have more than {MOST_PARTS} parts");
            return Err(Diagnostic::error(span, what).label("expected a smaller datatype"));
        }
        Ok(())
    }
}

/// How many parts a value of the sort has.
fn parts(sorts: &sort::Sorts, sort: Sort, left: usize) -> usize {
    match sort {
        Sort::Bits(width) => width as usize,
        _ if left == 0 => usize::MAX,
        Sort::Data(number) if !sorts.datatypes[number as usize].recursive => {
            let constructors = &sorts.datatypes[number as usize].constructors;
            let fields = constructors.iter().flat_map(|c| &c.fields);
            fields.fold(1usize, |sum, f| {
                sum.saturating_add(parts(sorts, f.1, left - 1))
            })
        }
        _ => 1,
    }
}
