//! What is said about programs that cannot be read: message, place and help.

#![allow(clippy::unwrap_used)]

use suppose_frontends::promela::{read, read_text};
use suppose_source::{Diagnostic, FileId, ParserLimits, Severity, Sources};

/// All errors of a text: message, line and column (0, 0 without a place), help.
fn errors(text: &str) -> Vec<(String, usize, usize, String)> {
    let (errors, sources) = match read_text("m.pml", text) {
        Ok(_) => return Vec::new(),
        Err(failed) => failed,
    };
    let shown = |it: &Diagnostic| {
        assert!(it.severity == Severity::Error);
        assert!(it.render(&sources, false).contains(&it.message));
        let (line, column) = it.span.map_or((0, 0), |span| {
            let position = sources.file(span.file).unwrap().position(span.start);
            (position.line, position.column)
        });
        (it.message.clone(), line, column, it.help.join(" "))
    };
    errors.iter().map(shown).collect()
}

/// Text, message, line, column, and a part of the help.
type Case = (&'static str, &'static str, usize, usize, &'static str);

const FORM: &[Case] = &[
    ("", "the program is empty", 0, 0, "active proctype P()"),
    (
        "byte x;",
        "the program has no process",
        0,
        0,
        "active proctype P()",
    ),
    (
        "proctype P() { skip }",
        "no process is there at the start",
        1,
        10,
        "write `active`",
    ),
    (
        "byte x; active proctype P() { x = 1 x = 2 }",
        "expected `;` or `->` after the statement, found `x`",
        1,
        37,
        "separated by `;`, `->` or a new line",
    ),
    (
        "byte x; active proctype P() { x = 1;",
        "expected `}`, found the end of the program",
        1,
        37,
        "",
    ),
    (
        "byte x; active proctype P() { if :: x == 1 -> x = 2; }",
        "expected `::` or `fi`, found `}`",
        1,
        54,
        "",
    ),
    (
        "byte x; active proctype P() { if x == 1 -> skip fi }",
        "expected `::`, found `x`",
        1,
        34,
        "start with `::`",
    ),
    (
        "byte x, y;\nactive proctype P() {\n x == 1\n && y == 2 -> skip\n}",
        "expected a statement, found `&&`",
        4,
        2,
        "end of the line before",
    ),
    (
        "active proctype P(byte a, byte b) { skip }",
        "expected the name of a variable, found `byte`",
        1,
        27,
        "write `;` instead of `,`",
    ),
    (
        "byte full; active proctype P() { skip }",
        "expected the name of a variable, found `full`",
        1,
        6,
        "a word of the language",
    ),
    (
        "active proctype P() { { } }",
        "there is no statement here",
        1,
        25,
        "`skip` does nothing",
    ),
    (
        "x = 1; active proctype P() { skip }",
        "expected a declaration or a process, found `x`",
        1,
        1,
        "body of a process",
    ),
    (
        "Foo x; active proctype P() { skip }",
        "expected a declaration or a process, found `Foo`",
        1,
        1,
        "no type `Foo`",
    ),
    (
        "active proctype P() { mtype = { a, b } }",
        "expected the name of a variable, found `=`",
        1,
        29,
        "outside of processes",
    ),
    (
        "byte x = 0x10; active proctype P() { skip }",
        "`0x10` is not a number",
        1,
        10,
        "decimal",
    ),
    (
        "int x = 99999999999; active proctype P() { skip }",
        "the number 99999999999 is too large",
        1,
        9,
        "",
    ),
    (
        "/* active proctype P() { skip }",
        "this comment is not closed",
        1,
        1,
        "`*/`",
    ),
    (
        "active proctype P() { printf(\"hello) }",
        "this text is not closed",
        1,
        30,
        "`\"`",
    ),
    (
        "active proctype P() { skip } §",
        "unexpected character `§`",
        1,
        30,
        "ASCII",
    ),
    (
        "active proctype P() { L: byte x; skip }",
        "a label cannot stand before a declaration",
        1,
        23,
        "next statement",
    ),
    (
        "byte x; active proctype P() { skip } ltl { [] (x == }",
        "expected an expression, found `}`",
        1,
        53,
        "",
    ),
    // C
    (
        "active proctype P() { c_code { x++; } }",
        "`c_code` runs C code, which is not supported",
        1,
        23,
        "SPIN",
    ),
    (
        "active proctype P() { c_expr { 1 } }",
        "`c_expr` runs C code, which is not supported",
        1,
        23,
        "SPIN",
    ),
    (
        "c_decl { int x; }\nactive proctype P() { skip }",
        "`c_decl` runs C code, which is not supported",
        1,
        1,
        "SPIN",
    ),
    (
        "c_state \"int x\" \"Global\"\ninit { skip }",
        "`c_state` runs C code, which is not supported",
        1,
        1,
        "SPIN",
    ),
    (
        "c_track \"&x\" \"4\"\ninit { skip }",
        "`c_track` runs C code, which is not supported",
        1,
        1,
        "SPIN",
    ),
];

const PREPROCESSOR: &[Case] = &[
    (
        "#include \"../secret\"\ninit { skip }",
        "`../secret` is outside the program's folder",
        1,
        10,
        "own folder",
    ),
    (
        "#include \"/etc/passwd\"\ninit { skip }",
        "`/etc/passwd` is outside the program's folder",
        1,
        10,
        "own folder",
    ),
    (
        "#include <stdio.h>\ninit { skip }",
        "expected the name of a file",
        1,
        1,
        "not read",
    ),
    (
        "#include \"none.h\"\ninit { skip }",
        "`none.h` cannot be read: there are no other files",
        1,
        10,
        "own folder",
    ),
    (
        "#ifdef A\ninit { skip }",
        "this `#if` is not closed",
        1,
        1,
        "`#endif`",
    ),
    ("#endif\ninit { skip }", "`#endif` without `#if`", 1, 1, ""),
    (
        "#if 1\n#else\n#else\n#endif\ninit { skip }",
        "`#else` after `#else`",
        3,
        1,
        "",
    ),
    (
        "#if 1 +\n#endif\ninit { skip }",
        "this condition cannot be read",
        1,
        1,
        "",
    ),
    (
        "#if 1 / 0\n#endif\ninit { skip }",
        "division by zero in a condition",
        1,
        1,
        "",
    ),
    (
        "#define F(a,b) a\nbyte x = F(1);\ninit { skip }",
        "the macro `F` takes 2 arguments, found 1",
        2,
        10,
        "",
    ),
    (
        "#define F(a) a\nbyte x = F(1;\ninit { skip }",
        "the arguments of the macro `F` are not closed",
        2,
        10,
        "`)`",
    ),
    (
        "#define F(a, ...) a\ninit { skip }",
        "macros with `...` are not supported",
        1,
        14,
        "fixed number",
    ),
    (
        "#error no\ninit { skip }",
        "`#error` in the program: no",
        1,
        1,
        "",
    ),
    (
        "#frob\ninit { skip }",
        "unknown directive `#frob`",
        1,
        1,
        "",
    ),
];

const NAMES: &[Case] = &[
    (
        "byte count; active proctype P() { cuont = 1 }",
        "there is no variable `cuont`",
        1,
        35,
        "did you mean `count`?",
    ),
    (
        "proctype Q() { byte z; skip } init { zz1 = 2 }",
        "there is no variable `zz1`",
        1,
        38,
        "",
    ),
    (
        "active proctype P() { byte z; skip } init { z = 2 }",
        "there is no variable `z`",
        1,
        45,
        "`P[pid]:z`",
    ),
    (
        "active proctype P() { { byte z; skip }; z = 2 }",
        "there is no variable `z`",
        1,
        41,
        "in a block that is closed",
    ),
    (
        "active proctype P() { L: skip; goto M }",
        "there is no label `M`",
        1,
        37,
        "write `M:`",
    ),
    (
        "active proctype P() { goto L } active proctype Q() { L: skip }",
        "there is no label `L`",
        1,
        28,
        "",
    ),
    (
        "active proctype P() { L: skip; L: skip }",
        "the label `L` is there twice",
        1,
        32,
        "",
    ),
    (
        "active proctype Worker() { run Worke() }",
        "there is no proctype `Worke`",
        1,
        32,
        "`Worker`",
    ),
    (
        "active proctype P() { f(1) }",
        "there is no inline or macro `f`",
        1,
        23,
        "inline name",
    ),
    (
        "proctype Q() { skip } init { Q() }",
        "there is no inline or macro `Q`",
        1,
        30,
        "`run Q(...)`",
    ),
    (
        "byte x; int x; active proctype P() { skip }",
        "the variable `x` is declared twice",
        1,
        13,
        "",
    ),
    (
        "active proctype P() { byte x; byte x; skip }",
        "the variable `x` is declared twice",
        1,
        36,
        "",
    ),
    (
        "active proctype P() { skip } active proctype P() { skip }",
        "there are two processes `P`",
        1,
        46,
        "",
    ),
    (
        "mtype = { a, a }; init { skip }",
        "the symbolic constant `a` is declared twice",
        1,
        14,
        "",
    ),
    (
        "typedef T { byte left }; T t; active proctype P() { t.lef = 1 }",
        "`T` has no field `lef`",
        1,
        55,
        "`left`",
    ),
    (
        "mtype:fruit x; active proctype P() { skip }",
        "there is no `mtype:fruit`",
        1,
        7,
        "declare it",
    ),
    (
        "active proctype P() { byte x; skip } init { P[0]:y == 1 }",
        "`P` has no variable `y`",
        1,
        50,
        "",
    ),
    (
        "active proctype P() { L: skip } init { P[0]@M }",
        "`P` has no label `M`",
        1,
        45,
        "",
    ),
    (
        "inline f() { skip } inline f() { skip } init { f() }",
        "the inline `f` is defined twice",
        1,
        28,
        "",
    ),
    (
        "inline f(a) { skip } active proctype P() { f() }",
        "the inline `f` takes 1 argument, found 0",
        1,
        44,
        "",
    ),
    (
        "inline f() { f() } active proctype P() { f() }",
        "the inline `f` calls itself",
        1,
        14,
        "recursive",
    ),
    (
        "byte x; init { skip } ltl p { [] x } ltl p { [] x }",
        "the claim `p` is declared twice",
        1,
        38,
        "",
    ),
];

const TYPES: &[Case] = &[
    (
        "byte a; active proctype P() { a[2] = 1 }",
        "`a` is not an array",
        1,
        31,
        "",
    ),
    (
        "byte a; active proctype P() { a!1 }",
        "this is not a channel",
        1,
        31,
        "",
    ),
    (
        "byte a; active proctype P() { a.b = 1 }",
        "only structures have fields",
        1,
        33,
        "",
    ),
    (
        "chan c; byte x; active proctype P() { c = x }",
        "a channel variable holds channels only",
        1,
        43,
        "",
    ),
    (
        "typedef T { byte a }; T t; byte x; active proctype P() { x = t }",
        "this is a whole `T`",
        1,
        62,
        "name a field",
    ),
    (
        "proctype Q(byte x) { skip } init { run Q() }",
        "`Q` has 1 parameter, found 0 arguments",
        1,
        36,
        "",
    ),
    (
        "byte x; proctype Q() { skip } init { x = 1 + run Q() }",
        "`run` cannot be part of an expression",
        1,
        46,
        "use it alone",
    ),
    (
        "mtype = { a }; active proctype P() { a = 1 }",
        "`a` cannot be written to",
        1,
        38,
        "",
    ),
    (
        "active proctype P() { _pid = 1 }",
        "`_pid` cannot be written to",
        1,
        23,
        "",
    ),
    (
        "byte a[0]; active proctype P() { skip }",
        "an array cannot have 0 elements",
        1,
        8,
        "",
    ),
    (
        "byte a[2000000]; active proctype P() { skip }",
        "more than 1048576 scalars in one frame",
        1,
        6,
        "smaller array",
    ),
    (
        "unsigned x; active proctype P() { skip }",
        "an `unsigned` needs a number of bits",
        1,
        10,
        "",
    ),
    (
        "unsigned x : 40; active proctype P() { skip }",
        "an `unsigned` has 1 to 32 bits",
        1,
        14,
        "",
    ),
    (
        "byte x : 4; active proctype P() { skip }",
        "only an `unsigned` has a number of bits",
        1,
        10,
        "",
    ),
    (
        "chan c = [-1] of { byte }; init { skip }",
        "a channel cannot hold -1 messages",
        1,
        11,
        "",
    ),
    (
        "chan c = [n] of { byte }; init { skip }",
        "there is no variable `n`",
        1,
        11,
        "",
    ),
    (
        "active [300] proctype P() { skip }",
        "300 processes are too many or too few",
        1,
        9,
        "",
    ),
    (
        "hidden byte x; active proctype P() { hidden byte y; x = 1 }",
        "only shared variables can be hidden",
        1,
        50,
        "",
    ),
];

const CONTROL: &[Case] = &[
    (
        "active proctype P() { break }",
        "`break` outside of a loop",
        1,
        23,
        "",
    ),
    (
        "active proctype P() { d_step { goto L }; L: skip }",
        "a jump out of a `d_step`",
        1,
        32,
        "`atomic`",
    ),
    (
        "active proctype P() { goto L; d_step { skip; L: skip } }",
        "a jump into a `d_step`",
        1,
        23,
        "",
    ),
    (
        "proctype Q() { skip } init { d_step { run Q() } }",
        "`run` inside a `d_step`",
        1,
        39,
        "`atomic`",
    ),
    (
        "active proctype P() { if :: else -> skip :: else -> skip fi }",
        "there are two `else` options",
        1,
        45,
        "",
    ),
    (
        "active proctype P() { L: goto M; M: goto L }",
        "jumps that lead only to each other",
        1,
        26,
        "`skip`",
    ),
    (
        "active proctype P() { skip; chan c = [1] of { byte } }",
        "this must be declared before the first statement",
        1,
        34,
        "move",
    ),
    (
        "byte x; active proctype P() { select(x : 3 .. 1) }",
        "there is nothing to select from",
        1,
        31,
        "",
    ),
    (
        "active proctype P() { skip } never { run P() }",
        "a claim cannot start processes",
        1,
        38,
        "",
    ),
    (
        "active proctype P() { skip } ltl { [] (1 + X 2) }",
        "a temporal formula inside an expression",
        1,
        39,
        "",
    ),
];

fn check(cases: &[Case]) {
    let mut wrong = Vec::new();
    for (text, message, line, column, help) in cases {
        let all = errors(text);
        let Some((found, l, c, h)) = all.first() else {
            wrong.push(format!("{text}\n  is read"));
            continue;
        };
        if (found.as_str(), *l, *c) != (*message, *line, *column) || !h.contains(help) {
            wrong.push(format!("{text}\n  expected {message} at {line}:{column}, help {help}\n  found    {found} at {l}:{c}, help {h}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn form() {
    check(FORM);
}

#[test]
fn preprocessor() {
    check(PREPROCESSOR);
}

#[test]
fn names() {
    check(NAMES);
}

#[test]
fn types() {
    check(TYPES);
}

#[test]
fn control() {
    check(CONTROL);
}

#[test]
fn several_errors_at_once() {
    let text = "byte x; active proctype P() { x = ; } active proctype Q() { y = } init { if }";
    assert_eq!(errors(text).len(), 3);
    let text = "byte x; active proctype P() { a = 1; b = 2; goto L }";
    let messages: Vec<String> = errors(text).into_iter().map(|e| e.0).collect();
    assert!(messages.iter().any(|m| m.contains("`a`")), "{messages:?}");
    assert!(messages.iter().any(|m| m.contains("`b`")), "{messages:?}");
    let many = "x = 1; init { ".repeat(100);
    assert!(errors(&many).len() <= 20);
}

#[test]
fn places_in_included_files_and_macros() {
    let text = "#define BAD y = 1\n#include \"a.h\"\nactive proctype P() { BAD; z = 2 }";
    let mut sources = Sources::single("m.pml", text);
    let mut includes = |name: &str| match name {
        "a.h" => Ok("byte x;\nint = 3;\n".to_owned()),
        _ => Err("not there".to_owned()),
    };
    let errors = read(
        FileId(0),
        &mut sources,
        &mut includes,
        &[],
        &ParserLimits::default(),
    )
    .unwrap_err();
    let span = errors[0].span.unwrap();
    let file = sources.file(span.file).unwrap();
    assert_eq!((file.name(), file.position(span.start).line), ("a.h", 2));

    let errors = self::errors("#define BAD y = 1\nactive proctype P() { skip; BAD }");
    assert_eq!((errors[0].1, errors[0].2), (2, 29), "{errors:?}");
}

#[test]
fn too_large_a_file_is_refused() {
    let limits = ParserLimits {
        bytes: 20,
        ..ParserLimits::default()
    };
    let mut sources = Sources::single("m.pml", "active proctype P() { skip }");
    let mut none = |_: &str| Err(String::new());
    let errors = read(FileId(0), &mut sources, &mut none, &[], &limits).unwrap_err();
    assert_eq!(errors[0].message, "the program is larger than 20 bytes");
}

#[test]
fn priorities_and_rendezvous_are_not_combined() {
    let declared = "chan c = [0] of { byte };\n";
    let bodies = [
        (
            "active proctype C() priority 3 { c!1 }\nactive proctype D() priority 1 { byte v; c?v }",
            17,
        ),
        (
            "active proctype C() { c!1 }\nproctype D() { byte v; c?v }\ninit { run D() priority 2 }",
            8,
        ),
        ("active proctype C() { set_priority(0, 2); c!1 }", 36),
        (
            "byte p; active proctype C() { p = get_priority(0); c!1 }",
            35,
        ),
        ("active proctype C() { _priority = 2; c!1 }", 23),
    ];
    for (body, column) in bodies {
        let all = errors(&format!("{declared}{body}"));
        assert_eq!(all.len(), 1, "{body}: {all:?}");
        let (message, line, at, help) = &all[0];
        assert_eq!(message, "priorities and rendezvous cannot be combined");
        assert!(*line > 1 && *at == column, "{body}: {line}:{at}");
        assert!(help.contains("[1] of"), "{help}");
        let room = format!("chan c = [1] of {{ byte }};\n{body}");
        assert_eq!(errors(&room), []);
    }
}

#[test]
fn a_claim_about_progress_leaves_the_others_decided() {
    let text = "byte x; active proctype P() { do :: x = 1 - x; progress: skip od }
        never { do :: np_ od }
        ltl a { [] <> !np_ }
        ltl b { [] (x < 3) }";
    let (read, _) = read_text("m.pml", text).unwrap();
    let claims: Vec<&str> = read.program.claims.iter().map(|c| &*c.name).collect();
    assert_eq!(claims, ["b"]);
    let open: Vec<&str> = read.undecided.iter().map(|u| &*u.name).collect();
    assert_eq!(open, ["never", "a"]);
    for it in &read.undecided {
        assert!(it.reason.contains("--progress"), "{}", it.reason);
    }
    let inside = errors("active proctype P() { np_ }");
    assert_eq!(inside[0].0, "`np_` asks about progress cycles");
}
