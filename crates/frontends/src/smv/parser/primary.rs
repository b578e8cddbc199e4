//! Operands: constants, names, calls, brackets, and prefix operators.

use suppose_model::fsm::{Branch, Cast, Linear, Quantifier, Word};
use suppose_number::Int;
use suppose_source::Cursor;
use suppose_source::{Diagnostic, Span};

use super::super::Dialect;
use super::super::ast::{Expr, ExprKind, Function, Ident, Range};
use super::super::lexer::Token;
use super::expr::COMPARE;
use super::{Parsed, Parser};

impl Parser<'_> {
    fn made(&self, kind: ExprKind, start: Span, temporal: bool) -> Expr {
        Expr {
            kind,
            span: self.since(start),
            temporal,
        }
    }

    /// An operand with its prefix operators.
    pub(super) fn prefix(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let token = self.token();
        if self.psl
            && let Some(found) = self.psl_prefix()?
        {
            return Ok(found);
        }
        if let Some((quantifier, branch, bounded)) = branch(token) {
            let _level = self.enter()?;
            self.next();
            let bound = match bounded {
                true => Some(self.steps()?),
                false => None,
            };
            let operand = self.operators(COMPARE)?;
            let kind = ExprKind::Branch(quantifier, branch, bound, Box::new(operand));
            return Ok(self.made(kind, start, true));
        }
        if let Some(linear) = linear(token) {
            let _level = self.enter()?;
            self.next();
            let bound = match self.token() == Token::LeftSquare && takes_bound(linear) {
                true => Some(self.linear_bound()?),
                false => None,
            };
            let operand = self.operators(COMPARE)?;
            let kind = ExprKind::Linear(linear, bound, Box::new(operand));
            return Ok(self.made(kind, start, true));
        }
        match token {
            Token::Not => {
                let _level = self.enter()?;
                self.next();
                // In the old SMV `!x = y` negates the comparison.
                let operand = match self.dialect {
                    Dialect::Old => self.operators(COMPARE)?,
                    Dialect::NuSmv => self.prefix()?,
                };
                let temporal = operand.temporal;
                Ok(self.made(ExprKind::Not(Box::new(operand)), start, temporal))
            }
            Token::Minus => {
                let _level = self.enter()?;
                self.next();
                let operand = self.prefix()?;
                let temporal = operand.temporal;
                Ok(self.made(ExprKind::Negate(Box::new(operand)), start, temporal))
            }
            Token::All => self.until(Quantifier::All),
            Token::Exists => self.until(Quantifier::Some),
            _ => self.postfix(),
        }
    }

    /// `1..3`.
    fn steps(&mut self) -> Parsed<Range> {
        let low = self.sum()?;
        self.expect(Token::DotDot, "..")?;
        Ok(Box::new((low, self.sum()?)))
    }

    /// `[1, 3]`.
    fn linear_bound(&mut self) -> Parsed<Range> {
        self.next();
        let low = self.sum()?;
        self.expect(Token::Comma, ",")?;
        let high = self.sum()?;
        self.expect(Token::RightSquare, "]")?;
        Ok(Box::new((low, high)))
    }

    /// `A [p U q]`, `E [p BU 1..3 q]`.
    fn until(&mut self, quantifier: Quantifier) -> Parsed<Expr> {
        let _level = self.enter()?;
        let start = self.span();
        self.next();
        self.expect(Token::LeftSquare, "[")?;
        let linear = std::mem::replace(&mut self.linear, false);
        let inner = self.until_inner();
        self.linear = linear;
        let (bound, both) = inner?;
        self.expect(Token::RightSquare, "]")?;
        let kind = ExprKind::BranchUntil(quantifier, bound, Box::new(both));
        Ok(self.made(kind, start, true))
    }

    fn until_inner(&mut self) -> Parsed<(Option<Range>, (Expr, Expr))> {
        let left = self.expr()?;
        let bound = match self.token() {
            Token::BoundedUntil => {
                self.next();
                Some(self.steps()?)
            }
            _ => {
                self.expect(Token::Until, "U")?;
                None
            }
        };
        Ok((bound, (left, self.expr()?)))
    }

    /// An operand with its suffixes: `.name`, `[index]`, `[high : low]`.
    fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let operand = self.primary()?;
        self.selections(operand, start)
    }

    fn selections(&mut self, mut expr: Expr, start: Span) -> Parsed<Expr> {
        // Each selection is one level of the tree.
        let mut levels = Vec::new();
        loop {
            let temporal = expr.temporal;
            let kind = match self.token() {
                Token::Dot => {
                    self.next();
                    let field = match self.token() {
                        Token::Name | Token::Number => self.any_word(),
                        _ => return Err(self.expected("a name after `.`")),
                    };
                    ExprKind::Dot(Box::new(expr), field)
                }
                Token::LeftSquare => {
                    self.next();
                    let first = self.expr()?;
                    let kind = match self.eat(Token::Colon) {
                        true => ExprKind::Bits(Box::new(expr), Box::new((first, self.expr()?))),
                        false => ExprKind::Index(Box::new(expr), Box::new(first)),
                    };
                    self.expect(Token::RightSquare, "]")?;
                    kind
                }
                _ => return Ok(expr),
            };
            levels.push(self.enter()?);
            expr = self.made(kind, start, temporal);
        }
    }

    fn any_word(&mut self) -> Ident {
        let lexeme = self.lexeme();
        self.next();
        Ident {
            name: lexeme.text,
            span: lexeme.span,
        }
    }

    /// The left side of an assignment: `x`, `m.x`, `a[1]`.
    pub(super) fn path(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let first = match self.token() {
            Token::Name | Token::Itself => self.primary()?,
            _ => return Err(self.expected("the name of a variable")),
        };
        self.selections(first, start)
    }

    /// The right side of a definition: an expression, or an array of them.
    pub(super) fn define_body(&mut self) -> Parsed<Expr> {
        if self.token() != Token::LeftSquare {
            return self.expr();
        }
        let _level = self.enter()?;
        let start = self.span();
        self.next();
        let mut all = Vec::new();
        loop {
            all.push(self.define_body()?);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::RightSquare, "]")?;
        Ok(self.made(ExprKind::Array(all), start, false))
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let token = self.token();
        let simple = match token {
            Token::True => ExprKind::Truth(true),
            Token::False => ExprKind::Truth(false),
            Token::Number => ExprKind::Number(self.number()?),
            Token::Word => ExprKind::Word(self.word_constant()?),
            Token::Name => {
                let name = self.lexeme().text;
                let value = self.psl_value(name);
                value.unwrap_or(ExprKind::Name(name))
            }
            Token::Itself => ExprKind::Itself,
            _ => return self.compound(),
        };
        self.next();
        Ok(self.made(simple, start, false))
    }

    fn compound(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let _level = self.enter()?;
        match self.token() {
            Token::LeftRound => {
                self.next();
                let inner = self.expr()?;
                self.expect(Token::RightRound, ")")?;
                // The brackets belong to the place.
                Ok(self.made(inner.kind, start, inner.temporal))
            }
            Token::LeftCurly => {
                self.next();
                let all = self.list(Token::RightCurly)?;
                self.expect(Token::RightCurly, "}")?;
                let temporal = all.iter().any(|e| e.temporal);
                Ok(self.made(ExprKind::Set(all), start, temporal))
            }
            Token::Case => self.case(),
            Token::Next => {
                self.next();
                self.expect(Token::LeftRound, "(")?;
                let inner = self.expr()?;
                self.expect(Token::RightRound, ")")?;
                let temporal = inner.temporal;
                Ok(self.made(ExprKind::Next(Box::new(inner)), start, temporal))
            }
            token => match function(token) {
                Some(function) => self.call(function),
                None => Err(self.expected("an expression")),
            },
        }
    }

    fn call(&mut self, function: Function) -> Parsed<Expr> {
        let start = self.span();
        self.next();
        self.expect(Token::LeftRound, "(")?;
        let arguments = self.list(Token::RightRound)?;
        self.expect(Token::RightRound, ")")?;
        let temporal = arguments.iter().any(|e| e.temporal);
        Ok(self.made(ExprKind::Call(function, arguments), start, temporal))
    }

    fn case(&mut self) -> Parsed<Expr> {
        let start = self.span();
        self.next();
        let mut arms = Vec::new();
        while self.token() != Token::Esac {
            let condition = self.expr()?;
            let help = |it: Diagnostic| {
                it.help("a `case` is made of `condition : value;` and ends with `esac`")
            };
            self.expect(Token::Colon, ":").map_err(help)?;
            let value = self.expr()?;
            self.expect(Token::Semicolon, ";").map_err(help)?;
            arms.push((condition, value));
        }
        if arms.is_empty() {
            return Err(self.expected("a condition and `:`"));
        }
        self.next();
        let temporal = arms.iter().any(|(c, v)| c.temporal || v.temporal);
        Ok(self.made(ExprKind::Case(arms), start, temporal))
    }

    fn number(&self) -> Parsed<i64> {
        self.word().parse().map_err(|_| {
            Diagnostic::error(self.span(), "this number is too large")
                .label(format!("expected a number up to {}", i64::MAX))
        })
    }

    /// `0ud8_12`, `0sb_101`, `0h4_f`.
    fn word_constant(&self) -> Parsed<Word> {
        let text = self.word();
        let wrong = |why: String| {
            Err(Diagnostic::error(self.span(), why)
                .label("expected a word such as `0ud8_12` or `0b4_0101`")
                .help("the number before `_` is the width in bits"))
        };
        let rest = &text[1..];
        let (signed, rest) = match rest.as_bytes()[0] {
            b's' => (true, &rest[1..]),
            b'u' => (false, &rest[1..]),
            _ => (false, rest),
        };
        let (radix, bits) = match rest.as_bytes()[0].to_ascii_lowercase() {
            b'b' => (2, Some(1)),
            b'o' => (8, Some(3)),
            b'h' => (16, Some(4)),
            _ => (10, None),
        };
        let Some((width, digits)) = rest[1..].split_once('_') else {
            return wrong(format!("`{text}` is not a word constant"));
        };
        let digits: String = digits.chars().filter(|c| *c != '_').collect();
        if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
            return wrong(format!("`{digits}` is not a base-{radix} number"));
        }
        let width = match (width.is_empty(), bits) {
            (false, _) => width.parse::<u32>().unwrap_or(u32::MAX),
            (true, Some(bits)) => u32::try_from(digits.len() * bits).unwrap_or(u32::MAX),
            (true, None) => return wrong("a decimal word needs a width".to_owned()),
        };
        if !(1..=Word::WIDEST).contains(&width) {
            return wrong(format!("words have 1 to {} bits", Word::WIDEST));
        }
        // Decimal digits of a signed word are a magnitude, which `-` may turn; others are the bits.
        let magnitude = signed && radix == 10;
        let word = match bits {
            Some(bits) => of_digits(signed, width, &digits, radix, bits as u32),
            None => of_decimal(signed, width, &digits),
        };
        let fits = |word: &Word| !magnitude || is_magnitude(word);
        match word.filter(fits) {
            Some(word) => Ok(word),
            None => wrong(format!("{} does not fit into {width} bits", short(&digits))),
        }
    }
}

/// The word with bits given by digits of two, eight or sixteen; none if they are too many.
fn of_digits(signed: bool, width: u32, digits: &str, radix: u32, each: u32) -> Option<Word> {
    let digits: Vec<u32> = digits
        .chars()
        .rev()
        .filter_map(|c| c.to_digit(radix))
        .collect();
    let bit = |at: u32| {
        let digit = digits.get((at / each) as usize).copied().unwrap_or(0);
        digit >> (at % each) & 1 == 1
    };
    let all = u32::try_from(digits.len()).ok()?.checked_mul(each)?;
    let fits = !(width..all).any(bit);
    fits.then(|| Word::of_bits(signed, width, bit))
}

/// The word for a number; none if that does not fit.
fn of_decimal(signed: bool, width: u32, digits: &str) -> Option<Word> {
    let digits = digits.trim_start_matches('0');
    // A digit says more than three bits.
    if digits.len() > width as usize / 3 + 1 {
        return None;
    }
    let number: Int = if digits.is_empty() { "0" } else { digits }.parse().ok()?;
    let word = Word::of_int(signed, width, &number);
    (word.with_sign(false).number() == number).then_some(word)
}

/// Is it, without its sign, at most the greatest distance from zero of a signed word?
fn is_magnitude(word: &Word) -> bool {
    let top = word.width - 1;
    !word.bit(top) || (0..top).all(|at| !word.bit(at))
}

/// Digits, or the first of them.
fn short(digits: &str) -> String {
    match digits.char_indices().nth(40) {
        Some((at, _)) => format!("{}...", &digits[..at]),
        None => digits.to_owned(),
    }
}

fn function(token: Token) -> Option<Function> {
    Some(match token {
        Token::Bool => Function::Cast(Cast::Bool),
        Token::Word1 => Function::Cast(Cast::Word1),
        Token::ToInt => Function::Cast(Cast::ToInt),
        Token::Signed => Function::Cast(Cast::Signed),
        Token::Unsigned => Function::Cast(Cast::Unsigned),
        Token::Abs => Function::Cast(Cast::Abs),
        Token::Extend => Function::Extend,
        Token::Resize => Function::Resize,
        Token::Sizeof => Function::Sizeof,
        Token::SignedConstant => Function::SignedConstant,
        Token::UnsignedConstant => Function::UnsignedConstant,
        Token::Count => Function::Count,
        Token::Max => Function::Max,
        Token::Min => Function::Min,
        _ => return None,
    })
}

fn branch(token: Token) -> Option<(Quantifier, Branch, bool)> {
    use Quantifier::{All, Some as Exists};
    Some(match token {
        Token::Ex => (Exists, Branch::Next, false),
        Token::Ax => (All, Branch::Next, false),
        Token::Ef => (Exists, Branch::Finally, false),
        Token::Af => (All, Branch::Finally, false),
        Token::Eg => (Exists, Branch::Globally, false),
        Token::Ag => (All, Branch::Globally, false),
        Token::Ebf => (Exists, Branch::Finally, true),
        Token::Abf => (All, Branch::Finally, true),
        Token::Ebg => (Exists, Branch::Globally, true),
        Token::Abg => (All, Branch::Globally, true),
        _ => return None,
    })
}

fn linear(token: Token) -> Option<Linear> {
    Some(match token {
        Token::LtlNext => Linear::Next,
        Token::Finally => Linear::Finally,
        Token::Globally => Linear::Globally,
        Token::Yesterday => Linear::Yesterday,
        Token::WeakYesterday => Linear::WeakYesterday,
        Token::Once => Linear::Once,
        Token::Historically => Linear::Historically,
        _ => return None,
    })
}

fn takes_bound(linear: Linear) -> bool {
    !matches!(
        linear,
        Linear::Next | Linear::Yesterday | Linear::WeakYesterday
    )
}
