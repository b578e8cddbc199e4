//! A formula of the text to clauses of the system.

use rustc_hash::FxHashMap;
use suppose_model::chc::{App, Clause, Horn, Lin, Node, Place, Sort, TermId, Terms, Var};
use suppose_source::{Diagnostic, Span};

use super::elaborate::{Application, Arg, Elaborator, long_number};
use super::formula::{Case, Truth};

/// Adds the clauses that a formula represents.
pub(super) fn add(
    horn: &mut Horn,
    mut from: Elaborator<'_>,
    formula: Truth,
    span: Span,
) -> Result<(), Diagnostic> {
    let cases = from
        .scratch
        .formulas
        .counter_cases(&mut from.scratch.terms, formula, span)?;
    if let Some(bad) = cases.iter().find(|case| case.false_apps.len() > 1) {
        return Err(not_horn(horn, &from, bad, span));
    }
    for case in cases {
        add_case(horn, &mut from, &case, span)?;
    }
    Ok(())
}

fn not_horn(horn: &Horn, from: &Elaborator<'_>, case: &Case, span: Span) -> Diagnostic {
    let name = |app: u32| {
        let pred = from.apps[app as usize].pred;
        horn.predicate(pred).name.clone()
    };
    let (first, second) = (case.false_apps[0], case.false_apps[1]);
    let mut error = Diagnostic::error(
        span,
        format!(
            "this is not a Horn clause: its head is `{}` or `{}`",
            name(first),
            name(second)
        ),
    )
    .label("expected at most one predicate to follow")
    .help("a Horn clause is `(=> (and predicates and constraints) predicate)`; the body cannot contain a negated predicate");
    for (app, text) in [(first, "one conclusion"), (second, "another one")] {
        if let Some(place) = from.scratch.formulas.app_span(app) {
            error = error.note(place, text);
        }
    }
    error
}

fn add_case(
    horn: &mut Horn,
    from: &mut Elaborator<'_>,
    case: &Case,
    span: Span,
) -> Result<(), Diagnostic> {
    let mut arguments = Arguments::default();
    let mut app = |from: &mut Elaborator<'_>, number: u32| {
        let Application { pred, args } = from.apps[number as usize].clone();
        let formals = &horn.predicate(pred).formals;
        let args = args.iter().zip(formals).map(|(arg, &formal)| {
            let name = horn.terms.name(formal);
            arguments.variable(&mut from.scratch.terms, arg, horn.terms.sort(formal), name)
        });
        App {
            pred,
            args: args.collect(),
        }
    };
    let body: Vec<App> = case.true_apps.iter().map(|&n| app(from, n)).collect();
    let head = case.false_apps.first().map(|&n| app(from, n));
    let mut parts = vec![case.pure];
    parts.extend(arguments.equations);
    let apps = body.iter().chain(&head);
    let variables: Vec<Var> = apps.flat_map(|app| app.args.iter().copied()).collect();
    let definitions = from.definitions(&parts, &variables);
    parts.extend(definitions);
    let constraint = from.scratch.terms.and(parts);
    if constraint == Terms::FALSE {
        return Ok(());
    }
    if !from.scratch.terms.numbers_fit(constraint) {
        return Err(long_number(span));
    }
    let mut copy = Copy {
        from: &from.scratch.terms,
        to: &mut horn.terms,
        variables: FxHashMap::default(),
    };
    let mut moved = |it: &App| App {
        pred: it.pred,
        args: it.args.iter().map(|&v| copy.variable(v)).collect(),
    };
    let body: Vec<App> = body.iter().map(&mut moved).collect();
    let head = head.as_ref().map(&mut moved);
    let constraint = copy.term(constraint);
    let what = match &head {
        Some(head) => format!("a clause of `{}`", horn.predicate(head.pred).name),
        None => "a query".to_owned(),
    };
    horn.clauses.push(Clause {
        body,
        constraint,
        head,
        place: Some(Place { what, span }),
    });
    Ok(())
}

/// Arguments as variables, with what makes them equal where they are none.
#[derive(Default)]
struct Arguments {
    known: FxHashMap<(Arg, Sort), Var>,
    equations: Vec<TermId>,
}

impl Arguments {
    fn variable(&mut self, terms: &mut Terms, arg: &Arg, sort: Sort, name: &str) -> Var {
        match arg {
            Arg::Bool(term) => {
                if let Node::Var(var) = terms.node(*term) {
                    return *var;
                }
            }
            Arg::Number(ratio) => {
                if let Some(var) = ratio.variable().filter(|&v| terms.sort(v) == sort) {
                    return var;
                }
            }
        }
        let key = (arg.clone(), sort);
        if let Some(&var) = self.known.get(&key) {
            return var;
        }
        let var = terms.fresh(name, sort);
        let equation = match arg {
            Arg::Bool(term) => {
                let itself = terms.var(var);
                terms.iff(itself, *term)
            }
            Arg::Number(ratio) => terms.eq(Lin::var(var).scale(&ratio.den).sub(&ratio.lin)),
        };
        self.equations.push(equation);
        self.known.insert(key, var);
        var
    }
}

/// From the store of one clause of the text to that of the system.
struct Copy<'a> {
    from: &'a Terms,
    to: &'a mut Terms,
    variables: FxHashMap<Var, Var>,
}

impl Copy<'_> {
    fn variable(&mut self, var: Var) -> Var {
        let (from, to) = (self.from, &mut *self.to);
        *self
            .variables
            .entry(var)
            .or_insert_with(|| to.fresh(from.name(var), from.sort(var)))
    }

    fn lin(&mut self, lin: &Lin) -> Lin {
        let mut terms: Vec<_> = lin
            .terms
            .iter()
            .map(|(v, a)| (self.variable(*v), a.clone()))
            .collect();
        terms.sort_unstable_by_key(|(v, _)| *v);
        Lin {
            terms,
            constant: lin.constant.clone(),
        }
    }

    fn term(&mut self, root: TermId) -> TermId {
        // In the user's order, so that what is shown is in it too.
        for var in self.from.variables(root) {
            self.variable(var);
        }
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for part in self.from.postorder(root) {
            let new = match self.from.node(part) {
                Node::Const(truth) => self.to.constant(*truth),
                Node::Var(var) => {
                    let var = self.variable(*var);
                    self.to.var(var)
                }
                Node::Not(inner) => self.to.not(done[inner]),
                Node::And(parts) => self.to.and(parts.iter().map(|p| done[p])),
                Node::Or(parts) => self.to.or(parts.iter().map(|p| done[p])),
                Node::Iff(a, b) => self.to.iff(done[a], done[b]),
                Node::Le(lin) => {
                    let lin = self.lin(lin);
                    self.to.le(lin)
                }
                Node::Lt(lin) => {
                    let lin = self.lin(lin);
                    self.to.lt(lin)
                }
                Node::Eq(lin) => {
                    let lin = self.lin(lin);
                    self.to.eq(lin)
                }
                Node::Divides(divisor, lin) => {
                    let lin = self.lin(lin);
                    self.to.divides(divisor, &lin)
                }
            };
            done.insert(part, new);
        }
        done[&root]
    }
}
