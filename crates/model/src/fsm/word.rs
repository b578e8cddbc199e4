//! Words: bits of any width, read as numbers with or without a sign.

use suppose_number::Int;

/// A word: `width` bits, read as a number of two's complement if `signed`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Word {
    /// Two's complement?
    pub signed: bool,
    /// From 1 to [`Word::WIDEST`].
    pub width: u32,
    limbs: Limbs,
}

/// The bits, those above the width zero. The width says which of the two it is, so that equal words look the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Limbs {
    /// Up to 64 bits.
    One(u64),
    /// As many as are needed, the highest first: so the order is that of unsigned numbers.
    Many(Box<[u64]>),
}

const LIMB: u32 = u64::BITS;

/// All bits of a width of up to 64.
fn mask(width: u32) -> u64 {
    match width {
        0 => 0,
        1..LIMB => (1 << width) - 1,
        _ => u64::MAX,
    }
}

impl Word {
    /// Words of more bits are refused. NuSMV has at most 64, nuXmv many.
    pub const WIDEST: u32 = 65_536;

    /// The word with these lowest bits, cut to the width; higher bits are zero.
    pub fn new(signed: bool, width: u32, bits: u64) -> Word {
        Word::of_limbs(signed, width, |at| if at == 0 { bits } else { 0 })
    }

    /// The word for a number, cut to the width.
    pub fn of_number(signed: bool, width: u32, number: i128) -> Word {
        // Two's complement: the low bits are the same for both readings.
        Word::of_limbs(signed, width, |at| (number >> (at * LIMB).min(127)) as u64)
    }

    /// The word for a number of any size, cut to the width.
    pub fn of_int(signed: bool, width: u32, number: &Int) -> Word {
        if let Some(small) = number.to_i64() {
            return Word::of_number(signed, width, small.into());
        }
        // Half limbs: what is left over fits into 64 bits with a sign.
        let half = Int::from(1i64 << 32);
        let (mut rest, mut halves) = (number.clone(), Vec::new());
        for _ in 0..width.div_ceil(32).next_multiple_of(2) {
            let (more, low) = rest.div_floor(&half);
            halves.push(low.to_i64().unwrap_or(0) as u64);
            rest = more;
        }
        Word::of_limbs(signed, width, |at| {
            let at = at as usize * 2;
            halves[at] | halves[at + 1] << 32
        })
    }

    /// The word with these bits, counted from the lowest.
    pub fn of_bits(signed: bool, width: u32, bit: impl Fn(u32) -> bool) -> Word {
        Word::of_limbs(signed, width, |at| {
            let places = (at * LIMB..width.min((at + 1) * LIMB)).enumerate();
            places.fold(0, |sum, (i, place)| sum | u64::from(bit(place)) << i)
        })
    }

    /// From 64 bits each, counted from the lowest.
    fn of_limbs(signed: bool, width: u32, limb: impl Fn(u32) -> u64) -> Word {
        let limbs = match width {
            ..=LIMB => Limbs::One(limb(0) & mask(width)),
            _ => {
                let last = (width - 1) / LIMB;
                let cut = |at| match at == last {
                    true => limb(at) & mask(width - last * LIMB),
                    false => limb(at),
                };
                Limbs::Many((0..=last).rev().map(cut).collect())
            }
        };
        Word {
            signed,
            width,
            limbs,
        }
    }

    /// 64 bits, the lowest being number 0.
    fn limb(&self, at: u32) -> u64 {
        match &self.limbs {
            Limbs::One(bits) if at == 0 => *bits,
            Limbs::One(_) => 0,
            Limbs::Many(limbs) => {
                let from_end = limbs.len().checked_sub(at as usize + 1);
                from_end.map_or(0, |at| limbs[at])
            }
        }
    }

    /// A bit, the lowest being number 0; those above the width are zero.
    pub fn bit(&self, at: u32) -> bool {
        self.limb(at / LIMB) >> (at % LIMB) & 1 == 1
    }

    /// Is no bit set?
    pub fn is_zero(&self) -> bool {
        match &self.limbs {
            Limbs::One(bits) => *bits == 0,
            Limbs::Many(limbs) => limbs.iter().all(|limb| *limb == 0),
        }
    }

    /// Is the number below zero?
    pub fn is_negative(&self) -> bool {
        self.signed && self.width > 0 && self.bit(self.width - 1)
    }

    /// The same bits as another kind of number.
    pub fn with_sign(&self, signed: bool) -> Word {
        Word {
            signed,
            ..self.clone()
        }
    }

    /// The number, if there are at most 64 bits.
    pub(super) fn small(&self) -> Option<i128> {
        let Limbs::One(bits) = self.limbs else {
            return None;
        };
        let bits = i128::from(bits);
        Some(match self.is_negative() {
            true => bits - (1i128 << self.width),
            false => bits,
        })
    }

    /// The number it represents.
    pub fn number(&self) -> Int {
        if let Some(small) = self.small() {
            return Int::from(small);
        }
        let half = Int::from(1i64 << 32);
        let (mut number, mut weight) = (Int::default(), Int::from(1));
        for at in 0..self.width.div_ceil(32) {
            let bits = self.limb(at / 2) >> (at % 2 * 32) & mask(32);
            number = &number + &(&Int::from(bits) * &weight);
            weight = &weight * &half;
        }
        if self.is_negative() {
            // The highest half limb need not be full.
            let all = (0..self.width).fold(Int::from(1), |sum, _| &sum + &sum);
            number = &number - &all;
        }
        number
    }

    /// The word of two, bit by bit.
    pub(super) fn zip(&self, other: &Word, op: impl Fn(u64, u64) -> u64) -> Word {
        let limb = |at| op(self.limb(at), other.limb(at));
        Word::of_limbs(self.signed, self.width, limb)
    }

    /// Shifted to the left; zeros come in.
    pub(super) fn left(&self, places: u32) -> Word {
        Word::of_bits(self.signed, self.width, |at| {
            at.checked_sub(places).is_some_and(|from| self.bit(from))
        })
    }

    /// Shifted to the right; the sign comes in, or zeros.
    pub(super) fn right(&self, places: u32) -> Word {
        Word::of_bits(self.signed, self.width, |at| {
            self.extended(at.saturating_add(places))
        })
    }

    /// A bit, those above the width being that of the sign.
    fn extended(&self, at: u32) -> bool {
        match at < self.width {
            true => self.bit(at),
            false => self.is_negative(),
        }
    }

    /// This above the other, without a sign.
    pub(super) fn above(&self, low: &Word) -> Word {
        Word::of_bits(false, self.width + low.width, |at| {
            match at.checked_sub(low.width) {
                Some(above) => self.bit(above),
                None => low.bit(at),
            }
        })
    }

    /// Some of its bits, without a sign.
    pub(super) fn slice(&self, high: u32, low: u32) -> Word {
        Word::of_bits(false, high - low + 1, |at| self.bit(low + at))
    }

    /// Longer by zeros or the sign; shorter by cutting, but a signed word keeps its sign bit.
    pub(super) fn resized(&self, width: u32) -> Word {
        let keeps_sign = self.signed && width < self.width;
        Word::of_bits(self.signed, width, |at| {
            match keeps_sign && at + 1 == width {
                true => self.is_negative(),
                false => self.extended(at),
            }
        })
    }

    /// The order of two of the same kind as numbers.
    pub(super) fn order(&self, other: &Word) -> std::cmp::Ordering {
        let signs = other.is_negative().cmp(&self.is_negative());
        signs.then_with(|| self.limbs.cmp(&other.limbs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> Int {
        text.parse().unwrap_or_default()
    }

    #[test]
    fn numbers_go_to_words_and_back() {
        let all = [
            "0",
            "1",
            "-1",
            "18446744073709551615",
            "18446744073709551616",
            "-18446744073709551617",
            "340282366920938463463374607431768211455",
            "-170141183460469231731687303715884105728",
            "12345678901234567890123456789012345678901234567890",
            "-98765432109876543210987654321",
        ];
        for text in all {
            let number = int(text);
            for width in [170, 192, 193, 256, 300] {
                let word = Word::of_int(true, width, &number);
                assert_eq!(word.number(), number, "{text} in {width} bits");
                let again = Word::of_bits(true, width, |at| word.bit(at));
                assert_eq!(again, word);
            }
        }
    }

    #[test]
    fn words_are_cut_as_two_complement_is() {
        let all = |width: u32| (0..width).fold(int("1"), |sum, _| &sum + &sum);
        for width in [1, 63, 64, 65, 127, 128, 129, 200] {
            let minus = Word::of_int(false, width, &int("-1"));
            assert_eq!(minus.number(), &all(width) - &int("1"), "{width}");
            assert_eq!(Word::of_int(false, width, &all(width)).number(), int("0"));
            assert_eq!(minus.with_sign(true).number(), int("-1"));
            assert_eq!(Word::of_number(false, width, -1), minus);
            assert!(minus.order(&Word::new(false, width, 0)).is_gt());
            let signed = minus.with_sign(true);
            assert!(signed.order(&Word::new(true, width, 0)).is_lt());
        }
    }
}
