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
