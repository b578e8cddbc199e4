//! The operations, on bare edges.
//!
//! All are the textbook recursions (Bryant; Brace, Rudell and Bryant; for cofactors Coudert and Madre). The depth of the
//! recursion is at most the number of variables.

use super::cache::Op;
use super::store::{Edge, FALSE, Made, NONE, Store, TRUE, is_constant};

impl Store {
    pub(super) fn and(&mut self, f: Edge, g: Edge) -> Made {
        match (f, g) {
            (FALSE, _) | (_, FALSE) => return Ok(FALSE),
            (TRUE, other) | (other, TRUE) => return Ok(other),
            _ if f == g => return Ok(f),
            _ if f == g ^ 1 => return Ok(FALSE),
            _ => {}
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        if let Some(known) = self.cache.get(Op::And, [f, g, 0]) {
            return Ok(known);
        }
        self.tick()?;
        let level = self.level(f).min(self.level(g));
        let (f1, f0) = self.cofactors(f, level);
        let (g1, g0) = self.cofactors(g, level);
        let high = self.and(f1, g1)?;
        let low = self.and(f0, g0)?;
        let made = self.make(level, high, low)?;
        self.cache.put(Op::And, [f, g, 0], made);
        Ok(made)
    }

    pub(super) fn or(&mut self, f: Edge, g: Edge) -> Made {
        Ok(self.and(f ^ 1, g ^ 1)? ^ 1)
    }

    pub(super) fn xor(&mut self, f: Edge, g: Edge) -> Made {
        // Signs come out of the operation, so that only one of four cases is remembered.
        let sign = (f ^ g) & 1;
        let (f, g) = (f & !1, g & !1);
        if f == g {
            return Ok(FALSE ^ sign);
        }
        if f == TRUE || g == TRUE {
            return Ok((f | g) ^ 1 ^ sign);
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        if let Some(known) = self.cache.get(Op::Xor, [f, g, 0]) {
            return Ok(known ^ sign);
        }
        self.tick()?;
        let level = self.level(f).min(self.level(g));
        let (f1, f0) = self.cofactors(f, level);
        let (g1, g0) = self.cofactors(g, level);
        let high = self.xor(f1, g1)?;
        let low = self.xor(f0, g0)?;
        let made = self.make(level, high, low)?;
        self.cache.put(Op::Xor, [f, g, 0], made);
        Ok(made ^ sign)
    }

    pub(super) fn ite(&mut self, f: Edge, g: Edge, h: Edge) -> Made {
        match (f, g, h) {
            (TRUE, g, _) => return Ok(g),
            (FALSE, _, h) => return Ok(h),
            _ if g == h => return Ok(g),
            (_, TRUE, FALSE) => return Ok(f),
            (_, FALSE, TRUE) => return Ok(f ^ 1),
            (_, TRUE, _) => return self.or(f, h),
            (_, FALSE, _) => return self.and(f ^ 1, h),
            (_, _, TRUE) => return self.or(f ^ 1, g),
            (_, _, FALSE) => return self.and(f, g),
            _ if g == h ^ 1 => return self.xor(f, h),
            _ if f == g => return self.or(f, h),
            _ if f == g ^ 1 => return self.and(f ^ 1, h),
            _ if f == h => return self.and(f, g),
            _ if f == h ^ 1 => return self.or(f ^ 1, g),
            _ => {}
        }
        let (f, g, h) = if f & 1 == 1 { (f ^ 1, h, g) } else { (f, g, h) };
        let sign = g & 1;
        let (g, h) = (g ^ sign, h ^ sign);
        if let Some(known) = self.cache.get(Op::Ite, [f, g, h]) {
            return Ok(known ^ sign);
        }
        self.tick()?;
        let level = self.level(f).min(self.level(g)).min(self.level(h));
        let (f1, f0) = self.cofactors(f, level);
        let (g1, g0) = self.cofactors(g, level);
        let (h1, h0) = self.cofactors(h, level);
        let high = self.ite(f1, g1, h1)?;
        let low = self.ite(f0, g0, h0)?;
        let made = self.make(level, high, low)?;
        self.cache.put(Op::Ite, [f, g, h], made);
        Ok(made ^ sign)
    }

    /// The part of a cube that is at that level or below.
    fn below(&self, mut cube: Edge, level: u32) -> Edge {
        while !is_constant(cube) && self.level(cube) < level {
            cube = self.cofactors(cube, self.level(cube)).0;
        }
        cube
    }

    /// For some values of the variables of the cube.
    pub(super) fn exists(&mut self, f: Edge, cube: Edge) -> Made {
        let level = self.level(f);
        let cube = self.below(cube, level);
        if is_constant(f) || is_constant(cube) {
            return Ok(f);
        }
        if let Some(known) = self.cache.get(Op::Exists, [f, cube, 0]) {
            return Ok(known);
        }
        self.tick()?;
        let (f1, f0) = self.cofactors(f, level);
        let made = if self.level(cube) == level {
            let rest = self.cofactors(cube, level).0;
            match self.exists(f1, rest)? {
                TRUE => TRUE,
                high => {
                    let low = self.exists(f0, rest)?;
                    self.or(high, low)?
                }
            }
        } else {
            let high = self.exists(f1, cube)?;
            let low = self.exists(f0, cube)?;
            self.make(level, high, low)?
        };
        self.cache.put(Op::Exists, [f, cube, 0], made);
        Ok(made)
    }

    /// For some values of the variables of the cube both are true.
    pub(super) fn and_exists(&mut self, f: Edge, g: Edge, cube: Edge) -> Made {
        match (f, g) {
            (FALSE, _) | (_, FALSE) => return Ok(FALSE),
            (TRUE, other) | (other, TRUE) => return self.exists(other, cube),
            _ if f == g => return self.exists(f, cube),
            _ if f == g ^ 1 => return Ok(FALSE),
            _ => {}
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        let level = self.level(f).min(self.level(g));
        let cube = self.below(cube, level);
        if is_constant(cube) {
            return self.and(f, g);
        }
        if let Some(known) = self.cache.get(Op::AndExists, [f, g, cube]) {
            return Ok(known);
        }
        self.tick()?;
        let (f1, f0) = self.cofactors(f, level);
        let (g1, g0) = self.cofactors(g, level);
        let made = if self.level(cube) == level {
            let rest = self.cofactors(cube, level).0;
            match self.and_exists(f1, g1, rest)? {
                TRUE => TRUE,
                high => {
                    let low = self.and_exists(f0, g0, rest)?;
                    self.or(high, low)?
                }
            }
        } else {
            let high = self.and_exists(f1, g1, cube)?;
            let low = self.and_exists(f0, g0, cube)?;
            self.make(level, high, low)?
        };
        self.cache.put(Op::AndExists, [f, g, cube], made);
        Ok(made)
    }

    /// The generalised cofactor: agrees with `f` where `care` is true. `care` is not false.
    pub(super) fn constrain(&mut self, f: Edge, care: Edge) -> Made {
        if let Some(plain) = plain_cofactor(f, care) {
            return Ok(plain);
        }
        if let Some(known) = self.cache.get(Op::Constrain, [f, care, 0]) {
            return Ok(known);
        }
        self.tick()?;
        let level = self.level(f).min(self.level(care));
        let (f1, f0) = self.cofactors(f, level);
        let (c1, c0) = self.cofactors(care, level);
        let made = match (c1, c0) {
            (FALSE, _) => self.constrain(f0, c0)?,
            (_, FALSE) => self.constrain(f1, c1)?,
            _ => {
                let high = self.constrain(f1, c1)?;
                let low = self.constrain(f0, c0)?;
                self.make(level, high, low)?
            }
        };
        self.cache.put(Op::Constrain, [f, care, 0], made);
        Ok(made)
    }

    /// As [`Store::constrain`], but never brings in a variable that `f` does not have.
    pub(super) fn restrict(&mut self, f: Edge, care: Edge) -> Made {
        if let Some(plain) = plain_cofactor(f, care) {
            return Ok(plain);
        }
        if let Some(known) = self.cache.get(Op::Restrict, [f, care, 0]) {
            return Ok(known);
        }
        self.tick()?;
        let (of_f, of_care) = (self.level(f), self.level(care));
        let made = if of_care < of_f {
            let (c1, c0) = self.cofactors(care, of_care);
            let either = self.or(c1, c0)?;
            self.restrict(f, either)?
        } else {
            let (f1, f0) = self.cofactors(f, of_f);
            let (c1, c0) = self.cofactors(care, of_f);
            match (c1, c0) {
                (FALSE, _) => self.restrict(f0, c0)?,
                (_, FALSE) => self.restrict(f1, c1)?,
                _ => {
                    let high = self.restrict(f1, c1)?;
                    let low = self.restrict(f0, c0)?;
                    self.make(of_f, high, low)?
                }
            }
        };
        self.cache.put(Op::Restrict, [f, care, 0], made);
        Ok(made)
    }

    /// Other variables in place of some: `map` gives the new one for every variable. `number` stands for the map in the
    /// memory of results: the same number always comes with the same map.
    pub(super) fn rename(&mut self, f: Edge, map: &[u32], number: u32) -> Made {
        if is_constant(f) {
            return Ok(f);
        }
        let sign = f & 1;
        let f = f ^ sign;
        if let Some(known) = self.cache.get(Op::Rename, [f, number, 0]) {
            return Ok(known ^ sign);
        }
        self.tick()?;
        let level = self.level(f);
        let (f1, f0) = self.cofactors(f, level);
        let high = self.rename(f1, map, number)?;
        let low = self.rename(f0, map, number)?;
        let var = map[self.var_at[level as usize] as usize];
        let to = self.level_of[var as usize];
        let made = if to < self.level(high).min(self.level(low)) {
            self.make(to, high, low)?
        } else {
            let test = self.make(to, TRUE, FALSE)?;
            self.ite(test, high, low)?
        };
        self.cache.put(Op::Rename, [f, number, 0], made);
        Ok(made ^ sign)
    }

    /// The conjunction of variables.
    pub(super) fn cube(&mut self, vars: &[u32]) -> Made {
        let mut levels: Vec<u32> = vars.iter().map(|v| self.level_of[*v as usize]).collect();
        levels.sort_unstable();
        levels.dedup();
        let mut cube = TRUE;
        for level in levels.into_iter().rev() {
            cube = self.make(level, cube, FALSE)?;
        }
        Ok(cube)
    }

    /// One assignment that makes it true, as few variables as the path has; none for false.
    pub(super) fn path(&self, f: Edge) -> Option<Vec<(u32, bool)>> {
        if f == FALSE {
            return None;
        }
        let mut path = Vec::new();
        let mut at = f;
        while !is_constant(at) {
            let level = self.level(at);
            let var = self.var_at[level as usize];
            let (high, low) = self.cofactors(at, level);
            // Prefer low: smaller numbers are easier to read.
            let value = low == FALSE;
            path.push((var, value));
            at = if value { high } else { low };
        }
        debug_assert!(at == TRUE && self.level(at) == NONE);
        Some(path)
    }
}

/// The cofactor where no look below the top is needed.
fn plain_cofactor(f: Edge, care: Edge) -> Option<Edge> {
    match f {
        _ if care == TRUE || is_constant(f) => Some(f),
        _ if f == care => Some(TRUE),
        _ if f == care ^ 1 => Some(FALSE),
        _ => None,
    }
}
