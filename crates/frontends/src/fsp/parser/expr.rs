//! Expressions, labels, sets, indices and relabelling.

use suppose_source::Cursor;
use suppose_source::{Diagnostic, Span};

use super::{Parsed, Parser, Token};
use crate::fsp::ast::{
    Binary, Domain, Expr, Hiding, Index, LabelExpr, LabelPart, Op, OpKind, Parameter, Relabel,
    SetExpr,
};

/// How tightly sums bind: what `simple_expression` takes.
const SUM: u8 = 9;

fn binary(token: Token) -> Option<(Binary, u8)> {
    Some(match token {
        Token::OrOr => (Binary::Or, 1),
        Token::AndAnd => (Binary::And, 2),
        Token::Or => (Binary::BitOr, 3),
        Token::Circumflex => (Binary::BitXor, 4),
        Token::And => (Binary::BitAnd, 5),
        Token::Equal => (Binary::Equal, 6),
        Token::NotEqual => (Binary::NotEqual, 6),
        Token::Less => (Binary::Less, 7),
        Token::LessEqual => (Binary::LessEqual, 7),
        Token::Greater => (Binary::Greater, 7),
        Token::GreaterEqual => (Binary::GreaterEqual, 7),
        Token::ShiftLeft => (Binary::ShiftLeft, 8),
        Token::ShiftRight => (Binary::ShiftRight, 8),
        Token::Plus => (Binary::Add, SUM),
        Token::Minus => (Binary::Subtract, SUM),
        Token::Star => (Binary::Multiply, 10),
        Token::Slash => (Binary::Divide, 10),
        Token::Percent => (Binary::Modulo, 10),
        _ => return None,
    })
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.expression_from(1)
    }

    /// Sums only: after a constant or a range, `||` starts a composition.
    pub(super) fn simple_expression(&mut self) -> Parsed<Expr> {
        self.expression_from(SUM)
    }

    fn expression_from(&mut self, level: u8) -> Parsed<Expr> {
        let start = self.span();
        let mut ops = Vec::new();
        self.climb(level, &mut ops)?;
        let span = self.since(start);
        Ok(Expr { ops, span })
    }

    /// Precedence climbing; all operators are left-associative.
    fn climb(&mut self, level: u8, ops: &mut Vec<Op>) -> Parsed<()> {
        self.operand(ops)?;
        while let Some((operator, its_level)) = binary(self.token()) {
            if its_level < level {
                break;
            }
            let span = self.span();
            self.next();
            self.climb(its_level + 1, ops)?;
            let kind = OpKind::Binary(operator);
            ops.push(Op { kind, span });
        }
        Ok(())
    }

    fn operand(&mut self, ops: &mut Vec<Op>) -> Parsed<()> {
        let mut signs = Vec::new();
        loop {
            let kind = match self.token() {
                Token::Plus => None,
                Token::Minus => Some(OpKind::Negate),
                Token::Not => Some(OpKind::Not),
                _ => break,
            };
            let span = self.span();
            signs.extend(kind.map(|kind| Op { kind, span }));
            self.next();
        }
        self.primary(ops)?;
        ops.extend(signs.into_iter().rev());
        Ok(())
    }

    fn primary(&mut self, ops: &mut Vec<Op>) -> Parsed<()> {
        let span = self.span();
        let kind = match self.token() {
            Token::Lower | Token::Upper => {
                let name = self.current_text().into();
                self.next();
                OpKind::Name(name)
            }
            Token::Number => OpKind::Int(self.number()?),
            Token::LeftRound => {
                let _level = self.enter()?;
                self.next();
                self.climb(1, ops)?;
                self.expect(Token::RightRound, ")")?;
                return Ok(());
            }
            Token::Quote => {
                let _level = self.enter()?;
                self.next();
                OpKind::Label(self.label()?)
            }
            Token::Hash => {
                let _level = self.enter()?;
                self.next();
                OpKind::Size(self.label()?)
            }
            Token::At => return self.selection(ops),
            _ => return Err(self.expected("an expression")),
        };
        let span = self.since(span);
        ops.push(Op { kind, span });
        Ok(())
    }

    /// `@(set, index)`
    fn selection(&mut self, ops: &mut Vec<Op>) -> Parsed<()> {
        let _level = self.enter()?;
        let start = self.span();
        self.next();
        self.expect(Token::LeftRound, "(")?;
        let set = self.label()?;
        self.expect(Token::Comma, ",")?;
        self.climb(1, ops)?;
        self.expect(Token::RightRound, ")")?;
        let kind = OpKind::Select(set);
        let span = self.since(start);
        ops.push(Op { kind, span });
        Ok(())
    }

    fn number(&mut self) -> Parsed<i64> {
        let (span, text) = (self.span(), self.current_text());
        self.next();
        let (digits, radix, kind) = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
            Some(hex) => (hex, 16, "a hexadecimal"),
            None if text.len() > 1 && text.starts_with('0') => (&text[1..], 8, "an octal"),
            None => (text, 10, "a decimal"),
        };
        i64::from_str_radix(digits, radix).map_err(|e| {
            let too_large = matches!(e.kind(), std::num::IntErrorKind::PosOverflow);
            let message = match too_large {
                true => format!("the number `{text}` is too large"),
                false => format!("`{text}` is not {kind} number"),
            };
            let it = Diagnostic::error(span, message);
            match radix {
                8 => it.help("a number that starts with 0 is octal"),
                _ => it.help("numbers go up to 9223372036854775807"),
            }
        })
    }

    pub(super) fn starts_label(&self) -> bool {
        matches!(
            self.token(),
            Token::Lower | Token::LeftSquare | Token::LeftCurly
        ) || self.is_set_name()
    }

    pub(super) fn label(&mut self) -> Parsed<LabelExpr> {
        let _level = self.enter()?;
        let start = self.span();
        let mut parts = vec![self.label_part()?];
        while self.token() == Token::LeftSquare || self.eat(Token::Dot) {
            parts.push(self.label_part()?);
        }
        let span = self.since(start);
        Ok(LabelExpr { parts, span })
    }

    fn label_part(&mut self) -> Parsed<LabelPart> {
        match self.token() {
            Token::Lower if self.current_text() == "tau" => Err(Diagnostic::error(
                self.span(),
                "`tau` cannot be used as a label",
            )
            .label("the unobservable action")
            .help("use another name and hide it: `P = (step -> P)\\{step}.`")),
            Token::Lower => Ok(LabelPart::Name(self.ident(Token::Lower, "a label")?)),
            Token::LeftSquare => Ok(LabelPart::Index(self.index()?)),
            Token::LeftCurly => self.set_part(),
            Token::Upper if self.is_set_name() => self.set_part(),
            Token::Always => Err(self
                .expected("an index")
                .help("write an expression, a range or a set in the brackets")),
            Token::Number => Err(self
                .expected("a label")
                .help(format!("write the index as `[{}]`", self.current_text()))),
            Token::Upper => Err(self.expected("a label").help(
                "labels start with a lower-case letter; an upper-case name here must be a `set`",
            )),
            _ => Err(self.expected("a label")),
        }
    }

    fn set_part(&mut self) -> Parsed<LabelPart> {
        let left = self.set()?;
        if !self.eat(Token::Backslash) {
            return Ok(LabelPart::Set(left));
        }
        Ok(LabelPart::Difference(left, self.set()?))
    }

    pub(super) fn set(&mut self) -> Parsed<SetExpr> {
        let start = self.span();
        match self.token() {
            Token::Upper => Ok(SetExpr::Named(self.ident(Token::Upper, "a set")?)),
            Token::LeftCurly => {
                self.next();
                let mut labels = Vec::new();
                if self.token() != Token::RightCurly {
                    labels.push(self.label()?);
                    while self.eat(Token::Comma) {
                        labels.push(self.label()?);
                    }
                }
                self.expect(Token::RightCurly, "}")?;
                Ok(SetExpr::Literal(labels, self.since(start)))
            }
            _ => Err(self.expected("a set of labels, `{...}` or its name")),
        }
    }

    /// `[i:R][0..2]`, perhaps none.
    pub(super) fn indices(&mut self) -> Parsed<Vec<Index>> {
        let mut indices = Vec::new();
        while self.token() == Token::LeftSquare {
            indices.push(self.index()?);
        }
        Ok(indices)
    }

    /// After `forall`: at least one.
    pub(super) fn ranges(&mut self) -> Parsed<Vec<Index>> {
        if self.token() != Token::LeftSquare {
            return Err(self.expected("a range, such as `[i:0..2]`"));
        }
        self.indices()
    }

    fn index(&mut self) -> Parsed<Index> {
        let _level = self.enter()?;
        let start = self.expect(Token::LeftSquare, "[")?;
        let mut variable = None;
        if self.token() == Token::Lower && self.ahead(1) == Token::Colon {
            variable = Some(self.ident(Token::Lower, "a variable")?);
            self.next();
        }
        let domain = match self.token() {
            Token::LeftCurly => Domain::Set(self.set()?),
            _ => {
                let low = self.expression()?;
                match self.eat(Token::DotDot) {
                    true => Domain::Range(low, self.expression()?),
                    false if variable.is_none() || low.as_name().is_some() => Domain::Value(low),
                    false => return Err(self.expected("`..`")),
                }
            }
        };
        self.expect(Token::RightSquare, "]")?;
        let span = self.since(start);
        Ok(Index {
            variable,
            domain,
            span,
        })
    }

    /// `/{...}`, perhaps none.
    pub(super) fn relabels(&mut self) -> Parsed<Vec<Relabel>> {
        match self.eat(Token::Slash) {
            true => self.relabel_set(),
            false => Ok(Vec::new()),
        }
    }

    pub(super) fn relabel_set(&mut self) -> Parsed<Vec<Relabel>> {
        let _level = self.enter()?;
        self.expect(Token::LeftCurly, "{")?;
        let mut relabels = vec![self.relabel()?];
        while self.eat(Token::Comma) {
            relabels.push(self.relabel()?);
        }
        self.expect(Token::RightCurly, "}")?;
        Ok(relabels)
    }

    fn relabel(&mut self) -> Parsed<Relabel> {
        if self.eat(Token::Forall) {
            let ranges = self.ranges()?;
            let inner = self.relabel_set()?;
            return Ok(Relabel::ForAll { ranges, inner });
        }
        let new = self.label()?;
        if self.token() != Token::Slash {
            return Err(self.expected("`/`").help("relabelling is `/{new/old}`"));
        }
        self.next();
        let old = self.label()?;
        Ok(Relabel::Pair { new, old })
    }

    /// `\{...}` or `@{...}`, perhaps none.
    pub(super) fn hiding(&mut self) -> Parsed<Option<Hiding>> {
        let expose = match self.token() {
            Token::Backslash => false,
            Token::At => true,
            _ => return Ok(None),
        };
        self.next();
        let set = self.set()?;
        Ok(Some(Hiding { expose, set }))
    }

    /// `(N = 3, M = N)`, perhaps none.
    pub(super) fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        let mut parameters = Vec::new();
        if !self.eat(Token::LeftRound) {
            return Ok(parameters);
        }
        loop {
            let name = self.ident(Token::Upper, "the name of a parameter")?;
            if self.token() != Token::Becomes {
                let it = self.expected("`=`");
                return Err(it.help(format!("a parameter has a default: `{} = 1`", name.text)));
            }
            self.next();
            let default = self.expression()?;
            parameters.push(Parameter { name, default });
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::RightRound, ")")?;
        Ok(parameters)
    }

    /// `(1, N-1)`, perhaps none.
    pub(super) fn arguments(&mut self) -> Parsed<Option<Vec<Expr>>> {
        if !self.eat(Token::LeftRound) {
            return Ok(None);
        }
        let mut arguments = vec![self.expression()?];
        while self.eat(Token::Comma) {
            arguments.push(self.expression()?);
        }
        self.expect(Token::RightRound, ")")?;
        Ok(Some(arguments))
    }

    /// The full stop that ends a process or a composition.
    pub(super) fn full_stop(&mut self, start: Span, expected: &str) -> Parsed<()> {
        if self.eat(Token::Dot) {
            return Ok(());
        }
        let message = format!("expected {expected}, found {}", self.found());
        Err(Diagnostic::error(self.gap(), message)
            .label("expected `.` here")
            .note(start, "this definition has not ended")
            .help("a process or a composition ends with `.`"))
    }
}
