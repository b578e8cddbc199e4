//! Macros put in their place.

use std::rc::Rc;

use suppose_source::{Diagnostic, Span};

use super::{EXPANDED, Macro, Preprocessor};
use crate::c::lexer::{Kind, Token, lex};

/// A token on its way, with the macros that it comes from.
#[derive(Clone)]
struct Pending {
    token: Token,
    origin: u32,
}

/// What is still to be read, the next one last.
type Stack = Vec<Pending>;

impl Preprocessor<'_> {
    /// Text without directives.
    pub(super) fn text(&mut self, tokens: &[Token]) -> Result<(), Diagnostic> {
        let out = self.expanded(tokens)?;
        self.out.extend(out);
        Ok(())
    }

    pub(super) fn expanded(&mut self, tokens: &[Token]) -> Result<Vec<Token>, Diagnostic> {
        let pending = |t: &Token| Pending {
            token: t.clone(),
            origin: 0,
        };
        let stack = tokens.iter().rev().filter(|t| t.kind != Kind::Newline);
        let done = self.expand(stack.map(pending).collect())?;
        Ok(done.into_iter().map(|p| p.token).collect())
    }

    fn is_inside(&self, name: &str, mut origin: u32) -> bool {
        while origin != 0 {
            let (found, next) = &self.origins[origin as usize];
            if &**found == name {
                return true;
            }
            origin = *next;
        }
        false
    }

    fn expand(&mut self, mut stack: Stack) -> Result<Vec<Pending>, Diagnostic> {
        let mut out = Vec::new();
        while let Some(next) = stack.pop() {
            let found = match next.token.kind {
                Kind::Word => self.macros.get(&next.token.text).cloned(),
                _ => None,
            };
            let called = stack.last().is_some_and(|p| p.token.is("("));
            let found = found.filter(|m| {
                (m.parameters.is_none() || called) && !self.is_inside(&next.token.text, next.origin)
            });
            let Some(found) = found else {
                out.push(next);
                continue;
            };
            let name = next.token;
            let arguments = match &found.parameters {
                None => Vec::new(),
                Some(parameters) => {
                    stack.pop();
                    arguments(&name, parameters.len(), found.variadic, &mut stack)?
                }
            };
            self.origins.push((Rc::clone(&name.text), next.origin));
            let origin = u32::try_from(self.origins.len() - 1).unwrap_or(u32::MAX);
            let made = self.substitute(&found, &arguments, name.span, origin)?;
            self.count(made.len() + 1, name.span)?;
            stack.extend(made.into_iter().rev());
        }
        Ok(out)
    }

    /// The body, with arguments in place of parameters. What comes from the body points to the use.
    fn substitute(
        &mut self,
        found: &Macro,
        arguments: &[Vec<Pending>],
        span: Span,
        origin: u32,
    ) -> Result<Vec<Pending>, Diagnostic> {
        let parameters = found.parameters.as_deref().unwrap_or(&[]);
        let argument = |t: &Token| {
            let number = parameters.iter().position(|p| *p == t.text)?;
            (t.kind == Kind::Word).then_some(number)
        };
        let mut made: Vec<Pending> = Vec::new();
        let mut at = 0;
        let mut pasting = false;
        while let Some(token) = found.body.get(at) {
            at += 1;
            if token.is("##") {
                pasting = true;
                continue;
            }
            let stringed = token.is("#") && found.parameters.is_some();
            let quoted = found.body.get(at).filter(|_| stringed).and_then(argument);
            if quoted.is_some() {
                at += 1;
                let text = self.texts.get("\"\"");
                made.push(own(token, Kind::Text, text, span, origin));
                continue;
            }
            let before_paste = found.body.get(at).is_some_and(|t| t.is("##"));
            let mut piece = match argument(token) {
                Some(n) if pasting || before_paste => arguments[n].clone(),
                Some(n) => {
                    let full = self.expand(arguments[n].iter().rev().cloned().collect())?;
                    self.count(full.len(), span)?;
                    full
                }
                None => vec![own(token, token.kind, Rc::clone(&token.text), span, origin)],
            };
            if pasting && !made.is_empty() && !piece.is_empty() {
                self.paste(&mut made, piece.remove(0));
            }
            pasting = false;
            made.extend(piece);
        }
        Ok(made)
    }

    fn paste(&mut self, made: &mut Vec<Pending>, right: Pending) {
        let Some(left) = made.pop() else {
            return;
        };
        let text = format!("{}{}", left.token.text, right.token.text);
        match lex(&text, left.token.span.file, self.texts).as_deref() {
            Ok([one]) => {
                let token = Token {
                    span: left.token.span,
                    ..one.clone()
                };
                made.push(Pending {
                    token,
                    origin: left.origin,
                });
            }
            _ => made.extend([left, right]),
        }
    }

    fn count(&mut self, tokens: usize, span: Span) -> Result<(), Diagnostic> {
        self.expanded = self.expanded.saturating_add(tokens);
        if self.expanded <= EXPANDED {
            return Ok(());
        }
        let message = format!("macros make more than {EXPANDED} tokens of this program");
        Err(Diagnostic::error(span, message).label("the expansion starts here"))
    }
}

fn own(token: &Token, kind: Kind, text: Rc<str>, span: Span, origin: u32) -> Pending {
    let token = Token {
        kind,
        text,
        span,
        spaced: token.spaced,
    };
    Pending { token, origin }
}

/// The tokens up to the closing parenthesis; the opening one is taken.
fn arguments(
    name: &Token,
    count: usize,
    variadic: bool,
    stack: &mut Stack,
) -> Result<Vec<Vec<Pending>>, Diagnostic> {
    let mut arguments: Vec<Vec<Pending>> = vec![Vec::new()];
    let mut open = 0usize;
    loop {
        let Some(next) = stack.pop() else {
            let message = format!("the arguments of the macro `{}` are not closed", name.text);
            return Err(Diagnostic::error(name.span, message)
                .label("used here")
                .help("close them with `)`"));
        };
        if next.token.is(")") && open == 0 {
            break;
        }
        let last_takes_all = variadic && arguments.len() == count;
        if next.token.is(",") && open == 0 && !last_takes_all {
            arguments.push(Vec::new());
            continue;
        }
        open += usize::from(next.token.is("("));
        open -= usize::from(next.token.is(")"));
        if let Some(last) = arguments.last_mut() {
            last.push(next);
        }
    }
    if count == 0 && arguments.iter().all(Vec::is_empty) {
        arguments.clear();
    }
    if variadic && arguments.len() + 1 == count {
        arguments.push(Vec::new());
    }
    if arguments.len() == count {
        return Ok(arguments);
    }
    let message = format!(
        "the macro `{}` takes {count} arguments, found {}",
        name.text,
        arguments.len()
    );
    Err(Diagnostic::error(name.span, message).label("used here"))
}
