//! The folder of a search: its lock, its manifest and its files.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::image::{Entry, Image, hex};
use crate::trouble::Trouble;

/// The version of the manifest.
const FORMAT: &str = "suppose search 1";
const MANIFEST: &str = "manifest";
const NEW_MANIFEST: &str = "manifest.new";
/// The name of the file that is locked while a folder is in use.
pub const LOCK: &str = "lock";
/// The endings of files that a search writes.
const ENDINGS: [&str; 2] = [".layer", ".states"];
const RUN: &str = ".run";

/// A violation, before its run is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Finding {
    pub(crate) claim: usize,
    pub(crate) layer: usize,
    pub(crate) state: Vec<u64>,
}

/// How far a search is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Progress {
    pub(crate) transitions: u64,
    pub(crate) expanded: u64,
    /// Nothing is left to find.
    pub(crate) done: bool,
    pub(crate) complete: bool,
    pub(crate) restarted: bool,
    pub(crate) memo: u64,
    /// What was made on the way, in order.
    pub(crate) needs: Vec<Vec<u64>>,
    pub(crate) findings: Vec<Finding>,
    /// States by distance from the start.
    pub(crate) layers: Vec<Entry>,
    /// The same states again, in fewer files. The first ones are layers.
    pub(crate) visited: Vec<Entry>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: String,
    version: String,
    identity: String,
    progress: Progress,
}

/// A folder that no other search uses.
pub(crate) struct Folder {
    path: PathBuf,
    identity: String,
    _lock: File,
}

impl Folder {
    /// Takes a folder, and says how far the search in it is, if one was begun.
    pub(crate) fn take(path: &Path, identity: &str) -> Result<(Folder, Option<Progress>), Trouble> {
        let it = Folder {
            path: path.to_owned(),
            identity: identity.to_owned(),
            _lock: take_folder(path)?,
        };
        let Some(manifest) = it.manifest()? else {
            it.must_be_empty()?;
            return Ok((it, None));
        };
        let refused = |why: String| Err(Trouble::Refused(why));
        let name = path.join(MANIFEST);
        let version = env!("CARGO_PKG_VERSION");
        if manifest.format != FORMAT || manifest.version != version {
            return refused(format!(
                "`{}` was written by another version of Suppose ({}, this is {version})",
                name.display(),
                manifest.version
            ));
        }
        if manifest.identity != identity {
            return refused(format!(
                "`{}` is about another model, or about this one with other options",
                name.display()
            ));
        }
        Ok((it, Some(manifest.progress)))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn manifest(&self) -> Result<Option<Manifest>, Trouble> {
        let path = self.path.join(MANIFEST);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) if e.kind() == std::io::ErrorKind::InvalidData => {
                return Err(Trouble::damaged(MANIFEST, "it is no text"));
            }
            Err(e) => return Err(Trouble::io("read", &path, &e)),
        };
        let parts = text.split_once('\n');
        let body = parts.filter(|(sum, body)| hex(&Sha256::digest(body.as_bytes())) == **sum);
        let (_, body) = body.ok_or_else(|| Trouble::damaged(MANIFEST, "its checksum is wrong"))?;
        let manifest: Manifest = serde_json::from_str(body).map_err(|e| {
            Trouble::Refused(format!(
                "`{}` is no manifest of this version: {e}",
                path.display()
            ))
        })?;
        let files = manifest
            .progress
            .layers
            .iter()
            .chain(&manifest.progress.visited);
        for entry in files {
            if !is_own(&entry.name) {
                return Err(Trouble::damaged(
                    MANIFEST,
                    "it names a file that no search writes",
                ));
            }
        }
        Ok(Some(manifest))
    }

    /// A search that was stopped before its first manifest leaves nothing but its own files.
    fn must_be_empty(&self) -> Result<(), Trouble> {
        for name in self.names()? {
            let is_own = is_own(&name) || name == LOCK || name == NEW_MANIFEST;
            if !is_own {
                return Err(Trouble::Refused(format!(
                    "the folder `{}` has other files in it (`{name}`), and no search",
                    self.path.display()
                )));
            }
        }
        Ok(())
    }

    fn names(&self) -> Result<Vec<String>, Trouble> {
        let failed = |e| Trouble::io("read", &self.path, &e);
        let mut names = Vec::new();
        for found in fs::read_dir(&self.path).map_err(failed)? {
            let found = found.map_err(failed)?;
            names.push(found.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }

    /// Removes files of this search that its manifest does not name.
    pub(crate) fn clean(&self, progress: &Progress) -> Result<(), Trouble> {
        let kept = |name: &str| {
            let mut files = progress.layers.iter().chain(&progress.visited);
            files.any(|e| e.name == name)
        };
        for name in self.names()? {
            if is_own(&name) && !kept(&name) {
                self.remove(&name)?;
            }
        }
        Ok(())
    }

    /// Removes what an unfinished round has written, so that there is room for a manifest.
    pub(crate) fn remove_unfinished(&self, layer: usize) -> Result<(), Trouble> {
        self.remove(&layer_name(layer))?;
        for name in self.names()? {
            if is_own(&name) && name.ends_with(RUN) {
                self.remove(&name)?;
            }
        }
        Ok(())
    }

    pub(crate) fn remove(&self, name: &str) -> Result<(), Trouble> {
        let path = self.path.join(name);
        match fs::remove_file(&path) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                Err(Trouble::io("remove", &path, &e))
            }
            _ => Ok(()),
        }
    }

    /// Compares all files with their checksums.
    pub(crate) fn verify(&self, progress: &Progress) -> Result<(), Trouble> {
        let mut seen = std::collections::BTreeSet::new();
        for entry in progress.layers.iter().chain(&progress.visited) {
            if seen.insert(&entry.name) {
                Image::open(&self.path, entry)?;
                Image::verify(&self.path, entry)?;
            }
        }
        Ok(())
    }

    /// Replaces the manifest, so that there is a whole one at any moment. The files that it names are on the disk already.
    pub(crate) fn commit(&self, progress: &Progress) -> Result<(), Trouble> {
        let manifest = Manifest {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            identity: self.identity.clone(),
            progress: progress.clone(),
        };
        let body = serde_json::to_string(&manifest)
            .map_err(|e| Trouble::Disk(format!("cannot write the manifest: {e}")))?;
        let text = format!("{}\n{body}", hex(&Sha256::digest(body.as_bytes())));
        replace(&self.path, MANIFEST, text.as_bytes())
    }
}

/// Writes a file in a folder so that there is a whole one at any moment: under another name, which is forced to the disk and renamed.
pub fn replace(folder: &Path, name: &str, text: &[u8]) -> Result<(), Trouble> {
    let path = folder.join(format!("{name}.new"));
    let written = File::create(&path).and_then(|mut file| {
        file.write_all(text)?;
        file.sync_all()
    });
    let renamed = written.and_then(|()| fs::rename(&path, folder.join(name)));
    renamed
        .and_then(|()| sync_folder(folder))
        .map_err(|e| Trouble::io("write", &path, &e))
}

#[cfg(unix)]
fn sync_folder(path: &Path) -> std::io::Result<()> {
    File::open(path)?.sync_all()
}

/// Elsewhere a folder cannot be opened as a file.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Takes a folder as long as the result is kept, and makes it if it is not there.
pub fn take_folder(folder: &Path) -> Result<File, Trouble> {
    fs::create_dir_all(folder).map_err(|e| Trouble::io("make", folder, &e))?;
    lock(folder)
}

fn lock(folder: &Path) -> Result<File, Trouble> {
    let path = folder.join(LOCK);
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    let file = options
        .open(&path)
        .map_err(|e| Trouble::io("write", &path, &e))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Trouble::Refused(format!(
            "another search is running in the folder `{}`",
            folder.display()
        ))),
        Err(TryLockError::Error(e)) => Err(Trouble::io("lock", &path, &e)),
    }
}

/// The name of a file that a search writes, of that number.
pub(crate) fn layer_name(number: usize) -> String {
    format!("{number:06}{}", ENDINGS[0])
}

pub(crate) fn visited_name(first: usize, last: usize) -> String {
    format!("{first:06}-{last:06}{}", ENDINGS[1])
}

pub(crate) fn run_name(number: usize) -> String {
    format!("{number:06}{RUN}")
}

fn is_own(name: &str) -> bool {
    let mut endings = ENDINGS.iter().chain([&RUN]);
    endings.any(|ending| {
        name.strip_suffix(ending).is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'-')
        })
    })
}
