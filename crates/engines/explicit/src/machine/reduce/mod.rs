//! What can be left out of a search, found by looking at the program once.

mod ample;
mod live;

use crate::machine::{CompileOptions, Labels, Written};
use suppose_model::program::{Expr, Pattern, Place, Program, Scope};

/// What is known of each location of each proctype.
pub(crate) struct Facts {
    pub(crate) locations: Vec<Vec<Fact>>,
}

/// What is known of a location.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fact {
    /// Local variables whose values do not matter to a process that comes here.
    pub(crate) dead: Vec<u32>,
    /// All edges are steps that no other process can notice or hinder.
    pub(crate) ample: bool,
    /// So they are while channels that they use are used by nobody else in that way.
    pub(crate) messages: bool,
    /// Such a step can be taken at once, without keeping the state here.
    pub(crate) merge: bool,
}

impl Facts {
    pub(crate) fn new(program: &Program, written: &Written, options: &CompileOptions) -> Facts {
        let mut locations: Vec<Vec<Fact>> = program
            .proctypes
            .iter()
            .map(|text| vec![Fact::default(); text.locations.len()])
            .collect();
        let seen = Seen::new(program, options);
        if options.merge {
            for (proctype, facts) in locations.iter_mut().enumerate() {
                live::mark(program, proctype, &seen, facts);
            }
        }
        // A claim looks at every stored state, and may count them: under one, all states are stored. One on messages does not
        // see local steps at all.
        let claim = options.claim.and_then(|c| program.claims.get(c));
        let looks = claim.is_some_and(|c| c.events.is_none());
        // A claim on the length of channels, or on what is in them, sees messages.
        let channels = claim.is_some_and(|c| {
            let edges = c.locations.iter().flat_map(|l| &l.edges);
            let mut found = false;
            for edge in edges {
                expressions(&edge.action, &mut |e| found |= e.any(looks_at_channel));
            }
            found
        });
        let silent = claim.is_none() || looks && options.stutters && !channels;
        if (!looks || options.stutters) && (options.reduction || options.merge) {
            ample::mark(program, written, &seen, &mut locations);
            for fact in locations.iter_mut().flatten() {
                // Where a claim looks, its moves are part of the run, so no state is passed.
                fact.merge &= options.merge && !looks;
                fact.ample &= options.reduction;
                // A claim on messages sees them. Under fairness, a message that comes earlier is one that others are able to
                // receive for longer.
                fact.messages &= options.reduction && silent && !options.fair;
            }
        }
        Facts { locations }
    }
}

fn looks_at_channel(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Len(_) | Expr::Full(_) | Expr::Empty(_) | Expr::Poll { .. }
    )
}

/// What processes and the claim see of processes.
pub(crate) struct Seen<'a> {
    /// Someone looks at the locations of any process.
    pub(crate) all_locations: bool,
    /// Sets of locations that someone asks about, with the proctype.
    pub(crate) locations: Vec<(u32, &'a [u32])>,
    /// Variables that others read, with the proctype.
    pub(crate) places: Vec<(u32, &'a Place)>,
    /// Locations with labels that the question is about, by proctype.
    pub(crate) labelled: Vec<Vec<u32>>,
}

impl<'a> Seen<'a> {
    fn new(program: &'a Program, options: &CompileOptions) -> Seen<'a> {
        let mut it = Seen {
            all_locations: false,
            locations: Vec::new(),
            places: Vec::new(),
            labelled: labelled(program, options),
        };
        for (proctype, text) in program.proctypes.iter().enumerate() {
            // Which channel `xr` and `xs` are about is asked whenever another process uses one.
            for promise in &text.promises {
                promise.channel.visit(&mut |e| match e {
                    Expr::Load(place) if place.scope == Scope::Local => {
                        it.places.push((proctype as u32, place));
                    }
                    _ => {}
                });
            }
            for edge in text.locations.iter().flat_map(|l| &l.edges) {
                expressions(&edge.action, &mut |e| it.look(e));
            }
            if let Some(condition) = &text.provided {
                it.look(condition);
            }
            for slot in &text.locals {
                if let suppose_model::program::Init::Expr(expr) = &slot.init {
                    it.look(expr);
                }
            }
        }
        if let Some(claim) = options.claim.and_then(|c| program.claims.get(c)) {
            for edge in claim.locations.iter().flat_map(|l| &l.edges) {
                expressions(&edge.action, &mut |e| it.look(e));
            }
        }
        it
    }

    fn look(&mut self, expr: &'a Expr) {
        expr.visit(&mut |e| match e {
            Expr::PcValue(_) | Expr::Enabled(_) => self.all_locations = true,
            Expr::At {
                proctype,
                locations,
                ..
            } => self.locations.push((*proctype, locations)),
            Expr::Remote {
                proctype, place, ..
            } => self.places.push((*proctype, place)),
            _ => {}
        });
    }
}

fn labelled(program: &Program, options: &CompileOptions) -> Vec<Vec<u32>> {
    let has = |location: &suppose_model::program::Location| match options.labels {
        Labels::None => false,
        Labels::Accept => location.accept,
        Labels::Progress => location.progress,
    };
    let of = |text: &suppose_model::program::Proctype| {
        let numbered = (0u32..).zip(&text.locations);
        numbered.filter(|(_, l)| has(l)).map(|(n, _)| n).collect()
    };
    program.proctypes.iter().map(of).collect()
}

/// Calls `see` for the expressions of an action, those in the indices of its places included.
pub(crate) fn expressions<'a>(
    action: &'a suppose_model::program::Action,
    see: &mut impl FnMut(&'a Expr),
) {
    use suppose_model::program::Action;
    fn indices<'a>(place: &'a Place, see: &mut impl FnMut(&'a Expr)) {
        for index in &place.indices {
            see(&index.expr);
        }
    }
    match action {
        Action::Guard(e) | Action::Assert(e) => see(e),
        Action::Else | Action::End => {}
        Action::Assign(place, e) => {
            see(e);
            indices(place, see);
        }
        Action::Send {
            channel, values, ..
        } => {
            see(channel);
            values.iter().for_each(see);
        }
        Action::Receive {
            channel, patterns, ..
        } => {
            see(channel);
            for pattern in patterns {
                match pattern {
                    Pattern::Match(e) => see(e),
                    Pattern::Store(place) => indices(place, see),
                    Pattern::Ignore => {}
                }
            }
        }
        Action::Run {
            arguments, result, ..
        } => {
            arguments.iter().for_each(&mut *see);
            if let Some(place) = result {
                indices(place, see);
            }
        }
        Action::SetPriority(a, b) => {
            see(a);
            see(b);
        }
    }
}
