//! What engines there are.

use suppose_control::Claims::{Assertions, Deadlock, Ltl, Safety};
use suppose_control::EngineInfo;

suppose_control::engines! {
    /// The engines on programs. Those on networks decide them too, on the parts of a program.
    pub enum Engine {
        /// Searches the program, then its parts in turns, then the program without a bound.
        Auto => EngineInfo::new("auto", &[Deadlock, Assertions, Safety, Ltl]).assumes().options(&[
            "component", "in-turn", "schedule", "merging", "environment", "split", "learner", "alphabet", "splitting", "restart", "disk",
        ]),
        /// Searches all states of the program.
        Monolithic => EngineInfo::new("monolithic", &[Deadlock, Assertions, Safety, Ltl]).options(&["disk"]),
    }
}
