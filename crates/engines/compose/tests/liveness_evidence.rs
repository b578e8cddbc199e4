//! Evidence about liveness that is damaged anywhere is rejected, and evidence in files is the same after reading.

#![allow(clippy::unwrap_used)]

use suppose_certify::file::{Evidence, ReadLimits, read, write_certificate, write_counterexample};
use suppose_compose::liveness;
use suppose_control::Context;
use suppose_frontends::{Input, LoadOptions, load};
use suppose_model::lts::{Fairness, Layout, Network, PackedStates};
use suppose_model::{Certificate, Counterexample, LivenessProof, Verdict};

const MODEL: &str = "
P = (a -> P | b -> Q | stop -> S), Q = (c -> P | d -> Q), S = (e -> S | f -> S).
R = (a -> g -> R).
||SYS = (P || R).
fluent F = <a, {c, e}>
fluent H = <b, c>
progress GOES = {e, f}
progress IF = if {a} then {g}
progress FAILS = {a, c}
progress FAILS_IF = if {e} then {b, f, d}
progress WRONG = if {e} then {b, d}
assert ENDS = <>[]{e, f, g}
assert ANSWER = [] (b -> <> (c || d))
assert UNTIL = [] (H -> X (d U (c || g || a)))
assert OFTEN = ([]<>F || <>[]!F)
assert NEVER = []<>(a && X g)
assert TWICE = <>(e && X (f && X e))
assert SAME = []<>(H && X (d || g))
assert WEAK = (<>stop && (!stop U stop))
assert PAIR = [](stop -> (<>[]!a && []<>(e || f)))
assert NOT = ([]<>e -> <>[]e)
";

fn network(fairness: Fairness) -> Network {
    let options = LoadOptions {
        system: Some("SYS".to_owned()),
        fairness,
        ..LoadOptions::default()
    };
    load(vec![Input::new("m.lts", MODEL)], &options)
        .unwrap()
        .network
}

fn accepts(network: &Network, proof: &Certificate) -> bool {
    suppose_certify::certificate(network, proof, &Context::default()).is_ok()
}

fn holds(network: &Network, run: &Counterexample) -> bool {
    suppose_certify::counterexample(network, run).is_ok()
}

/// All vectors but one, and the other way to damage them: one slot changed. The last slots, sets and ranks, may have other values.
fn damaged(vectors: &PackedStates, last: usize) -> Vec<PackedStates> {
    let all: Vec<Vec<u32>> = vectors.iter().map(|r| vectors.layout().unpack(r)).collect();
    let width = all.first().map_or(0, Vec::len);
    let pack = |all: &[Vec<u32>]| {
        let most = |slot: usize| all.iter().map(|v| v[slot]).max().unwrap_or(0) + 1;
        let layout = Layout::new((0..width).map(most));
        let mut packed = PackedStates::new(layout.clone());
        all.iter()
            .for_each(|v| packed.push(&layout.pack(v).unwrap()));
        packed
    };
    let mut found = Vec::new();
    for at in 0..all.len() {
        let mut fewer = all.clone();
        fewer.remove(at);
        found.push(pack(&fewer));
        for slot in 0..width - last {
            let mut changed = all.clone();
            changed[at][slot] += 1;
            found.push(pack(&changed));
        }
    }
    found
}

#[test]
fn damaged_proofs_are_rejected() {
    let mut seen = [0; 2];
    for fairness in [Fairness::FairChoice, Fairness::None] {
        let network = network(fairness);
        for number in 0..network.liveness.len() {
            let answer = liveness::check(&network, number, &Context::default());
            let Verdict::Holds(proof) = answer.verdict else {
                continue;
            };
            assert!(accepts(&network, &proof));
            let name = &network.liveness[number].name;
            let with = |live: LivenessProof| Certificate {
                liveness: Some(Box::new(live)),
                ..(*proof).clone()
            };
            match proof.liveness.as_deref().unwrap() {
                LivenessProof::Fair {
                    residuals,
                    vectors,
                    sets,
                } => {
                    seen[0] += 1;
                    let make = |vectors: &PackedStates, sets: &[_]| {
                        with(LivenessProof::Fair {
                            residuals: residuals.clone(),
                            vectors: vectors.clone(),
                            sets: sets.to_vec(),
                        })
                    };
                    for vectors in damaged(vectors, 2) {
                        assert!(!accepts(&network, &make(&vectors, sets)), "{name}");
                    }
                    for at in 0..sets.len() {
                        let mut fewer = sets.clone();
                        fewer.remove(at);
                        assert!(!accepts(&network, &make(vectors, &fewer)), "{name}");
                        for pair in 0..sets[at].pairs.len() {
                            let mut fewer = sets.clone();
                            fewer[at].pairs.remove(pair);
                            assert!(!accepts(&network, &make(vectors, &fewer)), "{name} {pair}");
                        }
                        for passage in 0..sets[at].passages.len() {
                            let mut fewer = sets.clone();
                            fewer[at].passages.remove(passage);
                            assert!(
                                !accepts(&network, &make(vectors, &fewer)),
                                "{name} {passage}"
                            );
                            let mut shorter = sets.clone();
                            shorter[at].passages[passage].to -= 1;
                            assert!(
                                !accepts(&network, &make(vectors, &shorter)),
                                "{name} {passage}"
                            );
                        }
                        if !sets[at].walk.is_empty() {
                            let mut shorter = sets.clone();
                            shorter[at].walk.pop();
                            assert!(!accepts(&network, &make(vectors, &shorter)), "{name}");
                        }
                    }
                }
                LivenessProof::All {
                    owed,
                    vectors,
                    classes,
                } => {
                    seen[1] += 1;
                    let make = |owed: &[Vec<u32>], vectors: &PackedStates, classes: &[_]| {
                        with(LivenessProof::All {
                            owed: owed.to_vec(),
                            vectors: vectors.clone(),
                            classes: classes.to_vec(),
                        })
                    };
                    for vectors in damaged(vectors, 1) {
                        assert!(!accepts(&network, &make(owed, &vectors, classes)), "{name}");
                    }
                    for at in 0..classes.len() {
                        if classes[at].is_some() {
                            let mut none = classes.clone();
                            none[at] = None;
                            assert!(!accepts(&network, &make(owed, vectors, &none)), "{name}");
                        }
                    }
                    for at in 0..owed.len() {
                        let mut less = owed.clone();
                        less[at].pop();
                        assert!(!accepts(&network, &make(&less, vectors, classes)), "{name}");
                    }
                }
                other => panic!("{name}: {other:?}"),
            }
        }
    }
    assert!(seen[0] > 5 && seen[1] > 0, "{seen:?}");
}

#[test]
fn damaged_runs_are_rejected() {
    let mut seen = 0;
    for fairness in [Fairness::FairChoice, Fairness::None] {
        let network = network(fairness);
        for number in 0..network.liveness.len() {
            let answer = liveness::check(&network, number, &Context::default());
            let Verdict::Violated(run) = answer.verdict else {
                continue;
            };
            assert!(holds(&network, &run));
            seen += 1;
            let name = &network.liveness[number].name;
            let mut cut = run.clone();
            cut.steps.pop();
            assert!(!holds(&network, &cut), "{name}");
            let mut open = run.clone();
            open.lasso = None;
            assert!(!holds(&network, &open), "{name}");
            let Some(terminal) = &run.lasso.as_ref().unwrap().terminal else {
                continue;
            };
            let with = |terminal| {
                let mut run = run.clone();
                run.lasso.as_mut().unwrap().terminal = terminal;
                run
            };
            assert!(
                !holds(&network, &with(None)) || fairness == Fairness::None,
                "{name}"
            );
            for vectors in damaged(&terminal.vectors, 1) {
                let mut less = terminal.clone();
                less.vectors = vectors;
                assert!(!holds(&network, &with(Some(less))), "{name}");
            }
            for pair in 0..terminal.set.pairs.len() {
                let mut less = terminal.clone();
                less.set.pairs.remove(pair);
                assert!(!holds(&network, &with(Some(less))), "{name}");
            }
            for passage in 0..terminal.set.passages.len() {
                let mut less = terminal.clone();
                less.set.passages.remove(passage);
                assert!(!holds(&network, &with(Some(less))), "{name}");
            }
            let mut less = terminal.clone();
            less.set.walk.pop();
            assert!(!holds(&network, &with(Some(less))), "{name}");
        }
    }
    assert!(seen > 5, "{seen}");
}

#[test]
fn evidence_in_files_is_the_same_after_reading() {
    for fairness in [Fairness::FairChoice, Fairness::None] {
        let network = network(fairness);
        for number in 0..network.liveness.len() {
            let answer = liveness::check(&network, number, &Context::default());
            let mut file = Vec::new();
            match &answer.verdict {
                Verdict::Holds(proof) => {
                    write_certificate(&mut file, &network, &[], proof).unwrap()
                }
                Verdict::Violated(run) => {
                    write_counterexample(&mut file, &network, &[], run).unwrap()
                }
                Verdict::Unknown(reason) => panic!("{reason:?}"),
            }
            let back = read(file.as_slice(), &network, &[], &ReadLimits::default()).unwrap();
            let mut again = Vec::new();
            match back {
                Evidence::Certificate(proof) => {
                    assert!(accepts(&network, &proof));
                    write_certificate(&mut again, &network, &[], &proof).unwrap();
                }
                Evidence::Counterexample(run) => {
                    assert!(holds(&network, &run));
                    write_counterexample(&mut again, &network, &[], &run).unwrap();
                }
            }
            assert_eq!(file, again);
        }
    }
}
