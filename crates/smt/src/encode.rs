//! From formulas to clauses.
//!
//! Each formula has one literal, which never changes; the clauses that say what it means are added for the signs it is
//! used with (Plaisted and Greenbaum): they are all among those that the proof format takes for granted.
//! So a formula that no query speaks about any more leaves nothing but clauses that are not visited.
//!
//! *Guards.* A Boolean variable that occurs with one sign only may be given that sign for free. An asserted clause
//! with such a literal therefore matters only while its negation is assumed. Queries visit the clauses of
//! the guards they assume, and not those of all others ([`Encoder::guarded`]).

use rustc_hash::FxHashMap;
use suppose_model::chc::{Node, Sort, TermId, Terms, Var};
use suppose_number::Int;

use crate::sat::{Lit, Sat};
use crate::simplex::{Col, Simplex};

/// What the search needs to know of a variable.
#[derive(Clone, Debug)]
pub(crate) enum Gate {
    /// A Boolean variable, or true.
    Free,
    /// An inequality, by its number in the simplex.
    Atom(u32),
    /// Something whose meaning has no clauses yet.
    Unknown,
    /// All of them.
    And(Box<[Lit]>),
    /// One of them.
    Or(Box<[Lit]>),
    /// Both or neither.
    Iff(Lit, Lit),
    /// All determined by propagation.
    Divides,
}

const TRUE: u8 = 1;
const FALSE: u8 = 2;

/// An asserted clause, by its number.
pub(crate) type Root = u32;

#[derive(Debug, Default)]
pub(crate) struct Encoder {
    lits: FxHashMap<TermId, Lit>,
    pub(crate) terms_of: Vec<TermId>,
    pub(crate) gates: Vec<Gate>,
    /// The signs a variable is used with.
    used: Vec<u8>,
    todo: Vec<(u32, u8)>,
    root_lits: Vec<Lit>,
    roots: Vec<(u32, u32)>,
    /// Asserted clauses that always matter.
    pub(crate) open: Vec<Root>,
    /// Asserted clauses that matter when that literal is assumed.
    guarded: FxHashMap<Lit, Vec<Root>>,
    pub(crate) bools: Vec<(u32, Var)>,
    pub(crate) numbers: Vec<(Col, Var)>,
    /// What was asserted, to test models against.
    #[cfg(debug_assertions)]
    pub(crate) asserted: Vec<TermId>,
}

/// The encoder with what it writes to.
pub(crate) struct Encoding<'a> {
    pub(crate) encoder: &'a mut Encoder,
    pub(crate) sat: &'a mut Sat,
    pub(crate) simplex: &'a mut Simplex,
    pub(crate) terms: &'a mut Terms,
}

impl Encoder {
    pub(crate) fn root(&self, root: Root) -> &[Lit] {
        let (from, to) = self.roots[root as usize];
        &self.root_lits[from as usize..to as usize]
    }

    /// The asserted clauses that matter when this is assumed.
    pub(crate) fn guarded(&self, assumed: Lit) -> &[Root] {
        self.guarded.get(&assumed).map_or(&[], Vec::as_slice)
    }

    /// The value a Boolean variable gets when the search leaves it open.
    pub(crate) fn default_value(&self, var: u32) -> bool {
        self.used[var as usize] == TRUE
    }

    /// May the search give it either value? Not a variable that occurs with one sign only: see above.
    pub(crate) fn is_free_to_choose(&self, var: usize) -> bool {
        !matches!(self.gates[var], Gate::Free) || self.used[var] == TRUE | FALSE
    }

    /// Does the literal occur with this sign?
    pub(crate) fn is_used(&self, lit: Lit) -> bool {
        self.used[lit.var()] & sign(lit) != 0
    }
}

fn sign(lit: Lit) -> u8 {
    if lit.positive() { TRUE } else { FALSE }
}

impl Encoding<'_> {
    /// The literal of a formula; its meaning is added only by [`Encoding::mean`].
    pub(crate) fn literal(&mut self, term: TermId) -> Lit {
        let lit = self.terms.literal(term);
        if lit.atom == Terms::FALSE {
            return !self.literal(Terms::TRUE);
        }
        if let Some(known) = self.encoder.lits.get(&lit.atom) {
            return known.signed(lit.positive);
        }
        let var = self.sat.new_var();
        let new = Lit::new(var, true);
        self.encoder.lits.insert(lit.atom, new);
        self.encoder.terms_of.push(lit.atom);
        self.encoder.used.push(0);
        let gate = self.gate(lit.atom, new);
        self.encoder.gates.push(gate);
        if lit.atom == Terms::TRUE {
            self.encoder.used[var as usize] = TRUE | FALSE;
            self.sat.add_input(&mut [new]);
        }
        new.signed(lit.positive)
    }

    fn gate(&mut self, atom: TermId, lit: Lit) -> Gate {
        let (lin, strict) = match self.terms.node(atom) {
            Node::Var(var) => {
                self.encoder.bools.push((lit.0 >> 1, *var));
                return Gate::Free;
            }
            Node::Const(_) => return Gate::Free,
            Node::Le(lin) => (lin, false),
            Node::Lt(lin) => (lin, true),
            _ => return Gate::Unknown,
        };
        let integral = |v: Var| self.terms.sort(v) == Sort::Int;
        for (var, _) in &lin.terms {
            let before = self.simplex.column_count();
            let col = self.simplex.variable(*var, integral(*var));
            if self.simplex.column_count() > before {
                self.encoder.numbers.push((col, *var));
            }
        }
        let constant = &lin.constant;
        Gate::Atom(
            self.simplex
                .new_atom(lit, &lin.terms, constant, strict, integral),
        )
    }

    /// Adds what the literal being true means, at level 0.
    pub(crate) fn mean(&mut self, lit: Lit) {
        self.use_with(lit);
        while let Some((var, signs)) = self.encoder.todo.pop() {
            self.define(var, signs);
        }
    }

    fn use_with(&mut self, lit: Lit) {
        let used = &mut self.encoder.used[lit.var()];
        if *used & sign(lit) != 0 {
            return;
        }
        *used |= sign(lit);
        if let Some(roots) = self.encoder.guarded.remove(&lit) {
            self.encoder.open.extend(roots);
        }
        match self.encoder.gates[lit.var()] {
            Gate::Free | Gate::Atom(_) => {}
            _ => self.encoder.todo.push((lit.0 >> 1, sign(lit))),
        }
    }

    fn define(&mut self, var: u32, signs: u8) {
        if matches!(self.encoder.gates[var as usize], Gate::Unknown) {
            let gate = self.parts(var);
            self.encoder.gates[var as usize] = gate;
        }
        let own = Lit::new(var, true);
        let gate = self.encoder.gates[var as usize].clone();
        match gate {
            Gate::And(parts) if signs & TRUE != 0 => self.define_all(own, &parts, true),
            Gate::And(parts) => self.define_one(!own, &parts, false),
            Gate::Or(parts) if signs & TRUE != 0 => self.define_one(own, &parts, true),
            Gate::Or(parts) => self.define_all(!own, &parts, false),
            Gate::Iff(a, b) => {
                for part in [a, b, !a, !b] {
                    self.use_with(part);
                }
                if signs & TRUE != 0 {
                    self.sat.add_input(&mut [!own, !a, b]);
                    self.sat.add_input(&mut [!own, a, !b]);
                } else {
                    self.sat.add_input(&mut [own, a, b]);
                    self.sat.add_input(&mut [own, !a, !b]);
                }
            }
            Gate::Divides => self.define_divides(own.signed(signs & TRUE != 0)),
            Gate::Free | Gate::Atom(_) | Gate::Unknown => {}
        }
    }

    /// `own` implies each part (turned if the sign is false).
    fn define_all(&mut self, own: Lit, parts: &[Lit], positive: bool) {
        for &part in parts {
            let part = part.signed(positive);
            self.use_with(part);
            self.sat.add_input(&mut [!own, part]);
        }
    }

    /// `own` implies one of the parts (turned if the sign is false).
    fn define_one(&mut self, own: Lit, parts: &[Lit], positive: bool) {
        let mut clause = vec![!own];
        for &part in parts {
            let part = part.signed(positive);
            self.use_with(part);
            clause.push(part);
        }
        self.sat.add_input(&mut clause);
    }

    fn parts(&mut self, var: u32) -> Gate {
        let node = self.terms.node(self.encoder.terms_of[var as usize]).clone();
        match node {
            Node::And(parts) => Gate::And(parts.iter().map(|&p| self.literal(p)).collect()),
            Node::Or(parts) => Gate::Or(parts.iter().map(|&p| self.literal(p)).collect()),
            Node::Iff(a, b) => Gate::Iff(self.literal(a), self.literal(b)),
            Node::Eq(lin) => {
                let (a, b) = self.terms.halves(&lin);
                Gate::And(Box::new([self.literal(a), self.literal(b)]))
            }
            Node::Divides(..) => Gate::Divides,
            _ => Gate::Free,
        }
    }

    /// The remainder lies in its range and says whether the number divides; only while the literal is
    /// assigned, so that a retired one costs nothing.
    fn define_divides(&mut self, own: Lit) {
        let atom = self.encoder.terms_of[own.var()];
        let Node::Divides(divisor, lin) = self.terms.node(atom).clone() else {
            return;
        };
        let quotient = self.terms.quotient(atom);
        let rest = lin.add_scaled(&suppose_model::chc::Lin::var(quotient), &-&divisor);
        let at_least = self.terms.le(rest.neg());
        let at_most = self.terms.le(rest.clone().plus(&Int::ONE - &divisor));
        let none = self.terms.le(rest);
        for (term, positive) in [(at_least, true), (at_most, true), (none, own.positive())] {
            let part = self.literal(term).signed(positive);
            self.use_with(part);
            self.sat.add_input(&mut [!own, part]);
        }
    }

    /// Asserts a formula, at level 0.
    pub(crate) fn assert(&mut self, formula: TermId) {
        #[cfg(debug_assertions)]
        self.encoder.asserted.push(formula);
        let mut stack = vec![self.terms.literal(formula)];
        while let Some(lit) = stack.pop() {
            let sign = |part| {
                let part = self.terms.literal(part);
                suppose_model::chc::Lit {
                    positive: part.positive == lit.positive,
                    ..part
                }
            };
            match self.terms.node(lit.atom) {
                Node::And(parts) if lit.positive => stack.extend(parts.iter().map(|&p| sign(p))),
                Node::Or(parts) if !lit.positive => stack.extend(parts.iter().map(|&p| sign(p))),
                Node::And(parts) | Node::Or(parts) => {
                    let parts = parts.clone();
                    let clause = parts
                        .iter()
                        .map(|&p| self.literal(p).signed(lit.positive))
                        .collect();
                    self.assert_clause(clause);
                }
                _ => {
                    let own = self.literal(lit.atom).signed(lit.positive);
                    self.assert_clause(vec![own]);
                }
            }
        }
    }

    fn assert_clause(&mut self, mut clause: Vec<Lit>) {
        let root = self.encoder.roots.len() as u32;
        let guard = clause.iter().copied().find(|&l| {
            clause.len() > 1
                && matches!(self.encoder.gates[l.var()], Gate::Free)
                && !self.encoder.is_used(!l)
        });
        for &lit in &clause {
            self.mean(lit);
        }
        let from = self.encoder.root_lits.len() as u32;
        self.encoder.root_lits.extend_from_slice(&clause);
        let to = self.encoder.root_lits.len() as u32;
        self.encoder.roots.push((from, to));
        match guard {
            // The other literals may have used it with the other sign.
            Some(lit) if !self.encoder.is_used(!lit) => {
                self.encoder.guarded.entry(!lit).or_default().push(root);
            }
            _ => self.encoder.open.push(root),
        }
        self.sat.add_input(&mut clause);
    }
}
