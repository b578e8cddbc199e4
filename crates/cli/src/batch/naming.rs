//! Names of output files that depend on the model: `{name}` and `{path}` in them are replaced.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use suppose::{CheckOptions, Failure, Outputs};

/// The name of the model's file, without folder and ending.
const NAME: &[u8] = b"{name}";
/// The same with its folders, joined by `-`.
const PATH: &[u8] = b"{path}";

/// Replaces what stands for the model in the names of output files.
pub fn name_outputs(options: &mut CheckOptions, model: &Path) {
    for (_, output) in options.outputs_mut() {
        if let Some(path) = output {
            *path = named(path, model);
        }
    }
}

/// An output for this model.
fn named(pattern: &Path, model: &Path) -> PathBuf {
    let bytes = pattern.as_os_str().as_bytes();
    let bytes = replaced(bytes, NAME, stem(model).as_bytes());
    let bytes = replaced(&bytes, PATH, joined(model).as_bytes());
    PathBuf::from(OsString::from_vec(bytes))
}

fn stem(model: &Path) -> OsString {
    match model == Path::new("-") {
        true => OsString::from("stdin"),
        false => model.file_stem().unwrap_or_default().to_owned(),
    }
}

/// `a/b/m.pml` becomes `a-b-m`.
fn joined(model: &Path) -> OsString {
    let mut words: Vec<OsString> = Vec::new();
    let folder = model.parent().unwrap_or(Path::new(""));
    for part in folder.components() {
        if let Component::Normal(part) = part {
            words.push(part.to_owned());
        }
    }
    words.push(stem(model));
    words.join(OsStr::new("-"))
}

fn replaced(text: &[u8], what: &[u8], with: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with(what) {
            out.extend_from_slice(with);
            at += what.len();
        } else {
            out.push(text[at]);
            at += 1;
        }
    }
    out
}

fn has_place(pattern: &Path) -> bool {
    let bytes = pattern.as_os_str().as_bytes();
    let has = |what: &[u8]| bytes.windows(what.len()).any(|w| w == what);
    has(NAME) || has(PATH)
}

/// Checks before the first model is read that each gets its own output files, that they can be written, and that none of them
/// is a model.
pub fn probe(
    options: &CheckOptions,
    models: &[PathBuf],
    more: &[(String, PathBuf)],
) -> Result<(), Failure> {
    let mut outputs: Vec<(String, PathBuf)> = more.to_vec();
    for (option, output) in options.outputs() {
        let Some(pattern) = output else {
            continue;
        };
        let shown = pattern.display();
        if !has_place(pattern) {
            let message = format!(
                "{option} names one file, `{shown}`, but there are {} models",
                models.len()
            );
            return Err(Failure::usage(message).help(format!(
                "write {{name}} where the name of the model belongs, as in {option} '{}'",
                example(pattern).display()
            )));
        }
    }
    for model in models {
        outputs.extend(outputs_of(options, model));
    }
    let read = models.iter().cloned().chain(read_beside(options));
    probe_all(&read.collect::<Vec<_>>(), &outputs)
}

/// The output files for a model, with the options that name them.
pub fn outputs_of(options: &CheckOptions, model: &Path) -> Vec<(String, PathBuf)> {
    let outputs = options.outputs().into_iter();
    let outputs = outputs.filter_map(|(option, output)| {
        let told = format!("{option} for `{}`", model.display());
        Some((told, named(output?, model)))
    });
    outputs.collect()
}

/// What is read besides models.
pub fn read_beside(options: &CheckOptions) -> Vec<PathBuf> {
    let read = options.model.property_file.iter();
    read.chain(&options.model.markov.spec).cloned().collect()
}

/// No output is an input or another output, and all can be written.
pub fn probe_all(read: &[PathBuf], outputs: &[(String, PathBuf)]) -> Result<(), Failure> {
    let probed = Outputs::default().probe(read, outputs);
    probed.map_err(
        |failure| match failure.first().contains("name the same file") {
            true => failure.help("{path} instead of {name} has the folder of the model in it"),
            false => failure,
        },
    )
}

/// `out/x.html` with a place for the name: `out/{name}.html`.
fn example(output: &Path) -> PathBuf {
    let mut name = OsString::from("{name}");
    if let Some(end) = output.extension() {
        name.push(".");
        name.push(end);
    }
    match output.is_dir() {
        true => output.join(name),
        false => output.with_file_name(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_named_after_models() {
        let named = |pattern: &str, model: &str| {
            let path = named(Path::new(pattern), Path::new(model));
            path.display().to_string()
        };
        assert_eq!(named("out/{name}.html", "a/b/m.pml"), "out/m.html");
        assert_eq!(named("{path}.cert", "./a/../b/m.x.pml"), "a-b-m.x.cert");
        assert_eq!(named("{path}.cert", "/abs/m.pml"), "abs-m.cert");
        assert_eq!(named("plain.html", "m.pml"), "plain.html");
        // A model that is called as a place is not replaced again.
        assert_eq!(named("{name}", "{name}.pml"), "{name}");
        assert_eq!(named("{name}.c", "-"), "stdin.c");
    }

    #[test]
    fn an_example_keeps_folder_and_ending() {
        let example = |p: &str| example(Path::new(p)).display().to_string();
        assert_eq!(example("out/x.html"), "out/{name}.html");
        assert_eq!(example("x"), "{name}");
    }
}
