//! Systems with several claims, and engines in turns.

use serde_json::Value;

use super::support::{Folder, suppose};

/// Clients of a server, and eight claims.
const CLIENTS: &str = "
const N = 4
range I = 1..N
CLIENT = (request -> grant -> use -> release -> think -> CLIENT).
SERVER = (c[i:I].grant -> c[i].release -> SERVER).
property P1 = (c[1].grant -> c[1].release -> P1).
property P2 = (c[2].grant -> c[2].release -> P2).
property P3 = (c[1].grant -> c[1].release -> P3 | c[2].grant -> c[2].release -> P3).
property P4 = (c[i:I].grant -> c[i].release -> P4).
property P5 = (c[3].request -> c[3].grant -> P5).
property P6 = (c[i:I].use -> c[i].release -> P6).
property WRONG = (c[1].request -> c[1].use -> WRONG | c[2].request -> c[1].use -> WRONG).
||SYS = (c[I]:CLIENT || SERVER || P1 || P2 || P3 || P4 || P5 || P6 || WRONG).
";

/// A pipeline whose properties are about its ends.
const PIPELINE: &str = "
const N = 24
range I = 0..N-1
range D = 0..2
BUF = (in[d:D] -> out[d] -> BUF).
SRC = (p[0][0] -> p[0][1] -> p[0][2] -> SRC).
property Seq = Q[0], Q[d:D] = (p[N][d] -> Q[(d+1)%3])+{p[N][D]}.
property Near = (p[0][d:D] -> p[1][d] -> Near)+{p[1][D]}.
||SYS = (SRC || forall [i:I] b[i]:BUF || Seq || Near)/{forall [i:I][d:D] {p[i][d]/b[i].in[d], p[i+1][d]/b[i].out[d]}}.
";

fn claims(document: &Value) -> Vec<(String, String)> {
    let claims = document["claims"].as_array().unwrap().iter();
    let text = |v: &Value| v.as_str().unwrap().to_owned();
    claims
        .map(|c| (text(&c["name"]), text(&c["verdict"])))
        .collect()
}

#[test]
fn all_claims_of_a_system_are_told_in_the_order_they_were_asked() {
    let folder = Folder::new();
    let file = folder.file("clients.lts", CLIENTS);
    for engine in ["monolithic", "auto", "agar", "learn"] {
        let ran = suppose(["check", &file, "--engine", engine, "--format", "json"]);
        let found = claims(&ran.json());
        let names: Vec<&str> = found.iter().map(|c| c.0.as_str()).collect();
        let asked = ["P1", "P2", "P3", "P4", "P5", "P6", "WRONG", "deadlock"];
        assert_eq!(names, asked, "{engine}");
        for (name, verdict) in &found {
            let expected = match name.as_str() {
                "WRONG" => "violated",
                _ => "holds",
            };
            assert_eq!(verdict, expected, "{engine}: {name}");
        }
        assert_eq!(ran.status, 10, "{engine}");
    }
}

#[test]
fn one_exploration_decides_as_many_did() {
    let folder = Folder::new();
    let file = folder.file("clients.lts", CLIENTS);
    let monolithic = |more: &[&str]| {
        let all = ["check", &file, "--engine", "monolithic", "--format", "json"];
        suppose([&all[..], more].concat()).json()
    };
    let together = monolithic(&[]);
    for claim in together["claims"].as_array().unwrap() {
        let name = claim["name"].as_str().unwrap();
        let alone = match name {
            "deadlock" => monolithic(&["--deadlock"]),
            _ => monolithic(&["-p", name]),
        };
        let alone = &alone["claims"][0];
        for field in ["verdict", "states", "counterexample"] {
            assert_eq!(claim[field], alone[field], "{name}: {field}");
        }
        assert_eq!(claim["evidence"]["status"], alone["evidence"]["status"]);
    }
}

/// Beside the pipeline, a ring of cells that exchange their values: deadlocks are about all of it.
fn with_ring() -> String {
    let ring = "range V = 0..9
CELL(X = 0) = HAS[X],
HAS[v:V] = (left[w:V][v] -> HAS[w] | right[v][w:V] -> HAS[w]).
||RING = (forall [i:0..19] c[i]:CELL(i % 10)) / {forall [i:0..19] {x[i]/c[i].right, x[i]/c[(i + 1) % 20].left}}.
||SYS = (RING || ";
    PIPELINE.replace("||SYS = (", ring)
}

#[test]
fn deadlock_does_not_keep_decided_properties_from_being_told() {
    let folder = Folder::new();
    let file = folder.file("pipeline.lts", with_ring());
    let ran = suppose(["check", &file, "--timeout", "4s", "--format", "json"]);
    let pair = |name: &str, verdict: &str| (name.to_owned(), verdict.to_owned());
    let expected = [
        pair("Seq", "holds"),
        pair("Near", "holds"),
        pair("deadlock", "unknown"),
    ];
    assert_eq!(claims(&ran.json()), expected);
    assert_eq!(ran.status, 3);
    let properties = suppose(["check", &file, "--no-deadlock"]);
    properties.ended(0, "holds");
}

#[test]
fn a_limit_hands_over_what_is_required_so_far() {
    let folder = Folder::new();
    let file = folder.file("pipeline.lts", PIPELINE);
    let out = folder.path("a.aut");
    let asked = ["assume", &file, "-p", "Seq", "--component", "b.3:BUF"];
    let limit = [
        "--timeout",
        "2s",
        "--environment",
        "plain",
        "--output",
        &out,
    ];
    let ran = suppose([&asked[..], &limit, &["--format", "json"]].concat());
    let document = ran.json();
    let claim = &document["claims"][0];
    assert_eq!(
        (ran.status, claim["verdict"].as_str()),
        (3, Some("unknown"))
    );
    assert_eq!(claim["so_far"]["is_final"], false, "{claim:#}");
    assert!(std::fs::read_to_string(&out).unwrap().starts_with("des"));
    let text = suppose([&asked[..], &limit].concat());
    text.ended(3, "unknown(timeout)");
    assert!(text.stdout.contains("not final"), "{text:#?}");
}

#[test]
fn the_papers_way_is_asked_for_and_differs() {
    let model = super::support::example("gas-station/gas-station.lts");
    let sizes = |more: &[&str]| {
        let asked = [
            "assume",
            &model,
            "-p",
            "Change",
            "--component",
            "OPERATOR",
            "--format",
            "json",
        ];
        let document = suppose([&asked[..], more].concat()).json();
        let claim = &document["claims"][0];
        let states = claim["assumptions"][0]["states"].as_u64().unwrap();
        (states, claim["rounds"].as_array().unwrap().len())
    };
    let further = sizes(&[]);
    let repeated = sizes(&["--merging", "repeated"]);
    let once = sizes(&["--merging", "once", "--environment", "plain"]);
    assert!(
        further.0 < repeated.0 && repeated.0 <= once.0,
        "{further:?}, {repeated:?}, {once:?}"
    );
    let paper = [
        "--schedule",
        "paper",
        "--merging",
        "once",
        "--environment",
        "abstract",
    ];
    let paper = sizes(&paper);
    assert_eq!(paper.0, once.0);
    assert!(
        paper.1 > once.1,
        "a round of the paper's splits for one edge: {paper:?}, {once:?}"
    );
}

#[test]
fn how_to_refine_is_for_the_quotient() {
    let model = super::support::channel();
    for option in [
        ["--schedule", "paper"],
        ["--merging", "once"],
        ["--environment", "abstract"],
    ] {
        let engine = ["assume", &model, "--engine", "agar"];
        suppose([&engine[..], &option].concat()).refused(1, "for the engine `quotient`");
    }
}
