//! Numbers as vectors of wires, in two's complement: bits from the lowest, the last is the sign. An empty vector is 0.

use crate::circuit::{Circuit, Lit};

/// A bit of a number; beyond the end, the sign.
pub(crate) fn bit(number: &[Lit], at: usize) -> Lit {
    match number.len() {
        0 => Lit::FALSE,
        len => number[at.min(len - 1)],
    }
}

pub(crate) fn sign(number: &[Lit]) -> Lit {
    number.last().copied().unwrap_or(Lit::FALSE)
}

/// The lowest bits, this many.
pub(crate) fn cut(number: &[Lit], width: usize) -> Vec<Lit> {
    (0..width).map(|at| bit(number, at)).collect()
}

/// How many bits a number needs, its sign among them.
pub(crate) fn width_of(number: i128) -> usize {
    let magnitude = if number < 0 { !number } else { number };
    (129 - magnitude.leading_zeros()) as usize
}

pub(crate) fn constant(number: i128) -> Vec<Lit> {
    let bit = |at: usize| Lit::constant(number >> at.min(127) & 1 == 1);
    (0..width_of(number)).map(bit).collect()
}

/// A word read as a number.
pub(crate) fn of_word(bits: &[Lit], signed: bool) -> Vec<Lit> {
    let mut number = bits.to_vec();
    if !signed {
        number.push(Lit::FALSE);
    }
    number
}

/// Without sign bits that say nothing.
fn short(mut number: Vec<Lit>) -> Vec<Lit> {
    while let [.., before, last] = number[..]
        && before == last
    {
        number.pop();
    }
    number
}

fn sum(c: &mut Circuit, a: &[Lit], b: &[Lit], minus: bool, width: usize) -> Vec<Lit> {
    let mut carry = Lit::constant(minus);
    let mut bits = Vec::with_capacity(width);
    for at in 0..width {
        let (x, y) = (bit(a, at), bit(b, at).when(!minus));
        let half = c.xor(x, y);
        bits.push(c.xor(half, carry));
        carry = c.ite(half, carry, x);
    }
    bits
}

pub(crate) fn add(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let width = a.len().max(b.len()) + 1;
    short(sum(c, a, b, false, width))
}

pub(crate) fn subtract(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let width = a.len().max(b.len()) + 1;
    short(sum(c, a, b, true, width))
}

pub(crate) fn negate(c: &mut Circuit, a: &[Lit]) -> Vec<Lit> {
    subtract(c, &[], a)
}

/// The lowest bits of the product, this many: they depend on no higher ones.
pub(crate) fn product(c: &mut Circuit, a: &[Lit], b: &[Lit], width: usize) -> Vec<Lit> {
    let mut total = vec![Lit::FALSE; width];
    for at in 0..width {
        let by = bit(b, at);
        if by == Lit::FALSE {
            continue;
        }
        let mut part = vec![Lit::FALSE; at];
        for from in 0..width - at {
            part.push(c.and(bit(a, from), by));
        }
        total = sum(c, &total, &part, false, width);
    }
    total
}

pub(crate) fn multiply(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    // The sign bit of the last factor counts negatively; sums of lower bits alone leave it out.
    let mut total = Vec::new();
    for (at, by) in b.iter().enumerate() {
        let mut part = vec![Lit::FALSE; at];
        for from in a {
            part.push(c.and(*from, *by));
        }
        total = match at + 1 == b.len() {
            true => subtract(c, &total, &part),
            false => add(c, &total, &part),
        };
    }
    total
}

pub(crate) fn ite(c: &mut Circuit, test: Lit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let width = a.len().max(b.len());
    short(
        (0..width)
            .map(|at| c.ite(test, bit(a, at), bit(b, at)))
            .collect(),
    )
}

pub(crate) fn equal(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    let width = a.len().max(b.len());
    let mut same = Lit::TRUE;
    for at in 0..width {
        let here = c.iff(bit(a, at), bit(b, at));
        same = c.and(same, here);
    }
    same
}

pub(crate) fn less(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    let width = a.len().max(b.len()) + 1;
    sign(&sum(c, a, b, true, width))
}

pub(crate) fn nonzero(c: &mut Circuit, a: &[Lit]) -> Lit {
    c.any(a.iter().copied())
}

pub(crate) fn abs(c: &mut Circuit, a: &[Lit]) -> Vec<Lit> {
    let negated = negate(c, a);
    ite(c, sign(a), &negated, a)
}

/// Quotient and remainder, towards zero; anything where the divisor is 0.
pub(crate) fn divide(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
    let (x, y) = (abs(c, a), abs(c, b));
    let mut rest: Vec<Lit> = Vec::new();
    let mut quotient = vec![Lit::FALSE; x.len() + 1];
    for at in (0..x.len()).rev() {
        let mut longer = vec![x[at]];
        match rest.is_empty() {
            true => longer.push(Lit::FALSE),
            false => longer.extend_from_slice(&rest),
        }
        let smaller = subtract(c, &longer, &y);
        let fits = !sign(&smaller);
        // What is left is below the divisor, and no greater than the bits that were taken so far.
        let kept = ite(c, fits, &smaller, &longer);
        let width = y.len().min(x.len() - at + 1);
        rest = short(cut(&kept, width));
        quotient[at] = fits;
    }
    let differ = c.xor(sign(a), sign(b));
    let (minus, less) = (negate(c, &quotient), negate(c, &rest));
    (
        ite(c, differ, &minus, &quotient),
        ite(c, sign(a), &less, &rest),
    )
}

/// The word moved by this many places, which are not more than its width; the other bits are `fill`.
pub(crate) fn shift(c: &mut Circuit, word: &[Lit], by: &[Lit], left: bool, fill: Lit) -> Vec<Lit> {
    let mut now = word.to_vec();
    for (at, test) in by.iter().enumerate() {
        let places = 1usize.checked_shl(at as u32).unwrap_or(usize::MAX);
        if places > word.len() {
            break;
        }
        let moved: Vec<Lit> = (0..now.len())
            .map(|to| match left {
                true => to.checked_sub(places).and_then(|from| now.get(from)),
                false => now.get(to + places),
            })
            .map(|from| from.copied().unwrap_or(fill))
            .collect();
        now = (0..now.len())
            .map(|to| c.ite(*test, moved[to], now[to]))
            .collect();
    }
    now
}
