//! Name resolution.

use rustc_hash::FxHashMap;
use suppose_model::program::{Mtype, Scope, Type};
use suppose_source::{Diagnostic, Span};

use super::{Lower, Lowered};
use crate::promela::ast::{DeclType, Ident, Variable};
use crate::promela::lexer::Sym;
use suppose_source::nearest;

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VarType {
    Scalar(Type),
    /// By number in [`Lower::structs`].
    Struct(usize),
}

/// A variable: its slots in a frame.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub(super) name: Sym,
    pub(super) scope: Scope,
    pub(super) base: u32,
    pub(super) ty: VarType,
    pub(super) length: Option<u32>,
    /// The kind of channel that it starts with.
    pub(super) kind: Option<u32>,
    pub(super) span: Span,
}

/// A `typedef`.
#[derive(Clone, Debug)]
pub(super) struct Struct {
    pub(super) name: Sym,
    pub(super) fields: Vec<Field>,
    pub(super) size: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: Sym,
    pub(super) ty: VarType,
    pub(super) length: Option<u32>,
    pub(super) offset: u32,
    /// The first value of its slots.
    pub(super) value: i32,
    pub(super) kind: Option<u32>,
}

impl Lower<'_> {
    pub(super) fn declare_symbols(&mut self) {
        for symbols in &self.ast.symbols {
            let list = self.mtype_list(symbols.subtype.map(|s| s.name));
            let known = self.program.mtypes[list].constants.len();
            let new = symbols.names.len();
            for (number, name) in symbols.names.iter().enumerate() {
                // The last name of a declaration has the least value.
                let value = known + new - number;
                let entry = (
                    i32::try_from(value).unwrap_or(i32::MAX),
                    list as u16,
                    name.span,
                );
                if let Some((_, _, first)) = self.symbols.insert(name.name, entry) {
                    let shown = self.text(name.name).to_owned();
                    self.fail(twice("the symbolic constant", &shown, name.span, first));
                }
            }
            let names = symbols
                .names
                .iter()
                .rev()
                .map(|n| self.names.text(n.name).to_owned());
            self.program.mtypes[list].constants.extend(names);
            if self.program.mtypes[list].constants.len() > 255 {
                let span = symbols.names.first().map_or(Span::default(), |n| n.span);
                self.fail(
                    Diagnostic::error(span, "there are more than 255 symbolic constants")
                        .label("an `mtype` has 8 bits"),
                );
                return;
            }
        }
    }

    fn mtype_list(&mut self, subtype: Option<Sym>) -> usize {
        let Some(subtype) = subtype else {
            return 0;
        };
        let name = self.text(subtype).to_owned();
        let lists = &mut self.program.mtypes;
        if let Some(number) = lists.iter().position(|m| m.name == name) {
            return number;
        }
        lists.push(Mtype {
            name,
            constants: Vec::new(),
        });
        lists.len() - 1
    }

    /// The type of a declaration; the width of `unsigned` is at the variable.
    pub(super) fn var_type(&self, ty: DeclType, variable: Option<&Variable>) -> Lowered<VarType> {
        Ok(VarType::Scalar(match ty {
            DeclType::Struct(name) => {
                let Some(number) = self.struct_names.get(&name.name) else {
                    return Err(self.unknown_type(name));
                };
                return Ok(VarType::Struct(*number));
            }
            DeclType::Mtype(None) => Type::Mtype(0),
            DeclType::Mtype(Some(subtype)) => {
                let name = self.text(subtype.name);
                match self.program.mtypes.iter().position(|m| m.name == name) {
                    Some(number) => Type::Mtype(number as u16),
                    None => {
                        let message = format!("there is no `mtype:{name}`");
                        return Err(Diagnostic::error(subtype.span, message)
                            .label("expected the name of an mtype")
                            .help(format!("declare it: `mtype:{name} = {{ ... }}`")));
                    }
                }
            }
            DeclType::Scalar(Type::Unsigned(_)) => match variable.map(|v| (v.bits, v.name.span)) {
                Some((Some((bits, _)), _)) if (1..=32).contains(&bits) => {
                    Type::Unsigned(bits as u8)
                }
                Some((Some((_, span)), _)) => {
                    return Err(Diagnostic::error(span, "an `unsigned` has 1 to 32 bits")
                        .label("this many bits"));
                }
                Some((None, span)) => {
                    return Err(
                        Diagnostic::error(span, "an `unsigned` needs a number of bits")
                            .label("expected `name : bits`"),
                    );
                }
                None => return Err(unsigned_field()),
            },
            DeclType::Scalar(ty) => {
                if let Some((_, span)) = variable.and_then(|v| v.bits) {
                    return Err(
                        Diagnostic::error(span, "only an `unsigned` has a number of bits")
                            .label("expected a declaration without it"),
                    );
                }
                ty
            }
        }))
    }

    fn unknown_type(&self, name: Ident) -> Diagnostic {
        let shown = self.text(name.name);
        let it = Diagnostic::error(name.span, format!("the type `{shown}` is not known here"))
            .label("expected a type defined before");
        it.help("a `typedef` stands before its first use")
    }

    /// How many slots a type takes.
    pub(super) fn size(&self, ty: VarType) -> u64 {
        match ty {
            VarType::Scalar(_) => 1,
            VarType::Struct(number) => u64::from(self.structs[number].size),
        }
    }

    /// The scalars of a type: how far from its first slot, and of what type.
    pub(super) fn leaves(&self, ty: VarType, offset: u32, leaves: &mut Vec<(u32, Type)>) {
        match ty {
            VarType::Scalar(ty) => leaves.push((offset, ty)),
            VarType::Struct(number) => {
                for field in &self.structs[number].fields {
                    let size = self.size(field.ty) as u32;
                    for element in 0..field.length.unwrap_or(1) {
                        let at = offset + field.offset + element * size;
                        self.leaves(field.ty, at, leaves);
                    }
                }
            }
        }
    }

    pub(super) fn enter_scope(&mut self) {
        self.scopes.push(FxHashMap::default());
    }

    pub(super) fn leave_scope(&mut self) {
        self.scopes.pop();
    }

    /// Makes a variable visible from here on.
    pub(super) fn show(&mut self, var: Var) {
        let (name, span) = (var.name, var.span);
        let shown = self.text(name).to_owned();
        if let Some((_, _, first)) = self.symbols.get(&name) {
            let it = twice("a symbolic constant", &shown, span, *first);
            self.fail(it);
        }
        let inner = self.scopes.len().saturating_sub(1);
        let outer = self.scopes[..inner].iter().rev().find_map(|s| s.get(&name));
        let outer = outer.or_else(|| self.globals.get(&name).filter(|_| self.is_before(name)));
        if let Some(other) = outer.map(|o| o.span) {
            let message = format!("the variable `{shown}` is declared again inside its scope");
            self.fail(
                Diagnostic::error(span, message)
                    .label("SPIN takes this for a second declaration of the same")
                    .note(other, "first declared here")
                    .help("give one of them another name"),
            );
        }
        if let Some(scope) = self.scopes.last_mut()
            && let Some(other) = scope.insert(name, var)
        {
            self.fail(twice("the variable", &shown, span, other.span));
        }
    }

    /// Is a shared variable declared before the process that is being lowered?
    fn is_before(&self, name: Sym) -> bool {
        let before = self.current.map_or(0, |c| self.ast.proctypes[c].globals);
        let mut decls = self.ast.globals.iter().take(before);
        decls.any(|d| d.variables.iter().any(|v| v.name.name == name))
    }

    pub(super) fn find(&self, name: Sym) -> Option<&Var> {
        let inner = self.scopes.iter().rev().find_map(|s| s.get(&name));
        inner.or_else(|| self.globals.get(&name))
    }

    pub(super) fn unknown(&self, name: Ident) -> Diagnostic {
        let shown = self.text(name.name);
        let it = Diagnostic::error(name.span, format!("there is no variable `{shown}`"))
            .label("expected a variable or constant that is declared before");
        let mut known: Vec<&str> = Vec::new();
        let locals = self.scopes.iter().flat_map(FxHashMap::keys);
        let all = locals.chain(self.globals.keys()).chain(self.symbols.keys());
        known.extend(all.map(|s| self.text(*s)));
        known.sort_unstable();
        if let Some(near) = nearest(shown, known.iter().copied()) {
            return it.help(format!("did you mean `{near}`?"));
        }
        let elsewhere = self
            .frames
            .iter()
            .position(|f| f.iter().any(|v| v.name == name.name));
        match elsewhere {
            Some(number) if Some(number) != self.current => it.help(format!(
                "`{shown}` is a variable of `{}`; from outside it is written `{}[pid]:{shown}`",
                self.program.proctypes[number].name, self.program.proctypes[number].name
            )),
            Some(_) => it.help("it is declared further down, or in a block that is closed"),
            None => it,
        }
    }
}

fn unsigned_field() -> Diagnostic {
    Diagnostic::error_without_place("`unsigned` cannot be a field of a message")
        .help("use `byte`, `short` or `int`")
}

pub(super) fn twice(what: &str, name: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error(span, format!("{what} `{name}` is declared twice"))
        .label("again here")
        .note(first, "first declared here")
}
