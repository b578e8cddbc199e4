//! Formulas that ask that something happens. The claim is the Büchi automaton of what violates the formula; the formula itself is
//! kept too, so that evidence can be checked without trusting the automaton.

use rustc_hash::FxHashMap;
use suppose_model::ltl::{Buchi, Cube, Formulas, Id};
use suppose_model::program::{
    Action, Binary, Claim, Edge, Expr, Formula, FormulaNode, Location, Unary,
};
use suppose_source::Diagnostic;

use super::claim::accepting_for_ever;
use super::expr::{binary, not};
use super::ltl::is_temporal;
use super::{Lower, Lowered};
use crate::promela::ast::{self, ExprKind, Ltl, Temporal};

/// Formulas with more operators are not translated.
const NODES: usize = 2_000;
/// Larger automata are not searched.
const STATES: usize = 1_000;

/// A formula in the making.
#[derive(Default)]
struct Reader {
    formula: Formula,
    numbers: FxHashMap<Expr, u32>,
    /// Constants are atoms like any other, so that nothing is simplified by them.
    opaque: bool,
}

impl Lower<'_> {
    pub(super) fn liveness(&mut self, ltl: &Ltl, name: String) {
        let mut reader = Reader::default();
        let read = self.tree(&mut reader, &ltl.formula);
        if self.keep(read).is_none() {
            return;
        }
        if reader.formula.atoms.iter().any(Expr::may_fail) {
            reader = Reader {
                opaque: true,
                ..Reader::default()
            };
            let again = self.tree(&mut reader, &ltl.formula);
            if self.keep(again).is_none() {
                return;
            }
        }
        let formula = reader.formula;
        let Some(buchi) = automaton(&formula) else {
            let why = "the formula is too large, or its automaton is";
            return self.leave_undecided(name, why, ltl.span);
        };
        let (locations, end) = locations(&buchi, &formula, ltl);
        self.program.claims.push(Claim {
            name,
            locations,
            entry: buchi.initial,
            end,
            text: ltl.text.clone(),
            span: ltl.span,
            events: None,
            formula: Some(formula),
        });
    }

    /// Adds a formula with all its parts; its number.
    fn tree(&mut self, reader: &mut Reader, expr: &ast::Expr) -> Lowered<u32> {
        if !is_temporal(expr) {
            let lowered = self.expr(expr)?;
            return Ok(reader.atom(lowered));
        }
        match &expr.kind {
            ExprKind::Unary(Unary::Not, of) => {
                let of = self.tree(reader, of)?;
                Ok(reader.formula.add(FormulaNode::Not(of)))
            }
            ExprKind::Chain(operator, all) => {
                let mut parts = Vec::with_capacity(all.len());
                for part in all {
                    parts.push(self.tree(reader, part)?);
                }
                let join = match operator {
                    Binary::And => FormulaNode::And,
                    _ => FormulaNode::Or,
                };
                let all = parts.into_iter();
                let joined = all.reduce(|a, b| reader.formula.add(join(a, b)));
                Ok(match joined {
                    Some(joined) => joined,
                    None => reader.constant(true),
                })
            }
            ExprKind::Temporal(operator, all) => self.temporal_tree(reader, *operator, all),
            _ => Err(
                Diagnostic::error(expr.span, "a temporal formula inside an expression").label(
                    "temporal operators can be joined by `&&`, `||`, `!`, `->` and `<->` only",
                ),
            ),
        }
    }

    fn temporal_tree(
        &mut self,
        reader: &mut Reader,
        operator: Temporal,
        all: &[ast::Expr],
    ) -> Lowered<u32> {
        let (Some(first), Some(last)) = (all.first(), all.last()) else {
            return Ok(reader.constant(true));
        };
        let a = self.tree(reader, first)?;
        let b = match all.len() {
            1 => a,
            _ => self.tree(reader, last)?,
        };
        let node = match operator {
            Temporal::Next => FormulaNode::Next(a),
            Temporal::Always => FormulaNode::Release(reader.constant(false), a),
            Temporal::Eventually => FormulaNode::Until(reader.constant(true), a),
            Temporal::Until => FormulaNode::Until(a, b),
            Temporal::Release => FormulaNode::Release(a, b),
            Temporal::WeakUntil => {
                let either = reader.formula.add(FormulaNode::Or(a, b));
                FormulaNode::Release(b, either)
            }
            Temporal::Implies => FormulaNode::Or(reader.formula.add(FormulaNode::Not(a)), b),
            Temporal::Equivalent => {
                let both = reader.formula.add(FormulaNode::And(a, b));
                let either = reader.formula.add(FormulaNode::Or(a, b));
                FormulaNode::Or(both, reader.formula.add(FormulaNode::Not(either)))
            }
        };
        Ok(reader.formula.add(node))
    }
}

impl Reader {
    /// A constant of the operators themselves.
    fn constant(&mut self, value: bool) -> u32 {
        self.formula.add(FormulaNode::Const(value))
    }

    fn atom(&mut self, lowered: Expr) -> u32 {
        let (mut lowered, mut positive) = (lowered, true);
        while let Expr::Unary(Unary::Not, inner) = lowered {
            (lowered, positive) = (*inner, !positive);
        }
        if let (Expr::Const(value), false) = (&lowered, self.opaque) {
            return self.constant((*value != 0) == positive);
        }
        let next = u32::try_from(self.formula.atoms.len()).unwrap_or(u32::MAX);
        let atom = *self.numbers.entry(lowered.clone()).or_insert(next);
        if atom == next {
            self.formula.atoms.push(lowered);
        }
        let node = self.formula.add(FormulaNode::Atom(atom));
        match positive {
            true => node,
            false => self.formula.add(FormulaNode::Not(node)),
        }
    }
}

/// The automaton of what violates a formula; none if it is too large.
fn automaton(formula: &Formula) -> Option<Buchi> {
    if formula.nodes.len() > NODES {
        return None;
    }
    let mut formulas = Formulas::default();
    let mut ids: Vec<Id> = Vec::with_capacity(formula.nodes.len());
    for node in &formula.nodes {
        let id = |of: u32| ids[of as usize];
        ids.push(match *node {
            FormulaNode::Atom(atom) => formulas.literal(atom, true),
            FormulaNode::Const(value) => formulas.constant(value),
            FormulaNode::Not(of) => formulas.not(id(of)),
            FormulaNode::And(a, b) => formulas.and(vec![id(a), id(b)]),
            FormulaNode::Or(a, b) => formulas.or(vec![id(a), id(b)]),
            FormulaNode::Next(of) => formulas.next(id(of)),
            FormulaNode::Until(a, b) => formulas.until(id(a), id(b)),
            FormulaNode::Release(a, b) => formulas.release(id(a), id(b)),
        });
    }
    let violated = formulas.not(*ids.last()?);
    let buchi = Buchi::of(&formulas, violated).ok()?;
    (buchi.edges.len() <= STATES).then_some(buchi)
}

/// The places of the automaton as those of a claim, and the number of its end.
fn locations(buchi: &Buchi, formula: &Formula, ltl: &Ltl) -> (Vec<Location>, u32) {
    let edge = |(cube, target): &(Cube, u32)| Edge {
        action: Action::Guard(guard(*cube, &formula.atoms)),
        target: *target,
        rank: 0,
        text: "the formula can still be violated".to_owned(),
        span: ltl.span,
        number: None,
        d_step: false,
    };
    let states = buchi.edges.iter().zip(&buchi.accepting);
    let mut locations: Vec<Location> = states
        .map(|(edges, accept)| Location {
            edges: edges.iter().map(edge).collect(),
            accept: *accept,
            span: Some(ltl.span),
            ..Location::default()
        })
        .collect();
    let end = u32::try_from(locations.len()).unwrap_or(u32::MAX);
    locations.push(Location {
        end: true,
        span: Some(ltl.span),
        ..Location::default()
    });
    accepting_for_ever(&mut locations, end);
    (locations, end)
}

/// The literals of a cube, in the order in which the formula has its atoms: one protects the next from being evaluated.
fn guard(cube: Cube, atoms: &[Expr]) -> Expr {
    let literals = atoms.iter().enumerate().filter_map(|(number, atom)| {
        match (cube.positive >> number & 1, cube.negative >> number & 1) {
            (1, _) => Some(atom.clone()),
            (_, 1) => Some(not(atom.clone())),
            _ => None,
        }
    });
    let all = literals.reduce(|a, b| binary(Binary::And, a, b));
    all.unwrap_or(Expr::Const(1))
}
