//! What the operators mean, against plain evaluation on small domains.
//!
//! `(=> (= r EXPRESSION) (p x y r))` becomes one clause. Its constraint must be true for exactly those
//! values of `r` that the expression has; variables that the reader adds are searched for.

#![allow(clippy::unwrap_used)]

use suppose_frontends::smtlib::read_text;
use suppose_model::chc::{Assignment, Clause, Horn, Sort, Value, Var};
use suppose_number::{Int, Rat};

fn system(text: &str) -> Horn {
    match read_text("t.smt2", text) {
        Ok((read, _)) => read.horn,
        Err((errors, sources)) => {
            let all: Vec<String> = errors.iter().map(|e| e.render(&sources, false)).collect();
            panic!("{}", all.join("\n"))
        }
    }
}

/// Is there a way to make the constraint true when the head's arguments have these values?
fn derivable(horn: &Horn, clause: &Clause, values: &[Value]) -> bool {
    let head = clause.head.as_ref().unwrap();
    let mut assignment = Assignment::default();
    for (&var, value) in head.args.iter().zip(values) {
        if assignment.get(var).is_some_and(|old| old != value) {
            return false;
        }
        assignment.set(var, value.clone());
    }
    let free: Vec<Var> = horn
        .variables(clause)
        .into_iter()
        .filter(|v| !head.args.contains(v))
        .collect();
    search(horn, clause, &mut assignment, &free)
}

fn search(horn: &Horn, clause: &Clause, assignment: &mut Assignment, free: &[Var]) -> bool {
    let Some((&var, rest)) = free.split_first() else {
        return assignment.eval(&horn.terms, clause.constraint);
    };
    let candidates: Vec<Value> = match horn.terms.sort(var) {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        // Halves are enough: the expressions here only halve.
        Sort::Real => (-24..=24)
            .map(|n| Value::Num(Rat::new(Int::from(n), Int::from(2))))
            .collect(),
        Sort::Int => (-12..=12).map(|n| Value::Num(Rat::from(n))).collect(),
    };
    candidates.into_iter().any(|value| {
        assignment.set(var, value);
        search(horn, clause, assignment, rest)
    })
}

fn num(n: i64) -> Value {
    Value::Num(Rat::from(n))
}

fn bits(n: u64, width: usize) -> Vec<Value> {
    (0..width).map(|i| Value::Bool(n >> i & 1 == 1)).collect()
}

/// An integer expression over `x` and `y`, both from -5 to 5.
fn check_int(expression: &str, meaning: impl Fn(i64, i64) -> i64) {
    check_int_within(5, expression, meaning);
}

/// The same from `-size` to `size`.
fn check_int_within(size: i64, expression: &str, meaning: impl Fn(i64, i64) -> i64) {
    let horn = system(&format!(
        "(declare-fun p (Int Int Int) Bool)
         (assert (forall ((x Int) (y Int) (r Int)) (=> (= r {expression}) (p x y r))))"
    ));
    assert_eq!(horn.clauses.len(), 1, "{expression}");
    for x in -size..=size {
        for y in -size..=size {
            let expected = meaning(x, y);
            for r in expected - 2..=expected + 2 {
                let found = derivable(&horn, &horn.clauses[0], &[num(x), num(y), num(r)]);
                assert_eq!(found, r == expected, "{expression} x={x} y={y} r={r}");
            }
        }
    }
    // The same as an argument, where no equation was written.
    let horn = system(&format!(
        "(declare-fun p (Int Int Int) Bool)
         (assert (forall ((x Int) (y Int)) (p x y {expression})))"
    ));
    for x in -2..=2 {
        for y in -2..=2 {
            for off in -1..=1 {
                let r = meaning(x, y) + off;
                let found = derivable(&horn, &horn.clauses[0], &[num(x), num(y), num(r)]);
                assert_eq!(found, off == 0, "{expression} x={x} y={y} r={r}");
            }
        }
    }
}

#[test]
fn integer_operators() {
    check_int("(+ x y 1)", |x, y| x + y + 1);
    check_int("(- x)", |x, _| -x);
    check_int("(- x y 2)", |x, y| x - y - 2);
    check_int("(* 3 x (- 2))", |x, _| -6 * x);
    check_int("(* 2 3)", |_, _| 6);
    check_int("(abs x)", |x, _| x.abs());
    check_int(
        "(ite (< x y) x (+ y 1))",
        |x, y| if x < y { x } else { y + 1 },
    );
    for d in [-3i64, -2, -1, 1, 2, 3, 4] {
        let shown = if d < 0 {
            format!("(- {})", -d)
        } else {
            d.to_string()
        };
        check_int(&format!("(mod x {shown})"), |x, _| x.rem_euclid(d));
        check_int(&format!("(div x {shown})"), |x, _| x.div_euclid(d));
        check_int(&format!("(mod (+ x y) {shown})"), |x, y| {
            (x + y).rem_euclid(d)
        });
        check_int(&format!("(- (div x {shown}) y)"), |x, y| {
            x.div_euclid(d) - y
        });
    }
    check_int("(div 7 2)", |_, _| 3);
    check_int("(mod (- 7) 2)", |_, _| 1);
    check_int("(to_int (/ x 2))", |x, _| x.div_euclid(2));
    check_int("(to_int (- (/ x 2)))", |x, _| (-x).div_euclid(2));
    check_int("(ite (= (mod x 2) 0) (div x 2) y)", |x, y| {
        if x.rem_euclid(2) == 0 {
            x.div_euclid(2)
        } else {
            y
        }
    });
    check_int("(let ((a (+ x 1)) (x y)) (- a x))", |x, y| x + 1 - y);
    check_int("(let ((x y)) (let ((y (+ x 1))) (- y x)))", |_, _| 1);
}

#[test]
fn sums_and_comparisons_of_choices() {
    let min = "(ite (<= x y) x y)";
    let max = "(ite (<= x y) y x)";
    check_int_within(2, &format!("(+ {min} {max})"), |x, y| x + y);
    check_int_within(2, &format!("(+ {min} (ite (< x 0) 1 0) {max})"), |x, y| {
        x + y + i64::from(x < 0)
    });
    check_int_within(2, &format!("(* 2 (- {max} {min}))"), |x, y| {
        2 * (x - y).abs()
    });
    check_int_within(2, &format!("(mod {max} 2)"), |x, y| x.max(y).rem_euclid(2));
    check_int_within(2, &format!("(ite (< {min} (abs {max})) 1 0)"), |x, y| {
        i64::from(x.min(y) < x.max(y).abs())
    });
    // More leaves than are kept as one tree.
    let mut chain = "0".to_owned();
    for i in -5..=5 {
        let at = if i < 0 {
            format!("(- {})", -i)
        } else {
            i.to_string()
        };
        for j in 0..5 {
            chain = format!(
                "(ite (and (= x {at}) (= y {j})) {} {chain})",
                (i + 6) % 3 + j % 2
            );
        }
    }
    check_int(&chain, |x, y| {
        if (0..5).contains(&y) {
            (x + 6) % 3 + y % 2
        } else {
            0
        }
    });
}

/// A formula over integers `x`, `y` and Booleans `a`, `b`.
fn check_bool(formula: &str, meaning: impl Fn(i64, i64, bool, bool) -> bool) {
    let horn = system(&format!(
        "(declare-fun p (Int Int Bool Bool) Bool)
         (assert (forall ((x Int) (y Int) (a Bool) (b Bool)) (=> {formula} (p x y a b))))"
    ));
    for x in -3..=3 {
        for y in -3..=3 {
            for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
                let values = [num(x), num(y), Value::Bool(a), Value::Bool(b)];
                let found = horn.clauses.iter().any(|c| derivable(&horn, c, &values));
                assert_eq!(
                    found,
                    meaning(x, y, a, b),
                    "{formula} x={x} y={y} a={a} b={b}"
                );
            }
        }
    }
}

#[test]
fn formulas() {
    check_bool("(< x y 2)", |x, y, _, _| x < y && y < 2);
    check_bool("(>= x y 0)", |x, y, _, _| x >= y && y >= 0);
    check_bool("(= x y 1)", |x, y, _, _| x == y && y == 1);
    check_bool("(distinct x y 1)", |x, y, _, _| x != y && y != 1 && x != 1);
    check_bool("(=> a b (> x 0))", |x, _, a, b| !a || (!b || x > 0));
    check_bool("(xor a b (> x 0))", |x, _, a, b| a ^ b ^ (x > 0));
    check_bool("(= a b (> x y))", |x, y, a, b| a == b && b == (x > y));
    check_bool("(ite a b (= x y))", |x, y, a, b| if a { b } else { x == y });
    check_bool("(and a (or b (not (<= x y))) true)", |x, y, a, b| {
        a && (b || x > y)
    });
    check_bool("(and)", |_, _, _, _| true);
    check_bool("(or)", |_, _, _, _| false);
    check_bool("(= (mod x 3) (mod y 3))", |x, y, _, _| {
        x.rem_euclid(3) == y.rem_euclid(3)
    });
    check_bool("(= (mod x 3) 5)", |_, _, _, _| false);
    check_bool("(not (= 1 (mod x 3)))", |x, _, _, _| x.rem_euclid(3) != 1);
    check_bool("(< (mod x 3) (mod y 2))", |x, y, _, _| {
        x.rem_euclid(3) < y.rem_euclid(2)
    });
    check_bool("(not (< (div x 2) y))", |x, y, _, _| x.div_euclid(2) >= y);
    check_bool("((_ divisible 2) (+ x y))", |x, y, _, _| {
        (x + y).rem_euclid(2) == 0
    });
    check_bool("(is_int (/ x 2))", |x, _, _, _| x.rem_euclid(2) == 0);
    check_bool("(is_int (/ (+ x y) 2.0))", |x, y, _, _| {
        (x + y).rem_euclid(2) == 0
    });
    check_bool("(< (to_real x) 1.5)", |x, _, _, _| x < 2);
    check_bool("(= (* 0.5 x) (/ y 3))", |x, y, _, _| 3 * x == 2 * y);
    check_bool("(< (/ x 2) (+ y 0.25))", |x, y, _, _| 2 * x < 4 * y + 1);
    check_bool("(let ((c (and a b))) (or c (not c) ))", |_, _, _, _| true);
    check_bool("(= (ite a 1 0) (ite b 1 0))", |_, _, a, b| a == b);
    check_bool("(! (> x y) :named here)", |x, y, _, _| x > y);
    check_bool(
        "(exists ((z Int)) (and (= x (* 2 z)) (> z y)))",
        |x, y, _, _| x % 2 == 0 && x.div_euclid(2) > y,
    );
}

#[test]
fn reals() {
    let horn = system(
        "(declare-fun p (Real Real) Bool)
         (assert (forall ((x Real)) (p x (+ (/ x 4) 1.25))))
         (assert (forall ((x Int)) (p x 1)))",
    );
    let real = |n: i64, d: i64| Value::Num(Rat::new(Int::from(n), Int::from(d)));
    let affine = &horn.clauses[0];
    assert!(derivable(&horn, affine, &[real(1, 1), real(3, 2)]));
    assert!(derivable(&horn, affine, &[real(-5, 1), real(0, 1)]));
    assert!(!derivable(&horn, affine, &[real(1, 1), real(1, 1)]));
    let whole = &horn.clauses[1];
    assert!(derivable(&horn, whole, &[real(3, 1), real(1, 1)]));
    assert!(!derivable(&horn, whole, &[real(1, 2), real(1, 1)]));
}

const WIDTH: usize = 3;
const SIZE: u64 = 1 << WIDTH;

fn signed(n: u64) -> i64 {
    let n = n as i64;
    if n >= (SIZE / 2) as i64 {
        n - SIZE as i64
    } else {
        n
    }
}

fn unsigned(n: i64) -> u64 {
    n.rem_euclid(SIZE as i64) as u64
}

/// A bit-vector expression over `x` and `y` of three bits, for all values.
fn check_bits(expression: &str, width: usize, meaning: impl Fn(u64, u64) -> u64) {
    let horn = system(&format!(
        "(declare-fun p ((_ BitVec 3) (_ BitVec 3) (_ BitVec {width})) Bool)
         (assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3)) (r (_ BitVec {width}))) (=> (= r {expression}) (p x y r))))"
    ));
    assert_eq!(horn.clauses.len(), 1, "{expression}");
    for x in 0..SIZE {
        for y in 0..SIZE {
            for r in 0..1 << width {
                let values = [bits(x, WIDTH), bits(y, WIDTH), bits(r, width)].concat();
                let found = derivable(&horn, &horn.clauses[0], &values);
                assert_eq!(found, r == meaning(x, y), "{expression} x={x} y={y} r={r}");
            }
        }
    }
}

#[test]
fn bit_vector_operators() {
    check_bits("(bvadd x y #b001)", 3, |x, y| (x + y + 1) % SIZE);
    check_bits("(bvsub x y)", 3, |x, y| (x + SIZE - y) % SIZE);
    check_bits("(bvmul x y)", 3, |x, y| x * y % SIZE);
    check_bits("(bvmul x (_ bv3 3))", 3, |x, _| x * 3 % SIZE);
    check_bits("(bvneg x)", 3, |x, _| (SIZE - x) % SIZE);
    check_bits("(bvnot x)", 3, |x, _| SIZE - 1 - x);
    check_bits("(bvand x y)", 3, |x, y| x & y);
    check_bits("(bvor x y)", 3, |x, y| x | y);
    check_bits("(bvxor x y)", 3, |x, y| x ^ y);
    check_bits("(bvnand x y)", 3, |x, y| !(x & y) % SIZE);
    check_bits("(bvnor x y)", 3, |x, y| !(x | y) % SIZE);
    check_bits("(bvxnor x y)", 3, |x, y| !(x ^ y) % SIZE);
    check_bits("(bvudiv x y)", 3, |x, y| {
        x.checked_div(y).unwrap_or(SIZE - 1)
    });
    check_bits("(bvurem x y)", 3, |x, y| x.checked_rem(y).unwrap_or(x));
    // By zero as SMT-LIB defines it from the unsigned operators.
    check_bits("(bvsdiv x y)", 3, |x, y| {
        let (x, y) = (signed(x), signed(y));
        unsigned(match y {
            0 if x < 0 => 1,
            0 => -1,
            _ => x / y,
        })
    });
    check_bits("(bvsrem x y)", 3, |x, y| {
        let (x, y) = (signed(x), signed(y));
        unsigned(if y == 0 { x } else { x % y })
    });
    check_bits("(bvsmod x y)", 3, |x, y| {
        let (x, y) = (signed(x), signed(y));
        let rest = if y == 0 { x } else { x.rem_euclid(y) };
        unsigned(if rest != 0 && y < 0 { rest + y } else { rest })
    });
    check_bits("(bvshl x y)", 3, |x, y| (x << y) % SIZE);
    check_bits("(bvlshr x y)", 3, |x, y| x >> y);
    check_bits("(bvashr x y)", 3, |x, y| unsigned(signed(x) >> y));
    check_bits("(concat x y)", 6, |x, y| x << 3 | y);
    check_bits("((_ extract 2 1) x)", 2, |x, _| x >> 1);
    check_bits("((_ extract 0 0) x)", 1, |x, _| x & 1);
    check_bits("((_ zero_extend 1) x)", 4, |x, _| x);
    check_bits(
        "((_ sign_extend 1) x)",
        4,
        |x, _| if x >= 4 { x | 8 } else { x },
    );
    check_bits("((_ rotate_left 1) x)", 3, |x, _| (x << 1 | x >> 2) % SIZE);
    check_bits("((_ rotate_right 4) x)", 3, |x, _| (x >> 1 | x << 2) % SIZE);
    check_bits("((_ repeat 2) x)", 6, |x, _| x << 3 | x);
    check_bits("(bvcomp x y)", 1, |x, y| u64::from(x == y));
    check_bits("(ite (bvult x y) x y)", 3, |x, y| x.min(y));
    check_bits("#b101", 3, |_, _| 5);
    check_bits("#xa", 4, |_, _| 10);
    check_bits("(_ bv6 3)", 3, |_, _| 6);
}

#[test]
fn bit_vector_comparisons() {
    let flag = |formula: &str| format!("(ite {formula} #b1 #b0)");
    let check = |formula: &str, meaning: &dyn Fn(u64, u64) -> bool| {
        check_bits(&flag(formula), 1, |x, y| u64::from(meaning(x, y)));
    };
    check("(bvult x y)", &|x, y| x < y);
    check("(bvule x y)", &|x, y| x <= y);
    check("(bvugt x y)", &|x, y| x > y);
    check("(bvuge x y)", &|x, y| x >= y);
    check("(bvslt x y)", &|x, y| signed(x) < signed(y));
    check("(bvsle x y)", &|x, y| signed(x) <= signed(y));
    check("(bvsgt x y)", &|x, y| signed(x) > signed(y));
    check("(bvsge x y)", &|x, y| signed(x) >= signed(y));
    check("(distinct x y #b111)", &|x, y| x != y && y != 7 && x != 7);
    check("(= x y)", &|x, y| x == y);
}
