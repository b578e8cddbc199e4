//! Which variables of a function are read later, before memory is resolved.

use std::collections::BTreeSet;

use crate::c::ir::{
    Base, End, Expr, Function, MemPlace, Memory, OpKind, Pointer, Stored, VarId, Way,
};

pub(super) type Vars = BTreeSet<VarId>;

/// For each block the variables that are read after it starts.
pub(super) fn live(function: &Function) -> Vec<Vars> {
    let mut at = vec![Vars::new(); function.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (i, block) in function.blocks.iter().enumerate().rev() {
            let mut vars = Vars::new();
            for next in block.successors() {
                vars.extend(at[next.index()].iter().copied());
            }
            match &block.end {
                End::Branch(e, ..) | End::Switch(e, ..) => reads(e, &mut vars),
                End::Call { args, result, .. } => {
                    result.iter().for_each(|r| {
                        vars.remove(r);
                    });
                    args.iter().for_each(|e| reads(e, &mut vars));
                }
                End::CallPointer {
                    callee,
                    args,
                    result,
                    ..
                } => {
                    result.iter().for_each(|r| {
                        vars.remove(r);
                    });
                    args.iter().for_each(|e| reads(e, &mut vars));
                    vars.insert(*callee);
                }
                End::Return => vars.extend(function.result),
                End::Goto(_) | End::Halt | End::Error => {}
            }
            for op in block.ops.iter().rev() {
                step(&op.kind, &mut vars);
            }
            if vars.len() > at[i].len() {
                at[i] = vars;
                changed = true;
            }
        }
    }
    at
}

fn reads(expr: &Expr, vars: &mut Vars) {
    expr.variables(&mut |v| {
        vars.insert(v);
    });
}

fn place(place: &MemPlace, vars: &mut Vars) {
    if let Base::Pointer(var) = place.base {
        vars.insert(var);
    }
    for way in &place.path {
        if let Way::Index(e) | Way::Shift(e) = way {
            reads(e, vars);
        }
    }
}

fn pointer(pointer: &Pointer, vars: &mut Vars) {
    match pointer {
        Pointer::Var(var) => {
            vars.insert(*var);
        }
        Pointer::Address(at) => place(at, vars),
        Pointer::Null | Pointer::Function(_) | Pointer::Unknown => {}
    }
}

fn step(kind: &OpKind, vars: &mut Vars) {
    match kind {
        OpKind::Assign(var, value) => {
            vars.remove(var);
            reads(value, vars);
        }
        OpKind::Havoc(var, _) => {
            vars.remove(var);
        }
        OpKind::Enter(..) | OpKind::Leave => {}
        OpKind::Memory(op) => match op {
            Memory::Load(to, from) => {
                vars.remove(to);
                place(from, vars);
            }
            Memory::Store(to, value) => {
                place(to, vars);
                match value {
                    Stored::Num(e) => reads(e, vars),
                    Stored::Pointer(p) => pointer(p, vars),
                }
            }
            Memory::Point(to, p) => {
                vars.remove(to);
                pointer(p, vars);
            }
            Memory::Compare(to, _, a, b) | Memory::Difference(to, a, b) => {
                vars.remove(to);
                pointer(a, vars);
                pointer(b, vars);
            }
            Memory::Allocate { to, bytes, .. } => {
                vars.remove(to);
                reads(bytes, vars);
            }
            Memory::Retype(var, ..) => {
                vars.insert(*var);
            }
            Memory::Free(p) => pointer(p, vars),
            Memory::Declare(..) | Memory::Refused(_) => {}
        },
    }
}
