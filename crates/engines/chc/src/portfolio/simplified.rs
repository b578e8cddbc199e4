//! The clauses that engines work on, and the way back to those that were read.

use std::sync::Arc;

use suppose_control::{Context, Stopped, catch};
use suppose_model::chc::{Candidates, Derivation, Horn, Pred, TermId, Terms};

use crate::preprocess::{BackTranslation, simplify};

/// How often the way back may poll its context when it is only for what is known so far.
const WORK_FOR_CANDIDATES: u64 = 2_000;

/// Clauses, and the simpler ones that engines work on.
#[derive(Clone, Debug)]
pub(super) struct Simplified {
    /// As they were read.
    pub original: Arc<Horn>,
    /// What the engines work on.
    pub horn: Arc<Horn>,
    /// None if the two are the same.
    back: Option<Arc<BackTranslation>>,
}

impl Simplified {
    /// Without simplification.
    pub fn unchanged(horn: &Arc<Horn>) -> Simplified {
        Simplified {
            original: Arc::clone(horn),
            horn: Arc::clone(horn),
            back: None,
        }
    }

    /// Simplifies the clauses. If that fails, they stay unchanged: the engines will meet the same limit.
    pub fn new(horn: &Arc<Horn>, cx: &Context) -> Simplified {
        match catch(|| simplify(horn, cx)) {
            Ok(Ok(simpler)) => Simplified {
                original: Arc::clone(horn),
                horn: Arc::new(simpler.horn),
                back: Some(Arc::new(simpler.back)),
            },
            _ => Simplified::unchanged(horn),
        }
    }

    pub fn is_unchanged(&self) -> bool {
        self.back.is_none()
    }

    /// Definitions of the original predicates.
    pub fn definitions(
        &self,
        terms: &mut Terms,
        found: Vec<TermId>,
        cx: &Context,
    ) -> Result<Option<Vec<TermId>>, Stopped> {
        match &self.back {
            None => Ok(Some(found)),
            Some(back) => back.definitions(terms, &found, cx),
        }
    }

    /// What is known of the original predicates up to some depth; none where the way back takes long.
    pub fn candidates(&self, found: crate::Candidates) -> Option<Box<Candidates>> {
        let mut terms = found.terms;
        let cx = Context::default().with_work(WORK_FOR_CANDIDATES);
        let formulas = self.definitions(&mut terms, found.formulas, &cx).ok()??;
        let known = formulas.into_iter().enumerate();
        let formulas: Vec<(Pred, TermId)> = known
            .filter(|(_, formula)| *formula != Terms::TRUE)
            .map(|(number, formula)| (Pred(number as u32), formula))
            .collect();
        let terms = *terms;
        (!formulas.is_empty()).then(|| Box::new(Candidates { terms, formulas }))
    }

    /// A derivation from the original clauses.
    pub fn derivation(&self, found: Derivation) -> Option<Derivation> {
        match &self.back {
            None => Some(found),
            Some(back) => back.derivation(&self.original, &self.horn.terms, &found),
        }
    }
}
