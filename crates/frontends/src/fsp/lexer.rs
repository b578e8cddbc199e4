//! Text to tokens.

use logos::Logos;
use suppose_source::{Diagnostic, FileId, Span, open_comment, unexpected_character};

/// What a token is. The text of names, numbers and strings is in the source.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{feff}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(super) enum Token {
    #[token("/*", block_comment)]
    Comment,
    #[regex("[A-Z][A-Za-z0-9_]*")]
    Upper,
    #[regex("[a-z_][A-Za-z0-9_]*")]
    Lower,
    #[regex("[0-9][0-9A-Za-z_]*")]
    Number,
    #[regex("\"[^\"\n]*\"")]
    Text,

    #[token("const")]
    Const,
    #[token("range")]
    Range,
    #[token("set")]
    Set,
    #[token("property")]
    Property,
    #[token("progress")]
    Progress,
    #[token("fluent")]
    Fluent,
    #[token("initially")]
    Initially,
    #[token("assert")]
    Assert,
    #[token("constraint")]
    Constraint,
    #[token("ltl_property")]
    LtlProperty,
    #[token("rigid")]
    Rigid,
    #[token("exists")]
    Exists,
    #[token("forall")]
    Forall,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("when")]
    When,
    #[token("deterministic")]
    Deterministic,
    #[token("minimal")]
    Minimal,
    #[token("compose")]
    Compose,
    #[token("menu")]
    Menu,
    #[token("animation")]
    Animation,
    #[token("actions")]
    Actions,
    #[token("controls")]
    Controls,
    #[token("target")]
    Target,
    #[token("import")]
    Import,
    #[token("include")]
    Include,

    #[token("(")]
    LeftRound,
    #[token(")")]
    RightRound,
    #[token("[")]
    LeftSquare,
    #[token("]")]
    RightSquare,
    #[token("{")]
    LeftCurly,
    #[token("}")]
    RightCurly,
    #[token("[]")]
    Always,
    #[token("<>")]
    Eventually,
    #[token("<->")]
    Equivalent,
    #[token("->")]
    Arrow,
    #[token("::")]
    ColonColon,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token("..")]
    DotDot,
    #[token(".")]
    Dot,
    #[token("==")]
    Equal,
    #[token("=")]
    Becomes,
    #[token("!=")]
    NotEqual,
    #[token("!")]
    Not,
    #[token("<=")]
    LessEqual,
    #[token("<<")]
    ShiftLeft,
    #[token("<")]
    Less,
    #[token(">=")]
    GreaterEqual,
    #[token(">>")]
    ShiftRight,
    #[token(">")]
    Greater,
    #[token("||")]
    OrOr,
    #[token("|")]
    Or,
    #[token("&&")]
    AndAnd,
    #[token("&")]
    And,
    #[token("^")]
    Circumflex,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("\\")]
    Backslash,
    #[token("@")]
    At,
    #[token("#")]
    Hash,
    #[token("'")]
    Quote,

    /// After the last token.
    End,
}

/// A comment that is not closed.
fn block_comment(lexer: &mut logos::Lexer<'_, Token>) -> logos::FilterResult<(), ()> {
    match lexer.remainder().find("*/") {
        Some(at) => {
            lexer.bump(at + 2);
            logos::FilterResult::Skip
        }
        None => {
            lexer.bump(lexer.remainder().len());
            logos::FilterResult::Emit(())
        }
    }
}

impl suppose_source::Token for Token {
    const END: Token = Token::End;
}

/// A token and its span.
pub(super) type Lexeme = suppose_source::Lexeme<Token, ()>;

/// All tokens, then [`Token::End`].
pub(super) fn lex(text: &str, file: FileId) -> Result<Vec<Lexeme>, Diagnostic> {
    let mut lexemes = Vec::new();
    let mut add = |token, span| {
        lexemes.push(Lexeme {
            token,
            text: (),
            span,
        });
    };
    for (token, range) in Token::lexer(text).spanned() {
        let span = Span::in_file(file, range.start, range.end);
        match token {
            Ok(Token::Comment) => return Err(open_comment(span, 2, "*/")),
            Ok(token) => add(token, span),
            Err(()) => return Err(strange(text, span)),
        }
    }
    add(Token::End, Span::in_file(file, text.len(), text.len()));
    Ok(lexemes)
}

fn strange(text: &str, span: Span) -> Diagnostic {
    match unexpected_character(text, span) {
        (None, error) => error,
        (Some(_), error) => error
            .label("not part of FSP")
            .help("names are made of ASCII letters, digits and `_`"),
    }
}
