//! A dialogue in SMT-LIB on Horn clauses, as other solvers hold it: `check-sat` is answered with `sat`, `unsat` or `unknown`,
//! `get-model` with definitions of the predicates. Every answer has evidence that the checker accepted.
//!
//! The text of the commands that are in force is read anew for each `check-sat`; what is not in force (popped, or another
//! query) is blank there, so that positions in messages are those of the whole text.

use std::ops::Range;
use std::time::{Duration, Instant};

use suppose_frontends::Language;
use suppose_frontends::smtlib::script::{self, Balance, ScriptCommand};
use suppose_source::ParserLimits;

use crate::failure::Failure;
use crate::options::{CheckOptions, Limits, ModelOptions};
use crate::run::Watcher;
use crate::source::Source;

/// Under which limits a dialogue is held.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolveOptions {
    /// For each `check-sat`; it is `unknown` after that.
    pub each: Option<Duration>,
    /// For the whole dialogue; it ends with `timeout` after that.
    pub whole: Option<Duration>,
    /// The memory of the process, in bytes.
    pub memory: Option<u64>,
    /// Print the model after `sat`, as `get-model` does.
    pub model: bool,
}

/// How a dialogue ended, or that it has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialogued {
    /// The next command can be read.
    Goes,
    /// By `exit`.
    Exited,
    /// The time for the whole of it is over.
    TimedOut,
    /// By the user.
    Interrupted,
}

/// A dialogue with somebody who writes SMT-LIB.
pub struct Solver {
    options: SolveOptions,
    watcher: Watcher,
    started: Instant,
    name: String,
    /// Everything that was written so far.
    text: String,
    /// Where the first command begins that is not complete.
    pending: usize,
    balance: Balance,
    /// The declarations and clauses in force, with the number of `push`es below them.
    kept: Vec<(usize, Range<usize>)>,
    level: usize,
    print_success: bool,
    status: Option<String>,
    last: Last,
    failed: bool,
}

/// What is known of the last question.
#[derive(Default)]
struct Last {
    model: Option<String>,
    reason: String,
}

/// The answer to a question.
enum Found {
    Holds,
    Violated,
    Unknown(String),
}

/// Where answers go, line by line, as soon as they are known.
pub type Answers<'a> = dyn FnMut(&str) + 'a;

impl Solver {
    /// A dialogue about a file of that name.
    pub fn new(name: &str, options: SolveOptions, watcher: Watcher) -> Solver {
        Solver {
            options,
            watcher,
            started: Instant::now(),
            name: name.to_owned(),
            text: String::new(),
            pending: 0,
            balance: Balance::default(),
            kept: Vec::new(),
            level: 0,
            print_success: false,
            status: None,
            last: Last::default(),
            failed: false,
        }
    }

    /// Did any command fail?
    pub fn has_failed(&self) -> bool {
        self.failed
    }

    /// Reads on, and answers the commands that are complete.
    pub fn read(&mut self, piece: &str, answer: &mut Answers) -> Dialogued {
        self.text.push_str(piece);
        match self.balance.read(piece) {
            true => self.complete(answer),
            false => Dialogued::Goes,
        }
    }

    /// Nothing more will come.
    pub fn end(&mut self, answer: &mut Answers) -> Dialogued {
        self.complete(answer)
    }

    fn complete(&mut self, answer: &mut Answers) -> Dialogued {
        let from = self.pending;
        self.pending = self.text.len();
        if let Err(refused) = ParserLimits::default().check_bytes(self.text.len(), "the text") {
            self.error(from, &refused.message, answer);
            return Dialogued::Exited;
        }
        let commands = match script::commands(&self.text[from..]) {
            Ok(commands) => commands,
            Err(wrong) => {
                let at = wrong.span.map_or(0, |span| span.start as usize);
                self.error(from + at, &wrong.message, answer);
                return Dialogued::Goes;
            }
        };
        for mut command in commands {
            command.range = command.range.start + from..command.range.end + from;
            match self.command(&command, answer) {
                Dialogued::Goes => {}
                ended => return ended,
            }
        }
        Dialogued::Goes
    }

    fn command(&mut self, command: &ScriptCommand, answer: &mut Answers) -> Dialogued {
        let end = command.range.end.saturating_sub(1);
        let words: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
        match (command.name.as_str(), &words[..]) {
            ("check-sat", []) => return self.question(None, end, answer),
            ("query", [_, ..]) => {
                return self.question(Some(command.range.clone()), end, answer);
            }
            ("exit", _) => {
                self.success(answer);
                return Dialogued::Exited;
            }
            ("push" | "pop", [] | [_]) => self.stack(command, answer),
            ("reset", []) => {
                *self = Solver {
                    text: std::mem::take(&mut self.text),
                    pending: self.pending,
                    started: self.started,
                    failed: self.failed,
                    ..Solver::new(&self.name, self.options, self.watcher.clone())
                };
            }
            ("reset-assertions", []) => {
                (self.level, self.last) = (0, Last::default());
                self.kept.clear();
                self.success(answer);
            }
            ("set-option", [name, value]) => self.set(name, value, end, answer),
            ("set-info", [name, value @ ..]) => {
                if *name == ":status" {
                    self.status = value.first().map(|&v| v.to_owned());
                }
                self.success(answer);
            }
            ("get-info", [name]) => self.info(name, answer),
            ("get-option", [":print-success"]) => answer(&self.print_success.to_string()),
            ("get-option", [_]) => answer("unsupported"),
            ("echo", [text]) => answer(text),
            ("get-model", _) => match &self.last.model {
                Some(model) => answer(model),
                None => self.error(end, "model is not available", answer),
            },
            ("set-logic", [_]) => self.success(answer),
            (
                "check-sat-assuming" | "get-proof" | "get-unsat-core" | "get-value"
                | "get-assignment" | "get-assertions" | "eval" | "simplify",
                _,
            ) => {
                let message = format!("`{}` is not supported", command.name);
                self.error(end, &message, answer);
            }
            _ => {
                // Whether it is right, the front-end says when it is asked about.
                self.kept.push((self.level, command.range.clone()));
                self.success(answer);
            }
        }
        Dialogued::Goes
    }

    fn success(&self, answer: &mut Answers) {
        if self.print_success {
            answer("success");
        }
    }

    fn error(&mut self, at: usize, message: &str, answer: &mut Answers) {
        self.failed = true;
        let before = self.text.get(..at).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1);
        let message = message.replace('"', "\"\"");
        answer(&format!(
            "(error \"line {line} column {column}: {message}\")"
        ));
    }

    fn stack(&mut self, command: &ScriptCommand, answer: &mut Answers) {
        let count = command.arguments.first().map_or(Ok(1), |n| n.parse());
        let end = command.range.end.saturating_sub(1);
        let (Ok(count), is_push) = (count, command.name == "push") else {
            let message = format!("`{}` takes the number of levels", command.name);
            return self.error(end, &message, answer);
        };
        let level = match is_push {
            true => self.level.checked_add(count),
            false => self.level.checked_sub(count),
        };
        let Some(level) = level else {
            let message = format!("there are {} levels to pop", self.level);
            return self.error(end, &message, answer);
        };
        self.level = level;
        self.kept.retain(|(at, _)| *at <= level);
        self.last = Last::default();
        self.success(answer);
    }

    fn set(&mut self, name: &str, value: &str, end: usize, answer: &mut Answers) {
        match (name, value) {
            (":print-success", "true" | "false") => self.print_success = value == "true",
            (":timeout", _) => match value.parse() {
                Ok(most) => self.options.each = Some(Duration::from_millis(most)),
                Err(_) => return self.error(end, "a time in milliseconds is expected", answer),
            },
            (":produce-models" | ":produce-proofs" | ":produce-unsat-cores", "true" | "false") => {}
            // Search parameters of other solvers have no influence on what the answer is.
            _ if name.starts_with(":fp.") || name.starts_with(":fixedpoint.") => {}
            (":verbosity" | ":random-seed" | ":interactive-mode" | ":global-declarations", _) => {}
            _ => {
                let message = format!("unknown option `{name}`");
                return self.error(end, &message, answer);
            }
        }
        self.success(answer);
    }

    fn info(&self, name: &str, answer: &mut Answers) {
        let quoted = |text: &str| format!("({name} \"{}\")", text.replace('"', "\"\""));
        match name {
            ":reason-unknown" => answer(&quoted(&self.last.reason)),
            ":name" => answer(&quoted("Suppose")),
            ":version" => answer(&quoted(env!("CARGO_PKG_VERSION"))),
            ":authors" => answer(&quoted("the Suppose developers")),
            ":error-behavior" => answer("(:error-behavior continued-execution)"),
            _ => answer("unsupported"),
        }
    }

    /// Are the clauses satisfiable, or can the query be derived?
    fn question(
        &mut self,
        query: Option<Range<usize>>,
        end: usize,
        answer: &mut Answers,
    ) -> Dialogued {
        let is_query = query.is_some();
        let (found, model) = match self.decide(query) {
            Ok(found) => found,
            Err(failure) => {
                for wrong in &failure.diagnostics {
                    let at = wrong.span.map_or(end, |span| span.start as usize);
                    self.error(at, &wrong.message, answer);
                }
                (Found::Unknown(failure.first()), None)
            }
        };
        let word = match (&found, is_query) {
            (Found::Holds, false) | (Found::Violated, true) => "sat",
            (Found::Violated, false) | (Found::Holds, true) => "unsat",
            (Found::Unknown(_), _) => "unknown",
        };
        let ended = match &found {
            Found::Unknown(why) if why == "interrupted" => Dialogued::Interrupted,
            Found::Unknown(why) if why == "timeout" && self.left().is_some_and(|l| l.is_zero()) => {
                answer("timeout");
                return Dialogued::TimedOut;
            }
            _ => Dialogued::Goes,
        };
        answer(word);
        let expected = self.status.clone();
        if let Some(expected) = expected.filter(|e| matches!(e.as_str(), "sat" | "unsat"))
            && word != "unknown"
            && word != expected
        {
            let message = format!("check annotation that says {expected}");
            self.error(end, &message, answer);
        }
        self.last = Last {
            model,
            reason: match found {
                Found::Unknown(why) => why,
                _ => String::new(),
            },
        };
        if let (true, Some(model)) = (self.options.model, &self.last.model) {
            answer(model);
        }
        ended
    }

    /// What is left of the time for the whole dialogue.
    fn left(&self) -> Option<Duration> {
        let whole = self.options.whole?;
        Some(whole.saturating_sub(self.started.elapsed()))
    }

    fn decide(&self, query: Option<Range<usize>>) -> Result<(Found, Option<String>), Failure> {
        let is_empty = self.kept.is_empty() && query.is_none();
        if is_empty {
            return Ok((Found::Holds, Some("(\n)\n".to_owned())));
        }
        let timeout = match (self.options.each, self.left()) {
            (Some(each), Some(left)) => Some(each.min(left)),
            (each, left) => each.or(left),
        };
        let options = CheckOptions {
            model: ModelOptions {
                language: Some(Language::SmtLib),
                ..ModelOptions::default()
            },
            run: crate::options::RunOptions {
                limits: Limits {
                    timeout,
                    memory: self.options.memory,
                    ..Limits::default()
                },
                ..crate::options::RunOptions::default()
            },
            ..CheckOptions::default()
        };
        let source = Source::text(&self.name, self.in_force(query)).sealed();
        let report = crate::check(&source, &options, self.watcher.clone())?;
        let claims = report.claims();
        let found = match claims.first() {
            Some(claim) if claim.verdict == "holds" && claim.is_certified => Found::Holds,
            Some(claim) if claim.verdict == "violated" && claim.is_certified => Found::Violated,
            first => {
                let why = first.and_then(|claim| claim.reason.clone());
                Found::Unknown(why.unwrap_or_else(|| "timeout".to_owned()))
            }
        };
        let model = match found {
            Found::Holds => report.definitions(),
            _ => None,
        };
        Ok((found, model))
    }

    /// The text without the commands that are not in force.
    fn in_force(&self, query: Option<Range<usize>>) -> String {
        let mut out = String::with_capacity(self.text.len());
        let mut at = 0;
        let kept = self.kept.iter().map(|(_, range)| range);
        for range in kept.chain(&query) {
            blank(&self.text[at..range.start], &mut out);
            out.push_str(&self.text[range.clone()]);
            at = range.end;
        }
        out
    }
}

/// Nothing, in as many bytes and lines.
fn blank(text: &str, out: &mut String) {
    out.extend(text.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
}
