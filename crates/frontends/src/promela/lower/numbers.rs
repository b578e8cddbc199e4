//! The numbers that SPIN gives transitions.

use super::Lower;
use crate::promela::ast::BodyOf;

impl Lower<'_> {
    /// SPIN counts elements through the whole text, with those of claims; the claims that it makes of
    /// formulas come last. So far an edge has its number within its body.
    pub(super) fn number_edges(&mut self) {
        let mut proctypes = self.program.proctypes.iter_mut();
        let mut elements = self.elements.iter();
        let mut nevers = self.never_elements.iter();
        let mut traces = self.trace_elements.iter();
        let mut first = Some(0usize);
        for body in &self.ast.bodies {
            let size = match body {
                BodyOf::Never => nevers.next().copied().flatten(),
                BodyOf::Trace => traces.next().copied().flatten(),
                BodyOf::Proctype => {
                    let size = elements.next().copied().flatten();
                    first = first.filter(|_| size.is_some());
                    let locations = proctypes.next().map(|p| &mut p.locations);
                    for edge in locations.into_iter().flatten().flat_map(|l| &mut l.edges) {
                        edge.number = first
                            .and_then(|f| u32::try_from(f).ok())
                            .and_then(|f| f.checked_add(edge.number?));
                    }
                    size
                }
            };
            // Behind a body whose size is not known, nothing is.
            first = first.and_then(|f| f.checked_add(size?));
        }
        for claim in &mut self.program.claims {
            for edge in claim.locations.iter_mut().flat_map(|l| &mut l.edges) {
                edge.number = None;
            }
        }
    }
}
