//! What users call the parts of a state.

use suppose_model::program::semantics::State;
use suppose_model::program::{Init, Program, Type};

pub use super::interference::exposure;

/// `Sender[1]`: the proctype and the number of a process.
pub fn process(program: &Program, state: &State, number: usize) -> String {
    let found = state.processes.get(number);
    let proctype = found.and_then(|p| program.proctypes.get(p.proctype as usize));
    match proctype {
        Some(proctype) => format!("{}[{number}]", proctype.name),
        None => format!("process {number}"),
    }
}

/// A value as its type has it.
pub fn value(program: &Program, state: &State, ty: Type, value: i32) -> String {
    match (ty, index(value)) {
        (Type::Chan, Some(at)) if at < state.channels.len() => channel(program, state, at),
        _ => scalar(program, ty, value),
    }
}

/// A value of any type but a channel's, as its type has it; channels are numbers here.
pub(super) fn scalar(program: &Program, ty: Type, value: i32) -> String {
    match ty {
        Type::Bool if value == 0 || value == 1 => (value != 0).to_string(),
        Type::Mtype(list) => {
            let constants = program.mtypes.get(list as usize).map(|m| &m.constants);
            let name = constants.and_then(|c| c.get(index(value)?));
            name.map_or_else(|| value.to_string(), Clone::clone)
        }
        _ => value.to_string(),
    }
}

/// Channels and the constants of an `mtype` are counted from 1.
fn index(value: i32) -> Option<usize> {
    usize::try_from(value).ok()?.checked_sub(1)
}

/// The name of a channel by its place: that of the variable it was made for.
pub fn channel(program: &Program, state: &State, at: usize) -> String {
    let number = i32::try_from(at + 1).unwrap_or(0);
    let is_it = |init: &Init, value: i32| matches!(init, Init::Channel(_)) && value == number;
    let slots = program.globals.iter().zip(&state.globals);
    for (slot, value) in slots {
        if is_it(&slot.init, *value) {
            return slot.name.clone();
        }
    }
    for (who, process) in state.processes.iter().enumerate() {
        let proctype = program.proctypes.get(process.proctype as usize);
        let slots = proctype.map_or(&[][..], |p| &p.locals);
        for (slot, value) in slots.iter().zip(&process.locals) {
            if is_it(&slot.init, *value) {
                return format!("{}:{}", self::process(program, state, who), slot.name);
            }
        }
    }
    let kind = state.channels.get(at).map(|c| c.kind as usize);
    let kind = kind.and_then(|k| program.channels.get(k));
    let name = kind.map_or("channel", |k| k.name.as_str());
    format!("{name}#{number}")
}

/// The values of a message, separated by commas.
pub fn message(program: &Program, state: &State, kind: u32, values: &[i32]) -> String {
    let kind = program.channels.get(kind as usize);
    let fields = kind.map_or(&[][..], |k| &k.fields);
    let values = values.iter().enumerate().map(|(at, v)| {
        let ty = fields.get(at).copied().unwrap_or(Type::Int);
        value(program, state, ty, *v)
    });
    values.collect::<Vec<_>>().join(",")
}

/// The messages of a channel: `<1,red> <2,white>`, or `empty`.
pub fn contents(program: &Program, state: &State, at: usize) -> String {
    let Some(channel) = state.channels.get(at) else {
        return "gone".to_owned();
    };
    if channel.messages.is_empty() {
        return "empty".to_owned();
    }
    let messages = channel.messages.iter();
    let texts = messages.map(|m| format!("<{}>", message(program, state, channel.kind, m)));
    texts.collect::<Vec<_>>().join(" ")
}
