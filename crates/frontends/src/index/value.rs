//! The values of constants and the bounds of ranges, as far as they are plain sums and products.

use super::build::Values;
use super::scan::{Kind, Token};

/// How deep constants may refer to constants, and brackets may nest.
const DEPTH: usize = 40;

struct Evaluator<'a> {
    tokens: &'a [Token],
    text: &'a str,
    resolved: &'a [Option<u32>],
    /// The tokens of the expression that a symbol stands for.
    of: &'a dyn Fn(u32) -> Option<(usize, usize)>,
}

/// Values as text: `3`, `0..3`; with the words of the text where they cannot be computed.
pub(super) fn shown(
    tokens: &[Token],
    text: &str,
    resolved: &[Option<u32>],
    of: &dyn Fn(u32) -> Option<(usize, usize)>,
    values: Values,
) -> Option<String> {
    let it = Evaluator {
        tokens,
        text,
        resolved,
        of,
    };
    match values {
        Values::Of(from, to) => it.whole(from, to, 0).map(|v| v.to_string()),
        Values::Between(low, high) => {
            let show = |(from, to): (usize, usize)| match it.whole(from, to, 0) {
                Some(value) => Some(value.to_string()),
                None => it.written(from, to),
            };
            Some(format!("{}..{}", show(low)?, show(high)?))
        }
    }
}

impl Evaluator<'_> {
    fn at(&self, i: usize) -> &str {
        let token = self.tokens.get(i);
        token.map_or("", |t| &self.text[t.start as usize..t.end as usize])
    }

    /// The text of these tokens, if it is short.
    fn written(&self, from: usize, to: usize) -> Option<String> {
        let (first, last) = (self.tokens.get(from)?, self.tokens.get(to.checked_sub(1)?)?);
        let text = self.text.get(first.start as usize..last.end as usize)?;
        (text.len() <= 60 && !text.contains('\n')).then(|| text.to_owned())
    }

    /// All of these tokens as one number.
    fn whole(&self, from: usize, to: usize, depth: usize) -> Option<i64> {
        if from >= to || depth > DEPTH {
            return None;
        }
        let (value, next) = self.sum(from, to, depth + 1)?;
        (next == to).then_some(value)
    }

    fn sum(&self, from: usize, to: usize, depth: usize) -> Option<(i64, usize)> {
        let (mut value, mut at) = self.product(from, to, depth)?;
        while at < to {
            let (right, next) = match self.at(at) {
                "+" | "-" => self.product(at + 1, to, depth)?,
                _ => break,
            };
            value = match self.at(at) {
                "+" => value.checked_add(right)?,
                _ => value.checked_sub(right)?,
            };
            at = next;
        }
        Some((value, at))
    }

    fn product(&self, from: usize, to: usize, depth: usize) -> Option<(i64, usize)> {
        let (mut value, mut at) = self.atom(from, to, depth)?;
        // A quotient of integers is not the same in all languages.
        while at < to && self.at(at) == "*" {
            let (right, next) = self.atom(at + 1, to, depth)?;
            value = value.checked_mul(right)?;
            at = next;
        }
        Some((value, at))
    }

    fn atom(&self, from: usize, to: usize, depth: usize) -> Option<(i64, usize)> {
        let token = self
            .tokens
            .get(from)
            .filter(|_| from < to && depth < DEPTH)?;
        match token.kind {
            Kind::Number => Some((self.at(from).parse().ok()?, from + 1)),
            Kind::Word => {
                let symbol = self.resolved.get(from).copied().flatten()?;
                let (first, end) = (self.of)(symbol)?;
                Some((self.whole(first, end, depth + 1)?, from + 1))
            }
            Kind::Open if self.at(from) == "(" => {
                let close = token.partner as usize;
                if close >= to {
                    return None;
                }
                Some((self.whole(from + 1, close, depth + 1)?, close + 1))
            }
            Kind::Mark if self.at(from) == "-" => {
                let (value, next) = self.atom(from + 1, to, depth + 1)?;
                Some((value.checked_neg()?, next))
            }
            _ => None,
        }
    }
}
