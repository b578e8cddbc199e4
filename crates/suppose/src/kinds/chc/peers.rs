//! External solvers: `--certify-with` lets them check every clause under the definitions as well; `--solver` lets one answer
//! the queries of an engine.

use std::time::Duration;

use suppose_control::{Context, Stopped};
use suppose_model::chc::{Definitions, Horn};
use suppose_smt::pipe::{Choice, Confirmation, Tool, confirm};

use crate::failure::Failure;
use crate::options::SolverName;

/// How long a solver may take for one clause, or one query.
const LIMIT: Duration = Duration::from_secs(60);

/// The solvers of these names, which must be installed.
pub fn tools(names: &[String]) -> Result<Vec<Tool>, Failure> {
    let mut tools = Vec::new();
    for name in names {
        let tool = Tool::named(name).ok_or_else(|| {
            let failure = Failure::usage(format!("unknown solver `{name}`"));
            failure.help("z3 and cvc5 are")
        })?;
        must_be_there(&tool, "--certify-with")?;
        if !tools.contains(&tool) {
            tools.push(tool);
        }
    }
    Ok(tools)
}

/// The solver of that name for a search, which must be installed.
pub fn choice(name: Option<SolverName>) -> Result<Choice, Failure> {
    let tool = match name {
        None | Some(SolverName::Own) => return Ok(Choice::Own),
        Some(SolverName::Z3) => Tool::z3(),
        Some(SolverName::Cvc5) => Tool::cvc5(),
    };
    must_be_there(&tool, "--solver")?;
    Ok(Choice::Other(tool, LIMIT))
}

fn must_be_there(tool: &Tool, option: &str) -> Result<(), Failure> {
    let name = tool.name();
    if on_path(name) {
        return Ok(());
    }
    let failure = Failure::usage(format!("there is no `{name}` on the PATH"));
    Err(failure.help(format!("install it, or leave {option} out")))
}

/// Is there a file of that name in one of the PATH's folders?
pub fn on_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// What one solver says, in one line; an error if it says that a clause is not true.
pub fn ask(
    tool: &Tool,
    horn: &Horn,
    proof: &Definitions,
    cx: &Context,
) -> Result<Result<String, String>, Stopped> {
    let answers = confirm(horn, proof, tool, LIMIT, cx)?;
    let name = tool.name();
    if let Some(at) = answers.iter().position(|a| *a == Confirmation::Refuted) {
        return Ok(Err(format!(
            "{name} says that clause {} is not true under the definitions",
            at + 1
        )));
    }
    let confirmed = answers
        .iter()
        .filter(|a| **a == Confirmation::Confirmed)
        .count();
    let mut line = format!("{name} confirms {confirmed} of {} clauses", answers.len());
    let trouble = answers.iter().find_map(|a| match a {
        Confirmation::Failed(trouble) => Some(trouble.to_string()),
        Confirmation::Undecided => Some(format!("{name} could not decide a clause")),
        _ => None,
    });
    if let Some(trouble) = trouble {
        line = format!("{line}: {trouble}");
    }
    Ok(Ok(line))
}
