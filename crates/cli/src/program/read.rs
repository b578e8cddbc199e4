//! From PROMELA files to a program.
//!
//! Files that a program includes are read from its own folder and from nowhere else: a model from a
//! stranger must not be able to show what is in other files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use suppose_certify::file::Model;
use suppose_explicit::decompose::{self, Decomposed, Limits};
use suppose_frontends::{Language, Loaded, Undecided, promela};
use suppose_model::program::Program;
use suppose_refine::Context;
use suppose_source::{Diagnostic, ParserLimits, SourceFile, Sources};

use crate::args::ModelArgs;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::input::{self, System};

/// A program, and what was noticed while reading it.
#[derive(Debug)]
pub struct ProgramSystem {
    /// The program.
    pub program: Program,
    /// The files.
    pub sources: Sources,
    /// What to look at again.
    pub warnings: Vec<Diagnostic>,
    /// What the program asks that is not decided.
    pub undecided: Vec<Undecided>,
    /// Names and hashes of the files.
    pub models: Vec<Model>,
    /// Where the proctypes are written.
    pub processes: Vec<promela::ProcessText>,
}

/// Reads a program and the files with its claims.
pub fn read(files: &[PathBuf], model: &ModelArgs) -> Result<ProgramSystem, Failure> {
    let [file] = files else {
        let failure = Failure::file("a PROMELA program is one file");
        return Err(failure.help("a file with claims is given by --property-file"));
    };
    let limits = ParserLimits::default();
    let (mut text, read) = input::read_model(file, limits.bytes)?;
    let name = read.file.clone();
    let mut models = vec![read];
    let mut given = BTreeMap::new();
    for path in &model.property_file {
        let (name, contents) = property_file(path, &limits)?;
        models.push(Model::of(path.display().to_string(), contents.as_bytes()));
        // The claims come after the program as a file of their own, so that messages name it.
        text.push_str(&format!("\n#include \"{name}\""));
        given.insert(name, contents);
    }
    text.push('\n');
    let mut sources = Sources::new();
    let id = sources.add(SourceFile::new(name, text));
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    let mut included = Vec::new();
    let mut includes = |name: &str| -> Result<String, String> {
        if let Some(contents) = given.get(name) {
            return Ok(contents.clone());
        }
        let contents = beside(&folder, name, limits.bytes)?;
        included.push(Model::of(name, contents.as_bytes()));
        Ok(contents)
    };
    let result = promela::read(id, &mut sources, &mut includes, &model.constants, &limits);
    models.extend(included);
    if result.is_ok() {
        input::known_macros(&model.constants, &sources)?;
    }
    match result {
        Ok(read) => Ok(ProgramSystem {
            program: read.program,
            sources,
            warnings: read.warnings,
            undecided: read.undecided,
            models,
            processes: read.processes,
        }),
        Err(diagnostics) => Err(Failure {
            status: ExitStatus::Input,
            sources,
            diagnostics,
        }),
    }
}

/// A file with claims: its name without folders, and its text.
fn property_file(path: &Path, limits: &ParserLimits) -> Result<(String, String), Failure> {
    let shown = path.display().to_string();
    if matches!(Language::of(&shown), Some(other) if other != Language::Promela) {
        let failure = Failure::file(format!("`{shown}` is no claim on a PROMELA program"));
        return Err(failure.help(
            "write it as `ltl` or `never` in a file that ends in .pml, .prop, .ltl or .never",
        ));
    }
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
    let name = name.unwrap_or_default().replace(['"', '\n', '\r'], "_");
    Ok((name, input::read(path, limits.bytes)?))
}

/// A file of that folder. Links are followed, but not out of it.
fn beside(folder: &Path, name: &str, limit: usize) -> Result<String, String> {
    let here = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let missing = |e: std::io::Error| match e.kind() {
        std::io::ErrorKind::NotFound => format!("there is no file `{name}` in the model's folder"),
        _ => format!("cannot read `{name}`: {e}"),
    };
    let home = here.canonicalize().map_err(missing)?;
    let path = here.join(name).canonicalize().map_err(missing)?;
    if Path::new(name).is_absolute() || !path.starts_with(&home) {
        return Err(format!("`{name}` is outside the model's folder"));
    }
    if !path.is_file() {
        return Err(format!("`{name}` is not a file"));
    }
    input::read(&path, limit).map_err(|failure| failure.first())
}

/// The network of a program, for what works on networks only.
pub fn network(files: &[PathBuf], model: &ModelArgs, cx: &Context) -> Result<System, Failure> {
    let system = read(files, model)?;
    let parts = take_apart(&system.program, cx).map_err(|why| match why {
        decompose::Failure::Stopped(why) => Failure::limit(why),
        decompose::Failure::Refused(refusal) => {
            let failure = Failure::file(format!(
                "the program cannot be taken apart into components: {}",
                refusal.why
            ));
            failure.help("`suppose check` decides it all the same, by a search of its states")
        }
    })?;
    Ok(System {
        loaded: Loaded {
            network: parts.network,
            sources: system.sources,
            warnings: system.warnings,
            undecided: system.undecided,
        },
        models: system.models,
    })
}

/// Takes a program apart.
pub fn take_apart(program: &Program, cx: &Context) -> Result<Decomposed, decompose::Failure> {
    decompose::decompose(program, Limits::default(), cx)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_from_the_folder_only() {
        let root = std::env::temp_dir().join(format!("suppose-beside-{}", std::process::id()));
        let folder = root.join("models");
        std::fs::create_dir_all(folder.join("parts")).unwrap();
        std::fs::write(root.join("secret"), "x").unwrap();
        std::fs::write(folder.join("a.h"), "a").unwrap();
        std::fs::write(folder.join("parts/b.h"), "b").unwrap();
        std::os::unix::fs::symlink(root.join("secret"), folder.join("link.h")).unwrap();
        std::os::unix::fs::symlink(folder.join("a.h"), folder.join("inner.h")).unwrap();
        let read = |name: &str| beside(&folder, name, 100);
        assert_eq!(read("a.h").as_deref(), Ok("a"));
        assert_eq!(read("parts/b.h").as_deref(), Ok("b"));
        assert_eq!(read("inner.h").as_deref(), Ok("a"));
        let absolute = folder.join("a.h").display().to_string();
        for name in [
            "../secret",
            "link.h",
            "/etc/hostname",
            absolute.as_str(),
            "parts/../../secret",
        ] {
            let error = read(name).unwrap_err();
            assert!(error.contains("outside"), "{name}: {error}");
        }
        assert!(read("parts").unwrap_err().contains("not a file"));
        assert!(read("none.h").unwrap_err().contains("there is no file"));
        std::fs::remove_dir_all(&root).unwrap();
    }
}
