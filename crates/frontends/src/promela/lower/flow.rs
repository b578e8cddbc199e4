//! Statements to elements.

use suppose_model::program::{Action, Binary, Expr, Init, Pattern, Place};
use suppose_source::{Diagnostic, Span};

use super::element::{ATOMIC, Body, Id, Idle, Jump, Kind, LAST, Label, SeqId};
use super::expr::binary;
use super::names::{Var, VarType};
use super::{Lower, Lowered};
use crate::promela::ast::{
    self, Decl, ExprKind, Ident, Range, Sequence, Step, Stmt, StmtKind, VarRef,
};

/// The widest `select` that SPIN makes an `if` of.
const SELECT: i64 = 32;

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
    declared: usize,
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

    fn open_seq(&mut self) {
        self.early = false;
        self.body.seqs.push(Default::default());
        self.open.push(self.body.seqs.len() - 1);
    }

    fn close_seq(&mut self, span: Span) -> SeqId {
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
    fn append(&mut self, element: Id) {
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

    fn step_of(&mut self, action: Action, span: Span, text: String) {
        let id = self.body.add(Kind::Basic(action), span, text);
        self.append(id);
    }

    fn in_scope<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scope;
        self.body.scopes.push(outer);
        self.scope = self.body.scopes.len() - 1;
        self.lower.enter_scope();
        let result = run(self);
        self.lower.leave_scope();
        self.scope = outer;
        result
    }

    fn steps(&mut self, steps: &Sequence) {
        for step in steps {
            match step {
                Step::Decl(decl) => self.decl(decl),
                Step::Stmt(stmt) => {
                    self.stmt(stmt);
                    self.early = false;
                }
                Step::Unless(stmt, escape) => {
                    self.unless(stmt, escape);
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
            // An initial value may speak of an outer variable of the same name.
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

    fn label(&mut self, stmt: &Stmt, element: Id) {
        // The innermost label stands last in the text.
        for label in stmt.labels.iter().rev() {
            let scope = self.scope;
            let other = self
                .body
                .labels
                .iter()
                .find(|l| l.name.name == label.name && l.scope == scope);
            if let Some(other) = other {
                let message = format!("the label `{}` is there twice", self.lower.text(label.name));
                let it = Diagnostic::error(label.span, message)
                    .label("again here")
                    .note(other.name.span, "first here");
                self.lower.fail(it);
            }
            self.body.elements[element].labels.push(*label);
            self.body.labels.push(Label {
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

    fn open_loop(&mut self) -> usize {
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
        seqs.sort_by_key(|s| is_else(&self.body, *s).is_some());
    }

    fn choice(&mut self, kind: Kind, mut seqs: Vec<SeqId>, stmt: &Stmt) -> Id {
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

    fn repetition(&mut self, mut seqs: Vec<SeqId>, number: usize, stmt: &Stmt) -> Id {
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

    fn for_loop(&mut self, stmt: &Stmt, variable: &VarRef, range: &Range, body: &Sequence) {
        let span = stmt.span;
        let head = self.for_head(stmt, variable, range);
        let Some(head) = self.lower.keep(head) else {
            return;
        };
        let name = &head.name;
        self.step_of(
            Action::Assign(head.place.clone(), head.low.clone()),
            span,
            format!("{name} = {}", head.low_text),
        );
        let number = self.open_loop();
        self.open_seq();
        let load = Expr::Load(head.place.clone());
        let test = binary(head.test, load.clone(), head.high.clone());
        let sign = if head.test == Binary::Le { "<=" } else { "<" };
        self.step_of(
            Action::Guard(test),
            span,
            format!("{name} {sign} {}", head.high_text),
        );
        for (action, text) in head.each {
            self.step_of(action, span, text);
        }
        self.in_scope(|flow| flow.steps(body));
        let more = binary(Binary::Add, load, Expr::Const(1));
        self.step_of(
            Action::Assign(head.place.clone(), more),
            span,
            format!("{name}++"),
        );
        let main = self.close_seq(span);
        self.open_seq();
        let id = self.body.add(Kind::Else, span, "else");
        self.append(id);
        let id = self.body.add(Kind::Goto(Jump::Loop(number)), span, "break");
        self.append(id);
        let done = self.close_seq(span);
        let id = self.repetition(vec![done, main], number, stmt);
        self.label(stmt, id);
    }

    fn for_head(&mut self, stmt: &Stmt, variable: &VarRef, range: &Range) -> Lowered<ForHead> {
        let name = self.lower.sources.text(variable.span).to_owned();
        let over = match range {
            Range::Between(low, high) => {
                let place = self.lower.written_to(variable)?;
                return Ok(ForHead {
                    name,
                    place,
                    low: self.lower.expr(low)?,
                    low_text: self.lower.sources.text(low.span).to_owned(),
                    test: Binary::Le,
                    high: self.lower.expr(high)?,
                    high_text: self.lower.sources.text(high.span).to_owned(),
                    each: Vec::new(),
                });
            }
            Range::In(over) => over,
        };
        let frame = self.lower.current.and_then(|c| self.lower.frames.get(c));
        let counter = frame.and_then(|f| f.get(self.declared)).cloned();
        self.declared += 1;
        let target = self.lower.target(over)?;
        if let Some(length) = target.whole {
            let last = i32::try_from(length - 1).unwrap_or(i32::MAX);
            return Ok(ForHead {
                name,
                place: self.lower.written_to(variable)?,
                low: Expr::Const(0),
                low_text: "0".to_owned(),
                test: Binary::Le,
                high: Expr::Const(last),
                high_text: last.to_string(),
                each: Vec::new(),
            });
        }
        let (Some(counter), VarType::Scalar(ty)) = (counter, target.ty) else {
            return Err(
                Diagnostic::error(over.span, "this is neither an array nor a channel")
                    .label("expected something to go through"),
            );
        };
        if ty != suppose_model::program::Type::Chan {
            return Err(
                Diagnostic::error(over.span, "this is neither an array nor a channel")
                    .label("expected something to go through"),
            );
        }
        let (channel, kind) = self.lower.channel_of(over)?;
        let patterns =
            self.lower
                .patterns(&[ast::Pattern::Var(variable.clone())], kind, stmt.span)?;
        let values = patterns.iter().map(|p| match p {
            Pattern::Store(place) => Expr::Load(place.clone()),
            _ => Expr::Const(0),
        });
        let values = values.collect();
        let shown = self.lower.sources.text(over.span).to_owned();
        let each = vec![
            (
                Action::Receive {
                    channel: channel.clone(),
                    patterns,
                    any: false,
                    keep: false,
                },
                format!("{shown}?{name}"),
            ),
            (
                Action::Send {
                    channel: channel.clone(),
                    values,
                    sorted: false,
                },
                format!("{shown}!{name}"),
            ),
        ];
        Ok(ForHead {
            name: "counter".to_owned(),
            place: Place {
                scope: counter.scope,
                base: counter.base,
                indices: Vec::new(),
                ty: suppose_model::program::Type::Short,
            },
            low: Expr::Const(0),
            low_text: "0".to_owned(),
            test: Binary::Lt,
            high: Expr::Len(Box::new(channel)),
            high_text: format!("len({shown})"),
            each,
        })
    }

    fn select(
        &mut self,
        stmt: &Stmt,
        variable: &VarRef,
        low: &ast::Expr,
        high: &ast::Expr,
        plain: bool,
    ) {
        let span = stmt.span;
        let parts = (|| {
            let place = self.lower.written_to(variable)?;
            Ok((place, self.lower.expr(low)?, self.lower.expr(high)?))
        })();
        let Some((place, first, last)) = self.lower.keep(parts) else {
            return;
        };
        let name = self.lower.sources.text(variable.span).to_owned();
        if let (Expr::Const(from), Expr::Const(to)) = (&first, &last) {
            let (from, to) = (*from, *to);
            if from > to {
                let it = Diagnostic::error(span, "there is nothing to select from");
                self.lower
                    .fail(it.label(format!("{from} is greater than {to}")));
                return;
            }
            if plain && i64::from(to) - i64::from(from) <= SELECT {
                let mut seqs = Vec::new();
                for value in from..=to {
                    self.open_seq();
                    let action = Action::Assign(place.clone(), Expr::Const(value));
                    self.step_of(action, span, format!("{name} = {value}"));
                    seqs.push(self.close_seq(span));
                }
                let id = self.choice(Kind::If, seqs, stmt);
                self.label(stmt, id);
                return;
            }
        }
        let high_text = self.lower.sources.text(high.span).to_owned();
        let low_text = self.lower.sources.text(low.span).to_owned();
        self.step_of(
            Action::Assign(place.clone(), first),
            span,
            format!("{name} = {low_text}"),
        );
        let number = self.open_loop();
        self.open_seq();
        let load = Expr::Load(place.clone());
        let test = binary(Binary::Lt, load.clone(), last);
        self.step_of(Action::Guard(test), span, format!("{name} < {high_text}"));
        let more = binary(Binary::Add, load, Expr::Const(1));
        self.step_of(Action::Assign(place, more), span, format!("{name}++"));
        let main = self.close_seq(span);
        self.open_seq();
        let id = self.body.add(Kind::Goto(Jump::Loop(number)), span, "break");
        self.append(id);
        let done = self.close_seq(span);
        let id = self.repetition(vec![done, main], number, stmt);
        self.label(stmt, id);
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

struct ForHead {
    name: String,
    place: Place,
    low: Expr,
    low_text: String,
    test: Binary,
    high: Expr,
    high_text: String,
    /// What is done first in each round.
    each: Vec<(Action, String)>,
}

impl Body {
    fn move_labels(&mut self, from: Id, to: Id) {
        self.elements[to].labels = std::mem::take(&mut self.elements[from].labels);
        for label in &mut self.labels {
            if label.element == from {
                label.element = to;
            }
        }
    }

    /// SPIN leaves out a `skip` behind another one inside an option.
    fn prune(&mut self, seq: SeqId) {
        let (first, last) = (self.seqs[seq].first, self.seqs[seq].last);
        let mut idle = 0;
        let mut before: Option<Id> = None;
        for id in self.walk(seq) {
            let element = &self.elements[id];
            if element.idle == Idle::No || !element.labels.is_empty() {
                idle = 0;
                before = Some(id);
                continue;
            }
            idle += 1;
            let removable = idle > 1 && element.idle == Idle::Skip;
            if removable && Some(id) != first && Some(id) != last {
                if let Some(before) = before {
                    self.elements[before].next = self.elements[id].next;
                }
                continue;
            }
            before = Some(id);
        }
    }

    /// Marks a sequence as atomic; with `d_step` as one indivisible step.
    fn make_atomic(&mut self, seq: SeqId, d_step: Option<SeqId>) {
        self.walk_atomic(seq, d_step);
        let mut seq = seq;
        while let Some(last) = self.seqs[seq].last {
            match self.elements[last].kind {
                Kind::Block | Kind::Atomic => seq = self.elements[last].parts[0],
                Kind::Unless => seq = self.elements[last].parts[0],
                _ => {
                    self.elements[last].status &= !ATOMIC;
                    self.elements[last].status |= LAST;
                    break;
                }
            }
        }
    }

    fn walk_atomic(&mut self, seq: SeqId, d_step: Option<SeqId>) {
        for id in self.walk(seq) {
            let element = &mut self.elements[id];
            element.status |= ATOMIC;
            if d_step.is_some() {
                element.d_step = d_step;
            }
            match element.kind {
                Kind::Atomic => element.kind = Kind::Block,
                Kind::DStep if d_step.is_some() => element.kind = Kind::Block,
                Kind::DStep => continue,
                _ => {}
            }
            for part in element.parts.clone() {
                self.walk_atomic(part, d_step);
            }
        }
    }

    /// Lets an escape end every element of a sequence.
    fn attach(&mut self, seq: SeqId, escape: SeqId) {
        for id in self.extent(seq) {
            self.attach_to(id, escape);
        }
    }

    fn attach_to(&mut self, id: Id, escape: SeqId) {
        if self.elements[id].escapes.contains(&escape) {
            return;
        }
        for inner in self.elements[id].escapes.clone() {
            self.attach(inner, escape);
        }
        self.elements[id].escapes.insert(0, escape);
        let parts = self.elements[id].parts.clone();
        match self.elements[id].kind {
            Kind::Unless => self.attach(parts[0], escape),
            Kind::If | Kind::Do | Kind::Atomic | Kind::Block => {
                for part in parts {
                    self.attach(part, escape);
                }
            }
            Kind::DStep => {
                if let Some(first) = self.seqs[parts[0]].first {
                    self.attach_to(first, escape);
                }
            }
            _ => {}
        }
    }

    /// The last element of a block is followed by what follows the block.
    fn tie_ends(&mut self) {
        for id in (0..self.elements.len()).rev() {
            let element = &self.elements[id];
            if !matches!(element.kind, Kind::Atomic | Kind::Block | Kind::DStep) {
                continue;
            }
            let next = element.next;
            if let Some(last) = self.seqs[element.parts[0]].last {
                self.elements[last].next = next;
            }
        }
    }
}
