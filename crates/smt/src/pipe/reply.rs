//! What solvers answer.

use std::str::FromStr;

use suppose_model::chc::Value;
use suppose_number::{Int, Rat};

/// Deeper answers are not understood.
const DEEPEST: usize = 64;

/// An S-expression.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    Word(String),
    List(Vec<Item>),
}

/// The names and values of `((name value) ...)`.
pub(super) fn values(text: &str) -> Option<Vec<(String, Value)>> {
    let Item::List(pairs) = parse(text)? else {
        return None;
    };
    pairs
        .into_iter()
        .map(|pair| match pair {
            Item::List(pair) => match &pair[..] {
                [Item::Word(name), value] => Some((name.clone(), read_value(value)?)),
                _ => None,
            },
            Item::Word(_) => None,
        })
        .collect()
}

/// The symbols of `(name ...)`.
pub(super) fn symbols(text: &str) -> Option<Vec<String>> {
    let Item::List(items) = parse(text)? else {
        return None;
    };
    items
        .into_iter()
        .map(|item| match item {
            Item::Word(name) => Some(name),
            Item::List(_) => None,
        })
        .collect()
}

fn read_value(item: &Item) -> Option<Value> {
    match item {
        Item::Word(word) if word == "true" => Some(Value::Bool(true)),
        Item::Word(word) if word == "false" => Some(Value::Bool(false)),
        _ => number(item).map(Value::Num),
    }
}

/// `5`, `5.25`, `(- 5)`, `(/ 1 3)`, `(to_real 5)`, also nested. The depth is bounded by [`parse`].
fn number(item: &Item) -> Option<Rat> {
    match item {
        Item::Word(word) => decimal(word),
        Item::List(items) => match &items[..] {
            [Item::Word(op), a] if op == "-" => Some(-number(a)?),
            [Item::Word(op), a] if op == "to_real" => number(a),
            [Item::Word(op), a, b] if op == "/" => {
                let (a, b) = (number(a)?, number(b)?);
                (!b.is_zero()).then(|| &a / &b)
            }
            _ => None,
        },
    }
}

fn decimal(word: &str) -> Option<Rat> {
    let Some((whole, part)) = word.split_once('.') else {
        return Some(Rat::from(Int::from_str(word).ok()?));
    };
    if whole.is_empty() || part.is_empty() {
        return None;
    }
    let digits = Int::from_str(&format!("{whole}{part}")).ok()?;
    let scale = Int::from_str(&format!("1{}", "0".repeat(part.len()))).ok()?;
    Some(Rat::new(digits, scale))
}

/// One S-expression and nothing else.
fn parse(text: &str) -> Option<Item> {
    let mut open: Vec<Vec<Item>> = vec![Vec::new()];
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            break;
        };
        match first {
            '(' => {
                open.push(Vec::new());
                rest = &rest[1..];
            }
            ')' => {
                let list = open.pop()?;
                open.last_mut()?.push(Item::List(list));
                rest = &rest[1..];
            }
            _ => {
                let end = word_end(rest)?;
                let word = rest[..end].trim_matches('|').to_owned();
                open.last_mut()?.push(Item::Word(word));
                rest = &rest[end..];
            }
        }
        if open.len() > DEEPEST {
            return None;
        }
    }
    match (open.pop()?, open.is_empty()) {
        (mut items, true) if items.len() == 1 => items.pop(),
        _ => None,
    }
}

/// Where a symbol, number or string that the text begins with ends.
fn word_end(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|c| "|\"".contains(*c));
    match quote {
        Some(quote) => text[1..].find(quote).map(|at| at + 2),
        None => {
            let stop = |c: char| c.is_whitespace() || "()|\"".contains(c);
            Some(text.find(stop).unwrap_or(text.len()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn num(num: i64, den: i64) -> Value {
        Value::Num(Rat::new(Int::from(num), Int::from(den)))
    }

    #[test]
    fn values_of_both_dialects_are_read() {
        let text = "((v0 (- 3))\n (v1 (/ 1.0 2.0)) (v2 (- (/ 9.0 2.0))) (v3 true)\n (v4 (/ (- 1) 3)) (|v5| 2.25) (v6 (to_real 4)))\n";
        let found = values(text).expect("values");
        let expected = [
            ("v0", num(-3, 1)),
            ("v1", num(1, 2)),
            ("v2", num(-9, 2)),
            ("v3", Value::Bool(true)),
            ("v4", num(-1, 3)),
            ("v5", num(9, 4)),
            ("v6", num(4, 1)),
        ];
        let expected = expected.map(|(n, v)| (n.to_owned(), v));
        assert_eq!(found, expected);
    }

    #[test]
    fn big_numbers_are_read() {
        let found = values("((x 123456789012345678901234567890))").expect("values");
        let Value::Num(n) = &found[0].1 else {
            panic!("a number")
        };
        assert_eq!(n.to_string(), "123456789012345678901234567890");
    }

    #[test]
    fn cores_are_read() {
        assert_eq!(
            symbols("(a0 |a1| a2)"),
            Some(["a0", "a1", "a2"].map(str::to_owned).to_vec())
        );
        assert_eq!(symbols("()"), Some(Vec::new()));
    }

    #[test]
    fn garbage_is_not_understood() {
        let deep = format!("{}{}", "(".repeat(100_000), ")".repeat(100_000));
        for text in [
            "",
            "(",
            ")",
            "())",
            "((x 1)",
            "(x 1)",
            "((x))",
            "((x (/ 1 0)))",
            "((x 1) y)",
            "((x (+ 1 2)))",
            "((x 1.))",
            "((x .5e3))",
            "((x \"1))",
            "|",
            "((x #b1))",
            "((x --1))",
            "((x 1)) ((y 2))",
            &deep,
            "((\u{e9} \u{e9}))",
        ] {
            assert_eq!(values(text), None, "{text:.50}");
        }
        assert_eq!(symbols("(a (not b))"), None);
        assert_eq!(symbols("a"), None);
    }
}
