//! Properties in probabilistic branching-time logic: values, verdicts and evidence.
//!
//! [`check`] decides a formula on the whole system, or, if simulation preserves it, by assumptions (Section 6.3.2 of the
//! thesis); [`value`] gives a greatest or least probability or expected reward. A value is a fraction where that is feasible, and else between two fractions; both
//! are proved by numbers that one step keeps. How a state without choices is read is said at [`suppose_model::mdp::StateFormula`]'s module.

mod candidate;
mod compact;
mod compositional;
mod equations;
mod evaluate;
mod exact;
mod graph;
mod krylov;
mod mdp;
mod number;
mod reward;
mod solve;
mod steps;
mod tree;
mod until;

use std::time::Instant;

use suppose_control::{Context, Stopped};
use suppose_model::mdp::{
    Amount, Bound, Lpts, Over, PropertyCertificate, PropertyCounterexample, Query, Side, State,
    StateFormula, System, Tree, ValueEvidence, Whole,
};
use suppose_model::{Reason, Run};
use suppose_number::Rat;

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

/// What was found out about a property.
pub type PropertyVerdict =
    suppose_model::Verdict<Box<PropertyCertificate>, Box<PropertyCounterexample>>;

/// Between these two, which are equal if it is known exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// At least so much.
    pub lower: Amount,
    /// At most so much.
    pub upper: Amount,
}

impl Interval {
    /// The number, if it is known.
    pub fn exact(&self) -> Option<&Amount> {
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
pub struct PctlOptions {
    /// How hard to try for exact numbers.
    pub effort: Effort,
    /// How classes are split.
    pub refinement: crate::ChainOptions,
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
            Failure::Unsupported(why) => Reason::Unsupported(why.to_owned()),
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
    options: PctlOptions,
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
    options: PctlOptions,
    cx: &Context,
) -> PropertyAnswer {
    if let Err(what) = known(system, formula) {
        return undecided(Reason::Unsupported(what));
    }
    // One component is the whole system, and evidence about it is about its own states.
    let engine = match system.components.len() {
        1 => &Engine::Monolithic,
        _ => engine,
    };
    match engine {
        Engine::Monolithic => monolithic(system, formula, options, cx),
        Engine::Agar { first } => compositional::agar(system, formula, first, options, cx),
        Engine::AgarN { groups } => compositional::agar_n(system, formula, groups, options, cx),
        Engine::Auto => auto(system, formula, options, cx),
    }
}

/// A whole system of at most this many states is decided at once.
const SMALL: u64 = 200_000;

fn auto(
    system: &System,
    formula: &StateFormula,
    options: PctlOptions,
    cx: &Context,
) -> PropertyAnswer {
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

fn known(system: &System, formula: &StateFormula) -> Result<(), String> {
    for number in formula.propositions() {
        let owner = system.propositions.get(number as usize);
        let component = owner.and_then(|p| system.components.get(p.component));
        let known = component.and_then(|c| c.lpts.satisfies(c.lpts.initial(), number));
        if known.is_none() {
            return Err(format!("proposition {number} belongs to no component"));
        }
    }
    let mut structures = Vec::new();
    formula.structures(&mut structures);
    if !structures.is_empty() && system.components.len() != 1 {
        return Err(
            "rewards are those of the whole system, which was taken apart into components"
                .to_owned(),
        );
    }
    Ok(())
}

fn everything(system: &System) -> Run {
    Run {
        groups: vec![(0..system.components.len()).collect()],
        ..Run::default()
    }
}

/// The behaviour of the whole system.
enum Behaviour<'a> {
    /// Of one component, as it is.
    One(&'a Lpts),
    Built(Box<Whole>),
}

impl<'a> Behaviour<'a> {
    fn of(system: &'a System, run: &mut Run, cx: &Context) -> Result<Self, Stopped> {
        let [only] = &system.components[..] else {
            let whole = build("system", &system.parts(), run, cx)?;
            return Ok(Behaviour::Built(Box::new(whole)));
        };
        let states = only.lpts.states() as u64;
        cx.check_states(states)?;
        run.states += states;
        run.transitions += only.lpts.branches() as u64;
        run.largest = run.largest.max(states);
        Ok(Behaviour::One(&only.lpts))
    }

    fn lpts(&self) -> &Lpts {
        match self {
            Behaviour::One(lpts) => lpts,
            Behaviour::Built(whole) => &whole.lpts,
        }
    }

    /// The components' states of a state.
    fn vector(&self, state: State) -> Vec<State> {
        match self {
            Behaviour::One(_) => vec![state],
            Behaviour::Built(whole) => whole.vector(state),
        }
    }
}

fn monolithic(
    system: &System,
    formula: &StateFormula,
    options: PctlOptions,
    cx: &Context,
) -> PropertyAnswer {
    let mut run = everything(system);
    let decided = Behaviour::of(system, &mut run, cx)
        .map_err(Failure::from)
        .and_then(|whole| {
            let (finding, value) = look(whole.lpts(), formula, options, TREE, cx)?;
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
            let found = tree.counterexample(|state| whole.vector(state).into());
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
    options: PctlOptions,
    size: Size,
    cx: &Context,
) -> Result<(Finding, Option<Interval>), Failure> {
    let normal = formula.without_globally();
    let mdp = Mdp::new(lpts, cx)?;
    let mut evaluation = Evaluation::new(&mdp, options.effort, cx);
    let initials = lpts.initials();
    let mut bounds = Vec::new();
    let inside = evaluation.states(&normal, Side::Inside, &mut bounds)?;
    if initials.iter().all(|s| inside.contains(*s as usize)) {
        let value = outermost(&mut evaluation, formula, &normal, initials)?;
        return Ok((Finding::Holds(bounds), value));
    }
    let mut bounds = Vec::new();
    let outside = evaluation.states(&normal, Side::Outside, &mut bounds)?;
    let value = outermost(&mut evaluation, formula, &normal, initials)?;
    let refuted = initials.iter().find(|s| !outside.contains(**s as usize));
    let Some(refuted) = refuted else {
        let why = match &value {
            Some(Interval { lower, upper }) => format!(
                "the value is between {} and {}, which does not decide it",
                about(lower),
                about(upper)
            ),
            None => "the bounds on the values do not decide it".to_owned(),
        };
        return Ok((Finding::Open(Reason::Unsupported(why)), value));
    };
    if formula.preserved().is_ok()
        && let Some(tree) = tree::refute(&mut evaluation, &normal, *refuted, size, cx)?
    {
        return Ok((Finding::Fails(Refutation::Tree(Box::new(tree))), value));
    }
    Ok((Finding::Fails(Refutation::Bounds(bounds)), value))
}

fn about(amount: &Amount) -> f64 {
    amount.finite().map_or(f64::INFINITY, number::to_float)
}

/// Which of the values in several initial states, or their range.
fn over(
    initials: &[State],
    pick: Option<Over>,
    lower: impl Fn(usize) -> Amount,
    upper: impl Fn(usize) -> Amount,
) -> Interval {
    let low = initials.iter().map(|s| lower(*s as usize));
    let high = initials.iter().map(|s| upper(*s as usize));
    let (lower, upper) = match pick {
        None => (low.min(), high.max()),
        Some(Over::Greatest) => (low.max(), high.max()),
        Some(Over::Least) => (low.min(), high.min()),
    };
    Interval {
        lower: lower.unwrap_or(Amount::Finite(Rat::ZERO)),
        upper: upper.unwrap_or(Amount::Infinite),
    }
}

fn mirrored(amount: Amount) -> Amount {
    match amount {
        Amount::Finite(number) => Amount::Finite(&Rat::ONE - &number),
        Amount::Infinite => Amount::Infinite,
    }
}

/// What the outermost bound of a formula is about.
fn outermost(
    evaluation: &mut Evaluation<'_>,
    formula: &StateFormula,
    normal: &StateFormula,
    initials: &[State],
) -> Result<Option<Interval>, Failure> {
    let compares = |formula: &StateFormula| match formula {
        StateFormula::Probability { comparison, .. } | StateFormula::Reward { comparison, .. } => {
            Some(*comparison)
        }
        _ => None,
    };
    let (Some(comparison), Some(now)) = (compares(formula), compares(normal)) else {
        return Ok(None);
    };
    let mut of = |upper| evaluation.value(normal, now.is_upper(), upper, &mut Vec::new());
    let (lower, upper) = (of(false)?, of(true)?);
    let turned = comparison != now;
    Ok(Some(match turned {
        false => over(initials, None, |s| lower.get(s), |s| upper.get(s)),
        true => over(
            initials,
            None,
            |s| mirrored(upper.get(s)),
            |s| mirrored(lower.get(s)),
        ),
    }))
}

/// The greatest or least probability of paths, or expected reward, of the whole system.
pub fn value(system: &System, query: &Query, options: PctlOptions, cx: &Context) -> ValueAnswer {
    let started = Instant::now();
    let mut run = everything(system);
    let value = measure(system, query, options, &mut run, cx);
    run.elapsed = started.elapsed();
    ValueAnswer {
        value: value.map(Box::new),
        run,
    }
}

fn measure(
    system: &System,
    query: &Query,
    options: PctlOptions,
    run: &mut Run,
    cx: &Context,
) -> Result<ValueEvidence, Reason> {
    let (asked, pick) = query.parted();
    let (turned, greatest) = match asked {
        Query::Greatest(paths) => (paths.without_globally().1, true),
        Query::Least(paths) => (paths.without_globally().1, false),
        Query::Reward { greatest, .. } => (false, *greatest),
        Query::Holds(_) | Query::Over(..) => {
            let why = "this asks for a verdict and not for a value";
            return Err(Reason::Unsupported(why.to_owned()));
        }
    };
    let normal = asked.as_formula().without_globally();
    known(system, &normal).map_err(Reason::Unsupported)?;
    let whole = Behaviour::of(system, run, cx)?;
    let lpts = whole.lpts();
    let mdp = Mdp::new(lpts, cx)?;
    let mut evaluation = Evaluation::new(&mdp, options.effort, cx);
    let (mut lower_bounds, mut upper_bounds) = (Vec::new(), Vec::new());
    let greatest = greatest != turned;
    let lower = evaluation.value(&normal, greatest, false, &mut lower_bounds)?;
    let upper = evaluation.value(&normal, greatest, true, &mut upper_bounds)?;
    let initials = lpts.initials();
    let Interval { lower, upper } = match turned {
        false => over(initials, pick, |s| lower.get(s), |s| upper.get(s)),
        true => {
            std::mem::swap(&mut lower_bounds, &mut upper_bounds);
            over(
                initials,
                pick,
                |s| mirrored(upper.get(s)),
                |s| mirrored(lower.get(s)),
            )
        }
    };
    Ok(ValueEvidence {
        lower,
        lower_bounds,
        upper,
        upper_bounds,
    })
}
