//! Questions in probabilistic branching-time logic.
//!
//! Labels do not matter here: a scheduler picks one of the choices of a state, and a state without
//! choices stays as it is forever (as if it had a choice that leads back for certain, which is also what Storm and PRISM add).

use std::fmt;

use suppose_number::Rat;

use super::numbers::Amount;
use super::system::System;

/// How a probability is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<=`
    AtMost,
    /// `<`
    Below,
    /// `>=`
    AtLeast,
    /// `>`
    Above,
}

impl Comparison {
    /// Is a value so bounded?
    pub fn allows(self, value: &Rat, bound: &Rat) -> bool {
        match self {
            Comparison::AtMost => value <= bound,
            Comparison::Below => value < bound,
            Comparison::AtLeast => value >= bound,
            Comparison::Above => value > bound,
        }
    }

    /// Is an amount so bounded?
    pub fn allows_amount(self, value: &Amount, bound: &Rat) -> bool {
        match value {
            Amount::Finite(value) => self.allows(value, bound),
            Amount::Infinite => !self.is_upper(),
        }
    }

    /// From above? Then the greatest probability decides, else the least.
    pub fn is_upper(self) -> bool {
        matches!(self, Comparison::AtMost | Comparison::Below)
    }

    /// The one that says of `1 - x` what this says of `x`.
    pub fn mirrored(self) -> Comparison {
        match self {
            Comparison::AtMost => Comparison::AtLeast,
            Comparison::Below => Comparison::Above,
            Comparison::AtLeast => Comparison::AtMost,
            Comparison::Above => Comparison::Below,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Comparison::AtMost => "<=",
            Comparison::Below => "<",
            Comparison::AtLeast => ">=",
            Comparison::Above => ">",
        }
    }
}

/// True or false in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateFormula {
    /// True in every state.
    True,
    /// False in every state.
    False,
    /// A proposition of the system, by number.
    Proposition(u32),
    /// No choice is enabled in the whole system.
    Deadlock,
    /// Negation.
    Not(Box<StateFormula>),
    /// Conjunction.
    And(Vec<StateFormula>),
    /// Disjunction.
    Or(Vec<StateFormula>),
    /// Under every scheduler the probability of the paths is so bounded.
    Probability {
        /// The comparison of the probability or reward with the bound.
        comparison: Comparison,
        /// The bound.
        bound: Rat,
        /// The path formula.
        paths: Box<PathFormula>,
    },
    /// Under every scheduler the expected reward is so bounded.
    Reward {
        /// The comparison of the probability or reward with the bound.
        comparison: Comparison,
        /// The bound.
        bound: Rat,
        /// The reward structure of the system, by number.
        structure: u32,
        /// The paths along which the reward is added up.
        paths: Box<RewardPaths>,
    },
}

/// What is added up along a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RewardPaths {
    /// All rewards until the formula comes true; infinite if with some probability it never does. The state where it
    /// comes true counts no more.
    Until(StateFormula),
    /// All rewards of this many steps.
    Within(u64),
    /// The reward of the state after this many steps.
    After(u64),
}

/// When something is to come true: the first and the last step that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Steps {
    /// Not before this many steps.
    pub from: u64,
    /// Within this many steps.
    pub to: Option<u64>,
}

impl Steps {
    /// At any time.
    pub const ANY: Steps = Steps { from: 0, to: None };
}

impl From<Option<u64>> for Steps {
    fn from(to: Option<u64>) -> Self {
        Steps { from: 0, to }
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from, self.to) {
            (0, None) => Ok(()),
            (0, Some(to)) => write!(f, "<={to}"),
            (from, None) => write!(f, ">={from}"),
            (from, Some(to)) if from == to => write!(f, "={to}"),
            (from, Some(to)) => write!(f, "[{from},{to}]"),
        }
    }
}

/// True or false of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathFormula {
    /// In the next state.
    Next(StateFormula),
    /// `right` comes true at a step that counts, and `left` is true until then. `F φ` is `true U φ`.
    Until {
        /// True until then.
        left: StateFormula,
        /// Comes true.
        right: StateFormula,
        /// The step bound.
        steps: Steps,
    },
    /// True in all states of the steps that count.
    Globally {
        /// The formula that holds throughout.
        always: StateFormula,
        /// The step bound.
        steps: Steps,
    },
    /// The paths that are not among these.
    Not(Box<PathFormula>),
}

/// A property, or a value to be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// Is it true in the initial state?
    Holds(StateFormula),
    /// The greatest probability of these paths under any scheduler.
    Greatest(PathFormula),
    /// The least.
    Least(PathFormula),
    /// An expected reward.
    Reward {
        /// The greatest under any scheduler, or the least?
        greatest: bool,
        /// The reward structure of the system, by number.
        structure: u32,
        /// The paths along which the reward is added up.
        paths: RewardPaths,
    },
    /// Of a value in several initial states, the greatest or the least.
    Over(Over, Box<Query>),
}

/// Which of several values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The greatest.
    Greatest,
    /// The least.
    Least,
}

/// A question as the user asked it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name, or its text.
    pub name: String,
    /// The query.
    pub query: Query,
}

/// Which way an approximation of the states that satisfy a formula may err.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Only states that satisfy it; some may be missing.
    Inside,
    /// All states that satisfy it; some that do not may be among them.
    Outside,
}

impl Side {
    /// The other one.
    pub fn flipped(self) -> Side {
        match self {
            Side::Inside => Side::Outside,
            Side::Outside => Side::Inside,
        }
    }

    /// What is needed of the arguments of a path formula to approximate `P ~ b [..]` like this.
    pub fn of_arguments(self, comparison: Comparison) -> Side {
        match comparison.is_upper() {
            true => self.flipped(),
            false => self,
        }
    }
}

impl StateFormula {
    /// The same without `G`: `P <= b [ G φ ]` is `P >= 1 - b [ F !φ ]`, and so on.
    pub fn without_globally(&self) -> StateFormula {
        let all = |parts: &[StateFormula]| parts.iter().map(Self::without_globally).collect();
        match self {
            StateFormula::Not(of) => StateFormula::Not(Box::new(of.without_globally())),
            StateFormula::And(parts) => StateFormula::And(all(parts)),
            StateFormula::Or(parts) => StateFormula::Or(all(parts)),
            StateFormula::Probability {
                comparison,
                bound,
                paths,
            } => {
                let (paths, mirrored) = paths.without_globally();
                let (comparison, bound) = match mirrored {
                    true => (comparison.mirrored(), &Rat::ONE - bound),
                    false => (*comparison, bound.clone()),
                };
                StateFormula::Probability {
                    comparison,
                    bound,
                    paths: Box::new(paths),
                }
            }
            StateFormula::Reward {
                comparison,
                bound,
                structure,
                paths,
            } => StateFormula::Reward {
                comparison: *comparison,
                bound: bound.clone(),
                structure: *structure,
                paths: Box::new(paths.without_globally()),
            },
            simple => simple.clone(),
        }
    }

    /// The propositions in it, ascending.
    pub fn propositions(&self) -> Vec<u32> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    fn collect(&self, found: &mut Vec<u32>) {
        match self {
            StateFormula::True | StateFormula::False | StateFormula::Deadlock => {}
            StateFormula::Proposition(number) => found.push(*number),
            StateFormula::Not(of) => of.collect(found),
            StateFormula::And(parts) | StateFormula::Or(parts) => {
                parts.iter().for_each(|part| part.collect(found));
            }
            StateFormula::Probability { paths, .. } => paths.collect(found),
            StateFormula::Reward { paths, .. } => {
                if let RewardPaths::Until(goal) = &**paths {
                    goal.collect(found);
                }
            }
        }
    }

    /// The reward structures in it.
    pub fn structures(&self, found: &mut Vec<u32>) {
        match self {
            StateFormula::Not(of) => of.structures(found),
            StateFormula::And(parts) | StateFormula::Or(parts) => {
                parts.iter().for_each(|part| part.structures(found));
            }
            StateFormula::Probability { paths, .. } => paths.structures(found),
            StateFormula::Reward {
                structure, paths, ..
            } => {
                found.push(*structure);
                if let RewardPaths::Until(goal) = &**paths {
                    goal.structures(found);
                }
            }
            _ => {}
        }
    }

    /// Is it in the fragment that strong simulation preserves: if it holds of a system, then of all systems simulated by
    /// it? If not, the reason.
    ///
    /// It is the safety fragment of Chadha and Viswanathan (2010), less the next-step operator: a state that stays because
    /// it has no choice is simulated by one that moves on. For the same reason greatest probabilities
    /// of `G` and least probabilities of anything are outside: stopping early can only lower the probability of an until.
    pub fn preserved(&self) -> Result<(), &'static str> {
        self.without_globally().preserved_as(Side::Inside)
    }

    fn preserved_as(&self, side: Side) -> Result<(), &'static str> {
        match self {
            StateFormula::True | StateFormula::False | StateFormula::Proposition(_) => Ok(()),
            StateFormula::Deadlock => Err("an abstraction does not preserve deadlocks"),
            StateFormula::Not(of) => of.preserved_as(side.flipped()),
            StateFormula::And(parts) | StateFormula::Or(parts) => {
                parts.iter().try_for_each(|part| part.preserved_as(side))
            }
            StateFormula::Reward { .. } => Err("rewards are those of the whole system"),
            StateFormula::Probability {
                comparison, paths, ..
            } => {
                if !comparison.is_upper() {
                    return Err(
                        "an abstraction preserves no lower bounds on probabilities, as it may go on where the system stops",
                    );
                }
                if side == Side::Outside {
                    return Err(
                        "a probability bound stands where an abstraction does not preserve it (write it with a negation, or outermost)",
                    );
                }
                match &**paths {
                    PathFormula::Until { steps, .. } if steps.from > 0 => Err(
                        "an abstraction does not preserve what comes true after so many steps, as it may go on where the system stops",
                    ),
                    PathFormula::Until { left, right, .. } => {
                        left.preserved_as(Side::Outside)?;
                        right.preserved_as(Side::Outside)
                    }
                    _ => Err(
                        "an abstraction does not preserve what is true in the next state, as it may go on where the system stops",
                    ),
                }
            }
        }
    }

    /// As text, with the names of the system.
    pub fn display<'a>(&'a self, system: &'a System) -> impl fmt::Display + 'a {
        Shown {
            formula: self,
            system,
        }
    }
}

impl PathFormula {
    /// The paths said without `G`, and whether they are now the complement.
    pub fn without_globally(&self) -> (PathFormula, bool) {
        match self {
            PathFormula::Next(of) => (PathFormula::Next(of.without_globally()), false),
            PathFormula::Until { left, right, steps } => {
                let until = PathFormula::Until {
                    left: left.without_globally(),
                    right: right.without_globally(),
                    steps: *steps,
                };
                (until, false)
            }
            PathFormula::Globally { always, steps } => {
                let until = PathFormula::Until {
                    left: StateFormula::True,
                    right: StateFormula::Not(Box::new(always.without_globally())),
                    steps: *steps,
                };
                (until, true)
            }
            PathFormula::Not(of) => {
                let (paths, mirrored) = of.without_globally();
                (paths, !mirrored)
            }
        }
    }

    fn collect(&self, found: &mut Vec<u32>) {
        match self {
            PathFormula::Next(of) | PathFormula::Globally { always: of, .. } => of.collect(found),
            PathFormula::Until { left, right, .. } => {
                left.collect(found);
                right.collect(found);
            }
            PathFormula::Not(of) => of.collect(found),
        }
    }

    fn structures(&self, found: &mut Vec<u32>) {
        match self {
            PathFormula::Next(of) | PathFormula::Globally { always: of, .. } => {
                of.structures(found);
            }
            PathFormula::Until { left, right, .. } => {
                left.structures(found);
                right.structures(found);
            }
            PathFormula::Not(of) => of.structures(found),
        }
    }
}

impl RewardPaths {
    /// The same without `G`.
    pub fn without_globally(&self) -> RewardPaths {
        match self {
            RewardPaths::Until(goal) => RewardPaths::Until(goal.without_globally()),
            counted => counted.clone(),
        }
    }
}

impl Query {
    /// The formula that says of a value that it is not negative: what it mentions the query mentions.
    pub fn as_formula(&self) -> StateFormula {
        let probability = |paths: &PathFormula| StateFormula::Probability {
            comparison: Comparison::AtLeast,
            bound: Rat::ZERO,
            paths: Box::new(paths.clone()),
        };
        match self {
            Query::Holds(formula) => formula.clone(),
            Query::Greatest(paths) | Query::Least(paths) => probability(paths),
            Query::Reward {
                structure, paths, ..
            } => StateFormula::Reward {
                comparison: Comparison::AtLeast,
                bound: Rat::ZERO,
                structure: *structure,
                paths: Box::new(paths.clone()),
            },
            Query::Over(_, query) => query.as_formula(),
        }
    }

    /// What is asked for in each initial state, and which of these values is meant; none if their range is.
    pub fn parted(&self) -> (&Query, Option<Over>) {
        match self {
            Query::Over(over, query) => (query.parted().0, Some(*over)),
            query => (query, None),
        }
    }
}

struct Shown<'a> {
    formula: &'a StateFormula,
    system: &'a System,
}

impl Shown<'_> {
    fn state(&self, formula: &StateFormula, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match formula {
            StateFormula::True => f.write_str("true"),
            StateFormula::False => f.write_str("false"),
            StateFormula::Deadlock => f.write_str("\"deadlock\""),
            StateFormula::Proposition(number) => {
                match self.system.propositions.get(*number as usize) {
                    Some(known) => f.write_str(&known.name),
                    None => write!(f, "proposition {number}"),
                }
            }
            StateFormula::Not(of) => match **of {
                StateFormula::Probability { .. } => {
                    f.write_str("!(")?;
                    self.state(of, f)?;
                    f.write_str(")")
                }
                _ => {
                    f.write_str("!")?;
                    self.state(of, f)
                }
            },
            StateFormula::And(parts) => self.joined(parts, " & ", "true", f),
            StateFormula::Or(parts) => self.joined(parts, " | ", "false", f),
            StateFormula::Probability {
                comparison,
                bound,
                paths,
            } => {
                write!(f, "P{}{bound} [ ", comparison.text())?;
                self.paths(paths, f)?;
                f.write_str(" ]")
            }
            StateFormula::Reward {
                comparison,
                bound,
                structure,
                paths,
            } => {
                f.write_str("R")?;
                if let Some(name) = self.system.rewards.get(*structure as usize)
                    && !name.is_empty()
                {
                    write!(f, "{{\"{name}\"}}")?;
                }
                write!(f, "{}{bound} [ ", comparison.text())?;
                match &**paths {
                    RewardPaths::Until(goal) => {
                        f.write_str("F ")?;
                        self.state(goal, f)?;
                    }
                    RewardPaths::Within(steps) => write!(f, "C<={steps}")?,
                    RewardPaths::After(steps) => write!(f, "I={steps}")?,
                }
                f.write_str(" ]")
            }
        }
    }

    fn joined(
        &self,
        parts: &[StateFormula],
        between: &str,
        none: &str,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        if parts.is_empty() {
            return f.write_str(none);
        }
        f.write_str("(")?;
        for (place, part) in parts.iter().enumerate() {
            if place > 0 {
                f.write_str(between)?;
            }
            self.state(part, f)?;
        }
        f.write_str(")")
    }

    fn paths(&self, paths: &PathFormula, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = |f: &mut fmt::Formatter<'_>, steps: &Steps| write!(f, "{steps} ");
        match paths {
            PathFormula::Next(of) => {
                f.write_str("X ")?;
                self.state(of, f)
            }
            PathFormula::Globally { always, steps } => {
                f.write_str("G")?;
                within(f, steps)?;
                self.state(always, f)
            }
            PathFormula::Until { left, right, steps } => {
                match left {
                    StateFormula::True => f.write_str("F")?,
                    left => {
                        self.state(left, f)?;
                        f.write_str(" U")?;
                    }
                }
                within(f, steps)?;
                self.state(right, f)
            }
            PathFormula::Not(of) => {
                f.write_str("!(")?;
                self.paths(of, f)?;
                f.write_str(")")
            }
        }
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.state(self.formula, f)
    }
}
