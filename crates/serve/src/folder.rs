//! The files that can be opened and saved: models below one folder, or one file, and nothing else.

use std::fs::{File, Metadata};
use std::io::{Read, Write};
use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use suppose::{Failure, Language};

/// Larger files are not for an editor.
pub(crate) const LARGEST: u64 = 4 << 20;
/// More files are not listed.
const MOST: usize = 2_000;
/// Folders within folders, this deep.
const DEEPEST: usize = 8;
/// Endings of files that go with models.
const BESIDE: &[&str] = &["ltl", "pctl", "props", "h", "lab", "rew", "srew", "trew"];

/// A folder that is served.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    root: Option<PathBuf>,
    /// Only this file of it.
    only: Option<String>,
}

/// Why a file cannot be had.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Denied {
    /// It is not there, or not for this page: which of the two is not told.
    NotFound,
    /// It is too large, or not text.
    Unfit(String),
    /// It was changed on the disk.
    Changed,
}

impl Folder {
    /// Opens a folder, or the one file of it that is named.
    pub fn open(path: Option<&Path>) -> Result<Folder, Failure> {
        let Some(path) = path else {
            return Ok(Folder::default());
        };
        let full = path.canonicalize().map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => {
                Failure::file(format!("there is no file or folder `{}`", path.display()))
            }
            _ => Failure::file(format!("cannot open `{}`: {e}", path.display())),
        })?;
        if full.is_dir() {
            return Ok(Folder {
                root: Some(full),
                only: None,
            });
        }
        let name = full.file_name().and_then(|n| n.to_str());
        match (name, full.parent()) {
            (Some(name), Some(parent)) if is_model(name) => Ok(Folder {
                root: Some(parent.to_owned()),
                only: Some(name.to_owned()),
            }),
            _ => Err(Failure::file(format!(
                "`{}` is neither a folder nor a model",
                path.display()
            ))),
        }
    }

    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// The one file, if only one is served.
    pub fn only(&self) -> Option<&str> {
        self.only.as_deref()
    }

    /// The models, by name.
    pub fn list(&self) -> Value {
        let mut files = Vec::new();
        let mut cut = false;
        if let (Some(root), None) = (&self.root, &self.only) {
            collect(root, "", 0, &mut files, &mut cut);
        }
        files.extend(self.only.clone());
        files.sort();
        json!({ "files": files, "cut": cut })
    }

    /// The text of a file, and its hash.
    pub fn read(&self, name: &str) -> Result<(String, String), Denied> {
        let path = self.find(name)?;
        let bytes = read_limited(&path)?;
        let hash = hash(&bytes);
        let text = String::from_utf8(bytes)
            .map_err(|_| Denied::Unfit("it is not text in UTF-8".to_owned()))?;
        Ok((text, hash))
    }

    /// A file that a model includes, from the folder of the model.
    pub fn beside(&self, model: &str, name: &str) -> Option<Vec<u8>> {
        let folder = model.rsplit_once('/').map_or("", |(folder, _)| folder);
        let whole = match folder.is_empty() {
            true => name.to_owned(),
            false => format!("{folder}/{name}"),
        };
        let path = self.resolve(&whole)?;
        read_limited(&path).ok()
    }

    /// The names of the files in the folder of a model, which it may include.
    pub fn neighbours(&self, model: &str) -> Vec<String> {
        let folder = model.rsplit_once('/').map_or("", |(folder, _)| folder);
        let Some(root) = &self.root else {
            return Vec::new();
        };
        let here = match folder.is_empty() {
            true => Some(root.clone()),
            false => plain_path(folder).map(|f| root.join(f)),
        };
        let Some(entries) = here.and_then(|h| std::fs::read_dir(h).ok()) else {
            return Vec::new();
        };
        let names = entries.flatten().take(MOST);
        let names = names.filter_map(|e| e.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|n| is_served(n)).collect();
        names.sort();
        names
    }

    /// Saves a text, unless the file is no longer the one with that hash. Returns the new hash.
    pub fn write(&self, name: &str, text: &str, was: Option<&str>) -> Result<String, Denied> {
        if text.len() as u64 > LARGEST {
            return Err(Denied::Unfit("it is too large".to_owned()));
        }
        let path = match (self.find(name), was) {
            (Ok(path), Some(was)) => {
                if hash(&read_limited(&path)?) != was {
                    return Err(Denied::Changed);
                }
                path
            }
            (Ok(_), None) => return Err(Denied::Changed),
            (Err(_), Some(_)) => return Err(Denied::NotFound),
            (Err(_), None) => self.place(name)?,
        };
        let unfit = |e: std::io::Error| Denied::Unfit(format!("it cannot be written: {e}"));
        let beside = temporary(&path).ok_or(Denied::NotFound)?;
        let written = (|| {
            let mut file = File::options().write(true).create_new(true).open(&beside)?;
            if let Ok(old) = std::fs::metadata(&path) {
                file.set_permissions(old.permissions())?;
            }
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&beside, &path)
        })();
        if written.is_err() {
            let _ = std::fs::remove_file(&beside);
        }
        written.map_err(unfit)?;
        Ok(hash(text.as_bytes()))
    }

    /// An existing file that may be opened.
    fn find(&self, name: &str) -> Result<PathBuf, Denied> {
        match &self.only {
            Some(only) if only != name => Err(Denied::NotFound),
            _ => self.resolve(name).ok_or(Denied::NotFound),
        }
    }

    /// An existing file below the folder. Links are followed, but not out of it.
    fn resolve(&self, name: &str) -> Option<PathBuf> {
        let root = self.root.as_ref()?;
        let path = root.join(plain(name)?).canonicalize().ok()?;
        let inner = path.strip_prefix(root).ok()?;
        // What a link leads to must be a file that could be opened by its own name.
        plain(inner.to_str()?)?;
        path.is_file().then_some(path)
    }

    /// Where a new file can be made: in a folder that is there.
    fn place(&self, name: &str) -> Result<PathBuf, Denied> {
        let root = self.root.as_ref().ok_or(Denied::NotFound)?;
        let inner = plain(name).ok_or(Denied::NotFound)?;
        if self.only.is_some() {
            return Err(Denied::NotFound);
        }
        let path = root.join(inner);
        let folder = path.parent().and_then(|p| p.canonicalize().ok());
        let folder = folder.filter(|f| f.starts_with(root));
        match (folder, path.file_name()) {
            // A link that leads nowhere is there too.
            (Some(folder), Some(file)) if folder.join(file).symlink_metadata().is_err() => {
                Ok(folder.join(file))
            }
            _ => Err(Denied::NotFound),
        }
    }
}

/// The path of a file's name, if it is plain and has the ending of a model or of what goes with one.
fn plain(name: &str) -> Option<PathBuf> {
    let path = plain_path(name)?;
    let file = path.file_name()?.to_str()?;
    is_served(file).then_some(path)
}

/// A path without a way up and without anything hidden.
fn plain_path(name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    let fits = |c: Component| match c {
        Component::Normal(part) => part
            .to_str()
            .is_some_and(|p| !p.starts_with('.') && !p.chars().any(char::is_control)),
        _ => false,
    };
    let is_short = name.len() <= 500 && !name.contains(['\\', '\0']);
    (is_short && path.components().all(fits)).then(|| path.to_owned())
}

fn is_model(name: &str) -> bool {
    Language::of(name).is_some()
}

/// Is it the name of a model, or of what goes with one?
fn is_served(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
    !name.starts_with('.')
        && (is_model(name) || ending.is_some_and(|e| BESIDE.contains(&e.as_str())))
}

fn collect(folder: &Path, prefix: &str, depth: usize, files: &mut Vec<String>, cut: &mut bool) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        // Links are not followed here: there may be a circle.
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        let whole = format!("{prefix}{name}");
        if kind.is_dir() && depth < DEEPEST && !name.starts_with('.') && name != "node_modules" {
            collect(&entry.path(), &format!("{whole}/"), depth + 1, files, cut);
        } else if kind.is_file() && is_served(&name) {
            if files.len() >= MOST {
                *cut = true;
                return;
            }
            files.push(whole);
        }
    }
}

fn read_limited(path: &Path) -> Result<Vec<u8>, Denied> {
    let open = || -> std::io::Result<(Metadata, Vec<u8>)> {
        let file = File::open(path)?;
        let about = file.metadata()?;
        let mut bytes = Vec::new();
        file.take(LARGEST + 1).read_to_end(&mut bytes)?;
        Ok((about, bytes))
    };
    match open() {
        Ok((about, bytes)) if about.is_file() && bytes.len() as u64 <= LARGEST => Ok(bytes),
        Ok((about, _)) if about.is_file() => Err(Denied::Unfit(format!(
            "it is larger than {} MiB",
            LARGEST >> 20
        ))),
        _ => Err(Denied::NotFound),
    }
}

/// A hidden name in the same folder.
fn temporary(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let mut random = [0_u8; 4];
    getrandom::fill(&mut random).ok()?;
    let number = u32::from_le_bytes(random);
    Some(path.with_file_name(format!(".{name}.{number:08x}")))
}

/// The hash of a text, in hexadecimal.
pub(crate) fn hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|b| format!("{b:02x}")).collect()
}
