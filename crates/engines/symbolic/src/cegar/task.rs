//! What is to be shown, on which system: one whose atoms and fairness speak of states alone.

use suppose_model::fsm::{
    Branch, Connective, Constraint, ExprId, Formula, FormulaId, Linear, LinearPair, Quantifier,
    Question, System, Type, VariableKind, When,
};
use suppose_source::Span;

use super::atoms::{Atoms, atoms};
use crate::tableau::{Watched, state_fairness, watch};

/// What is to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// A boolean expression over states holds in all reachable ones.
    Always(ExprId),
    /// A formula of CTL whose quantifiers are universal.
    Universal(FormulaId),
    /// No fair run begins where the expression is true.
    NoRun(ExprId),
}

/// A goal on a system that has the variables of the given one first.
#[derive(Debug)]
pub(super) struct Task {
    /// The system.
    pub system: System,
    /// The goal.
    pub goal: Goal,
    /// Variables of the given system; those after them watch.
    pub own: usize,
    /// What holds of all reachable states if the goal does, where the goal is no more than that.
    pub claim: Option<ExprId>,
    /// Atoms of the question that the goal does not have and that the abstraction must respect all the same: variables that watch have
    /// their truth, and a proof speaks of the question itself.
    pub respects: Vec<ExprId>,
    /// Must a counterexample be a run without end that is fair?
    pub endless: bool,
    /// Is the question one of runs, so that a counterexample shown to people should have no end?
    pub lasso: bool,
    /// Of a universal formula of CTL: a system with the same variables first that watches the formula of LTL that follows from it. Any fair
    /// run without end on which that one fails is a counterexample.
    pub watched: Option<Watched>,
}

/// If a question is whether something without time holds in all states of fair runs, the task to show it of all reachable states. None
/// if that is the same, and what [`task`] gives.
pub(super) fn claim_task(system: &System, question: &Question, total: bool) -> Option<Task> {
    let (Question::Ctl(formula) | Question::Ltl(formula)) = *question else {
        return None;
    };
    if is_plain(system, total) {
        return None;
    }
    let claim = claim(system, formula)?;
    let mut task = of_claim(system, claim, false);
    task.system.fairness.clear();
    Some(task)
}

fn of_claim(system: &System, claim: FormulaId, lasso: bool) -> Task {
    let own = system.variables.len();
    let mut system = system.clone();
    let expr = as_expression(&mut system, claim);
    always(system, expr, own, lasso)
}

/// That an expression over states holds in all reachable ones.
fn always(system: System, expr: ExprId, own: usize, lasso: bool) -> Task {
    Task {
        system,
        goal: Goal::Always(expr),
        own,
        claim: Some(expr),
        respects: Vec::new(),
        endless: false,
        lasso,
        watched: None,
    }
}

/// Does every state have a step, and count every run?
fn is_plain(system: &System, total: bool) -> bool {
    system.fairness.is_empty() && (total || is_total_by_form(system))
}

/// The task for a question, or why there is none.
pub(super) fn task(system: &System, question: &Question, total: bool) -> Result<Task, String> {
    let own = system.variables.len();
    let plain = is_plain(system, total);
    match *question {
        Question::Invariant(expr) => Ok(invariant(system, expr)),
        Question::Ctl(formula) | Question::Ltl(formula)
            if plain && claim(system, formula).is_some() =>
        {
            let claim = claim(system, formula).unwrap_or(formula);
            let lasso = matches!(question, Question::Ltl(_));
            Ok(of_claim(system, claim, lasso))
        }
        Question::Ctl(formula) => {
            if !is_universal(system, formula) {
                let why = "an abstraction can show only what is asked of all runs, and the property asks for some run";
                return Err(why.to_owned());
            }
            let mut system = state_fairness(system);
            let claim = claim(&system, formula).map(|c| as_expression(&mut system, c));
            let watched = linear(&system, formula);
            Ok(Task {
                system,
                goal: Goal::Universal(formula),
                own,
                claim,
                respects: Vec::new(),
                endless: !plain,
                lasso: false,
                watched,
            })
        }
        Question::Ltl(formula) => {
            let mut watched = watch(system, formula);
            let claim = claim(system, formula);
            let claim = claim.map(|c| as_expression(&mut watched.system, c));
            let of_state = |atom: &ExprId| {
                let support = system.exprs.support(*atom);
                support.next.is_empty() && !support.current.iter().any(|v| system.is_input(*v))
            };
            let mut respects = system.formulas.atoms(formula);
            respects.retain(of_state);
            Ok(Task {
                system: state_fairness(&watched.system),
                goal: Goal::NoRun(watched.fails),
                own,
                claim,
                respects,
                endless: true,
                lasso: true,
                watched: None,
            })
        }
        Question::ComputeMin(..) | Question::ComputeMax(..) => {
            Err("an abstraction cannot tell how many steps the system takes".to_owned())
        }
    }
}

/// An invariant that speaks of steps is one of states if a variable remembers whether it held in the last step.
fn invariant(system: &System, expr: ExprId) -> Task {
    let own = system.variables.len();
    let mut system = system.clone();
    system.fairness.clear();
    let support = system.exprs.support(expr);
    let inputs = support.current.iter().any(|v| system.is_input(*v));
    let expr = match support.next.is_empty() && !inputs {
        true => expr,
        false => {
            let span = Span::default();
            let held = system.add_variable("#held", Type::Boolean, VariableKind::State, span);
            let (now, next) = (system.exprs.current(held), system.exprs.next(held));
            let same = system.exprs.equal(next, expr);
            system.init.push(Constraint { expr: now, span });
            system.transition.push(Constraint { expr: same, span });
            now
        }
    };
    always(system, expr, own, false)
}

/// Has every state a step, by the form of the system alone? Assignments never fail, and do not depend on each other in circles.
fn is_total_by_form(system: &System) -> bool {
    let combinational = |when: When| system.assignments.iter().any(|a| a.when == when);
    // A combinational assignment is met by choosing its variable last, unless others are assigned by next values of it.
    let chained = system
        .assignments
        .iter()
        .any(|a| a.when == When::Next && !system.exprs.support(a.value).next.is_empty());
    system.transition.is_empty()
        && system.invariant.is_empty()
        && !(combinational(When::Always) && chained)
        && !assigned_in_a_circle(system)
}

fn assigned_in_a_circle(system: &System) -> bool {
    // The numbers of combinational assignments that a combinational assignment looks at.
    let always = |a: &&suppose_model::fsm::Assignment| a.when == When::Always;
    let all: Vec<_> = system.assignments.iter().filter(always).collect();
    let mut done = vec![false; system.variables.len()];
    for var in system.vars() {
        done[var.index()] = !all.iter().any(|a| a.var == var);
    }
    loop {
        let ready = all.iter().find(|a| {
            let support = system.exprs.support(a.value);
            !done[a.var.index()] && support.current.iter().all(|v| done[v.index()])
        });
        match ready {
            Some(a) => done[a.var.index()] = true,
            None => return !done.iter().all(|d| *d),
        }
    }
}

/// What a formula says of all reachable states, if it says no more and speaks of states alone.
fn claim(system: &System, formula: FormulaId) -> Option<FormulaId> {
    let claim = system.formulas.always(formula)?;
    let support = system.exprs.support_of_all(system.formulas.atoms(claim));
    let inputs = support.current.iter().any(|v| system.is_input(*v));
    (support.next.is_empty() && !inputs).then_some(claim)
}

/// A system that watches a universal formula of CTL without its quantifiers. What a state promises of all its runs is true of each of
/// them, so the formula of CTL implies the one of LTL. None with bounds, which the tableau would unfold.
fn linear(system: &System, formula: FormulaId) -> Option<Watched> {
    let mut system = system.clone();
    let mut known: rustc_hash::FxHashMap<FormulaId, FormulaId> = rustc_hash::FxHashMap::default();
    for it in system.formulas.within(formula) {
        let part = |f: &FormulaId| known.get(f).copied().unwrap_or(*f);
        let node = match system.formulas.node(it) {
            Formula::Not(a) => Formula::Not(part(a)),
            Formula::And(all) => Formula::And(all.iter().map(part).collect()),
            Formula::Or(all) => Formula::Or(all.iter().map(part).collect()),
            Formula::Connective(op, a, b) => Formula::Connective(*op, part(a), part(b)),
            Formula::Branch(_, branch, None, a) => {
                let op = match branch {
                    Branch::Next => Linear::Next,
                    Branch::Finally => Linear::Finally,
                    Branch::Globally => Linear::Globally,
                };
                Formula::Linear(op, None, part(a))
            }
            Formula::BranchUntil(_, None, a, b) => {
                Formula::LinearPair(LinearPair::Until, part(a), part(b))
            }
            Formula::Branch(..) | Formula::BranchUntil(..) => return None,
            other => other.clone(),
        };
        let made = system.formulas.make(node);
        known.insert(it, made);
    }
    let mut watched = watch(&system, *known.get(&formula)?);
    watched.system = state_fairness(&watched.system);
    Some(watched)
}

/// A formula without time as an expression.
fn as_expression(system: &mut System, formula: FormulaId) -> ExprId {
    let mut known: rustc_hash::FxHashMap<FormulaId, ExprId> = rustc_hash::FxHashMap::default();
    for it in system.formulas.within(formula) {
        let node = system.formulas.node(it).clone();
        let part = |f: &FormulaId| known.get(f).copied().unwrap_or(ExprId(0));
        let exprs = &mut system.exprs;
        let made = match &node {
            Formula::Atom(expr) => *expr,
            Formula::Not(a) => exprs.not(part(a)),
            Formula::And(all) => exprs.and(all.iter().map(part)),
            Formula::Or(all) => exprs.or(all.iter().map(part)),
            Formula::Connective(Connective::Implies, a, b) => {
                let not = exprs.not(part(a));
                exprs.or([not, part(b)])
            }
            Formula::Connective(Connective::Iff, a, b) => exprs.equal(part(a), part(b)),
            Formula::Connective(Connective::Xor, a, b) => {
                let same = exprs.equal(part(a), part(b));
                exprs.not(same)
            }
            // It has no time.
            Formula::Branch(..)
            | Formula::BranchUntil(..)
            | Formula::Linear(..)
            | Formula::LinearPair(..) => exprs.truth(false),
        };
        known.insert(it, made);
    }
    known.get(&formula).copied().unwrap_or(ExprId(0))
}

/// Is it asked of all runs?
pub(super) fn is_universal_question(system: &System, question: &Question) -> bool {
    match *question {
        Question::Invariant(_) | Question::Ltl(_) => true,
        Question::Ctl(formula) => is_universal(system, formula),
        Question::ComputeMin(..) | Question::ComputeMax(..) => false,
    }
}

/// Are all quantifiers universal, once negations are moved to the atoms?
fn is_universal(system: &System, formula: FormulaId) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut open = vec![(formula, true)];
    while let Some((it, positive)) = open.pop() {
        if !seen.insert((it, positive)) {
            continue;
        }
        match system.formulas.node(it) {
            Formula::Atom(_) => {}
            Formula::Not(a) => open.push((*a, !positive)),
            Formula::And(all) | Formula::Or(all) => open.extend(all.iter().map(|a| (*a, positive))),
            Formula::Connective(Connective::Implies, a, b) => {
                open.extend([(*a, !positive), (*b, positive)]);
            }
            Formula::Connective(_, a, b) => {
                let both = [*a, *b].into_iter();
                open.extend(both.flat_map(|f| [(f, true), (f, false)]));
            }
            Formula::Branch(quantifier, _, _, a) => {
                if (*quantifier == Quantifier::All) != positive {
                    return false;
                }
                open.push((*a, positive));
            }
            Formula::BranchUntil(quantifier, _, a, b) => {
                if (*quantifier == Quantifier::All) != positive {
                    return false;
                }
                open.extend([(*a, positive), (*b, positive)]);
            }
            Formula::Linear(..) | Formula::LinearPair(..) => return false,
        }
    }
    true
}

impl Task {
    /// Where to look for a fair run without end that is a counterexample: a system, and what is true where such a run begins. None if
    /// the goal is one of states.
    pub fn runs(&self) -> Option<(&System, ExprId)> {
        match self.goal {
            Goal::Always(_) => None,
            Goal::Universal(_) => self.watched.as_ref().map(|w| (&w.system, w.fails)),
            Goal::NoRun(expr) => Some((&self.system, expr)),
        }
    }

    /// The atoms of the task. Adds those about next values, as ones about values now, to the expressions of the system.
    pub fn atoms(&mut self) -> Atoms {
        let mut roots: Vec<ExprId> = self.claim.into_iter().collect();
        roots.extend(&self.respects);
        match self.goal {
            Goal::Always(expr) | Goal::NoRun(expr) => roots.push(expr),
            Goal::Universal(formula) => roots.extend(self.system.formulas.atoms(formula)),
        }
        atoms(&mut self.system, &roots)
    }
}
