//! CONTRIBUTING.md and the lists that documentation is made from are true.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use suppose::Language;
use suppose::options::table::{ENGINES, groups};

#[path = "../../frontends/examples/lights.rs"]
mod lights;
#[allow(dead_code, reason = "a list that nobody asks by name")]
#[path = "../../engines/compose/examples/stroll.rs"]
mod stroll;

/// So many files of code may know a language, outside its own folder.
const KNOWING: usize = 6;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// One section of CONTRIBUTING.md.
fn walk(title: &str) -> String {
    let page = page("CONTRIBUTING.md");
    let from = page.split(&format!("## {title}\n")).nth(1).unwrap();
    from.split("\n## ").next().unwrap().to_owned()
}

/// The files that the steps of a walk name, in bold.
fn steps(walk: &str) -> Vec<&str> {
    let bold = walk.split("**`").skip(1);
    bold.map(|part| part.split("`**").next().unwrap()).collect()
}

#[test]
fn the_toys_of_the_walks_work() {
    lights::main().unwrap();
    stroll::main().unwrap();
}

/// Every file that is to be changed is there, and every other one belongs to what is added.
#[test]
fn the_walks_name_files_that_are_there() {
    for (title, toy, code) in [
        ("Add a language", "lights", 4),
        ("Add an engine", "stroll", 2),
    ] {
        let walk = walk(title);
        let steps = steps(&walk);
        let (new, changed): (Vec<&str>, Vec<&str>) = steps.iter().partition(|s| s.contains(toy));
        assert!(!new.is_empty(), "{title}");
        assert!(new.iter().all(|f| !root().join(f).exists()), "{new:?}");
        for file in &changed {
            assert!(root().join(file).is_file(), "{title}: there is no {file}");
        }
        let of_code = changed.iter().filter(|f| f.starts_with("crates/"));
        assert_eq!(of_code.count(), code, "{title}: {changed:?}");
        let example = format!("/examples/{toy}.rs)");
        assert!(walk.contains(&example), "{title}: the example is named");
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap();
    for path in entries.map(|e| e.unwrap().path()) {
        let is_test = path.file_stem().is_some_and(|s| s == "tests");
        if path.is_dir() {
            files(&path, found);
        } else if !is_test && path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The words of a file of code, with `::` between those that belong together; without comments, texts and tests.
fn words(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let code = text.split("#[cfg(test)]").next().unwrap();
    let bare: String = code
        .lines()
        .map(|line| line.split("//").next().unwrap().to_owned() + "\n")
        .collect();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = bare.split(|c| !is_part(c)).filter(|w| !w.is_empty());
    words.map(str::to_owned).collect()
}

/// Does a file of code know a language: its variant, its module, or its reader?
fn knows(words: &[String], language: Language, folder: &str) -> bool {
    let variant = format!("{language:?}");
    let qualified = format!("Language::{variant}");
    let imports = words.iter().any(|w| w.ends_with("Language::"));
    let declares = |w: &[String]| w[0] == "mod" && w[1] == folder;
    let calls = |w: &String| {
        let mut parts = w.split("::").skip_while(|p| *p != folder);
        parts.next().is_some() && parts.next().is_some_and(|p| p.starts_with("read"))
    };
    words.iter().any(|w| *w == qualified || calls(w))
        || imports && words.contains(&variant)
        || words.windows(2).any(declares)
}

/// Adding a language stays small: few files know any of those that there are.
#[test]
fn few_files_know_a_language() {
    let mut all = Vec::new();
    for folder in ["frontends", "suppose", "cli"] {
        files(&root().join("crates").join(folder).join("src"), &mut all);
    }
    let known: Vec<(&PathBuf, Vec<String>)> = all.iter().map(|f| (f, words(f))).collect();
    for language in Language::ALL {
        let folder = match language {
            Language::Tra | Language::Drn | Language::Lpts | Language::LptsJson => "lpts",
            other => other.name(),
        };
        let own = root().join("crates/frontends/src").join(folder);
        assert!(own.is_dir(), "{}", own.display());
        // What editors know of names is beside the language: a language can do without.
        let editors = root().join("crates/frontends/src/index");
        let outside = known
            .iter()
            .filter(|(file, _)| !file.starts_with(&own) && !file.starts_with(&editors));
        let knowing = outside.filter(|(_, words)| knows(words, language, folder));
        let knowing: BTreeSet<&PathBuf> = knowing.map(|(file, _)| *file).collect();
        // The door, the list of languages and the table of options at least: else the count sees nothing.
        assert!(knowing.len() >= 3, "{language:?}: {knowing:?}");
        assert!(knowing.len() <= KNOWING, "{language:?}: {knowing:#?}");
    }
}

/// All engines, as docs/engines.md shows them.
fn table() -> String {
    let mut rows = vec![
        "| models | engine | what it does | decides | assumptions | options of its own |"
            .to_owned(),
        "|---|---|---|---|---|---|".to_owned(),
    ];
    for scope in ENGINES {
        for engine in scope.engines() {
            let decides: Vec<&str> = engine.decides.iter().map(|c| c.name()).collect();
            let options: Vec<String> = engine.options.iter().map(|o| format!("`--{o}`")).collect();
            rows.push(format!(
                "| {} | `{}` | {} | {} | {} | {} |",
                groups(scope.languages),
                engine.name,
                engine.summary.trim_end_matches('.'),
                decides.join(", "),
                if engine.assumes { "yes" } else { "" },
                options.join(", ")
            ));
        }
    }
    rows.join("\n")
}

#[test]
fn the_table_of_engines_is_that_of_the_lists() {
    let table = table();
    assert!(
        page("docs/engines.md").contains(&table),
        "docs/engines.md should have this table:\n\n{table}\n"
    );
}
