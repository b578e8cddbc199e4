//! LTL to Büchi automata: against the definition on all short words that repeat, and against SPIN's sizes.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::process::Command;

use suppose_model::ltl::{Buchi, Cube, Formulas, Generalised, Id, Style, TooLarge, hoa, parse};
use suppose_testkit::ltl::{Lasso, Ltl, accepts, accepts_generalised};
use suppose_testkit::{Rng, for_each_seed, installed};

/// Formulas of Etessami and Holzmann ("Optimizing Büchi automata", CONCUR 2000).
const ETESSAMI_HOLZMANN: &[&str] = &[
    "p0 U (p1 && [] p2)",
    "p0 U (p1 && X (p2 U p3))",
    "p0 U (p1 && X (p2 && <> (p3 && X <> (p0 && X <> (p1 && X <> p2)))))",
    "<> (p0 && X [] p1)",
    "<> (p0 && X (p1 && X <> p2))",
    "<> (p1 && X (p2 U p3))",
    "(<> [] p0) || ([] <> p1)",
    "[] (p0 -> (p1 U p2))",
    "[] (p0 && X <> (p1 && X <> (p2 && X <> p3)))",
    "([] <> p1) && ([] <> p2) && ([] <> p3)",
    "(p1 U (p2 U p3)) || (p2 U (p3 U p1)) || (p3 U (p1 U p2))",
    "[] (p0 -> (p1 U ([] p2 || [] p3)))",
];

/// Formulas of Somenzi and Bloem ("Efficient Büchi automata from LTL formulae", CAV 2000).
const SOMENZI_BLOEM: &[&str] = &[
    "p0 U p1",
    "p0 U (p1 U p2)",
    "!(p0 U (p1 U p2))",
    "([] <> p0) -> ([] <> p1)",
    "(<> p0) U ([] p1)",
    "([] p0) U p1",
    "!((<> <> p0) <-> (<> p0))",
    "!(([] <> p0) -> ([] <> p1))",
    "!(([] <> p0) <-> ([] <> p1))",
    "p0 V (p0 || p1)",
    "(X p0 U X p1) || !X (p0 U p1)",
    "(X p0 U p1) || !X (p0 U (p0 && p1))",
    "[] (p0 -> <> p1) && (((X p0) U p1) || !X (p0 U (p0 && p1)))",
    "[] (p0 -> <> p1) && (((X p0) U X p1) || !X (p0 U p1))",
    "[] (p0 -> <> p1)",
    "!([] (p0 -> X (p1 V p2)))",
    "!(([] <> p0) || (<> [] p1))",
    "[] (<> p0 && <> p1)",
    "(<> p0) && (<> !p0)",
    "(X p1 && p2) V X (((p3 U p0) V p2) U (p3 V p2))",
    "(([] (p1 || [] <> p0)) && [] (p2 || [] <> !p0)) || [] p1 || [] p2",
    "(([] (p1 || <> [] p0)) && [] (p2 || <> [] !p0)) || [] p1 || [] p2",
    "!((([] (p1 || [] <> p0)) && [] (p2 || [] <> !p0)) || [] p1 || [] p2)",
    "!((([] (p1 || <> [] p0)) && [] (p2 || <> [] !p0)) || [] p1 || [] p2)",
    "(([] (p1 || X [] p0)) && [] (p2 || X [] !p0)) || [] p1 || [] p2",
    "[] (p1 || (X p0 && X !p0))",
    "p0 || (p1 U p0)",
];

/// Patterns of Dwyer, Avrunin and Corbett ("Property specification patterns", FMSP 1998), most of them negated as a checker
/// does it.
const DWYER: &[&str] = &[
    "[] !p0",
    "<> p1 -> (!p0 U p1)",
    "[] (p2 -> [] !p0)",
    "[] ((p2 && !p1 && <> p1) -> (!p0 U p1))",
    "[] ((p2 && !p1) -> (!p0 W p1))",
    "!(<> p0)",
    "!(!p1 W (p0 && !p1))",
    "[] !p2 || <> (p2 && <> p0)",
    "![] ((p2 && !p1) -> (!p1 W (p0 && !p1)))",
    "![] ((p2 && !p1) -> (!p1 U (p0 && !p1)))",
    "(!p0 W (p0 W (!p0 W (p0 W [] !p0))))",
    "<> p1 -> ((!p0 && !p1) U (p1 || ((p0 && !p1) U (p1 || ((!p0 && !p1) U (p1 || ((p0 && !p1) U (p1 || (!p0 U p1)))))))))",
    "![] p0",
    "<> p1 -> (p0 U p1)",
    "![] (p2 -> [] p0)",
    "![] ((p2 && !p1) -> (p0 W p1))",
    "!(!p0 W p3)",
    "<> p1 -> (!p0 U (p3 || p1))",
    "![] ((p2 && !p1 && <> p1) -> (!p0 U (p3 || p1)))",
    "![] (p0 -> <> p3)",
    "<> p1 -> (p0 -> (!p1 U (p3 && !p1))) U p1",
    "![] (p2 -> [] (p0 -> <> p3))",
    "![] ((p2 && !p1) -> ((p0 -> (!p1 U (p3 && !p1))) W p1))",
    "![] ((p2 && !p1) -> ((p0 -> (!p1 U (p3 && !p1))) U p1))",
];

fn classic() -> Vec<(Formulas, Id, &'static str)> {
    let all = [ETESSAMI_HOLZMANN, SOMENZI_BLOEM, DWYER].concat();
    let read = |text: &'static str| {
        let mut formulas = Formulas::default();
        let mut names = (0..4).map(|n| format!("p{n}")).collect();
        let root = parse(text, &mut formulas, &mut names).unwrap();
        (formulas, root, text)
    };
    all.into_iter().map(read).collect()
}

/// A formula's own tree, for the evaluator: read with a parser of the test's own.
fn tree(text: &str) -> Ltl {
    let mut tokens: Vec<String> = Vec::new();
    let spaced = text
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('!', " ! ")
        .replace("[]", " [] ");
    tokens.extend(
        spaced
            .replace("<> ", " <> ")
            .split_whitespace()
            .map(str::to_owned),
    );
    tokens.reverse();
    let parsed = binary(&mut tokens, 0);
    assert!(tokens.is_empty(), "{text}: {tokens:?}");
    parsed
}

const LEVELS: [&[&str]; 5] = [&["<->"], &["->"], &["||"], &["&&"], &["U", "V", "W"]];

fn binary(tokens: &mut Vec<String>, level: usize) -> Ltl {
    if level == LEVELS.len() {
        return unary(tokens);
    }
    let left = binary(tokens, level + 1);
    let Some(operator) = tokens
        .last()
        .filter(|t| LEVELS[level].contains(&t.as_str()))
    else {
        return left;
    };
    let operator = operator.clone();
    tokens.pop();
    let (a, b) = (Box::new(left), Box::new(binary(tokens, level)));
    match operator.as_str() {
        "<->" => Ltl::Or(
            Box::new(Ltl::And(a.clone(), b.clone())),
            Box::new(Ltl::And(Box::new(Ltl::Not(a)), Box::new(Ltl::Not(b)))),
        ),
        "->" => Ltl::Implies(a, b),
        "||" => Ltl::Or(a, b),
        "&&" => Ltl::And(a, b),
        "U" => Ltl::Until(a, b),
        "V" => Ltl::Release(a, b),
        _ => Ltl::WeakUntil(a, b),
    }
}

fn unary(tokens: &mut Vec<String>) -> Ltl {
    let token = tokens.pop().unwrap();
    let inner = |tokens: &mut Vec<String>| Box::new(unary(tokens));
    match token.as_str() {
        "!" => Ltl::Not(inner(tokens)),
        "[]" => Ltl::Always(inner(tokens)),
        "<>" => Ltl::Eventually(inner(tokens)),
        "X" => Ltl::Next(inner(tokens)),
        "(" => {
            let inner = binary(tokens, 0);
            assert_eq!(tokens.pop().as_deref(), Some(")"));
            inner
        }
        "true" | "false" => Ltl::Constant(token == "true"),
        atom => Ltl::Atom(atom[1..].parse().unwrap()),
    }
}

fn lassos(atoms: u32) -> Vec<Lasso> {
    match atoms {
        0..=1 => Lasso::all(1, 3, 4),
        2 => Lasso::all(2, 2, 3),
        3 => Lasso::all(3, 1, 2),
        _ => Lasso::all(4, 1, 1),
    }
}

/// The automata of a formula accept just the words that satisfy it.
fn compare(formula: &Ltl, formulas: &Formulas, root: Id, atoms: u32) {
    let generalised = Generalised::of(formulas, root).unwrap();
    let buchi = Buchi::of(formulas, root).unwrap();
    for word in lassos(atoms) {
        let holds = formula.holds(&word);
        let text = || format!("{} on {word:?}\n{buchi:?}", formula.spin());
        assert_eq!(accepts(&buchi, &word), holds, "{}", text());
        let plain = accepts_generalised(&generalised, &word);
        assert_eq!(plain, holds, "generalised: {}", text());
    }
}

#[test]
fn classic_formulas_are_translated_right() {
    for (mut formulas, root, text) in classic() {
        let formula = tree(text);
        let atoms = formulas.atoms(root).max(1);
        compare(&formula, &formulas, root, atoms);
        let negation = formulas.not(root);
        compare(&Ltl::Not(Box::new(formula)), &formulas, negation, atoms);
    }
}

#[test]
fn random_formulas_are_translated_right() {
    for_each_seed(400, |rng| {
        let atoms = rng.between(1, 3);
        let size = rng.between(1, 8);
        let formula = Ltl::random(rng, atoms, size);
        let mut formulas = Formulas::default();
        let root = formula.build(&mut formulas);
        compare(&formula, &formulas, root, atoms as u32);
    });
}

/// Also with words of many letters that one automaton may tell apart after long prefixes.
#[test]
fn random_words_are_told_apart() {
    for_each_seed(300, |rng| {
        let size = rng.between(4, 14);
        let formula = Ltl::random(rng, 3, size);
        let mut formulas = Formulas::default();
        let root = formula.build(&mut formulas);
        let buchi = match Buchi::of(&formulas, root) {
            Ok(buchi) => buchi,
            Err(TooLarge) => return,
        };
        for _ in 0..60 {
            let letters = |rng: &mut Rng, n: usize| {
                (0..n).map(|_| rng.below(8) as u128).collect::<Vec<u128>>()
            };
            let (stem, cycle) = (rng.below(6), rng.between(1, 6));
            let word = Lasso {
                stem: letters(rng, stem),
                cycle: letters(rng, cycle),
            };
            let text = || format!("{} on {word:?}", formula.spin());
            assert_eq!(accepts(&buchi, &word), formula.holds(&word), "{}", text());
        }
    });
}

/// States of the never claim that SPIN makes of a formula; none if it takes more than two seconds of processor time, as it does
/// for some with many nested operators.
fn spin_states(formula: &str) -> Option<usize> {
    let out = Command::new("sh")
        .args(["-c", "ulimit -t 2; exec \"$0\" -f \"$1\""])
        .arg(installed("spin"))
        .arg(formula)
        .current_dir(std::env::temp_dir())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&out.stdout);
    if !text.contains("never") {
        return None;
    }
    let is_label = |line: &&str| line.ends_with(':') && !line.contains("::");
    Some(text.lines().map(str::trim).filter(is_label).count())
}

#[test]
fn automata_are_not_larger_than_those_of_spin() {
    let mut sums = (0, 0);
    let mut add = |formulas: &Formulas, root: Id, text: &str| {
        let Some(theirs) = spin_states(text) else {
            return;
        };
        let ours = Buchi::of(formulas, root).unwrap().size().0;
        sums = (sums.0 + ours, sums.1 + theirs);
    };
    for (mut formulas, root, _) in classic() {
        for root in [root, formulas.not(root)] {
            let text = formulas.print(root, &[], Style::Spin).to_string();
            add(&formulas, root, &text);
        }
    }
    let mut rng = Rng::new(7);
    for _ in 0..40 {
        let formula = Ltl::random(&mut rng, 3, 5);
        let mut formulas = Formulas::default();
        let root = formula.build(&mut formulas);
        add(&formulas, root, &formula.spin());
    }
    println!("{} states, SPIN {}", sums.0, sums.1);
    assert!(sums.0 <= sums.1, "{} states, SPIN {}", sums.0, sums.1);
}

#[test]
fn classic_sizes() {
    let size = |text: &str| {
        let mut formulas = Formulas::default();
        let root = parse(text, &mut formulas, &mut Vec::new()).unwrap();
        Buchi::of(&formulas, root).unwrap().size()
    };
    assert_eq!(size("[] <> p"), (2, 4));
    assert_eq!(size("<> [] p"), (2, 3));
    assert_eq!(size("[] (p -> <> q)"), (2, 5));
    assert_eq!(size("p U q"), (2, 3));
    assert_eq!(size("true"), (1, 1));
    assert_eq!(size("p && !p"), (1, 0));
}

#[test]
fn hoa_is_read_as_it_is_written() {
    for (formulas, root, text) in classic() {
        let buchi = Buchi::of(&formulas, root).unwrap();
        let written = hoa::write(&buchi, text, &[]);
        let (read, _) = hoa::read(&written).unwrap();
        for word in lassos(2) {
            assert_eq!(accepts_generalised(&read, &word), accepts(&buchi, &word));
        }
    }
    let names = vec!["a \"b\"".to_owned()];
    let one = Buchi {
        edges: vec![vec![(Cube::literal(0, true), 0)]],
        initial: 0,
        accepting: vec![true],
    };
    let text = hoa::write(&one, "x", &names);
    assert_eq!(hoa::read(&text).unwrap().1, names);
}

#[test]
fn hoa_of_others_is_read() {
    let text = "HOA: v1\ntool: \"other\" \"1.0\"\nStates: 2\nStart: 0\nacc-name: generalized-Buchi 2\n\
        Acceptance: 2 (Inf(0)) & Inf(1)\nAP: 2 \"p0\" \"p1\"\n--BODY--\nState: 0 \"start\"\n\
        [!(0 | 1)] 0\n[0 & !1] 0 {0}\n[!0 & 1] 1 {1}\n[0 & 1] 1 {0 1}\nState: 1\n[t] 0\n--END--\n";
    let (automaton, names) = hoa::read(text).unwrap();
    assert_eq!((automaton.sets, names.len()), (2, 2));
    let both = Lasso {
        stem: vec![],
        cycle: vec![1, 2, 0],
    };
    assert!(accepts_generalised(&automaton, &both));
    let buchi = Buchi::degeneralised(&automaton);
    for word in lassos(2) {
        let ours = accepts(&buchi, &word);
        assert_eq!(ours, accepts_generalised(&automaton, &word), "{word:?}");
        let small = buchi.clone().reduced();
        assert_eq!(accepts(&small, &word), ours, "{word:?}");
    }
}

#[test]
fn bad_hoa_is_refused() {
    for (text, why) in [
        ("", "expected `HOA:`"),
        (
            "HOA: v1\nAcceptance: 1 Fin(0)\n--BODY--\n--END--",
            "expected `Inf(`",
        ),
        (
            "HOA: v1\nAcceptance: 2 Inf(0)\n--BODY--\n--END--",
            "only conjunctions",
        ),
        ("HOA: v1\nAlias: @a 0\n--BODY--\n--END--", "aliases"),
        (
            "HOA: v1\nAcceptance: 0 t\n--BODY--\nState: 0\n[0] 0\n--END--",
            "no atom 0",
        ),
        (
            "HOA: v1\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 7\n--END--",
            "without its state",
        ),
        (
            "HOA: v1\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0",
            "expected `[`",
        ),
        (
            "HOA: v1\nStates: 99999999\nAcceptance: 0 t\n--BODY--\n--END--",
            "more than",
        ),
    ] {
        let error = hoa::read(text).unwrap_err();
        assert!(error.message.contains(why), "{text}: {error:?}");
    }
}

#[test]
fn large_formulas_are_translated_or_refused() {
    let mut formulas = Formulas::default();
    let parts = (0..100).map(|n| {
        let atom = formulas.literal(n, true);
        let some = formulas.eventually(atom);
        formulas.always(some)
    });
    let parts: Vec<Id> = parts.collect();
    let all = formulas.and(parts);
    let _ = Buchi::of(&formulas, all);
    let mut formula = formulas.literal(0, true);
    for n in 0..10_000u32 {
        let atom = formulas.literal(n % 5, n % 2 == 0);
        formula = match n % 3 {
            0 => formulas.until(atom, formula),
            1 => formulas.release(atom, formula),
            _ => formulas.or(vec![atom, formula]),
        };
    }
    let _ = Buchi::of(&formulas, formula);
    let atom = formulas.literal(200, true);
    assert_eq!(Buchi::of(&formulas, atom), Err(TooLarge));
}

#[test]
fn text_is_read_and_mistakes_are_told() {
    let mut formulas = Formulas::default();
    let mut names = Vec::new();
    let read =
        |text: &str, formulas: &mut Formulas, names: &mut Vec<String>| parse(text, formulas, names);
    let root = read("[] (req -> <> ack)", &mut formulas, &mut names).unwrap();
    let text = formulas.print(root, &names, Style::Spin).to_string();
    assert_eq!(read(&text, &mut formulas, &mut names), Ok(root));
    for (text, at) in [("", 0), ("p &&", 4), ("(p", 2), ("p q", 2), ("U p", 0)] {
        let error = read(text, &mut formulas, &mut names).unwrap_err();
        assert_eq!(error.at, at, "{text}");
    }
    let deep = "!".repeat(5000) + "p";
    assert!(read(&deep, &mut formulas, &mut names).is_err());
}
