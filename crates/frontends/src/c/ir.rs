//! The program as graphs: blocks of assignments, expressions without effects.

use suppose_number::Int;
use suppose_source::Span;

use super::shapes::{Shapes, Type};
use super::types::{BinaryOp, IntType};

macro_rules! number {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(super) struct $name(pub(super) u32);

        impl $name {
            pub(super) fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

number!(
    /// A variable of the program.
    VarId
);
number!(
    /// A block of one function.
    BlockId
);
number!(
    /// A function with a body.
    FnId
);
number!(
    /// A variable that is kept in memory, or a text.
    ObjId
);

/// Something in memory that the program declares: elements of one type.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) name: String,
    pub(super) element: Type,
    pub(super) count: Count,
    pub(super) global: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    Known(u64),
    Variable(VarId),
}

/// What an object has at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contents {
    Zero,
    Arbitrary,
}

/// A place in memory. The first step from an object is the index of one of its elements.
#[derive(Clone, Debug)]
pub(super) struct MemPlace {
    pub(super) base: Base,
    pub(super) path: Vec<Way>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Object(ObjId),
    /// What a pointer variable points to.
    Pointer(VarId),
}

#[derive(Clone, Debug)]
pub(super) enum Way {
    Field(u32),
    Index(Expr),
    /// So many elements further on.
    Shift(Expr),
}

#[derive(Clone, Debug)]
pub(super) enum Pointer {
    Null,
    Var(VarId),
    Address(MemPlace),
    Function(FnId),
    /// It is not known where it points.
    Unknown,
}

#[derive(Clone, Debug)]
pub(super) enum Stored {
    Num(Expr),
    Pointer(Pointer),
}

#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) ty: IntType,
    pub(super) global: bool,
    /// Made by the lowering, not written by the user.
    pub(super) hidden: bool,
    /// Is it a pointer? These are gone before there are clauses.
    pub(super) pointer: bool,
}

/// An expression without effects. The operands of an operator have the type in which it is done.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) ty: IntType,
    pub(super) span: Span,
    /// Of an operator or a conversion: is its exact result known to be in the range of the type?
    pub(super) exact: bool,
}

#[derive(Clone, Debug)]
pub(super) enum ExprKind {
    Const(Int),
    Var(VarId),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Is the exact result of an operator in the range of its operands' type?
    Fits(BinaryOp, Box<Expr>, Box<Expr>),
    /// To the type of the expression.
    Convert(Box<Expr>),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
}

impl Expr {
    pub(super) fn constant(value: Int, ty: IntType, span: Span) -> Expr {
        Expr::new(ExprKind::Const(value), ty, span)
    }

    pub(super) fn new(kind: ExprKind, ty: IntType, span: Span) -> Expr {
        let exact = false;
        Expr {
            kind,
            ty,
            span,
            exact,
        }
    }

    /// Is it a question about overflow, which the program does not ask itself?
    pub(super) fn is_guard(&self) -> bool {
        match &self.kind {
            ExprKind::Fits(..) => true,
            ExprKind::Or(_, b) => b.is_guard(),
            _ => false,
        }
    }

    pub(super) fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Const(_) | ExprKind::Var(_) => Vec::new(),
            ExprKind::Convert(a) | ExprKind::Not(a) => vec![a],
            ExprKind::Binary(_, a, b)
            | ExprKind::Fits(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b) => vec![a, b],
            ExprKind::Ite(a, b, c) => vec![a, b, c],
        }
    }

    /// Calls `each` for the variables it reads.
    pub(super) fn variables(&self, each: &mut dyn FnMut(VarId)) {
        if let ExprKind::Var(var) = self.kind {
            each(var);
        }
        for child in self.children() {
            child.variables(each);
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Op {
    pub(super) kind: OpKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum OpKind {
    Assign(VarId, Expr),
    /// An arbitrary value of the variable's type; with the name of the function that was asked for it.
    Havoc(VarId, Option<String>),
    /// A call that was put in place begins, with the parameters' new variables.
    Enter(FnId, Vec<VarId>),
    /// It ends.
    Leave,
    /// An operation on memory. There are none once memory is resolved.
    Memory(Memory),
}

#[derive(Clone, Debug)]
pub(super) enum Memory {
    /// The value of a scalar.
    Load(VarId, MemPlace),
    Store(MemPlace, Stored),
    Point(VarId, Pointer),
    /// 0 or 1.
    Compare(VarId, BinaryOp, Pointer, Pointer),
    Difference(VarId, Pointer, Pointer),
    /// So many bytes; what is in them is known when the pointer gets a type.
    Allocate {
        to: VarId,
        bytes: Expr,
        contents: Contents,
    },
    /// The type behind a pointer, with its size in bytes, if it was allocated without one.
    Retype(VarId, Type, u64),
    Free(Pointer),
    /// A variable begins its life.
    Declare(ObjId, Contents),
    /// It is not supported to get here.
    Refused(&'static str),
}

#[derive(Clone, Debug)]
pub(super) enum End {
    Goto(BlockId),
    Branch(Expr, BlockId, BlockId),
    Switch(Expr, Vec<(Int, BlockId)>, BlockId),
    Call {
        callee: FnId,
        args: Vec<Expr>,
        result: Option<VarId>,
        next: BlockId,
    },
    /// A call by a pointer. There are none once memory is resolved.
    CallPointer {
        callee: VarId,
        args: Vec<Expr>,
        result: Option<VarId>,
        next: BlockId,
    },
    /// The function gives back its result variable.
    Return,
    /// The program ends, or the path does not count.
    Halt,
    /// An assertion is violated.
    Error,
}

#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) ops: Vec<Op>,
    pub(super) end: End,
    /// Of what ends it.
    pub(super) span: Span,
}

impl Block {
    pub(super) fn successors(&self) -> Vec<BlockId> {
        match &self.end {
            End::Goto(next) | End::Call { next, .. } | End::CallPointer { next, .. } => vec![*next],
            End::Branch(_, a, b) => vec![*a, *b],
            End::Switch(_, cases, default) => {
                let mut all: Vec<BlockId> = cases.iter().map(|(_, b)| *b).collect();
                all.push(*default);
                all
            }
            End::Return | End::Halt | End::Error => Vec::new(),
        }
    }

    /// Calls `each` for the block numbers of its end.
    pub(super) fn redirect(&mut self, mut each: impl FnMut(BlockId) -> BlockId) {
        match &mut self.end {
            End::Goto(next) | End::Call { next, .. } | End::CallPointer { next, .. } => {
                *next = each(*next)
            }
            End::Branch(_, a, b) => {
                *a = each(*a);
                *b = each(*b);
            }
            End::Switch(_, cases, default) => {
                for (_, b) in cases {
                    *b = each(*b);
                }
                *default = each(*default);
            }
            End::Return | End::Halt | End::Error => {}
        }
    }
}

/// A loop statement.
#[derive(Clone, Debug)]
pub(super) struct LoopText {
    /// The block where its invariant holds: before the condition, or the body of `do`.
    pub(super) head: BlockId,
    /// From its word on.
    pub(super) span: Span,
    /// Is it `do ... while`?
    pub(super) tests_last: bool,
    /// The variables that its condition can name.
    pub(super) visible: Vec<VarId>,
}

#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) params: Vec<VarId>,
    pub(super) result: Option<VarId>,
    /// The first one is where it starts, and no block leads there.
    pub(super) blocks: Vec<Block>,
    pub(super) loops: Vec<LoopText>,
}

impl Function {
    pub(super) const ENTRY: BlockId = BlockId(0);

    pub(super) fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// The functions it calls.
    pub(super) fn callees(&self) -> Vec<FnId> {
        let of = |b: &Block| match b.end {
            End::Call { callee, .. } => Some(callee),
            _ => None,
        };
        let mut all: Vec<FnId> = self.blocks.iter().filter_map(of).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) vars: Vec<Variable>,
    pub(super) functions: Vec<Function>,
    /// Where the program starts: `main`, with the values of globals set first, or, if `main` is called,
    /// a function that does that.
    pub(super) root: usize,
    pub(super) objects: Vec<Object>,
    pub(super) shapes: Shapes,
    /// The values of lengths of arrays that are no constants, by their numbers.
    pub(super) lengths: Vec<Option<VarId>>,
    /// Do all inputs count, also those that make no difference? Then runs can be followed input by input.
    pub(super) keeps_inputs: bool,
}

impl Program {
    pub(super) fn var(&self, id: VarId) -> &Variable {
        &self.vars[id.index()]
    }

    pub(super) fn function(&self, id: FnId) -> &Function {
        &self.functions[id.index()]
    }

    pub(super) fn root(&self) -> FnId {
        FnId(self.root as u32)
    }

    pub(super) fn add_var(&mut self, name: &str, ty: IntType, global: bool, hidden: bool) -> VarId {
        self.vars.push(Variable {
            name: name.to_owned(),
            ty,
            global,
            hidden,
            pointer: false,
        });
        VarId(self.vars.len() as u32 - 1)
    }

    pub(super) fn add_pointer(&mut self, name: &str, global: bool, hidden: bool) -> VarId {
        let var = self.add_var(name, IntType::UnsignedLong, global, hidden);
        self.vars[var.index()].pointer = true;
        var
    }

    pub(super) fn object(&self, id: ObjId) -> &Object {
        &self.objects[id.index()]
    }
}
