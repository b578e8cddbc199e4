//! Drawings of networks.

use std::path::Path;

use suppose_model::Node;
use suppose_model::lts::{Labels, Lts, Network};
use suppose_report::draw;

use super::convert::{component, composition};
use super::read::System;
use crate::claims::no_property;
use crate::failure::Failure;
use crate::options::DrawOptions;
use crate::session::Session;

/// The languages of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Picture {
    /// Graphviz.
    Dot,
    /// A file for browsers.
    Svg,
}

impl Picture {
    /// By the end of a file's name.
    pub fn of(path: &Path) -> Option<Picture> {
        let end = path.extension()?.to_str()?.to_ascii_lowercase();
        match end.as_str() {
            "dot" | "gv" => Some(Picture::Dot),
            "svg" => Some(Picture::Svg),
            _ => None,
        }
    }

    /// The one that is asked for.
    pub fn asked(options: &DrawOptions) -> Result<Picture, Failure> {
        match &options.output {
            None => Ok(Picture::Dot),
            Some(path) => Picture::of(path).ok_or_else(|| {
                let message = format!(
                    "cannot tell the output format from the name `{}`",
                    path.display()
                );
                Failure::usage(message).help("name it .svg or .dot")
            }),
        }
    }

    /// An automaton.
    pub fn automaton(self, lts: &Lts, labels: &Labels, nodes: &[Node]) -> String {
        match self {
            Picture::Dot => draw::dot(lts, labels, nodes),
            Picture::Svg => draw::svg(lts, labels, nodes),
        }
    }

    /// A system.
    pub fn system(self, network: &Network) -> String {
        match self {
            Picture::Dot => draw::network_dot(network),
            Picture::Svg => draw::network_svg(network),
        }
    }
}

/// Draws a network, or one automaton of it.
pub(crate) fn draw(
    read: impl FnOnce() -> Result<System, Failure>,
    options: &DrawOptions,
    session: &Session,
) -> Result<String, Failure> {
    let picture = Picture::asked(options)?;
    let network = read()?.loaded.network;
    session.counters.begin("drawing");
    let labels = &network.labels;
    if let Some(name) = &options.component {
        return Ok(picture.automaton(component(&network, name)?, labels, &[]));
    }
    if let Some(name) = &options.property {
        let found = network.properties.iter().find(|p| p.name() == name);
        let names = || network.properties.iter().map(|p| p.name());
        let property = found.ok_or_else(|| no_property(name, names()))?;
        return Ok(picture.automaton(&property.lts, labels, &[]));
    }
    Ok(match options.composition {
        true => picture.automaton(&composition(&network)?, labels, &[]),
        false => picture.system(&network),
    })
}
