//! `suppose draw`.

use std::path::Path;

use suppose_frontends::Kind;
use suppose_model::Node;
use suppose_model::lts::{Labels, Lts, Network};
use suppose_report::draw;

use super::Desk;
use super::check::no_property;
use super::convert::{component, composition};
use crate::args::DrawArgs;
use crate::failure::Failure;
use crate::input;
use crate::output::{Output, write_file};

/// The languages of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
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

/// Draws.
pub fn run(args: &DrawArgs, desk: &Desk) -> Result<Output, Failure> {
    let picture = match &args.output {
        None => Picture::Dot,
        Some(path) => Picture::of(path).ok_or_else(|| {
            let message = format!("`{}` does not say how to draw", path.display());
            Failure::usage(message).help("name it .svg or .dot")
        })?,
    };
    desk.counters.begin("reading");
    let language = desk.language(&args.input.files, &args.input.model)?;
    if language.kind() == Kind::Markov {
        return crate::markov::draw(args, picture, desk);
    }
    let network = input::load_input(&args.input, &desk.context())?
        .loaded
        .network;
    desk.counters.begin("drawing");
    let labels = &network.labels;
    let drawn = if let Some(name) = &args.component {
        picture.automaton(component(&network, name)?, labels, &[])
    } else if let Some(name) = &args.property {
        let found = network.properties.iter().find(|p| p.name() == name);
        let property = found.ok_or_else(|| no_property(name, &network))?;
        picture.automaton(&property.lts, labels, &[])
    } else if args.composition {
        picture.automaton(&composition(&network)?, labels, &[])
    } else {
        picture.system(&network)
    };
    match &args.output {
        None => Ok(Output::ok(drawn)),
        Some(path) => {
            write_file(path, drawn.as_bytes())?;
            Ok(super::wrote(path, desk.look))
        }
    }
}
