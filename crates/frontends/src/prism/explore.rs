//! All reachable states of a machine, breadth first.

use hashbrown::HashTable;
use suppose_model::lts::{Layout, PackedStates, SizeLimits};
use suppose_model::mdp::TooLarge;
use suppose_number::Int;
use suppose_source::Diagnostic;

use super::ExplorationError;
use super::machine::{Machine, Wrong};
use super::resolved::Resolved;

/// What is done with what the exploration finds.
pub(super) trait Sink {
    /// The values of the variables in the present state, before its choices.
    fn begin(&mut self, _values: &[i64]) -> Result<(), ExplorationError> {
        Ok(())
    }

    /// A choice of the present state: its label, and its targets with their weights, in no order and with repetitions.
    fn choice(&mut self, state: u32, label: Option<u32>, targets: &mut Vec<(u32, Int)>);
    /// All choices of a state were given; `count` is how many.
    fn state(&mut self, state: u32, count: usize);
    /// How many branches so far, for the limit.
    fn branches(&self) -> usize;
}

/// What to do when a command of an enabled choice fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OnFault {
    /// The model is wrong.
    Refuse,
    /// The choice is left out and said: the component alone may come where the system never does.
    Block,
}

/// How far to go.
pub(super) struct Bounds<'a> {
    pub(super) limits: SizeLimits,
    pub(super) stop: &'a dyn Fn() -> bool,
    pub(super) on_fault: OnFault,
    /// Whose states they are, for messages.
    pub(super) what: &'a str,
}

/// The states found, and what went wrong where it was let pass.
pub(super) struct Found {
    pub(super) states: PackedStates,
    pub(super) blocked: Vec<Diagnostic>,
}

/// Records by number, each once.
struct Store {
    data: Vec<u64>,
    words: usize,
    table: HashTable<u32>,
    count: usize,
    limit: usize,
}

fn hash(record: &[u64]) -> u64 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut h = K;
    for word in record {
        let product = u128::from(h ^ word) * u128::from(0xd6e8_feb8_6659_fd93u64);
        h = (product as u64) ^ (product >> 64) as u64 ^ K;
    }
    let product = u128::from(h) * u128::from(K);
    (product as u64) ^ (product >> 64) as u64
}

impl Store {
    fn new(layout: &Layout, limit: usize) -> Store {
        Store {
            data: Vec::new(),
            words: layout.words(),
            table: HashTable::new(),
            count: 0,
            limit: limit.min(u32::MAX as usize - 1),
        }
    }

    /// The number of a record, new or not.
    fn insert(&mut self, record: &[u64]) -> Result<u32, TooLarge> {
        let (data, words) = (&self.data, self.words);
        let get = |number: u32| &data[number as usize * words..][..words];
        let hashed = hash(record);
        if let Some(number) = self.table.find(hashed, |n| get(*n) == record) {
            return Ok(*number);
        }
        if self.count >= self.limit {
            return Err(TooLarge::States(self.limit));
        }
        let number = self.count as u32;
        self.table.insert_unique(hashed, number, |n| hash(get(*n)));
        self.data.extend_from_slice(record);
        self.count += 1;
        Ok(number)
    }
}

/// The diagnostic of a fault in a state.
fn said(model: &Resolved, wrong: Wrong, state: &str) -> Diagnostic {
    let (module, command) = wrong.command;
    let module = &model.modules[module];
    let span = module.commands[command].span;
    let it = wrong.fault.diagnostic();
    let it = match it.span {
        Some(place) if place == span => it,
        _ => it.note(span, "in this command"),
    };
    let state = if state.is_empty() {
        "the only state"
    } else {
        state
    };
    it.help(format!("module `{}`, in the state {state}", module.name))
}

/// At most this many blocked choices are reported.
const TOLD: usize = 10;

/// Explores from the initial states.
pub(super) fn explore(
    model: &Resolved,
    machine: &mut Machine<'_>,
    initial: &[Vec<u64>],
    bounds: &Bounds<'_>,
    sink: &mut impl Sink,
) -> Result<Found, ExplorationError> {
    let layout = machine.layout().clone();
    let mut store = Store::new(&layout, bounds.limits.states);
    let too_large = |e: TooLarge| ExplorationError::too_large(bounds.what, e);
    for record in initial {
        store.insert(record).map_err(too_large)?;
    }
    let mut blocked: Vec<Diagnostic> = Vec::new();
    let mut record = vec![0; layout.words()];
    let mut buffers: Vec<Vec<u64>> = Vec::new();
    let mut targets: Vec<(u32, Int)> = Vec::new();
    let mut state = 0u32;
    while (state as usize) < store.count {
        if state.is_multiple_of(256) && (bounds.stop)() {
            return Err(ExplorationError::Stopped);
        }
        record.copy_from_slice(&store.data[state as usize * layout.words()..][..layout.words()]);
        machine.load(&record);
        if let Err(wrong) = machine.enable() {
            let it = said(model, wrong, &machine.show());
            return Err(ExplorationError::Invalid(vec![it]));
        }
        sink.begin(machine.values())?;
        let mut count = 0;
        machine.choices(
            &mut |chosen| {
                targets.clear();
                chosen.outcomes(&record, &mut buffers, &mut |next, weight| {
                    let number = store.insert(next).map_err(too_large)?;
                    if targets.len() >= bounds.limits.transitions {
                        return Err(too_large(TooLarge::Transitions(bounds.limits.transitions)));
                    }
                    targets.push((number, weight.clone()));
                    Ok(())
                })?;
                count += 1;
                if count % 1024 == 0 && (bounds.stop)() {
                    return Err(ExplorationError::Stopped);
                }
                sink.choice(state, chosen.label, &mut targets);
                Ok(())
            },
            &mut |wrong, shown| {
                let it = said(model, wrong, shown);
                if bounds.on_fault == OnFault::Refuse {
                    return Err(ExplorationError::Invalid(vec![it]));
                }
                let seen = blocked.iter().any(|b| b.span == it.span);
                if blocked.len() < TOLD && !seen {
                    blocked.push(it);
                }
                Ok(())
            },
        )?;
        sink.state(state, count);
        if sink.branches() > bounds.limits.transitions {
            return Err(too_large(TooLarge::Transitions(bounds.limits.transitions)));
        }
        state += 1;
    }
    Ok(Found {
        states: PackedStates::from_arena(layout, store.data),
        blocked,
    })
}
