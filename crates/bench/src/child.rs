//! Runs a program under limits on processor time and memory.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;

use suppose::Failure;

/// Under what a run is.
#[derive(Clone, Copy, Debug)]
pub struct ProcessLimits {
    /// Processor time, of all threads together; whole seconds.
    pub cpu: Duration,
    /// Bytes of address space.
    pub memory: u64,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Processor time in seconds, of all threads together.
    pub seconds: f64,
    /// What it printed; cut off where it was killed.
    pub stdout: String,
}

/// The polling interval.
const TICK: Duration = Duration::from_millis(2);

/// Runs a command. The shell sets the limits, so that the kernel keeps them.
pub fn run(command: &[String], folder: &Path, limits: ProcessLimits) -> Result<Ran, Failure> {
    let out = folder.join("stdout");
    let file = File::create(&out).map_err(Failure::internal)?;
    let before = children()?;
    let script = format!(
        "ulimit -t {}; ulimit -v {}; exec \"$@\"",
        limits.cpu.as_secs().max(1),
        limits.memory >> 10
    );
    let mut child = Command::new("sh")
        .args(["-c", &script, "sh"])
        .args(command)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| Failure::file(format!("cannot run `sh`: {e}")))?;
    // A run that waits takes no processor time, and must end all the same.
    let latest = Instant::now() + limits.cpu * 4 + Duration::from_secs(10);
    while child.try_wait().map_err(Failure::internal)?.is_none() {
        if Instant::now() > latest {
            let _ = child.kill();
            let _ = child.wait();
            break;
        }
        std::thread::sleep(TICK);
    }
    let stdout = std::fs::read(&out).map_err(Failure::internal)?;
    Ok(Ran {
        seconds: (children()? - before).max(0.0),
        stdout: String::from_utf8_lossy(&stdout).into_owned(),
    })
}

/// Processor time of all children that have ended, in seconds; the kernel says it to the microsecond.
fn children() -> Result<f64, Failure> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(Failure::internal)?;
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(script: &str, cpu: u64) -> Ran {
        let folder =
            std::env::temp_dir().join(format!("suppose-child-{}-{cpu}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let limits = ProcessLimits {
            cpu: Duration::from_secs(cpu),
            memory: 1 << 30,
        };
        let command = ["sh", "-c", script].map(str::to_owned);
        let ran = run(&command, &folder, limits).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        ran
    }

    #[test]
    fn output_comes_back_and_endless_work_is_ended() {
        let short = ran("echo yes", 5);
        assert_eq!(short.stdout, "yes\n");
        // Too short for ticks of a hundredth of a second, but not for the kernel.
        assert!(short.seconds > 0.0);
        let busy = ran("echo begun; while :; do :; done", 1);
        assert_eq!(busy.stdout, "begun\n");
        assert!(busy.seconds > 0.9);
    }
}
