use super::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use suppose_control::{Control, Observer, Stopped};

/// A random graph: states of several words, of which some need something to be made before they are expanded.
#[derive(Clone)]
struct Graph {
    seed: u64,
    size: u64,
    made: usize,
    restarts: bool,
    restarted: bool,
}

fn mix(a: u64, b: u64) -> u64 {
    let h = (a ^ 0x9e37_79b9_7f4a_7c15)
        .wrapping_mul(b | 1)
        .wrapping_add(b << 7);
    (h ^ h >> 31).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 11
}

impl Graph {
    fn new(seed: u64, size: u64) -> Graph {
        Graph {
            seed,
            size,
            made: 0,
            restarts: seed.is_multiple_of(3),
            restarted: false,
        }
    }

    fn state(&self, number: u64) -> Vec<u64> {
        let mut state = vec![number % 3, mix(self.seed, number) % 1000, number];
        // States beyond the middle are wider.
        if number > self.size / 2 {
            state.push(number % 2);
        }
        state
    }

    fn steps(&self, number: u64) -> Vec<u64> {
        let count = mix(number, self.seed) % 4;
        let near = (number + self.size - 40).max(self.size) - self.size;
        (0..count)
            .map(|i| (near + mix(number * 5 + i, self.seed + 1) % 60) % self.size)
            .collect()
    }

    fn wrong(&self, number: u64) -> Option<usize> {
        mix(number, self.seed + 2)
            .is_multiple_of(997)
            .then_some((number % 2) as usize)
    }
}

impl Space for Graph {
    type Worker = ();

    fn words(&self) -> usize {
        3 + self.made.min(1)
    }

    fn claims(&self) -> usize {
        2
    }

    fn worker(&self) {}

    fn initial(&mut self) -> Result<Vec<Vec<u64>>, Halt> {
        Ok(vec![self.state(0)])
    }

    fn expand(&self, _: &mut (), state: &[u64], sink: &mut impl Sink) -> Result<(), Halt> {
        let number = state[2];
        let needs = self.steps(number).iter().any(|to| *to > self.size / 2);
        if needs && self.made == 0 {
            return Err(Halt::Needs(vec![1]));
        }
        for to in self.steps(number) {
            sink.successor(&self.state(to));
        }
        if let Some(claim) = self.wrong(number) {
            sink.wrong(claim);
        }
        Ok(())
    }

    fn grow(&mut self, _: &[u64]) -> Result<Grown, String> {
        self.made += 1;
        let restart = self.restarts && !self.restarted;
        Ok(if restart {
            Grown::Restart
        } else {
            Grown::Whole
        })
    }

    fn restart(&mut self) -> Result<(), String> {
        (self.made, self.restarted) = (0, true);
        Ok(())
    }
}

/// Distances from the start, and transitions.
fn plainly(graph: &Graph) -> (BTreeMap<u64, u64>, u64) {
    let (mut level, mut found, mut transitions) = (BTreeSet::from([0]), BTreeMap::new(), 0);
    let mut depth = 0;
    while !level.is_empty() {
        found.extend(level.iter().map(|n| (*n, depth)));
        let steps: Vec<u64> = level.iter().flat_map(|n| graph.steps(*n)).collect();
        transitions += steps.len() as u64;
        level = steps
            .into_iter()
            .filter(|n| !found.contains_key(n))
            .collect();
        depth += 1;
    }
    (found, transitions)
}

fn compare(graph: &Graph, found: &Explored) {
    let (states, transitions) = plainly(graph);
    assert_eq!(found.trouble, None, "seed {}", graph.seed);
    assert!(found.complete);
    assert_eq!(found.states, states.len() as u64, "seed {}", graph.seed);
    assert_eq!(found.transitions, transitions, "seed {}", graph.seed);
    assert_eq!(Some(&found.depth), states.values().max());
    for claim in 0..2 {
        let nearest = states
            .iter()
            .filter(|(n, _)| graph.wrong(**n) == Some(claim))
            .map(|(_, d)| *d)
            .min();
        let run = found.runs[claim].as_ref();
        assert_eq!(
            run.map(|r| r.len() as u64 - 1),
            nearest,
            "seed {}",
            graph.seed
        );
        for pair in run.iter().flat_map(|r| r.windows(2)) {
            assert!(graph.steps(pair[0][2]).contains(&pair[1][2]));
        }
        if let Some(last) = run.and_then(|r| r.last()) {
            assert_eq!(graph.wrong(last[2]), Some(claim));
        }
    }
}

const ALL: Rounds = Rounds {
    threads: 1,
    buffer: 1 << 28,
    save_after: 0,
    first: false,
    exhaust: true,
};

fn scratch(name: &str) -> PathBuf {
    // Forcing hundreds of small files to a disk takes minutes; in memory it takes nothing.
    let memory = PathBuf::from("/dev/shm");
    let temporary = if memory.is_dir() {
        memory
    } else {
        std::env::temp_dir()
    };
    let path = temporary.join(format!("suppose-explore-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    path
}

#[test]
fn states_counts_and_runs_are_those_of_a_plain_search() {
    let folder = scratch("plain");
    let cx = Context::default();
    for seed in 0..20 {
        let graph = Graph::new(seed, 3000);
        let mut before = None;
        for (threads, buffer, disk) in [
            (1, 1 << 28, false),
            (3, 1 << 10, false),
            (2, 1 << 28, true),
            (1, 1 << 21, true),
        ] {
            let rounds = Rounds {
                threads,
                buffer,
                ..ALL
            };
            let place = Place {
                folder: &folder,
                identity: "graph",
            };
            let found = explore(&mut graph.clone(), &rounds, disk.then_some(place), &cx);
            compare(&graph, &found);
            let runs = found.runs.clone();
            assert_eq!(*before.get_or_insert(runs), found.runs);
            if disk {
                // Nothing is done again, and the same is found.
                let again = explore(&mut graph.clone(), &rounds, Some(place), &cx);
                assert_eq!((again.before, &again.runs), (found.states, &found.runs));
                compare(&graph, &again);
                std::fs::remove_dir_all(&folder).unwrap();
            }
        }
    }
}

#[test]
fn runs_of_successors_that_were_written_out_are_merged() {
    // More successors than the smallest buffer holds.
    let graph = Graph {
        restarts: false,
        ..Graph::new(1, 200_000)
    };
    let rounds = Rounds {
        threads: 2,
        buffer: 1 << 12,
        ..ALL
    };
    let wide = Wide(graph);
    let folder = scratch("runs");
    let place = Place {
        folder: &folder,
        identity: "wide",
    };
    let memory = explore(
        &mut wide.clone(),
        &Rounds { threads: 1, ..ALL },
        None,
        &Context::default(),
    );
    let disk = explore(&mut wide.clone(), &rounds, Some(place), &Context::default());
    assert_eq!(
        (disk.states, disk.transitions),
        (memory.states, memory.transitions)
    );
    assert!(memory.states > 150_000 && memory.complete && disk.complete);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Everything is near.
#[derive(Clone)]
struct Wide(Graph);

impl Space for Wide {
    type Worker = ();

    fn words(&self) -> usize {
        2
    }

    fn claims(&self) -> usize {
        0
    }

    fn worker(&self) {}

    fn initial(&mut self) -> Result<Vec<Vec<u64>>, Halt> {
        Ok(vec![vec![0, 1]])
    }

    fn expand(&self, _: &mut (), state: &[u64], sink: &mut impl Sink) -> Result<(), Halt> {
        for i in 0..5 {
            sink.successor(&[mix(state[0] * 5 + i, self.0.seed) % self.0.size, 1]);
        }
        Ok(())
    }
}

/// Stops after so many events.
struct After(std::sync::atomic::AtomicU64, std::sync::Arc<Control>);

impl Observer for After {
    fn on_event(&self, _: &suppose_control::Event) {
        if self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 1 {
            self.1.stop(Stopped::Interrupted);
        }
    }
}

#[test]
fn a_search_that_is_stopped_again_and_again_finds_the_same() {
    let folder = scratch("stopped");
    for seed in 0..12 {
        let graph = Graph::new(seed, 2000);
        let place = Place {
            folder: &folder,
            identity: "graph",
        };
        let mut stops = 0;
        let found = loop {
            let control = std::sync::Arc::new(Control::new(None));
            let after = After((1 + mix(seed, stops) % 9).into(), control.clone());
            let cx = Context::new(control, std::sync::Arc::new(after));
            let rounds = Rounds {
                threads: 1 + stops as usize % 3,
                save_after: seed % 4 * 40,
                ..ALL
            };
            let found = explore(&mut graph.clone(), &rounds, Some(place), &cx);
            if found.trouble.is_none() {
                break found;
            }
            assert_eq!(found.trouble, Some(Trouble::Stopped(Stopped::Interrupted)));
            stops += 1;
            assert!(stops < 1000);
        };
        compare(&graph, &found);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

#[test]
fn what_is_no_search_or_another_one_is_refused() {
    let folder = scratch("refused");
    let graph = Graph::new(4, 2000);
    let run = |identity: &str| {
        let place = Place {
            folder: &folder,
            identity,
        };
        explore(&mut graph.clone(), &ALL, Some(place), &Context::default()).trouble
    };
    let refused = |found: Option<Trouble>, why: &str| match found {
        Some(Trouble::Refused(text)) => assert!(text.contains(why), "{text}"),
        other => panic!("{other:?}"),
    };
    assert_eq!(run("graph"), None);
    refused(run("other"), "another model");
    let lock = std::fs::File::open(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    refused(run("graph"), "another search is running");
    drop(lock);
    let layer = folder.join("000003.layer");
    let bytes = std::fs::read(&layer).unwrap();
    for at in [0, 9, 13, 20, bytes.len() / 2, bytes.len() - 3] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x40;
        std::fs::write(&layer, &damaged).unwrap();
        refused(run("graph"), "is damaged");
    }
    std::fs::write(&layer, &bytes[..bytes.len() - 1]).unwrap();
    refused(run("graph"), "bytes instead of");
    std::fs::remove_file(&layer).unwrap();
    refused(run("graph"), "is missing");
    std::fs::write(&layer, &bytes).unwrap();
    assert_eq!(run("graph"), None);
    let manifest = folder.join("manifest");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(
        &manifest,
        text.replacen("\"transitions\":", "\"transitions\":1", 1),
    )
    .unwrap();
    refused(run("graph"), "checksum");
    std::fs::remove_file(&manifest).unwrap();
    std::fs::write(folder.join("notes.txt"), "mine").unwrap();
    refused(run("graph"), "other files");
    std::fs::remove_dir_all(&folder).unwrap();
}
