//! The proof that a finished refinement leaves behind.

use suppose_control::{Context, Stopped};
use suppose_model::lts::{Layout, Lts, LtsBuilder, PackedStates};
use suppose_model::{Assumption, Certificate, Claim, Guarantee, Premise};

use super::Agar;

impl Agar<'_> {
    /// The premises from the last group up; the assumption of level `i` has number `i`.
    pub(super) fn certificate(self, cx: &Context) -> Result<Certificate, Stopped> {
        let last = self.levels.len();
        let mut premises = Vec::new();
        for (number, level) in self.levels.iter().enumerate().rev() {
            let below = self.levels.get(number + 1).map(|l| &l.lts);
            let visible = &self.views[number].visible;
            premises.push(Premise {
                components: level.group.clone(),
                assumptions: (number + 1..last.min(number + 2)).collect(),
                guarantee: Guarantee::Assumption(number),
                relation: level.relation(self.network, below, visible, cx)?.into(),
            });
        }
        let mut assumptions: Vec<Assumption> = Vec::new();
        for (number, level) in self.levels.iter().enumerate() {
            let name = if last == 1 {
                "A".to_owned()
            } else {
                format!("A{}", number + 1)
            };
            assumptions.push(level.assumption(self.network, name));
        }
        if assumptions.is_empty() {
            // Premise 1 always has a slot for an assumption; with one group it is the trivial one.
            assumptions.push(Assumption {
                lts: nothing(),
                nodes: Vec::new(),
            });
            premises.push(trivial_premise());
        }
        if let Some(premise) = self.premise {
            premises.push(Premise {
                components: self.groups[0].clone(),
                assumptions: vec![0],
                guarantee: Guarantee::Property(self.property),
                relation: premise.relation().into(),
            });
        }
        Ok(Certificate {
            claim: Claim::Property(self.property),
            assumptions,
            premises,
            liveness: None,
        })
    }
}

/// The assumption that says nothing.
pub(super) fn nothing() -> Lts {
    LtsBuilder::new("A").build()
}

/// No component at all guarantees the assumption that says nothing.
fn trivial_premise() -> Premise {
    let layout = Layout::new([1]);
    let mut relation = PackedStates::new(layout);
    relation.push(&[0]);
    Premise {
        components: Vec::new(),
        assumptions: Vec::new(),
        guarantee: Guarantee::Assumption(0),
        relation: relation.into(),
    }
}
