//! What is measured: a folder of problems with the verdicts they must have.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use suppose_frontends::{Language, ModelKind, c, smtlib};

use super::growth;
use crate::files::{read, write_file};
use suppose::Failure;

/// One problem.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Its name in tables.
    pub name: String,
    /// What it is counted with.
    pub family: String,
    /// The file for `suppose`.
    pub file: PathBuf,
    /// Further options for `suppose`.
    pub options: Vec<String>,
    /// Macros of a C program.
    pub set: Vec<(String, i64)>,
    /// The same as clauses, for others.
    pub clauses: Option<PathBuf>,
    /// `holds` or `violated`, if that is known.
    pub expected: Option<String>,
}

/// The problems of a folder: those of its `expected.tsv` (columns `file` and `verdict`), those of each
/// `expected.toml` in it or below, else all files.
pub fn of_folder(folder: &Path, scratch: &Path) -> Result<Vec<Problem>, Failure> {
    let list = folder.join("expected.tsv");
    let mut problems = match list.is_file() {
        true => of_list(folder, &list)?,
        false => of_tables(folder, folder)?,
    };
    if problems.is_empty() {
        let files = files(folder)?;
        problems.extend(files.iter().map(|file| problem(folder, file, None)));
    }
    for (number, problem) in problems.iter_mut().enumerate() {
        as_clauses(problem, number, scratch);
    }
    if problems.is_empty() {
        let failure = Failure::file(format!("`{}` has no problem", folder.display()));
        return Err(failure.help("problems are files that end in .smt2 or .c"));
    }
    Ok(problems)
}

fn of_list(folder: &Path, list: &Path) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    let text = read(list, 16 << 20)?;
    for (at, line) in text.lines().enumerate().filter(|(_, l)| !l.is_empty()) {
        let mut columns = line.split('\t');
        let (file, verdict) = (columns.next().unwrap_or(""), columns.next().unwrap_or(""));
        if at == 0 && file == "file" {
            continue;
        }
        let expected = known(verdict, &format!("{}:{}", list.display(), at + 1))?;
        problems.push(problem(folder, &folder.join(file), expected));
    }
    Ok(problems)
}

/// A verdict that is known; `unknown` is none.
fn known(verdict: &str, place: &str) -> Result<Option<String>, Failure> {
    match verdict {
        "holds" | "violated" => Ok(Some(verdict.to_owned())),
        "unknown" | "" => Ok(None),
        _ => {
            let failure = Failure::file(format!("{place}: `{verdict}` is no verdict"));
            Err(failure.help("holds, violated or unknown"))
        }
    }
}

/// What the `expected.toml` of a folder and of those below it list.
fn of_tables(root: &Path, folder: &Path) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    let list = folder.join("expected.toml");
    if list.is_file() {
        let text = read(&list, 16 << 20)?;
        let wrong = |e: toml::de::Error| Failure::file(format!("{}: {e}", list.display()));
        let table: Table = toml::from_str(&text).map_err(wrong)?;
        for check in table.check {
            let expected = known(&check.verdict, &list.display().to_string())?;
            let mut problem = problem(root, &folder.join(&check.file), expected);
            if let Some(integers) = check.integers {
                problem.options.extend(["--integers".to_owned(), integers]);
            }
            for (name, value) in &check.set {
                let option = format!("{name}={value}");
                problem.name = format!("{} {option}", problem.name);
                problem.options.extend(["--set".to_owned(), option]);
            }
            problem.set = check.set.into_iter().collect();
            problems.push(problem);
        }
    }
    for path in entries(folder)?.iter().filter(|p| p.is_dir()) {
        problems.extend(of_tables(root, path)?);
    }
    Ok(problems)
}

#[derive(Deserialize)]
struct Table {
    #[serde(default)]
    check: Vec<Check>,
}

#[derive(Deserialize)]
struct Check {
    file: String,
    verdict: String,
    integers: Option<String>,
    #[serde(default)]
    set: BTreeMap<String, i64>,
}

fn problem(folder: &Path, file: &Path, expected: Option<String>) -> Problem {
    let name = file.strip_prefix(folder).unwrap_or(file);
    let family = name.parent().filter(|p| !p.as_os_str().is_empty());
    let whole = folder.file_name().map(|n| n.to_string_lossy().into_owned());
    // What is expected of a program is about its assertions; overflow is a claim of its own.
    let assertions = ["--property", "assertions"].map(str::to_owned);
    let options = match Language::of(&file.display().to_string()) {
        Some(Language::C) => assertions.to_vec(),
        _ => Vec::new(),
    };
    Problem {
        name: name.display().to_string(),
        family: match family {
            Some(family) => family.display().to_string(),
            None => whole.unwrap_or_else(|| "all".to_owned()),
        },
        file: file.to_owned(),
        options,
        set: Vec::new(),
        clauses: None,
        expected,
    }
}

/// Other solvers read clauses only, and answer `query` the other way round than `check-sat`: what is not in the one
/// form that all read is written in it.
fn as_clauses(problem: &mut Problem, number: usize, scratch: &Path) {
    let Ok(text) = read(&problem.file, 1 << 26) else {
        return;
    };
    let Some(written) = rewritten(problem, &text) else {
        return;
    };
    problem.clauses = match written {
        Written::Same => Some(problem.file.clone()),
        Written::New(clauses) => {
            let path = scratch.join(format!("{number}.smt2"));
            let done = write_file(&path, clauses.as_bytes());
            done.is_ok().then_some(path)
        }
    };
}

enum Written {
    Same,
    New(String),
}

fn integers(option: &str) -> Option<c::Integers> {
    match option {
        "wrap" => Some(c::Integers::Wrap),
        "mathematical" => Some(c::Integers::Mathematical),
        _ => None,
    }
}

fn rewritten(problem: &Problem, text: &str) -> Option<Written> {
    let name = problem.file.display().to_string();
    match Language::of(&name)? {
        Language::SmtLib if !text.contains("(query") => Some(Written::Same),
        Language::SmtLib => {
            let (read, _) = smtlib::read_text(&name, text).ok()?;
            Some(Written::New(smtlib::write(&read.horn)))
        }
        Language::C => {
            let options = c::COptions {
                integers: problem
                    .options
                    .iter()
                    .find_map(|o| integers(o))
                    .unwrap_or_default(),
                defines: problem.set.clone(),
                ..c::COptions::default()
            };
            let (program, _) = c::read_text(&name, text, &options).ok()?;
            Some(Written::New(smtlib::write(program.horn())))
        }
        _ => None,
    }
}

/// All files of clauses and programs in a folder and those below it, by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() {
            found.extend(files(&path)?);
        } else if Language::of(&path.display().to_string())
            .is_some_and(|l| l.kind() == ModelKind::Chc)
        {
            found.push(path);
        }
    }
    Ok(found)
}

/// What is in a folder, by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let fail =
        |e: std::io::Error| Failure::file(format!("cannot read `{}`: {e}", folder.display()));
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(fail)?
        .map(|entry| entry.map(|e| e.path()).map_err(fail))
        .collect::<Result<_, _>>()?;
    entries.sort();
    Ok(entries)
}

/// The rows that show growth.
pub fn of_growth(scratch: &Path, quick: bool) -> Result<Vec<Problem>, Failure> {
    let sizes = if quick {
        &growth::SIZES[..2]
    } else {
        &growth::SIZES[..]
    };
    let mut problems = Vec::new();
    for safe in [true, false] {
        for n in sizes {
            let kind = if safe { "safe" } else { "unsafe" };
            let file = scratch.join(format!("levels-{n}-{kind}.smt2"));
            write_file(&file, growth::clauses(*n, safe).as_bytes())?;
            problems.push(Problem {
                name: format!("Fig. 1.1, n = {n}, {kind}"),
                family: format!("Fig. 1.1, {kind}"),
                clauses: Some(file.clone()),
                file,
                options: Vec::new(),
                set: Vec::new(),
                expected: Some(if safe { "holds" } else { "violated" }.to_owned()),
            });
        }
    }
    let sizes = if quick {
        &growth::LOOPS[..1]
    } else {
        &growth::LOOPS[..]
    };
    for n in sizes {
        let file = scratch.join(format!("loops-{n}.smt2"));
        write_file(&file, growth::loops(*n).as_bytes())?;
        problems.push(Problem {
            name: format!("{n} loops in a row"),
            family: "loops in a row".to_owned(),
            clauses: Some(file.clone()),
            file,
            options: Vec::new(),
            set: Vec::new(),
            expected: Some("holds".to_owned()),
        });
    }
    Ok(problems)
}
