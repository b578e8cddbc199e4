//! Aldebaran files: what is taken, what is refused and where, and the way there and back.

use crate::aut::{self, Tau};
use suppose_model::lts::{Label, Labels, Lts, LtsBuilder};
use suppose_source::{Diagnostic, FileId, ParserLimits, Sources};
use suppose_testkit::{Rng, Shape, for_each_seed, random};

fn read(text: &str) -> Result<(Lts, Labels), Vec<Diagnostic>> {
    let mut labels = Labels::new();
    let limits = ParserLimits::default();
    let lts = aut::read(text, FileId(0), "m", &mut labels, &limits)?;
    Ok((lts, labels))
}

fn dump(text: &str) -> String {
    let (lts, labels) = read(text).unwrap();
    lts.dump(&labels)
}

/// Line and column of the first error, and its message.
fn error(text: &str) -> (usize, usize, String) {
    place(text, &read(text).unwrap_err())
}

fn place(text: &str, errors: &[Diagnostic]) -> (usize, usize, String) {
    let sources = Sources::single("m.aut", text);
    let position = sources
        .file(FileId(0))
        .unwrap()
        .position(errors[0].span.unwrap().start);
    assert!(errors.iter().all(|e| !e.render(&sources, false).is_empty()));
    (position.line, position.column, errors[0].message.clone())
}

#[test]
fn what_tools_write_is_read() {
    let text = "des(1, 5,3)\r\n\r\n(0, \"send !1, x\", 1)\r\n(0,i,0)\n  ( 1 , \"i\" , 2 )\n(2,tau,0)\n(2,get(1,2),1)\n\n";
    let (lts, _) = read(text).unwrap();
    assert_eq!((lts.initial(), lts.states()), (1, 3));
    assert_eq!(
        dump(text),
        "0 -tau-> 0\n0 -send !1, x-> 1\n1 -tau-> 2\n2 -tau-> 0\n2 -get(1,2)-> 1\n"
    );
    assert_eq!(
        dump("des (0,1,1)\n(0,\"a \"b\" c\",0)"),
        "0 -a \"b\" c-> 0\n"
    );
    assert_eq!(dump("des (0,1,1)\r(0,ä ö,0)\r"), "0 -ä ö-> 0\n");
    assert_eq!(dump("des (0,0,1)"), "");
}

#[test]
fn the_error_state_of_ltsa() {
    let (lts, _) = read("des(0,2,2)\n(0,a,1)\n(1,b,-1)").unwrap();
    assert_eq!((lts.states(), lts.error()), (3, Some(2)));
    assert_eq!(lts.transitions(), 2);
}

#[test]
fn mistakes_have_a_place() {
    let cases = [
        ("", (1, 1), "the file is empty"),
        ("  \n", (1, 1), "the file is empty"),
        ("dse (0,0,1)", (1, 1), "the line is not understood"),
        ("des (0,0)", (1, 8), "a comma is missing"),
        ("des (x,0,1)", (1, 6), "this is not a number"),
        ("des (-1,0,1)", (1, 6), "this is not a number"),
        ("des (0,0,0)", (1, 1), "there are no states"),
        (
            "des (3,0,3)",
            (1, 6),
            "the initial state is 3, but there are 3 states",
        ),
        (
            "des (0,2,1)\n(0,a,0)",
            (1, 8),
            "the header announces 2 transitions, but there are 1",
        ),
        (
            "des (0,0,1)\n(0,a,0)",
            (1, 8),
            "the header announces 0 transitions, but there are 1",
        ),
        ("des (0,1,1)\n(0,a,1)", (2, 6), "there is no state 1"),
        ("des (0,1,1)\n(7,a,0)", (2, 2), "there is no state 7"),
        ("des (0,1,1)\n(0,a,0", (2, 1), "the line is not understood"),
        ("des (0,1,1)\n(0;a;0)", (2, 2), "a comma is missing"),
        ("des (0,1,1)\n(0,a)", (2, 4), "a comma is missing"),
        ("des (0,1,1)\n(0,,0)", (2, 4), "the label is missing"),
        ("des (0,1,1)\n(0,\"\",0)", (2, 4), "the label is empty"),
        (
            "des (0,1,1)\n(0,\"a,0)",
            (2, 4),
            "the label's closing quote is missing",
        ),
        (
            "des (0,1,1)\n(0,\",0)",
            (2, 4),
            "the label's closing quote is missing",
        ),
        (
            "des (0,1,1)\n(0,a,4294967296)",
            (2, 6),
            "the number is too large",
        ),
        (
            "des (0,1,99999999999999999999)",
            (1, 10),
            "the number is too large",
        ),
    ];
    for (text, (line, column), message) in cases {
        assert_eq!(error(text), (line, column, message.to_owned()), "{text:?}");
    }
    assert!(error("des (0,0,4000000000)").2.contains("states"));
    assert!(error("des (0,4000000000,1)").2.contains("transitions"));
}

#[test]
fn a_header_alone_takes_no_memory() {
    let (lts, _) = read("des (0,1,19999999)\n(0,a,2)").unwrap();
    assert_eq!(lts.states(), 3);
}

#[test]
fn errors_are_many_but_not_endless() {
    let text = format!("des (0,1,1)\n{}", "(x)\n".repeat(1000));
    assert_eq!(read(&text).unwrap_err().len(), 10);
}

#[test]
fn limits_are_kept() {
    let limits = ParserLimits {
        bytes: 40,
        labels: 1,
        states: 2,
        transitions: 2,
        ..ParserLimits::default()
    };
    let refused = |text: &str| {
        let read = aut::read(text, FileId(0), "m", &mut Labels::new(), &limits);
        read.unwrap_err()[0].message.clone()
    };
    assert_eq!(refused("des (0,1,3)"), "more than 2 states");
    assert_eq!(refused("des (0,3,1)"), "more than 2 transitions");
    assert_eq!(
        refused("des (0,2,1)\n(0,a,0)\n(0,b,0)"),
        "more than 1 labels"
    );
    assert!(refused(&" ".repeat(41)).contains("larger"));
}

#[test]
fn properties_are_deterministic() {
    let limits = ParserLimits::default();
    let read = |text: &str| {
        aut::read_property(text, FileId(0), "P", &mut Labels::new(), &limits)
            .map(|_| ())
            .map_err(|errors| (place(text, &errors), errors[0].notes.len()))
    };
    assert_eq!(read("des (0,2,2)\n(0,a,1)\n(0,b,0)"), Ok(()));
    let (found, notes) = read("des (0,3,2)\n(1,a,1)\n(1,b,0)\n(1,\"a\",0)").unwrap_err();
    assert_eq!((found.0, found.1, notes), (2, 1, 1));
    assert!(found.2.contains("two transitions with a"), "{}", found.2);
    let (found, _) = read("des (0,2,2)\n(1,a,1)\n(1,\"i\",0)").unwrap_err();
    assert_eq!(
        (found.0, found.2.as_str()),
        (3, "a property must not have tau")
    );
}

/// With the same labels and states, what is written is read back.
#[test]
fn there_and_back() {
    for_each_seed(500, |rng| {
        let mut labels = random::labels(3);
        labels.intern("x y, \"z\")");
        labels.intern_hidden("h");
        let all: Vec<Label> = labels.iter().collect();
        let shape = Shape {
            end: 0,
            ..Shape::default()
        };
        let lts = random::lts(rng, "m", &all, &shape);
        for tau in [Tau::I, Tau::Tau] {
            let text = aut::write(&lts, &labels, tau);
            let limits = ParserLimits::default();
            let back = aut::read(&text, FileId(0), "m", &mut labels.clone(), &limits).unwrap();
            assert!(back.all_edges().eq(lts.all_edges()), "{text}");
            assert_eq!(back.initial(), lts.initial());
        }
    });
}

#[test]
fn visible_labels_stay_visible() {
    let mut labels = Labels::new();
    let mut builder = LtsBuilder::new("m");
    for name in ["i", "i'", "a\nb", "a b", ""] {
        builder.edge(0, labels.intern(name), 0);
    }
    builder.edge(0, Label::TAU, 0);
    let text = aut::write(&builder.build(), &labels, Tau::I);
    assert_eq!(
        text.lines().collect::<Vec<_>>(),
        [
            "des (0,6,1)",
            "(0,i,0)",
            "(0,\"i''\",0)",
            "(0,\"i'\",0)",
            "(0,\"a b'\",0)",
            "(0,\"a b\",0)",
            "(0,\"'\",0)",
        ]
    );
}

/// Damaged files give diagnostics that can be shown, and nothing worse.
#[test]
fn nothing_panics() {
    let good = "des (0, 3, 2)\r\n(0, \"a ä\", 1)\n(1,i,0)\n(0,b(1,2),-1)\n";
    let limits = ParserLimits {
        states: 1000,
        ..ParserLimits::default()
    };
    for_each_seed(20_000, |rng| {
        let text = damage(rng, good);
        let sources = Sources::single("m.aut", text.clone());
        for reader in [aut::read, aut::read_property] {
            if let Err(errors) = reader(&text, FileId(0), "m", &mut Labels::new(), &limits) {
                assert!(!errors.is_empty());
                for error in errors {
                    assert!(!error.render(&sources, false).is_empty());
                }
            }
        }
    });
}

fn damage(rng: &mut Rng, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let noise: Vec<char> = "(),\"-0129i \n\r\tdesäτ".chars().collect();
    for _ in 0..rng.between(1, 6) {
        let at = rng.below(chars.len());
        let random = *rng.pick(&noise).unwrap();
        match rng.below(4) {
            0 if !chars.is_empty() => drop(chars.remove(at)),
            1 => chars.insert(at, random),
            2 => chars.truncate(at),
            _ if !chars.is_empty() => chars[at] = random,
            _ => {}
        }
    }
    chars.into_iter().collect()
}
