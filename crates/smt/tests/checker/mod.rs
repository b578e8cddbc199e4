//! A naive checker of proofs, straight from the definition of their format.

use std::collections::{BTreeSet, HashMap};

use suppose_model::chc::{Lin, Lit, Node, Proof, ProofStep, TermId, Terms};
use suppose_number::{Int, Rat};

/// Says what is wrong with a proof that the formula has no model.
pub fn check(terms: &mut Terms, formula: TermId, proof: &Proof) -> Result<(), String> {
    let mut clauses = axioms(terms, formula, proof);
    clauses.push(vec![terms.literal(formula)]);
    for (number, step) in proof.steps.iter().enumerate() {
        let clause = match step {
            ProofStep::Propagation { clause } => {
                if !propagates(&clauses, clause) {
                    return Err(format!("step {number} {step:?} does not propagate"));
                }
                clause
            }
            ProofStep::Farkas { clause, factors } => {
                let (sum, strict) = add_up(terms, clause, factors)?;
                let low = sum.1.is_positive() || strict && sum.1.is_zero();
                if !sum.0.is_empty() || !low {
                    return Err(format!("step {number} {step:?} adds up to {sum:?}"));
                }
                clause
            }
            ProofStep::Cut { clause, factors } => {
                let (last, premises) = clause.split_last().ok_or("an empty cut")?;
                let (sum, _) = add_up(terms, premises, factors)?;
                let mut lin = Lin::constant(-(-sum.1).floor());
                for (var, factor) in sum.0 {
                    if !factor.is_integer() {
                        return Err(format!("step {number}: a fraction in a cut"));
                    }
                    lin = lin.add_scaled(&Lin::var(var), factor.num());
                }
                if !terms.is_integral(&lin) {
                    return Err(format!("step {number}: a cut with rationals"));
                }
                let term = terms.le(lin);
                if terms.literal(term) != *last {
                    return Err(format!("step {number}: the cut says something else"));
                }
                clause
            }
        };
        clauses.push(clause.clone());
    }
    match proof.steps.last() {
        Some(ProofStep::Propagation { clause }) if clause.is_empty() => Ok(()),
        _ => Err("the last step is not the empty clause".to_owned()),
    }
}

type Sum = (Vec<(suppose_model::chc::Var, Rat)>, Rat);

fn add_up(terms: &Terms, clause: &[Lit], factors: &[Rat]) -> Result<(Sum, bool), String> {
    if clause.len() != factors.len() {
        return Err("not as many factors as literals".to_owned());
    }
    let mut strict = false;
    let mut constant = Rat::ZERO;
    let mut sum: HashMap<_, Rat> = HashMap::new();
    for (lit, factor) in clause.iter().zip(factors) {
        let (lin, below) = match (terms.node(lit.atom), lit.positive) {
            (Node::Le(lin), false) => (lin.clone(), false),
            (Node::Lt(lin), false) => (lin.clone(), true),
            (Node::Le(lin), true) if terms.is_integral(lin) => (lin.neg().plus(1), false),
            (Node::Le(lin), true) => (lin.neg(), true),
            (Node::Lt(lin), true) => (lin.neg(), false),
            (Node::Eq(lin), false) => (lin.clone(), false),
            _ => return Err(format!("{lit:?} is no inequality")),
        };
        if factor.is_negative() && !matches!(terms.node(lit.atom), Node::Eq(_)) {
            return Err("a negative factor".to_owned());
        }
        strict |= below && factor.is_positive();
        constant.add_product(factor, &Rat::from(&lin.constant));
        for (var, a) in &lin.terms {
            sum.entry(*var)
                .or_default()
                .add_product(factor, &Rat::from(a));
        }
    }
    let mut sum: Vec<_> = sum.into_iter().filter(|(_, a)| !a.is_zero()).collect();
    sum.sort();
    Ok(((sum, constant), strict))
}

fn propagates(clauses: &[Vec<Lit>], clause: &[Lit]) -> bool {
    let mut truth: HashMap<TermId, bool> = HashMap::new();
    for lit in clause {
        if truth.insert(lit.atom, !lit.positive) == Some(lit.positive) {
            return true;
        }
    }
    loop {
        let mut changed = false;
        for clause in clauses {
            let mut open = Vec::new();
            let mut satisfied = false;
            for lit in clause {
                match truth.get(&lit.atom) {
                    Some(&t) => satisfied |= t == lit.positive,
                    None => open.push(*lit),
                }
            }
            if satisfied {
                continue;
            }
            match open.as_slice() {
                [] => return true,
                [unit] => {
                    truth.insert(unit.atom, unit.positive);
                    changed = true;
                }
                _ => {}
            }
        }
        if !changed {
            return false;
        }
    }
}

fn axioms(terms: &mut Terms, formula: TermId, proof: &Proof) -> Vec<Vec<Lit>> {
    let mut roots = vec![formula];
    for step in &proof.steps {
        let (ProofStep::Propagation { clause }
        | ProofStep::Farkas { clause, .. }
        | ProofStep::Cut { clause, .. }) = step;
        roots.extend(clause.iter().map(|l| l.atom));
    }
    let order: BTreeSet<TermId> = terms.postorder_of(&roots).into_iter().collect();
    let falsehood = terms.literal(Terms::FALSE);
    let mut clauses = vec![vec![terms.literal(Terms::TRUE)], vec![not(falsehood)]];
    for part in order {
        let own = Lit {
            atom: part,
            positive: true,
        };
        match terms.node(part).clone() {
            Node::And(parts) => all_of(terms, own, &parts, &mut clauses),
            Node::Or(parts) => {
                let parts: Vec<TermId> = parts.iter().map(|&p| terms.not(p)).collect();
                all_of(terms, not(own), &parts, &mut clauses);
            }
            Node::Iff(a, b) => {
                let (a, b) = (terms.literal(a), terms.literal(b));
                clauses.push(vec![not(own), not(a), b]);
                clauses.push(vec![not(own), a, not(b)]);
                clauses.push(vec![own, a, b]);
                clauses.push(vec![own, not(a), not(b)]);
            }
            Node::Eq(lin) => {
                let (a, b) = terms.halves(&lin);
                all_of(terms, own, &[a, b], &mut clauses);
            }
            Node::Divides(d, lin) => {
                let quotient = terms.quotient(part);
                let rest = lin.add_scaled(&Lin::var(quotient), &-&d);
                let low = terms.le(rest.neg());
                let high = terms.le(rest.clone().plus(&Int::ONE - &d));
                let none = terms.le(rest);
                clauses.push(vec![terms.literal(low)]);
                clauses.push(vec![terms.literal(high)]);
                all_of(terms, own, &[none], &mut clauses);
            }
            _ => {}
        }
    }
    clauses
}

fn not(lit: Lit) -> Lit {
    Lit {
        positive: !lit.positive,
        ..lit
    }
}

fn all_of(terms: &Terms, own: Lit, parts: &[TermId], clauses: &mut Vec<Vec<Lit>>) {
    let mut back = vec![own];
    for &part in parts {
        let part = terms.literal(part);
        clauses.push(vec![not(own), part]);
        back.push(not(part));
    }
    clauses.push(back);
}
