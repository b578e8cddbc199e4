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
            folder.file("ok2.pml", "active proctype P() { skip }\n"),
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
