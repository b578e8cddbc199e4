//! What engines there are.

use suppose_control::Claims::Queries;
use suppose_control::EngineInfo;

suppose_control::engines! {
    /// The engines on Horn clauses.
    pub enum Engine {
        /// `recmc` in parallel with `induction`, `bmc` and `recmc` with abstraction; the first verdict counts.
        Auto => EngineInfo::new("auto", &[Queries]).options(&[
            "abstraction", "bounds", "query-order", "solver", "no-must-summaries", "values", "no-invariants", "concretise",
        ]),
        /// May- and must-summaries of every predicate (RecMC).
        Recmc => EngineInfo::new("recmc", &[Queries]).options(&[
            "abstraction", "bounds", "query-order", "solver", "no-must-summaries", "values", "no-invariants", "concretise",
        ]),
        /// As PDR does it: no must-summaries, values instead of projections.
        Gpdr => EngineInfo::new("gpdr", &[Queries]).options(&["query-order", "solver"]),
        /// Bounded search of linear clauses; finds only violations.
        Bmc => EngineInfo::new("bmc", &[Queries]),
        /// Bounds the length of a chain of linear clauses to a violation.
        Induction => EngineInfo::new("induction", &[Queries]),
    }
}
