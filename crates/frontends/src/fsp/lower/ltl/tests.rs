//! The automaton against the meaning of formulas on words `u v v v ...`.

use super::automaton::build;
use super::formula::{Atom, Expanded, Id, Node};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    fn formula(&mut self) -> Expanded {
        let fluent = |start: &str, end: &str, initially| Atom::Fluent {
            starts: vec![start.into()],
            ends: vec![end.into()],
            initially,
        };
        let atoms = vec![
            fluent("a", "b", false),
            fluent("b", "c", true),
            Atom::Actions(vec!["a".into()]),
            Atom::Actions(vec!["b".into(), "c".into()]),
        ];
        let mut nodes = vec![Node::True, Node::False];
        for atom in 0..atoms.len() as u32 {
            nodes.push(Node::Literal(atom, true));
            nodes.push(Node::Literal(atom, false));
        }
        for _ in 0..2 + self.below(6) {
            let (x, y) = (self.below(nodes.len()) as Id, self.below(nodes.len()) as Id);
            nodes.push(match self.below(5) {
                0 => Node::And(vec![x, y]),
                1 => Node::Or(vec![x, y]),
                2 => Node::Next(x),
                3 => Node::Release(1, x),
                _ => Node::Release(x, y),
            });
        }
        let root = nodes.len() as Id - 1;
        Expanded {
            nodes,
            atoms,
            root,
            extension: Vec::new(),
        }
    }
}

/// Is the formula true of the word? `letters` then loops back to position `back`.
fn holds(formula: &Expanded, letters: &[&str], back: usize) -> bool {
    let mut values: Vec<bool> = formula
        .atoms
        .iter()
        .map(|a| {
            matches!(
                a,
                Atom::Fluent {
                    initially: true,
                    ..
                }
            )
        })
        .collect();
    let mut after = Vec::new();
    for letter in letters {
        for (value, atom) in values.iter_mut().zip(&formula.atoms) {
            match atom {
                Atom::Fluent { starts, ends, .. } => {
                    *value = match () {
                        () if starts.iter().any(|l| **l == **letter) => true,
                        () if ends.iter().any(|l| **l == **letter) => false,
                        () => *value,
                    }
                }
                Atom::Actions(labels) => *value = labels.iter().any(|l| **l == **letter),
            }
        }
        after.push(values.clone());
    }
    let next = |i: usize| if i + 1 < letters.len() { i + 1 } else { back };
    let mut truth: Vec<Vec<bool>> = Vec::new();
    for node in &formula.nodes {
        let at = |id: Id, i: usize| truth[id as usize][i];
        let positions = 0..letters.len();
        let row: Vec<bool> = match node {
            Node::True => positions.map(|_| true).collect(),
            Node::False => positions.map(|_| false).collect(),
            Node::Literal(atom, positive) => positions
                .map(|i| after[i][*atom as usize] == *positive)
                .collect(),
            Node::And(ids) => positions.map(|i| ids.iter().all(|id| at(*id, i))).collect(),
            Node::Or(ids) => positions.map(|i| ids.iter().any(|id| at(*id, i))).collect(),
            Node::Next(id) => positions.map(|i| at(*id, next(i))).collect(),
            Node::Release(left, right) => {
                let mut row = vec![true; letters.len()];
                for _ in 0..letters.len() + 1 {
                    for i in (0..letters.len()).rev() {
                        row[i] = at(*right, i) && (at(*left, i) || row[next(i)]);
                    }
                }
                row
            }
            Node::Until(..) => unreachable!("only safe formulas are made"),
        };
        truth.push(row);
    }
    truth[formula.root as usize][0]
}

#[test]
fn automata_reject_exactly_the_words_that_violate() {
    const LETTERS: [&str; 4] = ["*", "a", "b", "c"];
    let (mut accepted, mut rejected) = (0, 0);
    for seed in 0..600 {
        let mut random = Random(seed);
        let formula = random.formula();
        let Ok(automaton) = build(&formula) else {
            continue;
        };
        let number = |letter: &str| {
            let found = automaton.actions.iter().position(|a| **a == *letter);
            found.map_or(0, |i| i + 1)
        };
        for _ in 0..40 {
            let mut word = |length: usize| -> Vec<&str> {
                (0..length).map(|_| LETTERS[random.below(4)]).collect()
            };
            let start = word(3);
            let cycle = word(2);
            // One turn of the cycle brings the fluents to values that then repeat.
            let letters = [&start[..], &cycle, &cycle].concat();
            let back = start.len() + cycle.len();
            let mut state = Some(0u32);
            let turns = cycle.iter().cycle().take(2 * (automaton.rows.len() + 2));
            for letter in start.iter().chain(turns) {
                state = state.and_then(|s| automaton.rows[s as usize][number(letter)]);
            }
            let expected = holds(&formula, &letters, back);
            assert_eq!(
                state.is_some(),
                expected,
                "seed {seed}, {start:?} then {cycle:?} forever: {:?}",
                formula.nodes
            );
            match expected {
                true => accepted += 1,
                false => rejected += 1,
            }
        }
    }
    assert!(accepted > 1000 && rejected > 1000, "{accepted} {rejected}");
}
