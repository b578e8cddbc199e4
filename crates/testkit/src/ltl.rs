//! Formulas of LTL as trees, their truth on words that repeat, and what an automaton does on such words: each by definition.

use suppose_model::ltl::{Buchi, Formulas, Generalised, Id};

use crate::Rng;

/// A formula as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ltl {
    /// True or false.
    Constant(bool),
    /// An atom.
    Atom(u32),
    /// Negation.
    Not(Box<Ltl>),
    /// Conjunction.
    And(Box<Ltl>, Box<Ltl>),
    /// Disjunction.
    Or(Box<Ltl>, Box<Ltl>),
    /// Implication.
    Implies(Box<Ltl>, Box<Ltl>),
    /// At the next position.
    Next(Box<Ltl>),
    /// At some position.
    Eventually(Box<Ltl>),
    /// At all positions.
    Always(Box<Ltl>),
    /// Until.
    Until(Box<Ltl>, Box<Ltl>),
    /// Release.
    Release(Box<Ltl>, Box<Ltl>),
    /// Weak until.
    WeakUntil(Box<Ltl>, Box<Ltl>),
}

/// The word `stem cycle cycle ...`; a letter is the set of true atoms, a bit for each. The cycle is not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// At first.
    pub stem: Vec<u128>,
    /// Then forever.
    pub cycle: Vec<u128>,
}

impl Lasso {
    fn letters(&self) -> Vec<u128> {
        [&self.stem[..], &self.cycle[..]].concat()
    }

    fn after(&self, position: usize) -> usize {
        match position + 1 == self.stem.len() + self.cycle.len() {
            true => self.stem.len(),
            false => position + 1,
        }
    }

    /// All of them over so many atoms, with stems and cycles up to these lengths.
    pub fn all(atoms: u32, stem: usize, cycle: usize) -> Vec<Lasso> {
        let words = |length: usize| {
            let mut words = vec![Vec::new()];
            for _ in 0..length {
                let longer = |w: &Vec<u128>| {
                    let w = w.clone();
                    (0..1u128 << atoms).map(move |l| [&w[..], &[l]].concat())
                };
                words = words.iter().flat_map(longer).collect();
            }
            words
        };
        let mut all = Vec::new();
        for stem in (0..=stem).flat_map(words) {
            for cycle in (1..=cycle).flat_map(words) {
                let stem = stem.clone();
                all.push(Lasso { stem, cycle });
            }
        }
        all
    }
}

impl Ltl {
    /// Is it true of the word?
    pub fn holds(&self, word: &Lasso) -> bool {
        self.truth(word)[0]
    }

    /// Its truth at each position of stem and cycle.
    fn truth(&self, word: &Lasso) -> Vec<bool> {
        let letters = word.letters();
        let each = |f: &dyn Fn(usize) -> bool| (0..letters.len()).map(f).collect::<Vec<bool>>();
        // Is there a position from here on where `goal` is true, and `way` at all before it?
        let until = |way: &[bool], goal: &[bool]| {
            each(&|start| {
                let mut at = start;
                for _ in 0..=2 * letters.len() {
                    if goal[at] {
                        return true;
                    }
                    if !way[at] {
                        return false;
                    }
                    at = word.after(at);
                }
                false
            })
        };
        let not = |values: Vec<bool>| values.into_iter().map(|v| !v).collect::<Vec<bool>>();
        let everywhere = vec![true; letters.len()];
        match self {
            Ltl::Constant(value) => vec![*value; letters.len()],
            Ltl::Atom(atom) => each(&|at| letters[at] >> atom & 1 == 1),
            Ltl::Not(a) => not(a.truth(word)),
            Ltl::And(a, b) => {
                let (a, b) = (a.truth(word), b.truth(word));
                each(&|at| a[at] && b[at])
            }
            Ltl::Or(a, b) => {
                let (a, b) = (a.truth(word), b.truth(word));
                each(&|at| a[at] || b[at])
            }
            Ltl::Implies(a, b) => {
                let (a, b) = (a.truth(word), b.truth(word));
                each(&|at| !a[at] || b[at])
            }
            Ltl::Next(a) => {
                let a = a.truth(word);
                each(&|at| a[word.after(at)])
            }
            Ltl::Eventually(a) => until(&everywhere, &a.truth(word)),
            Ltl::Always(a) => not(until(&everywhere, &not(a.truth(word)))),
            Ltl::Until(a, b) => until(&a.truth(word), &b.truth(word)),
            Ltl::Release(a, b) => not(until(&not(a.truth(word)), &not(b.truth(word)))),
            Ltl::WeakUntil(a, b) => {
                let (a, b) = (a.truth(word), b.truth(word));
                let until = until(&a, &b);
                let never = not(self::until_end(word, &not(a)));
                each(&|at| until[at] || never[at])
            }
        }
    }

    /// Built with the constructors of [`Formulas`].
    pub fn build(&self, formulas: &mut Formulas) -> Id {
        match self {
            Ltl::Constant(value) => formulas.constant(*value),
            Ltl::Atom(atom) => formulas.literal(*atom, true),
            Ltl::Not(a) => {
                let a = a.build(formulas);
                formulas.not(a)
            }
            Ltl::Next(a) => {
                let a = a.build(formulas);
                formulas.next(a)
            }
            Ltl::Eventually(a) => {
                let a = a.build(formulas);
                formulas.eventually(a)
            }
            Ltl::Always(a) => {
                let a = a.build(formulas);
                formulas.always(a)
            }
            Ltl::And(a, b)
            | Ltl::Or(a, b)
            | Ltl::Implies(a, b)
            | Ltl::Until(a, b)
            | Ltl::Release(a, b)
            | Ltl::WeakUntil(a, b) => {
                let (a, b) = (a.build(formulas), b.build(formulas));
                match self {
                    Ltl::And(..) => formulas.and(vec![a, b]),
                    Ltl::Or(..) => formulas.or(vec![a, b]),
                    Ltl::Implies(..) => formulas.implies(a, b),
                    Ltl::Until(..) => formulas.until(a, b),
                    Ltl::Release(..) => formulas.release(a, b),
                    _ => formulas.weak_until(a, b),
                }
            }
        }
    }

    /// As SPIN reads it; weak until, which it does not know, written out.
    pub fn spin(&self) -> String {
        match self {
            Ltl::Constant(value) => value.to_string(),
            Ltl::Atom(atom) => format!("p{atom}"),
            Ltl::Not(a) => format!("!({})", a.spin()),
            Ltl::And(a, b) => format!("({} && {})", a.spin(), b.spin()),
            Ltl::Or(a, b) => format!("({} || {})", a.spin(), b.spin()),
            Ltl::Implies(a, b) => format!("({} -> {})", a.spin(), b.spin()),
            Ltl::Next(a) => format!("X ({})", a.spin()),
            Ltl::Eventually(a) => format!("<> ({})", a.spin()),
            Ltl::Always(a) => format!("[] ({})", a.spin()),
            Ltl::Until(a, b) => format!("({} U {})", a.spin(), b.spin()),
            Ltl::Release(a, b) => format!("({} V {})", a.spin(), b.spin()),
            Ltl::WeakUntil(a, b) => {
                let (a, b) = (a.spin(), b.spin());
                format!("({b} V ({a} || {b}))")
            }
        }
    }

    /// A random one with about so many operators.
    pub fn random(rng: &mut Rng, atoms: usize, size: usize) -> Ltl {
        if size == 0 {
            let atom = Ltl::Atom(rng.below(atoms) as u32);
            return match rng.percent(4) {
                true => Ltl::Constant(rng.percent(50)),
                false => atom,
            };
        }
        let one = |rng: &mut Rng| Box::new(Ltl::random(rng, atoms, size - 1));
        match rng.below(11) {
            0 => return Ltl::Not(one(rng)),
            1 => return Ltl::Next(one(rng)),
            2 => return Ltl::Eventually(one(rng)),
            3 => return Ltl::Always(one(rng)),
            _ => {}
        }
        let left = rng.below(size);
        let a = Box::new(Ltl::random(rng, atoms, left));
        let b = Box::new(Ltl::random(rng, atoms, size - 1 - left));
        match rng.below(6) {
            0 => Ltl::And(a, b),
            1 => Ltl::Or(a, b),
            2 => Ltl::Implies(a, b),
            3 => Ltl::Until(a, b),
            4 => Ltl::Release(a, b),
            _ => Ltl::WeakUntil(a, b),
        }
    }
}

/// Is `goal` true at some position from each one on?
fn until_end(word: &Lasso, goal: &[bool]) -> Vec<bool> {
    let from = |start: usize| {
        let mut at = start;
        for _ in 0..=2 * goal.len() {
            if goal[at] {
                return true;
            }
            at = word.after(at);
        }
        false
    };
    (0..goal.len()).map(from).collect()
}

/// Does a Büchi automaton accept the word?
pub fn accepts(automaton: &Buchi, word: &Lasso) -> bool {
    let edges = |state: u32| automaton.edges[state as usize].clone();
    let marked = |state: u32| automaton.accepting[state as usize];
    let all = product(word, automaton.initial, |state| {
        let row = edges(state).into_iter();
        row.map(|(guard, target)| (guard, target, u128::from(marked(state))))
            .collect()
    });
    has_cycle(&all, 1)
}

/// Does an automaton with several acceptance sets accept the word?
pub fn accepts_generalised(automaton: &Generalised, word: &Lasso) -> bool {
    let all = product(word, automaton.initial, |state| {
        let row = automaton.edges[state as usize].iter();
        row.map(|e| (e.guard, e.target, e.sets)).collect()
    });
    has_cycle(&all, automaton.sets)
}

type Pair = (u32, usize);

/// The edges between pairs of state and position that are reached, with their marks.
fn product(
    word: &Lasso,
    initial: u32,
    edges: impl Fn(u32) -> Vec<(suppose_model::ltl::Cube, u32, u128)>,
) -> Vec<(Pair, Pair, u128)> {
    let letters = word.letters();
    let mut seen = vec![(initial, 0)];
    let mut all = Vec::new();
    let mut next = 0;
    while next < seen.len() {
        let (state, at) = seen[next];
        next += 1;
        for (guard, target, marks) in edges(state) {
            if guard.allows(letters[at]) {
                let to = (target, word.after(at));
                all.push(((state, at), to, marks));
                if !seen.contains(&to) {
                    seen.push(to);
                }
            }
        }
    }
    all
}

/// Is there a set of edges, each of which leads to each, that has all marks?
fn has_cycle(edges: &[(Pair, Pair, u128)], sets: u32) -> bool {
    let reach = |from: Pair| {
        let mut seen = vec![from];
        let mut next = 0;
        while next < seen.len() {
            let at = seen[next];
            next += 1;
            for (_, to, _) in edges.iter().filter(|e| e.0 == at) {
                if !seen.contains(to) {
                    seen.push(*to);
                }
            }
        }
        seen
    };
    let all = (0..sets).fold(0, |all, set| all | 1u128 << set);
    edges.iter().any(|(from, to, _)| {
        let after = reach(*to);
        if !after.contains(from) {
            return false;
        }
        let mut marks = 0;
        for (a, b, m) in edges.iter().filter(|e| after.contains(&e.0)) {
            if reach(*b).contains(from) && after.contains(a) {
                marks |= m;
            }
        }
        marks & all == all
    })
}
