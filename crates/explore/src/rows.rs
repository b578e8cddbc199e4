//! Rows of states of one width.

/// Runs a block with a constant width, or another one with any.
macro_rules! with_words {
    ($words:expr, $w:ident => $fixed:expr, else $any:expr, [$($n:literal)+]) => {
        match $words {
            $($n => { const $w: usize = $n; $fixed })+
            _ => $any,
        }
    };
}

/// Sorts states, and leaves one of each.
pub(crate) fn sort(rows: &mut Vec<u64>, words: usize) {
    with_words!(words, W => sort_fixed::<W>(rows), else sort_any(rows, words), [1 2 3 4 5 6 7 8 9 10 12 16]);
}

fn sort_fixed<const W: usize>(rows: &mut Vec<u64>) {
    let (states, _) = rows.as_chunks_mut::<W>();
    states.sort_unstable();
    let mut kept = 0;
    for at in 0..states.len() {
        if at == 0 || states[at] != states[kept - 1] {
            states[kept] = states[at];
            kept += 1;
        }
    }
    rows.truncate(kept * W);
}

fn sort_any(rows: &mut Vec<u64>, words: usize) {
    let mut states: Vec<&[u64]> = rows.chunks_exact(words).collect();
    states.sort_unstable();
    states.dedup();
    *rows = states.concat();
}

/// Gives states more words.
pub(crate) fn widen(rows: &mut Vec<u64>, from: usize, to: usize) {
    let states = rows.chunks_exact(from);
    let mut wider = Vec::with_capacity(states.len() * to);
    for state in states {
        wider.extend_from_slice(state);
        wider.resize(wider.len() + to - from, 0);
    }
    *rows = wider;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_one_of_each_is_left() {
        for words in [1, 3, 11, 12, 17] {
            let mut rows = Vec::new();
            for number in [5u64, 3, 5, 9, 3, 1] {
                rows.extend((0..words).map(|w| if w + 1 == words { number } else { 2 }));
            }
            sort(&mut rows, words);
            let last: Vec<u64> = rows.chunks(words).map(|s| s[words - 1]).collect();
            assert_eq!(last, [1, 3, 5, 9]);
            widen(&mut rows, words, words + 1);
            assert_eq!(rows.len(), 4 * (words + 1));
            assert_eq!(rows[words], 0);
        }
    }
}
