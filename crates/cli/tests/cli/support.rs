//! Runs the program and looks at what comes out.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

/// The result of a run.
#[derive(Debug)]
pub struct Ran {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or("")
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {self:#?}"))
    }

    /// Fails unless it ended so, with that last line.
    #[track_caller]
    pub fn ended(&self, status: i32, last_line: &str) -> &Self {
        assert_eq!(
            (self.status, self.last_line()),
            (status, last_line),
            "{self:#?}"
        );
        self
    }

    /// Fails unless it ended so and told that on standard error.
    #[track_caller]
    pub fn refused(&self, status: i32, message: &str) -> &Self {
        assert_eq!(self.status, status, "{self:#?}");
        assert!(self.stderr.contains(message), "no `{message}` in {self:#?}");
        assert!(!self.stderr.contains("panicked"), "{self:#?}");
        self
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_suppose"));
    command.stdin(Stdio::null()).env_clear();
    command
}

pub fn suppose<I: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = I>) -> Ran {
    program().args(arguments).output().unwrap().into()
}

/// The root of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file under `examples/fsp`.
pub fn example(path: &str) -> String {
    root().join("examples/fsp").join(path).display().to_string()
}

/// A sound system `SYS` and an unsound one, `BROKEN`.
pub fn channel() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/channel.lts");
    path.display().to_string()
}

/// A folder of one test, gone when the test ends.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("suppose-test-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Writes a file and gives its path.
    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        std::fs::write(self.0.join(name), contents).unwrap();
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Compares with a file under `tests/golden`. A missing file is a failure; with the environment
/// variable `SUPPOSE_BLESS` set the file is written instead, to be looked at and committed.
#[track_caller]
pub fn golden(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("SUPPOSE_BLESS").is_some() {
        std::fs::write(&path, actual).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path)
        .unwrap_or_else(|e| panic!("{}: {e}; run with SUPPOSE_BLESS=1", path.display()));
    assert_eq!(actual, expected, "differs from {}", path.display());
}

/// A system too large for any machine, that deadlocks nowhere: neighbours on a ring exchange what they have, so a part
/// of the ring has as many states that differ as there are ways to distribute the values.
pub fn endless(folder: &Folder) -> String {
    let model = "range V = 0..9\nCELL(I = 0) = HAS[I],\n\
                 HAS[v:V] = (left[w:V][v] -> HAS[w] | right[v][w:V] -> HAS[w]).\n\
                 ||SYS = (forall [i:0..39] c[i]:CELL(i % 10))\n\
                 / {forall [i:0..39] {x[i]/c[i].right, x[i]/c[(i + 1) % 40].left}}.\n";
    folder.file("endless.lts", model)
}
