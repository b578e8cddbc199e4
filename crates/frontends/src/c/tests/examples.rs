//! The programs of `examples/c`, run with random values: the safe ones are never violated, and each
//! violation of the others is a derivation.

use suppose_number::Int;
use suppose_testkit::Rng;

use super::{check_derivation, ends_in_a_violation};
use crate::c::{COptions, IntType, Integers, RunResult, read_text};

#[test]
fn examples_run_as_expected() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/c");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|d| std::fs::read_dir(d.unwrap().path()).ok())
        .flatten()
        .map(|f| f.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    assert!(files.len() >= 40, "{}", files.len());
    let mut found = 0;
    for file in &files {
        let name = file.to_string_lossy();
        let unsafe_twin = name.contains("-unsafe");
        let text = std::fs::read_to_string(file).unwrap();
        for integers in [Integers::Machine, Integers::Wrap, Integers::Mathematical] {
            let wrap = integers == Integers::Wrap;
            let mathematical = integers == Integers::Mathematical;
            if name.contains("/arithmetic/") && mathematical && !name.contains("digits") {
                continue;
            }
            let options = COptions {
                integers,
                ..COptions::default()
            };
            let (program, _) = read_text(&name, &text, &options)
                .unwrap_or_else(|(e, s)| panic!("{}", e.render(&s, false)));
            let mut rng = Rng::new(1);
            for round in 0..400 {
                // Small numbers, mostly, so that loops end; with rounds of larger ones.
                let width = [3, 6, 12, 200][round % 4];
                let mut choose = |_: Option<&str>, _: IntType| {
                    Some(Int::from(rng.below(width) as i64 - (width / 3) as i64))
                };
                if let RunResult::Violated { derivation, tree } = program.run(&mut choose, 3000) {
                    // A large array may have any value in a run of the clauses.
                    if !program.confirms(&derivation) {
                        continue;
                    }
                    assert!(unsafe_twin || wrap, "{name} is violated: {tree:?}");
                    check_derivation(program.horn(), &derivation)
                        .unwrap_or_else(|e| panic!("{name}: {e}"));
                    ends_in_a_violation(&program, &derivation);
                    found += 1;
                    break;
                }
            }
        }
    }
    assert!(found >= 40, "only {found} violations were found");
}
