//! Options that do not fit the input.

use std::path::PathBuf;

use crate::args::{CheckArgs, EngineArgs, EngineName, ModelArgs, first_given};
use crate::failure::Failure;

/// Refuses what is only for SMV models, on other input.
pub fn only_for_smv(args: &CheckArgs) -> Result<(), Failure> {
    if let Some(what) = args.engine.smv.given() {
        return Err(refused(what));
    }
    let given = first_given(&[
        (args.smv.trace.is_some(), "--trace"),
        (args.smv.smtlib.is_some(), "--smtlib"),
        (args.smv.aiger.is_some(), "--aiger"),
    ]);
    match given {
        Some(what) => Err(refused(what)),
        None => only_smv_model(&args.input.model, args.engine.engine),
    }
}

/// Refuses what is only for SMV models (the engine `cegar` is for probabilistic systems too), on other input.
pub fn only_smv_model(model: &ModelArgs, engine: EngineName) -> Result<(), Failure> {
    if model.smv.dialect.is_some() {
        return Err(refused("--dialect"));
    }
    match engine {
        EngineName::Bdd => Err(refused("the engine `bdd`")),
        _ => Ok(()),
    }
}

/// Refuses SMV models where components are asked for, and what is only for them where they are not read.
pub fn not_for_smv(files: &[PathBuf], model: &ModelArgs) -> Result<(), Failure> {
    if super::any(files) {
        let failure = Failure::file("an SMV model is not made of components");
        let help = "`suppose check`, `report`, `certify` and `convert` read it; `check --engine cegar` shows the abstraction that proves a property";
        return Err(failure.help(help));
    }
    only_smv_model(model, EngineName::default())
}

fn refused(what: &str) -> Failure {
    let failure = Failure::usage(format!("{what} is for SMV models"));
    failure.help("they are read from .smv files")
}

/// Refuses what is not for SMV models.
pub fn refuse(args: &CheckArgs) -> Result<(), Failure> {
    crate::horn::only_for_clauses(args)?;
    if args.trail.is_some() {
        return Err(Failure::usage("--trail is not for SMV models"));
    }
    engine(&args.engine)?;
    model(&args.input.model)
}

fn engine(engine: &EngineArgs) -> Result<(), Failure> {
    let unfit = first_given(&[
        (engine.process.in_turn.is_some(), "--in-turn"),
        (engine.rule.split != "auto", "--split"),
        (engine.partition.is_some(), "--partition"),
    ]);
    if let Some(what) = engine.given_for_components().or(unfit) {
        return Err(Failure::usage(format!("{what} is not for SMV models")));
    }
    match engine.engine {
        EngineName::Auto | EngineName::Cegar => Ok(()),
        EngineName::Bdd => match engine.smv.given() {
            Some(what) => {
                let failure = Failure::usage(format!("{what} is for the engine `cegar`"));
                Err(failure.help("the engine `bdd` abstracts nothing"))
            }
            None => Ok(()),
        },
        _ => {
            let failure = Failure::usage("this engine is not for SMV models");
            Err(failure.help("auto, bdd and cegar are"))
        }
    }
}

/// Refuses ways to read that are not for SMV models.
pub fn model(model: &ModelArgs) -> Result<(), Failure> {
    if let Some(option) = model.markov.given() {
        return Err(Failure::usage(format!(
            "{option} is for probabilistic systems"
        )));
    }
    if model.wrap {
        return Err(Failure::usage("--wrap is for C programs"));
    }
    if let Some((name, _)) = model.constants.first() {
        let failure = Failure::usage(format!("the constant `{name}` cannot be set"));
        return Err(failure.help("SMV models have no constants to set: give `main` a definition"));
    }
    if !model.property_file.is_empty() {
        let failure = Failure::usage("--property-file is not for SMV models");
        return Err(failure.help("write the property into the model: `CTLSPEC ...`"));
    }
    if let Some(name) = &model.system {
        let failure = Failure::usage(format!("the system `{name}` cannot be chosen"));
        return Err(failure.help("of an SMV model the module `main` is the system"));
    }
    Ok(())
}
