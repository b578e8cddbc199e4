//! Options that do not fit the input.

use suppose_frontends::Language;

use crate::args::{AbstractionName, CheckArgs, EngineName, HornArgs};
use crate::failure::Failure;
use crate::input;

/// Refuses a property that is not there, and a solver that nobody would ask.
pub fn refuse(args: &CheckArgs) -> Result<(), Failure> {
    let language = input::language(&args.input.files, &args.input.model)?;
    let question = match language {
        Language::C => "assertions",
        _ => "queries",
    };
    if let Some(name) = args.claims.properties.iter().find(|p| *p != question) {
        let failure = Failure::usage(format!("there is no property `{name}`"));
        return Err(failure.help(format!("the one property is `{question}`")));
    }
    let horn = &args.engine.horn;
    if horn.bounds.is_some() && horn.abstraction == Some(AbstractionName::None) {
        let failure = Failure::usage("--bounds is for an abstraction");
        return Err(failure.help("give --abstraction constraints or --abstraction variables"));
    }
    match horn.asks_another_solver() {
        true => only_for_the_search(horn, args.engine.engine),
        false => Ok(()),
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
