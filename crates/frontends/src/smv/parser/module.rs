//! Modules and their sections.

use suppose_model::fsm::{VariableKind, When};
use suppose_source::Cursor;
use suppose_source::Diagnostic;

use super::super::ast::{
    AssignDecl, DefineDecl, Expr, FairDecl, Module, Range, Section, SpecDecl, SpecKind, TypeExpr,
    VarDecl,
};
use super::super::lexer::Token;
use super::{Parsed, Parser};

/// A word that begins a section or a module.
fn begins_section(token: Token) -> bool {
    matches!(
        token,
        Token::Module
            | Token::Var
            | Token::Ivar
            | Token::FrozenVar
            | Token::Define
            | Token::Constants
            | Token::Assign
            | Token::InitSection
            | Token::Invar
            | Token::Trans
            | Token::Justice
            | Token::Compassion
            | Token::Spec
            | Token::LtlSpec
            | Token::InvarSpec
            | Token::Compute
            | Token::PslSpec
            | Token::Isa
            | Token::Foreign
            | Token::End
    )
}

impl Parser<'_> {
    pub(super) fn modules(&mut self) -> Vec<Module> {
        let mut modules = Vec::new();
        while self.token() != Token::End {
            match self.module_head() {
                Ok(mut module) => {
                    self.sections(&mut module);
                    modules.push(module);
                }
                Err(error) => {
                    if !self.report(error) {
                        break;
                    }
                    self.next();
                    while !matches!(self.token(), Token::Module | Token::End) {
                        self.next();
                    }
                }
            }
        }
        modules
    }

    fn module_head(&mut self) -> Parsed<Module> {
        self.expect(Token::Module, "MODULE")?;
        let name = self.ident("the name of a module")?;
        let mut parameters = Vec::new();
        if self.eat(Token::LeftRound) && !self.eat(Token::RightRound) {
            loop {
                parameters.push(self.ident("the name of a parameter")?);
                if !self.eat(Token::Comma) {
                    break;
                }
            }
            self.expect(Token::RightRound, ")")?;
        }
        Ok(Module::new(name, parameters))
    }

    fn sections(&mut self, module: &mut Module) {
        while !matches!(self.token(), Token::Module | Token::End) {
            let start = self.at;
            if let Err(error) = self.section(module) {
                if !self.report(error) {
                    self.at = self.lexemes.len() - 1;
                    return;
                }
                if self.at == start {
                    self.next();
                }
                while !begins_section(self.token()) {
                    self.next();
                }
            }
        }
    }

    fn section(&mut self, module: &mut Module) -> Parsed<()> {
        let token = self.token();
        match token {
            Token::Var => self.variables(module, VariableKind::State),
            Token::Ivar => self.variables(module, VariableKind::Input),
            Token::FrozenVar => self.variables(module, VariableKind::Frozen),
            Token::Define => self.defines(module),
            Token::Constants => self.constants(module),
            Token::Assign => self.assigns(module),
            Token::InitSection => self.constraint(module, Section::Init),
            Token::Invar => self.constraint(module, Section::Invar),
            Token::Trans => self.constraint(module, Section::Trans),
            Token::Justice | Token::Compassion => self.fairness(module),
            Token::Spec | Token::LtlSpec | Token::InvarSpec | Token::Compute | Token::PslSpec => {
                self.spec(module)
            }
            Token::Isa => {
                self.next();
                module.isa.push(self.ident("the name of a module")?);
                self.eat(Token::Semicolon);
                Ok(())
            }
            Token::Foreign => {
                let message = format!("`{}` is not supported", self.word());
                Err(Diagnostic::error(self.span(), message)
                    .label("expected a section of a module")
                    .help("remove it: it belongs to another tool, or to NuSMV's command line"))
            }
            Token::Semicolon => Err(self
                .expected("a section such as VAR, ASSIGN or SPEC")
                .help("remove the `;`")),
            _ => Err(self.expected("a section such as VAR, ASSIGN or SPEC")),
        }
    }

    fn variables(&mut self, module: &mut Module, kind: VariableKind) -> Parsed<()> {
        self.next();
        while !begins_section(self.token()) {
            let start = self.span();
            let name = self.declared("the name of a variable")?;
            self.expect(Token::Colon, ":")?;
            let ty = self.type_expr()?;
            self.expect(Token::Semicolon, ";")?;
            module.vars.push(VarDecl {
                name,
                ty,
                kind,
                span: self.since(start),
            });
        }
        Ok(())
    }

    fn range(&mut self) -> Parsed<Range> {
        let low = self.sum()?;
        self.expect(Token::DotDot, "..")?;
        let high = self.sum()?;
        Ok(Box::new((low, high)))
    }

    fn type_expr(&mut self) -> Parsed<TypeExpr> {
        let _level = self.enter()?;
        match self.token() {
            Token::Boolean => {
                self.next();
                Ok(TypeExpr::Boolean)
            }
            Token::LeftCurly => {
                self.next();
                let values = self.list(Token::RightCurly)?;
                self.expect(Token::RightCurly, "}")?;
                Ok(TypeExpr::Enumeration(values))
            }
            Token::Array => {
                self.next();
                let range = self.range()?;
                self.expect(Token::Of, "of")?;
                let of = self.type_expr()?;
                Ok(TypeExpr::Array(range, Box::new(of)))
            }
            Token::Signed | Token::Unsigned | Token::WordType => {
                let signed = self.token() == Token::Signed;
                if self.token() != Token::WordType {
                    self.next();
                }
                self.expect(Token::WordType, "word")?;
                self.expect(Token::LeftSquare, "[")?;
                let width = self.expr()?;
                self.expect(Token::RightSquare, "]")?;
                Ok(TypeExpr::Word { signed, width })
            }
            Token::Infinite => {
                let message = format!("`{}` has no finite number of values", self.word());
                Err(Diagnostic::error(self.span(), message)
                    .label("expected a finite type")
                    .help("use a range such as `0..100`, or a word"))
            }
            Token::Process => {
                self.next();
                self.instance(true)
            }
            Token::Name if self.ahead(1) != Token::DotDot && !self.is_range_ahead() => {
                self.instance(false)
            }
            _ => Ok(TypeExpr::Range(self.range()?)),
        }
    }

    /// Does an expression with `..` follow, rather than the name of a module?
    fn is_range_ahead(&self) -> bool {
        matches!(
            self.ahead(1),
            Token::Plus | Token::Minus | Token::Star | Token::Slash | Token::Dot | Token::Mod
        )
    }

    fn instance(&mut self, process: bool) -> Parsed<TypeExpr> {
        let module = self.ident("the name of a module")?;
        let mut arguments = Vec::new();
        if self.eat(Token::LeftRound) {
            if self.token() != Token::RightRound {
                arguments = self.list(Token::RightRound)?;
            }
            self.expect(Token::RightRound, ")")?;
        }
        Ok(TypeExpr::Instance {
            module,
            arguments,
            process,
        })
    }

    fn defines(&mut self, module: &mut Module) -> Parsed<()> {
        self.next();
        while !begins_section(self.token()) {
            let name = self.defined("a name to define")?;
            self.expect(Token::Becomes, ":=")?;
            let body = self.define_body()?;
            self.expect(Token::Semicolon, ";")?;
            module.defines.push(DefineDecl { name, body });
        }
        Ok(())
    }

    fn constants(&mut self, module: &mut Module) -> Parsed<()> {
        self.next();
        loop {
            module.constants.push(self.ident("the name of a constant")?);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::Semicolon, ";")?;
        Ok(())
    }

    fn assigns(&mut self, module: &mut Module) -> Parsed<()> {
        self.next();
        while !begins_section(self.token()) {
            let start = self.span();
            let when = match self.token() {
                Token::Init => When::Init,
                Token::Next => When::Next,
                _ => When::Always,
            };
            let target = match when {
                When::Always => self.path()?,
                _ => {
                    self.next();
                    self.expect(Token::LeftRound, "(")?;
                    let path = self.path()?;
                    self.expect(Token::RightRound, ")")?;
                    path
                }
            };
            self.expect(Token::Becomes, ":=")?;
            let value = self.expr()?;
            let span = self.since(start);
            self.expect(Token::Semicolon, ";")?;
            module.assigns.push(AssignDecl {
                target,
                when,
                value,
                span,
            });
        }
        Ok(())
    }

    fn constraint(&mut self, module: &mut Module, section: Section) -> Parsed<()> {
        self.next();
        let expr = self.expr()?;
        self.end_of_section()?;
        module.constraints.push((section, expr));
        Ok(())
    }

    /// An optional semicolon, and then another section.
    fn end_of_section(&mut self) -> Parsed<()> {
        if self.eat(Token::Semicolon) || begins_section(self.token()) {
            return Ok(());
        }
        Err(self.expected("an operator, `;` or another section"))
    }

    fn fairness(&mut self, module: &mut Module) -> Parsed<()> {
        let compassion = self.token() == Token::Compassion;
        self.next();
        let fair = match compassion {
            false => FairDecl::Justice(self.expr()?),
            true => {
                self.expect(Token::LeftRound, "(")?;
                let first = self.expr()?;
                self.expect(Token::Comma, ",")?;
                let second = self.expr()?;
                self.expect(Token::RightRound, ")")?;
                FairDecl::Compassion(first, second)
            }
        };
        self.end_of_section()?;
        module.fairness.push(fair);
        Ok(())
    }

    fn spec(&mut self, module: &mut Module) -> Parsed<()> {
        let token = self.token();
        self.next();
        let mut name = None;
        if self.eat(Token::NameOf) {
            name = Some(self.ident("the name of a property")?);
            self.expect(Token::Becomes, ":=")?;
        }
        let start = self.span();
        let kind = match token {
            Token::Compute => self.compute()?,
            Token::LtlSpec => SpecKind::Ltl(self.linear_expr()?),
            Token::InvarSpec => SpecKind::Invariant(self.expr()?),
            Token::PslSpec => SpecKind::Psl(self.psl_property()?),
            _ => SpecKind::Ctl(self.expr()?),
        };
        let span = self.since(start);
        self.end_of_section()?;
        module.specs.push(SpecDecl { name, kind, span });
        Ok(())
    }

    fn linear_expr(&mut self) -> Parsed<Expr> {
        self.linear = true;
        let expr = self.expr();
        self.linear = false;
        expr
    }

    fn compute(&mut self) -> Parsed<SpecKind> {
        let least = match self.token() {
            Token::MinOf => true,
            Token::MaxOf => false,
            _ => return Err(self.expected("`MIN` or `MAX`")),
        };
        self.next();
        self.expect(Token::LeftSquare, "[")?;
        let from = self.expr()?;
        self.expect(Token::Comma, ",")?;
        let to = self.expr()?;
        self.expect(Token::RightSquare, "]")?;
        Ok(match least {
            true => SpecKind::ComputeMin(from, to),
            false => SpecKind::ComputeMax(from, to),
        })
    }
}
