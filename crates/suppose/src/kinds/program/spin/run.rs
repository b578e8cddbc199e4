//! Runs the real SPIN, by argument vector, in a folder of its own, under limits.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How one program ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// What it wrote, up to a limit.
    pub output: String,
    /// Did it end by itself and well?
    pub success: bool,
    /// How long it took.
    pub elapsed: Duration,
    /// Was it stopped because time was up?
    pub timed_out: bool,
}

/// What SPIN said of a program.
#[derive(Clone, Debug, Default)]
pub struct SpinResult {
    /// `errors: N`.
    pub errors: Option<u64>,
    /// States stored.
    pub states: u64,
    /// Was the search cut short?
    pub incomplete: bool,
    /// The line with the error, as SPIN words it.
    pub error: Option<String>,
    /// The steps of the trail: process and line, in order.
    pub trail: Vec<(u32, u32)>,
    /// Time for `spin -a`, for the compiler, for the search.
    pub times: [Duration; 3],
    /// SPIN's own account of memory, in megabytes.
    pub memory: f64,
}

impl SpinResult {
    /// Is there a verdict?
    pub fn decided(&self) -> bool {
        self.errors.is_some() && (!self.incomplete || self.violated())
    }

    /// Was an error found?
    pub fn violated(&self) -> bool {
        self.errors.is_some_and(|n| n > 0)
    }
}

/// What SPIN is asked besides assertions.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// Invalid end states.
    pub end_states: bool,
    /// The steps of the run to an error.
    pub trail: bool,
}

/// Limits on a run of SPIN.
#[derive(Clone, Copy, Debug)]
pub struct SpinLimits {
    /// For everything.
    pub until: Option<Instant>,
    /// In megabytes, told to the search.
    pub memory: u64,
}

const MOST_OUTPUT: u64 = 16 << 20;

/// A private folder that goes away with this.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// A new one, which only this user can enter.
    pub fn new() -> std::io::Result<Folder> {
        use std::os::unix::fs::DirBuilderExt;
        let base = std::env::temp_dir();
        let id = std::process::id();
        for attempt in 0..100u32 {
            let now = std::time::SystemTime::now();
            let nanos = now
                .duration_since(std::time::UNIX_EPOCH)
                .map_or(0, |d| d.subsec_nanos());
            let path = base.join(format!("suppose-{id}-{nanos}-{attempt}"));
            match std::fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Folder(path)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(std::io::ErrorKind::AlreadyExists.into())
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a program there.
pub fn run(
    folder: &Path,
    program: &str,
    args: &[&str],
    until: Option<Instant>,
) -> Result<Ended, String> {
    let begun = Instant::now();
    let path = match program.starts_with("./") {
        true => folder.join(&program[2..]),
        false => PathBuf::from(program),
    };
    let mut child = Command::new(path)
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                format!("`{program}` is not installed (on Debian, the package `{program}` has it)")
            }
            _ => format!("cannot run `{program}`: {error}"),
        })?;
    let readers = [
        child.stdout.take().map(|p| reader(Box::new(p))),
        child.stderr.take().map(|p| reader(Box::new(p))),
    ];
    let (mut timed_out, mut pause) = (false, Duration::from_micros(200));
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) => {}
            Err(_) => break None,
        }
        if until.is_some_and(|until| Instant::now() >= until) {
            timed_out = true;
            let _ = child.kill();
            break child.wait().ok();
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    };
    let mut output = String::new();
    for reader in readers.into_iter().flatten() {
        output.push_str(&reader.join().unwrap_or_default());
    }
    Ok(Ended {
        output,
        success: status.is_some_and(|s| s.success()),
        elapsed: begun.elapsed(),
        timed_out,
    })
}

fn reader(mut pipe: Box<dyn Read + Send>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.by_ref().take(MOST_OUTPUT).read_to_end(&mut bytes);
        // What comes after the limit is read and dropped, so that the other side does not block.
        let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Lets SPIN check a program (its text is in `model.pml` there) for assertions, and read the trail if there is one.
pub fn check(
    folder: &Path,
    defines: &[String],
    ask: Ask,
    limits: SpinLimits,
) -> Result<SpinResult, String> {
    let defines: Vec<String> = defines.iter().map(|d| format!("-D{d}")).collect();
    let mut args: Vec<&str> = defines.iter().map(String::as_str).collect();
    args.extend(["-a", "model.pml"]);
    let made = run(folder, "spin", &args, limits.until)?;
    if !folder.join("pan.c").exists() || made.output.contains("Error") {
        return Err(format!(
            "SPIN does not accept the program:\n{}",
            made.output.trim()
        ));
    }
    let memory = format!("-DMEMLIM={}", limits.memory);
    let args = [
        "-O2",
        "-w",
        "-DSAFETY",
        "-DNOCLAIM",
        &memory,
        "-DVECTORSZ=65536",
        "-o",
        "pan",
        "pan.c",
    ];
    let built = run(folder, "gcc", &args, limits.until)?;
    let times = [made.elapsed, built.elapsed, Duration::ZERO];
    if !built.success {
        return match built.timed_out {
            true => Ok(SpinResult {
                incomplete: true,
                times,
                ..SpinResult::default()
            }),
            false => Err(format!("the C compiler failed:\n{}", built.output.trim())),
        };
    }
    let mut options = vec!["-m10000", "-c1"];
    if !ask.end_states {
        options.push("-E");
    }
    let mut ran = run(folder, "./pan", &options, limits.until)?;
    // SPIN's own limit on depth first: the stack for more takes memory that most programs do not need.
    for deeper in ["-m1000000", "-m20000000"] {
        if ran.output.contains("max search depth too small") {
            options[0] = deeper;
            ran = run(folder, "./pan", &options, limits.until)?;
        }
    }
    let mut said = read(&ran.output);
    said.incomplete |= ran.timed_out;
    said.times = [times[0], times[1], ran.elapsed];
    if ask.trail && said.violated() {
        let mut args: Vec<&str> = defines.iter().map(String::as_str).collect();
        args.extend(["-t", "-p", "model.pml"]);
        let shown = run(folder, "spin", &args, limits.until)?;
        said.trail = trail(&shown.output);
    }
    Ok(said)
}

/// What the search printed.
fn read(output: &str) -> SpinResult {
    let mut said = SpinResult::default();
    for line in output.lines() {
        let line = line.trim();
        if let Some((_, errors)) = line.split_once("errors: ") {
            said.errors = errors.trim().parse().ok();
        }
        if let Some(states) = line.strip_suffix(" states, stored") {
            said.states = states.trim().parse().unwrap_or(0);
        }
        if let Some(memory) = line.strip_suffix("total actual memory usage") {
            said.memory = memory.trim().parse().unwrap_or(0.0);
        }
        if line.starts_with("pan:1:") || line.starts_with("pan: 1:") {
            said.error = Some(line.to_owned());
        }
        said.incomplete |= line.contains("max search depth too small")
            || line.contains("reached -DMEMLIM")
            || line.contains("out of memory");
    }
    said
}

/// The steps of `spin -t -p`: `  3:\tproc  1 (Receiver:1) model.pml:12 (state 5)\t[x = 1]`.
fn trail(output: &str) -> Vec<(u32, u32)> {
    let step = |line: &str| {
        let (_, rest) = line.split_once("proc ")?;
        let process = rest.trim_start().split(' ').next()?.parse().ok()?;
        let (_, rest) = rest.split_once("model.pml:")?;
        let line = rest.split(' ').next()?.parse().ok()?;
        Some((process, line))
    };
    output
        .lines()
        .filter(|l| l.contains("(state ") && l.contains('['))
        .filter_map(step)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_of_a_search_is_understood() {
        let said = read(
            "pan:1: assertion violated 0 (at depth 7)\nState-vector 36 byte, depth reached 17, errors: 1\n       51 states, stored\n  128.730\ttotal actual memory usage\n",
        );
        assert_eq!((said.errors, said.states), (Some(1), 51));
        assert!((said.memory - 128.73).abs() < 1e-9);
        assert!(said.error.is_some() && !said.incomplete);
        assert!(said.decided() && said.violated());
        let cut = read("error: max search depth too small\nerrors: 0\n");
        assert!(cut.incomplete && !cut.decided());
        assert!(read("out of memory\nerrors: 1\n").decided());
        assert!(!read("").decided());
    }

    #[test]
    fn the_steps_of_a_trail_are_understood() {
        let text = "  3:\tproc  1 (Receiver:1) model.pml:12 (state 5)\t[x = 1]\nspin: trail ends after 3 steps\n";
        assert_eq!(trail(text), [(1, 12)]);
    }

    #[test]
    fn a_program_that_runs_too_long_is_stopped() {
        let folder = Folder::new().expect("a folder");
        let until = Some(Instant::now() + Duration::from_millis(50));
        let ended = run(folder.path(), "sleep", &["60"], until).expect("sleep runs");
        assert!(ended.timed_out && !ended.success);
        let path = folder.path().to_owned();
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let folder = Folder::new().expect("a folder");
        let error = run(folder.path(), "no-such-program", &[], None).expect_err("not there");
        assert!(
            error.contains("`no-such-program` is not installed"),
            "{error}"
        );
    }
}
