//! What a run must still do to violate a claim: sets of formulas that are all to be false from here on.
//!
//! This is the alternating automaton of the negation, with its choices made step by step (Gastin and Oddoux, "Fast LTL to Büchi
//! automata translation", CAV 2001). A release-formula that is to be false is an obligation that may not be put off for ever, so
//! there is one acceptance set for each. No alternative is dropped because another owes less: it may be the one that meets an acceptance set.

use rustc_hash::FxHashMap;
use suppose_model::lts::{Liveness, Temporal};

use super::graph::{Plan, Track};
use super::letters::Letters;
use super::residual::TooLarge;

const ALTERNATIVES: usize = 1 << 12;
const SETS: usize = 1 << 20;

/// The sets met so far, by number.
pub(crate) struct Owed<'f> {
    claim: &'f Liveness,
    table: Vec<Vec<u32>>,
    numbers: FxHashMap<Vec<u32>, u32>,
    /// The release-formulas: the acceptance sets.
    releases: Vec<u32>,
}

impl<'f> Owed<'f> {
    pub fn new(claim: &'f Liveness) -> Self {
        let numbers = 0..claim.nodes.len() as u32;
        let is_release = |n: &u32| matches!(claim.nodes[*n as usize], Temporal::Release(..));
        Owed {
            claim,
            table: Vec::new(),
            numbers: FxHashMap::default(),
            releases: numbers.filter(is_release).collect(),
        }
    }

    pub fn releases(&self) -> &[u32] {
        &self.releases
    }

    pub fn table(&self) -> &[Vec<u32>] {
        &self.table
    }

    fn number(&mut self, set: Vec<u32>) -> Result<u32, TooLarge> {
        if let Some(number) = self.numbers.get(&set) {
            return Ok(*number);
        }
        if self.table.len() >= SETS {
            return Err(TooLarge);
        }
        let number = self.table.len() as u32;
        self.numbers.insert(set.clone(), number);
        self.table.push(set);
        Ok(number)
    }

    /// The ways to make a formula false, as what is owed from here on.
    fn expand(&self, node: u32) -> Result<Vec<Vec<u32>>, TooLarge> {
        match &self.claim.nodes[node as usize] {
            Temporal::True => Ok(Vec::new()),
            Temporal::False => Ok(vec![Vec::new()]),
            Temporal::And(parts) => self.either(parts, |n| self.expand(n)),
            Temporal::Or(parts) => self.all(parts, |n| self.expand(n)),
            _ => Ok(vec![vec![node]]),
        }
    }

    /// The ways to make a formula false in this letter, as what is owed afterwards.
    fn unfold(&self, node: u32, holds: &dyn Fn(u32) -> bool) -> Result<Vec<Vec<u32>>, TooLarge> {
        Ok(match &self.claim.nodes[node as usize] {
            Temporal::True => Vec::new(),
            Temporal::False => vec![Vec::new()],
            Temporal::Literal(proposition, positive) => match holds(*proposition) == *positive {
                true => Vec::new(),
                false => vec![Vec::new()],
            },
            Temporal::And(parts) => self.either(parts, |n| self.unfold(n, holds))?,
            Temporal::Or(parts) => self.all(parts, |n| self.unfold(n, holds))?,
            Temporal::Next(inner) => self.expand(*inner)?,
            Temporal::Until(left, right) => {
                let mut either = self.unfold(*left, holds)?;
                either.push(vec![node]);
                both(&self.unfold(*right, holds)?, &either)?
            }
            Temporal::Release(left, right) => {
                let mut all = self.unfold(*right, holds)?;
                all.extend(both(&self.unfold(*left, holds)?, &[vec![node]])?);
                tidy(all)?
            }
        })
    }

    fn either(
        &self,
        parts: &[u32],
        each: impl Fn(u32) -> Result<Vec<Vec<u32>>, TooLarge>,
    ) -> Result<Vec<Vec<u32>>, TooLarge> {
        let mut all = Vec::new();
        for part in parts {
            all.extend(each(*part)?);
        }
        tidy(all)
    }

    fn all(
        &self,
        parts: &[u32],
        each: impl Fn(u32) -> Result<Vec<Vec<u32>>, TooLarge>,
    ) -> Result<Vec<Vec<u32>>, TooLarge> {
        let mut product = vec![Vec::new()];
        for part in parts {
            product = both(&product, &each(*part)?)?;
        }
        Ok(product)
    }

    /// Is a step in the acceptance set of a release-formula: is it not owed afterwards, or made false by this letter?
    pub fn meets(
        &self,
        release: u32,
        after: u32,
        holds: &dyn Fn(u32) -> bool,
    ) -> Result<bool, TooLarge> {
        let after = &self.table[after as usize];
        if after.binary_search(&release).is_err() {
            return Ok(true);
        }
        let Temporal::Release(_, right) = &self.claim.nodes[release as usize] else {
            return Ok(false);
        };
        let ways = self.unfold(*right, holds)?;
        let paid = |way: &Vec<u32>| way.iter().all(|n| after.binary_search(n).is_ok());
        Ok(ways.iter().any(paid))
    }
}

impl Track for Owed<'_> {
    fn initial(&mut self) -> Result<Vec<u32>, TooLarge> {
        let all = self.expand(self.claim.root)?;
        all.into_iter().map(|set| self.number(set)).collect()
    }

    fn after(&mut self, left: u32, letter: u32, letters: &Letters) -> Result<Vec<u32>, TooLarge> {
        let holds = |proposition| letters.holds(letter, proposition);
        let set = self.table[left as usize].clone();
        let all = self.all(&set, |n| self.unfold(n, &holds))?;
        all.into_iter().map(|set| self.number(set)).collect()
    }

    fn plan(&self, left: u32) -> Plan {
        match self.table[left as usize].is_empty() {
            true => Plan::Halt,
            false => Plan::Expand,
        }
    }
}

fn both(one: &[Vec<u32>], two: &[Vec<u32>]) -> Result<Vec<Vec<u32>>, TooLarge> {
    if one.len().saturating_mul(two.len()) > ALTERNATIVES {
        return Err(TooLarge);
    }
    let union = |a: &[u32], b: &[u32]| {
        let mut all = [a, b].concat();
        all.sort_unstable();
        all.dedup();
        all
    };
    let pairs = one
        .iter()
        .flat_map(|a| two.iter().map(move |b| union(a, b)));
    tidy(pairs.collect())
}

fn tidy(mut all: Vec<Vec<u32>>) -> Result<Vec<Vec<u32>>, TooLarge> {
    if all.len() > ALTERNATIVES {
        return Err(TooLarge);
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}
