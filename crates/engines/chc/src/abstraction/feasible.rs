//! Is a derivation of an abstraction one of the system?

use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_model::chc::{Assignment, Derivation, Horn, Inference, TermId, Terms, Var};
use suppose_smt::{SatResult, Solver};

use super::pieces::{Piece, Pieces};
use crate::recmc::literal;

/// What was found out.
pub(super) enum Look {
    /// It is, with these values.
    Real(Derivation),
    /// These pieces, none of them kept, forbid it.
    Forbidden(Vec<Piece>),
    /// The solver gave up.
    Undecided,
}

/// Applies the same clauses with all their pieces.
pub(super) fn look(
    horn: &Horn,
    pieces: &Pieces,
    derivation: &Derivation,
    cx: &Context,
) -> Result<Look, Stopped> {
    let mut terms = horn.terms.clone();
    let mut switches: FxHashMap<Piece, TermId> = FxHashMap::default();
    let mut open: Vec<Piece> = Vec::new();
    for step in &derivation.steps {
        for &piece in pieces.of_clause(step.clause) {
            let key = (step.clause, piece);
            if switches.contains_key(&key) {
                continue;
            }
            if pieces.is_kept(key) {
                switches.insert(key, Terms::TRUE);
            } else {
                switches.insert(key, literal(&mut terms, "piece"));
                open.push(key);
            }
        }
    }
    let mut solver = Solver::new();
    let mut copies: Vec<FxHashMap<Var, Var>> = Vec::new();
    for step in &derivation.steps {
        cx.check()?;
        let copy = copy_step(horn, pieces, &mut terms, &mut solver, step, &switches);
        connect(
            horn,
            &mut terms,
            &mut solver,
            derivation,
            step,
            &copy,
            &copies,
        );
        copies.push(copy);
    }
    let assumptions: Vec<TermId> = open.iter().map(|key| switches[key]).collect();
    Ok(
        match solver.check_patiently(&mut terms, &assumptions, cx)? {
            SatResult::Unknown => Look::Undecided,
            SatResult::Unsat => {
                let core = solver.core();
                let forbids = open.into_iter().filter(|key| core.contains(&switches[key]));
                Look::Forbidden(forbids.collect())
            }
            SatResult::Sat => Look::Real(with_values(derivation, &terms, solver.model(), &copies)),
        },
    )
}

/// One application of a clause, with its variables renamed apart.
fn copy_step(
    horn: &Horn,
    pieces: &Pieces,
    terms: &mut Terms,
    solver: &mut Solver,
    step: &Inference,
    switches: &FxHashMap<Piece, TermId>,
) -> FxHashMap<Var, Var> {
    let mut copy = FxHashMap::default();
    let mut pairs = Vec::new();
    for var in horn.variables(&horn.clauses[step.clause]) {
        let name = terms.name(var).to_owned();
        let fresh = terms.fresh(&name, terms.sort(var));
        copy.insert(var, fresh);
        pairs.push((var, fresh));
    }
    let formula = pieces.switched(terms, horn, step.clause, switches);
    let formula = terms.replace(formula, &pairs);
    solver.assert(terms, formula);
    copy
}

/// What the body takes is what its premises give.
fn connect(
    horn: &Horn,
    terms: &mut Terms,
    solver: &mut Solver,
    derivation: &Derivation,
    step: &Inference,
    copy: &FxHashMap<Var, Var>,
    copies: &[FxHashMap<Var, Var>],
) {
    let clause = &horn.clauses[step.clause];
    for (app, &premise) in clause.body.iter().zip(&step.premises) {
        let giver = &horn.clauses[derivation.steps[premise].clause];
        let Some(head) = &giver.head else { continue };
        for (to, from) in app.args.iter().zip(&head.args) {
            let same = terms.equal(copy[to], copies[premise][from]);
            solver.assert(terms, same);
        }
    }
}

fn with_values(
    derivation: &Derivation,
    terms: &Terms,
    model: &Assignment,
    copies: &[FxHashMap<Var, Var>],
) -> Derivation {
    let mut steps = Vec::new();
    for (step, copy) in derivation.steps.iter().zip(copies) {
        let mut values = Assignment::default();
        let mut vars: Vec<(&Var, &Var)> = copy.iter().collect();
        vars.sort_unstable();
        for (&var, &here) in vars {
            values.set(var, model.value(terms, here));
        }
        steps.push(Inference {
            values,
            ..step.clone()
        });
    }
    Derivation { steps }
}
