//! Text to tokens.

use logos::Logos;
use suppose_source::{Diagnostic, FileId, Span, open_comment, unexpected_character};
pub(super) use suppose_source::{Names, Sym};

use super::Dialect;

/// What a token is.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[logos(skip r"[ \t\r\n\f\v\u{feff}]+")]
#[logos(skip(r"(--|#)[^\n]*", allow_greedy = true))]
pub(super) enum Token {
    #[token("/--", block_comment)]
    Comment,
    // A name may contain `-`, as in NuSMV: `a-b` is one name.
    #[regex(r"[A-Za-z_][A-Za-z0-9_$#\\-]*", priority = 1)]
    Name,
    #[regex("[0-9]+")]
    Number,
    #[regex("0[us]?[bBoOdDhH][0-9]*_[0-9a-fA-F_]+")]
    Word,
    #[regex(r#""[^"\n]*""#)]
    Text,

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
    #[token(":=")]
    Becomes,
    #[token("::")]
    Concatenate,
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
    #[token("->")]
    Implies,
    #[token("<->")]
    Iff,
    #[token("!=")]
    Unequal,
    #[token("!")]
    Not,
    #[token("<=")]
    AtMost,
    #[token("<<")]
    ShiftLeft,
    #[token("<")]
    Less,
    #[token(">=")]
    AtLeast,
    #[token(">>")]
    ShiftRight,
    #[token(">")]
    Greater,
    #[token("=")]
    Equal,
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
    Question,

    #[token("MODULE")]
    Module,
    #[token("VAR")]
    Var,
    #[token("IVAR")]
    Ivar,
    #[token("FROZENVAR")]
    FrozenVar,
    #[token("DEFINE")]
    Define,
    #[token("CONSTANTS")]
    Constants,
    #[token("ASSIGN")]
    Assign,
    #[token("INIT")]
    InitSection,
    #[token("INVAR")]
    Invar,
    #[token("TRANS")]
    Trans,
    #[token("FAIRNESS")]
    #[token("JUSTICE")]
    Justice,
    #[token("COMPASSION")]
    Compassion,
    #[token("SPEC")]
    #[token("CTLSPEC")]
    Spec,
    #[token("LTLSPEC")]
    LtlSpec,
    #[token("INVARSPEC")]
    InvarSpec,
    #[token("COMPUTE")]
    Compute,
    #[token("PSLSPEC")]
    PslSpec,
    #[token("NAME")]
    NameOf,
    #[token("ISA")]
    Isa,
    #[token("MIN")]
    MinOf,
    #[token("MAX")]
    MaxOf,
    /// Words of other tools that no section of ours begins with.
    #[token("PRED")]
    #[token("MIRROR")]
    #[token("CONSTRAINT")]
    #[token("SIMPWFF")]
    #[token("CTLWFF")]
    #[token("LTLWFF")]
    #[token("PSLWFF")]
    #[token("COMPWFF")]
    #[token("NEXTWFF")]
    #[token("IN")]
    #[token("COMPID")]
    #[token("FUN")]
    Foreign,

    #[token("process")]
    Process,
    #[token("array")]
    Array,
    #[token("of")]
    Of,
    #[token("boolean")]
    Boolean,
    #[token("integer")]
    #[token("real")]
    #[token("clock")]
    Infinite,
    #[token("word")]
    WordType,
    #[token("signed")]
    Signed,
    #[token("unsigned")]
    Unsigned,
    #[token("word1")]
    Word1,
    #[token("bool")]
    Bool,
    #[token("toint")]
    ToInt,
    #[token("extend")]
    Extend,
    #[token("resize")]
    Resize,
    #[token("sizeof")]
    Sizeof,
    #[token("swconst")]
    SignedConstant,
    #[token("uwconst")]
    UnsignedConstant,
    #[token("count")]
    Count,
    #[token("abs")]
    Abs,
    #[token("max")]
    Max,
    #[token("min")]
    Min,
    #[token("case")]
    Case,
    #[token("esac")]
    Esac,
    #[token("next")]
    Next,
    #[token("init")]
    Init,
    #[token("self")]
    Itself,
    #[token("TRUE")]
    True,
    #[token("FALSE")]
    False,
    #[token("mod")]
    Mod,
    #[token("union")]
    Union,
    #[token("in")]
    In,
    #[token("xor")]
    Xor,
    #[token("xnor")]
    Xnor,

    #[token("EX")]
    Ex,
    #[token("AX")]
    Ax,
    #[token("EF")]
    Ef,
    #[token("AF")]
    Af,
    #[token("EG")]
    Eg,
    #[token("AG")]
    Ag,
    #[token("E")]
    Exists,
    #[token("A")]
    All,
    #[token("U")]
    Until,
    #[token("BU")]
    BoundedUntil,
    #[token("EBF")]
    Ebf,
    #[token("ABF")]
    Abf,
    #[token("EBG")]
    Ebg,
    #[token("ABG")]
    Abg,
    #[token("X")]
    LtlNext,
    #[token("F")]
    Finally,
    #[token("G")]
    Globally,
    #[token("Y")]
    Yesterday,
    #[token("Z")]
    WeakYesterday,
    #[token("H")]
    Historically,
    #[token("O")]
    Once,
    #[token("V")]
    Releases,
    #[token("S")]
    Since,
    #[token("T")]
    Triggered,

    End,
}

impl suppose_source::Token for Token {
    const END: Token = Token::End;
}

/// A token with its text and span.
pub(super) type Lexeme = suppose_source::Lexeme<Token>;

/// All tokens of a file, and `End`.
pub(super) fn lex(
    text: &str,
    file: FileId,
    dialect: Dialect,
    names: &mut Names,
) -> Result<Vec<Lexeme>, Diagnostic> {
    let mut lexemes = Vec::new();
    let mut add = |token, from: usize, to: usize, names: &mut Names| {
        lexemes.push(Lexeme {
            token,
            text: names.intern(&text[from..to]),
            span: Span::in_file(file, from, to),
        });
    };
    let mut lexer = Token::lexer(text).spanned();
    while let Some((token, range)) = lexer.next() {
        match token {
            Ok(Token::Comment) if text[range.clone()].ends_with("--/") && range.len() >= 6 => {}
            Ok(Token::Comment) => {
                let comment = Span::in_file(file, range.start, range.end);
                return Err(open_comment(comment, 3, "--/"));
            }
            // `a->b` is the name `a-` and `>` in NuSMV; it is read as an implication here.
            Ok(Token::Name) if text[range.clone()].ends_with('-') && follows(text, range.end) => {
                let end = range.end - 1;
                add(Token::Name, range.start, end, names);
                add(Token::Implies, end, range.end + 1, names);
                // The `>` comes next, alone or as the beginning of another operator, which is wrong anyway.
                if let Some((_, rest)) = lexer.next()
                    && rest.len() > 1
                {
                    return Err(strange(text, file, rest.start));
                }
            }
            Ok(token) => {
                let token = match dialect == Dialect::Old && is_linear(token) {
                    true => Token::Name,
                    false => token,
                };
                add(token, range.start, range.end, names);
            }
            Err(()) => return Err(strange(text, file, range.start)),
        }
    }
    add(Token::End, text.len(), text.len(), names);
    Ok(lexemes)
}

fn follows(text: &str, at: usize) -> bool {
    text.as_bytes().get(at) == Some(&b'>')
}

/// The old SMV has no LTL, and these are names there.
fn is_linear(token: Token) -> bool {
    matches!(
        token,
        Token::LtlNext
            | Token::Finally
            | Token::Globally
            | Token::Yesterday
            | Token::WeakYesterday
            | Token::Historically
            | Token::Once
            | Token::Releases
            | Token::Since
            | Token::Triggered
    )
}

/// The whole comment, or all the rest when it is not closed.
fn block_comment(lexer: &mut logos::Lexer<'_, Token>) {
    let rest = lexer.remainder();
    let length = rest.find("--/").map_or(rest.len(), |at| at + 3);
    lexer.bump(length);
}

fn strange(text: &str, file: FileId, start: usize) -> Diagnostic {
    match unexpected_character(text, Span::in_file(file, start, start)) {
        (None, error) => error,
        (Some(_), error) => error
            .label("not part of SMV")
            .help("names are made of ASCII letters, digits, `_`, `$`, `#`, `-` and `\\`"),
    }
}
