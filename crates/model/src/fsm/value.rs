//! Values and what they can be: types of variables, sorts of expressions.

use std::fmt::Write as _;

use super::word::Word;

/// The name of a constant of an enumeration, by its number in [`Symbols`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// A value. The order is that of NuSMV's traces within one type, and of no meaning across types.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// `FALSE` or `TRUE`.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A constant of an enumeration.
    Symbol(Symbol),
    /// Bits.
    Word(Word),
}

/// The names of the constants of enumerations.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: Vec<String>,
    known: rustc_hash::FxHashMap<String, Symbol>,
}

impl Symbols {
    /// The symbol of a name; the same for the same name.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&found) = self.known.get(name) {
            return found;
        }
        let symbol = Symbol(self.names.len() as u32);
        self.names.push(name.to_owned());
        self.known.insert(name.to_owned(), symbol);
        symbol
    }

    /// The symbol of a name, if there is one.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.known.get(name).copied()
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.0 as usize]
    }

    /// A value as SMV writes it: `TRUE`, `-3`, `busy`, `0ud4_9`, `-0sd4_2`.
    pub fn show(&self, value: &Value) -> String {
        let mut out = String::new();
        self.write(value, &mut out);
        out
    }

    pub(super) fn write(&self, value: &Value, out: &mut String) {
        let _ = match value {
            Value::Bool(true) => out.write_str("TRUE"),
            Value::Bool(false) => out.write_str("FALSE"),
            Value::Int(n) => write!(out, "{n}"),
            Value::Symbol(s) => out.write_str(self.name(*s)),
            Value::Word(w) => {
                let number = w.number();
                let sign = if number.is_negative() { "-" } else { "" };
                let letter = if w.signed { 's' } else { 'u' };
                write!(out, "{sign}0{letter}d{}_{}", w.width, number.abs())
            }
        };
    }
}

/// What a variable ranges over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// False and true.
    Boolean,
    /// Numbers and symbols as listed, each once, at least one.
    Enumeration(Box<[Value]>),
    /// All numbers from the first to the second, at least one.
    Range(i64, i64),
    /// All words of that width.
    Word {
        /// Two's complement?
        signed: bool,
        /// From 1 to [`Word::WIDEST`].
        width: u32,
    },
}

impl Type {
    /// How many values there are, or that there are at least [`u128::MAX`].
    pub fn size(&self) -> u128 {
        match self {
            Type::Boolean => 2,
            Type::Enumeration(values) => values.len() as u128,
            Type::Range(low, high) => (i128::from(*high) - i128::from(*low) + 1).max(0) as u128,
            Type::Word { width, .. } => 1u128.checked_shl(*width).unwrap_or(u128::MAX),
        }
    }

    /// How many bits number all values.
    pub fn bits(&self) -> usize {
        match self {
            Type::Word { width, .. } => *width as usize,
            _ => (u128::BITS - self.size().saturating_sub(1).leading_zeros()) as usize,
        }
    }

    /// Is there a value for all bits? If not, there is one for every number below [`Type::size`].
    pub fn is_full(&self) -> bool {
        match self {
            Type::Word { .. } => true,
            _ => self.size().is_power_of_two(),
        }
    }

    /// The value of a number below [`Type::size`]. Numbers order values as listed, from false to true, from the
    /// smallest number to the greatest, and words by their bits.
    pub fn value(&self, index: u128) -> Option<Value> {
        self.read(|at| index.checked_shr(at as u32).unwrap_or(0) & 1 == 1)
            .filter(|_| index < self.size())
    }

    /// The value whose number has these bits, the lowest being number 0; none if there is no such value.
    pub fn read(&self, bit: impl Fn(usize) -> bool) -> Option<Value> {
        if let Type::Word { signed, width } = self {
            let word = Word::of_bits(*signed, *width, |at| bit(at as usize));
            return Some(Value::Word(word));
        }
        let bits = 0..self.bits();
        let index = bits.fold(0u128, |sum, at| sum | u128::from(bit(at)) << at);
        if index >= self.size() {
            return None;
        }
        Some(match self {
            Type::Enumeration(values) => values[index as usize].clone(),
            Type::Range(low, _) => Value::Int((i128::from(*low) + index as i128) as i64),
            _ => Value::Bool(index == 1),
        })
    }

    /// The bits of the number of a value, the lowest first; none if it is not of the type.
    pub fn code(&self, value: &Value) -> Option<Vec<bool>> {
        if let (Type::Word { .. }, Value::Word(w)) = (self, value) {
            let fits = self.contains(value);
            return fits.then(|| (0..w.width).map(|at| w.bit(at)).collect());
        }
        let index = self.place(value)?;
        Some((0..self.bits()).map(|at| index >> at & 1 == 1).collect())
    }

    /// The number of a value that is no word.
    fn place(&self, value: &Value) -> Option<u128> {
        match (self, value) {
            (Type::Boolean, Value::Bool(b)) => Some(u128::from(*b)),
            (Type::Enumeration(values), _) => {
                let at = values.iter().position(|v| v == value)?;
                Some(at as u128)
            }
            (Type::Range(low, high), Value::Int(n)) if (low..=high).contains(&n) => {
                Some((i128::from(*n) - i128::from(*low)) as u128)
            }
            _ => None,
        }
    }

    /// Is it one of the values?
    pub fn contains(&self, value: &Value) -> bool {
        match (self, value) {
            (Type::Word { signed, width }, Value::Word(w)) => {
                w.signed == *signed && w.width == *width
            }
            _ => self.place(value).is_some(),
        }
    }

    /// All values, in order of their numbers.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        (0..self.size()).map_while(|index| self.value(index))
    }

    /// The sort of expressions that represent a variable of this type.
    pub fn sort(&self) -> Sort {
        match self {
            Type::Boolean => Sort::Boolean,
            Type::Enumeration(values) => {
                let hull = values.iter().map(Sort::of).reduce(Sort::hull);
                hull.unwrap_or(Sort::Symbolic)
            }
            Type::Range(low, high) => Sort::Integer(*low, *high),
            Type::Word { signed, width } => Sort::Word {
                signed: *signed,
                width: *width,
            },
        }
    }

    /// As SMV writes it.
    pub fn show(&self, symbols: &Symbols) -> String {
        match self {
            Type::Boolean => "boolean".to_owned(),
            Type::Enumeration(values) => {
                let all: Vec<String> = values.iter().map(|v| symbols.show(v)).collect();
                format!("{{{}}}", all.join(", "))
            }
            Type::Range(low, high) => format!("{low}..{high}"),
            Type::Word { signed, width } => {
                let sign = if *signed { "signed" } else { "unsigned" };
                format!("{sign} word[{width}]")
            }
        }
    }
}

/// What the value of an expression can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// False or true.
    Boolean,
    /// A number not outside these bounds; they need not be reached.
    Integer(i64, i64),
    /// A constant of an enumeration.
    Symbolic,
    /// A number or a constant of an enumeration.
    Mixed,
    /// A word.
    Word {
        /// Two's complement?
        signed: bool,
        /// Its bits.
        width: u32,
    },
    /// No value: the expression always fails, so it is allowed wherever any sort is expected.
    Nothing,
}

impl Sort {
    /// The sort of a value.
    pub fn of(value: &Value) -> Sort {
        match value {
            Value::Bool(_) => Sort::Boolean,
            Value::Int(n) => Sort::Integer(*n, *n),
            Value::Symbol(_) => Sort::Symbolic,
            Value::Word(w) => Sort::Word {
                signed: w.signed,
                width: w.width,
            },
        }
    }

    /// Can values of the two be compared, or be in one set?
    pub fn meets(self, other: Sort) -> bool {
        use Sort::{Boolean, Integer, Mixed, Nothing, Symbolic, Word};
        match (self, other) {
            (Nothing, _) | (_, Nothing) | (Boolean, Boolean) => true,
            (Integer(..), Integer(..) | Mixed) | (Mixed, Integer(..)) => true,
            (Symbolic, Symbolic | Mixed) | (Mixed, Symbolic | Mixed) => true,
            (Word { .. }, Word { .. }) => self == other,
            _ => false,
        }
    }

    /// The smallest sort that has the values of both, where one exists: see [`Sort::joins`].
    pub(super) fn hull(self, other: Sort) -> Sort {
        use Sort::{Boolean, Integer, Mixed, Nothing, Symbolic, Word};
        match (self, other) {
            (Nothing, it) | (it, Nothing) => it,
            (Integer(a, b), Integer(c, d)) => Integer(a.min(c), b.max(d)),
            (Symbolic, Symbolic) => Symbolic,
            (Boolean | Word { .. }, _) => self,
            _ => Mixed,
        }
    }

    /// Can an expression have a value of either?
    pub fn joins(self, other: Sort) -> bool {
        use Sort::{Integer, Mixed, Symbolic};
        let scalar = |s| matches!(s, Integer(..) | Mixed | Symbolic);
        self.meets(other) || scalar(self) && scalar(other)
    }

    /// In words, for messages.
    pub fn show(self) -> String {
        match self {
            Sort::Boolean => "a boolean".to_owned(),
            Sort::Integer(..) => "a number".to_owned(),
            Sort::Symbolic => "a constant of an enumeration".to_owned(),
            Sort::Mixed => "a number or a constant of an enumeration".to_owned(),
            Sort::Word { signed, width } => {
                let sign = if signed { "a signed" } else { "an unsigned" };
                format!("{sign} word of {width} bits")
            }
            Sort::Nothing => "nothing".to_owned(),
        }
    }
}
