//! What is left of a formula after some letters.
//!
//! A residual is a disjunction of conjunctions of temporal formulas, without alternatives that imply another: the prime implicants of
//! a monotone function of the formulas, so two that are equal as functions are the same residual. Formulas of the form
//! "again and again" and "from some time on" do not depend on the letters seen, and are kept as they are.

use rustc_hash::FxHashMap;
use suppose_model::Residual;
use suppose_model::lts::{Liveness, Temporal};

/// No alternative.
pub(super) const FALSE: u32 = 0;
/// One alternative, with nothing to show.
pub(super) const TRUE: u32 = 1;

/// So many alternatives at most.
const ALTERNATIVES: usize = 1 << 12;
/// So many residuals at most.
const RESIDUALS: usize = 1 << 20;

/// The formula leaves too much to be shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooLarge;

/// How formulas are read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reading<'s> {
    /// As they are.
    Plain,
    /// Until-formulas that are not in the set are false, the others need not come to their second part.
    Safe(&'s [bool]),
    /// Release-formulas in the set are true, the others must come to their first part.
    Guaranteed(&'s [bool]),
}

/// The residuals met so far, by number.
pub(super) struct Residuals<'f> {
    claim: &'f Liveness,
    table: Vec<Residual>,
    numbers: FxHashMap<Residual, u32>,
}

impl<'f> Residuals<'f> {
    pub fn new(claim: &'f Liveness) -> Self {
        let mut it = Residuals {
            claim,
            table: Vec::new(),
            numbers: FxHashMap::default(),
        };
        let known = [Vec::new(), vec![Vec::new()]];
        for residual in known {
            it.numbers.insert(residual.clone(), it.table.len() as u32);
            it.table.push(residual);
        }
        it
    }

    /// The formulas of the claim.
    pub fn nodes(&self) -> &'f [Temporal] {
        &self.claim.nodes
    }

    /// The formula of the claim.
    pub fn root(&self) -> u32 {
        self.claim.root
    }

    pub fn get(&self, number: u32) -> &Residual {
        &self.table[number as usize]
    }

    /// A formula itself.
    pub fn of(&mut self, node: u32) -> Result<u32, TooLarge> {
        let residual = self.expand(node)?;
        self.number(residual)
    }

    fn number(&mut self, residual: Residual) -> Result<u32, TooLarge> {
        if let Some(number) = self.numbers.get(&residual) {
            return Ok(*number);
        }
        if self.table.len() >= RESIDUALS {
            return Err(TooLarge);
        }
        let number = self.table.len() as u32;
        self.numbers.insert(residual.clone(), number);
        self.table.push(residual);
        Ok(number)
    }

    /// What is left after a letter, in which `holds` says of each proposition whether it is true.
    pub fn after(
        &mut self,
        number: u32,
        reading: Reading<'_>,
        holds: &dyn Fn(u32) -> bool,
    ) -> Result<u32, TooLarge> {
        let mut nodes = self.table[number as usize].iter().flatten();
        if matches!(reading, Reading::Plain) && nodes.all(|n| self.is_constant(*n)) {
            return Ok(number);
        }
        let mut all = Vec::new();
        for alternative in self.table[number as usize].clone() {
            let mut product = vec![Vec::new()];
            for node in alternative {
                let one = self.unfold(node, reading, holds)?;
                product = both(&product, &one)?;
            }
            all.extend(product);
        }
        self.number(shortest(all)?)
    }

    /// A formula as a residual: conjunctions and disjunctions are spelled out.
    fn expand(&self, node: u32) -> Result<Residual, TooLarge> {
        Ok(match &self.claim.nodes[node as usize] {
            Temporal::True => vec![Vec::new()],
            Temporal::False => Vec::new(),
            Temporal::And(parts) => {
                let mut product = vec![Vec::new()];
                for part in parts {
                    product = both(&product, &self.expand(*part)?)?;
                }
                product
            }
            Temporal::Or(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.expand(*part)?);
                }
                shortest(all)?
            }
            _ => vec![vec![node]],
        })
    }

    fn unfold(
        &self,
        node: u32,
        reading: Reading<'_>,
        holds: &dyn Fn(u32) -> bool,
    ) -> Result<Residual, TooLarge> {
        let truth = |value: bool| match value {
            true => vec![Vec::new()],
            false => Vec::new(),
        };
        Ok(match &self.claim.nodes[node as usize] {
            Temporal::True => truth(true),
            Temporal::False => truth(false),
            Temporal::Literal(proposition, positive) => truth(holds(*proposition) == *positive),
            Temporal::And(parts) => {
                let mut product = truth(true);
                for part in parts {
                    product = both(&product, &self.unfold(*part, reading, holds)?)?;
                }
                product
            }
            Temporal::Or(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.unfold(*part, reading, holds)?);
                }
                shortest(all)?
            }
            Temporal::Next(inner) => self.expand(*inner)?,
            Temporal::Until(left, right) => match reading {
                Reading::Safe(again) if !again[node as usize] => truth(false),
                Reading::Plain if self.is_constant(node) => vec![vec![node]],
                _ => {
                    let left = self.unfold(*left, reading, holds)?;
                    let mut all = both(&left, &[vec![node]])?;
                    all.extend(self.unfold(*right, reading, holds)?);
                    shortest(all)?
                }
            },
            Temporal::Release(left, right) => match reading {
                Reading::Guaranteed(forever) if forever[node as usize] => truth(true),
                Reading::Plain if self.is_constant(node) => vec![vec![node]],
                _ => {
                    let mut either = self.unfold(*left, reading, holds)?;
                    either.push(vec![node]);
                    both(&self.unfold(*right, reading, holds)?, &shortest(either)?)?
                }
            },
        })
    }

    /// Is it `[]<>` or `<>[]` of something?
    fn is_constant(&self, node: u32) -> bool {
        let nodes = &self.claim.nodes;
        let always = |node: u32| match &nodes[node as usize] {
            Temporal::Release(l, r) if nodes[*l as usize] == Temporal::False => Some(*r),
            _ => None,
        };
        let finally = |node: u32| match &nodes[node as usize] {
            Temporal::Until(l, r) if nodes[*l as usize] == Temporal::True => Some(*r),
            _ => None,
        };
        always(node).is_some_and(|inner| finally(inner).is_some())
            || finally(node).is_some_and(|inner| always(inner).is_some())
    }
}

fn union(one: &[u32], two: &[u32]) -> Vec<u32> {
    let mut all = [one, two].concat();
    all.sort_unstable();
    all.dedup();
    all
}

fn is_within(small: &[u32], large: &[u32]) -> bool {
    small.len() <= large.len() && small.iter().all(|n| large.binary_search(n).is_ok())
}

fn both(one: &[Vec<u32>], two: &[Vec<u32>]) -> Result<Residual, TooLarge> {
    if one.len().saturating_mul(two.len()) > ALTERNATIVES {
        return Err(TooLarge);
    }
    let pairs = one
        .iter()
        .flat_map(|a| two.iter().map(move |b| union(a, b)));
    shortest(pairs.collect())
}

/// Drops alternatives that imply another.
fn shortest(mut all: Vec<Vec<u32>>) -> Result<Residual, TooLarge> {
    if all.len() > ALTERNATIVES {
        return Err(TooLarge);
    }
    all.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    let mut kept: Vec<Vec<u32>> = Vec::new();
    for alternative in all {
        if !kept.iter().any(|k| is_within(k, &alternative)) {
            kept.push(alternative);
        }
    }
    kept.sort_unstable();
    Ok(kept)
}
