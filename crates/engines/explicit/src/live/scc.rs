//! Strongly connected components, depth-first, up to the first one with a step of every acceptance set.
//!
//! Frames, waiting steps and roots are stacks of their own: nothing here recurs.

use super::graph::{Arc, DONE, Graph, NEW};
use crate::finding::End;
use suppose_control::Stopped;
use suppose_model::program::Violation;

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hit {
    /// Nothing is wrong.
    Nothing,
    /// Something is wrong in this state.
    State(u32, Violation),
    /// All states with at least this place on the stack are one component, which has a step of every set.
    Component(u32),
}

struct Frame {
    state: u32,
    /// Its own waiting steps begin here.
    todo: usize,
}

/// The first state of a component on the stack, as far as is known.
struct Root {
    place: u32,
    /// The sets of the steps inside.
    sets: u64,
    /// The sets of the step into it.
    into: u64,
}

/// A search.
pub(super) struct Scc<'g, G> {
    graph: &'g mut G,
    /// The sets that a component must have.
    all: u64,
    frames: Vec<Frame>,
    todo: Vec<Arc>,
    stack: Vec<u32>,
    roots: Vec<Root>,
    starts: Vec<u32>,
    arcs: Vec<Arc>,
    /// How many steps were seen.
    pub(super) transitions: u64,
    /// The longest path.
    pub(super) depth: u64,
    /// How many components are finished.
    components: u32,
    /// For each of them the first set that it does not have, if wanted.
    pub(super) missed: Option<Vec<Option<u8>>>,
}

impl<'g, G: Graph> Scc<'g, G> {
    pub(super) fn new(graph: &'g mut G, all: u64) -> Self {
        Scc {
            graph,
            all,
            frames: Vec::new(),
            todo: Vec::new(),
            stack: Vec::new(),
            roots: Vec::new(),
            starts: Vec::new(),
            arcs: Vec::new(),
            transitions: 0,
            depth: 0,
            components: 0,
            missed: None,
        }
    }

    /// Searches all that can be reached.
    pub(super) fn run(&mut self) -> Result<Hit, End> {
        let first = self.graph.first()?;
        self.starts.push(first);
        while let Some(start) = self.starts.pop() {
            if self.graph.mark(start) != NEW {
                continue;
            }
            let hit = match self.graph.is_outside(start) {
                true => self.pass(start)?,
                false => self.visit(start, 0)?,
            };
            if let Some(hit) = hit {
                return Ok(hit);
            }
            if let Some(hit) = self.follow()? {
                return Ok(hit);
            }
        }
        Ok(Hit::Nothing)
    }

    /// A state that is in no component.
    fn pass(&mut self, state: u32) -> Result<Option<Hit>, End> {
        self.graph.set_mark(state, DONE);
        let mut arcs = std::mem::take(&mut self.arcs);
        arcs.clear();
        let wrong = self.graph.expand(state, &mut arcs)?;
        self.transitions += arcs.len() as u64;
        let fresh = arcs.iter().filter(|a| self.graph.mark(a.to) == NEW);
        self.starts.extend(fresh.map(|a| a.to));
        self.arcs = arcs;
        self.pause()?;
        Ok(wrong.map(|wrong| Hit::State(state, wrong)))
    }

    fn follow(&mut self) -> Result<Option<Hit>, End> {
        while let Some(frame) = self.frames.last() {
            if self.todo.len() > frame.todo {
                if let Some(arc) = self.todo.pop()
                    && let Some(hit) = self.take(arc)?
                {
                    return Ok(Some(hit));
                }
                continue;
            }
            let state = frame.state;
            self.frames.pop();
            self.graph.set_path(state, false);
            let place = self.graph.mark(state) - 1;
            if self.roots.last().is_some_and(|r| r.place == place) {
                self.close(place);
            }
        }
        Ok(None)
    }

    fn take(&mut self, arc: Arc) -> Result<Option<Hit>, End> {
        match self.graph.mark(arc.to) {
            NEW => self.visit(arc.to, arc.sets),
            DONE.. => Ok(None),
            mark => Ok(self.merge(mark - 1, arc.sets)),
        }
    }

    /// Puts a state on the path and looks at its steps.
    fn visit(&mut self, state: u32, into: u64) -> Result<Option<Hit>, End> {
        let place = u32::try_from(self.stack.len()).unwrap_or(DONE);
        if place >= DONE - 1 {
            return Err(End::Stopped(Stopped::Memory));
        }
        self.stack.push(state);
        self.graph.set_mark(state, place + 1);
        self.graph.set_path(state, true);
        self.roots.push(Root {
            place,
            sets: 0,
            into,
        });
        self.frames.push(Frame {
            state,
            todo: self.todo.len(),
        });
        self.depth = self.depth.max(self.frames.len() as u64);
        let mut arcs = std::mem::take(&mut self.arcs);
        arcs.clear();
        let wrong = self.graph.expand(state, &mut arcs)?;
        let hit = match wrong {
            Some(wrong) => Some(Hit::State(state, wrong)),
            None => self.look(&arcs),
        };
        self.transitions += arcs.len() as u64;
        self.arcs = arcs;
        self.pause()?;
        Ok(hit)
    }

    fn pause(&mut self) -> Result<(), End> {
        let held = self.stack.capacity() * 4
            + self.todo.capacity() * size_of::<Arc>()
            + self.frames.capacity() * size_of::<Frame>()
            + self.roots.capacity() * size_of::<Root>();
        self.graph.pause(self.transitions, held as u64)
    }

    /// Steps into the stack are merged at once; what is new waits.
    fn look(&mut self, arcs: &[Arc]) -> Option<Hit> {
        for arc in arcs {
            match self.graph.mark(arc.to) {
                NEW if self.graph.is_outside(arc.to) => self.starts.push(arc.to),
                NEW => self.todo.push(*arc),
                DONE.. => {}
                mark => {
                    let hit = self.merge(mark - 1, arc.sets);
                    if hit.is_some() {
                        return hit;
                    }
                }
            }
        }
        None
    }

    /// A step to that place of the stack closes a cycle.
    fn merge(&mut self, place: u32, sets: u64) -> Option<Hit> {
        let mut sets = sets;
        while let Some(root) = self.roots.last_mut() {
            if root.place <= place {
                root.sets |= sets;
                let whole = root.sets & self.all == self.all;
                return whole.then_some(Hit::Component(root.place));
            }
            sets |= root.sets | root.into;
            self.roots.pop();
        }
        None
    }

    fn close(&mut self, place: u32) {
        let root = self.roots.pop();
        for state in self.stack.drain(place as usize..) {
            self.graph.set_mark(state, DONE + self.components);
        }
        self.components = self.components.saturating_add(1).min(DONE - 1);
        if let (Some(missed), Some(root)) = (&mut self.missed, root) {
            let lacks = self.all & !root.sets;
            missed.push((lacks != 0).then(|| lacks.trailing_zeros() as u8));
        }
    }
}
