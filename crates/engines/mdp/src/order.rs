//! In which order the rule should take components, and how large things may get: what can be said before anything is composed.

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

/// Sizes known without composing anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// States of each component.
    pub states: Vec<usize>,
    /// Choices of each component.
    pub choices: Vec<usize>,
    /// States of the specification.
    pub spec: usize,
    /// No more states can the composed system have; `u64::MAX` if that is too small a number.
    pub product: u64,
    /// Components that share an action, as pairs.
    pub links: usize,
}

/// Sizes of a system, from those of its parts.
pub fn estimate(system: &System, spec: &Lpts) -> Estimate {
    let parts = system.parts();
    let states: Vec<usize> = parts.iter().map(|p| p.states()).collect();
    let product = states
        .iter()
        .fold(1u64, |all, n| all.saturating_mul(*n as u64));
    let linked = |a: &Lpts, b: &Lpts| a.alphabet().iter().any(|l| b.knows(*l));
    let links = parts.iter().enumerate().map(|(at, part)| {
        let after = parts[at + 1..].iter();
        after.filter(|other| linked(part, other)).count()
    });
    Estimate {
        choices: parts.iter().map(|p| p.all_choices().len()).collect(),
        spec: spec.states(),
        links: links.sum(),
        product,
        states,
    }
}
