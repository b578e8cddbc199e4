//! Model-based projection: removing variables from a formula along a model.
//!
//! Quantifier elimination turns `exists x. f` into a disjunction, often a huge one. Given a model of `f` one
//! disjunct that is true in it is enough, and cheap to compute (Komuravelli, "Compositional reasoning",
//! Section 2.5). First [`implicant`] picks literals of the formula that suffice; then variables go one after
//! another:
//! - Booleans: their literals are dropped, as each variable has one sign only;
//! - by an equation that has the variable, if there is one: substitution, over integers with a divisibility
//!   literal if the factor is not 1;
//! - rationals: the virtual substitutions of Loos and Weispfenning, also where other variables of an
//!   inequality are integers;
//! - integers: those of Cooper, with divisibility, without scaling all literals to one factor first.
//!
//! Which bound or residue is substituted is read off the model. There are finitely many of both, so the
//! results for all models of a formula are finitely many, and their disjunction is the projection, with
//! two exceptions in which the model's value of an integer is substituted: the result still
//! implies the projection, but other models may give ever new ones. These are
//! - an integer that is tightly bounded on both sides, or fixed by an equation, by expressions with rational
//!   variables that stay: "some integer lies between" has no linear form;
//! - factors of more than 256 bits.

mod eliminate;
mod implicant;
mod row;

use rustc_hash::FxHashSet;
use suppose_model::chc::{Assignment, Node, TermId, Terms, Var};

use eliminate::Cube;
use row::Row;

/// Literals of a formula, all true in the model, that imply it. The model must make it true; if it does not,
/// the answer is false alone.
pub fn implicant(terms: &mut Terms, formula: TermId, model: &Assignment) -> Vec<TermId> {
    implicant::pick(terms, &[formula], &FxHashSet::default(), model)
}

/// A conjunction of literals, true in the model, without the variables, that implies the formula with those
/// variables existentially quantified. The model must make the formula true; if it does not, the
/// answer is false.
pub fn project(
    terms: &mut Terms,
    formula: TermId,
    variables: &[Var],
    model: &Assignment,
) -> TermId {
    let literals = project_cube(terms, &[formula], variables, model);
    terms.and(literals)
}

/// The same for a conjunction of literals, and as one.
pub fn project_cube(
    terms: &mut Terms,
    literals: &[TermId],
    variables: &[Var],
    model: &Assignment,
) -> Vec<TermId> {
    let removed: FxHashSet<Var> = variables.iter().copied().collect();
    let literals = implicant::pick(terms, literals, &removed, model);
    let mut kept = Vec::new();
    let mut rows = Vec::new();
    for literal in literals {
        if !mentions(terms, literal, &removed) {
            kept.push(literal);
        } else if let Some(row) = Row::read(terms, literal) {
            rows.push(row);
        }
        // What is left is a literal of a removed Boolean.
    }
    let mut cube = Cube::new(terms, rows, model);
    if !cube.eliminate(&removed) {
        return vec![Terms::FALSE];
    }
    for row in cube.into_rows() {
        let literal = row.write(terms);
        match terms.node(literal) {
            Node::Const(true) => {}
            Node::Const(false) => return vec![Terms::FALSE],
            _ => kept.push(literal),
        }
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// Has the literal one of the variables?
fn mentions(terms: &Terms, literal: TermId, variables: &FxHashSet<Var>) -> bool {
    match terms.node(terms.literal(literal).atom) {
        Node::Var(var) => variables.contains(var),
        Node::Le(lin) | Node::Lt(lin) | Node::Eq(lin) | Node::Divides(_, lin) => {
            lin.terms.iter().any(|(v, _)| variables.contains(v))
        }
        _ => false,
    }
}
