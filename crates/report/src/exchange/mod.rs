//! Results in the formats of other programs: SARIF for code scanning, JUnit's XML for test results, and the commands by
//! which GitHub's workflows annotate files. No name that a user wrote reaches them unescaped.

mod github;
mod junit;
mod sarif;

pub use github::annotations;
pub use junit::junit;
pub use sarif::sarif;

#[cfg(test)]
mod tests;
