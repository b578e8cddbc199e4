use std::path::Path;
use std::process::{Command, Stdio};

use super::*;
use crate::rng::for_each_seed;

/// What SPIN makes of a program: the states it stores, or why it does not.
fn spin(folder: &Path, text: &str) -> Result<usize, String> {
    std::fs::write(folder.join("model.pml"), text).map_err(|e| e.to_string())?;
    let run = |name: &str, arguments: &[&str]| {
        let output = Command::new(name)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("{name}: {e}"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() {
            Ok(text)
        } else {
            Err(format!("{name}: {text}{errors}"))
        }
    };
    run("spin", &["-o1", "-o2", "-o3", "-a", "model.pml"])?;
    run(
        "gcc",
        &["-O0", "-w", "-DNOREDUCE", "-DSAFETY", "-o", "pan", "pan.c"],
    )?;
    let pan = folder.join("pan");
    let found = run(&pan.to_string_lossy(), &["-c0", "-m100000"])?;
    let line = found.lines().find(|l| l.contains("states, stored"));
    let number = line.and_then(|l| l.split_whitespace().next()?.parse().ok());
    number.ok_or(found)
}

/// A folder of its own for each test, removed at the end.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("suppose-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn spin_takes_the_programs_and_finishes() {
    let folder = Folder::new("promela-random");
    for_each_seed(12, |rng| {
        let text = program(rng, &Shape::default());
        let states = spin(&folder.0, &text);
        assert!(states.as_ref().is_ok_and(|&n| n > 0), "{states:?}\n{text}");
    });
}

#[test]
fn a_seed_gives_one_program_and_seeds_give_many() {
    let of = |seed| program(&mut Rng::new(seed), &Shape::default());
    assert_eq!(of(7), of(7));
    let all: std::collections::BTreeSet<String> = (0..200).map(of).collect();
    assert!(all.len() > 190, "{}", all.len());
}

#[test]
fn features_appear_and_can_be_switched_off() {
    let words = [
        "atomic", "d_step", "timeout", "unless", "chan ", "run ", "goto L", "eval(", "_nr_pr",
        "??", "!!",
    ];
    let text = |shape: &Shape| -> String {
        (0..500)
            .map(|seed| program(&mut Rng::new(seed), shape))
            .collect()
    };
    let all = text(&Shape::default());
    for word in words {
        assert!(all.contains(word), "{word}");
    }
    let off = Shape {
        atomic: 0,
        d_step: 0,
        timeout: 0,
        unless: 0,
        channels: (0, 0),
        init: 0,
        gotos: 0,
        nr_pr: 0,
        ..Shape::default()
    };
    let none = text(&off);
    for word in words {
        assert!(!none.contains(word), "{word}");
    }
}
