//! Bit fields in the words of a state.

/// Where a number is in a row of words. It never crosses the border of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    word: u16,
    /// How far to shift up so that the number's highest bit is the word's.
    up: u8,
    /// How far to shift down then; the highest bit of this says that the number has a sign.
    down: u8,
}

const SIGNED: u8 = 0x80;

/// The most words a state may have, so that every field can be addressed.
pub(crate) const MOST_WORDS: u32 = u16::MAX as u32;

impl Field {
    /// From the number of its first bit. `bits` is 1 to 32, and the field must lie in one word.
    pub(crate) fn new(bit: u32, bits: u32, signed: bool) -> Field {
        let shift = (bit % 64) as u8;
        let down = 64 - bits as u8;
        Field {
            word: (bit / 64) as u16,
            up: down - shift,
            down: down | if signed { SIGNED } else { 0 },
        }
    }

    /// The number.
    #[inline(always)]
    pub(crate) fn get(self, words: &[u64]) -> i32 {
        let high = words[self.word as usize] << (self.up & 63);
        if self.down & SIGNED == 0 {
            (high >> (self.down & 63)) as i32
        } else {
            (high as i64 >> (self.down & 63)) as i32
        }
    }

    /// The number, in words without the first ones.
    #[inline(always)]
    pub(crate) fn get_behind(self, words: &[u64], without: usize) -> i32 {
        let word = self.word - without as u16;
        Field { word, ..self }.get(words)
    }

    /// Stores what fits.
    #[inline(always)]
    pub(crate) fn set(self, words: &mut [u64], value: i32) {
        let mask = u64::MAX >> (self.down & 63);
        let shift = (self.down & 63) - self.up;
        let word = &mut words[self.word as usize];
        *word = *word & !(mask << (shift & 63)) | (value as u32 as u64 & mask) << (shift & 63);
    }

    /// The word, and the bits in it.
    pub(crate) fn mask(self) -> (usize, u64) {
        let mask = u64::MAX >> (self.down & 63);
        let shift = (self.down & 63) - self.up;
        (self.word as usize, mask << shift)
    }
}

/// How many bits hold the numbers from 0 to `most`, as a power of two so that fields pack without gaps.
pub(crate) fn width_for(most: u32) -> u32 {
    (32 - most.leading_zeros()).max(1).next_power_of_two()
}

/// Places fields of those widths (powers of two) one after the other, the widest first, so that
/// none crosses a word and nothing is wasted between them. Gives the bit of each, and the end.
pub(crate) fn pack(widths: &[u32], from: u32) -> (Vec<u32>, u32) {
    let widest = widths.iter().copied().max().unwrap_or(1);
    let mut bit = from.next_multiple_of(widest.max(1));
    let mut order: Vec<usize> = (0..widths.len()).collect();
    order.sort_by_key(|i| std::cmp::Reverse(widths[*i]));
    let mut places = vec![0; widths.len()];
    for i in order {
        places[i] = bit;
        bit += widths[i];
    }
    let end = if widths.is_empty() { from } else { bit };
    (places, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_their_numbers_and_leave_others_alone() {
        for bits in [1, 2, 3, 4, 7, 8, 16, 31, 32] {
            let width = u32::next_power_of_two(bits);
            for place in 0..64 / width {
                let field = Field::new(64 + place * width, bits, bits == 16);
                for ground in [0, u64::MAX] {
                    let mut words = [ground; 3];
                    for value in [0, 1, -1, 5, 127, -128, 32767, -32768, i32::MAX, i32::MIN] {
                        field.set(&mut words, value);
                        let expected = match bits {
                            32 => value,
                            16 => i32::from(value as i16),
                            _ => value & ((1i64 << bits) - 1) as i32,
                        };
                        assert_eq!(field.get(&words), expected, "{bits} bits at {place}");
                        let (word, mask) = field.mask();
                        assert_eq!(word, 1);
                        assert_eq!(words[1] & !mask, ground & !mask);
                    }
                }
            }
        }
    }

    #[test]
    fn packing_wastes_nothing_inside() {
        let (places, end) = pack(&[1, 32, 8, 1, 16], 3);
        assert_eq!((places, end), (vec![88, 32, 80, 89, 64], 90));
    }
}
