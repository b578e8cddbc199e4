//! Files and programs.

use std::io::Read;
use std::path::Path;

use suppose::Failure;
use suppose::spin_run::Folder;

/// Writes a file.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes)
        .map_err(|e| Failure::file(format!("cannot write `{}`: {e}", path.display())))
}

/// A text file of at most this many bytes.
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
pub fn folder() -> Result<Folder, Failure> {
    let base = std::env::temp_dir();
    let fail = |e| Failure::file(format!("cannot make a folder in `{}`: {e}", base.display()));
    Folder::new().map_err(fail)
}
