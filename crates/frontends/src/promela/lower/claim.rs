//! Claims: `never` and `ltl`; `trace` is in [`super::events`].

use suppose_model::program::{Action, Binary, Claim, Edge, Expr, Keep, Location};
use suppose_source::Span;

use super::Lower;
use super::expr::{binary, not};
use super::graph::Graph;
use crate::Undecided;
use crate::promela::ast::Never;

/// How many steps inside one `atomic` of a claim are put together.
const FOLDED: usize = 64;

impl Lower<'_> {
    pub(super) fn claims(&mut self) {
        let ast = self.ast;
        for never in &ast.nevers {
            self.never(never);
        }
        self.traces();
        let mut unnamed = 0;
        for ltl in &ast.ltls {
            let name = match ltl.name {
                Some(name) => self.text(name.name).to_owned(),
                None => {
                    unnamed += 1;
                    format!("ltl_{}", unnamed - 1)
                }
            };
            match ltl.progress {
                true => self.leave_progress(name, ltl.span),
                false => self.ltl(ltl, name),
            }
        }
        let mut names: Vec<(&str, Span)> = Vec::new();
        let mut twice = Vec::new();
        for claim in &self.program.claims {
            match names.iter().find(|(n, _)| *n == claim.name) {
                Some((name, first)) => {
                    twice.push(super::names::twice("the claim", name, claim.span, *first))
                }
                None => names.push((&claim.name, claim.span)),
            }
        }
        for error in twice {
            self.fail(error);
        }
    }

    pub(super) fn leave_undecided(&mut self, name: String, why: &str, span: Span) {
        self.undecided.push(Undecided {
            name,
            reason: format!("{why}; check it with SPIN: `spin -search -a`"),
            span: Some(span),
        });
    }

    /// What `np_` is worth where all processes stop depends on how SPIN came there, not on the state.
    fn leave_progress(&mut self, name: String, span: Span) {
        self.undecided.push(Undecided {
            name,
            reason: "`np_` in a claim is not decided; --progress asks whether every infinite run makes progress"
                .to_owned(),
            span: Some(span),
        });
    }

    fn never(&mut self, never: &Never) {
        let name = match never.name {
            Some(name) => self.text(name.name).to_owned(),
            None => "never".to_owned(),
        };
        if never.progress {
            self.leave_progress(name, never.span);
            self.never_elements.push(None);
            return;
        }
        self.enter_scope();
        let graph = self.graph(&never.body, 0, never.end, None);
        self.leave_scope();
        let Some(graph) = self.keep(graph) else {
            return;
        };
        self.never_elements.push(graph.elements);
        match to_claim(graph) {
            Ok((locations, entry, end)) => self.program.claims.push(Claim {
                name,
                locations,
                entry,
                end,
                text: "never { ... }".to_owned(),
                span: never.span,
                events: None,
                formula: None,
            }),
            Err(why) => self.leave_undecided(name, why, never.span),
        }
    }
}

type Automaton = (Vec<Location>, u32, u32);

/// A claim's graph with guards only, or why there is none.
fn to_claim(graph: Graph) -> Result<Automaton, &'static str> {
    let mut locations = graph.locations;
    let end = match graph.stop {
        Some(stop) => stop,
        None => {
            locations.push(Location::default());
            u32::try_from(locations.len() - 1).unwrap_or(u32::MAX)
        }
    };
    locations[end as usize].edges.clear();
    let mut plain = Vec::with_capacity(locations.len());
    for location in &locations {
        let mut edges = Vec::new();
        for edge in &location.edges {
            fold(&locations, edge, None, end, 0, &mut edges)?;
        }
        plain.push(edges);
    }
    for (location, edges) in locations.iter_mut().zip(plain) {
        location.edges = edges;
        location.keep = Keep::Nothing;
    }
    accepting_for_ever(&mut locations, end);
    Ok((locations, graph.entry, end))
}

/// An edge, with what follows it inside an `atomic`, as guards.
fn fold(
    all: &[Location],
    edge: &Edge,
    before: Option<&Expr>,
    end: u32,
    depth: usize,
    out: &mut Vec<Edge>,
) -> Result<(), &'static str> {
    if depth > FOLDED {
        return Err("an `atomic` of the claim is too long");
    }
    let and = |expr: Expr| match before {
        Some(before) => binary(Binary::And, before.clone(), expr),
        None => expr,
    };
    let mut push = |action: Action, target: u32| {
        out.push(Edge {
            action,
            target,
            ..edge.clone()
        });
    };
    let guard = match &edge.action {
        Action::Else if before.is_none() && all[edge.target as usize].keep == Keep::Nothing => {
            push(Action::Else, edge.target);
            return Ok(());
        }
        Action::Guard(guard) => and(guard.clone()),
        Action::Assert(holds) => {
            push(Action::Guard(and(not(holds.clone()))), end);
            and(holds.clone())
        }
        Action::End => return Ok(()),
        _ => return Err("the claim does more than look at the state"),
    };
    let target = &all[edge.target as usize];
    if target.keep == Keep::Nothing {
        push(Action::Guard(guard), edge.target);
        return Ok(());
    }
    for next in &target.edges {
        fold(all, next, Some(&guard), end, depth + 1, out)?;
    }
    Ok(())
}

/// A place that accepts whatever comes is as good as the end.
pub(super) fn accepting_for_ever(locations: &mut [Location], end: u32) {
    let for_ever = |number: usize, location: &Location| {
        location.accept
            && !location.edges.is_empty()
            && location.edges.iter().all(|e| {
                e.target as usize == number
                    && matches!(e.action, Action::Guard(Expr::Const(c)) if c != 0)
            })
    };
    let traps: Vec<bool> = locations
        .iter()
        .enumerate()
        .map(|(n, l)| for_ever(n, l))
        .collect();
    for location in locations.iter_mut() {
        for edge in &mut location.edges {
            if traps[edge.target as usize] {
                edge.target = end;
            }
        }
    }
    for (location, trap) in locations.iter_mut().zip(&traps) {
        location.accept &= !trap;
    }
}
