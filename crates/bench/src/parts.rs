//! Protocols by size: proofs by views of two processes beside the search of all states and beside SPIN.
//!
//! Each column is tried up to the size at which it gives up.

use std::path::Path;

use suppose::Failure;
use suppose_report::{format_bytes, grouped};

use crate::args::BenchArgs;
use crate::cell::Limits;
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
    family!("test-and-set", "../parts/test-and-set.pml", [4, 16, 24, 30]),
    family!("ticket lock", "../parts/ticket.pml", [2, 3, 4, 6]),
    family!("Anderson's lock", "../parts/anderson.pml", [2, 3, 4, 6]),
    family!("MCS queue lock", "../parts/mcs.pml", [3, 4, 5, 6]),
    family!(
        "Burns",
        "../../../examples/promela/burns/burns.pml",
        [4, 6, 8, 10, 12]
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
    family!("semaphore", "../parts/semaphore.pml", [3, 6, 9]),
    family!(
        "readers and writers",
        "../parts/readers-writers.pml",
        [3, 5, 7]
    ),
    family!(
        "client and server",
        "../parts/client-server.pml",
        [4, 16, 30]
    ),
    family!("token ring", "../parts/token-ring.pml", [4, 8, 12, 16]),
];

const HEAD: &str = "
| protocol | N | views | local | memory | states | search | memory | SPIN's states | SPIN | memory |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|";

/// Measures and prints, row by row.
pub fn bench(args: &BenchArgs, limits: &Limits, folder: &Path) -> Result<(), Failure> {
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
    limits: &Limits,
    given_up: &mut [bool; 3],
) -> Result<(), Failure> {
    let set = [("N", size)];
    let by = |engine: &str| {
        let mut all = arguments("check", file, &set);
        all.extend(["--engine", engine, "--property", "assertions"].map(str::to_owned));
        own(&all, limits)
    };
    let mut cells = vec![family.name.to_owned(), size.to_string()];
    for (column, engine) in ["local", "monolithic"].into_iter().enumerate() {
        if given_up[column] {
            cells.extend(["-"; 3].map(str::to_owned));
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
