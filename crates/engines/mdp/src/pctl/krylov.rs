//! Sparse linear equations `x = b + P x` in floating-point numbers: BiCGSTAB (van der Vorst, 1992) behind an incomplete factorisation.
//!
//! What comes out is a candidate only: bounds are checked in exact arithmetic afterwards.

use suppose_control::{Context, Stopped};

/// `I - P` row by row, columns ascending.
pub(super) struct Sparse {
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
    /// Where the diagonal entry of each row is.
    diagonal: Vec<u32>,
}

impl Sparse {
    /// From the entries of `P`, row by row; `row` adds its entries to the list, in any order and with repetitions.
    pub fn new(rows: usize, mut row: impl FnMut(usize, &mut Vec<(u32, f64)>)) -> Self {
        let mut it = Sparse {
            starts: vec![0],
            columns: Vec::new(),
            values: Vec::new(),
            diagonal: Vec::with_capacity(rows),
        };
        let mut entries: Vec<(u32, f64)> = Vec::new();
        for number in 0..rows {
            entries.clear();
            row(number, &mut entries);
            entries.push((number as u32, -1.0));
            entries.sort_unstable_by_key(|e| e.0);
            entries.dedup_by(|later, first| {
                let same = later.0 == first.0;
                if same {
                    first.1 += later.1;
                }
                same
            });
            for (column, value) in &entries {
                if *column == number as u32 {
                    it.diagonal.push(it.columns.len() as u32);
                }
                it.columns.push(*column);
                it.values.push(-value);
            }
            it.starts.push(it.columns.len() as u32);
        }
        it
    }

    fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    fn times(&self, x: &[f64], out: &mut [f64]) {
        for (row, out) in out.iter_mut().enumerate() {
            let mut sum = 0.0;
            for at in self.row(row) {
                sum += self.values[at] * x[self.columns[at] as usize];
            }
            *out = sum;
        }
    }

    /// An incomplete factorisation with the same entries.
    fn factors(&self) -> Vec<f64> {
        let mut lu = self.values.clone();
        let mut place = vec![u32::MAX; self.diagonal.len()];
        for row in 0..self.diagonal.len() {
            for at in self.row(row) {
                place[self.columns[at] as usize] = at as u32;
            }
            for at in self.row(row).start..self.diagonal[row] as usize {
                let above = self.columns[at] as usize;
                let pivot = lu[self.diagonal[above] as usize];
                if pivot == 0.0 {
                    continue;
                }
                let factor = lu[at] / pivot;
                lu[at] = factor;
                for other in self.diagonal[above] as usize + 1..self.row(above).end {
                    let here = place[self.columns[other] as usize];
                    if here != u32::MAX {
                        lu[here as usize] -= factor * lu[other];
                    }
                }
            }
            for at in self.row(row) {
                place[self.columns[at] as usize] = u32::MAX;
            }
        }
        lu
    }

    fn precondition(&self, lu: &[f64], x: &mut [f64]) {
        for row in 0..self.diagonal.len() {
            let mut sum = x[row];
            for at in self.row(row).start..self.diagonal[row] as usize {
                sum -= lu[at] * x[self.columns[at] as usize];
            }
            x[row] = sum;
        }
        for row in (0..self.diagonal.len()).rev() {
            let mut sum = x[row];
            for at in self.diagonal[row] as usize + 1..self.row(row).end {
                sum -= lu[at] * x[self.columns[at] as usize];
            }
            let pivot = lu[self.diagonal[row] as usize];
            x[row] = if pivot == 0.0 { sum } else { sum / pivot };
        }
    }

    /// Solves for `b`, from `x` on; false if it does not converge.
    pub fn solve(
        &self,
        b: &[f64],
        x: &mut [f64],
        precision: f64,
        cx: &Context,
    ) -> Result<bool, Stopped> {
        let count = b.len();
        let lu = self.factors();
        let mut r = vec![0.0; count];
        // Started anew now and then: rounding makes the residual that is carried along drift from the real one.
        let mut before = f64::INFINITY;
        for _ in 0..8 {
            self.times(x, &mut r);
            r.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
            let now = largest(&r);
            if now <= precision {
                return Ok(true);
            }
            if now > before / 2.0 {
                break;
            }
            before = now;
            if !self.round(&lu, &mut r, x, precision, cx)? {
                break;
            }
        }
        self.times(x, &mut r);
        r.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
        Ok(largest(&r) <= precision * 1e4)
    }

    /// Up to some hundred steps; false if they broke down.
    fn round(
        &self,
        lu: &[f64],
        r: &mut [f64],
        x: &mut [f64],
        precision: f64,
        cx: &Context,
    ) -> Result<bool, Stopped> {
        let count = r.len();
        let shadow = r.to_vec();
        let (mut p, mut v) = (vec![0.0; count], vec![0.0; count]);
        let (mut y, mut t) = (vec![0.0; count], vec![0.0; count]);
        let (mut rho, mut alpha, mut omega) = (1.0f64, 1.0f64, 1.0f64);
        let (mut best, mut best_at) = (f64::INFINITY, 0);
        for step in 0..2000 {
            cx.check()?;
            // Rounding lets it come no nearer.
            let now = largest(r);
            if now < best / 2.0 {
                (best, best_at) = (now, step);
            } else if step > best_at + 120 {
                return Ok(true);
            }
            let new = dot(&shadow, r);
            let beta = (new / rho) * (alpha / omega);
            if !beta.is_finite() || new == 0.0 {
                return Ok(largest(r) <= precision);
            }
            rho = new;
            for at in 0..count {
                p[at] = r[at] + beta * (p[at] - omega * v[at]);
            }
            y.copy_from_slice(&p);
            self.precondition(lu, &mut y);
            self.times(&y, &mut v);
            alpha = rho / dot(&shadow, &v);
            if !alpha.is_finite() {
                return Ok(false);
            }
            for at in 0..count {
                x[at] += alpha * y[at];
                r[at] -= alpha * v[at];
            }
            if largest(r) <= precision {
                return Ok(true);
            }
            y.copy_from_slice(r);
            self.precondition(lu, &mut y);
            self.times(&y, &mut t);
            let norm = dot(&t, &t);
            omega = if norm > 0.0 { dot(&t, r) / norm } else { 0.0 };
            if omega == 0.0 || !omega.is_finite() {
                return Ok(false);
            }
            for at in 0..count {
                x[at] += omega * y[at];
                r[at] -= omega * t[at];
            }
            if largest(r) <= precision {
                return Ok(true);
            }
        }
        Ok(true)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn largest(all: &[f64]) -> f64 {
    // What is no number must not pass for small.
    all.iter().fold(0.0, |most, v| match v.is_nan() {
        true => f64::INFINITY,
        false => v.abs().max(most),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_with_a_long_way_out_is_solved() {
        // From the middle of 0..=n, right with probability 1/2: the probability to leave at the right end.
        let n = 400;
        let walk = Sparse::new(n, |at, row| {
            if at > 0 {
                row.push((at as u32 - 1, 0.5));
            }
            if at + 1 < n {
                row.push((at as u32 + 1, 0.5));
            }
        });
        let mut b = vec![0.0; n];
        b[n - 1] = 0.5;
        let mut x = vec![0.0; n];
        assert_eq!(walk.solve(&b, &mut x, 1e-14, &Context::default()), Ok(true));
        for (at, x) in x.iter().enumerate() {
            let expected = (at + 1) as f64 / (n + 1) as f64;
            assert!((x - expected).abs() < 1e-9, "{at}: {x} and not {expected}");
        }
    }
}
