//! Statements and their sequences.

use suppose_source::Cursor;
use suppose_source::{Diagnostic, Span};

use super::{Parsed, Parser};
use crate::promela::ast::{Expr, ExprKind, Ident, Range, Sequence, Step, Stmt, StmtKind, VarRef};
use crate::promela::lexer::Token;

impl Parser<'_> {
    fn is_separator(&self) -> bool {
        matches!(self.token(), Token::Semicolon | Token::Arrow)
    }

    fn closes(&self) -> bool {
        matches!(
            self.token(),
            Token::RightCurly | Token::Option | Token::Fi | Token::Od | Token::End
        )
    }

    /// `{ steps }`.
    pub(super) fn block(&mut self) -> Parsed<Sequence> {
        let open = self.expect(Token::LeftCurly, "{")?;
        let steps = self.sequence(open)?;
        if self.token() != Token::RightCurly {
            return Err(self.expected("`}`").note(open, "opened here"));
        }
        self.next();
        Ok(steps)
    }

    /// Steps up to what closes them; at least one.
    fn sequence(&mut self, open: Span) -> Parsed<Sequence> {
        let mut steps = Vec::new();
        let mut any = false;
        loop {
            while self.is_separator() {
                self.next();
            }
            if self.closes() {
                break;
            }
            any = true;
            if self.token() == Token::Exclusive {
                self.exclusive(&mut steps)?;
            } else {
                let step = self.step()?;
                steps.push(step);
            }
            if !self.is_separator() && !self.closes() && !self.ends_alone() {
                return Err(self.missing_separator());
            }
        }
        if !any {
            return Err(Diagnostic::error(self.span(), "there is no statement here")
                .label("expected a statement")
                .note(open, "the sequence starts here")
                .help("a sequence has at least one statement; `skip` does nothing"));
        }
        Ok(steps)
    }

    /// Whether the step just read needs no separator behind it.
    fn ends_alone(&self) -> bool {
        matches!(self.before(), Token::RightCurly | Token::Else)
            // The last statement of an inline ends with a brace that is not to be seen here.
            || (self.before() == Token::RightRound && self.lexeme().newline)
    }

    fn missing_separator(&self) -> Diagnostic {
        let it = self.expected("`;` or `->` after the statement");
        match self.token() {
            Token::Equal | Token::Becomes => it,
            Token::Else => it.help("`else` is an option: `:: else -> ...`"),
            _ => it.help("statements are separated by `;`, `->` or a new line"),
        }
    }

    /// `xr c` or `xs c`: a promise of the process.
    fn exclusive(&mut self, steps: &mut Sequence) -> Parsed<()> {
        let receives = self.names.text(self.lexeme().text) == "xr";
        loop {
            self.next();
            let channel = self.var_ref()?;
            steps.push(Step::Exclusive(receives, channel));
            if self.token() != Token::Comma {
                return Ok(());
            }
        }
    }

    fn step(&mut self) -> Parsed<Step> {
        if self.is_decl() {
            return Ok(Step::Decl(self.decl()?));
        }
        let stmt = self.stmt()?;
        if !self.eat(Token::Unless) {
            return Ok(Step::Stmt(Box::new(stmt)));
        }
        let escape = self.stmt()?;
        Ok(Step::Unless(Box::new((stmt, escape))))
    }

    fn is_label(&self) -> bool {
        self.token() == Token::Word
            && self.ahead(1) == Token::Colon
            && !self.proctypes.contains(&self.lexeme().text)
    }

    pub(super) fn stmt(&mut self) -> Parsed<Stmt> {
        let _level = self.enter()?;
        let mut labels: Vec<Ident> = Vec::new();
        while self.is_label() {
            labels.push(self.ident("the name of a label")?);
            self.next();
        }
        let (first, start) = (self.at, self.span());
        if let Some(label) = labels.last() {
            // A label before nothing labels a `skip`.
            if self.closes() || self.is_separator() {
                let (span, text) = (label.span, "skip".to_owned());
                let kind = StmtKind::Expr(constant(1, span));
                return Ok(Stmt {
                    labels,
                    kind,
                    span,
                    text,
                });
            }
            if self.is_decl() {
                return Err(Diagnostic::error(
                    label.span,
                    "a label cannot stand before a declaration",
                )
                .label("this label")
                .help("put the label before the next statement"));
            }
        }
        let kind = self.stmt_kind()?;
        let compound = matches!(
            kind,
            StmtKind::If(_)
                | StmtKind::Do(_)
                | StmtKind::Atomic(_)
                | StmtKind::DStep(_)
                | StmtKind::Block(_)
        );
        let text = match compound {
            true => String::new(),
            false => self.written(first, self.at),
        };
        Ok(Stmt {
            labels,
            kind,
            span: self.since(start),
            text,
        })
    }

    fn stmt_kind(&mut self) -> Parsed<StmtKind> {
        match self.token() {
            Token::If => self.options(Token::Fi, "fi").map(StmtKind::If),
            Token::Do => self.options(Token::Od, "od").map(StmtKind::Do),
            Token::For => self.for_loop(),
            Token::Select => self.select(),
            Token::Atomic => {
                self.next();
                self.eat_newlines();
                self.block().map(StmtKind::Atomic)
            }
            Token::DStep => {
                self.next();
                self.eat_newlines();
                self.block().map(StmtKind::DStep)
            }
            Token::LeftCurly => self.block().map(StmtKind::Block),
            Token::Break => {
                self.next();
                Ok(StmtKind::Break)
            }
            Token::Goto => {
                self.next();
                self.ident("the name of a label").map(StmtKind::Goto)
            }
            Token::Else => {
                self.next();
                Ok(StmtKind::Else)
            }
            Token::Assert => {
                self.next();
                self.expr().map(StmtKind::Assert)
            }
            Token::Printf | Token::Printm => self.print(),
            Token::SetPriority => {
                self.next();
                self.expect(Token::LeftRound, "(")?;
                let process = self.expr()?;
                self.expect(Token::Comma, ",")?;
                let priority = self.expr()?;
                self.expect(Token::RightRound, ")")?;
                Ok(StmtKind::SetPriority(process, priority))
            }
            Token::Return => self.give_back(),
            Token::Code => Err(self.refused_code()),
            Token::Word => self.word_stmt(),
            Token::Unless
            | Token::Option
            | Token::Fi
            | Token::Od
            | Token::Proctype
            | Token::Init => Err(self.expected("a statement")),
            _ => self.condition(),
        }
    }

    fn eat_newlines(&mut self) {
        while self.token() == Token::Semicolon && self.span().start == self.span().end {
            self.next();
        }
    }

    fn condition(&mut self) -> Parsed<StmtKind> {
        let (at, token) = (self.at, self.token());
        let operator = matches!(
            token,
            Token::AndAnd
                | Token::OrOr
                | Token::Equal
                | Token::NotEqual
                | Token::Plus
                | Token::Star
        );
        let result = self.expr().map(StmtKind::Expr);
        if result.is_ok() || self.at != at || token == Token::Word {
            return result;
        }
        let it = self.expected("a statement");
        Err(match operator {
            true => it.help(
                "a new line ends a statement; put the operator at the end of the line before, or use parentheses",
            ),
            false => it,
        })
    }

    /// A statement that starts with a name.
    fn word_stmt(&mut self) -> Parsed<StmtKind> {
        if self.is_call() {
            return self.call(None);
        }
        let plain = matches!(self.word(), "true" | "false" | "skip")
            || self.proctypes.contains(&self.lexeme().text)
            || self.ahead(1) == Token::LeftRound;
        if plain {
            return self.condition();
        }
        let start = self.at;
        let variable = self.var_ref()?;
        match self.token() {
            Token::Becomes => {
                self.next();
                if self.is_call() {
                    return self.call(Some(variable));
                }
                Ok(StmtKind::Assign(variable, self.expr()?))
            }
            Token::Increment => {
                self.next();
                Ok(StmtKind::Count(variable, 1))
            }
            Token::Decrement => {
                self.next();
                Ok(StmtKind::Count(variable, -1))
            }
            Token::Bang | Token::BangBang => self.send(variable),
            Token::Query | Token::QueryQuery if self.ahead(1) != Token::LeftSquare => {
                self.receive(variable)
            }
            _ => {
                self.at = start;
                self.condition()
            }
        }
    }

    fn give_back(&mut self) -> Parsed<StmtKind> {
        let span = self.span();
        self.next();
        let value = self.expr()?;
        match self.returns.last().cloned().flatten() {
            Some(target) => Ok(StmtKind::Assign(target, value)),
            None => Err(
                Diagnostic::error(span, "`return` without a place for the value")
                    .label("expected inside an inline called as `x = name(...)`"),
            ),
        }
    }

    fn print(&mut self) -> Parsed<StmtKind> {
        let text = self.token() == Token::Printf;
        self.next();
        self.expect(Token::LeftRound, "(")?;
        if text {
            self.expect(Token::Text, "\"text\"")?;
            if self.eat(Token::Comma) {
                self.arguments()?;
            } else {
                self.expect(Token::RightRound, ")")?;
            }
        } else {
            self.arguments()?;
        }
        Ok(StmtKind::Print)
    }

    fn options(&mut self, close: Token, shown: &str) -> Parsed<Vec<Sequence>> {
        let open = self.span();
        self.next();
        self.eat_newlines();
        let mut options = Vec::new();
        if self.token() != Token::Option {
            return Err(self
                .expected("`::`")
                .help("the options of `if` and `do` each start with `::`"));
        }
        while self.token() == Token::Option {
            let start = self.span();
            self.next();
            let steps = self.sequence(start)?;
            options.push(steps);
        }
        if self.token() != close {
            return Err(self
                .expected(format!("`::` or `{shown}`"))
                .note(open, "opened here"));
        }
        self.next();
        Ok(options)
    }

    /// `for (i : low .. high) { ... }` or `for (i in array) { ... }`.
    fn for_loop(&mut self) -> Parsed<StmtKind> {
        self.next();
        self.expect(Token::LeftRound, "(")?;
        let variable = self.var_ref()?;
        let range = if self.token() == Token::Word && self.word() == "in" {
            self.next();
            Range::In(self.var_ref()?)
        } else {
            if self.token() != Token::Colon {
                return Err(self.expected("`:` or `in`"));
            }
            self.next();
            let low = self.expr()?;
            self.expect(Token::DotDot, "..")?;
            Range::Between(low, self.expr()?)
        };
        self.expect(Token::RightRound, ")")?;
        while self.eat(Token::Semicolon) {}
        let body = self.block()?;
        Ok(StmtKind::For {
            variable,
            range,
            body,
        })
    }

    fn select(&mut self) -> Parsed<StmtKind> {
        self.next();
        self.expect(Token::LeftRound, "(")?;
        let variable = self.var_ref()?;
        self.expect(Token::Colon, ":")?;
        let first = self.at;
        let low = self.expr()?;
        self.expect(Token::DotDot, "..")?;
        let high = self.expr()?;
        let digits = |at: usize| {
            self.lexemes
                .get(at)
                .is_some_and(|l| l.token == Token::Number)
        };
        let plain = self.at == first + 3
            && digits(first)
            && digits(first + 2)
            && self.calls.is_empty()
            && self.is_plain_name(&variable);
        self.expect(Token::RightRound, ")")?;
        Ok(StmtKind::Select {
            variable,
            low,
            high,
            plain,
        })
    }

    fn is_plain_name(&self, variable: &VarRef) -> bool {
        match variable.parts.as_slice() {
            [part] => {
                let name = self.names.text(part.name.name);
                part.index.is_none() && name.bytes().all(|b| b.is_ascii_alphanumeric())
            }
            _ => false,
        }
    }
}

fn constant(value: i32, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Const(value),
        span,
    }
}
