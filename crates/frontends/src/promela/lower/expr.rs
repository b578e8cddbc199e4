//! Expressions and the variables in them.

use suppose_model::program::{Binary, Expr, Index, Pattern, Place, Type, Unary};
use suppose_source::{Diagnostic, Span};

use super::names::VarType;
use super::{Lower, Lowered};
use crate::promela::ast::{self, ExprKind, Ident, Part, VarRef};
use crate::promela::lexer::counted;

/// What a reference to a variable comes to.
pub(super) struct Target {
    pub(super) place: Place,
    pub(super) ty: VarType,
    /// The length, where a whole array is meant.
    pub(super) whole: Option<u32>,
    /// The kind of channel that it starts with.
    pub(super) kind: Option<u32>,
}

impl Lower<'_> {
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Lowered<Expr> {
        Ok(match &expr.kind {
            ExprKind::Const(value) => Expr::Const(*value),
            ExprKind::Var(variable) => return self.variable(variable),
            ExprKind::Unary(operator, of) => match self.expr(of)? {
                Expr::Const(value) => Expr::Const(operator.apply(value)),
                other => Expr::Unary(*operator, Box::new(other)),
            },
            ExprKind::Binary(operator, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                binary(*operator, a, b)
            }
            ExprKind::Chain(operator, all) => {
                let all: Lowered<Vec<Expr>> = all.iter().map(|e| self.expr(e)).collect();
                balanced(*operator, all?)
            }
            ExprKind::Cond(test, then, otherwise) => Expr::Cond(
                Box::new(self.expr(test)?),
                Box::new(self.expr(then)?),
                Box::new(self.expr(otherwise)?),
            ),
            ExprKind::Len(channel) => Expr::Len(Box::new(self.channel_of(channel)?.0)),
            ExprKind::Full(channel) => Expr::Full(Box::new(self.channel_of(channel)?.0)),
            ExprKind::Empty(channel) => Expr::Empty(Box::new(self.channel_of(channel)?.0)),
            ExprKind::Nfull(channel) => not(Expr::Full(Box::new(self.channel_of(channel)?.0))),
            ExprKind::Nempty(channel) => not(Expr::Empty(Box::new(self.channel_of(channel)?.0))),
            ExprKind::Poll {
                channel,
                patterns,
                any,
            } => {
                let (channel, kind) = self.channel_of(channel)?;
                let mut patterns = self.patterns(patterns, kind, expr.span, true)?;
                for pattern in &mut patterns {
                    // A poll changes nothing: variables in it match any value.
                    if matches!(pattern, Pattern::Store(_)) {
                        *pattern = Pattern::Ignore;
                    }
                }
                Expr::Poll {
                    channel: Box::new(channel),
                    patterns,
                    any: *any,
                }
            }
            ExprKind::Enabled(of) => Expr::Enabled(Box::new(self.expr(of)?)),
            ExprKind::PcValue(of) => Expr::PcValue(Box::new(self.expr(of)?)),
            ExprKind::GetPriority(of) => {
                self.note_priority(expr.span);
                Expr::Priority(Box::new(self.expr(of)?))
            }
            ExprKind::Timeout => Expr::Timeout,
            ExprKind::RemoteLabel {
                proctype,
                process,
                label,
            } => self.remote_label(*proctype, process.as_deref(), *label)?,
            ExprKind::RemoteVar {
                proctype,
                process,
                variable,
            } => self.remote_var(*proctype, process.as_deref(), variable)?,
            ExprKind::Run { proctype, .. } => {
                return Err(
                    Diagnostic::error(expr.span, "`run` cannot be part of an expression")
                        .label(format!("starts a process `{}`", self.text(proctype.name)))
                        .help("use it alone, as in `run P()` or `x = run P()`"),
                );
            }
            ExprKind::Nonprogress => {
                return Err(
                    Diagnostic::error(expr.span, "`np_` asks about progress cycles")
                        .label("expected only in a `never` claim or an `ltl` formula")
                        .help("leave it out: --progress asks whether every infinite run makes progress"),
                );
            }
            ExprKind::Temporal(..) => {
                return Err(Diagnostic::error(
                    expr.span,
                    "temporal operators belong into `ltl` formulas",
                )
                .label("not inside an expression"));
            }
        })
    }

    fn variable(&mut self, variable: &VarRef) -> Lowered<Expr> {
        if let [Part { name, index: None }] = variable.parts.as_slice()
            && self.find(name.name).is_none()
        {
            if let Some((value, ..)) = self.symbols.get(&name.name) {
                return Ok(Expr::Const(*value));
            }
            match self.text(name.name) {
                "_pid" => return Ok(Expr::Pid),
                "_nr_pr" => return Ok(Expr::Processes),
                "_last" => {
                    self.program.uses_last = true;
                    return Ok(Expr::Last);
                }
                "_priority" => {
                    self.note_priority(variable.span);
                    return Ok(Expr::Priority(Box::new(Expr::Pid)));
                }
                "_" => {
                    return Err(Diagnostic::error(variable.span, "`_` has no value")
                        .label("it can only be written to"));
                }
                _ => {}
            }
        }
        let place = self.scalar(variable)?;
        Ok(Expr::Load(place))
    }

    /// A variable that is one scalar.
    pub(super) fn scalar(&mut self, variable: &VarRef) -> Lowered<Place> {
        let target = self.target(variable)?;
        if target.whole.is_some() {
            let it = Diagnostic::warning(variable.span, "this is a whole array")
                .label("its first element is taken, as SPIN does after a complaint")
                .help("add an index: `name[0]`");
            self.warnings.push(it);
        }
        match target.ty {
            VarType::Scalar(ty) => Ok(Place { ty, ..target.place }),
            VarType::Struct(number) => {
                let shown = self.text(self.structs[number].name);
                Err(
                    Diagnostic::error(variable.span, format!("this is a whole `{shown}`"))
                        .label("expected a single value")
                        .help("name a field: `variable.field`"),
                )
            }
        }
    }

    /// Whatever a reference means, arrays and structures included.
    pub(super) fn target(&mut self, variable: &VarRef) -> Lowered<Target> {
        let Some((first, fields)) = variable.parts.split_first() else {
            return Err(Diagnostic::error(variable.span, "expected a variable"));
        };
        let Some(var) = self.find(first.name.name).cloned() else {
            return Err(self.unknown(first.name));
        };
        self.target_in(&var, first, fields)
    }

    fn target_in(
        &mut self,
        var: &super::names::Var,
        first: &Part,
        fields: &[Part],
    ) -> Lowered<Target> {
        let mut target = Target {
            place: Place {
                scope: var.scope,
                base: var.base,
                indices: Vec::new(),
                ty: Type::Int,
            },
            ty: var.ty,
            whole: None,
            kind: var.kind,
        };
        self.index(&mut target, first, var.length, fields.is_empty())?;
        for (number, part) in fields.iter().enumerate() {
            let VarType::Struct(of) = target.ty else {
                return Err(
                    Diagnostic::error(part.name.span, "only structures have fields")
                        .label(format!("there is no `.{}` here", self.text(part.name.name))),
                );
            };
            let found = self.structs[of]
                .fields
                .iter()
                .find(|f| f.name == part.name.name);
            let Some(field) = found.cloned() else {
                return Err(self.unknown_field(of, part.name));
            };
            target.place.base += field.offset;
            (target.ty, target.kind) = (field.ty, field.kind);
            self.index(&mut target, part, field.length, number + 1 == fields.len())?;
        }
        if let VarType::Scalar(ty) = target.ty {
            target.place.ty = ty;
        }
        Ok(target)
    }

    fn unknown_field(&self, of: usize, name: Ident) -> Diagnostic {
        let (shown, field) = (self.text(self.structs[of].name), self.text(name.name));
        let it = Diagnostic::error(name.span, format!("`{shown}` has no field `{field}`"))
            .label("expected one of its fields");
        let fields = self.structs[of].fields.iter().map(|f| self.text(f.name));
        it.did_you_mean(field, fields)
    }

    /// Goes to an element.
    fn index(
        &mut self,
        target: &mut Target,
        part: &Part,
        length: Option<u32>,
        last: bool,
    ) -> Lowered<()> {
        let stride = u32::try_from(self.size(target.ty)).unwrap_or(u32::MAX);
        let names = self.names;
        let name = || names.text(part.name.name).to_owned();
        match (&part.index, length) {
            (None, None) => {}
            (None, Some(length)) if last => target.whole = Some(length),
            (None, Some(_)) => {
                return Err(
                    Diagnostic::error(part.name.span, format!("`{}` is an array", name()))
                        .label("expected an index"),
                );
            }
            (Some(index), None) => {
                // SPIN takes `x[0]` for `x`.
                if !matches!(self.expr(index)?, Expr::Const(0)) {
                    return Err(Diagnostic::error(
                        part.name.span,
                        format!("`{}` is not an array", name()),
                    )
                    .label("expected no index"));
                }
            }
            (Some(index), Some(bound)) => match self.expr(index)? {
                Expr::Const(value) if u32::try_from(value).is_ok_and(|v| v < bound) => {
                    target.place.base += stride * value as u32;
                }
                expr => {
                    if let Expr::Const(value) = expr {
                        let message = format!("the index {value} is outside the array");
                        self.warnings.push(
                            Diagnostic::warning(index.span, message)
                                .label(format!("`{}` has {bound} elements", name())),
                        );
                    }
                    target.place.indices.push(Index {
                        expr,
                        bound,
                        stride,
                    });
                }
            },
        }
        Ok(())
    }

    /// A channel and, where it is known, its kind.
    pub(super) fn channel_of(&mut self, variable: &VarRef) -> Lowered<(Expr, Option<u32>)> {
        let target = self.target(variable)?;
        let place = self.scalar(variable)?;
        if place.ty != Type::Chan {
            return Err(Diagnostic::error(variable.span, "this is not a channel")
                .label("expected a variable of type `chan`"));
        }
        Ok((Expr::Load(place), target.kind))
    }

    /// Values for the fields of a message or the parameters of a process: structures are taken apart.
    pub(super) fn values(&mut self, values: &[ast::Expr]) -> Lowered<Vec<Expr>> {
        let mut all = Vec::new();
        for value in values {
            if let ExprKind::Var(variable) = &value.kind
                && let Some(places) = self.structure(variable)?
            {
                all.extend(places.into_iter().map(Expr::Load));
                continue;
            }
            all.push(self.expr(value)?);
        }
        Ok(all)
    }

    /// The scalars of a structure, if this is one.
    fn structure(&mut self, variable: &VarRef) -> Lowered<Option<Vec<Place>>> {
        let Some(first) = variable.parts.first() else {
            return Ok(None);
        };
        let is_struct = self
            .find(first.name.name)
            .is_some_and(|v| matches!(v.ty, VarType::Struct(_)));
        if !is_struct {
            return Ok(None);
        }
        let target = self.target(variable)?;
        if target.whole.is_some() || matches!(target.ty, VarType::Scalar(_)) {
            return Ok(None);
        }
        let mut leaves = Vec::new();
        self.leaves(target.ty, 0, &mut leaves);
        let place = |(offset, ty): (u32, Type)| Place {
            base: target.place.base + offset,
            ty,
            ..target.place.clone()
        };
        Ok(Some(leaves.into_iter().map(place).collect()))
    }

    pub(super) fn patterns(
        &mut self,
        patterns: &[ast::Pattern],
        kind: Option<u32>,
        span: Span,
        looks: bool,
    ) -> Lowered<Vec<Pattern>> {
        let mut all = Vec::new();
        for pattern in patterns {
            match pattern {
                ast::Pattern::Const(value) => all.push(Pattern::Match(Expr::Const(*value))),
                ast::Pattern::Eval(value) => {
                    let values = self.values(std::slice::from_ref(value))?;
                    all.extend(values.into_iter().map(Pattern::Match));
                }
                ast::Pattern::Var(variable) => self.pattern(variable, &mut all)?,
            }
        }
        for (number, pattern) in all.iter().enumerate() {
            if let Pattern::Store(place) = pattern
                && all[..number].contains(pattern)
                && place.indices.is_empty()
            {
                let it = Diagnostic::error(span, "two fields of a message go to one variable");
                return Err(it.label("expected a variable of its own for each"));
            }
        }
        // What only looks at a message may leave its last fields out.
        let fields = kind.and_then(|k| self.program.channels.get(k as usize));
        let fields = fields.map_or(0, |k| k.fields.len());
        while looks && all.len() < fields {
            all.push(Pattern::Ignore);
        }
        self.check_fields(all.len(), kind, span);
        Ok(all)
    }

    fn pattern(&mut self, variable: &VarRef, all: &mut Vec<Pattern>) -> Lowered<()> {
        if let [Part { name, index: None }] = variable.parts.as_slice()
            && self.find(name.name).is_none()
        {
            if let Some((value, ..)) = self.symbols.get(&name.name) {
                all.push(Pattern::Match(Expr::Const(*value)));
                return Ok(());
            }
            match self.text(name.name) {
                "_" => {
                    all.push(Pattern::Ignore);
                    return Ok(());
                }
                "_pid" | "_nr_pr" | "_last" => {
                    return Err(
                        Diagnostic::error(variable.span, "this cannot be written to")
                            .label("set by the system")
                            .help("to compare with it, write `eval(...)`"),
                    );
                }
                _ => {}
            }
        }
        match self.structure(variable)? {
            Some(places) => all.extend(places.into_iter().map(Pattern::Store)),
            None => all.push(Pattern::Store(self.scalar(variable)?)),
        }
        Ok(())
    }

    /// Has a message as many fields as its channel? If not, SPIN takes it for an error of the run.
    pub(super) fn check_fields(&mut self, given: usize, kind: Option<u32>, span: Span) {
        let Some(kind) = kind.and_then(|k| self.program.channels.get(k as usize)) else {
            return;
        };
        let fields = kind.fields.len();
        if fields != given {
            let message = format!(
                "the channel `{}` has {}, found {given}",
                kind.name,
                counted(fields, "field")
            );
            let it = Diagnostic::warning(span, message)
                .label(format!("expected {}", counted(fields, "field")))
                .note(kind.span, "declared here")
                .help("to come here is an error, as in SPIN");
            self.warnings.push(it);
        }
    }

    fn remote(
        &mut self,
        name: Ident,
        process: Option<&ast::Expr>,
    ) -> Lowered<(usize, Option<Box<Expr>>)> {
        let Some(number) = self.proctypes.get(&name.name).copied() else {
            return Err(self.unknown_proctype(name));
        };
        let process = match process {
            Some(process) => Some(Box::new(self.expr(process)?)),
            None => None,
        };
        Ok((number, process))
    }

    pub(super) fn unknown_proctype(&self, name: Ident) -> Diagnostic {
        let shown = self.text(name.name);
        let it = Diagnostic::error(name.span, format!("there is no proctype `{shown}`"))
            .label("expected the name of a proctype");
        let all = self.program.proctypes.iter().map(|p| p.name.as_str());
        it.did_you_mean(shown, all)
    }

    fn remote_label(
        &mut self,
        proctype: Ident,
        process: Option<&ast::Expr>,
        label: Ident,
    ) -> Lowered<Expr> {
        let (number, process) = self.remote(proctype, process)?;
        // The places are filled in when all graphs are there.
        self.wanted.push((number, label));
        Ok(Expr::At {
            proctype: number as u32,
            process,
            locations: vec![u32::try_from(self.wanted.len() - 1).unwrap_or(u32::MAX)],
        })
    }

    fn remote_var(
        &mut self,
        proctype: Ident,
        process: Option<&ast::Expr>,
        variable: &VarRef,
    ) -> Lowered<Expr> {
        let (number, process) = self.remote(proctype, process)?;
        let Some((first, fields)) = variable.parts.split_first() else {
            return Err(Diagnostic::error(variable.span, "expected a variable"));
        };
        let found = self.frames[number]
            .iter()
            .find(|v| v.name == first.name.name)
            .cloned();
        let Some(var) = found else {
            let (shown, of) = (self.text(first.name.name), self.text(proctype.name));
            let it =
                Diagnostic::error(first.name.span, format!("`{of}` has no variable `{shown}`"))
                    .label("expected a local variable of that process");
            let known = self.frames[number].iter().map(|v| self.text(v.name));
            return Err(it.did_you_mean(shown, known));
        };
        let target = self.target_in(&var, first, fields)?;
        if target.whole.is_some() || !matches!(target.ty, VarType::Scalar(_)) {
            return Err(Diagnostic::error(variable.span, "expected a single value")
                .label("this is an array or a structure"));
        }
        Ok(Expr::Remote {
            proctype: number as u32,
            process,
            place: target.place,
        })
    }
}

/// An operator on two operands, worked out if both are constants.
pub(super) fn binary(operator: Binary, a: Expr, b: Expr) -> Expr {
    if let (Expr::Const(a), Expr::Const(b)) = (&a, &b)
        && let Some(value) = operator.apply(*a, *b)
    {
        return Expr::Const(value);
    }
    Expr::Binary(operator, Box::new(a), Box::new(b))
}

/// A chain of `&&` or `||` as a tree that is not deeper than it must be.
pub(super) fn balanced(operator: Binary, mut all: Vec<Expr>) -> Expr {
    if all.len() <= 1 {
        return all.pop().unwrap_or(Expr::Const(1));
    }
    let right = all.split_off(all.len().div_ceil(2));
    binary(operator, balanced(operator, all), balanced(operator, right))
}

/// The opposite.
pub(super) fn not(expr: Expr) -> Expr {
    match expr {
        Expr::Const(value) => Expr::Const(i32::from(value == 0)),
        Expr::Unary(Unary::Not, inner) if is_truth(&inner) => *inner,
        other => Expr::Unary(Unary::Not, Box::new(other)),
    }
}

/// Is the value always 0 or 1?
fn is_truth(expr: &Expr) -> bool {
    match expr {
        Expr::Binary(operator, ..) => matches!(
            operator,
            Binary::Lt
                | Binary::Le
                | Binary::Gt
                | Binary::Ge
                | Binary::Eq
                | Binary::Ne
                | Binary::And
                | Binary::Or
        ),
        Expr::Unary(Unary::Not, _) | Expr::Full(_) | Expr::Empty(_) | Expr::At { .. } => true,
        Expr::Load(place) => matches!(place.ty, Type::Bool | Type::Bit),
        _ => false,
    }
}
