//! Evidence about probabilistic properties, checked with exact arithmetic alone.
//!
//! # Why it is a proof
//!
//! Formulas are [without `G`](StateFormula::without_globally). For each formula a set of states is computed that errs on
//! one known [`Side`] only; negation turns the side around, and so does a bound on probabilities from above. The set of `P ~ b [ φ U ψ ]` is where
//! a checked bound on the probability passes `~ b`.
//!
//! An *upper* bound `x` of an until that one step keeps is no less than the probability within any number of
//! steps, by induction over that number; so no less than their limit. With every choice looked at, this is so under
//! every scheduler, so of the greatest probability; with one, of the scheduler that picks it, so of the least.
//!
//! A *lower* bound `x`: begin where `x > 0` and only the left side is true, and follow the run while that is so. Of every
//! such state a step leads to a lower rank with some probability, and there are finitely many ranks, so the
//! run ends almost surely; until then `x` does not fall on average, so `x` is at most its expectation at the end: at most the
//! probability that the right side is true there.
//!
//! With assumptions: a fold relates each state of a left side to one state of the assumption, and this is a strong
//! simulation that keeps propositions and alphabets. Composition keeps simulation, and simulation keeps
//! [the formulas](StateFormula::preserved) that are accepted here. A finite behaviour is simulated by the
//! system through its execution mapping, so a preserved formula that is false of it is false of the system.

use std::fmt;

use suppose_model::markov::{
    Bound, Counterexample, Dist, Halted, Inductive, Limits, Lpts, PathFormula, Product,
    PropertyCertificate, PropertyCounterexample, Query, Side, State, StateFormula, System,
    ValueEvidence, Weight, Weights, Whole, compose,
};
use suppose_number::{Int, Rat};

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

/// Asked with the number of states so far, and now and then during long loops; false stops the check.
type GoOn<'a> = &'a mut dyn FnMut(usize) -> bool;

/// Does the certificate show that the formula is true in the initial state of the system?
pub fn certificate(
    system: &System,
    formula: &StateFormula,
    evidence: &PropertyCertificate,
    limits: &Limits,
    go_on: GoOn<'_>,
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
        let whole = explored(&parts, limits, go_on)?;
        check_fold(&whole.lpts, &assumptions[at], fold, &known)?;
    }
    let parts = left(0);
    one_owner(&parts, &known)?;
    let whole = explored(&parts, limits, go_on)?;
    all_known(&whole.lpts, &known)?;
    let formula = formula.without_globally();
    let mut check = Evaluation::new(&whole.lpts, Source::Evidence(&evidence.bounds), go_on);
    let truth = check.states(&formula, Side::Inside)?;
    check.finish()?;
    require(
        truth[whole.lpts.initial() as usize],
        "the bounds do not show the property",
    )
}

/// Does the evidence show that the formula is false in the initial state of the system?
pub fn counterexample(
    system: &System,
    formula: &StateFormula,
    evidence: &PropertyCounterexample,
    limits: &Limits,
    go_on: GoOn<'_>,
) -> Result<(), Flaw> {
    let parts = system.parts();
    let known = formula.propositions();
    one_owner(&parts, &known)?;
    let normal = formula.without_globally();
    let refuted = match evidence {
        PropertyCounterexample::Bounds(bounds) => {
            let whole = explored(&parts, limits, go_on)?;
            all_known(&whole.lpts, &known)?;
            let mut check = Evaluation::new(&whole.lpts, Source::Evidence(bounds), go_on);
            let truth = check.states(&normal, Side::Outside)?;
            check.finish()?;
            !truth[whole.lpts.initial() as usize]
        }
        PropertyCounterexample::Tree(tree) => {
            if let Err(why) = formula.preserved() {
                return wrong(why);
            }
            let product = Product::new(&parts);
            check_tree(&product, tree)?;
            let shape = tree_with_truth(&parts, tree, &known)?;
            let mut check = Evaluation::new(&shape, Source::Acyclic, go_on);
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
    limits: &Limits,
    go_on: GoOn<'_>,
) -> Result<(), Flaw> {
    let (paths, mut greatest) = match query {
        Query::Greatest(paths) => (paths, true),
        Query::Least(paths) => (paths, false),
        Query::Holds(_) => return wrong("a probability was not asked for"),
    };
    let (paths, mirrored) = paths.without_globally();
    let mut lower = (evidence.lower.clone(), &evidence.lower_bounds);
    let mut upper = (evidence.upper.clone(), &evidence.upper_bounds);
    if mirrored {
        greatest = !greatest;
        (lower, upper) = (
            (&Rat::ONE - &upper.0, upper.1),
            (&Rat::ONE - &lower.0, lower.1),
        );
    }
    let parts = system.parts();
    let as_formula = StateFormula::Probability {
        comparison: suppose_model::markov::Comparison::AtMost,
        bound: Rat::ZERO,
        paths: Box::new(paths.clone()),
    };
    let known = as_formula.propositions();
    one_owner(&parts, &known)?;
    let whole = explored(&parts, limits, go_on)?;
    all_known(&whole.lpts, &known)?;
    for (is_upper, (claim, bounds)) in [(false, lower), (true, upper)] {
        let mut check = Evaluation::new(&whole.lpts, Source::Evidence(bounds), go_on);
        let aim = Aim { greatest, is_upper };
        let values = check.paths(&paths, aim)?;
        check.finish()?;
        let shown = &values[whole.lpts.initial() as usize];
        let enough = match is_upper {
            true => *shown <= claim,
            false => *shown >= claim,
        };
        require(enough, "the bounds do not show the probability")?;
    }
    Ok(())
}

fn explored(parts: &[&Lpts], limits: &Limits, go_on: GoOn<'_>) -> Result<Whole, Flaw> {
    compose("whole", parts, limits, go_on).map_err(Flaw::Halted)
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
    let mut image = suppose_model::markov::Distributions::new();
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
            let same = |c: &suppose_model::markov::Choice| assumption.dist(c.dist) == image.get(id);
            require(
                assumption.choices_on(to, choice.label).iter().any(same),
                "an assumption lacks a choice of what it stands for",
            )?;
        }
    }
    Ok(())
}

/// Is every choice of every node one of the system in the state the node stands for?
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
    require(
        *tree.states[0] == *product.initial(),
        "a tree does not begin in the initial state",
    )?;
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
    let mut builder = suppose_model::markov::LptsBuilder::new("tree");
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

#[derive(Clone, Copy)]
enum Source<'a> {
    /// Bounds are given; the number of the next one is kept beside.
    Evidence(&'a [Bound]),
    /// None are needed: branches lead to higher numbers only.
    Acyclic,
}

/// Which number a bound is about, and from which side.
#[derive(Clone, Copy)]
struct Aim {
    greatest: bool,
    is_upper: bool,
}

impl Aim {
    /// Must all choices of a state obey?
    fn every_choice(self) -> bool {
        self.greatest == self.is_upper
    }
}

struct Until<'a> {
    left: &'a [bool],
    right: &'a [bool],
    steps: Option<u64>,
}

impl Until<'_> {
    /// Is the probability not settled in that state by the state alone?
    fn open(&self, state: State) -> bool {
        self.left[state as usize] && !self.right[state as usize]
    }
}

struct Evaluation<'a, 'g> {
    lpts: &'a Lpts,
    source: Source<'a>,
    next: usize,
    go_on: GoOn<'g>,
}

impl<'a, 'g> Evaluation<'a, 'g> {
    fn new(lpts: &'a Lpts, source: Source<'a>, go_on: &'g mut dyn FnMut(usize) -> bool) -> Self {
        Evaluation {
            lpts,
            source,
            next: 0,
            go_on,
        }
    }

    fn finish(&self) -> Result<(), Flaw> {
        match self.source {
            Source::Evidence(bounds) => require(
                self.next == bounds.len(),
                "there are more bounds than needed",
            ),
            Source::Acyclic => Ok(()),
        }
    }

    fn all(&self) -> std::ops::Range<State> {
        0..self.lpts.states() as State
    }

    fn alive(&mut self) -> Result<(), Flaw> {
        match (self.go_on)(self.lpts.states()) {
            true => Ok(()),
            false => Err(Flaw::Halted(Halted::Stopped)),
        }
    }

    /// The states that satisfy a formula, erring on that side only.
    fn states(&mut self, formula: &StateFormula, side: Side) -> Result<Vec<bool>, Flaw> {
        Ok(match formula {
            StateFormula::True => vec![true; self.lpts.states()],
            StateFormula::False => vec![false; self.lpts.states()],
            StateFormula::Proposition(number) => {
                let truth = |s| self.lpts.satisfies(s, *number) == Some(true);
                self.all().map(truth).collect()
            }
            StateFormula::Deadlock => {
                let stuck = |s| self.lpts.choices(s).is_empty();
                self.all().map(stuck).collect()
            }
            StateFormula::Not(of) => {
                let of = self.states(of, side.flipped())?;
                of.into_iter().map(|truth| !truth).collect()
            }
            StateFormula::And(parts) => {
                let mut all = vec![true; self.lpts.states()];
                for part in parts {
                    let part = self.states(part, side)?;
                    all.iter_mut().zip(part).for_each(|(a, p)| *a &= p);
                }
                all
            }
            StateFormula::Or(parts) => {
                let mut any = vec![false; self.lpts.states()];
                for part in parts {
                    let part = self.states(part, side)?;
                    any.iter_mut().zip(part).for_each(|(a, p)| *a |= p);
                }
                any
            }
            StateFormula::Probability {
                comparison,
                bound,
                paths,
            } => {
                let greatest = comparison.is_upper();
                let is_upper = greatest == (side == Side::Inside);
                let values = self.paths(paths, Aim { greatest, is_upper })?;
                values.iter().map(|v| comparison.allows(v, bound)).collect()
            }
        })
    }

    /// A bound on the probability of paths in every state.
    fn paths(&mut self, paths: &PathFormula, aim: Aim) -> Result<Vec<Rat>, Flaw> {
        // All path formulas are monotone, so the arguments err in the same direction as the bound.
        let side = match aim.is_upper {
            true => Side::Outside,
            false => Side::Inside,
        };
        match paths {
            PathFormula::Next(of) => {
                let truth = self.states(of, side)?;
                let number = |t: bool| if t { Rat::ONE } else { Rat::ZERO };
                let values: Vec<Rat> = truth.iter().map(|t| number(*t)).collect();
                let best = |s| self.best(s, &values, aim.greatest);
                Ok(self.all().map(best).collect())
            }
            PathFormula::Until { left, right, steps } => {
                let left = self.states(left, side)?;
                let right = self.states(right, side)?;
                let until = Until {
                    left: &left,
                    right: &right,
                    steps: *steps,
                };
                match self.source {
                    Source::Acyclic => self.acyclic(&until, aim),
                    Source::Evidence(bounds) => {
                        let Some(bound) = bounds.get(self.next) else {
                            return wrong("a bound is missing");
                        };
                        self.next += 1;
                        self.bound(&until, aim, bound)
                    }
                }
            }
            PathFormula::Globally { .. } => wrong("the formula is not in normal form"),
        }
    }

    /// The greatest or least expectation over the choices of a state, which stays if it has none.
    fn best(&self, state: State, values: &[Rat], greatest: bool) -> Rat {
        let choices = self.lpts.choices(state).iter();
        let all = choices.map(|c| expected(self.lpts.dist(c.dist), values));
        let best = match greatest {
            true => all.max(),
            false => all.min(),
        };
        best.unwrap_or_else(|| values[state as usize].clone())
    }

    fn acyclic(&mut self, until: &Until<'_>, aim: Aim) -> Result<Vec<Rat>, Flaw> {
        let mut depth = vec![0u64; self.lpts.states()];
        for state in self.all().rev() {
            let choices = self.lpts.choices(state).iter();
            let targets = choices.flat_map(|c| self.lpts.dist(c.dist).targets());
            let below = targets.map(|t| depth[*t as usize] + 1).max();
            depth[state as usize] = below.unwrap_or(0);
        }
        let longest = depth.iter().copied().max().unwrap_or(0);
        if let Some(steps) = until.steps.filter(|steps| *steps < longest) {
            return self.exact_steps(until, aim, steps);
        }
        let mut values = vec![Rat::ZERO; self.lpts.states()];
        for state in self.all().rev() {
            self.alive()?;
            if until.right[state as usize] {
                values[state as usize] = Rat::ONE;
            } else if until.left[state as usize] {
                values[state as usize] = self.best(state, &values, aim.greatest);
            }
        }
        Ok(values)
    }

    fn bound(&mut self, until: &Until<'_>, aim: Aim, bound: &Bound) -> Result<Vec<Rat>, Flaw> {
        match bound {
            Bound::Steps { steps, bits } => {
                let covers = match (aim.is_upper, until.steps) {
                    (true, Some(asked)) => *steps >= asked,
                    (true, None) => false,
                    (false, Some(asked)) => *steps <= asked,
                    (false, None) => true,
                };
                require(covers, "a bound is about another number of steps")?;
                match bits {
                    None => self.exact_steps(until, aim, *steps),
                    Some(bits) => self.rounded_steps(until, aim, *steps, *bits),
                }
            }
            Bound::Inductive(given) => {
                require(
                    aim.is_upper || until.steps.is_none(),
                    "a lower bound for ever says nothing about so many steps",
                )?;
                self.inductive(until, aim, given)?;
                Ok(given.values.clone())
            }
        }
    }

    fn exact_steps(&mut self, until: &Until<'_>, aim: Aim, steps: u64) -> Result<Vec<Rat>, Flaw> {
        let start = |s: &bool| if *s { Rat::ONE } else { Rat::ZERO };
        let mut values: Vec<Rat> = until.right.iter().map(start).collect();
        for _ in 0..steps {
            let mut next = values.clone();
            for state in self.all().filter(|s| until.open(*s)) {
                self.alive()?;
                next[state as usize] = self.best(state, &values, aim.greatest);
            }
            // From a fixed point on all steps are the same.
            if next == values {
                break;
            }
            values = next;
        }
        Ok(values)
    }

    /// In units of `2^-bits`, rounded towards the side of the bound.
    fn rounded_steps(
        &mut self,
        until: &Until<'_>,
        aim: Aim,
        steps: u64,
        bits: u32,
    ) -> Result<Vec<Rat>, Flaw> {
        require(bits <= 62, "a bound has too many binary digits")?;
        let one = 1u64 << bits;
        let start = |s: &bool| if *s { one } else { 0 };
        let mut values: Vec<u64> = until.right.iter().map(start).collect();
        for _ in 0..steps {
            let mut next = values.clone();
            for state in self.all().filter(|s| until.open(*s)) {
                self.alive()?;
                let choices = self.lpts.choices(state).iter();
                let all = choices.map(|c| rounded(self.lpts.dist(c.dist), &values, aim.is_upper));
                let best = match aim.greatest {
                    true => all.max(),
                    false => all.min(),
                };
                next[state as usize] = best.unwrap_or(values[state as usize]);
            }
            if next == values {
                break;
            }
            values = next;
        }
        let scale = Int::from(one);
        let number = |v: u64| Rat::new(Int::from(v), scale.clone());
        Ok(values.into_iter().map(number).collect())
    }

    fn inductive(&mut self, until: &Until<'_>, aim: Aim, given: &Inductive) -> Result<(), Flaw> {
        let states = self.lpts.states();
        let needed = |wanted: bool| if wanted { states } else { 0 };
        require(
            given.values.len() == states
                && given.ranks.len() == needed(!aim.is_upper)
                && given.scheduler.len() == needed(!aim.every_choice()),
            "a bound does not fit the states",
        )?;
        for state in self.all() {
            self.alive()?;
            let value = &given.values[state as usize];
            let fine = if !until.open(state) {
                let truth = match until.right[state as usize] {
                    true => Rat::ONE,
                    false => Rat::ZERO,
                };
                match aim.is_upper {
                    true => *value >= truth,
                    false => *value <= truth,
                }
            } else if aim.is_upper {
                !value.is_negative() && self.kept(state, given, aim, until)
            } else {
                !value.is_positive() || self.kept(state, given, aim, until)
            };
            require(fine, "a bound is not kept by a step")?;
        }
        Ok(())
    }

    fn kept(&self, state: State, given: &Inductive, aim: Aim, until: &Until<'_>) -> bool {
        let choices = self.lpts.choices(state);
        if choices.is_empty() {
            // It stays: fine from above, never an end from below.
            return aim.is_upper;
        }
        let looked_at = match given.scheduler.get(state as usize) {
            None => choices,
            Some(one) => match choices.get(*one as usize..).and_then(|c| c.get(..1)) {
                None => return false,
                Some(one) => one,
            },
        };
        let value = &given.values[state as usize];
        looked_at.iter().all(|choice| {
            let dist = self.lpts.dist(choice.dist);
            let next = expected(dist, &given.values);
            if aim.is_upper {
                return *value >= next;
            }
            let lower = |target: &State| {
                !until.open(*target)
                    || !given.values[*target as usize].is_positive()
                    || given.ranks[*target as usize] < given.ranks[state as usize]
            };
            *value <= next && dist.targets().iter().any(lower)
        })
    }
}

fn expected(dist: Dist<'_>, values: &[Rat]) -> Rat {
    let mut sum = Rat::ZERO;
    for (at, target) in dist.targets().iter().enumerate() {
        sum.add_product(&Rat::from(dist.weight(at)), &values[*target as usize]);
    }
    &sum / &Rat::from(dist.total())
}

fn rounded(dist: Dist<'_>, values: &[u64], up: bool) -> u64 {
    let targets = dist.targets().iter().map(|t| values[*t as usize]);
    if let Weights::Small(weights) = dist.weights() {
        // The weights add up to less than 2^64 and the values are at most 2^62.
        let pairs = targets.zip(weights);
        let sum: u128 = pairs.map(|(v, w)| u128::from(v) * u128::from(*w)).sum();
        let total: u128 = weights.iter().map(|w| u128::from(*w)).sum();
        let mean = if up { sum.div_ceil(total) } else { sum / total };
        return mean as u64;
    }
    let pairs = targets.enumerate();
    let sum = pairs.fold(Int::ZERO, |sum, (at, v)| {
        &sum + &(&Int::from(v) * &dist.weight(at))
    });
    let total = dist.total();
    let mean = match up {
        true => sum.div_ceil(&total),
        false => sum.div_floor(&total).0,
    };
    // A mean of numbers that fit.
    mean.to_i64().map_or(0, |m| m as u64)
}
