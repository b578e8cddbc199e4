//! Statements to blocks.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use suppose_number::Int;
use suppose_source::{Diagnostic, Span};

use super::{At, Binding, Lower, Result};
use crate::c::ast::{self, Init, Stmt, StmtKind, Storage, Type};
use crate::c::ir::{BlockId, Contents, End, LoopText, Memory, OpKind, Pointer, VarId};
use crate::c::types::IntType;

/// An open `switch`.
pub(super) struct Switch {
    ty: IntType,
    cases: Vec<(Int, BlockId, Span)>,
    default: Option<BlockId>,
    in_scope: Vec<VarId>,
}

pub(super) struct Label {
    block: BlockId,
    span: Span,
    in_scope: Vec<VarId>,
}

pub(super) struct Goto<'a> {
    label: &'a Rc<str>,
    /// The block that jumps.
    block: BlockId,
    span: Span,
    in_scope: Vec<VarId>,
}

impl<'a> Lower<'a> {
    pub(super) fn block(&mut self, stmts: &'a [Stmt]) -> Result<()> {
        self.scopes.push(FxHashMap::default());
        let outside = self.frame.in_scope.len();
        for stmt in stmts {
            self.statement(stmt)?;
        }
        self.frame.in_scope.truncate(outside);
        self.scopes.pop();
        Ok(())
    }

    pub(super) fn statement(&mut self, stmt: &'a Stmt) -> Result<()> {
        let span = stmt.span;
        self.check_size(span)?;
        match &stmt.kind {
            StmtKind::Empty => Ok(()),
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::Decl(decls) => decls.iter().try_for_each(|d| self.declaration(d)),
            StmtKind::Block(stmts) => self.block(stmts),
            StmtKind::If(parts, otherwise) => self.if_chain(parts, otherwise.as_deref(), span),
            StmtKind::While(condition, body) => self.while_loop(condition, body, span),
            StmtKind::Do(body, condition) => self.do_loop(body, condition, span),
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => self.for_loop(
                init.as_deref(),
                condition.as_ref(),
                step.as_ref(),
                body,
                span,
            ),
            StmtKind::Switch(value, body) => self.switch(value, body, span),
            StmtKind::Case(value) => self.case(value, span),
            StmtKind::Default => self.default_case(span),
            StmtKind::Label(name) => self.label(name, span),
            StmtKind::Goto(label) => {
                let block = self.frame.current;
                let in_scope = self.frame.in_scope.clone();
                self.frame.gotos.push(Goto {
                    label,
                    block,
                    span,
                    in_scope,
                });
                self.end(End::Halt, span);
                Ok(())
            }
            StmtKind::Unsupported(what) => {
                self.memory(Memory::Refused(what), span);
                Ok(())
            }
            StmtKind::Break => self.leave(self.frame.breaks.last().copied(), "break", span),
            StmtKind::Continue => {
                self.leave(self.frame.continues.last().copied(), "continue", span)
            }
            StmtKind::Return(value) => self.return_value(value.as_ref(), span),
        }
    }

    fn leave(&mut self, target: Option<BlockId>, word: &str, span: Span) -> Result<()> {
        match target {
            Some(target) => {
                self.goto(target, span);
                Ok(())
            }
            None => Err(Diagnostic::error(
                span,
                format!("`{word}` outside of a loop"),
            )),
        }
    }

    fn return_value(&mut self, value: Option<&'a ast::Expr>, span: Span) -> Result<()> {
        match (value, self.frame.result, self.frame.result_type) {
            (Some(value), Some(result), Type::Int(ty)) => {
                let value = self.value(value)?;
                let value = self.converted(value, ty);
                self.op(OpKind::Assign(result, value), span);
            }
            (Some(value), Some(result), Type::Pointer(of)) => {
                let operand = self.operand(value)?;
                let of = self.program.shapes.get(of);
                let pointer = self.as_pointer(operand, of, value.span)?;
                self.memory(Memory::Point(result, pointer), span);
            }
            (Some(value), _, ty @ Type::Struct(_)) => self.give_struct(value, ty)?,
            (Some(value), ..) => self.effect(value)?,
            (None, Some(result), Type::Pointer(_)) => {
                self.memory(Memory::Point(result, Pointer::Unknown), span);
            }
            (None, Some(result), _) => self.op(OpKind::Havoc(result, None), span),
            (None, None, _) => {}
        }
        self.end(End::Return, span);
        Ok(())
    }

    fn declaration(&mut self, decl: &'a ast::Decl) -> Result<()> {
        let (is_const, ty) = (decl.is_const, decl.ty);
        if decl.storage == Storage::Extern {
            if !self.scopes[0].contains_key(&*decl.name)
                && let Some(at) = self.global(decl)?
            {
                self.initialise(at, decl)?;
            }
            if let Some(binding) = self.scopes[0].get(&*decl.name).copied() {
                self.bind(decl, binding)?;
            }
            return Ok(());
        }
        let global = decl.storage == Storage::Static;
        self.lengths(ty)?;
        let is_taken = self.taken.contains(&decl.name);
        let Some(at) = self.kept_at(decl, is_taken, global)? else {
            return Ok(());
        };
        let binding = Binding { at, ty, is_const };
        if global {
            self.bind(decl, binding)?;
            return self.initialise(at, decl);
        }
        let mut init = decl.init.as_ref();
        match at {
            At::Object(object) => {
                let contents = match init {
                    Some(Init::List(..)) => Contents::Zero,
                    // What a text leaves is 0.
                    Some(Init::Value(_)) if matches!(ty, Type::Array(..)) => Contents::Zero,
                    _ => Contents::Arbitrary,
                };
                // A list may use the variable itself (`struct s *p = malloc(sizeof *p)`).
                self.bind(decl, binding)?;
                self.declare_object(object, contents, decl.span);
                if let Some(init) = init {
                    let place = Self::place_of(object, ty, decl.span);
                    self.first_value(&place, ty, init)?;
                }
                return Ok(());
            }
            At::Var(var) => {
                while let Some(Init::List(list, span)) = init {
                    let [(_, only)] = &**list else {
                        let message = "a list of values for one value";
                        return Err(Diagnostic::error(*span, message));
                    };
                    init = Some(only);
                }
                let init = match init {
                    Some(Init::Value(value)) => Some(value),
                    _ => None,
                };
                if let Type::Pointer(of) = ty {
                    self.bind(decl, binding)?;
                    let pointer = match init {
                        Some(init) => {
                            let operand = self.operand(init)?;
                            let of = self.program.shapes.get(of);
                            self.as_pointer(operand, of, init.span)?
                        }
                        None => Pointer::Unknown,
                    };
                    self.memory(Memory::Point(var, pointer), decl.span);
                    return Ok(());
                }
                let ty = self.program.var(var).ty;
                let kind = match init {
                    Some(init) => {
                        let value = self.value(init)?;
                        OpKind::Assign(var, self.converted(value, ty))
                    }
                    None => OpKind::Havoc(var, None),
                };
                self.op(kind, decl.span);
                self.frame.in_scope.push(var);
            }
        }
        self.bind(decl, binding)
    }

    fn bind(&mut self, decl: &'a ast::Decl, binding: Binding) -> Result<()> {
        let Some(scope) = self.scopes.last_mut() else {
            return Ok(());
        };
        let before = scope.insert(&decl.name, binding);
        if before.is_some() && decl.storage != Storage::Extern {
            let message = format!("`{}` is declared twice in this block", decl.name);
            return Err(Diagnostic::error(decl.span, message));
        }
        Ok(())
    }

    fn if_chain(
        &mut self,
        parts: &'a [(ast::Expr, Stmt)],
        otherwise: Option<&'a Stmt>,
        span: Span,
    ) -> Result<()> {
        let after = self.new_block(span);
        for (condition, body) in parts {
            let then = self.new_block(body.span);
            let next = self.new_block(span);
            self.branch(condition, then, next)?;
            self.frame.current = then;
            self.scoped(body)?;
            self.goto(after, body.span);
            self.frame.current = next;
        }
        if let Some(body) = otherwise {
            self.scoped(body)?;
        }
        self.goto(after, span);
        self.frame.current = after;
        Ok(())
    }

    fn scoped(&mut self, body: &'a Stmt) -> Result<()> {
        self.block(std::slice::from_ref(body))
    }

    fn loop_body(&mut self, body: &'a Stmt, on_break: BlockId, on_continue: BlockId) -> Result<()> {
        self.frame.breaks.push(on_break);
        self.frame.continues.push(on_continue);
        self.scoped(body)?;
        self.frame.breaks.pop();
        self.frame.continues.pop();
        Ok(())
    }

    /// A new block which the current one leads to.
    fn next_block(&mut self, span: Span) -> BlockId {
        let block = self.new_block(span);
        self.goto(block, span);
        self.frame.current = block;
        block
    }

    fn loop_head(&mut self, span: Span, tests_last: bool) -> BlockId {
        let head = self.next_block(span);
        let mut names: BTreeMap<&str, VarId> = BTreeMap::new();
        for scope in &self.scopes {
            let mut own: Vec<_> = scope.iter().collect();
            own.sort_unstable_by_key(|(name, _)| **name);
            for (name, binding) in own {
                match binding.at {
                    At::Var(var) if !self.program.var(var).pointer => names.insert(name, var),
                    _ => names.remove(name),
                };
            }
        }
        self.frame.loops.push(LoopText {
            head,
            span,
            tests_last,
            visible: names.into_values().collect(),
        });
        head
    }

    fn while_loop(&mut self, condition: &'a ast::Expr, body: &'a Stmt, span: Span) -> Result<()> {
        let head = self.loop_head(span, false);
        let inside = self.new_block(body.span);
        let after = self.new_block(span);
        self.branch(condition, inside, after)?;
        self.frame.current = inside;
        self.loop_body(body, after, head)?;
        self.goto(head, body.span);
        self.frame.current = after;
        Ok(())
    }

    fn do_loop(&mut self, body: &'a Stmt, condition: &'a ast::Expr, span: Span) -> Result<()> {
        let head = self.loop_head(span, true);
        let test = self.new_block(condition.span);
        let after = self.new_block(span);
        self.loop_body(body, after, test)?;
        self.goto(test, body.span);
        self.frame.current = test;
        self.branch(condition, head, after)?;
        self.frame.current = after;
        Ok(())
    }

    fn for_loop(
        &mut self,
        init: Option<&'a Stmt>,
        condition: Option<&'a ast::Expr>,
        step: Option<&'a ast::Expr>,
        body: &'a Stmt,
        span: Span,
    ) -> Result<()> {
        self.scopes.push(FxHashMap::default());
        let outside = self.frame.in_scope.len();
        if let Some(init) = init {
            self.statement(init)?;
        }
        let head = self.loop_head(span, false);
        let inside = self.new_block(body.span);
        let forward = self.new_block(span);
        let after = self.new_block(span);
        match condition {
            Some(condition) => self.branch(condition, inside, after)?,
            None => self.goto(inside, span),
        }
        self.frame.current = inside;
        self.loop_body(body, after, forward)?;
        self.goto(forward, body.span);
        self.frame.current = forward;
        if let Some(step) = step {
            self.effect(step)?;
        }
        self.goto(head, span);
        self.frame.current = after;
        self.frame.in_scope.truncate(outside);
        self.scopes.pop();
        Ok(())
    }

    fn switch(&mut self, value: &'a ast::Expr, body: &'a Stmt, span: Span) -> Result<()> {
        let value = self.value(value)?;
        let ty = self.semantics.promoted(value.ty);
        let value = self.converted(value, ty);
        let dispatch = self.frame.current;
        self.end(End::Halt, span);
        let after = self.new_block(span);
        self.frame.switches.push(Switch {
            ty,
            cases: Vec::new(),
            default: None,
            in_scope: self.frame.in_scope.clone(),
        });
        self.frame.breaks.push(after);
        self.scoped(body)?;
        self.frame.breaks.pop();
        self.goto(after, span);
        let Some(done) = self.frame.switches.pop() else {
            return Ok(());
        };
        let mut cases: Vec<(Int, BlockId, Span)> = done.cases;
        cases.sort_by(|a, b| a.0.cmp(&b.0));
        if let Some(pair) = cases.windows(2).find(|p| p[0].0 == p[1].0) {
            let message = format!("two cases for the value {}", pair[0].0);
            return Err(Diagnostic::error(pair[1].2, message).note(pair[0].2, "the other one"));
        }
        let cases = cases.into_iter().map(|(n, b, _)| (n, b)).collect();
        let block = &mut self.frame.blocks[dispatch.index()];
        block.end = End::Switch(value, cases, done.default.unwrap_or(after));
        block.span = span;
        self.frame.current = after;
        Ok(())
    }

    /// The block of a case: falling through leads there, and so does the switch, past declarations.
    fn case_block(&mut self, span: Span) -> Result<BlockId> {
        let block = self.next_block(span);
        let Some(open) = self.frame.switches.last() else {
            return Err(Diagnostic::error(
                span,
                "this label is outside of a `switch`",
            ));
        };
        let skipped = skipped(&self.frame.in_scope, &open.in_scope);
        if skipped.is_empty() {
            return Ok(block);
        }
        let edge = self.new_block(span);
        self.havoc_into(edge, &skipped, block, span);
        Ok(edge)
    }

    fn havoc_into(&mut self, edge: BlockId, vars: &[VarId], target: BlockId, span: Span) {
        let here = std::mem::replace(&mut self.frame.current, edge);
        for &var in vars {
            self.op(OpKind::Havoc(var, None), span);
        }
        self.goto(target, span);
        self.frame.current = here;
    }

    fn case(&mut self, value: &'a ast::Expr, span: Span) -> Result<()> {
        let Some((number, _)) = self.constant(value) else {
            return Err(
                Diagnostic::error(value.span, "this is not a constant").label("a case needs one")
            );
        };
        let block = self.case_block(span)?;
        let semantics = self.semantics;
        if let Some(open) = self.frame.switches.last_mut() {
            let number = semantics.convert(open.ty, &number);
            open.cases.push((number, block, value.span));
        }
        Ok(())
    }

    fn default_case(&mut self, span: Span) -> Result<()> {
        let block = self.case_block(span)?;
        match self.frame.switches.last_mut() {
            Some(open) if open.default.is_none() => {
                open.default = Some(block);
                Ok(())
            }
            _ => Err(Diagnostic::error(
                span,
                "a second `default` in one `switch`",
            )),
        }
    }

    fn label(&mut self, name: &Rc<str>, span: Span) -> Result<()> {
        let block = self.next_block(span);
        let in_scope = self.frame.in_scope.clone();
        let label = Label {
            block,
            span,
            in_scope,
        };
        match self.frame.labels.insert(Rc::clone(name), label) {
            None => Ok(()),
            Some(before) => {
                let message = format!("the label `{name}` is defined twice in this function");
                Err(Diagnostic::error(span, message).note(before.span, "first here"))
            }
        }
    }

    pub(super) fn resolve_gotos(&mut self) -> Result<()> {
        for goto in std::mem::take(&mut self.frame.gotos) {
            let Some(label) = self.frame.labels.get(goto.label) else {
                let message = format!("there is no label `{}` in this function", goto.label);
                return Err(Diagnostic::error(goto.span, message).label("jumps to it"));
            };
            let target = label.block;
            let skipped = skipped(&label.in_scope, &goto.in_scope);
            self.havoc_into(goto.block, &skipped, target, goto.span);
        }
        Ok(())
    }
}

/// The variables of a place that are not in scope where the jump to it starts: their values are arbitrary.
fn skipped(to: &[VarId], from: &[VarId]) -> Vec<VarId> {
    to.iter().filter(|v| !from.contains(v)).copied().collect()
}
