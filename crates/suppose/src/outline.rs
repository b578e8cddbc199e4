//! What a model consists of, as far as a user can ask about it.

use suppose_source::{Diagnostic, Sources};

/// What can be asked of a model.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// The claims that [`check`](crate::check) decides, by the names that select them. Of a C program also `no-overflow` can be asked
    /// for; it is not in the list, because it is not a claim of its own unless it is.
    pub claims: Vec<String>,
    /// Claims that no engine decides: the name and the reason.
    pub undecided: Vec<(String, String)>,
    /// The components of a network.
    pub components: Vec<String>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
    /// Those of the front-end, with their places in `sources`.
    pub remarks: Vec<Diagnostic>,
    /// The files that were read.
    pub sources: Sources,
}
