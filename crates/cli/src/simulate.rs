//! `suppose simulate`, with its interactive dialogue.

use std::io::{BufRead, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use suppose::simulate::Transcript;
use suppose::{Dialogue, Failure, Simulation};

use crate::args::{Format, OutputOptions, SimulateArgs};
use crate::input::{source, watcher};
use crate::output::{Output, rendered};

/// Simulates at random, interactively, or along a counterexample.
pub fn simulate(args: SimulateArgs, look: OutputOptions) -> Result<Output, Failure> {
    let options = &args.options;
    if options.interactive && args.input.files.iter().any(|f| f == Path::new("-")) {
        let failure = Failure::usage("standard input cannot be the model and the choices at once");
        return Err(failure.help("write the model to a file"));
    }
    // Where the user is asked for something, nothing else may be written.
    let silent = OutputOptions {
        quiet: look.quiet || options.interactive,
        ..look
    };
    let watcher = watcher(options.run.limits, silent);
    let source = source(args.input.files.clone())?;
    let dialogue = options.interactive.then(|| dialogue(look));
    match suppose::simulate(&source, options, dialogue, watcher)? {
        Simulation::Walked(transcript, warnings) => Ok(output(&args, &transcript, &warnings, look)),
        Simulation::Nothing(report) => {
            let mut checked = rendered(&report, look);
            if look.format == Format::Text && !look.quiet {
                let nothing = "there is no run to follow; this is what the check found:";
                checked.stdout = format!("{nothing}\n\n{}", checked.stdout);
            }
            Ok(checked)
        }
    }
}

/// Lets the user choose. What is shown goes to standard output, or to standard error where a document is asked for.
fn dialogue(look: OutputOptions) -> Dialogue {
    let document = look.format == Format::Json;
    // Nobody is there to see the rest.
    let gone = Arc::new(AtomicBool::new(false));
    let is_gone = Arc::clone(&gone);
    let read = move || {
        let mut line = String::new();
        match is_gone.load(Ordering::Relaxed) {
            true => None,
            false => match std::io::stdin().lock().read_line(&mut line) {
                Ok(1..) => Some(line),
                _ => None,
            },
        }
    };
    let write = move |text: &str| {
        if look.quiet {
            return;
        }
        let written = match document {
            true => show(&mut std::io::stderr(), text),
            false => show(&mut std::io::stdout(), text),
        };
        if written.is_err_and(|e| e.kind() == ErrorKind::BrokenPipe) {
            gone.store(true, Ordering::Relaxed);
        }
    };
    Dialogue {
        read: Box::new(read),
        write: Box::new(write),
        echo: !std::io::stdin().is_terminal(),
    }
}

fn show(to: &mut dyn Write, text: &str) -> std::io::Result<()> {
    to.write_all(text.as_bytes())?;
    to.flush()
}

/// What is printed in the end. Where the user chose, the steps have been shown already.
fn output(
    args: &SimulateArgs,
    transcript: &Transcript,
    warnings: &[String],
    look: OutputOptions,
) -> Output {
    let last = transcript.last_line();
    let mut output = Output::ok(match (look.format, look.quiet) {
        (Format::Json, _) => {
            let mut document = transcript.json();
            if let Some(fields) = document.as_object_mut() {
                let files = args
                    .input
                    .files
                    .iter()
                    .chain(&args.options.model.property_file);
                let files: Vec<String> = files.map(|f| f.display().to_string()).collect();
                fields.insert("version".to_owned(), env!("CARGO_PKG_VERSION").into());
                fields.insert("files".to_owned(), files.into());
                fields.insert("seed".to_owned(), args.options.seed.into());
                fields.insert("warnings".to_owned(), warnings.to_vec().into());
                fields.insert("last_line".to_owned(), last.into());
            }
            format!("{document:#}")
        }
        (Format::Text, true) => last,
        (Format::Text, false) if args.options.interactive => last,
        (Format::Text, false) => format!("{}{last}", transcript.text()),
    });
    if look.format == Format::Text && !look.quiet {
        let lines = warnings.iter();
        let lines: Vec<String> = lines
            .map(|w| format!("warning: {}", suppose_report::shown(w)))
            .collect();
        output.stderr = lines.join("\n");
    }
    output
}
