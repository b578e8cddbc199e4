//! What is found: labels, moves, states, and what is still under way.

use std::hash::BuildHasher;
use std::rc::Rc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use suppose_model::program::Edge;

use super::super::process::Target;
use super::super::residual::Local;
use super::table::{List, Lists};

/// What a label is to the questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LabelKind {
    /// An ordinary one.
    Normal,
    /// Something goes wrong: an assertion fails, an index is out of range.
    Wrong,
    /// The claim of that number is violated.
    Claim(usize),
}

/// What makes a label.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The process that does it; none for a claim.
    pub process: Option<usize>,
    /// What it does to shared data.
    pub ops: List,
    /// The rendezvous, if it is one.
    pub meeting: Option<Meeting>,
    /// What it is to the questions.
    pub kind: LabelKind,
}

/// A rendezvous.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Meeting {
    /// Who receives.
    pub receiver: usize,
    /// The channel.
    pub channel: i32,
    /// The message.
    pub values: Vec<i32>,
    /// What the receiver does to shared data.
    pub ops: List,
}

/// What one process does on a label: from there to there, by these steps (see [`step`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The process.
    pub process: u32,
    /// The number of its state before.
    pub source: u32,
    /// The number of its state after.
    pub target: u32,
    /// The steps.
    pub steps: List,
    /// Steps that concern nobody else and come at once.
    pub after: List,
}

/// An edge in a list of steps: its number, and whether it is the first of its step.
pub(super) fn step(edge: u32, first: bool) -> u32 {
    edge << 1 | u32::from(first)
}

/// The edges of each step of a list.
pub fn steps(lists: &Lists, list: List) -> Vec<Vec<u32>> {
    let mut steps: Vec<Vec<u32>> = Vec::new();
    for item in lists.items(list) {
        match steps.last_mut() {
            Some(last) if item & 1 == 0 => last.push(item >> 1),
            _ => steps.push(vec![item >> 1]),
        }
    }
    steps
}

/// A label with what was found of it.
#[derive(Clone, Debug)]
pub struct ExploredLabel {
    /// What makes it.
    pub key: Key,
    /// What each store sees of it.
    pub tracks: Vec<usize>,
    /// What processes do on it.
    pub moves: Vec<Move>,
    /// The same label where an operation goes wrong.
    pub(super) variants: Vec<usize>,
}

/// The states of one process.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// By number; 0 is the first.
    pub states: Vec<Local>,
    pub(super) numbers: HashTable<u32>,
    /// Steps that touch nothing shared.
    pub quiet: Vec<Move>,
}

/// A stretch that is not at its end yet.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub(super) process: usize,
    pub(super) source: u32,
    pub(super) local: Local,
    pub(super) ops: List,
    pub(super) steps: List,
    /// What it knows of shared data, as nobody else does anything before it ends.
    pub(super) facts: FactsId,
    /// For a receiver: which offer it takes.
    pub(super) offer: Option<usize>,
}

/// A stretch that waits for values.
#[derive(Clone, Debug)]
pub(super) struct Waiting<'a> {
    pub(super) stretch: Stretch,
    /// Where it goes then; none when the values are those of an offer.
    pub(super) then: Then<'a>,
    /// Values already used.
    pub(super) used: usize,
}

#[derive(Clone, Debug)]
pub(super) enum Then<'a> {
    /// The values go to these variables.
    Goto(u32, Rc<[Target]>),
    /// Takes that edge again, knowing them.
    Again(&'a Edge, bool),
    /// Looks at the choices again, knowing them.
    Extend,
    Offer {
        channel: i32,
        target: u32,
        known: Rc<[Option<i32>]>,
    },
}

/// Values of shared data that a stretch knows for the moment, by number; 0 is nothing.
pub(super) type FactsId = u32;

/// What a process wants to send: those with the same key are one offer.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    pub(super) process: usize,
    pub(super) ops: List,
    pub(super) channel: i32,
    pub(super) values: Rc<[i32]>,
    /// From where to where, by which edge.
    pub(super) moves: Vec<Move>,
    /// The labels it became part of.
    pub(super) labels: Vec<usize>,
}

/// A process that waits to receive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listener {
    pub(super) process: usize,
    pub(super) source: u32,
    pub(super) edge: u32,
    pub(super) ops: List,
}

/// What meets on one channel.
#[derive(Clone, Debug, Default)]
pub(super) struct ChannelUsers {
    pub(super) offers: Vec<usize>,
    pub(super) listeners: Vec<Listener>,
}

/// What a stretch that ends is known by: the process, the offer it takes, what it does, and what it is to the questions.
pub(super) type Ending = (usize, Option<usize>, List, LabelKind);

impl Side {
    /// The number of a state; that of the next one if it is new.
    pub(super) fn intern(&mut self, local: Local) -> u32 {
        let Side {
            states, numbers, ..
        } = self;
        let hasher = FxBuildHasher;
        let hash = hasher.hash_one(&local);
        if let Some(known) = numbers.find(hash, |s| states[*s as usize] == local) {
            return *known;
        }
        let next = states.len() as u32;
        numbers.insert_unique(hash, next, |s| hasher.hash_one(&states[*s as usize]));
        states.push(local);
        next
    }
}
