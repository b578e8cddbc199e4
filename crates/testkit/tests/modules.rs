//! How the crates and their modules are built on each other: no circle between modules, no engine on another one,
//! no engine under the checker, no file that is too long to read.
//!
//! A module is what stands directly under `src`: a file, or a folder with all files in it. Tests are left out.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

type Imports = BTreeMap<String, BTreeSet<String>>;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut entries: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The names that a text takes from the root of its crate.
fn taken(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let bare = code.lines().map(|line| line.split("//").next());
    let code: Vec<&str> = bare.map(Option::unwrap_or_default).collect();
    let code = code.join("\n");
    let mut names = BTreeSet::new();
    for part in code.split("crate::").skip(1) {
        match part.strip_prefix('{') {
            // `crate::{a, b::c}`
            Some(list) => {
                let list = list.split('}').next().unwrap_or_default();
                let each = list.split(',').map(|p| p.trim().split("::").next());
                names.extend(each.flatten().map(str::to_owned));
            }
            None => {
                let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
                let end = part.find(|c| !is_name(c)).unwrap_or(part.len());
                names.insert(part[..end].to_owned());
            }
        }
    }
    names
}

fn imports(source: &Path) -> Imports {
    let mut all = Vec::new();
    files(source, &mut all);
    let mut imports = Imports::new();
    for path in all {
        let inner = path.strip_prefix(source).unwrap();
        let first = inner.components().next().unwrap().as_os_str();
        let module = Path::new(first).file_stem().unwrap().to_string_lossy();
        let is_test = path.file_stem().is_some_and(|s| s == "tests")
            || inner.components().any(|c| c.as_os_str() == "tests");
        if module == "lib" || module == "main" || is_test {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let into = imports.entry(module.clone().into_owned()).or_default();
        into.extend(taken(&text).into_iter().filter(|name| *name != module));
    }
    imports
}

/// What can be come to from a module, over any number of imports.
fn reached(imports: &Imports, from: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(module) = open.pop() {
        for next in imports.get(&module).into_iter().flatten() {
            if imports.contains_key(next) && seen.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    seen
}

/// The folders of all crates.
fn crates() -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = |path: &Path| {
        let entries = std::fs::read_dir(path).unwrap();
        entries.map(|e| e.unwrap().path()).collect::<Vec<PathBuf>>()
    };
    let mut found = folders(&all);
    found.extend(folders(&all.join("engines")));
    found.retain(|path| path.join("Cargo.toml").exists());
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// The crates of ours that a crate needs, tests aside.
fn needs(path: &Path) -> Vec<String> {
    let manifest = std::fs::read_to_string(path.join("Cargo.toml")).unwrap();
    let after = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let section = after.split("\n[").next().unwrap_or_default();
    let lines = section.lines().filter_map(|l| l.strip_prefix("suppose-"));
    let names = lines.map(|l| l.split(['.', ' ']).next().unwrap().to_owned());
    names.collect()
}

#[test]
fn no_module_imports_itself_by_way_of_others() {
    let mut circles = Vec::new();
    for path in crates() {
        let imports = imports(&path.join("src"));
        for module in imports.keys() {
            if reached(&imports, module).contains(module) {
                circles.push(format!("{}::{module}", name(&path)));
            }
        }
    }
    assert!(circles.is_empty(), "import cycles through {circles:?}");
}

#[test]
fn engines_and_the_checker_stay_apart() {
    let is_engine = |path: &Path| path.parent().is_some_and(|p| p.ends_with("engines"));
    let all = crates();
    let engines: Vec<String> = all
        .iter()
        .filter(|p| is_engine(p))
        .map(|p| name(p))
        .collect();
    assert!(engines.len() >= 5, "{engines:?}");
    for path in &all {
        let (own, needs) = (name(path), needs(path));
        if is_engine(path) || own == "certify" {
            for needed in &needs {
                let apart = needed != "frontends" && !engines.contains(needed);
                assert!(apart, "{own} depends on {needed}");
            }
        }
        if own == "certify" {
            assert!(!needs.iter().any(|n| n == "smt" || n == "refine"));
            assert!(needs.iter().any(|n| n == "model"), "{needs:?}");
        }
    }
}

#[test]
fn no_file_is_longer_than_800_lines() {
    let mut long = Vec::new();
    for path in crates() {
        let mut all = Vec::new();
        files(&path, &mut all);
        for file in all {
            let lines = std::fs::read_to_string(&file).unwrap().lines().count();
            if lines > 800 {
                long.push((file, lines));
            }
        }
    }
    assert!(long.is_empty(), "{long:?}");
}

#[test]
fn imports_are_found() {
    let text = "use crate::{a, b::C};\nfn f() { crate::d::g(); } // crate::no\n#[cfg(test)]\nmod t { use crate::e; }";
    let names: Vec<String> = taken(text).into_iter().collect();
    assert_eq!(names, ["a", "b", "d"]);
}
