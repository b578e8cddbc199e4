//! What is done about a command line: the library does it, and here it is rendered.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use suppose::{DecidedClaim, ExitStatus, Failure, Outputs};
use suppose_report::Checked;

use crate::args::{Cli, Command, Format, OutputOptions};
use crate::asked::{CheckAsked, check_options};
use crate::batch::expand::{self, Asked};
use crate::batch::{self, naming};
use crate::events::{Teller, decided};
use crate::explain;
use crate::input::{source, watcher};
use crate::list;
use crate::manual;
use crate::output::{Output, rendered};
use crate::resume;
use crate::suite;

/// Does what the command line says. `given` are the options that were typed.
pub fn run(cli: Cli, given: Vec<String>) -> Output {
    let look = cli.look;
    let done = match cli.command {
        command @ (Command::Check(_) | Command::Report(_)) => match check_options(command, given) {
            Some(asked) => check(asked, look),
            None => Err(Failure::internal("no command that checks")),
        },
        Command::Resume(args) => resume::asked(&args).and_then(|asked| check(asked, look)),
        Command::Test(args) => suite::test(&args.path, &args.several, look),
        Command::Assume(mut args) => {
            args.options.run.given = given;
            let watcher = watcher(args.options.run.limits, look);
            source(args.input.files)
                .and_then(|source| suppose::assume(&source, &args.options, watcher))
                .map(|report| rendered(&report, look))
        }
        Command::Spin(mut args) => {
            args.options.run.given = given;
            let watcher = watcher(args.options.run.limits, look);
            source(args.input.files)
                .and_then(|source| suppose::spin(&source, &args.options, watcher))
                .map(|report| rendered(&report, look))
        }
        Command::Certify(mut args) => {
            args.options.run.given = given;
            args.options.certificate = args.certificate;
            let watcher = watcher(args.options.run.limits, look);
            let judged = source(args.input.files)
                .and_then(|source| suppose::certify(&source, &args.options, watcher));
            judged.map(|judged| Output {
                stdout: match (look.format, look.quiet) {
                    (Format::Json, _) => judged.json(),
                    (Format::Text, true) => judged.last_line(),
                    (Format::Text, false) => judged.text(),
                },
                stderr: String::new(),
                status: judged.status(),
            })
        }
        Command::Solve(args) => crate::solve::solve(&args, look),
        Command::Ltl(args) => crate::ltl::ltl(&args),
        Command::Convert(mut args) => {
            args.options.run.given = given;
            args.options.output.clone_from(&args.output);
            let watcher = watcher(args.options.run.limits, look);
            source(args.inputs)
                .and_then(|source| suppose::convert(&source, &args.options, watcher))
                .map(|warnings| {
                    let lines = warnings.iter().map(|w| format!("warning: {w}"));
                    Output {
                        stderr: lines.collect::<Vec<_>>().join("\n"),
                        ..wrote(&args.output, look)
                    }
                })
        }
        Command::Draw(mut args) => {
            args.options.run.given = given;
            let watcher = watcher(args.options.run.limits, look);
            let drawn = source(args.input.files)
                .and_then(|source| suppose::draw(&source, &args.options, watcher));
            drawn.map(|drawn| match (drawn, &args.options.output) {
                (Some(drawn), _) => Output::ok(drawn),
                (None, Some(path)) => wrote(path, look),
                (None, None) => Output::ok(""),
            })
        }
        Command::Simulate(mut args) => {
            args.options.run.given = given;
            crate::simulate::simulate(args, look)
        }
        #[cfg(feature = "lsp")]
        Command::Lsp(args) => crate::lsp::serve(&args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => crate::serve::serve(args, look),
        Command::Explain(args) => explain::explain(&args, look),
        Command::Options(args) => Ok(list::list(args, look)),
        Command::Completions(args) => Ok(Output::ok(manual::completions(args.shell))),
        Command::Man(args) => manual::man(args.command.as_deref()),
    };
    done.unwrap_or_else(|failure| Output::failure(&failure, look))
}

fn check(asked: CheckAsked, look: OutputOptions) -> Result<Output, Failure> {
    let (named, mut options, several) = asked;
    let results = &several.results;
    let files = match expand::asked(&named, &options.model)? {
        Asked::One(files) => files,
        Asked::Several(..) if options.engine.storage.disk.is_some() => {
            return Err(Failure::usage("--disk is for one model"));
        }
        Asked::Several(files, notes) => {
            return batch::check(&files, &notes, &options, &several, look);
        }
    };
    resume::note(&mut options, &files)?;
    if let Some(first) = files.first() {
        naming::name_outputs(&mut options, first);
    }
    let mut outputs = results.outputs();
    let own = options.outputs().into_iter();
    outputs.extend(own.filter_map(|(option, path)| Some((option.to_owned(), path?.clone()))));
    let inputs: Vec<PathBuf> = files
        .iter()
        .cloned()
        .chain(naming::read_beside(&options))
        .collect();
    Outputs::default().probe(&inputs, &outputs)?;
    let names: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
    let name = names.join(", ");
    let mut watcher = watcher(options.run.limits, look);
    let events = results.events(look)?;
    if let Some(events) = &events {
        events.start(1);
        watcher = Arc::new(Teller::new(Arc::clone(events), name.clone(), watcher));
    }
    let checked = source(files).and_then(|source| match events.clone() {
        None => suppose::check(&source, &options, watcher),
        Some(events) => {
            let file = name.clone();
            let tell = move |claim: &DecidedClaim| events.claim(&file, decided(claim));
            suppose::check_telling(&source, &options, watcher, tell)
        }
    });
    let mut output = match &checked {
        Ok(report) => rendered(report, look),
        Err(failure) => Output::failure(failure, look),
    };
    if results.is_any() {
        let document = match &checked {
            Ok(report) => report.json(),
            Err(failure) => failure.json(),
        };
        let document = serde_json::from_str(&document).unwrap_or_default();
        let model = Checked::of(&name, &document);
        if let Some(events) = &events {
            events.done(&model, output.status);
            events.end(&model.outcome, output.status);
        }
        if results.are_on_stdout() {
            output.stdout.clear();
        }
        let told = results.tell(&[model], output.status);
        output.complain(&told);
    }
    Ok(output)
}

/// A file was written, and that is all there is to say.
fn wrote(path: &Path, look: OutputOptions) -> Output {
    let name = path.display().to_string();
    let stdout = match (look.format, look.quiet) {
        (Format::Text, true) => String::new(),
        (Format::Text, false) => format!("wrote {name}"),
        (Format::Json, _) => serde_json::json!({ "wrote": name }).to_string(),
    };
    Output {
        stdout,
        stderr: String::new(),
        status: ExitStatus::Holds,
    }
}
