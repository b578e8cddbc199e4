//! Statements to elements.

use suppose_model::program::{Action, Expr, Init, Place};
use suppose_source::{Diagnostic, Span};

use super::element::{Body, Id, Idle, Jump, Kind, Label, SeqId};
use super::names::{Var, VarType};
use super::{Lower, Lowered};
use crate::promela::ast::{self, Decl, ExprKind, Ident, Sequence, Step, Stmt, StmtKind};

/// A body in the making.
pub(super) struct Flow<'l, 'a> {
    pub(super) lower: &'l mut Lower<'a>,
    pub(super) body: Body,
    /// The sequences that are open, the innermost last.
    open: Vec<SeqId>,
    /// The loops that are open.
    loops: Vec<usize>,
    scope: usize,
    /// No statement yet: declarations take effect when the process is made.
    early: bool,
    /// How many of the frame's variables were declared so far.
    pub(super) declared: usize,
    is_claim: bool,
}

impl<'l, 'a> Flow<'l, 'a> {
    /// The elements of a body; the first of its sequence is the entry.
    pub(super) fn build(
        lower: &'l mut Lower<'a>,
        steps: &Sequence,
        parameters: usize,
        end: Span,
        is_claim: bool,
    ) -> Body {
        let mut flow = Flow {
            lower,
            body: Body::default(),
            open: Vec::new(),
            loops: Vec::new(),
            scope: 0,
            early: true,
            declared: parameters,
            is_claim,
        };
        flow.body.scopes.push(0);
        flow.open_seq();
        flow.early = true;
        flow.steps(steps);
        let stop = flow.body.add(Kind::Stop, end, "-end-");
        flow.append(stop);
        flow.close_seq(end);
        let mut body = flow.body;
        body.tie_ends();
        body
    }

    fn current(&self) -> SeqId {
        self.open.last().copied().unwrap_or(0)
    }

    pub(super) fn open_seq(&mut self) {
        self.early = false;
        self.body.seqs.push(Default::default());
        self.open.push(self.body.seqs.len() - 1);
    }

    pub(super) fn close_seq(&mut self, span: Span) -> SeqId {
        if self.body.seqs[self.current()].first.is_none() {
            let skip = self.skip(span);
            self.append(skip);
        }
        let seq = self.open.pop().unwrap_or(0);
        self.body.seqs[seq].extent = self.body.seqs[seq].last;
        seq
    }

    fn skip(&mut self, span: Span) -> Id {
        let id = self
            .body
            .add(Kind::Basic(Action::Guard(Expr::Const(1))), span, "skip");
        self.body.elements[id].idle = Idle::Skip;
        id
    }

    /// Adds to the current sequence. A jump whose label means something needs a place of its own.
    pub(super) fn append(&mut self, element: Id) {
        let special = |l: &Ident| {
            let name = self.lower.names.text(l.name);
            ["accept", "end", "progress"]
                .iter()
                .any(|p| name.starts_with(p))
        };
        let jump = matches!(self.body.elements[element].kind, Kind::Goto(_));
        if jump && self.body.elements[element].labels.iter().any(special) {
            let skip = self.skip(self.body.elements[element].span);
            self.body.move_labels(element, skip);
            let seq = self.current();
            self.body.append(skip, seq);
        }
        let seq = self.current();
        self.body.append(element, seq);
    }

    fn basic(&mut self, action: Lowered<Action>, span: Span, text: &str) -> Id {
        let action = self
            .lower
            .keep(action)
            .unwrap_or(Action::Guard(Expr::Const(1)));
        self.body.add(Kind::Basic(action), span, text)
    }

    pub(super) fn step_of(&mut self, action: Action, span: Span, text: String) {
        let id = self.body.add(Kind::Basic(action), span, text);
        self.append(id);
    }

    pub(super) fn in_scope<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scope;
        self.body.scopes.push(outer);
        self.scope = self.body.scopes.len() - 1;
        self.lower.enter_scope();
        let result = run(self);
        self.lower.leave_scope();
        self.scope = outer;
        result
    }

    pub(super) fn steps(&mut self, steps: &Sequence) {
        for step in steps {
            match step {
                Step::Decl(decl) => self.decl(decl),
                Step::Exclusive(receives, channel) => self.lower.promise(*receives, channel),
                Step::Stmt(stmt) => {
                    self.stmt(stmt);
                    self.early = false;
                }
                Step::Unless(both) => {
                    self.unless(&both.0, &both.1);
                    self.early = false;
                }
            }
        }
    }

    fn decl(&mut self, decl: &Decl) {
        for variable in &decl.variables {
            let frame = self.lower.current.and_then(|c| self.lower.frames.get(c));
            let Some(var) = frame.and_then(|f| f.get(self.declared)).cloned() else {
                let it =
                    Diagnostic::error(variable.name.span, "a claim has no variables of its own");
                self.lower
                    .fail(it.label("expected a variable shared by all"));
                return;
            };
            self.declared += 1;
            // An initial value may mention an outer variable of the same name.
            match self.early {
                true => self.early_init(&var, variable),
                false => self.late_init(&var, variable),
            }
            self.lower.show(var);
        }
    }

    /// Before the first statement: part of making the process.
    fn early_init(&mut self, var: &Var, variable: &ast::Variable) {
        let Some(ast::Init::Expr(value)) = &variable.init else {
            return;
        };
        let value = self.lower.expr(value);
        let (Some(value), Some(proctype)) = (self.lower.keep(value), self.lower.current) else {
            return;
        };
        let range = var.base as usize..(var.base + var.length.unwrap_or(1)) as usize;
        let locals = &mut self.lower.program.proctypes[proctype].locals;
        for slot in locals.get_mut(range).unwrap_or(&mut []) {
            slot.init = match &value {
                Expr::Const(value) => Init::Value(slot.ty.truncate(*value)),
                other => Init::Expr(other.clone()),
            };
        }
    }

    /// After it: a step. SPIN sets only the first element of an array, and nothing of a structure.
    fn late_init(&mut self, var: &Var, variable: &ast::Variable) {
        let span = variable.name.span;
        let value = match &variable.init {
            None => Ok(Expr::Const(0)),
            Some(ast::Init::Expr(value)) => self.lower.expr(value),
            Some(_) => Err(Diagnostic::error(
                span,
                "this must be declared before the first statement",
            )
            .label("declared in the middle of the body")
            .help("move the declaration to the start of the process")),
        };
        let Some(value) = self.lower.keep(value) else {
            return;
        };
        let action = match var.ty {
            VarType::Scalar(ty) => {
                let place = Place {
                    scope: var.scope,
                    base: var.base,
                    indices: Vec::new(),
                    ty,
                };
                Action::Assign(place, value)
            }
            VarType::Struct(_) => Action::Guard(Expr::Const(1)),
        };
        let mut text = variable.text.clone();
        if variable.init.is_none() && matches!(var.ty, VarType::Scalar(_)) {
            text = format!("{} = 0", self.lower.text(var.name));
        }
        self.step_of(action, span, text);
    }

    pub(super) fn label(&mut self, stmt: &Stmt, element: Id) {
        // The innermost label is the last in the text.
        for label in stmt.labels.iter().rev() {
            let scope = self.scope;
            if let Some(var) = self.lower.find(label.name) {
                let shown = self.lower.text(label.name);
                let it =
                    Diagnostic::error(label.span, format!("`{shown}` is a variable and no label"))
                        .label("expected another name")
                        .note(var.span, "declared here");
                self.lower.fail(it);
            }
            let other = self.body.named(label.name).find(|l| l.scope == scope);
            if let Some(other) = other {
                let message = format!("the label `{}` is there twice", self.lower.text(label.name));
                let it = Diagnostic::error(label.span, message)
                    .label("again here")
                    .note(other.name.span, "first here");
                self.lower.fail(it);
            }
            self.body.elements[element].labels.push(*label);
            self.body.add_label(Label {
                name: *label,
                scope,
                element,
            });
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::If(options) => {
                let seqs = self.options(options);
                let id = self.choice(Kind::If, seqs, stmt);
                self.label(stmt, id);
            }
            StmtKind::Do(options) => {
                let number = self.open_loop();
                let seqs = self.options(options);
                let id = self.repetition(seqs, number, stmt);
                self.label(stmt, id);
            }
            StmtKind::For {
                variable,
                range,
                body,
            } => self.for_loop(stmt, variable, range, body),
            StmtKind::Select {
                variable,
                low,
                high,
                plain,
            } => {
                self.select(stmt, variable, low, high, *plain);
            }
            _ => {
                let id = self.simple(stmt);
                self.label(stmt, id);
                self.append(id);
            }
        }
    }

    /// A statement that is one element.
    fn simple(&mut self, stmt: &Stmt) -> Id {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Atomic(steps) => {
                let seq = self.block(steps, span);
                self.body.make_atomic(seq, None);
                self.container(Kind::Atomic, seq, span)
            }
            StmtKind::DStep(steps) => {
                let seq = self.block(steps, span);
                self.body.make_atomic(seq, Some(seq));
                self.check_d_step(seq);
                self.container(Kind::DStep, seq, span)
            }
            StmtKind::Block(steps) => {
                let seq = self.block(steps, span);
                self.container(Kind::Block, seq, span)
            }
            StmtKind::Goto(label) => {
                let jump = Jump::Label(*label, self.scope);
                self.body.add(Kind::Goto(jump), span, &*stmt.text)
            }
            StmtKind::Break => match self.loops.last() {
                Some(number) => self
                    .body
                    .add(Kind::Goto(Jump::Loop(*number)), span, "break"),
                None => {
                    let it = Diagnostic::error(span, "`break` outside of a loop");
                    self.lower.fail(it.label("expected inside `do` or `for`"));
                    self.skip(span)
                }
            },
            StmtKind::Else => self.body.add(Kind::Else, span, "else"),
            _ => {
                let action = self.lower.action(stmt);
                let id = self.basic(action, span, &stmt.text);
                self.body.elements[id].idle = match &stmt.kind {
                    StmtKind::Print => Idle::Print,
                    StmtKind::Expr(e) if matches!(e.kind, ExprKind::Const(1)) => Idle::Skip,
                    _ => Idle::No,
                };
                id
            }
        }
    }

    fn container(&mut self, kind: Kind, seq: SeqId, span: Span) -> Id {
        let id = self.body.add(kind, span, "");
        self.body.elements[id].parts.push(seq);
        id
    }

    fn block(&mut self, steps: &Sequence, span: Span) -> SeqId {
        self.in_scope(|flow| {
            flow.open_seq();
            flow.steps(steps);
            flow.close_seq(span)
        })
    }

    pub(super) fn open_loop(&mut self) -> usize {
        self.body.exits.push(None);
        let number = self.body.exits.len() - 1;
        self.loops.push(number);
        number
    }

    fn options(&mut self, options: &[Sequence]) -> Vec<SeqId> {
        let mut seqs = Vec::new();
        for option in options {
            self.open_seq();
            self.steps(option);
            let seq = self.close_seq(Span::default());
            if !self.is_claim {
                self.body.prune(seq);
            }
            seqs.push(seq);
        }
        seqs
    }

    /// `else` comes last, wherever it is written.
    fn else_last(&mut self, seqs: &mut [SeqId]) {
        let is_else = |body: &Body, seq: SeqId| {
            let first = body.seqs[seq].first.map(|f| &body.elements[f]);
            first
                .filter(|e| matches!(e.kind, Kind::Else))
                .map(|e| e.span)
        };
        let elses: Vec<Span> = seqs
            .iter()
            .filter_map(|s| is_else(&self.body, *s))
            .collect();
        if let [first, second, ..] = elses.as_slice() {
            let it = Diagnostic::error(*second, "there are two `else` options");
            self.lower
                .fail(it.label("again here").note(*first, "first here"));
        }
        if let Some(first) = elses.first() {
            self.warn_beside_else(seqs, *first);
        }
        seqs.sort_by_key(|s| is_else(&self.body, *s).is_some());
    }

    /// SPIN calls `else` beside a send, a receive or a question to a channel dubious, and continues.
    fn warn_beside_else(&mut self, seqs: &[SeqId], span: Span) {
        let first = |seq: &SeqId| self.body.seqs[*seq].first.map(|f| &self.body.elements[f]);
        let asks = |e: &Expr| match e {
            Expr::Full(_) | Expr::Empty(_) => true,
            Expr::Unary(_, inner) => matches!(**inner, Expr::Full(_) | Expr::Empty(_)),
            _ => false,
        };
        let beside = seqs.iter().filter_map(first).find(|e| match &e.kind {
            Kind::Basic(Action::Send { .. } | Action::Receive { .. }) => true,
            Kind::Basic(Action::Guard(test)) => asks(test),
            _ => false,
        });
        if let Some(beside) = beside {
            let it = Diagnostic::warning(span, "`else` beside a statement on a channel")
                .label("taken whenever that statement cannot be executed at the moment")
                .note(beside.span, "this statement")
                .help("SPIN calls this dubious; `timeout`, or a test of `len`, says what is meant");
            self.lower.warnings.push(it);
        }
    }

    pub(super) fn choice(&mut self, kind: Kind, mut seqs: Vec<SeqId>, stmt: &Stmt) -> Id {
        self.else_last(&mut seqs);
        let id = self.body.add(kind, stmt.span, "");
        let join = self.body.add(Kind::Join, stmt.span, "goto");
        for seq in &seqs {
            self.body.append(join, *seq);
        }
        self.body.elements[id].parts = seqs;
        let current = self.current();
        self.body.append(id, current);
        self.body.append(join, current);
        id
    }

    pub(super) fn repetition(&mut self, mut seqs: Vec<SeqId>, number: usize, stmt: &Stmt) -> Id {
        self.else_last(&mut seqs);
        let id = self.body.add(Kind::Do, stmt.span, "");
        let join = self.body.add(Kind::Join, stmt.span, "goto");
        for seq in &seqs {
            self.body.append(join, *seq);
        }
        self.body.elements[id].parts = seqs;
        let current = self.current();
        self.body.append(join, current);
        let exit = self.body.add(Kind::Exit, stmt.span, "break");
        self.body.exits[number] = Some(exit);
        self.loops.pop();
        self.body.append(id, current);
        self.body.append(exit, current);
        id
    }

    fn unless(&mut self, stmt: &Stmt, escape: &Stmt) {
        let labelled_block = !stmt.labels.is_empty()
            && matches!(
                stmt.kind,
                StmtKind::Block(_) | StmtKind::Atomic(_) | StmtKind::DStep(_)
            );
        let main = self.side(stmt, labelled_block);
        let other = self.side(escape, false);
        if !labelled_block {
            self.escape(main, other, stmt.span);
            return;
        }
        // The label marks the whole: a new block around it.
        self.open_seq();
        self.escape(main, other, stmt.span);
        let seq = self.close_seq(stmt.span);
        let kind = match stmt.kind {
            StmtKind::Atomic(_) => Kind::Atomic,
            StmtKind::DStep(_) => Kind::DStep,
            _ => Kind::Block,
        };
        let id = self.container(kind, seq, stmt.span);
        self.label(stmt, id);
        self.append(id);
    }

    /// One side of an `unless`: a block is the sequence itself.
    fn side(&mut self, stmt: &Stmt, lifted: bool) -> SeqId {
        if let (StmtKind::Block(steps), true) = (&stmt.kind, stmt.labels.is_empty() || lifted) {
            return self.block(steps, stmt.span);
        }
        self.open_seq();
        if lifted {
            let bare = Stmt {
                labels: Vec::new(),
                ..stmt.clone()
            };
            self.stmt(&bare);
        } else {
            self.stmt(stmt);
        }
        self.close_seq(stmt.span)
    }

    fn escape(&mut self, main: SeqId, other: SeqId, span: Span) {
        let id = self.body.add(Kind::Unless, span, "");
        let join = self.body.add(Kind::Join, span, "goto");
        self.body.elements[id].parts = vec![main, other];
        self.body.append(join, main);
        self.body.append(join, other);
        self.body.attach(main, other);
        let current = self.current();
        self.body.append(id, current);
        self.body.append(join, current);
    }

    /// No way out of a `d_step` but its end, and nothing in it that starts a process.
    fn check_d_step(&mut self, seq: SeqId) {
        let inside = self.body.elements.iter().filter(|e| e.d_step == Some(seq));
        let mut errors = Vec::new();
        for element in inside {
            let out = match &element.kind {
                Kind::Goto(jump) => {
                    let target = self.body.jump(*jump);
                    target.is_none_or(|t| self.body.elements[t].d_step != Some(seq))
                }
                _ => false,
            };
            if out {
                errors.push(
                    Diagnostic::error(element.span, "a jump out of a `d_step`")
                        .label("leads outside")
                        .help("use `atomic`, or jump after the `d_step`"),
                );
            }
            if let Kind::Basic(Action::Run { .. }) = &element.kind {
                errors.push(
                    Diagnostic::error(element.span, "`run` inside a `d_step`")
                        .label("starts a process")
                        .help("use `atomic` instead"),
                );
            }
        }
        for error in errors {
            self.lower.fail(error);
        }
    }
}
