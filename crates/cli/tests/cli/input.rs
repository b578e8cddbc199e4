//! Languages, standard input, and bytes that are not ASCII.

use std::io::Write;
use std::process::Stdio;

use crate::support::{Folder, Ran, program, suppose};

/// A sound model in every language, with an accent in a comment (and in a string, where there are strings).
const MODELS: &[(&str, &str, &[u8])] = &[
    ("fsp", "m.lts", b"// caf\xe9\nP = (a -> P).\n"),
    ("aut", "m.aut", b"des (0, 1, 1)\n(0, \"caf\xe9\", 0)\n"),
    ("promela", "m.pml", b"/* caf\xe9 */\nactive proctype P() { printf(\"\xe9\") }\n"),
    ("smtlib", "m.smt2", b"; caf\xe9\n(set-info :source \"\xe9\")\n(declare-fun p (Int) Bool)\n(assert (p 0))\n(assert (=> (p 1) false))\n"),
    ("c", "m.c", b"// caf\xe9\n#include <assert.h>\nint main(void) { printf(\"\xe9\"); assert(1); return 0; }\n"),
    ("prism", "m.nm", b"// caf\xe9\nmdp\nmodule m\n x : [0..1] init 0;\n [a] x=0 -> (x'=1);\n [a] x=1 -> true;\nendmodule\n"),
    ("lpts", "m.lpts", b"lpts M # caf\xe9\ns0 -a-> s0\n"),
    ("smv", "m.smv", b"-- caf\xe9\nMODULE main\nVAR x : boolean;\nSPEC TRUE\n"),
];

fn piped(arguments: &[&str], text: &[u8]) -> Ran {
    let mut child = program()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text).unwrap();
    child.wait_with_output().unwrap().into()
}

#[test]
fn latin_1_and_a_byte_order_mark_are_read_in_every_language() {
    let folder = Folder::new();
    for (_, name, text) in MODELS {
        suppose(["check", &folder.file(name, text)]).ended(0, "holds");
        let marked = [b"\xef\xbb\xbf", *text].concat();
        suppose(["check", &folder.file(name, marked)]).ended(0, "holds");
    }
}

#[test]
fn other_letters_are_shown_at_their_place() {
    let folder = Folder::new();
    for (name, text, place) in [
        ("o.lts", &b"// \xe9\nP = (a -> \xe9)."[..], "o.lts:2:11"),
        (
            "o.pml",
            b"/* \xe9 */ active proctype P\xe9() { skip }",
            "o.pml:1:26",
        ),
        (
            "o.c",
            b"/* \xe9\xe9 */ int main(void) { int \xe9 = 0; }",
            "o.c:1:31",
        ),
        (
            "o.nm",
            b"mdp\nmodule m\n x\xe9 : [0..1] init 0;\nendmodule",
            "o.nm:3:3",
        ),
        ("o.smv", b"MODULE main\nVAR x\xe9 : boolean;", "o.smv:2:6"),
    ] {
        suppose(["check", &folder.file(name, text)]).refused(2, place);
    }
}

#[test]
fn standard_input_is_read_in_every_language() {
    let folder = Folder::new();
    for (language, _, text) in MODELS {
        piped(&["check", "-"], text).ended(0, "holds");
        piped(&["check", "-", "--language", language], text).ended(0, "holds");
        let unknown = folder.file("model", text);
        suppose(["check", &unknown, "--language", language]).ended(0, "holds");
        let cert = folder.path("m.cert");
        let _ = std::fs::remove_file(&cert);
        let ran = piped(&["check", "-", "--certificate", &cert], text);
        ran.ended(0, "holds");
        if std::fs::exists(&cert).unwrap() {
            piped(&["certify", &cert, "-"], text).ended(0, "holds");
        }
    }
    piped(&["check", "-"], b"").refused(2, "--language");
    piped(&["check", "-", "--language", "fsp"], b"||S = (Q).").refused(2, "<stdin>:1:8");
}

#[test]
fn endings_of_promela_programs_are_known() {
    let folder = Folder::new();
    for end in [
        "pml", "prom", "promela", "pm", "spin", "prm", "pr", "pro", "PML",
    ] {
        let file = folder.file(&format!("m.{end}"), "active proctype P() { skip }\n");
        suppose(["check", &file]).ended(0, "holds");
    }
}

#[test]
fn a_component_cannot_be_combined_with_other_models() {
    let folder = Folder::new();
    let a = folder.file("a.aut", "des (0, 1, 1)\n(0, \"a\", 0)\n");
    let c = folder.file("a.c", "int main(void) { return 0; }\n");
    suppose(["check", &a, &c]).refused(1, "is a component of a model");
    // What is one model for other commands has to be in one language.
    suppose(["draw", &a, &c]).refused(1, "cannot be combined");
}

#[test]
fn limits_need_a_unit() {
    for arguments in [["--memory", "1"], ["--timeout", "10"]] {
        let ran = suppose([&["check", "x.lts"], &arguments[..]].concat());
        ran.refused(1, "it needs a unit");
    }
    suppose(["check", "x.lts", "--timeout", "0s"]).refused(1, "no time at all");
}

#[test]
fn names_that_are_not_there_are_told_with_those_that_are() {
    let folder = Folder::new();
    let fsp = folder.file(
        "m.lts",
        "const Max = 3\nP = (a -> P).\nproperty Safe = (a -> Safe).\n||SYS = (P || Safe).\n",
    );
    let pml = folder.file(
        "m.pml",
        "#define SIZE 3\nchan c = [0] of { byte };\nactive proctype P() { c!SIZE }\nactive proctype Q() { byte x; c?x; assert(x > 0) }\n",
    );
    let c = folder.file(
        "m.c",
        "#ifndef SIZE\n#define SIZE 3\n#endif\nint main(void) { return SIZE; }\n",
    );
    let nm = folder.file("m.nm", "mdp\nconst int SIZE = 2;\nmodule m\n x : [0..SIZE] init 0;\n [a] true -> true;\nendmodule\n");
    let smv = folder.file(
        "m.smv",
        "MODULE main\nVAR x : boolean;\nINVARSPEC NAME safe := TRUE;\n",
    );
    for (file, option, value, near) in [
        (&fsp, "--system", "SYSS", "SYS"),
        (&fsp, "--set", "Mx=1", "Max"),
        (&fsp, "--property", "Saef", "Safe"),
        (&fsp, "--component", "PP", "the components are P"),
        (&pml, "--set", "SIEZ=1", "SIZE"),
        (&pml, "--property", "assertion", "assertions"),
        (&pml, "--component", "PP", "the processes are P, Q"),
        (&c, "--set", "SIEZ=1", "SIZE"),
        (&c, "--property", "x", "assertions"),
        (&nm, "--const", "SIEZ=1", "SIZE"),
        (&smv, "--property", "saef", "safe"),
    ] {
        let ran = suppose(["check", file, option, value]);
        assert!(matches!(ran.status, 1 | 2), "{ran:#?}");
        assert!(ran.stderr.contains(near), "no `{near}` in {ran:#?}");
    }
}

/// A line of a megabyte is not repeated in the message about it.
#[test]
fn long_lines_are_cut_in_messages() {
    let folder = Folder::new();
    let long = "a".repeat(1 << 20);
    for name in [
        "m.lts", "m.pml", "m.smt2", "m.c", "m.nm", "m.smv", "m.aut", "m.json",
    ] {
        let ran = suppose(["check", &folder.file(name, format!("\n {long} {long}\n"))]);
        ran.refused(2, "error");
        assert!(
            ran.stderr.len() < 4_000,
            "{name}: {} bytes",
            ran.stderr.len()
        );
        let file = folder.path(name);
        let document = suppose(["check", &file, "--format", "json"]);
        assert!(
            document.stdout.len() < 8_000,
            "{name}: {} bytes",
            document.stdout.len()
        );
    }
}
