//! Options that do not fit the input.

use crate::args::{CheckArgs, EngineName, ModelArgs, first_given};
use crate::failure::Failure;

/// Refuses what is only for probabilistic systems, on other input.
pub fn only_for_markov(model: &ModelArgs, engine: EngineName) -> Result<(), Failure> {
    let what = match model.markov.given() {
        Some(option) => option,
        None if engine.is_for_markov() => "this engine",
        None if engine.is_for_smv() => {
            let failure = Failure::usage("this engine is for SMV models and probabilistic systems");
            return Err(failure.help("they are read from .smv, .prism, .nm, .tra and .drn files"));
        }
        None => return Ok(()),
    };
    let failure = Failure::usage(format!("{what} is for probabilistic systems"));
    Err(failure.help("they are read from .prism, .nm, .pm, .tra, .drn and .lpts files"))
}

/// Refuses what is not for probabilistic systems.
pub fn refuse(args: &CheckArgs) -> Result<(), Failure> {
    crate::horn::only_for_clauses(args)?;
    crate::symbolic::only_for_smv(args)?;
    let engine = &args.engine;
    let unfit = first_given(&[
        (args.trail.is_some(), "--trail"),
        (args.recheck, "--recheck"),
        (
            engine.engine == EngineName::Quotient,
            "the engine `quotient`",
        ),
    ]);
    if let Some(what) = engine.given_for_components().or(unfit) {
        let message = format!("{what} is not for probabilistic systems");
        return Err(Failure::usage(message));
    }
    if engine.partition.is_some() && engine.engine != EngineName::Learn {
        return Err(Failure::usage("--partition is for the engine `learn`"));
    }
    model(&args.input.model)
}

/// Refuses ways to read that are not for probabilistic systems.
pub fn model(model: &ModelArgs) -> Result<(), Failure> {
    if model.wrap {
        return Err(Failure::usage("--wrap is for C programs"));
    }
    if let Some(name) = &model.system {
        let failure = Failure::usage(format!("the system `{name}` cannot be chosen"));
        return Err(failure.help("only FSP files have named systems"));
    }
    Ok(())
}
