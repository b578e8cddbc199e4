//! Arithmetic of the reference semantics: in wide integers and by remainders, not by the operators that engines and the front-end
//! use ([`Binary::apply`], [`Type::truncate`]).

use crate::program::{Binary, Type, Unary, Violation};

/// The 32-bit number, with a sign, that has the same remainder.
fn wrapped(value: i64) -> i32 {
    let rest = value.rem_euclid(1 << 32);
    let signed = if rest >= 1 << 31 {
        rest - (1 << 32)
    } else {
        rest
    };
    i32::try_from(signed).unwrap_or_default()
}

/// One operand.
pub(super) fn one(op: Unary, a: i32) -> i32 {
    let a = i64::from(a);
    match op {
        Unary::Neg => wrapped(-a),
        Unary::Not => i32::from(a == 0),
        Unary::Complement => wrapped(-a - 1),
    }
}

/// Two operands.
pub(super) fn two(op: Binary, a: i32, b: i32) -> Result<i32, Violation> {
    let (a, b) = (i64::from(a), i64::from(b));
    let truth = |it: bool| i64::from(it);
    // A shift is one by the last five bits of the count.
    let factor = 1i64 << b.rem_euclid(32);
    let bits = |f: fn(bool, bool) -> bool| {
        let bit = |n: i64, at: u32| n.rem_euclid(1 << 32) >> at & 1 == 1;
        let all = (0..32).filter(|at| f(bit(a, *at), bit(b, *at)));
        all.map(|at| 1i64 << at).sum()
    };
    Ok(wrapped(match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div | Binary::Rem if b == 0 => return Err(Violation::Division),
        Binary::Div => a / b,
        Binary::Rem => a % b,
        Binary::BitAnd => bits(|x, y| x && y),
        Binary::BitOr => bits(|x, y| x || y),
        Binary::BitXor => bits(|x, y| x != y),
        Binary::Shl => a * factor,
        Binary::Shr => a.div_euclid(factor),
        Binary::Lt => truth(a < b),
        Binary::Le => truth(a <= b),
        Binary::Gt => truth(a > b),
        Binary::Ge => truth(a >= b),
        Binary::Eq => truth(a == b),
        Binary::Ne => truth(a != b),
        Binary::And => truth(a != 0 && b != 0),
        Binary::Or => truth(a != 0 || b != 0),
    }))
}

/// What a variable of that type keeps of a value.
pub(super) fn cut(ty: Type, value: i32) -> i32 {
    let (bits, signed) = match ty {
        Type::Bit | Type::Bool => (1, false),
        Type::Byte | Type::Pid | Type::Mtype(_) | Type::Chan => (8, false),
        Type::Short => (16, true),
        Type::Int => (32, true),
        // All 32 bits are read as a number with a sign.
        Type::Unsigned(bits) => (u32::from(bits).min(32), bits >= 32),
    };
    let range = 1i64 << bits;
    let rest = i64::from(value).rem_euclid(range);
    let rest = if signed && rest >= range / 2 {
        rest - range
    } else {
        rest
    };
    wrapped(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BINARY: [Binary; 18] = [
        Binary::Add,
        Binary::Sub,
        Binary::Mul,
        Binary::Div,
        Binary::Rem,
        Binary::BitAnd,
        Binary::BitOr,
        Binary::BitXor,
        Binary::Shl,
        Binary::Shr,
        Binary::Lt,
        Binary::Le,
        Binary::Gt,
        Binary::Ge,
        Binary::Eq,
        Binary::Ne,
        Binary::And,
        Binary::Or,
    ];

    fn numbers() -> Vec<i32> {
        let mut all = vec![
            i32::MIN,
            i32::MIN + 1,
            i32::MAX,
            i32::MAX - 1,
            65_535,
            65_536,
        ];
        all.extend(-40..=40);
        all.extend([127, 128, 255, 256, -129, 32_767, 32_768, -32_769, 1 << 30]);
        all
    }

    #[test]
    fn both_ways_to_compute_agree() {
        for a in numbers() {
            for op in [Unary::Neg, Unary::Not, Unary::Complement] {
                assert_eq!(one(op, a), op.apply(a), "{op:?} {a}");
            }
            for b in numbers() {
                for op in BINARY {
                    assert_eq!(two(op, a, b).ok(), op.apply(a, b), "{a} {op:?} {b}");
                }
            }
        }
    }

    #[test]
    fn both_ways_to_cut_agree() {
        let mut types = vec![
            Type::Bit,
            Type::Bool,
            Type::Byte,
            Type::Pid,
            Type::Short,
            Type::Int,
        ];
        types.extend([Type::Mtype(0), Type::Chan]);
        types.extend((1..=32).map(Type::Unsigned));
        for value in numbers() {
            for ty in &types {
                assert_eq!(cut(*ty, value), ty.truncate(value), "{ty:?} {value}");
            }
        }
    }
}
