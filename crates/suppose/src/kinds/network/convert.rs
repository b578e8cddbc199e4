//! Networks in other forms.

use std::path::Path;

use suppose_frontends::{aut, json};
use suppose_model::Assumption;
use suppose_model::lts::{self, Label, Lts, Network, SizeLimits};

use super::read::System;
use super::{Picture, hoa};
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::options::{ConvertOptions, Equivalence};
use crate::session::Session;

/// What can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Aut,
    Json,
    Hoa,
    Picture(Picture),
}

/// Writes a network, or one automaton of it, in another form.
pub(crate) fn convert(
    read: impl FnOnce() -> Result<System, Failure>,
    options: &ConvertOptions,
    session: &Session,
) -> Result<(), Failure> {
    if let Some(certificate) = &options.premises {
        return super::premises::write(&read()?, options, certificate, session);
    }
    let target = target(&options.output)?;
    let network = read()?.loaded.network;
    session.counters.begin("converting");
    let whole = options.component.is_none() && options.minimise.is_none();
    let text = match target {
        Target::Json if whole => json::write(&network),
        Target::Picture(picture) if whole => picture.system(&network),
        _ => {
            let lts = automaton(options, &network)?;
            write_automaton(&network, &lts, target)?
        }
    };
    session.files.write(&options.output, text.as_bytes())
}

/// Refuses a name that does not say in which format an automaton is to be written.
pub(crate) fn writable(path: &Path) -> Result<(), Failure> {
    target(path).map(|_| ())
}

fn target(path: &Path) -> Result<Target, Failure> {
    let end = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    match end.to_ascii_lowercase().as_str() {
        "aut" => Ok(Target::Aut),
        "json" => Ok(Target::Json),
        "hoa" => Ok(Target::Hoa),
        _ => Picture::of(path).map(Target::Picture).ok_or_else(|| {
            let message = format!(
                "cannot tell the output format from the name `{}`",
                path.display()
            );
            Failure::usage(message).help("name it .aut, .json, .hoa, .dot or .svg")
        }),
    }
}

/// One automaton: a component, a property or the whole composition; minimised if asked.
fn automaton(args: &ConvertOptions, network: &Network) -> Result<Lts, Failure> {
    let lts = match &args.component {
        Some(name) => component(network, name)?.clone(),
        None => composition(network)?,
    };
    let Some(equivalence) = args.minimise else {
        return Ok(lts);
    };
    let equivalence = match equivalence {
        Equivalence::Strong => lts::Equivalence::Strong,
        Equivalence::Branching => lts::Equivalence::Branching,
        Equivalence::Weak => lts::Equivalence::Weak,
    };
    let small = lts::minimise(&lts, equivalence, &SizeLimits::default()).map_err(too_large)?;
    Ok(small.lts)
}

/// The component (or else the property) of that name.
pub(crate) fn component<'a>(network: &'a Network, name: &str) -> Result<&'a Lts, Failure> {
    let components = network.components.iter().map(|c| &c.lts);
    let all = components.chain(network.properties.iter().map(|p| &p.lts));
    all.clone().find(|l| l.name() == name).ok_or_else(|| {
        let all = all.map(|l| l.name());
        Failure::unknown_name("component", "the components and properties", name, all)
    })
}

/// The components together, state by state. What the system hides is `tau`.
pub(crate) fn composition(network: &Network) -> Result<Lts, Failure> {
    let parts = network.processes();
    let success = network.success.as_ref();
    let rules = lts::Rules {
        priority: network.priority.as_ref(),
        outside: &network.errors,
        success: success.map(|ends| parts.iter().map(|i| ends[*i]).collect()),
    };
    let parts: Vec<&Lts> = parts.iter().map(|i| &network.components[*i].lts).collect();
    let limits = SizeLimits::default();
    let name = network.name.as_str();
    let whole = lts::compose_by(name, &parts, rules, &limits).map_err(too_large)?;
    Ok(whole.lts.map_labels(|l| match network.labels.is_hidden(l) {
        true => Label::TAU,
        false => l,
    }))
}

fn too_large(why: lts::TooLarge) -> Failure {
    let mut failure = Failure::file(format!("the result is too large: {why}"));
    failure.status = ExitStatus::Limit;
    failure
}

fn write_automaton(network: &Network, lts: &Lts, target: Target) -> Result<String, Failure> {
    Ok(match target {
        Target::Hoa => hoa::write(lts, &network.labels)?,
        Target::Picture(picture) => picture.automaton(lts, &network.labels, &[]),
        Target::Aut => aut::write(lts, &network.labels, aut::Tau::default()),
        Target::Json => {
            let mut alone = Network::new(lts.name(), network.labels.clone());
            alone.add_component(lts.clone());
            json::write(&alone)
        }
    })
}

/// Writes an assumption in the format that the file's name says.
pub(crate) fn write_assumption(
    path: &Path,
    network: &Network,
    assumption: &Assumption,
    session: &Session,
) -> Result<(), Failure> {
    let text = match target(path)? {
        Target::Picture(picture) => {
            picture.automaton(&assumption.lts, &network.labels, &assumption.nodes)
        }
        target => write_automaton(network, &assumption.lts, target)?,
    };
    session.files.write(path, text.as_bytes())
}
