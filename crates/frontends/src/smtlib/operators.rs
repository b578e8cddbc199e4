//! What the operators of the language do.

use suppose_model::chc::Terms;
use suppose_number::{Int, Rat};
use suppose_source::{Diagnostic, Span};

use super::apply::fit;
use super::bits::{self, Shift};
use super::elaborate::{Elaborator, MOST_TERMS, Value, internal};
use super::formula::Truth;
use super::numeric::{Number, Ratio, Relation};
use super::sexp::Id;
use super::sort::{self, Sort, WIDEST};

const CORE: &[&str] = &[
    "not", "and", "or", "xor", "=>", "implies", "iff", "=", "distinct", "ite", "+", "-", "*", "/",
    "div", "mod", "abs", "<=", "<", ">=", ">", "to_real", "to_int", "is_int",
];

const ARRAYS: &[&str] = &["select", "store"];

const BITS: &[&str] = &[
    "bvadd", "bvsub", "bvmul", "bvneg", "bvnot", "bvand", "bvor", "bvxor", "bvnand", "bvnor",
    "bvxnor", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr",
    "concat", "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge", "bvcomp",
];

/// Is it the name of an operator?
pub(super) fn is_operator(word: &str) -> bool {
    CORE.contains(&word) || BITS.contains(&word) || ARRAYS.contains(&word)
}

/// What would have to be supported for an operator of other theories.
pub(super) fn not_yet(word: &str) -> Option<&'static str> {
    match word {
        "bv2nat" | "int2bv" | "nat2bv" | "ubv_to_int" | "sbv_to_int" | "int_to_bv" => {
            Some("conversions between bit vectors and integers")
        }
        _ if word.starts_with("str.") || word.starts_with("re.") || word.starts_with("seq.") => {
            Some("strings")
        }
        _ if word.starts_with("fp.") || word == "fp" => Some("floating-point numbers"),
        _ => None,
    }
}

type Fallible<T> = Result<T, Diagnostic>;

impl Elaborator<'_> {
    /// The position of an argument.
    fn place(&self, whole: Id, argument: usize) -> Span {
        let parts = self.sexps.list(whole);
        self.sexps
            .span(parts.get(argument + 1).copied().unwrap_or(whole))
    }

    pub(super) fn unexpected(
        &self,
        whole: Id,
        argument: usize,
        found: &Value,
        expected: &str,
    ) -> Diagnostic {
        Diagnostic::error(
            self.place(whole, argument),
            format!("this is a term of sort {}", self.shown(found.sort())),
        )
        .label(format!("expected {expected}"))
    }

    fn truths(&self, args: &[Value], whole: Id) -> Fallible<Vec<Truth>> {
        let each = |(i, value): (usize, &Value)| match value {
            Value::Bool(truth) => Ok(*truth),
            other => Err(self.unexpected(whole, i, other, "Bool")),
        };
        args.iter().enumerate().map(each).collect()
    }

    /// The numbers, and whether one of them is real.
    fn numbers(&self, args: &[Value], whole: Id) -> Fallible<(Vec<Number>, bool)> {
        let mut real = false;
        let mut numbers = Vec::new();
        for (i, value) in args.iter().enumerate() {
            match value {
                Value::Number(number, is_real) => {
                    real |= is_real;
                    numbers.push(*number);
                }
                other => return Err(self.unexpected(whole, i, other, "Int or Real")),
            }
        }
        Ok((numbers, real))
    }

    pub(super) fn count(
        &self,
        word: &str,
        args: &[Value],
        allowed: std::ops::RangeInclusive<usize>,
    ) -> Fallible<()> {
        if allowed.contains(&args.len()) {
            return Ok(());
        }
        let (low, high) = (*allowed.start(), *allowed.end());
        let wanted = match (low, high) {
            (1, 1) => "1 argument".to_owned(),
            _ if low == high => format!("{low} arguments"),
            _ => format!("{low} or more arguments"),
        };
        Err(Diagnostic::error_without_place(format!(
            "`{word}` takes {wanted}, found {}",
            args.len()
        ))
        .label(format!("expected {wanted}")))
    }

    pub(super) fn operator(&mut self, word: &str, args: Vec<Value>, whole: Id) -> Fallible<Value> {
        match word {
            "not" => {
                self.count(word, &args, 1..=1)?;
                let truth = self.truths(&args, whole)?[0];
                Ok(Value::Bool(self.not(truth)))
            }
            "and" | "or" => {
                let truths = self.truths(&args, whole)?;
                let terms = &mut self.scratch.terms;
                Ok(Value::Bool(if word == "and" {
                    self.scratch.formulas.all(terms, &truths)
                } else {
                    self.scratch.formulas.any(terms, &truths)
                }))
            }
            "=>" | "implies" => {
                self.count(word, &args, 2..=usize::MAX)?;
                let mut truths = self.truths(&args, whole)?;
                // (=> a b c) is (=> a (=> b c)): all but the last are negated.
                let last = truths.len() - 1;
                for truth in &mut truths[..last] {
                    *truth = self.not(*truth);
                }
                Ok(Value::Bool(
                    self.scratch.formulas.any(&mut self.scratch.terms, &truths),
                ))
            }
            "xor" => {
                self.count(word, &args, 2..=usize::MAX)?;
                let truths = self.truths(&args, whole)?;
                let mut so_far = truths[0];
                for &truth in &truths[1..] {
                    let same = self
                        .scratch
                        .formulas
                        .same(&mut self.scratch.terms, so_far, truth);
                    so_far = self.not(same);
                }
                Ok(Value::Bool(so_far))
            }
            "=" | "iff" => {
                self.count(word, &args, 2..=usize::MAX)?;
                self.chain(&args, whole, |it, a, b, i| it.equal(a, b, whole, i))
            }
            "distinct" => self.distinct(&args, whole),
            "ite" => self.ite(args, whole),
            "<=" | "<" | ">=" | ">" => self.order(word, &args, whole),
            "+" | "-" | "*" | "/" | "div" | "mod" | "abs" | "to_real" | "to_int" | "is_int" => {
                self.arithmetic(word, &args, whole)
            }
            "select" => self.select(&args, whole),
            "store" => self.store(&args, whole),
            _ => self.bit_operator(word, args, whole),
        }
    }

    fn not(&mut self, truth: Truth) -> Truth {
        self.scratch.formulas.not(&mut self.scratch.terms, truth)
    }

    /// All neighbours are in the relation.
    fn chain(
        &mut self,
        args: &[Value],
        _whole: Id,
        mut relate: impl FnMut(&mut Self, &Value, &Value, usize) -> Fallible<Truth>,
    ) -> Fallible<Value> {
        let mut parts = Vec::new();
        for (i, pair) in args.windows(2).enumerate() {
            parts.push(relate(self, &pair[0], &pair[1], i + 1)?);
        }
        Ok(Value::Bool(
            self.scratch.formulas.all(&mut self.scratch.terms, &parts),
        ))
    }

    fn equal(&mut self, a: &Value, b: &Value, whole: Id, argument: usize) -> Fallible<Truth> {
        match (a, b) {
            (Value::Bool(a), Value::Bool(b)) => {
                Ok(self.scratch.formulas.same(&mut self.scratch.terms, *a, *b))
            }
            (Value::Number(a, r), Value::Number(b, s)) => {
                self.scratch.compare(Relation::Equal, *a, *b, *r || *s)
            }
            (Value::Bits(a), Value::Bits(b)) if a.len() == b.len() => {
                Ok(Truth::Pure(bits::equal(&mut self.scratch.terms, a, b)))
            }
            _ if a.sort() == b.sort() => self.equal_structured(a, b),
            _ => {
                let expected = format!("{}, as before it", self.shown(a.sort()));
                Err(self.unexpected(whole, argument, b, &expected))
            }
        }
    }

    fn distinct(&mut self, args: &[Value], whole: Id) -> Fallible<Value> {
        const MOST: usize = 500;
        self.count("distinct", args, 2..=usize::MAX)?;
        if args.len() > MOST {
            return Err(Diagnostic::error_without_place(format!(
                "`distinct` with more than {MOST} arguments is not supported"
            ))
            .label("expected fewer arguments"));
        }
        let mut parts = Vec::new();
        for (i, a) in args.iter().enumerate() {
            for (j, b) in args.iter().enumerate().skip(i + 1) {
                let same = self.equal(a, b, whole, j)?;
                parts.push(self.not(same));
            }
        }
        Ok(Value::Bool(
            self.scratch.formulas.all(&mut self.scratch.terms, &parts),
        ))
    }

    fn ite(&mut self, args: Vec<Value>, whole: Id) -> Fallible<Value> {
        self.count("ite", &args, 3..=3)?;
        let condition = self.truths(&args[..1], whole)?[0];
        match (&args[1], &args[2]) {
            (Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(self.scratch.formulas.choice(
                &mut self.scratch.terms,
                condition,
                *a,
                *b,
            ))),
            (Value::Number(a, r), Value::Number(b, s)) => {
                let real = *r || *s;
                Ok(Value::Number(
                    self.scratch.choose(condition, *a, *b, real)?,
                    real,
                ))
            }
            (a, b) if a.sort() == b.sort() => self.choose(condition, a, b),
            (a, b) => {
                let expected = format!("{}, as in the other case", self.shown(a.sort()));
                Err(self.unexpected(whole, 2, b, &expected))
            }
        }
    }

    fn order(&mut self, word: &str, args: &[Value], whole: Id) -> Fallible<Value> {
        self.count(word, args, 2..=usize::MAX)?;
        let (_, real) = self.numbers(args, whole)?;
        let relation = if word.len() == 1 {
            Relation::Below
        } else {
            Relation::AtMost
        };
        let turned = word.starts_with('>');
        self.chain(args, whole, |it, a, b, _| match (a, b) {
            (Value::Number(a, _), Value::Number(b, _)) => {
                let (a, b) = if turned { (*b, *a) } else { (*a, *b) };
                it.scratch.compare(relation, a, b, real)
            }
            _ => Err(internal(it.sexps.span(whole))),
        })
    }

    fn arithmetic(&mut self, word: &str, args: &[Value], whole: Id) -> Fallible<Value> {
        let least = if matches!(word, "/" | "div" | "mod") {
            2
        } else {
            1
        };
        let most = match word {
            "mod" => 2,
            "abs" | "to_real" | "to_int" | "is_int" => 1,
            _ => usize::MAX,
        };
        self.count(word, args, least..=most)?;
        let (numbers, real) = self.numbers(args, whole)?;
        let minus = Rat::from(-1);
        match word {
            "+" => Ok(Value::Number(self.scratch.sum(&numbers, real)?, real)),
            "-" => {
                let mut signed = numbers;
                let from = usize::from(signed.len() > 1);
                for number in &mut signed[from..] {
                    *number = self.scratch.scale(*number, &minus);
                }
                Ok(Value::Number(self.scratch.sum(&signed, real)?, real))
            }
            "*" => self.product(&numbers, real, whole),
            "/" => {
                let mut result = numbers[0];
                for (i, &number) in numbers.iter().enumerate().skip(1) {
                    let divisor = self.divisor(number, whole, i)?;
                    result = self.scratch.scale(result, &divisor.recip());
                }
                Ok(Value::Number(result, true))
            }
            "div" | "mod" => {
                if let Some(i) = args.iter().position(|a| a.sort() == Sort::Real) {
                    return Err(self.unexpected(whole, i, &args[i], "Int"));
                }
                let mut result = numbers[0];
                for (i, &number) in numbers.iter().enumerate().skip(1) {
                    let divisor = self.divisor(number, whole, i)?;
                    result = self.scratch.divide(result, divisor.num(), word == "mod")?;
                }
                Ok(Value::Number(result, false))
            }
            "abs" => {
                let zero = self.scratch.leaf(Ratio::number(&Rat::ZERO));
                let negative = self
                    .scratch
                    .compare(Relation::Below, numbers[0], zero, real)?;
                let turned = self.scratch.scale(numbers[0], &minus);
                let absolute = self.scratch.choose(negative, turned, numbers[0], real)?;
                Ok(Value::Number(absolute, real))
            }
            "to_real" => Ok(Value::Number(numbers[0], true)),
            "to_int" => Ok(Value::Number(self.scratch.floor(numbers[0])?, false)),
            _ => {
                let named = self.scratch.name(numbers[0], real)?;
                let number = self.scratch.leaf(named);
                let floor = self.scratch.floor(number)?;
                Ok(Value::Bool(self.scratch.compare(
                    Relation::Equal,
                    number,
                    floor,
                    true,
                )?))
            }
        }
    }

    fn product(&mut self, numbers: &[Number], real: bool, whole: Id) -> Fallible<Value> {
        let mut factor = Rat::from(1);
        let mut variable: Option<(Number, usize)> = None;
        for (i, &number) in numbers.iter().enumerate() {
            match (self.scratch.constant(number), variable) {
                (Some(constant), _) => factor *= &constant,
                (None, None) => variable = Some((number, i)),
                (None, Some((_, first))) => {
                    return Err(Diagnostic::error(
                        self.sexps.span(whole),
                        "the product of two variables is not linear",
                    )
                    .label("expected all factors but one to be constants")
                    .note(self.place(whole, first), "one factor with variables")
                    .note(self.place(whole, i), "another one"));
                }
            }
        }
        let product = match variable {
            Some((number, _)) => self.scratch.scale(number, &factor),
            None => self.scratch.leaf(Ratio::number(&factor)),
        };
        Ok(Value::Number(product, real))
    }

    fn divisor(&self, number: Number, whole: Id, argument: usize) -> Fallible<Rat> {
        match self.scratch.constant(number) {
            None => Err(Diagnostic::error(
                self.place(whole, argument),
                "division by a term with variables is not linear",
            )
            .label("expected a constant other than 0")),
            Some(zero) if zero.is_zero() => Err(Diagnostic::error(
                self.place(whole, argument),
                "division by 0",
            )
            .label("expected a constant other than 0")
            .help(
                "SMT-LIB leaves its value open; write a variable without bounds if that is meant",
            )),
            Some(divisor) => Ok(divisor),
        }
    }

    /// The bits of all arguments, which have the same width.
    fn vectors(
        &self,
        args: &[Value],
        whole: Id,
    ) -> Fallible<Vec<std::rc::Rc<[suppose_model::chc::TermId]>>> {
        let mut vectors: Vec<std::rc::Rc<[_]>> = Vec::new();
        for (i, value) in args.iter().enumerate() {
            match (value, vectors.first()) {
                (Value::Bits(bits), None) => vectors.push(bits.clone()),
                (Value::Bits(bits), Some(first)) if bits.len() == first.len() => {
                    vectors.push(bits.clone())
                }
                (other, Some(first)) => {
                    let sort = Sort::Bits(first.len() as u32);
                    return Err(self.unexpected(whole, i, other, &format!("{sort}, as before it")));
                }
                (other, None) => return Err(self.unexpected(whole, i, other, "a bit vector")),
            }
        }
        Ok(vectors)
    }

    /// Refuses what would take too many formulas before any is made.
    fn afford(&self, cost: usize, whole: Id) -> Fallible<()> {
        if self.scratch.terms.len().saturating_add(cost) > MOST_TERMS {
            return Err(self.too_large(self.sexps.span(whole)));
        }
        Ok(())
    }

    fn bit_operator(&mut self, word: &str, args: Vec<Value>, whole: Id) -> Fallible<Value> {
        if word == "concat" {
            self.count(word, &args, 2..=usize::MAX)?;
            return self.concat(&args, whole);
        }
        match word {
            "bvneg" | "bvnot" => self.count(word, &args, 1..=1)?,
            "bvadd" | "bvmul" | "bvand" | "bvor" | "bvxor" => {
                self.count(word, &args, 2..=usize::MAX)?
            }
            _ => self.count(word, &args, 2..=2)?,
        }
        let vectors = self.vectors(&args, whole)?;
        let width = vectors[0].len();
        if matches!(
            word,
            "bvmul" | "bvudiv" | "bvurem" | "bvsdiv" | "bvsrem" | "bvsmod"
        ) {
            self.afford(
                width.saturating_mul(width).saturating_mul(12 * args.len()),
                whole,
            )?;
        }
        let terms = &mut self.scratch.terms;
        let a = &vectors[0];
        let b = vectors.get(1).unwrap_or(a);
        let truth = match word {
            "bvult" => Some(bits::below(terms, a, b, false)),
            "bvule" => Some(bits::below(terms, a, b, true)),
            "bvugt" => Some(bits::below(terms, b, a, false)),
            "bvuge" => Some(bits::below(terms, b, a, true)),
            "bvslt" => Some(bits::below_signed(terms, a, b, false)),
            "bvsle" => Some(bits::below_signed(terms, a, b, true)),
            "bvsgt" => Some(bits::below_signed(terms, b, a, false)),
            "bvsge" => Some(bits::below_signed(terms, b, a, true)),
            _ => None,
        };
        if let Some(truth) = truth {
            return Ok(Value::Bool(Truth::Pure(truth)));
        }
        let fold = |terms: &mut Terms, each: fn(&mut Terms, &[_], &[_]) -> Vec<_>| {
            let mut so_far = a.to_vec();
            for other in &vectors[1..] {
                so_far = each(terms, &so_far, other);
            }
            so_far
        };
        let result = match word {
            "bvadd" => fold(terms, bits::add),
            "bvmul" => fold(terms, bits::mul),
            "bvand" => fold(terms, bits::and),
            "bvor" => fold(terms, bits::or),
            "bvxor" => fold(terms, bits::xor),
            "bvsub" => bits::sub(terms, a, b),
            "bvneg" => bits::neg(terms, a),
            "bvnot" => bits::not(terms, a),
            "bvnand" | "bvnor" | "bvxnor" => {
                let plain = match word {
                    "bvnand" => bits::and(terms, a, b),
                    "bvnor" => bits::or(terms, a, b),
                    _ => bits::xor(terms, a, b),
                };
                bits::not(terms, &plain)
            }
            "bvudiv" => bits::divide(terms, a, b).0,
            "bvurem" => bits::divide(terms, a, b).1,
            "bvsdiv" => bits::divide_signed(terms, a, b),
            "bvsrem" => bits::remainder_signed(terms, a, b),
            "bvsmod" => bits::modulo_signed(terms, a, b),
            "bvshl" => bits::shift(terms, a, b, Shift::Left),
            "bvlshr" => bits::shift(terms, a, b, Shift::Right),
            "bvashr" => bits::shift(terms, a, b, Shift::Arithmetic),
            "bvcomp" => vec![bits::equal(terms, a, b)],
            _ => return Err(internal(self.sexps.span(whole))),
        };
        Ok(Value::Bits(result.into()))
    }

    fn concat(&mut self, args: &[Value], whole: Id) -> Fallible<Value> {
        let mut all = Vec::new();
        // The first argument has the highest bits.
        for (i, value) in args.iter().enumerate().rev() {
            match value {
                Value::Bits(bits) => all.extend_from_slice(bits),
                other => return Err(self.unexpected(whole, i, other, "a bit vector")),
            }
        }
        self.wide(all.len())?;
        Ok(Value::Bits(all.into()))
    }

    fn wide(&self, width: usize) -> Fallible<()> {
        if width > WIDEST as usize {
            return Err(Diagnostic::error_without_place(format!(
                "a bit vector of more than {WIDEST} bits"
            ))
            .label("expected a narrower one"));
        }
        Ok(())
    }

    /// `((_ extract 7 0) x)` and its like.
    pub(super) fn indexed(&mut self, index: Id, args: Vec<Value>, whole: Id) -> Fallible<Value> {
        let parts = self.sexps.list(index);
        let word = parts.get(1).and_then(|&p| self.sexps.word(p)).unwrap_or("");
        let wanted = match word {
            "extract" => 2,
            "zero_extend" | "sign_extend" | "rotate_left" | "rotate_right" | "repeat" => 1,
            "divisible" => return self.divisible(parts, &args, whole),
            "is" => return self.tester(index, &args, whole),
            _ => {
                return Err(Diagnostic::error(self.sexps.span(index), "this indexed operator is not supported yet")
                    .label("expected extract, zero_extend, sign_extend, rotate_left, rotate_right or repeat"));
            }
        };
        let mut indices = Vec::new();
        for &part in parts.get(2..).unwrap_or(&[]) {
            let number = sort::small_number(self.sexps, part, self.text).ok_or_else(|| {
                Diagnostic::error(self.sexps.span(part), "this is not an index")
                    .label("expected a number")
            })?;
            indices.push(number as usize);
        }
        if indices.len() != wanted {
            return Err(Diagnostic::error(
                self.sexps.span(index),
                format!("`{word}` takes {wanted} indices, found {}", indices.len()),
            )
            .label(format!("expected {wanted} numbers after `{word}`")));
        }
        self.count(word, &args, 1..=1)?;
        let bits = self.vectors(&args, whole)?[0].to_vec();
        self.rearranged(word, &indices, bits, index)
            .map(|bits| Value::Bits(bits.into()))
    }

    fn rearranged(
        &self,
        word: &str,
        indices: &[usize],
        mut bits: Vec<suppose_model::chc::TermId>,
        index: Id,
    ) -> Fallible<Vec<suppose_model::chc::TermId>> {
        let width = bits.len();
        let by = indices[0];
        match word {
            "extract" => {
                let (high, low) = (by, indices[1]);
                if high >= width || low > high {
                    return Err(Diagnostic::error(
                        self.sexps.span(index),
                        format!(
                            "there are no bits {high} to {low} in a bit vector of width {width}"
                        ),
                    )
                    .label(format!("expected the higher bit first, below {width}")));
                }
                bits.truncate(high + 1);
                bits.drain(..low);
            }
            "zero_extend" | "sign_extend" => {
                self.wide(width.saturating_add(by))?;
                let fill = match (word, bits.last()) {
                    ("sign_extend", Some(&top)) => top,
                    _ => Terms::FALSE,
                };
                bits.resize(width + by, fill);
            }
            "rotate_left" => bits.rotate_right(by % width),
            "rotate_right" => bits.rotate_left(by % width),
            _ => {
                if by == 0 {
                    return Err(Diagnostic::error(
                        self.sexps.span(index),
                        "`repeat` by 0 leaves no bit",
                    )
                    .label("expected a number from 1"));
                }
                self.wide(width.saturating_mul(by))?;
                bits = bits.repeat(by);
            }
        }
        Ok(bits)
    }

    /// `((_ divisible 3) x)`.
    fn divisible(&mut self, parts: &[Id], args: &[Value], whole: Id) -> Fallible<Value> {
        self.count("divisible", args, 1..=1)?;
        let divisor = parts
            .get(2)
            .and_then(|&p| sort::small_number(self.sexps, p, self.text))
            .filter(|&d| d > 0 && parts.len() == 3)
            .ok_or_else(|| {
                Diagnostic::error(self.sexps.span(whole), "`divisible` needs a divisor")
                    .label("expected `(_ divisible n)` with n from 1")
            })?;
        let Some(Value::Number(number, _)) = args.first().cloned().and_then(|v| fit(v, Sort::Int))
        else {
            return Err(self.unexpected(whole, 0, &args[0], "Int"));
        };
        let rest = self
            .scratch
            .divide(number, &Int::from(i64::from(divisor)), true)?;
        let zero = self.scratch.leaf(Ratio::number(&Rat::ZERO));
        Ok(Value::Bool(self.scratch.compare(
            Relation::Equal,
            rest,
            zero,
            false,
        )?))
    }
}
