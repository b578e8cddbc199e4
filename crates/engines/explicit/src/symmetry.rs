//! Symmetry reduction: states that differ only in which of some processes is which are one state.
//!
//! [`Symmetry`] says that processes of a proctype can be exchanged: a permutation of them, applied to their locations, variables,
//! elements of arrays and to all numbers of processes in a state, maps runs to runs. So it is enough to store one state of each
//! orbit (Clarke, Enders, Filkorn, Jha: *Exploiting symmetry in temporal logic model checking*, 1996), and every successor is replaced
//! by a representative of its orbit before it is looked up.
//!
//! **Any permuted state is a sound representative**; the better the choice, the fewer states are stored. Here processes are
//! sorted by a hash of their own values, refined by who holds whose number until that tells no more processes apart. Processes with
//! equal hashes stay in their order, so an orbit may have several representatives; it never loses its last one.
//!
//! **With partial-order reduction.** Which steps can be followed alone is computed from the text of each process for its place, and the
//! texts of exchangeable processes differ in nothing but their number; so the choice of the reduction maps along with the state. What
//! the reduction asks for (a successor that is not expanded yet) is asked of representatives, which are the nodes of the
//! graph that is explored. Emerson, Jha and Peled (*Combining partial order and symmetry reductions*, 1997) show that
//! the two go together.
//!
//! **Ends of processes.** Processes end youngest first, which tells them apart, though nothing notices when a process ends (where
//! processes are counted or created, they are not exchangeable). So a program whose processes end is searched without their ends, and the
//! ends are added to the run that was found. Only `timeout` and claims can notice the step itself; there the program is searched
//! without symmetry.
//!
//! **Dead variables** are 0, which may be the number of a process. They are not read as numbers, and are 0 again in the
//! representative.

use std::borrow::Cow;

use crate::expand::Expander;
use crate::machine::Machine;
use crate::machine::bits::Field;
use crate::machine::op::Cell;
use crate::store;
use rustc_hash::FxHashMap;
use suppose_model::program::run::TraceStep;
use suppose_model::program::symmetry::{self, Symmetry};
use suppose_model::program::{Action, Program, Question};

/// The processes that can be exchanged in a search, and the program to search.
pub(crate) struct Exchange<'a> {
    /// The program as it is.
    original: &'a Program,
    /// The program to search.
    pub(crate) program: Cow<'a, Program>,
    symmetry: Symmetry,
    elements: Vec<Option<u32>>,
}

impl<'a> Exchange<'a> {
    /// None if no processes can be exchanged.
    pub(crate) fn find(program: &'a Program, group: &[Question]) -> Option<Exchange<'a>> {
        let question = *group.first()?;
        let found = symmetry::infer(program, question).ok()?;
        let ends = |e: &suppose_model::program::Edge| e.action == Action::End;
        let mut texts = program.proctypes.iter().flat_map(|t| &t.locations);
        let searched = match texts.any(|l| l.edges.iter().any(ends)) {
            false => Cow::Borrowed(program),
            true if matches!(question, Question::Claim(_)) || found.timeout => return None,
            true => Cow::Owned(without_ends(program)?),
        };
        Some(Exchange {
            original: program,
            program: searched,
            symmetry: found.symmetry,
            elements: found.elements,
        })
    }

    /// For people.
    pub(crate) fn words(&self) -> String {
        let name = &self.original.proctypes[self.symmetry.proctype as usize].name;
        format!(
            "states up to exchanging the {} processes of `{name}`",
            self.symmetry.count
        )
    }

    /// Adds the ends of processes that the search left out, so that a run that stops does so in the program itself. `last` has the
    /// locations of all processes at the end of the run.
    fn add_ends(&self, last: &[u32], steps: &mut Vec<TraceStep>) {
        if matches!(self.program, Cow::Borrowed(_)) {
            return;
        }
        for (number, start) in self.original.start.iter().enumerate().rev() {
            let text = &self.original.proctypes[start.proctype as usize];
            let edges = &text.locations[last[number] as usize].edges;
            let Some(edge) = edges.iter().position(|e| e.action == Action::End) else {
                return;
            };
            steps.push(TraceStep {
                process: number as u32,
                edges: vec![edge as u32],
                ..TraceStep::default()
            });
        }
    }
}

/// Follows a run of representatives in the program: which process each of theirs is.
pub(crate) struct Follower<'a> {
    exchange: &'a Exchange<'a>,
    orbits: Orbits,
    names: Vec<u32>,
}

impl<'a> Follower<'a> {
    pub(crate) fn new(exchange: &'a Exchange<'a>) -> Follower<'a> {
        let symmetry = &exchange.symmetry;
        Follower {
            exchange,
            orbits: Orbits::new(exchange),
            names: (symmetry.first..symmetry.first + symmetry.count).collect(),
        }
    }

    /// The process of the program that a process of the representative is.
    fn name(&self, process: u32) -> u32 {
        match self.exchange.symmetry.includes(process) {
            true => self.names[(process - self.exchange.symmetry.first) as usize],
            false => process,
        }
    }

    /// The steps of a representative, as steps of the program.
    pub(crate) fn rename(&self, steps: &mut [TraceStep]) {
        for step in steps {
            step.process = self.name(step.process);
            if let Some((partner, _)) = &mut step.partner {
                *partner = self.name(*partner);
            }
        }
    }

    /// Is that the representative of a successor?
    pub(crate) fn leads_to(&mut self, machine: &Machine, state: &mut [u64], goal: &[u64]) -> bool {
        self.orbits.represent_state(machine, state);
        state == goal
    }

    /// Goes to the representative that was last asked about.
    pub(crate) fn advance(&mut self) {
        let before = self.names.clone();
        for (from, to) in self.orbits.moved.iter().enumerate() {
            self.names[*to] = before[from];
        }
    }

    /// Adds what happens after the last step of a run that stops in that state.
    pub(crate) fn finish(&self, machine: &Machine, state: &[u64], steps: &mut Vec<TraceStep>) {
        let processes = &machine.config(state).processes;
        let mut last = vec![0; processes.len()];
        for (number, code) in (0u32..).zip(processes) {
            let at = machine.codes[*code as usize].pc.get(state);
            last[self.name(number) as usize] = at as u32;
        }
        self.exchange.add_ends(&last, steps);
    }
}

/// The program in which processes stay at their ends. None if a location has more than that to offer.
fn without_ends(program: &Program) -> Option<Program> {
    let mut program = program.clone();
    for location in program.proctypes.iter_mut().flat_map(|t| &mut t.locations) {
        if location.edges.iter().any(|e| e.action == Action::End) {
            if location.edges.len() > 1 || !location.end {
                return None;
            }
            location.edges.clear();
        }
    }
    Some(program)
}

/// Where numbers of processes and what belongs to them are, in states of one configuration.
struct Layout {
    members: Vec<Member>,
    /// Numbers that are held by others: in shared variables, and in the variables of processes that cannot be exchanged.
    held: Vec<Held>,
    /// The channels whose messages hold numbers, with the fields that do.
    channels: Vec<(usize, Vec<(usize, i32)>)>,
}

impl Layout {
    /// None if members are not laid out alike, or not all of them are there.
    fn new(
        machine: &Machine,
        config: usize,
        symmetry: &Symmetry,
        elements: &[Option<u32>],
    ) -> Option<Layout> {
        let config = &machine.configs[config];
        let mut members = Vec::new();
        let mut held = Vec::new();
        for (number, code) in (0u32..).zip(&config.processes) {
            let mut member = Member::new(machine, *code, symmetry);
            match symmetry.includes(number) {
                true => members.push(member),
                false => held.append(&mut member.held),
            }
        }
        if members.len() != symmetry.count as usize {
            return None;
        }
        for ((cell, kind), element) in machine.globals.iter().zip(&symmetry.globals).zip(elements) {
            let Cell::Field(field) = *cell else {
                continue;
            };
            let number = kind.map(|added| Held {
                field,
                added,
                of: None,
            });
            match element {
                Some(process) => {
                    let member = &mut members[(process - symmetry.first) as usize];
                    member.own.push(field);
                    member.held.extend(number);
                }
                None => held.extend(number),
            }
        }
        let widths = |m: &Member| -> Vec<u32> {
            let bits = m.own.iter().map(|f| f.mask().1.count_ones());
            bits.collect()
        };
        let first = widths(&members[0]);
        let alike = members.iter().all(|m| widths(m) == first);
        let channels = config.channels.iter().enumerate();
        let channels = channels.filter_map(|(number, channel)| {
            let fields = symmetry.fields[channel.kind as usize].iter().enumerate();
            let fields: Vec<_> = fields
                .filter_map(|(f, added)| Some((f, (*added)?)))
                .collect();
            (!fields.is_empty()).then_some((number, fields))
        });
        let channels = channels.collect();
        alike.then_some(Layout {
            members,
            held,
            channels,
        })
    }
}

/// A process that can be exchanged. The lists of all of them are alike.
struct Member {
    /// Its location, its variables and its elements of arrays.
    own: Vec<Field>,
    /// Those that hold numbers of processes.
    held: Vec<Held>,
}

impl Member {
    /// With its location and its variables.
    fn new(machine: &Machine, code: u32, symmetry: &Symmetry) -> Member {
        let text = &machine.codes[code as usize];
        let kinds = &symmetry.locals[text.proctype as usize];
        let mut member = Member {
            own: vec![text.pc],
            held: Vec::new(),
        };
        for (cell, kind) in text.cells.iter().zip(kinds) {
            if let Cell::Field(field) = *cell {
                member.own.push(field);
                member.held.extend(kind.map(|added| Held {
                    field,
                    added,
                    of: Some(code),
                }));
            }
        }
        member
    }
}

/// A number of a process, with something added.
#[derive(Clone, Copy)]
struct Held {
    field: Field,
    added: i32,
    /// The process whose variable it is, which may be dead.
    of: Option<u32>,
}

/// Representatives of orbits.
pub(crate) struct Orbits {
    symmetry: Symmetry,
    elements: Vec<Option<u32>>,
    layouts: FxHashMap<usize, Option<Layout>>,
    /// Where each process goes, by its place among those that can be exchanged.
    pub(crate) moved: Vec<usize>,
    work: Sorting,
}

#[derive(Default)]
struct Sorting {
    keys: Vec<u64>,
    next: Vec<u64>,
    /// Which member holds the number of which other, and in which of its variables.
    edges: Vec<(usize, usize, usize)>,
    order: Vec<usize>,
    values: Vec<i32>,
    state: Vec<u64>,
}

fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd6e8_feb8_6659_fd93);
    (product as u64) ^ (product >> 64) as u64
}

impl Orbits {
    pub(crate) fn new(exchange: &Exchange) -> Orbits {
        Orbits {
            symmetry: exchange.symmetry.clone(),
            elements: exchange.elements.clone(),
            layouts: FxHashMap::default(),
            moved: Vec::new(),
            work: Sorting::default(),
        }
    }

    /// Replaces the successors by representatives.
    pub(crate) fn represent(&mut self, machine: &Machine, expander: &mut Expander) {
        for number in 0..expander.items.len() {
            let mut state = std::mem::take(&mut self.work.state);
            expander.fill(machine, number, None, &mut state);
            if self.represent_state(machine, &mut state) {
                let record = &state[machine.hidden..];
                let item = &mut expander.items[number];
                expander.words[item.start as usize..item.end as usize].copy_from_slice(record);
                item.hash = store::hash(record);
            }
            self.work.state = state;
        }
    }

    /// Replaces a state; false if it is its own representative. [`Orbits::moved`] says who went where.
    pub(crate) fn represent_state(&mut self, machine: &Machine, state: &mut [u64]) -> bool {
        let number = (state[machine.hidden] & !store::FLAGS) >> 32;
        let (symmetry, elements) = (&self.symmetry, &self.elements);
        let layout = self
            .layouts
            .entry(number as usize)
            .or_insert_with(|| Layout::new(machine, number as usize, symmetry, elements));
        self.moved.clear();
        self.moved.extend(0..symmetry.count as usize);
        let Some(layout) = layout else {
            return false;
        };
        let at = At {
            machine,
            layout,
            symmetry,
        };
        self.work.sort(&at, state);
        if self
            .work
            .order
            .iter()
            .enumerate()
            .all(|(to, from)| to == *from)
        {
            return false;
        }
        for (to, from) in self.work.order.iter().enumerate() {
            self.moved[*from] = to;
        }
        at.permute(&self.work.order, &self.moved, &mut self.work.values, state);
        true
    }
}

/// What sorting and renaming look at.
struct At<'a, 'p> {
    machine: &'a Machine<'p>,
    layout: &'a Layout,
    symmetry: &'a Symmetry,
}

impl At<'_, '_> {
    /// The process whose number that is, by its place among those that can be exchanged.
    fn member(&self, held: &Held, state: &[u64]) -> Option<usize> {
        if let Some(code) = held.of
            && self.is_dead(code, held.field, state)
        {
            return None;
        }
        self.number(held.field.get(state), held.added)
    }

    fn number(&self, value: i32, added: i32) -> Option<usize> {
        let process = self.symmetry.process(value, added)?;
        Some((process - self.symmetry.first) as usize)
    }

    fn is_dead(&self, code: u32, field: Field, state: &[u64]) -> bool {
        let code = &self.machine.codes[code as usize];
        let (word, bits) = field.mask();
        let location = &code.locations[code.pc.get(state) as usize];
        let mut clear = location.clear.iter();
        clear.any(|(at, mask)| *at as usize == word && mask & bits == 0)
    }

    /// Every number in a message, with its field.
    fn messages(&self, state: &[u64], see: &mut dyn FnMut(Field, i32)) {
        let number = (state[self.machine.hidden] & !store::FLAGS) >> 32;
        let config = &self.machine.configs[number as usize];
        for (channel, fields) in &self.layout.channels {
            let channel = &config.channels[*channel];
            for message in 0..channel.len(state) {
                for (field, added) in fields {
                    see(channel.field(message, *field), *added);
                }
            }
        }
    }

    /// Puts the members in order, and renames them wherever their numbers are held.
    fn permute(&self, order: &[usize], moved: &[usize], values: &mut Vec<i32>, state: &mut [u64]) {
        // Who is dead is a matter of locations, which move along: it is asked before anything moves.
        let members = self.layout.members.iter().flat_map(|m| &m.held);
        let mut renamed: Vec<(Field, i32)> = Vec::new();
        for held in members.chain(&self.layout.held) {
            if let Some(member) = self.member(held, state) {
                renamed.push((held.field, self.value(moved[member], held.added)));
            }
        }
        self.messages(state, &mut |field, added| {
            if let Some(member) = self.number(field.get(state), added) {
                renamed.push((field, self.value(moved[member], added)));
            }
        });
        for (field, value) in renamed {
            field.set(state, value);
        }
        values.clear();
        for from in order {
            let own = self.layout.members[*from].own.iter();
            values.extend(own.map(|f| f.get(state)));
        }
        let fields = self.layout.members.iter().flat_map(|m| &m.own);
        for (field, value) in fields.zip(values) {
            field.set(state, *value);
        }
    }

    fn value(&self, member: usize, added: i32) -> i32 {
        (self.symmetry.first + member as u32) as i32 + added
    }
}

impl Sorting {
    /// Finds the order of the members.
    fn sort(&mut self, at: &At, state: &[u64]) {
        let count = at.layout.members.len();
        self.keys.clear();
        self.edges.clear();
        for (number, member) in at.layout.members.iter().enumerate() {
            let key = self.key(at, number, member, state);
            self.keys.push(key);
        }
        self.held_by_others(at, state);
        self.refine(count);
        self.order.clear();
        self.order.extend(0..count);
        let keys = &self.keys;
        self.order.sort_by_key(|m| keys[*m]);
    }

    /// A hash of what a member has, without the numbers of others, which are noted.
    fn key(&mut self, at: &At, number: usize, member: &Member, state: &[u64]) -> u64 {
        let mut key = 0;
        let mut held = member.held.iter().enumerate().peekable();
        for field in &member.own {
            let value = match held.peek() {
                Some((place, it)) if it.field == *field => {
                    let value = match at.member(it, state) {
                        Some(other) if other == number => u64::MAX,
                        Some(other) => {
                            self.edges.push((number, other, *place));
                            u64::MAX - 1
                        }
                        None => field.get(state) as u32 as u64,
                    };
                    held.next();
                    value
                }
                _ => field.get(state) as u32 as u64,
            };
            key = mix(key, value);
        }
        key
    }

    fn held_by_others(&mut self, at: &At, state: &[u64]) {
        let keys = &mut self.keys;
        let mut place = 0u64;
        let mut note = |member: Option<usize>| {
            place += 1;
            if let Some(member) = member {
                keys[member] = mix(keys[member], place);
            }
        };
        for held in &at.layout.held {
            note(at.member(held, state));
        }
        at.messages(state, &mut |field, added| {
            note(at.number(field.get(state), added));
        });
    }

    /// Tells members apart by whose numbers they hold and by who holds theirs, until that has no further effect.
    fn refine(&mut self, count: usize) {
        if self.edges.is_empty() {
            return;
        }
        let mut classes = 0;
        for _ in 0..count {
            self.next.clone_from(&self.keys);
            for (from, to, place) in &self.edges {
                let place = *place as u64;
                self.next[*from] = self.next[*from].wrapping_add(mix(self.keys[*to], 2 * place));
                self.next[*to] = self.next[*to].wrapping_add(mix(self.keys[*from], 2 * place + 1));
            }
            std::mem::swap(&mut self.keys, &mut self.next);
            self.next.clone_from(&self.keys);
            self.next.sort_unstable();
            self.next.dedup();
            if self.next.len() == classes || self.next.len() == count {
                break;
            }
            classes = self.next.len();
        }
    }
}
