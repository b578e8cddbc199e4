//! Intervals of numbers, and what operators make of them.

use suppose_number::Int;

use crate::c::types::{BinaryOp, IntType, Semantics, mask, power, truncated};

/// From the first number to the second, both included; the first is not above the second.
pub(in crate::c) type Interval = (Int, Int);

pub(super) fn point(n: &Int) -> Interval {
    (n.clone(), n.clone())
}

pub(super) fn truths() -> Interval {
    (Int::ZERO, Int::ONE)
}

pub(super) fn truth(t: bool) -> Interval {
    point(&Int::from(i32::from(t)))
}

/// The least interval around both.
pub(super) fn hull(a: &Interval, b: &Interval) -> Interval {
    (a.0.clone().min(b.0.clone()), a.1.clone().max(b.1.clone()))
}

/// What both have; none if that is nothing.
pub(super) fn meet(a: &Interval, b: &Interval) -> Option<Interval> {
    let both = (a.0.clone().max(b.0.clone()), a.1.clone().min(b.1.clone()));
    (both.0 <= both.1).then_some(both)
}

pub(super) fn is_inside(a: &Interval, b: &Interval) -> bool {
    b.0 <= a.0 && a.1 <= b.1
}

/// Is an interval's number 0, not 0, or could it be either?
pub(super) fn decided(a: &Interval) -> Option<bool> {
    if a.0.is_zero() && a.1.is_zero() {
        return Some(false);
    }
    (a.0.is_positive() || a.1.is_negative()).then_some(true)
}

fn constant(a: &Interval) -> Option<&Int> {
    (a.0 == a.1).then_some(&a.0)
}

/// The numbers of an interval as values of a type.
pub(super) fn converted(semantics: Semantics, ty: IntType, a: &Interval) -> Interval {
    let range = semantics.range(ty);
    if ty == IntType::Bool {
        return decided(a).map_or_else(truths, truth);
    }
    if is_inside(a, &range) {
        return a.clone();
    }
    // All of them may be in the same turn of the wheel.
    let modulus = power(semantics.bits(ty));
    let turn = |n: &Int| (n - &range.0).div_floor(&modulus).0;
    let (first, last) = (turn(&a.0), turn(&a.1));
    if first == last {
        let back = &first * &modulus;
        return (&a.0 - &back, &a.1 - &back);
    }
    range
}

/// Around the four results at the ends.
fn corners(a: &Interval, b: &Interval, of: impl Fn(&Int, &Int) -> Int) -> Interval {
    let all = [
        of(&a.0, &b.0),
        of(&a.0, &b.1),
        of(&a.1, &b.0),
        of(&a.1, &b.1),
    ];
    let mut found = point(&all[0]);
    for n in &all[1..] {
        found = hull(&found, &point(n));
    }
    found
}

/// The exact results of an operator between numbers of a type, before they are brought into its range. None where
/// nothing better than the range of the type is known, or C leaves the result open.
pub(super) fn exact(
    semantics: Semantics,
    op: BinaryOp,
    ty: IntType,
    a: &Interval,
    b: &Interval,
) -> Option<Interval> {
    use BinaryOp::*;
    let count = || {
        let count = constant(b)?.to_i64().and_then(|n| u32::try_from(n).ok())?;
        (count < semantics.bits(ty)).then(|| power(count))
    };
    Some(match op {
        Add => (&a.0 + &b.0, &a.1 + &b.1),
        Sub => (&a.0 - &b.1, &a.1 - &b.0),
        Mul => corners(a, b, |x, y| x * y),
        Div => {
            let divisor = constant(b).filter(|n| !n.is_zero())?;
            let of = |n: &Int| truncated(n, divisor).0;
            hull(&point(&of(&a.0)), &point(&of(&a.1)))
        }
        Rem => {
            let divisor = constant(b).filter(|n| !n.is_zero())?.abs();
            let most = &divisor - &Int::ONE;
            let whole = (-&most, most.clone());
            if is_inside(a, &whole) {
                return Some(a.clone());
            }
            // The sign is that of the dividend.
            let low = if a.0.is_negative() {
                whole.0
            } else {
                Int::ZERO
            };
            let high = if a.1.is_positive() { most } else { Int::ZERO };
            (low, high)
        }
        Shl => {
            let factor = count()?;
            (&a.0 * &factor, &a.1 * &factor)
        }
        Shr => {
            let factor = count()?;
            (a.0.div_floor(&factor).0, a.1.div_floor(&factor).0)
        }
        BitAnd => {
            // What is not negative keeps some of its bits.
            let tops = [a, b].into_iter().filter(|i| !i.0.is_negative());
            let most = tops.map(|i| i.1.clone()).min()?;
            for (bits, other) in [(a, b), (b, a)] {
                let is_mask = constant(bits).is_some_and(|n| mask(n).is_some());
                if is_mask && is_inside(other, &(Int::ZERO, bits.1.clone())) {
                    return Some(other.clone());
                }
            }
            (Int::ZERO, most)
        }
        BitOr | BitXor => {
            if a.0.is_negative() || b.0.is_negative() {
                return None;
            }
            let most = a.1.clone().max(b.1.clone());
            let above = (0..=64).map(power).find(|p| *p > most)?;
            (Int::ZERO, &above - &Int::ONE)
        }
        Lt => compare(a.1 < b.0, a.0 >= b.1),
        Le => compare(a.1 <= b.0, a.0 > b.1),
        Gt => compare(a.0 > b.1, a.1 <= b.0),
        Ge => compare(a.0 >= b.1, a.1 < b.0),
        Eq => compare(constant(a).is_some() && a == b, meet(a, b).is_none()),
        Ne => compare(meet(a, b).is_none(), constant(a).is_some() && a == b),
    })
}

fn compare(always: bool, never: bool) -> Interval {
    match (always, never) {
        (true, _) => truth(true),
        (_, true) => truth(false),
        _ => truths(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::types::{DataModel, Integers};
    use suppose_testkit::{Rng, for_each_seed};

    const OPS: &[BinaryOp] = &[
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::Eq,
        BinaryOp::Ne,
    ];

    fn some(rng: &mut Rng, width: usize) -> (i64, i64) {
        let low = rng.below(2 * width) as i64 - width as i64;
        (low, low + rng.below(5) as i64)
    }

    /// Plain arithmetic, written again.
    fn plain(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
        use BinaryOp::*;
        Some(match op {
            Add => a + b,
            Sub => a - b,
            Mul => a * b,
            Div => a.checked_div(b)?,
            Rem => a.checked_rem(b)?,
            Shl if (0..32).contains(&b) => a << b,
            Shr if (0..32).contains(&b) => a >> b,
            Shl | Shr => return None,
            BitAnd => a & b,
            BitOr => a | b,
            BitXor => a ^ b,
            Lt => i64::from(a < b),
            Le => i64::from(a <= b),
            Gt => i64::from(a > b),
            Ge => i64::from(a >= b),
            Eq => i64::from(a == b),
            Ne => i64::from(a != b),
        })
    }

    #[test]
    fn every_result_is_in_its_interval() {
        let semantics = Semantics {
            model: DataModel::Lp64,
            integers: Integers::Machine,
        };
        let of = |(low, high): (i64, i64)| (Int::from(low), Int::from(high));
        for_each_seed(2_000, |rng| {
            let (a, b) = (some(rng, 20), some(rng, 12));
            for &op in OPS {
                let Some(found) = exact(semantics, op, IntType::Int, &of(a), &of(b)) else {
                    continue;
                };
                for x in a.0..=a.1 {
                    for y in b.0..=b.1 {
                        let Some(n) = plain(op, x, y).map(Int::from) else {
                            continue;
                        };
                        assert!(
                            found.0 <= n && n <= found.1,
                            "{x} {} {y} is {n}, not in {found:?}",
                            op.text()
                        );
                    }
                }
            }
            let wide = some(rng, 1000);
            for ty in [
                IntType::Bool,
                IntType::Char,
                IntType::UnsignedChar,
                IntType::Int,
                IntType::UnsignedInt,
            ] {
                let found = converted(semantics, ty, &of(wide));
                for n in wide.0..=wide.1 {
                    let n = semantics.convert(ty, &Int::from(n));
                    assert!(found.0 <= n && n <= found.1, "{n} {found:?}");
                }
            }
        });
    }
}
