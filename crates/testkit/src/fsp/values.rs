//! Values of expressions, and the labels that label expressions represent. Every value is a text;
//! a text that is a number counts as one.

use std::collections::BTreeMap;

use super::parse::{Domain, Expr, Index, Label, Model, Part, Set};

/// Variables, the innermost last.
pub(super) type Env = Vec<(String, String)>;

/// Constants, ranges and sets.
#[derive(Default)]
pub(super) struct Globals {
    constants: BTreeMap<String, String>,
    ranges: BTreeMap<String, (i64, i64)>,
    sets: BTreeMap<String, Vec<String>>,
}

pub(super) type Found<T> = Result<T, String>;

fn number(text: &str) -> Found<i64> {
    text.parse()
        .map_err(|_| format!("`{text}` is not a number"))
}

impl Globals {
    /// Definitions may use what is defined, in whatever order.
    pub(super) fn new(model: &Model) -> Found<Self> {
        let mut all = Globals::default();
        for (name, value) in &model.constants {
            let value = all.value(value, &Env::new())?;
            all.constants.insert(name.clone(), value);
        }
        for (name, low, high) in &model.ranges {
            let bound = |e| number(&all.value(e, &Env::new())?);
            let range = (bound(low)?, bound(high)?);
            all.ranges.insert(name.clone(), range);
        }
        for (name, set) in &model.sets {
            let labels = all.set(set, &Env::new())?;
            all.sets.insert(name.clone(), labels);
        }
        Ok(all)
    }

    pub(super) fn value(&self, expr: &Expr, env: &Env) -> Found<String> {
        Ok(match expr {
            Expr::Value(text) => text.clone(),
            Expr::Name(name) => {
                let variable = env.iter().rev().find(|(n, _)| n == name).map(|(_, v)| v);
                let found = variable.or_else(|| self.constants.get(name));
                found.ok_or_else(|| format!("no `{name}`"))?.clone()
            }
            Expr::Size(set) => self.labels(set, env)?.len().to_string(),
            Expr::Select(set, index) => {
                let labels = self.labels(set, env)?;
                let at = number(&self.value(index, env)?)?;
                let found = usize::try_from(at).ok().and_then(|at| labels.get(at));
                found.ok_or("outside the set")?.0.clone()
            }
            Expr::Quoted(label) => self.labels(label, env)?.remove(0).0,
            Expr::Prefix(operator, of) => {
                let value = number(&self.value(of, env)?)?;
                match operator.as_str() {
                    "-" => (-value).to_string(),
                    "!" => i64::from(value <= 0).to_string(),
                    _ => value.to_string(),
                }
            }
            Expr::Infix(operator, left, right) => {
                let (left, right) = (self.value(left, env)?, self.value(right, env)?);
                infix(operator, &left, &right)?.to_string()
            }
        })
    }

    pub(super) fn holds(&self, expr: &Expr, env: &Env) -> Found<bool> {
        Ok(number(&self.value(expr, env)?)? != 0)
    }

    /// The labels of a set, each once, in order.
    pub(super) fn set(&self, set: &Set, env: &Env) -> Found<Vec<String>> {
        let labels = match set {
            Set::Named(name) => {
                let known = self.sets.get(name);
                return known.cloned().ok_or_else(|| format!("no set `{name}`"));
            }
            Set::Labels(labels) => labels,
        };
        let mut all = Vec::new();
        for label in labels {
            for (text, _) in self.labels(label, env)? {
                if !all.contains(&text) {
                    all.push(text);
                }
            }
        }
        Ok(all)
    }

    pub(super) fn values(&self, index: &Index, env: &Env) -> Found<Vec<String>> {
        let numbers = |low: i64, high: i64| (low..=high).map(|n| n.to_string()).collect();
        Ok(match &index.domain {
            Domain::Set(set) => self.set(set, env)?,
            Domain::Range(low, high) => {
                let bound = |e| number(&self.value(e, env)?);
                numbers(bound(low)?, bound(high)?)
            }
            Domain::One(Expr::Name(name)) if self.ranges.contains_key(name) => {
                let (low, high) = self.ranges[name];
                numbers(low, high)
            }
            Domain::One(expr) => vec![self.value(expr, env)?],
        })
    }

    /// All ways to bind indices, the last one fastest.
    pub(super) fn bindings(&self, indices: &[Index], env: &Env) -> Found<Vec<(Vec<String>, Env)>> {
        let mut all = vec![(Vec::new(), env.clone())];
        for index in indices {
            let mut longer = Vec::new();
            for (values, env) in all {
                for value in self.values(index, &env)? {
                    let mut values = values.clone();
                    values.push(value.clone());
                    longer.push((values, bound(&env, index.variable.as_ref(), value)));
                }
            }
            all = longer;
        }
        Ok(all)
    }

    /// The labels that an expression represents, with the variables that each binds.
    pub(super) fn labels(&self, label: &Label, env: &Env) -> Found<Vec<(String, Env)>> {
        let mut all = vec![(String::new(), env.clone())];
        for part in label {
            let mut longer = Vec::new();
            for (text, env) in all {
                let (values, variable) = match part {
                    Part::Name(name) => (vec![name.clone()], None),
                    Part::Set(set) => (self.set(set, &env)?, None),
                    Part::Without(set, others) => {
                        let others = self.set(others, &env)?;
                        let mut kept = self.set(set, &env)?;
                        kept.retain(|l| !others.contains(l));
                        (kept, None)
                    }
                    Part::Index(index) => (self.values(index, &env)?, index.variable.as_ref()),
                };
                for value in values {
                    let dot = if text.is_empty() { "" } else { "." };
                    let longer_text = format!("{text}{dot}{value}");
                    longer.push((longer_text, bound(&env, variable, value)));
                }
            }
            all = longer;
        }
        Ok(all)
    }
}

fn bound(env: &Env, variable: Option<&String>, value: String) -> Env {
    let mut env = env.clone();
    env.extend(variable.map(|name| (name.clone(), value)));
    env
}

fn infix(operator: &str, left: &str, right: &str) -> Found<i64> {
    let truth = |b: bool| Ok(i64::from(b));
    match operator {
        "==" => return truth(left == right),
        "!=" => return truth(left != right),
        _ => {}
    }
    let (a, b) = (number(left)?, number(right)?);
    match operator {
        "||" => truth(a != 0 || b != 0),
        "&&" => truth(a != 0 && b != 0),
        "|" => Ok(a | b),
        "^" => Ok(a ^ b),
        "&" => Ok(a & b),
        "<" => truth(a < b),
        "<=" => truth(a <= b),
        ">" => truth(a > b),
        ">=" => truth(a >= b),
        "<<" => Ok(a << b),
        ">>" => Ok(a >> b),
        "+" => Ok(a + b),
        "-" => Ok(a - b),
        "*" => Ok(a * b),
        "/" => a.checked_div(b).ok_or_else(|| "division by 0".to_owned()),
        "%" => a.checked_rem(b).ok_or_else(|| "division by 0".to_owned()),
        _ => Err(format!("operator {operator}")),
    }
}
