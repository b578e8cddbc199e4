//! Is an abstract counterexample real? (Algorithm 1, lines 1 to 8, and Algorithm 3, lines 6 to 12.)

use rustc_hash::FxHashMap;
use suppose_model::lts::Label;

use super::Splitting;
use super::level::{Level, View};

/// A run of the groups so far, with the state of the assumption about the rest.
#[derive(Clone, Debug)]
pub(super) struct Upper {
    /// The labels; the last is what the property does not allow.
    pub labels: Vec<Label>,
    /// The states of the network's components before the first label and after each; those of
    /// groups not yet reached are their initial ones.
    pub states: Vec<Vec<u32>>,
    /// The state of the next assumption at the same moments; unknown after the last label of
    /// premise 1.
    pub below: Vec<Option<u32>>,
}

/// What a level says of a run of the groups above it.
pub(super) enum Finding {
    /// It can follow: the run of all groups up to its own.
    Follows(Upper),
    /// It cannot; these sets of interface states are to be split off.
    Spurious(Vec<Vec<u32>>),
    /// It can follow the watched labels only; these labels must be watched too.
    Blind(Vec<Label>),
}

/// Asks a level whether it can follow a run.
pub(super) fn analyse(level: &Level, view: &View, upper: &Upper, how: Splitting) -> Finding {
    let path = AbstractPath::of(level, view, upper);
    if !path.is_feasible(level) {
        return Finding::Spurious(path.splits(level, how));
    }
    let shared = |label: Label| view.above[label.index()] && !label.is_tau();
    if let Some(run) = follow(level, view, upper, shared) {
        return Finding::Follows(join(level, upper, &run));
    }
    let watched = |label: Label| view.visible[label.index()];
    match follow(level, view, upper, watched) {
        Some(run) => Finding::Blind(missing(view, upper, &run)),
        None => Finding::Blind(Vec::new()),
    }
}

/// The run as the assumption sees it: visible labels, and the class after each.
struct AbstractPath {
    labels: Vec<Label>,
    /// The class before the first label and after each; none is "any".
    classes: Vec<Option<u32>>,
}

impl AbstractPath {
    fn of(level: &Level, view: &View, upper: &Upper) -> Self {
        let mut path = AbstractPath {
            labels: Vec::new(),
            classes: vec![Some(level.partition.class(level.interface.initial))],
        };
        for (at, label) in upper.labels.iter().enumerate() {
            if view.visible[label.index()] {
                path.labels.push(*label);
                path.classes.push(upper.below[at + 1]);
            }
        }
        path
    }

    fn is_feasible(&self, level: &Level) -> bool {
        let mut now = vec![level.interface.initial];
        for label in &self.labels {
            now = post(level, &now, *label, None);
        }
        !now.is_empty()
    }

    /// The sets to split off, by the strategy.
    fn splits(&self, level: &Level, how: Splitting) -> Vec<Vec<u32>> {
        let mut now = vec![level.interface.initial];
        let mut stuck = 0;
        for (at, label) in self.labels.iter().enumerate() {
            now = post(level, &now, *label, self.classes[at + 1]);
            if now.is_empty() {
                stuck = at;
                break;
            }
        }
        // The states of the class before the stuck step that could take it, then backwards those
        // that could get there. None of them is among those really reached.
        let mut sets = vec![self.able(level, stuck, None)];
        if how != Splitting::Stuck {
            for at in (0..stuck).rev() {
                let able = self.able(level, at, sets.last().map(Vec::as_slice));
                if able.is_empty() {
                    break;
                }
                sets.push(able);
            }
        }
        if how == Splitting::Earliest {
            sets.drain(..sets.len() - 1);
        }
        sets
    }

    /// The states of the class at a position that can take its step, into `goal` if given.
    fn able(&self, level: &Level, at: usize, goal: Option<&[u32]>) -> Vec<u32> {
        let Some(class) = self.classes[at] else {
            return Vec::new();
        };
        let target_class = self.classes[at + 1];
        let fits = |target: u32| match goal {
            Some(goal) => goal.binary_search(&target).is_ok(),
            None => target_class.is_none_or(|c| level.partition.class(target) == c),
        };
        let can = |state: &u32| {
            let edges = level.interface.successors(*state, self.labels[at]);
            edges.iter().any(|e| fits(e.target))
        };
        let members = level.partition.members(class).iter().copied();
        let mut able: Vec<u32> = members.filter(|s| can(s)).collect();
        able.sort_unstable();
        able
    }
}

/// Where a set can get by a label, restricted to a class if given.
fn post(level: &Level, from: &[u32], label: Label, class: Option<u32>) -> Vec<u32> {
    let edges = from
        .iter()
        .flat_map(|s| level.interface.successors(*s, label));
    let targets = edges.map(|e| e.target);
    let mut to: Vec<u32> = targets
        .filter(|t| class.is_none_or(|c| level.partition.class(*t) == c))
        .collect();
    to.sort_unstable();
    to.dedup();
    to
}

/// A step of a run that a level follows: the label, whether the upper run moves, and the
/// concrete state after it.
struct Move {
    label: Label,
    upper: bool,
    state: u32,
}

/// How far the upper run has got, and the concrete state.
type Node = (usize, u32);
/// For every node found, the one before it and the label between them.
type Found = FxHashMap<Node, (Node, Label)>;

/// A shortest concrete run that does the upper run's labels, together where `shared` says so.
fn follow(
    level: &Level,
    view: &View,
    upper: &Upper,
    shared: impl Fn(Label) -> bool,
) -> Option<Vec<Move>> {
    let alone = |label: Label| !(view.here[label.index()] && shared(label));
    // Upper steps that the level has no part in are taken at once: they commute with its own.
    let skip = |mut at: usize| {
        while at < upper.labels.len() && alone(upper.labels[at]) {
            at += 1;
        }
        at
    };
    let start = (skip(0), 0u32);
    let mut came = Found::default();
    came.insert(start, (start, Label::TAU));
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        let (at, state) = node;
        if at == upper.labels.len() {
            return Some(moves(upper, &came, start, node));
        }
        for edge in level.concrete.edges(state) {
            let next = match shared(edge.label) {
                true if edge.label == upper.labels[at] => (skip(at + 1), edge.target),
                true => continue,
                false => (at, edge.target),
            };
            came.entry(next).or_insert_with(|| {
                queue.push_back(next);
                (node, edge.label)
            });
        }
    }
    None
}

fn moves(upper: &Upper, came: &Found, start: Node, end: Node) -> Vec<Move> {
    let mut nodes = vec![(end, Label::TAU)];
    let mut node = end;
    while node != start {
        let (before, label) = came[&node];
        nodes.push((before, label));
        node = before;
    }
    nodes.reverse();
    let mut moves = Vec::new();
    let mut done = 0;
    let mut upper_until = |moves: &mut Vec<Move>, until: usize, state: u32| {
        for label in &upper.labels[done..until.max(done)] {
            moves.push(Move {
                label: *label,
                upper: true,
                state,
            });
        }
        done = done.max(until);
    };
    upper_until(&mut moves, start.0, start.1);
    for pair in nodes.windows(2) {
        let ((before, label), (after, _)) = (pair[0], pair[1]);
        match after.0 > before.0 {
            // A step together, then the upper steps up to the next one of both.
            true => upper_until(&mut moves, after.0, after.1),
            false => moves.push(Move {
                label,
                upper: false,
                state: after.1,
            }),
        }
    }
    moves
}

/// The run of the groups above and of the level together.
fn join(level: &Level, upper: &Upper, run: &[Move]) -> Upper {
    let has_below = level.concrete.states.layout().slots() > level.group.len();
    let below = |state: u32| has_below.then(|| level.concrete.slot(state, level.group.len()));
    let place = |states: &mut Vec<u32>, state: u32| {
        for (slot, component) in level.group.iter().enumerate() {
            states[*component] = level.concrete.slot(state, slot);
        }
    };
    let mut first = upper.states[0].clone();
    place(&mut first, 0);
    let mut joined = Upper {
        labels: Vec::new(),
        states: vec![first],
        below: vec![below(0)],
    };
    let mut at = 0;
    for step in run {
        at += usize::from(step.upper);
        let mut states = upper.states[at].clone();
        place(&mut states, step.state);
        joined.labels.push(step.label);
        joined.states.push(states);
        joined.below.push(below(step.state));
    }
    joined
}

/// The first difference between the two runs on the whole interface: they agree on what is
/// watched, so at least one of the two labels there is not.
fn missing(view: &View, upper: &Upper, run: &[Move]) -> Vec<Label> {
    let interface = |l: &Label| !l.is_tau() && view.above[l.index()] && view.here[l.index()];
    let theirs: Vec<Label> = upper.labels.iter().copied().filter(interface).collect();
    // In a run that was matched on watched labels only, an upper move bears an unwatched
    // interface label when the upper run did it alone.
    let own = |m: &&Move| !m.upper || view.visible[m.label.index()];
    let ours = run.iter().filter(own).map(|m| m.label);
    let ours: Vec<Label> = ours.filter(interface).collect();
    let first = (0..theirs.len().max(ours.len())).find(|i| theirs.get(*i) != ours.get(*i));
    let Some(first) = first else {
        return Vec::new();
    };
    let pair = theirs.get(first).into_iter().chain(ours.get(first));
    let unwatched = pair.filter(|l| !view.visible[l.index()]);
    let mut labels: Vec<Label> = unwatched.copied().collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}
