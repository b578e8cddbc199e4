//! FSP texts to trees: a parser of its own, as plain as can be.
//!
//! It reads what the generators write and what well-formed files have; formulas, fluents and progress
//! are passed over. Names of sets are distinguished from other names by their definitions.

use std::collections::BTreeSet;

/// An expression.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A number, or a label after `'`.
    Value(String),
    /// A variable, constant or parameter.
    Name(String),
    /// `#S`
    Size(Label),
    /// `@(S, i)`
    Select(Label, Box<Expr>),
    /// `'l`
    Quoted(Label),
    /// `-x`, `!x`
    Prefix(String, Box<Expr>),
    /// `x + y`
    Infix(String, Box<Expr>, Box<Expr>),
}

/// Parts of a label, joined by dots.
pub type Label = Vec<Part>;

/// A part of a label.
#[derive(Clone, Debug)]
pub enum Part {
    /// A lower-case name.
    Name(String),
    /// `{a, b}`, perhaps without others
    Set(Set),
    /// `S\{a}`
    Without(Set, Set),
    /// `[i:0..2]`
    Index(Index),
}

/// A set of labels.
#[derive(Clone, Debug)]
pub enum Set {
    /// Its labels.
    Labels(Vec<Label>),
    /// Its name.
    Named(String),
}

/// What stands in square brackets.
#[derive(Clone, Debug)]
pub struct Index {
    /// The variable that it binds.
    pub variable: Option<String>,
    /// What it runs over.
    pub domain: Domain,
}

/// What an index runs over.
#[derive(Clone, Debug)]
pub enum Domain {
    /// A value, or a name of a range or set.
    One(Expr),
    /// `a..b`
    Range(Expr, Expr),
    /// `{a, b}`
    Set(Set),
}

/// `new/old`, or `forall [i:R] {...}`
#[derive(Clone, Debug)]
pub enum Relabel {
    /// A pair.
    Pair(Label, Label),
    /// For all values.
    ForAll(Vec<Index>, Vec<Relabel>),
}

/// What a process continues as.
#[derive(Clone, Debug)]
pub enum Body {
    /// Guard, actions, and what follows, for each branch.
    Choice(Vec<(Option<Expr>, Vec<Label>, Body)>),
    /// A condition.
    If(Expr, Box<Body>, Option<Box<Body>>),
    /// `P(1); Q[i]`
    Refer(Vec<(String, Option<Vec<Expr>>)>, String, Vec<Expr>),
}

/// Words before a definition.
#[derive(Clone, Copy, Debug, Default)]
pub struct Words {
    /// `property`
    pub property: bool,
    /// `minimal`
    pub minimal: bool,
    /// `deterministic`
    pub deterministic: bool,
    /// `compose`
    pub compose: bool,
}

/// `\{a}`, or (true) `@{a}`
pub type Hiding = Option<(bool, Set)>;

/// A process.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// What stands before it.
    pub words: Words,
    /// Names and defaults.
    pub parameters: Vec<(String, Expr)>,
    /// Names, indices, bodies; the first is the process itself.
    pub locals: Vec<(String, Vec<Index>, Body)>,
    /// `+{a}`
    pub extension: Option<Set>,
    /// `/{b/a}`
    pub relabels: Vec<Relabel>,
    /// `\{a}`
    pub hiding: Hiding,
}

/// A body of a composition.
#[derive(Clone, Debug)]
pub enum Parts {
    /// A condition.
    If(Expr, Box<Parts>, Option<Box<Parts>>),
    /// For all values.
    ForAll(Vec<Index>, Box<Parts>),
    /// `{a}::b:P/{c/d}`
    Part {
        /// Before `::`.
        share: Option<Label>,
        /// Before `:`.
        prefix: Option<Label>,
        /// One process, or several.
        what: Result<(String, Option<Vec<Expr>>), Vec<Parts>>,
        /// After it.
        relabels: Vec<Relabel>,
    },
}

/// A composition.
#[derive(Clone, Debug)]
pub struct Composite {
    /// Its name.
    pub name: String,
    /// What stands before it.
    pub words: Words,
    /// Names and defaults.
    pub parameters: Vec<(String, Expr)>,
    /// What is composed.
    pub body: Parts,
    /// `>>` (true) or `<<`, and the labels.
    pub priority: Option<(bool, Set)>,
    /// `\{a}`
    pub hiding: Hiding,
}

/// A file.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Constants, in order.
    pub constants: Vec<(String, Expr)>,
    /// Ranges.
    pub ranges: Vec<(String, Expr, Expr)>,
    /// Sets.
    pub sets: Vec<(String, Set)>,
    /// Processes.
    pub processes: Vec<Process>,
    /// Compositions.
    pub composites: Vec<Composite>,
}

type Parsed<T> = Result<T, String>;

struct Parser {
    tokens: Vec<String>,
    at: usize,
    sets: BTreeSet<String>,
}

const SYMBOLS: [&str; 16] = [
    "||", "->", "..", "::", "<<", ">>", "==", "!=", "<=", ">=", "&&", "[]", "<>", "<-", "//", "/*",
];

pub(super) fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            rest = &rest[rest.find("*/").map_or(rest.len(), |at| at + 2)..];
        } else if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
        } else {
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let length = match SYMBOLS.iter().find(|s| rest.starts_with(**s)) {
                _ if word(first) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
                Some(symbol) => symbol.len(),
                None => first.len_utf8(),
            };
            tokens.push(rest[..length].to_owned());
            rest = &rest[length..];
        }
    }
    // `[]` is only one token in formulas.
    let split = |t: String| match t.as_str() {
        "[]" => vec!["[".to_owned(), "]".to_owned()],
        _ => vec![t],
    };
    tokens.into_iter().flat_map(split).collect()
}

/// Reads a file.
pub fn parse(text: &str) -> Parsed<Model> {
    let tokens = tokens(text);
    let names = tokens.windows(2).filter(|w| w[0] == "set");
    let sets = names.map(|w| w[1].clone()).collect();
    let mut parser = Parser {
        tokens,
        at: 0,
        sets,
    };
    parser.model()
}

fn is_upper(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_uppercase())
}

fn is_lower(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
}

impl Parser {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned().unwrap_or_default()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) -> Parsed<()> {
        match self.eat(token) {
            true => Ok(()),
            false => Err(format!("expected {token}, found `{}`", self.peek())),
        }
    }

    fn upper(&mut self) -> Parsed<String> {
        match is_upper(self.peek()) {
            true => Ok(self.next()),
            false => Err(format!("expected a name, found `{}`", self.peek())),
        }
    }

    fn model(&mut self) -> Parsed<Model> {
        let mut model = Model::default();
        while self.at < self.tokens.len() {
            match self.peek() {
                "const" => {
                    self.next();
                    let name = self.upper()?;
                    self.expect("=")?;
                    let value = self.expression(SIMPLE)?;
                    model.constants.push((name, value));
                }
                "range" => {
                    self.next();
                    let name = self.upper()?;
                    self.expect("=")?;
                    let low = self.expression(SIMPLE)?;
                    self.expect("..")?;
                    let high = self.expression(SIMPLE)?;
                    model.ranges.push((name, low, high));
                }
                "set" => {
                    self.next();
                    let name = self.upper()?;
                    self.expect("=")?;
                    let set = self.set()?;
                    model.sets.push((name, set));
                }
                "assert" | "fluent" | "progress" => self.pass_over(),
                _ => self.definition(&mut model)?,
            }
        }
        Ok(model)
    }

    /// Formulas are not read here.
    fn pass_over(&mut self) {
        self.next();
        let words = ["assert", "fluent", "progress", "const", "range", "set"];
        let more = ["property", "minimal", "deterministic", "compose"];
        loop {
            let token = self.peek();
            let begins = words.contains(&token) || more.contains(&token);
            let defines = is_upper(token) && self.tokens.get(self.at + 1).is_some_and(|t| t == "=");
            // The name of what is passed over is followed by `=` too.
            let named = self.at > 0 && words.contains(&self.tokens[self.at - 1].as_str());
            let composes = token == "||" && self.tokens.get(self.at + 2).is_some_and(|t| t == "=");
            if token.is_empty() || begins || composes || defines && !named {
                return;
            }
            self.next();
        }
    }

    fn definition(&mut self, model: &mut Model) -> Parsed<()> {
        let mut words = Words::default();
        loop {
            match self.peek() {
                "property" => words.property = true,
                "minimal" => words.minimal = true,
                "deterministic" => words.deterministic = true,
                "compose" => words.compose = true,
                _ => break,
            }
            self.next();
        }
        if self.eat("||") {
            let name = self.upper()?;
            let parameters = self.parameters()?;
            self.expect("=")?;
            let body = self.parts()?;
            let priority = match self.peek() {
                "<<" => Some(false),
                ">>" => Some(true),
                _ => None,
            };
            let priority = match priority {
                Some(low) => {
                    self.next();
                    Some((low, self.set()?))
                }
                None => None,
            };
            let hiding = self.hiding()?;
            self.expect(".")?;
            model.composites.push(Composite {
                name,
                words,
                parameters,
                body,
                priority,
                hiding,
            });
            return Ok(());
        }
        let name = self.upper()?;
        let parameters = self.parameters()?;
        self.expect("=")?;
        let mut locals = vec![(name.clone(), Vec::new(), self.body()?)];
        while self.eat(",") {
            let name = self.upper()?;
            let indices = self.indices()?;
            self.expect("=")?;
            locals.push((name, indices, self.body()?));
        }
        let extension = match self.eat("+") {
            true => Some(self.set()?),
            false => None,
        };
        let relabels = self.relabels()?;
        let hiding = self.hiding()?;
        self.expect(".")?;
        model.processes.push(Process {
            name,
            words,
            parameters,
            locals,
            extension,
            relabels,
            hiding,
        });
        Ok(())
    }

    fn parameters(&mut self) -> Parsed<Vec<(String, Expr)>> {
        let mut all = Vec::new();
        if self.eat("(") {
            loop {
                let name = self.upper()?;
                self.expect("=")?;
                all.push((name, self.expression(SIMPLE)?));
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        Ok(all)
    }

    fn arguments(&mut self) -> Parsed<Option<Vec<Expr>>> {
        if !self.eat("(") {
            return Ok(None);
        }
        let mut all = vec![self.expression(ALL)?];
        while self.eat(",") {
            all.push(self.expression(ALL)?);
        }
        self.expect(")")?;
        Ok(Some(all))
    }

    fn body(&mut self) -> Parsed<Body> {
        if self.eat("if") {
            let condition = self.expression(ALL)?;
            self.expect("then")?;
            let then = Box::new(self.body()?);
            let otherwise = match self.eat("else") {
                true => Some(Box::new(self.body()?)),
                false => None,
            };
            return Ok(Body::If(condition, then, otherwise));
        }
        if self.eat("(") {
            let mut branches = vec![self.branch()?];
            while self.eat("|") {
                branches.push(self.branch()?);
            }
            self.expect(")")?;
            return Ok(Body::Choice(branches));
        }
        let mut before = Vec::new();
        let mut name = self.upper()?;
        while [";", "("].contains(&self.peek()) {
            let arguments = self.arguments()?;
            self.expect(";")?;
            before.push((name, arguments));
            name = self.upper()?;
        }
        let mut indices = Vec::new();
        while self.eat("[") {
            indices.push(self.expression(ALL)?);
            self.expect("]")?;
        }
        Ok(Body::Refer(before, name, indices))
    }

    fn branch(&mut self) -> Parsed<(Option<Expr>, Vec<Label>, Body)> {
        let guard = match self.eat("when") {
            true => Some(self.expression(ALL)?),
            false => None,
        };
        let mut actions = Vec::new();
        while actions.is_empty() || self.starts_label() {
            actions.push(self.label()?);
            self.expect("->")?;
        }
        Ok((guard, actions, self.body()?))
    }

    fn starts_label(&self) -> bool {
        let token = self.peek();
        let word = is_lower(token) && !["if", "forall", "when", "then", "else"].contains(&token);
        word || ["{", "["].contains(&token) || self.sets.contains(token)
    }

    fn set(&mut self) -> Parsed<Set> {
        if self.sets.contains(self.peek()) {
            return Ok(Set::Named(self.next()));
        }
        self.expect("{")?;
        let mut labels = Vec::new();
        if self.peek() != "}" {
            labels.push(self.label()?);
            while self.eat(",") {
                labels.push(self.label()?);
            }
        }
        self.expect("}")?;
        Ok(Set::Labels(labels))
    }

    fn label(&mut self) -> Parsed<Label> {
        let mut parts = Vec::new();
        loop {
            if is_lower(self.peek()) {
                parts.push(Part::Name(self.next()));
            } else if self.peek() == "{" || self.sets.contains(self.peek()) {
                let set = self.set()?;
                let minus =
                    self.peek() == "\\" && self.tokens.get(self.at + 1).is_some_and(|t| t == "{");
                // A set that stands alone may lack some; after a process `\` hides.
                parts.push(
                    match minus && parts.is_empty() && matches!(set, Set::Named(_)) {
                        true => {
                            self.next();
                            Part::Without(set, self.set()?)
                        }
                        false => Part::Set(set),
                    },
                );
            } else if self.eat("[") {
                parts.push(Part::Index(self.index()?));
            } else {
                return Err(format!("expected a label, found `{}`", self.peek()));
            }
            if self.peek() == "[" {
                continue;
            }
            if !self.eat(".") {
                return Ok(parts);
            }
        }
    }

    /// After `[`.
    fn index(&mut self) -> Parsed<Index> {
        let bound = is_lower(self.peek()) && self.tokens.get(self.at + 1).is_some_and(|t| t == ":");
        let variable = match bound {
            true => {
                let name = self.next();
                self.next();
                Some(name)
            }
            false => None,
        };
        let domain = if self.peek() == "{" || self.sets.contains(self.peek()) {
            Domain::Set(self.set()?)
        } else {
            let low = self.expression(ALL)?;
            match self.eat("..") {
                true => Domain::Range(low, self.expression(ALL)?),
                false => Domain::One(low),
            }
        };
        self.expect("]")?;
        Ok(Index { variable, domain })
    }

    fn indices(&mut self) -> Parsed<Vec<Index>> {
        let mut all = Vec::new();
        while self.eat("[") {
            all.push(self.index()?);
        }
        Ok(all)
    }

    fn relabels(&mut self) -> Parsed<Vec<Relabel>> {
        match self.peek() == "/" && self.tokens.get(self.at + 1).is_some_and(|t| t == "{") {
            true => {
                self.next();
                self.relabel_set()
            }
            false => Ok(Vec::new()),
        }
    }

    fn relabel_set(&mut self) -> Parsed<Vec<Relabel>> {
        self.expect("{")?;
        let mut all = Vec::new();
        loop {
            if self.eat("forall") {
                let ranges = self.indices()?;
                all.push(Relabel::ForAll(ranges, self.relabel_set()?));
            } else {
                let new = self.label()?;
                self.expect("/")?;
                all.push(Relabel::Pair(new, self.label()?));
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(all)
    }

    fn hiding(&mut self) -> Parsed<Hiding> {
        let expose = match self.peek() {
            "\\" => false,
            "@" => true,
            _ => return Ok(None),
        };
        self.next();
        Ok(Some((expose, self.set()?)))
    }

    fn parts(&mut self) -> Parsed<Parts> {
        if self.eat("if") {
            let condition = self.expression(ALL)?;
            self.expect("then")?;
            let then = Box::new(self.parts()?);
            let otherwise = match self.eat("else") {
                true => Some(Box::new(self.parts()?)),
                false => None,
            };
            return Ok(Parts::If(condition, then, otherwise));
        }
        if self.eat("forall") {
            let ranges = self.indices()?;
            return Ok(Parts::ForAll(ranges, Box::new(self.parts()?)));
        }
        let (mut share, mut prefix) = (None, None);
        if self.starts_label() {
            let label = self.label()?;
            if self.eat("::") {
                share = Some(label);
                if self.starts_label() {
                    prefix = Some(self.label()?);
                    self.expect(":")?;
                }
            } else {
                self.expect(":")?;
                prefix = Some(label);
            }
        }
        let what = match self.eat("(") {
            true => {
                let mut all = vec![self.parts()?];
                while self.eat("||") {
                    all.push(self.parts()?);
                }
                self.expect(")")?;
                Err(all)
            }
            false => Ok((self.upper()?, self.arguments()?)),
        };
        let relabels = self.relabels()?;
        Ok(Parts::Part {
            share,
            prefix,
            what,
            relabels,
        })
    }

    /// An expression of operators from a level on.
    fn expression(&mut self, level: usize) -> Parsed<Expr> {
        if level == LEVELS.len() {
            return self.operand();
        }
        let mut left = self.expression(level + 1)?;
        while LEVELS[level].contains(&self.peek()) {
            let operator = self.next();
            let right = self.expression(level + 1)?;
            left = Expr::Infix(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn operand(&mut self) -> Parsed<Expr> {
        match self.peek() {
            "-" | "!" | "+" => {
                let operator = self.next();
                Ok(Expr::Prefix(operator, Box::new(self.operand()?)))
            }
            "(" => {
                self.next();
                let inner = self.expression(ALL)?;
                self.expect(")")?;
                Ok(inner)
            }
            "#" => {
                self.next();
                Ok(Expr::Size(vec![Part::Set(self.set()?)]))
            }
            "@" => {
                self.next();
                self.expect("(")?;
                let set = vec![Part::Set(self.set()?)];
                self.expect(",")?;
                let index = self.expression(ALL)?;
                self.expect(")")?;
                Ok(Expr::Select(set, Box::new(index)))
            }
            "'" => {
                self.next();
                Ok(Expr::Quoted(self.label()?))
            }
            token if token.starts_with(|c: char| c.is_ascii_digit()) => {
                Ok(Expr::Value(self.next()))
            }
            token if is_upper(token) || is_lower(token) => Ok(Expr::Name(self.next())),
            token => Err(format!("expected an expression, found `{token}`")),
        }
    }
}

const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];
const ALL: usize = 0;
/// Outside brackets only sums represent themselves.
const SIMPLE: usize = 8;
