//! The syntax of SPIN's formulas: `[] <> X ! U V W && || -> <->`.

use super::formula::{Formulas, Id};

/// Text that is no formula: where, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Bytes before the mistake.
    pub at: usize,
    /// What was expected there.
    pub expected: &'static str,
}

/// How deep formulas may be nested.
const DEPTH: usize = 1000;

/// Reads a formula. Names of atoms are looked up in `names`, and added to them.
pub fn parse(
    text: &str,
    formulas: &mut Formulas,
    names: &mut Vec<String>,
) -> Result<Id, ParseError> {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
        formulas,
        names,
    };
    let root = parser.equivalence()?;
    parser.spaces();
    match parser.at == text.len() {
        true => Ok(root),
        false => Err(parser.expected("an operator or the end")),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    formulas: &'a mut Formulas,
    names: &'a mut Vec<String>,
}

impl Parser<'_> {
    fn expected(&self, expected: &'static str) -> ParseError {
        ParseError {
            at: self.at,
            expected,
        }
    }

    fn spaces(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, symbol: &str) -> bool {
        self.spaces();
        let rest = &self.text[self.at..];
        let is_word = symbol.starts_with(|c: char| c.is_alphanumeric());
        let goes_on = |c: char| c.is_alphanumeric() || c == '_';
        let found =
            rest.starts_with(symbol) && !(is_word && rest[symbol.len()..].starts_with(goes_on));
        self.at += if found { symbol.len() } else { 0 };
        found
    }

    fn equivalence(&mut self) -> Result<Id, ParseError> {
        let mut left = self.implication()?;
        while self.eat("<->") {
            let right = self.implication()?;
            left = self.formulas.equivalent(left, right);
        }
        Ok(left)
    }

    fn implication(&mut self) -> Result<Id, ParseError> {
        let left = self.either()?;
        if !self.eat("->") {
            return Ok(left);
        }
        let right = self.implication()?;
        Ok(self.formulas.implies(left, right))
    }

    fn either(&mut self) -> Result<Id, ParseError> {
        let mut parts = vec![self.both()?];
        while self.eat("||") {
            parts.push(self.both()?);
        }
        Ok(self.formulas.or(parts))
    }

    fn both(&mut self) -> Result<Id, ParseError> {
        let mut parts = vec![self.until()?];
        while self.eat("&&") {
            parts.push(self.until()?);
        }
        Ok(self.formulas.and(parts))
    }

    fn until(&mut self) -> Result<Id, ParseError> {
        let left = self.unary()?;
        for operator in ["U", "V", "W"] {
            if self.eat(operator) {
                let right = self.until()?;
                return Ok(match operator {
                    "U" => self.formulas.until(left, right),
                    "V" => self.formulas.release(left, right),
                    _ => self.formulas.weak_until(left, right),
                });
            }
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Id, ParseError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.expected("a formula that is less deeply nested"));
        }
        let parsed = self.unary_here();
        self.depth -= 1;
        parsed
    }

    fn unary_here(&mut self) -> Result<Id, ParseError> {
        if self.eat("!") {
            let inner = self.unary()?;
            return Ok(self.formulas.not(inner));
        }
        if self.eat("[]") {
            let inner = self.unary()?;
            return Ok(self.formulas.always(inner));
        }
        if self.eat("<>") {
            let inner = self.unary()?;
            return Ok(self.formulas.eventually(inner));
        }
        if self.eat("X") {
            let inner = self.unary()?;
            return Ok(self.formulas.next(inner));
        }
        if self.eat("(") {
            let inner = self.equivalence()?;
            return match self.eat(")") {
                true => Ok(inner),
                false => Err(self.expected("`)`")),
            };
        }
        self.atom()
    }

    fn atom(&mut self) -> Result<Id, ParseError> {
        self.spaces();
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let word = &rest[..end.unwrap_or(rest.len())];
        if !word.starts_with(|c: char| c.is_lowercase() || c == '_') {
            return Err(self.expected("a formula"));
        }
        self.at += word.len();
        let atom = match word {
            "true" => return Ok(Formulas::TRUE),
            "false" => return Ok(Formulas::FALSE),
            _ => self.names.iter().position(|n| n == word),
        };
        let atom = atom.unwrap_or_else(|| {
            self.names.push(word.to_owned());
            self.names.len() - 1
        });
        Ok(self.formulas.literal(atom as u32, true))
    }
}
