//! Random SMV texts, what is expected of the examples, whether a run is one, and an oracle that decides properties state by state.

mod expected;
mod expression;
mod fair;
mod linear;
mod nusmv;
mod oracle;
mod run;
mod text;
mod whole;
mod wide;

pub use expected::{Check, checks};
pub use nusmv::{NusmvResult, nusmv};
pub use oracle::{Oracle, Steps};
pub use run::is_run;
pub use text::{Shape, random};
pub use whole::random_whole;
pub use wide::{WordPair, wide_twins};
