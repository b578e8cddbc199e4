//! Declarations: types, variables, functions.

use std::rc::Rc;

use suppose_number::Int;
use suppose_source::{Diagnostic, Span};

use super::{Named, Parser, Result};
use crate::c::ast::{Decl, Expr, Function, Item, Param, Storage, Type};
use crate::c::fold::fold;
use crate::c::lexer::Kind;
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
            | "__attribute__" | "__volatile__" | "_Complex" | "__int128" => true,
            name => matches!(self.lookup(name), Some(Named::Type(_))),
        }
    }

    /// One declaration or function outside of functions.
    pub(super) fn item(&mut self, items: &mut Vec<Item>) -> Result<()> {
        if self.takes(";") {
            return Ok(());
        }
        if self.peek().is_word("_Static_assert") || self.peek().is_word("__asm__") {
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
                    result: declarator.ty,
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
                (Some(name), Some(_)) => {
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
            let ty = match declarator.params {
                Some(_) => Type::Other("a function type"),
                None => declarator.ty,
            };
            self.declare(&name, Named::Type(ty));
            return Ok(None);
        }
        self.declare(&name, Named::Other);
        let ty = match declarator.ty {
            Type::Int(ty) => ty,
            // Headers declare variables of unsupported types; only a use of one is an error.
            Type::Other(_) if specifiers.storage == Storage::Extern => return Ok(None),
            Type::Other(what) => return Err(refused(declarator.span, what, &name)),
            Type::Void => {
                let message = format!("the variable `{name}` is of type `void`");
                return Err(Diagnostic::error(declarator.span, message));
            }
        };
        let init = match self.takes("=") {
            true if self.peek().is("{") => {
                return Err(Diagnostic::error(
                    self.peek().span,
                    "a list of values is not supported",
                )
                .label("expected one value"));
            }
            true => Some(self.assignment()?),
            false => None,
        };
        Ok(Some(Decl {
            name,
            ty,
            init,
            storage: specifiers.storage,
            is_const: specifiers.is_const,
            span: declarator.span,
        }))
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
                "signed" | "__signed__" => words.signed = true,
                "unsigned" => words.unsigned = true,
                "_Bool" => words.bool = true,
                "float" | "double" | "_Complex" => {
                    words.named = Some(Type::Other("a floating-point number"));
                }
                "__int128" => words.named = Some(Type::Other("an integer of 128 bits")),
                "const" | "__const" => is_const = true,
                "typedef" => storage = Storage::Typedef,
                "extern" => storage = Storage::Extern,
                "static" => storage = Storage::Static,
                "register" | "auto" | "inline" | "__inline" | "__inline__" | "_Noreturn"
                | "volatile" | "__volatile__" | "__extension__" => {}
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

    fn structure(&mut self) -> Result<Type> {
        self.at += 1;
        self.attributes()?;
        if self.peek().kind == Kind::Word {
            self.at += 1;
        }
        if self.peek().is("{") {
            self.skip_group()?;
        }
        Ok(Type::Other("a structure"))
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
        let _level = self.deeper()?;
        let mut ty = base;
        let start = self.peek().span;
        while self.takes("*") {
            ty = Type::Other("a pointer");
            while [
                "const",
                "volatile",
                "restrict",
                "__restrict",
                "__restrict__",
            ]
            .iter()
            .any(|w| self.peek().is_word(w))
            {
                self.at += 1;
            }
        }
        self.attributes()?;
        let mut nested_pointer = false;
        let mut it = Declarator {
            name: None,
            ty,
            params: None,
            span: start,
        };
        if self.peek().kind == Kind::Word {
            let name = self.next();
            it.span = name.span;
            it.name = Some(name.text);
        } else if self.peek().is("(") && !self.is_type_next(1) && !self.peek_at(1).is(")") {
            self.at += 1;
            nested_pointer = self.peek().is("*");
            let inner = self.declarator(ty)?;
            self.expect(")")?;
            it = inner;
        }
        loop {
            if self.peek().is("[") {
                self.skip_group()?;
                it.ty = Type::Other("an array");
            } else if self.peek().is("(") {
                let params = self.params()?;
                it.params.get_or_insert(params);
                // `int (*f)(int)` is a pointer to a function, and no function.
                if nested_pointer {
                    it.params = None;
                }
            } else {
                return Ok(it);
            }
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
            let ty = match declarator.params {
                Some(_) => Type::Other("a pointer"),
                None => declarator.ty,
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
        let declarator = self.declarator(specifiers.ty)?;
        Ok(match declarator.params {
            Some(_) => Type::Other("a function type"),
            None => declarator.ty,
        })
    }
}

pub(super) fn refused(span: Span, what: &str, name: &str) -> Diagnostic {
    Diagnostic::error(span, format!("`{name}` is {what}, which is not supported"))
        .label("not supported")
        .help("programs may use integers, functions and control flow: no pointers, arrays, structures or floating-point numbers")
}
