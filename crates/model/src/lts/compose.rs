//! Explicit parallel composition, with the meaning that LTSA gives it.
//!
//! Labels that several components have in their alphabets happen together, all others (and
//! `tau`) alone. A vector in which a component is in its error state is *the* error state of the
//! whole, which has no edges. A vector is the end of the whole if nothing can happen there, every
//! component that has an end (not from the start) is at it, and the components without one have no
//! label that the others lack; all such vectors are one state, as in LTSA.
//!
//! This is for building parts up front (a front-end's `minimal`, a count for comparison); the
//! engines explore networks on the fly.

use super::interner::Interner;
use super::size::{SizeLimits, TooLarge};
use super::{ComponentKind, Edge, Label, Layout, Lts, LtsBuilder, Network, Priority, State};

/// Sizes as LTSA reports them: the error state is not counted, steps into it are, and a step that
/// two components can do with the same effect (a `tau` loop of each) counts twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counts {
    /// States.
    pub states: usize,
    /// Transitions.
    pub transitions: usize,
}

/// The composition of components, and its size.
#[derive(Clone, Debug)]
pub struct Composition {
    /// The reachable part; state 0 is initial, numbers are in breadth-first order.
    pub lts: Lts,
    /// Its size in LTSA's way of counting.
    pub counts: Counts,
}

/// What else settles the meaning of a composition.
#[derive(Clone, Debug, Default)]
pub struct Rules<'a> {
    /// Of the whole.
    pub priority: Option<&'a Priority>,
    /// Labels outside priority (sorted).
    pub outside: &'a [Label],
    /// Where each component must be for a stop to be the end of the whole, none meaning anywhere;
    /// none at all if a stop is never the end.
    pub success: Option<Vec<Option<State>>>,
}

/// Composes components in parallel. The composition of no components has one state without edges.
pub fn compose(
    name: impl Into<String>,
    components: &[&Lts],
    priority: Option<&Priority>,
    limits: &SizeLimits,
) -> Result<Composition, TooLarge> {
    let rules = Rules {
        priority,
        outside: &[],
        success: side_by_side(components),
    };
    compose_by(name, components, rules, limits)
}

/// Composes components by given rules.
pub fn compose_by(
    name: impl Into<String>,
    components: &[&Lts],
    rules: Rules<'_>,
    limits: &SizeLimits,
) -> Result<Composition, TooLarge> {
    let mut composer = Composer::new(components, rules, limits);
    composer.explore()?;
    Ok(composer.finish(name.into()))
}

/// A property with its error state: every label it does not allow leads there. It has no end.
pub fn complete(property: &Lts) -> Lts {
    let mut builder = LtsBuilder::like(property).without_end();
    builder.extend_alphabet(property.alphabet().iter().copied());
    let error = property.error().unwrap_or(property.states() as State);
    builder.error(error);
    for state in (0..property.states() as State).filter(|s| *s != error) {
        for edge in property.edges(state) {
            builder.edge(state, edge.label, edge.target);
        }
        for label in property.alphabet() {
            if property.successors(state, *label).is_empty() {
                builder.edge(state, *label, error);
            }
        }
    }
    builder.build()
}

/// The size of the whole, properties included, as LTSA would report it: components get their error
/// states back, properties theirs, and there is no environment component.
pub fn count(network: &Network, limits: &SizeLimits) -> Result<Counts, TooLarge> {
    let components = plain_components(network);
    let components: Vec<&Lts> = components.iter().collect();
    let rules = Rules {
        priority: network.priority.as_ref(),
        outside: &[],
        success: network.success.as_ref().map(|ends| {
            let kinds = network.components.iter().map(|c| c.kind).zip(ends);
            let processes = kinds.filter(|(kind, _)| *kind == ComponentKind::Process);
            let mut ends: Vec<Option<State>> = processes.map(|(_, end)| *end).collect();
            ends.resize(components.len(), None);
            ends
        }),
    };
    let whole = compose_by("", &components, rules, limits)?;
    Ok(whole.counts)
}

/// What the user wrote: see [`Network::add_component`] for what is undone here.
fn plain_components(network: &Network) -> Vec<Lts> {
    let errors = &network.errors;
    let is_marker = |lts: &Lts| !errors.is_empty() && lts.alphabet() == errors;
    let processes = network
        .components
        .iter()
        .filter(|c| c.kind == ComponentKind::Process);
    let properties = network.properties.iter().filter(|p| !is_marker(&p.lts));
    processes
        .map(|c| rearm(&c.lts, errors))
        .chain(properties.map(|p| complete(&p.lts)))
        .collect()
}

/// Makes the state that loops on the mark of an error the error state again.
pub fn rearm(lts: &Lts, error_labels: &[Label]) -> Lts {
    let is_error_label = |l: &Label| error_labels.binary_search(l).is_ok();
    let mut builder = LtsBuilder::like(lts);
    builder.extend_alphabet(
        lts.alphabet()
            .iter()
            .copied()
            .filter(|l| !is_error_label(l)),
    );
    for (source, label, target) in lts.all_edges() {
        if is_error_label(&label) {
            builder.error(source);
        } else {
            builder.edge(source, label, target);
        }
    }
    builder.build()
}

struct Composer<'a> {
    components: &'a [&'a Lts],
    limits: &'a SizeLimits,
    alphabet: Vec<Label>,
    /// The components that take part in `alphabet[i]` are `participants[starts[i]..starts[i + 1]]`.
    participants: Vec<u32>,
    starts: Vec<u32>,
    /// If there is a priority, that of each label of the alphabet, and of `tau`, last.
    ranks: Option<Vec<Rank>>,
    success: Option<Vec<Option<State>>>,
    layout: Layout,
    vectors: Interner<u64>,
    /// The vector of every state but the error state, and the state of every vector: the numbers
    /// differ once the error state has taken one.
    states: Vec<Option<u32>>,
    state_of_vector: Vec<State>,
    error: Option<State>,
    ends: Vec<State>,
    offsets: Vec<u32>,
    edges: Vec<Edge>,
    steps: usize,
    scratch: Scratch,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rank {
    High,
    Low,
    Outside,
}

/// Buffers of one expansion.
#[derive(Default)]
struct Scratch {
    vector: Vec<u32>,
    record: Vec<u64>,
    /// Enabled: position in the alphabet (its length for `tau`) and the component that moves first.
    enabled: Vec<(usize, u32)>,
    row: Vec<Edge>,
    cursor: Vec<usize>,
}

impl<'a> Composer<'a> {
    fn new(components: &'a [&'a Lts], rules: Rules<'_>, limits: &'a SizeLimits) -> Self {
        let mut pairs: Vec<(Label, u32)> = Vec::new();
        for (number, lts) in components.iter().enumerate() {
            pairs.extend(lts.alphabet().iter().map(|l| (*l, number as u32)));
        }
        pairs.sort_unstable();
        let mut alphabet: Vec<Label> = pairs.iter().map(|p| p.0).collect();
        alphabet.dedup();
        let mut starts = vec![0u32];
        for label in &alphabet {
            let after = pairs.partition_point(|p| p.0 <= *label);
            starts.push(after as u32);
        }
        let layout = Layout::new(components.iter().map(|c| c.states() as u32));
        Composer {
            ranks: rules.priority.map(|p| ranks(&alphabet, p, rules.outside)),
            success: rules.success,
            participants: pairs.iter().map(|p| p.1).collect(),
            starts,
            alphabet,
            components,
            limits,
            scratch: Scratch {
                record: vec![0; layout.words()],
                vector: vec![0; components.len()],
                ..Scratch::default()
            },
            layout,
            vectors: Interner::new(),
            error: None,
            states: Vec::new(),
            state_of_vector: Vec::new(),
            ends: Vec::new(),
            offsets: vec![0],
            edges: Vec::new(),
            steps: 0,
        }
    }

    fn explore(&mut self) -> Result<(), TooLarge> {
        let initial: Vec<u32> = self.components.iter().map(|c| c.initial()).collect();
        self.scratch.vector = initial;
        self.visit()?;
        let mut next = 0;
        while next < self.states.len() {
            if let Some(vector) = self.states[next] {
                self.expand(next as State, vector)?;
            }
            self.offsets.push(self.edges.len() as u32);
            next += 1;
        }
        Ok(())
    }

    /// The state of `scratch.vector`, made if need be.
    fn visit(&mut self) -> Result<State, TooLarge> {
        let vector = &self.scratch.vector;
        let mut pairs = self.components.iter().zip(vector);
        if pairs.any(|(c, s)| c.error() == Some(*s)) {
            return match self.error {
                Some(error) => Ok(error),
                None => {
                    let number = self.limits.next_state(self.states.len())?;
                    self.states.push(None);
                    self.error = Some(number);
                    Ok(number)
                }
            };
        }
        for (slot, value) in vector.iter().enumerate() {
            self.layout.set(&mut self.scratch.record, slot, *value);
        }
        let (id, new) = self.vectors.intern(&self.scratch.record);
        if new {
            let number = self.limits.next_state(self.states.len())?;
            self.states.push(Some(id));
            self.state_of_vector.push(number);
        }
        Ok(self.state_of_vector[id as usize])
    }

    fn expand(&mut self, state: State, vector: u32) -> Result<(), TooLarge> {
        let source = self.layout.unpack(self.vectors.get(vector));
        self.find_enabled(&source);
        if self.scratch.enabled.is_empty() {
            if self.is_end(&source) {
                self.ends.push(state);
            }
            return Ok(());
        }
        self.apply_priority();
        let enabled = std::mem::take(&mut self.scratch.enabled);
        self.scratch.row.clear();
        for (position, first) in &enabled {
            self.fire(&source, *position, *first)?;
        }
        self.scratch.enabled = enabled;
        let row = &mut self.scratch.row;
        row.sort_unstable();
        row.dedup();
        self.edges.extend_from_slice(row);
        self.limits.check_transitions(self.edges.len())
    }

    /// Every label that can happen, once; `tau` once for every component that can do it.
    fn find_enabled(&mut self, source: &[u32]) {
        self.scratch.enabled.clear();
        for (number, lts) in self.components.iter().enumerate() {
            let mut previous = None;
            for edge in lts.edges(source[number]) {
                if previous.replace(edge.label) == Some(edge.label) {
                    continue;
                }
                if edge.label.is_tau() {
                    self.scratch
                        .enabled
                        .push((self.alphabet.len(), number as u32));
                    continue;
                }
                let Ok(position) = self.alphabet.binary_search(&edge.label) else {
                    continue;
                };
                let who = self.participants(position);
                let others_can = |c: &u32| {
                    let c = *c as usize;
                    !self.components[c]
                        .successors(source[c], edge.label)
                        .is_empty()
                };
                if who[0] == number as u32 && who[1..].iter().all(others_can) {
                    self.scratch.enabled.push((position, number as u32));
                }
            }
        }
    }

    fn participants(&self, position: usize) -> &[u32] {
        &self.participants[self.starts[position] as usize..self.starts[position + 1] as usize]
    }

    fn apply_priority(&mut self) {
        let Some(ranks) = &self.ranks else { return };
        let enabled = &mut self.scratch.enabled;
        if enabled.iter().any(|(at, _)| ranks[*at] == Rank::High) {
            enabled.retain(|(at, _)| ranks[*at] != Rank::Low);
        }
    }

    /// Adds every step with that label to the row.
    fn fire(&mut self, source: &[u32], position: usize, first: u32) -> Result<(), TooLarge> {
        let components = self.components;
        let (label, who): (Label, Vec<u32>) = match self.alphabet.get(position) {
            Some(label) => (*label, self.participants(position).to_vec()),
            None => (Label::TAU, vec![first]),
        };
        let choices: Vec<&[Edge]> = who
            .iter()
            .map(|c| components[*c as usize].successors(source[*c as usize], label))
            .collect();
        let mut cursor = std::mem::take(&mut self.scratch.cursor);
        cursor.clear();
        cursor.resize(who.len(), 0);
        loop {
            self.scratch.vector.clear();
            self.scratch.vector.extend_from_slice(source);
            for (i, c) in who.iter().enumerate() {
                self.scratch.vector[*c as usize] = choices[i][cursor[i]].target;
            }
            let target = self.visit()?;
            self.scratch.row.push(Edge { label, target });
            self.steps += 1;
            self.limits
                .check_transitions(self.edges.len() + self.scratch.row.len())?;
            if !advance(&mut cursor, &choices) {
                break;
            }
        }
        self.scratch.cursor = cursor;
        Ok(())
    }

    fn is_end(&self, vector: &[u32]) -> bool {
        let there = |(end, s): (&Option<State>, &u32)| end.is_none_or(|end| end == *s);
        let success = self.success.as_ref();
        success.is_some_and(|ends| ends.iter().zip(vector).all(there))
    }

    fn finish(self, name: String) -> Composition {
        let counts = Counts {
            states: self.states.len()
                - usize::from(self.error.is_some())
                - self.ends.len().saturating_sub(1),
            transitions: self.steps,
        };
        let end = self.ends.first().copied();
        let rows = (self.offsets, self.edges);
        let lts = Lts::from_rows(name, self.alphabet, 0, rows, self.error, end);
        let lts = match self.ends.get(1..) {
            Some(others) if !others.is_empty() => merge_into(&lts, self.ends[0], others),
            _ => lts,
        };
        Composition { lts, counts }
    }
}

/// The next combination of choices, the last one fastest; false when all have been.
fn advance(cursor: &mut [usize], choices: &[&[Edge]]) -> bool {
    for i in (0..cursor.len()).rev() {
        cursor[i] += 1;
        if cursor[i] < choices[i].len() {
            return true;
        }
        cursor[i] = 0;
    }
    false
}

/// The rank of each label of the alphabet, and of `tau` after them.
fn ranks(alphabet: &[Label], priority: &Priority, outside: &[Label]) -> Vec<Rank> {
    let mut named = priority.labels.clone();
    named.sort_unstable();
    let rank = |l: &Label| match named.binary_search(l).is_ok() == priority.low {
        _ if outside.binary_search(l).is_ok() => Rank::Outside,
        true => Rank::Low,
        false => Rank::High,
    };
    let all = alphabet.iter().chain([&Label::TAU]);
    all.map(rank).collect()
}

/// Where parallel components must be to have ended: all that have an end (not from
/// the start) there, and no other component has a label that these do not have.
fn side_by_side(components: &[&Lts]) -> Option<Vec<Option<State>>> {
    let end = |c: &&Lts| c.end().filter(|e| *e != c.initial());
    let ending = || components.iter().filter(|c| end(c).is_some());
    let mut known: Vec<Label> = ending().flat_map(|c| c.alphabet()).copied().collect();
    known.sort_unstable();
    let mut all = components.iter().flat_map(|c| c.alphabet());
    let can = ending().next().is_some() && all.all(|l| known.binary_search(l).is_ok());
    can.then(|| components.iter().map(end).collect())
}

/// Makes `others` (sorted, without edges) one with `kept`, keeping the order of the rest.
fn merge_into(lts: &Lts, kept: State, others: &[State]) -> Lts {
    let mut number = Vec::with_capacity(lts.states());
    let mut next = 0;
    for state in 0..lts.states() as State {
        let merged = others.binary_search(&state).is_ok();
        number.push(if merged { number[kept as usize] } else { next });
        next += u32::from(!merged);
    }
    let mut builder = LtsBuilder::new(lts.name());
    builder
        .states(next)
        .extend_alphabet(lts.alphabet().iter().copied());
    builder
        .initial(number[lts.initial() as usize])
        .end(number[kept as usize]);
    if let Some(error) = lts.error() {
        builder.error(number[error as usize]);
    }
    for (source, label, target) in lts.all_edges() {
        builder.edge(number[source as usize], label, number[target as usize]);
    }
    builder.build()
}
