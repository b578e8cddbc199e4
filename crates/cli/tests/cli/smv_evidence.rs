//! Evidence about SMV models: written, checked again, forged.

use crate::smv::{LIGHT, light};
use crate::support::{Folder, root, suppose};

#[test]
fn evidence_is_written_and_checked_again() {
    let (folder, model) = light();
    for engine in ["bdd", "cegar"] {
        let all = folder.path("all.cert");
        let base = ["check", &model, "--engine", engine, "--certificate"];
        suppose([&base[..], &[&all]].concat()).ended(10, "violated(gets_green)");
        suppose(["certify", &all, &model]).ended(10, "violated(gets_green)");
        let expected = [
            (0, 0, "holds"),
            (1, 0, "holds"),
            (2, 10, "violated(gets_green)"),
            (3, 0, "holds"),
            (4, 0, "holds"),
        ];
        for (number, status, line) in expected {
            if engine == "cegar" && [1, 4].contains(&number) {
                continue;
            }
            let file = folder.path(&format!("m.property-{number}.cert"));
            let one = [file.as_str(), "--property", &number.to_string()];
            suppose([&base[..], &one].concat()).ended(status, line);
            suppose(["certify", &file, &model]).ended(status, line);
            let text = std::fs::read_to_string(&file).unwrap();
            let other = LIGHT.replace("waited < 3 ", "waited < 2 ");
            let other = folder.file("other.smv", other);
            suppose(["certify", &file, &other]).ended(4, "unknown(certificate rejected)");
            let renumbered = text.replacen("\"number\":", "\"number\":1", 1);
            let renumbered = folder.file("renumbered.cert", renumbered);
            suppose(["certify", &renumbered, &model]).ended(4, "unknown(certificate rejected)");
        }
        let run = folder.path("m.property-2.cert");
        let text = std::fs::read_to_string(&run).unwrap();
        let damaged = folder.file("damaged.cert", text.replacen("yellow", "green", 1));
        if text.contains("yellow") {
            suppose(["certify", &damaged, &model]).ended(4, "unknown(certificate rejected)");
        }
        let damaged = folder.file("damaged.cert", text.replacen("\"red\"", "\"green\"", 1));
        suppose(["certify", &damaged, &model]).ended(4, "unknown(certificate rejected)");
    }
    let nothing = folder.file("nothing.cert", "{}");
    suppose(["certify", &nothing, &model]).ended(4, "unknown(certificate rejected)");
    let ran = suppose(["check", &model, "--no-certify"]);
    assert!(ran.stdout.contains("--no-certify"), "{ran:#?}");
}

#[test]
fn deadlocks_have_evidence_that_is_checked_again() {
    let folder = Folder::new();
    let text = "MODULE main\nIVAR go : boolean;\nVAR x : 0..3; free : boolean;\nINIT x = 0;\n\
                TRANS go & next(x) = x + 1;\nSPEC AG x < 4\n";
    let stuck = folder.file("stuck.smv", text);
    let cert = folder.path("stuck.cert");
    let check = |file: &str| suppose(["check", file, "--deadlock", "--certificate", &cert]);
    check(&stuck).ended(10, "violated(deadlock)");
    let ran = suppose(["certify", &cert, &stuck]);
    ran.ended(10, "violated(deadlock)");
    assert!(ran.stdout.contains("accepted (4 states)"), "{ran:#?}");
    let text = std::fs::read_to_string(&cert).unwrap();
    let rejected = |changed: String, model: &str, why: &str| {
        assert_ne!(changed, text);
        let forged = folder.file("forged.cert", changed);
        let ran = suppose(["certify", &forged, model]);
        ran.ended(4, "unknown(certificate rejected)");
        assert!(ran.stdout.contains(why), "no `{why}` in {ran:#?}");
    };
    // A state that has a step, a step that is none, and a run of another claim.
    let shorter = text
        .replace(",\n[\"3\"]", "")
        .replacen("[\"TRUE\"],\n", "", 1);
    rejected(shorter, &stuck, "there is a step from the last state");
    let jump = text.replace("[\"2\"]", "[\"1\"]");
    rejected(jump, &stuck, "there is no such step");
    let other = text.replace("\"kind\":\"stuck\"", "\"kind\":\"run\",\n\"shows\":\"all\"");
    rejected(other, &stuck, "a run that ends in it");
    let moves = "MODULE main\nIVAR go : boolean;\nVAR x : 0..3;\nINIT x = 0;\nTRANS go -> next(x) = x + 1;\n";
    let moves = folder.file("moves.smv", moves);
    let same_hash = |old: &str, new: &str| -> String {
        let cert = folder.path("other.cert");
        suppose(["check", new, "--deadlock", "--certificate", &cert]).ended(0, "holds");
        let hash = |text: &str| {
            let (_, rest) = text.split_once("sha256\":\"").unwrap();
            rest.split('"').next().unwrap().to_owned()
        };
        let new = std::fs::read_to_string(&cert).unwrap();
        old.replace(&hash(old), &hash(&new))
    };
    rejected(
        same_hash(&text, &moves),
        &moves,
        "there is a step from the last state",
    );

    for constraint in ["INIT x > 3", "INVAR x < 0"] {
        let none = format!("MODULE main\nVAR x : 0..3;\n{constraint}\nSPEC AG x < 4\n");
        let none = folder.file("none.smv", none);
        let ran = check(&none);
        ran.ended(0, "holds");
        assert!(ran.stdout.contains("there is no initial state"), "{ran:#?}");
        suppose(["certify", &cert, &none]).ended(0, "holds");
        let text = std::fs::read_to_string(&cert).unwrap();
        let moved = same_hash(&text, &moves).replace("[\"x\"]", "[\"go\",\"x\"]");
        let forged = folder.file("forged.cert", moved);
        let ran = suppose(["certify", &forged, &moves]);
        ran.ended(4, "unknown(certificate rejected)");
        assert!(ran.stdout.contains("there is an initial state"), "{ran:#?}");
    }
}

/// What is a number in one dialect is a truth value in the other.
#[test]
fn evidence_knows_the_dialect_of_its_model() {
    let folder = Folder::new();
    let old = root().join("examples/smv/counter-old.smv");
    let old = old.display().to_string();
    let cert = folder.path("m.cert");
    let check = ["check", &old, "--dialect", "old", "--certificate", &cert];
    suppose(check).ended(10, "violated(property 1)");
    suppose(["certify", &cert, &old]).ended(10, "violated(property 1)");
    for (number, status, line) in [(0, 0, "holds"), (1, 10, "violated(property 1)")] {
        let file = folder.path(&format!("m.property-{number}.cert"));
        let check = [
            "check",
            &old,
            "--dialect",
            "old",
            "--property",
            &number.to_string(),
            "--certificate",
            &file,
        ];
        suppose(check).ended(status, line);
        suppose(["certify", &file, &old]).ended(status, line);
        suppose(["certify", &file, &old, "--dialect", "old"]).ended(status, line);
        suppose(["certify", &file, &old, "--dialect", "nusmv"]).refused(2, "cannot take a number");
    }
    // A model that both dialects read, differently: `!x = y` is `!(x = y)` in the old one.
    let both = "MODULE main\nVAR x : boolean; y : boolean;\nASSIGN init(x) := 0 = 1; init(y) := 1 = 1;\nSPEC !x = y\n";
    let both = folder.file("both.smv", both);
    for dialect in ["old", "nusmv"] {
        let cert = folder.path("both.cert");
        let check = ["check", &both, "--dialect", dialect, "--certificate", &cert];
        let ran = suppose(check);
        suppose(["certify", &cert, &both]).ended(ran.status, ran.stdout.lines().last().unwrap());
        let other = if dialect == "old" { "nusmv" } else { "old" };
        let ran = suppose(["certify", &cert, &both, "--dialect", other]);
        ran.ended(4, "unknown(certificate rejected)");
    }
}

/// An invariant whose decisions are turned about is none any more.
#[test]
fn tampered_invariants_are_rejected() {
    let (folder, model) = light();
    let cert = folder.path("m.cert");
    let arguments = [
        "check",
        &model,
        "--engine",
        "bdd",
        "--property",
        "no_rest",
        "--certificate",
        &cert,
    ];
    suppose(arguments).ended(0, "holds");
    suppose(["certify", &cert, &model]).ended(0, "holds");
    let text = std::fs::read_to_string(&cert).unwrap();
    let old = text.split("\"root\":").nth(1).unwrap();
    let old = old.split(',').next().unwrap();
    for root in [0, 1] {
        let changed = text.replacen(&format!("\"root\":{old}"), &format!("\"root\":{root}"), 1);
        assert_ne!(changed, text);
        let damaged = folder.file("damaged.cert", changed);
        suppose(["certify", &damaged, &model]).ended(4, "unknown(certificate rejected)");
    }
}

#[test]
fn invariants_are_written_for_other_tools() {
    let (folder, model) = light();
    let (smt, aiger) = (folder.path("i.smt2"), folder.path("i.aag"));
    let arguments = [
        "check",
        &model,
        "--engine",
        "bdd",
        "--property",
        "no_rest",
        "--smtlib",
        &smt,
        "--aiger",
        &aiger,
    ];
    suppose(arguments).ended(0, "holds");
    let text = std::fs::read_to_string(&smt).unwrap();
    assert_eq!(text.matches("(check-sat)").count(), 3, "{text}");
    for file in [aiger, folder.path("i.model.aag")] {
        let text = std::fs::read_to_string(file).unwrap();
        assert!(text.starts_with("aag "), "{text}");
    }
}
