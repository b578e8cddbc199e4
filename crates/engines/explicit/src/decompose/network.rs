//! Builds the network from the explored processes and stores.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use suppose_model::lts::{Label, Labels, LtsBuilder, Network};
use suppose_model::program::{Program, Question, Type};

use super::explore::{ExploredLabel, Explorer, LabelKind, List};
use super::shape::Shape;
use super::start::Begin;
use super::text::Words;
use super::trace::Steps;
use super::{Decomposed, Part};

/// The network of what was found.
pub fn build(mut explorer: Explorer, begin: &Begin, watched: &[usize]) -> Decomposed {
    let program = explorer.program;
    let names = channel_names(program, explorer.shape);
    let words = Words::new(program, &names, &explorer.shape.channels);
    let processes = process_names(program, explorer.shape);
    let mut labels = Labels::new();
    let used: Vec<bool> = explorer
        .labels
        .iter()
        .map(|l| is_used(&explorer, l))
        .collect();
    let numbers = name_labels(&explorer, &words, &processes, &used, &mut labels);
    let mut network = Network::new(program.name.clone(), labels);
    let busy = busy(&explorer);
    let mut parts = Vec::new();
    for (process, side) in explorer.sides.iter().enumerate() {
        let mut builder = LtsBuilder::new(processes[process].clone());
        builder.states(side.states.len() as u32);
        let component = network.components.len();
        let mut any = false;
        for number in busy[process].iter().copied() {
            any = true;
            if !used[number] {
                continue;
            }
            let (found, label) = (&explorer.labels[number], numbers[number]);
            for it in found.moves.iter().filter(|m| m.process as usize == process) {
                builder.edge(it.source, label, it.target);
            }
        }
        if !any {
            continue;
        }
        for it in &side.quiet {
            builder.edge(it.source, Label::TAU, it.target);
        }
        if side.states.len() <= MOST_NAMED {
            for (number, local) in side.states.iter().enumerate() {
                let name = state_name(&words, program, explorer.shape, process, local);
                builder.state_name(number as u32, name);
            }
        }
        network.add_component(builder.build());
        parts.push(Part {
            process,
            name: processes[process].clone(),
            component,
        });
    }
    add_stores(&explorer, &words, &numbers, &used, &mut network);
    let questions = add_questions(&explorer, &numbers, &used, watched, &mut network);
    network.close();
    let (mut keys, mut moves) = (Vec::new(), Vec::new());
    for (number, found) in std::mem::take(&mut explorer.labels).into_iter().enumerate() {
        if used[number] {
            keys.push((numbers[number], found.key));
            moves.push((numbers[number], found.moves));
        }
    }
    for side in &mut explorer.sides {
        moves.push((Label::TAU, std::mem::take(&mut side.quiet)));
    }
    let steps = Steps {
        moves,
        lists: std::mem::take(&mut explorer.steps),
    };
    let ops = std::mem::take(&mut explorer.ops);
    Decomposed {
        network,
        ops,
        parts,
        questions,
        over_approximates: explorer.over_approximates,
        steps,
        begin: begin.steps.clone(),
        keys,
        kinds: explorer.shape.channels.clone(),
        channels: names,
    }
}

/// Components with more states than that have no names for them: nobody reads so many.
const MOST_NAMED: usize = 10_000;

/// For each process, the labels it does something on.
fn busy(explorer: &Explorer) -> Vec<Vec<usize>> {
    let mut busy = vec![Vec::new(); explorer.sides.len()];
    for (number, found) in explorer.labels.iter().enumerate() {
        for it in &found.moves {
            let mine: &mut Vec<usize> = &mut busy[it.process as usize];
            if mine.last() != Some(&number) {
                mine.push(number);
            }
        }
    }
    busy
}

/// Can the label happen at all? Every store that sees it has an edge for it, and both sides of a rendezvous are there.
fn is_used(explorer: &Explorer, found: &ExploredLabel) -> bool {
    let tracks = found.tracks.iter();
    let mut tracks = tracks.map(|t| &explorer.tracks[*t]);
    tracks.all(|track| !track.edges.is_empty())
}

fn name_labels(
    explorer: &Explorer,
    words: &Words,
    processes: &[String],
    used: &[bool],
    labels: &mut Labels,
) -> Vec<Label> {
    let short: Vec<String> = explorer
        .labels
        .iter()
        .map(|l| short(explorer, words, l))
        .collect();
    let mut count: HashMap<&str, u32, FxBuildHasher> = HashMap::default();
    for (name, _) in short.iter().zip(used).filter(|(_, used)| **used) {
        *count.entry(name).or_default() += 1;
    }
    let mut numbers = Vec::with_capacity(short.len());
    for (number, found) in explorer.labels.iter().enumerate() {
        if !used[number] {
            numbers.push(Label::TAU);
            continue;
        }
        let mut name = short[number].clone();
        if count[name.as_str()] > 1 {
            let who = found.key.process.map_or("claim", |p| processes[p].as_str());
            name = match &found.key.meeting {
                Some(meeting) => format!("{who}>{}: {name}", processes[meeting.receiver]),
                None => format!("{who}: {name}"),
            };
        }
        while labels.get(&name).is_some() {
            name.push('\'');
        }
        numbers.push(labels.intern(&name));
    }
    numbers
}

/// A label without saying whose it is.
fn short(explorer: &Explorer, words: &Words, found: &ExploredLabel) -> String {
    let key = &found.key;
    let ops = |ops: List| words.ops(&explorer.ops.all(ops));
    let mut all = Vec::new();
    if key.ops != 0 {
        all.push(ops(key.ops));
    }
    if let Some(meeting) = &key.meeting {
        all.push(words.message(meeting.channel, &meeting.values));
        if meeting.ops != 0 {
            all.push(ops(meeting.ops));
        }
    }
    let text = all.join("; ");
    match key.kind {
        LabelKind::Normal => text,
        LabelKind::Wrong if text.is_empty() => "fails".to_owned(),
        LabelKind::Wrong => format!("fails: {text}"),
        LabelKind::Claim(number) => {
            let name = words.claim(number);
            format!("{name} is violated: {text}")
        }
    }
}

fn add_stores(
    explorer: &Explorer,
    words: &Words,
    numbers: &[Label],
    used: &[bool],
    network: &mut Network,
) {
    let mut clusters: Vec<usize> = explorer.stores.keys().copied().collect();
    clusters.sort_unstable();
    for cluster in clusters {
        let store = &explorer.stores[&cluster];
        let cells = explorer.cells_of(cluster);
        let name = words.cells(&cells);
        let mut builder = LtsBuilder::new(name);
        builder.states(store.states.len() as u32);
        let mut any = false;
        for (number, found) in explorer.labels.iter().enumerate() {
            if !used[number] {
                continue;
            }
            for track in found.tracks.iter().map(|t| &explorer.tracks[*t]) {
                if track.cluster == cluster {
                    any = true;
                    builder.extend_alphabet([numbers[number]]);
                    for (source, target) in &track.edges {
                        builder.edge(*source, numbers[number], *target);
                    }
                }
            }
        }
        for (number, state) in store.states.iter().enumerate() {
            builder.state_name(number as u32, words.values(&cells, state));
        }
        if any {
            network.add_component(builder.build());
        }
    }
}

fn add_questions(
    explorer: &Explorer,
    numbers: &[Label],
    used: &[bool],
    watched: &[usize],
    network: &mut Network,
) -> Vec<(Question, usize)> {
    let mut questions = Vec::new();
    let of_kind = |kind: LabelKind| {
        let all = explorer.labels.iter().enumerate();
        let all = all.filter(|(n, l)| used[*n] && l.key.kind == kind);
        let labels: Vec<Label> = all.map(|(n, _)| numbers[n]).collect();
        labels
    };
    let program = explorer.program;
    let mut forbid = |question: Question, labels: Vec<Label>, network: &mut Network| {
        let mut builder = LtsBuilder::new(program.question_name(question));
        builder.extend_alphabet(labels);
        questions.push((question, network.properties.len()));
        let span = match question {
            Question::Claim(number) => Some(program.claims[number].span),
            _ => None,
        };
        network.add_property(&builder.build(), span);
    };
    forbid(Question::Assertions, of_kind(LabelKind::Wrong), network);
    for claim in watched {
        let labels = of_kind(LabelKind::Claim(*claim));
        if !labels.is_empty() {
            let name = &program.claims[*claim].name;
            let mut observer = LtsBuilder::new(format!("claim {name}"));
            for label in &labels {
                observer.edge(0, *label, 0);
            }
            network.add_component(observer.build());
        }
        forbid(Question::Claim(*claim), labels, network);
    }
    questions
}

fn process_names(program: &Program, shape: &Shape) -> Vec<String> {
    let name = |(number, proctype): (usize, &u32)| {
        let name = &program.proctypes[*proctype as usize].name;
        let several = shape.proctypes.iter().filter(|p| *p == proctype).count() > 1;
        match several {
            true => format!("{name}[{number}]"),
            false => name.clone(),
        }
    };
    shape.proctypes.iter().enumerate().map(name).collect()
}

/// The names of the channels: of the shared variable that always means it, or of its kind.
fn channel_names(program: &Program, shape: &Shape) -> Vec<String> {
    let name = |(at, kind): (usize, &u32)| {
        let number = at as i32 + 1;
        let mut slots = program.globals.iter().zip(&shape.fixed);
        let slot = slots.find(|(s, fixed)| s.ty == Type::Chan && **fixed == Some(number));
        let kind = &program.channels[*kind as usize].name;
        slot.map_or_else(|| format!("{kind}#{number}"), |(s, _)| s.name.clone())
    };
    shape.channels.iter().enumerate().map(name).collect()
}

fn state_name(
    words: &Words,
    program: &Program,
    shape: &Shape,
    process: usize,
    local: &super::residual::Local,
) -> String {
    let text = &program.proctypes[shape.proctypes[process] as usize];
    let here = &text.locations[local.location as usize];
    let mut name = match here.labels.first() {
        Some(label) => label.clone(),
        None => format!("@{}", local.location),
    };
    let own = shape.private[process].iter().map(|s| &program.globals[*s]);
    for (slot, value) in text.locals.iter().chain(own).zip(&*local.values) {
        name.push_str(&format!(
            " {}={}",
            slot.name,
            words.value(Some(slot.ty), *value)
        ));
    }
    name
}
