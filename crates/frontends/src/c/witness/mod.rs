//! Witnesses in the YAML form, version 2.0, that the software verification competition exchanges (Ayaziová, Beyer,
//! Lingsch-Rosenfeld, Spiessl and Strejček, SPIN 2024).

mod expression;

use std::fmt::Write;

use suppose_model::chc::{TermId, Terms, Var};
use suppose_source::{Sources, Span};

use super::encode::{Arg, Meaning};
use super::ir::VarId;
use super::run::{CallTree, StepKind};
use super::types::DataModel;
use super::{CProgram, IntType};

/// More values are not written; how many are left out is.
const WAYPOINTS: usize = 10_000;

/// What a witness says of where it comes from.
#[derive(Clone, Debug)]
pub struct WitnessTask {
    /// The program's file, as it was given.
    pub file: String,
    /// Its SHA-256, in hexadecimal digits.
    pub hash: String,
    /// What was checked, as the competition writes it:
    /// `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
    pub specification: String,
    /// A UUID for this witness.
    pub uuid: String,
    /// When it was made, in the form of ISO 8601.
    pub creation_time: String,
    /// The version of this program.
    pub version: String,
}

impl CProgram {
    /// A `violation_sequence`: the values that functions gave back, in order, and the violated assertion.
    pub fn violation_witness(
        &self,
        tree: &CallTree,
        sources: &Sources,
        task: &WitnessTask,
    ) -> String {
        let mut out = self.metadata("violation_sequence", task);
        out.push_str("  content:\n");
        // The next step of each call that is under way.
        let mut stack = vec![(0usize, 0usize)];
        let inputs = tree.inputs();
        let (mut written, mut left_out) = (0usize, 0u64);
        while let Some((number, at)) = stack.pop() {
            let Some(call) = tree.calls.get(number) else {
                continue;
            };
            let Some(step) = call.steps.get(at) else {
                continue;
            };
            stack.push((number, at + 1));
            match &step.kind {
                StepKind::Call(inner) => {
                    let (count, violated) = inputs.get(*inner).copied().unwrap_or_default();
                    // A call is as often in the sequence as it happens, so there may be very many.
                    if violated || (count > 0 && written < WAYPOINTS) {
                        stack.push((*inner, 0));
                    } else {
                        left_out = left_out.saturating_add(count);
                    }
                }
                StepKind::Input {
                    function: Some(_), ..
                } if written >= WAYPOINTS => left_out = left_out.saturating_add(1),
                StepKind::Input {
                    function: Some(_),
                    value,
                    ..
                } => {
                    written += 1;
                    // The place of a returned value is the closing parenthesis of the call.
                    let end = step.span.end.saturating_sub(1) as usize;
                    let place = Span::in_file(step.span.file, end, end + 1);
                    waypoint(
                        &mut out,
                        "function_return",
                        &call.function,
                        place,
                        sources,
                        task,
                    );
                    let _ = writeln!(out, "        constraint:");
                    let _ = writeln!(out, "          value: '\\result == {value}'");
                    let _ = writeln!(out, "          format: \"acsl_expression\"");
                }
                StepKind::Violation => {
                    if left_out > 0 {
                        let _ = writeln!(
                            out,
                            "  # {left_out} more values that functions gave back are left out here"
                        );
                    }
                    waypoint(&mut out, "target", &call.function, step.span, sources, task);
                    return out;
                }
                _ => {}
            }
        }
        out
    }

    /// An `invariant_set`: what holds at the loops, from a definition of each predicate in `terms`. What no C
    /// expression over the variables in scope can say is left out, as are loops that test last.
    pub fn correctness_witness(
        &self,
        terms: &Terms,
        definitions: &[TermId],
        sources: &Sources,
        task: &WitnessTask,
    ) -> String {
        let mut out = self.metadata("invariant_set", task);
        let mut content = String::new();
        for (number, info) in self.encoded.predicates.iter().enumerate() {
            let Meaning::Cut { function, block } = info.meaning else {
                continue;
            };
            let body = self.program.function(function);
            let text = body.loops.iter().find(|l| l.head == block && !l.tests_last);
            let (Some(text), Some(&definition)) = (text, definitions.get(number)) else {
                continue;
            };
            let formals = &self.encoded.horn.predicates[number].formals;
            let known: Vec<(Var, &str, IntType)> = formals
                .iter()
                .zip(&info.args)
                .filter_map(|(formal, arg)| {
                    let var = self.named(arg, &info.args, &text.visible)?;
                    let variable = self.program.var(var);
                    Some((*formal, variable.name.as_str(), variable.ty))
                })
                .collect();
            let Some(value) = expression::invariant(terms, definition, &known) else {
                continue;
            };
            let _ = writeln!(content, "  - invariant:");
            let _ = writeln!(content, "      type: \"loop_invariant\"");
            location(&mut content, 6, &body.name, text.span, sources, task);
            let _ = writeln!(content, "      value: {}", quoted(&value));
            let _ = writeln!(content, "      format: \"c_expression\"");
        }
        if content.is_empty() {
            out.push_str("  content: []\n");
        } else {
            out.push_str("  content:\n");
            out.push_str(&content);
        }
        out
    }

    /// The variable of an argument, if its value now can be named at a place.
    fn named(&self, arg: &Arg, all: &[Arg], visible: &[VarId]) -> Option<VarId> {
        let var = match *arg {
            Arg::Now(var) => var,
            // The value at the entry is the value now if nothing changes it, and then it is written alone.
            Arg::Entry(var) if !all.contains(&Arg::Now(var)) && self.keeps(var) => var,
            Arg::Entry(_) => return None,
        };
        visible.contains(&var).then_some(var)
    }

    /// Is a parameter or global never assigned outside of the root's first block?
    fn keeps(&self, var: VarId) -> bool {
        use super::ir::{End, OpKind};
        let functions = self.program.functions.iter();
        let blocks = functions.flat_map(|f| f.blocks.iter());
        let mut count = 0usize;
        for block in blocks {
            let assigns = |kind: &OpKind| match kind {
                OpKind::Assign(v, _) | OpKind::Havoc(v, _) => *v == var,
                _ => false,
            };
            count += block.ops.iter().filter(|op| assigns(&op.kind)).count();
            count +=
                usize::from(matches!(block.end, End::Call { result, .. } if result == Some(var)));
        }
        count == 0
    }

    fn metadata(&self, kind: &str, task: &WitnessTask) -> String {
        let model = match self.semantics.model {
            DataModel::Lp64 => "LP64",
            DataModel::Ilp32 => "ILP32",
        };
        let file = quoted(&task.file);
        let mut out = String::new();
        let _ = writeln!(out, "- entry_type: \"{kind}\"");
        let _ = writeln!(out, "  metadata:");
        let _ = writeln!(out, "    format_version: \"2.0\"");
        let _ = writeln!(out, "    uuid: {}", quoted(&task.uuid));
        let _ = writeln!(out, "    creation_time: {}", quoted(&task.creation_time));
        let _ = writeln!(out, "    producer:");
        let _ = writeln!(out, "      name: \"Suppose\"");
        let _ = writeln!(out, "      version: {}", quoted(&task.version));
        let _ = writeln!(out, "    task:");
        let _ = writeln!(out, "      input_files:");
        let _ = writeln!(out, "      - {file}");
        let _ = writeln!(out, "      input_file_hashes:");
        let _ = writeln!(out, "        {file}: {}", quoted(&task.hash));
        let _ = writeln!(out, "      specification: {}", quoted(&task.specification));
        let _ = writeln!(out, "      data_model: \"{model}\"");
        let _ = writeln!(out, "      language: \"C\"");
        out
    }
}

fn waypoint(
    out: &mut String,
    kind: &str,
    function: &str,
    span: Span,
    sources: &Sources,
    task: &WitnessTask,
) {
    let _ = writeln!(out, "  - segment:");
    let _ = writeln!(out, "    - waypoint:");
    let _ = writeln!(out, "        type: \"{kind}\"");
    let _ = writeln!(out, "        action: \"follow\"");
    location(out, 8, function, span, sources, task);
}

fn location(
    out: &mut String,
    indent: usize,
    function: &str,
    span: Span,
    sources: &Sources,
    task: &WitnessTask,
) {
    let space = " ".repeat(indent);
    let position = sources.file(span.file).map(|f| f.position(span.start));
    let (line, column) = position.map_or((1, 1), |p| (p.line, p.column));
    let _ = writeln!(out, "{space}location:");
    let _ = writeln!(out, "{space}  file_name: {}", quoted(&task.file));
    let _ = writeln!(out, "{space}  line: {line}");
    let _ = writeln!(out, "{space}  column: {column}");
    let _ = writeln!(out, "{space}  function: {}", quoted(function));
}

/// In YAML's double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if (c as u32) < 0x20 => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
