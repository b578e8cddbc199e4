//! The measurements from outside: each suite prints whole tables, and a wrong verdict ends it.

// Helpers of tests are tests too: what goes wrong here fails one.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug)]
struct Ran {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Ran {
    fn lines(&self, begin: &str) -> Vec<&str> {
        let lines = self.stdout.lines();
        lines.filter(|l| l.starts_with(begin)).collect()
    }
}

/// Runs it in the root of the project. A `suppose` beside it is measured as it is; without one it makes its own.
fn bench(arguments: &[&str]) -> Ran {
    let own = Path::new(env!("CARGO_BIN_EXE_suppose-bench"));
    let mut command = Command::new(own);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    command.args(arguments);
    let product = own.with_file_name("suppose");
    if product.is_file() {
        command.arg("--suppose").arg(product);
    }
    let output = command.output().unwrap();
    Ran {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A folder of one test, gone when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("suppose-bench-test-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, contents: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, contents).unwrap();
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_suite_prints_a_table() {
    let ran = bench(&["agar", "--quick", "--only", "channel", "--quiet"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{ran:#?}");
    let command = "cargo run --release -p suppose-bench -- agar --quick";
    assert!(ran.stdout.contains(command), "{ran:#?}");
    let rows = ran.lines("| channel");
    assert_eq!(rows.len(), 2, "{ran:#?}");
    let width = |row: &str| row.matches('|').count();
    for (head, row) in ran.lines("| case").iter().zip(rows) {
        assert_eq!(width(head), width(row));
        assert!(!row.contains("unknown"), "{row}");
        // The sizes of both sides of the split are counted.
        assert!(row.starts_with("| channel, Order |  | 6 | 3 |"), "{row}");
    }
}

#[test]
fn probabilistic_systems_are_measured_beside_what_was_published() {
    let ran = bench(&["markov", "--only", "CSN-2", "--quiet"]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    let rows = ran.lines("| CSN(2) |");
    let [time, sizes] = &rows[..] else {
        panic!("{ran:#?}");
    };
    let odd = ["unknown", "violated"];
    assert!(odd.iter().all(|w| !time.contains(w)), "{time}");
    let published = sizes.contains("| 25 | 9 |") && sizes.contains("| 34 | 15 |");
    assert!(published, "{sizes}");
}

const HOLDS: &str = "(set-logic HORN)\n(declare-fun P (Int) Bool)\n\
    (assert (forall ((x Int)) (=> (= x 0) (P x))))\n\
    (assert (forall ((x Int)) (=> (and (P x) (< x 9)) (P (+ x 1)))))\n\
    (assert (forall ((x Int)) (=> (and (P x) (> x 9)) false)))\n(check-sat)\n";

#[test]
fn problems_that_were_solved_are_counted_and_a_wrong_verdict_ends_it() {
    let folder = Folder::new("horn");
    folder.file("good.smt2", HOLDS);
    folder.file("bad.smt2", &HOLDS.replace("(> x 9)", "(> x 8)"));
    let list = "file\tverdict\ngood.smt2\tholds\nbad.smt2\tviolated\n";
    folder.file("expected.tsv", list);
    let models = folder.0.display().to_string();
    let page = folder.0.join("out.html").display().to_string();
    let measured = || {
        let only = ["--only", ".smt2", "--quiet", "--ablation"];
        let mut arguments = vec!["horn", "--models", &models, "--report", &page];
        arguments.extend(only);
        bench(&arguments)
    };
    let ran = measured();
    assert_eq!(ran.status, 0, "{ran:#?}");
    let [recmc] = ran.lines("| recmc |")[..] else {
        panic!("{ran:#?}");
    };
    assert!(recmc.starts_with("| recmc | 2 | 1 | 1 | 0 |"), "{recmc}");
    assert!(std::fs::read_to_string(&page).unwrap().contains("<circle"));
    folder.file("expected.tsv", &list.replace("violated", "holds"));
    let ran = measured();
    assert_eq!(ran.status, 6, "{ran:#?}");
    let wrong = "bad.smt2: violated instead of holds";
    assert!(ran.stderr.contains(wrong), "{ran:#?}");
}

#[test]
fn smv_models_are_measured() {
    let ran = bench(&["smv", "--quick", "--only", "watchdog", "--quiet"]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    assert!(!ran.lines("| watchdog").is_empty(), "{ran:#?}");
}

#[test]
fn programs_are_measured_beside_spin() {
    let arguments = ["--quick", "--only", "dekker", "--quiet"];
    let ran = bench(&[&["spin"][..], &arguments].concat());
    assert_eq!(ran.status, 0, "{ran:#?}");
    assert_eq!(ran.lines("| dekker |").len(), 1, "{ran:#?}");
    let ran = bench(&["resy", "--quick", "--only", "workflow"]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    assert_eq!(ran.lines("| workflow N=2 |").len(), 1, "{ran:#?}");
    let ran = bench(&["parts", "--quick", "--only", "test-and-set"]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    let rows = ran.lines("| test-and-set | 8 |");
    assert_eq!(rows.len(), 1, "{ran:#?}");
    assert!(rows[0].contains("| yes |"), "{ran:#?}");
    let parts = concat!(env!("CARGO_MANIFEST_DIR"), "/parts");
    let ran = bench(&["parts", "--models", parts, "--only", "token"]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    assert!(ran.stdout.contains("by views only 0;"), "{ran:#?}");
    let ran = bench(&["liveness", "--quick", "--only", "ring"]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    assert_eq!(
        ran.lines("| token ring N=5 | returns, fair | holds |")
            .len(),
        1,
        "{ran:#?}"
    );
}

#[test]
fn what_is_not_there_is_said() {
    let ran = Command::new(env!("CARGO_BIN_EXE_suppose-bench"))
        .args(["agar", "--suppose", "no/such/file"])
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(2));
    let said = String::from_utf8(ran.stderr).unwrap();
    assert!(said.contains("there is no file `no/such/file`"), "{said}");
    let ran = bench(&["agar", "--rows"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains("--rows is for the suite horn"));
    // Alone in a folder, and not run by Cargo, it says how to continue.
    let folder = Folder::new("alone");
    let copy = folder.0.join("suppose-bench");
    std::fs::copy(env!("CARGO_BIN_EXE_suppose-bench"), &copy).unwrap();
    let ran = Command::new(&copy)
        .arg("agar")
        .env_remove("CARGO")
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(2));
    let said = String::from_utf8(ran.stderr).unwrap();
    assert!(
        said.contains("cargo build --release -p suppose-cli"),
        "{said}"
    );
}
