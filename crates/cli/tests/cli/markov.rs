//! Probabilistic systems from outside: verdicts, assumptions, trees, properties, files, and what is refused.

use serde::Deserialize;
use serde_json::Value;

use crate::horn::steady;
use crate::support::{Folder, Ran, golden, root, suppose};
use crate::validate::validate;

/// A sender that loses a message in one of four cases, and a receiver.
pub const MODEL: &str = "\
mdp
const double loss = 1/4;
module sender
  s : [0..2] init 0;
  [send] s=0 -> 1-loss : (s'=1) + loss : (s'=2);
  [ack] s=1 -> (s'=0);
  [fail] s=2 -> (s'=0);
endmodule
module receiver
  r : [0..1] init 0;
  [send] r=0 -> (r'=1);
  [ack] r=1 -> (r'=0);
  [fail] r=1 -> (r'=0);
endmodule
label \"lost\" = s=2;
";

/// At most so much is lost.
fn spec(loss: &str) -> String {
    format!(
        "mdp
module channel
  c : [0..2] init 0;
  [send] c=0 -> 1-{loss} : (c'=1) + {loss} : (c'=2);
  [ack] c=1 -> (c'=0);
  [fail] c=2 -> (c'=0);
  [ack] c=2 -> (c'=0);
endmodule
"
    )
}

struct Channel {
    folder: Folder,
    model: String,
    good: String,
    bad: String,
}

fn channel() -> Channel {
    let folder = Folder::new();
    Channel {
        model: folder.file("channel.nm", MODEL),
        good: folder.file("good.nm", spec("1/3")),
        bad: folder.file("bad.nm", spec("1/5")),
        folder,
    }
}

const ENGINES: [&str; 7] = [
    "auto",
    "monolithic",
    "cegar",
    "agar",
    "agar-n",
    "learn",
    "smt",
];

#[test]
fn every_engine_agrees() {
    let it = channel();
    for engine in ENGINES {
        let check =
            |spec: &String| suppose(["check", &it.model, "--spec", spec, "--engine", engine]);
        let ran = check(&it.good);
        ran.ended(0, "holds");
        assert!(ran.stdout.contains("certificate    accepted"), "{ran:#?}");
        let ran = check(&it.bad);
        ran.ended(10, "violated(conformance)");
        assert!(ran.stdout.contains("replay         accepted"), "{ran:#?}");
    }
}

#[test]
fn assumptions_and_trees_read_well() {
    let it = channel();
    let ran = suppose([
        "check",
        &it.model,
        "--spec",
        &it.good,
        "--engine",
        "agar-n",
        "--split",
        "receiver/sender",
    ]);
    golden("markov-holds.txt", &steady(&ran.stdout));
    let ran = suppose([
        "check",
        &it.model,
        "--spec",
        &it.bad,
        "--engine",
        "monolithic",
    ]);
    let text = steady(&ran.stdout);
    for part in ["probability 1/4", "it can give 1/5", "sender: "] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    golden("markov-violated.txt", &text);
}

#[test]
fn sizes_and_deadlocks() {
    let it = channel();
    let ran = suppose(["check", &it.model]);
    ran.ended(0, "holds");
    assert!(
        ran.stdout
            .contains("3 states, 3 choices, 4 transitions, no deadlock"),
        "{ran:#?}"
    );
    let stuck = MODEL.replace("[fail] s=2 -> (s'=0);", "[fail] false -> true;");
    let stuck = it.folder.file("stuck.nm", stuck);
    let ran = suppose(["check", &stuck]);
    ran.ended(10, "violated(deadlock)");
    for part in [
        "1 deadlock",
        "1/4: node 2",
        "is a deadlock",
        "replay         accepted",
    ] {
        assert!(ran.stdout.contains(part), "no `{part}` in {ran:#?}");
    }
    suppose(["check", &stuck, "--spec", &it.good]).ended(0, "holds");
    suppose(["check", &stuck, "--spec", &it.good, "--deadlock"]).ended(10, "violated(deadlock)");
    suppose(["check", &it.model, "--no-deadlock"]).refused(1, "nothing to check");
}

#[test]
fn properties_are_decided_and_measured() {
    let it = channel();
    let check = |formula: &str| suppose(["check", &it.model, "--property", formula]);
    check("P<=1/4 [ F<=1 \"lost\" ]").ended(0, "holds");
    check("P<1/4 [ F<=1 \"lost\" ]").ended(10, "violated(P<1/4 [ F<=1 \"lost\" ])");
    let ran = check("Pmax=? [ F<=3 \"lost\" ]");
    ran.ended(0, "holds");
    assert!(ran.stdout.contains("7/16 (0.4375)"), "{ran:#?}");
    check("P<=1/4 [ F<=1 nobody=2 ]").refused(2, "nobody");
    check("P<=1/4 [ F<=1").refused(2, "");
    let file = it.folder.file(
        "all.props",
        "\"few\": P<=1/4 [ F<=1 \"lost\" ];\n\"none\": P<=0 [ F \"lost\" ];\n",
    );
    let ran = suppose(["check", &it.model, "--property-file", &file]);
    ran.ended(10, "violated(none)");
    let ran = suppose([
        "check",
        &it.model,
        "--property-file",
        &file,
        "--property",
        "few",
    ]);
    ran.ended(0, "holds");
    assert!(!ran.stdout.contains("none"), "{ran:#?}");
}

#[test]
fn evidence_is_written_and_checked_again() {
    let it = channel();
    let cert = it.folder.path("m.cert");
    for (spec, status, line) in [
        (&it.good, 0, "holds"),
        (&it.bad, 10, "violated(conformance)"),
    ] {
        for engine in ["monolithic", "agar-n", "agar"] {
            suppose([
                "check",
                &it.model,
                "--spec",
                spec,
                "--engine",
                engine,
                "--certificate",
                &cert,
            ])
            .ended(status, line);
            suppose(["certify", &cert, &it.model, "--spec", spec]).ended(status, line);
        }
        suppose(["certify", &cert, &it.model]).refused(1, "about a specification");
        let other = if spec == &it.good { &it.bad } else { &it.good };
        let ran = suppose(["certify", &cert, &it.model, "--spec", other]);
        ran.ended(4, "unknown(certificate rejected)");
        let text = std::fs::read_to_string(&cert).unwrap();
        let damaged = it
            .folder
            .file("damaged.cert", text.replacen("1/4", "1/8", 1));
        let ran = suppose(["certify", &damaged, &it.model, "--spec", spec]);
        ran.ended(4, "unknown(certificate rejected)");
    }
    for (formula, status) in [
        ("P<=1/4 [ F<=1 \"lost\" ]", 0),
        ("P<1/4 [ F<=1 \"lost\" ]", 10),
        ("P<=1 [ F \"lost\" ]", 0),
        ("P<=1/2 [ F \"lost\" ]", 10),
        ("Pmax=? [ F<=3 \"lost\" ]", 0),
    ] {
        let ran = suppose([
            "check",
            &it.model,
            "--property",
            formula,
            "--certificate",
            &cert,
        ]);
        assert_eq!(ran.status, status, "{ran:#?}");
        let again = suppose(["certify", &cert, &it.model]);
        again.ended(status, ran.last_line());
        let changed = it.folder.file("changed.nm", MODEL.replace("1/4", "1/2"));
        suppose(["certify", &cert, &changed]).ended(4, "unknown(certificate rejected)");
    }
    let nothing = it.folder.file("nothing.cert", "{}");
    suppose(["certify", &nothing, &it.model, "--spec", &it.good])
        .ended(4, "unknown(certificate rejected)");
    let ran = suppose(["check", &it.model, "--spec", &it.good, "--no-certify"]);
    assert!(ran.stdout.contains("not checked"), "{ran:#?}");
}

#[test]
fn documents_fit_the_schema_and_repeat() {
    let it = channel();
    for arguments in [
        vec!["check", &it.model, "--spec", &it.good, "--engine", "agar-n"],
        vec!["check", &it.model, "--spec", &it.bad],
        vec!["check", &it.model],
        vec!["check", &it.model, "--property", "P<1/4 [ F<=1 \"lost\" ]"],
        vec!["check", &it.model, "--property", "Pmin=? [ F \"lost\" ]"],
    ] {
        let once = || {
            let mut all = arguments.clone();
            all.extend(["--format", "json"]);
            let mut document = suppose(all).json();
            assert_eq!(validate(&document), Ok(()), "{document:#}");
            document["timing"] = Value::Null;
            document
        };
        let document = once();
        assert_eq!(
            document["claims"][0]["evidence"]["status"], "accepted",
            "{document:#}"
        );
        // Where a property asks nothing of the components, all modules are one.
        let first = document["markov"]["components"][0]["name"].as_str();
        assert!(
            matches!(first, Some("sender" | "sender+receiver")),
            "{document:#}"
        );
        assert_eq!(document, once());
    }
    let document = suppose(["check", &it.model, "--spec", &it.bad, "--format", "json"]).json();
    let tree = &document["claims"][0]["counterexample"];
    assert_eq!(tree["nodes"][0]["choices"][0]["label"], "send");
    assert!(tree["why"][0].as_str().unwrap().contains("1/5"), "{tree:#}");
}

#[test]
fn an_assumption_is_printed_drawn_and_written() {
    let it = channel();
    let out = it.folder.path("a.svg");
    let ran = suppose(["assume", &it.model, "--spec", &it.good, "--output", &out]);
    ran.ended(0, "holds");
    assert!(ran.stdout.contains("assumption     A: "), "{ran:#?}");
    assert!(std::fs::read_to_string(&out).unwrap().contains("<svg"));
    suppose(["assume", &it.model]).refused(1, "nothing to find an assumption for");
    suppose(["assume", &it.model, "--spec", &it.good, "--component", "x"])
        .refused(1, "--component");
}

#[test]
fn systems_are_drawn_and_reported() {
    let it = channel();
    let ran = suppose(["draw", &it.model]);
    assert!(
        ran.stdout.contains("sender") && ran.stdout.contains("--"),
        "{ran:#?}"
    );
    let ran = suppose(["draw", &it.model, "--component", "sender"]);
    assert!(
        ran.stdout.contains("shape=point") && ran.stdout.contains("1/4"),
        "{ran:#?}"
    );
    let page = it.folder.path("page.html");
    for spec in [&it.good, &it.bad] {
        suppose(["report", &it.model, "--spec", spec, "-o", &page]);
        let text = std::fs::read_to_string(&page).unwrap();
        for part in ["<svg", "The specification", "Conformance"] {
            assert!(text.contains(part), "no `{part}`");
        }
    }
}

#[test]
fn systems_are_converted_and_read_again() {
    let it = channel();
    for end in ["tra", "drn", "json", "lpts"] {
        let out = it.folder.path(&format!("whole.{end}"));
        let ran = suppose(["convert", &it.model, &out]);
        assert_eq!(ran.status, 0, "{ran:#?}");
        let ran = suppose(["check", &out]);
        ran.ended(0, "holds");
        assert!(
            ran.stdout.contains("3 states, 3 choices, 4 transitions"),
            "{end}: {ran:#?}"
        );
        if end != "tra" {
            suppose(["check", &out, "--spec", &it.good]).ended(0, "holds");
            suppose(["check", &out, "--spec", &it.bad]).ended(10, "violated(conformance)");
            let out = it.folder.path(&format!("spec.{end}"));
            suppose(["convert", &it.good, &out]);
            suppose(["check", &it.model, "--spec", &out]).ended(0, "holds");
        }
    }
    suppose(["convert", &it.model, &it.folder.path("x.aut")])
        .refused(1, "cannot tell the output format");
}

#[test]
fn unmentioned_actions_are_forbidden_unless_they_are_free() {
    let it = channel();
    let model = MODEL.replace(
        "[fail] s=2 -> (s'=0);",
        "[fail] s=2 -> (s'=0);\n  [idle] true -> true;",
    );
    let model = it.folder.file("idle.nm", model);
    let ran = suppose(["check", &model, "--spec", &it.good]);
    ran.ended(10, "violated(conformance)");
    assert!(
        ran.stdout.contains("does not mention the action idle"),
        "{ran:#?}"
    );
    let ran = suppose([
        "check",
        &model,
        "--spec",
        &it.good,
        "--unmentioned",
        "forbidden",
    ]);
    ran.ended(10, "violated(conformance)");
    assert!(!ran.stdout.contains("does not mention"), "{ran:#?}");
    for engine in ENGINES {
        let free = [
            "check",
            &model,
            "--unmentioned",
            "free",
            "--engine",
            engine,
            "--spec",
        ];
        suppose(free.iter().chain([&it.good.as_str()])).ended(0, "holds");
        suppose(free.iter().chain([&it.bad.as_str()])).ended(10, "violated(conformance)");
    }
}

#[test]
fn pm_is_the_language_it_is_written_in() {
    let it = channel();
    let prism = it.folder.file("channel.pm", MODEL);
    suppose(["check", &prism]).ended(0, "holds");
    let promela = it
        .folder
        .file("spin.pm", "active proctype module() { assert(true) }\n");
    suppose(["check", &promela]).ended(0, "holds");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let it = channel();
    let check = |more: &[&str]| {
        let mut all = vec!["check", it.model.as_str()];
        all.extend(more);
        suppose(all)
    };
    check(&["--engine", "quotient"]).refused(1, "the engine `quotient` is for");
    check(&["--engine", "recmc"]).refused(1, "Horn clauses");
    check(&["--trail", "x"]).refused(1, "--trail");
    check(&["--const", "N"]).refused(1, "NAME=VALUE");
    check(&["--const", "N=3"]).refused(2, "N");
    check(&["--group", "sender,nobody"]).refused(2, "nobody");
    check(&["--spec", "/no/such/file.nm"]).refused(2, "there is no file");
    check(&["--partition", "state"]).refused(1, "--partition");
    check(&["--spec", &it.good, "--split", "balanced"]).refused(1, "balanced");
    check(&["--spec", &it.good, "--split", "sender/nobody"]).refused(1, "nobody");
    let fsp = it.folder.file("p.lts", "P = (a -> P).\n");
    suppose(["check", &fsp, "--spec", &it.good]).refused(1, "probabilistic");
    suppose(["check", &fsp, "--engine", "agar-n"]).refused(1, "probabilistic");
    let bad = [
        ("sum.nm", MODEL.replace("1-loss", "1/2")),
        ("ctmc.sm", MODEL.replace("mdp", "ctmc")),
        ("syntax.nm", MODEL.replace("endmodule", "endmodul")),
        ("empty.nm", String::new()),
        ("range.nm", MODEL.replace("(s'=2)", "(s'=7)")),
        ("divide.nm", MODEL.replace("s=0 ->", "1/s>0 ->")),
    ];
    for (name, text) in bad {
        let file = it.folder.file(name, text);
        let ran = suppose(["check", &file]);
        assert_eq!(ran.status, 2, "{name}: {ran:#?}");
        assert!(!ran.stderr.contains("panicked"), "{name}: {ran:#?}");
    }
}

#[test]
fn limits_are_kept() {
    let folder = Folder::new();
    let mut text = String::from("mdp\n");
    for i in 0..9 {
        text += &format!(
            "module m{i}\n  x{i} : [0..20] init 0;\n  [a{i}] true -> 1/2 : (x{i}'=mod(x{i}+1,21)) + 1/2 : true;\nendmodule\n"
        );
    }
    let model = folder.file("large.nm", text);
    let ran = suppose(["check", &model, "--timeout", "1s"]);
    ran.ended(3, "unknown(timeout)");
    let ran = suppose(["check", &model, "--memory", "200MiB"]);
    assert_eq!(ran.status, 3, "{ran:#?}");
}

#[derive(Debug, Deserialize)]
struct Expected {
    check: Vec<Check>,
}

#[derive(Debug, Deserialize)]
struct Check {
    file: String,
    spec: String,
    verdict: String,
    #[serde(default)]
    set: std::collections::BTreeMap<String, i64>,
    storm: Sizes,
    #[serde(default)]
    components: toml::Table,
    #[serde(default)]
    properties: Vec<Question>,
}

#[derive(Debug, Deserialize)]
struct Sizes {
    states: u64,
    choices: u64,
    transitions: u64,
    deadlocks: u64,
}

#[derive(Debug, Deserialize)]
struct Question {
    formula: String,
    verdict: String,
    #[serde(default)]
    value: Option<String>,
}

/// All examples, by their own list: verdicts by all engines that are quick enough, sizes, components, values.
#[test]
fn the_examples_are_as_expected() {
    let folder = root().join("examples/prism");
    let text = std::fs::read_to_string(folder.join("expected.toml")).unwrap();
    let expected: Expected = toml::from_str(&text).unwrap();
    assert!(expected.check.len() > 20);
    for check in &expected.check {
        let path = |name: &str| folder.join(name).display().to_string();
        let (file, spec) = (path(&check.file), path(&check.spec));
        let constants = check
            .set
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let constants: Vec<String> = constants.collect();
        let run = |more: &[&str]| {
            let mut all = vec!["check", &file, "--format", "json"];
            for constant in &constants {
                all.extend(["--const", constant]);
            }
            all.extend(more);
            suppose(all)
        };
        for engine in ["auto", "monolithic", "agar-n"] {
            let document = run(&["--spec", &spec, "--engine", engine]).json();
            let what = format!("{} by {engine}: {document:#}", check.file);
            assert_eq!(document["verdict"], check.verdict.as_str(), "{what}");
            assert_eq!(
                document["claims"][0]["evidence"]["status"], "accepted",
                "{what}"
            );
        }
        sizes(check, &run(&[]));
        for question in &check.properties {
            let document = run(&["--property", &question.formula]).json();
            let what = format!("{}, {}: {document:#}", check.file, question.formula);
            assert_eq!(document["verdict"], question.verdict.as_str(), "{what}");
            assert_eq!(
                document["claims"][0]["evidence"]["status"], "accepted",
                "{what}"
            );
            if let (Some(value), Some(found)) =
                (&question.value, document["markov"]["values"].get(0))
                && found["lower"] == found["upper"]
            {
                assert_eq!(found["lower"], value.as_str(), "{what}");
            }
        }
    }
}

fn sizes(check: &Check, ran: &Ran) {
    let document = ran.json();
    let found = &document["markov"]["sizes"];
    let expected = &check.storm;
    for (name, number) in [
        ("states", expected.states),
        ("choices", expected.choices),
        ("transitions", expected.transitions),
        ("deadlocks", expected.deadlocks),
    ] {
        assert_eq!(found[name], number, "{}: {name}", check.file);
    }
    let deadlock = if expected.deadlocks > 0 {
        "violated"
    } else {
        "holds"
    };
    assert_eq!(document["verdict"], deadlock, "{}", check.file);
    let parts = document["markov"]["components"].as_array().unwrap();
    for (name, states) in &check.components {
        if name.contains(',') {
            continue;
        }
        let part = parts.iter().find(|p| p["name"] == name.as_str());
        let part = part.unwrap_or_else(|| panic!("{}: no {name} in {parts:#?}", check.file));
        let states = states.as_integer().unwrap();
        assert_eq!(part["states"], states, "{}: {name}", check.file);
    }
}

#[test]
fn rewards_are_written_and_read_again() {
    let folder = Folder::new();
    let model = folder.file(
        "m.nm",
        "mdp\nmodule m\n  x : [0..2] init 0;\n  [go] x=0 -> 1/3:(x'=0) + 2/3:(x'=1);\n  \
         [jump] x=0 -> (x'=2);\n  [go] x=1 -> (x'=2);\nendmodule\n\
         rewards \"time\"\n  x<2 : 1;\n  [jump] true : 3;\nendrewards\nlabel \"end\" = x=2;\n",
    );
    let out = folder.path("m.drn");
    let ran = suppose(["convert", &model, &out]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{ran:#?}");
    for (best, value) in [("min", "5/2"), ("max", "4")] {
        let property = format!("R{{\"time\"}}{best}=? [ F \"end\" ]");
        for file in [&model, &out] {
            let ran = suppose(["check", file, "--property", &property]);
            ran.ended(0, "holds");
            assert!(ran.stdout.contains(value), "{ran:#?}");
        }
    }
    let ran = suppose(["convert", &model, &folder.path("m.tra")]);
    assert_eq!(ran.status, 0);
    assert!(
        ran.stderr
            .contains("rewards are written in .drn files only")
    );
}

#[test]
fn engines_for_conformance_are_refused_for_properties() {
    let it = channel();
    for engine in ["cegar", "learn", "smt"] {
        let property = "P<=1 [ F true ]";
        let ran = suppose(["check", &it.model, "-p", property, "--engine", engine]);
        ran.refused(
            1,
            &format!("the engine `{engine}` decides conformance only"),
        );
    }
    let ran = suppose([
        "check",
        &it.model,
        "-p",
        "Pmax=? [ F true ]",
        "--engine",
        "agar",
    ]);
    assert!(
        ran.stdout
            .contains("values are computed on the whole composition"),
        "{ran:#?}"
    );
}
