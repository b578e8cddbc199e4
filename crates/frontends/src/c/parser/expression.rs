//! Expressions.

use suppose_number::Int;
use suppose_source::{Diagnostic, Span};

use super::literal::{literal, text_bytes};
use super::{EXPRESSION, Named, Parser, Result};
use crate::c::ast::{CHAIN, Expr, ExprKind, Operator, Type, UnaryOp};
use crate::c::lexer::Kind;
use crate::c::types::{BinaryOp, IntType};

impl Parser {
    /// Makes an expression; refuses one that is nested too deep.
    fn made(&self, kind: ExprKind, span: Span) -> Result<Expr> {
        let mut expr = Expr {
            kind,
            span,
            depth: 0,
        };
        let below = expr.children().iter().map(|e| e.depth).max().unwrap_or(0);
        expr.depth = below + 1;
        if expr.depth > EXPRESSION {
            let message = format!("this expression is nested more than {EXPRESSION} levels deep");
            return Err(Diagnostic::error(span, message)
                .label("too deep")
                .help("split it into several statements"));
        }
        Ok(expr)
    }

    /// In parentheses.
    pub(super) fn round(&mut self) -> Result<Expr> {
        self.expect("(")?;
        let inner = self.expression()?;
        self.expect(")")?;
        Ok(inner)
    }

    pub(super) fn expression(&mut self) -> Result<Expr> {
        let mut left = self.assignment()?;
        while self.takes(",") {
            let right = self.assignment()?;
            let span = left.span.to(right.span);
            left = self.made(ExprKind::Comma(Box::new(left), Box::new(right)), span)?;
        }
        Ok(left)
    }

    pub(super) fn assignment(&mut self) -> Result<Expr> {
        let _level = self.deeper()?;
        let left = self.conditional()?;
        let op = match &*self.peek().text {
            "=" => None,
            "+=" => Some(BinaryOp::Add),
            "-=" => Some(BinaryOp::Sub),
            "*=" => Some(BinaryOp::Mul),
            "/=" => Some(BinaryOp::Div),
            "%=" => Some(BinaryOp::Rem),
            "<<=" => Some(BinaryOp::Shl),
            ">>=" => Some(BinaryOp::Shr),
            "&=" => Some(BinaryOp::BitAnd),
            "|=" => Some(BinaryOp::BitOr),
            "^=" => Some(BinaryOp::BitXor),
            _ => return Ok(left),
        };
        if self.peek().kind != Kind::Punct {
            return Ok(left);
        }
        self.at += 1;
        let right = self.assignment()?;
        let span = left.span.to(right.span);
        self.made(ExprKind::Assign(op, Box::new(left), Box::new(right)), span)
    }

    pub(super) fn conditional(&mut self) -> Result<Expr> {
        let condition = self.binary(0)?;
        if !self.takes("?") {
            return Ok(condition);
        }
        let _level = self.deeper()?;
        let then = self.expression()?;
        self.expect(":")?;
        let otherwise = self.conditional()?;
        let span = condition.span.to(otherwise.span);
        let (condition, then) = (Box::new(condition), Box::new(then));
        self.made(
            ExprKind::Conditional(condition, then, Box::new(otherwise)),
            span,
        )
    }

    fn binary(&mut self, least: u8) -> Result<Expr> {
        let mut left = self.unary()?;
        // What comes after many operators in a row.
        let mut rest = Vec::new();
        for count in 0usize.. {
            let token = self.peek();
            let strength = match token.kind {
                Kind::Punct => strength(&token.text),
                _ => None,
            };
            let Some((strength, op)) = strength.filter(|(s, _)| *s >= least) else {
                break;
            };
            self.at += 1;
            let right = self.binary(strength + 1)?;
            if count >= CHAIN {
                rest.push((op, right));
                continue;
            }
            let span = left.span.to(right.span);
            let (a, b) = (Box::new(left), Box::new(right));
            let kind = match op {
                Operator::Or => ExprKind::Or(a, b),
                Operator::And => ExprKind::And(a, b),
                Operator::Plain(op) => ExprKind::Binary(op, a, b),
            };
            left = self.made(kind, span)?;
        }
        let Some((_, last)) = rest.last() else {
            return Ok(left);
        };
        let span = left.span.to(last.span);
        self.made(ExprKind::Chain(Box::new(left), rest), span)
    }

    fn unary(&mut self) -> Result<Expr> {
        let _level = self.deeper()?;
        let token = self.peek().clone();
        let start = token.span;
        if token.is_word("sizeof") {
            return self.size();
        }
        if token.is_word("__extension__") {
            self.at += 1;
            return self.unary();
        }
        if token.kind != Kind::Punct {
            return self.postfix();
        }
        let unary = match &*token.text {
            "-" => Some(UnaryOp::Minus),
            "+" => Some(UnaryOp::Plus),
            "!" => Some(UnaryOp::Not),
            "~" => Some(UnaryOp::Complement),
            _ => None,
        };
        if let Some(op) = unary {
            self.at += 1;
            let inner = self.unary()?;
            let span = start.to(inner.span);
            return self.made(ExprKind::Unary(op, Box::new(inner)), span);
        }
        match &*token.text {
            "++" | "--" => {
                self.at += 1;
                let target = Box::new(self.unary()?);
                let span = start.to(target.span);
                let op = step(&token.text);
                let prefix = true;
                self.made(ExprKind::Step { target, op, prefix }, span)
            }
            "&" | "*" => {
                self.at += 1;
                let inner = Box::new(self.unary()?);
                let span = start.to(inner.span);
                let kind = match token.is("&") {
                    true => ExprKind::Address(inner),
                    false => ExprKind::Deref(inner),
                };
                self.made(kind, span)
            }
            "(" if self.is_type_next(1) => {
                self.at += 1;
                let ty = self.type_name()?;
                self.expect(")")?;
                if let Type::Other(what) = ty {
                    let place = start.to(self.last_span());
                    return Err(unsupported(place, &format!("a cast to {what}")));
                }
                if self.peek().is("{") {
                    let place = start.to(self.last_span());
                    return Err(unsupported(place, "a value in braces"));
                }
                let inner = self.unary()?;
                let span = start.to(inner.span);
                self.made(ExprKind::Cast(ty, Box::new(inner)), span)
            }
            _ => self.postfix(),
        }
    }

    fn size(&mut self) -> Result<Expr> {
        let start = self.next().span;
        if !(self.peek().is("(") && self.is_type_next(1)) {
            let inner = self.unary()?;
            let span = start.to(inner.span);
            return self.made(ExprKind::SizeOf(Box::new(inner)), span);
        }
        self.at += 1;
        let ty = self.type_name()?;
        self.expect(")")?;
        let span = start.to(self.last_span());
        match self.shapes.layout(ty, self.semantics) {
            Some((size, _)) => {
                let size = Int::from(size as i64);
                self.made(ExprKind::Number(size, IntType::UnsignedLong), span)
            }
            None => {
                let what = self.shapes.describe(ty);
                Err(unsupported(
                    span,
                    &format!("the size of {what} of this type"),
                ))
            }
        }
    }

    fn postfix(&mut self) -> Result<Expr> {
        let mut expr = self.primary()?;
        loop {
            let token = self.peek().clone();
            if token.kind != Kind::Punct {
                return Ok(expr);
            }
            match &*token.text {
                "++" | "--" => {
                    self.at += 1;
                    let span = expr.span.to(token.span);
                    let op = step(&token.text);
                    let target = Box::new(expr);
                    let prefix = false;
                    expr = self.made(ExprKind::Step { target, op, prefix }, span)?;
                }
                "(" => {
                    self.at += 1;
                    let arguments = self.arguments()?;
                    let span = expr.span.to(self.last_span());
                    let kind = match expr.kind {
                        ExprKind::Name(name) => ExprKind::Call(name, arguments),
                        _ => ExprKind::CallPointer(Box::new(expr), arguments),
                    };
                    expr = self.made(kind, span)?;
                }
                "[" => {
                    self.at += 1;
                    let index = self.expression()?;
                    let end = self.expect("]")?;
                    let span = expr.span.to(end);
                    expr = self.made(ExprKind::Index(Box::new(expr), Box::new(index)), span)?;
                }
                "." | "->" => {
                    self.at += 1;
                    if self.peek().kind != Kind::Word {
                        return Err(self.expected("the name of a part"));
                    }
                    let name = self.next();
                    let span = expr.span.to(name.span);
                    if token.is("->") {
                        let before = expr.span;
                        expr = self.made(ExprKind::Deref(Box::new(expr)), before)?;
                    }
                    expr = self.made(ExprKind::Member(Box::new(expr), name.text), span)?;
                }
                _ => return Ok(expr),
            }
        }
    }

    /// With the closing parenthesis.
    fn arguments(&mut self) -> Result<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.takes(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.assignment()?);
            if !self.takes(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(arguments)
    }

    fn primary(&mut self) -> Result<Expr> {
        let token = self.peek().clone();
        match token.kind {
            Kind::Number | Kind::Char => {
                self.at += 1;
                let (value, ty) = literal(&token, self.semantics)?;
                self.made(ExprKind::Number(value, ty), token.span)
            }
            Kind::Text => {
                let mut bytes = Vec::new();
                while self.peek().kind == Kind::Text {
                    let part = self.next();
                    bytes.extend(text_bytes(&part)?);
                }
                bytes.push(0);
                let span = token.span.to(self.last_span());
                self.made(ExprKind::Text(bytes.into()), span)
            }
            Kind::Word if is_reserved(&token.text) => Err(self.expected("an expression")),
            Kind::Word => {
                self.at += 1;
                let kind = match self.lookup(&token.text) {
                    Some(Named::Constant(value, ty)) => ExprKind::Number(value.clone(), *ty),
                    Some(Named::Type(_)) => {
                        self.at -= 1;
                        return Err(self.expected("an expression"));
                    }
                    _ => ExprKind::Name(token.text),
                };
                self.made(kind, token.span)
            }
            Kind::Punct if token.is("(") && self.peek_at(1).is("{") => {
                self.at += 1;
                let stmts = self.block()?;
                let end = self.expect(")")?;
                self.made(ExprKind::Block(stmts.into()), token.span.to(end))
            }
            Kind::Punct if token.is("(") => {
                self.at += 1;
                let inner = self.expression()?;
                let end = self.expect(")")?;
                // The parentheses belong to it in what is shown, not in its meaning.
                let span = token.span.to(end);
                Ok(Expr { span, ..inner })
            }
            _ => Err(self.expected("an expression")),
        }
    }
}

fn step(text: &str) -> BinaryOp {
    if text == "++" {
        BinaryOp::Add
    } else {
        BinaryOp::Sub
    }
}

fn unsupported(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(span, format!("{what} is not supported"))
        .label("not supported")
        .help("values are integers, pointers, arrays and structures")
}

fn strength(operator: &str) -> Option<(u8, Operator)> {
    use BinaryOp::*;
    let plain = |strength, op| Some((strength, Operator::Plain(op)));
    match operator {
        "||" => Some((0, Operator::Or)),
        "&&" => Some((1, Operator::And)),
        "|" => plain(2, BitOr),
        "^" => plain(3, BitXor),
        "&" => plain(4, BitAnd),
        "==" => plain(5, Eq),
        "!=" => plain(5, Ne),
        "<" => plain(6, Lt),
        "<=" => plain(6, Le),
        ">" => plain(6, Gt),
        ">=" => plain(6, Ge),
        "<<" => plain(7, Shl),
        ">>" => plain(7, Shr),
        "+" => plain(8, Add),
        "-" => plain(8, Sub),
        "*" => plain(9, Mul),
        "/" => plain(9, Div),
        "%" => plain(9, Rem),
        _ => None,
    }
}

fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "if" | "else"
            | "while"
            | "do"
            | "for"
            | "switch"
            | "case"
            | "default"
            | "break"
            | "continue"
            | "return"
            | "goto"
            | "int"
            | "long"
            | "short"
            | "char"
            | "void"
            | "unsigned"
            | "signed"
            | "_Bool"
            | "struct"
            | "union"
            | "enum"
            | "typedef"
            | "extern"
            | "static"
            | "const"
            | "float"
            | "double"
            | "sizeof"
    )
}
