//! Options that do not fit the input.

use suppose_frontends::Language;

use crate::args::{AbstractionName, CheckArgs, EngineName, HornArgs, first_given};
use crate::failure::Failure;

/// Refuses what is only for clauses, on other input.
pub fn only_for_clauses(args: &CheckArgs) -> Result<(), Failure> {
    let horn = &args.engine.horn;
    let unfit = first_given(&[
        (args.engine.engine.is_for_clauses(), "this engine"),
        (horn.abstraction.is_some(), "--abstraction"),
        (horn.query_order.is_some(), "--query-order"),
        (horn.solver.is_some(), "--solver"),
        (horn.no_must_summaries, "--no-must-summaries"),
        (horn.values, "--values"),
        (horn.no_invariants, "--no-invariants"),
        (horn.concretise, "--concretise"),
        (horn.no_simplification, "--no-simplification"),
        (!args.certify_with.is_empty(), "--certify-with"),
        (args.definitions.is_some(), "--definitions"),
    ]);
    if let Some(what) = unfit {
        let message = format!("{what} is for Horn clauses and C programs");
        return Err(Failure::usage(message).help("they are read from .smt2 and .c files"));
    }
    for (given, what) in [
        (args.input.model.wrap, "--wrap"),
        (args.witness.is_some(), "--witness"),
    ] {
        if given {
            return Err(Failure::usage(format!("{what} is for C programs")));
        }
    }
    Ok(())
}

/// Refuses what is not for clauses.
pub fn refuse(args: &CheckArgs) -> Result<(), Failure> {
    let engine = &args.engine;
    if args.trail.is_some() {
        return Err(Failure::usage("--trail is for PROMELA programs"));
    }
    let unfit = first_given(&[
        (engine.rule.split != "auto", "--split"),
        (args.recheck, "--recheck"),
        (args.claims.deadlock, "--deadlock"),
        (args.claims.no_deadlock, "--no-deadlock"),
    ]);
    if let Some(what) = engine.given_for_components().or(unfit) {
        let message = format!("{what} is not for Horn clauses and C programs");
        return Err(Failure::usage(message));
    }
    let is_c = args.input.files.iter().any(|f| {
        let name = f.display().to_string();
        Language::of(&name) == Some(Language::C)
    });
    let question = if is_c { "assertions" } else { "queries" };
    if let Some(name) = args.claims.properties.iter().find(|p| *p != question) {
        let failure = Failure::usage(format!("there is no property `{name}`"));
        return Err(failure.help(format!("the one property is `{question}`")));
    }
    if args.witness.is_some() && !is_c {
        return Err(Failure::usage("--witness is for C programs"));
    }
    let horn = &engine.horn;
    if horn.asks_another_solver() {
        only_for_the_search(horn, engine.engine)?;
    }
    match engine.engine {
        EngineName::Auto | EngineName::Recmc => Ok(()),
        EngineName::Gpdr | EngineName::Bmc | EngineName::Induction
            if horn.abstraction.is_some() =>
        {
            Err(Failure::usage("--abstraction is for the engine `recmc`"))
        }
        EngineName::Bmc | EngineName::Induction if horn.query_order.is_some() => {
            Err(Failure::usage("--query-order is not for the engine `bmc`"))
        }
        EngineName::Gpdr | EngineName::Bmc | EngineName::Induction => Ok(()),
        _ => {
            let failure = Failure::usage("this engine is not for Horn clauses and C programs");
            Err(failure.help("recmc, gpdr, bmc and auto are"))
        }
    }
}

/// Refuses another solver where none is asked.
fn only_for_the_search(horn: &HornArgs, engine: EngineName) -> Result<(), Failure> {
    let abstracts = horn
        .abstraction
        .is_some_and(|kind| kind != AbstractionName::None);
    if abstracts || matches!(engine, EngineName::Bmc | EngineName::Induction) {
        let failure = Failure::usage("another solver is for the engines `recmc` and `gpdr`");
        return Err(failure.help(match abstracts {
            true => "leave --abstraction out, or --solver",
            false => "leave --solver out, or choose one of them",
        }));
    }
    Ok(())
}
