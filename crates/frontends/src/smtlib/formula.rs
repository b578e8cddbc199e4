//! Formulas in which predicates occur, and how they fall apart into Horn clauses.
//!
//! What has no predicate goes straight into a store of formulas ([`Truth::Pure`]). The rest is kept as the user
//! wrote it, since only its place in the whole says which clauses it gives.

use rustc_hash::FxHashMap;
use suppose_model::chc::{TermId, Terms};
use suppose_source::{Diagnostic, Span};

/// A formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Truth {
    /// Without predicates.
    Pure(TermId),
    /// With predicates or quantifiers, by its number in [`Formulas`].
    Mixed(u32),
}

#[derive(Clone, Debug)]
enum Mixed {
    /// A predicate with its arguments, by its number.
    App(u32, Span),
    Not(Truth),
    All(Vec<Truth>),
    Any(Vec<Truth>),
    Same(Truth, Truth),
    Choice(Truth, Truth, Truth),
    /// A quantifier; its variables have names of their own already.
    Bound {
        universal: bool,
        body: Truth,
        span: Span,
    },
}

/// Formulas with predicates. Parts have smaller numbers than the whole.
#[derive(Debug, Default)]
pub(super) struct Formulas {
    nodes: Vec<Mixed>,
}

/// One case of a formula: these predicates are true, those are false, and the rest holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) true_apps: Vec<u32>,
    pub(super) false_apps: Vec<u32>,
    pub(super) pure: TermId,
}

/// A clause of the text becomes at most this many.
const MOST_CASES: usize = 4096;

impl Formulas {
    fn push(&mut self, node: Mixed) -> Truth {
        self.nodes.push(node);
        Truth::Mixed(self.nodes.len() as u32 - 1)
    }

    pub(super) fn app(&mut self, app: u32, span: Span) -> Truth {
        self.push(Mixed::App(app, span))
    }

    pub(super) fn not(&mut self, terms: &mut Terms, truth: Truth) -> Truth {
        match truth {
            Truth::Pure(term) => Truth::Pure(terms.not(term)),
            Truth::Mixed(number) => match self.nodes[number as usize] {
                Mixed::Not(inner) => inner,
                _ => self.push(Mixed::Not(truth)),
            },
        }
    }

    pub(super) fn all(&mut self, terms: &mut Terms, parts: &[Truth]) -> Truth {
        self.junction(terms, parts, true)
    }

    pub(super) fn any(&mut self, terms: &mut Terms, parts: &[Truth]) -> Truth {
        self.junction(terms, parts, false)
    }

    /// Parts without predicates become one.
    fn junction(&mut self, terms: &mut Terms, parts: &[Truth], all: bool) -> Truth {
        let pure = parts.iter().filter_map(|part| match part {
            Truth::Pure(term) => Some(*term),
            Truth::Mixed(_) => None,
        });
        let pure = if all { terms.and(pure) } else { terms.or(pure) };
        if pure == terms.constant(!all) {
            return Truth::Pure(pure);
        }
        let mut mixed: Vec<Truth> = Vec::new();
        for part in parts {
            if matches!(part, Truth::Mixed(_)) && mixed.last() != Some(part) {
                mixed.push(*part);
            }
        }
        if pure != terms.constant(all) || mixed.is_empty() {
            mixed.push(Truth::Pure(pure));
        }
        match mixed.as_slice() {
            [one] => *one,
            _ if all => self.push(Mixed::All(mixed)),
            _ => self.push(Mixed::Any(mixed)),
        }
    }

    pub(super) fn same(&mut self, terms: &mut Terms, a: Truth, b: Truth) -> Truth {
        match (a, b) {
            (Truth::Pure(a), Truth::Pure(b)) => Truth::Pure(terms.iff(a, b)),
            (Truth::Pure(Terms::TRUE), other) | (other, Truth::Pure(Terms::TRUE)) => other,
            (Truth::Pure(Terms::FALSE), other) | (other, Truth::Pure(Terms::FALSE)) => {
                self.not(terms, other)
            }
            _ => self.push(Mixed::Same(a, b)),
        }
    }

    pub(super) fn choice(&mut self, terms: &mut Terms, c: Truth, a: Truth, b: Truth) -> Truth {
        match (c, a, b) {
            (Truth::Pure(Terms::TRUE), ..) => a,
            (Truth::Pure(Terms::FALSE), ..) => b,
            (Truth::Pure(c), Truth::Pure(a), Truth::Pure(b)) => {
                Truth::Pure(pure_choice(terms, c, a, b))
            }
            _ if a == b => a,
            _ => self.push(Mixed::Choice(c, a, b)),
        }
    }

    pub(super) fn bound(&mut self, universal: bool, body: Truth, span: Span) -> Truth {
        match body {
            Truth::Pure(Terms::TRUE | Terms::FALSE) => body,
            _ => self.push(Mixed::Bound {
                universal,
                body,
                span,
            }),
        }
    }

    /// The cases in which a formula is false; no two have the same predicates.
    pub(super) fn counter_cases(
        &self,
        terms: &mut Terms,
        root: Truth,
        span: Span,
    ) -> Result<Vec<Case>, Diagnostic> {
        let wanted = self.wanted(root)?;
        let mut known: FxHashMap<(u32, bool), Vec<Case>> = FxHashMap::default();
        for (number, signs) in wanted.iter().enumerate() {
            for sign in [false, true] {
                if signs[usize::from(sign)] {
                    let cases = self.cases(terms, number, sign, &known);
                    if cases.len() > MOST_CASES {
                        return Err(too_many(span));
                    }
                    known.insert((number as u32, sign), cases);
                }
            }
        }
        Ok(lookup(terms, &known, root, false))
    }

    /// For each formula whether its falsity and its truth are asked for, when the falsity of `root` is.
    fn wanted(&self, root: Truth) -> Result<Vec<[bool; 2]>, Diagnostic> {
        let mut wanted = vec![[false; 2]; self.nodes.len()];
        let mark = |wanted: &mut Vec<[bool; 2]>, truth: Truth, sign: bool| {
            if let Truth::Mixed(number) = truth {
                wanted[number as usize][usize::from(sign)] = true;
            }
        };
        mark(&mut wanted, root, false);
        for number in (0..self.nodes.len()).rev() {
            for sign in [false, true] {
                if !wanted[number][usize::from(sign)] {
                    continue;
                }
                match &self.nodes[number] {
                    Mixed::App(..) => {}
                    Mixed::Not(inner) => mark(&mut wanted, *inner, !sign),
                    Mixed::All(parts) | Mixed::Any(parts) => {
                        for part in parts {
                            mark(&mut wanted, *part, sign);
                        }
                    }
                    Mixed::Same(a, b) => {
                        for part in [*a, *b] {
                            mark(&mut wanted, part, false);
                            mark(&mut wanted, part, true);
                        }
                    }
                    Mixed::Choice(c, a, b) => {
                        mark(&mut wanted, *c, false);
                        mark(&mut wanted, *c, true);
                        mark(&mut wanted, *a, sign);
                        mark(&mut wanted, *b, sign);
                    }
                    Mixed::Bound {
                        universal,
                        body,
                        span,
                    } => {
                        if *universal == sign {
                            return Err(inner_quantifier(*universal, *span));
                        }
                        mark(&mut wanted, *body, sign);
                    }
                }
            }
        }
        Ok(wanted)
    }

    fn cases(
        &self,
        terms: &mut Terms,
        number: usize,
        sign: bool,
        known: &FxHashMap<(u32, bool), Vec<Case>>,
    ) -> Vec<Case> {
        match &self.nodes[number] {
            Mixed::App(app, _) => vec![Case {
                true_apps: if sign { vec![*app] } else { Vec::new() },
                false_apps: if sign { Vec::new() } else { vec![*app] },
                pure: Terms::TRUE,
            }],
            Mixed::Not(inner) => lookup(terms, known, *inner, !sign),
            Mixed::Bound { body, .. } => lookup(terms, known, *body, sign),
            node @ (Mixed::All(parts) | Mixed::Any(parts)) => {
                let all = matches!(node, Mixed::All(_));
                let first = if all == sign {
                    vec![Case::TRUE]
                } else {
                    Vec::new()
                };
                parts.iter().fold(first, |so_far, part| {
                    let more = lookup(terms, known, *part, sign);
                    if all == sign {
                        both(terms, &so_far, &more)
                    } else {
                        either(terms, so_far, more)
                    }
                })
            }
            Mixed::Same(a, b) => {
                let [a0, a1] = [false, true].map(|s| lookup(terms, known, *a, s));
                let [b0, b1] = [false, true].map(|s| lookup(terms, known, *b, s));
                let (with_false, with_true) = if sign { (b0, b1) } else { (b1, b0) };
                let left = both(terms, &a1, &with_true);
                let right = both(terms, &a0, &with_false);
                either(terms, left, right)
            }
            Mixed::Choice(c, a, b) => {
                let [c0, c1] = [false, true].map(|s| lookup(terms, known, *c, s));
                let a = lookup(terms, known, *a, sign);
                let b = lookup(terms, known, *b, sign);
                let left = both(terms, &c1, &a);
                let right = both(terms, &c0, &b);
                either(terms, left, right)
            }
        }
    }

    /// Where a predicate was first applied.
    pub(super) fn app_span(&self, app: u32) -> Option<Span> {
        self.nodes.iter().find_map(|node| match node {
            Mixed::App(number, span) if *number == app => Some(*span),
            _ => None,
        })
    }
}

/// `(c and a) or (not c and b)`: as a part of a body this is two cases, where the form with two
/// implications is none.
pub(super) fn pure_choice(terms: &mut Terms, c: TermId, a: TermId, b: TermId) -> TermId {
    if a == b {
        return a;
    }
    if terms.node(a) == terms.node(c)
        || b == Terms::FALSE
        || a == Terms::TRUE
        || a == Terms::FALSE
        || b == Terms::TRUE
    {
        return terms.ite(c, a, b);
    }
    let not = terms.not(c);
    let left = terms.and([c, a]);
    let right = terms.and([not, b]);
    terms.or([left, right])
}

impl Case {
    const TRUE: Case = Case {
        true_apps: Vec::new(),
        false_apps: Vec::new(),
        pure: Terms::TRUE,
    };
}

fn lookup(
    terms: &mut Terms,
    known: &FxHashMap<(u32, bool), Vec<Case>>,
    truth: Truth,
    sign: bool,
) -> Vec<Case> {
    match truth {
        Truth::Mixed(number) => known[&(number, sign)].clone(),
        Truth::Pure(term) => {
            let pure = if sign { term } else { terms.not(term) };
            if pure == Terms::FALSE {
                Vec::new()
            } else {
                vec![Case { pure, ..Case::TRUE }]
            }
        }
    }
}

/// All pairs. Beyond the limit it stops early: the caller refuses so many.
fn both(terms: &mut Terms, left: &[Case], right: &[Case]) -> Vec<Case> {
    let mut cases = Vec::new();
    for a in left {
        for b in right {
            let true_apps = union(&a.true_apps, &b.true_apps);
            let false_apps = union(&a.false_apps, &b.false_apps);
            let clash = false_apps.iter().any(|app| true_apps.contains(app));
            let pure = terms.and([a.pure, b.pure]);
            if !clash && pure != Terms::FALSE {
                cases.push(Case {
                    true_apps,
                    false_apps,
                    pure,
                });
            }
        }
        if cases.len() > 2 * MOST_CASES {
            break;
        }
    }
    merge(terms, cases)
}

fn either(terms: &mut Terms, mut left: Vec<Case>, right: Vec<Case>) -> Vec<Case> {
    left.extend(right);
    merge(terms, left)
}

/// Cases with the same predicates become one.
fn merge(terms: &mut Terms, cases: Vec<Case>) -> Vec<Case> {
    if cases.len() < 2 {
        return cases;
    }
    let mut places: FxHashMap<(Vec<u32>, Vec<u32>), usize> = FxHashMap::default();
    let mut merged: Vec<(Case, Vec<TermId>)> = Vec::new();
    for case in cases {
        let key = (case.true_apps.clone(), case.false_apps.clone());
        match places.get(&key) {
            Some(&place) => merged[place].1.push(case.pure),
            None => {
                places.insert(key, merged.len());
                let pure = case.pure;
                merged.push((case, vec![pure]));
            }
        }
    }
    let together = |(case, pures): (Case, Vec<TermId>)| Case {
        pure: terms.or(pures),
        ..case
    };
    merged.into_iter().map(together).collect()
}

fn union(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

fn too_many(span: Span) -> Diagnostic {
    Diagnostic::error(
        span,
        format!("this formula expands to more than {MOST_CASES} Horn clauses"),
    )
    .label("disjunctions of predicates multiply")
    .help("give a part of it a predicate of its own")
}

fn inner_quantifier(universal: bool, span: Span) -> Diagnostic {
    let (word, place) = if universal {
        ("forall", "in the body of a clause")
    } else {
        ("exists", "in the head of a clause")
    };
    Diagnostic::error(span, format!("`{word}` cannot stand {place}"))
        .label("expected a formula without this quantifier")
        .help("variables of a Horn clause are bound by one `forall` around all of it")
}
