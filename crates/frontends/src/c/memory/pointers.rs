//! Pointers: where they point, comparisons, differences, `free`.

use suppose_number::Int;
use suppose_source::Span;

use super::parts::{Located, Part, both, constant, last_indices, long, not};
use super::resolve::{Flow, Name, Resolver, Step};
use super::state::{Body, Extent, Holder, Sel, State, Target};
use crate::c::Claim;
use crate::c::ir::{Expr, Pointer, VarId};
use crate::c::types::{BinaryOp, IntType};

impl Resolver<'_> {
    pub(super) fn point(
        &mut self,
        state: &mut State,
        to: VarId,
        pointer: &Pointer,
        depth: usize,
        span: Span,
    ) -> Step<Flow> {
        let to = self.var(to, depth);
        self.set_pointer(state, to, pointer, depth, span)
    }

    pub(super) fn set_pointer(
        &mut self,
        state: &mut State,
        to: VarId,
        pointer: &Pointer,
        depth: usize,
        span: Span,
    ) -> Step<Flow> {
        match self.evaluated(state, pointer, depth, span) {
            Some((target, parts)) => {
                self.hold(state, Holder::Var(to), target, parts, span);
                Ok(Flow::On)
            }
            None => Ok(Flow::Over),
        }
    }

    /// Where a pointer points; its steps are beside it, as they may be expressions. None if the block has ended.
    pub(super) fn evaluated(
        &mut self,
        state: &mut State,
        pointer: &Pointer,
        depth: usize,
        span: Span,
    ) -> Option<(Target, Vec<Part>)> {
        let target = match pointer {
            Pointer::Null => Target::Null,
            Pointer::Unknown => Target::Unknown,
            Pointer::Function(id) => Target::Function(id.0),
            Pointer::Var(var) => state.target(&Holder::Var(self.var(*var, depth))),
            Pointer::Address(place) => match self.locate(state, place, depth, span) {
                Located::At(instance, parts) => {
                    return Some((Target::To(instance, Vec::new()), parts));
                }
                // `&p->first` of a null pointer is not followed, but not defined either.
                Located::Null => {
                    self.undefined(Claim::ValidDeref, span);
                    return None;
                }
                Located::Unknown => Target::Unknown,
                Located::Outside => {
                    self.refused("a step beside what a pointer points to", span);
                    return None;
                }
            },
        };
        let parts = match &target {
            Target::To(_, way) => self.parts(state, way, span),
            _ => Vec::new(),
        };
        Some((target, parts))
    }

    pub(super) fn point_to(
        &mut self,
        state: &mut State,
        holder: Holder,
        target: Target,
        span: Span,
    ) {
        let parts = match &target {
            Target::To(_, way) => self.parts(state, way, span),
            _ => Vec::new(),
        };
        self.hold(state, holder, target, parts, span);
    }

    /// A pointer gets a value. Its indices are kept in variables, except for the only element of an object.
    pub(super) fn hold(
        &mut self,
        state: &mut State,
        holder: Holder,
        target: Target,
        parts: Vec<Part>,
        span: Span,
    ) {
        let Target::To(instance, _) = target else {
            state.pointers.insert(holder, target);
            return;
        };
        let is_one = matches!(
            state.objects.get(&instance).map(|o| &o.body),
            Some(
                Body::Elements {
                    count: Extent::Known(1),
                    ..
                } | Body::Bytes { .. }
            ) | None
        );
        // All are computed before any is assigned: they may be about each other.
        let mut way = Vec::new();
        let mut later = Vec::new();
        for (level, part) in parts.into_iter().enumerate() {
            match part {
                Part::Field(n) => way.push(Sel::Field(n)),
                Part::Index(e) => match constant(&e) {
                    Some(n) if level == 0 && is_one => way.push(Sel::At(n)),
                    _ => {
                        let name = Name::Index(holder.clone(), level);
                        let var = self.named(name, IntType::LongLong, "index", true);
                        way.push(Sel::Var(var));
                        later.push((var, e));
                    }
                },
            }
        }
        if later.len() > 1 {
            for (at, (_, e)) in later.iter_mut().enumerate() {
                let name = Name::Scratch(IntType::LongLong, 10 + at);
                let var = self.named(name, IntType::LongLong, "index", true);
                self.assign(state, var, e.clone(), span);
                *e = self.read(state, var, span);
            }
        }
        for (var, e) in later {
            self.assign(state, var, e, span);
        }
        state.pointers.insert(holder, Target::To(instance, way));
    }

    pub(super) fn compare(
        &mut self,
        state: &mut State,
        to: VarId,
        op: BinaryOp,
        (a, b): (&Pointer, &Pointer),
        depth: usize,
        span: Span,
    ) -> Step<Flow> {
        let to = self.var(to, depth);
        let Some((a, first)) = self.evaluated(state, a, depth, span) else {
            return Ok(Flow::Over);
        };
        let Some((b, second)) = self.evaluated(state, b, depth, span) else {
            return Ok(Flow::Over);
        };
        let truth = |t: bool| Expr::constant(Int::from(i32::from(t)), IntType::Int, span);
        let is_equal = match (&a, &b) {
            (Target::Unknown, _) | (_, Target::Unknown) => {
                self.approximate("a comparison of a pointer that may point anywhere", span);
                self.havoc(state, to, None, span);
                return Ok(Flow::On);
            }
            (Target::Null, Target::Null) => truth(true),
            (Target::Function(f), Target::Function(g)) => truth(f == g),
            (Target::To(i, _), Target::To(j, _)) if i == j => {
                if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
                    let Some((x, y)) = last_indices(&first, &second) else {
                        return Ok(self.refused("a comparison of these pointers", span));
                    };
                    let value = self.comparison(op, x, y, span);
                    self.assign(state, to, value, span);
                    return Ok(Flow::On);
                }
                match self.equal(&first, &second, span) {
                    Some(equal) => equal,
                    None => return Ok(self.refused("a comparison of these pointers", span)),
                }
            }
            _ => truth(false),
        };
        let value = match op {
            BinaryOp::Eq => is_equal,
            BinaryOp::Ne => not(is_equal),
            _ => return Ok(self.refused("a comparison of pointers to different objects", span)),
        };
        self.assign(state, to, value, span);
        Ok(Flow::On)
    }

    pub(super) fn equal(&self, a: &[Part], b: &[Part], span: Span) -> Option<Expr> {
        let mut all = Expr::constant(Int::ONE, IntType::Int, span);
        for pair in a.iter().zip(b) {
            match pair {
                (Part::Field(m), Part::Field(n)) if m == n => {}
                // Parts of one structure: what follows does not matter.
                (Part::Field(_), Part::Field(_)) => {
                    return Some(Expr::constant(Int::ZERO, IntType::Int, span));
                }
                (Part::Index(x), Part::Index(y)) => {
                    let is = self.comparison(BinaryOp::Eq, x.clone(), y.clone(), span);
                    all = both(Some(all), is);
                }
                _ => return None,
            }
        }
        (a.len() == b.len()).then_some(all)
    }

    pub(super) fn difference(
        &mut self,
        state: &mut State,
        to: VarId,
        (a, b): (&Pointer, &Pointer),
        depth: usize,
        span: Span,
    ) -> Step<Flow> {
        let to = self.var(to, depth);
        let Some((a, first)) = self.evaluated(state, a, depth, span) else {
            return Ok(Flow::Over);
        };
        let Some((b, second)) = self.evaluated(state, b, depth, span) else {
            return Ok(Flow::Over);
        };
        match (a, b, last_indices(&first, &second)) {
            (Target::To(i, _), Target::To(j, _), Some((x, y))) if i == j => {
                let value = self.binary(BinaryOp::Sub, x, y, IntType::LongLong, span);
                self.assign(state, to, value, span);
                Ok(Flow::On)
            }
            _ => Ok(self.refused("a difference of these pointers", span)),
        }
    }

    pub(super) fn free(
        &mut self,
        state: &mut State,
        pointer: &Pointer,
        depth: usize,
        span: Span,
    ) -> Step<Flow> {
        let Some((target, parts)) = self.evaluated(state, pointer, depth, span) else {
            return Ok(Flow::Over);
        };
        match target {
            Target::Null => Ok(Flow::On),
            Target::Unknown => {
                Ok(self.refused("`free` of a pointer that may point anywhere", span))
            }
            Target::To(instance, _)
                if (state.objects.get(&instance)).is_some_and(|o| o.on_heap && !o.over) =>
            {
                let mut start = Expr::constant(Int::ONE, IntType::Int, span);
                for part in parts {
                    start = match part {
                        Part::Index(e) => {
                            let is = self.comparison(BinaryOp::Eq, e, long(0, span), span);
                            both(Some(start), is)
                        }
                        Part::Field(0) => start,
                        Part::Field(_) => Expr::constant(Int::ZERO, IntType::Int, span),
                    };
                }
                if let Flow::Over = self.require(start, Claim::ValidFree, span) {
                    return Ok(Flow::Over);
                }
                if let Some(object) = state.objects.get_mut(&instance) {
                    object.over = true;
                }
                Ok(Flow::On)
            }
            _ => {
                self.undefined(Claim::ValidFree, span);
                Ok(Flow::Over)
            }
        }
    }
}
