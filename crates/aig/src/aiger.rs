//! Circuits with latches, in the ASCII format of AIGER 1.9.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use crate::circuit::{Circuit, Gate, Lit};

struct Latch {
    now: Lit,
    next: Lit,
    /// None: any.
    reset: Option<bool>,
    name: String,
}

/// Which inputs of a circuit are inputs, and which are latches.
pub(crate) struct Aiger {
    pub(crate) inputs: Vec<(Lit, String)>,
    latches: Vec<Latch>,
    pub(crate) bad: Lit,
    pub(crate) bad_name: String,
}

impl Default for Aiger {
    fn default() -> Self {
        Aiger {
            inputs: Vec::new(),
            latches: Vec::new(),
            bad: Lit::FALSE,
            bad_name: String::new(),
        }
    }
}

impl Aiger {
    pub(crate) fn latch(&mut self, now: Lit, next: Lit, reset: Option<bool>, name: String) {
        self.latches.push(Latch {
            now,
            next,
            reset,
            name,
        });
    }

    pub(crate) fn write(&self, circuit: &Circuit) -> String {
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        numbers.insert(0, 0);
        let latches = self.latches.iter().map(|l| l.now);
        for lit in self.inputs.iter().map(|(lit, _)| *lit).chain(latches) {
            let number = numbers.len();
            numbers.insert(lit.node(), number);
        }
        let roots = self.latches.iter().map(|l| l.next).chain([self.bad]);
        let mut gates = Vec::new();
        for node in circuit.cone(roots) {
            if let Gate::And(a, b) = circuit.gate(node) {
                let number = numbers.len();
                numbers.insert(node, number);
                gates.push((number, a, b));
            }
        }
        let lit = |lit: Lit| {
            let number = numbers.get(&lit.node()).copied().unwrap_or(0);
            2 * number + usize::from(lit.is_negated())
        };
        let mut out = String::new();
        let (inputs, latches) = (self.inputs.len(), self.latches.len());
        let last = numbers.len() - 1;
        let count = gates.len();
        let _ = writeln!(out, "aag {last} {inputs} {latches} 0 {count} 1");
        for (input, _) in &self.inputs {
            let _ = writeln!(out, "{}", lit(*input));
        }
        for latch in &self.latches {
            let reset = match latch.reset {
                // A latch that is its own first value can have any.
                None => lit(latch.now),
                Some(set) => usize::from(set),
            };
            let _ = writeln!(out, "{} {} {reset}", lit(latch.now), lit(latch.next));
        }
        let _ = writeln!(out, "{}", lit(self.bad));
        for (number, a, b) in gates {
            // The greater one first, as the binary format has it.
            let (a, b) = (lit(a).max(lit(b)), lit(a).min(lit(b)));
            let _ = writeln!(out, "{} {a} {b}", 2 * number);
        }
        for (at, (_, name)) in self.inputs.iter().enumerate() {
            let _ = writeln!(out, "i{at} {name}");
        }
        for (at, latch) in self.latches.iter().enumerate() {
            let _ = writeln!(out, "l{at} {}", latch.name);
        }
        let _ = writeln!(out, "b0 {}", self.bad_name);
        out
    }
}
