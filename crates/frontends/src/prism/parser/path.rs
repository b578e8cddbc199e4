//! Path formulas: the content of `P=? [ ... ]`.

use suppose_source::Cursor;
use suppose_source::{Diagnostic, Span};

use super::super::ast::{Expr, ExprKind, Path};
use super::super::lexer::Token;
use super::{Parsed, Parser};

impl Parser<'_> {
    pub(super) fn path(&mut self) -> Parsed<Path> {
        if self.encloses_path() {
            let _level = self.enter()?;
            if self.eat(Token::Bang) {
                let span = self.span();
                return self.path().and_then(|path| negation(path, span));
            }
            self.next();
            let path = self.path()?;
            self.expect(Token::RightRound, ")")?;
            return Ok(path);
        }
        let token = self.token();
        if matches!(token, Token::LetterX | Token::LetterF | Token::LetterG) {
            self.next();
            let bound = match token {
                Token::LetterX => None,
                _ => self.step_bound()?,
            };
            self.no_nested_path()?;
            let of = self.expr()?;
            return Ok(match token {
                Token::LetterX => Path::Next(of),
                Token::LetterF => Path::Eventually(of, bound),
                _ => Path::Always(of, bound),
            });
        }
        let left = self.expr()?;
        let token = self.token();
        if !matches!(token, Token::LetterU | Token::LetterW | Token::LetterR) {
            return Err(self.expected("`U`, `W`, `R`, or `X`, `F`, `G` before the formula"));
        }
        self.next();
        let bound = self.step_bound()?;
        self.no_nested_path()?;
        let right = self.expr()?;
        Ok(match token {
            Token::LetterU => Path::Until(left, right, bound),
            Token::LetterR => Path::Release(left, right, bound),
            _ => Path::WeakUntil(left, right, bound),
        })
    }

    /// Does a path in round brackets begin here, as in `(F "bad")` or `!(a U b)`? Otherwise it is a formula about states.
    fn encloses_path(&self) -> bool {
        let tokens = || self.lexemes[self.at..].iter().map(|l| l.token);
        let negations = tokens().take_while(|t| *t == Token::Bang).count();
        if self.ahead(negations) != Token::LeftRound {
            return false;
        }
        let (mut round, mut square, mut temporal) = (0, 0, false);
        let mut last = Token::Bang;
        for (place, token) in tokens().enumerate().skip(negations) {
            match token {
                Token::LeftRound => round += 1,
                Token::RightRound => round -= 1,
                Token::LeftSquare => square += 1,
                Token::RightSquare => square -= 1,
                Token::Semicolon | Token::End => return temporal,
                // What is in square brackets belongs to a `P`, an `R` or a number of steps.
                Token::LetterX
                | Token::LetterF
                | Token::LetterG
                | Token::LetterU
                | Token::LetterW => temporal |= square == 0,
                // Release follows a formula, a reward does not.
                Token::LetterR => temporal |= square == 0 && ends_formula(last),
                _ => {}
            }
            // A bracket that is never closed is reported as that.
            if square < 0 {
                return temporal;
            }
            if round == 0 {
                let next = self.ahead(place + 1);
                return temporal && matches!(next, Token::RightSquare | Token::RightRound);
            }
            last = token;
        }
        false
    }
}

fn ends_formula(token: Token) -> bool {
    matches!(
        token,
        Token::RightRound
            | Token::RightSquare
            | Token::Word
            | Token::Quoted
            | Token::Integer
            | Token::Decimal
            | Token::True
            | Token::False
    )
}

/// The paths that are not of that kind.
fn negation(path: Path, span: Span) -> Parsed<Path> {
    let not = |of: Expr| Expr {
        span: of.span,
        kind: ExprKind::Not(Box::new(of)),
    };
    Ok(match path {
        Path::Next(of) => Path::Next(not(of)),
        Path::Eventually(of, bound) => Path::Always(not(of), bound),
        Path::Always(of, bound) => Path::Eventually(not(of), bound),
        Path::Until(a, b, bound) => Path::Release(not(a), not(b), bound),
        Path::Release(a, b, bound) => Path::Until(not(a), not(b), bound),
        Path::WeakUntil(..) => {
            return Err(
                Diagnostic::error(span, "the negation of `W` is not decided")
                    .help("!(a W b) is !b U (!a & !b)"),
            );
        }
    })
}
