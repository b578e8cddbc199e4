//! Bits that are bytes.
//!
//! SPIN's verifier keeps an array of bits as an array of bytes, and so the one field of a channel of
//! bits: a 2 stored there stays a 2. Nearly every program stores only truth values in them. Where
//! one may not, these slots become bytes here too; where all do, bits are enough.

use suppose_model::program::{
    Action, Binary, ChannelKind, Expr, Init, Pattern, Place, Program, Scope, Slot, Type, Unary,
};

use super::patch::{visit, visit_action};

/// Which of them hold more than truth values.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Wide {
    arrays: bool,
    channels: bool,
}

/// Makes bytes of the bits that hold more than truth values.
pub(super) fn widen(program: &mut Program) {
    let mut wide = Wide {
        arrays: false,
        channels: false,
    };
    // What is wide makes others wide; both only grow.
    for _ in 0..3 {
        let next = found(program, wide);
        if next == wide {
            break;
        }
        wide = next;
    }
    if wide.channels {
        for kind in program.channels.iter_mut().filter(|k| is_bit_channel(k)) {
            kind.fields = vec![Type::Byte];
        }
    }
    if wide.arrays {
        apply(program);
    }
}

fn is_bit(ty: Type) -> bool {
    matches!(ty, Type::Bit | Type::Bool)
}

fn is_bit_channel(kind: &ChannelKind) -> bool {
    matches!(kind.fields.as_slice(), [ty] if is_bit(*ty))
}

/// Is this an element of an array of bits? (Its name ends with an index.)
fn is_element(slots: &[Slot], base: u32) -> bool {
    let slot = slots.get(base as usize);
    slot.is_some_and(|s| is_bit(s.ty) && s.name.ends_with(']'))
}

struct Frame<'p> {
    program: &'p Program,
    locals: &'p [Slot],
    wide: Wide,
}

impl Frame<'_> {
    fn is_array(&self, place: &Place) -> bool {
        match place.scope {
            Scope::Global => is_element(&self.program.globals, place.base),
            Scope::Local => is_element(self.locals, place.base),
        }
    }

    /// Is the value always 0 or 1?
    fn is_truth(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(value) => matches!(value, 0 | 1),
            Expr::Load(place) => is_bit(place.ty) && !(self.wide.arrays && self.is_array(place)),
            Expr::Unary(operator, _) => *operator == Unary::Not,
            Expr::Binary(operator, a, b) => match operator {
                Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Mul => {
                    self.is_truth(a) && self.is_truth(b)
                }
                Binary::Sub => matches!(**a, Expr::Const(1)) && self.is_truth(b),
                Binary::Rem => false,
                Binary::Add | Binary::Div | Binary::Shl | Binary::Shr => false,
                _ => true,
            },
            Expr::Cond(_, b, c) => self.is_truth(b) && self.is_truth(c),
            Expr::Full(_) | Expr::Empty(_) | Expr::Poll { .. } | Expr::Timeout => true,
            Expr::Enabled(_) | Expr::At { .. } => true,
            _ => false,
        }
    }

    /// Does every channel with this many fields have truth values only in that one?
    fn is_truth_field(&self, fields: usize, number: usize) -> bool {
        let alike = self
            .program
            .channels
            .iter()
            .filter(|k| k.fields.len() == fields);
        let mut types = alike.filter_map(|k| k.fields.get(number));
        types.all(|ty| is_bit(*ty)) && !(fields == 1 && self.wide.channels)
    }

    fn see(&self, action: &Action, wide: &mut Wide) {
        match action {
            Action::Assign(place, value) => {
                wide.arrays |= self.is_array(place) && !self.is_truth(value);
            }
            Action::Send { values, .. } => {
                if let [only] = values.as_slice() {
                    let any = self.program.channels.iter().any(is_bit_channel);
                    wide.channels |= any && !self.is_truth(only);
                }
            }
            Action::Receive { patterns, .. } => {
                for (number, pattern) in patterns.iter().enumerate() {
                    if let Pattern::Store(place) = pattern {
                        let truth = self.is_truth_field(patterns.len(), number);
                        wide.arrays |= self.is_array(place) && !truth;
                    }
                }
            }
            Action::Run {
                result: Some(place),
                ..
            } => wide.arrays |= self.is_array(place),
            _ => {}
        }
    }
}

fn found(program: &Program, mut wide: Wide) -> Wide {
    let known = wide;
    for proctype in &program.proctypes {
        let frame = Frame {
            program,
            locals: &proctype.locals,
            wide: known,
        };
        for (number, slot) in proctype.locals.iter().enumerate() {
            if let Init::Expr(value) = &slot.init {
                let number = u32::try_from(number).unwrap_or(u32::MAX);
                wide.arrays |= is_element(&proctype.locals, number) && !frame.is_truth(value);
            }
        }
        for edge in proctype.locations.iter().flat_map(|l| &l.edges) {
            frame.see(&edge.action, &mut wide);
        }
    }
    wide
}

fn apply(program: &mut Program) {
    let elements = |slots: &[Slot]| -> Vec<bool> {
        let numbers = 0..u32::try_from(slots.len()).unwrap_or(u32::MAX);
        numbers.map(|n| is_element(slots, n)).collect()
    };
    let globals = elements(&program.globals);
    let locals: Vec<Vec<bool>> = program
        .proctypes
        .iter()
        .map(|p| elements(&p.locals))
        .collect();
    let widen_slots = |slots: &mut [Slot], elements: &[bool]| {
        for (slot, element) in slots.iter_mut().zip(elements) {
            if *element {
                slot.ty = Type::Byte;
            }
        }
    };
    widen_slots(&mut program.globals, &globals);
    let is = |elements: &[bool], place: &Place| elements.get(place.base as usize) == Some(&true);
    let widen_place = |place: &mut Place, own: &[bool]| {
        let element = match place.scope {
            Scope::Global => is(&globals, place),
            Scope::Local => is(own, place),
        };
        if element {
            place.ty = Type::Byte;
        }
    };
    let widen_expr = |expr: &mut Expr, own: &[bool]| match expr {
        Expr::Load(place) => widen_place(place, own),
        Expr::Remote {
            proctype, place, ..
        } => {
            let other = locals
                .get(*proctype as usize)
                .map_or(&[][..], Vec::as_slice);
            widen_place(place, other);
        }
        _ => {}
    };
    let widen_action = |action: &mut Action, own: &[bool]| {
        visit_action(action, &mut |e| widen_expr(e, own));
        match action {
            Action::Assign(place, _) => widen_place(place, own),
            Action::Run {
                result: Some(place),
                ..
            } => widen_place(place, own),
            Action::Receive { patterns, .. } => {
                for pattern in patterns {
                    if let Pattern::Store(place) = pattern {
                        widen_place(place, own);
                    }
                }
            }
            _ => {}
        }
    };
    for (proctype, own) in program.proctypes.iter_mut().zip(&locals) {
        widen_slots(&mut proctype.locals, own);
        if let Some(provided) = &mut proctype.provided {
            visit(provided, &mut |e| widen_expr(e, own));
        }
        for slot in &mut proctype.locals {
            if let Init::Expr(value) = &mut slot.init {
                visit(value, &mut |e| widen_expr(e, own));
            }
        }
        for edge in proctype.locations.iter_mut().flat_map(|l| &mut l.edges) {
            widen_action(&mut edge.action, own);
        }
    }
    for claim in &mut program.claims {
        for edge in claim.locations.iter_mut().flat_map(|l| &mut l.edges) {
            widen_action(&mut edge.action, &[]);
        }
        for atom in claim.formula.iter_mut().flat_map(|f| &mut f.atoms) {
            visit(atom, &mut |e| widen_expr(e, &[]));
        }
    }
}
