//! What is installed beside the program, and the notes of releases.

use std::path::Path;
use std::process::Command;

use crate::support::{Folder, root, suppose};

fn script(name: &str, arguments: &[&str]) -> (bool, String) {
    let ran = Command::new("sh")
        .arg(root().join("scripts").join(name))
        .args(arguments)
        .output()
        .unwrap();
    let text = [ran.stdout, ran.stderr].concat();
    (ran.status.success(), String::from_utf8(text).unwrap())
}

#[test]
fn every_command_has_a_manual_page_and_completions_are_written() {
    let folder = Folder::new();
    let to = folder.path("share");
    let to = to.as_str();
    let (done, text) = script("install-pages.sh", &[env!("CARGO_BIN_EXE_suppose"), to]);
    assert!(done, "{text}");
    let written = |name: &str| {
        let path = Path::new(to).join(name);
        std::fs::metadata(&path).map_or(0, |m| m.len())
    };
    let help = suppose(["--help"]).stdout;
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|l| *l != "Commands:")
        .skip(1)
        .take_while(|l| !l.is_empty())
        .filter_map(|l| l.split_whitespace().next())
        .filter(|c| *c != "help")
        .collect();
    assert!(commands.contains(&"check") && commands.contains(&"explain"));
    for command in commands {
        assert!(
            written(&format!("man1/suppose-{command}.1.gz")) > 100,
            "{command}"
        );
    }
    for file in [
        "man1/suppose.1.gz",
        "bash/suppose",
        "zsh/_suppose",
        "fish/suppose.fish",
    ] {
        assert!(written(file) > 100, "{file}");
    }
}

#[test]
fn release_notes_are_a_section_of_the_changes() {
    let (done, text) = script("release-notes.sh", &["Unreleased"]);
    assert!(
        done && text.starts_with("# Suppose Unreleased\n") && text.contains("### Added"),
        "{text}"
    );
    assert!(!text.contains("\n## "), "{text}");
    let (done, text) = script("release-notes.sh", &["99.0"]);
    assert!(!done && text.contains("no section 99.0"), "{text}");
}
