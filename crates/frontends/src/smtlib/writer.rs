//! Horn clauses and definitions as SMT-LIB text.

use std::cell::Cell;
use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_model::chc::{App, Horn, Param, Sort, TermId, Terms, Var, symbol, write_term};

/// The system as CHC-COMP writes it, for other tools. Bit vectors are written as what they have become: Booleans.
pub fn write(horn: &Horn) -> String {
    let mut out = String::from("(set-logic HORN)\n\n");
    let mut taken = FxHashSet::default();
    let predicates: Vec<String> = horn
        .predicates
        .iter()
        .map(|predicate| unique(&predicate.name, &mut taken))
        .collect();
    for (predicate, name) in horn.predicates.iter().zip(&predicates) {
        let sorts: Vec<&str> = predicate
            .formals
            .iter()
            .map(|&v| sort_word(horn.terms.sort(v)))
            .collect();
        let _ = writeln!(out, "(declare-fun {name} ({}) Bool)", sorts.join(" "));
    }
    for clause in &horn.clauses {
        let variables = horn.variables(clause);
        let names = unique_names(&horn.terms, &variables, &taken);
        out.push_str("\n(assert\n  ");
        if !variables.is_empty() {
            out.push_str("(forall (");
            for (i, var) in variables.iter().enumerate() {
                let space = if i == 0 { "" } else { " " };
                let sort = sort_word(horn.terms.sort(*var));
                let _ = write!(out, "{space}({} {sort})", names[var]);
            }
            out.push_str(")\n    ");
        }
        out.push_str("(=>\n      (and");
        for app in &clause.body {
            let _ = write!(out, "\n        {}", application(app, &predicates, &names));
        }
        out.push_str("\n        ");
        write_term(&mut out, &horn.terms, clause.constraint, &|v: Var| {
            names[&v].clone()
        });
        let head = match &clause.head {
            Some(app) => application(app, &predicates, &names),
            None => "false".to_owned(),
        };
        let _ = write!(out, ")\n      {head})");
        out.push_str(if variables.is_empty() { ")\n" } else { "))\n" });
    }
    out.push_str("\n(check-sat)\n(exit)\n");
    out
}

/// Definitions of all predicates, one `define-fun` each, over the parameters as the user declared them. The
/// formulas are in `terms`, whose first variables are those of the system.
pub fn write_definitions(horn: &Horn, terms: &Terms, definitions: &[TermId]) -> String {
    let mut out = String::new();
    for (predicate, &definition) in horn.predicates.iter().zip(definitions) {
        let _ = write!(out, "(define-fun {} (", symbol(&predicate.name));
        let mut written: FxHashMap<Var, String> = FxHashMap::default();
        for (i, param) in predicate.params.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            let name = format!("x!{i}");
            match param {
                Param::Plain(var) => {
                    let _ = write!(out, "{space}({name} {})", sort_word(terms.sort(*var)));
                    written.insert(*var, name);
                }
                Param::Bits(bits) => {
                    let _ = write!(out, "{space}({name} (_ BitVec {}))", bits.len());
                    for (place, bit) in bits.iter().enumerate() {
                        let text = format!("(= ((_ extract {place} {place}) {name}) #b1)");
                        written.insert(*bit, text);
                    }
                }
            }
        }
        out.push_str(") Bool\n  ");
        write_term(&mut out, terms, definition, &|v: Var| {
            // A definition mentions its parameters alone.
            written
                .get(&v)
                .cloned()
                .unwrap_or_else(|| symbol(terms.name(v)))
        });
        out.push_str(")\n");
    }
    out
}

/// A parameter of a predicate, as it was declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its sort, in the words of the text.
    pub sort: String,
    /// The terms that are the formal parameters it became; none where a formal parameter stands for a value that has no parts.
    pub parts: Vec<Option<String>>,
}

/// A model as `get-model` prints it: definitions of all predicates over their parameters as declared. None if a definition
/// depends on a value as a whole.
pub fn write_model(
    horn: &Horn,
    parameters: &[Vec<Parameter>],
    terms: &Terms,
    definitions: &[TermId],
) -> Option<String> {
    let mut out = String::from("(\n");
    let predicates = horn.predicates.iter().zip(definitions);
    for ((predicate, &definition), declared) in predicates.zip(parameters) {
        let _ = write!(out, "  (define-fun {} (", symbol(&predicate.name));
        for (i, parameter) in declared.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            let _ = write!(out, "{space}(x!{i} {})", parameter.sort);
        }
        out.push_str(") Bool\n    ");
        let parts = declared.iter().flat_map(|p| &p.parts);
        let written: FxHashMap<Var, &Option<String>> =
            predicate.formals.iter().copied().zip(parts).collect();
        let lost = Cell::new(false);
        write_term(&mut out, terms, definition, &|v: Var| {
            let text = written.get(&v).and_then(|text| text.as_ref());
            lost.set(lost.get() || text.is_none());
            text.cloned().unwrap_or_default()
        });
        if lost.get() {
            return None;
        }
        out.push_str(")\n");
    }
    out.push_str(")\n");
    Some(out)
}

fn sort_word(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "Bool",
        Sort::Int => "Int",
        Sort::Real => "Real",
    }
}

fn application(app: &App, predicates: &[String], names: &FxHashMap<Var, String>) -> String {
    let name = &predicates[app.pred.index()];
    if app.args.is_empty() {
        return name.clone();
    }
    let args: Vec<&str> = app.args.iter().map(|v| names[v].as_str()).collect();
    format!("({name} {})", args.join(" "))
}

/// The name as a symbol that is not taken, and now is.
fn unique(name: &str, taken: &mut FxHashSet<String>) -> String {
    let mut shown = symbol(name);
    let mut count = 1;
    while taken.contains(&shown) {
        shown = symbol(&format!("{name}!{count}"));
        count += 1;
    }
    taken.insert(shown.clone());
    shown
}

/// Names for variables: none is a predicate's, none is used twice, and none is one that `let` uses.
fn unique_names(
    terms: &Terms,
    variables: &[Var],
    taken: &FxHashSet<String>,
) -> FxHashMap<Var, String> {
    let mut taken = taken.clone();
    let mut names = FxHashMap::default();
    for &var in variables {
        let name = terms.name(var);
        let own = if name.starts_with('!') {
            unique(&format!("v{name}"), &mut taken)
        } else {
            unique(name, &mut taken)
        };
        names.insert(var, own);
    }
    names
}
