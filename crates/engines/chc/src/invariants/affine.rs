//! Equations between the numeric parameters of each predicate.

use suppose_control::{Context, Stopped};
use suppose_model::chc::{Assignment, Horn, TermId, Terms, Var};
use suppose_number::Rat;

use super::{Cases, Domain, integer_form, numeric, run};

/// The affine hull of the points seen so far, as equations in reduced echelon form: row `i` says that
/// `sum(factors * variable) + constant = 0`.
#[derive(Clone, Debug)]
struct Hull {
    rows: Vec<Vec<Rat>>,
}

struct Affine {
    vars: Vec<Vec<Var>>,
    hulls: Vec<Vec<Option<Hull>>>,
}

/// The equations that hold of each predicate; false for one that is never reached.
pub fn find(horn: &Horn, terms: &mut Terms, cx: &Context) -> Result<Vec<Vec<TermId>>, Stopped> {
    let vars: Vec<Vec<Var>> = horn
        .predicates
        .iter()
        .map(|p| numeric(terms, &p.formals))
        .collect();
    let cases = Cases::of(horn, terms);
    let hulls = (0..vars.len()).map(|p| vec![None; cases.count(p)]);
    let mut domain = Affine {
        hulls: hulls.collect(),
        vars,
    };
    let nothing = vec![Vec::new(); horn.predicates.len()];
    run(horn, terms, &cases, &mut domain, &nothing, cx)
}

impl Domain for Affine {
    fn known(&self, terms: &mut Terms, pred: usize, case: usize) -> Option<Vec<TermId>> {
        let hull = self.hulls[pred][case].as_ref()?;
        let vars = &self.vars[pred];
        Some(
            hull.rows
                .iter()
                .map(|row| {
                    let lin = integer_form(vars, &row[..vars.len()], &row[vars.len()]);
                    terms.eq(lin)
                })
                .collect(),
        )
    }

    fn forget(&mut self, pred: usize) {
        self.hulls[pred].fill(Some(Hull { rows: Vec::new() }));
    }

    fn join(&mut self, _: &Terms, pred: usize, case: usize, model: &Assignment) {
        let point: Vec<Rat> = self.vars[pred].iter().map(|&v| model.number(v)).collect();
        match &mut self.hulls[pred][case] {
            Some(hull) => hull.join(&point),
            none => *none = Some(Hull::point(&point)),
        }
    }
}

impl Hull {
    /// One point: every variable is its value.
    fn point(point: &[Rat]) -> Hull {
        let rows = point
            .iter()
            .enumerate()
            .map(|(i, value)| {
                let mut row = vec![Rat::ZERO; point.len() + 1];
                row[i] = Rat::ONE;
                row[point.len()] = -value;
                row
            })
            .collect();
        Hull { rows }
    }

    /// The hull with one more point. Of the equations that the point breaks, one is given up and the others
    /// are corrected by it, so that both the old points and the new one satisfy them.
    fn join(&mut self, point: &[Rat]) {
        let error = |row: &[Rat]| {
            let mut sum = row[point.len()].clone();
            for (factor, value) in row.iter().zip(point) {
                sum.add_product(factor, value);
            }
            sum
        };
        let errors: Vec<Rat> = self.rows.iter().map(|r| error(r)).collect();
        let Some(given_up) = errors.iter().rposition(|e| !e.is_zero()) else {
            return;
        };
        let lost = self.rows.remove(given_up);
        let by = errors[given_up].recip();
        for (row, e) in self.rows.iter_mut().zip(
            errors
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != given_up)
                .map(|(_, e)| e),
        ) {
            if e.is_zero() {
                continue;
            }
            let factor = -(e * &by);
            for (a, b) in row.iter_mut().zip(&lost) {
                a.add_product(&factor, b);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(values: &[i64]) -> Vec<Rat> {
        values.iter().map(|&v| Rat::from(v)).collect()
    }

    #[test]
    fn points_of_a_line_leave_its_equation() {
        let mut hull = Hull::point(&numbers(&[0, 0]));
        hull.join(&numbers(&[1, 10]));
        hull.join(&numbers(&[5, 50]));
        assert_eq!(hull.rows.len(), 1);
        let row = &hull.rows[0];
        assert_eq!(&row[0] / &row[1], Rat::from(-10));
        assert!(row[2].is_zero());
        hull.join(&numbers(&[1, 1]));
        assert!(hull.rows.is_empty());
    }
}
