//! A plain machine for programs with memory, as they were lowered: nothing is resolved, nothing approximated.
//!
//! It says whether inputs lead to a violation, independently of the clauses and of how memory was resolved for them.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use suppose_number::Int;
use suppose_source::Span;

use crate::c::ir::{
    Base, BlockId, Contents, Count, End, Expr, ExprKind, FnId, Function, MemPlace, Memory, OpKind,
    Pointer, Program, Stored, VarId, Way,
};
use crate::c::shapes::{Length, Type};
use crate::c::types::{BinaryOp, Semantics};
use crate::c::{Claim, IntType};

/// Calls may be nested this deep.
const DEPTH: usize = 20_000;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::c) enum Ended {
    /// The claim is violated, here.
    Violated(Span),
    /// The program ended, or C does not say what follows.
    Normally,
    /// Too many steps, or something that is not supported.
    Stopped,
}

/// What a run did, as far as a resolved program asks for it.
#[derive(Clone, Debug, Default)]
pub(in crate::c) struct Log {
    /// What functions without body gave.
    pub(in crate::c) inputs: Vec<Int>,
    /// The numbers that were read from memory.
    loads: Vec<Int>,
    /// The objects that were made at each site.
    made: BTreeMap<u32, Vec<usize>>,
    /// For each object the indices of its last reads, the newest first.
    last: BTreeMap<usize, Vec<Vec<i64>>>,
}

/// How many reads of an object are kept.
const READS: usize = 4;

impl Log {
    /// The values for a resolved program on the same run.
    pub(in crate::c) fn replay(&self) -> impl FnMut(Option<&str>) -> Int {
        let mut inputs = self.inputs.clone().into_iter();
        let mut loads = self.loads.clone().into_iter();
        let (made, last) = (self.made.clone(), self.last.clone());
        let mut counts: BTreeMap<(u32, usize, usize), usize> = BTreeMap::new();
        move |name| {
            let next = match name.map(Hidden::parse) {
                None => None,
                Some(None) => inputs.next(),
                Some(Some(Hidden::Load)) => loads.next(),
                Some(Some(Hidden::Cell(site, cell, level))) => {
                    let count = counts.entry((site, cell, level)).or_insert(0);
                    let object = made.get(&site).and_then(|all| all.get(*count));
                    *count += 1;
                    let read = object.and_then(|o| last.get(o)?.get(cell)?.get(level));
                    read.map(|n| Int::from(*n))
                }
            };
            next.unwrap_or(Int::ZERO)
        }
    }
}

/// A value that is asked for by a resolved program, not by the one that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::c) enum Hidden {
    /// What is read from memory.
    Load,
    /// An index of a cell: site, cell, level.
    Cell(u32, usize, usize),
}

impl Hidden {
    pub(in crate::c) fn name(self) -> String {
        match self {
            Hidden::Load => "#load".to_owned(),
            Hidden::Cell(site, cell, level) => format!("#cell {site} {cell} {level}"),
        }
    }

    /// None for the name of a function.
    pub(in crate::c) fn parse(name: &str) -> Option<Hidden> {
        if name == "#load" {
            return Some(Hidden::Load);
        }
        let mut parts = name.strip_prefix("#cell ")?.split(' ');
        let site = parts.next()?.parse().ok()?;
        let cell = parts.next()?.parse().ok()?;
        let level = parts.next()?.parse().ok()?;
        Some(Hidden::Cell(site, cell, level))
    }
}

/// A number for an allocation, above those of the objects that are declared.
pub(in crate::c) fn heap_site(program: &Program, function: usize, block: usize, op: usize) -> u32 {
    let mut site = program.objects.len();
    for function in &program.functions[..function] {
        site += function.blocks.iter().map(|b| b.ops.len()).sum::<usize>();
    }
    let blocks = &program.functions[function].blocks[..block];
    site += blocks.iter().map(|b| b.ops.len()).sum::<usize>();
    (site + op) as u32
}

/// Where a value comes from that the program asks for: the function called, if there is one, and where.
pub(in crate::c) type Choose<'a> = &'a mut dyn FnMut(Option<&str>, IntType, Span) -> Int;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Address {
    Null,
    Unknown,
    Function(FnId),
    To(usize, Vec<i64>),
}

#[derive(Clone, Debug)]
enum Cell {
    Num(Int),
    Pointer(Address),
}

enum Shape {
    Bytes(u64),
    Elements(Type, u64),
}

struct Object {
    shape: Shape,
    over: bool,
    on_heap: bool,
    zero: bool,
    cells: BTreeMap<Vec<i64>, Cell>,
}

#[derive(Default)]
struct Frame {
    function: usize,
    block: usize,
    numbers: FxHashMap<VarId, Int>,
    pointers: FxHashMap<VarId, Address>,
    objects: FxHashMap<u32, usize>,
}

struct Machine<'a> {
    program: &'a Program,
    semantics: Semantics,
    claim: Claim,
    choose: Choose<'a>,
    globals: Frame,
    frames: Vec<Frame>,
    objects: Vec<Object>,
    steps: usize,
    log: Log,
}

/// The run is over.
type Step<T> = Result<T, Ended>;

/// Runs a program.
pub(in crate::c) fn run(
    program: &Program,
    semantics: Semantics,
    claim: Claim,
    choose: Choose<'_>,
    limit: usize,
) -> (Ended, Log, usize) {
    let root = Frame {
        function: program.root,
        ..Frame::default()
    };
    let mut it = Machine {
        program,
        semantics,
        claim,
        choose,
        globals: Frame::default(),
        frames: vec![root],
        objects: Vec::new(),
        steps: limit,
        log: Log::default(),
    };
    loop {
        if let Err(ended) = it.block() {
            return (ended, it.log, limit - it.steps);
        }
    }
}

impl Machine<'_> {
    fn frame(&mut self, var: VarId) -> Step<&mut Frame> {
        if self.program.var(var).global {
            return Ok(&mut self.globals);
        }
        self.frames.last_mut().ok_or(Ended::Normally)
    }

    fn get(&mut self, var: VarId) -> Step<Int> {
        let found = self.frame(var)?.numbers.get(&var).cloned();
        Ok(found.unwrap_or(Int::ZERO))
    }

    fn set(&mut self, var: VarId, value: &Int) -> Step<()> {
        let value = self.semantics.convert(self.program.var(var).ty, value);
        self.frame(var)?.numbers.insert(var, value);
        Ok(())
    }

    fn undefined(&self, claim: Claim, span: Span) -> Ended {
        match claim == self.claim {
            true => Ended::Violated(span),
            false => Ended::Normally,
        }
    }

    fn eval(&mut self, expr: &Expr) -> Step<Int> {
        let truth = |t: bool| Ok(Int::from(i32::from(t)));
        match &expr.kind {
            ExprKind::Const(n) => Ok(n.clone()),
            ExprKind::Var(var) => self.get(*var),
            ExprKind::Convert(a) => {
                let a = self.eval(a)?;
                Ok(self.semantics.convert(expr.ty, &a))
            }
            ExprKind::Not(a) => truth(self.eval(a)?.is_zero()),
            ExprKind::And(a, b) => truth(!self.eval(a)?.is_zero() && !self.eval(b)?.is_zero()),
            ExprKind::Or(a, b) => truth(!self.eval(a)?.is_zero() || !self.eval(b)?.is_zero()),
            ExprKind::Ite(c, a, b) => match self.eval(c)?.is_zero() {
                true => self.eval(b),
                false => self.eval(a),
            },
            ExprKind::Fits(..) => truth(true),
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.eval(a)?, self.eval(b)?);
                let value = self.semantics.apply(*op, a.ty, &x, &y);
                // Overflow, division by zero, shifts by too many places.
                value.ok_or_else(|| self.undefined(Claim::NoOverflow, expr.span))
            }
        }
    }

    fn pointer_of(&mut self, var: VarId) -> Step<Address> {
        let found = self.frame(var)?.pointers.get(&var).cloned();
        Ok(found.unwrap_or(Address::Unknown))
    }

    fn declare(&mut self, id: u32, contents: Contents) -> Step<usize> {
        let object = &self.program.objects[id as usize];
        let count = match object.count {
            Count::Known(n) => n,
            Count::Variable(var) => {
                let n = self.get(var)?;
                n.to_i64().and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
            }
        };
        let number = self.objects.len();
        self.objects.push(Object {
            shape: Shape::Elements(object.element, count),
            over: false,
            on_heap: false,
            zero: contents == Contents::Zero,
            cells: BTreeMap::new(),
        });
        self.log.made.entry(id).or_default().push(number);
        let frame = match object.global {
            true => &mut self.globals,
            false => self.frames.last_mut().ok_or(Ended::Normally)?,
        };
        let old = frame.objects.insert(id, number);
        if let Some(old) = old.and_then(|n| self.objects.get_mut(n)) {
            old.over = true;
        }
        Ok(number)
    }

    fn locate(&mut self, place: &MemPlace, span: Span) -> Step<(usize, Vec<i64>)> {
        let (object, mut way) = match place.base {
            Base::Object(id) => {
                let frame = match self.program.object(id).global {
                    true => &self.globals,
                    false => self.frames.last().ok_or(Ended::Normally)?,
                };
                let object = match frame.objects.get(&id.0) {
                    Some(object) => *object,
                    None => self.declare(id.0, Contents::Arbitrary)?,
                };
                (object, Vec::new())
            }
            Base::Pointer(var) => match self.pointer_of(var)? {
                Address::To(object, way) => (object, way),
                Address::Null => return Err(self.undefined(Claim::ValidDeref, span)),
                _ => return Err(Ended::Stopped),
            },
        };
        for step in &place.path {
            match step {
                Way::Field(n) => way.push(i64::from(*n)),
                Way::Index(e) => {
                    let n = self.eval(e)?.to_i64().ok_or(Ended::Stopped)?;
                    way.push(n);
                }
                Way::Shift(e) => {
                    let by = self.eval(e)?.to_i64().ok_or(Ended::Stopped)?;
                    if by != 0 && !self.ends_in_index(object, &way) {
                        return Err(Ended::Stopped);
                    }
                    let last = way.last_mut().ok_or(Ended::Stopped)?;
                    *last = last.checked_add(by).ok_or(Ended::Stopped)?;
                }
            }
        }
        Ok((object, way))
    }

    fn ends_in_index(&self, object: usize, way: &[i64]) -> bool {
        let Some(Object {
            shape: Shape::Elements(of, _),
            ..
        }) = self.objects.get(object)
        else {
            return way.len() == 1;
        };
        let mut ty = *of;
        let mut is_index = !way.is_empty();
        for step in way.iter().skip(1) {
            (ty, is_index) = match ty {
                Type::Array(of, _) => (self.program.shapes.get(of), true),
                Type::Struct(id) => {
                    let fields = self.program.shapes.structure(id).fields.as_ref();
                    let field = fields.and_then(|f| f.get(*step as usize));
                    (field.map_or(Type::Void, |f| f.ty), false)
                }
                other => (other, false),
            };
        }
        is_index
    }

    /// The scalar at a place, with its type.
    fn scalar(&mut self, place: &MemPlace, span: Span) -> Step<(usize, Vec<i64>, Type)> {
        let (number, way) = self.locate(place, span)?;
        let invalid = self.undefined(Claim::ValidDeref, span);
        let object = self.objects.get(number).ok_or(Ended::Stopped)?;
        if object.over {
            return Err(invalid);
        }
        let Shape::Elements(of, count) = object.shape else {
            return Err(Ended::Stopped);
        };
        let (mut ty, mut length) = (of, Some(count));
        for step in &way {
            if let Some(length) = length.take() {
                if *step < 0 || *step as u64 >= length {
                    return Err(invalid);
                }
                continue;
            }
            ty = match ty {
                Type::Array(of, Length::Known(length)) => {
                    if *step < 0 || *step as u64 >= length {
                        return Err(invalid);
                    }
                    self.program.shapes.get(of)
                }
                Type::Struct(id) => {
                    let fields = self.program.shapes.structure(id).fields.as_ref();
                    fields
                        .and_then(|f| f.get(*step as usize))
                        .ok_or(Ended::Stopped)?
                        .ty
                }
                _ => return Err(Ended::Stopped),
            };
        }
        Ok((number, way, ty))
    }

    fn address(&mut self, pointer: &Pointer, span: Span) -> Step<Address> {
        Ok(match pointer {
            Pointer::Null => Address::Null,
            Pointer::Unknown => Address::Unknown,
            Pointer::Function(id) => Address::Function(*id),
            Pointer::Var(var) => self.pointer_of(*var)?,
            Pointer::Address(place) => {
                let (object, way) = self.locate(place, span)?;
                Address::To(object, way)
            }
        })
    }

    fn fits(&self, a: IntType, b: IntType) -> bool {
        (a == IntType::Bool) == (b == IntType::Bool)
            && self.semantics.bits(a) == self.semantics.bits(b)
    }

    /// The steps that are indices.
    fn indices(&self, object: usize, way: &[i64]) -> Vec<i64> {
        let mut found: Vec<i64> = way.iter().take(1).copied().collect();
        let Shape::Elements(mut ty, _) = self.objects[object].shape else {
            return found;
        };
        for step in way.iter().skip(1) {
            ty = match ty {
                Type::Array(of, _) => {
                    found.push(*step);
                    self.program.shapes.get(of)
                }
                Type::Struct(id) => {
                    let fields = self.program.shapes.structure(id).fields.as_ref();
                    let field = fields.and_then(|f| f.get(*step as usize));
                    field.map_or(Type::Void, |f| f.ty)
                }
                other => other,
            };
        }
        found
    }

    fn loaded(&mut self, object: usize, way: &[i64], value: &Int) {
        self.log.loads.push(value.clone());
        let indices = self.indices(object, way);
        let last = self.log.last.entry(object).or_default();
        last.retain(|other| *other != indices);
        last.insert(0, indices);
        last.truncate(READS);
    }

    fn memory(&mut self, op: &Memory, span: Span, site: impl Fn() -> u32) -> Step<()> {
        match op {
            Memory::Load(to, place) => {
                let (object, way, ty) = self.scalar(place, span)?;
                let zero = self.objects[object].zero;
                let is_pointer = self.program.var(*to).pointer;
                let found = self.objects[object].cells.get(&way).cloned();
                let place = way.clone();
                match (ty, is_pointer) {
                    (Type::Int(ty), false) if self.fits(ty, self.program.var(*to).ty) => {
                        let value = match found {
                            Some(Cell::Num(n)) => n,
                            Some(Cell::Pointer(_)) => return Err(Ended::Stopped),
                            None if zero => Int::ZERO,
                            None => {
                                let value = (self.choose)(None, ty, span);
                                let value = self.semantics.convert(ty, &value);
                                let cell = Cell::Num(value.clone());
                                self.objects[object].cells.insert(way, cell);
                                value
                            }
                        };
                        self.loaded(object, &place, &value);
                        self.set(*to, &value)
                    }
                    (Type::Pointer(_), true) => {
                        let value = match found {
                            Some(Cell::Pointer(p)) => p,
                            None if zero => Address::Null,
                            _ => Address::Unknown,
                        };
                        self.frame(*to)?.pointers.insert(*to, value);
                        Ok(())
                    }
                    _ => Err(Ended::Stopped),
                }
            }
            Memory::Store(place, value) => {
                let value = match value {
                    Stored::Num(e) => (Cell::Num(self.eval(e)?), Some(e.ty)),
                    Stored::Pointer(p) => (Cell::Pointer(self.address(p, span)?), None),
                };
                let (object, way, ty) = self.scalar(place, span)?;
                let cell = match (ty, value) {
                    (Type::Int(ty), (Cell::Num(n), Some(of))) if self.fits(ty, of) => {
                        Cell::Num(self.semantics.convert(ty, &n))
                    }
                    (Type::Pointer(_), (cell @ Cell::Pointer(_), None)) => cell,
                    _ => return Err(Ended::Stopped),
                };
                self.objects[object].cells.insert(way, cell);
                Ok(())
            }
            Memory::Point(to, pointer) => {
                let address = self.address(pointer, span)?;
                self.frame(*to)?.pointers.insert(*to, address);
                Ok(())
            }
            Memory::Compare(to, op, a, b) => {
                let (a, b) = (self.address(a, span)?, self.address(b, span)?);
                let truth = self.compared(*op, &a, &b)?;
                self.set(*to, &Int::from(i32::from(truth)))
            }
            Memory::Difference(to, a, b) => {
                let (Address::To(i, x), Address::To(j, y)) =
                    (self.address(a, span)?, self.address(b, span)?)
                else {
                    return Err(Ended::Stopped);
                };
                match (i == j, x.split_last(), y.split_last()) {
                    (true, Some((x, first)), Some((y, second))) if first == second => {
                        self.set(*to, &Int::from(*x - *y))
                    }
                    _ => Err(Ended::Stopped),
                }
            }
            Memory::Allocate {
                to,
                bytes,
                contents,
            } => {
                let bytes = self.eval(bytes)?.to_i64().ok_or(Ended::Stopped)?;
                let zero = *contents == Contents::Zero;
                let bytes = u64::try_from(bytes).map_err(|_| Ended::Stopped)?;
                let number = self.objects.len();
                self.log.made.entry(site()).or_default().push(number);
                self.objects.push(Object {
                    shape: Shape::Bytes(bytes),
                    over: false,
                    on_heap: true,
                    zero,
                    cells: BTreeMap::new(),
                });
                let address = Address::To(number, vec![0]);
                self.frame(*to)?.pointers.insert(*to, address);
                Ok(())
            }
            Memory::Retype(var, ty, size) => {
                if let Address::To(object, _) = self.pointer_of(*var)?
                    && let Some(object) = self.objects.get_mut(object)
                    && let Shape::Bytes(bytes) = object.shape
                {
                    object.shape = Shape::Elements(*ty, bytes / (*size).max(1));
                }
                Ok(())
            }
            Memory::Free(pointer) => match self.address(pointer, span)? {
                Address::Null => Ok(()),
                Address::To(object, way) => {
                    let invalid = self.undefined(Claim::ValidFree, span);
                    let object = self.objects.get_mut(object).ok_or(Ended::Stopped)?;
                    if !object.on_heap || object.over || way.iter().any(|n| *n != 0) {
                        return Err(invalid);
                    }
                    object.over = true;
                    Ok(())
                }
                Address::Function(_) => Err(self.undefined(Claim::ValidFree, span)),
                Address::Unknown => Err(Ended::Stopped),
            },
            Memory::Declare(id, contents) => self.declare(id.0, *contents).map(|_| ()),
            Memory::Refused(_) => Err(Ended::Stopped),
        }
    }

    fn compared(&self, op: BinaryOp, a: &Address, b: &Address) -> Step<bool> {
        let is_equal = match (a, b) {
            (Address::Unknown, _) | (_, Address::Unknown) => return Err(Ended::Stopped),
            (Address::To(i, x), Address::To(j, y)) if i == j => {
                let same = x.len() == y.len();
                if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
                    let (Some((x, first)), Some((y, second))) = (x.split_last(), y.split_last())
                    else {
                        return Err(Ended::Stopped);
                    };
                    if first != second {
                        return Err(Ended::Stopped);
                    }
                    return Ok(match op {
                        BinaryOp::Lt => x < y,
                        BinaryOp::Le => x <= y,
                        BinaryOp::Gt => x > y,
                        _ => x >= y,
                    });
                }
                if !same && x.iter().zip(y).all(|(x, y)| x == y) {
                    return Err(Ended::Stopped);
                }
                x == y
            }
            (a, b) => a == b,
        };
        match op {
            BinaryOp::Eq => Ok(is_equal),
            BinaryOp::Ne => Ok(!is_equal),
            _ => Err(Ended::Stopped),
        }
    }

    fn block(&mut self) -> Step<()> {
        let program = self.program;
        let (function, at) = {
            let frame = self.frames.last().ok_or(Ended::Normally)?;
            (frame.function, frame.block)
        };
        let block = &program.functions[function].blocks[at];
        for (number, op) in block.ops.iter().enumerate() {
            self.step()?;
            match &op.kind {
                OpKind::Assign(var, value) => {
                    let value = self.eval(value)?;
                    self.set(*var, &value)?;
                }
                OpKind::Havoc(var, name) => {
                    let ty = program.var(*var).ty;
                    let value = (self.choose)(name.as_deref(), ty, op.span);
                    let value = self.semantics.convert(ty, &value);
                    if name.is_some() {
                        self.log.inputs.push(value.clone());
                    }
                    self.set(*var, &value)?;
                }
                OpKind::Enter(..) | OpKind::Leave => {}
                OpKind::Memory(memory) => {
                    let site = || heap_site(program, function, at, number);
                    self.memory(memory, op.span, site)?;
                }
            }
        }
        self.step()?;
        match &block.end {
            End::Goto(next) => self.go(*next),
            End::Branch(condition, yes, no) => {
                let truth = !self.eval(condition)?.is_zero();
                self.go(if truth { *yes } else { *no })
            }
            End::Switch(value, cases, default) => {
                let value = self.eval(value)?;
                let case = cases.iter().find(|(n, _)| *n == value);
                self.go(case.map_or(*default, |(_, b)| *b))
            }
            End::Call { callee, args, .. } => self.call(*callee, args),
            End::CallPointer { callee, args, .. } => match self.pointer_of(*callee)? {
                Address::Function(callee) => self.call(callee, args),
                Address::Null => Err(self.undefined(Claim::ValidDeref, block.span)),
                _ => Err(Ended::Stopped),
            },
            End::Return => self.come_back(),
            End::Halt => Err(Ended::Normally),
            End::Error => Err(match self.claim {
                Claim::Assertions => Ended::Violated(block.span),
                _ => Ended::Normally,
            }),
        }
    }

    fn step(&mut self) -> Step<()> {
        self.steps = self.steps.checked_sub(1).ok_or(Ended::Stopped)?;
        Ok(())
    }

    fn go(&mut self, next: BlockId) -> Step<()> {
        self.frames.last_mut().ok_or(Ended::Normally)?.block = next.index();
        Ok(())
    }

    fn call(&mut self, callee: FnId, args: &[Expr]) -> Step<()> {
        let program = self.program;
        let params = &program.function(callee).params;
        if params.len() != args.len() || self.frames.len() > DEPTH {
            return Err(Ended::Stopped);
        }
        let mut frame = Frame {
            function: callee.index(),
            block: Function::ENTRY.index(),
            ..Frame::default()
        };
        for (param, arg) in params.iter().zip(args) {
            match (program.var(*param).pointer, &arg.kind) {
                (true, ExprKind::Var(var)) if program.var(*var).pointer => {
                    let value = self.pointer_of(*var)?;
                    frame.pointers.insert(*param, value);
                }
                (false, _) => {
                    let value = self.eval(arg)?;
                    frame.numbers.insert(*param, value);
                }
                _ => return Err(Ended::Stopped),
            }
        }
        self.frames.push(frame);
        Ok(())
    }

    fn come_back(&mut self) -> Step<()> {
        let program = self.program;
        let given = {
            let frame = self.frames.last().ok_or(Ended::Normally)?;
            program.functions[frame.function].result
        };
        let (mut number, mut address) = (None, None);
        if let Some(given) = given {
            match program.var(given).pointer {
                true => address = Some(self.pointer_of(given)?),
                false => number = Some(self.get(given)?),
            }
        }
        let done = self.frames.pop().ok_or(Ended::Normally)?;
        for object in done.objects.into_values() {
            if let Some(object) = self.objects.get_mut(object) {
                object.over = true;
            }
        }
        let caller = self.frames.last().ok_or(Ended::Normally)?;
        let block = &program.functions[caller.function].blocks[caller.block];
        let (End::Call { result, next, .. } | End::CallPointer { result, next, .. }) = &block.end
        else {
            return Err(Ended::Stopped);
        };
        if let Some(result) = *result {
            match (program.var(result).pointer, number, address) {
                (true, _, Some(address)) => {
                    self.frame(result)?.pointers.insert(result, address);
                }
                (false, Some(number), _) => self.set(result, &number)?,
                _ => return Err(Ended::Stopped),
            }
        }
        self.go(*next)
    }
}
