//! Shorter counterexamples.
//!
//! An engine watches an LTL formula by variables of its own, and leads a loop past every fairness constraint in turn. Once those variables
//! are taken out, a run can go through the same state more often than it need. What lies between two equal states is cut out if the
//! independent checker still accepts the run as a whole proof: so a shorter run is never a weaker one.

use suppose_certify::fsm::{Accepted, CheckLimits, Meaning, check_run};
use suppose_model::fsm::{Question, Shows, System, Trace};

/// Longer runs are left as they are.
const LONGEST: usize = 400;
/// So many cuts are tried.
const CUTS: usize = 300;

/// The run without what it does not need, as far as that is found out.
pub fn shorten(system: &System, question: &Question, trace: &Trace, limits: &CheckLimits) -> Trace {
    let mut best = trace.clone();
    if trace.states.len() > LONGEST {
        return best;
    }
    let violates = |trace: &Trace| {
        let judged = check_run(system, question, trace, Shows::All, limits);
        let all = Meaning::Violates;
        matches!(judged, Ok(Accepted::Run { meaning, .. }) if meaning == all)
    };
    if !violates(&best) {
        return best;
    }
    let mut left = CUTS;
    let mut from = 0;
    while from < best.states.len() {
        let cut = candidates(&best, from).find_map(|cut| {
            left = left.checked_sub(1)?;
            let shorter = cut_out(&best, from, cut)?;
            violates(&shorter).then_some(shorter)
        });
        match cut {
            Some(shorter) => best = shorter,
            None if left == 0 => return best,
            None => from += 1,
        }
    }
    best
}

/// Later states that are the same, the last first.
fn candidates(trace: &Trace, from: usize) -> impl Iterator<Item = usize> + '_ {
    let later = (from + 1..trace.states.len()).rev();
    later.filter(move |at| trace.states[*at] == trace.states[from])
}

/// The run without the states after the first up to the second, which is the same; none if that breaks the loop.
fn cut_out(trace: &Trace, from: usize, to: usize) -> Option<Trace> {
    let loops_to = match trace.loops_to {
        None => None,
        Some(head) if to <= head => Some(head - (to - from)),
        Some(head) if from >= head => Some(head),
        Some(_) => return None,
    };
    let mut shorter = Trace {
        loops_to,
        ..trace.clone()
    };
    shorter.states.drain(from + 1..=to);
    shorter.inputs.drain(from..to);
    let closes = |head: usize| head + 1 < shorter.states.len();
    shorter.loops_to.is_none_or(closes).then_some(shorter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use suppose_frontends::smv::{Dialect, read_text};
    use suppose_model::fsm::Value;

    fn run(values: &[i64], loops_to: Option<usize>) -> Trace {
        let states = values.iter().map(|v| [Value::Int(*v)].into());
        Trace {
            states: states.collect(),
            inputs: vec![[].into(); values.len() - 1],
            loops_to,
        }
    }

    fn shortened(property: &str, trace: &Trace) -> Trace {
        let text = format!(
            "MODULE main\nVAR x : 0..2;\nASSIGN init(x) := 0; next(x) := {{0, 1, 2}};\nLTLSPEC {property}\n"
        );
        let (read, _) = read_text("m.smv", &text, Dialect::NuSmv).unwrap();
        let question = read.system.properties[0].question;
        shorten(&read.system, &question, trace, &CheckLimits::default())
    }

    #[test]
    fn a_run_loses_what_it_does_not_need() {
        let long = run(&[0, 0, 1, 0, 1, 1, 1, 1], Some(4));
        assert_eq!(shortened("F x = 2", &long), run(&[0, 1, 1], Some(1)));
        assert_eq!(shortened("F G x = 0", &long), run(&[0, 1, 1], Some(1)));
        assert_eq!(
            shortened("G (x = 1 -> X x = 1)", &long),
            run(&[0, 1, 0, 1, 1], Some(3))
        );
    }

    #[test]
    fn what_shows_nothing_is_left_alone() {
        let long = run(&[0, 0, 1, 1], Some(2));
        assert_eq!(shortened("F x = 1", &long), long);
    }

    #[test]
    fn a_loop_keeps_a_step() {
        for from in 0..4 {
            for to in from + 1..4 {
                for head in 0..3 {
                    let Some(cut) = cut_out(&run(&[1, 1, 1, 1], Some(head)), from, to) else {
                        continue;
                    };
                    assert_eq!(cut.states.len(), cut.inputs.len() + 1);
                    assert!(cut.loops_to.unwrap() + 1 < cut.states.len());
                }
            }
        }
    }
}
