//! `suppose solve`: the arguments of z3, and the dialogue with a file or with standard input.

use std::io::{BufRead, ErrorKind, Read, Write};
use std::path::Path;
use std::time::Duration;

use suppose::{Dialogued, ExitStatus, Failure, SolveOptions, Solver};

use crate::args::{OutputOptions, SolveArgs};
use crate::input::watcher;
use crate::output::Output;

/// More is not read at once.
const MOST_INPUT: u64 = 256 << 20;

/// What the arguments ask for.
#[derive(Debug, Default)]
struct Asked {
    file: Option<String>,
    from_stdin: bool,
    options: SolveOptions,
    /// Parameters without an effect.
    idle: Vec<String>,
}

/// Answers the commands of a script.
pub fn solve(args: &SolveArgs, look: OutputOptions) -> Result<Output, Failure> {
    let asked = asked(&args.words)?;
    let name = match (&asked.file, asked.from_stdin) {
        (Some(file), false) => file.clone(),
        (None, true) => "-".to_owned(),
        (Some(_), true) => {
            let wrong = Failure::usage("both a file and standard input are given");
            return Err(wrong.help("leave out the file or `-in`"));
        }
        (None, false) => {
            let wrong = Failure::usage("there is no file to read");
            return Err(wrong.help(
                "suppose solve clauses.smt2; with `-in`, the script is read from standard input",
            ));
        }
    };
    // Progress would stand between the answers.
    let quiet = OutputOptions {
        quiet: true,
        ..look
    };
    let watcher = watcher(suppose::Limits::default(), quiet);
    let mut solver = Solver::new(&name, asked.options, watcher);
    let mut gone = false;
    let mut answer = |line: &str| {
        let mut out = std::io::stdout().lock();
        let written = writeln!(out, "{}", line.trim_end()).and_then(|()| out.flush());
        gone |= written.is_err_and(|e| e.kind() == ErrorKind::BrokenPipe);
    };
    let ended = match asked.from_stdin {
        true => from_stdin(&mut solver, &mut answer)?,
        false => {
            let text = text(Path::new(&name))?;
            match solver.read(&text, &mut answer) {
                Dialogued::Goes => solver.end(&mut answer),
                ended => ended,
            }
        }
    };
    let idle = asked.idle.iter();
    let notes: Vec<String> = idle
        .map(|word| format!("note: `{word}` has no effect on the answers of Suppose"))
        .collect();
    Ok(Output {
        stdout: String::new(),
        stderr: notes.join("\n"),
        status: match ended {
            Dialogued::Interrupted => ExitStatus::Limit,
            _ if solver.has_failed() => ExitStatus::Usage,
            _ => ExitStatus::Holds,
        },
    })
}

fn text(path: &Path) -> Result<String, Failure> {
    let shown = path.display();
    let unread = |why: std::io::Error| Failure::file(format!("cannot read `{shown}`: {why}"));
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(unread)?;
    file.take(MOST_INPUT)
        .read_to_end(&mut bytes)
        .map_err(unread)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Line by line: the other side may wait for an answer before it goes on.
fn from_stdin(solver: &mut Solver, answer: &mut dyn FnMut(&str)) -> Result<Dialogued, Failure> {
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.by_ref().take(MOST_INPUT).read_until(b'\n', &mut line);
        let read =
            read.map_err(|why| Failure::file(format!("cannot read standard input: {why}")))?;
        if read == 0 {
            return Ok(solver.end(answer));
        }
        match solver.read(&String::from_utf8_lossy(&line), answer) {
            Dialogued::Goes => {}
            ended => return Ok(ended),
        }
    }
}

/// Reads arguments as z3 has them.
fn asked(words: &[String]) -> Result<Asked, Failure> {
    let mut asked = Asked::default();
    for word in words {
        let number = |text: &str| {
            text.parse::<u64>().map_err(|_| {
                let wrong = Failure::usage(format!("`{word}` needs a whole number"));
                wrong.help("-t:MILLISECONDS, -T:SECONDS, -memory:MEGABYTES")
            })
        };
        let options = &mut asked.options;
        match word.split_once([':', '=']) {
            Some(("-t" | "timeout", most)) => {
                options.each = Some(Duration::from_millis(number(most)?));
            }
            Some(("-T", most)) => options.whole = Some(Duration::from_secs(number(most)?)),
            Some(("-memory" | "memory_max_size", most)) => {
                options.memory = Some(number(most)?.saturating_mul(1 << 20));
            }
            Some(("model", "true")) => options.model = true,
            Some(("model", "false")) => options.model = false,
            Some((name, _)) if is_parameter(name) => asked.idle.push(word.clone()),
            _ if word == "-model" => options.model = true,
            _ if word == "-in" || word == "-" => asked.from_stdin = true,
            // The language that is read anyway.
            _ if word == "-smt2" => {}
            _ if word.starts_with('-') => {
                let wrong = Failure::usage(format!("there is no option `{word}`"));
                return Err(wrong.help("`suppose solve --help` lists them"));
            }
            _ if asked.file.is_some() => {
                return Err(Failure::usage("one file is read at a time")
                    .help(format!("leave out `{word}`")));
            }
            _ => asked.file = Some(word.clone()),
        }
    }
    Ok(asked)
}

/// Parameters by which z3's search is tuned.
fn is_parameter(name: &str) -> bool {
    let tuned = [
        "fp.",
        "smt.",
        "sat.",
        "nlsat.",
        "rewriter.",
        "tactic.",
        "combined_solver.",
    ];
    tuned.iter().any(|begin| name.starts_with(begin))
        || ["rlimit", "proof", "unsat_core", "verbose", "-v"].contains(&name)
}
