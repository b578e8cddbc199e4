//! The graph of each proctype against the one that SPIN's verifier prints with `pan -d`.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use suppose_model::program::{Action, Keep, Proctype, Program};

mod support;
use support::read_file;

/// Edges by source and target with the flag: `A` keeps control, `D` is a `d_step`, `-` is neither.
type Edges = BTreeMap<(u32, u32, char), usize>;

/// The edges of a proctype, and the numbers of its transitions in trails, sorted.
#[derive(Default)]
struct Graph {
    edges: Edges,
    numbers: Vec<Option<u32>>,
}

/// What `pan -d` prints, by proctype.
fn of_spin(path: &Path, folder: &Path) -> Option<BTreeMap<String, Graph>> {
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .output()
            .unwrap();
        output.status.success().then_some(output.stdout)
    };
    let path = std::fs::canonicalize(path).unwrap();
    run("spin", &["-o1", "-o2", "-o3", "-a", path.to_str().unwrap()])?;
    run("gcc", &["-w", "-O0", "-o", "pan", "pan.c"])?;
    let output = Command::new(folder.join("pan"))
        .arg("-d")
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut all = BTreeMap::new();
    let mut current = String::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("proctype ").or(line.strip_prefix("init")) {
            current = if line.starts_with("init") {
                "init".to_owned()
            } else {
                name.trim().to_owned()
            };
            all.entry(current.clone()).or_insert_with(Graph::default);
        } else if !line.starts_with(['\t', ' ']) {
            current.clear();
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() != Some(&"state") || current.is_empty() {
            continue;
        }
        let from: u32 = words[1].parse().unwrap();
        let to = words.iter().skip(2).position(|w| *w == "state").unwrap();
        let to: u32 = words[to + 3].parse().unwrap();
        let flags = words
            .iter()
            .find(|w| w.starts_with('[') && w.len() == 7)
            .unwrap();
        let flag = flags.chars().nth(1).unwrap();
        let id = words.iter().position(|w| *w == "[id").unwrap();
        let graph = all.get_mut(&current).unwrap();
        *graph.edges.entry((from, to, flag)).or_insert(0) += 1;
        graph.numbers.push(Some(words[id + 1].parse().unwrap()));
    }
    all.values_mut().for_each(|g| g.numbers.sort_unstable());
    Some(all)
}

/// Our edges in the same form: what happens inside a `d_step` is left out.
fn of_ours(proctype: &Proctype) -> Graph {
    let mut graph = Graph::default();
    let number = |at: u32| at + 1;
    for (at, location) in proctype.locations.iter().enumerate() {
        if location.keep == Keep::DStep {
            continue;
        }
        for edge in &location.edges {
            let target = &proctype.locations[edge.target as usize];
            let (to, flag) = match (&edge.action, target.keep) {
                (Action::End, _) => (0, '-'),
                (_, Keep::Nothing) => (number(edge.target), '-'),
                (_, Keep::Atomic) => (number(edge.target), 'A'),
                (_, Keep::DStep) => (u32::MAX, 'D'),
            };
            let key = (number(at as u32), to, flag);
            *graph.edges.entry(key).or_insert(0) += 1;
            graph.numbers.push(edge.number);
        }
    }
    graph.numbers.sort_unstable();
    graph
}

/// How many edges leave each location, without regard to numbers; then how many there are of each flag.
fn shape(edges: &Edges) -> (Vec<usize>, usize, usize) {
    let mut out: BTreeMap<u32, usize> = BTreeMap::new();
    let (mut all, mut kept) = (0, 0);
    for ((from, _, flag), count) in edges {
        *out.entry(*from).or_insert(0) += count;
        all += count;
        kept += if *flag == 'A' { *count } else { 0 };
    }
    let mut degrees: Vec<usize> = out.into_values().collect();
    degrees.sort_unstable();
    (degrees, all, kept)
}

/// A `d_step` is one edge for SPIN, whose own keeping of control we note where it ends.
fn compare(program: &Program, spin: &BTreeMap<String, Graph>) -> Vec<String> {
    let mut differences = Vec::new();
    for proctype in &program.proctypes {
        let Some(theirs) = spin.get(&proctype.name) else {
            differences.push(format!("{} is not there", proctype.name));
            continue;
        };
        let ours = of_ours(proctype);
        let (a, b) = (shape(&ours.edges), shape(&theirs.edges));
        if a != b {
            differences.push(format!(
                "{}: ours {a:?}, SPIN's {b:?}\nours {:?}\nSPIN's {:?}",
                proctype.name, ours.edges, theirs.edges
            ));
        }
        if ours.numbers != theirs.numbers {
            differences.push(format!(
                "{}: in trails ours {:?}, SPIN's {:?}",
                proctype.name, ours.numbers, theirs.numbers
            ));
        }
    }
    differences
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|e| e == "pml" || e == "pm") {
            found.push(path);
        }
    }
}

/// What differs in one file; none if SPIN refuses it or it cannot be compared.
fn differences(path: &Path, folder: &Path) -> Option<Vec<String>> {
    // Embedded C is refused, whatever SPIN makes of it.
    if std::fs::read_to_string(path).unwrap().contains("c_code") {
        assert!(read_file(path).is_err());
        return None;
    }
    let spin = of_spin(path, folder)?;
    let found = match read_file(path) {
        Ok(read) => compare(&read.program, &spin),
        Err(error) => vec![error],
    };
    let name = path.display();
    Some(found.into_iter().map(|d| format!("{name}: {d}")).collect())
}

/// `PROMELA_MODELS=folder` compares the models of another folder.
#[test]
fn graphs_are_those_of_spin() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    let mut found = Vec::new();
    models(
        &std::env::var_os("PROMELA_MODELS").map_or(root, PathBuf::from),
        &mut found,
    );
    let next = AtomicUsize::new(0);
    let all: Vec<Option<Vec<String>>> = std::thread::scope(|scope| {
        let work = |number: usize| {
            let folder = format!("suppose-graphs-{}-{number}", std::process::id());
            let folder = std::env::temp_dir().join(folder);
            std::fs::create_dir_all(&folder).unwrap();
            let mut all = Vec::new();
            while let Some(path) = found.get(next.fetch_add(1, Ordering::Relaxed)) {
                all.push(differences(path, &folder));
            }
            std::fs::remove_dir_all(&folder).unwrap();
            all
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|n| scope.spawn(move || work(n))).collect();
        workers
            .into_iter()
            .flat_map(|w| w.join().unwrap())
            .collect()
    });
    let compared = all.iter().flatten().count();
    let wrong: Vec<&String> = all.iter().flatten().flatten().collect();
    assert!(
        wrong.is_empty(),
        "{} of {compared}:\n{wrong:#?}",
        wrong.len()
    );
    assert!(compared > 50, "only {compared} models were compared");
}
