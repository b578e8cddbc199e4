//! States in a folder: what is found is what a search in memory finds, whatever the number of threads and however often it is stopped.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{generate, replays, word};
use crate::rounds::{Disk, DiskReport, search_on_disk};
use crate::{ExplicitOptions, Report, SearchVerdict, search};
use suppose_control::{Context, Control, Event, Observer, Stopped};
use suppose_model::Reason;
use suppose_model::program::{Program, Question};
use suppose_testkit::promela::{self, Exchangeable, Shape};
use suppose_testkit::rng::{Rng, for_each_seed};

/// More states are not worth it here.
const MOST: u64 = 3_000;

fn folder(name: &str) -> PathBuf {
    // Forcing hundreds of small files to a disk takes minutes; in memory it takes nothing.
    let memory = PathBuf::from("/dev/shm");
    let temporary = if memory.is_dir() {
        memory
    } else {
        std::env::temp_dir()
    };
    let path = temporary.join(format!("suppose-rounds-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    path
}

fn read(text: &str) -> Program {
    let read = suppose_frontends::promela::read_text("random.pml", text);
    read.unwrap_or_else(|_| panic!("the front-end refuses\n{text}"))
        .0
        .program
}

/// Stops after so many events.
struct After(AtomicU64, Arc<Control>);

impl Observer for After {
    fn on_event(&self, _: &Event) {
        if self.0.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.1.stop(Stopped::Interrupted);
        }
    }
}

fn on_disk(
    program: &Program,
    group: &[Question],
    options: &ExplicitOptions,
    place: &Path,
) -> DiskReport {
    let disk = Disk {
        folder: place,
        identity: "a program",
        buffer: 1 << 20,
        save_after: 0,
    };
    search_on_disk(program, group, options, &disk, &Context::default())
}

/// The same search, stopped again and again.
fn in_pieces(
    program: &Program,
    group: &[Question],
    options: &ExplicitOptions,
    place: &Path,
    rng: &mut Rng,
) -> DiskReport {
    let save_after = [0, 100][rng.below(2)];
    for _ in 0..500 {
        let control = Arc::new(Control::new(None));
        let after = After(AtomicU64::new(1 + rng.below(6) as u64), control.clone());
        let cx = Context::new(control, Arc::new(after));
        let disk = Disk {
            folder: place,
            identity: "a program",
            buffer: 1 << 20,
            save_after,
        };
        let options = ExplicitOptions {
            threads: 1 + rng.below(3),
            ..*options
        };
        let found = search_on_disk(program, group, &options, &disk, &cx);
        let stopped =
            |(_, v): &(Question, SearchVerdict)| *v == SearchVerdict::Unknown(Reason::Interrupted);
        if !found.report.verdicts.iter().any(stopped) && (found.report.complete || !options.exhaust)
        {
            return found;
        }
    }
    panic!("the search does not end");
}

fn plain(report: &Report) -> Report {
    Report {
        memory: 0,
        threads: 0,
        ..report.clone()
    }
}

#[derive(Default)]
struct Seen {
    compared: u32,
    reduced: u32,
    violated: u32,
}

fn same_on_disk(program: &Program, rng: &mut Rng, seen: &mut Seen, place: &Path) {
    let mut groups = vec![vec![Question::Assertions, Question::EndStates]];
    groups.extend((0..program.claims.len()).map(|c| vec![Question::Claim(c)]));
    groups.retain(|g| !program.is_liveness(g[0]));
    let options = ExplicitOptions {
        reduction: rng.below(2) == 0,
        merge: rng.below(2) == 0,
        exhaust: true,
        threads: 1 + rng.below(3),
        ..ExplicitOptions::default()
    };
    for group in groups {
        let cx = Context::default().with_state_limit(MOST);
        let expected = search(
            program,
            &group,
            &ExplicitOptions {
                threads: 1,
                ..options
            },
            &cx,
        );
        if !expected.complete {
            continue;
        }
        let found = on_disk(program, &group, &options, place);
        let _ = std::fs::remove_dir_all(place);
        if let Some((_, SearchVerdict::Unknown(Reason::Unsupported(why)))) =
            found.report.verdicts.first()
        {
            assert!(
                why.contains("beyond this engine") || why.contains("a number"),
                "{why}"
            );
            continue;
        }
        seen.compared += 1;
        let claim = matches!(group[0], Question::Claim(_));
        if !options.reduction && !claim {
            let counts = |r: &Report| (r.states, r.transitions, r.depth);
            assert_eq!(counts(&found.report), counts(&expected), "{options:?}");
        }
        for ((question, disk), (_, memory)) in found.report.verdicts.iter().zip(&expected.verdicts)
        {
            assert_eq!(
                word(disk),
                word(memory),
                "{question:?} {options:?} {disk:?}"
            );
            replays(program, disk);
            if let (SearchVerdict::Violated(a), SearchVerdict::Violated(b)) = (disk, memory) {
                seen.violated += 1;
                if !options.reduction && !options.merge && !claim {
                    assert_eq!(a.steps.is_empty(), b.steps.is_empty());
                }
            }
        }
        seen.reduced += u32::from(found.report.states < expected.states);
        if rng.below(4) == 0 {
            let pieces = in_pieces(program, &group, &options, place, rng);
            let _ = std::fs::remove_dir_all(place);
            assert_eq!(plain(&pieces.report), plain(&found.report), "{options:?}");
        }
    }
}

#[test]
fn a_folder_changes_nothing_on_random_programs() {
    let place = folder("random");
    let mut seen = Seen::default();
    for_each_seed(60, |rng| {
        same_on_disk(&generate::program(rng), rng, &mut seen, &place)
    });
    for shape in [
        Shape::without_errors(),
        Shape::with_errors(),
        Shape::messages(),
        Shape::exclusive(),
    ] {
        for_each_seed(25, |rng| {
            same_on_disk(
                &read(&promela::program(rng, &shape)),
                rng,
                &mut seen,
                &place,
            )
        });
    }
    for_each_seed(40, |rng| {
        same_on_disk(&read(&promela::claim::program(rng)), rng, &mut seen, &place);
    });
    for_each_seed(25, |rng| {
        same_on_disk(
            &read(&Exchangeable::random(rng).text(2)),
            rng,
            &mut seen,
            &place,
        );
    });
    if std::env::var_os("SUPPOSE_SEED").is_none() {
        assert!(
            seen.compared > 100 && seen.violated > 20,
            "{} {}",
            seen.compared,
            seen.violated
        );
    }
}

/// Processes are made on the way, so that what is compiled has to be compiled again, in the same order, before a search goes on.
#[test]
fn a_search_goes_on_where_processes_come_and_go() {
    let text = "byte n; byte x;
        proctype Child(byte a; byte b) { x = a; x = b; n-- }
        active proctype P() {
            byte i;
            do
            :: n < 2 && i < 4 -> atomic { n++; i++; run Child(i, n) }
            :: i < 4 -> i++
            :: x > 3 -> break
            od
        }";
    let program = read(text);
    let place = folder("children");
    let group = [Question::Assertions, Question::EndStates];
    for reduction in [false, true] {
        let options = ExplicitOptions {
            reduction,
            exhaust: true,
            ..ExplicitOptions::default()
        };
        let memory = search(&program, &group, &options, &Context::default());
        let whole = on_disk(&program, &group, &options, &place);
        let _ = std::fs::remove_dir_all(&place);
        assert!(whole.report.states > 1000);
        if !reduction {
            assert_eq!(plain(&whole.report).states, memory.states);
        }
        for_each_seed(3, |rng| {
            let pieces = in_pieces(&program, &group, &options, &place, rng);
            let _ = std::fs::remove_dir_all(&place);
            assert_eq!(plain(&pieces.report), plain(&whole.report));
        });
    }
}
