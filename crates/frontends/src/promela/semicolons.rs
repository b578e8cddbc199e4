//! Newlines that separate statements as semicolons do.
//!
//! SPIN (since 6.3) takes a newline for a semicolon inside the body of a process, a claim or a
//! `typedef`, outside of all parentheses, after a token that can end a statement. A newline after
//! `}` does not count when `unless` follows.

use suppose_source::Span;

use super::lexer::{Lexeme, Token};

/// Can a statement end here?
fn ends(token: Token) -> bool {
    matches!(
        token,
        Token::RightCurly
            | Token::RightRound
            | Token::RightSquare
            | Token::Od
            | Token::Fi
            | Token::Else
            | Token::Break
            | Token::Word
            | Token::Number
            | Token::Char
            | Token::Increment
            | Token::Decrement
            | Token::Timeout
    )
}

/// Does the next outermost `{` open a body?
fn opens_body(token: Token) -> Option<bool> {
    match token {
        Token::Proctype
        | Token::DProctype
        | Token::Init
        | Token::Never
        | Token::Trace
        | Token::NoTrace
        | Token::Typedef
        | Token::Inline => Some(true),
        Token::Ltl | Token::Mtype | Token::Chan | Token::Semicolon => Some(false),
        _ => None,
    }
}

/// All tokens, with those semicolons.
pub(super) fn insert(lexemes: Vec<Lexeme>) -> Vec<Lexeme> {
    let mut out: Vec<Lexeme> = Vec::with_capacity(lexemes.len() + lexemes.len() / 4);
    let (mut curly, mut round) = (0usize, 0usize);
    let (mut body_next, mut in_body) = (false, false);
    for lexeme in lexemes {
        if let Some(last) = out.last().copied() {
            let unless = last.token == Token::RightCurly && lexeme.token == Token::Unless;
            if lexeme.newline && in_body && round == 0 && ends(last.token) && !unless {
                let end = last.span.end;
                out.push(Lexeme {
                    token: Token::Semicolon,
                    span: Span {
                        start: end,
                        ..last.span
                    },
                    newline: false,
                    ..last
                });
            }
        }
        match lexeme.token {
            Token::LeftRound => round += 1,
            Token::RightRound => round = round.saturating_sub(1),
            Token::LeftCurly => {
                in_body |= curly == 0 && body_next;
                curly += 1;
            }
            Token::RightCurly => {
                curly = curly.saturating_sub(1);
                if curly == 0 {
                    (in_body, body_next, round) = (false, false, 0);
                }
            }
            token if curly == 0 && round == 0 => body_next = opens_body(token).unwrap_or(body_next),
            _ => {}
        }
        out.push(lexeme);
    }
    out
}
