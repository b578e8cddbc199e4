//! `suppose convert` on SMV models.

use super::read::read;
use crate::args::ConvertArgs;
use crate::commands::{Desk, wrote};
use crate::failure::Failure;
use crate::output::{Output, write_file};

/// Runs `convert` on an SMV model: to one without modules, arrays and processes.
pub fn convert(args: &ConvertArgs, desk: &Desk) -> Result<Output, Failure> {
    let end = args.output.extension().and_then(|e| e.to_str());
    if !end.is_some_and(|e| e.eq_ignore_ascii_case("smv")) {
        let message = format!(
            "an SMV model cannot be written as `{}`",
            args.output.display()
        );
        return Err(Failure::usage(message).help("name it .smv"));
    }
    let system = read(&args.inputs, &args.model)?;
    desk.counters.begin("converting");
    write_file(&args.output, system.system.to_smv().as_bytes())?;
    Ok(wrote(&args.output, desk.look))
}
