//! From input texts to a system.

use suppose_model::lts::{Labels, Network};
use suppose_source::{Diagnostic, FileId, SourceFile, Sources, Span};

use crate::{
    Failed, Input, Language, LoadOptions, Loaded, ModelKind, Role, Undecided, aut, fsp, json,
};

/// Reads a system: one FSP or JSON file, or several `.aut` files (its components and, by role,
/// its properties).
pub fn load(inputs: Vec<Input>, options: &LoadOptions) -> Result<Loaded, Failed> {
    let mut sources = Sources::new();
    let mut files = Vec::new();
    for input in inputs {
        let language = input
            .language
            .or_else(|| Language::detect(&input.name, &input.text));
        let id = sources.add(SourceFile::new(input.name, input.text));
        files.push((id, language, input.role));
    }
    match read(&sources, &files, options) {
        Ok(read) => Ok(Loaded {
            network: read.network,
            sources,
            warnings: read.warnings,
            undecided: read.undecided,
        }),
        Err(diagnostics) => Err(Failed {
            sources,
            diagnostics,
        }),
    }
}

type File = (FileId, Option<Language>, Role);

struct Read {
    network: Network,
    warnings: Vec<Diagnostic>,
    undecided: Vec<Undecided>,
}

impl Read {
    fn plain(network: Network) -> Self {
        Read {
            network,
            warnings: Vec::new(),
            undecided: Vec::new(),
        }
    }
}

fn read(sources: &Sources, files: &[File], options: &LoadOptions) -> Result<Read, Vec<Diagnostic>> {
    let languages = languages(sources, files)?;
    let fail =
        |message: &str, help: &str| Err(vec![Diagnostic::error_without_place(message).help(help)]);
    let &[(first, ..), ..] = files else {
        return fail("there is no input", "name a file");
    };
    if languages[0] == Language::Fsp && files[1..].iter().all(|f| f.2 == Role::Import) {
        return read_fsp(sources, first, &files[1..], options);
    }
    if languages.iter().all(|l| *l == Language::Aut) {
        return read_aut(sources, files, options);
    }
    if files.len() > 1 {
        return fail(
            "only `.aut` files can be combined into one system",
            "an FSP or JSON file is a whole system; read it alone",
        );
    }
    let text = sources.file(first).map_or("", SourceFile::text);
    if languages[0].kind() != ModelKind::Network {
        return fail(
            &format!(
                "{} is not a network of labelled transition systems",
                languages[0].title()
            ),
            "it is read alone, not as part of a network",
        );
    }
    only_for_fsp(options)?;
    json::read(text, first, &options.limits).map(Read::plain)
}

fn read_fsp(
    sources: &Sources,
    first: FileId,
    imports: &[File],
    options: &LoadOptions,
) -> Result<Read, Vec<Diagnostic>> {
    let text = |id: FileId| sources.file(id).map_or("", SourceFile::text);
    let imported = |(id, ..): &File| {
        let name = sources.file(*id).map_or("", SourceFile::name);
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        (name.to_owned(), *id, text(*id))
    };
    let imports: Vec<_> = imports.iter().map(imported).collect();
    let read = fsp::read_with(text(first), first, &imports, options);
    let read = read.map_err(|error| vec![error])?;
    Ok(Read {
        network: read.network,
        warnings: read.warnings,
        undecided: read.undecided,
    })
}

fn languages(sources: &Sources, files: &[File]) -> Result<Vec<Language>, Vec<Diagnostic>> {
    let language = |(id, language, _): &File| {
        language.ok_or_else(|| {
            let name = sources.file(*id).map_or("", SourceFile::name);
            let message = format!("the language of `{name}` is not known");
            let it = Diagnostic::error_without_place(message);
            vec![it.help("use a name that ends in .lts or .fsp (FSP), .aut or .json")]
        })
    };
    files.iter().map(language).collect()
}

/// Constants and the choice of a system mean nothing in the other languages.
fn only_for_fsp(options: &LoadOptions) -> Result<(), Vec<Diagnostic>> {
    let what = match (&options.system, options.constants.first()) {
        (Some(name), _) => format!("the system `{name}` cannot be chosen"),
        (None, Some((name, _))) => format!("there is no constant `{name}`"),
        (None, None) => return Ok(()),
    };
    let it = Diagnostic::error_without_place(what);
    Err(vec![
        it.help("only FSP files have named systems and constants"),
    ])
}

fn read_aut(
    sources: &Sources,
    files: &[File],
    options: &LoadOptions,
) -> Result<Read, Vec<Diagnostic>> {
    only_for_fsp(options)?;
    let mut labels = Labels::new();
    let mut taken: Vec<String> = Vec::new();
    let (mut components, mut properties, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for (id, _, role) in files {
        let file = sources.file(*id);
        let text = file.map_or("", SourceFile::text);
        let name = unique(stem(file.map_or("", SourceFile::name)), &taken);
        taken.push(name.clone());
        let lts = match role {
            Role::Component | Role::Import => {
                aut::read(text, *id, &name, &mut labels, &options.limits)
            }
            Role::Property => aut::read_property(text, *id, &name, &mut labels, &options.limits),
        };
        match (lts, role) {
            (Ok(lts), Role::Component | Role::Import) => components.push(lts),
            (Ok(lts), Role::Property) => properties.push((lts, *id)),
            (Err(more), _) => errors.extend(more),
        }
    }
    if components.is_empty() && errors.is_empty() {
        errors.push(
            Diagnostic::error_without_place("there is no component")
                .help("name at least one file that is not a property"),
        );
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let name = match components.as_slice() {
        [one] => one.name().to_owned(),
        _ => "system".to_owned(),
    };
    let mut network = Network::new(name, labels);
    for component in components {
        network.add_component(component);
    }
    for (property, file) in &properties {
        network.add_property(property, Some(Span::in_file(*file, 0, 0)));
    }
    let free = network.close();
    let mut read = Read::plain(network);
    if !free.is_empty() {
        let shown: Vec<String> = free
            .iter()
            .take(5)
            .map(|l| format!("`{}`", read.network.labels.name(*l)))
            .collect();
        let message = format!("no component has {} of the properties' labels", free.len());
        let file = properties.first().map_or(FileId(0), |p| p.1);
        read.warnings.push(
            Diagnostic::warning(Span::in_file(file, 0, 0), message).help(format!(
                "such as {}: they are taken to happen at any time",
                shown.join(", ")
            )),
        );
    }
    Ok(read)
}

/// The file's name without folders and ending.
fn stem(name: &str) -> &str {
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match base.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => base,
    }
}

fn unique(name: &str, taken: &[String]) -> String {
    let is_free = |candidate: &String| !taken.contains(candidate);
    let numbered = (2u32..).map(|n| format!("{name}#{n}"));
    let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
    candidates.find(is_free).unwrap_or_default()
}
