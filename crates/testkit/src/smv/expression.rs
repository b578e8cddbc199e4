//! Random expressions and formulas of SMV, each of a wanted type.

use crate::Rng;

/// The variables expressions can mention, by type.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    pub(super) booleans: Vec<String>,
    pub(super) numbers: Vec<String>,
    /// Each with the constants of its type.
    pub(super) symbols: Vec<(String, Vec<String>)>,
    /// Words of two bits.
    pub(super) unsigned: Vec<String>,
    pub(super) signed: Vec<String>,
}

fn one(rng: &mut Rng, from: &[String], otherwise: &str) -> String {
    rng.pick(from).map_or(otherwise.to_owned(), Clone::clone)
}

fn any<'a>(rng: &mut Rng, from: &[&'a str]) -> &'a str {
    rng.pick(from).copied().unwrap_or("")
}

impl Vocabulary {
    /// The same with `next` around some names.
    pub(super) fn with_next(&self, more: &Vocabulary) -> Vocabulary {
        let both = |a: &[String], b: &[String]| {
            let next = b.iter().map(|v| format!("next({v})"));
            a.iter().cloned().chain(next).collect()
        };
        let next = more.symbols.iter();
        let next = next.map(|(v, c)| (format!("next({v})"), c.clone()));
        Vocabulary {
            booleans: both(&self.booleans, &more.booleans),
            numbers: both(&self.numbers, &more.numbers),
            symbols: self.symbols.iter().cloned().chain(next).collect(),
            unsigned: both(&self.unsigned, &more.unsigned),
            signed: both(&self.signed, &more.signed),
        }
    }

    pub(super) fn boolean(&self, rng: &mut Rng, depth: usize) -> String {
        if depth == 0 {
            return match rng.below(8) {
                0 => "TRUE".to_owned(),
                _ => self.small_boolean(rng),
            };
        }
        let inner = |rng: &mut Rng| self.boolean(rng, depth - 1);
        match rng.below(14) {
            0 => format!("!{}", bracket(&inner(rng))),
            1..5 => {
                let op = any(rng, &["&", "|", "->", "<->", "xor", "xnor"]);
                format!("({} {op} {})", inner(rng), inner(rng))
            }
            // Without brackets: strength and grouping are up to the reader.
            5..7 => {
                let ops = ["&", "|", "->", "<->", "xor", "xnor", "=", "!="];
                let (a, b) = (any(rng, &ops), any(rng, &ops));
                let (x, y, z) = (self.leaf(rng), self.leaf(rng), self.leaf(rng));
                format!("({x} {a} {y} {b} {z})")
            }
            7 => format!("({} ? {} : {})", inner(rng), inner(rng), inner(rng)),
            8 => {
                let (c, d) = (inner(rng), inner(rng));
                format!(
                    "case {c} : {}; {d} : {}; TRUE : {}; esac",
                    inner(rng),
                    inner(rng),
                    inner(rng)
                )
            }
            9 => {
                let op = any(rng, &["=", "!=", "<", "<=", ">", ">="]);
                let (a, b) = (self.number(rng, depth - 1), self.number(rng, depth - 1));
                format!("({a} {op} {b})")
            }
            10 => {
                let signed = rng.percent(50);
                let op = any(rng, &["=", "!=", "<", "<=", ">", ">="]);
                let a = self.word(rng, signed, depth - 1);
                format!("({a} {op} {})", self.word(rng, signed, depth - 1))
            }
            11 => {
                let (low, more) = (rng.below(3), rng.below(3));
                let n = self.number(rng, depth - 1);
                match rng.below(3) {
                    0 => format!("({n} in {low}..{})", low + more),
                    1 => format!("({n} in {{{low}, {more}}} union 1)"),
                    _ => format!("(({n} union {low}) in ({more} union 0..1))"),
                }
            }
            12 => format!("bool({})", self.number(rng, depth - 1)),
            _ => self.small_boolean(rng),
        }
    }

    /// A name or constant of boolean type.
    fn leaf(&self, rng: &mut Rng) -> String {
        let name = one(rng, &self.booleans, "TRUE");
        match rng.percent(25) {
            true => format!("!{name}"),
            false => name,
        }
    }

    fn small_boolean(&self, rng: &mut Rng) -> String {
        match (rng.below(3), rng.pick(&self.symbols)) {
            (0, Some((name, constants))) => {
                let op = any(rng, &["=", "!="]);
                format!("({name} {op} {})", one(rng, constants, ""))
            }
            (1, _) if !self.numbers.is_empty() => {
                let n = one(rng, &self.numbers, "0");
                format!("({n} = {})", rng.below(3))
            }
            _ => one(rng, &self.booleans, "FALSE"),
        }
    }

    pub(super) fn number(&self, rng: &mut Rng, depth: usize) -> String {
        if depth == 0 {
            return match rng.percent(30) {
                true => rng.below(4).to_string(),
                false => one(rng, &self.numbers, "2"),
            };
        }
        let inner = |rng: &mut Rng| self.number(rng, depth - 1);
        match rng.below(11) {
            0..3 => {
                let op = any(rng, &["+", "-", "*"]);
                format!("({} {op} {})", inner(rng), inner(rng))
            }
            3 => {
                let op = any(rng, &["/", "mod"]);
                let by = any(rng, &["2", "3", "-2", "-3"]);
                format!("({} {op} {by})", inner(rng))
            }
            4 => format!("-{}", bracket(&inner(rng))),
            5 => {
                let condition = self.boolean(rng, depth - 1);
                format!("({condition} ? {} : {})", inner(rng), inner(rng))
            }
            6 => format!("toint({})", self.boolean(rng, depth - 1)),
            7 => {
                let signed = rng.percent(50);
                format!("toint({})", self.word(rng, signed, depth - 1))
            }
            8 => format!(
                "count({}, {})",
                self.leaf(rng),
                self.boolean(rng, depth - 1)
            ),
            // Strength and grouping are up to the reader.
            9 => {
                let ops = ["+", "-", "*", "mod 3 +", "/ 2 *"];
                let (a, b) = (any(rng, &ops), any(rng, &ops));
                let leaf = |rng: &mut Rng| one(rng, &self.numbers, "1");
                format!("({} {a} {} {b} {})", leaf(rng), leaf(rng), leaf(rng))
            }
            _ => format!(
                "{}({}, {})",
                any(rng, &["max", "min"]),
                inner(rng),
                inner(rng)
            ),
        }
    }

    /// A word of two bits.
    pub(super) fn word(&self, rng: &mut Rng, signed: bool, depth: usize) -> String {
        let (names, letter) = match signed {
            true => (&self.signed, 's'),
            false => (&self.unsigned, 'u'),
        };
        if depth == 0 {
            let constant = format!("0{letter}b2_{}{}", rng.below(2), rng.below(2));
            return match rng.percent(30) {
                true => constant,
                false => one(rng, names, &constant),
            };
        }
        let inner = |rng: &mut Rng| self.word(rng, signed, depth - 1);
        let other = |rng: &mut Rng| self.word(rng, !signed, depth - 1);
        match rng.below(11) {
            0..2 => {
                let op = any(rng, &["+", "-", "*"]);
                format!("({} {op} {})", inner(rng), inner(rng))
            }
            2..4 => {
                let op = any(rng, &["&", "|", "xor", "xnor", "->", "<->"]);
                format!("({} {op} {})", inner(rng), inner(rng))
            }
            4 => format!("{}{}", any(rng, &["!", "-"]), bracket(&inner(rng))),
            5 => {
                let op = any(rng, &["<<", ">>"]);
                format!("({} {op} {})", inner(rng), rng.below(3))
            }
            6 => {
                let op = any(rng, &["/", "mod"]);
                let by = any(rng, &["b2_01", "b2_10", "b2_11"]);
                format!("({} {op} 0{letter}{by})", inner(rng))
            }
            7 if signed => format!("signed({})", other(rng)),
            7 => format!("unsigned({})", other(rng)),
            8 if !signed => {
                let (a, b) = (self.boolean(rng, depth - 1), self.boolean(rng, depth - 1));
                format!("(word1({a}) :: word1({b}))")
            }
            9 => format!("resize(extend({}, {}), 2)", inner(rng), rng.below(3)),
            10 if !signed => {
                let whole = format!("({} :: {})", inner(rng), other(rng));
                let low = rng.below(3);
                format!("{whole}[{}:{low}]", low + 1)
            }
            _ => {
                let condition = self.boolean(rng, depth - 1);
                format!("({condition} ? {} : {})", inner(rng), inner(rng))
            }
        }
    }

    /// A boolean that PSL can have: NuSMV knows fewer expressions there.
    pub(super) fn psl_atom(&self, rng: &mut Rng) -> String {
        match rng.percent(25) && !self.numbers.is_empty() {
            true => {
                let op = any(rng, &["=", "!=", "<", ">="]);
                format!("{} {op} {}", one(rng, &self.numbers, "0"), rng.below(3))
            }
            false => self.leaf(rng),
        }
    }

    pub(super) fn ctl(&self, rng: &mut Rng, depth: usize) -> String {
        if depth == 0 {
            return self.boolean(rng, 1);
        }
        let inner = |rng: &mut Rng| self.ctl(rng, depth - 1);
        let (low, more) = (rng.below(3), rng.below(3));
        match rng.below(12) {
            0..6 => {
                let op = any(rng, &["AG", "EF", "AF", "EG", "AX", "EX"]);
                format!("{op} {}", bracket(&inner(rng)))
            }
            6 => format!("A [{} U {}]", inner(rng), inner(rng)),
            7 => format!("E [{} U {}]", inner(rng), inner(rng)),
            8 => {
                let op = any(rng, &["ABF", "EBF", "ABG", "EBG"]);
                format!("{op} {low}..{} {}", low + more, bracket(&inner(rng)))
            }
            9 => format!(
                "{} [{} BU {low}..{} {}]",
                any(rng, &["A", "E"]),
                inner(rng),
                low + more,
                inner(rng)
            ),
            10 => format!("!{}", bracket(&inner(rng))),
            _ => {
                let op = any(rng, &["&", "|", "->", "<->"]);
                format!("({} {op} {})", inner(rng), inner(rng))
            }
        }
    }

    pub(super) fn ltl(&self, rng: &mut Rng, depth: usize) -> String {
        if depth == 0 {
            return self.boolean(rng, 1);
        }
        let inner = |rng: &mut Rng| self.ltl(rng, depth - 1);
        match rng.below(12) {
            0..5 => {
                let op = any(rng, &["G", "F", "X", "G F", "F G"]);
                format!("{op} {}", bracket(&inner(rng)))
            }
            5 => {
                let op = any(rng, &["Y", "Z", "O", "H"]);
                format!("{op} {}", bracket(&inner(rng)))
            }
            6..8 => {
                let op = any(rng, &["U", "V", "S", "T"]);
                format!("({} {op} {})", inner(rng), inner(rng))
            }
            8 => {
                let (low, more) = (rng.below(2), rng.below(3));
                let op = any(rng, &["F", "G", "O", "H"]);
                format!("{op} [{low}, {}] {}", low + more, bracket(&inner(rng)))
            }
            9 => format!("!{}", bracket(&inner(rng))),
            _ => {
                let op = any(rng, &["&", "|", "->", "<->", "xor"]);
                format!("({} {op} {})", inner(rng), inner(rng))
            }
        }
    }
}

fn bracket(text: &str) -> String {
    match text.starts_with('(') && text.ends_with(')') {
        true => text.to_owned(),
        false => format!("({text})"),
    }
}
