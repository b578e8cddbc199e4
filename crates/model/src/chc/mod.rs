//! Constrained Horn clauses over Booleans, integers and rationals.
//!
//! A [`Horn`] system has predicates and clauses: if the predicates of a clause's body are true of these
//! values and the constraint holds, so is the one of its head; a clause without head is a *query*, and says
//! that its body must never be true. The system *holds* if there is a definition of every predicate that
//! makes all clauses true, and is *violated* if some query can be derived.
//!
//! [`Terms`] is the store of formulas, all in one canonical form: a front-end brings everything (`ite`,
//! `mod`, `div`, bit vectors) to linear atoms and Boolean structure, so that engines and checkers know
//! one small language.

mod answer;
mod evidence;
pub mod limits;
mod linear;
mod terms;
mod text;
pub mod theory;
mod value;

pub use answer::{Answer, CallRow, Candidates, Claim, Effort, Integers, Refutation, Verdict};
pub use evidence::{Definitions, Derivation, Inference, Proof, ProofStep};
pub use linear::Lin;
pub use terms::{Expr, Lit, Node, Sort, TermId, Terms, Var};
pub use text::{Names, symbol, write_lin, write_term};
pub use value::{Assignment, Value};

use suppose_source::Span;

/// A predicate, by its number in [`Horn::predicates`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pred(pub u32);

impl Pred {
    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How the user declared a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Param {
    /// As one variable.
    Plain(Var),
    /// As a bit vector: its bits, the lowest first, each a Boolean variable.
    Bits(Vec<Var>),
}

/// A place in the user's text, and what is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// In the user's words: "the loop in `main`", "a call of `f`".
    pub what: String,
    /// Its position in the source.
    pub span: Span,
}

/// An unknown relation.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// As the user called it.
    pub name: String,
    /// Its formal parameters: variables that occur in no clause, but in definitions.
    pub formals: Vec<Var>,
    /// The same, as the user declared them.
    pub params: Vec<Param>,
    /// What it represents, if it was made from a program.
    pub place: Option<Place>,
}

/// A predicate applied to variables of a clause; the same variable may occur several times.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct App {
    /// The predicate.
    pub pred: Pred,
    /// One variable for each formal parameter, of the same sort.
    pub args: Vec<Var>,
}

/// For all values of its variables: body and constraint imply the head, or false if there is none.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The predicates that must be true.
    pub body: Vec<App>,
    /// The formula that must be true, over variables of this clause.
    pub constraint: TermId,
    /// What follows; none in a query.
    pub head: Option<App>,
    /// Its position in the source.
    pub place: Option<Place>,
}

/// A system of Horn clauses.
#[derive(Clone, Debug, Default)]
pub struct Horn {
    /// The formulas and variables.
    pub terms: Terms,
    /// The predicates.
    pub predicates: Vec<Predicate>,
    /// The clauses. No variable is in two of them.
    pub clauses: Vec<Clause>,
}

impl Horn {
    /// A predicate with fresh formal parameters of these sorts, each declared as one variable.
    pub fn add_predicate(&mut self, name: &str, sorts: &[Sort]) -> Pred {
        let formals: Vec<Var> = sorts
            .iter()
            .enumerate()
            .map(|(i, &sort)| self.terms.fresh(&format!("{name}_{i}"), sort))
            .collect();
        let number = Pred(self.predicates.len() as u32);
        self.predicates.push(Predicate {
            name: name.to_owned(),
            params: formals.iter().map(|&v| Param::Plain(v)).collect(),
            formals,
            place: None,
        });
        number
    }

    /// That predicate.
    pub fn predicate(&self, pred: Pred) -> &Predicate {
        &self.predicates[pred.index()]
    }

    /// What has no model if the clause is true under these definitions of the predicates: its constraint, the
    /// definitions of its body, and the negation of that of its head, over the clause's variables.
    ///
    /// The definitions are in `terms`, which must begin with the variables of this system; so is the result.
    pub fn refutation(&self, clause: &Clause, terms: &mut Terms, definitions: &[TermId]) -> TermId {
        let mut parts = vec![terms.import(
            &self.terms,
            clause.constraint,
            &mut rustc_hash::FxHashMap::default(),
        )];
        for app in &clause.body {
            parts.push(self.applied(app, terms, definitions));
        }
        if let Some(app) = &clause.head {
            let head = self.applied(app, terms, definitions);
            parts.push(terms.not(head));
        }
        terms.and(parts)
    }

    /// The definition of a predicate, of its arguments here.
    fn applied(&self, app: &App, terms: &mut Terms, definitions: &[TermId]) -> TermId {
        let formals = self.predicate(app.pred).formals.iter().copied();
        let pairs: Vec<(Var, Var)> = formals.zip(app.args.iter().copied()).collect();
        terms.replace(definitions[app.pred.index()], &pairs)
    }

    /// The variables of a clause: of its head, its body and its constraint, without repetition, in order
    /// of their numbers.
    pub fn variables(&self, clause: &Clause) -> Vec<Var> {
        let mut all = self.terms.variables(clause.constraint);
        for app in clause.body.iter().chain(&clause.head) {
            all.extend_from_slice(&app.args);
        }
        all.sort_unstable();
        all.dedup();
        all
    }
}
