//! Remainders of linear forms that are always the same.

use suppose_control::{Context, Stopped};
use suppose_model::chc::{Assignment, Horn, Lin, Sort, TermId, Terms, Var};
use suppose_number::Int;

use super::{Cases, Domain, numeric, run};

/// Sums and differences of all pairs only up to this many parameters.
const PAIRS: usize = 8;

/// All values of a form so far are `residue` modulo `modulus`; modulus 0 means equal to it.
#[derive(Clone, Debug)]
struct Class {
    modulus: Int,
    residue: Int,
}

struct Congruences {
    forms: Vec<Vec<Lin>>,
    reached: Vec<Vec<Option<Vec<Class>>>>,
}

/// Divisibilities that hold of each predicate's integers, given what holds of it already.
pub fn find(
    horn: &Horn,
    terms: &mut Terms,
    facts: &[Vec<TermId>],
    cx: &Context,
) -> Result<Vec<Vec<TermId>>, Stopped> {
    let cases = Cases::of(horn, terms);
    let predicates = horn.predicates.iter();
    let reached = (0..predicates.len()).map(|p| vec![None; cases.count(p)]);
    let mut domain = Congruences {
        reached: reached.collect(),
        forms: predicates.map(|p| forms(terms, &p.formals)).collect(),
    };
    run(horn, terms, &cases, &mut domain, facts, cx)
}

fn forms(terms: &Terms, formals: &[Var]) -> Vec<Lin> {
    let mut vars = numeric(terms, formals);
    vars.retain(|&v| terms.sort(v) == Sort::Int);
    let mut all: Vec<Lin> = vars.iter().map(|&v| Lin::var(v)).collect();
    if vars.len() <= PAIRS {
        for (i, &v) in vars.iter().enumerate() {
            for &w in &vars[i + 1..] {
                all.push(Lin::var(v).sub(&Lin::var(w)));
                all.push(Lin::var(v).add(&Lin::var(w)));
            }
        }
    }
    all
}

impl Domain for Congruences {
    fn known(&self, terms: &mut Terms, pred: usize, case: usize) -> Option<Vec<TermId>> {
        let reached = self.reached[pred][case].as_ref()?;
        let mut all = Vec::new();
        for (form, class) in self.forms[pred].iter().zip(reached) {
            let off = form.add_scaled(&Lin::constant(class.residue.clone()), &Int::MINUS_ONE);
            if class.modulus.is_zero() {
                all.push(terms.eq(off));
            } else if !class.modulus.is_one() {
                all.push(terms.divides(&class.modulus, &off));
            }
        }
        Some(all)
    }

    fn forget(&mut self, pred: usize) {
        let any = |_: &Lin| Class {
            modulus: Int::ONE,
            residue: Int::ZERO,
        };
        let classes: Vec<Class> = self.forms[pred].iter().map(any).collect();
        self.reached[pred].fill(Some(classes));
    }

    fn join(&mut self, _: &Terms, pred: usize, case: usize, model: &Assignment) {
        let value = |form: &Lin| form.eval(|v| model.number(v)).floor();
        let forms = &self.forms[pred];
        match &mut self.reached[pred][case] {
            Some(reached) => {
                for (form, class) in forms.iter().zip(reached) {
                    let off = &value(form) - &class.residue;
                    class.modulus = class.modulus.gcd(&off);
                }
            }
            none => {
                let point = |form: &Lin| Class {
                    modulus: Int::ZERO,
                    residue: value(form),
                };
                *none = Some(forms.iter().map(point).collect());
            }
        }
    }
}
