//! Expressions.

use suppose_model::program::{Binary, Unary};
use suppose_source::Cursor;
use suppose_source::{Diagnostic, Span};

use super::{Parsed, Parser};
use crate::promela::ast::{Expr, ExprKind, Part, VarRef};
use crate::promela::lexer::{Lexeme, Token};

/// How many operators of one strength may follow each other, `&&` and `||` aside: the tree that
/// they make is that deep.
const CHAIN: usize = 150;

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        match self.ltl {
            true => self.implication(),
            false => self.any_of(),
        }
    }

    pub(super) fn any_of(&mut self) -> Parsed<Expr> {
        self.chain(Token::OrOr, Binary::Or, Self::all_of)
    }

    fn all_of(&mut self) -> Parsed<Expr> {
        self.chain(Token::AndAnd, Binary::And, Self::until)
    }

    fn chain(
        &mut self,
        token: Token,
        operator: Binary,
        operand: fn(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<Expr> {
        let first = operand(self)?;
        if !self.is_connective(token) {
            return Ok(first);
        }
        let start = first.span;
        let mut all = vec![first];
        while self.is_connective(token) {
            let width = if self.token() == token { 1 } else { 2 };
            (0..width).for_each(|_| self.next());
            all.push(operand(self)?);
        }
        Ok(Expr {
            kind: ExprKind::Chain(operator, all),
            span: self.since(start),
        })
    }

    pub(super) fn binary(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        let mut length = 0;
        while let Some((operator, strength)) = operator(self.token()) {
            // In a formula `<` may begin `<>` or `<->`, which are no comparisons.
            if strength < least || (self.ltl && self.is_temporal_ahead()) {
                break;
            }
            length += 1;
            if length > CHAIN {
                let message = format!("more than {CHAIN} operators in a row");
                return Err(Diagnostic::error(self.span(), message)
                    .label("too long")
                    .help("use parentheses to group the operands"));
            }
            self.next();
            whole(&left)?;
            let right = self.binary(strength + 1)?;
            whole(&right)?;
            let span = left.span.to(right.span);
            left = Expr {
                kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
                span,
            };
        }
        Ok(left)
    }

    pub(super) fn unary(&mut self) -> Parsed<Expr> {
        let _level = self.enter()?;
        let start = self.span();
        if self.ltl
            && let Some(operator) = self.temporal_prefix()
        {
            let operand = self.unary()?;
            return Ok(Expr {
                kind: ExprKind::Temporal(operator, vec![operand]),
                span: self.since(start),
            });
        }
        let operator = match self.token() {
            Token::Minus => Unary::Neg,
            Token::Bang => Unary::Not,
            Token::Tilde => Unary::Complement,
            // Two negations, not the sorted send.
            Token::BangBang => {
                self.next();
                let operand = self.unary()?;
                whole(&operand)?;
                let span = self.since(start);
                let inner = ExprKind::Unary(Unary::Not, Box::new(operand));
                let inner = Box::new(Expr { kind: inner, span });
                let kind = ExprKind::Unary(Unary::Not, inner);
                return Ok(Expr { kind, span });
            }
            _ => return self.primary(),
        };
        self.next();
        let operand = self.unary()?;
        whole(&operand)?;
        let span = self.since(start);
        let kind = match (operator, &operand.kind) {
            (Unary::Neg, ExprKind::Const(value)) => ExprKind::Const(value.wrapping_neg()),
            _ => ExprKind::Unary(operator, Box::new(operand)),
        };
        Ok(Expr { kind, span })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.token() {
            Token::LeftRound => return self.round(),
            Token::Number | Token::Char => ExprKind::Const(self.number()?),
            Token::Timeout => {
                self.next();
                ExprKind::Timeout
            }
            Token::Nonprogress => {
                self.next();
                ExprKind::Nonprogress
            }
            Token::Len | Token::Full | Token::Empty | Token::Nfull | Token::Nempty => {
                self.channel_state()?
            }
            Token::Enabled | Token::PcValue | Token::GetPriority => {
                let word = self.token();
                self.next();
                self.expect(Token::LeftRound, "(")?;
                let of = Box::new(self.part()?);
                self.expect(Token::RightRound, ")")?;
                match word {
                    Token::Enabled => ExprKind::Enabled(of),
                    Token::PcValue => ExprKind::PcValue(of),
                    _ => ExprKind::GetPriority(of),
                }
            }
            Token::Run => self.run()?,
            Token::Code => return Err(self.refused_code()),
            Token::Word => self.name()?,
            Token::Else => {
                return Err(self
                    .expected("an expression")
                    .help("`else` is a statement of its own: `:: else -> ...`"));
            }
            _ => return Err(self.expected("an expression")),
        };
        Ok(Expr {
            kind,
            span: self.since(start),
        })
    }

    /// `( a )` or `( a -> b : c )`.
    fn round(&mut self) -> Parsed<Expr> {
        let start = self.expect(Token::LeftRound, "(")?;
        let inner = self.expr()?;
        if self.eat(Token::Arrow) {
            whole(&inner)?;
            let then = self.part()?;
            self.expect(Token::Colon, ":")?;
            let otherwise = self.part()?;
            self.expect(Token::RightRound, ")")?;
            let (test, then, otherwise) = (Box::new(inner), Box::new(then), Box::new(otherwise));
            return Ok(Expr {
                kind: ExprKind::Cond(test, then, otherwise),
                span: self.since(start),
            });
        }
        self.expect(Token::RightRound, ")")?;
        Ok(Expr {
            span: self.since(start),
            ..inner
        })
    }

    pub(super) fn number(&mut self) -> Parsed<i32> {
        let Lexeme {
            token, text, span, ..
        } = self.lexeme();
        let text = self.names.text(text);
        let value = match token {
            Token::Char => character(text),
            _ => number(text, span)?,
        };
        self.next();
        Ok(value)
    }

    fn run(&mut self) -> Parsed<ExprKind> {
        self.next();
        let proctype = self.ident("the name of a proctype")?;
        self.expect(Token::LeftRound, "(")?;
        let arguments = self.arguments()?;
        let priority = self.priority()?;
        Ok(ExprKind::Run {
            proctype,
            arguments,
            priority,
        })
    }

    /// Expressions up to the closing `)`.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.eat(Token::RightRound) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.part()?);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::RightRound, ")")?;
        Ok(arguments)
    }

    fn name(&mut self) -> Parsed<ExprKind> {
        let lexeme = self.lexeme();
        match self.names.text(lexeme.text) {
            "true" | "skip" => {
                self.next();
                return Ok(ExprKind::Const(1));
            }
            "false" => {
                self.next();
                return Ok(ExprKind::Const(0));
            }
            _ => {}
        }
        if self.proctypes.contains(&lexeme.text)
            && matches!(self.ahead(1), Token::At | Token::Colon | Token::LeftSquare)
        {
            return self.remote();
        }
        if self.inlines.contains_key(&lexeme.text) && self.ahead(1) == Token::LeftRound {
            let message = format!("the inline `{}` is not an expression", self.word());
            return Err(Diagnostic::error(lexeme.span, message)
                .label("expected an expression")
                .help("an inline is a statement; a macro can be an expression"));
        }
        if self.ahead(1) == Token::LeftRound {
            let message = format!("there is no inline or macro `{}`", self.word());
            let mut it = Diagnostic::error(lexeme.span, message).label("used like one here");
            if self.proctypes.contains(&lexeme.text) {
                it = it.help(format!("start a process with `run {}(...)`", self.word()));
            } else {
                it = it.help("define it before its first use: `inline name(parameters) { ... }`");
            }
            return Err(it);
        }
        let variable = self.var_ref()?;
        self.poll_or(variable)
    }

    /// `P[i]@label`, `P@label`, `P[i]:x`, `P:x`.
    fn remote(&mut self) -> Parsed<ExprKind> {
        let proctype = self.ident("the name of a proctype")?;
        let mut process = None;
        if self.eat(Token::LeftSquare) {
            process = Some(Box::new(self.part()?));
            self.expect(Token::RightSquare, "]")?;
        }
        if self.eat(Token::At) {
            let label = self.ident("the name of a label")?;
            self.program.watched.push((proctype.name, label.name));
            return Ok(ExprKind::RemoteLabel {
                proctype,
                process,
                label,
            });
        }
        if self.token() != Token::Colon {
            return Err(self
                .expected("`@` or `:` after a process")
                .help("write `P[i]@label` or `P[i]:variable`"));
        }
        self.next();
        let variable = self.var_ref()?;
        Ok(ExprKind::RemoteVar {
            proctype,
            process,
            variable,
        })
    }

    pub(super) fn var_ref(&mut self) -> Parsed<VarRef> {
        let start = self.span();
        let mut parts = Vec::new();
        loop {
            let name = self.ident("the name of a variable")?;
            let mut index = None;
            if self.token() == Token::LeftSquare && !(self.ltl && self.is_temporal_ahead()) {
                self.next();
                let _level = self.enter()?;
                index = Some(self.part()?);
                self.expect(Token::RightSquare, "]")?;
                if self.token() == Token::LeftSquare && !self.ltl {
                    return Err(self
                        .expected("an operator")
                        .help("an array has one dimension; put the inner one into a `typedef`"));
                }
            }
            parts.push(Part { name, index });
            if !self.eat(Token::Dot) {
                break;
            }
        }
        let span = self.since(start);
        Ok(VarRef { parts, span })
    }

    fn channel_state(&mut self) -> Parsed<ExprKind> {
        let word = self.token();
        let start = self.span();
        self.next();
        self.expect(Token::LeftRound, "(")?;
        let channel = self.var_ref()?;
        self.expect(Token::RightRound, ")")?;
        if self.ltl && word != Token::Len {
            return Err(misplaced(self.since(start)));
        }
        Ok(match word {
            Token::Len => ExprKind::Len(channel),
            Token::Full => ExprKind::Full(channel),
            Token::Empty => ExprKind::Empty(channel),
            Token::Nfull => ExprKind::Nfull(channel),
            _ => ExprKind::Nempty(channel),
        })
    }

    /// An expression that is a part of something else.
    pub(super) fn part(&mut self) -> Parsed<Expr> {
        let expr = self.expr()?;
        whole(&expr)?;
        Ok(expr)
    }
}

/// Refuses `full` and its like as a part of an expression, as the grammar of SPIN does.
fn whole(expr: &Expr) -> Parsed<()> {
    match asks_channel(expr) {
        true => Err(misplaced(expr.span)),
        false => Ok(()),
    }
}

fn asks_channel(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Full(_) | ExprKind::Empty(_) | ExprKind::Nfull(_) | ExprKind::Nempty(_) => true,
        ExprKind::Chain(_, all) => all.iter().any(asks_channel),
        _ => false,
    }
}

fn misplaced(span: Span) -> Diagnostic {
    let message = "`full`, `empty`, `nfull` and `nempty` stand alone, or between `&&` and `||`";
    Diagnostic::error(span, message)
        .label("SPIN takes it neither here nor under `!`")
        .help("for `!full(c)` write `nfull(c)`; elsewhere `len(c)` may do")
}

fn character(text: &str) -> i32 {
    let mut inside = text.chars().skip(1);
    let c = match inside.next() {
        Some('\\') => match inside.next() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('f') => '\x0c',
            other => other.unwrap_or('\\'),
        },
        other => other.unwrap_or('\0'),
    };
    i32::try_from(u32::from(c)).unwrap_or(0)
}

fn number(text: &str, span: Span) -> Parsed<i32> {
    if !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Diagnostic::error(span, format!("`{text}` is not a number"))
            .label("expected digits only")
            .help("numbers are decimal; a name does not start with a digit"));
    }
    // A value such as 4294967295 wraps around, as it does in SPIN.
    let value = text
        .parse::<i64>()
        .ok()
        .filter(|v| *v <= i64::from(u32::MAX));
    let Some(value) = value else {
        return Err(
            Diagnostic::error(span, format!("the number {text} is too large"))
                .label("expected at most 2147483647"),
        );
    };
    Ok(value as i32)
}

fn operator(token: Token) -> Option<(Binary, u8)> {
    Some(match token {
        Token::Or => (Binary::BitOr, 1),
        Token::Circumflex => (Binary::BitXor, 2),
        Token::And => (Binary::BitAnd, 3),
        Token::Equal => (Binary::Eq, 4),
        Token::NotEqual => (Binary::Ne, 4),
        Token::Greater => (Binary::Gt, 5),
        Token::Less => (Binary::Lt, 5),
        Token::GreaterEqual => (Binary::Ge, 5),
        Token::LessEqual => (Binary::Le, 5),
        Token::ShiftLeft => (Binary::Shl, 6),
        Token::ShiftRight => (Binary::Shr, 6),
        Token::Plus => (Binary::Add, 7),
        Token::Minus => (Binary::Sub, 7),
        Token::Star => (Binary::Mul, 8),
        Token::Slash => (Binary::Div, 8),
        Token::Percent => (Binary::Rem, 8),
        _ => return None,
    })
}
