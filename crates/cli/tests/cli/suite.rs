//! `suppose test`: a repository's models are its tests.

use crate::support::{Folder, Ran, endless, golden, program, suppose};

const HOLDS: &str = "P = (a -> P).\nproperty SAFE = (a -> SAFE).\n||S = (P || SAFE).\n";
const VIOLATED: &str =
    "P = (a -> b -> P).\nproperty SAFE = (b -> a -> SAFE).\n||S = (P || SAFE).\n";

fn with(suite: &str) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("models")).unwrap();
    folder.file("models/good.lts", HOLDS);
    folder.file("models/bad.lts", VIOLATED);
    folder.file("models/broken.lts", "P = (a ->\n");
    folder.file("models/suppose.toml", suite);
    folder
}

fn run(folder: &Folder, arguments: &[&str]) -> Ran {
    let output = program()
        .current_dir(folder.path(""))
        .args(arguments)
        .output();
    output.unwrap().into()
}

/// All sorts of expectations that are met.
const MET: &str = "[options]\ntimeout = \"1m\"\n\n\
[[model]]\nfiles = \"good.lts\"\n\n\
[[model]]\nfiles = [\"bad.lts\"]\nexpect = { SAFE = \"violated\" }\n\n\
[[model]]\nfiles = [\"b*d.lts\"]\noptions = { no-deadlock = true }\nexpect = \"violated\"\n\n\
[[model]]\nfiles = [\"broken.lts\"]\nexpect = \"error\"\n";

#[test]
fn expectations_that_are_met_pass() {
    let folder = with(MET);
    let ran = run(&folder, &["test", "models", "-j2"]);
    ran.ended(0, "passed");
    assert_eq!(ran.stderr, "");
    let lines: Vec<&str> = ran.stdout.lines().take(6).collect();
    assert_eq!(
        lines,
        [
            "ok      models/good.lts: SAFE: holds (no expectation is written)",
            "ok      models/good.lts: deadlock: holds (no expectation is written)",
            "ok      models/bad.lts: SAFE: violated",
            "ok      models/bad.lts: deadlock: holds (no expectation is written)",
            "ok      models/bad.lts: violated(SAFE)",
            "ok      models/broken.lts: input error",
        ]
    );
    assert!(
        ran.stdout
            .contains("4 models, 6 verdicts: 6 as expected, 0 not")
    );
    run(&folder, &["test", "models/suppose.toml", "--quiet"]).ended(0, "passed");
    let document = run(&folder, &["test", "models", "--format", "json"]).json();
    assert_eq!(document["schema"], "suppose-test");
    assert_eq!(document["models"][1]["verdicts"][0]["expected"], "violated");
    assert_eq!(
        document["models"][1]["verdicts"][1]["expectation_written"],
        false
    );
}

#[test]
fn other_verdicts_fail_with_what_was_expected() {
    let folder = with(
        "[[model]]\nfiles = \"*d.lts\"\nexpect = { SAFE = \"holds\", deadlock = \"unknown\" }\n\n\
         [[model]]\nfiles = \"broken.lts\"\n",
    );
    let ran = run(&folder, &["test", "models"]);
    ran.ended(11, "failed(models/bad.lts: SAFE)");
    for line in [
        "FAILED  models/bad.lts: SAFE: expected holds, found violated",
        "FAILED  models/bad.lts: deadlock: expected unknown, found holds",
        "ok      models/good.lts: SAFE: holds",
        "FAILED  models/broken.lts: found input error; no expectation is written, so it was to hold",
    ] {
        assert!(ran.stdout.contains(line), "no `{line}` in {}", ran.stdout);
    }
    // What was found is shown, with the counterexample and the error.
    assert!(
        ran.stdout.contains("counterexample 1 step"),
        "{}",
        ran.stdout
    );
    assert!(ran.stderr.contains("broken.lts:1"), "{}", ran.stderr);
    // A claim that nobody expects anything of is to hold.
    let folder = with("[[model]]\nfiles = \"bad.lts\"\n");
    run(&folder, &["test", "models"]).ended(11, "failed(models/bad.lts: SAFE)");
}

#[test]
fn a_claim_that_is_not_there_is_an_error() {
    let folder = with("[[model]]\nfiles = \"good.lts\"\nexpect = { SAVE = \"holds\" }\n");
    let ran = run(&folder, &["test", "models"]);
    ran.ended(2, "failed(models/good.lts: input error)");
    for words in [
        "suppose.toml:3:12",
        "has no claim `SAVE`",
        "did you mean `SAFE`?",
    ] {
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
}

#[test]
fn mistakes_are_told_before_anything_is_checked() {
    let folder = with("[[model]]\nfile = \"good.lts\"\n");
    let ran = run(&folder, &["test", "models"]);
    ran.refused(2, "did you mean `files`?");
    assert!(ran.stderr.contains("suppose.toml:2:1"), "{}", ran.stderr);
    let folder = with("[[model]]\nfiles = \"none*.lts\"\n");
    run(&folder, &["test", "models"]).refused(2, "no file matches");
    run(&folder, &["test"]).refused(2, "there is no file `suppose.toml`");
    // Two models, one page: the second would overwrite the first.
    let folder = with("[[model]]\nfiles = \"*d.lts\"\noptions = { report = \"x.html\" }\n");
    run(&folder, &["test", "models"]).refused(1, "name the same file");
    let folder = with(
        "[[model]]\nfiles = \"good.lts\"\noptions = { report = \"bad.lts\" }\n\n[[model]]\nfiles = \"bad.lts\"\n",
    );
    run(&folder, &["test", "models"]).refused(1, "would overwrite the input");
}

/// An option is for the models of its entry, and files in it are beside `suppose.toml`.
#[test]
fn options_are_those_of_check() {
    let folder = with(
        "[[model]]\nfiles = \"bad.lts\"\noptions = { deadlock = true, certificate = \"{name}.cert\" }\nexpect = \"holds\"\n\n\
         [[model]]\nfiles = [\"a.aut\", \"b.aut\"]\noptions = { property-file = [\"p.aut\"] }\nexpect = { p = \"violated\" }\n",
    );
    folder.file("models/a.aut", "des (0, 1, 1)\n(0, \"a\", 0)\n");
    folder.file("models/b.aut", "des (0, 1, 1)\n(0, \"a\", 0)\n");
    folder.file("models/p.aut", "des (0, 1, 2)\n(0, \"a\", 1)\n");
    run(&folder, &["test", "models"]).ended(0, "passed");
    assert!(std::path::Path::new(&folder.path("models/bad.cert")).exists());
    // What means nothing for a model is refused as by `check`.
    let folder = with("[[model]]\nfiles = \"good.lts\"\noptions = { far = 1 }\n");
    let ran = run(&folder, &["test", "models"]);
    ran.ended(11, "failed(models/good.lts)");
    assert!(
        ran.stderr.contains("--far is for SMV models"),
        "{}",
        ran.stderr
    );
}

#[test]
fn limits_can_be_expected() {
    let folder = with(
        "[options]\ntimeout = \"1s\"\n\n[[model]]\nfiles = \"../endless.lts\"\nexpect = \"unknown(timeout)\"\n",
    );
    endless(&folder);
    run(&folder, &["test", "models"]).ended(0, "passed");
}

#[test]
fn the_help_shows_a_file() {
    golden("help-test.txt", &suppose(["test", "--help"]).stdout);
}
