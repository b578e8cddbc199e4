//! Macro expansion.

use std::rc::Rc;

use logos::Logos;
use suppose_source::{Diagnostic, Span};

use super::{Macro, Pending, Preprocessor};
use crate::promela::lexer::{Lexeme, Sym, Token, counted};

/// What is still to be expanded: what macros gave, and then the text behind.
pub(super) struct Input<'t> {
    stack: Vec<Pending>,
    rest: &'t [Lexeme],
    at: usize,
}

/// A token that no macro replaces.
pub(super) struct Next {
    pub(super) pending: Pending,
    pub(super) from_text: bool,
}

impl<'t> Input<'t> {
    pub(super) fn new(rest: &'t [Lexeme]) -> Self {
        let stack = Vec::new();
        Input { stack, rest, at: 0 }
    }

    pub(super) fn push(&mut self, pending: Pending) {
        self.stack.push(pending);
    }

    /// Nothing left that a macro gave?
    pub(super) fn is_empty(&self) -> bool {
        self.stack.is_empty()
    }

    /// How much of the text was used.
    pub(super) fn used(&self) -> usize {
        self.at
    }

    fn take(&mut self) -> Option<Pending> {
        if let Some(pending) = self.stack.pop() {
            return Some(pending);
        }
        while let Some(lexeme) = self.rest.get(self.at) {
            self.at += 1;
            if lexeme.token != Token::Newline {
                let (lexeme, origin) = (*lexeme, 0);
                return Some(Pending { lexeme, origin });
            }
        }
        None
    }

    fn opens(&self) -> bool {
        let round = |l: &Lexeme| l.token == Token::LeftRound;
        if let Some(pending) = self.stack.last() {
            return round(&pending.lexeme);
        }
        let rest = self.rest.get(self.at..).unwrap_or(&[]);
        rest.iter()
            .find(|l| l.token != Token::Newline)
            .is_some_and(round)
    }
}

impl Preprocessor<'_, '_> {
    /// Does a macro of this name make a token of that origin?
    fn is_inside(&self, name: Sym, mut origin: u32) -> bool {
        while origin != 0 {
            let (from, outer) = self.origins[origin as usize];
            if from == name {
                return true;
            }
            origin = outer;
        }
        false
    }

    /// The next token that is no macro.
    pub(super) fn next_expanded(
        &mut self,
        input: &mut Input<'_>,
    ) -> Result<Option<Next>, Diagnostic> {
        loop {
            let from_text = input.is_empty();
            let Some(pending) = input.take() else {
                return Ok(None);
            };
            let lexeme = pending.lexeme;
            let found = match lexeme.token {
                Token::Word => self.macros.get(&lexeme.text).cloned(),
                _ => None,
            };
            let Some(found) = found.filter(|_| !self.is_inside(lexeme.text, pending.origin)) else {
                return Ok(Some(Next { pending, from_text }));
            };
            let arguments = match &found.parameters {
                None => Vec::new(),
                Some(_) if !input.opens() => return Ok(Some(Next { pending, from_text })),
                Some(parameters) => {
                    let arguments = self.arguments(lexeme, input)?;
                    check_count(
                        self.names.text(lexeme.text),
                        lexeme.span,
                        parameters,
                        &arguments,
                    )?;
                    arguments
                }
            };
            self.origins.push((lexeme.text, pending.origin));
            let origin = u32::try_from(self.origins.len() - 1).unwrap_or(u32::MAX);
            let made = self.substitute(&found, &arguments, lexeme.span, origin)?;
            self.count(made.len() + 1, lexeme.span)?;
            input.stack.extend(made.into_iter().rev());
        }
    }

    fn arguments(
        &mut self,
        name: Lexeme,
        input: &mut Input<'_>,
    ) -> Result<Vec<Vec<Pending>>, Diagnostic> {
        input.take();
        let mut arguments = vec![Vec::new()];
        let mut open = 0usize;
        while let Some(mut pending) = input.take() {
            match pending.lexeme.token {
                Token::RightRound if open == 0 => return Ok(arguments),
                Token::Comma if open == 0 => {
                    arguments.push(Vec::new());
                    continue;
                }
                Token::LeftRound => open += 1,
                Token::RightRound => open -= 1,
                _ => {}
            }
            pending.lexeme.newline = false;
            if let Some(last) = arguments.last_mut() {
                last.push(pending);
            }
        }
        let message = format!(
            "the arguments of the macro `{}` are not closed",
            self.names.text(name.text)
        );
        Err(Diagnostic::error(name.span, message)
            .label("used here")
            .help("close them with `)`"))
    }

    fn substitute(
        &mut self,
        found: &Rc<Macro>,
        arguments: &[Vec<Pending>],
        span: Span,
        origin: u32,
    ) -> Result<Vec<Pending>, Diagnostic> {
        let parameters = found.parameters.as_deref().unwrap_or(&[]);
        let argument = |text: Sym| parameters.iter().position(|p| *p == text);
        let mut made: Vec<Pending> = Vec::new();
        let mut at = 0;
        while let Some(lexeme) = found.body.get(at) {
            at += 1;
            let pasted = found
                .body
                .get(at)
                .is_some_and(|l| l.token == Token::HashHash);
            if lexeme.token == Token::HashHash {
                self.paste(
                    &mut made,
                    &found.body,
                    &mut at,
                    arguments,
                    &argument,
                    span,
                    origin,
                );
                continue;
            }
            if lexeme.token == Token::Hash {
                let of = found.body.get(at).and_then(|l| argument(l.text));
                if let Some(number) = of {
                    at += 1;
                    made.push(self.stringify(&arguments[number], span, origin));
                    continue;
                }
            }
            match argument(lexeme.text).filter(|_| lexeme.token == Token::Word) {
                Some(number) if pasted => made.extend(arguments[number].iter().copied()),
                Some(number) => {
                    let full = self.expand_all(&arguments[number])?;
                    self.count(full.len(), span)?;
                    made.extend(full);
                }
                None => made.push(Pending {
                    lexeme: Lexeme {
                        span,
                        newline: false,
                        ..*lexeme
                    },
                    origin,
                }),
            }
        }
        Ok(made)
    }

    /// An argument is expanded by itself before it is put in.
    fn expand_all(&mut self, argument: &[Pending]) -> Result<Vec<Pending>, Diagnostic> {
        let is_macro =
            |p: &Pending| p.lexeme.token == Token::Word && self.macros.contains_key(&p.lexeme.text);
        if !argument.iter().any(is_macro) {
            return Ok(argument.to_vec());
        }
        let mut input = Input::new(&[]);
        input.stack.extend(argument.iter().rev().copied());
        let mut full = Vec::new();
        while let Some(next) = self.next_expanded(&mut input)? {
            full.push(next.pending);
        }
        Ok(full)
    }

    fn stringify(&mut self, argument: &[Pending], span: Span, origin: u32) -> Pending {
        let words: Vec<&str> = argument
            .iter()
            .map(|p| self.names.text(p.lexeme.text))
            .collect();
        let text = format!("\"{}\"", words.join(" ").replace('"', "'"));
        let lexeme = Lexeme {
            token: Token::Text,
            text: self.names.intern(&text),
            span,
            newline: false,
            argument: false,
        };
        Pending { lexeme, origin }
    }

    #[allow(clippy::too_many_arguments)]
    fn paste(
        &mut self,
        made: &mut Vec<Pending>,
        body: &[Lexeme],
        at: &mut usize,
        arguments: &[Vec<Pending>],
        argument: &impl Fn(Sym) -> Option<usize>,
        span: Span,
        origin: u32,
    ) {
        let Some(lexeme) = body.get(*at) else {
            return;
        };
        *at += 1;
        let right: Vec<Pending> = match argument(lexeme.text) {
            Some(number) => arguments[number].clone(),
            None => vec![Pending {
                lexeme: Lexeme { span, ..*lexeme },
                origin,
            }],
        };
        let mut right = right.into_iter();
        if let (Some(left), Some(first)) = (made.pop(), right.next()) {
            let text = format!(
                "{}{}",
                self.names.text(left.lexeme.text),
                self.names.text(first.lexeme.text)
            );
            let mut lexer = Token::lexer(&text);
            match (lexer.next(), lexer.next()) {
                (Some(Ok(token)), None) => made.push(Pending {
                    lexeme: Lexeme {
                        token,
                        text: self.names.intern(&text),
                        ..left.lexeme
                    },
                    origin,
                }),
                _ => made.extend([left, first]),
            }
        }
        made.extend(right);
    }
}

fn check_count(
    name: &str,
    span: Span,
    parameters: &[Sym],
    arguments: &[Vec<Pending>],
) -> Result<(), Diagnostic> {
    let given = match arguments {
        [only] if only.is_empty() && parameters.is_empty() => 0,
        _ => arguments.len(),
    };
    if given == parameters.len() {
        return Ok(());
    }
    let message = format!(
        "the macro `{name}` takes {}, found {given}",
        counted(parameters.len(), "argument")
    );
    Err(Diagnostic::error(span, message).label("used here"))
}
