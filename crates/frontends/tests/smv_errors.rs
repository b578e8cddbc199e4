//! Wrong SMV texts are refused with the place, the expectation and a way out.

#![allow(clippy::unwrap_used)]

use suppose_frontends::smv::{Dialect, read_text};

/// The first error: line, column, message, and the whole text shown.
fn error(text: &str) -> (usize, usize, String, String) {
    let (errors, sources) = read_text("m.smv", text, Dialect::NuSmv).err().unwrap();
    let first = &errors[0];
    let at = first
        .span
        .map(|s| sources.file(s.file).unwrap().position(s.start));
    let (line, column) = at.map_or((0, 0), |p| (p.line, p.column));
    (
        line,
        column,
        first.message.clone(),
        first.render(&sources, false),
    )
}

#[track_caller]
fn check(text: &str, line: usize, column: usize, message: &str) {
    let (at, before, found, shown) = error(text);
    assert_eq!((at, before), (line, column), "{shown}");
    assert!(found.contains(message), "{shown}");
    assert!(
        shown.contains("expected") || shown.contains("help"),
        "{shown}"
    );
}

#[test]
fn missing_or_wrong_modules() {
    check(
        "MODULE one\nVAR x : boolean;\nMODULE two\nVAR x : boolean;",
        0,
        0,
        "no module `main`",
    );
    check(
        "MODULE main\nVAR x : boolean;\nDEFINE x.y := TRUE;",
        3,
        8,
        "`x.y` is in no instance of a module",
    );
    check(
        "MODULE n\nVAR z : boolean;\nDEFINE y := z;\nMODULE main\nVAR b : n;\nDEFINE b.y := TRUE;",
        6,
        8,
        "`y` is declared twice",
    );
    check("", 0, 0, "empty");
    check("MODULE main\nVAR m : nobody;", 2, 9, "no module `nobody`");
    check(
        "MODULE main\nVAR m : p(TRUE);\nMODULE p\nVAR y : boolean;",
        2,
        9,
        "takes 0 arguments, not 1",
    );
    check("MODULE main\nVAR m : main;", 2, 9, "contains itself");
    check(
        "MODULE main(x)\nVAR y : boolean;",
        1,
        13,
        "cannot have parameters",
    );
    check(
        "MODULE main\nVAR a : array 0..1 of part;\nMODULE part VAR b : boolean;",
        2,
        5,
        "arrays of module instances",
    );
    check("MODULE main\nISA nobody", 2, 5, "no module `nobody`");
    check(
        "MODULE main\nVAR x : boolean;\nMODULE main\nVAR y : boolean;",
        3,
        8,
        "two modules",
    );
}

#[test]
fn names() {
    check(
        "MODULE main\nVAR x : boolean;\nINIT y",
        3,
        6,
        "`y` is not known",
    );
    check(
        "MODULE main\nVAR x : boolean; x : 0..1;",
        2,
        18,
        "declared twice",
    );
    check(
        "MODULE main\nVAR x : {b}; b : boolean;",
        2,
        14,
        "also a constant",
    );
    check("MODULE main\nVAR x : {b, b};", 2, 13, "listed twice");
    let (.., shown) = error("MODULE main\nVAR count1 : 0..2;\nINIT count2 = 1");
    assert!(shown.contains("did you mean `count1`?"), "{shown}");
    let (.., shown) = error("MODULE main\nVAR floor : 0..2;\nINIT flor = 1");
    assert!(shown.contains("did you mean `floor`?"), "{shown}");
    let (.., shown) = error("MODULE main\nVAR a : 0..2;\nINIT a-1 = 1");
    assert!(shown.contains("put blanks around"), "{shown}");
    check(
        "MODULE main\nVAR m : part;\nINIT m.z\nMODULE part VAR y : boolean;",
        3,
        8,
        "`z` is not known",
    );
    check(
        "MODULE main\nVAR m : part;\nINIT m\nMODULE part VAR y : boolean;",
        3,
        6,
        "cannot be used as a value",
    );
}

#[test]
fn circles_and_double_assignments() {
    check(
        "MODULE main\nDEFINE a := b; b := a;",
        2,
        8,
        "defined in terms of itself",
    );
    check(
        "MODULE main\nVAR x : boolean; y : boolean;\nASSIGN x := y; y := x;",
        3,
        8,
        "by way of itself",
    );
    check(
        "MODULE main\nVAR x : boolean; y : boolean;\nASSIGN next(x) := next(y); next(y) := next(x);",
        3,
        8,
        "by way of itself",
    );
    check(
        "MODULE main\nVAR x : boolean;\nASSIGN next(x) := TRUE; next(x) := FALSE;",
        3,
        25,
        "assigned twice",
    );
    check(
        "MODULE main\nVAR x : boolean;\nASSIGN x := TRUE; next(x) := FALSE;",
        3,
        19,
        "assigned twice",
    );
    check(
        "MODULE main\nVAR x : boolean; m : part(m.p);\nINIT m.p\nMODULE part(p) VAR y : boolean;",
        3,
        6,
        "no constant value",
    );
}

#[test]
fn types() {
    check("MODULE main\nVAR x : 3..1;", 2, 9, "3..1 is empty");
    check(
        "MODULE main\nVAR x : boolean;\nINIT x = 1",
        3,
        6,
        "`=` cannot take a boolean and a number",
    );
    check(
        "MODULE main\nVAR x : 0..3;\nINIT x",
        3,
        6,
        "must be a boolean, not a number",
    );
    check(
        "MODULE main\nVAR x : 0..3;\nTRANS next(x) = {1, 2}",
        3,
        7,
        "cannot take a set",
    );
    check(
        "MODULE main\nVAR x : 0..3;\nASSIGN next(x) := TRUE;",
        3,
        19,
        "what is assigned is a boolean",
    );
    check(
        "MODULE main\nVAR w : word[65537];",
        2,
        14,
        "cannot have 65537 bits",
    );
    check(
        "MODULE main\nVAR w : word[4];\nINIT w[4:0] = 0b5_00000",
        3,
        6,
        "no bits 4 to 0",
    );
    check(
        "MODULE main\nVAR w : word[4];\nINIT w[1] = 0b1_0",
        3,
        6,
        "only arrays have elements",
    );
    check(
        "MODULE main\nVAR w : word[4]; v : signed word[4];\nINIT w > v",
        3,
        6,
        "cannot take an unsigned word of 4 bits and a signed",
    );
    check(
        "MODULE main\nVAR a : array 0..2 of boolean;\nINIT a[3]",
        3,
        8,
        "no element 3",
    );
    check(
        "MODULE main\nVAR x : integer;",
        2,
        9,
        "no finite number of values",
    );
}

#[test]
fn what_can_fail() {
    check(
        "MODULE main\nVAR x : 0..3;\nASSIGN next(x) := x + 1;",
        3,
        8,
        "cannot assign 4 to `x`",
    );
    check(
        "MODULE main\nVAR x : 0..3;\nASSIGN next(x) := case x < 3 : x + 1; esac;",
        3,
        19,
        "not exhaustive",
    );
    check(
        "MODULE main\nVAR x : 0..3;\nINIT 10 / x = 2",
        3,
        6,
        "division by zero",
    );
    check(
        "MODULE main\nVAR a : array 0..2 of boolean; x : 0..3;\nINIT a[x]",
        3,
        6,
        "outside of the array",
    );
    check(
        "MODULE main\nVAR w : word[2];\nINIT w << w = w",
        3,
        6,
        "shifted by",
    );
    let (.., shown) = error("MODULE main\nVAR x : 0..3;\nASSIGN next(x) := x + 1;");
    assert!(shown.contains("it happens when x = 3"), "{shown}");
    // Guarded, none of these fails.
    let fine = "MODULE main\nVAR x : 0..3; a : array 0..2 of boolean;\nINIT x != 0 & 10 / x = 2\n\
                INIT x < 3 -> a[x]\nASSIGN next(x) := case x < 3 : x + 1; TRUE : 0; esac;\nINIT x = 0 | 7 mod x = 1";
    let (read, _) = read_text("m.smv", fine, Dialect::NuSmv).unwrap();
    assert!(read.system.obligations.is_empty());
}

#[test]
fn next_and_inputs_in_wrong_places() {
    check(
        "MODULE main\nVAR x : boolean;\nINIT next(x)",
        3,
        6,
        "cannot speak of the next state",
    );
    check(
        "MODULE main\nVAR x : boolean;\nTRANS next(next(x))",
        3,
        7,
        "occurs inside `next`",
    );
    check(
        "MODULE main\nVAR x : boolean;\nSPEC AG next(x)",
        3,
        9,
        "cannot speak of the next state",
    );
    check(
        "MODULE main\nIVAR i : boolean;\nINVAR i",
        3,
        7,
        "the input `i`",
    );
    check(
        "MODULE main\nIVAR i : boolean;\nTRANS next(i)",
        3,
        7,
        "the input `i`",
    );
    check(
        "MODULE main\nIVAR i : boolean;\nASSIGN i := TRUE;",
        3,
        8,
        "cannot be assigned",
    );
    check(
        "MODULE main\nFROZENVAR f : boolean;\nASSIGN next(f) := TRUE;",
        3,
        13,
        "first value only",
    );
    check(
        "MODULE main\nVAR x : boolean;\nINIT AG x",
        3,
        6,
        "cannot be temporal",
    );
    check(
        "MODULE main\nVAR x : boolean;\nSPEC G x",
        3,
        6,
        "LTL operator occurs in a CTL formula",
    );
    check(
        "MODULE main\nVAR x : boolean;\nLTLSPEC AG x",
        3,
        9,
        "CTL operator occurs in an LTL formula",
    );
}

#[test]
fn form() {
    check(
        "MODULE main\nVAR x boolean;",
        2,
        7,
        "expected `:`, found `boolean`",
    );
    check(
        "MODULE main\nVAR x : boolean;\nINIT x &",
        3,
        9,
        "expected an expression",
    );
    check(
        "MODULE main\nVAR x : boolean;\nPSLSPEC always {x; !x} |-> x;",
        3,
        16,
        "sequences are not supported",
    );
    check(
        "MODULE main\nVAR x : boolean;\nPSLSPEC forall i in {1:0} : always x;",
        3,
        22,
        "there is no number between these bounds",
    );
    check(
        "MODULE main\nVAR x : boolean;\nPSLSPEC forall i in {0:99} : forall j in {0:99} : x;",
        3,
        30,
        "`forall` makes too many copies",
    );
    check(
        "MODULE main\nVAR x : boolean;\nPSLSPEC forall i in {0, 1} : always (x | i = j);",
        3,
        46,
        "`j` is not known in module `main`",
    );
    check(
        "MODULE main\nVAR x : boolean;\nPSLSPEC next_event(x)[0](x);",
        3,
        23,
        "not a repetition count",
    );
    check(
        "MODULE main\nVAR x : boolean;\nINIT x $ x",
        3,
        8,
        "unexpected character `$`",
    );
    check("MODULE main /-- open", 1, 13, "not closed");
    check(
        "MODULE main\nVAR U : boolean;",
        2,
        5,
        "expected the name of a variable",
    );
    check(
        "MODULE main\nVAR x : boolean;\nINIT case esac",
        3,
        11,
        "expected a condition",
    );
    check(
        "MODULE main\nVAR w : word[2];\nINIT w = 0ud2_4",
        3,
        10,
        "does not fit",
    );
    check(
        "MODULE main\nVAR w : word[65];\nINIT w = 0ud65_36893488147419103232",
        3,
        10,
        "36893488147419103232 does not fit into 65 bits",
    );
    check(
        "MODULE main\nVAR w : signed word[65];\nINIT w = -0sd65_18446744073709551617",
        3,
        11,
        "does not fit into 65 bits",
    );
    check(
        "MODULE main\nVAR w : word[66];\nINIT w = 0uh66_40000000000000000",
        3,
        10,
        "does not fit into 66 bits",
    );
    check(
        "MODULE main\nVAR w : word[40000];\nINIT w :: w = w :: w",
        3,
        6,
        "gives a word of 80000 bits",
    );
}

#[test]
fn a_case_without_its_end_is_told_how_it_ends() {
    let text = "MODULE main\nVAR x : boolean;\nINIT case x : TRUE; esc;";
    let (line, column, found, shown) = error(text);
    assert_eq!((line, column), (3, 24), "{shown}");
    assert_eq!(found, "expected `:`, found `;`");
    assert!(shown.contains("ends with `esac`"), "{shown}");
}

#[test]
fn errors_of_several_sections_are_shown_together() {
    let text = "MODULE main\nVAR x : boolean;\nINIT y\nTRANS z\nSPEC AG u";
    let (errors, _) = read_text("m.smv", text, Dialect::NuSmv).err().unwrap();
    assert_eq!(errors.len(), 3);
}

#[test]
fn the_old_dialect_takes_numbers_for_booleans() {
    let text = "MODULE main\nVAR x : boolean; n : 0..3;\nASSIGN init(x) := 0; next(x) := {0, 1};\n\
                next(n) := case x = 1 : x + 1; 1 : 0; esac;\nSPEC AG (x -> !n = 2)\nSPEC x";
    let (read, _) = read_text("m.smv", text, Dialect::Old).unwrap();
    let shown: Vec<String> = read
        .system
        .properties
        .iter()
        .map(|p| read.system.show_question(&p.question))
        .collect();
    // There `!` reaches as far as the comparison does.
    assert_eq!(shown, ["AG (x -> !(n = 2))", "x"]);
    assert!(read_text("m.smv", text, Dialect::NuSmv).is_err());
}
