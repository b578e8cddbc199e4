//! Tokens to statements. Names of types and of enumeration constants are resolved here, since the
//! grammar needs them.

mod declaration;
mod expression;
mod literal;
mod statement;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use suppose_number::Int;
use suppose_source::{Depth, Diagnostic, Level, ParserLimits, Span};

use super::ast::{Expr, Item, Shapes, Type};
use super::lexer::{Kind, Token};
use super::types::{IntType, Semantics};

pub(super) use literal::literal_value;

/// How deep an expression may be nested, counting the first operators in a row.
const EXPRESSION: usize = 400;

/// What a name is to the grammar.
#[derive(Clone)]
enum Named {
    Type(Type),
    Constant(Int, IntType),
    Other,
}

pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    scopes: Vec<FxHashMap<Rc<str>, Named>>,
    depth: Depth,
    semantics: Semantics,
    end: Token,
    shapes: Shapes,
    /// Lengths of arrays that are no constants.
    lengths: Vec<Expr>,
}

/// A program as it is written.
pub(super) struct Parsed {
    pub(super) items: Vec<Item>,
    pub(super) shapes: Shapes,
    pub(super) lengths: Vec<Expr>,
}

type Result<T> = std::result::Result<T, Diagnostic>;

/// The declarations and functions of a program.
pub(super) fn parse(
    tokens: Vec<Token>,
    end: Span,
    semantics: Semantics,
    limits: &ParserLimits,
) -> Result<Parsed> {
    let end = Token {
        kind: Kind::End,
        text: "".into(),
        span: end,
        spaced: true,
    };
    let mut parser = Parser {
        tokens,
        at: 0,
        scopes: vec![FxHashMap::default()],
        depth: Depth::new(limits.depth),
        semantics,
        end,
        shapes: Shapes::default(),
        lengths: Vec::new(),
    };
    for (name, ty) in KNOWN_TYPES {
        let ty = Named::Type(Type::Int(*ty));
        parser.scopes[0].insert((*name).into(), ty);
    }
    let list = Type::Other("a list of arguments");
    for name in ["__builtin_va_list", "va_list"] {
        parser.scopes[0].insert(name.into(), Named::Type(list));
    }
    let mut items = Vec::new();
    while parser.peek().kind != Kind::End {
        parser.item(&mut items)?;
    }
    Ok(Parsed {
        items,
        shapes: parser.shapes,
        lengths: parser.lengths,
    })
}

/// Names of types that headers declare.
const KNOWN_TYPES: &[(&str, IntType)] = &[
    ("size_t", IntType::UnsignedLong),
    ("ssize_t", IntType::Long),
    ("int8_t", IntType::SignedChar),
    ("int16_t", IntType::Short),
    ("int32_t", IntType::Int),
    ("int64_t", IntType::LongLong),
    ("uint8_t", IntType::UnsignedChar),
    ("uint16_t", IntType::UnsignedShort),
    ("uint32_t", IntType::UnsignedInt),
    ("uint64_t", IntType::UnsignedLongLong),
    ("intptr_t", IntType::Long),
    ("uintptr_t", IntType::UnsignedLong),
    ("ptrdiff_t", IntType::Long),
    ("wchar_t", IntType::Int),
];

impl Parser {
    fn peek(&self) -> &Token {
        self.tokens.get(self.at).unwrap_or(&self.end)
    }

    fn peek_at(&self, further: usize) -> &Token {
        self.tokens.get(self.at + further).unwrap_or(&self.end)
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn takes(&mut self, punct: &str) -> bool {
        let found = self.peek().is(punct);
        self.at += usize::from(found);
        found
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let found = self.peek().is_word(word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, punct: &str) -> Result<Span> {
        if self.peek().is(punct) {
            return Ok(self.next().span);
        }
        Err(self.expected(&format!("`{punct}`")))
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let token = self.peek();
        let found = match token.kind {
            Kind::End => "the end of the program".to_owned(),
            Kind::Text => "a text".to_owned(),
            _ => format!("`{}`", token.text),
        };
        Diagnostic::error(token.span, format!("expected {what}, found {found}")).label("here")
    }

    fn last_span(&self) -> Span {
        let last = self.at.checked_sub(1).and_then(|i| self.tokens.get(i));
        last.map_or(self.end.span, |t| t.span)
    }

    fn deeper(&self) -> Result<Level> {
        (self.depth.enter()).map_err(|deep| deep.at(self.peek().span))
    }

    fn lookup(&self, name: &str) -> Option<&Named> {
        self.scopes.iter().rev().find_map(|s| s.get(name))
    }

    fn declare(&mut self, name: &Rc<str>, named: Named) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(Rc::clone(name), named);
        }
    }

    /// Skips to the partner of an opening bracket that is next.
    fn skip_group(&mut self) -> Result<()> {
        let open = self.peek().span;
        let mut depth = 0usize;
        loop {
            let token = self.next();
            match (token.kind, &*token.text) {
                (Kind::End, _) => {
                    return Err(
                        Diagnostic::error(open, "this bracket is not closed").label("opened here")
                    );
                }
                (Kind::Punct, "(" | "[" | "{") => depth += 1,
                (Kind::Punct, ")" | "]" | "}") => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }
}
