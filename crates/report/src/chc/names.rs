//! What users call parameters and values.

use suppose_model::chc::{App, Assignment, Horn, Param, Pred, Predicate, Sort, Value, Var};

/// The names of a predicate's parameters, as the user declared them, and with them the names of its variables.
pub(super) struct Parameters {
    /// One for each parameter.
    pub names: Vec<String>,
    /// The formal variables in order, with what they are called.
    variables: Vec<(Var, String)>,
}

impl Parameters {
    /// In a program they have names; in clauses the variables that stand for them most plainly lend theirs.
    pub fn of(horn: &Horn, pred: Pred) -> Parameters {
        let predicate = horn.predicate(pred);
        let names = borrowed(horn, pred).unwrap_or_else(|| own(horn, predicate));
        let mut variables = Vec::new();
        for (param, name) in predicate.params.iter().zip(&names) {
            match param {
                Param::Plain(var) => variables.push((*var, name.clone())),
                Param::Bits(bits) => variables.extend(
                    bits.iter()
                        .enumerate()
                        .map(|(i, bit)| (*bit, format!("{name}[{i}]"))),
                ),
            }
        }
        Parameters { names, variables }
    }

    /// What a formal variable is called.
    pub fn name(&self, var: Var) -> String {
        let found = self.variables.iter().find(|(v, _)| *v == var);
        found.map_or_else(|| format!("_{}", var.0), |(_, name)| name.clone())
    }

    /// `inv(x, y)`
    pub fn head(&self, name: &str) -> String {
        match self.names.is_empty() {
            true => name.to_owned(),
            false => format!("{name}({})", self.names.join(", ")),
        }
    }
}

fn base(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

fn own(horn: &Horn, predicate: &Predicate) -> Vec<String> {
    let name = |param: &Param| match param {
        Param::Plain(var) => horn.terms.name(*var).to_owned(),
        Param::Bits(bits) => {
            let first = bits.first().map_or("", |b| horn.terms.name(*b));
            base(first).to_owned()
        }
    };
    predicate.params.iter().map(name).collect()
}

/// The names of the variables that a clause applies the predicate to, if they are the user's own and all different.
fn borrowed(horn: &Horn, pred: Pred) -> Option<Vec<String>> {
    let predicate = horn.predicate(pred);
    if predicate.place.is_some() && predicate.params.is_empty() {
        return None;
    }
    // A formal parameter that is not called after its predicate and place has a name of its own.
    let generic = |i: usize, name: &str| name == format!("{}_{i}", predicate.name);
    let own = own(horn, predicate);
    if own.iter().enumerate().any(|(i, name)| !generic(i, name)) {
        return None;
    }
    let bodies = horn.clauses.iter().flat_map(|c| &c.body);
    let heads = horn.clauses.iter().filter_map(|c| c.head.as_ref());
    bodies
        .chain(heads)
        .filter(|app| app.pred == pred)
        .find_map(|app| lent(horn, predicate, app))
}

fn lent(horn: &Horn, predicate: &Predicate, app: &App) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    let mut args = app.args.iter();
    for (i, param) in predicate.params.iter().enumerate() {
        let width = match param {
            Param::Plain(_) => 1,
            Param::Bits(bits) => bits.len(),
        };
        let first = args.next()?;
        if width > 1 {
            args.nth(width - 2)?;
        }
        let name = base(horn.terms.name(*first));
        let made = name.is_empty()
            || ["ite", "quotient", "floor"].contains(&name)
            || name == format!("{}_{i}", predicate.name);
        if made || names.iter().any(|n| n == name) {
            return None;
        }
        names.push(name.to_owned());
    }
    Some(names)
}

/// The values of a predicate's parameters in a step: those of the variables it is applied to.
pub(super) fn values(horn: &Horn, app: &App, values: &Assignment) -> Vec<String> {
    let predicate = horn.predicate(app.pred);
    let mut args = app.args.iter();
    let mut out = Vec::new();
    for param in &predicate.params {
        let text = match param {
            Param::Plain(_) => args.next().map(|v| value(horn, values, *v)),
            Param::Bits(bits) => {
                let bits = args.by_ref().take(bits.len());
                Some(number(bits.map(|v| values.truth(*v)).collect()))
            }
        };
        out.extend(text);
    }
    out
}

/// A value in decimal or as a truth.
pub(super) fn value(horn: &Horn, values: &Assignment, var: Var) -> String {
    match horn.terms.sort(var) {
        Sort::Bool => values.truth(var).to_string(),
        Sort::Int | Sort::Real => match values.get(var) {
            Some(Value::Num(n)) => n.to_string(),
            _ => "0".to_owned(),
        },
    }
}

/// Bits, the lowest first, as a number: decimal while it fits, else as SMT-LIB writes it.
fn number(bits: Vec<bool>) -> String {
    if bits.len() > 64 {
        let digits = bits.iter().rev().map(|b| if *b { '1' } else { '0' });
        return format!("#b{}", digits.collect::<String>());
    }
    let sum: u64 = bits
        .iter()
        .enumerate()
        .map(|(i, b)| u64::from(*b) << i)
        .sum();
    sum.to_string()
}
