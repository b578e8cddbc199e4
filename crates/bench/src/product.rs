//! The program that is measured.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use suppose::Failure;

/// Its name.
const NAME: &str = "suppose";
/// The package that it is in.
const PACKAGE: &str = "suppose-cli";

/// Where it is: the one asked for; else, when Cargo runs this program, the one that Cargo makes, so that what is measured is what
/// the sources say; else the one in the same folder.
pub fn find(asked: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(path) = asked {
        return match path.is_file() {
            true => std::path::absolute(path).map_err(Failure::internal),
            false => Err(Failure::file(format!(
                "there is no file `{}`",
                path.display()
            ))),
        };
    }
    let own = std::env::current_exe().map_err(Failure::internal)?;
    let folder = own.parent().unwrap_or(Path::new("."));
    if let Some(cargo) = std::env::var_os("CARGO") {
        build(Path::new(&cargo), folder)?;
    }
    let beside = folder.join(NAME);
    match beside.is_file() {
        true => Ok(beside),
        false => Err(
            Failure::file(format!("there is no `{NAME}` in `{}`", folder.display()))
                .help("make it: cargo build --release -p suppose-cli")
                .help("or say where it is: --suppose PATH"),
        ),
    }
}

/// Makes the program in the profile that this one was made in: the folder is named after it.
fn build(cargo: &Path, folder: &Path) -> Result<(), Failure> {
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "--package", PACKAGE]);
    command
        .arg("--manifest-path")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml"));
    match folder.file_name().and_then(|n| n.to_str()) {
        Some("debug") | None => {}
        Some(profile) => {
            command.args(["--profile", profile]);
        }
    }
    if let Some(target) = folder.parent() {
        command.arg("--target-dir").arg(target);
    }
    let status = command
        .stdin(Stdio::null())
        .status()
        .map_err(|e| Failure::file(format!("cannot run `{}`: {e}", cargo.display())))?;
    match status.success() {
        true => Ok(()),
        false => Err(Failure::file(format!("`{NAME}` could not be built"))
            .help("say which one to measure: --suppose PATH")),
    }
}

/// What it calls itself, as in `suppose 0.1.0`: for the heading of a table.
pub fn version(program: &Path) -> Result<String, Failure> {
    let output = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .map_err(|e| Failure::file(format!("cannot run `{}`: {e}", program.display())))?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    match said.strip_prefix(NAME) {
        Some(rest) if output.status.success() && rest.starts_with(' ') => Ok(said),
        _ => Err(Failure::file(format!(
            "`{}` is not {NAME}: asked for its version it says `{said}`",
            program.display()
        ))),
    }
}
