//! Executes the steps of an `atomic` sequence in place, on the words of one state.
//!
//! Most steps inside an atomic sequence are the only enabled one and involve no other process: successive assignments,
//! loops over an array. They are executed in place, and no state is copied or looked up between them.

use super::{Act, Config, EdgeCode, Machine, Work};
use suppose_model::program::{Keep, Violation};

/// What became of an attempt to go on in place.
#[derive(Debug)]
pub(crate) enum Advance {
    /// There is not just one plain step.
    No,
    /// The step with that number was taken, and the process keeps this.
    Moved(u32, Keep),
    /// That step goes wrong.
    Wrong(u32, Violation),
}

/// Are these the edges of a place where a step in place can be tried? At most one of them is possible whatever the
/// state, and none looks at other processes, makes any, or begins a `d_step`.
pub(super) fn is_plain(edges: &[EdgeCode]) -> bool {
    let alone = |edge: &EdgeCode| match edge.act {
        Act::Guard(_) | Act::Else | Act::Always => true,
        Act::Set(..) | Act::Assign(..) | Act::Assert(_) => true,
        Act::Send(_) | Act::Receive(_) | Act::Run(_) | Act::End => false,
    };
    let sure = |edge: &&EdgeCode| !matches!(edge.act, Act::Guard(_) | Act::Else);
    !edges.is_empty()
        && edges.windows(2).all(|pair| pair[0].rank == pair[1].rank)
        && edges.iter().all(|e| alone(e) && e.keep != Keep::DStep)
        && (edges.len() == 1 || edges.iter().filter(sure).count() == 0)
}

impl Machine<'_> {
    /// Takes the only possible step of process `one` on [`Work::next`] itself.
    #[inline]
    pub(crate) fn advance(&self, config: &Config, one: usize, work: &mut Work) -> Advance {
        let code = &self.codes[config.processes[one] as usize];
        let here = &code.locations[code.pc.get(&work.next) as usize];
        if !here.plain {
            return Advance::No;
        }
        let edges = &code.edges[here.edges.start as usize..here.edges.end as usize];
        let mut found: Option<&EdgeCode> = None;
        for edge in edges {
            let possible = match edge.act {
                Act::Guard(test) => match self.eval(&work.next, config, false, test) {
                    Ok(value) => value != 0,
                    Err(_) => return Advance::No,
                },
                Act::Else => found.is_none(),
                _ => true,
            };
            match (possible, found) {
                (true, Some(_)) => return Advance::No,
                (true, None) => found = Some(edge),
                (false, _) => {}
            }
        }
        let Some(edge) = found else {
            return Advance::No;
        };
        if let Err(violation) = self.alone(config, edge, work) {
            return Advance::Wrong(edge.number, violation);
        }
        code.pc.set(&mut work.next, edge.target as i32);
        self.clear(code, edge.target, work);
        self.settle(one, work);
        Advance::Moved(edge.number, edge.keep)
    }

    fn alone(&self, config: &Config, edge: &EdgeCode, work: &mut Work) -> Result<(), Violation> {
        match edge.act {
            Act::Set(field, value) => field.set(&mut work.next, value),
            Act::Assign(dest, value) => {
                let value = self.eval(&work.next, config, false, value)?;
                self.store(&mut work.next, config, dest, value)?;
            }
            Act::Assert(test) if self.eval(&work.next, config, false, test)? == 0 => {
                if !self.options.past_assertions {
                    return Err(Violation::Assertion);
                }
                work.failed = true;
            }
            _ => {}
        }
        Ok(())
    }
}
