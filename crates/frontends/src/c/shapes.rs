//! Types that are more than integers: pointers, arrays, structures, functions.

use rustc_hash::FxHashMap;

use super::types::{IntType, Semantics};

/// A type, by number where it has parts: see [`Shapes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Type {
    Void,
    Int(IntType),
    Pointer(TypeId),
    Array(TypeId, Length),
    Struct(StructId),
    Function(FnTypeId),
    /// What it is, in the user's words: "a floating-point number". May be declared, not used.
    Other(&'static str),
}

/// The number of elements of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Length {
    Known(u64),
    /// `a[]`.
    Open,
    /// The value of an expression, by its number.
    Variable(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TypeId(pub(super) u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct StructId(pub(super) u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FnTypeId(pub(super) u32);

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) ty: Type,
}

/// A structure or union.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    pub(super) tag: Option<String>,
    pub(super) is_union: bool,
    /// Has it bit fields?
    pub(super) has_bits: bool,
    /// None if it is only declared.
    pub(super) fields: Option<Vec<Field>>,
    /// Levels of parts in parts.
    depth: usize,
    /// Parts that are scalars, with one element of each array.
    parts: usize,
    /// What follows from the parts, found once: a structure may be in another many times.
    scalars: Option<u64>,
    layout: Option<(u64, u64)>,
    unsupported: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FnType {
    pub(super) result: Type,
    pub(super) params: Vec<Type>,
    pub(super) open: bool,
}

/// What the numbers in types stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Shapes {
    types: Vec<Type>,
    ids: FxHashMap<Type, TypeId>,
    depths: Vec<usize>,
    structs: Vec<Structure>,
    functions: Vec<FnType>,
    function_ids: FxHashMap<FnType, FnTypeId>,
}

/// How many parts a structure may have, those in parts included.
const PARTS: usize = 1_000;

/// How deep parts may be nested, so that what looks at all may recurse.
pub(super) const NESTED: usize = 100;

/// How many scalars an object may have that is laid out.
pub(super) const SCALARS: u64 = 1 << 40;

impl Shapes {
    pub(super) fn id(&mut self, ty: Type) -> TypeId {
        if let Some(&known) = self.ids.get(&ty) {
            return known;
        }
        let id = TypeId(self.types.len() as u32);
        self.depths.push(self.depth(ty));
        self.types.push(ty);
        self.ids.insert(ty, id);
        id
    }

    /// Levels of arrays and structures, up to pointers.
    pub(super) fn depth(&self, ty: Type) -> usize {
        match ty {
            Type::Array(of, _) => 1 + self.depths[of.0 as usize],
            Type::Struct(id) => self.structure(id).depth,
            _ => 0,
        }
    }

    /// The parts of a structure that was only declared.
    pub(super) fn complete(&mut self, id: StructId, fields: Vec<Field>, semantics: Semantics) {
        let all = |f: &dyn Fn(Type) -> usize| fields.iter().map(|x| f(x.ty)).collect::<Vec<_>>();
        let depth = 1 + all(&|ty| self.depth(ty)).into_iter().max().unwrap_or(0);
        let parts = all(&|ty| self.parts(ty))
            .into_iter()
            .fold(0, usize::saturating_add);
        let layout = self.layout_of(&fields, self.structure(id).is_union, semantics);
        let scalars: Option<u64> =
            (fields.iter()).try_fold(0u64, |sum, field| sum.checked_add(self.scalars(field.ty)?));
        let part = fields.iter().find_map(|f| self.unsupported(f.ty));
        let it = self.structure_mut(id);
        it.unsupported = if it.is_union {
            Some("a union")
        } else if it.has_bits {
            Some("a structure with bit fields or unnamed parts")
        } else if parts > PARTS {
            Some("a structure with so many parts")
        } else {
            part
        };
        let is_plain = it.unsupported.is_none();
        // Nothing counts as something: it may be there many times.
        it.scalars = scalars
            .map(|n| n.max(1))
            .filter(|n| is_plain && *n < SCALARS);
        it.layout = layout.filter(|_| !it.has_bits);
        (it.depth, it.parts) = (depth, parts);
        it.fields = Some(fields);
    }

    fn parts(&self, ty: Type) -> usize {
        let mut ty = ty;
        while let Type::Array(of, _) = ty {
            ty = self.get(of);
        }
        match ty {
            Type::Struct(id) => self.structure(id).parts,
            _ => 1,
        }
    }

    /// What of a type cannot be kept in memory.
    pub(super) fn unsupported(&self, ty: Type) -> Option<&'static str> {
        let mut ty = ty;
        while let Type::Array(of, _) = ty {
            ty = self.get(of);
        }
        match ty {
            Type::Other(what) => Some(what),
            Type::Struct(id) => self.structure(id).unsupported,
            Type::Void | Type::Function(_) => Some(self.describe(ty)),
            _ => None,
        }
    }

    fn layout_of(
        &self,
        fields: &[Field],
        is_union: bool,
        semantics: Semantics,
    ) -> Option<(u64, u64)> {
        let (mut end, mut most) = (0u64, 1u64);
        for field in fields {
            let (size, align) = match field.ty {
                Type::Array(of, Length::Open) => (0, self.layout(self.get(of), semantics)?.1),
                ty => self.layout(ty, semantics)?,
            };
            most = most.max(align);
            end = match is_union {
                true => end.max(size),
                false => end.checked_next_multiple_of(align)?.checked_add(size)?,
            };
        }
        Some((end.checked_next_multiple_of(most)?, most))
    }

    /// Is it a structure whose parts are not known, or does it have one?
    pub(super) fn is_open(&self, ty: Type) -> bool {
        let mut ty = ty;
        while let Type::Array(of, _) = ty {
            ty = self.get(of);
        }
        matches!(ty, Type::Struct(id) if self.structure(id).fields.is_none())
    }

    pub(super) fn get(&self, id: TypeId) -> Type {
        self.types[id.0 as usize]
    }

    pub(super) fn pointer(&mut self, to: Type) -> Type {
        Type::Pointer(self.id(to))
    }

    pub(super) fn new_struct(&mut self, tag: Option<String>, is_union: bool) -> StructId {
        self.structs.push(Structure {
            tag,
            is_union,
            has_bits: false,
            fields: None,
            depth: 0,
            parts: 0,
            scalars: None,
            layout: None,
            unsupported: Some("a structure without its parts"),
        });
        StructId(self.structs.len() as u32 - 1)
    }

    pub(super) fn structure(&self, id: StructId) -> &Structure {
        &self.structs[id.0 as usize]
    }

    pub(super) fn structure_mut(&mut self, id: StructId) -> &mut Structure {
        &mut self.structs[id.0 as usize]
    }

    pub(super) fn function(&mut self, ty: FnType) -> Type {
        if let Some(&known) = self.function_ids.get(&ty) {
            return Type::Function(known);
        }
        let id = FnTypeId(self.functions.len() as u32);
        self.functions.push(ty.clone());
        self.function_ids.insert(ty, id);
        Type::Function(id)
    }

    pub(super) fn function_type(&self, id: FnTypeId) -> &FnType {
        &self.functions[id.0 as usize]
    }

    /// Size and alignment in bytes, as gcc has them; none if that is not known.
    pub(super) fn layout(&self, ty: Type, semantics: Semantics) -> Option<(u64, u64)> {
        match ty {
            Type::Void | Type::Function(_) => Some((1, 1)),
            Type::Int(ty) => {
                let size = semantics.size(ty) as u64;
                let is_wide = size == 8 && semantics.pointer_size() == 4;
                Some((size, if is_wide { 4 } else { size }))
            }
            Type::Pointer(_) => {
                let size = semantics.pointer_size();
                Some((size, size))
            }
            Type::Array(of, Length::Known(count)) => {
                let (size, align) = self.layout(self.get(of), semantics)?;
                Some((size.checked_mul(count)?, align))
            }
            Type::Array(..) | Type::Other(_) => None,
            Type::Struct(id) => self.structure(id).layout,
        }
    }

    /// How many scalars a value has; none if it is not known or has parts that are not supported.
    pub(super) fn scalars(&self, ty: Type) -> Option<u64> {
        match ty {
            Type::Int(_) | Type::Pointer(_) => Some(1),
            Type::Array(of, Length::Known(count)) => {
                let each = self.scalars(self.get(of))?;
                each.checked_mul(count).filter(|n| *n < SCALARS)
            }
            Type::Struct(id) => self.structure(id).scalars,
            _ => None,
        }
    }

    /// In the user's words.
    pub(super) fn describe(&self, ty: Type) -> &'static str {
        match ty {
            Type::Void => "of type `void`",
            Type::Int(_) => "an integer",
            Type::Pointer(_) => "a pointer",
            Type::Array(..) => "an array",
            Type::Struct(id) if self.structure(id).is_union => "a union",
            Type::Struct(_) => "a structure",
            Type::Function(_) => "a function",
            Type::Other(what) => what,
        }
    }
}
