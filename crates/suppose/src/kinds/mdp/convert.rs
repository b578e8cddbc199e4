//! `suppose convert` and `suppose draw` on probabilistic systems.

use std::path::Path;

use suppose_control::Supervisor;
use suppose_frontends::lpts;
use suppose_mdp::deadlock;
use suppose_model::lts::State;
use suppose_model::mdp::{Lpts, LptsBuilder, Rewards, RewardsBuilder, System, Whole};
use suppose_report::draw;
use suppose_report::mdp::network as shape;

use super::read::{MarkovSystem, Parting, read, read_whole};
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::kinds::network::Picture;
use crate::options::{ConvertOptions, DrawOptions};
use crate::session::Session;
use crate::source::Source;

/// Writes a system, or one component of it, in another form.
pub fn convert(
    source: &Source,
    options: &ConvertOptions,
    session: &Session,
) -> Result<(), Failure> {
    let system = match &options.component {
        Some(_) => read(source, &options.model, &[], false, Parting::Usual, session)?,
        None => read_whole(source, &options.model, session)?,
    };
    session.counters.begin("converting");
    let whole = &system.system;
    if !whole.rewards.is_empty() && format(&options.output).ok() != Some(lpts::Format::Drn) {
        session.warn(["rewards are written in .drn files only".to_owned()]);
    }
    match &options.component {
        Some(name) => write_one(&options.output, component(&system, name)?, whole, session),
        None => write_one(
            &options.output,
            &composition(whole, session)?,
            whole,
            session,
        ),
    }
}

/// Draws a system, or one component of it.
pub fn draw(source: &Source, options: &DrawOptions, session: &Session) -> Result<String, Failure> {
    let picture = Picture::asked(options)?;
    let system = read(source, &options.model, &[], false, Parting::Usual, session)?;
    session.counters.begin("drawing");
    let whole = &system.system;
    if let Some(name) = &options.component {
        return Ok(drawing(picture, component(&system, name)?, whole));
    }
    Ok(match options.composition {
        true => drawing(picture, &composition(whole, session)?, whole),
        false => picture.system(&shape(whole, &|| false)),
    })
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

/// The composition, with its actions as they are observed.
fn composition(system: &System, session: &Session) -> Result<Lpts, Failure> {
    if let ([only], false) = (&system.components[..], system.rewards.is_empty()) {
        return Ok(observed_component(&only.lpts, system));
    }
    let whole = deadlock::whole(system, &session.context()).map_err(|reason| {
        let mut failure =
            Failure::file(format!("the composition was not built: {}", reason.word()));
        failure.status = ExitStatus::Limit;
        failure
    })?;
    Ok(observed(&whole, system))
}

/// Refuses a file name whose ending is not a format for explicit-state systems.
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
        let message = format!(
            "cannot tell the output format from the name `{}`",
            path.display()
        );
        Failure::usage(message).help("name it .tra, .drn, .lpts, .json, .dot or .svg")
    })
}

/// Writes an explicit-state system in the format of the file name.
pub fn write_one(
    path: &Path,
    one: &Lpts,
    system: &System,
    session: &Session,
) -> Result<(), Failure> {
    if let Some(picture) = Picture::of(path) {
        return session
            .files
            .write(path, drawing(picture, one, system).as_bytes());
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
    session.files.write(path, written.main.as_bytes())?;
    for (end, text) in [("sta", written.states), ("lab", written.labels)] {
        if let Some(text) = text {
            session
                .files
                .write(&path.with_extension(end), text.as_bytes())?;
        }
    }
    Ok(())
}

/// The composition with its actions renamed as they are observed; states are named after those of the components.
fn observed(whole: &Whole, system: &System) -> Lpts {
    let lpts = &whole.lpts;
    let mut builder = LptsBuilder::new(&*system.name);
    builder.states(lpts.states());
    builder.initial(lpts.initial());
    for state in lpts.initials() {
        builder.also_initial(*state);
    }
    let alphabet = lpts.alphabet().iter().map(|l| system.observe(*l));
    builder.extend_alphabet(alphabet);
    for state in 0..lpts.states() as State {
        for choice in lpts.choices(state) {
            let dist = builder.store().insert(lpts.dist(choice.dist));
            builder.choice_of(state, system.observe(choice.label), dist);
        }
        let parts = system.components.iter().zip(whole.vector(state));
        let names: Vec<String> = parts.map(|(c, s)| c.lpts.state_name(s)).collect();
        builder.state_name(state, names.join(","));
    }
    for (number, truth) in lpts.propositions() {
        builder.proposition(*number, truth.clone());
    }
    builder.build()
}

/// The only component of a system with its rewards, and its actions renamed as they are observed.
fn observed_component(lpts: &Lpts, system: &System) -> Lpts {
    let mut builder = LptsBuilder::new(&*system.name);
    builder.states(lpts.states());
    builder.initial(lpts.initial());
    for state in lpts.initials() {
        builder.also_initial(*state);
    }
    builder.extend_alphabet(lpts.alphabet().iter().map(|l| system.observe(*l)));
    let count = system.rewards.len() as u32;
    let structures: Vec<&Rewards> = (0..count).filter_map(|n| lpts.rewards(n)).collect();
    let mut earned = RewardsBuilder::new(structures.len());
    for state in 0..lpts.states() as State {
        let at = state as usize;
        earned.state(structures.iter().map(|r| r.state(at).clone()));
        for (number, choice) in lpts.choice_range(state).zip(lpts.choices(state)) {
            let dist = builder.store().insert(lpts.dist(choice.dist));
            let tag = earned.choice(structures.iter().map(|r| r.choice(number).clone()));
            builder.choice_tagged(state, system.observe(choice.label), dist, tag);
        }
        if lpts.has_state_names() {
            builder.state_name(state, lpts.state_name(state));
        }
    }
    let (whole, tags) = builder.build_tagged();
    whole
        .with_propositions(lpts.propositions().to_vec())
        .with_rewards(earned.finish(&tags))
}
