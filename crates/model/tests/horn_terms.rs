//! The store of formulas: what is made means what was said, and has one form.

use rustc_hash::FxHashMap;
use suppose_model::chc::{Assignment, Expr, Lin, Node, Sort, TermId, Terms, Value, Var};
use suppose_number::{Int, Rat};
use suppose_testkit::{Rng, for_each_seed};

/// A formula as it was said, before the store has seen it.
enum Ast {
    Var(Var),
    Not(Box<Ast>),
    And(Vec<Ast>),
    Or(Vec<Ast>),
    Iff(Box<Ast>, Box<Ast>),
    Implies(Box<Ast>, Box<Ast>),
    Ite(Box<Ast>, Box<Ast>, Box<Ast>),
    Le(Lin),
    Lt(Lin),
    Eq(Lin),
    Divides(Int, Lin),
}

struct World {
    terms: Terms,
    bools: Vec<Var>,
    ints: Vec<Var>,
    reals: Vec<Var>,
}

impl World {
    fn new() -> World {
        let mut terms = Terms::default();
        let mut make = |name: &str, sort: Sort| terms.fresh(name, sort);
        let bools = vec![make("a", Sort::Bool), make("b", Sort::Bool)];
        let ints = vec![make("i", Sort::Int), make("j", Sort::Int)];
        let reals = vec![make("x", Sort::Real)];
        World {
            terms,
            bools,
            ints,
            reals,
        }
    }

    fn lin(&self, rng: &mut Rng, integral: bool) -> Lin {
        let mut lin = Lin::constant(number(rng, 6));
        for &var in &self.ints {
            lin = lin.add_scaled(&Lin::var(var), &Int::from(number(rng, 4)));
        }
        if !integral {
            lin = lin.add_scaled(&Lin::var(self.reals[0]), &Int::from(number(rng, 4)));
        }
        lin
    }

    fn say(&self, rng: &mut Rng, depth: usize) -> Ast {
        if depth == 0 {
            let integral = rng.percent(60);
            let lin = self.lin(rng, integral);
            return match rng.below(6) {
                0 => Ast::Var(self.bools[rng.below(2)]),
                1 if integral => {
                    let divisor = [2, 3, 4, 6, -3][rng.below(5)];
                    Ast::Divides(Int::from(divisor), lin)
                }
                2 => Ast::Lt(lin),
                3 => Ast::Eq(lin),
                _ => Ast::Le(lin),
            };
        }
        let mut part = || Box::new(self.say(rng, depth - 1));
        let (a, b, c) = (part(), part(), part());
        match rng.below(7) {
            0 => Ast::Not(a),
            1..=2 => Ast::And(vec![*a, *b, *c]),
            3..=4 => Ast::Or(vec![*a, *b, *c]),
            5 => Ast::Iff(a, b),
            _ if rng.percent(50) => Ast::Implies(a, b),
            _ => Ast::Ite(a, b, c),
        }
    }

    fn make(&mut self, said: &Ast) -> TermId {
        match said {
            Ast::Var(var) => self.terms.var(*var),
            Ast::Not(a) => {
                let a = self.make(a);
                self.terms.not(a)
            }
            Ast::And(parts) => {
                let parts: Vec<TermId> = parts.iter().map(|p| self.make(p)).collect();
                self.terms.and(parts)
            }
            Ast::Or(parts) => {
                let parts: Vec<TermId> = parts.iter().map(|p| self.make(p)).collect();
                self.terms.or(parts)
            }
            Ast::Iff(a, b) => {
                let (a, b) = (self.make(a), self.make(b));
                self.terms.iff(a, b)
            }
            Ast::Implies(a, b) => {
                let (a, b) = (self.make(a), self.make(b));
                self.terms.implies(a, b)
            }
            Ast::Ite(a, b, c) => {
                let (a, b, c) = (self.make(a), self.make(b), self.make(c));
                self.terms.ite(a, b, c)
            }
            Ast::Le(lin) => self.terms.le(lin.clone()),
            Ast::Lt(lin) => self.terms.lt(lin.clone()),
            Ast::Eq(lin) => self.terms.eq(lin.clone()),
            Ast::Divides(d, lin) => self.terms.divides(d, lin),
        }
    }

    /// Some values of all variables.
    fn points(&self) -> Vec<Assignment> {
        let mut points = Vec::new();
        for number in 0..2 * 2 * 7 * 7 * 9 {
            let mut rest = number;
            let mut digit = |base: i64| {
                let digit = rest % base;
                rest /= base;
                digit
            };
            let mut point = Assignment::default();
            for &var in &self.bools {
                point.set(var, Value::Bool(digit(2) == 1));
            }
            for &var in &self.ints {
                point.set(var, Value::Num(Rat::from(digit(7) - 3)));
            }
            let half = Rat::new(Int::from(digit(9) - 4), Int::from(2));
            point.set(self.reals[0], Value::Num(half));
            points.push(point);
        }
        points
    }
}

fn number(rng: &mut Rng, most: i64) -> i64 {
    rng.below(2 * most as usize + 1) as i64 - most
}

fn holds(said: &Ast, point: &Assignment) -> bool {
    let value = |lin: &Lin| lin.eval(|v| point.number(v));
    match said {
        Ast::Var(var) => point.truth(*var),
        Ast::Not(a) => !holds(a, point),
        Ast::And(parts) => parts.iter().all(|p| holds(p, point)),
        Ast::Or(parts) => parts.iter().any(|p| holds(p, point)),
        Ast::Iff(a, b) => holds(a, point) == holds(b, point),
        Ast::Implies(a, b) => !holds(a, point) || holds(b, point),
        Ast::Ite(a, b, c) => holds(if holds(a, point) { b } else { c }, point),
        Ast::Le(lin) => value(lin) <= Rat::ZERO,
        Ast::Lt(lin) => value(lin) < Rat::ZERO,
        Ast::Eq(lin) => value(lin) == Rat::ZERO,
        Ast::Divides(d, lin) => (&value(lin) / &Rat::from(d)).is_integer(),
    }
}

#[test]
fn formulas_mean_what_was_said() {
    for_each_seed(120, |rng| {
        let mut world = World::new();
        let said = world.say(rng, 3);
        let term = world.make(&said);
        for point in world.points() {
            assert_eq!(point.eval(&world.terms, term), holds(&said, &point));
        }
    });
}

/// What the documentation of [`Node`] promises of one formula.
fn is_canonical(terms: &Terms, term: TermId) -> bool {
    let first = |lin: &Lin| lin.terms.first().is_some_and(|(_, a)| a.is_positive());
    let sorted = |lin: &Lin| {
        lin.terms.windows(2).all(|pair| pair[0].0 < pair[1].0)
            && lin.terms.iter().all(|(_, a)| !a.is_zero())
    };
    let whole = |lin: &Lin| lin.gcd().gcd(&lin.constant).is_one();
    match terms.node(term) {
        Node::Const(_) | Node::Var(_) => true,
        Node::Not(a) => !matches!(terms.node(*a), Node::Const(_) | Node::Not(_)),
        Node::And(parts) | Node::Or(parts) => {
            let both_and = matches!(terms.node(term), Node::And(_));
            let flat = |p: &TermId| match terms.node(*p) {
                Node::Const(_) => false,
                Node::And(_) => !both_and,
                Node::Or(_) => both_and,
                Node::Not(inner) => !parts.contains(inner),
                _ => true,
            };
            parts.len() > 1 && parts.windows(2).all(|p| p[0] < p[1]) && parts.iter().all(flat)
        }
        Node::Iff(a, b) => {
            let plain = |t| !matches!(terms.node(t), Node::Const(_) | Node::Not(_));
            a < b && plain(*a) && plain(*b)
        }
        Node::Le(lin) if terms.is_integral(lin) => first(lin) && sorted(lin) && lin.gcd().is_one(),
        Node::Le(lin) | Node::Eq(lin) => first(lin) && sorted(lin) && whole(lin),
        Node::Lt(lin) => first(lin) && sorted(lin) && whole(lin) && !terms.is_integral(lin),
        Node::Divides(d, lin) => {
            let small = |a: &Int| !a.is_negative() && a < d;
            let common = lin.gcd().gcd(&lin.constant).gcd(d);
            *d > Int::ONE
                && first(lin)
                && sorted(lin)
                && terms.is_integral(lin)
                && lin.terms.iter().all(|(_, a)| small(a))
                && small(&lin.constant)
                && common.is_one()
        }
    }
}

#[test]
fn all_formulas_have_the_canonical_form() {
    for_each_seed(400, |rng| {
        let mut world = World::new();
        for _ in 0..5 {
            let said = world.say(rng, 3);
            world.make(&said);
        }
        for term in (0..world.terms.len() as u32).map(TermId) {
            let node = world.terms.node(term);
            assert!(is_canonical(&world.terms, term), "{node:?}");
        }
    });
}

/// However a half-space, an equation or a divisibility is said, it is the same formula.
#[test]
fn the_same_is_one_formula() {
    for_each_seed(600, |rng| {
        let mut world = World::new();
        let integral = rng.percent(50);
        let lin = world.lin(rng, integral);
        let terms = &mut world.terms;
        let times = Int::from(1 + rng.below(5) as i64);
        let scaled = lin.scale(&times);
        assert_eq!(terms.le(lin.clone()), terms.le(scaled.clone()));
        assert_eq!(terms.lt(lin.clone()), terms.lt(scaled.clone()));
        assert_eq!(terms.eq(lin.clone()), terms.eq(scaled.neg()));
        let above = terms.lt(lin.neg());
        assert_eq!(terms.le(lin.clone()), terms.not(above));
        let (low, high) = terms.halves(&lin);
        let both = terms.and([low, high]);
        let equal = terms.eq(lin.clone());
        for point in world.points().into_iter().step_by(5) {
            assert_eq!(
                point.eval(&world.terms, equal),
                point.eval(&world.terms, both)
            );
        }
        if world.terms.is_integral(&lin) {
            let terms = &mut world.terms;
            let divisor = Int::from(2 + rng.below(5) as i64);
            let shifted = lin
                .add_scaled(&world_lin(&lin), &divisor)
                .plus(&divisor * &times);
            let plain = terms.divides(&divisor, &lin);
            assert_eq!(plain, terms.divides(&-&divisor, &lin));
            assert_eq!(plain, terms.divides(&divisor, &shifted));
            assert_eq!(plain, terms.divides(&(&divisor * &times), &scaled));
        }
    });
}

/// Something over the same variables.
fn world_lin(lin: &Lin) -> Lin {
    let mut other = lin.clone();
    other.terms.reverse();
    let pairs = other.terms.iter().map(|(v, a)| (*v, a.clone()));
    pairs.fold(Lin::constant(2), |sum, (v, a)| {
        sum.add_scaled(&Lin::var(v), &a)
    })
}

#[test]
fn substitution_is_evaluation_elsewhere() {
    for_each_seed(60, |rng| {
        let mut world = World::new();
        let said = world.say(rng, 3);
        let term = world.make(&said);
        let inner = world.say(rng, 1);
        let inner = world.make(&inner);
        let (i, j) = (world.lin(rng, true), world.lin(rng, true));
        let x = world.lin(rng, false);
        let [first, second] = [world.ints[0], world.ints[1]];
        let (real, flag) = (world.reals[0], world.bools[0]);
        let map: FxHashMap<Var, Expr> = [
            (first, Expr::Num(i.clone())),
            (second, Expr::Num(j.clone())),
            (real, Expr::Num(x.clone())),
            (flag, Expr::Bool(inner)),
        ]
        .into_iter()
        .collect();
        let replaced = world.terms.substitute(term, &map);
        for point in world.points() {
            let value = |lin: &Lin| Value::Num(lin.eval(|v| point.number(v)));
            let mut there = point.clone();
            there.set(first, value(&i));
            there.set(second, value(&j));
            there.set(real, value(&x));
            there.set(flag, Value::Bool(point.eval(&world.terms, inner)));
            assert_eq!(
                point.eval(&world.terms, replaced),
                there.eval(&world.terms, term)
            );
        }
    });
}

#[test]
fn imported_formulas_mean_the_same() {
    for_each_seed(60, |rng| {
        let mut world = World::new();
        let said = world.say(rng, 3);
        let term = world.make(&said);
        let mut other = World::new();
        for _ in 0..3 {
            let noise = other.say(rng, 2);
            other.make(&noise);
        }
        let mut done = FxHashMap::default();
        let copy = other.terms.import(&world.terms, term, &mut done);
        for point in world.points() {
            assert_eq!(point.eval(&other.terms, copy), holds(&said, &point));
        }
        let store = world.terms.clone();
        let same = world.terms.import(&store, term, &mut FxHashMap::default());
        assert_eq!((same, world.terms.len()), (term, store.len()));
    });
}

#[test]
fn assignments_keep_what_was_set() {
    for_each_seed(300, |rng| {
        let mut assignment = Assignment::default();
        let mut expected: FxHashMap<u32, i64> = FxHashMap::default();
        for _ in 0..rng.below(12) {
            let (var, n) = (rng.below(40) as u32, number(rng, 9));
            assignment.set(Var(var), Value::Num(Rat::from(n)));
            expected.insert(var, n);
        }
        for var in 0..50 {
            let value = expected.get(&var).map(|n| Value::Num(Rat::from(*n)));
            assert_eq!(assignment.get(Var(var)), value.as_ref());
        }
        // The order in which they were set does not matter.
        let mut sorted: Vec<(u32, i64)> = expected.into_iter().collect();
        sorted.sort_unstable();
        let mut again = Assignment::default();
        for (var, n) in sorted {
            again.set(Var(var), Value::Num(Rat::from(n)));
        }
        assert_eq!(assignment, again);
    });
}
