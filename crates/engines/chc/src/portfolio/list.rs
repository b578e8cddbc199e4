//! What engines there are.

use suppose_control::Claims::Queries;
use suppose_control::EngineInfo;

suppose_control::engines! {
    /// The engines on Horn clauses.
    pub enum Engine {
        /// `recmc` beside `induction`, `bmc` and `recmc` with abstraction; of a C program also runs of it. The first verdict counts.
        Auto => EngineInfo::new("auto", &[Queries]).options(&[
            "abstraction", "bounds", "query-order", "solver", "no-must-summaries", "values", "no-invariants", "concretise",
        ]),
        /// Summaries of what may and what must be derived (RecMC).
        Recmc => EngineInfo::new("recmc", &[Queries]).options(&[
            "abstraction", "bounds", "query-order", "solver", "no-must-summaries", "values", "no-invariants", "concretise",
        ]),
        /// The same as PDR does it, without must-summaries and projection.
        Gpdr => EngineInfo::new("gpdr", &[Queries]).options(&["query-order", "solver"]),
        /// Bounded search for a derivation in linear clauses; only finds violations.
        Bmc => EngineInfo::new("bmc", &[Queries]),
        /// Induction over how long a chain of linear clauses to a violation can be.
        Induction => EngineInfo::new("induction", &[Queries]),
    }
}
