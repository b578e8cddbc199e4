//! The elements that bodies are made of, as SPIN has them.
//!
//! Which statements are steps, and where a process can be, follows from how SPIN links its elements:
//! an option list is an element of its own with a join behind it, a loop has its join before and a
//! break target behind, a block is an element that represents its first one. The rules are those of
//! SPIN 6.5 (how it builds its element lists, and which of them its verifier passes over); they are
//! tested against what `pan -d` prints.

use rustc_hash::FxHashMap;
use suppose_model::program::Action;
use suppose_source::Span;

use crate::promela::ast::Ident;
use crate::promela::lexer::Sym;

/// An element, by number.
pub(super) type Id = usize;
/// A sequence, by number.
pub(super) type SeqId = usize;

/// What an element is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// One step.
    Basic(Action),
    Else,
    Goto(Jump),
    /// Where the options of an `if` join, and where a loop begins again.
    Join,
    /// Where a loop is left to.
    Exit,
    If,
    Do,
    Unless,
    Atomic,
    Block,
    DStep,
    Stop,
}

/// Where a jump leads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Jump {
    /// To a label, from a scope.
    Label(Ident, usize),
    /// Out of the loop of that number.
    Loop(usize),
}

/// Inside `atomic`, but not its last element.
pub(super) const ATOMIC: u8 = 1;
/// The last element of an `atomic`.
pub(super) const LAST: u8 = 2;

#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) kind: Kind,
    pub(super) next: Option<Id>,
    pub(super) status: u8,
    /// The sequence of the `d_step` that it is in.
    pub(super) d_step: Option<SeqId>,
    /// Escapes that can end it, the outermost first.
    pub(super) escapes: Vec<SeqId>,
    pub(super) parts: Vec<SeqId>,
    pub(super) labels: Vec<Ident>,
    /// A `skip` or a `printf`.
    pub(super) idle: Idle,
    pub(super) span: Span,
    pub(super) text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Idle {
    No,
    Skip,
    Print,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seq {
    pub(super) first: Option<Id>,
    pub(super) last: Option<Id>,
    /// The last one before joins were added.
    pub(super) extent: Option<Id>,
}

/// A label, where it is written, and what it marks.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub(super) name: Ident,
    pub(super) scope: usize,
    pub(super) element: Id,
}

/// All elements of one body.
#[derive(Default)]
pub(super) struct Body {
    pub(super) elements: Vec<Element>,
    pub(super) seqs: Vec<Seq>,
    pub(super) labels: Vec<Label>,
    /// The numbers of the labels of each name.
    by_name: FxHashMap<Sym, Vec<usize>>,
    /// The targets of `break`, by loop.
    pub(super) exits: Vec<Option<Id>>,
    /// Each scope's outer one.
    pub(super) scopes: Vec<usize>,
}

impl Body {
    pub(super) fn add(&mut self, kind: Kind, span: Span, text: impl Into<String>) -> Id {
        self.elements.push(Element {
            kind,
            next: None,
            status: 0,
            d_step: None,
            escapes: Vec::new(),
            parts: Vec::new(),
            labels: Vec::new(),
            idle: Idle::No,
            span,
            text: text.into(),
        });
        self.elements.len() - 1
    }

    pub(super) fn append(&mut self, element: Id, seq: SeqId) {
        match self.seqs[seq].last {
            Some(last) => self.elements[last].next = Some(element),
            None => self.seqs[seq].first = Some(element),
        }
        self.seqs[seq].last = Some(element);
    }

    /// The elements of a sequence up to its last one.
    pub(super) fn walk(&self, seq: SeqId) -> Vec<Id> {
        self.until(self.seqs[seq].first, self.seqs[seq].last)
    }

    /// The elements of a sequence without the joins added behind.
    pub(super) fn extent(&self, seq: SeqId) -> Vec<Id> {
        self.until(self.seqs[seq].first, self.seqs[seq].extent)
    }

    fn until(&self, first: Option<Id>, last: Option<Id>) -> Vec<Id> {
        let mut all = Vec::new();
        let mut at = first;
        while let Some(id) = at {
            all.push(id);
            if Some(id) == last || all.len() > self.elements.len() {
                break;
            }
            at = self.elements[id].next;
        }
        all
    }

    pub(super) fn add_label(&mut self, label: Label) {
        let numbers = self.by_name.entry(label.name.name).or_default();
        numbers.push(self.labels.len());
        self.labels.push(label);
    }

    /// The labels of a name, in the order of the text.
    pub(super) fn named(&self, name: Sym) -> impl DoubleEndedIterator<Item = &Label> {
        let numbers = self.by_name.get(&name).map_or(&[][..], Vec::as_slice);
        numbers.iter().map(|n| &self.labels[*n])
    }

    /// Lets the labels of a name that mark one element mark another.
    pub(super) fn retarget(&mut self, name: Sym, from: Id, to: Id) {
        for number in self.by_name.get(&name).map_or(&[][..], Vec::as_slice) {
            let label = &mut self.labels[*number];
            if label.element == from {
                label.element = to;
            }
        }
    }

    fn is_outer(&self, outer: usize, mut inner: usize) -> bool {
        loop {
            if inner == outer {
                return true;
            }
            if inner == 0 {
                return false;
            }
            inner = self.scopes[inner];
        }
    }

    /// The element a jump leads to: the label of the same scope, else of an outer one, else any.
    pub(super) fn jump(&self, jump: Jump) -> Option<Id> {
        match jump {
            Jump::Loop(number) => self.exits.get(number).copied().flatten(),
            Jump::Label(name, scope) => {
                let named = || self.named(name.name);
                let same = named().find(|l| l.scope == scope);
                let outer = || {
                    named()
                        .filter(|l| self.is_outer(l.scope, scope))
                        .max_by_key(|l| l.scope)
                };
                let found = same.or_else(outer).or_else(|| named().next_back());
                found.map(|l| l.element)
            }
        }
    }
}
