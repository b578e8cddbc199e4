//! How elements are linked and marked.

use super::element::{ATOMIC, Body, Id, Idle, Kind, LAST, SeqId};

impl Body {
    pub(super) fn move_labels(&mut self, from: Id, to: Id) {
        let labels = std::mem::take(&mut self.elements[from].labels);
        for label in &labels {
            self.retarget(label.name, from, to);
        }
        self.elements[to].labels = labels;
    }

    /// SPIN leaves out a `skip` behind another one inside an option.
    pub(super) fn prune(&mut self, seq: SeqId) {
        let (first, last) = (self.seqs[seq].first, self.seqs[seq].last);
        let mut idle = 0;
        let mut before: Option<Id> = None;
        for id in self.walk(seq) {
            let element = &self.elements[id];
            if element.idle == Idle::No || !element.labels.is_empty() {
                idle = 0;
                before = Some(id);
                continue;
            }
            idle += 1;
            let removable = idle > 1 && element.idle == Idle::Skip;
            if removable && Some(id) != first && Some(id) != last {
                if let Some(before) = before {
                    self.elements[before].next = self.elements[id].next;
                }
                continue;
            }
            before = Some(id);
        }
    }

    /// Marks a sequence as atomic; with `d_step` as one indivisible step.
    pub(super) fn make_atomic(&mut self, seq: SeqId, d_step: Option<SeqId>) {
        self.walk_atomic(seq, d_step);
        let mut seq = seq;
        while let Some(last) = self.seqs[seq].last {
            match self.elements[last].kind {
                Kind::Block | Kind::Atomic => seq = self.elements[last].parts[0],
                Kind::Unless => seq = self.elements[last].parts[0],
                _ => {
                    self.elements[last].status &= !ATOMIC;
                    self.elements[last].status |= LAST;
                    break;
                }
            }
        }
    }

    fn walk_atomic(&mut self, seq: SeqId, d_step: Option<SeqId>) {
        for id in self.walk(seq) {
            let element = &mut self.elements[id];
            element.status |= ATOMIC;
            if d_step.is_some() {
                element.d_step = d_step;
            }
            match element.kind {
                Kind::Atomic => element.kind = Kind::Block,
                Kind::DStep if d_step.is_some() => element.kind = Kind::Block,
                Kind::DStep => continue,
                _ => {}
            }
            for part in element.parts.clone() {
                self.walk_atomic(part, d_step);
            }
        }
    }

    /// Lets an escape end every element of a sequence.
    pub(super) fn attach(&mut self, seq: SeqId, escape: SeqId) {
        for id in self.extent(seq) {
            self.attach_to(id, escape);
        }
    }

    fn attach_to(&mut self, id: Id, escape: SeqId) {
        if self.elements[id].escapes.contains(&escape) {
            return;
        }
        for inner in self.elements[id].escapes.clone() {
            self.attach(inner, escape);
        }
        self.elements[id].escapes.insert(0, escape);
        let parts = self.elements[id].parts.clone();
        match self.elements[id].kind {
            Kind::Unless => self.attach(parts[0], escape),
            Kind::If | Kind::Do | Kind::Atomic | Kind::Block => {
                for part in parts {
                    self.attach(part, escape);
                }
            }
            Kind::DStep => {
                if let Some(first) = self.seqs[parts[0]].first {
                    self.attach_to(first, escape);
                }
            }
            _ => {}
        }
    }

    /// The last element of a block is followed by what follows the block.
    pub(super) fn tie_ends(&mut self) {
        for id in (0..self.elements.len()).rev() {
            let element = &self.elements[id];
            if !matches!(element.kind, Kind::Atomic | Kind::Block | Kind::DStep) {
                continue;
            }
            let next = element.next;
            if let Some(last) = self.seqs[element.parts[0]].last {
                self.elements[last].next = next;
            }
        }
    }
}
