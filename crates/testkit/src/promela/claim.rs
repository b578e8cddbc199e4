//! Random claims on random programs, some of which cannot be evaluated in every state.

use super::expression::{self, Use};
use super::{Scope, Shape, finished};
use crate::rng::Rng;

/// What claims may look at and cannot always: an index that runs out of its array, a divisor that becomes 0, a channel that
/// is none.
const WILD: &str = "byte wild[2]; byte at; chan none;
active proctype Wild() { at = 1; if :: at = 2 :: at = 0 :: at = 3; at = 1 fi }
";

/// A random program with one claim, which is called `f` or, if it is a `never`, has no name. Nothing else can go wrong in it.
pub fn program(rng: &mut Rng) -> String {
    let shape = Shape {
        asserts: 0,
        // SPIN's claims are processes that are counted.
        nr_pr: 0,
        processes: (1, 2),
        statements: (3, 7),
        ..Shape::without_errors()
    };
    let wild = rng.percent(50);
    let (mut text, scope) = finished(rng, &shape);
    if wild {
        text.push_str(WILD);
    }
    let claim = claim(rng, &scope, wild);
    text + &claim
}

fn claim(rng: &mut Rng, scope: &Scope, wild: bool) -> String {
    // In a formula `->` is an implication: SPIN reads no conditional expression there.
    let plain = |rng: &mut Rng| {
        loop {
            let condition = expression::condition(rng, scope, &[], Use::global());
            if !condition.contains("->") {
                return format!("({condition})");
            }
        }
    };
    let atom = |rng: &mut Rng| match wild && rng.percent(60) {
        false => plain(rng),
        true => match rng.below(5) {
            0 => "(wild[at] == 0)".to_owned(),
            1 => "(wild[at - 1] != 1)".to_owned(),
            2 => "(6 / at > 1)".to_owned(),
            3 => "(6 % at == 0)".to_owned(),
            _ => "(len(none) == 0)".to_owned(),
        },
    };
    let (a, b) = (plain(rng), atom(rng));
    match rng.below(11) {
        0 => format!("ltl f {{ [] {b} }}\n"),
        1 => format!("ltl f {{ [] !{b} }}\n"),
        2 => format!("ltl f {{ [] ({a} -> {b}) }}\n"),
        3 => format!("ltl f {{ [] ({a} -> [] {b}) }}\n"),
        4 => format!("ltl f {{ {a} W {b} }}\n"),
        5 => format!("ltl f {{ {b} -> [] {a} }}\n"),
        9 => format!("ltl f {{ {b} -> [] true }}\n"),
        10 => format!("ltl f {{ ([] {a}) || (false W {b}) }}\n"),
        6 => format!("never {{ do :: {b} -> break :: else od }}\n"),
        7 => format!("never {{ do :: {a} -> break :: true od; {b} }}\n"),
        _ => format!("never {{ {a}; do :: {b} -> break :: {a} od }}\n"),
    }
}
