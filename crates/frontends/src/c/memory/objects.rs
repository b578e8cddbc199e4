//! Objects begin their lives: variables, and what is allocated.

use suppose_number::Int;
use suppose_source::Span;

use super::parts::{Part, constant, long};
use super::resolve::{Flow, Name, Resolver, SCALARS, Site, Step};
use super::state::{Body, Extent, Holder, Instance, Object, Sel, State, Target};
use crate::c::ir::{Contents, Count, Expr, ExprKind, ObjId, VarId};
use crate::c::run::Hidden;
use crate::c::shapes::{Length, Type};
use crate::c::types::{BinaryOp, IntType};

impl Resolver<'_> {
    /// The instance of an object that is declared.
    pub(super) fn instance(&mut self, state: &mut State, id: ObjId, depth: usize) -> Instance {
        if self.from.object(id).global {
            let instance = (id.0, 0);
            if !state.objects.contains_key(&instance) {
                self.declare(state, id, depth, Contents::Arbitrary, Span::default());
            }
            return instance;
        }
        match state.locals.get(&(depth, id.0)) {
            Some(instance) => *instance,
            // A jump went past the declaration.
            None => self.declare(state, id, depth, Contents::Arbitrary, Span::default()),
        }
    }

    /// A variable in memory begins its life.
    pub(super) fn declare(
        &mut self,
        state: &mut State,
        id: ObjId,
        depth: usize,
        contents: Contents,
        span: Span,
    ) -> Instance {
        let object = self.from.object(id);
        let mut instance = (id.0, 0);
        if !object.global {
            let before = state.locals.get(&(depth, id.0)).copied();
            let is_known = before.is_some_and(|old| {
                (state.pointers.values()).any(|t| matches!(t, Target::To(i, _) if *i == old))
            });
            match before {
                Some(old) if !is_known => {
                    state.remove(old);
                    instance = old;
                }
                before => {
                    if let Some(old) = before.and_then(|old| state.objects.get_mut(&old)) {
                        old.over = true;
                    }
                    instance = state.unused(id.0);
                }
            }
            state.locals.insert((depth, id.0), instance);
        }
        let (element, count) = (object.element, object.count);
        let count = match count {
            Count::Known(n) => Extent::Known(n),
            Count::Variable(var) => {
                let of = self.var(var, depth);
                let count = self.named(Name::Count(instance), IntType::LongLong, "count", true);
                let value = self.read(state, of, span);
                self.assign(state, count, value, span);
                Extent::Var(count)
            }
        };
        let body = Body::Elements {
            of: element,
            count,
            cells: 0,
        };
        let new = Object {
            body,
            over: false,
            on_heap: false,
        };
        state.objects.insert(instance, new);
        self.fill(state, instance, contents == Contents::Zero, span);
        instance
    }

    /// A number for the place of an allocation, above those of declared objects.
    pub(super) fn heap_site(&self, at: &Site, number: usize) -> u32 {
        let (function, block) = (at.function.index(), at.block.index());
        crate::c::run::heap_site(self.from, function, block, number)
    }

    pub(super) fn allocate(
        &mut self,
        state: &mut State,
        (to, site): (VarId, u32),
        bytes: &Expr,
        contents: Contents,
        depth: usize,
        span: Span,
    ) {
        let instance = state.unused(site);
        let bytes = self.expr(state, bytes, depth);
        let (units, unit) = match &bytes.kind {
            ExprKind::Const(n) => {
                let n = n.to_i64().and_then(|n| u64::try_from(n).ok());
                (Extent::Known(n.unwrap_or(u64::MAX >> 2)), 1)
            }
            kind => {
                let (factor, unit) = match kind {
                    ExprKind::Binary(BinaryOp::Mul, a, b) => match (constant(a), constant(b)) {
                        (Some(n), None) => (&**b, n),
                        (None, Some(n)) => (&**a, n),
                        _ => (&bytes, 1),
                    },
                    _ => (&bytes, 1),
                };
                let ty = factor.ty;
                let var = self.named(Name::Units(instance), ty, "units", true);
                self.assign(state, var, factor.clone(), span);
                (Extent::Var(var), unit.max(1) as u64)
            }
        };
        let zero = contents == Contents::Zero;
        let body = Body::Bytes { units, unit, zero };
        let object = Object {
            body,
            over: false,
            on_heap: true,
        };
        state.objects.insert(instance, object);
        let to = self.var(to, depth);
        let target = Target::To(instance, vec![Sel::At(0)]);
        state.pointers.insert(Holder::Var(to), target);
    }

    /// What was allocated gets a type.
    pub(super) fn retype(
        &mut self,
        state: &mut State,
        var: VarId,
        ty: Type,
        size: u64,
        span: Span,
    ) -> Step<Flow> {
        let Target::To(instance, _) = state.target(&Holder::Var(var)) else {
            return Ok(Flow::On);
        };
        let Some(Object {
            body: Body::Bytes { units, unit, zero },
            ..
        }) = state.objects.get(&instance)
        else {
            return Ok(Flow::On);
        };
        let (units, unit, zero, size) = (*units, *unit, *zero, size.max(1));
        let count = match units {
            Extent::Known(n) => Extent::Known(n.saturating_mul(unit) / size),
            Extent::Var(units) => {
                if unit % size != 0 {
                    return Ok(self.refused("memory of this size for this type", span));
                }
                let count = self.named(Name::Count(instance), IntType::LongLong, "count", true);
                let value = self.read(state, units, span);
                let value = self.converted(value, IntType::LongLong);
                let factor = long((unit / size) as i64, span);
                let value = match unit / size {
                    1 => value,
                    _ => self.binary(BinaryOp::Mul, value, factor, IntType::LongLong, span),
                };
                self.assign(state, count, value, span);
                Extent::Var(count)
            }
        };
        if let Some(object) = state.objects.get_mut(&instance) {
            object.body = Body::Elements {
                of: ty,
                count,
                cells: 0,
            };
        }
        self.fill(state, instance, zero, span);
        // Pointers to it have no index yet, and may now need one.
        let holders: Vec<Holder> = (state.pointers.iter())
            .filter(|(_, t)| matches!(t, Target::To(i, _) if *i == instance))
            .map(|(h, _)| h.clone())
            .collect();
        for holder in holders {
            let target = state.target(&holder);
            self.point_to(state, holder, target, span);
        }
        Ok(Flow::On)
    }

    /// The first contents of an object.
    pub(super) fn fill(&mut self, state: &mut State, instance: Instance, zero: bool, span: Span) {
        state.recent.remove(&instance);
        state
            .pointers
            .retain(|h, _| !matches!(h, Holder::Slot(i, _) if *i == instance));
        let Some(Object {
            body: Body::Elements { of, count, .. },
            ..
        }) = state.objects.get(&instance)
        else {
            return;
        };
        let (of, count) = (*of, *count);
        let scalars = self.from.shapes.scalars(of);
        let all = match (count, scalars) {
            (Extent::Known(n), Some(each)) => n.checked_mul(each),
            _ => None,
        };
        let marked = self.cells(instance.0);
        let cells = match all {
            Some(all) if all <= SCALARS && marked == 0 => 0,
            _ => marked.max(1),
        };
        if let Some(Object {
            body: Body::Elements { cells: to, .. },
            ..
        }) = state.objects.get_mut(&instance)
        {
            *to = cells;
        }
        if cells == 0 {
            let Extent::Known(count) = count else {
                return;
            };
            for n in 0..count {
                let mut way = vec![Sel::At(n as i64)];
                self.fill_part(state, instance, of, &mut way, zero, span);
            }
            return;
        }
        for cell in 0..cells {
            self.choose(state, instance, cell, of, span);
            let mut parts = vec![Part::Index(long(0, span))];
            self.fill_cell(state, instance, cell, of, (&mut parts, zero), span);
        }
        for at in 0..cells {
            let missed = self.missed(instance, at);
            let no = Expr::constant(Int::ZERO, IntType::Bool, span);
            self.assign(state, missed, no, span);
        }
    }

    /// The indices of a cell: any of the object.
    pub(super) fn choose(
        &mut self,
        state: &mut State,
        instance: Instance,
        cell: usize,
        of: Type,
        span: Span,
    ) {
        let mut levels = 1;
        let mut open = vec![of];
        while let Some(ty) = open.pop() {
            match ty {
                Type::Array(of, _) => {
                    levels += 1;
                    open.push(self.from.shapes.get(of));
                }
                // Arrays in structures have their indices one after the other.
                Type::Struct(id) => {
                    let fields = self.from.shapes.structure(id).fields.iter().flatten();
                    open.extend(fields.map(|f| f.ty));
                }
                _ => {}
            }
        }
        for level in 0..levels {
            let var = self.named(
                Name::Chosen(instance, cell, level),
                IntType::LongLong,
                "index",
                true,
            );
            let name = Hidden::Cell(instance.0, cell, level).name();
            self.havoc(state, var, Some(name), span);
        }
    }

    pub(super) fn fill_cell(
        &mut self,
        state: &mut State,
        instance: Instance,
        cell: usize,
        ty: Type,
        (parts, zero): (&mut Vec<Part>, bool),
        span: Span,
    ) {
        match ty {
            Type::Int(ty) => {
                let var = self.cell(instance, cell, parts, ty);
                if zero {
                    let zero = Expr::constant(Int::ZERO, ty, span);
                    self.assign(state, var, zero, span);
                } else {
                    self.havoc(state, var, None, span);
                }
            }
            Type::Struct(id) => {
                let shapes = &self.from.shapes;
                let fields = shapes.structure(id).fields.as_deref().unwrap_or_default();
                for (n, field) in fields.iter().enumerate() {
                    parts.push(Part::Field(n as u32));
                    self.fill_cell(state, instance, cell, field.ty, (&mut *parts, zero), span);
                    parts.pop();
                }
            }
            Type::Array(of, _) => {
                parts.push(Part::Index(long(0, span)));
                let of = self.from.shapes.get(of);
                self.fill_cell(state, instance, cell, of, (&mut *parts, zero), span);
                parts.pop();
            }
            _ => {}
        }
    }

    pub(super) fn fill_part(
        &mut self,
        state: &mut State,
        instance: Instance,
        ty: Type,
        way: &mut Vec<Sel>,
        zero: bool,
        span: Span,
    ) {
        match ty {
            Type::Int(ty) => {
                let var = self.slot(instance, way, ty);
                if zero {
                    let zero = Expr::constant(Int::ZERO, ty, span);
                    self.assign(state, var, zero, span);
                } else {
                    self.havoc(state, var, None, span);
                }
            }
            Type::Pointer(_) => {
                let target = match zero {
                    true => Target::Null,
                    false => Target::Unknown,
                };
                state
                    .pointers
                    .insert(Holder::Slot(instance, way.clone()), target);
            }
            Type::Struct(id) => {
                let shapes = &self.from.shapes;
                let fields = shapes.structure(id).fields.as_deref().unwrap_or_default();
                for (n, field) in fields.iter().enumerate() {
                    way.push(Sel::Field(n as u32));
                    self.fill_part(state, instance, field.ty, way, zero, span);
                    way.pop();
                }
            }
            Type::Array(of, Length::Known(count)) => {
                let of = self.from.shapes.get(of);
                for n in 0..count {
                    way.push(Sel::At(n as i64));
                    self.fill_part(state, instance, of, way, zero, span);
                    way.pop();
                }
            }
            _ => {}
        }
    }
}
