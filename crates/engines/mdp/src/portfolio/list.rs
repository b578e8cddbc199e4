//! What engines there are.

use suppose_control::Claims::{Conformance, Deadlock, Probabilities};
use suppose_control::EngineInfo;

suppose_control::engines! {
    /// The engines on probabilistic systems.
    pub enum Engine {
        /// `monolithic`, `agar` and `agar-n` in turns that grow, until one decides the claim.
        Auto => EngineInfo::new("auto", &[Deadlock, Conformance, Probabilities])
            .assumes()
            .options(&["split"]),
        /// Composes everything, then looks for a simulation or solves the equations.
        Monolithic => EngineInfo::new("monolithic", &[Deadlock, Conformance, Probabilities]),
        /// Composes the first group with a quotient of each other component, and refines these.
        Agar => EngineInfo::new("agar", &[Conformance, Probabilities])
            .assumes()
            .options(&["split"]),
        /// Learns an assumption about all groups after the first from counterexamples.
        Learn => EngineInfo::new("learn", &[Conformance])
            .assumes()
            .options(&["split", "partition"]),
        /// Composes everything, and refines a quotient of it.
        Cegar => EngineInfo::new("cegar", &[Conformance]).assumes(),
        /// Assume-guarantee abstraction refinement for any number of groups.
        AgarN => EngineInfo::new("agar-n", &[Conformance, Probabilities])
            .assumes()
            .options(&["split"]),
        /// Conformance as one SMT formula, as in Komuravelli's thesis; for small systems.
        Smt => EngineInfo::new("smt", &[Conformance]),
    }
}
