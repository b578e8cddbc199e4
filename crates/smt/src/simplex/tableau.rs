//! Rows: linear equations `sum of factors * columns = 0` with integer factors.
//!
//! Each row has one *basic* column, which occurs in no other row and first in its own. Factors of a row are
//! divided by their common divisor whenever the row was multiplied. Integers instead of fractions with factor 1 for the basic column keep pivoting within
//! machine words longer, and need one greatest common divisor a row and not one a factor.

use suppose_number::Int;

/// A column of the tableau.
pub(crate) type Col = u32;

pub(crate) const NONE: u32 = u32::MAX;

/// Numbers such that `own * a + its * b = 0`, `a` positive so that signs stay.
fn multipliers(own: &Int, its: &Int) -> (Int, Int) {
    if its.is_one() {
        return (Int::ONE, -own);
    }
    if *its == Int::MINUS_ONE {
        return (Int::ONE, own.clone());
    }
    let gcd = own.gcd(its);
    let (a, b) = (its.div_exact(&gcd), -own.div_exact(&gcd));
    if a.is_negative() { (-a, -b) } else { (a, b) }
}

#[derive(Debug, Default)]
pub(crate) struct Tableau {
    rows: Vec<Vec<(Col, Int)>>,
    unused: Vec<u32>,
    /// For each column the rows it occurs in, except for the one where it is basic.
    uses: Vec<Vec<u32>>,
    /// For each column the row where it is basic, or `NONE`.
    row_of: Vec<u32>,
    /// Scratch: for each column its place in a row, plus one.
    place: Vec<u32>,
    /// How many factors were computed, to measure work.
    pub(crate) work: u64,
}

impl Tableau {
    pub(crate) fn new_col(&mut self) -> Col {
        self.uses.push(Vec::new());
        self.row_of.push(NONE);
        self.place.push(0);
        self.row_of.len() as u32 - 1
    }

    pub(crate) fn row(&self, row: u32) -> &[(Col, Int)] {
        &self.rows[row as usize]
    }

    /// The row where a column is basic.
    pub(crate) fn basic_row(&self, col: Col) -> Option<u32> {
        let row = self.row_of[col as usize];
        (row != NONE).then_some(row)
    }

    /// The rows in which a nonbasic column occurs.
    pub(crate) fn uses(&self, col: Col) -> &[u32] {
        &self.uses[col as usize]
    }

    /// The basic columns.
    pub(crate) fn basics(&self) -> impl Iterator<Item = Col> + '_ {
        self.rows.iter().filter_map(|row| row.first()).map(|e| e.0)
    }

    /// The factor of a column in a row.
    pub(crate) fn factor(&self, row: u32, col: Col) -> &Int {
        match self.rows[row as usize].iter().find(|(c, _)| *c == col) {
            Some((_, factor)) => factor,
            None => &Int::ZERO,
        }
    }

    /// Adds `col = sum`, where `col` occurs in no row yet, and makes it basic.
    pub(crate) fn add_row(&mut self, col: Col, sum: &[(Col, Int)]) -> u32 {
        let mut row = Vec::with_capacity(sum.len() + 1);
        row.push((col, Int::MINUS_ONE));
        row.extend_from_slice(sum);
        let number = match self.unused.pop() {
            Some(number) => {
                self.rows[number as usize] = row;
                number
            }
            None => {
                self.rows.push(row);
                self.rows.len() as u32 - 1
            }
        };
        for (c, _) in sum {
            self.uses[*c as usize].push(number);
        }
        self.row_of[col as usize] = number;
        for (c, _) in sum {
            if let Some(other) = self.basic_row(*c) {
                self.eliminate(number, other, *c);
            }
        }
        number
    }

    /// Removes the row of a basic column.
    pub(crate) fn remove_row(&mut self, row: u32) {
        let entries = std::mem::take(&mut self.rows[row as usize]);
        self.row_of[entries[0].0 as usize] = NONE;
        for (col, _) in &entries[1..] {
            self.drop_use(*col, row);
        }
        self.unused.push(row);
    }

    fn drop_use(&mut self, col: Col, row: u32) {
        let uses = &mut self.uses[col as usize];
        if let Some(at) = uses.iter().position(|&r| r == row) {
            uses.swap_remove(at);
        }
    }

    /// Makes `col` the basic column of a row in which it occurs.
    pub(crate) fn pivot(&mut self, row: u32, col: Col) {
        let entries = &mut self.rows[row as usize];
        let Some(at) = entries.iter().position(|(c, _)| *c == col) else {
            return;
        };
        let old = entries[0].0;
        entries.swap(0, at);
        self.row_of[old as usize] = NONE;
        self.row_of[col as usize] = row;
        self.drop_use(col, row);
        self.uses[old as usize].push(row);
        let others = std::mem::take(&mut self.uses[col as usize]);
        for &other in &others {
            self.eliminate(other, row, col);
        }
        // `eliminate` found nothing to drop in the list that was taken: it is empty now.
    }

    /// Adds a multiple of `source` to a multiple of `target` such that `col`, basic in `source`, is gone.
    fn eliminate(&mut self, target: u32, source: u32, col: Col) {
        let mut row = std::mem::take(&mut self.rows[target as usize]);
        let pivot = std::mem::take(&mut self.rows[source as usize]);
        let Some(at) = row.iter().position(|(c, _)| *c == col) else {
            self.rows[target as usize] = row;
            self.rows[source as usize] = pivot;
            return;
        };
        self.work += (row.len() + pivot.len()) as u64;
        let (a, b) = multipliers(&row[at].1, &pivot[0].1);
        let scaled = !a.is_one();
        if scaled {
            for (_, factor) in &mut row {
                *factor *= &a;
            }
        }
        for (i, (c, _)) in row.iter().enumerate() {
            self.place[*c as usize] = i as u32 + 1;
        }
        for (c, factor) in &pivot {
            let product = factor * &b;
            match self.place[*c as usize] {
                0 => {
                    self.uses[*c as usize].push(target);
                    row.push((*c, product));
                }
                place => row[place as usize - 1].1 += &product,
            }
        }
        for (c, _) in &row {
            self.place[*c as usize] = 0;
        }
        self.sweep(target, &mut row, scaled);
        self.rows[target as usize] = row;
        self.rows[source as usize] = pivot;
    }

    /// Drops zeros and, if the row was multiplied, divides by the common divisor.
    fn sweep(&mut self, number: u32, row: &mut Vec<(Col, Int)>, scaled: bool) {
        let mut gcd = if scaled { Int::ZERO } else { Int::ONE };
        let mut i = 0;
        while i < row.len() {
            if row[i].1.is_zero() {
                let (col, _) = row.swap_remove(i);
                self.drop_use(col, number);
                continue;
            }
            if !gcd.is_one() {
                gcd = gcd.gcd(&row[i].1);
            }
            i += 1;
        }
        if !gcd.is_one() {
            for (_, factor) in row {
                *factor = factor.div_exact(&gcd);
            }
        }
    }
}
