//! Formulas as people write them: `x <= y and (b or 2*x + 1 = z)`.

use suppose_model::chc::{Lin, Node, TermId, Terms, Var};
use suppose_number::Int;

/// The formula, cut after about this many characters: shared parts are written out each time, so that without a
/// limit the text could be far longer than the formula.
pub(super) fn formula(
    terms: &Terms,
    term: TermId,
    name: &dyn Fn(Var) -> String,
    most: usize,
) -> String {
    let mut writer = Writer {
        terms,
        name,
        out: String::new(),
        most,
    };
    writer.term(term, Enclosing::Nothing);
    if writer.full() {
        // One number alone may have ten thousand digits.
        let end = (0..=2 * most)
            .rev()
            .find(|i| writer.out.is_char_boundary(*i));
        writer.out.truncate(end.unwrap_or(0));
        writer.out.push_str(" …");
    }
    writer.out
}

/// What a part stands in, for its brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Enclosing {
    Nothing,
    And,
    Or,
    /// `not`, `iff`: everything but a name is bracketed.
    Tight,
}

struct Writer<'a> {
    terms: &'a Terms,
    name: &'a dyn Fn(Var) -> String,
    out: String,
    most: usize,
}

impl Writer<'_> {
    fn full(&self) -> bool {
        self.out.len() >= self.most
    }

    // Every level of nesting writes something, so the limit on the text is one on the depth of the recursion.
    fn term(&mut self, term: TermId, around: Enclosing) {
        if self.full() {
            return;
        }
        match self.terms.node(term) {
            Node::Const(truth) => self.out.push_str(if *truth { "true" } else { "false" }),
            Node::Var(var) => self.out.push_str(&(self.name)(*var)),
            Node::Not(inner) => self.negation(*inner, around),
            Node::And(parts) => self.list(parts, " and ", Enclosing::And, around),
            Node::Or(parts) => self.list(parts, " or ", Enclosing::Or, around),
            Node::Iff(a, b) => {
                let (a, b) = (*a, *b);
                let bracket = around != Enclosing::Nothing;
                self.bracketed(bracket, |it| {
                    it.term(a, Enclosing::Tight);
                    it.out.push_str(" iff ");
                    it.term(b, Enclosing::Tight);
                });
            }
            Node::Le(lin) => self.at_most(lin, around),
            Node::Lt(lin) => self.atom("<", lin, around),
            Node::Eq(lin) => self.atom("=", lin, around),
            Node::Divides(d, lin) => self.modulo(d, lin, "=", around),
        }
    }

    fn bracketed(&mut self, bracket: bool, inside: impl FnOnce(&mut Self)) {
        if bracket {
            self.out.push('(');
        }
        inside(self);
        if bracket {
            self.out.push(')');
        }
    }

    fn list(&mut self, parts: &[TermId], word: &str, own: Enclosing, around: Enclosing) {
        self.joined(parts, word, around, |it, part| it.term(part, own));
    }

    /// The parts with a word between them, in brackets if something is around them.
    fn joined(
        &mut self,
        parts: &[TermId],
        word: &str,
        around: Enclosing,
        one: impl Fn(&mut Self, TermId),
    ) {
        self.bracketed(around != Enclosing::Nothing, |it| {
            for (i, part) in parts.iter().enumerate() {
                if it.full() {
                    return;
                }
                if i > 0 {
                    it.out.push_str(word);
                }
                one(it, *part);
            }
        });
    }

    fn negation(&mut self, inner: TermId, around: Enclosing) {
        match self.terms.node(inner) {
            Node::Le(lin) => self.above(lin, around),
            Node::Lt(lin) => self.atom(">=", lin, around),
            Node::Eq(lin) => self.atom("!=", lin, around),
            Node::Divides(d, lin) => self.modulo(d, lin, "!=", around),
            // What the store keeps as one negation reads better as what is left of each part.
            Node::And(parts) => self.negated(parts, " or ", Enclosing::Or, around),
            Node::Or(parts) => self.negated(parts, " and ", Enclosing::And, around),
            Node::Not(inner) => self.term(*inner, around),
            _ => {
                self.out.push_str("not ");
                self.term(inner, Enclosing::Tight);
            }
        }
    }

    fn negated(&mut self, parts: &[TermId], word: &str, own: Enclosing, around: Enclosing) {
        self.joined(parts, word, around, |it, part| match it.terms.node(part) {
            Node::Not(inner) => it.term(*inner, own),
            _ => it.negation(part, own),
        });
    }

    /// `lin <= 0`; over integers `x + 1 <= y` reads better as `x < y`.
    fn at_most(&mut self, lin: &Lin, around: Enclosing) {
        if self.terms.is_integral(lin) && lin.constant.is_one() && lin.terms.len() > 1 {
            let mut strict = lin.clone();
            strict.constant = Int::ZERO;
            self.atom("<", &strict, around);
        } else {
            self.atom("<=", lin, around);
        }
    }

    /// `lin > 0`; over integers `x > y - 1` reads better as `x >= y`.
    fn above(&mut self, lin: &Lin, around: Enclosing) {
        if self.terms.is_integral(lin) && !lin.constant.is_zero() {
            let weak = lin.clone().plus(Int::MINUS_ONE);
            self.atom(">=", &weak, around);
        } else {
            self.atom(">", lin, around);
        }
    }

    fn atom(&mut self, relation: &str, lin: &Lin, around: Enclosing) {
        let (mut left, mut right) = (Lin::default(), Lin::default());
        for (var, factor) in &lin.terms {
            match factor.is_negative() {
                true => right.terms.push((*var, -factor)),
                false => left.terms.push((*var, factor.clone())),
            }
        }
        match right.terms.is_empty() || lin.constant.is_negative() {
            true => right.constant = -&lin.constant,
            false => left.constant = lin.constant.clone(),
        }
        self.bracketed(around == Enclosing::Tight, |it| {
            it.sum(&left);
            it.out.push_str(&format!(" {relation} "));
            it.sum(&right);
        });
    }

    fn modulo(&mut self, divisor: &Int, lin: &Lin, relation: &str, around: Enclosing) {
        let single = matches!(lin.terms.as_slice(), [(_, factor)] if factor.is_one());
        let single = single && lin.constant.is_zero();
        self.bracketed(around == Enclosing::Tight, |it| {
            it.bracketed(!single, |it| it.sum(lin));
            it.out.push_str(&format!(" mod {divisor} {relation} 0"));
        });
    }

    fn sum(&mut self, lin: &Lin) {
        let mut first = true;
        for (var, factor) in &lin.terms {
            if self.full() {
                return;
            }
            self.sign(factor, &mut first);
            let size = factor.abs();
            if !size.is_one() {
                self.out.push_str(&format!("{size}*"));
            }
            self.out.push_str(&(self.name)(*var));
        }
        if first || !lin.constant.is_zero() {
            self.sign(&lin.constant, &mut first);
            self.out.push_str(&lin.constant.abs().to_string());
        }
    }

    fn sign(&mut self, number: &Int, first: &mut bool) {
        self.out.push_str(match (*first, number.is_negative()) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        });
        *first = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use suppose_model::chc::Sort;

    #[test]
    fn formulas_read_well() {
        let mut terms = Terms::default();
        let x = terms.fresh("x", Sort::Int);
        let y = terms.fresh("y", Sort::Int);
        let b = terms.fresh("b", Sort::Bool);
        let r = terms.fresh("r", Sort::Real);
        let names = |terms: &Terms, t: TermId| {
            let own = terms.clone();
            formula(terms, t, &move |v| own.name(v).to_owned(), 1000)
        };
        let (lx, ly) = (Lin::var(x), Lin::var(y));
        let le = terms.le(lx.sub(&ly));
        assert_eq!(names(&terms, le), "x <= y");
        let gt = terms.not(le);
        assert_eq!(names(&terms, gt), "x > y");
        let lt = terms.le(lx.sub(&ly).plus(1));
        assert_eq!(names(&terms, lt), "x < y");
        let at_least = terms.le(lx.neg());
        assert_eq!(names(&terms, at_least), "x >= 0");
        let five = terms.le(lx.clone().plus(-5));
        assert_eq!(names(&terms, five), "x <= 5");
        let even = terms.divides(&Int::from(2), &lx);
        let odd = terms.not(even);
        assert_eq!(names(&terms, odd), "x mod 2 != 0");
        let sum = terms.eq(lx.scale(&Int::from(2)).add(&ly).plus(-7));
        assert_eq!(names(&terms, sum), "2*x + y = 7");
        let flag = terms.var(b);
        let no = terms.not(flag);
        let either = terms.or([no, le]);
        let both = terms.and([either, five]);
        let shown = names(&terms, both);
        assert!(
            [
                "x <= 5 and (not b or x <= y)",
                "(not b or x <= y) and x <= 5",
                "x <= 5 and (x <= y or not b)",
                "(x <= y or not b) and x <= 5"
            ]
            .contains(&shown.as_str()),
            "{shown}"
        );
        let neither = terms.not(both);
        let shown = names(&terms, neither);
        assert!(
            shown.contains("x >= 6") && shown.contains("(b and x > y)")
                || shown.contains("(x > y and b)"),
            "{shown}"
        );
        let real = terms.lt(Lin::var(r).scale(&Int::from(2)).plus(-1));
        assert_eq!(names(&terms, real), "2*r < 1");
        let same = terms.iff(flag, le);
        assert!(names(&terms, same).contains(" iff "));
    }

    #[test]
    fn shared_parts_do_not_make_the_text_explode() {
        let mut terms = Terms::default();
        let vars: Vec<TermId> = (0..200)
            .map(|i| {
                let var = terms.fresh(&format!("v{i}"), Sort::Bool);
                terms.var(var)
            })
            .collect();
        let mut all = vars[0];
        for var in &vars[1..] {
            all = terms.iff(all, *var);
            let other = terms.not(all);
            let (left, right) = (terms.and([all, *var]), terms.or([other, *var]));
            all = terms.iff(left, right);
        }
        let text = formula(&terms, all, &|v| format!("v{}", v.0), 500);
        assert!(text.len() < 20_000 && text.ends_with('…'), "{}", text.len());
    }

    #[test]
    fn a_long_number_is_cut() {
        let mut terms = Terms::default();
        let var = terms.fresh("x", Sort::Int);
        let digits = format!("-1{}", "0".repeat(9_000));
        let mut lin = Lin::var(var);
        lin.constant = digits.parse().expect("a number");
        let equation = terms.eq(lin);
        let text = formula(&terms, equation, &|_| "x".to_owned(), 500);
        assert!(
            text.starts_with("x = 1000") && text.ends_with("0 …"),
            "{text}"
        );
        assert!(text.len() < 1_100, "{}", text.len());
    }
}
