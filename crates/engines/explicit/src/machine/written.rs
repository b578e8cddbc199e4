//! Which variables are ever written.

use suppose_model::program::{Action, Init, Pattern, Place, Program, Scope};

/// For each variable: can any step write it?
pub(crate) struct Written {
    pub(crate) globals: Vec<bool>,
    pub(crate) locals: Vec<Vec<bool>>,
    /// Of the local ones: is it written by its initial expression, and by no step?
    pub(crate) at_start: Vec<Vec<bool>>,
}

/// The last slot a place can be.
pub(crate) fn last_slot(place: &Place) -> usize {
    let reach = |i: &suppose_model::program::Index| {
        u64::from(i.bound.saturating_sub(1)) * u64::from(i.stride)
    };
    let sum: u64 = place.indices.iter().map(reach).sum();
    usize::try_from(u64::from(place.base) + sum).unwrap_or(usize::MAX)
}

/// Calls `see` for every place that an action can write.
pub(crate) fn targets<'a>(action: &'a Action, mut see: impl FnMut(&'a Place)) {
    match action {
        Action::Assign(place, _) => see(place),
        Action::Receive { patterns, .. } => {
            for pattern in patterns {
                if let Pattern::Store(place) = pattern {
                    see(place);
                }
            }
        }
        Action::Run {
            result: Some(place),
            ..
        } => see(place),
        _ => {}
    }
}

impl Written {
    pub(crate) fn new(program: &Program) -> Written {
        let mut it = Written {
            globals: vec![false; program.globals.len()],
            locals: Vec::new(),
            at_start: Vec::new(),
        };
        for text in &program.proctypes {
            let mut mine = vec![false; text.locals.len()];
            for edge in text.locations.iter().flat_map(|l| &l.edges) {
                targets(&edge.action, |place| {
                    let frame = match place.scope {
                        Scope::Global => &mut it.globals,
                        Scope::Local => &mut mine,
                    };
                    let end = last_slot(place).saturating_add(1).min(frame.len());
                    let start = (place.base as usize).min(end);
                    frame[start..end].fill(true);
                });
            }
            // What an expression sets up is not known before the process is made.
            let computed = |slot: usize| matches!(text.locals[slot].init, Init::Expr(_));
            let by_step = |slot: usize| mine[slot];
            let at_start = (0..mine.len()).map(|s| computed(s) && !by_step(s));
            it.at_start.push(at_start.collect());
            let written = (0..mine.len()).map(|s| computed(s) || by_step(s));
            it.locals.push(written.collect());
        }
        it
    }
}
