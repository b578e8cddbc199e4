//! The models that a command line names: files, patterns of names, and folders with all models below them.

use std::path::{Path, PathBuf};

use suppose::{Failure, Language, ModelOptions, Source};
use suppose_report::shown;

use super::glob;

/// More models are not checked in one call.
const MOST: usize = 100_000;
/// Folders within folders, this deep.
const DEEPEST: usize = 64;
/// What a command line asks to check.
#[derive(Debug, PartialEq, Eq)]
pub enum Asked {
    /// One model, which may consist of several files.
    One(Vec<PathBuf>),
    /// Several models, each in its own file, and what the user should know.
    Several(Vec<PathBuf>, Vec<String>),
}

/// The models of a command line.
pub fn asked(named: &[PathBuf], model: &ModelOptions) -> Result<Asked, Failure> {
    let mut found = Found::default();
    for path in named {
        found.add(path)?;
    }
    let Found { files, notes, .. } = found;
    if files.len() == 1 && notes.is_empty() {
        return Ok(Asked::One(files));
    }
    if files.iter().any(|f| f == Path::new("-")) {
        let failure = Failure::usage("standard input cannot be one of several models");
        return Err(failure.help("write it to a file, or check it in a call of its own"));
    }
    let is_aut = |file: &&PathBuf| {
        let language = suppose::language(&Source::file((*file).clone()), model);
        language.is_ok_and(Language::is_of_components)
    };
    let components = files.iter().filter(is_aut).count();
    if components == files.len() {
        return Ok(Asked::One(files));
    }
    if let (Some(one), 1..) = (files.iter().find(is_aut), components) {
        let name = one.display().to_string();
        let failure = Failure::usage(format!(
            "`{}` is a component of a model, not one of several models",
            shown(&name)
        ));
        return Err(
            failure.help("check .aut files in a call of their own: all together are one model")
        );
    }
    Ok(Asked::Several(files, notes))
}

#[derive(Default)]
struct Found {
    files: Vec<PathBuf>,
    known: std::collections::BTreeSet<PathBuf>,
    notes: Vec<String>,
}

impl Found {
    fn add(&mut self, path: &Path) -> Result<(), Failure> {
        if path.is_dir() {
            return self.folder(path);
        }
        // What is there is no pattern, whatever its name looks like.
        if path.exists() || path.is_symlink() || !glob::is_pattern(path) {
            return self.file(path.to_owned());
        }
        let name = path.display().to_string();
        let files = glob::matching(path).map_err(|e| cannot_list(&name, &e))?;
        if files.is_empty() {
            return Err(Failure::file(format!("no file matches `{}`", shown(&name))));
        }
        files.into_iter().try_for_each(|f| self.file(f))
    }

    /// Keeps a file once, where it is named first.
    fn file(&mut self, path: PathBuf) -> Result<(), Failure> {
        if self.files.len() >= MOST {
            return Err(Failure::usage(format!(
                "more than {MOST} models in one call"
            )));
        }
        if self.known.insert(path.clone()) {
            self.files.push(path);
        }
        Ok(())
    }

    /// All models below a folder.
    fn folder(&mut self, folder: &Path) -> Result<(), Failure> {
        let name = folder.display().to_string();
        let mut models = Vec::new();
        let mut left_out = Vec::new();
        walk(folder, 0, &mut models, &mut left_out).map_err(|e| cannot_list(&name, &e))?;
        let name = shown(&name).into_owned();
        if models.is_empty() {
            let failure = Failure::file(format!("`{name}` is a folder without models"));
            return Err(match left_out.is_empty() {
                true => failure.help(
                    "models are known by the ends of their names, such as .lts, .pml, .smv or .c",
                ),
                false => failure.help("name the .aut or .json files that are one model"),
            });
        }
        if let Some(first) = left_out.first() {
            let first = first.display().to_string();
            self.notes.push(format!(
                "left out {} in `{name}` (.aut and .json, as {}): name them to check them",
                match left_out.len() {
                    1 => "1 file".to_owned(),
                    n => format!("{n} files"),
                },
                shown(&first)
            ));
        }
        models.into_iter().try_for_each(|f| self.file(f))
    }
}

fn walk(
    folder: &Path,
    depth: usize,
    models: &mut Vec<PathBuf>,
    left_out: &mut Vec<PathBuf>,
) -> std::io::Result<()> {
    for entry in glob::entries(folder)? {
        if glob::is_hidden(&entry) {
            continue;
        }
        // Links to folders could lead in a circle.
        if entry.is_dir() {
            if !entry.is_symlink() && depth < DEEPEST {
                walk(&entry, depth + 1, models, left_out)?;
            }
            continue;
        }
        let language = Language::of(&entry.to_string_lossy());
        match language {
            Some(l) if !l.is_known_by_ending() => left_out.push(entry),
            Some(_) if entry.is_file() => models.push(entry),
            _ => {}
        }
    }
    Ok(())
}

fn cannot_list(name: &str, error: &std::io::Error) -> Failure {
    Failure::file(format!("cannot look into `{}`: {error}", shown(name)))
}
