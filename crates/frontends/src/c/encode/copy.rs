//! Finished clauses go from the scratch store to the system, each with variables of its own.

use rustc_hash::FxHashMap;
use suppose_model::chc::{App, Clause, Lin, Node, Place, Pred, TermId, Terms, Var};

use super::scratch::{Origin, Scratch};
use super::{ClauseInfo, Encoded, Route};

struct Copier<'a> {
    from: &'a Scratch,
    to: &'a mut Terms,
    vars: FxHashMap<Var, Var>,
    done: FxHashMap<TermId, TermId>,
}

pub(super) fn clause(
    out: &mut Encoded,
    scratch: &Scratch,
    formula: &[TermId],
    body: &[(Pred, Vec<Var>)],
    head: Option<(Pred, Vec<Var>)>,
    route: Route,
    place: Place,
) {
    let mut copier = Copier {
        from: scratch,
        to: &mut out.horn.terms,
        vars: FxHashMap::default(),
        done: FxHashMap::default(),
    };
    let mut app = |(pred, args): &(Pred, Vec<Var>)| App {
        pred: *pred,
        args: args.iter().map(|v| copier.var(*v)).collect(),
    };
    let body = body.iter().map(&mut app).collect();
    let head = head.as_ref().map(&mut app);
    let parts: Vec<TermId> = formula.iter().map(|t| copier.term(*t)).collect();
    let origins = copier.origins();
    let constraint = copier.to.and(parts);
    out.horn.clauses.push(Clause {
        body,
        constraint,
        head,
        place: Some(place),
    });
    out.clauses.push(ClauseInfo { route, origins });
}

impl Copier<'_> {
    fn var(&mut self, var: Var) -> Var {
        if let Some(&copy) = self.vars.get(&var) {
            return copy;
        }
        let copy = self
            .to
            .fresh(self.from.terms.name(var), self.from.terms.sort(var));
        self.vars.insert(var, copy);
        copy
    }

    fn lin(&mut self, lin: &Lin) -> Lin {
        let mut terms: Vec<_> = lin
            .terms
            .iter()
            .map(|(v, f)| (self.var(*v), f.clone()))
            .collect();
        terms.sort_by_key(|(v, _)| *v);
        Lin {
            terms,
            constant: lin.constant.clone(),
        }
    }

    fn term(&mut self, term: TermId) -> TermId {
        if let Some(&done) = self.done.get(&term) {
            return done;
        }
        for part in self.from.terms.postorder(term) {
            if self.done.contains_key(&part) {
                continue;
            }
            let node = self.from.terms.node(part).clone();
            let copy = match node {
                Node::Const(truth) => self.to.constant(truth),
                Node::Var(var) => {
                    let var = self.var(var);
                    self.to.var(var)
                }
                Node::Not(inner) => self.to.not(self.done[&inner]),
                Node::And(parts) => self.to.and(parts.iter().map(|p| self.done[p])),
                Node::Or(parts) => self.to.or(parts.iter().map(|p| self.done[p])),
                Node::Iff(a, b) => self.to.iff(self.done[&a], self.done[&b]),
                Node::Le(lin) => {
                    let lin = self.lin(&lin);
                    self.to.le(lin)
                }
                Node::Lt(lin) => {
                    let lin = self.lin(&lin);
                    self.to.lt(lin)
                }
                Node::Eq(lin) => {
                    let lin = self.lin(&lin);
                    self.to.eq(lin)
                }
                Node::Divides(d, lin) => {
                    let lin = self.lin(&lin);
                    self.to.divides(&d, &lin)
                }
            };
            self.done.insert(part, copy);
        }
        self.done[&term]
    }

    /// What the variables represent, with those that they need, in the order they were made.
    fn origins(&mut self) -> Vec<(Var, Origin)> {
        let mut found = Vec::new();
        for number in (0..self.from.origins.len() as u32).rev() {
            let Some(&copy) = self.vars.get(&Var(number)) else {
                continue;
            };
            let origin = match &self.from.origins[number as usize] {
                Origin::Value(lin) => Origin::Value(self.lin(lin)),
                Origin::Truth(term) => Origin::Truth(self.term(*term)),
                Origin::Floor(lin, d) => Origin::Floor(self.lin(lin), d.clone()),
                Origin::Truncated(lin, d) => Origin::Truncated(self.lin(lin), d.clone()),
                Origin::Turned(lin, low, modulus) => {
                    Origin::Turned(self.lin(lin), low.clone(), modulus.clone())
                }
                Origin::Choice(c, a, b) => Origin::Choice(self.term(*c), self.lin(a), self.lin(b)),
                other => other.clone(),
            };
            found.push((copy, origin));
        }
        found.reverse();
        found
    }
}
