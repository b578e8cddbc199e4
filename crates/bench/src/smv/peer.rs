//! NuSMV on the same model, with the order of its variables free to change and cones of influence.

use std::path::{Path, PathBuf};

use super::measure::Cell;
use crate::cell::{RunSettings, median};
use crate::child;
use crate::files::write_file;
use suppose::Failure;

/// Properties one by one, as without a script, then what it took.
const CHECK: &str = "read_model\nflatten_hierarchy\nencode_variables\ncheck_property\nshow_property\nprint_bdd_stats\nquit\n";
/// The whole relation, which the check of cones does not build.
const BUILD: &str =
    "read_model\nflatten_hierarchy\nencode_variables\nbuild_model -f\nprint_fsm_stats\nquit\n";

/// Where NuSMV is: on the path, or among the tools of the tests.
pub fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&path).collect();
    places.push(PathBuf::from(".test-tools/bin"));
    let programs = places.into_iter().map(|p| p.join("NuSMV"));
    programs
        .filter(|p| p.is_file())
        .find_map(|p| std::path::absolute(p).ok())
}

/// Runs it as often as asked and gives the run with the median time.
pub fn measure(
    program: &Path,
    file: &Path,
    folder: &Path,
    limits: &RunSettings,
) -> Result<Cell, Failure> {
    let mut cell = median(
        limits.runs,
        || {
            let ran = run(program, file, folder, CHECK, limits)?;
            Ok(read(&ran.stdout, ran.seconds))
        },
        Cell::timed,
    )?;
    if cell.decided() {
        let ran = run(program, file, folder, BUILD, limits)?;
        cell.relation = clusters(&ran.stdout);
        cell.checking = cell.checking.saturating_sub(cell.relation);
    }
    Ok(cell)
}

fn run(
    program: &Path,
    file: &Path,
    folder: &Path,
    script: &str,
    limits: &RunSettings,
) -> Result<child::Ran, Failure> {
    let commands = folder.join("commands");
    write_file(&commands, script.as_bytes())?;
    let shown = |path: &Path| path.display().to_string();
    let command = [
        shown(program),
        "-dynamic".to_owned(),
        "-coi".to_owned(),
        "-source".to_owned(),
        shown(&commands),
        shown(file),
    ];
    let bounds = child::ProcessLimits {
        cpu: limits.timeout,
        memory: limits.memory,
    };
    child::run(&command, folder, bounds)
}

/// What it prints: properties as `[CTL  True  N/A  name]`, and `Peak number of nodes: 5`.
fn read(text: &str, seconds: f64) -> Cell {
    let mut cell = Cell {
        seconds,
        ..Cell::default()
    };
    for line in text.lines() {
        let line = line.trim();
        if let Some(count) = line.strip_prefix("Peak number of nodes:") {
            cell.checking = count.trim().parse().unwrap_or(0);
        }
        let Some(inside) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) else {
            continue;
        };
        let words: Vec<&str> = inside.split_whitespace().collect();
        let [_, verdict, _, name] = words[..] else {
            continue;
        };
        cell.properties += 1;
        let verdict = match verdict {
            "True" => "holds",
            "False" => "violated",
            _ => continue,
        };
        cell.verdicts.insert(name.to_owned(), verdict.to_owned());
    }
    if !cell.decided() {
        cell.reason = "limit".to_owned();
    }
    cell
}

/// The nodes of all clusters of the forward schedule: `cluster 1 : size 1124`.
fn clusters(text: &str) -> u64 {
    let mut sum = 0;
    for line in text.lines() {
        if line.starts_with("Backward") {
            break;
        }
        if line.starts_with("cluster")
            && let Some((_, size)) = line.rsplit_once("size ")
        {
            sum += size.trim().parse::<u64>().unwrap_or(0);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_tables_are_read() {
        let text = "000 :AG a \n  [CTL            True           N/A    one]\n\
                    001 :(b) \n  [Invar          False          1      two]\nPeak number of nodes: 56210\n";
        let cell = read(text, 0.5);
        assert!(cell.decided());
        assert_eq!(cell.verdicts["one"], "holds");
        assert_eq!(cell.verdicts["two"], "violated");
        assert_eq!(cell.checking, 56_210);
        assert!(!read("  [CTL   Unchecked   N/A   one]\n", 60.0).decided());
        let text =
            "cluster 1\t:\tsize 1124\ncluster 2\t:\tsize 6\nBackward\ncluster 1\t:\tsize 9\n";
        assert_eq!(clusters(text), 1130);
    }
}
