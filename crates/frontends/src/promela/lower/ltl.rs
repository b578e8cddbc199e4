//! Formulas to claims. A formula that forbids something bad becomes an automaton that watches what is
//! left of it after each state, and comes to its end when nothing can make it true any more.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use suppose_model::program::{Action, Binary, Claim, Edge, Expr, Location, Unary};
use suppose_source::Diagnostic;

use super::expr::{binary, not};
use super::formula::{FALSE, Formula, Formulas, Id, TRUE, Tree};
use super::{Lower, Lowered};
use crate::promela::ast::{self, ExprKind, Ltl, Temporal};

/// How large an automaton may be.
const STATES: usize = 1000;
/// How many cases one of its states may have, and how many formulas there may be.
const CASES: usize = 1 << 14;

/// A formula in the making.
struct Reader {
    formulas: Formulas,
    atoms: Vec<Expr>,
    numbers: FxHashMap<Expr, u32>,
    /// Something that must happen: not a safety formula.
    lives: bool,
    /// A constant is in the formula.
    constants: bool,
    /// Constants are atoms like any other, so that nothing is simplified by them.
    opaque: bool,
}

impl Lower<'_> {
    pub(super) fn ltl(&mut self, ltl: &Ltl, name: String) {
        let mut reader = Reader::new(false);
        let formula = self.formula(&mut reader, &ltl.formula, true);
        let Some(mut formula) = self.keep(formula) else {
            return;
        };
        // SPIN does not look into the operands of temporal operators: in `(6 % x == 0) -> [] true` it divides by `x`.
        if reader.constants && reader.atoms.iter().any(Expr::may_fail) {
            reader = Reader::new(true);
            let again = self.formula(&mut reader, &ltl.formula, true);
            let Some(again) = self.keep(again) else {
                return;
            };
            formula = again;
        }
        if reader.lives {
            return self.liveness(ltl, name);
        }
        let Some((locations, end)) = automaton(&mut reader, formula, ltl) else {
            self.leave_undecided(name, "the formula's automaton is too large", ltl.span);
            return;
        };
        self.program.claims.push(Claim {
            name,
            locations,
            entry: 0,
            end,
            text: ltl.text.clone(),
            span: ltl.span,
            events: None,
            formula: None,
        });
    }

    fn formula(&mut self, reader: &mut Reader, expr: &ast::Expr, positive: bool) -> Lowered<Id> {
        if !is_temporal(expr) {
            let mut lowered = self.expr(expr)?;
            let mut positive = positive;
            while let Expr::Unary(Unary::Not, inner) = lowered {
                (lowered, positive) = (*inner, !positive);
            }
            reader.constants |= matches!(lowered, Expr::Const(_));
            if let (Expr::Const(value), false) = (&lowered, reader.opaque) {
                return Ok(if (*value != 0) == positive {
                    TRUE
                } else {
                    FALSE
                });
            }
            let next = u32::try_from(reader.atoms.len()).unwrap_or(u32::MAX);
            let atom = *reader.numbers.entry(lowered.clone()).or_insert(next);
            if atom == next {
                reader.atoms.push(lowered);
            }
            return Ok(reader.formulas.number(Formula::Atom(atom, positive)));
        }
        match &expr.kind {
            ExprKind::Unary(Unary::Not, of) => self.formula(reader, of, !positive),
            ExprKind::Chain(operator, all) => {
                let all: Lowered<Vec<Id>> = all
                    .iter()
                    .map(|e| self.formula(reader, e, positive))
                    .collect();
                Ok(match (*operator == Binary::And) == positive {
                    true => reader.formulas.and(all?),
                    false => reader.formulas.or(all?),
                })
            }
            ExprKind::Temporal(operator, all) => self.temporal(reader, *operator, all, positive),
            _ => Err(
                Diagnostic::error(expr.span, "a temporal formula inside an expression").label(
                    "temporal operators can be joined by `&&`, `||`, `!`, `->` and `<->` only",
                ),
            ),
        }
    }

    fn temporal(
        &mut self,
        reader: &mut Reader,
        operator: Temporal,
        all: &[ast::Expr],
        positive: bool,
    ) -> Lowered<Id> {
        let (Some(first), Some(last)) = (all.first(), all.last()) else {
            return Ok(TRUE);
        };
        match operator {
            Temporal::Implies => {
                let a = self.formula(reader, first, !positive)?;
                let b = self.formula(reader, last, positive)?;
                return Ok(match positive {
                    true => reader.formulas.or(vec![a, b]),
                    false => reader.formulas.and(vec![a, b]),
                });
            }
            Temporal::Equivalent => {
                let (a, not_a) = (
                    self.formula(reader, first, true)?,
                    self.formula(reader, first, false)?,
                );
                let b = self.formula(reader, last, positive)?;
                let not_b = self.formula(reader, last, !positive)?;
                let both = reader.formulas.and(vec![a, b]);
                let neither = reader.formulas.and(vec![not_a, not_b]);
                return Ok(reader.formulas.or(vec![both, neither]));
            }
            _ => {}
        }
        let a = self.formula(reader, first, positive)?;
        let b = self.formula(reader, last, positive)?;
        Ok(match (operator, positive) {
            (Temporal::Next, _) => match a {
                TRUE | FALSE => a,
                _ => reader.formulas.number(Formula::Next(a)),
            },
            (Temporal::Always, true) | (Temporal::Eventually, false) => reader.release(FALSE, a),
            (Temporal::Always, false) | (Temporal::Eventually, true) => reader.must(a),
            // Without negation `a U b` is an obligation; negated, `!a V !b` is none.
            (Temporal::Until, true) => reader.must(b),
            (Temporal::Until, false) => reader.release(a, b),
            (Temporal::Release, true) => reader.release(a, b),
            (Temporal::Release, false) => reader.must(b),
            (Temporal::WeakUntil, true) => {
                let either = reader.formulas.or(vec![a, b]);
                reader.release(b, either)
            }
            _ => reader.must(b),
        })
    }
}

impl Reader {
    fn new(opaque: bool) -> Reader {
        Reader {
            formulas: Formulas::new(),
            atoms: Vec::new(),
            numbers: FxHashMap::default(),
            lives: false,
            constants: false,
            opaque,
        }
    }

    fn is_constant(&self, id: Id) -> bool {
        match self.formulas.atom(id) {
            Some(atom) => matches!(self.atoms.get(atom as usize), Some(Expr::Const(_))),
            None => matches!(id, TRUE | FALSE),
        }
    }

    fn release(&mut self, a: Id, b: Id) -> Id {
        match (a, b) {
            (_, TRUE | FALSE) | (TRUE, _) => b,
            _ => self.formulas.number(Formula::Release(a, b)),
        }
    }

    /// Something that must happen; where it is a constant there is nothing to wait for.
    fn must(&mut self, what: Id) -> Id {
        self.lives |= !self.is_constant(what);
        what
    }
}

pub(super) fn is_temporal(expr: &ast::Expr) -> bool {
    match &expr.kind {
        ExprKind::Temporal(Temporal::Implies | Temporal::Equivalent, _)
        | ExprKind::Temporal(..) => true,
        ExprKind::Unary(_, of) => is_temporal(of),
        ExprKind::Binary(_, a, b) => is_temporal(a) || is_temporal(b),
        ExprKind::Chain(_, all) => all.iter().any(is_temporal),
        ExprKind::Cond(a, b, c) => is_temporal(a) || is_temporal(b) || is_temporal(c),
        _ => false,
    }
}

/// The automaton and the number of its end; none if it is too large.
fn automaton(reader: &mut Reader, formula: Id, ltl: &Ltl) -> Option<(Vec<Location>, u32)> {
    let mut states = vec![formula];
    let mut trees = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let mut budget = CASES;
        let tree = reader.formulas.step(states[at], &mut budget)?;
        let mut leaves = BTreeMap::new();
        tree.leaves(&mut leaves);
        for leaf in leaves.keys() {
            if !matches!(*leaf, TRUE | FALSE) && !states.contains(leaf) {
                states.push(*leaf);
            }
        }
        trees.push((tree, leaves));
        at += 1;
        if states.len() > STATES || reader.formulas.len() > CASES {
            return None;
        }
    }
    let end = u32::try_from(states.len()).ok()?;
    let number = |id: Id| match id {
        FALSE => Some(end),
        _ => states.iter().position(|s| *s == id).map(|n| n as u32),
    };
    let mut locations = Vec::new();
    for (tree, leaves) in &trees {
        let mut edges = Vec::new();
        let settled = leaves.contains_key(&TRUE);
        let last = leaves.keys().next_back().copied();
        for leaf in leaves.keys().copied() {
            let Some(target) = number(leaf).filter(|_| leaf != TRUE) else {
                continue;
            };
            let guard = match when(tree, leaf, &reader.atoms) {
                When::Never => Expr::Const(0),
                When::Always => Expr::Const(1),
                When::If(condition) => condition,
            };
            // The last leaf is reached where no other is: `else` instead of a condition.
            let rest = Some(leaf) == last && !settled && leaves.len() > 1;
            let action = if rest {
                Action::Else
            } else {
                Action::Guard(guard)
            };
            let text = match leaf {
                FALSE => "the formula is violated",
                _ => "the formula can still hold",
            };
            edges.push(Edge {
                d_step: false,
                action,
                target,
                rank: 0,
                text: text.to_owned(),
                span: ltl.span,
                number: None,
            });
        }
        locations.push(Location {
            edges,
            span: Some(ltl.span),
            ..Location::default()
        });
    }
    locations.push(Location {
        end: true,
        span: Some(ltl.span),
        ..Location::default()
    });
    Some((locations, end))
}

/// When something is so: never, always, or by a condition that is to be evaluated even if it is a constant.
#[derive(PartialEq)]
enum When {
    Never,
    Always,
    If(Expr),
}

/// The condition under which the decision tree ends in a leaf.
fn when(tree: &Tree, leaf: Id, atoms: &[Expr]) -> When {
    let (atom, yes, no) = match tree {
        Tree::Leaf(id) if *id == leaf => return When::Always,
        Tree::Leaf(_) => return When::Never,
        Tree::Split(atom, yes, no) => (
            &atoms[*atom as usize],
            when(yes, leaf, atoms),
            when(no, leaf, atoms),
        ),
    };
    let atom = || atom.clone();
    When::If(match (yes, no) {
        (yes, no) if yes == no => return yes,
        (When::Always, When::Always) => return When::Always,
        (When::Never, When::Never) => return When::Never,
        (When::Always, When::Never) => atom(),
        (When::Never, When::Always) => not(atom()),
        (When::Always, When::If(no)) => binary(Binary::Or, atom(), no),
        (When::Never, When::If(no)) => binary(Binary::And, not(atom()), no),
        (When::If(yes), When::Never) => binary(Binary::And, atom(), yes),
        (When::If(yes), When::Always) => binary(Binary::Or, not(atom()), yes),
        (When::If(yes), When::If(no)) => {
            let first = binary(Binary::And, atom(), yes);
            let second = binary(Binary::And, not(atom()), no);
            binary(Binary::Or, first, second)
        }
    })
}
