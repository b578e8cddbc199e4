//! Functions of up to eight variables against their truth tables, with the order changed on the way.

use suppose_testkit::rng::Rng;

use super::*;

const VARS: usize = 8;

/// A truth table: bit `i` is the value under the assignment whose bits are those of `i`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Truth(Vec<bool>);

impl Truth {
    fn of(f: impl Fn(usize) -> bool) -> Truth {
        Truth((0..1 << VARS).map(f).collect())
    }

    fn get(&self, at: usize) -> bool {
        self.0[at]
    }
}

fn same(bdd: &Bdd, truth: &Truth) -> bool {
    (0..1usize << VARS).all(|at| bdd.eval(|v| at >> v & 1 == 1) == truth.get(at))
}

struct Both {
    bdds: Bdds,
    pool: Vec<(Bdd, Truth)>,
    rng: Rng,
}

impl Both {
    fn new(seed: u64, block: u32) -> Both {
        let bdds = Bdds::new(Context::default());
        let mut pool = vec![
            (bdds.constant(true), Truth::of(|_| true)),
            (bdds.constant(false), Truth::of(|_| false)),
        ];
        let vars: Vec<Var> = (0..VARS as u32).map(|v| bdds.var(v / block)).collect();
        for v in vars {
            let literal = bdds.literal(v, true).unwrap();
            pool.push((literal, Truth::of(|at| at >> v & 1 == 1)));
        }
        Both {
            bdds,
            pool,
            rng: Rng::new(seed),
        }
    }

    fn pick(&mut self) -> (Bdd, Truth) {
        let at = self.rng.below(self.pool.len());
        self.pool[at].clone()
    }

    fn some_vars(&mut self) -> Vec<Var> {
        let mask = self.rng.below(1 << VARS);
        (0..VARS as u32).filter(|v| mask >> v & 1 == 1).collect()
    }

    fn step(&mut self) {
        let ((f, tf), (g, tg), (h, th)) = (self.pick(), self.pick(), self.pick());
        let vars = self.some_vars();
        let cube = self.bdds.cube(&vars).unwrap();
        let mask: usize = vars.iter().map(|v| 1usize << v).sum();
        let some = |t: &dyn Fn(usize) -> bool, at: usize| {
            (0..1usize << VARS).any(|b| (b ^ at) & !mask == 0 && t(b))
        };
        let made = match self.rng.below(10) {
            0 => (f.and(&g), Truth::of(|a| tf.get(a) && tg.get(a))),
            1 => (f.or(&g), Truth::of(|a| tf.get(a) || tg.get(a))),
            2 => (f.xor(&g), Truth::of(|a| tf.get(a) != tg.get(a))),
            3 => (
                f.ite(&g, &h),
                Truth::of(|a| if tf.get(a) { tg.get(a) } else { th.get(a) }),
            ),
            4 => (f.exists(&cube), Truth::of(|a| some(&|b| tf.get(b), a))),
            5 => (f.forall(&cube), Truth::of(|a| !some(&|b| !tf.get(b), a))),
            6 => (
                f.and_exists(&g, &cube),
                Truth::of(|a| some(&|b| tf.get(b) && tg.get(b), a)),
            ),
            7 => {
                let map: Vec<Var> = (0..VARS as u32).map(|v| v ^ 1).collect();
                let pairs: Vec<(Var, Var)> = map
                    .iter()
                    .enumerate()
                    .map(|(a, b)| (a as u32, *b))
                    .collect();
                let renaming = self.bdds.renaming(&pairs);
                let back = |a: usize| (a & 0x55) << 1 | (a & 0xaa) >> 1;
                (f.rename(&renaming), Truth::of(|a| tf.get(back(a))))
            }
            8 => (Ok(f.not()), Truth::of(|a| !tf.get(a))),
            _ => {
                for smaller in [f.constrain(&g).unwrap(), f.restrict(&g).unwrap()] {
                    let agrees = |at: usize| smaller.eval(|v| at >> v & 1 == 1) == tf.get(at);
                    assert!((0..1usize << VARS).all(|a| !tg.get(a) || agrees(a)));
                }
                let within = f.restrict(&g).unwrap().support();
                assert!(within.iter().all(|v| f.support().contains(v)) || g.is_false());
                (f.implies(&g), Truth::of(|a| !tf.get(a) || tg.get(a)))
            }
        };
        let (bdd, truth) = (made.0.unwrap(), made.1);
        assert!(same(&bdd, &truth));
        let known = self.pool.iter().find(|(_, t)| *t == truth);
        if let Some((other, _)) = known {
            assert!(*other == bdd, "equal functions are equal handles");
        }
        if self.pool.len() > 40 {
            let at = 10 + self.rng.below(30);
            self.pool.swap_remove(at);
        }
        self.pool.push((bdd, truth));
    }

    fn all_right(&self) -> bool {
        self.pool.iter().all(|(b, t)| same(b, t))
    }
}

#[test]
fn operations_equal_truth_tables_while_the_order_changes() {
    for seed in 0..60 {
        println!("seed {seed}");
        let mut both = Both::new(seed, 1 + (seed % 3) as u32);
        for round in 0..300 {
            both.step();
            if round % 37 == 0 {
                both.bdds.reorder().unwrap();
                assert!(both.all_right());
            }
            if round % 53 == 0 {
                both.bdds.live();
                assert!(both.all_right());
            }
        }
    }
}

#[test]
fn counts_equal_truth_tables() {
    for seed in 0..30 {
        println!("seed {seed}");
        let mut both = Both::new(seed, 2);
        (0..100).for_each(|_| both.step());
        let all: Vec<Var> = (0..VARS as u32).collect();
        for (bdd, truth) in &both.pool {
            let ones = truth.0.iter().filter(|v| **v).count();
            assert_eq!(bdd.count(&all), Int::from(ones as i64));
            match bdd.path() {
                None => assert_eq!(ones, 0),
                Some(path) => {
                    let value = |v| path.iter().any(|(w, value)| *w == v && *value);
                    assert!(bdd.eval(value));
                    assert_eq!(
                        bdd.and(&both.bdds.minterm(&path).unwrap()).unwrap(),
                        both.bdds.minterm(&path).unwrap()
                    );
                }
            }
        }
    }
}

/// The function that an unfortunate order makes exponential and a good one linear.
#[test]
fn sifting_finds_the_good_order_of_pairs() {
    let bdds = Bdds::new(Context::default());
    bdds.set_reordering(false);
    let n = 10;
    let vars: Vec<Var> = (0..2 * n).map(|v| bdds.var(v)).collect();
    let mut sum = bdds.constant(false);
    for i in 0..n as usize {
        let a = bdds.literal(vars[i], true).unwrap();
        let b = bdds.literal(vars[i + n as usize], true).unwrap();
        sum = sum.or(&a.and(&b).unwrap()).unwrap();
    }
    assert!(sum.size() > 1 << n);
    bdds.reorder().unwrap();
    assert_eq!(sum.size(), 2 * n as usize + 1);
}

#[test]
fn blocks_stay_together() {
    let mut both = Both::new(7, 2);
    (0..200).for_each(|_| both.step());
    both.bdds.reorder().unwrap();
    for pair in both.bdds.order().chunks(2) {
        assert_eq!(pair[0] / 2, pair[1] / 2);
    }
}

#[test]
fn garbage_is_collected() {
    let mut both = Both::new(3, 1);
    (0..500).for_each(|_| both.step());
    both.pool.truncate(2);
    assert_eq!(both.bdds.live(), 1);
}

/// Whether the pairs of a function with a bad order are put together, or something is in the way.
fn pairs(bdds: &Bdds) -> Result<Bdd, Stopped> {
    bdds.set_reordering(false);
    let vars: Vec<Var> = (0..40).map(|v| bdds.var(v)).collect();
    let mut sum = bdds.constant(false);
    for i in 0..20 {
        let both = bdds
            .literal(vars[i], true)?
            .and(&bdds.literal(vars[i + 20], true)?)?;
        sum = sum.or(&both)?;
    }
    Ok(sum)
}

#[test]
fn an_operation_can_be_stopped() {
    let bdds = Bdds::new(Context::default().with_work(3));
    assert_eq!(pairs(&bdds), Err(Stopped::Superseded));
}

#[test]
fn an_operation_ends_when_there_are_too_many_nodes() {
    let bdds = Bdds::new(Context::default());
    bdds.set_most(Some(20_000));
    assert_eq!(pairs(&bdds), Err(Stopped::Superseded));
    assert!(bdds.peak() > 20_000 && bdds.peak() < 200_000);
}
