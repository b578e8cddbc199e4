//! The kinds of models, each with what it has of its own: how it is read, which engines decide it, who judges their evidence,
//! and how results are told.

pub(crate) mod chc;
pub(crate) mod fsm;
pub(crate) mod mdp;
pub(crate) mod network;
pub(crate) mod program;

use suppose_frontends::{Language, ModelKind};

use crate::kind::Commands;

/// The commands on what a text in that language becomes.
pub(crate) fn of(language: Language) -> Commands {
    match language.kind() {
        ModelKind::Network => Commands::of::<network::Networks>(),
        ModelKind::Program => Commands::of::<program::Programs>(),
        ModelKind::Chc => Commands::of::<chc::Clauses>(),
        ModelKind::Mdp => Commands::of::<mdp::Probabilistic>(),
        ModelKind::Fsm => Commands::of::<fsm::FiniteDomain>(),
    }
}
