//! Global guidance: what many lemmas have in common becomes an obligation of its own.
//!
//! A search that looks at one obligation at a time can learn a series without end: lemmas that differ only in
//! their numbers. Lemmas of one predicate are therefore put into *families*, those whose cubes have the same
//! linear forms. When a family grows, guesses are made from it (Krishnan, Chen, Shoham and
//! Gurfinkel, "Global guidance for local generalization", 2020):
//! - *conjecture*: what all cubes of the family have in common, without the literals that vary;
//! - *subsume*: if the numbers of two literals `f <= c`, `g <= d` vary so that `a*c + b*d` stays the same, with positive
//!   `a`, `b`, all these cubes lie in `a*f + b*g <= a*c + b*d`.
//! - *concretise* (only where asked for): an obligation that has a form of several variables on which a family has grown long is
//!   replaced by a part of it around the model in which each of these variables is bounded by itself, so that lemmas
//!   about single variables can answer it. On four problems that the search did not decide it did not help, so it is
//!   not the default.
//!
//! A guess is an obligation that no other depends on. If it is excluded, its lemma replaces the
//! family; if it is reached, or takes too much work, it is forgotten.

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_model::chc::{Lin, Node, Pred, TermId, Var};
use suppose_number::Int;

use super::Engine;

/// A literal without its number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Form {
    /// `form <= c` or, if strict, `form < c`.
    Half(Lin, bool),
    /// Anything else, as it is.
    Other(TermId),
}

/// How many lemmas must be in a family for a guess; then again with each this many more.
const FAMILY: usize = 3;

/// This many lemmas of one family make its forms of several variables suspicious.
const SUSPICIOUS: usize = 6;

/// The lemmas of the search by family.
#[derive(Debug, Default)]
pub(super) struct Families {
    by_form: FxHashMap<(Pred, Vec<Form>), Vec<Vec<Int>>>,
    /// Forms of several variables that long families have, by predicate.
    suspicious: FxHashSet<(Pred, Lin)>,
}

impl Engine<'_> {
    /// Puts a new lemma into its family, and perhaps asks what the family suggests.
    pub(super) fn guide(&mut self, lemma: usize) {
        if !self.options.guidance {
            return;
        }
        let pred = self.lemmas[lemma].pred;
        let cube = self.lemmas[lemma].cube.clone();
        let mut literals: Vec<(Form, Int, TermId)> = Vec::new();
        for literal in cube {
            let (form, number) = self.form(literal);
            literals.push((form, number, literal));
        }
        literals.sort_by_key(|(form, _, _)| order(form));
        let key: Vec<Form> = literals.iter().map(|(f, _, _)| f.clone()).collect();
        let numbers: Vec<Int> = literals.iter().map(|(_, n, _)| n.clone()).collect();
        let family = self.families.by_form.entry((pred, key)).or_default();
        family.push(numbers);
        if family.len() == SUSPICIOUS {
            for (form, _, _) in &literals {
                if let Form::Half(lin, _) = form
                    && lin.terms.len() > 1
                {
                    self.families.suspicious.insert((pred, lin.clone()));
                }
            }
        }
        if family.len() < FAMILY || !family.len().is_multiple_of(FAMILY) {
            return;
        }
        let recent = family[family.len().saturating_sub(2 * FAMILY)..].to_vec();
        let level = self.lemmas[lemma].level.min(self.bound);
        for guess in self.guesses(&literals, &recent) {
            self.obligations.guess(pred, guess, level);
        }
    }

    /// A cube over the formal parameters without suspicious forms: a part of it that contains the model, whose values
    /// of the formal parameters are given by `value`.
    pub(super) fn concretise(
        &mut self,
        pred: Pred,
        cube: Vec<TermId>,
        value: &dyn Fn(Var) -> suppose_number::Rat,
    ) -> Vec<TermId> {
        if !self.options.concretise {
            return cube;
        }
        let mut out = Vec::new();
        for literal in cube {
            match self.form(literal).0 {
                Form::Half(lin, _)
                    if lin.terms.len() > 1
                        && self.families.suspicious.contains(&(pred, lin.clone())) =>
                {
                    for (var, factor) in &lin.terms {
                        // The form is at most what it is in the model if each part of it is.
                        let at = value(*var);
                        let bounded = Lin::var(*var)
                            .scale(at.den())
                            .add_scaled(&Lin::constant(at.num().clone()), &Int::MINUS_ONE);
                        let bounded = match factor.is_positive() {
                            true => bounded,
                            false => bounded.neg(),
                        };
                        out.push(self.terms.le(bounded));
                    }
                }
                _ => out.push(literal),
            }
        }
        out
    }

    /// Cubes that contain all those of the family with these numbers.
    fn guesses(
        &mut self,
        literals: &[(Form, Int, TermId)],
        family: &[Vec<Int>],
    ) -> Vec<Vec<TermId>> {
        let varies = |i: usize| family.iter().any(|numbers| numbers[i] != family[0][i]);
        let varying: Vec<usize> = (0..literals.len()).filter(|&i| varies(i)).collect();
        let fixed: Vec<TermId> = (0..literals.len())
            .filter(|i| !varying.contains(i))
            .map(|i| literals[i].2)
            .collect();
        let mut guesses = Vec::new();
        for (nth, &i) in varying.iter().enumerate() {
            for &j in &varying[nth + 1..] {
                if let Some(sum) = self.sum(literals, family, i, j) {
                    let mut guess = fixed.clone();
                    guess.push(sum);
                    guesses.push(guess);
                }
            }
        }
        if !fixed.is_empty() && !varying.is_empty() {
            guesses.push(fixed);
        }
        guesses
    }

    /// The half-space in which two literals of all members lie, if their numbers vary against each other.
    fn sum(
        &mut self,
        literals: &[(Form, Int, TermId)],
        family: &[Vec<Int>],
        i: usize,
        j: usize,
    ) -> Option<TermId> {
        let (Form::Half(f, f_strict), Form::Half(g, g_strict)) = (&literals[i].0, &literals[j].0)
        else {
            return None;
        };
        let (first, last) = (family.first()?, family.last()?);
        let (di, dj) = (&last[i] - &first[i], &last[j] - &first[j]);
        if di.signum() * dj.signum() != -1 {
            return None;
        }
        let common = di.gcd(&dj);
        let (a, b) = (dj.abs().div_exact(&common), di.abs().div_exact(&common));
        let total = |numbers: &[Int]| &(&a * &numbers[i]) + &(&b * &numbers[j]);
        let most = total(first);
        if family.iter().any(|numbers| total(numbers) != most) {
            return None;
        }
        let mut lin = f.scale(&a).add_scaled(g, &b);
        lin.constant = -&most;
        Some(if *f_strict || *g_strict {
            self.terms.lt(lin)
        } else {
            self.terms.le(lin)
        })
    }

    /// A literal as a form and its number.
    fn form(&self, literal: TermId) -> (Form, Int) {
        let lit = self.terms.literal(literal);
        let (lin, strict) = match self.terms.node(lit.atom) {
            Node::Le(lin) => (lin, false),
            Node::Lt(lin) => (lin, true),
            _ => return (Form::Other(literal), Int::ZERO),
        };
        let plain = |lin: &Lin| Lin {
            terms: lin.terms.clone(),
            constant: Int::ZERO,
        };
        if lit.positive {
            return (Form::Half(plain(lin), strict), -&lin.constant);
        }
        let turned = plain(&lin.neg());
        if self.terms.is_integral(lin) {
            (Form::Half(turned, false), &lin.constant - &Int::ONE)
        } else {
            (Form::Half(turned, !strict), lin.constant.clone())
        }
    }
}

/// Forms in a fixed order.
fn order(form: &Form) -> (bool, Vec<(u32, Int)>, bool, u32) {
    match form {
        Form::Half(lin, strict) => {
            let terms = lin.terms.iter().map(|(v, a)| (v.0, a.clone()));
            (false, terms.collect(), *strict, 0)
        }
        Form::Other(term) => (true, Vec::new(), false, term.0),
    }
}
