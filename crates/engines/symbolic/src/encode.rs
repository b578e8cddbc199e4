//! Variables as bits, expressions as functions of bits.
//!
//! A variable has the bits of the number of its value ([`Type::value`]); numbers that stand for no value are shut out by a
//! constraint of their own. Each bit has a partner for the next state, right below it in the order, and the two stay together.
//! Booleans are functions, words and numbers vectors of them (so that arithmetic costs what the bits cost and not what the values do),
//! constants of enumerations lists of cases.

use rustc_hash::FxHashMap;
use suppose_model::fsm::{
    BinaryOp, Cast, ExprId, Exprs, Node, Sort, System, Type, Value, VarId, VariableKind, parts,
};

use crate::bdd::{Bdd, Bdds, Var};
use crate::layout::{Bits, Layout, Slot};
use crate::numbers::{Arithmetic, Done, Number};

/// An expression.
#[derive(Clone, Debug)]
enum Coded {
    Truth(Bdd),
    /// Of a number.
    Number(Number),
    Word(Vec<Bdd>),
    /// Where it has which value; disjoint.
    Cases(Vec<(Value, Bdd)>),
    /// It never has a value.
    Nothing,
}

/// Encodes the expressions of one system.
#[derive(Debug)]
pub struct Encoder<'a> {
    system: &'a System,
    bdds: Bdds,
    arithmetic: Arithmetic,
    bits: Vec<Bits>,
    known: FxHashMap<ExprId, Coded>,
    cuts: FxHashMap<ExprId, Bdd>,
}

/// How many bits number that many values.
pub(crate) fn width(size: usize) -> usize {
    (usize::BITS - size.saturating_sub(1).leading_zeros()) as usize
}

impl<'a> Encoder<'a> {
    /// Makes bits for all variables, in that order from the top, those of a group interleaved.
    pub fn new(system: &'a System, order: &[Vec<VarId>], bdds: Bdds) -> Self {
        let mut bits = vec![
            Bits {
                current: Vec::new(),
                next: Vec::new(),
            };
            system.variables.len()
        ];
        let mut block = 0;
        let width = |var: &VarId| system.variable(*var).ty.bits();
        for group in order {
            let highest = group.iter().map(width).max().unwrap_or(0);
            // The highest bit first: comparisons decide there.
            for at in (0..highest).rev() {
                for var in group.iter().filter(|v| at < width(v)) {
                    let it = &mut bits[var.index()];
                    it.current.insert(0, bdds.var(block));
                    if system.variable(*var).kind != VariableKind::Input {
                        it.next.insert(0, bdds.var(block));
                    }
                    block += 1;
                }
            }
        }
        Encoder::with_bits(system, bits, bdds)
    }

    /// With bits that are there already, by the numbers of the variables.
    pub(crate) fn with_bits(system: &'a System, bits: Vec<Bits>, bdds: Bdds) -> Self {
        Encoder {
            system,
            arithmetic: Arithmetic::new(&bdds),
            bdds,
            bits,
            known: FxHashMap::default(),
            cuts: FxHashMap::default(),
        }
    }

    fn slot(&self, var: VarId) -> Slot {
        Slot {
            ty: self.system.variable(var).ty.clone(),
            bits: self.bits(var).clone(),
        }
    }

    /// How states and inputs lie in the bits.
    pub fn layout(&self) -> Layout {
        Layout {
            states: self.system.state_vars().map(|v| self.slot(v)).collect(),
            inputs: self.system.inputs().map(|v| self.slot(v)).collect(),
        }
    }

    /// The system.
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// The manager.
    pub fn bdds(&self) -> &Bdds {
        &self.bdds
    }

    /// The bits of a variable.
    pub fn bits(&self, var: VarId) -> &Bits {
        &self.bits[var.index()]
    }

    fn exprs(&self) -> &'a Exprs {
        &self.system.exprs
    }

    /// The value of a variable under an assignment of bits; the first value if the bits stand for none.
    pub fn value(&self, var: VarId, bit: impl Fn(Var) -> bool) -> Value {
        self.slot(var).value(false, bit)
    }

    fn side(&self, var: VarId, next: bool) -> &[Var] {
        let bits = &self.bits[var.index()];
        if next { &bits.next } else { &bits.current }
    }

    /// Where the bits of a variable stand for a value.
    pub fn valid(&self, var: VarId, next: bool) -> Done<Bdd> {
        let ty = &self.system.variable(var).ty;
        if ty.is_full() {
            return Ok(self.bdds.constant(true));
        }
        let bits = self.vector(self.side(var, next))?;
        let number = self.arithmetic.of_word(&bits, false);
        let limit = self.arithmetic.constant(ty.size() as i128);
        self.arithmetic.less(&number, &limit)
    }

    fn vector(&self, vars: &[Var]) -> Done<Vec<Bdd>> {
        vars.iter().map(|v| self.bdds.literal(*v, true)).collect()
    }

    /// A boolean expression as a function; false where it fails.
    pub fn truth(&mut self, expr: ExprId) -> Done<Bdd> {
        match self.code(expr)? {
            Coded::Truth(bdd) => Ok(bdd),
            _ => Ok(self.bdds.constant(false)),
        }
    }

    /// Where the value of the variable is among those of the expression: what an assignment says.
    pub fn assigned(&mut self, var: VarId, next: bool, expr: ExprId) -> Done<Bdd> {
        let variable = self.variable(var, next)?;
        self.among(&variable, expr)
    }

    /// The function of an expression and everything in it, parts first: expressions can be deeper than the stack.
    fn code(&mut self, expr: ExprId) -> Done<Coded> {
        if let Some(known) = self.known.get(&expr) {
            return Ok(known.clone());
        }
        for it in self.unknown(expr) {
            let cut = self.cuts.get(&it).cloned();
            if cut.is_some() || !self.exprs().is_set(it) {
                let coded = match cut {
                    Some(cut) => Coded::Truth(cut),
                    None => self.node(it)?,
                };
                self.known.insert(it, coded);
            }
        }
        Ok(self.part(expr))
    }

    /// What of an expression is to be encoded still, parts before wholes; nothing below what is cut.
    fn unknown(&self, expr: ExprId) -> Vec<ExprId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let (mut open, mut found) = (vec![expr], Vec::new());
        while let Some(it) = open.pop() {
            if !self.known.contains_key(&it) && seen.insert(it) {
                found.push(it);
                if !self.cuts.contains_key(&it) {
                    open.extend(parts(self.exprs().node(it)));
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// From now on a boolean expression is that function, whatever it is made of.
    pub(crate) fn cut(&mut self, expr: ExprId, function: Bdd) {
        self.cuts.insert(expr, function);
        self.forget();
    }

    /// What was cut is so again.
    pub(crate) fn recut(&mut self, cuts: FxHashMap<ExprId, Bdd>) {
        self.cuts = cuts;
        self.forget();
    }

    /// Expressions are what they are made of again; returns what was cut.
    pub(crate) fn uncut(&mut self) -> FxHashMap<ExprId, Bdd> {
        self.forget();
        std::mem::take(&mut self.cuts)
    }

    fn part(&self, expr: ExprId) -> Coded {
        self.known.get(&expr).cloned().unwrap_or(Coded::Nothing)
    }

    fn truth_of(&self, expr: ExprId) -> Bdd {
        match self.known.get(&expr) {
            Some(Coded::Truth(bdd)) => bdd.clone(),
            _ => self.bdds.constant(false),
        }
    }

    fn node(&mut self, expr: ExprId) -> Done<Coded> {
        match self.exprs().node(expr) {
            Node::Value(value) => Ok(self.constant(value)),
            Node::Current(var) => self.variable(*var, false),
            Node::Next(var) => self.variable(*var, true),
            Node::Not(a) => self.not(*a),
            Node::Negate(a) => self.negate(*a),
            Node::And(all) => self.junction(all, true),
            Node::Or(all) => self.junction(all, false),
            Node::Binary(BinaryOp::In, a, b) => Ok(Coded::Truth(self.within(*a, *b)?)),
            Node::Binary(op, a, b) => self.binary(expr, *op, *a, *b),
            Node::Ite(test, a, b) => {
                let test = self.truth_of(*test);
                self.ite(&test, self.part(*a), self.part(*b))
            }
            Node::Bits(a, high, low) => match self.part(*a) {
                Coded::Word(bits) => Ok(Coded::Word(bits[*low as usize..=*high as usize].to_vec())),
                _ => Ok(Coded::Nothing),
            },
            Node::Cast(cast, a) => self.cast(expr, *cast, *a),
            Node::Count(all) => {
                let mut sum = self.arithmetic.constant(0);
                for part in all.iter() {
                    let bit = [self.truth_of(*part)];
                    let one = self.arithmetic.of_word(&bit, false);
                    sum = self.arithmetic.add(&sum, &one)?;
                }
                Ok(Coded::Number(sum))
            }
            Node::Set(_) | Node::EvaluationError(_) => Ok(Coded::Nothing),
        }
    }

    fn constant(&self, value: &Value) -> Coded {
        match value {
            Value::Bool(b) => Coded::Truth(self.bdds.constant(*b)),
            Value::Int(n) => Coded::Number(self.arithmetic.constant((*n).into())),
            Value::Symbol(_) => Coded::Cases(vec![(value.clone(), self.bdds.constant(true))]),
            Value::Word(w) => {
                let bit = |at| self.bdds.constant(w.bit(at));
                Coded::Word((0..w.width).map(bit).collect())
            }
        }
    }

    fn variable(&self, var: VarId, next: bool) -> Done<Coded> {
        let bits = self.vector(self.side(var, next))?;
        match &self.system.variable(var).ty {
            Type::Boolean => Ok(Coded::Truth(bits[0].clone())),
            Type::Word { .. } => Ok(Coded::Word(bits)),
            Type::Range(low, _) => {
                let index = self.arithmetic.of_word(&bits, false);
                let low = self.arithmetic.constant((*low).into());
                Ok(Coded::Number(self.arithmetic.add(&index, &low)?))
            }
            Type::Enumeration(values) => {
                let mut cases = Vec::new();
                for (index, value) in values.iter().enumerate() {
                    let vars = self.side(var, next).iter().enumerate();
                    let literals: Vec<(Var, bool)> =
                        vars.map(|(at, v)| (*v, index >> at & 1 == 1)).collect();
                    cases.push((value.clone(), self.bdds.minterm(&literals)?));
                }
                self.tidy(Coded::Cases(cases))
            }
        }
    }

    /// Cases that are all numbers are one.
    fn tidy(&self, coded: Coded) -> Done<Coded> {
        let Coded::Cases(cases) = &coded else {
            return Ok(coded);
        };
        let mut sum = self.arithmetic.constant(0);
        for (value, when) in cases {
            let Value::Int(n) = value else {
                return Ok(coded);
            };
            let number = self.arithmetic.constant((*n).into());
            sum = self.arithmetic.ite(when, &number, &sum)?;
        }
        Ok(Coded::Number(sum))
    }

    fn not(&self, a: ExprId) -> Done<Coded> {
        Ok(match self.part(a) {
            Coded::Truth(bdd) => Coded::Truth(bdd.not()),
            Coded::Word(bits) => Coded::Word(bits.iter().map(Bdd::not).collect()),
            other => other,
        })
    }

    fn negate(&self, a: ExprId) -> Done<Coded> {
        Ok(match self.part(a) {
            Coded::Number(number) => Coded::Number(self.arithmetic.negate(&number)?),
            Coded::Word(bits) => {
                let number = self.arithmetic.of_word(&bits, true);
                let negated = self.arithmetic.negate(&number)?;
                Coded::Word(Arithmetic::to_word(&negated, bits.len() as u32))
            }
            other => other,
        })
    }

    fn junction(&self, all: &[ExprId], and: bool) -> Done<Coded> {
        let join = |a: &Bdd, b: &Bdd| if and { a.and(b) } else { a.or(b) };
        let mut parts = all.iter().map(|part| self.part(*part));
        let mut so_far = parts.next().unwrap_or(Coded::Nothing);
        for part in parts {
            so_far = bitwise(so_far, part, join)?;
        }
        Ok(so_far)
    }

    fn ite(&self, test: &Bdd, a: Coded, b: Coded) -> Done<Coded> {
        match (a, b) {
            (Coded::Nothing, other) | (other, Coded::Nothing) => Ok(other),
            (Coded::Number(a), Coded::Number(b)) => {
                Ok(Coded::Number(self.arithmetic.ite(test, &a, &b)?))
            }
            (Coded::Cases(a), Coded::Cases(b)) => cases_ite(test, a, b),
            (Coded::Number(a), Coded::Cases(b)) => cases_ite(test, self.spread(&a)?, b),
            (Coded::Cases(a), Coded::Number(b)) => cases_ite(test, a, self.spread(&b)?),
            (a, b) => bitwise(a, b, |a, b| test.ite(a, b)),
        }
    }

    /// All values of a number, as cases.
    fn spread(&self, number: &Number) -> Done<Vec<(Value, Bdd)>> {
        let mut cases = vec![(0i64, self.bdds.constant(true))];
        let last = number.bits.len() - 1;
        for (at, bit) in number.bits.iter().enumerate() {
            let weight = if at == last {
                -(1i64 << at)
            } else {
                1i64 << at
            };
            let mut more = Vec::new();
            for (value, when) in cases {
                for (value, when) in [(value + weight, when.and(bit)?), (value, when.minus(bit)?)] {
                    if !when.is_false() {
                        more.push((value, when));
                    }
                }
            }
            cases = more;
        }
        Ok(cases.into_iter().map(|(n, w)| (Value::Int(n), w)).collect())
    }

    fn binary(&mut self, expr: ExprId, op: BinaryOp, a: ExprId, b: ExprId) -> Done<Coded> {
        use BinaryOp as Op;
        let (left, right) = (self.part(a), self.part(b));
        match op {
            Op::Implies => bitwise(left, right, |x, y| x.implies(y)),
            Op::Iff | Op::Xnor => bitwise(left, right, |x, y| x.iff(y)),
            Op::Xor => bitwise(left, right, |x, y| x.xor(y)),
            Op::Equal => Ok(Coded::Truth(self.equal(&left, &right)?)),
            Op::Unequal => Ok(Coded::Truth(self.equal(&left, &right)?.not())),
            Op::Concatenate => match (left, right) {
                (Coded::Word(high), Coded::Word(mut low)) => {
                    low.extend(high);
                    Ok(Coded::Word(low))
                }
                _ => Ok(Coded::Nothing),
            },
            Op::ShiftLeft | Op::ShiftRight => self.shift(op, a, b),
            _ => {
                let numbers = (self.number(a)?, self.number(b)?);
                let (Some(x), Some(y)) = numbers else {
                    return Ok(Coded::Nothing);
                };
                self.on_numbers(expr, op, &x, &y)
            }
        }
    }

    fn on_numbers(&self, expr: ExprId, op: BinaryOp, x: &Number, y: &Number) -> Done<Coded> {
        use BinaryOp as Op;
        let it = &self.arithmetic;
        let number = match op {
            Op::Less => return Ok(Coded::Truth(it.less(x, y)?)),
            Op::AtMost => return Ok(Coded::Truth(it.less(y, x)?.not())),
            Op::Greater => return Ok(Coded::Truth(it.less(y, x)?)),
            Op::AtLeast => return Ok(Coded::Truth(it.less(x, y)?.not())),
            Op::Add => it.add(x, y)?,
            Op::Subtract => it.subtract(x, y)?,
            Op::Multiply => it.multiply(x, y)?,
            Op::Divide => it.divide(x, y)?.0,
            Op::Modulo => it.divide(x, y)?.1,
            Op::Max => it.ite(&it.less(x, y)?, y, x)?,
            Op::Min => it.ite(&it.less(x, y)?, x, y)?,
            _ => return Ok(Coded::Nothing),
        };
        Ok(match self.exprs().sort(expr) {
            Sort::Word { width, .. } => Coded::Word(Arithmetic::to_word(&number, width)),
            _ => Coded::Number(number),
        })
    }

    /// A number, or a word as a number.
    fn number(&self, expr: ExprId) -> Done<Option<Number>> {
        Ok(match (self.part(expr), self.exprs().sort(expr)) {
            (Coded::Number(number), _) => Some(number),
            (Coded::Word(bits), Sort::Word { signed, .. }) => {
                Some(self.arithmetic.of_word(&bits, signed))
            }
            (Coded::Truth(bdd), _) => Some(self.arithmetic.of_word(&[bdd], false)),
            _ => None,
        })
    }

    fn shift(&self, op: BinaryOp, a: ExprId, by: ExprId) -> Done<Coded> {
        let (Coded::Word(bits), Some(amount)) = (self.part(a), self.number(by)?) else {
            return Ok(Coded::Nothing);
        };
        let signed = matches!(self.exprs().sort(a), Sort::Word { signed: true, .. });
        let zero = self.bdds.constant(false);
        let fill = match bits.last() {
            Some(sign) if signed && op == BinaryOp::ShiftRight => sign.clone(),
            _ => zero,
        };
        let mut result = bits.clone();
        for places in 1..=bits.len() {
            let constant = self.arithmetic.constant(places as i128);
            let when = self.arithmetic.equal(&amount, &constant)?;
            if when.is_false() {
                continue;
            }
            for (at, bit) in result.iter_mut().enumerate() {
                let from = match op {
                    BinaryOp::ShiftLeft => at.checked_sub(places),
                    _ => Some(at + places),
                };
                let moved = from.and_then(|f| bits.get(f)).unwrap_or(&fill);
                *bit = when.ite(moved, bit)?;
            }
        }
        Ok(Coded::Word(result))
    }

    fn cast(&self, expr: ExprId, cast: Cast, a: ExprId) -> Done<Coded> {
        let part = self.part(a);
        let nonzero = |bits: &[Bdd]| -> Done<Bdd> {
            let zero = self.bdds.constant(false);
            bits.iter().try_fold(zero, |sum, bit| sum.or(bit))
        };
        Ok(match (cast, part) {
            (Cast::Bool, Coded::Number(number)) => Coded::Truth(nonzero(&number.bits)?),
            (Cast::Bool, Coded::Word(bits)) => Coded::Truth(nonzero(&bits)?),
            (Cast::Word1, Coded::Truth(bdd)) => Coded::Word(vec![bdd]),
            (Cast::Abs, Coded::Number(number)) => Coded::Number(self.arithmetic.abs(&number)?),
            (Cast::ToInt, Coded::Truth(_) | Coded::Word(_)) => match self.number(a)? {
                Some(number) => Coded::Number(number),
                None => Coded::Nothing,
            },
            (Cast::Extend(_) | Cast::Resize(_), Coded::Word(bits)) => {
                let Sort::Word { signed, width } = self.exprs().sort(expr) else {
                    return Ok(Coded::Nothing);
                };
                let number = self.arithmetic.of_word(&bits, signed);
                let mut word = Arithmetic::to_word(&number, width);
                if signed
                    && (width as usize) < bits.len()
                    && let (Some(top), Some(sign)) = (word.last_mut(), bits.last())
                {
                    *top = sign.clone();
                }
                Coded::Word(word)
            }
            (_, part) => part,
        })
    }

    fn equal(&self, a: &Coded, b: &Coded) -> Done<Bdd> {
        match (a, b) {
            (Coded::Truth(a), Coded::Truth(b)) => a.iff(b),
            (Coded::Number(a), Coded::Number(b)) => self.arithmetic.equal(a, b),
            (Coded::Word(a), Coded::Word(b)) => {
                let one = self.bdds.constant(true);
                let mut pairs = a.iter().zip(b);
                pairs.try_fold(one, |all, (a, b)| all.and(&a.iff(b)?))
            }
            (Coded::Cases(a), Coded::Cases(b)) => {
                let mut any = self.bdds.constant(false);
                for (value, when) in a {
                    for (_, other) in b.iter().filter(|(v, _)| v == value) {
                        any = any.or(&when.and(other)?)?;
                    }
                }
                Ok(any)
            }
            (Coded::Number(number), Coded::Cases(cases))
            | (Coded::Cases(cases), Coded::Number(number)) => {
                let mut any = self.bdds.constant(false);
                for (value, when) in cases {
                    if let Value::Int(n) = value {
                        let constant = self.arithmetic.constant((*n).into());
                        let same = self.arithmetic.equal(number, &constant)?;
                        any = any.or(&when.and(&same)?)?;
                    }
                }
                Ok(any)
            }
            _ => Ok(self.bdds.constant(false)),
        }
    }

    /// Where one value is among those of an expression.
    fn among(&mut self, value: &Coded, expr: ExprId) -> Done<Bdd> {
        if !self.exprs().is_set(expr) {
            let other = self.code(expr)?;
            return self.equal(value, &other);
        }
        match self.exprs().node(expr) {
            Node::Set(all) => {
                let mut any = self.bdds.constant(false);
                for part in all.iter() {
                    any = any.or(&self.among(value, *part)?)?;
                }
                Ok(any)
            }
            Node::Ite(test, a, b) => {
                let test = self.truth(*test)?;
                let (a, b) = (self.among(value, *a)?, self.among(value, *b)?);
                test.ite(&a, &b)
            }
            _ => Ok(self.bdds.constant(false)),
        }
    }

    /// Where all values of the first expression are among those of the second.
    fn within(&mut self, a: ExprId, b: ExprId) -> Done<Bdd> {
        if !self.exprs().is_set(a) {
            let value = self.code(a)?;
            return self.among(&value, b);
        }
        match self.exprs().node(a) {
            Node::Set(all) => {
                let mut every = self.bdds.constant(true);
                for part in all.iter() {
                    every = every.and(&self.within(*part, b)?)?;
                }
                Ok(every)
            }
            Node::Ite(test, then, otherwise) => {
                let test = self.truth(*test)?;
                let (x, y) = (self.within(*then, b)?, self.within(*otherwise, b)?);
                test.ite(&x, &y)
            }
            _ => Ok(self.bdds.constant(false)),
        }
    }

    /// Forgets the functions of expressions, so that their nodes can be freed.
    pub fn forget(&mut self) {
        self.known.clear();
    }
}

/// Bit by bit.
fn bitwise(a: Coded, b: Coded, op: impl Fn(&Bdd, &Bdd) -> Done<Bdd>) -> Done<Coded> {
    Ok(match (a, b) {
        (Coded::Truth(a), Coded::Truth(b)) => Coded::Truth(op(&a, &b)?),
        (Coded::Word(a), Coded::Word(b)) => {
            let bits = a.iter().zip(&b).map(|(a, b)| op(a, b));
            Coded::Word(bits.collect::<Done<Vec<Bdd>>>()?)
        }
        _ => Coded::Nothing,
    })
}

fn cases_ite(test: &Bdd, a: Vec<(Value, Bdd)>, b: Vec<(Value, Bdd)>) -> Done<Coded> {
    let mut all: Vec<(Value, Bdd)> = Vec::new();
    for (cases, when) in [(a, test.clone()), (b, test.not())] {
        for (value, here) in cases {
            let here = here.and(&when)?;
            match all.iter_mut().find(|(v, _)| *v == value) {
                Some((_, so_far)) => *so_far = so_far.or(&here)?,
                None if here.is_false() => {}
                None => all.push((value, here)),
            }
        }
    }
    Ok(Coded::Cases(all))
}
