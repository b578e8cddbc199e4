//! Declarations of variables and types.

use suppose_model::program::Type;
use suppose_source::Cursor;

use super::{Parsed, Parser};
use crate::promela::ast::{Decl, DeclType, Init, Symbols, Typedef, Variable};
use crate::promela::lexer::Token;

impl Parser<'_> {
    fn is_type(&self) -> bool {
        match self.token() {
            Token::Bit
            | Token::Bool
            | Token::Byte
            | Token::Pid
            | Token::Short
            | Token::Int
            | Token::Unsigned
            | Token::Mtype
            | Token::Chan => true,
            Token::Word => self.typedefs.contains(&self.lexeme().text),
            _ => false,
        }
    }

    pub(super) fn is_decl(&self) -> bool {
        matches!(self.token(), Token::Hidden | Token::Show | Token::Local) || self.is_type()
    }

    fn type_name(&mut self) -> Parsed<DeclType> {
        let ty = match self.token() {
            Token::Bit => Type::Bit,
            Token::Bool => Type::Bool,
            Token::Byte => Type::Byte,
            Token::Pid => Type::Pid,
            Token::Short => Type::Short,
            Token::Int => Type::Int,
            Token::Unsigned => Type::Unsigned(0),
            Token::Chan => Type::Chan,
            Token::Mtype => {
                self.next();
                let mut subtype = None;
                if self.eat(Token::Colon) {
                    subtype = Some(self.ident("the name of an mtype")?);
                }
                return Ok(DeclType::Mtype(subtype));
            }
            Token::Word => return self.ident("the name of a type").map(DeclType::Struct),
            _ => return Err(self.expected("a type")),
        };
        self.next();
        Ok(DeclType::Scalar(ty))
    }

    /// A declaration of variables; at the outermost level also one of symbolic constants.
    pub(super) fn decl(&mut self) -> Parsed<Decl> {
        let mut hidden = false;
        while matches!(self.token(), Token::Hidden | Token::Show | Token::Local) {
            hidden |= self.token() == Token::Hidden;
            self.next();
        }
        if !self.is_type() {
            return Err(self.expected("a type"));
        }
        let ty = self.type_name()?;
        let symbols = matches!(ty, DeclType::Mtype(_))
            && matches!(self.token(), Token::Becomes | Token::LeftCurly);
        if symbols {
            return Err(self
                .expected("the name of a variable")
                .help("symbolic constants are declared outside of processes"));
        }
        let mut variables = Vec::new();
        loop {
            variables.push(self.variable()?);
            if !self.eat(Token::Comma) {
                break;
            }
            if self.is_type() {
                return Err(self
                    .expected("the name of a variable")
                    .help("another type starts a new declaration: write `;` instead of `,`"));
            }
        }
        Ok(Decl {
            hidden,
            ty,
            variables,
        })
    }

    /// `mtype = { a, b }`, if that comes next.
    pub(super) fn symbols(&mut self) -> Parsed<Option<Symbols>> {
        let start = self.at;
        self.next();
        let mut subtype = None;
        if self.eat(Token::Colon) {
            subtype = Some(self.ident("the name of an mtype")?);
        }
        if !self.eat(Token::Becomes) && self.token() != Token::LeftCurly {
            self.at = start;
            return Ok(None);
        }
        self.expect(Token::LeftCurly, "{")?;
        let mut names = Vec::new();
        while self.token() != Token::RightCurly {
            names.push(self.ident("the name of a symbolic constant")?);
            while self.eat(Token::Comma) {}
        }
        self.next();
        Ok(Some(Symbols { subtype, names }))
    }

    fn variable(&mut self) -> Parsed<Variable> {
        let first = self.at;
        let name = self.ident("the name of a variable")?;
        let mut bits = None;
        let mut length = None;
        if self.eat(Token::Colon) {
            let span = self.span();
            if self.token() != Token::Number {
                return Err(self.expected("a number of bits"));
            }
            bits = Some((i64::from(self.number()?), span));
        } else if self.eat(Token::LeftSquare) {
            length = Some(self.expr()?);
            self.expect(Token::RightSquare, "]")?;
        }
        let init = match self.eat(Token::Becomes) {
            true => Some(self.init()?),
            false => None,
        };
        let text = self.written(first, self.at);
        Ok(Variable {
            name,
            bits,
            length,
            init,
            text,
        })
    }

    fn init(&mut self) -> Parsed<Init> {
        let start = self.span();
        if self.eat(Token::LeftCurly) {
            let mut values = Vec::new();
            loop {
                values.push(self.expr()?);
                if !self.eat(Token::Comma) {
                    break;
                }
            }
            self.expect(Token::RightCurly, "}")?;
            return Ok(Init::List(values));
        }
        if !self.eat(Token::LeftSquare) {
            return self.part().map(Init::Expr);
        }
        let capacity = self.expr()?;
        self.expect(Token::RightSquare, "]")?;
        self.expect(Token::Of, "of")?;
        self.expect(Token::LeftCurly, "{")?;
        let mut fields = Vec::new();
        loop {
            if !self.is_type() {
                return Err(self.expected("a type"));
            }
            fields.push(self.type_name()?);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::RightCurly, "}")?;
        let span = self.since(start);
        Ok(Init::Channel {
            capacity,
            fields,
            span,
        })
    }

    pub(super) fn typedef(&mut self) -> Parsed<Typedef> {
        self.next();
        let name = self.ident("the name of a type")?;
        while self.eat(Token::Semicolon) {}
        let open = self.expect(Token::LeftCurly, "{")?;
        let mut fields = Vec::new();
        loop {
            while self.eat(Token::Semicolon) {}
            if self.eat(Token::RightCurly) {
                break;
            }
            if !self.is_decl() {
                return Err(self
                    .expected("a field such as `byte x`")
                    .note(open, "the type starts here"));
            }
            fields.push(self.decl()?);
        }
        Ok(Typedef { name, fields })
    }
}
