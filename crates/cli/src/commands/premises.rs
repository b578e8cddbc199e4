//! `suppose convert --premises`: what a certificate rests on, for another tool.

use std::path::Path;

use super::Desk;
use crate::args::ConvertArgs;
use crate::failure::Failure;
use crate::output::Output;

/// Writes the premises of a certificate as `.aut` files.
pub fn run(args: &ConvertArgs, certificate: &Path, desk: &Desk) -> Result<Output, Failure> {
    let _ = (args, certificate, desk);
    Err(Failure::internal("not built yet"))
}
