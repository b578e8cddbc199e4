//! Protocols by size: proofs by views of two processes beside the search of all states and beside SPIN.
//!
//! Each column is tried up to the size at which it gives up. With a folder of models instead, each is decided by views and by the
//! search: what one accepts the other must not refuse, and where both decide they must agree.

use std::path::Path;

use suppose::Failure;
use suppose_report::{format_bytes, grouped};

use crate::args::BenchArgs;
use crate::cell::RunSettings;
use crate::promela::{Own, arguments, own, peer, seconds};
use crate::say;

/// A protocol in several sizes.
struct Family {
    name: &'static str,
    text: &'static str,
    sizes: &'static [i64],
}

macro_rules! family {
    ($name:literal, $file:literal, $sizes:expr) => {
        Family {
            name: $name,
            text: include_str!($file),
            sizes: &$sizes,
        }
    };
}

const FAMILIES: &[Family] = &[
    family!("test-and-set", "../parts/test-and-set.pml", [8, 16, 64]),
    family!(
        "recursive lock",
        "../parts/recursive-lock.pml",
        [4, 6, 8, 16, 64]
    ),
    family!("semaphore", "../parts/semaphore.pml", [3, 6, 9, 12, 16]),
    family!("token handed on", "../parts/token.pml", [8, 16, 64]),
    family!(
        "client and server",
        "../parts/client-server.pml",
        [8, 16, 64]
    ),
    family!(
        "migratory cache line",
        "../parts/migratory.pml",
        [4, 8, 12, 16, 64]
    ),
    family!(
        "MCS queue lock",
        "../parts/mcs.pml",
        [3, 4, 5, 6, 7, 16, 64]
    ),
    family!(
        "CLH queue lock",
        "../parts/clh.pml",
        [3, 4, 5, 6, 7, 16, 64]
    ),
    family!("ticket lock", "../parts/ticket.pml", [2, 3, 4, 6, 8]),
    family!(
        "readers and writers",
        "../parts/readers-writers.pml",
        [3, 5, 7, 9, 12]
    ),
    family!("Anderson's lock", "../parts/anderson.pml", [2, 3, 4, 5, 6]),
    family!(
        "Burns",
        "../../../examples/promela/burns/burns.pml",
        [4, 6, 8, 10]
    ),
    family!(
        "Peterson's filter lock",
        "../../../examples/promela/peterson/peterson.pml",
        [2, 3, 4, 5]
    ),
    family!(
        "bakery",
        "../../../examples/promela/bakery/bakery.pml",
        [2, 3, 4, 5]
    ),
    family!("Szymanski", "../parts/szymanski.pml", [2, 3, 4, 5]),
    family!("philosophers", "../parts/philosophers.pml", [4, 8, 12, 16]),
    family!("token ring", "../parts/token-ring.pml", [4, 8, 16]),
    family!(
        "leader election",
        "../../../examples/promela/leader-election/leader-election.pml",
        [3, 4, 5]
    ),
    family!(
        "cache coherence",
        "../../../examples/promela/cache-coherence/cache-coherence.pml",
        [2, 3, 4]
    ),
];

const HEAD: &str = "
| protocol | N | views | local | memory | for any N | states | search | memory | SPIN's states | SPIN | memory |
|---|--:|--:|--:|--:|---|--:|--:|--:|--:|--:|--:|";

/// Measures and prints, row by row.
pub fn bench(args: &BenchArgs, limits: &RunSettings, folder: &Path) -> Result<(), Failure> {
    if let Some(models) = &args.models {
        return compare(args, models, limits);
    }
    say(HEAD);
    for family in FAMILIES {
        let only = args.only.as_ref();
        if only.is_some_and(|only| !family.name.contains(only.as_str())) {
            continue;
        }
        let file = folder.join("model.pml");
        crate::files::write_file(&file, family.text.as_bytes())?;
        let sizes = match args.quick {
            true => &family.sizes[..1],
            false => family.sizes,
        };
        let mut given_up = [false; 3];
        for size in sizes {
            row(family, *size, &file, folder, limits, &mut given_up)?;
        }
    }
    say(
        "\nA dash: no verdict within the limits, or at a smaller size already. `SPIN` is the time of spin -a, the compiler and the search.",
    );
    Ok(())
}

fn row(
    family: &Family,
    size: i64,
    file: &Path,
    folder: &Path,
    limits: &RunSettings,
    given_up: &mut [bool; 3],
) -> Result<(), Failure> {
    let set = [("N", size)];
    let by = |engine: &str| {
        let mut all = arguments("check", file, &set);
        all.extend(["--engine", engine, "--no-deadlock"].map(str::to_owned));
        own(&all, limits)
    };
    let mut cells = vec![family.name.to_owned(), size.to_string()];
    for (column, engine) in ["local", "monolithic"].into_iter().enumerate() {
        if given_up[column] {
            let width = if column == 0 { 4 } else { 3 };
            cells.extend(["-"; 4][..width].iter().map(|c| (*c).to_owned()));
            continue;
        }
        let ran = by(engine)?;
        let holds = ran.last_line == "holds";
        if ran.last_line.starts_with("violated") {
            let message = format!("{} with N={size} is said to be violated", family.name);
            return Err(Failure::internal(message));
        }
        given_up[column] = !holds;
        cells.extend([
            size_of(&ran, engine),
            seconds(holds, ran.seconds),
            format_bytes(ran.peak),
        ]);
        if column == 0 {
            let name = &ran.document["claims"][0]["views"]["for_any_number_of"];
            let said = if name.is_string() { "yes" } else { "-" };
            cells.push(said.to_owned());
        }
    }
    if given_up[2] {
        cells.extend(["-"; 3].map(str::to_owned));
    } else {
        let theirs = peer(folder, &set, false, limits)?;
        given_up[2] = !theirs.said.decided();
        cells.extend([
            grouped(theirs.said.states),
            seconds(theirs.said.decided(), theirs.total),
            format!("{:.0} MB", theirs.said.memory),
        ]);
    }
    say(&format!("| {} |", cells.join(" | ")));
    Ok(())
}

/// Views of the proof, or states.
fn size_of(ran: &Own, engine: &str) -> String {
    let claim = &ran.document["claims"][0];
    let size = match engine {
        "local" => &claim["views"]["views"],
        _ => &claim["states"],
    };
    size.as_u64().map_or("-".to_owned(), grouped)
}

/// What became of the models of a folder.
#[derive(Default)]
struct Sums {
    models: u64,
    refused_by_both: u64,
    refused: u64,
    both: u64,
    only_views: u64,
    only_search: u64,
    neither: u64,
}

/// All programs of a folder by views and by the search.
fn compare(args: &BenchArgs, models: &Path, limits: &RunSettings) -> Result<(), Failure> {
    say("\n| model | views | local | | search | |\n|---|--:|--:|---|--:|---|");
    let entries = std::fs::read_dir(models).map_err(Failure::internal)?;
    let mut files: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    files.retain(|path| {
        let extension = path.extension().and_then(|e| e.to_str());
        matches!(extension, Some("pml" | "pm" | "pr" | "prm" | "promela"))
    });
    files.sort();
    let mut sums = Sums::default();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let only = args.only.as_ref();
        if only.is_none_or(|only| name.contains(only.as_str())) {
            compare_one(&name, &file, limits, &mut sums)?;
        }
    }
    say(&format!(
        "\n{} models; refused by both {}, by views only {}; decided by both {}, by views only {}, by the search only {}, by neither {}. \
         Where both decide they agree.",
        sums.models,
        sums.refused_by_both,
        sums.refused,
        sums.both,
        sums.only_views,
        sums.only_search,
        sums.neither
    ));
    Ok(())
}

fn compare_one(
    name: &str,
    file: &Path,
    limits: &RunSettings,
    sums: &mut Sums,
) -> Result<(), Failure> {
    let by = |engine: &str| {
        let mut all = arguments("check", file, &[]);
        all.extend(["--engine", engine, "--no-deadlock"].map(str::to_owned));
        own(&all, limits)
    };
    let (views, search) = (by("local")?, by("monolithic")?);
    let accepts = |ran: &Own| ran.document["claims"].is_array();
    let decides = |ran: &Own| accepts(ran) && !ran.last_line.starts_with("unknown");
    sums.models += 1;
    match (decides(&views), decides(&search)) {
        _ if !accepts(&search) && !accepts(&views) => sums.refused_by_both += 1,
        _ if !accepts(&views) => sums.refused += 1,
        (true, true) => sums.both += 1,
        (true, false) => sums.only_views += 1,
        (false, true) => sums.only_search += 1,
        (false, false) => sums.neither += 1,
    }
    let word = |line: &str| line.split('(').next().unwrap_or_default().to_owned();
    if decides(&views) && decides(&search) && word(&views.last_line) != word(&search.last_line) {
        let message = format!(
            "{name}: {} by views, {} by the search",
            views.last_line, search.last_line
        );
        return Err(Failure::internal(message));
    }
    let cells = [
        name.to_owned(),
        size_of(&views, "local"),
        seconds(decides(&views), views.seconds),
        views.last_line.clone(),
        seconds(decides(&search), search.seconds),
        search.last_line.clone(),
    ];
    say(&format!("| {} |", cells.join(" | ")));
    Ok(())
}
