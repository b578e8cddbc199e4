//! Each clause by itself: equations are used up, and clauses that say nothing go.
//!
//! Definitions need no translation: the clauses mean the same.

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_model::chc::{App, Expr, Lin, Node, Sort, TermId, Terms, Var};
use suppose_number::Int;

use super::working::{Rule, Working, expr_variables};

/// Rounds of substitution for one clause.
const ROUNDS: usize = 100;

/// Simplifies all clauses. Did anything change?
pub(super) fn run(system: &mut Working) -> bool {
    let before = system.rules.len();
    let changed = tidy(system);
    drop_subsumed(&mut system.terms, &mut system.rules);
    changed || system.rules.len() < before
}

/// The same for those that changed since, without comparing clauses.
fn tidy(system: &mut Working) -> bool {
    let mut changed = false;
    let Working { terms, rules, .. } = system;
    for rule in rules.iter_mut().filter(|rule| rule.fresh) {
        changed |= tidy_rule(terms, rule);
    }
    let before = rules.len();
    rules.retain(|rule| !says_nothing(rule));
    changed || rules.len() < before
}

/// Uses up the equations of one clause. Did anything change?
pub(super) fn tidy_rule(terms: &mut Terms, rule: &mut Rule) -> bool {
    rule.fresh = false;
    let mut changed = false;
    for _ in 0..ROUNDS {
        if !solve(terms, rule) {
            break;
        }
        changed = true;
    }
    changed
}

/// Is the clause true whatever the predicates are?
pub(super) fn says_nothing(rule: &Rule) -> bool {
    rule.constraint == Terms::FALSE || repeats_body(rule)
}

/// Is the head in the body?
fn repeats_body(rule: &Rule) -> bool {
    rule.head
        .as_ref()
        .is_some_and(|head| rule.body.iter().any(|atom| atom.app == *head))
}

/// One round: variables that equations of the constraint fix are replaced, as many as do not interfere.
fn solve(terms: &mut Terms, rule: &mut Rule) -> bool {
    let arguments = rule.arguments();
    let mut map: FxHashMap<Var, Expr> = FxHashMap::default();
    let mut used: FxHashSet<Var> = FxHashSet::default();
    let mut order = Vec::new();
    for part in terms.conjuncts(rule.constraint) {
        let Some((var, expr)) = equation(terms, part, &arguments) else {
            continue;
        };
        let inner = expr_variables(terms, &expr);
        if map.contains_key(&var)
            || used.contains(&var)
            || inner.iter().any(|v| map.contains_key(v) || *v == var)
        {
            continue;
        }
        used.extend(inner);
        map.insert(var, expr.clone());
        order.push((var, expr));
    }
    if order.is_empty() {
        return false;
    }
    let substituted = terms.substitute(rule.constraint, &map);
    if !terms.numbers_fit(substituted) {
        return false;
    }
    rule.constraint = substituted;
    // Only a variable may take the place of an argument.
    let renamed = |var: &mut Var| {
        if let Some(expr) = map.get(var)
            && let Some(new) = plain(terms, expr)
        {
            *var = new;
        }
    };
    let apps = rule.body.iter_mut().map(|atom| &mut atom.app);
    apps.chain(&mut rule.head)
        .flat_map(|app| app.args.iter_mut())
        .for_each(renamed);
    rule.undo.extend(order);
    true
}

/// The variable that an expression is.
pub(super) fn plain(terms: &Terms, expr: &Expr) -> Option<Var> {
    match expr {
        Expr::Bool(term) => match terms.node(*term) {
            Node::Var(var) => Some(*var),
            _ => None,
        },
        Expr::Num(lin) => match lin.terms.as_slice() {
            [(var, factor)] if factor.is_one() && lin.constant.is_zero() => Some(*var),
            _ => None,
        },
    }
}

/// A variable and what it equals, if a part of the constraint says so. An argument can only be replaced by
/// a variable of its sort.
fn equation(terms: &mut Terms, part: TermId, arguments: &FxHashSet<Var>) -> Option<(Var, Expr)> {
    match terms.node(part).clone() {
        Node::Var(var) if !arguments.contains(&var) => Some((var, Expr::Bool(Terms::TRUE))),
        Node::Not(inner) => match terms.node(inner).clone() {
            Node::Var(var) if !arguments.contains(&var) => Some((var, Expr::Bool(Terms::FALSE))),
            Node::Iff(a, b) => {
                let (var, other) = definition(terms, a, b, arguments, false)?;
                Some((var, Expr::Bool(terms.not(other))))
            }
            _ => None,
        },
        Node::Iff(a, b) => {
            let (var, other) = definition(terms, a, b, arguments, true)?;
            Some((var, Expr::Bool(other)))
        }
        Node::Eq(lin) => lin
            .terms
            .iter()
            .rev()
            .find_map(|(var, factor)| solved(terms, &lin, *var, factor, arguments)),
        _ => None,
    }
}

/// Which side of an `Iff` is a variable that the other side can replace. `same`: not its negation.
fn definition(
    terms: &Terms,
    a: TermId,
    b: TermId,
    arguments: &FxHashSet<Var>,
    same: bool,
) -> Option<(Var, TermId)> {
    let side = |x: TermId, y: TermId| match (terms.node(x), terms.node(y)) {
        (Node::Var(var), Node::Var(_)) if same || !arguments.contains(var) => Some((*var, y)),
        (Node::Var(var), _) if !arguments.contains(var) => Some((*var, y)),
        _ => None,
    };
    side(b, a).or_else(|| side(a, b))
}

/// `var` from `lin = 0`, where it has the factor 1 or -1.
fn solved(
    terms: &Terms,
    lin: &Lin,
    var: Var,
    factor: &Int,
    arguments: &FxHashSet<Var>,
) -> Option<(Var, Expr)> {
    if !factor.abs().is_one() {
        return None;
    }
    let rest = lin.without(var).scale(&-factor);
    let sort = terms.sort(var);
    if sort == Sort::Int && !terms.is_integral(&rest) {
        return None;
    }
    let expr = Expr::Num(rest);
    if arguments.contains(&var) && plain(terms, &expr).is_none_or(|other| terms.sort(other) != sort)
    {
        return None;
    }
    Some((var, expr))
}

/// Clauses that another one implies, being the same with fewer constraints.
fn drop_subsumed(terms: &mut Terms, rules: &mut Vec<Rule>) {
    /// Pairs that are compared for one kind of clause.
    const MOST: usize = 64;
    let mut groups: FxHashMap<Vec<u32>, Vec<usize>> = FxHashMap::default();
    for (number, rule) in rules.iter().enumerate() {
        let mut key: Vec<u32> = rule.body.iter().map(|atom| atom.app.pred.0).collect();
        key.push(rule.head.as_ref().map_or(u32::MAX, |app| app.pred.0));
        groups.entry(key).or_default().push(number);
    }
    let mut gone = vec![false; rules.len()];
    let mut lists: Vec<Vec<usize>> = groups
        .into_values()
        .filter(|g| g.len() > 1 && g.len() <= MOST)
        .collect();
    lists.sort_unstable();
    for group in lists {
        for &weak in &group {
            for &strong in &group {
                if weak != strong
                    && !gone[weak]
                    && !gone[strong]
                    && implies(terms, &rules[weak], &rules[strong])
                {
                    gone[strong] = true;
                }
            }
        }
    }
    let mut keep = gone.iter().map(|g| !g);
    rules.retain(|_| keep.next().unwrap_or(true));
}

/// Does the first, with its variables renamed to those of the second by their places, have no more constraints?
fn implies(terms: &mut Terms, weak: &Rule, strong: &Rule) -> bool {
    let mut map: FxHashMap<Var, Var> = FxHashMap::default();
    let pairs = |app: &App, other: &App| -> Vec<(Var, Var)> {
        app.args
            .iter()
            .copied()
            .zip(other.args.iter().copied())
            .collect()
    };
    let bodies = weak
        .body
        .iter()
        .zip(&strong.body)
        .flat_map(|(a, b)| pairs(&a.app, &b.app));
    let heads = weak
        .head
        .iter()
        .zip(&strong.head)
        .flat_map(|(a, b)| pairs(a, b));
    for (from, to) in bodies.chain(heads).collect::<Vec<_>>() {
        if *map.entry(from).or_insert(to) != to {
            return false;
        }
    }
    let inner = terms.variables(weak.constraint);
    if inner.iter().any(|v| !map.contains_key(v)) {
        return false;
    }
    let mut pairs: Vec<(Var, Var)> = map.into_iter().collect();
    pairs.sort_unstable();
    let renamed = terms.replace(weak.constraint, &pairs);
    let has = terms.conjuncts(strong.constraint);
    terms
        .conjuncts(renamed)
        .iter()
        .all(|part| has.contains(part))
}
