//! Random SMV texts with what is said across modules: parameters that are instances, definitions in other instances, arrays; and with much to ask:
//! fairness of both kinds, `COMPUTE`, PSL. Deadlocks are left in.

use std::fmt::Write as _;

use super::expression::Vocabulary;
use crate::Rng;

/// A random text; `many` properties of each kind, called `c0`, `l0`, `i0`, `m0`, `p0` and so on.
pub fn random_whole(rng: &mut Rng, many: usize) -> String {
    let mut out = String::from("MODULE main\n");
    let mut words = Vocabulary::default();
    variables(rng, &mut out, &mut words);
    let modules = instances(rng, &mut out, &mut words);
    constraints(rng, &mut out, &words);
    properties(rng, &mut out, &words, many);
    out + &modules
}

fn variables(rng: &mut Rng, out: &mut String, words: &mut Vocabulary) {
    let _ = writeln!(out, "VAR x : boolean; n : 0..2;");
    words.booleans.push("x".to_owned());
    words.numbers.push("n".to_owned());
    if rng.percent(40) {
        let _ = writeln!(out, "VAR w : word[2];");
        words.unsigned.push("w".to_owned());
        if rng.percent(70) {
            let value = words.word(rng, false, 2);
            let _ = writeln!(out, "ASSIGN init(w) := 0ud2_1; next(w) := {value};");
        }
    }
    if rng.percent(35) {
        let _ = writeln!(out, "VAR a : array 0..2 of boolean;");
        words.booleans.extend((0..3).map(|i| format!("a[{i}]")));
        let value = words.boolean(rng, 1);
        let _ = writeln!(
            out,
            "ASSIGN init(a[0]) := FALSE; next(a[0]) := a[n]; next(a[1]) := {value}; init(a[2]) := TRUE; next(a[2]) := a[0] xor a[2];"
        );
        words.booleans.push("a[n]".to_owned());
    }
    if rng.percent(75) {
        let value = words.boolean(rng, 2);
        let _ = writeln!(out, "ASSIGN init(x) := FALSE; next(x) := {value};");
    }
    if rng.percent(75) {
        let value = words.number(rng, 1);
        let second = words.boolean(rng, 1);
        let _ = writeln!(
            out,
            "ASSIGN init(n) := {{0, 1}}; next(n) := case {second} : (({value}) mod 3 + 3) mod 3; TRUE : {{n, 2}}; esac;"
        );
    }
}

/// Instances that know each other, and the modules they are of.
fn instances(rng: &mut Rng, out: &mut String, words: &mut Vocabulary) -> String {
    let mut modules = String::new();
    if rng.percent(50) {
        // `given` is defined from outside: by the main module, or by another part through its parameter.
        let value = [
            "!on",
            "given",
            "on xor given",
            "{on, given}",
            "o.on & given",
        ];
        let value = rng.pick(&value).copied().unwrap_or("given");
        let expression = words.boolean(rng, 1);
        let (defines, inner, more) = match rng.below(4) {
            0 => (String::new(), "DEFINE o.given := on;\n", None),
            1 => (
                format!("DEFINE p.given := {expression}; q.given := p.on;"),
                "",
                None,
            ),
            2 => (
                format!("DEFINE on := x; q.given := {expression};"),
                "DEFINE o.given := on;\n",
                Some("given"),
            ),
            _ => (
                format!(
                    "DEFINE on := x; p.given := {expression}; q.given := p.on; given := n = 1;"
                ),
                "",
                Some("given"),
            ),
        };
        let first = if more.is_some() { "self" } else { "q" };
        let _ = writeln!(out, "VAR p : part({first}); q : part(p);\n{defines}");
        let known = ["p.on", "q.on", "p.given", "q.given"]
            .into_iter()
            .chain(more);
        words.booleans.extend(known.map(str::to_owned));
        let fair = if rng.percent(25) {
            "JUSTICE on | given\n"
        } else {
            ""
        };
        let _ = write!(
            modules,
            "MODULE part(o)\nVAR on : boolean;\nASSIGN init(on) := FALSE; next(on) := {value};\n{inner}{fair}"
        );
    }
    if rng.percent(40) {
        let argument = words.number(rng, 1);
        let _ = writeln!(out, "VAR k : counter({argument}, x, {});", 1 + rng.below(2));
        words.numbers.push("k.c".to_owned());
        words.booleans.push("k.full".to_owned());
        modules += "MODULE counter(by, reset, top)\nVAR c : 0..2;\nDEFINE full := c >= top; limit := top;\n\
             ASSIGN init(c) := 0; next(c) := case reset : 0; full : c; by > 0 : c + 1; TRUE : c; esac;\n";
    }
    modules
}

fn constraints(rng: &mut Rng, out: &mut String, words: &Vocabulary) {
    if rng.percent(20) {
        let _ = writeln!(out, "INVAR {}", words.boolean(rng, 1));
    }
    if rng.percent(30) {
        let _ = writeln!(out, "TRANS {}", words.with_next(words).boolean(rng, 2));
    }
    for _ in 0..rng.below(3) {
        let _ = writeln!(out, "JUSTICE {}", words.boolean(rng, 1));
    }
    if rng.percent(20) {
        let (p, q) = (words.boolean(rng, 1), words.boolean(rng, 1));
        let _ = writeln!(out, "COMPASSION ({p}, {q})");
    }
}

fn properties(rng: &mut Rng, out: &mut String, words: &Vocabulary, many: usize) {
    for i in 0..many {
        let depth = rng.between(1, 3);
        let _ = writeln!(out, "CTLSPEC NAME c{i} := {};", words.ctl(rng, depth));
        let _ = writeln!(out, "LTLSPEC NAME l{i} := {};", words.ltl(rng, 2));
        let _ = writeln!(out, "INVARSPEC NAME i{i} := {};", words.boolean(rng, 2));
        let (from, to) = (words.boolean(rng, 1), words.ctl(rng, 1));
        let op = if rng.percent(50) { "MIN" } else { "MAX" };
        let _ = writeln!(out, "COMPUTE NAME m{i} := {op} [{from}, {to}];");
        let _ = writeln!(out, "PSLSPEC NAME p{i} := {};", psl(rng, words, 2));
    }
}

/// A property in PSL. Without brackets where NuSMV's binding decides.
fn psl(rng: &mut Rng, words: &Vocabulary, depth: usize) -> String {
    if depth == 0 {
        let mut plain = || words.psl_atom(rng);
        return match plain() {
            atom if atom.len() % 2 == 0 => format!("{atom} & {}", plain()),
            atom => atom,
        };
    }
    let inner = |rng: &mut Rng| psl(rng, words, depth - 1);
    let (low, more) = (rng.below(3), rng.below(2));
    let strong = if rng.percent(50) { "!" } else { "" };
    match rng.below(14) {
        0..4 => {
            let ops = [
                "always",
                "never",
                "G",
                "F",
                "eventually!",
                "next",
                "next!",
                "X",
                "X!",
            ];
            let op = rng.pick(&ops).copied().unwrap_or("G");
            match rng.percent(50) {
                true => format!("{op} ({})", inner(rng)),
                false => format!("{op} {}", inner(rng)),
            }
        }
        4..7 => {
            let ops = ["until", "before"];
            let op = rng.pick(&ops).copied().unwrap_or("until");
            let last = if rng.percent(50) { "_" } else { "" };
            let (a, b) = (inner(rng), inner(rng));
            match rng.percent(60) {
                true => format!("({a}) {op}{strong}{last} ({b})"),
                false => format!("{} {op}{strong}{last} ({b})", psl(rng, words, 0)),
            }
        }
        7 => format!(
            "[({}) {} ({})]",
            inner(rng),
            if rng.percent(50) { "U" } else { "W" },
            inner(rng)
        ),
        8 => format!("next{strong}[{low}]({})", inner(rng)),
        9 => {
            let op = if rng.percent(50) { "next_a" } else { "next_e" };
            format!("{op}{strong}[{low}:{}]({})", low + more, inner(rng))
        }
        10 => {
            let event = psl(rng, words, 0);
            match rng.below(3) {
                0 => format!("next_event{strong}({event})({})", inner(rng)),
                1 => format!("next_event{strong}({event})[{}]({})", low + 1, inner(rng)),
                _ => {
                    let op = if rng.percent(50) {
                        "next_event_a"
                    } else {
                        "next_event_e"
                    };
                    format!(
                        "{op}{strong}({event})[{}:{}]({})",
                        low + 1,
                        low + 1 + more,
                        inner(rng)
                    )
                }
            }
        }
        11 => format!("!({})", inner(rng)),
        _ => {
            let ops = ["->", "<->", "&", "|"];
            let op = rng.pick(&ops).copied().unwrap_or("->");
            let (a, b) = (inner(rng), inner(rng));
            match rng.percent(60) {
                true => format!("({a}) {op} ({b})"),
                false => format!("({a}) {op} {b}"),
            }
        }
    }
}
