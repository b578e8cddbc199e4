//! Lines that start with `#`.

use std::rc::Rc;

use suppose_source::{Diagnostic, SourceFile, Span};

use super::{Branch, INCLUDE_DEPTH, Macro, Preprocessor};
use crate::promela::lexer::{Lexeme, Sym, Token};

/// How many files a program may be made of.
const FILES: usize = 1000;

impl Preprocessor<'_, '_> {
    /// A line without its `#` and its newline.
    pub(super) fn directive(
        &mut self,
        hash: Span,
        line: &[Lexeme],
        depth: usize,
    ) -> Result<(), Diagnostic> {
        let Some((word, rest)) = line.split_first() else {
            return Ok(());
        };
        let name = self.names.text(word.text).to_owned();
        let place = hash.to(word.span);
        let odd = line.iter().find(|l| l.token == Token::Strange);
        match name.as_str() {
            "if" | "ifdef" | "ifndef" => self.open(&name, place, rest),
            "elif" | "else" | "endif" => self.turn(&name, place, rest),
            _ if !self.is_read() => Ok(()),
            "ident" | "line" | "pragma" | "warning" => Ok(()),
            "define" | "undef" | "include" if odd.is_some() => {
                Err(self.strange(odd.unwrap_or(word)))
            }
            "define" => self.define_macro(place, rest),
            "undef" => {
                let name = self.name_of(place, rest)?;
                self.macros.remove(&name);
                Ok(())
            }
            "include" => self.include(place, rest, depth),
            "error" => {
                let words: Vec<&str> = rest.iter().map(|l| self.names.text(l.text)).collect();
                let message = format!("`#error` in the program: {}", words.join(" "));
                Err(Diagnostic::error(place, message).label("the program refuses to be read so"))
            }
            _ if word.token == Token::Number => Ok(()),
            _ => Err(Diagnostic::error(place, format!("unknown directive `#{name}`"))
                .label("expected `#define`, `#undef`, `#include`, `#if`, `#ifdef`, `#ifndef`, `#elif`, `#else` or `#endif`")),
        }
    }

    fn name_of(&self, place: Span, rest: &[Lexeme]) -> Result<Sym, Diagnostic> {
        match rest.first() {
            Some(l) if l.token == Token::Word => Ok(l.text),
            _ => Err(Diagnostic::error(place, "expected the name of a macro")
                .label("a name must follow")),
        }
    }

    fn open(&mut self, word: &str, place: Span, rest: &[Lexeme]) -> Result<(), Diagnostic> {
        let holds = match word {
            _ if !self.is_read() => false,
            "if" => self.condition(place, rest)?,
            _ => {
                let name = self.name_of(place, rest)?;
                self.macros.contains_key(&name) == (word == "ifdef")
            }
        };
        self.branches.push(Branch {
            start: place,
            active: holds,
            // Inside a branch that is not read, no branch is.
            taken: holds || !self.is_read(),
            had_else: false,
        });
        Ok(())
    }

    fn turn(&mut self, word: &str, place: Span, rest: &[Lexeme]) -> Result<(), Diagnostic> {
        let Some(mut branch) = self.branches.pop() else {
            let message = format!("`#{word}` without `#if`");
            return Err(Diagnostic::error(place, message).label("nothing is open here"));
        };
        if word == "endif" {
            return Ok(());
        }
        if branch.had_else {
            let message = format!("`#{word}` after `#else`");
            return Err(Diagnostic::error(place, message)
                .label("expected `#endif`")
                .note(branch.start, "the condition starts here"));
        }
        branch.had_else = word == "else";
        branch.active = !branch.taken && (branch.had_else || self.condition(place, rest)?);
        branch.taken |= branch.active;
        self.branches.push(branch);
        Ok(())
    }

    fn define_macro(&mut self, place: Span, rest: &[Lexeme]) -> Result<(), Diagnostic> {
        let name = self.name_of(place, rest)?;
        let (head, mut body) = (rest[0], &rest[1..]);
        let adjacent = |l: &Lexeme| l.token == Token::LeftRound && l.span.start == head.span.end;
        let mut parameters = None;
        if body.first().is_some_and(adjacent) {
            let Some(close) = body.iter().position(|l| l.token == Token::RightRound) else {
                return Err(
                    Diagnostic::error(head.span, "the parameters are not closed")
                        .label("expected `)` on the same line"),
                );
            };
            parameters = Some(self.parameters(&body[1..close])?);
            body = &body[close + 1..];
        }
        let body = body.to_vec();
        self.macros
            .insert(name, Rc::new(Macro { parameters, body }));
        Ok(())
    }

    fn parameters(&self, list: &[Lexeme]) -> Result<Vec<Sym>, Diagnostic> {
        let mut parameters = Vec::new();
        for (number, lexeme) in list.iter().enumerate() {
            match (number % 2, lexeme.token) {
                (0, Token::Word) => parameters.push(lexeme.text),
                (1, Token::Comma) => {}
                (_, Token::Ellipsis) => {
                    return Err(Diagnostic::error(
                        lexeme.span,
                        "macros with `...` are not supported",
                    )
                    .label("expected the name of a parameter")
                    .help("give the macro a fixed number of parameters"));
                }
                _ => {
                    return Err(
                        Diagnostic::error(lexeme.span, "this is not a list of parameters")
                            .label("expected names with `,` between them"),
                    );
                }
            }
        }
        Ok(parameters)
    }

    fn include(&mut self, place: Span, rest: &[Lexeme], depth: usize) -> Result<(), Diagnostic> {
        let (name, span) = match rest.first() {
            Some(l) if l.token == Token::Text => {
                let quoted = self.names.text(l.text);
                (quoted.trim_matches('"').to_owned(), l.span)
            }
            _ => {
                return Err(Diagnostic::error(place, "expected the name of a file")
                    .label("as in `#include \"file\"`")
                    .help("files of the system (`<file>`) are not read"));
            }
        };
        let refuse = |message: String, help: &str| {
            Err(Diagnostic::error(span, message)
                .label("included here")
                .help(help))
        };
        let outside = name.starts_with(['/', '\\'])
            || name.contains(':')
            || name.split(['/', '\\']).any(|part| part == "..");
        if outside {
            return refuse(
                format!("`{name}` is outside the program's folder"),
                "only files of the program's own folder are read",
            );
        }
        if depth + 1 > INCLUDE_DEPTH || self.files >= FILES {
            return refuse(
                format!("files include each other more than {INCLUDE_DEPTH} deep"),
                "look for a file that includes itself",
            );
        }
        let text = match (self.includes)(&name) {
            Ok(text) => text,
            Err(why) => {
                return refuse(
                    format!("`{name}` cannot be read: {why}"),
                    "the name is taken from the program's own folder",
                );
            }
        };
        self.files += 1;
        let file = self.sources.add(SourceFile::new(name, text));
        self.file(file, depth + 1).map(|_| ())
    }
}
