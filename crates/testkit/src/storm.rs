//! Storm as a process that answers questions, one line each, through a script of ours with `stormpy`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running script. Its answers come in the order of the questions.
#[derive(Debug)]
pub struct Storm {
    process: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    folder: PathBuf,
}

impl Storm {
    /// Starts a script with the Python of `.test-tools`, or that of `SUPPOSE_STORM_PYTHON`. The name keeps the folders of several apart.
    ///
    /// # Panics
    ///
    /// When there is no such Python; `scripts/test.sh` installs it.
    pub fn start(name: &str, script: &Path) -> Storm {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let chosen = std::env::var_os("SUPPOSE_STORM_PYTHON").map(PathBuf::from);
        let python = chosen.unwrap_or_else(|| here.join("../../.test-tools/bin/python"));
        let mut process = Command::new(&python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                let shown = python.display();
                panic!("{shown}: {error}; scripts/test.sh makes it, with stormpy")
            });
        let id = std::process::id();
        let folder = std::env::temp_dir().join(format!("suppose-storm-{name}-{id}"));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        Storm {
            questions: process.stdin.take(),
            answers: BufReader::new(process.stdout.take().expect("its output")),
            process,
            folder,
        }
    }

    /// Writes a file for Storm to read. One of that name must not be in use.
    ///
    /// # Panics
    ///
    /// When it cannot be written.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let file = self.folder.join(name);
        std::fs::write(&file, text).expect("a temporary file");
        file
    }

    /// Asks.
    ///
    /// # Panics
    ///
    /// When the process has ended.
    pub fn ask(&mut self, question: impl std::fmt::Display) {
        let questions = self.questions.as_mut().expect("an open pipe");
        writeln!(questions, "{question}").expect("a running process");
    }

    /// The next answer: a line that begins with `answer:`.
    ///
    /// # Panics
    ///
    /// When the process ends without one.
    pub fn answer(&mut self) -> String {
        loop {
            let mut line = String::new();
            self.answers.read_line(&mut line).expect("its output");
            assert!(
                !line.is_empty(),
                "Storm does not answer: is stormpy installed?"
            );
            if let Some(answer) = line.strip_prefix("answer:") {
                return answer.trim().to_owned();
            }
        }
    }
}

impl Drop for Storm {
    fn drop(&mut self) {
        self.questions = None;
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
