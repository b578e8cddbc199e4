//! Evidence about probabilistic properties, checked with exact arithmetic alone.
//!
//! # Why it is a proof
//!
//! Formulas are [without `G`](StateFormula::without_globally). For each formula a set of states is computed that errs on
//! one known [`Side`] only; negation turns the side around, and so does a bound on probabilities from above. The set of `P ~ b [ φ U ψ ]` is where
//! a checked bound on the probability passes `~ b`.
//!
//! An *upper* bound `x` of an until that one step keeps is no less than the probability within any number of
//! steps, by induction over that number; so no less than their limit. With every choice examined, this is so under
//! every scheduler, so of the greatest probability; with one, of the scheduler that picks it, so of the least.
//!
//! A *lower* bound `x`: begin where `x > 0` and only the left side is true, and follow the run while that is so. Of every
//! such state a step leads to a lower rank with some probability, and there are finitely many ranks, so the
//! run ends almost surely; until then `x` does not fall on average, so `x` is at most its expectation at the end: at most the
//! probability that the right side is true there.
//!
//! An until that counts only after some steps is an until that counts at once, with this many steps before it in which only the left side is needed.
//!
//! # Rewards
//!
//! Rewards are not negative. Let `x` be amounts that one step keeps, `T` the time when the goal is reached, and the reward infinite where `T` may be.
//!
//! *Upper, of the greatest reward:* by induction `x` is at least the reward of any number of steps under every scheduler, so at least all of it; and from finite
//! amounts every choice leads to finite ones, one of which is the goal or has a lower rank, so the goal is reached almost surely. *Of the least:* the
//! same for the one scheduler. *Lower, of the greatest:* under the one scheduler the states whose amount is above 0 are left almost surely, by the ranks; until then `x` less what was earned
//! does not rise on average, and where they are left `x` is at most 0, so `x` is at most the expected reward, of that scheduler or of one that continues to
//! the goal if it can. *Of the least:* a scheduler that does not reach the goal almost surely has an infinite reward; of one that does, `x` is bounded, so stopping at `T` gives that `x` is at most the
//! expected reward.
//!
//! Infinite, *of the greatest:* from rank 0 the scheduler never reaches the goal, and from any other rank it comes to a lower one with some probability.
//! *Of the least,* by induction over ranks: while a scheduler picks choices that keep to states of the same or lower rank it never reaches the goal, and the first other choice leads, with some
//! probability, to a state of lower rank, from where the goal is not reached almost surely.
//!
//! # Several initial states
//!
//! Of a system of one component. True means in all of them.
//!
//! With assumptions: a fold relates each state of a left side to one state of the assumption, and this is a strong
//! simulation that keeps propositions and alphabets. Composition keeps simulation, and simulation keeps
//! [the formulas](StateFormula::preserved) that are accepted here. A finite behaviour is simulated by the
//! system through its execution mapping, so a preserved formula that is false of it is false of the system.

mod evaluation;
mod inductive;
mod steps;

use std::fmt;

use suppose_control::Context;
use suppose_model::mdp::{
    Amount, Counterexample, Halted, Lpts, Over, Product, PropertyCertificate,
    PropertyCounterexample, Query, Side, SizeLimits, State, StateFormula, System, ValueEvidence,
    Weight, Whole, compose,
};
use suppose_number::{Int, Rat};

use evaluation::{Aim, Evaluation, Source};

/// What is wrong with evidence about a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The product was not explored.
    Halted(Halted),
    /// What is wrong, in words.
    Wrong(String),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Halted(why) => why.fmt(f),
            Flaw::Wrong(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Flaw {}

fn wrong<T>(what: impl Into<String>) -> Result<T, Flaw> {
    Err(Flaw::Wrong(what.into()))
}

fn require(condition: bool, what: &str) -> Result<(), Flaw> {
    match condition {
        true => Ok(()),
        false => wrong(what),
    }
}

/// Does the certificate show that the formula is true in the initial state of the system?
pub fn certificate(
    system: &System,
    formula: &StateFormula,
    evidence: &PropertyCertificate,
    limits: &SizeLimits,
    cx: &Context,
) -> Result<(), Flaw> {
    let groups = &evidence.groups;
    let mut members: Vec<usize> = groups.iter().flatten().copied().collect();
    members.sort_unstable();
    require(
        members.iter().copied().eq(0..system.components.len()),
        "the groups are not the components, each once",
    )?;
    require(!groups.is_empty(), "there is no group")?;
    let assumptions = &evidence.assumptions;
    let expected = groups.len() - 1;
    require(
        assumptions.len() == expected && evidence.folds.len() == expected,
        "there must be one assumption and one fold less than groups",
    )?;
    if !assumptions.is_empty()
        && let Err(why) = formula.preserved()
    {
        return wrong(why);
    }
    let known = formula.propositions();
    let left = |premise: usize| -> Vec<&Lpts> {
        let own = groups[premise].iter().map(|c| &system.components[*c].lpts);
        own.chain(assumptions.get(premise)).collect()
    };
    for (at, fold) in evidence.folds.iter().enumerate() {
        let parts = left(at + 1);
        one_owner(&parts, &known)?;
        let whole = composed(&parts, limits, cx)?;
        check_fold(whole.lpts(), &assumptions[at], fold, &known)?;
    }
    let parts = left(0);
    one_owner(&parts, &known)?;
    let whole = explored(&parts, limits, cx)?;
    let lpts = whole.lpts();
    all_known(lpts, &known)?;
    let formula = formula.without_globally();
    let mut check = Evaluation::new(lpts, Source::Evidence(&evidence.bounds), cx);
    let truth = check.states(&formula, Side::Inside)?;
    check.finish()?;
    let mut initial = lpts.initials().iter();
    require(
        initial.all(|state| truth[*state as usize]),
        "the bounds do not show the property",
    )
}

/// Does the evidence show that the formula is false in the initial state of the system?
pub fn counterexample(
    system: &System,
    formula: &StateFormula,
    evidence: &PropertyCounterexample,
    limits: &SizeLimits,
    cx: &Context,
) -> Result<(), Flaw> {
    let parts = system.parts();
    let known = formula.propositions();
    one_owner(&parts, &known)?;
    let normal = formula.without_globally();
    let refuted = match evidence {
        PropertyCounterexample::Bounds(bounds) => {
            let whole = explored(&parts, limits, cx)?;
            let lpts = whole.lpts();
            all_known(lpts, &known)?;
            let mut check = Evaluation::new(lpts, Source::Evidence(bounds), cx);
            let truth = check.states(&normal, Side::Outside)?;
            check.finish()?;
            let mut initial = lpts.initials().iter();
            initial.any(|state| !truth[*state as usize])
        }
        PropertyCounterexample::Tree(tree) => {
            if let Err(why) = formula.preserved() {
                return wrong(why);
            }
            let product = Product::new(&parts);
            check_tree(&product, tree)?;
            let shape = tree_with_truth(&parts, tree, &known)?;
            let mut check = Evaluation::new(&shape, Source::Acyclic, cx);
            !check.states(&normal, Side::Outside)?[0]
        }
    };
    require(refuted, "the evidence does not refute the property")
}

/// Does the evidence show that the probability asked for is between its two numbers?
pub fn value(
    system: &System,
    query: &Query,
    evidence: &ValueEvidence,
    limits: &SizeLimits,
    cx: &Context,
) -> Result<(), Flaw> {
    let (asked, over) = query.parted();
    let normal = asked.as_formula().without_globally();
    let (claim, greatest) = match asked {
        Query::Greatest(paths) => (paths.without_globally().1, true),
        Query::Least(paths) => (paths.without_globally().1, false),
        Query::Reward { greatest, .. } => (false, *greatest),
        Query::Holds(_) | Query::Over(..) => return wrong("a value was not asked for"),
    };
    let mirrored = claim;
    let greatest = greatest != mirrored;
    let parts = system.parts();
    let known = normal.propositions();
    one_owner(&parts, &known)?;
    let whole = explored(&parts, limits, cx)?;
    let lpts = whole.lpts();
    all_known(lpts, &known)?;
    let mut shown: Vec<Vec<Amount>> = Vec::new();
    let (mut low, mut high) = (&evidence.lower_bounds, &evidence.upper_bounds);
    if mirrored {
        (low, high) = (high, low);
    }
    for (is_upper, bounds) in [(false, low), (true, high)] {
        let mut check = Evaluation::new(lpts, Source::Evidence(bounds), cx);
        let amounts = check.value(&normal, Aim { greatest, is_upper })?;
        check.finish()?;
        let initial = lpts.initials().iter();
        shown.push(initial.map(|s| amounts.get(*s as usize)).collect());
    }
    let (Some(mut upper), Some(mut lower)) = (shown.pop(), shown.pop()) else {
        return wrong("there is no initial state");
    };
    if mirrored {
        let rest = |all: Vec<Amount>| -> Vec<Amount> { all.iter().map(complement).collect() };
        (lower, upper) = (rest(upper), rest(lower));
    }
    // The greatest or the least over all initial states; without either, all of them.
    let least = |all: Vec<Amount>| all.into_iter().min();
    let most = |all: Vec<Amount>| all.into_iter().max();
    let (lower, upper) = match over {
        None => (least(lower), most(upper)),
        Some(Over::Greatest) => (most(lower), most(upper)),
        Some(Over::Least) => (least(lower), least(upper)),
    };
    require(
        lower.is_some_and(|shown| shown >= evidence.lower)
            && upper.is_some_and(|shown| shown <= evidence.upper),
        "the bounds do not show the value",
    )
}

fn complement(amount: &Amount) -> Amount {
    match amount {
        Amount::Finite(number) => Amount::Finite(&Rat::ONE - number),
        Amount::Infinite => Amount::Infinite,
    }
}

/// The behaviour that evidence is about.
enum Explored<'a> {
    /// Of one part, as it is.
    One(&'a Lpts),
    Built(Box<Whole>),
}

impl Explored<'_> {
    fn lpts(&self) -> &Lpts {
        match self {
            Explored::One(lpts) => lpts,
            Explored::Built(whole) => &whole.lpts,
        }
    }
}

fn explored<'a>(
    parts: &[&'a Lpts],
    limits: &SizeLimits,
    cx: &Context,
) -> Result<Explored<'a>, Flaw> {
    if let [only] = parts {
        return Ok(Explored::One(only));
    }
    composed(parts, limits, cx)
}

/// In the order of a product, also of one part.
fn composed<'a>(
    parts: &[&'a Lpts],
    limits: &SizeLimits,
    cx: &Context,
) -> Result<Explored<'a>, Flaw> {
    require(
        parts.iter().all(|part| part.initials().len() == 1),
        "a component has several initial states",
    )?;
    let whole = compose("whole", parts, limits, &mut |_| cx.check()).map_err(Flaw::Halted)?;
    Ok(Explored::Built(Box::new(whole)))
}

/// A proposition that two parts know would be whatever the last says.
fn one_owner(parts: &[&Lpts], known: &[u32]) -> Result<(), Flaw> {
    let owners = |number: &u32| {
        let knows = |part: &&&Lpts| part.propositions().iter().any(|p| p.0 == *number);
        parts.iter().filter(knows).count()
    };
    require(
        known.iter().all(|number| owners(number) <= 1),
        "a proposition has two owners",
    )
}

fn all_known(lpts: &Lpts, known: &[u32]) -> Result<(), Flaw> {
    let knows = |number: &u32| lpts.satisfies(lpts.initial(), *number).is_some();
    require(known.iter().all(knows), "a proposition is not defined")
}

/// Does the assumption simulate the left side, each state by the one that the fold gives?
fn check_fold(left: &Lpts, assumption: &Lpts, fold: &[State], known: &[u32]) -> Result<(), Flaw> {
    require(
        left.initials().len() == 1,
        "a component has several initial states",
    )?;
    require(
        left.alphabet() == assumption.alphabet(),
        "an assumption has another alphabet than what it stands for",
    )?;
    require(
        fold.len() == left.states() && fold.iter().all(|s| (*s as usize) < assumption.states()),
        "a fold does not fit",
    )?;
    require(
        fold[left.initial() as usize] == assumption.initial(),
        "a fold does not begin with the initial state",
    )?;
    let mut image = suppose_model::mdp::Distributions::new();
    for state in 0..left.states() as State {
        let to = fold[state as usize];
        for number in known {
            require(
                left.satisfies(state, *number) == assumption.satisfies(to, *number),
                "a fold does not keep a proposition",
            )?;
        }
        for choice in left.choices(state) {
            let dist = left.dist(choice.dist);
            let branches = dist.targets().iter().enumerate();
            let mut parts = branches
                .map(|(at, s)| (fold[*s as usize], dist.weight(at)))
                .collect();
            let Some(id) = image.insert_ints(&mut parts) else {
                return wrong("an empty distribution");
            };
            let same = |c: &suppose_model::mdp::Choice| assumption.dist(c.dist) == image.get(id);
            require(
                assumption.choices_on(to, choice.label).iter().any(same),
                "an assumption lacks a choice of what it stands for",
            )?;
        }
    }
    Ok(())
}

/// Is every choice of every node one of the system in the state the node represents?
fn check_tree(product: &Product<'_>, tree: &Counterexample) -> Result<(), Flaw> {
    let shape = &tree.tree;
    let parts = product.parts();
    require(
        tree.states.len() == shape.states() && shape.initial() == 0,
        "a tree does not fit its states",
    )?;
    let fits = |vector: &[State]| {
        vector.len() == parts.len()
            && vector
                .iter()
                .zip(parts)
                .all(|(s, p)| (*s as usize) < p.states())
    };
    require(
        tree.states.iter().all(|vector| fits(vector)),
        "a node stands for no state",
    )?;
    let one = match parts {
        [only] => only.initials().iter().any(|s| tree.states[0][..] == [*s]),
        _ => *tree.states[0] == *product.initial(),
    };
    require(one, "a tree does not begin in an initial state")?;
    for node in 0..shape.states() as State {
        let here = &tree.states[node as usize];
        for choice in shape.choices(node) {
            let dist = shape.dist(choice.dist);
            require(
                dist.targets().iter().all(|t| *t > node),
                "a tree is not ordered from its root",
            )?;
            let branches = dist.probabilities();
            let claimed = gathered(branches.map(|(t, p)| (tree.states[t as usize].clone(), p)));
            let mut found = false;
            product.choices(here, |label, moves| {
                if label == choice.label && !found {
                    let mut real = Vec::new();
                    product.branches(here, moves, |next, weight| {
                        let weight = match weight {
                            Weight::Small(w) => Rat::from(Int::from(w)),
                            Weight::Big(w) => Rat::from(w),
                        };
                        real.push((next.into(), weight));
                    });
                    found = gathered(real.into_iter()) == claimed;
                }
            });
            require(found, "a tree has a choice that the system does not have")?;
        }
    }
    Ok(())
}

/// Probabilities by state: sorted, added up, and divided by their sum.
fn gathered(parts: impl Iterator<Item = (Box<[State]>, Rat)>) -> Vec<(Box<[State]>, Rat)> {
    let mut parts: Vec<(Box<[State]>, Rat)> = parts.collect();
    parts.sort_by(|a, b| a.0.cmp(&b.0));
    parts.dedup_by(|later, first| {
        let same = later.0 == first.0;
        if same {
            first.1 += &later.1;
        }
        same
    });
    let sum = parts.iter().fold(Rat::ZERO, |sum, (_, p)| &sum + p);
    if sum.is_positive() {
        parts.iter_mut().for_each(|(_, p)| *p = &*p / &sum);
    }
    parts
}

/// The tree with the truth of propositions that its states give, whatever it said itself.
fn tree_with_truth(parts: &[&Lpts], tree: &Counterexample, known: &[u32]) -> Result<Lpts, Flaw> {
    let shape = &tree.tree;
    let mut builder = suppose_model::mdp::LptsBuilder::new("tree");
    builder.states(shape.states());
    for node in 0..shape.states() as State {
        for choice in shape.choices(node) {
            let dist = builder.store().insert(shape.dist(choice.dist));
            builder.choice_of(node, choice.label, dist);
        }
    }
    for number in known {
        let owner = parts
            .iter()
            .position(|p| p.satisfies(p.initial(), *number).is_some());
        let Some(owner) = owner else {
            return wrong("a proposition is not defined");
        };
        let holds =
            |node: &usize| parts[owner].satisfies(tree.states[*node][owner], *number) == Some(true);
        let truth = (0..shape.states()).filter(holds).collect();
        builder.proposition(*number, truth);
    }
    Ok(builder.build())
}
