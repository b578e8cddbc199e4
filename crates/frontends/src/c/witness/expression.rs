//! Formulas as C expressions that mean the same for all values of the variables.

use rustc_hash::FxHashMap;
use suppose_model::chc::{Lin, Node, TermId, Terms, Var};
use suppose_number::Int;

use crate::c::types::IntType;

/// Longer expressions are left out: they are unreadable.
const LONGEST: usize = 20_000;
/// Factors and constants of sums have at most this many bits, so that a sum of products with `int`
/// variables cannot leave `long long`.
const BITS: usize = 24;
/// And this many summands.
const SUMMANDS: usize = 64;

/// The conjuncts of a formula that can be said in C over these variables; none if there is none.
pub(super) fn invariant(
    terms: &Terms,
    formula: TermId,
    known: &[(Var, &str, IntType)],
) -> Option<String> {
    let names: FxHashMap<Var, (&str, IntType)> =
        known.iter().map(|(v, n, t)| (*v, (*n, *t))).collect();
    let said: Vec<String> = terms
        .conjuncts(formula)
        .into_iter()
        .filter_map(|t| expression(terms, t, &names))
        .collect();
    match said.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        _ => Some(said.join(" && ")),
    }
    .filter(|s| s.len() <= LONGEST)
}

type Names<'a> = FxHashMap<Var, (&'a str, IntType)>;

fn expression(terms: &Terms, formula: TermId, names: &Names<'_>) -> Option<String> {
    let mut written: FxHashMap<TermId, Option<String>> = FxHashMap::default();
    for part in terms.postorder(formula) {
        let get = |t: &TermId| written.get(t).cloned().flatten();
        let text = match terms.node(part) {
            Node::Const(truth) => Some(i32::from(*truth).to_string()),
            Node::Var(var) => names.get(var).map(|(name, _)| format!("({name} != 0)")),
            Node::Not(inner) => get(inner).map(|s| format!("!{s}")),
            Node::And(parts) => joined(parts.iter().map(get), " && "),
            Node::Or(parts) => joined(parts.iter().map(get), " || "),
            Node::Iff(a, b) => get(a).zip(get(b)).map(|(a, b)| format!("({a} == {b})")),
            Node::Le(lin) => compared(lin, "<=", names),
            Node::Lt(lin) => compared(lin, "<", names),
            Node::Eq(lin) => compared(lin, "==", names),
            Node::Divides(d, lin) => {
                let sum = sum(lin, names)?;
                (d.bits() <= BITS).then(|| format!("(({sum}) % {d} == 0)"))
            }
        };
        written.insert(part, text.filter(|t| t.len() <= LONGEST));
    }
    written.remove(&formula).flatten()
}

fn joined(parts: impl Iterator<Item = Option<String>>, operator: &str) -> Option<String> {
    let parts: Option<Vec<String>> = parts.collect();
    parts.map(|p| format!("({})", p.join(operator)))
}

/// The positive summands on the left, the others on the right.
fn compared(lin: &Lin, relation: &str, names: &Names<'_>) -> Option<String> {
    let (left, mut right) = lin.sides();
    right.constant = -&lin.constant;
    // One variable against a number needs no sum, and any number of 64 bits will do.
    if let ([(var, factor)], []) = (left.terms.as_slice(), right.terms.as_slice())
        && factor.is_one()
    {
        let (name, ty) = names.get(var)?;
        let number = number(&right.constant)?;
        return is_safe(*ty).then(|| format!("((long long){name} {relation} {number})"));
    }
    Some(format!(
        "({} {relation} {})",
        sum(&left, names)?,
        sum(&right, names)?
    ))
}

/// Is every value of the type one of `long long`?
fn is_safe(ty: IntType) -> bool {
    !matches!(ty, IntType::UnsignedLong | IntType::UnsignedLongLong)
}

fn number(n: &Int) -> Option<String> {
    let n = n.to_i64().filter(|n| *n != i64::MIN)?;
    Some(if i32::try_from(n).is_ok_and(|n| n != i32::MIN) {
        n.to_string()
    } else {
        format!("{n}LL")
    })
}

fn sum(lin: &Lin, names: &Names<'_>) -> Option<String> {
    if lin.terms.len() > SUMMANDS || lin.constant.bits() > 2 * BITS {
        return None;
    }
    let mut parts = Vec::new();
    for (var, factor) in &lin.terms {
        let (name, ty) = names.get(var)?;
        let small = !matches!(
            ty,
            IntType::Long | IntType::UnsignedLong | IntType::LongLong | IntType::UnsignedLongLong
        );
        if !small || factor.bits() > BITS {
            return None;
        }
        parts.push(if factor.is_one() {
            format!("(long long){name}")
        } else {
            format!("{factor} * (long long){name}")
        });
    }
    if parts.is_empty() || !lin.constant.is_zero() {
        parts.push(number(&lin.constant)?);
    }
    Some(parts.join(" + "))
}
