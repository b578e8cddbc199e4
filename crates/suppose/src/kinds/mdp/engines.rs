//! What the options say about the engines on probabilistic systems, in their own terms ([`suppose_mdp::portfolio`]).

use suppose_control::Claims;
use suppose_mdp::portfolio::{ENGINES, Engine, Settings};
use suppose_mdp::{Folding, LearnOptions};
use suppose_model::lts::Network;
use suppose_model::mdp::Claim;

use crate::failure::Failure;
use crate::kinds::network::engines::Split;
use crate::options::table::listed;
use crate::options::{EngineName, EngineOptions, PartitionName};

/// Refuses an engine that decides conformance only where properties are asked for.
pub fn refuse(name: EngineName, claims: &[Claim]) -> Result<(), Failure> {
    let is_property = |c: &&Claim| matches!(c, Claim::Property(_));
    match claims.iter().find(is_property) {
        Some(property) if !engine(name).info().can_decide(Claims::Probabilities) => {
            let message = format!("the engine `{name}` decides conformance only");
            let able = ENGINES
                .iter()
                .filter(|e| e.can_decide(Claims::Probabilities));
            let able: Vec<String> = able.map(|e| e.name.to_owned()).collect();
            let failure = Failure::usage(message).help(format!(
                "`{}` is a property: for it there are {}",
                property.name(),
                listed(&able, "and")
            ));
            Err(failure)
        }
        _ => Ok(()),
    }
}

/// The engine on probabilistic systems of that name; the others are refused before this.
pub fn engine(name: EngineName) -> Engine {
    Engine::named(name.name()).unwrap_or(Engine::Monolithic)
}

/// From the options. `network` has the names of the components.
pub fn settings(args: &EngineOptions, network: &Network) -> Result<Settings, Failure> {
    let mut learn = LearnOptions::default();
    if args.partition == Some(PartitionName::Stochastic) {
        learn.folding = Folding::Stochastic;
    }
    Ok(Settings {
        engine: engine(args.engine),
        learn,
        groups: groups(&args.rule.split, network)?,
        assume: false,
    })
}

/// `--split` as groups; none if it is left to the engines.
fn groups(text: &str, network: &Network) -> Result<Option<Vec<Vec<usize>>>, Failure> {
    match text {
        "auto" | "chain" => Ok(None),
        "interface" | "balanced" => {
            let message = format!("--split {text} is not for probabilistic systems");
            Err(Failure::usage(message).help("name the components, as in `server/*`"))
        }
        _ => match Split::parse(text, Default::default(), network)? {
            Split::Groups(groups) => Ok(Some(groups)),
            Split::By(_) | Split::Fitting => Ok(None),
        },
    }
}
