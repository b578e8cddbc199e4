//! Tree to program: names to slots, statements to graphs.

mod claim;
mod constants;
mod element;
mod events;
mod expr;
mod flow;
mod formula;
mod frame;
mod graph;
mod links;
mod liveness;
mod loops;
mod ltl;
mod names;
mod numbers;
mod patch;
mod statement;
mod widths;

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_model::program::{Mtype, Proctype, Program, Start};
use suppose_source::{Diagnostic, ParserLimits, Sources, Span};

use self::names::{Struct, Var};
use super::ast;
use super::lexer::{Names, Sym};
use crate::Undecided;

type Lowered<T> = Result<T, Diagnostic>;

/// After this many errors the rest is not worth reading.
const ERRORS: usize = 20;
/// More than this SPIN cannot number.
const PROCESSES: usize = 255;

/// What comes out.
pub(super) struct Output {
    pub(super) program: Program,
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) undecided: Vec<Undecided>,
}

pub(super) struct Lower<'a> {
    names: &'a Names,
    sources: &'a Sources,
    limits: &'a ParserLimits,
    ast: &'a ast::Program,
    program: Program,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    undecided: Vec<Undecided>,
    /// Symbolic constants: their value and the number of their list.
    symbols: FxHashMap<Sym, (i32, u16, Span)>,
    structs: Vec<Struct>,
    struct_names: FxHashMap<Sym, usize>,
    globals: FxHashMap<Sym, Var>,
    proctypes: FxHashMap<Sym, usize>,
    /// The variables of each proctype, in the order of their declarations.
    frames: Vec<Vec<Var>>,
    /// The proctype that is being lowered.
    current: Option<usize>,
    /// Which variables can be seen, innermost last.
    scopes: Vec<FxHashMap<Sym, Var>>,
    /// Labels that are looked at from outside: by proctype and name.
    watched: FxHashSet<(usize, Sym)>,
    /// The labels asked for in `Expr::At`, until their places are known.
    wanted: Vec<(usize, ast::Ident)>,
    /// The places of labels, by proctype.
    labels: Vec<FxHashMap<Sym, Vec<u32>>>,
    /// How many locations there are in all.
    locations: usize,
    /// How many elements SPIN makes of each proctype and of each `never`, where that is known.
    elements: Vec<Option<usize>>,
    never_elements: Vec<Option<usize>>,
    trace_elements: Vec<Option<usize>>,
    /// Inside a `trace` or `notrace`.
    in_trace: bool,
    /// Where the program first uses priorities.
    priority: Option<Span>,
}

pub(super) fn lower(
    ast: &ast::Program,
    name: String,
    names: &Names,
    sources: &Sources,
    limits: &ParserLimits,
) -> Result<Output, Vec<Diagnostic>> {
    let mut it = Lower {
        names,
        sources,
        limits,
        ast,
        program: Program {
            name,
            mtypes: vec![Mtype::default()],
            ..Program::default()
        },
        errors: Vec::new(),
        warnings: Vec::new(),
        undecided: Vec::new(),
        symbols: FxHashMap::default(),
        structs: Vec::new(),
        struct_names: FxHashMap::default(),
        globals: FxHashMap::default(),
        proctypes: FxHashMap::default(),
        frames: Vec::new(),
        current: None,
        scopes: Vec::new(),
        watched: FxHashSet::default(),
        wanted: Vec::new(),
        labels: Vec::new(),
        locations: 0,
        elements: Vec::new(),
        never_elements: Vec::new(),
        trace_elements: Vec::new(),
        in_trace: false,
        priority: None,
    };
    it.run();
    match it.errors.is_empty() {
        true => Ok(Output {
            program: it.program,
            warnings: it.warnings,
            undecided: it.undecided,
        }),
        false => {
            it.errors.truncate(ERRORS);
            Err(it.errors)
        }
    }
}

impl Lower<'_> {
    fn text(&self, sym: Sym) -> &str {
        self.names.text(sym)
    }

    fn fail(&mut self, error: Diagnostic) {
        if self.errors.len() <= ERRORS {
            self.errors.push(error);
        }
    }

    /// Keeps the error and continues without the value.
    fn keep<T>(&mut self, result: Lowered<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    fn run(&mut self) {
        let ast = self.ast;
        if ast.proctypes.is_empty() {
            self.fail(
                Diagnostic::error_without_place("the program has no process")
                    .help("write one: `active proctype P() { ... }`"),
            );
            return;
        }
        self.declare_symbols();
        self.declare_structs();
        self.declare_proctypes();
        self.declare_globals();
        self.declare_frames();
        self.start();
        if !self.errors.is_empty() {
            return;
        }
        self.watch();
        for number in 0..ast.proctypes.len() {
            self.proctype(number);
        }
        self.claims();
        self.check_priority();
        if self.errors.is_empty() {
            self.patch();
            self.number_edges();
            widths::widen(&mut self.program);
        }
    }

    fn note_priority(&mut self, span: Span) {
        self.program.uses_priority = true;
        self.priority.get_or_insert(span);
    }

    /// A process of high priority that waits to meet one of low priority would keep its partner from running: what that means is not
    /// defined, and SPIN's verifier does not compile.
    fn check_priority(&mut self) {
        let rendezvous = self.program.channels.iter().find(|c| c.capacity == 0);
        if let (Some(span), Some(channel)) = (self.priority, rendezvous) {
            let error = Diagnostic::error(span, "priorities and rendezvous cannot be combined")
                .label("expected no priority beside a channel that holds no messages")
                .note(channel.span, "a rendezvous")
                .help("give the channel room for a message, as in `[1] of { byte }`, or leave out the priorities; SPIN refuses this too");
            self.fail(error);
        }
    }

    fn declare_proctypes(&mut self) {
        for (number, proctype) in self.ast.proctypes.iter().enumerate() {
            let name = proctype.name;
            if let Some(other) = self.proctypes.insert(name.name, number) {
                let first = self.ast.proctypes[other].name.span;
                let message = format!("there are two processes `{}`", self.text(name.name));
                self.fail(
                    Diagnostic::error(name.span, message)
                        .label("again here")
                        .note(first, "first defined here"),
                );
            }
            self.program.proctypes.push(Proctype {
                name: self.text(name.name).to_owned(),
                parameters: 0,
                locals: Vec::new(),
                locations: Vec::new(),
                entry: 0,
                provided: None,
                promises: Vec::new(),
                span: proctype.span,
            });
        }
    }

    /// The processes at the start.
    fn start(&mut self) {
        for (number, proctype) in self.ast.proctypes.iter().enumerate() {
            let Some(active) = &proctype.active else {
                continue;
            };
            let value = self.constant(active);
            let Some(instances) = self.keep(value) else {
                continue;
            };
            let room = PROCESSES.saturating_sub(self.program.start.len());
            let instances = match usize::try_from(instances) {
                Ok(n) if n <= room => n,
                _ => {
                    let message = format!("{instances} processes are too many or too few");
                    self.fail(
                        Diagnostic::error(active.span, message)
                            .label("expected at most 255 processes at the start"),
                    );
                    continue;
                }
            };
            let parameters = self.program.proctypes[number].parameters as usize;
            for _ in 0..instances {
                self.program.start.push(Start {
                    proctype: u32::try_from(number).unwrap_or(u32::MAX),
                    arguments: vec![0; parameters],
                    priority: proctype.priority.unwrap_or(1),
                });
            }
        }
        if self.program.start.is_empty() && self.errors.is_empty() {
            let first = self.ast.proctypes[0].name.span;
            self.fail(
                Diagnostic::error(first, "no process is there at the start")
                    .label("a process such as this must be started")
                    .help("write `active` before a `proctype`, or an `init` that runs it"),
            );
        }
    }
}
