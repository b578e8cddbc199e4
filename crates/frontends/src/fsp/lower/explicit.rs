//! Composing parts up front, where flattening would change the meaning.

use std::rc::Rc;

use suppose_model::lts::{
    Equivalence, Label, Lts, Priority, Rules, TooLarge, compose_by, determinise, minimise,
};
use suppose_source::{Diagnostic, Span};

use super::Lowering;
use super::ends::{ends, success};
use super::machine::{Core, Interned, Machine};
use super::rename::Cover;
use crate::fsp::eval::Lowered;

/// Low (`>>`) or high (`<<`), and the labels.
pub(super) type PrioritySet = (bool, Cover);

impl Machine {
    /// A property has no error state: actions of its alphabet without a transition are violations.
    pub(super) fn without_error(self) -> Machine {
        let Some(error) = self.core.error else {
            return self;
        };
        let kept = |s: u32| s - u32::from(s > error);
        let core = &self.core;
        let edges = core
            .edges
            .iter()
            .filter(|e| e.0 != error && e.2 != error)
            .map(|e| (kept(e.0), e.1, kept(e.2)))
            .collect();
        let mut state_names = core.state_names.clone();
        if (error as usize) < state_names.len() {
            state_names.remove(error as usize);
        }
        Machine {
            core: Rc::new(Core {
                states: core.states - 1,
                edges,
                error: None,
                end: core.end.filter(|e| *e != error).map(kept),
                state_names,
            }),
            ..self
        }
    }
}

impl Lowering<'_> {
    fn too_large(&self, what: &str, limit: TooLarge, span: Span) -> Diagnostic {
        Diagnostic::error(span, format!("`{what}` has {limit}"))
            .label("has to be composed before it is used")
            .help("use smaller ranges, or leave out `minimal`, `deterministic`, `compose` and priority inside the system")
    }

    fn check_edges(&self, machines: &[Machine], span: Span) -> Lowered<()> {
        let limit = self.definitions.globals.limits.transitions;
        let edges = machines.iter().map(Machine::edge_count);
        if edges.fold(0usize, usize::saturating_add) > limit {
            let message = format!("more than {limit} transitions");
            return Err(Diagnostic::error(span, message).help("use smaller ranges"));
        }
        Ok(())
    }

    /// All machines as one, properties with their error states.
    pub(super) fn compose_all(
        &mut self,
        name: &str,
        machines: Vec<Machine>,
        priority: Option<&PrioritySet>,
        span: Span,
    ) -> Lowered<Machine> {
        self.check_edges(&machines, span)?;
        let mut names = Interned::default();
        let parts: Vec<Lts> = machines.iter().map(|m| m.to_lts(&mut names)).collect();
        let priority = priority.map(|(low, cover)| Priority {
            labels: covered(&names, cover),
            low: *low,
        });
        let parts: Vec<&Lts> = parts.iter().collect();
        let rules = Rules {
            priority: priority.as_ref(),
            outside: &[],
            success: success(machines.iter()).map(|required| ends(&required, &parts)),
        };
        let whole = compose_by(name, &parts, rules, &self.limits())
            .map_err(|limit| self.too_large(name, limit, span))?;
        Ok(Machine::from_lts(&whole.lts, &names, None))
    }

    /// Hidden names become `tau`.
    pub(super) fn with_tau(&mut self, machine: &Machine, span: Span) -> Lowered<Machine> {
        self.check_edges(std::slice::from_ref(machine), span)?;
        let mut names = Interned::default();
        let lts = machine.to_lts(&mut names);
        let lts = lts.map_labels(|label| match names.labels.is_hidden(label) {
            true => Label::TAU,
            false => label,
        });
        Ok(Machine::from_lts(&lts, &names, machine.property))
    }

    /// `minimal` and `deterministic`.
    pub(super) fn reduce(
        &mut self,
        machine: Machine,
        minimal: bool,
        deterministic: bool,
        span: Span,
    ) -> Lowered<Machine> {
        if !minimal && !deterministic {
            return Ok(machine);
        }
        let limits = self.limits();
        let mut names = Interned::default();
        let mut lts = machine.to_lts(&mut names);
        let too_large = |limit| self.too_large(&machine.name, limit, span);
        if deterministic {
            // As in LTSA, what is deterministic already stays as it is.
            if lts.is_deterministic() && !minimal {
                return Ok(machine);
            }
            lts = determinise(&lts, &limits).map_err(too_large)?.lts;
        }
        let reduced = minimise(&lts, Equivalence::Weak, &limits).map_err(too_large)?;
        let lts = suppose_model::lts::reachable(&reduced.lts);
        Ok(Machine::from_lts(&lts, &names, None))
    }
}

/// The labels that a set covers.
pub(super) fn covered(names: &Interned, cover: &Cover) -> Vec<Label> {
    let all = names.labels.iter();
    all.filter(|l| !names.labels.is_hidden(*l) && cover.contains(names.labels.name(*l)))
        .collect()
}
