//! Expressions as gates: the checker's own translation.
//!
//! Engines have theirs (`suppose_aig::Frames`, decision diagrams), and nothing here is taken from them but the gates and the solver. Where they are
//! quick this is plain: values are two's complement of a width that is enough, sums carry bit by bit, and every
//! operator is defined once. The value of an expression under each valuation is what
//! [`Evaluator`](suppose_model::fsm::Evaluator) says; tests compare the two.

use suppose_aig::{Circuit, Lit};
use suppose_model::fsm::{BinaryOp, Cast, ExprId, Exprs, Node, Sort, Type, Value};

/// Bits of a number in two's complement, lowest first, at least one.
type Bits = Vec<Lit>;

/// One value.
#[derive(Clone, Debug)]
pub(super) enum Term {
    Truth(Lit),
    /// As many bits as the word has.
    Word {
        signed: bool,
        bits: Bits,
    },
    /// A number; or, where the wire is true, that of a symbol.
    Number {
        symbol: Lit,
        bits: Bits,
    },
}

/// What an expression gives.
#[derive(Clone, Debug)]
pub(super) struct Meaning {
    /// Values with the wires under which each is one of the expression's; of what is no set always one.
    pub(super) values: Vec<(Lit, Term)>,
    /// Whether it has a value.
    pub(super) ok: Lit,
}

fn sign(bits: &[Lit]) -> Lit {
    bits.last().copied().unwrap_or(Lit::FALSE)
}

/// A bit; beyond the last the sign.
fn bit(bits: &[Lit], at: usize) -> Lit {
    bits.get(at).copied().unwrap_or_else(|| sign(bits))
}

fn stretched(bits: &[Lit], width: usize) -> Bits {
    (0..width.max(1)).map(|at| bit(bits, at)).collect()
}

/// Bits of a constant.
fn number(value: i128) -> Bits {
    let width = (128 - value.abs().leading_zeros()) as usize + 1;
    let one = |at: usize| Lit::constant(value >> at.min(127) & 1 == 1);
    (0..=width).map(one).collect()
}

/// How many bits hold all numbers between two.
fn width_of(low: i64, high: i64) -> usize {
    let one = |n: i64| 65 - if n < 0 { !n } else { n }.leading_zeros() as usize;
    one(low).max(one(high))
}

/// The sum with a carry, in this many bits.
fn sum(c: &mut Circuit, a: &[Lit], b: &[Lit], carry: Lit, width: usize) -> Bits {
    let (mut carry, mut out) = (carry, Vec::with_capacity(width));
    for at in 0..width {
        let (x, y) = (bit(a, at), bit(b, at));
        let different = c.xor(x, y);
        out.push(c.xor(different, carry));
        let both = c.and(x, y);
        let passed = c.and(different, carry);
        carry = c.or(both, passed);
    }
    out
}

fn difference(c: &mut Circuit, a: &[Lit], b: &[Lit], width: usize) -> Bits {
    let not: Bits = b.iter().map(|b| !*b).collect();
    sum(c, a, &not, Lit::TRUE, width)
}

fn choice(c: &mut Circuit, test: Lit, a: &[Lit], b: &[Lit]) -> Bits {
    let width = a.len().max(b.len());
    (0..width)
        .map(|at| c.ite(test, bit(a, at), bit(b, at)))
        .collect()
}

fn same(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    let mut all = Lit::TRUE;
    for at in 0..a.len().max(b.len()) {
        let equal = c.iff(bit(a, at), bit(b, at));
        all = c.and(all, equal);
    }
    all
}

/// Is the first less, as numbers with a sign? From the lowest bit up: the highest that differs decides.
fn less(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    let width = a.len().max(b.len());
    let mut less = Lit::FALSE;
    for at in 0..width {
        // The sign counts the other way round.
        let (x, y) = match at + 1 == width {
            true => (bit(b, at), bit(a, at)),
            false => (bit(a, at), bit(b, at)),
        };
        let here = c.and(!x, y);
        let equal = c.iff(x, y);
        let before = c.and(equal, less);
        less = c.or(here, before);
    }
    less
}

/// The product in this many bits: sums of what each bit of the first adds. The second is stretched, so that the low bits are right for
/// numbers with a sign too.
fn product(c: &mut Circuit, a: &[Lit], b: &[Lit], width: usize) -> Bits {
    let mut total = vec![Lit::FALSE; width];
    for at in 0..width {
        let mut row = vec![Lit::FALSE; at];
        for place in 0..width - at {
            let both = c.and(bit(a, at), bit(b, place));
            row.push(both);
        }
        total = sum(c, &total, &row, Lit::FALSE, width);
    }
    total
}

fn absolute(c: &mut Circuit, a: &[Lit]) -> Bits {
    let negated = difference(c, &[Lit::FALSE], a, a.len() + 1);
    choice(c, sign(a), &negated, a)
}

/// Quotient, towards zero, and rest, with the sign of the first. Anything where the second is zero.
fn division(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
    let (n, d) = (absolute(c, a), absolute(c, b));
    let width = n.len().max(d.len()) + 1;
    let mut rest: Bits = vec![Lit::FALSE];
    let mut quotient = vec![Lit::FALSE; n.len() + 1];
    for at in (0..n.len()).rev() {
        rest.insert(0, n[at]);
        let rest_ = stretched(&rest, width + 1);
        let smaller = less(c, &rest_, &d);
        let taken = difference(c, &rest_, &d, width + 1);
        let mut left = choice(c, smaller, &rest_, &taken);
        // What is left is less than the second, so the upper bits are zero.
        left.truncate(width);
        if let Some(last) = left.last_mut() {
            *last = Lit::FALSE;
        }
        rest = left;
        quotient[at] = !smaller;
    }
    let negated = difference(c, &[Lit::FALSE], &quotient, quotient.len() + 1);
    let opposite = c.xor(sign(a), sign(b));
    let quotient = choice(c, opposite, &negated, &quotient);
    let negated = difference(c, &[Lit::FALSE], &rest, rest.len() + 1);
    (quotient, choice(c, sign(a), &negated, &rest))
}

impl Term {
    pub(super) fn constant(value: &Value) -> Term {
        match value {
            Value::Bool(truth) => Term::Truth(Lit::constant(*truth)),
            Value::Int(n) => Term::Number {
                symbol: Lit::FALSE,
                bits: number((*n).into()),
            },
            Value::Symbol(symbol) => Term::Number {
                symbol: Lit::TRUE,
                bits: number(symbol.0.into()),
            },
            Value::Word(w) => Term::Word {
                signed: w.signed,
                bits: (0..w.width).map(|at| Lit::constant(w.bit(at))).collect(),
            },
        }
    }

    /// A variable whose value has the number (among those of its type) that the bits say.
    pub(super) fn variable(c: &mut Circuit, ty: &Type, index: &[Lit]) -> Term {
        match ty {
            Type::Boolean => Term::Truth(index.first().copied().unwrap_or(Lit::FALSE)),
            Type::Word { signed, .. } => Term::Word {
                signed: *signed,
                bits: index.to_vec(),
            },
            Type::Range(low, high) => {
                let mut from_low = index.to_vec();
                from_low.push(Lit::FALSE);
                let width = width_of(*low, *high).max(from_low.len()) + 1;
                let bits = sum(c, &from_low, &number((*low).into()), Lit::FALSE, width);
                Term::Number {
                    symbol: Lit::FALSE,
                    bits: stretched(&bits, width_of(*low, *high)),
                }
            }
            Type::Enumeration(values) => {
                let mut term = Term::constant(values.first().unwrap_or(&Value::Int(0)));
                for (at, value) in values.iter().enumerate().skip(1) {
                    let here = c.all(
                        index
                            .iter()
                            .enumerate()
                            .map(|(i, b)| b.when(at >> i & 1 == 1)),
                    );
                    term = Term::constant(value).or_else(c, here, &term);
                }
                term
            }
        }
    }

    /// This where a wire is true, else the other.
    fn or_else(&self, c: &mut Circuit, test: Lit, other: &Term) -> Term {
        match (self, other) {
            (Term::Truth(a), Term::Truth(b)) => Term::Truth(c.ite(test, *a, *b)),
            (Term::Word { signed, bits: a }, Term::Word { bits: b, .. }) => Term::Word {
                signed: *signed,
                bits: choice(c, test, a, b),
            },
            (Term::Number { symbol: s, bits: a }, Term::Number { symbol: t, bits: b }) => {
                Term::Number {
                    symbol: c.ite(test, *s, *t),
                    bits: choice(c, test, a, b),
                }
            }
            // Of sorts that do not meet: the store has no such expression.
            _ => other.clone(),
        }
    }

    pub(super) fn equals(&self, c: &mut Circuit, other: &Term) -> Lit {
        match (self, other) {
            (Term::Truth(a), Term::Truth(b)) => c.iff(*a, *b),
            (Term::Word { bits: a, .. }, Term::Word { bits: b, .. }) if a.len() == b.len() => {
                same(c, a, b)
            }
            (Term::Number { symbol: s, bits: a }, Term::Number { symbol: t, bits: b }) => {
                let (kind, number) = (c.iff(*s, *t), same(c, a, b));
                c.and(kind, number)
            }
            _ => Lit::FALSE,
        }
    }

    /// The bits as a number with a sign.
    fn as_number(&self) -> Bits {
        match self {
            Term::Truth(truth) => vec![*truth, Lit::FALSE],
            Term::Number { bits, .. } | Term::Word { signed: true, bits } => bits.clone(),
            Term::Word { bits, .. } => {
                let mut bits = bits.clone();
                bits.push(Lit::FALSE);
                bits
            }
        }
    }

    fn bits(&self) -> Bits {
        match self {
            Term::Truth(truth) => vec![*truth],
            Term::Number { bits, .. } | Term::Word { bits, .. } => bits.clone(),
        }
    }

    /// A term of the same kind with other bits: as many as a word has, or as a number takes.
    fn with(&self, bits: Bits) -> Term {
        match self {
            Term::Truth(_) => Term::Truth(bits.first().copied().unwrap_or(Lit::FALSE)),
            Term::Word { signed, bits: old } => Term::Word {
                signed: *signed,
                bits: stretched(&bits, old.len()),
            },
            Term::Number { .. } => Term::Number {
                symbol: Lit::FALSE,
                bits,
            },
        }
    }
}

impl Meaning {
    fn one(ok: Lit, term: Term) -> Meaning {
        Meaning {
            values: vec![(Lit::TRUE, term)],
            ok,
        }
    }

    pub(super) fn variable(term: Term) -> Meaning {
        Meaning::one(Lit::TRUE, term)
    }

    /// Nowhere a value.
    fn nothing() -> Meaning {
        Meaning {
            values: Vec::new(),
            ok: Lit::FALSE,
        }
    }

    fn term(&self) -> Option<&Term> {
        self.values.first().map(|(_, term)| term)
    }

    fn truth(&self) -> Lit {
        match self.term() {
            Some(Term::Truth(truth)) => *truth,
            _ => Lit::FALSE,
        }
    }

    /// It has a value, which is true.
    pub(super) fn holds(&self, c: &mut Circuit) -> Lit {
        c.and(self.ok, self.truth())
    }

    /// It has a value, which is false.
    fn fails(&self, c: &mut Circuit) -> Lit {
        c.and(self.ok, !self.truth())
    }

    /// It has a value, and the given one is among its values.
    pub(super) fn has(&self, c: &mut Circuit, term: &Term) -> Lit {
        let mut any = Lit::FALSE;
        for (when, value) in &self.values {
            let equal = value.equals(c, term);
            let here = c.and(*when, equal);
            any = c.or(any, here);
        }
        c.and(self.ok, any)
    }
}

/// The meaning of an expression from those of its parts; of a variable the caller knows it.
pub(super) fn meaning(
    c: &mut Circuit,
    exprs: &Exprs,
    expr: ExprId,
    part: &dyn Fn(ExprId) -> Meaning,
) -> Meaning {
    let found = match exprs.node(expr) {
        Node::Value(value) => Meaning::one(Lit::TRUE, Term::constant(value)),
        Node::Current(_) | Node::Next(_) | Node::EvaluationError(_) => Meaning::nothing(),
        Node::Not(a) => unary(part(*a), |term| {
            let bits = term.bits().into_iter().map(|b| !b).collect();
            term.with(bits)
        }),
        Node::Negate(a) => unary(part(*a), |term| {
            let a = term.as_number();
            let bits = difference(c, &[Lit::FALSE], &a, a.len() + 1);
            term.with(bits)
        }),
        Node::And(all) => junction(c, all.iter().map(|a| part(*a)).collect(), true),
        Node::Or(all) => junction(c, all.iter().map(|a| part(*a)).collect(), false),
        Node::Binary(op, a, b) => binary(c, *op, &part(*a), &part(*b)),
        Node::Ite(test, a, b) => branch(c, &part(*test), part(*a), part(*b), exprs.is_set(expr)),
        Node::Set(all) => {
            let parts: Vec<Meaning> = all.iter().map(|a| part(*a)).collect();
            Meaning {
                ok: c.all(parts.iter().map(|p| p.ok)),
                values: parts.into_iter().flat_map(|p| p.values).collect(),
            }
        }
        Node::Bits(a, high, low) => unary(part(*a), |term| Term::Word {
            signed: false,
            bits: (*low..=*high)
                .map(|at| bit(&term.bits(), at as usize))
                .collect(),
        }),
        Node::Cast(to, a) => cast(c, *to, part(*a)),
        Node::Count(all) => {
            let parts: Vec<Meaning> = all.iter().map(|a| part(*a)).collect();
            let mut bits = number(0);
            for part in &parts {
                let width = bits.len() + 1;
                bits = sum(c, &bits, &[part.truth(), Lit::FALSE], Lit::FALSE, width);
            }
            let ok = c.all(parts.iter().map(|p| p.ok));
            let symbol = Lit::FALSE;
            Meaning::one(ok, Term::Number { symbol, bits })
        }
    };
    narrowed(found, exprs.sort(expr))
}

/// Numbers in as many bits as their sort needs: where there is a value it is within its bounds.
fn narrowed(mut meaning: Meaning, sort: Sort) -> Meaning {
    if let Sort::Integer(low, high) = sort {
        for (_, term) in &mut meaning.values {
            if let Term::Number { bits, .. } = term {
                bits.truncate(width_of(low, high));
            }
        }
    }
    meaning
}

fn unary(a: Meaning, work: impl FnOnce(&Term) -> Term) -> Meaning {
    match a.term() {
        Some(term) => Meaning::one(a.ok, work(term)),
        None => Meaning::nothing(),
    }
}

/// `&` (or `|`): an operand that is false (or true) decides, whatever the others do.
fn junction(c: &mut Circuit, parts: Vec<Meaning>, and: bool) -> Meaning {
    let all_there = c.all(parts.iter().map(|p| p.ok));
    let Some(Some(first)) = parts.first().map(|p| p.term().cloned()) else {
        // Only a part that never has a value has none to show; another may decide all the same.
        return decided_only(c, &parts, and);
    };
    if let Term::Word { .. } = first {
        let mut bits = first.bits();
        for part in &parts[1..] {
            let other = part.term().map_or_else(Vec::new, Term::bits);
            bits = (0..bits.len())
                .map(|at| match and {
                    true => c.and(bits[at], bit(&other, at)),
                    false => c.or(bits[at], bit(&other, at)),
                })
                .collect();
        }
        return Meaning::one(all_there, first.with(bits));
    }
    decided_only(c, &parts, and)
}

fn decided_only(c: &mut Circuit, parts: &[Meaning], and: bool) -> Meaning {
    let all_there = c.all(parts.iter().map(|p| p.ok));
    let mut decided = Lit::FALSE;
    for part in parts {
        let here = match and {
            true => part.fails(c),
            false => part.holds(c),
        };
        decided = c.or(decided, here);
    }
    let ok = c.or(all_there, decided);
    Meaning::one(ok, Term::Truth(decided.when(!and)))
}

fn branch(c: &mut Circuit, test: &Meaning, a: Meaning, b: Meaning, set: bool) -> Meaning {
    let when = test.truth();
    let there = c.ite(when, a.ok, b.ok);
    let ok = c.and(test.ok, there);
    if set {
        let mut values = Vec::new();
        for (side, meaning) in [(when, a), (!when, b)] {
            for (under, term) in meaning.values {
                values.push((c.and(side, under), term));
            }
        }
        return Meaning { values, ok };
    }
    match (a.term(), b.term()) {
        (Some(x), Some(y)) => Meaning::one(ok, x.or_else(c, when, y)),
        (Some(one), None) | (None, Some(one)) => Meaning::one(ok, one.clone()),
        (None, None) => Meaning::nothing(),
    }
}

fn binary(c: &mut Circuit, op: BinaryOp, a: &Meaning, b: &Meaning) -> Meaning {
    use BinaryOp as Op;
    let both = c.and(a.ok, b.ok);
    let truth = |ok, lit| Meaning::one(ok, Term::Truth(lit));
    if op == Op::In {
        return inside(c, a, b);
    }
    let is_truth = |m: &Meaning| matches!(m.term(), Some(Term::Truth(_)) | None);
    if op == Op::Implies && is_truth(a) && is_truth(b) {
        let (no, yes) = (a.fails(c), b.holds(c));
        let decided = c.or(no, yes);
        let ok = c.or(both, decided);
        return truth(ok, decided);
    }
    let (Some(x), Some(y)) = (a.term(), b.term()) else {
        return Meaning::nothing();
    };
    match op {
        Op::Implies | Op::Iff | Op::Xnor | Op::Xor => {
            let (p, q) = (x.bits(), y.bits());
            let one = |at: usize| match op {
                Op::Implies => c.or(!p[at], bit(&q, at)),
                Op::Xor => c.xor(p[at], bit(&q, at)),
                _ => c.iff(p[at], bit(&q, at)),
            };
            let bits = (0..p.len()).map(one).collect();
            Meaning::one(both, x.with(bits))
        }
        Op::Equal => truth(both, x.equals(c, y)),
        Op::Unequal => truth(both, !x.equals(c, y)),
        Op::Less => truth(both, less(c, &x.as_number(), &y.as_number())),
        Op::Greater => truth(both, less(c, &y.as_number(), &x.as_number())),
        Op::AtMost => truth(both, !less(c, &y.as_number(), &x.as_number())),
        Op::AtLeast => truth(both, !less(c, &x.as_number(), &y.as_number())),
        Op::ShiftLeft | Op::ShiftRight => shift(c, op == Op::ShiftLeft, both, x, y),
        Op::Concatenate => {
            let mut bits = y.bits();
            bits.extend(x.bits());
            Meaning::one(
                both,
                Term::Word {
                    signed: false,
                    bits,
                },
            )
        }
        _ => arithmetic(c, op, both, x, y),
    }
}

/// Every value of the first set is one of the second.
fn inside(c: &mut Circuit, a: &Meaning, b: &Meaning) -> Meaning {
    let mut all = Lit::TRUE;
    for (when, value) in &a.values {
        let mut any = Lit::FALSE;
        for (under, other) in &b.values {
            let equal = value.equals(c, other);
            let here = c.and(*under, equal);
            any = c.or(any, here);
        }
        let fine = c.implies(*when, any);
        all = c.and(all, fine);
    }
    Meaning::one(c.and(a.ok, b.ok), Term::Truth(all))
}

fn arithmetic(c: &mut Circuit, op: BinaryOp, both: Lit, x: &Term, y: &Term) -> Meaning {
    use BinaryOp as Op;
    let (a, b) = (x.as_number(), y.as_number());
    let wide = a.len().max(b.len()) + 1;
    let bits = match op {
        Op::Add => sum(c, &a, &b, Lit::FALSE, wide),
        Op::Subtract => difference(c, &a, &b, wide),
        Op::Multiply => {
            // Of words only the low bits stay.
            let width = match x {
                Term::Word { bits, .. } => bits.len(),
                _ => a.len() + b.len(),
            };
            product(c, &a, &b, width)
        }
        Op::Max | Op::Min => {
            let first = less(c, &a, &b);
            match op {
                Op::Max => choice(c, first, &b, &a),
                _ => choice(c, first, &a, &b),
            }
        }
        _ => {
            let (quotient, rest) = division(c, &a, &b);
            let by_zero = same(c, &b, &[Lit::FALSE]);
            let ok = c.and(both, !by_zero);
            let bits = if op == Op::Divide { quotient } else { rest };
            return Meaning::one(ok, x.with(bits));
        }
    };
    Meaning::one(both, x.with(bits))
}

/// By each amount there is, one after the other.
fn shift(c: &mut Circuit, left: bool, both: Lit, x: &Term, y: &Term) -> Meaning {
    let Term::Word { signed, bits } = x else {
        return Meaning::nothing();
    };
    let amount = y.as_number();
    let fill = if *signed && !left {
        sign(bits)
    } else {
        Lit::FALSE
    };
    let (mut shifted, mut fits) = (bits.clone(), Lit::FALSE);
    for places in 0..=bits.len() {
        let here = same(c, &amount, &number(places as i128));
        fits = c.or(fits, here);
        // Amounts that cannot be, of which there are many if the word is wide.
        if here == Lit::FALSE {
            continue;
        }
        let moved: Bits = (0..bits.len())
            .map(|at| match left {
                true => at.checked_sub(places).map_or(Lit::FALSE, |from| bits[from]),
                false => bits.get(at + places).copied().unwrap_or(fill),
            })
            .collect();
        shifted = choice(c, here, &moved, &shifted);
    }
    Meaning::one(c.and(both, fits), x.with(shifted))
}

fn cast(c: &mut Circuit, to: Cast, a: Meaning) -> Meaning {
    let resized = |term: &Term, width: usize| {
        let Term::Word { signed, bits } = term else {
            return term.clone();
        };
        let mut out = stretched(&term.as_number(), width);
        // Cut, a signed word keeps its sign.
        if *signed && width < bits.len() && width > 0 {
            out[width - 1] = sign(bits);
        }
        Term::Word {
            signed: *signed,
            bits: out,
        }
    };
    unary(a, |term| match to {
        Cast::Bool => Term::Truth(c.any(term.bits())),
        Cast::Word1 => Term::Word {
            signed: false,
            bits: term.bits(),
        },
        Cast::ToInt => match term {
            Term::Number { .. } => term.clone(),
            _ => Term::Number {
                symbol: Lit::FALSE,
                bits: term.as_number(),
            },
        },
        Cast::Signed | Cast::Unsigned => Term::Word {
            signed: to == Cast::Signed,
            bits: term.bits(),
        },
        Cast::Extend(more) => resized(term, term.bits().len() + more as usize),
        Cast::Resize(width) => resized(term, width as usize),
        Cast::Abs => term.with(absolute(c, &term.as_number())),
    })
}
