//! The kinds of models, each with what it has of its own: how it is read, which engines decide it, who judges their evidence,
//! and how results are told.

pub(crate) mod chc;
pub(crate) mod fsm;
pub(crate) mod mdp;
pub(crate) mod network;
pub(crate) mod program;

use suppose_frontends::{Kind as Becomes, Language};

use crate::kind::Commands;

/// The commands on what a text in that language becomes.
pub(crate) fn of(language: Language) -> Commands {
    match language.kind() {
        Becomes::Network => Commands::of::<network::Networks>(),
        Becomes::Program => Commands::of::<program::Programs>(),
        Becomes::Chc => Commands::of::<chc::Clauses>(),
        Becomes::Mdp => Commands::of::<mdp::Probabilistic>(),
        Becomes::Fsm => Commands::of::<fsm::FiniteDomain>(),
    }
}
