//! What engines there are.

use suppose_control::Claims::{Actl, Ctl, Deadlock, Invariants, Ltl};
use suppose_control::EngineInfo;

suppose_control::engines! {
    /// The engines on finite-domain systems.
    pub enum Engine {
        /// All of them in turns that grow, until one decides the property.
        Auto => EngineInfo::new("auto", &[Deadlock, Invariants, Ctl, Ltl])
            .options(&["far", "spurious", "separation", "early"]),
        /// Reachable states of the cone of influence as BDDs.
        Bdd => EngineInfo::new("bdd", &[Deadlock, Invariants, Ctl, Ltl]),
        /// Counterexample-guided abstraction refinement.
        Cegar => EngineInfo::new("cegar", &[Invariants, Actl, Ltl])
            .options(&["far", "spurious", "separation", "early"]),
        /// k-induction, by a SAT solver.
        Induction => EngineInfo::new("induction", &[Invariants]),
    }
}
