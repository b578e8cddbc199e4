//! Verdicts and runs in the layout of NuSMV, for people and programs that know it.
//!
//! A line for each property, and under those that fail the run: states and inputs by what changes, definitions after the
//! variables, and a mark where the loop begins.

use std::fmt::Write;

use suppose_model::Finding;
use suppose_model::fsm::{
    Answer, Basis, Claim, Define, Question, Simulator, System, Trace, Value, VarId, VariableKind,
    Verdict,
};

use crate::document::{Frame, ShownVerdict};
use crate::words::{reason_text, shown};

/// The verdicts and runs, without the last line of a report.
pub(super) fn text(frame: &Frame, system: &System, findings: &[&Finding<Answer>]) -> String {
    let mut out = String::new();
    for warning in &frame.warnings {
        let _ = writeln!(out, "-- warning: {}", shown(warning));
    }
    let mut number = 0;
    for finding in findings {
        let answer = &finding.answer;
        let _ = writeln!(out, "-- {}", shown(&verdict(system, finding)));
        if let Verdict::Violated(found) = &answer.verdict {
            number += 1;
            out.push_str("-- as demonstrated by the following execution sequence\n");
            let kind = match answer.claim.property(system) {
                None => "Deadlock",
                Some(property) => match property.question {
                    Question::Ltl(_) => "LTL",
                    Question::Invariant(_) => "AG alpha",
                    _ => "CTL",
                },
            };
            let _ = writeln!(out, "Trace Description: {kind} Counterexample ");
            let _ = writeln!(out, "Trace Type: Counterexample ");
            out.push_str(&Writer::new(&answer.about, &found.trace).write(number));
        }
    }
    for (name, reason) in &frame.undecided {
        let _ = writeln!(out, "-- {}  is unknown: {}", shown(name), shown(reason));
    }
    out
}

fn verdict(system: &System, finding: &Finding<Answer>) -> String {
    let answer = &finding.answer;
    let (word, body) = match (answer.claim, answer.claim.property(system)) {
        (Claim::Deadlock, _) => ("freedom", "from deadlock".to_owned()),
        (Claim::Property(_), None) => ("specification", String::new()),
        (Claim::Property(_), Some(property)) => {
            let word = match property.question {
                Question::Invariant(_) => "invariant",
                Question::ComputeMin(..) | Question::ComputeMax(..) => "the result of",
                _ => "specification",
            };
            (word, system.show_question(&property.question))
        }
    };
    let is = match (&answer.verdict, ShownVerdict::of(finding, "")) {
        (Verdict::Unknown(reason), _) => format!("unknown: {}", reason_text(reason)),
        (_, ShownVerdict::Unknown(why)) => format!("unknown: {why}"),
        (Verdict::Holds(Basis::Steps(Some(steps))), _) => steps.to_string(),
        (Verdict::Holds(Basis::Steps(None)), _) => "infinity".to_owned(),
        (Verdict::Violated(_), _) => "false".to_owned(),
        (Verdict::Holds(_), _) => "true".to_owned(),
    };
    format!("{word} {body}  is {is}")
}

/// What a definition depends on says where it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Nothing, or the state.
    State,
    /// The inputs alone.
    Input,
    /// Inputs or the next state, and so on a step: it is written with the state before.
    Step,
}

struct Writer<'a> {
    system: &'a System,
    trace: &'a Trace,
    defines: Vec<(Part, &'a Define)>,
    simulator: Simulator<'a>,
}

type Values = Vec<(String, String)>;

impl<'a> Writer<'a> {
    fn new(system: &'a System, trace: &'a Trace) -> Self {
        let part = |define: &'a Define| {
            let support = system.exprs.support(define.expr);
            let inputs = support.current.iter().filter(|v| system.is_input(**v));
            let inputs = inputs.count();
            let part = match (inputs > 0, support.next.is_empty()) {
                (false, true) => Part::State,
                (true, true) if inputs == support.current.len() => Part::Input,
                _ => Part::Step,
            };
            (part, define)
        };
        let mut defines: Vec<(Part, &Define)> = system.defines.iter().map(part).collect();
        // As NuSMV has it: those of the main module before those of its instances.
        defines.sort_by_key(|(_, define)| define.name.matches('.').count());
        Writer {
            system,
            trace,
            defines,
            simulator: Simulator::new(system, 0),
        }
    }

    fn write(mut self, number: usize) -> String {
        let mut out = String::new();
        let has_inputs = self.system.inputs().next().is_some();
        let (mut state_before, mut inputs_before) = (Values::new(), Values::new());
        let last = self.trace.states.len().saturating_sub(1);
        for at in 0..self.trace.states.len() {
            if at > 0 && has_inputs {
                let inputs = self.inputs(at - 1);
                let _ = writeln!(out, "  -> Input: {number}.{} <-", at + 1);
                changes(&mut out, &inputs, &mut inputs_before);
            }
            if self.trace.loops_to == Some(at) && at != last {
                out.push_str("  -- Loop starts here\n");
            }
            let _ = writeln!(out, "  -> State: {number}.{} <-", at + 1);
            let state = self.state(at);
            changes(&mut out, &state, &mut state_before);
        }
        out
    }

    /// Frozen variables, the others, definitions over the state, and those over the step out of it.
    fn state(&mut self, at: usize) -> Values {
        let Some(values) = self.trace.states.get(at) else {
            return Values::new();
        };
        let kind = |v: &VarId| self.system.variable(*v).kind;
        let (frozen, others): (Vec<VarId>, Vec<VarId>) = self
            .system
            .state_vars()
            .partition(|v| kind(v) == VariableKind::Frozen);
        let mut all = Values::new();
        for var in frozen.into_iter().chain(others) {
            all.extend(self.named(var, values));
        }
        all.extend(self.defined(Part::State, at));
        if at < self.trace.inputs.len() {
            all.extend(self.defined(Part::Step, at));
        }
        all
    }

    fn inputs(&mut self, step: usize) -> Values {
        let mut all = Values::new();
        if let Some(values) = self.trace.inputs.get(step) {
            for var in self.system.inputs() {
                all.extend(self.named(var, values));
            }
        }
        all.extend(self.defined(Part::Input, step));
        all
    }

    fn named(&self, var: VarId, values: &[Value]) -> Option<(String, String)> {
        let variable = self.system.variable(var);
        let value = self.system.symbols.show(values.get(variable.slot)?);
        Some((variable.name.clone(), value))
    }

    /// Definitions that have one value there.
    fn defined(&mut self, part: Part, at: usize) -> Values {
        let trace = self.trace;
        let state = trace.states.get(at).map_or(&[][..], |s| s);
        let inputs = trace.inputs.get(at).map_or(&[][..], |i| i);
        let target = trace.states.get(at + 1).map_or(&[][..], |s| s);
        let mut all = Values::new();
        for (own, define) in &self.defines {
            if *own != part {
                continue;
            }
            let values = self.simulator.values(define.expr, state, inputs, target);
            if let Ok(values) = values
                && let [one] = values.as_slice()
            {
                all.push((define.name.clone(), self.system.symbols.show(one)));
            }
        }
        all
    }
}

/// Writes what is not as it was when it was last written.
fn changes(out: &mut String, now: &Values, before: &mut Values) {
    for (name, value) in now {
        let known = before.iter_mut().find(|(n, _)| n == name);
        match known {
            Some((_, old)) if old == value => continue,
            Some((_, old)) => old.clone_from(value),
            None => before.push((name.clone(), value.clone())),
        }
        let _ = writeln!(out, "    {} = {}", shown(name), shown(value));
    }
}
