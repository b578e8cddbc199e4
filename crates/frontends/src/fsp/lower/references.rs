//! Names of local processes. One that is not defined is ERROR, as in LTSA, with a warning.

use suppose_source::Diagnostic;

use super::Lowering;
use crate::fsp::ast::{Body, Process, Reference};
use crate::fsp::check::RESERVED;
use crate::fsp::eval::Lowered;

/// Warns of every local process that is referred to and does not exist, whether or not it is reached.
pub(super) fn check_references(lowering: &mut Lowering<'_>, process: &Process) -> Lowered<()> {
    let mut known: Vec<&str> = process.locals.iter().map(|l| &*l.name.text).collect();
    for local in &process.locals {
        let name = &local.name;
        if RESERVED.contains(&&*name.text) {
            let message = format!("`{}` cannot be defined", name.text);
            return Err(Diagnostic::error(name.span, message).label("has a fixed meaning"));
        }
    }
    known.extend(RESERVED);
    known.sort_unstable();
    known.dedup();
    let mut pending: Vec<&Body> = process.locals.iter().map(|l| &l.body).collect();
    pending.reverse();
    while let Some(body) = pending.pop() {
        match body {
            Body::Choice(branches) => pending.extend(branches.iter().rev().map(|b| &b.next)),
            Body::If {
                then, otherwise, ..
            } => {
                pending.extend(otherwise.as_deref());
                pending.push(then);
            }
            Body::Refer(reference) => check_reference(lowering, reference, &known)?,
        }
    }
    Ok(())
}

fn check_reference(
    lowering: &mut Lowering<'_>,
    reference: &Reference,
    known: &[&str],
) -> Lowered<()> {
    for instance in &reference.before {
        lowering.definitions.get(&instance.name)?;
    }
    let name = &reference.name;
    if known.binary_search(&&*name.text).is_ok() {
        return Ok(());
    }
    let message = format!("no local process `{}`: it is taken to be ERROR", name.text);
    let it = Diagnostic::warning(name.span, message)
        .label("expected a local process, STOP, END or ERROR");
    let it = match lowering.definitions.find(&name.text) {
        Some(_) => it.help(format!(
            "`{0}` is a process of its own: to run it and then end, write `{0};END`",
            name.text
        )),
        None => it.did_you_mean_or(
            &name.text,
            known.iter().copied(),
            format!("define it after a comma: `, {} = (a -> STOP)`", name.text),
        ),
    };
    lowering.warn(it);
    Ok(())
}
