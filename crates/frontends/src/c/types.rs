//! Integer types, and arithmetic on them: mathematical, or as machines do it.

use suppose_number::Int;

/// The integer types of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntType {
    /// `_Bool`.
    Bool,
    /// `char`, which is signed here.
    Char,
    /// `signed char`.
    SignedChar,
    /// `unsigned char`.
    UnsignedChar,
    /// `short`.
    Short,
    /// `unsigned short`.
    UnsignedShort,
    /// `int`.
    Int,
    /// `unsigned int`.
    UnsignedInt,
    /// `long`.
    Long,
    /// `unsigned long`.
    UnsignedLong,
    /// `long long`.
    LongLong,
    /// `unsigned long long`.
    UnsignedLongLong,
}

impl IntType {
    /// All of them.
    pub(super) const ALL: [IntType; 12] = [
        IntType::Bool,
        IntType::Char,
        IntType::SignedChar,
        IntType::UnsignedChar,
        IntType::Short,
        IntType::UnsignedShort,
        IntType::Int,
        IntType::UnsignedInt,
        IntType::Long,
        IntType::UnsignedLong,
        IntType::LongLong,
        IntType::UnsignedLongLong,
    ];

    /// As it is written in C.
    pub fn name(self) -> &'static str {
        match self {
            IntType::Bool => "_Bool",
            IntType::Char => "char",
            IntType::SignedChar => "signed char",
            IntType::UnsignedChar => "unsigned char",
            IntType::Short => "short",
            IntType::UnsignedShort => "unsigned short",
            IntType::Int => "int",
            IntType::UnsignedInt => "unsigned int",
            IntType::Long => "long",
            IntType::UnsignedLong => "unsigned long",
            IntType::LongLong => "long long",
            IntType::UnsignedLongLong => "unsigned long long",
        }
    }

    /// Has it negative values?
    pub fn is_signed(self) -> bool {
        use IntType::*;
        matches!(self, Char | SignedChar | Short | Int | Long | LongLong)
    }

    fn rank(self) -> u8 {
        use IntType::*;
        match self {
            Bool => 0,
            Char | SignedChar | UnsignedChar => 1,
            Short | UnsignedShort => 2,
            Int | UnsignedInt => 3,
            Long | UnsignedLong => 4,
            LongLong | UnsignedLongLong => 5,
        }
    }

    /// The unsigned type of the same size.
    pub fn unsigned(self) -> IntType {
        use IntType::*;
        match self {
            Char | SignedChar => UnsignedChar,
            Short => UnsignedShort,
            Int => UnsignedInt,
            Long => UnsignedLong,
            LongLong => UnsignedLongLong,
            other => other,
        }
    }
}

/// The data model: the size of `long`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DataModel {
    /// 32 bits for `int`, 64 for `long`: Linux on 64-bit machines.
    #[default]
    Lp64,
    /// 32 bits for both.
    Ilp32,
}

/// The semantics of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Integers {
    /// Those of C on a machine: unsigned results wrap around, conversions keep the lower bits, and what a
    /// program does after a signed overflow is not said.
    #[default]
    Machine,
    /// The same, but signed results wrap around too, as with `gcc -fwrapv`.
    Wrap,
    /// Those of mathematics: nothing overflows.
    Mathematical,
}

/// What an operator between two numbers does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
}

impl BinaryOp {
    /// As it is written.
    pub fn text(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            Shl => "<<",
            Shr => ">>",
            BitAnd => "&",
            BitOr => "|",
            BitXor => "^",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
            Eq => "==",
            Ne => "!=",
        }
    }

    /// Is its result 0 or 1?
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Lt | Le | Gt | Ge | Eq | Ne)
    }

    /// Does C leave open what happens if its result is not in the range of a signed type? Of `<<` C does, but
    /// gcc says that bits are lost.
    pub(super) fn may_overflow(self) -> bool {
        use BinaryOp::*;
        matches!(self, Add | Sub | Mul | Div | Rem)
    }

    pub(super) fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::Shr)
    }
}

/// `2^n`.
pub(super) fn power(n: u32) -> Int {
    Int::from(1i128 << n.min(126))
}

/// If a number is `2^k - 1`: `2^k`.
pub(super) fn mask(n: &Int) -> Option<Int> {
    (0..=64).map(power).find(|p| *p == n + &Int::ONE)
}

/// Division as C does it, rounding towards 0. The divisor is not 0.
pub(super) fn truncated(a: &Int, b: &Int) -> (Int, Int) {
    let (quotient, rest) = a.div_floor(b);
    if rest.is_zero() || a.is_negative() == b.is_negative() {
        return (quotient, rest);
    }
    (&quotient + &Int::ONE, &rest - b)
}

/// What numbers are: how long the types are, and whether results wrap around.
#[derive(Clone, Copy, Debug)]
pub(super) struct Semantics {
    pub(super) model: DataModel,
    pub(super) integers: Integers,
}

impl Semantics {
    /// Has a value only this many bits?
    pub(super) fn is_bounded(self) -> bool {
        self.integers != Integers::Mathematical
    }

    /// Is it left open what follows when the result of an operator leaves its type?
    pub(super) fn is_checked(self, op: BinaryOp, ty: IntType) -> bool {
        self.integers == Integers::Machine && op.may_overflow() && ty.is_signed()
    }

    /// Is the exact result of an operator in the range of its type? Of a remainder, that of the quotient is
    /// asked for, as C says.
    pub(super) fn fits(self, op: BinaryOp, ty: IntType, a: &Int, b: &Int) -> bool {
        use BinaryOp::*;
        let exact = match op {
            Add => a + b,
            Sub => a - b,
            Mul => a * b,
            Div | Rem if b.is_zero() => return false,
            Div | Rem => truncated(a, b).0,
            _ => return true,
        };
        let (low, high) = self.range(ty);
        low <= exact && exact <= high
    }

    pub(super) fn bits(self, ty: IntType) -> u32 {
        use IntType::*;
        match ty {
            Bool => 1,
            Char | SignedChar | UnsignedChar => 8,
            Short | UnsignedShort => 16,
            Int | UnsignedInt => 32,
            Long | UnsignedLong if self.model == DataModel::Ilp32 => 32,
            Long | UnsignedLong | LongLong | UnsignedLongLong => 64,
        }
    }

    /// What `sizeof` says.
    pub(super) fn size(self, ty: IntType) -> i64 {
        i64::from(self.bits(ty).div_ceil(8))
    }

    /// The size of a pointer in bytes.
    pub(super) fn pointer_size(self) -> u64 {
        match self.model {
            DataModel::Lp64 => 8,
            DataModel::Ilp32 => 4,
        }
    }

    /// The values of a type on a machine.
    pub(super) fn range(self, ty: IntType) -> (Int, Int) {
        let bits = self.bits(ty);
        if ty.is_signed() {
            let half = power(bits - 1);
            (-&half, &half - &Int::ONE)
        } else {
            (Int::ZERO, &power(bits) - &Int::ONE)
        }
    }

    /// The bounds of an arbitrary value of a type. Of mathematical integers, the types from `int` on have
    /// no upper bound, nor the signed ones a lower one.
    pub(super) fn arbitrary(self, ty: IntType) -> (Option<Int>, Option<Int>) {
        let (low, high) = self.range(ty);
        if self.is_bounded() || ty.rank() < IntType::Int.rank() {
            return (Some(low), Some(high));
        }
        ((!ty.is_signed()).then_some(low), None)
    }

    /// Integer promotion.
    pub(super) fn promoted(self, ty: IntType) -> IntType {
        if ty.rank() < IntType::Int.rank() {
            IntType::Int
        } else {
            ty
        }
    }

    /// The type in which two operands meet.
    pub(super) fn common(self, a: IntType, b: IntType) -> IntType {
        let (a, b) = (self.promoted(a), self.promoted(b));
        if a == b {
            return a;
        }
        if a.is_signed() == b.is_signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if self.bits(signed) > self.bits(unsigned) {
            signed
        } else {
            signed.unsigned()
        }
    }

    /// A number as a value of a type.
    pub(super) fn convert(self, ty: IntType, n: &Int) -> Int {
        if ty == IntType::Bool {
            return Int::from(i32::from(!n.is_zero()));
        }
        if !self.is_bounded() {
            return n.clone();
        }
        let modulus = power(self.bits(ty));
        let rest = n.div_floor(&modulus).1;
        let (_, high) = self.range(ty);
        if rest > high { &rest - &modulus } else { rest }
    }

    /// The result of an operator on two values of one type (for shifts: of the left one's). None where C
    /// does not say.
    pub(super) fn apply(self, op: BinaryOp, ty: IntType, a: &Int, b: &Int) -> Option<Int> {
        use BinaryOp::*;
        if self.is_checked(op, ty) && !self.fits(op, ty, a, b) {
            return None;
        }
        let truth = |t: bool| Some(Int::from(i32::from(t)));
        let exact = match op {
            Add => a + b,
            Sub => a - b,
            Mul => a * b,
            Div | Rem if b.is_zero() => return None,
            Div => truncated(a, b).0,
            Rem => truncated(a, b).1,
            Shl | Shr => {
                let count = b.to_i64().and_then(|n| u32::try_from(n).ok())?;
                if count >= self.bits(ty) {
                    return None;
                }
                let factor = power(count);
                if op == Shl {
                    a * &factor
                } else {
                    a.div_floor(&factor).0
                }
            }
            BitAnd | BitOr | BitXor => bitwise(op, a, b)?,
            Lt => return truth(a < b),
            Le => return truth(a <= b),
            Gt => return truth(a > b),
            Ge => return truth(a >= b),
            Eq => return truth(a == b),
            Ne => return truth(a != b),
        };
        Some(self.convert(ty, &exact))
    }
}

fn bitwise(op: BinaryOp, a: &Int, b: &Int) -> Option<Int> {
    if op == BinaryOp::BitAnd {
        for (n, other) in [(a, b), (b, a)] {
            if let Some(modulus) = mask(n) {
                return Some(other.div_floor(&modulus).1);
            }
        }
    }
    let word = |n: &Int| n.to_string().parse::<i128>().ok();
    let (a, b) = (word(a)?, word(b)?);
    Some(Int::from(match op {
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        _ => a ^ b,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_towards_zero() {
        for a in -20i64..=20 {
            for b in (-7i64..=7).filter(|b| *b != 0) {
                let (q, r) = truncated(&Int::from(a), &Int::from(b));
                assert_eq!((q, r), (Int::from(a / b), Int::from(a % b)), "{a} / {b}");
            }
        }
    }

    #[test]
    fn conversions_are_those_of_the_machine() {
        let it = Semantics {
            model: DataModel::Lp64,
            integers: Integers::Machine,
        };
        for n in -1000i64..=1000 {
            let of = |ty| it.convert(ty, &Int::from(n));
            assert_eq!(of(IntType::Char), Int::from(i64::from(n as i8)));
            assert_eq!(of(IntType::UnsignedChar), Int::from(i64::from(n as u8)));
            assert_eq!(of(IntType::UnsignedInt), Int::from(i64::from(n as u32)));
            assert_eq!(of(IntType::UnsignedLong), Int::from(n as u64));
        }
    }
}
