//! What engines there are.

use suppose_control::Claims::{Assertions, Safety};
use suppose_control::EngineInfo;

suppose_control::engines! {
    /// The engines on programs that look at few processes at a time.
    pub enum Engine {
        /// Proves assertions and safety claims from what every two processes can be in together.
        Local => EngineInfo::new("local", &[Assertions, Safety]),
    }
}
