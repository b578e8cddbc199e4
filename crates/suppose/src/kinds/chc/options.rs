//! Options that have no meaning for the input.

use suppose_frontends::Language;

use super::engines::engine;
use crate::failure::Failure;
use crate::options::{AbstractionName, CheckOptions, ClauseOptions, EngineName, IntegersName};
use crate::source::Source;

/// Refuses an unknown property, and a solver that would not be used.
pub fn refuse(source: &Source, args: &CheckOptions) -> Result<(), Failure> {
    let model = &args.model;
    let language = source.language(model.language)?;
    let machine = !model.wrap && model.integers.is_none_or(|i| i == IntegersName::Machine);
    let questions: &[&str] = match language {
        Language::C if machine => &["assertions", "no-overflow", "valid-deref", "valid-free"],
        Language::C => &["assertions", "valid-deref", "valid-free"],
        _ => &["queries"],
    };
    let asked = &args.claims.properties;
    if let Some(name) = asked.iter().find(|p| !questions.contains(&p.as_str())) {
        let failure = Failure::usage(format!("there is no property `{name}`"));
        return Err(failure.help(match questions {
            _ if language == Language::C && name == "no-overflow" => format!(
                "the properties are `{}`: with these integers nothing overflows",
                questions.join("` and `")
            ),
            [one] => format!("the one property is `{one}`"),
            _ => format!("the properties are `{}`", questions.join("` and `")),
        }));
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

/// Refuses an external solver where none is used.
fn only_for_the_search(horn: &ClauseOptions, name: EngineName) -> Result<(), Failure> {
    let abstracts = horn
        .abstraction
        .is_some_and(|kind| kind != AbstractionName::None);
    let asks = engine(name).info().options.contains(&"solver");
    if abstracts || !asks {
        let failure = Failure::usage("another solver is for the engines `recmc` and `gpdr`");
        return Err(failure.help(match abstracts {
            true => "leave --abstraction out, or --solver",
            false => "leave --solver out, or choose one of them",
        }));
    }
    Ok(())
}
