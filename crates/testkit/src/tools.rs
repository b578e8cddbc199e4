//! Other programs that tests compare ours with.

use std::path::{Path, PathBuf};

/// Where a program is: among the tools that scripts/test.sh installs, or on the PATH.
///
/// # Panics
/// If it is in neither place: no test is left out in silence.
pub fn installed(name: &str) -> PathBuf {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.test-tools/bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = [tools].into_iter().chain(std::env::split_paths(&path));
    let found = folders.find_map(|folder| {
        let file = folder.join(name);
        file.is_file().then_some(file)
    });
    found.unwrap_or_else(|| {
        panic!("{name} is needed, on the PATH or in .test-tools/bin: scripts/test.sh puts it there")
    })
}
