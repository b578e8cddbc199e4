//! Constructors that simplify.
//!
//! The rules are those of Etessami and Holzmann ("Optimizing Büchi automata", CONCUR 2000) and Somenzi and Bloem
//! ("Efficient Büchi automata from LTL formulae", CAV 2000): equivalences of LTL whose right side has fewer or simpler
//! temporal operators. Implication between formulas is decided by their form alone, and not always.

use super::formula::{Class, Formulas, Id, Node};

/// How deep implication is looked for.
const DEPTH: u32 = 4;
/// Conjunctions and disjunctions of more parts are not compared pair by pair.
const PARTS: usize = 12;

impl Formulas {
    /// `X inner`
    pub fn next(&mut self, inner: Id) -> Id {
        if self.is_suspendable(inner) {
            return inner;
        }
        match self.node(inner).clone() {
            Node::And(ids) => self.next_parts(&ids, true),
            Node::Or(ids) => self.next_parts(&ids, false),
            _ => self.intern(Node::Next(inner)),
        }
    }

    /// Parts that do not depend on the position are left outside of `X`.
    fn next_parts(&mut self, ids: &[Id], and: bool) -> Id {
        let (mut outside, inside): (Vec<Id>, Vec<Id>) =
            ids.iter().partition(|id| self.is_suspendable(**id));
        let inside = self.join_plain(and, inside);
        let next = match inside {
            Self::TRUE | Self::FALSE => inside,
            _ => self.intern(Node::Next(inside)),
        };
        outside.push(next);
        self.join_plain(and, outside)
    }

    /// All of these.
    pub fn and(&mut self, parts: Vec<Id>) -> Id {
        self.join(true, parts)
    }

    /// One of these.
    pub fn or(&mut self, parts: Vec<Id>) -> Id {
        self.join(false, parts)
    }

    /// `left U right`
    pub fn until(&mut self, left: Id, right: Id) -> Id {
        self.fixpoint(true, left, right)
    }

    /// `left R right`
    pub fn release(&mut self, left: Id, right: Id) -> Id {
        self.fixpoint(false, left, right)
    }

    /// `left U right` or its dual, `left R right`: each rule is stated for until, and read with the dual operators for release.
    fn fixpoint(&mut self, until: bool, left: Id, right: Id) -> Id {
        // What makes `left U right` to `<> right`, and `left R right` to `[] right`.
        let neutral = match until {
            true => Self::TRUE,
            false => Self::FALSE,
        };
        let stays = |class: Class| match until {
            true => class.eventual,
            false => class.universal,
        };
        let is_absorbed = match until {
            true => left == Self::FALSE || self.entails(left, right, DEPTH),
            false => left == Self::TRUE || self.entails(right, left, DEPTH),
        };
        if stays(self.class(right)) || is_absorbed {
            return right;
        }
        if let (Node::Next(a), Node::Next(b)) = (self.node(left), self.node(right)) {
            let (a, b) = (*a, *b);
            let inner = self.fixpoint(until, a, b);
            return self.next(inner);
        }
        if left == neutral
            && let Node::Next(inner) = *self.node(right)
        {
            let inner = self.fixpoint(until, left, inner);
            return self.next(inner);
        }
        // a U (b | c) is (a U b) | c if c stays, and <> (b & c) is <> b & c if c is suspendable.
        let junction = match self.node(right) {
            Node::And(ids) => Some((true, ids.clone())),
            Node::Or(ids) => Some((false, ids.clone())),
            _ => None,
        };
        if let Some((and, ids)) = junction
            && (and != until || left == neutral)
        {
            let moves_out = |id: &&Id| match and == until {
                true => self.is_suspendable(**id),
                false => stays(self.class(**id)),
            };
            let (mut outside, inside): (Vec<Id>, Vec<Id>) = ids.iter().partition(moves_out);
            if !outside.is_empty() {
                let inside = self.join(and, inside);
                outside.push(self.fixpoint(until, left, inside));
                return self.join(and, outside);
            }
        }
        // a U (b U c) is b U c if a implies b; <> (b U c) is <> c.
        let nested = match (until, self.node(right)) {
            (true, Node::Until(b, c)) | (false, Node::Release(b, c)) => Some((*b, *c)),
            _ => None,
        };
        if let Some((b, c)) = nested {
            if left == neutral {
                return self.fixpoint(until, left, c);
            }
            let (stronger, weaker) = if until { (left, b) } else { (b, left) };
            if self.entails(stronger, weaker, DEPTH) {
                return right;
            }
        }
        // a U b is <> b if everything but b implies a; a R b is [] b if b and a exclude each other.
        let implication = match until {
            _ if left == neutral => None,
            true => self.known_negation(right).map(|it| (it, left)),
            false => self.known_negation(left).map(|it| (right, it)),
        };
        if let Some((stronger, weaker)) = implication
            && self.entails(stronger, weaker, DEPTH)
        {
            return self.fixpoint(until, neutral, right);
        }
        self.intern(match until {
            true => Node::Until(left, right),
            false => Node::Release(left, right),
        })
    }

    fn join(&mut self, and: bool, parts: Vec<Id>) -> Id {
        let flat = self.flatten(and, parts);
        let flat = self.merge(and, flat);
        self.join_plain(and, flat)
    }

    fn flatten(&self, and: bool, parts: Vec<Id>) -> Vec<Id> {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match (self.node(part), and) {
                (Node::And(ids), true) | (Node::Or(ids), false) => flat.extend(ids.iter()),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat
    }

    /// Joins without looking for formulas that could be one.
    fn join_plain(&mut self, and: bool, parts: Vec<Id>) -> Id {
        let (neutral, absorbing) = match and {
            true => (Self::TRUE, Self::FALSE),
            false => (Self::FALSE, Self::TRUE),
        };
        let mut flat = self.flatten(and, parts);
        flat.retain(|id| *id != neutral);
        if flat.contains(&absorbing) {
            return absorbing;
        }
        if flat.len() <= PARTS && self.drop_redundant(and, &mut flat) {
            return absorbing;
        }
        match flat.as_slice() {
            [] => neutral,
            [one] => *one,
            _ if and => self.intern(Node::And(flat.into())),
            _ => self.intern(Node::Or(flat.into())),
        }
    }

    /// Drops parts that follow from others (`and`) or from which others follow. True if two exclude each other (`and`) or one of
    /// two must be true.
    fn drop_redundant(&mut self, and: bool, flat: &mut Vec<Id>) -> bool {
        let mut at = 0;
        while at < flat.len() {
            let part = flat[at];
            let negation = self.known_negation(part).unwrap_or(Self::FALSE);
            let affirmed = self.known_negation(part).unwrap_or(Self::TRUE);
            let others = flat.iter().filter(|other| **other != part);
            let mut redundant = false;
            for other in others {
                let (weaker, clash) = match and {
                    true => (
                        self.entails(*other, part, DEPTH),
                        self.entails(*other, negation, DEPTH),
                    ),
                    false => (
                        self.entails(part, *other, DEPTH),
                        self.entails(affirmed, *other, DEPTH),
                    ),
                };
                if clash {
                    return true;
                }
                redundant |= weaker;
            }
            match redundant {
                true => drop(flat.remove(at)),
                false => at += 1,
            }
        }
        false
    }

    /// Makes one formula of several with the same operator and a common side.
    fn merge(&mut self, and: bool, flat: Vec<Id>) -> Vec<Id> {
        let mut groups: Vec<(Key, Vec<Id>)> = Vec::new();
        let mut rest = Vec::new();
        for id in flat {
            let Some((key, part)) = self.key(and, id) else {
                rest.push(id);
                continue;
            };
            match groups.iter_mut().find(|(k, _)| *k == key) {
                Some((_, parts)) => parts.push(part),
                None => groups.push((key, vec![part])),
            }
        }
        for (key, parts) in groups {
            let joined = match key {
                Key::Until(_) | Key::Release(_) | Key::Next => self.join(and, parts),
                Key::UntilRight(_) => self.and(parts),
                Key::ReleaseRight(_) => self.or(parts),
            };
            rest.push(match key {
                Key::Next => self.next(joined),
                Key::Until(left) => self.until(left, joined),
                Key::Release(left) => self.release(left, joined),
                Key::UntilRight(right) => self.until(joined, right),
                Key::ReleaseRight(right) => self.release(joined, right),
            });
        }
        rest
    }

    /// Which formulas can be one with this one, and what differs in them.
    fn key(&self, and: bool, id: Id) -> Option<(Key, Id)> {
        match (self.node(id), and) {
            (Node::Next(inner), _) => Some((Key::Next, *inner)),
            // [] a && [] b, a R b && a R c
            (Node::Release(left, right), true) => Some((Key::Release(*left), *right)),
            // <> a || <> b, a U b || a U c
            (Node::Until(left, right), false) => Some((Key::Until(*left), *right)),
            // [] e || [] f for eventual e and f; otherwise a R c || b R c
            (Node::Release(left, right), false) => {
                match *left == Self::FALSE && self.class(*right).eventual {
                    true => Some((Key::Release(*left), *right)),
                    false => Some((Key::ReleaseRight(*right), *left)),
                }
            }
            // <> u && <> v for universal u and v; otherwise a U c && b U c
            (Node::Until(left, right), true) => {
                match *left == Self::TRUE && self.class(*right).universal {
                    true => Some((Key::Until(*left), *right)),
                    false => Some((Key::UntilRight(*right), *left)),
                }
            }
            _ => None,
        }
    }

    /// Does the first imply the second by a syntactic rule?
    pub(super) fn entails(&self, a: Id, b: Id, depth: u32) -> bool {
        if a == b || a == Self::FALSE || b == Self::TRUE {
            return true;
        }
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        let small = |ids: &[Id]| ids.len() <= PARTS;
        match self.node(b) {
            Node::And(ids) if small(ids) => {
                return ids.iter().all(|part| self.entails(a, *part, depth));
            }
            Node::Or(ids) if small(ids) && ids.iter().any(|p| self.entails(a, *p, depth)) => {
                return true;
            }
            Node::Until(_, d) if self.entails(a, *d, depth) => return true,
            Node::Release(c, d) if self.entails(a, *c, depth) && self.entails(a, *d, depth) => {
                return true;
            }
            _ => {}
        }
        let one = match self.node(a) {
            Node::Or(ids) => small(ids) && ids.iter().all(|p| self.entails(*p, b, depth)),
            Node::And(ids) => small(ids) && ids.iter().any(|p| self.entails(*p, b, depth)),
            Node::Until(x, y) => self.entails(*x, b, depth) && self.entails(*y, b, depth),
            Node::Release(_, y) => self.entails(*y, b, depth),
            _ => false,
        };
        one || match (self.node(a), self.node(b)) {
            (Node::Next(x), Node::Next(y)) => self.entails(*x, *y, depth),
            (Node::Until(x, y), Node::Until(c, d)) | (Node::Release(x, y), Node::Release(c, d)) => {
                self.entails(*x, *c, depth) && self.entails(*y, *d, depth)
            }
            _ => false,
        }
    }
}

/// A common side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Next,
    Until(Id),
    Release(Id),
    UntilRight(Id),
    ReleaseRight(Id),
}
