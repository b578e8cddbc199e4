//! Reads and writes as operations on variables.

use suppose_number::Int;
use suppose_source::Span;

use super::parts::{
    Choice, Located, Part, both, constant, either, fields, is_true, linear, long, not,
};
use super::resolve::{Again, Flow, Name, Resolver, Site, Step};
use super::state::{Body, Extent, Holder, Instance, Recent, Sel, State, Target};
use crate::c::Claim;
use crate::c::ir::{Base, BlockId, End, Expr, ExprKind, MemPlace, Stored, VarId, Way};
use crate::c::shapes::{Length, Type};
use crate::c::types::{BinaryOp, IntType};

/// So many scalars may be meant by an index that is not known, before only some are represented.
const CHOICES: usize = 16;

impl Resolver<'_> {
    pub(super) fn comparison(&self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        self.binary(op, a, b, IntType::Int, span)
    }

    pub(super) fn sum(&self, a: Expr, b: Expr, span: Span) -> Expr {
        if constant(&b) == Some(0) {
            return a;
        }
        if constant(&a) == Some(0) {
            return b;
        }
        self.binary(BinaryOp::Add, a, b, IntType::LongLong, span)
    }

    pub(super) fn parts(&self, state: &State, way: &[Sel], span: Span) -> Vec<Part> {
        let part = |sel: &Sel| match sel {
            Sel::Field(n) => Part::Field(*n),
            Sel::At(n) => Part::Index(long(*n, span)),
            Sel::Var(v) => Part::Index(self.read(state, *v, span)),
        };
        way.iter().map(part).collect()
    }

    pub(super) fn locate(
        &mut self,
        state: &mut State,
        place: &MemPlace,
        depth: usize,
        span: Span,
    ) -> Located {
        let (instance, mut parts) = match place.base {
            Base::Object(id) => (self.instance(state, id, depth), Vec::new()),
            Base::Pointer(var) => {
                let holder = Holder::Var(self.var(var, depth));
                match state.target(&holder) {
                    Target::To(instance, way) => {
                        let parts = self.parts(state, &way, span);
                        (instance, parts)
                    }
                    Target::Null => return Located::Null,
                    Target::Unknown | Target::Function(_) => return Located::Unknown,
                }
            }
        };
        for way in &place.path {
            match way {
                Way::Field(n) => parts.push(Part::Field(*n)),
                Way::Index(e) => parts.push(Part::Index(self.expr(state, e, depth))),
                Way::Shift(e) => {
                    let by = self.expr(state, e, depth);
                    match parts.last_mut() {
                        Some(Part::Index(at)) => *at = self.sum(at.clone(), by, span),
                        _ if constant(&by) == Some(0) => {}
                        _ => return Located::Outside,
                    }
                }
            }
        }
        Located::At(instance, parts)
    }

    /// Goes on only if it holds.
    pub(super) fn require(&mut self, condition: Expr, claim: Claim, span: Span) -> Flow {
        match is_true(&condition) {
            Some(true) => return Flow::On,
            Some(false) => {
                self.undefined(claim, span);
                return Flow::Over;
            }
            None => {}
        }
        let (good, bad) = (self.new_block(span), self.new_block(span));
        self.end(End::Branch(condition, good, bad), span);
        self.current = bad;
        self.undefined(claim, span);
        self.current = good;
        Flow::On
    }

    /// Steps to a scalar that exists, with its type; none if the block has ended.
    pub(super) fn checked(
        &mut self,
        state: &State,
        instance: Instance,
        parts: &[Part],
        span: Span,
    ) -> Option<Type> {
        let object = state.objects.get(&instance);
        let Some(object) = object.filter(|o| !o.over) else {
            self.undefined(Claim::ValidDeref, span);
            return None;
        };
        let Body::Elements { of, count, .. } = object.body else {
            self.refused("memory that was allocated without a type", span);
            return None;
        };
        let mut rest = parts.iter();
        let Some(Part::Index(first)) = rest.next() else {
            self.refused("this use of memory", span);
            return None;
        };
        let limit = match count {
            Extent::Known(n) => long(n as i64, span),
            Extent::Var(v) => self.read(state, v, span),
        };
        if let Flow::Over = self.in_bounds(first.clone(), limit, span) {
            return None;
        }
        let mut ty = of;
        for part in rest {
            ty = match (part, ty) {
                (Part::Field(n), Type::Struct(id)) => {
                    let fields = self.from.shapes.structure(id).fields.as_ref();
                    match fields.and_then(|f| f.get(*n as usize)) {
                        Some(field) => field.ty,
                        None => {
                            self.refused("a part of another structure", span);
                            return None;
                        }
                    }
                }
                (Part::Index(e), Type::Array(of, length)) => {
                    let limit = match length {
                        Length::Known(n) => long(n as i64, span),
                        Length::Variable(_) | Length::Open => {
                            self.refused("an inner array of variable length", span);
                            return None;
                        }
                    };
                    if let Flow::Over = self.in_bounds(e.clone(), limit, span) {
                        return None;
                    }
                    self.from.shapes.get(of)
                }
                _ => {
                    self.refused("memory that is read as another type", span);
                    return None;
                }
            };
        }
        Some(ty)
    }

    pub(super) fn in_bounds(&mut self, at: Expr, limit: Expr, span: Span) -> Flow {
        let low = self.comparison(BinaryOp::Ge, at.clone(), long(0, span), span);
        let high = self.comparison(BinaryOp::Lt, at, limit, span);
        self.require(both(Some(low), high), Claim::ValidDeref, span)
    }

    /// The instance and steps of an access, checked; none if the block has ended.
    pub(super) fn accessed(
        &mut self,
        state: &mut State,
        place: &MemPlace,
        depth: usize,
        span: Span,
    ) -> Option<(Instance, Vec<Part>, Type)> {
        match self.locate(state, place, depth, span) {
            Located::Null => {
                self.undefined(Claim::ValidDeref, span);
                None
            }
            Located::Unknown => {
                self.refused("a pointer that may point anywhere", span);
                None
            }
            Located::Outside => {
                self.refused("a step beside what a pointer points to", span);
                None
            }
            Located::At(instance, parts) => {
                let ty = self.checked(state, instance, &parts, span)?;
                Some((instance, parts, ty))
            }
        }
    }

    /// The scalars that steps may mean. The last one is meant if no other is.
    pub(super) fn choices(
        &self,
        state: &State,
        instance: Instance,
        parts: &[Part],
    ) -> Option<Vec<Choice>> {
        let Body::Elements {
            of,
            count: Extent::Known(count),
            ..
        } = state.objects.get(&instance)?.body
        else {
            return None;
        };
        let mut found: Vec<Choice> = vec![(None, Vec::new())];
        let (mut ty, mut limit) = (of, Some(count));
        for part in parts {
            match part {
                Part::Field(n) => {
                    found.iter_mut().for_each(|c| c.1.push(Sel::Field(*n)));
                    if let Type::Struct(id) = ty {
                        ty = (self.from.shapes.structure(id).fields.as_ref())?
                            .get(*n as usize)?
                            .ty;
                    }
                }
                Part::Index(e) => {
                    let length = match limit.take() {
                        Some(length) => length,
                        None => {
                            let Type::Array(of, Length::Known(length)) = ty else {
                                return None;
                            };
                            ty = self.from.shapes.get(of);
                            length
                        }
                    };
                    if let Some(n) = constant(e) {
                        found.iter_mut().for_each(|c| c.1.push(Sel::At(n)));
                        continue;
                    }
                    let all = (length as usize).checked_mul(found.len())?;
                    if all > 4 * CHOICES {
                        return None;
                    }
                    let mut more = Vec::new();
                    for (condition, way) in &found {
                        for n in 0..length as i64 {
                            let span = e.span;
                            let at = long(n, span);
                            let is = self.comparison(BinaryOp::Eq, e.clone(), at, span);
                            let mut way = way.clone();
                            way.push(Sel::At(n));
                            more.push((Some(both(condition.clone(), is)), way));
                        }
                    }
                    found = more;
                }
            }
        }
        (found.len() <= CHOICES).then_some(found)
    }

    /// The variable of a number in an object.
    pub(super) fn slot(&mut self, instance: Instance, way: &[Sel], ty: IntType) -> VarId {
        let name = Name::Slot(instance, way.to_vec());
        let shown = self.shown(instance, way);
        let hidden = shown.is_empty();
        self.named(name, ty, &shown, hidden)
    }

    /// A part of an object as the program would write it; empty for what it cannot name.
    pub(super) fn shown(&self, instance: Instance, way: &[Sel]) -> String {
        use std::fmt::Write as _;
        let Some(object) = self.from.objects.get(instance.0 as usize) else {
            let mut text = format!(
                "heap{}_{}",
                instance.0 - self.from.objects.len() as u32,
                instance.1
            );
            for sel in way {
                let _ = match sel {
                    Sel::Field(n) => write!(text, ".{n}"),
                    Sel::At(n) => write!(text, "[{n}]"),
                    Sel::Var(_) => write!(text, "[]"),
                };
            }
            return text;
        };
        let mut text = object.name.clone();
        let mut ty = object.element;
        let is_one = object.count == crate::c::ir::Count::Known(1);
        for (i, sel) in way.iter().enumerate() {
            match sel {
                Sel::At(0) if i == 0 && is_one => {}
                Sel::At(n) => {
                    let _ = write!(text, "[{n}]");
                }
                Sel::Var(_) => text.push_str("[]"),
                Sel::Field(n) => {
                    let field = match ty {
                        Type::Struct(id) => (self.from.shapes.structure(id).fields.as_ref())
                            .and_then(|f| f.get(*n as usize)),
                        _ => None,
                    };
                    if let Some(field) = field {
                        let _ = write!(text, ".{}", field.name);
                        ty = field.ty;
                    }
                    continue;
                }
            }
            if i > 0
                && let Type::Array(of, _) = ty
            {
                ty = self.from.shapes.get(of);
            }
        }
        text
    }

    /// How many elements represent an object; 0 if all do.
    pub(super) fn represented(&self, state: &State, instance: Instance) -> usize {
        match state.objects.get(&instance).map(|o| &o.body) {
            Some(Body::Elements { cells, .. }) => *cells,
            _ => 0,
        }
    }

    /// Is an access that of a cell?
    pub(super) fn hit(
        &mut self,
        instance: Instance,
        cell: usize,
        parts: &[Part],
        span: Span,
    ) -> Expr {
        let mut condition = None;
        let mut level = 0;
        for part in parts {
            if let Part::Index(e) = part {
                let var = self.named(
                    Name::Chosen(instance, cell, level),
                    IntType::LongLong,
                    "index",
                    true,
                );
                let chosen = Expr::new(ExprKind::Var(var), IntType::LongLong, span);
                let is = self.comparison(BinaryOp::Eq, e.clone(), chosen, span);
                condition = Some(both(condition, is));
                level += 1;
            }
        }
        condition.unwrap_or_else(|| Expr::constant(Int::ONE, IntType::Int, span))
    }

    pub(super) fn cell(
        &mut self,
        instance: Instance,
        cell: usize,
        parts: &[Part],
        ty: IntType,
    ) -> VarId {
        let fields: Vec<u32> = fields(parts);
        let shown = self.shown(instance, &[]);
        self.named(Name::Cell(instance, cell, fields), ty, &shown, true)
    }

    pub(super) fn load(
        &mut self,
        state: &mut State,
        at: &Site,
        to: VarId,
        place: &MemPlace,
        span: Span,
        number: usize,
    ) -> Step<Flow> {
        let depth = at.stack.len();
        let Some((instance, parts, ty)) = self.accessed(state, place, depth, span) else {
            return Ok(Flow::Over);
        };
        let is_pointer = self.from.var(to).pointer;
        let to = self.var(to, depth);
        let any = match ty {
            Type::Int(ty) => self.asked(state, ty, span),
            _ => None,
        };
        let cells = self.represented(state, instance);
        match (ty, is_pointer) {
            (Type::Int(ty), false) if self.same_size(ty, self.out.var(to).ty) => {
                let value = if cells > 0 {
                    self.load_cell(state, instance, (&parts, any), ty, cells, span)?
                } else {
                    let Some(choices) = self.choices(state, instance, &parts) else {
                        return self.needs_cells(instance, span);
                    };
                    let mut choices = choices.into_iter().rev();
                    let Some((_, last)) = choices.next() else {
                        return Ok(self.refused("an empty array", span));
                    };
                    let last = self.slot(instance, &last, ty);
                    let mut value = self.read(state, last, span);
                    for (condition, way) in choices {
                        let slot = self.slot(instance, &way, ty);
                        let other = self.read(state, slot, span);
                        value = match condition {
                            Some(condition) => either(condition, other, value),
                            None => other,
                        };
                    }
                    value
                };
                self.assign(state, to, value, span);
                Ok(Flow::On)
            }
            (Type::Pointer(_), true) if cells == 0 => {
                let Some(choices) = self.choices(state, instance, &parts) else {
                    return Ok(self.refused("pointers in a large array", span));
                };
                self.split(state, at, number, choices, span, |it, state, way| {
                    let target = state.target(&Holder::Slot(instance, way));
                    it.point_to(state, Holder::Var(to), target, span);
                    Ok(Flow::On)
                })
            }
            (Type::Pointer(_), true) => Ok(self.refused("pointers in a large array", span)),
            _ => Ok(self.refused("memory that is read as another type", span)),
        }
    }

    pub(super) fn same_size(&self, a: IntType, b: IntType) -> bool {
        (a == IntType::Bool) == (b == IntType::Bool)
            && self.semantics.bits(a) == self.semantics.bits(b)
            && (a.is_signed() == b.is_signed() || self.semantics.is_bounded())
    }

    /// From now on the object is represented by some of its elements.
    pub(super) fn needs_cells(&mut self, instance: Instance, span: Span) -> Step<Flow> {
        self.mark_cells(instance.0, 1)?;
        Ok(self.refused("an index of a large array", span))
    }

    /// Does the same for each scalar that may be meant. With more than one, each goes on alone.
    pub(super) fn split(
        &mut self,
        state: &mut State,
        at: &Site,
        number: usize,
        choices: Vec<Choice>,
        span: Span,
        mut each: impl FnMut(&mut Self, &mut State, Vec<Sel>) -> Step<Flow>,
    ) -> Step<Flow> {
        if let [(_, way)] = choices.as_slice() {
            return each(self, state, way.clone());
        }
        let last = choices.len().saturating_sub(1);
        for (i, (condition, way)) in choices.into_iter().enumerate() {
            let here = self.new_block(span);
            let rest = match condition {
                Some(condition) if i < last => {
                    let rest = self.new_block(span);
                    self.end(End::Branch(condition, here, rest), span);
                    rest
                }
                _ => {
                    self.end(End::Goto(here), span);
                    here
                }
            };
            self.current = here;
            let mut known = state.clone();
            if let Flow::On = each(self, &mut known, way)? {
                let on: BlockId = self.current;
                self.fork(on, known, at, number);
            }
            self.current = rest;
        }
        Ok(Flow::Over)
    }

    pub(super) fn load_cell(
        &mut self,
        state: &mut State,
        instance: Instance,
        (parts, any): (&[Part], Option<VarId>),
        ty: IntType,
        cells: usize,
        span: Span,
    ) -> Result<Expr, Again> {
        let steps: Option<Vec<_>> = parts
            .iter()
            .filter_map(|p| match p {
                Part::Index(e) => Some(linear(e)),
                Part::Field(_) => None,
            })
            .collect();
        let fields = fields(parts);
        let recent = self.named(Name::Recent(instance, ty), ty, "recent", true);
        if let (Some(steps), Some(known)) = (&steps, state.recent.get(&instance)) {
            if known.steps == *steps && known.fields == fields && known.value == recent {
                return Ok(self.read(state, recent, span));
            }
            // Two elements are read one after the other: they may have to be compared.
            if known.fields == fields && cells < 2 && known.steps != *steps {
                self.mark_cells(instance.0, 2)?;
            }
        }
        self.approximate("only some elements of a large array are represented", span);
        let any = match any {
            Some(any) => any,
            None => {
                return self
                    .with_cells()
                    .map(|()| Expr::constant(Int::ZERO, ty, span));
            }
        };
        let mut value = Expr::new(ExprKind::Var(any), ty, span);
        let mut hits = None;
        for cell in (0..cells).rev() {
            let hit = self.hit(instance, cell, parts, span);
            let var = self.cell(instance, cell, parts, ty);
            let inside = self.read(state, var, span);
            value = either(hit.clone(), inside, value);
            hits = Some(match hits {
                None => hit,
                Some(other) => not(both(Some(not(hit)), not(other))),
            });
        }
        let count = self.read.entry(instance).or_insert(0);
        *count = cells.max(*count);
        for at in (1..cells).rev() {
            let (to, from) = (self.missed(instance, at), self.missed(instance, at - 1));
            let before = self.read(state, from, span);
            self.assign(state, to, before, span);
        }
        let missed = self.missed(instance, 0);
        if let Some(hits) = hits {
            let value = self.converted(not(hits), IntType::Bool);
            self.assign(state, missed, value, span);
        }
        self.assign(state, recent, value, span);
        if let Some(steps) = steps {
            let value = recent;
            let known = Recent {
                steps,
                fields,
                value,
            };
            state.recent.insert(instance, known);
        }
        Ok(self.read(state, recent, span))
    }

    pub(super) fn store(
        &mut self,
        state: &mut State,
        at: &Site,
        place: &MemPlace,
        value: &Stored,
        span: Span,
        number: usize,
    ) -> Step<Flow> {
        let depth = at.stack.len();
        let value = match value {
            Stored::Num(value) => {
                let value = self.expr(state, value, depth);
                match value.kind {
                    ExprKind::Const(_) => Some(value),
                    _ => {
                        let name = Name::Scratch(value.ty, 1);
                        let var = self.named(name, value.ty, "value", true);
                        self.assign(state, var, value, span);
                        Some(self.read(state, var, span))
                    }
                }
            }
            Stored::Pointer(pointer) => {
                let to = self.named(
                    Name::Scratch(IntType::UnsignedLong, 2),
                    IntType::UnsignedLong,
                    "pointer",
                    true,
                );
                if let Flow::Over = self.set_pointer(state, to, pointer, depth, span)? {
                    return Ok(Flow::Over);
                }
                None
            }
        };
        let Some((instance, parts, ty)) = self.accessed(state, place, depth, span) else {
            return Ok(Flow::Over);
        };
        let cells = self.represented(state, instance);
        match (ty, value) {
            (Type::Int(ty), Some(value)) if self.same_size(ty, value.ty) => {
                let value = self.converted(value, ty);
                if cells > 0 {
                    self.store_cell(state, instance, &parts, value, cells, span);
                    return Ok(Flow::On);
                }
                let Some(choices) = self.choices(state, instance, &parts) else {
                    return self.needs_cells(instance, span);
                };
                let is_one = choices.len() == 1;
                for (condition, way) in choices {
                    let slot = self.slot(instance, &way, ty);
                    let new = match condition {
                        Some(condition) if !is_one => {
                            let old = self.read(state, slot, span);
                            either(condition, value.clone(), old)
                        }
                        _ => value.clone(),
                    };
                    self.assign(state, slot, new, span);
                }
                Ok(Flow::On)
            }
            (Type::Pointer(_), None) if cells == 0 => {
                let from = self.named(
                    Name::Scratch(IntType::UnsignedLong, 2),
                    IntType::UnsignedLong,
                    "pointer",
                    true,
                );
                let target = state.target(&Holder::Var(from));
                let Some(choices) = self.choices(state, instance, &parts) else {
                    return Ok(self.refused("pointers in a large array", span));
                };
                self.split(state, at, number, choices, span, |it, state, way| {
                    let holder = Holder::Slot(instance, way);
                    it.point_to(state, holder, target.clone(), span);
                    Ok(Flow::On)
                })
            }
            (Type::Pointer(_), None) => Ok(self.refused("pointers in a large array", span)),
            _ => Ok(self.refused("memory that is written as another type", span)),
        }
    }

    pub(super) fn store_cell(
        &mut self,
        state: &mut State,
        instance: Instance,
        parts: &[Part],
        value: Expr,
        cells: usize,
        span: Span,
    ) {
        let ty = value.ty;
        let recent = self.named(Name::Recent(instance, ty), ty, "recent", true);
        self.assign(state, recent, value, span);
        let value = self.read(state, recent, span);
        for cell in 0..cells {
            let hit = self.hit(instance, cell, parts, span);
            let var = self.cell(instance, cell, parts, ty);
            let old = self.read(state, var, span);
            self.assign(state, var, either(hit, value.clone(), old), span);
        }
        // What was written is known, but a later read of it must count as one.
        state.recent.remove(&instance);
    }
}
