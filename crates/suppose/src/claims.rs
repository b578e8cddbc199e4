//! Selection of claims, and warnings about those that no engine decides.

use suppose_frontends::Undecided;
use suppose_source::{Diagnostic, Sources};

use crate::failure::Failure;
use crate::options::ClaimOptions;

/// Is a claim selected whose names `is` recognises? Without `--property` all are, unless only deadlock is asked for.
pub(crate) fn is_wanted(asked: &ClaimOptions, is: impl Fn(&str) -> bool) -> bool {
    match asked.properties.is_empty() {
        true => !asked.deadlock,
        false => asked.properties.iter().any(|name| is(name)),
    }
}

/// Refuses a name that no claim has.
pub(crate) fn all_known<'a>(
    asked: &ClaimOptions,
    is_known: impl Fn(&str) -> bool,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<(), Failure> {
    match asked.properties.iter().find(|name| !is_known(name)) {
        None => Ok(()),
        Some(name) => Err(no_property(name, names)),
    }
}

/// The failure for an unknown property, which lists the known ones.
pub(crate) fn no_property<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Failure {
    Failure::unknown_name("property", "the properties", name, names)
}

/// Claims that no engine decides, and the warnings that say why.
pub(crate) fn undecided<'a>(
    claims: impl IntoIterator<Item = &'a Undecided>,
) -> (Vec<(String, String)>, Vec<String>) {
    let told = claims.into_iter().map(|claim| {
        let why = "unsupported".to_owned();
        let warning = format!("{}: {}", claim.name, claim.reason);
        ((claim.name.clone(), why), warning)
    });
    told.unzip()
}

/// Warnings with their places.
pub(crate) fn warning_lines(warnings: &[Diagnostic], sources: &Sources) -> Vec<String> {
    let line = |w: &Diagnostic| {
        let place = match w.span.and_then(|s| Some((s, sources.file(s.file)?))) {
            Some((span, file)) => {
                let at = file.position(span.start);
                format!("{}:{}:{}: ", file.name(), at.line, at.column)
            }
            None => String::new(),
        };
        let help = match w.help.is_empty() {
            true => String::new(),
            false => format!(" ({})", w.help.join("; ")),
        };
        format!("{place}{}{help}", w.message)
    };
    warnings.iter().map(line).collect()
}
