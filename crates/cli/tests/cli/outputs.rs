//! Files that are written: whole or not at all, never over an input, and never at the price of a verdict.

use crate::limits::interrupted;
use crate::support::{Folder, channel, endless, suppose};

/// A small model of each kind with its verdict.
fn models(folder: &Folder) -> Vec<(String, i32)> {
    let file = |name: &str, text: &str| folder.file(name, text);
    vec![
        (channel(), 0),
        (file("m.pml", "active proctype P() { assert(false) }\n"), 10),
        (
            file(
                "m.smt2",
                "(declare-fun p (Int) Bool)\n(assert (p 0))\n(assert (=> (p 1) false))\n",
            ),
            0,
        ),
        (
            file(
                "m.c",
                "#include <assert.h>\nint main(void) { assert(0); return 0; }\n",
            ),
            10,
        ),
        (
            file(
                "m.nm",
                "mdp\nmodule m\n x : [0..1] init 0;\n [a] x=0 -> (x'=1);\nendmodule\n",
            ),
            10,
        ),
        (
            file(
                "m.smv",
                "MODULE main\nVAR x : boolean;\nSPEC AG x\nSPEC TRUE\n",
            ),
            10,
        ),
    ]
}

/// The names of what is in a folder.
fn names(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path("")).unwrap();
    let mut names: Vec<String> = entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_verdict_is_told_though_nothing_can_be_written() {
    let folder = Folder::new();
    for (model, status) in models(&folder) {
        let plain = suppose(["check", &model]);
        for option in ["--report", "--certificate"] {
            let ran = suppose(["check", &model, option, "/dev/full"]);
            ran.ended(status, plain.last_line());
            // A search leaves no evidence to write.
            if option == "--report" {
                assert!(ran.stderr.contains("cannot write `/dev/full`"), "{ran:#?}");
            }
        }
    }
    let c = folder.path("m.c");
    suppose(["check", &c, "--witness", "/dev/full"]).ended(10, "violated(assertions)");
    let smt = folder.path("m.smt2");
    suppose(["check", &smt, "--definitions", "/dev/full"]).ended(0, "holds");
    let pml = folder.path("m.pml");
    suppose(["check", &pml, "--trail", "/dev/full"]).ended(10, "violated(assertions)");
    suppose(["assume", &channel(), "--output", "/dev/full"]).refused(1, "name it");
}

#[test]
fn outputs_that_cannot_be_are_refused_before_the_work() {
    let folder = Folder::new();
    let endless = endless(&folder);
    let here = folder.path("");
    let link = folder.path("link.html");
    std::os::unix::fs::symlink(&endless, &link).unwrap();
    let hard = folder.path("hard.html");
    std::fs::hard_link(&endless, &hard).unwrap();
    let model = std::fs::read(&endless).unwrap();
    for (path, status, message) in [
        ("/no/such/folder/x", 2, "there is no folder"),
        (here.as_str(), 2, "is a folder"),
        (endless.as_str(), 1, "would overwrite the input"),
        (link.as_str(), 1, "would overwrite the input"),
        (hard.as_str(), 1, "would overwrite the input"),
    ] {
        for option in ["--report", "--certificate"] {
            suppose(["check", &endless, option, path]).refused(status, message);
        }
    }
    let (a, b) = (folder.path("x.out"), folder.path("./x.out"));
    suppose(["check", &endless, "--report", &a, "--certificate", &b])
        .refused(1, "name the same file");
    suppose(["convert", &endless, &endless]).refused(1, "would overwrite");
    suppose(["report", &endless, "-o", &endless]).refused(1, "overwrit");
    assert_eq!(std::fs::read(&endless).unwrap(), model);
    assert_eq!(names(&folder), ["endless.lts", "hard.html", "link.html"]);
}

#[test]
fn nothing_is_left_behind_by_a_run_that_is_ended() {
    let folder = Folder::new();
    let endless = endless(&folder);
    let (page, cert) = (folder.path("page.html"), folder.path("m.cert"));
    let arguments = [
        "check",
        &endless,
        "--deadlock",
        "--report",
        &page,
        "--certificate",
        &cert,
    ];
    interrupted(&arguments).ended(3, "unknown(interrupted)");
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.trim_end().ends_with("</html>"));
    assert_eq!(names(&folder), ["endless.lts", "page.html"]);
    std::fs::write(&page, "old").unwrap();
    let ran = suppose([&arguments[..], &["--timeout", "100ms"]].concat());
    ran.ended(3, "unknown(timeout)");
    assert_ne!(std::fs::read_to_string(&page).unwrap(), "old");
    assert_eq!(names(&folder), ["endless.lts", "page.html"]);
}

#[test]
fn what_is_asked_for_and_not_written_is_told() {
    let folder = Folder::new();
    for (model, option, message) in [
        (
            folder.file("ok.pml", "active proctype P() { skip }\n"),
            "--trail",
            "no trail was written",
        ),
        (
            folder.file(
                "bad.smt2",
                "(declare-fun p (Int) Bool)\n(assert (p 1))\n(assert (=> (p 1) false))\n",
            ),
            "--definitions",
            "no definitions were written",
        ),
        (
            folder.file(
                "d.nm",
                "mdp\nmodule m\n s:[0..1];\n [] s=0 -> (s'=1);\n [] s=1 -> (s'=0);\nendmodule\n",
            ),
            "--certificate",
            "there is no evidence to write",
        ),
    ] {
        let out = folder.path("out");
        let ran = suppose(["check", &model, option, &out]);
        assert!(ran.stdout.contains(message), "{ran:#?}");
        assert!(!std::fs::exists(&out).unwrap());
    }
}

#[test]
fn an_invariant_that_cannot_be_exported_is_told() {
    let folder = Folder::new();
    let smv = |property: &str| {
        format!(
            "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 3;\n{property}\n"
        )
    };
    let violated = folder.file("violated.smv", smv("INVARSPEC x < 2"));
    let steps = folder.file("steps.smv", smv("COMPUTE MIN [x = 0, x = 2]"));
    let live = folder.file("live.smv", smv("SPEC AG AF x = 1"));
    let out = folder.path("out");
    for (model, why) in [
        (violated, "it is violated: there is no invariant to write"),
        (
            steps,
            "it was decided by looking at all states: there is no",
        ),
        (live, "it was decided by looking at all states: there is no"),
    ] {
        for option in ["--smtlib", "--aiger"] {
            let ran = suppose(["check", &model, option, &out]);
            assert!(ran.stdout.contains(why), "{ran:#?}");
            assert!(!std::fs::exists(&out).unwrap());
        }
    }
}

#[test]
fn an_assumption_that_is_not_there_is_told() {
    let folder = Folder::new();
    let priority = "P = (e -> ERROR).\nQ = (b -> Q).\n||S = (P || Q) << {b, e}.\n";
    let wrong = "byte x;\nactive proctype P() { assert(x == 1) }\n";
    let rare = "mdp\nmodule a\n s : [0..1];\n [t] s=0 -> 1/2 : (s'=1) + 1/2 : (s'=0);\nendmodule\n\
        module b\n r : [0..1];\n [t] true -> true;\nendmodule\n";
    let (fsp, pml, prism) = (
        folder.file("p.lts", priority),
        folder.file("w.pml", wrong),
        folder.file("r.nm", rare),
    );
    let out = folder.path("out.svg");
    for line in [
        &["assume", &fsp, "-o", &out][..],
        &["assume", &pml, "-p", "assertions", "-o", &out],
        &["assume", &prism, "-p", "P>=0.9 [ F<=1 s=1 ]", "-o", &out],
    ] {
        let ran = suppose(line.iter().copied());
        assert!(
            ran.stdout.contains("there is no assumption to write to"),
            "{ran:#?}"
        );
        assert!(!std::fs::exists(&out).unwrap());
    }
}
