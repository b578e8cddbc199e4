//! Small systems of Horn clauses with evidence made by hand.
#![allow(dead_code, reason = "each test uses a part")]

use suppose_certify::Rejection;
use suppose_certify::chc::{check_definitions, check_derivation};
use suppose_control::Context;
use suppose_model::chc::{
    App, Assignment, Clause, Definitions, Derivation, Horn, Inference, Lin, Lit, Pred, Proof,
    ProofStep, Sort, TermId, Terms, Value, Var,
};
use suppose_number::{Int, Rat};

pub fn int(n: i64) -> Int {
    Int::from(n)
}

pub fn rat(n: i64) -> Rat {
    Rat::from(n)
}

pub fn times(n: i64, var: Var) -> Lin {
    Lin::var(var).scale(&int(n))
}

pub fn lit(terms: &mut Terms, term: TermId) -> Lit {
    terms.literal(term)
}

pub fn not(lit: Lit) -> Lit {
    Lit {
        positive: !lit.positive,
        ..lit
    }
}

/// What a check says, and never that it was stopped.
pub fn verdict(horn: &Horn, evidence: &Definitions) -> Result<(), String> {
    match check_definitions(horn, evidence, &Context::default()) {
        Ok(_) => Ok(()),
        Err(Rejection::Flawed(flaw)) => Err(format!("{}: {}", flaw.place, flaw.why)),
        Err(Rejection::Stopped(_)) => panic!("nobody asked it to stop"),
    }
}

pub fn derived(horn: &Horn, derivation: &Derivation) -> Result<(), String> {
    check_derivation(horn, derivation).map_err(|why| why.to_string())
}

/// A system of one query without predicates: it holds iff the constraint has no model.
pub fn query(terms: Terms, constraint: TermId) -> Horn {
    Horn {
        terms,
        predicates: Vec::new(),
        clauses: vec![Clause {
            body: Vec::new(),
            constraint,
            head: None,
            place: None,
        }],
    }
}

/// Its evidence.
pub fn refuted(terms: Terms, steps: Vec<ProofStep>) -> Definitions {
    Definitions {
        terms,
        definitions: Vec::new(),
        proofs: vec![Proof { steps }],
        about: None,
    }
}

/// From 0 in steps of 2, never 5; and from below 10, never above 12:
/// `x = 0 -> p(x)`; `p(x), y = x + 2, x < 10 -> p(y)`; `p(x), x = 5 -> false`; `p(x), x >= 13 -> false`.
pub fn steps_of_two() -> Horn {
    let mut horn = Horn::default();
    let p = horn.add_predicate("p", &[Sort::Int]);
    let mut fresh = |name: &str| horn.terms.fresh(name, Sort::Int);
    let [a, b, c, d, e] = [fresh("a"), fresh("b"), fresh("c"), fresh("d"), fresh("e")];
    let terms = &mut horn.terms;
    let start = terms.eq(Lin::var(a));
    let next = terms.eq(Lin::var(c).sub(&Lin::var(b)).plus(-2));
    let small = terms.lt(Lin::var(b).plus(-10));
    let next = terms.and([next, small]);
    let five = terms.eq(Lin::var(d).plus(-5));
    let large = terms.le(Lin::var(e).neg().plus(13));
    let app = |var: Var| App {
        pred: p,
        args: vec![var],
    };
    let mut clause = |body: Vec<App>, constraint: TermId, head: Option<App>| {
        horn.clauses.push(Clause {
            body,
            constraint,
            head,
            place: None,
        });
    };
    clause(vec![], start, Some(app(a)));
    clause(vec![app(b)], next, Some(app(c)));
    clause(vec![app(d)], five, None);
    clause(vec![app(e)], large, None);
    horn
}

/// `x` is even and at most 11, with proofs.
pub fn even_and_small() -> Definitions {
    let horn = steps_of_two();
    let mut terms = horn.terms.clone();
    let x = horn.predicate(Pred(0)).formals[0];
    let [a, b, c, d, e] = [1, 2, 3, 4, 5].map(Var);
    let even = terms.divides(&int(2), &Lin::var(x));
    let small = terms.le(Lin::var(x).plus(-11));
    let definition = terms.and([even, small]);
    // For each clause the literals of its definitions: evenness, its remainder's two bounds, smallness.
    let mut parts = |var: Var| {
        let even = terms.divides(&int(2), &Lin::var(var));
        let rest = Lin::var(var).add_scaled(&Lin::var(terms.quotient(even)), &int(-2));
        let above = terms.le(rest.neg());
        let below = terms.le(rest.clone().plus(-1));
        let zero = terms.le(rest);
        let small = terms.le(Lin::var(var).plus(-11));
        [even, above, below, zero, small].map(|t| terms.literal(t))
    };
    let [of_a, of_b, of_c, of_d, of_e] = [parts(a), parts(b), parts(c), parts(d), parts(e)];
    let q = |terms: &mut Terms, lits: [Lit; 5]| Lin::var(terms.quotient(lits[0].atom));
    let mut proofs = Vec::new();
    // Clause 0: a = 0 is even and small.
    let zero = terms.eq(Lin::var(a));
    let zero = lit(&mut terms, zero);
    let quotient = q(&mut terms, of_a);
    let negative = terms.le(quotient.plus(1));
    let negative = lit(&mut terms, negative);
    let half = |n: i64| Rat::new(int(n), int(2));
    proofs.push(vec![
        // a - 2q >= 1 and a = 0, so q <= -1; but a - 2q <= 1.
        cut(&[of_a[3], not(zero)], negative, &[half(1), half(1)]),
        farkas(&[not(of_a[2]), not(zero), not(negative)], &[1, -1, 2]),
        farkas(&[of_a[4], not(zero)], &[1, 1]),
        propagation(&[]),
    ]);
    // Clause 1: b even, b < 10, c = b + 2.
    let next = terms.eq(Lin::var(c).sub(&Lin::var(b)).plus(-2));
    let next = lit(&mut terms, next);
    let small = terms.lt(Lin::var(b).plus(-10));
    let small = lit(&mut terms, small);
    let (qb, qc) = (q(&mut terms, of_b), q(&mut terms, of_c));
    let at_most = terms.le(qc.sub(&qb));
    let at_most = lit(&mut terms, at_most);
    proofs.push(vec![
        // The equation is kept as b - c + 2 = 0. If c were odd, qc <= qb; but c and b differ by 2.
        cut(
            &[of_c[3], not(next), not(of_b[3])],
            at_most,
            &[half(1), half(-1), half(1)],
        ),
        farkas(
            &[not(of_c[2]), not(next), not(of_b[1]), not(at_most)],
            &[1, 1, 1, 2],
        ),
        farkas(&[of_c[4], not(next), not(small)], &[1, -1, 1]),
        propagation(&[]),
    ]);
    // Clause 2: d even and 5.
    let five = terms.eq(Lin::var(d).plus(-5));
    let five = lit(&mut terms, five);
    let qd = q(&mut terms, of_d);
    let three = terms.le(qd.neg().plus(3));
    let three = lit(&mut terms, three);
    proofs.push(vec![
        cut(&[not(of_d[3]), not(five)], three, &[half(1), half(-1)]),
        farkas(&[not(of_d[1]), not(five), not(three)], &[1, 1, 2]),
        propagation(&[]),
    ]);
    // Clause 3: e small and large.
    let large = terms.le(Lin::var(e).neg().plus(13));
    let large = lit(&mut terms, large);
    proofs.push(vec![
        farkas(&[not(of_e[4]), not(large)], &[1, 1]),
        propagation(&[]),
    ]);
    Definitions {
        terms,
        definitions: vec![definition],
        proofs: proofs.into_iter().map(|steps| Proof { steps }).collect(),
        about: None,
    }
}

pub trait Factor {
    fn rat(&self) -> Rat;
}
impl Factor for i32 {
    fn rat(&self) -> Rat {
        rat(i64::from(*self))
    }
}
impl Factor for Rat {
    fn rat(&self) -> Rat {
        self.clone()
    }
}

pub fn propagation(clause: &[Lit]) -> ProofStep {
    ProofStep::Propagation {
        clause: clause.to_vec(),
    }
}

pub fn farkas<F: Factor>(clause: &[Lit], factors: &[F]) -> ProofStep {
    ProofStep::Farkas {
        clause: clause.to_vec(),
        factors: factors.iter().map(Factor::rat).collect(),
    }
}

/// From premises to a conclusion.
pub fn cut<F: Factor>(premises: &[Lit], conclusion: Lit, factors: &[F]) -> ProofStep {
    let mut clause = premises.to_vec();
    clause.push(conclusion);
    ProofStep::Cut {
        clause,
        factors: factors.iter().map(Factor::rat).collect(),
    }
}

/// Grows from 0 in steps of 3, and a second predicate adds two such numbers; 9 = 3 + 6 is reached.
pub fn sums() -> (Horn, Derivation) {
    let mut horn = Horn::default();
    let p = horn.add_predicate("p", &[Sort::Int]);
    let s = horn.add_predicate("s", &[Sort::Int, Sort::Bool]);
    let mut fresh = |name: &str, sort: Sort| horn.terms.fresh(name, sort);
    let a = fresh("a", Sort::Int);
    let (b, c) = (fresh("b", Sort::Int), fresh("c", Sort::Int));
    let (d, e, f) = (
        fresh("d", Sort::Int),
        fresh("e", Sort::Int),
        fresh("f", Sort::Int),
    );
    let (flag, g, h) = (
        fresh("flag", Sort::Bool),
        fresh("g", Sort::Int),
        fresh("h", Sort::Bool),
    );
    let terms = &mut horn.terms;
    let start = terms.eq(Lin::var(a));
    let next = terms.eq(Lin::var(c).sub(&Lin::var(b)).plus(-3));
    let sum = terms.eq(Lin::var(d).add(&Lin::var(e)).sub(&Lin::var(f)));
    let big = terms.lt(Lin::var(d).sub(&Lin::var(e)));
    let flagged = terms.var(flag);
    let marked = terms.iff(flagged, big);
    let sum = terms.and([sum, marked]);
    let nine = terms.eq(Lin::var(g).plus(-9));
    let set = terms.var(h);
    let bad = terms.and([nine, set]);
    let app = |pred: Pred, args: &[Var]| App {
        pred,
        args: args.to_vec(),
    };
    let clause = |body: Vec<App>, constraint: TermId, head: Option<App>| Clause {
        body,
        constraint,
        head,
        place: None,
    };
    horn.clauses = vec![
        clause(vec![], start, Some(app(p, &[a]))),
        clause(vec![app(p, &[b])], next, Some(app(p, &[c]))),
        clause(
            vec![app(p, &[d]), app(p, &[e])],
            sum,
            Some(app(s, &[f, flag])),
        ),
        clause(vec![app(s, &[g, h])], bad, None),
    ];
    let values = |pairs: &[(Var, i64)]| {
        let mut values = Assignment::default();
        for &(var, n) in pairs {
            values.set(var, Value::Num(rat(n)));
        }
        values
    };
    let step = |clause: usize, values: Assignment, premises: &[usize]| Inference {
        clause,
        values,
        premises: premises.to_vec(),
    };
    let mut added = values(&[(d, 3), (e, 6), (f, 9)]);
    added.set(flag, Value::Bool(true));
    let mut last = values(&[(g, 9)]);
    last.set(h, Value::Bool(true));
    let steps = vec![
        step(0, values(&[]), &[]),
        step(1, values(&[(c, 3)]), &[0]),
        step(1, values(&[(b, 3), (c, 6)]), &[1]),
        step(2, added, &[1, 2]),
        step(3, last, &[3]),
    ];
    (horn, Derivation { steps })
}
