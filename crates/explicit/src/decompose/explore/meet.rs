//! Rendezvous: what is offered, who listens, and who meets whom.

use suppose_model::program::{Expr, Keep};

use super::super::ops::Op;
use super::super::residual::Trouble;
use super::{Explorer, Failed, Kind, Listener, Move, Offer, SHARED_INDEX, Stretch, Then};

impl Explorer<'_> {
    pub(super) fn offer(
        &mut self,
        mut stretch: Stretch,
        channel: i32,
        values: Vec<Expr>,
        target: u32,
    ) -> Result<(), Failed> {
        let known = |e: &Expr| match e {
            Expr::Const(value) => Some(*value),
            _ => None,
        };
        let known: Vec<Option<i32>> = values.iter().map(known).collect();
        let open = values.into_iter().zip(&known).filter(|(_, k)| k.is_none());
        let open: Vec<Expr> = open.map(|(e, _)| e).collect();
        if open.is_empty() {
            let values = known.into_iter().flatten().collect();
            return self.offer_values(stretch, channel, values, target);
        }
        self.add(Op::Ask(open), &mut stretch.ops);
        let then = Then::Offer {
            channel,
            target,
            known,
        };
        self.wait(stretch, Vec::new(), then)
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
            return self.close(stretch, Kind::Wrong);
        }
        for (value, ty) in values.iter_mut().zip(fields) {
            *value = ty.truncate(*value);
        }
        let mut after = stretch.local.clone();
        after.location = target;
        if self.view(stretch.process, &after).keep() == Keep::DStep {
            return Err(self.refuse(stretch.process, "a rendezvous inside a `d_step`"));
        }
        let target = self.state(stretch.process, after)?;
        let it = Move {
            process: stretch.process,
            source: stretch.source,
            target,
            steps: stretch.steps,
        };
        let key = (stretch.process, stretch.ops, channel, values);
        if let Some(number) = self.offer_numbers.get(&key) {
            let offer = &mut self.offers[*number];
            offer.moves.push(it.clone());
            for label in offer.labels.clone() {
                self.add_move(label, it.clone());
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
        for listener in 0..self.listeners.len() {
            self.meet(number, listener)?;
        }
        Ok(())
    }

    pub(super) fn listen(&mut self, stretch: &Stretch, channel: i32) -> Result<(), Failed> {
        let edge = stretch.steps.last().and_then(|s| s.last());
        let number = self.listeners.len();
        self.listeners.push(Listener {
            process: stretch.process,
            source: stretch.source,
            edge: edge.copied().unwrap_or(0),
            ops: stretch.ops.clone(),
            channel,
        });
        for offer in 0..self.offers.len() {
            self.meet(offer, number)?;
        }
        Ok(())
    }

    /// An offer and a listener that fit go on together.
    fn meet(&mut self, offer: usize, listener: usize) -> Result<(), Failed> {
        let (o, l) = (&self.offers[offer], &self.listeners[listener]);
        if o.process == l.process || o.channel != l.channel {
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
                    ops: l.ops.clone(),
                    steps: vec![vec![l.edge]],
                    offer: Some(offer),
                    local: local.clone(),
                };
                return self.close(stretch, Kind::Wrong);
            }
            Err(Trouble::Unsupported(what)) => return Err(self.refuse(l.process, what)),
            Err(Trouble::Ask(_)) => return Err(self.refuse(l.process, SHARED_INDEX)),
        };
        let (process, source, edge) = (l.process, l.source, l.edge);
        let mut ops = l.ops.clone();
        for op in accepted.0 {
            self.add(op, &mut ops);
        }
        self.stretches.push(Stretch {
            process,
            source,
            local: accepted.1,
            ops,
            steps: vec![vec![edge]],
            offer: Some(offer),
        });
        Ok(())
    }
}
