//! Integers: from a rational solution to an integer one.
//!
//! When everything is true of rationals and some integer variable has a fraction, in turn:
//! - *equations* ([`hermite`]): if the equations in force have no integer solution, or their solutions lie in
//!   a lattice that misses the bound of some form, one rounded sum says so. This is what ends parity problems,
//!   which branching alone would search forever;
//! - *cuts* ([`cut`]): a row of the tableau, rounded (Chvátal and Gomory);
//! - *branches*: `x <= k` or not, a new atom that is decided. It needs no axiom.
//!
//! After many steps the variables of a small range are gone through, whatever their values are now: quotients by the size of
//! a machine word have two or three possible values, and with these given the equations decide the rest.
//!
//! All of it is bounded; beyond the bound the answer is unknown.

mod cut;
mod hermite;

use suppose_control::{Context, Stopped};
use suppose_model::chc::{Lin, Terms, Var};
use suppose_number::Int;

use crate::sat::Lit;
use crate::search::Search;
use crate::simplex::Col;

/// What the integers need next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// All integer columns have integer values.
    Done,
    /// The bound on branches and cuts is reached.
    Stuck,
    /// Branch on this literal.
    Branch(Lit),
    /// A cut or a conflict was added.
    Again,
}

/// This many branches and cuts a query.
const LIMIT: u32 = 3_000;
/// This many where it matters more that a question is decided.
pub(crate) const LARGER: [u32; 2] = [20_000, 200_000];
/// The equations are examined each time after this many steps.
const EQUATIONS: u32 = 8;
/// A row is rounded each time after this many steps.
const CUTS: u32 = 3;
/// After this many steps variables of a small range are gone through.
const PATIENCE: u32 = 200;
/// A small range has at most this many values more than one.
const SMALL: i64 = 64;

#[derive(Debug)]
pub(crate) struct State {
    steps: u32,
    pub(crate) limit: u32,
}

impl Default for State {
    fn default() -> Self {
        State {
            steps: 0,
            limit: LIMIT,
        }
    }
}

impl State {
    pub(crate) fn start(&mut self) {
        self.steps = 0;
    }

    pub(crate) fn step(
        &mut self,
        search: &mut Search,
        terms: &mut Terms,
        cx: &Context,
    ) -> Result<Step, Stopped> {
        let Some(col) = fractional(search) else {
            return Ok(Step::Done);
        };
        cx.check()?;
        self.steps += 1;
        if self.steps > self.limit {
            return Ok(Step::Stuck);
        }
        if self.steps % EQUATIONS == 1 && hermite::round_equations(search, terms, cx)? {
            return Ok(Step::Again);
        }
        if self.steps.is_multiple_of(CUTS) && cut::round_row(search, terms, col) {
            return Ok(Step::Again);
        }
        if self.steps > PATIENCE
            && let Some((var, middle)) = smallest_range(search)
        {
            return Ok(Step::Branch(bound(search, terms, var, &middle)));
        }
        let form = search.simplex.form_of(col);
        let var: Var = form[0].0;
        let floor = search.simplex.value(col).floor();
        // Towards 0 first: solutions of small problems lie there, and one sign only would run away.
        let down = !floor.is_negative();
        Ok(Step::Branch(bound(search, terms, var, &floor).signed(down)))
    }
}

/// An integer variable with another value.
fn fractional(search: &Search) -> Option<Col> {
    let simplex = &search.simplex;
    simplex
        .basics()
        .filter(|&col| {
            simplex.is_problem(col) && simplex.is_integral(col) && !simplex.value(col).is_integer()
        })
        .min_by_key(|&col| simplex.value(col).floor().abs())
}

/// The integer variable with the smallest range of values, if that is small and not a single one; and the middle of it.
fn smallest_range(search: &Search) -> Option<(Var, Int)> {
    let simplex = &search.simplex;
    let mut best: Option<(Int, Var, Int)> = None;
    for col in simplex.bounded() {
        if !simplex.is_problem(col) || !simplex.is_integral(col) {
            continue;
        }
        let (Some((_, lower)), Some((_, upper))) = (simplex.lower(col), simplex.upper(col)) else {
            continue;
        };
        let (lower, upper) = (lower.real.ceil(), upper.floor());
        let range = &upper - &lower;
        if range.is_positive()
            && range <= Int::from(SMALL)
            && best.as_ref().is_none_or(|(least, _, _)| range < *least)
        {
            let middle = (&lower + &upper).div_floor(&Int::from(2)).0;
            best = Some((range, simplex.form_of(col)[0].0, middle));
        }
    }
    best.map(|(_, var, middle)| (var, middle))
}

/// The literal `var <= limit`.
fn bound(search: &mut Search, terms: &mut Terms, var: Var, limit: &Int) -> Lit {
    let term = terms.le(Lin {
        terms: vec![(var, Int::ONE)],
        constant: -limit,
    });
    search.encoding(terms).literal(term)
}
