//! Expressions and formulas: operators by their strength.

use suppose_model::fsm::{BinaryOp, LinearPair};
use suppose_source::Cursor;
use suppose_source::Span;

use super::super::Dialect;
use super::super::ast::{ChainOp, Expr, ExprKind, PslOp};
use super::super::lexer::Token;
use super::{Parsed, Parser};

/// How tightly operators bind in NuSMV, the loosest first. `::` and the prefix operators follow.
pub(super) const IMPLIES: u8 = 1;
const IFF: u8 = 2;
/// `until` and its like in PSL, where `<->` is as loose as `->`.
pub(super) const LINEAR_OF_PSL: u8 = 2;
pub(super) const CHOICE: u8 = 3;
const OR: u8 = 4;
const AND: u8 = 5;
const LINEAR: u8 = 6;
/// The precedence at which the operand of a temporal operator ends.
pub(super) const COMPARE: u8 = 7;
const IN: u8 = 8;
const UNION: u8 = 9;
const RANGE: u8 = 10;
const SHIFT: u8 = 11;
const SUM: u8 = 12;
const PRODUCT: u8 = 13;
const CONCATENATE: u8 = 14;

#[derive(Clone, Copy)]
enum Operator {
    Implies,
    Choice,
    Range,
    Chain(ChainOp),
    /// A PSL operator of this many tokens.
    Psl(PslOp, usize),
}

impl Parser<'_> {
    /// An expression or formula of any strength.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.operators(0)
    }

    /// An expression such as a bound of a range.
    pub(super) fn sum(&mut self) -> Parsed<Expr> {
        self.operators(SUM)
    }

    /// Some expressions, with commas between.
    pub(super) fn list(&mut self, end: Token) -> Parsed<Vec<Expr>> {
        let mut all = Vec::new();
        if self.token() == end {
            return Err(self.expected("an expression"));
        }
        loop {
            all.push(self.expr()?);
            if !self.eat(Token::Comma) {
                return Ok(all);
            }
        }
    }

    /// The operator here and its strength.
    fn operator(&self) -> Option<(Operator, u8)> {
        use BinaryOp as Op;
        let old = self.dialect == Dialect::Old;
        let binary = |op, level| Some((Operator::Chain(ChainOp::Binary(op)), level));
        let linear = |op| match self.linear {
            true => Some((Operator::Chain(ChainOp::Linear(op)), LINEAR)),
            false => None,
        };
        match self.token() {
            Token::Implies => Some((Operator::Implies, IMPLIES)),
            Token::Iff if self.psl => binary(Op::Iff, IMPLIES),
            Token::Name if self.psl => {
                let (op, tokens) = self.psl_operator()?;
                Some((Operator::Psl(op, tokens), LINEAR_OF_PSL))
            }
            Token::Iff => binary(Op::Iff, IFF),
            Token::Question => Some((Operator::Choice, CHOICE)),
            Token::Or => Some((Operator::Chain(ChainOp::Or), OR)),
            Token::Xor => binary(Op::Xor, OR),
            Token::Xnor => binary(Op::Xnor, OR),
            Token::And => Some((Operator::Chain(ChainOp::And), AND)),
            Token::Until => linear(LinearPair::Until),
            Token::Releases => linear(LinearPair::Releases),
            Token::Since => linear(LinearPair::Since),
            Token::Triggered => linear(LinearPair::Triggered),
            Token::Equal => binary(Op::Equal, COMPARE),
            Token::Unequal => binary(Op::Unequal, COMPARE),
            Token::Less => binary(Op::Less, COMPARE),
            Token::AtMost => binary(Op::AtMost, COMPARE),
            Token::Greater => binary(Op::Greater, COMPARE),
            Token::AtLeast => binary(Op::AtLeast, COMPARE),
            // In the old SMV `in` binds tighter than `union`, and `mod` looser than `+`.
            Token::In => binary(Op::In, if old { UNION } else { IN }),
            Token::Union => {
                let level = if old { IN } else { UNION };
                Some((Operator::Chain(ChainOp::Union), level))
            }
            Token::DotDot => Some((Operator::Range, RANGE)),
            Token::ShiftLeft => binary(Op::ShiftLeft, SHIFT),
            Token::ShiftRight => binary(Op::ShiftRight, SHIFT),
            Token::Plus => binary(Op::Add, SUM),
            Token::Minus => binary(Op::Subtract, SUM),
            Token::Star => binary(Op::Multiply, PRODUCT),
            Token::Slash => binary(Op::Divide, PRODUCT),
            Token::Mod => binary(Op::Modulo, if old { SHIFT } else { PRODUCT }),
            Token::Concatenate => binary(Op::Concatenate, CONCATENATE),
            _ => None,
        }
    }

    /// Operators that bind at least so tightly.
    pub(super) fn operators(&mut self, least: u8) -> Parsed<Expr> {
        let _level = self.enter_operator()?;
        let start = self.span();
        let mut left = self.prefix()?;
        while let Some((operator, level)) = self.operator() {
            if level < least {
                break;
            }
            self.next();
            self.skip_double();
            left = match operator {
                // To the left in PSL.
                Operator::Implies if self.psl => {
                    let right = self.operators(IMPLIES + 1)?;
                    Expr {
                        temporal: left.temporal || right.temporal,
                        kind: ExprKind::Implies(vec![left, right]),
                        span: self.since(start),
                    }
                }
                Operator::Psl(op, tokens) => {
                    (1..tokens).for_each(|_| self.next());
                    let right = self.operators(LINEAR_OF_PSL + 1)?;
                    self.psl_pair(op, left, right, start)
                }
                Operator::Implies => self.implication(left, start)?,
                Operator::Choice => self.choice(left, start)?,
                Operator::Range => {
                    let high = self.operators(RANGE + 1)?;
                    Expr {
                        temporal: left.temporal || high.temporal,
                        kind: ExprKind::Range(Box::new((left, high))),
                        span: self.since(start),
                    }
                }
                Operator::Chain(op) => {
                    let right = self.operators(level + 1)?;
                    self.chained(left, op, right, start)
                }
            };
        }
        Ok(left)
    }

    /// PSL has `&&`, `||` and `==` too.
    fn skip_double(&mut self) {
        let double = matches!(self.token(), Token::And | Token::Or | Token::Equal);
        let before = self.at.checked_sub(1).map(|at| self.lexemes[at]);
        let here = self.lexeme();
        if self.psl
            && double
            && before.is_some_and(|b| b.token == here.token && b.span.end == here.span.start)
        {
            self.next();
        }
    }

    fn chained(&self, left: Expr, op: ChainOp, right: Expr, start: Span) -> Expr {
        let linear = matches!(op, ChainOp::Linear(_));
        let temporal = left.temporal || right.temporal || linear;
        let span = self.since(start);
        // Brackets on the left change nothing: `(a + b) + c` is `a + b + c`.
        let kind = match left.kind {
            ExprKind::Chain(first, mut rest) if rest.last().is_some_and(|(o, _)| alike(*o, op)) => {
                rest.push((op, right));
                ExprKind::Chain(first, rest)
            }
            kind => {
                let left = Expr { kind, ..left };
                ExprKind::Chain(Box::new(left), vec![(op, right)])
            }
        };
        Expr {
            kind,
            span,
            temporal,
        }
    }

    /// The rest of `a -> b -> c`, which groups to the right.
    fn implication(&mut self, first: Expr, start: Span) -> Parsed<Expr> {
        let mut all = vec![first];
        loop {
            all.push(self.operators(IMPLIES + 1)?);
            if !self.eat(Token::Implies) {
                break;
            }
        }
        Ok(Expr {
            temporal: all.iter().any(|e| e.temporal),
            kind: ExprKind::Implies(all),
            span: self.since(start),
        })
    }

    fn choice(&mut self, condition: Expr, start: Span) -> Parsed<Expr> {
        let _level = self.enter()?;
        let then = self.expr()?;
        self.expect(Token::Colon, ":")?;
        let otherwise = self.operators(CHOICE)?;
        Ok(Expr {
            temporal: condition.temporal || then.temporal || otherwise.temporal,
            kind: ExprKind::Choice(Box::new((condition, then, otherwise))),
            span: self.since(start),
        })
    }
}

/// Are they in one chain? Operators of the same precedence are.
fn alike(a: ChainOp, b: ChainOp) -> bool {
    let strength = |op: ChainOp| match op {
        ChainOp::And => AND,
        ChainOp::Or | ChainOp::Binary(BinaryOp::Xor | BinaryOp::Xnor) => OR,
        ChainOp::Union => UNION,
        ChainOp::Linear(_) => LINEAR,
        ChainOp::Binary(op) => match op {
            BinaryOp::Iff => IFF,
            BinaryOp::In => IN,
            BinaryOp::Add | BinaryOp::Subtract => SUM,
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => PRODUCT,
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => SHIFT,
            BinaryOp::Concatenate => CONCATENATE,
            _ => COMPARE,
        },
    };
    strength(a) == strength(b)
}
