//! Workers, a few at once, and their messages in the order of the models.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;
use suppose::{ExitStatus, Failure, Stopped};

use crate::args::OutputOptions;

use super::worker::{Message, told};

/// How often Ctrl-C is noticed and the progress is drawn.
const TICK: Duration = Duration::from_millis(50);
/// More is not kept of what a worker says before it ends unexpectedly.
const MOST_LAST_WORDS: usize = 2_000;

/// A model to check, with the command line for it (without the program).
#[derive(Clone, Debug)]
pub struct Job {
    /// The files of the model: one, unless they are components.
    pub files: Vec<PathBuf>,
    /// What the user typed, or what stands for it.
    pub arguments: Vec<OsString>,
}

impl Job {
    /// The name of the model.
    pub fn name(&self) -> String {
        let names = self.files.iter().map(|f| f.display().to_string());
        names.collect::<Vec<_>>().join(", ")
    }
}

/// What is done with messages and with time.
pub trait Audience {
    /// The message about a job, in the order of the jobs; false if nobody wants more.
    fn hear(&mut self, number: usize, message: Message, elapsed: Duration) -> bool;
    /// A claim of a job is decided.
    fn decided(&mut self, number: usize, claim: Value);
    /// How far a job is.
    fn progress(&mut self, number: usize, progress: Value);
    /// Time goes by. These jobs run since then, and so many are done.
    fn wait(&mut self, running: &[(usize, Instant)], done: usize);
}

/// What the thread of a worker says of a job.
enum Said {
    Now(usize, Line),
    Done(usize, Message, Duration),
}

/// The workers that run now.
#[derive(Default)]
struct Running {
    /// Their jobs, when they started, and what to close to end them.
    now: Vec<(usize, Instant, Option<ChildStdin>)>,
}

/// Runs `at_once` workers at a time until all jobs are done or `interrupted`. What was not begun then is not known.
pub fn run(
    jobs: &[Job],
    at_once: usize,
    look: OutputOptions,
    colours: bool,
    interrupted: &AtomicBool,
    audience: &mut dyn Audience,
) {
    let running = Mutex::new(Running::default());
    let stop = AtomicBool::new(false);
    let next = AtomicUsize::new(0);
    let (send, receive) = channel::<Said>();
    std::thread::scope(|scope| {
        for _ in 0..at_once.min(jobs.len()) {
            let send = send.clone();
            let (running, stop, next) = (&running, &stop, &next);
            let work = move || work(jobs, next, stop, running, (look, colours), &send);
            let spawned = std::thread::Builder::new().spawn_scoped(scope, work);
            if spawned.is_err() {
                break;
            }
        }
        drop(send);
        let mut early: VecDeque<Option<(Message, Duration)>> = jobs.iter().map(|_| None).collect();
        let (mut told, mut done) = (0, 0);
        loop {
            match receive.recv_timeout(TICK) {
                Ok(Said::Now(number, Line::Progress(progress))) => {
                    audience.progress(number, progress)
                }
                Ok(Said::Now(number, Line::Claim(claim))) => audience.decided(number, claim),
                Ok(Said::Done(number, message, elapsed)) => {
                    done += 1;
                    early[number - told] = Some((message, elapsed));
                    while let Some(Some(_)) = early.front() {
                        if let Some(Some((message, elapsed))) = early.pop_front()
                            && !audience.hear(told, message, elapsed)
                        {
                            stop.store(true, Ordering::Relaxed);
                        }
                        told += 1;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
            if interrupted.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) {
                stop.store(true, Ordering::Relaxed);
                // A worker whose standard input ends reports what it has found.
                running.now.iter_mut().for_each(|(.., input)| *input = None);
            }
            let now: Vec<(usize, Instant)> =
                running.now.iter().map(|(n, at, _)| (*n, *at)).collect();
            audience.wait(&now, done);
        }
        // No worker is left: what was not begun never will be.
        for message in early {
            let (message, elapsed) = message.unwrap_or_else(|| {
                let failure = Failure::limit(Stopped::Interrupted);
                (Message::failure(&failure, look), Duration::ZERO)
            });
            audience.hear(told, message, elapsed);
            told += 1;
        }
    });
}

/// Takes one job after the other.
fn work(
    jobs: &[Job],
    next: &AtomicUsize,
    stop: &AtomicBool,
    running: &Mutex<Running>,
    (look, colours): (OutputOptions, bool),
    send: &Sender<Said>,
) {
    let lock = || running.lock().unwrap_or_else(PoisonError::into_inner);
    while !stop.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some(job) = jobs.get(number) else {
            return;
        };
        let started = Instant::now();
        let message = match start(job, colours) {
            Ok(mut child) => {
                lock().now.push((number, started, child.stdin.take()));
                let message = message(child, |line| {
                    let _ = send.send(Said::Now(number, line));
                });
                lock().now.retain(|(n, ..)| *n != number);
                message
            }
            Err(error) => Err(Lost::Otherwise(format!("cannot start a process: {error}"))),
        };
        let message = message.unwrap_or_else(|why| {
            let shown = suppose_report::shown(&job.name()).into_owned();
            let failure = match why {
                Lost::Killed => Failure {
                    status: ExitStatus::Limit,
                    ..Failure::file(format!("the process that checked `{shown}` was killed"))
                        .help("the system may have run out of memory: set a limit with --memory")
                },
                Lost::Otherwise(why) => Failure::internal(format!("on `{shown}`: {why}")),
            };
            Message::failure(&failure, look)
        });
        let _ = send.send(Said::Done(number, message, started.elapsed()));
    }
}

fn start(job: &Job, colours: bool) -> std::io::Result<Child> {
    // The program itself, also if its file was replaced since.
    let program = Path::new("/proc/self/exe");
    let program = match program.exists() {
        true => program.to_owned(),
        false => std::env::current_exe()?,
    };
    let mut command = Command::new(program);
    command
        .args(told(&job.files, colours))
        .args(&job.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn()
}

/// The signal that no process can ignore, and that the system sends when memory runs out.
const KILLED: i32 = 9;

/// Why there is no message.
enum Lost {
    Killed,
    Otherwise(String),
}

/// A line of a worker that is not its last.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Progress(Value),
    Claim(Value),
}

/// What a worker says; if it ends without a message, how it ended and its last words.
fn message(mut child: Child, mut tell: impl FnMut(Line)) -> Result<Message, Lost> {
    let errors = child.stderr.take();
    let last_words = std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(mut errors) = errors {
            let _ = errors.read_to_end(&mut text);
        }
        String::from_utf8_lossy(&text).into_owned()
    });
    let mut last = None;
    let out = child.stdout.take().into_iter();
    for line in out.flat_map(|out| BufReader::new(out).split(b'\n')) {
        let Ok(line) = line else {
            break;
        };
        match serde_json::from_slice::<Line>(&line) {
            Ok(it) => tell(it),
            Err(_) => last = serde_json::from_slice::<Message>(&line).ok().or(last),
        }
    }
    let ended = child.wait();
    let last_words = last_words.join().unwrap_or_default();
    match (last, ended) {
        (Some(message), _) => Ok(message),
        (None, Ok(ended)) if ended.signal() == Some(KILLED) => Err(Lost::Killed),
        (None, Ok(ended)) => {
            let words: String = last_words.trim().chars().take(MOST_LAST_WORDS).collect();
            let words = match words.is_empty() {
                true => words,
                false => format!(": {}", suppose_report::shown(&words)),
            };
            Err(Lost::Otherwise(format!(
                "its process ended: {ended}{words}"
            )))
        }
        (None, Err(error)) => Err(Lost::Otherwise(format!("its process is lost: {error}"))),
    }
}
