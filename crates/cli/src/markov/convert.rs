//! `suppose convert` and `suppose draw` on probabilistic systems.

use std::path::Path;

use suppose_frontends::lpts;
use suppose_model::markov::{Lpts, System};
use suppose_report::{draw, markov_network};

use super::deadlock;
use super::read::{MarkovSystem, Parting, read, read_whole};
use crate::args::{ConvertArgs, DrawArgs, InputArgs};
use crate::commands::draw::Picture;
use crate::commands::{Desk, wrote};
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::output::{Output, write_file};

/// Runs `convert` on a probabilistic system.
pub fn convert(args: &ConvertArgs, desk: &Desk) -> Result<Output, Failure> {
    let input = InputArgs {
        files: args.inputs.clone(),
        model: args.model.clone(),
    };
    let system = match &args.component {
        Some(_) => read(&input, &[], false, Parting::Usual, desk)?,
        None => read_whole(&input, desk)?,
    };
    desk.counters.begin("converting");
    match &args.component {
        Some(name) => write_one(&args.output, component(&system, name)?, &system.system)?,
        None => write_one(
            &args.output,
            &composition(&system.system, desk)?,
            &system.system,
        )?,
    }
    let mut output = wrote(&args.output, desk.look);
    if !system.system.rewards.is_empty() && format(&args.output).ok() != Some(lpts::Format::Drn) {
        output.stderr = "warning: rewards are written in .drn files only".to_owned();
    }
    Ok(output)
}

/// Runs `draw`.
pub fn draw(args: &DrawArgs, picture: Picture, desk: &Desk) -> Result<Output, Failure> {
    let system = read(&args.input, &[], false, Parting::Usual, desk)?;
    desk.counters.begin("drawing");
    let drawn = if let Some(name) = &args.component {
        drawing(picture, component(&system, name)?, &system.system)
    } else if args.composition {
        drawing(picture, &composition(&system.system, desk)?, &system.system)
    } else {
        picture.system(&markov_network(&system.system))
    };
    match &args.output {
        None => Ok(Output::ok(drawn)),
        Some(path) => {
            write_file(path, drawn.as_bytes())?;
            Ok(wrote(path, desk.look))
        }
    }
}

fn drawing(picture: Picture, lpts: &Lpts, system: &System) -> String {
    match picture {
        Picture::Dot => draw::lpts_dot(lpts, &system.labels),
        Picture::Svg => draw::lpts_svg(lpts, &system.labels),
    }
}

/// The component of that name, or the specification.
fn component<'a>(system: &'a MarkovSystem, name: &str) -> Result<&'a Lpts, Failure> {
    let components = system.system.components.iter().map(|c| &c.lpts);
    let all: Vec<&Lpts> = components.chain(&system.specification).collect();
    let found = all.iter().find(|l| l.name() == name).copied();
    found.ok_or_else(|| {
        let names = all.iter().map(|l| l.name());
        Failure::unknown_name("component", "the components", name, names)
    })
}

/// The components together, with the actions as they are seen from outside.
fn composition(system: &System, desk: &Desk) -> Result<Lpts, Failure> {
    if let ([only], false) = (&system.components[..], system.rewards.is_empty()) {
        return Ok(deadlock::alone(&only.lpts, system));
    }
    let whole = deadlock::whole(system, &desk.context()).map_err(|reason| {
        let mut failure =
            Failure::file(format!("the composition was not built: {}", reason.word()));
        failure.status = ExitStatus::Limit;
        failure
    })?;
    Ok(deadlock::seen(&whole, system))
}

/// Refuses a name that does not say in which form a system of states is to be written.
pub fn writable(path: &Path) -> Result<(), Failure> {
    match Picture::of(path) {
        Some(_) => Ok(()),
        None => format(path).map(|_| ()),
    }
}

fn format(path: &Path) -> Result<lpts::Format, Failure> {
    let json = path.extension().is_some_and(|end| end == "json");
    let format = match json {
        true => Some(lpts::Format::Json),
        false => path.to_str().and_then(lpts::Format::of),
    };
    format.ok_or_else(|| {
        let message = format!("`{}` does not say what format to write", path.display());
        Failure::usage(message).help("name it .tra, .drn, .lpts, .json, .dot or .svg")
    })
}

/// Writes one system of states in the form that the name of the file says.
pub fn write_one(path: &Path, one: &Lpts, system: &System) -> Result<(), Failure> {
    if let Some(picture) = Picture::of(path) {
        return write_file(path, drawing(picture, one, system).as_bytes());
    }
    let format = format(path)?;
    let rewards = system
        .rewards
        .iter()
        .take_while(|_| one.rewards(0).is_some());
    let rewards: Vec<String> = rewards.cloned().collect();
    let one_state = matches!(format, lpts::Format::Json | lpts::Format::Text);
    if one_state && one.initials().len() > 1 {
        let message = "this format has one initial state, and the system several";
        return Err(Failure::usage(message).help("write a .drn or .tra file"));
    }
    // Numbers of propositions are the system's; in a file they are those that this part knows.
    let known = one.propositions().iter();
    let names = known.map(
        |(number, _)| match system.propositions.get(*number as usize) {
            Some(proposition) => proposition.name.trim_matches('"').to_owned(),
            None => number.to_string(),
        },
    );
    let names: Vec<String> = names.collect();
    let propositions = one.propositions().iter();
    let numbered = (0..).zip(propositions.map(|(_, truth)| truth.clone()));
    let one = one.clone().with_propositions(numbered.collect());
    let written = lpts::write(format, &one, &system.labels, &names, &rewards);
    write_file(path, written.main.as_bytes())?;
    for (end, text) in [("sta", written.states), ("lab", written.labels)] {
        if let Some(text) = text {
            write_file(&path.with_extension(end), text.as_bytes())?;
        }
    }
    Ok(())
}
