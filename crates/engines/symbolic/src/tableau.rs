//! Formulas of LTL as variables: a system that runs beside the given one and knows at every step which parts of a formula are true.
//!
//! For every part that looks ahead there is a variable that guesses, and a constraint on steps that holds it to its guess; for `U` a justice
//! constraint says that what is promised comes. Parts that look back need no guess. So a formula fails iff the system with these
//! variables has a fair run that begins where the formula is false (Clarke, Grumberg and Hamaguchi; with the past Lichtenstein,
//! Pnueli and Zuck). Since the result is an ordinary system, any engine can look for the run.

use rustc_hash::FxHashMap;
use suppose_model::fsm::{
    BinaryOp, Bound, Connective, Constraint, ExprId, Fairness, Formula, FormulaId, Linear,
    LinearPair, Node, System, Type, VariableKind,
};
use suppose_source::Span;

/// A system that watches a formula.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The system; its first variables are those of the given one, in their slots.
    pub system: System,
    /// Where, in the first state, the formula is false.
    pub fails: ExprId,
}

/// The system with variables that know the truth of an LTL formula.
pub fn watch(system: &System, formula: FormulaId) -> Watched {
    let mut builder = Builder {
        system: system.clone(),
        truth: FxHashMap::default(),
        span: Span::default(),
    };
    for it in system.formulas.within(formula) {
        let truth = builder.node(system.formulas.node(it));
        builder.truth.insert(it, truth);
    }
    let holds = builder.part(formula);
    let fails = builder.system.exprs.not(holds);
    Watched {
        system: builder.system,
        fails,
    }
}

/// The system with fairness whose compassion speaks of states alone: what speaks of inputs or the next state is guessed by a variable.
pub fn plain_fairness(system: &System) -> System {
    let mut builder = Builder {
        system: system.clone(),
        truth: FxHashMap::default(),
        span: Span::default(),
    };
    let plain: Vec<Fairness> = system
        .fairness
        .iter()
        .map(|constraint| match *constraint {
            Fairness::Justice(it) if !system.exprs.has_next(it) => *constraint,
            Fairness::Justice(it) => Fairness::Justice(builder.of_state(it)),
            Fairness::Compassion(a, b) => {
                Fairness::Compassion(builder.of_state(a), builder.of_state(b))
            }
        })
        .collect();
    builder.system.fairness = plain;
    builder.system
}

/// The system with fairness that speaks of states alone, justice too: abstractions know no inputs.
pub(crate) fn state_fairness(system: &System) -> System {
    let mut builder = Builder {
        system: system.clone(),
        truth: FxHashMap::default(),
        span: Span::default(),
    };
    let mut fairness = system.fairness.clone();
    for constraint in &mut fairness {
        *constraint = match *constraint {
            Fairness::Justice(it) => Fairness::Justice(builder.of_state(it)),
            Fairness::Compassion(a, b) => {
                Fairness::Compassion(builder.of_state(a), builder.of_state(b))
            }
        };
    }
    builder.system.fairness = fairness;
    builder.system
}

struct Builder {
    system: System,
    truth: FxHashMap<FormulaId, ExprId>,
    span: Span,
}

impl Builder {
    fn part(&self, formula: FormulaId) -> ExprId {
        // Parts come before wholes, so it is there.
        self.truth.get(&formula).copied().unwrap_or(ExprId(0))
    }

    fn guess(&mut self) -> ExprId {
        let name = format!("#{}", self.system.variables.len());
        let var = self
            .system
            .add_variable(&name, Type::Boolean, VariableKind::State, self.span);
        self.system.exprs.current(var)
    }

    fn step(&mut self, a: ExprId, b: ExprId) {
        let expr = self.iff(a, b);
        let span = self.span;
        self.system.transition.push(Constraint { expr, span });
    }

    fn begin(&mut self, expr: ExprId) {
        let span = self.span;
        self.system.init.push(Constraint { expr, span });
    }

    fn iff(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let node = Node::Binary(BinaryOp::Iff, a, b);
        self.system.exprs.make(node).unwrap_or(a)
    }

    fn later(&mut self, expr: ExprId) -> ExprId {
        // What this is asked for speaks of states alone.
        self.system.exprs.shifted(expr).unwrap_or(expr)
    }

    /// The same truth as an expression of the state alone.
    fn of_state(&mut self, expr: ExprId) -> ExprId {
        let support = self.system.exprs.support(expr);
        let inputs = support.current.iter().any(|v| self.system.is_input(*v));
        if support.next.is_empty() && !inputs {
            return expr;
        }
        let guess = self.guess();
        self.step(guess, expr);
        guess
    }

    /// True iff `expr` is true after the next step.
    fn next(&mut self, expr: ExprId) -> ExprId {
        let guess = self.guess();
        let later = self.later(expr);
        self.step(guess, later);
        guess
    }

    /// True iff `expr` was true before the last step; `first` in the first state.
    fn previous(&mut self, expr: ExprId, first: bool) -> ExprId {
        let memory = self.guess();
        let truth = self.system.exprs.truth(first);
        let begin = self.iff(memory, truth);
        self.begin(begin);
        let later = self.later(memory);
        self.step(later, expr);
        memory
    }

    fn not(&mut self, expr: ExprId) -> ExprId {
        self.system.exprs.not(expr)
    }

    fn until(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let guess = self.guess();
        let goes_on = self.system.exprs.and([a, guess]);
        let truth = self.system.exprs.or([b, goes_on]);
        let later = self.later(truth);
        self.step(guess, later);
        let nothing = self.not(truth);
        let kept = self.system.exprs.or([nothing, b]);
        self.system.fairness.push(Fairness::Justice(kept));
        truth
    }

    fn since(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let memory = self.guess();
        let not = self.not(memory);
        self.begin(not);
        let went_on = self.system.exprs.and([a, memory]);
        let truth = self.system.exprs.or([b, went_on]);
        let later = self.later(memory);
        self.step(later, truth);
        truth
    }

    /// In so many steps, forwards or back.
    fn within(&mut self, bound: Bound, a: ExprId, ahead: bool) -> ExprId {
        let move_one = |it: &mut Self, expr| match ahead {
            true => it.next(expr),
            false => it.previous(expr, false),
        };
        let mut truth = a;
        for _ in bound.low..bound.high {
            let more = move_one(self, truth);
            truth = self.system.exprs.or([a, more]);
        }
        for _ in 0..bound.low {
            truth = move_one(self, truth);
        }
        truth
    }

    /// In all of so many steps back. There must be that many, as NuSMV has it: this is no dual of [`Builder::within`].
    fn all_back(&mut self, bound: Bound, a: ExprId) -> ExprId {
        let mut truth = a;
        for _ in bound.low..bound.high {
            let more = self.previous(truth, false);
            truth = self.system.exprs.and([a, more]);
        }
        for _ in 0..bound.low {
            truth = self.previous(truth, false);
        }
        truth
    }

    fn some_time(&mut self, bound: Option<Bound>, a: ExprId, ahead: bool) -> ExprId {
        let always = self.system.exprs.truth(true);
        match (bound, ahead) {
            (Some(bound), _) => self.within(bound, a, ahead),
            (None, true) => self.until(always, a),
            (None, false) => self.since(always, a),
        }
    }

    fn linear(&mut self, op: Linear, bound: Option<Bound>, a: ExprId) -> ExprId {
        if let (Linear::Historically, Some(bound)) = (op, bound) {
            return self.all_back(bound, a);
        }
        match op {
            Linear::Next => self.next(a),
            Linear::Yesterday => self.previous(a, false),
            Linear::WeakYesterday => self.previous(a, true),
            Linear::Finally => self.some_time(bound, a, true),
            Linear::Once => self.some_time(bound, a, false),
            Linear::Globally | Linear::Historically => {
                let not = self.not(a);
                let fails = self.some_time(bound, not, op == Linear::Globally);
                self.not(fails)
            }
        }
    }

    fn node(&mut self, node: &Formula) -> ExprId {
        match node {
            Formula::Atom(expr) => self.of_state(*expr),
            Formula::Not(a) => self.not(self.part(*a)),
            Formula::And(all) => {
                let parts: Vec<ExprId> = all.iter().map(|a| self.part(*a)).collect();
                self.system.exprs.and(parts)
            }
            Formula::Or(all) => {
                let parts: Vec<ExprId> = all.iter().map(|a| self.part(*a)).collect();
                self.system.exprs.or(parts)
            }
            Formula::Connective(op, a, b) => {
                let (a, b) = (self.part(*a), self.part(*b));
                match op {
                    Connective::Implies => {
                        let not = self.not(a);
                        self.system.exprs.or([not, b])
                    }
                    Connective::Iff => self.iff(a, b),
                    Connective::Xor => {
                        let same = self.iff(a, b);
                        self.not(same)
                    }
                }
            }
            Formula::Linear(op, bound, a) => self.linear(*op, *bound, self.part(*a)),
            Formula::LinearPair(op, a, b) => {
                let (a, b) = (self.part(*a), self.part(*b));
                match op {
                    LinearPair::Until => self.until(a, b),
                    LinearPair::Since => self.since(a, b),
                    LinearPair::Releases | LinearPair::Triggered => {
                        let (a, b) = (self.not(a), self.not(b));
                        let fails = match op {
                            LinearPair::Releases => self.until(a, b),
                            _ => self.since(a, b),
                        };
                        self.not(fails)
                    }
                }
            }
            // No formula of LTL.
            Formula::Branch(..) | Formula::BranchUntil(..) => self.system.exprs.truth(false),
        }
    }
}
