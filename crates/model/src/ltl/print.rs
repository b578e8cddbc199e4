//! Formulas as text.

use std::fmt;

use super::formula::{Formulas, Id, Node};

/// How operators are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As SPIN reads them.
    Spin,
}

/// A formula that can be shown; atoms have these names, or `p` and their number.
#[derive(Clone, Copy, Debug)]
pub struct Printed<'a> {
    formulas: &'a Formulas,
    root: Id,
    names: &'a [String],
    style: Style,
}

impl Formulas {
    /// A formula as text.
    pub fn print<'a>(&'a self, root: Id, names: &'a [String], style: Style) -> Printed<'a> {
        Printed {
            formulas: self,
            root,
            names,
            style,
        }
    }
}

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show(self.root, f)
    }
}

impl Printed<'_> {
    fn show(&self, id: Id, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Style::Spin = self.style;
        match self.formulas.node(id) {
            Node::True => f.write_str("true"),
            Node::False => f.write_str("false"),
            Node::Literal(atom, positive) => {
                f.write_str(if *positive { "" } else { "!" })?;
                match self.names.get(*atom as usize) {
                    Some(name) => f.write_str(name),
                    None => write!(f, "p{atom}"),
                }
            }
            Node::And(ids) => self.list(ids, " && ", f),
            Node::Or(ids) => self.list(ids, " || ", f),
            Node::Next(inner) => self.prefixed("X ", *inner, f),
            Node::Until(Formulas::TRUE, inner) => self.prefixed("<> ", *inner, f),
            Node::Release(Formulas::FALSE, inner) => self.prefixed("[] ", *inner, f),
            Node::Until(left, right) => self.list(&[*left, *right], " U ", f),
            Node::Release(left, right) => self.list(&[*left, *right], " V ", f),
        }
    }

    fn prefixed(&self, operator: &str, inner: Id, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(operator)?;
        self.show(inner, f)
    }

    fn list(&self, ids: &[Id], between: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (number, id) in ids.iter().enumerate() {
            if number > 0 {
                f.write_str(between)?;
            }
            self.show(*id, f)?;
        }
        f.write_str(")")
    }
}
