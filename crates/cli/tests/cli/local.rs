//! Proofs of programs by views of two processes.

use crate::support::{Folder, root, suppose};

/// A protocol of the benchmarks.
fn protocol(name: &str) -> String {
    let path = root().join(format!("crates/bench/parts/{name}.pml"));
    path.display().to_string()
}

const LOCK: &str = "bool lock;\nbyte inside;\nactive [3] proctype P() {\n  do\n  :: atomic { !lock -> lock = true };\n\
     inside++;\n     assert(inside == 1);\n     inside--;\n     lock = false\n  od\n}\nltl one { [] (inside <= 1) }\n";

#[test]
fn a_proof_is_shown_and_kept() {
    let folder = Folder::new();
    let model = folder.file("lock.pml", LOCK);
    let proof = folder.path("lock.cert");
    let run = [
        "check",
        &model,
        "--engine",
        "local",
        "--certificate",
        &proof,
    ];
    let ran = suppose(run);
    ran.ended(0, "holds");
    let text = &ran.stdout;
    assert!(
        text.contains("P at lock.pml:5: `lock` from false to true"),
        "{text}"
    );
    assert!(
        text.contains("P at lock.pml:9: `lock` from true to false"),
        "{text}"
    );
    assert!(text.contains("certificate    accepted"), "{text}");
    // Views prove two of the claims, and a list of all states the third.
    let all = suppose(["certify", &proof, &model]);
    all.ended(0, "holds");
    assert!(all.stdout.contains("end-states: accepted ("), "{all:#?}");
    let run = [&run[..], &["--no-deadlock"]].concat();
    suppose(&run).ended(0, "holds");
    suppose(["certify", &proof, &model]).ended(0, "holds");
    let document = suppose(["certify", &proof, &model, "--format", "json"]).json();
    assert_eq!(document["accepted"], true);
    assert_eq!(document["claims"].as_array().map(Vec::len), Some(2));
    let other = folder.file("other.pml", LOCK.replace("[3]", "[4]"));
    suppose(["certify", &proof, &other]).ended(4, "unknown(certificate rejected)");
}

#[test]
fn the_document_says_what_the_others_do() {
    let folder = Folder::new();
    let model = folder.file("lock.pml", LOCK);
    let run = ["check", &model, "--engine", "local", "--format", "json"];
    let document = suppose(run).json();
    let claim = &document["claims"][0];
    assert_eq!(claim["engine"]["name"], "local");
    let views = &claim["views"];
    assert!(views["views"].as_u64().is_some_and(|n| n > 0), "{claim}");
    let first = &views["interference"][0];
    assert_eq!(
        (&first["proctype"], &first["line"]),
        (&"P".into(), &5.into())
    );
    let page = folder.path("page.html");
    suppose(["report", &model, "--engine", "local", "--output", &page]).ended(0, "holds");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("Assumption: what the others do"));
}

#[test]
fn a_violation_is_a_run_of_the_program() {
    let file = root().join("examples/promela/burns/burns.pml");
    let file = file.display().to_string();
    let broken = ["--set", "N=3", "--set", "BROKEN=1"];
    let run = [
        &["check", &file, "--engine", "local", "--no-deadlock"],
        &broken[..],
    ]
    .concat();
    let ran = suppose(run);
    ran.ended(10, "violated(assertions)");
    assert!(
        ran.stdout.contains("replay         accepted"),
        "{}",
        ran.stdout
    );
}

/// Pairs are too coarse for this lock: more is exposed, and told.
#[test]
fn what_is_exposed_is_told() {
    let file = protocol("ticket");
    let run = [
        "check",
        &file,
        "--set",
        "N=3",
        "--engine",
        "local",
        "--no-deadlock",
    ];
    let ran = suppose(run);
    ran.ended(0, "holds");
    assert!(
        ran.stdout.contains("exposed how many of `P` are at"),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_means_nothing_to_views_is_refused() {
    let folder = Folder::new();
    let model = folder.file("lock.pml", LOCK);
    let refused = |options: &[&str], message: &str| {
        let run = [&["check", &model, "--engine", "local"], options].concat();
        suppose(run).refused(1, message);
    };
    refused(
        &["--component", "P"],
        "--component is for the engine `quotient`",
    );
    refused(&["--split", "chain"], "--split is for the engines");
    refused(&["--learner", "ttt"], "--learner is for the engine `learn`");
    suppose(["assume", &model, "--engine", "local"])
        .refused(1, "`local` is not for `suppose assume`");
    let network = folder.file("m.lts", "P = (a -> P).\n");
    suppose(["check", &network, "--engine", "local"])
        .refused(1, "the engine `local` is for PROMELA programs");
}

/// All that the search accepts: processes that come and go, priorities, `enabled`, `timeout` in a claim, exclusive channels.
#[test]
fn no_program_is_refused() {
    let folder = Folder::new();
    let texts = [
        "byte n;\nproctype W() { n++; assert(n <= 3); n-- }\n\
         init { byte i; do :: i < 3 -> run W(); i++ :: else -> break od; (_nr_pr == 1) -> assert(n == 0) }\n",
        "byte x;\nactive proctype A() priority 2 { x = 1; set_priority(0, 1); assert(get_priority(0) == 1) }\n\
         active proctype B() priority 1 { (x == 1) -> x = 2 }\n",
        "bool x;\nactive proctype A() { do :: enabled(1) -> x = 1; assert(x) :: timeout -> break od }\n\
         active proctype B() { (x) -> skip }\n",
        "chan c = [1] of { byte };\nactive proctype S() { xs c; c!3 }\nactive proctype R() { xr c; byte v; c?v; assert(v == 3) }\n",
        "byte x;\nactive proctype P() { do :: x < 2 -> x++ od }\nnever { do :: timeout && x < 2 -> break :: else od }\n",
        "byte x;\nactive proctype P() provided (x < 3) { { do :: x++ od } unless { x == 2 -> assert(x >= 2) } }\n\
         active proctype Q() { do :: P@L -> skip :: else -> break od; L: skip }\n",
    ];
    for (number, text) in texts.iter().enumerate() {
        let text = match number {
            5 => text.replace("P@L", "Q[1]@L"),
            _ => (*text).to_owned(),
        };
        let model = folder.file("m.pml", &text);
        let searched = suppose(["check", &model, "--engine", "monolithic"]);
        let ran = suppose(["check", &model, "--engine", "local"]);
        assert!([0, 5, 10].contains(&ran.status), "{text}\n{ran:#?}");
        if ran.status != 5 {
            assert_eq!(ran.last_line(), searched.last_line(), "{text}");
        }
    }
}
