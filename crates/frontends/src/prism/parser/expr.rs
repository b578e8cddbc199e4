//! Expressions, with PRISM's levels of precedence: `? :`, `=>`, `<=>`, `|`, `&`, `!`, `= !=`,
//! `< <= > >=`, `+ -`, `* /`, unary `-`.

use suppose_number::{Int, Rat};
use suppose_source::Cursor;
use suppose_source::{Diagnostic, Span};

use super::super::ast::{Compare, Expr, ExprKind, Function};
use super::super::lexer::Token;
use super::{Parsed, Parser};

const OR: u8 = 2;
const AND: u8 = 3;
const EQUALITY: u8 = 4;
const SUM: u8 = 6;
const PRODUCT: u8 = 7;

/// Exponents of decimal numbers beyond this are refused.
const EXPONENT: i64 = 4000;
/// And numbers with more digits.
const DIGITS: usize = 10_000;

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let _level = self.enter()?;
        let test = self.binary(0)?;
        if self.token() != Token::Query {
            return Ok(test);
        }
        self.next();
        let then = self.expr()?;
        self.expect(Token::Colon, ":")?;
        let otherwise = self.expr()?;
        let span = test.span.to(otherwise.span);
        let kind = ExprKind::Cond(Box::new(test), Box::new(then), Box::new(otherwise));
        Ok(Expr { kind, span })
    }

    /// Operators that bind at least so tightly. One function for all levels keeps the stack small.
    fn binary(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.prefix()?;
        let mut levels = Vec::new();
        loop {
            let token = self.token();
            let Some(level) = level(token).filter(|level| *level >= least) else {
                return self.end_of_binary(left);
            };
            if token == Token::Equal && self.ahead(1) == Token::Query {
                return Ok(left);
            }
            left = match level {
                OR => self.chain(left, Token::Or, OR, ExprKind::Or)?,
                AND => self.chain(left, Token::And, AND, ExprKind::And)?,
                SUM => self.marked(left, [Token::Plus, Token::Minus], SUM, ExprKind::Sum)?,
                PRODUCT => self.marked(
                    left,
                    [Token::Star, Token::Slash],
                    PRODUCT,
                    ExprKind::Product,
                )?,
                _ => {
                    levels.push(self.enter()?);
                    self.pair(left, token, level)?
                }
            };
        }
    }

    fn end_of_binary(&self, left: Expr) -> Parsed<Expr> {
        match self.token() {
            Token::Parallel => Err(self.expected("an operator").help("`or` is written `|`")),
            _ => Ok(left),
        }
    }

    /// An operator with two operands, to the left.
    fn pair(&mut self, left: Expr, token: Token, level: u8) -> Parsed<Expr> {
        self.next();
        if token == Token::Equal && self.token() == Token::Equal {
            return Err(self
                .expected("an expression")
                .help("equality is written with one `=`"));
        }
        // `x<-1` is a comparison with a negative number.
        let right = match token {
            Token::Becomes => self.negative_sum()?,
            _ => self.binary(level + 1)?,
        };
        let span = left.span.to(right.span);
        let (a, b) = (Box::new(left), Box::new(right));
        let kind = match token {
            Token::Implies => ExprKind::Implies(a, b),
            Token::Iff => ExprKind::Iff(a, b),
            Token::Equal => ExprKind::Compare(Compare::Eq, a, b),
            Token::NotEqual => ExprKind::Compare(Compare::Ne, a, b),
            Token::LessEqual => ExprKind::Compare(Compare::Le, a, b),
            Token::Greater => ExprKind::Compare(Compare::Gt, a, b),
            Token::GreaterEqual => ExprKind::Compare(Compare::Ge, a, b),
            _ => ExprKind::Compare(Compare::Lt, a, b),
        };
        Ok(Expr { kind, span })
    }

    /// A sum whose first term has lost its sign to `<-`.
    fn negative_sum(&mut self) -> Parsed<Expr> {
        let first = self.binary(PRODUCT)?;
        let span = first.span;
        let mut left = Expr {
            kind: ExprKind::Neg(Box::new(first)),
            span,
        };
        if matches!(self.token(), Token::Plus | Token::Minus) {
            left = self.marked(left, [Token::Plus, Token::Minus], SUM, ExprKind::Sum)?;
        }
        Ok(left)
    }

    fn chain(
        &mut self,
        first: Expr,
        operator: Token,
        level: u8,
        make: impl Fn(Vec<Expr>) -> ExprKind,
    ) -> Parsed<Expr> {
        let mut parts = vec![first];
        while self.eat(operator) {
            if self.token() == Token::And {
                return Err(self
                    .expected("an expression")
                    .help("`and` is written with one `&`"));
            }
            parts.push(self.binary(level + 1)?);
        }
        let span = parts[0].span.to(parts[parts.len() - 1].span);
        Ok(Expr {
            kind: make(parts),
            span,
        })
    }

    /// A chain of two operators, the second of which is marked.
    fn marked(
        &mut self,
        first: Expr,
        operators: [Token; 2],
        level: u8,
        make: impl Fn(Vec<(bool, Expr)>) -> ExprKind,
    ) -> Parsed<Expr> {
        let mut parts = vec![(false, first)];
        while let Some(which) = operators.iter().position(|o| *o == self.token()) {
            self.next();
            parts.push((which == 1, self.binary(level + 1)?));
        }
        let span = parts[0].1.span.to(parts[parts.len() - 1].1.span);
        Ok(Expr {
            kind: make(parts),
            span,
        })
    }

    /// `!` binds less tightly than comparisons, `-` more tightly than all.
    fn prefix(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let make = match self.token() {
            Token::Bang => ExprKind::Not,
            Token::Minus => ExprKind::Neg,
            _ => return self.basic(),
        };
        let _level = self.enter()?;
        let of = match self.token() {
            Token::Bang => {
                self.next();
                self.binary(EQUALITY)?
            }
            _ => {
                self.next();
                self.prefix()?
            }
        };
        Ok(Expr {
            kind: make(Box::new(of)),
            span: self.since(start),
        })
    }

    /// A sum on its own, for the bound of a probability.
    pub(super) fn sum_of_property(&mut self) -> Parsed<Expr> {
        self.binary(SUM)
    }

    fn basic(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.token() {
            Token::True => self.literal(ExprKind::Bool(true)),
            Token::False => self.literal(ExprKind::Bool(false)),
            Token::Integer => self.integer()?,
            Token::Decimal => {
                let value = decimal(self.word(), start)?;
                self.literal(ExprKind::Real(value))
            }
            Token::Word => self.name()?,
            Token::Min | Token::Max => self.call()?,
            Token::Func => self.func()?,
            Token::LeftRound => {
                self.next();
                let mut inner = self.expr()?;
                if self.token() == Token::Prime {
                    return Err(self
                        .expected("`)`")
                        .help("assignments are allowed only after `->`"));
                }
                self.expect(Token::RightRound, ")")?;
                inner.span = self.since(start);
                return Ok(inner);
            }
            Token::Quoted if self.property => {
                let text = self.lexeme().text;
                self.literal(ExprKind::Label(text))
            }
            Token::LetterP | Token::PMax | Token::PMin if self.property => {
                return self.probability();
            }
            Token::LetterR | Token::RMax | Token::RMin if self.property => {
                return self.reward();
            }
            Token::Quoted => {
                return Err(self
                    .expected("an expression")
                    .help("labels in quotes can be used in properties only"));
            }
            _ => {
                let error = self.expected("an expression");
                let word = self.word().starts_with(|c: char| c.is_alphabetic());
                return Err(match word {
                    true => error.help(format!("`{}` is a word of the language", self.word())),
                    false => error,
                });
            }
        };
        Ok(Expr {
            kind,
            span: self.since(start),
        })
    }

    fn literal(&mut self, kind: ExprKind) -> ExprKind {
        self.next();
        kind
    }

    fn integer(&mut self) -> Parsed<ExprKind> {
        if let Ok(value) = self.word().parse::<i64>() {
            return Ok(self.literal(ExprKind::Int(value)));
        }
        // No variable holds it, but it may be part of a fraction.
        let value = decimal(self.word(), self.span())?;
        Ok(self.literal(ExprKind::Real(value)))
    }

    fn name(&mut self) -> Parsed<ExprKind> {
        if self.ahead(1) == Token::LeftRound && Function::of(self.word()).is_some() {
            return self.call();
        }
        let text = self.lexeme().text;
        if self.ahead(1) == Token::LeftRound && !self.property {
            let message = format!("there is no function `{}`", self.word());
            return Err(Diagnostic::error(self.span(), message)
                .label("expected one of min, max, floor, ceil, round, pow, mod, log"));
        }
        Ok(self.literal(ExprKind::Name(text)))
    }

    /// `f(a, b)`.
    fn call(&mut self) -> Parsed<ExprKind> {
        let span = self.span();
        let Some(function) = Function::of(self.word()) else {
            return Err(self.expected("a function"));
        };
        self.next();
        self.expect(Token::LeftRound, "(")?;
        self.arguments(function, span)
    }

    /// `func(f, a, b)`, the old way to call.
    fn func(&mut self) -> Parsed<ExprKind> {
        self.next();
        self.expect(Token::LeftRound, "(")?;
        let span = self.span();
        let Some(function) = Function::of(self.word()) else {
            return Err(self.expected("one of min, max, floor, ceil, round, pow, mod, log"));
        };
        self.next();
        self.expect(Token::Comma, ",")?;
        self.arguments(function, span)
    }

    fn arguments(&mut self, function: Function, span: Span) -> Parsed<ExprKind> {
        let arguments = self.list(Self::expr)?;
        self.expect(Token::RightRound, ")")?;
        let wanted = match function {
            Function::Min | Function::Max => None,
            Function::Floor | Function::Ceil | Function::Round => Some(1),
            Function::Pow | Function::Mod | Function::Log => Some(2),
        };
        if let Some(wanted) = wanted
            && wanted != arguments.len()
        {
            let name = function.name();
            let message = format!("`{name}` takes {wanted} arguments, not {}", arguments.len());
            return Err(Diagnostic::error(span.to(self.since(span)), message));
        }
        Ok(ExprKind::Call(function, arguments))
    }
}

/// How tightly an operator binds.
fn level(token: Token) -> Option<u8> {
    Some(match token {
        Token::Implies => 0,
        Token::Iff => 1,
        Token::Or => OR,
        Token::And => AND,
        Token::Equal | Token::NotEqual => EQUALITY,
        Token::Less | Token::Becomes | Token::LessEqual | Token::Greater | Token::GreaterEqual => 5,
        Token::Plus | Token::Minus => SUM,
        Token::Star | Token::Slash => PRODUCT,
        _ => return None,
    })
}

/// The exact value of a decimal number: `0.1` is 1/10.
fn decimal(text: &str, span: Span) -> Parsed<Rat> {
    exact_decimal(text).ok_or_else(|| {
        let shown: String = text.chars().take(20).collect();
        let dots = if shown.len() < text.len() { "..." } else { "" };
        Diagnostic::error(
            span,
            format!("the number {shown}{dots} is too large or too small"),
        )
        .label(format!(
            "expected at most {DIGITS} digits and an exponent of at most {EXPONENT}"
        ))
    })
}

/// The exact value of digits with an optional point and exponent.
pub(crate) fn exact_decimal(text: &str) -> Option<Rat> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if mantissa.len() > DIGITS || exponent.abs() > EXPONENT {
        return None;
    }
    let digits: Int = format!("{whole}{fraction}").parse().ok()?;
    let shift = exponent - fraction.len() as i64;
    let power: Int = format!("1{}", "0".repeat(shift.unsigned_abs() as usize))
        .parse()
        .ok()?;
    Some(match shift < 0 {
        true => Rat::new(digits, power),
        false => Rat::from(&digits * &power),
    })
}
