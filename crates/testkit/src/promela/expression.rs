//! Random expressions.

use super::{Channel, Kind, Scope, Variable};
use crate::rng::Rng;

/// What an expression may look at, where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// Channels: not next to an `else`, and not below a negation.
    pub channels: bool,
    /// `_pid` and `_nr_pr`: not in a condition to run.
    pub processes: bool,
    /// Other processes: neither there nor in a `d_step`.
    pub remote: bool,
}

impl Use {
    /// Everything.
    pub fn all() -> Self {
        Use {
            channels: true,
            processes: true,
            remote: true,
        }
    }

    /// Everything but channels.
    pub fn variables() -> Self {
        Use {
            channels: false,
            processes: true,
            remote: true,
        }
    }

    /// What may stand in a `d_step`.
    pub fn step() -> Self {
        Use {
            remote: false,
            ..Use::variables()
        }
    }

    /// Global variables alone.
    pub fn global() -> Self {
        Use {
            channels: false,
            processes: false,
            remote: false,
        }
    }
}

/// One of the visible variables that passes, with a random index.
pub fn place(
    rng: &mut Rng,
    scope: &Scope,
    locals: &[Variable],
    mtype: bool,
) -> Option<(String, Kind)> {
    let fits = |v: &&Variable| (v.kind == Kind::Mtype) == mtype;
    let visible: Vec<&Variable> = scope.globals.iter().chain(locals).filter(fits).collect();
    let variable = *rng.pick(&visible)?;
    let name = match variable.length {
        None => variable.name.clone(),
        Some(length) => format!("{}[{}]", variable.name, index(rng, scope, locals, length)),
    };
    Some((name, variable.kind))
}

/// An index below `length`, or now and then one that is not.
pub fn index(rng: &mut Rng, scope: &Scope, locals: &[Variable], length: usize) -> String {
    let local = locals.iter().any(|v| v.name == "mine");
    if local && rng.percent(scope.shape.bad_index) {
        return "mine".to_owned();
    }
    if local && rng.percent(20) {
        return format!("mine % {length}");
    }
    rng.below(length).to_string()
}

/// A channel, with an index if it is an array.
pub fn channel<'a>(rng: &mut Rng, scope: &'a Scope) -> Option<(String, &'a Channel)> {
    let channel = rng.pick(&scope.channels)?;
    let name = match channel.length {
        None => channel.name.clone(),
        Some(length) => format!("{}[{}]", channel.name, rng.below(length)),
    };
    Some((name, channel))
}

/// A number.
pub fn number(
    rng: &mut Rng,
    scope: &Scope,
    locals: &[Variable],
    what: Use,
    depth: usize,
) -> String {
    let shape = scope.shape;
    if what.processes && rng.percent(shape.pid) {
        return "_pid".to_owned();
    }
    if what.processes && rng.percent(shape.nr_pr) {
        return "_nr_pr".to_owned();
    }
    if depth == 0 || rng.percent(45) {
        let found = rng
            .percent(60)
            .then(|| place(rng, scope, locals, false))
            .flatten();
        return found.map_or_else(|| rng.below(4).to_string(), |(name, _)| name);
    }
    let left = number(rng, scope, locals, what, depth - 1);
    let right = number(rng, scope, locals, what, depth - 1);
    match rng.below(12) {
        0..4 => format!("({left} + {right})"),
        4..6 => format!("({left} - {right})"),
        6 => format!("({left} * {right})"),
        7 => format!("({left} & {right})"),
        8 => format!("({left} ^ {right})"),
        9 if rng.percent(shape.bad_divisor * 5) => format!("({left} / ({right} & 3))"),
        9 => format!("({left} % {})", rng.between(2, 4)),
        10 => format!("(-{left})"),
        _ => {
            // SPIN takes no `nfull` and the like as the test.
            let plain = Use {
                channels: false,
                ..what
            };
            let test = condition(rng, scope, locals, plain);
            format!("({test} -> {left} : {right})")
        }
    }
}

/// A condition.
pub fn condition(rng: &mut Rng, scope: &Scope, locals: &[Variable], what: Use) -> String {
    let shape = scope.shape;
    if what.channels
        && rng.percent(shape.polls)
        && let Some(found) = poll(rng, scope)
    {
        return found;
    }
    if what.remote
        && rng.percent(shape.remote)
        && let Some((name, first)) = rng.pick(&scope.others)
    {
        return match rng.below(2) {
            0 => format!("{name}[{first}]@here"),
            _ => format!("{name}[{first}]:mine == {}", rng.below(3)),
        };
    }
    if rng.percent(shape.mtypes)
        && let Some((name, _)) = place(rng, scope, locals, true)
    {
        let colour = ["red", "green", "blue"][rng.below(3)];
        return format!("{name} {} {colour}", ["==", "!="][rng.below(2)]);
    }
    match rng.below(10) {
        0 => {
            let inner = condition(
                rng,
                scope,
                locals,
                Use {
                    channels: false,
                    ..what
                },
            );
            format!("!({inner})")
        }
        1 => {
            let left = condition(rng, scope, locals, what);
            let right = condition(rng, scope, locals, what);
            format!("({left} {} {right})", ["&&", "||"][rng.below(2)])
        }
        2 => "true".to_owned(),
        _ => {
            let left = number(rng, scope, locals, what, 1);
            let relation = ["==", "!=", "<", "<=", ">", ">="][rng.below(6)];
            format!("{left} {relation} {}", rng.below(3))
        }
    }
}

/// A look at a channel.
fn poll(rng: &mut Rng, scope: &Scope) -> Option<String> {
    let (name, channel) = channel(rng, scope)?;
    if channel.capacity == 0 {
        return None;
    }
    let second = if channel.fields == 2 { ", _" } else { "" };
    Some(match rng.below(7) {
        0 => format!("full({name})"),
        1 => format!("empty({name})"),
        2 => format!("nfull({name})"),
        3 => format!("nempty({name})"),
        4 => format!("{name}?[{}{second}]", rng.below(3)),
        // SPIN has a rule of its own for `??` on channels with `xr`; programs with those have no other `??` either.
        5 if scope.shape.random_receive > 0 => format!("{name}??[{}{second}]", rng.below(3)),
        _ => format!(
            "len({name}) {} {}",
            ["==", "<", ">"][rng.below(3)],
            rng.below(3)
        ),
    })
}
