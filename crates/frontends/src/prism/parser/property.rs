//! Properties: `"name": P<=0.1 [ F "bad" ];`.

use suppose_source::Cursor;
use suppose_source::Diagnostic;

use super::super::ast::{
    Compare, Expr, ExprKind, Ident, Optimum, Probability, Properties, Property, Reward, RewardPath,
    StepBound, Structure,
};
use super::super::lexer::Token;
use super::{ERRORS, Parsed, Parser};

impl Parser<'_> {
    pub(super) fn properties(&mut self) -> Properties {
        let mut all = Properties::default();
        while self.token() != Token::End && self.errors.len() < ERRORS {
            if self.eat(Token::Semicolon) {
                continue;
            }
            if let Err(error) = self.one(&mut all) {
                self.errors.push(error);
                self.skip_property();
            }
        }
        all
    }

    fn one(&mut self, all: &mut Properties) -> Parsed<()> {
        match self.token() {
            Token::Const => all.constants.push(self.constant()?),
            Token::Label => {
                self.property = true;
                let label = self.label();
                self.property = false;
                all.labels.push(label?);
            }
            _ => {
                let property = self.one_property()?;
                all.properties.push(property);
            }
        }
        Ok(())
    }

    fn skip_property(&mut self) {
        while !matches!(self.token(), Token::Semicolon | Token::End) {
            self.next();
        }
    }

    fn one_property(&mut self) -> Parsed<Property> {
        let start = self.span();
        let mut name = None;
        if self.token() == Token::Quoted && self.ahead(1) == Token::Colon {
            let lexeme = self.lexeme();
            name = Some(Ident {
                name: lexeme.text,
                span: lexeme.span,
            });
            self.next();
            self.next();
        }
        let undecided = |parser: &mut Self, reason: String| {
            parser.skip_property();
            Ok(Property {
                name,
                span: parser.since(start),
                body: Err(reason),
                over: None,
            })
        };
        if let Some(reason) = self.undecided() {
            return undecided(self, reason);
        }
        self.property = true;
        let from = self.at;
        let body = match self.token() {
            Token::Filter => self.filter(),
            _ => self.expr().map(|body| (body, None)),
        };
        self.property = false;
        let body = match body {
            Ok(_) if !matches!(self.token(), Token::Semicolon | Token::End) => {
                Err(self.expected("`;` or the end of the property"))
            }
            body => body,
        };
        match body {
            Ok((body, over)) => Ok(Property {
                name,
                span: self.since(start),
                body: Ok(body),
                over,
            }),
            Err(error) => match self.known_elsewhere(from) {
                Some(reason) => undecided(self, reason),
                None => Err(error),
            },
        }
    }

    /// `filter(max, R=? [ ... ], "init")`: the greatest of the values in all initial states.
    fn filter(&mut self) -> Parsed<(Expr, Option<Optimum>)> {
        self.next();
        self.expect(Token::LeftRound, "(")?;
        let over = match self.token() {
            Token::Max => Optimum::Max,
            Token::Min => Optimum::Min,
            _ => return Err(self.expected("`max` or `min`")),
        };
        self.next();
        self.expect(Token::Comma, ",")?;
        let body = self.expr()?;
        self.expect(Token::Comma, ",")?;
        if self.token() != Token::Quoted || self.word() != "\"init\"" {
            return Err(self.expected("`\"init\"`"));
        }
        self.next();
        self.expect(Token::RightRound, ")")?;
        Ok((body, Some(over)))
    }

    /// Kinds of properties that are known and not decided.
    fn undecided(&self) -> Option<String> {
        Some(match self.token() {
            Token::LetterS => "it asks about the steady state".to_owned(),
            Token::LetterA | Token::LetterE if self.ahead(1) == Token::LeftSquare => {
                "CTL properties of probabilistic models are not decided".to_owned()
            }
            Token::Word if self.word() == "multi" && self.ahead(1) == Token::LeftRound => {
                "multi-objective properties are not supported".to_owned()
            }
            _ => return None,
        })
    }

    /// Is what could not be read, here and since that token, a property that other tools decide? Then which kind.
    fn known_elsewhere(&self, from: usize) -> Option<String> {
        let tokens = || self.lexemes[from..=self.at].iter().map(|l| l.token);
        if tokens().next() == Some(Token::Filter) {
            return Some(
                "of filters only filter(max, ..., \"init\") and filter(min, ..., \"init\") are decided"
                    .to_owned(),
            );
        }
        if self.token() == Token::Caret {
            return Some("bounds on rewards of paths are not decided".to_owned());
        }
        let temporal = |t: Token| {
            matches!(
                t,
                Token::LetterX | Token::LetterF | Token::LetterG | Token::LetterU | Token::LetterW
            )
        };
        let ltl = "temporal operators directly inside one another (LTL) are not decided; put a `P<=p [ ... ]` between them";
        let before = tokens().filter(|t| temporal(*t)).count();
        if (temporal(self.token()) || self.token() == Token::LetterR) && before >= 1 {
            return Some(ltl.to_owned());
        }
        match self.token() {
            Token::LetterS => Some("it asks about the steady state".to_owned()),
            Token::LetterC | Token::RightSquare if tokens().any(|t| t == Token::LetterC) => {
                Some("rewards without a bound on steps are not decided".to_owned())
            }
            Token::Comma => Some("Pareto curves are not decided".to_owned()),
            _ => None,
        }
    }

    /// `R{"time"}max=? [ F "done" ]`.
    pub(super) fn reward(&mut self) -> Parsed<Expr> {
        let _level = self.enter()?;
        let start = self.span();
        let mut optimum = match self.token() {
            Token::RMax => Some(Optimum::Max),
            Token::RMin => Some(Optimum::Min),
            _ => None,
        };
        self.next();
        let mut structure = Structure::First;
        if optimum.is_none() && self.eat(Token::LeftCurly) {
            structure = match self.token() {
                Token::Quoted => {
                    let lexeme = self.lexeme();
                    self.next();
                    Structure::Named(Ident {
                        name: lexeme.text,
                        span: lexeme.span,
                    })
                }
                _ => Structure::Number(self.expr()?),
            };
            self.expect(Token::RightCurly, "}")?;
        }
        if optimum.is_none() {
            optimum = self.optimum();
        }
        let bound = self.probability_bound()?;
        self.expect(Token::LeftSquare, "[")?;
        let path = match self.token() {
            Token::LetterF => {
                self.next();
                if self.step_bound()?.is_some() {
                    let it = Diagnostic::error(self.span(), "a reward until a goal has no steps");
                    return Err(it.help("R=? [ C<=k ] is the reward of k steps"));
                }
                RewardPath::Reach(self.expr()?)
            }
            Token::LetterC => {
                self.next();
                if !self.eat(Token::LessEqual) {
                    return Err(self.expected("`<=` and a number of steps"));
                }
                RewardPath::Cumulative(self.sum_of_property()?)
            }
            Token::LetterI => {
                self.next();
                self.expect(Token::Equal, "=")?;
                RewardPath::Instant(self.sum_of_property()?)
            }
            _ => return Err(self.expected("`F`, `C<=` or `I=`")),
        };
        self.expect(Token::RightSquare, "]")?;
        let reward = Reward {
            structure,
            optimum,
            bound,
            path,
        };
        Ok(Expr {
            kind: ExprKind::Reward(Box::new(reward)),
            span: self.since(start),
        })
    }

    /// `max` or `min`.
    fn optimum(&mut self) -> Option<Optimum> {
        let optimum = match self.token() {
            Token::Max => Optimum::Max,
            Token::Min => Optimum::Min,
            _ => return None,
        };
        self.next();
        Some(optimum)
    }

    /// `P<=0.1 [ path ]`.
    pub(super) fn probability(&mut self) -> Parsed<Expr> {
        let _level = self.enter()?;
        let start = self.span();
        let mut optimum = match self.token() {
            Token::PMax => Some(Optimum::Max),
            Token::PMin => Some(Optimum::Min),
            _ => None,
        };
        self.next();
        if optimum.is_none() {
            optimum = self.optimum();
        }
        let bound = self.probability_bound()?;
        self.expect(Token::LeftSquare, "[")?;
        let path = self.path()?;
        self.expect(Token::RightSquare, "]")?;
        let probability = Probability {
            optimum,
            bound,
            path,
        };
        Ok(Expr {
            kind: ExprKind::Probability(Box::new(probability)),
            span: self.since(start),
        })
    }

    fn probability_bound(&mut self) -> Parsed<Option<(Compare, Expr)>> {
        if self.token() == Token::Equal && self.ahead(1) == Token::Query {
            self.next();
            self.next();
            return Ok(None);
        }
        let op = match self.token() {
            Token::Less => Compare::Lt,
            Token::LessEqual => Compare::Le,
            Token::Greater => Compare::Gt,
            Token::GreaterEqual => Compare::Ge,
            _ => return Err(self.expected("`=?`, or one of `<= < >= >` and a number")),
        };
        self.next();
        // Not more than a sum: what follows is a path in square brackets.
        Ok(Some((op, self.sum_of_property()?)))
    }

    pub(super) fn no_nested_path(&self) -> Parsed<()> {
        if matches!(
            self.token(),
            Token::LetterX | Token::LetterF | Token::LetterG
        ) {
            return Err(Diagnostic::error(
                self.span(),
                "temporal operators directly inside one another are not decided",
            )
            .label("expected a formula about states")
            .help("put a `P<=p [ ... ]` between them"));
        }
        Ok(())
    }

    /// `<=5`, `<K`, `<=(K+1)`, `>=5`, `>5`, `=5`, `[2,5]`.
    pub(super) fn step_bound(&mut self) -> Parsed<Option<StepBound>> {
        let token = self.token();
        if token == Token::LeftSquare {
            self.next();
            let from = self.sum_of_property()?;
            self.expect(Token::Comma, ",")?;
            let to = self.sum_of_property()?;
            self.expect(Token::RightSquare, "]")?;
            return Ok(Some(StepBound::Between(from, to)));
        }
        let known = [
            Token::LessEqual,
            Token::Less,
            Token::GreaterEqual,
            Token::Greater,
            Token::Equal,
        ];
        if !known.contains(&token) {
            return Ok(None);
        }
        self.next();
        let steps = self.steps()?;
        Ok(Some(match token {
            Token::LessEqual => StepBound::AtMost(steps, false),
            Token::Less => StepBound::AtMost(steps, true),
            Token::GreaterEqual => StepBound::AtLeast(steps, false),
            Token::Greater => StepBound::AtLeast(steps, true),
            _ => StepBound::Exactly(steps),
        }))
    }

    /// `5`, `K`, `(K+1)`: what follows is a formula.
    fn steps(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.token() {
            Token::Integer => match self.word().parse() {
                Ok(value) => ExprKind::Int(value),
                Err(_) => return Err(self.expected("a smaller number of steps")),
            },
            Token::Word => ExprKind::Name(self.lexeme().text),
            Token::LeftRound => {
                self.next();
                let steps = self.expr()?;
                self.expect(Token::RightRound, ")")?;
                return Ok(steps);
            }
            _ => return Err(self.expected("a number of steps, a constant, or `(`")),
        };
        self.next();
        Ok(Expr { kind, span: start })
    }
}
