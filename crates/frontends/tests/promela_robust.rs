//! No text makes the PROMELA front-end panic, overflow or hang.
//! `PROPTEST_CASES=100000` runs it longer.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;

use proptest::prelude::*;
use suppose_frontends::promela::read;
use suppose_model::program::Program;
use suppose_source::{Diagnostic, FileId, ParserLimits, Sources};

fn limits() -> ParserLimits {
    ParserLimits {
        bytes: 16 << 20,
        depth: 100,
        states: 1_000_000,
        transitions: 4_000_000,
        labels: 2_000,
    }
}

fn outcome(text: &str) -> Result<Program, Vec<Diagnostic>> {
    let mut sources = Sources::single("m.pml", text);
    // A file that includes itself forever.
    let mut includes = |_: &str| Ok(text.to_owned());
    match read(FileId(0), &mut sources, &mut includes, &[], &limits()) {
        Ok(read) => {
            for warning in &read.warnings {
                let _ = warning.render(&sources, false);
            }
            check(&read.program);
            Ok(read.program)
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            for error in &errors {
                assert!(error.render(&sources, false).contains("error"));
            }
            Err(errors)
        }
    }
}

/// All numbers point to something.
fn check(program: &Program) {
    for proctype in &program.proctypes {
        assert!((proctype.entry as usize) < proctype.locations.len());
        assert!(proctype.parameters as usize <= proctype.locals.len());
        for edge in proctype.locations.iter().flat_map(|l| &l.edges) {
            assert!((edge.target as usize) < proctype.locations.len());
        }
    }
    for start in &program.start {
        assert!((start.proctype as usize) < program.proctypes.len());
    }
    for claim in &program.claims {
        assert!((claim.end as usize) < claim.locations.len());
        for edge in claim.locations.iter().flat_map(|l| &l.edges) {
            assert!((edge.target as usize) < claim.locations.len());
        }
    }
}

const PROGRAM: &str = r#"
#define N 2
#define MAX(a, b) ((a) > (b) -> (a) : (b))
#if N > 1 && defined(N)
mtype = { ack, nak }
#else
mtype = { other };
#endif
typedef Message { byte body; bool flags[N] };
chan link = [N] of { mtype, byte };
chan sync = [0] of { Message };
byte x = 1; int total; unsigned u : 3; local Message box;
inline put(what, where) {
    where!what(x);
    if :: what == ack -> total++ :: else fi
}
active [N] proctype P() provided (x < 9) {
    byte i = 3; Message m
    pid who = _pid
start:
    do
    :: link?ack(i) -> x = MAX(i, N)
    :: link??nak, eval(x) -> skip
    :: atomic { len(link) < N -> put(nak, link); link!!ack, 2 }
    :: d_step { x > 3; if :: i == 0 -> i = 1 :: i > 0 -> i-- fi; x = 0 }
    :: timeout -> break
    :: link?<_, i> -> goto start
    od
    for (i : 0 .. N - 1) { m.flags[i] = true };
    for (i in m.flags) { assert(m.flags[i]) }
    select (i : 1 .. 3);
    { sync!m; x = 1 } unless { full(link) || link?[nak, _] };
    byte late = x
end_here: sync?box
progress: run Q(link, late);
    printf("%d\n", i)
}
proctype Q(chan c; byte b) {
    xr c; c?_, b; P[0]:i == 3 && P[1]@start -> b = 1
}
never { do :: x > 200 -> break :: else od }
ltl safe { [] (x < 100 && !(total == 3)) }
ltl live { <> (x == 3) }
"#;

#[test]
fn every_beginning_of_a_program() {
    let program = outcome(PROGRAM).unwrap();
    assert_eq!((program.proctypes.len(), program.claims.len()), (2, 3));
    for end in 0..PROGRAM.len() {
        let _ = outcome(&PROGRAM[..end]);
    }
}

#[test]
fn every_program_with_a_word_left_out_or_doubled() {
    let words: Vec<&str> = PROGRAM
        .split_inclusive([' ', '\n', ';', '(', ')', '{', '}', '[', ']'])
        .collect();
    for left_out in 0..words.len() {
        let mut less = words.clone();
        let word = less.remove(left_out);
        let _ = outcome(&less.concat());
        less.insert(left_out, word);
        less.insert(left_out, word);
        let _ = outcome(&less.concat());
    }
}

/// So many levels of the same thing are read or refused, and refused with the reason.
#[test]
fn deep_nesting_is_refused() {
    let deep = 5_000;
    let shapes = [
        ("(", "x", ")"),
        ("a[", "x", "]"),
        ("!", "x", ""),
        ("- ", "x", ""),
        ("{ ", "skip", " }"),
        ("if :: ", "skip", " fi"),
        ("do :: ", "skip", " od"),
        ("atomic { ", "skip", " }"),
        ("d_step { ", "skip", " }"),
        ("(x -> 1 : ", "1", ")"),
    ];
    for (open, inner, close) in shapes {
        let text = format!(
            "byte x; byte a[2]; active proctype P() {{ {}{inner}{} }}",
            open.repeat(deep),
            close.repeat(deep)
        );
        let errors = outcome(&text).unwrap_err();
        let message = &errors[0].message;
        assert!(message.contains("levels deep"), "{open}: {message}");
    }
    let formula = format!(
        "byte x; active proctype P() {{ skip }} ltl {{ {} x {} }}",
        "[] (".repeat(deep),
        ")".repeat(deep)
    );
    assert!(
        outcome(&formula).unwrap_err()[0]
            .message
            .contains("levels deep")
    );
    let pattern = format!(
        "chan c = [1] of {{ byte }}; active proctype P() {{ c?{}_{} }}",
        "(".repeat(deep),
        ")".repeat(deep)
    );
    assert!(
        outcome(&pattern).unwrap_err()[0]
            .message
            .contains("levels deep")
    );
}

#[test]
fn long_chains_are_read_or_refused() {
    let ands = format!(
        "byte x; active proctype P() {{ {} }}",
        vec!["x == 1"; 20_000].join(" && ")
    );
    assert!(outcome(&ands).is_ok());
    let sums = format!(
        "int x; active proctype P() {{ x = {} }}",
        vec!["x"; 20_000].join(" + ")
    );
    assert!(
        outcome(&sums).unwrap_err()[0]
            .message
            .contains("operators in a row")
    );
    let unless = format!(
        "byte x; active proctype P() {{ {} }}",
        "{ skip } unless { x == 1 }; ".repeat(2_000)
    );
    assert!(outcome(&unless).is_ok());
}

#[test]
fn macros_and_inlines_do_not_blow_up() {
    let mut macros = String::from("#define M0 x = x\n");
    let mut inlines = String::from("byte x; inline m0() { x = x }\n");
    for n in 1..60 {
        if n < 25 {
            writeln!(inlines, "inline m{n}() {{ m{}(); m{}() }}", n - 1, n - 1).unwrap();
        }
        writeln!(macros, "#define M{n} M{}; M{}", n - 1, n - 1).unwrap();
    }
    let macros = format!("{macros} byte x; active proctype P() {{ M59 }}");
    assert!(
        outcome(&macros).unwrap_err()[0]
            .message
            .contains("macros make more than")
    );
    let inlines = format!("{inlines} active proctype P() {{ m24() }}");
    let message = outcome(&inlines).unwrap_err()[0].message.clone();
    assert!(message.contains("inlines make more than"), "{message}");
    let itself = "#define A A B\n#define B A B\nbyte A; active proctype P() { skip }";
    let _ = outcome(itself);
    let text = "#include \"m.pml\"\nactive proctype P() { skip }";
    assert!(
        outcome(text).unwrap_err()[0]
            .message
            .contains("more than 20 deep")
    );
}

#[test]
fn large_programs_are_read() {
    let mut text = String::from("byte x; active proctype P() {\n");
    for n in 0..100_000 {
        match n % 4 {
            0 => writeln!(text, "  if :: x == {} -> x++ :: else -> skip fi;", n % 256).unwrap(),
            1 => writeln!(text, "  x = (x + {}) % 7;", n % 100).unwrap(),
            2 => writeln!(text, "L{n}: atomic {{ x > 0; x-- }}").unwrap(),
            _ => writeln!(text, "  do :: x < 3 -> x++ :: break od").unwrap(),
        }
    }
    text.push('}');
    let program = outcome(&text).unwrap();
    assert!(program.proctypes[0].locations.len() > 150_000);
}

const WORDS: &[&str] = &[
    "x", "y", "c", "P", "N", "L", "byte", "int", "bool", "chan", "mtype", "active", "proctype",
    "init", "{", "}", "(", ")", "[", "]", ";", "\n", "->", "::", ":", "if", "fi", "do", "od",
    "else", "break", "goto", "skip", "atomic", "d_step", "unless", "!", "!!", "?", "??", "=", "==",
    "++", "+", "-", "*", "&&", "||", "1", "2", ",", ".", "..", "run", "of", "for", "select",
    "inline", "typedef", "ltl", "never", "U", "X", "<>", "assert", "timeout", "len", "eval", "_",
    "_pid", "@", "#define", "#if", "#endif", "\"s\"", "printf", "provided", "in",
];

proptest! {
    #[test]
    fn any_text(text in "\\PC{0,200}") {
        let _ = outcome(&text);
    }

    #[test]
    fn any_words(words in proptest::collection::vec(proptest::sample::select(WORDS), 0..80)) {
        let _ = outcome(&words.join(" "));
        let body = format!("byte x, y; chan c = [1] of {{ byte }}; active proctype P() {{ {} }}", words.join(" "));
        let _ = outcome(&body);
    }
}
