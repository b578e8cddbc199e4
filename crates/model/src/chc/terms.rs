//! The store of formulas.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use suppose_number::Int;

use super::linear::Lin;

/// What a variable ranges over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// False and true.
    Bool,
    /// All integers.
    Int,
    /// All rationals (which linear formulas cannot distinguish from the reals).
    Real,
}

/// A variable, by its number in its [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

impl Var {
    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A formula, by its number in its [`Terms`]. Equal formulas of one store have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

impl TermId {
    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A formula's outermost part. Only [`Terms`] makes them, in this form:
/// - the operand of `Not` is neither `Const` nor `Not`;
/// - `And`, `Or` have two or more parts, sorted, without repetition, constants, or a part beside its
///   negation, and no `And` is directly in an `And` (nor `Or` in `Or`);
/// - `Iff` has its smaller part first, and neither is `Const` or `Not`;
/// - an atom has a variable, and the factor of its first one is positive;
/// - `Le` over integer variables only: the greatest common divisor of the factors is 1;
/// - other `Le` and all `Lt` and `Eq`: that of factors and constant is 1;
/// - `Lt` has a variable of sort `Real` (for integers `t < 0` is `t + 1 <= 0`);
/// - `Divides(d, t)`: `d >= 2`, all variables are integers, factors and constant are in `0..d`, and
///   the greatest common divisor of `d`, factors and constant is 1.
///
/// So the negation of `Le` over integers is never written as another `Le`, and so on: each
/// half-space has one atom and one sign.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// True or false.
    Const(bool),
    /// A Boolean variable.
    Var(Var),
    /// The negation.
    Not(TermId),
    /// Conjunction.
    And(Box<[TermId]>),
    /// Disjunction.
    Or(Box<[TermId]>),
    /// Both or neither.
    Iff(TermId, TermId),
    /// The expression is at most 0.
    Le(Lin),
    /// The expression is below 0.
    Lt(Lin),
    /// The expression is 0.
    Eq(Lin),
    /// The number divides the expression.
    Divides(Int, Lin),
}

/// An atom (or any formula that is no negation) and whether it is meant as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit {
    /// Never a `Not`.
    pub atom: TermId,
    /// False for its negation.
    pub positive: bool,
}

/// What may be put in place of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// Of a Boolean one.
    Bool(TermId),
    /// Of an integer or rational one.
    Num(Lin),
}

#[derive(Clone, Debug)]
struct VarInfo {
    name: String,
    sort: Sort,
}

/// Formulas and variables: each formula is stored once.
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: Vec<Node>,
    table: HashTable<u32>,
    vars: Vec<VarInfo>,
    quotients: FxHashMap<TermId, Var>,
    quotient_of: FxHashMap<Var, TermId>,
}

impl Default for Terms {
    fn default() -> Self {
        let mut terms = Terms {
            nodes: Vec::new(),
            table: HashTable::new(),
            vars: Vec::new(),
            quotients: FxHashMap::default(),
            quotient_of: FxHashMap::default(),
        };
        terms.intern(Node::Const(false));
        terms.intern(Node::Const(true));
        terms
    }
}

fn hash(node: &Node) -> u64 {
    FxBuildHasher.hash_one(node)
}

impl Terms {
    /// The false formula.
    pub const FALSE: TermId = TermId(0);
    /// The true formula.
    pub const TRUE: TermId = TermId(1);

    /// How many formulas there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: true and false are always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// How many variables there are.
    pub fn var_count(&self) -> usize {
        self.vars.len()
    }

    /// A new variable. Names need not be unique; they are for display.
    pub fn fresh(&mut self, name: &str, sort: Sort) -> Var {
        self.vars.push(VarInfo {
            name: name.to_owned(),
            sort,
        });
        Var(self.vars.len() as u32 - 1)
    }

    /// The name of a variable.
    pub fn name(&self, var: Var) -> &str {
        &self.vars[var.index()].name
    }

    /// The sort of a variable.
    pub fn sort(&self, var: Var) -> Sort {
        self.vars[var.index()].sort
    }

    /// Gives a variable another name.
    pub fn rename(&mut self, var: Var, name: &str) {
        self.vars[var.index()].name = name.to_owned();
    }

    /// The outermost part of a formula.
    pub fn node(&self, term: TermId) -> &Node {
        &self.nodes[term.index()]
    }

    fn intern(&mut self, node: Node) -> TermId {
        let key = hash(&node);
        if let Some(&found) = self.table.find(key, |&i| self.nodes[i as usize] == node) {
            return TermId(found);
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(node);
        let nodes = &self.nodes;
        self.table
            .insert_unique(key, number, |&i| hash(&nodes[i as usize]));
        TermId(number)
    }

    /// True or false.
    pub fn constant(&self, truth: bool) -> TermId {
        if truth { Terms::TRUE } else { Terms::FALSE }
    }

    /// A Boolean variable as a formula.
    pub fn var(&mut self, var: Var) -> TermId {
        debug_assert_eq!(self.sort(var), Sort::Bool);
        self.intern(Node::Var(var))
    }

    /// The negation.
    pub fn not(&mut self, term: TermId) -> TermId {
        match self.node(term) {
            Node::Const(truth) => self.constant(!truth),
            Node::Not(inner) => *inner,
            _ => self.intern(Node::Not(term)),
        }
    }

    /// All of them.
    pub fn and(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(parts, true)
    }

    /// One of them.
    pub fn or(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(parts, false)
    }

    fn junction(&mut self, parts: impl IntoIterator<Item = TermId>, all: bool) -> TermId {
        let mut flat = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::Const(truth) if *truth == all => {}
                Node::Const(_) => return part,
                Node::And(inner) if all => flat.extend_from_slice(inner),
                Node::Or(inner) if !all => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let clash = flat.iter().any(|&part| match self.node(part) {
            Node::Not(inner) => flat.binary_search(inner).is_ok(),
            _ => false,
        });
        if clash {
            return self.constant(!all);
        }
        match flat.len() {
            0 => self.constant(all),
            1 => flat[0],
            _ if all => self.intern(Node::And(flat.into())),
            _ => self.intern(Node::Or(flat.into())),
        }
    }

    /// The first implies the second.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not = self.not(a);
        self.or([not, b])
    }

    /// Both or neither.
    pub fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, a_positive) = self.strip(a);
        let (b, b_positive) = self.strip(b);
        let same = a_positive == b_positive;
        let plain = if a == b {
            Terms::TRUE
        } else if a == Terms::TRUE {
            b
        } else if b == Terms::TRUE {
            a
        } else {
            self.intern(Node::Iff(a.min(b), a.max(b)))
        };
        if same { plain } else { self.not(plain) }
    }

    /// Without its negation, and whether there was none; `false` is `not true` here.
    fn strip(&self, term: TermId) -> (TermId, bool) {
        match self.node(term) {
            Node::Not(inner) => (*inner, false),
            Node::Const(false) => (Terms::TRUE, false),
            _ => (term, true),
        }
    }

    /// The second if the first is true, else the third.
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        if then == otherwise {
            return then;
        }
        let not = self.not(condition);
        let a = self.or([not, then]);
        let b = self.or([condition, otherwise]);
        self.and([a, b])
    }

    /// Are all its variables integers?
    pub fn is_integral(&self, lin: &Lin) -> bool {
        lin.terms.iter().all(|(v, _)| self.sort(*v) == Sort::Int)
    }

    /// The expression is at most 0.
    pub fn le(&mut self, lin: Lin) -> TermId {
        if lin.is_constant() {
            return self.constant(!lin.constant.is_positive());
        }
        let integral = self.is_integral(&lin);
        if lin.terms[0].1.is_negative() {
            // -t <= 0 is not (t < 0), and over integers not (t <= -1).
            let turned = lin.neg();
            let below = if integral {
                self.le(turned.plus(1))
            } else {
                self.lt(turned)
            };
            return self.not(below);
        }
        let lin = if integral { tighten(lin) } else { reduce(lin) };
        self.intern(Node::Le(lin))
    }

    /// The expression is below 0.
    pub fn lt(&mut self, lin: Lin) -> TermId {
        if self.is_integral(&lin) {
            return self.le(lin.plus(1));
        }
        if lin.terms[0].1.is_negative() {
            let at_most = self.le(lin.neg());
            return self.not(at_most);
        }
        let lin = reduce(lin);
        self.intern(Node::Lt(lin))
    }

    /// The expression is 0.
    pub fn eq(&mut self, lin: Lin) -> TermId {
        if lin.is_constant() {
            return self.constant(lin.constant.is_zero());
        }
        if self.is_integral(&lin) && !lin.gcd().divides(&lin.constant) {
            return Terms::FALSE;
        }
        let lin = if lin.terms[0].1.is_negative() {
            lin.neg()
        } else {
            lin
        };
        let lin = reduce(lin);
        self.intern(Node::Eq(lin))
    }

    /// The two halves of an equation, `t <= 0` and `t >= 0`: together they say the same.
    pub fn halves(&mut self, lin: &Lin) -> (TermId, TermId) {
        (self.le(lin.clone()), self.le(lin.neg()))
    }

    /// The number divides the expression, whose variables must be integers. The number must not be 0.
    pub fn divides(&mut self, divisor: &Int, lin: &Lin) -> TermId {
        debug_assert!(!divisor.is_zero() && self.is_integral(lin));
        let divisor = divisor.abs();
        let modulo = |divisor: &Int, lin: &Lin| Lin {
            terms: lin
                .terms
                .iter()
                .map(|(v, a)| (*v, a.div_floor(divisor).1))
                .filter(|(_, a)| !a.is_zero())
                .collect(),
            constant: lin.constant.div_floor(divisor).1,
        };
        let lin = modulo(&divisor, lin);
        if lin.is_constant() {
            return self.constant(lin.constant.is_zero());
        }
        let common = lin.gcd().gcd(&divisor);
        if !common.divides(&lin.constant) {
            return Terms::FALSE;
        }
        let divisor = divisor.div_exact(&common);
        let lin = divide(lin, &common);
        if divisor.is_one() {
            return Terms::TRUE;
        }
        self.intern(Node::Divides(divisor, lin))
    }

    /// The variable that represents the quotient, rounded down, of a `Divides` atom: `d | t` with
    /// quotient `q` means that `0 <= t - d*q < d` and that the atom is true iff `t - d*q <= 0`. It is the
    /// same for the same atom, and occurs only in formulas that a solver adds.
    pub fn quotient(&mut self, divides: TermId) -> Var {
        debug_assert!(matches!(self.node(divides), Node::Divides(..)));
        if let Some(&var) = self.quotients.get(&divides) {
            return var;
        }
        let var = self.fresh(&format!("quotient!{}", divides.0), Sort::Int);
        self.quotients.insert(divides, var);
        self.quotient_of.insert(var, divides);
        var
    }

    /// The `Divides` atom whose quotient a variable is.
    pub fn quotient_of(&self, var: Var) -> Option<TermId> {
        self.quotient_of.get(&var).copied()
    }

    /// A formula as an atom with its sign.
    pub fn literal(&self, term: TermId) -> Lit {
        match self.node(term) {
            Node::Not(inner) => Lit {
                atom: *inner,
                positive: false,
            },
            _ => Lit {
                atom: term,
                positive: true,
            },
        }
    }

    /// A literal as a formula.
    pub fn of_literal(&mut self, lit: Lit) -> TermId {
        if lit.positive {
            lit.atom
        } else {
            self.not(lit.atom)
        }
    }

    /// Is it a Boolean variable or an arithmetic atom (not a negation)?
    pub fn is_atom(&self, term: TermId) -> bool {
        matches!(
            self.node(term),
            Node::Var(_) | Node::Le(_) | Node::Lt(_) | Node::Eq(_) | Node::Divides(..)
        )
    }

    /// The parts of a conjunction; of anything else itself; none of true.
    pub fn conjuncts(&self, term: TermId) -> Vec<TermId> {
        match self.node(term) {
            Node::And(parts) => parts.to_vec(),
            Node::Const(true) => Vec::new(),
            _ => vec![term],
        }
    }

    /// The direct parts of a formula.
    pub fn children(&self, term: TermId) -> &[TermId] {
        match self.node(term) {
            Node::Not(inner) => std::slice::from_ref(inner),
            Node::And(parts) | Node::Or(parts) => parts,
            // An `Iff` keeps its two parts apart; see `postorder`.
            _ => &[],
        }
    }

    /// All parts of a formula, each once, after its own parts, itself last. Does not recurse.
    pub fn postorder(&self, term: TermId) -> Vec<TermId> {
        self.postorder_of(&[term])
    }

    /// The same for several formulas together.
    pub fn postorder_of(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut order = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<(TermId, bool)> = roots.iter().rev().map(|&t| (t, false)).collect();
        while let Some((part, done)) = stack.pop() {
            if done {
                order.push(part);
                continue;
            }
            if !seen.insert(part) {
                continue;
            }
            stack.push((part, true));
            if let Node::Iff(a, b) = self.node(part) {
                stack.push((*b, false));
                stack.push((*a, false));
            }
            for &child in self.children(part).iter().rev() {
                stack.push((child, false));
            }
        }
        order
    }

    /// The variables of a formula, in order of their numbers.
    pub fn variables(&self, term: TermId) -> Vec<Var> {
        let mut all = Vec::new();
        for part in self.postorder(term) {
            match self.node(part) {
                Node::Var(var) => all.push(*var),
                Node::Le(lin) | Node::Lt(lin) | Node::Eq(lin) | Node::Divides(_, lin) => {
                    all.extend(lin.terms.iter().map(|(v, _)| *v));
                }
                _ => {}
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The formula with expressions in place of variables, all at once.
    pub fn substitute(&mut self, term: TermId, map: &FxHashMap<Var, Expr>) -> TermId {
        let mut done = FxHashMap::default();
        self.substitute_with(term, map, &mut done)
    }

    /// The same for several formulas that share parts; `done` keeps what became of the parts.
    pub fn substitute_with(
        &mut self,
        term: TermId,
        map: &FxHashMap<Var, Expr>,
        done: &mut FxHashMap<TermId, TermId>,
    ) -> TermId {
        for part in self.postorder(term) {
            if done.contains_key(&part) {
                continue;
            }
            let new = match self.node(part).clone() {
                Node::Const(_) => part,
                Node::Var(var) => match map.get(&var) {
                    Some(Expr::Bool(new)) => *new,
                    _ => part,
                },
                Node::Not(inner) => self.not(done[&inner]),
                Node::And(parts) => self.and(parts.iter().map(|p| done[p])),
                Node::Or(parts) => self.or(parts.iter().map(|p| done[p])),
                Node::Iff(a, b) => self.iff(done[&a], done[&b]),
                Node::Le(lin) => {
                    let lin = substitute_lin(&lin, map);
                    self.le(lin)
                }
                Node::Lt(lin) => {
                    let lin = substitute_lin(&lin, map);
                    self.lt(lin)
                }
                Node::Eq(lin) => {
                    let lin = substitute_lin(&lin, map);
                    self.eq(lin)
                }
                Node::Divides(d, lin) => {
                    let lin = substitute_lin(&lin, map);
                    self.divides(&d, &lin)
                }
            };
            done.insert(part, new);
        }
        done[&term]
    }

    /// A formula of another store, whose variables have the same numbers here, in this one. `done` keeps
    /// what became of its parts, for further formulas of that store.
    pub fn import(
        &mut self,
        other: &Terms,
        term: TermId,
        done: &mut FxHashMap<TermId, TermId>,
    ) -> TermId {
        self.import_renamed(other, term, &mut |_, var| var, done)
    }

    /// The same where a variable of the other store is another one here, which may be made for it.
    pub fn import_renamed(
        &mut self,
        other: &Terms,
        term: TermId,
        variable: &mut impl FnMut(&mut Terms, Var) -> Var,
        done: &mut FxHashMap<TermId, TermId>,
    ) -> TermId {
        for part in other.postorder(term) {
            if done.contains_key(&part) {
                continue;
            }
            let mut moved = |terms: &mut Terms, lin: &Lin| {
                let renamed = lin.terms.iter();
                let mut renamed: Vec<_> = renamed
                    .map(|(v, a)| (variable(terms, *v), a.clone()))
                    .collect();
                renamed.sort_unstable_by_key(|(v, _)| *v);
                Lin {
                    terms: renamed,
                    constant: lin.constant.clone(),
                }
            };
            let new = match other.node(part) {
                Node::Const(_) => part,
                Node::Var(var) => {
                    let var = variable(self, *var);
                    self.var(var)
                }
                Node::Not(inner) => self.not(done[inner]),
                Node::And(parts) => self.and(parts.iter().map(|p| done[p])),
                Node::Or(parts) => self.or(parts.iter().map(|p| done[p])),
                Node::Iff(a, b) => self.iff(done[a], done[b]),
                Node::Le(lin) => {
                    let lin = moved(self, lin);
                    self.le(lin)
                }
                Node::Lt(lin) => {
                    let lin = moved(self, lin);
                    self.lt(lin)
                }
                Node::Eq(lin) => {
                    let lin = moved(self, lin);
                    self.eq(lin)
                }
                Node::Divides(d, lin) => {
                    let lin = moved(self, lin);
                    self.divides(d, &lin)
                }
            };
            done.insert(part, new);
        }
        done[&term]
    }

    /// The formula with other variables in place of some, of the same sorts.
    pub fn replace(&mut self, term: TermId, pairs: &[(Var, Var)]) -> TermId {
        let mut map = FxHashMap::default();
        for &(from, to) in pairs {
            let to = if self.sort(to) == Sort::Bool {
                Expr::Bool(self.var(to))
            } else {
                Expr::Num(Lin::var(to))
            };
            map.insert(from, to);
        }
        self.substitute(term, &map)
    }
}

fn substitute_lin(lin: &Lin, map: &FxHashMap<Var, Expr>) -> Lin {
    if !lin.terms.iter().any(|(v, _)| map.contains_key(v)) {
        return lin.clone();
    }
    let mut sum = Lin {
        terms: Vec::new(),
        constant: lin.constant.clone(),
    };
    for (var, factor) in &lin.terms {
        sum = match map.get(var) {
            Some(Expr::Num(new)) => sum.add_scaled(new, factor),
            _ => sum.add_scaled(&Lin::var(*var), factor),
        };
    }
    sum
}

fn divide(lin: Lin, divisor: &Int) -> Lin {
    if divisor.is_one() {
        return lin;
    }
    Lin {
        terms: lin
            .terms
            .into_iter()
            .map(|(v, a)| (v, a.div_exact(divisor)))
            .collect(),
        constant: lin.constant.div_exact(divisor),
    }
}

/// `sum + c <= 0` over integers, divided by the factors' common divisor: the constant is rounded up.
fn tighten(lin: Lin) -> Lin {
    let gcd = lin.gcd();
    if gcd.is_one() {
        return lin;
    }
    Lin {
        constant: lin.constant.div_ceil(&gcd),
        terms: lin
            .terms
            .into_iter()
            .map(|(v, a)| (v, a.div_exact(&gcd)))
            .collect(),
    }
}

/// Divided by the common divisor of factors and constant.
fn reduce(lin: Lin) -> Lin {
    let gcd = lin.gcd().gcd(&lin.constant);
    divide(lin, &gcd)
}
