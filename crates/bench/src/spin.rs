//! Runs SPIN, the C compiler and the search that comes of it, and reads what the search says.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::failure::Failure;

/// What SPIN said of a program.
#[derive(Clone, Debug, Default)]
pub struct SpinResult {
    /// `errors: N`.
    pub errors: Option<u64>,
    /// States stored.
    pub states: u64,
    /// Was the search cut short?
    pub incomplete: bool,
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

/// Under what it runs.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For all three programs together.
    pub until: Instant,
    /// In megabytes, told to the search.
    pub memory: u64,
}

/// The outcome of one process.
struct Ended {
    output: String,
    success: bool,
    elapsed: Duration,
    timed_out: bool,
}

/// Lets SPIN check the program `model.pml` of a folder for assertions, and for invalid end states if asked to.
pub fn check(
    folder: &Path,
    defines: &[String],
    end_states: bool,
    limits: Limits,
) -> Result<SpinResult, Failure> {
    let mut args: Vec<String> = defines.iter().map(|d| format!("-D{d}")).collect();
    args.extend(["-a", "model.pml"].map(str::to_owned));
    let made = run(folder, Path::new("spin"), &args, limits.until)?;
    if !folder.join("pan.c").exists() || made.output.contains("Error") {
        let said = made.output.trim();
        return Err(Failure::file(format!(
            "SPIN does not accept the program:\n{said}"
        )));
    }
    let memory = format!("-DMEMLIM={}", limits.memory);
    let args = ["-O2", "-w", "-DSAFETY", "-DNOCLAIM", &memory];
    let args = args
        .into_iter()
        .chain(["-DVECTORSZ=65536", "-o", "pan", "pan.c"]);
    let args: Vec<String> = args.map(str::to_owned).collect();
    let built = run(folder, Path::new("gcc"), &args, limits.until)?;
    let times = [made.elapsed, built.elapsed, Duration::ZERO];
    if !built.success {
        return match built.timed_out {
            true => Ok(SpinResult {
                incomplete: true,
                times,
                ..SpinResult::default()
            }),
            false => Err(Failure::file(format!(
                "the C compiler failed:\n{}",
                built.output.trim()
            ))),
        };
    }
    let mut ran = search(folder, "-m10000", end_states, limits)?;
    // SPIN's own limit on depth first: the stack for more takes memory that most programs do not need.
    for deeper in ["-m1000000", "-m20000000"] {
        if ran.output.contains("max search depth too small") {
            ran = search(folder, deeper, end_states, limits)?;
        }
    }
    let mut said = read(&ran.output);
    said.incomplete |= ran.timed_out;
    said.times = [times[0], times[1], ran.elapsed];
    Ok(said)
}

fn search(folder: &Path, depth: &str, end_states: bool, limits: Limits) -> Result<Ended, Failure> {
    let mut args = vec![depth.to_owned(), "-c1".to_owned()];
    if !end_states {
        args.push("-E".to_owned());
    }
    run(folder, &folder.join("pan"), &args, limits.until)
}

/// Runs a program there. What it prints goes to a file, so that it never waits for a reader.
fn run(folder: &Path, program: &Path, args: &[String], until: Instant) -> Result<Ended, Failure> {
    let begun = Instant::now();
    let name = program.display();
    let out = folder.join("output");
    let file = std::fs::File::create(&out).map_err(Failure::internal)?;
    let errors = file.try_clone().map_err(Failure::internal)?;
    let mut child = Command::new(program)
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(errors)
        .spawn()
        .map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Failure::file(format!("`{name}` is not installed"))
                .help(format!("on Debian, the package `{name}` has it")),
            _ => Failure::file(format!("cannot run `{name}`: {error}")),
        })?;
    let (mut timed_out, mut pause) = (false, Duration::from_micros(200));
    let success = loop {
        if let Some(status) = child.try_wait().map_err(Failure::internal)? {
            break status.success();
        }
        if Instant::now() >= until {
            timed_out = true;
            let _ = child.kill();
            let _ = child.wait();
            break false;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    };
    let elapsed = begun.elapsed();
    let output = std::fs::read(&out).map_err(Failure::internal)?;
    Ok(Ended {
        output: String::from_utf8_lossy(&output).into_owned(),
        success,
        elapsed,
        timed_out,
    })
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
        said.incomplete |= line.contains("max search depth too small")
            || line.contains("reached -DMEMLIM")
            || line.contains("out of memory");
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_search_prints_is_read() {
        let said = read(
            "State-vector 28 byte, depth reached 9, errors: 0\n       12 states, stored\n  128.730\ttotal actual memory usage\n",
        );
        assert!(said.decided() && !said.violated());
        assert_eq!((said.states, said.memory), (12, 128.73));
        let cut = read("error: max search depth too small\nerrors: 0\n");
        assert!(!cut.decided());
        assert!(read("out of memory\nerrors: 1\n").decided());
        assert!(!read("").decided());
    }
}
