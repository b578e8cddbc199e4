//! Expressions: effects in order, then a value without effects.

use suppose_number::Int;
use suppose_source::{Diagnostic, Span};

use super::memory::Operand;
use super::{At, Binding, Lower, Result};
use crate::c::ast::{self, CHAIN, ExprKind, Operator, Type, UnaryOp};
use crate::c::ir::{BlockId, End, Expr, ExprKind as Ir, OpKind};
use crate::c::types::{BinaryOp, IntType, Integers};

impl<'a> Lower<'a> {
    /// Does it assign, call or read memory? What is computed by way of variables of its own assigns to them.
    pub(super) fn has_effect(&self, expr: &ast::Expr) -> bool {
        match &expr.kind {
            ExprKind::Assign(..)
            | ExprKind::Step { .. }
            | ExprKind::Call(..)
            | ExprKind::Chain(..)
            | ExprKind::Text(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Deref(_)
            | ExprKind::Address(_)
            | ExprKind::Block(_)
            | ExprKind::CallPointer(..) => true,
            ExprKind::Name(name) => self
                .binding(name)
                .is_none_or(|b| !matches!((b.at, b.ty), (At::Var(_), Type::Int(_)))),
            ExprKind::Cast(Type::Pointer(_), _) => true,
            _ => expr.children().into_iter().any(|e| self.has_effect(e)),
        }
    }

    /// The meaning of the name of a variable.
    pub(super) fn binding(&self, name: &str) -> Option<Binding> {
        self.scopes.iter().rev().find_map(|s| s.get(name)).copied()
    }

    /// As a condition: a number, or for a pointer whether it is not null.
    pub(super) fn condition(&mut self, expr: &'a ast::Expr) -> Result<Expr> {
        if self.is_pointer(expr) {
            let (pointer, _) = self.pointer(expr)?;
            return Ok(self.is_set(pointer, expr.span));
        }
        self.value(expr)
    }

    /// Only what it does.
    pub(super) fn effect(&mut self, expr: &'a ast::Expr) -> Result<()> {
        match &expr.kind {
            ExprKind::Call(name, args) => match self.binding(name) {
                Some(_) => self.operand(expr).map(|_| ()),
                None => self.call(name, args, expr.span, false).map(|_| ()),
            },
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.effect(b)
            }
            ExprKind::Cast(Type::Void, inner) => self.effect(inner),
            ExprKind::Step { target, op, .. } => match self.is_pointer(target) {
                true => self.operand(expr).map(|_| ()),
                false => self.step(target, *op, expr.span).map(|_| ()),
            },
            ExprKind::And(..) | ExprKind::Or(..) if self.has_effect(expr) => {
                let after = self.new_block(expr.span);
                self.branch(expr, after, after)?;
                self.frame.current = after;
                Ok(())
            }
            ExprKind::Conditional(condition, a, b) if self.has_effect(a) || self.has_effect(b) => {
                let (yes, no) = (self.new_block(a.span), self.new_block(b.span));
                let after = self.new_block(expr.span);
                self.branch(condition, yes, no)?;
                for (block, part) in [(yes, a), (no, b)] {
                    self.frame.current = block;
                    self.effect(part)?;
                    self.goto(after, expr.span);
                }
                self.frame.current = after;
                Ok(())
            }
            ExprKind::Text(_) => Ok(()),
            ExprKind::CallPointer(..) | ExprKind::Block(_) | ExprKind::Assign(..) => {
                self.operand(expr).map(|_| ())
            }
            _ if self.is_pointer(expr) => self.operand(expr).map(|_| ()),
            _ => {
                let value = self.value(expr)?;
                // Nobody examines it, but it may overflow.
                if self.semantics.integers == Integers::Machine && !matches!(value.kind, Ir::Var(_))
                {
                    self.saved(value);
                }
                Ok(())
            }
        }
    }

    /// Goes to one block if it is true, to the other if not.
    pub(super) fn branch(&mut self, expr: &'a ast::Expr, yes: BlockId, no: BlockId) -> Result<()> {
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.branch(inner, no, yes),
            ExprKind::And(a, b) if self.has_effect(b) => {
                let second = self.new_block(b.span);
                self.branch(a, second, no)?;
                self.frame.current = second;
                self.branch(b, yes, no)
            }
            ExprKind::Or(a, b) if self.has_effect(b) => {
                let second = self.new_block(b.span);
                self.branch(a, yes, second)?;
                self.frame.current = second;
                self.branch(b, yes, no)
            }
            _ => {
                let condition = self.condition(expr)?;
                self.branch_on(condition, yes, no, expr.span);
                Ok(())
            }
        }
    }

    fn branch_on(&mut self, condition: Expr, yes: BlockId, no: BlockId, span: Span) {
        let end = match &condition.kind {
            Ir::Const(n) => End::Goto(if n.is_zero() { no } else { yes }),
            _ => End::Branch(condition, yes, no),
        };
        self.end(end, span);
    }

    pub(super) fn value(&mut self, expr: &'a ast::Expr) -> Result<Expr> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Number(value, ty) => Ok(Expr::constant(value.clone(), *ty, span)),
            ExprKind::Name(name) => {
                if let Some(Binding {
                    at: At::Var(var),
                    ty: Type::Int(ty),
                    ..
                }) = self.binding(name)
                {
                    return Ok(Expr::new(Ir::Var(var), ty, span));
                }
                self.number(expr)
            }
            ExprKind::SizeOf(inner) => self.size_of(inner, span),
            ExprKind::Text(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Deref(_)
            | ExprKind::Address(_)
            | ExprKind::Block(_)
            | ExprKind::CallPointer(..) => self.number(expr),
            ExprKind::Unary(UnaryOp::Not, inner) if self.is_pointer(inner) => {
                let (pointer, _) = self.pointer(inner)?;
                let set = self.is_set(pointer, span);
                Ok(int(Ir::Not(Box::new(set)), span))
            }
            ExprKind::Binary(op, a, b) if self.is_pointer(a) && self.is_pointer(b) => {
                self.pointers(*op, a, b, span)
            }
            ExprKind::Binary(op, a, b)
                if op.is_comparison() && (self.is_pointer(a) || self.is_pointer(b)) =>
            {
                self.pointers(*op, a, b, span)
            }
            ExprKind::Unary(op, inner) => self.unary(*op, inner, span),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = self.pair(a, b)?;
                Ok(self.binary(*op, a, b, span))
            }
            ExprKind::Chain(first, rest) => self.chain(first, rest),
            ExprKind::And(_, b) | ExprKind::Or(_, b) if self.has_effect(b) => self.decided(expr),
            ExprKind::And(a, b) => {
                let (a, b) = (self.condition(a)?, self.value(b)?);
                Ok(int(Ir::And(Box::new(a), Box::new(b)), span))
            }
            ExprKind::Or(a, b) => {
                let (a, b) = (self.condition(a)?, self.value(b)?);
                Ok(int(Ir::Or(Box::new(a), Box::new(b)), span))
            }
            ExprKind::Conditional(condition, a, b) => self.conditional(condition, a, b, span),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.value(b)
            }
            ExprKind::Assign(..) => self.number(expr),
            ExprKind::Step { target, op, prefix } => {
                if self.is_pointer(target) {
                    return self.number(expr);
                }
                if *prefix {
                    return self.step(target, *op, span);
                }
                self.step_after(target, *op, span)
            }
            ExprKind::Call(name, args) => {
                if self.binding(name).is_some() {
                    return self.number(expr);
                }
                match self.call(name, args, span, true)? {
                    Operand::Num(value) => Ok(value),
                    Operand::Nothing => {
                        let message = format!("`{name}` gives back no value");
                        Err(Diagnostic::error(span, message).label("expected a value"))
                    }
                    _ => Err(not_a_number(span)),
                }
            }
            ExprKind::Cast(Type::Int(_), _) => self.number(expr),
            ExprKind::Cast(Type::Void, _) => {
                Err(Diagnostic::error(span, "a value of type `void`").label("expected a value"))
            }
            ExprKind::Cast(..) => self.number(expr),
        }
    }

    /// What must be a number.
    fn number(&mut self, expr: &'a ast::Expr) -> Result<Expr> {
        match self.operand(expr)? {
            Operand::Num(value) => Ok(value),
            Operand::Nothing => {
                Err(Diagnostic::error(expr.span, "a value of type `void`")
                    .label("expected a value"))
            }
            _ => Err(not_a_number(expr.span)),
        }
    }

    /// Both operands; the left one is kept if the right one could change it.
    fn pair(&mut self, a: &'a ast::Expr, b: &'a ast::Expr) -> Result<(Expr, Expr)> {
        let mut left = self.value(a)?;
        if self.has_effect(b) {
            left = self.saved(left);
        }
        Ok((left, self.value(b)?))
    }

    /// The value, saved in a fresh temporary unless it is constant.
    pub(super) fn saved(&mut self, value: Expr) -> Expr {
        if matches!(value.kind, Ir::Const(_)) {
            return value;
        }
        let (ty, span) = (value.ty, value.span);
        let var = self.temporary(ty);
        self.op(OpKind::Assign(var, value), span);
        let kind = Ir::Var(var);
        Expr::new(kind, ty, span)
    }

    /// That a name is not declared.
    pub(super) fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        let message = format!("the variable `{name}` is not declared");
        let error = Diagnostic::error(span, message).label("not known here");
        if name == "argv" || name == "argc" {
            return error.help("`argv` may be declared, but not used");
        }
        let known = self.scopes.iter().flat_map(|scope| scope.keys().copied());
        error.did_you_mean(name, known)
    }

    fn step(&mut self, target: &'a ast::Expr, op: BinaryOp, span: Span) -> Result<Expr> {
        let (_, after) = self.stepped(target, op, false, span)?;
        Ok(after)
    }

    fn step_after(&mut self, target: &'a ast::Expr, op: BinaryOp, span: Span) -> Result<Expr> {
        let (before, _) = self.stepped(target, op, true, span)?;
        Ok(before)
    }

    /// The values before and after; the first one is kept if it is wanted.
    fn stepped(
        &mut self,
        target: &'a ast::Expr,
        op: BinaryOp,
        keeps: bool,
        span: Span,
    ) -> Result<(Expr, Expr)> {
        let (target, ty) = self.counter(target)?;
        let mut old = self.number_at(&target, ty, span);
        if keeps {
            old = self.saved(old);
        }
        let one = Expr::constant(Int::ONE, IntType::Int, span);
        let new = self.binary(op, old.clone(), one, span);
        let new = self.converted(new, ty);
        let new = self.put_number(&target, new, span);
        Ok((old, new))
    }

    fn unary(&mut self, op: UnaryOp, inner: &'a ast::Expr, span: Span) -> Result<Expr> {
        let value = self.value(inner)?;
        if op == UnaryOp::Not {
            return Ok(match value.kind {
                Ir::Const(n) => {
                    Expr::constant(Int::from(i32::from(n.is_zero())), IntType::Int, span)
                }
                _ => int(Ir::Not(Box::new(value)), span),
            });
        }
        let ty = self.semantics.promoted(value.ty);
        let value = self.converted(value, ty);
        Ok(match op {
            UnaryOp::Minus => {
                let zero = Expr::constant(Int::ZERO, ty, span);
                self.binary(BinaryOp::Sub, zero, value, span)
            }
            // In two's complement `~x` is `-1 - x`; without a sign the same, modulo `2^n`.
            UnaryOp::Complement => {
                let ones = self.semantics.convert(ty, &Int::MINUS_ONE);
                let ones = Expr::constant(ones, ty, span);
                self.binary(BinaryOp::Sub, ones, value, span)
            }
            _ => value,
        })
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let semantics = self.semantics;
        let ty = if op.is_shift() {
            semantics.promoted(a.ty)
        } else {
            semantics.common(a.ty, b.ty)
        };
        let a = self.converted(a, ty);
        let b = if op.is_shift() {
            let promoted = semantics.promoted(b.ty);
            self.converted(b, promoted)
        } else {
            self.converted(b, ty)
        };
        let result = if op.is_comparison() { IntType::Int } else { ty };
        if let (Ir::Const(m), Ir::Const(n)) = (&a.kind, &b.kind)
            && let Some(value) = semantics.apply(op, ty, m, n)
        {
            return Expr::constant(value, result, span);
        }
        Expr::new(Ir::Binary(op, Box::new(a), Box::new(b)), result, span)
    }

    pub(super) fn converted(&self, value: Expr, ty: IntType) -> Expr {
        if value.ty == ty {
            return value;
        }
        let span = value.span;
        if let Ir::Const(n) = &value.kind {
            return Expr::constant(self.semantics.convert(ty, n), ty, span);
        }
        let kind = Ir::Convert(Box::new(value));
        Expr::new(kind, ty, span)
    }

    /// A truth that takes control flow to find, as 0 or 1.
    fn decided(&mut self, expr: &'a ast::Expr) -> Result<Expr> {
        let span = expr.span;
        let (yes, no) = (self.new_block(span), self.new_block(span));
        self.branch(expr, yes, no)?;
        Ok(self.truth(yes, no, span))
    }

    /// 1 if one block was reached, 0 if the other was.
    fn truth(&mut self, yes: BlockId, no: BlockId, span: Span) -> Expr {
        let result = self.temporary(IntType::Bool);
        let after = self.new_block(span);
        for (block, truth) in [(yes, 1), (no, 0)] {
            self.frame.current = block;
            let value = Expr::constant(Int::from(truth), IntType::Bool, span);
            self.op(OpKind::Assign(result, value), span);
            self.goto(after, span);
        }
        self.frame.current = after;
        let value = Expr::new(Ir::Var(result), IntType::Bool, span);
        self.converted(value, IntType::Int)
    }

    /// Many operators in a row. What comes of the first ones is kept in a variable now and then, so that no expression gets deep.
    fn chain(&mut self, first: &'a ast::Expr, rest: &'a [(Operator, ast::Expr)]) -> Result<Expr> {
        let mut left = match rest.first() {
            Some((Operator::And | Operator::Or, _)) => self.condition(first)?,
            _ => self.value(first)?,
        };
        for (count, (op, right)) in rest.iter().enumerate() {
            if count % CHAIN == 0 || self.has_effect(right) {
                self.check_size(right.span)?;
                left = self.saved(left);
            }
            let span = first.span.to(right.span);
            left = match op {
                Operator::And | Operator::Or if self.has_effect(right) => {
                    let (yes, no) = (self.new_block(span), self.new_block(span));
                    let second = self.new_block(right.span);
                    match op {
                        Operator::And => self.branch_on(left, second, no, span),
                        _ => self.branch_on(left, yes, second, span),
                    }
                    self.frame.current = second;
                    self.branch(right, yes, no)?;
                    self.truth(yes, no, span)
                }
                Operator::And => {
                    let right = self.condition(right)?;
                    int(Ir::And(Box::new(left), Box::new(right)), span)
                }
                Operator::Or => {
                    let right = self.condition(right)?;
                    int(Ir::Or(Box::new(left), Box::new(right)), span)
                }
                Operator::Plain(op) => {
                    let right = self.value(right)?;
                    self.binary(*op, left, right, span)
                }
            };
        }
        Ok(left)
    }

    fn conditional(
        &mut self,
        condition: &'a ast::Expr,
        a: &'a ast::Expr,
        b: &'a ast::Expr,
        span: Span,
    ) -> Result<Expr> {
        if !self.has_effect(a) && !self.has_effect(b) {
            let condition = self.condition(condition)?;
            let (a, b) = (self.value(a)?, self.value(b)?);
            let ty = self.semantics.common(a.ty, b.ty);
            let (a, b) = (self.converted(a, ty), self.converted(b, ty));
            return Ok(match &condition.kind {
                Ir::Const(n) if n.is_zero() => b,
                Ir::Const(_) => a,
                _ => {
                    let kind = Ir::Ite(Box::new(condition), Box::new(a), Box::new(b));
                    Expr::new(kind, ty, span)
                }
            });
        }
        let (yes, no) = (self.new_block(a.span), self.new_block(b.span));
        let after = self.new_block(span);
        self.branch(condition, yes, no)?;
        // The type of the result is known when both values are; each side assigns at its own end.
        let mut sides = Vec::new();
        for (block, part) in [(yes, a), (no, b)] {
            self.frame.current = block;
            let value = self.value(part)?;
            sides.push((self.frame.current, value));
        }
        let ty = self.semantics.common(sides[0].1.ty, sides[1].1.ty);
        let result = self.temporary(ty);
        for (block, value) in sides {
            self.frame.current = block;
            let value = self.converted(value, ty);
            self.op(OpKind::Assign(result, value), span);
            self.goto(after, span);
        }
        self.frame.current = after;
        let kind = Ir::Var(result);
        Ok(Expr::new(kind, ty, span))
    }
}

fn not_a_number(span: Span) -> Diagnostic {
    Diagnostic::error(span, "this is no number")
        .label("expected an integer")
        .help("pointers and structures are not converted to numbers")
}

/// An expression of type `int`.
fn int(kind: Ir, span: Span) -> Expr {
    Expr::new(kind, IntType::Int, span)
}
