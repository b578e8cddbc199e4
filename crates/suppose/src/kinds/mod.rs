//! The kinds of models, each with what it has of its own: how it is read, which engines decide it, who judges their evidence,
//! and how results are told.

pub(crate) mod chc;
pub(crate) mod fsm;
pub(crate) mod mdp;
pub(crate) mod network;
pub(crate) mod program;

use suppose_frontends::{Kind as Becomes, Language};

use crate::kind::AnyKind;

/// What a text in that language becomes.
pub(crate) fn of(language: Language) -> &'static dyn AnyKind {
    match language.kind() {
        Becomes::Network => &network::Networks,
        Becomes::Program => &program::Programs,
        Becomes::Chc => &chc::Clauses,
        Becomes::Mdp => &mdp::Probabilistic,
        Becomes::Fsm => &fsm::FiniteDomain,
    }
}
