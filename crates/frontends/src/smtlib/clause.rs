//! A formula of the text to clauses of the system.

use rustc_hash::FxHashMap;
use suppose_model::chc::theory::Fact;
use suppose_model::chc::{App, Clause, Horn, Lin, Node, Place, Sort, TermId, Terms, Var};
use suppose_source::{Diagnostic, Span};

use super::elaborate::{Application, Arg, Elaborator, long_number};
use super::formula::{Case, Truth};

/// What relates names in the clauses of a system.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// The variables that are names, with the number of their sort.
    pub(super) names: FxHashMap<Var, u32>,
    /// For each clause.
    pub(super) of_clauses: Vec<Vec<Fact>>,
}

/// Adds the clauses that a formula represents.
pub(super) fn add(
    horn: &mut Horn,
    facts: &mut Facts,
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
        add_case(horn, facts, &mut from, &case, span)?;
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
    facts: &mut Facts,
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
    let apps = body.iter().chain(&head);
    let variables: Vec<Var> = apps.flat_map(|app| app.args.iter().copied()).collect();
    let (constraint, own) = with_facts(from, arguments, case.pure, variables);
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
    let own: Vec<Fact> = own
        .into_iter()
        .map(|fact| fact.map(&mut |var| copy.variable(var)))
        .collect();
    let names = from.structures.names.iter();
    let mut names: Vec<_> = names
        .filter_map(|(var, &sort)| Some((*copy.variables.get(var)?, sort)))
        .collect();
    // Sorts are numbered when they are first asked for.
    names.sort_unstable_by_key(|&(var, _)| var);
    for (var, sort) in names {
        facts.names.insert(var, from.globals.sorts.number(sort));
    }
    facts.of_clauses.push(own);
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

/// The constraint with the definitions of all its variables, and the facts that these are results of.
fn with_facts(
    from: &mut Elaborator<'_>,
    mut arguments: Arguments,
    pure: TermId,
    mut variables: Vec<Var>,
) -> (TermId, Vec<Fact>) {
    let mut found = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    loop {
        let mut parts = vec![pure];
        parts.extend_from_slice(&arguments.equations);
        let definitions = from.definitions(&parts, &variables);
        parts.extend(definitions);
        let constraint = from.scratch.terms.and(parts);
        let mut occurring = from.scratch.terms.variables(constraint);
        occurring.extend_from_slice(&variables);
        let by_output = &from.structures.by_output;
        let mut new: Vec<usize> = occurring
            .iter()
            .filter_map(|var| by_output.get(var))
            .flatten()
            .copied()
            .filter(|number| seen.insert(*number))
            .collect();
        if new.is_empty() {
            return (constraint, found);
        }
        new.sort_unstable();
        for number in new {
            let pending = from.structures.facts[number].clone();
            let terms = &mut from.scratch.terms;
            let mut inputs = Vec::new();
            for arg in &pending.inputs {
                let sort = arg.sort(terms);
                inputs.push(arguments.variable(terms, arg, sort, "argument"));
            }
            variables.extend_from_slice(&inputs);
            variables.extend_from_slice(&pending.outputs);
            found.extend(pending.fact(&inputs));
        }
    }
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

    fn term(&mut self, root: TermId) -> TermId {
        // In the user's order, so that what is shown is in it too.
        for var in self.from.variables(root) {
            self.variable(var);
        }
        let (from, variables) = (self.from, &self.variables);
        let mut done = FxHashMap::default();
        self.to
            .import_renamed(from, root, &mut |_, var| variables[&var], &mut done)
    }
}
