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
        /// RecMC, with may- and must-summaries.
        Recmc => EngineInfo::new("recmc", &[Queries]).options(&[
            "abstraction", "bounds", "query-order", "solver", "no-must-summaries", "values", "no-invariants", "concretise",
        ]),
        /// GPDR, without must-summaries and projection.
        Gpdr => EngineInfo::new("gpdr", &[Queries]).options(&["query-order", "solver"]),
        /// Bounded model checking of linear clauses; only finds violations.
        Bmc => EngineInfo::new("bmc", &[Queries]),
        /// k-induction on linear clauses.
        Induction => EngineInfo::new("induction", &[Queries]),
    }
}
