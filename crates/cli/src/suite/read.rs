//! `suppose.toml`: which models a repository has, and what is expected of them.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{ArgAction, Command, CommandFactory};
use suppose::options::table::{READ, WRITTEN};
use suppose::{ExitStatus, Failure};
use suppose_source::{Diagnostic, SourceFile, Sources, Span, nearest};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::args::Cli;

/// The name of the file.
pub const NAME: &str = "suppose.toml";
/// A larger file is refused.
const LARGEST: u64 = 4 << 20;
/// How the results of all models are shown is not for one model.
const NOT_HERE: [&str; 10] = [
    "quiet", "format", "colour", "jobs", "sarif", "junit", "events", "github", "help", "version",
];

/// What `suppose.toml` says.
#[derive(Debug)]
pub struct Suite {
    /// Its text, for messages.
    pub sources: Sources,
    /// The models, in order.
    pub entries: Vec<Entry>,
}

/// Some models of which the same is expected.
#[derive(Debug)]
pub struct Entry {
    /// Names, patterns and folders.
    pub files: Vec<PathBuf>,
    /// Where they are written.
    pub span: Span,
    /// Arguments for `check`.
    pub arguments: Vec<OsString>,
    /// What is expected.
    pub expect: Expect,
}

/// What is expected of a model.
#[derive(Clone, Debug)]
pub enum Expect {
    /// Nothing is written: every claim is to hold.
    Nothing,
    /// The worst of all verdicts.
    Whole(Expected),
    /// These claims have these verdicts; the others are to hold.
    Claims(Vec<(String, Expected, Span)>),
}

/// An expected verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    Holds,
    Violated,
    /// For that reason, or for any.
    Unknown(Option<String>),
    /// The model is refused.
    Error,
}

impl Expected {
    const WORDS: [&'static str; 4] = ["holds", "violated", "unknown", "error"];

    fn of(text: &str) -> Option<Expected> {
        let reason = text
            .strip_prefix("unknown(")
            .and_then(|t| t.strip_suffix(')'));
        Some(match text {
            "holds" => Expected::Holds,
            "violated" => Expected::Violated,
            "unknown" => Expected::Unknown(None),
            "error" => Expected::Error,
            _ => Expected::Unknown(Some(reason?.to_owned())),
        })
    }
}

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Expected::Holds => f.write_str("holds"),
            Expected::Violated => f.write_str("violated"),
            Expected::Unknown(None) => f.write_str("unknown"),
            Expected::Unknown(Some(reason)) => write!(f, "unknown({reason})"),
            Expected::Error => f.write_str("error"),
        }
    }
}

/// The file, or the one of that name in a folder.
pub fn file(path: &Path) -> PathBuf {
    match path.is_dir() {
        true if path == Path::new(".") => PathBuf::from(NAME),
        true => path.join(NAME),
        false => path.to_owned(),
    }
}

/// Reads the file, or the one of that name in a folder.
pub fn read(path: &Path) -> Result<Suite, Failure> {
    let file = file(path);
    let name = file.display().to_string();
    let fail = |e: std::io::Error| {
        match e.kind() {
        std::io::ErrorKind::NotFound => Failure::file(format!("there is no file `{name}`")).help(
            "it lists models and their verdicts: [[model]], files = [\"*.pml\"], expect = \"holds\"",
        ),
        _ => Failure::file(format!("cannot read `{name}`: {e}")),
    }
    };
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(&file).map_err(fail)?;
    let read = opened.take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(fail)?;
    if bytes.len() as u64 > LARGEST {
        return Err(Failure::file(format!("`{name}` is larger than 4 MiB")));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::file(format!("`{name}` is not text in UTF-8")))?;
    parse(&name, &text, file.parent().unwrap_or(Path::new("")))
}

fn parse(name: &str, text: &str, folder: &Path) -> Result<Suite, Failure> {
    let mut sources = Sources::new();
    sources.add(SourceFile::new(name, text));
    let mut reader = Reader {
        folder,
        check: check_command(),
        errors: Vec::new(),
    };
    let entries = match DeTable::parse(text) {
        Ok(table) => reader.suite(table.get_ref()),
        Err(error) => {
            let span = error.span().unwrap_or(0..0);
            let span = Span::new(span.start, span.end);
            reader.errors.push(Diagnostic::error(span, error.message()));
            Vec::new()
        }
    };
    if !reader.errors.is_empty() {
        return Err(Failure {
            status: ExitStatus::Input,
            sources,
            diagnostics: reader.errors,
        });
    }
    Ok(Suite { sources, entries })
}

fn check_command() -> Command {
    let mut root = Cli::command();
    root.build();
    root.find_subcommand("check").cloned().unwrap_or(root)
}

struct Reader<'a> {
    folder: &'a Path,
    check: Command,
    errors: Vec<Diagnostic>,
}

type Value<'i> = Spanned<DeValue<'i>>;

/// An option with its value, as arguments.
struct Given {
    name: String,
    span: Span,
    arguments: Vec<OsString>,
}

impl Reader<'_> {
    fn suite(&mut self, table: &DeTable) -> Vec<Entry> {
        self.known(table, &["options", "model"]);
        let shared = match table.get("options") {
            Some(options) => self.options(options),
            None => Vec::new(),
        };
        let Some(models) = table.get("model") else {
            let text = "no model is listed";
            let error = Diagnostic::error_without_place(text);
            self.errors.push(error.help("begin each with [[model]]"));
            return Vec::new();
        };
        let Some(all) = models.get_ref().as_array() else {
            self.wrong(models, "a list of models: begin each with [[model]]");
            return Vec::new();
        };
        all.iter().filter_map(|m| self.entry(m, &shared)).collect()
    }

    fn entry(&mut self, model: &Value, shared: &[Given]) -> Option<Entry> {
        let Some(table) = model.get_ref().as_table() else {
            self.wrong(model, "a table: begin it with [[model]]");
            return None;
        };
        self.known(table, &["files", "options", "expect"]);
        let Some(files) = table.get("files") else {
            let error = Diagnostic::error(span(model), "a model without files");
            self.errors.push(error.help("add files = [\"model.pml\"]"));
            return None;
        };
        let names = self.files(files)?;
        let own = match table.get("options") {
            Some(options) => self.options(options),
            None => Vec::new(),
        };
        let expect = match table.get("expect") {
            Some(expect) => self.expect(expect)?,
            None => Expect::Nothing,
        };
        let inherited = shared
            .iter()
            .filter(|s| own.iter().all(|o| o.name != s.name));
        let given: Vec<&Given> = inherited.chain(&own).collect();
        let arguments: Vec<OsString> = given.iter().flat_map(|g| g.arguments.clone()).collect();
        if let Some(why) = self.refusal(&arguments) {
            let at = own.first().map_or(span(model), |o| o.span);
            self.errors.push(Diagnostic::error(at, why));
            return None;
        }
        Some(Entry {
            files: names,
            span: span(files),
            arguments,
            expect,
        })
    }

    /// One name, or a list of them.
    fn files(&mut self, value: &Value) -> Option<Vec<PathBuf>> {
        let texts = match value.get_ref() {
            DeValue::String(one) => Some(vec![one.to_string()]),
            DeValue::Array(all) => {
                let texts = all.iter().map(|v| v.get_ref().as_str().map(str::to_owned));
                texts
                    .collect::<Option<Vec<String>>>()
                    .filter(|t| !t.is_empty())
            }
            _ => None,
        };
        match texts {
            Some(texts) => Some(texts.iter().map(|t| self.folder.join(t)).collect()),
            None => {
                self.wrong(value, "a name, a pattern or a folder, or a list of them");
                None
            }
        }
    }

    fn expect(&mut self, value: &Value) -> Option<Expect> {
        if value.get_ref().as_str().is_some() {
            let expected = self.expected(value)?;
            return Some(Expect::Whole(expected));
        }
        let Some(table) = value.get_ref().as_table() else {
            self.wrong(value, "a verdict, or a table of claims with their verdicts");
            return None;
        };
        let mut claims = Vec::new();
        for (name, verdict) in table {
            let at = span_of(name.span());
            match self.expected(verdict)? {
                Expected::Error => {
                    let text = "a claim holds, is violated or unknown; a model has errors";
                    let error = Diagnostic::error(span(verdict), text);
                    self.errors
                        .push(error.help("write expect = \"error\" for the model"));
                    return None;
                }
                expected => claims.push((name.get_ref().to_string(), expected, at)),
            }
        }
        Some(Expect::Claims(claims))
    }

    fn expected(&mut self, value: &Value) -> Option<Expected> {
        let text = value.get_ref().as_str();
        let expected = text.and_then(Expected::of);
        if expected.is_none() {
            let text = text.unwrap_or_default();
            let error = Diagnostic::error(span(value), format!("`{text}` is no verdict"));
            let error = error.did_you_mean(text, Expected::WORDS);
            let help =
                "write \"holds\", \"violated\", \"unknown\", \"unknown(timeout)\" or \"error\"";
            self.errors.push(error.help(help));
        }
        expected
    }

    /// Options of `check` by their long names.
    fn options(&mut self, value: &Value) -> Vec<Given> {
        let Some(table) = value.get_ref().as_table() else {
            self.wrong(
                value,
                "a table of options, as in options = { timeout = \"30s\" }",
            );
            return Vec::new();
        };
        let mut given = Vec::new();
        for (name, value) in table {
            let at = span_of(name.span());
            let arguments = match self.option(name.get_ref(), value, at) {
                Ok(arguments) => arguments,
                Err(error) => {
                    self.errors.push(error);
                    continue;
                }
            };
            match self.refusal(&arguments) {
                Some(why) => self.errors.push(Diagnostic::error(span(value), why)),
                None => given.push(Given {
                    name: name.get_ref().to_string(),
                    span: at,
                    arguments,
                }),
            }
        }
        given
    }

    fn option(&self, name: &str, value: &Value, at: Span) -> Result<Vec<OsString>, Diagnostic> {
        if NOT_HERE.contains(&name) {
            let text = format!("--{name} is not for one model");
            return Err(Diagnostic::error(at, text).help("give it on the command line"));
        }
        let all = || self.check.get_arguments().filter_map(|a| a.get_long());
        let found = self
            .check
            .get_arguments()
            .find(|a| a.get_long() == Some(name));
        let Some(arg) = found else {
            let error = Diagnostic::error(at, format!("`suppose check` has no option --{name}"));
            let known: Vec<&str> = all().filter(|n| !NOT_HERE.contains(n)).collect();
            return Err(error.did_you_mean_or(name, known, "`suppose options` lists them all"));
        };
        let wrong = |what: &str| Err(Diagnostic::error(span(value), format!("expected {what}")));
        let takes_value = arg.get_action().takes_values();
        let needs_value = arg.get_num_args().is_none_or(|n| n.min_values() > 0);
        let texts = match value.get_ref() {
            DeValue::Boolean(true) if !takes_value || !needs_value => {
                return Ok(vec![format!("--{name}").into()]);
            }
            DeValue::Boolean(false) if !takes_value => return Ok(Vec::new()),
            _ if !takes_value => return wrong("true or false"),
            DeValue::Array(all) if matches!(arg.get_action(), ArgAction::Append) => {
                all.iter().map(|v| scalar(v.get_ref())).collect()
            }
            one => scalar(one).map(|t| vec![t]),
        };
        let Some(texts) = texts else {
            return wrong(match arg.get_action() {
                ArgAction::Append => "a text, a number, or a list of them",
                _ => "a text or a number",
            });
        };
        let is_file = READ.contains(&name) || WRITTEN.contains(&name);
        let argument = |text: String| {
            let mut argument = OsString::from(format!("--{name}="));
            match is_file {
                true => argument.push(self.folder.join(text)),
                false => argument.push(text),
            }
            argument
        };
        Ok(texts.into_iter().map(argument).collect())
    }

    /// What the command line has against these arguments.
    fn refusal(&self, arguments: &[OsString]) -> Option<String> {
        let program = [OsString::from("check")];
        let file = [OsString::from("--"), OsString::from("x")];
        let line = program.iter().chain(arguments).chain(&file);
        let error = self.check.clone().try_get_matches_from(line).err()?;
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        Some(first.trim_start_matches("error: ").to_owned())
    }

    /// Refuses a key that means nothing.
    fn known(&mut self, table: &DeTable, keys: &[&str]) {
        for (name, _) in table {
            let text = name.get_ref();
            if keys.contains(&text.as_ref()) {
                continue;
            }
            let at = span_of(name.span());
            let error = Diagnostic::error(at, format!("the key `{text}` means nothing here"));
            let near = nearest(text, keys.iter().copied());
            let is_option = self
                .check
                .get_arguments()
                .any(|a| a.get_long() == Some(text));
            self.errors.push(match (near, is_option) {
                (Some(near), _) => error.help(format!("did you mean `{near}`?")),
                (None, true) => error.help(format!("write options = {{ {text} = ... }}")),
                (None, false) => error.help(format!("the keys are {}", keys.join(", "))),
            });
        }
    }

    fn wrong(&mut self, value: &Value, expected: &str) {
        let error = Diagnostic::error(span(value), format!("expected {expected}"));
        let found = value.get_ref().type_str();
        self.errors
            .push(error.label(format!("this is of the type {found}")));
    }
}

/// A text or a number as text.
fn scalar(value: &DeValue) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        _ => None,
    }
}

fn span(value: &Value) -> Span {
    span_of(value.span())
}

fn span_of(range: std::ops::Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
