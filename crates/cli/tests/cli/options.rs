//! No option without effect: every option of every command on every kind of model changes what comes out, or is refused.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use crate::support::{Folder, Ran, program, root, suppose};

/// A model of each kind, small but for what some options need.
struct Models {
    folder: Folder,
    files: BTreeMap<&'static str, String>,
}

const FSP: &str = "const N = 2\nrange R = 0..N\nInput = (input -> send -> ack -> Input).\n\
Output = (send -> output -> ack -> Output).\nproperty Order = (input -> output -> Order).\n\
Long = L[0], L[i:0..150] = (when (i<150) tick -> L[i+1] | when (i==150) input -> input -> STOP).\n\
Twice = (a -> b -> Twice | a -> b -> Twice).\nCount = C[0], C[i:R] = (when (i<N) up -> C[i+1] | when (i==N) input -> Count).\n\
||LONG = (Long || Order).\n||COUNT = (Count || Order).\n||SYS = (Input || Output || Order).\n";
const PML: &str = "#ifndef N\n#define N 2\n#endif\nbyte x;\nchan c = [0] of { byte };\n\
active proctype Sender() { byte i; do :: i < N -> c!i; i++ :: else -> break od }\n\
active proctype Receiver() { byte v; end: do :: c?v -> x = v; assert(v < 5) od }\nltl small { [] (x < 5) }\n";
const SMT: &str = "(set-logic HORN)\n(declare-fun p (Int Int) Bool)\n(declare-fun q (Int) Bool)\n\
(assert (forall ((x Int)) (=> (= x 0) (q x))))\n\
(assert (forall ((x Int)) (=> (and (q x) (< x 10)) (q (+ x 1)))))\n\
(assert (forall ((x Int) (y Int)) (=> (and (q x) (q y)) (p x y))))\n\
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (> (+ x y) 30)) false)))\n";
const C: &str = "#ifndef N\n#define N 3\n#endif\nextern void __VERIFIER_assert(int);\nint twice(int x) { return x + x; }\n\
int main(void) { int i = 0; int s = 0; while (i < N) { s = s + twice(i); i = i + 1; } if (s < 0) { assert(0); } return 0; }\n";
const PRISM: &str = "mdp\nconst int N;\nmodule sender\n s : [0..2] init 0;\n [send] s=0 -> 3/4 : (s'=1) + 1/4 : (s'=2);\n\
 [ack] s=1 -> (s'=0);\nendmodule\nmodule receiver\n r : [0..1] init 0;\n [send] r=0 -> (r'=1);\n [ack] r=1 & s<=N -> (r'=0);\nendmodule\n\
label \"lost\" = s=2;\n";
const SPEC: &str = "mdp\nmodule spec\n t : [0..1] init 0;\n [send] t=0 -> (t'=1);\n [ack] t=1 -> (t'=0);\nendmodule\n";
const LPTS: &str =
    "lpts Channel\ninit s0\ns0 -send-> 9/10: s1, 1/10: s2\ns1 -recv-> s0\nlabel lost: s2\n";
const SMV: &str = "MODULE main\nVAR x : 0..70; b : boolean; c : boolean;\nASSIGN init(x) := 0; init(b) := FALSE; init(c) := FALSE;\n\
next(x) := case x < 70 : x + 1; TRUE : x; esac; next(b) := x > 3; next(c) := b;\nTRANS x < 69 | c\n\
INVARSPEC NAME low := x < 70;\nINVARSPEC NAME inside := x <= 70;\nINVARSPEC NAME follows := c -> x > 3;\n";

impl Models {
    fn new() -> Self {
        let folder = Folder::new();
        let mut files = BTreeMap::new();
        for (language, name, text) in [
            ("fsp", "m.lts", FSP),
            ("promela", "m.pml", PML),
            ("smtlib", "m.smt2", SMT),
            ("c", "m.c", C),
            ("prism", "m.nm", PRISM),
            ("lpts", "m.lpts", LPTS),
            ("smv", "m.smv", SMV),
            ("spec", "spec.nm", SPEC),
            (
                "aut",
                "m.aut",
                "des (0, 2, 2)\n(0, \"a\", 1)\n(1, \"b\", 0)\n",
            ),
        ] {
            files.insert(language, folder.file(name, text));
        }
        let it = Models { folder, files };
        it.run("fsp", &["convert", "m.lts", "m.json"]);
        it.run("prism", &["convert", "m.nm", "m.tra", "--const", "N=1"]);
        it.run("prism", &["convert", "m.nm", "m.drn", "--const", "N=1"]);
        it.run("prism", &["convert", "m.nm", "l.json", "--const", "N=1"]);
        let mut it = it;
        for (language, name) in [
            ("json", "m.json"),
            ("tra", "m.tra"),
            ("drn", "m.drn"),
            ("lpts-json", "l.json"),
        ] {
            let path = it.folder.path(name);
            it.files.insert(language, path);
        }
        it.folder
            .file("order.aut", "des (0, 1, 1)\n(0, \"a\", 0)\n");
        it.folder.file("more.ltl", "ltl more { [] (x < 9) }\n");
        it.folder
            .file("p.props", "\"few\": P<=1/2 [ F<=1 \"lost\" ];\n");
        it.folder.file("acts.txt", "receiver: send, ack, other\n");
        it.folder.file(
            "extra.nm",
            PRISM
                .replace("const int N;", "const int N = 1;")
                .replace("[ack] s=1", "[more] s=2 -> (s'=0);\n [ack] s=1"),
        );
        it.folder.file("large.pml", "int a, b;\nactive proctype P() { do :: a < 60 -> a++ :: else -> break od }\nactive proctype Q() { do :: b < 60 -> b++; printf(\"%d\", a) :: else -> break od }\n");
        it.folder
            .file("wrong.pml", "active proctype P() { assert(false) }\n");
        it.folder.file(
            "alike.pml",
            "byte x;\nactive [3] proctype P() { do :: x < 2 -> x++ :: x > 0 -> x-- od }\n",
        );
        it.folder.file("many.pml", "byte a, b, c;\nactive proctype P() { do :: a < 49 -> a++ :: a > 0 -> a-- od }\nactive proctype Q() { do :: b < 49 -> b++ :: b > 0 -> b-- od }\nactive proctype R() { do :: c < 59 -> c++ :: c > 0 -> c-- od }\n");
        it.folder.file("counters.pml", "byte a, b, c;\nactive proctype P() { do :: a < 15 -> a++ :: a > 0 -> a-- od }\nactive proctype Q() { do :: b < 15 -> b++ :: b > 0 -> b-- od }\nactive proctype R() { do :: c < 7 -> c++ :: c > 0 -> assert(a < 50); c-- od }\n");
        it.folder.file("live.pml", "byte x;\nactive proctype A() { x = 1 }\nactive proctype B() { do :: true -> progress: skip :: true od }\nltl done { <> (x == 1) }\n");
        it.folder.file("long.pml", "byte x;\nactive proctype P() { do :: x < 150 -> x++ :: else -> break od; assert(false) }\n");
        it.folder.file("large.smv", "MODULE main\nVAR x : 0..99; y : 0..99;\nASSIGN init(x) := 0; init(y) := 0; next(x) := {0, (x + 1) mod 100}; next(y) := {y, (y + 3) mod 100};\nSPEC AG EF (x = 7 & y = 3)\n");
        let chain: String = (0..90)
            .map(|n| format!("(declare-fun p{n} (Int) Bool)\n"))
            .collect();
        let steps: String = (1..90)
            .map(|n| {
                format!(
                    "(assert (forall ((x Int)) (=> (p{} x) (p{n} (+ x 1)))))\n",
                    n - 1
                )
            })
            .collect();
        it.folder.file("long.smt2", format!("(set-logic HORN)\n{chain}(assert (p0 0))\n{steps}(assert (forall ((x Int)) (=> (p89 x) false)))\n"));
        let calls: String = (1..90)
            .map(|n| format!("int f{n}(int x) {{ return f{}(x + 1); }}\n", n - 1))
            .collect();
        it.folder.file("long.c", format!("#include <assert.h>\nint f0(int x) {{ return x; }}\n{calls}int main(void) {{ assert(f89(0) == 0); return 0; }}\n"));
        let chain = |name: &str, length: u32| {
            format!(
                "mdp\nmodule {name}\n s : [0..{length}] init 0;\n [send] s<{length} -> (s'=s+1);\nendmodule\n"
            )
        };
        it.folder.file("long.nm", chain("sender", 91));
        it.folder.file("long-spec.nm", chain("spec", 90));
        it
    }

    /// Runs in the folder; the names of files are those in it.
    fn run(&self, _: &str, arguments: &[&str]) -> Ran {
        let output = program()
            .current_dir(self.folder.path(""))
            .args(arguments)
            .output();
        output.unwrap().into()
    }

    /// What a run says and writes, without what differs from run to run.
    fn outcome(&self, arguments: &[String]) -> (Ran, String) {
        let scratch = self.folder.path("out");
        let _ = std::fs::remove_dir_all(&scratch);
        std::fs::create_dir_all(&scratch).unwrap();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = self.run("", &arguments);
        let mut written: Vec<String> = Vec::new();
        for entry in std::fs::read_dir(&scratch).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            let text = match path.is_dir() {
                true => String::new(),
                false => String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned(),
            };
            written.push(format!("{}\n{}", path.display(), steady(&text)));
        }
        written.sort();
        let all = format!(
            "{}\n{}\n{}\n{}",
            ran.status,
            steady(&ran.stdout),
            ran.stderr,
            written.join("\n")
        );
        (ran, all)
    }
}

/// Without times and memory.
fn steady(text: &str) -> String {
    let timed = |line: &&str| {
        let line = line.trim_start();
        ["time ", "\"elapsed", "\"peak", "\"seconds", "memory"]
            .iter()
            .all(|t| !line.starts_with(t))
            && !line.contains("_seconds\"")
            && !line.contains("creation_time")
            && !line.contains("uuid")
    };
    text.lines().filter(timed).collect::<Vec<_>>().join("\n")
}

/// An option with a value, and what stands beside it in both runs: what an option refines has to be there. A word that begins
/// with `@` is another model to look at.
struct Sample {
    beside: String,
    given: String,
}

fn beside(beside: &str, given: &str) -> Sample {
    Sample {
        beside: beside.to_owned(),
        given: given.to_owned(),
    }
}

/// The same on our examples.
fn on(examples: &[&str], more: &str, given: &str) -> Vec<Sample> {
    let path = |e: &&str| root().join("examples").join(e).display().to_string();
    let sample = |e: &&str| beside(&format!("@{} {more}", path(e)), given);
    examples.iter().map(sample).collect()
}

const CLAUSES: &[&str] = &[
    "horn/mccarthy-safe.smt2",
    "horn/even-odd-safe.smt2",
    "horn/fibonacci-safe.smt2",
    "horn/mutex-safe.smt2",
    "horn/mccarthy-unsafe.smt2",
    "horn/shift-register-safe.smt2",
    "horn/thermostat-unsafe.smt2",
];
const NETWORKS: &[&str] = &[
    "fsp/client-server/client-server.lts",
    "fsp/gas-station/gas-station.lts",
    "fsp/pipeline/pipeline.lts",
    "fsp/readers-writers/readers-writers.lts",
];

/// What `check` is given: values that make a difference. Several are tried in turn.
fn samples(option: &str, language: &str) -> Option<Vec<Sample>> {
    let one = |given: &str| vec![beside("", given)];
    let horn = |given: &str| on(CLAUSES, "--engine recmc --format json", given);
    let parts = |engine: &str, given: &str| match language {
        "promela" => on(
            &["promela/sliding-window/sliding-window.pml"],
            &format!("--engine {engine} --property assertions --format json"),
            given,
        ),
        _ => on(
            NETWORKS,
            &format!("--engine {engine} --no-deadlock --format json"),
            given,
        ),
    };
    let cegar = |given: &str| {
        let examples = on(SMV_MODELS, "--engine cegar --format json", given);
        [
            vec![beside("--engine cegar --format json", given)],
            examples,
        ]
        .into_iter()
        .flatten()
        .collect()
    };
    Some(match option {
        "colour" => one("--colour always"),
        "quiet" => one("--quiet"),
        "format" => one("--format json"),
        "timeout" => one("--timeout 5m"),
        "memory" => one("--memory 4GiB"),
        "jobs" => one("--jobs 2"),
        "sarif" => one("--sarif out/m.sarif"),
        "junit" => one("--junit out/m.xml"),
        "events" => one("--events out/m.ndjson"),
        "github" => vec![
            beside("--property nonsense", "--github"),
            beside("--timeout 1ms", "--github"),
        ],
        "language" if language == "smv" => one("--language fsp"),
        "language" => one("--language smv"),
        "property-file" if language == "promela" => one("--property-file more.ltl"),
        "property-file" => one("--property-file p.props"),
        "system" => one("--system COUNT"),
        "set" if language == "fsp" => vec![beside("--system COUNT --format json", "--set N=1")],
        "set" if language == "prism" => one("--set N=0"),
        "set" => vec![beside("--format json", "--set N=4")],
        "no-fair-choice" => on(&["fsp/constructs/progress.lts"], "", "--no-fair-choice"),
        "integers" => one("--integers mathematical"),
        "wrap" => one("--wrap"),
        "data-model" => one("--data-model ILP32"),
        "spec" => one("--spec spec.nm"),
        "const" => one("--const N=0"),
        "group" => one("--group sender,receiver"),
        "reads" => one("--reads synchronise"),
        "acts" => one("--acts acts.txt"),
        "unmentioned" => vec![beside("@extra.nm --spec spec.nm", "--unmentioned free")],
        "dialect" => on(&["smv/counter-old.smv"], "", "--dialect old"),
        "property" => one("--property nonsense"),
        "deadlock" if language == "prism" => vec![beside("--spec spec.nm", "--deadlock")],
        "deadlock" => one("--deadlock"),
        "no-deadlock" if language == "smv" => on(&["smv/deadlock.smv"], "", "--no-deadlock"),
        "no-deadlock" => one("--no-deadlock"),
        "engine" => match language {
            "smtlib" | "c" => one("--engine gpdr"),
            "smv" => one("--engine bdd"),
            "prism" => vec![beside("--spec spec.nm", "--engine agar-n")],
            _ => one("--engine learn"),
        },
        "component" if language == "promela" => one("--component Receiver"),
        "component" => one("--component Output"),
        "in-turn" => one("--in-turn=smallest"),
        "split" => match language {
            "promela" => vec![beside(
                "--engine agar --property assertions",
                "--split Receiver/*",
            )],
            "prism" => vec![beside(
                "--engine agar-n --spec spec.nm",
                "--split receiver/sender",
            )],
            _ => vec![beside(
                "--engine agar --property Order",
                "--split Output/Input",
            )],
        },
        "learner" => parts("learn", "--learner ttt"),
        "alphabet" => parts("agar", "--alphabet full"),
        "splitting" => parts("agar", "--splitting stuck"),
        "restart" => parts("agar", "--restart"),
        "order" => vec![beside("@wrong.pml", "--order depth")],
        "no-reduction" => one("--no-reduction"),
        "no-symmetry" => vec![beside("@alike.pml --engine monolithic", "--no-symmetry")],
        // So many cores are rare, and the line `search` says how many threads there were.
        "threads" => vec![beside("@many.pml --engine monolithic", "--threads 7")],
        "first" => vec![beside("@wrong.pml", "--first")],
        "progress" => vec![beside("@live.pml", "--progress")],
        "fair" => vec![beside("@live.pml", "--fair")],
        "disk" => one("--disk out/states"),
        "compaction" => one("--compaction 20"),
        "abstraction" => one("--abstraction variables"),
        "bounds" => vec![beside("--abstraction constraints", "--bounds counters")],
        "query-order" => horn("--query-order bottom-up"),
        // There is no such program on the PATH of this test, which is said.
        "solver" => one("--solver z3"),
        "certify-with" => one("--certify-with z3"),
        "no-must-summaries" => horn("--no-must-summaries"),
        "values" => horn("--values"),
        "no-simplification" => horn("--no-simplification"),
        "no-invariants" => horn("--no-invariants"),
        "concretise" => horn("--concretise"),
        "partition" => vec![beside(
            "--spec spec.nm --engine learn --format json",
            "--partition stochastic",
        )],
        "far" => cegar("--far 0"),
        "spurious" => cegar("--spurious sat"),
        "separation" => cegar("--separation paper"),
        "early" => cegar("--early always"),
        "certificate" => one("--certificate out/m.cert"),
        "no-certify" => one("--no-certify"),
        "recheck" if language == "smv" => vec![beside("@large.smv", "--recheck")],
        "recheck" => vec![beside("@counters.pml", "--recheck")],
        "trail" => vec![beside("@wrong.pml", "--trail out/m.trail")],
        "definitions" => one("--definitions out/m.defs"),
        "witness" => one("--witness out/m.yml"),
        "itf" => one("--itf out/run.itf.json"),
        "chart" => one("--chart out/run.mmd"),
        "report" => one("--report out/page.html"),
        "full" => match language {
            "fsp" => vec![beside("--system LONG", "--full")],
            "promela" => vec![beside("@long.pml", "--full")],
            "smtlib" => vec![beside("@long.smt2", "--full")],
            "c" => vec![beside("@long.c", "--full")],
            "prism" => vec![beside(
                "@long.nm --spec long-spec.nm --engine monolithic",
                "--full",
            )],
            _ => one("--full"),
        },
        "trace" => one("--trace nusmv"),
        "smtlib" => vec![beside(
            "--engine bdd --property inside",
            "--smtlib out/i.smt2",
        )],
        "aiger" => vec![beside(
            "--engine bdd --property inside",
            "--aiger out/i.aag",
        )],
        _ => return None,
    })
}

const SMV_MODELS: &[&str] = &[
    "smv/water-pressure.smv",
    "smv/watchdog.smv",
    "smv/cache-coherence.smv",
    "smv/pipeline.smv",
];

/// Options of other commands, on models for which they are: the option, and the command line in both runs.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    (
        "report output",
        "report m.lts --output out/a.html",
        "--output out/b.html",
    ),
    ("assume output", "assume m.lts", "--output out/a.svg"),
    ("assume property", "assume m.lts", "--property nonsense"),
    ("assume engine", "assume m.lts", "--engine learn"),
    ("assume component", "assume m.lts", "--component Output"),
    ("assume in-turn", "assume m.pml -p assertions", "--in-turn"),
    ("assume schedule", "assume m.lts", "--schedule paper"),
    ("assume merging", "assume m.lts", "--merging once"),
    (
        "assume environment",
        "assume m.lts",
        "--environment abstract",
    ),
    (
        "assume split",
        "assume m.lts --engine agar",
        "--split Output/Input",
    ),
    ("certify system", "certify m.cert m.lts", "--system COUNT"),
    (
        "convert component",
        "convert m.lts out/a.aut",
        "--component Output",
    ),
    (
        "convert minimise",
        "convert m.lts out/a.aut --system Twice",
        "--minimise strong",
    ),
    (
        "convert premises",
        "convert m.lts out/a.aut",
        "--premises m.cert",
    ),
    ("draw component", "draw m.lts", "--component Output"),
    ("draw property", "draw m.lts", "--property Order"),
    ("draw composition", "draw m.nm --const N=1", "--composition"),
    ("draw output", "draw m.lts", "--output out/a.dot"),
    (
        "draw spec",
        "draw m.nm --const N=1 --component sender",
        "--spec missing.nm",
    ),
    ("simulate steps", "simulate m.lts", "--steps 3"),
    ("simulate seed", "simulate large.pml", "--seed 1"),
    ("simulate interactive", "simulate m.lts", "--interactive"),
    (
        "simulate counterexample",
        "simulate m.lts",
        "--counterexample",
    ),
    (
        "simulate property",
        "simulate m.lts --counterexample",
        "--property nonsense",
    ),
    ("simulate system", "simulate m.lts", "--system COUNT"),
    ("spin component", "spin m.pml", "--component Receiver"),
    ("spin property", "spin m.pml", "--property nonsense"),
    ("spin always", "spin m.pml", "--always"),
];

/// `suppose options` as a document.
fn declared() -> Value {
    suppose(["options", "--format", "json"]).json()
}

fn has(list: &Value, word: &str) -> bool {
    list.as_array().unwrap().iter().any(|v| v == word)
}

/// Is an option of a command declared for a language?
fn is_meant(document: &Value, command: &str, option: &str, language: &str) -> bool {
    let reads = document["commands"].as_array().unwrap().iter();
    let reads = reads
        .clone()
        .any(|c| c["command"] == command && has(&c["languages"], language));
    let mut rows = document["options"].as_array().unwrap().iter();
    reads
        && rows.any(|o| {
            o["option"] == option && has(&o["commands"], command) && has(&o["languages"], language)
        })
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn line(command: &str, file: &str, language: &str, sample: &Sample, with: bool) -> Vec<String> {
    let mut all = vec![command.to_owned(), file.to_owned()];
    for word in words(&sample.beside) {
        match word.strip_prefix('@') {
            Some(other) => all[1] = other.to_owned(),
            None => all.push(word),
        }
    }
    // The model leaves a constant open.
    let given = all.iter().any(|w| w.contains("N=")) || (with && sample.given.contains("N="));
    if language == "prism" && !given && all[1] == file {
        all.extend(words("--const N=1"));
    }
    if with {
        all.extend(words(&sample.given));
    }
    all
}

fn effects(language: &str) {
    let models = Models::new();
    let document = declared();
    let commands = document["commands"].as_array().unwrap();
    let mut without_effect = Vec::new();
    let check = commands.iter().find(|c| c["command"] == "check").unwrap();
    for option in check["options"].as_array().unwrap() {
        let option = option.as_str().unwrap();
        let Some(samples) = samples(option, language) else {
            panic!(
                "no value for --{option}: give it one that makes a difference in tests/cli/options.rs"
            );
        };
        // What limits do is seen in limits.rs; a limit that is not reached changes nothing, and neither does
        // the number of models at once.
        if matches!(option, "timeout" | "memory" | "jobs") {
            continue;
        }
        if !is_meant(&document, "check", option, language) {
            continue;
        }
        let file = &models.files[language];
        let seen = samples.iter().any(|sample| {
            let (_, without) = models.outcome(&line("check", file, language, sample, false));
            let (_, with) = models.outcome(&line("check", file, language, sample, true));
            without != with
        });
        if !seen {
            without_effect.push(option);
        }
    }
    assert!(
        without_effect.is_empty(),
        "these change nothing for a model in {language}: {without_effect:?}"
    );
}

macro_rules! effects {
    ($($test:ident $language:literal;)*) => {
        $(
            #[test]
            fn $test() {
                effects($language);
            }
        )*
    };
}

effects! {
    every_option_for_fsp_has_an_effect "fsp";
    every_option_for_promela_has_an_effect "promela";
    every_option_for_clauses_has_an_effect "smtlib";
    every_option_for_c_has_an_effect "c";
    every_option_for_prism_has_an_effect "prism";
    every_option_for_smv_has_an_effect "smv";
}

#[test]
fn options_of_other_commands_have_an_effect() {
    let models = Models::new();
    models.run(
        "",
        &[
            "check",
            "m.lts",
            "--property",
            "Order",
            "--engine",
            "agar",
            "--certificate",
            "m.cert",
        ],
    );
    for (what, base, given) in ELSEWHERE {
        let (_, without) = models.outcome(&words(base));
        let (ran, with) = models.outcome(&words(&format!("{base} {given}")));
        assert!(without != with, "{what}: {ran:#?}");
    }
}

/// Every option of every command in every language, by `suppose options`: what is not declared is refused.
#[test]
fn what_is_not_declared_is_refused() {
    let models = Models::new();
    let document = declared();
    let mut refused = 0;
    for command in document["commands"].as_array().unwrap() {
        let name = command["command"].as_str().unwrap();
        for option in command["options"].as_array().unwrap() {
            let option = option.as_str().unwrap();
            // This one says what the language is.
            if option == "language" {
                continue;
            }
            for (language, file) in &models.files {
                if *language == "spec" || is_meant(&document, name, option, language) {
                    continue;
                }
                let given = value(option, language);
                let mut line = match name {
                    "certify" => words(&format!("certify any.cert {file}")),
                    "convert" => words(&format!("convert {file} out/any.aut")),
                    "report" if option != "output" => {
                        words(&format!("report {file} -o out/any.html"))
                    }
                    _ => words(&format!("{name} {file}")),
                };
                line.extend(words(&given));
                let (ran, _) = models.outcome(&line);
                assert_eq!(ran.status, 1, "{line:?}: {ran:#?}");
                let said = format!("{}{}", ran.stdout, ran.stderr);
                assert!(
                    said.contains("is for") || said.contains("is not for"),
                    "{line:?}: {ran:#?}"
                );
                refused += 1;
            }
        }
    }
    assert!(refused > 1_000, "{refused}");
}

/// An option with any value of its kind.
fn value(option: &str, language: &str) -> String {
    match option {
        "output" => "--output out/any.svg".to_owned(),
        "premises" => "--premises any.cert".to_owned(),
        "composition" | "always" | "interactive" | "counterexample" => format!("--{option}"),
        "steps" | "seed" => format!("--{option} 3"),
        "minimise" => "--minimise weak".to_owned(),
        "threshold" => "--threshold 10%".to_owned(),
        "schedule" => "--schedule paper".to_owned(),
        "merging" => "--merging once".to_owned(),
        "environment" => "--environment abstract".to_owned(),
        _ => match samples(option, language) {
            Some(samples) => samples[0].given.clone(),
            None => panic!("no value for --{option}: give it one in tests/cli/options.rs"),
        },
    }
}
