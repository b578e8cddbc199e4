//! From what an engine found to evidence that needs no solver to check.

use rustc_hash::FxHashMap;
use suppose_model::horn::{Clause, Definitions, Horn, Node, Pred, Proof, TermId, Terms, Var};
use suppose_refine::{Context, Stopped};

/// Definitions for the clauses, with a proof for each; `None` if some clause could not be proved.
pub fn with_proofs(
    horn: &Horn,
    from: &Terms,
    definitions: &[TermId],
    cx: &Context,
) -> Result<Option<Definitions>, Stopped> {
    let mut terms = horn.terms.clone();
    let mut moved = FxHashMap::default();
    let definitions: Vec<TermId> = definitions
        .iter()
        .map(|&d| transfer(from, d, &mut terms, &mut moved))
        .collect();
    let mut proofs = Vec::with_capacity(horn.clauses.len());
    for clause in &horn.clauses {
        let formula = refutation(horn, &mut terms, &definitions, clause);
        let proof = if formula == Terms::FALSE {
            Some(trivial())
        } else {
            suppose_smt::prove(&mut terms, formula, cx)?
        };
        match proof {
            Some(proof) => proofs.push(proof),
            None => return Ok(None),
        }
    }
    Ok(Some(Definitions {
        terms,
        definitions,
        proofs,
    }))
}

/// False as a clause of one literal and the axiom that true is true need no more.
fn trivial() -> Proof {
    Proof {
        steps: vec![suppose_model::horn::ProofStep::Propagation { clause: Vec::new() }],
    }
}

/// What must have no model for the clause to be true under the definitions.
pub fn refutation(
    horn: &Horn,
    terms: &mut Terms,
    definitions: &[TermId],
    clause: &Clause,
) -> TermId {
    let mut parts = vec![clause.constraint];
    for app in &clause.body {
        parts.push(instance(horn, terms, definitions, app.pred, &app.args));
    }
    if let Some(head) = &clause.head {
        let definition = instance(horn, terms, definitions, head.pred, &head.args);
        parts.push(terms.not(definition));
    }
    terms.and(parts)
}

fn instance(
    horn: &Horn,
    terms: &mut Terms,
    definitions: &[TermId],
    pred: Pred,
    args: &[Var],
) -> TermId {
    let pairs: Vec<(Var, Var)> = horn
        .predicate(pred)
        .formals
        .iter()
        .copied()
        .zip(args.iter().copied())
        .collect();
    terms.replace(definitions[pred.index()], &pairs)
}

/// A formula of one store in another that has the same variables under the same numbers.
pub fn transfer(
    from: &Terms,
    term: TermId,
    to: &mut Terms,
    moved: &mut FxHashMap<TermId, TermId>,
) -> TermId {
    for part in from.postorder(term) {
        if moved.contains_key(&part) {
            continue;
        }
        let new = match from.node(part) {
            Node::Const(truth) => to.constant(*truth),
            Node::Var(var) => to.var(*var),
            Node::Not(inner) => to.not(moved[inner]),
            Node::And(parts) => to.and(parts.iter().map(|p| moved[p])),
            Node::Or(parts) => to.or(parts.iter().map(|p| moved[p])),
            Node::Iff(a, b) => to.iff(moved[a], moved[b]),
            Node::Le(lin) => to.le(lin.clone()),
            Node::Lt(lin) => to.lt(lin.clone()),
            Node::Eq(lin) => to.eq(lin.clone()),
            Node::Divides(d, lin) => to.divides(d, lin),
        };
        moved.insert(part, new);
    }
    moved[&term]
}
