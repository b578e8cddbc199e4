//! Properties in PSL: the part of it that LTL can say, and the branching one.
//!
//! What binds how tightly is NuSMV's, from the loosest: `always`, `never` and `G`; `->` and `<->`, which group to the left; `next` and `eventually!`; `until` and
//! `before`; `X` and `F`; and then the operators of expressions. Here `next(x)` is the operator of time, and `!` and `_` belong to the word that
//! they stand right after.

use suppose_model::fsm::Linear;
use suppose_source::Cursor;
use suppose_source::{Diagnostic, Span};

use super::super::ast::{ChainOp, Expr, ExprKind, PslOp};
use super::super::lexer::{Sym, Token};
use super::expr::{CHOICE, LINEAR_OF_PSL};
use super::{Parsed, Parser};

/// So many copies of its operands the `forall`s of one property may make.
const COPIES: usize = 4_096;

/// A word of PSL with the signs that belong to it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Word {
    /// `!`: what it waits for must come.
    strong: bool,
    /// `_`: with the last moment.
    inclusive: bool,
    /// Tokens that it is made of.
    tokens: usize,
}

impl Parser<'_> {
    /// A property: no two share a name with an operator of PSL.
    pub(super) fn psl_property(&mut self) -> Parsed<Expr> {
        self.psl = true;
        self.copies = 0;
        let expr = self.expr();
        self.psl = false;
        expr
    }

    fn text_at(&self, offset: usize) -> &str {
        let at = (self.at + offset).min(self.lexemes.len() - 1);
        self.names.text(self.lexemes[at].text)
    }

    /// Does a token follow the one before it without space?
    fn touches(&self, offset: usize) -> bool {
        let place = |offset: usize| self.lexemes.get(self.at + offset).map(|l| l.span);
        match (place(offset - 1), place(offset)) {
            (Some(a), Some(b)) => a.end == b.start,
            _ => false,
        }
    }

    /// The signs after the word here.
    fn signs(&self) -> Word {
        let strong = self.ahead(1) == Token::Not && self.touches(1);
        let last = 1 + usize::from(strong);
        let inclusive = strong && self.text_at(last) == "_" && self.touches(last);
        Word {
            strong,
            inclusive,
            tokens: last + usize::from(inclusive),
        }
    }

    fn skip(&mut self, tokens: usize) {
        for _ in 0..tokens {
            self.next();
        }
    }

    /// `until` or `before` here, and how many tokens it has.
    pub(super) fn psl_operator(&self) -> Option<(PslOp, usize)> {
        if !self.psl || self.token() != Token::Name {
            return None;
        }
        let word = self.signs();
        let (text, inclusive) = match self.word().strip_suffix('_') {
            Some(text) => (text, true),
            None => (self.word(), word.inclusive),
        };
        let strong = word.strong;
        let op = match text {
            "until" => PslOp::Until { strong, inclusive },
            "before" => PslOp::Before { strong, inclusive },
            _ => return None,
        };
        Some((op, word.tokens))
    }

    pub(super) fn psl_pair(&self, op: PslOp, left: Expr, right: Expr, start: Span) -> Expr {
        Expr {
            kind: ExprKind::Psl(op, vec![left, right]),
            span: self.since(start),
            temporal: true,
        }
    }

    /// What begins with a word of PSL; none if there is none here.
    pub(super) fn psl_prefix(&mut self) -> Parsed<Option<Expr>> {
        let _level = self.enter()?;
        let start = self.span();
        let word = self.signs();
        let linear = |op, operand: Expr, it: &Self| Expr {
            kind: ExprKind::Linear(op, None, Box::new(operand)),
            span: it.since(start),
            temporal: true,
        };
        Ok(Some(match (self.token(), self.word()) {
            (Token::Name, "always") | (Token::Globally, _) => {
                self.next();
                let operand = self.operators(0)?;
                linear(Linear::Globally, operand, self)
            }
            (Token::Name, "never") => {
                self.next();
                let operand = self.operators(0)?;
                let not = ExprKind::Not(Box::new(operand));
                let not = self.psl_made(not, start);
                linear(Linear::Globally, not, self)
            }
            (Token::Name, "eventually") if word.strong => {
                self.skip(2);
                let operand = self.operators(LINEAR_OF_PSL)?;
                linear(Linear::Finally, operand, self)
            }
            (Token::Finally, _) => {
                self.next();
                let operand = self.operators(CHOICE)?;
                linear(Linear::Finally, operand, self)
            }
            (Token::Next | Token::LtlNext, _) => {
                let loose = self.token() == Token::Next;
                self.skip(1 + usize::from(word.strong));
                // `next[3](p)`, and not `next [p U q]`.
                if self.token() == Token::LeftSquare && self.ahead(2) == Token::RightSquare {
                    let (low, _) = self.psl_count(false)?;
                    let operand = self.psl_bracketed()?;
                    let op = PslOp::Next { every: true };
                    return Ok(Some(self.psl_made(
                        ExprKind::Psl(op, vec![operand, low.clone(), low]),
                        start,
                    )));
                }
                let level = if loose { LINEAR_OF_PSL } else { CHOICE };
                let operand = self.operators(level)?;
                linear(Linear::Next, operand, self)
            }
            (Token::Name, "next_a" | "next_e") => {
                let every = self.word() == "next_a";
                self.skip(1 + usize::from(word.strong));
                let (low, high) = self.psl_count(true)?;
                let operand = self.psl_bracketed()?;
                let op = PslOp::Next { every };
                self.psl_made(ExprKind::Psl(op, vec![operand, low, high]), start)
            }
            (Token::Name, "next_event" | "next_event_a" | "next_event_e") => {
                let (every, range) = match self.word() {
                    "next_event" => (true, false),
                    text => (text == "next_event_a", true),
                };
                self.skip(1 + usize::from(word.strong));
                let event = self.psl_bracketed()?;
                let (low, high) = match self.token() == Token::LeftSquare || range {
                    true => self.psl_count(range)?,
                    false => {
                        let one = self.psl_made(ExprKind::Number(1), start);
                        (one.clone(), one)
                    }
                };
                let operand = self.psl_bracketed()?;
                let op = PslOp::Event {
                    every,
                    strong: word.strong,
                };
                let parts = vec![event, operand, low, high];
                self.psl_made(ExprKind::Psl(op, parts), start)
            }
            (Token::LeftSquare, _) => self.psl_square()?,
            (Token::Name, "forall") => self.psl_replicated(start)?,
            (Token::LeftCurly, _) if self.is_sequence() => {
                return Err(self.not_of_psl(
                    "sequences are not supported",
                    "say it with `next`, `until` and `before`",
                ));
            }
            _ => return Ok(None),
        }))
    }

    fn not_of_psl(&self, what: &str, help: &str) -> Diagnostic {
        Diagnostic::error(self.span(), what)
            .label("expected the part of PSL that LTL or CTL can say")
            .help(help)
    }

    /// Is what is in these braces a sequence, and no set? Sets have commas or one member, and no `;`.
    fn is_sequence(&self) -> bool {
        let mut depth = 0usize;
        for lexeme in &self.lexemes[self.at..] {
            match lexeme.token {
                Token::LeftCurly => depth += 1,
                Token::RightCurly if depth <= 1 => return false,
                Token::RightCurly => depth -= 1,
                Token::Semicolon => return true,
                Token::End => return false,
                _ => {}
            }
        }
        false
    }

    fn psl_made(&self, kind: ExprKind, start: Span) -> Expr {
        let temporal = !matches!(kind, ExprKind::Number(_));
        Expr {
            kind,
            span: self.since(start),
            temporal,
        }
    }

    /// `(p)`.
    fn psl_bracketed(&mut self) -> Parsed<Expr> {
        self.expect(Token::LeftRound, "(")?;
        let inner = self.expr()?;
        self.expect(Token::RightRound, ")")?;
        Ok(inner)
    }

    /// `[3]`, or `[1 : 3]`.
    fn psl_count(&mut self, range: bool) -> Parsed<(Expr, Expr)> {
        self.expect(Token::LeftSquare, "[")?;
        let low = self.sum()?;
        let high = match range {
            true => {
                self.expect(Token::Colon, ":")?;
                self.sum()?
            }
            false => low.clone(),
        };
        self.expect(Token::RightSquare, "]")?;
        Ok((low, high))
    }

    /// `forall i in {0, 2:4} : p`: the property once for each value, read as often with the value in place of the name.
    fn psl_replicated(&mut self, start: Span) -> Parsed<Expr> {
        self.next();
        let name = self.ident("a name for the values")?;
        self.expect(Token::In, "in")?;
        let values = self.psl_values()?;
        self.expect(Token::Colon, ":")?;
        let first = self.at;
        let mut all = Vec::new();
        for value in values {
            self.at = first;
            self.copies += 1;
            if self.copies > COPIES {
                return Err(Diagnostic::error(start, "`forall` makes too many copies")
                    .label(format!("expected at most {COPIES} of one property"))
                    .help("ask it of fewer values in each property"));
            }
            self.bound.push((name.name, value));
            let copy = self.operators(0);
            self.bound.pop();
            all.push((ChainOp::And, copy?));
        }
        let (_, head) = all.remove(0);
        Ok(self.psl_made(ExprKind::Chain(Box::new(head), all), start))
    }

    /// `boolean`, or constants and ranges of numbers in braces; at least one value.
    fn psl_values(&mut self) -> Parsed<Vec<ExprKind>> {
        if self.eat(Token::Boolean) {
            return Ok(vec![ExprKind::Truth(false), ExprKind::Truth(true)]);
        }
        self.expect(Token::LeftCurly, "{")?;
        let mut values = Vec::new();
        loop {
            let start = self.span();
            let low = self.sum()?.kind;
            match self.eat(Token::Colon) {
                false => values.push(low),
                true => {
                    let high = self.sum()?.kind;
                    values.extend(self.psl_numbers(&low, &high, start)?);
                }
            }
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::RightCurly, "}")?;
        Ok(values)
    }

    fn psl_numbers(&self, low: &ExprKind, high: &ExprKind, start: Span) -> Parsed<Vec<ExprKind>> {
        let wrong = |what: &str, expected: &str| {
            let it = Diagnostic::error(self.since(start), what);
            Err(it.label(format!("expected {expected}")))
        };
        let (Some(low), Some(high)) = (constant(low), constant(high)) else {
            return wrong("these bounds are no numbers", "constants, as in `0:3`");
        };
        if low > high {
            let what = "there is no number between these bounds";
            return wrong(what, "the smaller one first");
        }
        if high.abs_diff(low) >= COPIES as u64 {
            let what = "`forall` makes too many copies";
            return wrong(what, &format!("at most {COPIES} values"));
        }
        Ok((low..=high).map(ExprKind::Number).collect())
    }

    /// The value that an enclosing `forall` binds to a name.
    pub(super) fn psl_value(&self, name: Sym) -> Option<ExprKind> {
        let of = |(known, value): &(Sym, ExprKind)| (*known == name).then(|| value.clone());
        self.bound.iter().rev().find_map(of)
    }

    /// `[p U q]`, `[p W q]`.
    fn psl_square(&mut self) -> Parsed<Expr> {
        let start = self.span();
        self.next();
        let left = self.expr()?;
        let strong = match (self.token(), self.word()) {
            (Token::Until, _) => true,
            (Token::Name, "W") => false,
            _ => return Err(self.expected("`U` or `W`")),
        };
        self.next();
        let right = self.expr()?;
        self.expect(Token::RightSquare, "]")?;
        let op = PslOp::Until {
            strong,
            inclusive: false,
        };
        Ok(self.psl_pair(op, left, right, start))
    }
}

/// The number that an expression is, if it is no more than that.
fn constant(kind: &ExprKind) -> Option<i64> {
    match kind {
        ExprKind::Number(number) => Some(*number),
        ExprKind::Negate(inner) => constant(&inner.kind)?.checked_neg(),
        _ => None,
    }
}
