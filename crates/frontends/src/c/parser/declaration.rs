//! Declarations: types, variables, functions.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use suppose_number::Int;
use suppose_source::{Diagnostic, Span};

use super::{Named, Parser, Result};
use crate::c::ast::{
    Decl, Designator, Expr, ExprKind, Function, Init, Item, Length, Param, Storage, Type,
};
use crate::c::fold::fold;
use crate::c::lexer::Kind;
use crate::c::shapes::{Field, FnType, NESTED};
use crate::c::types::IntType;

/// What comes before the names of a declaration.
#[derive(Clone, Copy)]
pub(super) struct Specifiers {
    storage: Storage,
    ty: Type,
    is_const: bool,
    span: Span,
}

/// One name of a declaration.
struct Declarator {
    name: Option<Rc<str>>,
    ty: Type,
    /// Parameters, and whether further ones are allowed, if it is a function.
    params: Option<(Vec<Param>, bool)>,
    span: Span,
}

/// What a declarator makes of its base type, a step at a time.
enum Modifier {
    Pointer,
    Array(Length),
    Function(Vec<Param>, bool),
}

#[derive(Default)]
struct Words {
    void: bool,
    char: bool,
    short: bool,
    int: bool,
    long: u8,
    signed: bool,
    unsigned: bool,
    bool: bool,
    named: Option<Type>,
}

impl Words {
    fn any(&self) -> bool {
        self.named.is_some() || self.void || self.bool || self.char || self.short || self.int || {
            self.long > 0 || self.signed || self.unsigned
        }
    }

    fn ty(&self) -> Type {
        use IntType::*;
        if let Some(named) = self.named {
            return named;
        }
        if self.void {
            return Type::Void;
        }
        let signed = match (self.bool, self.char, self.short, self.long) {
            (true, ..) => return Type::Int(Bool),
            (_, true, ..) if self.signed => SignedChar,
            (_, true, ..) => Char,
            (_, _, true, _) => Short,
            (.., 0) => Int,
            (.., 1) => Long,
            _ => LongLong,
        };
        Type::Int(if self.unsigned {
            signed.unsigned()
        } else {
            signed
        })
    }
}

impl Parser {
    /// Does a declaration start here?
    pub(super) fn is_type_next(&self, further: usize) -> bool {
        let token = self.peek_at(further);
        if token.kind != Kind::Word {
            return false;
        }
        match &*token.text {
            "void" | "char" | "short" | "int" | "long" | "signed" | "unsigned" | "_Bool"
            | "float" | "double" | "struct" | "union" | "enum" | "const" | "volatile"
            | "static" | "extern" | "typedef" | "register" | "auto" | "inline" | "__inline"
            | "__inline__" | "_Noreturn" | "__signed__" | "__const" | "__extension__"
            | "__attribute__" | "__volatile__" | "__volatile" | "_Complex" | "__int128"
            | "typeof" | "__typeof__" | "_Thread_local" | "__thread" | "__restrict"
            | "__signed" | "_Float128" | "__float128" => true,
            name => matches!(self.lookup(name), Some(Named::Type(_))),
        }
    }

    /// One declaration or function outside of functions.
    pub(super) fn item(&mut self, items: &mut Vec<Item>) -> Result<()> {
        if self.takes(";") {
            return Ok(());
        }
        if ["_Static_assert", "__asm__", "asm", "__asm"]
            .iter()
            .any(|w| self.peek().is_word(w))
        {
            self.at += 1;
            self.skip_group()?;
            self.expect(";")?;
            return Ok(());
        }
        if !self.is_type_next(0) {
            let implicit = self.peek().kind == Kind::Word && self.peek_at(1).is("(");
            let error = self.expected("a declaration or a function");
            return Err(if implicit {
                error.help(
                    "write the type of what the function gives back before its name: `int f(void)`",
                )
            } else {
                error
            });
        }
        let specifiers = self.specifiers()?;
        if self.takes(";") {
            return Ok(());
        }
        loop {
            let declarator = self.declarator(specifiers.ty)?;
            self.attributes()?;
            let Some(name) = declarator.name.clone() else {
                return Err(self.expected("a name"));
            };
            if let Some((params, open)) = declarator.params.clone()
                && specifiers.storage != Storage::Typedef
            {
                self.declare(&name, Named::Other);
                let mut function = Function {
                    name,
                    span: declarator.span,
                    result: self.result_of(declarator.ty),
                    params,
                    open,
                    body: None,
                    end: declarator.span,
                };
                if self.peek().is("{") {
                    self.definition(&mut function)?;
                    items.push(Item::Function(function));
                    return Ok(());
                }
                items.push(Item::Function(function));
            } else if let Some(decl) = self.variable(specifiers, declarator)? {
                items.push(Item::Global(decl));
            }
            if !self.takes(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(())
    }

    fn definition(&mut self, function: &mut Function) -> Result<()> {
        self.scopes.push(Default::default());
        for name in function.params.iter().filter_map(|p| p.name.as_ref()) {
            self.declare(name, Named::Other);
        }
        let body = self.block()?;
        function.body = Some(body);
        function.end = self.last_span();
        self.scopes.pop();
        Ok(())
    }

    /// The variables of a declaration inside a function, its `;` included.
    pub(super) fn local_declaration(&mut self) -> Result<Vec<Decl>> {
        let specifiers = self.specifiers()?;
        let mut decls = Vec::new();
        if self.takes(";") {
            return Ok(decls);
        }
        loop {
            let declarator = self.declarator(specifiers.ty)?;
            self.attributes()?;
            match (&declarator.name, &declarator.params) {
                (Some(name), Some(_)) if specifiers.storage != Storage::Typedef => {
                    let name = Rc::clone(name);
                    self.declare(&name, Named::Other);
                }
                _ => decls.extend(self.variable(specifiers, declarator)?),
            }
            if !self.takes(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(decls)
    }

    /// A variable with its value, or the name of a type (none then).
    fn variable(&mut self, specifiers: Specifiers, declarator: Declarator) -> Result<Option<Decl>> {
        let Some(name) = declarator.name else {
            return Err(self.expected("a name"));
        };
        if specifiers.storage == Storage::Typedef {
            self.declare(&name, Named::Type(declarator.ty));
            return Ok(None);
        }
        self.declare(&name, Named::Other);
        if declarator.ty == Type::Void {
            let message = format!("the variable `{name}` is of type `void`");
            return Err(Diagnostic::error(declarator.span, message));
        }
        let init = match self.takes("=") {
            true => Some(self.initialiser()?),
            false => None,
        };
        let mut ty = declarator.ty;
        if let (Type::Array(of, Length::Open), Some(init)) = (ty, &init) {
            ty = Type::Array(of, Length::Known(length_of(init)));
        }
        Ok(Some(Decl {
            name,
            ty,
            init,
            storage: specifiers.storage,
            is_const: specifiers.is_const,
            span: declarator.span,
        }))
    }

    fn initialiser(&mut self) -> Result<Init> {
        let _level = self.deeper()?;
        let start = self.peek().span;
        if !self.takes("{") {
            return Ok(Init::Value(self.assignment()?));
        }
        let mut list = Vec::new();
        while !self.takes("}") {
            let mut way = Vec::new();
            loop {
                if self.takes("[") {
                    let expr = self.conditional()?;
                    let index = self.constant(&expr)?;
                    let Some(index) = index.to_i64().and_then(|n| u64::try_from(n).ok()) else {
                        return Err(Diagnostic::error(expr.span, "this is no index"));
                    };
                    self.expect("]")?;
                    way.push(Designator::Index(index));
                } else if self.peek().is(".") && self.peek_at(1).kind == Kind::Word {
                    self.at += 1;
                    way.push(Designator::Field(self.next().text));
                } else {
                    break;
                }
            }
            if !way.is_empty() {
                self.expect("=")?;
            }
            list.push((way, self.initialiser()?));
            if !self.takes(",") && !self.peek().is("}") {
                return Err(self.expected("`,` or `}`"));
            }
        }
        Ok(Init::List(list, start.to(self.last_span())))
    }

    /// What a function type gives back; other types stay as they are.
    fn result_of(&self, ty: Type) -> Type {
        match ty {
            Type::Function(id) => self.shapes.function_type(id).result,
            other => other,
        }
    }

    pub(super) fn specifiers(&mut self) -> Result<Specifiers> {
        let start = self.peek().span;
        let mut words = Words::default();
        let mut storage = Storage::Plain;
        let mut is_const = false;
        loop {
            let token = self.peek().clone();
            if token.kind != Kind::Word {
                break;
            }
            match &*token.text {
                "void" => words.void = true,
                "char" => words.char = true,
                "short" => words.short = true,
                "int" => words.int = true,
                "long" => words.long = words.long.saturating_add(1),
                "signed" | "__signed__" | "__signed" => words.signed = true,
                "unsigned" => words.unsigned = true,
                "_Bool" => words.bool = true,
                "float" | "double" | "_Complex" | "_Float128" | "__float128" => {
                    words.named = Some(Type::Other("a floating-point number"));
                }
                "__int128" => words.named = Some(Type::Other("an integer of 128 bits")),
                "const" | "__const" => is_const = true,
                "typedef" => storage = Storage::Typedef,
                "extern" => storage = Storage::Extern,
                "static" => storage = Storage::Static,
                "register" | "auto" | "inline" | "__inline" | "__inline__" | "_Noreturn"
                | "volatile" | "__volatile__" | "__volatile" | "__extension__" | "__restrict"
                | "_Thread_local" | "__thread" => {}
                "typeof" | "__typeof__" => {
                    words.named = Some(self.type_of()?);
                    continue;
                }
                "__attribute__" => {
                    self.attributes()?;
                    continue;
                }
                "struct" | "union" => {
                    words.named = Some(self.structure()?);
                    continue;
                }
                "enum" => {
                    words.named = Some(self.enumeration()?);
                    continue;
                }
                name => match self.lookup(name) {
                    Some(Named::Type(ty)) if !words.any() => words.named = Some(*ty),
                    _ => break,
                },
            }
            self.at += 1;
        }
        let span = start.to(self.last_span());
        if !words.any() {
            return Err(self.expected("a type"));
        }
        Ok(Specifiers {
            storage,
            ty: words.ty(),
            is_const,
            span,
        })
    }

    /// `__attribute__((...))` and the like, which mean nothing here.
    fn attributes(&mut self) -> Result<()> {
        loop {
            let token = self.peek();
            match &*token.text {
                "__attribute__" | "__asm__" | "asm" | "__asm" if token.kind == Kind::Word => {
                    self.at += 1;
                    if self.peek().is("(") {
                        self.skip_group()?;
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// `typeof(type)`; of an expression it is not supported.
    fn type_of(&mut self) -> Result<Type> {
        self.at += 1;
        self.expect("(")?;
        if !self.is_type_next(0) {
            return Err(self.expected("a type: `typeof` of an expression is not supported"));
        }
        let ty = self.type_name()?;
        self.expect(")")?;
        Ok(ty)
    }

    fn structure(&mut self) -> Result<Type> {
        let is_union = self.next().is_word("union");
        self.attributes()?;
        let tag = (self.peek().kind == Kind::Word).then(|| self.next().text);
        let word = if is_union { "union" } else { "struct" };
        let name = tag.as_ref().map(|t| Rc::<str>::from(format!("{word} {t}")));
        let has_body = self.peek().is("{");
        let known = match &name {
            // A body declares a new one, except for one of this scope that is still open.
            Some(name) if has_body => self.scopes.last().and_then(|s| s.get(name)),
            Some(name) => self.lookup(name),
            None => None,
        };
        let known = match known {
            Some(Named::Type(Type::Struct(id))) => Some(*id),
            _ => None,
        };
        let id = match known {
            Some(id) if !has_body || self.shapes.structure(id).fields.is_none() => id,
            _ => self.shapes.new_struct(tag.map(|t| t.to_string()), is_union),
        };
        if let Some(name) = &name {
            self.declare(name, Named::Type(Type::Struct(id)));
        }
        if has_body {
            let fields = self.fields(id)?;
            self.shapes.complete(id, fields, self.semantics);
            self.nesting(Type::Struct(id))?;
            self.attributes()?;
        }
        Ok(Type::Struct(id))
    }

    fn nesting(&self, ty: Type) -> Result<()> {
        if self.shapes.depth(ty) <= NESTED {
            return Ok(());
        }
        let message = format!("types are nested more than {NESTED} levels deep");
        Err(Diagnostic::error(self.last_span(), message).label("too deep"))
    }

    fn fields(&mut self, id: crate::c::shapes::StructId) -> Result<Vec<Field>> {
        let _level = self.deeper()?;
        self.expect("{")?;
        let mut fields: Vec<Field> = Vec::new();
        let mut names = FxHashSet::default();
        while !self.takes("}") {
            if self.takes(";") {
                continue;
            }
            let specifiers = self.specifiers()?;
            if self.takes(";") {
                // An unnamed structure in a structure: its parts cannot be named here.
                self.shapes.structure_mut(id).has_bits = true;
                continue;
            }
            loop {
                let declarator = match self.peek().is(":") {
                    true => None,
                    false => Some(self.declarator(specifiers.ty)?),
                };
                if self.takes(":") {
                    self.conditional()?;
                    self.shapes.structure_mut(id).has_bits = true;
                }
                self.attributes()?;
                if let Some(Declarator {
                    name: Some(name),
                    ty,
                    span,
                    ..
                }) = declarator
                {
                    if self.shapes.is_open(ty) {
                        let message = format!("the parts of the type of `{name}` are not known");
                        return Err(Diagnostic::error(span, message));
                    }
                    if !names.insert(Rc::clone(&name)) {
                        let message = format!("the part `{name}` is declared twice");
                        return Err(Diagnostic::error(span, message));
                    }
                    fields.push(Field {
                        name: name.to_string(),
                        ty,
                    });
                }
                if !self.takes(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        Ok(fields)
    }

    /// As gcc has it: `int` if there is a negative constant, else `unsigned`.
    fn enumeration(&mut self) -> Result<Type> {
        self.at += 1;
        self.attributes()?;
        let tag = (self.peek().kind == Kind::Word).then(|| self.next().text);
        let tag = tag.map(|t| Rc::<str>::from(format!("enum {t}")));
        if !self.takes("{") {
            let known = tag.as_deref().and_then(|t| self.lookup(t));
            return Ok(match known {
                Some(Named::Type(ty)) => *ty,
                _ => Type::Int(IntType::UnsignedInt),
            });
        }
        let mut value = Int::ZERO;
        let mut negative = false;
        while !self.takes("}") {
            let name = self.next();
            if name.kind != Kind::Word {
                self.at -= 1;
                return Err(self.expected("the name of a constant"));
            }
            if self.takes("=") {
                let expr = self.conditional()?;
                value = self.constant(&expr)?;
            }
            let (low, high) = self.semantics.range(IntType::Int);
            if self.semantics.is_bounded() && (value < low || value > high) {
                let message = format!("`{}` is {value}, which is not an `int`", name.text);
                return Err(Diagnostic::error(name.span, message)
                    .label("expected a value that an `int` can have"));
            }
            negative |= value.is_negative();
            self.declare(&name.text, Named::Constant(value.clone(), IntType::Int));
            value = &value + &Int::ONE;
            if !self.takes(",") && !self.peek().is("}") {
                return Err(self.expected("`,` or `}`"));
            }
        }
        let ty = Type::Int(if negative {
            IntType::Int
        } else {
            IntType::UnsignedInt
        });
        if let Some(tag) = tag {
            self.declare(&tag, Named::Type(ty));
        }
        Ok(ty)
    }

    fn constant(&self, expr: &Expr) -> Result<Int> {
        match fold(expr, self.semantics) {
            Some((value, _)) => Ok(value),
            None => Err(Diagnostic::error(expr.span, "this is not a constant")
                .label("expected numbers and constants of enumerations")),
        }
    }

    fn declarator(&mut self, base: Type) -> Result<Declarator> {
        let start = self.peek().span;
        let mut it = Declarator {
            name: None,
            ty: base,
            params: None,
            span: start,
        };
        let modifiers = self.modifiers(&mut it)?;
        for modifier in modifiers {
            it.params = None;
            it.ty = match modifier {
                Modifier::Pointer => self.shapes.pointer(it.ty),
                Modifier::Array(length) => {
                    let ty = Type::Array(self.shapes.id(it.ty), length);
                    self.nesting(ty)?;
                    ty
                }
                Modifier::Function(params, open) => {
                    let types = params.iter().map(|p| p.ty).collect();
                    let ty = self.shapes.function(FnType {
                        result: it.ty,
                        params: types,
                        open,
                    });
                    it.params = Some((params, open));
                    ty
                }
            };
        }
        // A function by the name of a type (`typedef int f(int); f g;`).
        if let (Type::Function(id), None) = (it.ty, &it.params) {
            let ty = self.shapes.function_type(id);
            let param = |ty: &Type| Param {
                name: None,
                ty: *ty,
                span: start,
            };
            it.params = Some((ty.params.iter().map(param).collect(), ty.open));
        }
        Ok(it)
    }

    /// Name and modifiers, in the order in which they apply to the base type.
    fn modifiers(&mut self, it: &mut Declarator) -> Result<Vec<Modifier>> {
        let _level = self.deeper()?;
        let mut found = Vec::new();
        self.attributes()?;
        while self.takes("*") {
            found.push(Modifier::Pointer);
            while [
                "const",
                "__const",
                "volatile",
                "__volatile__",
                "__volatile",
                "restrict",
                "__restrict",
                "__restrict__",
                "__extension__",
            ]
            .iter()
            .any(|w| self.peek().is_word(w))
            {
                self.at += 1;
            }
            self.attributes()?;
        }
        let mut inner = Vec::new();
        if self.peek().kind == Kind::Word {
            let name = self.next();
            it.span = name.span;
            it.name = Some(name.text);
        } else if self.peek().is("(") && !self.is_type_next(1) && !self.peek_at(1).is(")") {
            self.at += 1;
            inner = self.modifiers(it)?;
            self.expect(")")?;
        }
        let mut suffixes = Vec::new();
        loop {
            if self.peek().is("[") {
                suffixes.push(Modifier::Array(self.length()?));
            } else if self.peek().is("(") {
                let (params, open) = self.params()?;
                suffixes.push(Modifier::Function(params, open));
            } else {
                break;
            }
        }
        found.extend(suffixes.into_iter().rev());
        found.extend(inner);
        Ok(found)
    }

    fn length(&mut self) -> Result<Length> {
        self.expect("[")?;
        while ["static", "const", "restrict", "__restrict"]
            .iter()
            .any(|w| self.peek().is_word(w))
        {
            self.at += 1;
        }
        if self.takes("]") {
            return Ok(Length::Open);
        }
        if self.peek().is("*") && self.peek_at(1).is("]") {
            self.at += 2;
            return Ok(Length::Open);
        }
        let expr = self.assignment()?;
        self.expect("]")?;
        let Some((value, _)) = fold(&expr, self.semantics) else {
            self.lengths.push(expr);
            return Ok(Length::Variable(self.lengths.len() as u32 - 1));
        };
        match value.to_i64().and_then(|n| u64::try_from(n).ok()) {
            Some(n) if n < 1 << 32 => Ok(Length::Known(n)),
            _ => Err(Diagnostic::error(
                expr.span,
                format!("an array cannot have {value} elements"),
            )
            .label("expected a number from 0 on, below 2^32")),
        }
    }

    /// Parameters with their parentheses, and whether more are allowed.
    fn params(&mut self) -> Result<(Vec<Param>, bool)> {
        self.expect("(")?;
        if self.takes(")") {
            return Ok((Vec::new(), true));
        }
        let mut params = Vec::new();
        let mut open = false;
        loop {
            if self.takes("...") {
                open = true;
                break;
            }
            let specifiers = self.specifiers()?;
            let declarator = self.declarator(specifiers.ty)?;
            self.attributes()?;
            let ty = match declarator.ty {
                Type::Array(of, _) => Type::Pointer(of),
                Type::Function(_) => self.shapes.pointer(declarator.ty),
                other => other,
            };
            let span = specifiers.span.to(declarator.span);
            params.push(Param {
                name: declarator.name,
                ty,
                span,
            });
            if !self.takes(",") {
                break;
            }
        }
        self.expect(")")?;
        if let [only] = params.as_slice()
            && only.ty == Type::Void
            && only.name.is_none()
        {
            params.clear();
        }
        Ok((params, open))
    }

    /// A type in a cast or in `sizeof`.
    pub(super) fn type_name(&mut self) -> Result<Type> {
        let specifiers = self.specifiers()?;
        Ok(self.declarator(specifiers.ty)?.ty)
    }
}

/// The number of elements that a list of values is for, if it says so itself.
fn length_of(init: &Init) -> u64 {
    match init {
        Init::Value(Expr {
            kind: ExprKind::Text(bytes),
            ..
        }) => bytes.len() as u64,
        Init::Value(_) => 1,
        Init::List(list, _) => {
            if let [(way, inner)] = &**list
                && way.is_empty()
                && let Init::Value(Expr {
                    kind: ExprKind::Text(bytes),
                    ..
                }) = inner
            {
                return bytes.len() as u64;
            }
            let (mut next, mut most) = (0u64, 0);
            for (way, _) in list {
                if let Some(Designator::Index(at)) = way.first() {
                    next = *at;
                }
                next = next.saturating_add(1);
                most = most.max(next);
            }
            most
        }
    }
}
