//! The variables whose addresses are taken: they are kept in memory.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::c::ast::{Decl, Expr, ExprKind, Init, Stmt, StmtKind};

/// Adds the names whose addresses statements take.
pub(super) fn in_statements(stmts: &[Stmt], found: &mut FxHashSet<Rc<str>>) {
    let mut open: Vec<&Stmt> = stmts.iter().collect();
    while let Some(stmt) = open.pop() {
        match &stmt.kind {
            StmtKind::Expr(e) | StmtKind::Case(e) | StmtKind::Return(Some(e)) => of(e, found),
            StmtKind::Decl(decls) => decls.iter().for_each(|d| in_declaration(d, found)),
            StmtKind::Block(stmts) => open.extend(stmts),
            StmtKind::If(parts, otherwise) => {
                for (condition, body) in parts {
                    of(condition, found);
                    open.push(body);
                }
                open.extend(otherwise.as_deref());
            }
            StmtKind::While(e, body) | StmtKind::Do(body, e) | StmtKind::Switch(e, body) => {
                of(e, found);
                open.push(body);
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                open.extend(init.as_deref());
                condition.iter().chain(step).for_each(|e| of(e, found));
                open.push(body);
            }
            StmtKind::Empty
            | StmtKind::Default
            | StmtKind::Label(_)
            | StmtKind::Goto(_)
            | StmtKind::Unsupported(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None) => {}
        }
    }
}

pub(super) fn in_declaration(decl: &Decl, found: &mut FxHashSet<Rc<str>>) {
    let mut open: Vec<&Init> = decl.init.iter().collect();
    while let Some(init) = open.pop() {
        match init {
            Init::Value(e) => of(e, found),
            Init::List(list, _) => open.extend(list.iter().map(|(_, i)| i)),
        }
    }
}

fn of(expr: &Expr, found: &mut FxHashSet<Rc<str>>) {
    match &expr.kind {
        ExprKind::Address(inner) => {
            if let ExprKind::Name(name) = &inner.kind {
                found.insert(Rc::clone(name));
            }
        }
        ExprKind::Block(stmts) => in_statements(stmts, found),
        _ => {}
    }
    for child in expr.children() {
        of(child, found);
    }
}
