//! Solvers behind a pipe: z3 and cvc5, which scripts/test.sh installs, and commands that misbehave.
#![allow(clippy::unwrap_used)]

mod formulas;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use formulas::{Maker, pigeons, witness};
use suppose_control::{Context, Control, Silent, Stopped};
use suppose_model::chc::{
    App, Assignment, Clause, Definitions, Horn, Lin, Pred, Sort, TermId, Terms, Value, Var,
};
use suppose_number::{Int, Rat};
use suppose_smt::pipe::{Confirmation, ExternalSolver, SolverError, Tool, confirm};
use suppose_smt::{SatResult, Solve, Solver};
use suppose_testkit::{for_each_seed, installed};

fn both() -> [Tool; 2] {
    [
        Tool::z3_at(installed("z3")),
        Tool::cvc5_at(installed("cvc5")),
    ]
}

const LONG: Duration = Duration::from_secs(300);
const SHORT: Duration = Duration::from_millis(300);

/// Scripts that misbehave, all written before any command is started: one that is being written cannot be run.
fn script(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("suppose-pipe-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (name, text) in [
            ("silent", "exec sleep 1000"),
            ("lonely", "echo $$ > \"$0.pid\"; exec sleep 1000"),
            ("quits", "exit 0"),
            ("babbles", "exec yes sat"),
            ("endless", "exec cat /dev/zero"),
            ("latin", "printf '\\377\\376\\n'; exec sleep 1000"),
            ("error", "echo '(error \"out of memory\")'; exit 1"),
            ("echoes", "exec cat"),
            ("yes", "while read -r line; do case $line in *echo*) echo \"${line#*echo }\" | tr -d ')';; *check*) echo sat;; *get-value*) echo '((v0 true))';; esac; done"),
        ] {
            let path = folder.join(name);
            std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(&path, mode).unwrap();
        }
        folder
    });
    folder.join(name)
}

fn integer(terms: &mut Terms) -> (Var, TermId) {
    let x = terms.fresh("x", Sort::Int);
    let positive = terms.lt(Lin::var(x).neg());
    (x, positive)
}

/// What a command that misbehaves is reported as. Never sat, never unsat.
fn trouble(name: &str, limit: Duration) -> SolverError {
    let tool = Tool::z3_at(script(name));
    let mut terms = Terms::default();
    let (_, formula) = integer(&mut terms);
    let mut solver = ExternalSolver::start(&tool, limit).unwrap();
    solver.assert(&mut terms, formula);
    let outcome = solver.check(&mut terms, &[], &Context::default());
    assert_eq!(outcome, Ok(SatResult::Unknown));
    solver.trouble().unwrap().clone()
}

#[test]
fn a_missing_command_is_named() {
    let folder = script("silent");
    let missing = folder.with_file_name("no-such-solver");
    let found = ExternalSolver::start(&Tool::z3_at(&missing), LONG).unwrap_err();
    let message = found.to_string();
    assert!(
        message.contains("no-such-solver") && message.contains("no such command"),
        "{message}"
    );
    let directory = folder.parent().unwrap();
    assert!(ExternalSolver::start(&Tool::cvc5_at(directory), LONG).is_err());
}

#[test]
fn a_silent_command_is_killed() {
    assert_eq!(trouble("silent", SHORT), SolverError::Slow("z3".to_owned()));
    let path = script("lonely");
    let solver = ExternalSolver::start(&Tool::z3_at(&path), LONG).unwrap();
    let note = path.with_extension("pid");
    let pid = std::iter::repeat_with(|| std::fs::read_to_string(&note).unwrap_or_default())
        .inspect(|_| std::thread::sleep(Duration::from_millis(5)))
        .find(|pid| pid.ends_with('\n'))
        .unwrap();
    let process = Path::new("/proc").join(pid.trim());
    assert!(process.exists());
    drop(solver);
    assert!(!process.exists());
}

#[test]
fn garbage_is_no_answer() {
    assert_eq!(trouble("quits", LONG), SolverError::Ended("z3".to_owned()));
    for name in ["babbles", "endless"] {
        // Whichever is reached first, its time or the longest answer.
        let found = trouble(name, SHORT);
        let expected = matches!(found, SolverError::Slow(_) | SolverError::NotUnderstood(..));
        assert!(expected, "{name}: {found}");
    }
    assert_eq!(trouble("latin", LONG), SolverError::Ended("z3".to_owned()));
    assert_eq!(trouble("echoes", SHORT), SolverError::Slow("z3".to_owned()));
    let found = trouble("error", LONG);
    assert!(
        matches!(&found, SolverError::NotUnderstood(_, what) if what.contains("memory")),
        "{found}"
    );
    // It says that there is a model, with a truth as the value of an integer.
    let found = trouble("yes", LONG);
    assert!(
        matches!(&found, SolverError::NotUnderstood(_, what) if what.contains("v0")),
        "{found}"
    );
}

/// A question larger than the pipe holds, to a command that does not read.
#[test]
fn writing_does_not_block() {
    let mut terms = Terms::default();
    let mut parts = Vec::new();
    for i in 0..50_000 {
        let (x, _) = integer(&mut terms);
        parts.push(terms.le(Lin::var(x).plus(i)));
    }
    let formula = terms.and(parts);
    let tool = Tool::cvc5_at(script("silent"));
    let mut solver = ExternalSolver::start(&tool, SHORT).unwrap();
    solver.assert(&mut terms, formula);
    let outcome = solver.check(&mut terms, &[], &Context::default());
    assert_eq!(outcome, Ok(SatResult::Unknown));
}

#[test]
fn a_check_can_be_stopped() {
    let control = Arc::new(Control::new(None));
    let cx = Context::new(control.clone(), Arc::new(Silent));
    let mut terms = Terms::default();
    let (_, formula) = integer(&mut terms);
    let mut solver = ExternalSolver::start(&Tool::z3_at(script("silent")), LONG).unwrap();
    solver.assert(&mut terms, formula);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            control.stop(Stopped::Interrupted);
        });
        let result = solver.check(&mut terms, &[], &cx);
        assert_eq!(result, Err(Stopped::Interrupted));
    });
    let past = Context::default().with_deadline(Instant::now());
    assert_eq!(
        solver.check(&mut terms, &[], &past),
        Err(Stopped::Superseded)
    );
}

/// A pigeon more than there are holes: too hard for a short limit. The command is started again and told
/// everything it has to know, so the next question is answered.
#[test]
fn after_a_hard_question_comes_an_easy_one() {
    let mut terms = Terms::default();
    let hard = pigeons(&mut terms, 13);
    let (x, positive) = integer(&mut terms);
    let small = terms.le(Lin::var(x).plus(-3));
    let mut solver = ExternalSolver::start(&both()[0], SHORT).unwrap();
    let cx = Context::default();
    solver.assert(&mut terms, positive);
    assert_eq!(
        solver.check(&mut terms, &[hard], &cx),
        Ok(SatResult::Unknown)
    );
    assert_eq!(solver.trouble(), Some(&SolverError::Slow("z3".to_owned())));
    solver.limit = LONG;
    assert_eq!(solver.check(&mut terms, &[small], &cx), Ok(SatResult::Sat));
    assert!(solver.model().eval(&terms, positive) && solver.model().eval(&terms, small));
    assert_eq!(solver.trouble(), None);
}

/// Several questions to one solver, with assumptions; models are models, and cores suffice.
fn converse(
    solver: &mut dyn Solve,
    maker: &mut Maker,
    asked: &[(TermId, Vec<TermId>)],
) -> Vec<SatResult> {
    let cx = Context::default();
    let terms = &mut maker.terms;
    let mut asserted: Vec<TermId> = Vec::new();
    let mut outcomes = Vec::new();
    for (formula, assumptions) in asked {
        solver.assert(terms, *formula);
        asserted.push(*formula);
        let outcome = solver.check(terms, assumptions, &cx).unwrap();
        match outcome {
            SatResult::Sat => {
                let model = solver.model();
                assert!(
                    asserted
                        .iter()
                        .chain(assumptions)
                        .all(|&f| model.eval(terms, f))
                );
            }
            SatResult::Unsat => {
                let core = solver.core().to_vec();
                let mut rest = assumptions.iter();
                assert!(core.iter().all(|c| rest.any(|a| a == c)), "not in order");
                assert_eq!(solver.check(terms, &core, &cx), Ok(SatResult::Unsat));
            }
            SatResult::Unknown => {}
        }
        outcomes.push(outcome);
    }
    outcomes
}

/// z3, cvc5, our own solver and a search over small values agree.
#[test]
fn solvers_agree() {
    for_each_seed(25, |rng| {
        let sorts = [Sort::Bool, Sort::Int, Sort::Int, Sort::Real, Sort::Real];
        let mut maker = Maker::new(&sorts);
        let mut asked = Vec::new();
        for _ in 0..4 {
            let formula = maker.formula(rng, 2);
            let mut assumptions: Vec<TermId> = (0..4).map(|_| maker.formula(rng, 1)).collect();
            assumptions.push(assumptions[0]);
            asked.push((formula, assumptions));
        }
        let mut all: Vec<Vec<SatResult>> = both()
            .iter()
            .map(|tool| {
                let mut solver = ExternalSolver::start(tool, LONG).unwrap();
                let outcomes = converse(&mut solver, &mut maker, &asked);
                assert_eq!(solver.trouble(), None);
                outcomes
            })
            .collect();
        all.push(converse(&mut Solver::new(), &mut maker, &asked));
        assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{all:?}");
        let mut formula = Terms::TRUE;
        for ((asserted, assumptions), outcome) in asked.into_iter().zip(&all[0]) {
            formula = maker.terms.and([formula, asserted]);
            let assumed = maker.terms.and(assumptions);
            let whole = maker.terms.and([formula, assumed]);
            let found = witness(&maker.terms, whole, &maker.vars, 4, &Assignment::default());
            assert!(found.is_none() || *outcome == SatResult::Sat);
        }
    });
}

/// Values that need all the syntax: negative, fractions, larger than a word.
#[test]
fn unusual_values_are_read() {
    let mut terms = Terms::default();
    let huge: Int = "-123456789012345678901234567890".parse().unwrap();
    let x = terms.fresh("x", Sort::Int);
    let y = terms.fresh("y", Sort::Real);
    let z = terms.fresh("z", Sort::Real);
    let parts = [
        terms.eq(Lin::var(x).sub(&Lin::constant(huge.clone()))),
        terms.eq(Lin::var(y).scale(&Int::from(3)).plus(7)),
        terms.eq(Lin::var(z).scale(&Int::from(2)).plus(-9)),
    ];
    let formula = terms.and(parts);
    for tool in both() {
        let mut solver = ExternalSolver::start(&tool, LONG).unwrap();
        solver.assert(&mut terms, formula);
        assert_eq!(
            solver.check(&mut terms, &[], &Context::default()),
            Ok(SatResult::Sat)
        );
        assert_eq!(solver.model().number(x), Rat::from(huge.clone()));
        assert_eq!(
            solver.model().number(y),
            Rat::new(Int::from(-7), Int::from(3))
        );
        assert_eq!(
            solver.model().get(z),
            Some(&Value::Num(Rat::new(Int::from(9), Int::from(2))))
        );
    }
}

/// `x = 0 -> p(x)`; `p(x), y = x + 2 -> p(y)`; `p(x), x = 5 -> false`.
fn evens() -> Horn {
    let mut horn = Horn::default();
    let p = horn.add_predicate("p", &[Sort::Int]);
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| horn.terms.fresh(name, Sort::Int));
    let app = |var: Var| App {
        pred: p,
        args: vec![var],
    };
    let constraints = [
        horn.terms.eq(Lin::var(a)),
        horn.terms.eq(Lin::var(c).sub(&Lin::var(b)).plus(-2)),
        horn.terms.eq(Lin::var(d).plus(-5)),
    ];
    let parts = [(None, Some(a)), (Some(b), Some(c)), (Some(d), None)];
    for (constraint, (body, head)) in constraints.into_iter().zip(parts) {
        horn.clauses.push(Clause {
            body: body.map(app).into_iter().collect(),
            constraint,
            head: head.map(app),
            place: None,
        });
    }
    horn
}

fn confirmed(tool: &Tool, define: impl Fn(&mut Terms, Lin) -> TermId) -> Vec<Confirmation> {
    let horn = evens();
    let mut terms = horn.terms.clone();
    let x = Lin::var(horn.predicate(Pred(0)).formals[0]);
    let definitions = vec![define(&mut terms, x)];
    let evidence = Definitions {
        terms,
        definitions,
        proofs: Vec::new(),
        about: None,
    };
    confirm(&horn, &evidence, tool, LONG, &Context::default()).unwrap()
}

#[test]
fn definitions_are_confirmed_or_refuted() {
    use Confirmation::{Confirmed, Refuted};
    for tool in both() {
        let even = confirmed(&tool, |terms, x| terms.divides(&Int::from(2), &x));
        assert_eq!(even, [Confirmed, Confirmed, Confirmed]);
        let positive = confirmed(&tool, |terms, x| terms.le(x.neg()));
        assert_eq!(positive, [Confirmed, Confirmed, Refuted]);
        let odd = confirmed(&tool, |terms, x| terms.divides(&Int::from(2), &x.plus(1)));
        assert_eq!(odd, [Refuted, Confirmed, Refuted]);
        let small = confirmed(&tool, |terms, x| terms.le(x.plus(-4)));
        assert_eq!(small, [Confirmed, Refuted, Confirmed]);
    }
    let failed = confirmed(&Tool::z3_at(script("quits")), |_, _| Terms::TRUE);
    assert_eq!(failed.len(), 3);
    assert!(
        failed
            .iter()
            .all(|a| matches!(a, Confirmation::Failed(SolverError::Ended(_))))
    );
    let missing = confirmed(&Tool::z3_at("/no/such/solver"), |_, _| Terms::TRUE);
    assert!(
        missing
            .iter()
            .all(|a| matches!(a, Confirmation::Failed(SolverError::NotStarted(..))))
    );
}

#[test]
fn tools_have_names() {
    assert_eq!(Tool::named("z3"), Some(Tool::z3()));
    assert_eq!(Tool::named("cvc5"), Some(Tool::cvc5()));
    assert_eq!(Tool::named("yices"), None);
    assert_eq!(Tool::cvc5().name(), "cvc5");
}
