//! What the options say about the engines on finite-domain systems, in their own terms ([`suppose_symbolic::portfolio`]).

use suppose_symbolic::cegar::{CegarOptions, Early, Separation, Spurious};
use suppose_symbolic::portfolio::{Engine, Settings};

use crate::options::{EarlyName, EngineOptions, SeparationName, SpuriousName};

/// From the command line.
pub fn settings(args: &EngineOptions) -> Settings {
    let mut cegar = CegarOptions {
        far: args.smv.far,
        ..CegarOptions::default()
    };
    if let Some(name) = args.smv.spurious {
        cegar.spurious = match name {
            SpuriousName::Bdd => Spurious::Bdd,
            SpuriousName::Sat => Spurious::Sat,
        };
    }
    if let Some(name) = args.smv.separation {
        cegar.separation = match name {
            SeparationName::Squeezed => Separation::Squeezed,
            SeparationName::Paper => Separation::Paper,
        };
    }
    if let Some(name) = args.smv.early {
        cegar.early = match name {
            EarlyName::Auto => Early::Auto,
            EarlyName::Always => Early::Always,
            EarlyName::Never => Early::Never,
        };
    }
    Settings {
        engine: Engine::named(args.engine.name()).unwrap_or_default(),
        cegar,
    }
}
