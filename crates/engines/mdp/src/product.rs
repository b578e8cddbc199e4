//! Building products under a context.

use suppose_control::{Context, Event, Stopped};
use suppose_model::Run;
use suppose_model::mdp::{Halted, Lpts, SizeLimits, Whole, compose};

/// The reachable part of a product. More than the store can number counts as too much memory.
pub(crate) fn build(
    name: &str,
    parts: &[&Lpts],
    run: &mut Run,
    cx: &Context,
) -> Result<Whole, Stopped> {
    let mut asked = 0u64;
    let mut poll = |states: usize| {
        asked += 1;
        if asked.is_multiple_of(1 << 16) {
            cx.emit(Event::Explored {
                states: states as u64,
                transitions: 0,
            });
        }
        match asked % 64 {
            1 => cx.check_states(states as u64),
            _ => Ok(()),
        }
    };
    let whole = match compose(name, parts, &SizeLimits::default(), &mut poll) {
        Ok(whole) => whole,
        Err(Halted::Stopped(why)) => return Err(why),
        Err(Halted::TooLarge(_)) => return Err(Stopped::Memory),
    };
    let states = whole.lpts.states() as u64;
    cx.check_states(states)?;
    run.states += states;
    run.transitions += whole.lpts.branches() as u64;
    run.largest = run.largest.max(states);
    Ok(whole)
}
