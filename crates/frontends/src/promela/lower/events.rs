//! `trace` and `notrace`: claims on the order of messages.
//!
//! Their bodies are those of a process that only sends and receives. While such a body is lowered, each of its statements is a receive
//! whose `any` says that it is a send in truth; [`to_events`] makes the automaton of that.

use suppose_model::program::{Action, Claim, Event, EventPlace, Events, Expr, Location, Pattern};
use suppose_source::{Diagnostic, Span};

use super::graph::Graph;
use super::{Lower, Lowered};
use crate::promela::ast::{self, ExprKind, Part, Sequence, Step, Stmt, StmtKind, Trace};

impl Lower<'_> {
    pub(super) fn traces(&mut self) {
        let ast = self.ast;
        for trace in &ast.traces {
            self.trace(trace);
        }
    }

    fn trace(&mut self, trace: &Trace) {
        let before = self.errors.len();
        self.only_events(&trace.body);
        if self.errors.len() > before {
            return;
        }
        self.enter_scope();
        self.in_trace = true;
        let graph = self.graph(&trace.body, 0, trace.end, None);
        self.in_trace = false;
        self.leave_scope();
        let Some(graph) = self.keep(graph) else {
            return;
        };
        self.trace_elements.push(graph.elements);
        let name = self.text(trace.name.name).to_owned();
        if graph.locations.iter().any(|l| l.accept || l.progress) {
            let what = format!("cycles of the {name}");
            self.leave_undecided(what, "cycles are not decided here", trace.span);
        }
        let entry = graph.entry;
        let (places, end) = to_events(graph);
        self.program.claims.push(Claim {
            name,
            locations: Vec::new(),
            entry,
            end,
            text: trace.text.clone(),
            span: trace.span,
            events: Some(Events {
                forbidden: trace.forbidden,
                places,
            }),
            formula: None,
        });
    }

    /// Refuses what is no event and no choice between events, as SPIN does.
    fn only_events(&mut self, steps: &Sequence) {
        for step in steps {
            let stmt = match step {
                Step::Stmt(stmt) => stmt,
                Step::Decl(decl) => {
                    let span = decl.variables.first().map(|v| v.name.span);
                    self.no_event(span.unwrap_or_default());
                    continue;
                }
                Step::Unless(both) => {
                    self.no_event(both.0.span.to(both.1.span));
                    continue;
                }
                Step::Exclusive(_, channel) => {
                    self.no_event(channel.span);
                    continue;
                }
            };
            match &stmt.kind {
                StmtKind::If(options) | StmtKind::Do(options) => {
                    for option in options {
                        self.only_events(option);
                    }
                }
                StmtKind::Send { sorted: false, .. } | StmtKind::Goto(_) | StmtKind::Break => {}
                StmtKind::Receive {
                    any: false,
                    keep: false,
                    ..
                } => {}
                _ => self.no_event(stmt.span),
            }
        }
    }

    fn no_event(&mut self, span: Span) {
        self.fail(
            Diagnostic::error(span, "this is not an event")
                .label("expected a simple send or receive, as in `c!1` or `c?1`")
                .help("a `trace` may hold events, `if`, `do`, `break`, `goto` and labels"),
        );
    }

    /// The action of an event: see the start of the file.
    pub(super) fn event_action(&mut self, stmt: &Stmt) -> Lowered<Action> {
        let (channel, mut patterns, sent) = match &stmt.kind {
            StmtKind::Send {
                channel, values, ..
            } => {
                let fields: Lowered<Vec<Pattern>> =
                    values.iter().map(|v| self.event_field(v)).collect();
                (channel, fields?, true)
            }
            StmtKind::Receive {
                channel, patterns, ..
            } => {
                let fields: Lowered<Vec<Pattern>> =
                    patterns.iter().map(|p| self.event_pattern(p)).collect();
                (channel, fields?, false)
            }
            _ => return Err(Diagnostic::error(stmt.span, "this is not an event")),
        };
        let (channel, kind) = self.channel_of(channel)?;
        let fields = kind.and_then(|k| self.program.channels.get(k as usize));
        let fields = fields.map_or(patterns.len(), |k| k.fields.len());
        // SPIN compares the fields that are there, and as many as are given.
        if patterns.len() != fields {
            self.check_fields(patterns.len(), kind, stmt.span);
            patterns.truncate(fields);
        }
        Ok(Action::Receive {
            channel,
            patterns,
            any: sent,
            keep: false,
        })
    }

    fn event_pattern(&self, pattern: &ast::Pattern) -> Lowered<Pattern> {
        match pattern {
            ast::Pattern::Const(value) => Ok(Pattern::Match(Expr::Const(*value))),
            ast::Pattern::Eval(value) if !self.is_fixed(value) => Err(not_fixed(value.span)),
            ast::Pattern::Eval(value) => self.event_field(value),
            ast::Pattern::Var(variable) => self.event_field(&ast::Expr {
                kind: ExprKind::Var(variable.clone()),
                span: variable.span,
            }),
        }
    }

    /// The value of a field. As in SPIN, a variable matches any value.
    fn event_field(&self, value: &ast::Expr) -> Lowered<Pattern> {
        if let ExprKind::Var(variable) = &value.kind
            && let [Part { name, .. }] = variable.parts.as_slice()
            && !self.symbols.contains_key(&name.name)
        {
            let any = self.text(name.name) == "_" || self.find(name.name).is_some();
            return match any {
                true => Ok(Pattern::Ignore),
                false => Err(self.unknown(*name)),
            };
        }
        match self.is_fixed(value) {
            true => Ok(Pattern::Match(Expr::Const(self.constant(value)?))),
            false => Err(not_fixed(value.span)),
        }
    }

    /// Does an expression mention only constants?
    fn is_fixed(&self, expr: &ast::Expr) -> bool {
        match &expr.kind {
            ExprKind::Const(_) => true,
            ExprKind::Var(variable) => match variable.parts.as_slice() {
                [Part { name, index: None }] => self.symbols.contains_key(&name.name),
                _ => false,
            },
            ExprKind::Unary(_, a) => self.is_fixed(a),
            ExprKind::Binary(_, a, b) => self.is_fixed(a) && self.is_fixed(b),
            ExprKind::Chain(_, all) => all.iter().all(|e| self.is_fixed(e)),
            ExprKind::Cond(a, b, c) => [a, b, c].into_iter().all(|e| self.is_fixed(e)),
            _ => false,
        }
    }
}

fn not_fixed(span: Span) -> Diagnostic {
    Diagnostic::error(span, "a `trace` compares fields with constants only")
        .label("this changes while the program runs")
        .help("write a number, a symbolic constant, or `_` for any value")
}

/// The automaton of a graph, and its end. Jumps that have places of their own are passed over.
fn to_events(graph: Graph) -> (Vec<EventPlace>, u32) {
    let locations = &graph.locations;
    let mut places: Vec<EventPlace> = Vec::with_capacity(locations.len() + 1);
    for (number, location) in locations.iter().enumerate() {
        let mut ways = Vec::new();
        let mut passed = vec![number as u32];
        let mut next = 0;
        while let Some(at) = passed.get(next).copied() {
            collect(&locations[at as usize], &mut ways, &mut passed);
            next += 1;
        }
        let rest = location.end;
        places.push(EventPlace { ways, rest });
    }
    let end = graph.stop.unwrap_or_else(|| {
        places.push(EventPlace {
            ways: Vec::new(),
            rest: true,
        });
        u32::try_from(places.len() - 1).unwrap_or(u32::MAX)
    });
    (places, end)
}

fn collect(location: &Location, ways: &mut Vec<Event>, passed: &mut Vec<u32>) {
    for edge in &location.edges {
        match &edge.action {
            Action::Receive {
                channel,
                patterns,
                any,
                ..
            } => {
                let value = |pattern: &Pattern| match pattern {
                    Pattern::Match(Expr::Const(value)) => Some(*value),
                    _ => None,
                };
                ways.push(Event {
                    channel: channel.clone(),
                    sent: *any,
                    fields: patterns.iter().map(value).collect(),
                    target: edge.target,
                });
            }
            Action::Guard(_) if !passed.contains(&edge.target) => passed.push(edge.target),
            _ => {}
        }
    }
}
