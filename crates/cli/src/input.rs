//! Files to systems.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use suppose_certify::file::Model;
use suppose_frontends::{Input, Language, Loaded, Options, Role};
use suppose_refine::Context;
use suppose_source::ParserLimits;

use crate::args::{InputArgs, ModelArgs};
use crate::failure::Failure;
use crate::program;

/// A system, and the files it was read from as evidence names them.
#[derive(Clone, Debug)]
pub struct System {
    /// What was read.
    pub loaded: Loaded,
    /// Names and hashes of the files.
    pub models: Vec<Model>,
}

/// Reads the files and makes a system of them. A program is taken apart into its network.
pub fn load(files: &[PathBuf], model: &ModelArgs, cx: &Context) -> Result<System, Failure> {
    if is_horn(files) {
        let failure = Failure::file("Horn clauses and C programs are not made of components");
        return Err(failure.help("`suppose check` and `suppose certify` read them"));
    }
    crate::symbolic::not_for_smv(files, model)?;
    if model.wrap {
        return Err(Failure::usage("--wrap is for C programs"));
    }
    if is_program(files) {
        return program::network(files, model, cx);
    }
    let limits = ParserLimits::default();
    let components = files.iter().map(|f| (f, Role::Component));
    let properties = model.property_file.iter().map(|f| (f, Role::Property));
    let (mut inputs, mut models) = (Vec::new(), Vec::new());
    for (file, role) in components.chain(properties) {
        let name = file.display().to_string();
        if Language::of(&name).is_none() {
            let message = format!("`{name}` does not say what language it is in");
            let help = "name it .lts or .fsp (FSP), .pml (PROMELA), .smt2 (Horn clauses), .c, .nm or .prism (PRISM), .smv, .aut (Aldebaran) or .json";
            return Err(Failure::file(message).help(help));
        }
        let text = read(file, limits.bytes)?;
        models.push(Model::of(name.as_str(), text.as_bytes()));
        let language = None;
        inputs.push(Input {
            name,
            text,
            role,
            language,
        });
    }
    let options = Options {
        system: model.system.clone(),
        constants: model.constants.clone(),
        limits,
    };
    let loaded = suppose_frontends::load(inputs, &options)?;
    Ok(System { loaded, models })
}

/// The same for the usual arguments.
pub fn load_input(input: &InputArgs, cx: &Context) -> Result<System, Failure> {
    load(&input.files, &input.model, cx)
}

/// Are Horn clauses or a C program among the files?
pub fn is_horn(files: &[PathBuf]) -> bool {
    let language = |f: &PathBuf| Language::of(&f.display().to_string());
    let horn = |f: &PathBuf| matches!(language(f), Some(Language::SmtLib | Language::C));
    files.iter().any(horn)
}

/// Is a PROMELA program among the files?
pub fn is_program(files: &[PathBuf]) -> bool {
    let language = |f: &PathBuf| Language::of(&f.display().to_string());
    files.iter().any(|f| language(f) == Some(Language::Promela))
}

/// The names of all files, for the record.
pub fn names(input: &InputArgs) -> Vec<String> {
    let all = input.files.iter().chain(&input.model.property_file);
    all.map(|f| f.display().to_string()).collect()
}

/// A text file of at most so many bytes.
pub fn read(path: &Path, limit: usize) -> Result<String, Failure> {
    let bytes = read_bytes(path, limit)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..at];
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        let message = format!("`{}` is not text in UTF-8", path.display());
        Failure::file(message).help(format!("the first byte that is not is on line {line}"))
    })
}

/// A file of at most so many bytes.
pub fn read_bytes(path: &Path, limit: usize) -> Result<Vec<u8>, Failure> {
    let fail = |error: std::io::Error| {
        let name = path.display();
        match error.kind() {
            ErrorKind::NotFound => Failure::file(format!("there is no file `{name}`")),
            ErrorKind::IsADirectory => Failure::file(format!("`{name}` is a folder, not a file")),
            _ => Failure::file(format!("cannot read `{name}`: {error}")),
        }
    };
    let file = std::fs::File::open(path).map_err(fail)?;
    let mut bytes = Vec::new();
    let limit = limit as u64;
    file.take(limit + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > limit {
        let mib = limit >> 20;
        return Err(Failure::file(format!(
            "`{}` is larger than {mib} MiB",
            path.display()
        )));
    }
    Ok(bytes)
}
