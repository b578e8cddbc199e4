//! Modules with what `ISA` takes from others.

use rustc_hash::FxHashMap;
use suppose_source::Diagnostic;

use super::super::ast::{Ident, Module};
use super::super::lexer::{Names, Sym};

/// Puts the contents of the modules that `ISA` names in its place.
pub(super) fn with_isa(modules: Vec<Module>, names: &Names) -> Result<Vec<Module>, Diagnostic> {
    let by_name: FxHashMap<Sym, usize> = modules
        .iter()
        .enumerate()
        .map(|(i, m)| (m.name.name, i))
        .collect();
    let mut whole = modules.clone();
    for (i, module) in modules.iter().enumerate() {
        let mut taken = vec![module.name.name];
        let mut open: Vec<Ident> = module.isa.iter().rev().copied().collect();
        while let Some(base) = open.pop() {
            let Some(base_module) = by_name.get(&base.name).map(|b| &modules[*b]) else {
                let message = format!("there is no module `{}`", names.text(base.name));
                return Err(Diagnostic::error(base.span, message).label("expected a module"));
            };
            if taken.contains(&base.name) {
                let message = format!("`{}` is taken in twice", names.text(base.name));
                return Err(Diagnostic::error(base.span, message)
                    .label("taken in before, perhaps through other modules")
                    .help("remove one of the ISA"));
            }
            if let Some(parameter) = base_module.parameters.first() {
                let message = format!("`{}` has parameters", names.text(base.name));
                return Err(Diagnostic::error(base.span, message)
                    .label("expected a module without parameters")
                    .note(parameter.span, "the first is here"));
            }
            taken.push(base.name);
            extend(&mut whole[i], base_module);
            open.extend(base_module.isa.iter().rev().copied());
        }
    }
    Ok(whole)
}

fn extend(module: &mut Module, base: &Module) {
    module.vars.extend_from_slice(&base.vars);
    module.defines.extend_from_slice(&base.defines);
    module.constants.extend_from_slice(&base.constants);
    module.assigns.extend_from_slice(&base.assigns);
    module.constraints.extend_from_slice(&base.constraints);
    module.fairness.extend_from_slice(&base.fairness);
    module.specs.extend_from_slice(&base.specs);
}
