//! Upper bounds of linear forms, and Boolean parameters that never change.

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_control::{Context, Stopped};
use suppose_model::chc::{App, Assignment, Expr, Horn, Lin, Node, Sort, TermId, Terms, Var};
use suppose_number::{Int, Rat};

use super::{Cases, Domain, numeric, run};
use crate::rules::as_expr;

/// So often a bound may grow to the value of a model before it jumps.
const GROWTH: u32 = 2;
/// So often it may grow at all before it is given up.
const JUMPS: u32 = 8;
/// Sums and differences of all pairs only up to this many parameters.
const PAIRS: usize = 10;
/// At most this many forms for one predicate.
const FORMS: usize = 400;

/// The largest value of a form: seen, or none.
#[derive(Clone, Debug)]
enum Bound {
    Most(Rat, u32),
    None,
}

#[derive(Clone, Debug)]
struct Reached {
    bounds: Vec<Bound>,
    /// For each Boolean parameter the one value it had; `None` if it had both.
    constant: Vec<Option<bool>>,
}

struct Bounds {
    forms: Vec<Vec<Lin>>,
    booleans: Vec<Vec<Var>>,
    reached: Vec<Vec<Option<Reached>>>,
    thresholds: Vec<Rat>,
}

/// Bounds that hold of each predicate, given what holds of it already; false for one that is never reached.
pub fn find(
    horn: &Horn,
    terms: &mut Terms,
    facts: &[Vec<TermId>],
    cx: &Context,
) -> Result<Vec<Vec<TermId>>, Stopped> {
    let count = horn.predicates.len();
    let cases = Cases::of(horn, terms);
    let reached = (0..count).map(|p| vec![None; cases.count(p)]);
    let mut places: Vec<Vec<(usize, &App)>> = vec![Vec::new(); count];
    for (number, clause) in horn.clauses.iter().enumerate() {
        for app in clause.body.iter().chain(&clause.head) {
            places[app.pred.index()].push((number, app));
        }
    }
    let mut domain = Bounds {
        forms: (0..count)
            .map(|p| forms(horn, terms, p, &places[p]))
            .collect(),
        booleans: horn
            .predicates
            .iter()
            .map(|p| {
                let all = p.formals.iter().copied();
                all.filter(|&v| terms.sort(v) == Sort::Bool).collect()
            })
            .collect(),
        reached: reached.collect(),
        thresholds: thresholds(horn, terms),
    };
    run(horn, terms, &cases, &mut domain, facts, cx)
}

/// The forms of a predicate: without constants, each with its negation, simple ones first.
fn forms(horn: &Horn, terms: &mut Terms, pred: usize, places: &[(usize, &App)]) -> Vec<Lin> {
    let vars = numeric(terms, &horn.predicates[pred].formals);
    let mut all: Vec<Lin> = Vec::new();
    let mut seen: FxHashSet<Lin> = FxHashSet::default();
    let mut add = |lin: Lin| {
        let plain = Lin {
            constant: Int::ZERO,
            ..lin
        };
        if !plain.is_constant() && all.len() < FORMS {
            for form in [plain.clone(), plain.neg()] {
                if seen.insert(form.clone()) {
                    all.push(form);
                }
            }
        }
    };
    for &v in &vars {
        add(Lin::var(v));
    }
    for lin in compared(horn, terms, pred, places) {
        add(lin);
    }
    if vars.len() <= PAIRS {
        for (i, &v) in vars.iter().enumerate() {
            for &w in &vars[i + 1..] {
                add(Lin::var(v).sub(&Lin::var(w)));
                add(Lin::var(v).add(&Lin::var(w)));
            }
        }
    }
    all
}

/// Linear forms that the clauses with the predicate compare, if they mention one application of it only.
fn compared(horn: &Horn, terms: &mut Terms, pred: usize, places: &[(usize, &App)]) -> Vec<Lin> {
    let formals = &horn.predicates[pred].formals;
    let mut all = Vec::new();
    for &(number, app) in places {
        let mut map: FxHashMap<Var, Expr> = FxHashMap::default();
        for (&arg, &formal) in app.args.iter().zip(formals) {
            map.entry(arg).or_insert_with(|| as_expr(terms, formal));
        }
        for part in terms.postorder(horn.clauses[number].constraint) {
            let (Node::Le(lin) | Node::Lt(lin) | Node::Eq(lin)) = terms.node(part) else {
                continue;
            };
            if !lin.terms.iter().all(|(v, _)| map.contains_key(v)) {
                continue;
            }
            let mut form = Lin::default();
            for (var, factor) in &lin.terms {
                if let Some(Expr::Num(to)) = map.get(var) {
                    form = form.add_scaled(to, factor);
                }
            }
            all.push(form);
        }
    }
    all
}

/// The constants of the clauses and their neighbours, of both signs, in order.
fn thresholds(horn: &Horn, terms: &Terms) -> Vec<Rat> {
    let mut all: Vec<Rat> = vec![Rat::ZERO, Rat::ONE, -Rat::ONE];
    for clause in &horn.clauses {
        for part in terms.postorder(clause.constraint) {
            if let Node::Le(lin) | Node::Lt(lin) | Node::Eq(lin) = terms.node(part) {
                let value = Rat::from(&lin.constant);
                for near in [value.clone(), &value - &Rat::ONE, &value + &Rat::ONE] {
                    all.push(-&near);
                    all.push(near);
                }
            }
        }
    }
    all.sort();
    all.dedup();
    all
}

impl Domain for Bounds {
    fn known(&self, terms: &mut Terms, pred: usize, case: usize) -> Option<Vec<TermId>> {
        let reached = self.reached[pred][case].as_ref()?;
        let mut all = Vec::new();
        for (form, bound) in self.forms[pred].iter().zip(&reached.bounds) {
            if let Bound::Most(most, _) = bound {
                let lin = form
                    .scale(most.den())
                    .add_scaled(&Lin::constant(most.num().clone()), &Int::MINUS_ONE);
                all.push(terms.le(lin));
            }
        }
        for (&var, value) in self.booleans[pred].iter().zip(&reached.constant) {
            if let Some(value) = value {
                let literal = terms.var(var);
                all.push(if *value { literal } else { terms.not(literal) });
            }
        }
        Some(all)
    }

    fn forget(&mut self, pred: usize) {
        let nothing = Reached {
            bounds: vec![Bound::None; self.forms[pred].len()],
            constant: vec![None; self.booleans[pred].len()],
        };
        self.reached[pred].fill(Some(nothing));
    }

    fn join(&mut self, _: &Terms, pred: usize, case: usize, model: &Assignment) {
        let forms = &self.forms[pred];
        let value = |form: &Lin| form.eval(|v| model.number(v));
        let Some(reached) = &mut self.reached[pred][case] else {
            self.reached[pred][case] = Some(Reached {
                bounds: forms.iter().map(|f| Bound::Most(value(f), 0)).collect(),
                constant: self.booleans[pred]
                    .iter()
                    .map(|&v| Some(model.truth(v)))
                    .collect(),
            });
            return;
        };
        for (form, bound) in forms.iter().zip(&mut reached.bounds) {
            let Bound::Most(most, grown) = bound else {
                continue;
            };
            let new = value(form);
            if new <= *most {
                continue;
            }
            *bound = if *grown < GROWTH {
                Bound::Most(new, *grown + 1)
            } else if *grown >= JUMPS {
                Bound::None
            } else {
                let next = self.thresholds.partition_point(|t| *t < new);
                match self.thresholds.get(next) {
                    Some(threshold) => Bound::Most(threshold.clone(), *grown + 1),
                    None => Bound::None,
                }
            };
        }
        for (&var, constant) in self.booleans[pred].iter().zip(&mut reached.constant) {
            if *constant == Some(!model.truth(var)) {
                *constant = None;
            }
        }
    }
}
