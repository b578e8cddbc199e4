//! Variables to slots.

use suppose_model::program::{ChannelKind, Expr, Init, Place, Scope, Slot, Type};
use suppose_source::{Diagnostic, Span};

use super::names::{Field, Struct, Var, VarType, twice};
use super::{Lower, Lowered};
use crate::promela::ast::{self, Decl, Range, Sequence, Step, Stmt, StmtKind, Variable};

/// How many slots a frame may have.
const SLOTS: u64 = 1 << 20;
/// How many messages a channel may hold.
const CAPACITY: i32 = 1 << 16;

/// What the slots of a variable start with.
#[derive(Clone)]
enum First {
    Value(i32),
    List(Vec<i32>),
    Channel(u32),
}

impl Lower<'_> {
    pub(super) fn declare_structs(&mut self) {
        for typedef in &self.ast.typedefs {
            let mut it = Struct {
                name: typedef.name.name,
                fields: Vec::new(),
                size: 0,
            };
            for decl in &typedef.fields {
                for variable in &decl.variables {
                    let field = self.field(&it, decl, variable);
                    if let Some((field, end)) = self.keep(field) {
                        it.fields.push(field);
                        it.size = end;
                    }
                }
            }
            let number = self.structs.len();
            if let Some(other) = self.struct_names.insert(it.name, number) {
                let first = self.ast.typedefs[other].name.span;
                let shown = self.text(it.name).to_owned();
                self.fail(twice("the type", &shown, typedef.name.span, first));
            }
            self.structs.push(it);
        }
    }

    /// A field and where the next one begins.
    fn field(&mut self, of: &Struct, decl: &Decl, variable: &Variable) -> Lowered<(Field, u32)> {
        if of.fields.iter().any(|f| f.name == variable.name.name) {
            let message = format!(
                "the field `{}` is declared twice",
                self.text(variable.name.name)
            );
            return Err(Diagnostic::error(variable.name.span, message).label("again here"));
        }
        let ty = self.var_type(decl.ty, Some(variable))?;
        let length = self.length(variable)?;
        let end = self.room(of.size, ty, length, variable.name.span)?;
        let (value, kind) = match self.first(ty, variable)? {
            First::Value(value) => (value, None),
            First::Channel(kind) => (0, Some(kind)),
            First::List(_) => {
                return Err(
                    Diagnostic::error(variable.name.span, "a field has one initial value")
                        .label("expected no list of values"),
                );
            }
        };
        let field = Field {
            name: variable.name.name,
            ty,
            length,
            offset: of.size,
            value,
            kind,
        };
        Ok((field, end))
    }

    fn length(&self, variable: &Variable) -> Lowered<Option<u32>> {
        let Some(length) = &variable.length else {
            return Ok(None);
        };
        let value = self.constant(length)?;
        match u32::try_from(value) {
            Ok(value) if value > 0 => Ok(Some(value)),
            _ => Err(Diagnostic::error(
                length.span,
                format!("an array cannot have {value} elements"),
            )
            .label("expected a number greater than 0")),
        }
    }

    /// The first slot after this variable, if it fits within the limit.
    fn room(&self, base: u32, ty: VarType, length: Option<u32>, span: Span) -> Lowered<u32> {
        let size = self.size(ty) * u64::from(length.unwrap_or(1));
        let end = u64::from(base) + size;
        match u32::try_from(end) {
            Ok(end) if u64::from(end) <= SLOTS => Ok(end),
            _ => {
                let message = format!("more than {SLOTS} scalars in one frame");
                Err(Diagnostic::error(span, message)
                    .label(format!("this one has {size}"))
                    .help("the state of a program holds every element; use a smaller array"))
            }
        }
    }

    /// The first value of a variable, where it is a constant.
    fn first(&mut self, ty: VarType, variable: &Variable) -> Lowered<First> {
        let scalar = match ty {
            VarType::Scalar(ty) => ty,
            VarType::Struct(_) if variable.init.is_none() => return Ok(First::Value(0)),
            VarType::Struct(_) => {
                return Err(Diagnostic::error(
                    variable.name.span,
                    "a structure has no initial value",
                )
                .label("expected no `=` here")
                .help("give the fields values in the `typedef`, or assign them"));
            }
        };
        match &variable.init {
            None => Ok(First::Value(0)),
            Some(ast::Init::Expr(value)) => {
                Ok(First::Value(scalar.truncate(self.constant(value)?)))
            }
            Some(ast::Init::List(values)) => {
                if variable.length.is_none() {
                    return Err(Diagnostic::error(
                        variable.name.span,
                        "only an array has a list of values",
                    )
                    .label("this is no array"));
                }
                let values: Lowered<Vec<i32>> = values.iter().map(|v| self.constant(v)).collect();
                Ok(First::List(
                    values?.into_iter().map(|v| scalar.truncate(v)).collect(),
                ))
            }
            Some(ast::Init::Channel {
                capacity,
                fields,
                span,
            }) => self
                .channel(scalar, variable, capacity, fields, *span)
                .map(First::Channel),
        }
    }

    fn channel(
        &mut self,
        ty: Type,
        variable: &Variable,
        capacity: &ast::Expr,
        fields: &[ast::DeclType],
        span: Span,
    ) -> Lowered<u32> {
        if ty != Type::Chan {
            return Err(Diagnostic::error(
                variable.name.span,
                "only a `chan` starts with a channel",
            )
            .label("expected `chan`"));
        }
        let size = self.constant(capacity)?;
        let Some(capacity) = u32::try_from(size).ok().filter(|_| size <= CAPACITY) else {
            let message = format!("a channel cannot hold {size} messages");
            return Err(Diagnostic::error(capacity.span, message)
                .label(format!("expected a number from 0 to {CAPACITY}")));
        };
        let mut leaves = Vec::new();
        for field in fields {
            let ty = self.var_type(*field, None).map_err(|mut it| {
                it.span = it.span.or(Some(span));
                it
            })?;
            self.leaves(ty, 0, &mut leaves);
        }
        self.program.channels.push(ChannelKind {
            name: self.text(variable.name.name).to_owned(),
            capacity,
            fields: leaves.into_iter().map(|(_, ty)| ty).collect(),
            span: variable.name.span.to(span),
        });
        Ok(u32::try_from(self.program.channels.len() - 1).unwrap_or(u32::MAX))
    }

    pub(super) fn declare_globals(&mut self) {
        let mut later = Vec::new();
        for decl in &self.ast.globals {
            for variable in &decl.variables {
                let made = self.global(decl, variable);
                let Some(var) = self.keep(made) else {
                    continue;
                };
                if let (VarType::Scalar(ty), Some(ast::Init::Expr(value))) =
                    (var.ty, &variable.init)
                {
                    later.push((rank(ty), var.clone(), value));
                }
                let (name, span) = (var.name, var.span);
                let shown = self.text(name).to_owned();
                let first = self.symbols.get(&name).map(|s| s.2);
                let first = first.or_else(|| self.globals.insert(name, var).map(|v| v.span));
                if let Some(first) = first {
                    self.fail(twice("the variable", &shown, span, first));
                }
            }
        }
        // SPIN sets the variables of one type after those of another, and a value may depend on it.
        later.sort_by_key(|(rank, ..)| *rank);
        for (_, var, value) in later {
            let range = var.base as usize..(var.base + var.length.unwrap_or(1)) as usize;
            if let Some((init, kind)) = self.alias(&var, value) {
                for slot in self.program.globals.get_mut(range).unwrap_or(&mut []) {
                    slot.init = init.clone();
                }
                if let Some(it) = self.globals.get_mut(&var.name) {
                    it.kind = kind;
                }
                continue;
            }
            let result = self.constant(value);
            let Some(value) = self.keep(result) else {
                continue;
            };
            for slot in self.program.globals.get_mut(range).unwrap_or(&mut []) {
                slot.init = Init::Value(slot.ty.truncate(value));
            }
        }
    }

    /// A `chan` that starts as another one that is declared before: what it starts with, and the kind of channel.
    fn alias(&self, var: &Var, value: &ast::Expr) -> Option<(Init, Option<u32>)> {
        let ast::ExprKind::Var(of) = &value.kind else {
            return None;
        };
        let [part] = of.parts.as_slice() else {
            return None;
        };
        let other = self.globals.get(&part.name.name)?;
        let chan = VarType::Scalar(Type::Chan);
        let index = match &part.index {
            Some(index) => self.constant(index).ok()?,
            None => 0,
        };
        let index = u32::try_from(index).ok()?;
        let known = index < other.length.unwrap_or(1) && other.base < var.base;
        if var.ty != chan || other.ty != chan || !known {
            return None;
        }
        let place = Place {
            scope: Scope::Global,
            base: other.base + index,
            indices: Vec::new(),
            ty: Type::Chan,
        };
        Some((Init::Expr(Expr::Load(place)), other.kind))
    }

    fn global(&mut self, decl: &Decl, variable: &Variable) -> Lowered<Var> {
        let ty = self.var_type(decl.ty, Some(variable))?;
        let without = Variable {
            init: match &variable.init {
                Some(ast::Init::Expr(_)) if matches!(ty, VarType::Scalar(_)) => None,
                other => other.clone(),
            },
            ..variable.clone()
        };
        let mut slots = std::mem::take(&mut self.program.globals);
        let made = self.var(decl, ty, &without, Scope::Global, &mut slots);
        self.program.globals = slots;
        made
    }

    /// A variable with its slots.
    fn var(
        &mut self,
        decl: &Decl,
        ty: VarType,
        variable: &Variable,
        scope: Scope,
        slots: &mut Vec<Slot>,
    ) -> Lowered<Var> {
        let length = self.length(variable)?;
        let base = u32::try_from(slots.len()).unwrap_or(u32::MAX);
        let span = variable.name.span;
        self.room(base, ty, length, span)?;
        let first = self.first(ty, variable)?;
        let name = self.text(variable.name.name).to_owned();
        let prototype = Slot {
            name: String::new(),
            ty: Type::Bit,
            init: Init::Value(0),
            hidden: decl.hidden,
            span,
        };
        for element in 0..length.unwrap_or(1) {
            let name = match length {
                Some(_) => format!("{name}[{element}]"),
                None => name.clone(),
            };
            let first = match &first {
                First::Value(value) => Init::Value(*value),
                // The last value is that of the rest.
                First::List(values) => {
                    let value = values.get(element as usize).or(values.last());
                    Init::Value(value.copied().unwrap_or(0))
                }
                First::Channel(kind) => Init::Channel(*kind),
            };
            self.slots(ty, name, &first, &prototype, slots);
        }
        Ok(Var {
            name: variable.name.name,
            scope,
            base,
            ty,
            length,
            kind: match first {
                First::Channel(kind) => Some(kind),
                _ => None,
            },
            span,
        })
    }

    fn slots(&self, ty: VarType, name: String, init: &Init, like: &Slot, slots: &mut Vec<Slot>) {
        let number = match ty {
            VarType::Scalar(ty) => {
                slots.push(Slot {
                    name,
                    ty,
                    init: init.clone(),
                    ..like.clone()
                });
                return;
            }
            VarType::Struct(number) => number,
        };
        for field in &self.structs[number].fields {
            let init = match field.kind {
                Some(kind) => Init::Channel(kind),
                None => Init::Value(field.value),
            };
            let name = format!("{name}.{}", self.text(field.name));
            for element in 0..field.length.unwrap_or(1) {
                let name = match field.length {
                    Some(_) => format!("{name}[{element}]"),
                    None => name.clone(),
                };
                self.slots(field.ty, name, &init, like, slots);
            }
        }
    }

    pub(super) fn declare_frames(&mut self) {
        for (number, proctype) in self.ast.proctypes.iter().enumerate() {
            self.current = Some(number);
            let mut frame = Vec::new();
            let mut slots = Vec::new();
            for decl in &proctype.parameters {
                self.declare(decl, &mut frame, &mut slots);
            }
            self.program.proctypes[number].parameters =
                u32::try_from(slots.len()).unwrap_or(u32::MAX);
            self.collect(&proctype.body, &mut frame, &mut slots);
            self.program.proctypes[number].locals = slots;
            self.frames.push(frame);
        }
        self.current = None;
    }

    fn declare(&mut self, decl: &Decl, frame: &mut Vec<Var>, slots: &mut Vec<Slot>) {
        for variable in &decl.variables {
            let without = Variable {
                init: match &variable.init {
                    Some(ast::Init::Expr(_)) => None,
                    other => other.clone(),
                },
                ..variable.clone()
            };
            let ty = self.var_type(decl.ty, Some(variable));
            let made = ty.and_then(|ty| self.var(decl, ty, &without, Scope::Local, slots));
            if decl.hidden {
                self.fail(
                    Diagnostic::error(variable.name.span, "only shared variables can be hidden")
                        .label("this one is local"),
                );
            }
            // Without it the numbers of the others would be wrong.
            let var = self.keep(made).unwrap_or(Var {
                name: variable.name.name,
                scope: Scope::Local,
                base: 0,
                ty: VarType::Scalar(Type::Int),
                length: None,
                kind: None,
                span: variable.name.span,
            });
            frame.push(var);
        }
    }

    /// The declarations of a sequence, in the order of the text.
    fn collect(&mut self, steps: &Sequence, frame: &mut Vec<Var>, slots: &mut Vec<Slot>) {
        for step in steps {
            match step {
                Step::Decl(decl) => self.declare(decl, frame, slots),
                Step::Stmt(stmt) => self.collect_stmt(stmt, frame, slots),
                Step::Exclusive(..) => {}
                Step::Unless(both) => {
                    self.collect_stmt(&both.0, frame, slots);
                    self.collect_stmt(&both.1, frame, slots);
                }
            }
        }
    }

    fn collect_stmt(&mut self, stmt: &Stmt, frame: &mut Vec<Var>, slots: &mut Vec<Slot>) {
        match &stmt.kind {
            StmtKind::If(options) | StmtKind::Do(options) => {
                for option in options {
                    self.collect(option, frame, slots);
                }
            }
            StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => {
                self.collect(body, frame, slots);
            }
            StmtKind::For { range, body, .. } => {
                if let Range::In(over) = range {
                    self.counter(over.span, frame, slots);
                }
                self.collect(body, frame, slots);
            }
            _ => {}
        }
    }

    /// What counts the messages in `for (m in channel)`.
    fn counter(&mut self, span: Span, frame: &mut Vec<Var>, slots: &mut Vec<Slot>) {
        frame.push(Var {
            name: crate::promela::lexer::Sym(u32::MAX),
            scope: Scope::Local,
            base: u32::try_from(slots.len()).unwrap_or(u32::MAX),
            ty: VarType::Scalar(Type::Short),
            length: None,
            kind: None,
            span,
        });
        slots.push(Slot {
            name: "message counter".to_owned(),
            ty: Type::Short,
            init: Init::Value(0),
            hidden: false,
            span,
        });
    }
}

/// SPIN's order of types.
fn rank(ty: Type) -> u8 {
    match ty {
        Type::Unsigned(_) => 0,
        Type::Bit | Type::Bool => 1,
        Type::Byte | Type::Pid => 2,
        Type::Chan => 3,
        Type::Mtype(_) => 4,
        Type::Short => 5,
        Type::Int => 6,
    }
}
