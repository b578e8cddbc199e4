//! Programs whose states are kept in a folder.

use std::time::Instant;

use sha2::{Digest, Sha256};
use suppose_control::{Bounds, Supervisor, catch};
use suppose_explicit::portfolio::{Sink, groups, not_first, unknown, verdict};
use suppose_explicit::{Disk, DiskReport, ExplicitOptions, Order, search_on_disk};
use suppose_model::program::{Answer, Program, Question, Search};
use suppose_model::{Reason, Run};
use suppose_report::{format_bytes, grouped};

use super::engines::ProgramEngines;
use crate::failure::Failure;
use crate::storage::Storage;

/// Successors are held in so many bytes, if no limit says otherwise.
const BUFFER: u64 = 1 << 28;
/// States that may have to be expanded again after an interruption.
const SAVE_AFTER: u64 = 20_000;
const WHY: &str = "--disk asks for an exhaustive search";

/// Answers the questions, one search after the other, each in a folder of its own.
pub fn decide(
    engines: &ProgramEngines,
    questions: &[Question],
    storage: &Storage,
    sink: &mut Sink,
) -> Result<(), Failure> {
    refuse(&engines.options)?;
    let program = &engines.subject.program;
    let mut over = false;
    for (number, group) in groups(questions).iter().enumerate() {
        if over && engines.options.first {
            not_first(group, sink);
            continue;
        }
        if group.iter().any(|q| program.is_liveness(*q)) {
            for question in group {
                let why = "infinite runs are not looked for with --disk";
                let reason = Reason::Unsupported(why.to_owned());
                sink(engines.judged(unknown(*question, "monolithic", reason), WHY));
            }
            continue;
        }
        let name = (number + 1).to_string();
        for answer in search(engines, group, &storage.folder.join(name))? {
            over |= answer.verdict.is_violated();
            sink(engines.judged(answer, WHY));
        }
    }
    Ok(())
}

fn refuse(options: &ExplicitOptions) -> Result<(), Failure> {
    let other = match options {
        _ if options.order != Order::Breadth => "--order depth",
        _ if options.compaction.is_some() => "--compaction",
        _ if options.fair => "--fair",
        _ => return Ok(()),
    };
    Err(Failure::usage(format!("{other} means nothing with --disk"))
        .help("states on disk are searched breadth-first, as they are, along finite runs"))
}

fn search(
    engines: &ProgramEngines,
    group: &[Question],
    folder: &std::path::Path,
) -> Result<Vec<Answer>, Failure> {
    let program = &engines.subject.program;
    let session = engines.session;
    let names: Vec<&str> = group.iter().map(|q| program.question_name(*q)).collect();
    session.begin(&format!("{} on disk", names.join(", ")));
    let limit = session.watch.limits().memory;
    let disk = Disk {
        folder,
        identity: &identity(program, group, &engines.options),
        buffer: limit.map_or(BUFFER, |limit| (limit / 4).min(BUFFER)),
        save_after: SAVE_AFTER,
    };
    let cx = Bounds::default().context(session);
    let begun = Instant::now();
    let found = match catch(|| search_on_disk(program, group, &engines.options, &disk, &cx)) {
        Ok(found) => found,
        Err(message) => {
            let reason = Reason::Internal(message);
            let answer = |q: &Question| unknown(*q, "monolithic", reason.clone());
            return Ok(group.iter().map(answer).collect());
        }
    };
    if let Some(why) = found.refused {
        return Err(Failure::file(why).help(
            "without damage the search could go on; as it is, begin anew in another folder",
        ));
    }
    let stopped = |(_, v): &(Question, suppose_explicit::SearchVerdict)| {
        use suppose_explicit::SearchVerdict::Unknown;
        matches!(
            v,
            Unknown(Reason::Timeout | Reason::Memory | Reason::Interrupted | Reason::Disk(_))
        )
    };
    if found.report.verdicts.iter().any(stopped) {
        let root = folder.parent().unwrap_or(folder).display();
        session.warn([format!(
            "the states found so far are kept: `suppose resume {root}` goes on"
        )]);
    }
    let run = Run {
        states: found.report.states,
        transitions: found.report.transitions,
        largest: found.report.states,
        elapsed: begun.elapsed(),
        ..Run::default()
    };
    let searched = Search {
        depth: found.report.depth,
        memory: found.report.memory,
        how: how(&engines.options, &found),
        fair: false,
    };
    let answers = found
        .report
        .verdicts
        .into_iter()
        .map(|(question, found)| Answer {
            claim: question,
            engine: "monolithic".to_owned(),
            verdict: verdict(found, false),
            run: run.clone(),
            search: Some(searched.clone()),
        });
    Ok(answers.collect())
}

/// What a search is about. Two searches with one identity store the same states in the same order.
fn identity(program: &Program, group: &[Question], options: &ExplicitOptions) -> String {
    let text = format!(
        "{program:?} {group:?} {} {} {} {} {}",
        options.reduction, options.merge, options.symmetry, options.past_assertions, options.first
    );
    let hex = |byte: &u8| format!("{byte:02x}");
    Sha256::digest(text.as_bytes()).iter().map(hex).collect()
}

fn how(options: &ExplicitOptions, found: &DiskReport) -> String {
    let mut words = vec!["breadth-first".to_owned()];
    if options.reduction {
        words.push("partial-order reduction".to_owned());
    }
    if options.merge {
        words.push("local steps merged".to_owned());
    }
    words.extend(found.report.symmetry.clone());
    if found.report.threads > 1 {
        words.push(format!("{} threads", found.report.threads));
    }
    words.push(format!("{} on disk", format_bytes(found.disk)));
    if found.before > 0 {
        words.push(format!("resumed with {} states", grouped(found.before)));
    }
    words.join(", ")
}
