//! What real SPIN says of a program.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// What SPIN found with all its reductions off, going on after errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// States stored.
    pub states: u64,
    /// Does an assertion fail?
    pub assertion: bool,
    /// Is there an invalid end state?
    pub end_state: bool,
    /// What it says of a `trace` or `notrace`, in its own words.
    pub events: Vec<&'static str>,
    /// The search is whole, and nothing went wrong but what is said above.
    pub clean: bool,
}

/// What SPIN says of the messages that a `trace` or `notrace` speaks of.
pub const EVENTS: [&str; 4] = [
    "no matching event",
    "non-determinism in event-trace",
    "all events matched",
    "event_trace not completed",
];

/// A folder that is gone when this is.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("suppose-with-spin-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }

    /// Makes the verifier `pan` of `m.pml`, by the quickest compiler there is; none if that cannot be done.
    fn compile(&self, flag: &str) -> Option<()> {
        self.run("spin", &["-o1", "-o2", "-o3", "-a", "m.pml"]);
        static QUICK: OnceLock<bool> = OnceLock::new();
        let quick = QUICK.get_or_init(|| Command::new("tcc").arg("-v").output().is_ok());
        let compiler = if *quick { "tcc" } else { "gcc" };
        let flags = "-w -DNOREDUCE -DVECTORSZ=8192 -o pan pan.c";
        let flags: Vec<&str> = flags.split(' ').chain([flag]).collect();
        let compiled = self.run(compiler, &flags).status.success();
        compiled.then_some(())
    }

    fn run(&self, command: &str, arguments: &[&str]) -> Output {
        let mut it = Command::new(command);
        let it = it.args(arguments).current_dir(&self.0);
        it.output()
            .unwrap_or_else(|e| panic!("{command} is needed: {e}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs SPIN, a C compiler and the verifier that comes of it; none if SPIN does not take the program.
///
/// # Panics
///
/// When `spin` or `gcc` is missing.
pub fn spin(text: &str) -> Option<Said> {
    let folder = Folder::new();
    std::fs::write(folder.0.join("m.pml"), text).expect("a written file");
    folder.compile("-DSAFETY")?;
    let output = folder.run("./pan", &["-m1000000", "-w18", "-c0", "-e"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(read(&text)).filter(|said| said.states > 0)
}

/// Is anything wrong under the claim of a program: is the claim violated, or can it not be evaluated? None if SPIN does not take
/// the program or does not end.
///
/// # Panics
///
/// When `spin` or a C compiler is missing.
pub fn claim_fails(text: &str) -> Option<bool> {
    let folder = Folder::new();
    std::fs::write(folder.0.join("m.pml"), text).expect("a written file");
    folder.compile("-DNOFAIR")?;
    let output = folder.run("./pan", &["-m1000000", "-w18", "-a"]);
    // A division by zero ends the verifier itself.
    if output.status.code().is_none() {
        return Some(true);
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let odd = ["max search depth", "aborted", "resource"];
    let errors = text.split("errors: ").nth(1)?.split_whitespace().next()?;
    let errors: u64 = errors.parse().ok()?;
    odd.iter()
        .all(|words| !text.contains(words))
        .then_some(errors > 0)
}

fn read(text: &str) -> Said {
    let number = |line: &str| line.split_whitespace().next()?.parse::<f64>().ok();
    let states = text.lines().find(|l| l.ends_with("states, stored"));
    let errors: Vec<&str> = text.lines().filter(|l| l.starts_with("pan:")).collect();
    let said = |words: &str| errors.iter().any(|l| l.contains(words));
    let expected = [
        "assertion violated",
        "invalid end state",
        "wrote",
        "elapsed",
        "rate",
    ];
    let known = |line: &&str| {
        let mut all = expected.iter().chain(&EVENTS);
        all.any(|words| line.contains(words))
    };
    let odd = ["max search depth", "invalid array index", "aborted"];
    Said {
        states: states.and_then(number).unwrap_or_default() as u64,
        assertion: said("assertion violated"),
        end_state: said("invalid end state"),
        events: EVENTS.into_iter().filter(|w| said(w)).collect(),
        clean: errors.iter().all(known) && odd.iter().all(|words| !text.contains(words)),
    }
}
