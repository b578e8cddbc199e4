//! Rendezvous: what is offered, who listens, and who meets whom.

use std::rc::Rc;

use suppose_model::program::{Expr, Keep};

use super::super::ops::Op;
use super::super::residual::Trouble;
use super::found::{LabelKind, Listener, Move, Offer, Stretch, Then, step};
use super::{Explorer, Failed, SHARED_INDEX};

impl Explorer<'_> {
    pub(super) fn offer(
        &mut self,
        mut stretch: Stretch,
        channel: i32,
        values: &[Expr],
        target: u32,
    ) -> Result<(), Failed> {
        let known = |e: &Expr| match e {
            Expr::Const(value) => Some(*value),
            _ => None,
        };
        let known: Vec<Option<i32>> = values.iter().map(known).collect();
        let open = values.iter().zip(&known).filter(|(_, k)| k.is_none());
        let open: Vec<Expr> = open.map(|(e, _)| e.clone()).collect();
        if open.is_empty() {
            let values = known.into_iter().flatten().collect();
            return self.offer_values(stretch, channel, values, target);
        }
        stretch.ops = self.add(Op::Ask(open), stretch.ops);
        let then = Then::Offer {
            channel,
            target,
            known: known.into(),
        };
        self.wait(stretch, then)
    }

    pub(super) fn offer_values(
        &mut self,
        stretch: Stretch,
        channel: i32,
        mut values: Vec<i32>,
        target: u32,
    ) -> Result<(), Failed> {
        let kind = self.shape.channels[channel as usize - 1];
        let fields = &self.program.channels[kind as usize].fields;
        if fields.len() != values.len() {
            return self.close(stretch, LabelKind::Wrong);
        }
        for (value, ty) in values.iter_mut().zip(fields) {
            *value = ty.truncate(*value);
        }
        let mut after = stretch.local.clone();
        after.location = target;
        if self.view(stretch.process, &after).keep() == Keep::DStep {
            return Err(self.refuse(stretch.process, "a rendezvous inside a `d_step`"));
        }
        let (after, quiet) = self.settle(stretch.process, after);
        let target = self.state(stretch.process, after)?;
        let it = Move {
            process: stretch.process as u32,
            source: stretch.source,
            target,
            steps: stretch.steps,
            after: quiet,
        };
        let values: Rc<[i32]> = values.into();
        let key = (stretch.process, stretch.ops, channel, values);
        if let Some(number) = self.offer_numbers.get(&key).copied() {
            self.offers[number].moves.push(it);
            for at in 0..self.offers[number].labels.len() {
                self.add_move(self.offers[number].labels[at], it);
            }
            return Ok(());
        }
        let number = self.offers.len();
        let (process, ops, channel, values) = key.clone();
        self.offer_numbers.insert(key, number);
        self.offers.push(Offer {
            process,
            ops,
            channel,
            values,
            moves: vec![it],
            labels: Vec::new(),
        });
        let venue = self.venues.entry(channel).or_default();
        venue.offers.push(number);
        for at in 0..venue.listeners.len() {
            let listener = self.venues[&channel].listeners[at];
            self.meet(number, listener)?;
        }
        Ok(())
    }

    pub(super) fn listen(&mut self, stretch: &Stretch, channel: i32) -> Result<(), Failed> {
        let Some((_, edge)) = self.steps.split(stretch.steps) else {
            return Ok(());
        };
        let listener = Listener {
            process: stretch.process,
            source: stretch.source,
            edge: edge >> 1,
            ops: stretch.ops,
        };
        let venue = self.venues.entry(channel).or_default();
        venue.listeners.push(listener);
        for at in 0..venue.offers.len() {
            let offer = self.venues[&channel].offers[at];
            self.meet(offer, listener)?;
        }
        Ok(())
    }

    /// An offer and a listener that fit go on together.
    fn meet(&mut self, offer: usize, l: Listener) -> Result<(), Failed> {
        let o = &self.offers[offer];
        if o.process == l.process {
            return Ok(());
        }
        let local = self.sides[l.process].states[l.source as usize].clone();
        let view = self.view(l.process, &local);
        let edge = &view.here().edges[l.edge as usize];
        let accepted = match view.accept(edge, &o.values) {
            Ok(Some(accepted)) => accepted,
            Ok(None) => return Ok(()),
            Err(Trouble::Wrong(_)) => {
                let stretch = Stretch {
                    process: l.process,
                    source: l.source,
                    ops: l.ops,
                    steps: self.steps.push(0, step(l.edge, true)),
                    facts: 0,
                    offer: Some(offer),
                    local: local.clone(),
                };
                return self.close(stretch, LabelKind::Wrong);
            }
            Err(Trouble::Unsupported(what)) => return Err(self.refuse(l.process, what)),
            Err(Trouble::Ask(_)) => return Err(self.refuse(l.process, SHARED_INDEX)),
        };
        let mut ops = l.ops;
        for op in accepted.0 {
            ops = self.add(op, ops);
        }
        self.stretches.push(Stretch {
            process: l.process,
            source: l.source,
            local: accepted.1,
            ops,
            steps: self.steps.push(0, step(l.edge, true)),
            facts: 0,
            offer: Some(offer),
        });
        Ok(())
    }
}
