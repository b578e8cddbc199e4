//! No text makes the front-end panic, overflow or hang; flattening means what composing means.
//! `PROPTEST_CASES=100000` runs it longer.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use suppose_frontends::{Input, LoadOptions, load};
use suppose_model::lts::{Counts, SizeLimits, count};
use suppose_source::ParserLimits;

fn small() -> LoadOptions {
    LoadOptions {
        limits: ParserLimits {
            bytes: 1 << 20,
            depth: 60,
            states: 2_000,
            transitions: 20_000,
            labels: 2_000,
        },
        ..LoadOptions::default()
    }
}

fn read(text: &str) {
    match load(vec![Input::new("m.lts", text)], &small()) {
        Ok(loaded) => {
            for warning in &loaded.warnings {
                let _ = warning.render(&loaded.sources, false);
            }
        }
        Err(failed) => {
            assert!(!failed.diagnostics.is_empty());
            for error in &failed.diagnostics {
                let _ = error.render(&failed.sources, false);
            }
        }
    }
}

/// Words that make nearly right FSP.
const WORDS: &[&str] = &[
    "P",
    "Q",
    "S",
    "N",
    "R",
    "a",
    "b",
    "i",
    "x",
    "=",
    ".",
    ",",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "->",
    "|",
    "||",
    ":",
    "::",
    ";",
    "/",
    "\\",
    "@",
    "+",
    "-",
    "*",
    "%",
    "<<",
    ">>",
    "<",
    ">",
    "==",
    "!",
    "&&",
    "..",
    "0",
    "1",
    "2",
    "3",
    "9",
    "const",
    "range",
    "set",
    "property",
    "progress",
    "fluent",
    "initially",
    "assert",
    "constraint",
    "ltl_property",
    "rigid",
    "exists",
    "forall",
    "if",
    "then",
    "else",
    "when",
    "deterministic",
    "minimal",
    "compose",
    "menu",
    "STOP",
    "END",
    "ERROR",
    "[]",
    "<>",
    "<->",
    "'",
    "#",
    "X",
    "U",
    "W",
    "P = (a -> P).",
    "Q = (b -> END).",
    "||S = (P || Q).",
    "[i:0..2]",
    "(N=2)",
    "{a,b}",
    "P[i:0..1]",
    "\n",
];

fn constructs() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fsp/constructs");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|p| std::fs::read_to_string(p).unwrap())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}") {
        read(&text);
    }

    #[test]
    fn any_words_are_read_or_refused(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        read(&words.join(" "));
    }

    #[test]
    fn examples_with_words_changed_are_read_or_refused(
        number in 0..1000usize,
        changes in prop::collection::vec((0..10_000usize, prop::sample::select(WORDS), 0..3u8), 1..5),
    ) {
        let examples = constructs();
        let mut text = examples[number % examples.len()].clone();
        for (at, word, what) in changes {
            let mut cut = at % (text.len() + 1);
            while !text.is_char_boundary(cut) {
                cut -= 1;
            }
            let rest = text.split_off(cut);
            let kept = match what {
                0 => rest.as_str(),
                _ => rest.get(1..).unwrap_or(""),
            };
            if what < 2 {
                text.push_str(word);
            }
            text.push_str(kept);
        }
        read(&text);
    }
}

/// A small random generator with a seed that is shown.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    fn process(&mut self, name: &str) -> String {
        const LABELS: [&str; 5] = ["a", "b", "c", "d.e", "d.f"];
        let states = 1 + self.below(3);
        let mut locals = vec![format!("{name} = L0")];
        for state in 0..states {
            let branches: Vec<String> = (0..1 + self.below(2))
                .map(|_| {
                    let target = self.below(states + 1);
                    let label = LABELS[self.below(LABELS.len())];
                    match target == states {
                        true => format!("{label} -> STOP"),
                        false => format!("{label} -> L{target}"),
                    }
                })
                .collect();
            locals.push(format!("L{state} = ({})", branches.join(" | ")));
        }
        let tail = ["", " + {b}", " \\ {c}", " / {a/b}", " @ {a, d}"][self.below(5)];
        format!("{}{tail}.\n", locals.join(", "))
    }

    fn inner(&mut self) -> String {
        let part = ["P", "Q", "x:P", "{x,y}::Q", "P/{b/a}", "Q/{g/d}"];
        let (p, q) = (part[self.below(6)], part[self.below(6)]);
        let tail = ["", " \\ {a}", " @ {b, d}", " \\ {x, d.e}"][self.below(4)];
        format!("||IN = ({p} || {q}){tail}.\n")
    }

    fn outer(&mut self) -> String {
        let part = [
            "IN",
            "IN/{b/a}",
            "z:IN",
            "IN/{h/a, h/b}",
            "R",
            "{a,z}::IN",
            "IN/{k/d}",
        ];
        let (p, q) = (part[self.below(7)], part[self.below(7)]);
        format!("||S = ({p} || {q}).\n")
    }
}

fn size(text: &str) -> Option<Counts> {
    let loaded = load(vec![Input::new("m.lts", text)], &LoadOptions::default());
    let loaded = loaded.unwrap_or_else(|failed| panic!("{text}{:?}", failed.diagnostics));
    count(
        &loaded.network,
        &SizeLimits {
            states: 20_000,
            transitions: 200_000,
        },
    )
    .ok()
}

/// A composition with hiding is kept as parts with hidden names. Composing it up front, as LTSA
/// does, must give the same states and transitions.
#[test]
fn flattening_is_composing() {
    let mut compared = 0;
    for seed in 0..400 {
        let mut random = Random(seed);
        let processes: String = ["P", "Q", "R"].iter().map(|n| random.process(n)).collect();
        let (inner, outer) = (random.inner(), random.outer());
        let flat = format!("{processes}{inner}{outer}");
        let composed = format!("{processes}compose {inner}{outer}");
        let (Some(flat_size), Some(composed_size)) = (size(&flat), size(&composed)) else {
            continue;
        };
        assert_eq!(flat_size, composed_size, "seed {seed}:\n{flat}");
        compared += 1;
    }
    assert!(compared > 300, "only {compared} models were compared");
}
