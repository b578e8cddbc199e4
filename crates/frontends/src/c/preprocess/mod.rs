//! The preprocessor: macros and conditions. Headers are not read; what programs use of the usual
//! ones is known here.

mod condition;
mod expand;
mod headers;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use suppose_source::{Diagnostic, Span};

use super::lexer::{Kind, Texts, Token};
use super::types::DataModel;

/// How many tokens macros may make of one program.
const EXPANDED: usize = 4 << 20;

struct Macro {
    /// If it is written like a function.
    parameters: Option<Vec<Rc<str>>>,
    /// Do further arguments go to `__VA_ARGS__`, the last parameter?
    variadic: bool,
    body: Vec<Token>,
}

/// A part of `#if`.
struct Branch {
    start: Span,
    active: bool,
    /// Has an earlier part been read, or is the whole not read?
    taken: bool,
    had_else: bool,
}

pub(super) struct Preprocessor<'a> {
    texts: &'a mut Texts,
    model: DataModel,
    macros: FxHashMap<Rc<str>, Rc<Macro>>,
    /// Chains of macros that a token comes from; number 0 is the empty chain.
    origins: Vec<(Rc<str>, u32)>,
    branches: Vec<Branch>,
    out: Vec<Token>,
    expanded: usize,
}

/// The tokens without newlines, directives and macros.
pub(super) fn preprocess(
    tokens: &[Token],
    texts: &mut Texts,
    model: DataModel,
    defines: &[(String, i64)],
) -> Result<Vec<Token>, Diagnostic> {
    let none: Rc<str> = texts.get("");
    let mut it = Preprocessor {
        texts,
        model,
        macros: FxHashMap::default(),
        origins: vec![(none, 0)],
        branches: Vec::new(),
        out: Vec::new(),
        expanded: 0,
    };
    for (name, value) in defines {
        it.define_text(name, &format!("({value})"));
    }
    it.lines(tokens)?;
    match it.branches.last() {
        None => Ok(it.out),
        Some(open) => Err(Diagnostic::error(open.start, "this `#if` is not closed")
            .label("starts here")
            .help("close it with `#endif`")),
    }
}

impl Preprocessor<'_> {
    fn is_read(&self) -> bool {
        self.branches.last().is_none_or(|b| b.active)
    }

    fn lines(&mut self, tokens: &[Token]) -> Result<(), Diagnostic> {
        let mut at = 0;
        while at < tokens.len() {
            let length = |from: usize| {
                let end = tokens[from..].iter().position(|t| t.kind == Kind::Newline);
                end.map_or(tokens.len(), |n| from + n)
            };
            if tokens[at].is("#") {
                let end = length(at);
                self.directive(&tokens[at], &tokens[at + 1..end])?;
                at = end + 1;
                continue;
            }
            // The text up to the next directive, as one: arguments of macros may go over lines.
            let start = at;
            while at < tokens.len() && !tokens[at].is("#") {
                at = length(at) + 1;
            }
            if self.is_read() {
                self.text(&tokens[start..at.min(tokens.len())])?;
            }
        }
        Ok(())
    }

    fn directive(&mut self, hash: &Token, line: &[Token]) -> Result<(), Diagnostic> {
        let Some(word) = line.first() else {
            return Ok(());
        };
        let rest = &line[1..];
        let place = hash.span.to(word.span);
        match &*word.text {
            "if" | "ifdef" | "ifndef" => self.open(place, &word.text, rest),
            "elif" | "else" | "endif" => self.next_branch(place, &word.text, rest),
            _ if !self.is_read() => Ok(()),
            "define" => self.define(place, rest),
            "undef" => {
                let name = macro_name(place, rest)?;
                self.macros.remove(&name.text);
                Ok(())
            }
            "include" => self.include(place, rest),
            "error" => Err(Diagnostic::error(
                place,
                "the program stops here with `#error`",
            )),
            // `# 12 "file.c"` is left by a preprocessor that ran before.
            "pragma" | "line" | "warning" | "ident" => Ok(()),
            _ if word.kind == Kind::Number => Ok(()),
            other => {
                let message = format!("unknown directive `#{other}`");
                Err(Diagnostic::error(place, message).label("not read here"))
            }
        }
    }

    fn open(&mut self, start: Span, word: &str, rest: &[Token]) -> Result<(), Diagnostic> {
        let outside = self.is_read();
        let active = outside
            && match word {
                "if" => self.condition(start, rest)?,
                _ => {
                    let known = self.is_known(&macro_name(start, rest)?.text);
                    known == (word == "ifdef")
                }
            };
        self.branches.push(Branch {
            start,
            active,
            taken: active || !outside,
            had_else: false,
        });
        Ok(())
    }

    fn next_branch(&mut self, place: Span, word: &str, rest: &[Token]) -> Result<(), Diagnostic> {
        let misplaced = || {
            let message = format!("`#{word}` without `#if`");
            Diagnostic::error(place, message).label("no `#if` is open here")
        };
        if word == "endif" {
            return self.branches.pop().map(|_| ()).ok_or_else(misplaced);
        }
        let taken = match self.branches.last() {
            Some(branch) if !branch.had_else => branch.taken,
            _ => return Err(misplaced()),
        };
        let active = !taken && (word == "else" || self.condition(place, rest)?);
        if let Some(branch) = self.branches.last_mut() {
            branch.active = active;
            branch.taken |= active;
            branch.had_else = word == "else";
        }
        Ok(())
    }

    fn is_known(&self, name: &str) -> bool {
        self.macros.contains_key(name)
    }

    fn define(&mut self, place: Span, line: &[Token]) -> Result<(), Diagnostic> {
        let name = macro_name(place, line)?.clone();
        let mut rest = &line[1..];
        let mut parameters = None;
        let mut variadic = false;
        if rest.first().is_some_and(|t| t.is("(") && !t.spaced) {
            let Some(end) = rest.iter().position(|t| t.is(")")) else {
                return Err(Diagnostic::error(
                    name.span,
                    "the parameters of this macro are not closed",
                )
                .help("close them with `)`"));
            };
            let mut names = Vec::new();
            for token in rest[1..end].iter().filter(|t| !t.is(",")) {
                variadic = token.is("...");
                match token.kind {
                    Kind::Word => names.push(Rc::clone(&token.text)),
                    _ if variadic => names.push(self.texts.get("__VA_ARGS__")),
                    _ => {
                        return Err(Diagnostic::error(
                            token.span,
                            "expected the name of a parameter",
                        ));
                    }
                }
            }
            parameters = Some(names);
            rest = &rest[end + 1..];
        }
        let found = Macro {
            parameters,
            variadic,
            body: rest.to_vec(),
        };
        self.macros.insert(name.text, Rc::new(found));
        Ok(())
    }

    /// As `#define name text`.
    fn define_text(&mut self, name: &str, text: &str) {
        let body = super::lexer::lex(text, Default::default(), self.texts).unwrap_or_default();
        let name = self.texts.get(name);
        let found = Macro {
            parameters: None,
            variadic: false,
            body,
        };
        self.macros.insert(name, Rc::new(found));
    }

    fn include(&mut self, place: Span, line: &[Token]) -> Result<(), Diagnostic> {
        let name: String = line.iter().map(|t| &*t.text).collect();
        let bare = name.trim_matches(['<', '>', '"']);
        if self.header(bare) || name.starts_with('<') {
            return Ok(());
        }
        let message = format!("the file {name} is not read");
        Err(Diagnostic::error(place, message)
            .label("only the headers of the C library may be included")
            .help("run the preprocessor first: `gcc -E -P program.c > program.i`"))
    }
}

fn macro_name(place: Span, line: &[Token]) -> Result<&Token, Diagnostic> {
    match line.first() {
        Some(token) if token.kind == Kind::Word => Ok(token),
        other => Err(Diagnostic::error(
            other.map_or(place, |t| t.span),
            "expected the name of a macro",
        )),
    }
}
