//! Bit vectors as formulas, one for each bit, the lowest first.

use suppose_model::chc::{TermId, Terms};

/// The bits of a number, the lowest first.
pub(super) fn of_bits(terms: &Terms, bits: impl IntoIterator<Item = bool>) -> Vec<TermId> {
    bits.into_iter().map(|b| terms.constant(b)).collect()
}

pub(super) fn not(terms: &mut Terms, a: &[TermId]) -> Vec<TermId> {
    a.iter().map(|&bit| terms.not(bit)).collect()
}

pub(super) fn zip(
    terms: &mut Terms,
    a: &[TermId],
    b: &[TermId],
    mut each: impl FnMut(&mut Terms, TermId, TermId) -> TermId,
) -> Vec<TermId> {
    a.iter().zip(b).map(|(&x, &y)| each(terms, x, y)).collect()
}

pub(super) fn and(terms: &mut Terms, a: &[TermId], b: &[TermId]) -> Vec<TermId> {
    zip(terms, a, b, |terms, x, y| terms.and([x, y]))
}

pub(super) fn or(terms: &mut Terms, a: &[TermId], b: &[TermId]) -> Vec<TermId> {
    zip(terms, a, b, |terms, x, y| terms.or([x, y]))
}

pub(super) fn xor(terms: &mut Terms, a: &[TermId], b: &[TermId]) -> Vec<TermId> {
    zip(terms, a, b, differ)
}

fn differ(terms: &mut Terms, x: TermId, y: TermId) -> TermId {
    let same = terms.iff(x, y);
    terms.not(same)
}

pub(super) fn choose(terms: &mut Terms, c: TermId, a: &[TermId], b: &[TermId]) -> Vec<TermId> {
    zip(terms, a, b, |terms, x, y| terms.ite(c, x, y))
}

/// The sum with a carry in, and the carry out.
fn add_carry(
    terms: &mut Terms,
    a: &[TermId],
    b: &[TermId],
    carry: TermId,
) -> (Vec<TermId>, TermId) {
    let mut carry = carry;
    let sum = zip(terms, a, b, |terms, x, y| {
        let half = differ(terms, x, y);
        let bit = differ(terms, half, carry);
        let made = terms.and([x, y]);
        let passed = terms.and([half, carry]);
        carry = terms.or([made, passed]);
        bit
    });
    (sum, carry)
}

pub(super) fn add(terms: &mut Terms, a: &[TermId], b: &[TermId]) -> Vec<TermId> {
    add_carry(terms, a, b, Terms::FALSE).0
}

pub(super) fn sub(terms: &mut Terms, a: &[TermId], b: &[TermId]) -> Vec<TermId> {
    let b = not(terms, b);
    add_carry(terms, a, &b, Terms::TRUE).0
}

pub(super) fn neg(terms: &mut Terms, a: &[TermId]) -> Vec<TermId> {
    let zero = vec![Terms::FALSE; a.len()];
    sub(terms, &zero, a)
}

pub(super) fn mul(terms: &mut Terms, a: &[TermId], b: &[TermId]) -> Vec<TermId> {
    let mut sum = vec![Terms::FALSE; a.len()];
    for (shift, &bit) in b.iter().enumerate() {
        if bit == Terms::FALSE {
            continue;
        }
        let row: Vec<TermId> = a[..a.len() - shift]
            .iter()
            .map(|&x| terms.and([x, bit]))
            .collect();
        let high = add(terms, &sum[shift..], &row);
        sum.truncate(shift);
        sum.extend(high);
    }
    sum
}

/// Equal bit by bit.
pub(super) fn equal(terms: &mut Terms, a: &[TermId], b: &[TermId]) -> TermId {
    let bits = zip(terms, a, b, Terms::iff);
    terms.and(bits)
}

/// Unsigned: less, or at most.
pub(super) fn below(terms: &mut Terms, a: &[TermId], b: &[TermId], or_equal: bool) -> TermId {
    // From the lowest bit up: where the two differ, `b` decides, else what was below it.
    let mut so_far = terms.constant(or_equal);
    for (&x, &y) in a.iter().zip(b) {
        let not_x = terms.not(x);
        let less = terms.and([not_x, y]);
        let not_greater = terms.or([not_x, y]);
        let kept = terms.and([not_greater, so_far]);
        so_far = terms.or([less, kept]);
    }
    so_far
}

/// Signed: as unsigned with the highest bits turned.
pub(super) fn below_signed(
    terms: &mut Terms,
    a: &[TermId],
    b: &[TermId],
    or_equal: bool,
) -> TermId {
    let turn = |terms: &mut Terms, bits: &[TermId]| {
        let mut bits = bits.to_vec();
        if let Some(top) = bits.last_mut() {
            *top = terms.not(*top);
        }
        bits
    };
    let a = turn(terms, a);
    let b = turn(terms, b);
    below(terms, &a, &b, or_equal)
}

/// Unsigned quotient and remainder. By zero: all ones, and the dividend, as SMT-LIB has it.
pub(super) fn divide(terms: &mut Terms, a: &[TermId], b: &[TermId]) -> (Vec<TermId>, Vec<TermId>) {
    let width = a.len();
    // One bit more, since the remainder is shifted before it is compared.
    let wide_b: Vec<TermId> = b.iter().copied().chain([Terms::FALSE]).collect();
    let mut rest = vec![Terms::FALSE; width + 1];
    let mut quotient = vec![Terms::FALSE; width];
    for place in (0..width).rev() {
        rest.pop();
        rest.insert(0, a[place]);
        let fits = below(terms, &wide_b, &rest, true);
        let less = sub(terms, &rest, &wide_b);
        rest = choose(terms, fits, &less, &rest);
        quotient[place] = fits;
    }
    // With a divisor of 0 every step "fits" and takes nothing away.
    rest.truncate(width);
    (quotient, rest)
}

fn magnitude(terms: &mut Terms, a: &[TermId]) -> (Vec<TermId>, TermId) {
    let sign = a.last().copied().unwrap_or(Terms::FALSE);
    let turned = neg(terms, a);
    (choose(terms, sign, &turned, a), sign)
}

/// Rounded towards zero.
pub(super) fn divide_signed(terms: &mut Terms, a: &[TermId], b: &[TermId]) -> Vec<TermId> {
    let (abs_a, sign_a) = magnitude(terms, a);
    let (abs_b, sign_b) = magnitude(terms, b);
    let (quotient, _) = divide(terms, &abs_a, &abs_b);
    let turned = neg(terms, &quotient);
    let differ = differ(terms, sign_a, sign_b);
    choose(terms, differ, &turned, &quotient)
}

/// With the sign of the dividend.
pub(super) fn remainder_signed(terms: &mut Terms, a: &[TermId], b: &[TermId]) -> Vec<TermId> {
    let (abs_a, sign_a) = magnitude(terms, a);
    let (abs_b, _) = magnitude(terms, b);
    let (_, rest) = divide(terms, &abs_a, &abs_b);
    let turned = neg(terms, &rest);
    choose(terms, sign_a, &turned, &rest)
}

/// With the sign of the divisor.
pub(super) fn modulo_signed(terms: &mut Terms, a: &[TermId], b: &[TermId]) -> Vec<TermId> {
    let rest = remainder_signed(terms, a, b);
    let sign_a = a.last().copied().unwrap_or(Terms::FALSE);
    let sign_b = b.last().copied().unwrap_or(Terms::FALSE);
    let nonzero = terms.or(rest.iter().copied());
    let differ = differ(terms, sign_a, sign_b);
    let correct = terms.and([nonzero, differ]);
    let corrected = add(terms, &rest, b);
    choose(terms, correct, &corrected, &rest)
}

/// Which way bits move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shift {
    Left,
    Right,
    /// Right, repeating the sign.
    Arithmetic,
}

pub(super) fn shift(terms: &mut Terms, a: &[TermId], by: &[TermId], way: Shift) -> Vec<TermId> {
    let width = a.len();
    let fill = match way {
        Shift::Arithmetic => a.last().copied().unwrap_or(Terms::FALSE),
        _ => Terms::FALSE,
    };
    let mut bits = a.to_vec();
    for (stage, &on) in by.iter().enumerate() {
        let distance = 1usize
            .checked_shl(stage as u32)
            .unwrap_or(usize::MAX)
            .min(width);
        let moved: Vec<TermId> = (0..width)
            .map(|i| match way {
                Shift::Left => i.checked_sub(distance).map(|j| bits[j]),
                _ => i.checked_add(distance).and_then(|j| bits.get(j).copied()),
            })
            .map(|bit| bit.unwrap_or(fill))
            .collect();
        bits = choose(terms, on, &moved, &bits);
    }
    bits
}
