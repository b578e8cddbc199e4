//! What is read: files, or texts that are in memory already.

use std::borrow::Cow;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use suppose_certify::file::Model;
use suppose_frontends::Language;
use suppose_source::{FileId, ParserLimits, Sources, decode};

use crate::failure::Failure;

/// How much of a file is read to detect its language.
const LOOK: usize = 1 << 16;

/// The files of a model. Those whose contents are given are not looked for on the disk.
///
/// ```
/// let source = suppose::Source::text("traffic.lts", "LIGHT = (red -> green -> LIGHT).");
/// assert_eq!(source.names(), ["traffic.lts"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Source {
    files: Vec<PathBuf>,
    /// Contents of some of the files, or of others that they include.
    given: Vec<(PathBuf, Vec<u8>)>,
    /// Nothing is looked for on the disk.
    sealed: bool,
    /// Files whose contents are given have neighbours on the disk all the same.
    edited: bool,
}

impl Source {
    /// One file on the disk.
    pub fn file(path: impl Into<PathBuf>) -> Source {
        Source::files([path.into()])
    }

    /// Several files that are one model, as components in Aldebaran's format are.
    pub fn files(paths: impl IntoIterator<Item = PathBuf>) -> Source {
        Source {
            files: paths.into_iter().collect(),
            given: Vec::new(),
            sealed: false,
            edited: false,
        }
    }

    /// A text in memory. Its name tells the language, and stands in messages and in evidence.
    pub fn text(name: impl Into<PathBuf>, text: impl Into<Vec<u8>>) -> Source {
        let name = name.into();
        Source::file(name.clone()).with(name, text)
    }

    /// A file on the disk whose text is in an editor and need not be saved. What it includes is taken from what is given, or
    /// from its folder.
    pub fn edited(path: impl Into<PathBuf>, text: impl Into<Vec<u8>>) -> Source {
        Source {
            edited: true,
            ..Source::text(path, text)
        }
    }

    /// The same with the contents of a file that need not be on the disk: one of the model's own, or one that it includes, a
    /// property or a specification.
    pub fn with(mut self, path: impl Into<PathBuf>, contents: impl Into<Vec<u8>>) -> Source {
        self.given.push((path.into(), contents.into()));
        self
    }

    /// The same, but no file that is not given is looked for on the disk: for a model of somebody who may not read it.
    ///
    /// ```
    /// use suppose::{CheckOptions, Silent, Source};
    ///
    /// let source = Source::text("thief.pml", "#include \"/etc/hostname\"").sealed();
    /// let refused = suppose::check(&source, &CheckOptions::default(), std::sync::Arc::new(Silent));
    /// assert!(refused.unwrap_err().first().contains("/etc/hostname"));
    /// ```
    #[must_use]
    pub fn sealed(mut self) -> Source {
        self.sealed = true;
        self
    }

    /// The files of the model.
    pub fn paths(&self) -> &[PathBuf] {
        &self.files
    }

    /// The names of the files.
    pub fn names(&self) -> Vec<String> {
        self.files.iter().map(|f| name(f)).collect()
    }

    /// The one file of a model, where it can only be one.
    pub(crate) fn only(&self) -> Option<&Path> {
        match &self.files[..] {
            [file] => Some(file),
            _ => None,
        }
    }

    fn contents(&self, path: &Path) -> Option<&[u8]> {
        let mut given = self.given.iter();
        given.find(|(p, _)| p == path).map(|(_, c)| c.as_slice())
    }

    /// The language of the model: the one asked for, or the one that its files are in.
    pub fn language(&self, asked: Option<Language>) -> Result<Language, Failure> {
        let mut found: Option<(Language, &PathBuf)> = None;
        for file in &self.files {
            let language = self.language_of(file, asked)?;
            match found {
                Some((first, other)) if first.kind() != language.kind() => {
                    let message = "the files are in languages that cannot be combined";
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
    pub(crate) fn language_of(
        &self,
        file: &Path,
        asked: Option<Language>,
    ) -> Result<Language, Failure> {
        // JSON files are told apart by their contents.
        if let Some(language) = asked.filter(|l| *l != Language::Json) {
            return Ok(language);
        }
        let shown = name(file);
        let text = self.beginning(file);
        if let Some(language) = asked {
            return Ok(language.or_by_text(&text));
        }
        Language::detect(&shown, &text).ok_or_else(|| {
        // That a file does not exist is more useful to know.
        if let Err(missing) = self.read_bytes(file, ParserLimits::default().bytes) {
            return missing;
        }
        let message = format!("cannot tell the language of `{shown}`");
        let names: Vec<&str> = Language::ALL.into_iter().map(Language::name).collect();
        Failure::file(message).help(format!("say it: --language {}", names.join(", "))).help(
            "or name it .lts or .fsp (FSP), .pml (PROMELA), .smt2 (Horn clauses), .c, .nm or .prism (PRISM), .smv, .aut (Aldebaran) or .json",
        )
    })
    }

    /// Is there such a file, given or on the disk?
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.contents(path).is_some() || !self.sealed && path.is_file()
    }

    /// The beginning of a file, as far as it can be read; errors are reported when it is read completely.
    pub(crate) fn beginning(&self, path: &Path) -> String {
        let mut bytes = Vec::new();
        if let Some(all) = self.contents(path) {
            bytes.extend_from_slice(&all[..all.len().min(LOOK)]);
        } else if !self.sealed
            && path.is_file()
            && let Ok(file) = std::fs::File::open(path)
        {
            let _ = file.take(LOOK as u64).read_to_end(&mut bytes);
        }
        decode(bytes).unwrap_or_default()
    }

    /// A text file of limited size.
    pub(crate) fn read(&self, path: &Path, limit: usize) -> Result<String, Failure> {
        self.read_model(path, limit).map(|(text, _)| text)
    }

    /// A text file of limited size, with its name and hash for evidence.
    pub(crate) fn read_model(&self, path: &Path, limit: usize) -> Result<(String, Model), Failure> {
        let bytes = self.read_bytes(path, limit)?;
        let model = Model::of(name(path), &bytes);
        let text = decode(bytes.into_owned()).map_err(|why| {
            Failure::file(format!("`{}` is not text in UTF-8", name(path))).help(why)
        })?;
        Ok((text, model))
    }

    /// A file of limited size.
    fn read_bytes(&self, path: &Path, limit: usize) -> Result<Cow<'_, [u8]>, Failure> {
        let sized = |bytes: Cow<'_, [u8]>| match bytes.len() > limit {
            true => {
                let message = format!("`{}` is larger than {} MiB", name(path), limit >> 20);
                Err(Failure::file(message))
            }
            false => Ok(()),
        };
        if let Some(bytes) = self.contents(path) {
            sized(Cow::Borrowed(bytes))?;
            return Ok(Cow::Borrowed(bytes));
        }
        if self.sealed {
            let name = path.display();
            return Err(Failure::file(format!(
                "there is no file `{name}` among those given"
            )));
        }
        let fail = |error: std::io::Error| {
            let name = path.display();
            match error.kind() {
                ErrorKind::NotFound => Failure::file(format!("there is no file `{name}`")),
                ErrorKind::IsADirectory => {
                    Failure::file(format!("`{name}` is a folder, not a file"))
                }
                _ => Failure::file(format!("cannot read `{name}`: {error}")),
            }
        };
        let file = std::fs::File::open(path).map_err(fail)?;
        let mut bytes = Vec::new();
        let most = limit as u64 + 1;
        file.take(most).read_to_end(&mut bytes).map_err(fail)?;
        sized(Cow::Borrowed(&bytes))?;
        Ok(Cow::Owned(bytes))
    }

    /// A file of that folder, which a model includes. Links are followed, but not out of it.
    pub(crate) fn read_beside(
        &self,
        folder: &Path,
        wanted: &str,
        limit: usize,
    ) -> Result<String, String> {
        if self.contents(&folder.join(wanted)).is_some() {
            let text = self.read(&folder.join(wanted), limit);
            return text.map_err(|failure| failure.first());
        }
        // A text in memory has no folder, so no file on disk belongs to it.
        let in_memory = |f: &PathBuf| f != Path::new("-") && self.contents(f).is_some();
        if self.sealed || !self.edited && self.files.iter().any(in_memory) {
            return Err(format!("there is no file `{wanted}` among those given"));
        }
        let here = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        };
        let missing = |e: std::io::Error| match e.kind() {
            ErrorKind::NotFound => format!("there is no file `{wanted}` in the model's folder"),
            _ => format!("cannot read `{wanted}`: {e}"),
        };
        let home = here.canonicalize().map_err(missing)?;
        let path = here.join(wanted).canonicalize().map_err(missing)?;
        if Path::new(wanted).is_absolute() || !path.starts_with(&home) {
            return Err(format!("`{wanted}` is outside the model's folder"));
        }
        if !path.is_file() {
            return Err(format!("`{wanted}` is not a file"));
        }
        self.read(&path, limit).map_err(|failure| failure.first())
    }
}

/// The name of a file in messages and in evidence.
pub(crate) fn name(path: &Path) -> String {
    match path == Path::new("-") {
        true => "<stdin>".to_owned(),
        false => path.display().to_string(),
    }
}

/// Refuses to define a macro that no file mentions: it would change nothing.
pub(crate) fn known_macros(defined: &[(String, i64)], sources: &Sources) -> Result<(), Failure> {
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
        let read = |name: &str| Source::default().read_beside(&folder, name, 100);
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
