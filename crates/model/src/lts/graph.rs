//! One labelled transition system, in compressed rows.

use super::{Label, Labels};

/// A state number.
pub type State = u32;

/// A transition, seen from its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The action.
    pub label: Label,
    /// The target state.
    pub target: State,
}

/// A labelled transition system. Edges of a state are sorted by label, then target, without
/// duplicates. The error state, if any, has no edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lts {
    name: String,
    alphabet: Vec<Label>,
    initial: State,
    offsets: Vec<u32>,
    edges: Vec<Edge>,
    error: Option<State>,
    end: Option<State>,
    state_names: Vec<String>,
}

impl Lts {
    /// The component's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same with another name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The same from another initial state.
    pub fn beginning_at(mut self, state: State) -> Self {
        self.initial = state;
        self
    }

    /// The labels it takes part in (sorted, without `tau`), whether or not an edge bears them.
    pub fn alphabet(&self) -> &[Label] {
        &self.alphabet
    }

    /// Does it take part in that label?
    pub fn has_label(&self, label: Label) -> bool {
        self.alphabet.binary_search(&label).is_ok()
    }

    /// The initial state.
    pub fn initial(&self) -> State {
        self.initial
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of transitions.
    pub fn transitions(&self) -> usize {
        self.edges.len()
    }

    /// The edges of a state, sorted by label.
    pub fn edges(&self, state: State) -> &[Edge] {
        let s = state as usize;
        &self.edges[self.offsets[s] as usize..self.offsets[s + 1] as usize]
    }

    /// The edges of a state with one label.
    pub fn successors(&self, state: State, label: Label) -> &[Edge] {
        let edges = self.edges(state);
        let from = edges.partition_point(|e| e.label < label);
        let len = edges[from..].partition_point(|e| e.label == label);
        &edges[from..from + len]
    }

    /// LTSA's error state: reaching it is a violation.
    pub fn error(&self) -> Option<State> {
        self.error
    }

    /// LTSA's `END`: stopping there is not a deadlock.
    pub fn end(&self) -> Option<State> {
        self.end
    }

    /// A name for display: the front-end's if it gave one, else the number.
    pub fn state_name(&self, state: State) -> String {
        match self.state_names.get(state as usize) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => state.to_string(),
        }
    }

    /// The name the front-end gave a state, if it did.
    pub fn given_name(&self, state: State) -> Option<&str> {
        let name = self.state_names.get(state as usize)?;
        (!name.is_empty()).then_some(name.as_str())
    }

    /// At most one edge a label, and no `tau`.
    pub fn is_deterministic(&self) -> bool {
        (0..self.states() as State).all(|s| {
            let edges = self.edges(s);
            edges.windows(2).all(|w| w[0].label != w[1].label)
                && edges.first().is_none_or(|e| !e.label.is_tau())
        })
    }

    /// Every (source, label, target), in order.
    pub fn all_edges(&self) -> impl Iterator<Item = (State, Label, State)> + '_ {
        (0..self.states() as State)
            .flat_map(move |s| self.edges(s).iter().map(move |e| (s, e.label, e.target)))
    }

    /// The same system with every label (never `tau`) mapped; what `map` sends to `tau` is hidden.
    pub fn map_labels(&self, mut map: impl FnMut(Label) -> Label) -> Lts {
        let mut builder = LtsBuilder::like(self);
        for label in &self.alphabet {
            builder.extend_alphabet([map(*label)]);
        }
        for (s, l, t) in self.all_edges() {
            builder.edge(s, if l.is_tau() { l } else { map(l) }, t);
        }
        builder.build()
    }

    /// From rows made elsewhere: `offsets` delimits the edges of every state, each row is sorted
    /// and without duplicates, and the row of `error` is empty.
    pub(super) fn from_rows(
        name: String,
        alphabet: Vec<Label>,
        initial: State,
        rows: (Vec<u32>, Vec<Edge>),
        error: Option<State>,
        end: Option<State>,
    ) -> Lts {
        let (offsets, edges) = rows;
        debug_assert_eq!(offsets.last().copied(), Some(edges.len() as u32));
        Lts {
            name,
            alphabet,
            initial,
            offsets,
            edges,
            error,
            end,
            state_names: Vec::new(),
        }
    }

    /// The edges as text, for messages and tests: `0 -a-> 1`, one a line.
    pub fn dump(&self, labels: &Labels) -> String {
        let line = |(s, l, t)| format!("{s} -{}-> {t}\n", labels.display(l));
        self.all_edges().map(line).collect()
    }
}

/// Makes an [`Lts`] edge by edge.
#[derive(Clone, Debug)]
pub struct LtsBuilder {
    name: String,
    alphabet: Vec<Label>,
    initial: State,
    states: u32,
    edges: Vec<(State, Edge)>,
    error: Option<State>,
    end: Option<State>,
    state_names: Vec<String>,
}

impl LtsBuilder {
    /// No state, no edge.
    pub fn new(name: impl Into<String>) -> Self {
        LtsBuilder {
            name: name.into(),
            alphabet: Vec::new(),
            initial: 0,
            states: 0,
            edges: Vec::new(),
            error: None,
            end: None,
            state_names: Vec::new(),
        }
    }

    /// The name, states, initial, error and end state of another, without alphabet and edges.
    pub fn like(lts: &Lts) -> Self {
        LtsBuilder {
            initial: lts.initial,
            states: lts.states() as u32,
            error: lts.error,
            end: lts.end,
            state_names: lts.state_names.clone(),
            ..LtsBuilder::new(lts.name.clone())
        }
    }

    /// Forgets which state is the error state.
    pub fn without_error(mut self) -> Self {
        self.error = None;
        self
    }

    /// Forgets which state is the end.
    pub fn without_end(mut self) -> Self {
        self.end = None;
        self
    }

    /// A new state.
    pub fn state(&mut self) -> State {
        self.states += 1;
        self.states - 1
    }

    /// At least this many states.
    pub fn states(&mut self, count: u32) -> &mut Self {
        self.states = self.states.max(count);
        self
    }

    /// A transition; its label joins the alphabet, its states come to be if they were not there.
    pub fn edge(&mut self, source: State, label: Label, target: State) -> &mut Self {
        self.states(source.max(target) + 1);
        self.edges.push((source, Edge { label, target }));
        self
    }

    /// Labels it takes part in though no edge may bear them.
    pub fn extend_alphabet(&mut self, labels: impl IntoIterator<Item = Label>) -> &mut Self {
        self.alphabet.extend(labels);
        self
    }

    /// Where it starts (0 unless said).
    pub fn initial(&mut self, state: State) -> &mut Self {
        self.states(state + 1);
        self.initial = state;
        self
    }

    /// The error state; its edges are dropped.
    pub fn error(&mut self, state: State) -> &mut Self {
        self.states(state + 1);
        self.error = Some(state);
        self
    }

    /// The state where stopping is success.
    pub fn end(&mut self, state: State) -> &mut Self {
        self.states(state + 1);
        self.end = Some(state);
        self
    }

    /// A name for display.
    pub fn state_name(&mut self, state: State, name: impl Into<String>) -> &mut Self {
        self.states(state + 1);
        if self.state_names.len() <= state as usize {
            self.state_names.resize(state as usize + 1, String::new());
        }
        self.state_names[state as usize] = name.into();
        self
    }

    /// How many edges so far, duplicates counted.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Sorts and packs. An empty builder gives one state without edges.
    pub fn build(mut self) -> Lts {
        self.states(1);
        if let Some(error) = self.error {
            self.edges.retain(|(source, _)| *source != error);
        }
        let mut alphabet = self.alphabet;
        alphabet.extend(self.edges.iter().map(|(_, e)| e.label));
        alphabet.sort_unstable();
        alphabet.dedup();
        alphabet.retain(|l| !l.is_tau());
        self.edges.sort_unstable();
        self.edges.dedup();
        let mut offsets = vec![0u32; self.states as usize + 1];
        for (source, _) in &self.edges {
            offsets[*source as usize + 1] += 1;
        }
        for i in 1..offsets.len() {
            offsets[i] += offsets[i - 1];
        }
        Lts {
            name: self.name,
            alphabet,
            initial: self.initial,
            offsets,
            edges: self.edges.into_iter().map(|(_, e)| e).collect(),
            error: self.error,
            end: self.end,
            state_names: self.state_names,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_sorted_unique_and_found_by_label() {
        let (a, b) = (Label(1), Label(2));
        let mut builder = LtsBuilder::new("m");
        builder
            .edge(0, b, 1)
            .edge(0, a, 2)
            .edge(0, a, 1)
            .edge(0, a, 1);
        builder.error(2).edge(2, a, 0);
        let lts = builder.build();
        assert_eq!((lts.states(), lts.transitions()), (3, 3));
        let targets: Vec<_> = lts.successors(0, a).iter().map(|e| e.target).collect();
        assert_eq!(targets, [1, 2]);
        assert!(lts.edges(2).is_empty() && !lts.is_deterministic());
        assert_eq!(lts.alphabet(), [a, b]);
    }
}
