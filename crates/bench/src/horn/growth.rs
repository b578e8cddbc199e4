//! Systems of any size.
//!
//! The Boolean program of Fig. 1.1 of the thesis: `n` procedures, each calling the next one twice. Its tree of calls has 2^n leaves,
//! while its states are linear in `n`: an engine without summaries of procedures takes exponential time.
//!
//! Loops in a row: `n` predicates, each with a loop of its own, over the same three integers. An engine that keeps something for
//! every pair of them, or examines all of them for each, takes quadratic time or memory.

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

/// The sizes of loops in a row.
pub const LOOPS: [u32; 3] = [1_000, 4_000, 20_000];

/// Loops in a row: `y` counts them, `x` grows by one or two, `z` up to 5 in each. At the end `x` is at least `y`.
pub fn loops(n: u32) -> String {
    let mut text = String::from("(set-logic HORN)\n");
    for i in 0..n {
        let _ = writeln!(text, "(declare-fun P{i} (Int Int Int) Bool)");
    }
    let all = "(x Int) (y Int) (z Int)";
    let _ = writeln!(
        text,
        "(assert (forall ({all}) (=> (and (= x 0) (= y 0) (= z 0)) (P0 x y z))))"
    );
    for i in 0..n {
        let _ = writeln!(
            text,
            "(assert (forall ({all}) (=> (and (P{i} x y z) (< z 5)) (P{i} x y (+ z 1)))))"
        );
        if i + 1 < n {
            let (one, two, next) = (i % 7, i % 5, i + 1);
            let _ = writeln!(
                text,
                "(assert (forall ({all} (x1 Int)) (=> (and (P{i} x y z) \
                 (or (and (< y {one}) (= x1 (+ x 1))) (and (>= y {two}) (= x1 (+ x 2))))) \
                 (P{next} x1 (+ y 1) z))))"
            );
        }
    }
    let last = n.saturating_sub(1);
    let _ = writeln!(
        text,
        "(assert (forall ({all}) (=> (and (P{last} x y z) (or (< x y) (> z 6))) false)))\n(check-sat)"
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
