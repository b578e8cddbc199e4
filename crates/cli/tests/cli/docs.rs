//! Every command of README and of the pages under `docs` is run as it stands, and prints what the page says.
//!
//! A command is a line of an indented block that begins with `suppose` or `cargo run --release --`. A block between ``` without
//! a language that comes next is what it prints: all of it, or lines of it that follow each other. Times and memory are not compared.
//! `< FILE` at the end of a command is what it reads. Comments, which a reader of the page does not see, say the rest:
//!
//! | comment | meaning |
//! |---|---|
//! | `<!-- file: NAME -->` | the next block between ``` is that file |
//! | `<!-- file: NAME from PATH -->` | a copy of a file of the project, or of an earlier file of the page |
//! | `<!-- file: NAME from PATH: OLD => NEW; ... -->` | with something replaced (`\n` is a new line) |
//! | `<!-- not run: why -->` | the commands of the next block are not run |
//! | `<!-- not run: "TEXT", "TEXT": why -->` | commands of this page that contain such a text are not run |
//! | `<!-- not run, the whole page: why -->` | |

use std::path::Path;
use std::process::Command;

use crate::support::{Folder, Ran, root};

/// What a page consists of, as far as it matters here.
#[derive(Debug)]
enum Part {
    /// `<!-- ... -->`
    Comment(String),
    /// Commands, with their lines.
    Commands(Vec<(usize, String)>),
    /// A block between ```: its language, its text.
    Fenced(String, String),
    /// Anything else that is not blank.
    Text,
}

fn parts(page: &str) -> Vec<Part> {
    let lines: Vec<&str> = page.lines().collect();
    let mut parts = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        if let Some(language) = line.strip_prefix("```") {
            let end = (at + 1..lines.len())
                .find(|n| lines[*n].starts_with("```"))
                .unwrap();
            let text: Vec<&str> = lines[at + 1..end].to_vec();
            parts.push(Part::Fenced(language.to_owned(), text.join("\n") + "\n"));
            at = end + 1;
        } else if let Some(comment) = line.strip_prefix("<!--") {
            let mut text = comment.to_owned();
            while !text.contains("-->") {
                at += 1;
                text.push(' ');
                text.push_str(lines[at]);
            }
            let end = text.find("-->").unwrap();
            parts.push(Part::Comment(text[..end].trim().to_owned()));
            at += 1;
        } else if line.starts_with("    ") && !line.trim().is_empty() {
            let mut commands: Vec<(usize, String)> = Vec::new();
            let mut goes_on = false;
            while at < lines.len() && lines[at].starts_with("    ") {
                let text = lines[at].trim();
                let (text, more) = match text.strip_suffix('\\') {
                    Some(text) => (text, true),
                    None => (text, false),
                };
                match (goes_on, commands.last_mut()) {
                    (true, Some((_, last))) => last.push_str(text),
                    _ => commands.push((at + 1, text.to_owned())),
                }
                goes_on = more;
                at += 1;
            }
            let ours = |c: &(usize, String)| {
                c.1.starts_with("suppose ") || c.1.starts_with("cargo run --release -- ")
            };
            match commands.iter().all(ours) {
                true => parts.push(Part::Commands(commands)),
                false => {
                    let some = commands.iter().find(|c| ours(c));
                    assert!(
                        some.is_none(),
                        "commands and other lines in one block: {some:?}"
                    );
                    parts.push(Part::Text);
                }
            }
        } else {
            if !line.trim().is_empty() {
                parts.push(Part::Text);
            }
            at += 1;
        }
    }
    parts
}

/// The words of a command as a shell takes them apart; two spaces begin a remark.
fn words(command: &str) -> Vec<String> {
    let command = command
        .strip_prefix("cargo run --release --")
        .or(command.strip_prefix("suppose"))
        .unwrap();
    let (mut words, mut word, mut quote, mut spaces) = (Vec::new(), None::<String>, None, 0);
    for c in command.trim_start().chars() {
        spaces = if c == ' ' && quote.is_none() {
            spaces + 1
        } else {
            0
        };
        match (c, quote) {
            _ if spaces == 2 => break,
            (' ', None) => words.extend(word.take()),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(q)) if c == q => quote = None,
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Lines without times and memory, and without blank ones, which pages leave out with them.
fn steady(text: &str) -> Vec<String> {
    let timed = |line: &&str| {
        let line = line.trim_start();
        !line.is_empty() && !line.starts_with("time ") && line != "…"
    };
    text.lines()
        .filter(timed)
        .map(|l| l.trim_end().to_owned())
        .collect()
}

struct Page {
    name: String,
    folder: Folder,
    skipped: Vec<String>,
}

impl Page {
    fn run(&self, command: &str) -> Ran {
        let mut program = Command::new(env!("CARGO_BIN_EXE_suppose"));
        let mut words = words(command);
        if let [.., sign, from] = &words[..]
            && sign == "<"
        {
            program.stdin(std::fs::File::open(self.folder.path(from)).unwrap());
            words.truncate(words.len() - 2);
        }
        let output = program
            .current_dir(self.folder.path(""))
            .args(words)
            .output();
        output.unwrap().into()
    }

    /// `file: NAME from PATH: OLD => NEW; ...`, where the path is one of the page's folder or of the project.
    fn copy(&self, name: &str, rest: &str) {
        let (from, changes) = rest.split_once(": ").unwrap_or((rest, ""));
        let mut path = self.folder.path(from.trim());
        if !Path::new(&path).exists() {
            path = root().join(from.trim()).to_string_lossy().into_owned();
        }
        let mut text =
            std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {path}: {e}", self.name));
        for change in changes.split("; ").filter(|c| !c.is_empty()) {
            let (old, new) = change.split_once(" => ").unwrap();
            let (old, new) = (old.replace("\\n", "\n"), new.replace("\\n", "\n"));
            assert!(text.contains(&old), "{}: no `{old}` in `{from}`", self.name);
            text = text.replace(&old, &new);
        }
        self.folder.file(name, text);
    }

    fn compare(&self, line: usize, command: &str, ran: &Ran, expected: Option<&str>) {
        let place = format!("{}:{line}: {command}", self.name);
        let Some(expected) = expected else {
            assert!(matches!(ran.status, 0 | 10), "{place}: {ran:#?}");
            return;
        };
        let actual = steady(&format!("{}{}", ran.stdout, ran.stderr));
        let expected = steady(expected);
        let found = actual.windows(expected.len().max(1)).any(|w| w == expected);
        assert!(
            found,
            "{place}\nprints\n{}\nand not\n{}",
            actual.join("\n"),
            expected.join("\n")
        );
    }
}

fn check(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).unwrap();
    let folder = Folder::new();
    std::os::unix::fs::symlink(
        root().join("examples").canonicalize().unwrap(),
        folder.path("examples"),
    )
    .unwrap();
    let mut page = Page {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        folder,
        skipped: Vec::new(),
    };
    let parts = parts(&text);
    let (mut ran, mut file, mut skip) = (0, None, false);
    for (number, part) in parts.iter().enumerate() {
        match part {
            Part::Comment(text) if text.starts_with("not run, the whole page") => return 0,
            Part::Comment(text) => {
                if let Some(rest) = text.strip_prefix("file:") {
                    match rest.trim().split_once(" from ") {
                        Some((name, from)) => page.copy(name.trim(), from.trim()),
                        None => file = Some(rest.trim().to_owned()),
                    }
                } else if let Some(rest) = text.strip_prefix("not run:") {
                    let quoted: Vec<String> = rest
                        .split('"')
                        .skip(1)
                        .step_by(2)
                        .map(str::to_owned)
                        .collect();
                    skip |= quoted.is_empty();
                    page.skipped.extend(quoted);
                }
            }
            Part::Fenced(_, text) => {
                if let Some(name) = file.take() {
                    page.folder.file(&name, text);
                }
            }
            Part::Commands(commands) => {
                let expected = match parts.get(number + 1) {
                    Some(Part::Fenced(language, text)) if language.is_empty() => {
                        Some(text.as_str())
                    }
                    _ => None,
                };
                for (at, (line, command)) in commands.iter().enumerate() {
                    if skip || page.skipped.iter().any(|s| command.contains(s.as_str())) {
                        continue;
                    }
                    let last = at + 1 == commands.len();
                    page.compare(
                        *line,
                        command,
                        &page.run(command),
                        expected.filter(|_| last),
                    );
                    ran += 1;
                }
                skip = false;
            }
            Part::Text => {}
        }
    }
    ran
}

#[test]
fn the_commands_of_the_readme_do_what_it_says() {
    assert!(check(&root().join("README.md")) >= 8);
    assert!(check(&root().join("examples/README.md")) >= 7);
}

#[test]
fn the_readme_leads_to_every_page() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    for entry in std::fs::read_dir(root().join("docs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let linked = readme.contains(&format!("](docs/{name})"));
        assert!(linked || !name.ends_with(".md"), "no link to docs/{name}");
    }
}

#[test]
fn the_commands_of_the_pages_do_what_they_say() {
    let mut ran = 0;
    for entry in std::fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "md") {
            ran += check(&path);
        }
    }
    assert!(ran >= 20, "only {ran} commands were found");
}

#[test]
fn commands_are_taken_apart_as_a_shell_does() {
    let shown = words("suppose check m.nm --property 'P<=1/4 [ F \"x\" ]' -q    a remark");
    assert_eq!(
        shown,
        ["check", "m.nm", "--property", "P<=1/4 [ F \"x\" ]", "-q"]
    );
}
