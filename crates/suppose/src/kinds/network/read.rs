//! From files to networks.

use std::path::Path;

use suppose_certify::file::Model;
use suppose_frontends::{Input, Language, LoadOptions, Loaded, Role};
use suppose_model::lts::Fairness;
use suppose_source::ParserLimits;

use crate::failure::Failure;
use crate::options::ModelOptions;
use crate::source::Source;

/// A system, and the files it was read from as evidence names them.
#[derive(Clone, Debug)]
pub(crate) struct System {
    /// What was read.
    pub loaded: Loaded,
    /// Names and hashes of the files.
    pub models: Vec<Model>,
}

/// Reads the files and makes a network of them.
pub(crate) fn network(source: &Source, model: &ModelOptions) -> Result<System, Failure> {
    let language = source.language(model.language)?;
    let limits = ParserLimits::default();
    let components = source.paths().iter().map(|f| (f, Role::Component));
    let properties = model.property_file.iter().map(|f| (f, Role::Property));
    let (mut inputs, mut models) = (Vec::new(), Vec::new());
    for (file, role) in components.chain(properties) {
        let (text, read) = source.read_model(file, limits.bytes)?;
        inputs.push(Input {
            name: read.file.clone(),
            text,
            role,
            language: (role == Role::Component).then_some(language),
        });
        models.push(read);
    }
    let options = LoadOptions {
        system: model.system.clone(),
        constants: model.constants.clone(),
        fairness: match model.no_fair_choice {
            true => Fairness::None,
            false => Fairness::FairChoice,
        },
        limits,
    };
    if let Some(file) = source.only() {
        import(source, file, &options, &mut inputs, &mut models)?;
    }
    let loaded = suppose_frontends::load(inputs, &options)?;
    Ok(System { loaded, models })
}

/// Reads the files that an FSP file imports: from its own folder only.
fn import(
    source: &Source,
    file: &Path,
    options: &LoadOptions,
    inputs: &mut Vec<Input>,
    models: &mut Vec<Model>,
) -> Result<(), Failure> {
    if Language::of(&inputs[0].name) != Some(Language::Fsp) {
        return Ok(());
    }
    let mut wanted = suppose_frontends::fsp::imports(&inputs[0].text, options);
    wanted.sort_unstable();
    wanted.dedup();
    for name in wanted {
        if name.contains(['/', '\\']) || Language::of(&name) != Some(Language::Aut) {
            let message = format!("`{}` imports `{name}`", file.display());
            let help = "only an `.aut` file from the same folder can be imported";
            return Err(Failure::file(message).help(help));
        }
        let path = file.with_file_name(&name);
        let text = source.read(&path, options.limits.bytes)?;
        let shown = path.display().to_string();
        models.push(Model::of(shown.as_str(), text.as_bytes()));
        inputs.push(Input {
            name: shown,
            text,
            role: Role::Import,
            language: None,
        });
    }
    Ok(())
}
