//! The system while it is being simplified.

use rustc_hash::FxHashMap;
use suppose_model::chc::{
    App, Clause, Expr, Horn, Lin, Param, Place, Pred, Predicate, Sort, TermId, Terms, Var,
};

/// What is left of the system so far. Its store begins with that of the original; predicates keep their
/// numbers, and new ones follow.
#[derive(Clone, Debug)]
pub(super) struct Working {
    pub(super) terms: Terms,
    pub(super) predicates: Vec<Predicate>,
    pub(super) rules: Vec<Rule>,
}

/// A clause and how it came from the original ones.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) body: Vec<Atom>,
    pub(super) constraint: TermId,
    pub(super) head: Option<App>,
    pub(super) place: Option<Place>,
    /// Original clauses, put together; the first is the one whose head this is.
    pub(super) nodes: Vec<Origin>,
    /// Variables that were replaced by expressions, the latest last.
    pub(super) undo: Vec<(Var, Expr)>,
    /// May its constraint have equations that are not used up?
    pub(super) fresh: bool,
}

/// A predicate of a body.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) app: App,
    /// Which [`Premise::Atom`] it is.
    pub(super) leaf: u32,
}

/// One use of an original clause.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub(super) clause: usize,
    /// The clause's variables and what they are called in the rule.
    pub(super) variables: Vec<(Var, Var)>,
    /// For each predicate of its body where it comes from.
    pub(super) premises: Vec<Premise>,
}

/// Where a predicate of an original clause's body comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Premise {
    /// From a predicate of the rule's body.
    Atom(u32),
    /// From another original clause in the same rule, by its number there; always a larger one.
    Origin(usize),
}

impl Working {
    pub(super) fn new(horn: &Horn) -> Working {
        let rules = horn
            .clauses
            .iter()
            .enumerate()
            .map(|(number, clause)| Rule {
                body: clause
                    .body
                    .iter()
                    .zip(0..)
                    .map(|(app, leaf)| Atom {
                        app: app.clone(),
                        leaf,
                    })
                    .collect(),
                constraint: clause.constraint,
                head: clause.head.clone(),
                place: clause.place.clone(),
                nodes: vec![Origin {
                    clause: number,
                    variables: horn.variables(clause).into_iter().map(|v| (v, v)).collect(),
                    premises: (0..clause.body.len() as u32).map(Premise::Atom).collect(),
                }],
                undo: Vec::new(),
                fresh: true,
            });
        Working {
            rules: rules.collect(),
            terms: horn.terms.clone(),
            predicates: horn.predicates.clone(),
        }
    }

    /// The system with the predicates that still occur, and for each of its predicates and clauses which one it is.
    pub(super) fn finish(&self) -> (Horn, Vec<Pred>) {
        let mut numbers: FxHashMap<Pred, Pred> = FxHashMap::default();
        let mut kept: Vec<Pred> = self
            .rules
            .iter()
            .flat_map(|rule| rule.apps().map(|app| app.pred))
            .collect();
        kept.sort_unstable();
        kept.dedup();
        for (new, &old) in kept.iter().enumerate() {
            numbers.insert(old, Pred(new as u32));
        }
        let moved = |app: &App| App {
            pred: numbers[&app.pred],
            args: app.args.clone(),
        };
        let clauses = self.rules.iter().map(|rule| Clause {
            body: rule.body.iter().map(|atom| moved(&atom.app)).collect(),
            constraint: rule.constraint,
            head: rule.head.as_ref().map(moved),
            place: rule.place.clone(),
        });
        let horn = Horn {
            clauses: clauses.collect(),
            terms: self.terms.clone(),
            predicates: kept
                .iter()
                .map(|p| self.predicates[p.index()].clone())
                .collect(),
        };
        (horn, kept)
    }

    /// For each predicate the rules that it occurs in, each once.
    pub(super) fn occurrences(&self) -> Vec<Vec<usize>> {
        let mut all: Vec<Vec<usize>> = vec![Vec::new(); self.predicates.len()];
        for (number, rule) in self.rules.iter().enumerate() {
            for app in rule.apps() {
                let of = &mut all[app.pred.index()];
                if of.last() != Some(&number) {
                    of.push(number);
                }
            }
        }
        all
    }

    /// Removes arguments: of each predicate that has an answer, those at the places for which it is no.
    pub(super) fn keep_arguments(&mut self, keep: &[Option<Vec<bool>>]) {
        fn filter(args: &mut Vec<Var>, keep: &[bool]) {
            let mut place = keep.iter();
            args.retain(|_| place.next().copied().unwrap_or(true));
        }
        for rule in &mut self.rules {
            let apps = rule.body.iter_mut().map(|atom| &mut atom.app);
            for app in apps.chain(&mut rule.head) {
                if let Some(keep) = &keep[app.pred.index()] {
                    filter(&mut app.args, keep);
                    rule.fresh = true;
                }
            }
        }
        for (predicate, keep) in self.predicates.iter_mut().zip(keep) {
            if let Some(keep) = keep {
                filter(&mut predicate.formals, keep);
                predicate.params = predicate.formals.iter().map(|&v| Param::Plain(v)).collect();
            }
        }
    }
}

impl Rule {
    pub(super) fn apps(&self) -> impl Iterator<Item = &App> {
        self.body.iter().map(|atom| &atom.app).chain(&self.head)
    }

    /// The variables that its predicates have.
    pub(super) fn arguments(&self) -> rustc_hash::FxHashSet<Var> {
        self.apps()
            .flat_map(|app| app.args.iter().copied())
            .collect()
    }

    /// All variables, also those that only its history has.
    fn all_variables(&self, terms: &Terms) -> Vec<Var> {
        let mut all = terms.variables(self.constraint);
        all.extend(self.apps().flat_map(|app| app.args.iter().copied()));
        for origin in &self.nodes {
            all.extend(origin.variables.iter().map(|(_, now)| *now));
        }
        for (var, expr) in &self.undo {
            all.push(*var);
            all.extend(expr_variables(terms, expr));
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// A copy with other variables: those given, and fresh ones for all the rest.
    pub(super) fn copy(&self, terms: &mut Terms, given: &FxHashMap<Var, Var>) -> Rule {
        let mut map = given.clone();
        for var in self.all_variables(terms) {
            map.entry(var).or_insert_with(|| {
                let name = terms.name(var).to_owned();
                terms.fresh(&name, terms.sort(var))
            });
        }
        self.renamed(terms, &map)
    }

    /// A copy with other variables in place of those given, for a rule that goes: the rest stay.
    pub(super) fn moved(&self, terms: &mut Terms, given: &FxHashMap<Var, Var>) -> Rule {
        let mut map = given.clone();
        for var in self.all_variables(terms) {
            map.entry(var).or_insert(var);
        }
        self.renamed(terms, &map)
    }

    fn renamed(&self, terms: &mut Terms, map: &FxHashMap<Var, Var>) -> Rule {
        let changed = map.iter().filter(|(v, w)| v != w);
        let exprs: FxHashMap<Var, Expr> = changed.map(|(&v, &w)| (v, variable(terms, w))).collect();
        let mut done = FxHashMap::default();
        let app = |app: &App| App {
            pred: app.pred,
            args: app.args.iter().map(|v| map[v]).collect(),
        };
        let undo = self.undo.iter().map(|(var, expr)| {
            let expr = match expr {
                Expr::Bool(term) => Expr::Bool(terms.substitute_with(*term, &exprs, &mut done)),
                Expr::Num(lin) => Expr::Num(rename(lin, map)),
            };
            (map[var], expr)
        });
        Rule {
            undo: undo.collect(),
            fresh: self.fresh,
            constraint: terms.substitute_with(self.constraint, &exprs, &mut done),
            body: self
                .body
                .iter()
                .map(|atom| Atom {
                    app: app(&atom.app),
                    leaf: atom.leaf,
                })
                .collect(),
            head: self.head.as_ref().map(app),
            place: self.place.clone(),
            nodes: self
                .nodes
                .iter()
                .map(|origin| Origin {
                    variables: origin
                        .variables
                        .iter()
                        .map(|(v, now)| (*v, map[now]))
                        .collect(),
                    ..origin.clone()
                })
                .collect(),
        }
    }
}

/// A variable as an expression.
pub(super) fn variable(terms: &mut Terms, var: Var) -> Expr {
    if terms.sort(var) == Sort::Bool {
        Expr::Bool(terms.var(var))
    } else {
        Expr::Num(Lin::var(var))
    }
}

pub(super) fn expr_variables(terms: &Terms, expr: &Expr) -> Vec<Var> {
    match expr {
        Expr::Bool(term) => terms.variables(*term),
        Expr::Num(lin) => lin.terms.iter().map(|(v, _)| *v).collect(),
    }
}

fn rename(lin: &Lin, map: &FxHashMap<Var, Var>) -> Lin {
    let start = Lin::constant(lin.constant.clone());
    lin.terms
        .iter()
        .fold(start, |sum, (v, a)| sum.add_scaled(&Lin::var(map[v]), a))
}
