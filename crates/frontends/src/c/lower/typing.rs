//! Static types of expressions.

use std::rc::Rc;

use suppose_number::Int;
use suppose_source::{Diagnostic, Span};

use super::{Lower, Result};
use crate::c::ast::{self, ExprKind, Length, StmtKind, Type};
use crate::c::ir::Expr;
use crate::c::types::{BinaryOp, IntType};

impl<'a> Lower<'a> {
    pub(super) fn is_pointer(&mut self, expr: &'a ast::Expr) -> bool {
        matches!(
            self.type_of(expr),
            Ok(Type::Pointer(_) | Type::Array(..) | Type::Function(_))
        )
    }

    /// The type behind a pointer, or of the elements of an array.
    pub(super) fn behind(&self, ty: Type) -> Option<Type> {
        match ty {
            Type::Pointer(of) | Type::Array(of, _) => Some(self.program.shapes.get(of)),
            Type::Function(_) => Some(ty),
            _ => None,
        }
    }

    /// The static type of an expression, an array as an array.
    pub(super) fn type_of(&mut self, expr: &'a ast::Expr) -> Result<Type> {
        let int = Type::Int(IntType::Int);
        Ok(match &expr.kind {
            ExprKind::Number(_, ty) => Type::Int(*ty),
            ExprKind::Text(bytes) => {
                let char = self.program.shapes.id(Type::Int(IntType::Char));
                Type::Array(char, Length::Known(bytes.len() as u64))
            }
            ExprKind::Name(name) => match self.binding(name) {
                Some(binding) => binding.ty,
                None => match self.functions.get(&**name) {
                    Some(known) => {
                        let declared = known.declared;
                        self.function_type(declared)
                    }
                    None => return Err(self.unknown(name, expr.span)),
                },
            },
            ExprKind::Index(a, b) => {
                let first = self.type_of(a)?;
                match self.behind(first) {
                    Some(of) => of,
                    None => {
                        let second = self.type_of(b)?;
                        self.behind(second)
                            .ok_or_else(|| Self::not_supported(expr.span, "this use of `[`"))?
                    }
                }
            }
            ExprKind::Member(a, name) => {
                let ty = self.type_of(a)?;
                self.field(ty, name, expr.span)?.1
            }
            ExprKind::Deref(a) => {
                let ty = self.type_of(a)?;
                let what = self.program.shapes.describe(ty);
                self.behind(ty).ok_or_else(|| {
                    Diagnostic::error(expr.span, format!("`*` of {what}"))
                        .label("expected a pointer")
                })?
            }
            ExprKind::Address(a) => {
                let ty = self.type_of(a)?;
                self.program.shapes.pointer(ty)
            }
            ExprKind::SizeOf(_) => Type::Int(IntType::UnsignedLong),
            ExprKind::Unary(op, a) => match (op, self.type_of(a)?) {
                (ast::UnaryOp::Not, _) => int,
                (_, Type::Int(ty)) => Type::Int(self.semantics.promoted(ty)),
                (_, other) => other,
            },
            ExprKind::Binary(op, a, b) => {
                if op.is_comparison() {
                    return Ok(int);
                }
                let (x, y) = (self.type_of(a)?, self.type_of(b)?);
                self.combined(*op, x, y)
            }
            ExprKind::Chain(first, rest) => {
                let mut ty = self.type_of(first)?;
                for (op, right) in rest {
                    ty = match op {
                        ast::Operator::Plain(op) if !op.is_comparison() => {
                            let right = self.type_of(right)?;
                            self.combined(*op, ty, right)
                        }
                        _ => int,
                    };
                }
                ty
            }
            ExprKind::And(..) | ExprKind::Or(..) => int,
            ExprKind::Conditional(_, a, b) => {
                let (x, y) = (self.type_of(a)?, self.type_of(b)?);
                match (x, y) {
                    (Type::Int(x), Type::Int(y)) => Type::Int(self.semantics.common(x, y)),
                    (Type::Int(_), other) => self.decayed(other),
                    (first, second) => {
                        let first = self.decayed(first);
                        match self.behind(first) {
                            Some(Type::Void) => self.decayed(second),
                            _ => first,
                        }
                    }
                }
            }
            ExprKind::Comma(_, b) => self.type_of(b)?,
            ExprKind::Assign(_, target, _) | ExprKind::Step { target, .. } => {
                self.type_of(target)?
            }
            ExprKind::Cast(ty, _) => *ty,
            ExprKind::Call(name, _) => self.result_type(name),
            ExprKind::CallPointer(callee, _) => {
                let ty = self.type_of(callee)?;
                self.result_behind(ty)
                    .ok_or_else(|| Self::not_supported(callee.span, "a call of this"))?
            }
            // What it declares is not in scope here.
            ExprKind::Block(stmts) => match stmts.last().map(|s| &s.kind) {
                Some(StmtKind::Expr(last)) => {
                    // The statements live as long as the program that is read.
                    let known = self.type_of_block_end(last);
                    known.unwrap_or(Type::Void)
                }
                _ => Type::Void,
            },
        })
    }

    pub(super) fn type_of_block_end(&mut self, last: &'a ast::Expr) -> Option<Type> {
        self.type_of(last).ok()
    }

    pub(super) fn result_type(&mut self, name: &str) -> Type {
        if let Some(binding) = self.binding(name) {
            return self.result_behind(binding.ty).unwrap_or(Type::Void);
        }
        let defined = self.functions.get(name).map(|k| k.declared.result);
        let is_defined = self.functions.get(name).is_some_and(|k| k.number.is_some());
        if !is_defined && let Some(ty) = super::builtin::result(name) {
            return match ty {
                Some(ty) => Type::Int(ty),
                None => self.program.shapes.pointer(Type::Void),
            };
        }
        defined.unwrap_or(Type::Int(IntType::Int))
    }

    pub(super) fn result_behind(&self, ty: Type) -> Option<Type> {
        let function = match ty {
            Type::Pointer(of) => self.program.shapes.get(of),
            other => other,
        };
        match function {
            Type::Function(id) => Some(self.program.shapes.function_type(id).result),
            _ => None,
        }
    }

    pub(super) fn function_type(&mut self, declared: &ast::Function) -> Type {
        self.program.shapes.function(crate::c::shapes::FnType {
            result: declared.result,
            params: declared.params.iter().map(|p| p.ty).collect(),
            open: declared.open,
        })
    }

    pub(super) fn combined(&mut self, op: BinaryOp, x: Type, y: Type) -> Type {
        match (x, y) {
            (Type::Int(x), Type::Int(_)) if op.is_shift() => Type::Int(self.semantics.promoted(x)),
            (Type::Int(x), Type::Int(y)) => Type::Int(self.semantics.common(x, y)),
            (Type::Int(_), other) | (other, Type::Int(_)) => self.decayed(other),
            _ => Type::Int(IntType::Long),
        }
    }

    pub(super) fn decayed(&mut self, ty: Type) -> Type {
        match ty {
            Type::Array(of, _) => Type::Pointer(of),
            Type::Function(_) => self.program.shapes.pointer(ty),
            other => other,
        }
    }

    pub(super) fn field(&self, ty: Type, name: &Rc<str>, span: Span) -> Result<(u32, Type)> {
        let Type::Struct(id) = ty else {
            let what = self.program.shapes.describe(ty);
            let message = format!("`.{name}` of {what}");
            return Err(Diagnostic::error(span, message).label("expected a structure"));
        };
        let it = self.program.shapes.structure(id);
        if it.is_union || it.has_bits {
            let what = self.program.shapes.unsupported(ty).unwrap_or("a structure");
            return Err(Self::not_supported(span, &format!("a part of {what}")));
        }
        let tag = it.tag.as_deref().unwrap_or("this structure");
        let Some(fields) = &it.fields else {
            let message = format!("the parts of `{tag}` are not known");
            return Err(Diagnostic::error(span, message));
        };
        match fields.iter().position(|f| *f.name == **name) {
            Some(at) => Ok((at as u32, fields[at].ty)),
            None => {
                let message = format!("`{tag}` has no part `{name}`");
                Err(Diagnostic::error(span, message).label("not known here"))
            }
        }
    }

    /// The size of an expression's type.
    pub(super) fn size_of(&mut self, inner: &'a ast::Expr, span: Span) -> Result<Expr> {
        let ty = self.type_of(inner)?;
        let Some((size, _)) = self.program.shapes.layout(ty, self.semantics) else {
            let what = self.program.shapes.describe(ty);
            return Err(Self::not_supported(
                span,
                &format!("the size of {what} of this type"),
            ));
        };
        Ok(Expr::constant(
            Int::from(size as i64),
            IntType::UnsignedLong,
            span,
        ))
    }
}
