//! Random SMV texts with words that are wider than NuSMV has them, each with a twin that has their bits as booleans.
//!
//! What an operator does is said here by gates, for the text that NuSMV reads: nothing is shared with what reads the wide text. Few bits of a
//! variable change, and constants fill the others, so that the systems stay small.

use std::fmt::Write as _;

use crate::Rng;

/// A text with wide words and its twin without words; both have the same states and the same names of properties.
#[derive(Clone, Debug)]
pub struct WordPair {
    /// With words.
    pub wide: String,
    /// With booleans.
    pub narrow: String,
}

/// A wire of the twin: a constant, or the name of a boolean.
#[derive(Clone, Debug, PartialEq)]
enum Wire {
    Constant(bool),
    Name(String),
}

/// An expression in both texts.
#[derive(Clone, Debug)]
struct Word {
    text: String,
    signed: bool,
    bits: Vec<Wire>,
}

#[derive(Clone, Debug)]
struct Truth {
    text: String,
    wire: Wire,
}

struct Maker<'a> {
    rng: &'a mut Rng,
    width: usize,
    /// The bits of `u` and of `s` that change.
    masks: [Vec<bool>; 2],
    defines: String,
    made: usize,
}

/// A random pair; `many` properties of each kind, called `i0`, `c0`, `l0` and so on.
pub fn wide_twins(rng: &mut Rng, many: usize) -> WordPair {
    let widths = [65, 66, 70, 96, 127, 128, 129, 150, 192, 200];
    let width = rng.pick(&widths).copied().unwrap_or(65);
    let masks = [few(rng, width), few(rng, width)];
    let mut maker = Maker {
        rng,
        width,
        masks,
        defines: String::new(),
        made: 0,
    };
    maker.text(many)
}

/// Some three bits, the highest often among them.
fn few(rng: &mut Rng, width: usize) -> Vec<bool> {
    let mut mask = vec![false; width];
    for _ in 0..3 {
        let at = [0, 63, 64, width - 1, rng.below(width), rng.below(width)];
        if let Some(at) = rng.pick(&at) {
            mask[*at] = true;
        }
    }
    mask
}

/// A word as it is written: in one of the bases.
fn constant(rng: &mut Rng, signed: bool, bits: &[bool]) -> String {
    let (letter, width) = (if signed { 's' } else { 'u' }, bits.len());
    let high = bits.iter().rev();
    match rng.below(3) {
        0 => {
            let digits: String = high.map(|b| if *b { '1' } else { '0' }).collect();
            format!("0{letter}b{width}_{digits}")
        }
        1 => {
            let of_four = bits.chunks(4).rev();
            let digit = |four: &[bool]| {
                let value = four.iter().rev().fold(0, |sum, b| sum * 2 + u32::from(*b));
                char::from_digit(value, 16).unwrap_or('0')
            };
            let digits: String = of_four.map(digit).collect();
            format!("0{letter}h{width}_{digits}")
        }
        _ => {
            let negative = signed && bits.last() == Some(&true);
            let bits = if negative {
                negated(bits)
            } else {
                bits.to_vec()
            };
            let sign = if negative { "-" } else { "" };
            format!("{sign}0{letter}d{width}_{}", decimal(&bits))
        }
    }
}

/// Two's complement.
fn negated(bits: &[bool]) -> Vec<bool> {
    let mut carry = true;
    let one = |bit: &bool| {
        let sum = !bit ^ carry;
        carry &= !bit;
        sum
    };
    bits.iter().map(one).collect()
}

/// By doubling, digit by digit.
fn decimal(bits: &[bool]) -> String {
    let mut digits = vec![0u8];
    for bit in bits.iter().rev() {
        let mut carry = u8::from(*bit);
        for digit in &mut digits {
            let value = *digit * 2 + carry;
            (*digit, carry) = (value % 10, value / 10);
        }
        if carry > 0 {
            digits.push(carry);
        }
    }
    digits.iter().rev().map(|d| char::from(b'0' + d)).collect()
}

impl Wire {
    fn text(&self) -> &str {
        match self {
            Wire::Constant(true) => "TRUE",
            Wire::Constant(false) => "FALSE",
            Wire::Name(name) => name,
        }
    }
}

impl Maker<'_> {
    fn define(&mut self, text: &str) -> Wire {
        self.made += 1;
        let name = format!("d{}", self.made);
        let _ = writeln!(self.defines, "DEFINE {name} := {text};");
        Wire::Name(name)
    }

    fn not(&mut self, a: &Wire) -> Wire {
        match a {
            Wire::Constant(a) => Wire::Constant(!a),
            Wire::Name(name) => self.define(&format!("!{name}")),
        }
    }

    fn and(&mut self, a: &Wire, b: &Wire) -> Wire {
        match (a, b) {
            (Wire::Constant(false), _) | (_, Wire::Constant(false)) => Wire::Constant(false),
            (Wire::Constant(true), other) | (other, Wire::Constant(true)) => other.clone(),
            (Wire::Name(a), Wire::Name(b)) => self.define(&format!("{a} & {b}")),
        }
    }

    fn or(&mut self, a: &Wire, b: &Wire) -> Wire {
        match (a, b) {
            (Wire::Constant(true), _) | (_, Wire::Constant(true)) => Wire::Constant(true),
            (Wire::Constant(false), other) | (other, Wire::Constant(false)) => other.clone(),
            (Wire::Name(a), Wire::Name(b)) => self.define(&format!("{a} | {b}")),
        }
    }

    fn xor(&mut self, a: &Wire, b: &Wire) -> Wire {
        match (a, b) {
            (Wire::Constant(false), other) | (other, Wire::Constant(false)) => other.clone(),
            (Wire::Constant(true), other) | (other, Wire::Constant(true)) => self.not(other),
            (Wire::Name(a), Wire::Name(b)) => self.define(&format!("({a}) xor ({b})")),
        }
    }

    fn choice(&mut self, test: &Wire, a: &Wire, b: &Wire) -> Wire {
        let otherwise = self.not(test);
        let (a, b) = (self.and(test, a), self.and(&otherwise, b));
        self.or(&a, &b)
    }

    fn sum(&mut self, a: &[Wire], b: &[Wire], carry: bool) -> Vec<Wire> {
        let (mut carry, mut out) = (Wire::Constant(carry), Vec::new());
        for (x, y) in a.iter().zip(b) {
            let differ = self.xor(x, y);
            out.push(self.xor(&differ, &carry));
            let (both, passed) = (self.and(x, y), self.and(&differ, &carry));
            carry = self.or(&both, &passed);
        }
        out
    }

    fn inverse(&mut self, bits: &[Wire]) -> Vec<Wire> {
        bits.iter().map(|b| self.not(b)).collect()
    }

    fn any_bits(&mut self) -> Vec<bool> {
        let fill = [3, 50, 97][self.rng.below(3)];
        (0..self.width).map(|_| self.rng.percent(fill)).collect()
    }

    /// A constant, or a variable with constant bits put in.
    fn leaf(&mut self, signed: bool) -> Word {
        let noise = self.any_bits();
        let text = constant(self.rng, signed, &noise);
        let wires: Vec<Wire> = noise.into_iter().map(Wire::Constant).collect();
        if self.rng.percent(15) {
            return Word {
                text: format!("({text})"),
                signed,
                bits: wires,
            };
        }
        let (name, mask) = if signed { ("s", 1) } else { ("u", 0) };
        let mask = self.masks[mask].clone();
        let shown = constant(self.rng, signed, &mask);
        let mut bits = Vec::new();
        for (at, (changes, wire)) in mask.into_iter().zip(&wires).enumerate() {
            bits.push(match changes {
                true => self.xor(&Wire::Name(format!("{name}{at}")), wire),
                false => wire.clone(),
            });
        }
        Word {
            text: format!("(({name} & ({shown})) xor ({text}))"),
            signed,
            bits,
        }
    }

    fn word(&mut self, signed: bool, depth: usize) -> Word {
        if depth == 0 {
            return self.leaf(signed);
        }
        let a = self.word(signed, depth - 1);
        match self.rng.below(11) {
            0..3 => self.arithmetic(&a, depth),
            3 => {
                let (not, zero) = (
                    self.inverse(&a.bits),
                    vec![Wire::Constant(false); self.width],
                );
                let bits = self.sum(&zero, &not, true);
                self.made_of(format!("(- {})", a.text), signed, bits)
            }
            4 => {
                let bits = self.inverse(&a.bits);
                self.made_of(format!("(! {})", a.text), signed, bits)
            }
            5 => self.bitwise(&a, depth),
            6 => self.shift(&a),
            7 => self.put_together(&a, depth),
            8 => {
                let other = self.word(!signed, depth - 1);
                let cast = if signed { "signed" } else { "unsigned" };
                self.made_of(format!("{cast}({})", other.text), signed, other.bits)
            }
            9 => self.resized(&a),
            _ => {
                let (test, b) = (self.truth(0), self.word(signed, depth - 1));
                let pairs: Vec<(Wire, Wire)> = a.bits.into_iter().zip(b.bits).collect();
                let bits = pairs
                    .iter()
                    .map(|(x, y)| self.choice(&test.wire, x, y))
                    .collect();
                let text = format!("({} ? {} : {})", test.text, a.text, b.text);
                self.made_of(text, signed, bits)
            }
        }
    }

    fn made_of(&self, text: String, signed: bool, bits: Vec<Wire>) -> Word {
        Word { text, signed, bits }
    }

    fn arithmetic(&mut self, a: &Word, depth: usize) -> Word {
        let b = self.word(a.signed, depth - 1);
        let (op, bits) = match self.rng.below(3) {
            0 => ("+", self.sum(&a.bits, &b.bits, false)),
            1 => {
                let not = self.inverse(&b.bits);
                ("-", self.sum(&a.bits, &not, true))
            }
            _ => return self.product(a),
        };
        self.made_of(format!("({} {op} {})", a.text, b.text), a.signed, bits)
    }

    /// By a constant with few bits.
    fn product(&mut self, a: &Word) -> Word {
        let factor = few(self.rng, self.width);
        let mut bits = vec![Wire::Constant(false); self.width];
        for (places, _) in factor.iter().enumerate().filter(|(_, set)| **set) {
            let moved = moved(&a.bits, places, true, &Wire::Constant(false));
            bits = self.sum(&bits, &moved, false);
        }
        let text = constant(self.rng, a.signed, &factor);
        self.made_of(format!("({} * ({text}))", a.text), a.signed, bits)
    }

    fn bitwise(&mut self, a: &Word, depth: usize) -> Word {
        let b = self.word(a.signed, depth - 1);
        let op = ["&", "|", "xor"][self.rng.below(3)];
        let mut bits = Vec::new();
        for (x, y) in a.bits.iter().zip(&b.bits) {
            bits.push(match op {
                "&" => self.and(x, y),
                "|" => self.or(x, y),
                _ => self.xor(x, y),
            });
        }
        self.made_of(format!("({} {op} {})", a.text, b.text), a.signed, bits)
    }

    /// By a number, or by some bits of a word.
    fn shift(&mut self, a: &Word) -> Word {
        let left = self.rng.percent(50);
        let op = if left { "<<" } else { ">>" };
        let fill = match a.bits.last() {
            Some(sign) if a.signed && !left => sign.clone(),
            _ => Wire::Constant(false),
        };
        if self.rng.percent(60) {
            let some = [0, 1, 63, 64, 65, self.width, self.rng.below(self.width)];
            let places = self.rng.pick(&some).copied().unwrap_or(1);
            let bits = moved(&a.bits, places, left, &fill);
            return self.made_of(format!("({} {op} {places})", a.text), a.signed, bits);
        }
        let by = self.leaf(false);
        let low = self.rng.below(self.width - 6);
        let mut bits = a.bits.clone();
        for (at, wire) in by.bits[low..low + 6].iter().enumerate() {
            let further = moved(&bits, 1 << at, left, &fill);
            bits = (0..bits.len())
                .map(|i| self.choice(wire, &further[i], &bits[i]))
                .collect();
        }
        let text = format!("({} {op} {}[{}:{low}])", a.text, by.text, low + 5);
        self.made_of(text, a.signed, bits)
    }

    /// Some bits of one above some of another.
    fn put_together(&mut self, a: &Word, depth: usize) -> Word {
        let b = self.word(false, depth - 1);
        let high = self.rng.between(1, self.width - 1);
        let (low, rest) = (self.rng.below(self.width - high), self.width - high);
        let from = self.rng.below(self.width - rest);
        let mut bits = b.bits[from..from + rest].to_vec();
        bits.extend_from_slice(&a.bits[low..low + high]);
        let text = format!(
            "({}[{}:{low}] :: {}[{}:{from}])",
            a.text,
            low + high - 1,
            b.text,
            from + rest - 1
        );
        match a.signed {
            true => self.made_of(format!("signed({text})"), true, bits),
            false => self.made_of(text, false, bits),
        }
    }

    /// Shorter and longer again, or the other way round.
    fn resized(&mut self, a: &Word) -> Word {
        let mut bits = a.bits.clone();
        let sign = bits.last().cloned().unwrap_or(Wire::Constant(false));
        let fill = |top: &Wire| match a.signed {
            true => top.clone(),
            false => Wire::Constant(false),
        };
        let by = 1 + self.rng.below(self.width - 1);
        if self.rng.percent(40) {
            let text = format!("resize(extend({}, {by}), {})", a.text, self.width);
            // A signed word keeps its sign, which is where it was.
            return self.made_of(text, a.signed, bits);
        }
        bits.truncate(by);
        if a.signed
            && let Some(top) = bits.last_mut()
        {
            *top = sign;
        }
        let top = bits.last().cloned().unwrap_or(Wire::Constant(false));
        bits.resize(self.width, fill(&top));
        let text = format!("extend(resize({}, {by}), {})", a.text, self.width - by);
        self.made_of(text, a.signed, bits)
    }

    fn truth(&mut self, depth: usize) -> Truth {
        let signed = self.rng.percent(50);
        match self.rng.below(6) {
            0 => Truth {
                text: "x".to_owned(),
                wire: Wire::Name("x".to_owned()),
            },
            1 => {
                let a = self.word(signed, depth);
                let at = [0, 63, 64, self.width - 1, self.rng.below(self.width)];
                let at = self.rng.pick(&at).copied().unwrap_or(0);
                Truth {
                    text: format!("bool({}[{at}:{at}])", a.text),
                    wire: a.bits[at].clone(),
                }
            }
            _ => self.comparison(signed, depth),
        }
    }

    fn comparison(&mut self, signed: bool, depth: usize) -> Truth {
        let (a, b) = (self.word(signed, depth), self.word(signed, depth));
        let op = ["=", "!=", "<", "<=", ">", ">="][self.rng.below(6)];
        let (x, y) = match op {
            ">" | "<=" => (&b, &a),
            _ => (&a, &b),
        };
        let mut wire = Wire::Constant(matches!(op, "=" | "!="));
        for (at, (p, q)) in x.bits.iter().zip(&y.bits).enumerate() {
            let differ = self.xor(p, q);
            let same = self.not(&differ);
            wire = self.and(&same, &wire);
            if !matches!(op, "=" | "!=") {
                // The first is less where the second has the bit; the sign counts the other way round.
                let more = if signed && at + 1 == self.width { p } else { q };
                let here = self.and(&differ, more);
                wire = self.or(&here, &wire);
            }
        }
        if matches!(op, "!=" | "<=" | ">=") {
            wire = self.not(&wire);
        }
        Truth {
            text: format!("({} {op} {})", a.text, b.text),
            wire,
        }
    }

    fn text(&mut self, many: usize) -> WordPair {
        let width = self.width;
        let mut wide = format!(
            "MODULE main\nVAR x : boolean; u : unsigned word[{width}]; s : signed word[{width}];\n"
        );
        let mut narrow = "MODULE main\nVAR x : boolean;\n".to_owned();
        for (which, name) in ["u", "s"].into_iter().enumerate() {
            let (signed, mask) = (which == 1, self.masks[which].clone());
            let first: Vec<bool> = mask.iter().map(|m| *m && self.rng.percent(50)).collect();
            let next = self.word(signed, 2);
            let (begin, cut) = (
                constant(self.rng, signed, &first),
                constant(self.rng, signed, &mask),
            );
            let _ = writeln!(
                wide,
                "ASSIGN init({name}) := {begin}; next({name}) := {} & ({cut});",
                next.text
            );
            for (at, changes) in mask.iter().enumerate().filter(|(_, m)| **m) {
                debug_assert!(*changes);
                let first = Wire::Constant(first[at]);
                let _ = writeln!(
                    narrow,
                    "VAR {name}{at} : boolean; ASSIGN init({name}{at}) := {}; next({name}{at}) := {};",
                    first.text(),
                    next.bits[at].text()
                );
            }
        }
        for i in 0..many {
            for (keyword, letter, forms) in [
                ("INVARSPEC", 'i', ["", "", ""]),
                ("CTLSPEC", 'c', ["AG EF ", "AF ", "EF EG "]),
                ("LTLSPEC", 'l', ["G F ", "F G ", "X X "]),
            ] {
                let (claim, form) = (self.truth(1), forms[self.rng.below(3)]);
                let _ = writeln!(
                    wide,
                    "{keyword} NAME {letter}{i} := {form}({});",
                    claim.text
                );
                let _ = writeln!(
                    narrow,
                    "{keyword} NAME {letter}{i} := {form}({});",
                    claim.wire.text()
                );
            }
        }
        narrow += &std::mem::take(&mut self.defines);
        WordPair { wide, narrow }
    }
}

fn moved(bits: &[Wire], places: usize, left: bool, fill: &Wire) -> Vec<Wire> {
    let from = |at: usize| match left {
        true => at.checked_sub(places),
        false => at.checked_add(places),
    };
    (0..bits.len())
        .map(|at| from(at).and_then(|f| bits.get(f)).unwrap_or(fill).clone())
        .collect()
}
