//! The learners against random automata with a teacher that knows them.

use suppose_compose::learn::dfa::Dfa;
use suppose_compose::learn::learner::{Language, Learner};
use suppose_compose::learn::lstar::LStar;
use suppose_compose::learn::ttt::Ttt;
use suppose_control::Stopped;

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 16) % u64::from(bound)) as u32
    }
}

fn random_dfa(random: &mut Random, states: u32, symbols: u32, language: Language) -> Dfa {
    let closed = language == Language::PrefixClosed;
    let accepting = |s: u32, r: &mut Random| match closed {
        true => s + 1 < states,
        false => r.below(2) == 0,
    };
    let accepting: Vec<bool> = (0..states).map(|s| accepting(s, random)).collect();
    let mut targets = Vec::new();
    for state in 0..states {
        for _ in 0..symbols {
            targets.push(match closed && !accepting[state as usize] {
                true => state,
                false => random.below(states),
            });
        }
    }
    Dfa::new(symbols, 0, accepting, targets)
}

struct Learned {
    dfa: Dfa,
    queries: u64,
    rounds: u64,
}

/// Learns with perfect answers; counterexamples are padded now and then, to be long.
fn learn(learner: &mut dyn Learner, target: &Dfa, random: &mut Random, seed: u64) -> Learned {
    let (mut queries, mut rounds) = (0, 0);
    let mut oracle = |word: &[u32]| {
        queries += 1;
        Ok::<bool, Stopped>(target.accepts(word))
    };
    loop {
        rounds += 1;
        assert!(rounds <= target.states() + 1, "seed {seed}: no progress");
        let dfa = learner.conjecture(&mut oracle).expect("never stopped");
        assert_eq!(dfa.states(), learner.states(), "seed {seed}");
        let Some(mut word) = dfa.difference(target) else {
            let rounds = rounds as u64;
            return Learned {
                dfa,
                queries,
                rounds,
            };
        };
        for _ in 0..random.below(30) {
            let mut longer = word.clone();
            let symbol = random.below(target.symbols());
            let at = random.below(word.len() as u32 + 1) as usize;
            longer.insert(at, symbol);
            if dfa.accepts(&longer) != target.accepts(&longer) {
                word = longer;
            }
        }
        let before = learner.states();
        assert_eq!(learner.refine(&word, &mut oracle), Ok(true), "seed {seed}");
        assert!(learner.states() > before, "seed {seed}");
    }
}

fn learner(which: usize, symbols: u32, language: Language) -> Box<dyn Learner> {
    match which {
        0 => Box::new(LStar::new(symbols, language)),
        _ => Box::new(Ttt::new(symbols, language)),
    }
}

#[test]
fn both_learners_find_the_smallest_automaton() {
    for seed in 1..=600u64 {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let symbols = 1 + random.below(4);
        let states = 1 + random.below(if seed % 10 == 0 { 60 } else { 8 });
        for language in [Language::Any, Language::PrefixClosed] {
            let target = random_dfa(&mut random, states, symbols, language);
            let smallest = target.minimised();
            for which in [0, 1] {
                let mut learner = learner(which, symbols, language);
                let learned = learn(learner.as_mut(), &target, &mut random, seed);
                assert_eq!(learned.dfa.difference(&target), None, "seed {seed}");
                assert_eq!(learned.dfa.states(), smallest.states(), "seed {seed}");
                // Rows times suffixes, and the analysis of each counterexample.
                let (n, k) = (smallest.states() as u64, u64::from(symbols));
                let bound = (n * k + 1) * n + learned.rounds * 12 * n.max(4);
                assert!(learned.queries <= bound, "seed {seed}: {}", learned.queries);
            }
        }
    }
}

#[test]
fn no_extension_of_a_rejected_word_is_asked_for_when_closed() {
    for which in [0, 1] {
        // Nothing but `0 0` and its prefixes.
        let target = Dfa::new(
            3,
            0,
            vec![true, true, true, false],
            vec![1, 3, 3, 2, 3, 3, 3, 3, 3, 3, 3, 3],
        );
        let mut asked = Vec::new();
        let mut oracle = |word: &[u32]| {
            asked.push(word.to_vec());
            Ok::<bool, Stopped>(target.accepts(word))
        };
        let mut learner = learner(which, 3, Language::PrefixClosed);
        learner.conjecture(&mut oracle).unwrap();
        assert!(asked.iter().all(|w| w.len() <= 1), "{asked:?}");
    }
}

#[test]
fn a_word_that_is_no_counterexample_teaches_nothing() {
    let target = Dfa::new(1, 0, vec![true, false], vec![1, 0]);
    for which in [0, 1] {
        let mut oracle = |word: &[u32]| Ok::<bool, Stopped>(target.accepts(word));
        let mut learner = learner(which, 1, Language::Any);
        assert_eq!(learner.conjecture(&mut oracle).unwrap().states(), 2);
        assert_eq!(learner.refine(&[0, 0, 0], &mut oracle), Ok(false));
        assert_eq!(learner.refine(&[], &mut oracle), Ok(false));
    }
}

#[test]
fn a_stopped_teacher_stops_the_learner() {
    for which in [0, 1] {
        let mut oracle = |_: &[u32]| Err(Stopped::Timeout);
        let mut learner = learner(which, 2, Language::Any);
        assert_eq!(learner.conjecture(&mut oracle), Err(Stopped::Timeout));
    }
}
