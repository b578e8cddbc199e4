//! Expressions.

use suppose_model::fsm::{BinaryOp, Cast, EvaluationError, ExprId, Node, Sort, Value, Word};
use suppose_source::{Diagnostic, Span};

use super::super::Dialect;
use super::super::ast::{ChainOp, Expr, ExprKind, Function};
use super::names::is_path;
use super::{Entity, Flattener, Lowered, Scope};

impl<'a> Flattener<'a> {
    /// An expression of the store; constants are computed.
    pub(super) fn make(&mut self, node: Node, span: Span) -> Lowered<ExprId> {
        if self.system.exprs.len() > self.limits.transitions {
            let most = self.limits.transitions;
            return Err(
                Diagnostic::error(span, format!("more than {most} expressions"))
                    .label("the system is too large"),
            );
        }
        if let Some(value) = self.system.exprs.fold(&node) {
            return Ok(self.system.exprs.value(value));
        }
        let made = self.system.exprs.make(node);
        made.map_err(|ill| {
            let it =
                Diagnostic::error(span, ill.message).label(format!("expected {}", ill.expected));
            match self.dialect == Dialect::NuSmv && ill.expected.contains("boolean") {
                true => {
                    it.help("booleans are TRUE and FALSE; 0 and 1 are, in the old dialect only")
                }
                false => it,
            }
        })
    }

    /// A boolean.
    pub(super) fn condition(
        &mut self,
        scope: Scope,
        expr: &'a Expr,
        what: &str,
    ) -> Lowered<ExprId> {
        self.not_temporal(expr, what)?;
        let lowered = self.expr(scope, expr)?;
        let lowered = self.as_boolean(lowered);
        if self.system.exprs.is_boolean(lowered) {
            return Ok(lowered);
        }
        let found = match self.system.exprs.is_set(lowered) {
            true => "a set".to_owned(),
            false => self.system.exprs.sort(lowered).show(),
        };
        Err(
            Diagnostic::error(expr.span, format!("{what} must be a boolean, not {found}"))
                .label("expected a boolean"),
        )
    }

    pub(super) fn not_temporal(&self, expr: &Expr, what: &str) -> Lowered<()> {
        if !expr.temporal {
            return Ok(());
        }
        Err(
            Diagnostic::error(expr.span, format!("{what} cannot be temporal"))
                .label("expected an expression without temporal operators")
                .help("formulas are allowed in CTLSPEC and LTLSPEC"),
        )
    }

    /// A number known without running anything.
    pub(super) fn constant_number(&mut self, scope: Scope, expr: &'a Expr) -> Lowered<i64> {
        let lowered = self.expr(scope, expr)?;
        match self.system.exprs.node(lowered) {
            Node::Value(Value::Int(n)) => Ok(*n),
            _ => Err(
                Diagnostic::error(expr.span, "this is not a constant number")
                    .label("expected a number, or an expression of numbers"),
            ),
        }
    }

    pub(super) fn expr(&mut self, scope: Scope, expr: &'a Expr) -> Lowered<ExprId> {
        let span = expr.span;
        if is_path(expr) {
            return self.path(scope, expr);
        }
        match &expr.kind {
            ExprKind::Truth(truth) => Ok(self.system.exprs.truth(*truth)),
            ExprKind::Number(n) => Ok(self.system.exprs.value(Value::Int(*n))),
            ExprKind::Word(word) => Ok(self.system.exprs.value(Value::Word(word.clone()))),
            ExprKind::Not(a) => {
                let a = self.expr(scope, a)?;
                let a = self.as_boolean(a);
                self.make(Node::Not(a), span)
            }
            ExprKind::Negate(a) => {
                let a = self.expr(scope, a)?;
                let a = self.as_number(a);
                self.make(Node::Negate(a), span)
            }
            ExprKind::Chain(first, rest) => self.chain(scope, first, rest, span),
            ExprKind::Implies(all) => self.implication(scope, all, span),
            ExprKind::Choice(all) => {
                let condition = self.expr(scope, &all.0)?;
                let then = self.expr(scope, &all.1)?;
                let otherwise = self.expr(scope, &all.2)?;
                self.branch(condition, then, otherwise, span)
            }
            ExprKind::Case(arms) => self.case(scope, arms, span),
            ExprKind::Set(all) => {
                let mut members = Vec::with_capacity(all.len());
                for part in all {
                    members.push(self.expr(scope, part)?);
                }
                self.set(members, span)
            }
            ExprKind::Range(range) => self.range_set(scope, &range.0, &range.1, span),
            ExprKind::Next(a) => self.next(scope, a, span),
            ExprKind::Bits(a, range) => {
                let word = self.expr(scope, a)?;
                let high = self.constant_number(scope, &range.0)?;
                let low = self.constant_number(scope, &range.1)?;
                match (u32::try_from(high), u32::try_from(low)) {
                    (Ok(high), Ok(low)) => self.make(Node::Bits(word, high, low), span),
                    _ => Err(Diagnostic::error(span, "bits are counted from 0")
                        .label("expected bits such as `[3:0]`")),
                }
            }
            ExprKind::Call(function, arguments) => self.call(scope, *function, arguments, span),
            ExprKind::Array(_) => Err(Diagnostic::error(
                span,
                "an array cannot be used as a value",
            )
            .label("expected an expression")
            .help("select an element with `[index]`")),
            ExprKind::Branch(..)
            | ExprKind::BranchUntil(..)
            | ExprKind::Linear(..)
            | ExprKind::Psl(..) => Err(Diagnostic::error(
                span,
                "a temporal operator cannot stand here",
            )
            .label("expected an expression")
            .help(
                "temporal formulas can be combined by `!`, `&`, `|`, `->`, `<->` and `xor` only",
            )),
            ExprKind::Name(_) | ExprKind::Itself | ExprKind::Dot(..) | ExprKind::Index(..) => {
                self.selected(scope, expr)
            }
        }
    }

    /// A selection from something that is no name.
    fn selected(&mut self, _: Scope, expr: &'a Expr) -> Lowered<ExprId> {
        Err(Diagnostic::error(expr.span, "nothing can be selected here")
            .label("expected the name of an array or an instance")
            .help("bits of a word are selected as `[high : low]`"))
    }

    fn next(&mut self, scope: Scope, inner: &'a Expr, span: Span) -> Lowered<ExprId> {
        let inner_expr = self.expr(scope, inner)?;
        if self.system.exprs.has_next(inner_expr) {
            return Err(Diagnostic::error(span, "`next` occurs inside `next`")
                .label("expected one `next`")
                .help("there is only one next state to speak of"));
        }
        self.no_input(inner_expr, span, "`next`")?;
        self.system
            .exprs
            .shifted(inner_expr)
            .ok_or_else(|| Diagnostic::error(span, "this has no next value"))
    }

    fn implication(&mut self, scope: Scope, all: &'a [Expr], span: Span) -> Lowered<ExprId> {
        let mut lowered = Vec::new();
        for part in all {
            let part = self.expr(scope, part)?;
            lowered.push(self.as_boolean(part));
        }
        let Some(mut right) = lowered.pop() else {
            return Ok(self.system.exprs.truth(true));
        };
        while let Some(left) = lowered.pop() {
            right = self.make(Node::Binary(BinaryOp::Implies, left, right), span)?;
        }
        Ok(right)
    }

    fn chain(
        &mut self,
        scope: Scope,
        first: &'a Expr,
        rest: &'a [(ChainOp, Expr)],
        span: Span,
    ) -> Lowered<ExprId> {
        let mut left = self.expr(scope, first)?;
        let mut at = 0;
        while let Some((op, part)) = rest.get(at) {
            // Everything up to here, for messages.
            let here = first.span.to(part.span);
            match op {
                ChainOp::Binary(op) => {
                    let right = self.expr(scope, part)?;
                    left = self.binary(*op, left, right, here)?;
                    at += 1;
                }
                ChainOp::Linear(_) => {
                    let error = Diagnostic::error(span, "a temporal operator cannot stand here");
                    return Err(error.label("expected an expression"));
                }
                _ => {
                    let run = rest[at..].iter().take_while(|(other, _)| other == op);
                    let mut all = vec![left];
                    for (_, part) in run {
                        all.push(self.expr(scope, part)?);
                        at += 1;
                    }
                    left = self.junction(*op, all, here)?;
                }
            }
        }
        Ok(left)
    }

    fn junction(&mut self, op: ChainOp, all: Vec<ExprId>, span: Span) -> Lowered<ExprId> {
        if op == ChainOp::Union {
            return self.set(all, span);
        }
        let all = all.into_iter().map(|part| self.as_boolean(part)).collect();
        match op {
            ChainOp::And => self.make(Node::And(all), span),
            _ => self.make(Node::Or(all), span),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, span: Span) -> Lowered<ExprId> {
        let (op, a, b) = self.as_operands(op, a, b);
        self.make(Node::Binary(op, a, b), span)
    }

    fn set(&mut self, members: Vec<ExprId>, span: Span) -> Lowered<ExprId> {
        let members = self.alike(members);
        self.make(Node::Set(members.into()), span)
    }

    pub(super) fn branch(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
        span: Span,
    ) -> Lowered<ExprId> {
        let condition = self.as_boolean(condition);
        let both = self.alike(vec![then, otherwise]);
        match self.system.exprs.node(condition) {
            Node::Value(Value::Bool(true)) => Ok(both[0]),
            Node::Value(Value::Bool(false)) => Ok(both[1]),
            _ => self.make(Node::Ite(condition, both[0], both[1]), span),
        }
    }

    fn case(&mut self, scope: Scope, arms: &'a [(Expr, Expr)], span: Span) -> Lowered<ExprId> {
        let mut lowered = Vec::with_capacity(arms.len());
        for (condition, value) in arms {
            let test = self.condition(scope, condition, "a condition")?;
            lowered.push((
                test,
                self.expr(scope, value)?,
                condition.span.to(value.span),
            ));
        }
        // Without a true condition there is no value, but in the old SMV it is 1.
        let mut value = match self.dialect {
            Dialect::NuSmv => {
                self.make(Node::EvaluationError(EvaluationError::NoCase(span)), span)?
            }
            Dialect::Old => self.system.exprs.value(Value::Int(1)),
        };
        let last_is_sure = lowered.last().is_some_and(|(test, ..)| {
            matches!(
                self.system.exprs.node(*test),
                Node::Value(Value::Bool(true))
            )
        });
        if last_is_sure && let Some((_, last, _)) = lowered.pop() {
            value = last;
        }
        while let Some((test, then, here)) = lowered.pop() {
            value = self.branch(test, then, value, here)?;
        }
        Ok(value)
    }

    fn range_set(
        &mut self,
        scope: Scope,
        low: &'a Expr,
        high: &'a Expr,
        span: Span,
    ) -> Lowered<ExprId> {
        let (a, b) = (
            self.constant_number(scope, low)?,
            self.constant_number(scope, high)?,
        );
        if a > b {
            return Err(
                Diagnostic::error(span, format!("the range {a}..{b} is empty"))
                    .label("expected the smaller number first"),
            );
        }
        if i128::from(b) - i128::from(a) > self.limits.labels as i128 {
            let message = format!("more than {} values", self.limits.labels);
            return Err(Diagnostic::error(span, message).label("the range is too large"));
        }
        let members = (a..=b).map(|n| self.system.exprs.value(Value::Int(n)));
        let members: Vec<ExprId> = members.collect();
        self.make(Node::Set(members.into()), span)
    }

    fn call(
        &mut self,
        scope: Scope,
        function: Function,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<ExprId> {
        let wanted = match function {
            Function::Count => arguments.len(),
            Function::Cast(_) | Function::Sizeof => 1,
            _ => 2,
        };
        if arguments.len() != wanted {
            let message = format!("this takes {wanted} arguments, not {}", arguments.len());
            return Err(
                Diagnostic::error(span, message).label(format!("expected {wanted} arguments"))
            );
        }
        match function {
            Function::Cast(cast) => {
                let it = self.expr(scope, &arguments[0])?;
                let it = match cast {
                    Cast::Word1 => self.as_boolean(it),
                    _ => it,
                };
                self.make(Node::Cast(cast, it), span)
            }
            Function::Extend | Function::Resize => {
                let it = self.expr(scope, &arguments[0])?;
                let bits = self.constant_number(scope, &arguments[1])?;
                let bits = u32::try_from(bits).unwrap_or(u32::MAX);
                let cast = match function {
                    Function::Extend => Cast::Extend(bits),
                    _ => Cast::Resize(bits),
                };
                self.make(Node::Cast(cast, it), span)
            }
            Function::Sizeof => self.size(scope, &arguments[0]),
            Function::SignedConstant | Function::UnsignedConstant => {
                self.word_constant(scope, function == Function::SignedConstant, arguments)
            }
            Function::Count => {
                let mut all = Vec::new();
                for part in arguments {
                    all.push(self.condition(scope, part, "what `count` counts")?);
                }
                self.make(Node::Count(all.into()), span)
            }
            Function::Max | Function::Min => {
                let a = self.expr(scope, &arguments[0])?;
                let b = self.expr(scope, &arguments[1])?;
                let op = match function {
                    Function::Max => BinaryOp::Max,
                    _ => BinaryOp::Min,
                };
                self.binary(op, a, b, span)
            }
        }
    }

    fn size(&mut self, scope: Scope, argument: &'a Expr) -> Lowered<ExprId> {
        let it = self.expr(scope, argument)?;
        match self.system.exprs.sort(it) {
            Sort::Word { width, .. } => Ok(self.system.exprs.value(Value::Int(width.into()))),
            other => Err(Diagnostic::error(
                argument.span,
                format!("`sizeof` cannot take {}", other.show()),
            )
            .label("expected a word")),
        }
    }

    fn word_constant(
        &mut self,
        scope: Scope,
        signed: bool,
        arguments: &'a [Expr],
    ) -> Lowered<ExprId> {
        let number = self.constant_number(scope, &arguments[0])?;
        let bits = self.constant_number(scope, &arguments[1])?;
        let width = u32::try_from(bits).unwrap_or(u32::MAX);
        if !(1..=Word::WIDEST).contains(&width) {
            return Err(Diagnostic::error(
                arguments[1].span,
                format!("a word cannot have {bits} bits"),
            )
            .label(format!("expected 1 to {}", Word::WIDEST)));
        }
        let word = Word::of_number(signed, width, i128::from(number));
        if word.number().to_i64() != Some(number) {
            return Err(Diagnostic::error(
                arguments[0].span,
                format!("{number} does not fit into {width} bits"),
            )
            .label("expected a smaller number"));
        }
        Ok(self.system.exprs.value(Value::Word(word)))
    }

    /// A name with selections. With computed indices it can represent several things, each under a condition.
    fn path(&mut self, scope: Scope, path: &'a Expr) -> Lowered<ExprId> {
        if let ExprKind::Name(name) = path.kind
            && self.is_running(scope, name)
        {
            return self.running(scope, path.span);
        }
        if let ExprKind::Dot(base, field) = &path.kind
            && field.name == self.running
            && let Some(Entity::Instance(inner)) = self.static_path(scope, base)?
            && self.is_running(inner, field.name)
        {
            return self.running(inner, path.span);
        }
        let mut picked = self.picked(scope, path)?;
        let Some((_, last)) = picked.pop() else {
            return Err(Diagnostic::error(path.span, "the array is empty"));
        };
        let mut value = self.entity(last, path)?;
        while let Some((guard, entity)) = picked.pop() {
            let it = self.entity(entity, path)?;
            value = match guard {
                Some(guard) => self.branch(guard, it, value, path.span)?,
                None => it,
            };
        }
        Ok(value)
    }

    /// What a path can represent: the first whose condition is true, the last without.
    fn picked(
        &mut self,
        scope: Scope,
        path: &'a Expr,
    ) -> Lowered<Vec<(Option<ExprId>, Option<Entity>)>> {
        if let Some(entity) = self.static_path(scope, path)? {
            return Ok(vec![(None, Some(entity))]);
        }
        let ExprKind::Index(base, index) = &path.kind else {
            return Err(Diagnostic::error(path.span, "this cannot be selected")
                .label("expected an instance before `.`"));
        };
        let bases = self.picked(scope, base)?;
        let at = self.index(scope, index)?;
        let mut out = Vec::new();
        for (guard, base) in bases {
            let array = match base {
                Some(Entity::Array(array)) => array,
                None => {
                    out.push((guard, None));
                    continue;
                }
                Some(_) => return Err(self.no_array(path)),
            };
            self.pick(array, at, guard, index.span, &mut out)?;
        }
        if out.len() > self.limits.labels {
            return Err(Diagnostic::error(path.span, "too many elements").label("too large"));
        }
        Ok(out)
    }

    fn no_array(&self, path: &Expr) -> Diagnostic {
        Diagnostic::error(path.span, "only arrays have elements")
            .label("expected an array before `[`")
            .help("bits of a word are selected as `[high : low]`, one bit as `[3:3]`")
    }

    fn index(&mut self, scope: Scope, index: &'a Expr) -> Lowered<ExprId> {
        let at = self.expr(scope, index)?;
        let at = self.as_number(at);
        match self.system.exprs.sort(at) {
            Sort::Integer(..) if !self.system.exprs.is_set(at) => Ok(at),
            Sort::Word { .. } => self.make(Node::Cast(Cast::ToInt, at), index.span),
            other => Err(Diagnostic::error(
                index.span,
                format!("an index cannot be {}", other.show()),
            )
            .label("expected a number")),
        }
    }

    /// The elements of an array by index, under a condition; what lies outside of it is nothing.
    fn pick(
        &mut self,
        array: usize,
        at: ExprId,
        guard: Option<ExprId>,
        span: Span,
        out: &mut Vec<(Option<ExprId>, Option<Entity>)>,
    ) -> Lowered<()> {
        if let Node::Value(Value::Int(n)) = self.system.exprs.node(at) {
            let element = self.element(array, *n, span)?;
            out.push((guard, Some(element)));
            return Ok(());
        }
        let (low, elements) = (self.arrays[array].low, self.arrays[array].elements.clone());
        let high = low + elements.len() as i64 - 1;
        let Sort::Integer(least, most) = self.system.exprs.sort(at) else {
            return Ok(());
        };
        let inside = low <= least && most <= high;
        let possible = |n: &(i64, Entity)| (least..=most).contains(&n.0);
        let numbered = (low..).zip(elements).filter(possible);
        let numbered: Vec<(i64, Entity)> = numbered.collect();
        let last = numbered.len().saturating_sub(1);
        for (i, (number, element)) in numbered.into_iter().enumerate() {
            let number = self.system.exprs.value(Value::Int(number));
            let here = match i == last && inside {
                true => guard,
                false => {
                    let equal = self.make(Node::Binary(BinaryOp::Equal, at, number), span)?;
                    match guard {
                        Some(guard) => Some(self.make(Node::And([guard, equal].into()), span)?),
                        None => Some(equal),
                    }
                }
            };
            out.push((here, Some(element)));
        }
        if !inside {
            out.push((guard, None));
        }
        Ok(())
    }

    fn entity(&mut self, entity: Option<Entity>, path: &Expr) -> Lowered<ExprId> {
        let span = path.span;
        match entity {
            None => self.make(
                Node::EvaluationError(EvaluationError::NoElement(span)),
                span,
            ),
            Some(Entity::Var(var)) => Ok(self.system.exprs.current(var)),
            Some(Entity::Symbol(symbol)) => Ok(self.system.exprs.value(Value::Symbol(symbol))),
            Some(Entity::Define(definition)) => self.demand(definition),
            Some(Entity::Array(_)) => Err(Diagnostic::error(
                span,
                "an array cannot be used as a value",
            )
            .label("expected `[index]` after it")),
            Some(Entity::Instance(_)) => Err(Diagnostic::error(
                span,
                "a module instance cannot be used as a value",
            )
            .label("expected `.name` after it")),
            Some(Entity::Parameter(_) | Entity::Pending) => {
                Err(Diagnostic::error(span, "this has no constant value")
                    .label("expected a constant")
                    .help("types cannot depend on variables, nor arguments on themselves"))
            }
        }
    }

    /// Is the process of an instance the one that moves?
    fn running(&mut self, scope: Scope, span: Span) -> Lowered<ExprId> {
        let owner = self.instances[scope].owner;
        let symbol = self.process_symbol(owner);
        let Some(selector) = self.selector else {
            return Ok(self.system.exprs.truth(true));
        };
        let selector = self.system.exprs.current(selector);
        let process = self.system.exprs.value(Value::Symbol(symbol));
        self.make(Node::Binary(BinaryOp::Equal, selector, process), span)
    }

    pub(super) fn is_running_process(&mut self, owner: Scope, span: Span) -> Lowered<ExprId> {
        self.running(owner, span)
    }
}
