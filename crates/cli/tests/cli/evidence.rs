//! Evidence: written, checked again, exported.

use serde_json::Value;

use crate::support::{Folder, channel, example, suppose};

#[test]
fn evidence_is_checked_again_from_a_file() {
    let folder = Folder::new();
    let model = channel();
    for engine in ["monolithic", "agar", "learn"] {
        let proof = folder.path("proof.cert");
        let run = [
            "check",
            &model,
            "--property",
            "Order",
            "--engine",
            engine,
            "--certificate",
            &proof,
        ];
        suppose(run).ended(0, "holds");
        suppose(["certify", &proof, &model]).ended(0, "holds");
        let document = suppose(["certify", &proof, &model, "--format", "json"]).json();
        assert_eq!(
            (&document["accepted"], &document["claim"]),
            (&true.into(), &"Order".into())
        );
        suppose(["certify", &proof, &model, "--system", "BROKEN"])
            .ended(4, "unknown(certificate rejected)");
        let other = example("channel/channels.lts");
        suppose(["certify", &proof, &other]).ended(4, "unknown(certificate rejected)");
    }
}

#[test]
fn a_counterexample_is_evidence_too() {
    let folder = Folder::new();
    let model = channel();
    let run = folder.path("run.cert");
    let broken = ["--system", "BROKEN"];
    let arguments = [
        "check",
        &model,
        "--property",
        "Order",
        "--certificate",
        &run,
    ];
    suppose([&arguments[..], &broken].concat()).ended(10, "violated(Order)");
    suppose([&["certify", &run, &model], &broken[..]].concat()).ended(10, "violated(Order)");
    suppose(["certify", &run, &model]).ended(4, "unknown(certificate rejected)");
}

#[test]
fn one_file_has_the_evidence_about_all_claims() {
    let folder = Folder::new();
    let model = channel();
    let path = folder.path("all.cert");
    for (system, status, line) in [("SYS", 0, "holds"), ("BROKEN", 10, "violated(Order)")] {
        let options = ["--system", system, "--format", "json"];
        let ran = suppose([&["check", &model, "--certificate", &path], &options[..]].concat());
        assert_eq!(ran.status, status, "{ran:#?}");
        let document = ran.json();
        for claim in document["claims"].as_array().unwrap() {
            assert_eq!(claim["evidence"]["file"], path.as_str());
        }
        let again = suppose(["certify", &path, &model, "--system", system]);
        again.ended(status, line);
        assert!(again.stdout.contains("for Order: accepted"), "{again:#?}");
        assert!(
            again.stdout.contains("for deadlock: accepted"),
            "{again:#?}"
        );
        let document = suppose([&["certify", &path, &model], &options[..]].concat()).json();
        assert_eq!(document["claims"].as_array().unwrap().len(), 2);
        assert_eq!(document["claims"][0]["claim"], "Order");
    }
    let folders = folder.path("premises");
    suppose(["check", &model, "--certificate", &path]).ended(0, "holds");
    let ran = suppose(["convert", "--premises", &path, &model, &folders]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    for claim in ["property-0", "deadlock"] {
        let index = format!("{folders}/{claim}/index.json");
        assert!(std::fs::exists(&index).unwrap(), "{index}");
    }
}

#[test]
fn a_damaged_file_about_several_claims_is_rejected() {
    let folder = Folder::new();
    let model = channel();
    let path = folder.path("all.cert");
    suppose(["check", &model, "--certificate", &path]).ended(0, "holds");
    let whole = std::fs::read_to_string(&path).unwrap();
    for length in (0..whole.trim_end().len()).step_by(7) {
        let cut = folder.file("cut.cert", &whole[..length]);
        suppose(["certify", &cut, &model]).ended(4, "unknown(certificate rejected)");
    }
    for (from, to) in [
        ("\"version\":1,\n\"claims\"", "\"version\":2,\n\"claims\""),
        ("\"claims\":[", "\"claims\":[7,"),
        ("\"claims\":[", "\"claims\":[{},"),
        ("suppose certificate", "suppose certificat"),
        ("\"Order\"", "\"Ordre\""),
        ("]\n}\n", "]\n}\n{}"),
    ] {
        let at = whole.rfind(from).unwrap();
        let changed = format!("{}{to}{}", &whole[..at], &whole[at + from.len()..]);
        let changed = folder.file("changed.cert", changed);
        suppose(["certify", &changed, &model]).ended(4, "unknown(certificate rejected)");
    }
    let none = r#"{"format":"suppose no evidence","version":1,"claim":"x","reason":"y"}"#;
    let partly = whole.replacen("\"claims\":[", &format!("\"claims\":[{none},"), 1);
    let partly = folder.file("partly.cert", partly);
    suppose(["certify", &partly, &model]).ended(5, "unknown(unsupported)");
}

#[test]
fn damaged_files_are_rejected() {
    let folder = Folder::new();
    let model = channel();
    let proof = folder.path("proof.cert");
    suppose([
        "check",
        &model,
        "--property",
        "Order",
        "--certificate",
        &proof,
    ])
    .ended(0, "holds");
    let whole = std::fs::read(&proof).unwrap();
    for length in [0, 1, whole.len() / 3, whole.len() / 2, whole.len() - 3] {
        let cut = folder.file("cut.cert", &whole[..length]);
        suppose(["certify", &cut, &model]).ended(4, "unknown(certificate rejected)");
    }
    let noise = folder.file("noise.cert", [0xff, 0xfe, 0, 1, 2]);
    suppose(["certify", &noise, &model]).ended(4, "unknown(certificate rejected)");
}

#[test]
fn premises_are_exported_for_other_tools() {
    let folder = Folder::new();
    let model = channel();
    let (proof, out) = (folder.path("proof.cert"), folder.path("premises"));
    let run = [
        "check",
        &model,
        "--property",
        "Order",
        "--engine",
        "agar",
        "--certificate",
        &proof,
    ];
    suppose(run).ended(0, "holds");
    let ran = suppose(["convert", "--premises", &proof, &model, &out]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    let index = std::fs::read_to_string(format!("{out}/index.json")).unwrap();
    let index: Value = serde_json::from_str(&index).unwrap();
    let premises = index["premises"].as_array().unwrap();
    assert_eq!(premises.len(), 2);
    for premise in premises {
        let left = format!("{out}/{}", premise["left"].as_str().unwrap());
        let right = format!("{out}/{}", premise["guarantee"].as_str().unwrap());
        // The guarantee as a property of the left side: what another tool would be asked.
        let check = ["check", &left, "--property-file", &right, "--no-deadlock"];
        suppose(check).ended(0, "holds");
    }
}

/// Programs with what is violated in them, and options.
const VIOLATED: [(&str, &str, &[&str]); 6] = [
    (
        "byte x; active proctype P() { do :: x = 1 - x :: x = 1 od } ltl back { [] <> (x == 0) }",
        "back",
        &[],
    ),
    // The system stops, and only the claim goes on.
    (
        "byte x; active proctype P() { x = 1 } ltl back { [] <> (x == 0) }",
        "back",
        &[],
    ),
    (
        "byte x; active proctype P() { do :: x = 1 - x :: x == 0 -> progress: x = 1 od }",
        "progress",
        &["--progress"],
    ),
    (
        "byte x; byte y; active proctype P() { do :: x = 1 - x od } active proctype Q() { do :: y = 1 - y od }
         ltl both { <> [] (x == 0) }",
        "both",
        &["--fair"],
    ),
    (
        "chan c = [0] of { byte }; active proctype P() { c!3 } active proctype Q() { byte v; c?v; assert(v == 2) }",
        "assertions",
        &[],
    ),
    (
        "byte x; active proctype P() { atomic { x = 1; x = 2 }; x == 1 }",
        "end-states",
        &[],
    ),
];

#[test]
fn runs_of_programs_are_evidence() {
    let folder = Folder::new();
    let other = folder.file("other.pml", "active proctype P() { skip }\n");
    for (number, (text, claim, options)) in VIOLATED.iter().enumerate() {
        let model = folder.file(&format!("m{number}.pml"), text);
        let run = folder.path(&format!("m{number}.cert"));
        let check = ["check", &model, "-p", claim, "--certificate", &run];
        let verdict = format!("violated({claim})");
        suppose([&check[..], options].concat()).ended(10, &verdict);
        let again = suppose(["certify", &run, &model]);
        again.ended(10, &verdict);
        assert!(again.stdout.contains("accepted"), "{again:#?}");
        suppose(["certify", &run, &other]).ended(4, "unknown(certificate rejected)");
    }
}

/// No change of a run is accepted, unless it is a run that shows the same.
#[test]
fn forged_runs_of_programs_are_rejected() {
    let folder = Folder::new();
    let (text, claim, _) = VIOLATED[0];
    let model = folder.file("m.pml", text);
    let run = folder.path("m.cert");
    let check = ["check", &model, "-p", claim, "--certificate", &run];
    suppose(check).ended(10, "violated(back)");
    let written: Value = serde_json::from_str(&std::fs::read_to_string(&run).unwrap()).unwrap();
    let rejected = |change: &dyn Fn(&mut Value)| {
        let mut changed = written.clone();
        change(&mut changed);
        assert_ne!(changed, written);
        let forged = folder.file("forged.cert", in_order(&changed));
        suppose(["certify", &forged, &model]).ended(4, "unknown(certificate rejected)");
    };
    let same = folder.file("same.cert", in_order(&written));
    suppose(["certify", &same, &model]).ended(10, "violated(back)");
    rejected(&|it| it["question"] = "assertions".into());
    rejected(&|it| it["question"] = "end-states".into());
    rejected(&|it| it["violation"] = "claim".into());
    rejected(&|it| it["violation"] = "assertion".into());
    rejected(&|it| it["violation"] = "nothing".into());
    rejected(&|it| it["cycle"] = Value::Null);
    rejected(&|it| it["cycle"][0] = 1_000_000.into());
    rejected(&|it| it["steps"] = Value::Array(Vec::new()));
    let steps = written["steps"].as_array().unwrap().len();
    for at in 0..steps {
        rejected(&|it| it["steps"][at][0] = 7.into());
        rejected(&|it| it["steps"][at][1] = vec![9].into());
        rejected(&|it| it["steps"][at][5] = Value::Null);
        rejected(&|it| {
            it["steps"].as_array_mut().unwrap().remove(at);
        });
    }
}

/// The fields in the order of the format.
fn in_order(document: &Value) -> String {
    let names = [
        "format",
        "version",
        "system",
        "models",
        "question",
        "violation",
        "cycle",
        "claim",
        "steps",
    ];
    let field = |name: &&str| format!("\"{name}\": {}", document[*name]);
    let all: Vec<String> = names.iter().map(field).collect();
    format!("{{{}}}", all.join(","))
}
