//! What the text of a program says about all its states.

use crate::program::{Action, Expr, Init, Pattern, Place, Program, Scope};

/// A part of an action.
pub(in crate::program) enum Part<'a> {
    /// A value that is computed.
    Value(&'a Expr),
    /// A place that is written.
    Write(&'a Place),
    /// A channel that is sent to or received from.
    Channel(&'a Expr),
}

/// The parts of an action.
pub(in crate::program) fn parts(action: &Action) -> Vec<Part<'_>> {
    match action {
        Action::Guard(test) | Action::Assert(test) => vec![Part::Value(test)],
        Action::Else | Action::End => Vec::new(),
        Action::Assign(place, value) => vec![Part::Value(value), Part::Write(place)],
        Action::Send {
            channel, values, ..
        } => {
            let values = values.iter().map(Part::Value);
            std::iter::once(Part::Channel(channel))
                .chain(values)
                .collect()
        }
        Action::Receive {
            channel, patterns, ..
        } => {
            let patterns = patterns.iter().filter_map(pattern);
            std::iter::once(Part::Channel(channel))
                .chain(patterns)
                .collect()
        }
        Action::Run {
            arguments, result, ..
        } => {
            let arguments = arguments.iter().map(Part::Value);
            arguments.chain(result.iter().map(Part::Write)).collect()
        }
        Action::SetPriority(process, priority) => {
            vec![Part::Value(process), Part::Value(priority)]
        }
    }
}

fn pattern(pattern: &Pattern) -> Option<Part<'_>> {
    match pattern {
        Pattern::Match(value) => Some(Part::Value(value)),
        Pattern::Store(place) => Some(Part::Write(place)),
        Pattern::Ignore => None,
    }
}

/// For each proctype the local variables that nothing writes.
pub(super) fn unwritten(program: &Program) -> Vec<Vec<bool>> {
    let each = program.proctypes.iter().map(|text| {
        let mut fixed = vec![true; text.locals.len()];
        let edges = text.locations.iter().flat_map(|l| &l.edges);
        for part in edges.flat_map(|e| parts(&e.action)) {
            let Part::Write(place) = part else {
                continue;
            };
            if place.scope == Scope::Local {
                for slot in slots(place, |_| None) {
                    if let Some(it) = fixed.get_mut(slot as usize) {
                        *it = false;
                    }
                }
            }
        }
        fixed
    });
    each.collect()
}

/// All slots that a place can be, given the values of some of its indices.
pub(in crate::program) fn slots(place: &Place, value: impl Fn(&Expr) -> Option<i32>) -> Vec<u32> {
    let mut all = vec![place.base];
    for index in &place.indices {
        let values: Vec<u32> = match value(&index.expr) {
            Some(value) => u32::try_from(value)
                .into_iter()
                .filter(|v| *v < index.bound)
                .collect(),
            None => (0..index.bound).collect(),
        };
        let step = |base: u32| values.iter().map(move |v| base + v * index.stride);
        all = all.into_iter().flat_map(step).collect();
    }
    all
}

/// Is there an expression like that anywhere in a process?
pub(in crate::program) fn mentions(program: &Program, is: impl Fn(&Expr) -> bool) -> bool {
    let within = |e: &Expr| e.any(&is);
    let part = |part: Part| match part {
        Part::Value(e) | Part::Channel(e) => within(e),
        Part::Write(place) => place.indices.iter().any(|i| within(&i.expr)),
    };
    program.proctypes.iter().any(|text| {
        let mut edges = text.locations.iter().flat_map(|l| &l.edges);
        let mut inits = text.locals.iter().map(|slot| &slot.init);
        text.provided.as_ref().is_some_and(within)
            || text.promises.iter().any(|p| within(&p.channel))
            || inits.any(|init| matches!(init, Init::Expr(e) if within(e)))
            || edges.any(|e| parts(&e.action).into_iter().any(part))
    })
}
