//! Random formulas, and deciding them by trying values.
#![allow(dead_code, reason = "each test uses a part")]

use suppose_model::chc::{Assignment, Lin, Node, Sort, TermId, Terms, Value, Var};
use suppose_number::{Int, Rat};
use suppose_testkit::Rng;

/// What random formulas are made of.
pub struct Maker {
    pub terms: Terms,
    pub vars: Vec<Var>,
    /// Largest factor and constant.
    pub factor: usize,
    pub constant: usize,
}

impl Maker {
    pub fn new(sorts: &[Sort]) -> Maker {
        let mut terms = Terms::default();
        let vars = sorts
            .iter()
            .enumerate()
            .map(|(i, &sort)| terms.fresh(&format!("v{i}"), sort))
            .collect();
        Maker {
            terms,
            vars,
            factor: 3,
            constant: 6,
        }
    }

    fn lin(&mut self, rng: &mut Rng, vars: &[Var]) -> Lin {
        let mut lin =
            Lin::constant(rng.between(0, 2 * self.constant) as i64 - self.constant as i64);
        for _ in 0..rng.between(1, 3) {
            if let Some(&var) = rng.pick(vars) {
                let factor = rng.between(0, 2 * self.factor) as i64 - self.factor as i64;
                lin = lin.add_scaled(&Lin::var(var), &Int::from(factor));
            }
        }
        lin
    }

    fn of_sort(&self, wanted: impl Fn(Sort) -> bool) -> Vec<Var> {
        let mut vars = self.vars.clone();
        vars.retain(|v| wanted(self.terms.sort(*v)));
        vars
    }

    pub fn atom(&mut self, rng: &mut Rng) -> TermId {
        let bools = self.of_sort(|s| s == Sort::Bool);
        let numbers = self.of_sort(|s| s != Sort::Bool);
        let ints = self.of_sort(|s| s == Sort::Int);
        if numbers.is_empty() || !bools.is_empty() && rng.percent(20) {
            let var = bools[rng.below(bools.len())];
            return self.terms.var(var);
        }
        match rng.below(10) {
            0..=4 => {
                let lin = self.lin(rng, &numbers);
                self.terms.le(lin)
            }
            5..=6 => {
                let lin = self.lin(rng, &numbers);
                self.terms.lt(lin)
            }
            8 if !ints.is_empty() => {
                let lin = self.lin(rng, &ints);
                self.terms
                    .divides(&Int::from(rng.between(2, 4) as i64), &lin)
            }
            _ => {
                let lin = self.lin(rng, &numbers);
                self.terms.eq(lin)
            }
        }
    }

    pub fn formula(&mut self, rng: &mut Rng, depth: usize) -> TermId {
        if depth == 0 || rng.percent(15) {
            let atom = self.atom(rng);
            return if rng.percent(40) {
                self.terms.not(atom)
            } else {
                atom
            };
        }
        let mut parts = Vec::new();
        for _ in 0..rng.between(2, 3) {
            parts.push(self.formula(rng, depth - 1));
        }
        match rng.below(9) {
            0..=3 => self.terms.and(parts),
            4..=6 => self.terms.or(parts),
            7 => self.terms.iff(parts[0], parts[1]),
            _ => {
                let or = self.terms.or(parts);
                self.terms.not(or)
            }
        }
    }
}

pub fn set(model: &mut Assignment, var: Var, value: Rat) {
    model.set(var, Value::Num(value));
}

/// Values for `vars`, added to `model`, that make the formula true. Integers are tried from `-range` to
/// `range`; for at most two rationals, which come last, the answer is exact.
pub fn witness(
    terms: &Terms,
    formula: TermId,
    vars: &[Var],
    range: i64,
    model: &Assignment,
) -> Option<Assignment> {
    let Some((&var, rest)) = vars.split_first() else {
        return model.eval(terms, formula).then(|| model.clone());
    };
    let mut model = model.clone();
    let candidates: Vec<Value> = match terms.sort(var) {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        // From the middle outward.
        Sort::Int => std::iter::once(0)
            .chain((1..=range).flat_map(|n| [n, -n]))
            .map(|n| Value::Num(Rat::from(n)))
            .collect(),
        Sort::Real => critical(terms, formula, var, rest, &model)
            .into_iter()
            .map(Value::Num)
            .collect(),
    };
    candidates.into_iter().find_map(|value| {
        model.set(var, value);
        witness(terms, formula, rest, range, &model)
    })
}

/// Values of a rational variable between which nothing changes, and some in between.
fn critical(
    terms: &Terms,
    formula: TermId,
    var: Var,
    rest: &[Var],
    model: &Assignment,
) -> Vec<Rat> {
    assert!(rest.len() <= 1, "at most two rationals");
    let mut lines: Vec<(Rat, Rat, Rat)> = Vec::new();
    for part in terms.postorder(formula) {
        let (Node::Le(lin) | Node::Lt(lin) | Node::Eq(lin)) = terms.node(part) else {
            continue;
        };
        let other = rest.first().map_or(Int::ZERO, |&w| lin.factor(w));
        let mut fixed = lin.without(var);
        if let Some(&w) = rest.first() {
            fixed = fixed.without(w);
        }
        let constant = fixed.eval(|v| model.number(v));
        lines.push((Rat::from(lin.factor(var)), Rat::from(other), constant));
    }
    let mut points = vec![Rat::ZERO];
    for (i, (a, b, c)) in lines.iter().enumerate() {
        if b.is_zero() && !a.is_zero() {
            points.push(&-c / a);
        }
        for (d, e, f) in &lines[i + 1..] {
            let det = &(a * e) - &(b * d);
            if !det.is_zero() {
                points.push(&(&(b * f) - &(c * e)) / &det);
            }
        }
    }
    points.sort();
    points.dedup();
    let half = Rat::new(Int::ONE, Int::from(2));
    let mut all: Vec<Rat> = points
        .windows(2)
        .map(|pair| &(&pair[0] + &pair[1]) * &half)
        .collect();
    all.push(&points[0] - &Rat::ONE);
    all.push(&points[points.len() - 1] + &Rat::ONE);
    all.extend(points);
    all
}

/// One pigeon more than there are holes, each in a hole of its own: no model, and hard to see.
pub fn pigeons(terms: &mut Terms, holes: usize) -> TermId {
    let mut place: Vec<Vec<TermId>> = Vec::new();
    for _ in 0..=holes {
        let vars: Vec<Var> = (0..holes).map(|_| terms.fresh("in", Sort::Bool)).collect();
        place.push(vars.into_iter().map(|var| terms.var(var)).collect());
    }
    let mut parts: Vec<TermId> = Vec::new();
    for (number, row) in place.iter().enumerate() {
        parts.push(terms.or(row.iter().copied()));
        for other in &place[..number] {
            for (a, b) in row.iter().zip(other) {
                let both = terms.and([*a, *b]);
                parts.push(terms.not(both));
            }
        }
    }
    terms.and(parts)
}
