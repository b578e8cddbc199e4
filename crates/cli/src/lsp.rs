//! `suppose lsp`: the language server.

use suppose::Failure;
use suppose_lsp::LspOptions;

use crate::args::LspArgs;
use crate::output::Output;

/// Serves an editor until it says `exit`. Standard output is for the editor alone.
pub fn serve(args: &LspArgs) -> Result<Output, Failure> {
    let usual = LspOptions::default();
    let options = LspOptions {
        timeout: args.timeout.unwrap_or(usual.timeout),
        memory: args.memory.unwrap_or(usual.memory),
        ..usual
    };
    suppose_lsp::run(&options).map_err(|why| {
        let failure = Failure::usage(why);
        failure.help("an editor starts `suppose lsp`; docs/editors.md says how to tell it")
    })?;
    Ok(Output::ok(""))
}
