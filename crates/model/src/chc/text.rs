//! Formulas as SMT-LIB text.

use std::fmt::Write;

use rustc_hash::FxHashMap;
use suppose_number::Int;

use super::linear::Lin;
use super::terms::{Node, Sort, TermId, Terms, Var};

/// How variables are called in a text.
pub trait Names {
    /// The symbol for a variable, quoted if need be.
    fn name(&self, var: Var) -> String;
}

impl<F: Fn(Var) -> String> Names for F {
    fn name(&self, var: Var) -> String {
        self(var)
    }
}

/// A name as an SMT-LIB symbol: quoted if it has to be. `|` and `\`, which no symbol can have, become `_`.
pub fn symbol(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let plain = !name.is_empty()
        && name.chars().all(simple)
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !RESERVED.contains(&name);
    if plain {
        return name.to_owned();
    }
    let clean: String = name
        .chars()
        .map(|c| if "|\\".contains(c) { '_' } else { c })
        .collect();
    format!("|{clean}|")
}

const RESERVED: &[&str] = &[
    "!",
    "_",
    "as",
    "let",
    "exists",
    "forall",
    "match",
    "par",
    "true",
    "false",
    "not",
    "and",
    "or",
    "xor",
    "ite",
    "distinct",
    "div",
    "mod",
    "abs",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "+",
    "-",
    "*",
    "/",
    "=",
    "<",
    ">",
    "<=",
    ">=",
    "=>",
];

/// Writes a formula. Parts that occur often are written out each time up to a size; beyond it `let`
/// keeps the text linear in the size of the formula.
pub fn write_term(out: &mut String, terms: &Terms, term: TermId, names: &dyn Names) {
    let order = terms.postorder(term);
    let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
    for &part in &order {
        for_children(terms, part, |child| *uses.entry(child).or_default() += 1);
    }
    let mut written: FxHashMap<TermId, String> = FxHashMap::default();
    let mut lets = 0usize;
    for part in order {
        let mut text = String::new();
        write_node(&mut text, terms, part, names, &written);
        let shared = uses.get(&part).is_some_and(|&n| n > 1) && text.len() > 60;
        if shared {
            let name = format!("!{lets}");
            let _ = write!(out, "(let (({name} {text})) ");
            lets += 1;
            text = name;
        }
        written.insert(part, text);
    }
    out.push_str(&written[&term]);
    for _ in 0..lets {
        out.push(')');
    }
}

fn for_children(terms: &Terms, part: TermId, mut each: impl FnMut(TermId)) {
    if let Node::Iff(a, b) = terms.node(part) {
        each(*a);
        each(*b);
    }
    for &child in terms.children(part) {
        each(child);
    }
}

fn write_node(
    out: &mut String,
    terms: &Terms,
    part: TermId,
    names: &dyn Names,
    written: &FxHashMap<TermId, String>,
) {
    match terms.node(part) {
        Node::Const(truth) => {
            let _ = write!(out, "{truth}");
        }
        Node::Var(var) => out.push_str(&names.name(*var)),
        Node::Not(inner) => match terms.node(*inner) {
            Node::Le(lin) => write_relation(out, terms, ">", lin, names),
            Node::Lt(lin) => write_relation(out, terms, ">=", lin, names),
            _ => {
                let _ = write!(out, "(not {})", written[inner]);
            }
        },
        Node::And(parts) => write_list(out, "and", parts, written),
        Node::Or(parts) => write_list(out, "or", parts, written),
        Node::Iff(a, b) => {
            let _ = write!(out, "(= {} {})", written[a], written[b]);
        }
        Node::Le(lin) => write_relation(out, terms, "<=", lin, names),
        Node::Lt(lin) => write_relation(out, terms, "<", lin, names),
        Node::Eq(lin) => write_relation(out, terms, "=", lin, names),
        Node::Divides(d, lin) => {
            out.push_str("(= (mod ");
            write_lin(out, terms, lin, names);
            let _ = write!(out, " {d}) 0)");
        }
    }
}

fn write_list(out: &mut String, word: &str, parts: &[TermId], written: &FxHashMap<TermId, String>) {
    let _ = write!(out, "({word}");
    for part in parts {
        let _ = write!(out, " {}", written[part]);
    }
    out.push(')');
}

/// `positive part  relation  the rest`, so that no needless minus signs are shown.
fn write_relation(out: &mut String, terms: &Terms, relation: &str, lin: &Lin, names: &dyn Names) {
    let (mut left, mut right) = lin.sides();
    if right.terms.is_empty() || lin.constant.is_negative() {
        right.constant = -&lin.constant;
    } else {
        left.constant = lin.constant.clone();
    }
    // Constants are written as the sort of the comparison wants them.
    let real = !terms.is_integral(lin);
    let _ = write!(out, "({relation} ");
    write_sum(out, terms, &left, names, real);
    out.push(' ');
    write_sum(out, terms, &right, names, real);
    out.push(')');
}

/// Writes a linear expression; as a real one if it has a variable of that sort.
pub fn write_lin(out: &mut String, terms: &Terms, lin: &Lin, names: &dyn Names) {
    write_sum(out, terms, lin, names, !terms.is_integral(lin));
}

fn write_sum(out: &mut String, terms: &Terms, lin: &Lin, names: &dyn Names, real: bool) {
    let mut parts: Vec<String> = lin
        .terms
        .iter()
        .map(|(var, factor)| {
            let name = names.name(*var);
            let name = if real && terms.sort(*var) == Sort::Int {
                format!("(to_real {name})")
            } else {
                name
            };
            if factor.is_one() {
                name
            } else if *factor == Int::MINUS_ONE {
                format!("(- {name})")
            } else {
                format!("(* {} {name})", number(factor, real))
            }
        })
        .collect();
    if parts.is_empty() || !lin.constant.is_zero() {
        parts.push(number(&lin.constant, real));
    }
    if let [one] = parts.as_slice() {
        out.push_str(one);
    } else {
        let _ = write!(out, "(+ {})", parts.join(" "));
    }
}

fn number(n: &Int, real: bool) -> String {
    let digits = n.abs();
    let point = if real { ".0" } else { "" };
    if n.is_negative() {
        format!("(- {digits}{point})")
    } else {
        format!("{digits}{point}")
    }
}
