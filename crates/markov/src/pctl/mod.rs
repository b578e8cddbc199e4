//! Properties in probabilistic branching-time logic: values, verdicts and evidence.
//!
//! [`check`] decides a formula on the whole system, or, if simulation preserves it, by assumptions (Section 6.3.2 of the
//! thesis); [`value`] gives a greatest or least probability. A probability is a fraction where that is feasible, and else between two fractions; both
//! are proved by numbers that one step keeps. How a state without choices is read is said at [`suppose_model::markov::StateFormula`]'s module.

mod certified;
mod compositional;
mod evaluate;
mod exact;
mod graph;
mod mdp;
mod number;
mod steps;
mod tree;
mod until;

use std::time::Instant;

use suppose_model::markov::{
    Bound, Counterexample, Lpts, PathFormula, PropertyCertificate, PropertyCounterexample, Query,
    Side, StateFormula, System, Tree, ValueEvidence,
};
use suppose_model::{Reason, Run};
use suppose_number::Rat;
use suppose_refine::{Context, Stopped};

use crate::product::build;
use evaluate::Evaluation;
use mdp::Mdp;
use tree::Size;
pub use until::Effort;
use until::Failure;

/// How to decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Engine {
    /// On the whole system.
    Monolithic,
    /// The components of the first group as they are, of each other one a quotient (AGAR).
    Agar {
        /// The first group.
        first: Vec<usize>,
    },
    /// Groups one behind the other, with an assumption about all groups after the first, and so on (AGAR-N).
    AgarN {
        /// The groups, in the order of the rule.
        groups: Vec<Vec<usize>>,
    },
    /// By assumptions where that is possible and the whole is not small, else on the whole system.
    Auto,
}

/// What was found out.
#[derive(Clone, Debug)]
pub enum PropertyVerdict {
    /// The property holds.
    Holds(Box<PropertyCertificate>),
    /// It does not.
    Violated(Box<PropertyCounterexample>),
    /// Not decided, and here is why.
    Unknown(Reason),
}

/// Between these two, which are equal if it is known exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// At least so much.
    pub lower: Rat,
    /// At most so much.
    pub upper: Rat,
}

impl Interval {
    /// The number, if it is known.
    pub fn exact(&self) -> Option<&Rat> {
        (self.lower == self.upper).then_some(&self.lower)
    }
}

/// A verdict and how it came about.
#[derive(Clone, Debug)]
pub struct PropertyAnswer {
    /// The verdict.
    pub verdict: PropertyVerdict,
    /// The probability that the outermost bound is about, if there is one and the whole system was looked at: the greatest
    /// for a bound from above, else the least.
    pub value: Option<Interval>,
    /// What it took.
    pub run: Run,
}

/// A probability and how it came about.
#[derive(Clone, Debug)]
pub struct ValueAnswer {
    /// The probability with its proof, or why it is not known.
    pub value: Result<Box<ValueEvidence>, Reason>,
    /// What it took.
    pub run: Run,
}

/// Settings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How hard to try for exact numbers.
    pub effort: Effort,
    /// How classes are split.
    pub refinement: crate::Options,
}

/// Trees of more nodes are not made: there the evidence is a scheduler with a bound.
const TREE: Size = Size {
    cells: 8_000_000,
    nodes: 20_000,
};

impl From<Failure> for Reason {
    fn from(failure: Failure) -> Reason {
        match failure {
            Failure::Stopped(stopped) => stopped.into(),
            Failure::Imprecise => Reason::Unsupported(
                "floating-point numbers are not precise enough to find bounds for this system"
                    .to_owned(),
            ),
        }
    }
}

/// Is the formula true in the initial state of the system?
pub fn check(
    system: &System,
    formula: &StateFormula,
    engine: &Engine,
    options: Options,
    cx: &Context,
) -> PropertyAnswer {
    let started = Instant::now();
    let mut answer = decide(system, formula, engine, options, cx);
    answer.run.elapsed = started.elapsed();
    answer
}

fn decide(
    system: &System,
    formula: &StateFormula,
    engine: &Engine,
    options: Options,
    cx: &Context,
) -> PropertyAnswer {
    if let Err(what) = known_propositions(system, &formula.propositions()) {
        return undecided(Reason::Unsupported(what));
    }
    match engine {
        Engine::Monolithic => monolithic(system, formula, options, cx),
        Engine::Agar { first } => compositional::agar(system, formula, first, options, cx),
        Engine::AgarN { groups } => compositional::agar_n(system, formula, groups, options, cx),
        Engine::Auto => auto(system, formula, options, cx),
    }
}

/// A whole system of at most so many states is decided at once.
const SMALL: u64 = 200_000;

fn auto(system: &System, formula: &StateFormula, options: Options, cx: &Context) -> PropertyAnswer {
    let whole = |cx: &Context| monolithic(system, formula, options, cx);
    if system.components.len() < 2 || formula.preserved().is_err() {
        return whole(cx);
    }
    let small = whole(&cx.with_state_limit(SMALL));
    // It was cut short by our own limit, not by the user's.
    let cut = matches!(small.verdict, PropertyVerdict::Unknown(Reason::Timeout));
    if !cut || cx.check().is_err() {
        return small;
    }
    let owner = |p: &u32| system.propositions[*p as usize].component;
    let mut first: Vec<usize> = formula.propositions().iter().map(owner).collect();
    first.sort_unstable();
    first.dedup();
    if first.is_empty() || first.len() == system.components.len() {
        first = vec![0];
    }
    let answer = compositional::agar(system, formula, &first, options, cx);
    match answer.verdict {
        PropertyVerdict::Unknown(Reason::Unsupported(_) | Reason::Memory) if cx.check().is_ok() => {
            whole(cx)
        }
        _ => answer,
    }
}

fn undecided(why: Reason) -> PropertyAnswer {
    PropertyAnswer {
        verdict: PropertyVerdict::Unknown(why),
        value: None,
        run: Run::default(),
    }
}

fn known_propositions(system: &System, numbers: &[u32]) -> Result<(), String> {
    for number in numbers {
        let owner = system.propositions.get(*number as usize);
        let component = owner.and_then(|p| system.components.get(p.component));
        let known = component.and_then(|c| c.lpts.satisfies(c.lpts.initial(), *number));
        if known.is_none() {
            return Err(format!("proposition {number} belongs to no component"));
        }
    }
    Ok(())
}

fn everything(system: &System) -> Run {
    Run {
        groups: vec![(0..system.components.len()).collect()],
        ..Run::default()
    }
}

fn monolithic(
    system: &System,
    formula: &StateFormula,
    options: Options,
    cx: &Context,
) -> PropertyAnswer {
    let mut run = everything(system);
    let decided = build("system", &system.parts(), &mut run, cx)
        .map_err(Failure::from)
        .and_then(|whole| {
            let (finding, value) = look(&whole.lpts, formula, options, TREE, cx)?;
            Ok((whole, finding, value))
        });
    let (whole, finding, value) = match decided {
        Ok(decided) => decided,
        Err(failure) => {
            return PropertyAnswer {
                verdict: PropertyVerdict::Unknown(failure.into()),
                value: None,
                run,
            };
        }
    };
    let verdict = match finding {
        Finding::Holds(bounds) => PropertyVerdict::Holds(Box::new(PropertyCertificate {
            groups: run.groups.clone(),
            bounds,
            ..PropertyCertificate::default()
        })),
        Finding::Fails(Refutation::Bounds(bounds)) => {
            PropertyVerdict::Violated(Box::new(PropertyCounterexample::Bounds(bounds)))
        }
        Finding::Fails(Refutation::Tree(tree)) => {
            let vectors = tree.states().iter().map(|s| whole.vector(*s).into());
            let states = vectors.collect();
            let found = Counterexample {
                tree: tree.shape().clone(),
                states,
            };
            let found = PropertyCounterexample::Tree(Box::new(found));
            PropertyVerdict::Violated(Box::new(found))
        }
        Finding::Open(why) => PropertyVerdict::Unknown(why),
    };
    PropertyAnswer {
        verdict,
        value,
        run,
    }
}

/// What one product says about a formula.
enum Finding {
    Holds(Vec<Bound>),
    Fails(Refutation),
    Open(Reason),
}

enum Refutation {
    Tree(Box<Tree>),
    Bounds(Vec<Bound>),
}

/// Decides a formula on a product.
fn look(
    lpts: &Lpts,
    formula: &StateFormula,
    options: Options,
    size: Size,
    cx: &Context,
) -> Result<(Finding, Option<Interval>), Failure> {
    let normal = formula.without_globally();
    let mdp = Mdp::new(lpts);
    let mut evaluation = Evaluation::new(&mdp, options.effort, cx);
    let initial = lpts.initial() as usize;
    let mut bounds = Vec::new();
    let inside = evaluation.states(&normal, Side::Inside, &mut bounds)?;
    if inside.contains(initial) {
        let value = outermost(&mut evaluation, formula, &normal, initial)?;
        return Ok((Finding::Holds(bounds), value));
    }
    let mut bounds = Vec::new();
    let outside = evaluation.states(&normal, Side::Outside, &mut bounds)?;
    let value = outermost(&mut evaluation, formula, &normal, initial)?;
    if outside.contains(initial) {
        let why = match &value {
            Some(Interval { lower, upper }) => format!(
                "the probability is between {} and {}, which does not decide it",
                number::to_float(lower),
                number::to_float(upper)
            ),
            None => "the bounds on the probabilities do not decide it".to_owned(),
        };
        return Ok((Finding::Open(Reason::Unsupported(why)), value));
    }
    if formula.preserved().is_ok()
        && let Some(tree) = tree::refute(&mut evaluation, &normal, size, cx)?
    {
        return Ok((Finding::Fails(Refutation::Tree(Box::new(tree))), value));
    }
    Ok((Finding::Fails(Refutation::Bounds(bounds)), value))
}

/// The probability that the outermost bound of a formula is about.
fn outermost(
    evaluation: &mut Evaluation<'_>,
    formula: &StateFormula,
    normal: &StateFormula,
    initial: usize,
) -> Result<Option<Interval>, Failure> {
    let (
        StateFormula::Probability { comparison, .. },
        StateFormula::Probability {
            comparison: now,
            paths,
            ..
        },
    ) = (formula, normal)
    else {
        return Ok(None);
    };
    let mut of = |upper| -> Result<Rat, Failure> {
        let values = evaluation.paths(paths, now.is_upper(), upper, &mut Vec::new())?;
        Ok(values[initial].clone())
    };
    let (lower, upper) = (of(false)?, of(true)?);
    Ok(Some(match comparison == now {
        true => Interval { lower, upper },
        false => Interval {
            lower: &Rat::ONE - &upper,
            upper: &Rat::ONE - &lower,
        },
    }))
}

/// The greatest or least probability of paths of the whole system.
pub fn value(system: &System, query: &Query, options: Options, cx: &Context) -> ValueAnswer {
    let started = Instant::now();
    let mut run = everything(system);
    let value = match query {
        Query::Greatest(paths) => measure(system, paths, true, options, &mut run, cx),
        Query::Least(paths) => measure(system, paths, false, options, &mut run, cx),
        Query::Holds(_) => Err(Reason::Unsupported(
            "this asks for a verdict and not for a probability".to_owned(),
        )),
    };
    run.elapsed = started.elapsed();
    ValueAnswer {
        value: value.map(Box::new),
        run,
    }
}

fn measure(
    system: &System,
    paths: &PathFormula,
    greatest: bool,
    options: Options,
    run: &mut Run,
    cx: &Context,
) -> Result<ValueEvidence, Reason> {
    let (paths, mirrored) = paths.without_globally();
    let as_formula = StateFormula::Probability {
        comparison: suppose_model::markov::Comparison::AtMost,
        bound: Rat::ZERO,
        paths: Box::new(paths.clone()),
    };
    known_propositions(system, &as_formula.propositions()).map_err(Reason::Unsupported)?;
    let whole = build("system", &system.parts(), run, cx).map_err(|s: Stopped| Reason::from(s))?;
    let mdp = Mdp::new(&whole.lpts);
    let mut evaluation = Evaluation::new(&mdp, options.effort, cx);
    let initial = whole.lpts.initial() as usize;
    let mut of = |upper| -> Result<(Rat, Vec<Bound>), Reason> {
        let mut bounds = Vec::new();
        let values = evaluation.paths(&paths, greatest != mirrored, upper, &mut bounds)?;
        Ok((values[initial].clone(), bounds))
    };
    let (lower, lower_bounds) = of(false)?;
    let (upper, upper_bounds) = of(true)?;
    Ok(match mirrored {
        false => ValueEvidence {
            lower,
            lower_bounds,
            upper,
            upper_bounds,
        },
        true => ValueEvidence {
            lower: &Rat::ONE - &upper,
            lower_bounds: upper_bounds,
            upper: &Rat::ONE - &lower,
            upper_bounds: lower_bounds,
        },
    })
}
