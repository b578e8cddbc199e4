//! Literals as rows: a linear expression and its relation to 0.

use suppose_model::chc::{Assignment, Lin, Node, Sort, TermId, Terms, Var};
use suppose_number::{Int, Rat};

/// How an expression relates to 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Rel {
    Le,
    Lt,
    Eq,
    Ne,
    Divisible(Int),
    Indivisible(Int),
}

/// A literal of arithmetic. Over integers there is no `Lt`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Row {
    pub rel: Rel,
    pub lin: Lin,
}

/// What is put in place of a variable: `factor * variable = value`, with a positive factor.
pub(super) struct Solved {
    pub var: Var,
    pub factor: Int,
    pub value: Lin,
}

/// The side from which a rational variable approaches its substitute (Loos-Weispfenning virtual substitution).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Infinitesimal {
    /// Equal to it.
    At,
    /// From above.
    Above,
    /// From below.
    Below,
}

impl Row {
    /// None for Boolean literals.
    pub fn read(terms: &Terms, literal: TermId) -> Option<Row> {
        let lit = terms.literal(literal);
        let row = |rel: Rel, lin: Lin| Some(Row { rel, lin });
        match (terms.node(lit.atom), lit.positive) {
            (Node::Le(lin), true) => row(Rel::Le, lin.clone()),
            (Node::Le(lin), false) if terms.is_integral(lin) => row(Rel::Le, lin.neg().plus(1)),
            (Node::Le(lin), false) => row(Rel::Lt, lin.neg()),
            (Node::Lt(lin), true) => row(Rel::Lt, lin.clone()),
            (Node::Lt(lin), false) => row(Rel::Le, lin.neg()),
            (Node::Eq(lin), true) => row(Rel::Eq, lin.clone()),
            (Node::Eq(lin), false) => row(Rel::Ne, lin.clone()),
            (Node::Divides(d, lin), true) => row(Rel::Divisible(d.clone()), lin.clone()),
            (Node::Divides(d, lin), false) => row(Rel::Indivisible(d.clone()), lin.clone()),
            _ => None,
        }
    }

    pub fn write(self, terms: &mut Terms) -> TermId {
        match self.rel {
            Rel::Le => terms.le(self.lin),
            Rel::Lt => terms.lt(self.lin),
            Rel::Eq => terms.eq(self.lin),
            Rel::Ne => {
                let equal = terms.eq(self.lin);
                terms.not(equal)
            }
            Rel::Divisible(d) => terms.divides(&d, &self.lin),
            Rel::Indivisible(d) => {
                let divides = terms.divides(&d, &self.lin);
                terms.not(divides)
            }
        }
    }

    pub fn holds(&self, model: &Assignment) -> bool {
        let value = self.lin.eval(|v| model.number(v));
        let divisible = |d: &Int| value.is_integer() && d.divides(value.num());
        match &self.rel {
            Rel::Le => !value.is_positive(),
            Rel::Lt => value.is_negative(),
            Rel::Eq => value.is_zero(),
            Rel::Ne => !value.is_zero(),
            Rel::Divisible(d) => divisible(d),
            Rel::Indivisible(d) => !divisible(d),
        }
    }

    /// A disequation as the strict inequality that is true in the model; anything else as it is.
    pub fn split(self, terms: &Terms, model: &Assignment) -> Row {
        if self.rel != Rel::Ne {
            return self;
        }
        let negative = self.lin.eval(|v| model.number(v)).is_negative();
        let lin = if negative { self.lin } else { self.lin.neg() };
        let row = Row { rel: Rel::Lt, lin };
        row.normal(terms)
    }

    /// With small numbers: divided by common divisors, and for integers rounded.
    pub fn normal(self, terms: &Terms) -> Row {
        let integral = terms.is_integral(&self.lin);
        match self.rel {
            Rel::Lt if integral => Row {
                rel: Rel::Le,
                lin: tighten(self.lin.plus(1)),
            },
            Rel::Le if integral => Row {
                rel: Rel::Le,
                lin: tighten(self.lin),
            },
            Rel::Divisible(d) => {
                let (d, lin) = residue(&d, &self.lin);
                Row {
                    rel: Rel::Divisible(d),
                    lin,
                }
            }
            Rel::Indivisible(d) => {
                let (d, lin) = residue(&d, &self.lin);
                Row {
                    rel: Rel::Indivisible(d),
                    lin,
                }
            }
            rel => {
                let common = self.lin.gcd().gcd(&self.lin.constant);
                Row {
                    rel,
                    lin: divide(self.lin, &common),
                }
            }
        }
    }

    /// The row without the variable; not normal.
    pub fn substitute(&self, solved: &Solved, near: Infinitesimal) -> Row {
        let factor = self.lin.factor(solved.var);
        let common = factor.gcd(&solved.factor);
        let times = solved.factor.div_exact(&common);
        let lin = self
            .lin
            .without(solved.var)
            .scale(&times)
            .add_scaled(&solved.value, &factor.div_exact(&common));
        let upper = factor.is_positive();
        let rel = match (&self.rel, near) {
            (Rel::Divisible(d), _) => Rel::Divisible(d * &times),
            (Rel::Indivisible(d), _) => Rel::Indivisible(d * &times),
            (Rel::Le | Rel::Lt, Infinitesimal::Above) => strict_if(upper),
            (Rel::Le | Rel::Lt, Infinitesimal::Below) => strict_if(!upper),
            (rel, _) => rel.clone(),
        };
        Row { rel, lin }
    }

    /// The largest number of bits of its factors.
    pub fn bits(&self) -> usize {
        let factors = self.lin.terms.iter().map(|(_, a)| a.bits());
        let divisor = match &self.rel {
            Rel::Divisible(d) | Rel::Indivisible(d) => d.bits(),
            _ => 0,
        };
        factors.chain([divisor]).max().unwrap_or(0)
    }

    /// The number by which the variable may change without a change of a divisibility literal.
    pub fn period(&self, var: Var) -> Int {
        match &self.rel {
            Rel::Divisible(d) | Rel::Indivisible(d) => d.div_exact(&d.gcd(&self.lin.factor(var))),
            _ => Int::ONE,
        }
    }

    /// An inequality or equation solved for a variable that it has.
    pub fn solve(&self, var: Var) -> Solved {
        let factor = self.lin.factor(var);
        let rest = self.lin.without(var);
        Solved {
            var,
            value: if factor.is_negative() {
                rest
            } else {
                rest.neg()
            },
            factor: factor.abs(),
        }
    }
}

impl Solved {
    /// The variable is its value in the model.
    pub fn by_value(terms: &Terms, var: Var, model: &Assignment) -> Solved {
        let value = model.number(var);
        let (num, den) = if terms.sort(var) == Sort::Int {
            (value.floor(), Int::ONE)
        } else {
            (value.num().clone(), value.den().clone())
        };
        Solved {
            var,
            factor: den,
            value: Lin::constant(num),
        }
    }

    /// What the variable would be in the model.
    pub fn at(&self, model: &Assignment) -> Rat {
        &self.value.eval(|v| model.number(v)) / &Rat::from(&self.factor)
    }
}

fn strict_if(strict: bool) -> Rel {
    if strict { Rel::Lt } else { Rel::Le }
}

fn divide(lin: Lin, divisor: &Int) -> Lin {
    if divisor.is_one() || divisor.is_zero() {
        return lin;
    }
    Lin {
        constant: lin.constant.div_exact(divisor),
        terms: over(lin.terms, divisor),
    }
}

fn over(terms: Vec<(Var, Int)>, divisor: &Int) -> Vec<(Var, Int)> {
    terms
        .into_iter()
        .map(|(v, a)| (v, a.div_exact(divisor)))
        .collect()
}

fn tighten(lin: Lin) -> Lin {
    let common = lin.gcd();
    if common.is_one() || common.is_zero() {
        return lin;
    }
    Lin {
        constant: lin.constant.div_ceil(&common),
        terms: over(lin.terms, &common),
    }
}

/// Divisor and expression of `d | t` with smallest numbers, factors below the divisor.
fn residue(d: &Int, lin: &Lin) -> (Int, Lin) {
    let terms = lin.terms.iter().map(|(v, a)| (*v, a.div_floor(d).1));
    let lin = Lin {
        terms: terms.filter(|(_, a)| !a.is_zero()).collect(),
        constant: lin.constant.div_floor(d).1,
    };
    let common = d.gcd(&lin.gcd()).gcd(&lin.constant);
    (d.div_exact(&common), divide(lin, &common))
}
