//! Statements to graphs: names resolved, types checked, effects in order, conversions made explicit.
//!
//! Operands are evaluated from left to right.

mod assign;
mod builtin;
mod call;
mod expression;
mod initial;
mod memory;
mod statement;
mod taken;
mod typing;

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_number::Int;
use suppose_source::{Diagnostic, ParserLimits, Span};

use super::ast::{self, Init, Item, Storage, Type};
use super::fold::fold;
use super::ir::{
    Block, BlockId, End, Expr, FnId, Function, LoopText, ObjId, Op, OpKind, Program, VarId,
};
use super::parser::Parsed;
use super::types::{IntType, Semantics};

type Result<T> = std::result::Result<T, Diagnostic>;

/// Where a variable is kept.
#[derive(Clone, Copy)]
enum At {
    Var(VarId),
    Object(ObjId),
}

/// The meaning of a name.
#[derive(Clone, Copy)]
struct Binding {
    at: At,
    ty: Type,
    is_const: bool,
}

/// A global that is kept in memory or a pointer: with its first value, and whether it is only declared.
type Pending<'a> = (At, Type, Option<&'a Init>, bool, Span);

/// What is known of a function before bodies are read.
struct Known<'a> {
    declared: &'a ast::Function,
    /// If it has a body.
    number: Option<FnId>,
}

/// The function at work.
struct Frame<'a> {
    blocks: Vec<Block>,
    current: BlockId,
    result: Option<VarId>,
    result_type: Type,
    /// Points to where a structure that is given back goes.
    result_place: Option<VarId>,
    loops: Vec<LoopText>,
    /// Where `break` and `continue` go.
    breaks: Vec<BlockId>,
    continues: Vec<BlockId>,
    switches: Vec<statement::Switch>,
    labels: FxHashMap<Rc<str>, statement::Label>,
    gotos: Vec<statement::Goto<'a>>,
    /// The variables that are in scope, for jumps past declarations.
    in_scope: Vec<VarId>,
}

pub(super) struct Lower<'a> {
    semantics: Semantics,
    program: Program,
    functions: FxHashMap<&'a str, Known<'a>>,
    scopes: Vec<FxHashMap<&'a str, Binding>>,
    /// First values of globals, in order; none for an arbitrary one.
    initial: Vec<(VarId, Option<Expr>, Span)>,
    /// Globals that are no integers, and texts.
    pending: Vec<Pending<'a>>,
    texts: Vec<(ObjId, Box<[u8]>, Span)>,
    length_exprs: &'a [ast::Expr],
    /// The names whose addresses are taken: in the function at work, and anywhere.
    taken: FxHashSet<Rc<str>>,
    taken_anywhere: FxHashSet<Rc<str>>,
    warnings: Vec<Diagnostic>,
    frame: Frame<'a>,
    ops: usize,
    limit: usize,
}

pub(super) struct Lowered {
    pub(super) program: Program,
    pub(super) warnings: Vec<Diagnostic>,
}

pub(super) fn lower(
    parsed: &Parsed,
    semantics: Semantics,
    limits: &ParserLimits,
) -> Result<Lowered> {
    let items = &parsed.items;
    let mut program = Program {
        shapes: parsed.shapes.clone(),
        ..Program::default()
    };
    program.lengths = vec![None; parsed.lengths.len()];
    let mut it = Lower {
        semantics,
        program,
        functions: FxHashMap::default(),
        scopes: vec![FxHashMap::default()],
        initial: Vec::new(),
        pending: Vec::new(),
        texts: Vec::new(),
        length_exprs: &parsed.lengths,
        taken: FxHashSet::default(),
        taken_anywhere: taken(items),
        warnings: Vec::new(),
        frame: Frame::new(None, Type::Void),
        ops: 0,
        limit: limits.states,
    };
    let bodies = it.declare_functions(items)?;
    it.declare_globals(items)?;
    for function in bodies {
        it.function(function)?;
    }
    it.root()?;
    Ok(Lowered {
        program: it.program,
        warnings: it.warnings,
    })
}

/// The names whose addresses are taken somewhere.
fn taken(items: &[Item]) -> FxHashSet<Rc<str>> {
    let mut found = FxHashSet::default();
    for item in items {
        match item {
            Item::Global(decl) => taken::in_declaration(decl, &mut found),
            Item::Function(function) => {
                let body = function.body.as_deref().unwrap_or_default();
                taken::in_statements(body, &mut found);
            }
        }
    }
    found
}

impl Frame<'_> {
    fn new(result: Option<VarId>, result_type: Type) -> Self {
        Frame {
            blocks: Vec::new(),
            current: BlockId(0),
            result,
            result_type,
            result_place: None,
            loops: Vec::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            labels: FxHashMap::default(),
            gotos: Vec::new(),
            in_scope: Vec::new(),
        }
    }
}

impl<'a> Lower<'a> {
    fn declare_functions(&mut self, items: &'a [Item]) -> Result<Vec<&'a ast::Function>> {
        let mut bodies: Vec<&'a ast::Function> = Vec::new();
        for item in items {
            let Item::Function(function) = item else {
                continue;
            };
            let number = match function.body {
                // Calls of these are known by name, whatever their bodies say.
                Some(_) if builtin::is_fixed(&function.name) => None,
                Some(_) => {
                    bodies.push(function);
                    Some(FnId(bodies.len() as u32 - 1))
                }
                None => None,
            };
            let known = self.functions.get(&*function.name);
            if let (
                Some(Known {
                    number: Some(_),
                    declared,
                }),
                Some(_),
            ) = (known, number)
            {
                let message = format!("the function `{}` is defined twice", function.name);
                return Err(
                    Diagnostic::error(function.span, message).note(declared.span, "first here")
                );
            }
            if number.is_some() || known.is_none() {
                let declared = function;
                self.functions
                    .insert(&function.name, Known { declared, number });
            }
        }
        Ok(bodies)
    }

    fn declare_globals(&mut self, items: &'a [Item]) -> Result<()> {
        for item in items {
            let Item::Global(decl) = item else {
                continue;
            };
            if self.functions.contains_key(&*decl.name) {
                let message = format!("`{}` is a function and a variable", decl.name);
                return Err(Diagnostic::error(decl.span, message));
            }
            let at = match self.scopes[0].get(&*decl.name) {
                Some(binding) => Some(binding.at),
                None => self.global(decl)?,
            };
            if let Some(at) = at {
                self.initialise(at, decl)?;
            }
        }
        // What is declared as `extern` only may have any value; the rest starts with 0.
        Ok(())
    }

    /// Where a global is kept. None for one that headers declare and that cannot be used.
    fn global(&mut self, decl: &'a ast::Decl) -> Result<Option<At>> {
        let is_taken = self.taken_anywhere.contains(&decl.name);
        let Some(at) = self.kept_at(decl, is_taken, true)? else {
            return Ok(None);
        };
        let binding = Binding {
            at,
            ty: decl.ty,
            is_const: decl.is_const,
        };
        self.scopes[0].insert(&decl.name, binding);
        Ok(Some(at))
    }

    /// A new variable or object for a declaration.
    fn kept_at(&mut self, decl: &'a ast::Decl, is_taken: bool, global: bool) -> Result<Option<At>> {
        Ok(Some(match decl.ty {
            Type::Int(ty) if !is_taken => {
                At::Var(self.program.add_var(&decl.name, ty, global, false))
            }
            Type::Pointer(_) if !is_taken => {
                At::Var(self.program.add_pointer(&decl.name, global, false))
            }
            ty => match self.object(&decl.name, ty, global, decl.span) {
                Ok(object) => At::Object(object),
                // Headers declare such things; only their use matters.
                Err(_) if decl.storage == Storage::Extern => return Ok(None),
                Err(error) => return Err(error),
            },
        }))
    }

    /// The first value of a global: given, 0, or, if it is only declared, an arbitrary one.
    fn initialise(&mut self, at: At, decl: &'a ast::Decl) -> Result<()> {
        let is_extern = decl.storage == Storage::Extern;
        let (At::Var(var), Type::Int(ty)) = (at, decl.ty) else {
            let same = |other: &At| match (other, at) {
                (At::Var(a), At::Var(b)) => *a == b,
                (At::Object(a), At::Object(b)) => *a == b,
                _ => false,
            };
            match self.pending.iter_mut().find(|p| same(&p.0)) {
                Some(entry) => {
                    entry.2 = decl.init.as_ref().or(entry.2);
                    entry.3 &= is_extern;
                }
                None => {
                    let init = decl.init.as_ref();
                    self.pending.push((at, decl.ty, init, is_extern, decl.span));
                }
            }
            return Ok(());
        };
        let mut init = decl.init.as_ref();
        while let Some(Init::List(list, _)) = init
            && let [(way, only)] = &**list
            && way.is_empty()
        {
            init = Some(only);
        }
        let value = match init {
            None if is_extern => None,
            None => Some(Int::ZERO),
            Some(Init::List(_, span)) => {
                return Err(Diagnostic::error(*span, "a list of values for one value"));
            }
            Some(Init::Value(init)) => match self.constant(init) {
                Some((value, _)) => Some(self.semantics.convert(ty, &value)),
                None => {
                    return Err(Diagnostic::error(init.span, "this is not a constant")
                        .label("the first value of a global must be one")
                        .help("assign it at the start of `main`"));
                }
            },
        };
        let value = value.map(|v| Expr::constant(v, ty, decl.span));
        match self.initial.iter_mut().find(|(v, ..)| *v == var) {
            Some(entry) if decl.init.is_some() || entry.1.is_none() => entry.1 = value,
            Some(_) => {}
            None => self.initial.push((var, value, decl.span)),
        }
        Ok(())
    }

    /// Constants, and globals that are `const` with a value.
    fn constant(&self, expr: &ast::Expr) -> Option<(Int, IntType)> {
        fold(expr, self.semantics)
    }

    fn function(&mut self, declared: &'a ast::Function) -> Result<()> {
        let result = match declared.result {
            Type::Void | Type::Struct(_) => None,
            Type::Int(ty) => Some(self.program.add_var("result", ty, false, true)),
            Type::Pointer(_) => Some(self.program.add_pointer("result", false, true)),
            ty => {
                let message = format!(
                    "`{}` gives back {}, which is not supported",
                    declared.name,
                    self.program.shapes.describe(ty)
                );
                return Err(Diagnostic::error(declared.span, message).label("not supported"));
            }
        };
        self.taken.clear();
        taken::in_statements(
            declared.body.as_deref().unwrap_or_default(),
            &mut self.taken,
        );
        self.frame = Frame::new(result, declared.result);
        self.scopes.push(FxHashMap::default());
        let params = self.params(declared)?;
        let entry = self.new_block(declared.span);
        self.frame.current = entry;
        let start = self.new_block(declared.span);
        self.end(End::Goto(start), declared.span);
        self.frame.current = start;
        self.params_in_memory(declared, &params)?;
        if let Some(body) = &declared.body {
            self.block(body)?;
        }
        self.fall_off(declared);
        self.resolve_gotos()?;
        self.scopes.pop();
        let frame = std::mem::replace(&mut self.frame, Frame::new(None, Type::Void));
        self.program.functions.push(Function {
            name: declared.name.to_string(),
            span: declared.span,
            params,
            result,
            blocks: frame.blocks,
            loops: frame.loops,
        });
        Ok(())
    }

    fn params(&mut self, declared: &'a ast::Function) -> Result<Vec<VarId>> {
        let mut params = Vec::new();
        if let Type::Struct(_) = declared.result {
            let var = self.program.add_pointer("result", false, true);
            self.frame.result_place = Some(var);
            params.push(var);
        }
        for param in &declared.params {
            let name = param.name.as_deref().unwrap_or("unnamed");
            let var = match param.ty {
                Type::Int(ty) => self.program.add_var(name, ty, false, false),
                // `argv` is allowed if it is not used.
                _ if &*declared.name == "main" => continue,
                Type::Pointer(_) => self.program.add_pointer(name, false, false),
                Type::Struct(_) => self.program.add_pointer(name, false, true),
                Type::Void => {
                    return Err(Diagnostic::error(param.span, "a parameter of type `void`"));
                }
                ty => {
                    let what = self.program.shapes.describe(ty);
                    let name = param.name.as_deref().unwrap_or("this parameter");
                    let message = format!("`{name}` is {what}, which is not supported");
                    return Err(Diagnostic::error(param.span, message)
                        .label("not supported")
                        .help("parameters are integers, pointers and structures"));
                }
            };
            params.push(var);
            if let (Some(name), Some(scope)) = (&param.name, self.scopes.last_mut()) {
                let binding = Binding {
                    at: At::Var(var),
                    ty: param.ty,
                    is_const: false,
                };
                if scope.insert(name, binding).is_some() {
                    let message = format!("two parameters are called `{name}`");
                    return Err(Diagnostic::error(param.span, message));
                }
            }
        }
        Ok(params)
    }

    /// Structures, and parameters whose addresses are taken, are copied to objects of the function.
    fn params_in_memory(&mut self, declared: &'a ast::Function, vars: &[VarId]) -> Result<()> {
        let hidden = usize::from(self.frame.result_place.is_some());
        let of_main = |ty: Type| &*declared.name == "main" && !matches!(ty, Type::Int(_));
        let params = declared.params.iter().filter(|p| !of_main(p.ty));
        for (param, var) in params.zip(&vars[hidden.min(vars.len())..]) {
            let Some(name) = &param.name else {
                continue;
            };
            let is_struct = matches!(param.ty, Type::Struct(_));
            if !is_struct && !self.taken.contains(name) {
                continue;
            }
            let span = param.span;
            let id = self.object(name, param.ty, false, span)?;
            self.declare_object(id, super::ir::Contents::Arbitrary, span);
            let place = Self::place_of(id, param.ty, span);
            match param.ty {
                Type::Struct(_) => {
                    let from = super::ir::MemPlace {
                        base: super::ir::Base::Pointer(*var),
                        path: Vec::new(),
                    };
                    self.copy(&place, &from, param.ty, span)?;
                }
                Type::Int(ty) => {
                    let value = Expr::new(super::ir::ExprKind::Var(*var), ty, span);
                    let value = super::ir::Stored::Num(value);
                    self.memory(super::ir::Memory::Store(place, value), span);
                }
                _ => {
                    let value = super::ir::Stored::Pointer(super::ir::Pointer::Var(*var));
                    self.memory(super::ir::Memory::Store(place, value), span);
                }
            }
            if let Some(scope) = self.scopes.last_mut() {
                let binding = Binding {
                    at: At::Object(id),
                    ty: param.ty,
                    is_const: false,
                };
                scope.insert(name, binding);
            }
        }
        Ok(())
    }

    /// At the closing brace `main` gives back 0, others an arbitrary value.
    fn fall_off(&mut self, declared: &ast::Function) {
        if let Some(result) = self.frame.result {
            let kind = if self.program.var(result).pointer {
                OpKind::Memory(super::ir::Memory::Point(
                    result,
                    super::ir::Pointer::Unknown,
                ))
            } else if &*declared.name == "main" {
                let zero = Expr::constant(Int::ZERO, IntType::Int, declared.end);
                OpKind::Assign(result, zero)
            } else {
                OpKind::Havoc(result, None)
            };
            self.op(kind, declared.end);
        }
        self.end(End::Return, declared.end);
    }

    /// Sets the globals and starts `main`.
    fn root(&mut self) -> Result<()> {
        let main = self.functions.get("main").and_then(|k| k.number);
        let Some(main) = main else {
            return Err(
                Diagnostic::error_without_place("there is no function `main`")
                    .help("write one: `int main(void) { ... }`"),
            );
        };
        let is_called = self
            .program
            .functions
            .iter()
            .any(|f| f.callees().contains(&main));
        let in_memory = self.before_main()?;
        let mut ops: Vec<Op> = Vec::new();
        for (var, value, span) in &self.initial {
            let kind = match value {
                Some(value) => OpKind::Assign(*var, value.clone()),
                None => OpKind::Havoc(*var, None),
            };
            ops.push(Op { kind, span: *span });
        }
        ops.extend(in_memory);
        let params = self.program.function(main).params.clone();
        if !is_called {
            let arbitrary = params.iter().map(|p| Op {
                kind: OpKind::Havoc(*p, None),
                span: self.program.function(main).span,
            });
            ops.extend(arbitrary);
            let function = &mut self.program.functions[main.index()];
            function.params.clear();
            function.blocks[0].ops = ops;
            self.program.root = main.index();
            return Ok(());
        }
        let span = self.program.function(main).span;
        let mut args = Vec::new();
        for param in params {
            let ty = self.program.var(param).ty;
            let var = self.program.add_var("argument", ty, false, true);
            ops.push(Op {
                kind: OpKind::Havoc(var, None),
                span,
            });
            let kind = super::ir::ExprKind::Var(var);
            args.push(Expr::new(kind, ty, span));
        }
        let goto = |ops, end| Block { ops, end, span };
        let call = End::Call {
            callee: main,
            args,
            result: None,
            next: BlockId(2),
        };
        self.program.root = self.program.functions.len();
        self.program.functions.push(Function {
            name: "start".to_owned(),
            span,
            params: Vec::new(),
            result: None,
            blocks: vec![
                goto(ops, End::Goto(BlockId(1))),
                goto(Vec::new(), call),
                goto(Vec::new(), End::Return),
            ],
            loops: Vec::new(),
        });
        Ok(())
    }

    fn new_block(&mut self, span: Span) -> BlockId {
        self.frame.blocks.push(Block {
            ops: Vec::new(),
            end: End::Halt,
            span,
        });
        BlockId(self.frame.blocks.len() as u32 - 1)
    }

    fn op(&mut self, kind: OpKind, span: Span) {
        self.ops += 1;
        let current = self.frame.current.index();
        self.frame.blocks[current].ops.push(Op { kind, span });
    }

    /// Ends the current block. What follows without a label is never reached, and gets a block of its own.
    fn end(&mut self, end: End, span: Span) {
        let current = self.frame.current.index();
        self.frame.blocks[current].end = end;
        self.frame.blocks[current].span = span;
        self.frame.current = self.new_block(span);
    }

    /// Goes on in a block.
    fn goto(&mut self, target: BlockId, span: Span) {
        self.end(End::Goto(target), span);
    }

    fn temporary(&mut self, ty: IntType) -> VarId {
        self.program.add_var("value", ty, false, true)
    }

    fn check_size(&self, span: Span) -> Result<()> {
        if self.ops + self.frame.blocks.len() <= self.limit {
            return Ok(());
        }
        let message = format!("the program has more than {} steps", self.limit);
        Err(Diagnostic::error(span, message).label("the limit was reached here"))
    }
}
