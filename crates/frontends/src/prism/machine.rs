//! Some modules of a model (or all), compiled: what they can do in a state.
//!
//! A state is a packed record; the machine unpacks it once, finds the enabled commands, and then
//! builds the choices: a command on its own, or one command from each module that acts together. Probabilities
//! and new values of a command are computed once for each state where it takes part in a choice, into buffers that are kept.

use suppose_model::lts::Layout;
use suppose_number::{Int, Rat};

use super::code::{Code, Guard};
use super::resolved::{CommandInfo, Resolved, UpdateInfo};
use super::term::TermKind;
use super::value::{self, Fault};

/// How modules of a machine act together.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    /// The caller's number for it.
    pub(super) label: u32,
    /// Modules of the machine (by place), with their actions.
    pub(super) parts: Vec<(usize, u32)>,
}

struct Update {
    /// Its probability as a whole number in proportion to the others; none if the state decides it.
    weight: Option<Int>,
    assignments: Vec<(u32, Code)>,
}

struct Command {
    guard: Guard,
    /// What the probabilities add up to; none if the state decides it.
    sum: Option<Rat>,
    updates: Vec<Update>,
    /// Where it is in the model: module and number.
    origin: (usize, usize),
}

struct Module {
    /// Commands without action.
    alone: Vec<u32>,
    /// Commands by action, ascending.
    by_action: Vec<(u32, Vec<u32>)>,
}

/// An outcome of a command in the present state: a weight, and the new values in `writes`.
struct UpdateEffect {
    weight: Int,
    writes: std::ops::Range<u32>,
}

/// What the present state has: commands and their outcomes.
#[derive(Default)]
struct Scratch {
    enabled: Vec<bool>,
    /// Where the outcomes of a command are; empty if they are not computed yet.
    outcomes: Vec<(u32, u32)>,
    all: Vec<UpdateEffect>,
    /// Slots with their new values, packed.
    writes: Vec<(u32, u32)>,
}

/// What does not change from state to state.
struct Program<'m> {
    model: &'m Resolved,
    commands: Vec<Command>,
    modules: Vec<Module>,
    joints: Vec<Joint>,
    /// Variables in their order in the record.
    variables: Vec<u32>,
    layout: Layout,
    /// For each variable of the model its place in the record.
    slots: Vec<u32>,
}

/// The machine.
pub(super) struct Machine<'m> {
    program: Program<'m>,
    /// By variable of the model; only those of the machine are kept up to date.
    values: Vec<i64>,
    scratch: Scratch,
    /// The commands of the choice that is being built.
    chosen: Vec<u32>,
}

/// What went wrong, and in which command.
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) fault: Fault,
    pub(super) command: (usize, usize),
}

/// One choice of the present state.
pub(super) struct Chosen<'a> {
    /// None for a command without action.
    pub(super) label: Option<u32>,
    commands: &'a [u32],
    layout: &'a Layout,
    scratch: &'a Scratch,
}

impl Chosen<'_> {
    /// Visits every combination of outcomes: its weight, and the record changed by it. The weights
    /// of a choice add up to whatever they do; a probability is a weight by that sum.
    pub(super) fn outcomes<E>(
        &self,
        record: &[u64],
        buffers: &mut Vec<Vec<u64>>,
        each: &mut impl FnMut(&[u64], &Int) -> Result<(), E>,
    ) -> Result<(), E> {
        while buffers.len() < self.commands.len() {
            buffers.push(vec![0; record.len()]);
        }
        self.from(0, record, &Int::ONE, buffers, each)
    }

    fn from<E>(
        &self,
        at: usize,
        record: &[u64],
        weight: &Int,
        buffers: &mut [Vec<u64>],
        each: &mut impl FnMut(&[u64], &Int) -> Result<(), E>,
    ) -> Result<(), E> {
        let (Some(command), Some((buffer, rest))) =
            (self.commands.get(at), buffers.split_first_mut())
        else {
            return each(record, weight);
        };
        let (first, last) = self.scratch.outcomes[*command as usize];
        for outcome in &self.scratch.all[first as usize..last as usize] {
            buffer.copy_from_slice(record);
            let writes = outcome.writes.start as usize..outcome.writes.end as usize;
            for (slot, value) in &self.scratch.writes[writes] {
                self.layout.set(buffer, *slot as usize, *value);
            }
            match (at, outcome.weight.is_one()) {
                (0, _) => self.from(1, buffer, &outcome.weight, rest, each)?,
                (_, true) => self.from(at + 1, buffer, weight, rest, each)?,
                _ => self.from(at + 1, buffer, &(weight * &outcome.weight), rest, each)?,
            }
        }
        Ok(())
    }
}

impl<'m> Machine<'m> {
    /// Of these modules and variables of the model.
    pub(super) fn new(
        model: &'m Resolved,
        modules: &[usize],
        variables: &[u32],
        joints: Vec<Joint>,
    ) -> Machine<'m> {
        let program = Program::new(model, modules, variables, joints);
        let scratch = Scratch {
            enabled: vec![false; program.commands.len()],
            outcomes: vec![(0, 0); program.commands.len()],
            ..Scratch::default()
        };
        let initial = |v: &super::resolved::VariableInfo| v.init.unwrap_or(v.low);
        Machine {
            values: model.variables.iter().map(initial).collect(),
            chosen: vec![
                0;
                program
                    .joints
                    .iter()
                    .map(|j| j.parts.len())
                    .max()
                    .unwrap_or(0)
                    .max(1)
            ],
            program,
            scratch,
        }
    }

    /// How states are packed.
    pub(super) fn layout(&self) -> &Layout {
        &self.program.layout
    }

    /// The record of a state given by the values of all variables of the model.
    pub(super) fn pack(&self, values: &[i64]) -> Vec<u64> {
        let mut record = vec![0; self.program.layout.words()];
        for (slot, v) in self.program.variables.iter().enumerate() {
            let low = self.program.model.variables[*v as usize].low;
            let packed = u32::try_from(values[*v as usize] - low).unwrap_or(0);
            self.program.layout.set(&mut record, slot, packed);
        }
        record
    }

    /// Reads a record into the values.
    pub(super) fn load(&mut self, record: &[u64]) {
        let program = &self.program;
        for (slot, v) in program.variables.iter().enumerate() {
            let low = program.model.variables[*v as usize].low;
            self.values[*v as usize] = low + i64::from(program.layout.get(record, slot));
        }
    }

    /// The values of the state that was loaded.
    pub(super) fn values(&self) -> &[i64] {
        &self.values
    }

    /// The state that was loaded, for display.
    pub(super) fn show(&self) -> String {
        self.program.show(&self.values)
    }

    /// Finds the enabled commands of the state that was loaded.
    pub(super) fn enable(&mut self) -> Result<(), Wrong> {
        let scratch = &mut self.scratch;
        scratch.all.clear();
        scratch.writes.clear();
        for (number, command) in self.program.commands.iter().enumerate() {
            scratch.outcomes[number] = (0, 0);
            scratch.enabled[number] = command.guard.holds(&self.values).map_err(|fault| Wrong {
                fault,
                command: command.origin,
            })?;
        }
        Ok(())
    }

    /// Visits the choices of the state that was loaded and enabled. A choice whose command fails
    /// is given to `wrong`, with the state, which may end it all.
    pub(super) fn choices<E>(
        &mut self,
        visit: &mut impl FnMut(&Chosen<'_>) -> Result<(), E>,
        wrong: &mut impl FnMut(Wrong, &str) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut walk = Walk {
            program: &self.program,
            values: &self.values,
            scratch: &mut self.scratch,
            chosen: &mut self.chosen,
            visit,
            wrong,
        };
        for module in &self.program.modules {
            for command in &module.alone {
                if walk.scratch.enabled[*command as usize] {
                    walk.chosen[0] = *command;
                    walk.visit(None, 1)?;
                }
            }
        }
        for joint in &self.program.joints {
            if walk.is_possible(joint) {
                walk.joint(joint, 0)?;
            }
        }
        Ok(())
    }
}

struct Walk<'a, 'm, V, W> {
    program: &'a Program<'m>,
    values: &'a [i64],
    scratch: &'a mut Scratch,
    chosen: &'a mut [u32],
    visit: &'a mut V,
    wrong: &'a mut W,
}

impl<V, W> Walk<'_, '_, V, W> {
    fn is_possible(&self, joint: &Joint) -> bool {
        let enabled = |ids: &[u32]| ids.iter().any(|c| self.scratch.enabled[*c as usize]);
        let can =
            |(module, action): &(usize, u32)| enabled(self.program.modules[*module].on(*action));
        joint.parts.iter().all(can)
    }

    /// All combinations of enabled commands, depth first.
    fn joint<E>(&mut self, joint: &Joint, at: usize) -> Result<(), E>
    where
        V: FnMut(&Chosen<'_>) -> Result<(), E>,
        W: FnMut(Wrong, &str) -> Result<(), E>,
    {
        let Some((module, action)) = joint.parts.get(at) else {
            return self.visit(Some(joint.label), at);
        };
        let program = self.program;
        for command in program.modules[*module].on(*action) {
            if self.scratch.enabled[*command as usize] {
                self.chosen[at] = *command;
                self.joint(joint, at + 1)?;
            }
        }
        Ok(())
    }

    fn visit<E>(&mut self, label: Option<u32>, count: usize) -> Result<(), E>
    where
        V: FnMut(&Chosen<'_>) -> Result<(), E>,
        W: FnMut(Wrong, &str) -> Result<(), E>,
    {
        for command in &self.chosen[..count] {
            let number = *command as usize;
            if let Err(fault) = self.program.compute(number, self.values, self.scratch) {
                let command = self.program.commands[number].origin;
                let state = self.program.show(self.values);
                return (self.wrong)(Wrong { fault, command }, &state);
            }
        }
        (self.visit)(&Chosen {
            label,
            commands: &self.chosen[..count],
            layout: &self.program.layout,
            scratch: self.scratch,
        })
    }
}

impl<'m> Program<'m> {
    fn new(
        model: &'m Resolved,
        modules: &[usize],
        variables: &[u32],
        joints: Vec<Joint>,
    ) -> Program<'m> {
        let range = |v: u32| {
            let info = &model.variables[v as usize];
            (info.low, info.high)
        };
        let mut commands = Vec::new();
        let mut compiled = Vec::new();
        for module in modules {
            let mut it = Module {
                alone: Vec::new(),
                by_action: Vec::new(),
            };
            for (number, command) in model.modules[*module].commands.iter().enumerate() {
                if matches!(command.guard.kind, TermKind::Bool(false)) {
                    continue;
                }
                it.add(command.action, commands.len() as u32);
                commands.push(compile(command, (*module, number), &range));
            }
            it.by_action.sort_by_key(|(action, _)| *action);
            compiled.push(it);
        }
        let size = |v: &u32| {
            let info = &model.variables[*v as usize];
            u32::try_from(info.high - info.low + 1).unwrap_or(u32::MAX)
        };
        let mut slots = vec![u32::MAX; model.variables.len()];
        for (slot, variable) in variables.iter().enumerate() {
            slots[*variable as usize] = slot as u32;
        }
        Program {
            model,
            commands,
            modules: compiled,
            joints,
            variables: variables.to_vec(),
            layout: Layout::new(variables.iter().map(size)),
            slots,
        }
    }

    fn show(&self, values: &[i64]) -> String {
        let shown = self.variables.iter().map(|v| {
            let info = &self.model.variables[*v as usize];
            format!("{}={}", info.name, info.show(values[*v as usize]))
        });
        shown.collect::<Vec<_>>().join(", ")
    }

    /// Computes the outcomes of a command in the present state, once.
    fn compute(&self, number: usize, values: &[i64], scratch: &mut Scratch) -> Result<(), Fault> {
        if scratch.outcomes[number].1 != 0 {
            return Ok(());
        }
        let command = &self.commands[number];
        let origin = &self.model.modules[command.origin.0].commands[command.origin.1];
        let first = scratch.all.len() as u32;
        let computed = match &command.sum {
            Some(sum) => {
                check_sum(sum, origin)?;
                Vec::new()
            }
            None => weights(origin, values)?,
        };
        for (at, (update, info)) in command.updates.iter().zip(&origin.updates).enumerate() {
            let weight = match (&update.weight, computed.get(at)) {
                (Some(weight), None) => weight,
                (_, Some(weight)) => weight,
                (None, None) => continue,
            };
            if weight.is_zero() {
                continue;
            }
            let start = scratch.writes.len() as u32;
            self.writes(update, info, values, scratch)?;
            scratch.all.push(UpdateEffect {
                weight: weight.clone(),
                writes: start..scratch.writes.len() as u32,
            });
        }
        scratch.outcomes[number] = (first, scratch.all.len() as u32);
        Ok(())
    }

    fn writes(
        &self,
        update: &Update,
        info: &UpdateInfo,
        values: &[i64],
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        for (variable, code) in &update.assignments {
            let value = code.run(values)?;
            let of = &self.model.variables[*variable as usize];
            if value < of.low || value > of.high {
                let term = info.assignments.iter().find(|(v, _)| v == variable);
                let span = term.map_or(info.span, |(_, t)| t.span);
                let (low, high, name) = (of.low, of.high, &of.name);
                return Err(Fault::new(
                    span,
                    format!("`{name}` would become {value}, outside its range {low}..{high}"),
                ));
            }
            let packed = u32::try_from(value - of.low).unwrap_or(0);
            scratch
                .writes
                .push((self.slots[*variable as usize], packed));
        }
        Ok(())
    }
}

impl Module {
    fn add(&mut self, action: Option<u32>, id: u32) {
        match action {
            None => self.alone.push(id),
            Some(action) => match self.by_action.iter_mut().find(|(a, _)| *a == action) {
                Some((_, ids)) => ids.push(id),
                None => self.by_action.push((action, vec![id])),
            },
        }
    }

    fn on(&self, action: u32) -> &[u32] {
        match self.by_action.binary_search_by_key(&action, |(a, _)| *a) {
            Ok(at) => &self.by_action[at].1,
            Err(_) => &[],
        }
    }
}

fn compile(
    command: &CommandInfo,
    origin: (usize, usize),
    range: &dyn Fn(u32) -> (i64, i64),
) -> Command {
    let fixed: Option<Vec<Rat>> = command
        .updates
        .iter()
        .map(|u| match &u.probability.kind {
            TermKind::Int(n) => Some(Rat::from(*n)),
            TermKind::Real(r) => Some((**r).clone()),
            _ => None,
        })
        .collect();
    let fixed = fixed.filter(|all| all.iter().all(|p| !p.is_negative()));
    let sum = fixed.as_ref().map(|all| total(all));
    let scaled = fixed.map(|all| scale(&all));
    let updates = command
        .updates
        .iter()
        .enumerate()
        .map(|(at, update)| Update {
            weight: scaled.as_ref().map(|all| all[at].clone()),
            assignments: update
                .assignments
                .iter()
                .map(|(v, term)| (*v, Code::new(term, range)))
                .collect(),
        });
    Command {
        guard: Guard::new(&command.guard, range),
        sum,
        updates: updates.collect(),
        origin,
    }
}

fn total(all: &[Rat]) -> Rat {
    all.iter().fold(Rat::ZERO, |sum, p| &sum + p)
}

/// Whole numbers in the same proportions.
fn scale(all: &[Rat]) -> Vec<Int> {
    let scale = all.iter().fold(Int::ONE, |d, p| d.lcm(p.den()));
    let scaled = all.iter().map(|p| p.num() * &scale.div_exact(p.den()));
    scaled.collect()
}

fn check_sum(sum: &Rat, command: &CommandInfo) -> Result<(), Fault> {
    if *sum == Rat::ONE {
        return Ok(());
    }
    Err(Fault::new(
        command.span,
        format!("the probabilities add up to {sum} and not to 1"),
    ))
}

/// Probabilities that depend on the state.
fn weights(command: &CommandInfo, values: &[i64]) -> Result<Vec<Int>, Fault> {
    let state = |v: u32| values.get(v as usize).copied();
    let mut all = Vec::with_capacity(command.updates.len());
    for update in &command.updates {
        let probability = value::number(&update.probability, &state)?;
        if probability.is_negative() {
            return Err(Fault::new(
                update.probability.span,
                format!("the probability {probability} is negative"),
            ));
        }
        all.push(probability);
    }
    check_sum(&total(&all), command)?;
    Ok(scale(&all))
}
