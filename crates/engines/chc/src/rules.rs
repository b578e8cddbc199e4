//! Clauses made ready for queries.

use rustc_hash::FxHashMap;
use suppose_model::chc::{App, Clause, Expr, Horn, Lin, Pred, Sort, TermId, Terms, Var};

/// A predicate of a rule's body, applied to variables of the rule.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// The predicate.
    pub pred: Pred,
    /// The variable at each of its places.
    pub args: Vec<Var>,
}

/// A clause with the formal parameters of its head in place of the head's arguments.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    /// The number of the clause.
    pub clause: usize,
    /// What it derives.
    pub head: Pred,
    /// What it needs.
    pub body: Vec<Site>,
    /// The constraint, with what it takes to make head arguments and formal parameters equal.
    pub formula: TermId,
    /// For every variable of the clause the variable that represents it here.
    pub renamed: Vec<(Var, Var)>,
}

/// A variable as a representative of another.
pub(crate) fn as_expr(terms: &mut Terms, var: Var) -> Expr {
    if terms.sort(var) == Sort::Bool {
        Expr::Bool(terms.var(var))
    } else {
        Expr::Num(Lin::var(var))
    }
}

/// The rule of a clause; a query's head is `goal`, which has no parameters.
pub(crate) fn prepare(
    horn: &Horn,
    terms: &mut Terms,
    number: usize,
    clause: &Clause,
    goal: Pred,
) -> Rule {
    let mut map: FxHashMap<Var, Var> = FxHashMap::default();
    let mut parts = Vec::new();
    if let Some(App { pred, args }) = &clause.head {
        for (&formal, &arg) in horn.predicate(*pred).formals.iter().zip(args) {
            match map.get(&arg) {
                Some(&first) => parts.push(terms.equal(formal, first)),
                None => {
                    map.insert(arg, formal);
                }
            }
        }
    }
    let renamed: Vec<(Var, Var)> = horn
        .variables(clause)
        .into_iter()
        .map(|v| (v, map.get(&v).copied().unwrap_or(v)))
        .collect();
    let moved: Vec<(Var, Var)> = renamed.iter().copied().filter(|(a, b)| a != b).collect();
    parts.push(terms.replace(clause.constraint, &moved));
    let body = clause
        .body
        .iter()
        .map(|app| Site {
            pred: app.pred,
            args: app
                .args
                .iter()
                .map(|v| map.get(v).copied().unwrap_or(*v))
                .collect(),
        })
        .collect();
    Rule {
        clause: number,
        head: clause.head.as_ref().map_or(goal, |app| app.pred),
        body,
        formula: terms.and(parts),
        renamed,
    }
}

impl Site {
    /// A formula over the predicate's formal parameters, said of the arguments.
    pub fn instance(&self, terms: &mut Terms, formals: &[Var], formula: TermId) -> TermId {
        let mut map = FxHashMap::default();
        for (&formal, &arg) in formals.iter().zip(&self.args) {
            if formal != arg {
                map.insert(formal, as_expr(terms, arg));
            }
        }
        terms.substitute(formula, &map)
    }

    /// Literals over the arguments, said of the formal parameters; a variable that occurs several times makes
    /// these places equal.
    pub fn abstracted(
        &self,
        terms: &mut Terms,
        formals: &[Var],
        literals: &[TermId],
    ) -> Vec<TermId> {
        let mut first: FxHashMap<Var, Var> = FxHashMap::default();
        let mut out = Vec::new();
        for (&formal, &arg) in formals.iter().zip(&self.args) {
            match first.get(&arg) {
                Some(&earlier) => out.push(terms.equal(earlier, formal)),
                None => {
                    first.insert(arg, formal);
                }
            }
        }
        let mut map = FxHashMap::default();
        for &arg in &self.args {
            let formal = first[&arg];
            if formal != arg {
                map.insert(arg, as_expr(terms, formal));
            }
        }
        for &literal in literals {
            out.push(terms.substitute(literal, &map));
        }
        out
    }
}
