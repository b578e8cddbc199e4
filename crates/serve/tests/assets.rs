//! What is embedded is what is in the sources.
//!
//! The page is built from `web/` by `npm ci && npm run build` there; the examples by `SUPPOSE_UPDATE=1 cargo test -p suppose-serve --test assets`.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap().parent().unwrap().to_owned()
}

fn hash(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Sha256::digest(bytes)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path());
    entries
        .flat_map(|p| if p.is_dir() { files(&p) } else { vec![p] })
        .collect()
}

/// The hashes that the last build recorded, by file.
fn recorded() -> Vec<(String, String)> {
    let list = std::fs::read_to_string(root().join("crates/serve/assets/bundle.sha256")).unwrap();
    let pair = |line: &str| {
        let (hash, path) = line.split_once("  ").unwrap();
        (path.to_owned(), hash.to_owned())
    };
    list.lines().map(pair).collect()
}

#[test]
fn the_bundle_is_up_to_date() {
    for (path, was) in recorded() {
        assert_eq!(
            hash(&root().join(&path)),
            was,
            "{path} was changed since the page was built: run `npm ci && npm run build` in web/"
        );
    }
}

#[test]
fn every_source_of_the_page_is_recorded() {
    let known: Vec<String> = recorded().into_iter().map(|(path, _)| path).collect();
    for folder in ["web/src", "web/public"] {
        for file in files(&root().join(folder)) {
            let name = file.strip_prefix(root()).unwrap().display().to_string();
            assert!(
                known.contains(&name),
                "{name} is not in the bundle: run `npm run build` in web/"
            );
        }
    }
}

/// Names in a model must never become markup or script.
#[test]
fn the_page_makes_no_markup_of_texts() {
    for file in files(&root().join("web/src")) {
        let text = std::fs::read_to_string(&file).unwrap();
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "DOMParser",
        ] {
            assert!(!text.contains(word), "{}: {word}", file.display());
        }
    }
    let page = std::fs::read_to_string(root().join("crates/serve/assets/index.html")).unwrap();
    assert!(!page.contains("style=") && !page.contains("<style") && !page.contains("onclick"));
    assert_eq!(page.matches("<script").count(), 1);
    assert!(page.contains("src=\"/workbench.js\""));
    // The packages' own ways to make markup are not used; if one is, look at it here.
    let script = std::fs::read_to_string(root().join("crates/serve/assets/workbench.js")).unwrap();
    assert!(
        !script.contains("http://")
            || script.matches("http://").count() == script.matches("http://www.w3.org/").count()
    );
}

#[test]
fn licences_of_what_is_bundled_are_permissive_and_listed() {
    let lock = std::fs::read_to_string(root().join("web/package-lock.json")).unwrap();
    let lock: Value = serde_json::from_str(&lock).unwrap();
    let notices = std::fs::read_to_string(root().join("crates/serve/assets/notices.txt")).unwrap();
    let mut bundled = 0;
    for (path, about) in lock["packages"].as_object().unwrap() {
        if path.is_empty() || about["dev"] == true {
            continue;
        }
        assert_eq!(about["license"], "MIT", "{path}");
        let name = path.trim_start_matches("node_modules/");
        let version = about["version"].as_str().unwrap();
        assert!(
            notices.contains(&format!("{name} {version} (MIT)")),
            "{name}"
        );
        bundled += 1;
    }
    assert!(bundled > 5);
}

#[test]
fn the_gallery_is_up_to_date() {
    let gallery = std::fs::read_to_string(root().join("crates/serve/gallery.json")).unwrap();
    let gallery: Vec<Map<String, Value>> = serde_json::from_str(&gallery).unwrap();
    let text = |path: &str| {
        let path = root().join("examples").join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    let name = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    let mut examples = Vec::new();
    for entry in gallery {
        let path = entry["path"].as_str().unwrap();
        let mut example = Map::new();
        for field in ["group", "title", "about"] {
            example.insert(field.to_owned(), entry[field].clone());
        }
        example.insert("name".to_owned(), name(path).into());
        example.insert("text".to_owned(), text(path).into());
        for beside in ["spec", "properties"] {
            if let Some(path) = entry.get(beside).and_then(Value::as_str) {
                let file = serde_json::json!({ "name": name(path), "text": text(path) });
                example.insert(beside.to_owned(), file);
            }
        }
        examples.push(Value::Object(example));
    }
    let now = format!("{:#}\n", Value::Array(examples));
    let path = root().join("crates/serve/assets/examples.json");
    if std::env::var_os("SUPPOSE_UPDATE").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap() == now,
        "the examples were changed: run `SUPPOSE_UPDATE=1 cargo test -p suppose-serve --test assets`"
    );
}
