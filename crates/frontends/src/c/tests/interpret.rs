//! A naive interpreter of statements as they are written.

use std::collections::BTreeMap;

use suppose_source::Span;

use super::Script;
use crate::c::ast::{
    Expr, ExprKind, Function, Init, Item, Operator, Stmt, StmtKind, Type, UnaryOp,
};
use crate::c::types::{BinaryOp, IntType, Integers, Semantics};
use crate::c::{COptions, lexer, parser, preprocess};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Violated(Span),
    /// A signed result does not fit.
    Overflow(Span),
    Normally,
    Stopped,
}

enum Flow {
    On,
    Break,
    Continue,
    Return(i128),
    End(Ended),
}

type Value = Result<(i128, IntType), Ended>;

struct Interpreter<'a> {
    functions: BTreeMap<&'a str, &'a Function>,
    scopes: Vec<Vec<(String, IntType, i128)>>,
    script: &'a Script,
    wrap: bool,
    checked: bool,
    steps: usize,
    depth: usize,
}

/// Width and sign.
fn shape(ty: IntType) -> (u32, bool) {
    use IntType::*;
    match ty {
        Bool => (1, false),
        Char | SignedChar => (8, true),
        UnsignedChar => (8, false),
        Short => (16, true),
        UnsignedShort => (16, false),
        Int => (32, true),
        UnsignedInt => (32, false),
        Long | LongLong => (64, true),
        UnsignedLong | UnsignedLongLong => (64, false),
    }
}

fn convert(ty: IntType, value: i128, wrap: bool) -> i128 {
    if ty == IntType::Bool {
        return i128::from(value != 0);
    }
    if !wrap {
        return value;
    }
    match shape(ty) {
        (8, true) => i128::from(value as i8),
        (8, false) => i128::from(value as u8),
        (16, true) => i128::from(value as i16),
        (16, false) => i128::from(value as u16),
        (32, true) => i128::from(value as i32),
        (32, false) => i128::from(value as u32),
        (_, true) => i128::from(value as i64),
        (_, false) => i128::from(value as u64),
    }
}

/// A value that a function of this type may give back.
pub(super) fn fit(ty: &str, value: i128, wrap: bool) -> i128 {
    let ty = match ty {
        "_Bool" => IntType::Bool,
        "char" => IntType::Char,
        "unsigned char" => IntType::UnsignedChar,
        "short" => IntType::Short,
        "unsigned short" => IntType::UnsignedShort,
        "unsigned" => IntType::UnsignedInt,
        "long" => IntType::Long,
        "unsigned long" => IntType::UnsignedLong,
        _ => IntType::Int,
    };
    if wrap || shape(ty).0 < 32 {
        return convert(ty, value, true);
    }
    if shape(ty).1 { value } else { value.abs() }
}

fn number_type(ty: Type) -> IntType {
    match ty {
        Type::Int(ty) => ty,
        other => panic!("{other:?}"),
    }
}

fn promote(ty: IntType) -> IntType {
    if shape(ty).0 < 32 { IntType::Int } else { ty }
}

fn common(a: IntType, b: IntType) -> IntType {
    use IntType::*;
    let (a, b) = (promote(a), promote(b));
    for ty in [UnsignedLongLong, LongLong, UnsignedLong, Long, UnsignedInt] {
        if a == ty || b == ty {
            // `long long` with `unsigned long`, both of 64 bits: the unsigned one of the higher rank.
            if ty == LongLong && (a == UnsignedLong || b == UnsignedLong) {
                return UnsignedLongLong;
            }
            return ty;
        }
    }
    Int
}

pub(super) fn interpret(text: &str, options: &COptions, script: &Script) -> Ended {
    let semantics = Semantics {
        model: options.model,
        integers: options.integers,
    };
    let mut texts = lexer::Texts::default();
    let tokens = lexer::lex(text, Default::default(), &mut texts).unwrap();
    let tokens =
        preprocess::preprocess(&tokens, &mut texts, options.model, &options.defines).unwrap();
    let parsed = parser::parse(tokens, Span::default(), semantics, &options.limits).unwrap();
    let items = parsed.items;
    let mut it = Interpreter {
        functions: BTreeMap::new(),
        scopes: vec![Vec::new()],
        script,
        wrap: options.integers != Integers::Mathematical,
        checked: options.integers == Integers::Machine,
        steps: 0,
        depth: 0,
    };
    for item in &items {
        match item {
            Item::Function(f) => {
                if f.body.is_some() || !it.functions.contains_key(&*f.name) {
                    it.functions.insert(&f.name, f);
                }
            }
            Item::Global(decl) => {
                let value = match &decl.init {
                    Some(Init::Value(init)) => it.value(init).unwrap().0,
                    Some(Init::List(..)) => panic!("a list"),
                    None => 0,
                };
                let ty = number_type(decl.ty);
                let value = convert(ty, value, it.wrap);
                it.scopes[0].push((decl.name.to_string(), ty, value));
            }
        }
    }
    match it.call("main", &[]) {
        Ok(_) => Ended::Normally,
        Err(ended) => ended,
    }
}

impl<'a> Interpreter<'a> {
    fn slot(&mut self, name: &str) -> &mut (String, IntType, i128) {
        let scopes = self.scopes.iter_mut().rev();
        scopes
            .flat_map(|s| s.iter_mut().rev())
            .find(|(n, ..)| n == name)
            .unwrap()
    }

    fn tick(&mut self) -> Result<(), Ended> {
        self.steps += 1;
        if self.steps > 20_000 || self.depth > 60 {
            return Err(Ended::Stopped);
        }
        Ok(())
    }

    fn call(&mut self, name: &str, args: &[(i128, IntType)]) -> Value {
        let function = self.functions[name];
        let result = match function.result {
            Type::Int(ty) => ty,
            _ => IntType::Int,
        };
        let Some(body) = &function.body else {
            return Ok((self.script.get(name).copied().unwrap_or(0), result));
        };
        self.tick()?;
        self.depth += 1;
        let mut scope = Vec::new();
        for (param, (value, _)) in function.params.iter().zip(args) {
            if let (Some(name), Type::Int(ty)) = (&param.name, param.ty) {
                scope.push((name.to_string(), ty, convert(ty, *value, self.wrap)));
            }
        }
        let outer = self.scopes.split_off(1);
        self.scopes.push(scope);
        let flow = self.block(body);
        self.scopes.truncate(1);
        self.scopes.extend(outer);
        self.depth -= 1;
        match flow {
            Flow::End(ended) => Err(ended),
            Flow::Return(value) => Ok((convert(result, value, self.wrap), result)),
            _ => Ok((0, result)),
        }
    }

    fn block(&mut self, stmts: &'a [Stmt]) -> Flow {
        self.scopes.push(Vec::new());
        let mut flow = Flow::On;
        for stmt in stmts {
            flow = self.stmt(stmt);
            if !matches!(flow, Flow::On) {
                break;
            }
        }
        self.scopes.pop();
        flow
    }

    fn stmt(&mut self, stmt: &'a Stmt) -> Flow {
        match self.try_stmt(stmt) {
            Ok(flow) => flow,
            Err(ended) => Flow::End(ended),
        }
    }

    fn try_stmt(&mut self, stmt: &'a Stmt) -> Result<Flow, Ended> {
        self.tick()?;
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Case(_) | StmtKind::Default | StmtKind::Label(_) => {}
            StmtKind::Expr(e) => {
                self.value(e)?;
            }
            StmtKind::Decl(decls) => {
                for decl in decls {
                    let value = match &decl.init {
                        Some(Init::Value(init)) => self.value(init)?.0,
                        Some(Init::List(..)) => panic!("a list"),
                        None => 0,
                    };
                    let ty = number_type(decl.ty);
                    let value = convert(ty, value, self.wrap);
                    self.scopes
                        .last_mut()
                        .unwrap()
                        .push((decl.name.to_string(), ty, value));
                }
            }
            StmtKind::Block(stmts) => return Ok(self.block(stmts)),
            StmtKind::If(parts, otherwise) => {
                for (condition, body) in parts {
                    if self.value(condition)?.0 != 0 {
                        return Ok(self.block(std::slice::from_ref(body)));
                    }
                }
                if let Some(body) = otherwise {
                    return Ok(self.block(std::slice::from_ref(body)));
                }
            }
            StmtKind::While(condition, body) => {
                while self.value(condition)?.0 != 0 {
                    match self.block(std::slice::from_ref(body)) {
                        Flow::On | Flow::Continue => {}
                        Flow::Break => break,
                        other => return Ok(other),
                    }
                    self.tick()?;
                }
            }
            StmtKind::Do(body, condition) => loop {
                match self.block(std::slice::from_ref(body)) {
                    Flow::On | Flow::Continue => {}
                    Flow::Break => break,
                    other => return Ok(other),
                }
                self.tick()?;
                if self.value(condition)?.0 == 0 {
                    break;
                }
            },
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                self.scopes.push(Vec::new());
                let flow = self.for_loop(init.as_deref(), condition.as_ref(), step.as_ref(), body);
                self.scopes.pop();
                return flow;
            }
            StmtKind::Switch(value, body) => {
                let (value, ty) = self.value(value)?;
                let value = convert(promote(ty), value, self.wrap);
                let StmtKind::Block(stmts) = &body.kind else {
                    panic!("a switch without a block");
                };
                let mut start = None;
                for (i, stmt) in stmts.iter().enumerate() {
                    if let StmtKind::Case(case) = &stmt.kind {
                        let case = self.value(case)?.0;
                        if convert(promote(ty), case, self.wrap) == value {
                            start = Some(i);
                        }
                    }
                }
                let default = stmts
                    .iter()
                    .position(|s| matches!(s.kind, StmtKind::Default));
                if let Some(start) = start.or(default) {
                    return Ok(match self.block(&stmts[start..]) {
                        Flow::Break => Flow::On,
                        other => other,
                    });
                }
            }
            StmtKind::Unsupported(what) => panic!("{what}"),
            StmtKind::Goto(_) => panic!("goto is left to gcc"),
            StmtKind::Break => return Ok(Flow::Break),
            StmtKind::Continue => return Ok(Flow::Continue),
            StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => self.value(value)?.0,
                    None => 0,
                };
                return Ok(Flow::Return(value));
            }
        }
        Ok(Flow::On)
    }

    fn for_loop(
        &mut self,
        init: Option<&'a Stmt>,
        condition: Option<&'a Expr>,
        step: Option<&'a Expr>,
        body: &'a Stmt,
    ) -> Result<Flow, Ended> {
        if let Some(init) = init {
            self.try_stmt(init)?;
        }
        loop {
            if let Some(condition) = condition
                && self.value(condition)?.0 == 0
            {
                return Ok(Flow::On);
            }
            match self.block(std::slice::from_ref(body)) {
                Flow::On | Flow::Continue => {}
                Flow::Break => return Ok(Flow::On),
                other => return Ok(other),
            }
            self.tick()?;
            if let Some(step) = step {
                self.value(step)?;
            }
        }
    }

    fn value(&mut self, expr: &Expr) -> Value {
        let truth = |t: bool| Ok((i128::from(t), IntType::Int));
        match &expr.kind {
            ExprKind::Number(n, ty) => Ok((n.to_string().parse().unwrap(), *ty)),
            ExprKind::Text(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Deref(_)
            | ExprKind::Address(_)
            | ExprKind::SizeOf(_)
            | ExprKind::Block(_)
            | ExprKind::CallPointer(..) => panic!("memory is left to gcc"),
            ExprKind::Name(name) => {
                let (_, ty, value) = self.slot(name);
                Ok((*value, *ty))
            }
            ExprKind::Unary(op, inner) => {
                let (value, ty) = self.value(inner)?;
                let ty = promote(ty);
                if *op == UnaryOp::Minus {
                    return self.binary(BinaryOp::Sub, (0, ty), (value, ty), expr.span);
                }
                let value = match op {
                    UnaryOp::Not => return truth(value == 0),
                    UnaryOp::Minus => -value,
                    UnaryOp::Complement => !value,
                    UnaryOp::Plus => value,
                };
                Ok((convert(ty, value, self.wrap), ty))
            }
            ExprKind::Binary(op, a, b) => {
                let a = self.value(a)?;
                let b = self.value(b)?;
                self.binary(*op, a, b, expr.span)
            }
            ExprKind::And(a, b) => {
                if self.value(a)?.0 == 0 {
                    return truth(false);
                }
                let b = self.value(b)?.0;
                truth(b != 0)
            }
            ExprKind::Or(a, b) => {
                if self.value(a)?.0 != 0 {
                    return truth(true);
                }
                let b = self.value(b)?.0;
                truth(b != 0)
            }
            ExprKind::Chain(first, rest) => {
                let mut left = self.value(first)?;
                for (op, right) in rest {
                    left = match op {
                        Operator::And if left.0 == 0 => truth(false)?,
                        Operator::Or if left.0 != 0 => truth(true)?,
                        Operator::And | Operator::Or => truth(self.value(right)?.0 != 0)?,
                        Operator::Plain(op) => {
                            let right_span = right.span;
                            let right = self.value(right)?;
                            let span = first.span.to(right_span);
                            self.binary(*op, left, right, span)?
                        }
                    };
                }
                Ok(left)
            }
            ExprKind::Conditional(c, a, b) => {
                let chosen = self.value(c)?.0 != 0;
                let (value, _) = self.value(if chosen { a } else { b })?;
                let ty = common(self.type_of(a), self.type_of(b));
                Ok((convert(ty, value, self.wrap), ty))
            }
            ExprKind::Comma(a, b) => {
                self.value(a)?;
                self.value(b)
            }
            ExprKind::Assign(op, target, value) => {
                let mut new = self.value(value)?;
                if let Some(op) = op {
                    let old = self.value(target)?;
                    new = self.binary(*op, old, new, expr.span)?;
                }
                Ok(self.store(target, new.0))
            }
            ExprKind::Step { target, op, prefix } => {
                let old = self.value(target)?;
                let new = self.binary(*op, old, (1, IntType::Int), expr.span)?;
                let new = self.store(target, new.0);
                Ok(if *prefix { new } else { old })
            }
            ExprKind::Call(name, args) => self.call_expr(name, args, expr.span),
            ExprKind::Cast(ty, inner) => {
                let (value, _) = self.value(inner)?;
                let Type::Int(ty) = ty else {
                    return Ok((0, IntType::Int));
                };
                Ok((convert(*ty, value, self.wrap), *ty))
            }
        }
    }

    fn call_expr(&mut self, name: &str, args: &[Expr], span: Span) -> Value {
        match name {
            "assert" | "__VERIFIER_assume" => {
                let good = self.value(&args[0])?.0 != 0;
                match (good, name) {
                    (true, _) => Ok((0, IntType::Int)),
                    (false, "assert") => Err(Ended::Violated(span)),
                    _ => Err(Ended::Normally),
                }
            }
            "abort" => Err(Ended::Normally),
            _ => {
                let mut values = Vec::new();
                for arg in args {
                    values.push(self.value(arg)?);
                }
                self.call(name, &values)
            }
        }
    }

    fn store(&mut self, target: &Expr, value: i128) -> (i128, IntType) {
        let ExprKind::Name(name) = &target.kind else {
            panic!("no variable");
        };
        let wrap = self.wrap;
        let slot = self.slot(name);
        slot.2 = convert(slot.1, value, wrap);
        (slot.2, slot.1)
    }

    fn binary(
        &self,
        op: BinaryOp,
        (a, left): (i128, IntType),
        (b, right): (i128, IntType),
        span: Span,
    ) -> Value {
        use BinaryOp::*;
        let ty = if matches!(op, Shl | Shr) {
            promote(left)
        } else {
            common(left, right)
        };
        let a = convert(ty, a, self.wrap);
        let b = if matches!(op, Shl | Shr) {
            b
        } else {
            convert(ty, b, self.wrap)
        };
        let value = match op {
            Add => a + b,
            Sub => a - b,
            Mul => a.wrapping_mul(b),
            Div => a / b,
            Rem => a % b,
            Shl => a << b,
            Shr => a >> b,
            BitAnd => a & b,
            BitOr => a | b,
            BitXor => a ^ b,
            Lt => return Ok((i128::from(a < b), IntType::Int)),
            Le => return Ok((i128::from(a <= b), IntType::Int)),
            Gt => return Ok((i128::from(a > b), IntType::Int)),
            Ge => return Ok((i128::from(a >= b), IntType::Int)),
            Eq => return Ok((i128::from(a == b), IntType::Int)),
            Ne => return Ok((i128::from(a != b), IntType::Int)),
        };
        // As C11 says it, 6.5 and 6.5.5: a remainder needs a quotient.
        let exact = if op == Rem { a / b } else { value };
        let signed = shape(ty).1 && matches!(op, Add | Sub | Mul | Div | Rem);
        if self.checked && signed && convert(ty, exact, true) != exact {
            return Err(Ended::Overflow(span));
        }
        Ok((convert(ty, value, self.wrap), ty))
    }

    /// Without evaluating it.
    fn type_of(&mut self, expr: &Expr) -> IntType {
        match &expr.kind {
            ExprKind::Number(_, ty) => *ty,
            ExprKind::Name(name) => self.slot(name).1,
            ExprKind::Unary(UnaryOp::Not, _) => IntType::Int,
            ExprKind::Unary(_, a) => promote(self.type_of(a)),
            ExprKind::Binary(op, ..) if op.is_comparison() => IntType::Int,
            ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, a, _) => promote(self.type_of(a)),
            ExprKind::Binary(_, a, b) | ExprKind::Conditional(_, a, b) => {
                let (a, b) = (self.type_of(a), self.type_of(b));
                common(a, b)
            }
            ExprKind::Chain(first, rest) => {
                let mut left = self.type_of(first);
                for (op, right) in rest {
                    left = match op {
                        Operator::Plain(BinaryOp::Shl | BinaryOp::Shr) => promote(left),
                        Operator::Plain(op) if !op.is_comparison() => {
                            common(left, self.type_of(right))
                        }
                        _ => IntType::Int,
                    };
                }
                left
            }
            ExprKind::Cast(Type::Int(ty), _) => *ty,
            ExprKind::Call(name, _) => match self.functions[&**name].result {
                Type::Int(ty) => ty,
                _ => IntType::Int,
            },
            ExprKind::Comma(_, b) => self.type_of(b),
            ExprKind::Assign(_, target, _) | ExprKind::Step { target, .. } => self.type_of(target),
            _ => IntType::Int,
        }
    }
}
