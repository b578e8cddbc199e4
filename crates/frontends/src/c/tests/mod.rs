//! The clauses against runs: a naive interpreter of the statements as written, the machine that runs the graphs,
//! and gcc. Every violating run must be a derivation that a small checker accepts.

mod examples;
mod generate;
mod interpret;
mod memory;
mod reference;

use std::collections::BTreeMap;

use suppose_model::chc::{App, Assignment, Derivation, Horn, Sort};
use suppose_number::Int;
use suppose_source::Span;
use suppose_testkit::{Rng, for_each_seed};

use super::{COptions, CProgram, Claim, IntType, Integers, RunResult, StepKind, read_text};

/// Is it a derivation of a query? Each step: the constraint is true, and the premises' heads are the body.
pub(super) fn check_derivation(horn: &Horn, derivation: &Derivation) -> Result<(), String> {
    let value = |values: &Assignment, app: &App| -> Vec<String> {
        app.args
            .iter()
            .map(|v| match horn.terms.sort(*v) {
                Sort::Bool => values.truth(*v).to_string(),
                _ => values.number(*v).to_string(),
            })
            .collect()
    };
    for (i, step) in derivation.steps.iter().enumerate() {
        let clause = &horn.clauses[step.clause];
        let place = clause.place.as_ref().map_or("", |p| &p.what);
        if !step.values.eval(&horn.terms, clause.constraint) {
            return Err(format!("step {i} ({place}): the constraint is false"));
        }
        if step.premises.len() != clause.body.len() {
            return Err(format!(
                "step {i} ({place}): {} premises",
                step.premises.len()
            ));
        }
        for (app, &premise) in clause.body.iter().zip(&step.premises) {
            let before = &derivation.steps[premise];
            let head = horn.clauses[before.clause].head.as_ref();
            let head = head.ok_or_else(|| format!("step {i}: a query as a premise"))?;
            if premise >= i
                || head.pred != app.pred
                || value(&before.values, head) != value(&step.values, app)
            {
                return Err(format!(
                    "step {i} ({place}): premise {premise} does not fit"
                ));
            }
        }
    }
    match derivation.steps.last() {
        Some(last) if horn.clauses[last.clause].head.is_none() => Ok(()),
        _ => Err("the last step is no query".to_owned()),
    }
}

/// A derivation is read back as a run. Values that make no difference are not in the clauses, so it need
/// not be the very run it came from.
pub(super) fn ends_in_a_violation(program: &CProgram, derivation: &Derivation) {
    let tree = program.call_tree(derivation).expect("a run");
    let violations = tree.calls.iter().flat_map(|c| &c.steps);
    assert_eq!(
        violations.filter(|s| s.kind == StepKind::Violation).count(),
        1
    );
}

/// Values for functions without body, by name.
pub(super) type Script = BTreeMap<String, i128>;

fn run(program: &CProgram, script: &Script) -> RunResult {
    let mut choose = |name: Option<&str>, _: IntType| {
        Some(Int::from(
            name.and_then(|n| script.get(n)).copied().unwrap_or(0),
        ))
    };
    program.run(&mut choose, 200_000)
}

fn read_claim(text: &str, options: &COptions, claim: Claim) -> CProgram {
    let options = COptions {
        claim,
        ..options.clone()
    };
    match read_text("p.c", text, &options) {
        Ok((program, _)) => program,
        Err((error, sources)) => panic!("{}\n{text}", error.render(&sources, false)),
    }
}

/// Where a violation is, after its derivation was checked. None if the run ends otherwise.
fn violation(program: &CProgram, script: &Script, context: &dyn Fn() -> String) -> Option<Span> {
    let RunResult::Violated { derivation, tree } = run(program, script) else {
        return None;
    };
    check_derivation(program.horn(), &derivation).unwrap_or_else(|e| panic!("{e}\n{}", context()));
    ends_in_a_violation(program, &derivation);
    let mut steps = tree.calls.iter().flat_map(|c| &c.steps);
    let last = steps.find(|s| s.kind == StepKind::Violation);
    last.map(|s| s.span)
}

/// Runs a program both ways, and checks what a violation proves. True if it was violated.
fn compare(text: &str, options: &COptions, script: &Script) -> bool {
    let naive = interpret::interpret(text, options, script);
    let context = || format!("{text}\n{script:?} {:?}\n{naive:?}", options.integers);
    let (assertion, overflow) = match naive {
        interpret::Ended::Stopped => return false,
        interpret::Ended::Normally => (None, None),
        interpret::Ended::Violated(span) => (Some(span), None),
        interpret::Ended::Overflow(span) => (None, Some(span)),
    };
    let program = read_claim(text, options, Claim::Assertions);
    let found = violation(&program, script, &context);
    assert_eq!(found, assertion, "{}", context());
    if options.integers == Integers::Machine {
        let program = read_claim(text, options, Claim::NoOverflow);
        let found = violation(&program, script, &context);
        assert_eq!(found, overflow, "{}", context());
    }
    found.is_some()
}

fn random_script(rng: &mut Rng, names: usize) -> Script {
    const ODD: &[i128] = &[
        0,
        1,
        -1,
        2,
        3,
        7,
        10,
        -5,
        127,
        128,
        255,
        256,
        -128,
        -129,
        32767,
        65535,
        65536,
        2147483647,
        -2147483648,
        4294967295,
        2147483648,
        9223372036854775807,
        -9223372036854775808,
        100,
        1000,
    ];
    (0..names)
        .map(|i| {
            let value = if rng.percent(50) {
                rng.below(9) as i128 - 4
            } else {
                ODD[rng.below(ODD.len())]
            };
            (format!("nondet_{i}"), value)
        })
        .collect()
}

#[test]
fn random_programs_run_as_their_clauses_say() {
    let mut violated = 0u32;
    let mut runs = 0u32;
    for_each_seed(250, |rng| {
        let (text, names) = generate::program(rng, false);
        for integers in [Integers::Machine, Integers::Wrap, Integers::Mathematical] {
            let wrap = integers != Integers::Mathematical;
            let inline = if rng.percent(50) { 8 } else { 0 };
            let options = COptions {
                integers,
                inline,
                ..COptions::default()
            };
            for _ in 0..4 {
                let script = random_script(rng, names);
                let script = fit(&script, &text, wrap);
                runs += 1;
                violated += u32::from(compare(&text, &options, &script));
            }
        }
    });
    // The programs are made so that both happen often; a test of one kind only shows little.
    if runs > 500 {
        assert!(
            violated > runs / 20 && violated < runs,
            "{violated} of {runs}"
        );
    }
}

/// The values as those of the types that the functions give back.
fn fit(script: &Script, text: &str, wrap: bool) -> Script {
    let mut fitted = Script::new();
    for (name, value) in script {
        let line = text.lines().find(|l| l.contains(&format!(" {name}(void)")));
        let ty = line.map_or("int", |l| {
            l.trim_start_matches("extern ")
                .split(&format!(" {name}"))
                .next()
                .unwrap()
        });
        fitted.insert(name.clone(), interpret::fit(ty, *value, wrap));
    }
    fitted
}

#[test]
fn gcc_runs_programs_the_same_way() {
    let folder = reference::Folder::new("c-gcc");
    for_each_seed(40, |rng| {
        let (text, names) = generate::program(rng, true);
        let binary = folder.compile(&text, names);
        let options = COptions {
            integers: Integers::Wrap,
            ..COptions::default()
        };
        let (program, _) = read_text("p.c", &text, &options)
            .unwrap_or_else(|(e, s)| panic!("{}\n{text}", e.render(&s, false)));
        for _ in 0..6 {
            let script = fit(&random_script(rng, names), &text, true);
            let real = binary.violates(&script);
            match run(&program, &script) {
                RunResult::Violated { derivation, .. } => {
                    assert!(real, "gcc's run ends\n{text}\n{script:?}");
                    check_derivation(program.horn(), &derivation)
                        .unwrap_or_else(|e| panic!("{e}\n{text}"));
                }
                RunResult::Ended => assert!(!real, "gcc's run fails\n{text}\n{script:?}"),
                RunResult::Stopped => {}
            }
        }
    });
}

/// The same programs without `-fwrapv`, stopped by gcc where a signed result does not fit.
#[test]
fn gcc_finds_the_same_overflows() {
    let folder = reference::Folder::new("c-overflow");
    let (mut overflows, mut runs) = (0u32, 0u32);
    for_each_seed(60, |rng| {
        let (text, names) = generate::program(rng, true);
        let binary = folder.compile_checked(&text, names);
        let options = COptions::default();
        let assertions = read_claim(&text, &options, Claim::Assertions);
        let overflow = read_claim(&text, &options, Claim::NoOverflow);
        for _ in 0..6 {
            let script = fit(&random_script(rng, names), &text, true);
            let context = || format!("{text}\n{script:?}");
            let stopped = |p| matches!(run(p, &script), RunResult::Stopped);
            if stopped(&assertions) || stopped(&overflow) {
                continue;
            }
            let real = binary.end(&script);
            let fails = violation(&assertions, &script, &context).is_some();
            let leaves = violation(&overflow, &script, &context).is_some();
            runs += 1;
            overflows += u32::from(leaves);
            let expected = match real {
                reference::End::Normally => (false, false),
                reference::End::Violated => (true, false),
                reference::End::Overflow => (false, true),
            };
            assert_eq!((fails, leaves), expected, "{}", context());
        }
    });
    if runs > 100 {
        assert!(overflows > 0, "none of {runs}");
    }
}

#[test]
fn expressions_have_the_values_that_gcc_gives_them() {
    // One program evaluates many expressions; each value is compared with the one gcc printed.
    let folder = reference::Folder::new("c-expressions");
    for_each_seed(20, |rng| {
        let expressions: Vec<String> = (0..20).map(|_| generate::closed_expression(rng)).collect();
        let values = folder.print(&expressions);
        for (expression, value) in expressions.iter().zip(values) {
            let text = format!(
                "int main(void) {{ {} assert((long long)({expression}) == {value}LL); }}",
                generate::PRELUDE
            );
            // The smallest value is no literal.
            let text = text.replace("-9223372036854775808LL", "(-9223372036854775807LL - 1)");
            let options = COptions {
                integers: Integers::Wrap,
                ..COptions::default()
            };
            let (program, _) = read_text("e.c", &text, &options)
                .unwrap_or_else(|(e, s)| panic!("{}\n{text}", e.render(&s, false)));
            let outcome = run(&program, &Script::new());
            assert!(matches!(outcome, RunResult::Ended), "{text}\n{outcome:?}");
        }
    });
}

/// A chain of random operators, longer than what is nested, in places where it is evaluated always, sometimes and never.
fn with_chains(rng: &mut Rng) -> String {
    let mut chain = |operators: &[&str], most: usize| {
        let mut text = "a".to_owned();
        for _ in 0..80 + rng.below(most) {
            let operator = rng.pick(operators).copied().unwrap_or("+");
            let operand = ["a", "b", "1", "(b > a)", "c", "(c += b)", "f(b)"][rng.below(7)];
            text += &format!(" {operator} {operand}");
        }
        text
    };
    let sums = chain(&["+", "-"], 300);
    let guarded = chain(&["+", "-"], 150);
    let truths = chain(&["&&", "||", "<", "+", "=="], 300);
    let mixed = chain(&["+", "* 2 -", "/ 3 +", "% 5 +", "<< 1 <", "> 1 =="], 250);
    format!(
        "#include <assert.h>\n int nondet_0(void); int nondet_1(void);
        int c;
        int f(int x) {{ c = c + 1; return x - c; }}
        int main(void) {{
            int a = nondet_0(); int b = nondet_1(); int r = 0;
            r = {sums};
            if (a > 1 && {guarded}) r = r + 1;
            r = r + (b > 0 ? {guarded} : 3);
            r = r - 2 * ({truths});
            if ({truths}) c = c - 1;
            r = r - ({mixed});
            assert(r + c != 7 && r + c < 100);
            return 0;
        }}"
    )
}

#[test]
fn long_chains_of_operators_mean_what_they_say() {
    for_each_seed(60, |rng| {
        let text = with_chains(rng);
        for wrap in [Integers::Machine, Integers::Wrap] {
            let options = COptions {
                integers: wrap,
                ..COptions::default()
            };
            for _ in 0..4 {
                let value = |rng: &mut Rng| rng.below(7) as i128 - 3;
                let script = Script::from([
                    ("nondet_0".to_owned(), value(rng)),
                    ("nondet_1".to_owned(), value(rng)),
                ]);
                compare(&text, &options, &script);
            }
        }
    });
}

#[test]
fn a_hundred_thousand_operators_in_a_row_are_read() {
    for operator in ["+", "&&", "=="] {
        let sum = format!(" {operator} a").repeat(100_000);
        let text = format!(
            "#include <assert.h>\nunsigned nondet(void); int main(void) {{ unsigned a = nondet(); unsigned r = a{sum}; assert(r < 1); return 0; }}"
        );
        let program = read_claim(&text, &COptions::default(), Claim::Assertions);
        assert!(!program.horn().clauses.is_empty());
    }
}
