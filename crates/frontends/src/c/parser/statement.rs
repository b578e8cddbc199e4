//! Statements.

use suppose_source::Diagnostic;

use super::{Parser, Result};
use crate::c::ast::{Stmt, StmtKind};
use crate::c::lexer::Kind;

impl Parser {
    /// From brace to brace. The caller opens the scope of a function, this one that of the block.
    pub(super) fn block(&mut self) -> Result<Vec<Stmt>> {
        let open = self.expect("{")?;
        self.scopes.push(Default::default());
        let mut stmts = Vec::new();
        while !self.takes("}") {
            if self.peek().kind == Kind::End {
                return Err(self.expected("`}`").note(open, "opened here"));
            }
            self.statement_into(&mut stmts)?;
        }
        self.scopes.pop();
        Ok(stmts)
    }

    /// One statement, with its labels as statements before it.
    fn statement_into(&mut self, stmts: &mut Vec<Stmt>) -> Result<()> {
        let start = self.peek().span;
        loop {
            let token = self.peek().clone();
            let kind = if token.is_word("case") {
                self.at += 1;
                let value = self.conditional()?;
                self.expect(":")?;
                StmtKind::Case(value)
            } else if token.is_word("default") && self.peek_at(1).is(":") {
                self.at += 2;
                StmtKind::Default
            } else if token.kind == Kind::Word && self.peek_at(1).is(":") {
                self.at += 2;
                StmtKind::Label(token.text)
            } else {
                break;
            };
            let span = token.span;
            stmts.push(Stmt { kind, span });
        }
        // A block may end with a label.
        if self.peek().is("}") && start != self.peek().span {
            return Ok(());
        }
        if self.is_type_next(0) && !self.peek_at(1).is("(") {
            let decls = self.local_declaration()?;
            let span = start.to(self.last_span());
            stmts.push(Stmt {
                kind: StmtKind::Decl(decls),
                span,
            });
            return Ok(());
        }
        let stmt = self.plain()?;
        stmts.push(stmt);
        Ok(())
    }

    /// The body of a loop or branch.
    fn body(&mut self) -> Result<Stmt> {
        let _level = self.deeper()?;
        let start = self.peek().span;
        if self.peek().is("}") {
            return Err(self.expected("a statement"));
        }
        let mut stmts = Vec::new();
        self.scopes.push(Default::default());
        self.statement_into(&mut stmts)?;
        self.scopes.pop();
        let span = start.to(self.last_span());
        match stmts.pop() {
            Some(only) if stmts.is_empty() => Ok(only),
            last => {
                stmts.extend(last);
                let kind = StmtKind::Block(stmts);
                Ok(Stmt { kind, span })
            }
        }
    }

    fn plain(&mut self) -> Result<Stmt> {
        let start = self.peek().span;
        let kind = self.plain_kind()?;
        let span = start.to(self.last_span());
        Ok(Stmt { kind, span })
    }

    fn plain_kind(&mut self) -> Result<StmtKind> {
        let _level = self.deeper()?;
        let token = self.peek().clone();
        if token.is("{") {
            return Ok(StmtKind::Block(self.block()?));
        }
        if self.takes(";") {
            return Ok(StmtKind::Empty);
        }
        let word = if token.kind == Kind::Word {
            &*token.text
        } else {
            ""
        };
        match word {
            "if" => return self.if_chain(),
            "while" => {
                self.at += 1;
                let condition = self.round()?;
                return Ok(StmtKind::While(condition, Box::new(self.body()?)));
            }
            "do" => {
                self.at += 1;
                let body = Box::new(self.body()?);
                if !self.takes_word("while") {
                    return Err(self.expected("`while`"));
                }
                let condition = self.round()?;
                self.expect(";")?;
                return Ok(StmtKind::Do(body, condition));
            }
            "__extension__" if self.peek_at(1).is("{") => {
                self.at += 1;
                return self.plain_kind();
            }
            "for" => return self.for_loop(),
            "switch" => {
                self.at += 1;
                let value = self.round()?;
                return Ok(StmtKind::Switch(value, Box::new(self.body()?)));
            }
            "asm" | "__asm__" | "__asm" => {
                self.at += 1;
                while self.peek().kind == Kind::Word {
                    self.at += 1;
                }
                self.skip_group()?;
                self.expect(";")?;
                return Ok(StmtKind::Unsupported("assembly"));
            }
            "else" => {
                return Err(Diagnostic::error(token.span, "`else` without `if`")
                    .label("no `if` is open here"));
            }
            _ => {}
        }
        let kind = match word {
            "goto" => {
                self.at += 1;
                if self.peek().kind != Kind::Word {
                    return Err(self.expected("the name of a label"));
                }
                StmtKind::Goto(self.next().text)
            }
            "break" => {
                self.at += 1;
                StmtKind::Break
            }
            "continue" => {
                self.at += 1;
                StmtKind::Continue
            }
            "return" => {
                self.at += 1;
                let value = if self.peek().is(";") {
                    None
                } else {
                    Some(self.expression()?)
                };
                StmtKind::Return(value)
            }
            _ => StmtKind::Expr(self.expression()?),
        };
        self.expect(";")?;
        Ok(kind)
    }

    /// `else if` is taken as a further part of the same chain, so that long chains are not deep.
    fn if_chain(&mut self) -> Result<StmtKind> {
        let mut parts = Vec::new();
        loop {
            self.at += 1;
            let condition = self.round()?;
            parts.push((condition, self.body()?));
            if !self.takes_word("else") {
                return Ok(StmtKind::If(parts, None));
            }
            if !self.peek().is_word("if") {
                let last = Box::new(self.body()?);
                return Ok(StmtKind::If(parts, Some(last)));
            }
        }
    }

    fn for_loop(&mut self) -> Result<StmtKind> {
        self.at += 1;
        self.expect("(")?;
        self.scopes.push(Default::default());
        let start = self.peek().span;
        let init = if self.takes(";") {
            None
        } else if self.is_type_next(0) {
            Some(StmtKind::Decl(self.local_declaration()?))
        } else {
            let first = self.expression()?;
            self.expect(";")?;
            Some(StmtKind::Expr(first))
        };
        let span = start.to(self.last_span());
        let init = init.map(|kind| Box::new(Stmt { kind, span }));
        let condition = match self.peek().is(";") {
            true => None,
            false => Some(self.expression()?),
        };
        self.expect(";")?;
        let step = match self.peek().is(")") {
            true => None,
            false => Some(self.expression()?),
        };
        self.expect(")")?;
        let body = Box::new(self.body()?);
        self.scopes.pop();
        Ok(StmtKind::For {
            init,
            condition,
            step,
            body,
        })
    }
}
