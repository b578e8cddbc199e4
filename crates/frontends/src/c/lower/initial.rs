//! First values: lists in braces, texts, and what globals start with.

use suppose_source::{Diagnostic, Span};

use super::memory::index;
use super::{At, Frame, Lower, Result};
use crate::c::ast::{self, Designator, ExprKind, Init, Length, Type};
use crate::c::ir::{BlockId, Contents, End, Expr, MemPlace, Memory, Op, Stored, Way};
use crate::c::types::IntType;

/// A list may have this many values.
const VALUES: usize = 100_000;

impl<'a> Lower<'a> {
    /// Gives a place its first value.
    pub(super) fn first_value(&mut self, place: &MemPlace, ty: Type, init: &'a Init) -> Result<()> {
        match (ty, init) {
            (Type::Array(..), Init::Value(value)) => match &value.kind {
                ExprKind::Text(bytes) => self.first_bytes(place, ty, bytes, value.span),
                _ => Err(
                    Diagnostic::error(value.span, "an array needs a list of values")
                        .label("expected `{`"),
                ),
            },
            (_, Init::Value(value)) => self.store_value(place.clone(), ty, value),
            (Type::Array(..) | Type::Struct(_), Init::List(list, at)) => {
                // A text may stand in braces.
                if let (Type::Array(of, _), [(way, only @ Init::Value(value))]) = (ty, &**list)
                    && way.is_empty()
                    && matches!(value.kind, ExprKind::Text(_))
                    && matches!(self.program.shapes.get(of), Type::Int(_))
                {
                    return self.first_value(place, ty, only);
                }
                let mut next = 0;
                self.fill(place, ty, list, &mut next, true)?;
                if next < list.len() {
                    return Err(Diagnostic::error(*at, "too many values in this list"));
                }
                Ok(())
            }
            (_, Init::List(list, at)) => match &**list {
                [(way, only)] if way.is_empty() => self.first_value(place, ty, only),
                _ => Err(Diagnostic::error(*at, "a list of values for one value")),
            },
        }
    }

    fn first_bytes(&mut self, place: &MemPlace, ty: Type, bytes: &[u8], span: Span) -> Result<()> {
        let Type::Array(of, Length::Known(count)) = ty else {
            return Err(Diagnostic::error(span, "a text is no value of this type"));
        };
        let Type::Int(of) = self.program.shapes.get(of) else {
            return Err(Diagnostic::error(span, "a text is no value of this type"));
        };
        for (at, byte) in bytes.iter().enumerate().take(count as usize) {
            let mut place = place.clone();
            place.path.push(Way::Index(index(at as i64, span)));
            let value = self.semantics.convert(of, &i64::from(*byte as i8).into());
            let value = Stored::Num(Expr::constant(value, of, span));
            self.memory(Memory::Store(place, value), span);
        }
        Ok(())
    }

    /// The parts of an aggregate from a list, in order; inner braces may be left out.
    fn fill(
        &mut self,
        place: &MemPlace,
        ty: Type,
        list: &'a [(Vec<Designator>, Init)],
        next: &mut usize,
        is_outer: bool,
    ) -> Result<()> {
        let mut at = 0u64;
        while let Some((way, init)) = list.get(*next) {
            self.check_size(Span::default())?;
            let span = span_of(init);
            if *next > VALUES {
                return Err(Diagnostic::error(span, "too many values in this list"));
            }
            match way.as_slice() {
                [] => {}
                _ if !is_outer => return Ok(()),
                [one] => at = self.designated(ty, one, span)?,
                _ => {
                    let message = "a first value for a part of a part is not supported";
                    return Err(Diagnostic::error(span, message).help("use inner braces"));
                }
            }
            let Some((part, step)) = self.part(ty, at, span) else {
                return match way.is_empty() {
                    true => Ok(()),
                    false => Err(Diagnostic::error(span, "there is no such part")),
                };
            };
            let mut inner = place.clone();
            inner.path.push(step);
            let is_whole = match (part, init) {
                (Type::Int(_) | Type::Pointer(_), _) | (_, Init::List(..)) => true,
                (Type::Array(..), Init::Value(value)) => matches!(value.kind, ExprKind::Text(_)),
                (Type::Struct(_), Init::Value(value)) => self.type_of(value)? == part,
                _ => true,
            };
            if is_whole {
                *next += 1;
                self.first_value(&inner, part, init)?;
            } else {
                self.fill(&inner, part, list, next, false)?;
            }
            at += 1;
        }
        Ok(())
    }

    fn designated(&self, ty: Type, one: &Designator, span: Span) -> Result<u64> {
        match (ty, one) {
            (Type::Array(..), Designator::Index(at)) => Ok(*at),
            (Type::Struct(id), Designator::Field(name)) => {
                let fields = self.program.shapes.structure(id).fields.iter().flatten();
                let at = fields.map(|f| &f.name).position(|n| **n == **name);
                let message = format!("there is no part `{name}`");
                at.map(|n| n as u64)
                    .ok_or_else(|| Diagnostic::error(span, message))
            }
            _ => Err(Diagnostic::error(span, "this names no part of the value")),
        }
    }

    /// A part by its number.
    fn part(&self, ty: Type, at: u64, span: Span) -> Option<(Type, Way)> {
        match ty {
            Type::Array(of, Length::Known(count)) if at < count => Some((
                self.program.shapes.get(of),
                Way::Index(index(at as i64, span)),
            )),
            Type::Struct(id) => {
                let fields = self.program.shapes.structure(id).fields.as_ref()?;
                let field = fields.get(usize::try_from(at).ok()?)?;
                Some((field.ty, Way::Field(at as u32)))
            }
            _ => None,
        }
    }

    /// What happens before `main`: everything in memory gets its first value.
    pub(super) fn before_main(&mut self) -> Result<Vec<Op>> {
        self.frame = Frame::new(None, Type::Void);
        let start = self.new_block(Span::default());
        self.frame.current = start;
        let pending = std::mem::take(&mut self.pending);
        for (at, _, init, is_extern, span) in &pending {
            if let At::Object(id) = at {
                let contents = match (init, is_extern) {
                    (None, true) => Contents::Arbitrary,
                    _ => Contents::Zero,
                };
                self.declare_object(*id, contents, *span);
            }
        }
        for (at, ty, init, is_extern, span) in pending {
            match (at, init) {
                (At::Object(id), Some(init)) => {
                    let place = Self::place_of(id, ty, span);
                    self.first_value(&place, ty, init)?;
                }
                (At::Object(_), None) => {}
                (At::Var(var), init) => {
                    let pointer = match init {
                        None if is_extern => crate::c::ir::Pointer::Unknown,
                        None => crate::c::ir::Pointer::Null,
                        Some(init) => self.first_pointer(ty, init)?,
                    };
                    self.memory(Memory::Point(var, pointer), span);
                }
            }
        }
        let after = self.take_ops(start)?;
        // The texts come first: what was given above may point to them.
        self.frame = Frame::new(None, Type::Void);
        let start = self.new_block(Span::default());
        self.frame.current = start;
        for (id, bytes, span) in std::mem::take(&mut self.texts) {
            self.declare_object(id, Contents::Zero, span);
            let char = self.program.shapes.id(Type::Int(IntType::Char));
            let ty = Type::Array(char, Length::Known(bytes.len() as u64));
            let place = Self::place_of(id, ty, span);
            self.first_bytes(&place, ty, &bytes, span)?;
        }
        let mut ops = self.take_ops(start)?;
        ops.extend(after);
        Ok(ops)
    }

    fn first_pointer(&mut self, ty: Type, init: &'a Init) -> Result<crate::c::ir::Pointer> {
        let (Init::Value(value), Type::Pointer(of)) = (init, ty) else {
            return match init {
                Init::List(list, _) if list.len() == 1 => self.first_pointer(ty, &list[0].1),
                _ => Err(Diagnostic::error(span_of(init), "this is no pointer")),
            };
        };
        let of = self.program.shapes.get(of);
        let operand = self.operand(value)?;
        self.as_pointer(operand, of, value.span)
    }

    /// The operations of what must be one block.
    fn take_ops(&mut self, start: BlockId) -> Result<Vec<Op>> {
        let block = &mut self.frame.blocks[start.index()];
        let ops = std::mem::take(&mut block.ops);
        match (self.frame.current == start, &block.end) {
            (true, End::Halt) => Ok(ops),
            _ => Err(Diagnostic::error(
                block.span,
                "the first value of a global must be a constant",
            )
            .help("assign it at the start of `main`")),
        }
    }
}

pub(super) fn span_of(init: &Init) -> Span {
    match init {
        Init::Value(ast::Expr { span, .. }) => *span,
        Init::List(_, span) => *span,
    }
}
