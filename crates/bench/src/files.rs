//! Files and programs.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Writes a file.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes)
        .map_err(|e| Failure::file(format!("cannot write `{}`: {e}", path.display())))
}

/// A text file of at most so many bytes.
pub fn read(path: &Path, limit: u64) -> Result<String, Failure> {
    let fail = |e: std::io::Error| Failure::file(format!("cannot read `{}`: {e}", path.display()));
    let file = std::fs::File::open(path).map_err(fail)?;
    let mut text = String::new();
    let read = file.take(limit + 1).read_to_string(&mut text);
    if read.map_err(fail)? as u64 > limit {
        let message = format!("`{}` is larger than {limit} bytes", path.display());
        return Err(Failure::file(message));
    }
    Ok(text)
}

/// Is there a file of that name in one of the PATH's folders?
pub fn on_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// A temporary folder that only this user can enter, gone in the end.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// A new one.
    pub fn new() -> Result<Self, Failure> {
        use std::os::unix::fs::DirBuilderExt;
        let base = std::env::temp_dir();
        let fail = |e: std::io::Error| {
            Failure::file(format!("cannot make a folder in `{}`: {e}", base.display()))
        };
        for attempt in 0..100u32 {
            let name = format!("suppose-bench-{}-{attempt}", std::process::id());
            let path = base.join(name);
            match std::fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Folder(path)),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(fail(e)),
            }
        }
        Err(fail(std::io::ErrorKind::AlreadyExists.into()))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
