//! Constructors, selectors, testers, `match`, `select` and `store`, with sorts checked.

use suppose_source::Diagnostic;

use super::apply::fit;
use super::elaborate::{Elaborator, Head, Task, Value, internal, malformed};
use super::sexp::Id;
use super::sort::{self, Sort};
use super::structured::{Kind, Member};

type Fallible<T> = Result<T, Diagnostic>;

impl<'a> Elaborator<'a> {
    /// A sort as the user wrote it.
    pub(super) fn shown(&self, sort: Sort) -> String {
        self.globals.sorts.shown(self.sexps, sort)
    }

    /// An argument as a value of that sort.
    fn fitting(&self, value: &Value, sort: Sort, whole: Id, argument: usize) -> Fallible<Value> {
        match fit(value.clone(), sort) {
            Some(value) => Ok(value),
            None => Err(self.unexpected(whole, argument, value, &self.shown(sort))),
        }
    }

    /// The index and element sorts of an array.
    fn array_sorts(&self, value: &Value, whole: Id) -> Fallible<(Sort, Sort)> {
        match value.sort() {
            Sort::Array(number) => Ok(self.globals.sorts.arrays.borrow()[number as usize]),
            _ => Err(self.unexpected(whole, 0, value, "an array")),
        }
    }

    pub(super) fn select(&mut self, args: &[Value], whole: Id) -> Fallible<Value> {
        self.count("select", args, 2..=2)?;
        let (index, element) = self.array_sorts(&args[0], whole)?;
        let at = self.fitting(&args[1], index, whole, 1)?;
        self.result(Kind::Select, &[&args[0], &at], "element", element)
    }

    pub(super) fn store(&mut self, args: &[Value], whole: Id) -> Fallible<Value> {
        self.count("store", args, 3..=3)?;
        let (index, element) = self.array_sorts(&args[0], whole)?;
        let at = self.fitting(&args[1], index, whole, 1)?;
        let value = self.fitting(&args[2], element, whole, 2)?;
        let mut parts = Vec::new();
        super::structured::leaves(&self.globals.sorts, index, &mut parts);
        let kind = Kind::Store(parts.len());
        self.result(kind, &[&args[0], &at, &value], "array", args[0].sort())
    }

    pub(super) fn constant_array(
        &mut self,
        sort: Sort,
        args: Vec<Value>,
        whole: Id,
    ) -> Fallible<Value> {
        self.count("const", &args, 1..=1)?;
        let Sort::Array(number) = sort else {
            return Err(internal(self.sexps.span(whole)));
        };
        let (_, element) = self.globals.sorts.arrays.borrow()[number as usize];
        let value = self.fitting(&args[0], element, whole, 0)?;
        let kind = Kind::Constant(self.globals.sorts.number(sort));
        self.result(kind, &[&value], "array", sort)
    }

    /// `(as name sort)` before arguments: a constant array or a constructor.
    pub(super) fn qualified(&mut self, id: Id) -> Fallible<Head<'a>> {
        let span = self.sexps.span(id);
        let &[_, name, sort] = self.sexps.list(id) else {
            return Err(malformed(span, "as", "(as const (Array s t))"));
        };
        let sort = sort::read(self.sexps, &self.globals.sorts, sort, self.text)?;
        let named = self.sexps.symbol(name);
        let word = self.sexps.word(name).unwrap_or("");
        if word == "const" {
            return match sort {
                Sort::Array(_) => Ok(Head::Constant(sort)),
                _ => Err(
                    Diagnostic::error(span, "a constant array is of an array sort")
                        .label("expected `(as const (Array s t))`"),
                ),
            };
        }
        let member = named.and_then(|n| self.globals.members.get(&n));
        match member {
            Some(&Member::Constructor(data, number)) if sort == Sort::Data(data) => {
                Ok(Head::Member(Member::Constructor(data, number)))
            }
            _ => Err(
                Diagnostic::error(span, format!("`{word}` is no constructor of that sort"))
                    .label("expected `const` or a constructor"),
            ),
        }
    }

    /// `(as name sort)` alone: a constructor without fields.
    pub(super) fn qualified_constant(&mut self, id: Id) -> Fallible<()> {
        match self.qualified(id)? {
            Head::Member(member) => {
                let value = self.member(member, Vec::new(), id)?;
                self.values.push(value);
                Ok(())
            }
            _ => Err(
                Diagnostic::error(self.sexps.span(id), "a constant array needs its element")
                    .label("expected `((as const (Array s t)) element)`"),
            ),
        }
    }

    pub(super) fn member(
        &mut self,
        member: Member,
        args: Vec<Value>,
        whole: Id,
    ) -> Fallible<Value> {
        let datatypes = &self.globals.sorts.datatypes;
        match member {
            Member::Constructor(data, number) => {
                let fields = datatypes[data as usize].constructors[number].fields.clone();
                let name = self
                    .sexps
                    .text(datatypes[data as usize].constructors[number].name);
                self.count(name, &args, fields.len()..=fields.len())?;
                let mut values = Vec::new();
                for (i, (value, (_, sort))) in args.iter().zip(&fields).enumerate() {
                    values.push(self.fitting(value, *sort, whole, i)?);
                }
                self.construct(Sort::Data(data), number, values)
            }
            Member::Selector(data, number, place) => {
                let field = datatypes[data as usize].constructors[number].fields[place].0;
                self.count(self.sexps.text(field), &args, 1..=1)?;
                let value = self.fitting(&args[0], Sort::Data(data), whole, 0)?;
                self.field(&value, number, place)
            }
        }
    }

    /// `((_ is constructor) value)`.
    pub(super) fn tester(&mut self, index: Id, args: &[Value], whole: Id) -> Fallible<Value> {
        let parts = self.sexps.list(index);
        self.count("is", args, 1..=1)?;
        // CHC-COMP's files also give the sorts of its fields: (_ is (cons (Int) list)).
        let named = parts.get(2).and_then(|&p| {
            let inner = self.sexps.list(p).first().copied();
            self.sexps.symbol(inner.unwrap_or(p))
        });
        let member = named.and_then(|n| self.globals.members.get(&n).copied());
        let Some(Member::Constructor(data, number)) = member else {
            return Err(
                Diagnostic::error(self.sexps.span(index), "this tests for no constructor")
                    .label("expected `(_ is constructor)`"),
            );
        };
        let value = self.fitting(&args[0], Sort::Data(data), whole, 0)?;
        Ok(Value::Bool(self.is_made_by(&value, number)?))
    }

    /// `(match value ((pattern term) ...))`.
    pub(super) fn match_(&mut self, id: Id) -> Fallible<()> {
        let parts = self.sexps.list(id);
        let (Some(&value), 3) = (parts.get(1), parts.len()) else {
            let form = "(match value ((pattern term) ...))";
            return Err(malformed(self.sexps.span(id), "match", form));
        };
        self.tasks.push(Task::Match { whole: id });
        self.tasks.push(Task::Eval(value));
        Ok(())
    }

    /// Evaluates the cases with their variables bound; the value stays below their results.
    pub(super) fn match_cases(&mut self, whole: Id) -> Fallible<()> {
        let span = self.sexps.span(whole);
        let value = self.values.last().cloned();
        let value = value.ok_or_else(|| internal(span))?;
        let Sort::Data(data) = value.sort() else {
            return Err(self.unexpected(whole, 0, &value, "a datatype"));
        };
        let list = self.sexps.list(whole)[2];
        let mut kinds = Vec::new();
        let mut bindings = Vec::new();
        for &case in self.sexps.list(list) {
            let &[pattern, body] = self.sexps.list(case) else {
                return Err(malformed(self.sexps.span(case), "match", "(pattern term)"));
            };
            let (kind, bound) = self.pattern(pattern, data, &value)?;
            kinds.push(kind);
            bindings.push((bound, body));
        }
        self.all_covered(data, &kinds, whole)?;
        self.tasks.push(Task::Matched {
            whole,
            cases: kinds,
        });
        for (bound, body) in bindings.into_iter().rev() {
            self.tasks
                .push(Task::Unbind(bound.iter().map(|(name, _)| *name).collect()));
            self.tasks.push(Task::Eval(body));
            self.tasks.push(Task::Bind(bound));
        }
        Ok(())
    }

    fn all_covered(&self, data: u32, kinds: &[Option<usize>], whole: Id) -> Fallible<()> {
        let datatype = &self.globals.sorts.datatypes[data as usize];
        let covered = |number: usize| kinds.iter().any(|k| k.is_none_or(|n| n == number));
        let missing = (0..datatype.constructors.len()).find(|&n| !covered(n));
        match missing {
            None => Ok(()),
            Some(number) => {
                let name = self.sexps.text(datatype.constructors[number].name);
                let what = format!("`match` has no case for `{name}`");
                Err(Diagnostic::error(self.sexps.span(whole), what)
                    .label("expected a case for each constructor"))
            }
        }
    }

    /// The constructor of a pattern, and the variables it binds.
    #[allow(
        clippy::type_complexity,
        reason = "a constructor and pairs of names and values"
    )]
    fn pattern(
        &mut self,
        pattern: Id,
        data: u32,
        value: &Value,
    ) -> Fallible<(Option<usize>, Vec<(super::sexp::Name, Value)>)> {
        let span = self.sexps.span(pattern);
        let parts = self.sexps.list(pattern);
        let head = parts.first().copied().unwrap_or(pattern);
        let Some(name) = self.sexps.symbol(head) else {
            return Err(malformed(span, "match", "a constructor or a variable"));
        };
        let number = match self.globals.members.get(&name) {
            Some(&Member::Constructor(of, number)) if of == data => number,
            _ if parts.is_empty() => return Ok((None, vec![(name, value.clone())])),
            _ => {
                let word = self.sexps.text(name);
                let what = format!("`{word}` is no constructor of that datatype");
                return Err(Diagnostic::error(span, what).label("expected a constructor"));
            }
        };
        let fields = self.opened(value, number)?;
        let variables = parts.get(1..).unwrap_or(&[]);
        if variables.len() != fields.len() {
            let what = format!("this pattern has {} variables", variables.len());
            return Err(Diagnostic::error(span, what).label(format!("expected {}", fields.len())));
        }
        let mut bound = Vec::new();
        for (&variable, field) in variables.iter().zip(fields) {
            let name = self.sexps.symbol(variable);
            let name = name.ok_or_else(|| {
                malformed(
                    self.sexps.span(variable),
                    "match",
                    "a variable in a pattern",
                )
            })?;
            bound.push((name, field));
        }
        Ok((Some(number), bound))
    }

    /// Chooses between the results of the cases: the first that fits.
    pub(super) fn matched(&mut self, whole: Id, cases: &[Option<usize>]) -> Fallible<()> {
        let span = self.sexps.span(whole);
        let results = self.values.split_off(self.values.len() - cases.len());
        let value = self.values.pop().ok_or_else(|| internal(span))?;
        let mut all = cases.iter().zip(results).rev();
        let (_, mut chosen) = all.next().ok_or_else(|| internal(span))?;
        for (case, result) in all {
            if result.sort() != chosen.sort() {
                let expected = self.shown(chosen.sort());
                return Err(self.unexpected(whole, 1, &result, &expected));
            }
            chosen = match case {
                None => result,
                Some(number) => {
                    let fits = self.is_made_by(&value, *number)?;
                    self.choose(fits, &result, &chosen)?
                }
            };
        }
        self.values.push(chosen);
        Ok(())
    }
}
