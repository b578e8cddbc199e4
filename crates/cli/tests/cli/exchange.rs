//! Results for other programs: SARIF, JUnit XML and annotations of GitHub.

use serde_json::Value;

use crate::support::{Folder, Ran, program};

const HOSTILE: &str = "a,b:%0A\n::error::'\"<&>.lts";

fn models() -> Folder {
    let folder = Folder::new();
    folder.file(
        HOSTILE,
        "P = (a -> b -> P).\nproperty SAFE = (b -> a -> SAFE).\n||S = (P || SAFE).\n",
    );
    folder.file(
        "b.pml",
        "byte x;\nactive proctype P() {\n  x = 1;\n  assert(x == 2)\n}\n",
    );
    folder.file("c.smv", "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 4;\nINVARSPEC NAME small := x < 3;\nINVARSPEC NAME fine := x < 4;\n");
    folder.file("d.lts", "P = (a ->\n");
    folder
}

fn run(folder: &Folder, arguments: &[&str]) -> Ran {
    let output = program()
        .current_dir(folder.path(""))
        .args(arguments)
        .output();
    output.unwrap().into()
}

fn document(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.path(name)).unwrap()).unwrap()
}

#[test]
fn all_models_are_in_each_file() {
    let folder = models();
    let ran = run(
        &folder,
        &[
            "check", ".", "-j2", "--sarif", "r.sarif", "--junit", "r.xml", "--github",
        ],
    );
    assert_eq!(ran.status, 10, "{ran:#?}");
    let run_of = &document(&folder, "r.sarif")["runs"][0];
    let results = run_of["results"].as_array().unwrap();
    let seen: Vec<(String, u64, usize)> = results
        .iter()
        .map(|r| {
            let at = &r["locations"][0]["physicalLocation"];
            let uri = at["artifactLocation"]["uri"].as_str().unwrap().to_owned();
            let steps = &r["codeFlows"][0]["threadFlows"][0]["locations"];
            (
                uri,
                at["region"]["startLine"].as_u64().unwrap(),
                steps.as_array().unwrap().len(),
            )
        })
        .collect();
    let name = "a%2Cb%3A%250A%0A%3A%3Aerror%3A%3A%27%22%3C%26%3E.lts".to_owned();
    assert_eq!(
        seen,
        [
            (name, 2, 1),
            ("b.pml".to_owned(), 4, 2),
            ("c.smv".to_owned(), 4, 4)
        ]
    );
    assert_eq!(run_of["invocations"][0]["exitCode"], 10);
    let xml = std::fs::read_to_string(folder.path("r.xml")).unwrap();
    assert!(
        xml.contains("tests=\"7\" failures=\"3\" errors=\"1\" skipped=\"0\""),
        "{xml}"
    );
    let lines: Vec<&str> = ran.stderr.lines().filter(|l| l.contains("::")).collect();
    assert_eq!(lines.len(), 4, "{}", ran.stderr);
    assert!(
        lines[0].starts_with("::error file=./a%2Cb%3A%250A%0A%3A%3Aerror"),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].starts_with("::error file=./b.pml,line=4,title=assertions::"),
        "{}",
        lines[1]
    );
}

#[test]
fn one_model_and_one_that_cannot_be_read() {
    let folder = models();
    run(&folder, &["check", "c.smv", "--junit", "r.xml"]).ended(10, "violated(small)");
    let xml = std::fs::read_to_string(folder.path("r.xml")).unwrap();
    assert!(xml.contains("tests=\"2\" failures=\"1\""), "{xml}");
    let ran = run(
        &folder,
        &[
            "check", "d.lts", "--junit", "r.xml", "--sarif", "r.sarif", "--github",
        ],
    );
    ran.refused(2, "::error file=d.lts,line=");
    let xml = std::fs::read_to_string(folder.path("r.xml")).unwrap();
    assert!(xml.contains("errors=\"1\""), "{xml}");
    let notices =
        &document(&folder, "r.sarif")["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notices.as_array().unwrap().len(), 1);
}

/// In a test, what is expected is no failure, and what is not expected is one.
#[test]
fn expectations_decide() {
    let folder = models();
    folder.file("suppose.toml", "[[model]]\nfiles = \"b.pml\"\nexpect = { assertions = \"violated\" }\n\n[[model]]\nfiles = \"c.smv\"\nexpect = { small = \"violated\", fine = \"violated\" }\n\n[[model]]\nfiles = \"d.lts\"\nexpect = \"error\"\n");
    let ran = run(&folder, &["test", "--junit", "r.xml", "--github"]);
    ran.ended(11, "failed(c.smv: fine)");
    let xml = std::fs::read_to_string(folder.path("r.xml")).unwrap();
    assert!(
        xml.contains("tests=\"5\" failures=\"1\" errors=\"0\""),
        "{xml}"
    );
    let lines: Vec<&str> = ran.stderr.lines().filter(|l| l.starts_with("::")).collect();
    assert_eq!(
        lines,
        ["::error file=c.smv,line=5,col=24,title=fine::fine: holds (expected: violated)"]
    );
}

#[test]
fn results_overwrite_nothing_and_are_tried_before_the_work() {
    let folder = models();
    run(&folder, &["check", "b.pml", "--sarif", "b.pml"])
        .refused(1, "--sarif would overwrite the input");
    run(&folder, &["check", "b.pml", "c.smv", "--junit", "c.smv"])
        .refused(1, "--junit would overwrite the input");
    run(&folder, &["check", "b.pml", "--junit", "x", "--sarif", "x"])
        .refused(1, "name the same file");
    run(&folder, &["check", "b.pml", "--junit", "none/x.xml"])
        .refused(2, "there is no folder `none`");
    folder.file("suppose.toml", "[[model]]\nfiles = \"b.pml\"\n");
    run(&folder, &["test", "--junit", "suppose.toml"])
        .refused(1, "--junit would overwrite the input");
    // A disk that fills up later changes no verdict.
    let ran = run(&folder, &["check", "b.pml", "--junit", "/dev/full"]);
    ran.refused(10, "cannot write `/dev/full`")
        .ended(10, "violated(assertions)");
}
