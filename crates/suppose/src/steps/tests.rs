//! Steps against other authorities: counts of LTSA, SPIN, NuSMV and Storm as the examples record them, the naive
//! interpreters, and the checker of evidence, which accepts the runs that random walks find.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path as File, PathBuf};

use suppose_certify::{fsm as checker, mdp, program};
use suppose_control::Context;
use suppose_frontends::prism::{Exploration, Grouping, Properties};
use suppose_frontends::{Input, Role, prism, promela, smv};
use suppose_model::fsm::{self as fsm, Shows, Simulator};
use suppose_model::lts::{Label, Labels, Network, SizeLimits, count};
use suppose_model::mdp::{Counterexample as Tree, LptsBuilder, System as ProbabilisticSystem};
use suppose_model::program::{Program, Question, StepResult, Trace};
use suppose_model::{Claim, Counterexample};
use suppose_source::{ParserLimits, SourceFile, Sources};
use suppose_testkit::{Rng, Shape, for_each_seed};

use super::*;

/// All states that steps lead to, if there are not very many.
fn reached(steps: &mut dyn Steps, most: usize) -> Option<BTreeSet<State>> {
    let found = steps.initial().unwrap();
    assert!(!found.more);
    let mut seen: BTreeSet<State> = found.list.iter().cloned().collect();
    let mut open: VecDeque<State> = found.list.into();
    while let Some(state) = open.pop_front() {
        let found = steps.enabled(&state).unwrap();
        if seen.len() > most || found.more {
            return None;
        }
        for outcome in found.list.into_iter().flat_map(|s| s.outcomes) {
            if let Leads::To(next) = outcome.leads
                && seen.insert(next.clone())
            {
                open.push_back(next);
            }
        }
    }
    Some(seen)
}

fn examples(folder: &str, end: &str) -> Vec<PathBuf> {
    let root = File::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut open = vec![root.join(folder)];
    let mut files = Vec::new();
    while let Some(at) = open.pop() {
        match at.is_dir() {
            true => open.extend(std::fs::read_dir(&at).unwrap().map(|e| e.unwrap().path())),
            false if at.extension().is_some_and(|e| e == end) => files.push(at),
            false => {}
        }
    }
    files.sort();
    files
}

fn network(path: &File) -> Option<Network> {
    let input = Input {
        name: path.display().to_string(),
        text: std::fs::read_to_string(path).unwrap(),
        role: Role::Component,
        language: None,
    };
    let options = suppose_frontends::LoadOptions::default();
    Some(suppose_frontends::load(vec![input], &options).ok()?.network)
}

/// States as LTSA counts them: violations are one state that is not counted, all ends are one.
fn as_ltsa(network: &Network, most: usize) -> Option<usize> {
    let mut steps = NetworkSteps::new(network);
    let seen = reached(&mut steps, most)?;
    let mut ends = 0;
    let mut violated = 0;
    for state in &seen {
        // Where only an environment goes on, LTSA has no end.
        let stops = steps.enabled(state).unwrap().list.is_empty();
        match steps.status(state).unwrap().ending {
            Some(Ending::End) if stops => ends += 1,
            Some(Ending::Violated(_)) => violated += 1,
            _ => {}
        }
    }
    Some(seen.len() - violated - usize::max(ends, 1) + 1)
}

#[test]
fn networks_have_as_many_states_as_ltsa_counts() {
    let mut compared = 0;
    for path in examples("fsp", "lts") {
        let Some(network) = network(&path) else {
            continue;
        };
        let limits = SizeLimits {
            states: 20_000,
            ..SizeLimits::default()
        };
        let Ok(counts) = count(&network, &limits) else {
            continue;
        };
        let ours = as_ltsa(&network, 60_000);
        assert_eq!(ours, Some(counts.states), "{}", path.display());
        compared += 1;
    }
    assert!(compared > 20, "only {compared} networks");
}

fn shapes() -> [Shape; 3] {
    let errors = Shape {
        error: 40,
        ..Shape::default()
    };
    let priority = Shape {
        priority: 100,
        ..Shape::default()
    };
    [Shape::default(), errors, priority]
}

/// Goes on by chance until nothing can be done; the run is evidence that the checker accepts.
#[test]
fn walks_of_networks_are_accepted() {
    let mut accepted = 0;
    for_each_seed(600, |rng| {
        let [plain, errors, _] = shapes();
        let shape = if rng.percent(50) { plain } else { errors };
        let network = suppose_testkit::random::network(rng, &shape);
        let mut steps = NetworkSteps::new(&network);
        let mut random = Random::new(rng.next_u64());
        let mut state = steps.sample_initial(&mut random).unwrap().unwrap();
        let mut run = Vec::new();
        for _ in 0..60 {
            let status = steps.status(&state).unwrap();
            let claim = match status.ending {
                Some(Ending::End) => break,
                Some(Ending::Deadlock(_)) => Some(Claim::DeadlockFree),
                Some(Ending::Violated(violation)) => {
                    let named = |p: &suppose_model::lts::Property| p.name() == violation.property;
                    let number = network.properties.iter().position(named).unwrap();
                    if violation.property == suppose_model::lts::ERROR_PROPERTY {
                        run.push(mark(&network, &state));
                    }
                    Some(Claim::Property(number))
                }
                None => None,
            };
            if let Some(claim) = claim {
                let steps = run.clone();
                let evidence = Counterexample::finite(claim, steps);
                suppose_certify::counterexample(&network, &evidence).unwrap();
                // The same run is followed as a counterexample.
                let mut again = NetworkSteps::for_claim(&network, claim);
                let path = again.follow(&evidence).unwrap();
                let shown = crate::simulate::replay(&mut again, &path).unwrap();
                assert!(shown.last_line().starts_with("violated("));
                accepted += 1;
                break;
            }
            let Some(step) = steps.sample(&state, &mut random).unwrap() else {
                panic!("no step, but no ending");
            };
            let Leads::To(next) = &step.outcomes[0].leads else {
                panic!("{step:?}");
            };
            state = next.clone();
            run.push(suppose_model::NetworkStep {
                label: network.labels.get(&step.label).unwrap_or(Label::TAU),
                states: state.words()[..network.components.len()].to_vec(),
            });
        }
    });
    if std::env::var_os("SUPPOSE_SEED").is_none() {
        assert!(accepted > 200, "only {accepted} runs");
    }
}

/// Where a component is in its error state, its mark is the step that shows it.
fn mark(network: &Network, state: &State) -> suppose_model::NetworkStep {
    let states = state.words()[..network.components.len()].to_vec();
    let components = network.components.iter().zip(&states);
    let mut edges = components.flat_map(|(c, at)| c.lts.edges(*at));
    let label = edges.find(|e| network.errors.contains(&e.label)).unwrap();
    suppose_model::NetworkStep {
        label: label.label,
        states: states.clone(),
    }
}

#[test]
fn random_networks_have_as_many_states_as_compositions() {
    for_each_seed(400, |rng| {
        let shape = &shapes()[rng.below(3)];
        let network = suppose_testkit::random::network(rng, shape);
        let counts = count(&network, &SizeLimits::default()).unwrap();
        assert_eq!(as_ltsa(&network, usize::MAX), Some(counts.states));
    });
}

fn read_program(path: &File, set: &[(String, i64)]) -> Option<Program> {
    let mut sources = Sources::new();
    let text = std::fs::read_to_string(path).unwrap();
    let file = sources.add(SourceFile::new("model.pml", text));
    let folder = path.parent().unwrap().to_owned();
    let mut includes =
        |name: &str| std::fs::read_to_string(folder.join(name)).map_err(|e| e.to_string());
    let limits = ParserLimits::default();
    let read = promela::read(file, &mut sources, &mut includes, set, &limits);
    Some(read.ok()?.program)
}

#[test]
fn programs_have_as_many_states_as_spin_stores() {
    let mut compared = 0;
    for check in suppose_testkit::promela::expected::checks() {
        let Some(states) = check.spin.states.filter(|n| *n <= 3_000) else {
            continue;
        };
        let set: Vec<(String, i64)> = check.set.clone().into_iter().collect();
        let text = std::fs::read_to_string(check.path()).unwrap();
        // A claim is part of SPIN's state, and a search ends with a violation.
        let claims = ["never", "ltl", "trace"].iter().any(|w| text.contains(w));
        if claims || check.verdicts.values().any(|v| v == "violated") {
            continue;
        }
        let Some(program) = read_program(&check.path(), &set) else {
            continue;
        };
        let mut steps = ProgramSteps::new(&program, None);
        let Some(seen) = reached(&mut steps, 60_000) else {
            continue;
        };
        let stored = seen.iter().map(|s| steps.unpacked(s).unwrap());
        let stored = stored.filter(|s| s.alone.is_none()).count();
        assert_eq!(stored as u64, states, "{}", check.path().display());
        compared += 1;
    }
    assert!(compared > 60, "only {compared} programs");
}

/// A claim that runs along is violated in some reached state exactly where the examples say so.
#[test]
fn claims_that_run_along_are_violated_where_spin_says() {
    let (mut violated, mut held) = (0, 0);
    for check in suppose_testkit::promela::expected::checks() {
        let set: Vec<(String, i64)> = check.set.clone().into_iter().collect();
        if !check.is_up_to(3_000) || check.violated("assertion") == Some(true) {
            continue;
        }
        let Some(program) = read_program(&check.path(), &set) else {
            continue;
        };
        let [claim] = &program.claims[..] else {
            continue;
        };
        let Some(expected) = check.violated(&claim.name) else {
            continue;
        };
        if claim.events.is_some() {
            continue;
        }
        let mut steps = ProgramSteps::new(&program, None);
        let Some(seen) = reached(&mut steps, 30_000) else {
            continue;
        };
        let bad = seen.iter().any(|state| {
            let ending = steps.status(state).unwrap().ending;
            matches!(ending, Some(Ending::Violated(_)))
        });
        assert_eq!(bad, expected, "{}", check.path().display());
        match bad {
            true => violated += 1,
            false => held += 1,
        }
    }
    assert!(violated >= 3 && held >= 3, "{violated} and {held}");
}

#[test]
fn walks_of_programs_are_accepted() {
    let mut accepted = 0;
    for_each_seed(300, |rng| {
        let text = suppose_testkit::promela::program(rng, &Default::default());
        let Ok((read, _)) = promela::read_text("model.pml", &text) else {
            return;
        };
        let program = &read.program;
        let question = match rng.percent(50) {
            true => Question::Assertions,
            false => Question::EndStates,
        };
        let mut steps = ProgramSteps::for_question(program, None, question);
        let Ok(found) = steps.initial() else { return };
        let mut state = found.list[0].clone();
        let mut run = Vec::new();
        for _ in 0..80 {
            let moves = steps.moves(&state).unwrap();
            let enabled = steps.enabled(&state).unwrap().list;
            assert_eq!(moves.len(), enabled.len());
            let ending = steps.status(&state).unwrap().ending;
            assert_eq!(ending.is_some(), enabled.is_empty());
            let mut violation = None;
            if enabled.is_empty() {
                let bad = matches!(ending, Some(Ending::Deadlock(_)));
                match bad && question == Question::EndStates {
                    true => violation = Some(suppose_model::program::Violation::EndState),
                    false => return,
                }
            } else {
                let number = rng.below(moves.len());
                run.push(moves[number].step.clone());
                match (&moves[number].outcome, &enabled[number].outcomes[0].leads) {
                    (StepResult::State(whole), Leads::To(next)) => {
                        assert_eq!(steps.unpacked(next).unwrap(), *whole);
                        state = next.clone();
                    }
                    (StepResult::Wrong(wrong), Leads::Wrong(said)) => {
                        assert_eq!(said.why, wrong.words());
                        violation = Some(*wrong);
                    }
                    _ => return,
                }
            }
            if let Some(violation) = violation {
                if !violation.is_stop() && question == Question::EndStates {
                    return;
                }
                let trace = Trace {
                    question,
                    steps: run,
                    claim: Vec::new(),
                    violation,
                    cycle: None,
                };
                program::run(program, &trace, &Context::default()).unwrap();
                let path = steps.follow(&trace).unwrap();
                let shown = crate::simulate::replay(&mut steps, &path).unwrap();
                assert!(shown.last_line().starts_with("violated("));
                accepted += 1;
                return;
            }
        }
    });
    if std::env::var_os("SUPPOSE_SEED").is_none() {
        assert!(accepted > 40, "only {accepted} runs");
    }
}

#[test]
fn smv_models_have_as_many_states_as_nusmv_counts() {
    let mut compared = 0;
    for check in suppose_testkit::smv::checks() {
        let Some(states) = check.states.filter(|n| *n <= 1_000) else {
            continue;
        };
        let text = std::fs::read_to_string(check.path()).unwrap();
        let dialect = match check.old {
            true => smv::Dialect::Old,
            false => smv::Dialect::NuSmv,
        };
        let (read, _) = smv::read_text("model.smv", &text, dialect).unwrap();
        let mut steps = FsmSteps::new(&read.system).with_limit(2_000);
        let seen = reached(&mut steps, 1_000).unwrap();
        assert_eq!(seen.len() as u64, states, "{}", check.file);
        let stuck = seen.iter().any(|s| {
            let ending = steps.status(s).unwrap().ending;
            ending.is_some()
        });
        assert_eq!(stuck, check.deadlock, "{}", check.file);
        compared += 1;
    }
    assert!(compared >= 8, "only {compared} models");
}

/// A random system that makes sense, with its only few states.
fn random_system(rng: &mut Rng) -> Option<fsm::System> {
    let text = suppose_testkit::smv::random(rng, suppose_testkit::smv::Shape::default());
    let (read, _) = smv::read_text("model.smv", &text, smv::Dialect::NuSmv).ok()?;
    let mut simulator = Simulator::new(&read.system, 20_000);
    simulator.explore(60).ok()?;
    Some(read.system)
}

#[test]
fn walks_of_smv_models_are_accepted() {
    let mut accepted = 0;
    for_each_seed(60, |rng| {
        let Some(system) = random_system(rng) else {
            return;
        };
        let mut simulator = Simulator::new(&system, u64::MAX);
        let mut steps = FsmSteps::new(&system).with_limit(100_000);
        let mut random = Random::new(rng.next_u64());
        let initial = steps.initial().unwrap().list;
        let initial: Vec<fsm::State> = initial.iter().map(|s| steps.unpacked(s).unwrap()).collect();
        assert_eq!(initial, simulator.initial_states().unwrap());
        let Some(mut state) = steps.sample_initial(&mut random).unwrap() else {
            assert!(initial.is_empty());
            return;
        };
        let mut trace = fsm::Trace {
            states: vec![steps.unpacked(&state).unwrap()],
            inputs: Vec::new(),
            loops_to: None,
        };
        let limits = checker::CheckLimits::default();
        for _ in 0..8 {
            let whole = steps.unpacked(&state).unwrap();
            let all = simulator.steps(&whole).unwrap();
            let ours: Vec<EnabledStep> = all
                .iter()
                .map(|s| steps.step(&s.inputs, &s.target))
                .collect();
            assert_eq!(steps.enabled(&state).unwrap().list, ours);
            let few = FsmSteps::new(&system)
                .with_limit(1)
                .enabled(&state)
                .unwrap();
            assert_eq!(few.more, all.len() > 1);
            let Some(step) = steps.sample(&state, &mut random).unwrap() else {
                let ending = steps.status(&state).unwrap().ending;
                assert!(matches!(ending, Some(Ending::Deadlock(_))));
                checker::check_deadlock(&system, &trace, &limits).unwrap();
                break;
            };
            let number = ours.iter().position(|s| *s == step).unwrap();
            trace.inputs.push(all[number].inputs.clone());
            trace.states.push(all[number].target.clone());
            state = steps.pack(&all[number].target);
        }
        let temporal = system.properties.iter();
        let mut temporal = temporal.filter(|p| matches!(p.question, fsm::Question::Ctl(_)));
        if let Some(property) = temporal.next() {
            let question = &property.question;
            checker::check_run(&system, question, &trace, Shows::Part, &limits).unwrap();
            let path = steps.follow(&trace, "p", "because").unwrap();
            let shown = crate::simulate::replay(&mut steps, &path).unwrap();
            assert_eq!(shown.steps.len(), trace.inputs.len());
            accepted += 1;
        }
    });
    if std::env::var_os("SUPPOSE_SEED").is_none() {
        assert!(accepted > 10, "only {accepted} runs");
    }
}

#[test]
fn many_successors_are_cut_and_sampled() {
    let text = "MODULE main\nVAR a : array 0..39 of boolean;\nIVAR i : boolean;\n";
    let (read, _) = smv::read_text("model.smv", text, smv::Dialect::NuSmv).unwrap();
    let mut steps = FsmSteps::new(&read.system).with_limit(5);
    let mut random = Random::new(1);
    let found = steps.initial().unwrap();
    assert_eq!((found.list.len(), found.more), (5, true));
    let start = steps.sample_initial(&mut random).unwrap().unwrap();
    let found = steps.enabled(&start).unwrap();
    assert_eq!((found.list.len(), found.more), (5, true));
    let drawn: BTreeSet<String> = (0..8)
        .map(|_| format!("{:?}", steps.sample(&start, &mut random).unwrap()))
        .collect();
    assert_eq!(drawn.len(), 8);
}

fn read_prism(path: &File) -> Option<(prism::PrismModel, ProbabilisticSystem)> {
    let text = std::fs::read_to_string(path).unwrap();
    let (model, _) = prism::read_text("model.nm", &text, &prism::PrismOptions::default()).ok()?;
    let lowered = model.system(
        &Grouping::default(),
        &Properties::default(),
        Labels::new(),
        &exploration(),
    );
    let system = lowered.ok()?.system;
    Some((model, system))
}

fn exploration() -> Exploration<'static> {
    Exploration {
        limits: SizeLimits::default(),
        stop: &|| false,
    }
}

#[test]
fn probabilistic_systems_have_as_many_states_as_storm_counts() {
    let root = File::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/prism");
    let text = std::fs::read_to_string(root.join("expected.toml")).unwrap();
    let (mut file, mut sizes) = (String::new(), false);
    let mut compared = 0;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("file = ") {
            file = name.trim_matches('"').to_owned();
        }
        if line.starts_with('[') {
            sizes = line == "[check.storm]";
        }
        let Some(states) = line.strip_prefix("states = ").filter(|_| sizes) else {
            continue;
        };
        let states: usize = states.parse().unwrap();
        let Some((_, system)) = read_prism(&root.join(&file)).filter(|_| states < 5_000) else {
            continue;
        };
        let mut steps = ProbabilisticSteps::new(&system);
        let seen = reached(&mut steps, 5_000).unwrap();
        assert_eq!(seen.len(), states, "{file}");
        compared += 1;
    }
    assert!(compared >= 8, "only {compared} systems");
}

#[test]
fn walks_of_probabilistic_systems_are_accepted() {
    let mut accepted = 0;
    for_each_seed(300, |rng| {
        let mut labels = Labels::new();
        labels.intern("a");
        labels.intern("b");
        let mut system = ProbabilisticSystem::new("system", labels);
        let shape = suppose_testkit::markov::LptsShape::default();
        for _ in 0..2 {
            system.components.push(suppose_model::mdp::Component {
                lpts: suppose_testkit::markov::random_lpts(rng, &shape),
                members: Vec::new(),
            });
        }
        let mut steps = ProbabilisticSteps::new(&system);
        let mut random = Random::new(rng.next_u64());
        let mut state = steps.sample_initial(&mut random).unwrap().unwrap();
        // The tree has all outcomes of each step; the walk goes on from the last.
        let mut tree = LptsBuilder::new("tree");
        let mut nodes = vec![state.clone()];
        for _ in 0..40 {
            let Some(step) = steps.sample(&state, &mut random).unwrap() else {
                let states = nodes.iter().map(|s| s.words().into()).collect();
                tree.states(nodes.len());
                let found = Tree {
                    tree: tree.build(),
                    states,
                };
                mdp::check_deadlock(&system, &found, &Context::default()).unwrap();
                let path = steps.follow_deadlock(&found).unwrap();
                let shown = crate::simulate::replay(&mut steps, &path).unwrap();
                assert!(shown.last_line().starts_with("violated(deadlock)"));
                accepted += 1;
                return;
            };
            let label = system.labels.get(&step.label).unwrap_or(Label::TAU);
            let from = nodes.len() as u32 - 1;
            let chosen = random.outcome(&step.outcomes);
            let mut others: Vec<&StepOutcome> = step.outcomes.iter().collect();
            let last = others.remove(chosen);
            others.push(last);
            let mut branches = Vec::new();
            for outcome in others {
                let Leads::To(next) = &outcome.leads else {
                    panic!("{outcome:?}");
                };
                let chance = outcome.probability.clone().unwrap_or(Rat::from(1));
                branches.push((nodes.len() as u32, chance));
                nodes.push(next.clone());
                state = next.clone();
            }
            tree.choice(from, label, &branches).unwrap();
        }
    });
    if std::env::var_os("SUPPOSE_SEED").is_none() {
        assert!(accepted > 100, "only {accepted} runs");
    }
}

#[test]
fn states_of_other_models_are_refused() {
    let text = "MODULE main\nVAR a : 0..2;\n";
    let (read, _) = smv::read_text("model.smv", text, smv::Dialect::NuSmv).unwrap();
    let mut steps = FsmSteps::new(&read.system);
    assert!(steps.enabled(&State::new([7u32])).is_err());
    assert!(steps.enabled(&State::new([0u32, 0])).is_err());
    let network = Network::default();
    assert!(
        NetworkSteps::new(&network)
            .enabled(&State::new([1u32]))
            .is_err()
    );
    let program = Program::default();
    let mut steps = ProgramSteps::new(&program, None);
    assert!(steps.enabled(&State::new([1u32])).is_err());
    let system = ProbabilisticSystem::default();
    assert!(
        ProbabilisticSteps::new(&system)
            .enabled(&State::new([1u32]))
            .is_err()
    );
}
