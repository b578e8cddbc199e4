//! The parts of a file: type, constants, formulas, labels, globals, modules, rewards, `init`, `system`.

use suppose_source::Cursor;
use suppose_source::Diagnostic;

use super::super::ast::{
    Constant, Definition, Earner, Ident, Model, ModelType, Module, Plain, Range, Renamed,
    RewardItem, RewardStructure, Type, Variable,
};
use super::super::lexer::Token;
use super::{ERRORS, Parsed, Parser};

impl Parser<'_> {
    pub(super) fn model(&mut self) -> Model {
        let mut model = Model::default();
        while self.token() != Token::End {
            let before = self.at;
            if let Err(error) = self.unit(&mut model) {
                self.errors.push(error);
                if self.errors.len() >= ERRORS {
                    break;
                }
                self.skip_to_unit(before);
            }
        }
        model
    }

    /// Goes on at the next word that starts a part of the file.
    fn skip_to_unit(&mut self, before: usize) {
        if self.at == before {
            self.next();
        }
        while !matches!(
            self.token(),
            Token::End
                | Token::Const
                | Token::Formula
                | Token::Label
                | Token::Global
                | Token::Module
                | Token::Rewards
                | Token::System
        ) {
            // `label` inside `endinit ... ` and the like cannot occur; `module` does not nest.
            self.next();
        }
    }

    fn unit(&mut self, model: &mut Model) -> Parsed<()> {
        match self.token() {
            Token::Dtmc => self.model_type(model, ModelType::Dtmc),
            Token::Mdp => self.model_type(model, ModelType::Mdp),
            Token::Ctmc | Token::Other => Err(self.refused_type()),
            Token::Const | Token::Rate | Token::Prob => {
                let constant = self.constant()?;
                model.constants.push(constant);
                Ok(())
            }
            Token::Formula => self.formula(model),
            Token::Label => {
                let label = self.label()?;
                model.labels.push(label);
                Ok(())
            }
            Token::Global => {
                self.next();
                let variable = self.variable()?;
                model.globals.push(variable);
                Ok(())
            }
            Token::Module => {
                let module = self.module()?;
                model.modules.push(module);
                Ok(())
            }
            Token::Rewards => self.rewards(model),
            Token::Init => self.init(model),
            Token::System => self.system(model),
            Token::Observables | Token::Observable => Err(Diagnostic::error(
                self.span(),
                "partially observable models are not read",
            )
            .help("`mdp` and `dtmc` models are")),
            Token::Word if matches!(self.word(), "smg" | "csg" | "imdp" | "idtmc" | "lts") => {
                Err(self.refused_type())
            }
            _ => Err(self
                .expected("the start of a declaration")
                .help("that is one of: mdp, dtmc, const, formula, label, global, module, rewards, init, system")),
        }
    }

    fn model_type(&mut self, model: &mut Model, ty: ModelType) -> Parsed<()> {
        if model.ty.is_some() {
            return Err(Diagnostic::error(
                self.span(),
                "the type of the model is given twice",
            ));
        }
        model.ty = Some(ty);
        self.next();
        Ok(())
    }

    fn refused_type(&mut self) -> Diagnostic {
        let span = self.span();
        let word = self.word().to_owned();
        self.next();
        let it = Diagnostic::error(span, format!("`{word}` models are not read"))
            .label("expected `mdp` or `dtmc`");
        match word.as_str() {
            "ctmc" | "stochastic" => it.help("the embedded or uniformised chain is a `dtmc`"),
            "pta" => it.help("with digital clocks it is an `mdp`"),
            _ => it,
        }
    }

    /// `const int N = 3;`, `const N;`, and the old `rate r = 2;` and `prob p = 0.5;`.
    pub(super) fn constant(&mut self) -> Parsed<Constant> {
        let old = self.token();
        self.next();
        let ty = match self.token() {
            Token::BoolType => Some(Type::Bool),
            Token::IntType => Some(Type::Int),
            Token::DoubleType | Token::Rate | Token::Prob => Some(Type::Real),
            _ => None,
        };
        if ty.is_some() {
            self.next();
        }
        let ty = match old {
            Token::Rate | Token::Prob => Type::Real,
            _ => ty.unwrap_or(Type::Int),
        };
        let name = self.ident("the name of a constant")?;
        let value = match self.eat(Token::Equal) {
            true => Some(self.expr()?),
            false => None,
        };
        self.expect(Token::Semicolon, ";")?;
        Ok(Constant { name, ty, value })
    }

    fn formula(&mut self, model: &mut Model) -> Parsed<()> {
        self.next();
        let name = self.ident("the name of a formula")?;
        self.expect(Token::Equal, "=")?;
        let value = self.expr()?;
        self.expect(Token::Semicolon, ";")?;
        model.formulas.push(Definition { name, value });
        Ok(())
    }

    pub(super) fn label(&mut self) -> Parsed<Definition> {
        self.next();
        let lexeme = self.lexeme();
        if lexeme.token != Token::Quoted {
            return Err(self.expected("a name in quotes"));
        }
        self.next();
        let name = super::super::ast::Ident {
            name: lexeme.text,
            span: lexeme.span,
        };
        self.expect(Token::Equal, "=")?;
        let value = self.expr()?;
        self.expect(Token::Semicolon, ";")?;
        Ok(Definition { name, value })
    }

    /// `x : [0..7] init 0;`
    pub(super) fn variable(&mut self) -> Parsed<Variable> {
        let name = self.ident("the name of a variable")?;
        self.expect(Token::Colon, ":")?;
        let range = match self.token() {
            Token::BoolType => {
                self.next();
                Range::Bool
            }
            Token::IntType => {
                self.next();
                Range::Int
            }
            Token::LeftSquare => {
                self.next();
                let low = self.expr()?;
                self.expect(Token::DotDot, "..")?;
                let high = self.expr()?;
                self.expect(Token::RightSquare, "]")?;
                Range::Between(low, high)
            }
            Token::Clock => {
                return Err(Diagnostic::error(self.span(), "clocks are not read")
                    .label("expected `[low..high]`, `bool` or `int`")
                    .help("count time in steps: `x : [0..MAX]`"));
            }
            _ => return Err(self.expected("`[low..high]`, `bool` or `int`")),
        };
        let init = match self.eat(Token::Init) {
            true => Some(self.expr()?),
            false => None,
        };
        self.expect(Token::Semicolon, ";")?;
        Ok(Variable { name, range, init })
    }

    fn module(&mut self) -> Parsed<Module> {
        self.next();
        let name = self.ident("the name of a module")?;
        if self.eat(Token::Equal) {
            let base = self.ident("the name of the module to copy")?;
            self.expect(Token::LeftSquare, "[")?;
            let pairs = self.list(|p| {
                let old = p.ident("the old name")?;
                p.expect(Token::Equal, "=")?;
                Ok((old, p.ident("the new name")?))
            })?;
            self.expect(Token::RightSquare, "]")?;
            self.expect(Token::EndModule, "endmodule")?;
            return Ok(Module::Renamed(Renamed { name, base, pairs }));
        }
        let mut plain = Plain {
            name,
            variables: Vec::new(),
            commands: Vec::new(),
        };
        loop {
            match self.token() {
                Token::EndModule => {
                    self.next();
                    return Ok(Module::Plain(plain));
                }
                Token::LeftSquare => plain.commands.push(self.command()?),
                Token::Word => plain.variables.push(self.variable()?),
                Token::Invariant => {
                    return Err(Diagnostic::error(
                        self.span(),
                        "invariants belong to timed automata, which are not read",
                    ));
                }
                _ => return Err(self.expected("a variable, a command or `endmodule`")),
            }
        }
    }

    /// `rewards "time"  x=1 : 5;  [go] true : 1;  endrewards`
    fn rewards(&mut self, model: &mut Model) -> Parsed<()> {
        let start = self.span();
        self.next();
        let mut name = None;
        if self.token() == Token::Quoted {
            let lexeme = self.lexeme();
            name = Some(Ident {
                name: lexeme.text,
                span: lexeme.span,
            });
            self.next();
        }
        let mut items = Vec::new();
        while self.token() != Token::EndRewards {
            let mut earner = Earner::State;
            if self.eat(Token::LeftSquare) {
                earner = match self.token() {
                    Token::RightSquare => Earner::Silent,
                    _ => Earner::Action(self.ident("the name of an action")?),
                };
                self.expect(Token::RightSquare, "]")?;
            }
            let guard = self.expr()?;
            self.expect(Token::Colon, ":")?;
            let value = self.expr()?;
            self.expect(Token::Semicolon, ";")?;
            items.push(RewardItem {
                earner,
                guard,
                value,
            });
        }
        self.next();
        model.rewards.push(RewardStructure {
            name,
            items,
            span: self.since(start),
        });
        Ok(())
    }

    fn init(&mut self, model: &mut Model) -> Parsed<()> {
        let start = self.span();
        self.next();
        let states = self.expr()?;
        self.expect(Token::EndInit, "endinit")?;
        if model.init.replace(states).is_some() {
            return Err(Diagnostic::error(
                start,
                "there is a second `init ... endinit`",
            ));
        }
        Ok(())
    }
}
