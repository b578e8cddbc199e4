//! The properties of model-based projection: the result is true in the model, free of the variables, implies
//! the projection; and the results for all models are finitely many that together are the projection.

mod formulas;

use formulas::{Maker, set, witness};
use suppose_control::Context;
use suppose_model::chc::{Assignment, Expr, Lin, Node, Sort, TermId, Terms, Value, Var};
use suppose_number::{Int, Rat};
use suppose_smt::{SatResult, Solver, implicant, project, project_cube};
use suppose_testkit::{Rng, for_each_seed};

use Sort::{Bool, Int as Integer, Real};

/// All values of the variables: Booleans, integers up to `range`, rationals in steps of a half or third.
fn grid(terms: &Terms, vars: &[Var], range: i64) -> Vec<Assignment> {
    let mut all = vec![Assignment::default()];
    for &var in vars {
        let values: Vec<Value> = match terms.sort(var) {
            Bool => vec![Value::Bool(false), Value::Bool(true)],
            Integer => (-range..=range).map(|n| Value::Num(Rat::from(n))).collect(),
            Real => (-2 * range..=2 * range)
                .map(|n| Value::Num(Rat::new(Int::from(n), Int::from(2 + (n & 1)))))
                .collect(),
        };
        all = all
            .iter()
            .flat_map(|point| {
                values.iter().map(move |value| {
                    let mut point = point.clone();
                    point.set(var, value.clone());
                    point
                })
            })
            .collect();
    }
    all
}

fn is_literal(terms: &Terms, term: TermId) -> bool {
    terms.is_atom(terms.literal(term).atom)
}

/// True in the model, without the variables, and a cube.
fn check_result(terms: &Terms, result: TermId, removed: &[Var], model: &Assignment) {
    assert!(model.eval(terms, result), "not true in the model");
    let left = terms.variables(result);
    assert!(
        !left.iter().any(|v| removed.contains(v)),
        "a variable is left"
    );
    let cube = terms.conjuncts(result);
    assert!(cube.iter().all(|&l| is_literal(terms, l)), "not a cube");
}

/// Projects random formulas along models for all points of a grid, until all points of the projection are covered.
fn cover(rng: &mut Rng, kept: &[Sort], gone: &[Sort], range: i64, reach: i64) {
    let sorts: Vec<Sort> = kept.iter().chain(gone).copied().collect();
    let mut maker = Maker::new(&sorts);
    let mut formula = maker.formula(rng, 3);
    let mut removed = maker.vars.split_off(kept.len());
    let kept = maker.vars.clone();
    let terms = &mut maker.terms;
    let ints = removed
        .iter()
        .filter(|v| terms.sort(**v) == Integer)
        .count();
    if ints > 1 {
        // Several integers are tried in a small box only, so the formula has to keep them there.
        for &var in removed
            .iter()
            .filter(|v| terms.sort(**v) == Integer)
            .collect::<Vec<_>>()
        {
            let high = terms.le(Lin::var(var).plus(-reach));
            let low = terms.le(Lin::var(var).neg().plus(-reach));
            formula = terms.and([formula, high, low]);
        }
    }
    let points = grid(terms, &kept, range);
    let models: Vec<Option<Assignment>> = points
        .iter()
        .map(|point| witness(terms, formula, &removed, reach, point))
        .collect();
    removed.sort_by_key(|_| rng.next_u64());
    let mut results: Vec<TermId> = Vec::new();
    for (point, model) in points.iter().zip(&models) {
        let Some(model) = model else { continue };
        if results.iter().any(|&r| point.eval(terms, r)) {
            continue;
        }
        let result = project(terms, formula, &removed, model);
        check_result(terms, result, &removed, model);
        for (other, exists) in points.iter().zip(&models) {
            assert!(
                exists.is_some() || !other.eval(terms, result),
                "the result is true where the projection is not"
            );
        }
        results.push(result);
    }
}

#[test]
fn booleans() {
    for_each_seed(300, |rng| cover(rng, &[Bool, Bool], &[Bool, Bool], 1, 1));
}

#[test]
fn one_integer() {
    for_each_seed(250, |rng| {
        cover(rng, &[Integer, Integer, Bool], &[Integer], 4, 120)
    });
}

#[test]
fn two_integers() {
    for_each_seed(100, |rng| {
        cover(rng, &[Integer], &[Integer, Integer, Bool], 6, 9)
    });
}

#[test]
fn one_rational() {
    for_each_seed(200, |rng| cover(rng, &[Real, Real], &[Bool, Real], 4, 0));
}

#[test]
fn two_rationals() {
    for_each_seed(80, |rng| cover(rng, &[Real], &[Real, Real], 6, 0));
}

#[test]
fn integers_and_rationals() {
    for_each_seed(200, |rng| {
        cover(rng, &[Integer, Real], &[Integer, Real], 3, 40)
    });
}

#[test]
fn an_integer_between_rationals() {
    for_each_seed(150, |rng| cover(rng, &[Real, Real], &[Integer], 3, 60));
}

/// A conjunction that bounds the last variable on both sides, with divisibility if it is an integer.
fn random_cube(rng: &mut Rng, maker: &mut Maker) -> Vec<TermId> {
    let x = maker.vars[maker.vars.len() - 1];
    let others = maker.vars[..maker.vars.len() - 1].to_vec();
    let terms = &mut maker.terms;
    let mut cube = Vec::new();
    let bounded = |rng: &mut Rng, terms: &mut Terms, sign: i64| {
        let mut lin = Lin::constant(-(rng.below(20) as i64));
        lin = lin.add_scaled(&Lin::var(x), &Int::from(sign * rng.between(1, 4) as i64));
        for &var in &others {
            let factor = rng.below(5) as i64 - 2;
            lin = lin.add_scaled(&Lin::var(var), &Int::from(factor));
        }
        match rng.percent(50) {
            true => terms.le(lin),
            false => terms.lt(lin),
        }
    };
    for _ in 0..rng.between(1, 3) {
        cube.push(bounded(rng, terms, 1));
        cube.push(bounded(rng, terms, -1));
    }
    if terms.sort(x) == Integer {
        for _ in 0..rng.below(3) {
            let mut lin = Lin::constant(rng.below(4) as i64);
            for &var in others.iter().chain([&x]) {
                let factor = rng.below(4) as i64;
                lin = lin.add_scaled(&Lin::var(var), &Int::from(factor));
            }
            let divides = terms.divides(&Int::from(rng.between(2, 6) as i64), &lin);
            let negative = rng.percent(30);
            cube.push(if negative {
                terms.not(divides)
            } else {
                divides
            });
        }
    }
    cube
}

/// How many results Cooper's and Loos and Weispfenning's disjunctions have for one variable.
fn image(terms: &Terms, cube: &[TermId], x: Var) -> usize {
    let mut period = Int::ONE;
    let mut bounds = 0;
    for &literal in cube {
        match terms.node(terms.literal(literal).atom) {
            Node::Divides(d, _) => period = period.lcm(d),
            Node::Le(lin) | Node::Lt(lin) => {
                bounds += lin.factor(x).abs().to_i64().unwrap_or(0) as usize;
            }
            _ => {}
        }
    }
    (bounds + 1) * period.to_i64().unwrap_or(0) as usize
}

/// However far apart the models are, there are no more results than the disjunction of the exact method
/// has members, and each implies the projection.
fn finite(rng: &mut Rng, sort: Sort) {
    let mut maker = Maker::new(&[sort, sort, sort]);
    let cube = random_cube(rng, &mut maker);
    let [y, z, x] = [maker.vars[0], maker.vars[1], maker.vars[2]];
    let terms = &mut maker.terms;
    let most = image(terms, &cube, x);
    let formula = terms.and(cube.iter().copied());
    let mut results = std::collections::BTreeSet::new();
    let mut models = 0;
    for _ in 0..2000 {
        let mut point = Assignment::default();
        let mut far = || Rat::from(rng.below(4001) as i64 - 2000);
        set(&mut point, y, far());
        set(&mut point, z, far());
        set(&mut point, x, far());
        if point.eval(terms, formula) {
            models += 1;
            let result = project(terms, formula, &[x], &point);
            check_result(terms, result, &[x], &point);
            results.insert(result);
        }
    }
    assert!(
        results.len() <= most,
        "{} results of {models} models",
        results.len()
    );
    let points = grid(terms, &[y, z], 4);
    for point in points {
        let exists = witness(terms, formula, &[x], 60, &point).is_some();
        for &result in &results {
            assert!(exists || !point.eval(terms, result));
        }
    }
}

#[test]
fn the_image_is_finite_for_integers() {
    for_each_seed(80, |rng| finite(rng, Integer));
}

#[test]
fn the_image_is_finite_for_rationals() {
    for_each_seed(50, |rng| finite(rng, Real));
}

/// The same along models whose integers are found by search, so that few literals are loose.
#[test]
fn bounded_integers_with_divisibility() {
    for_each_seed(150, |rng| {
        let mut maker = Maker::new(&[Integer, Integer, Integer]);
        let cube = random_cube(rng, &mut maker);
        let (kept, x) = (maker.vars[..2].to_vec(), maker.vars[2]);
        let terms = &mut maker.terms;
        let most = image(terms, &cube, x);
        let formula = terms.and(cube);
        let mut results: Vec<TermId> = Vec::new();
        let points = grid(terms, &kept, 9);
        let witnesses: Vec<_> = points
            .iter()
            .map(|point| witness(terms, formula, &[x], 60, point))
            .collect();
        for model in witnesses.iter().flatten() {
            let result = project(terms, formula, &[x], model);
            check_result(terms, result, &[x], model);
            if !results.contains(&result) {
                results.push(result);
            }
        }
        assert!(results.len() <= most);
        for (point, exists) in points.iter().zip(&witnesses) {
            let covered = results.iter().any(|&r| point.eval(terms, r));
            assert_eq!(covered, exists.is_some());
        }
    });
}

/// Blocks the result of each model until there is none: this ends, and then the results together are the
/// projection.
fn exhaust(rng: &mut Rng, kept: &[Sort], gone: &[Sort], range: i64, reach: i64) {
    let sorts: Vec<Sort> = kept.iter().chain(gone).copied().collect();
    let mut maker = Maker::new(&sorts);
    let mut formula = Terms::TRUE;
    for _ in 0..2 {
        let part = maker.formula(rng, 2);
        formula = maker.terms.and([formula, part]);
    }
    let removed = maker.vars.split_off(kept.len());
    let kept = maker.vars.clone();
    let terms = &mut maker.terms;
    let cx = Context::default();
    let mut solver = Solver::new();
    solver.assert(terms, formula);
    let mut results: Vec<TermId> = Vec::new();
    loop {
        match solver.check(terms, &[], &cx).expect("no limit") {
            SatResult::Sat => {}
            SatResult::Unsat => break,
            // The bounds of the integer search; nothing follows.
            SatResult::Unknown => return,
        }
        let model = solver.model().clone();
        let result = project(terms, formula, &removed, &model);
        check_result(terms, result, &removed, &model);
        results.push(result);
        assert!(results.len() < 2000, "there is no end");
        let not = terms.not(result);
        solver.assert(terms, not);
    }
    for point in grid(terms, &kept, range) {
        let exists = witness(terms, formula, &removed, reach, &point).is_some();
        let covered = results.iter().any(|&r| point.eval(terms, r));
        assert_eq!(exists, covered);
    }
}

#[test]
fn all_results_together_are_the_projection() {
    for_each_seed(60, |rng| {
        exhaust(rng, &[Bool, Integer, Integer], &[Integer], 3, 90)
    });
    for_each_seed(40, |rng| exhaust(rng, &[Integer], &[Integer, Real], 5, 60));
    for_each_seed(40, |rng| exhaust(rng, &[Real, Real], &[Bool, Real], 3, 0));
    for_each_seed(40, |rng| exhaust(rng, &[Real], &[Real, Real], 3, 0));
}

/// Literals of the formula, all true in the model; and wherever they are true, so is the formula.
#[test]
fn implicants_imply() {
    for_each_seed(600, |rng| {
        let mut maker = Maker::new(&[Bool, Bool, Integer, Real]);
        let formula = maker.formula(rng, 4);
        let vars = maker.vars.clone();
        let terms = &mut maker.terms;
        let points = grid(terms, &vars, 2);
        let parts = terms.postorder(formula);
        let models = points.iter().filter(|p| p.eval(terms, formula)).take(5);
        for model in models.collect::<Vec<_>>() {
            let literals = implicant(terms, formula, model);
            for &literal in &literals {
                assert!(is_literal(terms, literal) && model.eval(terms, literal));
                assert!(parts.contains(&terms.literal(literal).atom));
            }
            let cube = terms.and(literals);
            for point in &points {
                assert!(!point.eval(terms, cube) || point.eval(terms, formula));
            }
        }
    });
}

/// A formula that is true in no model is not turned into a true one.
#[test]
fn a_model_that_is_none_gives_false() {
    let mut maker = Maker::new(&[Integer, Integer]);
    let (x, y) = (maker.vars[0], maker.vars[1]);
    let terms = &mut maker.terms;
    let formula = terms.lt(Lin::var(x).sub(&Lin::var(y)));
    let model = Assignment::default();
    assert_eq!(project(terms, formula, &[x], &model), Terms::FALSE);
    assert_eq!(implicant(terms, formula, &model), [Terms::FALSE]);
}

/// Nested equivalences share everything: as a tree they have 2^60 leaves.
#[test]
fn shared_parts_are_visited_once() {
    let mut terms = Terms::default();
    let vars: Vec<Var> = (0..60)
        .map(|i| terms.fresh(&format!("b{i}"), Bool))
        .collect();
    let mut formula = Terms::TRUE;
    for &var in &vars {
        let var = terms.var(var);
        let one = terms.and([formula, var]);
        let other = terms.or([formula, var]);
        formula = terms.iff(one, other);
    }
    let mut model = Assignment::default();
    for &var in &vars {
        model.set(var, Value::Bool(true));
    }
    let literals = implicant(&mut terms, formula, &model);
    assert!(literals.len() <= 60);
}

/// `y < x < z` has the projection `y + 1 < z`, found at once whatever the model.
#[test]
fn single_bounds_give_the_exact_projection() {
    let mut maker = Maker::new(&[Integer, Integer, Integer]);
    let [x, y, z] = [maker.vars[0], maker.vars[1], maker.vars[2]];
    let terms = &mut maker.terms;
    let above = terms.lt(Lin::var(y).sub(&Lin::var(x)));
    let below = terms.lt(Lin::var(x).sub(&Lin::var(z)));
    let expected = terms.lt(Lin::var(y).sub(&Lin::var(z)).plus(1));
    for (value, high) in [(1, 2), (5, 17), (-3, 100)] {
        let mut model = Assignment::default();
        set(&mut model, x, Rat::from(value));
        set(&mut model, y, Rat::from(value - 1));
        set(&mut model, z, Rat::from(high));
        let found = project_cube(terms, &[above, below], &[x], &model);
        assert_eq!(found, [expected]);
    }
}

/// `2x = y` has the projection `2 | y`; the removed variable with factor 1 is preferred.
#[test]
fn equations_give_divisibility() {
    let mut maker = Maker::new(&[Integer, Integer]);
    let [x, y] = [maker.vars[0], maker.vars[1]];
    let terms = &mut maker.terms;
    let twice = Lin::var(x).scale(&Int::from(2));
    let formula = terms.eq(twice.sub(&Lin::var(y)));
    let even = terms.divides(&Int::from(2), &Lin::var(y));
    let mut model = Assignment::default();
    set(&mut model, x, Rat::from(3));
    set(&mut model, y, Rat::from(6));
    assert_eq!(project(terms, formula, &[x], &model), even);
    assert_eq!(project(terms, formula, &[x, y], &model), Terms::TRUE);
}

/// The factors of a chain of inequalities would square at each step without a limit.
#[test]
fn numbers_stay_small() {
    let sorts = [Integer; 14];
    for_each_seed(20, |rng| {
        let mut maker = Maker::new(&sorts);
        let vars = maker.vars.clone();
        let terms = &mut maker.terms;
        let model = Assignment::default();
        let mut literals = Vec::new();
        for _ in 0..60 {
            let mut lin = Lin::constant(-(rng.below(50) as i64));
            for _ in 0..4 {
                let factor = Int::from(rng.below(200_000) as i64 - 100_000);
                lin = lin.add_scaled(&Lin::var(vars[rng.below(vars.len())]), &factor);
            }
            literals.push(terms.le(lin));
        }
        let result = project_cube(terms, &literals, &vars[..12], &model);
        for literal in result {
            assert!(model.eval(terms, literal));
            let (Node::Le(lin) | Node::Divides(_, lin) | Node::Eq(lin)) =
                terms.node(terms.literal(literal).atom)
            else {
                panic!("no such literal expected");
            };
            assert!(lin.terms.iter().all(|(_, a)| a.bits() <= 256));
        }
    });
}

/// What is substituted by hand agrees: the projection along `x = e` is the formula with `e` in place of `x`.
#[test]
fn an_equation_is_substituted() {
    for_each_seed(200, |rng| {
        let mut maker = Maker::new(&[Integer, Integer, Integer]);
        let [x, y, z] = [maker.vars[0], maker.vars[1], maker.vars[2]];
        let literals: Vec<TermId> = (0..4).map(|_| maker.atom(rng)).collect();
        let terms = &mut maker.terms;
        let value = Lin::var(y).add_scaled(&Lin::var(z), &Int::from(2)).plus(1);
        let equation = terms.eq(Lin::var(x).sub(&value));
        let mut model = Assignment::default();
        let (a, b) = (rng.below(9) as i64 - 4, rng.below(9) as i64 - 4);
        set(&mut model, y, Rat::from(a));
        set(&mut model, z, Rat::from(b));
        set(&mut model, x, Rat::from(a + 2 * b + 1));
        let cube: Vec<TermId> = literals
            .into_iter()
            .map(|l| {
                if model.eval(terms, l) {
                    l
                } else {
                    terms.not(l)
                }
            })
            .collect();
        // Without other equations there is no choice.
        if cube.iter().any(|&l| matches!(terms.node(l), Node::Eq(_))) {
            return;
        }
        let plain = terms.and(cube);
        let map = [(x, Expr::Num(value))].into_iter().collect();
        let expected = terms.substitute(plain, &map);
        let formula = terms.and([plain, equation]);
        let result = project(terms, formula, &[x], &model);
        for point in grid(terms, &[y, z], 6) {
            assert_eq!(point.eval(terms, result), point.eval(terms, expected));
        }
    });
}
