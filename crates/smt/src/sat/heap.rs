//! Variables ordered by activity.

/// A binary heap with the place of each variable, the most active first.
#[derive(Debug, Default)]
pub(crate) struct Heap {
    order: Vec<u32>,
    /// For each variable its place in `order`, plus one; 0 if it is not there.
    place: Vec<u32>,
}

impl Heap {
    pub(crate) fn contains(&self, var: usize) -> bool {
        self.place.get(var).is_some_and(|&p| p != 0)
    }

    pub(crate) fn clear(&mut self) {
        for var in self.order.drain(..) {
            self.place[var as usize] = 0;
        }
    }

    pub(crate) fn insert(&mut self, var: usize, activity: &[f64]) {
        if self.contains(var) {
            return;
        }
        if self.place.len() <= var {
            self.place.resize(var + 1, 0);
        }
        self.order.push(var as u32);
        self.place[var] = self.order.len() as u32;
        self.rise(self.order.len() - 1, activity);
    }

    /// To be reported when the activity of a variable grew.
    pub(crate) fn grown(&mut self, var: usize, activity: &[f64]) {
        if self.contains(var) {
            self.rise(self.place[var] as usize - 1, activity);
        }
    }

    pub(crate) fn pop(&mut self, activity: &[f64]) -> Option<u32> {
        let top = *self.order.first()?;
        let last = self.order.pop()?;
        self.place[top as usize] = 0;
        if last != top {
            self.put(0, last);
            self.sink(activity);
        }
        Some(top)
    }

    fn put(&mut self, at: usize, var: u32) {
        self.order[at] = var;
        self.place[var as usize] = at as u32 + 1;
    }

    fn rise(&mut self, mut at: usize, activity: &[f64]) {
        let var = self.order[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            let above = self.order[parent];
            if activity[above as usize] >= activity[var as usize] {
                break;
            }
            self.put(at, above);
            at = parent;
        }
        self.put(at, var);
    }

    fn sink(&mut self, activity: &[f64]) {
        let mut at = 0;
        let var = self.order[at];
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let Some(&first) = self.order.get(left) else {
                break;
            };
            let mut child = left;
            if let Some(&second) = self.order.get(right)
                && activity[second as usize] > activity[first as usize]
            {
                child = right;
            }
            let below = self.order[child];
            if activity[below as usize] <= activity[var as usize] {
                break;
            }
            self.put(at, below);
            at = child;
        }
        self.put(at, var);
    }
}

#[cfg(test)]
mod tests {
    use suppose_testkit::for_each_seed;

    use super::Heap;

    #[test]
    fn variables_come_out_by_activity() {
        for_each_seed(200, |rng| {
            let n = rng.between(1, 40);
            let mut activity: Vec<f64> = (0..n).map(|_| rng.below(1000) as f64).collect();
            let mut heap = Heap::default();
            for var in 0..n {
                heap.insert(var, &activity);
                heap.insert(var, &activity);
            }
            for _ in 0..10 {
                let var = rng.below(n);
                activity[var] += rng.below(1000) as f64;
                heap.grown(var, &activity);
            }
            let mut out = Vec::new();
            while let Some(var) = heap.pop(&activity) {
                assert!(!heap.contains(var as usize));
                out.push(activity[var as usize]);
            }
            assert_eq!(out.len(), n);
            assert!(out.is_sorted_by(|a, b| a >= b));
        });
    }
}
