//! The literals of constraints, and systems without some of them.

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_model::chc::{Clause, Horn, Lit, Node, TermId, Terms, Var};

use super::AbstractionKind;

/// A literal of a clause's constraint: the number of the clause, and what is neither conjunction nor disjunction.
pub(super) type Piece = (usize, Lit);

/// All pieces, and which of them are kept.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    all: Vec<Vec<Lit>>,
    kept: FxHashSet<Piece>,
}

impl Pieces {
    /// All pieces of a system, all kept.
    pub fn of(horn: &Horn, kind: AbstractionKind) -> Pieces {
        let mut all = Vec::new();
        let mut terms = horn.terms.clone();
        for clause in &horn.clauses {
            let mut literals = Vec::new();
            rebuild(&mut terms, clause.constraint, &mut |literal| {
                literals.push(literal);
                None
            });
            literals.sort_unstable();
            literals.dedup();
            literals.retain(|l| !matches!(terms.node(l.atom), Node::Const(_)));
            if kind == AbstractionKind::Variables {
                literals.retain(|&l| gives_value(&terms, clause, l));
            }
            all.push(literals);
        }
        let kept = all
            .iter()
            .enumerate()
            .flat_map(|(c, literals)| literals.iter().map(move |&l| (c, l)))
            .collect();
        Pieces { all, kept }
    }

    pub fn count(&self) -> usize {
        self.all.iter().map(Vec::len).sum()
    }

    pub fn kept_count(&self) -> usize {
        self.kept.len()
    }

    pub fn is_kept(&self, piece: Piece) -> bool {
        self.kept.contains(&piece)
    }

    /// The pieces of a clause.
    pub fn of_clause(&self, clause: usize) -> &[Lit] {
        &self.all[clause]
    }

    pub fn keep_all(&mut self) {
        for (c, literals) in self.all.iter().enumerate() {
            self.kept.extend(literals.iter().map(|&l| (c, l)));
        }
    }

    /// Keeps more; false if all were kept already.
    pub fn keep(&mut self, more: &[Piece]) -> bool {
        let before = self.kept.len();
        self.kept.extend(more.iter().copied());
        self.kept.len() > before
    }

    pub fn keep_only(&mut self, pieces: &[Piece]) {
        self.kept = pieces.iter().copied().collect();
    }

    /// The system with the kept pieces only: clauses, predicates and variables are the same.
    pub fn abstraction(&self, horn: &Horn) -> Horn {
        let mut horn = horn.clone();
        for (number, clause) in horn.clauses.iter_mut().enumerate() {
            clause.constraint = rebuild(&mut horn.terms, clause.constraint, &mut |literal| {
                let known = self.all[number].binary_search(&literal).is_ok();
                (known && !self.is_kept((number, literal))).then_some(Terms::TRUE)
            });
        }
        horn
    }

    /// A clause's constraint with a switch for each of its pieces: a piece counts only where its
    /// switch is true.
    pub fn switched(
        &self,
        terms: &mut Terms,
        horn: &Horn,
        number: usize,
        switches: &FxHashMap<Piece, TermId>,
    ) -> TermId {
        let constraint = horn.clauses[number].constraint;
        let mut guarded: FxHashMap<Lit, TermId> = FxHashMap::default();
        for &literal in &self.all[number] {
            let meant = terms.of_literal(literal);
            let formula = terms.implies(switches[&(number, literal)], meant);
            guarded.insert(literal, formula);
        }
        rebuild(terms, constraint, &mut |literal| {
            guarded.get(&literal).copied()
        })
    }
}

/// Does the literal give a value to an argument of the clause's head?
fn gives_value(terms: &Terms, clause: &Clause, literal: Lit) -> bool {
    let Some(head) = &clause.head else {
        return false;
    };
    let is_new =
        |v: &Var| head.args.contains(v) && !clause.body.iter().any(|app| app.args.contains(v));
    match terms.node(literal.atom) {
        Node::Eq(_) if !literal.positive => false,
        Node::Eq(_) | Node::Iff(..) | Node::Var(_) => {
            terms.variables(literal.atom).iter().any(is_new)
        }
        _ => false,
    }
}

/// The formula in negation normal form with others in place of some of its literals (what is neither a
/// conjunction nor a disjunction, perhaps negated).
fn rebuild(
    terms: &mut Terms,
    formula: TermId,
    replace: &mut dyn FnMut(Lit) -> Option<TermId>,
) -> TermId {
    let mut done: FxHashMap<(TermId, bool), TermId> = FxHashMap::default();
    let mut stack = vec![(formula, true, false)];
    while let Some((part, positive, ready)) = stack.pop() {
        if done.contains_key(&(part, positive)) {
            continue;
        }
        let children = match terms.node(part).clone() {
            Node::Not(inner) => vec![(inner, !positive)],
            Node::And(parts) | Node::Or(parts) => parts.iter().map(|&p| (p, positive)).collect(),
            _ => Vec::new(),
        };
        if !ready && !children.is_empty() {
            stack.push((part, positive, true));
            stack.extend(children.into_iter().map(|(p, s)| (p, s, false)));
            continue;
        }
        let new: Vec<TermId> = children.iter().map(|key| done[key]).collect();
        let conjunction = matches!(terms.node(part), Node::And(_)) == positive;
        let result = match terms.node(part) {
            Node::Not(_) => new[0],
            Node::And(_) | Node::Or(_) if conjunction => terms.and(new),
            Node::And(_) | Node::Or(_) => terms.or(new),
            _ => {
                let literal = Lit {
                    atom: part,
                    positive,
                };
                match replace(literal) {
                    Some(other) => other,
                    None => terms.of_literal(literal),
                }
            }
        };
        done.insert((part, positive), result);
    }
    done[&(formula, true)]
}
