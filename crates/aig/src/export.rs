//! Inductive invariants and systems for other tools.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use suppose_model::fsm::{Decisions, Question, System, VarId};

use crate::aiger::Aiger;
use crate::circuit::{Circuit, Gate, Lit};
use crate::frames::{Frames, Malformed};

/// Why there is nothing to export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoExport {
    /// The property is not an invariant.
    Temporal,
    /// The invariant does not fit the system.
    Malformed(Malformed),
}

impl std::fmt::Display for NoExport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoExport::Temporal => f.write_str(
                "only invariants, `AG p` and `G p` with `p` without time can be exported",
            ),
            NoExport::Malformed(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for NoExport {}

/// The wires that all exports are made of: about a state in frame 0 and a step from there to frame 1.
struct Parts<'a> {
    frames: Frames<'a>,
    state: Lit,
    next_state: Lit,
    init: Lit,
    step: Lit,
    claim: Lit,
    of_steps: bool,
}

impl<'a> Parts<'a> {
    fn new(system: &'a System, question: &Question) -> Result<Self, NoExport> {
        let mut frames = Frames::new(system);
        for var in system.vars() {
            frames.bits(var, 0);
        }
        for var in system.state_vars() {
            frames.bits(var, 1);
        }
        let claim = frames.claim(question, 0).ok_or(NoExport::Temporal)?;
        Ok(Parts {
            state: frames.state(0),
            next_state: frames.state(1),
            init: frames.init(0),
            step: frames.step(0),
            claim: claim.holds,
            of_steps: claim.of_steps,
            frames,
        })
    }

    fn set(&mut self, set: &Decisions, frame: usize) -> Result<Lit, NoExport> {
        self.frames
            .decisions(set, frame)
            .map_err(NoExport::Malformed)
    }

    /// Bits of state variables in a frame, with their names.
    fn state_bits(&mut self, frame: usize) -> Vec<(Lit, String)> {
        let vars: Vec<VarId> = self.frames.system().state_vars().collect();
        self.named_bits(&vars, frame)
    }

    fn named_bits(&mut self, vars: &[VarId], frame: usize) -> Vec<(Lit, String)> {
        let system = self.frames.system();
        let mut all = Vec::new();
        for var in vars {
            let name = name(system, *var);
            for (at, bit) in self.frames.bits(*var, frame).into_iter().enumerate() {
                let name = match frame {
                    0 => format!("{name} bit {at}"),
                    _ => format!("next {name} bit {at}"),
                };
                all.push((bit, name));
            }
        }
        all
    }
}

/// The name of a variable, or its number if no other format can have the name.
fn name(system: &System, var: VarId) -> String {
    let name = &system.variable(var).name;
    let plain = |c: char| (' '..='~').contains(&c) && !matches!(c, '|' | '\\');
    match name.chars().all(plain) {
        true => name.clone(),
        false => format!("variable {}", var.0),
    }
}

/// A text as one line of a comment.
fn comment(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().take(500).map(plain).collect()
}

/// That a set of states is an inductive invariant in which the property holds, as three questions in SMT-LIB; to each the answer
/// must be `unsat`.
pub fn invariant_as_smtlib(
    system: &System,
    question: &Question,
    set: &Decisions,
) -> Result<String, NoExport> {
    let mut parts = Parts::new(system, question)?;
    let (now, after) = (parts.set(set, 0)?, parts.set(set, 1)?);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "; System {}, property {}",
        comment(&system.name),
        comment(&system.show_question(question))
    );
    out.push_str(
        "; A set of states is an inductive invariant in which the property holds:\n\
         ; all three answers must be unsat. Bits number the values of variables, bit 0 is the lowest.\n\
         (set-logic QF_UF)\n",
    );
    let mut names = declare(&mut out, &mut parts);
    let roots = [
        (
            parts.state,
            "is-state",
            "bits stand for values, INVAR and combinational assignments hold",
        ),
        (
            parts.next_state,
            "next-is-state",
            "the same of the next state",
        ),
        (parts.init, "is-initial", "INIT and init assignments hold"),
        (
            parts.step,
            "is-step",
            "TRANS and next assignments hold, frozen variables are kept",
        ),
        (now, "inside", "the state is in the set"),
        (after, "next-inside", "the next state is in the set"),
        (
            parts.claim,
            "claim",
            "what the property says of every state, or step",
        ),
    ];
    gates(
        &mut out,
        parts.frames.circuit(),
        roots.map(|r| r.0),
        &mut names,
    );
    for (lit, root, meaning) in roots {
        let _ = writeln!(out, "; {meaning}");
        let _ = writeln!(out, "(define-fun {root} () Bool {})", wire(&names, lit));
    }
    let step = "is-step next-is-state";
    let claim = format!(
        "is-state inside {}(not claim)",
        if parts.of_steps {
            "is-step next-is-state "
        } else {
            ""
        }
    );
    for (meaning, all) in [
        (
            "every initial state is in the set",
            "is-state is-initial (not inside)".to_owned(),
        ),
        (
            "no step leaves the set",
            format!("is-state inside {step} (not next-inside)"),
        ),
        ("the property holds in the set", claim),
    ] {
        let _ = writeln!(out, "; {meaning}");
        let _ = writeln!(out, "(push 1)\n(assert (and {all}))\n(check-sat)\n(pop 1)");
    }
    out.push_str("(exit)\n");
    Ok(out)
}

fn declare(out: &mut String, parts: &mut Parts<'_>) -> FxHashMap<usize, String> {
    let vars: Vec<VarId> = parts.frames.system().vars().collect();
    let mut all = parts.named_bits(&vars, 0);
    all.extend(parts.state_bits(1));
    let mut names = FxHashMap::default();
    for (bit, name) in all {
        let _ = writeln!(out, "(declare-const |{name}| Bool)");
        names.insert(bit.node(), format!("|{name}|"));
    }
    names
}

fn gates(
    out: &mut String,
    circuit: &Circuit,
    roots: impl IntoIterator<Item = Lit>,
    names: &mut FxHashMap<usize, String>,
) {
    for node in circuit.cone(roots) {
        if let Gate::And(a, b) = circuit.gate(node) {
            let (a, b) = (wire(names, a), wire(names, b));
            let _ = writeln!(out, "(define-fun w{node} () Bool (and {a} {b}))");
            names.insert(node, format!("w{node}"));
        }
    }
}

fn wire(names: &FxHashMap<usize, String>, lit: Lit) -> String {
    if lit.is_constant() {
        return (lit == Lit::TRUE).to_string();
    }
    let name = names.get(&lit.node()).map_or("false", String::as_str);
    match lit.is_negated() {
        true => format!("(not {name})"),
        false => name.to_owned(),
    }
}

/// The system with the property as an AIGER model, in ASCII (version 1.9): the property is violated if and only if `bad` can be reached.
///
/// Latches are the bits of the state, with any first value, then `first` (true at first only) and `valid` (true at first). Inputs are the bits of the system's
/// inputs and of the next state, which the latches of the state take over. `valid` stays true as long as the states were states, the first one initial, and
/// the next ones chosen such that there are steps. `bad` says that `valid` is true, that this is a state, initial if it is the first, and that the property is
/// false here (for a property of steps: in a step from here).
pub fn model_as_aiger(system: &System, question: &Question) -> Result<String, NoExport> {
    aiger(system, question, None)
}

/// An inductive invariant as an AIGER witness circuit for [`model_as_aiger`]: the same inputs, latches and next values, in the same order; but its `bad`
/// says that `valid` is true, that this is a state, initial if it is the first, and that the state is *not* in the set.
///
/// If the set is an inductive invariant in which the property holds, then the negation of this `bad` is one too, of the circuit with all its latches: it holds
/// at first, every step of the circuit keeps it, and where it holds the `bad` of the model is false.
pub fn invariant_as_aiger(
    system: &System,
    question: &Question,
    set: &Decisions,
) -> Result<String, NoExport> {
    aiger(system, question, Some(set))
}

fn aiger(
    system: &System,
    question: &Question,
    set: Option<&Decisions>,
) -> Result<String, NoExport> {
    let mut parts = Parts::new(system, question)?;
    let inside = set.map(|set| parts.set(set, 0)).transpose()?;
    let inputs: Vec<VarId> = system.inputs().collect();
    let inputs = parts.named_bits(&inputs, 0);
    let (now, after) = (parts.state_bits(0), parts.state_bits(1));
    let c = parts.frames.circuit_mut();
    let (first, valid) = (c.input(), c.input());
    let begins = c.implies(first, parts.init);
    let here = c.all([valid, parts.state, begins]);
    let goes_on = c.and(here, parts.step);
    let bad = match inside {
        Some(inside) => c.and(here, !inside),
        None if parts.of_steps => c.all([goes_on, parts.next_state, !parts.claim]),
        None => c.and(here, !parts.claim),
    };
    let mut aiger = Aiger::default();
    aiger.inputs.extend(inputs);
    for ((latch, name), (next, next_name)) in now.into_iter().zip(after) {
        aiger.inputs.push((next, next_name));
        aiger.latch(latch, next, None, name);
    }
    aiger.latch(first, Lit::FALSE, Some(true), "first".to_owned());
    aiger.latch(valid, goes_on, Some(true), "valid".to_owned());
    aiger.bad = bad;
    aiger.bad_name = match set {
        Some(_) => "the state is not in the invariant".to_owned(),
        None => comment(&system.show_question(question)),
    };
    Ok(aiger.write(parts.frames.circuit()))
}
