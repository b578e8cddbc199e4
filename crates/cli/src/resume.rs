//! Searches with their states in a folder: the command line is noted there, and `suppose resume` goes on with it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use suppose::options::table::WRITTEN;
use suppose::{CheckOptions, Failure, SearchRecord};

use crate::args::{ResultArgs, ResumeArgs};
use crate::asked::{CheckAsked, check_options};

/// What the limits are called: they are not those of the run before.
const LIMITS: [&str; 2] = ["timeout", "memory"];

/// Notes the command line, if its search can be resumed.
pub fn note(options: &mut CheckOptions, files: &[PathBuf]) -> Result<(), Failure> {
    if options.engine.storage.disk.is_none() || options.engine.storage.resumes {
        return Ok(());
    }
    if files.iter().any(|f| f == Path::new("-")) {
        let failure = Failure::usage("--disk needs a model that is in a file");
        return Err(failure.help(
            "a search is resumed with the model as it was, and standard input is gone then",
        ));
    }
    let typed = std::env::args_os().skip(1).map(OsString::into_string);
    let typed: Result<Vec<String>, OsString> = typed.collect();
    options.engine.storage.command = typed.map_err(|argument| {
        let shown = argument.to_string_lossy().into_owned();
        Failure::usage(format!(
            "--disk cannot note the argument `{shown}`, which is not UTF-8"
        ))
    })?;
    Ok(())
}

/// What the search in a folder was asked for, to be gone on with. From here on the current folder is that of the first command.
pub fn asked(args: &ResumeArgs) -> Result<CheckAsked, Failure> {
    let record = SearchRecord::of(&args.folder)?;
    let absolute = |path: &PathBuf| {
        let path = std::path::absolute(path);
        path.map_err(|e| Failure::file(format!("there is no current folder: {e}")))
    };
    let folder = absolute(&args.folder)?;
    let outputs = [&args.report, &args.certificate, &args.trail];
    let mut outputs = outputs
        .map(|path| path.as_ref().map(absolute).transpose())
        .into_iter();
    let mut output = || outputs.next().unwrap_or(Ok(None));
    let (report, certificate, trail) = (output()?, output()?, output()?);
    std::env::set_current_dir(&record.directory).map_err(|e| {
        let shown = record.directory.display();
        Failure::file(format!(
            "cannot go to `{shown}`, where the search was begun: {e}"
        ))
    })?;
    let typed = std::iter::once("suppose".to_owned()).chain(record.command);
    let typed: Vec<OsString> = typed.map(OsString::from).collect();
    let damaged = || {
        let shown = args.folder.display();
        Failure::file(format!(
            "the search in `{shown}` was begun by no command of this version"
        ))
    };
    let (cli, mut given) = crate::parse(&typed).map_err(|_| damaged())?;
    given.retain(|o| !WRITTEN.contains(&&**o) && !LIMITS.contains(&&**o));
    let (files, mut options, mut several) =
        check_options(cli.command, given).ok_or_else(damaged)?;
    options
        .outputs_mut()
        .into_iter()
        .for_each(|(_, path)| *path = None);
    (options.report, options.certificate, options.trail) = (report, certificate, trail);
    options.run.limits = args.limits;
    options.engine.storage.disk = Some(folder);
    options.engine.storage.resumes = true;
    if args.threads.is_some() {
        options.engine.search.threads = args.threads;
    }
    several.results = ResultArgs::default();
    Ok((files, options, several))
}
