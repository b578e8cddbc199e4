//! Text to tokens, before and after the preprocessor.

use logos::Logos;
use suppose_source::{Diagnostic, FileId, Span, open_comment, unexpected_character};
pub(super) use suppose_source::{Names, Sym};

/// What a token is. Words are all [`Token::Word`] here; [`keyword`] finds the reserved ones after
/// macros are expanded.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[logos(skip r"[ \t\r\f\v\u{feff}\x00]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[logos(skip r"\\\r?\n")]
pub(super) enum Token {
    #[token("\n")]
    Newline,
    #[token("/*", block_comment)]
    Comment,
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[regex("[0-9][0-9A-Za-z_]*")]
    Number,
    #[regex(r#""([^"\\\n]|\\[^\n]|\\\n)*""#)]
    Text,
    #[regex(r"'([^'\\\n]|\\[^\n])'")]
    Char,

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
    #[token("::")]
    Option,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token("..")]
    DotDot,
    #[token("...")]
    Ellipsis,
    #[token(".")]
    Dot,
    #[token("->")]
    #[token("-->")]
    Arrow,
    #[token("--")]
    Decrement,
    #[token("++")]
    Increment,
    #[token("==")]
    Equal,
    #[token("=")]
    Becomes,
    #[token("!=")]
    NotEqual,
    #[token("!!")]
    BangBang,
    #[token("!")]
    Bang,
    #[token("??")]
    QueryQuery,
    #[token("?")]
    Query,
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
    #[token("~")]
    Tilde,
    #[token("@")]
    At,
    #[token("$")]
    Dollar,
    #[token("\\")]
    Backslash,
    #[token("##")]
    HashHash,
    #[token("#")]
    Hash,

    // Reserved words.
    Active,
    Assert,
    Atomic,
    Bit,
    Bool,
    Break,
    Byte,
    Chan,
    Code,
    DProctype,
    DStep,
    Do,
    Else,
    Empty,
    Enabled,
    Eval,
    Fi,
    For,
    Full,
    GetPriority,
    Goto,
    Hidden,
    If,
    Init,
    Inline,
    Int,
    Len,
    Local,
    Ltl,
    Mtype,
    Nempty,
    Never,
    Nfull,
    NoTrace,
    Nonprogress,
    Od,
    Of,
    PcValue,
    Pid,
    Printf,
    Printm,
    Priority,
    Proctype,
    Provided,
    Return,
    Run,
    Select,
    SetPriority,
    Short,
    Show,
    Timeout,
    Trace,
    Typedef,
    Unless,
    Unsigned,
    Exclusive,

    /// No token at all, which is fine in what is not read.
    Strange,
    /// After the last token.
    End,
}

/// Is this word reserved? `true`, `false` and `skip` are numbers, as in SPIN.
pub(super) fn keyword(word: &str) -> Option<Token> {
    Some(match word {
        "active" => Token::Active,
        "assert" => Token::Assert,
        "atomic" => Token::Atomic,
        "bit" => Token::Bit,
        "bool" => Token::Bool,
        "break" => Token::Break,
        "byte" => Token::Byte,
        "c_code" | "c_decl" | "c_expr" | "c_state" | "c_track" => Token::Code,
        "chan" => Token::Chan,
        "D_proctype" => Token::DProctype,
        "d_step" => Token::DStep,
        "do" => Token::Do,
        "else" => Token::Else,
        "empty" => Token::Empty,
        "enabled" => Token::Enabled,
        "eval" => Token::Eval,
        "fi" => Token::Fi,
        "for" => Token::For,
        "full" => Token::Full,
        "get_priority" => Token::GetPriority,
        "goto" => Token::Goto,
        "hidden" => Token::Hidden,
        "if" => Token::If,
        "init" => Token::Init,
        "inline" => Token::Inline,
        "int" => Token::Int,
        "len" => Token::Len,
        "local" => Token::Local,
        "ltl" => Token::Ltl,
        "mtype" => Token::Mtype,
        "nempty" => Token::Nempty,
        "never" => Token::Never,
        "nfull" => Token::Nfull,
        "notrace" => Token::NoTrace,
        "np_" => Token::Nonprogress,
        "od" => Token::Od,
        "of" => Token::Of,
        "pc_value" => Token::PcValue,
        "pid" => Token::Pid,
        "printf" => Token::Printf,
        "printm" => Token::Printm,
        "priority" => Token::Priority,
        "proctype" => Token::Proctype,
        "provided" => Token::Provided,
        "return" => Token::Return,
        "run" => Token::Run,
        "select" => Token::Select,
        "set_priority" => Token::SetPriority,
        "short" => Token::Short,
        "show" => Token::Show,
        "timeout" => Token::Timeout,
        "trace" => Token::Trace,
        "typedef" => Token::Typedef,
        "unless" => Token::Unless,
        "unsigned" => Token::Unsigned,
        "xr" | "xs" => Token::Exclusive,
        _ => return None,
    })
}

/// `1 argument`, `2 arguments`.
pub(super) fn counted(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

/// A token with its text, span and origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) text: Sym,
    pub(super) span: Span,
    /// Does it come first on its line?
    pub(super) newline: bool,
    /// Does it replace a parameter of an inline?
    pub(super) argument: bool,
}

impl suppose_source::Token for Token {
    const END: Token = Token::End;
}

impl suppose_source::Placed for Lexeme {
    type Token = Token;

    fn token(self) -> Token {
        self.token
    }

    fn span(self) -> Span {
        self.span
    }
}

/// All tokens of a file, newlines among them. Comments leave only the newline they contain.
pub(super) fn lex(text: &str, file: FileId, names: &mut Names) -> Result<Vec<Lexeme>, Diagnostic> {
    let mut lexemes = Vec::new();
    let mut newline = true;
    for (token, range) in Token::lexer(text).spanned() {
        let span = Span::in_file(file, range.start, range.end);
        let token = match token {
            Ok(Token::Comment) if text[range.clone()].ends_with("*/") && range.len() >= 4 => {
                newline |= text[range].contains('\n');
                continue;
            }
            Ok(Token::Comment) => return Err(open_comment(span, 2, "*/")),
            Ok(token) => token,
            // What is not read may hold any text, so whether this is an error is not known yet.
            Err(()) => Token::Strange,
        };
        let text = names.intern(&text[range]);
        lexemes.push(Lexeme {
            token,
            text,
            span,
            newline,
            argument: false,
        });
        newline = token == Token::Newline;
    }
    Ok(lexemes)
}

/// The whole comment, or all the rest when it is not closed.
fn block_comment(lexer: &mut logos::Lexer<'_, Token>) {
    let rest = lexer.remainder();
    let length = rest.find("*/").map_or(rest.len(), |at| at + 2);
    lexer.bump(length);
}

/// What is wrong with something that is no token.
pub(super) fn strange(text: &str, span: Span) -> Diagnostic {
    match unexpected_character(text, span) {
        (None, error) => error,
        (Some('\''), mut error) => {
            error.message = "this is not a character".to_owned();
            error
                .label("expected one character between quotes")
                .help("write a character as `'a'`, and a text with double quotes")
        }
        (Some(_), error) => error
            .label("not part of PROMELA")
            .help("names are made of ASCII letters, digits and `_`"),
    }
}
