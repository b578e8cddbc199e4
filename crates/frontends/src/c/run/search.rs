//! A violation by trying: the program is run with some values as inputs.

use suppose_model::chc::Derivation;
use suppose_number::{Int, SplitMix64};
use suppose_source::Span;

use super::machine::Machine;
use super::{RunResult, Source, Tables, concrete};
use crate::c::ir::{End, Expr, ExprKind, OpKind, Program};
use crate::c::{CProgram, IntType};

/// One run may have this many steps if it asks for inputs: others may be worth more.
const ONE_RUN: usize = 5_000;
/// A step of the plain machine costs less than one that is followed in the clauses.
const MORE: usize = 60;
/// How many ways to choose inputs are tried at most.
const WAYS: u64 = 400;

impl CProgram {
    /// Runs the program with all inputs 0, then with small numbers, then with numbers around those of the text. The steps
    /// of all runs together are bounded. The first violation is run once more for its derivation.
    pub fn search(&self, steps: usize, stop: &mut dyn FnMut() -> bool) -> Option<Derivation> {
        if let Some(written) = &self.written {
            let found = self.search_memory(written, steps, stop);
            if found.is_some() || !self.reasons.is_empty() {
                return found;
            }
        }
        let tables = Tables::of(self);
        let numbers = numbers(&self.program);
        let mut left = steps;
        for way in 0..WAYS {
            if left == 0 || stop() {
                return None;
            }
            let mut asked = false;
            let mut inputs = Inputs::new(way, &numbers);
            let limit = left.min(ONE_RUN);
            let (mut outcome, used) = self.try_run(&tables, &mut inputs, limit, &mut asked);
            left -= used.min(left);
            if matches!(outcome, RunResult::Stopped) && !asked && left > 0 {
                // It is always the same run, so it is worth all.
                let mut inputs = Inputs::new(way, &numbers);
                outcome = self.try_run(&tables, &mut inputs, left, &mut asked).0;
                left = 0;
            }
            if matches!(outcome, RunResult::Violated { .. }) {
                let mut inputs = Inputs::new(way, &numbers);
                let mut choose = |_: Option<&str>, ty: IntType| Some(inputs.next(ty));
                return match self.run(&mut choose, steps) {
                    RunResult::Violated { derivation, .. } => Some(derivation),
                    _ => None,
                };
            }
            if !asked {
                return None;
            }
        }
        None
    }

    /// The same for a program with memory, as it is written. A violation is followed in the resolved program.
    fn search_memory(
        &self,
        written: &Program,
        steps: usize,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Derivation> {
        let numbers = numbers(written);
        let mut left = steps.saturating_mul(MORE);
        for way in 0..WAYS {
            if left == 0 || stop() {
                return None;
            }
            let mut asked = false;
            let mut inputs = Inputs::new(way, &numbers);
            let mut choose = |name: Option<&str>, ty: IntType, _: Span| match name {
                Some(_) => {
                    asked = true;
                    inputs.next(ty)
                }
                None => Int::ZERO,
            };
            // The first run may be long: often nothing depends on inputs.
            let limit = if way == 0 {
                left / 2
            } else {
                left.min(left / 8 + 1_000)
            };
            let (ended, log, used) =
                concrete::run(written, self.semantics, self.claim, &mut choose, limit);
            left -= used.min(left);
            if matches!(ended, concrete::Ended::Violated(_)) {
                let mut replay = log.replay();
                let mut choose = |name: Option<&str>, _: IntType| Some(replay(name));
                if let RunResult::Violated { derivation, .. } =
                    self.run(&mut choose, used.saturating_mul(4) + 1_000)
                    && self.confirms(&derivation)
                {
                    return Some(derivation);
                }
            }
            if !asked {
                return None;
            }
        }
        None
    }

    fn try_run(
        &self,
        tables: &Tables,
        inputs: &mut Inputs,
        limit: usize,
        asked: &mut bool,
    ) -> (RunResult, usize) {
        let mut choose = |_: Option<&str>, ty: IntType| {
            *asked = true;
            Some(inputs.next(ty))
        };
        let source = Source::Free(&mut choose);
        Machine::new(self, tables, source, Vec::new(), limit, true).run_counted()
    }
}

/// The numbers of the text.
fn numbers(program: &Program) -> Vec<Int> {
    fn of(expr: &Expr, found: &mut Vec<Int>) {
        if let ExprKind::Const(n) = &expr.kind {
            found.push(n.clone());
        }
        for child in expr.children() {
            of(child, found);
        }
    }
    let mut found = Vec::new();
    for block in program.functions.iter().flat_map(|f| &f.blocks) {
        for op in &block.ops {
            if let OpKind::Assign(_, value) = &op.kind {
                of(value, &mut found);
            }
        }
        match &block.end {
            End::Branch(value, ..) => of(value, &mut found),
            End::Switch(value, cases, _) => {
                of(value, &mut found);
                found.extend(cases.iter().map(|(n, _)| n.clone()));
            }
            End::Call { args, .. } => args.iter().for_each(|a| of(a, &mut found)),
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The inputs of one way, the same every time.
struct Inputs<'a> {
    way: u64,
    random: SplitMix64,
    numbers: &'a [Int],
}

impl<'a> Inputs<'a> {
    fn new(way: u64, numbers: &'a [Int]) -> Self {
        Inputs {
            way,
            random: SplitMix64::new(way),
            numbers,
        }
    }

    fn below(&mut self, n: usize) -> usize {
        (self.random.next_u64() % n.max(1) as u64) as usize
    }

    fn next(&mut self, ty: IntType) -> Int {
        match self.way {
            0 => return Int::ZERO,
            1 => return Int::ONE,
            2 => return Int::from(if ty.is_signed() { -1 } else { 2 }),
            _ => {}
        }
        let small = [2, 4, 8, 16, 100][(self.way % 5) as usize];
        match self.below(4) {
            0 if !self.numbers.is_empty() => {
                let at = self.below(self.numbers.len());
                let near = Int::from(self.below(3) as i64 - 1);
                &self.numbers[at] + &near
            }
            1 if ty.is_signed() => Int::from(-(self.below(small) as i64)),
            _ => Int::from(self.below(small) as i64),
        }
    }
}
