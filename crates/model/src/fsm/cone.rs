//! The part of a system that a property depends on.
//!
//! A variable is left out only if neither the property, nor fairness, nor any constraint (`INIT`, `INVAR`, `TRANS`), nor the
//! assignment of a variable that stays mentions it, and it is not assigned in a circle (`next(x) := !next(y); y := x` has no step,
//! and NuSMV takes it). So what is left out is assigned or free: from every state, whatever the rest
//! does, it can continue (assignments have values everywhere, which [`System::obligations`] are for), and it
//! has an initial state. Hence the runs of the part are exactly those of the system without the variables left out. A constraint is never left
//! out, even if nothing that matters depends on it: it might leave a state without a step.

use rustc_hash::{FxHashMap, FxHashSet};

use super::expr::{ExprId, Node, VarId};
use super::formula::{Formula, FormulaId};
use super::support::replaced;
use super::{Assignment, Constraint, Define, Fairness, Property, Question, System, When};

/// A part of a system.
#[derive(Clone, Debug)]
pub struct Cone {
    /// The part, a system by itself. It has the property and no obligations.
    pub system: System,
    /// For each of its variables, which one of the whole system it is.
    pub kept: Vec<VarId>,
}

impl System {
    /// What a property depends on. Fairness does not matter to invariants.
    pub fn cone(&self, property: &Property) -> Cone {
        let fairness = match property.question {
            Question::Invariant(_) => &[],
            _ => &self.fairness[..],
        };
        let mut roots = self.question_atoms(&property.question);
        for constraint in fairness {
            match constraint {
                Fairness::Justice(a) => roots.push(*a),
                Fairness::Compassion(a, b) => roots.extend([*a, *b]),
            }
        }
        let mut cone = self.part(roots);
        let mut copy = Copy::of(self, &cone.kept, &mut cone.system);
        let fairness = fairness.iter().map(|constraint| match constraint {
            Fairness::Justice(a) => Fairness::Justice(copy.expr(*a)),
            Fairness::Compassion(a, b) => Fairness::Compassion(copy.expr(*a), copy.expr(*b)),
        });
        let fairness = fairness.collect();
        let question = copy.question(&property.question);
        cone.system.fairness = fairness;
        cone.system.properties.push(Property {
            question,
            ..property.clone()
        });
        cone
    }

    /// What the constraints depend on: the only part in which there may be no initial state, or a state without a step.
    pub fn constrained(&self) -> Cone {
        self.part(Vec::new())
    }

    /// The expressions in a question.
    fn question_atoms(&self, question: &Question) -> Vec<ExprId> {
        match *question {
            Question::Invariant(expr) => vec![expr],
            Question::Ctl(f) | Question::Ltl(f) => self.formulas.atoms(f),
            Question::ComputeMin(a, b) | Question::ComputeMax(a, b) => {
                let mut atoms = self.formulas.atoms(a);
                atoms.extend(self.formulas.atoms(b));
                atoms
            }
        }
    }

    fn constraints(&self) -> impl Iterator<Item = &Constraint> {
        let both = self.init.iter().chain(&self.invariant);
        both.chain(&self.transition)
    }

    /// The values of assignments of one state that depend on each other in a circle, or on such ones: those of initial states
    /// (`Init`) or of targets of steps (`Next`), with the combinational ones.
    fn circular(&self, when: When) -> Vec<ExprId> {
        let of_state = |a: &&Assignment| a.when == When::Always || a.when == when;
        let mut left: Vec<&Assignment> = self.assignments.iter().filter(of_state).collect();
        let mut waits: FxHashMap<VarId, Vec<VarId>> = FxHashMap::default();
        for assignment in &left {
            let support = self.exprs.support(assignment.value);
            let on = match assignment.when {
                When::Next => support.next,
                _ => support.current,
            };
            waits.insert(assignment.var, on);
        }
        loop {
            let before = left.len();
            let assigned: FxHashSet<VarId> = left.iter().map(|a| a.var).collect();
            let stays = |a: &&Assignment| {
                let on = waits.get(&a.var).map_or(&[][..], Vec::as_slice);
                on.iter().any(|v| assigned.contains(v))
            };
            left.retain(stays);
            if left.len() == before {
                return left.iter().map(|a| a.value).collect();
            }
        }
    }

    /// The smallest part that has these expressions, all constraints and all circles.
    fn part(&self, mut open: Vec<ExprId>) -> Cone {
        open.extend(self.constraints().map(|c| c.expr));
        open.extend(self.circular(When::Init));
        open.extend(self.circular(When::Next));
        let mut of: Vec<Vec<ExprId>> = vec![Vec::new(); self.variables.len()];
        for assignment in &self.assignments {
            of[assignment.var.index()].push(assignment.value);
        }
        let mut stays = vec![false; self.variables.len()];
        let mut seen = FxHashSet::default();
        while let Some(expr) = open.pop() {
            if !seen.insert(expr) {
                continue;
            }
            let node = self.exprs.node(expr);
            open.extend(super::expr::parts(node));
            if let Node::Current(var) | Node::Next(var) = node
                && !std::mem::replace(&mut stays[var.index()], true)
            {
                open.append(&mut of[var.index()]);
            }
        }
        self.with(self.vars().filter(|v| stays[v.index()]).collect())
    }

    fn with(&self, kept: Vec<VarId>) -> Cone {
        let mut system = System {
            name: self.name.clone(),
            symbols: self.symbols.clone(),
            ..System::default()
        };
        for var in &kept {
            let it = self.variable(*var);
            system.add_variable(&it.name, it.ty.clone(), it.kind, it.span);
        }
        let mut copy = Copy::of(self, &kept, &mut system);
        let mut copied = |all: &[Constraint]| -> Vec<Constraint> {
            let one = |c: &Constraint| Constraint {
                expr: copy.expr(c.expr),
                span: c.span,
            };
            all.iter().map(one).collect()
        };
        let (init, invariant) = (copied(&self.init), copied(&self.invariant));
        let transition = copied(&self.transition);
        let mut assignments = Vec::new();
        for assignment in &self.assignments {
            if let Some(var) = copy.vars.get(&assignment.var).copied() {
                assignments.push(Assignment {
                    var,
                    value: copy.expr(assignment.value),
                    ..assignment.clone()
                });
            }
        }
        let mut defines = Vec::new();
        for define in &self.defines {
            let support = self.exprs.support(define.expr);
            let mut all = support.current.iter().chain(&support.next);
            if all.all(|v| copy.vars.contains_key(v)) {
                defines.push(Define {
                    expr: copy.expr(define.expr),
                    ..define.clone()
                });
            }
        }
        system.init = init;
        system.invariant = invariant;
        system.transition = transition;
        system.assignments = assignments;
        system.defines = defines;
        Cone { system, kept }
    }
}

/// Copies expressions and formulas from one system to another.
struct Copy<'a> {
    from: &'a System,
    to: &'a mut System,
    vars: FxHashMap<VarId, VarId>,
    exprs: FxHashMap<ExprId, ExprId>,
}

impl<'a> Copy<'a> {
    fn of(from: &'a System, kept: &[VarId], to: &'a mut System) -> Self {
        let vars = kept.iter().copied().zip(to.vars()).collect();
        let exprs = FxHashMap::default();
        Copy {
            from,
            to,
            vars,
            exprs,
        }
    }

    fn var(&self, var: VarId) -> VarId {
        // Only variables that stay are asked for.
        self.vars.get(&var).copied().unwrap_or(var)
    }

    fn expr(&mut self, expr: ExprId) -> ExprId {
        if let Some(made) = self.exprs.get(&expr) {
            return *made;
        }
        for it in self.from.exprs.within([expr]) {
            if self.exprs.contains_key(&it) {
                continue;
            }
            let node = match self.from.exprs.node(it) {
                Node::Current(var) => Node::Current(self.var(*var)),
                Node::Next(var) => Node::Next(self.var(*var)),
                node => replaced(node, |part| *self.exprs.get(&part).unwrap_or(&part)),
            };
            let made = self.to.exprs.make_right(node);
            self.exprs.insert(it, made);
        }
        self.exprs.get(&expr).copied().unwrap_or(expr)
    }

    fn formula(&mut self, formula: FormulaId) -> FormulaId {
        let from = self.from;
        let mut made: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
        for it in from.formulas.within(formula) {
            let of = |f: &FormulaId| made.get(f).copied().unwrap_or(*f);
            let all = |fs: &[FormulaId]| fs.iter().map(of).collect::<Box<[FormulaId]>>();
            let node = match from.formulas.node(it) {
                Formula::Atom(expr) => Formula::Atom(self.expr(*expr)),
                Formula::Not(a) => Formula::Not(of(a)),
                Formula::And(parts) => Formula::And(all(parts)),
                Formula::Or(parts) => Formula::Or(all(parts)),
                Formula::Connective(op, a, b) => Formula::Connective(*op, of(a), of(b)),
                Formula::Branch(q, op, bound, a) => Formula::Branch(*q, *op, *bound, of(a)),
                Formula::BranchUntil(q, bound, a, b) => {
                    Formula::BranchUntil(*q, *bound, of(a), of(b))
                }
                Formula::Linear(op, bound, a) => Formula::Linear(*op, *bound, of(a)),
                Formula::LinearPair(op, a, b) => Formula::LinearPair(*op, of(a), of(b)),
            };
            let copy = self.to.formulas.make(node);
            made.insert(it, copy);
        }
        made.get(&formula).copied().unwrap_or(formula)
    }

    fn question(&mut self, question: &Question) -> Question {
        match *question {
            Question::Invariant(expr) => Question::Invariant(self.expr(expr)),
            Question::Ctl(f) => Question::Ctl(self.formula(f)),
            Question::Ltl(f) => Question::Ltl(self.formula(f)),
            Question::ComputeMin(a, b) => Question::ComputeMin(self.formula(a), self.formula(b)),
            Question::ComputeMax(a, b) => Question::ComputeMax(self.formula(a), self.formula(b)),
        }
    }
}
