//! Which claims do not see steps that they do not speak of.
//!
//! Let a *foreign* letter be one in which no action of the claim is done, so that its fluents are what they were. A claim ignores foreign
//! letters if it is true of a word if and only if it is true of every word that comes of it by putting foreign letters in and taking
//! them out, also infinitely many, as long as the word stays infinite (one that would become finite goes on with foreign letters for ever,
//! as a run that has stopped does). `[]<>a`, `[](a -> <>b)` and `!a U b` do; `X a`, `[]<>!a` and `a U b` do not.
//!
//! The test is by the structure of the formula. Let a word get foreign letters. `visible` says of a formula that it is true at an old
//! position if and only if it was before. Moreover, at a new position it has
//!
//! * `next`: the value at the next old position (`<>a`),
//! * `last`: the value at the old position before (a fluent; as for duplicates in stutter-invariance),
//! * `false`, `true`: always this value (an action; its negation).
//!
//! Boolean combinations keep these properties. `l U r` is `visible` if a new position does not end it where no old one does
//! (`r` is `false`, `next` or `last`), and does not break it (`l` is `true`, or `last`, or `next` where `r` is `next` too: where `r` holds
//! `l` need not). At a new position its value is that of the next old one if moreover `l` does not look back; it is that of the last one if both look back. `[]<>`
//! of a formula that is never true at new positions alone has the same value everywhere. Releases are dual. A formula with `X` has none of these properties.
//!
//! In front of the first letter there is no old position to look back to. So a formula that is not `next` must be left as it is by a foreign letter there.

use super::{Liveness, Proposition, Temporal};

/// What is known of a formula.
#[derive(Clone, Copy, Default)]
struct Value {
    visible: bool,
    next: bool,
    last: bool,
    is_false: bool,
    is_true: bool,
}

impl Value {
    fn negated(self) -> Value {
        Value {
            is_false: self.is_true,
            is_true: self.is_false,
            ..self
        }
    }

    /// Of a conjunction.
    fn and(parts: impl Iterator<Item = Value> + Clone) -> Value {
        let all = |of: fn(Value) -> bool| parts.clone().all(of);
        if !all(|v| v.visible) {
            return Value::default();
        }
        Value {
            visible: true,
            next: all(|v| v.next),
            last: all(|v| v.last),
            is_false: parts.clone().any(|v| v.is_false),
            is_true: all(|v| v.is_true),
        }
    }

    fn until(left: Value, right: Value) -> Value {
        if !left.visible || !right.visible {
            return Value::default();
        }
        let both_next = left.next && right.next;
        let next = both_next || left.is_true && (right.is_false || right.next);
        let last = left.last && right.last;
        let goes_on = left.is_true || left.last;
        let ends = right.is_false || right.next || right.last;
        Value {
            visible: next || last || goes_on && ends,
            next,
            last,
            ..Value::default()
        }
    }
}

/// What a foreign letter in front of a word leaves of a formula.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    True,
    False,
    Itself,
    Other,
}

impl Liveness {
    /// Is it true whatever happens between the actions that it speaks of? False also where that is not known. The parts
    /// of each formula must come before it.
    pub fn ignores_foreign_steps(&self) -> bool {
        let mut values: Vec<Value> = Vec::with_capacity(self.nodes.len());
        let mut left: Vec<Left> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            values.push(self.value(node, &values));
            left.push(self.in_front(node, &left));
        }
        let root = self.root as usize;
        values[root].next || values[root].visible && left[root] == Left::Itself
    }

    fn value(&self, node: &Temporal, values: &[Value]) -> Value {
        let of = |number: &u32| values[*number as usize];
        let constant = |value: bool| Value {
            visible: true,
            next: true,
            last: true,
            is_false: !value,
            is_true: value,
        };
        match node {
            Temporal::True => constant(true),
            Temporal::False => constant(false),
            Temporal::Literal(proposition, positive) => {
                let is_fluent = matches!(
                    self.propositions[*proposition as usize],
                    Proposition::Fluent { .. }
                );
                Value {
                    visible: true,
                    next: false,
                    last: is_fluent,
                    is_false: !is_fluent && *positive,
                    is_true: !is_fluent && !*positive,
                }
            }
            Temporal::And(parts) => Value::and(parts.iter().map(of)),
            Temporal::Or(parts) => Value::and(parts.iter().map(|p| of(p).negated())).negated(),
            Temporal::Next(_) => Value::default(),
            Temporal::Until(left, right) => match self.always(*right) {
                Some(inner) if self.is(*left, &Temporal::True) => {
                    again(of(&inner).negated()).negated()
                }
                _ => Value::until(of(left), of(right)),
            },
            Temporal::Release(left, right) => match self.finally(*right) {
                Some(inner) if self.is(*left, &Temporal::False) => again(of(&inner)),
                _ => Value::until(of(left).negated(), of(right).negated()).negated(),
            },
        }
    }

    fn is(&self, node: u32, what: &Temporal) -> bool {
        self.nodes[node as usize] == *what
    }

    /// What `[]` is about in a formula of that form.
    fn always(&self, node: u32) -> Option<u32> {
        match self.nodes[node as usize] {
            Temporal::Release(none, inner) if self.is(none, &Temporal::False) => Some(inner),
            _ => None,
        }
    }

    /// What `<>` is about in a formula of that form.
    fn finally(&self, node: u32) -> Option<u32> {
        match self.nodes[node as usize] {
            Temporal::Until(all, inner) if self.is(all, &Temporal::True) => Some(inner),
            _ => None,
        }
    }

    fn in_front(&self, node: &Temporal, left: &[Left]) -> Left {
        let of = |number: &u32| left[*number as usize];
        let truth = |value: bool| if value { Left::True } else { Left::False };
        match node {
            Temporal::True => Left::True,
            Temporal::False => Left::False,
            Temporal::Literal(proposition, positive) => {
                let value = match self.propositions[*proposition as usize] {
                    Proposition::Actions(_) => false,
                    Proposition::Fluent { initially, .. } => initially,
                };
                truth(value == *positive)
            }
            Temporal::And(parts) => together(parts.iter().map(of), Left::True, Left::False),
            Temporal::Or(parts) => together(parts.iter().map(of), Left::False, Left::True),
            Temporal::Next(_) => Left::Other,
            Temporal::Until(left, right) => match (of(left), of(right)) {
                (_, Left::True) => Left::True,
                (Left::False, Left::False) => Left::False,
                (Left::True, Left::False | Left::Itself) => Left::Itself,
                _ => Left::Other,
            },
            Temporal::Release(left, right) => match (of(left), of(right)) {
                (_, Left::False) => Left::False,
                (Left::True, Left::True) => Left::True,
                (Left::False, Left::True | Left::Itself) => Left::Itself,
                _ => Left::Other,
            },
        }
    }
}

/// Of `[]<>` of a formula.
fn again(inner: Value) -> Value {
    let same = inner.visible && (inner.is_false || inner.next || inner.last);
    Value {
        visible: same,
        next: same,
        last: same,
        ..Value::default()
    }
}

/// Of a conjunction or disjunction, whose parts are `neutral` or decide it alone.
fn together(parts: impl Iterator<Item = Left> + Clone, neutral: Left, decides: Left) -> Left {
    let mut all = parts.clone();
    if parts.clone().any(|p| p == decides) {
        decides
    } else if all.all(|p| p == neutral) {
        neutral
    } else if parts.clone().all(|p| p == Left::Itself) {
        Left::Itself
    } else {
        Left::Other
    }
}
