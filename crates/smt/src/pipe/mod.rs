//! External solvers: any z3 or cvc5 on the PATH, through SMT-LIB text.
//!
//! A [`ExternalSolver`] solver has the face of our own ([`Solve`]). The command is started directly, without a shell; it
//! is never waited for longer than its limit or the [`Context`] allows, and it is killed when it is
//! dropped. Nothing it writes is trusted: an answer that is not understood is [`SatResult::Unknown`], with
//! [`ExternalSolver::trouble`] saying why.

mod choice;
mod command;
mod confirm;
mod reply;
mod solve;

use std::fmt;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_control::{Context, Stopped};
use suppose_model::chc::{Assignment, Sort, TermId, Terms, Value, Var, write_term};

use crate::SatResult;
use command::Command;

pub use choice::{CheckedSolver, Choice, Chosen};
pub use confirm::{Confirmation, confirm};
pub use solve::Solve;

/// A solver that speaks SMT-LIB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    kind: Kind,
    program: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Z3,
    Cvc5,
}

impl Tool {
    /// The `z3` on the PATH.
    pub fn z3() -> Tool {
        Tool::z3_at("z3")
    }

    /// The `cvc5` on the PATH.
    pub fn cvc5() -> Tool {
        Tool::cvc5_at("cvc5")
    }

    /// The z3 at that path.
    pub fn z3_at(program: impl Into<PathBuf>) -> Tool {
        Tool {
            kind: Kind::Z3,
            program: program.into(),
        }
    }

    /// The cvc5 at that path.
    pub fn cvc5_at(program: impl Into<PathBuf>) -> Tool {
        Tool {
            kind: Kind::Cvc5,
            program: program.into(),
        }
    }

    /// `z3` or `cvc5`, by its name; none if it is another one.
    pub fn named(name: &str) -> Option<Tool> {
        match name {
            "z3" => Some(Tool::z3()),
            "cvc5" => Some(Tool::cvc5()),
            _ => None,
        }
    }

    /// `z3` or `cvc5`.
    pub fn name(&self) -> &'static str {
        match self.kind {
            Kind::Z3 => "z3",
            Kind::Cvc5 => "cvc5",
        }
    }

    fn arguments(&self) -> &'static [&'static str] {
        match self.kind {
            Kind::Z3 => &["-smt2", "-in"],
            Kind::Cvc5 => &["--lang=smt2", "--incremental"],
        }
    }

    /// What comes before everything else.
    fn preamble(&self) -> &'static str {
        match self.kind {
            Kind::Z3 => {
                "(set-option :produce-models true)\n(set-option :produce-unsat-assumptions true)\n"
            }
            Kind::Cvc5 => {
                "(set-option :produce-models true)\n(set-option :produce-unsat-assumptions true)\n\
                 (set-option :incremental true)\n(set-logic ALL)\n"
            }
        }
    }
}

/// An error of an external solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolverError {
    /// It could not be started: which, and why.
    NotStarted(String, String),
    /// It exited without an answer.
    Ended(String),
    /// It did not answer within its limit.
    Slow(String),
    /// Its reply could not be parsed: which solver, and the reply.
    NotUnderstood(String, String),
    /// Its model does not satisfy the assertions.
    NoModel(String),
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverError::NotStarted(tool, why) => write!(f, "`{tool}` could not be started: {why}"),
            SolverError::Ended(tool) => write!(f, "`{tool}` ended without an answer"),
            SolverError::Slow(tool) => write!(f, "`{tool}` did not answer in time"),
            SolverError::NotUnderstood(tool, what) => write!(f, "`{tool}` answered `{what}`"),
            SolverError::NoModel(tool) => write!(
                f,
                "`{tool}` gave a model that does not satisfy the assertions"
            ),
        }
    }
}

impl std::error::Error for SolverError {}

/// Why there is no answer.
enum Failure {
    Stopped(Stopped),
    SolverError(SolverError),
}

impl From<Stopped> for Failure {
    fn from(why: Stopped) -> Self {
        Failure::Stopped(why)
    }
}

impl From<SolverError> for Failure {
    fn from(why: SolverError) -> Self {
        Failure::SolverError(why)
    }
}

/// An incremental solver in another process.
#[derive(Debug)]
pub struct ExternalSolver {
    tool: Tool,
    /// How long each check may take.
    pub limit: Duration,
    /// None before the first query, and after it was killed: then it is started, and everything is sent again.
    command: Option<Command>,
    /// All permanent commands.
    said: String,
    /// How much of this was sent to the running process.
    told: usize,
    declared: Vec<(Var, Sort)>,
    is_declared: Vec<bool>,
    /// For each assumed formula the number of the Boolean that represents it.
    proxies: FxHashMap<TermId, usize>,
    model: Assignment,
    core: Vec<TermId>,
    trouble: Option<SolverError>,
}

impl ExternalSolver {
    /// Starts it. Each check may take that long.
    pub fn start(tool: &Tool, limit: Duration) -> Result<ExternalSolver, SolverError> {
        let mut piped = ExternalSolver::new(tool, limit);
        piped.restart()?;
        Ok(piped)
    }

    /// The same, started with the first question; if that fails, it is the trouble of that question.
    pub fn new(tool: &Tool, limit: Duration) -> ExternalSolver {
        ExternalSolver {
            tool: tool.clone(),
            limit,
            command: None,
            said: tool.preamble().to_owned(),
            told: 0,
            declared: Vec::new(),
            is_declared: Vec::new(),
            proxies: FxHashMap::default(),
            model: Assignment::default(),
            core: Vec::new(),
            trouble: None,
        }
    }

    /// Why the last check was not decided, if the command did not just say so.
    pub fn trouble(&self) -> Option<&SolverError> {
        self.trouble.as_ref()
    }

    fn restart(&mut self) -> Result<(), SolverError> {
        self.command = Some(Command::start(&self.tool)?);
        self.told = 0;
        Ok(())
    }

    /// Declares the variables of a formula and writes it.
    fn text(&mut self, terms: &Terms, formula: TermId) -> String {
        for var in terms.variables(formula) {
            if self.is_declared.len() <= var.index() {
                self.is_declared.resize(var.index() + 1, false);
            }
            if !self.is_declared[var.index()] {
                self.is_declared[var.index()] = true;
                self.declared.push((var, terms.sort(var)));
                self.said.push_str(&declaration(terms, var));
            }
        }
        let mut text = String::new();
        write_term(&mut text, terms, formula, &variable);
        text
    }

    fn proxy(&mut self, terms: &Terms, formula: TermId) -> usize {
        if let Some(&number) = self.proxies.get(&formula) {
            return number;
        }
        let number = self.proxies.len();
        self.proxies.insert(formula, number);
        let text = self.text(terms, formula);
        let _ = writeln!(
            self.said,
            "(declare-const a{number} Bool)\n(assert (=> a{number} {text}))"
        );
        number
    }

    /// Says what is new and a question, and waits for the answer.
    fn ask(&mut self, question: &str, cx: &Context) -> Result<String, Failure> {
        if self.command.is_none() {
            self.restart()?;
        }
        let news = format!("{}{question}\n", &self.said[self.told..]);
        self.told = self.said.len();
        let Some(command) = &mut self.command else {
            return Err(SolverError::Ended(self.tool.name().to_owned()).into());
        };
        command.ask(news, self.limit, cx)
    }

    fn not_understood(&self, reply: &str) -> Failure {
        let start: String = reply.trim().chars().take(200).collect();
        SolverError::NotUnderstood(self.tool.name().to_owned(), start).into()
    }

    fn decide(&mut self, assumptions: &[TermId], cx: &Context) -> Result<SatResult, Failure> {
        let mut question = "(check-sat-assuming (".to_owned();
        for formula in assumptions {
            let _ = write!(question, "a{} ", self.proxies[formula]);
        }
        question.push_str("))");
        let reply = self.ask(&question, cx)?;
        match reply.trim() {
            "sat" => {
                self.read_model(cx)?;
                Ok(SatResult::Sat)
            }
            "unsat" => {
                self.read_core(assumptions, cx)?;
                Ok(SatResult::Unsat)
            }
            "unknown" => Ok(SatResult::Unknown),
            _ => Err(self.not_understood(&reply)),
        }
    }

    fn read_model(&mut self, cx: &Context) -> Result<(), Failure> {
        self.model = Assignment::default();
        if self.declared.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = self.declared.iter().map(|(v, _)| variable(*v)).collect();
        let reply = self.ask(&format!("(get-value ({}))", names.join(" ")), cx)?;
        let values = reply::values(&reply).filter(|values| values.len() == names.len());
        let Some(values) = values else {
            return Err(self.not_understood(&reply));
        };
        for (((var, sort), name), (said, value)) in self.declared.iter().zip(&names).zip(values) {
            let fits = match &value {
                Value::Bool(_) => *sort == Sort::Bool,
                Value::Num(n) => *sort == Sort::Real || *sort == Sort::Int && n.is_integer(),
            };
            if *name != said || !fits {
                return Err(self.not_understood(&reply));
            }
            self.model.set(*var, value);
        }
        Ok(())
    }

    fn read_core(&mut self, assumptions: &[TermId], cx: &Context) -> Result<(), Failure> {
        let reply = self.ask("(get-unsat-assumptions)", cx)?;
        let Some(names) = reply::symbols(&reply) else {
            return Err(self.not_understood(&reply));
        };
        let mut asked: FxHashMap<String, TermId> = FxHashMap::default();
        for &formula in assumptions {
            asked.insert(format!("a{}", self.proxies[&formula]), formula);
        }
        let chosen: Option<FxHashSet<TermId>> =
            names.iter().map(|name| asked.get(name).copied()).collect();
        let Some(chosen) = chosen else {
            return Err(self.not_understood(&reply));
        };
        let mut core = assumptions.to_vec();
        core.retain(|a| chosen.contains(a));
        self.core = core;
        Ok(())
    }
}

fn variable(var: Var) -> String {
    format!("v{}", var.0)
}

fn declaration(terms: &Terms, var: Var) -> String {
    let sort = match terms.sort(var) {
        Sort::Bool => "Bool",
        Sort::Int => "Int",
        Sort::Real => "Real",
    };
    format!("(declare-const {} {sort})\n", variable(var))
}

impl Solve for ExternalSolver {
    fn assert(&mut self, terms: &mut Terms, formula: TermId) {
        let text = self.text(terms, formula);
        let _ = writeln!(self.said, "(assert {text})");
    }

    fn check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        cx: &Context,
    ) -> Result<SatResult, Stopped> {
        cx.check()?;
        self.trouble = None;
        self.core.clear();
        let mut seen = FxHashSet::default();
        let mut distinct = assumptions.to_vec();
        distinct.retain(|&formula| seen.insert(formula));
        for &formula in &distinct {
            self.proxy(terms, formula);
        }
        match self.decide(&distinct, cx) {
            Ok(outcome) => Ok(outcome),
            Err(failure) => {
                // What it would say next may be about this question.
                self.command = None;
                match failure {
                    Failure::Stopped(why) => Err(why),
                    Failure::SolverError(why) => {
                        self.trouble = Some(why);
                        Ok(SatResult::Unknown)
                    }
                }
            }
        }
    }

    fn model(&self) -> &Assignment {
        &self.model
    }

    fn core(&self) -> &[TermId] {
        &self.core
    }
}
