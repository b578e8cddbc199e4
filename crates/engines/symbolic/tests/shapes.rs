//! Formulas of LTL that are decided by other means than by watching them: their verdicts against those of the plain engine.

use suppose_control::Context;
use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::fsm::{
    Connective, ExprId, Formula, FormulaId, Formulas, Linear, LinearPair, Question, System,
};
use suppose_symbolic::{Concrete, RelationOptions, SymbolicVerdict};
use suppose_testkit::Rng;
use suppose_testkit::smv::{Oracle, Shape, random};

/// Boolean expressions of the properties that speak of the state alone.
fn plain_atoms(system: &System) -> Vec<ExprId> {
    let mut atoms = Vec::new();
    for property in &system.properties {
        if let Question::Ctl(formula) | Question::Ltl(formula) = property.question {
            atoms.extend(system.formulas.atoms(formula));
        }
    }
    atoms.retain(|atom| {
        let support = system.exprs.support(*atom);
        support.next.is_empty() && !support.current.iter().any(|v| system.is_input(*v))
    });
    atoms.sort_unstable();
    atoms.dedup();
    atoms
}

struct Maker<'a> {
    formulas: &'a mut Formulas,
    rng: Rng,
    atoms: Vec<ExprId>,
}

impl Maker<'_> {
    fn plain(&mut self) -> FormulaId {
        let atom = self.atoms[self.rng.below(self.atoms.len())];
        let atom = self.formulas.make(Formula::Atom(atom));
        match self.rng.below(3) {
            0 => self.formulas.make(Formula::Not(atom)),
            _ => atom,
        }
    }

    fn linear(&mut self, op: Linear, a: FormulaId) -> FormulaId {
        self.formulas.make(Formula::Linear(op, None, a))
    }

    fn pair(&mut self, op: LinearPair, a: FormulaId, b: FormulaId) -> FormulaId {
        self.formulas.make(Formula::LinearPair(op, a, b))
    }

    fn implies(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        let op = Connective::Implies;
        self.formulas.make(Formula::Connective(op, a, b))
    }

    /// One that CTL can say as well, or its negation.
    fn deterministic(&mut self, depth: usize, truth: bool) -> FormulaId {
        let (a, b) = (self.plain(), self.plain());
        let (next, junction) = match truth {
            true => (Linear::Globally, Formula::Or as fn(Box<[FormulaId]>) -> _),
            false => (Linear::Finally, Formula::And as fn(Box<[FormulaId]>) -> _),
        };
        let kinds = if depth == 0 { 4 } else { 9 };
        match self.rng.below(kinds) {
            0 => a,
            1 if truth => self.linear(Linear::Finally, a),
            1 => self.linear(Linear::Globally, a),
            2 => self.pair(LinearPair::Until, a, b),
            3 => self.pair(LinearPair::Releases, a, b),
            4 | 5 => {
                let inner = self.deterministic(depth - 1, truth);
                self.linear(next, inner)
            }
            6 => {
                let inner = self.deterministic(depth - 1, truth);
                self.linear(Linear::Next, inner)
            }
            7 => {
                let inner = self.deterministic(depth - 1, truth);
                self.formulas.make(junction([a, inner].into()))
            }
            _ => {
                let inner = self.deterministic(depth - 1, !truth);
                self.formulas.make(Formula::Not(inner))
            }
        }
    }

    fn past(&mut self, depth: usize) -> FormulaId {
        let a = self.plain();
        if depth == 0 {
            return a;
        }
        let b = self.past(depth - 1);
        match self.rng.below(8) {
            0 => self.linear(Linear::Once, b),
            1 => self.linear(Linear::Historically, b),
            2 => self.linear(Linear::Yesterday, b),
            3 => self.linear(Linear::WeakYesterday, b),
            4 => self.pair(LinearPair::Since, a, b),
            5 => self.pair(LinearPair::Triggered, a, b),
            6 => self.formulas.make(Formula::Not(b)),
            _ => self.implies(a, b),
        }
    }
}

#[test]
fn what_ctl_can_say_and_what_looks_back_is_decided_as_the_oracle_does() {
    let (mut branching, mut looking_back, mut failing) = (0, 0, 0);
    for seed in 500_000..500_400 {
        let text = random(&mut Rng::new(seed), Shape::default());
        let Ok((read, _)) = read_text("random.smv", &text, Dialect::NuSmv) else {
            panic!("seed {seed}: not read\n{text}");
        };
        let mut system = read.system;
        let atoms = plain_atoms(&system);
        if atoms.is_empty() {
            continue;
        }
        let mut asked = Vec::new();
        let mut maker = Maker {
            formulas: &mut system.formulas,
            rng: Rng::new(seed ^ 0x5eed),
            atoms,
        };
        for _ in 0..6 {
            asked.push(maker.deterministic(3, true));
            let claim = maker.past(2);
            asked.push(maker.linear(Linear::Globally, claim));
        }
        for formula in &asked {
            branching += usize::from(system.formulas.clone().branching(*formula).is_some());
            looking_back += usize::from(system.formulas.history(*formula).is_some());
        }
        let Ok(mut oracle) = Oracle::new(&system, 500, 2_000_000) else {
            continue;
        };
        for formula in asked {
            let mut property = system.properties[0].clone();
            property.question = Question::Ltl(formula);
            let Ok(Some(expected)) = oracle.verdict(&property.question) else {
                continue;
            };
            let engine = Concrete::new(&system, RelationOptions::default(), &Context::default());
            let found = engine.decide(&property).expect("not stopped").found;
            let holds = matches!(found, SymbolicVerdict::Holds(_));
            assert_eq!(holds, expected, "seed {seed}, {formula:?}\n{text}");
            if let SymbolicVerdict::Fails(trace, _) = found {
                assert!(trace.loops_to.is_some(), "seed {seed}, {formula:?}\n{text}");
                failing += 1;
            }
        }
    }
    println!("{branching} by CTL, {looking_back} by what was before, {failing} fail");
    assert!(branching > 1_000 && looking_back > 1_000 && failing > 200);
}
