//! Bisimulations as greatest fixpoints: all pairs, minus those that fail, until none fails.
//!
//! The end is a state with a loop on a label nothing else has; the error state is related to
//! itself only. Divergence is ignored.

use suppose_model::lts::{Label, Lts, State};

const END_MARK: Label = Label(u32::MAX);

/// `relation[s][t]`: are `s` and `t` strongly bisimilar?
pub fn strongly_bisimilar(lts: &Lts) -> Vec<Vec<bool>> {
    let edges = marked_edges(lts);
    greatest(lts, |related, s, t| {
        from(&edges, s).all(|(label, s_next)| {
            from(&edges, t).any(|(other, t_next)| label == other && related(s_next, t_next))
        })
    })
}

/// `relation[s][t]`: are `s` and `t` weakly bisimilar (observationally equivalent)?
pub fn weakly_bisimilar(lts: &Lts) -> Vec<Vec<bool>> {
    let edges = marked_edges(lts);
    let silent = silent_closure(lts, &edges);
    let mut weak: Vec<(State, Label, State)> = Vec::new();
    let states = 0..lts.states() as State;
    for s in states.clone() {
        for t in states.clone().filter(|t| silent[s as usize][*t as usize]) {
            weak.push((s, Label::TAU, t));
        }
        for (before, label, after) in edges.iter().filter(|e| !e.1.is_tau()) {
            for t in states.clone() {
                if silent[s as usize][*before as usize] && silent[*after as usize][t as usize] {
                    weak.push((s, *label, t));
                }
            }
        }
    }
    greatest(lts, |related, s, t| {
        from(&edges, s).all(|(label, s_next)| {
            from(&weak, t).any(|(other, t_next)| label == other && related(s_next, t_next))
        })
    })
}

/// `relation[s][t]`: are `s` and `t` branching bisimilar (blind to divergence)?
pub fn branching_bisimilar(lts: &Lts) -> Vec<Vec<bool>> {
    let edges = marked_edges(lts);
    let silent = silent_closure(lts, &edges);
    greatest(lts, |related, s, t| follows(&edges, &silent, related, s, t))
}

/// `relation[s][t]`: are `s` and `t` branching bisimilar, divergence told apart? Where `s` can go on silently for ever through
/// states that are all related to `t`, `t` must be able to move silently to a state that one of these is related to.
pub fn divergence_preserving_bisimilar(lts: &Lts) -> Vec<Vec<bool>> {
    let edges = marked_edges(lts);
    let silent = silent_closure(lts, &edges);
    let is_tau = |e: &&(State, Label, State)| e.1.is_tau();
    greatest(lts, |related, s, t| {
        let moved = edges.iter().filter(is_tau).filter(|e| e.0 == t);
        let moved: Vec<State> = moved
            .flat_map(|e| (0..lts.states() as State).filter(|u| silent[e.2 as usize][*u as usize]))
            .collect();
        let alone = |u: State| related(u, t) && !moved.iter().any(|other| related(u, *other));
        let mut endless: Vec<bool> = (0..lts.states() as State).map(alone).collect();
        for _ in 0..lts.states() {
            let goes_on = |u: usize| {
                let mut steps = edges.iter().filter(is_tau);
                steps.any(|e| e.0 as usize == u && endless[e.2 as usize])
            };
            let next = (0..lts.states()).map(|u| endless[u] && goes_on(u));
            endless = next.collect();
        }
        !endless[s as usize] && follows(&edges, &silent, related, s, t)
    })
}

/// Can `t` do what `s` does, after silent steps that stay related to `s`?
fn follows(
    edges: &[(State, Label, State)],
    silent: &[Vec<bool>],
    related: &dyn Fn(State, State) -> bool,
    s: State,
    t: State,
) -> bool {
    from(edges, s).all(|(label, s_next)| {
        let stays = label.is_tau() && related(s_next, t);
        stays
            || edges.iter().any(|(middle, other, t_next)| {
                label == *other
                    && silent[t as usize][*middle as usize]
                    && related(s, *middle)
                    && related(s_next, *t_next)
            })
    })
}

fn marked_edges(lts: &Lts) -> Vec<(State, Label, State)> {
    let mark = lts.end().map(|end| (end, END_MARK, end));
    lts.all_edges().chain(mark).collect()
}

fn from(
    edges: &[(State, Label, State)],
    state: State,
) -> impl Iterator<Item = (Label, State)> + '_ {
    let of_state = edges.iter().filter(move |e| e.0 == state);
    of_state.map(|(_, label, target)| (*label, *target))
}

/// `closure[s][t]`: can `s` become `t` silently, in any number of steps?
fn silent_closure(lts: &Lts, edges: &[(State, Label, State)]) -> Vec<Vec<bool>> {
    let n = lts.states();
    let mut closure = vec![vec![false; n]; n];
    for (s, row) in closure.iter_mut().enumerate() {
        row[s] = true;
        for _ in 0..n {
            for (source, _, target) in edges.iter().filter(|e| e.1.is_tau()) {
                if row[*source as usize] {
                    row[*target as usize] = true;
                }
            }
        }
    }
    closure
}

/// The greatest symmetric relation in which `simulates(related, s, t)` is true of every pair.
fn greatest(
    lts: &Lts,
    simulates: impl Fn(&dyn Fn(State, State) -> bool, State, State) -> bool,
) -> Vec<Vec<bool>> {
    let n = lts.states();
    let is_error = |s: usize| lts.error() == Some(s as State);
    let mut relation: Vec<Vec<bool>> = (0..n)
        .map(|s| (0..n).map(|t| is_error(s) == is_error(t)).collect())
        .collect();
    loop {
        let related = |s: State, t: State| relation[s as usize][t as usize];
        let fails = |s: usize, t: usize| {
            let (s, t) = (s as State, t as State);
            !(simulates(&related, s, t) && simulates(&related, t, s))
        };
        let failing: Vec<(usize, usize)> = (0..n)
            .flat_map(|s| (0..n).map(move |t| (s, t)))
            .filter(|(s, t)| relation[*s][*t] && fails(*s, *t))
            .collect();
        if failing.is_empty() {
            return relation;
        }
        for (s, t) in failing {
            relation[s][t] = false;
        }
    }
}
