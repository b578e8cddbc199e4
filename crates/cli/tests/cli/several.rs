//! Several models in one call.

use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;
use std::time::Duration;

use crate::support::{Folder, Ran, endless, program, suppose};

const HOLDS: &str = "P = (a -> P).\nproperty SAFE = (a -> SAFE).\n||S = (P || SAFE).\n";
const VIOLATED: &str =
    "P = (a -> b -> P).\nproperty SAFE = (b -> a -> SAFE).\n||S = (P || SAFE).\n";
const BROKEN: &str = "P = (a -> \n";

fn three() -> Folder {
    let folder = Folder::new();
    folder.file("a.lts", HOLDS);
    folder.file("b.lts", VIOLATED);
    folder.file("c.lts", BROKEN);
    folder
}

fn run(folder: &Folder, arguments: &[&str]) -> Ran {
    let output = program()
        .current_dir(folder.path(""))
        .args(arguments)
        .output();
    output.unwrap().into()
}

/// The table at the end, without times.
fn table(ran: &Ran) -> Vec<Vec<String>> {
    let lines = ran.stdout.lines().skip_while(|l| !l.starts_with("file "));
    let lines = lines.skip(1).take_while(|l| !l.is_empty());
    let words = |line: &str| {
        let words: Vec<&str> = line.split("  ").filter(|w| !w.is_empty()).collect();
        let words = words[..words.len() - 1].iter();
        words.map(|w| w.trim().to_owned()).collect()
    };
    lines.map(words).collect()
}

#[test]
fn every_model_gets_its_verdicts_and_the_worst_comes_last() {
    let folder = three();
    let ran = run(&folder, &["check", "c.lts", "a.lts", "b.lts"]);
    ran.ended(10, "violated(b.lts: SAFE)");
    assert!(ran.stderr.contains("c.lts:"), "{}", ran.stderr);
    assert_eq!(
        table(&ran),
        [
            vec!["c.lts", "-", "input error"],
            vec!["a.lts", "SAFE", "holds"],
            vec!["deadlock", "holds"],
            vec!["b.lts", "SAFE", "violated"],
            vec!["deadlock", "holds"],
        ]
    );
    assert!(
        ran.stdout
            .contains("3 models: 1 violated, 1 not checked, 1 holds")
    );
    let order: Vec<usize> = ["== c.lts", "== a.lts", "== b.lts"]
        .iter()
        .map(|h| ran.stdout.find(h).unwrap())
        .collect();
    assert!(order.is_sorted(), "{}", ran.stdout);
    run(&folder, &["check", "a.lts", "c.lts"]).ended(2, "unknown(c.lts: input error)");
    run(&folder, &["check", "a.lts", "gone.lts"]).ended(2, "unknown(gone.lts: input error)");
    run(&folder, &["check", "a.lts", "c.lts", "--quiet"]).ended(2, "unknown(c.lts: input error)");
}

/// Times aside, what is printed does not depend on how many run at once.
#[test]
fn the_order_is_that_of_the_command_line() {
    let folder = Folder::new();
    for number in 0..12 {
        // The first takes longest.
        let size = 2_000 / (number + 1);
        let text =
            format!("P = P[0], P[i:0..{size}] = (when (i < {size}) a -> P[i+1] | b -> P[0]).\n");
        folder.file(&format!("m{number:02}.lts"), text);
    }
    let steady = |ran: Ran| {
        let lines = ran.stdout.lines();
        let lines = lines.filter(|l| !l.contains("time "));
        let cut = lines.map(|l| l.rsplit_once("  ").map_or(l, |(l, _)| l).to_owned());
        (ran.status, cut.collect::<Vec<_>>())
    };
    let one = steady(run(&folder, &["check", "."]));
    let four = steady(run(&folder, &["check", ".", "-j4"]));
    assert_eq!(one, four);
    assert_eq!(one.1.iter().filter(|l| l.starts_with("== ")).count(), 12);
}

#[test]
fn folders_and_patterns_are_expanded() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("deep/er")).unwrap();
    folder.file("a.lts", HOLDS);
    folder.file("notes.txt", "nothing");
    folder.file(".hidden.lts", BROKEN);
    folder.file("deep/b.lts", HOLDS);
    folder.file(
        "deep/er/c.smv",
        "MODULE main\nVAR x : boolean;\nINVARSPEC x | !x\n",
    );
    folder.file("deep/part.aut", "des (0, 1, 1)\n(0, \"a\", 0)\n");
    std::os::unix::fs::symlink(folder.path("deep"), folder.path("deep/er/circle")).unwrap();
    let files = |ran: &Ran| {
        let lines = ran.stdout.lines().filter_map(|l| l.strip_prefix("== "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let ran = run(&folder, &["check", "."]);
    ran.ended(0, "holds");
    assert_eq!(files(&ran), ["./a.lts", "./deep/b.lts", "./deep/er/c.smv"]);
    assert!(
        ran.stderr.contains("left out 1 file in `.`"),
        "{}",
        ran.stderr
    );
    let ran = run(&folder, &["check", "**/*.lts", "a.lts"]);
    assert_eq!(files(&ran), ["a.lts", "deep/b.lts"]);
    let ran = run(&folder, &["check", "deep/?.lts", "*.lt[r-t]"]);
    assert_eq!(files(&ran), ["deep/b.lts", "a.lts"]);
    // One model is one model, however it is named.
    assert!(!run(&folder, &["check", "a*.lts"]).stdout.contains("== "));
    run(&folder, &["check", "*.pml"]).refused(2, "no file matches `*.pml`");
    run(&folder, &["check", "a.lts", "deep/part.aut"]).refused(1, "is a component of a model");
    run(&folder, &["check", "a.lts", "-"]).refused(1, "standard input cannot be one of several");
    std::fs::create_dir(folder.path("empty")).unwrap();
    run(&folder, &["check", "empty"]).refused(2, "is a folder without models");
    // A file whose name looks like a pattern is that file.
    folder.file("[x].lts", VIOLATED);
    run(&folder, &["check", "[x].lts"]).ended(10, "violated(SAFE)");
}

#[test]
fn components_are_still_one_model() {
    let folder = Folder::new();
    folder.file("a.aut", "des (0, 1, 1)\n(0, \"a\", 0)\n");
    folder.file("b.aut", "des (0, 1, 1)\n(0, \"a\", 0)\n");
    let ran = run(&folder, &["check", "a.aut", "b.aut"]);
    assert!(ran.stdout.contains("2 components"), "{}", ran.stdout);
    assert!(
        run(&folder, &["check", "*.aut"])
            .stdout
            .contains("2 components")
    );
}

#[test]
fn output_files_are_named_after_the_models() {
    let folder = three();
    let ran = run(&folder, &["check", "a.lts", "b.lts", "--report", "x.html"]);
    ran.refused(
        1,
        "--report names one file, `x.html`, but there are 2 models",
    );
    assert!(
        ran.stderr.contains("--report '{name}.html'"),
        "{}",
        ran.stderr
    );
    assert!(!std::path::Path::new(&folder.path("x.html")).exists());
    let ran = run(
        &folder,
        &[
            "check",
            "a.lts",
            "b.lts",
            "--report",
            "{name}.html",
            "--certificate",
            "{name}.cert",
        ],
    );
    ran.ended(10, "violated(b.lts: SAFE)");
    for name in ["a.html", "b.html", "a.cert", "b.cert"] {
        assert!(std::path::Path::new(&folder.path(name)).exists(), "{name}");
    }
    run(
        &folder,
        &["report", "a.lts", "b.lts", "-o", "page-{name}.html"],
    )
    .ended(10, "violated(b.lts: SAFE)");
    assert!(std::path::Path::new(&folder.path("page-b.html")).exists());
    // One of the models would be overwritten, by another one's output.
    let ran = run(
        &folder,
        &["check", "a.lts", "b.lts", "--certificate", "{name}.lts"],
    );
    ran.refused(1, "would overwrite the input `a.lts`");
    assert_eq!(
        std::fs::read_to_string(folder.path("b.lts")).unwrap(),
        VIOLATED
    );
    std::fs::create_dir(folder.path("sub")).unwrap();
    folder.file("sub/a.lts", HOLDS);
    let ran = run(
        &folder,
        &["check", "a.lts", "sub/a.lts", "--report", "{name}.html"],
    );
    ran.refused(1, "name the same file");
    assert!(ran.stderr.contains("{path}"), "{}", ran.stderr);
    run(
        &folder,
        &["check", "a.lts", "sub/a.lts", "--report", "{path}.html"],
    )
    .ended(0, "holds");
    assert!(std::path::Path::new(&folder.path("sub-a.html")).exists());
    let ran = run(
        &folder,
        &["check", "a.lts", "b.lts", "--report", "none/{name}.html"],
    );
    ran.refused(2, "there is no folder `none`");
    // The same names work with one model.
    run(
        &folder,
        &["check", "a.lts", "--certificate", "one-{name}.cert"],
    )
    .ended(0, "holds");
    assert!(std::path::Path::new(&folder.path("one-a.cert")).exists());
}

#[test]
fn one_document_holds_those_of_all_models() {
    let folder = three();
    let ran = run(&folder, &["check", ".", "--format", "json"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (10, ""));
    let document = ran.json();
    assert_eq!(document["schema"], "suppose-summary");
    assert_eq!(document["last_line"], "violated(./b.lts: SAFE)");
    assert_eq!(document["exit_status"], 10);
    let models = document["models"].as_array().unwrap();
    assert_eq!(models.len(), 3);
    assert_eq!(models[0]["result"]["schema"], "suppose-report");
    assert_eq!(models[1]["exit_status"], 10);
    assert_eq!(models[2]["result"]["schema"], "suppose-error");
    assert_eq!(models[2]["result"]["diagnostics"][0]["line"], 2);
}

/// A limit is one of each model, and does not touch the next.
#[test]
fn limits_are_for_each_model() {
    let folder = three();
    endless(&folder);
    let ran = run(
        &folder,
        &["check", "endless.lts", "a.lts", "--timeout", "1s"],
    );
    ran.ended(3, "unknown(endless.lts: timeout)");
    assert!(
        ran.stdout.contains("\na.lts        SAFE      holds"),
        "{}",
        ran.stdout
    );
    let ran = run(
        &folder,
        &["check", "endless.lts", "a.lts", "--memory", "300MiB", "-j2"],
    );
    ran.ended(3, "unknown(endless.lts: memory)");
    assert!(ran.stdout.contains("holds"));
}

/// Whoever starts it may end only the first process: what was found is shown all the same, and no process is left.
#[test]
fn interruption_keeps_what_was_found() {
    let folder = three();
    endless(&folder);
    let child = program()
        .current_dir(folder.path(""))
        .args(["check", "a.lts", "endless.lts", "b.lts"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Wait until the model that does not end is being checked.
    let id = child.id().to_string();
    let children = format!("/proc/{id}/task/{id}/children");
    let command = |id: &str| {
        let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).into_owned()
    };
    let find = || {
        let tasks = std::fs::read_dir(format!("/proc/{id}/task")).unwrap();
        let ids = tasks.filter_map(|t| {
            let path = t.ok()?.path().join("children");
            std::fs::read_to_string(path).ok()
        });
        let ids: Vec<String> = ids
            .flat_map(|t| t.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        ids.into_iter()
            .find(|i| command(i).contains("plain\u{0}1\u{0}endless.lts"))
    };
    assert!(std::path::Path::new(&children).exists());
    let worker = loop {
        match find() {
            Some(worker) => break worker,
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let killed = std::process::Command::new("kill")
        .args(["-TERM", &id])
        .status();
    assert!(killed.unwrap().success());
    let ran: Ran = child.wait_with_output().unwrap().into();
    ran.ended(3, "unknown(endless.lts: interrupted)");
    assert!(ran.stdout.contains("== a.lts"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("b.lts        -         resource limit"),
        "{}",
        ran.stdout
    );
    assert!(!std::path::Path::new(&format!("/proc/{worker}")).exists());
}

#[test]
fn names_of_all_sorts_are_files() {
    let folder = Folder::new();
    let names: [&[u8]; 5] = [
        b"a\nb.lts",
        b"q'\"u.lts",
        b"%0A::error::x.lts",
        b"-j9.lts",
        b"\xff\xfe.lts",
    ];
    for name in names {
        let path = std::path::Path::new(&folder.path("")).join(std::ffi::OsStr::from_bytes(name));
        std::fs::write(path, HOLDS).unwrap();
    }
    let ran = run(
        &folder,
        &["check", ".", "-j2", "--certificate", "{name}.cert"],
    );
    ran.ended(0, "holds");
    assert_eq!(table(&ran).len(), 10);
    assert!(ran.stdout.contains("== ./a\\nb.lts\n"), "{}", ran.stdout);
    let certificate = std::ffi::OsStr::from_bytes(b"\xff\xfe.cert");
    assert!(
        std::path::Path::new(&folder.path(""))
            .join(certificate)
            .exists()
    );
    let ran = run(&folder, &["check", ".", "--format", "json"]);
    assert_eq!(ran.json()["models"].as_array().unwrap().len(), 5);
}

#[test]
fn unreadable_models_do_not_stop_the_others() {
    use std::os::unix::fs::PermissionsExt;
    let folder = three();
    std::fs::set_permissions(folder.path("a.lts"), std::fs::Permissions::from_mode(0o000)).unwrap();
    std::os::unix::fs::symlink("nowhere.lts", folder.path("d.lts")).unwrap();
    let ran = run(&folder, &["check", "a.lts", "d.lts", "b.lts"]);
    ran.ended(10, "violated(b.lts: SAFE)");
    assert!(ran.stdout.contains("== d.lts"), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("there is no file `d.lts`"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_reader_that_goes_away_ends_it() {
    let folder = three();
    endless(&folder);
    let mut child = program()
        .current_dir(folder.path(""))
        .args(["check", "a.lts", "b.lts", "endless.lts"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    // Nobody would see the last verdict, which would never come.
    assert!(child.wait().unwrap().code().is_some());
}

#[test]
fn usage_errors_are_found_before_anything_is_checked() {
    let folder = three();
    run(&folder, &["check", "a.lts", "b.lts", "-j0"]).refused(1, "-j");
    // An option that means nothing for one of the models is said for that model.
    folder.file("d.smv", "MODULE main\nVAR x : boolean;\nINVARSPEC x | !x\n");
    let ran = run(&folder, &["check", "a.lts", "d.smv", "--far", "0"]);
    ran.ended(1, "unknown(a.lts: usage error)");
    assert!(ran.stderr.contains("--far is for SMV models"));
    assert!(suppose(["--as-worker"]).status == 1);
}
