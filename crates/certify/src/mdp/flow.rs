//! Can one distribution be covered by another?

use suppose_number::Int;

/// Weights of the left and of the right side, and who may receive from whom.
///
/// The left side is covered if its probability can be sent along `related` such that every right state receives
/// its own: a flow of the whole, with capacities scaled to a common denominator. Augmenting paths are
/// shortest ones, so their number does not depend on the weights.
pub(super) struct Problem<'a> {
    pub left: &'a [Int],
    pub right: &'a [Int],
    /// `related[from * right.len() + to]`
    pub related: &'a [bool],
}

impl Problem<'_> {
    /// None if it can be covered. Else left states that have more than all right states related to any
    /// of them (Hall's condition fails for them).
    pub fn uncovered(&self) -> Option<Vec<usize>> {
        let sum = |all: &[Int]| all.iter().fold(Int::ZERO, |sum, w| &sum + w);
        let (totals, wide) = ((sum(self.left), sum(self.right)), self.right.len());
        let mut rest: Vec<Int> = self.left.iter().map(|w| w * &totals.1).collect();
        let mut room: Vec<Int> = self.right.iter().map(|w| w * &totals.0).collect();
        let mut sent = vec![Int::ZERO; self.related.len()];
        loop {
            let search = self.search(&rest, &room, &sent);
            let Some(end) = search.end else {
                let reached = |i: &usize| search.reached[*i];
                let lacking = rest.iter().any(Int::is_positive);
                return lacking.then(|| (0..self.left.len()).filter(reached).collect());
            };
            let mut path = vec![];
            let (mut to, mut most) = (end, room[end].clone());
            let first = loop {
                let from = search.left_of[to];
                path.push((from * wide + to, true));
                match search.right_of[from] {
                    None => break from,
                    Some(back) => {
                        let edge = from * wide + back;
                        path.push((edge, false));
                        most = most.min(sent[edge].clone());
                        to = back;
                    }
                }
            };
            most = most.min(rest[first].clone());
            for (edge, forward) in path {
                sent[edge] = match forward {
                    true => &sent[edge] + &most,
                    false => &sent[edge] - &most,
                };
            }
            rest[first] = &rest[first] - &most;
            room[end] = &room[end] - &most;
        }
    }

    /// Breadth first from all left states that have something left to one right state that has room.
    fn search(&self, rest: &[Int], room: &[Int], sent: &[Int]) -> Search {
        let (high, wide) = (self.left.len(), self.right.len());
        let mut it = Search {
            reached: rest.iter().map(Int::is_positive).collect(),
            right_of: vec![None; high],
            left_of: vec![usize::MAX; wide],
            end: None,
        };
        let mut queue: Vec<usize> = (0..high).filter(|i| it.reached[*i]).collect();
        let mut at = 0;
        while at < queue.len() {
            let from = queue[at];
            at += 1;
            for to in 0..wide {
                if !self.related[from * wide + to] || it.left_of[to] != usize::MAX {
                    continue;
                }
                it.left_of[to] = from;
                if room[to].is_positive() {
                    it.end = Some(to);
                    return it;
                }
                for back in 0..high {
                    if !it.reached[back] && sent[back * wide + to].is_positive() {
                        it.reached[back] = true;
                        it.right_of[back] = Some(to);
                        queue.push(back);
                    }
                }
            }
        }
        it
    }
}

struct Search {
    /// The left states that were reached.
    reached: Vec<bool>,
    /// From which right state a left state was reached.
    right_of: Vec<Option<usize>>,
    /// From which left state a right state was reached.
    left_of: Vec<usize>,
    /// The right state with residual capacity.
    end: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(all: &[u64]) -> Vec<Int> {
        all.iter().map(|w| Int::from(*w)).collect()
    }

    /// By Hall's condition, for every set of left states.
    fn naive(left: &[u64], right: &[u64], related: &[bool]) -> bool {
        let totals = (left.iter().sum::<u64>(), right.iter().sum::<u64>());
        (0..1usize << left.len()).all(|set| {
            let own: u64 = (0..left.len())
                .filter(|i| set >> i & 1 == 1)
                .map(|i| left[i])
                .sum();
            let may = |j: usize| {
                (0..left.len()).any(|i| set >> i & 1 == 1 && related[i * right.len() + j])
            };
            let got: u64 = (0..right.len()).filter(|j| may(*j)).map(|j| right[j]).sum();
            own * totals.1 <= got * totals.0
        })
    }

    #[test]
    fn flows_are_as_hall_says_and_the_set_found_is_one_that_fails() {
        let mut seed = 7u64;
        let mut next = |bound: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % bound
        };
        let mut covered = 0;
        for round in 0..20_000 {
            let left: Vec<u64> = (0..1 + next(4)).map(|_| 1 + next(5)).collect();
            let right: Vec<u64> = (0..1 + next(4)).map(|_| 1 + next(5)).collect();
            let related: Vec<bool> = (0..left.len() * right.len()).map(|_| next(3) > 0).collect();
            let (a, b) = (ints(&left), ints(&right));
            let problem = Problem {
                left: &a,
                right: &b,
                related: &related,
            };
            let found = problem.uncovered();
            assert_eq!(
                found.is_none(),
                naive(&left, &right, &related),
                "round {round}"
            );
            covered += usize::from(found.is_none());
            if let Some(set) = found {
                let own: u64 = set.iter().map(|i| left[*i]).sum();
                let may = |j: &usize| set.iter().any(|i| related[i * right.len() + j]);
                let got: u64 = (0..right.len()).filter(may).map(|j| right[j]).sum();
                let totals = (left.iter().sum::<u64>(), right.iter().sum::<u64>());
                assert!(own * totals.1 > got * totals.0, "round {round}");
            }
        }
        assert!((1_000..19_000).contains(&covered), "{covered}");
    }
}
