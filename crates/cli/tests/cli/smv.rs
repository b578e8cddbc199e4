//! SMV models from outside: verdicts, runs, abstractions, layouts, and what is refused.

use std::process::Command;

use serde_json::Value;
use suppose_testkit::installed;
use suppose_testkit::smv::checks;

use crate::horn::steady;
use crate::limits::interrupted;
use crate::support::{Folder, Ran, golden, root, suppose};
use crate::validate::validate;

/// A light that changes when somebody asks for it, and how long ago that was.
pub const LIGHT: &str = "\
MODULE main
VAR
  light : {red, green, yellow};
  waited : 0..3;
  noise : boolean;
IVAR
  asks : boolean;
ASSIGN
  init(light) := red;
  next(light) := case
    light = red & asks : {red, green};
    light = green      : yellow;
    light = yellow     : red;
    TRUE               : light;
  esac;
  init(waited) := 0;
  next(waited) := case
    light != red         : 0;
    asks & waited < 3    : waited + 1;
    TRUE                 : waited;
  esac;
SPEC NAME in_turn := AG (light = green -> AX light = yellow)
SPEC NAME can_be_green := AG EF light = green
LTLSPEC NAME gets_green := G (waited = 3 -> F light = green)
INVARSPEC NAME no_rest := light = yellow -> waited = 0
COMPUTE MIN [light = red, light = yellow]
";

/// A tank that is pumped out: of a thousand levels few need to be told apart.
const TANK: &str = "\
MODULE main
VAR
  level : 0..999;
  pump  : {off, on};
  rain  : boolean;
ASSIGN
  init(level) := 500;
  next(level) := case
    pump = off & rain & level < 990 : {level, level + 5};
    pump = on & level > 10          : level - 10;
    TRUE                            : level;
  esac;
  init(pump) := off;
  next(pump) := case
    level > 800 : on;
    level < 200 : off;
    TRUE        : pump;
  esac;
SPEC NAME pumps := AG (level > 800 -> AX pump = on)
SPEC NAME stops := AG (level < 200 -> AX pump = off)
INVARSPEC NAME dry := level > 900 -> pump = on
";

/// Two numbers whose product no decision diagram is good at.
const HARD: &str = "\
MODULE main
FROZENVAR
  a : unsigned word[32];
  b : unsigned word[32];
VAR
  x : boolean;
ASSIGN
  next(x) := !x;
INVARSPEC NAME easy := x | !x
INVARSPEC NAME hard := a < 0ud32_2 | b < 0ud32_2 | extend(a, 32) * extend(b, 32) != 0ud64_8061522714793830173
";

/// Its file.
pub fn light() -> (Folder, String) {
    let folder = Folder::new();
    let model = folder.file("light.smv", LIGHT);
    (folder, model)
}

/// Without what differs between engines that decide the same.
fn plain(text: &str) -> String {
    let numbers = ["BDDs           ", "refinement     ", "engine         "];
    let keep = |line: &&str| !numbers.iter().any(|n| line.trim_start().starts_with(n));
    let lines: Vec<&str> = text.lines().filter(keep).collect();
    steady(&(lines.join("\n") + "\n"))
}

#[test]
fn every_property_has_a_verdict() {
    let (_folder, model) = light();
    let ran = suppose(["check", &model, "--engine", "bdd"]);
    ran.ended(10, "violated(gets_green)");
    golden("smv-violated.txt", &plain(&ran.stdout));
    for (name, status, line) in [
        ("in_turn", 0, "holds"),
        ("0", 0, "holds"),
        ("gets_green", 10, "violated(gets_green)"),
        ("2", 10, "violated(gets_green)"),
        ("4", 0, "holds"),
        ("property 4", 0, "holds"),
    ] {
        let ran = suppose(["check", &model, "--property", name]);
        ran.ended(status, line);
        let property = |l: &&str| l.trim_start().starts_with("property  ");
        assert_eq!(ran.stdout.lines().filter(property).count(), 1, "{ran:#?}");
    }
    let ran = suppose(["check", &model, "--property", "nobody"]);
    ran.refused(1, "there is no property `nobody`");
    assert!(ran.stderr.contains("in_turn, can_be_green"), "{ran:#?}");
}

#[test]
fn an_abstraction_is_shown_as_what_it_tells_apart() {
    let (folder, model) = light();
    let ran = suppose([
        "check",
        &model,
        "--engine",
        "cegar",
        "--property",
        "in_turn",
    ]);
    ran.ended(0, "holds");
    let tank = folder.file("tank.smv", TANK);
    let ran = suppose(["check", &tank, "--engine", "cegar", "--property", "pumps"]);
    ran.ended(0, "holds");
    golden("smv-abstraction.txt", &plain(&ran.stdout));
    let ran = suppose(["check", &tank, "--engine", "cegar", "--format", "json"]);
    let document = ran.json();
    let proof = &document["claims"][0]["symbolic"]["proof"];
    assert_eq!(proof["kind"], "abstraction", "{document:#}");
    assert_eq!(proof["clusters"][0]["classes"], 5, "{document:#}");
    let ran = suppose(["check", &model, "--engine", "cegar"]);
    assert!(
        ran.stdout.contains("can_be_green: unknown") && ran.stdout.contains("asks for some run"),
        "{ran:#?}"
    );
    ran.ended(10, "violated(gets_green)");
    for more in [
        ["--far", "1"],
        ["--spurious", "sat"],
        ["--spurious", "bdd"],
        ["--separation", "paper"],
        ["--early", "always"],
        ["--early", "never"],
    ] {
        let base = [
            "check",
            &model,
            "--engine",
            "cegar",
            "--property",
            "in_turn",
        ];
        suppose(base.iter().chain(&more)).ended(0, "holds");
    }
}

#[test]
fn deadlocks_are_told_and_judged() {
    let folder = Folder::new();
    let stuck = "MODULE main\nVAR x : 0..3; y : boolean;\nINIT x = 0;\nTRANS next(x) = x + 1;\nSPEC AG x < 4\n";
    let stuck = folder.file("stuck.smv", stuck);
    let ran = suppose(["check", &stuck]);
    ran.ended(0, "holds");
    for part in [
        "warning: the system has a reachable deadlock",
        "deadlock       4 states",
        "no step is possible from here",
    ] {
        assert!(ran.stdout.contains(part), "no `{part}` in {ran:#?}");
    }
    let ran = suppose(["check", &stuck, "--deadlock"]);
    ran.ended(10, "violated(deadlock)");
    assert!(ran.stdout.contains("replay         accepted"), "{ran:#?}");
    let ran = suppose(["check", &stuck, "--deadlock", "--property", "0"]);
    ran.ended(10, "violated(deadlock)");
    assert!(ran.stdout.contains("property 0: holds"), "{ran:#?}");
    let ran = suppose(["check", &stuck, "--no-deadlock"]);
    ran.ended(0, "holds");
    assert!(!ran.stdout.contains("reachable deadlock"), "{ran:#?}");
    let (_folder, model) = light();
    suppose(["check", &model, "--deadlock"]).ended(0, "holds");
    let nothing = folder.file("nothing.smv", "MODULE main\nVAR x : boolean;\n");
    suppose(["check", &nothing]).ended(0, "holds");
    suppose(["check", &nothing, "--no-deadlock"]).refused(1, "nothing to check");
}

#[test]
fn no_runs_mean_that_everything_holds() {
    let folder = Folder::new();
    let properties = "SPEC AG x\nSPEC EF x\nLTLSPEC F x\nINVARSPEC x\n";
    for part in ["INIT x & !x;", "INVAR x & !x;"] {
        let text = format!("MODULE main\nVAR x : boolean;\n{part}\n{properties}");
        let file = folder.file("empty.smv", text);
        for engine in ["auto", "bdd", "cegar"] {
            let ran = suppose(["check", &file, "--engine", engine, "--format", "json"]);
            let document = ran.json();
            let warning = document["warnings"][0].as_str().unwrap_or("");
            assert!(
                warning.contains("no initial state"),
                "{part} by {engine}: {document:#}"
            );
            for claim in document["claims"].as_array().unwrap() {
                assert_ne!(claim["verdict"], "violated", "{engine}: {document:#}");
            }
            if engine != "cegar" {
                assert_eq!(document["verdict"], "holds", "{document:#}");
            }
        }
    }
}

#[test]
fn the_old_dialect_is_read_when_it_is_asked_for() {
    let old = root().join("examples/smv/counter-old.smv");
    let old = old.display().to_string();
    let ran = suppose(["check", &old]);
    ran.refused(2, "--dialect old reads it");
    suppose(["check", &old, "--dialect", "old"]).ended(10, "violated(property 1)");
    suppose(["check", &old, "--dialect", "nusmv"]).refused(2, "cannot take a number");
}

#[test]
fn errors_have_places() {
    let folder = Folder::new();
    for (text, message) in [
        (
            "MODULE one\nVAR x : boolean;\nMODULE two\nVAR x : boolean;\n",
            "main",
        ),
        ("", "empty"),
        ("MODULE main\nVAR x : 3..1;\nSPEC x = 1\n", "range"),
        ("MODULE main\nVAR x : boolean;\nSPEC AG x + 1 = 2\n", "`+`"),
        ("MODULE main\nVAR x : boolean;\nSPEC AG (x\n", "expected"),
        (
            "MODULE main\nVAR x : 0..3;\nASSIGN next(x) := x + 1;\nSPEC AG x < 4\n",
            "it happens when x = 3",
        ),
        (
            "MODULE main\nVAR x : boolean;\nPSLSPEC always {x; x} |-> x;\n",
            "PSL",
        ),
    ] {
        let file = folder.file("bad.smv", text);
        let ran = suppose(["check", &file]);
        ran.refused(2, message);
        let document = suppose(["check", &file, "--format", "json"]).json();
        assert_eq!(document["exit_status"], 2, "{document:#}");
    }
    let (_, model) = light();
    suppose(["check", &model]).refused(2, "there is no file");
}

/// What a front-end cannot try out is left to a solver, and is an error in the input all the same.
#[test]
fn expressions_that_can_fail_are_found_before_anything_else() {
    let folder = Folder::new();
    let text = "MODULE main\nVAR a : 0..9999; b : 0..9999;\n\
                ASSIGN next(b) := a / (b - 5000);\nINVARSPEC a > 0\n";
    let file = folder.file("divides.smv", text);
    let ran = suppose(["check", &file]);
    ran.refused(2, "under every valuation");
    for part in ["divides.smv:3:", "it happens when", "b = "] {
        assert!(ran.stderr.contains(part), "no `{part}` in {ran:#?}");
    }
}

#[test]
fn three_hundred_variables_are_decided() {
    let folder = Folder::new();
    let mut text = String::from("MODULE main\nIVAR i : boolean;\nVAR\n");
    for n in 0..300 {
        text += &format!("  b{n} : boolean;\n");
    }
    text += "ASSIGN\n  init(b0) := FALSE; next(b0) := i;\n";
    for n in 1..300 {
        text += &format!("  init(b{n}) := FALSE; next(b{n}) := b{};\n", n - 1);
    }
    text += "SPEC EF b299\nINVARSPEC !b40\nLTLSPEC G (b298 -> X b299)\n";
    let file = folder.file("shift.smv", text);
    let document = suppose(["check", &file, "--format", "json"]).json();
    let verdicts: Vec<&str> = document["claims"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["holds", "violated", "holds"], "{document:#}");
    assert_eq!(document["claims"][1]["counterexample"]["length"], 42);
    assert_eq!(document["claims"][1]["symbolic"]["left_out"], 259);
    assert_eq!(document["claims"][1]["evidence"]["status"], "accepted");
}

#[test]
fn limits_end_in_what_is_known() {
    let folder = Folder::new();
    let hard = folder.file("hard.smv", HARD);
    for engine in ["auto", "bdd", "cegar"] {
        let base = ["check", &hard, "--engine", engine, "--format", "json"];
        let ran = suppose(base.iter().chain(&["--timeout", "1s"]));
        let document = ran.json();
        assert_eq!(
            (ran.status, &document["last_line"]),
            (3, &"unknown(timeout)".into()),
            "{document:#}"
        );
        assert_eq!(document["claims"][0]["verdict"], "holds", "{document:#}");
    }
    let ran = suppose(["check", &hard, "--memory", "30MiB", "--engine", "bdd"]);
    ran.ended(3, "unknown(memory)");
    assert!(ran.stdout.contains("easy: holds"), "{ran:#?}");
    let ran = interrupted(&["check", &hard]);
    ran.ended(3, "unknown(interrupted)");
    assert!(ran.stdout.contains("easy: holds"), "{ran:#?}");
}

#[test]
fn documents_fit_the_schema_and_repeat() {
    let (folder, model) = light();
    let stuck = "MODULE main\nVAR x : 0..3;\nINIT x = 0;\nTRANS next(x) = x + 1;\nSPEC AG x < 3\n";
    let stuck = folder.file("stuck.smv", stuck);
    for arguments in [
        vec!["check", &model],
        vec!["check", &model, "--engine", "cegar"],
        vec!["check", &stuck],
        vec!["check", &stuck, "--deadlock"],
    ] {
        let once = || {
            let mut all = arguments.clone();
            all.extend(["--format", "json"]);
            let mut document = suppose(all).json();
            assert_eq!(validate(&document), Ok(()), "{document:#}");
            document["timing"] = Value::Null;
            document
        };
        assert_eq!(once(), once());
    }
    let document = suppose(["check", &model, "--format", "json"]).json();
    assert_eq!(document["symbolic"]["inputs"], 1);
    assert_eq!(document["claims"][0]["symbolic"]["left_out"], 2);
    assert_eq!(document["claims"][4]["symbolic"]["steps"], "2");
}

#[test]
fn pages_have_a_table_of_the_run() {
    let (folder, model) = light();
    let page = folder.path("page.html");
    suppose(["report", &model, "-o", &page]).ended(10, "violated(gets_green)");
    let text = std::fs::read_to_string(&page).unwrap();
    for part in [
        "Counterexample",
        "waited",
        "class=\"changed\"",
        " loop</span>",
    ] {
        assert!(text.contains(part), "no `{part}`");
    }
}

#[test]
fn models_are_flattened() {
    let folder = Folder::new();
    let flat = folder.path("flat.smv");
    let source = root().join("examples/smv/mutual-exclusion.smv");
    let source = source.display().to_string();
    let ran = suppose(["convert", &source, &flat]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    let text = std::fs::read_to_string(&flat).unwrap();
    assert_eq!(text.matches("MODULE").count(), 1, "{text}");
    let verdict = |file: &str| suppose(["check", file, "--quiet"]).stdout;
    assert_eq!(verdict(&flat), verdict(&source));
    suppose(["convert", &source, &folder.path("x.aut")]).refused(1, "name it .smv");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (folder, model) = light();
    let check = |more: &[&str]| {
        let mut all = vec!["check", model.as_str()];
        all.extend(more);
        suppose(all)
    };
    check(&["--engine", "agar"]).refused(1, "the engine `agar` is for");
    check(&["--engine", "recmc"]).refused(1, "Horn clauses");
    check(&["--engine", "bdd", "--far", "2"]).refused(1, "--far is for the engine `cegar`");
    check(&["--trail", "x"]).refused(1, "--trail is for PROMELA programs");
    check(&["--split", "a/b"]).refused(1, "--split");
    check(&["--set", "N=3"]).refused(1, "--set is for");
    check(&["--spec", "x.nm"]).refused(1, "probabilistic");
    check(&["--property-file", "x"]).refused(1, "--property-file");
    check(&["--system", "x"]).refused(1, "--system is for FSP models");
    suppose(["draw", &model]).refused(1, "`suppose draw` is for");
    suppose(["assume", &model]).refused(1, "`suppose assume` is for");
    let fsp = folder.file("p.lts", "P = (a -> P).\n");
    suppose(["check", &fsp, "--dialect", "old"]).refused(1, "--dialect is for SMV models");
    suppose(["check", &fsp, "--trace", "nusmv"]).refused(1, "--trace is for SMV models");
    suppose(["check", &fsp, "--engine", "bdd"]).refused(1, "for SMV models");
    suppose(["check", &fsp, "--engine", "cegar"])
        .refused(1, "probabilistic systems and SMV models");
}

/// All examples, by their own list: verdicts by all engines, evidence accepted where it can be looked at.
#[test]
fn the_examples_are_as_expected() {
    let all = checks();
    assert!(all.len() > 10);
    for check in &all {
        let file = check.path().display().to_string();
        for engine in ["auto", "bdd", "cegar"] {
            let mut all = vec!["check", &file, "--format", "json", "--engine", engine];
            if check.old {
                all.extend(["--dialect", "old"]);
            }
            let document = suppose(all).json();
            let claims = document["claims"].as_array().unwrap();
            for (name, verdict) in &check.verdicts {
                let number = format!("property {name}");
                let known = |c: &&Value| c["name"] == *name || c["name"] == *number;
                let claim = claims.iter().find(known);
                let claim = claim.unwrap_or_else(|| panic!("no {name} in {document:#}"));
                let what = format!("{name} of {} by {engine}: {claim:#}", check.file);
                // Abstraction alone does not decide what is asked of some run only, and says so.
                let beyond = engine == "cegar" && claim["reason"]["word"] == "unsupported";
                assert!(beyond || claim["verdict"] == **verdict, "{what}");
                assert_ne!(claim["evidence"]["status"], "rejected", "{what}");
            }
            let stuck = !document["symbolic"]["stuck"].is_null();
            assert_eq!(stuck, check.deadlock, "{}: {document:#}", check.file);
        }
    }
}

fn by_nusmv(file: &str) -> String {
    let run = Command::new(installed("NuSMV")).arg(file).output().unwrap();
    String::from_utf8(run.stdout).unwrap()
}

/// The lines of runs: marks and values.
fn of_runs(text: &str) -> Vec<&str> {
    let of_run = |l: &&str| {
        l.starts_with("Trace ") || l.starts_with("  ->") || l.starts_with("  --") || is_value(l)
    };
    text.lines().filter(of_run).collect()
}

fn is_value(line: &str) -> bool {
    line.starts_with("    ") && line.contains(" = ")
}

/// Marks, each with the values after it; their order is a matter of NuSMV's own tables.
fn blocks<'a>(lines: &[&'a str]) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut all: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in lines {
        match all.last_mut() {
            Some((_, values)) if is_value(line) => values.push(line),
            _ => all.push((line, Vec::new())),
        }
    }
    for (_, values) in &mut all {
        values.sort_unstable();
    }
    all
}

/// What has one run only is told by both in the same words.
#[test]
fn runs_are_laid_out_as_nusmv_does() {
    let folder = Folder::new();
    let one = "\
MODULE main
VAR
  x : 0..5;
  w : unsigned word[3];
  c : cell(x);
FROZENVAR
  f : {left, right};
DEFINE
  top := x = 5;
ASSIGN
  init(f) := left;
  init(x) := 0;
  next(x) := x < 5 ? x + 1 : 5;
  init(w) := 0ud3_6;
  next(w) := w + 0ud3_1;
INVARSPEC x + toint(w) < 9 | f != left | c.last = 7
LTLSPEC G (x < 5 | w = 0ud3_0 | f != left | c.last = 7)

MODULE cell(x)
VAR
  last : 0..7;
ASSIGN
  init(last) := 0;
  next(last) := x;
DEFINE
  low := last < 2;
";
    let file = folder.file("one.smv", one);
    let theirs = by_nusmv(&file);
    // One property a time, so that the order in which NuSMV checks kinds of properties does not matter.
    for property in ["0", "1"] {
        let ran = suppose(["check", &file, "--trace", "nusmv", "--property", property]);
        assert_eq!(ran.status, 10, "{ran:#?}");
        let ours = of_runs(&ran.stdout);
        assert!(ours.len() > 20, "{ran:#?}");
        let theirs = of_runs(&theirs);
        let begins = |l: &&&str| l.starts_with("Trace Description");
        assert_eq!(theirs.iter().filter(begins).count(), 2, "{theirs:#?}");
        let kind = if property == "0" { "AG alpha" } else { "LTL" };
        let at = theirs.iter().position(|l| l.contains(kind)).unwrap();
        let rest = &theirs[at..];
        let end = rest
            .iter()
            .skip(1)
            .position(|l| l.starts_with("Trace Description"));
        let rest = end.map_or(rest, |end| &rest[..=end]);
        let number = |l: &str| l.replace(": 2.", ": 1.");
        let rest: Vec<String> = rest.iter().map(|l| number(l)).collect();
        let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
        assert_eq!(blocks(&ours), blocks(&rest), "property {property}");
    }
}

/// Every line of a run, NuSMV's and ours, has one of a few forms; and a state's first mention has all values of the part it is about.
#[test]
fn lines_of_runs_have_the_forms_of_nusmv() {
    let is_number = |text: &str| text.parse::<usize>().is_ok();
    let is_mark = |line: &str, word: &str| {
        let inner = line
            .strip_prefix("  -> ")
            .and_then(|l| l.strip_suffix(" <-"));
        let numbers = inner.and_then(|l| l.strip_prefix(word)?.strip_prefix(": "));
        let parts = numbers.and_then(|n| n.split_once('.'));
        parts.is_some_and(|(trace, state)| is_number(trace) && is_number(state))
    };
    let fits = |line: &str| {
        is_mark(line, "State")
            || is_mark(line, "Input")
            || line == "  -- Loop starts here"
            || line.starts_with("Trace Description: ")
            || line == "Trace Type: Counterexample "
            || is_value(line)
    };
    for example in ["mutual-exclusion.smv", "priority-queue.smv"] {
        let file = root().join("examples/smv").join(example);
        let file = file.display().to_string();
        let ran: Ran = suppose(["check", &file, "--trace", "nusmv"]);
        let theirs = by_nusmv(&file);
        for text in [&ran.stdout, &theirs] {
            let lines = of_runs(text);
            assert!(lines.len() > 20, "{text}");
            for line in lines {
                assert!(fits(line), "`{line}` of {example}");
            }
        }
        let counted = |text: &str, word: &str| text.lines().filter(|l| l.ends_with(word)).count();
        for word in ["  is true", "  is false"] {
            assert_eq!(
                counted(&ran.stdout, word),
                counted(&theirs, word),
                "{example}: {ran:#?}"
            );
        }
    }
}
