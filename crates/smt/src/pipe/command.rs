//! A running command that is asked and answers.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use suppose_control::Context;

use super::{Failure, SolverError, Tool};

/// Answers of more bytes are not read to their end.
const LONGEST_REPLY: usize = 64 << 20;

/// So many lines are read before we listen: one that babbles must not fill our memory.
const LINES_AHEAD: usize = 1024;

/// How long to sleep, at most, before asking the [`Context`] again.
const NAP: Duration = Duration::from_millis(5);

/// Neither writing to it nor reading from it can block us: threads do both. They end with the command, which
/// closes the pipes.
#[derive(Debug)]
pub(super) struct Command {
    name: &'static str,
    child: Child,
    questions: Sender<String>,
    lines: Receiver<String>,
    asked: u64,
}

impl Command {
    pub fn start(tool: &Tool) -> Result<Command, SolverError> {
        let failed = |why: String| SolverError::NotStarted(tool.program.display().to_string(), why);
        let mut child = std::process::Command::new(&tool.program)
            .args(tool.arguments())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound => failed("there is no such command".to_owned()),
                _ => failed(error.to_string()),
            })?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            end(&mut child);
            return Err(failed("it has no input or output".to_owned()));
        };
        let (questions, to_write) = channel::<String>();
        let (read, lines) = sync_channel(LINES_AHEAD);
        let started = thread::Builder::new().spawn(move || write_all(input, &to_write));
        let started = started.and(thread::Builder::new().spawn(move || read_all(output, &read)));
        if let Err(error) = started {
            end(&mut child);
            return Err(failed(error.to_string()));
        }
        Ok(Command {
            name: tool.name(),
            child,
            questions,
            lines,
            asked: 0,
        })
    }

    /// Everything it says up to the echo that follows the question.
    pub fn ask(
        &mut self,
        question: String,
        limit: Duration,
        cx: &Context,
    ) -> Result<String, Failure> {
        self.asked += 1;
        let mark = format!("answered {}", self.asked);
        let text = format!("{question}(echo \"{mark}\")\n");
        let ended = || Failure::from(SolverError::Ended(self.name.to_owned()));
        let start = Instant::now();
        self.questions.send(text).map_err(|_| ended())?;
        let mut reply = String::new();
        loop {
            match self.lines.recv_timeout(NAP) {
                // Some write the string with its quotes and some without.
                Ok(line) if line.trim().trim_matches('"') == mark => return Ok(reply),
                Ok(line) => reply.push_str(&line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) if reply.trim().is_empty() => {
                    return Err(ended());
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let said = reply.trim().chars().take(200).collect();
                    return Err(SolverError::NotUnderstood(self.name.to_owned(), said).into());
                }
            }
            cx.check()?;
            if start.elapsed() > limit {
                return Err(SolverError::Slow(self.name.to_owned()).into());
            }
        }
    }
}

impl Drop for Command {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// Kills it and waits, so that it leaves nothing behind.
fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

fn write_all(mut input: impl Write, questions: &Receiver<String>) {
    for text in questions {
        if input
            .write_all(text.as_bytes())
            .and_then(|()| input.flush())
            .is_err()
        {
            return;
        }
    }
}

/// Sends line by line; ends when the output does, at garbage that is no text, or at a line without end.
fn read_all(output: impl Read, lines: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    let mut total = 0;
    loop {
        let mut line = Vec::new();
        let left = (LONGEST_REPLY - total) as u64;
        match (&mut output).take(left).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(count) => total += count,
        }
        let Ok(line) = String::from_utf8(line) else {
            return;
        };
        // An answer begins again after each echo.
        if line.trim().trim_matches('"').starts_with("answered ") {
            total = 0;
        }
        if lines.send(line).is_err() {
            return;
        }
    }
}
