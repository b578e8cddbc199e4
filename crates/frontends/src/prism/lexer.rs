//! Text to tokens.

use logos::Logos;
use suppose_source::{Diagnostic, FileId, Span, unexpected_character};
pub(super) use suppose_source::{Names, Sym};

/// What a token is. Words that PRISM reserves have tokens of their own.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[logos(skip r"[ \t\r\n\f\v\u{feff}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(super) enum Token {
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[regex("[0-9]+", priority = 3)]
    Integer,
    #[regex(r"[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?")]
    #[regex(r"\.[0-9]+([eE][+-]?[0-9]+)?")]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+")]
    #[regex(r"[0-9]+\.[eE][+-]?[0-9]+")]
    Decimal,
    #[regex(r#""[^"\n]*""#)]
    Quoted,

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
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token("..")]
    DotDot,
    #[token("->")]
    Arrow,
    #[token("<-")]
    Becomes,
    #[token("=>")]
    Implies,
    #[token("<=>")]
    Iff,
    #[token("=")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("!")]
    Bang,
    #[token("<=")]
    LessEqual,
    #[token("<")]
    Less,
    #[token(">=")]
    GreaterEqual,
    #[token(">")]
    Greater,
    #[token("|||")]
    Interleave,
    #[token("||")]
    Parallel,
    #[token("|")]
    Or,
    #[token("&")]
    And,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("?")]
    Query,
    /// Of properties that are not decided, as in `F^{...}`.
    #[token("^")]
    Caret,
    #[token("'")]
    Prime,

    // Reserved words.
    BoolType,
    Clock,
    Const,
    Ctmc,
    DoubleType,
    Dtmc,
    EndInit,
    EndInvariant,
    EndModule,
    EndObservables,
    EndRewards,
    EndSystem,
    False,
    Filter,
    Formula,
    Func,
    Global,
    Init,
    IntType,
    Invariant,
    Label,
    Max,
    Mdp,
    Min,
    Module,
    Observable,
    Observables,
    Other,
    Prob,
    Rate,
    Rewards,
    System,
    True,
    // Words of properties.
    LetterF,
    LetterG,
    LetterP,
    LetterR,
    LetterU,
    LetterW,
    LetterX,
    PMax,
    PMin,
    RMax,
    RMin,
    LetterS,
    LetterA,
    LetterE,
    LetterC,
    LetterI,

    /// After the last token.
    End,
}

/// Is this word reserved?
fn keyword(word: &str) -> Option<Token> {
    Some(match word {
        "bool" => Token::BoolType,
        "clock" => Token::Clock,
        "const" => Token::Const,
        "ctmc" | "stochastic" => Token::Ctmc,
        "double" => Token::DoubleType,
        "dtmc" | "probabilistic" => Token::Dtmc,
        "endinit" => Token::EndInit,
        "endinvariant" => Token::EndInvariant,
        "endmodule" => Token::EndModule,
        "endobservables" => Token::EndObservables,
        "endrewards" => Token::EndRewards,
        "endsystem" => Token::EndSystem,
        "false" => Token::False,
        "filter" => Token::Filter,
        "formula" => Token::Formula,
        "func" => Token::Func,
        "global" => Token::Global,
        "init" => Token::Init,
        "int" => Token::IntType,
        "invariant" => Token::Invariant,
        "label" => Token::Label,
        "max" => Token::Max,
        "mdp" | "nondeterministic" => Token::Mdp,
        "min" => Token::Min,
        "module" => Token::Module,
        "observable" => Token::Observable,
        "observables" => Token::Observables,
        "pta" | "pomdp" | "popta" => Token::Other,
        "prob" => Token::Prob,
        "rate" => Token::Rate,
        "rewards" => Token::Rewards,
        "system" => Token::System,
        "true" => Token::True,
        "A" => Token::LetterA,
        "C" => Token::LetterC,
        "E" => Token::LetterE,
        "F" => Token::LetterF,
        "G" => Token::LetterG,
        "I" => Token::LetterI,
        "P" => Token::LetterP,
        "R" => Token::LetterR,
        "S" => Token::LetterS,
        "U" => Token::LetterU,
        "W" => Token::LetterW,
        "X" => Token::LetterX,
        "Pmax" => Token::PMax,
        "Pmin" => Token::PMin,
        "Rmax" => Token::RMax,
        "Rmin" => Token::RMin,
        _ => return None,
    })
}

impl suppose_source::Token for Token {
    const END: Token = Token::End;
}

/// A token with its text and span.
pub(super) type Lexeme = suppose_source::Lexeme<Token>;

/// All tokens of a text, with [`Token::End`] last.
pub(super) fn lex(text: &str, file: FileId, names: &mut Names) -> Result<Vec<Lexeme>, Diagnostic> {
    let mut lexemes = Vec::new();
    for (token, range) in Token::lexer(text).spanned() {
        let span = Span::in_file(file, range.start, range.end);
        let word = &text[range];
        let token = match token {
            Ok(Token::Word) => keyword(word).unwrap_or(Token::Word),
            Ok(token) => token,
            Err(()) => return Err(strange(text, span)),
        };
        let text = names.intern(word);
        lexemes.push(Lexeme { token, text, span });
    }
    lexemes.push(Lexeme {
        token: Token::End,
        text: names.intern(""),
        span: Span::in_file(file, text.len(), text.len()),
    });
    Ok(lexemes)
}

fn strange(text: &str, span: Span) -> Diagnostic {
    match unexpected_character(text, span) {
        (Some('%'), it) => it.help("the remainder is a function: mod(a, b)"),
        (Some('.'), it) => it.help("a range is `[0..7]`, a number is `0.5`"),
        (_, it) => it,
    }
}
