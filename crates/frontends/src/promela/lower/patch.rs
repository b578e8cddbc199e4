//! What is known only when all graphs are there.

use suppose_model::program::{Action, Expr, Init, Pattern, Place};
use suppose_source::Diagnostic;

use super::Lower;

impl Lower<'_> {
    /// Which labels are looked at from outside.
    pub(super) fn watch(&mut self) {
        for (proctype, label) in &self.ast.watched {
            if let Some(number) = self.proctypes.get(proctype) {
                self.watched.insert((*number, *label));
            }
        }
    }

    /// Fills in the places of labels.
    pub(super) fn patch(&mut self) {
        let mut places = Vec::new();
        for (number, label) in std::mem::take(&mut self.wanted) {
            let found = self.labels[number].get(&label.name).cloned();
            if found.is_none() {
                let (shown, of) = (self.text(label.name), &self.program.proctypes[number].name);
                let it = Diagnostic::error(label.span, format!("`{of}` has no label `{shown}`"))
                    .label("expected a label of that process");
                let mut all: Vec<&str> =
                    self.labels[number].keys().map(|s| self.text(*s)).collect();
                all.sort_unstable();
                let it = it.did_you_mean(shown, all);
                self.fail(it);
            }
            places.push(found.unwrap_or_default());
        }
        if places.is_empty() {
            return;
        }
        let mut fill = |expr: &mut Expr| {
            if let Expr::At { locations, .. } = expr {
                let number = locations.first().copied().unwrap_or(0) as usize;
                *locations = places.get(number).cloned().unwrap_or_default();
            }
        };
        for proctype in &mut self.program.proctypes {
            if let Some(provided) = &mut proctype.provided {
                visit(provided, &mut fill);
            }
            for slot in &mut proctype.locals {
                if let Init::Expr(init) = &mut slot.init {
                    visit(init, &mut fill);
                }
            }
            for edge in proctype.locations.iter_mut().flat_map(|l| &mut l.edges) {
                visit_action(&mut edge.action, &mut fill);
            }
        }
        for claim in &mut self.program.claims {
            for edge in claim.locations.iter_mut().flat_map(|l| &mut l.edges) {
                visit_action(&mut edge.action, &mut fill);
            }
            for atom in claim.formula.iter_mut().flat_map(|f| &mut f.atoms) {
                visit(atom, &mut fill);
            }
        }
    }
}

/// Calls `see` for every expression of an action, and those within.
pub(super) fn visit_action(action: &mut Action, see: &mut impl FnMut(&mut Expr)) {
    match action {
        Action::Guard(e) | Action::Assert(e) => visit(e, see),
        Action::Else | Action::End => {}
        Action::Assign(place, e) => {
            visit_place(place, see);
            visit(e, see);
        }
        Action::Send {
            channel, values, ..
        } => {
            visit(channel, see);
            values.iter_mut().for_each(|v| visit(v, see));
        }
        Action::Receive {
            channel, patterns, ..
        } => {
            visit(channel, see);
            visit_patterns(patterns, see);
        }
        Action::Run {
            arguments, result, ..
        } => {
            arguments.iter_mut().for_each(|a| visit(a, see));
            if let Some(place) = result {
                visit_place(place, see);
            }
        }
        Action::SetPriority(a, b) => {
            visit(a, see);
            visit(b, see);
        }
    }
}

fn visit_place(place: &mut Place, see: &mut impl FnMut(&mut Expr)) {
    for index in &mut place.indices {
        visit(&mut index.expr, see);
    }
}

fn visit_patterns(patterns: &mut [Pattern], see: &mut impl FnMut(&mut Expr)) {
    for pattern in patterns {
        match pattern {
            Pattern::Match(value) => visit(value, see),
            Pattern::Store(place) => visit_place(place, see),
            Pattern::Ignore => {}
        }
    }
}

/// Calls `see` for an expression and those within.
pub(super) fn visit<F: FnMut(&mut Expr)>(expr: &mut Expr, see: &mut F) {
    see(expr);
    match expr {
        Expr::Const(_) | Expr::Pid | Expr::Processes | Expr::Last | Expr::Timeout => {}
        Expr::Load(place) => visit_place(place, see),
        Expr::Unary(_, a)
        | Expr::Len(a)
        | Expr::Full(a)
        | Expr::Empty(a)
        | Expr::Enabled(a)
        | Expr::PcValue(a)
        | Expr::Priority(a) => visit(a, see),
        Expr::Binary(_, a, b) => {
            visit(a, see);
            visit(b, see);
        }
        Expr::Cond(a, b, c) => {
            visit(a, see);
            visit(b, see);
            visit(c, see);
        }
        Expr::Poll {
            channel, patterns, ..
        } => {
            visit(channel, see);
            visit_patterns(patterns, see);
        }
        Expr::At { process, .. } => {
            if let Some(process) = process {
                visit(process, see);
            }
        }
        Expr::Remote { process, place, .. } => {
            if let Some(process) = process {
                visit(process, see);
            }
            visit_place(place, see);
        }
    }
}
