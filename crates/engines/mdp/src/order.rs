//! In which order the rule should take components.

use suppose_model::mdp::{Lpts, System};

/// An order of the components for [`crate::agar_n()`], one a group: first the one that shares the most actions with others (a
/// server, an arbiter, a channel), as the assumption is about its environment; then always the one that shares the most
/// actions with those before it, so that what an assumption is about is coupled to what it is assumed for. Of equals the larger
/// one comes first, as it is better not abstracted into an assumption that is checked again and again; then the earlier one.
pub fn order(system: &System, spec: &Lpts) -> Vec<usize> {
    let parts = system.parts();
    let shared = |a: usize, b: usize| {
        let common = parts[a].alphabet().iter().filter(|l| parts[b].knows(**l));
        common.count()
    };
    let others = |c: usize| (0..parts.len()).filter(move |o| *o != c);
    let seen = |c: usize| {
        let seen = parts[c].alphabet().iter().map(|l| system.observe(*l));
        seen.filter(|l| spec.knows(*l)).count()
    };
    let mut order = Vec::with_capacity(parts.len());
    while order.len() < parts.len() {
        let weight = |c: &usize| {
            let links = match order.is_empty() {
                true => others(*c).filter(|o| shared(*c, *o) > 0).count(),
                false => order.iter().map(|o| shared(*c, *o)).sum(),
            };
            let all: usize = others(*c).map(|o| shared(*c, o)).sum();
            let first = std::cmp::Reverse(*c);
            (links, all, seen(*c), parts[*c].states(), first)
        };
        let rest = (0..parts.len()).filter(|c| !order.contains(c));
        match rest.max_by_key(weight) {
            Some(next) => order.push(next),
            None => break,
        }
    }
    order
}
