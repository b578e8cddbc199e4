//! The Boolean program of Fig. 1.1 of the thesis: `n` procedures, each calling the next one twice.
//!
//! Its tree of calls has 2^n leaves, while its states are linear in `n`: an engine without summaries of
//! procedures takes exponential time.

use std::fmt::Write;

/// The sizes.
pub const SIZES: [u32; 6] = [5, 10, 20, 40, 80, 160];

/// The program as clauses. `safe`: the assertion is that two calls of the first procedure change nothing, which
/// holds; else that they give true, as in the figure, which is wrong when they start with false.
pub fn clauses(n: u32, safe: bool) -> String {
    let mut text = String::from("(set-logic HORN)\n");
    for i in 1..=n {
        let _ = writeln!(text, "(declare-fun level{i} (Bool Bool) Bool)");
    }
    for i in 1..n {
        let next = i + 1;
        let _ = writeln!(
            text,
            "(assert (forall ((b Bool)) (=> b (level{i} b (not b)))))\n\
             (assert (forall ((b Bool) (c Bool) (d Bool))\n  \
             (=> (and (not b) (level{next} b c) (level{next} c d)) (level{i} b (not d)))))"
        );
    }
    let _ = writeln!(text, "(assert (forall ((b Bool)) (level{n} b (not b))))");
    let wrong = if safe { "(distinct b d)" } else { "(not d)" };
    let _ = writeln!(
        text,
        "(assert (forall ((b Bool) (c Bool) (d Bool))\n  \
         (=> (and (level1 b c) (level1 c d) {wrong}) false)))\n(check-sat)"
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a level gives, by running it.
    fn level(i: u32, n: u32, b: bool) -> bool {
        match b || i == n {
            true => !b,
            false => !level(i + 1, n, level(i + 1, n, b)),
        }
    }

    #[test]
    fn the_verdicts_are_those_of_the_program() {
        for n in 1..8 {
            for b in [false, true] {
                let d = level(1, n, level(1, n, b));
                assert_eq!(d, b, "two calls change nothing");
            }
        }
        let read = suppose_frontends::smtlib::read_text("levels.smt2", &clauses(3, true));
        let (read, _) = read.unwrap();
        assert_eq!(read.horn.predicates.len(), 3);
        assert!(read.horn.clauses.len() >= 6);
    }
}
