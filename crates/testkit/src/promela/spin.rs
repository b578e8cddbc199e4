//! What real SPIN says of a program.

use std::cell::Cell;
use std::os::unix::process::ExitStatusExt;
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

/// Runs the rest of the command line for so many seconds of processor time: on a few programs SPIN goes on for hours, one trail after the other.
const LIMITED: &str = "ulimit -t 20; exec \"$@\"";
const KILLED: i32 = 9;
const OUT_OF_TIME: i32 = 24;

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

    /// Lets SPIN write the verifier `pan.c` of a program, and compiles it unless `tcc` runs it as it is. None if that cannot be done.
    fn prepare(&self, text: &str, flags: &[&'static str]) -> Option<Verifier<'_>> {
        std::fs::write(self.0.join("m.pml"), text).expect("a written file");
        let mut arguments = vec!["-o1", "-o2", "-o3", "-a", "m.pml"];
        // Where there is nothing for the preprocessor, SPIN takes half as long without it.
        if !text.contains(['#', '/']) {
            arguments.insert(0, "-Pcat");
        }
        self.run("spin", &arguments);
        let flags = [&["-w", "-DVECTORSZ=8192"], flags].concat();
        let verifier = Verifier {
            folder: self,
            flags,
            compiled: WITH_GCC.get() || !has_tcc(),
        };
        if verifier.compiled {
            let output = [&verifier.flags[..], &["-o", "pan", "pan.c"]].concat();
            self.run("gcc", &output).status.success().then_some(())?;
        }
        Some(verifier)
    }

    fn run(&self, command: &str, arguments: &[&str]) -> Output {
        let mut it = Command::new(command);
        let it = it.args(arguments).current_dir(&self.0);
        it.output()
            .unwrap_or_else(|e| panic!("{command} is needed: {e}"))
    }
}

/// Is the C compiler there that is quick enough to compile a verifier anew for each run?
fn has_tcc() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| Command::new("tcc").arg("-v").output().is_ok())
}

thread_local! {
    static WITH_GCC: Cell<bool> = const { Cell::new(false) };
}

/// Compiles the verifiers of this call by gcc: `tcc` miscompiles a few of them, so a difference that it shows is looked at again.
pub fn with_gcc<T>(compare: impl FnOnce() -> T) -> T {
    /// Also where the comparison panics.
    struct Reset;
    impl Drop for Reset {
        fn drop(&mut self) {
            WITH_GCC.set(false);
        }
    }
    let _reset = Reset;
    WITH_GCC.set(true);
    compare()
}

/// The verifier of a program.
struct Verifier<'a> {
    folder: &'a Folder,
    flags: Vec<&'static str>,
    /// By gcc, to `pan`. Otherwise `tcc` compiles and runs `pan.c` in one process.
    compiled: bool,
}

impl Verifier<'_> {
    /// Runs the verifier. The stack for deep searches takes longer to make than most programs to search.
    fn search(&self, options: &[&str]) -> (Output, String) {
        let search = |depth: &'static str| {
            let arguments: Vec<&str> = [&[depth], options].concat();
            let limited = ["-c", LIMITED, "sh"];
            let output = match self.compiled {
                true => {
                    let all = [&limited[..], &["./pan"], &arguments].concat();
                    self.folder.run("sh", &all)
                }
                false => {
                    let compile = [&["tcc"], &self.flags[..], &["-run", "pan.c"]].concat();
                    let all = [&limited[..], &compile, &arguments].concat();
                    self.folder.run("sh", &all)
                }
            };
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            (output, text)
        };
        let first = search("-m10000");
        match first.1.contains("max search depth too small") {
            true => search("-m1000000"),
            false => first,
        }
    }

    /// Does a search that ends with the first error find one? None if SPIN does not take the program or does not end.
    fn finds_an_error(&self, options: &[&str]) -> Option<bool> {
        let (output, text) = self.search(options);
        match output.status.signal() {
            Some(KILLED | OUT_OF_TIME) => return None,
            // A division by zero ends the verifier itself.
            Some(_) => return Some(true),
            None => {}
        }
        let odd = ["max search depth", "aborted", "resource"];
        let errors = text.split("errors: ").nth(1)?.split_whitespace().next()?;
        let errors: u64 = errors.parse().ok()?;
        odd.iter()
            .all(|words| !text.contains(words))
            .then_some(errors > 0)
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
    let verifier = folder.prepare(text, &["-DNOREDUCE", "-DSAFETY"])?;
    let (_, text) = verifier.search(&["-w14", "-c0", "-e"]);
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
    let verifier = folder.prepare(text, &["-DNOREDUCE", "-DNOFAIR"])?;
    verifier.finds_an_error(&["-w14", "-a"])
}

/// Is there an infinite run that is not allowed: one that the claim or an accept label accepts, or with `progress` one without
/// progress? With `fair`, of weakly fair runs only. None if SPIN does not take the program or does not end.
///
/// # Panics
///
/// When `spin` or a C compiler is missing.
pub fn cycles(text: &str, progress: bool, fair: bool) -> Option<bool> {
    let folder = Folder::new();
    let flags: &[&str] = match progress {
        true => &["-DNOREDUCE", "-DNP"],
        false => &["-DNOREDUCE"],
    };
    let mut options = vec!["-w14", if progress { "-l" } else { "-a" }];
    if fair {
        options.push("-f");
    }
    folder.prepare(text, flags)?.finds_an_error(&options)
}

/// Does anything go wrong in a program: does an assertion fail, is there an invalid end state or an error of the run? With `xr` and `xs` checked,
/// which needs SPIN's reduction, or without. None if SPIN does not take the program or does not end.
///
/// # Panics
///
/// When `spin` or a C compiler is missing.
pub fn goes_wrong(text: &str, check_exclusive: bool) -> Option<bool> {
    let folder = Folder::new();
    let flags: &[&str] = match check_exclusive {
        true => &["-DSAFETY"],
        false => &["-DSAFETY", "-DNOREDUCE"],
    };
    folder.prepare(text, flags)?.finds_an_error(&["-w14"])
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
