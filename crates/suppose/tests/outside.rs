//! The library as a program outside of this project uses it: one that depends on nothing but `suppose`.

use std::path::Path;
use std::process::Command;

const MANIFEST: &str = r#"[package]
name = "outside"
version = "0.1.0"
edition = "2024"

[dependencies]
suppose = { path = "SUPPOSE" }

[workspace]
"#;

const MAIN: &str = r#"use std::sync::Arc;

use suppose::{CheckOptions, ExitStatus, Silent, Source};

fn main() -> Result<(), suppose::Failure> {
    let text = "byte x;\nactive proctype P() { x = 1; assert(x == 1) }\n";
    let source = Source::text("model.pml", text);
    let report = suppose::check(&source, &CheckOptions::default(), Arc::new(Silent))?;
    assert_eq!(report.status(), ExitStatus::Holds);
    assert_eq!(report.last_line(), "holds");
    let refused = Source::text("model.pml", "active proctype P( { }");
    assert!(suppose::check(&refused, &CheckOptions::default(), Arc::new(Silent)).is_err());
    Ok(())
}
"#;

/// Checked, not built: the types tell whether the library can be used, and its behaviour has tests of its own.
#[test]
fn a_crate_outside_can_use_the_library() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::temp_dir().join(format!("suppose-outside-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = MANIFEST.replace("SUPPOSE", &here.display().to_string());
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(folder.join("src/main.rs"), MAIN).unwrap();
    // The versions of this project, so that nothing has to be looked up.
    std::fs::copy(here.join("../../Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let target = here.join("../../target/outside");
    let ran = Command::new(env!("CARGO"))
        .arg("check")
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(ran.status.success(), "{said}");
}
