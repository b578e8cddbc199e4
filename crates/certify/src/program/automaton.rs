//! The checker's own automaton of what violates a formula: a textbook tableau (Gerth, Peled, Vardi and Wolper, "Simple on-the-fly
//! automatic verification of linear temporal logic", PSTV 1995), without any simplification, and nothing of `model::ltl`.
//!
//! A state is a set of formulas that must hold from here on, and a number: how many of the `until`s, one after the other, were
//! not postponed since the last time all were through. A step chooses for each disjunction a side, and for each `until` whether
//! its right side holds now or it is postponed.

use std::collections::{BTreeMap, BTreeSet};

use suppose_model::program::{
    Action, Binary, Claim, Edge, Expr, Formula, FormulaNode, Location, Unary,
};

/// A formula without negation but at its atoms; operands by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nnf {
    True,
    False,
    Literal(u32, bool),
    And(u32, u32),
    Or(u32, u32),
    Next(u32),
    Until(u32, u32),
    Release(u32, u32),
}

/// How large the automaton may be, and how much may be tried for one of its states.
const STATES: usize = 2_000;
const TRIED: usize = 20_000;

#[derive(Default)]
struct Tableau {
    nodes: Vec<Nnf>,
    numbers: BTreeMap<Nnf, u32>,
}

/// A cover: one way to satisfy a set of formulas at a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Cover {
    /// Atoms and their values.
    literals: BTreeMap<u32, bool>,
    /// What must hold from the next position on.
    next: BTreeSet<u32>,
    /// The `until`s that are postponed.
    postponed: BTreeSet<u32>,
}

/// An automaton that accepts exactly what violates the formula of a claim; none if it would be too large, or there is no formula.
pub fn automaton(claim: &Claim) -> Option<Claim> {
    let formula = claim.formula.as_ref()?;
    let mut tableau = Tableau::default();
    let root = tableau.negated(formula)?;
    let untils: Vec<u32> = (0u32..)
        .zip(&tableau.nodes)
        .filter(|(_, node)| matches!(node, Nnf::Until(..)))
        .map(|(number, _)| number)
        .collect();
    let first = (BTreeSet::from([root]), 0);
    let mut numbers = BTreeMap::from([(first.clone(), 0u32)]);
    let mut states = vec![first];
    let mut locations: Vec<Location> = Vec::new();
    while locations.len() < states.len() {
        let (set, level) = states[locations.len()].clone();
        let done = level == untils.len();
        let mut edges = Vec::new();
        for cover in tableau.covers(&set)? {
            let mut next = if done { 0 } else { level };
            while next < untils.len() && !cover.postponed.contains(&untils[next]) {
                next += 1;
            }
            let state = (cover.next, next);
            let fresh = u32::try_from(states.len()).ok()?;
            let target = *numbers.entry(state.clone()).or_insert(fresh);
            if target == fresh {
                states.push(state);
            }
            edges.push(edge(claim, formula, &cover.literals, target));
        }
        if states.len() > STATES {
            return None;
        }
        locations.push(Location {
            edges,
            accept: done,
            ..Location::default()
        });
    }
    // A place that is never reached: a formula is violated by infinite runs only, as far as this is concerned.
    let end = u32::try_from(locations.len()).ok()?;
    locations.push(Location::default());
    Some(Claim {
        locations,
        entry: 0,
        end,
        formula: None,
        ..claim.clone()
    })
}

fn edge(claim: &Claim, formula: &Formula, literals: &BTreeMap<u32, bool>, target: u32) -> Edge {
    let literal = |(atom, positive): (&u32, &bool)| {
        let atom = formula.atoms[*atom as usize].clone();
        match positive {
            true => atom,
            false => Expr::Unary(Unary::Not, Box::new(atom)),
        }
    };
    let all = literals.iter().map(literal);
    let guard = all.reduce(|a, b| Expr::Binary(Binary::And, Box::new(a), Box::new(b)));
    Edge {
        action: Action::Guard(guard.unwrap_or(Expr::Const(1))),
        target,
        rank: 0,
        text: String::new(),
        span: claim.span,
        number: None,
        d_step: false,
    }
}

impl Tableau {
    fn number(&mut self, node: Nnf) -> u32 {
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry(node).or_insert(next);
        if number == next {
            self.nodes.push(node);
        }
        number
    }

    /// The negation of a formula; none if the formula is not well formed.
    fn negated(&mut self, formula: &Formula) -> Option<u32> {
        // Each node as it is, and negated.
        let mut both: Vec<[u32; 2]> = Vec::with_capacity(formula.nodes.len());
        for node in &formula.nodes {
            let at = |of: u32| both.get(of as usize).copied();
            let pair = match *node {
                FormulaNode::Atom(atom) => {
                    formula.atoms.get(atom as usize)?;
                    [Nnf::Literal(atom, true), Nnf::Literal(atom, false)]
                }
                FormulaNode::Const(true) => [Nnf::True, Nnf::False],
                FormulaNode::Const(false) => [Nnf::False, Nnf::True],
                FormulaNode::Not(of) => {
                    let [yes, no] = at(of)?;
                    both.push([no, yes]);
                    continue;
                }
                FormulaNode::And(a, b) => {
                    let (a, b) = (at(a)?, at(b)?);
                    [Nnf::And(a[0], b[0]), Nnf::Or(a[1], b[1])]
                }
                FormulaNode::Or(a, b) => {
                    let (a, b) = (at(a)?, at(b)?);
                    [Nnf::Or(a[0], b[0]), Nnf::And(a[1], b[1])]
                }
                FormulaNode::Next(of) => {
                    let of = at(of)?;
                    [Nnf::Next(of[0]), Nnf::Next(of[1])]
                }
                FormulaNode::Until(a, b) => {
                    let (a, b) = (at(a)?, at(b)?);
                    [Nnf::Until(a[0], b[0]), Nnf::Release(a[1], b[1])]
                }
                FormulaNode::Release(a, b) => {
                    let (a, b) = (at(a)?, at(b)?);
                    [Nnf::Release(a[0], b[0]), Nnf::Until(a[1], b[1])]
                }
            };
            both.push(pair.map(|node| self.number(node)));
        }
        both.last().map(|[_, no]| *no)
    }

    /// All covers of a set of formulas; none if there are too many.
    fn covers(&self, set: &BTreeSet<u32>) -> Option<BTreeSet<Cover>> {
        let mut found = BTreeSet::new();
        let first = (
            set.iter().copied().collect(),
            BTreeSet::new(),
            Cover::default(),
        );
        let mut pending: Vec<(Vec<u32>, BTreeSet<u32>, Cover)> = vec![first];
        let mut tried = 0;
        while let Some((mut todo, mut old, mut cover)) = pending.pop() {
            tried += 1;
            if tried > TRIED {
                return None;
            }
            let Some(number) = todo.pop() else {
                found.insert(cover);
                continue;
            };
            if !old.insert(number) {
                pending.push((todo, old, cover));
                continue;
            }
            let with = |more: &[u32]| {
                let mut todo = todo.clone();
                todo.extend(more);
                todo
            };
            match self.nodes[number as usize] {
                Nnf::True => pending.push((todo, old, cover)),
                Nnf::False => {}
                Nnf::Literal(atom, value) => {
                    if *cover.literals.entry(atom).or_insert(value) == value {
                        pending.push((todo, old, cover));
                    }
                }
                Nnf::And(a, b) => pending.push((with(&[a, b]), old, cover)),
                Nnf::Or(a, b) => {
                    pending.push((with(&[a]), old.clone(), cover.clone()));
                    pending.push((with(&[b]), old, cover));
                }
                Nnf::Next(of) => {
                    cover.next.insert(of);
                    pending.push((todo, old, cover));
                }
                Nnf::Until(a, b) => {
                    pending.push((with(&[b]), old.clone(), cover.clone()));
                    cover.next.insert(number);
                    cover.postponed.insert(number);
                    pending.push((with(&[a]), old, cover));
                }
                Nnf::Release(a, b) => {
                    pending.push((with(&[a, b]), old.clone(), cover.clone()));
                    cover.next.insert(number);
                    pending.push((with(&[b]), old, cover));
                }
            }
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formulas() -> Vec<Formula> {
        // All formulas of up to three operators over two atoms, built from a small stock.
        let mut stock: Vec<Formula> = Vec::new();
        for atom in 0..2 {
            let mut it = Formula {
                atoms: ATOMS.to_vec(),
                ..Formula::default()
            };
            it.add(FormulaNode::Atom(atom));
            stock.push(it);
        }
        for _ in 0..2 {
            let mut more = Vec::new();
            for a in stock.iter().take(12) {
                let last = a.nodes.len() as u32 - 1;
                for node in [FormulaNode::Not(last), FormulaNode::Next(last)] {
                    let mut it = a.clone();
                    it.add(node);
                    more.push(it);
                }
                for b in stock.iter().take(5) {
                    let mut both = a.clone();
                    let shift = both.nodes.len() as u32;
                    for node in &b.nodes {
                        both.add(shifted(*node, shift));
                    }
                    let end = both.nodes.len() as u32 - 1;
                    for join in [
                        FormulaNode::And,
                        FormulaNode::Or,
                        FormulaNode::Until,
                        FormulaNode::Release,
                    ] {
                        let mut it = both.clone();
                        it.add(join(last, end));
                        more.push(it);
                    }
                }
            }
            stock.extend(more);
        }
        stock
    }

    fn shifted(node: FormulaNode, by: u32) -> FormulaNode {
        match node {
            FormulaNode::Atom(_) | FormulaNode::Const(_) => node,
            FormulaNode::Not(a) => FormulaNode::Not(a + by),
            FormulaNode::Next(a) => FormulaNode::Next(a + by),
            FormulaNode::And(a, b) => FormulaNode::And(a + by, b + by),
            FormulaNode::Or(a, b) => FormulaNode::Or(a + by, b + by),
            FormulaNode::Until(a, b) => FormulaNode::Until(a + by, b + by),
            FormulaNode::Release(a, b) => FormulaNode::Release(a + by, b + by),
        }
    }

    /// The atoms of the test.
    const ATOMS: [Expr; 2] = [Expr::Pid, Expr::Last];

    fn allows(guard: &Expr, letter: usize) -> bool {
        match guard {
            Expr::Pid => letter & 1 == 1,
            Expr::Last => letter & 2 == 2,
            Expr::Const(value) => *value != 0,
            Expr::Unary(_, inner) => !allows(inner, letter),
            Expr::Binary(_, a, b) => allows(a, letter) && allows(b, letter),
            _ => false,
        }
    }

    /// Does the automaton accept the word?
    fn accepts(claim: &Claim, word: &[usize], back: usize) -> bool {
        let count = claim.locations.len();
        let next = |at: usize| if at + 1 < word.len() { at + 1 } else { back };
        let follow = |starts: Vec<(usize, usize)>| {
            let mut seen = vec![false; count * word.len()];
            let mut pending = starts;
            let mut all = Vec::new();
            while let Some((at, place)) = pending.pop() {
                for edge in &claim.locations[place].edges {
                    let Action::Guard(guard) = &edge.action else {
                        continue;
                    };
                    let to = (next(at), edge.target as usize);
                    if allows(guard, word[at])
                        && !std::mem::replace(&mut seen[to.0 * count + to.1], true)
                    {
                        pending.push(to);
                        all.push(to);
                    }
                }
            }
            all
        };
        let start = (0, claim.entry as usize);
        let mut reached = follow(vec![start]);
        reached.push(start);
        reached.into_iter().any(|(at, place)| {
            claim.locations[place].accept && follow(vec![(at, place)]).contains(&(at, place))
        })
    }

    #[test]
    fn it_accepts_exactly_what_violates_the_formula() {
        let mut lassos = Vec::new();
        for length in 1..=3usize {
            for code in 0..4usize.pow(length as u32) {
                let word: Vec<usize> = (0..length).map(|i| code >> (2 * i) & 3).collect();
                for back in 0..length {
                    lassos.push((word.clone(), back));
                }
            }
        }
        for formula in formulas() {
            let claim = Claim {
                name: String::new(),
                locations: Vec::new(),
                entry: 0,
                end: 0,
                text: String::new(),
                span: Default::default(),
                events: None,
                formula: Some(formula.clone()),
            };
            let automaton = automaton(&claim).unwrap();
            for (word, back) in &lassos {
                let values: Vec<Vec<Option<bool>>> = word
                    .iter()
                    .map(|letter| (0..2).map(|a| Some(letter >> a & 1 == 1)).collect())
                    .collect();
                let holds = formula.on_lasso(&values, *back);
                let accepted = accepts(&automaton, word, *back);
                assert_eq!(holds, Some(!accepted), "{formula:?} {word:?} {back}");
            }
        }
    }
}
