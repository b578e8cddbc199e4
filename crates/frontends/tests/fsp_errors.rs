//! What is said about files that cannot be read: message, place and help.

#![allow(clippy::unwrap_used)]

use suppose_frontends::{Failed, Input, LoadOptions, Loaded, Role, load};
use suppose_source::ParserLimits;

fn read(text: &str, options: &LoadOptions) -> Result<Loaded, Failed> {
    load(vec![Input::new("m.lts", text)], options)
}

/// The one error of a text: message, line and column (0, 0 if it has no place), help.
fn error(text: &str, options: &LoadOptions) -> (String, usize, usize, String) {
    let failed = match read(text, options) {
        Ok(_) => return ("no error".to_owned(), 0, 0, String::new()),
        Err(failed) => failed,
    };
    let first = &failed.diagnostics[0];
    let (line, column) = match first.span {
        None => (0, 0),
        Some(span) => {
            let file = failed.sources.file(span.file).unwrap();
            let position = file.position(span.start);
            (position.line, position.column)
        }
    };
    // Rendering must work for all of them, too.
    assert!(
        first
            .render(&failed.sources, false)
            .contains(&first.message)
    );
    (first.message.clone(), line, column, first.help.join(" "))
}

/// Text, message, line, column, and a part of the help.
const ERRORS: &[(&str, &str, usize, usize, &str)] = &[
    ("", "the file is empty", 0, 0, "P = (a -> P)."),
    ("// nothing\n", "the file is empty", 0, 0, "P = (a -> P)."),
    (
        "const N = 1",
        "the file defines no process",
        0,
        0,
        "P = (a -> P).",
    ),
    // the end of definitions
    (
        "P = (a -> P)",
        "expected `.` or `,` after the process, found the end of the file",
        1,
        13,
        "ends with `.`",
    ),
    (
        "P = (a -> P)\nQ = (b -> Q).",
        "expected `.` or `,` after the process, found `Q`",
        1,
        13,
        "ends with `.`",
    ),
    (
        "P = (a -> P).\n||S = (P)",
        "expected `.` after the composition, found the end of the file",
        2,
        10,
        "ends with `.`",
    ),
    (
        "P = (a -> P)..",
        "expected `.` or `,` after the process, found `..`",
        1,
        13,
        "ends with `.`",
    ),
    (
        "P = (a -> P). .",
        "expected a definition, found `.`",
        1,
        15,
        "nothing is open",
    ),
    (
        "p = (a -> p).",
        "expected a definition, found `p`",
        1,
        1,
        "upper-case",
    ),
    // processes
    ("P = (a P).", "expected `->`, found `P`", 1, 8, "`->`"),
    (
        "P = (a -> P | b).",
        "expected `->`, found `)`",
        1,
        16,
        "`->`",
    ),
    (
        "P = a -> P.",
        "expected `(`, `if` or the name of a process, found `a`",
        1,
        5,
        "parentheses",
    ),
    (
        "P = (a -> P || b -> P).",
        "expected `|` or `)`, found `||`",
        1,
        13,
        "a choice is `|`",
    ),
    (
        "P = (a -> (b -> P).",
        "expected `|` or `)`, found `.`",
        1,
        19,
        "needs its `)`",
    ),
    (
        "P = (Q -> P).",
        "expected an action, found `Q`",
        1,
        6,
        "starts with an action",
    ),
    (
        "P = (a.1 -> P).",
        "expected a label, found `1`",
        1,
        8,
        "[1]",
    ),
    ("P = (a[] -> P).", "expected `->`, found `[]`", 1, 7, ""),
    (
        "P = (tau -> P).",
        "`tau` cannot be used as a label",
        1,
        6,
        "hide",
    ),
    (
        "P[i:0..1] = (a -> P).",
        "the name of a process cannot have an index",
        1,
        2,
        "P = P[0]",
    ),
    (
        "P@ = (a -> P).",
        "accepting states are not supported",
        1,
        2,
        "",
    ),
    (
        "P = (a -> Q(1)).",
        "expected `;`, found `)`",
        1,
        15,
        "sequence",
    ),
    (
        "P = (a -> (when 1 b -> P | when c -> P)).",
        "expected a label, found `->`",
        1,
        35,
        "",
    ),
    (
        "P(N) = (a -> P).",
        "expected `=`, found `)`",
        1,
        4,
        "default",
    ),
    (
        "P = (a -> P)/{b}.",
        "expected `/`, found `}`",
        1,
        16,
        "new/old",
    ),
    (
        "import P = \"p.aut\"\n||S = (P).",
        "the file `p.aut` was not read",
        1,
        12,
        "in the folder of this one",
    ),
    (
        "P = (a -> P). /* open",
        "this comment is not closed",
        1,
        15,
        "*/",
    ),
    (
        "P = (a -> P). $",
        "unexpected character `$`",
        1,
        15,
        "ASCII",
    ),
    ("P = (ä -> P).", "unexpected character `ä`", 1, 6, "ASCII"),
    ("animation A = \"x", "this text is not closed", 1, 15, ""),
    // names
    (
        "FORK = (a -> FORK).\n||S = (FROK).",
        "no process `FROK`",
        2,
        8,
        "did you mean `FORK`?",
    ),
    ("P = (a[i] -> P).", "no variable `i`", 1, 8, "bind it"),
    (
        "P = (a[i:0..1] -> b[j] -> P).",
        "no variable `j`",
        1,
        21,
        "bind it",
    ),
    (
        "P = (a[N] -> P).",
        "no constant or parameter `N`",
        1,
        8,
        "const N",
    ),
    (
        "const Max = 2\nP = (a[max:0..Mx] -> P).",
        "no constant or parameter `Mx`",
        2,
        15,
        "did you mean `Max`?",
    ),
    (
        "range Rng = 0..1\nP = (a[i:Rang] -> P).",
        "no range or set `Rang`",
        2,
        10,
        "did you mean `Rng`?",
    ),
    (
        "range R = 0..1\nP = (a[R+1] -> P).",
        "no constant or parameter `R`",
        2,
        8,
        "range or a set",
    ),
    (
        "P = (a -> P) + Labels.",
        "no set `Labels`",
        1,
        16,
        "set Labels",
    ),
    (
        "P = (a -> P).\nassert A = [] F",
        "no fluent or assertion `F`",
        2,
        15,
        "fluent F",
    ),
    // definitions
    (
        "P = (a -> P).\nP = (b -> P).",
        "the process `P` is defined twice",
        2,
        1,
        "another name",
    ),
    (
        "const N = 1\nconst N = 2\nP = (a -> P).",
        "the constant `N` is defined twice",
        2,
        7,
        "",
    ),
    (
        "P = (a -> Q), Q = (b -> P), Q = (c -> P).",
        "the local process `Q` is defined twice",
        1,
        29,
        "",
    ),
    (
        "P = Q[0], Q[i:0..2] = (b -> P), Q[2] = STOP.",
        "the local process `Q` is defined twice",
        1,
        33,
        "",
    ),
    ("STOP = (a -> STOP).", "`STOP` cannot be defined", 1, 1, ""),
    (
        "P(N=1, N=2) = (a -> P).",
        "the parameter `N` is there twice",
        1,
        8,
        "",
    ),
    (
        "P = (a[i:0..1] -> b[i:0..1] -> P).",
        "the variable `i` is already bound",
        1,
        21,
        "another name",
    ),
    // recursion
    (
        "P = Q, Q = P.",
        "this recursion has no action on the way",
        1,
        12,
        "(a -> P)",
    ),
    (
        "P = P.",
        "this recursion has no action on the way",
        1,
        5,
        "(a -> P)",
    ),
    (
        "P = Q[0], Q[i:0..2] = Q[(i+1)%3].",
        "this recursion has no action on the way",
        1,
        23,
        "",
    ),
    (
        "P = (a -> P;END).",
        "`P` is part of its own sequence",
        1,
        11,
        "local process",
    ),
    (
        "P = (a -> P).\n||S = (P || S).",
        "`S` is nested more than 200 levels deep",
        2,
        13,
        "without end",
    ),
    (
        "P = (a -> P).\n||S = (a:T || b:T).\n||T = (S).",
        "`T` is nested more than 200 levels deep",
        2,
        10,
        "without end",
    ),
    (
        "P = (a -> P).\nassert A = B\nassert B = A",
        "the formula is nested more than 200 levels deep",
        2,
        12,
        "name itself",
    ),
    ("P = (a -> P).\nQ = P;END.", "`P` never ends", 2, 5, "END"),
    // values
    (
        "const N = 1/0\nP = (a -> P).",
        "division by zero",
        1,
        12,
        "",
    ),
    ("P = (a[1%0] -> P).", "division by zero", 1, 9, ""),
    (
        "const N = 9223372036854775807 + 1\nP = (a -> P).",
        "the result is too large a number",
        1,
        31,
        "",
    ),
    (
        "const N = 99999999999999999999\nP = (a -> P).",
        "the number `99999999999999999999` is too large",
        1,
        11,
        "",
    ),
    (
        "const N = 089\nP = (a -> P).",
        "`089` is not an octal number",
        1,
        11,
        "octal",
    ),
    (
        "P = (a[1<<70] -> P).",
        "the result is too large a number",
        1,
        9,
        "",
    ),
    (
        "range R = 3..1\nP = (a -> P).",
        "the range 3..1 is empty",
        1,
        11,
        "",
    ),
    ("P = (a[2..0] -> P).", "the range 2..0 is empty", 1, 7, ""),
    (
        "P = (a[i:{x,y}] -> b[i+1] -> P).",
        "the label `y` is used as a number",
        1,
        23,
        "",
    ),
    (
        "P = (a[@({x,y}, 2)] -> P).",
        "index 2 is out of range: the set has 2 labels",
        1,
        8,
        "",
    ),
    (
        "P(N=1) = (a -> P).\n||S = (P(1,2)).",
        "`P` has 1 parameters, but 2 are given",
        2,
        8,
        "",
    ),
    ("P = STOP[1].", "`STOP` has no indices", 1, 5, ""),
    (
        "P = (a -> P).\n||S = ().",
        "the system `S` has no components",
        0,
        0,
        "at least one",
    ),
    // properties and formulas
    (
        "property P = (a -> b -> P | a -> c -> P).\n||S = (P).",
        "the property `P` is not deterministic",
        1,
        10,
        "one state",
    ),
    (
        "property P = (a -> b -> P)\\{b}.\n||S = (P).",
        "the property `P` is not deterministic",
        1,
        10,
        "hide nothing",
    ),
    (
        "P = (a -> P).\nassert A = a && b",
        "expected the end of the assertion, found `&&`",
        2,
        14,
        "parentheses",
    ),
    (
        "P = (a -> P).\nassert A = []a\n||S = (P || A).",
        "`A` is an assertion, not a process",
        3,
        13,
        "leave it out",
    ),
    (
        "P = (a -> P).\nconstraint A = <>a\n||S = (P || A).",
        "`A` cannot be composed: it says that something must happen in the end",
        3,
        13,
        "",
    ),
    (
        "P = (a -> P).\nfluent F = <a, {a, b}>\nassert A = []F",
        "the action `a` both starts and ends the fluent `F`",
        2,
        8,
        "",
    ),
    (
        "P = (a -> P).\nfluent F[i:0..1] = <a[i], b>\nassert A = []F[2]",
        "the fluent `F` has no index [2]",
        3,
        14,
        "",
    ),
];

#[test]
fn errors_say_what_where_and_how_to_mend_it() {
    let mut wrong = Vec::new();
    for (text, message, line, column, help) in ERRORS {
        let found = error(text, &LoadOptions::default());
        let ok =
            found.0 == *message && (found.1, found.2) == (*line, *column) && found.3.contains(help);
        if !ok {
            wrong.push(format!(
                "{text:?}\n  found    {found:?}\n  expected {:?}",
                (message, line, column, help)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn limits_stop_what_would_be_too_large() {
    let huge = [
        "P = (a[i:0..100000000000] -> P).",
        "P = Q[0], Q[i:0..100000000000] = (a -> P).",
        "P = Q[0][0][0], Q[i:0..99999][j:0..99999][k:0..99999] = (a -> P).",
        "P = (a[i:0..1999][j:0..1999] -> P).",
        "P = (a -> P).\n||S = forall [i:0..100000000000] P.",
        "P = (a -> P).\n||S = (p[i:0..100000000000]:P).",
        "P = (a -> P).\n||S = P/{forall [i:0..100000000000] {x[i]/a}}.",
        "P = (a -> P).\nassert A = forall [i:0..100000000000] [] !a",
        "set S = {a[0..100000000000]}\nP = (a -> P).",
        "P = (a -> P) + {b[0..999][0..999][0..999]}.",
        "P = (a -> P).\n||S(N=60) = if N == 0 then P else (a:S(N-1) || b:S(N-1)).",
    ];
    let options = LoadOptions {
        limits: ParserLimits {
            states: 100_000,
            transitions: 1_000_000,
            labels: 100_000,
            ..ParserLimits::default()
        },
        ..LoadOptions::default()
    };
    for text in huge {
        let (message, ..) = error(text, &options);
        let said = ["more than", "too large"]
            .iter()
            .any(|m| message.contains(m));
        assert!(said, "{text}: {message}");
    }
}

#[test]
fn a_large_part_that_must_be_composed_is_refused() {
    let text = "P = (a -> b -> P).\nminimal ||IN = (p[0..99]:P).\n||S = (IN).";
    let limits = ParserLimits {
        states: 10_000,
        ..ParserLimits::default()
    };
    let options = LoadOptions {
        limits,
        ..LoadOptions::default()
    };
    let (message, line, ..) = error(text, &options);
    assert_eq!(
        (message.as_str(), line),
        ("`IN` has more than 10000 states", 2)
    );
}

#[test]
fn deep_nesting_is_refused_and_long_chains_are_not() {
    let options = LoadOptions::default();
    let deep = [
        format!(
            "P = {}a -> P{}.",
            "(a -> ".repeat(100_000),
            ")".repeat(100_000)
        ),
        format!(
            "P = (a[{}1{}] -> P).",
            "(".repeat(100_000),
            ")".repeat(100_000)
        ),
        format!(
            "P = (a -> P).\n||S = {}P{}.",
            "(".repeat(100_000),
            ")".repeat(100_000)
        ),
        format!("P = (a -> P).\nassert A = {}a", "!".repeat(100_000)),
        format!(
            "P = (a -> P).\n||S = {}S{}.",
            "(".repeat(150),
            ")".repeat(150)
        ),
        format!("P = (a{} -> P).", "[#{a".repeat(100_000)),
        format!("P = {} STOP.", "if 1 then ".repeat(100_000)),
        format!("set S = {}a", "{".repeat(100_000)),
    ];
    let long = format!("P = (a{} -> P).", ".a".repeat(100_000));
    let (message, ..) = error(&long, &options);
    assert_eq!(message, "the label is longer than 4096 characters");
    for text in deep {
        let (message, ..) = error(&text, &options);
        assert!(message.contains("levels deep"), "{message}");
    }
    let many = 20_000;
    let long = [
        format!("P = ({}P).", "a -> ".repeat(many)),
        format!("P = (a[{}1] -> P).", "1+".repeat(many)),
        format!("P = (a[{}1] -> P).", "-".repeat(many)),
        format!("P = (a{} -> P).", ".a".repeat(2_000)),
        format!("P = ({} b -> P).", "a -> P | ".repeat(many)),
        format!("P = (a -> P).\nassert A = ({} b)", "a && ".repeat(many)),
        format!("P = (a -> P).\n||S = (P{}).", " || P".repeat(1000)),
        format!(
            "P = Q0{}, Q{many} = (a -> P).",
            (0..many)
                .map(|i| format!(", Q{i} = Q{}", i + 1))
                .collect::<String>()
        ),
    ];
    for text in long {
        assert!(read(&text, &options).is_ok(), "{}", &text[..60]);
    }
}

#[test]
fn systems_and_constants_from_outside_must_exist() {
    let text = "const N = 1\nP(M=1) = (a[0..N][0..M] -> P).\n||SYS = (P).";
    let with = |system: Option<&str>, constants: &[(&str, i64)]| LoadOptions {
        system: system.map(str::to_owned),
        constants: constants
            .iter()
            .map(|(n, v)| ((*n).to_owned(), *v))
            .collect(),
        ..LoadOptions::default()
    };
    let (message, _, _, help) = error(text, &with(Some("SYT"), &[]));
    assert_eq!(
        (message.as_str(), help.as_str()),
        ("no process `SYT`", "did you mean `SYS`? there are SYS, P")
    );
    let (message, ..) = error(text, &with(None, &[("M", 1)]));
    assert_eq!(
        message,
        "no constant `M`, and the system has no such parameter"
    );
    let loaded = read(text, &with(Some("P"), &[("M", 2), ("N", 3)])).unwrap();
    assert_eq!(loaded.network.components[0].lts.alphabet().len(), 12);
}

#[test]
fn other_inputs_are_refused_clearly() {
    let fail = |inputs: Vec<Input>| {
        let failed = load(inputs, &LoadOptions::default()).unwrap_err();
        failed.diagnostics[0].message.clone()
    };
    assert_eq!(fail(vec![]), "there is no input");
    let odd = Input::new("m.txt", "");
    assert_eq!(fail(vec![odd]), "the language of `m.txt` is not known");
    let fsp = || Input::new("m.lts", "P = (a -> P).");
    let two = vec![fsp(), fsp()];
    assert_eq!(
        fail(two),
        "only `.aut` files can be combined into one system"
    );
}

fn warnings(text: &str) -> Vec<(String, String)> {
    let loaded = load(vec![Input::new("m.lts", text)], &LoadOptions::default()).unwrap();
    let said = |d: &suppose_source::Diagnostic| (d.message.clone(), d.help.join(" "));
    loaded.warnings.iter().map(said).collect()
}

#[test]
fn a_local_process_that_is_not_defined_is_warned_of() {
    for (text, message, help) in [
        ("P = (a -> Q).", "no local process `Q`", "define it"),
        (
            "PHIL = (a -> PHILL).",
            "no local process `PHILL`",
            "did you mean `PHIL`?",
        ),
        (
            "Q = (a -> Q).\nP = (a -> Q).\n||S = (P).",
            "no local process `Q`",
            "`Q;END`",
        ),
    ] {
        let found = warnings(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(
            found[0].0.starts_with(message) && found[0].1.contains(help),
            "{found:?}"
        );
    }
}

#[test]
fn labels_that_nothing_has_are_warned_of_with_what_there_is() {
    for (text, message) in [
        ("P = (go -> P)/{x/og}.", "no action `og` to relabel"),
        ("P = (go -> P)\\{stop}.", "no action `stop` to hide"),
        ("P = (go -> P)@{stop}.", "no action `stop` to keep visible"),
        (
            "P = (go -> P).\n||S = (P)/{x/stop}.",
            "no action `stop` to relabel",
        ),
        (
            "P = (go -> P).\n||S = (P)\\{stop[0..1]}.",
            "no action `stop.0` to hide",
        ),
        (
            "P = (go -> P).\n||S = (P) << {stop}.",
            "no action `stop` to give priority",
        ),
    ] {
        let found = warnings(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(
            found[0].0.starts_with(message) && found[0].1.contains("`go`"),
            "{found:?}"
        );
    }
    // What one instance lacks another may have, and a beginning represents all that begin with it.
    for text in [
        "P = (go -> P).\n||S = forall [i:0..1] (p[i]:P)/{x/p[1].go}.",
        "P = (go[0..2] -> P)\\{go}.",
        "P = (go[0..2] -> P)/{x[i:0..4]/go[i]}.",
    ] {
        assert!(warnings(text).is_empty(), "{text}: {:?}", warnings(text));
    }
}

#[test]
fn a_process_is_imported_from_a_file_of_its_own() {
    let text = "import P = \"part.aut\"\nQ = (a -> Q).\n||S = (x:P || x:Q).";
    let part = "des (0, 2, 2)\n(0, \"a\", 1)\n(1, \"b\", 0)\n";
    let mut imported = Input::new("folder/part.aut", part);
    imported.role = Role::Import;
    let inputs = vec![Input::new("folder/m.lts", text), imported];
    let loaded = load(inputs, &LoadOptions::default()).unwrap();
    let network = loaded.network;
    let names: Vec<&str> = network.components.iter().map(|c| c.lts.name()).collect();
    assert_eq!(names, ["x:P", "x:Q"]);
    assert_eq!(network.components[0].lts.transitions(), 2);
    assert!(network.labels.get("x.a").is_some() && network.labels.get("x.b").is_some());
}
