//! Files to systems.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use suppose_certify::file::Model;
use suppose_frontends::{Input, Kind, Language, Loaded, Options, Role};
use suppose_refine::Context;
use suppose_source::{FileId, ParserLimits, Sources, decode};

use crate::args::{InputArgs, ModelArgs};
use crate::failure::Failure;
use crate::program;

/// How much of a file is looked at to know its language.
const LOOK: usize = 1 << 16;

/// A system, and the files it was read from as evidence names them.
#[derive(Clone, Debug)]
pub struct System {
    /// What was read.
    pub loaded: Loaded,
    /// Names and hashes of the files.
    pub models: Vec<Model>,
}

/// Reads the files and makes a network of them. A program is taken apart into its network.
pub fn load(files: &[PathBuf], model: &ModelArgs, cx: &Context) -> Result<System, Failure> {
    let language = language(files, model)?;
    if language.kind() == Kind::Program {
        return program::network(files, model, cx);
    }
    let limits = ParserLimits::default();
    let components = files.iter().map(|f| (f, Role::Component));
    let properties = model.property_file.iter().map(|f| (f, Role::Property));
    let (mut inputs, mut models) = (Vec::new(), Vec::new());
    for (file, role) in components.chain(properties) {
        let (text, read) = read_model(file, limits.bytes)?;
        inputs.push(Input {
            name: read.file.clone(),
            text,
            role,
            language: (role == Role::Component).then_some(language),
        });
        models.push(read);
    }
    let options = Options {
        system: model.system.clone(),
        constants: model.constants.clone(),
        limits,
    };
    if let [file] = files {
        import(file, &options, &mut inputs, &mut models)?;
    }
    let loaded = suppose_frontends::load(inputs, &options)?;
    Ok(System { loaded, models })
}

/// Reads the files that an FSP file imports: from its own folder only.
fn import(
    file: &Path,
    options: &Options,
    inputs: &mut Vec<Input>,
    models: &mut Vec<Model>,
) -> Result<(), Failure> {
    if Language::of(&inputs[0].name) != Some(Language::Fsp) {
        return Ok(());
    }
    let mut wanted = suppose_frontends::fsp::imports(&inputs[0].text, options);
    wanted.sort_unstable();
    wanted.dedup();
    for name in wanted {
        if name.contains(['/', '\\']) || Language::of(&name) != Some(Language::Aut) {
            let message = format!("`{}` imports `{name}`", file.display());
            let help = "only an `.aut` file from the same folder can be imported";
            return Err(Failure::file(message).help(help));
        }
        let path = file.with_file_name(&name);
        let text = read(&path, options.limits.bytes)?;
        let shown = path.display().to_string();
        models.push(Model::of(shown.as_str(), text.as_bytes()));
        inputs.push(Input {
            name: shown,
            text,
            role: Role::Import,
            language: None,
        });
    }
    Ok(())
}

/// The same for the usual arguments.
pub fn load_input(input: &InputArgs, cx: &Context) -> Result<System, Failure> {
    load(&input.files, &input.model, cx)
}

/// The language of the model: the one asked for, or the one that its files are in.
pub fn language(files: &[PathBuf], model: &ModelArgs) -> Result<Language, Failure> {
    let mut found: Option<(Language, &PathBuf)> = None;
    for file in files {
        let language = language_of(file, model)?;
        match found {
            Some((first, other)) if first.kind() != language.kind() => {
                let message = "the files are in languages that do not go together";
                let help = format!(
                    "`{}` is {}, `{}` is {}",
                    name(other),
                    first.title(),
                    name(file),
                    language.title()
                );
                return Err(Failure::usage(message).help(help));
            }
            Some(_) => {}
            None => found = Some((language, file)),
        }
    }
    match found {
        Some((language, _)) => Ok(language),
        None => Err(Failure::usage("there is no file to read")),
    }
}

/// The language of one file of the model.
pub fn language_of(file: &Path, model: &ModelArgs) -> Result<Language, Failure> {
    let asked = model.language;
    // Only the text tells which JSON it is.
    if let Some(language) = asked.filter(|l| *l != Language::Json) {
        return Ok(language);
    }
    let shown = name(file);
    if asked.is_none() && file == Path::new("-") {
        standard_input()?;
    }
    let text = beginning(file);
    if let Some(language) = asked {
        return Ok(language.or_by_text(&text));
    }
    Language::detect(&shown, &text).ok_or_else(|| {
        // A file that is not there at all is the more useful thing to say.
        if let Err(missing) = read_bytes(file, ParserLimits::default().bytes) {
            return missing;
        }
        let message = format!("it is not known what language `{shown}` is in");
        let names: Vec<&str> = Language::ALL.into_iter().map(Language::name).collect();
        Failure::file(message).help(format!("say it: --language {}", names.join(", "))).help(
            "or name it .lts or .fsp (FSP), .pml (PROMELA), .smt2 (Horn clauses), .c, .nm or .prism (PRISM), .smv, .aut (Aldebaran) or .json",
        )
    })
}

/// The first part of a file, as far as it can be read: what cannot is reported when it is read in earnest.
pub fn beginning(path: &Path) -> String {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        let all = standard_input().unwrap_or_default();
        bytes.extend_from_slice(&all[..all.len().min(LOOK)]);
    } else if path.is_file()
        && let Ok(file) = std::fs::File::open(path)
    {
        let _ = file.take(LOOK as u64).read_to_end(&mut bytes);
    }
    decode(bytes).unwrap_or_default()
}

/// The name of a file in messages and in evidence.
pub fn name(path: &Path) -> String {
    match path == Path::new("-") {
        true => "<stdin>".to_owned(),
        false => path.display().to_string(),
    }
}

/// The names of all files, for the record.
pub fn names(input: &InputArgs) -> Vec<String> {
    let all = input.files.iter().chain(&input.model.property_file);
    all.map(|f| name(f)).collect()
}

/// A text file of at most so many bytes.
pub fn read(path: &Path, limit: usize) -> Result<String, Failure> {
    read_model(path, limit).map(|(text, _)| text)
}

/// A text file of at most so many bytes, and its name and hash as evidence has them.
pub fn read_model(path: &Path, limit: usize) -> Result<(String, Model), Failure> {
    let bytes = read_bytes(path, limit)?;
    let model = Model::of(name(path), &bytes);
    let text = decode(bytes)
        .map_err(|why| Failure::file(format!("`{}` is not text in UTF-8", name(path))).help(why))?;
    Ok((text, model))
}

/// A file of at most so many bytes.
pub fn read_bytes(path: &Path, limit: usize) -> Result<Vec<u8>, Failure> {
    if path == Path::new("-") {
        let bytes = standard_input()?.to_vec();
        return sized(path, bytes, limit);
    }
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
    let most = limit as u64 + 1;
    file.take(most).read_to_end(&mut bytes).map_err(fail)?;
    sized(path, bytes, limit)
}

fn sized(path: &Path, bytes: Vec<u8>, limit: usize) -> Result<Vec<u8>, Failure> {
    match bytes.len() > limit {
        true => {
            let message = format!("`{}` is larger than {} MiB", name(path), limit >> 20);
            Err(Failure::file(message))
        }
        false => Ok(bytes),
    }
}

/// Standard input can be read once, and is looked at more than once: for its language, and for its text.
fn standard_input() -> Result<&'static [u8], Failure> {
    static READ: OnceLock<Result<Vec<u8>, String>> = OnceLock::new();
    let read = READ.get_or_init(|| {
        let mut bytes = Vec::new();
        let most = ParserLimits::default().bytes as u64 + 1;
        let read = std::io::stdin().take(most).read_to_end(&mut bytes);
        read.map(|_| bytes).map_err(|e| e.to_string())
    });
    match read {
        Ok(bytes) => Ok(bytes),
        Err(why) => Err(Failure::file(format!("cannot read standard input: {why}"))),
    }
}

/// Refuses to define a macro that no file mentions: it would change nothing.
pub fn known_macros(defined: &[(String, i64)], sources: &Sources) -> Result<(), Failure> {
    let files: Vec<_> = (0..)
        .map_while(|number| sources.file(FileId(number)))
        .collect();
    let words = |text: &'_ str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.map(str::to_owned).collect()
    };
    let mentioned = |name: &String| files.iter().any(|f| words(f.text()).contains(name));
    let Some((name, _)) = defined.iter().find(|(name, _)| !mentioned(name)) else {
        return Ok(());
    };
    let lines = files.iter().flat_map(|f| f.text().lines());
    let directives = lines.filter_map(|l| l.trim_start().strip_prefix('#'));
    let mut known: Vec<String> = directives
        .filter_map(|line| {
            let line = line.trim_start();
            let names = ["define ", "ifdef ", "ifndef "]
                .iter()
                .find_map(|d| line.strip_prefix(d))?;
            words(names.trim_start()).into_iter().next()
        })
        .collect();
    known.sort();
    known.dedup();
    let known = known.iter().map(String::as_str);
    Err(Failure::unknown_name("macro", "the macros", name, known))
}
