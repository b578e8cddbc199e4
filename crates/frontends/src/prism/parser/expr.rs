//! Expressions, with PRISM's levels of precedence: `? :`, `=>`, `<=>`, `|`, `&`, `!`, `= !=`,
//! `< <= > >=`, `+ -`, `* /`, unary `-`.

use suppose_number::{Int, Rat};
use suppose_source::{Diagnostic, Span};

use super::super::ast::{Compare, Expr, ExprKind, Function};
use super::super::lexer::Token;
use super::{Parsed, Parser};

/// Exponents of decimal numbers beyond this are refused.
const EXPONENT: i64 = 4000;

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let _level = self.enter()?;
        let test = self.implies()?;
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

    fn implies(&mut self) -> Parsed<Expr> {
        let mut left = self.iff()?;
        let mut levels = Vec::new();
        while self.eat(Token::Implies) {
            levels.push(self.enter()?);
            let right = self.iff()?;
            left = binary(left, right, ExprKind::Implies);
        }
        Ok(left)
    }

    fn iff(&mut self) -> Parsed<Expr> {
        let mut left = self.or()?;
        let mut levels = Vec::new();
        while self.eat(Token::Iff) {
            levels.push(self.enter()?);
            let right = self.or()?;
            left = binary(left, right, ExprKind::Iff);
        }
        Ok(left)
    }

    fn or(&mut self) -> Parsed<Expr> {
        let first = self.and()?;
        if self.token() == Token::Parallel {
            return Err(self.expected("an operator").help("`or` is written `|`"));
        }
        // `|[` belongs to a system, never to an expression.
        if self.token() != Token::Or {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat(Token::Or) {
            parts.push(self.and()?);
        }
        Ok(chain(parts, ExprKind::Or))
    }

    fn and(&mut self) -> Parsed<Expr> {
        let first = self.not()?;
        // `g & (x'=1)` is no expression: the caller sees the prime and speaks up.
        if self.token() != Token::And {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat(Token::And) {
            if self.token() == Token::And {
                return Err(self
                    .expected("an expression")
                    .help("`and` is written with one `&`"));
            }
            parts.push(self.not()?);
        }
        Ok(chain(parts, ExprKind::And))
    }

    fn not(&mut self) -> Parsed<Expr> {
        if self.token() != Token::Bang {
            return self.equality();
        }
        let _level = self.enter()?;
        let start = self.span();
        self.next();
        let of = Box::new(self.not()?);
        Ok(Expr {
            kind: ExprKind::Not(of),
            span: self.since(start),
        })
    }

    fn equality(&mut self) -> Parsed<Expr> {
        let mut left = self.relation()?;
        let mut levels = Vec::new();
        loop {
            let op = match self.token() {
                Token::Equal if self.ahead(1) == Token::Query => return Ok(left),
                Token::Equal => Compare::Eq,
                Token::NotEqual => Compare::Ne,
                _ => return Ok(left),
            };
            levels.push(self.enter()?);
            self.next();
            if self.token() == Token::Equal {
                return Err(self
                    .expected("an expression")
                    .help("equality is written with one `=`"));
            }
            let right = self.relation()?;
            left = binary(left, right, |a, b| ExprKind::Compare(op, a, b));
        }
    }

    fn relation(&mut self) -> Parsed<Expr> {
        let mut left = self.sum()?;
        let mut levels = Vec::new();
        loop {
            let op = match self.token() {
                // `x<-1` is a comparison with a negative number.
                Token::Less | Token::Becomes => Compare::Lt,
                Token::LessEqual => Compare::Le,
                Token::Greater => Compare::Gt,
                Token::GreaterEqual => Compare::Ge,
                _ => return Ok(left),
            };
            levels.push(self.enter()?);
            let negative = self.token() == Token::Becomes;
            self.next();
            let right = self.sum_from(negative)?;
            left = binary(left, right, |a, b| ExprKind::Compare(op, a, b));
        }
    }

    /// A sum on its own, for the bound of a probability.
    pub(super) fn sum_of_property(&mut self) -> Parsed<Expr> {
        self.sum()
    }

    fn sum(&mut self) -> Parsed<Expr> {
        self.sum_from(false)
    }

    /// A sum whose first term has lost its sign.
    fn sum_from(&mut self, negative: bool) -> Parsed<Expr> {
        let mut first = self.product()?;
        if negative {
            let span = first.span;
            first = Expr {
                kind: ExprKind::Neg(Box::new(first)),
                span,
            };
        }
        let mut parts = vec![(false, first)];
        loop {
            let minus = match self.token() {
                Token::Plus => false,
                Token::Minus => true,
                _ => return Ok(marked(parts, ExprKind::Sum)),
            };
            self.next();
            parts.push((minus, self.product()?));
        }
    }

    fn product(&mut self) -> Parsed<Expr> {
        let mut parts = vec![(false, self.unary()?)];
        loop {
            let over = match self.token() {
                Token::Star => false,
                Token::Slash => true,
                _ => return Ok(marked(parts, ExprKind::Product)),
            };
            self.next();
            parts.push((over, self.unary()?));
        }
    }

    fn unary(&mut self) -> Parsed<Expr> {
        if self.token() != Token::Minus {
            return self.basic();
        }
        let _level = self.enter()?;
        let start = self.span();
        self.next();
        let of = Box::new(self.unary()?);
        Ok(Expr {
            kind: ExprKind::Neg(of),
            span: self.since(start),
        })
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
                        .help("an assignment stands after `->`, not in an expression"));
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
        let Ok(value) = self.word().parse::<i64>() else {
            let message = format!("the number {} is too large", self.word());
            return Err(Diagnostic::error(self.span(), message)
                .label("expected at most 9223372036854775807"));
        };
        Ok(self.literal(ExprKind::Int(value)))
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

fn binary(left: Expr, right: Expr, make: impl Fn(Box<Expr>, Box<Expr>) -> ExprKind) -> Expr {
    let span = left.span.to(right.span);
    let kind = make(Box::new(left), Box::new(right));
    Expr { kind, span }
}

fn chain(parts: Vec<Expr>, make: impl Fn(Vec<Expr>) -> ExprKind) -> Expr {
    let span = parts[0].span.to(parts[parts.len() - 1].span);
    Expr {
        kind: make(parts),
        span,
    }
}

/// A lone part stands for itself.
fn marked(mut parts: Vec<(bool, Expr)>, make: impl Fn(Vec<(bool, Expr)>) -> ExprKind) -> Expr {
    if parts.len() == 1 {
        return parts.remove(0).1;
    }
    let span = parts[0].1.span.to(parts[parts.len() - 1].1.span);
    Expr {
        kind: make(parts),
        span,
    }
}

/// The exact value of a decimal number: `0.1` is 1/10.
fn decimal(text: &str, span: Span) -> Parsed<Rat> {
    exact_decimal(text).ok_or_else(|| {
        Diagnostic::error(span, format!("the number {text} is too large or too small"))
            .label(format!("expected an exponent of at most {EXPONENT}"))
    })
}

/// The exact value of digits with an optional point and exponent.
pub(crate) fn exact_decimal(text: &str) -> Option<Rat> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if mantissa.len() > EXPONENT as usize || exponent.abs() > EXPONENT {
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
